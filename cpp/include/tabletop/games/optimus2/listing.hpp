// What may happen at a node of Optimus 2, as lists, and picked from them without a list.
#pragma once

#include <cstdint>

#include "tabletop/bits.hpp"
#include "tabletop/games/optimus2.hpp"

namespace tabletop {

// --- Decisions -----------------------------------------------------------------------------------

inline void Optimus2::legal_actions(const State& state,
                                    ActionSet<kMaxActions>& actions) const noexcept {
  using namespace optimus2;
  const Menu menu = menu_of(state);
  if (!menu.has_picks) return actions.add_bits(menu.first, menu.bits);
  actions.add_bits(menu.first, menu.bits & ((1U << kFirstPick) - 1));
  const std::uint32_t choices = menu.bits >> kFirstPick;
  const auto face = [&](Die die) { return state.dice.face(die); };
  const int sum = state.dice.sum(), white = face(kWhite);
  add_marks(kOwnPick, choices, {face(kSilver), face(kYellow), sum, face(kGreen), face(kPink)},
            actions);
  add_marks(kWhitePick, choices >> kChoices, {white, white, sum, white, white}, actions);
}

// The same choice as from the list.
inline Action Optimus2::pick_action(const State& state, Rng& rng) const noexcept {
  const Menu menu = menu_of(state);
  const auto count = static_cast<std::uint64_t>(count_bits(menu.bits));
  return action_of(state, menu, select_bit(menu.bits, static_cast<int>(rng.below(count))));
}

inline Optimus2::Menu Optimus2::menu_of(const State& state) const noexcept {
  using namespace optimus2;
  if (state.cascade != Cascade::kNone) {
    const int number = state.dice.face(die_of(state.cascade));
    return {kFreeMark + kSilverMark, own_sheet(state).open_silver() & silver_column(number)};
  }
  if (!state.due.empty()) {
    if (state.due[0] == Bonus::kAnyArea) return {kChoose, own_sheet(state).open_areas()};
    const Area area = area_of(state.due[0]);
    return {kFreeMark + first_mark(area), own_sheet(state).open_marks(area)};
  }
  switch (state.phase) {
    case Phase::kReturn:
      return {kGoOn, 1U | std::uint32_t{state.dice.platter} << (kReturnDie - kGoOn)};
    case Phase::kPick: {
      const std::uint32_t choices = picks(state, state.dice.pool);
      const bool may_pass = options_.pass_policy == PassPolicy::kFree || choices == 0;
      const bool may_reroll = own_sheet(state).bar(Bonus::kReroll).left() > 0;
      return pick_menu(std::uint32_t{may_pass} << kPass | std::uint32_t{may_reroll} << kReroll,
                       choices);
    }
    case Phase::kPassive:
      return pick_menu(1U << kPass, passive_picks(state));
    default:
      return pick_menu(1U << kGoOn, extra_picks(state));
  }
}

inline Optimus2::Menu Optimus2::pick_menu(std::uint32_t plain, std::uint32_t choices) noexcept {
  return {optimus2::kPass, plain | choices << kFirstPick, true};
}

// [O2-25 .. O2-28] What the seat may mark with these dice: eleven choices of the own colours,
// eleven of white.
inline std::uint32_t Optimus2::picks(const State& state, DiceSet dice) noexcept {
  using namespace optimus2;
  const Sheet& sheet = own_sheet(state);
  const std::uint64_t open = sheet.open();
  const auto cells = [&](Die die) {  // those of its number
    return static_cast<std::uint32_t>(open >> (8 * (state.dice.face(die) - 1)) & 0xFF);
  };
  const std::uint32_t lines = sheet.line_choices(state.dice.sum());
  constexpr std::uint32_t kRowChoices = (1U << kYellowChoice) - 1;
  const std::uint32_t own =
      (cells(kSilver) & kRowChoices) | (cells(kYellow) & ~kRowChoices) | lines;
  return (own | (cells(kWhite) | lines) << kChoices) & kChoicesOf[dice];
}

// [O2-61, O2-62] A field die stands in when no platter die can be marked.
inline std::uint32_t Optimus2::passive_picks(const State& state) noexcept {
  const std::uint32_t tray = picks(state, state.dice.platter);
  return tray != 0 ? tray : picks(state, state.dice.fields);
}

inline std::uint32_t Optimus2::extra_picks(const State& state) noexcept {
  return picks(state, static_cast<DiceSet>(optimus2::kAllDice & ~own_sheet(state).dice_used));
}

inline Action Optimus2::action_of(const State& state, const Menu& menu, int bit) noexcept {
  using namespace optimus2;
  if (!menu.has_picks || bit < kFirstPick) return menu.first + bit;
  int choice = bit - kFirstPick;
  const bool white = choice >= kChoices;
  if (white) choice -= kChoices;
  const int die = white ? kWhite : kDieOfArea[static_cast<int>(area_of_choice(choice))];
  const int mark = mark_of_choice(choice, state.dice.face(die), state.dice.sum());
  return (white ? kWhitePick : kOwnPick) + mark;
}

// --- Chance --------------------------------------------------------------------------------------

inline void Optimus2::chance_outcomes(const State& state,
                                      ChanceList<kMaxOutcomes>& outcomes) const noexcept {
  if (state.phase == Phase::kTray) {
    for_each_bit(state.dice.lowest().trios(),
                 [&](int trio) { outcomes.add(kTrioOutcome + trio, 1); });
    return;
  }
  const int die = state.dice.next();
  for (int face = 0; face < optimus2::kFaces; ++face) {
    outcomes.add(optimus2::kFaces * die + face, 1);
  }
}

inline Action Optimus2::pick_outcome(const State& state, Rng& rng) const noexcept {
  if (state.phase != Phase::kTray) {
    return optimus2::kFaces * state.dice.next() + static_cast<int>(rng.below(optimus2::kFaces));
  }
  const std::uint32_t trios = state.dice.lowest().trios();
  const auto count = static_cast<std::uint64_t>(count_bits(trios));
  return kTrioOutcome + select_bit(trios, static_cast<int>(rng.below(count)));
}

}  // namespace tabletop
