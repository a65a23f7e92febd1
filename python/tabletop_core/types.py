"""Small value types that both engines hand out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["ObservationField", "OptionSpec", "Perft", "PlayerId", "Playouts"]


class PlayerId(IntEnum):
    """What `current_player()` says when no seat has to decide; the values of OpenSpiel.

    >>> PlayerId.CHANCE == -1, PlayerId.TERMINAL == -4
    (True, True)
    """

    CHANCE = -1
    TERMINAL = -4


@dataclass(frozen=True)
class ObservationField:
    """A named part of the flat observation tensor.

    `tensor[field.start:field.stop].reshape(field.shape)` is the field.

    >>> field = ObservationField(name="hand", start=3, shape=(2, 5), meaning="tiles by type")
    >>> field.size, field.stop
    (10, 13)
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """Number of entries of the field."""
        return math.prod(self.shape)

    @property
    def stop(self) -> int:
        """Index in the tensor just behind the field."""
        return self.start + self.size


@dataclass(frozen=True)
class OptionSpec:
    """An option of a game, as people and tests need to know it.

    `values` says for people which values are accepted, `samples` are some of them for tests to try,
    and `meaning` is one sentence.

    >>> spec = OptionSpec("players", 2, values="2|3|4", samples=(2, 3, 4), meaning="How many play.")
    >>> spec.default in spec.samples
    True
    """

    name: str
    default: Any
    values: str
    samples: tuple[Any, ...]
    meaning: str


class Perft(NamedTuple):
    """Number of nodes of each kind at one depth below a state.

    >>> Perft(decision=0, chance=5, terminal=0).chance
    5
    """

    decision: int
    chance: int
    terminal: int


@dataclass(frozen=True, eq=False)
class Playouts:
    """The outcome of n random games with P seats.

    `returns` is float64 (n, P), `scores` int64 (n, P); `lengths`, int64 (n,), counts the decisions
    of each game; `final_hashes`, uint64 (n,), is the `stable_hash()` of each last position.

    >>> from tabletop_core import reference
    >>> reference.playouts(reference.load_game("indigo"), 3).returns.shape
    (3, 2)
    """

    returns: npt.NDArray[np.float64]
    scores: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    final_hashes: npt.NDArray[np.uint64]
