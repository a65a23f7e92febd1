"""How the calls of a search take their arguments: by place or by name, and never too many, too few or on another object."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import sys
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.errors.strange import every_kind
from tests.walks import first_decision, positions

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game

WITHOUT_ARGUMENTS = (
    "current_player",
    "is_terminal",
    "is_chance_node",
    "clone",
    "returns",
    "rewards",
)
WITH_ONE = {
    "apply_action": "action",
    "child": "action",
    "is_legal": "action",
    "sample_chance": "rng",
    "resolve_chance": "rng",
}
OPTIONAL = {"legal_actions": ("player",), "legal_actions_mask": ("player", "out")}


def test_arguments_may_be_named(engine: ModuleType, seated_game: Game) -> None:
    loose: Any = seated_game
    states: list[Any] = [loose.new_initial_state(), first_decision(loose)]
    for state in states:
        action = state.legal_actions()[-1]
        moved = state.clone()
        assert moved.apply_action(action=action) is None
        assert moved == state.child(action=action) == state.child(action)
        assert state.is_legal(action=action)
        mover = state.current_player()
        assert state.legal_actions(player=mover) == state.legal_actions(mover)
        mask = state.legal_actions_mask(player=mover)
        out = np.ones_like(mask)
        for arguments, named in (
            ((mover, out), {}),
            ((mover,), {"out": out}),
            ((), {"player": mover, "out": out}),
            ((), {"out": out, "player": mover}),
        ):
            out[:] = True
            assert state.legal_actions_mask(*arguments, **named) is out
            np.testing.assert_array_equal(out, mask)
    start = loose.new_initial_state()
    assert start.sample_chance(rng=engine.Rng(2)) == start.sample_chance(engine.Rng(2))
    start.resolve_chance(rng=engine.Rng(2))
    assert start == first_decision(loose, 2)


def test_wrong_numbers_and_names_of_arguments_are_refused(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        before = state.to_bytes()
        calls: list[tuple[str, tuple[object, ...], dict[str, object]]] = []
        for name in WITHOUT_ARGUMENTS:
            calls += [(name, (1,), {}), (name, (), {"player": 1})]
        for name, parameter in WITH_ONE.items():
            calls += [(name, (), {}), (name, (1, 2), {}), (name, (), {"other": 1})]
            calls += [(name, (1,), {parameter: 1}), (name, (1,), {"other": 1})]
            calls += [(name, (), {parameter: 1, "ä": 1}), (name, (), {"self": 1})]
        for name, parameters in OPTIONAL.items():
            calls += [(name, (None, None, 1), {}), (name, (), {"other": 1})]
            calls += [(name, (None,), {parameters[0]: None})]
        for name, arguments, named in calls:
            with pytest.raises(TypeError) as caught:
                getattr(state, name)(*arguments, **named)
            assert name in str(caught.value)
        assert state.to_bytes() == before


def test_action_to_string_takes_an_id_or_a_player_and_an_id(seated_game: Game) -> None:
    for start in (seated_game.new_initial_state(), first_decision(seated_game)):
        state: Any = start
        player, action = state.current_player(), state.legal_actions()[-1]
        text = state.action_to_string(action)
        assert text == state.action_to_string(action=action)
        assert text == state.action_to_string(player, action)
        assert text == state.action_to_string(player, action=action)
        assert text == state.action_to_string(action=action, player=player)
        assert state.action_to_string(0, 0) == seated_game.action_to_string(0)
        wrong: tuple[tuple[tuple[object, ...], dict[str, object]], ...] = (
            ((), {}),
            ((), {"player": 0}),
            ((0,), {"player": 0}),
            ((0, 0, 0), {}),
            ((0, 0), {"action": 0}),
            ((0,), {"other": 0}),
            ((0,), {"self": 0}),
        )
        for arguments, named in wrong:
            with pytest.raises(TypeError) as caught:
                state.action_to_string(*arguments, **named)
            assert "action_to_string" in str(caught.value)


def test_action_to_string_refuses_what_is_no_id_of_the_node(seated_game: Game) -> None:
    decisions, outcomes = seated_game.num_distinct_actions(), seated_game.max_chance_outcomes()
    for start in every_kind(seated_game):
        state: Any = start
        size = outcomes if state.is_chance_node() else decisions
        wrong: tuple[tuple[type[Exception], tuple[object, ...]], ...] = (
            (tc.ArgumentTypeError, (None,)),
            (tc.ArgumentTypeError, (0, None)),
            (tc.ArgumentTypeError, (None, 0)),
            (tc.ArgumentTypeError, (tc.PlayerId.CHANCE, None)),
            (tc.ArgumentTypeError, (0, "0")),
            (tc.ArgumentError, (seated_game.num_players(), 0)),
            (tc.IllegalActionError, (size,)),
            (tc.IllegalActionError, (-1,)),
            (tc.IllegalActionError, (0, decisions)),
            (tc.IllegalActionError, (tc.PlayerId.CHANCE, outcomes)),
        )
        for kind, arguments in wrong:
            with pytest.raises(kind) as caught:
                state.action_to_string(*arguments)
            assert caught.type is kind


def test_native_calls_show_their_signatures() -> None:
    for name in (*WITHOUT_ARGUMENTS, *WITH_ONE, *OPTIONAL):
        native, reference = getattr(tc.State, name), getattr(tc.reference.State, name)
        shown = inspect.signature(native).parameters
        expected = inspect.signature(reference).parameters
        assert list(shown) == list(expected), name
        for parameter in list(shown)[1:]:
            assert shown[parameter].default == expected[parameter].default
            assert shown[parameter].kind == inspect.Parameter.POSITIONAL_OR_KEYWORD


def test_calls_on_other_objects_are_refused() -> None:
    loose: Any = tc.State
    for name in (*WITHOUT_ARGUMENTS, *WITH_ONE, *OPTIONAL):
        call = getattr(loose, name)
        for other in (5, None, "x", object(), tc.Rng(1), tc.State, tc.load_game("indigo")):
            for arguments in ((), (1,), (1, 2)):
                with pytest.raises(TypeError):
                    call(other, *arguments)
        with pytest.raises(TypeError):
            call()
    generator: Any = tc.Rng
    for call in (generator.below, generator.next_u64, generator.split):
        for other in (5, None, tc.load_game("indigo").new_initial_state()):
            with pytest.raises(TypeError):
                call(other, 1)
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("name", tc.registered_games())
def test_native_states_come_and_go(name: str) -> None:
    game = tc.load_game(name)
    state = game.new_initial_state()
    action = state.legal_actions()[0]
    makers = (
        game.new_initial_state,
        state.clone,
        lambda: state.child(action),
        lambda: copy.copy(state),
        lambda: copy.deepcopy(state),
        lambda: pickle.loads(pickle.dumps(state)),
        lambda: game.state_from_bytes(state.to_bytes()),
        lambda: game.state_from_dict(state.to_dict()),
        lambda: state.resample_from_infostate(0, tc.Rng(1)),
    )
    for make in makers:
        made = make()
        ended: list[bool] = []
        weakref.finalize(made, ended.append, True)
        assert weakref.ref(made)() is made
        assert sys.getsizeof(made) == sys.getsizeof(state)
        del made
        gc.collect()
        assert ended == [True]
    kinds = sys.getrefcount(tc.State)
    for make in makers:
        for _ in range(20):
            make()
    assert abs(sys.getrefcount(tc.State) - kinds) < 10


@pytest.mark.parametrize("name", tc.registered_games())
def test_a_state_keeps_its_game(name: str) -> None:
    state = tc.load_game(name).new_initial_state().clone()
    gc.collect()
    assert state.get_game() == tc.load_game(name)
    assert state.legal_actions() == tc.load_game(name).new_initial_state().legal_actions()


@pytest.mark.parametrize("name", tc.registered_games())
def test_native_states_are_compared_and_hashed_by_value(name: str) -> None:
    game = tc.load_game(name)
    for state in positions(game, 30):
        twin: Any = tc.load_game(name).state_from_bytes(state.to_bytes())
        assert (state == twin, state != twin) == (True, False)
        assert hash(state) == hash(twin) >= 0
        for other in (None, 1, "x", game, tc.Rng(1), tc.reference.load_game(name)):
            assert (twin == other, twin != other) == (False, True)
        for compare in (twin.__lt__, twin.__le__, twin.__gt__, twin.__ge__):
            assert compare(state) is NotImplemented
