// The calls that a search makes at every node, and the Python object of a position.
#include "bound.hpp"
#include "raw_calls.hpp"

namespace tabletop::python {

namespace {

// What pybind11 knows of an object, and the state. Its bytes follow, as many as the game needs: one
// allocation for all.
struct StateObject {
  py::detail::instance head;
  alignas(State) std::byte place[sizeof(State)];
};

std::size_t size_of(const State& state) { return sizeof(StateObject) + state.ops().state_size; }

const State& state_of(PyObject* self) { return value_of<State>(self); }

PyObject* make_object(PyTypeObject* type, const State& state) {
  auto* const object = static_cast<StateObject*>(PyObject_Malloc(size_of(state)));
  if (object == nullptr) throw std::bad_alloc();
  PyObject_Init(reinterpret_cast<PyObject*>(object), type);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(object + 1);
  py::detail::instance& head = object->head;
  auto* const made = new (object->place) State(state.game, bytes);
  made->copy_from(state);
  head.simple_value_holder[0] = made;
  head.simple_value_holder[1] = nullptr;
  head.weakrefs = nullptr;
  head.owned = true;
  head.simple_layout = true;
  head.simple_holder_constructed = false;
  head.simple_instance_registered = false;
  head.has_patients = false;
  head.is_alias = false;
  return reinterpret_cast<PyObject*>(object);
}

void free_object(PyObject* self) {
  if (reinterpret_cast<py::detail::instance*>(self)->weakrefs != nullptr) {
    PyObject_ClearWeakRefs(self);
  }
  value_of<State>(self).~State();
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* size_in_memory(PyObject* self, PyObject* /*none*/) {
  return PyLong_FromSize_t(size_of(state_of(self)));
}

Py_hash_t hash_of(PyObject* self) {
  const py::scoped_critical_section held(self);
  const State& state = state_of(self);
  const std::uint64_t hash =
      hash64({state.bytes(), state.ops().state_size}, state.game->header_hash);
  return static_cast<Py_hash_t>(hash >> 3);  // never negative, as -1 would be an error
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (Py_TYPE(other) != Py_TYPE(self) || (operation != Py_EQ && operation != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  const py::scoped_critical_section held(self, other);
  return new_bool((state_of(self) == state_of(other)) == (operation == Py_EQ));
}

PyObject* current_player(PyObject* self, PyObject* /*none*/) {
  return PyLong_FromLong(state_of(self).current_player());
}

PyObject* is_terminal(PyObject* self, PyObject* /*none*/) {
  return new_bool(state_of(self).current_player() == kTerminal);
}

PyObject* is_chance_node(PyObject* self, PyObject* /*none*/) {
  return new_bool(state_of(self).current_player() == kChance);
}

// The int of an id.
PyObject* new_id(Action id) {
#ifdef Py_GIL_DISABLED
  return PyLong_FromLong(id);  // threads would be in each other's way at the counts of shared ones
#else
  static const auto ids = [] {
    std::array<PyObject*, AllGames::kMaxIds> made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = py::int_(i).release().ptr();
    }
    return made;
  }();
  return Py_NewRef(ids[static_cast<std::size_t>(id)]);
#endif
}

// The player that an optional argument names; whoever acts, if it names none.
Seat player_or_mover(const State& state, PyObject* player) {
  if (player == nullptr || player == Py_None) return state.current_player();
  return state.game->seat_or_mark(player);
}

PyObject* legal_actions(PyObject* self, PyObject* const* values, Py_ssize_t count,
                        PyObject* names) {
  static constexpr Parameters<1> kParameters{"legal_actions", {"player"}, 0};
  return or_error([&]() -> PyObject* {
    const State& state = state_of(self);
    const auto [player] = kParameters.read({values, count, names});
    IdRoom room;
    const std::span<const Action> ids = state.legal_ids(player_or_mover(state, player), room);
    PyObject* const list = PyList_New(static_cast<Py_ssize_t>(ids.size()));
    if (list == nullptr) return nullptr;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      PyObject* const id = new_id(ids[i]);
      if (id == nullptr) {
        Py_DECREF(list);
        return nullptr;
      }
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), id);
    }
    return list;
  });
}

PyObject* legal_actions_mask(PyObject* self, PyObject* const* values, Py_ssize_t count,
                             PyObject* names) {
  static constexpr Parameters<2> kParameters{"legal_actions_mask", {"player", "out"}, 0};
  return or_error([&] {
    const State& state = state_of(self);
    const auto [player, out] = kParameters.read({values, count, names});
    const Seat asked = player_or_mover(state, player);
    const bool named = player != nullptr && player != Py_None;
    const bool outcomes = named && asked == kChance;
    IdRoom room;
    std::span<const Action> ids;
    if (outcomes || asked >= 0) ids = state.legal_ids(asked, room);
    const int size = outcomes ? state.game->num_outcomes : state.game->num_actions;
    py::array_t<bool> mask = output_array<bool>(out, {size});
    bool* const flags = mask.mutable_data();
    std::fill_n(flags, size, false);
    for (const Action id : ids) flags[id] = true;
    return mask.release().ptr();
  });
}

PyObject* is_legal(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  static constexpr Parameters<1> kParameters{"is_legal", {"action"}};
  return or_error([&] {
    const auto [action] = kParameters.read({values, count, names});
    const Index id = to_index(action, "action");
    return new_bool(state_of(self).is_legal(id));
  });
}

PyObject* apply_action(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  static constexpr Parameters<1> kParameters{"apply_action", {"action"}};
  return or_error([&] {
    const auto [action] = kParameters.read({values, count, names});
    value_of<State>(self).apply(action);
    return new_none();
  });
}

PyObject* clone(PyObject* self, PyObject* /*none*/) {
  return or_error([&] { return make_object(Py_TYPE(self), state_of(self)); });
}

PyObject* child(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  static constexpr Parameters<1> kParameters{"child", {"action"}};
  return or_error([&] {
    const auto [action] = kParameters.read({values, count, names});
    const auto made = py::reinterpret_steal<py::object>(make_object(Py_TYPE(self), state_of(self)));
    value_of<State>(made.ptr()).apply(action);
    return py::object(made).release().ptr();
  });
}

PyObject* sample_chance(PyObject* self, PyObject* const* values, Py_ssize_t count,
                        PyObject* names) {
  static constexpr Parameters<1> kParameters{"sample_chance", {"rng"}};
  return or_error([&] {
    const auto [rng] = kParameters.read({values, count, names});
    return new_id(state_of(self).sample_chance(rng));
  });
}

PyObject* resolve_chance(PyObject* self, PyObject* const* values, Py_ssize_t count,
                         PyObject* names) {
  static constexpr Parameters<1> kParameters{"resolve_chance", {"rng"}};
  return or_error([&] {
    const auto [rng] = kParameters.read({values, count, names});
    value_of<State>(self).resolve_chance(rng);
    return new_none();
  });
}

PyObject* returns(PyObject* self, PyObject* /*none*/) {
  return or_error([&] {
    const State& state = state_of(self);
    py::array_t<double> utilities = new_array<double>({state.game->players});
    state.ops().utilities(state.game->rules, state.bytes(),
                          {utilities.mutable_data(), static_cast<std::size_t>(utilities.size())});
    return utilities.release().ptr();
  });
}

PyMethodDef hot_calls[] = {
    raw_method<&current_player>("current_player",
                                "current_player($self, /)\n--\n\n"
                                "The seat to act, PlayerId.CHANCE or PlayerId.TERMINAL."),
    raw_method<&is_terminal>("is_terminal",
                             "is_terminal($self, /)\n--\n\n"
                             "Whether the game is over."),
    raw_method<&is_chance_node>("is_chance_node",
                                "is_chance_node($self, /)\n--\n\n"
                                "Whether chance acts."),
    raw_method<&legal_actions>(
        "legal_actions",
        "legal_actions($self, /, player=None)\n--\n\n"
        "Ascending ids of who acts, at a chance node the outcomes; [] for a player who does not\n"
        "act. ArgumentError for a seat that does not exist."),
    raw_method<&legal_actions_mask>(
        "legal_actions_mask",
        "legal_actions_mask($self, /, player=None, out=None)\n--\n\n"
        "bool (num_distinct_actions,): True where an id is legal; for PlayerId.CHANCE bool\n"
        "(max_chance_outcomes,). ArgumentError or ArgumentTypeError for another `out`."),
    raw_method<&is_legal>("is_legal",
                          "is_legal($self, /, action)\n--\n\n"
                          "Whether apply_action(action) would be accepted; False for unknown ids."),
    raw_method<&apply_action>(
        "apply_action",
        "apply_action($self, /, action)\n--\n\n"
        "One decision or chance outcome; on IllegalActionError nothing is changed."),
    raw_method<&clone>("clone",
                       "clone($self, /)\n--\n\n"
                       "An equal state that moves by itself."),
    raw_method<&child>(
        "child",
        "child($self, /, action)\n--\n\n"
        "The state after the action; this one stays. IllegalActionError as of apply_action()."),
    raw_method<&sample_chance>("sample_chance",
                               "sample_chance($self, /, rng)\n--\n\n"
                               "One outcome by its probability; the state does not change.\n"
                               "IllegalActionError where chance does not act."),
    raw_method<&resolve_chance>("resolve_chance",
                                "resolve_chance($self, /, rng)\n--\n\n"
                                "Applies outcomes until somebody must decide or the game is over."),
    raw_method<&returns>("returns",
                         "returns($self, /)\n--\n\n"
                         "float64 (num_players,): utilities; zeros before the end."),
    raw_method<&returns>("rewards",
                         "rewards($self, /)\n--\n\n"
                         "The same as returns(): all reward comes at the end."),
    raw_method<&size_in_memory>("__sizeof__",
                                "__sizeof__($self, /)\n--\n\n"
                                "The bytes of memory that the object takes, for sys.getsizeof()."),
    {},
};

}  // namespace

py::object new_state(const State& state) {
  static PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(py::type::of<State>().ptr());
  return py::reinterpret_steal<py::object>(make_object(type, state));
}

LocalState copy_of(py::handle state) {
  const py::scoped_critical_section held(state);
  return LocalState(state_of(state.ptr()));
}

void set_up_state(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_basicsize = sizeof(StateObject);
  type.tp_new = &refuse_to_make;
  type.tp_dealloc = &free_object;
  type.tp_hash = &hash_of;
  type.tp_richcompare = &compare;
  type.tp_methods = hot_calls;
}

}  // namespace tabletop::python
