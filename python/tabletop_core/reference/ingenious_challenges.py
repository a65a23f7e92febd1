"""Ingenious Challenges: a match over any sequence of Card, Dice and Tile Challenges.

How a match goes is in `_match`, and the challenges are games of their own. After each of them every
seat gets as many victory points as its lowest row is worth, the winner too; most victory points
win. Each challenge begins anew, with seat 0 and with all that is counted at zero.

Ids of decisions and of chance outcomes are those of the Card Challenge, then those of the Dice
Challenge, then those of the Tile Challenge, whichever are played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ._arguments import plain_text
from ._base import OptionError, OptionSpec, require, show
from ._match import POINTS, Kind, Match, part_options
from ._score_board_forms import MAX_TURNS, NO_PROGRESS_LIMIT, PLAYERS, numbers_text
from .card_challenge import CardChallenge
from .dice_challenge import DiceChallenge
from .tile_challenge import TileChallenge

Challenge = CardChallenge | DiceChallenge | TileChallenge

CHALLENGES: dict[str, type[Challenge]] = {
    "card": CardChallenge,
    "dice": DiceChallenge,
    "tile": TileChallenge,
}
"""By the names that the option `challenges` has for them."""

MOST_CHALLENGES = 16

_SPECS = {spec.name: spec for rules in CHALLENGES.values() for spec in rules.option_specs}


class IngeniousChallenges(Match):
    """The rules of a match of Ingenious Challenges.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("ingenious_challenges", challenges=["tile", "card", "tile"])
    >>> game.options["challenges"], game.num_distinct_actions()
    (('tile', 'card', 'tile'), 156)
    >>> game.action_to_string(31), game.action_to_string(32), game.action_to_string(148)
    ('card: dump hand', 'dice: stop', 'tile: draw')
    """

    name = "ingenious_challenges"
    noun = "challenge"
    tallies = (replace(POINTS, meaning="victory points of each seat in finished challenges"),)
    may_be_truncated = True
    option_specs = (
        PLAYERS,
        OptionSpec(
            "challenges",
            tuple(CHALLENGES),
            f"a sequence of 1..{MOST_CHALLENGES} names out of {', '.join(CHALLENGES)}",
            (("tile",), ("dice", "card"), ("card", "card")),
            "The challenges of the match, in the order in which they are played.",
        ),
        _SPECS["two_player_row"],
        _SPECS["gate_test"],
        _SPECS["dump_tie_rule"],
        _SPECS["free_scoring_tie"],
        _SPECS["free_scoring_take"],
        replace(MAX_TURNS, samples=(1, 10, 1000)),
        NO_PROGRESS_LIMIT,
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Choose the challenges; each takes those of the options that it has."""
        kinds = {name: rules(part_options(rules, options)) for name, rules in CHALLENGES.items()}
        challenges = challenges_option(options)
        resolved = {"challenges": challenges}
        for challenge in kinds.values():
            resolved.update(challenge.options)
        self.options = {spec.name: resolved[spec.name] for spec in self.option_specs}
        self.last_holes = {name: rules.board.last_hole for name, rules in kinds.items()}
        self._arrange(kinds, challenges)

    def check_totals(self, totals: Sequence[Sequence[int]], finished: Sequence[Kind]) -> None:
        """A row is worth no more than its last hole."""
        most = sum(self.last_holes[kind.name] for kind in finished)
        (points,) = totals
        for seat, number in enumerate(points):
            require(
                0 <= number <= most,
                f"totals[{seat}] must be in 0..{most} before the current challenge, which is "
                f"number {len(finished) + 1}, not {number}",
            )

    def totals_text(self, totals: Sequence[Sequence[int]]) -> str:
        """List the victory points of each seat."""
        (points,) = totals
        return numbers_text(points)


def challenges_option(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the list of challenges."""
    value = options["challenges"]
    given = list(value) if isinstance(value, list | tuple) else []
    if not 1 <= len(given) <= MOST_CHALLENGES:
        message = (
            f"option challenges must be a list or tuple of 1..{MOST_CHALLENGES} names, "
            f"not {show(value)}"
        )
        raise OptionError(message)
    challenges = []
    for place, entry in enumerate(given):
        name = plain_text(entry)
        if name is None or name not in CHALLENGES:
            message = (
                f"option challenges must name {', '.join(map(repr, CHALLENGES))} only, "
                f"not {show(entry)} at place {place}"
            )
            raise OptionError(message)
        challenges.append(name)
    return tuple(challenges)


RULES = IngeniousChallenges
