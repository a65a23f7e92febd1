// What is printed on the dice and on the score sheet of Optimus 2, in the rulebook's order.
#pragma once

#include <cstdint>

namespace tabletop::optimus2 {

inline constexpr int kMaxPlayers = 4;
inline constexpr int kDice = 6;
inline constexpr int kFaces = 6;
inline constexpr int kRollsPerTurn = 3;

enum Die : std::uint8_t { kWhite, kYellow, kBlue, kGreen, kPink, kSilver };
inline constexpr const char* kDieNames[] = {"white", "yellow", "blue", "green", "pink", "silver"};

enum class Area : std::uint8_t { kSilver, kYellow, kBlue, kGreen, kPink };
inline constexpr int kAreas = 5;
inline constexpr const char* kAreaNames[] = {"silver", "yellow", "blue", "green", "pink"};
inline constexpr Die kDieOfArea[] = {kSilver, kYellow, kBlue, kGreen, kPink};

// [O2-3]
constexpr int rounds_for(int players) { return players == 4 ? 4 : players == 3 ? 5 : 6; }

// --- Bonuses -------------------------------------------------------------------------------------

// [O2-29] The three bars first, then the fox, the ?s in the order of the areas, the black ?.
enum class Bonus : std::uint8_t {
  kReroll,
  kReturn,
  kExtraDie,
  kFox,
  kAnySilver,
  kAnyYellow,
  kAnyBlue,
  kAnyGreen,
  kAnyPink,
  kAnyArea,
  kNone
};
inline constexpr int kBonuses = 10;
inline constexpr int kMaxFoxes = 6;
inline constexpr const char* kBonusNames[] = {"reroll",   "return",   "extra_die", "fox",
                                              "q_silver", "q_yellow", "q_blue",    "q_green",
                                              "q_pink",   "q_any"};
inline constexpr const char* kBonusMarks[] = {"re", "ret", "+1", "fox", "S?", "Y?",
                                              "B?", "G?",  "P?", "??",  "-"};

constexpr bool is_automatic(Bonus bonus) { return bonus <= Bonus::kFox; }
constexpr Area area_of(Bonus choice) {
  return static_cast<Area>(static_cast<int>(choice) - static_cast<int>(Bonus::kAnySilver));
}
constexpr Bonus choice_in(Area area) {
  return static_cast<Bonus>(static_cast<int>(Bonus::kAnySilver) + static_cast<int>(area));
}

// --- Round track [O2-4] and action bars [O2-6, O2-7] ---------------------------------------------

inline constexpr Bonus kRoundBonus[] = {Bonus::kReroll,  Bonus::kExtraDie, Bonus::kReturn,
                                        Bonus::kAnyArea, Bonus::kNone,     Bonus::kNone};

inline constexpr int kBars = 3;  // reroll, return, extra die
inline constexpr int kBarSlots = 6;
inline constexpr Bonus kBarEnd[] = {Bonus::kFox, Bonus::kAnyPink, Bonus::kAnySilver};
inline constexpr const char* kBarNames[] = {"reroll", "return", "extra_die"};

// --- Silver [O2-10 .. O2-12] ---------------------------------------------------------------------

inline constexpr int kRows = 4;
inline constexpr const char* kRowNames[] = {"yellow", "blue", "green", "pink"};
inline constexpr Die kDieOfRow[] = {kYellow, kBlue, kGreen, kPink};
inline constexpr int kSilverCells = kRows * kFaces;
inline constexpr Bonus kSilverColumn[] = {Bonus::kExtraDie, Bonus::kAnyYellow, Bonus::kFox,
                                          Bonus::kAnyBlue,  Bonus::kAnyGreen,  Bonus::kAnyPink};
inline constexpr int kSilverPoints[] = {0, 2, 4, 7, 11, 16, 22};  // of a row, by marks

// --- Yellow [O2-13 .. O2-16] ---------------------------------------------------------------------

inline constexpr int kYellowCells = 10;
inline constexpr int kYellowRows = 5;
inline constexpr int kYellowColumns = 4;
struct YellowCell {
  int row, column, value;
};
inline constexpr YellowCell kYellowGrid[] = {{0, 1, 3}, {0, 3, 6}, {1, 0, 1}, {1, 2, 2}, {2, 1, 4},
                                             {2, 3, 3}, {3, 0, 2}, {3, 2, 5}, {4, 1, 5}, {4, 3, 4}};
inline constexpr Bonus kYellowRow[] = {Bonus::kAnyBlue, Bonus::kReturn, Bonus::kAnyYellow,
                                       Bonus::kAnyGreen, Bonus::kAnyPink};
inline constexpr Bonus kYellowColumn[] = {Bonus::kReroll, Bonus::kExtraDie, Bonus::kAnySilver,
                                          Bonus::kFox};
inline constexpr int kYellowPoints[] = {0, 3, 10, 21, 36, 55, 75, 96, 118, 141, 165};  // by crosses

// --- Blue, green, pink [O2-17 .. O2-24] ----------------------------------------------------------

inline constexpr int kSpaces = 12;
inline constexpr int kLowestSum = 2, kHighestSum = 12;
inline constexpr Bonus kBlueBonus[] = {Bonus::kNone,    Bonus::kReturn,   Bonus::kAnyYellow,
                                       Bonus::kNone,    Bonus::kExtraDie, Bonus::kReroll,
                                       Bonus::kAnyPink, Bonus::kNone,     Bonus::kFox,
                                       Bonus::kReturn,  Bonus::kNone,     Bonus::kAnyGreen};
inline constexpr int kBluePoints[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78};  // by spaces

inline constexpr int kGreenMultiplier[] = {2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1};
inline constexpr Bonus kGreenBonus[] = {Bonus::kNone,    Bonus::kReroll,    Bonus::kNone,
                                        Bonus::kAnyBlue, Bonus::kReturn,    Bonus::kNone,
                                        Bonus::kFox,     Bonus::kAnySilver, Bonus::kExtraDie,
                                        Bonus::kNone,    Bonus::kAnyPink,   Bonus::kAnyYellow};

inline constexpr int kHighestGreen = 24;

inline constexpr int kPinkMinimum[] = {0, 0, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6};  // 0: none printed
inline constexpr Bonus kPinkBonus[] = {Bonus::kNone,      Bonus::kNone,     Bonus::kReroll,
                                       Bonus::kReturn,    Bonus::kExtraDie, Bonus::kAnyGreen,
                                       Bonus::kAnyYellow, Bonus::kFox,      Bonus::kAnySilver,
                                       Bonus::kReroll,    Bonus::kAnyBlue,  Bonus::kAnyYellow};

// --- Solo rating [O2-68] -------------------------------------------------------------------------

struct Rating {
  int least;
  const char* label;
};
inline constexpr Rating kRatings[] = {
    {320, "Twice as clever!"},      {300, "Points = IQ!"},          {280, "Respect!"},
    {260, "This can't be luck!"},   {240, "People, look at this!"}, {220, "Pretty, pretty clever!"},
    {200, "You've been training!"}, {180, "You should be happy!"},  {160, "On the right way."},
    {140, "You can do better."},
};
inline constexpr const char* kLowestRating = "Half as clever.";

// --- Inventory [O2-8, O2-72] ---------------------------------------------------------------------

// How often a bonus is printed on the round track and in the areas, bar ends not counted.
constexpr int printed(Bonus bonus) {
  int count = 0;
  const auto look = [&](const auto& places) {
    for (const Bonus one : places) count += one == bonus ? 1 : 0;
  };
  look(kRoundBonus);
  look(kSilverColumn);
  look(kYellowRow);
  look(kYellowColumn);
  look(kBlueBonus);
  look(kGreenBonus);
  look(kPinkBonus);
  return count;
}
static_assert(printed(Bonus::kReroll) == kBarSlots && printed(Bonus::kReturn) == kBarSlots &&
              printed(Bonus::kExtraDie) == kBarSlots);  // so that no bar overflows
static_assert(printed(Bonus::kFox) == 5 && printed(Bonus::kAnyYellow) == 6);
static_assert(printed(Bonus::kAnyBlue) == 4 && printed(Bonus::kAnyGreen) == 4 &&
              printed(Bonus::kAnyPink) == 4);
static_assert(printed(Bonus::kAnySilver) == 3 && printed(Bonus::kAnyArea) == 1);

// Every ? of the sheet, those at the ends of two bars included: no queue of them is longer.
inline constexpr int kMaxDue = 24;

}  // namespace tabletop::optimus2
