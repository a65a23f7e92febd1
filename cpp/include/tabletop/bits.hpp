// Counting and selecting bits of a 64-bit word without relying on special instructions.
#pragma once

#include <array>
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
  return static_cast<int>((count_bytes(word) * kEachByte) >> 56);
}

// The index of the byte into which item k falls when byte i holds upto[i] - upto[i - 1] items (at
// most 127 in all); k becomes its rank inside that byte.
constexpr int select_sum(std::uint64_t upto, int& k) {
  const auto rank = static_cast<std::uint64_t>(k);
  const std::uint64_t passed = ((rank * kEachByte | 0x80 * kEachByte) - upto) & (0x80 * kEachByte);
  const int byte = static_cast<int>(((passed >> 7) * kEachByte) >> 56);
  k -= static_cast<int>(((upto << 8) >> (8 * byte)) & 0xFF);
  return byte;
}

// The same when byte i holds counts[i] items.
constexpr int select_byte(std::uint64_t counts, int& k) {
  return select_sum(counts * kEachByte, k);  // items in each byte and those below it
}

// The position of the k-th set bit, counted from 0 at the lowest; there must be more than k.
constexpr int select_bit(std::uint64_t word, int k) {
  assert(k >= 0 && k < std::popcount(word));
  const int byte = select_byte(count_bytes(word), k);
  std::uint64_t rest = word >> (8 * byte);
  for (; k > 0; --k) rest &= rest - 1;
  return 8 * byte + std::countr_zero(rest);
}

// The same for a word of few bits.
constexpr int select_few(std::uint32_t word, int k) {
  for (; k > 0; --k) word &= word - 1;
  return std::countr_zero(word);
}

// Bit i of the lowest byte, as byte i.
constexpr std::uint64_t spread_bits(std::uint64_t byte) {
  const std::uint64_t picked = ((byte & 0xFF) * kEachByte) & 0x8040201008040201ULL;
  return ((picked + 0x7F * kEachByte) >> 7) & kEachByte;
}

// Calls visit(position) for each set bit, ascending.
template <class Visit>
constexpr void for_each_bit(std::uint64_t word, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(std::countr_zero(word));
}

}  // namespace tabletop
