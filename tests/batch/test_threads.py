"""Batches and Python threads."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import MANY, SEED, AlmostArray, assert_same, put, random_steps, whole
from tests.walks import first_decision, run_python


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


# What the threads of a batch outlive, and what outlives them, in a process of its own.
LIFE_OF_THREADS = """
import os
import tabletop_core as tc
from tests.batch.lanes import random_steps, whole
def threads():
    return len(os.listdir("/proc/self/task"))
game = tc.load_game({game!r})
before = threads()
kept = tc.Batch(game, 1_000, threads=3)
alone = tc.Batch(game, 1_000)
random_steps(alone, 10)
random_steps(kept, 5)
during = threads()
if child := os.fork():
    random_steps(kept, 5)
    copy = kept.fork(range(1_000))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(kept.states.tobytes() == alone.states.tobytes() == copy.states.tobytes())
    random_steps(copy, 1)
    print(during - before, threads() - before)
    del copy
    print(threads() - before)
    del kept
    print(threads() - before)
    left = tc.Batch(game, 1_000, threads=3)  # to the end of the process
else:
    random_steps(kept, 5)
    assert kept.states.tobytes() == alone.states.tobytes()
    del kept
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for the threads in /proc")
@pytest.mark.parametrize("name", tc.registered_games())
def test_threads_stay_with_a_batch_and_end_with_it(name: str) -> None:
    # The thread that numpy's algebra keeps ends in a fork.
    alone = {"OPENBLAS_NUM_THREADS": "1"}
    result = run_python(LIFE_OF_THREADS.format(game=name), environment=alone)
    expected = ["0", "True", "2 4", "2", "0"]
    assert (result.returncode, result.stdout.splitlines()) == (0, expected), result.stderr
