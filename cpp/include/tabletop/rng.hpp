// The random numbers of the library: splitmix64, eight bytes of state, the same stream everywhere.
#pragma once

#include <cassert>
#include <cstdint>

#include "tabletop/hash.hpp"

namespace tabletop {

class Rng {
 public:
  constexpr explicit Rng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next_u64() {
    state_ += kGolden;
    return mix64(state_);
  }

  // An unbiased number in [0, n), n >= 1: the high half of a 64 x 64 product, drawn again in the
  // rare case that the low half falls into the incomplete share (Lemire 2019).
  constexpr std::uint64_t below(std::uint64_t n) {
    assert(n >= 1);
    Product m = product(next_u64(), n);
    if (m.low < n) [[unlikely]]
      m = redrawn(m, n);
    return m.high;
  }

  // Stream i of this generator's present state; the parent does not move.
  [[nodiscard]] constexpr Rng split(std::uint64_t i) const {
    return Rng(mix64(state_ ^ mix64(i + 1)));
  }

  [[nodiscard]] constexpr std::uint64_t state() const { return state_; }

  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  // Apart, so that what is common stays small enough to be compiled into its callers.
  [[gnu::noinline]] constexpr Product redrawn(Product m, std::uint64_t n) {
    const std::uint64_t incomplete = (0 - n) % n;
    while (m.low < incomplete) m = product(next_u64(), n);
    return m;
  }

  std::uint64_t state_;
};

constexpr int below(Rng& rng, int n) {
  return static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
}

}  // namespace tabletop
