// The contract of a game: a class of immutable rules over a plain-data position.
//
// A game G states its options once (see options.hpp), holds them and the tables that follow from
// them, and answers everything about a position that is handed to it. It never allocates, throws or
// keeps anything while a game is played; exceptions belong to its constructor and its decoders.
//
// The nodes of a game are decisions (current_player() is a seat), chance events (kChance) and the
// end (kTerminal). Decision ids and chance ids are two id spaces, each id with one meaning under
// all options and in every phase. At equal options, both legal_actions() and chance_outcomes()
// depend on the position alone, and apply() is deterministic.
#pragma once

#include <concepts>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tabletop/action_set.hpp"
#include "tabletop/bytes.hpp"
#include "tabletop/errors.hpp"
#include "tabletop/observation.hpp"
#include "tabletop/options.hpp"
#include "tabletop/rng.hpp"
#include "tabletop/types.hpp"
#include "tabletop/value.hpp"

namespace tabletop {

// A position is copied, compared and hashed as bytes: no pointers, no padding, and equal positions
// have equal bytes. It can lie wherever a 64-bit word can.
template <class State>
concept PlainData =
    std::is_trivially_copyable_v<State> && std::is_standard_layout_v<State> &&
    std::has_unique_object_representations_v<State> && alignof(State) <= alignof(std::uint64_t);

// What a game is called, what it can be set to, and how large it is.
template <class G>
concept Declared = requires(const G& game, OptionReader& reader, OptionWriter& writer,
                            OptionLister& lister, typename G::Options& options) {
  { G::kName } -> std::convertible_to<std::string_view>;
  { G::kVersion } -> std::convertible_to<std::string_view>;  // changes when behaviour changes
  { G::kMaxActions } -> std::convertible_to<int>;            // capacity of its ActionSet
  { G::kMaxOutcomes } -> std::convertible_to<int>;           // capacity of its ChanceList
  requires std::default_initializable<typename G::Options>;
  requires std::constructible_from<G, typename G::Options>;  // throws OptionError
  G::visit_options(reader, options);
  G::visit_options(writer, options);
  G::visit_options(lister, options);
  { game.options() } -> std::same_as<const typename G::Options&>;  // what None means is filled in
  { game.num_players() } -> std::same_as<int>;
  { game.num_actions() } -> std::same_as<int>;   // decision ids are below this, <= kMaxActions
  { game.num_outcomes() } -> std::same_as<int>;  // chance ids are below this, <= kMaxOutcomes
  { game.max_length() } -> std::same_as<int>;    // decision nodes of the longest game
  { game.min_utility() } -> std::same_as<double>;
  { game.max_utility() } -> std::same_as<double>;
};

// The rules: what may happen, and what follows.
template <class G>
concept Playable =
    requires(const G& game, const typename G::State& state, typename G::State& changing,
             ActionSet<G::kMaxActions>& actions, ChanceList<G::kMaxOutcomes>& outcomes,
             std::span<int> scores, Seat seat, Action action, Rng& rng) {
      { game.initial_state() } noexcept -> std::same_as<typename G::State>;
      { game.current_player(state) } noexcept -> std::same_as<Seat>;
      { game.is_truncated(state) } noexcept -> std::same_as<bool>;
      // At a decision node: adds the legal ids to the empty set. There is always at least one.
      { game.legal_actions(state, actions) } noexcept -> std::same_as<void>;
      // At a chance node: adds the possible outcomes with their integer weights to the empty list.
      { game.chance_outcomes(state, outcomes) } noexcept -> std::same_as<void>;
      // One decision or chance outcome, which must be legal here.
      { game.apply(changing, action) } noexcept -> std::same_as<void>;
      // The points as the rulebook counts them, one per seat, at any time.
      { game.scores(state, scores) } noexcept -> std::same_as<void>;
      // Who wins or shares the win; empty before the end and in a draw.
      { game.winners(state) } noexcept -> std::same_as<SeatSet>;
      // Another deal of all that the seat cannot see, by its exact distribution.
      { game.resample(state, seat, rng) } noexcept -> std::same_as<typename G::State>;
    };

// How a position and its actions look outside.
template <class G>
concept Described =
    requires(const G& game, const typename G::State& state, Seat seat, std::span<float> tensor,
             Action action, const Value& dict, ByteWriter& writer, ByteReader& reader) {
      { game.action_to_string(action) } -> std::same_as<std::string>;
      { game.outcome_to_string(action) } -> std::same_as<std::string>;
      { game.to_string(state) } -> std::same_as<std::string>;
      // The whole position, and the part of it that a seat may know.
      { game.to_dict(state) } -> std::same_as<Value>;
      { game.view(state, seat) } -> std::same_as<Value>;
      // The same part as numbers, in the order of the fields.
      { game.observation_fields() } -> std::same_as<std::vector<ObservationField>>;
      { game.observe(state, seat, tensor) } noexcept -> std::same_as<void>;
      { game.encode(state, writer) } -> std::same_as<void>;
      // Both throw PositionError for anything that is not a position of this game.
      { game.from_dict(dict) } -> std::same_as<typename G::State>;
      { game.decode(reader) } -> std::same_as<typename G::State>;
    };

template <class G>
concept GameRules = PlainData<typename G::State> && Declared<G> && Playable<G> && Described<G>;

// Optional: a game that can pick the below(count)-th legal action, or the outcome into whose weight
// below(total) falls, faster than by listing them all. Both spend exactly one rng.below().
template <class G>
concept PicksActions = requires(const G& game, const typename G::State& state, Rng& rng) {
  { game.pick_action(state, rng) } noexcept -> std::same_as<Action>;
};
template <class G>
concept PicksOutcomes = requires(const G& game, const typename G::State& state, Rng& rng) {
  { game.pick_outcome(state, rng) } noexcept -> std::same_as<Action>;
};
// Optional: a game in which some chance events are seen by some seats only. Says whether the seat
// sees which outcome comes at this chance node; the answer depends on what all can see.
template <class G>
concept HidesOutcomes = requires(const G& game, const typename G::State& state, Seat observer) {
  { game.sees_outcome(state, observer) } noexcept -> std::same_as<bool>;
};
// Optional: a game that plays itself out faster than node by node, by the same choices, and returns
// the number of decisions.
template <class G>
concept PlaysOut = requires(const G& game, typename G::State& state, Rng& rng) {
  { game.playout(state, rng) } noexcept -> std::same_as<int>;
};
// Optional: a game that passes the chance nodes up to the next decision, or the end, faster than
// one by one, by the same draws.
template <class G>
concept ResolvesChance = requires(const G& game, typename G::State& state, Rng& rng) {
  { game.resolve_chance(state, rng) } noexcept -> std::same_as<void>;
};

// What a seat hears of an outcome that it does not see, whichever it is.
inline constexpr std::string_view kHiddenOutcome = "draw (hidden)";

// Whether the seat sees which outcome comes at this chance node.
template <GameRules G>
bool sees_outcome(const G& game, const typename G::State& state, Seat observer) noexcept {
  if constexpr (HidesOutcomes<G>) {
    return game.sees_outcome(state, observer);
  } else {
    return true;
  }
}

// Whether the position is one that the decoder makes: then it has passed all checks, and what
// bytes do not hold is as it must be. It may break any rule, but what tells its size (such as the
// length of a list in it) has to be sound, or it could not be written at all.
template <GameRules G>
bool valid(const G& game, const typename G::State& state) {
  try {
    ByteWriter written;
    game.encode(state, written);
    ByteReader bytes(written.bytes());
    const typename G::State decoded = game.decode(bytes);
    return std::memcmp(&decoded, &state, sizeof state) == 0;
  } catch (const PositionError&) {
    return false;
  }
}

// The utilities of all seats: W winners among P seats get (P - W) / (W (P - 1)) each, the others
// -1 / (P - 1); if nobody or everybody wins, 0. Alone, the utility is the score.
template <GameRules G>
void utilities(const G& game, const typename G::State& state, std::span<double> returns) {
  const int players = game.num_players();
  for (double& one : returns) one = 0.0;
  if (game.current_player(state) != kTerminal) return;
  if (players == 1) {
    int score = 0;
    game.scores(state, {&score, 1});
    returns[0] = score;
    return;
  }
  const SeatSet winners = game.winners(state);
  const int count = winners.size();
  if (count == 0 || count == players) return;
  for (Seat seat = 0; seat < players; ++seat) {
    returns[static_cast<std::size_t>(seat)] =
        winners.contains(seat) ? static_cast<double>(players - count) / (count * (players - 1))
                               : -1.0 / (players - 1);
  }
}

}  // namespace tabletop
