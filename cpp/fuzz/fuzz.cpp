#include "fuzz.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tabletop::fuzz {

std::uint8_t Input::byte() {
  if (bytes_.empty()) return 0;
  const std::uint8_t first = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return first;
}

std::size_t Input::below(std::size_t n) {
  std::size_t number = byte();
  if (n > 256) number = 256 * number + byte();
  return number % n;
}

std::span<const std::uint8_t> Input::rest() { return std::exchange(bytes_, {}); }

std::optional<Game> choose_game(Input& input) {
  const GameOps& ops = *input.one_of(games());
  Value::Dict options;
  for (const OptionSpec& spec : ops.option_specs()) {
    const std::size_t choice = input.below(spec.samples.size() + 1);
    if (choice > 0) options.emplace_back(spec.name, spec.samples[choice - 1]);
  }
  try {
    return Game{&ops, ops.create(options)};
  } catch (const OptionError&) {
    return std::nullopt;
  }
}

std::vector<std::uint8_t> encoded(const Game& game, const Position& position) {
  ByteWriter written;
  game.ops->encode(game.rules(), position.at(), written);
  return {written.bytes().begin(), written.bytes().end()};
}

void require(bool holds, const char* law, const Game& game, const Position& position) {
  if (holds) return;
  const std::string name(game.ops->name);
  const std::string options = to_json(Value(game.ops->options(game.rules())));
  std::fprintf(stderr, "broken: %s\ngame: %s %s\n", law, name.c_str(), options.c_str());
  const std::string shown = to_json(game.ops->to_dict(game.rules(), position.at()));
  std::fprintf(stderr, "position: %s\n", shown.c_str());
  std::abort();
}

std::vector<Action> legal_ids(const Game& game, const Position& position) {
  const GameOps& ops = *game.ops;
  const Seat player = ops.current_player(game.rules(), position.at());
  const int known =
      player == kChance ? ops.num_outcomes(game.rules()) : ops.num_actions(game.rules());
  std::vector<Action> ids(static_cast<std::size_t>(
      std::max(ops.num_outcomes(game.rules()), 64 * static_cast<int>(ops.mask_words))));
  const int count = ops.legal_ids(game.rules(), position.at(), ids.data());
  ids.resize(static_cast<std::size_t>(count));
  require(ids.empty() == (player == kTerminal), "there is an action exactly before the end", game,
          position);
  require(std::ranges::adjacent_find(ids, std::greater_equal()) == ids.end(), "ids ascend", game,
          position);
  require(ids.empty() || (ids.front() >= 0 && ids.back() < known), "ids are in their range", game,
          position);
  return ids;
}

void check_bytes(const Game& game, const Position& position) {
  const GameOps& ops = *game.ops;
  const void* rules = game.rules();
  require(ops.valid(rules, position.at()), "the position is valid", game, position);

  const std::vector<std::uint8_t> bytes = encoded(game, position);
  Position again(game);
  ByteReader reader(bytes);
  ops.decode(rules, reader, again.at());
  reader.finish();
  require(again == position, "it comes back from its bytes", game, position);
}

void check_position(const Game& game, const Position& position) {
  const GameOps& ops = *game.ops;
  const void* rules = game.rules();
  check_bytes(game, position);

  Position again(game);
  const Value dict = ops.to_dict(rules, position.at());
  ops.from_dict(rules, dict, again.at());
  require(again == position, "it comes back from its dict", game, position);

  (void)ops.to_string(rules, position.at());
  std::size_t size = 0;
  for (const ObservationField& field : ops.observation_fields(rules)) {
    size += static_cast<std::size_t>(field.size());
  }
  std::vector<float> tensor(size);
  for (Seat seat = 0; seat < game.players(); ++seat) {
    (void)ops.view(rules, position.at(), seat);
    ops.observe(rules, position.at(), seat, tensor);
  }
}

void check_resample(const Game& game, const Position& position, Seat observer, Rng& rng) {
  const GameOps& ops = *game.ops;
  const void* rules = game.rules();
  Position sample(game);
  sample = position;
  ops.resample(rules, sample.at(), observer, rng);
  require(ops.valid(rules, sample.at()), "the sample is valid", game, position);
  require(ops.view(rules, sample.at(), observer) == ops.view(rules, position.at(), observer),
          "the sample looks the same", game, position);
  const Seat player = ops.current_player(rules, position.at());
  require(ops.current_player(rules, sample.at()) == player, "the sample has the same player", game,
          position);
  require(ops.sees_outcome(rules, sample.at(), observer) ==
              ops.sees_outcome(rules, position.at(), observer),
          "the seat sees the outcome of the sample as well", game, position);
  require(player != observer || legal_ids(game, sample) == legal_ids(game, position),
          "the sample has the same legal actions", game, position);
}

void check_course(const Game& game, Position position, Rng rng) {
  const GameOps& ops = *game.ops;
  const void* rules = game.rules();
  int decisions = 0;
  for (unsigned nodes = 0;; ++nodes) {
    if (std::has_single_bit(nodes)) check_position(game, position);
    const std::vector<Action> ids = legal_ids(game, position);
    if (ids.empty()) break;
    const bool chance = ops.current_player(rules, position.at()) == kChance;
    const Action id = chance ? ops.pick_outcome(rules, position.at(), rng)
                             : ops.pick_action(rules, position.at(), rng);
    require(std::ranges::binary_search(ids, id), "what is picked is legal", game, position);
    decisions += chance ? 0 : 1;
    require(decisions <= ops.max_length(rules), "no game is longer than the longest", game,
            position);
    ops.apply(rules, position.at(), id);
  }
  check_position(game, position);
  std::vector<double> returns(static_cast<std::size_t>(game.players()));
  ops.utilities(rules, position.at(), returns);
  double sum = 0;
  for (const double one : returns) {
    require(one >= ops.min_utility(rules) && one <= ops.max_utility(rules),
            "returns are in their range", game, position);
    sum += one;
  }
  require(returns.size() == 1 || std::abs(sum) < 1e-9, "returns sum to zero", game, position);
}

namespace {

using Parts = std::vector<const Value*>;

void collect(const Value& value, Parts& parts) {
  parts.push_back(&value);
  if (value.list() != nullptr) {
    for (const Value& item : *value.list()) collect(item, parts);
  } else if (value.dict() != nullptr) {
    for (const auto& [key, item] : *value.dict()) collect(item, parts);
  }
}

struct Change {
  const Value* part;
  Value by;
};

// A copy in which the parts at these addresses are others.
Value replaced(const Value& value, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.part == &value) return change.by;
  }
  if (value.list() != nullptr) {
    Value::List list;
    for (const Value& item : *value.list()) list.push_back(replaced(item, changes));
    return list;
  }
  if (value.dict() != nullptr) {
    Value::Dict dict;
    for (const auto& [key, item] : *value.dict()) dict.emplace_back(key, replaced(item, changes));
    return dict;
  }
  return value;
}

Value strange(Input& input) {
  switch (input.below(10)) {
    case 0:
      return {};
    case 1:
      return false;
    case 2:
      return true;
    case 3:
      return static_cast<std::int8_t>(input.byte());
    case 4:
      return INT64_MAX;
    case 5:
      return INT64_MIN;
    case 6:
      return std::int64_t{1} << input.below(63);
    case 7:
      return std::string(1, static_cast<char>(input.byte()));
    case 8:
      return Value::List{};
    default:
      return Value::Dict{};
  }
}

// Wraps around.
Value plus(const Value& value, int difference) {
  if (value.integer() == nullptr) return value;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(*value.integer()) +
                                   static_cast<std::uint64_t>(difference));
}

// A list or dict with an item dropped, repeated or exchanged for its neighbour.
template <class Items>
Items reshaped(Items items, Input& input) {
  if (items.empty()) return items;
  const auto at = items.begin() + static_cast<std::ptrdiff_t>(input.below(items.size()));
  switch (input.below(3)) {
    case 0:
      items.erase(at);
      break;
    case 1:
      items.push_back(*at);
      break;
    default:
      std::iter_swap(at, items.begin());
  }
  return items;
}

Value edited_once(const Value& value, Input& input) {
  Parts parts;
  collect(value, parts);
  Parts numbers;
  std::ranges::copy_if(parts, std::back_inserter(numbers),
                       [](const Value* part) { return part->integer() != nullptr; });
  if (numbers.empty()) numbers = parts;
  switch (input.below(8)) {
    case 0: {
      const Value* part = input.one_of(numbers);
      return replaced(value, {{part, plus(*part, 1)}});
    }
    case 1: {
      const Value* part = input.one_of(numbers);
      return replaced(value, {{part, plus(*part, -1)}});
    }
    case 2: {  // keeps the sum
      const Value* from = input.one_of(numbers);
      const Value* to = input.one_of(numbers);
      return replaced(value, {{from, plus(*from, -1)}, {to, plus(*to, 1)}});
    }
    case 3: {
      const Value* one = input.one_of(parts);
      const Value* other = input.one_of(parts);
      return replaced(value, {{one, *other}, {other, *one}});
    }
    case 4: {
      const Value* to = input.one_of(parts);
      return replaced(value, {{to, *input.one_of(parts)}});
    }
    case 5: {
      const Value* part = input.one_of(parts);
      if (part->list() != nullptr) return replaced(value, {{part, reshaped(*part->list(), input)}});
      if (part->dict() != nullptr) return replaced(value, {{part, reshaped(*part->dict(), input)}});
      const Value opposite = part->flag() != nullptr ? Value(!*part->flag()) : Value();
      return replaced(value, {{part, opposite}});
    }
    case 6: {
      const Value* part = input.one_of(numbers);
      return replaced(value, {{part, Value(input.byte())}});
    }
    default: {
      const Value* part = input.one_of(parts);
      return replaced(value, {{part, strange(input)}});
    }
  }
}

}  // namespace

Value edited(const Value& value, Input& input) {
  Value result = value;
  for (std::size_t edits = 1 + input.below(4); edits > 0; --edits) {
    result = edited_once(result, input);
  }
  return result;
}

}  // namespace tabletop::fuzz
