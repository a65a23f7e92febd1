"""Indigo: what a seat knows, how the rest is dealt again, and observations, on both engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.distribution import check_resampling
from tests.engines import effort
from tests.rules.indigo_board import (
    CELLS,
    COPIES,
    FREE_CELLS,
    GEMS,
    SETTINGS,
    TYPE_OF,
    build,
    full_board_without,
    hidden_deals,
    load,
    place_all,
    spoke,
    start,
    tiles_on,
    with_deal,
)
from tests.walks import walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

PHASES = ("deal", "place", "draw", "over")


def unseen_by(state: State, seat: int) -> list[int]:
    """The types of all tiles that lie neither on the board nor in the seat's hand, ascending."""
    left = list(COPIES)
    for matching in tiles_on(state).values():
        left[TYPE_OF[matching]] -= 1
    for kind in state.to_dict()["hands"][seat]:
        left[kind] -= 1
    return [kind for kind in range(5) for _ in range(left[kind])]


def dealt_again(state: State, seat: int, order: Sequence[int]) -> State:
    """Give the unseen tiles in this order to the other hands, and the rest to the pile."""
    return state.get_game().state_from_dict(with_deal(state.to_dict(), seat, order))


@pytest.mark.rule("IN-41", "IN-51")
@pytest.mark.fault("A049", "A052")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_view_does_not_change_with_other_hands_and_the_pile(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """In every phase, the end with tiles left included."""
    phases = set()
    differing = 0
    game = load(engine, **options)
    early_end = place_all(
        start(engine, **options), [move for corner in range(6) for move in spoke(corner)]
    )
    assert early_end.is_terminal()
    step = effort(engine, native=3, reference=5)
    states = [
        state.clone() for number, state in enumerate(walk(game, seed=23)) if number % step == 0
    ]
    for state in [*states, early_end]:
        phases.add(state.to_dict()["phase"])
        for seat in range(options["players"]):
            unseen = unseen_by(state, seat)
            for order in (unseen, unseen[::-1], unseen[1::2] + unseen[::2]):
                other = dealt_again(state, seat, order)
                differing += other != state
                assert other.observation_string(seat) == state.observation_string(seat)
                np.testing.assert_array_equal(
                    other.observation_tensor(seat), state.observation_tensor(seat)
                )
                assert other.legal_actions(seat) == state.legal_actions(seat)
    assert phases == set(PHASES)
    assert differing > 20


@pytest.mark.rule("IN-51")
def test_a_seat_sees_its_own_hand_and_the_others_do_not(engine: ModuleType) -> None:
    first = build(engine, {}, players=3, hand_size=2, hands={0: [0, 3], 1: [1, 1], 2: [2, 4]})
    other = build(engine, {}, players=3, hand_size=2, hands={0: [0, 4], 1: [1, 1], 2: [2, 4]})
    assert first.observation_string(0) != other.observation_string(0)
    assert first.observation_string(1) == other.observation_string(1)
    assert first.observation_string(2) == other.observation_string(2)


@pytest.mark.rule("IN-52")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_draw_shows_the_others_only_that_it_took_place(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for number, state in enumerate(walk(load(engine, **options), seed=31)):
        if not state.is_chance_node() or number % 5 > 2:
            continue
        drawing = state.to_dict()["seat"]
        children = [state.child(outcome) for outcome in state.legal_actions()]
        for seat in range(options["players"]):
            views = {child.observation_string(seat) for child in children}
            tensors = {child.observation_tensor(seat).tobytes() for child in children}
            shown = len(children) if seat == drawing else 1
            assert len(views) == len(tensors) == shown
            assert state.observation_string(seat) not in views
            texts = [state.action_to_string(outcome) for outcome in state.legal_actions()]
            told = [
                state.observed_action_to_string(seat, outcome) for outcome in state.legal_actions()
            ]
            assert told == (texts if seat == drawing else ["draw (hidden)"] * len(texts))


# --- dealing again -------------------------------------------------------------------------------


@pytest.mark.rule("IN-53", "IN-54")
@pytest.mark.fault("A055")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_resampling_keeps_what_the_seat_knows(engine: ModuleType, options: dict[str, Any]) -> None:
    rng = engine.Rng(9)
    changed = 0
    for number, state in enumerate(walk(load(engine, **options), seed=41)):
        if number % 4:
            continue
        before = state.to_bytes()
        for seat in range(options["players"]):
            sample = state.resample_from_infostate(seat, rng)
            changed += sample != state
            assert sample.observation_string(seat) == state.observation_string(seat)
            assert sample.legal_actions(seat) == state.legal_actions(seat)
            assert unseen_by(sample, seat) == unseen_by(state, seat)
        assert state.to_bytes() == before
    assert changed


@pytest.mark.rule("IN-54")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_resampling_fills_the_other_hands_tile_by_tile(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for number, state in enumerate(walk(load(engine, **options), seed=43)):
        if number % 4:
            continue
        for seat in range(options["players"]):
            rng, other_rng = engine.Rng(number), engine.Rng(number)
            unseen = unseen_by(state, seat)
            order: list[int] = []
            for other, hand in enumerate(state.to_dict()["hands"]):
                if other != seat:
                    order.extend(unseen.pop(rng.below(len(unseen))) for _ in hand)
            sample = state.resample_from_infostate(seat, other_rng)
            assert sample == dealt_again(state, seat, [*order, *unseen])
            assert rng == other_rng


SMALL: tuple[tuple[dict[str, Any], dict[int, list[int]], list[int], str], ...] = (
    ({"players": 2}, {0: [1], 1: [0]}, [0, 0, 3], "place"),
    ({"players": 2, "hand_size": 2}, {0: [1, 3], 1: [0, 0]}, [2, 3], "place"),
    ({"players": 2, "hand_size": 2}, {0: [0], 1: [1, 2]}, [2, 2, 3, 4], "draw"),
    ({"players": 3}, {0: [0], 1: [1], 2: [1]}, [3, 0, 0], "place"),
    ({"players": 3, "hand_size": 2}, {0: [0, 1], 1: [0, 2], 2: [0, 2]}, [1, 1, 4], "place"),
    ({"players": 3, "ownership": "exclusive"}, {0: [0], 1: [2], 2: [3]}, [3, 3, 4], "place"),
    ({"players": 4}, {0: [2], 1: [3], 2: [2], 3: [3]}, [4, 4], "place"),
    ({"players": 4}, {0: [2], 1: [4], 2: [4], 3: []}, [2, 0, 0], "draw"),
    ({"players": 4, "hand_size": 2}, {0: [2, 3], 1: [3, 3], 2: [2, 2], 3: [3, 3]}, [2, 2], "place"),
)
"""Options, hands by seat, pile and phase; who is to act follows from the number of tiles that are left."""


@pytest.mark.rule("IN-51", "IN-52", "IN-53")
@pytest.mark.parametrize(("options", "hands", "pile", "phase"), SMALL, ids=str)
def test_resampling_has_the_exact_distribution(
    engine: ModuleType,
    options: dict[str, Any],
    hands: dict[int, list[int]],
    pile: list[int],
    phase: str,
) -> None:
    """Seen from every seat, with a small pile."""
    tiles = full_board_without([*pile, *(kind for hand in hands.values() for kind in hand)])
    state = build(engine, tiles, hands=hands, phase=phase, **options)
    for seat in range(options["players"]):
        check_resampling(
            state,
            seat,
            hidden_deals(state.to_dict(), seat),
            draws=effort(engine, native=10_000, reference=500),
        )


@pytest.mark.rule("IN-41", "IN-53")
@pytest.mark.parametrize("hand_size", [1, 2])
def test_resampling_has_the_exact_distribution_in_the_deal_and_at_the_end(
    engine: ModuleType, hand_size: int
) -> None:
    """One or two tiles are hidden in a hand, all the rest in the pile."""
    moves = [move for corner in range(6) for move in spoke(corner)]
    end = place_all(start(engine, players=2, hand_size=hand_size), moves)
    assert end.is_terminal()
    deal = load(engine, players=3, hand_size=hand_size).new_initial_state()
    for _ in range(hand_size):
        deal.apply_action(2)
    for state in (deal, end):
        check_resampling(
            state,
            1,
            hidden_deals(state.to_dict(), 1),
            draws=effort(engine, native=10_000, reference=500),
        )


# --- observations --------------------------------------------------------------------------------


def view_of(state: State, seat: int) -> dict[str, Any]:
    """What a seat knows, from the dict of the position."""
    shown = state.to_dict()
    return {
        "observer": seat,
        "phase": shown["phase"],
        "seat": shown["seat"],
        "tiles": shown["tiles"],
        "gems": shown["gems"],
        "centre": shown["centre"],
        "pile_size": sum(shown["pile"]),
        "hand": shown["hands"][seat],
        "hand_sizes": [len(hand) for hand in shown["hands"]],
        "won": shown["won"],
    }


def tensor_of(state: State, seat: int, players: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The observation tensor, from the same knowledge."""
    view = view_of(state, seat)
    tiles = np.zeros((54, 15))
    for cell, matching in tiles_on(state).items():
        tiles[FREE_CELLS.index(cell), matching] = 1
    gems = np.zeros((3, 61, 6))
    for gem in view["gems"]:
        gems[GEMS.index(gem["gem"]), CELLS.index(tuple(gem["cell"])), gem["edge"]] = 1
    parts = [
        np.eye(players)[seat],
        np.eye(4)[PHASES.index(view["phase"])],
        np.eye(players)[view["seat"]],
        tiles.ravel(),
        gems.ravel(),
        [view["centre"]["emerald"], view["centre"]["sapphire"]],
        [view["hand"].count(kind) for kind in range(5)],
        view["hand_sizes"],
        [view["pile_size"]],
        [count for won in view["won"] for count in won.values()],
    ]
    return np.concatenate(parts).astype(np.float32)


@pytest.mark.rule("IN-63")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_observation_fields_have_their_names_and_shapes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game, players = load(engine, **options), options["players"]
    shapes = {
        "observer": (players,),
        "phase": (4,),
        "seat": (players,),
        "tiles": (54, 15),
        "gems": (3, 61, 6),
        "centre": (2,),
        "hand": (5,),
        "hand_sizes": (players,),
        "pile_size": (1,),
        "won": (players, 3),
    }
    begin = 0
    assert [field.name for field in game.observation_fields] == list(shapes)
    for field in game.observation_fields:
        assert (field.start, tuple(field.shape)) == (begin, shapes[field.name])
        assert field.meaning
        begin += int(np.prod(field.shape))
    assert list(game.observation_tensor_shape()) == [begin]


@pytest.mark.rule("IN-51", "IN-63", "IN-64")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_observations_show_what_the_seat_knows(engine: ModuleType, options: dict[str, Any]) -> None:
    for number, state in enumerate(walk(load(engine, **options), seed=53)):
        if number % 3 == 1:
            continue
        for seat in range(options["players"]):
            tensor = tensor_of(state, seat, options["players"])
            np.testing.assert_array_equal(state.observation_tensor(seat), tensor)
            lines = [f"{name}: {json.dumps(value)}" for name, value in view_of(state, seat).items()]
            assert state.observation_string(seat) == "\n".join(lines)


@pytest.mark.rule("IN-63")
def test_tiles_of_the_tensor_are_indexed_by_action_id(engine: ModuleType) -> None:
    state = start(engine)
    field = next(f for f in state.get_game().observation_fields if f.name == "tiles")
    for action in state.legal_actions()[::7]:
        tiles = state.child(action).observation_tensor(1)[field.start : field.stop]
        assert tiles.nonzero()[0].tolist() == [action]
