// The two bound classes: a game and a position of it. They check what comes in and pass it on.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <pybind11/pybind11.h>

#include "convert.hpp"
#include "tabletop/games.hpp"

namespace tabletop::python {

// A game with its options, immutable, shared by all of its positions.
class Game : public std::enable_shared_from_this<Game> {
 public:
  Game(const GameOps& game_ops, const Value::Dict& given_options);

  static std::shared_ptr<const Game> load(const std::string& name, const py::dict& options);

  // The decision or chance outcome of a text, or IllegalActionError.
  [[nodiscard]] Action action_from_string(const std::string& text) const;
  [[nodiscard]] Action outcome_from_string(const std::string& text) const;
  // The checked text of an id.
  [[nodiscard]] std::string action_to_string(py::handle action) const;
  [[nodiscard]] std::string outcome_to_string(py::handle outcome) const;

  // A seat of this game, or ArgumentError.
  [[nodiscard]] Seat seat(py::handle player) const;

  [[nodiscard]] std::string python_name(const Value::Dict& shown_options) const;

  bool operator==(const Game& other) const { return header == other.header; }

  const GameOps& ops;
  const std::shared_ptr<const void> owned_rules;
  const void* const rules;
  const Value::Dict options;
  const std::vector<ObservationField> fields;
  const int players;
  const int num_actions;
  const int num_outcomes;
  const int tensor_size;
  const std::vector<std::uint8_t> header;  // what to_bytes() begins with
  const std::uint64_t header_hash;

 private:
  using Names = std::unordered_map<std::string, Action>;
  mutable std::once_flag names_made_;
  mutable Names action_names_;
  mutable Names outcome_names_;
};

// A position: plain bytes beside the game that can read them.
class State {
 public:
  explicit State(std::shared_ptr<const Game> owner) : game(std::move(owner)) {
    game->ops.initial_state(game->rules, bytes);
  }

  [[nodiscard]] Seat current_player() const { return ops().current_player(game->rules, bytes); }
  [[nodiscard]] bool is_legal(py::handle action) const;
  // Applies a legal id; else IllegalActionError, and nothing is changed.
  void apply(py::handle action);
  void resolve_chance(Rng& rng);
  Action sample_chance(Rng& rng) const;
  // IllegalActionError that names the call, anywhere but at a chance node.
  void expect_chance_node(const char* call) const;

  [[nodiscard]] std::vector<Action> legal_actions(py::handle player) const;
  [[nodiscard]] std::vector<double> returns() const;
  [[nodiscard]] std::vector<std::uint8_t> to_bytes() const;
  [[nodiscard]] std::string observation_string(py::handle player) const;
  [[nodiscard]] std::uint64_t stable_hash() const {
    return ops().stable_hash(game->rules, bytes, game->header_hash);
  }

  bool operator==(const State& other) const {
    return (game == other.game || *game == *other.game) &&
           std::memcmp(bytes, other.bytes, ops().state_size) == 0;
  }

  [[nodiscard]] const GameOps& ops() const { return game->ops; }

  std::shared_ptr<const Game> game;
  alignas(8) std::uint8_t bytes[AllGames::kMaxStateSize] = {};

 private:
  [[noreturn]] void fail_illegal(py::handle action) const;
};

// Reads a position of the game from what to_bytes() gave, or PositionError.
State state_from_bytes(const std::shared_ptr<const Game>& game, py::handle bytes);
State state_from_dict(const std::shared_ptr<const Game>& game, py::handle dict);

// Calls are bound by lambdas that take references: an object that was made without its __init__ is
// then a TypeError, where a member function would be called on nothing.
// Without an __init__, __new__ would hand out an object with nothing in it.
template <class Class>
void forbid_new(const Class& bound) {
  reinterpret_cast<PyTypeObject*>(bound.ptr())->tp_new = [](PyTypeObject* type, PyObject* /*args*/,
                                                            PyObject* /*kwargs*/) -> PyObject* {
    PyErr_Format(PyExc_TypeError,
                 "%s cannot be made by hand; load_game() makes games, and games "
                 "make states",
                 type->tp_name);
    return nullptr;
  };
}

void register_errors(py::module_& module);
void register_rng(py::module_& module);
void register_game(py::module_& module);
void register_state(py::module_& module);
void register_runs(py::module_& module);

}  // namespace tabletop::python
