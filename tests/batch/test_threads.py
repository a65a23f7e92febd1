"""Batches and Python threads."""

from __future__ import annotations

import copy
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import MANY, SEED, AlmostArray, assert_same, put, random_steps, whole
from tests.walks import first_decision


def test_batches_play_side_by_side_in_several_threads(game: tc.Game) -> None:
    def play(seed: int) -> bytes:
        batch = tc.Batch(game, MANY, seed=seed, threads=2)
        random_steps(batch, 30)
        return whole(batch)

    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(play, range(4)))
    assert parallel == [play(seed) for seed in range(4)]


def test_a_batch_belongs_to_one_thread_at_a_time(batch: tc.Batch) -> None:
    # What the batch asks in the middle of a call lets another thread, and this one, try to come in between.
    actions = batch.sample_legal_actions().astype(np.int64)
    expected = copy.copy(batch)
    expected.step(actions)
    state = batch[0]
    refused = 0

    def intrude() -> None:
        nonlocal refused
        for call in (
            lambda: batch.step(actions),
            batch.sample_legal_actions,
            batch.legal_actions_mask,
            batch.observation_tensor,
            lambda: batch[0],
            lambda: put(batch, 0, state),
            lambda: batch.fork([0]),
            lambda: copy.copy(batch),
            lambda: copy.deepcopy(batch),
            lambda: pickle.dumps(batch),
        ):
            with pytest.raises(tc.ArgumentError, match="in use"):
                call()
            refused += 1

    def from_both_threads() -> None:
        thread = threading.Thread(target=intrude)
        thread.start()
        thread.join()
        intrude()

    giver: Any = AlmostArray(actions, from_both_threads)
    batch.step(giver)
    assert refused == 20
    assert_same(batch, expected)


def test_threads_that_share_a_batch_do_no_harm(game: tc.Game) -> None:
    batch = tc.Batch(game, MANY, seed=SEED, threads=2)
    state = first_decision(game)
    unexpected: list[BaseException] = []

    def meddle() -> None:
        for _ in range(40):
            try:
                batch.step(batch.sample_legal_actions())
                batch.legal_actions_mask()
                batch.observation_tensor()
                put(batch, 7, state)
                batch.fork([1, 2, 3])
            except (tc.ArgumentError, tc.IllegalActionError):
                continue
            except BaseException as error:  # noqa: BLE001
                unexpected.append(error)

    threads = [threading.Thread(target=meddle) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unexpected
    for lane in range(MANY):
        position = batch[lane]
        assert game.state_from_bytes(position.to_bytes()) == position
        assert batch.current_players[lane] == position.current_player()
    random_steps(batch, 5)
