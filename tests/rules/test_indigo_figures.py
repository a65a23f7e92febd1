"""Indigo: averages over random games, with fixed seeds, on both engines.

The expected figures come from 3,000 games of an independent simulation. Tolerances are given in
standard errors of the mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.engines import effort
from tests.rules.indigo_board import AMBER_EDGES, CORNERS, SETTINGS, load
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType

STANDARD_ERRORS = 4.5

# Points of a seat, their standard deviation, points of the winner, share of games with several
# winners.
FIGURES = {
    (2, "shared"): (6.6, 2.7, 8.3, 0.06),
    (3, "shared"): (6.6, 2.7, 8.8, 0.065),
    (3, "exclusive"): (4.4, 2.3, 6.6, 0.07),
    (4, "shared"): (6.6, 2.7, 9.2, 0.085),
}

# Where no gateway has two owners.
ALONE = [
    options
    for options in SETTINGS
    if options["players"] == 2 or options["ownership"] == "exclusive"
]


def within(found: float, expected: float, deviation: float, number: int, rounding: float) -> bool:
    """Tell whether a mean of so many values fits, rounding of the expected figure and its own
    error included.
    """
    error = deviation * (1 / number + 1 / 3000) ** 0.5
    return bool(abs(found - expected) <= STANDARD_ERRORS * error + rounding)


@pytest.mark.rule("IN-11", "IN-12", "IN-42", "IN-66")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_random_games_have_the_known_lengths_and_scores(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    games = effort(engine, native=3000, reference=40)
    result = engine.playouts(load(engine, **options), games, seed=5)
    mean, deviation, best, ties = FIGURES[options["players"], options["ownership"]]
    assert within(result.lengths.mean(), 53.7, 0.75, games, 0.05)
    assert within((result.lengths == 54).mean(), 0.77, 0.42, games, 0.005)
    assert result.lengths.max() == 54
    assert np.quantile(result.lengths, 0.01) >= 42
    # Scores of one game depend on one another, so the number of games counts, not that of seats.
    assert within(result.scores.mean(), mean, deviation, games, 0.05)
    assert abs(result.scores.std() - deviation) < 0.1 + 8 / games**0.5
    assert within(result.scores.max(axis=1).mean(), best, deviation, games, 0.05)
    assert result.scores.min() >= 0
    assert result.scores.sum(axis=1).max() <= (19 if options in ALONE else 38)
    assert result.scores.max() <= 19
    shared = (result.returns == result.returns.max(axis=1, keepdims=True)).sum(axis=1) > 1
    assert within(shared.mean(), ties, (ties * (1 - ties)) ** 0.5, games, 0.005)


@pytest.mark.rule("IN-23", "IN-32", "IN-42", "IN-43", "IN-66")
def test_random_games_have_the_known_choices_losses_and_chance_nodes(engine: ModuleType) -> None:
    games = effort(engine, native=120, reference=12)
    chances, choices, lost, rests = [], [], [], []
    for seed in range(games):
        numbers, chance_nodes, resting = [], 0, set[int]()
        final = None
        for state in walk(load(engine), 7000 + seed):
            chance_nodes += state.is_chance_node()
            if state.current_player() >= 0:
                numbers.append(len(state.legal_actions()))
            shown = state.to_dict()
            resting |= {corner for corner in range(6) if rests_on(shown, corner)}
            final = shown
        assert final is not None
        lost.append(12 - sum(sum(won.values()) for won in final["won"]))
        chances.append(chance_nodes)
        choices.append(float(np.mean(numbers)))
        rests.append(len(resting))
    assert within(float(np.mean(chances)), 53.9, 0.75, games, 0.1)
    assert within(float(np.mean(choices)), 89, 6, games, 1)
    assert within(float(np.mean(lost)), 3.26, 2, games, 0.01)
    assert within(float(np.mean(rests)), 0.34, 0.6, games, 0.03)


def rests_on(shown: dict[str, Any], corner: int) -> bool:
    """Tell whether a gem stands at the U-turn of a corner."""
    return any(
        tuple(gem["cell"]) == CORNERS[corner] and gem["edge"] != AMBER_EDGES[corner]
        for gem in shown["gems"]
    )
