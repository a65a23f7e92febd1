// Options from outside: names that exist or not, values that are samples, edits of samples, or
// strange. Options that are accepted must say all of themselves and give a game that can be played.
#include <string>

#include "fuzz.hpp"

namespace tabletop::fuzz {

namespace {

Value::Dict chosen_options(const GameOps& ops, Input& input) {
  Value::Dict options;
  const std::vector<OptionSpec> specs = ops.option_specs();
  for (std::size_t left = input.below(specs.size() + 1); left > 0; --left) {
    const OptionSpec& spec = input.one_of(specs);
    const Value& sample = spec.samples.empty() ? spec.default_value : input.one_of(spec.samples);
    const bool as_it_is = input.below(2) == 0;
    options.emplace_back(spec.name, as_it_is ? sample : edited(sample, input));
  }
  if (input.below(8) == 7) options.emplace_back(std::string(1, static_cast<char>(input.byte())), 1);
  return options;
}

}  // namespace

void try_input(Input& input) {
  Game game{input.one_of(games()), nullptr};
  const Value::Dict options = chosen_options(*game.ops, input);
  try {
    game.owned_rules = game.ops->create(options);
  } catch (const OptionError&) {
    return;
  }
  const Position start(game);
  const Value::Dict resolved = game.ops->options(game.rules());
  const Game again{game.ops, game.ops->create(resolved)};
  require(again.ops->options(again.rules()) == resolved, "options say all of themselves", game,
          start);
  require(Position(again) == start, "equal options, equal games", game, start);
  check_position(game, start);
  check_course(game, start, Rng(input.byte()));
}

}  // namespace tabletop::fuzz
