// The options of Sequence Numbers; what each does is said at the clause of the rules that it
// changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tabletop/errors.hpp"
#include "tabletop/games/sequence_numbers/board.hpp"
#include "tabletop/options.hpp"
#include "tabletop/value.hpp"

namespace tabletop::sequence_numbers {

enum class LockPolicy : std::uint8_t { kAuto, kChoose };
enum class NoPlayPolicy : std::uint8_t { kPass, kDiscardAndDraw };
enum class EndResult : std::uint8_t { kDraw, kMostSequences };

struct Options {
  int players = 2;
  std::optional<int> teams = std::nullopt;
  std::optional<int> sequences_to_win = std::nullopt;
  LockPolicy lock_policy = LockPolicy::kAuto;
  int shared_cells_allowed = 1;
  NoPlayPolicy no_play_policy = NoPlayPolicy::kPass;
  bool swap_optional = true;
  bool minus_dead_swap = false;
  bool swap_draw_before_discard = false;
  std::optional<int> chips_per_colour = std::nullopt;
  int missed_draw_per_mille = 0;
  int table_talk_per_mille = 0;
  int max_turns = 3000;
  EndResult max_turns_result = EndResult::kDraw;
  EndResult stalemate_result = EndResult::kDraw;
  bool dead_position_check = false;
  // The initializer lets designated initializers leave the board out without a warning.
  Value board = {};  // NOLINT(readability-redundant-member-init)

  template <class Visitor>
  void visit(Visitor& visitor);
};

template <class Visitor>
void Options::visit(Visitor& visitor) {
  const auto end_results = {Named<EndResult>{"draw", EndResult::kDraw},
                            Named<EndResult>{"most_sequences", EndResult::kMostSequences}};
  visitor.choice("players", players, {2, 3, 4, 6}, "Number of seats.");
  visitor.optional_integer(
      "teams", teams, 2, 3,
      "Number of teams, which sit in turn; None is 2, or 3 with three players.", {2, 3});
  visitor.optional_integer(
      "sequences_to_win", sequences_to_win, 1, 9,
      "Sequences that win the game; None is 1 with two or three players, else 2.", {1, 2, 3});
  visitor.choice("lock_policy", lock_policy,
                 {Named<LockPolicy>{"auto", LockPolicy::kAuto},
                  Named<LockPolicy>{"choose", LockPolicy::kChoose}},
                 "Who picks the five chips of a sequence when more than five are in line.");
  visitor.choice("shared_cells_allowed", shared_cells_allowed, {1, 4},
                 "Cells that two sequences of a team may share; 4 is no restriction.");
  visitor.choice("no_play_policy", no_play_policy,
                 {Named<NoPlayPolicy>{"pass", NoPlayPolicy::kPass},
                  Named<NoPlayPolicy>{"discard_and_draw", NoPlayPolicy::kDiscardAndDraw}},
                 "What a seat does that can neither play nor swap a card.");
  visitor.flag("swap_optional", swap_optional,
               "Whether a seat may keep a dead card; if not, it must swap one before it plays.");
  visitor.flag("minus_dead_swap", minus_dead_swap,
               "Whether a Minus card may be swapped while there is no chip to remove.");
  visitor.flag("swap_draw_before_discard", swap_draw_before_discard,
               "Whether a swapped card stays out of the reshuffle that its own draw may need.");
  visitor.optional_integer("chips_per_colour", chips_per_colour, 1, 100,
                           "Chips that a team has; None is no limit.", {5, 12, 50});
  visitor.integer("missed_draw_per_mille", missed_draw_per_mille, 0, 1000,
                  "How often in 1000 turns a player forgets to draw, and loses the card.",
                  {0, 100, 1000});
  visitor.integer(
      "table_talk_per_mille", table_talk_per_mille, 0, 1000,
      "How often in 1000 turns a team talks, and each member loses a card; 0 without team mates.",
      {0});
  visitor.integer("max_turns", max_turns, 1, 1'000'000, "Turns after which the game ends.",
                  {1, 40, 3000});
  visitor.choice("max_turns_result", max_turns_result, end_results,
                 "Who wins a game that max_turns ends.");
  visitor.choice("stalemate_result", stalemate_result, end_results,
                 "Who wins a game in which nobody can play, or can win, any more.");
  visitor.flag("dead_position_check", dead_position_check,
               "Whether the game ends when no team can complete a line any more.");
  visitor.value("board", board, "None|6 to 10 rows of 6 to 10 cells",
                "The numbers on the board, each twice, with \"F\" at the corners; None is the "
                "canonical one of 10 x 10.",
                {Value(), mirror_board(6, 6), mirror_board(7, 8)});
}

// Fills in what None means; throws OptionError for values that do not go together [SN-2], [SN-84].
inline Options resolved(Options options) {
  const int players = options.players;
  const int teams = options.teams.value_or(players == 3 ? 3 : 2);
  if (players % teams != 0) {
    throw OptionError("option teams of sequence_numbers is " + std::to_string(teams) + " with " +
                      std::to_string(players) +
                      " players; it must be 2 with 2, 4 or 6 players, or 3 with 3 or 6");
  }
  if (options.table_talk_per_mille > 0 && players == teams) {
    throw OptionError("option table_talk_per_mille of sequence_numbers is " +
                      std::to_string(options.table_talk_per_mille) + " with " +
                      std::to_string(players) +
                      " players who have no team mates; it must be 0 for them");
  }
  options.teams = teams;
  if (!options.sequences_to_win) options.sequences_to_win = players <= 3 ? 1 : 2;  // [SN-6]
  if (options.board.is_null()) options.board = mirror_board(10, 10);               // [SN-9]
  return options;
}

}  // namespace tabletop::sequence_numbers
