"""Our rows of the board: every game with its default options, native and reference."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

import tabletop_core as tc
from benchmarks.calls import SEED, loop, single_calls
from benchmarks.measure import Row, Spent, timed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from benchmarks.measure import Work
    from tabletop_core.protocol import State

LANES = 4_096
ENGINES = {"native": tc, "reference": tc.reference}

STATEMENTS = {
    "current_player": "state.current_player()",
    "is_terminal": "state.is_terminal()",
    "legal_actions": "state.legal_actions()",
    "clone": "state.clone()",
    "hash": "hash(state)",
    "observation": "state.observation_tensor(seat)",
    "resample": "state.resample_from_infostate(seat, rng)",
}


def rows() -> Iterator[Row]:
    """Give the rows of all games, after a look whether both engines play the same."""
    for name in tc.registered_games():
        ends = [
            engine.playouts(engine.load_game(name), 2, seed=SEED) for engine in ENGINES.values()
        ]
        np.testing.assert_array_equal(ends[0].final_hashes, ends[1].final_hashes)
        decisions = float(tc.playouts(tc.load_game(name), 2_000, seed=SEED).lengths.mean())
        for label, engine in ENGINES.items():
            yield _row(label, engine, name, decisions)


def native_runs(name: str) -> dict[str, Work]:
    """Give what a native game does in bulk; the units are decisions."""
    game = tc.load_game(name)
    return {"playout": _playout(tc, game), **_batch(game)}


def _row(label: str, engine: ModuleType, name: str, decisions: float) -> Row:
    game = engine.load_game(name)
    rng = engine.Rng(SEED)

    def draw(state: State) -> int:
        return state.sample_chance(rng)

    if engine is tc:
        cells = {**native_runs(name), "two_threads": _two_threads(game)}
    else:
        cells = {"playout": _playout(engine, game)}
    return Row(
        label,
        name,
        {
            **cells,
            "loop": loop(game, draw),
            **single_calls(game, draw, STATEMENTS, rng=rng),
        },
        {
            "decisions_per_game": decisions,
            "observation_bytes": 4.0 * np.prod(game.observation_tensor_shape()),
        },
    )


def _playout(engine: ModuleType, game: tc.Game) -> Work:
    return timed(lambda games: int(engine.playouts(game, games, seed=SEED).lengths.sum()))


def _two_threads(game: tc.Game) -> Work:
    """Measure how many times as fast two threads are as one, by the clock on the wall."""

    def wall(games: int, threads: int) -> float:
        start = time.perf_counter()
        tc.playouts(game, games, seed=SEED, threads=threads)
        return time.perf_counter() - start

    return lambda games: Spent(wall(games, 2), wall(games, 1))


def _batch(game: tc.Game) -> dict[str, Work]:
    """Step lanes: mask, sampled actions and step, and the same with what each mover observes."""
    batch = tc.Batch(game, LANES, seed=SEED)
    masks = np.empty((LANES, game.num_distinct_actions()), np.bool_)
    tensors = np.empty((LANES, *game.observation_tensor_shape()), np.float32)
    actions = np.empty(LANES, np.int32)

    def step(steps: int) -> float:
        for _ in range(steps):
            batch.legal_actions_mask(out=masks)
            batch.step(batch.sample_legal_actions(out=actions))
        return steps * LANES

    def step_and_observe(steps: int) -> float:
        for _ in range(steps):
            batch.legal_actions_mask(out=masks)
            batch.observation_tensor(out=tensors)
            batch.step(batch.sample_legal_actions(out=actions))
        return steps * LANES

    return {"batch": timed(step), "batch_observed": timed(step_and_observe)}
