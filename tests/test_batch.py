"""`Batch`: every lane is a game played by hand with the lane's generator, and no argument does harm."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import Configuration, capped, seatings
from tests.errors.strange import HUGE, Unspeakable, Whole
from tests.walks import end, first_decision

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SEED = 5
MANY = 200
"""Lanes enough for several threads to have work."""

FEW = 4
TURNS = 3
"""A cap that ends nearly every game."""

VIEWS = ("current_players", "rewards", "returns", "terminated", "truncated", "states")
NO_ACTION = -1


def load(configuration: Configuration) -> tc.Game:
    """Load the game as what a batch takes, the native engine's."""
    return tc.load_game(configuration.game, **dict(configuration.options))


@pytest.fixture
def game(seating: Configuration) -> tc.Game:
    """One game with one number of players."""
    return load(seating)


@pytest.fixture
def batch(game: tc.Game) -> tc.Batch:
    """Some lanes a few steps into the game."""
    lanes = tc.Batch(game, FEW, seed=SEED)
    for _ in range(3):
        lanes.step(lanes.sample_legal_actions())
    return lanes


def whole(batch: tc.Batch) -> bytes:
    """Give all that a batch holds, its generators included."""
    return pickle.dumps(batch)


def random_steps(batch: tc.Batch, count: int) -> None:
    """Let every lane play so many uniformly random actions."""
    for _ in range(count):
        batch.step(batch.sample_legal_actions())


def assert_same(one: tc.Batch, other: tc.Batch) -> None:
    """Compare all that two batches show and hold."""
    assert (one.game, one.threads, one.auto_restart) == (
        other.game,
        other.threads,
        other.auto_restart,
    )
    for name in VIEWS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert whole(one) == whole(other)


# --- What a lane plays -----------------------------------------------------------------------------------------------------------


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


# --- Arguments -------------------------------------------------------------------------------------------------------------------


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
    giver: Any = _Array(np.array(drawn))
    for given in (drawn, tuple(drawn), wide[:, 1], unaligned, swapped, readonly, giver):
        lanes = copy.copy(batch)
        lanes.step(given)
        assert_same(lanes, expected)
    lanes = copy.copy(batch)
    lanes.step(np.array(drawn[::-1], np.uint16)[::-1])
    assert_same(lanes, expected)


class _Array:
    """An array in all but name."""

    def __init__(
        self, array: NDArray[np.int64], before: Callable[[], object] | None = None
    ) -> None:
        self._array = array
        self._before = before

    def __array__(self, dtype: object = None, copy: object = None) -> NDArray[np.int64]:
        if self._before is not None:
            self._before()
        return self._array


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
        good.astype(object),
        good.astype(str),
        good.astype("m8[s]"),
        [0.0] * FEW,
        [HUGE] * FEW,
        [-HUGE] * FEW,
        [None] * FEW,
        {0: 1},
        _Array("no array"),  # type: ignore[arg-type]
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


# --- Views -----------------------------------------------------------------------------------------------------------------------


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


# --- Single lanes ----------------------------------------------------------------------------------------------------------------


def test_a_lane_is_read_as_a_copy(batch: tc.Batch) -> None:
    held = whole(batch)
    loose: Any = batch
    lanes = list(range(FEW))
    assert [batch[lane - FEW] for lane in lanes] == [batch[lane] for lane in lanes] == [*loose]
    assert batch[np.uint8(1)] == batch[Whole(1)] == batch[1]
    state = batch[0]
    assert isinstance(state, tc.State)
    assert state.get_game() == batch.game
    state.apply_action(state.legal_actions()[0])
    assert state != batch[0]
    assert whole(batch) == held


def test_lanes_that_do_not_exist(batch: tc.Batch) -> None:
    held = whole(batch)
    loose: Any = batch
    state = batch[0]
    wrong: list[Any] = [None, "0", 0.0, [0], slice(0, 1), (0, 0), np.array([0, 1]), Unspeakable()]
    cases: list[tuple[type[Exception], list[Any]]] = [
        (IndexError, [FEW, -FEW - 1, 2**63, HUGE, -HUGE]),
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


def put(batch: Any, lane: Any, state: Any) -> None:
    """Set a lane."""
    batch[lane] = state


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


# --- Copies ----------------------------------------------------------------------------------------------------------------------


def test_forks_are_copies_of_lanes(batch: tc.Batch) -> None:
    held = whole(batch)
    chosen = [0, 2, 0, -1, 0]
    for given in (chosen, tuple(chosen), np.array(chosen, np.int8), np.array(chosen)[::-1][::-1]):
        fork = batch.fork(given)
        assert len(fork) == len(chosen)
        assert (fork.game, fork.threads, fork.auto_restart) == (batch.game, 1, True)
        for name in VIEWS:
            np.testing.assert_array_equal(getattr(fork, name), getattr(batch, name)[chosen])
    drawn = pickle.loads(held).sample_legal_actions()
    sampled = fork.sample_legal_actions()
    assert sampled.tolist() == drawn[chosen].tolist()  # equal generators
    fork.step(sampled)
    assert whole(batch) == held
    assert_same(batch.fork(range(FEW)), batch)


def test_forks_with_a_seed_have_generators_of_their_own(batch: tc.Batch) -> None:
    held = whole(batch)
    fork = batch.fork([1] * MANY, seed=9)
    legal = batch[1].legal_actions()
    expected = [legal[tc.Rng(9).split(lane).below(len(legal))] for lane in range(MANY)]
    assert fork.sample_legal_actions().tolist() == expected
    assert whole(batch) == held


def test_forks_of_lanes_that_do_not_exist(batch: tc.Batch) -> None:
    loose: Any = batch
    unknown: list[Any] = [[FEW], [0, -FEW - 1], [2**62], [-(2**63)], np.array([0, 2**64 - 1], "u8")]
    no_integers: list[Any] = [None, "0", [0.0], [True], [HUGE], ["0"], object(), Unspeakable()]
    shapes: list[Any] = [[], 0, [[0]], np.zeros((2, 2), np.int64), np.zeros(0)]
    cases: list[tuple[type[Exception], list[Any]]] = [
        (IndexError, unknown),
        (tc.ArgumentTypeError, no_integers),
        (tc.ArgumentError, shapes),
    ]
    for error, wrong in cases:
        for lanes in wrong:
            with pytest.raises(error, match="lane"):
                loose.fork(lanes)
    seeds: list[tuple[type[Exception], list[Any]]] = [
        (tc.ArgumentError, [-1, 2**64, HUGE]),
        (tc.ArgumentTypeError, ["1", 1.0, [1]]),
    ]
    for error, wrong in seeds:
        for seed in wrong:
            with pytest.raises(error, match="seed"):
                loose.fork([0], seed=seed)


def by_pickle(batch: tc.Batch) -> tc.Batch:
    """Pickle in the usual way."""
    made: tc.Batch = pickle.loads(pickle.dumps(batch))
    return made


def by_old_pickle(batch: tc.Batch) -> tc.Batch:
    """Pickle in the oldest way that knows classes."""
    made: tc.Batch = pickle.loads(pickle.dumps(batch, 2))
    return made


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, by_pickle, by_old_pickle])
def test_copies_are_equal_and_independent(
    game: tc.Game, way: Callable[[tc.Batch], tc.Batch]
) -> None:
    batch = tc.Batch(game, FEW, seed=SEED, threads=3, auto_restart=False)
    while batch.terminated.sum() < 1:
        random_steps(batch, 1)
    held = whole(batch)
    made = way(batch)
    assert_same(made, batch)
    assert made.legal_actions_mask().tolist() == batch.legal_actions_mask().tolist()
    random_steps(made, 3)
    assert whole(batch) == held
    random_steps(batch, 3)
    assert_same(made, batch)


def test_tampered_pickles_are_refused(batch: tc.Batch) -> None:
    restore, saved = batch.__reduce__()
    assert_same(restore(*saved), batch)
    other = next(load(config) for config in seatings() if load(config) != batch.game)
    foreign = other.new_initial_state().to_bytes()
    names = ("game", "threads", "restart", "states", "rngs", "rewards", "returns", "ended", "cut")
    parts = dict(zip(names, saved, strict=True))
    states = parts["states"]
    wrong: dict[str, list[Any]] = {
        "game": [other, batch.game.name],
        "threads": [0, -1, HUGE, 1025],
        "restart": [0, 1],
        "states": [states[1:], [*states, states[0]], [0] * FEW, [b""] * FEW, [foreign] * FEW],
        "rngs": [[-1] * FEW, [2**64] * FEW, [1.0] * FEW],
        "rewards": [parts["ended"], parts["rngs"]],
        "returns": [parts["ended"], parts["rngs"]],
        "ended": [parts["rewards"], parts["rngs"]],
        "cut": [parts["rewards"], parts["rngs"]],
    }
    wrong["states"] += [
        [state[:-1] for state in states],
        [state + bytes(1) for state in states],
        [*states[:-1], states[0].replace(b"TTC", b"TTD")],
    ]
    for name, part in parts.items():
        junk: list[Any] = [
            None,
            "x",
            b"",
            {},
            1.5,
            np.zeros(FEW),
            [None] * FEW,
            [Unspeakable()],
            [],
        ]
        if isinstance(part, list):
            junk += [tuple(part), part[1:], [*part, part[0]], [*part[:-1], None]]
        for value in (*junk, *wrong[name]):
            with pytest.raises(tc.TabletopError) as caught:
                restore(*{**parts, name: value}.values())
            assert 20 < len(str(caught.value)) < 2_000
    for count in range(len(saved)):
        with pytest.raises(TypeError):
            restore(*saved[:count])


# --- Threads ---------------------------------------------------------------------------------------------------------------------


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

    giver: Any = _Array(actions, from_both_threads)
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
