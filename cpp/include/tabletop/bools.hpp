// Bits written out as bools, sixteen at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#endif

namespace tabletop {

inline constexpr std::size_t kBoolsAtOnce = 16;

namespace detail {

#if defined(__x86_64__) || defined(_M_X64)

// Bit i % 8 of byte i, as bool i.
inline void write_own_bits(__m128i bytes, bool* bools) {
  const __m128i own = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  // NOLINTNEXTLINE(portability-simd-intrinsics): other processors have the branch below
  const __m128i ones = _mm_min_epu8(_mm_and_si128(bytes, own), _mm_set1_epi8(1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bools), ones);
}

// Each byte is repeated eight times: doubled, doubled again, and two of them spread out.
inline constexpr int kLowTwo = 0b01010000, kHighTwo = 0b11111010;

inline void write_16_bools(std::uint64_t bits, bool* bools) {
  const __m128i bytes = _mm_cvtsi64_si128(static_cast<long long>(bits));
  const __m128i twice = _mm_unpacklo_epi8(bytes, bytes);
  write_own_bits(_mm_shuffle_epi32(_mm_unpacklo_epi16(twice, twice), kLowTwo), bools);
}

inline void write_64_bools(std::uint64_t bits, bool* bools) {
  const __m128i bytes = _mm_cvtsi64_si128(static_cast<long long>(bits));
  const __m128i twice = _mm_unpacklo_epi8(bytes, bytes);
  const __m128i low = _mm_unpacklo_epi16(twice, twice), high = _mm_unpackhi_epi16(twice, twice);
  write_own_bits(_mm_shuffle_epi32(low, kLowTwo), bools);
  write_own_bits(_mm_shuffle_epi32(low, kHighTwo), bools + 16);
  write_own_bits(_mm_shuffle_epi32(high, kLowTwo), bools + 32);
  write_own_bits(_mm_shuffle_epi32(high, kHighTwo), bools + 48);
}

#else

inline void write_16_bools(std::uint64_t bits, bool* bools) {
  for (int i = 0; i < 16; ++i) bools[i] = (bits >> i & 1) != 0;
}

inline void write_64_bools(std::uint64_t bits, bool* bools) {
  for (int i = 0; i < 64; i += 16) write_16_bools(bits >> i, bools + i);
}

#endif

}  // namespace detail

// Bit i of the words as bool i, for `count` bits, which is a multiple of sixteen. Always inlined,
// as a short row takes no longer than the call.
[[gnu::always_inline]] inline void write_bools(const std::uint64_t* words, std::size_t count,
                                               bool* bools) {
  for (; count >= 64; count -= 64, bools += 64) detail::write_64_bools(*words++, bools);
  if (count == 0) return;
  for (std::uint64_t rest = *words; count > 0; count -= kBoolsAtOnce, rest >>= kBoolsAtOnce) {
    detail::write_16_bools(rest, bools);
    bools += kBoolsAtOnce;
  }
}

}  // namespace tabletop
