"""Indigo: lay winding paths and lead gems through your own gateways.

A turn is: put a tile of your hand on any empty cell, move all gems that it touches, draw a tile.
The board and the parts in the box are in `_indigo_board`, the ways of the gems in `_indigo_gems`;
here are the course of the game and what a seat sees of it.

A decision is a cell and a tile in one rotation: id = 15 * (rank of the free cell) + matching.
Drawing a tile of type t is chance outcome t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    OptionError,
    OptionSpec,
    Rules,
    Word,
    count_option,
    deal_unseen,
    one_hot,
    require,
    take_dict,
    take_int,
    take_list,
    take_name,
    word_option,
)
from ._indigo_board import (
    CELL_ID,
    CELLS,
    CENTRE,
    CORNERS,
    EMERALDS_IN_CENTRE,
    FREE_CELLS,
    FREE_RANK,
    GEMS_ON_BOARD,
    MATCHINGS,
    SAPPHIRES_IN_CENTRE,
    TILE_TYPES,
    TYPE_OF_MATCHING,
    Cell,
    Edge,
    Gem,
    Spot,
    is_forbidden,
    owners_of_gateways,
)
from ._indigo_dicts import (
    GEM_WORDS,
    in_order_of_spots,
    take_gems,
    take_tiles,
    to_dict_of_board,
    to_dicts_of_won,
)
from ._indigo_gems import Gems, Tiles, gems_at_start, implied_gems, move_gems

_NO_TILE = len(MATCHINGS)
_ALL_TILES = [tile.copies for tile in TILE_TYPES]


def _placements() -> list[list[list[int]]]:
    """List, for each free cell and tile type, the ids of all allowed placements, ascending."""
    placements: list[list[list[int]]] = [[[] for _ in TILE_TYPES] for _ in FREE_CELLS]
    for f, cell in enumerate(FREE_CELLS):
        for matching, tile_type in enumerate(TYPE_OF_MATCHING):
            if not is_forbidden(cell, matching):
                placements[f][tile_type].append(f * len(MATCHINGS) + matching)
    return placements


_PLACEMENTS = _placements()


class Phase(Word):
    """What has to happen next."""

    DEAL = 0
    PLACE = 1
    DRAW = 2
    OVER = 3


_PHASE_WORDS = [phase.word for phase in Phase]


@dataclass
class Position:
    """All that lies on the table or is held in hand."""

    phase: Phase
    seat: int
    """Who gets a tile or puts one down; at the end, who put down the last one."""
    tiles: Tiles
    gems: Gems
    pile: list[int]
    """Number of tiles of each type that nobody has drawn yet."""
    hands: list[list[int]]
    """The types of the tiles in each seat's hand, ascending."""


class Indigo(Rules[Position]):
    """The rules of Indigo."""

    name = "indigo"
    option_specs = (
        OptionSpec("players", 2, "2|3|4", (2, 3, 4), "Number of seats."),
        OptionSpec(
            "ownership",
            "shared",
            "shared|exclusive",
            ("shared", "exclusive"),
            "With 3 players: whether seats share gateways or own two each; else only shared.",
        ),
        OptionSpec("hand_size", 1, "1|2", (1, 2), "Number of tiles in a hand."),
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Seat the players and hand out the gateways."""
        self.num_players = count_option(options, "players", (2, 3, 4))
        self.ownership = word_option(options, "ownership", ("shared", "exclusive"))
        self.hand_size = count_option(options, "hand_size", (1, 2))
        if self.ownership == "exclusive" and self.num_players != 3:
            message = (
                "option ownership may be 'exclusive' with 3 players only; "
                f"with {self.num_players} players it must be 'shared'"
            )
            raise OptionError(message)
        self.options = {
            "players": self.num_players,
            "ownership": self.ownership,
            "hand_size": self.hand_size,
        }
        self.owners = owners_of_gateways(self.num_players, self.ownership)
        self.tiles_dealt = self.num_players * self.hand_size
        self.num_distinct_actions = len(FREE_CELLS) * len(MATCHINGS)
        self.max_chance_outcomes = len(TILE_TYPES)
        self.max_game_length = len(FREE_CELLS)

    # The course of the game.

    def initial_position(self) -> Position:
        """Set up the board; all tiles are in the pile, seat 0 gets the first."""
        return Position(
            phase=Phase.DEAL,
            seat=0,
            tiles={},
            gems=gems_at_start(self.num_players),
            pile=list(_ALL_TILES),
            hands=[[] for _ in range(self.num_players)],
        )

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return Position(
            phase=position.phase,
            seat=position.seat,
            tiles=dict(position.tiles),
            gems=position.gems.copy(),
            pile=list(position.pile),
            hands=[list(hand) for hand in position.hands],
        )

    def current_player(self, position: Position) -> int:
        """Tiles are dealt and drawn by chance and put down by the seat."""
        if position.phase is Phase.OVER:
            return TERMINAL
        return position.seat if position.phase is Phase.PLACE else CHANCE

    def legal_actions(self, position: Position) -> list[int]:
        """Any tile of the hand, in any rotation, on any empty cell.

        Only, no route may join both exits of a gateway cell.
        """
        types_in_hand = sorted(set(position.hands[position.seat]))
        return [
            action
            for f, cell in enumerate(FREE_CELLS)
            if cell not in position.tiles
            for tile_type in types_in_hand
            for action in _PLACEMENTS[f][tile_type]
        ]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """Every tile in the pile is equally likely."""
        return [(tile_type, copies) for tile_type, copies in enumerate(position.pile) if copies]

    def apply(self, position: Position, action: int) -> None:
        """Put a tile down, or give one to the seat."""
        if position.phase is Phase.PLACE:
            self._place(position, *_cell_and_matching(action))
        else:
            self._give(position, action)

    def _place(self, position: Position, cell: Cell, matching: int) -> None:
        position.hands[position.seat].remove(TYPE_OF_MATCHING[matching])
        position.tiles[cell] = matching
        move_gems(position.gems, position.tiles, self.owners, cell)
        if not position.gems.any_left():
            # At once: no tile is drawn any more.
            position.phase = Phase.OVER
        elif any(position.pile):
            position.phase = Phase.DRAW
        else:
            self._pass_turn(position)

    def _give(self, position: Position, tile_type: int) -> None:
        position.pile[tile_type] -= 1
        hand = position.hands[position.seat]
        hand.append(tile_type)
        hand.sort()
        if position.phase is Phase.DRAW:
            position.phase = Phase.PLACE
            self._pass_turn(position)
        elif len(hand) == self.hand_size:
            # Hands are dealt one after another; when the last one is full, seat 0 begins.
            if position.seat == self.num_players - 1:
                position.phase = Phase.PLACE
            self._pass_turn(position)

    def _pass_turn(self, position: Position) -> None:
        position.seat = (position.seat + 1) % self.num_players

    def scores(self, position: Position) -> list[int]:
        """Count the points of the gems won."""
        return [_points(gems) for gems in position.gems.won]

    def winners(self, position: Position) -> list[int]:
        """Most points win; among equals most gems; still equal, the win is shared."""
        if position.phase is not Phase.OVER:
            return []
        results = [(_points(gems), sum(gems)) for gems in position.gems.won]
        return [seat for seat, result in enumerate(results) if result == max(results)]

    # What a seat knows: all but the other hands and what exactly is in the pile.

    def fields(self) -> list[Field]:
        """List the parts of the observation."""
        players = self.num_players
        return [
            Field("observer", (players,), "one-hot: the seat that observes"),
            Field("phase", (len(Phase),), "one-hot: deal, place, draw, over"),
            Field("seat", (players,), "one-hot: the seat that acts, or for which chance does"),
            Field(
                "tiles",
                (len(FREE_CELLS), len(MATCHINGS)),
                "one-hot: the matching on each free cell; the index is the id of the placement",
            ),
            Field(
                "gems",
                (len(Gem), len(CELLS), len(Edge)),
                "1 for each gem that stands, by colour, cell and edge",
            ),
            Field("centre", (2,), "emeralds and sapphires in the centre"),
            Field("hand", (len(TILE_TYPES),), "the observer's tiles, by type"),
            Field("hand_sizes", (players,), "number of tiles in each hand"),
            Field("pile_size", (1,), "number of tiles in the pile"),
            Field("won", (players, len(Gem)), "ambers, emeralds, sapphires won by each seat"),
        ]

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        tiles = [0] * self.num_distinct_actions
        for cell, matching in position.tiles.items():
            tiles[FREE_RANK[cell] * len(MATCHINGS) + matching] = 1
        gems = [0] * (len(Gem) * len(CELLS) * len(Edge))
        for (cell, edge), gem in position.gems.standing.items():
            gems[(gem * len(CELLS) + CELL_ID[cell]) * len(Edge) + edge] = 1
        return {
            "observer": one_hot(self.num_players, seat),
            "phase": one_hot(len(Phase), position.phase),
            "seat": one_hot(self.num_players, position.seat),
            "tiles": tiles,
            "gems": gems,
            "centre": [position.gems.emeralds, position.gems.sapphires],
            "hand": _counts(position.hands[seat]),
            "hand_sizes": [len(hand) for hand in position.hands],
            "pile_size": [sum(position.pile)],
            "won": [number for gems in position.gems.won for number in gems],
        }

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict."""
        everything = self.to_dict(position)
        return {
            "observer": seat,
            "phase": everything["phase"],
            "seat": everything["seat"],
            "tiles": everything["tiles"],
            "gems": everything["gems"],
            "centre": everything["centre"],
            "pile_size": sum(position.pile),
            "hand": list(position.hands[seat]),
            "hand_sizes": [len(hand) for hand in position.hands],
            "won": everything["won"],
        }

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Deal the other hands again, from all tiles that the seat does not see."""
        others = [other for other in range(self.num_players) if other != seat]
        unseen = list(position.pile)
        for other in others:
            for tile_type in position.hands[other]:
                unseen[tile_type] += 1
        tiles = [tile_type for tile_type, copies in enumerate(unseen) for _ in range(copies)]
        sizes = [len(position.hands[other]) for other in others]
        hands, rest = deal_unseen(tiles, sizes, below)
        for other, hand in zip(others, hands, strict=True):
            position.hands[other] = hand
        position.pile = _counts(rest)

    def sees_outcome(self, position: Position, seat: int) -> bool:
        """Say whether it is this seat that gets the tile; nobody shows it to the others."""
        return seat == position.seat

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write the whole position."""
        return {
            "phase": position.phase.word,
            "seat": position.seat,
            **to_dict_of_board(position.tiles, position.gems),
            "pile": list(position.pile),
            "hands": [list(hand) for hand in position.hands],
            "won": to_dicts_of_won(position.gems),
        }

    def from_dict(self, position: object) -> Position:
        """Read a position; lists may be in any order."""
        keys = ("phase", "seat", "tiles", "gems", "centre", "pile", "hands", "won")
        entries = take_dict(position, keys, "the position")
        hands = take_list(entries["hands"], "hands", self.num_players)
        pile = take_list(entries["pile"], "pile", len(TILE_TYPES))
        return Position(
            phase=Phase(take_name(entries["phase"], _PHASE_WORDS, "phase")),
            seat=take_int(entries["seat"], 0, self.num_players - 1, "seat"),
            tiles=take_tiles(entries["tiles"]),
            gems=take_gems(entries, self.num_players),
            pile=[
                take_int(copies, 0, most, f"pile[{tile_type}]")
                for tile_type, (copies, most) in enumerate(zip(pile, _ALL_TILES, strict=True))
            ],
            hands=[self._take_hand(hand, f"hands[{seat}]") for seat, hand in enumerate(hands)],
        )

    def _take_hand(self, value: object, where: str) -> list[int]:
        hand = take_list(value, where)
        return sorted(take_int(tile, 0, len(TILE_TYPES) - 1, f"a tile of {where}") for tile in hand)

    def encode(self, position: Position) -> bytes:
        """Write the whole position, a byte for each number."""
        numbers = [int(position.phase), position.seat]
        numbers += [position.tiles.get(cell, _NO_TILE) for cell in FREE_CELLS]
        numbers.append(len(position.gems.standing))
        for (cell, edge), gem in in_order_of_spots(position.gems.standing):
            numbers += [CELL_ID[cell], edge, gem]
        numbers += [position.gems.emeralds, position.gems.sapphires]
        numbers += position.pile
        for hand in position.hands:
            numbers += [len(hand), *hand]
        for gems in position.gems.won:
            numbers += gems
        return bytes(numbers)

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        players = range(self.num_players)
        phase = Phase(reader.u8("phase", len(Phase)))
        seat = reader.u8("seat", self.num_players)
        on_cells = {cell: reader.u8(f"the tile on {cell}", _NO_TILE + 1) for cell in FREE_CELLS}
        standing: dict[Spot, Gem] = {}
        for _ in range(reader.u8("the number of standing gems", GEMS_ON_BOARD + 1)):
            cell = CELLS[reader.u8("the cell of a gem", len(CELLS))]
            edge = Edge(reader.u8("the edge of a gem", len(Edge)))
            standing[Spot(cell, edge)] = Gem(reader.u8("the kind of a gem", len(Gem)))
        emeralds = reader.u8("the emeralds in the centre", EMERALDS_IN_CENTRE + 1)
        sapphires = reader.u8("the sapphires in the centre", SAPPHIRES_IN_CENTRE + 1)
        pile = [reader.u8("the pile", most + 1) for most in _ALL_TILES]
        hands = [
            sorted(
                reader.u8(f"a tile of hand {seat}", len(TILE_TYPES))
                for _ in range(reader.u8(f"the size of hand {seat}", self.hand_size + 1))
            )
            for seat in players
        ]
        won = [
            [reader.u8(f"the gems of seat {seat}", GEMS_ON_BOARD + 1) for _ in Gem]
            for seat in players
        ]
        return Position(
            phase=phase,
            seat=seat,
            tiles={cell: matching for cell, matching in on_cells.items() if matching != _NO_TILE},
            gems=Gems(standing, emeralds, sapphires, won),
            pile=pile,
            hands=hands,
        )

    # Which positions can be.

    def check(self, position: Position) -> None:
        """Refuse a position that breaks an invariant of the game."""
        self._check_tiles(position)
        self._check_turn(position)
        self._check_gems(position)

    def _check_tiles(self, position: Position) -> None:
        for cell, matching in position.tiles.items():
            require(
                not is_forbidden(cell, matching),
                f"the tile on {cell} joins both exits of its gateway, which is forbidden",
            )
        on_board = _counts([TYPE_OF_MATCHING[matching] for matching in position.tiles.values()])
        in_hands = _counts([tile_type for hand in position.hands for tile_type in hand])
        for tile_type, tile in enumerate(TILE_TYPES):
            found = on_board[tile_type] + in_hands[tile_type] + position.pile[tile_type]
            require(
                found == tile.copies,
                f"there must be {tile.copies} tiles of type {tile_type} ({tile.name}) "
                f"on the board, in hands and in the pile together, not {found}",
            )

    def _check_turn(self, position: Position) -> None:
        """Whose turn it is and the sizes of the hands follow from the number of tiles put down."""
        placed = len(position.tiles)
        if position.phase is Phase.DEAL:
            dealt = sum(len(hand) for hand in position.hands)
            require(
                not placed and dealt < self.tiles_dealt,
                f"in phase deal no tile may lie on the board and fewer than {self.tiles_dealt} "
                f"may have been dealt, not {placed} and {dealt}",
            )
            seat = dealt // self.hand_size
            sizes = [
                min(self.hand_size, max(0, dealt - other * self.hand_size))
                for other in range(self.num_players)
            ]
        else:
            seat, sizes = self._seat_and_hand_sizes(position.phase, placed)
        require(
            position.seat == seat,
            f"seat must be {seat} in phase {position.phase.word} with {placed} tiles "
            f"on the board, not {position.seat}",
        )
        found = [len(hand) for hand in position.hands]
        require(
            found == sizes,
            f"the sizes of the hands must be {sizes} in phase {position.phase.word} "
            f"with {placed} tiles on the board, not {found}",
        )

    def _seat_and_hand_sizes(self, phase: Phase, placed: int) -> tuple[int, list[int]]:
        """Count turns: tile i (from 0) is put down by seat i mod P, who then draws a new one.

        Nobody draws when the pile is used up or the game is over.
        """
        pile_after_deal = len(FREE_CELLS) - self.tiles_dealt
        turns_ended = placed if phase is Phase.PLACE else placed - 1
        require(
            phase is not Phase.DRAW or 0 <= turns_ended < pile_after_deal,
            f"in phase draw 1..{pile_after_deal} tiles must lie on the board, not {placed}",
        )
        require(
            phase is not Phase.OVER or placed > 0,
            "in phase over at least one tile must lie on the board",
        )
        drawn = min(turns_ended, pile_after_deal)
        sizes = [
            self.hand_size - self._turns_of(seat, placed) + self._turns_of(seat, drawn)
            for seat in range(self.num_players)
        ]
        return turns_ended % self.num_players, sizes

    def _turns_of(self, seat: int, turns: int) -> int:
        """Count how many of the first turns of the game are the seat's."""
        return len(range(seat, turns, self.num_players))

    def _check_gems(self, position: Position) -> None:
        candidates = list(implied_gems(position.tiles, self.owners, self.num_players))
        require(
            position.gems in candidates,
            "the gems on the board, in the centre and won do not follow from the tiles; "
            f"on this board they could be {self._gems_text(candidates[0])}, "
            f"not {self._gems_text(position.gems)}",
        )
        require(
            position.gems.any_left() != (position.phase is Phase.OVER),
            "phase must be over exactly when no gem is left on the board, "
            f"not {position.phase.word} with {self._gems_text(position.gems)}",
        )

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a placement by its routes and cell, as in "place 03/14/25 on (0,-3)"."""
        cell, matching = _cell_and_matching(action)
        routes = "/".join(f"{a}{b}" for a, b in MATCHINGS[matching])
        return f"place {routes} on {cell}"

    def chance_to_string(self, outcome: int) -> str:
        """Name the tile drawn."""
        return f"draw {TILE_TYPES[outcome].name}"

    def describe(self, position: Position) -> str:
        """Draw the board, then list gems, tiles and winnings."""
        over = position.phase is Phase.OVER
        turn = "over" if over else f"{position.phase.word}, seat {position.seat}"
        gems = position.gems
        return "\n".join(
            [
                f"indigo: {turn}",
                *_board_lines(position.tiles),
                f"centre: {gems.emeralds} emerald, {gems.sapphires} sapphire",
                f"gems: {_standing_text(gems)}",
                f"pile: {' '.join(map(str, position.pile))}",
                *(
                    f"hand {seat}: {' '.join(map(str, hand)) or '-'}"
                    for seat, hand in enumerate(position.hands)
                ),
                *(f"won {seat}: {_won_text(won)}" for seat, won in enumerate(gems.won)),
            ]
        )

    def _gems_text(self, gems: Gems) -> str:
        won = "; ".join(f"seat {seat}: {_won_text(won)}" for seat, won in enumerate(gems.won))
        return (
            f"standing {_standing_text(gems)}, centre {gems.emeralds} emerald and "
            f"{gems.sapphires} sapphire, won {won}"
        )


def _cell_and_matching(action: int) -> tuple[Cell, int]:
    rank, matching = divmod(action, len(MATCHINGS))
    return FREE_CELLS[rank], matching


def _points(gems: Sequence[int]) -> int:
    return sum(Gem(kind).points * number for kind, number in enumerate(gems))


def _counts(tile_types: Sequence[int]) -> list[int]:
    """Count tiles by type."""
    return [list(tile_types).count(tile_type) for tile_type in range(len(TILE_TYPES))]


def _board_lines(tiles: Tiles) -> list[str]:
    """Draw the nine rows: letters for tiles, dots for empty cells, treasure tiles as @ and *."""
    lines = []
    for r in range(-4, 5):
        row = [_cell_sign(tiles, cell) for cell in CELLS if cell.r == r]
        lines.append(" " * abs(r) + " ".join(row))
    return lines


def _cell_sign(tiles: Tiles, cell: Cell) -> str:
    if cell == CENTRE:
        return "@"
    if cell in CORNERS:
        return "*"
    return chr(ord("a") + tiles[cell]) if cell in tiles else "."


def _standing_text(gems: Gems) -> str:
    texts = [
        f"{gem.word} {spot.cell} {spot.edge.name}" for spot, gem in in_order_of_spots(gems.standing)
    ]
    return ", ".join(texts) or "none"


def _won_text(gems: Sequence[int]) -> str:
    counts = ", ".join(f"{n} {word}" for n, word in zip(gems, GEM_WORDS, strict=True))
    return f"{counts} = {_points(gems)} points"


RULES = Indigo
