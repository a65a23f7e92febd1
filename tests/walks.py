"""Random games, as the generic tests need them: step by step, or as a sample of positions of every kind."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import tabletop_core as tc

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabletop_core.protocol import Game, State

KEEP_ONE_IN = 4


def step(state: State, rng: tc.Rng) -> int:
    """Play one uniformly random decision or chance outcome and give its id."""
    if state.is_chance_node():
        action = state.sample_chance(rng)
    else:
        legal = state.legal_actions()
        action = legal[rng.below(len(legal))]
    state.apply_action(action)
    return action


def walk(game: Game, seed: int) -> Iterator[State]:
    """Play one random game and give the live state at each of its nodes, first and last included."""
    rng = tc.Rng(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        step(state, rng)
        yield state


def every_few(game: Game, seed: int, few: int) -> Iterator[State]:
    """Play one random game and give the live state at every few nodes and at the end."""
    for number, state in enumerate(walk(game, seed)):
        if number % few == 0 or state.is_terminal():
            yield state


def finish(state: State, rng: tc.Rng) -> State:
    """Play the state itself to its end."""
    while not state.is_terminal():
        step(state, rng)
    return state


def after(game: Game, plies: int, seed: int = 0) -> State:
    """Give the position after so many random nodes, or the end if it comes first."""
    for ply, state in enumerate(walk(game, seed)):
        if ply == plies or state.is_terminal():
            return state
    message = "a walk ends at a terminal state"
    raise AssertionError(message)


def first_decision(game: Game, seed: int = 0) -> State:
    """Give the first position at which somebody decides."""
    state = game.new_initial_state()
    state.resolve_chance(tc.Rng(seed))
    return state


def positions(game: Game, count: int) -> tuple[State, ...]:
    """Give positions from random games: starts, ends, and one in four of the nodes between. Callers must not change them."""
    hashable: Any = game
    return _positions(hashable, count)


@lru_cache(maxsize=64)
def _positions(game: Any, count: int) -> tuple[State, ...]:
    found: list[State] = []
    seed = 0
    while len(found) < count:
        choice = tc.Rng(seed).split(1)
        for ply, state in enumerate(walk(game, seed)):
            if ply == 0 or state.is_terminal() or choice.below(KEEP_ONE_IN) == 0:
                found.append(state.clone())
            if len(found) == count:
                break
        seed += 1
    return tuple(found)


def decisions(game: Game, count: int) -> list[State]:
    """Give those of the positions at which somebody decides."""
    return [state for state in positions(game, count) if state.current_player() >= 0]


def chances(game: Game, count: int) -> list[State]:
    """Give those of the positions that are chance nodes."""
    return [state for state in positions(game, count) if state.is_chance_node()]


def shown(state: State) -> tuple[object, ...]:
    """Take everything that a state shows, as values that cannot change with it."""
    seats = range(state.num_players())
    return (
        state.to_bytes(),
        state.current_player(),
        tuple(state.legal_actions()),
        state.stable_hash(),
        str(state),
        tuple(state.observation_string(seat) for seat in seats),
        tuple(state.observation_tensor(seat).tobytes() for seat in seats),
        tuple(state.returns().tolist()),
        tuple(state.scores().tolist()),
    )


def hides_something(game: Game) -> bool:
    """Say whether seats know different things in this game; where all know the same, they know everything."""
    return any(
        len({_known(state, seat) for seat in range(game.num_players())}) > 1
        for state in walk(game, seed=0)
    )


def _known(state: State, seat: int) -> str:
    """Give what a seat observes, without the line that says which seat it is."""
    observer, known = state.observation_string(seat).split("\n", 1)
    assert observer == f"observer: {seat}"
    return known


def end(game: Game, seed: int = 0) -> State:
    """Give the last position of a random game."""
    return finish(game.new_initial_state(), tc.Rng(seed))


def run_python(
    code: str, *, environment: Mapping[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that sees the same packages as this one."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
