"""Small value types that both engines hand out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["GameType", "ObservationField", "OptionSpec", "Perft", "PlayerId", "Playouts"]


class PlayerId(IntEnum):
    """What `current_player()` says when no seat has to decide; the values of OpenSpiel.

    >>> PlayerId.CHANCE == -1, PlayerId.TERMINAL == -4
    (True, True)
    """

    CHANCE = -1
    TERMINAL = -4


class _OpenSpielEnum(Enum):
    """An enum whose members equal those of the same name of OpenSpiel's class of the same name."""

    def __eq__(self, other: object) -> bool:
        same_class = type(other).__name__ == type(self).__name__
        return same_class and getattr(other, "name", None) == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True)
class GameType:
    """What kind of game it is, in the words of OpenSpiel, whose algorithms ask before they begin.

    The enums hold what games of this package can be. Their members equal those of `pyspiel.GameType`
    if they stand on the left: `game_type.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL`.

    >>> import tabletop_core as tc
    >>> tc.load_game("indigo").get_type().information.name
    'IMPERFECT_INFORMATION'
    """

    class Dynamics(_OpenSpielEnum):
        """Who acts at a node: one seat at a time."""

        SEQUENTIAL = 1

    class ChanceMode(_OpenSpielEnum):
        """How chance comes in: by nodes with exact probabilities."""

        EXPLICIT_STOCHASTIC = 1

    class Information(_OpenSpielEnum):
        """Whether every seat sees everything."""

        PERFECT_INFORMATION = 1
        IMPERFECT_INFORMATION = 0

    class Utility(_OpenSpielEnum):
        """What the returns of all seats add up to: 0; alone, the return is the score."""

        ZERO_SUM = 0
        GENERAL_SUM = 2

    class RewardModel(_OpenSpielEnum):
        """When rewards come: at the end."""

        TERMINAL = 1

    short_name: str
    num_players: int
    information: Information
    utility: Utility
    dynamics: Dynamics = Dynamics.SEQUENTIAL
    chance_mode: ChanceMode = ChanceMode.EXPLICIT_STOCHASTIC
    reward_model: RewardModel = RewardModel.TERMINAL
    provides_observation_string: bool = True
    provides_observation_tensor: bool = True
    provides_information_state_string: bool = False
    provides_information_state_tensor: bool = False

    @property
    def long_name(self) -> str:
        """The name for people."""
        return self.short_name.replace("_", " ").title()

    @property
    def min_num_players(self) -> int:
        """The number of seats, which the options of the game have settled."""
        return self.num_players

    @property
    def max_num_players(self) -> int:
        """The number of seats, which the options of the game have settled."""
        return self.num_players


def game_type(name: str, players: int, hides_outcomes: bool) -> GameType:
    """Give the type of a game, whose chance events may be hidden from some seats."""
    return GameType(
        short_name=name,
        num_players=players,
        information=GameType.Information.IMPERFECT_INFORMATION
        if hides_outcomes
        else GameType.Information.PERFECT_INFORMATION,
        utility=GameType.Utility.ZERO_SUM if players > 1 else GameType.Utility.GENERAL_SUM,
    )


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
