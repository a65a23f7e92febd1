"""What is measured: both engines, every game, on positions that are the same in both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabletop_core as tc
from tests.configurations import Configuration, seatings
from tests.engines import ENGINES
from tests.walks import after

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pytest_benchmark.fixture import BenchmarkFixture

    from tabletop_core.protocol import Game, State

NODES_BEFORE = 50
"""How far into a game the position is that single calls are measured on."""

SEED = 4


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the guard compare with another run of the board than the last one stored."""
    parser.addoption("--against", type=Path, metavar="FILE", help="a stored run of the board")


@pytest.fixture(params=list(ENGINES.values()), ids=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> ModuleType:
    """One of the two engines."""
    module: ModuleType = request.param
    return module


@pytest.fixture(params=seatings(), ids=str)
def seating(request: pytest.FixtureRequest) -> Configuration:
    """One game with one number of players."""
    chosen: Configuration = request.param
    return chosen


@pytest.fixture(params=tc.registered_games())
def smallest(request: pytest.FixtureRequest) -> Configuration:
    """One game with its smallest number of players."""
    return next(seating for seating in seatings() if seating.game == request.param)


@pytest.fixture
def twin(smallest: Configuration) -> State:
    """The position for single calls, of the native engine: what an answer has to agree with."""
    for nodes in range(NODES_BEFORE, 2 * NODES_BEFORE):
        state = after(smallest.load(tc), nodes, SEED)
        if state.is_player_node():
            return state
    message = f"{smallest} has no decision near node {NODES_BEFORE}"
    raise AssertionError(message)


@pytest.fixture
def game(engine: ModuleType, smallest: Configuration) -> Game:
    """The game for single calls, in the engine that is measured."""
    return smallest.load(engine)


@pytest.fixture
def state(game: Game, twin: State) -> State:
    """The same position in the engine that is measured."""
    return game.state_from_bytes(twin.to_bytes())


SPEEDS = pytest.StashKey[dict[tuple[str, str], int]]()
"""Moves per second by (what was measured, engine), for the summary."""


@pytest.fixture
def note_moves(
    request: pytest.FixtureRequest, benchmark: BenchmarkFixture, engine: ModuleType
) -> Callable[[str, int], None]:
    """Turn the time of a measurement into moves per second, for the summary and the stored results."""

    def note(what: str, moves: int) -> None:
        if benchmark.stats is not None:  # there are no times when benchmarks are disabled
            speed = round(moves / benchmark.stats.stats.min)
            benchmark.extra_info["moves_per_second"] = speed
            name = next(name for name, module in ENGINES.items() if module is engine)
            request.config.stash.setdefault(SPEEDS, {})[what, name] = speed

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many moves per second both engines make, and how many times faster the native one is."""
    speeds = terminalreporter.config.stash.get(SPEEDS, {})
    if not speeds:
        return
    terminalreporter.section("moves per second, best round")
    terminalreporter.write_line(f"{'':<60}{'native':>14}{'reference':>14}{'ratio':>9}")
    for what in dict.fromkeys(what for what, _ in speeds):
        native, reference = (speeds.get((what, name)) for name in ENGINES)
        columns = "".join(
            f"{'-' if speed is None else f'{speed:,}':>14}" for speed in (native, reference)
        )
        ratio = f"{native / reference:,.1f}" if native and reference else "-"
        terminalreporter.write_line(f"{what:<60}{columns}{ratio:>9}")
