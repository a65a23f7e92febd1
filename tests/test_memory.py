"""Memory: copies keep nothing alive, and long use does not grow the process."""

from __future__ import annotations

import sys
import tracemalloc

import pytest

import tabletop_core as tc
from tests.configurations import Configuration, seatings
from tests.walks import after, run_python

TOLERATED = 2**20
"""Without a leak the mark rises by a few pages."""

# The high-water mark of a fresh process: it is read after a warm-up and again after much more of the same.
USE_OVER_AND_OVER = """
import gc
import resource
import sys
from pathlib import Path
import tabletop_core as tc
from tests.walks import after, first_decision, step
game = tc.{engine}load_game({game!r}, **{options!r})

def peak():
    gc.collect()
    if sys.platform == "linux":
        # Here `getrusage` gives no less than the parent took when it started this process.
        status = Path("/proc/self/status").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

{work}

work({warm_up})
before = peak()
work({repeats})
print(peak() - before)
"""

CHAIN_OF_CLONES = """
def work(count):
    state = after(game, 20)
    for _ in range(count):
        state = state.clone()
"""

CHAIN_OF_CHILDREN = """
def work(count):
    rng = tc.Rng(1)
    state = game.new_initial_state()
    for _ in range(count):
        if state.is_terminal():
            state = game.new_initial_state()
        state = state.child(state.legal_actions()[-1])
"""

EVERY_CALL = """
def work(count):
    state = after(game, 20)
    rng = tc.Rng(1)
    for _ in range(count):
        state.legal_actions(), state.legal_actions_mask(), state.observation_tensor(0), state.observation_string(0)
        state.to_dict(), str(state), hash(state), state.returns(), state.scores(), state.winners()
        state.resample_from_infostate(0, rng), state.observed_action_to_string(0, 0)
        game.state_from_bytes(state.to_bytes())
        game.state_from_dict(state.to_dict())
        game.action_from_string(game.action_to_string(0))
        for call in (state.apply_action, state.observation_tensor, game.state_from_bytes):
            try:
                call(-7)
            except Exception:
                pass
"""

MANY_GAMES = """
def work(count):
    for _ in range(count):
        tc.playouts(tc.load_game(game.name, **dict(game.options)), 3, threads=2)
"""

BATCHES = """
def work(count):
    import copy, pickle
    for _ in range(count):
        batch = tc.Batch(game, 100, threads=2)
        batch.step(batch.sample_legal_actions())
        views = batch.states, batch.rewards, batch.terminated
        batch.legal_actions_mask(), batch.observation_tensor()
        batch = pickle.loads(pickle.dumps(copy.copy(batch).fork([0, 1, 1])))
        batch[0] = batch[1]
        for call in (batch.step, batch.fork, batch.observation_tensor, batch.__getitem__):
            try:
                call([-7])
            except Exception:
                pass
"""

MANY_LANES = """
def work(count):
    import copy
    batch = tc.Batch(game, 4_096)
    for _ in range(count):
        batch = copy.copy(batch)
        batch.step(batch.sample_legal_actions())
"""


def growth(seating: Configuration, work: str, warm_up: int, repeats: int, engine: str = "") -> int:
    """Run the work in a fresh process and give by how many bytes its high-water mark rose."""
    options = dict(seating.options)
    code = USE_OVER_AND_OVER.format(
        engine=engine,
        game=seating.game,
        options=options,
        work=work,
        warm_up=warm_up,
        repeats=repeats,
    )
    result = run_python(code)
    assert result.returncode == 0, result.stderr
    return int(result.stdout)


def first_seatings() -> list[Configuration]:
    """Give one seating of each game."""
    return [next(s for s in seatings() if s.game == game) for game in tc.registered_games()]


@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_a_state_takes_little_more_memory_than_its_position(seating: Configuration) -> None:
    game = tc.load_game(seating.game, **dict(seating.options))
    state, copies = after(game, 20), 1_000
    size, position = sys.getsizeof(state), tc.Batch(game, 1).states.nbytes
    assert position < size <= position + 128
    room: list[object] = [None] * copies
    tracemalloc.start()
    try:
        for i in range(copies):
            room[i] = state.clone()
        traced, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size <= traced / copies <= size + 1


@pytest.mark.fault("A076")
@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_a_chain_of_clones_takes_constant_memory(seating: Configuration) -> None:
    assert growth(seating, CHAIN_OF_CLONES, 1_000, 100_000) < TOLERATED


@pytest.mark.fault("A076")
@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_a_chain_of_clones_of_the_reference_takes_constant_memory(
    seating: Configuration,
) -> None:
    assert growth(seating, CHAIN_OF_CLONES, 1_000, 20_000, engine="reference.") < TOLERATED


@pytest.mark.fault("A076")
@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_a_chain_of_children_takes_constant_memory(seating: Configuration) -> None:
    assert growth(seating, CHAIN_OF_CHILDREN, 1_000, 100_000) < TOLERATED


@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_calls_leak_nothing(seating: Configuration) -> None:
    assert growth(seating, EVERY_CALL, 300, 1_000) < TOLERATED


@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_games_leak_nothing(seating: Configuration) -> None:
    assert growth(seating, MANY_GAMES, 200, 3_000) < TOLERATED


@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_batches_leak_nothing(seating: Configuration) -> None:
    assert growth(seating, BATCHES, 100, 300) < TOLERATED


@pytest.mark.fault("A076")
@pytest.mark.deep
@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_ten_million_clones_take_constant_memory(seating: Configuration) -> None:
    assert growth(seating, CHAIN_OF_CLONES, 1_000, 10_000_000) < TOLERATED


@pytest.mark.fault("A076")
@pytest.mark.deep
@pytest.mark.parametrize("seating", first_seatings(), ids=str)
def test_ten_million_copied_lanes_take_constant_memory(seating: Configuration) -> None:
    assert growth(seating, MANY_LANES, 100, 2_500) < TOLERATED
