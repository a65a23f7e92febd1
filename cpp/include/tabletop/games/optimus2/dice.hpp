// The six dice of Optimus 2: which face each shows and where it lies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tabletop/bits.hpp"
#include "tabletop/games/optimus2/printed.hpp"
#include "tabletop/rng.hpp"

namespace tabletop::optimus2 {

using DiceSet = std::uint8_t;  // bit by die

inline constexpr DiceSet kAllDice = (1U << kDice) - 1;

enum class Place : std::uint8_t { kPool, kField, kPlatter, kAside };
inline constexpr int kPlaces = 4;
inline constexpr const char* kPlaceNames[] = {"pool", "field", "platter", "aside"};

constexpr DiceSet only(int die) { return static_cast<DiceSet>(1U << die); }

// [O2-85] The three dice that a solo player's passive roll puts on the platter, by outcome.
inline constexpr int kTrios = 20;
inline constexpr auto kTrio = [] {
  std::array<DiceSet, kTrios> trios{};
  std::size_t next = 0;
  for (int a = 0; a < kDice; ++a) {
    for (int b = a + 1; b < kDice; ++b) {
      for (int c = b + 1; c < kDice; ++c) {
        trios[next++] = static_cast<DiceSet>(only(a) | only(b) | only(c));
      }
    }
  }
  return trios;
}();

// By a set of dice: the outcomes whose trio has all of them, and those whose trio has no others.
struct Trios {
  std::uint32_t with[kAllDice + 1] = {}, within[kAllDice + 1] = {};

  constexpr Trios() {
    for (unsigned dice = 0; dice <= kAllDice; ++dice) {
      for (std::size_t i = 0; i < kTrios; ++i) {
        with[dice] |= std::uint32_t{(kTrio[i] & dice) == dice} << i;
        within[dice] |= std::uint32_t{(kTrio[i] & dice) == kTrio[i]} << i;
      }
    }
  }
};
inline constexpr Trios kTriosOf;

// [O2-5] A die in hand, about to be thrown, lies in the pool and has no face.
struct Dice {
  std::uint64_t faces;            // a byte each, 0 in hand
  DiceSet pool, fields, platter;  // the others lie aside
  DiceSet in_hand;                // those of the pool without a face
  std::uint8_t zeros[4];          // in place of padding

  [[nodiscard]] constexpr int face(int die) const {
    return static_cast<int>(faces >> (8 * die) & 0xFF);
  }
  [[nodiscard]] constexpr int sum() const { return face(kWhite) + face(kBlue); }
  [[nodiscard]] constexpr DiceSet aside() const {
    return static_cast<DiceSet>(kAllDice & ~(pool | fields | platter));
  }
  [[nodiscard]] constexpr Place place(int die) const {
    return (pool >> die & 1) != 0      ? Place::kPool
           : (fields >> die & 1) != 0  ? Place::kField
           : (platter >> die & 1) != 0 ? Place::kPlatter
                                       : Place::kAside;
  }

  // Lays a die of a position from outside.
  constexpr void put(int die, Place where, int shown) {
    constexpr DiceSet Dice::* kSets[] = {&Dice::pool, &Dice::fields, &Dice::platter};
    if (where != Place::kAside) {
      DiceSet& set = this->*kSets[static_cast<int>(where)];
      set = static_cast<DiceSet>(set | only(die));
    }
    if (where == Place::kPool && shown == 0) in_hand = static_cast<DiceSet>(in_hand | only(die));
    faces |= static_cast<std::uint64_t>(shown) << (8 * die);
  }

  // The dice that show less than `face`, those in hand included.
  [[nodiscard]] constexpr DiceSet below(int face) const {
    constexpr std::uint64_t kHigh = 0x80 * kEachByte;
    const std::uint64_t lower =
        ((static_cast<std::uint64_t>(face - 1) * kEachByte | kHigh) - faces) & kHigh;
    constexpr std::uint64_t kGather = 0x0102040810204080ULL;
    return static_cast<DiceSet>(((lower >> 7) * kGather) >> 56 & kAllDice);
  }

  // Takes up these dice of the pool, to be thrown again.
  constexpr void take_up(DiceSet dice) {
    in_hand = static_cast<DiceSet>(in_hand | dice);
    faces &= ~(spread_bits(dice) * 0xFF);
  }

  constexpr void take_up_all() { *this = {0, kAllDice, 0, 0, kAllDice, {}}; }

  // The next die to be thrown.
  [[nodiscard]] constexpr int next() const { return lowest_bit(in_hand); }

  constexpr void show(int die, int face) {
    in_hand = static_cast<DiceSet>(in_hand & ~only(die));
    faces |= static_cast<std::uint64_t>(face) << (8 * die);
  }

  // All in hand, one after another.
  constexpr void throw_all(Rng& rng) {
    std::uint64_t shown = faces;
    for_each_bit(in_hand, [&](int die) { shown |= (rng.below(kFaces) + 1) << (8 * die); });
    faces = shown;
    in_hand = 0;
  }

  // Moves the die to a field and the lower dice of the pool to the platter; returns these.
  constexpr DiceSet pick(int die) {
    pool = static_cast<DiceSet>(pool & ~only(die));
    fields = static_cast<DiceSet>(fields | only(die));
    const auto swept = static_cast<DiceSet>(pool & below(face(die)));
    sweep(swept);
    return swept;
  }

  constexpr void sweep(DiceSet dice) {
    pool = static_cast<DiceSet>(pool & ~dice);
    platter = static_cast<DiceSet>(platter | dice);
  }

  constexpr void return_die(int die) {
    platter = static_cast<DiceSet>(platter & ~only(die));
    pool = static_cast<DiceSet>(pool | only(die));
    take_up(only(die));
  }

  // --- A solo player's passive roll [O2-65] ------------------------------------------------------

  // The dice that are sure to be among the three lowest, and those tied for the places left.
  struct Lowest {
    DiceSet sure, tied;

    [[nodiscard]] constexpr bool decided() const { return count_bits(sure | tied) == 3; }
    // The possible trios, bit by outcome.
    [[nodiscard]] constexpr std::uint32_t trios() const {
      return kTriosOf.with[sure] & kTriosOf.within[sure | tied];
    }
  };

  [[nodiscard]] constexpr Lowest lowest() const {
    std::uint64_t upto = 0;  // a lane for each face: how many dice show it or less
    for (int die = 0; die < kDice; ++die) upto += kEachLane<4> << (4 * (face(die) - 1));
    // The third die shows the face after those with fewer than three.
    const auto less = static_cast<int>(count_upto<4>(upto, 2));
    const DiceSet sure = below(less + 1);
    return {sure, static_cast<DiceSet>(below(less + 2) & ~sure)};
  }

  constexpr void put_trio(DiceSet trio) {
    pool = 0;
    platter = trio;
  }
};

}  // namespace tabletop::optimus2
