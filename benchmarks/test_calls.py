"""Single calls on a position in mid-game, in both engines."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tabletop_core.testing import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from tabletop_core.protocol import Game, State
    from tests.configurations import Configuration

SEED = 4


@pytest.fixture
def measure(benchmark: BenchmarkFixture, smallest: Configuration) -> Callable[..., object]:
    """Measure a call in the group of its name, and give what it returns."""

    def run(name: str, call: Callable[..., object], *arguments: object, **named: object) -> object:
        benchmark.group = f"{name}: {smallest}"
        return benchmark(call, *arguments, **named)

    return run


def test_is_terminal(measure: Callable[..., object], state: State) -> None:
    assert measure("is_terminal()", state.is_terminal) is False


def test_current_player(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("current_player()", state.current_player) == twin.current_player()


def test_is_legal(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("is_legal(a)", state.is_legal, twin.legal_actions()[-1]) is True


def test_legal_actions(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("legal_actions()", state.legal_actions) == twin.legal_actions()


def test_legal_actions_mask(measure: Callable[..., object], state: State, twin: State) -> None:
    out = np.zeros(state.num_distinct_actions(), np.bool_)
    measure("legal_actions_mask(out=array)", state.legal_actions_mask, out=out)
    assert np.flatnonzero(out).tolist() == twin.legal_actions()


def test_apply_action(measure: Callable[..., object], game: Game, twin: State) -> None:
    # An action changes the state, so a whole game is applied, and the time is that of all its actions.
    actions = recorded_game(twin.get_game())
    last = measure(f"apply_action(a), {len(actions)} times", replay, game, actions)
    assert last.to_bytes() == replay(twin.get_game(), actions).to_bytes()  # type: ignore[attr-defined]


def recorded_game(game: Game) -> list[int]:
    """Play a random game and give its actions and outcomes."""
    rng = tc.Rng(SEED)
    state = game.new_initial_state()
    actions = []
    while not state.is_terminal():
        legal = state.legal_actions()
        actions.append(
            state.sample_chance(rng) if state.is_chance_node() else legal[rng.below(len(legal))]
        )
        state.apply_action(actions[-1])
    return actions


def test_child(measure: Callable[..., object], state: State, twin: State) -> None:
    action = twin.legal_actions()[-1]
    child = measure("child(a)", state.child, action)
    assert child.to_bytes() == twin.child(action).to_bytes()  # type: ignore[attr-defined]


def test_clone(measure: Callable[..., object], state: State, twin: State) -> None:
    clone = measure("clone()", state.clone)
    assert clone == state
    assert clone.to_bytes() == twin.to_bytes()


def test_sample_chance(measure: Callable[..., object], game: Game, twin: State) -> None:
    outcomes = [outcome for outcome, _ in twin.get_game().new_initial_state().chance_outcomes()]
    rng = tc.Rng(SEED)
    assert measure("sample_chance(rng)", game.new_initial_state().sample_chance, rng) in outcomes


def test_observation_tensor(measure: Callable[..., object], state: State, twin: State) -> None:
    out = np.zeros(state.observation_tensor(0).shape, np.float32)
    measure("observation_tensor(0, out=array)", state.observation_tensor, 0, out=out)
    np.testing.assert_array_equal(out, twin.observation_tensor(0))


def test_observation_string(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("observation_string(0)", state.observation_string, 0) == twin.observation_string(
        0
    )


def test_resample_from_infostate(measure: Callable[..., object], state: State, twin: State) -> None:
    rng = tc.Rng(SEED)
    sample = measure("resample_from_infostate(0, rng)", state.resample_from_infostate, 0, rng)
    assert sample.observation_string(0) == twin.observation_string(0)  # type: ignore[attr-defined]


def test_stable_hash(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("stable_hash()", state.stable_hash) == twin.stable_hash()


def test_hash(measure: Callable[..., object], game: Game, state: State) -> None:
    assert measure("hash(state)", hash, state) == hash(game.state_from_bytes(state.to_bytes()))


def test_equality(measure: Callable[..., object], state: State) -> None:
    assert measure("state == state", state.__eq__, state.clone()) is True


def test_to_bytes(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("to_bytes()", state.to_bytes) == twin.to_bytes()


def test_state_from_bytes(
    measure: Callable[..., object], game: Game, state: State, twin: State
) -> None:
    assert measure("state_from_bytes(data)", game.state_from_bytes, twin.to_bytes()) == state


def test_to_dict(measure: Callable[..., object], state: State, twin: State) -> None:
    assert measure("to_dict()", state.to_dict) == twin.to_dict()


def test_state_from_dict(
    measure: Callable[..., object], game: Game, state: State, twin: State
) -> None:
    assert measure("state_from_dict(d)", game.state_from_dict, twin.to_dict()) == state


def test_pickle(measure: Callable[..., object], state: State) -> None:
    data = measure("pickle.dumps(state)", pickle.dumps, state)
    assert isinstance(data, bytes)
    assert pickle.loads(data) == state


def test_returns(measure: Callable[..., object], state: State, twin: State) -> None:
    np.testing.assert_array_equal(measure("returns()", state.returns), twin.returns())
