// The 64-bit hash behind stable_hash(): the same on every platform, in every build.
#pragma once

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

// Bytes are read as little-endian words, the last one padded with zeros; the length goes in last.
inline std::uint64_t hash64(std::span<const std::uint8_t> bytes, std::uint64_t seed) {
  const auto word_at = [&](std::size_t at, std::size_t count) {
    std::uint64_t word = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&word, bytes.data() + at, count);
    } else {
      for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{bytes[at + i]} << (8 * i);
    }
    return word;
  };
  std::uint64_t hash = seed;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) hash = mix64((hash ^ word_at(at, 8)) + kGolden);
  if (at < bytes.size()) hash = mix64((hash ^ word_at(at, bytes.size() - at)) + kGolden);
  return mix64(hash ^ bytes.size());
}

}  // namespace tabletop
