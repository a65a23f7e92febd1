"""What the tests of the three challenges and of their match share: the score board, ends, bytes, and how a good dict is spoilt.

Nothing here is taken from an engine: all is worked out again from the rules pages.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType

    import numpy.typing as npt

    from tabletop_core.protocol import Game, State

Shown = dict[str, Any]
"""A position as `to_dict()` gives it."""

SYMBOLS = ("red", "green", "blue", "orange", "yellow", "purple")
LAST_HOLE = 10
GOAL = 7
TARGETS = {2: 7, 3: 7, 4: 5}
"""Target column of the Tile Challenge by number of players."""

VECTORS: dict[str, tuple[list[int], list[tuple[int, int]], list[int]]] = {
    "the first symbol is stopped by a peg at 0": ([3, 0, 1, 1, 1, 1], [(0, 2), (1, 2)], [3, 2, 1, 1, 1, 1]),
    "the other order opens hole 4": ([3, 0, 1, 1, 1, 1], [(1, 2), (0, 2)], [5, 2, 1, 1, 1, 1]),
    "the moving peg does not stop itself": ([0, 1, 1, 1, 1, 1], [(0, 4)], [4, 1, 1, 1, 1, 1]),
    "eight holes in one go": ([1, 4, 4, 4, 4, 4], [(0, 8)], [9, 4, 4, 4, 4, 4]),
    "two points are lost at hole 3": ([0, 0, 2, 2, 2, 2], [(0, 5)], [3, 0, 2, 2, 2, 2]),
    "a peg at 3 closes hole 7": ([6, 4, 4, 4, 3, 4], [(0, 3), (4, 2)], [6, 4, 4, 4, 5, 4]),
    "the other order opens hole 7": ([6, 4, 4, 4, 3, 4], [(4, 2), (0, 3)], [9, 4, 4, 4, 5, 4]),
    "the first symbol loses one point": ([3, 3, 4, 4, 4, 4], [(0, 4), (1, 4)], [6, 7, 4, 4, 4, 4]),
    "nothing goes past hole 10": ([9, 6, 7, 7, 7, 7], [(0, 4)], [10, 6, 7, 7, 7, 7]),
    "two pegs arrive": ([6, 6, 6, 6, 6, 6], [(0, 4), (1, 4)], [10, 10, 6, 6, 6, 6]),
}  # fmt: skip
"""Pegs, points in the order in which they are scored, and the pegs that result."""


def load(engine: ModuleType, name: str, **options: Any) -> Game:
    """Load a game in one of the engines."""
    game: Game = engine.load_game(name, **options)
    return game


def advance(
    pegs: Sequence[int],
    symbol: int,
    points: int,
    *,
    gate_test: str | None = "stepwise",
    last: int = LAST_HOLE,
) -> list[int]:
    """Move one peg up to so many holes; without a gate test there are no gates."""
    start = hole = pegs[symbol]
    lowest = min(hole for other, hole in enumerate(pegs) if other != symbol)
    for _ in range(points):
        closed = gate_test is not None and (
            (hole == 3 and (lowest < 1 or (gate_test == "strict" and start == 0)))
            or (hole == 6 and (lowest < 4 or (gate_test == "strict" and start <= 3)))
        )
        if hole == last or closed:
            break
        hole += 1
    return [*pegs[:symbol], hole, *pegs[symbol + 1 :]]


def gates_hold(pegs: Sequence[int]) -> bool:
    """Say whether a player's pegs can stand like this."""
    return not (max(pegs) >= 4 and min(pegs) == 0) and not (max(pegs) >= 7 and min(pegs) <= 3)


def arrivals(before: Sequence[int], after: Sequence[int], last: int = LAST_HOLE) -> int:
    """Count the pegs that have come to the last hole."""
    return sum(hole == last != old for old, hole in zip(before, after, strict=True))


def count_turn(shown: Shown, options: Mapping[str, Any], *, moved: bool, goal: int) -> bool:
    """Count the turn of the seat, and end the game if this was its last one."""
    shown["turns"] += 1
    shown["idle"] = 0 if moved else shown["idle"] + 1
    won: bool = min(shown["pegs"][shown["seat"]]) >= goal
    capped: bool = (
        shown["turns"] == options["max_turns"] or shown["idle"] == options["no_progress_limit"]
    )
    if won or capped:
        shown.update(phase="over", pending_bonus=0, truncated=not won)
    return won or capped


def pass_on(shown: Shown) -> None:
    """Give the next turn to the same seat, if it has a bonus turn, or to the next one."""
    if shown["pending_bonus"]:
        shown["pending_bonus"] -= 1
    else:
        shown["seat"] = (shown["seat"] + 1) % len(shown["pegs"])


def winners_of(shown: Shown) -> list[int]:
    """Say who wins: who came to the goal, or after a cap the best by sorted pegs, lowest first."""
    if shown["phase"] != "over":
        return []
    if not shown["truncated"]:
        return [shown["seat"]]
    ranks = [sorted(pegs) for pegs in shown["pegs"]]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def returns_of(winners: Sequence[int], players: int) -> list[float]:
    """Give the utility of each seat for these winners."""
    if len(winners) in {0, players}:
        return [0.0] * players
    win = (players - len(winners)) / (len(winners) * (players - 1))
    return [win if seat in winners else -1 / (players - 1) for seat in range(players)]


def lowest_symbols(pegs: Sequence[int]) -> list[int]:
    """Give the symbols of the lowest rows."""
    return [symbol for symbol in range(6) if pegs[symbol] == min(pegs)]


# Bytes, tensors and texts


def header(name: str, options: Mapping[str, Any]) -> bytes:
    """Give the header of `to_bytes()`."""
    found = b"TTC\x01"
    for text in (name, "1", json.dumps(dict(options))):
        found += len(text.encode()).to_bytes(2, "little") + text.encode()
    return found


def u16(number: int) -> list[int]:
    """Give the two bytes of a number, the lower one first."""
    return list(number.to_bytes(2, "little"))


def one_hot(size: int, *places: int) -> npt.NDArray[np.float32]:
    """Give zeros with ones at some places."""
    values = np.zeros(size, dtype=np.float32)
    values[list(places)] = 1
    return values


def flat(fields: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    """Lay the fields of a tensor one behind the other."""
    return np.concatenate(
        [np.ravel(np.asarray(value, dtype=np.float32)) for value in fields.values()]
    )


def view_text(view: Mapping[str, Any]) -> str:
    """Write what a seat knows as an observation string."""
    return "\n".join(f"{key}: {json.dumps(value)}" for key, value in view.items())


def names(symbols: Iterable[int]) -> str:
    """Write symbols as words."""
    return " ".join(SYMBOLS[symbol] for symbol in symbols) or "-"


def first_line(game: str, shown: Shown) -> str:
    """Give the first line of `str(state)`."""
    if shown["phase"] != "over":
        return f"{game}: {shown['phase']}, seat {shown['seat']}, turn {shown['turns']}"
    capped = " (truncated)" if shown["truncated"] else ""
    return f"{game}: over, turn {shown['turns']}{capped}"


# Refusals

GONE = "(gone)"
"""In place of a value: the key or entry is taken away."""

Edit = tuple[tuple[Any, ...], Any]


class Case(NamedTuple):
    """A good position, and places of its dict with a value that together spoil it."""

    clause: str
    name: str
    base: Callable[[], Shown]
    edits: Sequence[Edit]
    options: Mapping[str, Any] = {}


def spoilt(shown: Shown, edits: Iterable[Edit]) -> Shown:
    """Give a copy with other values at some places."""
    changed = deepcopy(shown)
    for (*way, last), value in edits:
        place: Any = changed
        for step in way:
            place = place[step]
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return changed


def wrong_values(keys: Mapping[str, Sequence[Any]]) -> list[tuple[str, list[Edit]]]:
    """Give one edit for each key that is missing and each key with a value of a wrong kind, and one for a key too many."""
    found: list[tuple[str, list[Edit]]] = [("a key too many", [(("colour",), 3)])]
    for key, values in keys.items():
        found.append((f"without {key}", [((key,), GONE)]))
        found += [(f"{key} {value!r}", [((key,), value)]) for value in values]
    return found


NO_COUNTS: list[Any] = [True, -1, 1.0, "1", None, [], 2**70]
NO_FLAGS: list[Any] = [0, 1, None, "true", []]


# Walks


def tupled(value: Any) -> Any:
    """Turn lists into tuples, at every depth."""
    if isinstance(value, dict):
        return {key: tupled(entry) for key, entry in value.items()}
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def comes_back(state: State) -> bool:
    """Say whether a position is the same after a way through its dict and its bytes."""
    game, shown = state.get_game(), state.to_dict()
    ways = (
        game.state_from_dict(shown),
        game.state_from_dict(json.loads(json.dumps(shown))),
        game.state_from_dict(tupled(shown)),
        game.state_from_bytes(state.to_bytes()),
    )
    return all(
        back == state
        and back.stable_hash() == state.stable_hash()
        and json.dumps(back.to_dict()) == json.dumps(shown)
        for back in ways
    )


def mean_fits(values: Sequence[float], expected: float, *, games: int, rounding: float) -> bool:
    """Say whether a mean fits an expected one, which itself is a rounded mean of so many games: within five standard errors."""
    error: float = float(np.std(values)) * (1 / len(values) + 1 / games) ** 0.5
    mean = float(np.mean(values))
    return abs(mean - expected) <= 5 * error + rounding
