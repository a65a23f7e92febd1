// The components of Indigo as tables: cells, edges, gateways, tiles, gems. All of them follow from
// a few rules at compile time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tabletop/types.hpp"

namespace tabletop::indigo {

// --- The board ---------------------------------------------------------------------------------
// Axial coordinates; edges and directions 0..5 clockwise from the north-east.

inline constexpr int kCells = 61, kFreeCells = 54, kEdges = 6, kGateways = 6, kCorners = 6;
inline constexpr int kMaxPlayers = 4;
inline constexpr int kNone = 255;
inline constexpr int kInside = kGateways;  // in place of a gateway, for cells that have none

inline constexpr int kStepQ[kEdges] = {1, 1, 0, -1, -1, 0};
inline constexpr int kStepR[kEdges] = {-1, 0, 1, 1, 0, -1};
inline constexpr const char* kEdgeNames[kEdges] = {"NE", "E", "SE", "SW", "W", "NW"};
inline constexpr int kCornerQ[kCorners] = {0, 4, 4, 0, -4, -4};
inline constexpr int kCornerR[kCorners] = {-4, -4, 0, 4, 4, 0};

constexpr int opposite(int edge) { return (edge + 3) % kEdges; }

// Ends of chains of routes: sources (0..5 the edges of the centre, 6..11 the arrows of the
// corners), exits (gateway by gateway), and open ends, one for each edge of each free cell, where a
// chain looks into the cell while it is empty. The gaps are there for is_full_track().
inline constexpr int kSources = 12, kCentreSources = 6, kExits = 36;
inline constexpr int kFirstExit = 47, kFirstOpenEnd = 2 * kFirstExit;
inline constexpr int kEnds = kFirstOpenEnd + kEdges * kFreeCells;

constexpr bool is_source(int end) { return end < kSources; }
constexpr bool is_exit(int end) { return end >= kFirstExit && end < kFirstExit + kExits; }
constexpr int gateway_of_exit(int end) { return (end - kFirstExit) / 6; }
constexpr int open_end(int rank, int edge) { return kFirstOpenEnd + kEdges * rank + edge; }

// Whether these are the ends of a chain from a source to an exit or another source: the track of a
// gem that has come to its end.
constexpr bool is_full_track(std::size_t a, std::size_t b) { return a + b < kFirstOpenEnd; }
static_assert(is_full_track(kSources - 1, kFirstExit + kExits - 1) &&
              !is_full_track(kFirstExit, kFirstExit) && !is_full_track(0, kFirstOpenEnd));

struct Board {
  std::int8_t q[kCells] = {}, r[kCells] = {};
  std::uint8_t cell_at[9][9] = {};        // [r + 4][q + 4], kNone outside
  std::uint8_t free_rank[kCells] = {};    // 0..53 in row-major order, kNone on the treasure tiles
  std::uint8_t cell_of[kFreeCells] = {};  // the inverse
  std::uint8_t gateway[kFreeCells] = {};  // kInside where there is none
  std::uint16_t mate[kEnds] = {};         // the other end of each chain while the board is empty
  // The cells around the centre: as a set of free ranks, by the edge of the centre that each opens,
  // and that edge by rank, kNone for other cells.
  std::uint64_t centre_cells = 0;
  std::uint8_t centre_rank[kEdges] = {};
  std::uint8_t centre_edge[kFreeCells] = {};

  [[nodiscard]] constexpr int cell(int at_q, int at_r) const {
    if (at_q < -4 || at_q > 4 || at_r < -4 || at_r > 4) return kNone;
    return cell_at[at_r + 4][at_q + 4];
  }
  [[nodiscard]] constexpr int neighbour(int of, int edge) const {
    return cell(q[of] + kStepQ[edge], r[of] + kStepR[edge]);
  }
};

constexpr Board make_board() {
  Board board;
  int cells = 0, ranks = 0;
  for (int r = -4; r <= 4; ++r) {
    for (int q = -4; q <= 4; ++q) {
      const bool inside = q + r >= -4 && q + r <= 4;
      board.cell_at[r + 4][q + 4] = to_byte(inside ? cells : kNone);
      if (!inside) continue;
      board.q[cells] = static_cast<std::int8_t>(q);
      board.r[cells] = static_cast<std::int8_t>(r);
      bool treasure = q == 0 && r == 0;
      for (int k = 0; k < kCorners; ++k) treasure |= q == kCornerQ[k] && r == kCornerR[k];
      board.free_rank[cells] = to_byte(treasure ? kNone : ranks);
      if (!treasure) board.cell_of[ranks++] = to_byte(cells);
      ++cells;
    }
  }
  // A gateway g owns the border edges g - 1 and g of its three cells [IN-4].
  for (int rank = 0; rank < kFreeCells; ++rank) {
    board.gateway[rank] = kInside;
    board.centre_edge[rank] = kNone;
    const int cell = board.cell_of[rank];
    for (int edge = 0; edge < kEdges; ++edge) {
      const int beyond = board.neighbour(cell, edge);
      if (beyond == kNone && board.neighbour(cell, (edge + 5) % kEdges) == kNone) {
        board.gateway[rank] = to_byte(edge);
      }
      if (beyond == board.cell(0, 0)) {
        board.centre_edge[rank] = to_byte(opposite(edge));
        board.centre_rank[opposite(edge)] = to_byte(rank);
        board.centre_cells |= std::uint64_t{1} << rank;
      }
    }
  }
  const auto join = [&board](int a, int b) {
    board.mate[a] = static_cast<std::uint16_t>(b);
    board.mate[b] = static_cast<std::uint16_t>(a);
  };
  // The end that looks into the neighbour of a cell, which is free.
  const auto end_beyond = [&board](int cell, int edge) {
    return open_end(board.free_rank[board.neighbour(cell, edge)], opposite(edge));
  };
  for (int edge = 0; edge < kEdges; ++edge) join(edge, end_beyond(board.cell(0, 0), edge));
  for (int k = 0; k < kCorners; ++k) {  // a stub to the centre, and a bend around it [IN-8]
    const int corner = board.cell(kCornerQ[k], kCornerR[k]);
    join(kCentreSources + k, end_beyond(corner, (k + 2) % kEdges));
    join(end_beyond(corner, (k + 1) % kEdges), end_beyond(corner, (k + 3) % kEdges));
  }
  int exits[kGateways] = {};
  for (int rank = 0; rank < kFreeCells; ++rank) {
    const int cell = board.cell_of[rank];
    for (int edge = 0; edge < kEdges; ++edge) {
      const int beyond = board.neighbour(cell, edge);
      if (beyond == kNone) {
        const int gateway = board.gateway[rank];
        join(open_end(rank, edge), kFirstExit + 6 * gateway + exits[gateway]++);
      } else if (board.free_rank[beyond] != kNone) {
        join(open_end(rank, edge), end_beyond(cell, edge));
      }
    }
  }
  return board;
}

inline constexpr Board kBoard = make_board();
inline constexpr int kCentre = kBoard.cell(0, 0);

// --- The tiles ---------------------------------------------------------------------------------

struct Route {
  std::uint8_t from, to;
};
inline constexpr int kMatchings = 15, kTypes = 5, kRoutes = 3;
inline constexpr int kNoMatching = kMatchings;  // an empty cell

// All ways to join six edges in pairs, the orientations of each type together [IN-10].
inline constexpr Route kRoutesOf[kMatchings][kRoutes] = {
    {{0, 2}, {1, 4}, {3, 5}}, {{0, 3}, {1, 5}, {2, 4}}, {{0, 4}, {1, 3}, {2, 5}},
    {{0, 3}, {1, 4}, {2, 5}}, {{0, 1}, {2, 5}, {3, 4}}, {{0, 3}, {1, 2}, {4, 5}},
    {{0, 5}, {1, 4}, {2, 3}}, {{0, 1}, {2, 4}, {3, 5}}, {{0, 2}, {1, 3}, {4, 5}},
    {{0, 2}, {1, 5}, {3, 4}}, {{0, 4}, {1, 2}, {3, 5}}, {{0, 4}, {1, 5}, {2, 3}},
    {{0, 5}, {1, 3}, {2, 4}}, {{0, 1}, {2, 3}, {4, 5}}, {{0, 5}, {1, 2}, {3, 4}}};
inline constexpr std::uint8_t kTypeOf[kMatchings] = {0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4};
inline constexpr int kCopies[kTypes] = {14, 6, 14, 14, 6};
inline constexpr int kMostCopies = std::ranges::max(kCopies);
inline constexpr const char* kTypeNames[kTypes] = {
    "straight + two wide curves", "three straights", "straight + two tight curves",
    "one tight curve + two crossing wide curves", "three tight curves"};

constexpr bool joins(int matching, int a, int b) {
  return std::ranges::any_of(kRoutesOf[matching], [&](const Route& route) {
    return (route.from == a && route.to == b) || (route.from == b && route.to == a);
  });
}

struct Orientations {
  std::uint16_t of_type[kTypes] = {};    // bit set of matchings
  std::uint16_t on[kGateways + 1] = {};  // those that do not join the two exits [IN-21]; all inside
};

constexpr Orientations make_orientations() {
  Orientations sets;
  for (int matching = 0; matching < kMatchings; ++matching) {
    const auto bit = static_cast<std::uint16_t>(1 << matching);
    sets.of_type[kTypeOf[matching]] |= bit;
    sets.on[kInside] |= bit;
    for (int gateway = 0; gateway < kGateways; ++gateway) {
      if (!joins(matching, (gateway + 5) % kEdges, gateway)) sets.on[gateway] |= bit;
    }
  }
  return sets;
}

inline constexpr Orientations kOrientations = make_orientations();

// --- Gems, owners --------------------------------------------------------------------------------

inline constexpr int kColours = 3, kAmber = 0, kEmerald = 1, kSapphire = 2;
inline constexpr int kGems = 12, kEmeralds = 5;  // one is the sapphire, the others ambers
inline constexpr const char* kColourNames[kColours] = {"amber", "emerald", "sapphire"};

// What stands at an end of a full track: no gem, an amber or, for the edges of the centre, an
// emerald if it is not the sapphire; no gateway or that of an exit.
struct Endings {
  std::uint16_t gem[kFirstOpenEnd] = {};  // the source, as a set
  std::uint8_t colour[kFirstOpenEnd] = {};
  std::uint8_t gateway[kFirstOpenEnd] = {};
};

constexpr Endings make_endings() {
  Endings endings;
  for (int end = 0; end < kFirstOpenEnd; ++end) {
    if (is_source(end)) endings.gem[end] = static_cast<std::uint16_t>(1 << end);
    endings.colour[end] = to_byte(end < kCentreSources ? kEmerald : kAmber);
    endings.gateway[end] = to_byte(is_exit(end) ? gateway_of_exit(end) : kInside);
  }
  return endings;
}

inline constexpr Endings kEndings = make_endings();

enum class Ownership : std::uint8_t { kShared, kExclusive };

// The seats that own a token at each gateway [IN-16].
inline constexpr SeatSet kOwners2[kGateways] = {SeatSet(1), SeatSet(2), SeatSet(1),
                                                SeatSet(2), SeatSet(1), SeatSet(2)};
inline constexpr SeatSet kOwners3Shared[kGateways] = {SeatSet(1), SeatSet(3), SeatSet(4),
                                                      SeatSet(5), SeatSet(2), SeatSet(6)};
inline constexpr SeatSet kOwners3Exclusive[kGateways] = {SeatSet(1), SeatSet(2), SeatSet(4),
                                                         SeatSet(1), SeatSet(2), SeatSet(4)};
inline constexpr SeatSet kOwners4[kGateways] = {SeatSet(3),  SeatSet(6), SeatSet(9),
                                                SeatSet(10), SeatSet(5), SeatSet(12)};

enum class Phase : std::uint8_t { kDeal, kPlace, kDraw, kOver };
inline constexpr int kPhases = 4;
inline constexpr const char* kPhaseNames[kPhases] = {"deal", "place", "draw", "over"};

}  // namespace tabletop::indigo
