"""Break the rules headers of games in some places and see whether the ordinary tests notice.

    python -m tests.mutation --mutants 14 --seed 1                      # 14 places of every game
    python -m tests.mutation --game indigo --game optimus2 --mutants 5  # of these two
    python -m tests.mutation --game indigo --only board.hpp:57          # all that can be done to this line
    python -m tests.mutation --game indigo --list                       # all places, nothing is run

Everything happens in a copy of the project in a temporary folder, whose native module holds one game at a time, and the kinds of a
match for the tests that play them too: the game is compiled apart from the rest, so that a mutant costs little. The tests run
cheapest first and stop at the first failure; a test that failed has to pass without the change, or nothing is said about the tests.
What the compiler refuses does not count, and another place is drawn for it. A mutant that survives shows a missing test, a needless
line, or a change without a meaning.
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
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

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
std::vector<const GameOps*> the_kinds();
std::vector<const GameOps*> AllGames::ops() {
  std::vector<const GameOps*> ops = the_kinds();
  ops.push_back(&Erased<%s>::kOps);
  return ops;
}
}
"""
KINDS_SOURCE = """#include "tabletop/games.hpp"
%s
namespace tabletop {
std::vector<const GameOps*> the_kinds() { return {%s}; }
}
"""
# An editable installation of the package would come before PYTHONPATH.
SITE_CUSTOMIZE = """import sys
sys.meta_path[:] = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
"""

# What parity compares first: what a game declares, and a quarter of the games of each seating.
FIRST_OF_PARITY = "(declare or -0])"

LONGEST = 1800.0
"""Seconds for a stage of tests; a mutant that needs longer does not end. The first stage, which all see, has less."""

KILLED = "killed"
SURVIVED = "SURVIVED"
REFUSED = "did not compile"

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


def kinds_of(game: str) -> list[str]:
    """Give the games that this game is a match of."""
    text = (ROOT / INCLUDE / "tabletop" / "games" / f"{game}.hpp").read_text(encoding="utf-8")
    return re.findall(r'#include "tabletop/games/(\w+)\.hpp"', text)


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


@dataclass(frozen=True)
class Stage:
    """Some tests that run together."""

    files: tuple[str, ...]
    keyword: str = ""


def stages_of(game: str) -> list[Stage]:
    """Give all Python tests of the native engine that play this game, from quick to slow; those in C++ come before the last stage.

    Of the rules, those on positions from outside come first, of which the games of the stages before show nothing.
    """
    rules = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests" / "rules").glob(f"test_{game}*.py"))
        if game == _game_of(path.stem.removeprefix("test_"))
    ]
    rules.sort(key=lambda name: not re.search("formats|refusals|positions", name))
    return [
        Stage(("tests/test_goldens.py",)),
        Stage(("tests/test_parity.py",), FIRST_OF_PARITY),
        Stage((*rules, "tests/errors/test_positions.py")),
        Stage(("tests/test_laws.py", "tests/faults")),
        Stage(("tests/test_parity.py",), f"not {FIRST_OF_PARITY}"),
    ]


class FailsUnchangedError(Exception):
    """The project fails as it is, which says nothing about mutants."""


class Copy:
    """The project in a folder of its own, with a module that holds one game."""

    def __init__(self, folder: Path) -> None:
        """Copy what is needed and prepare the build."""
        self.folder = folder
        self.build_folder = folder / "build"
        self.game = ""
        self.first_timeout = LONGEST
        self.passing: set[str] = set()
        for name in ("cpp", "cmake", "docs", "python", "tests"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "__pycache__")
            )
        for name in ("CMakeLists.txt", "README.md", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        (folder / "sitecustomize.py").write_text(SITE_CUSTOMIZE, encoding="utf-8")
        games = INCLUDE / "tabletop" / "games.hpp"
        self.classes: list[str] = re.findall(
            r"\b[A-Z]\w+", (ROOT / games).read_text(encoding="utf-8")
        )
        (folder / games).write_text(GAMES_HEADER, encoding="utf-8")
        self.source, self.kinds_source = (
            folder / "cpp" / "bindings" / f"the_{part}.cpp" for part in ("game", "kinds")
        )
        self.source.touch()
        self.kinds_source.touch()
        name = "_core" + str(sysconfig.get_config_var("EXT_SUFFIX"))
        self.built = self.build_folder / name
        self.module = folder / "python" / "tabletop_core" / name
        self.unchanged = folder / "unchanged"
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "python")]),
        }
        asked = self.run(sys.executable, "-m", "pybind11", "--cmakedir", check=True)
        pybind11 = asked.stdout.strip()
        self.run(
            *("cmake", "-S", folder, "-B", self.build_folder),
            *(["-GNinja"] if shutil.which("ninja") else []),
            *("-DTABLETOP_BUILD_PYTHON=ON", "-DTABLETOP_BUILD_TESTS=OFF"),
            *("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"),
            f"-Dpybind11_DIR={pybind11}",
            f"-DPython_EXECUTABLE={sys.executable}",
            check=True,
        )

    def hold(self, game: str) -> None:
        """Let the module hold this game, unchanged."""
        self.game = game
        self.passing.clear()
        kinds = kinds_of(game)
        includes = "\n".join(f'#include "tabletop/games/{kind}.hpp"' for kind in kinds)
        ops = ", ".join(f"&Erased<{self.class_of(kind)}>::kOps" for kind in kinds)
        self.kinds_source.write_text(KINDS_SOURCE % (includes, ops), encoding="utf-8")
        self.source.write_text(GAME_SOURCE % (game, self.class_of(game)), encoding="utf-8")
        if (refused := self.build()) is not None:
            raise FailsUnchangedError(refused)
        shutil.copy(self.module, self.unchanged)
        see = "import tabletop_core as tc; print(tc.registered_games(), tc.__file__)"
        origin = self.run(sys.executable, "-c", see)
        if not origin.stdout.startswith(f"{sorted([game, *kinds])} {self.folder}"):
            message = f"the tests see another package: {origin.stdout}{origin.stderr}"
            raise FailsUnchangedError(message)
        started = time.monotonic()
        failing = self.failing_test_of(stages_of(game)[0], LONGEST)
        if failing is not None:
            raise FailsUnchangedError(failing)
        self.first_timeout = 10 + 5 * (time.monotonic() - started)

    def class_of(self, game: str) -> str:
        """Give the name of the rules class of a game."""
        return next(name for name in self.classes if name.lower() == game.replace("_", ""))

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

    def pytest(self, *arguments: str, timeout: float) -> subprocess.CompletedProcess[str]:
        """Run some tests up to the first failure."""
        common = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
        return self.run(sys.executable, *common, *arguments, timeout=timeout)

    def build(self) -> str | None:
        """Build the module and put it into the package; say what the compiler says if it refuses."""
        done = self.run("cmake", "--build", self.build_folder)
        if done.returncode != 0:
            return done.stdout
        shutil.copy(self.built, self.module)
        return None

    def write(self, path: Path, line: int, text: str) -> None:
        """Write one line of a header."""
        lines = (self.folder / path).read_text(encoding="utf-8").splitlines()
        lines[line - 1] = text
        (self.folder / path).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def failing_test_of(self, stage: Stage, timeout: float) -> str | None:
        """Give the first test of a stage that fails, one that never ends too."""
        keyword = f"{self.game} and not reference"
        if stage.keyword:
            keyword += f" and {stage.keyword}"
        try:
            done = self.pytest("-k", keyword, *stage.files, timeout=timeout)
        except subprocess.TimeoutExpired:
            return f"no end of {stage.files[0]}"
        if done.returncode == 0:
            return None
        found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
        return found[1] if found else f"{stage.files[0]} stopped with {done.returncode}"

    def failing_test(self) -> str | None:
        """Give the first test that fails on the module as it is."""
        stages = stages_of(self.game)
        for number, stage in enumerate(stages):
            timeout = LONGEST if number else self.first_timeout
            if stage is stages[-1] and (test := self.failing_cpp_test()) is not None:
                return test
            if (test := self.failing_test_of(stage, timeout)) is not None:
                if number and "::" in test:
                    self.demand(test)
                return test
        return None

    def failing_cpp_test(self) -> str | None:
        """Give the first C++ test that fails on the headers as they are: of those on this game, and of those on all games."""
        tests, harnesses = self.folder / "cpp" / "tests", self.folder / "cpp" / "fuzz"
        all_games = [
            *(harnesses / "fuzz.cpp", harnesses / "games.cpp"),
            *(self.source, self.kinds_source),
        ]
        program = self.folder / "cpp_test"
        own = f"test_{self.game}"
        for source in sorted(tests.glob("test_*.cpp"), key=lambda path: path.stem != own):
            text = source.read_text(encoding="utf-8")
            on_all = '"fuzz.hpp"' in text
            if not on_all and f"tabletop/games/{self.game}.hpp" not in text:
                continue
            flags = ("-std=c++20", "-O1", f"-I{INCLUDE}", f"-I{harnesses}")
            sources = [source, *(all_games if on_all else [])]
            try:
                built = self.run(os.environ.get("CXX", "c++"), *flags, *sources, "-o", program)
                if built.returncode != 0:
                    return f"{source.relative_to(self.folder)} does not compile"
                if self.run(program, timeout=LONGEST).returncode != 0:
                    return str(source.relative_to(self.folder))
            except subprocess.TimeoutExpired:
                return f"no end of {source.relative_to(self.folder)}"
        return None

    def demand(self, test: str) -> None:
        """Stop unless this test passes without any change."""
        if test in self.passing:
            return
        shutil.copy(self.unchanged, self.module)
        done = self.pytest(test, timeout=LONGEST)
        if done.returncode != 0:
            message = f"{test}\n{done.stdout}"
            raise FailsUnchangedError(message)
        self.passing.add(test)


def _game_of(words: str) -> str:
    """Give the longest name of a game that the name of a test file begins with."""
    names = [name for name in tc.registered_games() if f"{words}_".startswith(f"{name}_")]
    return max(names, key=len, default="")


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def check(copy: Copy, mutant: Mutant) -> str:
    """Build and test one mutant, and put the line back."""
    copy.write(mutant.path, mutant.line, mutant.new)
    started = time.monotonic()
    try:
        if copy.build() is not None:
            verdict, by = REFUSED, ""
        else:
            test = copy.failing_test()
            verdict, by = (KILLED, f"  by {test}") if test else (SURVIVED, "")
    finally:
        copy.write(mutant.path, mutant.line, mutant.old)
    if "  by cpp/" in by and (test := copy.failing_cpp_test()) is not None:
        raise FailsUnchangedError(test)
    say(f"{verdict:16}{mutant}{by}  ({time.monotonic() - started:.0f} s)")
    return verdict


def draw(game: str, chosen: argparse.Namespace) -> list[Mutant]:
    """Give the mutants of a game in the order in which they are tried."""
    mutants = [mutant for path in headers_of(game) for mutant in mutants_of(path)]
    if chosen.only:
        return [m for m in mutants if f"/{m.path}:{m.line}".endswith(f"/{chosen.only}")]
    if not chosen.list:
        random.Random(chosen.seed).shuffle(mutants)
    return mutants


def table(verdicts: dict[str, list[tuple[str, Mutant]]]) -> str:
    """Give what became of the mutants of each game, and who survived."""
    form = "{:24}{:>8}{:>10}{:>17}{:>11}".format
    lines = [form("game", KILLED, "survived", REFUSED, "kill rate")]
    everything = [entry for tried in verdicts.values() for entry in tried]
    for game, tried in [*verdicts.items(), ("all", everything)]:
        count = Counter(verdict for verdict, _ in tried)
        rate = 100 * count[KILLED] / max(count[KILLED] + count[SURVIVED], 1)
        lines.append(form(game, count[KILLED], count[SURVIVED], count[REFUSED], f"{rate:.1f} %"))
    for game, tried in verdicts.items():
        lines += [f"{game}  {mutant}" for verdict, mutant in tried if verdict == SURVIVED]
    return "\n".join(lines)


def try_mutants(
    copy: Copy, game: str, chosen: argparse.Namespace, tried: list[tuple[str, Mutant]]
) -> None:
    """Try mutants of a game and note what became of each."""
    mutants = draw(game, chosen)
    copy.hold(game)
    say(f"{game}: {len(mutants)} mutants to draw from")
    left = len(mutants) if chosen.only else chosen.mutants
    for mutant in mutants:
        if left == 0:
            break
        tried.append((check(copy, mutant), mutant))
        left -= tried[-1][0] != REFUSED


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 unless the project fails its tests as it is."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").split("\n", 1)[0]
    )
    games = tc.registered_games()
    parser.add_argument("--game", action="append", choices=games, help="may be repeated; all")
    parser.add_argument("--mutants", type=int, default=20, help="that compile, for each game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="FILE:LINE", help="all mutants of this line")
    parser.add_argument("--list", action="store_true", help="show the mutants, do not try them")
    chosen = parser.parse_args(arguments)
    games = chosen.game or games
    if chosen.list:
        for game in games:
            say("\n".join(f"{game}  {mutant}" for mutant in draw(game, chosen)))
        return 0
    verdicts: dict[str, list[tuple[str, Mutant]]] = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder).resolve())
        for game in games:
            tried = verdicts.setdefault(game, [])
            try:
                try_mutants(copy, game, chosen, tried)
            except FailsUnchangedError as error:
                say(f"{game} fails without any change: {error}")
                failed = True
    say(table(verdicts))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
