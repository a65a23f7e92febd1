"""The checks of the project, one session each: `nox --list`, `nox -s lint`, ...

`.ci/run` runs what must hold before anything lands; the sessions here are the same checks for a developer, and the longer ones.
Arguments after `--` go to the tool of the session.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "venv"
nox.options.sessions = ["lint", "stubs", "cpp", "tests"]

PYPROJECT = nox.project.load_toml("pyproject.toml")


def install_group(session: nox.Session, *groups: str) -> None:
    """Install dependency groups of pyproject.toml."""
    session.install(*nox.project.dependency_groups(PYPROJECT, *groups))


@nox.session
def lint(session: nox.Session) -> None:
    """Format and check all sources, with the hooks of pre-commit."""
    install_group(session, "dev")
    session.run("pre-commit", "run", "--all-files", *session.posargs)


@nox.session
def stubs(session: nox.Session) -> None:
    """Check the types of the package and its tests, and the stubs against the native module."""
    install_group(session, "types")
    session.install(".[test,bench]")
    session.run("mypy", *session.posargs)
    session.run(
        *("python", "-m", "mypy.stubtest", "tabletop_core._core"),
        *("--mypy-config-file", "pyproject.toml", "--allowlist", ".ci/stubtest-allowlist.txt"),
    )


@nox.session
def cpp(session: nox.Session) -> None:
    """Build and run the C++ tests: by default the presets debug, release and tidy."""
    install_group(session, "cpp")
    bindings = session.run("python", "-m", "pybind11", "--cmakedir", silent=True)
    env = {"pybind11_ROOT": str(bindings).strip()}
    for preset in session.posargs or ["debug", "release", "tidy"]:
        session.run("cmake", "--workflow", "--preset", preset, env=env)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the Python tests against the package as users install it."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session(python="3.10")
def oldest(session: nox.Session) -> None:
    """Run the Python tests with the oldest dependencies that pyproject.toml allows."""
    project = PYPROJECT["project"]
    bounds = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    session.install(".", *(bound.replace(">=", "==") for bound in bounds))
    session.run("pytest", *session.posargs)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the C++ tests under ASan, UBSan and TSan, then the Python tests on a module with ASan and UBSan (GCC)."""
    install_group(session, "cpp")
    for preset in ("asan-ubsan", "tsan"):
        session.run("cmake", "--workflow", "--preset", preset)
    session.install(
        ".[test]",
        *("--config-settings", "build-dir=build/python-asan-ubsan"),
        *("--config-settings", "cmake.build-type=Debug"),
        *("--config-settings", "cmake.define.CMAKE_CXX_FLAGS=-O1"),
        *("--config-settings", "cmake.define.TABLETOP_SANITIZE=address,undefined"),
    )
    # The interpreter knows nothing of the sanitizers: their runtime has to be there before it starts. It also keeps what it
    # allocated to the end, which is no leak of ours, and takes no for an answer when it asks for too much memory.
    preload = " ".join(_runtime(name) for name in ("libasan.so", "libubsan.so", "libstdc++.so"))
    asan = "detect_leaks=0:allocator_may_return_null=1"
    # What is freed stays in a quarantine for a while, but for the tests that look at the memory of the process.
    parts = {
        ("--ignore=tests/test_memory.py",): asan,
        ("tests/test_memory.py",): f"{asan}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0",
    }
    for chosen, options in parts.items():
        session.run(
            *("pytest", "-p", "no:faulthandler", *chosen, *session.posargs),
            env={
                "LD_PRELOAD": preload,
                "ASAN_OPTIONS": options,
                "UBSAN_OPTIONS": "print_stacktrace=1",
            },
        )


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz decoders, options and games under ASan and UBSan: so many minutes each (5); with libFuzzer if there is a Clang."""
    install_group(session, "cpp")
    minutes = float(session.posargs[0]) if session.posargs else 5
    clangs = [*(f"clang++-{version}" for version in range(30, 14, -1)), "clang++"]
    found = [os.environ.get("CXX"), *(clang for clang in clangs if shutil.which(clang)), "c++"]
    compiler = next(name for name in found if name)
    session.run("cmake", "--workflow", "--preset", "fuzz", env={"CXX": compiler})
    for harness in ("positions", "options", "actions"):
        inputs = Path("build", "fuzz", "corpus", harness)
        inputs.mkdir(parents=True, exist_ok=True)
        session.run(
            *(f"build/fuzz/cpp/fuzz/fuzz_{harness}", str(inputs), f"cpp/fuzz/corpus/{harness}"),
            *(f"-max_total_time={round(60 * minutes)}", "-max_len=160", "-len_control=0"),
            f"-artifact_prefix=build/fuzz/{harness}-",
            env={"UBSAN_OPTIONS": "print_stacktrace=1"},
            external=True,
        )


def _runtime(library: str) -> str:
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, f"-print-file-name={library}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@nox.session
def bench(session: nox.Session) -> None:
    """Measure both engines; benchmarks/README.md says how to read the figures."""
    session.install(".[test,bench]")
    session.run("pytest", "benchmarks", *session.posargs)


@nox.session
def peers(session: nox.Session) -> None:
    """Run the searches of OpenSpiel on our states."""
    session.install(".[test,peers]")
    session.run("pytest", "-m", "peers", *session.posargs)


@nox.session
def board(session: nox.Session) -> None:
    """Print the board: ourselves and our peers in one table."""
    session.install(".[peers]")
    session.run("python", "-m", "benchmarks.board", *session.posargs)


@nox.session
def instructions(session: nox.Session) -> None:
    """Count instructions per decision with callgrind; fails if a game got more than 5 % dearer."""
    session.run("python", "-m", "benchmarks.instructions", *session.posargs)


@nox.session
def golden(session: nox.Session) -> None:
    """Write the goldens anew, after a change of behaviour and of the game's version."""
    session.install(".[test]")
    session.run("python", "-m", "tests.goldens", *session.posargs)


@nox.session
def mutation(session: nox.Session) -> None:
    """Break the rules of a game in some places and see whether the tests notice."""
    install_group(session, "dev")
    session.install(".[test]")
    session.run("python", "-m", "tests.mutation", *session.posargs)


@nox.session
def deep(session: nox.Session) -> None:
    """Compare the engines on many games on all cores, run the tests that take long, then all tests under the sanitizers."""
    session.install(".[test]")
    session.run("python", "-m", "tests.deep_parity", *session.posargs)
    session.run("pytest", "-m", "deep", "-n", "auto")
    session.notify("sanitize", posargs=[])
