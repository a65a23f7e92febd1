"""`simulate`: uniformly random games, and what they say about a game."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from .. import Rng
from ..protocol import Game
from ..types import Playouts
from .common import CONSOLE, ERRORS, Engine, bar, described, playouts_of

_MOST_AT_ONCE = 65_536
_MOST_BARS = 20
_LONGEST_BAR = 40


class Tally:
    """Adds up the results of games without keeping the games."""

    def __init__(self, players: int) -> None:
        """Begin with no game."""
        self.players = players
        self.games = 0
        self.seconds = 0.0
        self.undecided = 0
        self.wins = np.zeros(players, np.int64)
        self.shared = np.zeros(players, np.int64)
        self.returns = np.zeros(players)
        self.scores: list[Counter[int]] = [Counter() for _ in range(players)]
        self.lengths: Counter[int] = Counter()

    def add(self, result: Playouts, seconds: float) -> None:
        """Add games that took so many seconds."""
        won = result.returns > 0
        shared = won & (won.sum(axis=1, keepdims=True) > 1)
        self.games += len(result.lengths)
        self.seconds += seconds
        self.undecided += int((~won.any(axis=1)).sum())
        self.wins += won.sum(axis=0)
        self.shared += shared.sum(axis=0)
        self.returns += result.returns.sum(axis=0)
        for seat, counter in enumerate(self.scores):
            _count(counter, result.scores[:, seat])
        _count(self.lengths, result.lengths)


def simulate(game: Game, engine: Engine, games: int, threads: int, seed: int) -> None:
    """Play, with a progress bar, and report; Ctrl-C reports what has been played so far."""
    playouts = playouts_of(engine)
    root = Rng(seed)
    tally = Tally(game.num_players())
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=ERRORS,
    )
    with contextlib.suppress(KeyboardInterrupt), progress:
        task = progress.add_task(f"{game.name}, {engine.value}", total=games)
        for number, size in enumerate(part_sizes(games)):
            part_seed = root.split(number).next_u64()
            start = time.perf_counter()
            result = playouts(game, size, seed=part_seed, threads=threads)
            tally.add(result, time.perf_counter() - start)
            progress.advance(task, size)
    if tally.games:
        _report(game, engine, threads, tally)


def part_sizes(games: int) -> Iterator[int]:
    """Cut a number of games into parts, each a sixteenth of what came before it.

    So the progress bar moves soon with any engine, and the parts, each of which has a seed of its
    own, do not depend on the engine or its speed.
    """
    done = 0
    while done < games:
        size = min(max(1, done // 16), _MOST_AT_ONCE, games - done)
        yield size
        done += size


def _count(counter: Counter[int], values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    numbers, counts = np.unique(values, return_counts=True)
    counter.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))


def _report(game: Game, engine: Engine, threads: int, tally: Tally) -> None:
    decisions = sum(length * count for length, count in tally.lengths.items())
    CONSOLE.print(described(game), highlight=False, markup=False, soft_wrap=True)
    CONSOLE.print(
        f"{tally.games:,} random games, {engine.value} engine, {threads} "
        f"thread{'s' if threads > 1 else ''}, {tally.seconds:.2f} s: "
        f"{tally.games / tally.seconds:,.0f} games/s, "
        f"{decisions / tally.seconds:,.0f} decisions/s",
        highlight=False,
        soft_wrap=True,
    )
    CONSOLE.print(_seats(tally))
    if tally.players > 1:
        share = tally.undecided / tally.games
        CONSOLE.print(f"no winner, or all level: {tally.undecided:,} ({share:.1%})")
    all_scores: Counter[int] = sum(tally.scores, Counter())
    CONSOLE.print(_histogram("score, all seats", all_scores))
    CONSOLE.print(_histogram("length in decisions", tally.lengths))


def _seats(tally: Tally) -> Table:
    table = Table("seat", pad_edge=False)
    headings = ["mean score", "sd", "min", "max"]
    if tally.players > 1:
        headings = ["wins", "share", "shared", "mean return", *headings]
    for heading in headings:
        table.add_column(heading, justify="right")
    for seat in range(tally.players):
        mean, deviation = _mean_and_deviation(tally.scores[seat])
        row = [f"{mean:.2f}", f"{deviation:.2f}"]
        row += [f"{min(tally.scores[seat]):,}", f"{max(tally.scores[seat]):,}"]
        if tally.players > 1:
            wins = int(tally.wins[seat])
            row = [
                f"{wins:,}",
                f"{wins / tally.games:.1%}",
                f"{int(tally.shared[seat]):,}",
                f"{tally.returns[seat] / tally.games:+.4f}",
                *row,
            ]
        table.add_row(str(seat), *row)
    return table


def _mean_and_deviation(counter: Counter[int]) -> tuple[float, float]:
    total = sum(counter.values())
    mean = sum(value * count for value, count in counter.items()) / total
    variance = sum((value - mean) ** 2 * count for value, count in counter.items()) / total
    return mean, variance**0.5


def _histogram(title: str, counter: Counter[int]) -> Table:
    """Draw how often each value came up, neighbouring values together if there are many."""
    low, high = min(counter), max(counter)
    width = -(-(high - low + 1) // _MOST_BARS)
    bins: Counter[int] = Counter()
    for value, count in counter.items():
        bins[(value - low) // width] += count
    total, most = sum(bins.values()), max(bins.values())
    table = Table(title, "share", "", box=None, pad_edge=False)
    table.columns[0].justify = table.columns[1].justify = "right"
    for number in range((high - low) // width + 1):
        first = low + number * width
        last = min(first + width - 1, high)
        label = f"{first:,}" if first == last else f"{first:,} to {last:,}"
        count = bins[number]
        table.add_row(label, f"{count / total:.1%}", bar(_LONGEST_BAR * count / most))
    return table
