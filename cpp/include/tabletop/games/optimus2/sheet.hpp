// One player's score sheet: what is marked on it, what may be marked next, what a mark earns, and
// what it all counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tabletop/bits.hpp"
#include "tabletop/fixed_vector.hpp"
#include "tabletop/games/optimus2/marks.hpp"
#include "tabletop/games/optimus2/printed.hpp"
#include "tabletop/types.hpp"

namespace tabletop::optimus2 {

using Line = FixedVector<std::uint8_t, kSpaces>;
using DueList = FixedVector<Bonus, kMaxDue>;
using AreaPoints = std::array<int, kAreas>;

// An action bar: circles earned, circles used.
struct Bar {
  std::uint8_t earned, used;

  [[nodiscard]] constexpr int left() const { return earned - used; }
};

// --- Silver and yellow as bits -------------------------------------------------------------------

// A byte for each number, as the choices of a die that shows it: its four silver rows crossed, its
// one or two yellow cells circled, the same cells crossed.
constexpr std::uint64_t silver_bit(int row, int number) {
  return std::uint64_t{1} << (8 * (number - 1) + row);
}

// The bit of a circle, by cell; crosses are two bits higher.
inline constexpr auto kCircleBit = [] {
  std::array<std::uint64_t, kYellowCells + 1> bits{};  // of kNoCell as well, which is dropped
  for (int number = 1; number <= kFaces; ++number) {
    const CellPair cells = cells_of(number);
    const std::uint64_t first = std::uint64_t{1} << (8 * (number - 1) + kYellowChoice);
    bits[static_cast<std::size_t>(cells.first)] = first;
    bits[static_cast<std::size_t>(cells.second)] = first << 1;
  }
  bits[kNoCell] = 0;
  return bits;
}();

constexpr std::uint64_t circle_bit(int cell) { return kCircleBit[static_cast<std::size_t>(cell)]; }
constexpr std::uint64_t cross_bit(int cell) { return circle_bit(cell) << 2; }

inline constexpr std::uint64_t kSilverBits = 0x0F0F0F0F0F0F;
inline constexpr std::uint64_t kCircleBits = [] {
  std::uint64_t bits = 0;
  for (const std::uint64_t bit : kCircleBit) bits |= bit;
  return bits;
}();
inline constexpr std::uint64_t kCrossBits = kCircleBits << 2;

// The cells of a silver column in Sheet::open_silver().
constexpr std::uint32_t silver_column(int number) { return 0x041041U << (number - 1); }

// The circles of the yellow row and column of a cell.
inline constexpr auto kYellowLines = [] {
  struct Lines {
    std::uint64_t row, column;
  };
  std::array<Lines, kYellowCells> lines{};
  for (std::size_t cell = 0; cell < kYellowCells; ++cell) {
    for (std::size_t other = 0; other < kYellowCells; ++other) {
      const std::uint64_t bit = kCircleBit[other];
      if (kYellowGrid[other].row == kYellowGrid[cell].row) lines[cell].row |= bit;
      if (kYellowGrid[other].column == kYellowGrid[cell].column) lines[cell].column |= bit;
    }
  }
  return lines;
}();

struct Sheet {
  std::uint64_t marked;    // silver and yellow, as above; a crossed cell is circled as well
  Line blue, green, pink;  // as written: sums, faces times multiplier, faces
  Bar bars[kBars];
  std::uint8_t foxes;
  std::uint8_t dice_used;  // by extra-die actions, bit by die
  std::uint8_t zero;       // in place of padding

  [[nodiscard]] constexpr Bar& bar(Bonus action) { return bars[static_cast<std::size_t>(action)]; }
  [[nodiscard]] constexpr const Bar& bar(Bonus action) const {
    return bars[static_cast<std::size_t>(action)];
  }

  // --- Silver and yellow, cell by cell -----------------------------------------------------------

  // The numbers crossed in a silver row, as bits from 1 on.
  [[nodiscard]] constexpr std::uint32_t silver_row(int row) const {
    constexpr std::uint64_t kGather = 0x0102040810204080;
    return static_cast<std::uint32_t>(((marked >> row & kEachByte) * kGather) >> 56 & 0x3F);
  }
  // 0 empty, 1 circled, 2 crossed.
  [[nodiscard]] constexpr int yellow_cell(int cell) const {
    return ((marked & circle_bit(cell)) != 0 ? 1 : 0) + ((marked & cross_bit(cell)) != 0 ? 1 : 0);
  }

  constexpr void put_silver_row(int row, std::uint32_t numbers) {
    for_each_bit(numbers, [&](int number) { marked |= silver_bit(row, number + 1); });
  }
  constexpr void put_yellow_cell(int cell, int marks) {
    if (marks >= 1) marked |= circle_bit(cell);
    if (marks >= 2) marked |= cross_bit(cell);
  }

  // --- What may be marked ------------------------------------------------------------------------

  // The bits that a mark can set: crosses go on circles.
  [[nodiscard]] constexpr std::uint64_t open() const {
    return ~marked & (kSilverBits | kCircleBits | (marked << 2 & kCrossBits));
  }

  [[nodiscard]] constexpr std::uint32_t open_rows(int number) const {
    return static_cast<std::uint32_t>(~marked >> (8 * (number - 1)) & 0xF);
  }

  // The open silver cells, bit 6 * row + number - 1.
  [[nodiscard]] constexpr std::uint32_t open_silver() const {
    std::uint32_t cells = 0;
    for (int row = 0; row < kRows; ++row) cells |= (~silver_row(row) & 0x3F) << (kFaces * row);
    return cells;
  }

  // Empty cells to circle, and above them circled cells to cross.
  [[nodiscard]] constexpr std::uint32_t open_yellow() const {
    std::uint32_t cells = 0;
    for (int cell = 0; cell < kYellowCells; ++cell) {
      cells |= std::uint32_t{(open() & circle_bit(cell)) != 0} << cell;
      cells |= std::uint32_t{(open() & cross_bit(cell)) != 0} << (kYellowCells + cell);
    }
    return cells;
  }

  // [O2-18] The highest sum that may be written next, 0 when the line is full.
  [[nodiscard]] constexpr int blue_limit() const {
    if (blue.size() == kSpaces) return 0;
    return blue.empty() ? kHighestSum : blue[blue.size() - 1];
  }

  // Whether blue, green and pink take another entry, as choices.
  [[nodiscard]] constexpr std::uint32_t line_choices(int sum) const {
    return std::uint32_t{sum <= blue_limit()} << kBlueChoice |
           std::uint32_t{green.size() < kSpaces} << kGreenChoice |
           std::uint32_t{pink.size() < kSpaces} << kPinkChoice;
  }

  // Whether a ? finds something to mark there.
  [[nodiscard]] constexpr bool can_mark(Area area) const {
    switch (area) {
      case Area::kSilver:
        return (open() & kSilverBits) != 0;
      case Area::kYellow:
        return (open() & ~kSilverBits) != 0;
      case Area::kBlue:
        return blue.size() < kSpaces;
      case Area::kGreen:
        return green.size() < kSpaces;
      default:
        return pink.size() < kSpaces;
    }
  }

  // [O2-29] What a ? may mark, as free marks: a bit for each, counted from the area's first mark.
  [[nodiscard]] constexpr std::uint32_t open_marks(Area area) const {
    switch (area) {
      case Area::kSilver:
        return open_silver();
      case Area::kYellow:
        return open_yellow();
      case Area::kBlue:
        return can_mark(area) ? (1U << (blue_limit() - kLowestSum + 1)) - 1 : 0;
      default:
        return can_mark(area) ? (1U << kFaces) - 1 : 0;
    }
  }

  // The areas in which a ? finds something to mark, as bits.
  [[nodiscard]] constexpr std::uint32_t open_areas() const {
    std::uint32_t areas = 0;
    for (int area = 0; area < kAreas; ++area) {
      areas |= std::uint32_t{can_mark(static_cast<Area>(area))} << area;
    }
    return areas;
  }

  // --- What a mark earns -------------------------------------------------------------------------

  // Makes the mark; what it earns joins the end of the list.
  constexpr void make(int mark, DueList& due) {
    switch (area_of_mark(mark)) {
      case Area::kSilver:
        return cross_silver(silver_bit(mark / kFaces, mark % kFaces + 1), due);
      case Area::kYellow:
        return mark < kCrossMark ? circle(mark - kCircleMark, due) : cross(mark - kCrossMark);
      case Area::kBlue:
        fall_due(kBlueBonus[blue.size()], due);
        return blue.push_back(to_byte(mark - kBlueMark + kLowestSum));
      case Area::kGreen:
        fall_due(kGreenBonus[green.size()], due);
        return green.push_back(to_byte((mark - kGreenMark + 1) * kGreenMultiplier[green.size()]));
      default: {
        const int face = mark - kPinkMark + 1;
        if (face >= kPinkMinimum[pink.size()]) fall_due(kPinkBonus[pink.size()], due);
        return pink.push_back(to_byte(face));
      }
    }
  }

  // [O2-11] One row after another: a column earns its bonus at the last of its rows.
  constexpr void cross_silver(std::uint64_t cells, DueList& due) {
    const std::uint64_t before = full_columns();
    std::uint64_t fresh = cells & ~marked;
    marked |= cells;
    std::uint64_t full = full_columns() & ~before;
    for (int row = 0; full != 0; ++row) {
      fresh &= ~(kEachByte << row);
      const std::uint64_t done = full & ~(fresh | fresh >> 1 | fresh >> 2 | fresh >> 3);
      for_each_bit(done, [&](int bit) { fall_due(kSilverColumn[bit / 8], due); });
      full &= ~done;
    }
  }

  // [O2-32] Books an automatic bonus; returns the ? at the end of a bar that it fills, or none.
  constexpr Bonus book(Bonus bonus) {
    if (bonus == Bonus::kFox) {
      ++foxes;
      return Bonus::kNone;
    }
    if (++bar(bonus).earned < kBarSlots) return Bonus::kNone;
    const Bonus end = kBarEnd[static_cast<std::size_t>(bonus)];
    return is_automatic(end) ? book(end) : end;
  }

  // --- What it counts ----------------------------------------------------------------------------

  [[nodiscard]] constexpr AreaPoints points() const {
    AreaPoints points{};
    for (int row = 0; row < kRows; ++row) {
      points[0] += kSilverPoints[count_bits(marked >> row & kEachByte & kSilverBits)];
    }
    points[1] = kYellowPoints[count_bits(marked & kCrossBits)];
    points[2] = kBluePoints[blue.size()];
    for (int space = 0; space + 1 < green.size(); space += 2) {
      points[3] += green[space] - green[space + 1];
    }
    for (const std::uint8_t face : pink) points[4] += face;
    return points;
  }

 private:
  // The full silver columns, as the bits of their first row.
  [[nodiscard]] constexpr std::uint64_t full_columns() const {
    return marked & marked >> 1 & marked >> 2 & marked >> 3 & kEachByte;
  }

  static constexpr void fall_due(Bonus bonus, DueList& due) {
    if (bonus != Bonus::kNone) due.push_back(bonus);
  }

  // [O2-15] The row before the column.
  constexpr void circle(int cell, DueList& due) {
    marked |= circle_bit(cell);
    const auto& lines = kYellowLines[static_cast<std::size_t>(cell)];
    if ((marked & lines.row) == lines.row) fall_due(kYellowRow[kYellowGrid[cell].row], due);
    if ((marked & lines.column) == lines.column) {
      fall_due(kYellowColumn[kYellowGrid[cell].column], due);
    }
  }

  constexpr void cross(int cell) { marked |= cross_bit(cell); }
};

// [O2-73, O2-74]
constexpr int fox_value(const AreaPoints& points, bool floor_zero) {
  const int lowest = *std::ranges::min_element(points);
  return floor_zero ? std::max(lowest, 0) : lowest;
}

}  // namespace tabletop::optimus2
