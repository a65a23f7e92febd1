#include "bound.hpp"
#include "tabletop/team.hpp"

namespace tabletop::python {

namespace {

constexpr std::int64_t kMaxPlayouts = std::int64_t{1} << 32;
constexpr std::size_t kLot = 16;  // playouts that a thread takes at a time
constexpr int kMaxPerftDepth = 10'000;

LocalState start_of(py::handle state_or_game) {
  if (py::isinstance<State>(state_or_game)) return copy_of(state_or_game);
  if (py::isinstance<Game>(state_or_game)) {
    return LocalState(state_or_game.cast<const Game&>());
  }
  throw ArgumentTypeError("state_or_game is " + shown(state_or_game) +
                          "; it must be a State or a Game");
}

void check_policy(const py::object& policy) {
  if (to_text(policy, "policy") != "uniform") {
    throw ArgumentError("policy is " + shown(policy) + "; it must be 'uniform'");
  }
}

py::object run_playouts(const py::object& state_or_game, const py::object& n,
                        const py::object& seed, const py::object& threads,
                        const py::object& policy) {
  const LocalState start = start_of(state_or_game);
  const auto games = static_cast<std::size_t>(to_count(n, "n", 0, kMaxPlayouts));
  const std::uint64_t first_seed = to_u64(seed, "seed");
  const auto workers = static_cast<std::size_t>(to_count(threads, "threads", 1, Team::kMaxSize));
  check_policy(policy);
  const auto rows = static_cast<py::ssize_t>(games);
  const py::ssize_t players = start.game->players;
  py::array_t<double> returns({rows, players});
  py::array_t<std::int64_t> scores({rows, players});
  py::array_t<std::int64_t> lengths(rows);
  py::array_t<std::uint64_t> hashes(rows);
  const PlayoutArrays arrays{returns.mutable_data(), scores.mutable_data(), lengths.mutable_data(),
                             hashes.mutable_data()};
  // In blocks, so that an interrupt is heard; playout i is the same in any block.
  const std::size_t block = 1024 * workers;
  Team team(workers);
  for (std::size_t first = 0; first < games; first += block) {
    without_gil([&] {
      team.share_out(first, std::min(block, games - first), kLot,
                     [&](std::size_t lot, std::size_t count) {
                       start.ops().playouts(start.game->rules, start.bytes(), first_seed,
                                            start.game->header_hash, lot, count, arrays);
                     });
    });
    if (or_stop([] { return PyErr_CheckSignals(); }) != 0) throw py::error_already_set();
  }
  return call_python(imported("tabletop_core.types", "Playouts"), returns, scores, lengths, hashes);
}

// Asked at every inner node; every now and then it looks whether somebody pressed Ctrl-C.
bool go_on() {
  thread_local std::uint32_t asked = 0;
  return (++asked & 0xFFFF) != 0 || nobody_interrupts();
}

py::object run_perft(const py::object& state, const py::object& depth) {
  if (!py::isinstance<State>(state)) {
    throw ArgumentTypeError("state is " + shown(state) + "; it must be a State");
  }
  const auto levels = static_cast<int>(to_count(depth, "depth", 0, kMaxPerftDepth));
  const LocalState start = copy_of(state);  // other threads may move the original
  Perft nodes;
  without_gil([&] { nodes = start.ops().perft(start.game->rules, start.bytes(), levels, &go_on); });
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return call_python(imported("tabletop_core.types", "Perft"), py::int_(nodes.decision),
                     py::int_(nodes.chance), py::int_(nodes.terminal));
}

}  // namespace

void register_runs(py::module_& module) {
  module.def(
      "playouts", &run_playouts, py::arg("state_or_game"), py::arg("n"), py::arg("seed") = 0,
      py::arg("threads") = 1, py::arg("policy") = "uniform",
      "n random games (0..2**32) from a state or from the start of a game, on 1..1024 threads.\n\n"
      "Playout i uses Rng(seed).split(i), whatever the number of threads. The policy \"uniform\",\n"
      "the only one, takes each legal action with the same probability. Returns Playouts:\n"
      "returns float64 (n, P), scores int64 (n, P), lengths int64 (n,) in decisions and\n"
      "final_hashes uint64 (n,). The GIL is released.\n\n"
      ">>> playouts(load_game('indigo'), 10, seed=1).returns.shape\n(10, 2)");
  module.def("perft", &run_perft, py::arg("state"), py::arg("depth"),
             "The nodes of each kind exactly `depth` levels (0..10,000) below the state.\n\n"
             "The GIL is released.\n\n"
             ">>> perft(load_game('indigo').new_initial_state(), 1).chance\n5");
}

}  // namespace tabletop::python
