"""What the tests of Indigo share: tables of the rules page, traced tracks, built positions.

Tracing follows every gem's whole track on a finished board. It knows nothing of turns or of the
order in which gems move, so it is a third reading of the rules, apart from both engines.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tests.distribution import physical_deals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game, State

Cell: TypeAlias = tuple[int, int]
Tiles: TypeAlias = dict[Cell, int]
"""Matching by cell."""
Move: TypeAlias = tuple[str, Cell]
"""Routes and cell, as an action's text names them."""
Standing: TypeAlias = tuple[Cell, int, str]
"""Cell, edge and colour of a gem."""
Source: TypeAlias = tuple[str, int]
"""("amber", corner) or ("centre", edge)."""

STEPS: tuple[Cell, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
EDGE_NAMES = ("NE", "E", "SE", "SW", "W", "NW")
CELLS: tuple[Cell, ...] = tuple(
    (q, r) for r in range(-4, 5) for q in range(-4, 5) if abs(q + r) <= 4
)
CENTRE: Cell = (0, 0)
CORNERS: tuple[Cell, ...] = ((0, -4), (4, -4), (4, 0), (0, 4), (-4, 4), (-4, 0))
AMBER_EDGES = (2, 3, 4, 5, 0, 1)
FREE_CELLS: tuple[Cell, ...] = tuple(
    cell for cell in CELLS if cell != CENTRE and cell not in CORNERS
)
RING_1: tuple[Cell, ...] = STEPS

GATEWAY_CELLS: tuple[tuple[Cell, ...], ...] = (
    ((1, -4), (2, -4), (3, -4)),
    ((4, -3), (4, -2), (4, -1)),
    ((3, 1), (2, 2), (1, 3)),
    ((-1, 4), (-2, 4), (-3, 4)),
    ((-4, 3), (-4, 2), (-4, 1)),
    ((-3, -1), (-2, -2), (-1, -3)),
)
GATEWAY_EDGES = ((5, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5))
GATEWAY_OF: dict[Cell, int] = {
    cell: gateway for gateway, cells in enumerate(GATEWAY_CELLS) for cell in cells
}
FORBIDDEN_CURVE = ((0, 5), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5))

MATCHINGS = (
    *("02/14/35", "03/15/24", "04/13/25"),
    "03/14/25",
    *("01/25/34", "03/12/45", "05/14/23"),
    *("01/24/35", "02/13/45", "02/15/34", "04/12/35", "04/15/23", "05/13/24"),
    *("01/23/45", "05/12/34"),
)
TYPE_OF = (0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4)
TYPE_NAMES = (
    "straight + two wide curves",
    "three straights",
    "straight + two tight curves",
    "one tight curve + two crossing wide curves",
    "three tight curves",
)
COPIES = (14, 6, 14, 14, 6)
LETTERS = "abcdefghijklmno"

KEYS = ("phase", "seat", "tiles", "gems", "centre", "pile", "hands", "won")
"""The keys of a position's dict, in order."""

GEMS = ("amber", "emerald", "sapphire")
VALUES = {"amber": 1, "emerald": 2, "sapphire": 3}
NOTHING = dict.fromkeys(GEMS, 0)

OWNERS: dict[tuple[int, str], tuple[tuple[int, ...], ...]] = {
    (2, "shared"): ((0,), (1,), (0,), (1,), (0,), (1,)),
    (3, "shared"): ((0,), (0, 1), (2,), (2, 0), (1,), (1, 2)),
    (3, "exclusive"): ((0,), (1,), (2,), (0,), (1,), (2,)),
    (4, "shared"): ((0, 1), (1, 2), (0, 3), (3, 1), (2, 0), (2, 3)),
}
SETTINGS = tuple(
    {"players": players, "ownership": ownership, "hand_size": hand_size}
    for players, ownership in OWNERS
    for hand_size in (1, 2)
)


def routes(matching: int) -> list[list[int]]:
    return [[int(edge) for edge in pair] for pair in MATCHINGS[matching].split("/")]


def partner(matching: int, edge: int) -> int:
    return next(a + b - edge for a, b in routes(matching) if edge in (a, b))


def beyond(cell: Cell, edge: int) -> Cell:
    return (cell[0] + STEPS[edge][0], cell[1] + STEPS[edge][1])


def action_id(matching: str, cell: Cell) -> int:
    return 15 * FREE_CELLS.index(cell) + MATCHINGS.index(matching)


def is_forbidden(matching: int, cell: Cell) -> bool:
    return cell in GATEWAY_OF and list(FORBIDDEN_CURVE[GATEWAY_OF[cell]]) in routes(matching)


def tiles_of(moves: Iterable[Move]) -> Tiles:
    return {cell: MATCHINGS.index(matching) for matching, cell in moves}


def tiles_from_rows(rows: str) -> Tiles:
    """Read the nine rows of `str(state)`: a letter for a matching, "." for an empty cell."""
    marks = rows.split()
    assert len(marks) == 61
    return {
        cell: LETTERS.index(mark)
        for cell, mark in zip(CELLS, marks, strict=True)
        if mark in LETTERS
    }


FULL_BOARD = tiles_from_rows(
    """
        * n n d *
        a m i g d o
        o f i a i o b
        e a j d n h f b
        * a f a @ l j j *
        b a d f a g k j
        d h f a e b g
        g a f e d g
        * b i m *
    """
)
"""A board with all 54 tiles, as a game may end."""


class TrackEnd(NamedTuple):
    """Where a track ends: an "exit" (place: gateway), an "open" end (cell, edge) or another
    "source".
    """

    kind: str
    place: Any
    path: tuple[Cell, ...]  # cells with a route tile or U-turn, in the order of the walk


def track_end(tiles: Tiles, cell: Cell, edge: int) -> TrackEnd:
    """Follow the track that leaves `cell` through `edge`."""
    path: list[Cell] = []
    while True:
        following = beyond(cell, edge)
        entry = (edge + 3) % 6
        if following not in CELLS:
            return TrackEnd("exit", GATEWAY_OF[cell], tuple(path))
        if following == CENTRE:
            return TrackEnd("source", ("centre", entry), tuple(path))
        if following in CORNERS:
            corner = CORNERS.index(following)
            stub = AMBER_EDGES[corner]
            if entry == stub:
                return TrackEnd("source", ("amber", corner), tuple(path))
            edge = (2 * stub - entry) % 6
        elif following in tiles:
            edge = partner(tiles[following], entry)
        else:
            return TrackEnd("open", (cell, edge), tuple(path))
        path.append(following)
        cell = following


class Gems(NamedTuple):
    standing: list[Standing]  # by cell id and edge
    centre: dict[str, int]
    exits: list[tuple[int, str]]  # gateway and colour of every gem that has left
    lost: list[str]


def trace_gems(tiles: Tiles, sapphire_edge: int | None = None) -> Gems:
    """Find the gems that a board implies.

    `sapphire_edge` is the centre edge that was opened last; it counts only when all six are open,
    and is then 5 if not given.
    """
    opened = [edge for edge in range(6) if STEPS[edge] in tiles]
    colours: dict[Source, str] = {("amber", corner): "amber" for corner in range(6)}
    colours |= {("centre", edge): "emerald" for edge in opened}
    if len(opened) == 6:
        colours["centre", 5 if sapphire_edge is None else sapphire_edge] = "sapphire"
    gems = Gems([], {"emerald": max(0, 5 - len(opened)), "sapphire": int(len(opened) < 6)}, [], [])
    for (kind, number), colour in colours.items():
        start = (CENTRE, number) if kind == "centre" else (CORNERS[number], AMBER_EDGES[number])
        end = track_end(tiles, *start)
        if end.kind == "exit":
            gems.exits.append((end.place, colour))
        elif end.kind == "source":
            gems.lost.append(colour)
        else:
            gems.standing.append((*end.place, colour))
    gems.standing.sort(key=lambda gem: (CELLS.index(gem[0]), gem[1]))
    return gems


def any_gem_left(tiles: Tiles) -> bool:
    gems = trace_gems(tiles)
    return bool(gems.standing) or gems.centre["sapphire"] == 1


def won_by_seat(
    exits: Iterable[tuple[int, str]], players: int, ownership: str
) -> list[dict[str, int]]:
    won = [dict.fromkeys(GEMS, 0) for _ in range(players)]
    for gateway, colour in exits:
        for seat in OWNERS[players, ownership][gateway]:
            won[seat][colour] += 1
    return won


def points(won: Mapping[str, int]) -> int:
    return sum(VALUES[gem] * count for gem, count in won.items())


# --- moves ---------------------------------------------------------------------------------------


def rotated(moves: Iterable[Move], steps: int) -> list[Move]:
    """Turn the whole board clockwise by so many sixths."""
    return [
        (_renamed(matching, lambda edge: (edge + steps) % 6), rotated_cell(cell, steps))
        for matching, cell in moves
    ]


def rotated_cell(cell: Cell, steps: int) -> Cell:
    for _ in range(steps % 6):
        cell = (-cell[1], cell[0] + cell[1])
    return cell


def mirrored(moves: Iterable[Move]) -> list[Move]:
    """Mirror the whole board in the line through the corners 0 and 3."""
    return [
        (_renamed(matching, lambda edge: (4 - edge) % 6), mirrored_cell(cell))
        for matching, cell in moves
    ]


def mirrored_cell(cell: Cell) -> Cell:
    return (-cell[0], cell[0] + cell[1])


def _renamed(matching: str, rename: Callable[[int], int]) -> str:
    pairs = (sorted(rename(int(edge)) for edge in pair) for pair in matching.split("/"))
    return "/".join(sorted(f"{a}{b}" for a, b in pairs))


def road(corner: int, leave: tuple[Cell, int]) -> list[Move]:
    """Find the fewest tiles that take the amber of a corner to (cell, edge), near no other gem."""
    start = beyond(CORNERS[corner], AMBER_EDGES[corner])
    others = {beyond(CORNERS[other], AMBER_EDGES[other]) for other in range(6)} - {start}
    queue: deque[list[tuple[Cell, int, int]]] = deque(
        [(start, (AMBER_EDGES[corner] + 3) % 6, out)] for out in range(6)
    )
    reached = set()
    while queue:
        way = queue.popleft()
        cell, entry, out = way[-1]
        usable = entry != out and cell in FREE_CELLS and cell not in RING_1
        if not usable or cell in others or (cell, entry, out) in reached:
            continue
        reached.add((cell, entry, out))
        if (cell, out) == leave:
            return [(_tile_with(a, b, where), where) for where, a, b in way]
        queue.extend([*way, (beyond(cell, out), (out + 3) % 6, edge)] for edge in range(6))
    message = f"no road from corner {corner} to {leave}"
    raise AssertionError(message)


def _tile_with(a: int, b: int, cell: Cell) -> str:
    return next(
        MATCHINGS[matching]
        for matching in range(15)
        if partner(matching, a) == b and not is_forbidden(matching, cell)
    )


def spoke(corner: int) -> list[Move]:
    """Give three tiles that lead the amber of a corner straight into the centre."""
    outer = ("04/13/25", "03/15/24", "02/14/35")[corner % 3]
    middle = ("01/25/34", "03/12/45", "05/14/23")[corner % 3]
    step = STEPS[AMBER_EDGES[corner]]
    cells = [beyond(CORNERS[corner], AMBER_EDGES[corner])]
    while len(cells) < 3:
        cells.append((cells[-1][0] + step[0], cells[-1][1] + step[1]))
    return list(zip((outer, middle, "03/14/25"), cells, strict=True))


def full_board_without(kinds: Iterable[int]) -> Tiles:
    """Take tiles of these types off the full board, each the first that is there."""
    tiles = dict(FULL_BOARD)
    for kind in kinds:
        del tiles[next(cell for cell, matching in tiles.items() if TYPE_OF[matching] == kind)]
    return tiles


# --- positions -----------------------------------------------------------------------------------


def hand_sizes_after(placed: int, players: int, hand_size: int, draws: int) -> list[int]:
    """Give the sizes of hands after `placed` tiles of which the first `draws` were followed by a
    draw.
    """
    sizes = [hand_size] * players
    for turn in range(draws, placed):
        sizes[turn % players] -= 1
    return sizes


def position(
    tiles: Tiles,
    *,
    players: int = 2,
    ownership: str = "shared",
    hand_size: int = 1,
    hands: Mapping[int, Sequence[int]] | None = None,
    phase: str | None = None,
    sapphire_edge: int | None = None,
) -> dict[str, Any]:
    """Give a whole position with these tiles on the board.

    Hands that are not given take the first types that are left. The phase is "place" or "over" if
    none is given.
    """
    gems = trace_gems(tiles, sapphire_edge)
    if phase is None:
        phase = "place" if any_gem_left(tiles) else "over"
    turn = len(tiles) - (phase in {"draw", "over"})
    draws = min(turn, 54 - players * hand_size)
    left = list(COPIES)
    for kind in [TYPE_OF[matching] for matching in tiles.values()]:
        left[kind] -= 1
    dealt = [list((hands or {}).get(seat, [])) for seat in range(players)]
    for kind in (kind for hand in dealt for kind in hand):
        left[kind] -= 1
    sizes = hand_sizes_after(len(tiles), players, hand_size, draws)
    for hand, size in zip(dealt, sizes, strict=True):
        while len(hand) < size:
            kind = next(kind for kind in range(5) if left[kind])
            left[kind] -= 1
            hand.append(kind)
    return {
        "phase": phase,
        "seat": turn % players,
        "tiles": [
            {"cell": list(cell), "routes": routes(tiles[cell])}
            for cell in FREE_CELLS
            if cell in tiles
        ],
        "gems": [
            {"cell": list(cell), "edge": edge, "gem": colour}
            for cell, edge, colour in gems.standing
        ],
        "centre": gems.centre,
        "pile": left,
        "hands": [sorted(hand) for hand in dealt],
        "won": won_by_seat(gems.exits, players, ownership),
    }


def with_deal(shown: Mapping[str, Any], seat: int, order: Iterable[int]) -> dict[str, Any]:
    """Give the unseen tiles in this order to the other hands, seat by seat, and the rest to the
    pile.
    """
    tiles = iter(order)
    hands = [
        hand if other == seat else sorted(next(tiles) for _ in hand)
        for other, hand in enumerate(shown["hands"])
    ]
    rest = Counter(tiles)
    return {**shown, "hands": hands, "pile": [rest[kind] for kind in range(5)]}


def hidden_deals(shown: Mapping[str, Any], seat: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Give every position that the seat cannot tell from this one, and the number of physical deals
    that lead to it.
    """
    hidden = [hand for other, hand in enumerate(shown["hands"]) if other != seat]
    pile = [kind for kind, left in enumerate(shown["pile"]) for _ in range(left)]
    unseen = tuple(sorted([*pile, *(kind for hand in hidden for kind in hand)]))
    for order, ways in physical_deals(unseen, tuple(map(len, hidden))).items():
        yield with_deal(shown, seat, order), ways


def load(engine: ModuleType, **options: Any) -> Game:
    game: Game = engine.load_game("indigo", **options)
    return game


def build(engine: ModuleType, tiles: Tiles, **arguments: Any) -> State:
    """Give a state of `engine` with these tiles on the board; arguments as for `position`."""
    options = {
        option: arguments[option]
        for option in ("players", "ownership", "hand_size")
        if option in arguments
    }
    return load(engine, **options).state_from_dict(position(tiles, **arguments))


def start(engine: ModuleType, **options: Any) -> State:
    """Give the first decision, whatever was dealt."""
    return settled(load(engine, **options).new_initial_state())


def settled(state: State) -> State:
    """Resolve chance nodes of a copy with the first outcome until a seat must decide or the game
    is over.
    """
    state = state.clone()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def holding(state: State, kind: int) -> State:
    """Give the same position, but the seat to act holds a tile of that type: swapped with the pile
    or another hand.
    """
    changed = state.to_dict()
    hand = changed["hands"][changed["seat"]]
    if kind in hand:
        return state
    given = hand[0]
    if changed["pile"][kind]:
        changed["pile"][kind] -= 1
        changed["pile"][given] += 1
    else:
        giver = next(other for other in changed["hands"] if kind in other)
        giver[giver.index(kind)] = given
        giver.sort()
    hand[0] = kind
    hand.sort()
    return state.get_game().state_from_dict(changed)


def place(state: State, matching: str, cell: Cell) -> State:
    """Play a tile in the seat's turn, whatever it holds; stop when the gems have moved."""
    state = holding(settled(state), TYPE_OF[MATCHINGS.index(matching)])
    return state.child(action_id(matching, cell))


def place_all(state: State, moves: Iterable[Move]) -> State:
    for matching, cell in moves:
        state = place(state, matching, cell)
    return state


def standing(state: State) -> set[Standing]:
    return {(tuple(gem["cell"]), gem["edge"], gem["gem"]) for gem in state.to_dict()["gems"]}


def moved(state: State) -> set[Standing]:
    """Give the standing gems without the ambers that wait on their stubs."""
    waiting = {(corner, edge, "amber") for corner, edge in zip(CORNERS, AMBER_EDGES, strict=True)}
    return standing(state) - waiting


def tiles_on(state: State) -> Tiles:
    return {
        tuple(tile["cell"]): MATCHINGS.index("/".join(f"{a}{b}" for a, b in tile["routes"]))
        for tile in state.to_dict()["tiles"]
    }


# --- ready-made positions of two players with hands of one ---------------------------------------


AMBER_ROAD: list[Move] = [
    ("03/14/25", (0, -3)),
    ("03/14/25", (0, -1)),
    ("05/12/34", (0, -2)),
    ("03/14/25", (1, -3)),
    ("03/14/25", (2, -4)),
]
"""Five tiles in the order of placement; the last takes an amber out to seat 0."""

SPOKES: list[Move] = [move for corner in range(6) for move in spoke(corner)]
"""18 tiles that lead every amber straight into the centre: all twelve gems are lost."""


def in_play() -> dict[str, Any]:
    """Three tiles of the amber's road lie; seat 1 holds a tile of type 2, seat 0 one of type 3."""
    return position(tiles_of(AMBER_ROAD[:3]), hands={0: [3], 1: [2]})


def scored() -> dict[str, Any]:
    """The road is finished: seat 0 has an amber."""
    return position(tiles_of(AMBER_ROAD), hands={0: [3], 1: [2]})


def drawing() -> dict[str, Any]:
    """Three tiles lie, and seat 0 is to draw."""
    return position(tiles_of(AMBER_ROAD[:3]), phase="draw", hands={1: [2]})


def dealing() -> dict[str, Any]:
    """Seat 0 has been dealt its tile, seat 1 none."""
    shown = position({}, hands={0: [3], 1: [2]})
    shown["pile"][2] += 1
    return {**shown, "phase": "deal", "seat": 1, "hands": [[3], []]}


def over() -> dict[str, Any]:
    """No gem is left."""
    return position(tiles_of(SPOKES), hands={0: [3]})


def late() -> dict[str, Any]:
    """One cell is empty, the pile too, and only seat 1 has a tile."""
    return position(full_board_without([0]))


def last_draw() -> dict[str, Any]:
    """52 tiles on the board, the last tile of the pile goes to seat 1."""
    return position(full_board_without([0, 2]), phase="draw")


def around_centre() -> dict[str, Any]:
    """All six cells around the centre are filled; the sapphire stands with the emeralds."""
    return position(tiles_of(("03/14/25", cell) for cell in RING_1), sapphire_edge=2)
