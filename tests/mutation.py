"""Break the rules headers of a game in some places and see whether the ordinary tests notice.

    python -m tests.mutation --game indigo --mutants 20 --seed 1

Everything happens in a copy of the project in a temporary folder, whose native module holds this game alone: the game is compiled
apart from the bindings, so that a mutant costs one small compilation. The tests run cheapest first and stop at the first failure.
A mutant that survives shows a missing test, a needless line, or a change without a meaning.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pybind11

import tabletop_core as tc

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = Path("cpp", "include")

GAMES_HEADER = """#pragma once
#include "tabletop/ops.hpp"
namespace tabletop {
struct AllGames {
  static constexpr std::size_t kMaxStateSize = 8192;
  static constexpr int kMaxIds = 16384;
  static std::vector<const GameOps*> ops();
};
}
"""
GAME_SOURCE = """#include "tabletop/games.hpp"
#include "tabletop/games/%s.hpp"
namespace tabletop {
std::vector<const GameOps*> AllGames::ops() { return {&Erased<%s>::kOps}; }
}
"""
# An editable installation of the package would come before PYTHONPATH.
SITE_CUSTOMIZE = """import sys
sys.meta_path[:] = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
"""

CHANGES = (
    (r"(?<= )<(?= )", "<="),
    (r"(?<= )<=(?= )", "<"),
    (r"(?<= )>(?= )", ">="),
    (r"(?<= )>=(?= )", ">"),
    (r"(?<= )==(?= )", "!="),
    (r"(?<= )!=(?= )", "=="),
    (r"(?<= )&&(?= )", "||"),
    (r"(?<= )\|\|(?= )", "&&"),
    (r"(?<= )\+(?= )", "-"),
    (r"(?<= )-(?= )", "+"),
    (r"\+=", "-="),
    (r"-=", "+="),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"\bmin\b(?=\()", "max"),
    (r"\bmax\b(?=\()", "min"),
    (r"(?<=\bif \()(?!constexpr)(?=\w)", "!"),
)
NUMBER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
STATEMENT = re.compile(
    r"^ +(?!return|using|static|const|break|continue|friend|\[\[)[\w:*&.<>\[\]]+(\(|\.|->| [-+|&^]?= |\[|\+\+|--).*;$"
)
QUIET = re.compile(r"^\s*(#|template|static_assert|assert|using|namespace|friend|//)|\boperator\b")
STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|//.*')


@dataclass(frozen=True)
class Mutant:
    """A line of a header and what it is changed to."""

    path: Path
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        """Say where and what."""
        new = self.new.strip() or "(nothing)"
        return f"{self.path}:{self.line}: {self.old.strip()}  ->  {new}"


def headers_of(game: str) -> list[Path]:
    """Give the headers that hold the rules of a game, relative to the project, those that it shares with others too."""
    games = INCLUDE / "tabletop" / "games"
    found = [games / f"{game}.hpp"]
    found += sorted(p.relative_to(ROOT) for p in (ROOT / games / game).glob("*.hpp"))
    for path in found:
        text = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r'#include "(tabletop/mechanics/\w+\.hpp)"', text):
            if INCLUDE / name not in found:
                found.append(INCLUDE / name)
    return found


def mutants_of(path: Path) -> list[Mutant]:
    """Give every change to one header; texts and comments stay as they are."""
    found = []
    previous = ""
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        code = STRING_OR_COMMENT.sub(lambda match: "\0" * len(match[0]), line)
        before, previous = previous, code.rstrip("\0 ") or previous
        if QUIET.search(line):
            continue
        for pattern, new in CHANGES:
            for match in re.finditer(pattern, code):
                changed = line[: match.start()] + new + line[match.end() :]
                found.append(Mutant(path, number, line, changed))
        for match in NUMBER.finditer(code):
            changed = line[: match.start()] + str(int(match[0]) + 1) + line[match.end() :]
            found.append(Mutant(path, number, line, changed))
        if STATEMENT.match(code.rstrip("\0 ")) and before.endswith((";", "{", "}", ":")):
            found.append(Mutant(path, number, line, ""))
    return found


class Copy:
    """The project in a folder of its own, with a module that holds one game."""

    def __init__(self, folder: Path, game: str) -> None:
        """Copy what is needed and prepare the build."""
        self.folder = folder
        self.build_folder = folder / "build"
        self.game = game
        for name in ("cpp", "cmake", "docs", "python", "tests"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "__pycache__")
            )
        for name in ("CMakeLists.txt", "README.md", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        (folder / "sitecustomize.py").write_text(SITE_CUSTOMIZE, encoding="utf-8")
        games = folder / INCLUDE / "tabletop" / "games.hpp"
        class_name = next(
            name
            for name in re.findall(r"\b[A-Z]\w+", games.read_text(encoding="utf-8"))
            if name.lower() == game.replace("_", "")
        )
        games.write_text(GAMES_HEADER, encoding="utf-8")
        source = folder / "cpp" / "bindings" / "the_game.cpp"
        source.write_text(GAME_SOURCE % (game, class_name), encoding="utf-8")
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "python")]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.run(
            *("cmake", "-S", folder, "-B", self.build_folder),
            *(["-GNinja"] if shutil.which("ninja") else []),
            *("-DTABLETOP_BUILD_PYTHON=ON", "-DTABLETOP_BUILD_TESTS=OFF"),
            *("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"),
            f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
            f"-DPython_EXECUTABLE={sys.executable}",
            check=True,
        )

    def run(
        self, *command: str | Path, check: bool = False, timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        if check and done.returncode != 0:
            message = f"{command[0]} failed:\n{done.stdout}{done.stderr}"
            raise RuntimeError(message)
        return done

    def build(self) -> str | None:
        """Build the module and put it into the package; say what the compiler says if it refuses."""
        done = self.run("cmake", "--build", self.build_folder)
        if done.returncode != 0:
            return done.stdout
        name = "_core" + str(sysconfig.get_config_var("EXT_SUFFIX"))
        shutil.copy(self.build_folder / name, self.folder / "python" / "tabletop_core" / name)
        return None

    def write(self, path: Path, line: int, text: str) -> None:
        """Write one line of a header."""
        lines = (self.folder / path).read_text(encoding="utf-8").splitlines()
        lines[line - 1] = text
        (self.folder / path).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def test_files(self) -> list[list[str]]:
        """Give the test files, in stages from quick to slow."""
        rules = [
            str(path.relative_to(ROOT))
            for path in sorted((ROOT / "tests" / "rules").glob(f"test_{self.game}*.py"))
            if self.game == _game_of(path.stem.removeprefix("test_"))
        ]
        return [
            ["tests/test_goldens.py"],
            ["tests/test_parity.py"],
            rules,
            ["tests/test_laws.py", "tests/faults", "tests/errors/test_positions.py"],
        ]

    def failing_test(self, timeouts: list[float]) -> str | None:
        """Give the first test that fails, one that never ends too."""
        for files, timeout in zip(self.test_files(), timeouts, strict=True):
            try:
                done = self.run(
                    *(sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"),
                    *("-k", f"{self.game} and not reference", *files),
                    timeout=timeout,
                )
            except subprocess.TimeoutExpired:
                return f"no end of {files[0]}"
            if done.returncode == 0:
                continue
            found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
            return found[1] if found else f"{files[0]} stopped with {done.returncode}"
        return None


def _game_of(words: str) -> str:
    """Give the longest name of a game that the name of a test file begins with."""
    names = [name for name in tc.registered_games() if f"{words}_".startswith(f"{name}_")]
    return max(names, key=len, default="")


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def check(copy: Copy, mutant: Mutant, timeouts: list[float]) -> str:
    """Build and test one mutant, and put the line back."""
    copy.write(mutant.path, mutant.line, mutant.new)
    started = time.monotonic()
    try:
        if copy.build() is not None:
            verdict, by = "did not compile", ""
        else:
            test = copy.failing_test(timeouts)
            verdict, by = ("killed", f"  by {test}") if test else ("SURVIVED", "")
    finally:
        copy.write(mutant.path, mutant.line, mutant.old)
    say(f"{verdict:16}{mutant}{by}  ({time.monotonic() - started:.0f} s)")
    return verdict


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 unless the project fails its tests as it is."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").split("\n", 1)[0]
    )
    parser.add_argument("--game", choices=tc.registered_games(), required=True)
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    places = [mutant for path in headers_of(chosen.game) for mutant in mutants_of(path)]
    mutants = random.Random(chosen.seed).sample(places, min(chosen.mutants, len(places)))
    say(f"{len(mutants)} of {len(places)} mutants of {chosen.game}")
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), chosen.game)
        refused = copy.build()
        origin = copy.run(
            sys.executable, "-c", "import tabletop_core; print(tabletop_core.__file__)"
        )
        if refused is not None or not origin.stdout.startswith(folder):
            say(refused or f"the tests see another package: {origin.stdout}{origin.stderr}")
            return 1
        started = time.monotonic()
        failing = copy.failing_test([3600.0] * len(copy.test_files()))
        if failing is not None:
            say(f"without any change, this test fails: {failing}")
            return 1
        seconds = time.monotonic() - started
        say(f"without any change, the tests pass ({seconds:.0f} s)")
        timeouts = [60 + 3 * seconds] * len(copy.test_files())
        verdicts = [check(copy, mutant, timeouts) for mutant in mutants]
    killed, survived = verdicts.count("killed"), verdicts.count("SURVIVED")
    rate = 100 * killed / max(killed + survived, 1)
    say(
        f"{chosen.game}: {killed} killed, {survived} survived, "
        f"{verdicts.count('did not compile')} did not compile; kill rate {rate:.0f} %"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
