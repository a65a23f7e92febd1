"""The laws of copies, equality, dicts and bytes."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

from .. import Rng
from ..errors import ArgumentTypeError, PositionError
from ..protocol import State
from ._law import STRANGERS, own_rng, random_steps, refuses, require, state_law
from .acting import check_legal_actions, check_results

_NO_POSITION = (PositionError, ArgumentTypeError)
"""Either will do for what is neither a dict nor bytes."""


@state_law
def check_copies(state: State) -> None:
    """Clones, copies and pickles are equal and independent, and a child leaves its parent alone.

    >>> import tabletop_core as tc
    >>> check_copies(tc.load_game("indigo").new_initial_state())
    """
    copies = [state.clone(), copy.copy(state), copy.deepcopy(state)]
    copies += [pickle.loads(pickle.dumps(state, protocol)) for protocol in range(2, 6)]
    before = state.to_bytes()
    for other in copies:
        require(other is not state, "a copy is the position itself")
        require(other == state and hash(other) == hash(state), "a copy is not equal")
        require(other.to_bytes() == before, "a copy has other bytes")
        require(other.get_game() == state.get_game(), "a copy belongs to another game")
    for other in copies:
        random_steps(other, own_rng(state), 8)
        require(state.to_bytes() == before, "a move on a copy showed in the original")
        require(other == copies[0], "equal copies went different ways by equal random numbers")
    legal = state.legal_actions()
    for action in dict.fromkeys([*legal[:1], *legal[len(legal) // 2 :][:1], *legal[-1:]]):
        child = state.child(action)
        require(state.to_bytes() == before, f"child({action}) changed its parent")
        moved = state.clone()
        moved.apply_action(action)
        require(child == moved, f"child({action}) is not apply_action({action}) on a clone")


@state_law
def check_equality(state: State) -> None:
    """Positions are equal exactly when their bytes are, and then their hashes are, too.

    >>> import tabletop_core as tc
    >>> check_equality(tc.load_game("indigo").new_initial_state())
    """
    require(0 <= state.stable_hash() < 2**64, f"stable_hash() is {state.stable_hash()}")
    for stranger in STRANGERS:
        unequal = state != stranger and not state == stranger  # noqa: SIM201
        require(unequal, f"a position is equal to {stranger!r}")
    legal = state.legal_actions()
    family = [state, *(state.child(action) for action in legal[:4])]
    for one in family:
        for other in family:
            same = one.to_bytes() == other.to_bytes()
            require((one == other) == same, "== and the bytes disagree")
            require((one != other) != same, "!= and the bytes disagree")
            stable = one.stable_hash() == other.stable_hash()
            require(stable == same, "stable_hash() and the bytes disagree")
            require(not same or hash(one) == hash(other), "equal positions, unequal hash()")


@state_law
def check_round_trips(state: State) -> None:
    """Dict, JSON and bytes hold the whole position.

    >>> import tabletop_core as tc
    >>> check_round_trips(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    d = state.to_dict()
    read = json.loads(json.dumps(d))
    require(read == d, "the dict is not the same after JSON")
    trips = {
        "state_from_dict": game.state_from_dict(d),
        "state_from_dict (after JSON)": game.state_from_dict(read),
        "state_from_bytes": game.state_from_bytes(state.to_bytes()),
    }
    for way, other in trips.items():
        require(other == state, f"{way} gives another position")
        require(other.stable_hash() == state.stable_hash(), f"{way} gives another hash")
        require(other.to_dict() == read, f"{way} gives another dict")
        require(list(other.to_dict()) == list(d), f"{way} gives another order of keys")
        require(str(other) == str(state), f"{way} gives another str()")
        require(other.legal_actions() == state.legal_actions(), f"{way}: other legal actions")
        for seat in range(game.num_players()):
            same = other.observation_string(seat) == state.observation_string(seat)
            require(same, f"{way} gives another observation to seat {seat}")
    _empty(d)
    require(state.to_dict() == read, "the dict is not a fresh copy")


@state_law
def check_foreign_positions(state: State) -> None:
    """Bytes and dicts that somebody altered are refused, or make a position that keeps the laws.

    >>> import tabletop_core as tc
    >>> check_foreign_positions(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    rng = own_rng(state)
    b = state.to_bytes()
    for altered in (b"", b[:-1], b + b"\0", b[: len(b) // 2], b[1:], bytes(len(b))):
        refuses(PositionError, f"state_from_bytes({altered!r})", game.state_from_bytes, altered)
    for _ in range(16):
        at = rng.below(len(b))
        value = (b[at] + 1 + rng.below(255)) % 256
        _accepts_only_sound(game.state_from_bytes, b[:at] + bytes([value]) + b[at + 1 :], rng)
    loose: Any = game
    for wrong in (None, 7, "bytes"):
        refuses(_NO_POSITION, f"state_from_bytes({wrong!r})", loose.state_from_bytes, wrong)

    d = state.to_dict()
    for key in d:
        rest = {name: value for name, value in d.items() if name != key}
        refuses(PositionError, f"state_from_dict without {key!r}", game.state_from_dict, rest)
    extra = {**d, "no such key": 0}
    refuses(PositionError, "state_from_dict with an unknown key", game.state_from_dict, extra)
    for foreign in ((), None, 7, "dict"):
        refuses(_NO_POSITION, f"state_from_dict({foreign!r})", loose.state_from_dict, foreign)
    for _ in range(16):
        altered_dict, refused = _alter(copy.deepcopy(d), rng)
        if refused:
            refuses(PositionError, f"the dict {altered_dict}", game.state_from_dict, altered_dict)
        else:
            _accepts_only_sound(game.state_from_dict, altered_dict, rng)


def _accepts_only_sound(read: Callable[[Any], State], altered: object, rng: Rng) -> None:
    """Let a decoder refuse; what it accepts must be written as it was read, and be playable."""
    try:
        accepted = read(altered)
    except PositionError:
        return
    game = accepted.get_game()
    if isinstance(altered, bytes):  # a dict may list things in another order than to_dict()
        written = accepted.to_bytes()
        require(written == altered, f"{altered!r} was accepted, but is written as {written!r}")
    again = game.state_from_dict(accepted.to_dict())
    require(again == accepted, f"{altered!r} was accepted, but its dict is another position")
    require(game.state_from_bytes(accepted.to_bytes()) == accepted, "accepted, then refused")
    for seat in range(game.num_players()):
        accepted.resample_from_infostate(seat, rng)
        accepted.observation_tensor(seat)
    check_legal_actions(accepted)
    check_results(accepted)
    random_steps(accepted, rng, 12)
    require(
        game.state_from_bytes(accepted.to_bytes()) == accepted,
        f"{altered!r} was accepted, and some moves later the position is refused",
    )


def _alter(d: dict[str, Any], rng: Rng) -> tuple[dict[str, Any], bool]:
    """Change one random leaf of a dict; say whether the result can under no rules be a position."""
    leaves: list[tuple[Any, Any]] = []
    waiting: list[Any] = [d]
    while waiting:
        node = waiting.pop()
        for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
            if isinstance(value, dict | list) and value:
                waiting.append(value)
            else:
                leaves.append((node, key))
    node, key = leaves[rng.below(len(leaves))]
    impossible: list[object] = [1.5, "no such text", 2**70, -(2**70), {"a": 1}]
    if type(node[key]) is int:
        impossible += [True, False, float(node[key]), str(node[key])]
    possible: list[object] = [None, 0, 1, -1, 7, [], [0]]
    chosen = rng.below(len(impossible) + len(possible))
    refused = chosen < len(impossible)
    node[key] = impossible[chosen] if refused else possible[chosen - len(impossible)]
    return d, refused


def _empty(value: Any) -> None:
    """Empty a dict or list and all that is in it."""
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            _empty(inner)
    value.clear()
