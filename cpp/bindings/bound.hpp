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
  // The text of an id, or IllegalActionError.
  [[nodiscard]] std::string action_to_string(const Index& action) const;
  [[nodiscard]] std::string outcome_to_string(const Index& outcome) const;

  // A seat of this game, or ArgumentError.
  [[nodiscard]] Seat seat(py::handle player) const;
  // The same, or one of the marks kChance and kTerminal.
  [[nodiscard]] Seat seat_or_mark(py::handle player) const;

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
  explicit State(const Game& owner) : game(owner.shared_from_this()) {
    game->ops.initial_state(game->rules, bytes);
  }

  [[nodiscard]] Seat current_player() const { return ops().current_player(game->rules, bytes); }
  [[nodiscard]] bool is_legal(const Index& action) const;
  // Applies a legal id; else IllegalActionError, and nothing is changed.
  void apply(py::handle action);
  void resolve_chance(Rng& rng);
  Action sample_chance(Rng& rng) const;
  // IllegalActionError that names the call, anywhere but at a chance node.
  void expect_chance_node(const char* call) const;

  // What a player may do, or chance: nothing, unless it is the one to act.
  [[nodiscard]] std::vector<Action> legal_actions(Seat player) const;
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
  [[noreturn]] void fail_illegal(const Index& action) const;
};

// Reads a position of the game from what to_bytes() gave, or PositionError.
State state_from_bytes(const Game& game, py::handle bytes);
State state_from_dict(const Game& game, py::handle dict);

// What py::class_ takes to set the __new__ of a class. The one of pybind11 makes objects with
// nothing in them.
inline py::custom_type_setup made_by(newfunc make) {
  return py::custom_type_setup([make](PyHeapTypeObject* type) { type->ht_type.tp_new = make; });
}

// For classes that are not made by calling them.
PyObject* refuse_to_make(PyTypeObject* type, PyObject* args, PyObject* kwargs);

// To be called when a class is complete. No object can be given another class then: each is what
// its class says.
template <class Class>
void seal(const Class& bound) {
  auto* const type = reinterpret_cast<PyTypeObject*>(bound.ptr());
  type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(type);
}

void register_errors(py::module_& module);
void register_rng(py::module_& module);
void register_game(py::module_& module);
void register_state(py::module_& module);
void register_runs(py::module_& module);

}  // namespace tabletop::python
