"""What is on the table in Optimus 2: options, phases, and a position of dice and score sheets."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._base import Word
from ._optimus2_sheet import DICE, ROUNDS, Bonus, Die, Sheet

ROLLS_IN_A_TURN = 3
MOST_FIELDS = 3
TRAY_DICE = 3
"""Dice that a solo player's passive roll leaves to choose from."""


@dataclass(frozen=True)
class HouseRules:
    """The options of the game."""

    players: int
    silver_cascade_leftovers: bool
    extra_die_scope: str
    return_before_reroll: bool
    pass_policy: str
    fox_floor_zero: bool

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return ROUNDS[self.players]

    @property
    def solo(self) -> bool:
        """Say whether one player plays alone."""
        return self.players == 1


class Phase(Word):
    """What the turn is at."""

    ROUND = 0  # the players get the bonus of the round
    RETURN = 1  # the window before a roll
    ROLL = 2  # dice are thrown
    PICK = 3  # the active player chooses a die, or rerolls
    PASSIVE_ROLL = 4  # solo: dice are thrown for the passive turn
    TRAY = 5  # solo: equal dice compete for the last places on the platter
    PASSIVE = 6  # a passive player chooses a die
    EXTRA = 7  # the window at the end of a player's turn
    OVER = 8

    @property
    def is_chance(self) -> bool:
        """Say whether dice decide."""
        return self in {Phase.ROLL, Phase.PASSIVE_ROLL, Phase.TRAY}

    @property
    def is_of_active_rolls(self) -> bool:
        """Say whether the active player still rolls and chooses."""
        return self in {Phase.RETURN, Phase.ROLL, Phase.PICK}


class Place(Word):
    """Where a die lies."""

    POOL = 0  # to be rolled, or rolled and to be chosen from
    FIELD = 1  # chosen by the active player
    PLATTER = 2
    ASIDE = 3  # solo: not among the three lowest of the passive roll


IN_HAND = 0
"""The face of a die that has not been thrown yet."""


@dataclass
class Position:
    """All that lies on the table, and whose decision is due."""

    sheets: list[Sheet]
    phase: Phase = Phase.ROUND
    round: int = 1
    active: int = 0
    """The active player."""
    seat: int = 0
    """The player who decides; when dice are thrown, for whom; at the end, who came last."""
    roll: int = 0
    """The number of the active player's roll; 0 before and after that part of the turn."""
    faces: list[int] = field(default_factory=lambda: [IN_HAND for _ in DICE])
    """The face of each die."""
    places: list[Place] = field(default_factory=lambda: [Place.POOL for _ in DICE])
    """The place of each die."""
    cascade: Die | None = None
    """The white or silver die whose row in the silver area is to be chosen."""
    due: list[Bonus] = field(default_factory=list)
    """Bonuses that are due and not booked yet, the next one first."""

    @property
    def own_sheet(self) -> Sheet:
        """The sheet of the player who decides."""
        return self.sheets[self.seat]

    @property
    def is_tray_part(self) -> bool:
        """Say whether the active player's part of the turn is over."""
        passive = self.phase in {Phase.PASSIVE_ROLL, Phase.TRAY, Phase.PASSIVE, Phase.OVER}
        return passive or (self.phase is Phase.EXTRA and self.roll == 0)

    def copy(self) -> Position:
        """Give an equal and independent position."""
        return Position(
            sheets=[sheet.copy() for sheet in self.sheets],
            phase=self.phase,
            round=self.round,
            active=self.active,
            seat=self.seat,
            roll=self.roll,
            faces=list(self.faces),
            places=list(self.places),
            cascade=self.cascade,
            due=list(self.due),
        )

    # Dice.

    def dice_at(self, place: Place) -> list[Die]:
        """List the dice that lie in a place."""
        return [die for die in DICE if self.places[die] is place]

    def gather_dice(self) -> None:
        """Take all dice into the hand."""
        self.places = [Place.POOL for _ in DICE]
        self.take_pool_in_hand()

    def take_pool_in_hand(self) -> None:
        """Take the dice of the pool into the hand, to throw them."""
        for die in self.dice_at(Place.POOL):
            self.faces[die] = IN_HAND

    def next_to_throw(self) -> Die | None:
        """Give the first die of the pool that is still in the hand."""
        return next((die for die in self.dice_at(Place.POOL) if self.faces[die] == IN_HAND), None)
