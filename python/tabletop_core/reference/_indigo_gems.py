"""How the gems of Indigo move, and where they must be on a given board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ._indigo_board import (
    ARROWS,
    BENDS,
    CENTRE_SPOTS,
    EMERALDS_IN_CENTRE,
    EXITS,
    FREE_RANK,
    OTHER_END,
    SAPPHIRES_IN_CENTRE,
    SOURCES,
    SPOTS,
    Cell,
    Gem,
    Spot,
    across,
)

Tiles = dict[Cell, int]
"""The matching on each cell that has a route tile."""


@dataclass
class Gems:
    """Where the gems are: standing on tiles, waiting in the centre, won by the seats.

    Gems that met are nowhere; the reserve cannot run out and is not counted.
    """

    standing: dict[Spot, Gem]
    emeralds: int
    sapphires: int
    won: list[list[int]]
    """For each seat the number of ambers, emeralds and sapphires."""

    def any_left(self) -> bool:
        """Say whether a gem is still on the board."""
        return bool(self.standing) or self.emeralds + self.sapphires > 0

    def copy(self) -> Gems:
        """Give a copy that shares nothing."""
        won = [list(gems) for gems in self.won]
        return Gems(dict(self.standing), self.emeralds, self.sapphires, won)


def gems_at_start(players: int) -> Gems:
    """Put an amber on every arrow and the other gems in the centre."""
    return Gems(
        standing=dict.fromkeys(ARROWS, Gem.AMBER),
        emeralds=EMERALDS_IN_CENTRE,
        sapphires=SAPPHIRES_IN_CENTRE,
        won=[[0, 0, 0] for _ in range(players)],
    )


def move_gems(gems: Gems, tiles: Tiles, owners: Sequence[Sequence[int]], cell: Cell) -> None:
    """Move every gem that the tile just put on `cell` touches."""
    # First the centre's next gem steps to the edge that the tile has opened. If it came out only
    # at that edge's turn, a gem that walks into the centre before would not meet it.
    for entry in SPOTS[cell]:
        if across(entry) in CENTRE_SPOTS:
            gems.standing[across(entry)] = _take_from_centre(gems)
    # Then, edge by edge, whatever gem stands in front of the tile at that moment enters it.
    for entry in SPOTS[cell]:
        gem = gems.standing.pop(across(entry), None)
        if gem is not None:
            _walk(gems, tiles, owners, gem, entry)


def _take_from_centre(gems: Gems) -> Gem:
    """Emeralds leave the centre first, the sapphire last."""
    if gems.emeralds > 0:
        gems.emeralds -= 1
        return Gem.EMERALD
    gems.sapphires -= 1
    return Gem.SAPPHIRE


def _walk(gems: Gems, tiles: Tiles, owners: Sequence[Sequence[int]], gem: Gem, entry: Spot) -> None:
    """Lead a gem that enters a tile to the end of its track.

    It never turns back and never stops half-way.
    """
    while entry not in gems.standing:
        leave = _other_end_of_route(tiles, entry)
        if leave in EXITS:
            _win(gems, gem, owners[EXITS[leave]])
            return
        if _is_empty(tiles, across(leave).cell):
            gems.standing[leave] = gem
            return
        entry = across(leave)
    # Two gems that meet are both out of the game.
    del gems.standing[entry]


def _win(gems: Gems, gem: Gem, owners: Sequence[int]) -> None:
    """Every owner of the gateway gets a gem of that kind, the second one from the reserve."""
    for seat in owners:
        gems.won[seat][gem] += 1


def _other_end_of_route(tiles: Tiles, entry: Spot) -> Spot:
    """Follow the route over one tile. Sources have none: their gem is met before anyone asks."""
    cell, edge = entry
    if cell in tiles:
        return Spot(cell, OTHER_END[tiles[cell]][edge])
    return Spot(cell, BENDS[entry])


def _is_empty(tiles: Tiles, cell: Cell) -> bool:
    """Treasure tiles are never empty cells."""
    return cell in FREE_RANK and cell not in tiles


def implied_gems(tiles: Tiles, owners: Sequence[Sequence[int]], players: int) -> Iterator[Gems]:
    """Give all ways in which the gems can have ended up on a board.

    Routes never fork, so each source has one track, and the end of the track says what became of
    the gem, whatever the order in which the tiles were put down. Only when all six sides of the
    centre are open is there a choice: the side that was opened last had the sapphire.
    """
    opened = [spot for spot in CENTRE_SPOTS if across(spot).cell in tiles]
    released = dict.fromkeys(ARROWS, Gem.AMBER) | dict.fromkeys(opened, Gem.EMERALD)
    if len(opened) < len(CENTRE_SPOTS):
        yield _gems_from(released, tiles, owners, players)
        return
    for last in opened:
        yield _gems_from(released | {last: Gem.SAPPHIRE}, tiles, owners, players)


def _gems_from(
    released: dict[Spot, Gem], tiles: Tiles, owners: Sequence[Sequence[int]], players: int
) -> Gems:
    """Follow the track of every gem that has left the centre or stands on an arrow."""
    kinds = list(released.values())
    gems = Gems(
        standing={},
        emeralds=EMERALDS_IN_CENTRE - kinds.count(Gem.EMERALD),
        sapphires=SAPPHIRES_IN_CENTRE - kinds.count(Gem.SAPPHIRE),
        won=[[0, 0, 0] for _ in range(players)],
    )
    for source, gem in released.items():
        end = _end_of_track(tiles, source)
        if end in EXITS:
            _win(gems, gem, owners[EXITS[end]])
        elif end == source or end not in SOURCES:
            gems.standing[end] = gem
        # else it has met the gem of the source at the other end: both are lost
    return gems


def _end_of_track(tiles: Tiles, source: Spot) -> Spot:
    """Give the exit, the open end or the other source to which the track of a source leads."""
    end = source
    while not _is_empty(tiles, across(end).cell):
        entry = across(end)
        if entry in SOURCES:
            return entry
        end = _other_end_of_route(tiles, entry)
        if end in EXITS:
            return end
    return end
