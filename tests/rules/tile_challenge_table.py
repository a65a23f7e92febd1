"""What the tests of the Tile Challenge share: positions built by hand, and the game played again on its dict.

Nothing here is taken from an engine: `after` follows the rules page on the dict of a position, a third reading of the rules.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.rules.challenges_board import (
    TARGETS,
    arrivals,
    count_turn,
    first_line,
    lowest_symbols,
    names,
    pass_on,
)
from tests.rules.shared import Shown, header, load, one_hot, u16

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game, State

NAME = "tile_challenge"
PHASES = ("refill", "choose", "draw", "decide", "over")
COPIES = 21
DRAW, SCORE = 0, 1
KEYS = (
    *("phase", "seat", "turns", "idle", "pending_bonus", "pegs"),
    *("pool", "centre", "front", "box", "truncated"),
)

RULE_SETS: tuple[dict[str, Any], ...] = (
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "free_scoring_tie": "unique", "free_scoring_take": "one"},
    {"players": 3, "free_scoring_take": "one", "no_progress_limit": 3},
    {"players": 4, "free_scoring_tie": "unique", "no_progress_limit": 20},
    {"players": 2, "free_scoring_tie": "unique", "max_turns": 30},
)
"""Every option at every value, and caps that end games early."""


def free(symbol: int) -> int:
    """Give the action that scores the centre's tiles of a symbol without a draw."""
    return 2 + symbol


def counts(symbols: Sequence[int]) -> list[int]:
    """Count tiles by symbol."""
    return [list(symbols).count(symbol) for symbol in range(6)]


def tiles(numbers: Sequence[int]) -> list[int]:
    """Give the tiles of six counts."""
    return [symbol for symbol, number in enumerate(numbers) for _ in range(number)]


# Positions built by hand


def set_up(
    players: int = 2,
    phase: str = "choose",
    seat: int = 0,
    turns: int = 20,
    idle: int = 0,
    pending_bonus: int = 0,
    pegs: Mapping[int, Sequence[int]] | None = None,
    centre: Sequence[int] = (0, 1, 2),
    front: Sequence[int] = (),
    truncated: bool = False,
    pool: Sequence[int] | None = None,
) -> Shown:
    """Give a position with what is named; the box follows from the pegs, and the pool is what is left.

    With a `pool`, tiles that are nowhere else lie in the centre.
    """
    rows = [list((pegs or {}).get(other, [0] * 6)) for other in range(players)]
    box = [sum(row[symbol] for row in rows) for symbol in range(6)]
    away = [a + b for a, b in zip(box, counts(front), strict=True)]
    middle = counts(centre)
    if pool is None:
        supply = [COPIES - a - b for a, b in zip(away, middle, strict=True)]
    else:
        supply = counts(pool)
        middle = [COPIES - a - b for a, b in zip(away, supply, strict=True)]
    return {
        "phase": phase,
        "seat": seat,
        "turns": turns,
        "idle": idle,
        "pending_bonus": pending_bonus,
        "pegs": rows,
        "pool": supply,
        "centre": middle,
        "front": sorted(front),
        "box": box,
        "truncated": truncated,
    }


def table(engine: ModuleType, options: Mapping[str, Any] | None = None, **what: Any) -> State:
    """Give a position built by `set_up` in a game with these options."""
    game = load(engine, NAME, players=what.get("players", 2), **(options or {}))
    return game.state_from_dict(set_up(**what))


def drawn(state: State, *symbols: int) -> State:
    """Give a copy after draws of these tiles."""
    state = state.clone()
    for symbol in symbols:
        state.apply_action(DRAW)
        state.apply_action(symbol)
    return state


def total(shown: dict[str, Any]) -> list[int]:
    """Count all tiles by symbol, wherever they lie."""
    places = [shown["pool"], shown["centre"], shown["box"]]
    return [
        sum(place[symbol] for place in places) + shown["front"].count(symbol) for symbol in range(6)
    ]


# The game played again


def beginning(players: int) -> Shown:
    """Give the position before the first tile is turned up."""
    return set_up(players, "refill", turns=0, centre=())


def legal_actions(shown: Shown, options: Mapping[str, Any]) -> list[int]:
    """List what the seat to move may do."""
    pool = sum(shown["pool"]) > 0
    if shown["phase"] == "decide":
        return [DRAW, SCORE] if pool else [SCORE]
    lowest = lowest_symbols(shown["pegs"][shown["seat"]])
    if len(lowest) > 1 and pool and options["free_scoring_tie"] == "unique":
        lowest = []
    return [DRAW] * pool + [free(symbol) for symbol in lowest if shown["centre"][symbol]]


def after(shown: Shown, action: int, options: Mapping[str, Any]) -> Shown:
    """Give the position after an action or an outcome."""
    new = deepcopy(shown)
    phase, seat = shown["phase"], shown["seat"]
    before = shown["pegs"][seat]
    if phase == "refill":
        new["pool"][action] -= 1
        new["centre"][action] += 1
        _begin(new)
    elif phase == "draw":
        new["pool"][action] -= 1
        new["front"] = sorted([*new["front"], action])
        new["phase"] = "decide"
        if action in shown["front"] or not shown["centre"][action]:
            for symbol in new["front"]:
                new["centre"][symbol] += 1
            _end_turn(new, options, before)
    elif action == DRAW:
        new["phase"] = "draw"
    elif action == SCORE:
        for symbol in new["front"]:
            _score(new, symbol, 1 + new["centre"][symbol])
            new["centre"][symbol] = 0
        _end_turn(new, options, before)
    else:
        symbol = action - 2
        taken = new["centre"][symbol] if options["free_scoring_take"] == "all" else 1
        new["centre"][symbol] -= taken
        _score(new, symbol, taken)
        _end_turn(new, options, before)
    return new


def _score(new: Shown, symbol: int, number: int) -> None:
    pegs = new["pegs"][new["seat"]]
    counted = min(number, TARGETS[len(new["pegs"])] - pegs[symbol])
    pegs[symbol] += counted
    new["box"][symbol] += counted
    new["pool"][symbol] += number - counted


def _end_turn(new: Shown, options: Mapping[str, Any], before: Sequence[int]) -> None:
    new["front"] = []
    pegs, target = new["pegs"][new["seat"]], TARGETS[len(new["pegs"])]
    new["pending_bonus"] += arrivals(before, pegs, target)
    if not count_turn(new, options, moved=pegs != before, goal=target):
        pass_on(new)
        _begin(new)


def _begin(new: Shown) -> None:
    full = sum(new["centre"]) >= 3 or not any(new["pool"])
    new["phase"] = "choose" if full else "refill"


# What is shown


def view(shown: Shown, seat: int) -> dict[str, Any]:
    """Give what a seat knows: everything."""
    return {"observer": seat, **shown}


def tensor_fields(shown: Shown, seat: int) -> dict[str, Any]:
    """Give the fields of the observation tensor."""
    players = len(shown["pegs"])
    return {
        "observer": one_hot(players, seat),
        "phase": one_hot(5, PHASES.index(shown["phase"])),
        "seat": one_hot(players, shown["seat"]),
        "turns": [shown["turns"]],
        "idle": [shown["idle"]],
        "pending_bonus": [shown["pending_bonus"]],
        "pegs": shown["pegs"],
        "pool": shown["pool"],
        "centre": shown["centre"],
        "front": counts(shown["front"]),
        "box": shown["box"],
        "truncated": [int(shown["truncated"])],
    }


def payload(shown: Shown) -> bytes:
    """Give the position as bytes, without the header."""
    numbers = [PHASES.index(shown["phase"]), shown["seat"]]
    numbers += [*u16(shown["turns"]), *u16(shown["idle"]), shown["pending_bonus"]]
    numbers += [hole for pegs in shown["pegs"] for hole in pegs]
    numbers += [*shown["pool"], *shown["centre"], *counts(shown["front"]), *shown["box"]]
    return bytes([*numbers, shown["truncated"]])


def all_bytes(game: Game, shown: Shown) -> bytes:
    """Give what `to_bytes()` must be."""
    return header(NAME, game.options) + payload(shown)


def text(shown: Shown) -> str:
    """Give what `str(state)` must be."""
    lines = [first_line(NAME, shown)]
    for seat, pegs in enumerate(shown["pegs"]):
        lines.append(f"seat {seat}: pegs {' '.join(map(str, pegs))}")
    lines.append(f"pool: {' '.join(map(str, shown['pool']))}")
    lines.append(f"centre: {names(tiles(shown['centre']))}")
    lines.append(f"front: {names(shown['front'])}")
    lines.append(f"box: {' '.join(map(str, shown['box']))}")
    lines.append(f"bonus turns: {shown['pending_bonus']}")
    return "\n".join(lines)
