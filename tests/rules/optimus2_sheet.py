"""What the tests of Optimus 2 share about a sheet: its tables, its marks, its bonuses and its points.

Nothing here is taken from an engine: all is worked out again from the rules page.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Sheet = dict[str, Any]
"""A sheet as `to_dict()` gives it."""

DICE = ("white", "yellow", "blue", "green", "pink", "silver")
WHITE, YELLOW_DIE, BLUE_DIE, GREEN_DIE, PINK_DIE, SILVER_DIE = range(6)
AREAS = ("silver", "yellow", "blue", "green", "pink")
BARS = ("reroll", "return", "extra_die")
BONUSES = (*BARS, "fox", "q_silver", "q_yellow", "q_blue", "q_green", "q_pink", "q_any")

ROUND_BONUSES = ("reroll", "extra_die", "return", "q_any", None, None)
BADGES = {"reroll": "fox", "return": "q_pink", "extra_die": "q_silver"}

SILVER_ROWS = ("yellow", "blue", "green", "pink")
SILVER_COLUMNS = ("extra_die", "q_yellow", "fox", "q_blue", "q_green", "q_pink")
SILVER_POINTS = (0, 2, 4, 7, 11, 16, 22)

YELLOW_CELLS = (3, 6, 1, 2, 4, 3, 2, 5, 5, 4)
YELLOW_ROWS = ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9))
YELLOW_ROW_BONUSES = ("q_blue", "return", "q_yellow", "q_green", "q_pink")
YELLOW_COLUMNS = ((2, 6), (0, 4, 8), (3, 7), (1, 5, 9))
YELLOW_COLUMN_BONUSES = ("reroll", "extra_die", "q_silver", "fox")
YELLOW_POINTS = (0, 3, 10, 21, 36, 55, 75, 96, 118, 141, 165)

BLUE_BONUSES = (
    *(None, "return", "q_yellow", None, "extra_die", "reroll"),
    *("q_pink", None, "fox", "return", None, "q_green"),
)
BLUE_POINTS = (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
GREEN_TIMES = (2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1)
GREEN_BONUSES = (
    *(None, "reroll", None, "q_blue", "return", None),
    *("fox", "q_silver", "extra_die", None, "q_pink", "q_yellow"),
)
PINK_AT_LEAST = (None, None, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6)
PINK_BONUSES = (
    *(None, None, "reroll", "return", "extra_die", "q_green"),
    *("q_yellow", "fox", "q_silver", "reroll", "q_blue", "q_yellow"),
)

SOURCES = {
    "reroll": 6,
    "return": 6,
    "extra_die": 6,
    "fox": 5,
    "q_silver": 3,
    "q_yellow": 6,
    "q_blue": 4,
    "q_green": 4,
    "q_pink": 4,
    "q_any": 1,
}
"""How many sources of each bonus a sheet and the rounds have, badges not counted."""

# Marks: 6 * row + number - 1 for silver, and these offsets
CIRCLE, CROSS, SUM, GREEN, PINK, MARKS = 24, 34, 42, 54, 60, 67
FIRST_MARKS = {"silver": 0, "yellow": CIRCLE, "blue": SUM + 2, "green": GREEN + 1, "pink": PINK + 1}


def silver(row: str, number: int) -> int:
    """Give the mark that crosses a number in a silver row."""
    return 6 * SILVER_ROWS.index(row) + number - 1


def area_of(mark: int) -> str:
    """Give the area that a mark is made in."""
    return [area for area, first in FIRST_MARKS.items() if first <= mark][-1]


def own_die(area: str) -> int:
    """Give the die of an area."""
    return AREAS.index(area) or SILVER_DIE


def area_marks(sheet: Sheet, area: str, face: int, total: int) -> list[int]:
    """List the legal marks in an area with this face, in blue with this sum."""
    if area == "silver":
        return [silver(row, face) for row in SILVER_ROWS if face not in sheet["silver"][row]]
    if area == "yellow":
        cells = [cell for cell in range(10) if YELLOW_CELLS[cell] == face]
        circles = [CIRCLE + cell for cell in cells if sheet["yellow"][cell] == 0]
        return circles + [CROSS + cell for cell in cells if sheet["yellow"][cell] == 1]
    if len(sheet[area]) == 12:
        return []
    if area == "blue":
        return [SUM + total] if total <= highest_blue(sheet) else []
    return [(GREEN if area == "green" else PINK) + face]


def free_marks(sheet: Sheet, area: str) -> list[int]:
    """List the legal marks of the ? of an area."""
    ways = (
        [(1, total) for total in range(2, 13)] if area == "blue" else [(f, 0) for f in range(1, 7)]
    )
    return sorted(mark for face, total in ways for mark in area_marks(sheet, area, face, total))


def highest_blue(sheet: Sheet) -> int:
    """Give the highest number that may be written in blue."""
    return int((sheet["blue"] or [12])[-1])


def make_mark(sheet: Sheet, mark: int) -> list[str]:
    """Make a mark and give the bonuses that it brings, in order."""
    area = area_of(mark)
    if area == "silver":
        number = mark % 6 + 1
        row = sheet["silver"][SILVER_ROWS[mark // 6]]
        assert number not in row
        row[:] = sorted([*row, number])
        full = all(number in sheet["silver"][row] for row in SILVER_ROWS)
        return [SILVER_COLUMNS[number - 1]] if full else []
    if area == "yellow":
        circled = mark < CROSS
        cell = mark - (CIRCLE if circled else CROSS)
        assert sheet["yellow"][cell] == (0 if circled else 1)
        sheet["yellow"][cell] += 1
        return yellow_lines(sheet, cell) if circled else []
    space = len(sheet[area])
    if area == "blue":
        written, bonus = mark - SUM, BLUE_BONUSES[space]
    elif area == "green":
        written, bonus = (mark - GREEN) * GREEN_TIMES[space], GREEN_BONUSES[space]
    else:
        written = mark - PINK
        bonus = PINK_BONUSES[space] if written >= (PINK_AT_LEAST[space] or 0) else None
    sheet[area].append(written)
    return [bonus] if bonus else []


def yellow_lines(sheet: Sheet, cell: int) -> list[str]:
    """Give the bonuses of the row and the column of a cell, as far as no empty cell is left in them."""
    lines = [
        *zip(YELLOW_ROWS, YELLOW_ROW_BONUSES, strict=True),
        *zip(YELLOW_COLUMNS, YELLOW_COLUMN_BONUSES, strict=True),
    ]
    return [
        bonus
        for cells, bonus in lines
        if cell in cells and all(sheet["yellow"][other] for other in cells)
    ]


def book(sheet: Sheet, due: list[str], bonuses: Iterable[str]) -> None:
    """Go through bonuses that fall due: book the automatic ones, and put each ? at the end of the queue."""
    for bonus in bonuses:
        if bonus in BARS:
            sheet[bonus]["earned"] += 1
            assert sheet[bonus]["earned"] <= 6
            if sheet[bonus]["earned"] == 6:
                book(sheet, due, [BADGES[bonus]])
        elif bonus == "fox":
            sheet["foxes"] += 1
        else:
            due.append(bonus)


def reached(sheet: Sheet, rounds: int) -> dict[str, int]:
    """Count the sources that a sheet and so many rounds have reached, badges included."""
    found = [bonus for bonus in ROUND_BONUSES[:rounds] if bonus]
    for number, bonus in enumerate(SILVER_COLUMNS, 1):
        found += [bonus] * all(number in sheet["silver"][row] for row in SILVER_ROWS)
    for cells, bonus in (
        *zip(YELLOW_ROWS, YELLOW_ROW_BONUSES, strict=True),
        *zip(YELLOW_COLUMNS, YELLOW_COLUMN_BONUSES, strict=True),
    ):
        found += [bonus] * all(sheet["yellow"][cell] for cell in cells)
    for written, line in ((sheet["blue"], BLUE_BONUSES), (sheet["green"], GREEN_BONUSES)):
        found += [bonus for _, bonus in zip(written, line, strict=False) if bonus]
    for face, least, one in zip(sheet["pink"], PINK_AT_LEAST, PINK_BONUSES, strict=False):
        found += [one] if one and face >= (least or 0) else []
    found += [BADGES[bar] for bar in BARS if found.count(bar) == 6]
    return {bonus: found.count(bonus) for bonus in BONUSES}


def area_points(sheet: Sheet) -> list[int]:
    """Give the scores of the five areas."""
    green = sheet["green"]
    return [
        sum(SILVER_POINTS[len(sheet["silver"][row])] for row in SILVER_ROWS),
        YELLOW_POINTS[sheet["yellow"].count(2)],
        BLUE_POINTS[len(sheet["blue"])],
        sum(a - b for (a, b) in list(pairwise(green))[::2]),
        sum(sheet["pink"]),
    ]


def total_points(sheet: Sheet, options: Mapping[str, Any]) -> int:
    """Give the total of a sheet."""
    foxes: int = sheet["foxes"]
    return sum(area_points(sheet)) + foxes * fox_value(sheet, options)


def fox_value(sheet: Sheet, options: Mapping[str, Any]) -> int:
    """Give what one fox is worth."""
    lowest = min(area_points(sheet))
    return max(lowest, 0) if options["fox_floor_zero"] else lowest


def make_sheet(
    rounds: int = 0,
    *,
    silver: Mapping[str, Sequence[int]] | None = None,
    yellow: Mapping[int, int] | None = None,
    blue: Sequence[int] = (),
    green_faces: Sequence[int] = (),
    pink: Sequence[int] = (),
    used: Mapping[str, int] | None = None,
    extra_dice_used: Sequence[str] = (),
    due: Sequence[str] = (),
) -> Sheet:
    """Give a sheet with these entries; what it has earned follows from it and from the rounds that have begun.

    What is due already is not counted as earned.
    """
    sheet: Sheet = {
        "silver": {row: sorted((silver or {}).get(row, ())) for row in SILVER_ROWS},
        "yellow": [(yellow or {}).get(cell, 0) for cell in range(10)],
        "blue": list(blue),
        "green": [face * times for face, times in zip(green_faces, GREEN_TIMES, strict=False)],
        "pink": list(pink),
    }
    earned = reached(sheet, rounds)
    for bar in BARS:
        sheet[bar] = {
            "earned": earned[bar] - list(due).count(bar),
            "used": (used or {}).get(bar, 0),
        }
    sheet["foxes"] = earned["fox"] - list(due).count("fox")
    if "reroll" in due and earned["reroll"] == 6:
        sheet["foxes"] -= 1
    sheet["extra_dice_used"] = [die for die in DICE if die in extra_dice_used]
    return sheet


ALL_SILVER = dict.fromkeys(SILVER_ROWS, (1, 2, 3, 4, 5, 6))
ALL_CIRCLED = dict.fromkeys(range(10), 1)
ALL_CROSSED = dict.fromkeys(range(10), 2)
