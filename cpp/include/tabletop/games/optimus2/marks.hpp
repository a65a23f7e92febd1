// The marks that can be made on a sheet, numbered, and the decisions made of them.
//
// 67 marks: cross a silver cell, circle or cross a yellow cell, write a sum in blue, a face in
// green, a face in pink. A decision adds to a mark who makes it: the die of the area's own colour,
// the white die, or no die at all (a ?, or the free row of a silver cascade).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tabletop/action_set.hpp"
#include "tabletop/games/optimus2/printed.hpp"
#include "tabletop/types.hpp"

namespace tabletop::optimus2 {

inline constexpr int kSilverMark = 0;  // + 6 * row + number - 1
inline constexpr int kCircleMark = kSilverMark + kSilverCells;
inline constexpr int kCrossMark = kCircleMark + kYellowCells;
inline constexpr int kBlueMark = kCrossMark + kYellowCells;                  // + sum - 2
inline constexpr int kGreenMark = kBlueMark + kHighestSum - kLowestSum + 1;  // + face - 1
inline constexpr int kPinkMark = kGreenMark + kFaces;                        // + face - 1
inline constexpr int kMarks = kPinkMark + kFaces;

constexpr Area area_of_mark(int mark) {
  return mark < kCircleMark  ? Area::kSilver
         : mark < kBlueMark  ? Area::kYellow
         : mark < kGreenMark ? Area::kBlue
         : mark < kPinkMark  ? Area::kGreen
                             : Area::kPink;
}

constexpr int first_mark(Area area) {
  constexpr int kFirst[] = {kSilverMark, kCircleMark, kBlueMark, kGreenMark, kPinkMark};
  return kFirst[static_cast<int>(area)];
}

// --- Decision ids [O2-84] ------------------------------------------------------------------------

inline constexpr Action kPass = 0;  // pick no die
inline constexpr Action kGoOn = 1;  // leave a window
inline constexpr Action kReroll = 2;
inline constexpr Action kReturnDie = 3;                // + die
inline constexpr Action kChoose = kReturnDie + kDice;  // + area, for the black ?
inline constexpr Action kFreeMark = kChoose + kAreas;  // + mark
inline constexpr Action kOwnPick = kFreeMark + kMarks;
inline constexpr Action kWhitePick = kOwnPick + kMarks;
inline constexpr int kActions = kWhitePick + kMarks;

// --- The choices of a pick -----------------------------------------------------------------------

// With the dice as they lie, a die has at most four silver rows, two yellow cells to circle or
// cross and one space in each line: eleven choices in the order of their ids, as bits of a mask.
inline constexpr int kYellowChoice = kRows;  // circle the first, the second cell; cross them
inline constexpr int kBlueChoice = kYellowChoice + 4;
inline constexpr int kGreenChoice = kBlueChoice + 1;
inline constexpr int kPinkChoice = kGreenChoice + 1;
inline constexpr int kChoices = kPinkChoice + 1;

constexpr Area area_of_choice(int choice) {
  return choice < kYellowChoice   ? Area::kSilver
         : choice < kBlueChoice   ? Area::kYellow
         : choice == kBlueChoice  ? Area::kBlue
         : choice == kGreenChoice ? Area::kGreen
                                  : Area::kPink;
}

// What a set of dice may choose: those in their own areas, above them the white die.
inline constexpr auto kChoicesOf = [] {
  std::array<std::uint32_t, 1 << kDice> choices{};
  for (std::size_t dice = 0; dice < choices.size(); ++dice) {
    for (int choice = 0; choice < kChoices; ++choice) {
      const Die own = kDieOfArea[static_cast<int>(area_of_choice(choice))];
      choices[dice] |= static_cast<std::uint32_t>(dice >> own & 1) << choice;
      choices[dice] |= static_cast<std::uint32_t>(dice >> kWhite & 1) << (kChoices + choice);
    }
  }
  return choices;
}();

inline constexpr int kNoCell = kYellowCells;

// The yellow cells that show a number; kNoCell in place of a second one.
struct CellPair {
  int first = kNoCell, second = kNoCell;
};
inline constexpr auto kCellsOf = [] {
  std::array<CellPair, kFaces + 1> cells{};
  for (int cell = kYellowCells - 1; cell >= 0; --cell) {
    CellPair& pair = cells[static_cast<std::size_t>(kYellowGrid[cell].value)];
    pair = {cell, pair.first};
  }
  return cells;
}();

constexpr CellPair cells_of(int value) { return kCellsOf[static_cast<std::size_t>(value)]; }

// The mark behind a choice of a die that shows `face`; `sum` is that of the blue and white dice.
constexpr int mark_of_choice(int choice, int face, int sum) {
  if (choice < kYellowChoice) return kSilverMark + kFaces * choice + face - 1;
  if (choice < kBlueChoice) {
    const CellPair cells = cells_of(face);
    const int which = choice - kYellowChoice;
    return (which < 2 ? kCircleMark : kCrossMark) + (which % 2 == 0 ? cells.first : cells.second);
  }
  return choice == kBlueChoice    ? kBlueMark + sum - kLowestSum
         : choice == kGreenChoice ? kGreenMark + face - 1
                                  : kPinkMark + face - 1;
}

// Adds first + mark for the marks behind all choices, of dice that show `faces` by area, in blue
// the sum; what lies above the choices is left out.
inline void add_marks(Action first, std::uint32_t choices, const std::array<int, kAreas>& faces,
                      ActionSet<kActions>& actions) {
  const auto [silver, yellow, sum, green, pink] = faces;
  const auto mark = [&](int choice, int at) { return std::uint64_t{choices >> choice & 1} << at; };
  // The rows as every sixth bit.
  std::uint64_t marks = std::uint64_t{(choices & 0xF) * 0x8421 & 0x041041} << (silver - 1);
  const CellPair cells = cells_of(yellow);
  marks |= mark(kYellowChoice, kCircleMark + cells.first) |
           mark(kYellowChoice + 1, kCircleMark + cells.second) |
           mark(kYellowChoice + 2, kCrossMark + cells.first) |
           mark(kYellowChoice + 3, kCrossMark + cells.second) |
           mark(kBlueChoice, kBlueMark + sum - kLowestSum);
  actions.add_bits(first, marks);
  actions.add_bits(first + kGreenMark, mark(kGreenChoice, green - 1) |
                                           mark(kPinkChoice, kPinkMark - kGreenMark + pink - 1));
}

}  // namespace tabletop::optimus2
