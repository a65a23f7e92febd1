"""Positions of Optimus 2 as dicts, bytes, numbers and text.

Reading holds every number to its range, and no more; what belongs together is looked at by
`_optimus2_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._base import (
    ByteReader,
    Field,
    PositionError,
    one_hot,
    show,
    take_dict,
    take_int,
    take_list,
    take_name,
)
from ._optimus2_position import IN_HAND, ROLLS_IN_A_TURN, HouseRules, Phase, Place, Position
from ._optimus2_sheet import (
    AREAS,
    BAR_END,
    BAR_SLOTS,
    BLUE_BONUS,
    BLUE_SUMS,
    DICE,
    FACES,
    GREEN_BONUS,
    GREEN_MULTIPLIER,
    LINE_SPACES,
    PINK_BONUS,
    PINK_MINIMUM,
    SILVER_COLUMN_BONUS,
    SILVER_ROWS,
    YELLOW_CELLS,
    YELLOW_COLUMN_BONUS,
    YELLOW_GRID,
    YELLOW_ROW_BONUS,
    Area,
    Bar,
    BlueLine,
    Bonus,
    Die,
    GreenLine,
    Line,
    PinkLine,
    Sheet,
    SilverArea,
    Yellow,
    YellowArea,
)

MOST_DUE = 24
"""As many ? as can ever be due: one of every source on the sheet, and the black one."""

_MOST_FOXES = 6
_ROW_LABELS = {die: f"  {die.word}" for die in SILVER_ROWS}
_DIE_WORDS = [die.word for die in DICE]
_PLACES = [place.word for place in Place]
_PHASES = [phase.word for phase in Phase]
_BONUSES = [bonus.word for bonus in Bonus]
_CASCADE_DICE = (Die.WHITE, Die.SILVER)
_LARGEST = {
    Area.BLUE: max(BLUE_SUMS),
    Area.GREEN: max(FACES) * max(GREEN_MULTIPLIER),
    Area.PINK: max(FACES),
}

# --- Dicts ---

_KEYS = ("phase", "round", "active", "seat", "roll", "dice", "cascade", "due", "sheets")
_LINE_KEYS = ("blue", "green", "pink")
_BAR_KEYS = tuple(bar.word for bar in BAR_END)
_SHEET_KEYS = ("silver", "yellow", *_LINE_KEYS, *_BAR_KEYS, "foxes", "extra_dice_used")


def to_dict(position: Position) -> dict[str, Any]:
    """Write the whole position."""
    return {
        "phase": position.phase.word,
        "round": position.round,
        "active": position.active,
        "seat": position.seat,
        "roll": position.roll,
        "dice": {
            die.word: {
                "face": None if position.faces[die] == IN_HAND else position.faces[die],
                "place": position.places[die].word,
            }
            for die in DICE
        },
        "cascade": None if position.cascade is None else position.cascade.word,
        "due": [bonus.word for bonus in position.due],
        "sheets": [_sheet_to_dict(sheet) for sheet in position.sheets],
    }


def _sheet_to_dict(sheet: Sheet) -> dict[str, Any]:
    return {
        "silver": {
            die.word: sorted(crossed)
            for die, crossed in zip(SILVER_ROWS, sheet.silver.crossed, strict=True)
        },
        "yellow": [int(cell) for cell in sheet.yellow.cells],
        **{line.area.word: list(line.written) for line in _lines(sheet)},
        **{name.word: {"earned": bar.earned, "used": bar.used} for name, bar in sheet.bars.items()},
        "foxes": sheet.foxes,
        "extra_dice_used": [die.word for die in sorted(sheet.extra_dice_used)],
    }


def _lines(sheet: Sheet) -> tuple[Line, ...]:
    return (sheet.blue, sheet.green, sheet.pink)


def from_dict(house: HouseRules, position: object) -> Position:
    """Read what `to_dict` writes; crossed numbers and dice used may be in any order."""
    entries = take_dict(position, _KEYS, "the position")
    dice = take_dict(entries["dice"], _DIE_WORDS, "dice")
    faces_and_places = [_take_die(dice[word], f"the {word} die") for word in _DIE_WORDS]
    sheets = take_list(entries["sheets"], "sheets", house.players)
    return Position(
        phase=Phase(take_name(entries["phase"], _PHASES, "phase")),
        round=take_int(entries["round"], 1, house.rounds, "round"),
        active=take_int(entries["active"], 0, house.players - 1, "active"),
        seat=take_int(entries["seat"], 0, house.players - 1, "seat"),
        roll=take_int(entries["roll"], 0, ROLLS_IN_A_TURN, "roll"),
        faces=[face for face, _ in faces_and_places],
        places=[place for _, place in faces_and_places],
        cascade=_take_cascade(entries["cascade"]),
        due=_take_due(entries["due"]),
        sheets=[_take_sheet(sheet, f"sheets[{seat}]") for seat, sheet in enumerate(sheets)],
    )


def _take_die(value: object, where: str) -> tuple[int, Place]:
    die = take_dict(value, ("face", "place"), where)
    face = IN_HAND if die["face"] is None else take_int(die["face"], 1, 6, f"the face of {where}")
    return face, Place(take_name(die["place"], _PLACES, f"the place of {where}"))


def _take_cascade(value: object) -> Die | None:
    if value is None:
        return None
    return _CASCADE_DICE[take_name(value, [die.word for die in _CASCADE_DICE], "cascade")]


def _take_due(value: object) -> list[Bonus]:
    due = take_list(value, "due")
    if len(due) > MOST_DUE:
        message = f"due may have {MOST_DUE} entries at most, not {len(due)}"
        raise PositionError(message)
    return [Bonus(take_name(bonus, _BONUSES, f"due[{i}]")) for i, bonus in enumerate(due)]


def _take_sheet(value: object, where: str) -> Sheet:
    entries = take_dict(value, _SHEET_KEYS, where)
    return Sheet(
        silver=_take_silver(entries["silver"], f"silver of {where}"),
        yellow=YellowArea(
            [
                Yellow(take_int(cell, 0, len(Yellow) - 1, f"yellow[{spot}] of {where}"))
                for spot, cell in enumerate(
                    take_list(entries["yellow"], f"yellow of {where}", len(YELLOW_CELLS))
                )
            ]
        ),
        blue=BlueLine(_take_line(entries, Area.BLUE, where)),
        green=GreenLine(_take_line(entries, Area.GREEN, where)),
        pink=PinkLine(_take_line(entries, Area.PINK, where)),
        bars={bar: _take_bar(entries[bar.word], f"{bar.word} of {where}") for bar in BAR_END},
        foxes=take_int(entries["foxes"], 0, _MOST_FOXES, f"foxes of {where}"),
        extra_dice_used=_take_set(
            entries["extra_dice_used"],
            f"extra_dice_used of {where}",
            lambda die, place: Die(take_name(die, _DIE_WORDS, place)),
        ),
    )


def _take_silver(value: object, where: str) -> SilverArea:
    rows = take_dict(value, [die.word for die in SILVER_ROWS], where)
    return SilverArea(
        [
            _take_set(
                rows[die.word],
                f"the {die.word} row of {where}",
                lambda number, place: take_int(number, 1, 6, place),
            )
            for die in SILVER_ROWS
        ]
    )


def _take_line(entries: Mapping[str, Any], area: Area, where: str) -> list[int]:
    written = take_list(entries[area.word], f"{area.word} of {where}")
    if len(written) > LINE_SPACES:
        message = f"{area.word} of {where} may have {LINE_SPACES} entries, not {len(written)}"
        raise PositionError(message)
    return [
        take_int(number, 1, _LARGEST[area], f"{area.word}[{space}] of {where}")
        for space, number in enumerate(written)
    ]


def _take_bar(value: object, where: str) -> Bar:
    bar = take_dict(value, ("earned", "used"), where)
    return Bar(
        earned=take_int(bar["earned"], 0, BAR_SLOTS, f"earned {where}"),
        used=take_int(bar["used"], 0, BAR_SLOTS, f"used {where}"),
    )


def _take_set(value: object, where: str, take: Callable[[object, str], Any]) -> set[Any]:
    """Take a list of different things."""
    taken = [take(entry, f"an entry of {where}") for entry in take_list(value, where)]
    if len(set(taken)) != len(taken):
        message = f"{where} must not name anything twice, as in {show(value)}"
        raise PositionError(message)
    return set(taken)


# --- Bytes ---


def encode(position: Position) -> bytes:
    """Write the whole position, a byte for each number."""
    cascade = 0 if position.cascade is None else 1 + _CASCADE_DICE.index(position.cascade)
    numbers = [
        position.phase,
        position.round,
        position.active,
        position.seat,
        position.roll,
        cascade,
        *position.faces,
        *position.places,
        len(position.due),
        *position.due,
    ]
    for sheet in position.sheets:
        numbers += _numbers_of_sheet(sheet)
    return bytes(numbers)


def _numbers_of_sheet(sheet: Sheet) -> list[int]:
    numbers = [_mask(number - 1 for number in crossed) for crossed in sheet.silver.crossed]
    numbers += sheet.yellow.cells
    for line in _lines(sheet):
        numbers += [len(line.written), *line.written]
    for bar in sheet.bars.values():
        numbers += [bar.earned, bar.used]
    return [*numbers, sheet.foxes, _mask(sheet.extra_dice_used)]


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)


def decode(house: HouseRules, reader: ByteReader) -> Position:
    """Read what `encode` writes."""
    phase = Phase(reader.u8("phase", len(Phase)))
    round_number = reader.u8("round", house.rounds + 1)
    active, seat = (reader.u8(what, house.players) for what in ("active", "seat"))
    roll = reader.u8("roll", ROLLS_IN_A_TURN + 1)
    cascade = (None, *_CASCADE_DICE)[reader.u8("cascade", 1 + len(_CASCADE_DICE))]
    faces = [reader.u8(f"the face of the {word} die", len(FACES) + 1) for word in _DIE_WORDS]
    places = [Place(reader.u8(f"the place of the {word} die", len(Place))) for word in _DIE_WORDS]
    due = [
        Bonus(reader.u8("a bonus that is due", len(Bonus)))
        for _ in range(reader.u8("the number of bonuses due", MOST_DUE + 1))
    ]
    return Position(
        sheets=[_decode_sheet(reader, f"sheets[{seat}]") for seat in range(house.players)],
        phase=phase,
        round=round_number,
        active=active,
        seat=seat,
        roll=roll,
        faces=faces,
        places=places,
        cascade=cascade,
        due=due,
    )


def _decode_sheet(reader: ByteReader, where: str) -> Sheet:
    # Arguments are evaluated, and so bytes read, in the order in which they stand here.
    return Sheet(
        silver=SilverArea(
            [
                {1 + bit for bit in _decode_mask(reader, len(FACES), f"a silver row of {where}")}
                for _ in SILVER_ROWS
            ]
        ),
        yellow=YellowArea(
            [Yellow(reader.u8(f"a yellow cell of {where}", len(Yellow))) for _ in YELLOW_CELLS]
        ),
        blue=BlueLine(_decode_line(reader, Area.BLUE, where)),
        green=GreenLine(_decode_line(reader, Area.GREEN, where)),
        pink=PinkLine(_decode_line(reader, Area.PINK, where)),
        bars={bar: _decode_bar(reader, f"{bar.word} of {where}") for bar in BAR_END},
        foxes=reader.u8(f"foxes of {where}", _MOST_FOXES + 1),
        extra_dice_used={
            Die(bit) for bit in _decode_mask(reader, len(DICE), f"extra_dice_used of {where}")
        },
    )


def _decode_mask(reader: ByteReader, bits: int, what: str) -> list[int]:
    mask = reader.u8(what, 1 << bits)
    return [bit for bit in range(bits) if mask >> bit & 1]


def _decode_line(reader: ByteReader, area: Area, where: str) -> list[int]:
    length = reader.u8(f"the length of {area.word} of {where}", LINE_SPACES + 1)
    what = f"a number of {area.word} of {where}"
    return [reader.u8(what, _LARGEST[area] + 1) for _ in range(length)]


def _decode_bar(reader: ByteReader, what: str) -> Bar:
    earned = reader.u8(f"earned {what}", BAR_SLOTS + 1)
    return Bar(earned, reader.u8(f"used {what}", BAR_SLOTS + 1))


# --- What a seat knows: all of it ---


def fields(players: int) -> list[Field]:
    """List the parts of the observation tensor."""
    dice = len(DICE)
    return [
        Field("observer", (players,), "one-hot: the seat that observes"),
        Field("phase", (len(Phase),), f"one-hot: {', '.join(_PHASES)}"),
        Field("round", (1,), "number of the round, from 1"),
        Field("active", (players,), "one-hot: the seat whose turn it is"),
        Field("seat", (players,), "one-hot: the seat that acts, or for which chance does"),
        Field("roll", (ROLLS_IN_A_TURN + 1,), "one-hot: the active player's roll, 0 without one"),
        Field("faces", (dice, len(FACES)), "one-hot: the face of each die, zeros without one"),
        Field(
            "places",
            (len(Place), dice),
            "1 for each die in the pool, on the fields, on the platter, aside",
        ),
        Field(
            "cascade",
            (len(_CASCADE_DICE),),
            "one-hot: the die whose row is to be chosen: white, silver",
        ),
        Field("due", (MOST_DUE, len(Bonus)), "one-hot: the bonuses that have fallen due, in order"),
        Field(
            "silver", (players, len(SILVER_ROWS), len(FACES)), "1 for each silver number crossed"
        ),
        Field(
            "yellow_circled",
            (players, len(YELLOW_CELLS)),
            "1 for each yellow cell circled or crossed",
        ),
        Field("yellow_crossed", (players, len(YELLOW_CELLS)), "1 for each yellow cell crossed"),
        Field("blue", (players, LINE_SPACES), "numbers written in blue, 0 for an empty space"),
        Field(
            "green",
            (players, LINE_SPACES),
            "numbers written in green (multiplied), 0 for an empty space",
        ),
        Field("pink", (players, LINE_SPACES), "numbers written in pink, 0 for an empty space"),
        Field("actions", (players, len(BAR_END), 2), "rerolls, returns, extra dice: earned, used"),
        Field("foxes", (players,), "number of foxes earned"),
        Field("extra_dice_used", (players, dice), "1 for each die used as an extra die"),
        Field(
            "points",
            (players, len(Area)),
            "points of each area now: silver, yellow, blue, green, pink",
        ),
    ]


def tensor(position: Position, seat: int) -> dict[str, Sequence[int]]:
    """Give the position as numbers."""
    sheets = position.sheets
    due = [one_hot(len(Bonus), bonus) for bonus in position.due]
    due += [[0] * len(Bonus)] * (MOST_DUE - len(due))
    return {
        "observer": one_hot(len(sheets), seat),
        "phase": one_hot(len(Phase), position.phase),
        "round": [position.round],
        "active": one_hot(len(sheets), position.active),
        "seat": one_hot(len(sheets), position.seat),
        "roll": one_hot(ROLLS_IN_A_TURN + 1, position.roll),
        "faces": [int(position.faces[die] == face) for die in DICE for face in FACES],
        "places": [int(position.places[die] is place) for place in Place for die in DICE],
        "cascade": [int(position.cascade is die) for die in _CASCADE_DICE],
        "due": [number for numbers in due for number in numbers],
        "silver": [
            int(face in crossed)
            for sheet in sheets
            for crossed in sheet.silver.crossed
            for face in FACES
        ],
        "yellow_circled": [
            int(cell is not Yellow.EMPTY) for sheet in sheets for cell in sheet.yellow.cells
        ],
        "yellow_crossed": [
            int(cell is Yellow.CROSSED) for sheet in sheets for cell in sheet.yellow.cells
        ],
        "blue": [number for sheet in sheets for number in _spaces(sheet.blue)],
        "green": [number for sheet in sheets for number in _spaces(sheet.green)],
        "pink": [number for sheet in sheets for number in _spaces(sheet.pink)],
        "actions": [
            number
            for sheet in sheets
            for bar in sheet.bars.values()
            for number in (bar.earned, bar.used)
        ],
        "foxes": [sheet.foxes for sheet in sheets],
        "extra_dice_used": [int(die in sheet.extra_dice_used) for sheet in sheets for die in DICE],
        "points": [points for sheet in sheets for points in sheet.points()],
    }


def _spaces(line: Line) -> list[int]:
    """List the twelve spaces of a line, 0 for an empty one."""
    return line.written + [0] * (LINE_SPACES - len(line.written))


# --- Text ---

_BADGES = {
    Bonus.REROLL: "re",
    Bonus.RETURN: "ret",
    Bonus.EXTRA_DIE: "+1",
    Bonus.FOX: "fox",
    Bonus.Q_SILVER: "S?",
    Bonus.Q_YELLOW: "Y?",
    Bonus.Q_BLUE: "B?",
    Bonus.Q_GREEN: "G?",
    Bonus.Q_PINK: "P?",
    None: "-",
}

SOLO_RATINGS = (
    (320, "Twice as clever!"),
    (300, "Points = IQ!"),
    (280, "Respect!"),
    (260, "This can't be luck!"),
    (240, "People, look at this!"),
    (220, "Pretty, pretty clever!"),
    (200, "You've been training!"),
    (180, "You should be happy!"),
    (160, "On the right way."),
    (140, "You can do better."),
)
"""What a total of at least so many points is called. [O2-68]"""

LOWEST_RATING = "Half as clever."


def describe(house: HouseRules, position: Position) -> str:
    """Draw dice and sheets."""
    over = position.phase is Phase.OVER
    where = "" if over else f", round {position.round} of {house.rounds}, seat {position.seat}"
    lines = [
        f"optimus2: {position.phase.word}{where}",
        f"active: seat {position.active}, roll {position.roll}",
        f"pool: {_dice_text(position, Place.POOL)}",
        f"fields: {_dice_text(position, Place.FIELD)}",
        f"platter: {_dice_text(position, Place.PLATTER)}",
    ]
    if house.solo:
        lines.append(f"aside: {_dice_text(position, Place.ASIDE)}")
    lines.append(f"cascade: {'-' if position.cascade is None else position.cascade.word}")
    lines.append(f"due: {', '.join(bonus.word for bonus in position.due) or '-'}")
    for seat, sheet in enumerate(position.sheets):
        lines += _sheet_lines(house, seat, sheet)
    if house.solo and over:
        total = position.sheets[0].total(floor_zero=house.fox_floor_zero)
        lines.append(f"rating: {_rating(total)}")
    return "\n".join(lines)


def _dice_text(position: Position, place: Place) -> str:
    dice = position.dice_at(place)
    return ", ".join(f"{die.word} {position.faces[die] or '-'}" for die in dice) or "-"


def _rating(total: int) -> str:
    return next((words for least, words in SOLO_RATINGS if total >= least), LOWEST_RATING)


def _sheet_lines(house: HouseRules, seat: int, sheet: Sheet) -> list[str]:
    floor_zero = house.fox_floor_zero
    areas = [f"{area.word} {points}" for area, points in zip(AREAS, sheet.points(), strict=True)]
    foxes = f"foxes {sheet.foxes} x {sheet.fox_value(floor_zero=floor_zero)}"
    total = sheet.total(floor_zero=floor_zero)
    return [
        f"seat {seat}: {total} points = {' + '.join([*areas, foxes])}",
        *_bar_lines(sheet),
        *_silver_lines(sheet.silver),
        *_yellow_lines(sheet.yellow),
        *_line_lines(sheet.blue, [], BLUE_BONUS),
        *_line_lines(sheet.green, [f"x{times}" for times in GREEN_MULTIPLIER], GREEN_BONUS),
        *_line_lines(
            sheet.pink,
            ["-" if minimum is None else f">={minimum}" for minimum in PINK_MINIMUM],
            PINK_BONUS,
        ),
    ]


def _row(label: str, cells: Iterable[str]) -> str:
    return f"  {label:<10}{''.join(f'{cell:<5}' for cell in cells)}".rstrip()


def _badges(bonuses: Iterable[Bonus | None]) -> list[str]:
    return [_BADGES[bonus] for bonus in bonuses]


def _bar_lines(sheet: Sheet) -> list[str]:
    bars = [
        _row(
            name.word.replace("_", " "),
            [*("x" * bar.used + "o" * bar.left).ljust(BAR_SLOTS, "."), _BADGES[BAR_END[name]]],
        )
        for name, bar in sheet.bars.items()
    ]
    used = ", ".join(die.word for die in sorted(sheet.extra_dice_used))
    return [*bars, _row("used", [used or "-"])]


def _silver_lines(silver: SilverArea) -> list[str]:
    return [
        _row("silver", map(str, FACES)),
        *(
            _row(_ROW_LABELS[die], ["x" if face in crossed else "." for face in FACES])
            for die, crossed in zip(SILVER_ROWS, silver.crossed, strict=True)
        ),
        _row("", _badges(SILVER_COLUMN_BONUS.values())),
    ]


def _yellow_lines(yellow: YellowArea) -> list[str]:
    grid = [["" for _ in numbers] for numbers in YELLOW_GRID]
    shown = {Yellow.EMPTY: "{}", Yellow.CIRCLED: "({})", Yellow.CROSSED: "(X)"}
    for cell, marked in zip(YELLOW_CELLS, yellow.cells, strict=True):
        grid[cell.row][cell.column] = shown[marked].format(cell.number)
    return [
        *(
            _row("" if row else "yellow", [*cells, _BADGES[bonus]])
            for row, (cells, bonus) in enumerate(zip(grid, YELLOW_ROW_BONUS, strict=True))
        ),
        _row("", _badges(YELLOW_COLUMN_BONUS)),
    ]


def _line_lines(line: Line, printed: list[str], bonuses: Iterable[Bonus | None]) -> list[str]:
    written = [str(number or ".") for number in _spaces(line)]
    rows = [_row(line.area.word, written)]
    if printed:
        rows.append(_row("", printed))
    return [*rows, _row("", _badges(bonuses))]
