"""The laws of what a seat may know, and of the arguments that name a seat or an array."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from .. import Rng
from ..errors import ArgumentError, ArgumentTypeError, IllegalActionError
from ..protocol import State
from ._law import (
    CHANCE,
    NOT_AN_INDEX,
    TERMINAL,
    UNKNOWN_IDS,
    own_rng,
    random_steps,
    refuses,
    require,
    state_law,
)


@state_law
def check_observations(state: State) -> None:
    """Every seat has an observation at every node: float32, of the declared shape, a fresh copy.

    >>> import tabletop_core as tc
    >>> check_observations(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    shape = tuple(game.observation_tensor_shape())
    tensors = [state.observation_tensor(seat) for seat in range(game.num_players())]
    texts = [state.observation_string(seat) for seat in range(game.num_players())]
    require(len(set(texts)) == len(texts), "two seats have the same observation")
    for seat, tensor in enumerate(tensors):
        require(tensor.dtype == np.float32, f"the tensor of seat {seat} is {tensor.dtype}")
        require(tensor.shape == shape, f"the tensor of seat {seat} has shape {tensor.shape}")
        require(bool(np.isfinite(tensor).all()), f"the tensor of seat {seat} is not finite")
        out = np.full(shape, np.nan, np.float32)
        require(state.observation_tensor(seat, out=out) is out, "`out` is not what is returned")
        require(np.array_equal(out, tensor), "`out` is filled with something else")
        tensor.fill(-1)
        require(np.array_equal(state.observation_tensor(seat), out), "not a fresh copy")


@state_law
def check_hidden_information(state: State) -> None:
    """Deal again what a seat cannot know: all that it sees or may do stays as it is, and so do further deals.

    >>> import tabletop_core as tc
    >>> state = tc.load_game("indigo").new_initial_state()
    >>> state.resolve_chance(tc.Rng(7))
    >>> check_hidden_information(state)
    """
    rng = own_rng(state)
    for seat in range(state.num_players()):
        legal, mask = state.legal_actions(seat), state.legal_actions_mask(seat)
        happening = state.legal_actions()[:2] if state.is_chance_node() else legal[:2]
        told = [state.observed_action_to_string(seat, action) for action in happening]
        for _ in range(3):
            again = copy.copy(rng)
            other = state.resample_from_infostate(seat, rng)
            repeated = other.resample_from_infostate(seat, again)
            require(
                repeated == other,
                f"equal generators deal differently in positions that are alike to seat {seat}",
            )
            require(
                np.array_equal(other.observation_tensor(seat), state.observation_tensor(seat)),
                f"the tensor of seat {seat} changes with what the seat cannot know",
            )
            require(
                other.observation_string(seat) == state.observation_string(seat),
                f"the observation of seat {seat} changes with what the seat cannot know",
            )
            require(other.legal_actions(seat) == legal, f"the actions of seat {seat} change")
            same_mask = np.array_equal(other.legal_actions_mask(seat), mask)
            require(same_mask, f"the mask of seat {seat} changes")
            require(other.current_player() == state.current_player(), "another player acts")
            sound = state.get_game().state_from_bytes(other.to_bytes()) == other
            require(sound, "the position dealt is not sound")
            for action in legal[:2]:
                require(
                    other.action_to_string(action) == state.action_to_string(action),
                    f"the text of action {action} changes",
                )
            require(
                [other.observed_action_to_string(seat, action) for action in happening] == told,
                f"what seat {seat} is told of an action changes with what the seat cannot know",
            )
            random_steps(other, again, 10)
        state.resample_from_infostate(seat, lambda: 0.5)
        loose: Any = state
        refuses(ArgumentTypeError, "rng=7", loose.resample_from_infostate, seat, 7)


@state_law
def check_observed_actions(state: State) -> None:
    """A seat is told every decision, and an outcome exactly if it can tell it from the others.

    >>> import tabletop_core as tc
    >>> check_observed_actions(tc.load_game("indigo").new_initial_state())
    """
    game, chance = state.get_game(), state.is_chance_node()
    legal = state.legal_actions()
    some = legal[:: len(legal) // 8 + 1]
    texts = [state.action_to_string(action) for action in some]
    children = [state.child(action) for action in some] if chance else []
    for seat in range(state.num_players()):
        told = [state.observed_action_to_string(seat, action) for action in some]
        hidden = {one for one, text in zip(told, texts, strict=True) if one != text}
        require(chance or not hidden, f"seat {seat} is told {hidden} in place of a decision")
        require(len(hidden) <= 1, f"hidden outcomes are told in several ways: {hidden}")
        require(not hidden & set(texts), f"a hidden outcome is told as another one: {hidden}")
        seen = [child.observation_tensor(seat).tobytes() for child in children]
        for one, other in combinations(range(len(children)), 2):
            require(
                (told[one] == told[other]) == (seen[one] == seen[other])
                or children[one] == children[other],
                f"seat {seat} is told '{told[one]}' of '{texts[one]}' and '{told[other]}' of "
                f"'{texts[other]}', but can it tell what follows apart: {seen[one] != seen[other]}",
            )
    loose: Any = state
    count = game.max_chance_outcomes() if chance else game.num_distinct_actions()
    for action in (*UNKNOWN_IDS, count):
        what = f"observed_action_to_string(0, {action})"
        refuses(IllegalActionError, what, state.observed_action_to_string, 0, action)
    for wrong in NOT_AN_INDEX:
        what = f"observed_action_to_string(0, {wrong!r})"
        refuses(ArgumentTypeError, what, loose.observed_action_to_string, 0, wrong)


@state_law
def check_arguments(state: State) -> None:
    """Seats and arrays that do not fit are refused; any object with __index__ is an integer.

    >>> import tabletop_core as tc
    >>> check_arguments(tc.load_game("indigo").new_initial_state())
    """
    players = state.num_players()
    rng = Rng(1)
    for_one_seat: list[tuple[str, Callable[[Any], object]]] = [
        ("player_return", state.player_return),
        ("player_reward", state.player_reward),
        ("observation_tensor", state.observation_tensor),
        ("observation_string", state.observation_string),
        ("observed_action_to_string", lambda seat: state.observed_action_to_string(seat, 0)),
        ("resample_from_infostate", lambda seat: state.resample_from_infostate(seat, rng)),
    ]
    takes_none = {"observation_tensor", "observation_string"}  # for the seat that is to act
    for name, call in for_one_seat:
        call(np.int64(players - 1))
        call(np.uint8(0))
        for seat in (players, CHANCE, TERMINAL, 2**100):
            refuses(ArgumentError, f"{name}({seat})", call, seat)
        for wrong in NOT_AN_INDEX:
            if wrong is not None or name not in takes_none:
                refuses(ArgumentTypeError, f"{name}({wrong!r})", call, wrong)
    for name, call in (
        ("legal_actions", state.legal_actions),
        ("legal_actions_mask", state.legal_actions_mask),
    ):
        for seat in (players, -2, -3, -5, 2**100):
            refuses(ArgumentError, f"{name}({seat})", call, seat)
        for wrong in ("0", 0.0, [0]):
            refuses(ArgumentTypeError, f"{name}({wrong!r})", call, wrong)
    for action in state.legal_actions()[:2]:
        same = state.child(np.int32(action)) == state.child(action)
        require(same, f"child(np.int32({action})) is not child({action})")
    _check_out(lambda out: state.legal_actions_mask(out=out), state.legal_actions_mask())
    _check_out(lambda out: state.observation_tensor(0, out=out), state.observation_tensor(0))


def _check_out(call: Callable[[Any], object], right: np.ndarray[Any, Any]) -> None:
    """Try arrays that `out` must not be: of another shape or dtype, strided, read-only."""
    sealed = right.copy()
    sealed.flags.writeable = False
    for what, out in (
        ("one longer", np.zeros(right.size + 1, right.dtype)),
        ("two-dimensional", np.zeros((1, right.size), right.dtype)),
        ("strided", np.zeros(2 * right.size, right.dtype)[::2]),
        ("read-only", sealed),
    ):
        refuses(ArgumentError, f"an array `out` that is {what}", call, out)
    for wrong in (np.zeros(right.size, np.int16), [0] * right.size, "out"):
        refuses(ArgumentTypeError, f"`out` of type {type(wrong).__name__}", call, wrong)
