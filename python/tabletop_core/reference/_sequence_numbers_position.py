"""What is agreed on before a game of Sequence Numbers (the options) and what lies on the table."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

from ._base import Word
from ._sequence_numbers_board import SEQUENCE_LENGTH, Board

Pile = list[int]
"""Cards whose order does not matter: their kinds, ascending, one entry per card."""


class Phase(Word):
    """What happens next; the values are those of the byte format."""

    DEAL = 0
    TALK = 1  # chance: does a team talk across the table?
    TALK_DISCARD = 2
    PLAY = 3
    SWAP_DRAW = 4
    CHOOSE_LOCK = 5
    MISS = 6  # chance: does the player forget to draw?
    TURN_DRAW = 7
    OVER = 8

    @property
    def owes_card(self) -> bool:
        """Whether the seat has given away a card that is not replaced yet, nor lost."""
        return self in {Phase.SWAP_DRAW, Phase.CHOOSE_LOCK, Phase.MISS, Phase.TURN_DRAW}


@dataclass(frozen=True)
class HouseRules:
    """The options with every value resolved."""

    players: int
    teams: int
    sequences_to_win: int
    lock_policy: str
    shared_cells_allowed: int
    no_play_policy: str
    swap_optional: bool
    minus_dead_swap: bool
    swap_draw_before_discard: bool
    chips_per_colour: int | None
    missed_draw_per_mille: int
    table_talk_per_mille: int
    max_turns: int
    max_turns_result: str
    stalemate_result: str
    dead_position_check: bool
    board: Board

    @property
    def hand_size(self) -> int:
        """Number of cards dealt to each seat: 5 for two or three players, 4 for more."""
        return 5 if self.players <= 3 else 4

    @property
    def sharing_is_free(self) -> bool:
        """Whether sequences of a team may share any cells: two windows never share more than 4."""
        return self.shared_cells_allowed == SEQUENCE_LENGTH - 1

    def team_of(self, seat: int) -> int:
        """Return the team of a seat; the members of the teams sit in turn."""
        return seat % self.teams

    def members(self, team: int) -> list[int]:
        """Return the seats of a team, ascending."""
        return list(range(team, self.players, self.teams))

    def seats_from(self, first: int) -> list[int]:
        """Return all seats clockwise, starting with the given one."""
        return [(first + i) % self.players for i in range(self.players)]


@dataclass
class Position:
    """Everything that lies on the table.

    `seat` is the seat whose turn it is. A pending lock list holds, for a direction, the windows
    among which that seat still has to choose. `talkers` are the seats that still have to discard
    a card for table talk, in the order they are asked.
    """

    phase: Phase
    seat: int
    turn: int
    idle: int
    swapped: bool
    hands: list[Pile]
    deck: Pile
    discards: Pile
    owner: list[int | None]  # team by cell
    sequences: list[list[int]]  # window ids by team, ascending
    pending_locks: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    talkers: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    truncated: bool = False

    def copy(self) -> Position:
        """Return an equal and independent position."""
        return Position(
            phase=self.phase,
            seat=self.seat,
            turn=self.turn,
            idle=self.idle,
            swapped=self.swapped,
            hands=[list(hand) for hand in self.hands],
            deck=list(self.deck),
            discards=list(self.discards),
            owner=list(self.owner),
            sequences=[list(windows) for windows in self.sequences],
            pending_locks=[list(windows) for windows in self.pending_locks],
            talkers=list(self.talkers),
            winners=list(self.winners),
            truncated=self.truncated,
        )


def start(rules: HouseRules) -> Position:
    """Return the position before the first card is dealt."""
    return Position(
        phase=Phase.DEAL,
        seat=0,
        turn=0,
        idle=0,
        swapped=False,
        hands=[[] for _ in range(rules.players)],
        deck=rules.board.full_deck(),
        discards=[],
        owner=[None] * rules.board.size,
        sequences=[[] for _ in range(rules.teams)],
    )


def move_card(kind: int, source: Pile, target: Pile) -> None:
    """Move one card of that kind from one pile to another."""
    source.remove(kind)
    insort(target, kind)


def locked_cells(rules: HouseRules, position: Position) -> set[int]:
    """Return the cells whose chip is part of a sequence, whoever owns it."""
    windows = rules.board.windows
    return {
        cell
        for sequences in position.sequences
        for window in sequences
        for cell in windows[window].spaces
    }


def current_seat(position: Position) -> int | None:
    """Return the seat that has to decide, or None at a chance node and at the end."""
    if position.phase is Phase.TALK_DISCARD:
        return position.talkers[0]
    if position.phase in {Phase.PLAY, Phase.CHOOSE_LOCK}:
        return position.seat
    return None
