// The six symbols of the Ingenious games, and six small numbers, one for each of them: pegs on a
// score board, tiles, dice by face.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <string>

#include "tabletop/bits.hpp"
#include "tabletop/dict_reader.hpp"
#include "tabletop/types.hpp"
#include "tabletop/value.hpp"

namespace tabletop::ingenious {

inline constexpr int kSymbols = 6;
inline constexpr const char* kSymbolNames[kSymbols] = {"red",    "green",  "blue",
                                                       "orange", "yellow", "purple"};

// A number for each symbol, of so many bits, side by side in a word. The top bit of each is for
// tests of all at once: numbers go up to kMost, and so does their sum where items are selected.
template <std::unsigned_integral Word, int Bits>
class PerSymbol {
  static_assert(Bits * kSymbols <= 8 * int{sizeof(Word)});

 public:
  static constexpr int kMost = (1 << (Bits - 1)) - 1;

  constexpr PerSymbol() = default;
  constexpr explicit PerSymbol(Word word) : word_(word) {}
  [[nodiscard]] constexpr Word word() const { return word_; }

  constexpr int operator[](int symbol) const {
    return static_cast<int>((word_ >> (Bits * symbol)) & kField);
  }

  // The number added may be negative, the sum not.
  constexpr void add(int symbol, std::int64_t number) {
    word_ += static_cast<Word>(number) << (Bits * symbol);
  }
  constexpr PerSymbol& operator+=(PerSymbol other) {
    word_ += other.word_;
    return *this;
  }
  friend constexpr PerSymbol operator-(PerSymbol a, PerSymbol b) {
    return PerSymbol(a.word_ - b.word_);
  }
  friend constexpr bool operator==(PerSymbol, PerSymbol) = default;

  [[nodiscard]] constexpr bool empty() const { return word_ == 0; }
  [[nodiscard]] constexpr int total() const { return last(word_ * kOnes); }

  // The symbol of item k, when there are as many items of each symbol as the number says, in
  // ascending order: as many symbols as there are with no more than k items up to them.
  [[nodiscard]] constexpr int nth(int k) const {
    const Word above = (static_cast<Word>(k) + kMost + 1) * kOnes;
    return static_cast<int>(count_highest<Bits>((above - word_ * kOnes) & kTops));
  }
  // The number of items of all symbols below.
  [[nodiscard]] constexpr int before(int symbol) const {
    return static_cast<int>(((word_ * kOnes) << Bits >> (Bits * symbol)) & kField);
  }

  // A lower bound that can be put to all numbers at once.
  class Bound {
   public:
    constexpr explicit Bound(int number) : reach_(kOnes * static_cast<Word>(kMost + number)) {
      assert(number >= 0 && number <= kMost + 1);
    }
    // The top bits of the numbers that fall short of it.
    [[nodiscard]] constexpr Word missed(Word numbers) const { return (reach_ - numbers) & kTops; }

   private:
    Word reach_;  // reaches the top bit, less a number below the bound
  };

  [[nodiscard]] constexpr bool all_keep(Bound bound) const { return bound.missed(word_) == 0; }
  [[nodiscard]] constexpr bool all_at_least(int number) const { return all_keep(Bound(number)); }

  // 1 for each symbol with at least this number, 0 for the others.
  [[nodiscard]] constexpr PerSymbol at_least(int number) const {
    return PerSymbol((kTops ^ Bound(number).missed(word_)) >> (Bits - 1));
  }
  // With one number raised to at least `least`, a power of two; or as they are, if that is 0.
  [[nodiscard]] constexpr PerSymbol raised(int symbol, Word least) const {
    return PerSymbol(word_ | (least << (Bits * symbol)));
  }

  [[nodiscard]] constexpr int lowest() const {
    int lowest = 0;
    while (all_at_least(lowest + 1)) ++lowest;
    return lowest;
  }
  // 1 for each symbol with the lowest number. From the highest bit on only those without it stay,
  // unless there are none; less 1, because then no set is the largest number.
  [[nodiscard]] constexpr PerSymbol lowest_ones() const {
    Word stay = kOnes - 1;
    for (int bit = Bits - 2; bit >= 0; --bit) {
      stay = std::min<Word>(((stay + 1) & (~word_ >> bit)) - 1, stay);
    }
    return PerSymbol(stay + 1);
  }
  // The symbols with a number of one or more, a bit for each.
  [[nodiscard]] constexpr std::uint32_t members() const {
    const Word ones = at_least(1).word_;
    const Word pairs = (ones | ones >> (Bits - 1)) & kPairs;  // of neighbours, side by side
    return static_cast<std::uint32_t>(pairs | pairs >> (2 * Bits - 2) | pairs >> (4 * Bits - 4)) &
           ((1 << kSymbols) - 1);
  }

  [[nodiscard]] constexpr std::array<std::uint8_t, kSymbols> numbers() const {
    std::array<std::uint8_t, kSymbols> numbers{};
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      numbers[static_cast<std::size_t>(symbol)] = to_byte((*this)[symbol]);
    }
    return numbers;
  }

  // Calls visit(symbol) for each item, ascending.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      for (int left = (*this)[symbol]; left > 0; --left) visit(symbol);
    }
  }

 private:
  static constexpr Word kField = (Word{1} << Bits) - 1;
  static constexpr int kLast = Bits * (kSymbols - 1);

  static constexpr Word make_ones() {
    Word ones = 0;
    for (int symbol = 0; symbol < kSymbols; ++symbol) ones |= Word{1} << (Bits * symbol);
    return ones;
  }
  static constexpr Word kOnes = make_ones();
  static constexpr Word kTops = kOnes << (Bits - 1);
  static constexpr Word kPairs = Word{3} | Word{3} << (2 * Bits) | Word{3} << (4 * Bits);

  static constexpr int last(Word word) { return static_cast<int>((word >> kLast) & kField); }

  Word word_ = 0;  // symbol 0 in the lowest bits
};

// Holes of pegs, dice by face, cards that show a symbol: all below 16.
using SymbolCounts = PerSymbol<std::uint32_t, 5>;

// --- Outside -------------------------------------------------------------------------------------

// The items one by one, as in " red red blue"; " -" if there are none.
template <class Counts>
std::string items_text(Counts items) {
  std::string text;
  items.for_each([&](int symbol) {
    text += ' ';
    text += kSymbolNames[symbol];
  });
  return text.empty() ? " -" : text;
}

// The six numbers, as in " 3 0 1 1 1 1".
inline std::string numbers_text(const std::array<std::uint8_t, kSymbols>& numbers) {
  std::string text;
  for (const int number : numbers) {
    text += ' ';
    text += std::to_string(number);
  }
  return text;
}

template <class Counts>
Value items_value(Counts items) {
  Value::List list;
  items.for_each([&](int symbol) { list.emplace_back(symbol); });
  return list;
}

// A list of at most `most` symbols, in any order.
template <class Counts>
Counts read_items(const DictReader& list, int most) {
  Counts items;
  for (int i = 0, size = list.length(0, most); i < size; ++i) {
    items.add(list.at(i).integer(0, kSymbols - 1), 1);
  }
  return items;
}

// A list of six numbers of at most `most`.
template <class Counts>
Counts read_numbers(const DictReader& list, int most) {
  Counts numbers;
  (void)list.length(kSymbols, kSymbols);
  for (int symbol = 0; symbol < kSymbols; ++symbol) {
    numbers.add(symbol, list.at(symbol).integer(0, most));
  }
  return numbers;
}

}  // namespace tabletop::ingenious
