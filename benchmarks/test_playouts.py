"""Uniform random games: `playouts` of each engine, and the same games by a Python loop over single calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import tabletop_core as tc
from tests.engines import effort

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pytest_benchmark.fixture import BenchmarkFixture

    from tabletop_core.protocol import Game
    from tests.configurations import Configuration

SEED = 7
CHECKED = 2
"""Games of each measurement that are compared with the other engine."""


def expected_ends(configuration: Configuration, engine: ModuleType, count: int) -> list[int]:
    """Give the last positions of the first games, as the other engine plays them."""
    other = tc.reference if engine is tc else tc
    hashes: list[int] = other.playouts(
        configuration.load(other), count, seed=SEED
    ).final_hashes.tolist()
    return hashes


def test_playouts(
    benchmark: BenchmarkFixture,
    note_moves: Callable[[str, int], None],
    engine: ModuleType,
    seating: Configuration,
) -> None:
    count = effort(engine, native=2_000, reference=3)
    benchmark.group = f"{count} playouts: {seating}"
    result = benchmark(engine.playouts, seating.load(engine), count, seed=SEED)
    note_moves(f"playouts: {seating}", int(result.lengths.sum()))
    assert result.final_hashes[:CHECKED].tolist() == expected_ends(seating, engine, CHECKED)


def play_by_single_calls(game: Game, seed: int, count: int) -> tuple[list[int], int]:
    """Play the games of `playouts(game, count, seed)` with one call for each thing; give their ends and the number of decisions."""
    ends, decisions = [], 0
    for number in range(count):
        rng = tc.Rng(seed).split(number)
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[rng.below(len(legal))])
                decisions += 1
        ends.append(state.stable_hash())
    return ends, decisions


def test_loop_over_single_calls(
    benchmark: BenchmarkFixture,
    note_moves: Callable[[str, int], None],
    engine: ModuleType,
    seating: Configuration,
) -> None:
    count = effort(engine, native=20, reference=2)
    benchmark.group = f"{count} games by a loop over single calls: {seating}"
    ends, decisions = benchmark(play_by_single_calls, seating.load(engine), SEED, count)
    note_moves(f"loop over single calls: {seating}", decisions)
    np.testing.assert_array_equal(ends[:CHECKED], expected_ends(seating, engine, CHECKED))


def test_playouts_on_two_threads(benchmark: BenchmarkFixture, seating: Configuration) -> None:
    benchmark.group = f"2000 playouts on two threads: {seating}"
    result = benchmark(tc.playouts, seating.load(tc), 2_000, seed=SEED, threads=2)
    assert result.final_hashes[:CHECKED].tolist() == expected_ends(seating, tc, CHECKED)
