"""What the tests of the Dice Challenge share: rolls, positions built by hand, and the game played again on its dict.

Nothing here is taken from an engine: `after` follows the rules page on the dict of a position, a third reading of the rules.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from tests.rules.challenges_board import (
    GOAL,
    SYMBOLS,
    advance,
    arrivals,
    count_turn,
    first_line,
    names,
    pass_on,
)
from tests.rules.shared import Shown, header, load, one_hot, u16

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game, State

NAME = "dice_challenge"
PHASES = ("opening", "roll", "reroll", "resolve", "over")
STOP, REROLL = 0, 1
DICE = {2: 4, 3: 3, 4: 2}
"""Dice of each player."""
KEYS = (
    *("phase", "seat", "turns", "idle", "pending_bonus", "rolls_used", "moved", "pegs"),
    *("dice", "unused", "truncated"),
)

RULE_SETS: tuple[dict[str, Any], ...] = (
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "gate_test": "strict"},
    {"players": 3, "gate_test": "strict", "no_progress_limit": 2},
    {"players": 4, "gate_test": "strict", "max_turns": 25},
    {"players": 2, "no_progress_limit": 1},
)
"""Every option at every value, and caps that end games early."""


def match(symbol: int) -> int:
    """Give the action that matches one die with this symbol."""
    return 2 + symbol


def wild(points: int, symbol: int, target: int) -> int:
    """Give the action that uses dice with this symbol for so many points in the target."""
    return 8 + (symbol * 3 + points - 1) * 6 + target


def rolls(players: int) -> list[tuple[int, ...]]:
    """Give every result of a roll of all dice, by chance id."""
    return list(combinations_with_replacement(range(6), DICE[players]))


def weight(roll: Sequence[int]) -> int:
    """Count the ways in which single dice can give this result."""
    return factorial(len(roll)) // prod(factorial(number) for number in Counter(roll).values())


def counts(dice: Sequence[int]) -> list[int]:
    """Count dice by symbol."""
    return [list(dice).count(symbol) for symbol in range(6)]


# Positions built by hand


def set_up(
    players: int = 2,
    phase: str = "resolve",
    seat: int = 0,
    turns: int = 20,
    idle: int = 0,
    pending_bonus: int = 0,
    rolls_used: int | None = None,
    moved: bool = False,
    pegs: Mapping[int, Sequence[int]] | None = None,
    dice: Mapping[int, Sequence[int]] | None = None,
    unused: Sequence[int] | None = None,
    truncated: bool = False,
) -> Shown:
    """Give a position with what is named; dice that are not named show 0, 1, 2, 3 as far as needed."""
    faces = [sorted((dice or {}).get(other, range(DICE[players]))) for other in range(players)]
    if phase == "resolve" and unused is None:
        unused = faces[seat]
    return {
        "phase": phase,
        "seat": seat,
        "turns": turns,
        "idle": idle,
        "pending_bonus": pending_bonus,
        "rolls_used": int(phase == "reroll") if rolls_used is None else rolls_used,
        "moved": moved,
        "pegs": [list((pegs or {}).get(other, [0] * 6)) for other in range(players)],
        "dice": faces,
        "unused": sorted(unused or ()),
        "truncated": truncated,
    }


def beginning(players: int) -> Shown:
    """Give the position before the first opening roll."""
    nothing: dict[int, Sequence[int]] = dict.fromkeys(range(players), ())
    return set_up(players, "opening", turns=0, dice=nothing)


def table(engine: ModuleType, options: Mapping[str, Any] | None = None, **what: Any) -> State:
    """Give a position built by `set_up` in a game with these options."""
    game = load(engine, NAME, players=what.get("players", 2), **(options or {}))
    return game.state_from_dict(set_up(**what))


def rolled(state: State, *rolls_made: Sequence[int]) -> State:
    """Give a copy after rolls with these results, with a reroll between one and the next."""
    state = state.clone()
    number = state.num_players()
    for roll in rolls_made:
        if state.current_player() >= 0:
            state.apply_action(REROLL)
        state.apply_action(rolls(number).index(tuple(sorted(roll))))
    return state


def use(state: State, *actions: int) -> State:
    """Give a copy after these actions."""
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


# The game played again


def legal_actions(shown: Shown) -> list[int]:
    """List what the seat to move may do."""
    if shown["phase"] == "reroll":
        return [STOP, REROLL]
    left = counts(shown["unused"])
    wilds = [
        wild(points, symbol, target)
        for symbol in range(6)
        for points in (1, 2, 3)
        if left[symbol] > points
        for target in range(6)
    ]
    return [match(symbol) for symbol in range(6) if left[symbol]] + wilds


def after(shown: Shown, action: int, options: Mapping[str, Any]) -> Shown:
    """Give the position after an action or an outcome."""
    new = deepcopy(shown)
    seat = new["seat"]
    if shown["phase"] in {"opening", "roll"}:
        new["dice"][seat] = list(rolls(options["players"])[action])
    if shown["phase"] == "opening":
        new["seat"] = (seat + 1) % options["players"]
        new["phase"] = "roll" if new["seat"] == 0 else "opening"
    elif shown["phase"] == "roll":
        new["rolls_used"] += 1
        new["phase"] = "reroll"
        if new["rolls_used"] == 3:
            _resolve(new)
    elif shown["phase"] == "reroll":
        if action == STOP:
            _resolve(new)
        else:
            new["phase"] = "roll"
    else:
        _use(new, action, options)
    return new


def _resolve(new: Shown) -> None:
    new.update(phase="resolve", rolls_used=0, unused=list(new["dice"][new["seat"]]))


def _use(new: Shown, action: int, options: Mapping[str, Any]) -> None:
    seat = new["seat"]
    if action < 8:
        source = target = action - 2
        used = 1
        others = [dice for other, dice in enumerate(new["dice"]) if other != seat]
        points = sum(dice.count(target) for dice in others)
    else:
        kind, target = divmod(action - 8, 6)
        source, points = kind // 3, kind % 3 + 1
        used = points + 1
    for _ in range(used):
        new["unused"].remove(source)
    before = new["pegs"][seat]
    pegs = advance(before, target, points, gate_test=options["gate_test"])
    new["pegs"][seat] = pegs
    new["moved"] |= pegs != before
    new["pending_bonus"] += arrivals(before, pegs)
    if not new["unused"]:
        moved, new["moved"] = new["moved"], False
        if not count_turn(new, options, moved=moved, goal=GOAL):
            new["phase"] = "roll"
            pass_on(new)


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
        "rolls_used": [shown["rolls_used"]],
        "moved": [int(shown["moved"])],
        "pegs": shown["pegs"],
        "dice": [counts(dice) for dice in shown["dice"]],
        "unused": counts(shown["unused"]),
        "truncated": [int(shown["truncated"])],
    }


def payload(shown: Shown) -> bytes:
    """Give the position as bytes, without the header."""
    numbers = [PHASES.index(shown["phase"]), shown["seat"]]
    numbers += [*u16(shown["turns"]), *u16(shown["idle"]), shown["pending_bonus"]]
    numbers += [shown["rolls_used"], shown["moved"]]
    numbers += [hole for pegs in shown["pegs"] for hole in pegs]
    numbers += [number for dice in shown["dice"] for number in counts(dice)]
    return bytes([*numbers, *counts(shown["unused"]), shown["truncated"]])


def all_bytes(game: Game, shown: Shown) -> bytes:
    """Give what `to_bytes()` must be."""
    return header(NAME, game.options) + payload(shown)


def text(shown: Shown) -> str:
    """Give what `str(state)` must be."""
    lines = [first_line(NAME, shown)]
    for seat, pegs in enumerate(shown["pegs"]):
        dice = names(shown["dice"][seat])
        lines.append(f"seat {seat}: pegs {' '.join(map(str, pegs))}, dice {dice}")
    lines.append(f"unused: {names(shown['unused'])}")
    lines.append(f"rolls used: {shown['rolls_used']}")
    lines.append(f"bonus turns: {shown['pending_bonus']}")
    return "\n".join(lines)


def roll_text(roll: Sequence[int]) -> str:
    """Give the text of a roll."""
    return "roll " + " ".join(SYMBOLS[symbol] for symbol in roll)
