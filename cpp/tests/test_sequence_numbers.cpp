// Sequence Numbers: which windows are scored, against trying all sets of them; picks and codecs
// under mixed options; the sets and piles that a position is made of.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "check.hpp"
#include "tabletop/games/sequence_numbers.hpp"
#include "tabletop/playout.hpp"

namespace {

using namespace tabletop;
using Game = SequenceNumbers;
using sequence_numbers::CardPile;
using sequence_numbers::CellSet;
using sequence_numbers::Deck;
using sequence_numbers::EndResult;
using sequence_numbers::LockPolicy;
using sequence_numbers::NoPlayPolicy;
using sequence_numbers::WindowSet;

struct Cell {
  int row, col;
};

// Positions on the canonical board in which seat 0 is to move.
struct Setup {
  // NOLINTBEGIN(readability-redundant-member-init): so designated initializers may leave one out
  std::vector<Cell> own = {}, others = {};  // chips of teams 0 and 1
  std::vector<int> own_sequences = {}, others_sequences = {};
  // NOLINTEND(readability-redundant-member-init)
  std::vector<Value> hand = {"plus"};
  bool swapped = false;
};

int cell_id(Cell cell) { return 10 * cell.row + cell.col; }
Action plus_at(Cell cell) { return 100 + cell_id(cell); }

// Horizontal windows of the canonical board: six in each row.
int row_window(int row, int first_col) { return 6 * row + first_col; }

Game::State position(const Game& game, const Setup& setup) {
  const int players = game.num_players();
  std::vector<Value::List> owner(10, Value::List(10)), hands(static_cast<std::size_t>(players));
  const auto put = [&](Cell cell, int team) {
    owner[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)] = team;
  };
  for (const Cell cell : setup.own) put(cell, 0);
  for (const Cell cell : setup.others) put(cell, 1);
  hands[0] = setup.hand;
  Value::List deck;
  for (int number = 1; number <= 48; ++number) deck.insert(deck.end(), 2, number);
  deck.insert(deck.end(), {"plus", "plus", "minus", "minus"});
  for (const Value& card : setup.hand) deck.erase(std::ranges::find(deck, card));
  std::vector<Value::List> sequences(static_cast<std::size_t>(game.options().teams.value_or(0)));
  sequences[0] = list_of(setup.own_sequences);
  sequences[1] = list_of(setup.others_sequences);
  return game.from_dict(Value::Dict{{"phase", "play"},
                                    {"seat", 0},
                                    {"turn", 0},
                                    {"idle", 0},
                                    {"swapped", setup.swapped},
                                    {"hands", list_of(hands)},
                                    {"deck", deck},
                                    {"discards", Value::List{}},
                                    {"owner", list_of(owner)},
                                    {"sequences", list_of(sequences)},
                                    {"pending_locks", Value::List(4, Value::List{})},
                                    {"talkers", Value::List{}},
                                    {"winners", Value::List{}},
                                    {"truncated", false}});
}

std::vector<int> members(const WindowSet& windows) {
  std::vector<int> ids;
  windows.for_each([&](int window) { ids.push_back(window); });
  return ids;
}

std::vector<int> legal(const Game& game, const Game::State& state) {
  ActionSet<Game::kMaxActions> actions;
  game.legal_actions(state, actions);
  std::vector<int> ids;
  actions.for_each([&](Action action) { ids.push_back(action); });
  return ids;
}

// The sequences of team 0 after its chip on `placed`.
std::vector<int> sequences_after(const Game& game, const Setup& setup, Cell placed) {
  Game::State state = position(game, setup);
  game.apply(state, plus_at(placed));
  TABLETOP_CHECK(valid(game, state));
  return members(state.sequences[0]);
}

std::vector<Cell> in_row(int row, std::initializer_list<int> cols) {
  std::vector<Cell> cells;
  for (const int col : cols) cells.push_back({row, col});
  return cells;
}

const Game& many_to_win() {
  static const Game game({.sequences_to_win = 9});
  return game;
}

// --- Which windows are scored --------------------------------------------------------------------

TABLETOP_TEST(runs_in_a_row) {
  using Ids = std::vector<int>;
  const auto after = [](const std::vector<Cell>& own, Cell placed, Ids before = {}) {
    return sequences_after(many_to_win(), {.own = own, .own_sequences = std::move(before)}, placed);
  };
  TABLETOP_CHECK(after(in_row(2, {1, 2, 3, 4}), {2, 5}) == Ids{row_window(2, 1)});
  TABLETOP_CHECK(after(in_row(0, {1, 2, 3}), {0, 4}) == Ids{row_window(0, 0)});  // with the corner
  TABLETOP_CHECK(after(in_row(2, {1, 2, 3, 5, 6}), {2, 4}) == Ids{row_window(2, 1)});
  const Ids nine = {row_window(2, 0), row_window(2, 4)};
  TABLETOP_CHECK(after(in_row(2, {0, 1, 2, 3, 5, 6, 7, 8}), {2, 4}) == nine);
  // Five whole chips rather than four and the corner, though that window has the lower id.
  TABLETOP_CHECK(after(in_row(0, {1, 2, 4, 5}), {0, 3}) == Ids{row_window(0, 1)});

  const Ids first = {row_window(2, 1)};
  TABLETOP_CHECK(after(in_row(2, {1, 2, 3, 4, 5, 6, 7}), {2, 8}, first) == first);
  const Ids both = {row_window(2, 1), row_window(2, 5)};
  TABLETOP_CHECK(after(in_row(2, {1, 2, 3, 4, 5, 6, 7, 8}), {2, 9}, first) == both);
  // A chip that was locked before counts for more than the corner.
  const Ids edge = {row_window(0, 1), row_window(0, 5)};
  TABLETOP_CHECK(after(in_row(0, {1, 2, 3, 5, 6, 7, 8}), {0, 4}, {row_window(0, 5)}) == edge);
}

TABLETOP_TEST(one_chip_makes_two_lines) {
  std::vector<Cell> own = in_row(4, {1, 2, 3, 5});
  for (int row = 0; row < 4; ++row) own.push_back({row, 4});
  TABLETOP_CHECK_EQUAL(sequences_after(many_to_win(), {.own = own}, {4, 4}).size(), 2);
  const Game game({.players = 4});
  Game::State state = position(game, {.own = own});
  game.apply(state, plus_at({4, 4}));
  TABLETOP_CHECK_EQUAL(game.current_player(state), kTerminal);
  TABLETOP_CHECK_EQUAL(game.winners(state).bits(), 0b0101);
}

TABLETOP_TEST(full_windows_elsewhere_are_not_scored) {
  const std::vector<Cell> own = in_row(2, {1, 2, 3, 4, 5});
  TABLETOP_CHECK(sequences_after(many_to_win(), {.own = own}, {7, 7}).empty());
}

TABLETOP_TEST(minus_takes_no_locked_chip) {
  const Game game({.sequences_to_win = 2});
  std::vector<Cell> others = in_row(2, {1, 2, 3, 4, 5});
  others.push_back({7, 7});
  const Game::State state = position(
      game, {.own = {{8, 8}}, .others = others, .others_sequences = {13}, .hand = {"minus"}});
  TABLETOP_CHECK(legal(game, state) == std::vector<int>{200 + cell_id({7, 7})});
}

TABLETOP_TEST(a_dead_card_is_swapped_once) {
  const Game game({});
  Setup setup{.own = {{0, 1}}, .others = {{9, 8}}, .hand = {1}};
  TABLETOP_CHECK(legal(game, position(game, setup)) == std::vector<int>{300});
  setup.swapped = true;
  TABLETOP_CHECK(legal(game, position(game, setup)) == std::vector<int>{348});
}

TABLETOP_TEST(five_players_are_refused) {
  TABLETOP_CHECK_THROWS(OptionError, Game({.players = 5}));
  TABLETOP_CHECK_THROWS(OptionError, Game({.players = 4, .teams = 3}));
  TABLETOP_CHECK_THROWS(OptionError, Game({.players = 3, .table_talk_per_mille = 1}));
}

// --- Against all sets of windows -----------------------------------------------------------------

int shared(const sequence_numbers::Board& board, int a, int b) {
  return (board.window_cells[a] & board.window_cells[b]).count();
}

// Of all sets of candidates that share at most one cell pairwise, the one with most windows, then
// most chips locked, then the lowest ids.
std::vector<int> best_set(const sequence_numbers::Board& board,
                          const std::vector<int>& candidates) {
  std::vector<int> best;
  int best_locked = 0;
  for (unsigned set = 0; set < 1U << candidates.size(); ++set) {
    std::vector<int> chosen;
    CellSet cells;
    bool compatible = true;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      for (const int one : chosen)
        compatible = compatible && shared(board, one, candidates[i]) <= 1;
      chosen.push_back(candidates[i]);
      cells |= board.window_cells[candidates[i]];
    }
    if (!compatible) continue;
    const int locked = (cells - board.corners).count();
    const auto rank = std::pair(chosen.size(), locked),
               best_rank = std::pair(best.size(), best_locked);
    if (rank > best_rank || (rank == best_rank && chosen < best)) {
      best = chosen;
      best_locked = locked;
    }
  }
  return best;
}

// Random chips, thick along two lines through the cell to be placed on, and some sequences of them.
Setup random_setup(const Game& game, Cell placed, Rng& rng) {
  Setup setup;
  const Cell steps[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  const Cell thick[] = {steps[rng.below(4)], steps[rng.below(4)]};
  CellSet chips;
  for (int cell = 0; cell < 100; ++cell) {
    if (game.board().is_corner(cell) || cell == cell_id(placed)) continue;
    bool in_line = false;
    for (int i = -5; i <= 5; ++i) {
      for (const Cell step : thick) {
        in_line = in_line || (cell / 10 == placed.row + i * step.row &&
                              cell % 10 == placed.col + i * step.col);
      }
    }
    if (rng.below(100) >= (in_line ? 90 : 35)) continue;
    chips.add(cell);
    setup.own.push_back({cell / 10, cell % 10});
  }
  for (int tries = static_cast<int>(rng.below(40)); tries > 0; --tries) {
    const int window = static_cast<int>(rng.below(192));
    bool fits = game.board().window_cells[window].within(chips | game.board().corners);
    for (const int one : setup.own_sequences) fits = fits && shared(game.board(), one, window) <= 1;
    if (fits && setup.own_sequences.size() < 4) setup.own_sequences.push_back(window);
  }
  std::ranges::sort(setup.own_sequences);
  return setup;
}

// The windows through the placed cell that are full and share little enough [SN-32].
std::vector<int> candidates_at(const Game& game, const Setup& setup, Cell placed) {
  CellSet own = game.board().corners;
  own.add(cell_id(placed));
  for (const Cell cell : setup.own) own.add(cell_id(cell));
  std::vector<int> candidates;
  for (int window = 0; window < 192; ++window) {
    const CellSet& cells = game.board().window_cells[window];
    bool fits = cells.contains(cell_id(placed)) && cells.within(own);
    for (const int one : setup.own_sequences) fits = fits && shared(game.board(), one, window) <= 1;
    if (fits) candidates.push_back(window);
  }
  return candidates;
}

TABLETOP_TEST(locking_is_the_best_of_all_sets) {
  const Game& automatic = many_to_win();
  const Game choosing({.sequences_to_win = 9, .lock_policy = LockPolicy::kChoose});
  Rng rng(1);
  int scoring = 0, splits = 0, asked = 0;
  for (int round = 0; round < 1000; ++round) {
    const Cell placed = {static_cast<int>(rng.below(10)), static_cast<int>(rng.below(10))};
    if (automatic.board().is_corner(cell_id(placed))) continue;
    const Setup setup = random_setup(automatic, placed, rng);
    const std::vector<int> candidates = candidates_at(automatic, setup, placed);
    if (candidates.size() > 12) continue;
    const std::vector<int> best = best_set(automatic.board(), candidates);
    std::vector<int> expected = setup.own_sequences;
    expected.insert(expected.end(), best.begin(), best.end());
    std::ranges::sort(expected);
    TABLETOP_CHECK(sequences_after(automatic, setup, placed) == expected);
    scoring += best.empty() ? 0 : 1;
    splits += best.size() == 2 ? 1 : 0;

    // With a choice, what is neither scored nor pending is no candidate, and nothing is both.
    Game::State state = position(choosing, setup);
    choosing.apply(state, plus_at(placed));
    if (state.phase == Game::Phase::kOver) continue;  // the target settles it
    for (const WindowSet& along : choosing.board().along) {
      std::vector<int> here;
      for (const int window : candidates) {
        if (along.contains(window)) here.push_back(window);
      }
      const std::vector<int> fixed = best_set(choosing.board(), here);
      const bool choice = here.size() > 1 && fixed.size() < 2;
      TABLETOP_CHECK(members(state.pending_locks & along) == (choice ? here : std::vector<int>()));
      for (const int window : fixed) {
        TABLETOP_CHECK_EQUAL(state.sequences[0].contains(window), !choice);
      }
      asked += choice ? 1 : 0;
    }
    TABLETOP_CHECK(valid(choosing, state));
  }
  TABLETOP_CHECK(scoring > 500 && splits > 50 && asked > 200);
}

TABLETOP_TEST(free_sharing_scores_every_full_window) {
  const Game game({.sequences_to_win = 9, .shared_cells_allowed = 4});
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    const Cell placed = {1 + static_cast<int>(rng.below(8)), static_cast<int>(rng.below(10))};
    Setup setup = random_setup(game, placed, rng);
    setup.own_sequences.clear();
    TABLETOP_CHECK(sequences_after(game, setup, placed) == candidates_at(game, setup, placed));
  }
  Setup all;
  for (int cell = 0; cell < 100; ++cell) {
    if (!game.board().is_corner(cell) && cell != 44) all.own.push_back({cell / 10, cell % 10});
  }
  TABLETOP_CHECK_EQUAL(sequences_after(game, all, {4, 4}).size(), 20);
}

// --- Under mixed options -------------------------------------------------------------------------

Game mixed_game(Rng& rng) {
  const auto coin = [&] { return rng.below(2) == 1; };
  const int seatings[][2] = {{2, 2}, {3, 3}, {4, 2}, {6, 2}, {6, 3}};
  const int sizes[][2] = {{6, 6}, {6, 7}, {7, 8}, {9, 8}, {10, 10}};
  const int (&seating)[2] = seatings[rng.below(5)];
  const int (&size)[2] = sizes[rng.below(5)];
  const int rates[] = {0, 0, 200, 1000};
  Game::Options options;
  options.players = seating[0];
  options.teams = seating[1];
  options.sequences_to_win = 1 + static_cast<int>(rng.below(4));
  options.lock_policy = coin() ? LockPolicy::kChoose : LockPolicy::kAuto;
  options.shared_cells_allowed = rng.below(4) == 0 ? 4 : 1;
  options.no_play_policy = coin() ? NoPlayPolicy::kDiscardAndDraw : NoPlayPolicy::kPass;
  options.swap_optional = coin();
  options.minus_dead_swap = coin();
  options.swap_draw_before_discard = coin();
  if (coin()) options.chips_per_colour = 3 + static_cast<int>(rng.below(20));
  options.missed_draw_per_mille = rates[rng.below(4)];
  if (seating[0] > seating[1]) options.table_talk_per_mille = rates[rng.below(4)];
  options.max_turns = 1 + static_cast<int>(rng.below(150));
  options.max_turns_result = coin() ? EndResult::kMostSequences : EndResult::kDraw;
  options.stalemate_result = coin() ? EndResult::kMostSequences : EndResult::kDraw;
  options.dead_position_check = coin();
  options.board = sequence_numbers::mirror_board(size[0], size[1]);
  return Game(options);
}

TABLETOP_TEST(picks_and_codecs_agree_under_mixed_options) {
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    const Game game = mixed_game(rng);
    Game::State state = game.initial_state();
    int decisions = 0;
    while (game.current_player(state) != kTerminal) {
      Rng other = rng;
      Action picked = 0, listed = 0;
      if (game.current_player(state) == kChance) {
        ChanceList<Game::kMaxOutcomes> outcomes;
        game.chance_outcomes(state, outcomes);
        listed = outcomes.at_weight(other.below(outcomes.total()));
        picked = game.pick_outcome(state, rng);
        TABLETOP_CHECK(outcomes.entries().back().outcome < game.num_outcomes());
      } else {
        const std::vector<int> actions = legal(game, state);
        listed = actions[other.below(actions.size())];
        picked = game.pick_action(state, rng);
        TABLETOP_CHECK(actions.back() < game.num_actions());
        ++decisions;
      }
      TABLETOP_CHECK_EQUAL(picked, listed);
      TABLETOP_CHECK(rng == other);
      game.apply(state, picked);
      TABLETOP_CHECK(valid(game, state));
      const Game::State again = game.from_dict(game.to_dict(state));
      TABLETOP_CHECK(std::memcmp(&again, &state, sizeof state) == 0);
      ByteWriter bytes;
      game.encode(state, bytes);
      ByteReader reader(bytes.bytes());
      const Game::State decoded = game.decode(reader);
      TABLETOP_CHECK(std::memcmp(&decoded, &state, sizeof state) == 0);
    }
    TABLETOP_CHECK(decisions <= game.max_length());
  }
}

TABLETOP_TEST(no_changed_byte_of_a_position_goes_unnoticed_or_crashes) {
  const Game game({.players = 4});
  Rng rng(4);
  Game::State state = game.initial_state();
  for (int step = 0; step < 60; ++step) {
    game.apply(state, game.current_player(state) == kChance ? game.pick_outcome(state, rng)
                                                            : game.pick_action(state, rng));
  }
  TABLETOP_CHECK(valid(game, state));
  for (std::size_t at = 0; at < sizeof state; ++at) {
    Game::State changed = state;
    const auto value = static_cast<unsigned char>(rng.below(256));
    std::memcpy(reinterpret_cast<unsigned char*>(&changed) + at, &value, 1);
    if (!valid(game, changed)) continue;
    // What is still a position survives its dictionary, byte by byte.
    const Game::State again = game.from_dict(game.to_dict(changed));
    TABLETOP_CHECK(std::memcmp(&again, &changed, sizeof changed) == 0);
  }
}

// --- Sets and piles ------------------------------------------------------------------------------

TABLETOP_TEST(sets_agree_with_lists) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    CellSet set;
    std::vector<int> listed;
    const std::uint64_t density = 1 + rng.below(10);
    for (int cell = 0; cell < 100; ++cell) {
      if (rng.below(10) >= density) continue;
      set.add(cell);
      listed.push_back(cell);
    }
    TABLETOP_CHECK_EQUAL(set.count(), listed.size());
    TABLETOP_CHECK_EQUAL(set.empty(), listed.empty());
    for (std::size_t k = 0; k < listed.size(); ++k) {
      TABLETOP_CHECK_EQUAL(set.nth(static_cast<int>(k)), listed[k]);
      TABLETOP_CHECK_EQUAL(set.nth_of_few(static_cast<int>(k)), listed[k]);
    }
    const int first = static_cast<int>(rng.below(64));
    for (int i = 0; i < 64; ++i) {
      TABLETOP_CHECK_EQUAL(set.from(first) >> i & 1, set.contains(first + i) ? 1 : 0);
    }
  }
}

TABLETOP_TEST(piles_agree_with_lists) {
  Rng rng(6);
  for (int round = 0; round < 100; ++round) {
    const int kinds = 18 + static_cast<int>(rng.below(33));
    Deck deck(CardPile::complete(kinds));
    std::vector<int> listed;
    for (int kind = 0; kind < kinds; ++kind) listed.insert(listed.end(), 2, kind);
    while (!listed.empty()) {
      TABLETOP_CHECK_EQUAL(deck.size(), listed.size());
      for (std::size_t k = 0; k < listed.size(); ++k) {
        TABLETOP_CHECK_EQUAL(deck.nth(static_cast<int>(k)), listed[k]);
      }
      const auto at = static_cast<std::ptrdiff_t>(rng.below(listed.size()));
      deck.remove(listed[static_cast<std::size_t>(at)]);
      listed.erase(listed.begin() + at);
      TABLETOP_CHECK(deck == Deck(deck.cards()));
    }
    TABLETOP_CHECK(deck.empty());
  }
}

}  // namespace

int main() { return tabletop::test::run(); }
