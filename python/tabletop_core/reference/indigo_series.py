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
    GEMS_ON_BOARD,
    SAPPHIRES_IN_CENTRE,
    Gem,
)
from ._match import POINTS, Kind, Match, Tally, part_options
from .indigo import Indigo, Position

MOST_GAMES = 1000

POINTS_ON_BOARD = (
    len(CORNERS) * Gem.AMBER.points
    + EMERALDS_IN_CENTRE * Gem.EMERALD.points
    + SAPPHIRES_IN_CENTRE * Gem.SAPPHIRE.points
)
"""What a seat would have that got all gems of a game."""


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
        self._arrange({indigo.name: indigo}, [indigo.name] * games)

    def check_totals(self, totals: Sequence[Sequence[int]], finished: Sequence[Kind]) -> None:
        """No seat gets more than lies on the board, and every gem is worth 1 to 3 points."""
        values = [gem.points for gem in Gem]
        for seat, (points, gems) in enumerate(zip(*totals, strict=True)):
            fewest = gems * min(values)
            most = min(gems * max(values), len(finished) * POINTS_ON_BOARD)
            if not (0 <= gems <= len(finished) * GEMS_ON_BOARD and fewest <= points <= most):
                message = (
                    f"before the current game, which is number {len(finished) + 1}, "
                    f"total_gems[{seat}] must be at most {GEMS_ON_BOARD} and totals[{seat}] at most "
                    f"{POINTS_ON_BOARD} for each finished game, with {min(values)}..{max(values)} "
                    f"points for each gem, not {gems} gems and {points} points"
                )
                raise PositionError(message)

    def totals_text(self, totals: Sequence[Sequence[int]]) -> str:
        """List the points of each seat, then the gems."""
        points, gems = (" ".join(map(str, numbers)) for numbers in totals)
        return f"{points} points, {gems} gems"


RULES = IndigoSeries
