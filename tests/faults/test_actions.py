"""Reported faults about actions: illegal ones, lists of the legal ones, and their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import seatings
from tests.engines import ENGINES, effort, share
from tests.walks import (
    positions,
    run_python,
    step,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game


@pytest.mark.fault("A001")
def test_every_illegal_id_is_refused_and_changes_nothing(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in positions(seated_game, share(engine, 50)):
        legal = set(state.legal_actions())
        at_chance = state.is_chance_node()
        ids = seated_game.max_chance_outcomes() if at_chance else seated_game.num_distinct_actions()
        before = state.to_bytes()
        for action in set(range(ids)) - legal:
            with pytest.raises(tc.IllegalActionError):
                state.apply_action(action)
        assert state.to_bytes() == before
        assert set(state.legal_actions()) == legal


WRONG_IDS = """
import tabletop_core as tc
from tests.engines import ENGINES
from tests.walks import end, first_decision
for name, options in {games!r}:
    game = ENGINES[{engine!r}].load_game(name, **options)
    for state in (game.new_initial_state(), first_decision(game), end(game)):
        for action in (-1, -4, -2**31, game.num_distinct_actions(), 2**31, 2**40, 2**63, 2**64, 2**100, -(2**100), 0):
            if action in state.legal_actions():
                continue
            before = state.to_bytes()
            for call in (state.apply_action, state.child):
                try:
                    call(action)
                except tc.IllegalActionError as error:
                    assert str(action)[:20] in str(error), (action, str(error))
                else:
                    raise SystemExit(f"{{game}} accepted {{action}}")
            assert not state.is_legal(action)
            assert state.to_bytes() == before
print("done")
"""


@pytest.mark.fault("A002")
@pytest.mark.parametrize("name", ENGINES)
def test_wild_ids_are_refused_at_the_edge(name: str) -> None:
    games = [(seating.game, dict(seating.options)) for seating in seatings()]
    result = run_python(WRONG_IDS.format(engine=name, games=games))
    assert (result.returncode, result.stdout.strip()) == (0, "done"), result.stderr


@pytest.mark.fault("A004")
def test_mask_and_list_agree_for_every_player(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 300)):
        for seat in range(seated_game.num_players()):
            mask = state.legal_actions_mask(seat)
            expected = state.legal_actions() if seat == state.current_player() else []
            assert np.flatnonzero(mask).tolist() == expected
        own = [] if state.is_chance_node() else state.legal_actions()
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == own


@pytest.mark.fault("A007")
def test_a_player_who_does_not_act_has_no_actions(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 300)):
        acting = state.current_player()
        for player in (tc.PlayerId.TERMINAL, tc.PlayerId.CHANCE, *range(seated_game.num_players())):
            assert state.legal_actions(player) == (
                state.legal_actions() if player == acting else []
            )


@pytest.mark.fault("A014")
def test_every_listed_action_can_be_applied(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 100)):
        for action in state.legal_actions():
            child = state.child(action)
            assert seated_game.state_from_bytes(child.to_bytes()) == child


@pytest.mark.fault("A016")
def test_a_list_of_actions_does_not_follow_the_state(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 50)):
        live = state.clone()
        listed = live.legal_actions()
        kept = list(listed)
        visited = []
        for action in listed:
            visited.append(action)
            live.clone().apply_action(action)
        assert visited == kept
        if kept:
            live.apply_action(kept[0])
        assert listed == kept
        assert state.legal_actions() == kept


@pytest.mark.fault("A019")
def test_lists_ascend_and_depend_on_the_information_alone(
    engine: ModuleType, seated_game: Game
) -> None:
    for state in positions(seated_game, share(engine, 300)):
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        assert all(type(action) is int for action in legal)
        if (seat := state.current_player()) >= 0:
            twin = state.resample_from_infostate(seat, tc.Rng(1))
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.legal_actions() == legal


@pytest.mark.fault("A020", "A064")
def test_ids_stay_below_their_declared_numbers(engine: ModuleType, seated_game: Game) -> None:
    for state in positions(seated_game, share(engine, 500)):
        at_chance = state.is_chance_node()
        count = (
            seated_game.max_chance_outcomes() if at_chance else seated_game.num_distinct_actions()
        )
        assert all(0 <= action < count for action in state.legal_actions())
        mask = state.legal_actions_mask(tc.PlayerId.CHANCE)
        assert mask.shape == (seated_game.max_chance_outcomes(),)
        assert np.flatnonzero(mask).tolist() == (state.legal_actions() if at_chance else [])


@pytest.mark.fault("A022")
def test_strings_name_ids_one_to_one(game: Game) -> None:
    for count, text_of, id_of in (
        (game.num_distinct_actions(), game.action_to_string, game.action_from_string),
        (game.max_chance_outcomes(), game.chance_to_string, game.chance_from_string),
    ):
        texts = [text_of(number) for number in range(count)]
        assert len(set(texts)) == count
        assert [id_of(text) for text in texts] == list(range(count))


@pytest.mark.fault("A023")
def test_texts_of_played_actions_stay_available(engine: ModuleType, seated_game: Game) -> None:
    for seed in range(effort(engine, native=5, reference=1)):
        state = seated_game.new_initial_state()
        rng = tc.Rng(seed)
        history = []
        while not state.is_terminal():
            before = state.clone()
            player = before.current_player()
            action = step(state, rng)
            text = before.action_to_string(action)
            assert before.action_to_string(player, action) == text
            history.append((player, action, text))
        for player, action, text in history:
            assert state.action_to_string(player, action) == text
            by_game = seated_game.chance_to_string if player < 0 else seated_game.action_to_string
            assert by_game(action) == text
