// A match: several games played one after another by the same seats, what they bring added up.
//
// How a game goes is left to its own rules class; here is only what lies between games. A match M
// derives from Match<M, Kinds...>, the rules classes of its games, and states besides its options:
//
//   kNoun         what a game of the match is called
//   kKindNames    the kinds of games, as texts and fields name them
//   kTallies      the names of what is added up; most of the first wins, then most of the next
//   kTallyMeanings                       what each of them is, for the fields of observations
//   kMayBeTruncated
//   gains(rules, state, seat, gains)     what a finished game brings a seat, by tally
//   check_totals(totals, finished)       throws PositionError if `finished` games cannot bring that
//   totals_text(totals)
//
// Ids of the kinds follow one another, whichever kinds are played. Clauses are those of the two
// matches that there are, docs/rules/ingenious_challenges.md and docs/rules/indigo_series.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/game.hpp"
#include "tabletop/playout.hpp"

namespace tabletop {

template <class Derived, GameRules... Kinds>
class Match {
 public:
  static constexpr int kKinds = sizeof...(Kinds);
  static constexpr int kMaxActions = (0 + ... + Kinds::kMaxActions);
  static constexpr int kMaxOutcomes = (0 + ... + Kinds::kMaxOutcomes);
  static constexpr int kMaxTallies = 2, kMaxPlayers = 4, kMaxTotal = 65535;
  static constexpr bool kMixed = kKinds > 1;

  using Totals = std::uint16_t[kMaxTallies][kMaxPlayers];

  struct State {
    alignas(std::uint64_t)
        std::byte game[std::max({sizeof(typename Kinds::State)...})];  // the current one
    Totals totals;  // by tally and seat, of the finished games
    std::uint16_t played;
    std::uint16_t truncated;  // whether a cap has ended a finished game
    std::uint16_t zeros[2];   // in place of padding
  };

  [[nodiscard]] int num_players() const { return players_; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return first_outcome_[kKinds]; }
  [[nodiscard]] double min_utility() const { return -1.0 / (players_ - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }
  [[nodiscard]] int max_length() const {
    int length = 0;
    for (const int kind : games_) {
      length += on_kind(kind, [](auto, const auto& rules) { return rules.max_length(); });
    }
    return length;
  }

  // --- The course of the match -------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    State state{};
    begin_game(state);
    return state;
  }

  // The current game is over only when the match is [IC-5], [IS-3].
  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    return on_game(state, [](auto, const auto& rules, const auto& game) {
      return rules.current_player(game);
    });
  }

  [[nodiscard]] bool is_truncated(const State& state) const noexcept {
    return state.truncated != 0 && is_over(state);
  }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept {
    on_game(state, [&](auto kind, const auto& rules, const auto& game) {
      ActionSet<std::remove_cvref_t<decltype(rules)>::kMaxActions> legal;
      rules.legal_actions(game, legal);
      Action first = kFirstAction.of[kind];
      for (const std::uint64_t word : legal.words()) {
        actions.add_bits(first, word);
        first += 64;
      }
    });
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    on_game(state, [&](auto kind, const auto& rules, const auto& game) {
      ChanceList<std::remove_cvref_t<decltype(rules)>::kMaxOutcomes> possible;
      rules.chance_outcomes(game, possible);
      for (const WeightedOutcome& entry : possible.entries()) {
        outcomes.add(first_outcome_[kind] + entry.outcome, entry.weight);
      }
    });
  }

  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    return on_game(state, [&](auto kind, const auto& rules, const auto& game) {
      return kFirstAction.of[kind] + tabletop::pick_action(rules, game, rng);
    });
  }

  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    return on_game(state, [&](auto kind, const auto& rules, const auto& game) {
      return first_outcome_[kind] + tabletop::pick_outcome(rules, game, rng);
    });
  }

  void apply(State& state, Action action) const noexcept {
    const bool over = on_game(state, [&](auto kind, const auto& rules, auto& game) {
      const bool decides = rules.current_player(game) >= 0;
      rules.apply(game, action - (decides ? kFirstAction.of[kind] : first_outcome_[kind]));
      return rules.current_player(game) == kTerminal;
    });
    if (over) [[unlikely]]
      finish_game(state);
  }

  // Game by game, each as its own rules play it out.
  int playout(State& state, Rng& rng) const noexcept {
    int decisions = 0;
    while (!is_over(state)) {
      on_game(state, [&](auto, const auto& rules, auto& game) {
        decisions += tabletop::playout(rules, game, rng);
      });
      finish_game(state);
    }
    return decisions;
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    for (int& score : scores) score = 0;
    if (!is_over(state)) {
      on_game(state,
              [&](auto, const auto& rules, const auto& game) { rules.scores(game, scores); });
    }
    std::ranges::transform(scores, state.totals[0], scores.begin(), std::plus());
  }

  // [IC-8], [IS-5]
  [[nodiscard]] SeatSet winners(const State& state) const noexcept {
    SeatSet winners;
    if (!is_over(state)) return winners;
    const auto result = [&](Seat seat) {
      return std::pair(state.totals[0][seat], state.totals[1][seat]);
    };
    auto best = result(0);
    for (Seat seat = 1; seat < players_; ++seat) best = std::max(best, result(seat));
    for (Seat seat = 0; seat < players_; ++seat) {
      if (result(seat) == best) winners.add(seat);
    }
    return winners;
  }

  // Nothing but the current game hides anything [IC-16], [IS-11].
  [[nodiscard]] State resample(const State& state, Seat observer, Rng& rng) const noexcept {
    State sample = state;
    on_game(sample, [&](auto, const auto& rules, auto& game) {
      game = rules.resample(game, observer, rng);
    });
    return sample;
  }

  [[nodiscard]] bool sees_outcome(const State& state, Seat observer) const noexcept {
    return on_game(state, [&](auto, const auto& rules, const auto& game) {
      return tabletop::sees_outcome(rules, game, observer);
    });
  }

  // --- Outside -----------------------------------------------------------------------------------

  [[nodiscard]] std::string action_to_string(Action action) const {
    int kind = 0;
    while (action >= kFirstAction.of[kind + 1]) ++kind;
    return prefix(kind) + on_kind(kind, [&](auto, const auto& rules) {
             return rules.action_to_string(action - kFirstAction.of[kind]);
           });
  }

  [[nodiscard]] std::string outcome_to_string(Action outcome) const {
    int kind = 0;
    while (outcome >= first_outcome_[kind + 1]) ++kind;
    return prefix(kind) + on_kind(kind, [&](auto, const auto& rules) {
             return rules.outcome_to_string(outcome - first_outcome_[kind]);
           });
  }

  [[nodiscard]] std::string to_string(const State& state) const {
    const std::string progress = std::string(Derived::kNoun) + " " +
                                 std::to_string(state.played + 1) + " of " +
                                 std::to_string(games_.size());
    return std::string(Derived::kName) + ": " + (is_over(state) ? "over" : progress) + ", totals " +
           derived().totals_text(state.totals) + "\n" +
           on_game(state,
                   [](auto, const auto& rules, const auto& game) { return rules.to_string(game); });
  }

  [[nodiscard]] Value to_dict(const State& state) const {
    Value::Dict dict = standing(state);
    dict.emplace_back("position", on_game(state, [](auto, const auto& rules, const auto& game) {
                        return rules.to_dict(game);
                      }));
    return dict;
  }

  [[nodiscard]] Value view(const State& state, Seat observer) const {
    const Value known = on_game(state, [&](auto, const auto& rules, const auto& game) {
      return rules.view(game, observer);
    });
    Value::Dict dict{{"observer", observer}};
    for (Value::Entry& entry : standing(state)) dict.push_back(std::move(entry));
    dict.emplace_back("position", Value::Dict(known.dict()->begin() + 1, known.dict()->end()));
    return dict;
  }

  // The fields of the match, then those of each kind that is played, without its observer.
  [[nodiscard]] std::vector<ObservationField> observation_fields() const {
    const std::string noun = Derived::kNoun;
    std::vector<ObservationField> fields{
        {"observer", {players_}, "one-hot: the seat that observes"},
        {"played", {1}, "number of finished " + noun + "s"}};
    for (int tally = 0; tally < num_tallies(); ++tally) {
      fields.push_back({Derived::kTallies[tally], {players_}, Derived::kTallyMeanings[tally]});
    }
    if (Derived::kMayBeTruncated) {
      fields.push_back({"truncated", {1}, "1 if a finished " + noun + " was truncated"});
    }
    if (kMixed) {
      const int games = static_cast<int>(games_.size());
      fields.push_back({noun, {games}, "one-hot: the " + noun + " being played"});
    }
    for (int kind = 0; kind < kKinds; ++kind) {
      if (!is_played(kind)) continue;
      for (ObservationField& field : fields_of(kind)) {
        field.name = std::string(Derived::kKindNames[kind]) + "." + field.name;
        fields.push_back(std::move(field));
      }
    }
    return fields;
  }

  void observe(const State& state, Seat observer, std::span<float> tensor) const noexcept {
    TensorWriter out(tensor);
    out.one_hot(players_, observer);
    out.number(state.played);
    for (int tally = 0; tally < num_tallies(); ++tally) {
      out.numbers(std::span(state.totals[tally], static_cast<std::size_t>(players_)));
    }
    if (Derived::kMayBeTruncated) out.number(state.truncated);
    if (kMixed) out.one_hot(static_cast<int>(games_.size()), place(state));
    for (int kind = 0; kind < kKinds; ++kind) {
      if (!is_played(kind)) continue;
      const std::span<float> block = out.block(part_size_[kind]);
      if (kind == current_kind(state)) observe_part(state, observer, tensor, block);
    }
  }

  void encode(const State& state, ByteWriter& bytes) const {
    bytes.u16(state.played);
    for (int tally = 0; tally < num_tallies(); ++tally) {
      for (Seat seat = 0; seat < players_; ++seat) bytes.u16(state.totals[tally][seat]);
    }
    if (Derived::kMayBeTruncated) bytes.u8(state.truncated);
    on_game(state, [&](auto, const auto& rules, const auto& game) { rules.encode(game, bytes); });
  }

  [[nodiscard]] State decode(ByteReader& bytes) const {
    State state{};
    state.played = static_cast<std::uint16_t>(bytes.u16("the number of finished games"));
    if (state.played > games_.size()) {
      throw PositionError("the number of finished games is " + std::to_string(state.played) +
                          "; it must be 0.." + std::to_string(games_.size()));
    }
    for (int tally = 0; tally < num_tallies(); ++tally) {
      for (Seat seat = 0; seat < players_; ++seat) {
        state.totals[tally][seat] = static_cast<std::uint16_t>(bytes.u16(Derived::kTallies[tally]));
      }
    }
    if (Derived::kMayBeTruncated) {
      state.truncated = static_cast<std::uint16_t>(bytes.u8(0, 1, "truncated"));
    }
    read_game(state, [&](const auto& rules) { return rules.decode(bytes); });
    check(state);
    return state;
  }

  [[nodiscard]] State from_dict(const Value& dict) const {
    const DictReader in(dict);
    State state{};
    std::vector<std::string_view> keys{"played"};
    for (const char* tally : Derived::kTallies) keys.emplace_back(tally);
    if (Derived::kMayBeTruncated) keys.emplace_back("truncated");
    if (kMixed) keys.emplace_back("game");
    keys.emplace_back("position");
    in.expect_keys(keys);
    state.played = static_cast<std::uint16_t>(
        in.at("played").integer(0, static_cast<std::int64_t>(games_.size())));
    for (int tally = 0; tally < num_tallies(); ++tally) {
      const DictReader totals = in.at(Derived::kTallies[tally]);
      (void)totals.length(players_, players_);
      for (Seat seat = 0; seat < players_; ++seat) {
        state.totals[tally][seat] =
            static_cast<std::uint16_t>(totals.at(seat).integer(0, kMaxTotal));
      }
    }
    if (Derived::kMayBeTruncated) state.truncated = in.at("truncated").flag() ? 1 : 0;
    if (kMixed && in.at("game").one_of(Derived::kKindNames) != current_kind(state)) {
      in.at("game").fail(std::string("\"") + Derived::kKindNames[current_kind(state)] + "\" when " +
                         std::to_string(state.played) + " are finished");
    }
    read_game(state, [&](const auto& rules) { return rules.from_dict(in.at("position").value()); });
    check(state);
    return state;
  }

 private:
  friend Derived;

  // `games` names the kind of each game of the match.
  Match(std::tuple<Kinds...> kinds, std::vector<int> games)
      : kinds_(std::move(kinds)),
        games_(std::move(games)),
        players_(std::get<0>(kinds_).num_players()) {
    for (int kind = 0; kind < kKinds; ++kind) {
      first_outcome_[kind + 1] = first_outcome_[kind] + on_kind(kind, [](auto, const auto& rules) {
                                   return rules.num_outcomes();
                                 });
      for (const ObservationField& field : fields_of(kind)) part_size_[kind] += field.size();
    }
  }

  struct FirstActions {
    int of[kKinds + 1] = {};
  };
  static constexpr FirstActions kFirstAction = [] {
    FirstActions first;
    int kind = 0;
    ((first.of[kind + 1] = first.of[kind] + Kinds::kMaxActions, ++kind), ...);
    return first;
  }();

  static constexpr int num_tallies() { return static_cast<int>(std::size(Derived::kTallies)); }

  [[nodiscard]] const Derived& derived() const { return static_cast<const Derived&>(*this); }

  // --- Which game is played ----------------------------------------------------------------------

  [[nodiscard]] bool is_over(const State& state) const { return state.played == games_.size(); }
  // At the end it is still the last one.
  [[nodiscard]] int place(const State& state) const {
    return std::min<int>(state.played, static_cast<int>(games_.size()) - 1);
  }
  [[nodiscard]] int current_kind(const State& state) const {
    return games_[static_cast<std::size_t>(place(state))];
  }
  [[nodiscard]] bool is_played(int kind) const {
    return std::ranges::find(games_, kind) != games_.end();
  }

  // Calls visit(kind, rules) with the number of the kind as a constant.
  template <int From = 0, class Visit>
  auto on_kind(int kind, Visit&& visit) const {
    if constexpr (From + 1 < kKinds) {
      if (kind != From) return on_kind<From + 1>(kind, visit);
    }
    return visit(std::integral_constant<int, From>{}, std::get<From>(kinds_));
  }

  // Calls visit(kind, rules, game) for the current game.
  template <class AnyState, class Visit>
  auto on_game(AnyState& state, Visit&& visit) const {
    return on_kind(current_kind(state), [&](auto kind, const auto& rules) {
      using Game = typename std::remove_cvref_t<decltype(rules)>::State;
      using Place = std::conditional_t<std::is_const_v<AnyState>, const Game, Game>;
      return visit(kind, rules, *std::launder(reinterpret_cast<Place*>(state.game)));
    });
  }

  // Puts the current game, made by make(rules), into its place; what is left of the place is zero.
  template <class Make>
  void put_game(State& state, Make&& make) const {
    std::memset(state.game, 0, sizeof state.game);
    on_kind(current_kind(state), [&](auto, const auto& rules) {
      const auto game = make(rules);
      std::memcpy(state.game, &game, sizeof game);
    });
  }

  void begin_game(State& state) const {
    put_game(state, [](const auto& rules) { return rules.initial_state(); });
  }

  void finish_game(State& state) const {
    for (Seat seat = 0; seat < players_; ++seat) {
      int gains[kMaxTallies] = {};
      gains_of(state, seat, gains);
      for (int tally = 0; tally < num_tallies(); ++tally) {
        const int total = state.totals[tally][seat] + gains[tally];
        state.totals[tally][seat] = static_cast<std::uint16_t>(total);
      }
    }
    if (game_is_truncated(state)) state.truncated = 1;
    ++state.played;
    if (!is_over(state)) begin_game(state);
  }

  void gains_of(const State& state, Seat seat, int* gains) const {
    on_game(state, [&](auto, const auto& rules, const auto& game) {
      Derived::gains(rules, game, seat, gains);
    });
  }

  [[nodiscard]] bool game_is_truncated(const State& state) const {
    return on_game(
        state, [](auto, const auto& rules, const auto& game) { return rules.is_truncated(game); });
  }

  // --- Outside, continued ------------------------------------------------------------------------

  [[nodiscard]] static std::string prefix(int kind) {
    return kMixed ? std::string(Derived::kKindNames[kind]) + ": " : std::string();
  }

  [[nodiscard]] Value::Dict standing(const State& state) const {
    Value::Dict dict{{"played", state.played}};
    for (int tally = 0; tally < num_tallies(); ++tally) {
      const std::span totals(state.totals[tally], static_cast<std::size_t>(players_));
      dict.emplace_back(Derived::kTallies[tally], list_of(totals));
    }
    if (Derived::kMayBeTruncated) dict.emplace_back("truncated", state.truncated != 0);
    if (kMixed) dict.emplace_back("game", Derived::kKindNames[current_kind(state)]);
    return dict;
  }

  [[nodiscard]] std::vector<ObservationField> fields_of(int kind) const {
    std::vector<ObservationField> fields =
        on_kind(kind, [](auto, const auto& rules) { return rules.observation_fields(); });
    fields.erase(fields.begin());  // its observer is that of the match
    return fields;
  }

  // A game begins its tensor with the observer, for which the match has no place of its own there:
  // it is written over the floats in front, which come back.
  void observe_part(const State& state, Seat observer, std::span<float> tensor,
                    std::span<float> block) const {
    float in_front[kMaxPlayers];
    const auto players = static_cast<std::size_t>(players_);
    const auto first = static_cast<std::size_t>(block.data() - tensor.data()) - players;
    const std::span<float> part = tensor.subspan(first, players + block.size());
    std::copy_n(part.begin(), players, in_front);
    on_game(state, [&](auto, const auto& rules, const auto& game) {
      rules.observe(game, observer, part);
    });
    std::copy_n(in_front, players, part.begin());
  }

  // --- Positions from outside --------------------------------------------------------------------

  template <class Read>
  void read_game(State& state, Read&& read) const {
    try {
      put_game(state, read);
    } catch (const PositionError& error) {
      throw PositionError("in the current game (" +
                          std::string(Derived::kKindNames[current_kind(state)]) +
                          "): " + error.what());
    }
  }

  void check(const State& state) const {
    const bool game_is_over = current_player(state) == kTerminal;
    if (game_is_over != is_over(state)) {
      throw PositionError("the current game is " +
                          std::string(game_is_over ? "over" : "still being played") + ", but " +
                          std::to_string(state.played) + " of " + std::to_string(games_.size()) +
                          " are finished; it must be over exactly at the end of the match");
    }
    // The last game shows what it brought; the others must be able to have brought the rest
    // [IC-21], [IS-16].
    int before[kMaxTallies][kMaxPlayers] = {};
    for (Seat seat = 0; seat < players_; ++seat) {
      int gains[kMaxTallies] = {};
      if (game_is_over) gains_of(state, seat, gains);
      for (int tally = 0; tally < num_tallies(); ++tally) {
        before[tally][seat] = state.totals[tally][seat] - gains[tally];
      }
    }
    const std::vector<int> finished(games_.begin(),
                                    games_.begin() + state.played - (game_is_over ? 1 : 0));
    derived().check_totals(before, finished);
    const bool shown = game_is_over && game_is_truncated(state);
    if (shown ? state.truncated == 0 : state.truncated != 0 && finished.empty()) {
      refuse("truncated", std::string("is ") + (state.truncated != 0 ? "True" : "False") +
                              "; it must say whether a cap has ended a finished game");
    }
  }

  std::tuple<Kinds...> kinds_;
  std::vector<int> games_;
  int players_;
  int first_outcome_[kKinds + 1] = {};
  int part_size_[kKinds] = {};
};

}  // namespace tabletop
