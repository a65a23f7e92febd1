"""What the tests of the three challenges and of their match share: the score board, the turns and the end of a game.

Nothing here is taken from an engine: all is worked out again from the rules pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.rules.shared import Shown, counting
from tests.walks import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabletop_core.protocol import Game

SYMBOLS = ("red", "green", "blue", "orange", "yellow", "purple")
LAST_HOLE = 10
GOAL = 7
TARGETS = {2: 7, 3: 7, 4: 5}
"""Target column of the Tile Challenge by number of players."""

VECTORS: dict[str, tuple[list[int], list[tuple[int, int]], list[int]]] = {
    "the first symbol is stopped by a peg at 0": ([3, 0, 1, 1, 1, 1], [(0, 2), (1, 2)], [3, 2, 1, 1, 1, 1]),
    "the other order opens hole 4": ([3, 0, 1, 1, 1, 1], [(1, 2), (0, 2)], [5, 2, 1, 1, 1, 1]),
    "the moving peg does not stop itself": ([0, 1, 1, 1, 1, 1], [(0, 4)], [4, 1, 1, 1, 1, 1]),
    "eight holes in one go": ([1, 4, 4, 4, 4, 4], [(0, 8)], [9, 4, 4, 4, 4, 4]),
    "two points are lost at hole 3": ([0, 0, 2, 2, 2, 2], [(0, 5)], [3, 0, 2, 2, 2, 2]),
    "a peg at 3 closes hole 7": ([6, 4, 4, 4, 3, 4], [(0, 3), (4, 2)], [6, 4, 4, 4, 5, 4]),
    "the other order opens hole 7": ([6, 4, 4, 4, 3, 4], [(4, 2), (0, 3)], [9, 4, 4, 4, 5, 4]),
    "the first symbol loses one point": ([3, 3, 4, 4, 4, 4], [(0, 4), (1, 4)], [6, 7, 4, 4, 4, 4]),
    "nothing goes past hole 10": ([9, 6, 7, 7, 7, 7], [(0, 4)], [10, 6, 7, 7, 7, 7]),
    "two pegs arrive": ([6, 6, 6, 6, 6, 6], [(0, 4), (1, 4)], [10, 10, 6, 6, 6, 6]),
}  # fmt: skip
"""Pegs, points in the order in which they are scored, and the pegs that result."""


def advance(
    pegs: Sequence[int],
    symbol: int,
    points: int,
    *,
    gate_test: str | None = "stepwise",
    last: int = LAST_HOLE,
) -> list[int]:
    """Move one peg up to so many holes; without a gate test there are no gates."""
    start = hole = pegs[symbol]
    lowest = min(hole for other, hole in enumerate(pegs) if other != symbol)
    for _ in range(points):
        closed = gate_test is not None and (
            (hole == 3 and (lowest < 1 or (gate_test == "strict" and start == 0)))
            or (hole == 6 and (lowest < 4 or (gate_test == "strict" and start <= 3)))
        )
        if hole == last or closed:
            break
        hole += 1
    return [*pegs[:symbol], hole, *pegs[symbol + 1 :]]


def gates_hold(pegs: Sequence[int]) -> bool:
    """Say whether a player's pegs can stand like this."""
    return not (max(pegs) >= 4 and min(pegs) == 0) and not (max(pegs) >= 7 and min(pegs) <= 3)


def arrivals(before: Sequence[int], after: Sequence[int], last: int = LAST_HOLE) -> int:
    """Count the pegs that have come to the last hole."""
    return sum(hole == last != old for old, hole in zip(before, after, strict=True))


def count_turn(shown: Shown, options: Mapping[str, Any], *, moved: bool, goal: int) -> bool:
    """Count the turn of the seat, and end the game if this was its last one."""
    shown["turns"] += 1
    shown["idle"] = 0 if moved else shown["idle"] + 1
    won: bool = min(shown["pegs"][shown["seat"]]) >= goal
    capped: bool = (
        shown["turns"] == options["max_turns"] or shown["idle"] == options["no_progress_limit"]
    )
    if won or capped:
        shown.update(phase="over", pending_bonus=0, truncated=not won)
    return won or capped


def pass_on(shown: Shown) -> None:
    """Give the next turn to the same seat, if it has a bonus turn, or to the next one."""
    if shown["pending_bonus"]:
        shown["pending_bonus"] -= 1
    else:
        shown["seat"] = (shown["seat"] + 1) % len(shown["pegs"])


def winners_of(shown: Shown) -> list[int]:
    """Say who wins: who came to the goal, or after a cap the best by sorted pegs, lowest first."""
    if shown["phase"] != "over":
        return []
    if not shown["truncated"]:
        return [shown["seat"]]
    ranks = [sorted(pegs) for pegs in shown["pegs"]]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def lowest_symbols(pegs: Sequence[int]) -> list[int]:
    """Give the symbols of the lowest rows."""
    return [symbol for symbol in range(6) if pegs[symbol] == min(pegs)]


# Texts


def names(symbols: Iterable[int]) -> str:
    """Write symbols as words."""
    return " ".join(SYMBOLS[symbol] for symbol in symbols) or "-"


def first_line(game: str, shown: Shown) -> str:
    """Give the first line of `str(state)`."""
    if shown["phase"] != "over":
        return f"{game}: {shown['phase']}, seat {shown['seat']}, turn {shown['turns']}"
    capped = " (truncated)" if shown["truncated"] else ""
    return f"{game}: over, turn {shown['turns']}{capped}"


# Random games


def figures(game: Game, seed: int) -> dict[str, float]:
    """Play a random game, which no cap may end, and give its turns, the numbers of its nodes and its mean lowest row."""
    nodes: Counter[str] = Counter()
    *_, last = counting(walk(game, seed), nodes)
    assert not last.is_truncated()
    return {**nodes, "turns": last.to_dict()["turns"], "lowest": float(last.scores().mean())}
