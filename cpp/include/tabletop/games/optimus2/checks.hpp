// What a position of Optimus 2 from outside has to keep: every sentence names the part of the
// position that is wrong.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tabletop/bits.hpp"
#include "tabletop/dict_reader.hpp"
#include "tabletop/errors.hpp"
#include "tabletop/games/optimus2.hpp"

namespace tabletop {

namespace optimus2 {

inline std::string quoted(const char* name) { return std::string("\"") + name + "\""; }
inline std::string quoted(Phase phase) { return quoted(kPhaseNames[static_cast<int>(phase)]); }

[[noreturn]] inline void refuse_dice(Phase phase, const std::string& right) {
  refuse("dice", "do not agree with phase " + quoted(phase) + ": " + right);
}

using BonusCounts = std::array<int, kBonuses>;

constexpr int& count_of(BonusCounts& counts, Bonus bonus) {
  return counts[static_cast<std::size_t>(bonus)];
}

// [O2-9] The bonuses that a sheet and the rounds behind it have triggered; bar ends are not among
// them.
constexpr BonusCounts triggered(const Sheet& sheet, int rounds) {
  BonusCounts counts{};
  const auto trigger = [&](Bonus bonus, bool earned) {
    if (earned && bonus != Bonus::kNone) ++count_of(counts, bonus);
  };
  for (int round = 0; round < rounds; ++round) trigger(kRoundBonus[round], true);
  for (int number = 1; number <= kFaces; ++number) {
    trigger(kSilverColumn[number - 1], sheet.open_rows(number) == 0);
  }
  for (std::size_t cell = 0; cell < kYellowCells; ++cell) {
    const auto lines = kYellowLines[cell];
    const auto complete = [&](std::uint64_t line) {  // told at the cell of its lowest bit
      return (line & (0 - line)) == kCircleBit[cell] && (line & ~sheet.marked) == 0;
    };
    trigger(kYellowRow[kYellowGrid[cell].row], complete(lines.row));
    trigger(kYellowColumn[kYellowGrid[cell].column], complete(lines.column));
  }
  for (int space = 0; space < kSpaces; ++space) {
    trigger(kBlueBonus[space], space < sheet.blue.size());
    trigger(kGreenBonus[space], space < sheet.green.size());
    trigger(kPinkBonus[space],
            space < sheet.pink.size() && sheet.pink[space] >= kPinkMinimum[space]);
  }
  return counts;
}

// [O2-90] What is written on the lines has to be what the dice can give.
inline void check_lines(const Sheet& sheet, const std::string& place) {
  for (int space = 1; space < sheet.blue.size(); ++space) {
    if (sheet.blue[space] <= sheet.blue[space - 1]) continue;
    throw PositionError(place + "[\"blue\"] rises to " + std::to_string(sheet.blue[space]) +
                        " at space " + std::to_string(space + 1) + "; sums must not increase");
  }
  for (int space = 0; space < sheet.green.size(); ++space) {
    const int value = sheet.green[space], factor = kGreenMultiplier[space];
    if (value % factor == 0 && value / factor <= kFaces) continue;
    throw PositionError(place + "[\"green\"] has " + std::to_string(value) + " at space " +
                        std::to_string(space + 1) + "; it must be a face times " +
                        std::to_string(factor));
  }
}

// [O2-91 .. O2-93] Every automatic bonus that has been triggered is booked or still due, and every
// ? that is due has been triggered; `black` of them may come from the black ?.
inline void check_bonuses(const Sheet& sheet, const std::string& place, BonusCounts counts,
                          BonusCounts due, int black) {
  for (int bar = 0; bar < kBars; ++bar) {
    const auto bonus = static_cast<Bonus>(bar);
    const Bar own = sheet.bar(bonus);
    const int right = count_of(counts, bonus) - count_of(due, bonus);
    if (own.earned != right) {
      throw PositionError(place + "[\"" + kBarNames[bar] + "\"] has " + std::to_string(own.earned) +
                          " earned; the sheet, the rounds and what is due make it " +
                          std::to_string(right));
    }
    if (own.used > own.earned) {
      throw PositionError(place + "[\"" + kBarNames[bar] + "\"] has " + std::to_string(own.used) +
                          " used; it must be at most the number earned, " +
                          std::to_string(own.earned));
    }
    if (own.earned == kBarSlots) ++count_of(counts, kBarEnd[bar]);
  }
  const int foxes = count_of(counts, Bonus::kFox) - count_of(due, Bonus::kFox);
  if (sheet.foxes != foxes) {
    throw PositionError(place + "[\"foxes\"] is " + std::to_string(sheet.foxes) +
                        "; the sheet and what is due make it " + std::to_string(foxes));
  }
  for (int area = 0; area < kAreas; ++area) {
    const Bonus choice = choice_in(static_cast<Area>(area));
    black -= std::max(0, count_of(due, choice) - count_of(counts, choice));
  }
  if (black < count_of(due, Bonus::kAnyArea)) {
    refuse("due", "has more ?s than the sheet of the seat and the round have given");
  }
  if (std::popcount(sheet.dice_used) > sheet.bar(Bonus::kExtraDie).used) {
    throw PositionError(place + "[\"extra_dice_used\"] has " +
                        std::to_string(std::popcount(sheet.dice_used)) +
                        " dice; it must be at most the number of extra-die actions used, " +
                        std::to_string(sheet.bar(Bonus::kExtraDie).used));
  }
}

inline int highest_face(const Dice& dice, DiceSet which) {
  int highest = 0;
  for_each_bit(which, [&](int die) { highest = std::max(highest, dice.face(die)); });
  return highest;
}

inline int lowest_face(const Dice& dice, DiceSet which) {
  int lowest = kFaces + 1;
  for_each_bit(which, [&](int die) { lowest = std::min(lowest, dice.face(die)); });
  return lowest;
}

}  // namespace optimus2

inline void Optimus2::check(const State& state) const {
  check_seats(state);
  check_dice(state);
  check_sheets(state);
  check_pending(state);
}

// [O2-80] Whose turn it is at, in the order of seats and rolls.
inline void Optimus2::check_seats(const State& state) const {
  using namespace optimus2;
  const std::string phase = quoted(state.phase);
  const bool solo = players_ == 1;
  const bool rolling =
      state.phase == Phase::kReturn || state.phase == Phase::kRoll || state.phase == Phase::kPick;
  if (!solo && (state.phase == Phase::kPassiveRoll || state.phase == Phase::kTray)) {
    refuse("phase", "is " + phase + ", which occurs with one player only");
  }
  const bool extra = state.phase == Phase::kExtra;
  const bool must_roll = rolling || (extra && !solo && state.seat == state.active);
  const bool may_roll = must_roll || (extra && solo);
  if (state.roll == 0 ? must_roll : !may_roll) {
    refuse("roll", "is " + std::to_string(state.roll) + ", which does not agree with phase " +
                       phase + " of seat " + std::to_string(state.seat));
  }
  if (rolling && state.seat != state.active) {
    refuse("seat", "is " + std::to_string(state.seat) + "; in phase " + phase +
                       " it must be the active seat, " + std::to_string(state.active));
  }
  if (state.phase == Phase::kPassive && !solo && state.seat == state.active) {
    refuse("seat", "is the active seat, who has no choice from the platter");
  }
  if (state.phase == Phase::kRound && state.active != 0) {
    refuse("active", "is " + std::to_string(state.active) + "; a round begins with seat 0");
  }
  if (state.phase != Phase::kOver) return;
  const Seat last = solo ? 0 : players_ - 2;
  if (state.round != rounds_ || state.active != players_ - 1 || state.seat != last) {
    refuse("phase", "is \"over\", but the last turn of the last round has not ended");
  }
}

// [O2-94 .. O2-96]
inline void Optimus2::check_dice(const State& state) const {
  using namespace optimus2;
  for (int die = 0; die < kDice; ++die) {
    if (state.dice.face(die) == 0 && (state.dice.in_hand >> die & 1) == 0) {
      refuse_dice(state.phase,
                  std::string(kDieNames[die]) + " has no face; only a die of the pool is in hand");
    }
  }
  check_throw(state);
  const Phase phase = state.phase;
  if (state.roll > 0 && phase != Phase::kExtra) {
    check_rolls(state);
  } else if (phase == Phase::kPassive || phase == Phase::kExtra || phase == Phase::kOver) {
    check_rest(state);
  }
}

// [O2-94, O2-96] Which dice are in hand, about to be thrown.
inline void Optimus2::check_throw(const State& state) {
  using namespace optimus2;
  const Dice& dice = state.dice;
  const auto wrong = [&](const char* right) { refuse_dice(state.phase, right); };
  const bool thrown_in_order =
      dice.in_hand != 0 &&
      (dice.pool & ~dice.in_hand) < (DiceSet{1} << std::countr_zero(dice.in_hand));
  switch (state.phase) {
    case Phase::kRound:
      if (dice.in_hand != kAllDice) wrong("all six must be in the pool without a face");
      break;
    case Phase::kReturn:
      if (dice.in_hand != dice.pool) wrong("the pool must be in hand, without faces");
      if (!may_return(state)) wrong("a return action and a die on the platter are needed");
      break;
    case Phase::kRoll:
      if (!thrown_in_order) wrong("the pool is thrown in the order of the dice");
      break;
    case Phase::kPassiveRoll:
      if (!thrown_in_order || dice.pool != kAllDice) wrong("all six are thrown in their order");
      break;
    case Phase::kTray:
      if (dice.pool != kAllDice || dice.in_hand != 0 || dice.lowest().decided()) {
        wrong("all six must lie in the pool, tied for the third place");
      }
      break;
    default:
      if (dice.in_hand != 0) wrong("every die must show a face");
      break;
  }
}

// [O2-95] During the active player's rolls: what the picks so far have moved.
inline void Optimus2::check_rolls(const State& state) {
  using namespace optimus2;
  const Dice& dice = state.dice;
  const auto wrong = [&](const std::string& right) { refuse_dice(state.phase, right); };
  const bool pending = state.cascade != Cascade::kNone || !state.due.empty();
  const bool picked = state.phase == Phase::kPick && pending;
  const int fields = std::popcount(dice.fields);
  const int most = state.roll - (picked ? 0 : 1);
  if (fields > most || (picked && fields == 0)) {
    wrong("there are " + std::to_string(fields) + " dice on fields at roll " +
          std::to_string(state.roll));
  }
  if (dice.aside() != 0) wrong("no die may lie aside");
  if (dice.platter != 0 && highest_face(dice, dice.platter) >= highest_face(dice, dice.fields)) {
    wrong("a die on the platter must be lower than one on a field");
  }
  if (state.phase == Phase::kPick && !pending && dice.pool == 0) {
    wrong("the pool must not be empty");
  }
}

// [O2-96] Behind the rolls: what lies where extra dice and passive players find it.
inline void Optimus2::check_rest(const State& state) const {
  using namespace optimus2;
  const Dice& dice = state.dice;
  const auto wrong = [&](const char* right) { refuse_dice(state.phase, right); };
  if (dice.pool != 0) wrong("the pool must be empty");
  const bool tray = players_ == 1 && state.roll == 0;
  if (tray != (dice.aside() != 0) || std::popcount(dice.fields) > (tray ? 0 : kRollsPerTurn)) {
    wrong(tray ? "three must lie on the platter and three aside"
               : "no die may lie aside, and at most three on fields");
  }
  if (tray && (std::popcount(dice.platter) != 3 ||
               highest_face(dice, dice.platter) > lowest_face(dice, dice.aside()))) {
    wrong("the platter must have the three lowest");
  }
}

inline void Optimus2::check_sheets(const State& state) const {
  using namespace optimus2;
  BonusCounts due{};
  for (const Bonus bonus : state.due) ++count_of(due, bonus);
  for (Seat seat = 0; seat < players_; ++seat) {
    const Sheet& sheet = state.sheets[seat];
    const std::string place = "position[\"sheets\"][" + std::to_string(seat) + "]";
    const bool round_phase = state.phase == Phase::kRound;
    const int rounds = state.round - (round_phase && seat > state.seat ? 1 : 0);
    const bool decides = seat == state.seat;
    const bool any_area = decides && round_phase && kRoundBonus[state.round - 1] == Bonus::kAnyArea;
    check_lines(sheet, place);
    check_bonuses(sheet, place, triggered(sheet, rounds), decides ? due : BonusCounts{},
                  any_area ? 1 : 0);
    if (round_phase && sheet.dice_used != 0) {
      throw PositionError(place + "[\"extra_dice_used\"] must be empty when a round begins");
    }
  }
}

// [O2-92, O2-98] What is due belongs to the seat's own decision.
inline void Optimus2::check_pending(const State& state) const {
  using namespace optimus2;
  const Phase phase = state.phase;
  if (state.cascade != Cascade::kNone) return check_cascade(state);
  const bool may_be_due = phase == Phase::kRound || phase == Phase::kPick ||
                          phase == Phase::kPassive || phase == Phase::kExtra;
  if (!state.due.empty() && !may_be_due) refuse("due", "must be empty in phase " + quoted(phase));
  for (int i = 0; i < state.due.size(); ++i) {
    const Bonus bonus = state.due[i];
    if (is_automatic(bonus) || (bonus == Bonus::kAnyArea && i > 0)) {
      refuse("due", "has " + quoted(kBonusNames[static_cast<int>(bonus)]) + " at place " +
                        std::to_string(i) + ", where it would have been booked or used");
    }
  }
  if (!state.due.empty()) {
    if (applicable(state, state.due[0])) return;
    refuse("due", "begins with " + quoted(kBonusNames[static_cast<int>(state.due[0])]) +
                      ", for which the sheet has nothing to mark");
  }
  if (phase == Phase::kRound) refuse("due", "is empty, but phase \"round\" needs a ?");
  if (phase == Phase::kPassive && passive_picks(state) == 0) {
    refuse("phase", "is \"passive\", but no die can be marked");
  }
  if (phase == Phase::kExtra &&
      (own_sheet(state).bar(Bonus::kExtraDie).left() == 0 || extra_picks(state) == 0)) {
    refuse("phase", "is \"extra\", but no extra die can be used");
  }
}

// [O2-97]
inline void Optimus2::check_cascade(const State& state) const {
  using namespace optimus2;
  const Die die = die_of(state.cascade);
  const Die picked = die == kWhite ? kSilver : kWhite;
  if (state.phase != Phase::kPick) refuse("cascade", "occurs in phase \"pick\" only");
  const bool leftovers = options_.silver_cascade_leftovers && state.roll == kRollsPerTurn;
  const auto swept = static_cast<DiceSet>(state.dice.platter | (leftovers ? state.dice.pool : 0));
  if ((swept >> die & 1) == 0 || (state.dice.fields >> picked & 1) == 0) {
    refuse("cascade", "is " + quoted(kCascadeNames[static_cast<int>(state.cascade)]) +
                          ", but that die has not been swept by the other of white and silver");
  }
  if (own_sheet(state).open_rows(state.dice.face(die)) == 0) {
    refuse("cascade", "has no open row for the " + std::to_string(state.dice.face(die)));
  }
  BonusCounts due{};
  for (const Bonus bonus : state.due) ++count_of(due, bonus);
  for (int number = 1; number <= kFaces; ++number) {
    if (own_sheet(state).open_rows(number) == 0) --count_of(due, kSilverColumn[number - 1]);
  }
  if (std::ranges::max(due) > 0) {
    refuse("due", "has a bonus whose silver column is not complete");
  }
}

}  // namespace tabletop
