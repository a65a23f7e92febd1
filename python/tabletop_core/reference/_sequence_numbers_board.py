"""The board of Sequence Numbers: a table of numbers, its lines of five, and the cards it implies.

The board is data. The four corners are free spaces ("F"); every other cell carries a number, and
each number stands on exactly two cells. The deck follows from the board: two cards of each number,
two Plus cards and two Minus cards.

Cells are counted in reading order, ``cell = row * cols + col``, row 0 at the top. The *kind* of a
card is a small integer: the numbers in ascending order, then Plus, then Minus.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from ._base import show

FREE = "F"
PLUS = "plus"
MINUS = "minus"

SEQUENCE_LENGTH = 5
COPIES = 2  # of each number on the board, and of each kind of card in the deck
SMALLEST_SIDE, LARGEST_SIDE = 6, 10
LARGEST_NUMBER = 9999

Layout = tuple[tuple[int | str, ...], ...]


class Direction(IntEnum):
    """The directions of a line, in the order in which windows are numbered."""

    HORIZONTAL = 0
    VERTICAL = 1
    DOWN_RIGHT = 2
    DOWN_LEFT = 3


STEPS = {
    Direction.HORIZONTAL: (0, 1),
    Direction.VERTICAL: (1, 0),
    Direction.DOWN_RIGHT: (1, 1),
    Direction.DOWN_LEFT: (1, -1),
}


@dataclass(frozen=True)
class Window:
    """Five adjacent cells in a line, where a sequence may come to lie.

    ``cells`` runs from the upper end down, in a row from left to right; ``spaces`` is the same
    without a corner, which needs no chip.
    """

    direction: Direction
    cells: tuple[int, ...]
    spaces: tuple[int, ...]

    def shares(self, other: Window) -> int:
        """Return the number of cells that both windows contain."""
        return len(set(self.cells) & set(other.cells))


@dataclass(frozen=True)
class Board:
    """A layout and everything that follows from it."""

    layout: Layout
    rows: int
    cols: int
    corners: frozenset[int]
    spaces: tuple[int, ...]  # the cells that take a chip, ascending
    numbers: tuple[int, ...]  # ascending; the place in this tuple is the kind of the card
    cards: tuple[int | str, ...]  # the names of all kinds
    spaces_of_number: tuple[tuple[int, ...], ...]  # by kind
    windows: tuple[Window, ...]
    windows_through: tuple[tuple[int, ...], ...]  # window ids by cell

    @property
    def size(self) -> int:
        """Number of cells, corners included."""
        return self.rows * self.cols

    @property
    def plus(self) -> int:
        """The kind of the Plus cards."""
        return len(self.numbers)

    @property
    def minus(self) -> int:
        """The kind of the Minus cards."""
        return len(self.numbers) + 1

    @property
    def kinds(self) -> range:
        """All kinds of cards."""
        return range(len(self.numbers) + 2)

    def card(self, kind: int) -> int | str:
        """Return what a person calls this kind of card: its number, "plus" or "minus"."""
        return self.cards[kind]

    def kind_of(self, card: int | str) -> int:
        """Return the kind of a card by its name, the inverse of `card`; else a ValueError."""
        return self.cards.index(card)

    def full_deck(self) -> list[int]:
        """Return the kinds of all cards of the game, ascending."""
        return [kind for kind in self.kinds for _ in range(COPIES)]

    def row_col(self, cell: int) -> tuple[int, int]:
        """Return row and column of a cell."""
        return divmod(cell, self.cols)

    def at(self, cell: int) -> int | str:
        """Return what is printed on a cell: a number, or "F" on a corner."""
        row, col = self.row_col(cell)
        return self.layout[row][col]


def canonical_layout() -> Layout:
    """Return the layout that is used when no other is given."""
    return mirrored_layout(10, 10)


def mirrored_layout(rows: int, cols: int) -> Layout:
    """Return the canonical layout of a size with an even number of cells.

    The upper half counts from 1 in reading order; the lower half is the upper one turned by 180
    degrees, so both cells of a number lie in equally many windows.
    """
    corners = _corners(rows, cols)
    upper = [cell for cell in range(rows * cols // 2) if cell not in corners]
    number_at = {cell: number for number, cell in enumerate(upper, start=1)}
    number_at |= {rows * cols - 1 - cell: number for cell, number in number_at.items()}
    return tuple(
        tuple(number_at.get(row * cols + col, FREE) for col in range(cols)) for row in range(rows)
    )


def layout_fault(layout: Layout) -> str | None:
    """Return what is wrong with a layout in words, or None if it can be played on."""
    sides = range(SMALLEST_SIDE, LARGEST_SIDE + 1)
    if len(layout) not in sides:
        return f"it has {len(layout)} rows; {sides[0]} to {sides[-1]} are allowed"
    cols = len(layout[0])
    if cols not in sides:
        return f"row 0 has {cols} entries; {sides[0]} to {sides[-1]} are allowed"
    corners = _corners(len(layout), cols)
    places: dict[int, int] = {}
    for row, entries in enumerate(layout):
        if len(entries) != cols:
            return f"row {row} has {len(entries)} entries, but row 0 has {cols}"
        for col, entry in enumerate(entries):
            where = f"at row {row}, column {col} stands {show(entry)}"
            if row * cols + col in corners:
                if entry != FREE:
                    return f'{where}; the four corners must be "F"'
            elif isinstance(entry, bool) or not isinstance(entry, int):
                return f"{where}; every cell but the corners must be an integer"
            elif not 1 <= entry <= LARGEST_NUMBER:
                return f"{where}; numbers must be 1 to {LARGEST_NUMBER}"
            else:
                places[entry] = places.get(entry, 0) + 1
    for number, count in sorted(places.items()):
        if count != COPIES:
            return f"the number {number} stands on {count} cells; each must stand on {COPIES}"
    return None


@lru_cache(maxsize=8)
def build_board(layout: Layout) -> Board:
    """Return the board of a faultless layout."""
    rows, cols = len(layout), len(layout[0])
    corners = _corners(rows, cols)
    spaces_of: dict[int, list[int]] = {}
    for row, entries in enumerate(layout):
        for col, entry in enumerate(entries):
            if isinstance(entry, int):
                spaces_of.setdefault(entry, []).append(row * cols + col)
    numbers = tuple(sorted(spaces_of))
    windows = tuple(_windows(rows, cols, corners))
    return Board(
        layout=layout,
        rows=rows,
        cols=cols,
        corners=corners,
        spaces=tuple(cell for cell in range(rows * cols) if cell not in corners),
        numbers=numbers,
        cards=(*numbers, PLUS, MINUS),
        spaces_of_number=tuple(tuple(spaces_of[number]) for number in numbers),
        windows=windows,
        windows_through=tuple(
            tuple(window for window, five in enumerate(windows) if cell in five.cells)
            for cell in range(rows * cols)
        ),
    )


def _corners(rows: int, cols: int) -> frozenset[int]:
    return frozenset(row * cols + col for row in (0, rows - 1) for col in (0, cols - 1))


def _windows(rows: int, cols: int, corners: frozenset[int]) -> list[Window]:
    """List all windows: by direction, then by the row and the column where they start."""
    windows = []
    for direction, (down, right) in STEPS.items():
        for row in range(rows):
            for col in range(cols):
                line = [(row + i * down, col + i * right) for i in range(SEQUENCE_LENGTH)]
                if all(0 <= r < rows and 0 <= c < cols for r, c in line):
                    cells = tuple(r * cols + c for r, c in line)
                    spaces = tuple(cell for cell in cells if cell not in corners)
                    windows.append(Window(direction, cells, spaces))
    return windows
