// Tile Challenge: rules in docs/rules/tile_challenge.md. Clauses are cited as [TC-n].
//
// Tiles are counted by symbol wherever they are. Those in the box are as many as the holes that
// pegs have come forward [TC-4], so a position does not hold them. What the boards hold is the race
// of mechanics/score_board.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/game.hpp"
#include "tabletop/mechanics/score_board.hpp"

namespace tabletop {

namespace tile_challenge {

inline constexpr int kTilesPerSymbol = 21;
inline constexpr int kCentreMinimum = 3;
inline constexpr int kMaxFront = ingenious::kSymbols;

// The column that every peg must reach, which is also its last [TC-3].
constexpr int target_for(int players) { return players == 4 ? 5 : 7; }

enum class FreeScoringTie : std::uint8_t { kAny, kUnique };
enum class FreeScoringTake : std::uint8_t { kAll, kOne };

enum class Phase : std::uint8_t { kRefill, kChoose, kDraw, kDecide, kOver };
inline constexpr const char* kPhaseNames[] = {"refill", "choose", "draw", "decide", "over"};

}  // namespace tile_challenge

class TileChallenge {
 public:
  static constexpr const char* kName = "tile_challenge";
  static constexpr const char* kVersion = "1";

  // Decisions: 0 draw, 1 score, 2 free scoring by symbol. Chance outcomes: the symbol of the tile.
  static constexpr Action kDraw = 0, kScore = 1, kFree = 2;
  static constexpr int kMaxActions = kFree + ingenious::kSymbols;
  static constexpr int kMaxOutcomes = ingenious::kSymbols;

  using FreeScoringTake = tile_challenge::FreeScoringTake;
  using FreeScoringTie = tile_challenge::FreeScoringTie;
  using Phase = tile_challenge::Phase;
  using Race = ingenious::Race;
  using SymbolCounts = ingenious::SymbolCounts;
  using Tiles = ingenious::PerSymbol<std::uint64_t, 8>;

  struct Options {
    int players = 2;
    FreeScoringTie free_scoring_tie = FreeScoringTie::kAny;
    FreeScoringTake free_scoring_take = FreeScoringTake::kAll;
    int max_turns = 1000;
    int no_progress_limit = 100;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    ingenious::visit_players(visit, options.players);
    visit_own_options(visit, options);
    ingenious::visit_caps(visit, options.max_turns, options.no_progress_limit);
  }

  // Those between the number of players and the caps, which all challenges have; a match has them
  // among its own.
  template <class Visitor, class AnyOptions>
  static void visit_own_options(Visitor& visit, AnyOptions& options) {
    visit.choice(
        "free_scoring_tie", options.free_scoring_tie,
        {Named<FreeScoringTie>{"any", FreeScoringTie::kAny},
         Named<FreeScoringTie>{"unique", FreeScoringTie::kUnique}},
        "Which row free scoring is open to: any of several lowest ones, or only a single one.");
    visit.choice("free_scoring_take", options.free_scoring_take,
                 {Named<FreeScoringTake>{"all", FreeScoringTake::kAll},
                  Named<FreeScoringTake>{"one", FreeScoringTake::kOne}},
                 "How many tiles of the symbol free scoring takes from the centre.");
  }

  struct State {
    Race race;
    std::uint8_t zeros[3];  // in place of padding
    Phase phase;
    Tiles pool;    // face down
    Tiles centre;  // face up
    Tiles front;   // drawn in this turn, each symbol at most once
  };

  explicit TileChallenge(const Options& options)
      : options_(checked_options<TileChallenge>(options)),
        board_({.players = options_.players,
                .gates = ingenious::Gates::kNone,
                .last_hole = tile_challenge::target_for(options_.players),
                .goal = tile_challenge::target_for(options_.players),
                .max_turns = static_cast<std::uint32_t>(options_.max_turns),
                .no_progress_limit = static_cast<std::uint32_t>(options_.no_progress_limit)}),
        players_(options_.players) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return players_; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return kMaxOutcomes; }
  // Six tiles in front are the most [TC-12]: a decision before each of them, and one to score.
  [[nodiscard]] int max_length() const {
    return options_.max_turns * (tile_challenge::kMaxFront + 1);
  }
  [[nodiscard]] double min_utility() const { return -1.0 / (players_ - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }

  // --- Nodes -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    State state{};
    for (int symbol = 0; symbol < ingenious::kSymbols; ++symbol) {
      state.pool.add(symbol, tile_challenge::kTilesPerSymbol);
    }
    return state;
  }

  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    if (state.phase == Phase::kChoose || state.phase == Phase::kDecide) return state.race.seat;
    return state.phase == Phase::kOver ? kTerminal : kChance;
  }

  [[nodiscard]] bool is_truncated(const State& state) const noexcept {
    return state.race.truncated != 0;
  }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept {
    if (!state.pool.empty()) actions.add(kDraw);
    if (state.phase == Phase::kDecide) {
      actions.add(kScore);
    } else {
      actions.add_bits(kFree, free_symbols(state));
    }
  }

  // The same choice as from the list.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    const int draws = state.pool.empty() ? 0 : 1;
    if (state.phase == Phase::kDecide) return below(rng, draws + 1) < draws ? kDraw : kScore;
    const std::uint32_t symbols = free_symbols(state);
    const int k = below(rng, draws + count_bits(symbols));
    return k < draws ? kDraw : kFree + kBitPositions.of[symbols][k - draws];
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    for (int symbol = 0; symbol < ingenious::kSymbols; ++symbol) {
      outcomes.add(symbol, static_cast<std::uint32_t>(state.pool[symbol]));
    }
  }

  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    const Tiles pool = state.pool;
    return pool.nth(below(rng, pool.total()));
  }

  void apply(State& state, Action action) const noexcept {
    switch (state.phase) {
      case Phase::kRefill:
        state.pool.add(action, -1);
        state.centre.add(action, 1);
        return begin_turn(state);
      case Phase::kDraw:
        return draw(state, action);
      default:
        if (action == kDraw) {
          state.phase = Phase::kDraw;
        } else if (action == kScore) {
          score(state);
        } else {
          score_freely(state, action - kFree);
        }
    }
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    board_.scores(state.race, scores);
  }

  [[nodiscard]] SeatSet winners(const State& state) const noexcept {
    return state.phase == Phase::kOver ? board_.winners(state.race) : SeatSet();
  }

  // The pool is a multiset, which follows from what lies open: nothing is hidden [TC-37].
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
  // The symbols of lowest rows that lie in the centre [TC-17], [TC-19], [TC-20]. With an empty pool
  // the rule for ties is suspended, so that nobody has to pass [TC-23].
  [[nodiscard]] std::uint32_t free_symbols(const State& state) const noexcept {
    const std::uint32_t rows = state.race.pegs[state.race.seat].lowest_ones().members();
    const bool only_single = options_.free_scoring_tie == FreeScoringTie::kUnique;
    if (only_single && count_bits(rows) > 1 && !state.pool.empty()) return 0;
    return rows & state.centre.members();
  }

  // --- The turn ----------------------------------------------------------------------------------

  // [TC-6]
  static void begin_turn(State& state) noexcept {
    const bool refills =
        state.centre.total() < tile_challenge::kCentreMinimum && !state.pool.empty();
    state.phase = refills ? Phase::kRefill : Phase::kChoose;
  }

  // A symbol that is in front already or not in the centre is a bust [TC-10], [TC-11].
  void draw(State& state, int symbol) const noexcept {
    state.pool.add(symbol, -1);
    const bool good = state.front[symbol] == 0 && state.centre[symbol] > 0;
    state.front.add(symbol, 1);
    if (good) {
      state.phase = Phase::kDecide;
      return;
    }
    state.centre += state.front;
    state.front = Tiles();
    end_turn(state);
  }

  // The own tile counts with those of the centre [TC-13].
  void score(State& state) const noexcept {
    for_each_bit(state.front.members(), [&](int symbol) {
      take(state, symbol, state.centre[symbol], state.centre[symbol] + 1);
    });
    state.front = Tiles();
    end_turn(state);
  }

  // [TC-18], [TC-21], [TC-22]
  void score_freely(State& state, int symbol) const noexcept {
    const bool all = options_.free_scoring_take == FreeScoringTake::kAll;
    const int tiles = all ? state.centre[symbol] : 1;
    take(state, symbol, tiles, tiles);
    end_turn(state);
  }

  // Takes tiles from the centre and scores the points; each tile that moves the peg goes to the
  // box, the others to the pool [TC-14].
  void take(State& state, int symbol, int tiles, int points) const noexcept {
    state.centre.add(symbol, -tiles);
    state.pool.add(symbol, points - board_.advance(state.race, symbol, points));
  }

  void end_turn(State& state) const noexcept {
    if (board_.finish_turn(state.race)) {
      state.phase = Phase::kOver;
    } else {
      board_.pass_turn(state.race);
      begin_turn(state);
    }
  }

  // --- Outside, continued ------------------------------------------------------------------------

  static const char* phase_name(const State& state) {
    return tile_challenge::kPhaseNames[static_cast<int>(state.phase)];
  }
  // Every peg has come one hole for each tile in the box.
  static Tiles box(const State& state) {
    Tiles box;
    for (const SymbolCounts pegs : state.race.pegs) {
      for (int symbol = 0; symbol < ingenious::kSymbols; ++symbol) box.add(symbol, pegs[symbol]);
    }
    return box;
  }
  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  void check(const State& state, Tiles box) const;
  void check_tiles(const State& state, Tiles box) const;
  void check_phase(const State& state) const;

  Options options_;
  ingenious::ScoreBoard board_;
  int players_;
};

// --- Text ----------------------------------------------------------------------------------------

inline std::string TileChallenge::action_to_string(Action action) const {
  if (action == kDraw) return "draw";
  if (action == kScore) return "score";
  return std::string("free ") + ingenious::kSymbolNames[action - kFree];
}

inline std::string TileChallenge::outcome_to_string(Action outcome) const {
  return std::string("tile ") + ingenious::kSymbolNames[outcome];
}

inline std::string TileChallenge::to_string(const State& state) const {
  std::string text =
      board_.heading(kName, phase_name(state), state.phase == Phase::kOver, state.race);
  for (Seat seat = 0; seat < players_; ++seat) {
    text += "\nseat " + std::to_string(seat) + ": pegs" +
            ingenious::numbers_text(state.race.pegs[seat].numbers());
  }
  text += "\npool:" + ingenious::numbers_text(state.pool.numbers());
  text += "\ncentre:" + ingenious::items_text(state.centre);
  text += "\nfront:" + ingenious::items_text(state.front);
  text += "\nbox:" + ingenious::numbers_text(box(state).numbers());
  return text + "\nbonus turns: " + std::to_string(state.race.pending_bonus);
}

// --- Dictionaries and observations ---------------------------------------------------------------

inline Value TileChallenge::describe(const State& state, std::optional<Seat> observer) const {
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  board_.describe(state.race, phase_name(state), dict);
  dict.emplace_back("pegs", board_.pegs(state.race));
  dict.emplace_back("pool", list_of(state.pool.numbers()));
  dict.emplace_back("centre", list_of(state.centre.numbers()));
  dict.emplace_back("front", ingenious::items_value(state.front));
  dict.emplace_back("box", list_of(box(state).numbers()));
  dict.emplace_back("truncated", state.race.truncated != 0);
  return dict;
}

inline std::vector<ObservationField> TileChallenge::observation_fields() const {
  using ingenious::kSymbols;
  std::vector<ObservationField> fields = board_.fields("refill, choose, draw, decide, over");
  fields.push_back(board_.pegs_field());
  fields.push_back({"pool", {kSymbols}, "tiles in the pool, by symbol"});
  fields.push_back({"centre", {kSymbols}, "tiles in the centre, by symbol"});
  fields.push_back({"front", {kSymbols}, "tiles drawn in this turn, by symbol"});
  fields.push_back({"box", {kSymbols}, "tiles out of the game, by symbol"});
  fields.push_back({"truncated", {1}, "1 if the game was truncated"});
  return fields;
}

inline void TileChallenge::observe(const State& state, Seat observer,
                                   std::span<float> tensor) const noexcept {
  TensorWriter out(tensor);
  board_.observe(state.race, static_cast<int>(state.phase), observer, out);
  board_.observe_pegs(state.race, out);
  for (const Tiles tiles : {state.pool, state.centre, state.front, box(state)}) {
    out.numbers(tiles.numbers());
  }
  out.number(state.race.truncated);
}

inline TileChallenge::State TileChallenge::from_dict(const Value& dict) const {
  const DictReader in(dict);
  in.expect_keys({"phase", "seat", "turns", "idle", "pending_bonus", "pegs", "pool", "centre",
                  "front", "box", "truncated"});
  State state{};
  state.phase = static_cast<Phase>(in.at("phase").one_of(tile_challenge::kPhaseNames));
  board_.read(in, state.race);
  const auto read = [&](const char* key) {
    return ingenious::read_numbers<Tiles>(in.at(key), tile_challenge::kTilesPerSymbol);
  };
  state.pool = read("pool");
  state.centre = read("centre");
  state.front = ingenious::read_items<Tiles>(in.at("front"), tile_challenge::kMaxFront);
  check(state, read("box"));
  return state;
}

// --- Bytes ---------------------------------------------------------------------------------------

inline void TileChallenge::encode(const State& state, ByteWriter& bytes) const {
  board_.encode(state.race, static_cast<int>(state.phase), bytes);
  board_.encode_pegs(state.race, bytes);
  for (const Tiles tiles : {state.pool, state.centre, state.front, box(state)}) {
    bytes.each_u8(tiles.numbers());
  }
  bytes.u8(state.race.truncated);
}

inline TileChallenge::State TileChallenge::decode(ByteReader& bytes) const {
  State state{};
  state.phase = static_cast<Phase>(board_.decode(bytes, state.race));
  board_.decode_pegs(bytes, state.race);
  const auto read = [&](int most, const char* what) {
    Tiles tiles;
    for (int symbol = 0; symbol < ingenious::kSymbols; ++symbol) {
      tiles.add(symbol, bytes.u8(0, most, what));
    }
    return tiles;
  };
  state.pool = read(tile_challenge::kTilesPerSymbol, "a number of tiles in the pool");
  state.centre = read(tile_challenge::kTilesPerSymbol, "a number of tiles in the centre");
  state.front = read(1, "a number of tiles in front");
  const Tiles box = read(tile_challenge::kTilesPerSymbol, "a number of tiles in the box");
  state.race.truncated = to_byte(bytes.u8(0, 1, "whether the game was truncated"));
  check(state, box);
  return state;
}

// --- Checks --------------------------------------------------------------------------------------

inline void TileChallenge::check(const State& state, Tiles box) const {
  check_tiles(state, box);
  check_phase(state);
  board_.check(state.race, state.phase == Phase::kOver);
}

// [TC-40], [TC-42]
inline void TileChallenge::check_tiles(const State& state, Tiles box) const {
  for (int symbol = 0; symbol < ingenious::kSymbols; ++symbol) {
    const std::string name = ingenious::kSymbolNames[symbol];
    const int tiles = state.pool[symbol] + state.centre[symbol] + state.front[symbol] + box[symbol];
    if (tiles != tile_challenge::kTilesPerSymbol) {
      throw PositionError("there are " + std::to_string(tiles) + " tiles " + name +
                          " in pool, centre, front and box; there must be " +
                          std::to_string(tile_challenge::kTilesPerSymbol));
    }
    const int holes = TileChallenge::box(state)[symbol];
    if (box[symbol] != holes) {
      refuse("box", "has " + std::to_string(box[symbol]) + " tiles " + name +
                        "; the pegs have come " + std::to_string(holes) + " holes with them");
    }
    if (state.front[symbol] > std::min(1, state.centre[symbol])) {
      refuse("front", "has " + std::to_string(state.front[symbol]) + " tiles " + name +
                          "; it may have one, of a symbol that is in the centre");
    }
  }
}

// [TC-41], [TC-42]
inline void TileChallenge::check_phase(const State& state) const {
  const std::string phase = std::string("\"") + phase_name(state) + "\"";
  const bool drawing = state.phase == Phase::kDraw || state.phase == Phase::kDecide;
  if (!state.front.empty() && !drawing) {
    refuse("front", "must be empty in phase " + phase);
  }
  if (state.front.empty() && state.phase == Phase::kDecide) {
    refuse("front", "must have a tile in phase " + phase);
  }
  const bool refills = state.centre.total() < tile_challenge::kCentreMinimum && !state.pool.empty();
  if (state.phase == Phase::kRefill ? !refills : state.phase == Phase::kChoose && refills) {
    refuse("phase", "is " + phase + " with " + std::to_string(state.centre.total()) +
                        " tiles in the centre and " + std::to_string(state.pool.total()) +
                        " in the pool; the centre is refilled below three while the pool lasts");
  }
  if (state.phase == Phase::kDraw && state.pool.empty()) {
    refuse("pool", "is empty where a tile is to be drawn");
  }
}

static_assert(GameRules<TileChallenge> && PicksActions<TileChallenge> &&
              PicksOutcomes<TileChallenge>);

}  // namespace tabletop
