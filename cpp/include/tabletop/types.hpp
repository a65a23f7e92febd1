// The few words that every part of the library shares.
#pragma once

#include <bit>
#include <cstdint>

namespace tabletop {

using Seat = int;    // 0 .. players - 1, or one of the two marks below
using Action = int;  // a decision id or a chance outcome id, by the node it is applied at

inline constexpr Seat kChance = -1;    // a chance node: nobody decides
inline constexpr Seat kTerminal = -4;  // the game is over
inline constexpr int kMaxSeats = 6;

// A small number put into a byte of a position; the caller knows that it fits.
constexpr std::uint8_t to_byte(int value) { return static_cast<std::uint8_t>(value); }

// A set of seats: the winners, the owners of a gateway, the members of a team.
class SeatSet {
 public:
  constexpr SeatSet() = default;
  constexpr explicit SeatSet(std::uint8_t bits) : bits_(bits) {}

  constexpr void add(Seat seat) { bits_ = to_byte(bits_ | (1 << seat)); }
  constexpr void remove(Seat seat) { bits_ = to_byte(bits_ & ~(1 << seat)); }
  [[nodiscard]] constexpr bool contains(Seat seat) const { return ((bits_ >> seat) & 1U) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr int size() const { return std::popcount(bits_); }
  [[nodiscard]] constexpr Seat first() const { return std::countr_zero(bits_); }
  [[nodiscard]] constexpr std::uint8_t bits() const { return bits_; }

  // Calls visit(seat) for each member, ascending.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (unsigned rest = bits_; rest != 0; rest &= rest - 1) visit(std::countr_zero(rest));
  }

  friend constexpr bool operator==(SeatSet, SeatSet) = default;

 private:
  std::uint8_t bits_ = 0;
};

}  // namespace tabletop
