"""Fixtures that multiply a test over both engines and over every game.

`engine` alone runs a test on both engines; `game` adds every configuration of every game, `seated_game` every game with every
number of players.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from tests.configurations import Configuration, configurations, seatings
from tests.engines import ENGINES

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game


def pytest_collection_finish() -> None:
    """Take what the collected tests consist of out of every later garbage collection, of which some tests ask for many."""
    gc.collect()
    gc.freeze()


@pytest.fixture(params=list(ENGINES.values()), ids=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> ModuleType:
    """One of the two engines: `tabletop_core` or `tabletop_core.reference`."""
    module: ModuleType = request.param
    return module


@pytest.fixture(params=configurations(), ids=str)
def configuration(request: pytest.FixtureRequest) -> Configuration:
    """One configuration of one game, among all that the option specs give."""
    chosen: Configuration = request.param
    return chosen


@pytest.fixture(params=seatings(), ids=str)
def seating(request: pytest.FixtureRequest) -> Configuration:
    """One game with one number of players, all other options at their defaults."""
    chosen: Configuration = request.param
    return chosen


@pytest.fixture
def game(engine: ModuleType, configuration: Configuration) -> Game:
    """One configuration, loaded in one engine."""
    return configuration.load(engine)


@pytest.fixture
def seated_game(engine: ModuleType, seating: Configuration) -> Game:
    """One game with one number of players, loaded in one engine."""
    return seating.load(engine)
