"""Every game plays as it did when its golden figures were stored; they move only with its version."""

from __future__ import annotations

import pytest

import tabletop_core as tc
from tests import goldens
from tests.configurations import Configuration, configurations, seatings
from tests.engines import NATIVE, REFERENCE

FEWEST_DEPTHS = 3
NODES_FOR_THE_REFERENCE = 4_000


def test_every_game_has_a_golden_and_every_golden_a_game() -> None:
    assert sorted(file.stem for file in goldens.FOLDER.glob("*.json")) == tc.registered_games()


@pytest.mark.parametrize("game", tc.registered_games())
def test_goldens_are_of_this_version_and_complete(game: str) -> None:
    stored = goldens.read(game)
    assert stored["game"] == game
    assert stored["version"] == tc.load_game(game).version
    assert list(stored["signatures"]) == [str(c) for c in configurations() if c.game == game]
    assert list(stored["vectors"]) == list(stored["signatures"])
    assert list(stored["perft"]) == [str(s) for s in seatings() if s.game == game]
    assert goldens.path_of(game).read_text(encoding="utf-8") == goldens.as_text(stored)


def test_a_thousand_random_games_end_as_they_did(configuration: Configuration) -> None:
    stored = goldens.read(configuration.game)["signatures"][str(configuration)]
    assert [goldens.signature(configuration, threads) for threads in (1, 2, 8)] == [stored] * 3


def test_vectors_are_as_they_were(configuration: Configuration) -> None:
    stored = goldens.read(configuration.game)["vectors"][str(configuration)]
    assert goldens.vector(configuration, NATIVE) == stored


def test_the_reference_gives_the_same_vectors(seating: Configuration) -> None:
    stored = goldens.read(seating.game)["vectors"][str(seating)]
    assert goldens.vector(seating, REFERENCE) == stored


def test_signatures_tell_configurations_apart() -> None:
    for game in tc.registered_games():
        signatures = list(goldens.read(game)["signatures"].values())
        assert len(set(signatures)) == len(signatures)


def test_node_counts_are_as_they_were(seating: Configuration) -> None:
    stored = goldens.read(seating.game)["perft"][str(seating)]
    for name, state in goldens.starts(seating).items():
        assert len(stored[name]) >= FEWEST_DEPTHS
        for depth, nodes in enumerate(stored[name]):
            assert list(NATIVE.perft(state, depth)) == nodes, (name, depth)


def test_the_reference_counts_the_same_nodes(seating: Configuration) -> None:
    stored = goldens.read(seating.game)["perft"][str(seating)]
    game = seating.load(REFERENCE)
    for name, state in goldens.starts(seating).items():
        twin = game.state_from_bytes(state.to_bytes())
        for depth, nodes in enumerate(stored[name]):
            if sum(nodes) <= NODES_FOR_THE_REFERENCE:
                assert list(REFERENCE.perft(twin, depth)) == nodes, (name, depth)


def test_the_command_refuses_to_move_figures_of_a_standing_version(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goldens, "FOLDER", tmp_path_factory.mktemp("goldens"))
    monkeypatch.setattr(goldens, "PLAYOUTS", 5)
    monkeypatch.setattr(goldens, "MOST_NODES", 500)
    game = tc.registered_games()[0]
    assert goldens.main([game]) == 0
    first = goldens.path_of(game).read_text(encoding="utf-8")
    assert goldens.main([game]) == 0
    assert goldens.path_of(game).read_text(encoding="utf-8") == first
    monkeypatch.setattr(goldens, "SEED", 2)
    assert goldens.main([game]) == 1
    assert goldens.path_of(game).read_text(encoding="utf-8") == first
    goldens.path_of(game).write_text(
        first.replace('"version": "', '"version": "old '), encoding="utf-8"
    )
    assert goldens.main([game]) == 0
    assert goldens.path_of(game).read_text(encoding="utf-8") != first
