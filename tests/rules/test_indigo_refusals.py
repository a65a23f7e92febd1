"""Indigo: what `state_from_dict` refuses, one case for each thing that can be wrong, on both engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from tabletop_core.errors import PositionError
from tests.rules.indigo_board import (
    AMBER_ROAD,
    KEYS,
    NOTHING,
    SPOKES,
    around_centre,
    dealing,
    drawing,
    in_play,
    last_draw,
    late,
    load,
    over,
    position,
    scored,
    tiles_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    Position: TypeAlias = Callable[[], dict[str, Any]]
    Change: TypeAlias = Callable[[dict[str, Any]], None]

POSITIONS = (in_play, scored, drawing, dealing, over, late, last_draw, around_centre)


@pytest.mark.rule("IN-56", "IN-59", "IN-60", "IN-62")
@pytest.mark.parametrize("base", POSITIONS, ids=lambda base: str(base.__name__))
def test_the_positions_that_the_refusals_start_from_are_accepted(
    engine: ModuleType, base: Position
) -> None:
    state = load(engine).state_from_dict(base())
    assert json.dumps(state.to_dict()) == json.dumps(base())


def put(*path: Any) -> Change:
    """Set the entry at a path of keys and indices to the last argument."""
    *way, last, value = path

    def change(shown: Any) -> None:
        for step in way:
            shown = shown[step]
        shown[last] = value

    return change


def drop(*path: Any) -> Change:
    """Delete the entry at a path of keys and indices."""
    *way, last = path

    def change(shown: Any) -> None:
        for step in way:
            shown = shown[step]
        del shown[last]

    return change


def add(*path: Any) -> Change:
    """Append the last argument to the list at a path of keys and indices."""
    *way, value = path

    def change(shown: Any) -> None:
        for step in way:
            shown = shown[step]
        shown.append(value)

    return change


def both(*changes: Change) -> Change:
    def change(shown: dict[str, Any]) -> None:
        for one in changes:
            one(shown)

    return change


def tile(cell: Any, *routes: Any) -> dict[str, Any]:
    return {"cell": cell, "routes": list(routes)}


def gem(cell: Any, edge: Any, colour: Any) -> dict[str, Any]:
    return {"cell": cell, "edge": edge, "gem": colour}


THREE_STRAIGHTS = ([0, 3], [1, 4], [2, 5])

# Clause, what is wrong, the position it starts from, and the change.
REFUSED: list[tuple[str, str, Position, Change]] = [
    *(("IN-56", f"no {key}", in_play, drop(key)) for key in KEYS),
    ("IN-56", "unknown key", in_play, put("turn", 3)),
    ("IN-56", "unknown phase", in_play, put("phase", "talk")),
    ("IN-56", "phase as number", in_play, put("phase", 1)),
    ("IN-56", "seat as bool", in_play, put("seat", True)),
    ("IN-56", "seat as text", in_play, put("seat", "1")),
    ("IN-56", "seat as float", in_play, put("seat", 1.0)),
    ("IN-56", "seat nobody has", in_play, put("seat", 3)),
    ("IN-56", "seat below zero", in_play, put("seat", -1)),
    ("IN-56", "tiles as dict", in_play, put("tiles", {})),
    ("IN-56", "tile without routes", in_play, drop("tiles", 0, "routes")),
    ("IN-56", "tile with a type", in_play, put("tiles", 0, "type", 1)),
    ("IN-56", "gem without edge", in_play, drop("gems", 0, "edge")),
    ("IN-56", "gem with value", in_play, put("gems", 0, "value", 1)),
    ("IN-56", "gem of glass", in_play, put("gems", 0, "gem", "glass")),
    ("IN-56", "gem as number", in_play, put("gems", 0, "gem", 0)),
    ("IN-56", "centre without sapphire", in_play, drop("centre", "sapphire")),
    ("IN-56", "centre with amber", in_play, put("centre", "amber", 0)),
    ("IN-56", "sapphire as bool", in_play, put("centre", "sapphire", True)),
    ("IN-56", "pile of four types", in_play, drop("pile", 4)),
    ("IN-56", "pile of six types", in_play, add("pile", 0)),
    ("IN-56", "hands of three", in_play, add("hands", [])),
    ("IN-56", "hands of one", in_play, drop("hands", 1)),
    ("IN-56", "hand as number", in_play, put("hands", 0, 3)),
    ("IN-56", "tile type 5", in_play, put("hands", 0, 0, 5)),
    ("IN-56", "tile type as text", in_play, put("hands", 0, 0, "3")),
    ("IN-56", "won of three", in_play, add("won", dict(NOTHING))),
    ("IN-56", "won without amber", in_play, drop("won", 0, "amber")),
    ("IN-56", "won as list", in_play, put("won", 0, [0, 0, 0])),
    ("IN-57", "tile in the centre", in_play, put("tiles", 0, "cell", [0, 0])),
    ("IN-57", "tile on a corner", in_play, put("tiles", 0, "cell", [4, -4])),
    ("IN-57", "tile off the board", in_play, put("tiles", 0, "cell", [4, 1])),
    ("IN-57", "tile far away", in_play, put("tiles", 0, "cell", [10**30, 0])),
    ("IN-57", "cell of three numbers", in_play, put("tiles", 0, "cell", [0, -3, 3])),
    ("IN-57", "two tiles on a cell", in_play, add("tiles", tile([0, -1], *THREE_STRAIGHTS))),
    ("IN-57", "two routes", in_play, drop("tiles", 0, "routes", 2)),
    ("IN-57", "four routes", in_play, add("tiles", 0, "routes", [0, 3])),
    ("IN-57", "an edge twice", in_play, put("tiles", 0, "routes", 0, [0, 1])),
    ("IN-57", "a route twice", in_play, put("tiles", 0, "routes", 2, [3, 0])),
    ("IN-57", "a route in itself", in_play, put("tiles", 0, "routes", 0, [0, 0])),
    ("IN-57", "edge 6", in_play, put("tiles", 0, "routes", 0, [0, 6])),
    ("IN-57", "edge -3", in_play, put("tiles", 0, "routes", 0, [0, -3])),
    ("IN-57", "edge as bool", in_play, put("tiles", 0, "routes", 1, [True, 4])),
    (
        "IN-57",
        "forbidden curve",
        in_play,
        put("tiles", 1, tile([2, -4], [0, 5], [1, 2], [3, 4])),
    ),
    ("IN-58", "one tile too many", in_play, put("pile", 0, 15)),
    ("IN-58", "one tile too few", in_play, put("pile", 0, 13)),
    ("IN-58", "below zero", in_play, put("pile", 1, -1)),
    ("IN-58", "hand of another type", in_play, put("hands", 0, [2])),
    (
        "IN-58",
        "seven of a kind",
        in_play,
        both(put("pile", 1, 5), put("pile", 0, 13)),
    ),
    ("IN-59", "other seat to place", in_play, put("seat", 0)),
    ("IN-59", "hand too large", in_play, both(put("hands", 0, [2, 3]), put("pile", 2, 12))),
    ("IN-59", "hand missing", in_play, both(put("hands", 0, []), put("pile", 3, 14))),
    ("IN-59", "hands uneven", in_play, both(put("hands", 0, []), put("hands", 1, [2, 3]))),
    ("IN-59", "draw with full hands", in_play, both(put("phase", "draw"), put("seat", 0))),
    ("IN-59", "other seat to draw", drawing, put("seat", 1)),
    ("IN-59", "place with a hand short", drawing, both(put("phase", "place"), put("seat", 1))),
    (
        "IN-59",
        "draw before the first tile",
        dealing,
        both(put("phase", "draw"), put("seat", 1)),
    ),
    (
        "IN-59",
        "draw from an empty pile",
        late,
        both(put("phase", "draw"), put("seat", 0)),
    ),
    (
        "IN-59",
        "the last tile in the wrong hand",
        late,
        both(put("hands", 0, [0]), put("hands", 1, [])),
    ),
    ("IN-59", "tile kept in the pile", late, both(put("hands", 1, []), put("pile", 0, 1))),
    (
        "IN-59",
        "last tile not drawn",
        last_draw,
        both(put("phase", "place"), put("seat", 0)),
    ),
    ("IN-59", "other seat placed last", over, put("seat", 0)),
    ("IN-60", "other seat is dealt to", dealing, put("seat", 0)),
    ("IN-60", "seat 1 before seat 0", dealing, put("hands", [[], [3]])),
    ("IN-60", "nothing left to deal", in_play, put("phase", "deal")),
    (
        "IN-60",
        "all dealt",
        dealing,
        both(put("hands", [[3], [2]]), put("pile", 2, 13)),
    ),
    (
        "IN-60",
        "place before the deal ends",
        dealing,
        both(put("phase", "place"), put("seat", 0)),
    ),
    (
        "IN-60",
        "tile on the board in the deal",
        dealing,
        both(add("tiles", tile([2, 0], *THREE_STRAIGHTS)), put("pile", 1, 5)),
    ),
    ("IN-61", "a gem less", in_play, drop("gems", 0)),
    ("IN-61", "amber back on its stub", in_play, add("gems", gem([0, -4], 2, "amber"))),
    ("IN-61", "gem at another edge", in_play, put("gems", 0, "edge", 4)),
    ("IN-61", "gem on an empty cell", in_play, put("gems", 0, "cell", [2, 0])),
    ("IN-61", "gem off the board", in_play, put("gems", 0, "cell", [5, -4])),
    ("IN-61", "gem of another colour", in_play, put("gems", 0, "gem", "emerald")),
    ("IN-61", "gem in the centre", in_play, put("gems", 0, gem([0, 0], 0, "amber"))),
    ("IN-61", "same gem twice", in_play, add("gems", gem([4, -4], 3, "amber"))),
    ("IN-61", "edge 6 of a gem", in_play, put("gems", 0, "edge", 6)),
    ("IN-61", "a gem halfway", scored, add("gems", gem([1, -3], 0, "amber"))),
    ("IN-61", "emerald not released", in_play, put("centre", "emerald", 5)),
    ("IN-61", "emerald released too early", in_play, put("centre", "emerald", 3)),
    ("IN-61", "six emeralds", dealing, put("centre", "emerald", 6)),
    ("IN-61", "sapphire first", in_play, put("centre", {"emerald": 5, "sapphire": 0})),
    ("IN-61", "two sapphires", in_play, put("centre", "sapphire", 2)),
    ("IN-61", "won without an exit", in_play, put("won", 0, "amber", 1)),
    ("IN-61", "won and not paid", scored, put("won", 0, "amber", 0)),
    ("IN-61", "won twice", scored, put("won", 0, "amber", 2)),
    (
        "IN-61",
        "won by the other",
        scored,
        put("won", [dict(NOTHING), {**NOTHING, "amber": 1}]),
    ),
    ("IN-61", "won below zero", scored, put("won", 1, "amber", -1)),
    ("IN-61", "won in another colour", scored, put("won", 0, {**NOTHING, "emerald": 1})),
    ("IN-61", "no sapphire among six", around_centre, lambda shown: recolour(shown, "emerald")),
    ("IN-61", "six sapphires", around_centre, lambda shown: recolour(shown, "sapphire")),
    ("IN-61", "sapphire still inside", around_centre, put("centre", "sapphire", 1)),
    ("IN-62", "over with gems", drawing, put("phase", "over")),
    ("IN-62", "place without gems", lambda: position(tiles_of(SPOKES), phase="place"), both()),
    ("IN-62", "draw without gems", over, put("phase", "draw")),
]


def recolour(shown: dict[str, Any], colour: str) -> None:
    for standing in shown["gems"]:
        if standing["gem"] != "amber":
            standing["gem"] = colour


@pytest.mark.rule("IN-56", "IN-57", "IN-58", "IN-59", "IN-60", "IN-61", "IN-62")
@pytest.mark.parametrize(
    ("base", "change"),
    [pytest.param(base, change, id=f"{clause} {what}") for clause, what, base, change in REFUSED],
)
def test_a_dict_that_breaks_an_invariant_is_refused(
    engine: ModuleType,
    base: Position,
    change: Change,
) -> None:
    shown = base()
    change(shown)
    with pytest.raises(PositionError):
        load(engine).state_from_dict(shown)


@pytest.mark.rule("IN-57", "IN-61")
@pytest.mark.parametrize("part", ["tiles", "gems"])
def test_a_cell_off_the_board_is_said_to_be_one(engine: ModuleType, part: str) -> None:
    shown = in_play()
    put(part, 0, "cell", [4, 1])(shown)  # each number alone is one of the board
    with pytest.raises(PositionError, match=r"must be a cell .*of the board"):
        load(engine).state_from_dict(shown)


@pytest.mark.rule("IN-56")
@pytest.mark.parametrize("value", [None, [], "place", 7, {}], ids=str)
def test_what_is_no_position_at_all_is_refused(engine: ModuleType, value: Any) -> None:
    with pytest.raises(PositionError):
        load(engine).state_from_dict(value)


@pytest.mark.rule("IN-14", "IN-56", "IN-61")
def test_a_position_of_other_options_is_refused(engine: ModuleType) -> None:
    """An amber that left through gateway 0 with three players; and a hand that is too large or too
    small.
    """
    exclusive = load(engine, players=3, ownership="exclusive")
    moves = [*AMBER_ROAD[:4], ("03/14/25", (2, -4)), ("03/14/25", (-2, 0)), ("01/25/34", (-1, 0))]
    through_gateway_1 = [("01/25/34", (3, -3)), ("04/13/25", (4, -3))]
    shown = position(tiles_of([*moves, *through_gateway_1]), players=3)
    assert [sum(won.values()) for won in shown["won"]] == [2, 1, 0]
    assert load(engine, players=3).state_from_dict(shown).to_dict() == shown
    for game in (exclusive, load(engine), load(engine, players=3, hand_size=2)):
        with pytest.raises(PositionError):
            game.state_from_dict(shown)
