#include <pybind11/stl.h>

#include "bound.hpp"

namespace tabletop::python {

namespace {

constexpr std::size_t kFixedHeader = 4;  // mark and format version

// Any object that is a run of bytes: bytes, bytearray, memoryview.
std::string copied_bytes(py::handle bytes) {
  const bool readable = PyObject_CheckBuffer(bytes.ptr()) != 0;
  const auto copy = py::reinterpret_steal<py::bytes>(
      readable ? or_stop([&] { return PyBytes_FromObject(bytes.ptr()); }) : nullptr);
  if (!copy) {
    forget_error();
    throw PositionError("the position is " + shown(bytes) + "; it must be bytes");
  }
  return copy;
}

// Says in which part a header differs from the one that this game writes.
[[noreturn]] void fail_header(const Game& game, std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kFixedHeader || std::memcmp(bytes.data(), game.header.data(), 3) != 0) {
    throw PositionError("the bytes do not begin with TTC; they are no position of tabletop_core");
  }
  if (bytes[3] != game.header[3]) {
    throw PositionError("the bytes have format version " + std::to_string(bytes[3]) +
                        "; this library reads version " + std::to_string(game.header[3]));
  }
  ByteReader theirs(bytes.subspan(kFixedHeader));
  ByteReader ours(std::span(game.header).subspan(kFixedHeader));
  for (const char* part : {"game", "version", "options"}) {
    const std::string their_text = theirs.text(part), our_text = ours.text(part);
    if (their_text != our_text) {
      throw PositionError(std::string("the bytes are of ") + part + " " +
                          shown(py::bytes(their_text)) + ", but this game has " + our_text);
    }
  }
  throw PositionError("the bytes end inside the header");
}

py::list winners(const State& state) {
  const SeatSet winners = state.ops().winners(state.game->rules, state.bytes());
  py::list list;
  for (Seat seat = 0; seat < state.game->players; ++seat) {
    if (winners.contains(seat)) list.append(seat);
  }
  return list;
}

py::list chance_outcomes(const State& state) {
  state.expect_chance_node("chance_outcomes()");
  std::vector<WeightedOutcome> outcomes;
  const std::uint64_t total =
      state.ops().chance_outcomes(state.game->rules, state.bytes(), outcomes);
  py::list list(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const double probability = static_cast<double>(outcomes[i].weight) / static_cast<double>(total);
    list[i] = py::make_tuple(outcomes[i].outcome, probability);
  }
  return list;
}

py::array_t<std::int64_t> scores(const State& state) {
  int scores[kMaxSeats];
  const auto players = static_cast<std::size_t>(state.game->players);
  state.ops().scores(state.game->rules, state.bytes(), {scores, players});
  py::array_t<std::int64_t> array = new_array<std::int64_t>({state.game->players});
  std::copy_n(scores, players, array.mutable_data());
  return array;
}

double player_return(const State& state, const py::object& player) {
  return state.returns()[static_cast<std::size_t>(state.game->seat(player))];
}

py::array_t<float> observation_tensor(const State& state, const py::object& player,
                                      const py::object& out) {
  const Seat seat = state.observer(player);
  py::array_t<float> tensor = output_array<float>(out, {state.game->tensor_size});
  state.ops().observe(state.game->rules, state.bytes(), seat,
                      {tensor.mutable_data(), static_cast<std::size_t>(tensor.size())});
  return tensor;
}

LocalState resample(const State& state, const py::object& player, const py::object& rng) {
  const Seat seat = state.game->seat(player);
  RandomSource source(rng);
  LocalState sample(state);
  state.ops().resample(state.game->rules, sample.bytes(), seat, source.rng());
  source.finish();
  return sample;
}

std::string action_text(const State& state, const py::object& action) {
  const Index id = to_index(action, "action");
  return state.current_player() == kChance ? state.game->outcome_to_string(id)
                                           : state.game->action_to_string(id);
}

std::string action_text_of(const State& state, const py::object& player, const py::object& action) {
  const bool chance = state.game->seat_or_mark(player) == kChance;
  const Index id = to_index(action, "action");
  return chance ? state.game->outcome_to_string(id) : state.game->action_to_string(id);
}

// The same as action_text(), unless the seat does not see which outcome comes.
std::string observed_action_text(const State& state, const py::object& player,
                                 const py::object& action) {
  const Seat seat = state.game->seat(player);
  const std::string text = action_text(state, action);
  const bool hidden = state.current_player() == kChance &&
                      !state.ops().sees_outcome(state.game->rules, state.bytes(), seat);
  return hidden ? std::string(kHiddenOutcome) : text;
}

}  // namespace

LocalState state_from_bytes(const Game& game, py::handle bytes) {
  const std::string copy = copied_bytes(bytes);
  const std::span view(reinterpret_cast<const std::uint8_t*>(copy.data()), copy.size());
  const std::size_t header_size = game.header.size();
  if (view.size() < header_size || std::memcmp(view.data(), game.header.data(), header_size) != 0) {
    fail_header(game, view);
  }
  ByteReader reader(view.subspan(header_size));
  LocalState state(game);
  game.ops.decode(game.rules, reader, state.bytes());
  reader.finish();
  if (state.to_bytes() != copy) {
    throw PositionError("the bytes are not in order; a position has one form, that of to_bytes()");
  }
  return state;
}

LocalState state_from_dict(const Game& game, py::handle dict) {
  const Value value = to_value(dict, "position",
                               [](const std::string& sentence) { throw PositionError(sentence); });
  LocalState state(game);
  game.ops.from_dict(game.rules, value, state.bytes());
  return state;
}

void State::expect_chance_node(const char* call) const {
  if (current_player() == kChance) return;
  throw IllegalActionError(std::string(call) + " is for chance nodes; here " +
                           (current_player() == kTerminal ? "the game is over" : "a seat decides"));
}

bool State::is_legal(const Index& id) const {
  return id.below(std::numeric_limits<Action>::max()) &&
         ops().is_legal(game->rules, bytes(), static_cast<Action>(id.value));
}

void State::fail_illegal(const Index& action) const {
  const Seat player = current_player();
  const std::string id = action.written();
  if (player == kTerminal) {
    throw IllegalActionError("action " + id + " cannot be applied: the game is over");
  }
  if (player == kChance) {
    throw IllegalActionError("chance outcome " + id + " (" + game->outcome_to_string(action) +
                             ") is not possible here; chance_outcomes() lists what is");
  }
  throw IllegalActionError("action " + id + " (" + game->action_to_string(action) +
                           ") is not legal here; seat " + std::to_string(player) +
                           " is to act and legal_actions() lists what is");
}

void State::apply(py::handle action) {
  const Index id = to_index(action, "action");  // once: an __index__ may answer otherwise next time
  if (!is_legal(id)) fail_illegal(id);
  ops().apply(game->rules, bytes(), static_cast<Action>(id.value));
}

Action State::sample_chance(py::handle rng) const {
  expect_chance_node("sample_chance()");
  RandomSource source(rng);
  expect_chance_node("sample_chance()");  // again: the source may be Python code that moves states
  const Action outcome = ops().pick_outcome(game->rules, bytes(), source.rng());
  source.finish();
  return outcome;
}

void State::resolve_chance(py::handle rng) {
  RandomSource source(rng);
  LocalState resolved(*this);
  ops().resolve_chance(game->rules, resolved.bytes(), source.rng());
  source.finish();
  copy_from(resolved);
}

std::span<const Action> State::legal_ids(Seat player, IdRoom& room) const {
  if (player != current_player()) return {};
  const int count = ops().legal_ids(game->rules, bytes(), room.data());
  return {room.data(), static_cast<std::size_t>(count)};
}

std::vector<double> State::returns() const {
  std::vector<double> returns(static_cast<std::size_t>(game->players));
  ops().utilities(game->rules, bytes(), returns);
  return returns;
}

Seat State::observer(py::handle player) const {
  if (!player.is_none()) return game->seat(player);
  const Seat mover = current_player();
  if (mover >= 0) return mover;
  throw ArgumentError("player is None; no seat is to act here, so it must be 0.." +
                      std::to_string(game->players - 1));
}

std::string State::to_bytes() const {
  ByteWriter payload;
  ops().encode(game->rules, bytes(), payload);
  std::string all(game->header.begin(), game->header.end());
  all.append(payload.bytes().begin(), payload.bytes().end());
  return all;
}

std::string State::observation_string(py::handle player) const {
  std::string text;
  const Value view = ops().view(game->rules, bytes(), observer(player));
  for (const auto& [key, value] : *view.dict()) {
    text += (text.empty() ? "" : "\n") + key + ": " + to_json(value);
  }
  return text;
}

StateClass declare_state(const py::module_& module) {
  return {module, "State", py::is_final(), py::custom_type_setup(&set_up_state),
          "A position. Compared, hashed and copied by value; hash() changes as it moves.\n\n"
          "Each call with an example: see tabletop_core.protocol.State."};
}

void register_state(StateClass& bound) {
  // These and those of hot_calls.cpp are all that a state can do.
  bound.def(
           "get_game", [](const State& state) { return state.game; }, "The game of this position.")
      .def(
          "num_players", [](const State& state) { return state.game->players; },
          "The number of seats.")
      .def(
          "num_distinct_actions", [](const State& state) { return state.game->num_actions; },
          "The number of action ids of the game.")
      .def(
          "is_player_node", [](const State& state) { return state.current_player() >= 0; },
          "Whether a seat acts.")
      .def(
          "is_simultaneous_node", [](const State& /*state*/) { return false; },
          "False: here seats act one after another.")
      .def(
          "is_truncated",
          [](const State& state) {
            return state.ops().is_truncated(state.game->rules, state.bytes());
          },
          "Whether the game is over by a cap on its length.")
      .def("chance_outcomes", &chance_outcomes,
           "[(outcome, probability)], outcomes ascending.\n\n"
           "IllegalActionError where chance does not act.")
      .def("player_return", &player_return, py::arg("player"), "What returns() has for that seat.")
      .def("player_reward", &player_return, py::arg("player"), "What rewards() has for that seat.")
      .def("scores", &scores, "int64 (num_players,): points as the rulebook counts them.")
      .def("winners", &winners, "The seats that win or share the win; [] before the end.")
      .def("observation_tensor", &observation_tensor, py::arg("player") = py::none(),
           py::arg("out") = py::none(),
           "float32 (n,): what that seat, or the one to act, may know, by observation_fields.\n\n"
           "ArgumentError or ArgumentTypeError for another `out`.")
      .def(
          "observation_string",
          [](const State& state, const py::object& player) {
            return state.observation_string(player);
          },
          py::arg("player") = py::none(),
          "The same knowledge as text, one line `key: JSON` for each part.")
      .def("resample_from_infostate", &resample, py::arg("player"), py::arg("rng"),
           "A state drawn from those that this seat cannot tell from this one.\n\n"
           "rng is an Rng or a callable that returns floats in [0, 1).")
      .def(
          "to_dict",
          [](const State& state) {
            return to_python(state.ops().to_dict(state.game->rules, state.bytes()),
                             Lists::kAsLists);
          },
          "The whole position in plain dicts, lists, strs, ints and bools, as json takes them.")
      .def(
          "to_bytes", [](const State& state) { return py::bytes(state.to_bytes()); },
          "The whole position, after a header with format version, game, version and options.")
      .def("action_to_string", &action_text, py::arg("action"),
           "The text of a decision, at a chance node of an outcome.\n\n"
           "IllegalActionError for an id that does not exist.")
      .def("action_to_string", &action_text_of, py::arg("player"), py::arg("action"),
           "The text of an outcome for PlayerId.CHANCE, of a decision for every other player.")
      .def("observed_action_to_string", &observed_action_text, py::arg("player"), py::arg("action"),
           "The text of an action of this node as that seat may see it.")
      .def(
          "stable_hash", [](const State& state) { return state.stable_hash(); },
          "64 bits, the same in every process, build and platform.")
      .def("__str__",
           [](const State& state) {
             return state.ops().to_string(state.game->rules, state.bytes());
           })
      .def("__repr__",
           [](const State& state) {
             const std::string text = state.ops().to_string(state.game->rules, state.bytes());
             return "<State of " + text.substr(0, text.find('\n')) + ">";
           })
      // What goes out to Python is copied on the way.
      .def("__copy__", [](State& state) -> const State& { return state; })
      .def(
          "__deepcopy__",
          [](State& state, const py::dict& /*memo*/) -> const State& { return state; },
          py::arg("memo"))
      .def("__reduce__", [](const State& state) {
        return py::make_tuple(
            imported("tabletop_core._pickles", "make_state"),
            py::make_tuple(std::const_pointer_cast<Game>(state.game), py::bytes(state.to_bytes())));
      });
  seal(bound);
}

}  // namespace tabletop::python
