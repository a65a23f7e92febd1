// Card Challenge: rules in docs/rules/card_challenge.md. Clauses are cited as [CC-n].
//
// Cards lie in piles without an order; what all players see of the boards is the race of
// mechanics/score_board.hpp. What a position looks like outside, and what is checked of one that
// comes from there, is in card_challenge/position.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tabletop/fixed_vector.hpp"
#include "tabletop/game.hpp"
#include "tabletop/games/card_challenge/cards.hpp"
#include "tabletop/mechanics/score_board.hpp"

namespace tabletop {

namespace card_challenge {

enum class TwoPlayerRow : std::uint8_t { kFifo, kStaticCentre };
enum class DumpTieRule : std::uint8_t { kAll, kAny };

enum class Phase : std::uint8_t { kDeal, kPlay, kDump, kDraw, kOver };
inline constexpr const char* kPhaseNames[] = {"deal", "play", "dump", "draw", "over"};

}  // namespace card_challenge

class CardChallenge {
 public:
  static constexpr const char* kName = "card_challenge";
  static constexpr const char* kVersion = "1";

  // Decisions: 2 * kind + order, where order 0 scores the lower symbol first, then these two.
  // Chance outcomes: the kind of the card.
  static constexpr Action kKeep = 2 * card_challenge::kKinds, kDump = kKeep + 1;
  static constexpr int kMaxActions = kDump + 1;
  static constexpr int kMaxOutcomes = card_challenge::kKinds;
  static constexpr int kMostDealt = ingenious::kMaxPlayers * (card_challenge::kHandSize + 1);

  using CardPile = card_challenge::CardPile;
  using DumpTieRule = card_challenge::DumpTieRule;
  using Gates = ingenious::Gates;
  using Phase = card_challenge::Phase;
  using Race = ingenious::Race;
  using SymbolCounts = ingenious::SymbolCounts;
  using TwoPlayerRow = card_challenge::TwoPlayerRow;

  struct Options {
    int players = 2;
    TwoPlayerRow two_player_row = TwoPlayerRow::kFifo;
    Gates gate_test = Gates::kStepwise;
    DumpTieRule dump_tie_rule = DumpTieRule::kAll;
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
    visit.choice("two_player_row", options.two_player_row,
                 {Named<TwoPlayerRow>{"fifo", TwoPlayerRow::kFifo},
                  Named<TwoPlayerRow>{"static_centre", TwoPlayerRow::kStaticCentre}},
                 "With 2 players: which of the two cards in front of a seat a new one replaces, "
                 "the older one or the one nearer the seat.");
    ingenious::visit_gate_test(visit, options.gate_test);
    visit.choice(
        "dump_tie_rule", options.dump_tie_rule,
        {Named<DumpTieRule>{"all", DumpTieRule::kAll},
         Named<DumpTieRule>{"any", DumpTieRule::kAny}},
        "Which symbols of several lowest rows a hand must lack to be dumped: all or any one.");
  }

  struct State {
    Race race;
    // Face up on the table, seat by seat; of two cards of a seat the one nearer the centre first.
    std::uint8_t front[ingenious::kMaxPlayers];
    CardPile hands[ingenious::kMaxPlayers];
    CardPile deck;
    CardPile pile;  // discarded
    Phase phase;
    std::uint8_t due;       // cards that are still to be dealt, or that the seat still draws
    std::uint8_t zeros[6];  // in place of padding
  };

  explicit CardChallenge(const Options& options)
      : options_(checked_options<CardChallenge>(options)),
        board_({.players = options_.players,
                .gates = options_.gate_test,
                .last_hole = ingenious::kLastHole,
                .goal = ingenious::kGoal,
                .max_turns = static_cast<std::uint32_t>(options_.max_turns),
                .no_progress_limit = static_cast<std::uint32_t>(options_.no_progress_limit)}),
        players_(options_.players),
        places_(players_ == 2 ? 2 : 1),
        to_table_(players_ * places_) {
    const bool shifts = places_ == 2 && options_.two_player_row == TwoPlayerRow::kFifo;
    for (Seat seat = 0; seat < ingenious::kMaxPlayers; ++seat) {
      nearest_[seat] = to_byte((seat + 1) * places_ - 1);
      replaced_[seat] = to_byte(nearest_[seat] - (shifts ? 1 : 0));
    }
    for (int due = 1; due <= kMostDealt; ++due) {  // the last of the hands is the last seat's
      const int to_hands = std::max(due - to_table_, 0);
      const int seats_left = (to_hands + card_challenge::kHandSize - 1) / card_challenge::kHandSize;
      receiver_[due] =
          to_byte(to_hands > 0 ? std::max(players_ - seats_left, 0) : (to_table_ - due) / places_);
    }
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return players_; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return kMaxOutcomes; }
  [[nodiscard]] int max_length() const { return 2 * options_.max_turns; }  // [CC-49]
  [[nodiscard]] double min_utility() const { return -1.0 / (players_ - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }

  // --- Nodes -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    State state{};
    state.deck = CardPile::complete();
    state.due = to_byte(players_ * (card_challenge::kHandSize + places_));
    for (std::uint8_t& card : state.front) card = card_challenge::kNoCard;
    return state;
  }

  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    if (state.phase == Phase::kPlay || state.phase == Phase::kDump) return state.race.seat;
    return state.phase == Phase::kOver ? kTerminal : kChance;
  }

  [[nodiscard]] bool is_truncated(const State& state) const noexcept {
    return state.race.truncated != 0;
  }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept {
    if (state.phase == Phase::kDump) {
      actions.add_bits(kKeep, 0b11);
      return;
    }
    actions.add_bits(0, state.hands[state.race.seat].kinds().pairs());
  }

  // The same choice as from the list, by counting kinds.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    if (state.phase == Phase::kDump) [[unlikely]]
      return kKeep + static_cast<int>(rng.below(2));
    const card_challenge::KindSet kinds = state.hands[state.race.seat].kinds();
    const std::uint64_t k = rng.below(2 * kinds.count());
    return static_cast<Action>(2 * kinds.nth(k / 2) + k % 2);
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    for (int kind = 0; kind < card_challenge::kKinds; ++kind) {
      outcomes.add(kind, static_cast<std::uint32_t>(state.deck.count(kind)));
    }
  }

  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    const CardPile deck = state.deck;
    return deck.nth(rng.below(deck.cards()));
  }

  void apply(State& state, Action action) const noexcept {
    if (state.phase == Phase::kPlay || state.phase == Phase::kDump) return decide(state, action);
    receive(state, action);
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    board_.scores(state.race, scores);
  }

  [[nodiscard]] SeatSet winners(const State& state) const noexcept {
    return state.phase == Phase::kOver ? board_.winners(state.race) : SeatSet();
  }

  // The unseen cards are the deck and the other hands. The hands are drawn from them [CC-60], first
  // that of another seat that is known to have a hand which it may dump [CC-59].
  [[nodiscard]] State resample(const State& state, Seat observer, Rng& rng) const noexcept {
    State sample = state;
    for (Seat seat = 0; seat < players_; ++seat) {
      if (seat == observer) continue;
      sample.deck += state.hands[seat];
      sample.hands[seat] = CardPile();
    }
    const Seat dumper =
        state.phase == Phase::kDump && state.race.seat != observer ? state.race.seat : kChance;
    if (dumper != kChance) {
      for (int left = state.hands[dumper].size(); left > 0; --left) {
        take_card(sample, dumper, pick_for_dump(sample, dumper, left, rng));
      }
    }
    for (Seat seat = 0; seat < players_; ++seat) {
      if (seat == observer || seat == dumper) continue;
      for (int left = state.hands[seat].size(); left > 0; --left) {
        take_card(sample, seat, pick_outcome(sample, rng));
      }
    }
    return sample;
  }

  // Cards are turned up for all; cards for a hand are seen by the seat that gets them [CC-55].
  [[nodiscard]] bool sees_outcome(const State& state, Seat observer) const noexcept {
    const bool turned_up = state.phase == Phase::kDeal && state.due <= to_table_;
    return turned_up || state.race.seat == observer;
  }

  // --- Outside -----------------------------------------------------------------------------------

  [[nodiscard]] std::string action_to_string(Action action) const;
  [[nodiscard]] std::string outcome_to_string(Action outcome) const;
  [[nodiscard]] std::string to_string(const State& state) const;
  [[nodiscard]] Value to_dict(const State& state) const;
  [[nodiscard]] Value view(const State& state, Seat observer) const;
  [[nodiscard]] std::vector<ObservationField> observation_fields() const;
  void observe(const State& state, Seat observer, std::span<float> tensor) const noexcept;
  void encode(const State& state, ByteWriter& bytes) const;
  [[nodiscard]] State from_dict(const Value& dict) const;
  [[nodiscard]] State decode(ByteReader& bytes) const;

 private:
  // --- Cards for a seat --------------------------------------------------------------------------

  void receive(State& state, int kind) const noexcept {
    if (state.phase == Phase::kDraw) [[likely]]
      return draw(state, kind);
    deal(state, kind);
  }

  void draw(State& state, int kind) const noexcept {
    take_card(state, state.race.seat, kind);
    if (--state.due > 0) [[unlikely]]
      return renew_deck(state);
    board_.pass_turn(state.race);
    state.phase = Phase::kPlay;
  }

  // Every seat gets a hand before cards are turned up in front of the seats [CC-26], [CC-27].
  void deal(State& state, int kind) const noexcept {
    state.deck.remove(kind);
    if (state.due > to_table_) {
      state.hands[state.race.seat].add(kind);
    } else {
      state.front[to_table_ - state.due] = to_byte(kind);
    }
    --state.due;
    state.race.seat = receiver_[state.due];
    if (state.due == 0) state.phase = Phase::kPlay;
  }

  // The pile becomes the deck just before a draw needs it; that is no node [CC-46].
  static void renew_deck(State& state) noexcept {
    if (!state.deck.empty()) [[likely]]
      return;
    state.deck = state.pile;
    state.pile = CardPile();
  }

  static void take_card(State& state, Seat seat, int kind) noexcept {
    state.deck.remove(kind);
    state.hands[seat].add(kind);
  }

  // --- The turn ----------------------------------------------------------------------------------

  void decide(State& state, Action action) const noexcept {
    if (state.phase == Phase::kPlay) [[likely]]
      return play(state, action);
    if (action == kDump) dump(state);
    enter_draw(state, action == kDump ? card_challenge::kHandSize : 1);
  }

  // Both symbols are scored, the second with the pegs as the first has left them [CC-34].
  void play(State& state, Action action) const noexcept {
    const int kind = action >> 1;
    const SymbolCounts open = face_up(state);  // without the card that is being played [CC-33]
    state.hands[state.race.seat].remove(kind);
    for (const int symbol : card_challenge::kKindTable.scored[action]) {
      board_.advance(state.race, symbol, open[symbol]);
    }
    lay(state, kind);
    if (board_.finish_turn(state.race)) [[unlikely]] {
      state.phase = Phase::kOver;
    } else if (may_dump(state)) [[unlikely]] {
      state.phase = Phase::kDump;
    } else {
      enter_draw(state, 1);
    }
  }

  // How many cards on the table show each symbol [CC-32].
  static SymbolCounts face_up(const State& state) noexcept {
    SymbolCounts symbols;
    for (const std::uint8_t card : state.front) symbols += card_challenge::kKindTable.shown[card];
    return symbols;
  }

  // The played card becomes the one nearest to its player; which goes to the pile depends on the
  // number of cards and on two_player_row [CC-36], [CC-37], [CC-38].
  void lay(State& state, int kind) const noexcept {
    const std::uint8_t nearest = nearest_[state.race.seat], replaced = replaced_[state.race.seat];
    state.pile.add(state.front[replaced]);
    state.front[replaced] = state.front[nearest];
    state.front[nearest] = to_byte(kind);
  }

  // Whether the hand lacks the symbol of the lowest row [CC-41]; of tied ones all or any [CC-42].
  [[nodiscard]] bool may_dump(const State& state) const noexcept {
    const CardPile hand = state.hands[state.race.seat];
    const SymbolCounts tied = state.race.pegs[state.race.seat].lowest_ones();
    if (options_.dump_tie_rule == DumpTieRule::kAll) return !shows(hand, tied);
    std::uint32_t rest = tied.word();
    while (rest != 0 && shows(hand, SymbolCounts(rest & (0 - rest)))) rest &= rest - 1;
    return rest != 0;
  }

  // A symbol of the set.
  static bool shows(CardPile hand, SymbolCounts set) noexcept { return hand.has_any(showing(set)); }
  static std::uint64_t showing(SymbolCounts set) noexcept {
    using namespace card_challenge;
    return kShowing.mask_at[ShowingTable::index(set)];
  }

  // [CC-45]
  static void dump(State& state) noexcept {
    state.pile += state.hands[state.race.seat];
    state.hands[state.race.seat] = CardPile();
  }

  static void enter_draw(State& state, int due) noexcept {
    renew_deck(state);
    state.due = to_byte(due);
    state.phase = Phase::kDraw;
  }

  // --- Hidden hands ------------------------------------------------------------------------------

  // A card for the hand of a seat that may dump, with `left` places to fill: each card is as likely
  // as there are ways to go on to such a hand [CC-61].
  [[nodiscard]] int pick_for_dump(const State& state, Seat seat, int left,
                                  Rng& rng) const noexcept {
    using namespace card_challenge;
    const SymbolCounts tied = state.race.pegs[seat].lowest_ones();
    std::uint64_t upto[kKinds], total = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
      if (const int copies = state.deck.count(kind); copies > 0) {
        CardPile hand = state.hands[seat], unseen = state.deck;
        hand.add(kind);
        unseen.remove(kind);
        total += static_cast<std::uint64_t>(copies) * completions(hand, unseen, left - 1, tied);
      }
      upto[kind] = total;
    }
    const std::uint64_t x = rng.below(total);
    int kind = 0;
    while (x >= upto[kind]) ++kind;
    return kind;
  }

  // In how many ways so many of the unseen cards make the hand one that lacks all of the tied
  // symbols, or any of them, by inclusion and exclusion.
  [[nodiscard]] std::uint64_t completions(CardPile hand, CardPile unseen, int cards,
                                          SymbolCounts tied) const noexcept {
    const auto lacking = [&](SymbolCounts set) -> std::uint64_t {
      return shows(hand, set) ? 0 : choose(unseen.without(showing(set)).size(), cards);
    };
    if (options_.dump_tie_rule == DumpTieRule::kAll) return lacking(tied);
    std::uint64_t odd = 0, even = 0;
    for (std::uint32_t part = tied.word(); part != 0; part = (part - 1) & tied.word()) {
      (std::popcount(part) % 2 == 1 ? odd : even) += lacking(SymbolCounts(part));
    }
    return odd - even;
  }

  // How many sets of k there are among n.
  static std::uint64_t choose(int n, int k) noexcept {
    std::uint64_t sets = n < k ? 0 : 1;
    for (int i = 0; i < k && i < n; ++i) {
      sets = sets * static_cast<std::uint64_t>(n - i) / static_cast<std::uint64_t>(i + 1);
    }
    return sets;
  }

  // --- Outside, continued ------------------------------------------------------------------------

  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  [[nodiscard]] Value front(const State& state, Seat seat) const;
  [[nodiscard]] std::uint8_t due(const State& state) const;
  void check(const State& state) const;
  void check_cards(const State& state) const;
  void check_deal(const State& state) const;
  void check_hands(const State& state) const;

  Options options_;
  ingenious::ScoreBoard board_;
  int players_;
  int places_;    // for cards in front of each seat
  int to_table_;  // of the cards that are dealt, after the hands
  // By seat: the place of its card nearest to it, and of the one that a played card drives out.
  std::uint8_t nearest_[ingenious::kMaxPlayers] = {};
  std::uint8_t replaced_[ingenious::kMaxPlayers] = {};
  // The seat that gets the next card, by the number of those that are still to be dealt.
  std::uint8_t receiver_[kMostDealt + 1] = {};
};

}  // namespace tabletop

#include "tabletop/games/card_challenge/position.hpp"

namespace tabletop {

static_assert(GameRules<CardChallenge> && PicksActions<CardChallenge> &&
              PicksOutcomes<CardChallenge>);

}  // namespace tabletop
