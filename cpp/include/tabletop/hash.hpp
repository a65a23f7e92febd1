// The 64-bit hash behind stable_hash(): the same on every platform, in every build.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tabletop {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio, odd

// The finalizer of splitmix64: a bijection in which every input bit moves every output bit.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

inline std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, sizeof word);
  } else {
    for (int i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  }
  return word;
}

// The 128 bits of a product.
struct Product {
  std::uint64_t high;
  std::uint64_t low;
};
constexpr Product product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide wide = Wide{a} * b;
  return {static_cast<std::uint64_t>(wide >> 64), static_cast<std::uint64_t>(wide)};
#else
  const std::uint64_t a0 = a & 0xFFFFFFFFU, a1 = a >> 32, b0 = b & 0xFFFFFFFFU, b1 = b >> 32;
  const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
  const std::uint64_t other = a0 * b1 + (middle & 0xFFFFFFFFU);
  return {a1 * b1 + (middle >> 32) + (other >> 32), a * b};
#endif
}

// Bytes are read as pairs of little-endian words, the last pair padded with zeros. A product of the
// two, with both halves folded together, takes a pair in at once; the length goes in last.
inline std::uint64_t hash64(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
  constexpr std::size_t kPair = 2 * sizeof(std::uint64_t);
  const auto take_in = [](std::uint64_t hash, const std::uint8_t* pair) {
    const Product folded = product(word_at(pair) ^ kGolden, word_at(pair + 8) ^ hash);
    return folded.high ^ folded.low;
  };
  std::uint64_t hash = mix64(seed + kGolden);  // 0 in a product would lose what is beside it
  std::size_t at = 0;
  for (; at + kPair <= bytes.size(); at += kPair) hash = take_in(hash, bytes.data() + at);
  if (at < bytes.size()) {
    std::uint8_t last[kPair] = {};
    std::copy_n(bytes.data() + at, bytes.size() - at, last);
    hash = take_in(hash, last);
  }
  return mix64(hash ^ bytes.size());
}

}  // namespace tabletop
