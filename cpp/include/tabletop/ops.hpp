// Type erasure for the Python edge: one table of plain functions per game. Rules and positions pass
// through as untyped addresses; only Erased<G> knows their types.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "tabletop/batch.hpp"
#include "tabletop/game.hpp"
#include "tabletop/hash.hpp"
#include "tabletop/perft.hpp"
#include "tabletop/playout.hpp"

namespace tabletop {

// Where a run of playouts writes: one row per game in each array.
struct PlayoutArrays {
  double* returns;
  std::int64_t* scores;
  std::int64_t* lengths;
  std::uint64_t* final_hashes;
};

struct GameOps {
  std::string_view name;
  std::string_view version;
  std::size_t state_size;
  std::size_t mask_words;  // of an ActionSet
  bool hides_outcomes;     // some chance events from some seats

  std::vector<OptionSpec> (*option_specs)();
  std::shared_ptr<const void> (*create)(const Value::Dict& options);

  Value::Dict (*options)(const void* rules);
  int (*num_players)(const void* rules);
  int (*num_actions)(const void* rules);
  int (*num_outcomes)(const void* rules);
  int (*max_length)(const void* rules);
  double (*min_utility)(const void* rules);
  double (*max_utility)(const void* rules);
  std::vector<ObservationField> (*observation_fields)(const void* rules);
  std::string (*action_to_string)(const void* rules, Action action);
  std::string (*outcome_to_string)(const void* rules, Action outcome);

  void (*initial_state)(const void* rules, void* state);
  void (*from_dict)(const void* rules, const Value& dict, void* state);
  void (*decode)(const void* rules, ByteReader& bytes, void* state);

  Seat (*current_player)(const void* rules, const void* state);
  bool (*is_truncated)(const void* rules, const void* state);
  // The ids that can be applied here, of decisions or outcomes: fills `ids` and returns how many.
  int (*legal_ids)(const void* rules, const void* state, Action* ids);
  bool (*is_legal)(const void* rules, const void* state, Action id);
  // Returns the total weight.
  std::uint64_t (*chance_outcomes)(const void* rules, const void* state,
                                   std::vector<WeightedOutcome>& outcomes);
  Action (*pick_action)(const void* rules, const void* state, Rng& rng);
  Action (*pick_outcome)(const void* rules, const void* state, Rng& rng);
  void (*apply)(const void* rules, void* state, Action action);
  void (*resolve_chance)(const void* rules, void* state, Rng& rng);
  void (*scores)(const void* rules, const void* state, std::span<int> scores);
  SeatSet (*winners)(const void* rules, const void* state);
  void (*utilities)(const void* rules, const void* state, std::span<double> returns);
  void (*resample)(const void* rules, void* state, Seat observer, Rng& rng);
  bool (*sees_outcome)(const void* rules, const void* state, Seat observer);  // at a chance node

  std::string (*to_string)(const void* rules, const void* state);
  Value (*to_dict)(const void* rules, const void* state);
  Value (*view)(const void* rules, const void* state, Seat observer);
  void (*observe)(const void* rules, const void* state, Seat observer, std::span<float> tensor);
  void (*encode)(const void* rules, const void* state, ByteWriter& bytes);
  std::uint64_t (*stable_hash)(const void* rules, const void* state, std::uint64_t seed);
  bool (*valid)(const void* rules, const void* state);

  // Playouts first .. first + count - 1 from the position, number i with Rng(seed).split(i).
  void (*playouts)(const void* rules, const void* start, std::uint64_t seed,
                   std::uint64_t hash_seed, std::size_t first, std::size_t count,
                   const PlayoutArrays& arrays);
  Perft (*perft)(const void* rules, const void* state, int depth, bool (*go_on)());

  // See batch.hpp.
  void (*lanes_start)(const void* rules, const Lanes& lanes, LaneRange range);
  void (*lanes_arrive)(const void* rules, const Lanes& lanes, std::size_t lane);
  void (*lanes_step)(const void* rules, const Lanes& lanes, const Action* actions, bool restart,
                     LaneRange range);
  std::size_t (*lanes_first_illegal)(const void* rules, const Lanes& lanes, const Action* actions,
                                     LaneRange range);
  void (*lanes_sample)(const void* rules, const Lanes& lanes, Action* actions, LaneRange range);
  void (*lanes_masks)(const void* rules, const Lanes& lanes, std::size_t ids, bool* rows,
                      LaneRange range);
  void (*lanes_observe)(const void* rules, const Lanes& lanes, const Seat* seats, float* tensor,
                        std::size_t size, LaneRange range);
};

namespace detail {

// `bytes` is room to write in.
template <GameRules G>
std::uint64_t stable_hash(const G& game, const typename G::State& state, std::uint64_t seed,
                          ByteWriter& bytes) {
  bytes.clear();
  game.encode(state, bytes);
  return hash64(bytes.bytes(), seed);
}

template <GameRules G>
void run_playouts(const G& game, const typename G::State& start, std::uint64_t seed,
                  std::uint64_t hash_seed, std::size_t first, std::size_t count,
                  const PlayoutArrays& arrays) {
  const auto players = static_cast<std::size_t>(game.num_players());
  ByteWriter bytes;
  for (std::size_t i = first; i < first + count; ++i) {
    typename G::State state = start;
    Rng rng = Rng(seed).split(i);
    arrays.lengths[i] = playout(game, state, rng);
    utilities(game, state, {arrays.returns + i * players, players});
    int scores[kMaxSeats];
    game.scores(state, {scores, players});
    std::copy_n(scores, players, arrays.scores + i * players);
    arrays.final_hashes[i] = stable_hash(game, state, hash_seed, bytes);
  }
}

}  // namespace detail

// The table of a game, and the casts from untyped addresses that its functions begin with.
template <GameRules G>
struct Erased {
  using State = typename G::State;

  static const G& rules(const void* game) { return *static_cast<const G*>(game); }
  static const State& read(const void* state) { return *static_cast<const State*>(state); }
  static void write(void* state, const State& value) { std::memcpy(state, &value, sizeof(State)); }

  static constexpr GameOps kOps{
      .name = G::kName,
      .version = G::kVersion,
      .state_size = sizeof(State),
      .mask_words = ActionSet<G::kMaxActions>::kWords,
      .hides_outcomes = HidesOutcomes<G>,
      .option_specs =
          [] {
            typename G::Options options;
            OptionLister lister;
            G::visit_options(lister, options);
            return lister.specs;
          },
      .create = [](const Value::Dict& given) -> std::shared_ptr<const void> {
        typename G::Options options;
        OptionReader reader(G::kName, given);
        G::visit_options(reader, options);
        reader.finish();
        return std::make_shared<const G>(options);
      },
      .options =
          [](const void* game) {
            typename G::Options options = rules(game).options();
            OptionWriter writer;
            G::visit_options(writer, options);
            return writer.options;
          },
      .num_players = [](const void* game) { return rules(game).num_players(); },
      .num_actions = [](const void* game) { return rules(game).num_actions(); },
      .num_outcomes = [](const void* game) { return rules(game).num_outcomes(); },
      .max_length = [](const void* game) { return rules(game).max_length(); },
      .min_utility = [](const void* game) { return rules(game).min_utility(); },
      .max_utility = [](const void* game) { return rules(game).max_utility(); },
      .observation_fields = [](const void* game) { return rules(game).observation_fields(); },
      .action_to_string = [](const void* game,
                             Action action) { return rules(game).action_to_string(action); },
      .outcome_to_string = [](const void* game,
                              Action outcome) { return rules(game).outcome_to_string(outcome); },
      .initial_state = [](const void* game,
                          void* state) { write(state, rules(game).initial_state()); },
      .from_dict = [](const void* game, const Value& dict,
                      void* state) { write(state, rules(game).from_dict(dict)); },
      .decode = [](const void* game, ByteReader& bytes,
                   void* state) { write(state, rules(game).decode(bytes)); },
      .current_player = [](const void* game,
                           const void* state) { return rules(game).current_player(read(state)); },
      .is_truncated = [](const void* game,
                         const void* state) { return rules(game).is_truncated(read(state)); },
      .legal_ids =
          [](const void* game, const void* state, Action* ids) {
            int count = 0;
            const Seat player = rules(game).current_player(read(state));
            if (player == kChance) {
              ChanceList<G::kMaxOutcomes> chances;
              rules(game).chance_outcomes(read(state), chances);
              for (const WeightedOutcome& entry : chances.entries()) ids[count++] = entry.outcome;
            } else if (player != kTerminal) {
              ActionSet<G::kMaxActions> legal;
              rules(game).legal_actions(read(state), legal);
              legal.for_each([&](Action action) { ids[count++] = action; });
            }
            return count;
          },
      .is_legal =
          [](const void* game, const void* state, Action id) {
            const Seat player = rules(game).current_player(read(state));
            if (player == kTerminal) return false;
            if (player == kChance) {
              ChanceList<G::kMaxOutcomes> chances;
              rules(game).chance_outcomes(read(state), chances);
              return std::ranges::any_of(chances.entries(),
                                         [&](const auto& entry) { return entry.outcome == id; });
            }
            ActionSet<G::kMaxActions> legal;
            rules(game).legal_actions(read(state), legal);
            return legal.contains(id);
          },
      .chance_outcomes =
          [](const void* game, const void* state, std::vector<WeightedOutcome>& outcomes) {
            ChanceList<G::kMaxOutcomes> chances;
            rules(game).chance_outcomes(read(state), chances);
            outcomes.assign(chances.entries().begin(), chances.entries().end());
            return chances.total();
          },
      .pick_action = [](const void* game, const void* state,
                        Rng& rng) { return tabletop::pick_action(rules(game), read(state), rng); },
      .pick_outcome =
          [](const void* game, const void* state, Rng& rng) {
            return tabletop::pick_outcome(rules(game), read(state), rng);
          },
      .apply = [](const void* game, void* state,
                  Action action) { rules(game).apply(*static_cast<State*>(state), action); },
      .resolve_chance =
          [](const void* game, void* state, Rng& rng) {
            tabletop::resolve_chance(rules(game), *static_cast<State*>(state), rng);
          },
      .scores = [](const void* game, const void* state,
                   std::span<int> scores) { rules(game).scores(read(state), scores); },
      .winners = [](const void* game,
                    const void* state) { return rules(game).winners(read(state)); },
      .utilities =
          [](const void* game, const void* state, std::span<double> returns) {
            tabletop::utilities(rules(game), read(state), returns);
          },
      .resample = [](const void* game, void* state, Seat observer,
                     Rng& rng) { write(state, rules(game).resample(read(state), observer, rng)); },
      .sees_outcome =
          [](const void* game, const void* state, Seat observer) {
            return tabletop::sees_outcome(rules(game), read(state), observer);
          },
      .to_string = [](const void* game,
                      const void* state) { return rules(game).to_string(read(state)); },
      .to_dict = [](const void* game,
                    const void* state) { return rules(game).to_dict(read(state)); },
      .view = [](const void* game, const void* state,
                 Seat observer) { return rules(game).view(read(state), observer); },
      .observe =
          [](const void* game, const void* state, Seat observer, std::span<float> tensor) {
            rules(game).observe(read(state), observer, tensor);
          },
      .encode = [](const void* game, const void* state,
                   ByteWriter& bytes) { rules(game).encode(read(state), bytes); },
      .stable_hash =
          [](const void* game, const void* state, std::uint64_t seed) {
            ByteWriter bytes;
            return detail::stable_hash(rules(game), read(state), seed, bytes);
          },
      .valid = [](const void* game,
                  const void* state) { return tabletop::valid(rules(game), read(state)); },
      .playouts =
          [](const void* game, const void* start, std::uint64_t seed, std::uint64_t hash_seed,
             std::size_t first, std::size_t count, const PlayoutArrays& arrays) {
            detail::run_playouts(rules(game), read(start), seed, hash_seed, first, count, arrays);
          },
      .perft = [](const void* game, const void* state, int depth,
                  bool (*go_on)()) { return count_nodes(rules(game), read(state), depth, go_on); },
      .lanes_start = [](const void* game, const Lanes& lanes,
                        LaneRange range) { LanesOf<G>(rules(game), lanes).start(range); },
      .lanes_arrive = [](const void* game, const Lanes& lanes,
                         std::size_t lane) { LanesOf<G>(rules(game), lanes).arrive(lane); },
      .lanes_step =
          [](const void* game, const Lanes& lanes, const Action* actions, bool restart,
             LaneRange range) { LanesOf<G>(rules(game), lanes).step(actions, restart, range); },
      .lanes_first_illegal =
          [](const void* game, const Lanes& lanes, const Action* actions, LaneRange range) {
            return LanesOf<G>(rules(game), lanes).first_illegal(actions, range);
          },
      .lanes_sample =
          [](const void* game, const Lanes& lanes, Action* actions, LaneRange range) {
            LanesOf<G>(rules(game), lanes).sample(actions, range);
          },
      .lanes_masks =
          [](const void* game, const Lanes& lanes, std::size_t ids, bool* rows, LaneRange range) {
            LanesOf<G>(rules(game), lanes).masks(ids, rows, range);
          },
      .lanes_observe =
          [](const void* game, const Lanes& lanes, const Seat* seats, float* tensor,
             std::size_t size, LaneRange range) {
            LanesOf<G>(rules(game), lanes).observe(seats, tensor, size, range);
          },
  };
};

}  // namespace tabletop
