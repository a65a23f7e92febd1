"""Reported faults about knowledge: hidden information that leaks, samples, and observations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import effort, share
from tests.walks import (
    after,
    decisions,
    end,
    first_decision,
    hides_something,
    positions,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game, State


@pytest.mark.fault("A049", "A050", "A052")
def test_a_view_does_not_change_with_what_is_hidden(engine: ModuleType, seated_game: Game) -> None:
    hidden_things_moved = False
    for number, state in enumerate(positions(seated_game, share(engine, 200))):
        for seat in range(seated_game.num_players()):
            twin = state.resample_from_infostate(seat, tc.Rng(number))
            hidden_things_moved |= twin.to_bytes() != state.to_bytes()
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert (
                twin.observation_tensor(seat).tobytes() == state.observation_tensor(seat).tobytes()
            )
            assert twin.legal_actions(seat) == state.legal_actions(seat)
            texts = [twin.action_to_string(seat, action) for action in twin.legal_actions(seat)]
            assert texts == [
                state.action_to_string(seat, action) for action in state.legal_actions(seat)
            ]
            assert (twin.current_player(), twin.is_terminal()) == (
                state.current_player(),
                state.is_terminal(),
            )
            assert twin.scores().tolist() == state.scores().tolist()
            assert twin.returns().tolist() == state.returns().tolist()
    assert hidden_things_moved == hides_something(seated_game)


def root_statistics(engine: ModuleType, state: State, seat: int) -> list[tuple[int, float]]:
    """Search a little, as information-set search does: every action on a few deals that the seat cannot tell apart."""
    statistics: Counter[int] = Counter()
    for number in range(3):
        deal = state.resample_from_infostate(seat, tc.Rng(17).split(number))
        for action in deal.legal_actions()[:4]:
            result = engine.playouts(
                deal.child(action), effort(engine, native=10, reference=1), seed=number
            )
            statistics[action] += float(result.returns[:, seat].sum())  # type: ignore[assignment]
    return sorted(statistics.items())


@pytest.mark.fault("A053")
def test_search_cannot_profit_from_the_true_hidden_state(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in decisions(seated_game, effort(engine, native=40, reference=4)):
        seat = state.current_player()
        twin = state.resample_from_infostate(seat, tc.Rng(99))
        assert root_statistics(engine, state, seat) == root_statistics(engine, twin, seat)


@pytest.mark.fault("A055")
def test_samples_agree_with_what_was_seen(engine: ModuleType, seated_game: Game) -> None:
    for state in decisions(seated_game, share(engine, 100)):
        seat = state.current_player()
        for number in range(5):
            sample = state.resample_from_infostate(seat, tc.Rng(number))
            assert (
                sample.observation_tensor(seat).tobytes()
                == state.observation_tensor(seat).tobytes()
            )
            assert sample.legal_actions() == state.legal_actions()
            assert seated_game.state_from_bytes(sample.to_bytes()) == sample


@pytest.mark.fault("A056")
def test_an_action_of_another_sample_is_refused(engine: ModuleType, seated_game: Game) -> None:
    refused = 0
    for number, state in enumerate(decisions(seated_game, share(engine, 200))):
        observer = (state.current_player() + 1) % seated_game.num_players()
        one, other = (
            state.resample_from_infostate(observer, tc.Rng(number).split(i)) for i in range(2)
        )
        before = one.to_bytes()
        for action in set(other.legal_actions()) - set(one.legal_actions()):
            with pytest.raises(tc.IllegalActionError):
                one.apply_action(action)
            refused += 1
        assert one.to_bytes() == before
    assert (refused > 0) == hides_something(seated_game)


@pytest.mark.fault("A058")
def test_samples_follow_the_seed_and_nothing_else(seated_game: Game) -> None:
    varied: Counter[int] = Counter()
    for state in (after(seated_game, plies) for plies in (12, 25, 40)):
        before = state.to_bytes()
        for seat in range(seated_game.num_players()):
            dealt = [
                state.resample_from_infostate(seat, tc.Rng(seed)).to_bytes() for seed in range(30)
            ]
            again = [
                state.resample_from_infostate(seat, tc.Rng(seed)).to_bytes() for seed in range(30)
            ]
            assert dealt == again
            varied[seat] += len(set(dealt)) - 1
            views = {
                seated_game.state_from_bytes(sample).observation_string(seat) for sample in dealt
            }
            assert views == {state.observation_string(seat)}
        assert state.to_bytes() == before
    hides = hides_something(seated_game)
    assert all((varied[seat] > 0) == hides for seat in range(seated_game.num_players()))


@pytest.mark.fault("A059")
def test_fields_partition_the_tensor(game: Game) -> None:
    stop = 0
    for field in game.observation_fields:
        assert field.start == stop
        assert field.size > 0
        assert field.meaning
        stop = field.stop
    assert tuple(game.observation_tensor_shape()) == (stop,)
    names = [field.name for field in game.observation_fields]
    assert len(set(names)) == len(names)


@pytest.mark.fault("A059")
def test_tensor_and_string_tell_the_same(engine: ModuleType, seated_game: Game) -> None:
    by_string: dict[str, bytes] = {}
    by_tensor: dict[bytes, str] = {}
    for state in positions(seated_game, share(engine, 300)):
        twins = [state, *(state.child(action) for action in state.legal_actions()[:3])]
        for twin in twins:
            for seat in range(seated_game.num_players()):
                text, tensor = (
                    twin.observation_string(seat),
                    twin.observation_tensor(seat).tobytes(),
                )
                assert by_string.setdefault(text, tensor) == tensor
                assert by_tensor.setdefault(tensor, text) == text


@pytest.mark.fault("A059")
def test_nothing_is_written_outside_the_given_array(engine: ModuleType, seated_game: Game) -> None:
    canary = 12_345.0
    size = tensor_size(seated_game)
    for state in positions(seated_game, share(engine, 60)):
        for seat in range(seated_game.num_players()):
            field = np.full(size + 16, canary, np.float32)
            inside = field[8:-8]
            assert state.observation_tensor(seat, out=inside) is inside
            assert (field[:8] == canary).all()
            assert (field[-8:] == canary).all()
            assert inside.tobytes() == state.observation_tensor(seat).tobytes()
        bits = np.ones(seated_game.num_distinct_actions() + 16, np.bool_)
        mask = bits[8:-8]
        assert state.legal_actions_mask(out=mask) is mask
        assert bits[:8].all()
        assert bits[-8:].all()
        assert mask.tolist() == state.legal_actions_mask().tolist()


def tensor_size(game: Game) -> int:
    """Give the number of entries of the observation tensor."""
    (size,) = game.observation_tensor_shape()
    return size


@pytest.mark.fault("A062")
def test_everybody_can_observe_every_node(engine: ModuleType, seated_game: Game) -> None:
    start, last = seated_game.new_initial_state(), end(seated_game)
    for state in (
        start,
        first_decision(seated_game),
        last,
        *positions(seated_game, share(engine, 60)),
    ):
        for seat in range(seated_game.num_players()):
            tensor = state.observation_tensor(seat)
            assert tensor.dtype == np.float32
            assert tensor.shape == (tensor_size(seated_game),)
            assert np.isfinite(tensor).all()
            assert state.observation_string(seat)
        for seat in (-1, -4, seated_game.num_players(), 2**40):
            for look in (state.observation_tensor, state.observation_string):
                with pytest.raises(tc.ArgumentError):
                    look(seat)
