"""Random games and node counts: what the two engines are compared by."""

from __future__ import annotations

from typing import Any, Literal, SupportsIndex

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError
from ..types import Perft, Playouts
from ._arguments import bounded_index, show, text_of
from ._base import CHANCE, TERMINAL, Rules
from ._rng import MASK, Below, Rng
from ._state import Game, State, draw, stable_hash, utilities

# The limits of the native engine.
MOST_PLAYOUTS = 2**32
MOST_THREADS = 1024
DEEPEST_PERFT = 10_000


def playouts(
    state_or_game: State | Game,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    policy: Literal["uniform"] = "uniform",
) -> Playouts:
    """Play n games (0..2**32) at random from a state, or from the start of a game.

    Game i draws from `Rng(seed).split(i)`: one `below(count)` for each decision, one
    `below(total weight)` for each chance node. The policy "uniform" is the only one.
    `threads` (1..1024) is accepted for the sake of the native engine; the result never depends
    on it.

    >>> from tabletop_core.reference import load_game
    >>> result = playouts(load_game("indigo"), 2, seed=5)
    >>> result.scores.shape, int(result.lengths.max()) <= 54
    ((2, 2), True)
    """
    state = _start(state_or_game)
    count = bounded_index(n, "n", 0, MOST_PLAYOUTS)
    root = Rng(bounded_index(seed, "seed", 0, MASK))
    bounded_index(threads, "threads", 1, MOST_THREADS)
    if text_of(policy, "policy") != "uniform":
        message = f"policy must be 'uniform', not {show(policy)}"
        raise ArgumentError(message)

    game = state.get_game()
    rules = game._rules
    players = game.num_players()
    result = Playouts(
        returns=np.zeros((count, players), np.float64),
        scores=np.zeros((count, players), np.int64),
        lengths=np.zeros(count, np.int64),
        final_hashes=np.zeros(count, np.uint64),
    )
    for i in range(count):
        position = rules.clone(state._position)
        result.lengths[i] = play_out(rules, position, root.split(i).below)
        result.returns[i] = utilities(rules, position)
        result.scores[i] = rules.scores(position)
        result.final_hashes[i] = stable_hash(game, position)
    return result


def play_out(rules: Rules[Any], position: Any, below: Below) -> int:
    """Play a position to its end at random, in place; give the number of decisions."""
    decisions = 0
    while (player := rules.current_player(position)) != TERMINAL:
        if player == CHANCE:
            rules.apply(position, draw(rules.chance_weights(position), below))
        else:
            actions = rules.legal_actions(position)
            rules.apply(position, actions[below(len(actions))])
            decisions += 1
    return decisions


def perft(state: State, depth: SupportsIndex) -> Perft:
    """Count the nodes of each kind exactly `depth` levels (0..10,000) below a state.

    An outcome of chance is one level, as a decision is.

    >>> from tabletop_core.reference import load_game
    >>> perft(load_game("indigo").new_initial_state(), 2)
    Perft(decision=25, chance=0, terminal=0)
    """
    state = _checked_state(state)
    rules = state.get_game()._rules
    counts = {"decision": 0, "chance": 0, "terminal": 0}
    waiting = [(state._position, bounded_index(depth, "depth", 0, DEEPEST_PERFT))]
    while waiting:
        position, levels = waiting.pop()
        player = rules.current_player(position)
        if levels == 0:
            counts[_kind(player)] += 1
            continue
        for action in _actions(rules, position, player):
            child = rules.clone(position)
            rules.apply(child, action)
            waiting.append((child, levels - 1))
    return Perft(**counts)


def _kind(player: int) -> str:
    if player == CHANCE:
        return "chance"
    return "terminal" if player == TERMINAL else "decision"


def _actions(rules: Rules[Any], position: Any, player: int) -> list[int]:
    if player == TERMINAL:
        return []
    if player == CHANCE:
        return [outcome for outcome, _ in rules.chance_weights(position)]
    return rules.legal_actions(position)


def _start(value: object) -> State:
    """Take a state, or the initial one of a game."""
    if isinstance(value, Game):
        return value.new_initial_state()
    if isinstance(value, State):
        return value
    message = f"playouts need a State or Game of the reference engine, not {show(value)}"
    raise ArgumentTypeError(message)


def _checked_state(value: object) -> State:
    if isinstance(value, State):
        return value
    message = f"perft needs a State of the reference engine, not {show(value)}"
    raise ArgumentTypeError(message)
