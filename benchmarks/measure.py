"""How figures are measured: rows of cells, each a piece of work that can be repeated, taken in turn.

All times are CPU seconds of this process, so other work on the machine and the number of cores leave them alone.
"""

from __future__ import annotations

import gc
import statistics
import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WARM_UP = 0.02
"""CPU seconds that a piece of work takes at least before its size is chosen by its speed."""


class Spent(NamedTuple):
    """What a piece of work did, and the seconds it took."""

    units: float
    seconds: float


Work: TypeAlias = Callable[[int], Spent]
"""Does so many repetitions of something."""


@dataclass(frozen=True)
class Row:
    """A game in an engine: the work whose time per unit is measured, by column, and what is known beforehand."""

    engine: str
    game: str
    cells: Mapping[str, Work]
    facts: Mapping[str, float] = field(default_factory=dict)


def timed(work: Callable[[int], float]) -> Work:
    """Take the time of a function that does so many repetitions and gives the number of units done."""

    def run(repetitions: int) -> Spent:
        start = time.process_time()
        units = work(repetitions)
        return Spent(units, time.process_time() - start)

    return run


def timed_statement(statement: str, **names: object) -> Work:
    """Take the time of a statement that uses these names; a repetition is a unit."""
    timer = timeit.Timer(statement, timer=time.process_time, globals=names)
    return lambda repetitions: Spent(repetitions, timer.timeit(repetitions))


def measure(rows: Sequence[Row], rounds: int, seconds: float) -> Iterator[dict[str, float]]:
    """Give the median seconds per unit of every cell, row by row.

    Each cell gets about so many CPU seconds in each round. A round takes every cell once, so that what slows the machine for a
    while meets all rows alike.
    """
    # What exists by now, modules of peers above all, is not to be searched for garbage again and again.
    gc.collect()
    gc.freeze()
    cells = [(row, column, work) for row in rows for column, work in row.cells.items()]
    sizes = [_size(work, seconds) for _, _, work in cells]
    times: list[list[float]] = [[] for _ in cells]
    for _ in range(rounds):
        for (_, _, work), size, found in zip(cells, sizes, times, strict=True):
            spent = work(size)
            found.append(spent.seconds / spent.units)
    gc.unfreeze()
    medians = iter([statistics.median(found) for found in times])
    for row in rows:
        yield {column: next(medians) for column in row.cells}


def _size(work: Work, seconds: float) -> int:
    """Find how many repetitions take about so many seconds."""
    repetitions = 1
    while (spent := work(repetitions)).seconds < min(WARM_UP, seconds):
        repetitions *= 4
    return max(1, round(repetitions * seconds / spent.seconds))


def calibration(repetitions: int) -> float:
    """Do what never changes, in plain Python: what it takes says how fast machine and interpreter are."""
    for _ in range(repetitions):
        number, seen = 1, {0}
        for _ in range(1_000):
            number = (number * 6_364_136_223_846_793_005 + 1) & 0xFFFF_FFFF
            seen.add(number % 64)
    return repetitions


CALIBRATION = Row("calibration", "", {"loop": timed(calibration)})
