"""Nothing about a game is forgotten: its files exist, each clause of its rules has a test, and each test names a clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tabletop_core as tc
from tests.marks import marked

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules"
HEADERS = ROOT / "cpp" / "include" / "tabletop" / "games"
REFERENCE = ROOT / "python" / "tabletop_core" / "reference"

DEFINED = re.compile(r"^(?:[-*] |\| ?|#+ )?\**\[([A-Z]+\d*-\d+[a-z]?)\]", re.MULTILINE)
"""A clause begins a paragraph, a list item, a table row or a heading with its id."""

MENTIONED = re.compile(r"\[([A-Z]+\d*-\d+[a-z]?)\]")


def pages() -> list[Path]:
    """Give the rules pages."""
    return sorted(RULES.glob("*.md"))


def clauses(page: Path) -> list[str]:
    """Give the clauses that a page defines, in order."""
    return DEFINED.findall(page.read_text(encoding="utf-8"))


def test_every_clause_has_a_test() -> None:
    named = marked("rule")
    untested = [clause for page in pages() for clause in clauses(page) if clause not in named]
    assert not untested


def test_every_mark_names_a_clause() -> None:
    known = {clause for page in pages() for clause in clauses(page)}
    unknown = {clause: places for clause, places in marked("rule").items() if clause not in known}
    assert not unknown


def test_clauses_are_numbered_without_gaps_or_doubles() -> None:
    for page in pages():
        found = clauses(page)
        assert found, f"{page.name} has no clauses"
        (prefix,) = {clause.split("-")[0] for clause in found}
        assert found == [f"{prefix}-{number}" for number in range(1, len(found) + 1)], page.name


@pytest.mark.parametrize("folder", ["docs", "cpp/include", "python"])
def test_citations_of_clauses_name_existing_ones(folder: str) -> None:
    known = {clause for page in pages() for clause in clauses(page)}
    prefixes = {clause.split("-")[0] for clause in known}
    for file in sorted((ROOT / folder).rglob("*")):
        if file.suffix in {".md", ".hpp", ".py"}:
            cited = MENTIONED.findall(file.read_text(encoding="utf-8"))
            unknown = {c for c in cited if c.split("-")[0] in prefixes} - known
            assert not unknown, file


def test_tests_of_rules_run_on_both_engines(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        if item.get_closest_marker("rule"):
            assert {"engine", "game", "seated_game"} & set(getattr(item, "fixturenames", ())), (
                item.nodeid
            )


@pytest.mark.parametrize("game", tc.registered_games())
def test_every_game_has_all_its_files(game: str) -> None:
    assert (HEADERS / f"{game}.hpp").is_file()
    assert (REFERENCE / f"{game}.py").is_file()
    assert (RULES / f"{game}.md").is_file()
    assert list((ROOT / "tests" / "rules").glob(f"test_{game}*.py"))


def test_every_file_of_a_game_belongs_to_a_registered_game() -> None:
    games = set(tc.registered_games())
    assert {header.stem for header in HEADERS.glob("*.hpp")} == games
    assert {
        module.stem for module in REFERENCE.glob("*.py") if not module.name.startswith("_")
    } == games
    assert {page.stem for page in pages()} == games


@pytest.mark.parametrize("game", tc.registered_games())
def test_the_rules_page_describes_every_key_and_option(game: str) -> None:
    page = (RULES / f"{game}.md").read_text(encoding="utf-8")
    loaded = tc.load_game(game)
    names = [*loaded.options, *loaded.new_initial_state().to_dict()]
    names += [field.name for field in loaded.observation_fields]
    assert not [name for name in names if name not in page]
