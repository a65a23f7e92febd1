"""A game, and a batch of it."""

from __future__ import annotations

import pytest

import tabletop_core as tc
from tests.batch.lanes import FEW, SEED, load
from tests.configurations import Configuration


@pytest.fixture
def game(seating: Configuration) -> tc.Game:
    """One game with one number of players."""
    return load(seating)


@pytest.fixture
def batch(game: tc.Game) -> tc.Batch:
    """Some lanes a few steps into the game."""
    lanes = tc.Batch(game, FEW, seed=SEED)
    for _ in range(3):
        lanes.step(lanes.sample_legal_actions())
    return lanes
