"""Indigo: positions as dicts and bytes, what is refused, and equality, on both engines."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from tabletop_core.errors import PositionError
from tests.engines import effort
from tests.rules.indigo_board import (
    CELLS,
    FREE_CELLS,
    FULL_BOARD,
    GEMS,
    RING_1,
    SETTINGS,
    action_id,
    any_gem_left,
    build,
    full_board_without,
    holding,
    load,
    position,
    spoke,
    start,
    tiles_of,
    tiles_on,
)
from tests.walks import end, walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tabletop_core.protocol import State

    Position: TypeAlias = Callable[[], dict[str, Any]]
    Change: TypeAlias = Callable[[dict[str, Any]], None]

RULES_PAGE = Path(__file__).parents[2] / "docs" / "rules" / "indigo.md"
KEYS = ("phase", "seat", "tiles", "gems", "centre", "pile", "hands", "won")
EXAMPLE_A = [
    ("03/14/25", (0, -3)),
    ("03/14/25", (0, -1)),
    ("05/12/34", (0, -2)),
    ("03/14/25", (1, -3)),
    ("03/14/25", (2, -4)),
]
SPOKES = [move for corner in range(6) for move in spoke(corner)]


# --- round trips ---------------------------------------------------------------------------------


@pytest.mark.rule("IN-50", "IN-56")
def test_the_example_of_the_rules_page_is_a_position(engine: ModuleType) -> None:
    page = RULES_PAGE.read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (picture,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    state = load(engine).state_from_dict(json.loads(example))
    assert json.dumps(state.to_dict()) == json.dumps(json.loads(example))
    assert str(state) == picture.rstrip("\n")
    assert len(state.legal_actions()) == 159


@pytest.mark.rule("IN-56", "IN-59", "IN-60", "IN-61")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, **options)
    for state in walk(game, seed=61):
        shown = state.to_dict()
        assert tuple(shown) == KEYS
        for back in (
            game.state_from_dict(shown),
            game.state_from_dict(json.loads(json.dumps(shown))),
            game.state_from_dict(tupled(shown)),
            game.state_from_bytes(state.to_bytes()),
        ):
            assert back == state
            assert back.stable_hash() == state.stable_hash()
            assert json.dumps(back.to_dict()) == json.dumps(shown)


def tupled(value: Any) -> Any:
    """Lists become tuples, at every depth."""
    if isinstance(value, dict):
        return {key: tupled(entry) for key, entry in value.items()}
    return tuple(map(tupled, value)) if isinstance(value, list) else value


@pytest.mark.rule("IN-56")
def test_tiles_and_gems_are_listed_by_cell_and_edge(engine: ModuleType) -> None:
    for state in walk(load(engine, hand_size=2), seed=67):
        shown = state.to_dict()
        tiles = [CELLS.index(tuple(tile["cell"])) for tile in shown["tiles"]]
        gems = [(CELLS.index(tuple(gem["cell"])), gem["edge"]) for gem in shown["gems"]]
        assert tiles == sorted(tiles)
        assert gems == sorted(gems)
        assert all(tile["routes"] == sorted(map(sorted, tile["routes"])) for tile in shown["tiles"])
        assert shown["hands"] == [sorted(hand) for hand in shown["hands"]]


@pytest.mark.rule("IN-56")
def test_lists_are_read_in_any_order(engine: ModuleType) -> None:
    game = load(engine, hand_size=2)
    shown = position(tiles_of(EXAMPLE_A[:3]), hand_size=2, hands={0: [3, 4], 1: [0, 2]})
    state = game.state_from_dict(shown)
    shown["tiles"].reverse()
    shown["gems"].reverse()
    for tile_shown in shown["tiles"]:
        tile_shown["routes"] = [route[::-1] for route in tile_shown["routes"][::-1]]
    for hand in shown["hands"]:
        hand.reverse()
    assert game.state_from_dict(shown) == state
    assert game.state_from_dict(shown).to_dict() == state.to_dict()


@pytest.mark.rule("IN-59", "IN-61")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_boards_built_by_hand_are_accepted_in_every_phase_they_allow(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Any board without a forbidden curve, filled in any order, with the gems that its tracks
    give.
    """
    cells = list(FULL_BOARD)
    last_draw = 54 - options["players"] * options["hand_size"]
    for number in range(0, 55, effort(engine, native=1, reference=3)):
        tiles = {cell: FULL_BOARD[cell] for cell in (cells[7:] + cells[:7])[:number]}
        left = any_gem_left(tiles)
        allowed = {
            "place": left,
            "draw": left and 1 <= number <= last_draw,
            "over": not left,
        }
        for phase, possible in allowed.items():
            if possible:
                state = build(engine, tiles, phase=phase, **options)
                assert tiles_on(state) == tiles
                assert state.is_terminal() == (phase == "over")


# --- refusals ------------------------------------------------------------------------------------


def in_play() -> dict[str, Any]:
    """Two players, example A after three tiles; seat 1 holds a tile of type 2, seat 0 one of type
    3.
    """
    return position(tiles_of(EXAMPLE_A[:3]), hands={0: [3], 1: [2]})


def scored() -> dict[str, Any]:
    """Example A to its end: seat 0 has an amber."""
    return position(tiles_of(EXAMPLE_A), hands={0: [3], 1: [2]})


def drawing() -> dict[str, Any]:
    return position(tiles_of(EXAMPLE_A[:3]), phase="draw", hands={1: [2]})


def dealing() -> dict[str, Any]:
    """Two players with a hand of one: seat 0 has its tile, seat 1 none."""
    shown = position({}, hands={0: [3], 1: [2]})
    shown["pile"][2] += 1
    return {**shown, "phase": "deal", "seat": 1, "hands": [[3], []]}


def over() -> dict[str, Any]:
    return position(tiles_of(SPOKES), hands={0: [3]})


def late() -> dict[str, Any]:
    """One cell is empty, the pile too, and only seat 1 has a tile."""
    return position(full_board_without([0]))


def last_draw() -> dict[str, Any]:
    """52 tiles on the board, the last tile of the pile goes to seat 1."""
    return position(full_board_without([0, 2]), phase="draw")


def around_centre() -> dict[str, Any]:
    """All six cells around the centre are filled; the sapphire stands with the emeralds."""
    return position(tiles_of(("03/14/25", cell) for cell in RING_1), sapphire_edge=2)


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
NOTHING = {"amber": 0, "emerald": 0, "sapphire": 0}

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
    moves = [*EXAMPLE_A[:4], ("03/14/25", (2, -4)), ("03/14/25", (-2, 0)), ("01/25/34", (-1, 0))]
    through_gateway_1 = [("01/25/34", (3, -3)), ("04/13/25", (4, -3))]
    shown = position(tiles_of([*moves, *through_gateway_1]), players=3)
    assert [sum(won.values()) for won in shown["won"]] == [2, 1, 0]
    assert load(engine, players=3).state_from_dict(shown).to_dict() == shown
    for game in (exclusive, load(engine), load(engine, players=3, hand_size=2)):
        with pytest.raises(PositionError):
            game.state_from_dict(shown)


@pytest.mark.rule("IN-27", "IN-61")
def test_each_of_six_centre_edges_may_have_given_the_sapphire(engine: ModuleType) -> None:
    tiles = tiles_of(("03/14/25", cell) for cell in RING_1)
    states = [build(engine, tiles, sapphire_edge=edge) for edge in range(6)]
    assert len({state.stable_hash() for state in states}) == 6
    for edge, state in enumerate(states):
        sapphires = [gem for gem in state.to_dict()["gems"] if gem["gem"] == "sapphire"]
        assert sapphires == [{"cell": list(RING_1[edge]), "edge": edge, "gem": "sapphire"}]


@pytest.mark.rule("IN-35", "IN-61")
def test_the_sapphire_may_have_been_won_on_any_track_that_led_an_emerald_out(
    engine: ModuleType,
) -> None:
    """On a full board the won gems depend on the edge of the sapphire, and every such edge is
    accepted.
    """
    kinds = set()
    for edge in range(6):
        state = build(engine, FULL_BOARD, players=4, sapphire_edge=edge)
        kinds.add(json.dumps(state.to_dict()["won"]))
    assert len(kinds) > 1


# --- equality ------------------------------------------------------------------------------------


@pytest.mark.rule("IN-55")
def test_the_order_of_placements_is_no_part_of_a_position(engine: ModuleType) -> None:
    """Both seats hold a type 3 and draw one: who filled which of two cells cannot be seen."""
    begin = build(engine, {}, hands={0: [3], 1: [3]})
    moves = [action_id("01/24/35", (2, 0)), action_id("02/13/45", (-2, 0))]
    ends = []
    for first, second in (moves, moves[::-1]):
        state = begin.clone()
        for action in (first, 3, second, 3):
            state.apply_action(action)
        ends.append(state)
    assert ends[0] == ends[1]
    assert ends[0].stable_hash() == ends[1].stable_hash()
    assert hash(ends[0]) == hash(ends[1])
    assert ends[0].to_bytes() == ends[1].to_bytes()


@pytest.mark.rule("IN-32", "IN-55")
def test_lost_gems_leave_nothing_in_the_position(engine: ModuleType) -> None:
    shown = load(engine).state_from_dict(over()).to_dict()
    assert tuple(shown) == KEYS
    assert shown["gems"] == []
    assert shown["won"] == [NOTHING, NOTHING]


@pytest.mark.rule("IN-47", "IN-55")
def test_a041_positions_with_different_tiles_have_different_hashes(engine: ModuleType) -> None:
    """One tile in each of its 756 places, and the start."""
    state = start(engine)
    hashes = {state.stable_hash()}
    for kind in range(5):
        held = holding(state, kind)
        for action in held.legal_actions():
            hashes.add(held.child(action).stable_hash())
    assert len(hashes) == 757


@pytest.mark.rule("IN-55")
def test_a040_a041_positions_with_different_hands_seats_or_gems_are_unequal(
    engine: ModuleType,
) -> None:
    states = [
        load(engine).state_from_dict(shown)
        for shown in (
            in_play(),
            drawing(),
            scored(),
            position(tiles_of(EXAMPLE_A[:3]), hands={0: [2], 1: [3]}),
            position(tiles_of(EXAMPLE_A[:3]), hands={0: [3], 1: [4]}),
        )
    ]
    ring = tiles_of(("03/14/25", cell) for cell in RING_1)
    states += [build(engine, ring, sapphire_edge=edge) for edge in range(6)]
    for number, state in enumerate(states):
        assert [other == state for other in states].count(True) == 1
        assert state != states[number - 1]
    assert len({state.stable_hash() for state in states}) == len(states)


# --- bytes ---------------------------------------------------------------------------------------


def bytes_of(state: State, options: dict[str, Any]) -> bytes:
    """What `to_bytes()` must be, from the dict of the position."""
    shown, tiles = state.to_dict(), tiles_on(state)
    numbers = [("deal", "place", "draw", "over").index(shown["phase"]), shown["seat"]]
    numbers += [tiles.get(cell, 15) for cell in FREE_CELLS]
    numbers.append(len(shown["gems"]))
    for one in shown["gems"]:
        numbers += [CELLS.index(tuple(one["cell"])), one["edge"], GEMS.index(one["gem"])]
    numbers += [shown["centre"]["emerald"], shown["centre"]["sapphire"], *shown["pile"]]
    for hand in shown["hands"]:
        numbers += [len(hand), *hand]
    for won in shown["won"]:
        numbers += [won[colour] for colour in GEMS]
    header = b"TTC\x01"
    for text in ("indigo", "1", json.dumps(options)):
        header += len(text).to_bytes(2, "little") + text.encode()
    return header + bytes(numbers)


@pytest.mark.rule("IN-65")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_bytes_are_a_header_and_one_byte_for_each_number(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in walk(load(engine, **options), seed=71):
        assert state.to_bytes() == bytes_of(state, options)


@pytest.mark.rule("IN-57", "IN-58", "IN-61", "IN-65")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number of the position changed to each of some values: refused, or another position."""
    game = load(engine)
    state = game.state_from_dict(in_play())
    good = state.to_bytes()
    header = good.index(b"}") + 1
    refused = 0
    for place in range(header, len(good)):
        for value in (0, 1, 15, 16, 255):
            changed = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                other = game.state_from_bytes(changed)
            except PositionError:
                refused += 1
            else:
                assert other.to_bytes() == changed
                assert (other == state) == (changed == good)
    assert refused > 4 * (len(good) - header) - 54


@pytest.mark.rule("IN-65")
def test_cut_or_longer_bytes_are_refused(engine: ModuleType) -> None:
    game = load(engine)
    good = end(game, seed=2).to_bytes()
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0", b"", b"TTC"):
        with pytest.raises(PositionError):
            game.state_from_bytes(bad)
