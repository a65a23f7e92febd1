// Indigo: rules in docs/rules/indigo.md. Clauses are cited as [IN-n].
//
// Gems are not walked along the board. Every hex edge in use is a node; each chain of routes joins
// two nodes, its ends, and mate[] holds the other end. Routes never fork, so a gem owns the chain
// that starts at its source (a centre edge or the arrow of a corner) and stands at the far end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/fixed_vector.hpp"
#include "tabletop/game.hpp"
#include "tabletop/games/indigo/board.hpp"

namespace tabletop {

class Indigo {
 public:
  static constexpr const char* kName = "indigo";
  static constexpr const char* kVersion = "1";

  // Decisions: 15 * free cell rank + matching. Chance outcomes: the tile type.
  static constexpr int kMaxActions = indigo::kFreeCells * indigo::kMatchings;
  static constexpr int kMaxOutcomes = indigo::kTypes;

  using Phase = indigo::Phase;
  using Ownership = indigo::Ownership;

  struct Options {
    int players = 2;
    Ownership ownership = Ownership::kShared;
    int hand_size = 1;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    visit.choice("players", options.players, {2, 3, 4}, "Number of seats.");
    visit.choice("ownership", options.ownership,
                 {Named<Ownership>{"shared", Ownership::kShared},
                  Named<Ownership>{"exclusive", Ownership::kExclusive}},
                 "With 3 players: whether seats share gateways or own two each; else only shared.");
    visit.choice("hand_size", options.hand_size, {1, 2}, "Number of tiles in a hand.");
  }

  struct State {
    std::uint64_t inside;  // how many of ranks 8i .. 8i + 7 are empty and inside, in byte i
    std::uint64_t border;  // the same for gateway cells
    std::uint64_t empty;   // free ranks without a tile
    std::uint8_t mate[indigo::kNodes];  // other end of the chain that ends here; itself if none
    std::uint8_t tiles[indigo::kFreeCells];  // matching, kNoMatching if empty
    std::uint8_t gem[indigo::kSources];      // 1 + colour of the living gem on this source's chain
    std::uint8_t pile[indigo::kTypes];
    std::uint8_t hands[4][2];  // sorted types, kNoTile in empty places
    std::uint8_t won[4][indigo::kColours];
    std::uint8_t centre;     // gems that wait there, the sapphire last
    std::uint8_t gems_left;  // on the board, those in the centre included
    std::uint8_t pile_size;
    Phase phase;
    std::uint8_t seat;  // acts, or is given a tile; at the end: placed last
  };

  explicit Indigo(const Options& options) : options_(checked_options<Indigo>(options)) {
    using namespace indigo;
    if (options.ownership == Ownership::kExclusive && options.players != 3) {
      throw OptionError("option ownership of indigo is \"exclusive\" with " +
                        std::to_string(options.players) +
                        " players; it must be \"shared\" unless there are 3 players");
    }
    owners_ = options.players == 2                         ? kOwners2
              : options.players == 4                       ? kOwners4
              : options.ownership == Ownership::kExclusive ? kOwners3Exclusive
                                                           : kOwners3Shared;
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return options_.players; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return kMaxOutcomes; }
  [[nodiscard]] int max_length() const { return indigo::kFreeCells; }
  [[nodiscard]] double min_utility() const { return -1.0 / (options_.players - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }

  // --- Rules
  // ---------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    using namespace indigo;
    State state{};
    state.empty = (std::uint64_t{1} << kFreeCells) - 1;
    state.inside = count_bytes(state.empty & ~kBoard.gateway_cells);
    state.border = count_bytes(state.empty & kBoard.gateway_cells);
    for (int node = 0; node < kNodes; ++node) state.mate[node] = to_byte(node);
    for (int k = 0; k < kCorners; ++k) {  // a bend on each corner, around the stub [IN-8]
      const auto& nodes = kBoard.node[kBoard.cell(kCornerQ[k], kCornerR[k])];
      const std::uint8_t left = nodes[(k + 1) % kEdges], right = nodes[(k + 3) % kEdges];
      state.mate[left] = right;
      state.mate[right] = left;
      state.gem[kCentreSources + k] = 1 + kAmber;
    }
    std::fill_n(state.tiles, kFreeCells, to_byte(kNoMatching));
    for (auto& hand : state.hands) hand[0] = hand[1] = kNoTile;
    for (int type = 0; type < kTypes; ++type) state.pile[type] = to_byte(kCopies[type]);
    state.pile_size = kFreeCells;
    state.centre = 6;
    state.gems_left = kGems;
    return state;
  }

  [[nodiscard]] Seat current_player(const State& state) const noexcept {
    switch (state.phase) {
      case Phase::kPlace:
        return state.seat;
      case Phase::kOver:
        return kTerminal;
      default:
        return kChance;
    }
  }

  [[nodiscard]] bool is_truncated(const State& /*state*/) const noexcept { return false; }

  void legal_actions(const State& state, ActionSet<kMaxActions>& actions) const noexcept {
    using namespace indigo;
    const std::uint16_t orientations = hand_choices(state).orientations;
    for_each_bit(state.empty, [&](int rank) {
      actions.add_bits(kMatchings * rank, allowed_on(rank, orientations));
    });
  }

  // The same choice as from the list: all cells of a kind take equally many orientations, so the
  // weight of eight cells follows from two counts.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    using namespace indigo;
    const HandChoices& choices = hand_choices(state);
    std::uint64_t weights = state.inside * choices.inside + state.border * choices.border;
    constexpr std::uint64_t kEven = 0x00FF00FF00FF00FFULL;
    const std::uint64_t pairs = (weights & kEven) + ((weights >> 8) & kEven);
    auto k = rng.below((pairs * 0x0001000100010001ULL) >> 48);
    int rank = 0;
    for (; k >= (weights & 0xFF); rank += 8, weights >>= 8) k -= weights & 0xFF;
    for (std::uint64_t cells = state.empty >> rank;; cells &= cells - 1) {
      const int here = rank + std::countr_zero(cells);
      const std::uint64_t weight =
          (kBoard.gateway_cells >> here & 1) != 0 ? choices.border : choices.inside;
      if (k < weight) {
        return kMatchings * here + choices.nth[kBoard.gateway[here]][k];
      }
      k -= weight;
    }
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    for (int type = 0; type < indigo::kTypes; ++type) outcomes.add(type, state.pile[type]);
  }

  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    const auto x = static_cast<int>(rng.below(state.pile_size));
    int type = 0, upto = 0;
    for (int i = 0; i < indigo::kTypes - 1; ++i) {  // counts the types passed, without a jump
      upto += state.pile[i];
      type += x >= upto ? 1 : 0;
    }
    return type;
  }

  void apply(State& state, Action action) const noexcept {
    if (state.phase == Phase::kPlace) {
      place(state, action / indigo::kMatchings, action % indigo::kMatchings);
    } else {
      draw(state, action);
    }
  }

  void scores(const State& state, std::span<int> scores) const noexcept {
    for (Seat seat = 0; seat < options_.players; ++seat) {
      scores[static_cast<std::size_t>(seat)] = points(state, seat);
    }
  }

  // Most points; among those, most gems; then the win is shared [IN-44].
  [[nodiscard]] SeatSet winners(const State& state) const noexcept {
    SeatSet winners;
    if (state.phase != Phase::kOver) return winners;
    std::pair<int, int> best{-1, -1};
    for (Seat seat = 0; seat < options_.players; ++seat) {
      const std::pair<int, int> result{points(state, seat), gems_won(state, seat)};
      if (result > best) winners = SeatSet();
      if (result >= best) {
        winners.add(seat);
        best = result;
      }
    }
    return winners;
  }

  static int gems_won(const State& state, Seat seat) {
    const std::uint8_t (&won)[indigo::kColours] = state.won[seat];
    return won[indigo::kAmber] + won[indigo::kEmerald] + won[indigo::kSapphire];
  }

  // The unseen tiles are the pile and the other hands; the hands are drawn from them [IN-53].
  [[nodiscard]] State resample(const State& state, Seat observer, Rng& rng) const noexcept {
    using namespace indigo;
    State sample = state;
    for (Seat seat = 0; seat < options_.players; ++seat) {
      if (seat == observer) continue;
      for (const std::uint8_t type : state.hands[seat]) {
        if (type != kNoTile) ++sample.pile[type], ++sample.pile_size;
      }
      sample.hands[seat][0] = sample.hands[seat][1] = kNoTile;
    }
    for (Seat seat = 0; seat < options_.players; ++seat) {
      if (seat == observer) continue;
      for (int i = hand_count(state, seat); i > 0; --i) {
        take_tile(sample, seat, pick_outcome(sample, rng));
      }
    }
    return sample;
  }

  // --- Outside
  // -------------------------------------------------------------------------------------

  [[nodiscard]] std::string action_to_string(Action action) const {
    using namespace indigo;
    const int cell = kBoard.cell_of[action / kMatchings];
    std::string text = "place ";
    for (const Route& route : kRoutesOf[action % kMatchings]) {
      if (text.back() != ' ') text += '/';
      text += std::to_string(route.from) + std::to_string(route.to);
    }
    return text + " on " + cell_name(cell);
  }

  [[nodiscard]] std::string outcome_to_string(Action outcome) const {
    return std::string("draw ") + indigo::kTypeNames[outcome];
  }

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
  struct StandingGem {
    std::uint8_t cell, edge, colour;
    [[nodiscard]] int place() const { return indigo::kEdges * cell + edge; }
    friend bool operator<(const StandingGem& a, const StandingGem& b) {
      return a.place() < b.place();
    }
  };

  // A position as people state it: what can be said of it, without what follows from the board.
  struct Record {
    Phase phase;
    Seat seat;
    std::uint8_t tiles[indigo::kFreeCells];
    FixedVector<StandingGem, indigo::kGems> gems;  // sorted by place
    int emeralds, sapphires;                       // in the centre
    std::uint8_t pile[indigo::kTypes];
    FixedVector<std::uint8_t, 2> hands[4];  // sorted
    std::uint8_t won[4][indigo::kColours];
  };

  // Rules, continued.

  static const indigo::HandChoices& hand_choices(const State& state) {
    const std::uint8_t (&hand)[2] = state.hands[state.seat];
    return indigo::kHandTable.of[hand[0]][hand[1]];
  }

  static std::uint16_t allowed_on(int rank, std::uint16_t orientations) {
    return orientations & indigo::kOrientations.on[indigo::kBoard.gateway[rank]];
  }

  void draw(State& state, int type) const noexcept {
    take_tile(state, state.seat, type);
    if (state.phase == Phase::kDraw) {
      pass_turn(state);
    } else if (hand_count(state, state.seat) == options_.hand_size) {
      pass_turn(state);  // dealt seat by seat; after the last, seat 0 begins [IN-17]
      if (state.seat != 0) state.phase = Phase::kDeal;
    }
  }

  void place(State& state, int rank, int matching) const noexcept {
    using namespace indigo;
    std::uint8_t (&hand)[2] = state.hands[state.seat];
    if (hand[0] == kTypeOf[matching]) hand[0] = hand[1];
    hand[1] = kNoTile;

    if (const int edge = kBoard.centre_edge[rank]; edge != kNone) {
      state.gem[edge] = 1 + (state.centre > 1 ? kEmerald : kSapphire);
      --state.centre;
    }
    for_each_bit(link_routes(state, rank, matching), [&](int source) {
      if (state.gem[source] != 0) move_gem(state, source);
    });

    if (state.gems_left == 0) {  // at once, with no further draw [IN-41]
      state.phase = Phase::kOver;
    } else if (state.pile_size > 0) {
      state.phase = Phase::kDraw;
    } else {
      pass_turn(state);
    }
  }

  // Joins the chains at both ends of each route. Returns the set of sources that have got a new far
  // end.
  static unsigned link_routes(State& state, int rank, int matching) noexcept {
    using namespace indigo;
    state.tiles[rank] = to_byte(matching);
    state.empty &= ~(std::uint64_t{1} << rank);
    const std::uint64_t on_border = kBoard.gateway_cells >> rank & 1;
    state.border -= on_border << (rank & ~7);
    state.inside -= (on_border ^ 1) << (rank & ~7);
    const std::uint8_t (&nodes)[kEdges] = kBoard.node[kBoard.cell_of[rank]];
    unsigned sources = 0;
    for (const Route& route : kRoutesOf[matching]) {
      const std::uint8_t from = nodes[route.from], to = nodes[route.to];
      const std::uint8_t far_from = state.mate[from], far_to = state.mate[to];
      state.mate[from] = from;  // inside a chain now, unless set again below
      state.mate[to] = to;
      if (far_from == to) continue;  // a closed loop
      state.mate[far_from] = far_to;
      state.mate[far_to] = far_from;
      sources |= (is_source(far_from) ? 1U : 0U) << (far_from & 31);
      sources |= (is_source(far_to) ? 1U : 0U) << (far_to & 31);
    }
    return sources;
  }

  // The gem of this source runs to the far end of its chain.
  void move_gem(State& state, int source) const noexcept {
    using namespace indigo;
    const int end = state.mate[source];
    if (is_exit(end)) {
      const SeatSet owners = owners_[gateway_of_exit(end)];
      owners.for_each([&](Seat seat) { ++state.won[seat][state.gem[source] - 1]; });
      state.gem[source] = 0;
      --state.gems_left;
    } else if (is_source(end)) {  // two gems on one track are both lost [IN-32]
      state.gem[source] = state.gem[end] = 0;
      state.gems_left -= 2;
    }
  }

  void pass_turn(State& state) const noexcept {
    state.seat = to_byte(state.seat + 1 == options_.players ? 0 : state.seat + 1);
    state.phase = Phase::kPlace;
  }

  static void take_tile(State& state, Seat seat, int type) noexcept {
    std::uint8_t (&hand)[2] = state.hands[seat];
    if (type < hand[0])
      hand[1] = hand[0], hand[0] = to_byte(type);
    else
      hand[1] = to_byte(type);
    --state.pile[type];
    --state.pile_size;
  }

  static int hand_count(const State& state, Seat seat) {
    const std::uint8_t (&hand)[2] = state.hands[seat];
    return (hand[0] != indigo::kNoTile ? 1 : 0) + (hand[1] != indigo::kNoTile ? 1 : 0);
  }

  static int points(const State& state, Seat seat) {
    const std::uint8_t (&won)[indigo::kColours] = state.won[seat];
    return won[indigo::kAmber] + 2 * won[indigo::kEmerald] + 3 * won[indigo::kSapphire];
  }

  // Outside, continued.

  static std::string cell_name(int cell) {
    return "(" + std::to_string(indigo::kBoard.q[cell]) + "," +
           std::to_string(indigo::kBoard.r[cell]) + ")";
  }

  static bool centre_edge_open(const State& state, int edge) {
    const int rank = indigo::kBoard.free_rank[indigo::kBoard.neighbour(indigo::kCentre, edge)];
    return state.tiles[rank] != indigo::kNoMatching;
  }

  // A gem at a node stands on the tile of one side and looks at the empty cell of the other.
  static StandingGem standing_at(const State& state, int node, int colour) {
    using namespace indigo;
    const int rank = kBoard.free_rank[kBoard.side_cell[node][0]];
    const int side = rank == kNone || state.tiles[rank] != kNoMatching ? 0 : 1;
    return {kBoard.side_cell[node][side], kBoard.side_edge[node][side], to_byte(colour)};
  }

  template <class Visit>
  static void for_each_standing_gem(const State& state, Visit&& visit) {
    for (int source = 0; source < indigo::kSources; ++source) {
      if (state.gem[source] == 0) continue;
      visit(standing_at(state, state.mate[source], state.gem[source] - 1));
    }
  }

  static int read_routes(const DictReader& routes) {
    using namespace indigo;
    (void)routes.length(kRoutes, kRoutes);
    int joined = (1 << kMatchings) - 1;  // the matchings that have all routes read so far
    int edges = 0;                       // those of the routes read so far
    for (int i = 0; i < kRoutes; ++i) {
      const DictReader route = routes.at(i);
      (void)route.length(2, 2);
      const int a = route.at(0).integer(0, kEdges - 1), b = route.at(1).integer(0, kEdges - 1);
      edges |= 1 << a | 1 << b;
      for (int matching = 0; matching < kMatchings; ++matching) {
        if (!joins(matching, a, b)) joined &= ~(1 << matching);
      }
    }
    if (joined == 0 || edges != (1 << kEdges) - 1) {
      routes.fail("three pairs that use all six edges");
    }
    return std::countr_zero(static_cast<unsigned>(joined));
  }

  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  [[nodiscard]] Record record(const State& state) const;
  [[nodiscard]] State position(const Record& record) const;
  void check_counts(const Record& record) const;
  void set_gems(State& state, const Record& record) const;

  Options options_;
  const SeatSet* owners_;
};

}  // namespace tabletop

#include "tabletop/games/indigo/position.hpp"

static_assert(tabletop::GameRules<tabletop::Indigo> && tabletop::PicksActions<tabletop::Indigo> &&
              tabletop::PicksOutcomes<tabletop::Indigo>);
