"""The laws of `tabletop_core.testing`, held by every game in both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tabletop_core import testing
from tests.configurations import Configuration, seatings, shortened, variants
from tests.engines import effort
from tests.walks import positions

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tabletop_core.protocol import Game, State


def name_of(law: Callable[..., None]) -> str:
    """Name a law in the id of a test."""
    return law.__name__.removeprefix("check_")


@pytest.mark.parametrize("law", testing.GAME_LAWS, ids=name_of)
def test_law_of_games(
    engine: ModuleType, configuration: Configuration, law: Callable[[Game], None]
) -> None:
    law(shortened(configuration).load(engine))


@pytest.mark.parametrize("law", testing.STATE_LAWS, ids=name_of)
def test_law_of_positions(
    engine: ModuleType, seated_game: Game, law: Callable[[State], None]
) -> None:
    for state in positions(seated_game, effort(engine, native=10, reference=3)):
        law(state)


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_every_law_holds_under_every_option(engine: ModuleType, variant: Configuration) -> None:
    # From the end, because the middle and the end of a game show more of an option than the deal does.
    known = positions(shortened(variant).load(engine), effort(engine, native=30, reference=15))
    for state in known[::-15]:
        for law in testing.STATE_LAWS:
            law(state)


@pytest.mark.parametrize("seating", seatings(), ids=str)
def test_laws_hold_all_along_random_games(seating: Configuration) -> None:
    checked = testing.check_game(seating.load(tc), games=1, seed=14, laws_per_node=1)
    assert checked.games == 1
    assert checked.laws_tried > checked.decisions + checked.chance_nodes


def test_what_is_no_number_of_games_or_laws_is_refused(engine: ModuleType) -> None:
    game = engine.load_game("dice_challenge", max_turns=4)
    check: Callable[..., testing.Checked] = testing.check_game
    for name, out_of_range in (("games", -1), ("games", 2**33), ("seed", -1), ("seed", 2**64)):
        with pytest.raises(tc.ArgumentError, match=f"^{name} is {out_of_range}; it must be 0"):
            check(game, **{"games": 0, name: out_of_range})
    with pytest.raises(tc.ArgumentError, match=r"^laws_per_node is -1; it must be 0"):
        check(game, games=0, laws_per_node=-1)
    for name in ("games", "seed", "laws_per_node"):
        for no_integer in (1.5, "1", [1]):
            with pytest.raises(tc.ArgumentTypeError, match=f"{name} .*must be an integer"):
                check(game, **{"games": 0, name: no_integer})
    assert check(game, games=np.int8(1), laws_per_node=np.int8(0)).games == 1


@pytest.mark.parametrize("name", tc.registered_games())
def test_laws_hold_all_along_a_game_of_the_reference(name: str) -> None:
    seating = next(seating for seating in seatings() if seating.game == name)
    game = shortened(seating).load(tc.reference)
    assert testing.check_game(game, games=1, seed=15, laws_per_node=1).games == 1
