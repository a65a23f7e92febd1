"""Arguments that nobody should pass, and states to pass them to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.walks import end, first_decision, positions

if TYPE_CHECKING:
    from tabletop_core.protocol import Game, State

HUGE = 2**100


class Whole:
    """An integer in all but name: it has `__index__`."""

    def __init__(self, number: int) -> None:
        """Remember the number."""
        self._number = number

    def __index__(self) -> int:
        """Be the number."""
        return self._number


class Word(str):
    """A str that says of itself what it is not: its characters are what counts."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __str__(self) -> str:
        """Show something else."""
        return "another word"

    def __eq__(self, other: object) -> bool:
        """Be equal to everything."""
        return True


class HalfMapping:
    """An object with two methods of a mapping, and not one for all that."""

    def keys(self) -> list[str]:
        """Name a key."""
        return ["phase"]

    def __getitem__(self, key: str) -> str:
        """Have it."""
        return key


class Unspeakable:
    """An object that cannot even be shown in a message."""

    def __repr__(self) -> str:
        """Fail."""
        message = "no repr"
        raise RuntimeError(message)


def every_kind(game: Game) -> list[State]:
    """Give a chance node, a decision, a state in mid-game and an end."""
    return [
        game.new_initial_state(),
        first_decision(game),
        next(state for state in reversed(positions(game, 60)) if not state.is_terminal()).clone(),
        end(game),
    ]
