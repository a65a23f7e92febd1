"""The score board of the three Ingenious Challenges, and what all of them make of it.

Card, Dice and Tile Challenge differ in how points are made. They share what points are good for:
six pegs for each seat, gates between the areas of the board, turns and bonus turns, who wins, and
the caps that end a game in which nobody does. `_score_board_forms` writes and checks all that.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ._base import Word


class Symbol(Word):
    """What cards, dice and tiles show; every seat has a row for each."""

    RED = 0
    GREEN = 1
    BLUE = 2
    ORANGE = 3
    YELLOW = 4
    PURPLE = 5


class GateTest(Enum):
    """What shuts a gate to a peg: other pegs only, or also where it began to move."""

    STEPWISE = "stepwise"
    STRICT = "strict"


GATES = {4: 1, 7: 4}
"""The first hole of an area with a gate, and the first hole of the area before it.

The areas are the holes 0, 1-3, 4-6 and 7-10. A peg may pass a gate only when no other peg of its
seat stands below the area before it.
"""

Pegs = list[int]
"""The hole of each peg of a seat, by symbol."""


@dataclass
class Race:
    """The part of a position that the three games have in common."""

    pegs: list[Pegs]
    """One board for each seat."""
    seat: int = 0
    """Whose turn it is (in the set-up: who gets something); at the end, who had the last turn."""
    turns: int = 0
    """Number of turns that have been scored, bonus turns among them."""
    idle: int = 0
    """Number of turns, up to the last one scored, since a peg has moved."""
    pending_bonus: int = 0
    """Extra turns that the seat still has coming, the running one not among them."""
    truncated: bool = False
    """Whether a cap has ended the game."""

    @property
    def own_pegs(self) -> Pegs:
        """The pegs of the seat whose turn it is."""
        return self.pegs[self.seat]

    def copy(self) -> Race:
        """Give an equal and independent race."""
        return Race(
            pegs=[list(pegs) for pegs in self.pegs],
            seat=self.seat,
            turns=self.turns,
            idle=self.idle,
            pending_bonus=self.pending_bonus,
            truncated=self.truncated,
        )


@dataclass(frozen=True)
class ScoreBoard:
    """The score board as one of the games uses it, and the rules that hang on it.

    Points advance a peg hole by hole, and those that it cannot use are lost:

    >>> board = ScoreBoard(players=2, last_hole=10, goal=7, gate_test=GateTest.STEPWISE)
    >>> race = board.start()
    >>> race.pegs[0] = [3, 0, 1, 1, 1, 1]
    >>> board.advance(race, Symbol.RED, 2), board.advance(race, Symbol.GREEN, 2)
    (0, 2)
    >>> board.advance(race, Symbol.RED, 2), race.own_pegs
    (2, [5, 2, 1, 1, 1, 1])
    """

    players: int
    last_hole: int
    """Where a peg stops; getting there earns a bonus turn."""
    goal: int
    """The hole that all six pegs have to reach."""
    gate_test: GateTest | None
    """None: there are no gates."""
    max_turns: int = 1000
    no_progress_limit: int = 100

    def start(self) -> Race:
        """Put all pegs into hole 0; seat 0 begins."""
        return Race(pegs=[[0 for _ in Symbol] for _ in range(self.players)])

    # Scoring.

    def advance(self, race: Race, symbol: Symbol, points: int) -> int:
        """Move a peg of the seat whose turn it is; give the number of holes that it went."""
        pegs = race.own_pegs
        start = pegs[symbol]
        for _ in range(points):
            if not self._may_step(pegs, symbol, start):
                break
            pegs[symbol] += 1
        if start < pegs[symbol] == self.last_hole:
            # One for each symbol and game, as pegs never move back.
            race.pending_bonus += 1
        return pegs[symbol] - start

    def _may_step(self, pegs: Pegs, symbol: Symbol, start: int) -> bool:
        """Say whether the peg, which began to move at `start`, may enter the next hole."""
        hole = pegs[symbol] + 1
        if hole > self.last_hole:
            return False
        if self.gate_test is None or hole not in GATES:
            return True
        watched = [peg for other, peg in enumerate(pegs) if other != symbol]
        if self.gate_test is GateTest.STRICT:
            watched.append(start)
        return min(watched) >= GATES[hole]

    # The end of a turn.

    def count_turn(self, race: Race, *, moved: bool) -> bool:
        """Count a turn whose scoring is finished; say whether it ends the game.

        `moved` says whether a peg has moved in it. A win in the last turn that a cap allows is a
        win.
        """
        race.turns += 1
        race.idle = 0 if moved else race.idle + 1
        won = self.is_at_goal(race.own_pegs)
        race.truncated = not won and self.is_capped(race)
        over = won or race.truncated
        if over:
            race.pending_bonus = 0
        return over

    def next_turn(self, race: Race) -> None:
        """Begin a bonus turn if the seat has one coming, else the turn of the next seat."""
        if race.pending_bonus > 0:
            race.pending_bonus -= 1
        else:
            race.seat = (race.seat + 1) % self.players

    def is_at_goal(self, pegs: Pegs) -> bool:
        """Say whether all pegs of a seat have reached the goal."""
        return min(pegs) >= self.goal

    def is_capped(self, race: Race) -> bool:
        """Say whether there have been as many turns, or turns without progress, as may be."""
        return race.turns >= self.max_turns or race.idle >= self.no_progress_limit

    # Results.

    def lowest_rows(self, race: Race) -> list[Symbol]:
        """List the symbols whose pegs lie furthest behind, of the seat whose turn it is."""
        pegs = race.own_pegs
        return [symbol for symbol in Symbol if pegs[symbol] == min(pegs)]

    def scores(self, race: Race) -> list[int]:
        """Give the value of each seat's lowest row."""
        return [min(pegs) for pegs in race.pegs]

    def winners(self, race: Race) -> list[int]:
        """List who has won a game that is over.

        If a cap has ended it, the best lowest row wins, then the best second lowest, and so on;
        equal boards share the win.
        """
        if not race.truncated:
            return [race.seat]
        ranks = [sorted(pegs) for pegs in race.pegs]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
