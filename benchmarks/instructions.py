"""Instructions per decision of random games, counted by callgrind: the figure that no other work on the machine disturbs.

python -m benchmarks.instructions          # compares with what is stored; fails if a game got dearer
python -m benchmarks.instructions --store  # stores anew
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
STORED = HERE / "results" / "instructions.json"

TOLERANCE = 0.05
"""How much dearer a game may get before the check fails."""

GAMES = (100, 400)
"""Each game is played so many times in two runs; their difference knows nothing of the start of the process."""

FLAGS = ["-std=c++20", "-O3", "-DNDEBUG"]
"""As the native module is compiled."""
if platform.machine().lower() in {"x86_64", "amd64"}:
    FLAGS.append("-mpopcnt")


def main() -> None:
    """Count, and compare or store."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.instructions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--store", action="store_true", help=f"write {STORED.name} anew")
    arguments = parser.parse_args()
    compiler = os.environ.get("CXX", "g++")
    conditions = {
        "compiler": _output(compiler, "--version").splitlines()[0],
        "flags": " ".join(FLAGS),
    }
    counts = count(compiler)
    if arguments.store:
        text = json.dumps({**conditions, "per_decision": counts}, indent=1)
        STORED.write_text(text + "\n", encoding="utf-8")
        return
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    dearer = compare(counts, stored["per_decision"])
    known = {name: stored[name] for name in conditions}
    if known != conditions:
        print(f"Not judged: stored with {known}, counted with {conditions}.")
    elif dearer:
        sys.exit(
            f"More than {TOLERANCE:.0%} dearer, or not stored: {', '.join(dearer)}. "
            "If it has to be: python -m benchmarks.instructions --store"
        )


def count(compiler: str) -> dict[str, float]:
    """Give the instructions per decision of every game."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "instructions")
        include = HERE.parent / "cpp" / "include"
        source = HERE / "instructions.cpp"
        _output(compiler, *FLAGS, f"-I{include}", str(source), "-o", program)
        return {game: _per_decision(program, game) for game in _output(program).split()}


def _per_decision(program: str, game: str) -> float:
    (few, few_decisions), (many, many_decisions) = (_run(program, game, games) for games in GAMES)
    return round((many - few) / (many_decisions - few_decisions), 1)


def _run(program: str, game: str, games: int) -> tuple[int, int]:
    """Give the instructions of the process, and the decisions that it took."""
    process = subprocess.run(
        [
            *("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"),
            *(program, game, str(games)),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    collected = re.search(r"Collected : (\d+)", process.stderr)
    assert collected, process.stderr
    return int(collected[1]), int(process.stdout)


def compare(counts: dict[str, float], stored: dict[str, float]) -> list[str]:
    """Print both counts of every game; give the games that got dearer, or are new."""
    dearer = []
    print(f"{'instructions per decision':<28}{'stored':>8}{'now':>8}{'change':>9}")
    for game, now in counts.items():
        before = stored.get(game)
        change = "-" if before is None else f"{now / before - 1:+.1%}"
        print(f"{game:<28}{before or '-':>8}{now:>8}{change:>9}")
        if before is None or now > before * (1 + TOLERANCE):
            dearer.append(game)
    return dearer


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
