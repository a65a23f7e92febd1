"""Optimus 2: the blue, green and pink lines, and the white die, on both engines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.rules.optimus2_sheet import (
    BLUE_POINTS,
    GREEN,
    GREEN_TIMES,
    PINK,
    SILVER_ROWS,
    SUM,
    make_sheet,
    silver,
)
from tests.rules.optimus2_table import (
    act,
    brought,
    choices,
    faces_for,
    mark_as_passive,
    pick,
    points,
    scored,
    sheet_of,
    table,
)

if TYPE_CHECKING:
    from types import ModuleType


# Blue


@pytest.mark.rule("O2-18", "O2-26")
@pytest.mark.parametrize("total", range(2, 13))
def test_the_first_blue_number_is_free_and_later_ones_do_not_rise(
    engine: ModuleType, total: int
) -> None:
    faces = faces_for(SUM + total)
    for last in (None, *range(2, 13)):
        blue = [] if last is None else [last]
        state = table(
            engine, phase="passive", players=2, seat=1, sheets={1: {"blue": blue}}, platter=faces
        )
        legal = last is None or total <= last
        for action in (pick(2, SUM + total), pick(0, SUM + total)):
            assert state.is_legal(action) == legal
            if legal:
                assert sheet_of(act(state, action))["blue"] == [*blue, total]


@pytest.mark.rule("O2-26", "O2-27")
@pytest.mark.parametrize(
    "places",
    [
        {"platter": "b2 w5 y1 g1 p1 s1"},
        {"field": "w5", "platter": "b2 y1 g1 p1 s1"},
        {"field": "b2 w5 s6", "platter": "y1 g1 p1"},
    ],
    ids=str,
)
def test_blue_is_the_sum_wherever_the_dice_lie(engine: ModuleType, places: dict[str, Any]) -> None:
    extra = table(engine, phase="extra", players=2, round=2, roll=3, **places)
    for action in (pick(2, SUM + 7), pick(0, SUM + 7)):
        assert extra.is_legal(action)
        assert act(extra, action).to_dict()["sheets"][0]["blue"] == [7]
    blue = [text for text in choices(extra) if "in blue" in text]
    assert blue == ["pick blue, write 7 in blue", "pick white as blue, write 7 in blue"]


@pytest.mark.rule("O2-19")
@pytest.mark.parametrize("filled", range(13))
def test_blue_scores_by_the_spaces_filled(engine: ModuleType, filled: int) -> None:
    assert scored(engine, blue=[2] * filled)[2] == BLUE_POINTS[filled]
    assert (
        scored(engine, blue=list(range(12, 0, -1))[:filled] if filled < 12 else [9] * 12)[2]
        == (BLUE_POINTS[filled])
    )


@pytest.mark.rule("O2-17", "O2-28")
def test_a_full_line_takes_no_more_numbers(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"blue": [12] * 12, "green_faces": [6] * 12, "pink": [6] * 12}
    state = table(
        engine, phase="passive", players=2, seat=1, sheets={1: sheet}, platter="w1 y1 b1 g1 p1 s1"
    )
    assert not [text for text in choices(state) if "write" in text]


# Green


@pytest.mark.rule("O2-20", "O2-21")
def test_a_worked_check_of_green(engine: ModuleType) -> None:
    """Example: 6 and 1 give 12 - 2 = 10 and a reroll; 5 in space 3 is written as 10 and scores when space 4 is filled."""
    state = mark_as_passive(engine, GREEN + 6)
    assert sheet_of(state)["green"] == [12]
    assert points(state, 1)[3] == 0
    before = make_sheet(1, green_faces=[6])
    state = mark_as_passive(engine, GREEN + 1, green_faces=[6])
    assert sheet_of(state)["green"] == [12, 2]
    assert points(state, 1)[3] == 10
    assert brought(before, state) == ["reroll"]
    state = mark_as_passive(engine, GREEN + 5, green_faces=[6, 1])
    assert sheet_of(state)["green"] == [12, 2, 10]
    assert points(state, 1)[3] == 10
    state = mark_as_passive(engine, GREEN + 4, green_faces=[6, 1, 5])
    assert points(state, 1)[3] == 16


@pytest.mark.rule("O2-20")
@pytest.mark.parametrize("space", range(12))
@pytest.mark.parametrize("face", [1, 4, 6])
def test_green_multiplies(engine: ModuleType, space: int, face: int) -> None:
    state = mark_as_passive(engine, GREEN + face, green_faces=[3] * space)
    assert sheet_of(state)["green"][-1] == face * (2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1)[space]
    assert len(sheet_of(state)["green"]) == space + 1


@pytest.mark.rule("O2-21")
def test_pairs_of_green_have_these_bounds(engine: ModuleType) -> None:
    high: list[int] = []
    low: list[int] = []
    for pair in range(6):
        for faces, found in (((6, 1), high), ((1, 6), low)):
            line = [1] * 12
            line[2 * pair : 2 * pair + 2] = faces
            others = sum(
                GREEN_TIMES[2 * other] - GREEN_TIMES[2 * other + 1]
                for other in range(6)
                if other != pair
            )
            found.append(scored(engine, green_faces=line)[3] - others)
    assert high == [10, 11, 15, 16, 17, 23]
    assert low == [-10, -4, -15, -9, -3, -2]
    assert (sum(high), sum(low)) == (92, -43)
    assert scored(engine, green_faces=[6, 1] * 6)[3] == 92
    assert scored(engine, green_faces=[1, 6] * 6)[3] == -43


# Pink


@pytest.mark.rule("O2-22", "O2-23")
def test_pink_takes_any_face_and_scores_the_sum(engine: ModuleType) -> None:
    written: list[int] = []
    for space in range(12):
        face = (5, 1, 6, 2, 4, 3)[space % 6]
        state = mark_as_passive(engine, PINK + face, pink=written)
        written = [*written, face]
        assert sheet_of(state)["pink"] == written
        assert points(state, 1)[4] == sum(written)


@pytest.mark.rule("O2-24", "O2-29")
def test_a_worked_check_of_pink(engine: ModuleType) -> None:
    """Example: in space 7 a 5 scores and brings nothing, a 6 brings a yellow ?, from a ? as well."""
    sixes = [1] * 6
    state = mark_as_passive(engine, PINK + 5, pink=sixes)
    assert brought(make_sheet(1, pink=sixes), state) == []
    assert points(state, 1)[4] == 11
    sheet: dict[str, Any] = {"yellow": {8: 1, 9: 1}, "pink": sixes}
    for face, due in ((5, []), (6, ["q_yellow"])):
        state = table(
            engine,
            phase="passive",
            players=2,
            seat=1,
            due=["q_pink"],
            sheets={1: sheet},
            platter="w1 y1 b1 g1 p1 s1",
        )
        state = act(state, f"write {face} in pink")
        assert sheet_of(state)["pink"] == [*sixes, face]
        assert state.to_dict()["due"] == due


@pytest.mark.rule("O2-24", "O2-72")
@pytest.mark.fault("A110")
def test_the_eighth_pink_space_brings_a_fox_from_2_on(engine: ModuleType) -> None:
    before = make_sheet(1, pink=[1] * 7)
    for face, foxes in ((1, 0), (2, 1), (6, 1)):
        state = mark_as_passive(engine, PINK + face, pink=[1] * 7)
        assert sheet_of(state)["foxes"] - before["foxes"] == foxes
        assert len(sheet_of(state)["pink"]) == 8


@pytest.mark.rule("O2-11", "O2-72")
@pytest.mark.fault("A110")
def test_the_third_silver_column_brings_a_fox(engine: ModuleType) -> None:
    three: dict[str, Any] = {row: [3] for row in ("yellow", "blue", "pink")}
    state = mark_as_passive(engine, silver("green", 3), silver=three)
    assert sheet_of(state)["foxes"] == 1


# The white die


@pytest.mark.rule("O2-27")
def test_white_makes_any_mark(engine: ModuleType) -> None:
    state = table(engine, phase="passive", players=2, seat=1, platter="w4 y1 b3 g1 p1 s1", round=1)
    white = [text for text in choices(state) if text.startswith("pick white")]
    assert white == [
        *(f"pick white 4 as silver, cross the 4 of the {row} row" for row in SILVER_ROWS),
        "pick white 4 as yellow, circle the 4 of row 3",
        "pick white 4 as yellow, circle the 4 of row 5",
        "pick white as blue, write 7 in blue",
        "pick white 4 as green, write 4 in green",
        "pick white 4 as pink, write 4 in pink",
    ]


@pytest.mark.rule("O2-28")
def test_dice_with_equal_faces_are_different_choices(engine: ModuleType) -> None:
    state = table(engine, phase="passive", players=2, seat=1, platter="w4 y4 b4 g4 p4 s4")
    found = [text.split(", ")[1] for text in choices(state) if text != "pick no die"]
    assert all(number == 2 for number in Counter(found).values())
    assert len(found) == 2 * (4 + 2 + 1 + 1 + 1)
    assert len({act(state, action).to_bytes() for action in state.legal_actions()[1:]}) == 9
