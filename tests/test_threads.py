"""Threads: work that runs without the interpreter lock neither disturbs other work nor the end of the process."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import NATIVE, effort
from tests.walks import after, finish, run_python

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tabletop_core.protocol import Game

THREADS = 16
FIELDS = ("returns", "scores", "lengths", "final_hashes")

# Threads that Python does not wait for, in calls that release the interpreter lock or run Python code. The switch interval makes
# them wait for the lock as often as can be: where they wait, the end of the process stops them.
LEFT_RUNNING = """
import sys, threading, time
import tabletop_core as tc
from tabletop_core import reference

class Two:
    def __index__(self):
        return 2

class Generator:
    def below(self, n):
        return n // 2

game = tc.load_game({game!r})
start = game.new_initial_state()
data = start.to_dict()
sys.setswitchinterval(1e-6)
def forever():
    while True:
        {work}
for _ in range(8):
    threading.Thread(target=forever, daemon=True).start()
time.sleep({pause})
print("done")
"""

WORK = {
    "playouts": "tc.playouts(game, 2000, threads=2)",
    "short playouts": "tc.playouts(start, 1)",
    "perft": "tc.perft(start, 2)",
    "batches": "(batch := tc.Batch(game, 200, threads=2)).step(batch.sample_legal_actions()), batch[Two()], batch.fork([0, 1])",
    "options": "tc.game_options(game.name), game.observation_fields, tc.load_game(game.name, players=Two())",
    "dicts": "game.state_from_dict(data)",
}

# Here Python is called before the code of a game begins, so that one game stands for all.
WORK_OF_NO_GAME = {
    "random numbers": "start.clone().resolve_chance(reference.Rng(3))",
    "a generator": "start.sample_chance(Generator())",
    "a callable": "start.sample_chance(lambda: 0.5)",
    "an index": "start.is_legal(Two())",
}


PAUSES = (0.0, 0.005)


def end_well(name: str, work: str, pause: float) -> None:
    """End a process while threads do such work."""
    result = run_python(LEFT_RUNNING.format(game=name, work=work, pause=pause))
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "done", "")


@pytest.mark.fault("A005")
@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("number", range(len(tc.registered_games())), ids=tc.registered_games())
def test_a_process_ends_well_while_daemon_threads_run(number: int, work: str) -> None:
    pause = PAUSES[(number + list(WORK).index(work)) % len(PAUSES)]  # all works and games see both
    end_well(tc.registered_games()[number], WORK[work], pause)


@pytest.mark.fault("A005")
@pytest.mark.parametrize("pause", PAUSES)
@pytest.mark.parametrize("work", WORK_OF_NO_GAME)
def test_a_process_ends_well_while_daemon_threads_call_python(work: str, pause: float) -> None:
    end_well(tc.registered_games()[0], WORK_OF_NO_GAME[work], pause)


# Room for a few more stacks, and not for a thousand.
FEW_THREADS = """
import resource
import tabletop_core as tc
game = tc.load_game({game!r})
expected = tc.playouts(game, 50_000, seed=1).final_hashes
in_use = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + 2**26, resource.RLIM_INFINITY))
print((tc.playouts(game, 50_000, seed=1, threads=1000).final_hashes == expected).all())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and a limit that holds")
@pytest.mark.parametrize("name", tc.registered_games())
def test_playouts_make_do_with_the_threads_that_there_are(name: str) -> None:
    result = run_python(FEW_THREADS.format(game=name))
    assert (result.returncode, result.stdout.strip()) == (0, "True"), result.stderr


# Too little for the path to so deep a node.
LITTLE_MEMORY = """
import resource
import tabletop_core as tc
state = tc.load_game("indigo_series", games=1000).new_initial_state()
in_use = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + 2**22, resource.RLIM_INFINITY))
try:
    tc.perft(state, 10_000)
except MemoryError:
    print("so it is")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc and a limit that holds")
def test_work_without_the_lock_that_runs_out_of_memory_says_so() -> None:
    result = run_python(LITTLE_MEMORY)
    assert (result.returncode, result.stdout.strip()) == (0, "so it is"), result.stderr


@pytest.mark.fault("A074")
def test_many_threads_play_what_one_plays(engine: ModuleType, seated_game: Game) -> None:
    count = effort(engine, native=500, reference=2)
    together = THREADS if engine is tc else 4

    def play(seed: int) -> tc.Playouts:
        result: tc.Playouts = engine.playouts(seated_game, count, seed=seed)
        return result

    with ThreadPoolExecutor(together) as pool:
        parallel = list(pool.map(play, range(together)))
    for seed, result in enumerate(parallel):
        alone = play(seed)
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(result, name), getattr(alone, name))


@pytest.mark.fault("A074")
def test_threads_can_share_a_state_that_nobody_changes(
    engine: ModuleType, seated_game: Game
) -> None:
    state = seated_game.new_initial_state()
    state.resolve_chance(tc.Rng(2))
    before = state.to_bytes()
    count = effort(engine, native=20, reference=1)

    def play(seed: int) -> int:
        for seat in range(seated_game.num_players()):
            state.resample_from_infostate(seat, tc.Rng(seed)).observation_tensor(seat)
        hashes = [finish(state.clone(), tc.Rng(seed).split(i)).stable_hash() for i in range(count)]
        assert engine.playouts(state, count, seed=seed).final_hashes.tolist() == hashes
        return hash(tuple(hashes))

    together = effort(engine, native=8, reference=3)
    with ThreadPoolExecutor(together) as pool:
        parallel = list(pool.map(play, range(together)))
    assert parallel == [play(seed) for seed in range(together)]
    assert state.to_bytes() == before


@pytest.mark.fault("A074")
@pytest.mark.parametrize("name", tc.registered_games())
def test_a_state_that_several_threads_move_stays_a_position(name: str) -> None:
    """Which of them comes first is open, and what has become illegal meanwhile is refused."""
    game = tc.load_game(name)
    state = after(game, 30)

    def move(seed: int) -> int:
        rng, moves = tc.Rng(seed), 0
        for _ in range(200):
            for action in state.legal_actions()[-2:]:
                try:
                    state.apply_action(action)
                    moves += 1
                except tc.IllegalActionError:
                    pass
            copies = state.clone(), game.state_from_bytes(state.to_bytes())
            state.observation_tensor(rng.below(game.num_players()))
            assert all(game.state_from_dict(one.to_dict()) == one for one in copies)
        return moves

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(move, range(4))) > 0
    finish(state, tc.Rng(1))


def play_on(game: Game) -> None:
    """Spend a while on playouts."""
    NATIVE.playouts(game, 20_000)


def count_nodes(game: Game) -> None:
    """Spend a while on counting."""
    for seed in range(30):
        NATIVE.perft(after(game, 20, seed), 3)


def step_on(game: Game) -> None:
    """Spend a while on a batch."""
    batch = NATIVE.Batch(game, 5_000)
    for _ in range(30):
        batch.step(batch.sample_legal_actions())


@pytest.mark.parametrize("work", [play_on, count_nodes, step_on])
@pytest.mark.parametrize("name", tc.registered_games())
def test_runs_let_other_threads_run(name: str, work: Callable[[Game], None]) -> None:
    # With so long a switch interval the main thread wakes only when the other one releases the
    # interpreter lock of its own accord, which is inside `work` or at its end.
    game = tc.load_game(name)
    started, woken, ended = threading.Event(), threading.Event(), threading.Event()

    def run() -> None:
        give_up = time.process_time() + 20
        started.set()
        while not woken.is_set() and time.process_time() < give_up:
            work(game)
        ended.set()

    thread = threading.Thread(target=run)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread.start()
        started.wait()
        woken_during_work = not ended.is_set()
        woken.set()
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert woken_during_work


INTERRUPTED = """
import signal, threading, time
import tabletop_core as tc
from tests.walks import first_decision
state = first_decision(tc.load_game({game!r}, **{options!r}))
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a background job
threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT)).start()
start = time.process_time()
try:
    {work}
except KeyboardInterrupt:
    print(time.process_time() - start < 30)
"""


LONG = {"max_turns": 65535, "no_progress_limit": 65535}
LONGEST: dict[str, dict[str, Any]] = {
    "card_challenge": LONG,
    "dice_challenge": LONG,
    "tile_challenge": LONG,
    "ingenious_challenges": LONG,
    "indigo_series": {"games": 1000},
    "sequence_numbers": {"max_turns": 10_000},
}
"""Options under which a game can last thousands of nodes: perft goes down that far before it counts anything."""


@pytest.mark.parametrize(
    "work", ["tc.perft(state, 10_000)", "tc.playouts(state, 5 * 10**7, threads=2)"]
)
@pytest.mark.parametrize("name", tc.registered_games())
def test_runs_can_be_interrupted(name: str, work: str) -> None:
    script = INTERRUPTED.format(game=name, options=LONGEST.get(name, {}), work=work)
    result = run_python(script)
    assert (result.returncode, result.stdout.strip()) == (0, "True"), result.stderr
