// How an Optimus 2 position looks outside: text, dictionary, observation, bytes. Formats are in
// docs/rules/optimus2.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabletop/bits.hpp"
#include "tabletop/dict_reader.hpp"
#include "tabletop/games/optimus2.hpp"
#include "tabletop/games/optimus2/checks.hpp"

namespace tabletop {

// --- Text of actions -----------------------------------------------------------------------------

namespace optimus2 {

inline std::string mark_text(int mark) {
  const auto number = [&](int first, int least) { return std::to_string(mark - first + least); };
  const auto yellow = [](int cell) {
    return std::to_string(kYellowGrid[cell].value) + " of row " +
           std::to_string(kYellowGrid[cell].row + 1);
  };
  if (mark < kCircleMark) {
    return "cross the " + std::to_string(mark % kFaces + 1) + " of the " +
           kRowNames[mark / kFaces] + " row";
  }
  if (mark < kCrossMark) return "circle the " + yellow(mark - kCircleMark);
  if (mark < kBlueMark) return "cross the " + yellow(mark - kCrossMark);
  if (mark < kGreenMark) return "write " + number(kBlueMark, kLowestSum) + " in blue";
  if (mark < kPinkMark) return "write " + number(kGreenMark, 1) + " in green";
  return "write " + number(kPinkMark, 1) + " in pink";
}

// The face that a die shows when it makes the mark; blue counts two dice.
inline int face_of_mark(int mark) {
  if (mark < kCircleMark) return mark % kFaces + 1;
  if (mark < kBlueMark) return kYellowGrid[(mark - kCircleMark) % kYellowCells].value;
  return (mark < kPinkMark ? mark - kGreenMark : mark - kPinkMark) + 1;
}

inline std::string pick_text(int mark, bool white) {
  const Area area = area_of_mark(mark);
  const char* colour = kAreaNames[static_cast<int>(area)];
  std::string text = std::string("pick ") + (white ? "white" : colour);
  if (area != Area::kBlue) text += " " + std::to_string(face_of_mark(mark));
  if (white) text += std::string(" as ") + colour;
  return text + ", " + mark_text(mark);
}

}  // namespace optimus2

inline std::string Optimus2::action_to_string(Action action) const {
  using namespace optimus2;
  if (action == kPass) return "pick no die";
  if (action == kGoOn) return "go on";
  if (action == kReroll) return "reroll";
  if (action < kChoose) return std::string("return ") + kDieNames[action - kReturnDie];
  if (action < kFreeMark) {
    return std::string("choose the ") + kAreaNames[action - kChoose] + " ?";
  }
  if (action < kOwnPick) return mark_text(action - kFreeMark);
  const bool white = action >= kWhitePick;
  return pick_text(action - (white ? kWhitePick : kOwnPick), white);
}

inline std::string Optimus2::outcome_to_string(Action outcome) const {
  using namespace optimus2;
  if (outcome < kTrioOutcome) {
    return std::string("roll ") + kDieNames[outcome / kFaces] + " " +
           std::to_string(outcome % kFaces + 1);
  }
  std::string text;
  for_each_bit(kTrio[static_cast<std::size_t>(outcome - kTrioOutcome)], [&](int die) {
    text += (text.empty() ? "tray " : ", ") + std::string(kDieNames[die]);
  });
  return text;
}

// --- The sheet as text ---------------------------------------------------------------------------

namespace optimus2 {

using Cells = std::vector<std::string>;

inline std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

inline std::string sheet_line(std::string_view label, const Cells& cells) {
  std::string line = "  " + padded(std::string(label), 10);
  for (const std::string& cell : cells) line += padded(cell, 5);
  line.erase(line.find_last_not_of(' ') + 1);
  return "\n" + line;
}

inline std::string mark_of(Bonus bonus) { return kBonusMarks[static_cast<int>(bonus)]; }

template <class Bonuses>
Cells marks_of(const Bonuses& bonuses) {
  Cells cells;
  for (const Bonus bonus : bonuses) cells.push_back(mark_of(bonus));
  return cells;
}

inline std::string dice_text(const Dice& dice, DiceSet which) {
  std::string text;
  for_each_bit(which, [&](int die) {
    const int face = dice.face(die);
    text += (text.empty() ? " " : ", ") + std::string(kDieNames[die]) + " " +
            (face == 0 ? "-" : std::to_string(face));
  });
  return text.empty() ? " -" : text;
}

inline std::string bars_text(const Sheet& sheet) {
  constexpr const char* kLabels[] = {"reroll", "return", "extra die"};
  std::string text;
  for (int bar = 0; bar < kBars; ++bar) {
    Cells cells;
    for (int slot = 0; slot < kBarSlots; ++slot) {
      const Bar& own = sheet.bars[bar];
      cells.emplace_back(slot < own.used ? "x" : slot < own.earned ? "o" : ".");
    }
    cells.push_back(mark_of(kBarEnd[bar]));
    text += sheet_line(kLabels[bar], cells);
  }
  std::string used;
  for_each_bit(sheet.dice_used,
               [&](int die) { used += (used.empty() ? "" : ", ") + std::string(kDieNames[die]); });
  return text + "\n  used      " + (used.empty() ? "-" : used);
}

inline std::string silver_text(const Sheet& sheet) {
  Cells numbers;
  for (int number = 1; number <= kFaces; ++number) numbers.push_back(std::to_string(number));
  std::string text = sheet_line("silver", numbers);
  for (int row = 0; row < kRows; ++row) {
    Cells cells;
    for (int column = 0; column < kFaces; ++column) {
      cells.emplace_back((sheet.silver_row(row) >> column & 1) != 0 ? "x" : ".");
    }
    text += sheet_line(std::string("  ") + kRowNames[row], cells);
  }
  return text + sheet_line("", marks_of(kSilverColumn));
}

inline std::string yellow_text(const Sheet& sheet) {
  std::string text;
  for (int row = 0; row < kYellowRows; ++row) {
    Cells cells(kYellowColumns);
    for (int cell = 0; cell < kYellowCells; ++cell) {
      if (kYellowGrid[cell].row != row) continue;
      std::string number = std::to_string(kYellowGrid[cell].value);
      if (sheet.yellow_cell(cell) == 1) number.insert(0, 1, '(').append(")");
      if (sheet.yellow_cell(cell) == 2) number = "(X)";
      cells[static_cast<std::size_t>(kYellowGrid[cell].column)] = number;
    }
    cells.push_back(mark_of(kYellowRow[row]));
    text += sheet_line(row == 0 ? "yellow" : "", cells);
  }
  return text + sheet_line("", marks_of(kYellowColumn));
}

inline std::string line_text(const char* label, const Line& line) {
  Cells cells(kSpaces, ".");
  for (int space = 0; space < line.size(); ++space) {
    cells[static_cast<std::size_t>(space)] = std::to_string(line[space]);
  }
  return sheet_line(label, cells);
}

inline std::string lines_text(const Sheet& sheet) {
  Cells multipliers, minima;
  for (const int factor : kGreenMultiplier) multipliers.push_back("x" + std::to_string(factor));
  for (const int least : kPinkMinimum) {
    minima.push_back(least == 0 ? "-" : ">=" + std::to_string(least));
  }
  return line_text("blue", sheet.blue) + sheet_line("", marks_of(kBlueBonus)) +
         line_text("green", sheet.green) + sheet_line("", multipliers) +
         sheet_line("", marks_of(kGreenBonus)) + line_text("pink", sheet.pink) +
         sheet_line("", minima) + sheet_line("", marks_of(kPinkBonus));
}

}  // namespace optimus2

inline std::string Optimus2::to_string(const State& state) const {
  using namespace optimus2;
  std::string text = std::string(kName) + ": " + kPhaseNames[static_cast<int>(state.phase)];
  if (state.phase != Phase::kOver) {
    text += ", round " + std::to_string(state.round) + " of " + std::to_string(rounds_) +
            ", seat " + std::to_string(state.seat);
  }
  text += "\nactive: seat " + std::to_string(state.active) + ", roll " + std::to_string(state.roll);
  text += "\npool:" + dice_text(state.dice, state.dice.pool);
  text += "\nfields:" + dice_text(state.dice, state.dice.fields);
  text += "\nplatter:" + dice_text(state.dice, state.dice.platter);
  if (players_ == 1) text += "\naside:" + dice_text(state.dice, state.dice.aside());
  text += std::string("\ncascade: ") + kCascadeNames[static_cast<int>(state.cascade)];
  std::string due;
  for (const Bonus bonus : state.due) {
    due += (due.empty() ? "" : ", ") + std::string(kBonusNames[static_cast<int>(bonus)]);
  }
  text += "\ndue: " + (due.empty() ? "-" : due);
  for (Seat seat = 0; seat < players_; ++seat) {
    const Sheet& sheet = state.sheets[seat];
    const AreaPoints points = sheet.points();
    text += "\nseat " + std::to_string(seat) + ": " + std::to_string(total(sheet)) + " points = ";
    for (std::size_t area = 0; area < kAreas; ++area) {
      text += std::string(kAreaNames[area]) + " " + std::to_string(points[area]) + " + ";
    }
    text += "foxes " + std::to_string(sheet.foxes) + " x " +
            std::to_string(fox_value(points, options_.fox_floor_zero));
    text += bars_text(sheet) + silver_text(sheet) + yellow_text(sheet) + lines_text(sheet);
  }
  if (players_ == 1 && state.phase == Phase::kOver) {
    text += std::string("\nrating: ") + rating(total(state.sheets[0]));
  }
  return text;
}

// --- Dictionaries --------------------------------------------------------------------------------

namespace optimus2 {

inline Value silver_value(const Sheet& sheet) {
  Value::Dict rows;
  for (int row = 0; row < kRows; ++row) {
    Value::List numbers;
    for_each_bit(sheet.silver_row(row), [&](int column) { numbers.emplace_back(column + 1); });
    rows.emplace_back(kRowNames[row], std::move(numbers));
  }
  return rows;
}

inline Value yellow_value(const Sheet& sheet) {
  Value::List cells;
  for (int cell = 0; cell < kYellowCells; ++cell) {
    cells.emplace_back(sheet.yellow_cell(cell));
  }
  return cells;
}

inline Value sheet_value(const Sheet& sheet) {
  Value::Dict dict = {{"silver", silver_value(sheet)},
                      {"yellow", yellow_value(sheet)},
                      {"blue", list_of(sheet.blue)},
                      {"green", list_of(sheet.green)},
                      {"pink", list_of(sheet.pink)}};
  for (int bar = 0; bar < kBars; ++bar) {
    Value::Dict counts;
    counts.emplace_back("earned", sheet.bars[bar].earned);
    counts.emplace_back("used", sheet.bars[bar].used);
    dict.emplace_back(kBarNames[bar], std::move(counts));
  }
  dict.emplace_back("foxes", sheet.foxes);
  Value::List used;
  for_each_bit(sheet.dice_used, [&](int die) { used.emplace_back(kDieNames[die]); });
  dict.emplace_back("extra_dice_used", std::move(used));
  return dict;
}

// Numbers from low..high in any order, none twice, as bits counted from low.
inline std::uint32_t read_numbers(const DictReader& in, int low, int high) {
  std::uint32_t bits = 0;
  const int count = in.length(0, high - low + 1);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t bit = 1U << (in.at(i).integer(low, high) - low);
    if ((bits & bit) != 0) in.at(i).fail("a number that is not in the list yet");
    bits |= bit;
  }
  return bits;
}

inline Line read_line(const DictReader& in, int low, int high) {
  Line line{};
  const int count = in.length(0, kSpaces);
  for (int i = 0; i < count; ++i) line.push_back(to_byte(in.at(i).integer(low, high)));
  return line;
}

inline Sheet read_sheet(const DictReader& in) {
  in.expect_keys({"silver", "yellow", "blue", "green", "pink", kBarNames[0], kBarNames[1],
                  kBarNames[2], "foxes", "extra_dice_used"});
  Sheet sheet{};
  const DictReader silver = in.at("silver");
  silver.expect_keys(kRowNames);
  for (int row = 0; row < kRows; ++row) {
    sheet.put_silver_row(row, read_numbers(silver.at(kRowNames[row]), 1, kFaces));
  }
  const DictReader yellow = in.at("yellow");
  (void)yellow.length(kYellowCells, kYellowCells);
  for (int cell = 0; cell < kYellowCells; ++cell) {
    sheet.put_yellow_cell(cell, yellow.at(cell).integer(0, 2));
  }
  sheet.blue = read_line(in.at("blue"), kLowestSum, kHighestSum);
  sheet.green = read_line(in.at("green"), 1, kHighestGreen);
  sheet.pink = read_line(in.at("pink"), 1, kFaces);
  for (int bar = 0; bar < kBars; ++bar) {
    const DictReader counts = in.at(kBarNames[bar]);
    counts.expect_keys({"earned", "used"});
    sheet.bars[bar].earned = to_byte(counts.at("earned").integer(0, kBarSlots));
    sheet.bars[bar].used = to_byte(counts.at("used").integer(0, kBarSlots));
  }
  sheet.foxes = to_byte(in.at("foxes").integer(0, kMaxFoxes));
  const DictReader used = in.at("extra_dice_used");
  const int count = used.length(0, kDice);
  for (int i = 0; i < count; ++i) {
    const DiceSet die = only(used.at(i).one_of(kDieNames));
    if ((sheet.dice_used & die) != 0) used.at(i).fail("a die that is not in the list yet");
    sheet.dice_used = static_cast<DiceSet>(sheet.dice_used | die);
  }
  return sheet;
}

inline void read_dice(const DictReader& in, Dice& dice) {
  in.expect_keys(kDieNames);
  for (int die = 0; die < kDice; ++die) {
    const DictReader one = in.at(kDieNames[die]);
    one.expect_keys({"face", "place"});
    const DictReader face = one.at("face");
    const int shown_face = face.value().is_null() ? 0 : face.integer(1, kFaces);
    dice.put(die, static_cast<Place>(one.at("place").one_of(kPlaceNames)), shown_face);
  }
}

}  // namespace optimus2

inline Value Optimus2::describe(const State& state, std::optional<Seat> observer) const {
  using namespace optimus2;
  Value::Dict dice;
  for (int die = 0; die < kDice; ++die) {
    const int face = state.dice.face(die);
    Value::Dict one;
    one.emplace_back("face", face == 0 ? Value() : Value(face));
    one.emplace_back("place", kPlaceNames[static_cast<int>(state.dice.place(die))]);
    dice.emplace_back(kDieNames[die], std::move(one));
  }
  Value::List due, sheets;
  for (const Bonus bonus : state.due) due.emplace_back(kBonusNames[static_cast<int>(bonus)]);
  for (Seat seat = 0; seat < players_; ++seat) sheets.push_back(sheet_value(state.sheets[seat]));
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  dict.emplace_back("phase", kPhaseNames[static_cast<int>(state.phase)]);
  dict.emplace_back("round", state.round);
  dict.emplace_back("active", state.active);
  dict.emplace_back("seat", state.seat);
  dict.emplace_back("roll", state.roll);
  dict.emplace_back("dice", std::move(dice));
  dict.emplace_back("cascade", state.cascade == Cascade::kNone
                                   ? Value()
                                   : kCascadeNames[static_cast<int>(state.cascade)]);
  dict.emplace_back("due", std::move(due));
  dict.emplace_back("sheets", std::move(sheets));
  return dict;
}

inline Optimus2::State Optimus2::from_dict(const Value& dict) const {
  using namespace optimus2;
  const DictReader in(dict);
  in.expect_keys({"phase", "round", "active", "seat", "roll", "dice", "cascade", "due", "sheets"});
  State state{};
  state.phase = static_cast<Phase>(in.at("phase").one_of(kPhaseNames));
  state.round = to_byte(in.at("round").integer(1, rounds_));
  state.active = to_byte(in.at("active").integer(0, players_ - 1));
  state.seat = to_byte(in.at("seat").integer(0, players_ - 1));
  state.roll = to_byte(in.at("roll").integer(0, kRollsPerTurn));
  read_dice(in.at("dice"), state.dice);
  const DictReader cascade = in.at("cascade");
  if (!cascade.value().is_null()) {
    state.cascade = static_cast<Cascade>(1 + cascade.one_of(std::span(kCascadeNames).subspan(1)));
  }
  const DictReader due = in.at("due");
  const int count = due.length(0, kMaxDue);
  for (int i = 0; i < count; ++i) {
    state.due.push_back(static_cast<Bonus>(due.at(i).one_of(kBonusNames)));
  }
  const DictReader sheets = in.at("sheets");
  (void)sheets.length(players_, players_);
  for (Seat seat = 0; seat < players_; ++seat) state.sheets[seat] = read_sheet(sheets.at(seat));
  check(state);
  return state;
}

// --- Observations --------------------------------------------------------------------------------

inline std::vector<ObservationField> Optimus2::observation_fields() const {
  using namespace optimus2;
  const int seats = players_;
  return {
      {"observer", {seats}, "one-hot: the seat that observes"},
      {"phase",
       {kPhases},
       "one-hot: round, return, roll, pick, passive_roll, tray, passive, extra, over"},
      {"round", {1}, "number of the round, from 1"},
      {"active", {seats}, "one-hot: the seat whose turn it is"},
      {"seat", {seats}, "one-hot: the seat that acts, or for which chance does"},
      {"roll", {kRollsPerTurn + 1}, "one-hot: the active player's roll, 0 without one"},
      {"faces", {kDice, kFaces}, "one-hot: the face of each die, zeros without one"},
      {"places",
       {kPlaces, kDice},
       "1 for each die in the pool, on the fields, on the platter, aside"},
      {"cascade", {kCascades - 1}, "one-hot: the die whose row is to be chosen: white, silver"},
      {"due", {kMaxDue, kBonuses}, "one-hot: the bonuses that have fallen due, in order"},
      {"silver", {seats, kRows, kFaces}, "1 for each silver number crossed"},
      {"yellow_circled", {seats, kYellowCells}, "1 for each yellow cell circled or crossed"},
      {"yellow_crossed", {seats, kYellowCells}, "1 for each yellow cell crossed"},
      {"blue", {seats, kSpaces}, "numbers written in blue, 0 for an empty space"},
      {"green", {seats, kSpaces}, "numbers written in green (multiplied), 0 for an empty space"},
      {"pink", {seats, kSpaces}, "numbers written in pink, 0 for an empty space"},
      {"actions", {seats, kBars, 2}, "rerolls, returns, extra dice: earned, used"},
      {"foxes", {seats}, "number of foxes earned"},
      {"extra_dice_used", {seats, kDice}, "1 for each die used as an extra die"},
      {"points", {seats, kAreas}, "points of each area now: silver, yellow, blue, green, pink"},
  };
}

inline void Optimus2::observe(const State& state, Seat observer,
                              std::span<float> tensor) const noexcept {
  using namespace optimus2;
  TensorWriter out(tensor);
  out.one_hot(players_, observer);
  out.one_hot(kPhases, static_cast<int>(state.phase));
  out.number(state.round);
  out.one_hot(players_, state.active);
  out.one_hot(players_, state.seat);
  out.one_hot(kRollsPerTurn + 1, state.roll);
  const std::span<float> faces = out.block(kDice * kFaces), places = out.block(kPlaces * kDice);
  for (int die = 0; die < kDice; ++die) {
    const int face = state.dice.face(die), place = static_cast<int>(state.dice.place(die));
    if (face > 0) faces[static_cast<std::size_t>(kFaces * die + face - 1)] = 1.0F;
    places.subspan(static_cast<std::size_t>(place) * kDice)[static_cast<std::size_t>(die)] = 1.0F;
  }
  out.number(state.cascade == Cascade::kWhite ? 1 : 0);
  out.number(state.cascade == Cascade::kSilver ? 1 : 0);
  const std::span<float> due = out.block(kMaxDue * kBonuses);
  for (int i = 0; i < state.due.size(); ++i) {
    due.subspan(static_cast<std::size_t>(i) * kBonuses)[static_cast<std::size_t>(state.due[i])] =
        1.0F;
  }
  const std::span<const Sheet> sheets(state.sheets, static_cast<std::size_t>(players_));
  const auto bits = [&](std::uint32_t mask, int count) {
    for (int i = 0; i < count; ++i) out.number(static_cast<int>(mask >> i & 1));
  };
  const auto line = [&](const Line& entries) {
    for (int i = 0; i < kSpaces; ++i) out.number(i < entries.size() ? entries[i] : 0);
  };
  for (const Sheet& sheet : sheets) {
    for (int row = 0; row < kRows; ++row) bits(sheet.silver_row(row), kFaces);
  }
  for (const int marks : {1, 2}) {
    for (const Sheet& sheet : sheets) {
      for (int cell = 0; cell < kYellowCells; ++cell) {
        out.number(sheet.yellow_cell(cell) >= marks ? 1 : 0);
      }
    }
  }
  for (const Sheet& sheet : sheets) line(sheet.blue);
  for (const Sheet& sheet : sheets) line(sheet.green);
  for (const Sheet& sheet : sheets) line(sheet.pink);
  for (const Sheet& sheet : sheets) {
    for (const Bar& bar : sheet.bars) {
      out.number(bar.earned);
      out.number(bar.used);
    }
  }
  for (const Sheet& sheet : sheets) out.number(sheet.foxes);
  for (const Sheet& sheet : sheets) bits(sheet.dice_used, kDice);
  for (const Sheet& sheet : sheets) out.numbers(sheet.points());
}

// --- Bytes ---------------------------------------------------------------------------------------

namespace optimus2 {

inline void encode_sheet(const Sheet& sheet, ByteWriter& bytes) {
  bytes.each_u8(kRows, [&](int row) { return sheet.silver_row(row); });
  bytes.each_u8(kYellowCells, [&](int cell) { return sheet.yellow_cell(cell); });
  bytes.list_u8(sheet.blue);
  bytes.list_u8(sheet.green);
  bytes.list_u8(sheet.pink);
  for (const Bar& bar : sheet.bars) {
    bytes.u8(bar.earned);
    bytes.u8(bar.used);
  }
  bytes.u8(sheet.foxes);
  bytes.u8(sheet.dice_used);
}

inline Line decode_line(ByteReader& bytes, int low, int high, std::string_view what) {
  Line line{};
  const int count = bytes.u8(0, kSpaces, what);
  for (int i = 0; i < count; ++i) line.push_back(to_byte(bytes.u8(low, high, what)));
  return line;
}

inline Sheet decode_sheet(ByteReader& bytes) {
  Sheet sheet{};
  for (int row = 0; row < kRows; ++row) {
    const int numbers = bytes.u8(0, (1 << kFaces) - 1, "a silver row");
    sheet.put_silver_row(row, static_cast<std::uint32_t>(numbers));
  }
  for (int cell = 0; cell < kYellowCells; ++cell) {
    sheet.put_yellow_cell(cell, bytes.u8(0, 2, "a yellow cell"));
  }
  sheet.blue = decode_line(bytes, kLowestSum, kHighestSum, "the blue line");
  sheet.green = decode_line(bytes, 1, kHighestGreen, "the green line");
  sheet.pink = decode_line(bytes, 1, kFaces, "the pink line");
  for (Bar& bar : sheet.bars) {
    bar.earned = to_byte(bytes.u8(0, kBarSlots, "the actions earned"));
    bar.used = to_byte(bytes.u8(0, kBarSlots, "the actions used"));
  }
  sheet.foxes = to_byte(bytes.u8(0, kMaxFoxes, "the foxes"));
  sheet.dice_used = to_byte(bytes.u8(0, kAllDice, "the extra dice used"));
  return sheet;
}

}  // namespace optimus2

inline void Optimus2::encode(const State& state, ByteWriter& bytes) const {
  using namespace optimus2;
  bytes.u8(static_cast<int>(state.phase));
  bytes.u8(state.round);
  bytes.u8(state.active);
  bytes.u8(state.seat);
  bytes.u8(state.roll);
  bytes.u8(static_cast<int>(state.cascade));
  bytes.each_u8(kDice, [&](int die) { return state.dice.face(die); });
  bytes.each_u8(kDice, [&](int die) { return state.dice.place(die); });
  bytes.list_u8(state.due);
  for (Seat seat = 0; seat < players_; ++seat) encode_sheet(state.sheets[seat], bytes);
}

inline Optimus2::State Optimus2::decode(ByteReader& bytes) const {
  using namespace optimus2;
  State state{};
  state.phase = static_cast<Phase>(bytes.u8(0, kPhases - 1, "the phase"));
  state.round = to_byte(bytes.u8(1, rounds_, "the round"));
  state.active = to_byte(bytes.u8(0, players_ - 1, "the active seat"));
  state.seat = to_byte(bytes.u8(0, players_ - 1, "the seat"));
  state.roll = to_byte(bytes.u8(0, kRollsPerTurn, "the roll"));
  state.cascade = static_cast<Cascade>(bytes.u8(0, kCascades - 1, "the cascade"));
  std::array<int, kDice> faces{};
  for (int& face : faces) face = bytes.u8(0, kFaces, "a face");
  for (int die = 0; die < kDice; ++die) {
    const int place = bytes.u8(0, kPlaces - 1, "the place of a die");
    state.dice.put(die, static_cast<Place>(place), faces[static_cast<std::size_t>(die)]);
  }
  const int count = bytes.u8(0, kMaxDue, "the number of bonuses due");
  for (int i = 0; i < count; ++i) {
    state.due.push_back(static_cast<Bonus>(bytes.u8(0, kBonuses - 1, "a bonus due")));
  }
  for (Seat seat = 0; seat < players_; ++seat) state.sheets[seat] = decode_sheet(bytes);
  check(state);
  return state;
}

}  // namespace tabletop
