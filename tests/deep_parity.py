"""Compare the two engines on as many random games as one likes, on all cores.

    python -m tests.deep_parity --games 2000 --playouts 20000 --jobs 8 --seed 1 --game indigo

`--games` are compared at every node, one in ten of them in everything that the engines show, the others with most queries in
turn; `--playouts` are compared by their ends. Both numbers are per configuration, and all seatings, variants and mixtures of every
game take part with their games at full length. The work is cut into portions that depend on nothing but the numbers and the seed,
and their order is shuffled by the seed; `--skip N` takes up a run that was stopped after N portions. The first difference ends the
run with a script that replays it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from dataclasses import dataclass
from multiprocessing import get_context

import tabletop_core as tc
from tests.configurations import Configuration, configurations, mixtures
from tests.lockstep import compare_playouts, play_in_lockstep

GAMES_PER_PORTION = 10
PLAYOUTS_PER_PORTION = 100
SHOWS = 4
"""In how many mixtures each value of an option is, at least."""

BAR_WIDTH = 40


@dataclass(frozen=True)
class Portion:
    """Some of the games of one configuration; small enough that the bar moves."""

    configuration: Configuration
    numbers: range
    at_every_node: bool
    seed: int

    def difference(self) -> str | None:
        """Play the games and describe the first difference."""
        if self.at_every_node:
            for number in self.numbers:
                everything = number == self.numbers.start
                found = play_in_lockstep(
                    self.configuration, number, self.seed, everything=everything
                )
                if found is not None:
                    return str(found)
            return None
        # Playouts always count from 0, so each portion has a seed of its own.
        seed = tc.Rng(self.seed).split(self.numbers.start).next_u64()
        found = compare_playouts(self.configuration, len(self.numbers), seed)
        return None if found is None else str(found)


def portions(game: str | None, games: int, playouts: int, seed: int) -> list[Portion]:
    """Cut the whole run into portions, in an order that depends only on the arguments."""
    chosen = [c for c in (*configurations(), *mixtures(SHOWS)) if game in {None, c.game}]
    found = [
        Portion(configuration, range(first, min(first + size, total)), at_every_node, seed)
        for configuration in chosen
        for total, size, at_every_node in (
            (games, GAMES_PER_PORTION, True),
            (playouts, PLAYOUTS_PER_PORTION, False),
        )
        for first in range(0, total, size)
    ]
    random.Random(seed).shuffle(found)
    return found


def show_progress(done: int, total: int, started: float) -> None:
    """Redraw the bar on standard error."""
    filled = BAR_WIDTH * done // max(total, 1)
    seconds = time.monotonic() - started
    bar = "#" * filled + "." * (BAR_WIDTH - filled)
    sys.stderr.write(f"\r[{bar}] {done}/{total} portions, {seconds:.0f} s")
    sys.stderr.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 if both engines agree, 1 with a replay script if not."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.deep_parity", description=(__doc__ or "").split("\n", 1)[0]
    )
    parser.add_argument("--games", type=int, default=100, help="per configuration, at every node")
    parser.add_argument(
        "--playouts", type=int, default=1000, help="per configuration, by their ends"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0, help="portions that an earlier run has done")
    parser.add_argument("--game", choices=tc.registered_games(), help="one game only")
    chosen = parser.parse_args(arguments)
    work = portions(chosen.game, chosen.games, chosen.playouts, chosen.seed)
    started = time.monotonic()
    done = chosen.skip
    with get_context("spawn").Pool(chosen.jobs) as pool:
        for difference in pool.imap(Portion.difference, work[chosen.skip :]):
            if difference is not None:
                sys.stderr.write("\n")
                sys.stdout.write(f"{difference}\n")
                return 1
            done += 1
            show_progress(done, len(work), started)
    sys.stderr.write("\n")
    sys.stdout.write(f"no difference in {done - chosen.skip} portions\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
