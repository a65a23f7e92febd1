"""The guard: no game may have become much slower than in the stored run of the board.

Times are divided by that of the calibration loop in the same run, so that the speed of the machine cancels out.
"""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from benchmarks.board import RESULTS
from benchmarks.measure import CALIBRATION, Row, measure
from benchmarks.ours import native_runs

if TYPE_CHECKING:
    from pathlib import Path

TOLERANCE = 1.6
"""How many times as dear a figure may be: caches, clock rates and neighbours do not cancel out."""


@pytest.fixture(scope="module")
def stored(pytestconfig: pytest.Config) -> dict[str, Any]:
    """Give the run to compare with: that of `--against`, else the last one stored."""
    against: Path | None = pytestconfig.getoption("--against")
    path = against or max(RESULTS.glob("[0-9]*.json"), default=None)
    if path is None:
        pytest.fail("no run is stored: `python -m benchmarks.board --store` stores one")
    board: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    then, now = board["versions"]["python"], platform.python_version()
    if then.split(".")[:2] != now.split(".")[:2]:
        # No ratio means anything then, right or wrong.
        pytest.skip(f"{path.name} is of Python {then}, whose calibration loop has another speed")
    return board


@pytest.mark.parametrize("game", tc.registered_games())
def test_game_is_about_as_fast_as_stored(game: str, stored: dict[str, Any]) -> None:
    rows = (row for row in stored["rows"] if (row["engine"], row["game"]) == ("native", game))
    before = next(rows, None)
    if before is None:
        pytest.fail("the stored run does not have this game: store a new one")
    calibration, times = measure(
        [CALIBRATION, Row("native", game, native_runs(game))], rounds=5, seconds=0.02
    )
    scale = stored["calibration"] / calibration["loop"]
    ratios = {column: time * scale / before["figures"][column] for column, time in times.items()}
    assert max(ratios.values()) < TOLERANCE, {name: f"{ratios[name]:.2f}" for name in ratios}
