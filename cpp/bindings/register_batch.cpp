#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>

#include "bound.hpp"
#include "raw_calls.hpp"
#include "tabletop/batch.hpp"
#include "tabletop/team.hpp"

namespace tabletop::python {

namespace {

constexpr std::int64_t kMaxLanes = std::int64_t{1} << 24;
constexpr std::size_t kLot = 64;  // lanes that a thread takes at a time

class Batch {
 public:
  Batch(std::shared_ptr<const Game> owner, std::size_t count, std::size_t workers, bool restart)
      : game(std::move(owner)),
        lanes_count(count),
        team(workers),
        auto_restart(restart),
        seats_(static_cast<std::size_t>(game->players)),
        states_(count * game->ops.state_size),
        legal_(count * game->ops.mask_words),
        rngs_(count, Rng(0)),
        players_(count, kTerminal),
        rewards_(count * seats_),
        returns_(count * seats_),
        terminated_(std::make_unique<bool[]>(count)),
        truncated_(std::make_unique<bool[]>(count)) {}

  [[nodiscard]] Lanes lanes() {
    return {states_.data(),  legal_.data(),   rngs_.data(),      players_.data(),
            rewards_.data(), returns_.data(), terminated_.get(), truncated_.get()};
  }

  [[nodiscard]] const GameOps& ops() const { return game->ops; }
  [[nodiscard]] std::uint8_t* state(std::size_t i) { return states_.data() + i * ops().state_size; }
  [[nodiscard]] State position(std::size_t i) { return {game, state(i)}; }

  // Runs work(range) over all lanes without the GIL.
  template <class Work>
  void over_lanes(const Work& work) {
    without_gil([&] {
      team.share_out(0, lanes_count, kLot,
                     [&](std::size_t first, std::size_t count) { work(LaneRange{first, count}); });
    });
  }

  void seed_lanes(std::uint64_t seed) {
    for (std::size_t i = 0; i < lanes_count; ++i) rngs_[i] = Rng(seed).split(i);
  }

  // Lane i becomes what lane `from` of the other batch is.
  void copy_lane(std::size_t i, Batch& other, std::size_t from) {
    const auto rows = [&](auto& mine, auto& theirs, std::size_t width) {
      std::copy_n(&theirs[0] + from * width, width, &mine[0] + i * width);
    };
    rows(states_, other.states_, ops().state_size);
    rows(legal_, other.legal_, ops().mask_words);
    rows(rngs_, other.rngs_, 1);
    rows(players_, other.players_, 1);
    rows(rewards_, other.rewards_, seats_);
    rows(returns_, other.returns_, seats_);
    rows(terminated_, other.terminated_, 1);
    rows(truncated_, other.truncated_, 1);
  }

  // A lane that has been given another position.
  void arrive(std::size_t i) {
    std::fill_n(rewards_.data() + i * seats_, seats_, 0.0);
    terminated_[i] = truncated_[i] = false;
    ops().lanes_arrive(game->rules, lanes(), i);
  }

  const std::shared_ptr<const Game> game;
  const std::size_t lanes_count;
  Team team;
  const bool auto_restart;
  std::atomic<bool> busy = false;

 private:
  std::size_t seats_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint64_t> legal_;
  std::vector<Rng> rngs_;
  std::vector<Seat> players_;
  std::vector<double> rewards_;
  std::vector<double> returns_;
  std::unique_ptr<bool[]> terminated_;
  std::unique_ptr<bool[]> truncated_;
};

// Holds a batch for one call: another thread that comes meanwhile is told, instead of let in.
class InUse {
 public:
  explicit InUse(Batch& batch) : batch_(batch) {
    if (batch.busy.exchange(true)) {
      throw ArgumentError(
          "the batch is in use by another thread, or was when this process was forked; a batch "
          "belongs to one thread at a time");
    }
  }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() { batch_.busy = false; }

 private:
  Batch& batch_;
};

py::ssize_t rows(const Batch& batch) { return static_cast<py::ssize_t>(batch.lanes_count); }

// What the batch holds, for reading only; it is seen as it is now, whenever it is looked at.
template <class T>
py::array view(const py::object& owner, const T* data, std::vector<py::ssize_t> shape) {
  py::array array(py::dtype::of<T>(), std::move(shape), {}, data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

// A property that is a view: one entry per lane, or one row of seats.
template <class T>
auto lanes_view(T* Lanes::* array, bool by_seat) {
  return [array, by_seat](const py::object& owner) {
    auto& batch = owner.cast<Batch&>();
    std::vector<py::ssize_t> shape{rows(batch)};
    if (by_seat) shape.push_back(batch.game->players);
    return view(owner, batch.lanes().*array, std::move(shape));
  };
}

std::unique_ptr<Batch> make_batch(const py::object& game, const py::object& num_lanes,
                                  const py::object& seed, const py::object& threads,
                                  const py::object& auto_restart) {
  if (!py::isinstance<Game>(game)) {
    throw ArgumentTypeError("game is " + shown(game) + "; it must be a Game");
  }
  const auto count = static_cast<std::size_t>(to_count(num_lanes, "num_lanes", 1, kMaxLanes));
  const auto workers = static_cast<std::size_t>(to_count(threads, "threads", 1, Team::kMaxSize));
  const std::uint64_t first_seed = to_u64(seed, "seed");
  if (!PyBool_Check(auto_restart.ptr())) {
    throw ArgumentTypeError("auto_restart is " + shown(auto_restart) + "; it must be a bool");
  }
  auto batch = std::make_unique<Batch>(game.cast<std::shared_ptr<const Game>>(), count, workers,
                                       auto_restart.ptr() == Py_True);
  batch->seed_lanes(first_seed);
  batch->over_lanes([&](LaneRange range) {
    batch->ops().lanes_start(batch->game->rules, batch->lanes(), range);
  });
  return batch;
}

// Anything with __index__, one by one, as an array of 64 bits.
py::array_t<std::int64_t> indices(const py::array& objects, const std::string& what) {
  const py::list list = objects.attr("tolist")();
  py::array_t<std::int64_t> numbers(objects.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = what + "[" + std::to_string(i) + "]";
    const Index index = to_index(list[i], place.c_str());
    numbers.mutable_data()[i] = index.fits ? index.value : std::numeric_limits<std::int64_t>::max();
  }
  return numbers;
}

// Integers in 64 bits. Those that do not fit are the largest that does, which is no action and no
// lane.
struct WholeNumbers {
  py::array given;
  py::array_t<std::int64_t> fitted;

  // Number i as it was given.
  [[nodiscard]] Index at(std::size_t i) const {
    const std::int64_t number = fitted.data()[i];
    if (number < std::numeric_limits<std::int64_t>::max()) {
      return {.fits = true, .value = number, .text = {}};
    }
    return to_index(given.attr("item")(i), "a number");
  }
};

// An array of integers, of `size` entries if that is given.
WholeNumbers whole_numbers(const py::object& given, const char* what,
                           std::optional<py::ssize_t> size) {
  const auto& numpy = py::detail::npy_api::get();
  const auto array = py::reinterpret_steal<py::array>(or_stop([&] {
    return numpy.PyArray_FromAny_(given.ptr(), nullptr, 0, 0,
                                  py::detail::npy_api::NPY_ARRAY_ENSUREARRAY_, nullptr);
  }));
  if (!array) forget_error();
  const bool empty = array && array.size() == 0;
  const bool objects = array && array.ndim() > 0 && array.dtype().kind() == 'O';
  if (!array ||
      (!empty && !objects && array.dtype().kind() != 'i' && array.dtype().kind() != 'u')) {
    throw ArgumentTypeError(std::string(what) + " is " + shown(given) +
                            "; it must be an array of integers");
  }
  if (array.ndim() != 1 || (size && array.shape(0) != *size)) {
    throw ArgumentError(std::string(what) + " has the shape " + shown(array.attr("shape")) +
                        "; it must be (" + (size ? std::to_string(*size) : "n") + ",)");
  }
  if (objects) return {array, indices(array, what)};
  constexpr int kPlain =
      py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  auto numbers = py::array_t<std::int64_t, kPlain>::ensure(array);
  if (!numbers) throw std::bad_alloc();
  if (!empty && array.dtype().kind() == 'u' && array.itemsize() == sizeof(std::int64_t)) {
    // This is a copy, and a number from 2**63 on is a negative one in it.
    const std::span copy(numbers.mutable_data(), static_cast<std::size_t>(numbers.size()));
    const auto negative = [](std::int64_t number) { return number < 0; };
    std::ranges::replace_if(copy, negative, std::numeric_limits<std::int64_t>::max());
  }
  return {array, numbers};
}

[[noreturn]] void fail_action(Batch& batch, std::size_t lane, const Index& id) {
  const std::string seat = std::to_string(batch.lanes().players[lane]);
  std::string name;
  if (id.below(batch.game->num_actions)) name = " (" + batch.game->action_to_string(id) + ")";
  throw IllegalActionError("action " + id.written() + name + " is not legal in lane " +
                           std::to_string(lane) + "; seat " + seat +
                           " is to act there and legal_actions_mask() shows what is");
}

void step(Batch& batch, const py::object& actions) {
  const InUse use(batch);
  const WholeNumbers given = whole_numbers(actions, "actions", rows(batch));
  const std::span<const std::int64_t> ids(given.fitted.data(), batch.lanes_count);
  const Lanes lanes = batch.lanes();
  std::vector<Action> narrow(batch.lanes_count);
  std::ranges::transform(ids, narrow.begin(), [&](std::int64_t id) {
    return id < 0 || id >= batch.game->num_actions ? Action{-1} : static_cast<Action>(id);
  });
  const LaneRange all{0, batch.lanes_count};
  const std::size_t wrong =
      batch.ops().lanes_first_illegal(batch.game->rules, lanes, narrow.data(), all);
  if (wrong != all.end()) fail_action(batch, wrong, given.at(wrong));
  batch.over_lanes([&](LaneRange range) {
    batch.ops().lanes_step(batch.game->rules, lanes, narrow.data(), batch.auto_restart, range);
  });
}

py::array_t<std::int32_t> sample_legal_actions(Batch& batch, const py::object& out) {
  const InUse use(batch);
  auto actions = output_array<std::int32_t>(out, {rows(batch)});
  std::int32_t* const data = actions.mutable_data();
  const Lanes lanes = batch.lanes();
  batch.over_lanes(
      [&](LaneRange range) { batch.ops().lanes_sample(batch.game->rules, lanes, data, range); });
  return actions;
}

py::array_t<bool> legal_actions_mask(Batch& batch, const py::object& out) {
  const InUse use(batch);
  auto masks = output_array<bool>(out, {rows(batch), batch.game->num_actions});
  bool* const data = masks.mutable_data();
  const Lanes lanes = batch.lanes();
  const auto ids = static_cast<std::size_t>(batch.game->num_actions);
  batch.over_lanes([&](LaneRange range) {
    batch.ops().lanes_masks(batch.game->rules, lanes, ids, data, range);
  });
  return masks;
}

py::array_t<float> observation_tensor(Batch& batch, const py::object& player,
                                      const py::object& out) {
  const InUse use(batch);
  std::vector<Seat> seats;
  if (!player.is_none()) seats.assign(batch.lanes_count, batch.game->seat(player));
  auto tensor = output_array<float>(out, {rows(batch), batch.game->tensor_size});
  float* const data = tensor.mutable_data();
  const Lanes lanes = batch.lanes();
  const Seat* const who = seats.empty() ? lanes.players : seats.data();
  const auto size = static_cast<std::size_t>(batch.game->tensor_size);
  batch.over_lanes([&](LaneRange range) {
    batch.ops().lanes_observe(batch.game->rules, lanes, who, data, size, range);
  });
  return tensor;
}

// --- Single lanes --------------------------------------------------------------------------------

std::size_t lane_of(const Batch& batch, const Index& index) {
  const auto count = static_cast<std::int64_t>(batch.lanes_count);
  if (index.fits && index.value >= -count && index.value < count) {
    return static_cast<std::size_t>(index.value < 0 ? index.value + count : index.value);
  }
  throw LaneError("lane " + index.written() + " does not exist; the batch has " +
                  std::to_string(count) + " lanes");
}

LocalState get_lane(Batch& batch, const py::object& lane) {
  const InUse use(batch);
  return LocalState(batch.position(lane_of(batch, to_index(lane, "lane"))));
}

void set_lane(Batch& batch, const py::object& lane, const py::object& value) {
  const InUse use(batch);
  const std::size_t i = lane_of(batch, to_index(lane, "lane"));
  if (!py::isinstance<State>(value)) {
    throw ArgumentTypeError("the lane is set to " + shown(value) + "; it must be a State");
  }
  const LocalState state = copy_of(value);
  if (state.game != batch.game && !(*state.game == *batch.game)) {
    throw ArgumentError("the state is one of " + state.game->python_name(state.game->options) +
                        "; it must be one of the batch's game, " +
                        batch.game->python_name(batch.game->options));
  }
  batch.position(i).copy_from(state);
  batch.arrive(i);
}

std::unique_ptr<Batch> copied(Batch& batch) {
  const InUse use(batch);
  auto copy =
      std::make_unique<Batch>(batch.game, batch.lanes_count, batch.team.size(), batch.auto_restart);
  for (std::size_t i = 0; i < copy->lanes_count; ++i) copy->copy_lane(i, batch, i);
  return copy;
}

std::unique_ptr<Batch> fork(Batch& batch, const py::object& lanes, const py::object& seed) {
  const InUse use(batch);
  const WholeNumbers chosen = whole_numbers(lanes, "lanes", std::nullopt);
  if (chosen.fitted.size() == 0)
    throw ArgumentError("lanes is empty; it must name at least one lane");
  const auto count = to_count(py::int_(chosen.fitted.size()), "the number of lanes", 1, kMaxLanes);
  auto copy = std::make_unique<Batch>(batch.game, static_cast<std::size_t>(count),
                                      batch.team.size(), batch.auto_restart);
  for (std::size_t i = 0; i < copy->lanes_count; ++i) {
    copy->copy_lane(i, batch, lane_of(batch, chosen.at(i)));
  }
  if (!seed.is_none()) copy->seed_lanes(to_u64(seed, "seed"));
  return copy;
}

// --- Pickle: every position in its own bytes, which are checked when they come back --------------

template <class T>
py::list listed(const T* entries, std::size_t count) {
  py::list list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = py::cast(entries[i]);
  return list;
}

py::tuple pickled(Batch& batch) {
  const InUse use(batch);
  const Lanes lanes = batch.lanes();
  py::list states, rngs;
  for (std::size_t i = 0; i < batch.lanes_count; ++i) {
    states.append(py::bytes(batch.position(i).to_bytes()));
    rngs.append(lanes.rngs[i].state());
  }
  const std::size_t count = batch.lanes_count;
  const auto seats = static_cast<std::size_t>(batch.game->players);
  return py::make_tuple(batch.game, batch.team.size(), batch.auto_restart, states, rngs,
                        listed(lanes.rewards, count * seats), listed(lanes.returns, count * seats),
                        listed(lanes.terminated, count), listed(lanes.truncated, count));
}

// A list of so many entries out of a pickle.
py::list saved_list(const py::object& saved, const char* what, std::size_t count) {
  if (!PyList_Check(saved.ptr())) {
    throw ArgumentTypeError(std::string(what) + " of the batch is " + shown(saved) +
                            "; it must be a list");
  }
  auto list = py::reinterpret_borrow<py::list>(saved);
  if (list.size() != count) {
    throw ArgumentError(std::string(what) + " of the batch has " + std::to_string(list.size()) +
                        " entries; it must have " + std::to_string(count));
  }
  return list;
}

template <class T>
void copy_back(const py::object& saved, const char* what, T* to, std::size_t count) {
  const py::list list = saved_list(saved, what, count);
  for (std::size_t i = 0; i < count; ++i) {
    const py::object entry = list[i];
    const bool fits =
        std::is_same_v<T, bool> ? PyBool_Check(entry.ptr()) : PyFloat_CheckExact(entry.ptr());
    if (!fits) {
      throw ArgumentTypeError(std::string(what) + " of the batch holds " + shown(entry) +
                              "; it must hold " + (std::is_same_v<T, bool> ? "bools" : "floats"));
    }
    to[i] = entry.cast<T>();
  }
}

py::object unpickled(const py::object& game, const py::object& threads,
                     const py::object& auto_restart, const py::object& states,
                     const py::object& rngs, const py::object& rewards, const py::object& returns,
                     const py::object& terminated, const py::object& truncated) {
  const std::size_t count = PyList_Check(states.ptr()) ? py::len(states) : 0;
  const py::list saved_states = saved_list(states, "states", count);
  const py::list saved_rngs = saved_list(rngs, "rngs", count);
  auto batch = make_batch(game, py::int_(count), py::int_(0), threads, auto_restart);
  const Lanes lanes = batch->lanes();
  for (std::size_t i = 0; i < count; ++i) {
    const LocalState state = state_from_bytes(*batch->game, py::object(saved_states[i]));
    lanes.rngs[i] = Rng(to_u64(py::object(saved_rngs[i]), "the state of a generator"));
    batch->position(i).copy_from(state);
    batch->arrive(i);
  }
  const auto seats = static_cast<std::size_t>(batch->game->players);
  copy_back(rewards, "rewards", lanes.rewards, count * seats);
  copy_back(returns, "returns", lanes.returns, count * seats);
  copy_back(terminated, "terminated", lanes.terminated, count);
  copy_back(truncated, "truncated", lanes.truncated, count);
  return py::cast(std::move(batch));
}

// Makes a whole batch, as there would otherwise be one without lanes between __new__ and __init__.
PyObject* new_batch(PyTypeObject* /*type*/, PyObject* args, PyObject* kwargs) {
  const char* const names[] = {"game", "num_lanes", "seed", "threads", "auto_restart", nullptr};
  PyObject *game = nullptr, *num_lanes = nullptr;
  PyObject *seed = nullptr, *threads = nullptr, *auto_restart = Py_True;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OOO:Batch", const_cast<char**>(names), &game,
                                  &num_lanes, &seed, &threads, &auto_restart) == 0) {
    return nullptr;
  }
  const auto given = [](PyObject* object, int otherwise) {
    return object != nullptr ? py::reinterpret_borrow<py::object>(object) : py::int_(otherwise);
  };
  return or_error([&] {
    return py::cast(make_batch(given(game, 0), given(num_lanes, 0), given(seed, 0),
                               given(threads, 1), py::reinterpret_borrow<py::object>(auto_restart)))
        .release()
        .ptr();
  });
}

void set_up_batch(PyHeapTypeObject* heap_type) {
  heap_type->ht_type.tp_new = &new_batch;
  heap_type->ht_type.tp_iter = &PySeqIter_New;
}

}  // namespace

void register_batch(py::module_& module) {
  module.def("_restore_batch", &unpickled);
  py::class_<Batch> bound(
      module, "Batch", py::is_final(), py::custom_type_setup(&set_up_batch),
      "Many games of one kind side by side, stepped together in native code.\n\n"
      "Chance is resolved inside; lane i draws from Rng(seed).split(i), so results do not depend\n"
      "on the number of threads. A lane whose game ends begins the next one at once, unless\n"
      "auto_restart is False; then it stays at the end, and step() passes over it. The arrays are\n"
      "read-only views of the lanes as they are now. A batch belongs to one thread at a time.\n\n"
      ">>> batch = Batch(load_game('indigo'), 4, seed=7)\n"
      ">>> batch.step(batch.sample_legal_actions())\n"
      ">>> batch.current_players.tolist()\n[1, 1, 1, 1]");
  bound
      .def(py::init(&make_batch), py::arg("game"), py::arg("num_lanes"), py::arg("seed") = 0,
           py::arg("threads") = 1, py::arg("auto_restart") = true)
      .def_property_readonly(
          "game", [](const Batch& batch) { return batch.game; }, "The game of all lanes.")
      .def_property_readonly(
          "threads", [](const Batch& batch) { return batch.team.size(); },
          "The number of threads that share the lanes.")
      .def_property_readonly(
          "auto_restart", [](const Batch& batch) { return batch.auto_restart; },
          "Whether a lane begins the next game as soon as one ends.")
      .def_property_readonly("current_players", lanes_view(&Lanes::players, false),
                             "int32 (lanes,): the seat to act; PlayerId.TERMINAL at the end.")
      .def_property_readonly("rewards", lanes_view(&Lanes::rewards, true),
                             "float64 (lanes, seats): what the last step() brought.")
      .def_property_readonly(
          "returns", lanes_view(&Lanes::returns, true),
          "float64 (lanes, seats): utilities of the game that ended last in the lane.")
      .def_property_readonly("terminated", lanes_view(&Lanes::terminated, false),
                             "bool (lanes,): whether the last step() ended a game.")
      .def_property_readonly("truncated", lanes_view(&Lanes::truncated, false),
                             "bool (lanes,): whether it ended it by a cap on its length.")
      .def_property_readonly(
          "states",
          [](const py::object& owner) {
            auto& batch = owner.cast<Batch&>();
            const auto size = static_cast<py::ssize_t>(batch.ops().state_size);
            return view(owner, batch.state(0), {rows(batch), size});
          },
          "uint8 (lanes, bytes): the engine's own memory; equal rows are equal positions.")
      .def("step", &step, py::arg("actions"),
           "One legal action per lane, int (lanes,); those of finished lanes are not looked at.\n\n"
           "On IllegalActionError, which names lane and action, no lane has moved. The GIL is\n"
           "released.")
      .def("sample_legal_actions", &sample_legal_actions, py::arg("out") = py::none(),
           "int32 (lanes,): a uniform legal action by each lane's generator; -1 at the end.")
      .def("legal_actions_mask", &legal_actions_mask, py::arg("out") = py::none(),
           "bool (lanes, num_distinct_actions): True where an id is legal.")
      .def("observation_tensor", &observation_tensor, py::arg("player") = py::none(),
           py::arg("out") = py::none(),
           "float32 (lanes, size): what the seat to act knows, or the given player.\n\n"
           "Rows of finished lanes are zero unless a player is given.")
      .def("fork", &fork, py::arg("lanes"), py::arg("seed") = py::none(),
           "A new batch of copies of these lanes, which may occur more than once.\n\n"
           "The generators are copied as well; with a seed, new lane j draws from\n"
           "Rng(seed).split(j).")
      .def("__len__", [](const Batch& batch) { return batch.lanes_count; })
      .def("__getitem__", &get_lane, py::arg("lane"), "A copy of the position of a lane.")
      .def("__setitem__", &set_lane, py::arg("lane"), py::arg("state"),
           "Puts a position into a lane; chance is resolved by the lane's generator.")
      .def("__copy__", &copied)
      .def(
          "__deepcopy__", [](Batch& batch, const py::dict& /*memo*/) { return copied(batch); },
          py::arg("memo"))
      .def("__reduce__", [](Batch& batch) {
        const py::object restore = imported("tabletop_core._pickles", "make_batch");
        return py::make_tuple(restore, pickled(batch));
      });
  seal(bound);
}

}  // namespace tabletop::python
