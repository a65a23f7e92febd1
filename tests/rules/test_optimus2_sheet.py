"""Optimus 2: the sheet. What can be marked, what it brings and what it scores, on both engines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.rules.optimus2_sheet import (
    ALL_CIRCLED,
    ALL_CROSSED,
    ALL_SILVER,
    BARS,
    BLUE_BONUSES,
    BONUSES,
    CIRCLE,
    CROSS,
    GREEN,
    GREEN_BONUSES,
    PINK,
    PINK_AT_LEAST,
    PINK_BONUSES,
    ROUND_BONUSES,
    SILVER_COLUMNS,
    SILVER_POINTS,
    SILVER_ROWS,
    SOURCES,
    SUM,
    YELLOW_CELLS,
    YELLOW_COLUMN_BONUSES,
    YELLOW_COLUMNS,
    YELLOW_POINTS,
    YELLOW_ROW_BONUSES,
    YELLOW_ROWS,
    make_sheet,
    reached,
    silver,
)
from tests.rules.optimus2_table import (
    NAME,
    act,
    brought,
    choices,
    faces_for,
    mark_as_passive,
    points,
    scored,
    sheet_of,
    table,
)
from tests.rules.shared import load

if TYPE_CHECKING:
    from types import ModuleType


Marked = tuple[str, dict[str, Any], int, str | None]


def sources() -> list[Marked]:
    """List every space and line: what it is, the sheet before, the mark that fills it, and the bonus printed there."""
    found: list[Marked] = []
    for number, bonus in enumerate(SILVER_COLUMNS, 1):
        rows = {row: [number] for row in SILVER_ROWS[:3]}
        found.append((f"column {number}", {"silver": rows}, silver("pink", number), bonus))
    for name, lines, bonuses in (
        ("yellow row", YELLOW_ROWS, YELLOW_ROW_BONUSES),
        ("yellow column", YELLOW_COLUMNS, YELLOW_COLUMN_BONUSES),
    ):
        for number, (cells, one) in enumerate(zip(lines, bonuses, strict=True), 1):
            others = dict.fromkeys(cells[:-1], 1)
            found.append((f"{name} {number}", {"yellow": others}, CIRCLE + cells[-1], one))
    for space in range(12):
        high = [12] * space
        found.append((f"blue {space + 1}", {"blue": high}, SUM + 12, BLUE_BONUSES[space]))
        sixes = [6] * space
        line = GREEN_BONUSES[space]
        found.append((f"green {space + 1}", {"green_faces": sixes}, GREEN + 6, line))
        least = PINK_AT_LEAST[space] or 1
        found.append((f"pink {space + 1}", {"pink": sixes}, PINK + least, PINK_BONUSES[space]))
        if least > 1:
            name = f"pink {space + 1} with too little"
            found.append((name, {"pink": sixes}, PINK + least - 1, None))
    return found


@pytest.mark.rule("O2-9", "O2-11", "O2-15", "O2-17", "O2-19", "O2-20", "O2-24")
@pytest.mark.fault("A109")
@pytest.mark.parametrize("white", [False, True], ids=["own die", "white"])
@pytest.mark.parametrize(
    ("sheet", "mark", "bonus"),
    [source[1:] for source in sources()],
    ids=[source[0] for source in sources()],
)
def test_every_space_brings_what_is_printed_there(
    engine: ModuleType, sheet: dict[str, Any], mark: int, bonus: str | None, white: bool
) -> None:
    before = make_sheet(1, **sheet)
    state = mark_as_passive(engine, mark, white=white and mark not in range(SUM, GREEN), **sheet)
    assert brought(before, state) == ([bonus] if bonus else [])


@pytest.mark.rule("O2-8", "O2-9")
@pytest.mark.fault("A109")
def test_a_sheet_has_so_many_sources(engine: ModuleType) -> None:
    printed = Counter(source[3] for source in sources() if source[3])
    printed.update(bonus for bonus in ROUND_BONUSES if bonus)
    assert printed == SOURCES
    sheet: dict[str, Any] = {"silver": ALL_SILVER, "yellow": ALL_CIRCLED, "blue": [12] * 12}
    sheet |= {"green_faces": [6] * 12, "pink": [6] * 12}
    badges = {"fox": 6, "q_silver": 4, "q_pink": 5}
    assert reached(make_sheet(6, **sheet), 6) == {**SOURCES, **badges}
    found = sheet_of(table(engine, phase="over", sheets={0: sheet}), 0)
    assert [found[bar]["earned"] for bar in BARS] == [SOURCES[bar] for bar in BARS]
    assert found["foxes"] == SOURCES["fox"] + 1
    coloured = sum(SOURCES[bonus] for bonus in BONUSES if bonus.startswith("q_"))
    assert coloured + 2 == 24


@pytest.mark.rule("O2-6", "O2-8", "O2-70", "O2-71", "O2-72", "O2-78")
@pytest.mark.fault("A110")
def test_a_full_sheet_has_six_of_each_and_the_highest_total(engine: ModuleType) -> None:
    game = load(engine, NAME)
    sheet: dict[str, Any] = {
        "silver": ALL_SILVER,
        "yellow": ALL_CROSSED,
        "blue": [12] * 12,
        "green_faces": [6, 1] * 6,
        "pink": [6] * 12,
    }
    state = table(engine, phase="over", sheets={0: sheet})
    assert points(state) == [88, 165, 78, 92, 72]
    found = sheet_of(state, 0)
    assert [found[bar]["earned"] for bar in BARS] == [6, 6, 6]
    assert found["foxes"] == 6
    assert state.scores().tolist() == [927] == [game.max_utility()]


# Bars


@pytest.mark.rule("O2-6", "O2-7", "O2-72")
@pytest.mark.fault("A107")
def test_the_sixth_reroll_brings_a_fox(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {
        "yellow": {2: 1, 6: 1},
        "blue": [12] * 6,
        "green_faces": [6, 6],
        "pink": [6] * 9,
        "used": {"reroll": 5},
    }
    before = make_sheet(1, **sheet)
    assert before["reroll"]["earned"] == 5
    state = mark_as_passive(engine, PINK + 5, **sheet)
    assert brought(before, state) == ["reroll", "fox"]
    assert sheet_of(state)["reroll"] == {"earned": 6, "used": 5}


@pytest.mark.rule("O2-6", "O2-7", "O2-32")
@pytest.mark.fault("A107")
def test_the_sixth_return_brings_a_pink_question_mark(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"yellow": {2: 1, 3: 1}, "blue": [12] * 9, "pink": [6] * 4}
    sheet["green_faces"] = [6] * 5
    before = make_sheet(3, **sheet)
    assert before["return"]["earned"] == 5
    state = mark_as_passive(engine, SUM + 12, round=3, **sheet)
    assert brought(before, state) == ["return", "q_pink"]
    assert sheet_of(state)["return"]["earned"] == 6


@pytest.mark.rule("O2-6", "O2-7", "O2-32")
@pytest.mark.fault("A107")
def test_the_sixth_extra_die_brings_a_silver_question_mark(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"yellow": {0: 1, 4: 1, 8: 1}, "blue": [12] * 5, "pink": [6] * 5}
    sheet |= {"green_faces": [6] * 9, "silver": {row: [1] for row in SILVER_ROWS[:3]}}
    before = make_sheet(2, **sheet)
    assert before["extra_die"]["earned"] == 5
    state = mark_as_passive(engine, silver("pink", 1), round=2, **sheet)
    assert brought(before, state) == ["extra_die", "q_silver"]


# Silver


@pytest.mark.rule("O2-10", "O2-25", "O2-41")
def test_silver_crosses_its_number_in_an_open_row(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {"blue": [4], "green": [1, 2, 3]}
    state = table(
        engine,
        phase="passive",
        players=2,
        seat=1,
        sheets={1: {"silver": crossed, "pink": [6] * 12, "green_faces": [6] * 12}},
        platter="s4 w1 y1 b1 g1 p1",
    )
    picks = [text for text in choices(state) if text.startswith("pick silver")]
    assert picks == [
        f"pick silver 4, cross the 4 of the {row} row" for row in ("yellow", "green", "pink")
    ]
    state = act(state, picks[1])
    assert sheet_of(state)["silver"] == {
        "yellow": [],
        "blue": [4],
        "green": [1, 2, 3, 4],
        "pink": [],
    }


@pytest.mark.rule("O2-28", "O2-41")
@pytest.mark.parametrize("phase", ["pick", "passive", "extra"])
def test_silver_with_a_full_column_cannot_be_chosen(engine: ModuleType, phase: str) -> None:
    sheet: dict[str, Any] = {"silver": {row: [4] for row in SILVER_ROWS}}
    place = "pool" if phase == "pick" else "platter"
    dice: dict[str, Any] = {place: "s4 w4 y1 b1 g1 p1"}
    state = table(
        engine,
        phase=phase,
        players=2,
        round=2,
        seat=int(phase == "passive"),
        sheets={0: sheet, 1: sheet},
        **dice,
    )
    assert not [text for text in choices(state) if "cross the 4 of" in text and " row" in text[-4:]]
    assert [text for text in choices(state) if text.startswith("pick white 4 as pink")]


@pytest.mark.rule("O2-12")
@pytest.mark.parametrize("crosses", range(7))
def test_a_silver_row_scores_by_its_crosses(engine: ModuleType, crosses: int) -> None:
    numbers = [6, 5, 4, 2, 1, 3][:crosses]
    for row in SILVER_ROWS:
        assert scored(engine, silver={row: numbers}) == [SILVER_POINTS[crosses], 0, 0, 0, 0]
    found = scored(engine, silver={"yellow": numbers, "pink": numbers, "green": [1]})
    assert found[0] == 2 * SILVER_POINTS[crosses] + 2


# Yellow


@pytest.mark.rule("O2-13", "O2-14")
@pytest.mark.parametrize("number", range(1, 7))
def test_yellow_marks_a_cell_with_its_number(engine: ModuleType, number: int) -> None:
    cells = [cell for cell, value in enumerate(YELLOW_CELLS) if value == number]
    assert len(cells) == (1 if number in {1, 6} else 2)
    rows = {cell: 1 + cell // 2 for cell in cells}
    faces = faces_for(CIRCLE + cells[0])
    for marks in ({}, {cells[0]: 1}, {cells[-1]: 1}, {cells[0]: 2}, dict.fromkeys(cells, 1)):
        state = table(
            engine, phase="passive", players=2, seat=1, sheets={1: {"yellow": marks}}, platter=faces
        )
        found = [text for text in choices(state) if text.startswith("pick yellow")]
        circles = [f"circle the {number} of row {rows[c]}" for c in cells if not marks.get(c)]
        crosses = [f"cross the {number} of row {rows[c]}" for c in cells if marks.get(c) == 1]
        assert found == [f"pick yellow {number}, {one}" for one in circles + crosses]
        for text in found:
            after = sheet_of(act(state, text))["yellow"]
            assert sum(after) == sum(marks.values()) + 1


@pytest.mark.rule("O2-14", "O2-28")
def test_a_crossed_number_takes_no_more_marks(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"yellow": {3: 2, 6: 2}}
    state = table(
        engine, phase="passive", players=2, seat=1, sheets={1: sheet}, platter="y2 w2 b1 g1 p1 s1"
    )
    assert not [text for text in choices(state) if "yellow 2" in text or "as yellow" in text]


@pytest.mark.rule("O2-15")
@pytest.mark.fault("A107")
def test_worked_check_circles_bring_the_bonus_and_crosses_do_not(engine: ModuleType) -> None:
    """Example: 1 and 2 of row 2 bring a return, the other 2 a reroll, and crosses nothing more."""
    sheet: dict[int, int] = {}
    expected = [
        (CIRCLE + 2, []),
        (CIRCLE + 3, ["return"]),
        (CIRCLE + 6, ["reroll"]),
        (CROSS + 2, []),
        (CROSS + 3, []),
        (CROSS + 6, []),
    ]
    for mark, bonuses in expected:
        before = make_sheet(1, yellow=sheet)
        state = mark_as_passive(engine, mark, yellow=sheet)
        assert brought(before, state) == bonuses
        sheet = dict(enumerate(sheet_of(state)["yellow"]))
    assert sheet_of(state)["yellow"] == [0, 0, 2, 2, 0, 0, 2, 0, 0, 0]
    assert scored(engine, yellow=sheet)[1] == 21


@pytest.mark.rule("O2-15")
def test_a_crossed_cell_counts_for_its_line(engine: ModuleType) -> None:
    before = make_sheet(1, yellow={2: 2})
    assert brought(before, mark_as_passive(engine, CIRCLE + 3, yellow={2: 2})) == ["return"]


@pytest.mark.rule("O2-15", "O2-31")
def test_the_row_comes_before_the_column(engine: ModuleType) -> None:
    state = mark_as_passive(engine, CIRCLE + 7, yellow={6: 1, 3: 1})
    assert state.to_dict()["due"] == ["q_green", "q_silver"]


@pytest.mark.rule("O2-16")
@pytest.mark.parametrize("crosses", range(11))
def test_yellow_scores_by_crosses_alone(engine: ModuleType, crosses: int) -> None:
    assert scored(engine, yellow=dict.fromkeys(range(crosses), 2))[1] == YELLOW_POINTS[crosses]
    both = {**ALL_CIRCLED, **dict.fromkeys(range(10 - crosses, 10), 2)}
    assert scored(engine, yellow=both)[1] == YELLOW_POINTS[crosses]
