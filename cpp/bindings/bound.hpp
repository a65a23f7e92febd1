// The two bound classes: a game and a position of it. They check what comes in and pass it on.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <pybind11/critical_section.h>
#include <pybind11/pybind11.h>

#include "convert.hpp"
#include "tabletop/games.hpp"

namespace tabletop::python {

static_assert(sizeof(std::size_t) >= sizeof(std::int64_t), "sizes are computed in 64 bits");

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
  struct Names {
    std::unordered_map<std::string, Action> actions;
    std::unordered_map<std::string, Action> outcomes;
  };
  [[nodiscard]] const Names& names() const;

  mutable std::once_flag names_made_;  // when first asked for
  mutable Names names_;
};

// Room for the ids that can be applied at one node.
using IdRoom = std::array<Action, AllGames::kMaxIds>;

// A position: plain bytes, wherever they lie, beside the game that can read them.
class State {
 public:
  State(std::shared_ptr<const Game> owner, std::uint8_t* place)
      : game(std::move(owner)), bytes_(place) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() = default;

  // Becomes what another state of the same game is.
  void copy_from(const State& other) { std::memcpy(bytes(), other.bytes(), ops().state_size); }

  [[nodiscard]] Seat current_player() const { return ops().current_player(game->rules, bytes()); }
  [[nodiscard]] bool is_legal(const Index& id) const;
  // Applies a legal id; else IllegalActionError, and nothing is changed.
  void apply(py::handle action);
  [[nodiscard]] Action sample_chance(py::handle rng) const;
  void resolve_chance(py::handle rng);
  // A seat of the game, for None the one that is to act; else ArgumentError.
  [[nodiscard]] Seat observer(py::handle player) const;
  // IllegalActionError that names the call, anywhere but at a chance node.
  void expect_chance_node(const char* call) const;

  // What a player may do, or chance: nothing, unless it is the one to act.
  std::span<const Action> legal_ids(Seat player, IdRoom& room) const;
  [[nodiscard]] std::vector<double> returns() const;
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] std::string observation_string(py::handle player) const;
  [[nodiscard]] std::uint64_t stable_hash() const {
    return ops().stable_hash(game->rules, bytes(), game->header_hash);
  }

  bool operator==(const State& other) const {
    return (game == other.game || *game == *other.game) &&
           std::memcmp(bytes(), other.bytes(), ops().state_size) == 0;
  }

  [[nodiscard]] const GameOps& ops() const { return game->ops; }

  [[nodiscard]] const std::uint8_t* bytes() const { return bytes_; }
  [[nodiscard]] std::uint8_t* bytes() { return bytes_; }

  const std::shared_ptr<const Game> game;

 private:
  [[noreturn]] void fail_illegal(const Index& action) const;

  std::uint8_t* const bytes_;
};

// A state with room of its own, for as long as a call takes.
class LocalState : public State {
 public:
  explicit LocalState(const Game& owner) : State(owner.shared_from_this(), room_) {
    game->ops.initial_state(game->rules, bytes());
  }
  explicit LocalState(const State& other) : State(other.game, room_) { copy_from(other); }
  LocalState(const LocalState& other) : LocalState(static_cast<const State&>(other)) {}
  LocalState& operator=(const LocalState&) = delete;
  ~LocalState() = default;

 private:
  alignas(std::uint64_t) std::uint8_t room_[AllGames::kMaxStateSize];
};

// A new Python object of a position.
py::object new_state(const State& state);

// A copy of the position in a Python object, which is none of another thread's half-made moves.
LocalState copy_of(py::handle state);

// Reads a position of the game from what to_bytes() gave, or PositionError.
LocalState state_from_bytes(const Game& game, py::handle bytes);
LocalState state_from_dict(const Game& game, py::handle dict);

// For classes that are not made by calling them; the __new__ of pybind11 makes objects with nothing
// in them.
PyObject* refuse_to_make(PyTypeObject* type, PyObject* args, PyObject* kwargs);

// Gives the class of the positions, before it is completed, its layout and the calls that a search
// makes at every node.
void set_up_state(PyHeapTypeObject* heap_type);

// To be called when a class is complete. No object can be given another class then: each is what
// its class says.
template <class Class>
void seal(const Class& bound) {
  auto* const type = reinterpret_cast<PyTypeObject*>(bound.ptr());
  type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
  PyType_Modified(type);
}

using GameClass = py::class_<Game, py::smart_holder>;
using StateClass = py::class_<State>;

// Both classes come before their methods, whose signatures tell them by name.
GameClass declare_game(const py::module_& module);
StateClass declare_state(const py::module_& module);

void register_errors(py::module_& module);
void register_rng(const py::module_& module);
void register_game(py::module_& module, GameClass& bound);
void register_state(StateClass& bound);
void register_runs(py::module_& module);
void register_batch(py::module_& module);

}  // namespace tabletop::python

// Whatever returns a state to Python makes it by new_state(). One that comes as an argument is held
// during the call, where there is no GIL.
template <>
class pybind11::detail::type_caster<tabletop::python::State>
    : public type_caster_base<tabletop::python::State> {
 public:
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): pybind11 calls this one
  bool load(handle source, bool convert) {
    if (!type_caster_base::load(source, convert)) return false;
    held_.emplace(source);
    return true;
  }

  static handle cast(const tabletop::python::State& state, return_value_policy /*policy*/,
                     handle /*parent*/) {
    return tabletop::python::new_state(state).release();
  }

 private:
  std::optional<scoped_critical_section> held_;
};

template <>
class pybind11::detail::type_caster<tabletop::python::LocalState>
    : public type_caster<tabletop::python::State> {};
