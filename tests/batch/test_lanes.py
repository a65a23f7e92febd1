"""Views of all lanes, and single lanes read and set."""

from __future__ import annotations

import copy
import gc
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import FEW, MANY, NO_ACTION, SEED, VIEWS, load, put, random_steps, whole
from tests.configurations import Configuration, seatings
from tests.errors.strange import HUGE, Unspeakable, Whole
from tests.walks import end


def test_views_are_for_reading_only(batch: tc.Batch) -> None:
    held = whole(batch)
    for name in VIEWS:
        array = getattr(batch, name)
        views: list[Any] = [array, array[:1], array.view(), array.reshape(-1), np.asarray(array)]
        for view in views:
            assert not view.flags.writeable
            with pytest.raises(ValueError, match="WRITEABLE"):
                view.flags.writeable = True
            with pytest.raises(ValueError, match="WRITEABLE"):
                view.setflags(write=True)
            with pytest.raises(ValueError, match="read-only"):
                view[...] = 1
            with pytest.raises((TypeError, ValueError)):
                memoryview(view).cast("B")[0] = 1
        with pytest.raises(AttributeError):
            setattr(batch, name, array)
    with pytest.raises(tc.ArgumentError, match="read-only"):
        batch.sample_legal_actions(out=batch.current_players)
    assert whole(batch) == held


def test_views_keep_the_lanes_alive(game: tc.Game) -> None:
    batch = tc.Batch(game, MANY, seed=SEED)
    random_steps(batch, 3)
    views = {name: getattr(batch, name) for name in VIEWS}
    copies = {name: view.copy() for name, view in views.items()}
    del batch
    gc.collect()
    others = [tc.Batch(game, MANY, seed=seed) for seed in range(5)]  # take the memory, were it free
    for name, view in views.items():
        np.testing.assert_array_equal(view, copies[name], err_msg=name)
    assert len(others) == 5


def test_views_show_the_lanes_as_they_are_now(game: tc.Game) -> None:
    batch = tc.Batch(game, FEW, seed=SEED)
    views = {name: getattr(batch, name) for name in VIEWS}
    start = batch.states.copy()
    random_steps(batch, 1)
    assert not (views["states"] == start).all(axis=1).any()
    while not views["terminated"].any():
        random_steps(batch, 1)
    assert any(views["rewards"][views["terminated"]].tolist())
    for name, view in views.items():
        np.testing.assert_array_equal(view, getattr(batch, name), err_msg=name)


def test_a_lane_is_read_as_a_copy(batch: tc.Batch) -> None:
    held = whole(batch)
    lanes = list(range(FEW))
    assert [batch[lane - FEW] for lane in lanes] == [batch[lane] for lane in lanes] == [*batch]
    assert batch[np.uint8(1)] == batch[Whole(1)] == batch[1]
    state = batch[0]
    assert isinstance(state, tc.State)
    assert state.get_game() == batch.game
    state.apply_action(state.legal_actions()[0])
    assert state != batch[0]
    assert whole(batch) == held


def test_lanes_come_one_after_another(batch: tc.Batch) -> None:
    assert isinstance(batch, Iterable)
    assert list(batch) == [batch[lane] for lane in range(len(batch))]


def test_lanes_that_do_not_exist(batch: tc.Batch) -> None:
    held = whole(batch)
    loose: Any = batch
    state = batch[0]
    wrong: list[Any] = [None, "0", 0.0, [0], slice(0, 1), (0, 0), np.array([0, 1]), Unspeakable()]
    cases: list[tuple[type[Exception], list[Any]]] = [
        (tc.LaneError, [FEW, -FEW - 1, 2**63, HUGE, -HUGE]),
        (tc.ArgumentTypeError, wrong),
    ]
    for error, lanes in cases:
        for lane in lanes:
            with pytest.raises(error, match="lane"):
                loose[lane]
            with pytest.raises(error, match="lane"):
                loose[lane] = state
    with pytest.raises((AttributeError, TypeError)):
        del loose[0]
    assert whole(batch) == held


def test_a_lane_takes_a_position(batch: tc.Batch) -> None:
    twin = copy.copy(batch)
    batch[-1] = tc.load_game(batch.game.name, **batch.game.options).state_from_bytes(
        twin[0].to_bytes()
    )
    assert batch[-1] == twin[0]
    assert batch.current_players[-1] == twin.current_players[0]
    assert batch.legal_actions_mask()[-1].tolist() == twin.legal_actions_mask()[0].tolist()
    np.testing.assert_array_equal(batch.observation_tensor()[-1], twin.observation_tensor()[0])
    np.testing.assert_array_equal(batch.states[:-1], twin.states[:-1])
    # The generator of the lane is still its own.
    batch[-1] = twin[-1]
    assert batch.sample_legal_actions().tolist() == twin.sample_legal_actions().tolist()


def test_a_lane_refuses_what_is_no_position_of_its_game(
    seating: Configuration, batch: tc.Batch
) -> None:
    held = whole(batch)
    other = next(load(config) for config in seatings() if config != seating)
    with pytest.raises(tc.ArgumentError, match="game"):
        batch[0] = other.new_initial_state()
    reference = seating.load(tc.reference)
    for wrong in (None, batch.game, batch[0].to_bytes(), reference.new_initial_state(), batch):
        with pytest.raises(tc.ArgumentTypeError, match="State"):
            put(batch, 0, wrong)
    assert whole(batch) == held


def test_a_lane_at_a_chance_node_moves_on_by_its_own_generator(game: tc.Game) -> None:
    batch = tc.Batch(game, FEW, seed=SEED)
    rng = tc.Rng(SEED).split(2)
    game.new_initial_state().resolve_chance(rng)
    chance = game.new_initial_state()
    while not chance.is_terminal():  # to a chance node in mid-game, if there is one
        chance.apply_action(chance.legal_actions()[-1])
        if chance.is_chance_node():
            break
    if chance.is_terminal():
        chance = game.new_initial_state()
    before = chance.to_bytes()
    batch[2] = chance
    assert chance.to_bytes() == before
    chance.resolve_chance(rng)
    assert batch[2] == chance
    legal = chance.legal_actions()
    assert batch.sample_legal_actions()[2] == (legal[rng.below(len(legal))] if legal else NO_ACTION)


@pytest.mark.parametrize("restart", [True, False])
def test_a_lane_that_is_given_an_end_stays_there(game: tc.Game, restart: bool) -> None:
    batch = tc.Batch(game, FEW, seed=SEED, auto_restart=restart)
    while not batch.terminated[1]:
        random_steps(batch, 1)
    returns = batch.returns.copy()
    batch[1] = last = game.state_from_bytes(end(game, seed=3).to_bytes())
    for _ in range(3):
        assert batch.current_players[1] == tc.PlayerId.TERMINAL
        assert not batch.legal_actions_mask()[1].any()
        assert not batch.terminated[1]
        assert not batch.rewards[1].any()
        assert batch.returns[1].tolist() == returns[1].tolist()
        assert batch[1] == last
        actions = batch.sample_legal_actions()
        assert actions[1] == NO_ACTION
        batch.step(actions)
    batch[1] = game.new_initial_state()
    assert batch.current_players[1] >= 0
