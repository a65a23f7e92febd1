"""The board and the gems of Indigo as dicts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._base import PositionError, show, take_dict, take_int, take_list, take_name
from ._indigo_board import (
    CELL_ID,
    EMERALDS_IN_CENTRE,
    FREE_RANK,
    GEMS_ON_BOARD,
    MATCHING_INDEX,
    MATCHINGS,
    SAPPHIRES_IN_CENTRE,
    Cell,
    Edge,
    Gem,
    Spot,
)
from ._indigo_gems import Gems, Tiles

GEM_WORDS = [gem.word for gem in Gem]


def in_order_of_spots(standing: Mapping[Spot, Gem]) -> list[tuple[Spot, Gem]]:
    """List the standing gems row by row, those of a cell clockwise from its north-east edge."""
    return sorted(standing.items(), key=lambda item: (CELL_ID[item[0].cell], item[0].edge))


def to_dict_of_board(tiles: Tiles, gems: Gems) -> dict[str, Any]:
    """Write the tiles and gems on the board."""
    return {
        "tiles": [
            {"cell": list(cell), "routes": [list(route) for route in MATCHINGS[matching]]}
            for cell, matching in sorted(tiles.items(), key=lambda item: CELL_ID[item[0]])
        ],
        "gems": [
            {"cell": list(spot.cell), "edge": int(spot.edge), "gem": gem.word}
            for spot, gem in in_order_of_spots(gems.standing)
        ],
        "centre": {"emerald": gems.emeralds, "sapphire": gems.sapphires},
    }


def to_dicts_of_won(gems: Gems) -> list[dict[str, int]]:
    """Write the gems of each seat."""
    return [dict(zip(GEM_WORDS, won, strict=True)) for won in gems.won]


def take_tiles(value: object) -> Tiles:
    """Read the tiles on the board."""
    tiles: Tiles = {}
    for i, entry in enumerate(take_list(value, "tiles")):
        tile = take_dict(entry, ("cell", "routes"), f"tiles[{i}]")
        cell = _take_cell(tile["cell"], f"the cell of tiles[{i}]")
        if cell not in FREE_RANK:
            message = f"tiles[{i}] must lie on a free cell, but {cell} has a treasure tile"
            raise PositionError(message)
        if cell in tiles:
            message = f"tiles[{i}] must lie on a free cell, but {cell} has a tile already"
            raise PositionError(message)
        tiles[cell] = _take_matching(tile["routes"], f"the routes of tiles[{i}]")
    return tiles


def take_gems(entries: Mapping[str, Any], players: int) -> Gems:
    """Read the gems on the board, in the centre and won from a position's dict."""
    centre = take_dict(entries["centre"], ("emerald", "sapphire"), "centre")
    won = take_list(entries["won"], "won", players)
    return Gems(
        standing=_take_standing(entries["gems"]),
        emeralds=take_int(centre["emerald"], 0, EMERALDS_IN_CENTRE, "centre emerald"),
        sapphires=take_int(centre["sapphire"], 0, SAPPHIRES_IN_CENTRE, "centre sapphire"),
        won=[_take_won(gems, f"won[{seat}]") for seat, gems in enumerate(won)],
    )


def _take_cell(value: object, where: str) -> Cell:
    q, r = take_list(value, where, 2)
    cell = Cell(take_int(q, -4, 4, f"q of {where}"), take_int(r, -4, 4, f"r of {where}"))
    if cell not in CELL_ID:
        message = f"{where} must be a cell of the board, not {cell}"
        raise PositionError(message)
    return cell


def _take_matching(value: object, where: str) -> int:
    routes = [
        tuple(
            sorted(
                take_int(edge, 0, 5, f"an edge in {where}")
                for edge in take_list(route, f"a route in {where}", 2)
            )
        )
        for route in take_list(value, where, 3)
    ]
    matching = MATCHING_INDEX.get(tuple(sorted(routes)))
    if matching is None:
        message = f"{where} must join all six edges in pairs, not {show(value)}"
        raise PositionError(message)
    return matching


def _take_standing(value: object) -> dict[Spot, Gem]:
    standing: dict[Spot, Gem] = {}
    for i, entry in enumerate(take_list(value, "gems")):
        gem = take_dict(entry, ("cell", "edge", "gem"), f"gems[{i}]")
        cell = _take_cell(gem["cell"], f"the cell of gems[{i}]")
        edge = Edge(take_int(gem["edge"], 0, 5, f"the edge of gems[{i}]"))
        if Spot(cell, edge) in standing:
            message = f"gems[{i}] must stand alone, but there is another gem at {cell} {edge.name}"
            raise PositionError(message)
        standing[Spot(cell, edge)] = Gem(take_name(gem["gem"], GEM_WORDS, f"the gem of gems[{i}]"))
    return standing


def _take_won(value: object, where: str) -> list[int]:
    gems = take_dict(value, GEM_WORDS, where)
    return [take_int(gems[word], 0, GEMS_ON_BOARD, f"{word} of {where}") for word in GEM_WORDS]
