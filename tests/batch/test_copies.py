"""Batches forked, copied and pickled."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import FEW, MANY, SEED, VIEWS, assert_same, load, random_steps, whole
from tests.configurations import seatings
from tests.errors.strange import HUGE, Unspeakable

if TYPE_CHECKING:
    from collections.abc import Callable


def test_forks_are_copies_of_lanes(batch: tc.Batch) -> None:
    held = whole(batch)
    chosen = [0, 2, 0, -1, 0]
    for given in (chosen, tuple(chosen), np.array(chosen, np.int8), np.array(chosen)[::-1][::-1]):
        fork = batch.fork(given)
        assert len(fork) == len(chosen)
        assert (fork.game, fork.threads, fork.auto_restart) == (batch.game, 1, True)
        for name in VIEWS:
            np.testing.assert_array_equal(getattr(fork, name), getattr(batch, name)[chosen])
    drawn = pickle.loads(held).sample_legal_actions()
    sampled = fork.sample_legal_actions()
    assert sampled.tolist() == drawn[chosen].tolist()  # equal generators
    fork.step(sampled)
    assert whole(batch) == held
    assert_same(batch.fork(range(FEW)), batch)


def test_forks_with_a_seed_have_generators_of_their_own(batch: tc.Batch) -> None:
    held = whole(batch)
    fork = batch.fork([1] * MANY, seed=9)
    legal = batch[1].legal_actions()
    expected = [legal[tc.Rng(9).split(lane).below(len(legal))] for lane in range(MANY)]
    assert fork.sample_legal_actions().tolist() == expected
    assert whole(batch) == held


def test_forks_of_lanes_that_do_not_exist(batch: tc.Batch) -> None:
    loose: Any = batch
    unknown: list[Any] = [
        [FEW],
        [0, -FEW - 1],
        [2**62],
        [-(2**63)],
        [HUGE],
        np.array([0, 2**64 - 1], "u8"),
    ]
    no_integers: list[Any] = [None, "0", [0.0], [True], [None], ["0"], object(), Unspeakable()]
    shapes: list[Any] = [[], 0, [[0]], np.zeros((2, 2), np.int64), np.zeros(0)]
    cases: list[tuple[type[Exception], list[Any]]] = [
        (tc.LaneError, unknown),
        (tc.ArgumentTypeError, no_integers),
        (tc.ArgumentError, shapes),
    ]
    for error, wrong in cases:
        for lanes in wrong:
            with pytest.raises(error, match="lane"):
                loose.fork(lanes)
    seeds: list[tuple[type[Exception], list[Any]]] = [
        (tc.ArgumentError, [-1, 2**64, HUGE]),
        (tc.ArgumentTypeError, ["1", 1.0, [1]]),
    ]
    for error, wrong in seeds:
        for seed in wrong:
            with pytest.raises(error, match="seed"):
                loose.fork([0], seed=seed)


def by_pickle(batch: tc.Batch) -> tc.Batch:
    """Pickle in the usual way."""
    made: tc.Batch = pickle.loads(pickle.dumps(batch))
    return made


def by_old_pickle(batch: tc.Batch) -> tc.Batch:
    """Pickle in the oldest way that knows classes."""
    made: tc.Batch = pickle.loads(pickle.dumps(batch, 2))
    return made


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, by_pickle, by_old_pickle])
def test_copies_are_equal_and_independent(
    game: tc.Game, way: Callable[[tc.Batch], tc.Batch]
) -> None:
    batch = tc.Batch(game, FEW, seed=SEED, threads=3, auto_restart=False)
    while batch.terminated.sum() < 1:
        random_steps(batch, 1)
    held = whole(batch)
    made = way(batch)
    assert_same(made, batch)
    assert made.legal_actions_mask().tolist() == batch.legal_actions_mask().tolist()
    random_steps(made, 3)
    assert whole(batch) == held
    random_steps(batch, 3)
    assert_same(made, batch)


def test_tampered_pickles_are_refused(batch: tc.Batch) -> None:
    restore, saved = batch.__reduce__()
    assert_same(restore(*saved), batch)
    other = next(load(config) for config in seatings() if load(config) != batch.game)
    foreign = other.new_initial_state().to_bytes()
    names = ("game", "threads", "restart", "states", "rngs", "rewards", "returns", "ended", "cut")
    parts = dict(zip(names, saved, strict=True))
    states = parts["states"]
    wrong: dict[str, list[Any]] = {
        "game": [other, batch.game.name],
        "threads": [0, -1, HUGE, 1025],
        "restart": [0, 1],
        "states": [states[1:], [*states, states[0]], [0] * FEW, [b""] * FEW, [foreign] * FEW],
        "rngs": [[-1] * FEW, [2**64] * FEW, [1.0] * FEW],
        "rewards": [parts["ended"], parts["rngs"]],
        "returns": [parts["ended"], parts["rngs"]],
        "ended": [parts["rewards"], parts["rngs"]],
        "cut": [parts["rewards"], parts["rngs"]],
    }
    wrong["states"] += [
        [state[:-1] for state in states],
        [state + bytes(1) for state in states],
        [*states[:-1], states[0].replace(b"TTC", b"TTD")],
    ]
    for name, part in parts.items():
        junk: list[Any] = [
            None,
            "x",
            b"",
            {},
            1.5,
            np.zeros(FEW),
            [None] * FEW,
            [Unspeakable()],
            [],
        ]
        if isinstance(part, list):
            junk += [tuple(part), part[1:], [*part, part[0]], [*part[:-1], None]]
        for value in (*junk, *wrong[name]):
            with pytest.raises(tc.TabletopError) as caught:
                restore(*{**parts, name: value}.values())
            assert 20 < len(str(caught.value)) < 2_000
    for count in range(len(saved)):
        with pytest.raises(TypeError):
            restore(*saved[:count])
