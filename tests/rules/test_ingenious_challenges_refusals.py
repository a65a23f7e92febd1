"""The match of Ingenious Challenges: what `state_from_dict` refuses, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules import card_challenge_table, dice_challenge_table, tile_challenge_table
from tests.rules.shared import GONE, NO_COUNTS, NO_FLAGS, Case, Shown, load, spoilt, wrong_values

if TYPE_CHECKING:
    from types import ModuleType

NAME = "ingenious_challenges"
CHALLENGES = ("card", "tile", "dice")
CAPPED = {"max_turns": 20}


def first() -> Shown:
    position = card_challenge_table.set_up(pegs={0: [3, 3, 3, 2, 2, 2]})
    return {"played": 0, "totals": [0, 0], "truncated": False, "game": "card", "position": position}


def last() -> Shown:
    position = dice_challenge_table.set_up(pegs={0: [3, 3, 3, 2, 2, 2]})
    return {
        "played": 2,
        "totals": [9, 17],
        "truncated": False,
        "game": "dice",
        "position": position,
    }


def over() -> Shown:
    pegs = {0: [7, 8, 9, 10, 7, 7], 1: [6, 5, 5, 7, 7, 7]}
    position = dice_challenge_table.set_up(phase="over", pegs=pegs)
    return {
        "played": 3,
        "totals": [16, 22],
        "truncated": False,
        "game": "dice",
        "position": position,
    }


def capped() -> Shown:
    pegs = {0: [3, 3, 3, 2, 2, 2], 1: [1] * 6}
    position = dice_challenge_table.set_up(phase="over", pegs=pegs, truncated=True)
    return {"played": 3, "totals": [9, 12], "truncated": True, "game": "dice", "position": position}


def alone() -> Shown:
    """A match of one Tile Challenge that is over."""
    pegs = {0: [7] * 6, 1: [3, 3, 3, 3, 3, 4]}
    position = tile_challenge_table.set_up(phase="over", pegs=pegs)
    return {"played": 1, "totals": [7, 3], "truncated": False, "game": "tile", "position": position}


def alone_capped() -> Shown:
    position = tile_challenge_table.set_up(phase="over", truncated=True)
    return {"played": 1, "totals": [0, 0], "truncated": True, "game": "tile", "position": position}


SHAPES: dict[str, list[Any]] = {
    "played": [*NO_COUNTS, 3, 256],
    "totals": [None, {}, [9], [9, 17, 0], [True, 17], [9.0, 17], ["9", 17], [None, 17], 26],
    "truncated": NO_FLAGS,
    "game": ["dice_challenge", "Dice", "", None, 2],
    "position": [None, {}, [], "resolve", {"phase": "resolve"}],
}
ONE = {"challenges": ("tile",)}

CASES = [
    *[Case("IC-18", name, last, edits) for name, edits in wrong_values(SHAPES)],
    Case("IC-18", "without a key of the position", last, [(("position", "seat"), GONE)]),
    Case("IC-18", "a key too many in the position", last, [(("position", "deck"), [])]),
    Case("IC-18", "a position of more players", last, [(("position",), dice_challenge_table.set_up(3))]),
    Case("IC-18", "a bad position", last, [(("position", "pegs", 0, 3), 0), (("position", "pegs", 0, 0), 5)]),
    Case("IC-18", "a position past its cap", last, [], CAPPED),
    Case("IC-19", "a position of another challenge", last, [(("position",), tile_challenge_table.set_up())]),
    Case("IC-19", "another game by name", last, [(("game",), "tile")]),
    Case("IC-19", "another game", last, [(("game",), "tile"), (("position",), tile_challenge_table.set_up())]),
    Case("IC-19", "played too few", last, [(("played",), 1), (("totals",), [5, 5])]),
    Case("IC-19", "played too many", last, [(("played",), 3)]),
    Case("IC-19", "over before the end", over, [(("played",), 2)]),
    Case("IC-19", "the first is over", alone, [(("played",), 0), (("totals",), [0, 0])], {"challenges": ("tile", "tile")}),
    Case("IC-19", "the end without an end", over, [(("position",), last()["position"])]),
    Case("IC-19", "played beyond the list", over, [(("played",), 4)]),
    Case("IC-20", "points before the first", first, [(("totals",), [1, 0])]),
    Case("IC-20", "points below 0", last, [(("totals",), [9, -1])]),
    Case("IC-20", "more than a card and a tile challenge give", last, [(("totals",), [9, 18])]),
    Case("IC-20", "more than two bytes", last, [(("totals",), [9, 65536])]),
    Case("IC-20", "more than a tile challenge of four gives", lambda: of_four(5), [(("totals", 3), 6)], {"players": 4, "challenges": ("tile", "card")}),
    Case("IC-21", "less than the last challenge", over, [(("totals",), [6, 22])]),
    Case("IC-21", "less, the other seat", over, [(("totals",), [16, 4])]),
    Case("IC-21", "more than the others give", over, [(("totals",), [16, 23])]),
    Case("IC-21", "more, the winner", over, [(("totals",), [25, 22])]),
    Case("IC-21", "one challenge alone", alone, [(("totals",), [7, 4])], ONE),
    Case("IC-21", "nothing counted", alone, [(("totals",), [0, 0])], ONE),
    Case("IC-22", "truncated in the first challenge", first, [(("truncated",), True)]),
    Case("IC-22", "not truncated after a cap", capped, [(("truncated",), False)], CAPPED),
    Case("IC-22", "truncated alone by nothing", alone, [(("truncated",), True)], ONE),
    Case("IC-22", "capped alone and not truncated", alone_capped, [(("truncated",), False)], {**ONE, **CAPPED}),
]  # fmt: skip


def of_four(total: int) -> Shown:
    position = card_challenge_table.set_up(4)
    totals = [0, 0, 0, total]
    return {"played": 1, "totals": totals, "truncated": False, "game": "card", "position": position}


@pytest.mark.rule("IC-18", "IC-19", "IC-20", "IC-21", "IC-22")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    game = load(engine, NAME, **{"challenges": CHALLENGES, **case.options})
    with pytest.raises(tc.PositionError) as refusal:
        game.state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("IC-20")
@pytest.mark.parametrize(("seat", "points"), [(0, 18), (1, 19)])
def test_a_wrong_total_is_named(engine: ModuleType, seat: int, points: int) -> None:
    game = load(engine, NAME, challenges=CHALLENGES)
    with pytest.raises(tc.PositionError, match=rf"\b{points}\b"):
        game.state_from_dict(spoilt(last(), [(("totals", seat), points)]))


@pytest.mark.rule("IC-19", "IC-20", "IC-21", "IC-22")
@pytest.mark.parametrize(
    ("base", "options"),
    [
        (first, {}),
        (last, {}),
        (lambda: {**last(), "totals": [0, 0]}, {}),
        (lambda: {**last(), "truncated": True}, {}),
        (over, {}),
        (lambda: {**over(), "truncated": True}, {}),
        (lambda: {**over(), "totals": [7, 5]}, {}),
        (lambda: {**over(), "totals": [24, 22]}, {}),
        (capped, CAPPED),
        (alone, ONE),
        (alone_capped, {**ONE, **CAPPED}),
        (lambda: of_four(5), {"players": 4, "challenges": ("tile", "card")}),
    ],
)
def test_the_positions_that_are_spoilt_are_good(
    engine: ModuleType, base: Any, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **{"challenges": CHALLENGES, **options})
    state = game.state_from_dict(base())
    assert state.to_dict() == base()
    assert state.is_terminal() == (base()["position"]["phase"] == "over")
    assert state.is_truncated() == (state.is_terminal() and base()["truncated"])


@pytest.mark.rule("IC-18")
@pytest.mark.parametrize("value", [None, [], "card", 3, {}], ids=repr)
def test_what_is_no_position_at_all_is_refused(engine: ModuleType, value: Any) -> None:
    with pytest.raises(tc.PositionError):
        load(engine, NAME).state_from_dict(value)
