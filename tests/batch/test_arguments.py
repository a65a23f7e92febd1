"""No argument of a batch does harm."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import FEW, SEED, AlmostArray, assert_same, whole
from tests.configurations import Configuration
from tests.errors.strange import HUGE, Unspeakable, Whole


def test_an_illegal_action_names_lane_and_action_and_moves_nothing(batch: tc.Batch) -> None:
    held, states = whole(batch), batch.states.copy()
    masks = batch.legal_actions_mask()
    legal = masks.argmax(axis=1)
    count = batch.game.num_distinct_actions()
    for lane in range(FEW):
        unknown = [-1, count, 2**31, -(2**31), 2**32, 2**62, -(2**62), 2**63 - 1, -(2**63)]
        for action in (*np.flatnonzero(~masks[lane])[:3].tolist(), *unknown):
            actions = legal.tolist()
            actions[lane] = action
            for given in (actions, np.array(actions, np.int64)):
                with pytest.raises(tc.IllegalActionError, match=rf"\b{lane}\b") as caught:
                    batch.step(given)
                message = str(caught.value)
                assert f"lane {lane}" in message
                assert f"action {action} " in message
                if 0 <= action < count:
                    assert batch.game.action_to_string(action) in message
    # A number that is negative once it has 64 signed bits is none of the known ones either.
    with pytest.raises(tc.IllegalActionError, match="lane 1"):
        batch.step(np.array([legal[0], 2**64 - 1, *legal[2:]], np.uint64))
    for huge in (HUGE, -HUGE):
        with pytest.raises(tc.IllegalActionError, match=f"action {huge} is not legal in lane 0"):
            batch.step([huge] * FEW)
    np.testing.assert_array_equal(batch.states, states)
    assert whole(batch) == held


def test_actions_may_be_any_integers(batch: tc.Batch) -> None:
    drawn = batch.sample_legal_actions().tolist()
    expected = copy.copy(batch)
    expected.step(np.array(drawn, np.int32))
    wide = np.zeros((FEW, 3), np.int16)
    wide[:, 1] = drawn
    unaligned = np.frombuffer(b"x" + np.array(drawn, np.int64).tobytes(), np.int64, FEW, 1)
    swapped = np.array(drawn, ">i4")
    readonly = np.array(drawn, np.uint64)
    readonly.flags.writeable = False
    giver: Any = AlmostArray(np.array(drawn))
    indices: Any = [Whole(action) for action in drawn]
    objects = np.array(drawn, object)
    arrays = (wide[:, 1], unaligned, swapped, readonly, objects)
    for given in (drawn, tuple(drawn), *arrays, giver, indices):
        lanes = copy.copy(batch)
        lanes.step(given)
        assert_same(lanes, expected)
    lanes = copy.copy(batch)
    lanes.step(np.array(drawn[::-1], np.uint16)[::-1])
    assert_same(lanes, expected)


def test_actions_of_the_wrong_kind_are_refused(batch: tc.Batch) -> None:
    held = whole(batch)
    loose: Any = batch
    good = batch.legal_actions_mask().argmax(axis=1)
    for wrong in (
        None,
        "0000",
        b"0000",
        object(),
        Unspeakable(),
        good.astype(np.float64),
        good.astype(np.complex128),
        good.astype(np.bool_),
        good.astype(str),
        good.astype("m8[s]"),
        [0.0] * FEW,
        [None] * FEW,
        [*good[:-1], "0"],
        {0: 1},
        AlmostArray("no array"),  # type: ignore[arg-type]
    ):
        with pytest.raises(tc.ArgumentTypeError, match="actions"):
            loose.step(wrong)
    for wrong in (0, [], [0], good[:-1], [*good, 0], [good], good[:, None], np.zeros((0, FEW))):
        with pytest.raises(tc.ArgumentError, match=r"shape .*\(4,\)"):
            loose.step(wrong)
    with pytest.raises(TypeError):
        loose.step()
    assert whole(batch) == held


def test_wrong_arrays_to_fill_are_refused(batch: tc.Batch) -> None:
    held = whole(batch)
    twin = copy.copy(batch)
    for name in ("sample_legal_actions", "legal_actions_mask", "observation_tensor"):
        call, good = getattr(batch, name), getattr(twin, name)()
        other = np.int64 if good.dtype != np.int64 else np.int32
        swapped = good.astype(good.dtype.newbyteorder())
        wrong_types = [good.astype(other), good.tolist(), b"", "out", 0, Unspeakable()]
        if good.dtype.itemsize > 1:
            wrong_types.append(swapped)
        for wrong in wrong_types:
            with pytest.raises(tc.ArgumentTypeError, match="out"):
                call(out=wrong)
        readonly = good.copy()
        readonly.flags.writeable = False
        gaps = np.repeat(good, 2, axis=0)[::2]
        for wrong in (good[1:], good[None], good[:0], good.reshape(-1)[:1], readonly, gaps):
            with pytest.raises(tc.ArgumentError, match="out"):
                call(out=wrong)
    assert whole(batch) == held


def test_observers_are_seats(batch: tc.Batch) -> None:
    loose: Any = batch
    expected = batch.observation_tensor(0)
    for seat in (Whole(0), np.int8(0), np.array(0), False):
        np.testing.assert_array_equal(loose.observation_tensor(seat), expected)
    for number in (-1, -4, batch.game.num_players(), 2**31, 2**32, HUGE, -HUGE):
        with pytest.raises(tc.ArgumentError, match="player"):
            loose.observation_tensor(number)
    for wrong in ("0", 0.0, math.nan, [0], object()):
        with pytest.raises(tc.ArgumentTypeError, match="player"):
            loose.observation_tensor(wrong)


def test_batches_are_made_of_what_they_should(seating: Configuration, game: tc.Game) -> None:
    kind: Any = tc.Batch
    by_name = kind(game=game, num_lanes=FEW, seed=SEED, threads=2, auto_restart=False)
    assert_same(kind(game, Whole(FEW), Whole(SEED), np.int16(2), False), by_name)
    for name, wrong in (
        *(("num_lanes", number) for number in (0, -1, 2**24 + 1, 2**63, HUGE, -HUGE)),
        *(("threads", number) for number in (0, -1, 1025, 2**64, HUGE, -HUGE)),
        *(("seed", number) for number in (-1, 2**64, HUGE, -HUGE)),
    ):
        with pytest.raises(tc.ArgumentError, match=name):
            kind(**{"game": game, "num_lanes": 1, name: wrong})
    for name in ("num_lanes", "threads", "seed"):
        for junk in (None, "1", 1.0, [1], math.nan, object(), Unspeakable()):
            with pytest.raises(tc.ArgumentTypeError, match=name):
                kind(**{"game": game, "num_lanes": 1, name: junk})
    for junk in (0, 1, None, "True", [], np.True_):
        with pytest.raises(tc.ArgumentTypeError, match="auto_restart"):
            kind(game, 1, auto_restart=junk)
    reference = seating.load(tc.reference)
    for junk in (None, game.name, reference, game.new_initial_state(), tc.Game, 1, Unspeakable()):
        with pytest.raises(tc.ArgumentTypeError, match="game"):
            kind(junk, 1)


def test_there_are_no_half_made_batches(game: tc.Game) -> None:
    kind: Any = tc.Batch
    for make in (
        lambda: kind.__new__(kind),
        lambda: kind.__new__(kind, game),
        lambda: object.__new__(kind),
        kind,
        lambda: kind(game),
        lambda: kind(game, 1, 0, 1, True, 0),
        lambda: kind(game, 1, lanes=1),
        lambda: kind(game, 1, num_lanes=1),
        lambda: type("Child", (kind,), {}),
    ):
        with pytest.raises(TypeError):
            make()
    batch = kind.__new__(kind, game, FEW, SEED)
    assert_same(batch, kind(game, FEW, SEED))
    batch.__init__(game, 1, 0)
    assert_same(batch, kind(game, FEW, SEED))
