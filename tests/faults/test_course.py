"""Reported faults about the course of a game: chance, seeds, lifetimes, lengths and results."""

from __future__ import annotations

import copy
import gc
import sys
from collections import Counter
from fractions import Fraction
from math import isclose
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import Configuration, capped, seatings, shortened
from tests.engines import ENGINES, NATIVE, effort, share
from tests.walks import (
    after,
    chances,
    end,
    finish,
    first_decision,
    positions,
    run_python,
    step,
    walk,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game


@pytest.mark.fault("A065", "A067")
def test_chance_nodes_list_exact_probabilities(engine: ModuleType, seated_game: Game) -> None:
    for state in chances(seated_game, share(engine, 600)):
        outcomes = state.chance_outcomes()
        ids = [outcome for outcome, _ in outcomes]
        assert ids == state.legal_actions() == sorted(set(ids))
        assert all(type(outcome) is int and type(p) is float for outcome, p in outcomes)
        assert all(p > 0 for _, p in outcomes)
        assert isclose(sum(p for _, p in outcomes), 1, abs_tol=1e-12)
        fractions = [Fraction(p).limit_denominator(10**6) for _, p in outcomes]
        assert sum(fractions) == 1
        assert [float(fraction) for fraction in fractions] == [p for _, p in outcomes]


@pytest.mark.fault("A065")
def test_sampled_outcomes_have_their_probabilities(engine: ModuleType, seated_game: Game) -> None:
    draws = effort(engine, native=20_000, reference=1_000)
    state = seated_game.new_initial_state()
    rng = tc.Rng(5)
    counts = Counter(state.sample_chance(rng) for _ in range(draws))
    outcomes = state.chance_outcomes()
    assert set(counts) <= {outcome for outcome, _ in outcomes}
    for outcome, p in outcomes:
        deviation = (draws * p * (1 - p)) ** 0.5
        assert abs(counts[outcome] - draws * p) <= 5 * deviation + 1


@pytest.mark.fault("A070")
def test_a_seed_is_used(engine: ModuleType, seated_game: Game) -> None:
    seeds = range(1, 1 + effort(engine, native=100, reference=5))
    lasts = [engine.playouts(seated_game, 1, seed=seed).final_hashes[0] for seed in seeds]
    assert len(set(lasts)) >= len(seeds) - 1
    again = [engine.playouts(seated_game, 1, seed=seed).final_hashes[0] for seed in list(seeds)[:3]]
    assert again == lasts[:3]


SEEDED_DEALS = """
from tests.engines import ENGINES
from tests.walks import first_decision
for name, options in {games!r}:
    game = ENGINES[{engine!r}].load_game(name, **options)
    print(*(first_decision(game, seed).to_bytes().hex() for seed in range(10)))
"""


@pytest.mark.fault("A071")
@pytest.mark.parametrize("name", ENGINES)
def test_processes_share_seeded_games_and_nothing_comes_from_the_clock(
    name: str,
) -> None:
    with pytest.raises(TypeError):
        ENGINES[name].Rng()
    games = [(seating.game, dict(seating.options)) for seating in seatings()]
    result = run_python(SEEDED_DEALS.format(engine=name, games=games))
    loaded = [seating.load(ENGINES[name]) for seating in seatings()]
    expected = [
        first_decision(game, seed).to_bytes().hex() for game in loaded for seed in range(10)
    ]
    assert result.stdout.split() == expected, result.stderr


@pytest.mark.fault("A077")
def test_answers_outlive_the_state(engine: ModuleType, seated_game: Game) -> None:
    state = after(seated_game, effort(engine, native=40, reference=40))
    size = sys.getsizeof(state.legal_actions())
    answers: list[Any] = [
        state.legal_actions(),
        state.observation_tensor(0),
        state.legal_actions_mask(),
        state.returns(),
        state.scores(),
        state.winners(),
        state.to_dict(),
    ]
    kept = copy.deepcopy(answers)
    game = state.get_game()
    name = game.name
    fields = game.observation_fields
    options = game.options
    rng = tc.Rng(0)
    for _ in range(100):
        if not state.is_terminal():
            step(state, rng)
    del state, game
    gc.collect()
    _ = [bytearray(size) for _ in range(1000)]
    for answer, expected in zip(answers, kept, strict=True):
        assert (
            np.array_equal(answer, expected)
            if isinstance(answer, np.ndarray)
            else answer == expected
        )
    assert name == seated_game.name
    assert fields == seated_game.observation_fields
    assert dict(options) == dict(seated_game.options)


@pytest.mark.fault("A077")
def test_a_state_keeps_its_game_alive(engine: ModuleType, seating: Configuration) -> None:
    game = seating.load(engine)
    state = game.new_initial_state()
    del game
    gc.collect()
    rng = tc.Rng(1)
    finish(state, rng)
    assert state.get_game() == seating.load(engine)


@pytest.mark.fault("A079")
def test_the_declared_length_is_never_passed_and_not_far_off(seating: Configuration) -> None:
    # Under a cap on its turns a game may last as long as the cap says, so a tight cap shows how close the bound is.
    game = capped(seating, 3).load(tc)
    longest = int(NATIVE.playouts(game, 10_000, seed=1).lengths.max())
    assert longest <= game.max_game_length() <= 3 * longest
    game = seating.load(tc)
    assert NATIVE.playouts(game, 2_000, seed=2).lengths.max() <= game.max_game_length()


@pytest.mark.fault("A080")
def test_a_million_random_steps_leave_no_game_unfinished(seating: Configuration) -> None:
    game = seating.load(tc)
    steps = 0
    seed = 0
    while steps < 1_000_000:
        result = NATIVE.playouts(game, 1_000, seed=seed)
        assert (result.lengths > 0).all()
        assert (result.lengths <= game.max_game_length()).all()
        assert np.isfinite(result.returns).all()
        steps += int(result.lengths.sum())
        seed += 1


@pytest.mark.fault("A080")
def test_truncated_games_have_a_defined_result(engine: ModuleType, seating: Configuration) -> None:
    game = capped(seating, 5).load(engine)
    for seed in range(effort(engine, native=20, reference=3)):
        state = end(game, seed)
        assert not state.is_chance_node()
        assert state.current_player() == tc.PlayerId.TERMINAL
        assert state.legal_actions() == []
        assert np.isfinite(state.returns()).all()
        if not state.winners():
            assert not state.returns().any()


@pytest.mark.fault("A086")
def test_positions_stay_valid_after_every_action(
    engine: ModuleType, configuration: Configuration
) -> None:
    # The decoders check that all components are conserved, so every position of a game must pass them.
    game = shortened(configuration).load(engine)
    for number, state in enumerate(walk(game, seed=86)):
        if number % effort(engine, native=2, reference=20) == 0:
            written = state.to_dict()
            assert game.state_from_dict(written) == state
            assert game.state_from_bytes(state.to_bytes()) == state


@pytest.mark.fault("A095")
def test_winners_have_the_highest_return_and_every_seat_can_win(
    engine: ModuleType, seated_game: Game
) -> None:
    players = seated_game.num_players()
    won: set[int] = set()
    for seed in range(effort(engine, native=200, reference=4)):
        state = end(seated_game, seed)
        winners, returns = state.winners(), state.returns()
        assert winners == sorted(set(winners))
        if players == 1:
            assert returns.tolist() == state.scores().tolist()
            won |= set(winners)
            continue
        assert isclose(returns.sum(), 0, abs_tol=1e-9)
        if 0 < len(winners) < players:
            assert np.flatnonzero(returns == returns.max()).tolist() == winners
            share_of_a_winner = (players - len(winners)) / (len(winners) * (players - 1))
            assert returns[winners] == pytest.approx(share_of_a_winner)
            losers = [seat for seat in range(players) if seat not in winners]
            assert returns[losers] == pytest.approx(-1 / (players - 1))
        else:
            assert not returns.any()
        won |= set(winners)
    if engine is tc:
        assert won == set(range(players))


@pytest.mark.fault("A095")
def test_nobody_wins_before_the_end(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 100)):
        if not state.is_terminal():
            assert state.winners() == []
            assert not state.returns().any()
            assert not state.is_truncated()


@pytest.mark.fault("A097")
def test_the_return_of_a_player_is_an_entry_of_all_returns(
    engine: ModuleType, seated_game: Game
) -> None:
    lasts = (end(seated_game, seed) for seed in range(effort(engine, native=50, reference=3)))
    for state in (*positions(seated_game, share(engine, 50)), *lasts):
        returns = state.returns()
        assert returns.dtype == np.float64
        assert state.rewards().tolist() == returns.tolist()
        assert state.scores().dtype == np.int64
        for seat in range(seated_game.num_players()):
            assert state.player_return(seat) == state.player_reward(seat) == returns[seat]
