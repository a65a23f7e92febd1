"""What the laws are made with: how they are listed, how they speak up, what they try."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .. import Rng
from ..protocol import Game, State
from ..types import PlayerId

LawT = TypeVar("LawT", bound=Callable[..., None])

CHANCE = int(PlayerId.CHANCE)
TERMINAL = int(PlayerId.TERMINAL)
NOT_AN_INDEX: tuple[object, ...] = ("0", 0.0, None, [0])
STRANGERS: tuple[object, ...] = (object(), 0, "text", None)
UNKNOWN_IDS = (-1, -4, 2**31, 2**40, 2**64, -(2**64), 2**100)

GAME_LAWS: list[Callable[[Game], None]] = []
"""The laws of a game, each a function that takes it."""

STATE_LAWS: list[Callable[[State], None]] = []
"""The laws of a position, each a function that takes it."""


def game_law(check: LawT) -> LawT:
    """Make a function that tests a game a law: it gets its name into every failure."""

    @wraps(check)
    def law(game: Game) -> None:
        try:
            check(game)
        except Exception as error:
            raise AssertionError(_verdict(check, game, error)) from error

    GAME_LAWS.append(law)
    return cast("LawT", law)


def state_law(check: LawT) -> LawT:
    """Make a function that tests a position a law: it must leave the position as it was, too."""

    @wraps(check)
    def law(state: State) -> None:
        try:
            before = state.to_bytes()
            check(state)
            require(state.to_bytes() == before, "the questions of this law changed the position")
        except Exception as error:
            raise AssertionError(_verdict(check, state.get_game(), error)) from error

    STATE_LAWS.append(law)
    return cast("LawT", law)


def _verdict(check: Callable[..., None], game: Game, error: Exception) -> str:
    law = check.__name__.removeprefix("check_").replace("_", " ")
    meaning = (check.__doc__ or "").partition("\n")[0].rstrip(".")
    seen = str(error) if type(error) is AssertionError else f"{type(error).__name__}: {error}"
    return f"{game!r} breaks the law of {law} ({meaning}): {seen}"


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def refuses(
    error: type[Exception] | tuple[type[Exception], ...],
    what: str,
    call: Callable[..., object],
    *given: Any,
) -> None:
    """Insist that a call raises this very kind of error, or one of these."""
    kinds = error if isinstance(error, tuple) else (error,)
    wanted = f"{what} must raise {' or '.join(kind.__name__ for kind in kinds)}"
    try:
        result = call(*given)
    except kinds:
        return
    except Exception as other:
        message = f"{wanted}, not {type(other).__name__}: {other}"
        raise AssertionError(message) from other
    message = f"{wanted}, not give {result!r}"
    raise AssertionError(message)


def own_rng(state: State) -> Rng:
    """A law that needs random numbers makes them from the position, so that it repeats itself."""
    return Rng(state.stable_hash())


def random_action(state: State, rng: Rng) -> int:
    """Choose as `playouts` does."""
    if state.is_chance_node():
        return state.sample_chance(rng)
    legal = state.legal_actions()
    return legal[rng.below(len(legal))]


def random_steps(state: State, rng: Rng, most: int | None) -> int:
    """Move on at random, to the end or `most` nodes far; give the number of decisions."""
    decisions = nodes = 0
    while not state.is_terminal() and (most is None or nodes < most):
        decisions += state.is_player_node()
        nodes += 1
        state.apply_action(random_action(state, rng))
    return decisions
