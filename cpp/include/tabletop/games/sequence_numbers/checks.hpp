// Sequence Numbers: what must hold together in a position that was not reached by play. Included by
// sequence_numbers.hpp.
#pragma once

#include <string>

#include "tabletop/dict_reader.hpp"
#include "tabletop/games/sequence_numbers.hpp"

namespace tabletop {

inline void SequenceNumbers::check(const State& state) const {
  check_phase(state);
  check_turn(state);
  check_hands(state);
  if (state.phase == Phase::kDeal) check_deal(state);
  check_sequences(state);
  check_locks(state);
  check_talkers(state);
  check_end(state);
}

// The options must be able to reach the phase [SN-104].
inline void SequenceNumbers::check_phase(const State& state) const {
  const int missed_draws = options_.missed_draw_per_mille;
  bool reachable = true;
  switch (state.phase) {
    case Phase::kTalk:
    case Phase::kTalkDiscard:
      reachable = options_.table_talk_per_mille > 0;
      break;
    case Phase::kChooseLock:
      reachable = has_choices() && target_ > 1;
      break;
    case Phase::kMiss:
      reachable = missed_draws > 0;
      break;
    case Phase::kTurnDraw:
      reachable = missed_draws < 1000;
      break;
    default:
      break;
  }
  const std::string name = std::string("\"") + phase_name(state) + "\"";
  if (!reachable) refuse("phase", "is " + name + ", which these options never reach");
  const bool before_play = state.phase <= Phase::kTalkDiscard;
  if (state.swapped != 0 && before_play) refuse("swapped", "must be False in phase " + name);
  if (state.swapped == 0 && state.phase == Phase::kSwapDraw) {
    refuse("swapped", "must be True in phase " + name);
  }
}

// [SN-97]
inline void SequenceNumbers::check_turn(const State& state) const {
  const bool over = state.phase == Phase::kOver;
  const std::uint32_t most = max_turns() - (over ? 0 : 1);
  if (state.turn > most) {
    refuse("turn", "is " + std::to_string(state.turn) + "; it must be below max_turns (" +
                       std::to_string(options_.max_turns) + ") unless the game is over");
  }
  const int mover = static_cast<int>(state.turn) % players_;
  if (state.seat != mover) {
    refuse("seat", "is " + std::to_string(state.seat) + "; in turn " + std::to_string(state.turn) +
                       " of " + std::to_string(players_) + " players it must be " +
                       std::to_string(mover));
  }
  if (!over && state.idle >= players_) {
    refuse("idle", "is " + std::to_string(state.idle) +
                       "; it must be below the number of players (" + std::to_string(players_) +
                       ") unless the game is over");
  }
}

// [SN-94]
inline void SequenceNumbers::check_cards(const State& state, const CardPile& discards) const {
  for (int kind = 0; kind < board_.kinds; ++kind) {
    const int extra = discards.count(kind) - discarded(state, kind);
    if (extra == 0) continue;
    throw PositionError("there are " + std::to_string(sequence_numbers::kCopies + extra) +
                        " cards \"" + card_name(kind) +
                        "\" in hands, deck and discards; there must be two");
  }
}

// [SN-95], [SN-96]
inline void SequenceNumbers::check_hands(const State& state) const {
  const bool draws = state.phase == Phase::kSwapDraw || state.phase == Phase::kTurnDraw;
  const bool will_draw = draws || state.phase == Phase::kChooseLock || state.phase == Phase::kMiss;
  for (Seat seat = 0; seat < players_; ++seat) {
    const int size = state.hands[seat].size();
    const int most = hand_size_ - (will_draw && seat == state.seat ? 1 : 0);
    if (size > most) {
      refuse("hands", "gives seat " + std::to_string(seat) + " " + std::to_string(size) +
                          " cards; it must have at most " + std::to_string(most));
    }
  }
  if (draws && state.deck.empty()) refuse("deck", "is empty where a card is to be drawn");
}

// The hands are dealt one after another [SN-15], and nothing else has happened [SN-96].
inline void SequenceNumbers::check_deal(const State& state) const {
  int dealt = 0;
  for (Seat seat = 0; seat < players_; ++seat) {
    const int size = state.hands[seat].size();
    if (size > 0 && dealt != seat * hand_size_) {
      refuse("hands",
             "must be dealt in full seat by seat, " + std::to_string(hand_size_) + " cards each");
    }
    dealt += size;
  }
  if (dealt == players_ * hand_size_) refuse("phase", "is \"deal\", but all cards are dealt");
  bool begun = !discards(state).empty() || state.turn > 0 || state.idle > 0;
  for (const CellSet& chips : state.chips) begun = begun || !chips.empty();
  if (begun) refuse("phase", "is \"deal\", but there are chips, discards or turns");
}

// [SN-99], [SN-100]
inline void SequenceNumbers::check_sequences(const State& state) const {
  for (int team = 0; team < teams_; ++team) {
    const int chips = state.chips[team].count();
    if (options_.chips_per_colour && chips > *options_.chips_per_colour) {
      refuse("owner", "has " + std::to_string(chips) + " chips of team " + std::to_string(team) +
                          "; there are only " + std::to_string(*options_.chips_per_colour));
    }
    State others = state;  // without those that were looked at already
    state.sequences[team].for_each([&](int window) {
      others.sequences[team].remove(window);
      check_window(others, team, window, "sequences");
    });
    if (state.phase != Phase::kOver && has_won(state, team)) {
      refuse("sequences", "has " + std::to_string(state.sequences[team].count()) + " for team " +
                              std::to_string(team) + ", with which the game is over");
    }
  }
}

// [SN-101]
inline void SequenceNumbers::check_locks(const State& state) const {
  if (state.pending_locks.empty() == (state.phase == Phase::kChooseLock)) {
    refuse("pending_locks", "must have windows in phase \"choose_lock\" and only there");
  }
  state.pending_locks.for_each(
      [&](int window) { check_window(state, team_of_[state.seat], window, "pending_locks"); });
}

inline void SequenceNumbers::check_window(const State& state, int team, int window,
                                          const char* key) const {
  const std::string name = std::to_string(window);
  if (!board_.window_cells[window].within(state.chips[team] | board_.corners)) {
    refuse(key,
           "has window " + name + ", which is not full of chips of team " + std::to_string(team));
  }
  if (!may_join(state, team, window)) {
    refuse(key, "has window " + name + ", which shares more than " +
                    std::to_string(options_.shared_cells_allowed) +
                    " cells with a sequence of team " + std::to_string(team));
  }
}

// [SN-102]
inline void SequenceNumbers::check_talkers(const State& state) const {
  if (state.talkers.empty() == (state.phase == Phase::kTalkDiscard)) {
    refuse("talkers", "must have seats in phase \"talk_discard\" and only there");
  }
  for (Seat seat = 0; seat < players_; ++seat) {
    if (!state.talkers.contains(seat)) continue;
    if (state.hands[seat].empty() || team_of_[seat] != team_of_[state.talkers.first()]) {
      refuse("talkers",
             "has seat " + std::to_string(seat) + "; all must have a card and be of one team");
    }
  }
}

// An end must have its reason, and the winners that follow from it [SN-103].
inline void SequenceNumbers::check_end(const State& state) const {
  SeatSet winners;
  int truncated = 0;
  if (state.phase == Phase::kOver) {
    const int mover = team_of_[state.seat];
    for (int team = 0; team < teams_; ++team) {
      if (team != mover && has_won(state, team)) {
        refuse("sequences",
               "lets team " + std::to_string(team) + " win, which did not place the last chip");
      }
    }
    if (has_won(state, mover)) {
      winners = members_[mover];
      if (state.idle > 0) refuse("idle", "must be 0 after a win");
      if (state.turn >= max_turns()) refuse("turn", "must be below max_turns after a win");
    } else {
      if (state.swapped != 0) refuse("swapped", "must be False after the end of a turn");
      State end = state;
      end.phase = Phase::kPlay;
      end_if_due(end);
      if (end.phase != Phase::kOver) refuse("phase", "is \"over\", but nothing ends the game");
      winners = end.winners;
      truncated = end.truncated;
    }
  }
  if (state.winners != winners) {
    refuse("winners",
           "must be " + to_json(seats_from(0, winners)) + " by the rest of the position");
  }
  if (state.truncated != truncated) {
    refuse("truncated", std::string("must be ") + (truncated != 0 ? "True" : "False") +
                            " by the rest of the position");
  }
}

}  // namespace tabletop
