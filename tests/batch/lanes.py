"""What the tests of `Batch` share."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np

import tabletop_core as tc

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tests.configurations import Configuration

SEED = 5
MANY = 200
"""Lanes enough for several threads to have work."""

FEW = 4
VIEWS = ("current_players", "rewards", "returns", "terminated", "truncated", "states")
NO_ACTION = -1


def load(configuration: Configuration) -> tc.Game:
    """Load the game as what a batch takes, the native engine's."""
    return tc.load_game(configuration.game, **dict(configuration.options))


def whole(batch: tc.Batch) -> bytes:
    """Give all that a batch holds, its generators included."""
    return pickle.dumps(batch)


def random_steps(batch: tc.Batch, count: int) -> None:
    """Let every lane play so many uniformly random actions."""
    for _ in range(count):
        batch.step(batch.sample_legal_actions())


def assert_same(one: tc.Batch, other: tc.Batch) -> None:
    """Compare all that two batches show and hold."""
    assert (one.game, one.threads, one.auto_restart) == (
        other.game,
        other.threads,
        other.auto_restart,
    )
    for name in VIEWS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert whole(one) == whole(other)


class AlmostArray:
    """An array in all but name."""

    def __init__(
        self, array: NDArray[np.int64], before: Callable[[], object] | None = None
    ) -> None:
        """Take what to give, and what to do first when asked for it."""
        self._array = array
        self._before = before

    def __array__(self, dtype: object = None, copy: object = None) -> NDArray[np.int64]:
        """Give the array, as numpy asks for it."""
        if self._before is not None:
            self._before()
        return self._array


def put(batch: Any, lane: Any, state: Any) -> None:
    """Set a lane."""
    batch[lane] = state
