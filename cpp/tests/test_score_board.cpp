// The score boards of the Ingenious Challenges, how the three games score on them, and dice that
// are rolled as multisets.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "tabletop/games/card_challenge.hpp"
#include "tabletop/games/dice_challenge.hpp"
#include "tabletop/games/tile_challenge.hpp"

namespace {

using namespace tabletop;
using ingenious::Gates;
using ingenious::kSymbols;
using ingenious::Race;
using ingenious::ScoreBoard;
using ingenious::SymbolCounts;

using Row = std::array<int, kSymbols>;

ScoreBoard board_with(Gates gates, std::uint32_t max_turns = 1000,
                      std::uint32_t no_progress_limit = 100, int players = 2) {
  return ScoreBoard({.players = players,
                     .gates = gates,
                     .last_hole = ingenious::kLastHole,
                     .goal = 7,
                     .max_turns = max_turns,
                     .no_progress_limit = no_progress_limit});
}

SymbolCounts counts(const Row& row) {
  SymbolCounts pegs;
  for (int symbol = 0; symbol < kSymbols; ++symbol) {
    pegs.add(symbol, row[static_cast<std::size_t>(symbol)]);
  }
  return pegs;
}

Race race_at(const Row& pegs) {
  Race race{};
  race.pegs[0] = counts(pegs);
  return race;
}

struct Score {
  int symbol, points;
};

// The pegs after some scores in this order.
Race after(const ScoreBoard& board, const Row& pegs, const std::vector<Score>& scores) {
  Race race = race_at(pegs);
  for (const Score& score : scores) board.advance(race, score.symbol, score.points);
  return race;
}

TABLETOP_TEST(numbers_by_symbol_tell_the_lowest_and_those_that_are_there) {
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t below = 1 + rng.below(SymbolCounts::kMost + 1);
    SymbolCounts counts;
    std::array<int, kSymbols> numbers{};
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      const int number = static_cast<int>(rng.below(below));
      counts.add(symbol, number);
      numbers[static_cast<std::size_t>(symbol)] = number;
    }
    const int lowest = std::ranges::min(numbers);
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      const int number = numbers[static_cast<std::size_t>(symbol)];
      TABLETOP_CHECK_EQUAL(counts.lowest_ones()[symbol], number == lowest ? 1 : 0);
      TABLETOP_CHECK_EQUAL(counts.members() >> symbol & 1, number > 0 ? 1U : 0U);
    }
    TABLETOP_CHECK_EQUAL(counts.members() >> kSymbols, 0U);
  }
}

TABLETOP_TEST(pegs_stop_at_closed_gates_and_at_the_last_hole) {
  const struct {
    Row pegs;
    std::vector<Score> scores;
    Row result;
    int bonus_turns;
  } cases[] = {
      {{3, 0, 1, 1, 1, 1}, {{0, 2}, {1, 2}}, {3, 2, 1, 1, 1, 1}, 0},
      {{3, 0, 1, 1, 1, 1}, {{1, 2}, {0, 2}}, {5, 2, 1, 1, 1, 1}, 0},
      {{0, 1, 1, 1, 1, 1}, {{0, 4}}, {4, 1, 1, 1, 1, 1}, 0},
      {{0, 4, 4, 4, 4, 4}, {{0, 8}}, {8, 4, 4, 4, 4, 4}, 0},
      {{0, 0, 2, 2, 2, 2}, {{0, 5}}, {3, 0, 2, 2, 2, 2}, 0},
      {{6, 4, 4, 4, 3, 4}, {{0, 3}, {4, 2}}, {6, 4, 4, 4, 5, 4}, 0},
      {{6, 4, 4, 4, 3, 4}, {{4, 2}, {0, 3}}, {9, 4, 4, 4, 5, 4}, 0},
      {{3, 3, 4, 4, 4, 4}, {{0, 4}, {1, 4}}, {6, 7, 4, 4, 4, 4}, 0},
      {{9, 6, 7, 7, 7, 7}, {{0, 4}}, {10, 6, 7, 7, 7, 7}, 1},
      {{6, 6, 6, 6, 6, 6}, {{0, 4}, {1, 4}}, {10, 10, 6, 6, 6, 6}, 2},
      {{10, 7, 7, 7, 7, 7}, {{0, 4}}, {10, 7, 7, 7, 7, 7}, 0},
  };
  for (const auto& one : cases) {
    const Race race = after(board_with(Gates::kStepwise), one.pegs, one.scores);
    TABLETOP_CHECK_EQUAL(race.pegs[0].numbers(), counts(one.result).numbers());
    TABLETOP_CHECK_EQUAL(race.pending_bonus, one.bonus_turns);
    TABLETOP_CHECK_EQUAL(race.moved, one.pegs == one.result ? 0 : 1);
  }
}

TABLETOP_TEST(closed_form_of_the_gates_agrees_with_single_steps) {
  Rng rng(3);
  for (int round = 0; round < 20000; ++round) {
    const bool strict = round % 2 == 1;
    Row pegs{};
    for (int& peg : pegs) peg = static_cast<int>(rng.below(round % 3 == 0 ? 11 : 6));
    const int lowest = *std::ranges::min_element(pegs);
    const int highest = lowest == 0 ? 3 : lowest < 4 ? 6 : 10;  // by the gates that are closed
    for (int& peg : pegs) peg = std::min(peg, highest);
    const int moving = static_cast<int>(rng.below(kSymbols));
    const int points = static_cast<int>(rng.below(9));

    Row stepped = pegs;
    int& peg = stepped[static_cast<std::size_t>(moving)];
    const int start = peg;
    for (int step = 0; step < points && peg < 10; ++step) {
      int others = 10;
      for (int symbol = 0; symbol < kSymbols; ++symbol) {
        const int hole = stepped[static_cast<std::size_t>(symbol)];
        if (symbol != moving) others = std::min(others, hole);
      }
      if (strict) others = std::min(others, start);
      if (peg + 1 == 4 && others < 1) break;
      if (peg + 1 == 7 && others < 4) break;
      ++peg;
    }
    const Race race =
        after(board_with(strict ? Gates::kStrict : Gates::kStepwise), pegs, {{moving, points}});
    TABLETOP_CHECK_EQUAL(race.pegs[0].numbers(), counts(stepped).numbers());
  }
}

TABLETOP_TEST(turns_are_counted_before_the_game_may_end) {
  const ScoreBoard board = board_with(Gates::kStepwise, 3, 2);
  Race race = race_at({7, 7, 7, 7, 7, 6});
  TABLETOP_CHECK(!board.finish_turn(race));
  TABLETOP_CHECK_EQUAL(race.idle, 1);
  board.pass_turn(race);
  TABLETOP_CHECK_EQUAL(race.seat, 1);
  Race stuck = race;
  TABLETOP_CHECK(board.finish_turn(stuck));
  TABLETOP_CHECK_EQUAL(stuck.truncated, 1);
  board.advance(race, 2, 1);
  TABLETOP_CHECK(!board.finish_turn(race));
  TABLETOP_CHECK_EQUAL(race.idle, 0);
  board.pass_turn(race);
  board.advance(race, 5, 4);  // in the last turn that is allowed, and to the last hole
  TABLETOP_CHECK(board.finish_turn(race));
  TABLETOP_CHECK_EQUAL(race.turns, 3);
  TABLETOP_CHECK_EQUAL(race.truncated, 0);
  TABLETOP_CHECK_EQUAL(race.pending_bonus, 0);
  TABLETOP_CHECK(board.winners(race) == SeatSet(1));
}

TABLETOP_TEST(bonus_turns_come_before_the_next_seat) {
  const ScoreBoard board = board_with(Gates::kStepwise);
  Race race = race_at({6, 6, 6, 6, 6, 6});
  board.advance(race, 0, 4);
  board.advance(race, 1, 4);
  for (const int seat : {0, 0, 1, 0}) {
    TABLETOP_CHECK(!board.finish_turn(race));
    board.pass_turn(race);
    TABLETOP_CHECK_EQUAL(race.seat, seat);
  }
}

TABLETOP_TEST(games_broken_off_go_to_the_highest_rows_from_below) {
  const ScoreBoard board = board_with(Gates::kStepwise, 1000, 100, 3);
  Race race{};
  race.truncated = 1;
  race.pegs[0] = counts({1, 2, 3, 3, 3, 3});
  race.pegs[1] = counts({3, 3, 3, 3, 2, 1});
  race.pegs[2] = counts({6, 6, 6, 6, 1, 1});
  TABLETOP_CHECK(board.winners(race) == SeatSet(3));
  race.pegs[2] = counts({6, 6, 1, 6, 2, 6});
  TABLETOP_CHECK(board.winners(race) == SeatSet(4));
}

TABLETOP_TEST(numbers_per_symbol_count_and_select) {
  Rng rng(4);
  for (int round = 0; round < 2000; ++round) {
    SymbolCounts numbers;
    std::vector<int> items;
    int lowest = 15, at_least_two = 0;
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      const int number = static_cast<int>(rng.below(round % 2 == 0 ? 3 : 2));
      numbers.add(symbol, number);
      items.insert(items.end(), static_cast<std::size_t>(number), symbol);
      lowest = std::min(lowest, number);
      at_least_two += number >= 2 ? 1 : 0;
    }
    TABLETOP_CHECK_EQUAL(numbers.total(), items.size());
    TABLETOP_CHECK_EQUAL(numbers.lowest(), lowest);
    TABLETOP_CHECK_EQUAL(numbers.at_least(2).total(), at_least_two);
    for (std::size_t k = 0; k < items.size(); ++k) {
      TABLETOP_CHECK_EQUAL(numbers.nth(static_cast<int>(k)), items[k]);
    }
    std::vector<int> visited;
    numbers.for_each([&](int symbol) { visited.push_back(symbol); });
    TABLETOP_CHECK(visited == items);
    const SymbolCounts lowest_ones = numbers.lowest_ones();
    for (int symbol = 0; symbol < kSymbols; ++symbol) {
      TABLETOP_CHECK_EQUAL(lowest_ones[symbol], numbers[symbol] == lowest ? 1 : 0);
    }
  }
}

TABLETOP_TEST(card_piles_count_and_select) {
  using namespace card_challenge;
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    CardPile pile;
    std::vector<int> cards, kinds;
    for (int kind = 0; kind < kKinds; ++kind) {
      const int copies = round % 4 == 0 || kinds.size() < 6 ? static_cast<int>(rng.below(5)) : 0;
      for (int copy = 0; copy < copies; ++copy) pile.add(kind);
      cards.insert(cards.end(), static_cast<std::size_t>(copies), kind);
      if (copies > 0) kinds.push_back(kind);
    }
    TABLETOP_CHECK_EQUAL(pile.size(), cards.size());
    for (std::size_t k = 0; k < cards.size(); ++k) TABLETOP_CHECK_EQUAL(pile.nth(k), cards[k]);
    TABLETOP_CHECK_EQUAL(pile.kinds().count(), kinds.size());
    for (std::size_t k = 0; k < kinds.size() && kinds.size() <= 7; ++k) {
      TABLETOP_CHECK_EQUAL(pile.kinds().nth(k), kinds[k]);
    }
  }
}

// Every ordered roll falls into one multiset, and x runs through them in order.
template <int Dice, int Outcomes>
void check_multisets() {
  const DiceRoll roll(kDiceMultisets<6, Dice>);
  TABLETOP_CHECK_EQUAL(roll.outcomes(), Outcomes);
  std::map<std::vector<int>, int> rolls;
  for (int ordered = 0; ordered < roll.rolls(); ++ordered) {
    std::vector<int> faces;
    for (int die = 0, rest = ordered; die < Dice; ++die, rest /= 6) faces.push_back(rest % 6);
    std::ranges::sort(faces);
    ++rolls[faces];
  }
  TABLETOP_CHECK_EQUAL(rolls.size(), Outcomes);
  int outcome = 0, below = 0;
  for (const auto& [faces, weight] : rolls) {
    TABLETOP_CHECK(std::ranges::equal(roll.faces(outcome), faces));
    TABLETOP_CHECK_EQUAL(roll.weight(outcome), weight);
    for (int i = 0; i < weight; ++i, ++below) {
      TABLETOP_CHECK_EQUAL(roll.outcome_at(static_cast<std::uint64_t>(below)), outcome);
    }
    ++outcome;
  }
  TABLETOP_CHECK_EQUAL(below, roll.rolls());
}

TABLETOP_TEST(multisets_of_dice_have_exact_weights) {
  check_multisets<4, 126>();
  check_multisets<3, 56>();
  check_multisets<2, 21>();
}

Value::List rows(const std::vector<Row>& pegs) {
  Value::List list;
  for (const Row& row : pegs) list.emplace_back(list_of(row));
  return list;
}

TABLETOP_TEST(four_equal_dice_have_all_uses) {
  const DiceChallenge game({});
  const DiceChallenge::State start = game.from_dict(
      Value::Dict{{"phase", "resolve"},
                  {"seat", 0},
                  {"turns", 8},
                  {"idle", 0},
                  {"pending_bonus", 0},
                  {"rolls_used", 0},
                  {"moved", false},
                  {"pegs", rows({{1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}})},
                  {"dice", Value::List{Value::List{1, 1, 1, 1}, Value::List{0, 0, 1, 3}}},
                  {"unused", Value::List{1, 1, 1, 1}},
                  {"truncated", false}});
  ActionSet<DiceChallenge::kMaxActions> actions;
  game.legal_actions(start, actions);
  TABLETOP_CHECK_EQUAL(actions.count(), 1 + 3 * kSymbols);
  const auto play = [&](const std::vector<std::string>& uses) {
    DiceChallenge::State state = start;
    for (const std::string& use : uses) {
      Action found = -1;
      ActionSet<DiceChallenge::kMaxActions> legal;
      game.legal_actions(state, legal);
      legal.for_each([&](Action action) {
        if (game.action_to_string(action) == use) found = action;
      });
      TABLETOP_CHECK(found >= 0);
      game.apply(state, found);
    }
    TABLETOP_CHECK(state.phase == DiceChallenge::Phase::kRoll);
    TABLETOP_CHECK_EQUAL(state.race.turns, 9);
    return state.race.pegs[0].numbers();
  };
  const auto pegs = [](const Row& row) { return counts(row).numbers(); };
  const std::string match = "match green";
  TABLETOP_CHECK(play({match, match, match, match}) == pegs({1, 5, 1, 1, 1, 1}));
  TABLETOP_CHECK(play({"wild 3 with green for blue"}) == pegs({1, 1, 4, 1, 1, 1}));
  TABLETOP_CHECK(play({"wild 2 with green for red", match}) == pegs({3, 2, 1, 1, 1, 1}));
  TABLETOP_CHECK(play({match, "wild 1 with green for green", match}) == pegs({1, 4, 1, 1, 1, 1}));
  TABLETOP_CHECK(play({"wild 1 with green for red", "wild 1 with green for purple"}) ==
                 pegs({2, 1, 1, 1, 1, 2}));
}

// Four players; seat 0 has come as far as the row says, the others have not moved.
TileChallenge::State tiles(const TileChallenge& game, const char* phase, const Row& row,
                           const Row& centre, const Value::List& front) {
  Row pool{};
  for (int symbol = 0; symbol < kSymbols; ++symbol) {
    const auto at = static_cast<std::size_t>(symbol);
    const auto drawn = static_cast<int>(std::ranges::count(front, Value(symbol)));
    pool[at] = 21 - row[at] - centre[at] - drawn;
  }
  const Row none{};
  return game.from_dict(Value::Dict{{"phase", phase},
                                    {"seat", 0},
                                    {"turns", 40},
                                    {"idle", 0},
                                    {"pending_bonus", 0},
                                    {"pegs", rows({row, none, none, none})},
                                    {"pool", list_of(pool)},
                                    {"centre", list_of(centre)},
                                    {"front", front},
                                    {"box", list_of(row)},
                                    {"truncated", false}});
}

TABLETOP_TEST(tiles_that_a_row_cannot_take_go_back_to_the_pool) {
  const TileChallenge game({.players = 4});
  TileChallenge::State state =
      tiles(game, "decide", {3, 0, 0, 0, 0, 0}, {3, 0, 1, 0, 0, 0}, Value::List{0});
  TABLETOP_CHECK_EQUAL(state.pool[0], 14);
  game.apply(state, TileChallenge::kScore);
  TABLETOP_CHECK_EQUAL(state.race.pegs[0][0], 5);
  TABLETOP_CHECK_EQUAL(state.pool[0], 16);
  TABLETOP_CHECK(std::ranges::equal(state.centre.numbers(), Row{0, 0, 1, 0, 0, 0}));
  TABLETOP_CHECK(state.front.empty());
  TABLETOP_CHECK(state.phase == TileChallenge::Phase::kRefill);
  TABLETOP_CHECK_EQUAL(state.race.seat, 0);  // a bonus turn
}

TABLETOP_TEST(a_tile_that_busts_goes_to_the_centre_with_the_front) {
  const TileChallenge game({.players = 4});
  const struct {
    Value::List front;
    int drawn, in_centre;
  } cases[] = {{{}, 5, 1}, {{2}, 2, 5}, {{2}, 5, 1}};
  for (const auto& one : cases) {
    TileChallenge::State state =
        tiles(game, "draw", {0, 0, 0, 0, 0, 0}, {0, 0, 3, 0, 0, 0}, one.front);
    game.apply(state, one.drawn);
    TABLETOP_CHECK(state.front.empty());
    TABLETOP_CHECK_EQUAL(state.centre[one.drawn], one.in_centre);
    TABLETOP_CHECK_EQUAL(state.centre.total(), 4 + static_cast<int>(one.front.size()));
    TABLETOP_CHECK_EQUAL(state.race.seat, 1);
    TABLETOP_CHECK_EQUAL(state.race.idle, 1);
  }
}

}  // namespace

int main() { return tabletop::test::run(); }
