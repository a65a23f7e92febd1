"""Optimus 2: positions that do not hold together are refused, and no others, on both engines."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules.optimus2_sheet import SILVER_ROWS
from tests.rules.optimus2_table import NAME, set_up
from tests.rules.shared import NO_COUNTS, Case, Edit, load, spoilt, wrong_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tests.rules.optimus2_table import Shown

TWO: dict[str, Any] = {"players": 2}
LEFTOVERS = {"silver_cascade_leftovers": True}
SHEET: dict[str, Any] = {
    "silver": {"yellow": [1, 3]},
    "yellow": {0: 1, 4: 2},
    "blue": [9, 7],
    "green_faces": [6, 1],
    "pink": [3],
}
"""Beside the rounds this has earned a return (blue 2) and a reroll (green 2)."""

ROLLED: dict[str, Any] = {"pool": "b4 g5 s6", "field": "w4", "platter": "y3 p1"}
LAID: dict[str, Any] = {"field": "w6 g5 p5", "platter": "y2 b3 s2"}
ASIDE: dict[str, Any] = {"platter": "y2 b3 s2", "aside": "w6 g5 p5"}


def picking() -> Shown:
    return set_up(round=3, roll=2, sheets={0: SHEET}, **ROLLED)


def first() -> Shown:
    return set_up(round=3, pool="w1 y2 b3 g4 p5 s6")


def returning() -> Shown:
    return set_up("return", round=3, roll=2, pool="b- g- s-", field="w4", platter="y3 p1")


def emptied() -> Shown:
    return set_up("return", round=3, roll=2, field="w6", platter="y3 p1 b4 g5 s5")


def rolling() -> Shown:
    return set_up("roll", round=3, roll=2, pool="b4 g- s-", field="w4", platter="y3 p1")


def cascading() -> Shown:
    crossed = {"yellow": [3, 5], "blue": [3, 4], "green": [3], "pink": [3]}
    sheet = {"silver": crossed}
    return set_up(
        cascade="white",
        due=["fox"],
        sheets={0: sheet},
        field="s5",
        platter="w2 y3 b4",
        pool="g6 p6",
    )


def left_over() -> Shown:
    sheet = {"silver": {"yellow": [3], "blue": [4]}}
    return set_up(
        roll=3, cascade="white", sheets={0: sheet}, field="s3 p5", pool="w4 g5", platter="y1 b2"
    )


def picked() -> Shown:
    sheet = {"yellow": {6: 1, 7: 1}}
    return set_up(due=["q_green"], sheets={0: sheet}, field="y5", pool="w5 b6", platter="g1 p2 s3")


def colouring() -> Shown:
    return set_up("round", 2, 4, due=["q_any"])


def passive() -> Shown:
    return set_up("passive", 2, 3, seat=1, sheets={1: SHEET}, **LAID)


def answering() -> Shown:
    sheet = {"yellow": {6: 1, 7: 1, 3: 1}}
    return set_up("passive", 2, 3, seat=1, due=["q_green", "q_silver"], sheets={1: sheet}, **LAID)


def extra() -> Shown:
    return set_up("extra", 2, 3, roll=3, sheets={0: SHEET}, **LAID)


def solo_passive() -> Shown:
    return set_up("passive", round=3, sheets={0: SHEET}, **ASIDE)


def solo_extra() -> Shown:
    return set_up("extra", round=3, roll=0, sheets={0: SHEET}, **ASIDE)


def solo_roll() -> Shown:
    return set_up("passive_roll", round=3, pool="w4 y2")


def tied() -> Shown:
    return set_up("tray", round=3, pool="w4 y2 b4 g4 p1 s6")


def over() -> Shown:
    return set_up("over", 2, sheets={0: SHEET})


def solo_over() -> Shown:
    return set_up("over", sheets={0: SHEET})


def die(name: str, place: str, face: int | None) -> Edit:
    """Lay a die elsewhere."""
    return ("dice", name), {"face": face, "place": place}


def own(*way: Any, value: Any, seat: int = 0) -> Edit:
    """Change a sheet."""
    return ("sheets", seat, *way), value


def bar(name: str, earned: int, used: int = 0, seat: int = 0) -> Edit:
    """Change a bar."""
    return ("sheets", seat, name), {"earned": earned, "used": used}


SHAPES: dict[str, list[Any]] = {
    "phase": ["PICK", "reroll", 4, None, True],
    "round": [*NO_COUNTS, 0, 7],
    "active": [1, -1, True, 0.0, "0", None],
    "seat": [1, -1, True, 0.0, "0", None],
    "roll": [*NO_COUNTS, 0, 4],
    "dice": [None, [], {}, 6, {"white": {"face": 1, "place": "pool"}}],
    "cascade": ["yellow", "", 0, False, [], "white"],
    "due": [None, {}, "q_blue", ["q_white"], [3], [None], ["q_any"], ["q_pink"] * 25],
    "sheets": [None, {}, [], [None], [{}]],
}


def each(place: str, way: Sequence[Any], values: Sequence[Any]) -> list[tuple[str, Edit]]:
    """Give one edit for each value at a place."""
    return [(f"{place} {value!r}", (tuple(way), value)) for value in values]


ACTIONS: list[Any] = [
    *(None, [], 1, {"earned": 2}, {"earned": "2", "used": 0}, {"earned": 2, "used": -1}),
]
NESTED: list[tuple[str, Edit]] = [
    *each("a die", ["dice", "white"], [None, [], 4, {"face": 4}]),
    *each("a face", ["dice", "blue", "face"], [*NO_COUNTS[:4], 0, 7]),
    *each("a place", ["dice", "blue", "place"], [None, 0, "fields", "Pool"]),
    ("a seventh die", (("dice", "gold"), {"face": 1, "place": "pool"})),
    *each("silver", ["sheets", 0, "silver"], [None, [], {}, {"yellow": [1, 3]}]),
    *each("a row", ["sheets", 0, "silver", "blue"], [None, {}, 3, [0], [7], [True], ["1"], [1.0]]),
    *each("yellow", ["sheets", 0, "yellow"], [None, {}, [0] * 9, [0] * 11]),
    *each("a yellow cell", ["sheets", 0, "yellow", 0], [3, *NO_COUNTS]),
    *(
        edit
        for line in ("blue", "green", "pink")
        for edit in each(line, ["sheets", 0, line], [None, {}, 3, [True], ["2"], [2.0], [-2]])
    ),
    *(
        edit
        for name in ("reroll", "return", "extra_die")
        for edit in each(name, ["sheets", 0, name], ACTIONS)
    ),
    *each("foxes", ["sheets", 0, "foxes"], NO_COUNTS),
    *each("extra dice", ["sheets", 0, "extra_dice_used"], [None, {}, "white", [0], ["gold"]]),
    ("a key of a sheet too many", own("title", value="Respect!")),
]

CASES = [
    *(Case("O2-89", name, picking, edits) for name, edits in wrong_values(SHAPES)),
    *(Case("O2-89", name, picking, [edit]) for name, edit in NESTED),
    Case("O2-89", "one sheet too few", passive, [(("sheets",), passive()["sheets"][:1])], TWO),
    Case("O2-89", "one sheet too many", passive, [(("sheets",), passive()["sheets"] * 2)], TWO),
    Case("O2-89", "a round of fewer players", lambda: set_up("passive", 4, 4, seat=1, **LAID), [(("round",), 5)], {"players": 4}),
    Case("O2-89", "no roll while rolling", rolling, [(("roll",), 0)]),
    Case("O2-89", "a return before the first roll", returning, [(("roll",), 1)]),
    Case("O2-89", "a roll for a passive player", passive, [(("roll",), 3)], TWO),
    Case("O2-89", "a roll in the passive window", lambda: set_up("extra", 2, 3, seat=1, roll=0, **LAID), [(("roll",), 3)], TWO),
    Case("O2-89", "no roll in the active window", extra, [(("roll",), 0)], TWO),
    Case("O2-89", "a roll at the end", over, [(("roll",), 3)], TWO),
    Case("O2-89", "a roll for the solo tray", tied, [(("roll",), 1)]),
    Case("O2-89", "another seat picks", lambda: set_up(players=2, pool="w1 y2 b3 g4 p5 s6"), [(("seat",), 1)], TWO),
    Case("O2-89", "another seat is last", over, [(("seat",), 1)], TWO),
    Case("O2-90", "a silver number twice", picking, [own("silver", "yellow", value=[1, 3, 3])]),
    Case("O2-90", "blue rises", picking, [own("blue", value=[7, 9])]),
    Case("O2-90", "blue 13", picking, [own("blue", value=[13, 7])]),
    Case("O2-90", "blue 1", picking, [own("blue", value=[9, 1])]),
    Case("O2-90", "odd green", picking, [own("green", value=[12, 1])]),
    Case("O2-90", "green of seven", picking, [own("green", value=[14, 2])]),
    Case("O2-90", "green of none", picking, [own("green", value=[0, 2])]),
    Case("O2-90", "pink 7", picking, [own("pink", value=[7])]),
    Case("O2-90", "pink 0", picking, [own("pink", value=[0])]),
    Case("O2-90", "thirteen in pink", lambda: set_up("over", sheets={0: {"pink": [1] * 12}}), [own("pink", value=[1] * 13)]),
    Case("O2-90", "thirteen in blue", lambda: set_up("over", sheets={0: {"blue": [9] * 12}}), [own("blue", value=[9] * 13)]),
    Case("O2-90", "more rerolls used than earned", picking, [bar("reroll", 2, 3)]),
    Case("O2-90", "more extra dice used than earned", picking, [bar("extra_die", 1, 2)]),
    Case("O2-91", "a reroll too many", picking, [bar("reroll", 3)]),
    Case("O2-91", "a reroll too few", picking, [bar("reroll", 1)]),
    Case("O2-91", "a return too many", picking, [bar("return", 3)]),
    Case("O2-91", "a return too few", picking, [bar("return", 1)]),
    Case("O2-91", "an extra die too many", picking, [bar("extra_die", 2)]),
    Case("O2-91", "no extra die of round 2", picking, [bar("extra_die", 0)]),
    Case("O2-91", "a fox from nowhere", picking, [own("foxes", value=1)]),
    Case("O2-91", "a fox is missing", lambda: set_up("over", sheets={0: {"silver": {row: [3] for row in SILVER_ROWS}}}), [own("foxes", value=0)]),
    Case("O2-91", "a fox booked and due", cascading, [own("foxes", value=1)]),
    Case("O2-91", "a fox neither booked nor due", cascading, [(("due",), [])]),
    Case("O2-91", "the next seat has it already", lambda: set_up("round", 2, 2, due=["q_silver"], sheets={0: full_extra_dice()}), [bar("extra_die", 1, seat=1)], TWO),
    Case("O2-91", "a ? from nowhere", picked, [(("due",), ["q_blue"])]),
    Case("O2-91", "a ? twice", picked, [(("due",), ["q_green", "q_green"])]),
    Case("O2-91", "a pink ? of an empty bar", answering, [(("due",), ["q_green", "q_pink"])], TWO),
    Case("O2-92", "an automatic bonus is due", picked, [(("due",), ["q_green", "return"])]),
    Case("O2-92", "a fox is due to a passive player", answering, [(("due",), ["fox"])], TWO),
    Case("O2-92", "the first ? cannot be used", lambda: set_up("passive", 2, 3, seat=1, due=["q_silver", "q_green"], sheets={1: {"yellow": {6: 1, 7: 1, 3: 1}, "green_faces": [6] * 12}}, **LAID), [(("due",), ["q_green", "q_silver"])], TWO),
    Case("O2-92", "a black ? in round 3", answering, [(("due",), ["q_any"])], TWO),
    Case("O2-92", "a black ? while picking in round 4", lambda: set_up(round=4, due=["q_green"], sheets={0: {"yellow": {6: 1, 7: 1}}}, field="y5", pool="w5 b6", platter="g1 p2 s3"), [(("due",), ["q_any"])]),
    Case("O2-92", "a black ? behind another", lambda: set_up("round", 2, 4, due=["q_green"]), [(("due",), ["q_green", "q_any"])], TWO),
    Case("O2-92", "two black ?s", colouring, [(("due",), ["q_any", "q_any"])], TWO),
    Case("O2-92", "nothing is due in phase round", colouring, [(("due",), [])], TWO),
    Case("O2-92", "a ? while rolling", lambda: set_up("roll", sheets={0: {"yellow": {6: 1, 7: 1}}}), [(("due",), ["q_green"])]),
    Case("O2-92", "a ? at a return", lambda: {**returning(), "sheets": set_up(round=3, sheets={0: {"yellow": {6: 1, 7: 1}}})["sheets"]}, [(("due",), ["q_green"])]),
    Case("O2-92", "a ? in the solo tray", lambda: {**tied(), "sheets": set_up(round=3, sheets={0: {"yellow": {6: 1, 7: 1}}})["sheets"]}, [(("due",), ["q_green"])]),
    Case("O2-92", "a ? at the end", lambda: set_up("over", sheets={0: {"yellow": {6: 1, 7: 1}}}), [(("due",), ["q_green"])]),
    Case("O2-92", "a green ? of yellow at a row of the cascade", lambda: with_yellow_rows(cascading()), [(("due",), ["fox", "q_green"])]),
    Case("O2-93", "an extra die that was not used", picking, [own("extra_dice_used", value=["blue"])]),
    Case("O2-93", "an extra die named twice", lambda: set_up("extra", 2, 3, roll=3, sheets={0: {**SHEET, "used": {"extra_die": 1}, "yellow": {0: 1, 4: 1, 8: 1}, "extra_dice_used": ["blue"]}}, **LAID), [own("extra_dice_used", value=["blue", "blue"])], TWO),
    Case("O2-93", "extra dice at the beginning of a round", lambda: set_up("round", 2, 4, due=["q_any"], sheets={1: {"used": {"extra_die": 1}}}), [own("extra_dice_used", value=["blue"], seat=1)], TWO),
    Case("O2-94", "a face in phase round", colouring, [die("blue", "pool", 3)], TWO),
    Case("O2-94", "a field in phase round", colouring, [die("blue", "field", 3)], TWO),
    Case("O2-94", "a face in the pool at a return", returning, [die("green", "pool", 3)]),
    Case("O2-94", "no face on the platter", returning, [die("pink", "platter", None)]),
    Case("O2-94", "an empty platter at a return", returning, [die("pink", "pool", None), die("yellow", "pool", None)]),
    Case("O2-94", "no return left", returning, [bar("return", 1, 1)]),
    Case("O2-94", "all dice have come to lie", rolling, [die("green", "pool", 3), die("silver", "pool", 3)]),
    Case("O2-94", "a later die first", rolling, [die("silver", "pool", 3)]),
    Case("O2-94", "an earlier die not yet", rolling, [die("blue", "pool", None), die("green", "pool", 3)]),
    Case("O2-94", "an empty pool to roll", emptied, [(("phase",), "roll")]),
    Case("O2-94", "no face at a choice", picking, [die("green", "pool", None)]),
    Case("O2-94", "no face on the field", picking, [die("white", "field", None)]),
    Case("O2-94", "nothing to choose from", lambda: set_up("pick", round=3, roll=3, pool="b4", field="w6", platter="y3 p1 g5 s5"), [die("blue", "platter", 4)]),
    Case("O2-95", "two fields at the second roll", picking, [die("green", "field", 5)]),
    Case("O2-95", "a field at the first roll", first, [die("silver", "field", 6)]),
    Case("O2-95", "a platter at the first roll", first, [die("white", "platter", 1)]),
    Case("O2-95", "no field with a ? to use", picked, [die("yellow", "pool", 5)]),
    Case("O2-95", "two fields with a ? of the first roll", picked, [die("white", "field", 5)]),
    Case("O2-95", "a platter die as high as the fields", picking, [die("yellow", "platter", 4)]),
    Case("O2-95", "a platter without a field", picking, [die("white", "pool", 4)]),
    Case("O2-95", "a platter too high at a return", returning, [die("yellow", "platter", 5)]),
    Case("O2-96", "a pool for a passive player", passive, [die("yellow", "pool", 2)], TWO),
    Case("O2-96", "no face for a passive player", passive, [die("yellow", "platter", None)], TWO),
    Case("O2-96", "four fields", passive, [die("yellow", "field", 2)], TWO),
    Case("O2-96", "a die aside with two players", passive, [die("yellow", "aside", 2)], TWO),
    Case("O2-96", "a pool in the window", extra, [die("yellow", "pool", 2)], TWO),
    Case("O2-96", "a pool at the end", over, [die("yellow", "pool", 1)], TWO),
    Case("O2-96", "a die aside at the end of two", over, [die("yellow", "aside", 1)], TWO),
    Case("O2-96", "dice aside in the active window", solo_extra, [(("roll",), 3)]),
    Case("O2-96", "no dice aside in the passive window", lambda: set_up("extra", round=3, roll=3, **LAID), [(("roll",), 0)]),
    Case("O2-96", "four dice aside", solo_passive, [die("silver", "aside", 2)]),
    Case("O2-96", "two dice aside", solo_passive, [die("white", "platter", 6)]),
    Case("O2-96", "a field in a solo passive turn", solo_passive, [die("white", "field", 6)]),
    Case("O2-96", "a platter die above one aside", solo_passive, [die("yellow", "platter", 6)]),
    Case("O2-96", "no dice aside at the end", solo_over, [die(name, "platter", 1) for name in ("green", "pink", "silver")]),
    Case("O2-96", "all dice of the solo roll lie", solo_roll, [die(name, "pool", 1) for name in ("blue", "green", "pink", "silver")]),
    Case("O2-96", "a later die of the solo roll first", solo_roll, [die("green", "pool", 1)]),
    Case("O2-96", "a field in the solo roll", solo_roll, [die("white", "field", 4)]),
    Case("O2-96", "no tie", tied, [die("green", "pool", 5), die("blue", "pool", 5)]),
    Case("O2-96", "a tie that leaves no choice", tied, [die("green", "pool", 5), die("silver", "pool", 4), die("pink", "pool", 6), die("yellow", "pool", 6), die("blue", "pool", 4)]),
    Case("O2-96", "a tray with a die to roll", tied, [die("silver", "pool", None)]),
    Case("O2-96", "a tray with a die laid", tied, [die("pink", "platter", 1)]),
    Case("O2-97", "the die of the cascade in the pool", cascading, [die("white", "pool", 6)]),
    Case("O2-97", "left over without the option", left_over, []),
    Case("O2-97", "left over on the second roll", left_over, [(("roll",), 2), die("pink", "pool", 5)], LEFTOVERS),
    Case("O2-97", "the other die not on a field", cascading, [die("silver", "pool", 6), die("pink", "field", 5)]),
    Case("O2-97", "a full column", cascading, [own("silver", "yellow", value=[2, 3, 5]), own("silver", "blue", value=[2, 3, 4]), own("silver", "green", value=[2, 3]), own("silver", "pink", value=[2, 3]), (("due",), ["fox", "q_yellow"])]),
    Case("O2-97", "a cascade of a passive player", passive, [(("cascade",), "silver")], TWO),
    Case("O2-97", "a cascade in the window", extra, [(("cascade",), "silver")], TWO),
    Case("O2-98", "the active player is passive", passive, [(("seat",), 0)], TWO),
    Case("O2-98", "nothing to choose", lambda: {**passive(), "sheets": [passive()["sheets"][0], closed()]}, [], TWO),
    Case("O2-98", "no extra die left", extra, [bar("extra_die", 1, 1)], TWO),
    Case("O2-98", "no die left for the window", lambda: {**extra(), "sheets": [closed(), extra()["sheets"][1]]}, [], TWO),
    Case("O2-98", "over in the round before", over, [(("round",), 5)], TWO),
    Case("O2-98", "over in another turn", over, [(("active",), 0), (("seat",), 1)], TWO),
]  # fmt: skip


def full_extra_dice() -> dict[str, Any]:
    """Give what earns five extra dice in a sheet; the one of round 2 is the sixth."""
    sheet: dict[str, Any] = {"silver": {row: [1] for row in SILVER_ROWS}, "blue": [12] * 5}
    return {**sheet, "yellow": {0: 1, 4: 1, 8: 1}, "green_faces": [6] * 9, "pink": [6] * 5}


def with_yellow_rows(shown: Shown) -> Shown:
    """Add a source of a green ? that is none of silver."""
    shown["sheets"][0]["yellow"][6:8] = [1, 1]
    return shown


def closed() -> dict[str, Any]:
    """Give a sheet in round 3 on which no die can be marked."""
    full: dict[str, Any] = {
        "silver": {row: [1, 2, 3, 4, 5, 6] for row in SILVER_ROWS},
        "yellow": dict.fromkeys(range(10), 2),
        "blue": [12] * 12,
        "green_faces": [6] * 12,
        "pink": [6] * 12,
    }
    sheet: dict[str, Any] = set_up(round=3, sheets={0: full})["sheets"][0]
    return sheet


@pytest.mark.rule("O2-89", "O2-90", "O2-91", "O2-92", "O2-93", "O2-94", "O2-95", "O2-96", "O2-97")
@pytest.mark.rule("O2-98")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    with pytest.raises(tc.PositionError) as refusal:
        load(engine, NAME, **case.options).state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


GOOD: list[tuple[Any, dict[str, Any]]] = [
    *((base, {}) for base in (picking, first, returning, emptied, rolling, cascading)),
    *((base, {}) for base in (picked, solo_passive, solo_extra, solo_roll, tied, solo_over)),
    *((base, TWO) for base in (colouring, passive, answering, extra, over)),
    (left_over, LEFTOVERS),
]


@pytest.mark.rule("O2-89", "O2-90", "O2-91", "O2-92", "O2-93", "O2-94", "O2-95", "O2-96", "O2-97")
@pytest.mark.rule("O2-98", "O2-99")
@pytest.mark.parametrize(("base", "options"), GOOD, ids=[base.__name__ for base, _ in GOOD])
def test_the_positions_that_are_spoilt_are_good(
    engine: ModuleType, base: Any, options: dict[str, Any]
) -> None:
    state = load(engine, NAME, **options).state_from_dict(base())
    assert state.to_dict() == base()
    assert state.is_terminal() == (base()["phase"] == "over")
    for case in CASES:
        if case.base not in {one for one, _ in GOOD} and case.edits:
            good = case.base()
            assert load(engine, NAME, **case.options).state_from_dict(good).to_dict() == good


@pytest.mark.rule("O2-99")
@pytest.mark.parametrize(
    ("what", "options"),
    [
        ({"round": 1, "sheets": {0: {"pink": [6] * 12, "blue": [12] * 12}}, "pool": "w1 y1 b1 g1 p1 s1"}, {}),
        ({"round": 1, "roll": 3, "pool": "w1 y1 b1 g1 p1 s1"}, {}),
        ({"round": 3, "roll": 3, "pool": "w1 y1 b1 g1 p1", "field": "s6"}, {}),
        ({"phase": "extra", "round": 2, "roll": 1, **LAID}, {}),
        ({"phase": "extra", "players": 2, "round": 2, "roll": 3, "platter": "w1 y2 b3 g4 p5 s6"}, TWO),
        ({"phase": "over", "players": 2, "platter": "w1 y2 b3 g4 p5 s6"}, TWO),
    ],
    ids=["a full line in round 1", "three passes", "a low pool", "one roll only", "no field", "three passes at the end"],
)  # fmt: skip
def test_more_is_not_asked(
    engine: ModuleType, what: dict[str, Any], options: dict[str, Any]
) -> None:
    shown = set_up(**what)
    assert load(engine, NAME, **options).state_from_dict(shown).to_dict() == shown


@pytest.mark.rule("O2-89")
def test_what_is_no_position_or_one_of_other_players_is_refused(engine: ModuleType) -> None:
    values: list[Any] = [None, [], "pick", 3, {}, passive(), set_up("over", 3)]
    for value in values:
        with pytest.raises(tc.PositionError):
            load(engine, NAME).state_from_dict(deepcopy(value))
