// How chips become sequences in Sequence Numbers: which windows a chip fills, which of them count,
// what they lock, and whether any more can come.
#pragma once

#include "tabletop/games/sequence_numbers.hpp"

namespace tabletop {

[[gnu::noinline]] inline void SequenceNumbers::add_full(const sequence_numbers::Line& line,
                                                        const CellSet& own,
                                                        WindowSet& full) const noexcept {
  for (const int window : line.windows) {
    if (board_.window_cells[window].within(own)) full.add(window);
  }
}

[[gnu::noinline]] inline void SequenceNumbers::score(State& state, int team, int cell,
                                                     const WindowSet& full) const noexcept {
  score_best(state, team, cell, full);
  if (has_won(state, team)) return win(state, team);
  if (state.pending_locks.empty())
    end_play(state);
  else
    state.phase = Phase::kChooseLock;
}

inline void SequenceNumbers::score_best(State& state, int team, int cell,
                                        const WindowSet& full) const noexcept {
  using namespace sequence_numbers;
  if (options_.shared_cells_allowed > 1) {  // [SN-48]
    state.sequences[team] |= full;
    return;
  }
  WindowSet scored, choices, best_choices;
  for (int direction = 0; direction < kDirections; ++direction) {
    const Line& line = board_.lines[cell][direction];
    WindowSet candidates;
    (full & board_.along[direction]).for_each([&](int window) {
      if (may_join(state, team, window)) candidates.add(window);
    });
    if (candidates.empty()) continue;
    const WindowSet whole = candidates - board_.at_corners;
    const int best = (whole.empty() ? candidates : whole).lowest();  // [SN-35]
    if (line.has_both_ends() && candidates.contains(line.ending()) &&
        candidates.contains(line.starting())) {  // [SN-34]
      scored.add(line.ending());
      scored.add(line.starting());
    } else if (options_.lock_policy == LockPolicy::kAuto || candidates.count() == 1) {
      scored.add(best);
    } else {
      choices |= candidates;
      best_choices.add(best);
    }
  }
  state.sequences[team] |= scored;
  if (state.sequences[team].count() + best_choices.count() >= target_) {  // [SN-43]
    state.sequences[team] |= best_choices;
  } else {
    state.pending_locks = choices;
  }
}

inline SequenceNumbers::CellSet SequenceNumbers::locked(const State& state) const noexcept {
  CellSet cells;
  for (const WindowSet& sequences : state.sequences) {
    sequences.for_each([&](int window) { cells |= board_.window_cells[window]; });
  }
  return cells - board_.corners;
}

inline bool SequenceNumbers::may_join(const State& state, int team, int window) const noexcept {
  return !state.sequences[team].meets(board_.too_close[window]);
}

inline void SequenceNumbers::choose_lock(State& state, int window) const noexcept {
  const int team = team_of_[state.seat];
  state.pending_locks = state.pending_locks - asked_windows(state);
  state.sequences[team].add(window);
  if (has_won(state, team))
    win(state, team);
  else if (state.pending_locks.empty())
    end_play(state);
}

inline void SequenceNumbers::win(State& state, int team) const noexcept {
  state.pending_locks = WindowSet();
  state.idle = 0;
  state.winners = members_[team];
  state.phase = Phase::kOver;
}

inline SeatSet SequenceNumbers::leaders(const State& state) const noexcept {
  int most = 0, leading = 0;
  std::uint8_t seats = 0;
  for (int team = 0; team < teams_; ++team) {
    const int count = state.sequences[team].count();
    if (count > most) most = count, leading = 0, seats = 0;
    if (count == most) ++leading, seats |= members_[team].bits();
  }
  return SeatSet(leading == teams_ ? 0 : seats);
}

inline bool SequenceNumbers::is_dead(const State& state) const noexcept {
  const CellSet fixed = locked(state);
  for (int team = 0; team < teams_; ++team) {
    const CellSet closed = fixed - state.chips[team];
    for (int window = 0; window < board_.windows; ++window) {
      if (!board_.window_cells[window].meets(closed) && may_join(state, team, window)) return false;
    }
  }
  return true;
}

}  // namespace tabletop
