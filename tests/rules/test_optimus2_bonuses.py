"""Optimus 2: round bonuses, the order of bonuses and chains of them, on both engines."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.optimus2_sheet import (
    ALL_CROSSED,
    ALL_SILVER,
    AREAS,
    BARS,
    CIRCLE,
    CROSS,
    GREEN,
    PINK,
    SILVER_ROWS,
    SUM,
    free_marks,
    make_sheet,
    silver,
)
from tests.rules.optimus2_table import (
    COLOUR,
    FREE,
    GO_ON,
    NAME,
    NO_DIE,
    act,
    choices,
    mark_as_passive,
    table,
)
from tests.rules.shared import load
from tests.walks import finish, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

FULL_AREAS: dict[str, dict[str, Any]] = {
    "silver": {"silver": ALL_SILVER},
    "yellow": {"yellow": ALL_CROSSED},
    "blue": {"blue": [12] * 12},
    "green": {"green_faces": [6] * 12},
    "pink": {"pink": [6] * 12},
}


def due(state: State) -> list[str]:
    """Give what is due."""
    return list(state.to_dict()["due"])


def earned(state: State, seat: int = 0) -> list[int]:
    """Give the rerolls, returns and extra dice that a seat has earned."""
    return [state.to_dict()["sheets"][seat][bar]["earned"] for bar in BARS]


def ends_of_rounds(engine: ModuleType, number: int, **what: Any) -> State:
    """Give the last window of a round of two players, with an extra die of seat 0 left."""
    return table(
        engine,
        players=2,
        phase="extra",
        round=number,
        active=1,
        seat=0,
        roll=0,
        field="w6 g2",
        platter="y3 b1 p4 s2",
        **what,
    )


# Round bonuses


@pytest.mark.rule("O2-4")
def test_every_seat_gets_the_bonus_of_the_round(engine: ModuleType) -> None:
    state = load(engine, NAME, players=4).new_initial_state()
    assert [earned(state, seat) for seat in range(4)] == [[1, 0, 0]] * 4
    for number, expected in ((2, [1, 1, 1]), (5, [1, 1, 1])):
        state = act(ends_of_rounds(engine, number), GO_ON)
        shown = state.to_dict()
        assert (shown["round"], shown["active"], shown["roll"]) == (number + 1, 0, 1)
        assert [earned(state, seat) for seat in range(2)] == [expected] * 2


@pytest.mark.rule("O2-4", "O2-29", "O2-30", "O2-83")
@pytest.mark.fault("A107")
def test_round_four_brings_a_free_colour_to_one_seat_after_the_other(
    engine: ModuleType,
) -> None:
    state = act(ends_of_rounds(engine, 3), GO_ON)
    for seat in (0, 1):
        shown = state.to_dict()
        assert (shown["phase"], shown["round"], shown["seat"]) == ("round", 4, seat)
        assert state.current_player() == seat
        assert due(state) == ["q_any"]
        assert choices(state) == [f"choose the {area} ?" for area in AREAS]
        state = act(state, "choose the green ?")
        assert due(state) == ["q_green"]
        assert state.current_player() == seat
        assert choices(state) == [f"write {face} in green" for face in range(1, 7)]
        state = act(state, "write 6 in green")
        assert state.to_dict()["sheets"][seat]["green"] == [12]
    assert state.to_dict()["phase"] == "roll"


@pytest.mark.rule("O2-4", "O2-33")
def test_a_seat_resolves_all_that_follows_before_the_next_seat(engine: ModuleType) -> None:
    # Circling the 5 of row 4 brings the green ? of the row and the silver ? of the column.
    sheet: dict[str, Any] = {"yellow": {6: 1, 3: 1}}
    state = act(ends_of_rounds(engine, 3, sheets={0: sheet}), GO_ON, "choose the yellow ?")
    state = act(state, "circle the 5 of row 4")
    assert (state.current_player(), due(state)) == (0, ["q_green", "q_silver"])
    state = act(state, "write 1 in green")
    assert (state.current_player(), due(state)) == (0, ["q_silver"])
    state = act(state, "cross the 1 of the pink row")
    assert (state.current_player(), due(state)) == (1, ["q_any"])


@pytest.mark.rule("O2-30")
def test_the_black_one_offers_only_colours_with_a_mark(engine: ModuleType) -> None:
    for area in AREAS:
        state = table(engine, phase="round", round=4, due=["q_any"], sheets={0: FULL_AREAS[area]})
        assert choices(state) == [f"choose the {other} ?" for other in AREAS if other != area]
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(COLOUR + AREAS.index(area))
    everything = {key: value for sheet in FULL_AREAS.values() for key, value in sheet.items()}
    # With nothing to mark at all it is lost.
    state = act(ends_of_rounds(engine, 3, sheets={1: everything}), GO_ON)
    state = act(state, "choose the pink ?", "write 1 in pink")
    assert state.to_dict()["phase"] == "roll"


@pytest.mark.rule("O2-4", "O2-7")
def test_a_round_bonus_can_be_the_last_of_its_bar(engine: ModuleType) -> None:
    # Extra dice from silver 1, the second yellow column, blue 5, green 9 and pink 5; the sixth comes with round 2.
    sheet: dict[str, Any] = {"silver": {row: [1] for row in ("yellow", "blue", "green", "pink")}}
    sheet |= {
        "yellow": {0: 1, 4: 1, 8: 1},
        "blue": [12] * 5,
        "green_faces": [6] * 9,
        "pink": [6] * 5,
    }
    sheet["used"] = {"extra_die": 4}
    state = act(ends_of_rounds(engine, 1, sheets={0: sheet}), GO_ON)
    shown = state.to_dict()
    assert (shown["phase"], shown["round"], shown["seat"]) == ("round", 2, 0)
    assert due(state) == ["q_silver"]
    assert earned(state)[2] == 6
    assert earned(state, 1)[2] == 0
    state = act(state, "cross the 2 of the pink row")
    assert earned(state, 1)[2] == 1
    assert state.to_dict()["phase"] == "roll"


# The order


@pytest.mark.rule("O2-31", "O2-32", "O2-33")
def test_new_question_marks_join_the_end_of_the_queue(engine: ModuleType) -> None:
    # Circling the 5 of row 4 makes a green ? and a silver ? due; green space 4 brings a blue ?, which waits for the silver one.
    sheet: dict[str, Any] = {"yellow": {6: 1, 3: 1}, "green_faces": [6, 1, 6]}
    state = mark_as_passive(engine, CIRCLE + 7, **sheet)
    assert due(state) == ["q_green", "q_silver"]
    state = act(state, FREE + GREEN + 1)
    assert due(state) == ["q_silver", "q_blue"]
    state = act(state, FREE + silver("pink", 6))
    assert due(state) == ["q_blue"]
    state = act(state, FREE + SUM + 12)
    assert due(state) == []


@pytest.mark.rule("O2-32", "O2-34")
def test_automatic_bonuses_do_not_wait_for_question_marks(engine: ModuleType) -> None:
    # Green space 5 brings a return while the silver ? still waits.
    sheet: dict[str, Any] = {"yellow": {6: 1, 3: 1}, "green_faces": [6, 1, 6, 1]}
    state = mark_as_passive(engine, CIRCLE + 7, **sheet)
    before = earned(state, 1)
    state = act(state, FREE + GREEN + 1)
    assert due(state) == ["q_silver"]
    assert earned(state, 1) == [before[0], before[1] + 1, before[2]]


@pytest.mark.rule("O2-32")
def test_a_badge_joins_the_queue_when_its_action_is_booked(engine: ModuleType) -> None:
    # Silver 1 (the sixth extra die, and so a silver ?) is complete before silver 4 (a blue ?).
    sheet: dict[str, Any] = {"yellow": {0: 1, 4: 1, 8: 1}, "blue": [12] * 5, "green_faces": [6] * 9}
    sheet |= {"pink": [6] * 5, "used": {"reroll": 3}}
    crossed: dict[str, Any] = {"yellow": [], "blue": [1, 4], "green": [1, 4], "pink": [1, 4]}
    state = table(
        engine,
        round=2,
        sheets={0: {**sheet, "silver": crossed}},
        pool="w6 y1 b6 g6 p6 s4",
    )
    assert earned(state)[2] == 5
    state = act(state, "pick silver 4, cross the 4 of the yellow row")
    # The own number is the first mark, the yellow die's the second one.
    assert due(state) == ["q_blue", "q_silver"]
    crossed = {"yellow": [1], "blue": [1, 4], "green": [1, 4], "pink": [4]}
    state = table(
        engine,
        round=2,
        sheets={0: {**sheet, "silver": crossed}},
        pool="w6 y4 b6 g6 p1 s5",
    )
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    assert due(state) == ["q_blue", "q_silver"]
    state = table(
        engine,
        round=2,
        sheets={0: {**sheet, "silver": {**crossed, "yellow": [], "pink": [1, 4]}}},
        pool="w4 y1 b6 g6 p6 s5",
    )
    state = act(state, "pick silver 5, cross the 5 of the pink row")
    # Both fall due, in the order of the marks: yellow 1, then white 4.
    assert state.to_dict()["cascade"] == "white"
    assert due(state) == ["extra_die"]
    assert earned(state)[2] == 5
    state = act(state, "cross the 4 of the yellow row")
    assert due(state) == ["q_silver", "q_blue"]
    assert earned(state)[2] == 6


@pytest.mark.rule("O2-32")
def test_the_badge_comes_before_what_falls_due_later(engine: ModuleType) -> None:
    # Circling the 2 of row 2 brings the sixth return (a pink ?) for the row, and then a silver ? for the column.
    sheet: dict[str, Any] = {"yellow": {2: 1, 7: 1}, "blue": [12] * 10, "green_faces": [6] * 5}
    sheet["pink"] = [6] * 4
    assert make_sheet(3, **sheet)["return"]["earned"] == 5
    state = mark_as_passive(engine, CIRCLE + 3, round=3, **sheet)
    assert earned(state, 1)[1] == 6
    assert due(state) == ["q_pink", "q_silver"]


# Must, may and cannot


@pytest.mark.rule("O2-30", "O2-34")
def test_a_question_mark_has_to_be_used_at_once(engine: ModuleType) -> None:
    # The second number of a pair: every face costs points.
    sheet: dict[str, Any] = {"pink": [6] * 6, "green_faces": [1]}
    state = table(
        engine,
        phase="passive",
        players=2,
        seat=1,
        due=["q_green"],
        sheets={1: sheet},
        platter="w1 y1 b1 g1 p1 s1",
    )
    assert state.legal_actions() == [FREE + GREEN + face for face in range(1, 7)]
    for action in (NO_DIE, GO_ON, FREE + PINK + 6):
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(action)


@pytest.mark.rule("O2-30")
@pytest.mark.parametrize(
    ("area", "mark", "sheet"),
    [
        ("silver", GREEN + 6, {"silver": ALL_SILVER, "green_faces": [6] * 7}),
        ("yellow", SUM + 9, {"yellow": ALL_CROSSED, "blue": [9] * 2}),
        ("blue", CIRCLE + 1, {"blue": [12] * 12, "yellow": {0: 1}}),
        ("green", CIRCLE + 7, {"green_faces": [6] * 12, "yellow": {6: 1}}),
        ("pink", CIRCLE + 9, {"pink": [6] * 12, "yellow": {8: 1}}),
    ],
    ids=AREAS,
)
def test_without_a_mark_a_question_mark_is_lost(
    engine: ModuleType, area: str, mark: int, sheet: dict[str, Any]
) -> None:
    before = make_sheet(1, **sheet)
    assert not free_marks(before, area)
    state = mark_as_passive(engine, mark, **sheet)
    assert due(state) == []
    assert state.to_dict()["phase"] in {"extra", "roll"}


@pytest.mark.rule("O2-30", "O2-33")
def test_whether_it_can_be_used_is_judged_when_its_turn_comes(engine: ModuleType) -> None:
    # The yellow ? comes when the last yellow cells are crossed: blue 3 brings it, and it is the last cell that it crosses.
    almost = {**ALL_CROSSED, 9: 1}
    state = mark_as_passive(engine, SUM + 9, yellow=almost, blue=[9, 9])
    assert due(state) == ["q_yellow"]
    assert choices(state) == ["cross the 4 of row 5"]
    # Two yellow ?s with one mark left: the second one is lost when its turn comes.
    sheet: dict[str, Any] = {"silver": {row: [2] for row in ("yellow", "blue", "green", "pink")}}
    state = table(
        engine,
        phase="passive",
        players=2,
        seat=1,
        due=["q_yellow", "q_yellow"],
        sheets={1: {**sheet, "yellow": almost}},
        platter="w1 y1 b1 g1 p1 s1",
    )
    state = act(state, "cross the 4 of row 5")
    assert due(state) == []


@pytest.mark.rule("O2-29", "O2-33")
def test_bonuses_bring_bonuses(engine: ModuleType) -> None:
    """One choice, four ?s behind it, and a return with the last one."""
    sheet: dict[str, Any] = {"yellow": {6: 1, 1: 1}, "green_faces": [6, 1, 6], "blue": [12] * 6}
    sheet["pink"] = [6] * 5
    state = mark_as_passive(engine, CIRCLE + 7, **sheet)
    steps = [
        (["q_green"], "write 1 in green", ["q_blue"]),
        (["q_blue"], "write 12 in blue", ["q_pink"]),
        (["q_pink"], "write 6 in pink", ["q_green"]),
        (["q_green"], "write 1 in green", []),
    ]
    for before, text, after in steps:
        assert due(state) == before
        state = act(state, text)
        assert due(state) == after
    assert earned(state, 1)[1] == 1 + 1 + 1


@pytest.mark.rule("O2-34", "O2-83")
def test_nothing_else_goes_on_while_a_bonus_is_due(engine: ModuleType) -> None:
    game = load(engine, NAME, players=3)
    for seed in range(effort(engine, native=30, reference=3)):
        for state in walk(game, seed):
            shown = state.to_dict()
            if not shown["due"]:
                continue
            assert state.current_player() == shown["seat"]
            legal = state.legal_actions()
            assert all(COLOUR <= action < 81 for action in legal)
            if not shown["cascade"]:
                assert all(bonus.startswith("q_") for bonus in shown["due"])


# What a ? allows


@pytest.mark.rule("O2-29")
@pytest.mark.fault("A107")
@pytest.mark.parametrize(
    ("bonus", "sheet", "marks"),
    [
        (
            "q_silver",
            {"yellow": {3: 1, 7: 1}, "silver": {"yellow": [1, 6], "pink": [3]}},
            [mark for mark in range(24) if mark not in {0, 5, 20}],
        ),
        (
            "q_yellow",
            {"blue": [9, 9, 9], "yellow": {0: 1, 5: 2, 9: 1}},
            [*(CIRCLE + cell for cell in (1, 2, 3, 4, 6, 7, 8)), CROSS, CROSS + 9],
        ),
        ("q_blue", {"green_faces": [6] * 4}, [SUM + total for total in range(2, 13)]),
        (
            "q_blue",
            {"green_faces": [6] * 4, "blue": [9, 5]},
            [SUM + total for total in range(2, 6)],
        ),
        ("q_green", {"pink": [6] * 6}, [GREEN + face for face in range(1, 7)]),
        ("q_pink", {"blue": [9] * 7}, [PINK + face for face in range(1, 7)]),
    ],
    ids=["silver", "yellow", "blue, empty", "blue", "green", "pink"],
)
def test_a_question_mark_allows_these_marks(
    engine: ModuleType, bonus: str, sheet: dict[str, Any], marks: list[int]
) -> None:
    state = table(
        engine,
        phase="passive",
        players=2,
        seat=1,
        due=[bonus],
        sheets={1: sheet},
        platter="w1 y1 b1 g1 p1 s1",
    )
    assert state.current_player() == 1
    assert state.legal_actions() == [FREE + mark for mark in marks]
    assert not state.is_legal(GO_ON)
    assert not state.is_legal(NO_DIE)
    for mark in marks:
        after = act(state, FREE + mark)
        assert after.to_dict()["sheets"][1] != state.to_dict()["sheets"][1]


@pytest.mark.rule("O2-29", "O2-45")
def test_a_silver_question_mark_makes_one_cross(engine: ModuleType) -> None:
    state = table(
        engine,
        phase="pick",
        due=["q_silver"],
        sheets={0: {"yellow": {3: 1, 7: 2}}},
        field="y5",
        platter="w1 b1 g2 s3",
        pool="p6",
    )
    after = act(state, "cross the 6 of the pink row")
    rows = after.to_dict()["sheets"][0]["silver"]
    assert [rows[row] for row in SILVER_ROWS] == [[], [], [], [6]]
    assert after.to_dict()["cascade"] is None
    assert after.to_dict()["due"] == []


# Copies and keys


@pytest.mark.rule("O2-33")
@pytest.mark.fault("A028")
def test_a_copy_with_two_bonuses_due_goes_its_own_way(engine: ModuleType) -> None:
    state = mark_as_passive(engine, CIRCLE + 7, yellow={6: 1, 3: 1})
    assert len(due(state)) == 2
    kept = state.to_bytes()
    one, two = state.clone(), copy.deepcopy(state)
    finish(one, tc.Rng(28))
    assert state.to_bytes() == two.to_bytes() == kept
    finish(two, tc.Rng(28))
    assert one == two
    assert one.to_bytes() == two.to_bytes()
    assert state.to_bytes() == kept


@pytest.mark.rule("O2-80")
@pytest.mark.fault("A040")
def test_the_same_sheets_in_another_phase_or_roll_have_another_key(engine: ModuleType) -> None:
    dice = "w1 y1 b1 g1 p1 s1"
    found = [
        table(engine, phase="pick", players=2, pool=dice),
        table(engine, phase="roll", players=2, pool="w1 y1 b1 g1 p1 s-"),
        table(engine, phase="pick", players=2, pool=dice, active=1),
        table(engine, phase="pick", players=2, roll=2, pool="w1 y1 b1 g1 p1", field="s1"),
        table(engine, phase="pick", players=2, roll=3, pool="w1 y1 b1 g1 p1", field="s1"),
        table(engine, phase="passive", players=2, seat=1, platter=dice),
        table(engine, phase="passive", players=2, active=1, seat=0, platter=dice),
    ]
    assert len({state.stable_hash() for state in found}) == len(found)
    assert all(one != two for one in found for two in found if one is not two)


@pytest.mark.rule("O2-54")
@pytest.mark.fault("A043")
def test_the_order_of_two_marks_without_a_bonus_does_not_matter(engine: ModuleType) -> None:
    state = table(
        engine,
        phase="extra",
        players=2,
        round=2,
        roll=3,
        sheets={0: {"yellow": {0: 1, 4: 1, 8: 1}}},
        field="w6 g2",
        platter="y1 b1 p4 s2",
    )
    texts = ("pick yellow 1, circle the 1 of row 2", "pick pink 4, write 4 in pink")
    one, two = act(state, *texts), act(state, *reversed(texts))
    assert one == two
    assert hash(one) == hash(two)
    assert one.stable_hash() == two.stable_hash()
