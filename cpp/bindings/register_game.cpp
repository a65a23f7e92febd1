#include <pybind11/stl.h>

#include "bound.hpp"

namespace tabletop::python {

namespace {

constexpr int kFormatVersion = 1;  // of the header; see docs/design.md

const GameOps& find_game(const std::string& name) {
  std::string names;
  for (const GameOps* ops : AllGames::ops()) {
    if (ops->name == name) return *ops;
    names += (names.empty() ? "" : ", ") + std::string(ops->name);
  }
  throw UnknownGameError("there is no game " + shown(py::str(name)) + "; the games are " + names);
}

std::vector<std::string> registered_games() {
  std::vector<std::string> names;
  for (const GameOps* ops : AllGames::ops()) names.emplace_back(ops->name);
  std::ranges::sort(names);
  return names;
}

std::vector<std::uint8_t> make_header(const GameOps& ops, const Value::Dict& options) {
  ByteWriter header;
  for (const char mark : {'T', 'T', 'C'}) header.u8(mark);
  header.u8(kFormatVersion);
  header.text(ops.name);
  header.text(ops.version);
  header.text(to_json(options));
  return {header.bytes().begin(), header.bytes().end()};
}

int total_size(const std::vector<ObservationField>& fields) {
  int size = 0;
  for (const ObservationField& field : fields) size += field.size();
  return size;
}

py::list option_specs(const py::object& name) {
  const py::object make = imported("tabletop_core.types", "OptionSpec");
  py::list specs;
  for (const OptionSpec& spec : find_game(to_text(name, "name")).option_specs()) {
    specs.append(call_python(make, py::str(spec.name),
                             to_python(spec.default_value, Lists::kAsTuples), py::str(spec.values),
                             to_python(spec.samples, Lists::kAsTuples), py::str(spec.meaning)));
  }
  return specs;
}

py::tuple observation_fields(const Game& game) {
  const py::object make = imported("tabletop_core.types", "ObservationField");
  py::tuple fields(game.fields.size());
  int start = 0;
  for (std::size_t i = 0; i < game.fields.size(); ++i) {
    const ObservationField& field = game.fields[i];
    fields[i] = call_python(make, py::str(field.name), py::int_(start),
                            py::tuple(py::cast(field.shape)), py::str(field.meaning));
    start += field.size();
  }
  return fields;
}

py::object options_of(const Game& game) { return to_python(game.options, Lists::kAsTuples); }

}  // namespace

Game::Game(const GameOps& game_ops, const Value::Dict& given_options)
    : ops(game_ops),
      owned_rules(game_ops.create(given_options)),
      rules(owned_rules.get()),
      options(ops.options(rules)),
      fields(ops.observation_fields(rules)),
      players(ops.num_players(rules)),
      num_actions(ops.num_actions(rules)),
      num_outcomes(ops.num_outcomes(rules)),
      tensor_size(total_size(fields)),
      header(make_header(ops, options)),
      header_hash(hash64(header, 0)) {}

std::shared_ptr<const Game> Game::load(const std::string& name, const py::dict& options) {
  const GameOps& ops = find_game(name);
  const std::string of_game = " of " + name;
  const Fail fail = [](const std::string& sentence) { throw OptionError(sentence); };
  Value::Dict given;
  for (const auto& [key, value] : options) {
    std::string place = "option ";
    place += shortened(py::reinterpret_borrow<py::object>(key));
    place += of_game;
    given.emplace_back(to_text(key, "an option's name"), to_value(value, place, fail));
  }
  return std::make_shared<const Game>(ops, given);
}

const Game::Names& Game::names() const {
  std::call_once(names_made_, [this] {
    for (Action id = 0; id < num_actions; ++id) {
      names_.actions.emplace(ops.action_to_string(rules, id), id);
    }
    for (Action id = 0; id < num_outcomes; ++id) {
      names_.outcomes.emplace(ops.outcome_to_string(rules, id), id);
    }
  });
  return names_;
}

Action Game::action_from_string(const std::string& text) const {
  const auto found = names().actions.find(text);
  if (found != names().actions.end()) return found->second;
  throw IllegalActionError(shown(py::str(text)) + " is no action of " + std::string(ops.name) +
                           "; an action reads like '" +
                           ops.action_to_string(rules, num_actions / 2) + "'");
}

Action Game::outcome_from_string(const std::string& text) const {
  const auto found = names().outcomes.find(text);
  if (found != names().outcomes.end()) return found->second;
  throw IllegalActionError(shown(py::str(text)) + " is no chance outcome of " +
                           std::string(ops.name) + "; an outcome reads like '" +
                           ops.outcome_to_string(rules, 0) + "'");
}

std::string Game::action_to_string(const Index& action) const {
  if (!action.below(num_actions)) {
    throw IllegalActionError("action " + action.written() + " does not exist; the actions of " +
                             std::string(ops.name) + " are 0.." + std::to_string(num_actions - 1));
  }
  return ops.action_to_string(rules, static_cast<Action>(action.value));
}

std::string Game::outcome_to_string(const Index& outcome) const {
  if (!outcome.below(num_outcomes)) {
    throw IllegalActionError("chance outcome " + outcome.written() + " does not exist; those of " +
                             std::string(ops.name) + " are 0.." + std::to_string(num_outcomes - 1));
  }
  return ops.outcome_to_string(rules, static_cast<Action>(outcome.value));
}

Seat Game::seat(py::handle player) const {
  return static_cast<Seat>(to_count(player, "player", 0, players - 1));
}

Seat Game::seat_or_mark(py::handle player) const {
  const Index asked = to_index(player, "player");
  if (asked.is(kChance) || asked.is(kTerminal) || asked.below(players)) {
    return static_cast<Seat>(asked.value);
  }
  throw ArgumentError("player is " + shown(player) + "; it must be 0.." +
                      std::to_string(players - 1) + ", PlayerId.CHANCE or PlayerId.TERMINAL");
}

std::string Game::python_name(const Value::Dict& shown_options) const {
  std::string text = "load_game('" + std::string(ops.name) + "'";
  for (const auto& [key, value] : shown_options) {
    text += ", " + key + "=" + std::string(py::repr(to_python(value, Lists::kAsTuples)));
  }
  return text + ")";
}

// NOLINTNEXTLINE(misc-const-correctness): this is what a __new__ looks like
PyObject* refuse_to_make(PyTypeObject* type, PyObject* /*args*/, PyObject* /*kwargs*/) {
  PyErr_Format(PyExc_TypeError,
               "%s cannot be made by hand; load_game() makes games, and games make states",
               type->tp_name);
  return nullptr;
}

GameClass declare_game(const py::module_& module) {
  const auto set_up = [](PyHeapTypeObject* type) { type->ht_type.tp_new = &refuse_to_make; };
  return {module, "Game", py::is_final(), py::custom_type_setup(set_up),
          "A game with its options: immutable, hashable, picklable.\n\n"
          "Each call with an example: see tabletop_core.protocol.Game."};
}

void register_game(py::module_& module, GameClass& bound) {
  module.def("registered_games", &registered_games,
             "The names of all games, sorted.\n\n"
             ">>> 'indigo' in registered_games()\nTrue");
  module.def(
      "load_game",
      [](const py::object& name, const py::kwargs& options) {
        return Game::load(to_text(name, "name"), options);
      },
      py::arg("name"),
      "A game with the given options; what is not given has its default.\n\n"
      "Raises UnknownGameError or OptionError.\n\n"
      ">>> load_game('indigo', players=3).num_players()\n3");
  module.def("game_options", &option_specs, py::arg("name"),
             "The options that a game takes, as a list of OptionSpec.\n\n"
             ">>> game_options('indigo')[0].name\n'players'");

  bound
      .def_property_readonly(
          "name", [](const Game& game) { return game.ops.name; },
          "The name that load_game() takes.")
      .def_property_readonly(
          "version", [](const Game& game) { return game.ops.version; },
          "Changes whenever the behaviour of the game changes.")
      .def_property_readonly(
          "options",
          [](const Game& game) {
            const py::object options = options_of(game);
            return object_or_error([&] { return PyDictProxy_New(options.ptr()); });
          },
          "Every option with its value, read-only.")
      .def_property_readonly("observation_fields", &observation_fields,
                             "The named parts of the observation tensor, in order.")
      .def(
          "num_players", [](const Game& game) { return game.players; }, "The number of seats.")
      .def(
          "num_distinct_actions", [](const Game& game) { return game.num_actions; },
          "Every decision is in range(num_distinct_actions()).")
      .def(
          "max_chance_outcomes", [](const Game& game) { return game.num_outcomes; },
          "Every outcome of chance is in range(max_chance_outcomes()).")
      .def(
          "max_game_length", [](const Game& game) { return game.ops.max_length(game.rules); },
          "A bound on the number of decisions in one game.")
      .def(
          "min_utility", [](const Game& game) { return game.ops.min_utility(game.rules); },
          "The least that returns() can hold.")
      .def(
          "max_utility", [](const Game& game) { return game.ops.max_utility(game.rules); },
          "The most that returns() can hold.")
      .def(
          "observation_tensor_shape",
          [](const Game& game) { return std::vector<int>{game.tensor_size}; },
          "[n]: the shape of observation_tensor(), which is flat.")
      .def(
          "get_type",
          [](const Game& game) {
            return call_python(imported("tabletop_core.types", "game_type"),
                               py::str(std::string(game.ops.name)), py::int_(game.players),
                               py::bool_(game.ops.hides_outcomes));
          },
          "GameType: what algorithms of OpenSpiel ask before they begin.")
      .def(
          "new_initial_state", [](const Game& game) { return LocalState(game); },
          "The position in which a game begins; often a chance node.")
      .def(
          "action_to_string",
          [](const Game& game, const py::object& action) {
            return game.action_to_string(to_index(action, "action"));
          },
          py::arg("action"),
          "The text of a decision, legal or not. IllegalActionError for an id that does not exist.")
      .def(
          "action_from_string",
          [](const Game& game, const py::object& text) {
            return game.action_from_string(to_text(text, "text"));
          },
          py::arg("text"),
          "The id of what action_to_string() gives. IllegalActionError for any other text.")
      .def(
          "chance_to_string",
          [](const Game& game, const py::object& outcome) {
            return game.outcome_to_string(to_index(outcome, "outcome"));
          },
          py::arg("outcome"),
          "The text of an outcome of chance. IllegalActionError for an id that does not exist.")
      .def(
          "chance_from_string",
          [](const Game& game, const py::object& text) {
            return game.outcome_from_string(to_text(text, "text"));
          },
          py::arg("text"),
          "The id of what chance_to_string() gives. IllegalActionError for any other text.")
      .def("state_from_dict", &state_from_dict, py::arg("d"),
           "The position that a dict describes; see State.to_dict(). Raises PositionError.")
      .def("state_from_bytes", &state_from_bytes, py::arg("b"),
           "The position that State.to_bytes() wrote. Raises PositionError.")
      .def(
          "__eq__",
          [](const Game& game, const py::object& other) -> py::object {
            if (!py::isinstance<Game>(other)) {
              return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            }
            return py::bool_(game == other.cast<const Game&>());
          },
          py::arg("other"))
      .def("__hash__", [](const Game& game) { return game.header_hash >> 3; })
      .def("__repr__", [](const Game& game) { return game.python_name(game.options); })
      .def("__copy__", [](const Game& game) { return game.shared_from_this(); })
      .def(
          "__deepcopy__",
          [](const Game& game, const py::dict& /*memo*/) { return game.shared_from_this(); },
          py::arg("memo"))
      .def("__reduce__", [](const Game& game) {
        return py::make_tuple(imported("tabletop_core._pickles", "make_game"),
                              py::make_tuple(game.ops.name, options_of(game)));
      });
  seal(bound);
}

}  // namespace tabletop::python
