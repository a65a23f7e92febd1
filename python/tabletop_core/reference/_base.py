"""What a game module provides, and nothing else: the rules of one game as a class.

A module `reference/<game>.py` defines

* a `Position`: a dataclass of whatever the game lays on the table, of plain integers, lists and
  enums. Rules change it in place; nobody but the rules looks inside it;
* a subclass of `Rules[Position]`, and as the last line `RULES = <that class>`. The module is found
  by its name; nothing has to be registered. Parts that make it too long go to private modules. A
  game made of other games is a `Match` (`_match`), which leaves little to say.

The class says

* class attributes: `name` (that of the module), `version` ("1") and `option_specs` (in the order of
  the options);
* `__init__(options)`: it gets every option, defaults filled in and unknown names refused, checks
  the values (`count_option`, `integer_option`, `word_option`, `flag_option` raise the errors) and
  sets `options` (a dict in the order of the specs, with resolved values), `num_players`,
  `num_distinct_actions`, `max_chance_outcomes`, `max_game_length`. `max_utility` and `min_utility`
  are properties that fit games with single winners; others override them;
* the game itself: `initial_position`, `clone`, `current_player`, `legal_actions`, `chance_weights`,
  `apply`, `scores`, `winners`, and `is_truncated` if a cap on the length can end the game;
* what a seat knows: `fields` with `tensor` (numbers), `view` (a dict), `resample` (deal the hidden
  things again), and `sees_outcome` if there are outcomes that not every seat sees;
* positions in and out: `to_dict`, `from_dict`, `encode`, `decode`, with `check`, which refuses a
  position that cannot be;
* texts: `action_to_string`, `chance_to_string` (each text different; the inverse is made from them)
  and `describe` (`str(state)`).

What the rules may rely on, because it is checked before they are called: seats are in range;
`legal_actions` is asked at decision nodes only, `chance_weights` and `sees_outcome` at chance nodes
only; `apply` gets an id that one of the first two listed; ids given to the two `..._to_string` are
in range. All other calls may come at every node, the deal and the end included. What `from_dict`
and `decode` build is given to `check` at once, and bytes must be exactly those that `encode` would
write.

All else is written once, in the other private modules: arguments, errors, masks, arrays, the header
and hash of bytes, cloning, pickling, equality, returns, random numbers, playouts and perft.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import OptionError, PositionError
from ..types import OptionSpec, PlayerId
from ._arguments import show
from ._codec import ByteReader
from ._dicts import require, take_bool, take_dict, take_int, take_list, take_name
from ._options import count_option, flag_option, integer_option, word_option
from ._rng import Below

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Below",
    "ByteReader",
    "Field",
    "OptionError",
    "OptionSpec",
    "PositionError",
    "Rules",
    "Word",
    "count_option",
    "deal_unseen",
    "flag_option",
    "integer_option",
    "one_hot",
    "require",
    "show",
    "take_bool",
    "take_dict",
    "take_int",
    "take_list",
    "take_name",
    "word_option",
]

CHANCE = int(PlayerId.CHANCE)
TERMINAL = int(PlayerId.TERMINAL)

PositionT = TypeVar("PositionT")


class Word(IntEnum):
    """Numbers with names that dicts, texts and errors use: phases, dice, colours."""

    @property
    def word(self) -> str:
        """The name in lower case."""
        return self.name.lower()


@dataclass(frozen=True)
class Field:
    """A part of the observation tensor; where it starts follows from the fields in front of it."""

    name: str
    shape: tuple[int, ...]
    meaning: str


class Rules(ABC, Generic[PositionT]):
    """The rules of a game with one set of options; see the top of this module."""

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    option_specs: ClassVar[tuple[OptionSpec, ...]]

    options: Mapping[str, Any]
    num_players: int
    num_distinct_actions: int
    max_chance_outcomes: int
    max_game_length: int

    @abstractmethod
    def __init__(self, options: Mapping[str, Any]) -> None:
        """Check the options and set the attributes above."""

    @property
    def max_utility(self) -> float:
        """Return of a seat that wins alone."""
        return 1.0

    @property
    def min_utility(self) -> float:
        """Return of a seat when somebody else wins."""
        return -1.0 / (self.num_players - 1)

    # The game itself.

    @abstractmethod
    def initial_position(self) -> PositionT:
        """Give the position at the start of a game, before anything is dealt."""

    @abstractmethod
    def clone(self, position: PositionT) -> PositionT:
        """Copy a position; the copy shares nothing that changes."""

    @abstractmethod
    def current_player(self, position: PositionT) -> int:
        """Give the seat that decides, or CHANCE, or TERMINAL."""

    @abstractmethod
    def legal_actions(self, position: PositionT) -> list[int]:
        """List the ids that the seat to move may play, ascending, in a fresh list."""

    @abstractmethod
    def chance_weights(self, position: PositionT) -> list[tuple[int, int]]:
        """List the possible outcomes, ids ascending, each with its integer weight, at least 1."""

    @abstractmethod
    def apply(self, position: PositionT, action: int) -> None:
        """Carry out a legal decision or a possible outcome, in place."""

    def is_truncated(self, position: PositionT) -> bool:  # noqa: ARG002 (games without a cap)
        """Say whether a cap on the length of the game has ended it."""
        return False

    @abstractmethod
    def scores(self, position: PositionT) -> list[int]:
        """Count the points of each seat."""

    @abstractmethod
    def winners(self, position: PositionT) -> list[int]:
        """List the seats that win or share the win, ascending; none before the end."""

    # What a seat knows.

    @abstractmethod
    def fields(self) -> list[Field]:
        """List the parts of the observation tensor in order."""

    @abstractmethod
    def tensor(self, position: PositionT, seat: int) -> dict[str, Sequence[int]]:
        """Give for each field, by name, the flat list of what the seat knows."""

    @abstractmethod
    def view(self, position: PositionT, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict that json can write."""

    @abstractmethod
    def resample(self, position: PositionT, seat: int, below: Below) -> None:
        """Deal all that the seat cannot see again, in place (`deal_unseen`)."""

    def sees_outcome(self, position: PositionT, seat: int) -> bool:  # noqa: ARG002 (all see all)
        """Say whether the seat sees which outcome comes here, at a chance node."""
        return True

    # Positions in and out.

    @abstractmethod
    def to_dict(self, position: PositionT) -> dict[str, Any]:
        """Write the position as a dict of fresh lists, strs, ints, bools and None."""

    @abstractmethod
    def from_dict(self, position: object) -> PositionT:
        """Read what `to_dict` writes (the `take_...` functions raise the errors)."""

    @abstractmethod
    def encode(self, position: PositionT) -> bytes:
        """Write the position as bytes; equal bytes mean equal positions."""

    @abstractmethod
    def decode(self, reader: ByteReader) -> PositionT:
        """Read what `encode` writes; leave the reader at its end.

        What has no order in the game is put in the order of `encode`, so that bytes in another one
        are told by encoding again.
        """

    @abstractmethod
    def check(self, position: PositionT) -> None:
        """Raise a `PositionError` if the position cannot be."""

    # Texts.

    @abstractmethod
    def action_to_string(self, action: int) -> str:
        """Name a decision; the same in every position."""

    @abstractmethod
    def chance_to_string(self, outcome: int) -> str:
        """Name a chance outcome; the same in every position."""

    @abstractmethod
    def describe(self, position: PositionT) -> str:
        """Draw the position for people, lines joined by newlines."""


def one_hot(size: int, index: int) -> list[int]:
    """Give `size` zeros with a one at the index."""
    return [int(i == index) for i in range(size)]


def deal_unseen(
    unseen: Sequence[int], sizes: Sequence[int], below: Below
) -> tuple[list[list[int]], list[int]]:
    """Deal hands of these sizes, one after another, from the kinds that a seat does not see.

    `unseen` has one entry for each copy. Every card dealt is the one at place `below(number left)`
    of those left, in ascending order: all copies are equally likely, so hands come out in
    proportion to their number of physical deals. Gives the hands, each sorted, and what is left,
    ascending.
    """
    left = sorted(unseen)
    hands = [sorted(left.pop(below(len(left))) for _ in range(size)) for size in sizes]
    return hands, left
