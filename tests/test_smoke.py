"""What every wheel must do wherever it is installed: load, tell its version, play each game; it needs nothing but pytest."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

import tabletop_core as tc
from tabletop_core import _core


def test_the_version_is_the_same_everywhere() -> None:
    assert tc.__version__ == _core.__version__ == version("tabletop-core")


def test_the_headers_and_the_cmake_package_are_installed() -> None:
    header = Path(tc.get_include()) / "tabletop" / "version.hpp"
    assert f'"{tc.__version__}"' in header.read_text(encoding="utf-8")
    assert (Path(tc.get_cmake_dir()) / "tabletop_coreConfig.cmake").is_file()


@pytest.mark.parametrize("name", tc.registered_games())
def test_the_rules_page_of_a_game_is_installed(name: str) -> None:
    page = Path(tc.get_include()).parent / "rules" / f"{name}.md"
    assert page.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", tc.registered_games())
def test_a_game_is_played_to_its_end(name: str) -> None:
    game = tc.load_game(name)
    state = game.new_initial_state()
    rng = tc.Rng(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        else:
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
    assert len(state.scores()) == len(state.returns()) == game.num_players()
    assert game.state_from_bytes(state.to_bytes()) == state
