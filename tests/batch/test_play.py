"""Every lane of a batch is a game played by hand with the generator of the lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.batch.lanes import FEW, MANY, NO_ACTION, SEED, VIEWS, load, random_steps, whole
from tests.configurations import Configuration, capped, seatings

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_lane_i_plays_what_playout_i_plays(game: tc.Game, threads: int) -> None:
    expected = tc.playouts(game, MANY, seed=SEED)
    batch = tc.Batch(game, MANY, seed=SEED, threads=threads, auto_restart=False)
    lengths = np.zeros(MANY, np.int64)
    actions = np.empty(MANY, np.int32)
    while (batch.current_players >= 0).any():
        lengths += batch.current_players >= 0
        batch.step(batch.sample_legal_actions(out=actions))
    np.testing.assert_array_equal(lengths, expected.lengths)
    np.testing.assert_array_equal(batch.returns, expected.returns)
    hashes = [batch[lane].stable_hash() for lane in range(MANY)]
    assert hashes == expected.final_hashes.tolist()


class Hand:
    """A lane that is played by the calls of a single state, and what a batch is to show of it."""

    def __init__(self, game: tc.Game, lane: int) -> None:
        """Begin the first game."""
        self.game = game
        self.rng = tc.Rng(SEED).split(lane)
        self.returns = np.zeros(game.num_players())
        self.start()
        self.stay()

    def start(self) -> None:
        """Begin a game."""
        self.state = self.game.new_initial_state()
        self.state.resolve_chance(self.rng)

    def stay(self) -> None:
        """Let a step pass by, or bring nothing."""
        self.rewards = np.zeros(self.game.num_players())
        self.terminated = self.truncated = False

    def sample(self) -> int:
        """Pick a legal action, if the game is not over."""
        legal = self.state.legal_actions()
        return legal[self.rng.below(len(legal))] if legal else NO_ACTION

    def step(self, action: int, *, restart: bool) -> None:
        """Play an action, and the chance behind it."""
        self.stay()
        if self.state.is_terminal():
            return
        self.state.apply_action(action)
        self.state.resolve_chance(self.rng)
        if self.state.is_terminal():
            self.terminated, self.truncated = True, self.state.is_truncated()
            self.rewards = self.returns = self.state.returns()
            if restart:
                self.start()

    def tensor(self, player: int) -> NDArray[np.float32]:
        """Observe as a batch does."""
        if player < 0:
            return np.zeros(self.game.observation_tensor_shape(), np.float32)
        return self.state.observation_tensor(player)


def play_by_hand(batch: tc.Batch, hands: list[Hand], after: int) -> list[Hand]:
    """Step a batch and the hands together until the first game of each lane is over, and some steps more; give those truncated."""
    game, truncated = batch.game, []
    shape = (len(batch), *game.observation_tensor_shape())
    masks = np.ones((len(batch), game.num_distinct_actions()), np.bool_)
    tensors = np.ones(shape, np.float32)
    ended: set[int] = set()
    steps = 0
    while len(ended) < len(batch) or after:
        after -= len(ended) == len(batch)
        observer = steps % game.num_players()
        assert batch.legal_actions_mask(out=masks) is masks
        assert batch.observation_tensor(out=tensors) is tensors
        observed = batch.observation_tensor(observer)
        drawn = batch.sample_legal_actions()
        batch.step(drawn)
        for lane, hand in enumerate(hands):
            state = hand.state
            assert np.flatnonzero(masks[lane]).tolist() == state.legal_actions()
            np.testing.assert_array_equal(tensors[lane], hand.tensor(state.current_player()))
            np.testing.assert_array_equal(observed[lane], hand.tensor(observer))
            action = hand.sample()
            assert drawn[lane] == action
            hand.step(action, restart=batch.auto_restart)
            assert batch[lane] == hand.state
            assert batch.current_players[lane] == hand.state.current_player()
            assert batch.rewards[lane].tolist() == hand.rewards.tolist()
            assert batch.returns[lane].tolist() == hand.returns.tolist()
            assert (batch.terminated[lane], batch.truncated[lane]) == (
                hand.terminated,
                hand.truncated,
            )
            if hand.terminated:
                ended.add(lane)
            if hand.truncated:
                truncated.append(hand)
        steps += 1
    return truncated


@pytest.mark.parametrize("restart", [True, False])
def test_lanes_are_games_played_by_hand(game: tc.Game, restart: bool) -> None:
    batch = tc.Batch(game, 2, seed=SEED, auto_restart=restart)
    hands = [Hand(game, lane) for lane in range(len(batch))]
    play_by_hand(batch, hands, after=5)


TURNS = 3
"""A cap that ends nearly every game."""

CAPPED = [capped(seating, TURNS) for seating in seatings() if capped(seating, TURNS) != seating]


@pytest.mark.parametrize("short", CAPPED, ids=str)
@pytest.mark.parametrize("restart", [True, False])
def test_caps_on_the_length_truncate(short: Configuration, restart: bool) -> None:
    game = load(short)
    batch = tc.Batch(game, FEW, seed=SEED, auto_restart=restart)
    hands = [Hand(game, lane) for lane in range(len(batch))]
    assert play_by_hand(batch, hands, after=5)


def test_a_finished_lane_stays_at_its_end(game: tc.Game) -> None:
    batch = tc.Batch(game, FEW, seed=SEED, auto_restart=False)
    ends = np.zeros(FEW, np.int64)
    while (batch.current_players >= 0).any():
        random_steps(batch, 1)
        ends += batch.terminated
    assert ends.tolist() == [1] * FEW  # terminated is set in that one step alone
    last, returns = batch.states.copy(), batch.returns.copy()
    held = whole(batch)
    assert batch.current_players.tolist() == [tc.PlayerId.TERMINAL] * FEW
    assert batch.sample_legal_actions().tolist() == [NO_ACTION] * FEW
    assert not batch.legal_actions_mask().any()
    assert not batch.observation_tensor().any()
    assert whole(batch) == held  # nothing was drawn
    for anything in ([NO_ACTION] * FEW, [0] * FEW, [2**62] * FEW, [2**64 - 1] * FEW):
        batch.step(anything)
        np.testing.assert_array_equal(batch.states, last)
        np.testing.assert_array_equal(batch.returns, returns)
        assert not batch.terminated.any()
        assert not batch.truncated.any()
        assert not batch.rewards.any()


def test_shapes_and_types(game: tc.Game) -> None:
    batch = tc.Batch(game, FEW)
    seats, actions = game.num_players(), game.num_distinct_actions()
    assert (len(batch), batch.game, batch.threads, batch.auto_restart) == (FEW, game, 1, True)
    arrays: dict[str, NDArray[Any]] = {name: getattr(batch, name) for name in VIEWS}
    for call in ("sample_legal_actions", "legal_actions_mask", "observation_tensor"):
        arrays[call] = getattr(batch, call)()
    expected: dict[str, tuple[Any, tuple[int, ...]]] = {
        "current_players": (np.int32, (FEW,)),
        "rewards": (np.float64, (FEW, seats)),
        "returns": (np.float64, (FEW, seats)),
        "terminated": (np.bool_, (FEW,)),
        "truncated": (np.bool_, (FEW,)),
        "states": (np.uint8, (FEW, batch.states.shape[1])),
        "sample_legal_actions": (np.int32, (FEW,)),
        "legal_actions_mask": (np.bool_, (FEW, actions)),
        "observation_tensor": (np.float32, (FEW, *game.observation_tensor_shape())),
    }
    assert {name: (array.dtype, array.shape) for name, array in arrays.items()} == expected


def test_equal_rows_of_states_are_equal_positions(game: tc.Game) -> None:
    batch = tc.Batch(game, MANY, seed=SEED)
    random_steps(batch, 1)
    twin = tc.Batch(game, MANY, seed=SEED + 1)
    random_steps(twin, 1)
    for lane in range(MANY):
        same_bytes = bool((batch.states[lane] == twin.states[lane]).all())
        assert same_bytes == (batch[lane] == twin[lane])


def test_seeds_matter_and_default_to_zero(game: tc.Game) -> None:
    held = []
    for batch in (
        tc.Batch(game, MANY),
        *(tc.Batch(game, MANY, seed=seed) for seed in (0, 1, 2**64 - 1)),
    ):
        random_steps(batch, 2)
        held.append(batch.states.copy())
    np.testing.assert_array_equal(held[0], held[1])
    assert not np.array_equal(held[0], held[2])
    assert not np.array_equal(held[2], held[3])
