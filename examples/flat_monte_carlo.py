"""A player that does not cheat: flat Monte Carlo over resampled positions, against random play.

For each of a few positions that its seat cannot tell from the true one, it tries every action and
plays on at random; it takes the action with the best mean return.

Run with: python examples/flat_monte_carlo.py [GAME] [GAMES]
"""

from __future__ import annotations

import sys

import numpy as np

import tabletop_core as tc

WORLDS = 4
PLAYOUTS_PER_ACTION = 4


def monte_carlo_action(state: tc.State, rng: tc.Rng) -> int:
    """Choose for the seat to move, from what that seat may know."""
    seat = state.current_player()
    actions = state.legal_actions()
    totals = np.zeros(len(actions))
    for _ in range(WORLDS):
        world = state.resample_from_infostate(seat, rng)
        for i, action in enumerate(actions):
            result = tc.playouts(world.child(action), PLAYOUTS_PER_ACTION, seed=rng.next_u64())
            totals[i] += result.returns[:, seat].sum()
    return actions[int(totals.argmax())]


def random_action(state: tc.State, rng: tc.Rng) -> int:
    """Choose any legal action."""
    actions = state.legal_actions()
    return actions[rng.below(len(actions))]


def play(game: tc.Game, rng: tc.Rng) -> tc.State:
    """Play one game, Monte Carlo at seat 0."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(rng))
        elif state.current_player() == 0:
            state.apply_action(monte_carlo_action(state, rng))
        else:
            state.apply_action(random_action(state, rng))
    return state


def main(name: str = "indigo", games: str = "5") -> None:
    """Play some games and print how they ended."""
    game = tc.load_game(name)
    total = 0.0
    for i in range(int(games)):
        state = play(game, tc.Rng(7).split(i))
        total += state.player_return(0)
        print(f"game {i}: scores {state.scores()}, winners {state.winners()}")
    print(f"mean return of the Monte Carlo player: {total / int(games):+.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
