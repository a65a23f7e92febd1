"""Single Python calls and the loop over them, the same for every engine with OpenSpiel's names for things."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.measure import timed, timed_statement

if TYPE_CHECKING:
    from benchmarks.measure import Work
    from tabletop_core.protocol import Game, State

SEED = 4

Draw: TypeAlias = Callable[["State"], int]
"""Draws the outcome at a chance node."""


def play(state: State, draw: Draw, rng: random.Random) -> list[int]:
    """Play to the end by single calls, uniformly at random; give the decisions."""
    decisions = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw(state))
        else:
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            decisions.append(action)
    return decisions


def loop(game: Game, draw: Draw) -> Work:
    """Play games by single calls; the units are decisions."""
    rng = random.Random(SEED)
    return timed(
        lambda games: sum(len(play(game.new_initial_state(), draw, rng)) for _ in range(games))
    )


def single_calls(
    game: Game, draw: Draw, statements: dict[str, str], **names: object
) -> dict[str, Work]:
    """Measure statements on a `state` in mid-game, in which `seat` decides, and the actions of a whole game."""
    actions, middle = recorded_game(game, draw)
    state = game.new_initial_state()
    for action in actions[:middle]:
        state.apply_action(action)
    names = {"state": state, "seat": state.current_player(), **names}
    return {
        **{column: timed_statement(text, **names) for column, text in statements.items()},
        "apply_action": replay(game, actions),
    }


def recorded_game(game: Game, draw: Draw) -> tuple[list[int], int]:
    """Play a random game; give its actions and outcomes, and where half of its decisions are behind it."""
    rng = random.Random(SEED)
    state = game.new_initial_state()
    actions: list[int] = []
    decisions = []
    while not state.is_terminal():
        if state.is_chance_node():
            actions.append(draw(state))
        else:
            decisions.append(len(actions))
            actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions, decisions[len(decisions) // 2]


def replay(game: Game, actions: list[int]) -> Work:
    """Apply the actions of a game from its start; the units are the actions."""

    def work(games: int) -> float:
        for _ in range(games):
            state = game.new_initial_state()
            for action in actions:
                state.apply_action(action)
        return games * len(actions)

    return timed(work)
