// The observation tensor: named fields one after another, written in their declared order.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tabletop/types.hpp"

namespace tabletop {

struct ObservationField {
  std::string name;
  std::vector<int> shape;
  std::string meaning;

  [[nodiscard]] int size() const {
    int size = 1;
    for (const int extent : shape) size *= extent;
    return size;
  }
};

class TensorWriter {
 public:
  explicit TensorWriter(std::span<float> tensor) : tensor_(tensor) {
    std::ranges::fill(tensor_, 0.0F);
  }
  TensorWriter(const TensorWriter&) = delete;
  TensorWriter& operator=(const TensorWriter&) = delete;
  ~TensorWriter() { assert(at_ == tensor_.size()); }

  void number(int value) { tensor_[at_++] = static_cast<float>(value); }

  template <class Range>
  void numbers(const Range& range) {
    for (const auto value : range) number(static_cast<int>(value));
  }

  void one_hot(int size, int index) { block(size)[static_cast<std::size_t>(index)] = 1.0F; }

  void seats(int players, SeatSet seats) {
    for (Seat seat = 0; seat < players; ++seat) number(seats.contains(seat) ? 1 : 0);
  }

  // The next `size` floats, all zero, for the game to fill.
  std::span<float> block(int size) {
    const std::span<float> block = tensor_.subspan(at_, static_cast<std::size_t>(size));
    at_ += block.size();
    return block;
  }

 private:
  std::span<float> tensor_;
  std::size_t at_ = 0;
};

}  // namespace tabletop
