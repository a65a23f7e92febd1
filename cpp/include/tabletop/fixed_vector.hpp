// A short list without a heap, fit for a plain-data position.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>

namespace tabletop {

// Unused places hold zeros, so that equal lists have equal bytes.
template <class T, int Capacity>
class FixedVector {
  static_assert(Capacity < 256);

 public:
  [[nodiscard]] constexpr int size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const T* begin() const { return items_.data(); }
  [[nodiscard]] constexpr const T* end() const { return items_.data() + size_; }
  constexpr const T& operator[](int i) const {
    assert(i >= 0 && i < size_);
    return items_[static_cast<std::size_t>(i)];
  }

  constexpr void clear() { *this = {}; }

  constexpr void push_back(T item) {
    assert(size_ < Capacity);
    items_[size_++] = item;
  }

  constexpr void replace(int i, T item) {
    assert(i >= 0 && i < size_);
    items_[static_cast<std::size_t>(i)] = item;
  }

  // Keeps an ascending list ascending.
  constexpr void insert_sorted(T item) {
    assert(size_ < Capacity);
    std::size_t at = size_++;
    for (; at > 0 && item < items_[at - 1]; --at) items_[at] = items_[at - 1];
    items_[at] = item;
  }

  // Takes out one copy of the item, which must be there.
  constexpr void remove(T item) {
    std::size_t at = 0;
    while (items_[at] != item) {
      ++at;
      assert(at < size_);
    }
    for (--size_; at < size_; ++at) items_[at] = items_[at + 1];
    items_[size_] = T{};
  }

  [[nodiscard]] constexpr bool contains(T item) const {
    return std::ranges::find(*this, item) != end();
  }

  friend constexpr bool operator==(const FixedVector&, const FixedVector&)
    requires std::equality_comparable<T>
  = default;

 private:
  std::array<T, Capacity> items_{};
  std::uint8_t size_ = 0;
};

}  // namespace tabletop
