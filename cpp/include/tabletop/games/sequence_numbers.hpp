// Sequence Numbers: rules in docs/rules/sequence_numbers.md. Clauses are cited as [SN-n].
//
// Chips are sets of cells, sequences are sets of windows, cards are piles without an order. Members
// that are not here are in sequence_numbers/: what may happen at a node in listing.hpp, what is
// rare in a turn in turn.hpp, how chips become sequences in sequences.hpp, what a position looks
// like outside in position.hpp, and what is checked of one that comes from there in checks.hpp.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/game.hpp"
#include "tabletop/games/sequence_numbers/board.hpp"
#include "tabletop/games/sequence_numbers/options.hpp"
#include "tabletop/games/sequence_numbers/sets.hpp"

namespace tabletop {

namespace sequence_numbers {

inline constexpr int kMaxTeams = 3;

enum class Phase : std::uint8_t {
  kDeal,
  kTalk,
  kTalkDiscard,
  kPlay,
  kSwapDraw,
  kChooseLock,
  kMiss,
  kTurnDraw,
  kOver
};
inline constexpr const char* kPhaseNames[] = {"deal", "talk",      "talk_discard",
                                              "play", "swap_draw", "choose_lock",
                                              "miss", "turn_draw", "over"};
inline constexpr int kPhases = 9;

}  // namespace sequence_numbers

class SequenceNumbers {
 public:
  static constexpr const char* kName = "sequence_numbers";
  static constexpr const char* kVersion = "1";

  // With S cells, N numbers and W windows [SN-88]:
  //   0      place on a cell with its number card       3S + N          pass
  //   S      place on a cell with plus                  3S + N + 1      swap minus
  //   2S     take the chip from a cell with minus       3S + N + 2      discard a card by kind
  //   3S     swap the dead card of a number             3S + 2N + 4     lock a window
  static constexpr int kMaxActions = 3 * sequence_numbers::kMaxCells +
                                     sequence_numbers::kMaxNumbers + 2 +
                                     sequence_numbers::kMaxKinds + sequence_numbers::kMaxWindows;
  // Chance outcomes: 0 a card by kind, N + 2 drawn, N + 3 missed, N + 4 silence, N + 5 talk by
  // team.
  static constexpr int kMaxOutcomes = sequence_numbers::kMaxKinds + 3 + sequence_numbers::kMaxTeams;

  using Board = sequence_numbers::Board;
  using CardPile = sequence_numbers::CardPile;
  using CellSet = sequence_numbers::CellSet;
  using Deck = sequence_numbers::Deck;
  using WindowSet = sequence_numbers::WindowSet;
  using LockPolicy = sequence_numbers::LockPolicy;
  using NoPlayPolicy = sequence_numbers::NoPlayPolicy;
  using EndResult = sequence_numbers::EndResult;
  using Options = sequence_numbers::Options;
  using Phase = sequence_numbers::Phase;

  template <class Visitor>
  static void visit_options(Visitor& visitor, Options& options) {
    options.visit(visitor);
  }

  struct State {
    CellSet chips[sequence_numbers::kMaxTeams];        // by team
    WindowSet sequences[sequence_numbers::kMaxTeams];  // by team
    WindowSet pending_locks;                           // what can still be chosen
    CardPile hands[kMaxSeats];
    CellSet hand_cells[kMaxSeats];  // of the numbers in each hand: follows from the hands
    CardPile covered;               // each number as often as it has a chip: follows from the chips
    Deck deck;           // and the discards are the cards that are neither here nor in a hand
    std::uint32_t turn;  // turns finished so far
    Phase phase;
    std::uint8_t seat;     // whose turn it is
    std::uint8_t idle;     // turns in a row without any deed [SN-60]
    std::uint8_t swapped;  // a card in this turn
    SeatSet talkers;       // still have to throw away a card for table talk
    SeatSet winners;
    std::uint8_t truncated;
    std::uint8_t zeros[5];  // where padding would be
  };

  explicit SequenceNumbers(Options options)
      : options_(sequence_numbers::resolved(checked_options<SequenceNumbers>(std::move(options)))),
        board_(options_.board, options_.shared_cells_allowed),
        players_(options_.players),
        teams_(options_.teams.value_or(0)),
        target_(options_.sequences_to_win.value_or(0)),
        hand_size_(players_ <= 3 ? 5 : 4),
        plus_place_(board_.cells),
        minus_take_(2 * board_.cells),
        swap_(3 * board_.cells),
        pass_(swap_ + board_.numbers),
        discard_(pass_ + 2),
        lock_(discard_ + board_.kinds),
        house_rules_(options_.chips_per_colour || options_.minus_dead_swap ||
                     !options_.swap_optional || may_discard()),
        plain_kinds_(house_rules_ ? 0 : board_.number_kinds),
        first_end_(options_.dead_position_check ? 0 : max_turns()),
        first_phase_(options_.table_talk_per_mille > 0 ? Phase::kTalk : Phase::kPlay) {
    for (Seat seat = 0; seat < players_; ++seat) {
      team_of_[seat] = to_byte(seat % teams_);  // [SN-3]
      members_[team_of_[seat]].add(seat);
    }
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Board& board() const { return board_; }
  [[nodiscard]] int num_players() const { return players_; }

  // Up to the last block that the options can use [SN-89], [SN-90].
  [[nodiscard]] int num_actions() const {
    if (options_.lock_policy == LockPolicy::kChoose) return lock_ + board_.windows;
    if (may_discard() || options_.table_talk_per_mille > 0) return lock_;
    return options_.minus_dead_swap ? discard_ : pass_ + 1;
  }
  [[nodiscard]] int num_outcomes() const {
    if (options_.table_talk_per_mille > 0) return talk_by(teams_);
    return options_.missed_draw_per_mille > 0 ? missed() + 1 : board_.kinds;
  }

  // A swap and a play in each turn, and what table talk and locks ask for [SN-68].
  [[nodiscard]] int max_length() const {
    return 2 * options_.max_turns +
           (options_.table_talk_per_mille > 0 ? players_ * hand_size_ : 0) +
           (options_.lock_policy == LockPolicy::kChoose ? teams_ * (target_ - 1) : 0);
  }
  [[nodiscard]] double min_utility() const { return -1.0 / (players_ - 1); }
  [[nodiscard]] double max_utility() const {
    const int members = players_ / teams_;
    return static_cast<double>(players_ - members) / (members * (players_ - 1));
  }

  // --- Nodes -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    State state{};
    state.deck = Deck(CardPile::complete(board_.kinds));
    return state;
  }

  // The two phases of a usual turn come first: it is quicker than one switch over all.
  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    if (state.phase == Phase::kPlay) return state.seat;
    if (state.phase == Phase::kTurnDraw) return kChance;
    switch (state.phase) {
      case Phase::kChooseLock:
        return state.seat;
      case Phase::kTalkDiscard:
        return next_talker(state);
      case Phase::kOver:
        return kTerminal;
      default:
        return kChance;
    }
  }

  [[nodiscard]] bool is_truncated(const State& state) const noexcept {
    return state.truncated != 0;
  }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept;

  // The same choice as from the list, by counting.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    const std::uint64_t hand = state.hands[state.seat].kinds();
    if (state.phase == Phase::kPlay && hand <= plain_kinds_) [[likely]] {
      const CellSet places = number_places(state);
      const std::uint64_t swaps = dead_cards(state, hand);
      const int place = places.count();
      const int all = place + (swaps == 0 ? 0 : count_bits(swaps));
      if (all > 0) [[likely]] {
        const int k = below(rng, all);
        return k < place ? places.nth_of_few(k) : swap_ + select_bit(swaps, k - place);
      }
    }
    return pick_by_kind(state, rng);
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept;

  // The draw of a usual turn is asked for first, as in current_player().
  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    const bool cards = state.phase == Phase::kTurnDraw ||
                       (state.phase != Phase::kTalk && state.phase != Phase::kMiss);
    if (cards) return pick_card(state.deck, rng);
    ChanceList<kMaxOutcomes> outcomes;
    chance_outcomes(state, outcomes);
    return outcomes.at_weight(rng.below(outcomes.total()));
  }

  void apply(State& state, Action action) const noexcept {
    if (state.phase == Phase::kPlay) return play(state, action);
    if (state.phase != Phase::kTurnDraw) return apply_rare(state, action);
    take_card(state, state.seat, action);
    end_turn(state);
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    for (Seat seat = 0; seat < players_; ++seat) {
      scores[static_cast<std::size_t>(seat)] = state.sequences[team_of_[seat]].count();  // [SN-51]
    }
  }

  [[nodiscard]] SeatSet winners(const State& state) const noexcept { return state.winners; }

  // The unseen cards are the deck and the other hands; the hands are drawn from them [SN-110].
  [[nodiscard]] State resample(const State& state, Seat observer, Rng& rng) const noexcept {
    State sample = state;
    CardPile unseen = state.deck.cards();
    for (Seat seat = 0; seat < players_; ++seat) {
      if (seat == observer) continue;
      state.hands[seat].for_each([&](int kind) { unseen.add(kind); });
      sample.hands[seat] = CardPile();
      sample.hand_cells[seat] = CellSet();
    }
    sample.deck = Deck(unseen);
    for (Seat seat = 0; seat < players_; ++seat) {
      if (seat == observer) continue;
      for (int i = state.hands[seat].size(); i > 0; --i) {
        take_card(sample, seat, pick_card(sample.deck, rng));
      }
    }
    return sample;
  }

  // A card is seen by the seat that gets it [SN-106]; table talk and missed draws by all.
  [[nodiscard]] bool sees_outcome(const State& state, Seat observer) const noexcept {
    if (state.phase == Phase::kTalk || state.phase == Phase::kMiss) return true;
    return observer == (state.phase == Phase::kDeal ? next_dealt(state) : state.seat);
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
  // --- What a player may do ----------------------------------------------------------------------

  // The legal actions of a play node, by kind of deed.
  struct Deeds {
    CellSet place, place_with_plus, take;
    // Kinds of cards to swap; the bit of plus, which is never swapped, is the pass.
    std::uint64_t swap_or_pass = 0;
    std::uint64_t discard = 0;  // kinds

    [[nodiscard]] bool none() const {
      return (swap_or_pass | discard) == 0 && (place | place_with_plus | take).empty();
    }
  };

  [[nodiscard]] Deeds possible_deeds(const State& state) const noexcept;

  static CellSet all_chips(const State& state) {
    return state.chips[0] | state.chips[1] | state.chips[2];
  }

  [[nodiscard]] CellSet open_cells(const State& state) const {
    return board_.playable - all_chips(state);
  }

  // The open cells of the numbers in the hand [SN-18].
  static CellSet number_places(const State& state) {
    return state.hand_cells[state.seat] - all_chips(state);
  }

  // The cards in the hand that may be swapped now [SN-25], [SN-26].
  static std::uint64_t dead_cards(const State& state, std::uint64_t hand) {
    return state.swapped != 0 ? 0 : hand & state.covered.twice();
  }

  // The unlocked chips of all other teams [SN-20], [SN-21].
  [[nodiscard]] CellSet targets(const State& state) const noexcept {
    return all_chips(state) - state.chips[team_of_[state.seat]] - locked(state);
  }

  void apply_house_rules(const State& state, std::uint64_t hand, Deeds& deeds) const noexcept;

  [[nodiscard]] Action pick_by_kind(const State& state, Rng& rng) const noexcept;
  [[nodiscard]] Action pick_from_list(const State& state, Rng& rng) const noexcept;

  static int pick_bit(std::uint64_t bits, Rng& rng) {
    return select_bit(bits, below(rng, count_bits(bits)));
  }

  static void add_cells(ActionSet<kMaxActions>& actions, Action first, const CellSet& cells) {
    actions.add_bits(first, cells.words()[0]);
    actions.add_bits(first + 64, cells.words()[1]);
  }

  [[nodiscard]] bool has_choices() const {
    return options_.lock_policy == LockPolicy::kChoose && options_.shared_cells_allowed == 1;
  }
  [[nodiscard]] bool may_discard() const {
    return options_.no_play_policy == NoPlayPolicy::kDiscardAndDraw;
  }

  // In seat order, from the seat whose turn it is [SN-85].
  static Seat next_talker(const State& state) { return first_from(state.seat, state.talkers); }

  // The choices of the first direction with a choice [SN-44].
  [[nodiscard]] WindowSet asked_windows(const State& state) const;

  static Seat first_from(Seat start, SeatSet seats) {
    assert(!seats.empty());
    const SeatSet later(to_byte(seats.bits() >> start << start));
    return later.empty() ? seats.first() : later.first();
  }

  // --- The turn ----------------------------------------------------------------------------------

  void apply_rare(State& state, Action action) const noexcept;

  void play(State& state, Action action) const noexcept {
    if (action < plus_place_) [[likely]]
      place(state, action, board_.kind_of[action]);
    else
      play_rare(state, action);
  }

  void play_rare(State& state, Action action) const noexcept;
  void swap(State& state, int kind) const noexcept;

  void end_play(State& state) const noexcept {
    if (options_.missed_draw_per_mille > 0)
      state.phase = Phase::kMiss;
    else
      draw_next(state, Phase::kTurnDraw);
  }

  void end_turn(State& state) const noexcept {
    if (next_turn(state)) [[unlikely]]
      end_if_due(state);
  }

  // Gives the turn to the next seat. Says whether the game may end here without a pass; only passes
  // make a stalemate.
  [[nodiscard]] bool next_turn(State& state) const noexcept {
    ++state.turn;
    state.seat = to_byte(state.seat + 1 == players_ ? 0 : state.seat + 1);
    state.swapped = 0;
    state.phase = first_phase_;
    return state.turn >= first_end_;
  }

  void end_if_due(State& state) const noexcept;

  // --- Cards -------------------------------------------------------------------------------------

  // All cards of seat 0 first [SN-15].
  [[nodiscard]] Seat next_dealt(const State& state) const noexcept {
    return dealt(state) / hand_size_;
  }
  [[nodiscard]] int dealt(const State& state) const noexcept {
    return sequence_numbers::kCopies * board_.kinds - state.deck.size();
  }

  void deal(State& state, int kind) const noexcept;

  void draw_next(State& state, Phase phase) const noexcept {
    if (state.deck.empty()) renew_deck(state);  // [SN-56]
    state.phase = phase;
  }

  void renew_deck(State& state) const noexcept;

  // The discards are all cards that are neither in a hand nor in the deck [SN-23].
  [[nodiscard]] CardPile discards(const State& state) const noexcept;
  static int discarded(const State& state, int kind) noexcept;

  static int pick_card(Deck deck, Rng& rng) noexcept { return deck.nth(below(rng, deck.size())); }

  void take_card(State& state, Seat seat, int kind) const noexcept {
    state.deck.remove(kind);
    add_to_hand(state, seat, kind);
  }

  void add_to_hand(State& state, Seat seat, int kind) const noexcept {
    state.hands[seat].add(kind);
    state.hand_cells[seat] |= board_.cells_of[kind];
  }
  void remove_from_hand(State& state, Seat seat, int kind) const noexcept {
    state.hands[seat].remove(kind);
    if (!state.hands[seat].contains(kind)) {
      state.hand_cells[seat] = state.hand_cells[seat] - board_.cells_of[kind];
    }
  }

  void talk(State& state, Action outcome) const noexcept;
  void discard_for_talk(State& state, int kind) const noexcept;

  // --- Chips and sequences -----------------------------------------------------------------------

  // Inlined although it has two callers: a playout places at nearly every decision.
  [[gnu::always_inline]] void place(State& state, int cell, int card) const noexcept {
    const int team = team_of_[state.seat];
    remove_from_hand(state, state.seat, card);
    put_chip(state, team, cell);
    state.idle = 0;
    const CellSet own = state.chips[team] | board_.corners;  // [SN-10]
    const std::uint64_t around = own.from(board_.first_around[cell]);
    WindowSet full;
    for (const sequence_numbers::Line& line : board_.lines[cell]) {
      if (line.may_hold(around)) [[unlikely]]
        add_full(line, own, full);
    }
    if (!full.empty()) [[unlikely]]
      return score(state, team, cell, full);
    end_play(state);
  }

  // The windows of the line that are full.
  void add_full(const sequence_numbers::Line& line, const CellSet& own,
                WindowSet& full) const noexcept;

  // What the new chip has made.
  void score(State& state, int team, int cell, const WindowSet& full) const noexcept;

  void put_chip(State& state, int team, int cell) const noexcept {
    state.chips[team].add(cell);
    state.covered.add(board_.kind_of[cell]);
  }

  void take(State& state, int cell) const noexcept;

  // Scores what the rules decide among the full windows through the new chip; leaves the rest
  // pending.
  void score_best(State& state, int team, int cell, const WindowSet& full) const noexcept;

  // The chips in sequences [SN-38].
  [[nodiscard]] CellSet locked(const State& state) const noexcept;

  // Whether the window shares few enough cells with each sequence of the team [SN-32].
  [[nodiscard]] bool may_join(const State& state, int team, int window) const noexcept;

  void choose_lock(State& state, int window) const noexcept;

  // --- The end -----------------------------------------------------------------------------------

  [[nodiscard]] bool has_won(const State& state, int team) const noexcept {
    return state.sequences[team].count() >= target_;
  }

  // At once, for all members [SN-49]; only `idle` changes with it [SN-50].
  void win(State& state, int team) const noexcept;

  // The seats of the teams with most sequences; nobody if all are level [SN-66].
  [[nodiscard]] SeatSet leaders(const State& state) const noexcept;

  // Whether no team has a live window [SN-78].
  [[nodiscard]] bool is_dead(const State& state) const noexcept;

  // --- Ids and options ---------------------------------------------------------------------------

  static std::uint64_t bit(int kind) { return std::uint64_t{1} << kind; }
  [[nodiscard]] Action drawn() const { return board_.kinds; }
  [[nodiscard]] Action missed() const { return board_.kinds + 1; }
  [[nodiscard]] Action silence() const { return board_.kinds + 2; }
  [[nodiscard]] Action talk_by(int team) const { return board_.kinds + 3 + team; }

  [[nodiscard]] std::uint32_t max_turns() const {
    return static_cast<std::uint32_t>(options_.max_turns);
  }

  // --- Outside, continued ------------------------------------------------------------------------

  static const char* phase_name(const State& state) {
    return sequence_numbers::kPhaseNames[static_cast<int>(state.phase)];
  }
  [[nodiscard]] std::string cell_name(int cell) const;
  [[nodiscard]] Value card(int kind) const;
  [[nodiscard]] std::string card_name(int kind) const;
  [[nodiscard]] std::string card_names(const CardPile& pile) const;
  [[nodiscard]] Value cards(const CardPile& pile) const;
  static Value windows(const WindowSet& set);
  static int owner(const State& state, int cell);
  static Value seats_from(Seat first, SeatSet seats);
  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;

  [[nodiscard]] int read_card(const DictReader& place) const;
  [[nodiscard]] CardPile read_cards(const DictReader& list, int most) const;
  [[nodiscard]] WindowSet read_windows(const DictReader& list) const;
  [[nodiscard]] SeatSet read_seats(const DictReader& list, Seat first) const;
  void read_owners(const DictReader& rows, State& state) const;

  // Each throws a PositionError that says what does not hold together.
  void check(const State& state) const;
  void check_phase(const State& state) const;
  void check_turn(const State& state) const;
  void check_cards(const State& state, const CardPile& discards) const;
  void check_hands(const State& state) const;
  void check_deal(const State& state) const;
  void check_sequences(const State& state) const;
  void check_locks(const State& state) const;
  void check_window(const State& state, int team, int window, const char* key) const;
  void check_talkers(const State& state) const;
  void check_end(const State& state) const;

  Options options_;
  Board board_;
  int players_, teams_, target_, hand_size_;
  Action plus_place_, minus_take_, swap_, pass_, discard_, lock_;  // first ids of the blocks
  bool house_rules_;           // whether any is on that changes the legal actions
  std::uint64_t plain_kinds_;  // the numbers, if there are no such rules
  std::uint32_t first_end_;    // number of turns after which a turn may be the last without a pass
  Phase first_phase_;          // of a turn
  std::uint8_t team_of_[kMaxSeats] = {};
  SeatSet members_[sequence_numbers::kMaxTeams];
};

}  // namespace tabletop

#include "tabletop/games/sequence_numbers/checks.hpp"
#include "tabletop/games/sequence_numbers/listing.hpp"
#include "tabletop/games/sequence_numbers/position.hpp"
#include "tabletop/games/sequence_numbers/sequences.hpp"
#include "tabletop/games/sequence_numbers/turn.hpp"

namespace tabletop {

static_assert(GameRules<SequenceNumbers> && PicksActions<SequenceNumbers> &&
              PicksOutcomes<SequenceNumbers>);

}  // namespace tabletop
