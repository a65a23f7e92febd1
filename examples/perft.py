"""Count the nodes at each depth, by kind, with both engines: the shortest proof that they agree.

Run with: python examples/perft.py [GAME] [DEPTH]
"""

from __future__ import annotations

import sys
import time

import tabletop_core as tc


def main(name: str = "indigo", depth: str = "3") -> None:
    """Print decision, chance and terminal nodes down to a depth below the start."""
    state = tc.load_game(name).new_initial_state()
    twin = tc.reference.load_game(name).new_initial_state()
    print(f"{'depth':>5} {'decision':>12} {'chance':>12} {'terminal':>9} {'seconds':>8}")
    for levels in range(int(depth) + 1):
        start = time.perf_counter()
        nodes = tc.perft(state, levels)
        seconds = time.perf_counter() - start
        print(
            f"{levels:>5} {nodes.decision:>12,} {nodes.chance:>12,} {nodes.terminal:>9,} "
            f"{seconds:>8.3f}"
        )
        if nodes != tc.reference.perft(twin, levels):
            sys.exit(f"the reference engine counts otherwise at depth {levels}")


if __name__ == "__main__":
    main(*sys.argv[1:])
