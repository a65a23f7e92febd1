"""What the tests of Optimus 2 share: names and ids, positions built by hand, and what a position shows."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.rules.optimus2_sheet import (
    BARS,
    CIRCLE,
    DICE,
    GREEN,
    PINK,
    SUM,
    YELLOW_CELLS,
    area_of,
    make_sheet,
    own_die,
)
from tests.rules.shared import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

Shown = dict[str, Any]
"""A position as `to_dict()` gives it."""

NAME = "optimus2"
ROUNDS = {1: 6, 2: 6, 3: 5, 4: 4}
PHASES = (
    *("round", "return", "roll", "pick"),
    *("passive_roll", "tray", "passive", "extra", "over"),
)
PLACES = ("pool", "field", "platter", "aside")
KEYS = ("phase", "round", "active", "seat", "roll", "dice", "cascade", "due", "sheets")
TRIOS: list[tuple[int, ...]] = list(combinations(range(6), 3))

# Actions
NO_DIE, GO_ON, REROLL, RETURN, COLOUR, FREE, OWN, WITH_WHITE = 0, 1, 2, 3, 9, 14, 81, 148

DEFAULTS: dict[str, Any] = {
    "players": 1,
    "silver_cascade_leftovers": False,
    "extra_die_scope": "round",
    "return_before_reroll": False,
    "pass_policy": "free",
    "fox_floor_zero": False,
}
OTHERS: dict[str, Any] = {
    "silver_cascade_leftovers": True,
    "extra_die_scope": "turn",
    "return_before_reroll": True,
    "pass_policy": "only_when_stuck",
    "fox_floor_zero": True,
}
RULE_SETS: tuple[dict[str, Any], ...] = (
    *({"players": players} for players in (1, 2, 3, 4)),
    *({"players": players, **OTHERS} for players in (1, 2)),
    *({name: value} for name, value in OTHERS.items()),
    {"players": 3, "pass_policy": "only_when_stuck", "extra_die_scope": "turn"},
    {"players": 4, "return_before_reroll": True, "silver_cascade_leftovers": True},
)
"""Every option at every value, alone and together."""


# Positions built by hand

Named = dict[str, Any]


def dice_at(**places: str) -> dict[str, Named]:
    """Lay the dice: `pool="w4 y-", field="s5"`; dice that are not named lie in the pool without a face."""
    found: dict[str, Named] = {die: {"face": None, "place": "pool"} for die in DICE}
    for place, names in places.items():
        for name in names.split():
            (die,) = [die for die in DICE if die[0] == name[0]]
            found[die] = {"face": None if name[1] == "-" else int(name[1]), "place": place}
    return found


def set_up(
    phase: str = "pick",
    players: int = 1,
    round: int | None = None,
    active: int | None = None,
    seat: int | None = None,
    roll: int | None = None,
    cascade: str | None = None,
    due: Sequence[str] = (),
    sheets: Mapping[int, Mapping[str, Any]] | None = None,
    **places: str,
) -> Shown:
    """Give a position with what is named, and the dice as in `dice_at`.

    `sheets` has, by seat, what `make_sheet` takes. What is not named is as it is in the first round, or at the end in phase `over`;
    what has been earned follows from the sheets and the rounds.
    """
    over = phase == "over"
    if over and not places:
        places = {"platter": "w1 y1 b1 g1 p1 s1"}
        if players == 1:
            places = {"platter": "w1 y1 b1", "aside": "g1 p1 s1"}
    if roll is None:
        roll = 1 if phase in {"return", "roll", "pick", "extra"} else 0
    round = (ROUNDS[players] if over else 1) if round is None else round
    active = (players - 1 if over else 0) if active is None else active
    if seat is None:
        seat = max(players - 2, 0) if over else active
    found = []
    for other in range(players):
        rounds = max(round - (phase == "round" and other > seat), 0)
        what = {"due": due if other == seat else (), **dict((sheets or {}).get(other, {}))}
        found.append(make_sheet(rounds, **what))
    return {
        "phase": phase,
        "round": round,
        "active": active,
        "seat": seat,
        "roll": roll,
        "dice": dice_at(**places),
        "cascade": cascade,
        "due": list(due),
        "sheets": found,
    }


def table(engine: ModuleType, options: Mapping[str, Any] | None = None, **what: Any) -> State:
    """Give a position built by `set_up` in a game with these options."""
    game = load(engine, NAME, players=what.get("players", 1), **(options or {}))
    return game.state_from_dict(set_up(**what))


def mark_as_passive(
    engine: ModuleType,
    mark: int,
    *,
    round: int = 1,
    white: bool = False,
    **sheet: Any,
) -> State:
    """Let seat 1 of two, with this sheet, choose a die of the platter for this mark."""
    shown = set_up(
        "passive", 2, round, seat=1, sheets={1: sheet}, platter=faces_for(mark, white=white)
    )
    state = load(engine, NAME, players=2).state_from_dict(shown)
    die = 0 if white else own_die(area_of(mark))
    state.apply_action(pick(die, mark))
    return state


def faces_for(mark: int, *, white: bool = False) -> str:
    """Give faces, as `dice_at` takes them, with which the die of the area, or the white one, can make a mark."""
    area = area_of(mark)
    if area == "blue":
        total = mark - SUM
        least = max(1, total - 6)
        return f"w{least} b{total - least} y1 g1 p1 s1"
    face = {
        "silver": mark % 6 + 1,
        "yellow": YELLOW_CELLS[(mark - CIRCLE) % 10],
        "green": mark - GREEN,
        "pink": mark - PINK,
    }[area]
    chosen = "white" if white else area
    return " ".join(f"{die[0]}{face if die == chosen else 1}" for die in DICE)


def act(state: State, *actions: int | str) -> State:
    """Give a copy after these actions, ids or texts."""
    state = state.clone()
    for action in actions:
        game = state.get_game()
        state.apply_action(game.action_from_string(action) if isinstance(action, str) else action)
    return state


def throw(state: State, faces: str) -> State:
    """Give a copy after these dice, as `"w4 y2"`, have come to lie."""
    state = state.clone()
    for name in faces.split():
        (die,) = [number for number, die in enumerate(DICE) if die[0] == name[0]]
        state.apply_action(6 * die + int(name[1]) - 1)
    return state


def choices(state: State) -> list[str]:
    """Give the texts of the legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def pick(die: int, mark: int) -> int:
    """Give the action in which a die makes a mark."""
    return (WITH_WHITE if die == 0 else OWN) + mark


def faces(shown: Shown) -> list[int | None]:
    """Give the faces of the dice."""
    return [shown["dice"][die]["face"] for die in DICE]


def lying(shown: Shown, place: str) -> list[int]:
    """List the dice in a place."""
    return [number for number, die in enumerate(DICE) if shown["dice"][die]["place"] == place]


def points(state: State, seat: int = 0) -> list[int]:
    """Give the area scores that a position shows."""
    (field,) = [field for field in state.get_game().observation_fields if field.name == "points"]
    tensor = state.observation_tensor(0)[field.start + 5 * seat : field.start + 5 * seat + 5]
    return [int(value) for value in tensor]


def scored(engine: ModuleType, **sheet: Any) -> list[int]:
    """Give the area scores of a sheet."""
    return points(table(engine, phase="over", sheets={0: sheet}))


def sheet_of(state: State, seat: int = 1) -> dict[str, Any]:
    """Give a seat's sheet."""
    sheet: dict[str, Any] = state.to_dict()["sheets"][seat]
    return sheet


def brought(before: Mapping[str, Any], state: State) -> list[str]:
    """List what a mark has brought to seat 1."""
    after = sheet_of(state)
    found = [bar for bar in BARS for _ in range(after[bar]["earned"] - before[bar]["earned"])]
    found += ["fox"] * (after["foxes"] - before["foxes"])
    return found + list(state.to_dict()["due"])
