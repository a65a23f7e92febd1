// Positions of Sequence Numbers from outside: texts, dictionaries, tensors and bytes. Included by
// sequence_numbers.hpp.
#pragma once

#include "tabletop/dict_reader.hpp"
#include "tabletop/games/sequence_numbers.hpp"

namespace tabletop {

// --- Text ----------------------------------------------------------------------------------------

inline std::string SequenceNumbers::cell_name(int cell) const {
  return "(" + std::to_string(cell / board_.cols) + "," + std::to_string(cell % board_.cols) + ")";
}

inline Value SequenceNumbers::card(int kind) const {
  if (kind == board_.plus()) return "plus";
  if (kind == board_.minus()) return "minus";
  return board_.number_of[kind];
}

inline std::string SequenceNumbers::card_name(int kind) const {
  const Value value = card(kind);
  return value.text() != nullptr ? *value.text() : std::to_string(*value.integer());
}

inline std::string SequenceNumbers::card_names(const CardPile& pile) const {
  std::string text;
  pile.for_each([&](int kind) { text += " " + card_name(kind); });
  return text.empty() ? " -" : text;
}

inline std::string SequenceNumbers::action_to_string(Action action) const {
  if (action < plus_place_) {
    const int kind = board_.kind_of[action];
    const bool corner = kind == sequence_numbers::kNone;
    return "place " + (corner ? "F" : card_name(kind)) + " at " + cell_name(action);
  }
  if (action < minus_take_) return "plus at " + cell_name(action - plus_place_);
  if (action < swap_) return "minus at " + cell_name(action - minus_take_);
  if (action == pass_) return "pass";
  if (action < discard_) return "swap " + card_name(action - swap_);
  if (action < lock_) return "discard " + card_name(action - discard_);
  const int window = action - lock_;
  return "lock " + cell_name(board_.first_cell[window]) + "-" + cell_name(board_.last_cell[window]);
}

inline std::string SequenceNumbers::outcome_to_string(Action outcome) const {
  if (outcome == drawn()) return "card drawn";
  if (outcome == missed()) return "draw missed";
  if (outcome == silence()) return "silence";
  if (outcome > silence()) return "table talk by team " + std::to_string(outcome - talk_by(0));
  return "draw " + card_name(outcome);
}

inline std::string SequenceNumbers::to_string(const State& state) const {
  using namespace sequence_numbers;
  const bool over = state.phase == Phase::kOver;
  const Seat shown = state.phase == Phase::kTalkDiscard ? next_talker(state) : state.seat;
  std::string text = std::string(kName) + ": " + phase_name(state) +
                     (over ? "" : ", seat " + std::to_string(shown)) + ", turn " +
                     std::to_string(state.turn);
  const std::size_t width = 1 + std::to_string(board_.number_of[board_.numbers - 1]).size();
  const CellSet turned = locked(state);  // to their other side
  for (int cell = 0; cell < board_.cells; ++cell) {
    const int team = owner(state, cell);
    std::string entry = board_.is_corner(cell) ? "F" : card_name(board_.kind_of[cell]);
    if (team != kNone) entry = (turned.contains(cell) ? "RBG" : "rbg")[team];
    text += cell % board_.cols == 0 ? '\n' : ' ';
    text += std::string(width - entry.size(), ' ') + entry;
  }
  text += "\nsequences:";
  for (int team = 0; team < teams_; ++team) {
    text += " " + std::to_string(state.sequences[team].count());
  }
  text += "\ndeck: " + std::to_string(state.deck.size()) + " cards";
  text += "\ndiscards:" + card_names(discards(state));
  for (Seat seat = 0; seat < players_; ++seat) {
    text += "\nhand " + std::to_string(seat) + ":" + card_names(state.hands[seat]);
  }
  if (!over) return text;
  text += "\nwinners:";
  for (Seat seat = 0; seat < players_; ++seat) {
    if (state.winners.contains(seat)) text += " " + std::to_string(seat);
  }
  if (state.winners.empty()) text += " none";
  return text + (state.truncated != 0 ? " (truncated)" : "");
}

// --- Dictionaries --------------------------------------------------------------------------------

inline int SequenceNumbers::owner(const State& state, int cell) {
  for (int team = 0; team < sequence_numbers::kMaxTeams; ++team) {
    if (state.chips[team].contains(cell)) return team;
  }
  return sequence_numbers::kNone;
}

inline Value SequenceNumbers::cards(const CardPile& pile) const {
  Value::List list;
  pile.for_each([&](int kind) { list.push_back(card(kind)); });
  return list;
}

inline Value SequenceNumbers::windows(const WindowSet& set) {
  Value::List list;
  set.for_each([&](int window) { list.emplace_back(window); });
  return list;
}

// In seat order, round the table.
inline Value SequenceNumbers::seats_from(Seat first, SeatSet seats) {
  Value::List list;
  for (; !seats.empty(); seats.remove(first_from(first, seats))) {
    list.emplace_back(first_from(first, seats));
  }
  return list;
}

inline Value SequenceNumbers::to_dict(const State& state) const {
  return describe(state, std::nullopt);
}

inline Value SequenceNumbers::view(const State& state, Seat observer) const {
  return describe(state, observer);
}

// All of the position, or what the observer may know of it [SN-106].
inline Value SequenceNumbers::describe(const State& state, std::optional<Seat> observer) const {
  using namespace sequence_numbers;
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  dict.emplace_back("phase", phase_name(state));
  dict.emplace_back("seat", state.seat);
  dict.emplace_back("turn", state.turn);
  dict.emplace_back("idle", state.idle);
  dict.emplace_back("swapped", state.swapped != 0);
  Value::List hands, hand_sizes;
  for (Seat seat = 0; seat < players_; ++seat) {
    hands.push_back(cards(state.hands[seat]));
    hand_sizes.emplace_back(state.hands[seat].size());
  }
  if (observer) {
    dict.emplace_back("hand", hands[static_cast<std::size_t>(*observer)]);
    dict.emplace_back("hand_sizes", std::move(hand_sizes));
    dict.emplace_back("deck_size", state.deck.size());
  } else {
    dict.emplace_back("hands", std::move(hands));
    dict.emplace_back("deck", cards(state.deck.cards()));
  }
  dict.emplace_back("discards", cards(discards(state)));
  Value::List owners, sequences, pending;
  for (int row = 0; row < board_.rows; ++row) {
    Value::List entries;
    for (int col = 0; col < board_.cols; ++col) {
      const int team = owner(state, row * board_.cols + col);
      entries.push_back(team == kNone ? Value() : Value(team));
    }
    owners.emplace_back(std::move(entries));
  }
  for (int team = 0; team < teams_; ++team) sequences.push_back(windows(state.sequences[team]));
  for (const WindowSet& along : board_.along)
    pending.push_back(windows(state.pending_locks & along));
  dict.emplace_back("owner", std::move(owners));
  dict.emplace_back("sequences", std::move(sequences));
  dict.emplace_back("pending_locks", std::move(pending));
  dict.emplace_back("talkers", seats_from(state.seat, state.talkers));
  dict.emplace_back("winners", seats_from(0, state.winners));
  dict.emplace_back("truncated", state.truncated != 0);
  return dict;
}

inline int SequenceNumbers::read_card(const DictReader& place) const {
  int kind = sequence_numbers::kNone;
  if (const std::string* name = place.value().text()) {
    if (*name == "plus") kind = board_.plus();
    if (*name == "minus") kind = board_.minus();
  } else if (const std::int64_t* number = place.value().integer()) {
    kind = board_.kind_of_number(*number);
  }
  if (kind == sequence_numbers::kNone) place.fail("a number of the board, \"plus\" or \"minus\"");
  return kind;
}

inline SequenceNumbers::CardPile SequenceNumbers::read_cards(const DictReader& list,
                                                             int most) const {
  CardPile pile;
  for (int i = 0, n = list.length(0, most); i < n; ++i) {
    const int kind = read_card(list.at(i));
    if (pile.count(kind) == sequence_numbers::kCopies) {
      list.at(i).fail("a card with at most two copies in all");
    }
    pile.add(kind);
  }
  return pile;
}

inline SequenceNumbers::WindowSet SequenceNumbers::read_windows(const DictReader& list) const {
  WindowSet set;
  int last = -1;
  for (int i = 0, n = list.length(0, board_.windows); i < n; ++i) {
    const int window = list.at(i).integer(0, board_.windows - 1);
    if (window <= last) list.fail("a list of window ids in ascending order");
    set.add(last = window);
  }
  return set;
}

// Different seats, in order round the table.
inline SeatSet SequenceNumbers::read_seats(const DictReader& list, Seat first) const {
  SeatSet seats;
  for (int i = 0, n = list.length(0, players_); i < n; ++i) {
    seats.add(list.at(i).integer(0, players_ - 1));
  }
  const Value right = seats_from(first, seats);
  if (list.value() != right) list.fail(to_json(right));
  return seats;
}

inline void SequenceNumbers::read_owners(const DictReader& rows, State& state) const {
  (void)rows.length(board_.rows, board_.rows);
  for (int cell = 0; cell < board_.cells; ++cell) {
    const DictReader row = rows.at(cell / board_.cols);
    (void)row.length(board_.cols, board_.cols);
    const DictReader entry = row.at(cell % board_.cols);
    if (entry.value().is_null()) continue;
    if (board_.is_corner(cell)) entry.fail("None, as a corner has no chip");
    put_chip(state, entry.integer(0, teams_ - 1), cell);
  }
}

inline SequenceNumbers::State SequenceNumbers::from_dict(const Value& dict) const {
  using namespace sequence_numbers;
  const DictReader in(dict);
  in.expect_keys({"phase", "seat", "turn", "idle", "swapped", "hands", "deck", "discards", "owner",
                  "sequences", "pending_locks", "talkers", "winners", "truncated"});
  State state{};
  state.phase = static_cast<Phase>(in.at("phase").one_of(kPhaseNames));
  state.seat = to_byte(in.at("seat").integer(0, players_ - 1));
  state.turn = static_cast<std::uint32_t>(in.at("turn").integer(0, options_.max_turns));
  state.idle = to_byte(in.at("idle").integer(0, players_));
  state.swapped = in.at("swapped").flag() ? 1 : 0;
  const DictReader hands = in.at("hands");
  (void)hands.length(players_, players_);
  for (Seat seat = 0; seat < players_; ++seat) {
    read_cards(hands.at(seat), hand_size_).for_each([&](int kind) {
      add_to_hand(state, seat, kind);
    });
  }
  state.deck = Deck(read_cards(in.at("deck"), kCopies * board_.kinds));
  check_cards(state, read_cards(in.at("discards"), kCopies * board_.kinds));
  read_owners(in.at("owner"), state);
  const DictReader sequences = in.at("sequences"), pending = in.at("pending_locks");
  (void)sequences.length(teams_, teams_);
  for (int team = 0; team < teams_; ++team) {
    state.sequences[team] = read_windows(sequences.at(team));
  }
  (void)pending.length(kDirections, kDirections);
  for (int direction = 0; direction < kDirections; ++direction) {
    const WindowSet choices = read_windows(pending.at(direction));
    if (!choices.within(board_.along[direction])) {
      pending.at(direction).fail("a list of windows of its direction");
    }
    state.pending_locks |= choices;
  }
  state.talkers = read_seats(in.at("talkers"), state.seat);
  state.winners = read_seats(in.at("winners"), 0);
  state.truncated = in.at("truncated").flag() ? 1 : 0;
  check(state);
  return state;
}

// --- Tensors -------------------------------------------------------------------------------------

inline std::vector<ObservationField> SequenceNumbers::observation_fields() const {
  const int players = players_, kinds = board_.kinds, rows = board_.rows, cols = board_.cols;
  return {
      {"observer", {players}, "one-hot: the seat that observes"},
      {"phase",
       {sequence_numbers::kPhases},
       "one-hot: deal, talk, talk_discard, play, swap_draw, choose_lock, miss, turn_draw, over"},
      {"seat", {players}, "one-hot: the seat whose turn it is"},
      {"turn", {1}, "turns finished so far"},
      {"idle", {1}, "turns in a row up to now without any deed"},
      {"swapped", {1}, "1 after the swap of this turn"},
      {"hand", {kinds}, "the observer's cards, by kind"},
      {"hand_sizes", {players}, "number of cards in each hand"},
      {"deck_size", {1}, "number of cards in the deck"},
      {"discards", {kinds}, "discarded cards, by kind"},
      {"owner", {teams_, rows, cols}, "1 where the team has a chip"},
      {"locked", {rows, cols}, "1 where a chip is locked, as part of a sequence"},
      {"sequences", {teams_, board_.windows}, "1 for each window that is a sequence of the team"},
      {"pending_locks", {board_.windows}, "1 for each window that can still be chosen"},
      {"talkers", {players}, "1 for each seat that still has to throw away a card for table talk"},
      {"winners", {players}, "1 for each seat that won"},
      {"truncated", {1}, "1 if the game was truncated"}};
}

inline void SequenceNumbers::observe(const State& state, Seat observer,
                                     std::span<float> tensor) const noexcept {
  TensorWriter out(tensor);
  const auto counts = [&](const CardPile& pile) {
    for (int kind = 0; kind < board_.kinds; ++kind) out.number(pile.count(kind));
  };
  const auto members = [&](const auto& set, int size) {
    const std::span<float> block = out.block(size);
    set.for_each([&](int member) { block[static_cast<std::size_t>(member)] = 1.0F; });
  };
  out.one_hot(players_, observer);
  out.one_hot(sequence_numbers::kPhases, static_cast<int>(state.phase));
  out.one_hot(players_, state.seat);
  out.number(static_cast<int>(state.turn));
  out.number(state.idle);
  out.number(state.swapped);
  counts(state.hands[observer]);
  for (Seat seat = 0; seat < players_; ++seat) out.number(state.hands[seat].size());
  out.number(state.deck.size());
  counts(discards(state));
  for (int team = 0; team < teams_; ++team) members(state.chips[team], board_.cells);
  members(locked(state), board_.cells);
  for (int team = 0; team < teams_; ++team) members(state.sequences[team], board_.windows);
  members(state.pending_locks, board_.windows);
  out.seats(players_, state.talkers);
  out.seats(players_, state.winners);
  out.number(state.truncated);
}

// --- Bytes ---------------------------------------------------------------------------------------

inline void SequenceNumbers::encode(const State& state, ByteWriter& bytes) const {
  using namespace sequence_numbers;
  const auto list = [&](const auto& members) {
    std::uint8_t listed[kMaxWindows];
    std::size_t size = 0;
    members.for_each([&](int member) { listed[size++] = to_byte(member); });
    bytes.list_u8(std::span<const std::uint8_t>(listed, size));
  };
  bytes.u8(static_cast<int>(state.phase));
  bytes.u8(state.seat);
  bytes.u32(state.turn);
  bytes.u8(state.idle);
  bytes.u8(state.swapped);
  for (Seat seat = 0; seat < players_; ++seat) list(state.hands[seat]);
  bytes.u64(state.deck.cards().kinds());
  bytes.u64(state.deck.cards().twice());
  for (int team = 0; team < teams_; ++team) {
    for (const std::uint64_t word : state.chips[team].words()) bytes.u64(word);
  }
  for (int team = 0; team < teams_; ++team) list(state.sequences[team]);
  for (const WindowSet& along : board_.along) list(state.pending_locks & along);
  bytes.u8(state.talkers.bits());
  bytes.u8(state.winners.bits());
  bytes.u8(state.truncated);
}

inline SequenceNumbers::State SequenceNumbers::decode(ByteReader& bytes) const {
  using namespace sequence_numbers;
  const auto read_set = [&](std::string_view what) {
    WindowSet set;
    int lowest = 0;
    for (int left = bytes.u8(0, board_.windows, what); left > 0; --left) {
      const int window = bytes.u8(lowest, board_.windows - 1, what);
      set.add(window);
      lowest = window + 1;
    }
    return set;
  };
  const int seats = (1 << players_) - 1;
  State state{};
  state.phase = static_cast<Phase>(bytes.u8(0, kPhases - 1, "the phase"));
  state.seat = to_byte(bytes.u8(0, players_ - 1, "the seat"));
  state.turn = bytes.u32("the turn");
  state.idle = to_byte(bytes.u8(0, players_, "the idle turns"));
  state.swapped = to_byte(bytes.u8(0, 1, "whether a card was swapped"));
  for (Seat seat = 0; seat < players_; ++seat) {
    int lowest = 0;
    for (int left = bytes.u8(0, hand_size_, "the size of a hand"); left > 0; --left) {
      const int kind = bytes.u8(lowest, board_.kinds - 1, "a card in a hand");
      add_to_hand(state, seat, kind);
      lowest = kind + state.hands[seat].count(kind) - 1;  // a kind comes at most twice
    }
  }
  const std::uint64_t once = bytes.bits((std::uint64_t{1} << board_.kinds) - 1, "the deck");
  const std::uint64_t twice = bytes.bits(once, "what the deck has twice");
  state.deck = Deck(CardPile::of(once, twice));
  for (int kind = 0; kind < board_.kinds; ++kind) {
    if (discarded(state, kind) >= 0) continue;
    throw PositionError("there are " + std::to_string(kCopies - discarded(state, kind)) +
                        " cards \"" + card_name(kind) + "\" in hands and deck; there are two");
  }
  CellSet open = board_.playable;
  for (int team = 0; team < teams_; ++team) {
    std::array<std::uint64_t, 2> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = bytes.bits(open.words()[i], "the chips of a team");
    }
    const CellSet chips(words);
    chips.for_each([&](int cell) { put_chip(state, team, cell); });
    open = open - chips;
  }
  for (int team = 0; team < teams_; ++team) {
    state.sequences[team] = read_set("the sequences of a team");
  }
  for (const WindowSet& along : board_.along) {
    const WindowSet choices = read_set("the pending locks of a direction");
    if (!choices.within(along)) {
      throw PositionError("the pending locks of a direction have a window of another");
    }
    state.pending_locks |= choices;
  }
  state.talkers = SeatSet(to_byte(bytes.u8(0, seats, "the talkers")));
  state.winners = SeatSet(to_byte(bytes.u8(0, seats, "the winners")));
  state.truncated = to_byte(bytes.u8(0, 1, "whether the game was truncated"));
  check(state);
  return state;
}

}  // namespace tabletop
