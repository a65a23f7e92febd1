// The board of Sequence Numbers: which numbers lie where, and the windows in which five in line can
// come to be. All of it follows from the option `board`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tabletop/errors.hpp"
#include "tabletop/fixed_vector.hpp"
#include "tabletop/games/sequence_numbers/sets.hpp"
#include "tabletop/types.hpp"
#include "tabletop/value.hpp"

namespace tabletop::sequence_numbers {

inline constexpr int kMinSide = 6, kMaxSide = 10, kMaxNumber = 9999;
inline constexpr int kMaxCells = 100, kMaxNumbers = 48, kMaxKinds = kMaxNumbers + 2;
inline constexpr int kLength = 5;  // of a sequence
inline constexpr int kMaxWindows = 192;
inline constexpr int kNone = 255;

// The directions of windows: H, V, D1, D2 [SN-11].
inline constexpr int kDirections = 4;
inline constexpr int kStepRow[kDirections] = {0, 1, 1, 1};
inline constexpr int kStepCol[kDirections] = {1, 0, 1, -1};

// The numbers 1, 2, ... in reading order on the first half of the cells, and on the other half the
// number of the cell opposite; with 10 rows and columns the canonical board [SN-8].
inline Value::List mirror_board(int rows, int cols) {
  std::vector<Value::List> board(static_cast<std::size_t>(rows));
  for (Value::List& row : board) row.resize(static_cast<std::size_t>(cols), Value("F"));
  const int last = rows * cols - 1;
  int number = 0;
  for (int cell = 1; cell <= last / 2; ++cell) {
    if (cell == cols - 1) continue;
    ++number;
    for (const int at : {cell, last - cell}) {
      board[static_cast<std::size_t>(at / cols)][static_cast<std::size_t>(at % cols)] = number;
    }
  }
  return list_of(board);
}

// The windows through a cell in one direction.
struct Line {
  std::uint64_t near = 0;  // the two next cells on both sides, as bits from Board::first_around on
  FixedVector<std::uint8_t, kLength> windows;  // ascending: from the one that ends at the cell on
  std::uint8_t step = 0;                       // from a cell to the next

  // Whether a window can be full: then the two next cells on one side are own ones.
  [[nodiscard]] bool may_hold(std::uint64_t own_around) const {
    const std::uint64_t own = own_around & near;
    if ((own & (own - 1)) == 0) return false;  // less than two
    return (own & own >> step) != 0;
  }

  // The windows that end and start at the cell; only a line of nine has both.
  [[nodiscard]] bool has_both_ends() const { return windows.size() == kLength; }
  [[nodiscard]] int ending() const { return windows[0]; }
  [[nodiscard]] int starting() const { return windows[kLength - 1]; }
};

struct Board {
  int rows = 0, cols = 0, cells = 0;
  int numbers = 0, kinds = 0;  // of cards: the numbers, ascending, then plus and minus
  int windows = 0;
  std::uint64_t number_kinds = 0;  // bit set
  CellSet corners, playable;
  CellSet cells_of[kMaxKinds] = {};  // by kind; none for plus and minus
  CellSet window_cells[kMaxWindows] = {};
  Line lines[kMaxCells][kDirections] = {};
  WindowSet along[kDirections] = {};      // the windows of each direction
  WindowSet at_corners;                   // the windows with a corner
  WindowSet too_close[kMaxWindows] = {};  // those that share more cells than allowed, itself too
  int number_of[kMaxNumbers] = {};        // by kind
  std::uint8_t kind_of[kMaxCells] = {};   // by cell, kNone on the corners
  std::uint8_t first_around[kMaxCells] = {};  // the first of 64 cells with all that are near
  std::uint8_t first_cell[kMaxWindows] = {};
  std::uint8_t last_cell[kMaxWindows] = {};

  Board(const Value& layout, int shared_cells_allowed) {
    measure(layout);
    read_numbers(layout);
    find_windows();
    compare_windows(shared_cells_allowed);
  }

  [[nodiscard]] int plus() const { return numbers; }
  [[nodiscard]] int minus() const { return numbers + 1; }
  [[nodiscard]] bool is_corner(int cell) const { return corners.contains(cell); }

  [[nodiscard]] int kind_of_number(std::int64_t number) const {
    const int* end = number_of + numbers;
    const int* at = std::lower_bound(number_of, end, number);
    return at != end && *at == number ? static_cast<int>(at - number_of) : kNone;
  }

 private:
  [[noreturn]] static void fail(const std::string& what) {
    throw OptionError("option board of sequence_numbers " + what);
  }

  static std::string place(int row, int col) {
    return "at (" + std::to_string(row) + "," + std::to_string(col) + ")";
  }

  void measure(const Value& layout) {
    const auto side_of = [](const Value& value, const std::string& what) {
      const Value::List* list = value.list();
      if (list == nullptr || list->size() < kMinSide || list->size() > kMaxSide) {
        fail(what + " is " + shown(value) + "; it must be a list of 6..10");
      }
      return static_cast<int>(list->size());
    };
    rows = side_of(layout, "as a whole");
    for (int row = 0; row < rows; ++row) {
      const std::string name = "in row " + std::to_string(row);
      const int length = side_of((*layout.list())[static_cast<std::size_t>(row)], name);
      if (row > 0 && length != cols) {
        fail(name + " has " + std::to_string(length) + " cells; it must have " +
             std::to_string(cols) + ", as all rows");
      }
      cols = length;
    }
    cells = rows * cols;
  }

  void read_numbers(const Value& layout) {
    int on_cell[kMaxCells] = {};  // 0 on the corners
    std::vector<int> seen;
    for (int cell = 0; cell < cells; ++cell) {
      const int row = cell / cols, col = cell % cols;
      const bool corner = (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1);
      (corner ? corners : playable).add(cell);
      const Value& entry =
          (*(*layout.list())[static_cast<std::size_t>(row)].list())[static_cast<std::size_t>(col)];
      const std::int64_t* number = entry.integer();
      if (corner) {
        if (entry != Value("F")) {
          fail(place(row, col) + " is " + shown(entry) + "; a corner must be \"F\"");
        }
      } else if (number == nullptr || *number < 1 || *number > kMaxNumber) {
        fail(place(row, col) + " is " + shown(entry) + "; it must be an integer from 1.." +
             std::to_string(kMaxNumber));
      } else {
        on_cell[cell] = static_cast<int>(*number);
        seen.push_back(on_cell[cell]);
      }
    }
    std::ranges::sort(seen);
    for (std::size_t i = 0; i < seen.size();) {
      const auto count = std::ranges::count(seen, seen[i]);
      if (count != kCopies) {
        fail("has the number " + std::to_string(seen[i]) + " on " + std::to_string(count) +
             " cells; each number must lie on exactly two");
      }
      number_of[numbers++] = seen[i];
      i += kCopies;
    }
    kinds = numbers + 2;
    number_kinds = (std::uint64_t{1} << numbers) - 1;
    for (int cell = 0; cell < cells; ++cell) {
      const int kind = kind_of_number(on_cell[cell]);
      kind_of[cell] = to_byte(kind);
      if (kind != kNone) cells_of[kind].add(cell);
    }
  }

  [[nodiscard]] bool inside(int row, int col) const {
    return row >= 0 && row < rows && col >= 0 && col < cols;
  }

  // Numbers the windows: by direction, then by the start in reading order [SN-12].
  void find_windows() {
    for (int direction = 0; direction < kDirections; ++direction) {
      const int step_row = kStepRow[direction], step_col = kStepCol[direction];
      const int step = step_row * cols + step_col;
      for (int start = 0; start < cells; ++start) {
        const int row = start / cols, col = start % cols;
        lines[start][direction].step = to_byte(step);
        first_around[start] = to_byte(std::clamp(start - 2 * (cols + 1), 0, 63));
        for (const int i : {-2, -1, 1, 2}) {
          if (!inside(row + i * step_row, col + i * step_col)) continue;
          lines[start][direction].near |= std::uint64_t{1}
                                          << (start + i * step - first_around[start]);
        }
        if (!inside(row + (kLength - 1) * step_row, col + (kLength - 1) * step_col)) continue;
        const int window = windows++;
        for (int i = 0; i < kLength; ++i) {
          window_cells[window].add(start + i * step);
          lines[start + i * step][direction].windows.push_back(to_byte(window));
        }
        along[direction].add(window);
        if (window_cells[window].meets(corners)) at_corners.add(window);
        first_cell[window] = to_byte(start);
        last_cell[window] = to_byte(start + (kLength - 1) * step);
      }
    }
  }

  // Windows of different directions share at most one cell, which is always allowed.
  void compare_windows(int shared_cells_allowed) {
    for (const WindowSet& parallel : along) {
      parallel.for_each([&](int a) {
        parallel.for_each([&](int b) {
          const int shared = (window_cells[a] & window_cells[b]).count();
          if (shared > shared_cells_allowed) too_close[a].add(b);
        });
      });
    }
  }
};

}  // namespace tabletop::sequence_numbers
