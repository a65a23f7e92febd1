// The plain data that a position of Sequence Numbers is made of: sets of cells, sets of windows and
// piles of cards.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "tabletop/bits.hpp"
#include "tabletop/types.hpp"

namespace tabletop::sequence_numbers {

// A set of the numbers 0 .. 64 * Words - 1.
template <int Words>
class BitSet {
 public:
  constexpr BitSet() = default;
  constexpr explicit BitSet(const std::array<std::uint64_t, Words>& words) {
    std::ranges::copy(words, words_);
  }

  constexpr void add(int i) { words_[word_of(i)] |= bit(i); }
  constexpr void remove(int i) { words_[word_of(i)] &= ~bit(i); }
  [[nodiscard]] constexpr bool contains(int i) const { return (words_[word_of(i)] & bit(i)) != 0; }

  [[nodiscard]] constexpr bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) any |= word;
    return any == 0;
  }
  // Whether the two have a member in common.
  [[nodiscard]] constexpr bool meets(const BitSet& other) const { return !(*this & other).empty(); }
  // Whether each member is one of the other's.
  [[nodiscard]] constexpr bool within(const BitSet& other) const { return (*this - other).empty(); }

  [[nodiscard]] constexpr int count() const {
    int members = 0;
    for (const std::uint64_t word : words_) members += count_bits(word);
    return members;
  }

  // The k-th member in ascending order; there must be more than k.
  [[nodiscard]] constexpr int nth(int k) const {
    int first = 0;
    for (int i = 0; i < Words - 1; ++i, first += 64) {
      const int here = count_bits(words_[i]);
      if (k < here) return first + select_bit(words_[i], k);
      k -= here;
    }
    return first + select_bit(words_[Words - 1], k);
  }
  // The same, quicker where there are few members in each word.
  [[nodiscard]] constexpr int nth_of_few(int k) const {
    int i = 0;
    for (; i < Words - 1; ++i) {
      const int here = count_bits(words_[i]);
      if (k < here) break;
      k -= here;
    }
    std::uint64_t rest = words_[i];
    for (; k > 0; --k) rest &= rest - 1;
    return 64 * i + lowest_bit(rest);
  }
  [[nodiscard]] constexpr int lowest() const {
    int i = 0;
    while (i < Words - 1 && words_[i] == 0) ++i;
    return 64 * i + lowest_bit(words_[i]);
  }

  // The members first .. first + 63 as the bits of a word, 0 <= first < 64.
  [[nodiscard]] constexpr std::uint64_t from(int first) const {
    return words_[0] >> first | (words_[1] << 1) << (63 - first);
  }

  // Calls visit(member) for each member, ascending.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (int i = 0; i < Words; ++i) {
      for_each_bit(words_[i], [&](int position) { visit(64 * i + position); });
    }
  }

  [[nodiscard]] constexpr const std::uint64_t (&words() const)[Words] { return words_; }

  friend constexpr BitSet operator|(BitSet a, const BitSet& b) { return a |= b; }
  friend constexpr BitSet operator&(BitSet a, const BitSet& b) {
    for (int i = 0; i < Words; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend constexpr BitSet operator-(BitSet a, const BitSet& b) {
    for (int i = 0; i < Words; ++i) a.words_[i] &= ~b.words_[i];
    return a;
  }
  constexpr BitSet& operator|=(const BitSet& other) {
    for (int i = 0; i < Words; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  friend constexpr bool operator==(const BitSet&, const BitSet&) = default;

 private:
  static constexpr unsigned word_of(int i) { return static_cast<unsigned>(i) / 64; }
  static constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << (i & 63); }

  std::uint64_t words_[Words] = {};
};

using CellSet = BitSet<2>;    // boards have at most 100 cells
using WindowSet = BitSet<3>;  // and at most 192 windows

// For each byte the number of its bits 0 .. i, in byte i.
struct BitsUpto {
  std::uint64_t of[256] = {};

  constexpr BitsUpto() {
    for (int byte = 0; byte < 256; ++byte) {
      for (int i = 0; i < 8; ++i) {
        if ((byte >> i & 1) != 0) of[byte] += kEachByte << (8 * i);
      }
    }
  }
};
inline constexpr BitsUpto kBitsUpto;

inline constexpr int kCopies = 2;  // of every kind of card [SN-13]

// Cards without an order: the deck, the discards, a hand.
class CardPile {
 public:
  // Both copies of the first `kinds` kinds.
  static constexpr CardPile complete(int kinds) {
    const std::uint64_t all = (std::uint64_t{1} << kinds) - 1;
    return of(all, all);
  }

  // One copy of some kinds, and another of those `twice`.
  static constexpr CardPile of(std::uint64_t once, std::uint64_t twice) {
    assert((twice & ~once) == 0);
    CardPile pile;
    pile.once_ = once;
    pile.twice_ = twice;
    return pile;
  }

  constexpr void add(int kind) {
    assert(count(kind) < kCopies);
    twice_ |= once_ & bit(kind);
    once_ |= bit(kind);
  }
  // There must be no more than two copies of a kind in both.
  constexpr void add(const CardPile& other) {
    assert((once_ & other.twice_) == 0 && (twice_ & other.once_) == 0);
    twice_ |= other.twice_ | (once_ & other.once_);
    once_ |= other.once_;
  }
  // Of the first `kinds` kinds, all copies that are not here.
  [[nodiscard]] constexpr CardPile rest_of(int kinds) const {
    CardPile rest = complete(kinds);
    rest.once_ &= ~twice_;
    rest.twice_ &= ~once_;
    return rest;
  }
  // Takes out one copy, which must be there.
  constexpr void remove(int kind) {
    assert(contains(kind));
    once_ &= twice_ | ~bit(kind);
    twice_ &= ~bit(kind);
  }

  [[nodiscard]] constexpr bool empty() const { return once_ == 0; }
  [[nodiscard]] constexpr int size() const { return count_bits(once_) + count_bits(twice_); }
  [[nodiscard]] constexpr bool contains(int kind) const { return (once_ >> kind & 1) != 0; }
  [[nodiscard]] constexpr int count(int kind) const {
    return static_cast<int>((once_ >> kind & 1) + (twice_ >> kind & 1));
  }
  // The bit set of the kinds that are there.
  [[nodiscard]] constexpr std::uint64_t kinds() const { return once_; }
  [[nodiscard]] constexpr std::uint64_t twice() const { return twice_; }  // with both copies

  // The number of cards of the kinds 8 i .. 8 i + 7, in byte i.
  [[nodiscard]] constexpr std::uint64_t by_eights() const {
    return count_bytes(once_) + count_bytes(twice_);
  }
  // The kind of card k among the eight kinds from `first` on, in ascending order.
  [[nodiscard]] constexpr int nth_of_eight(int first, int k) const {
    const std::uint64_t once = once_ >> first & 0xFF, twice = twice_ >> first & 0xFF;
    return first + select_sum(kBitsUpto.of[once] + kBitsUpto.of[twice], k);
  }

  // Calls visit(kind) for each card, ascending.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for_each_bit(once_, [&](int kind) {
      for (int copies = count(kind); copies > 0; --copies) visit(kind);
    });
  }

  friend constexpr bool operator==(const CardPile&, const CardPile&) = default;

 private:
  static constexpr std::uint64_t bit(int kind) { return std::uint64_t{1} << kind; }

  std::uint64_t once_ = 0;   // kinds with at least one copy here
  std::uint64_t twice_ = 0;  // kinds with both copies here
};

// A pile to draw from. It keeps count of its cards, to draw quickly.
class Deck {
 public:
  constexpr Deck() = default;
  constexpr explicit Deck(const CardPile& cards)
      : cards_(cards), upto_(cards.by_eights() * kEachByte) {}

  constexpr void remove(int kind) {
    cards_.remove(kind);
    upto_ -= kEachByte << (kind & ~7);
  }

  [[nodiscard]] constexpr const CardPile& cards() const { return cards_; }
  [[nodiscard]] constexpr bool empty() const { return cards_.empty(); }
  [[nodiscard]] constexpr int size() const { return static_cast<int>(upto_ >> 56); }
  // The kind of card k in the ascending list of all cards, 0 <= k < size().
  [[nodiscard]] constexpr int nth(int k) const {
    const int byte = select_sum(upto_, k);
    return cards_.nth_of_eight(8 * byte, k);
  }

  friend constexpr bool operator==(const Deck&, const Deck&) = default;

 private:
  CardPile cards_;
  std::uint64_t upto_ = 0;  // byte i: the number of cards of the kinds 0 .. 8 i + 7
};

}  // namespace tabletop::sequence_numbers
