// One player's score sheet: what is marked on it, what may be marked next, what a mark earns, and
// what it all counts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
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

// The cells of a silver column, whose number is counted from 1.
constexpr std::uint32_t silver_column(int number) { return 0x041041U << (number - 1); }

// The cells of a yellow row and column, by cell.
inline constexpr auto kYellowLines = [] {
  struct Lines {
    std::uint16_t row, column;
  };
  std::array<Lines, kYellowCells> lines{};
  for (std::size_t cell = 0; cell < kYellowCells; ++cell) {
    for (std::size_t other = 0; other < kYellowCells; ++other) {
      const auto bit = static_cast<std::uint16_t>(1U << other);
      if (kYellowGrid[other].row == kYellowGrid[cell].row) lines[cell].row |= bit;
      if (kYellowGrid[other].column == kYellowGrid[cell].column) lines[cell].column |= bit;
    }
  }
  return lines;
}();

inline constexpr std::uint32_t kAllYellow = (1U << kYellowCells) - 1;

struct Sheet {
  std::uint32_t silver;            // crossed cells, bit 6 * row + number - 1
  std::uint16_t circled, crossed;  // yellow cells; a crossed cell is circled as well
  Line blue, green, pink;          // as written: sums, faces times multiplier, faces
  Bar bars[kBars];
  std::uint8_t foxes;
  std::uint8_t dice_used;  // by extra-die actions, bit by die
  std::uint8_t zero;       // in place of padding

  [[nodiscard]] constexpr Bar& bar(Bonus action) { return bars[static_cast<std::size_t>(action)]; }
  [[nodiscard]] constexpr const Bar& bar(Bonus action) const {
    return bars[static_cast<std::size_t>(action)];
  }

  // --- What may be marked ------------------------------------------------------------------------

  [[nodiscard]] constexpr std::uint32_t open_silver() const {
    return ~silver & ((1U << kSilverCells) - 1);
  }

  // The open rows of a column, as four bits.
  [[nodiscard]] constexpr std::uint32_t open_rows(int number) const {
    constexpr std::uint32_t kGather = 1U << 18 | 1U << 13 | 1U << 8 | 1U << 3;
    return ((open_silver() >> (number - 1) & 0x041041U) * kGather) >> 18 & 0xF;
  }

  // Empty cells to circle, and above them circled cells to cross.
  [[nodiscard]] constexpr std::uint32_t open_yellow() const {
    const std::uint32_t once = circled, twice = crossed;
    return (~once & kAllYellow) | (once & ~twice) << kYellowCells;
  }

  // [O2-18] The highest sum that may be written next, 0 when the line is full.
  [[nodiscard]] constexpr int blue_limit() const {
    if (blue.size() == kSpaces) return 0;
    return blue.empty() ? kHighestSum : blue[blue.size() - 1];
  }

  // Which cells that show this number may be circled and which crossed, as four bits.
  [[nodiscard]] constexpr std::uint32_t yellow_choices(int value) const {
    const CellPair cells = cells_of(value);
    const std::uint32_t empty = open_yellow() & kAllYellow,
                        circled_only = open_yellow() >> kYellowCells;
    return (empty >> cells.first & 1) | (empty >> cells.second & 1) << 1 |
           (circled_only >> cells.first & 1) << 2 | (circled_only >> cells.second & 1) << 3;
  }

  // Whether blue, green and pink take another entry, as choices.
  [[nodiscard]] constexpr std::uint32_t line_choices(int sum) const {
    return std::uint32_t{sum <= blue_limit()} << kBlueChoice |
           std::uint32_t{green.size() < kSpaces} << kGreenChoice |
           std::uint32_t{pink.size() < kSpaces} << kPinkChoice;
  }

  // [O2-29] What a ? may mark, as free marks: a bit for each, counted from the area's first mark.
  [[nodiscard]] constexpr std::uint32_t open_marks(Area area) const {
    switch (area) {
      case Area::kSilver:
        return open_silver();
      case Area::kYellow:
        return open_yellow();
      case Area::kBlue:
        return blue.size() == kSpaces ? 0 : (1U << (blue_limit() - kLowestSum + 1)) - 1;
      case Area::kGreen:
        return green.size() == kSpaces ? 0 : (1U << kFaces) - 1;
      default:
        return pink.size() == kSpaces ? 0 : (1U << kFaces) - 1;
    }
  }

  // The areas in which a ? finds something to mark, as bits.
  [[nodiscard]] constexpr std::uint32_t open_areas() const {
    std::uint32_t areas = 0;
    for (int area = 0; area < kAreas; ++area) {
      areas |= std::uint32_t{open_marks(static_cast<Area>(area)) != 0} << area;
    }
    return areas;
  }

  // --- What a mark earns -------------------------------------------------------------------------

  // Makes the mark; what it earns joins the end of the list.
  constexpr void make(int mark, DueList& due) {
    switch (area_of_mark(mark)) {
      case Area::kSilver:
        return cross_silver(mark - kSilverMark, due);
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

  constexpr void cross_silver(int cell, DueList& due) {
    silver |= 1U << cell;
    const int number = cell % kFaces + 1;
    const std::uint32_t column = silver_column(number);
    if ((silver & column) == column) fall_due(kSilverColumn[number - 1], due);
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
      points[0] += kSilverPoints[count_bits(silver >> (kFaces * row) & 0x3F)];
    }
    points[1] = kYellowPoints[count_bits(crossed)];
    points[2] = kBluePoints[blue.size()];
    for (int space = 0; space + 1 < green.size(); space += 2) {
      points[3] += green[space] - green[space + 1];
    }
    for (const std::uint8_t face : pink) points[4] += face;
    return points;
  }

 private:
  static constexpr void fall_due(Bonus bonus, DueList& due) {
    if (bonus != Bonus::kNone) due.push_back(bonus);
  }

  // [O2-15] The row before the column.
  constexpr void circle(int cell, DueList& due) {
    circled = static_cast<std::uint16_t>(circled | 1U << cell);
    const auto& lines = kYellowLines[static_cast<std::size_t>(cell)];
    if ((circled & lines.row) == lines.row) fall_due(kYellowRow[kYellowGrid[cell].row], due);
    if ((circled & lines.column) == lines.column) {
      fall_due(kYellowColumn[kYellowGrid[cell].column], due);
    }
  }

  constexpr void cross(int cell) { crossed = static_cast<std::uint16_t>(crossed | 1U << cell); }
};

// [O2-73, O2-74]
constexpr int fox_value(const AreaPoints& points, bool floor_zero) {
  const int lowest = *std::ranges::min_element(points);
  return floor_zero ? std::max(lowest, 0) : lowest;
}

}  // namespace tabletop::optimus2
