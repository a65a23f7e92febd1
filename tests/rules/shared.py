"""What the tests of all games share: how a game is loaded, the forms of a position, how a good dict is spoilt, means of random games.

Nothing here is taken from an engine: all is worked out again from the rules pages and the contract.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tests.engines import effort
from tests.walks import every_few

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    import numpy.typing as npt

    from tabletop_core.protocol import Game, State

Shown = dict[str, Any]
"""A position as `to_dict()` gives it."""


def load(engine: ModuleType, name: str, **options: Any) -> Game:
    """Load a game in one of the engines."""
    game: Game = engine.load_game(name, **options)
    return game


def returns_of(winners: Sequence[int], players: int) -> list[float]:
    """Give the utility of each seat for these winners."""
    if len(winners) in {0, players}:
        return [0.0] * players
    win = (players - len(winners)) / (len(winners) * (players - 1))
    return [win if seat in winners else -1 / (players - 1) for seat in range(players)]


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


# Ways out and back


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


# Random games


def sampled(
    engine: ModuleType, name: str, options: Mapping[str, Any], seed: int, *, few: int
) -> Iterator[State]:
    """Give the positions of a game, or one in so few of them where the engine is slow."""
    return every_few(load(engine, name, **options), seed, effort(engine, native=1, reference=few))


def counting(states: Iterable[State], nodes: Counter[str]) -> Iterator[State]:
    """Pass the states of a game on, and count chance nodes, decisions, and those that are real: between several actions."""
    for state in states:
        nodes["chances"] += state.is_chance_node()
        if state.current_player() >= 0:
            nodes["decisions"] += 1
            nodes["real"] += len(state.legal_actions()) > 1
        yield state


def mean_fits(values: Sequence[float], expected: str, *, games: int) -> bool:
    """Say whether a mean fits an expected one, which is a mean of so many games, rounded as it is written: within five standard errors."""
    error: float = float(np.std(values)) * (1 / len(values) + 1 / games) ** 0.5
    rounding: float = 0.5 * 10 ** -len(expected.partition(".")[2])
    return abs(float(np.mean(values)) - float(expected)) <= 5 * error + rounding


def misfits(
    found: Sequence[Mapping[str, float]], means: Mapping[str, str], *, games: int
) -> list[str]:
    """Name the figures of these games whose mean does not fit the expected one."""
    return [
        name
        for name, expected in means.items()
        if not mean_fits([figures[name] for figures in found], expected, games=games)
    ]
