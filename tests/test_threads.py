"""Threads: work that runs without the interpreter lock neither disturbs other work nor the end of the process."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import NATIVE, effort
from tests.walks import finish, run_python

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game

THREADS = 16
FIELDS = ("returns", "scores", "lengths", "final_hashes")

LEFT_RUNNING = """
import threading, time
import tabletop_core as tc
game = tc.load_game({game!r}, **{options!r})
def forever():
    while True:
        tc.playouts(game, 2000, threads=2)
for _ in range(8):
    threading.Thread(target=forever, daemon=True).start()
time.sleep({pause})
print("done")
"""


@pytest.mark.xfail(
    strict=False,
    reason="a daemon thread that is in Python code when the process ends unwinds through the module",
)
@pytest.mark.parametrize("repeat", range(20))
def test_a005_a_process_ends_well_while_daemon_threads_play(repeat: int) -> None:
    names = tc.registered_games()
    name = names[repeat % len(names)]
    code = LEFT_RUNNING.format(game=name, options={}, pause=0.003 * (repeat % 7))
    result = run_python(code)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "done", "")


def test_a074_many_threads_play_what_one_plays(engine: ModuleType, seated_game: Game) -> None:
    count = effort(engine, native=1_000, reference=2)
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


def test_a074_threads_can_share_a_state_that_nobody_changes(
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

    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(play, range(8)))
    assert parallel == [play(seed) for seed in range(8)]
    assert state.to_bytes() == before


@pytest.mark.parametrize("name", tc.registered_games())
def test_playouts_let_other_threads_run(name: str) -> None:
    # The main thread counts while another one plays; it can only do so if playing releases the interpreter lock.
    game = tc.load_game(name)
    started, stop = threading.Event(), threading.Event()
    plays = 0

    def play() -> None:
        nonlocal plays
        while not stop.is_set():
            started.set()
            NATIVE.playouts(game, 20_000)
            plays += 1

    thread = threading.Thread(target=play)
    thread.start()
    try:
        assert started.wait(60)
        counted_during_play = 0
        while plays < 2:
            before = plays
            counted_during_play += before == plays
    finally:
        stop.set()
        thread.join()
    assert counted_during_play > 100
