"""What the documentation shows is true: its examples run, and every public name has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from benchmarks import board

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^\s*```.*$", re.MULTILINE)


def pages() -> list[Path]:
    """Give the pages that may hold examples."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def run_examples(text: str, name: str, names: dict[str, Any] | None = None) -> int:
    """Run the examples of a text, which may use these names, and give the number of examples."""
    # A fence right behind an expected output would otherwise be taken for a part of it.
    test = doctest.DocTestParser().get_doctest(
        FENCE.sub("", text), dict(names or {}), name, name, 0
    )
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert not result.failed, "".join(report)
    return result.attempted


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_examples_of_pages_run(page: Path) -> None:
    examples = run_examples(page.read_text(encoding="utf-8"), page.name)
    assert examples > 0 or page.name != "README.md"


def test_figures_of_the_readme_are_of_the_last_stored_run() -> None:
    last = max(board.RESULTS.glob("[0-9]*.json"))
    figures = "\n".join(board.brief(json.loads(last.read_text(encoding="utf-8"))))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert figures in readme, f"python -m benchmarks.board --show {last.relative_to(ROOT)} --brief"
    assert last.name in readme


def modules() -> list[str]:
    """Name every module of the package, without the entry point that would run the command."""
    found = pkgutil.walk_packages(tc.__path__, "tabletop_core.")
    return [
        "tabletop_core",
        *(m.name for m in found if not m.name.endswith(("__main__", "._core"))),
    ]


@pytest.mark.parametrize("name", modules())
def test_examples_of_docstrings_run(name: str) -> None:
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    for test in finder.find(module, name):
        report: list[str] = []
        result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
        assert not result.failed, "".join(report)


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Give the public members that a class defines."""
    for name in vars(kind):
        if not name.startswith("_"):
            yield name, inspect.getattr_static(kind, name)


def test_examples_of_native_docstrings_run() -> None:
    for name in tc.__all__:
        value = getattr(tc, name)
        texts = {name: value.__doc__ or ""}
        if inspect.isclass(value):
            texts |= {
                f"{name}.{member}": inspect.getdoc(part) or "" for member, part in members(value)
            }
        for place, text in texts.items():
            run_examples(text, place, vars(tc))


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    lacking = []
    for name in tc.__all__:
        value = getattr(tc, name)
        # What the native classes mean is written in the contract that they keep.
        text = (value.__doc__ or "") + (getattr(tc.protocol, name, None).__doc__ or "")
        if (inspect.isclass(value) or callable(value)) and ">>>" not in text:
            lacking.append(name)
    assert not lacking


def native_classes() -> list[type]:
    """Give the public classes of the native module."""
    public = (getattr(tc, name) for name in tc.__all__)
    return [kind for kind in public if inspect.isclass(kind) and kind.__module__.endswith("._core")]


@pytest.mark.parametrize("kind", native_classes(), ids=lambda kind: kind.__name__)
def test_help_says_something_about_every_native_member(kind: type) -> None:
    assert inspect.getdoc(kind)
    lacking = []
    for name, part in members(kind):
        # pybind11 writes the signature, or those of all overloads, into the docstring.
        signature = re.compile(rf"^(\d+\. )?{name}\(.*$|^Overloaded function\.$", re.MULTILINE)
        if not signature.sub("", part.__doc__ or "").strip():
            lacking.append(name)
    assert not lacking


def test_signatures_in_the_help_name_python_types_only() -> None:
    documented = [getattr(tc, name) for name in tc.__all__]
    documented += [part for kind in native_classes() for part in vars(kind).values()]
    texts = [value.__doc__ or "" for value in documented]
    assert any("-> tabletop_core._core.State" in text for text in texts)
    assert not [text for text in texts if "::" in text]


@pytest.mark.parametrize("kind", [tc.Game, tc.State, tc.Rng], ids=lambda kind: kind.__name__)
def test_every_method_is_documented_with_an_example_in_the_contract(kind: type) -> None:
    contract = getattr(tc.protocol, kind.__name__)
    lacking = []
    for name, part in members(kind):
        described = inspect.getattr_static(contract, name, None)
        text = inspect.getdoc(part if described is None else described) or ""
        if ">>>" not in text:
            lacking.append(name)
    assert not lacking


@pytest.mark.parametrize("kind", [tc.Game, tc.State, tc.Rng], ids=lambda kind: kind.__name__)
def test_both_engines_have_what_the_contract_names(kind: type) -> None:
    contract = {name for name, _ in members(getattr(tc.protocol, kind.__name__))}
    for engine in (tc, tc.reference):
        public = {name for name, _ in members(getattr(engine, kind.__name__))}
        assert contract <= public, contract - public
        assert public <= contract, public - contract


def test_public_names_exist() -> None:
    for module in (tc, tc.reference, tc.testing, tc.protocol):
        assert len(set(module.__all__)) == len(module.__all__)
        for name in module.__all__:
            assert hasattr(module, name), f"{module.__name__}.{name}"
