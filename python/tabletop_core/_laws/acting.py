"""The laws of what may happen at a node: decisions, chance, names, results."""

from __future__ import annotations

import copy
import operator
from itertools import pairwise
from typing import Any, SupportsIndex

import numpy as np

from .. import Rng
from ..errors import ArgumentError, ArgumentTypeError, IllegalActionError
from ..protocol import State
from ._law import CHANCE, NOT_AN_INDEX, TERMINAL, UNKNOWN_IDS, own_rng, refuses, require, state_law


@state_law
def check_node(state: State) -> None:
    """A position is a decision, a chance event or the end, exactly one of them.

    >>> import tabletop_core as tc
    >>> check_node(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    player = state.current_player()
    kinds = [state.is_player_node(), state.is_chance_node(), state.is_terminal()]
    expected = [0 <= player < game.num_players(), player == CHANCE, player == TERMINAL]
    require(sum(expected) == 1, f"current_player() is {player}")
    require(kinds == expected, f"current_player() is {player}, the kinds of node say {kinds}")
    require(not state.is_simultaneous_node(), "is_simultaneous_node() is true")
    require(not state.is_truncated() or state.is_terminal(), "truncated before the end")
    require(state.num_players() == game.num_players(), "num_players() is not the game's")
    sizes = (state.num_distinct_actions(), game.num_distinct_actions())
    require(sizes[0] == sizes[1], "num_distinct_actions() is not the game's")
    require(bool(str(state)), "str(state) is empty")


@state_law
def check_legal_actions(state: State) -> None:
    """Legal list, mask and is_legal agree; the list ascends; who does not act has nothing to do.

    >>> import tabletop_core as tc
    >>> check_legal_actions(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    mover = state.current_player()
    legal = state.legal_actions()
    size = game.max_chance_outcomes() if mover == CHANCE else game.num_distinct_actions()
    require(all(type(action) is int for action in legal), "a legal id is no int")
    require(all(a < b for a, b in pairwise(legal)), f"the legal list does not ascend: {legal}")
    require(not legal or 0 <= legal[0] <= legal[-1] < size, f"a legal id is not below {size}")
    require(bool(legal) != state.is_terminal(), f"{len(legal)} legal ids for player {mover}")
    unlawful = [action for action in legal if not state.is_legal(action)]
    require(not unlawful, f"these ids are listed, but not is_legal(): {unlawful}")

    for player in (None, *range(game.num_players()), CHANCE, TERMINAL):
        acts = player in {None, mover}
        require(
            state.legal_actions(player) == (legal if acts else []),
            f"legal_actions({player}) is wrong while {mover} acts",
        )
        entries = game.max_chance_outcomes() if player == CHANCE else game.num_distinct_actions()
        expected = np.zeros(entries, np.bool_)
        if acts and (mover >= 0 or player == CHANCE):
            expected[legal] = True
        mask = state.legal_actions_mask(player)
        require(
            mask.dtype == np.bool_ and np.array_equal(mask, expected),
            f"legal_actions_mask({player}) is wrong while {mover} acts",
        )
        out = ~expected
        require(state.legal_actions_mask(player, out=out) is out, "`out` is not what is returned")
        require(np.array_equal(out, expected), f"legal_actions_mask({player}) left `out` wrong")
    legal.clear()
    require(bool(state.legal_actions()) != state.is_terminal(), "the list is not a fresh copy")


@state_law
def check_illegal_actions(state: State) -> None:
    """What is not legal raises IllegalActionError, or ArgumentTypeError, and changes nothing.

    >>> import tabletop_core as tc
    >>> check_illegal_actions(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    legal = set(state.legal_actions())
    size = max(game.num_distinct_actions(), game.max_chance_outcomes())
    for action in (*UNKNOWN_IDS, *range(size + 1)):
        if action not in legal:
            require(not state.is_legal(action), f"is_legal({action}), but it is not listed")
            refuses(IllegalActionError, f"apply_action({action})", state.apply_action, action)
    for action in (*UNKNOWN_IDS, size):
        refuses(IllegalActionError, f"child({action})", state.child, action)
    for wrong in NOT_AN_INDEX:
        for call in (state.apply_action, state.child, state.is_legal, state.action_to_string):
            refuses(ArgumentTypeError, f"{call.__name__}({wrong!r})", call, wrong)


@state_law
def check_names(state: State) -> None:
    """What can happen at a node has texts that differ, and they are those of the game.

    >>> import tabletop_core as tc
    >>> check_names(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    chance = state.is_chance_node()
    to_text = game.chance_to_string if chance else game.action_to_string
    legal = state.legal_actions()
    texts = [state.action_to_string(action) for action in legal]
    require(len(set(texts)) == len(texts), "two of the legal ids have the same text")
    require(texts == [to_text(action) for action in legal], "a text is not the game's")
    player = state.current_player()
    require(
        texts == [state.action_to_string(player, action) for action in legal],
        "action_to_string(player, action) differs from action_to_string(action)",
    )


class _ForeignGenerator:
    """Not an `Rng` of ours, but it draws bounded integers, and that is all that is asked for."""

    def below(self, n: SupportsIndex, /) -> int:
        return operator.index(n) - 1


@state_law
def check_chance(state: State) -> None:
    """Chance is explicit: ids ascend, probabilities are positive and add up to one.

    >>> import tabletop_core as tc
    >>> check_chance(tc.load_game("indigo").new_initial_state())
    """
    loose: Any = state
    if not state.is_chance_node():
        refuses(IllegalActionError, "chance_outcomes()", state.chance_outcomes)
        refuses(IllegalActionError, "sample_chance()", state.sample_chance, Rng(1))
        same = state.clone()
        same.resolve_chance(Rng(1))
        require(same == state, "resolve_chance() moved a position without chance")
        return
    outcomes = state.chance_outcomes()
    ids = [outcome for outcome, _ in outcomes]
    require(ids == state.legal_actions(), "the outcomes are not the legal ids")
    require(all(p > 0 for _, p in outcomes), "an outcome has no probability")
    total = sum(p for _, p in outcomes)
    require(abs(total - 1) < 1e-12, f"the probabilities add up to {total}")

    rng = own_rng(state)
    drawn = [state.sample_chance(copy.copy(rng)) for _ in range(2)]
    sources = (rng, lambda: 0.5, lambda: 0.0, _ForeignGenerator())
    drawn += [state.sample_chance(source) for source in sources]
    require(drawn[0] == drawn[1], "equal generators draw different outcomes")
    require(set(drawn) <= set(ids), "an outcome was drawn that is not listed")
    for wrong in (None, 7, "rng", [0.5]):
        refuses(ArgumentTypeError, f"sample_chance({wrong!r})", loose.sample_chance, wrong)
    for value in (1.0, -0.1, float("nan"), "0.5"):
        for call in (loose.sample_chance, loose.clone().resolve_chance):
            refuses(ArgumentError, f"a callable that returns {value!r}", call, lambda v=value: v)

    resolved = [state.clone(), state.clone()]
    for other in resolved:
        other.resolve_chance(copy.copy(rng))
        require(not other.is_chance_node(), "resolve_chance() stops at a chance node")
    require(resolved[0] == resolved[1], "equal generators resolve chance differently")


@state_law
def check_results(state: State) -> None:
    """Scores, winners and returns have their types and bounds, and returns follow from winners.

    >>> import tabletop_core as tc
    >>> check_results(tc.load_game("indigo").new_initial_state())
    """
    game = state.get_game()
    players = game.num_players()
    scores, returns, winners = state.scores(), state.returns(), state.winners()
    require(scores.dtype == np.int64 and scores.shape == (players,), f"scores() is {scores!r}")
    require(returns.dtype == np.float64 and returns.shape == (players,), f"returns(): {returns!r}")
    require(
        all(type(seat) is int and 0 <= seat < players for seat in winners)
        and all(a < b for a, b in pairwise(winners)),
        f"winners() is {winners}",
    )
    if not state.is_terminal():
        require(not winners and not returns.any(), "there is a result before the end")
    elif players == 1:
        require(bool(returns[0] == scores[0]), "the return of a single seat is not its score")
    else:
        won = len(winners)
        expected = np.zeros(players)
        if 0 < won < players:
            expected[:] = -1 / (players - 1)
            expected[winners] = (players - won) / (won * (players - 1))
        require(np.allclose(returns, expected, 0, 1e-12), f"{returns} with winners {winners}")
    low, high = game.min_utility(), game.max_utility()
    require(bool(((low <= returns) & (returns <= high)).all()), f"{returns}: not {low}..{high}")
    require(np.array_equal(state.rewards(), returns), "rewards() are not returns()")
    for seat in range(players):
        require(state.player_return(seat) == returns[seat], f"player_return({seat}) differs")
        require(state.player_reward(seat) == returns[seat], f"player_reward({seat}) differs")
    for values in (scores, returns):
        kept = values.copy()
        values.fill(99)
        now: Any = state.scores() if values is scores else state.returns()
        require(np.array_equal(now, kept), "an array is not a fresh copy")
