// A roll of equal dice as one event: dice that differ in nothing show a multiset of faces, and its
// weight is the number of ordered rolls that show it.
#pragma once

#include <cstdint>
#include <span>

#include "tabletop/types.hpp"

namespace tabletop {

// All multisets in the lexicographic order of their sorted faces.
template <int Faces, int Dice>
struct DiceMultisets {
  static constexpr int count_rolls() {
    int rolls = 1;
    for (int die = 0; die < Dice; ++die) rolls *= Faces;
    return rolls;
  }
  static constexpr int count_outcomes() {  // Faces + Dice - 1 over Dice
    int outcomes = 1;
    for (int die = 1; die <= Dice; ++die) outcomes = outcomes * (Faces + die - 1) / die;
    return outcomes;
  }
  static constexpr int kRolls = count_rolls();
  static constexpr int kOutcomes = count_outcomes();
  static_assert(kOutcomes <= 256 && kRolls < 65536);

  constexpr DiceMultisets() {
    int outcome = 0, covered = 0;
    for (int roll = 0; roll < kRolls; ++roll) {  // as a number, its first die the highest digit
      std::uint8_t shown[Dice] = {};
      for (int die = Dice - 1, rest = roll; die >= 0; --die, rest /= Faces) {
        shown[die] = to_byte(rest % Faces);
      }
      bool sorted = true;
      int arrangements = 1, equal = 0;  // of the dice up to here, if sorted; equal ones up to here
      for (int die = 0; die < Dice; ++die) {
        sorted = sorted && (die == 0 || shown[die - 1] <= shown[die]);
        equal = die > 0 && shown[die - 1] == shown[die] ? equal + 1 : 1;
        arrangements = arrangements * (die + 1) / equal;
      }
      if (!sorted) continue;
      for (int die = 0; die < Dice; ++die) faces[outcome * Dice + die] = shown[die];
      weights[outcome] = static_cast<std::uint16_t>(arrangements);
      for (int left = arrangements; left > 0; --left) outcome_at[covered++] = to_byte(outcome);
      ++outcome;
    }
  }

  std::uint8_t faces[kOutcomes * Dice] = {};  // one multiset after another, each ascending
  std::uint16_t weights[kOutcomes] = {};
  std::uint8_t outcome_at[kRolls] = {};  // each outcome as often as it has rolls, in their order
};

template <int Faces, int Dice>
inline constexpr DiceMultisets<Faces, Dice> kDiceMultisets{};

// The same tables for a number of dice that is known only to the options of a game.
class DiceRoll {
 public:
  template <int Faces, int Dice>
  constexpr explicit DiceRoll(const DiceMultisets<Faces, Dice>& table)
      : faces_(table.faces),
        weights_(table.weights),
        outcome_at_(table.outcome_at),
        dice_(Dice),
        outcomes_(table.kOutcomes),
        rolls_(table.kRolls) {}

  [[nodiscard]] constexpr int dice() const { return dice_; }
  [[nodiscard]] constexpr int outcomes() const { return outcomes_; }
  [[nodiscard]] constexpr int rolls() const { return rolls_; }  // the sum of the weights

  // Ascending.
  [[nodiscard]] constexpr std::span<const std::uint8_t> faces(int outcome) const {
    return {faces_ + static_cast<std::ptrdiff_t>(outcome) * dice_, static_cast<std::size_t>(dice_)};
  }
  [[nodiscard]] constexpr int weight(int outcome) const { return weights_[outcome]; }
  // The outcome into whose share of the weights x falls, 0 <= x < rolls().
  [[nodiscard]] constexpr int outcome_at(std::uint64_t x) const { return outcome_at_[x]; }

 private:
  const std::uint8_t* faces_;
  const std::uint16_t* weights_;
  const std::uint8_t* outcome_at_;
  int dice_, outcomes_, rolls_;
};

}  // namespace tabletop
