"""A C++ project finds the headers in the installed package, builds against them and runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import tabletop_core as tc

EXAMPLE = Path(__file__).parents[1] / "examples" / "cpp"


def run(*command: str | Path) -> str:
    """Run a command without what a sanitized interpreter has to preload, and give what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(
    shutil.which("cmake") is None,
    reason="needs CMake, which `.ci/run` has and the extra `test` has not",
)
def test_the_example_search_builds_against_the_installed_package(tmp_path: Path) -> None:
    generator = ["-GNinja"] if shutil.which("ninja") else []
    found_in = f"-Dtabletop_core_DIR={tc.get_cmake_dir()}"
    run("cmake", "-S", EXAMPLE, "-B", tmp_path, *generator, found_in)
    run("cmake", "--build", tmp_path)
    printed = run(tmp_path / "tabletop_search", "indigo", "1", "50")
    assert "mean return of the search" in printed
