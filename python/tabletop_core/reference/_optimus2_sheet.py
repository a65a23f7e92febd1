"""The score sheet of Optimus 2: what is printed on it, and what marks on it earn and are worth.

Every table of the sheet stands here once, in the order of the rulebook: round track, action bars,
then the five areas. Each area knows which marks a number can make in it, makes them, says which
bonuses fall due, and counts its points. Who may mark what, and when, is in `optimus2`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from typing import ClassVar, NamedTuple

from ._base import Word


class Die(Word):
    """The six dice."""

    WHITE = 0
    YELLOW = 1
    BLUE = 2
    GREEN = 3
    PINK = 4
    SILVER = 5


class Area(Word):
    """The five areas of the sheet, each for the die of its colour."""

    SILVER = 0
    YELLOW = 1
    BLUE = 2
    GREEN = 3
    PINK = 4


class Bonus(Word):
    """What can be earned on the sheet: actions, foxes, and marks at once (a "?")."""

    REROLL = 0
    RETURN = 1
    EXTRA_DIE = 2
    FOX = 3
    Q_SILVER = 4
    Q_YELLOW = 5
    Q_BLUE = 6
    Q_GREEN = 7
    Q_PINK = 8
    Q_ANY = 9  # the black ?: one of the five others

    @property
    def is_question_mark(self) -> bool:
        """Say whether it is a mark to be chosen, not something booked by itself."""
        return self >= Bonus.Q_SILVER


FACES = range(1, 7)

DICE = tuple(Die)
AREAS = tuple(Area)
DIE_OF_AREA = {area: Die[area.name] for area in Area}
QUESTION_MARK = {
    Area.SILVER: Bonus.Q_SILVER,
    Area.YELLOW: Bonus.Q_YELLOW,
    Area.BLUE: Bonus.Q_BLUE,
    Area.GREEN: Bonus.Q_GREEN,
    Area.PINK: Bonus.Q_PINK,
}
AREA_OF_QUESTION_MARK = {bonus: area for area, bonus in QUESTION_MARK.items()}

# --- Round track and action bars ---

ROUNDS = {1: 6, 2: 6, 3: 5, 4: 4}
"""By number of players."""

ROUND_BONUS = {1: Bonus.REROLL, 2: Bonus.EXTRA_DIE, 3: Bonus.RETURN, 4: Bonus.Q_ANY}
"""What every player gets as a round begins."""

BAR_SLOTS = 6
BAR_END = {Bonus.REROLL: Bonus.FOX, Bonus.RETURN: Bonus.Q_PINK, Bonus.EXTRA_DIE: Bonus.Q_SILVER}
"""The three bars, each with what its last circle earns."""

# --- Silver ---

SILVER_ROWS = (Die.YELLOW, Die.BLUE, Die.GREEN, Die.PINK)
SILVER_COLUMN_BONUS = {
    1: Bonus.EXTRA_DIE,
    2: Bonus.Q_YELLOW,
    3: Bonus.FOX,
    4: Bonus.Q_BLUE,
    5: Bonus.Q_GREEN,
    6: Bonus.Q_PINK,
}
SILVER_ROW_POINTS = (0, 2, 4, 7, 11, 16, 22)

# --- Yellow ---

YELLOW_GRID = ((0, 3, 0, 6), (1, 0, 2, 0), (0, 4, 0, 3), (2, 0, 5, 0), (0, 5, 0, 4))
"""0 is a hole. The cells are numbered row by row."""
YELLOW_ROW_BONUS = (Bonus.Q_BLUE, Bonus.RETURN, Bonus.Q_YELLOW, Bonus.Q_GREEN, Bonus.Q_PINK)
YELLOW_COLUMN_BONUS = (Bonus.REROLL, Bonus.EXTRA_DIE, Bonus.Q_SILVER, Bonus.FOX)
YELLOW_POINTS = (0, 3, 10, 21, 36, 55, 75, 96, 118, 141, 165)
"""By number of crosses."""


class Cell(NamedTuple):
    """A cell of the yellow area; rows and columns count from 0."""

    row: int
    column: int
    number: int


YELLOW_CELLS = tuple(
    Cell(row, column, number)
    for row, numbers in enumerate(YELLOW_GRID)
    for column, number in enumerate(numbers)
    if number
)
YELLOW_LINES = tuple(
    [
        ([i for i, cell in enumerate(YELLOW_CELLS) if cell.row == row], bonus)
        for row, bonus in enumerate(YELLOW_ROW_BONUS)
    ]
    + [
        ([i for i, cell in enumerate(YELLOW_CELLS) if cell.column == column], bonus)
        for column, bonus in enumerate(YELLOW_COLUMN_BONUS)
    ]
)
"""The cells of each row, then of each column, with the bonus of the line."""

# --- Blue, green, pink ---

LINE_SPACES = 12

BLUE_SUMS = range(2, 13)
BLUE_BONUS = (
    None,
    Bonus.RETURN,
    Bonus.Q_YELLOW,
    None,
    Bonus.EXTRA_DIE,
    Bonus.REROLL,
    Bonus.Q_PINK,
    None,
    Bonus.FOX,
    Bonus.RETURN,
    None,
    Bonus.Q_GREEN,
)
BLUE_POINTS = (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
"""By number of spaces filled."""

GREEN_MULTIPLIER = (2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1)
GREEN_BONUS = (
    None,
    Bonus.REROLL,
    None,
    Bonus.Q_BLUE,
    Bonus.RETURN,
    None,
    Bonus.FOX,
    Bonus.Q_SILVER,
    Bonus.EXTRA_DIE,
    None,
    Bonus.Q_PINK,
    Bonus.Q_YELLOW,
)

PINK_MINIMUM = (None, None, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6)
"""What has to be written for the bonus of a space."""
PINK_BONUS = (
    None,
    None,
    Bonus.REROLL,
    Bonus.RETURN,
    Bonus.EXTRA_DIE,
    Bonus.Q_GREEN,
    Bonus.Q_YELLOW,
    Bonus.FOX,
    Bonus.Q_SILVER,
    Bonus.REROLL,
    Bonus.Q_BLUE,
    Bonus.Q_YELLOW,
)

# --- Marks ---


class Mark(NamedTuple):
    """One mark in an area.

    >>> Mark(Area.SILVER, 4, spot=1).words, Mark(Area.YELLOW, 4, spot=4).words
    ('cross the 4 of the blue row', 'circle the 4 of row 3')
    >>> Mark(Area.BLUE, 7).words
    'write 7 in blue'
    """

    area: Area
    number: int
    """The number that is marked; in blue the sum, in green the face before it is multiplied."""
    spot: int = 0
    """Silver: the row. Yellow: the cell."""
    is_cross: bool = False
    """Yellow: a cross in a circle, not a circle."""

    @property
    def words(self) -> str:
        """Say what is done."""
        if self.area is Area.SILVER:
            return f"cross the {self.number} of the {SILVER_ROWS[self.spot].word} row"
        if self.area is Area.YELLOW:
            verb = "cross" if self.is_cross else "circle"
            return f"{verb} the {self.number} of row {YELLOW_CELLS[self.spot].row + 1}"
        return f"write {self.number} in {self.area.word}"


def _circles_or_crosses(*, is_cross: bool) -> list[Mark]:
    return [
        Mark(Area.YELLOW, cell.number, spot, is_cross) for spot, cell in enumerate(YELLOW_CELLS)
    ]


MARKS = (
    *(Mark(Area.SILVER, number, row) for row in range(len(SILVER_ROWS)) for number in FACES),
    *_circles_or_crosses(is_cross=False),
    *_circles_or_crosses(is_cross=True),
    *(Mark(Area.BLUE, number) for number in BLUE_SUMS),
    *(Mark(Area.GREEN, face) for face in FACES),
    *(Mark(Area.PINK, face) for face in FACES),
)
MARK_INDEX = {mark: index for index, mark in enumerate(MARKS)}

# --- The areas with marks in them ---


class MarkedArea(ABC):
    """An area of one player's sheet."""

    numbers: ClassVar[Iterable[int]] = FACES
    """What the ? of the area may mark."""

    @abstractmethod
    def marks(self, number: int) -> list[Mark]:
        """List the marks that a die can make here which counts as this number."""

    @abstractmethod
    def make(self, mark: Mark) -> list[Bonus]:
        """Make a mark; give the bonuses that fall due, in order."""

    @abstractmethod
    def bonuses(self) -> list[Bonus]:
        """List all bonuses that the marks here have earned so far."""

    @abstractmethod
    def points(self) -> int:
        """Count the points of the area."""

    def marks_of_question_mark(self) -> list[Mark]:
        """List the marks that the ? of the area can make."""
        return [mark for number in self.numbers for mark in self.marks(number)]


@dataclass
class SilverArea(MarkedArea):
    """Four rows, one for each coloured die, of the numbers 1 to 6."""

    crossed: list[set[int]] = field(default_factory=lambda: [set() for _ in SILVER_ROWS])

    def marks(self, number: int) -> list[Mark]:
        """Cross the number in any row in which it is open."""
        return [
            Mark(Area.SILVER, number, row)
            for row, crossed in enumerate(self.crossed)
            if number not in crossed
        ]

    def make(self, mark: Mark) -> list[Bonus]:
        """Cross; a number crossed in all rows earns the bonus of its column. [O2-11]"""
        self.crossed[mark.spot].add(mark.number)
        return self._column_bonus(mark.number)

    def bonuses(self) -> list[Bonus]:
        """List the bonuses of complete columns."""
        return [bonus for number in FACES for bonus in self._column_bonus(number)]

    def points(self) -> int:
        """Score each row by its crosses. [O2-12]"""
        return sum(SILVER_ROW_POINTS[len(crossed)] for crossed in self.crossed)

    def _column_bonus(self, number: int) -> list[Bonus]:
        complete = all(number in crossed for crossed in self.crossed)
        return [SILVER_COLUMN_BONUS[number]] if complete else []


class Yellow(IntEnum):
    """What is in a cell of the yellow area."""

    EMPTY = 0
    CIRCLED = 1
    CROSSED = 2


@dataclass
class YellowArea(MarkedArea):
    """Ten numbers, each to be circled, then crossed."""

    cells: list[Yellow] = field(default_factory=lambda: [Yellow.EMPTY for _ in YELLOW_CELLS])

    def marks(self, number: int) -> list[Mark]:
        """Circle an empty cell with the number, or cross one that is circled. [O2-14]"""
        return [
            Mark(Area.YELLOW, number, spot, is_cross=self.cells[spot] is Yellow.CIRCLED)
            for spot, cell in enumerate(YELLOW_CELLS)
            if cell.number == number and self.cells[spot] is not Yellow.CROSSED
        ]

    def make(self, mark: Mark) -> list[Bonus]:
        """Circle or cross; the last circle of a line earns its bonus, a row's first. [O2-15]"""
        if mark.is_cross:
            self.cells[mark.spot] = Yellow.CROSSED
            return []
        self.cells[mark.spot] = Yellow.CIRCLED
        return [
            bonus
            for spots, bonus in YELLOW_LINES
            if mark.spot in spots and self._is_complete(spots)
        ]

    def bonuses(self) -> list[Bonus]:
        """List the bonuses of complete rows and columns."""
        return [bonus for spots, bonus in YELLOW_LINES if self._is_complete(spots)]

    def points(self) -> int:
        """Score by the number of crosses. [O2-16]"""
        return YELLOW_POINTS[self.cells.count(Yellow.CROSSED)]

    def _is_complete(self, spots: Iterable[int]) -> bool:
        return all(self.cells[spot] is not Yellow.EMPTY for spot in spots)


@dataclass
class Line(MarkedArea):
    """Twelve spaces that are filled from left to right. [O2-17]"""

    written: list[int] = field(default_factory=list)

    area: ClassVar[Area]

    def marks(self, number: int) -> list[Mark]:
        """Write the number into the next space."""
        if len(self.written) == LINE_SPACES or not self._may_write(number):
            return []
        return [Mark(self.area, number)]

    def make(self, mark: Mark) -> list[Bonus]:
        """Write; the space may earn a bonus."""
        space = len(self.written)
        self.written.append(self._to_write(mark.number, space))
        return self._space_bonus(space)

    def bonuses(self) -> list[Bonus]:
        """List the bonuses of the spaces that have earned them."""
        return [bonus for space in range(len(self.written)) for bonus in self._space_bonus(space)]

    def _may_write(self, number: int) -> bool:  # noqa: ARG002 (most lines take any number)
        return True

    def _to_write(self, number: int, space: int) -> int:  # noqa: ARG002 (as it is, in most lines)
        return number

    def _space_bonus(self, space: int) -> list[Bonus]:
        """Give the bonus that a filled space has earned, if there is one."""
        bonus = self._printed_bonus(space)
        return [] if bonus is None else [bonus]

    @abstractmethod
    def _printed_bonus(self, space: int) -> Bonus | None:
        """Give the bonus under a space, if it has been earned by what is written there."""


class BlueLine(Line):
    """Sums of the blue and the white die, none larger than the one before it. [O2-18]"""

    area = Area.BLUE
    numbers = BLUE_SUMS

    def points(self) -> int:
        """Score by the number of spaces filled. [O2-19]"""
        return BLUE_POINTS[len(self.written)]

    def _may_write(self, number: int) -> bool:
        return not self.written or number <= self.written[-1]

    def _printed_bonus(self, space: int) -> Bonus | None:
        return BLUE_BONUS[space]


class GreenLine(Line):
    """Faces times a printed number, in pairs: the first minus the second. [O2-20] [O2-21]"""

    area = Area.GREEN

    def points(self) -> int:
        """Add up the differences of the pairs that are complete; they may be negative."""
        return sum(first - second for first, second in list(pairwise(self.written))[::2])

    def _to_write(self, number: int, space: int) -> int:
        return number * GREEN_MULTIPLIER[space]

    def _printed_bonus(self, space: int) -> Bonus | None:
        return GREEN_BONUS[space]


class PinkLine(Line):
    """Any faces, but bonuses only for high ones. [O2-22] [O2-24]"""

    area = Area.PINK

    def points(self) -> int:
        """Add up the faces."""
        return sum(self.written)

    def _printed_bonus(self, space: int) -> Bonus | None:
        minimum = PINK_MINIMUM[space]
        reached = minimum is None or self.written[space] >= minimum
        return PINK_BONUS[space] if reached else None


# --- The sheet ---


@dataclass
class Bar:
    """An action bar: how many actions have been circled, and how many of these used."""

    earned: int = 0
    used: int = 0

    @property
    def left(self) -> int:
        """The number of actions that can still be used."""
        return self.earned - self.used


@dataclass
class Sheet:
    """All that one player has written down."""

    silver: SilverArea = field(default_factory=SilverArea)
    yellow: YellowArea = field(default_factory=YellowArea)
    blue: BlueLine = field(default_factory=BlueLine)
    green: GreenLine = field(default_factory=GreenLine)
    pink: PinkLine = field(default_factory=PinkLine)
    bars: dict[Bonus, Bar] = field(default_factory=lambda: {bar: Bar() for bar in BAR_END})
    foxes: int = 0
    extra_dice_used: set[Die] = field(default_factory=set)
    """The dice that the player must not use again for extra-die actions."""

    def area(self, area: Area) -> MarkedArea:
        """Give one of the five areas."""
        return self.areas[area]

    @property
    def areas(self) -> tuple[MarkedArea, ...]:
        """The five areas, in their order."""
        return (self.silver, self.yellow, self.blue, self.green, self.pink)

    def copy(self) -> Sheet:
        """Give an equal and independent sheet."""
        return Sheet(
            silver=SilverArea([set(crossed) for crossed in self.silver.crossed]),
            yellow=YellowArea(list(self.yellow.cells)),
            blue=BlueLine(list(self.blue.written)),
            green=GreenLine(list(self.green.written)),
            pink=PinkLine(list(self.pink.written)),
            bars={name: Bar(bar.earned, bar.used) for name, bar in self.bars.items()},
            foxes=self.foxes,
            extra_dice_used=set(self.extra_dice_used),
        )

    def make(self, mark: Mark) -> list[Bonus]:
        """Make a mark; give the bonuses that fall due, in order."""
        return self.area(mark.area).make(mark)

    def book(self, bonus: Bonus) -> list[Bonus]:
        """Write down a fox or an action; give the ? that the end of a bar earns.

        No bar can overflow: the whole sheet has just six sources of each action. [O2-7] [O2-8]
        """
        if bonus is Bonus.FOX:
            self.foxes += 1
            return []
        bar = self.bars[bonus]
        bar.earned += 1
        if bar.earned < BAR_SLOTS:
            return []
        end = BAR_END[bonus]
        return [end] if end.is_question_mark else self.book(end)

    def usable_areas(self) -> list[Area]:
        """List the areas in which a ? can mark something."""
        return [area for area in AREAS if self.area(area).marks_of_question_mark()]

    def is_usable(self, bonus: Bonus) -> bool:
        """Say whether a ? can mark anything. [O2-30]"""
        if bonus is Bonus.Q_ANY:
            return bool(self.usable_areas())
        return bool(self.area(AREA_OF_QUESTION_MARK[bonus]).marks_of_question_mark())

    def bonuses(self) -> list[Bonus]:
        """List all bonuses that the marks in the five areas have earned so far."""
        return [bonus for area in self.areas for bonus in area.bonuses()]

    def points(self) -> list[int]:
        """Count the points of each area."""
        return [area.points() for area in self.areas]

    def fox_value(self, *, floor_zero: bool) -> int:
        """Give what each fox is worth: as much as the lowest area. [O2-73] [O2-74]"""
        lowest = min(self.points())
        return max(lowest, 0) if floor_zero else lowest

    def total(self, *, floor_zero: bool) -> int:
        """Add up areas and foxes. [O2-71]"""
        return sum(self.points()) + self.foxes * self.fox_value(floor_zero=floor_zero)
