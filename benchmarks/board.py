"""The board: one table of ourselves and our peers, measured in one run, in turn.

python -m benchmarks.board              # prints it; a few minutes
python -m benchmarks.board --quick      # rougher
python -m benchmarks.board --store      # keeps it in benchmarks/results, under today's date
python -m benchmarks.board --show FILE  # prints one that was kept; with --brief as README.md shows it
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import tabletop_core as tc
from benchmarks import ours, peers
from benchmarks.measure import CALIBRATION, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchmarks.measure import Row

RESULTS = Path(__file__).parent / "results"

Figures: TypeAlias = dict[str, Any]
"""A row as it is stored: engine, game, facts, and the nanoseconds of each cell."""

Board: TypeAlias = dict[str, Any]
"""A whole run as it is stored: when, on what, and its rows."""


def main() -> None:
    """Read the command line and print the board."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.board", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--store", action="store_true", help=f"write {RESULTS.name}/<date>.json")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print a stored run instead")
    parser.add_argument("--brief", action="store_true", help="print what README.md shows")
    arguments = parser.parse_args()
    if arguments.show:
        board = json.loads(arguments.show.read_text(encoding="utf-8"))
    else:
        board = run(rounds=3, seconds=0.01) if arguments.quick else run(rounds=21, seconds=0.05)
    if arguments.store:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{board['date']}.json"
        path.write_text(json.dumps(board, indent=1) + "\n", encoding="utf-8")
    print("\n".join(brief(board) if arguments.brief else report(board)))


def run(rounds: int, seconds: float) -> Board:
    """Measure everything that is installed."""
    conditions = {"machine": machine(), "versions": versions()}
    rows = [CALIBRATION, *ours.rows(), *peers.rows()]
    cells = sum(len(row.cells) for row in rows)
    print(f"measuring {cells} cells, {rounds} times {seconds} s each ...", file=sys.stderr)
    calibration, *measured = measure(rows, rounds, seconds)
    return {
        "date": dt.datetime.now(dt.timezone.utc).date().isoformat(),
        "rounds": rounds,
        "seconds": seconds,
        **conditions,
        "calibration": _rounded(calibration["loop"] * 1e9),
        "rows": [_figures(row, times) for row, times in zip(rows[1:], measured, strict=True)],
    }


def _figures(row: Row, times: dict[str, float]) -> Figures:
    # The cell of two threads is no time but a ratio of times.
    scales = {column: 1 if column == "two_threads" else 1e9 for column in times}
    return {
        "engine": row.engine,
        "game": row.game,
        "facts": {name: _rounded(value) for name, value in row.facts.items()},
        "figures": {column: _rounded(time * scales[column]) for column, time in times.items()},
    }


def _rounded(value: float) -> float:
    """Keep the digits that mean something."""
    return float(f"{value:.4g}")


def machine() -> dict[str, str | float]:
    """Say what was measured on, and how many other processes want its cores now."""
    processor = platform.processor()
    if (details := Path("/proc/cpuinfo")).exists():
        found = re.search(
            r"^model name\s*: (.+)$", details.read_text(encoding="utf-8"), re.MULTILINE
        )
        processor = found[1] if found else processor
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        system = f"{platform.system()} {platform.release()}"
    return {
        "processor": processor or platform.machine(),
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else -1,
        "system": system,
    }


def versions() -> dict[str, str]:
    """Say of which versions everything was, the compiler of the native module too where it left its name there."""
    core: Any = tc.Batch
    module = Path(sys.modules[core.__module__].__file__ or "").read_bytes()
    compiler = re.search(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", module)
    return {
        "tabletop_core": tc.__version__,
        "compiler": compiler[0].decode() if compiler else "unknown",
        "python": platform.python_version(),
        "numpy": np.__version__,
        **peers.versions(),
    }


def report(board: Board) -> Iterator[str]:
    """Give the lines to print: the run, the table, what it says."""
    about, versions_of = board["machine"], board["versions"]
    yield (
        f"{board['date']}: {about['processor']}, {about['cores']} cores, "
        f"load {about['load']} beforehand, {about['system']}"
    )
    yield ", ".join(f"{name} {number}" for name, number in versions_of.items())
    yield (
        f"Medians of {board['rounds']} rounds over all rows, CPU time of one core; "
        f"batches of {ours.LANES:,} lanes (EnvPool {peers.POOL})."
    )
    yield ""
    yield from _table(board["rows"], COLUMNS)
    yield ""
    yield LEGEND
    yield ""
    yield from _aims(board["rows"])


def brief(board: Board) -> Iterator[str]:
    """Give the lines of the table in README.md: the reference as a column instead of rows."""
    reference = {
        row["game"]: row["figures"]["playout"]
        for row in board["rows"]
        if row["engine"] == "reference"
    }
    rows = [dict(row) for row in board["rows"] if row["engine"] != "reference"]
    for row in rows:
        if row["engine"] == "native":
            row["figures"] = {**row["figures"], "reference": reference[row["game"]]}
    yield from _table(rows, BRIEF)


def _rate(column: str) -> Callable[[Figures], str]:
    return lambda row: _short(1e9 / row["figures"][column])


def _time(column: str) -> Callable[[Figures], str]:
    def cell(row: Figures) -> str:
        time = row["figures"][column]
        return f"{time:.0f} ns" if time < 999.5 else f"{_short(time / 1e3)} µs"

    return cell


def _games(row: Figures) -> str:
    return _short(1e9 / row["figures"]["playout"] / row["facts"]["decisions_per_game"])


def _written(row: Figures) -> str:
    """Give the bytes of observations per second."""
    return _short(row["facts"]["observation_bytes"] / row["figures"]["batch_observed"] * 1e9)


COLUMNS: dict[str, Callable[[Figures], str]] = {
    "engine": lambda row: row["engine"],
    "game": lambda row: row["game"],
    "games/s": _games,
    "decisions/s": _rate("playout"),
    "2 threads": lambda row: f"x {row['figures']['two_threads']:.2f}",
    "batch/s": _rate("batch"),
    "observed/s": _rate("batch_observed"),
    "bytes/s": _written,
    "loop/s": _rate("loop"),
    **{column: _time(column) for column in (*ours.STATEMENTS, "apply_action")},
}
"""What the table shows; a row that lacks what a column needs has a dash there."""

BRIEF = {
    **{column: COLUMNS[column] for column in ("engine", "game", "decisions/s")},
    "reference": _rate("reference"),
    **{column: COLUMNS[column] for column in ("batch/s", "observed/s", "loop/s", "clone")},
}
"""What README.md shows of it."""

LEGEND = """\
games/s, decisions/s: random games inside the engine; 2 threads: how many times as fast, by the clock.
batch/s: decisions in lanes, with masks and sampled actions; observed/s: with what each mover observes, too, bytes/s of it.
loop/s: decisions of random games by single Python calls. The other columns: one such call, in mid-game."""


def _short(value: float) -> str:
    """Write three digits and a letter for the thousands: 12.3M."""
    letters = iter("kMG")
    letter = ""
    while value >= 999.5:
        value /= 1e3
        letter = next(letters)
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f}{letter}"


def _table(rows: Sequence[Figures], columns: dict[str, Callable[[Figures], str]]) -> Iterator[str]:
    lines = [list(columns)]
    for row in rows:
        lines.append([])
        for cell in columns.values():
            try:
                lines[-1].append(cell(row))
            except KeyError:
                lines[-1].append("-")
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        left, right = line[:2], line[2:]
        cells = [cell.ljust(width) for cell, width in zip(left, widths, strict=False)]
        cells += [cell.rjust(width) for cell, width in zip(right, widths[2:], strict=True)]
        yield f"| {' | '.join(cells)} |"


def _aims(rows: Sequence[Figures]) -> Iterator[str]:
    """Say of each aim whether all games meet it, and how near they come."""
    figures = {(row["engine"], row["game"]): row["figures"] for row in rows}
    native = {game: found for (engine, game), found in figures.items() if engine == "native"}
    playout: dict[tuple[str, str], float] = {
        row: found["playout"] for row, found in figures.items() if "playout" in found
    }

    def speed_up(game: str, engine: str, others: Sequence[str]) -> float:
        """Compare with the fastest of the other games."""
        return min(playout[engine, other] for other in others) / playout["native", game]

    peer = any(engine == "OpenSpiel" for engine, _ in figures)
    for others in (peers.FAST, peers.CHANCE) if peer else ():
        yield _aim(
            4 if others is peers.FAST else 100,
            f"OpenSpiel's fastest of {', '.join(others)}",
            {game: speed_up(game, "OpenSpiel", others) for game in native},
        )
    yield _aim(
        1_000, "our reference", {game: speed_up(game, "reference", [game]) for game in native}
    )
    yield _aim(
        1.8, "one thread, on two", {game: found["two_threads"] for game, found in native.items()}
    )
    yield _aim(
        0.5,
        "playouts, in a batch",
        {game: found["playout"] / found["batch"] for game, found in native.items()},
    )


def _aim(least: float, than: str, ratios: dict[str, float]) -> str:
    """Write one aim: `least` times as fast as something."""
    missed = [f"{game} {_short(ratio)}" for game, ratio in ratios.items() if ratio < least]
    verdict = f"missed by {', '.join(missed)}" if missed else "met"
    span = f"{_short(min(ratios.values()))} to {_short(max(ratios.values()))}"
    return f"At least {least:,} times as fast as {than}: {span}; {verdict}."


if __name__ == "__main__":
    main()
