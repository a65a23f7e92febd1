// Sequence Numbers: rules in docs/rules/sequence_numbers.md. Clauses are cited as [SN-n].
//
// Chips are sets of cells, sequences are sets of windows, cards are piles without an order. Members
// that are not here are in sequence_numbers/: what may happen at a node in listing.hpp, how chips
// become sequences in sequences.hpp, what a position looks like outside in position.hpp, and what
// is checked of one that comes from there in checks.hpp.
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
  //   2S     take the chip from a cell with minus       3S + N + 2      throw away a card by kind
  //   3S     swap the dead card of a number             3S + 2N + 4     score a window
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
                     !options_.swap_optional || throws_away()),
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
    if (throws_away() || options_.table_talk_per_mille > 0) return lock_;
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
  [[nodiscard]] bool valid(const State& state) const;

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

  static int below(Rng& rng, int n) {
    return static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
  }

  static int pick_bit(std::uint64_t bits, Rng& rng) {
    return select_bit(bits, below(rng, count_bits(bits)));
  }

  [[gnu::noinline]] [[nodiscard]] Action pick_by_kind(const State& state, Rng& rng) const noexcept {
    if (state.phase != Phase::kPlay) return pick_from_list(state, rng);
    const Deeds deeds = possible_deeds(state);
    if (deeds.discard != 0) return discard_ + pick_bit(deeds.discard, rng);
    const int place = deeds.place.count(), place_with_plus = deeds.place_with_plus.count();
    const int take = deeds.take.empty() ? 0 : deeds.take.count();
    const int others = deeds.swap_or_pass == 0 ? 0 : count_bits(deeds.swap_or_pass);
    int k = below(rng, place + place_with_plus + take + others);
    if (k < place) return deeds.place.nth(k);
    k -= place;
    if (k < place_with_plus) return plus_place_ + deeds.place_with_plus.nth(k);
    k -= place_with_plus;
    if (k < take) return minus_take_ + deeds.take.nth(k);
    return swap_ + select_bit(deeds.swap_or_pass, k - take);
  }

  [[nodiscard]] Action pick_from_list(const State& state, Rng& rng) const noexcept {
    ActionSet<kMaxActions> actions;
    legal_actions(state, actions);
    return actions.nth(below(rng, actions.count()));
  }

  static void add_cells(ActionSet<kMaxActions>& actions, Action first, const CellSet& cells) {
    actions.add_bits(first, cells.words()[0]);
    actions.add_bits(first + 64, cells.words()[1]);
  }

  [[nodiscard]] bool has_choices() const {
    return options_.lock_policy == LockPolicy::kChoose && options_.shared_cells_allowed == 1;
  }
  [[nodiscard]] bool throws_away() const {
    return options_.no_play_policy == NoPlayPolicy::kDiscardAndDraw;
  }

  // In seat order, from the seat whose turn it is [SN-85].
  static Seat next_talker(const State& state) { return first_from(state.seat, state.talkers); }

  static Seat first_from(Seat start, SeatSet seats) {
    assert(!seats.empty());
    const SeatSet later(to_byte(seats.bits() >> start << start));
    return later.empty() ? seats.first() : later.first();
  }

  // The choices of the first direction with a choice [SN-44].
  [[nodiscard]] WindowSet asked_windows(const State& state) const {
    int direction = 0;
    while (!state.pending_locks.meets(board_.along[direction])) ++direction;
    return state.pending_locks & board_.along[direction];
  }

  // --- The turn ----------------------------------------------------------------------------------
  // What is rare is kept out of line here and below, so that a placement and a draw inline.

  [[gnu::noinline]] void apply_rare(State& state, Action action) const noexcept {
    switch (state.phase) {
      case Phase::kDeal:
        return deal(state, action);
      case Phase::kTalk:
        return talk(state, action);
      case Phase::kTalkDiscard:
        return discard_for_talk(state, action - discard_);
      case Phase::kSwapDraw:
        take_card(state, state.seat, action);
        state.phase = Phase::kPlay;
        return;
      case Phase::kChooseLock:
        return choose_lock(state, action - lock_);
      case Phase::kMiss:
        return action == drawn() ? draw_next(state, Phase::kTurnDraw) : end_turn(state);
      default:
        return;
    }
  }

  void play(State& state, Action action) const noexcept {
    if (action < plus_place_) [[likely]]
      place(state, action, board_.kind_of[action]);
    else
      play_rare(state, action);
  }

  [[gnu::noinline]] void play_rare(State& state, Action action) const noexcept {
    if (action < minus_take_) {
      place(state, action - plus_place_, board_.plus());
    } else if (action < swap_) {
      remove_from_hand(state, state.seat, board_.minus());
      take(state, action - minus_take_);
      state.idle = 0;
      end_play(state);
    } else if (action == pass_) {
      state.idle = state.swapped != 0 ? 0 : to_byte(state.idle + 1);  // [SN-60]
      (void)next_turn(state);
      end_if_due(state);
    } else if (action < discard_) {
      swap(state, action - swap_);
    } else {
      remove_from_hand(state, state.seat, action - discard_);
      state.idle = 0;
      end_play(state);
    }
  }

  [[gnu::noinline]] void swap(State& state, int kind) const noexcept {
    if (options_.swap_draw_before_discard && state.deck.empty()) renew_deck(state);  // [SN-58]
    remove_from_hand(state, state.seat, kind);
    state.swapped = 1;
    draw_next(state, Phase::kSwapDraw);
  }

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

  // The tests come in this order [SN-63].
  [[gnu::noinline]] void end_if_due(State& state) const noexcept {
    const bool stale = state.idle >= players_ || (options_.dead_position_check && is_dead(state));
    if (!stale && state.turn < max_turns()) return;
    const EndResult result = stale ? options_.stalemate_result : options_.max_turns_result;
    state.winners = result == EndResult::kMostSequences ? leaders(state) : SeatSet();
    state.truncated = stale ? 0 : 1;
    state.phase = Phase::kOver;
  }

  // --- Cards -------------------------------------------------------------------------------------

  // All cards of seat 0 first [SN-15].
  [[nodiscard]] Seat next_dealt(const State& state) const noexcept {
    return dealt(state) / hand_size_;
  }
  [[nodiscard]] int dealt(const State& state) const noexcept {
    return sequence_numbers::kCopies * board_.kinds - state.deck.size();
  }

  void deal(State& state, int kind) const noexcept {
    take_card(state, next_dealt(state), kind);
    if (dealt(state) == players_ * hand_size_) state.phase = first_phase_;
  }

  void draw_next(State& state, Phase phase) const noexcept {
    if (state.deck.empty()) renew_deck(state);  // [SN-56]
    state.phase = phase;
  }

  [[gnu::noinline]] void renew_deck(State& state) const noexcept {
    state.deck = Deck(discards(state));
  }

  // The discards are all cards that are neither in a hand nor in the deck [SN-23].
  [[nodiscard]] CardPile discards(const State& state) const noexcept {
    CardPile held = state.deck.cards();
    for (const CardPile& hand : state.hands) held.add(hand);
    return held.rest_of(board_.kinds);
  }
  static int discarded(const State& state, int kind) noexcept {
    int copies = sequence_numbers::kCopies - state.deck.cards().count(kind);
    for (const CardPile& hand : state.hands) copies -= hand.count(kind);
    return copies;
  }

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

  void talk(State& state, Action outcome) const noexcept {
    state.phase = Phase::kPlay;
    if (outcome == silence()) return;
    const SeatSet members = members_[outcome - talk_by(0)];
    for (Seat seat = 0; seat < players_; ++seat) {
      if (members.contains(seat) && !state.hands[seat].empty()) state.talkers.add(seat);
    }
    if (!state.talkers.empty()) state.phase = Phase::kTalkDiscard;
  }

  void discard_for_talk(State& state, int kind) const noexcept {
    const Seat talker = next_talker(state);
    remove_from_hand(state, talker, kind);
    state.talkers.remove(talker);
    if (state.talkers.empty()) state.phase = Phase::kPlay;
  }

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
  [[gnu::noinline]] void add_full(const sequence_numbers::Line& line, const CellSet& own,
                                  WindowSet& full) const noexcept {
    for (const int window : line.windows) {
      if (board_.window_cells[window].within(own)) full.add(window);
    }
  }

  // What the new chip has made.
  [[gnu::noinline]] void score(State& state, int team, int cell,
                               const WindowSet& full) const noexcept {
    score_best(state, team, cell, full);
    if (has_won(state, team)) return win(state, team);
    if (state.pending_locks.empty())
      end_play(state);
    else
      state.phase = Phase::kChooseLock;
  }

  void put_chip(State& state, int team, int cell) const noexcept {
    state.chips[team].add(cell);
    state.covered.add(board_.kind_of[cell]);
  }

  [[gnu::noinline]] void take(State& state, int cell) const noexcept {
    for (CellSet& chips : state.chips) chips.remove(cell);
    state.covered.remove(board_.kind_of[cell]);
  }

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
  [[nodiscard]] bool sound(const State& state) const;

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

namespace tabletop {

static_assert(GameRules<SequenceNumbers> && PicksActions<SequenceNumbers> &&
              PicksOutcomes<SequenceNumbers>);

}  // namespace tabletop
