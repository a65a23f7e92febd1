"""What the tests of Optimus 2 share about ids, texts, observations and bytes, worked out again from the rules page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.rules.optimus2_sheet import (
    AREAS,
    BADGES,
    BARS,
    BLUE_BONUSES,
    BONUSES,
    CIRCLE,
    CROSS,
    DICE,
    GREEN,
    GREEN_BONUSES,
    GREEN_TIMES,
    PINK,
    PINK_AT_LEAST,
    PINK_BONUSES,
    SILVER_COLUMNS,
    SILVER_ROWS,
    SUM,
    YELLOW_CELLS,
    YELLOW_COLUMN_BONUSES,
    YELLOW_COLUMNS,
    YELLOW_ROW_BONUSES,
    YELLOW_ROWS,
    area_of,
    area_points,
    fox_value,
    total_points,
)
from tests.rules.optimus2_table import COLOUR, FREE, NAME, OWN, PHASES, PLACES, ROUNDS, WITH_WHITE
from tests.rules.shared import header, one_hot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabletop_core.protocol import Game
    from tests.rules.optimus2_table import Shown

PRINTED = dict(zip(BONUSES, ("re", "ret", "+1", "fox", "S?", "Y?", "B?", "G?", "P?"), strict=False))
TITLES = {
    320: "Twice as clever!",
    300: "Points = IQ!",
    280: "Respect!",
    260: "This can't be luck!",
    240: "People, look at this!",
    220: "Pretty, pretty clever!",
    200: "You've been training!",
    180: "You should be happy!",
    160: "On the right way.",
    140: "You can do better.",
    -999: "Half as clever.",
}

# Ids and texts


def mark_text(mark: int) -> str:
    """Write a mark."""
    area = area_of(mark)
    if area == "silver":
        return f"cross the {mark % 6 + 1} of the {SILVER_ROWS[mark // 6]} row"
    if area == "yellow":
        verb, cell = ("circle", mark - CIRCLE) if mark < CROSS else ("cross", mark - CROSS)
        (row,) = [row for row, cells in enumerate(YELLOW_ROWS, 1) if cell in cells]
        return f"{verb} the {YELLOW_CELLS[cell]} of row {row}"
    return f"write {mark - {'blue': SUM, 'green': GREEN, 'pink': PINK}[area]} in {area}"


def face_text(mark: int) -> str:
    """Write the face, behind a blank, that a die must show for a mark, or nothing for blue."""
    area = area_of(mark)
    if area == "silver":
        return f" {mark % 6 + 1}"
    if area == "yellow":
        return f" {YELLOW_CELLS[(mark - CIRCLE) % 10]}"
    return "" if area == "blue" else f" {mark - (GREEN if area == 'green' else PINK)}"


def action_text(action: int) -> str:
    """Write an action."""
    if action >= WITH_WHITE:
        mark = action - WITH_WHITE
        return f"pick white{face_text(mark) or ''} as {area_of(mark)}, {mark_text(mark)}"
    if action >= OWN:
        mark = action - OWN
        return f"pick {area_of(mark)}{face_text(mark)}, {mark_text(mark)}"
    if action >= FREE:
        return mark_text(action - FREE)
    if action >= COLOUR:
        return f"choose the {AREAS[action - COLOUR]} ?"
    plain = ("pick no die", "go on", "reroll", *(f"return {die}" for die in DICE))
    return plain[action]


# Observations and bytes


def view(shown: Shown, seat: int) -> dict[str, Any]:
    """Give what a seat knows: everything."""
    return {"observer": seat, **shown}


def padded(numbers: Sequence[int]) -> list[int]:
    """Fill a line up to twelve spaces."""
    return [*numbers, *[0] * (12 - len(numbers))]


def tensor_fields(shown: Shown, seat: int) -> dict[str, Any]:
    """Give the fields of the observation tensor."""
    players, sheets = len(shown["sheets"]), shown["sheets"]
    dice = [shown["dice"][die] for die in DICE]
    due = [one_hot(10, BONUSES.index(bonus)) for bonus in shown["due"]]
    due += [one_hot(10)] * (24 - len(due))
    return {
        "observer": one_hot(players, seat),
        "phase": one_hot(9, PHASES.index(shown["phase"])),
        "round": [shown["round"]],
        "active": one_hot(players, shown["active"]),
        "seat": one_hot(players, shown["seat"]),
        "roll": one_hot(4, shown["roll"]),
        "faces": [one_hot(6, *([die["face"] - 1] if die["face"] else [])) for die in dice],
        "places": [[int(die["place"] == place) for die in dice] for place in PLACES],
        "cascade": [int(shown["cascade"] == die) for die in ("white", "silver")],
        "due": due,
        "silver": [
            [[int(n in sheet["silver"][row]) for n in range(1, 7)] for row in SILVER_ROWS]
            for sheet in sheets
        ],
        "yellow_circled": [[int(cell > 0) for cell in sheet["yellow"]] for sheet in sheets],
        "yellow_crossed": [[int(cell == 2) for cell in sheet["yellow"]] for sheet in sheets],
        "blue": [padded(sheet["blue"]) for sheet in sheets],
        "green": [padded(sheet["green"]) for sheet in sheets],
        "pink": [padded(sheet["pink"]) for sheet in sheets],
        "actions": [
            [[sheet[bar]["earned"], sheet[bar]["used"]] for bar in BARS] for sheet in sheets
        ],
        "foxes": [sheet["foxes"] for sheet in sheets],
        "extra_dice_used": [
            [int(die in sheet["extra_dice_used"]) for die in DICE] for sheet in sheets
        ],
        "points": [area_points(sheet) for sheet in sheets],
    }


def payload(shown: Shown) -> bytes:
    """Give the position as bytes, without the header."""
    dice = [shown["dice"][die] for die in DICE]
    numbers = [PHASES.index(shown["phase"]), shown["round"], shown["active"], shown["seat"]]
    numbers += [shown["roll"], [None, "white", "silver"].index(shown["cascade"])]
    numbers += [die["face"] or 0 for die in dice]
    numbers += [PLACES.index(die["place"]) for die in dice]
    numbers += [len(shown["due"]), *(BONUSES.index(bonus) for bonus in shown["due"])]
    for sheet in shown["sheets"]:
        numbers += [mask(number - 1 for number in sheet["silver"][row]) for row in SILVER_ROWS]
        numbers += sheet["yellow"]
        for area in ("blue", "green", "pink"):
            numbers += [len(sheet[area]), *sheet[area]]
        for bar in BARS:
            numbers += [sheet[bar]["earned"], sheet[bar]["used"]]
        numbers += [sheet["foxes"], mask(DICE.index(die) for die in sheet["extra_dice_used"])]
    return bytes(numbers)


def mask(bits: Iterable[int]) -> int:
    """Give a number with these bits."""
    return sum(1 << bit for bit in bits)


def all_bytes(game: Game, shown: Shown) -> bytes:
    """Give what `to_bytes()` must be."""
    return header(NAME, game.options) + payload(shown)


# The position as text


def title(total: int) -> str:
    """Give the title of a finished solo game."""
    return next(text for least, text in TITLES.items() if total >= least)


def row(label: str, cells: Iterable[str]) -> str:
    """Write one line of a sheet."""
    return ("  " + label.ljust(10) + "".join(cell.ljust(5) for cell in cells)).rstrip()


def printed(bonuses: Iterable[str | None]) -> list[str]:
    """Write bonuses as they are printed."""
    return [PRINTED[bonus] if bonus else "-" for bonus in bonuses]


def text(shown: Shown, options: Mapping[str, Any]) -> str:
    """Give what `str(state)` must be."""
    over = shown["phase"] == "over"
    rounds = ROUNDS[len(shown["sheets"])]
    lines = [
        f"{NAME}: over"
        if over
        else f"{NAME}: {shown['phase']}, round {shown['round']} of {rounds}, seat {shown['seat']}",
        f"active: seat {shown['active']}, roll {shown['roll']}",
    ]
    names = ("pool", "fields", "platter", "aside")
    for place, name in list(zip(PLACES, names, strict=True))[: 3 + (len(shown["sheets"]) == 1)]:
        there = [
            f"{die} {what['face'] or '-'}"
            for die, what in shown["dice"].items()
            if what["place"] == place
        ]
        lines.append(f"{name}: {', '.join(there) or '-'}")
    lines.append(f"cascade: {shown['cascade'] or '-'}")
    lines.append(f"due: {', '.join(shown['due']) or '-'}")
    for seat in range(len(shown["sheets"])):
        lines += sheet_text(shown, seat, options)
    if over and len(shown["sheets"]) == 1:
        lines.append(f"rating: {title(total_points(shown['sheets'][0], options))}")
    return "\n".join(lines)


def sheet_text(shown: Shown, seat: int, options: Mapping[str, Any]) -> list[str]:
    """Write the sheet of a seat."""
    sheet = shown["sheets"][seat]
    areas = [f"{area} {n}" for area, n in zip(AREAS, area_points(sheet), strict=True)]
    areas.append(f"foxes {sheet['foxes']} x {fox_value(sheet, options)}")
    lines = [f"seat {seat}: {total_points(sheet, options)} points = {' + '.join(areas)}"]
    for bar, label in zip(BARS, ("reroll", "return", "extra die"), strict=True):
        earned, used = sheet[bar]["earned"], sheet[bar]["used"]
        spaces = ["x"] * used + ["o"] * (earned - used) + ["."] * (6 - earned)
        lines.append(row(label, [*spaces, PRINTED[BADGES[bar]]]))
    lines.append(row("used", [", ".join(sheet["extra_dice_used"]) or "-"]))
    lines.append(row("silver", "123456"))
    for colour in SILVER_ROWS:
        crossed = sheet["silver"][colour]
        lines.append(row(f"  {colour}", ["x" if n in crossed else "." for n in range(1, 7)]))
    lines.append(row("", printed(SILVER_COLUMNS)))
    for number, (cells, bonus) in enumerate(zip(YELLOW_ROWS, YELLOW_ROW_BONUSES, strict=True)):
        found = [""] * 4
        for cell in cells:
            (column,) = [column for column, ids in enumerate(YELLOW_COLUMNS) if cell in ids]
            value = str(YELLOW_CELLS[cell])
            found[column] = (value, f"({value})", "(X)")[sheet["yellow"][cell]]
        lines.append(row("" if number else "yellow", [*found, *printed([bonus])]))
    lines.append(row("", printed(YELLOW_COLUMN_BONUSES)))
    for area, under, bonuses in (
        ("blue", None, BLUE_BONUSES),
        ("green", [f"x{times}" for times in GREEN_TIMES], GREEN_BONUSES),
        ("pink", [f">={least}" if least else "-" for least in PINK_AT_LEAST], PINK_BONUSES),
    ):
        written = sheet[area]
        lines.append(row(area, [*map(str, written), *["."] * (12 - len(written))]))
        lines += [row("", under)] if under else []
        lines.append(row("", printed(bonuses)))
    return lines
