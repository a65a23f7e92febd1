"""Stepping a batch in uniform random games, beside `playouts`, which play the same games without a call for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import NATIVE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from tests.configurations import Configuration

SEED = 7
LANES = 1_000
STEPS = 100
CHECKED = 2
"""Lanes of each measurement that are replayed in the reference engine."""


@pytest.fixture(params=[NATIVE], ids=["native"])
def engine(request: pytest.FixtureRequest) -> object:
    """Give the engine that has batches."""
    return request.param


def step_all(game: tc.Game, threads: int, *, observe: bool) -> tc.Batch:
    """Make a batch and let each of its lanes play; ask for all that an agent would ask for."""
    batch = tc.Batch(game, LANES, seed=SEED, threads=threads)
    masks = np.empty((LANES, game.num_distinct_actions()), np.bool_)
    tensors = np.empty((LANES, *game.observation_tensor_shape()), np.float32)
    actions = np.empty(LANES, np.int32)
    for _ in range(STEPS):
        batch.legal_actions_mask(out=masks)
        if observe:
            batch.observation_tensor(out=tensors)
        batch.step(batch.sample_legal_actions(out=actions))
    return batch


def expected_positions(configuration: Configuration) -> list[int]:
    """Play the first lanes in the reference engine and give the hashes of the positions that they come to."""
    game = configuration.load(tc.reference)
    hashes = []
    for lane in range(CHECKED):
        rng = tc.Rng(SEED).split(lane)
        state = game.new_initial_state()
        state.resolve_chance(rng)
        for _ in range(STEPS):
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
            state.resolve_chance(rng)
            if state.is_terminal():
                state = game.new_initial_state()
                state.resolve_chance(rng)
        hashes.append(state.stable_hash())
    return hashes


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("observe", [False, True], ids=["masks", "masks-and-observations"])
def test_batch(
    benchmark: BenchmarkFixture,
    note_moves: Callable[[str, int], None],
    seating: Configuration,
    observe: bool,
    threads: int,
) -> None:
    what = f"batch{' with observations' * observe}{' on two threads' * (threads == 2)}"
    benchmark.group = f"{STEPS} steps of {LANES} lanes: {seating}"
    game = tc.load_game(seating.game, **dict(seating.options))
    batch = benchmark(step_all, game, threads, observe=observe)
    note_moves(f"{what}: {seating}", LANES * STEPS)
    positions = [batch[lane].stable_hash() for lane in range(CHECKED)]
    assert positions == expected_positions(seating)
