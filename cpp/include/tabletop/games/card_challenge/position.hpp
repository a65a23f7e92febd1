// Card Challenge from outside: texts, dictionaries, tensors and bytes, and what is checked of a
// position that was not reached by play. Included by card_challenge.hpp.
#pragma once

#include "tabletop/dict_reader.hpp"
#include "tabletop/games/card_challenge.hpp"

namespace tabletop {

namespace card_challenge {

inline std::string cards_text(CardPile cards) {
  std::string text;
  cards.for_each([&](int kind) {
    text += ' ';
    text += card_name(kind);
  });
  return text.empty() ? " -" : text;
}

inline Value card_value(int kind) {
  return Value::List{kKindTable.symbols[kind][0], kKindTable.symbols[kind][1]};
}

inline Value cards_value(CardPile cards) {
  Value::List list;
  cards.for_each([&](int kind) { list.push_back(card_value(kind)); });
  return list;
}

inline int read_card(const DictReader& card) {
  (void)card.length(2, 2);
  const int low = card.at(0).integer(0, kSymbols - 1), high = card.at(1).integer(0, kSymbols - 1);
  for (int kind = 0; kind < kKinds; ++kind) {
    if (kKindTable.symbols[kind][0] == low && kKindTable.symbols[kind][1] == high) return kind;
  }
  card.fail("two different symbols, the lower first");
}

// A list of at most `most` cards, in any order.
inline CardPile read_cards(const DictReader& list, int most) {
  CardPile cards;
  for (int i = 0, size = list.length(0, most); i < size; ++i) {
    const int kind = read_card(list.at(i));
    if (cards.count(kind) == kCopies) list.at(i).fail("a card of which there are four copies");
    cards.add(kind);
  }
  return cards;
}

inline CardPile decode_cards(ByteReader& bytes) {
  CardPile cards;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (int left = bytes.u8(0, kCopies, "a number of cards"); left > 0; --left) cards.add(kind);
  }
  return cards;
}

}  // namespace card_challenge

// --- Text ----------------------------------------------------------------------------------------

inline std::string CardChallenge::action_to_string(Action action) const {
  using namespace card_challenge;
  if (action == kKeep) return "keep hand";
  if (action == kDump) return "dump hand";
  const int kind = action / 2, first = kKindTable.symbols[kind][action % 2];
  return "play " + card_name(kind) + ", " + ingenious::kSymbolNames[first] + " first";
}

inline std::string CardChallenge::outcome_to_string(Action outcome) const {
  return "draw " + card_challenge::card_name(outcome);
}

inline std::string CardChallenge::to_string(const State& state) const {
  using namespace card_challenge;
  std::string text = board_.heading(kName, kPhaseNames[static_cast<int>(state.phase)],
                                    state.phase == Phase::kOver, state.race);
  for (Seat seat = 0; seat < players_; ++seat) {
    text += "\nseat " + std::to_string(seat) + ": pegs" +
            ingenious::numbers_text(state.race.pegs[seat].numbers()) + ", front";
    std::string row;
    for (int place = seat * places_; place < (seat + 1) * places_; ++place) {
      if (state.front[place] == kNoCard) continue;
      row += ' ';
      row += card_name(state.front[place]);
    }
    text += (row.empty() ? " -" : row) + ", hand" + cards_text(state.hands[seat]);
  }
  text += "\ndeck: " + std::to_string(state.deck.size()) + " cards";
  text += "\npile:" + cards_text(state.pile);
  return text + "\nbonus turns: " + std::to_string(state.race.pending_bonus);
}

// --- Dictionaries and observations ---------------------------------------------------------------

inline Value CardChallenge::to_dict(const State& state) const {
  return describe(state, std::nullopt);
}

inline Value CardChallenge::view(const State& state, Seat observer) const {
  return describe(state, observer);
}

// All of the position, or what the observer may know of it [CC-54].
inline Value CardChallenge::describe(const State& state, std::optional<Seat> observer) const {
  using namespace card_challenge;
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  board_.describe(state.race, kPhaseNames[static_cast<int>(state.phase)], dict);
  dict.emplace_back("pegs", board_.pegs(state.race));
  Value::List rows, hands, hand_sizes;
  for (Seat seat = 0; seat < players_; ++seat) {
    rows.push_back(front(state, seat));
    hands.push_back(cards_value(state.hands[seat]));
    hand_sizes.emplace_back(state.hands[seat].size());
  }
  dict.emplace_back("front", std::move(rows));
  if (observer) {
    dict.emplace_back("hand", hands[static_cast<std::size_t>(*observer)]);
    dict.emplace_back("hand_sizes", std::move(hand_sizes));
    dict.emplace_back("deck_size", state.deck.size());
  } else {
    dict.emplace_back("hands", std::move(hands));
    dict.emplace_back("deck", cards_value(state.deck));
  }
  dict.emplace_back("pile", cards_value(state.pile));
  dict.emplace_back("truncated", state.race.truncated != 0);
  return dict;
}

inline Value CardChallenge::front(const State& state, Seat seat) const {
  Value::List row;
  for (int place = seat * places_; place < (seat + 1) * places_; ++place) {
    const int kind = state.front[place];
    if (kind != card_challenge::kNoCard) row.push_back(card_challenge::card_value(kind));
  }
  return row;
}

inline std::vector<ObservationField> CardChallenge::observation_fields() const {
  using namespace card_challenge;
  std::vector<ObservationField> fields = board_.fields("deal, play, dump, draw, over");
  fields.push_back(board_.pegs_field());
  fields.push_back(
      {"front",
       {players_, places_, kKinds},
       "one-hot: the kind of each card in front of a seat, that nearer the centre first"});
  fields.push_back({"hand", {kKinds}, "the observer's cards, by kind"});
  fields.push_back({"hand_sizes", {players_}, "number of cards in each hand"});
  fields.push_back({"deck_size", {1}, "number of cards in the deck"});
  fields.push_back({"pile", {kKinds}, "discarded cards, by kind"});
  fields.push_back({"truncated", {1}, "1 if the game was truncated"});
  return fields;
}

inline void CardChallenge::observe(const State& state, Seat observer,
                                   std::span<float> tensor) const noexcept {
  using namespace card_challenge;
  TensorWriter out(tensor);
  board_.observe(state.race, static_cast<int>(state.phase), observer, out);
  board_.observe_pegs(state.race, out);
  for (int place = 0; place < players_ * places_; ++place) {
    const std::span<float> kinds = out.block(kKinds);
    if (state.front[place] != kNoCard) kinds[state.front[place]] = 1.0F;
  }
  out.numbers(state.hands[observer].counts());
  for (Seat seat = 0; seat < players_; ++seat) out.number(state.hands[seat].size());
  out.number(state.deck.size());
  out.numbers(state.pile.counts());
  out.number(state.race.truncated);
}

inline CardChallenge::State CardChallenge::from_dict(const Value& dict) const {
  using namespace card_challenge;
  const DictReader in(dict);
  in.expect_keys({"phase", "seat", "turns", "idle", "pending_bonus", "pegs", "front", "hands",
                  "deck", "pile", "truncated"});
  State state = initial_state();
  state.phase = static_cast<Phase>(in.at("phase").one_of(kPhaseNames));
  board_.read(in, state.race);
  const DictReader rows = in.at("front"), hands = in.at("hands");
  (void)rows.length(players_, players_);
  (void)hands.length(players_, players_);
  for (Seat seat = 0; seat < players_; ++seat) {
    const DictReader row = rows.at(seat);
    for (int place = 0, size = row.length(0, places_); place < size; ++place) {
      state.front[seat * places_ + place] = to_byte(read_card(row.at(place)));
    }
    state.hands[seat] = read_cards(hands.at(seat), kHandSize);
  }
  state.deck = read_cards(in.at("deck"), kCards);
  state.pile = read_cards(in.at("pile"), kCards);
  check(state);
  state.due = due(state);
  return state;
}

// --- Bytes ---------------------------------------------------------------------------------------

inline void CardChallenge::encode(const State& state, ByteWriter& bytes) const {
  board_.encode(state.race, static_cast<int>(state.phase), bytes);
  board_.encode_pegs(state.race, bytes);
  FixedVector<std::uint8_t, 2 * ingenious::kMaxPlayers> rows;
  for (Seat seat = 0; seat < players_; ++seat) {
    const std::uint8_t* const first = state.front + std::ptrdiff_t{seat} * places_;
    const std::uint8_t* const end = std::find(first, first + places_, card_challenge::kNoCard);
    rows.push_back(to_byte(static_cast<int>(end - first)));
    for (const std::uint8_t* card = first; card < end; ++card) rows.push_back(*card);
  }
  bytes.each_u8(rows);
  for (Seat seat = 0; seat < players_; ++seat) bytes.each_u8(state.hands[seat].counts());
  bytes.each_u8(state.deck.counts());
  bytes.each_u8(state.pile.counts());
  bytes.u8(state.race.truncated);
}

inline CardChallenge::State CardChallenge::decode(ByteReader& bytes) const {
  using namespace card_challenge;
  State state = initial_state();
  state.phase = static_cast<Phase>(board_.decode(bytes, state.race));
  board_.decode_pegs(bytes, state.race);
  for (Seat seat = 0; seat < players_; ++seat) {
    const int cards = bytes.u8(0, places_, "the number of cards in front of a seat");
    for (int place = 0; place < cards; ++place) {
      state.front[seat * places_ + place] =
          to_byte(bytes.u8(0, kKinds - 1, "a card in front of a seat"));
    }
  }
  for (Seat seat = 0; seat < players_; ++seat) state.hands[seat] = decode_cards(bytes);
  state.deck = decode_cards(bytes);
  state.pile = decode_cards(bytes);
  state.race.truncated = to_byte(bytes.u8(0, 1, "whether the game was truncated"));
  check(state);
  state.due = due(state);
  return state;
}

// What is still due follows from what the seats have.
inline std::uint8_t CardChallenge::due(const State& state) const {
  using namespace card_challenge;
  switch (state.phase) {
    case Phase::kDeal:
      return to_byte(players_ * (kHandSize + places_) - (kCards - state.deck.size()));
    case Phase::kDraw:
      return to_byte(kHandSize - state.hands[state.race.seat].size());
    default:
      return 0;
  }
}

// --- Checks --------------------------------------------------------------------------------------

inline void CardChallenge::check(const State& state) const {
  check_cards(state);
  board_.check(state.race, state.phase == Phase::kOver);
  if (state.phase == Phase::kDeal) {
    check_deal(state);
  } else {
    check_hands(state);
  }
}

// Every card is somewhere [CC-65].
inline void CardChallenge::check_cards(const State& state) const {
  for (int kind = 0; kind < card_challenge::kKinds; ++kind) {
    int copies = state.deck.count(kind) + state.pile.count(kind);
    for (const CardPile& hand : state.hands) copies += hand.count(kind);
    for (const std::uint8_t card : state.front) copies += card == kind ? 1 : 0;
    if (copies == card_challenge::kCopies) continue;
    throw PositionError("there are " + std::to_string(copies) + " cards " +
                        card_challenge::card_name(kind) +
                        " in hands, in front of the seats, in the deck and in the pile; there "
                        "must be four");
  }
}

// The hands are dealt seat by seat, then the cards in front, and nothing else has happened
// [CC-67].
inline void CardChallenge::check_deal(const State& state) const {
  using namespace card_challenge;
  if (!state.pile.empty()) refuse("pile", "must be empty in phase \"deal\"");
  const int hand_cards = players_ * kHandSize, all = hand_cards + players_ * places_;
  const int dealt = kCards - state.deck.size();
  if (dealt >= all) refuse("phase", "is \"deal\", but all cards are dealt");
  for (Seat seat = 0; seat < players_; ++seat) {
    const int right = std::clamp(dealt - seat * kHandSize, 0, kHandSize);
    if (state.hands[seat].size() == right) continue;
    refuse("hands", seat,
           "has " + std::to_string(state.hands[seat].size()) + " cards; when " +
               std::to_string(dealt) + " cards are dealt it must have " + std::to_string(right));
  }
  for (int place = 0; place < players_ * places_; ++place) {
    if ((state.front[place] != kNoCard) == (place < dealt - hand_cards)) continue;
    refuse("front", place / places_, "must be filled after all hands, seat by seat");
  }
  board_.check_setup(state.race, receiver_[due(state)]);
}

// The seat whose turn it is has played a card that it has not replaced yet [CC-66], and can do what
// the phase asks for [CC-72], [CC-73].
inline void CardChallenge::check_hands(const State& state) const {
  using namespace card_challenge;
  for (int place = 0; place < players_ * places_; ++place) {
    if (state.front[place] != kNoCard) continue;
    refuse("front", place / places_,
           "must have " + std::to_string(places_) + " cards after the deal");
  }
  for (Seat seat = 0; seat < players_; ++seat) {
    const bool refills = seat == state.race.seat && state.phase != Phase::kPlay;
    const int most = kHandSize - (refills ? 1 : 0);
    const int least = refills && state.phase == Phase::kDraw ? 0 : most;
    const int size = state.hands[seat].size();
    if (size >= least && size <= most) continue;
    refuse("hands", seat,
           "has " + std::to_string(size) + " cards; in phase \"" +
               kPhaseNames[static_cast<int>(state.phase)] + "\" it must have " +
               (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most));
  }
  if (state.phase == Phase::kDraw && state.deck.empty()) {
    refuse("deck", "is empty where a card is to be drawn");
  }
  if (state.phase == Phase::kDump && !may_dump(state)) {
    refuse("hands", state.race.seat, "may not be dumped: it shows a symbol of a lowest row");
  }
}

}  // namespace tabletop
