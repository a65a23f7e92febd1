// The cards of Card Challenge: which symbols they show, and piles of them without an order.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>

#include "tabletop/bits.hpp"
#include "tabletop/mechanics/symbols.hpp"
#include "tabletop/types.hpp"

namespace tabletop::card_challenge {

using ingenious::kSymbols;
using ingenious::SymbolCounts;

// A kind is a pair of different symbols, in lexicographic order [CC-3].
inline constexpr int kKinds = 15, kCopies = 4, kCards = kKinds * kCopies;
inline constexpr int kHandSize = 6;
inline constexpr int kNoCard = kKinds;  // an empty place on the table

struct Kinds {
  std::uint8_t symbols[kKinds][2] = {};     // the lower first
  std::uint8_t scored[2 * kKinds][2] = {};  // by kind and order: the first and the second to score
  SymbolCounts shown[kKinds + 1] = {};      // as a set; none on an empty place
};

constexpr Kinds make_kinds() {
  Kinds kinds;
  int kind = 0;
  for (int low = 0; low < kSymbols; ++low) {
    for (int high = low + 1; high < kSymbols; ++high, ++kind) {
      kinds.symbols[kind][0] = to_byte(low);
      kinds.symbols[kind][1] = to_byte(high);
      for (int order = 0; order < 2; ++order) {
        kinds.scored[2 * kind + order][order] = to_byte(low);
        kinds.scored[2 * kind + order][1 - order] = to_byte(high);
      }
      kinds.shown[kind].add(low, 1);
      kinds.shown[kind].add(high, 1);
    }
  }
  return kinds;
}

inline constexpr Kinds kKindTable = make_kinds();

// Some kinds of cards, the lowest bit of four for each; four bits above all kinds stay clear.
class KindSet {
 public:
  static constexpr std::uint64_t kOnes = 0x1111'1111'1111'1111ULL;

  constexpr KindSet() = default;
  constexpr explicit KindSet(std::uint64_t ones) : ones_(ones) {}

  constexpr void add(int kind) { ones_ |= std::uint64_t{1} << (4 * kind); }
  [[nodiscard]] constexpr std::uint64_t count() const { return upto() >> 60; }
  // Member k in ascending order, in a set of at most seven: as many kinds as there are with no more
  // than k members up to them.
  [[nodiscard]] constexpr std::uint64_t nth(std::uint64_t k) const {
    return count_upto<4>(upto(), k);
  }
  // Two bits for each member, at twice its number.
  [[nodiscard]] constexpr std::uint64_t pairs() const {
    std::uint64_t pairs = 3 * ones_;
    pairs = (pairs | pairs >> 2) & 0x0F0F'0F0F'0F0F'0F0FULL;
    pairs = (pairs | pairs >> 4) & 0x00FF'00FF'00FF'00FFULL;
    pairs = (pairs | pairs >> 8) & 0x0000'FFFF'0000'FFFFULL;
    return (pairs | pairs >> 16) & 0xFFFF'FFFF;
  }
  // All bits of the counts of these kinds.
  [[nodiscard]] constexpr std::uint64_t mask() const { return 0xF * ones_; }

 private:
  // The number of members up to each kind, and of all of them above.
  [[nodiscard]] constexpr std::uint64_t upto() const { return ones_ * kOnes; }

  std::uint64_t ones_ = 0;
};

// A hand, the deck, the discard pile: how many of each kind, four bits for each.
class CardPile {
 public:
  constexpr CardPile() = default;

  static constexpr CardPile complete() { return CardPile(kCopies * (KindSet::kOnes >> 4)); }

  [[nodiscard]] constexpr int count(int kind) const {
    return static_cast<int>((counts_ >> (4 * kind)) & 0xF);
  }
  constexpr void add(int kind) { counts_ += std::uint64_t{1} << (4 * kind); }
  // Takes out one copy, which must be there.
  constexpr void remove(int kind) {
    assert(count(kind) > 0);
    counts_ -= std::uint64_t{1} << (4 * kind);
  }
  constexpr CardPile& operator+=(CardPile other) {
    counts_ += other.counts_;
    return *this;
  }
  friend constexpr bool operator==(CardPile, CardPile) = default;

  [[nodiscard]] constexpr bool empty() const { return counts_ == 0; }
  [[nodiscard]] constexpr int size() const { return static_cast<int>(cards()); }
  [[nodiscard]] constexpr std::uint64_t cards() const { return upto_odd() >> 56; }
  // The kind of card k in the ascending list of all cards, of which there are more than k: as many
  // kinds as there are with no more than k cards up to them.
  [[nodiscard]] constexpr int nth(std::uint64_t k) const {
    const std::uint64_t odd = upto_odd(), even = odd - odd_counts();
    return static_cast<int>(count_upto<8>(odd, k) + count_upto<8>(even, k));
  }

  // The different kinds.
  [[nodiscard]] constexpr KindSet kinds() const {
    static_assert(kCopies <= 8, "a count of one or more, plus 7, reaches the top bit of four");
    return KindSet(((counts_ + 7 * KindSet::kOnes) >> 3) & KindSet::kOnes);
  }

  [[nodiscard]] constexpr bool has_any(std::uint64_t mask) const { return (counts_ & mask) != 0; }
  [[nodiscard]] constexpr CardPile without(std::uint64_t mask) const {
    return CardPile(counts_ & ~mask);
  }

  [[nodiscard]] constexpr std::array<std::uint8_t, kKinds> counts() const {
    std::array<std::uint8_t, kKinds> counts{};
    for (int kind = 0; kind < kKinds; ++kind) {
      counts[static_cast<std::size_t>(kind)] = to_byte(count(kind));
    }
    return counts;
  }

  // Calls visit(kind) for each card, ascending.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (int left = count(kind); left > 0; --left) visit(kind);
    }
  }

 private:
  constexpr explicit CardPile(std::uint64_t counts) : counts_(counts) {}

  static constexpr std::uint64_t kEven = 0x0F0F'0F0F'0F0F'0F0FULL;

  // In byte i: the number of kind 2i + 1, and of all cards up to that kind.
  [[nodiscard]] constexpr std::uint64_t odd_counts() const { return (counts_ >> 4) & kEven; }
  [[nodiscard]] constexpr std::uint64_t upto_odd() const {
    return ((counts_ & kEven) + odd_counts()) * kEachByte;
  }

  std::uint64_t counts_ = 0;  // of kind k in bits 4k .. 4k + 3
};

// Masks of the kinds that show a symbol of a set, by the index of the set.
struct ShowingTable {
  // A product moves the members side by side, the last symbol first.
  static constexpr unsigned index(SymbolCounts set) {
    return static_cast<unsigned>((std::uint64_t{set.word()} * 0x4104'1041) >> 25) & 0x3F;
  }

  std::uint64_t mask_at[1 << kSymbols] = {};
};

constexpr ShowingTable make_showing_table() {
  ShowingTable table;
  for (unsigned bits = 0; bits < (1 << kSymbols); ++bits) {
    SymbolCounts set;
    for (int symbol = 0; symbol < kSymbols; ++symbol) set.add(symbol, bits >> symbol & 1);
    KindSet kinds;
    for (int kind = 0; kind < kKinds; ++kind) {
      const std::uint8_t (&symbols)[2] = kKindTable.symbols[kind];
      if (set[symbols[0]] + set[symbols[1]] > 0) kinds.add(kind);
    }
    table.mask_at[ShowingTable::index(set)] = kinds.mask();
  }
  return table;
}

inline constexpr ShowingTable kShowing = make_showing_table();

inline std::string card_name(int kind) {
  return std::string(ingenious::kSymbolNames[kKindTable.symbols[kind][0]]) + "+" +
         ingenious::kSymbolNames[kKindTable.symbols[kind][1]];
}

}  // namespace tabletop::card_challenge
