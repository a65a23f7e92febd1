// Hands of Indigo as ids, and the choice among all that a hand can place.
//
// All cells inside take equally many orientations of a hand, and so do all gateway cells. The k-th
// action is found in two steps, a nine of cells (ranks 9i .. 9i + 8) and a cell of the nine, both
// times by comparing k with sums that lie side by side in one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tabletop/bits.hpp"
#include "tabletop/games/indigo/board.hpp"

namespace tabletop::indigo {

inline constexpr int kNine = 9, kNines = kFreeCells / kNine;

// --- Hands ---------------------------------------------------------------------------------------

inline constexpr int kMaxHandSize = 2;

struct alignas(64) Hand {
  std::uint64_t weights[kNines] = {};   // by nine: how many orientations its first eight cells take
  std::uint8_t inside = 0, border = 0;  // how many a cell inside takes, and a gateway cell
  std::uint16_t orientations = 0;       // the bit set of the former
  std::uint8_t nth[kFreeCells][9] = {};   // which, ascending, by cell
  std::uint8_t with[kTypes] = {};         // the hand with a tile more, by its type
  std::uint8_t without[kMatchings] = {};  // the hand with a tile less, by an orientation of it
  std::uint8_t size = 0;
  std::uint8_t tiles[kMaxHandSize] = {};  // types, ascending
};

struct Hands {
  Hand of[21] = {};  // the empty hand, all of one tile by type, all of two
};
inline constexpr int kEmptyHand = 0;

constexpr Hands make_hands() {
  Hands hands;
  int id = kEmptyHand;
  const auto add = [&](int less, int type) {
    hands.of[less].with[type] = to_byte(id);
    for (int matching = 0; matching < kMatchings; ++matching) {
      if (kTypeOf[matching] == type) hands.of[id].without[matching] = to_byte(less);
    }
  };
  for (int type = 0; type < kTypes; ++type) {
    hands.of[++id] = {.size = 1, .tiles = {to_byte(type)}};
    add(kEmptyHand, type);
  }
  for (int a = 0; a < kTypes; ++a) {
    for (int b = a; b < kTypes; ++b) {
      hands.of[++id] = {.size = 2, .tiles = {to_byte(a), to_byte(b)}};
      add(hands.of[kEmptyHand].with[a], b);
      add(hands.of[kEmptyHand].with[b], a);
    }
  }
  for (Hand& hand : hands.of) {
    for (int i = 0; i < hand.size; ++i) {
      hand.orientations |= kOrientations.of_type[hand.tiles[i]];
    }
    for (int rank = 0; rank < kFreeCells; ++rank) {
      const int place = kBoard.gateway[rank];
      const int allowed = hand.orientations & kOrientations.on[place];
      int count = 0;
      for (int matching = 0; matching < kMatchings; ++matching) {
        if ((allowed >> matching & 1) != 0) hand.nth[rank][count++] = to_byte(matching);
      }
      (place == kInside ? hand.inside : hand.border) = to_byte(count);
      if (rank % kNine != kNine - 1) {
        hand.weights[rank / kNine] |= static_cast<std::uint64_t>(count) << (8 * (rank % kNine));
      }
    }
  }
  return hands;
}

inline constexpr Hands kHands = make_hands();

// --- All placements of a hand --------------------------------------------------------------------

// Four cells with all their matchings fill most of a word, bit by action.
inline constexpr int kFour = 4, kFours = (kFreeCells + kFour - 1) / kFour;

struct Placements {
  std::uint64_t of[std::size(Hands{}.of)][kFours] = {};  // by hand, if all cells were empty
  std::uint64_t on[1 << kFour] = {};                     // all on these cells of the four
};

constexpr Placements make_placements() {
  Placements all;
  for (std::size_t hand = 0; hand < std::size(all.of); ++hand) {
    for (int rank = 0; rank < kFreeCells; ++rank) {
      const std::uint64_t bits =
          kHands.of[hand].orientations & kOrientations.on[kBoard.gateway[rank]];
      all.of[hand][rank / kFour] |= bits << (kMatchings * (rank % kFour));
    }
  }
  for (int cells = 0; cells < 1 << kFour; ++cells) {
    for (int i = 0; i < kFour; ++i) {
      const std::uint64_t bits = (cells >> i & 1) != 0 ? (1 << kMatchings) - 1 : 0;
      all.on[cells] |= bits << (kMatchings * i);
    }
  }
  return all;
}

inline constexpr Placements kPlacements = make_placements();

// --- Room for a tile -----------------------------------------------------------------------------

// Empty cells, counted in lanes of ten bits: lane i has those of the nines 0 .. i.
struct Room {
  static constexpr int kBits = 10;

  std::uint64_t inside = 0, border = 0;

  constexpr Room& operator+=(const Room& other) {
    inside += other.inside;
    border += other.border;
    return *this;
  }
  constexpr Room& operator-=(const Room& other) {
    inside -= other.inside;
    border -= other.border;
    return *this;
  }
  // The ways to place a tile of the hand, counted in the same lanes.
  [[nodiscard]] constexpr std::uint64_t ways(const Hand& hand) const {
    return inside * hand.inside + border * hand.border;
  }
  static constexpr std::uint64_t total(std::uint64_t ways) {
    return ways >> (kBits * (kNines - 1));
  }
};

struct Rooms {
  Room of[kFreeCells];  // what each cell counts for
  Room all;
};

constexpr Rooms make_rooms() {
  Rooms rooms{};
  constexpr std::uint64_t kLanes = (std::uint64_t{1} << (Room::kBits * kNines)) - 1;
  for (int rank = 0; rank < kFreeCells; ++rank) {
    Room& room = rooms.of[rank];
    (kBoard.gateway[rank] == kInside ? room.inside : room.border) =
        (kEachLane<Room::kBits> << (Room::kBits * (rank / kNine))) & kLanes;
    rooms.all += room;
  }
  return rooms;
}

inline constexpr Rooms kRooms = make_rooms();

struct ByteMasks {
  std::uint64_t of[256] = {};  // each bit of the index, eight times
};

constexpr ByteMasks make_byte_masks() {
  ByteMasks masks;
  for (std::uint64_t bits = 0; bits < 256; ++bits) masks.of[bits] = spread_bits(bits) * 0xFF;
  return masks;
}

inline constexpr ByteMasks kByteMasks = make_byte_masks();

// The cell of the nine, 0 .. 8, into whose orientations k falls; k becomes its rank among them.
constexpr std::size_t select_of_nine(const Hand& hand, std::uint64_t empty, std::size_t nine,
                                     std::uint64_t& k) {
  const std::uint64_t eight = empty >> (kNine * nine) & 0xFF;
  const std::uint64_t upto = (hand.weights[nine] & kByteMasks.of[eight]) * kEachByte;
  const std::uint64_t cell = count_upto<8>(upto, k);
  if (cell > 0) k -= (upto >> (8 * (cell - 1))) & 0xFF;
  return cell;
}

}  // namespace tabletop::indigo
