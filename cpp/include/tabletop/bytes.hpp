// Positions as bytes: little-endian, without padding, the same on every platform.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tabletop/bits.hpp"
#include "tabletop/errors.hpp"

namespace tabletop {

class ByteWriter {
 public:
  void u8(int value) { *claim(1) = static_cast<std::uint8_t>(value); }
  void u16(std::size_t value) { put<2>(value); }
  void u32(std::uint32_t value) { put<4>(value); }
  void u64(std::uint64_t value) { put<8>(value); }
  template <class Range>
  void each_u8(const Range& range) {
    if constexpr (std::convertible_to<const Range&, std::span<const std::uint8_t>>) {
      const std::span<const std::uint8_t> bytes = range;
      std::ranges::copy(bytes, claim(bytes.size()));
    } else {
      std::uint8_t* to = claim(static_cast<std::size_t>(std::ranges::size(range)));
      for (const auto& value : range) *to++ = static_cast<std::uint8_t>(value);
    }
  }
  // Byte i as value(i).
  template <class Values>
  void each_u8(int count, Values&& value) {
    std::uint8_t* const to = claim(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(value(i));
  }
  // A list that says its length first.
  template <class Range>
  void list_u8(const Range& range) {
    u8(static_cast<int>(range.size()));
    each_u8(range);
  }
  void text(std::string_view text) {
    u16(text.size());
    for (const char c : text) u8(static_cast<unsigned char>(c));
  }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {room_.data(), size_}; }

  void clear() { size_ = 0; }

 private:
  template <int Count>
  void put(std::uint64_t value) {
    std::uint8_t* const to = claim(Count);
    for (int i = 0; i < Count; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  // Where the next `count` bytes go.
  std::uint8_t* claim(std::size_t count) {
    if (room_.size() - size_ < count) [[unlikely]]
      grow(count);
    size_ += count;
    return room_.data() + (size_ - count);
  }
  [[gnu::noinline]] void grow(std::size_t more) { room_.resize(size_ + more + kRoom); }

  static constexpr std::size_t kRoom = 512;  // more than most positions need

  std::vector<std::uint8_t> room_ = std::vector<std::uint8_t>(kRoom);
  std::size_t size_ = 0;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // The next byte, which must lie in low..high.
  int u8(int low, int high, std::string_view what) {
    if (at_ >= bytes_.size()) {
      throw PositionError("the bytes end at " + std::to_string(at_) + ", where " +
                          std::string(what) + " is expected");
    }
    const int value = bytes_[at_];
    if (value < low || value > high) {
      throw PositionError("byte " + std::to_string(at_) + " (" + std::string(what) + ") is " +
                          std::to_string(value) + "; it must be " + std::to_string(low) + ".." +
                          std::to_string(high));
    }
    ++at_;
    return value;
  }
  int u16(std::string_view what) {
    const int low = u8(0, 255, what);
    return low | (u8(0, 255, what) << 8);
  }
  std::uint32_t u32(std::string_view what) {
    const auto low = static_cast<std::uint32_t>(u16(what));
    return low | (static_cast<std::uint32_t>(u16(what)) << 16);
  }
  // A set of bits, none of which may be another than those allowed.
  std::uint64_t bits(std::uint64_t allowed, std::string_view what) {
    const std::size_t start = at_;
    std::uint64_t bits = u32(what);
    bits |= std::uint64_t{u32(what)} << 32;
    if ((bits & ~allowed) == 0) return bits;
    throw PositionError("bytes " + std::to_string(start) + ".." + std::to_string(at_ - 1) + " (" +
                        std::string(what) + ") have bit " +
                        std::to_string(lowest_bit(bits & ~allowed)) +
                        " set, which stands for nothing that can be there");
  }
  std::string text(std::string_view what) {
    std::string text;
    const int size = u16(what);
    for (int i = 0; i < size; ++i) text += static_cast<char>(u8(0, 255, what));
    return text;
  }
  void finish() const {
    if (at_ != bytes_.size()) {
      throw PositionError("the position ends at byte " + std::to_string(at_) + ", but there are " +
                          std::to_string(bytes_.size()) + " bytes");
    }
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace tabletop
