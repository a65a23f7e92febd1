"""Indigo: what a seat knows, how the rest is dealt again, and observations, on both engines."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

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
    load,
    place_all,
    spoke,
    start,
    tiles_on,
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
    """Give the unseen tiles in this order to the other hands, seat by seat, and the rest to the
    pile.
    """
    changed = state.to_dict()
    tiles = iter(order)
    for other, hand in enumerate(changed["hands"]):
        if other != seat:
            changed["hands"][other] = sorted(next(tiles) for _ in hand)
    rest = Counter(tiles)
    changed["pile"] = [rest[kind] for kind in range(5)]
    return state.get_game().state_from_dict(changed)


@pytest.mark.rule("IN-41", "IN-51")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a049_a052_a_view_does_not_change_with_other_hands_and_the_pile(
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
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a055_resampling_keeps_what_the_seat_knows(
    engine: ModuleType, options: dict[str, Any]
) -> None:
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


def key(state: State) -> str:
    return json.dumps([state.to_dict()["hands"], state.to_dict()["pile"]])


@pytest.mark.rule("IN-52", "IN-53")
@pytest.mark.parametrize(
    ("options", "own", "unseen"),
    [
        ({"players": 2, "hand_size": 2}, [1, 3], [0, 0, 2, 3]),
        ({"players": 3, "hand_size": 1}, [0], [1, 1, 3]),
        ({"players": 3, "hand_size": 1, "ownership": "exclusive"}, [2], [0, 2, 3, 3]),
        ({"players": 4, "hand_size": 1}, [3], [2, 2, 3, 4, 4]),
    ],
    ids=str,
)
def test_resampling_has_the_distribution_of_tiles_dealt_from_the_unseen_ones(
    engine: ModuleType, options: dict[str, Any], own: list[int], unseen: list[int]
) -> None:
    """Each hidden deal comes within five standard deviations of its exact share."""
    tiles = full_board_without([*own, *unseen])
    seat = len(tiles) % options["players"]
    state = build(engine, tiles, hands={seat: own}, **options)
    exact = Counter(key(dealt_again(state, seat, order)) for order in permutations(unseen))
    total = sum(exact.values())
    assert len(exact) > 2
    draws = effort(engine, native=6000, reference=1500)
    rng = engine.Rng(2024)
    found = Counter(key(state.resample_from_infostate(seat, rng)) for _ in range(draws))
    assert found.keys() <= exact.keys()
    for deal, ways in exact.items():
        share = ways / total
        deviation = (draws * share * (1 - share)) ** 0.5
        assert abs(found[deal] - draws * share) < 5 * deviation


@pytest.mark.rule("IN-53")
def test_the_weight_of_a_split_is_a_product_over_types(engine: ModuleType) -> None:
    """Unseen 0 0 2 3, hand of two: 0 0 once, 0 2 and 0 3 twice each, 2 3 once, of six."""
    state = build(engine, full_board_without([1, 3, 0, 0, 2, 3]), hand_size=2, hands={0: [1, 3]})
    exact = Counter(
        tuple(dealt_again(state, 0, order).to_dict()["hands"][1])
        for order in permutations([0, 0, 2, 3])
    )
    assert exact == {(0, 0): 4, (0, 2): 8, (0, 3): 8, (2, 3): 4}
    samples = {
        tuple(state.resample_from_infostate(0, engine.Rng(seed)).to_dict()["hands"][1])
        for seed in range(80)
    }
    assert samples == set(exact)


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
