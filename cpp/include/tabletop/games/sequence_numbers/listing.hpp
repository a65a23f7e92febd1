// What may happen at a node of Sequence Numbers, as lists, and the choice from them.
#pragma once

#include "tabletop/games/sequence_numbers.hpp"

namespace tabletop {

inline void SequenceNumbers::legal_actions(const State& state,
                                           ActionSet<kMaxActions>& actions) const noexcept {
  if (state.phase == Phase::kTalkDiscard) {
    actions.add_bits(discard_, state.hands[next_talker(state)].kinds());
  } else if (state.phase == Phase::kChooseLock) {
    asked_windows(state).for_each([&](int window) { actions.add(lock_ + window); });
  } else {
    const Deeds deeds = possible_deeds(state);
    add_cells(actions, 0, deeds.place);
    add_cells(actions, plus_place_, deeds.place_with_plus);
    add_cells(actions, minus_take_, deeds.take);
    actions.add_bits(swap_, deeds.swap_or_pass);
    actions.add_bits(discard_, deeds.discard);
  }
}

inline void SequenceNumbers::chance_outcomes(const State& state,
                                             ChanceList<kMaxOutcomes>& outcomes) const noexcept {
  if (state.phase == Phase::kTalk) {  // [SN-83]
    const auto rate = static_cast<std::uint32_t>(options_.table_talk_per_mille);
    outcomes.add(silence(), (1000 - rate) * static_cast<std::uint32_t>(teams_));
    for (int team = 0; team < teams_; ++team) outcomes.add(talk_by(team), rate);
  } else if (state.phase == Phase::kMiss) {  // [SN-80]
    const auto rate = static_cast<std::uint32_t>(options_.missed_draw_per_mille);
    outcomes.add(drawn(), 1000 - rate);
    outcomes.add(missed(), rate);
  } else {  // [SN-16]
    const CardPile& cards = state.deck.cards();
    for_each_bit(cards.kinds(), [&](int kind) {
      outcomes.add(kind, static_cast<std::uint32_t>(cards.count(kind)));
    });
  }
}

inline SequenceNumbers::WindowSet SequenceNumbers::asked_windows(const State& state) const {
  int direction = 0;
  while (!state.pending_locks.meets(board_.along[direction])) ++direction;
  return state.pending_locks & board_.along[direction];
}

inline SequenceNumbers::Deeds SequenceNumbers::possible_deeds(const State& state) const noexcept {
  const std::uint64_t hand = state.hands[state.seat].kinds();
  Deeds deeds;
  deeds.place = number_places(state);
  deeds.swap_or_pass = dead_cards(state, hand);
  if ((hand & bit(board_.plus())) != 0) deeds.place_with_plus = open_cells(state);  // [SN-19]
  if ((hand & bit(board_.minus())) != 0) deeds.take = targets(state);
  if (house_rules_) apply_house_rules(state, hand, deeds);
  if (deeds.none()) deeds.swap_or_pass = bit(pass_ - swap_);  // [SN-29]
  return deeds;
}

inline void SequenceNumbers::apply_house_rules(const State& state, std::uint64_t hand,
                                               Deeds& deeds) const noexcept {
  const std::uint64_t minus = hand & bit(board_.minus());
  if (options_.minus_dead_swap && state.swapped == 0 && deeds.take.empty()) {
    deeds.swap_or_pass |= minus;  // [SN-71]
  }
  const int chips = state.chips[team_of_[state.seat]].count();
  if (chips >= options_.chips_per_colour.value_or(board_.cells)) {
    deeds.place = deeds.place_with_plus = CellSet();  // [SN-75]
  }
  if (!options_.swap_optional && deeds.swap_or_pass != 0) {
    deeds.place = deeds.place_with_plus = deeds.take = CellSet();  // [SN-70]
  }
  if (may_discard() && deeds.none()) deeds.discard = hand;  // [SN-73]
}

[[gnu::noinline]] inline Action SequenceNumbers::pick_by_kind(const State& state,
                                                              Rng& rng) const noexcept {
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

inline Action SequenceNumbers::pick_from_list(const State& state, Rng& rng) const noexcept {
  ActionSet<kMaxActions> actions;
  legal_actions(state, actions);
  return actions.nth(below(rng, actions.count()));
}

}  // namespace tabletop
