// Indigo: rules in docs/rules/indigo.md. Clauses are cited as [IN-n].
//
// Gems are not walked along the board. Each chain of routes joins two ends, and mate[] holds the
// other end. Routes never fork, so a gem owns the chain that starts at its source (a centre edge or
// the arrow of a corner) and stands at the far end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tabletop/fixed_vector.hpp"
#include "tabletop/game.hpp"
#include "tabletop/games/indigo/board.hpp"
#include "tabletop/games/indigo/hands.hpp"

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

  // Also where a series has them among its own.
  template <class Visitor, class AnyOptions>
  static void visit_options(Visitor& visit, AnyOptions& options) {
    visit.choice("players", options.players, {2, 3, 4}, "Number of seats.");
    visit.choice("ownership", options.ownership,
                 {Named<Ownership>{"shared", Ownership::kShared},
                  Named<Ownership>{"exclusive", Ownership::kExclusive}},
                 "With 3 players: whether seats share gateways or own two each; else only shared.");
    visit.choice("hand_size", options.hand_size, {1, 2}, "Number of tiles in a hand.");
  }

  struct State {
    std::uint64_t empty;                // free ranks without a tile
    indigo::Room room;                  // follows from it, to pick quickly
    std::uint64_t pile;                 // byte i: the tiles of types 0 .. i
    std::uint16_t mate[indigo::kEnds];  // other end of the chain that ends here; 0 on a filled cell
    std::uint32_t won[indigo::kColours];      // byte s: the gems of the colour that seat s has
    std::uint8_t tiles[indigo::kFreeCells];   // matching, kNoMatching if empty
    std::uint8_t hands[indigo::kMaxPlayers];  // ids of kHands
    std::uint16_t gems;     // sources whose gem is on the board, those in the centre included
    std::uint8_t sapphire;  // the source of the sapphire while it stands on a tile, or kNone
    Phase phase;
    std::uint8_t seat;  // acts, or is given a tile; at the end: placed last
    std::uint8_t zero;  // where padding would be
  };

  explicit Indigo(const Options& options) : options_(checked_options<Indigo>(options)) {
    using namespace indigo;
    if (options.ownership == Ownership::kExclusive && options.players != 3) {
      throw OptionError("option ownership of indigo is \"exclusive\" with " +
                        std::to_string(options.players) +
                        " players; it must be \"shared\" unless there are 3 players");
    }
    const SeatSet* const owners = options.players == 2                         ? kOwners2
                                  : options.players == 4                       ? kOwners4
                                  : options.ownership == Ownership::kExclusive ? kOwners3Exclusive
                                                                               : kOwners3Shared;
    for (int gateway = 0; gateway < kGateways; ++gateway) {
      owners[gateway].for_each([&](Seat seat) { owners_[gateway] |= one_for(seat); });
    }
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int num_players() const { return options_.players; }
  [[nodiscard]] int num_actions() const { return kMaxActions; }
  [[nodiscard]] int num_outcomes() const { return kMaxOutcomes; }
  [[nodiscard]] int max_length() const { return indigo::kFreeCells; }
  [[nodiscard]] double min_utility() const { return -1.0 / (options_.players - 1); }
  [[nodiscard]] double max_utility() const { return 1.0; }

  // --- Rules -------------------------------------------------------------------------------------

  [[nodiscard]] State initial_state() const noexcept {
    using namespace indigo;
    State state{};
    state.empty = (std::uint64_t{1} << kFreeCells) - 1;
    state.room = kRooms.all;
    std::copy_n(kBoard.mate, kEnds, state.mate);
    std::fill_n(state.tiles, kFreeCells, to_byte(kNoMatching));
    for (int type = 0; type < kTypes; ++type) add_to_pile(state, type, kCopies[type]);
    state.gems = (1 << kSources) - 1;
    state.sapphire = kNone;
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
    for (int four = 0; four < kFours; ++four) {
      const std::uint64_t cells = state.empty >> (kFour * four) & ((1 << kFour) - 1);
      actions.add_bits(kFour * kMatchings * four,
                       kPlacements.of[state.hands[state.seat]][four] & kPlacements.on[cells]);
    }
  }

  // The same choice as from the list.
  [[nodiscard]] Action pick_action(const State& state, Rng& rng) const noexcept {
    const Placement choice = choose(state, state.seat, rng);
    return static_cast<Action>(indigo::kMatchings * choice.rank + choice.matching);
  }

  // By the same steps, but a decision is placed as it is chosen, without the way over its id. What
  // the next seat places is chosen as soon as the cell is covered: no track has a say in it, and
  // while the processor waits for the choice it links the tracks. Inlined as the free playout() is.
  [[gnu::always_inline]] int playout(State& state, Rng& rng) const noexcept {
    while (state.phase == Phase::kDeal || state.phase == Phase::kDraw) {
      draw(state, pick_outcome(state, rng));
    }
    if (state.phase == Phase::kOver) return 0;
    int decisions = 0;
    Placement next = choose(state, state.seat, rng);
    while (state.pile != 0) {
      const Placement placement = next;
      const Rng before = rng;
      const Action tile = pick_outcome(state, rng);
      lay(state, placement);
      next = choose(state, next_seat_[state.seat], rng);
      link(state, placement);
      ++decisions;
      if (state.gems == 0) {  // at once [IN-41]: neither tile nor choice, then
        state.phase = Phase::kOver;
        rng = before;
        return decisions;
      }
      take_tile(state, state.seat, tile);
      pass_turn(state);
    }
    for (;; next = choose(state, state.seat, rng)) {
      place(state, next);
      ++decisions;
      if (state.phase == Phase::kOver) return decisions;
    }
  }

  void chance_outcomes(const State& state, ChanceList<kMaxOutcomes>& outcomes) const noexcept {
    for (int type = 0; type < indigo::kTypes; ++type) {
      outcomes.add(type, static_cast<std::uint32_t>(pile_count(state, type)));
    }
  }

  [[nodiscard]] Action pick_outcome(const State& state, Rng& rng) const noexcept {
    const std::uint64_t tile = rng.below(static_cast<std::uint64_t>(pile_size(state)));
    return static_cast<Action>(count_upto<8>(state.pile, tile));
  }

  void apply(State& state, Action action) const noexcept {
    if (state.phase == Phase::kPlace) {
      const auto id = static_cast<std::size_t>(action);
      place(state, {id / indigo::kMatchings, id % indigo::kMatchings});
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
    using namespace indigo;
    return won(state, seat, kAmber) + won(state, seat, kEmerald) + won(state, seat, kSapphire);
  }

  // To how many seats one gateway belongs at most.
  [[nodiscard]] int most_owners() const {
    int most = 0;
    for (const std::uint32_t owners : owners_) {
      most = std::max(most, static_cast<int>(owners * 0x0101'0101U >> 24));  // the sum of the bytes
    }
    return most;
  }

  // The unseen tiles are the pile and the other hands; the hands are drawn from them [IN-53].
  [[nodiscard]] State resample(const State& state, Seat observer, Rng& rng) const noexcept {
    using namespace indigo;
    State sample = state;
    for (Seat seat = 0; seat < options_.players; ++seat) {
      if (seat == observer) continue;
      for (const std::uint8_t type : tiles_of(state, seat)) add_to_pile(sample, type, 1);
      sample.hands[seat] = kEmptyHand;
    }
    for (Seat seat = 0; seat < options_.players; ++seat) {
      if (seat == observer) continue;
      for (int i = hand_of(state, seat).size; i > 0; --i) {
        take_tile(sample, seat, pick_outcome(sample, rng));
      }
    }
    return sample;
  }

  // A tile is seen by the seat that gets it [IN-52].
  [[nodiscard]] bool sees_outcome(const State& state, Seat observer) const noexcept {
    return state.seat == observer;
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
  struct Placement {
    std::size_t rank, matching;
  };

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
    FixedVector<std::uint8_t, indigo::kMaxHandSize> hands[indigo::kMaxPlayers];  // sorted
    std::uint8_t won[indigo::kMaxPlayers][indigo::kColours];
  };

  // Rules, continued.

  static const indigo::Hand& hand_of(const State& state, Seat seat) {
    return indigo::kHands.of[state.hands[seat]];
  }
  static std::span<const std::uint8_t> tiles_of(const State& state, Seat seat) {
    const indigo::Hand& hand = hand_of(state, seat);
    return {hand.tiles, hand.size};
  }

  static int pile_size(const State& state) { return static_cast<int>(state.pile >> 56); }
  static int pile_count(const State& state, int type) {
    return static_cast<int>((state.pile - (state.pile << 8)) >> (8 * type) & 0xFF);
  }
  static void add_to_pile(State& state, int type, int tiles) {
    state.pile += (static_cast<std::uint64_t>(tiles) * kEachByte) << (8 * type);
  }

  // A nine of cells, a cell of the nine, an orientation.
  static Placement choose(const State& state, Seat seat, Rng& rng) noexcept {
    using namespace indigo;
    const Hand& hand = hand_of(state, seat);
    const std::uint64_t upto = state.room.ways(hand);
    std::uint64_t k = rng.below(Room::total(upto));
    const std::size_t nine = select_lane<Room::kBits>(upto, k);
    const std::size_t rank = kNine * nine + select_of_nine(hand, state.empty, nine, k);
    return {rank, hand.nth[rank][k]};
  }

  void draw(State& state, int type) const noexcept {
    take_tile(state, state.seat, type);
    if (state.phase == Phase::kDraw) {
      pass_turn(state);
    } else if (hand_of(state, state.seat).size == options_.hand_size) {
      pass_turn(state);  // dealt seat by seat; after the last, seat 0 begins [IN-17]
      if (state.seat != 0) state.phase = Phase::kDeal;
    }
  }

  void place(State& state, Placement placement) const noexcept {
    lay(state, placement);
    link(state, placement);
    if (state.gems == 0) {  // at once, with no further draw [IN-41]
      state.phase = Phase::kOver;
    } else if (state.pile != 0) {
      state.phase = Phase::kDraw;
    } else {
      pass_turn(state);
    }
  }

  // A tile of the hand.
  static void lay(State& state, Placement placement) noexcept {
    using namespace indigo;
    std::uint8_t& hand = state.hands[state.seat];
    hand = kHands.of[hand].without[placement.matching];
    const std::uint64_t cell = std::uint64_t{1} << placement.rank;
    if ((state.empty & kBoard.centre_cells) == cell) {  // the sixth around the centre [IN-27]
      state.sapphire = kBoard.centre_edge[placement.rank];
    }
    cover(state, placement);
  }

  static void cover(State& state, Placement placement) noexcept {
    const auto [rank, matching] = placement;
    state.tiles[rank] = static_cast<std::uint8_t>(matching);
    state.empty &= ~(std::uint64_t{1} << rank);
    state.room -= indigo::kRooms.of[rank];
  }

  void link(State& state, Placement placement) const noexcept {
    link_routes(state, placement, [&](std::size_t a, std::size_t b) { end_track(state, a, b); });
  }

  // Joins the chains at both ends of each route. Calls finish(a, b) with the ends of each that has
  // become a full track.
  template <class Finish>
  static void link_routes(State& state, Placement placement, Finish&& finish) noexcept {
    using namespace indigo;
    std::uint16_t* const edges = state.mate + kFirstOpenEnd + kEdges * placement.rank;
    const auto link = [&](Route route) {  // a closed loop is forgotten with the edges
      const std::size_t a = edges[route.from], b = edges[route.to];
      state.mate[a] = static_cast<std::uint16_t>(b);
      state.mate[b] = static_cast<std::uint16_t>(a);
      if (is_full_track(a, b)) [[unlikely]] {
        finish(a, b);
      }
    };
    const Route* const routes = kRoutesOf[placement.matching];
    link(routes[0]);
    link(routes[1]);
    link(routes[2]);
    std::fill_n(edges, kEdges, std::uint16_t{0});
  }

  // A gem has run to the other end of its track, a gateway or a second gem: then both are lost
  // [IN-32]. Without branches, which chance would lead astray every other time.
  void end_track(State& state, std::size_t a, std::size_t b) const noexcept {
    using namespace indigo;
    const bool sapphire = a == state.sapphire || b == state.sapphire;
    const int colour = (kEndings.colour[a] | kEndings.colour[b]) + (sapphire ? 1 : 0);
    state.won[colour] += owners_[kEndings.gateway[a]] | owners_[kEndings.gateway[b]];
    state.gems ^= kEndings.gem[a] | kEndings.gem[b];
    state.sapphire = sapphire ? to_byte(kNone) : state.sapphire;
  }

  static int colour_of(const State& state, int source) {
    using namespace indigo;
    return kEndings.colour[source] + (source == state.sapphire ? 1 : 0);
  }

  void pass_turn(State& state) const noexcept {
    state.seat = next_seat_[state.seat];
    state.phase = Phase::kPlace;
  }

  static void take_tile(State& state, Seat seat, int type) noexcept {
    state.hands[seat] = hand_of(state, seat).with[type];
    add_to_pile(state, type, -1);
  }

  // The gems that wait in the centre.
  static int centre_size(const State& state) {
    return count_bits(state.empty & indigo::kBoard.centre_cells);
  }

  static std::uint32_t one_for(Seat seat) { return std::uint32_t{1} << (8 * seat); }
  static int won(const State& state, Seat seat, int colour) {
    return static_cast<int>(state.won[colour] >> (8 * seat) & 0xFF);
  }
  static int points(const State& state, Seat seat) {
    using namespace indigo;
    return won(state, seat, kAmber) + 2 * won(state, seat, kEmerald) +
           3 * won(state, seat, kSapphire);
  }

  // Outside, continued.

  static bool centre_edge_open(const State& state, int edge) {
    return state.tiles[indigo::kBoard.centre_rank[edge]] != indigo::kNoMatching;
  }

  // A gem stands on the tile across the edge of the empty cell that it looks into.
  static StandingGem standing_at(int end, int colour) {
    using namespace indigo;
    const int cell = kBoard.cell_of[(end - kFirstOpenEnd) / kEdges];
    const int edge = (end - kFirstOpenEnd) % kEdges;
    return {to_byte(kBoard.neighbour(cell, edge)), to_byte(opposite(edge)), to_byte(colour)};
  }

  template <class Visit>
  static void for_each_standing_gem(const State& state, Visit&& visit) {
    for_each_bit(state.gems, [&](int source) {
      if (source >= indigo::kCentreSources || centre_edge_open(state, source)) {
        visit(standing_at(state.mate[source], colour_of(state, source)));
      }
    });
  }

  [[nodiscard]] Value describe(const State& state, std::optional<Seat> observer) const;
  [[nodiscard]] Record record(const State& state) const;
  [[nodiscard]] State position(const Record& record) const;
  void check_counts(const Record& record) const;
  void set_gems(State& state, const Record& record) const;

  Options options_;
  std::uint8_t next_seat_[indigo::kMaxPlayers] = {1, to_byte(2 % options_.players),
                                                  to_byte(3 % options_.players), 0};
  std::uint32_t owners_[indigo::kGateways + 1] = {};  // one for each owner; none for kInside
};

}  // namespace tabletop

#include "tabletop/games/indigo/position.hpp"

static_assert(tabletop::GameRules<tabletop::Indigo> && tabletop::PicksActions<tabletop::Indigo> &&
              tabletop::PicksOutcomes<tabletop::Indigo>);
