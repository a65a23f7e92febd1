"""A series of Indigo: several games between the same seats, points added up.

How a series goes is in `_match`, and Indigo is a game of its own. Seats keep their gateways, and
seat 0 begins each game. As in a single game, most points win, and among equals most gems.

Ids of decisions and of chance outcomes are those of Indigo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._base import OptionSpec, PositionError, Rules, integer_option
from ._indigo_board import (
    CORNERS,
    EMERALDS_IN_CENTRE,
    SAPPHIRES_IN_CENTRE,
    Gem,
)
from ._match import POINTS, Kind, Match, Tally, part_options
from .indigo import Indigo, Position

MOST_GAMES = 1000

GEMS_OF_GAME = (
    [Gem.AMBER] * len(CORNERS)
    + [Gem.EMERALD] * EMERALDS_IN_CENTRE
    + [Gem.SAPPHIRE] * SAPPHIRES_IN_CENTRE
)
"""The gems of a game, the cheapest first."""


def count_gems(_rules: Rules[Any], game: Position) -> list[int]:
    """Count the gems that each seat has won in a game."""
    return [sum(gems) for gems in game.gems.won]


class IndigoSeries(Match):
    """The rules of a series of Indigo.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("indigo_series", players=3, games=2)
    >>> print(str(game.new_initial_state()).splitlines()[0])
    indigo_series: game 1 of 2, totals 0 0 0 points, 0 0 0 gems
    """

    name = "indigo_series"
    noun = "game"
    tallies = (POINTS, Tally("total_gems", "gems of each seat in finished games", count_gems))
    may_be_truncated = False
    option_specs = (
        *Indigo.option_specs,
        OptionSpec(
            "games", 3, f"1..{MOST_GAMES}", (1, 2, 3), "Number of games played one after another."
        ),
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Set up Indigo and count the games."""
        indigo = Indigo(part_options(Indigo, options))
        games = integer_option(options, "games", 1, MOST_GAMES)
        self.options = {**indigo.options, "games": games}
        self.owners = indigo.owners
        self._arrange({indigo.name: indigo}, [indigo.name] * games)

    def check_totals(self, totals: Sequence[Sequence[int]], finished: Sequence[Kind]) -> None:
        """No seat has more gems of a kind than these games had, nor have all seats more than the owners of gateways can get."""
        games = len(finished)
        for seat, (points, gems) in enumerate(zip(*totals, strict=True)):
            _check_worth(f"totals[{seat}] and total_gems[{seat}]", gems, points, games)
        points, gems = map(sum, totals)
        most_owners = max(map(len, self.owners))
        _check_worth(f"the totals, with {most_owners} owners", gems, points, games * most_owners)

    def totals_text(self, totals: Sequence[Sequence[int]]) -> str:
        """List the points of each seat, then the gems."""
        points, gems = (" ".join(map(str, numbers)) for numbers in totals)
        return f"{points} points, {gems} gems"


def _check_worth(whose: str, gems: int, points: int, boards: int) -> None:
    """Raise a `PositionError` unless so many of the gems of so many boards can be worth so much."""
    values = sorted(gem.points for gem in GEMS_OF_GAME * boards)
    if 0 <= gems <= len(values):
        fewest, most = sum(values[:gems]), sum(values[len(values) - gems :])
        if fewest <= points <= most:
            return
    message = (
        f"{whose} must be what gems of the finished games are worth, {len(CORNERS)} of 1 point in "
        f"each game, {EMERALDS_IN_CENTRE} of 2 and {SAPPHIRES_IN_CENTRE} of 3, not {gems} gems and "
        f"{points} points"
    )
    raise PositionError(message)


RULES = IndigoSeries
