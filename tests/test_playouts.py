"""`playouts` and `perft`: independent of threads, and equal to games that are replayed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.walks import after, end, first_decision

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game, State
    from tests.configurations import Configuration

FIELDS = ("returns", "scores", "lengths", "final_hashes")
CLOSE = 1e-9


def assert_equal(one: tc.Playouts, other: tc.Playouts) -> None:
    """Compare two results entry by entry."""
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def replayed(state: State, rng: tc.Rng) -> tuple[State, int]:
    """Play a state to its end in the documented way, from the public calls alone; give the end and the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(outcome_by_weights(state, rng))
        else:
            legal = state.legal_actions()
            state.apply_action(legal[rng.below(len(legal))])
            decisions += 1
    return state, decisions


def outcome_by_weights(state: State, rng: tc.Rng) -> int:
    """Find the outcome into whose share of the integer weights the draw falls."""
    # below(total) is the high part of a product with total, so it falls into the same share as the draw among all draws.
    share = tc.Rng(rng.state).next_u64() / 2**64
    outcome = state.sample_chance(rng)
    start = 0.0
    for possible, probability in state.chance_outcomes():
        if possible == outcome:
            assert start - CLOSE <= share <= start + probability + CLOSE
            return outcome
        start += probability
    message = f"{outcome} is not among the outcomes"
    raise AssertionError(message)


def test_a_playout_is_the_game_replayed_by_hand(engine: ModuleType, seated_game: Game) -> None:
    count = effort(engine, native=15, reference=3)
    result = engine.playouts(seated_game, count, seed=5)
    for number in range(count):
        state, decisions = replayed(seated_game.new_initial_state(), tc.Rng(5).split(number))
        assert result.lengths[number] == decisions
        assert result.final_hashes[number] == state.stable_hash()
        assert result.scores[number].tolist() == state.scores().tolist()
        assert result.returns[number].tolist() == state.returns().tolist()


def test_shapes_and_types(engine: ModuleType, seated_game: Game) -> None:
    players = seated_game.num_players()
    for count in (0, 1, 3):
        result = engine.playouts(seated_game, count)
        assert isinstance(result, tc.Playouts)
        shapes = {name: getattr(result, name).shape for name in FIELDS}
        assert shapes == {
            "returns": (count, players),
            "scores": (count, players),
            "lengths": (count,),
            "final_hashes": (count,),
        }
        types = {name: getattr(result, name).dtype for name in FIELDS}
        assert types == {
            "returns": np.float64,
            "scores": np.int64,
            "lengths": np.int64,
            "final_hashes": np.uint64,
        }


@pytest.mark.parametrize("threads", [2, 3, 8, 50])
def test_threads_do_not_change_the_result(
    engine: ModuleType, seated_game: Game, threads: int
) -> None:
    count = effort(engine, native=500, reference=2)
    alone = engine.playouts(seated_game, count, seed=3, threads=1)
    assert_equal(engine.playouts(seated_game, count, seed=3, threads=threads), alone)


def test_the_policy_is_uniform(engine: ModuleType, seated_game: Game) -> None:
    named = engine.playouts(seated_game, 2, seed=3, policy="uniform")
    assert_equal(named, engine.playouts(seated_game, 2, seed=3))


def test_fewer_playouts_are_a_prefix_of_more(engine: ModuleType, seated_game: Game) -> None:
    many, few = effort(engine, native=300, reference=4), effort(engine, native=77, reference=2)
    long, short = (engine.playouts(seated_game, count, seed=8) for count in (many, few))
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(long, name)[:few], getattr(short, name))


def test_playouts_start_from_any_state(engine: ModuleType, seated_game: Game) -> None:
    count = effort(engine, native=8, reference=2)
    for plies in (0, 3, 30):
        state = after(seated_game, plies)
        before = state.to_bytes()
        result = engine.playouts(state, count, seed=2)
        assert state.to_bytes() == before
        for number in range(count):
            last, decisions = replayed(state.clone(), tc.Rng(2).split(number))
            assert result.lengths[number] == decisions
            assert result.final_hashes[number] == last.stable_hash()


def test_a_game_and_its_initial_state_are_the_same_start(
    engine: ModuleType, seated_game: Game
) -> None:
    count = effort(engine, native=50, reference=2)
    by_state = engine.playouts(seated_game.new_initial_state(), count, seed=1)
    assert_equal(engine.playouts(seated_game, count, seed=1), by_state)


def test_playouts_of_a_finished_game_have_no_decisions(
    engine: ModuleType, seated_game: Game
) -> None:
    state = end(seated_game)
    result = engine.playouts(state, 3)
    assert result.lengths.tolist() == [0, 0, 0]
    assert result.final_hashes.tolist() == [state.stable_hash()] * 3
    assert result.scores.tolist() == [state.scores().tolist()] * 3
    assert result.returns.tolist() == [state.returns().tolist()] * 3


def test_seeds_matter_and_default_to_zero(engine: ModuleType, seated_game: Game) -> None:
    count = effort(engine, native=50, reference=2)
    default = engine.playouts(seated_game, count)
    assert_equal(engine.playouts(seated_game, count, seed=0), default)
    other = engine.playouts(seated_game, count, seed=1)
    assert set(other.final_hashes.tolist()).isdisjoint(default.final_hashes.tolist())


def test_results_stay_in_their_declared_bounds(engine: ModuleType, seated_game: Game) -> None:
    result = engine.playouts(seated_game, effort(engine, native=2_000, reference=3), seed=4)
    assert 0 < result.lengths.min() <= result.lengths.max() <= seated_game.max_game_length()
    assert seated_game.min_utility() <= result.returns.min()
    assert result.returns.max() <= seated_game.max_utility()


def counted(state: State, depth: int) -> tc.Perft:
    """Count nodes by the public calls alone."""
    level = [state]
    for _ in range(depth):
        level = [node.child(action) for node in level for action in node.legal_actions()]
    return tc.Perft(
        decision=sum(node.is_player_node() for node in level),
        chance=sum(node.is_chance_node() for node in level),
        terminal=sum(node.is_terminal() for node in level),
    )


def test_perft_counts_nodes(engine: ModuleType, seated_game: Game) -> None:
    for state in (seated_game.new_initial_state(), first_decision(seated_game)):
        before = state.to_bytes()
        for depth in range(3):
            nodes = engine.perft(state, depth)
            assert tuple(nodes) == tuple(counted(state, depth))
            if sum(nodes) > effort(engine, native=3_000, reference=300):
                break
        assert state.to_bytes() == before


def test_perft_of_a_finished_game(engine: ModuleType, seated_game: Game) -> None:
    state = end(seated_game)
    assert tuple(engine.perft(state, 0)) == (0, 0, 1)
    assert tuple(engine.perft(state, 1)) == (0, 0, 0)


def test_a_playout_of_every_configuration_is_replayed_by_hand(
    engine: ModuleType, configuration: Configuration
) -> None:
    game = configuration.load(engine)
    count = effort(engine, native=5, reference=1)
    start = after(game, 25, seed=9)
    result = engine.playouts(start, count, seed=6)
    for number in range(count):
        state, decisions = replayed(start.clone(), tc.Rng(6).split(number))
        assert (result.lengths[number], result.final_hashes[number]) == (
            decisions,
            state.stable_hash(),
        )
