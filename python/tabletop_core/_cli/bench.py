"""`bench`: a small speed table that checks what it measures."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np
from rich.table import Table

from .. import registered_games
from ..errors import TabletopError
from ..types import Playouts
from .common import CONSOLE, ERRORS, Engine, load, playouts_of


def bench(seconds: float) -> None:
    """Measure each game with default options on both engines, one thread."""
    table = Table(pad_edge=False)
    table.add_column("game", no_wrap=True)
    for heading in ("native games/s", "ns/decision", "reference games/s", "ns/decision", "ratio"):
        table.add_column(heading, justify="right")
    for name in registered_games():
        ERRORS.print(f"measuring {name} ...", highlight=False)
        native, reference = (_measure(engine, name, seconds) for engine in Engine)
        _compare(name, native.result, reference.result)
        ratio = reference.seconds_per_decision / native.seconds_per_decision
        table.add_row(name, *native.cells(), *reference.cells(), f"{ratio:,.0f}")
    CONSOLE.print(table)
    CONSOLE.print(
        "uniformly random games with default options, chance included, one thread; "
        "the ratio is that of the times per decision"
    )


class _Measurement(NamedTuple):
    """Random games and the seconds that they took."""

    result: Playouts
    seconds: float

    @property
    def seconds_per_decision(self) -> float:
        return self.seconds / int(self.result.lengths.sum())

    def cells(self) -> tuple[str, str]:
        games_per_second = len(self.result.lengths) / self.seconds
        return f"{games_per_second:,.0f}", f"{self.seconds_per_decision * 1e9:,.0f}"


def _measure(engine: Engine, name: str, seconds: float) -> _Measurement:
    """Play more and more games at once, until they take about the time wanted."""
    game, playouts = load(engine, name, None, None), playouts_of(engine)
    games = 1
    while True:
        start = time.perf_counter()
        result = playouts(game, games, seed=1)
        taken = time.perf_counter() - start
        if taken >= seconds / 2:
            return _Measurement(result, taken)
        games = math.ceil(games * min(max(2.0, seconds / taken), 100.0))


def _compare(name: str, native: Playouts, reference: Playouts) -> None:
    """Insist that both engines played the very same games, as far as both went."""
    games = min(len(native.lengths), len(reference.lengths))
    if not np.array_equal(native.final_hashes[:games], reference.final_hashes[:games]):
        message = f"the two engines ended the same games of {name} in different positions"
        raise TabletopError(message)
