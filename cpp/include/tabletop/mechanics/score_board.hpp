// The score boards of the Ingenious Challenges: six pegs for each seat, the gates between their
// areas, bonus turns, the goal, the caps on the length of a game, and who wins. The games of the
// box, card_challenge, dice_challenge and tile_challenge, differ in how points are made. The
// clauses [CC-5] to [CC-25] of docs/rules/card_challenge.md are those of all three; only the tile
// game has no gates, and a goal of its own [TC-3].
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "tabletop/bytes.hpp"
#include "tabletop/dict_reader.hpp"
#include "tabletop/mechanics/symbols.hpp"
#include "tabletop/observation.hpp"
#include "tabletop/options.hpp"
#include "tabletop/types.hpp"
#include "tabletop/value.hpp"

namespace tabletop::ingenious {

inline constexpr int kMaxPlayers = 4;
inline constexpr int kLastHole = 10;  // of a row; the tile game ends sooner
inline constexpr int kGoal = 7;       // of each row with gates [CC-18]
inline constexpr int kPhases = 5;     // of each of the games; the last is the end

// Whether pegs wait at the areas' borders [CC-7], [CC-8], and whether a peg may run on from the
// area where it stood [CC-9], [CC-10].
enum class Gates : std::uint8_t { kStepwise, kStrict, kNone };

// The part of a position that belongs to the boards.
struct Race {
  SymbolCounts pegs[kMaxPlayers];  // the hole of each peg
  std::uint32_t turns;             // finished so far
  std::uint32_t idle;              // the last ones in a row in which no peg moved
  std::uint8_t seat;               // whose turn it is; at the end: who played last
  std::uint8_t pending_bonus;      // extra turns still to come, not the running one
  std::uint8_t moved;              // a peg, in the running turn
  std::uint8_t truncated;
};

class ScoreBoard {
 public:
  struct Terms {
    int players;
    Gates gates;
    int last_hole;
    int goal;  // the hole that every peg must reach
    std::uint32_t max_turns;
    std::uint32_t no_progress_limit;
  };

  constexpr explicit ScoreBoard(const Terms& terms)
      : terms_(terms),
        goal_(terms.goal),
        opens_third_area_(terms.gates == Gates::kNone ? 0 : 1),
        opens_fourth_area_(terms.gates == Gates::kNone ? 0 : kEndOfSecondArea + 1),
        raise_(terms.gates == Gates::kStrict ? 0 : kClearOfGates) {
    for (Seat seat = 0; seat < kMaxPlayers; ++seat) {
      next_[seat] = to_byte(seat + 1 < terms.players ? seat + 1 : 0);
    }
  }

  // --- Rules -------------------------------------------------------------------------------------

  // Moves a peg of the seat whose turn it is, hole by hole [CC-6]; returns how far it came. Without
  // branches: in random play nobody could foresee whether a peg moves or whether a gate stops it.
  constexpr int advance(Race& race, int symbol, int points) const noexcept {
    SymbolCounts& pegs = race.pegs[race.seat];
    const int from = pegs[symbol];
    const int steps = std::min(points, furthest(pegs, symbol) - from);
    pegs.add(symbol, steps);
    static_assert(kLastHole < 16);
    const int moves = (steps + 15) >> 4;  // 1 if there are steps
    const int arrives = from + steps == terms_.last_hole ? moves : 0;
    race.moved = to_byte(race.moved | moves);
    race.pending_bonus = to_byte(race.pending_bonus + arrives);  // [CC-12]
    return steps;
  }

  // Counts the turn and tests for the end, in this order [CC-16], [CC-17], [CC-21];
  // true if the game is over.
  constexpr bool finish_turn(Race& race) const noexcept {
    ++race.turns;
    bool won = false, stuck = false;
    if (race.moved != 0) {
      race.moved = 0;
      race.idle = 0;
      won = at_goal(race, race.seat);
    } else {
      stuck = ++race.idle == terms_.no_progress_limit;
    }
    if (!won && !stuck && race.turns != terms_.max_turns) return false;
    race.truncated = won ? 0 : 1;
    race.pending_bonus = 0;
    return true;
  }

  // The next turn is a bonus turn or the next seat's [CC-13].
  constexpr void pass_turn(Race& race) const noexcept {
    if (race.pending_bonus > 0) [[unlikely]] {
      --race.pending_bonus;
    } else {
      race.seat = next_[race.seat];
    }
  }

  [[nodiscard]] constexpr bool at_goal(const Race& race, Seat seat) const noexcept {
    return race.pegs[seat].all_keep(goal_);
  }

  // Of a game that is over. Only the pegs of the last player moved [CC-11]; a truncated game goes
  // to the highest lowest row, then the highest second lowest, and so on [CC-22].
  [[nodiscard]] constexpr SeatSet winners(const Race& race) const noexcept {
    SeatSet winners;
    if (race.truncated == 0) {
      winners.add(race.seat);
      return winners;
    }
    std::array<std::uint8_t, kSymbols> best{};
    for (Seat seat = 0; seat < terms_.players; ++seat) {
      std::array<std::uint8_t, kSymbols> rows = race.pegs[seat].numbers();
      std::ranges::sort(rows);
      if (rows > best) winners = SeatSet();
      if (rows < best) continue;
      winners.add(seat);
      best = rows;
    }
    return winners;
  }

  // The value of each seat's lowest row, which counts in a match [CC-24].
  constexpr void scores(const Race& race, std::span<int> scores) const noexcept {
    for (Seat seat = 0; seat < terms_.players; ++seat) {
      scores[static_cast<std::size_t>(seat)] = race.pegs[seat].lowest();
    }
  }

  // --- Checks ------------------------------------------------------------------------------------

  // Both throw a PositionError: unless boards and counters hold together [CC-68] to [CC-71]; unless
  // nothing has happened yet and it is the receiver's turn to get cards or dice [CC-67], [DC-40].
  void check(const Race& race, bool over) const;
  void check_setup(const Race& race, Seat receiver) const;

  // --- Outside -----------------------------------------------------------------------------------
  [[nodiscard]] std::string heading(const char* game, const char* phase, bool over,
                                    const Race& race) const;
  void describe(const Race& race, const char* phase, Value::Dict& dict) const;
  [[nodiscard]] Value pegs(const Race& race) const;

  // What all three games begin with, from the observer or the phase to the bonus turns, as fields,
  // numbers, bytes; and the pegs, which come later.
  [[nodiscard]] std::vector<ObservationField> fields(const char* phases) const;
  void observe(const Race& race, int phase, Seat observer, TensorWriter& out) const noexcept;
  [[nodiscard]] ObservationField pegs_field() const;
  void observe_pegs(const Race& race, TensorWriter& out) const noexcept;

  void encode(const Race& race, int phase, ByteWriter& bytes) const;
  void encode_pegs(const Race& race, ByteWriter& bytes) const;

  // All but `moved`, and the phase.
  void read(const DictReader& in, Race& race) const;
  // What encode() wrote; returns the phase.
  int decode(ByteReader& bytes, Race& race) const;
  void decode_pegs(ByteReader& bytes, Race& race) const;

 private:
  static constexpr int kEndOfSecondArea = 3, kEndOfThirdArea = 6;
  static constexpr std::uint32_t kClearOfGates = 8;  // a power of two beyond what gates ask for

  // The last hole that the peg may enter or stands on: none of the third area while another peg has
  // not left the first [CC-7], none of the fourth while another has not reached the third [CC-8].
  // The peg itself counts only by the strict test [CC-10].
  [[nodiscard]] constexpr int furthest(SymbolCounts pegs, int symbol) const noexcept {
    const SymbolCounts others = pegs.raised(symbol, raise_);
    if (others.all_keep(opens_fourth_area_)) return terms_.last_hole;
    return others.all_keep(opens_third_area_) ? kEndOfThirdArea : kEndOfSecondArea;
  }

  Terms terms_;
  SymbolCounts::Bound goal_;
  SymbolCounts::Bound opens_third_area_, opens_fourth_area_;
  std::uint32_t raise_;                  // takes the moving peg out of the test of the gates
  std::uint8_t next_[kMaxPlayers] = {};  // seat in turn
};

// --- Options -------------------------------------------------------------------------------------

template <class Visitor>
void visit_players(Visitor& visit, int& players) {
  visit.choice("players", players, {2, 3, 4}, "Number of seats.");
}

template <class Visitor>
void visit_gate_test(Visitor& visit, Gates& gates) {
  visit.choice("gate_test", gates,
               {Named<Gates>{"stepwise", Gates::kStepwise}, Named<Gates>{"strict", Gates::kStrict}},
               "Whether a gate looks at other pegs only, or also at where the moving peg began.");
}

template <class Visitor>
void visit_caps(Visitor& visit, int& max_turns, int& no_progress_limit,
                std::initializer_list<int> samples = {1, 30, 1000}) {
  visit.integer("max_turns", max_turns, 1, 65535, "Turns after which a challenge ends.", samples);
  visit.integer("no_progress_limit", no_progress_limit, 1, 65535,
                "Turns in a row in which no peg moves, after which a challenge ends.", {1, 3, 100});
}

// --- Positions from outside ----------------------------------------------------------------------

inline void ScoreBoard::check(const Race& race, bool over) const {
  for (Seat seat = 0; seat < terms_.players; ++seat) {
    const SymbolCounts pegs = race.pegs[seat];
    const int lowest = pegs.lowest();
    const int limit = lowest > kEndOfSecondArea ? terms_.last_hole
                      : lowest > 0              ? kEndOfThirdArea
                                                : kEndOfSecondArea;
    if (terms_.gates != Gates::kNone && !pegs.at_least(limit + 1).empty()) {
      refuse("pegs", seat,
             "has a peg beyond hole " + std::to_string(limit) + " while another is at " +
                 std::to_string(lowest) + "; its gate is closed");
    }
    // In the middle of a turn the goal may have been reached; it is tested at the end of the turn.
    if (at_goal(race, seat) && (seat != race.seat || (!over && race.moved == 0))) {
      refuse("pegs", seat, "has reached the goal, which ends the game with the turn of that seat");
    }
  }
  const bool won = over && at_goal(race, race.seat);
  const bool capped = race.turns == terms_.max_turns || race.idle == terms_.no_progress_limit;
  if (over && !won && !capped) {
    refuse("phase", "is \"over\", but nobody has reached the goal and no cap on the turns");
  }
  if (race.turns > terms_.max_turns - (over ? 0 : 1)) {
    refuse("turns", "is " + std::to_string(race.turns) + "; it must be below max_turns (" +
                        std::to_string(terms_.max_turns) + ") unless the game is over");
  }
  if (race.idle > terms_.no_progress_limit - (over ? 0 : 1) || race.idle > race.turns) {
    refuse("idle", "is " + std::to_string(race.idle) +
                       "; it must be at most the number of turns (" + std::to_string(race.turns) +
                       ") and below no_progress_limit (" +
                       std::to_string(terms_.no_progress_limit) + ") unless the game is over");
  }
  const int at_last_hole = over ? 0 : race.pegs[race.seat].at_least(terms_.last_hole).total();
  if (race.pending_bonus > at_last_hole) {
    refuse("pending_bonus", "is " + std::to_string(race.pending_bonus) + "; it must be at most " +
                                std::to_string(at_last_hole) +
                                ": one for each peg of the seat at the last hole, none at the end");
  }
  if ((race.truncated != 0) != (over && !won)) {
    refuse("truncated", std::string("must be ") + (over && !won ? "True" : "False") +
                            " by the rest of the position");
  }
}

inline void ScoreBoard::check_setup(const Race& race, Seat receiver) const {
  bool begun = race.turns > 0 || race.idle > 0;
  for (const SymbolCounts pegs : race.pegs) begun = begun || !pegs.empty();
  if (begun) refuse("phase", "is that of the setup, but there are turns or moved pegs");
  if (race.seat != receiver) {
    refuse("seat", "is " + std::to_string(race.seat) + "; the next to receive something is " +
                       std::to_string(receiver));
  }
}

inline std::string ScoreBoard::heading(const char* game, const char* phase, bool over,
                                       const Race& race) const {
  return std::string(game) + ": " + phase + (over ? "" : ", seat " + std::to_string(race.seat)) +
         ", turn " + std::to_string(race.turns) + (race.truncated != 0 ? " (truncated)" : "");
}

inline void ScoreBoard::describe(const Race& race, const char* phase, Value::Dict& dict) const {
  dict.emplace_back("phase", phase);
  dict.emplace_back("seat", race.seat);
  dict.emplace_back("turns", race.turns);
  dict.emplace_back("idle", race.idle);
  dict.emplace_back("pending_bonus", race.pending_bonus);
}

inline Value ScoreBoard::pegs(const Race& race) const {
  Value::List list;
  for (Seat seat = 0; seat < terms_.players; ++seat) {
    list.emplace_back(list_of(race.pegs[seat].numbers()));
  }
  return list;
}

inline std::vector<ObservationField> ScoreBoard::fields(const char* phases) const {
  return {{"observer", {terms_.players}, "one-hot: the seat that observes"},
          {"phase", {kPhases}, std::string("one-hot: ") + phases},
          {"seat", {terms_.players}, "one-hot: the seat that acts, or for which chance does"},
          {"turns", {1}, "turns finished so far"},
          {"idle", {1}, "turns in a row up to now without a move of a peg"},
          {"pending_bonus", {1}, "extra turns still to come"}};
}

inline void ScoreBoard::observe(const Race& race, int phase, Seat observer,
                                TensorWriter& out) const noexcept {
  out.one_hot(terms_.players, observer);
  out.one_hot(kPhases, phase);
  out.one_hot(terms_.players, race.seat);
  out.number(static_cast<int>(race.turns));
  out.number(static_cast<int>(race.idle));
  out.number(race.pending_bonus);
}

inline ObservationField ScoreBoard::pegs_field() const {
  return {"pegs", {terms_.players, kSymbols}, "the hole of each peg, by seat and symbol"};
}

inline void ScoreBoard::observe_pegs(const Race& race, TensorWriter& out) const noexcept {
  for (Seat seat = 0; seat < terms_.players; ++seat) out.numbers(race.pegs[seat].numbers());
}

inline void ScoreBoard::encode(const Race& race, int phase, ByteWriter& bytes) const {
  const auto low = [](std::uint32_t number) { return static_cast<std::uint8_t>(number & 0xFF); };
  const auto high = [](std::uint32_t number) { return static_cast<std::uint8_t>(number >> 8); };
  bytes.each_u8(
      std::to_array<std::uint8_t>({to_byte(phase), race.seat, low(race.turns), high(race.turns),
                                   low(race.idle), high(race.idle), race.pending_bonus}));
}

inline void ScoreBoard::encode_pegs(const Race& race, ByteWriter& bytes) const {
  for (Seat seat = 0; seat < terms_.players; ++seat) bytes.each_u8(race.pegs[seat].numbers());
}

inline void ScoreBoard::read(const DictReader& in, Race& race) const {
  race.seat = to_byte(in.at("seat").integer(0, terms_.players - 1));
  race.turns = static_cast<std::uint32_t>(in.at("turns").integer(0, terms_.max_turns));
  race.idle = static_cast<std::uint32_t>(in.at("idle").integer(0, terms_.no_progress_limit));
  race.pending_bonus = to_byte(in.at("pending_bonus").integer(0, kSymbols));
  const DictReader pegs = in.at("pegs");
  (void)pegs.length(terms_.players, terms_.players);
  for (Seat seat = 0; seat < terms_.players; ++seat) {
    race.pegs[seat] = read_numbers<SymbolCounts>(pegs.at(seat), terms_.last_hole);
  }
  race.truncated = in.at("truncated").flag() ? 1 : 0;
}

inline int ScoreBoard::decode(ByteReader& bytes, Race& race) const {
  const int phase = bytes.u8(0, kPhases - 1, "the phase");
  race.seat = to_byte(bytes.u8(0, terms_.players - 1, "the seat"));
  race.turns = static_cast<std::uint32_t>(bytes.u16("the turns"));
  race.idle = static_cast<std::uint32_t>(bytes.u16("the idle turns"));
  race.pending_bonus = to_byte(bytes.u8(0, kSymbols, "the bonus turns"));
  return phase;
}

inline void ScoreBoard::decode_pegs(ByteReader& bytes, Race& race) const {
  for (Seat seat = 0; seat < terms_.players; ++seat) {
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      race.pegs[seat].add(symbol, bytes.u8(0, terms_.last_hole, "the hole of a peg"));
    }
  }
}

}  // namespace tabletop::ingenious
