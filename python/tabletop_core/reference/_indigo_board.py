"""What never changes in Indigo: board, treasure tiles, gateways, kinds of gems and route tiles."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from ._base import Word


class Edge(IntEnum):
    """The six sides of a hexagon that stands on a point, clockwise."""

    NE = 0
    E = 1
    SE = 2
    SW = 3
    W = 4
    NW = 5


class Cell(NamedTuple):
    """A hexagon of the board: q grows to the east, r to the south-east; the centre is (0,0)."""

    q: int
    r: int

    def __str__(self) -> str:
        """Write the cell as people do."""
        return f"({self.q},{self.r})"


class Spot(NamedTuple):
    """The place on a cell at one of its edges: where a route ends.

    A gem stands on a spot and looks across the edge.
    """

    cell: Cell
    edge: Edge


_STEPS = {
    Edge.NE: (1, -1),
    Edge.E: (1, 0),
    Edge.SE: (0, 1),
    Edge.SW: (-1, 1),
    Edge.W: (-1, 0),
    Edge.NW: (0, -1),
}


def neighbour(cell: Cell, edge: Edge) -> Cell:
    """Give the cell behind an edge; it may lie off the board."""
    dq, dr = _STEPS[edge]
    return Cell(cell.q + dq, cell.r + dr)


def clockwise(edge: int, steps: int) -> Edge:
    """Turn an edge clockwise."""
    return Edge((edge + steps) % 6)


@cache
def across(spot: Spot) -> Spot:
    """Give the same border seen from the cell on its other side."""
    return Spot(neighbour(*spot), clockwise(spot.edge, 3))


# The board: 61 hexagons, row by row from the top, each row from the west.
_RADIUS = 4
CELLS = [
    Cell(q, r)
    for r in range(-_RADIUS, _RADIUS + 1)
    for q in range(-_RADIUS, _RADIUS + 1)
    if abs(q + r) <= _RADIUS
]
CELL_ID = {cell: i for i, cell in enumerate(CELLS)}

# Seven treasure tiles: one in the centre, six in the corners, clockwise from the upper left.
CENTRE = Cell(0, 0)
CORNERS = [Cell(0, -4), Cell(4, -4), Cell(4, 0), Cell(0, 4), Cell(-4, 4), Cell(-4, 0)]

# The 54 cells on which route tiles are put.
FREE_CELLS = [cell for cell in CELLS if cell != CENTRE and cell not in CORNERS]
FREE_RANK = {cell: f for f, cell in enumerate(FREE_CELLS)}

# The arrow of corner k points to the centre, and its amber starts there. A bend round the arrow
# joins the two edges next to it; that is an ordinary route.
ARROWS = [Spot(corner, clockwise(k, 2)) for k, corner in enumerate(CORNERS)]
BENDS: dict[Spot, Edge] = {}
for _corner, _arrow in ARROWS:
    BENDS[Spot(_corner, clockwise(_arrow, -1))] = clockwise(_arrow, 1)
    BENDS[Spot(_corner, clockwise(_arrow, 1))] = clockwise(_arrow, -1)

# The centre has six ways out and no way through.
CENTRE_SPOTS = [Spot(CENTRE, edge) for edge in Edge]

# The six spots of each free cell, from the north-east clockwise.
SPOTS = {cell: [Spot(cell, edge) for edge in Edge] for cell in FREE_CELLS}

# Gems start from twelve sources only.
SOURCES = frozenset(ARROWS + CENTRE_SPOTS)

# Gateway g is the side of the board between corners g and g+1: three cells with two exits each.
GATEWAYS = range(6)
EXITS: dict[Spot, int] = {}
EXITS_OF_CELL: dict[Cell, tuple[Edge, Edge]] = {}
for _gateway in GATEWAYS:
    _cell = CORNERS[_gateway]
    for _ in range(3):
        _cell = neighbour(_cell, clockwise(_gateway, 1))
        EXITS_OF_CELL[_cell] = (clockwise(_gateway, 5), clockwise(_gateway, 0))
        for _edge in EXITS_OF_CELL[_cell]:
            EXITS[Spot(_cell, _edge)] = _gateway


def owners_of_gateways(players: int, ownership: str) -> list[list[int]]:
    """List for each gateway, clockwise from the top, the seats that own a token there."""
    if players == 2:
        return [[0], [1], [0], [1], [0], [1]]
    if players == 4:
        return [[0, 1], [1, 2], [0, 3], [3, 1], [2, 0], [2, 3]]
    if ownership == "exclusive":
        return [[0], [1], [2], [0], [1], [2]]
    return [[0], [0, 1], [2], [2, 0], [1], [1, 2]]


class Gem(Word):
    """The three kinds of gems."""

    AMBER = 0
    EMERALD = 1
    SAPPHIRE = 2

    @property
    def points(self) -> int:
        """What the gem counts at the end."""
        return self + 1


EMERALDS_IN_CENTRE = 5
SAPPHIRES_IN_CENTRE = 1
GEMS_ON_BOARD = len(CORNERS) + EMERALDS_IN_CENTRE + SAPPHIRES_IN_CENTRE

Routes = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""Three pairs of edges that a tile joins: each pair ascending, and the pairs ascending."""


class TileType(NamedTuple):
    """One of the five kinds of route tiles, with all its different rotations."""

    name: str
    copies: int
    rotations: list[Routes]


TILE_TYPES = [
    TileType(
        "straight + two wide curves",
        14,
        [((0, 2), (1, 4), (3, 5)), ((0, 3), (1, 5), (2, 4)), ((0, 4), (1, 3), (2, 5))],
    ),
    TileType("three straights", 6, [((0, 3), (1, 4), (2, 5))]),
    TileType(
        "straight + two tight curves",
        14,
        [((0, 1), (2, 5), (3, 4)), ((0, 3), (1, 2), (4, 5)), ((0, 5), (1, 4), (2, 3))],
    ),
    TileType(
        "one tight curve + two crossing wide curves",
        14,
        [
            ((0, 1), (2, 4), (3, 5)),
            ((0, 2), (1, 3), (4, 5)),
            ((0, 2), (1, 5), (3, 4)),
            ((0, 4), (1, 2), (3, 5)),
            ((0, 4), (1, 5), (2, 3)),
            ((0, 5), (1, 3), (2, 4)),
        ],
    ),
    TileType("three tight curves", 6, [((0, 1), (2, 3), (4, 5)), ((0, 5), (1, 2), (3, 4))]),
]

# A matching is a tile in one rotation. Numbered type by type, they are all the 15 ways to join six
# edges in pairs, so the matching says which tile was put down.
MATCHINGS = [routes for tile in TILE_TYPES for routes in tile.rotations]
MATCHING_INDEX: dict[tuple[tuple[int, ...], ...], int] = {
    routes: m for m, routes in enumerate(MATCHINGS)
}
TYPE_OF_MATCHING = [t for t, tile in enumerate(TILE_TYPES) for _ in tile.rotations]


def _other_ends(routes: Routes) -> dict[Edge, Edge]:
    ends = {Edge(a): Edge(b) for a, b in routes}
    return ends | {b: a for a, b in ends.items()}


OTHER_END = [_other_ends(routes) for routes in MATCHINGS]
"""For each matching and each edge the edge at the other end of the route."""


def is_forbidden(cell: Cell, matching: int) -> bool:
    """Say whether a route would join the two exits of a gateway cell.

    It is the only restriction on placing a tile, and it looks at that tile alone.
    """
    if cell not in EXITS_OF_CELL:
        return False
    one_exit, other_exit = EXITS_OF_CELL[cell]
    return OTHER_END[matching][one_exit] == other_exit
