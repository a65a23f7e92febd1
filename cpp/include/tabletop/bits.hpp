// Counting and selecting bits of a 64-bit word, quickly on any machine.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace tabletop {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101ULL;

// The number of bits set in each byte, in that byte.
constexpr std::uint64_t count_bytes(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555ULL;
  word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
  return (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
}

constexpr int count_bits(std::uint64_t word) {
#if defined(__POPCNT__)
  return std::popcount(word);
#else  // std::popcount would call a function
  return static_cast<int>((count_bytes(word) * kEachByte) >> 56);
#endif
}

// The position of the lowest set bit; there must be one.
constexpr int lowest_bit(std::uint64_t word) {
  assert(word != 0);
#if defined(__GNUC__)  // std::countr_zero asks whether there is none
  return __builtin_ctzll(word);
#else
  return std::countr_zero(word);
#endif
}

// 1 in each lane of `Bits` bits, from the lowest bit on.
template <int Bits>
inline constexpr std::uint64_t kEachLane = [] {
  std::uint64_t word = 0;
  for (int shift = 0; shift < 64; shift += Bits) word |= std::uint64_t{1} << shift;
  return word;
}();

// How many lanes have their highest bit set, the only bit that any may have. Sixteen lanes of four
// bits must not all have it, nor a last lane that is cut off.
template <int Bits>
constexpr std::uint64_t count_highest(std::uint64_t lanes) {
#if defined(__POPCNT__)
  return static_cast<std::uint64_t>(std::popcount(lanes));
#else  // the sum of all lanes, in the last one
  return ((lanes >> (Bits - 1)) * kEachLane<Bits>) >> (63 / Bits * Bits);
#endif
}

// How many lanes hold k or less. Neither k nor a lane uses the highest bit of a lane; a last lane
// that is cut off is not counted.
template <int Bits>
constexpr std::uint64_t count_upto(std::uint64_t lanes, std::uint64_t k) {
  constexpr std::uint64_t kEach = kEachLane<Bits>, kHigh = std::uint64_t{1} << (Bits - 1);
  // The highest bit of a lane stays if k >= lane.
  return count_highest<Bits>(((k | kHigh) * kEach - lanes) & (kEach << (Bits - 1)));
}

// The index of the lane into which item k falls when lane i holds upto[i] - upto[i - 1] items; k
// becomes its rank inside that lane.
template <int Bits>
constexpr std::uint64_t select_lane(std::uint64_t upto, std::uint64_t& k) {
  const std::uint64_t lane = count_upto<Bits>(upto, k);
  k -= ((upto << Bits) >> (Bits * lane)) & ((1 << Bits) - 1);
  return lane;
}

// The same for bytes (at most 127 items in all).
constexpr int select_sum(std::uint64_t upto, int& k) {
  const auto byte = static_cast<int>(count_upto<8>(upto, static_cast<std::uint64_t>(k)));
  k -= static_cast<int>(((upto << 8) >> (8 * byte)) & 0xFF);
  return byte;
}

// The same when byte i holds counts[i] items.
constexpr int select_byte(std::uint64_t counts, int& k) {
  return select_sum(counts * kEachByte, k);  // items in each byte and those below it
}

// The positions of the bits of a byte, ascending.
struct BitPositions {
  std::uint8_t of[256][8] = {};

  constexpr BitPositions() {
    for (int byte = 0; byte < 256; ++byte) {
      for (int bit = 0, k = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1) != 0) of[byte][k++] = static_cast<std::uint8_t>(bit);
      }
    }
  }
};
inline constexpr BitPositions kBitPositions;

// The position of the k-th set bit, counted from 0 at the lowest; there must be more than k.
constexpr int select_bit(std::uint64_t word, int k) {
  assert(k >= 0 && k < std::popcount(word));
  const int byte = select_byte(count_bytes(word), k);
  return 8 * byte + kBitPositions.of[word >> (8 * byte) & 0xFF][k];
}

// Bit i of the lowest byte, as byte i.
constexpr std::uint64_t spread_bits(std::uint64_t byte) {
  const std::uint64_t picked = ((byte & 0xFF) * kEachByte) & 0x8040201008040201ULL;
  return ((picked + 0x7F * kEachByte) >> 7) & kEachByte;
}

// Calls visit(position) for each set bit, ascending.
template <class Visit>
constexpr void for_each_bit(std::uint64_t word, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(lowest_bit(word));
}

}  // namespace tabletop
