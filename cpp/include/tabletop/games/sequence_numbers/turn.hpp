// What is rare in a turn of Sequence Numbers: all but a placement on a number and the draw after
// it, and how the game ends without a win. What is called from those two is kept out of line, here
// and in the other headers, so that they inline.
#pragma once

#include "tabletop/games/sequence_numbers.hpp"

namespace tabletop {

[[gnu::noinline]] inline void SequenceNumbers::apply_rare(State& state,
                                                          Action action) const noexcept {
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

[[gnu::noinline]] inline void SequenceNumbers::play_rare(State& state,
                                                         Action action) const noexcept {
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

[[gnu::noinline]] inline void SequenceNumbers::take(State& state, int cell) const noexcept {
  for (CellSet& chips : state.chips) chips.remove(cell);
  state.covered.remove(board_.kind_of[cell]);
}

[[gnu::noinline]] inline void SequenceNumbers::swap(State& state, int kind) const noexcept {
  if (options_.swap_draw_before_discard && state.deck.empty()) renew_deck(state);  // [SN-58]
  remove_from_hand(state, state.seat, kind);
  state.swapped = 1;
  draw_next(state, Phase::kSwapDraw);
}

inline void SequenceNumbers::deal(State& state, int kind) const noexcept {
  take_card(state, next_dealt(state), kind);
  if (dealt(state) == players_ * hand_size_) state.phase = first_phase_;
}

[[gnu::noinline]] inline void SequenceNumbers::renew_deck(State& state) const noexcept {
  state.deck = Deck(discards(state));
}

inline SequenceNumbers::CardPile SequenceNumbers::discards(const State& state) const noexcept {
  CardPile held = state.deck.cards();
  for (const CardPile& hand : state.hands) held.add(hand);
  return held.rest_of(board_.kinds);
}

inline int SequenceNumbers::discarded(const State& state, int kind) noexcept {
  int copies = sequence_numbers::kCopies - state.deck.cards().count(kind);
  for (const CardPile& hand : state.hands) copies -= hand.count(kind);
  return copies;
}

inline void SequenceNumbers::talk(State& state, Action outcome) const noexcept {
  state.phase = Phase::kPlay;
  if (outcome == silence()) return;
  const SeatSet members = members_[outcome - talk_by(0)];
  for (Seat seat = 0; seat < players_; ++seat) {
    if (members.contains(seat) && !state.hands[seat].empty()) state.talkers.add(seat);
  }
  if (!state.talkers.empty()) state.phase = Phase::kTalkDiscard;
}

inline void SequenceNumbers::discard_for_talk(State& state, int kind) const noexcept {
  const Seat talker = next_talker(state);
  remove_from_hand(state, talker, kind);
  state.talkers.remove(talker);
  if (state.talkers.empty()) state.phase = Phase::kPlay;
}

// The tests come in this order [SN-63].
[[gnu::noinline]] inline void SequenceNumbers::end_if_due(State& state) const noexcept {
  const bool stale = state.idle >= players_ || (options_.dead_position_check && is_dead(state));
  if (!stale && state.turn < max_turns()) return;
  const EndResult result = stale ? options_.stalemate_result : options_.max_turns_result;
  state.winners = result == EndResult::kMostSequences ? leaders(state) : SeatSet();
  state.truncated = stale ? 0 : 1;
  state.phase = Phase::kOver;
}

}  // namespace tabletop
