"""Sequence Numbers: whole random games, held to figures that another implementation of these rules gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from tests.engines import effort
from tests.rules.sequence_numbers_board import SEATINGS, load, random_step

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game


class Figures(NamedTuple):
    """Means over uniformly random games."""

    decisions: float
    real_decisions: float  # with two or more legal actions
    turns: float
    chances: float  # the deal included
    reshuffled: float  # share of games
    truncated: float  # share of games
    wins: float  # share of games won by seat 0 or its team


EXPECTED = (
    Figures(60.6, 60.6, 60.2, 69.6, 0.008, 0.0, 0.5165),
    Figures(324.9, 207.3, 202.2, 224.3, 0.46, 0.003, 0.3355),
    Figures(81.4, 79.6, 78.6, 94.7, 0.25, 0.0, 0.5245),
    Figures(82.7, 80.6, 79.2, 103.8, 0.54, 0.0, 0.5198),
    Figures(1865, 1010, 980, 1055, 0.98, 0.074, 0.307),
)
# Standard deviations of one game; a few very long games make some of them large.
SPREAD = (
    Figures(20, 16, 16, 16, 0.09, 0.02, 0.5),
    Figures(770, 400, 390, 410, 0.5, 0.055, 0.475),
    Figures(65, 36, 35, 37, 0.44, 0.02, 0.5),
    Figures(66, 36, 35, 37, 0.5, 0.02, 0.5),
    Figures(1830, 945, 920, 960, 0.145, 0.26, 0.465),
)
# Two standard errors of the expected figures themselves.
SLACK = (
    Figures(0.3, 0.3, 0.3, 0.3, 0.002, 0.0, 0.007),
    Figures(20, 10, 10, 10, 0.013, 0.002, 0.012),
    Figures(1.3, 0.8, 0.8, 0.8, 0.009, 0.0, 0.01),
    Figures(1.3, 0.8, 0.8, 0.8, 0.01, 0.0, 0.01),
    Figures(95, 48, 48, 50, 0.008, 0.014, 0.024),
)
GAMES = ((3000, 12), (800, 4), (2000, 8), (2000, 8), (150, 1))


def play(game: Game, rng: object) -> Figures:
    """Play one random game and count."""
    state = game.new_initial_state()
    decisions = real = chances = 0
    before = 0  # cards in the deck at the chance node before
    reshuffled = False
    (field,) = [field for field in game.observation_fields if field.name == "deck_size"]
    while not state.is_terminal():
        if state.is_chance_node():
            chances += 1
        else:
            decisions += 1
            real += len(state.legal_actions()) > 1
        random_step(state, rng)
        if state.is_chance_node():
            deck = int(state.observation_tensor(0)[field.start])
            reshuffled |= deck > before > 0
            before = deck
    shown = state.to_dict()
    # A win ends the game inside its turn, which then counts as well.
    turns = shown["turn"] + bool(shown["winners"])
    return Figures(
        decisions, real, turns, chances, reshuffled, state.is_truncated(), 0 in state.winners()
    )


@pytest.mark.rule("SN-17", "SN-56", "SN-61", "SN-64")
@pytest.mark.parametrize("seating", range(5), ids=[str(seating) for seating in SEATINGS])
def test_random_games(engine: ModuleType, seating: int) -> None:
    """Every mean lies within 5 standard errors of the expected one, and what that may be off."""
    game = load(engine, **SEATINGS[seating])
    native, reference = GAMES[seating]
    count = effort(engine, native=native, reference=reference)
    rng = engine.Rng(20)
    means = np.mean([play(game, rng.split(number)) for number in range(count)], axis=0)
    rows = zip(
        Figures._fields, means, EXPECTED[seating], SPREAD[seating], SLACK[seating], strict=True
    )
    for name, mean, expected, spread, slack in rows:
        assert abs(mean - expected) <= 5 * spread / count**0.5 + slack, name


@pytest.mark.rule("SN-4", "SN-52")
@pytest.mark.parametrize("seating", range(5), ids=[str(seating) for seating in SEATINGS])
def test_playouts_agree_with_the_figures(engine: ModuleType, seating: int) -> None:
    game = load(engine, **SEATINGS[seating])
    native, reference = GAMES[seating]
    count = effort(engine, native=4 * native, reference=reference)
    found = engine.playouts(game, count, seed=21)
    error = 5 / count**0.5
    assert abs(found.lengths.mean() - EXPECTED[seating].decisions) <= (
        error * SPREAD[seating].decisions + SLACK[seating].decisions
    )
    assert abs((found.returns[:, 0] > 0).mean() - EXPECTED[seating].wins) <= (
        error * SPREAD[seating].wins + SLACK[seating].wins
    )
    assert np.allclose(found.returns.sum(axis=1), 0)
    target = game.options["sequences_to_win"]
    assert np.array_equal((found.scores >= target).any(axis=1), (found.returns != 0).any(axis=1))
