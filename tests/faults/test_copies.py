"""Reported faults about copies: clones, equality and hashes, positions written and read again."""

from __future__ import annotations

import copy
import io
import json
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import Configuration, samples, seatings, specs
from tests.engines import ENGINES, NATIVE, effort, share
from tests.walks import (
    chances,
    end,
    first_decision,
    positions,
    run_python,
    shown,
    step,
    walk,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game

LONGEST_PICKLE = 20_000


@pytest.mark.fault("A025", "A026")
def test_playing_on_a_clone_leaves_the_original_alone(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in positions(seated_game, share(engine, 60)):
        before = shown(state)
        clone = state.clone()
        assert shown(clone) == before
        for seed in range(20):
            if not clone.is_terminal():
                step(clone, tc.Rng(seed))
        assert shown(state) == before


@pytest.mark.fault("A028")
def test_clones_in_mid_turn_are_whole(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 60)):
        before = state.to_bytes()
        one, other = state.clone(), state.clone()
        actions = []
        rng = tc.Rng(3)
        while not one.is_terminal():
            actions.append(step(one, rng))
        assert other.to_bytes() == before
        for action in actions:
            other.apply_action(action)
        assert one == other
        assert one.to_bytes() == other.to_bytes()
        assert state.to_bytes() == before


@pytest.mark.fault("A029")
def test_answers_are_copies_and_clones_are_stable_keys(
    engine: ModuleType, seated_game: Game
) -> None:
    for start in positions(seated_game, share(engine, 60)):
        state = start.clone()
        answers: list[Any] = [
            state.observation_tensor(0),
            state.returns(),
            state.scores(),
            state.legal_actions_mask(),
            state.legal_actions(),
            state.to_dict(),
        ]
        kept = copy.deepcopy(answers)
        key = state.clone()
        table = {key: "found"}
        for seed in range(5):
            if not state.is_terminal():
                step(state, tc.Rng(seed))
        for answer, expected in zip(answers, kept, strict=True):
            assert (
                np.array_equal(answer, expected)
                if isinstance(answer, np.ndarray)
                else answer == expected
            )
        assert table[start] == "found"


@pytest.mark.fault("A029")
def test_writing_into_an_answer_does_not_reach_the_state(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in positions(seated_game, share(engine, 30)):
        before = shown(state)
        arrays: list[np.ndarray[Any, Any]] = [
            state.observation_tensor(0),
            state.returns(),
            state.rewards(),
            state.scores(),
        ]
        for array in arrays:
            array.fill(99)
        state.legal_actions_mask()[:] = True
        state.legal_actions().append(0)
        state.winners().append(0)
        for value in state.to_dict().values():
            if isinstance(value, list):
                value.clear()
        assert shown(state) == before


@pytest.mark.fault("A031")
def test_the_states_of_a_game_stay_apart(engine: ModuleType, seated_game: Game) -> None:
    for seed in range(effort(engine, native=10, reference=1)):
        states = [state.clone() for state in walk(seated_game, seed)]
        assert len({state.to_bytes() for state in states}) == len(states)
        assert len({state.stable_hash() for state in states}) == len(states)
        assert len(set(states)) == len(states)


FRESH_START = """
from tests.engines import ENGINES
for name, options in {games!r}:
    print(ENGINES[{engine!r}].load_game(name, **options).new_initial_state().to_bytes().hex())
"""


@pytest.mark.fault("A032")
@pytest.mark.parametrize("name", ENGINES)
def test_a_played_game_leaves_no_trace_in_the_next(name: str) -> None:
    engine = ENGINES[name]
    starts = []
    for seating in seatings():
        game = seating.load(engine)
        first = game.new_initial_state().to_bytes()
        end(game)
        assert game.new_initial_state().to_bytes() == first
        assert seating.load(engine).new_initial_state().to_bytes() == first
        starts.append(first.hex())
    games = [(seating.game, dict(seating.options)) for seating in seatings()]
    result = run_python(FRESH_START.format(engine=name, games=games))
    assert result.stdout.split() == starts, result.stderr


@pytest.mark.fault("A040", "A041")
def test_different_positions_have_different_hashes(engine: ModuleType, seated_game: Game) -> None:
    known: dict[bytes, int] = {}
    for state in positions(seated_game, share(engine, 100)):
        known[state.to_bytes()] = state.stable_hash()
        # Children of one state differ in a single thing: a piece, a place, a card, whose turn it is.
        for action in state.legal_actions():
            child = state.child(action)
            known[child.to_bytes()] = child.stable_hash()
    assert len(set(known.values())) == len(known)


@pytest.mark.fault("A043")
def test_equal_positions_by_two_orders_are_equal(engine: ModuleType, game: Game) -> None:
    start = game.new_initial_state()
    outcomes = [outcome for outcome, _ in start.chance_outcomes()][
        : effort(engine, native=50, reference=6)
    ]
    for one in outcomes:
        for other in outcomes:
            if one >= other:
                continue
            first, second = start.child(one), start.child(other)
            if not (first.is_legal(other) and second.is_legal(one)):
                # Each die has outcomes of its own, and they come to lie in one order only.
                continue
            first, second = first.child(other), second.child(one)
            same = first.to_bytes() == second.to_bytes()
            assert (first == second) is same
            assert (first.stable_hash() == second.stable_hash()) is same
            assert (hash(first) == hash(second)) is same


@pytest.mark.fault("A043")
def test_two_orders_do_meet_in_some_game(engine: ModuleType) -> None:
    met = 0
    for seating in seatings():
        for sample in (
            (name, value) for name in specs(seating.game) for value in samples(seating.game, name)
        ):
            variant = seating.with_option(*sample)
            if not variant.accepted():
                continue
            start = variant.load(engine).new_initial_state()
            one, other, *_ = (outcome for outcome, _ in start.chance_outcomes())
            met += start.child(one).child(other) == start.child(other).child(one)
            if met:
                return
    pytest.fail("no two orders of dealing led to one position")


@pytest.mark.fault("A043")
def test_equal_states_of_both_engines_have_one_stable_hash(seating: Configuration) -> None:
    native, reference = seating.load(tc), seating.load(tc.reference)
    for state in positions(native, 50):
        assert reference.state_from_bytes(state.to_bytes()).stable_hash() == state.stable_hash()


def test_states_of_other_games_and_options_are_unequal(engine: ModuleType) -> None:
    starts = [seating.load(engine).new_initial_state() for seating in seatings()]
    assert len(set(starts)) == len(starts)
    for index, one in enumerate(starts):
        others: list[object] = [*starts[index + 1 :], one.to_bytes(), index, None]
        for other in others:
            assert one != other


@pytest.mark.fault("A044")
def test_restored_states_go_on_alike(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 200)):
        restored = seated_game.state_from_bytes(state.to_bytes())
        assert restored == state
        assert restored.current_player() == state.current_player()
        assert restored.legal_actions() == state.legal_actions()
        one, rng = state.clone(), tc.Rng(30)
        for _ in range(30):
            if not one.is_terminal():
                restored.apply_action(step(one, rng))
        assert restored == one


@pytest.mark.fault("A044")
def test_dicts_restore_the_whole_position(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 200)):
        written = json.loads(json.dumps(state.to_dict()))
        restored = seated_game.state_from_dict(written)
        assert restored == state
        assert restored.to_bytes() == state.to_bytes()
        assert json.dumps(restored.to_dict()) == json.dumps(state.to_dict())


@pytest.mark.fault("A046")
def test_copies_and_pickles_are_equal_and_independent(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in positions(seated_game, share(engine, 60)):
        before = shown(state)
        twins = [copy.copy(state), copy.deepcopy(state), state.clone()]
        twins += [
            pickle.loads(pickle.dumps(state, protocol))
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ]
        for twin in twins:
            assert type(twin) is type(state)
            assert twin == state
            assert hash(twin) == hash(state)
            assert shown(twin) == before
            if not twin.is_terminal():
                step(twin, tc.Rng(0))
                assert twin != state
        assert shown(state) == before


@pytest.mark.fault("A046")
def test_pickles_evaluate_no_code(engine: ModuleType) -> None:
    game = engine.load_game("card_challenge", players=3)
    pickled: list[Any] = [game, first_decision(game), engine.Rng(5)]
    if engine is NATIVE:
        pickled.append(NATIVE.Batch(game, 2))
    for value in pickled:
        called = set()
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):

            class Reader(pickle.Unpickler):
                def find_class(self, module: str, name: str) -> Any:
                    called.add(name)  # noqa: B023 (used at once)
                    return super().find_class(module, name)

            Reader(io.BytesIO(pickle.dumps(value, protocol))).load()
        assert not called & {"eval", "exec", "__import__", "partial", "methodcaller"}, called


def test_games_can_be_pickled_and_copied(game: Game) -> None:
    twins = [copy.copy(game), copy.deepcopy(game)]
    twins += [
        pickle.loads(pickle.dumps(game, protocol))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ]
    for twin in twins:
        assert twin == game
        assert hash(twin) == hash(game)
        assert dict(twin.options) == dict(game.options)
        assert repr(twin) == repr(game)


@pytest.mark.fault("A047")
def test_pickles_draw_the_same_outcomes_and_are_small(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in chances(seated_game, share(engine, 60)):
        pickled = pickle.dumps((state, tc.Rng(9)))
        assert len(pickled) < LONGEST_PICKLE
        twin, rng = pickle.loads(pickled)
        own = tc.Rng(9)
        assert [twin.sample_chance(rng) for _ in range(100)] == [
            state.sample_chance(own) for _ in range(100)
        ]
