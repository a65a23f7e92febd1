// The two lists that a node offers: a set of legal decisions, a list of weighted chance outcomes.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "tabletop/bits.hpp"
#include "tabletop/types.hpp"

namespace tabletop {

// Legal decisions as a bit set over their ids: always ascending, never twice.
template <int Capacity>
class ActionSet {
 public:
  static constexpr int kWords = (Capacity + 63) / 64;

  void clear() { words_.fill(0); }

  void add(Action action) {
    assert(action >= 0 && action < Capacity);
    words_[word_of(action)] |= std::uint64_t{1} << (action & 63);
  }

  // Adds first + i for every bit i of `bits`.
  void add_bits(Action first, std::uint64_t bits) {
    assert(first >= 0 && first < Capacity && first + 63 - std::countl_zero(bits) < Capacity);
    const std::size_t word = word_of(first);
    const int shift = first & 63;
    words_[word] |= bits << shift;
    if (shift != 0 && word + 1 < words_.size()) words_[word + 1] |= bits >> (64 - shift);
  }

  [[nodiscard]] bool contains(Action action) const {
    return action >= 0 && action < Capacity &&
           ((words_[word_of(action)] >> (action & 63)) & 1) != 0;
  }

  [[nodiscard]] int count() const {
    int total = 0;
    for (const std::uint64_t word : words_) total += count_bits(word);
    return total;
  }

  // The k-th member in ascending order; there must be more than k.
  [[nodiscard]] Action nth(int k) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const int here = count_bits(words_[i]);
      if (k < here) return static_cast<Action>(64 * i) + select_bit(words_[i], k);
      k -= here;
    }
    assert(false);
    return 0;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for_each_bit(words_[i], [&](int bit) { visit(static_cast<Action>(64 * i) + bit); });
    }
  }

  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }

 private:
  static constexpr std::size_t word_of(Action action) {
    return static_cast<std::size_t>(action) / 64;
  }

  std::array<std::uint64_t, kWords> words_{};
};

struct WeightedOutcome {
  Action outcome;
  std::uint32_t weight;  // the probability is weight / total, exactly
};

// The outcomes of a chance node, added in ascending order; outcomes of weight 0 are left out.
template <int Capacity>
class ChanceList {
 public:
  void clear() { size_ = 0, total_ = 0; }

  void add(Action outcome, std::uint32_t weight) {
    if (weight == 0) return;
    assert(size_ < Capacity && (size_ == 0 || entries_[size_ - 1].outcome < outcome));
    entries_[size_++] = {outcome, weight};
    total_ += weight;
  }

  [[nodiscard]] std::uint64_t total() const { return total_; }

  // The outcome into whose share of the weights x falls, 0 <= x < total().
  [[nodiscard]] Action at_weight(std::uint64_t x) const {
    std::size_t i = 0;
    for (; x >= entries_[i].weight; ++i) x -= entries_[i].weight;
    return entries_[i].outcome;
  }

  [[nodiscard]] std::span<const WeightedOutcome> entries() const {
    return {entries_.data(), size_};
  }

 private:
  std::array<WeightedOutcome, Capacity> entries_{};
  std::size_t size_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace tabletop
