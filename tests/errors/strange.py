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
