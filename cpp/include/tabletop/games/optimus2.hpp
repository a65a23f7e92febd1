// Optimus 2: rules in docs/rules/optimus2.md.
//
// A phase says what the turn is at. Whatever it is, a free row of a silver cascade and the bonuses
// that have fallen due are settled first; when nothing is due any more, the turn goes on by itself
// to the next node. Members that are not here are in optimus2/: what may happen at a node in
// listing.hpp, what a position looks like outside in position.hpp, and what is checked of one that
// comes from there in checks.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tabletop/game.hpp"
#include "tabletop/games/optimus2/dice.hpp"
#include "tabletop/games/optimus2/marks.hpp"
#include "tabletop/games/optimus2/printed.hpp"
#include "tabletop/games/optimus2/sheet.hpp"

namespace tabletop {

namespace optimus2 {

enum class Phase : std::uint8_t {
  kRound,        // the bonus of a new round
  kReturn,       // window before a roll: return dice from the platter
  kRoll,         // chance, die by die
  kPick,         // the active player picks a die, or rerolls
  kPassiveRoll,  // solo: chance, die by die
  kTray,         // solo: chance, which of the tied dice are the lowest
  kPassive,      // a passive player picks a die
  kExtra,        // window at the end of a player's turn: extra dice
  kOver
};
inline constexpr int kPhases = 9;
inline constexpr const char* kPhaseNames[] = {"round", "return",  "roll",  "pick", "passive_roll",
                                              "tray",  "passive", "extra", "over"};

enum class DieScope : std::uint8_t { kRound, kTurn };
enum class PassPolicy : std::uint8_t { kFree, kOnlyWhenStuck };

// The die that awaits its free row at the end of a silver cascade.
enum class Cascade : std::uint8_t { kNone, kWhite, kSilver };
inline constexpr int kCascades = 3;
inline constexpr const char* kCascadeNames[] = {"-", "white", "silver"};

constexpr Die die_of(Cascade cascade) { return cascade == Cascade::kWhite ? kWhite : kSilver; }

}  // namespace optimus2

class Optimus2 {
 public:
  static constexpr const char* kName = "optimus2";
  static constexpr const char* kVersion = "1";

  // Chance outcomes: 6 * die + face - 1; with one player also the trios on the platter.
  static constexpr int kMaxActions = optimus2::kActions;
  static constexpr Action kTrioOutcome = optimus2::kDice * optimus2::kFaces;
  static constexpr int kMaxOutcomes = kTrioOutcome + optimus2::kTrios;

  using Area = optimus2::Area;
  using Bonus = optimus2::Bonus;
  using Cascade = optimus2::Cascade;
  using Dice = optimus2::Dice;
  using DiceSet = optimus2::DiceSet;
  using DueList = optimus2::DueList;
  using Phase = optimus2::Phase;
  using Sheet = optimus2::Sheet;

  struct Options {
    int players = 1;
    bool silver_cascade_leftovers = false;
    optimus2::DieScope extra_die_scope = optimus2::DieScope::kRound;
    bool return_before_reroll = false;
    optimus2::PassPolicy pass_policy = optimus2::PassPolicy::kFree;
    bool fox_floor_zero = false;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    using optimus2::DieScope, optimus2::PassPolicy;
    visit.choice("players", options.players, {1, 2, 3, 4}, "Number of seats.");
    visit.flag(
        "silver_cascade_leftovers", options.silver_cascade_leftovers,
        "Whether a silver choice on the third roll also crosses the dice that nobody chose.");
    visit.choice(
        "extra_die_scope", options.extra_die_scope,
        {Named<DieScope>{"round", DieScope::kRound}, Named<DieScope>{"turn", DieScope::kTurn}},
        "Whether extra dice use each die once a round, or once at the end of each turn.");
    visit.flag("return_before_reroll", options.return_before_reroll,
               "Whether dice can also be returned between the decision to reroll and the throw.");
    visit.choice("pass_policy", options.pass_policy,
                 {Named<PassPolicy>{"free", PassPolicy::kFree},
                  Named<PassPolicy>{"only_when_stuck", PassPolicy::kOnlyWhenStuck}},
                 "Whether the active player may pass always, or only when no die can be marked.");
    visit.flag("fox_floor_zero", options.fox_floor_zero,
               "Whether foxes are worth 0 at least when green is negative.");
  }

  struct State {
    Dice dice;
    Sheet sheets[optimus2::kMaxPlayers];
    DueList due;  // bonuses not booked yet: during a cascade any, else ?s
    Phase phase;
    std::uint8_t round;   // from 1
    std::uint8_t active;  // the seat whose turn it is
    std::uint8_t seat;    // who decides
    std::uint8_t roll;    // 1..3 in the active player's part of a turn, else 0
    Cascade cascade;
    std::uint8_t zero;  // in place of padding
  };

  explicit Optimus2(const Options& options)
      : options_(checked_options<Optimus2>(options)),
        players_(options_.players),
        rounds_(optimus2::rounds_for(options_.players)) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return players_; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return players_ == 1 ? kMaxOutcomes : kTrioOutcome; }
  [[nodiscard]] int max_length() const;
  [[nodiscard]] double min_utility() const;
  [[nodiscard]] double max_utility() const { return players_ == 1 ? 927.0 : 1.0; }

  // --- Nodes -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    State state{};
    begin_round(state);
    return state;
  }

  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    if (is_roll(state) || state.phase == Phase::kTray) return kChance;
    return state.phase == Phase::kOver ? kTerminal : state.seat;
  }

  [[nodiscard]] bool is_truncated(const State& /*state*/) const noexcept { return false; }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept;
  // The same choice as from the list.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept;
  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept;
  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept;

  void apply(State& state, Action action) const noexcept;

  void resolve_chance(State& state, Rng& rng) const noexcept {
    for (;;) {
      if (is_roll(state)) {
        state.dice.throw_all(rng);
        end_roll(state);
      } else if (state.phase == Phase::kTray) {
        lay_tray(state, pick_outcome(state, rng));
      } else {
        return;
      }
    }
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    for (Seat seat = 0; seat < players_; ++seat) {
      scores[static_cast<std::size_t>(seat)] = total(state.sheets[seat]);
    }
  }

  [[nodiscard]] SeatSet winners(const State& state) const noexcept;

  // Nothing is hidden.
  [[nodiscard]] State resample(const State& state, Seat /*observer*/, Rng& /*rng*/) const noexcept {
    return state;
  }

  // The band of a solo result.
  [[nodiscard]] static const char* rating(int total) noexcept {
    for (const optimus2::Rating& band : optimus2::kRatings) {
      if (total >= band.least) return band.label;
    }
    return optimus2::kLowestRating;
  }

  // --- Outside -----------------------------------------------------------------------------------

  [[nodiscard]] std::string action_to_string(Action action) const;
  [[nodiscard]] std::string outcome_to_string(Action outcome) const;
  [[nodiscard]] std::string to_string(const State& state) const;
  [[nodiscard]] Value to_dict(const State& state) const { return describe(state, std::nullopt); }
  [[nodiscard]] Value view(const State& state, Seat observer) const {
    return describe(state, observer);
  }
  [[nodiscard]] std::vector<ObservationField> observation_fields() const;
  void observe(const State& state, Seat observer, std::span<float> tensor) const noexcept;
  void encode(const State& state, ByteWriter& bytes) const;
  [[nodiscard]] State from_dict(const Value& dict) const;
  [[nodiscard]] State decode(ByteReader& bytes) const;

 private:
  // The legal decisions of a node in ascending order: first + i for every bit i. Where dice can be
  // picked these are the three plain decisions; the choices of a pick follow, those of the dice in
  // their own areas, then those of the white die.
  struct Menu {
    Action first;
    std::uint32_t bits;
    bool has_picks = false;
  };
  static constexpr int kFirstPick = optimus2::kReroll + 1;

  [[nodiscard]] Menu menu_of(const State& state) const noexcept;
  [[nodiscard]] static Menu pick_menu(std::uint32_t plain, std::uint32_t choices) noexcept;
  [[nodiscard]] static Action action_of(const State& state, const Menu& menu, int bit) noexcept;
  [[nodiscard]] static std::uint32_t picks(const State& state, DiceSet dice) noexcept;
  [[nodiscard]] static std::uint32_t passive_picks(const State& state) noexcept;
  [[nodiscard]] static std::uint32_t extra_picks(const State& state) noexcept;

  static bool is_roll(const State& state) noexcept {
    return state.phase == Phase::kRoll || state.phase == Phase::kPassiveRoll;
  }

  static Sheet& own_sheet(State& state) noexcept { return state.sheets[state.seat]; }
  static const Sheet& own_sheet(const State& state) noexcept { return state.sheets[state.seat]; }
  [[nodiscard]] int total(const Sheet& sheet) const noexcept {
    const optimus2::AreaPoints points = sheet.points();
    int sum = sheet.foxes * optimus2::fox_value(points, options_.fox_floor_zero);
    for (const int area : points) sum += area;
    return sum;
  }

  // Rounds and turns
  void begin_round(State& state) const noexcept;
  void give_round_bonus(State& state, Seat seat) const noexcept;
  void begin_turn(State& state) const noexcept;
  void end_turn(State& state) const noexcept;

  void act(State& state, Action action) const noexcept;
  // The active player's rolls
  void next_roll(State& state) const noexcept;
  void throw_dice(State& state) const noexcept;
  static void show(State& state, Action outcome) noexcept;
  void end_roll(State& state) const noexcept;
  void return_die(State& state, Action action) const noexcept;
  void reroll(State& state) const noexcept;
  static bool may_return(const State& state) noexcept;

  // Picks and what they earn
  void pick(State& state, Action action) const noexcept;
  void cascade(State& state, DiceSet swept, DueList& earned) const noexcept;
  void mark_freely(State& state, Action action) const noexcept;
  void settle(State& state, const DueList& earned) const noexcept;
  static bool applicable(const State& state, Bonus choice) noexcept;
  void next_step(State& state) const noexcept;

  // Windows at the end of a turn, passive players
  void open_window(State& state) const noexcept;
  void offer_extra_dice(State& state) const noexcept;
  void close_window(State& state) const noexcept;
  void ask_passive(State& state) const noexcept;
  void lay_tray(State& state, Action outcome) const noexcept;
  void lay_lowest(State& state, DiceSet trio) const noexcept;

  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  void check(const State& state) const;
  void check_seats(const State& state) const;
  void check_dice(const State& state) const;
  static void check_throw(const State& state);
  static void check_rolls(const State& state);
  void check_rest(const State& state) const;
  void check_sheets(const State& state) const;
  void check_pending(const State& state) const;
  void check_cascade(const State& state) const;

  Options options_;
  int players_;
  int rounds_;
};

// --- Sizes ---------------------------------------------------------------------------------------

// [O2-79] In a turn the active player has at most three picks, three free rows, two windows between
// rolls and one at the end, others a pick and a window; in a game each player uses eighteen actions
// and 24 ?s, the black one by two decisions.
inline int Optimus2::max_length() const {
  constexpr int kActive = 9, kPassive = 2, kActionsAndChoices = 18 + 25;
  const int windows = options_.return_before_reroll ? optimus2::kBarSlots : 0;
  const int turns = rounds_ * (kActive + kPassive * std::max(players_ - 1, 1));
  return players_ * (turns + kActionsAndChoices + windows);
}

// [O2-78] A solo score, if every green pair loses what it can and six foxes multiply that.
inline double Optimus2::min_utility() const {
  if (players_ > 1) return -1.0 / (players_ - 1);
  return options_.fox_floor_zero ? -43.0 : -301.0;
}

// --- What an action does -------------------------------------------------------------------------

inline void Optimus2::apply(State& state, Action action) const noexcept {
  if (!is_roll(state)) return act(state, action);
  show(state, action);
  if (state.dice.in_hand == 0) end_roll(state);
}

inline void Optimus2::act(State& state, Action action) const noexcept {
  using namespace optimus2;
  if (state.phase == Phase::kTray) return lay_tray(state, action);
  if (state.cascade != Cascade::kNone || !state.due.empty()) return mark_freely(state, action);
  if (state.phase == Phase::kReturn) return return_die(state, action);
  if (action == kPass) return next_step(state);
  if (action == kReroll) return reroll(state);
  if (action == kGoOn) return close_window(state);
  pick(state, action);
}

// --- Rounds and turns ----------------------------------------------------------------------------

// [O2-3, O2-4]
inline void Optimus2::begin_round(State& state) const noexcept {
  ++state.round;
  state.phase = Phase::kRound;
  state.active = 0;
  state.dice.take_up_all();
  for (Seat seat = 0; seat < players_; ++seat) state.sheets[seat].dice_used = 0;
  give_round_bonus(state, 0);
}

inline void Optimus2::give_round_bonus(State& state, Seat seat) const noexcept {
  if (seat == players_) return begin_turn(state);
  state.seat = to_byte(seat);
  DueList earned{};
  const Bonus bonus = optimus2::kRoundBonus[state.round - 1];
  if (bonus != Bonus::kNone) earned.push_back(bonus);
  settle(state, earned);
}

inline void Optimus2::begin_turn(State& state) const noexcept {
  state.seat = state.active;
  state.dice.take_up_all();
  next_roll(state);
}

inline void Optimus2::end_turn(State& state) const noexcept {
  if (state.active + 1 < players_) {
    ++state.active;
    begin_turn(state);
  } else if (state.round < rounds_) {
    begin_round(state);
  } else {
    state.phase = Phase::kOver;
  }
}

// --- The active player's rolls -------------------------------------------------------------------

// [O2-35, O2-50, O2-81]
inline void Optimus2::next_roll(State& state) const noexcept {
  if (state.roll == optimus2::kRollsPerTurn) return open_window(state);
  ++state.roll;
  state.dice.take_up(state.dice.pool);
  if (!may_return(state)) return throw_dice(state);
  state.phase = Phase::kReturn;
}

// [O2-39, O2-51] With no die to throw the rolls are over.
inline void Optimus2::throw_dice(State& state) const noexcept {
  if (state.dice.pool == 0) return open_window(state);
  state.phase = Phase::kRoll;
}

// [O2-36, O2-65]
inline void Optimus2::show(State& state, Action outcome) noexcept {
  const int die = state.dice.next();
  state.dice.show(die, outcome - optimus2::kFaces * die + 1);
}

inline void Optimus2::end_roll(State& state) const noexcept {
  if (state.phase == Phase::kRoll) {
    state.phase = Phase::kPick;
    return;
  }
  const Dice::Lowest lowest = state.dice.lowest();
  if (lowest.decided()) return lay_lowest(state, static_cast<DiceSet>(lowest.sure | lowest.tied));
  state.phase = Phase::kTray;
}

inline bool Optimus2::may_return(const State& state) noexcept {
  return state.dice.platter != 0 && own_sheet(state).bar(Bonus::kReturn).left() > 0;
}

// [O2-49, O2-51]
inline void Optimus2::return_die(State& state, Action action) const noexcept {
  if (action == optimus2::kGoOn) return throw_dice(state);
  ++own_sheet(state).bar(Bonus::kReturn).used;
  state.dice.return_die(action - optimus2::kReturnDie);
  if (!may_return(state)) throw_dice(state);
}

// [O2-48, O2-53]
inline void Optimus2::reroll(State& state) const noexcept {
  ++own_sheet(state).bar(Bonus::kReroll).used;
  state.dice.take_up(state.dice.pool);
  const bool window = options_.return_before_reroll && may_return(state);
  state.phase = window ? Phase::kReturn : Phase::kRoll;
}

// --- Picks and what they earn --------------------------------------------------------------------

// [O2-28, O2-54] By the active player, by a passive one, or as an extra die.
inline void Optimus2::pick(State& state, Action action) const noexcept {
  using namespace optimus2;
  const bool white = action >= kWhitePick;
  const int mark = action - (white ? kWhitePick : kOwnPick);
  const Area area = area_of_mark(mark);
  const Die die = white ? kWhite : kDieOfArea[static_cast<int>(area)];
  Sheet& sheet = own_sheet(state);
  DueList earned{};
  sheet.make(mark, earned);
  if (state.phase == Phase::kPick) {
    const DiceSet swept = state.dice.pick(die);
    if (area == Area::kSilver) cascade(state, swept, earned);
    if (state.cascade != Cascade::kNone) return;
  } else if (state.phase == Phase::kExtra) {
    ++sheet.bar(Bonus::kExtraDie).used;
    sheet.dice_used = static_cast<DiceSet>(sheet.dice_used | only(die));
  }
  settle(state, earned);
}

// [O2-42 .. O2-47] The dice swept by a silver pick are marked as well, the coloured ones in their
// own rows. A free row for the white or silver die among them is a decision.
inline void Optimus2::cascade(State& state, DiceSet swept, DueList& earned) const noexcept {
  using namespace optimus2;
  if (options_.silver_cascade_leftovers && state.roll == kRollsPerTurn) {
    swept = static_cast<DiceSet>(swept | state.dice.pool);
  }
  Sheet& sheet = own_sheet(state);
  std::uint64_t cells = 0;
  for (int row = 0; row < kRows; ++row) {
    const Die die = kDieOfRow[row];
    cells |= (std::uint64_t{swept} >> die & 1) * silver_bit(row, state.dice.face(die));
  }
  sheet.cross_silver(cells, earned);
  const Cascade last = (swept >> kWhite & 1) != 0 ? Cascade::kWhite : Cascade::kSilver;
  if ((swept >> die_of(last) & 1) == 0) return;
  if (sheet.open_rows(state.dice.face(die_of(last))) == 0) return;
  state.cascade = last;
  state.due = earned;
}

// The free row of a cascade, the area of a black ?, or the mark of a ?.
inline void Optimus2::mark_freely(State& state, Action action) const noexcept {
  using namespace optimus2;
  if (action < kFreeMark) {
    state.due.replace(0, choice_in(static_cast<Area>(action - kChoose)));
    return;
  }
  DueList earned{};
  if (state.cascade != Cascade::kNone) {
    std::swap(earned, state.due);
    state.cascade = Cascade::kNone;
  } else {
    state.due.remove(state.due[0]);
  }
  own_sheet(state).make(action - kFreeMark, earned);
  settle(state, earned);
}

// [O2-30 .. O2-34] Books what has been earned; then the first ? that can be used is a decision, or
// the turn goes on.
inline void Optimus2::settle(State& state, const DueList& earned) const noexcept {
  for (Bonus bonus : earned) {
    if (is_automatic(bonus)) bonus = own_sheet(state).book(bonus);
    if (bonus != Bonus::kNone) state.due.push_back(bonus);
  }
  while (!state.due.empty()) {
    if (applicable(state, state.due[0])) return;
    state.due.remove(state.due[0]);
  }
  next_step(state);
}

inline bool Optimus2::applicable(const State& state, Bonus choice) noexcept {
  const Sheet& sheet = own_sheet(state);
  if (choice == Bonus::kAnyArea) return sheet.open_areas() != 0;
  return sheet.can_mark(area_of(choice));
}

// Nothing is due any more: the next step of the phase.
inline void Optimus2::next_step(State& state) const noexcept {
  switch (state.phase) {
    case Phase::kRound:
      return give_round_bonus(state, state.seat + 1);
    case Phase::kPick:
      return next_roll(state);
    case Phase::kPassive:
      return open_window(state);
    default:
      return offer_extra_dice(state);
  }
}

// --- Windows at the end of a turn, passive players -----------------------------------------------

// [O2-40, O2-55, O2-57]
inline void Optimus2::open_window(State& state) const noexcept {
  state.dice.sweep(state.dice.pool);
  state.phase = Phase::kExtra;
  if (options_.extra_die_scope == optimus2::DieScope::kTurn) own_sheet(state).dice_used = 0;
  offer_extra_dice(state);
}

inline void Optimus2::offer_extra_dice(State& state) const noexcept {
  const bool left = own_sheet(state).bar(Bonus::kExtraDie).left() > 0;
  if (!left || extra_picks(state) == 0) close_window(state);
}

// [O2-60, O2-64]
inline void Optimus2::close_window(State& state) const noexcept {
  if (players_ > 1) {
    state.roll = 0;
    const Seat next = state.seat + 1 < players_ ? state.seat + 1 : 0;
    if (next == state.active) return end_turn(state);
    state.seat = to_byte(next);
    return ask_passive(state);
  }
  if (state.roll == 0) return end_turn(state);
  state.roll = 0;
  state.dice.take_up_all();
  state.phase = Phase::kPassiveRoll;
}

inline void Optimus2::ask_passive(State& state) const noexcept {
  state.phase = Phase::kPassive;
  if (passive_picks(state) == 0) open_window(state);
}

inline void Optimus2::lay_tray(State& state, Action outcome) const noexcept {
  lay_lowest(state, optimus2::kTrio[static_cast<std::size_t>(outcome - kTrioOutcome)]);
}

inline void Optimus2::lay_lowest(State& state, DiceSet trio) const noexcept {
  state.dice.put_trio(trio);
  ask_passive(state);
}

// --- The result ----------------------------------------------------------------------------------

// [O2-76] The highest total wins; among equals the highest single area.
inline SeatSet Optimus2::winners(const State& state) const noexcept {
  SeatSet best;
  if (state.phase != Phase::kOver) return best;
  std::pair<int, int> highest;
  for (Seat seat = 0; seat < players_; ++seat) {
    const std::pair result{total(state.sheets[seat]),
                           std::ranges::max(state.sheets[seat].points())};
    if (best.empty() || result > highest) {
      best = SeatSet();
      highest = result;
    }
    if (result == highest) best.add(seat);
  }
  return best;
}

}  // namespace tabletop

#include "tabletop/games/optimus2/checks.hpp"
#include "tabletop/games/optimus2/listing.hpp"
#include "tabletop/games/optimus2/position.hpp"

namespace tabletop {

static_assert(GameRules<Optimus2> && PicksActions<Optimus2> && PicksOutcomes<Optimus2> &&
              ResolvesChance<Optimus2>);

}  // namespace tabletop
