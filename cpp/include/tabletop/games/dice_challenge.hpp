// Dice Challenge: rules in docs/rules/dice_challenge.md. Clauses are cited as [DC-n].
//
// Equal dice are counted by face, and a roll is one event over multisets. What the boards hold is
// the race of mechanics/score_board.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/game.hpp"
#include "tabletop/mechanics/dice_multisets.hpp"
#include "tabletop/mechanics/score_board.hpp"

namespace tabletop {

namespace dice_challenge {

inline constexpr int kFaces = ingenious::kSymbols;
inline constexpr int kMaxDice = 4;
inline constexpr int kMaxRolls = 3;          // in a turn
inline constexpr int kWilds = kMaxDice - 1;  // wild 1, 2, 3

// The dice of each player [DC-2].
constexpr DiceRoll dice_for(int players) {
  return players == 2   ? DiceRoll(kDiceMultisets<kFaces, 4>)
         : players == 3 ? DiceRoll(kDiceMultisets<kFaces, 3>)
                        : DiceRoll(kDiceMultisets<kFaces, 2>);
}

enum class Phase : std::uint8_t { kOpening, kRoll, kReroll, kResolve, kOver };
inline constexpr const char* kPhaseNames[] = {"opening", "roll", "reroll", "resolve", "over"};

}  // namespace dice_challenge

class DiceChallenge {
 public:
  static constexpr const char* kName = "dice_challenge";
  static constexpr const char* kVersion = "1";

  // Decisions: 0 stop, 1 reroll, 2 match by source symbol, 8 wild by source, k - 1 and target.
  // Chance outcomes: the multisets of the dice in lexicographic order of their sorted faces.
  static constexpr Action kStop = 0, kReroll = 1, kMatch = 2;
  static constexpr Action kWild = kMatch + dice_challenge::kFaces;
  static constexpr int kMaxActions =
      kWild + dice_challenge::kFaces * dice_challenge::kWilds * ingenious::kSymbols;
  static constexpr int kMaxOutcomes =
      DiceMultisets<dice_challenge::kFaces, dice_challenge::kMaxDice>::kOutcomes;

  using Gates = ingenious::Gates;
  using Phase = dice_challenge::Phase;
  using Race = ingenious::Race;
  using SymbolCounts = ingenious::SymbolCounts;

  struct Options {
    int players = 2;
    Gates gate_test = Gates::kStepwise;
    int max_turns = 1000;
    int no_progress_limit = 100;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    ingenious::visit_players(visit, options.players);
    ingenious::visit_gate_test(visit, options.gate_test);
    ingenious::visit_caps(visit, options.max_turns, options.no_progress_limit);
  }

  struct State {
    Race race;
    SymbolCounts dice[ingenious::kMaxPlayers];  // as they lie in front of each seat
    SymbolCounts unused;                        // those of the seat that resolves its roll
    Phase phase;
    std::uint8_t rolls_used;  // in this turn; 0 outside roll and reroll
    std::uint8_t zeros[2];    // in place of padding
  };

  explicit DiceChallenge(const Options& options)
      : options_(checked_options<DiceChallenge>(options)),
        board_({.players = options_.players,
                .gates = options_.gate_test,
                .last_hole = ingenious::kLastHole,
                .goal = ingenious::kGoal,
                .max_turns = static_cast<std::uint32_t>(options_.max_turns),
                .no_progress_limit = static_cast<std::uint32_t>(options_.no_progress_limit)}),
        roll_(dice_challenge::dice_for(options_.players)),
        players_(options_.players) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return players_; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return roll_.outcomes(); }
  // Two rerolls and as many uses as dice in each turn [DC-31].
  [[nodiscard]] int max_length() const {
    return options_.max_turns * (dice_challenge::kMaxRolls - 1 + roll_.dice());
  }
  [[nodiscard]] double min_utility() const { return -1.0 / (players_ - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }

  // --- Nodes -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept { return {}; }

  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    if (state.phase == Phase::kResolve || state.phase == Phase::kReroll) return state.race.seat;
    return state.phase == Phase::kOver ? kTerminal : kChance;
  }

  [[nodiscard]] bool is_truncated(const State& state) const noexcept {
    return state.race.truncated != 0;
  }

  // A wild group needs two equal dice or more [DC-18] and may name any target [DC-19].
  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept {
    if (state.phase == Phase::kReroll) {
      actions.add_bits(kStop, 0b11);
      return;
    }
    actions.add_bits(kMatch, state.unused.members());
    for (int source = 0; source < dice_challenge::kFaces; ++source) {
      actions.add_bits(wild(source, 1, 0), kWildsOf[state.unused[source]]);
    }
  }

  // The same choice as from the list. Beyond the first of its symbol, every unused die adds one
  // wild group, with a choice of targets.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    if (state.phase == Phase::kReroll) return kStop + below(rng, 2);
    const SymbolCounts sources = state.unused.at_least(1), groups = state.unused - sources;
    const int matches = sources.total();
    int k = below(rng, matches + ingenious::kSymbols * groups.total());
    if (k < matches) return kMatch + sources.nth(k);
    k -= matches;
    const int target = k % ingenious::kSymbols;
    const int group = k / ingenious::kSymbols, source = groups.nth(group);
    return wild(source, group - groups.before(source) + 1, target);
  }

  void chance_outcomes(const State& /*state*/, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    for (int outcome = 0; outcome < roll_.outcomes(); ++outcome) {
      outcomes.add(outcome, static_cast<std::uint32_t>(roll_.weight(outcome)));
    }
  }

  [[nodiscard]] Action pick_outcome(const State& /*state*/, Rng& rng) const noexcept {
    return roll_.outcome_at(rng.below(static_cast<std::uint64_t>(roll_.rolls())));
  }

  void apply(State& state, Action action) const noexcept {
    switch (state.phase) {
      case Phase::kResolve:
        return use(state, action);
      case Phase::kRoll:
        return roll(state, action);
      case Phase::kReroll:
        if (action == kStop) return resolve(state);
        state.phase = Phase::kRoll;
        return;
      default:
        return open(state, action);
    }
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    board_.scores(state.race, scores);
  }

  [[nodiscard]] SeatSet winners(const State& state) const noexcept {
    return state.phase == Phase::kOver ? board_.winners(state.race) : SeatSet();
  }

  // Nothing is hidden [DC-36].
  [[nodiscard]] State resample(const State& state, Seat /*observer*/, Rng& /*rng*/) const noexcept {
    return state;
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
  // Any target for all dice of a face but one, as bits.
  static constexpr std::uint64_t kWildsOf[] = {0, 0, 0x3F, 0xFFF, 0x3FFFF};
  static_assert(std::size(kWildsOf) == dice_challenge::kWilds + 2);

  static constexpr Action wild(int source, int k, int target) {
    return kWild + (source * dice_challenge::kWilds + k - 1) * ingenious::kSymbols + target;
  }

  // --- The setup ---------------------------------------------------------------------------------

  // One roll for each seat, which scores nothing [DC-7].
  void open(State& state, int outcome) const noexcept {
    throw_dice(state, outcome);
    if (state.race.seat + 1 < players_) {
      ++state.race.seat;
    } else {
      state.race.seat = 0;
      state.phase = Phase::kRoll;
    }
  }

  void throw_dice(State& state, int outcome) const noexcept {
    SymbolCounts dice;
    for (const std::uint8_t face : roll_.faces(outcome)) dice.add(face, 1);
    state.dice[state.race.seat] = dice;
  }

  // --- The turn ----------------------------------------------------------------------------------

  void roll(State& state, int outcome) const noexcept {
    throw_dice(state, outcome);
    ++state.rolls_used;
    if (state.rolls_used < dice_challenge::kMaxRolls) {
      state.phase = Phase::kReroll;
    } else {
      resolve(state);  // the third roll stands [DC-10]
    }
  }

  static void resolve(State& state) noexcept {
    state.rolls_used = 0;
    state.unused = state.dice[state.race.seat];
    state.phase = Phase::kResolve;
  }

  // A match uses one die [DC-15], a wild group k + 1 of them [DC-18]; all have to be used [DC-14].
  void use(State& state, Action action) const noexcept {
    if (action < kWild) {
      const int source = action - kMatch;
      state.unused.add(source, -1);
      board_.advance(state.race, source, opposing(state, source));
    } else {
      const int group = (action - kWild) / ingenious::kSymbols;
      const int k = group % dice_challenge::kWilds + 1;
      state.unused.add(group / dice_challenge::kWilds, -(k + 1));
      board_.advance(state.race, (action - kWild) % ingenious::kSymbols, k);
    }
    if (!state.unused.empty()) return;
    if (board_.finish_turn(state.race)) {
      state.phase = Phase::kOver;
    } else {
      board_.pass_turn(state.race);
      state.phase = Phase::kRoll;
    }
  }

  // The dice of all other seats with this face, as they lie [DC-22].
  static int opposing(const State& state, int face) noexcept {
    SymbolCounts dice;
    for (const SymbolCounts own : state.dice) dice += own;
    return dice[face] - state.dice[state.race.seat][face];
  }

  // --- Outside, continued ------------------------------------------------------------------------

  static const char* phase_name(const State& state) {
    return dice_challenge::kPhaseNames[static_cast<int>(state.phase)];
  }
  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  [[nodiscard]] SymbolCounts decode_dice(ByteReader& bytes) const;
  void check(const State& state) const;
  void check_dice(const State& state) const;
  void check_roll(const State& state) const;

  Options options_;
  ingenious::ScoreBoard board_;
  DiceRoll roll_;
  int players_;
};

// --- Text ----------------------------------------------------------------------------------------

inline std::string DiceChallenge::action_to_string(Action action) const {
  using ingenious::kSymbolNames;
  if (action == kStop) return "stop";
  if (action == kReroll) return "reroll";
  if (action < kWild) return std::string("match ") + kSymbolNames[action - kMatch];
  const int group = (action - kWild) / ingenious::kSymbols;
  return "wild " + std::to_string(group % dice_challenge::kWilds + 1) + " with " +
         kSymbolNames[group / dice_challenge::kWilds] + " for " +
         kSymbolNames[(action - kWild) % ingenious::kSymbols];
}

inline std::string DiceChallenge::outcome_to_string(Action outcome) const {
  std::string text = "roll";
  for (const std::uint8_t face : roll_.faces(outcome)) {
    text += std::string(" ") + ingenious::kSymbolNames[face];
  }
  return text;
}

inline std::string DiceChallenge::to_string(const State& state) const {
  std::string text =
      board_.heading(kName, phase_name(state), state.phase == Phase::kOver, state.race);
  for (Seat seat = 0; seat < players_; ++seat) {
    text += "\nseat " + std::to_string(seat) + ": pegs" +
            ingenious::numbers_text(state.race.pegs[seat].numbers()) + ", dice" +
            ingenious::items_text(state.dice[seat]);
  }
  text += "\nunused:" + ingenious::items_text(state.unused);
  text += "\nrolls used: " + std::to_string(state.rolls_used);
  return text + "\nbonus turns: " + std::to_string(state.race.pending_bonus);
}

// --- Dictionaries and observations ---------------------------------------------------------------

inline Value DiceChallenge::describe(const State& state, std::optional<Seat> observer) const {
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  board_.describe(state.race, phase_name(state), dict);
  dict.emplace_back("rolls_used", state.rolls_used);
  dict.emplace_back("moved", state.race.moved != 0);
  dict.emplace_back("pegs", board_.pegs(state.race));
  Value::List dice;
  for (Seat seat = 0; seat < players_; ++seat) {
    dice.push_back(ingenious::items_value(state.dice[seat]));
  }
  dict.emplace_back("dice", std::move(dice));
  dict.emplace_back("unused", ingenious::items_value(state.unused));
  dict.emplace_back("truncated", state.race.truncated != 0);
  return dict;
}

inline std::vector<ObservationField> DiceChallenge::observation_fields() const {
  std::vector<ObservationField> fields = board_.fields("opening, roll, reroll, resolve, over");
  fields.push_back({"rolls_used", {1}, "rolls made in this turn, 0 outside roll and reroll"});
  fields.push_back({"moved", {1}, "1 if a peg has moved in this turn, 0 outside resolve"});
  fields.push_back(board_.pegs_field());
  fields.push_back({"dice", {players_, dice_challenge::kFaces}, "dice of each seat, by symbol"});
  fields.push_back(
      {"unused", {dice_challenge::kFaces}, "dice still to be used in this turn, by symbol"});
  fields.push_back({"truncated", {1}, "1 if the game was truncated"});
  return fields;
}

inline void DiceChallenge::observe(const State& state, Seat observer,
                                   std::span<float> tensor) const noexcept {
  TensorWriter out(tensor);
  board_.observe(state.race, static_cast<int>(state.phase), observer, out);
  out.number(state.rolls_used);
  out.number(state.race.moved);
  board_.observe_pegs(state.race, out);
  for (Seat seat = 0; seat < players_; ++seat) out.numbers(state.dice[seat].numbers());
  out.numbers(state.unused.numbers());
  out.number(state.race.truncated);
}

inline DiceChallenge::State DiceChallenge::from_dict(const Value& dict) const {
  const DictReader in(dict);
  in.expect_keys({"phase", "seat", "turns", "idle", "pending_bonus", "rolls_used", "moved", "pegs",
                  "dice", "unused", "truncated"});
  State state = initial_state();
  state.phase = static_cast<Phase>(in.at("phase").one_of(dice_challenge::kPhaseNames));
  board_.read(in, state.race);
  state.rolls_used = to_byte(in.at("rolls_used").integer(0, dice_challenge::kMaxRolls - 1));
  state.race.moved = in.at("moved").flag() ? 1 : 0;
  const DictReader dice = in.at("dice");
  (void)dice.length(players_, players_);
  for (Seat seat = 0; seat < players_; ++seat) {
    state.dice[seat] = ingenious::read_items<SymbolCounts>(dice.at(seat), roll_.dice());
  }
  state.unused = ingenious::read_items<SymbolCounts>(in.at("unused"), roll_.dice());
  check(state);
  return state;
}

// --- Bytes ---------------------------------------------------------------------------------------

inline void DiceChallenge::encode(const State& state, ByteWriter& bytes) const {
  board_.encode(state.race, static_cast<int>(state.phase), bytes);
  bytes.u8(state.rolls_used);
  bytes.u8(state.race.moved);
  board_.encode_pegs(state.race, bytes);
  for (Seat seat = 0; seat < players_; ++seat) bytes.each_u8(state.dice[seat].numbers());
  bytes.each_u8(state.unused.numbers());
  bytes.u8(state.race.truncated);
}

inline DiceChallenge::State DiceChallenge::decode(ByteReader& bytes) const {
  State state = initial_state();
  state.phase = static_cast<Phase>(board_.decode(bytes, state.race));
  state.rolls_used = to_byte(bytes.u8(0, dice_challenge::kMaxRolls - 1, "the rolls used"));
  state.race.moved = to_byte(bytes.u8(0, 1, "whether a peg has moved"));
  board_.decode_pegs(bytes, state.race);
  for (Seat seat = 0; seat < players_; ++seat) state.dice[seat] = decode_dice(bytes);
  state.unused = decode_dice(bytes);
  state.race.truncated = to_byte(bytes.u8(0, 1, "whether the game was truncated"));
  check(state);
  return state;
}

inline DiceChallenge::SymbolCounts DiceChallenge::decode_dice(ByteReader& bytes) const {
  SymbolCounts dice;
  for (int face = 0; face < dice_challenge::kFaces; ++face) {
    dice.add(face, bytes.u8(0, roll_.dice(), "a number of dice"));
  }
  return dice;
}

// --- Checks --------------------------------------------------------------------------------------

inline void DiceChallenge::check(const State& state) const {
  check_dice(state);
  check_roll(state);
  board_.check(state.race, state.phase == Phase::kOver);
  if (state.phase == Phase::kOpening) board_.check_setup(state.race, state.race.seat);
}

// Each seat has its dice; during the opening rolls those before the seat that rolls [DC-39]. Unused
// ones are some of them [DC-42], [DC-43].
inline void DiceChallenge::check_dice(const State& state) const {
  const bool opening = state.phase == Phase::kOpening;
  for (Seat seat = 0; seat < players_; ++seat) {
    const int right = opening && seat >= state.race.seat ? 0 : roll_.dice();
    if (state.dice[seat].total() == right) continue;
    refuse("dice", seat,
           "has " + std::to_string(state.dice[seat].total()) + " dice; in phase \"" +
               phase_name(state) + "\" it must have " + std::to_string(right));
  }
  const SymbolCounts own = state.dice[state.race.seat];
  const bool resolving = state.phase == Phase::kResolve;
  if (state.unused.empty() == resolving) {
    refuse("unused", "must have dice in phase \"resolve\" and only there");
  }
  for (int face = 0; face < dice_challenge::kFaces; ++face) {
    if (state.unused[face] <= own[face]) continue;
    refuse("unused", "has " + std::to_string(state.unused[face]) + " dice that show " +
                         ingenious::kSymbolNames[face] + "; the seat has rolled " +
                         std::to_string(own[face]));
  }
  if (state.race.moved != 0 && (!resolving || state.unused == own)) {
    refuse("moved", "must be False unless dice have been used in phase \"resolve\"");
  }
}

// [DC-41]
inline void DiceChallenge::check_roll(const State& state) const {
  const int least = state.phase == Phase::kReroll ? 1 : 0;
  const bool rolling = state.phase == Phase::kRoll || state.phase == Phase::kReroll;
  const int most = rolling ? dice_challenge::kMaxRolls - 1 : 0;
  if (state.rolls_used < least || state.rolls_used > most) {
    refuse("rolls_used", "is " + std::to_string(state.rolls_used) + "; in phase \"" +
                             phase_name(state) + "\" it must be " + std::to_string(least) + ".." +
                             std::to_string(most));
  }
}

static_assert(GameRules<DiceChallenge> && PicksActions<DiceChallenge> &&
              PicksOutcomes<DiceChallenge>);

}  // namespace tabletop
