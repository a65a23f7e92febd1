"""Does the seat matter? Uniformly random games, many at once.

Run with: python examples/random_playouts.py [GAME] [NUMBER]
"""

from __future__ import annotations

import sys

import tabletop_core as tc


def main(name: str = "indigo", number: str = "20000") -> None:
    """Print the mean return and score of each seat, for every number of players."""
    players = next(spec for spec in tc.game_options(name) if spec.name == "players")
    for count in players.samples:
        game = tc.load_game(name, players=count)
        result = tc.playouts(game, int(number), seed=7, threads=2)
        print(f"{name}, {count} players, {result.lengths.mean():.1f} decisions a game")
        print("  mean return by seat:", result.returns.mean(axis=0).round(3))
        print("  mean score by seat: ", result.scores.mean(axis=0).round(2))


if __name__ == "__main__":
    main(*sys.argv[1:])
