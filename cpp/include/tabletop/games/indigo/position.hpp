// How positions of Indigo look outside: text, dictionaries, bytes and observations, and the checks
// of what comes in.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "tabletop/dict_reader.hpp"
#include "tabletop/games/indigo.hpp"

namespace tabletop {

// --- Text ----------------------------------------------------------------------------------------

namespace indigo {

inline std::string cell_name(int cell) {
  return "(" + std::to_string(kBoard.q[cell]) + "," + std::to_string(kBoard.r[cell]) + ")";
}

}  // namespace indigo

inline std::string Indigo::action_to_string(Action action) const {
  using namespace indigo;
  const int cell = kBoard.cell_of[action / kMatchings];
  std::string text = "place ";
  for (const Route& route : kRoutesOf[action % kMatchings]) {
    if (text.back() != ' ') text += '/';
    text += std::to_string(route.from) + std::to_string(route.to);
  }
  return text + " on " + cell_name(cell);
}

inline std::string Indigo::outcome_to_string(Action outcome) const {
  return std::string("draw ") + indigo::kTypeNames[outcome];
}

inline std::string Indigo::to_string(const State& state) const {
  using namespace indigo;
  std::string text = std::string("indigo: ") + kPhaseNames[static_cast<int>(state.phase)];
  if (state.phase != Phase::kOver) text += ", seat " + std::to_string(state.seat);
  int cell = 0;
  for (int r = -4; r <= 4; ++r) {
    text += '\n' + std::string(static_cast<std::size_t>(r < 0 ? -r : r), ' ');
    for (int left = 9 - (r < 0 ? -r : r); left > 0; --left, ++cell) {
      const int rank = kBoard.free_rank[cell];
      if (rank == kNone)
        text += cell == kCentre ? '@' : '*';
      else
        text += state.tiles[rank] == kNoMatching ? '.' : static_cast<char>('a' + state.tiles[rank]);
      if (left > 1) text += ' ';
    }
  }
  const Record shown = record(state);
  text += "\ncentre: " + std::to_string(shown.emeralds) + " emerald, " +
          std::to_string(shown.sapphires) + " sapphire\ngems: ";
  for (int i = 0; i < shown.gems.size(); ++i) {
    const StandingGem& gem = shown.gems[i];
    text += (i == 0 ? "" : ", ") + std::string(kColourNames[gem.colour]) + " " +
            cell_name(gem.cell) + " " + kEdgeNames[gem.edge];
  }
  if (shown.gems.empty()) text += "none";
  text += "\npile:";
  for (const std::uint8_t count : shown.pile) text += " " + std::to_string(count);
  for (Seat seat = 0; seat < options_.players; ++seat) {
    text += "\nhand " + std::to_string(seat) + ":";
    for (const std::uint8_t type : shown.hands[seat]) text += " " + std::to_string(type);
    if (shown.hands[seat].empty()) text += " -";
  }
  for (Seat seat = 0; seat < options_.players; ++seat) {
    text += "\nwon " + std::to_string(seat) + ":";
    for (int colour = 0; colour < kColours; ++colour) {
      text += (colour == 0 ? " " : ", ") + std::to_string(shown.won[seat][colour]) + " " +
              kColourNames[colour];
    }
    text += " = " + std::to_string(points(state, seat)) + " points";
  }
  return text;
}

inline Value Indigo::to_dict(const State& state) const { return describe(state, std::nullopt); }

inline Value Indigo::view(const State& state, Seat observer) const {
  return describe(state, observer);
}

// All of the position, or what the observer may know of it [IN-51].
inline Value Indigo::describe(const State& state, std::optional<Seat> observer) const {
  using namespace indigo;
  const Record shown = record(state);
  Value::Dict dict;
  if (observer) dict.emplace_back("observer", *observer);
  dict.emplace_back("phase", kPhaseNames[static_cast<int>(shown.phase)]);
  dict.emplace_back("seat", shown.seat);
  Value::List tiles;
  for (int rank = 0; rank < kFreeCells; ++rank) {
    if (shown.tiles[rank] == kNoMatching) continue;
    const int cell = kBoard.cell_of[rank];
    Value::List routes;
    for (const Route& route : kRoutesOf[shown.tiles[rank]]) {
      routes.emplace_back(Value::List{route.from, route.to});
    }
    tiles.emplace_back(Value::Dict{{"cell", Value::List{kBoard.q[cell], kBoard.r[cell]}},
                                   {"routes", std::move(routes)}});
  }
  dict.emplace_back("tiles", std::move(tiles));
  Value::List gems;
  for (const StandingGem& gem : shown.gems) {
    gems.emplace_back(Value::Dict{{"cell", Value::List{kBoard.q[gem.cell], kBoard.r[gem.cell]}},
                                  {"edge", gem.edge},
                                  {"gem", kColourNames[gem.colour]}});
  }
  dict.emplace_back("gems", std::move(gems));
  dict.emplace_back("centre", Value::Dict{{kColourNames[kEmerald], shown.emeralds},
                                          {kColourNames[kSapphire], shown.sapphires}});
  Value::List hands, hand_sizes, won;
  for (Seat seat = 0; seat < options_.players; ++seat) {
    hands.emplace_back(list_of(shown.hands[seat]));
    hand_sizes.emplace_back(shown.hands[seat].size());
    Value::Dict gems_won;
    for (int colour = 0; colour < kColours; ++colour) {
      gems_won.emplace_back(kColourNames[colour], shown.won[seat][colour]);
    }
    won.emplace_back(std::move(gems_won));
  }
  if (observer) {
    dict.emplace_back("pile_size", pile_size(state));
    dict.emplace_back("hand", hands[static_cast<std::size_t>(*observer)]);
    dict.emplace_back("hand_sizes", std::move(hand_sizes));
  } else {
    dict.emplace_back("pile", list_of(shown.pile));
    dict.emplace_back("hands", std::move(hands));
  }
  dict.emplace_back("won", std::move(won));
  return dict;
}

inline std::vector<ObservationField> Indigo::observation_fields() const {
  using namespace indigo;
  const int players = options_.players;
  return {
      {"observer", {players}, "one-hot: the seat that observes"},
      {"phase", {kPhases}, "one-hot: deal, place, draw, over"},
      {"seat", {players}, "one-hot: the seat that acts, or for which chance does"},
      {"tiles",
       {kFreeCells, kMatchings},
       "one-hot: the matching on each free cell; the index is the id of the placement"},
      {"gems", {kColours, kCells, kEdges}, "1 for each gem that stands, by colour, cell and edge"},
      {"centre", {2}, "emeralds and sapphires in the centre"},
      {"hand", {kTypes}, "the observer's tiles, by type"},
      {"hand_sizes", {players}, "number of tiles in each hand"},
      {"pile_size", {1}, "number of tiles in the pile"},
      {"won", {players, kColours}, "ambers, emeralds, sapphires won by each seat"}};
}

inline void Indigo::observe(const State& state, Seat observer,
                            std::span<float> tensor) const noexcept {
  using namespace indigo;
  const int players = options_.players;
  TensorWriter out(tensor);
  out.one_hot(players, observer);
  out.one_hot(kPhases, static_cast<int>(state.phase));
  out.one_hot(players, state.seat);
  const std::span<float> tiles = out.block(kFreeCells * kMatchings);
  for_each_bit(~state.empty & ((std::uint64_t{1} << kFreeCells) - 1), [&](int rank) {
    const int place = kMatchings * rank + state.tiles[rank];
    tiles[static_cast<std::size_t>(place)] = 1.0F;
  });
  const std::span<float> gems = out.block(kColours * kCells * kEdges);
  for_each_standing_gem(state, [&](const StandingGem& gem) {
    const int at = (gem.colour * kCells + gem.cell) * kEdges + gem.edge;
    gems[static_cast<std::size_t>(at)] = 1.0F;
  });
  const int centre = centre_size(state);
  out.number(std::max(centre - 1, 0));
  out.number(std::min(centre, 1));
  const std::span<float> hand = out.block(kTypes);
  for (const std::uint8_t type : tiles_of(state, observer)) hand[type] += 1.0F;
  for (Seat seat = 0; seat < players; ++seat) out.number(hand_of(state, seat).size);
  out.number(pile_size(state));
  for (Seat seat = 0; seat < players; ++seat) {
    for (int colour = 0; colour < kColours; ++colour) out.number(won(state, seat, colour));
  }
}

// --- Positions from outside ----------------------------------------------------------------------

inline Indigo::Record Indigo::record(const State& state) const {
  using namespace indigo;
  Record record{};
  record.phase = state.phase;
  record.seat = state.seat;
  std::copy_n(state.tiles, kFreeCells, record.tiles);
  for_each_standing_gem(state, [&](const StandingGem& gem) { record.gems.insert_sorted(gem); });
  const int centre = centre_size(state);
  record.emeralds = std::max(centre - 1, 0);
  record.sapphires = std::min(centre, 1);
  for (int type = 0; type < kTypes; ++type) record.pile[type] = to_byte(pile_count(state, type));
  for (Seat seat = 0; seat < options_.players; ++seat) {
    for (const std::uint8_t type : tiles_of(state, seat)) record.hands[seat].push_back(type);
    for (int colour = 0; colour < kColours; ++colour) {
      record.won[seat][colour] = to_byte(won(state, seat, colour));
    }
  }
  return record;
}

inline void Indigo::encode(const State& state, ByteWriter& bytes) const {
  const Record out = record(state);
  bytes.u8(static_cast<int>(out.phase));
  bytes.u8(out.seat);
  bytes.each_u8(out.tiles);
  bytes.u8(out.gems.size());
  for (const StandingGem& gem : out.gems) {
    bytes.u8(gem.cell);
    bytes.u8(gem.edge);
    bytes.u8(gem.colour);
  }
  bytes.u8(out.emeralds);
  bytes.u8(out.sapphires);
  bytes.each_u8(out.pile);
  for (Seat seat = 0; seat < options_.players; ++seat) bytes.list_u8(out.hands[seat]);
  for (Seat seat = 0; seat < options_.players; ++seat) bytes.each_u8(out.won[seat]);
}

inline Indigo::State Indigo::decode(ByteReader& bytes) const {
  using namespace indigo;
  Record record{};
  record.phase = static_cast<Phase>(bytes.u8(0, kPhases - 1, "the phase"));
  record.seat = bytes.u8(0, options_.players - 1, "the seat");
  for (auto& matching : record.tiles) {
    matching = to_byte(bytes.u8(0, kNoMatching, "the tile of a cell"));
  }
  for (int left = bytes.u8(0, kGems, "the number of standing gems"); left > 0; --left) {
    StandingGem gem{};
    gem.cell = to_byte(bytes.u8(0, kCells - 1, "the cell of a gem"));
    gem.edge = to_byte(bytes.u8(0, kEdges - 1, "the edge of a gem"));
    gem.colour = to_byte(bytes.u8(0, kColours - 1, "the colour of a gem"));
    record.gems.insert_sorted(gem);
  }
  record.emeralds = bytes.u8(0, kEmeralds, "the emeralds in the centre");
  record.sapphires = bytes.u8(0, 1, "the sapphire in the centre");
  for (auto& count : record.pile) count = to_byte(bytes.u8(0, kMostCopies, "a count of the pile"));
  for (Seat seat = 0; seat < options_.players; ++seat) {
    for (int left = bytes.u8(0, options_.hand_size, "a hand's size"); left > 0; --left) {
      record.hands[seat].insert_sorted(to_byte(bytes.u8(0, kTypes - 1, "a tile in hand")));
    }
  }
  for (Seat seat = 0; seat < options_.players; ++seat) {
    for (auto& count : record.won[seat]) {
      count = to_byte(bytes.u8(0, kGems, "a number of gems won"));
    }
  }
  return position(record);
}

namespace indigo {

inline int read_cell(const DictReader& place) {
  (void)place.length(2, 2);
  const int cell = kBoard.cell(place.at(0).integer(-4, 4), place.at(1).integer(-4, 4));
  if (cell == kNone) place.fail("a cell [q, r] of the board, with -4 <= q + r <= 4");
  return cell;
}

// The matching with these routes.
inline int read_routes(const DictReader& routes) {
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
  return lowest_bit(static_cast<unsigned>(joined));
}

}  // namespace indigo

inline Indigo::State Indigo::from_dict(const Value& dict) const {
  using namespace indigo;
  const DictReader in(dict);
  in.expect_keys({"phase", "seat", "tiles", "gems", "centre", "pile", "hands", "won"});
  Record record{};
  record.phase = static_cast<Phase>(in.at("phase").one_of(kPhaseNames));
  record.seat = in.at("seat").integer(0, options_.players - 1);
  std::fill_n(record.tiles, kFreeCells, to_byte(kNoMatching));
  const DictReader tiles = in.at("tiles");
  for (int i = 0, n = tiles.length(0, kFreeCells); i < n; ++i) {
    const DictReader tile = tiles.at(i);
    tile.expect_keys({"cell", "routes"});
    const int rank = kBoard.free_rank[read_cell(tile.at("cell"))];
    if (rank == kNone) tile.at("cell").fail("a free cell, not one of the seven treasure tiles");
    if (record.tiles[rank] != kNoMatching) tile.fail("the only tile on its cell");
    record.tiles[rank] = to_byte(read_routes(tile.at("routes")));
  }
  const DictReader gems = in.at("gems");
  for (int i = 0, n = gems.length(0, kGems); i < n; ++i) {
    const DictReader gem = gems.at(i);
    gem.expect_keys({"cell", "edge", "gem"});
    record.gems.insert_sorted({to_byte(read_cell(gem.at("cell"))),
                               to_byte(gem.at("edge").integer(0, kEdges - 1)),
                               to_byte(gem.at("gem").one_of(kColourNames))});
  }
  const DictReader centre = in.at("centre");
  centre.expect_keys({kColourNames[kEmerald], kColourNames[kSapphire]});
  record.emeralds = centre.at(kColourNames[kEmerald]).integer(0, kEmeralds);
  record.sapphires = centre.at(kColourNames[kSapphire]).integer(0, 1);
  const DictReader pile = in.at("pile"), hands = in.at("hands"), won = in.at("won");
  (void)pile.length(kTypes, kTypes);
  for (int type = 0; type < kTypes; ++type)
    record.pile[type] = to_byte(pile.at(type).integer(0, kCopies[type]));
  (void)hands.length(options_.players, options_.players);
  (void)won.length(options_.players, options_.players);
  for (Seat seat = 0; seat < options_.players; ++seat) {
    const DictReader hand = hands.at(seat), gems_won = won.at(seat);
    for (int i = 0, n = hand.length(0, options_.hand_size); i < n; ++i) {
      record.hands[seat].insert_sorted(to_byte(hand.at(i).integer(0, kTypes - 1)));
    }
    gems_won.expect_keys({kColourNames[0], kColourNames[1], kColourNames[2]});
    for (int colour = 0; colour < kColours; ++colour) {
      record.won[seat][colour] = to_byte(gems_won.at(kColourNames[colour]).integer(0, kGems));
    }
  }
  return position(record);
}

// Builds the position; throws PositionError unless the record states exactly what the board and the
// order of turns imply.
inline Indigo::State Indigo::position(const Record& record) const {
  using namespace indigo;
  check_counts(record);
  State state = initial_state();
  for (int rank = 0; rank < kFreeCells; ++rank) {
    const int matching = record.tiles[rank];
    if (matching == kNoMatching) continue;
    if ((kOrientations.on[kBoard.gateway[rank]] >> matching & 1) == 0) {
      throw PositionError("the tile on " + cell_name(kBoard.cell_of[rank]) +
                          " joins both exits of its gateway cell, which no placement may");
    }
    const Placement placement{static_cast<std::size_t>(rank), static_cast<std::size_t>(matching)};
    cover(state, placement);
    link_routes(state, placement, [](std::size_t /*a*/, std::size_t /*b*/) {});
  }
  set_gems(state, record);
  if ((state.gems == 0) != (record.phase == Phase::kOver)) {
    refuse("phase", std::string("is \"") + kPhaseNames[static_cast<int>(record.phase)] +
                        "\" with " + std::to_string(count_bits(state.gems)) +
                        " gems on the board; it must be \"over\" exactly when none is left");
  }
  state.phase = record.phase;
  state.seat = to_byte(record.seat);
  state.pile = 0;
  for (int type = 0; type < kTypes; ++type) add_to_pile(state, type, record.pile[type]);
  for (Seat seat = 0; seat < options_.players; ++seat) {
    for (const std::uint8_t type : record.hands[seat]) {
      state.hands[seat] = hand_of(state, seat).with[type];
    }
  }
  return state;
}

// Every tile is somewhere, and the sizes of hands and pile follow from the turns taken.
inline void Indigo::check_counts(const Record& record) const {
  using namespace indigo;
  const int players = options_.players, hand_size = options_.hand_size;
  int placed = 0, seen[kTypes] = {};
  for (const std::uint8_t matching : record.tiles) {
    if (matching != kNoMatching) ++placed, ++seen[kTypeOf[matching]];
  }
  int held = 0;
  for (Seat seat = 0; seat < players; ++seat) {
    for (const std::uint8_t type : record.hands[seat]) ++held, ++seen[type];
  }
  for (int type = 0; type < kTypes; ++type) {
    seen[type] += record.pile[type];
    if (seen[type] != kCopies[type]) {
      throw PositionError("there are " + std::to_string(seen[type]) + " tiles of type " +
                          std::to_string(type) + " on the board, in the hands and in the pile; " +
                          "there must be " + std::to_string(kCopies[type]));
    }
  }
  const bool dealing = record.phase == Phase::kDeal;
  const bool placer_waits = record.phase == Phase::kDraw || record.phase == Phase::kOver;
  const int turns = placed;  // every turn places one tile
  const Seat mover =
      dealing ? held / hand_size : (turns + (placer_waits ? players - 1 : 0)) % players;
  if (dealing ? placed != 0 || held >= players * hand_size : placer_waits && placed == 0) {
    refuse("phase", std::string("is \"") + kPhaseNames[static_cast<int>(record.phase)] +
                        "\", which cannot be with " + std::to_string(placed) +
                        " tiles on the board and " + std::to_string(held) + " in the hands");
  }
  if (record.seat != mover) {
    refuse("seat", "is " + std::to_string(record.seat) + "; after " + std::to_string(turns) +
                       " placements and " + std::to_string(held) +
                       " tiles in the hands it must be " + std::to_string(mover));
  }
  // A seat draws after each of its placements while the pile lasts; draw number i is turn i's.
  const int pile_after_deal = kFreeCells - players * hand_size;
  const int draws = std::min(turns - (placer_waits ? 1 : 0), pile_after_deal);
  for (Seat seat = 0; seat < players; ++seat) {
    const auto share = [&](int total) { return (total + players - 1 - seat) / players; };
    const int size = dealing ? std::clamp(held - seat * hand_size, 0, hand_size)
                             : hand_size - share(turns) + share(draws);
    if (record.hands[seat].size() != size) {
      refuse("hands", seat,
             "holds " + std::to_string(record.hands[seat].size()) + " tiles; in phase \"" +
                 kPhaseNames[static_cast<int>(record.phase)] + "\" after " + std::to_string(turns) +
                 " placements it must hold " + std::to_string(size));
    }
  }
  if (record.phase == Phase::kDraw && turns - 1 >= pile_after_deal) {
    refuse("phase", "is \"draw\", but the pile is empty");
  }
}

// Sets the living gems and what was won. All of it follows from the board, but for one thing: which
// of the six centre edges let the sapphire out, once all are open.
inline void Indigo::set_gems(State& state, const Record& record) const {
  using namespace indigo;
  const int centre = centre_size(state);
  if (record.emeralds != std::max(centre - 1, 0) || record.sapphires != std::min(centre, 1)) {
    refuse("centre", "holds " + std::to_string(record.emeralds) + " emeralds and " +
                         std::to_string(record.sapphires) + " sapphires, but " +
                         std::to_string(kCentreSources - centre) + " of its six edges are open");
  }
  int standing = 0, sapphires = 0;
  std::uint32_t sapphire_owners[kCentreSources];  // who would have it, by the edge it left through
  int candidates = 0;
  for (int source = 0; source < kSources; ++source) {
    const bool from_centre = source < kCentreSources;
    if (from_centre && !centre_edge_open(state, source)) continue;
    const int end = state.mate[source];
    const auto source_bit = static_cast<std::uint16_t>(1 << source);
    if (is_exit(end)) {
      state.gems ^= source_bit;
      const std::uint32_t owners = owners_[gateway_of_exit(end)];
      state.won[from_centre ? kEmerald : kAmber] += owners;
      if (from_centre) sapphire_owners[candidates++] = owners;
    } else if (is_source(end)) {
      state.gems ^= source_bit;
      if (from_centre) sapphire_owners[candidates++] = 0;
    } else {
      const StandingGem place = standing_at(end, kEmerald);
      const StandingGem* gem = std::ranges::find(record.gems, place.place(), &StandingGem::place);
      if (gem == record.gems.end() || (gem->colour == kAmber) == from_centre) {
        refuse("gems", std::string("must have ") +
                           (from_centre ? "a gem of the centre" : "an amber") + " on " +
                           cell_name(place.cell) + " at edge " + std::to_string(place.edge));
      }
      if (gem->colour == kSapphire) {
        state.sapphire = to_byte(source);
        ++sapphires;
      }
      ++standing;
    }
  }
  if (standing != record.gems.size()) {
    refuse("gems", "lists " + std::to_string(record.gems.size()) +
                       " gems; by the tracks of the board there stand " + std::to_string(standing));
  }
  if (sapphires > (centre == 0 ? 1 : 0)) {
    refuse("gems", "has a sapphire too many: there is one, and it leaves the centre last");
  }
  const bool sapphire_is_gone = centre == 0 && sapphires == 0;
  const State emeralds_only = state;
  for (int i = 0; i < (sapphire_is_gone ? candidates : 1); ++i) {
    state = emeralds_only;
    if (sapphire_is_gone) {
      state.won[kEmerald] -= sapphire_owners[i];
      state.won[kSapphire] += sapphire_owners[i];
    }
    bool agrees = true;
    for (Seat seat = 0; seat < options_.players; ++seat) {
      for (int colour = 0; colour < kColours; ++colour) {
        agrees = agrees && won(state, seat, colour) == record.won[seat][colour];
      }
    }
    if (agrees) return;
  }
  refuse("won", "differs from what the tracks of the board lead through the gateways");
}

}  // namespace tabletop
