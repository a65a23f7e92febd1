// The dice and the sheet of Optimus 2, compared with the slow way of saying the same.
#include <algorithm>
#include <array>
#include <set>

#include "check.hpp"
#include "tabletop/games/optimus2.hpp"

namespace {

using namespace tabletop;
using namespace tabletop::optimus2;

Dice dice_showing(const std::array<int, kDice>& faces) {
  Dice dice{};
  for (int die = 0; die < kDice; ++die) {
    dice.put(die, Place::kPool, faces[static_cast<std::size_t>(die)]);
  }
  return dice;
}

// Calls visit(faces) for all rolls of six dice.
template <class Visit>
void for_each_roll(Visit&& visit) {
  std::array<int, kDice> faces;
  faces.fill(1);
  for (;;) {
    visit(faces);
    std::size_t die = 0;
    while (die < kDice && faces[die] == kFaces) faces[die++] = 1;
    if (die == kDice) return;
    ++faces[die];
  }
}

TABLETOP_TEST(lower_dice_are_those_with_lower_faces) {
  for_each_roll([](const std::array<int, kDice>& faces) {
    const Dice dice = dice_showing(faces);
    for (int face = 1; face <= kFaces; ++face) {
      DiceSet lower = 0;
      for (int die = 0; die < kDice; ++die) {
        if (faces[static_cast<std::size_t>(die)] < face)
          lower = static_cast<DiceSet>(lower | only(die));
      }
      TABLETOP_CHECK_EQUAL(dice.below(face), lower);
    }
  });
}

// A trio is possible exactly when no die outside it is lower than one in it.
TABLETOP_TEST(the_three_lowest_dice_are_found_with_all_ties) {
  for_each_roll([](const std::array<int, kDice>& faces) {
    std::uint32_t possible = 0;
    for (std::size_t i = 0; i < kTrios; ++i) {
      int highest = 0, lowest = kFaces;
      for (std::size_t die = 0; die < kDice; ++die) {
        if ((kTrio[i] >> die & 1) != 0) {
          highest = std::max(highest, faces[die]);
        } else {
          lowest = std::min(lowest, faces[die]);
        }
      }
      possible |= std::uint32_t{highest <= lowest} << i;
    }
    const Dice::Lowest lowest = dice_showing(faces).lowest();
    TABLETOP_CHECK_EQUAL(lowest.trios(), possible);
    TABLETOP_CHECK_EQUAL(lowest.decided(), count_bits(possible) == 1);
  });
}

TABLETOP_TEST(dice_in_hand_have_no_face_and_a_pick_sweeps_the_lower_ones) {
  Dice dice = dice_showing({2, 3, 4, 6, 6, 5});
  TABLETOP_CHECK_EQUAL(dice.pick(kSilver), only(kWhite) | only(kYellow) | only(kBlue));
  TABLETOP_CHECK_EQUAL(dice.pool, only(kGreen) | only(kPink));
  dice.take_up(dice.pool);
  TABLETOP_CHECK_EQUAL(dice.in_hand, dice.pool);
  TABLETOP_CHECK_EQUAL(dice.face(kGreen), 0);
  TABLETOP_CHECK_EQUAL(dice.face(kBlue), 4);
  dice.return_die(kBlue);
  TABLETOP_CHECK_EQUAL(dice.next(), static_cast<int>(kBlue));
  dice.show(kBlue, 1);
  TABLETOP_CHECK_EQUAL(dice.next(), static_cast<int>(kGreen));
  TABLETOP_CHECK_EQUAL(dice.sum(), 3);
}

TABLETOP_TEST(open_rows_are_gathered_from_the_columns) {
  for (std::uint32_t marks = 0; marks < 1U << kRows; ++marks) {
    for (int number = 1; number <= kFaces; ++number) {
      Sheet sheet{};
      for (int row = 0; row < kRows; ++row) {
        if ((marks >> row & 1) != 0) sheet.marked |= silver_bit(row, number);
      }
      TABLETOP_CHECK_EQUAL(sheet.open_rows(number), ~marks & 0xF);
      TABLETOP_CHECK_EQUAL(sheet.open_rows(number % kFaces + 1), 0xFU);
    }
  }
}

TABLETOP_TEST(cells_read_as_they_were_put_and_open_where_they_are_not_marked) {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    Sheet sheet{};
    std::uint32_t silver = 0, yellow = 0;
    for (int row = 0; row < kRows; ++row) {
      const auto numbers = static_cast<std::uint32_t>(rng.below(1U << kFaces));
      sheet.put_silver_row(row, numbers);
      TABLETOP_CHECK_EQUAL(sheet.silver_row(row), numbers);
      silver |= (~numbers & 0x3F) << (kFaces * row);
    }
    for (int cell = 0; cell < kYellowCells; ++cell) {
      const auto marks = static_cast<int>(rng.below(3));
      sheet.put_yellow_cell(cell, marks);
      TABLETOP_CHECK_EQUAL(sheet.yellow_cell(cell), marks);
      if (marks == 0) yellow |= 1U << cell;
      if (marks == 1) yellow |= 1U << (kYellowCells + cell);
    }
    TABLETOP_CHECK_EQUAL(sheet.open_silver(), silver);
    TABLETOP_CHECK_EQUAL(sheet.open_yellow(), yellow);
    TABLETOP_CHECK_EQUAL(sheet.can_mark(Area::kSilver), silver != 0);
    TABLETOP_CHECK_EQUAL(sheet.can_mark(Area::kYellow), yellow != 0);
  }
}

TABLETOP_TEST(silver_cells_crossed_together_earn_what_they_do_one_row_after_another) {
  Rng rng(2);
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    Sheet together{};
    for (int row = 0; row < kRows; ++row) {  // two of three cells are crossed
      together.put_silver_row(row, static_cast<std::uint32_t>(rng.below(64) | rng.below(64)));
    }
    Sheet apart = together;
    DueList due{}, expected{};
    std::uint64_t cells = 0;
    for (int row = 0; row < kRows; ++row) {
      if (rng.below(4) == 0) continue;
      const auto number = static_cast<int>(rng.below(kFaces)) + 1;
      const bool open = (apart.open_rows(number) >> row & 1) != 0;
      cells |= silver_bit(row, number);
      apart.put_silver_row(row, 1U << (number - 1));
      if (open && apart.open_rows(number) == 0) expected.push_back(kSilverColumn[number - 1]);
    }
    together.cross_silver(cells, due);
    TABLETOP_CHECK(due == expected);
    TABLETOP_CHECK_EQUAL(together.marked, apart.marked);
    most = std::max(most, static_cast<std::size_t>(due.size()));
  }
  TABLETOP_CHECK(most > 1);
}

TABLETOP_TEST(dice_thrown_at_once_show_what_they_show_one_by_one) {
  for (unsigned hand = 1; hand <= kAllDice; ++hand) {
    Dice at_once = dice_showing({1, 2, 3, 4, 5, 6});
    at_once.take_up(static_cast<DiceSet>(hand));
    Dice one_by_one = at_once;
    Rng rng(hand), same = rng;
    at_once.throw_all(rng);
    while (one_by_one.in_hand != 0) {
      one_by_one.show(one_by_one.next(), static_cast<int>(same.below(kFaces)) + 1);
    }
    TABLETOP_CHECK_EQUAL(at_once.faces, one_by_one.faces);
    TABLETOP_CHECK_EQUAL(at_once.in_hand, 0);
    TABLETOP_CHECK(rng == same);
  }
}

// Filling a whole sheet with the best marks fires every printed bonus exactly once.
TABLETOP_TEST(a_full_sheet_has_fired_every_bonus_once_and_scores_the_maxima) {
  Sheet sheet{};
  std::multiset<Bonus> fired;
  const auto make = [&](int mark) {
    DueList due{};
    sheet.make(mark, due);
    fired.insert(due.begin(), due.end());
  };
  for (int cell = 0; cell < kSilverCells; ++cell) make(kSilverMark + cell);
  for (int cell = 0; cell < kYellowCells; ++cell) make(kCircleMark + cell);
  for (int cell = 0; cell < kYellowCells; ++cell) make(kCrossMark + cell);
  for (int space = 0; space < kSpaces; ++space) make(kBlueMark + 12 - kLowestSum);
  for (int space = 0; space < kSpaces; ++space) make(kGreenMark + (space % 2 == 0 ? 5 : 0));
  for (int space = 0; space < kSpaces; ++space) make(kPinkMark + 5);
  for (int i = 0; i < kBonuses; ++i) {
    const auto bonus = static_cast<Bonus>(i);
    int of_rounds = 0;
    for (const Bonus one : kRoundBonus) of_rounds += one == bonus ? 1 : 0;
    TABLETOP_CHECK_EQUAL(static_cast<int>(fired.count(bonus)), printed(bonus) - of_rounds);
  }
  TABLETOP_CHECK(sheet.points() == (AreaPoints{88, 165, 78, 92, 72}));
  TABLETOP_CHECK_EQUAL(sheet.open_areas(), 0U);
}

TABLETOP_TEST(marks_and_choices_keep_the_order_of_their_ids) {
  for (int face = 1; face <= kFaces; ++face) {
    int last = -1;
    for (int choice = 0; choice < kChoices; ++choice) {
      if (choice >= kYellowChoice && choice < kBlueChoice && choice % 2 == 1 &&
          cells_of(face).second == kNoCell) {
        continue;  // a number that is printed once
      }
      const int mark = mark_of_choice(choice, face, kLowestSum + face);
      TABLETOP_CHECK(mark > last);
      TABLETOP_CHECK(area_of_mark(mark) == area_of_choice(choice));
      last = mark;
    }
  }
}

TABLETOP_TEST(choices_become_marks_together_as_they_do_one_by_one) {
  Rng rng(3);
  const auto die = [&] { return static_cast<int>(rng.below(kFaces)) + 1; };
  for (int i = 0; i < 10'000; ++i) {
    const int sum = die() + die();
    const std::array<int, kAreas> faces{die(), die(), sum, die(), die()};
    auto choices = static_cast<std::uint32_t>(rng.below(1U << kChoices));
    ActionSet<kActions> together, expected;
    for (int choice = 0; choice < kChoices; ++choice) {
      const int face = faces[static_cast<std::size_t>(area_of_choice(choice))];
      const int mark = mark_of_choice(choice, face, sum);
      const bool none = choice == kYellowChoice + 1 || choice == kYellowChoice + 3;
      if (none && cells_of(face).second == kNoCell) choices &= ~(1U << choice);
      if ((choices >> choice & 1) != 0) expected.add(kOwnPick + mark);
    }
    add_marks(kOwnPick, choices | 1U << kChoices, faces, together);
    TABLETOP_CHECK(std::ranges::equal(together.words(), expected.words()));
  }
}

}  // namespace

int main() { return tabletop::test::run(); }
