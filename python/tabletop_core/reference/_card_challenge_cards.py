"""The sixty cards of the Card Challenge, and hands that may be dumped.

A seat may throw away its hand if no card of it shows the symbol of the seat's lowest row. When
several rows are lowest, the option `dump_tie_rule` says whether all of their symbols have to be
missing, or any one. Both are put as *conditions* here: sets of symbols, and a hand may be dumped
if there is a set of which it shows no symbol at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate, combinations
from math import comb
from typing import NamedTuple

from ._base import Below, ByteReader, require, take_list
from ._score_board import Symbol
from ._score_board_forms import take_symbol


class Card(NamedTuple):
    """A card with its two symbols, which are never the same."""

    low: Symbol
    high: Symbol

    @property
    def text(self) -> str:
        """The symbols of the card."""
        return f"{self.low.word}+{self.high.word}"


CARDS = [Card(low, high) for low, high in combinations(Symbol, 2)]
"""The kinds of cards; the place of a kind in this list is its id."""

COPIES = 4
"""How many cards of each kind there are."""

Cards = list[int]
"""Cards whose order does not matter: their kinds, ascending, one entry for each card."""

Conditions = Sequence[frozenset[Symbol]]
"""A hand may be dumped if there is one among these sets of which it shows no symbol."""


def all_cards() -> Cards:
    """Give the whole deck."""
    return [kind for kind in range(len(CARDS)) for _ in range(COPIES)]


def dump_conditions(lowest_rows: Sequence[Symbol], tie_rule: str) -> Conditions:
    """Say which symbols may not be in a hand that is to be dumped."""
    if tie_rule == "all":
        return [frozenset(lowest_rows)]
    return [frozenset([symbol]) for symbol in lowest_rows]


def may_be_dumped(hand: Cards, conditions: Conditions) -> bool:
    """Say whether the hand may be thrown away.

    >>> red_and_green = [Symbol.RED, Symbol.GREEN]
    >>> hand = [CARDS.index(Card(Symbol.RED, Symbol.BLUE))]
    >>> [may_be_dumped(hand, dump_conditions(red_and_green, rule)) for rule in ("all", "any")]
    [False, True]
    """
    return any(_shows_none(hand, symbols) for symbols in conditions)


def draw_dumpable_hand(
    unseen: Cards, size: int, conditions: Conditions, below: Below
) -> tuple[Cards, Cards]:
    """Draw a hand that may be dumped, all such hands equally likely; give it and what is left.

    The cards come one by one. A card is as likely as the number of hands to which it leads, so
    every hand is drawn with the same probability in every order, and the order is forgotten.
    """
    hand: Cards = []
    left = sorted(unseen)
    for places in reversed(range(size)):
        kinds = sorted(set(left))
        shares = [
            left.count(kind) * _completions([*hand, kind], _without(left, kind), places, conditions)
            for kind in kinds
        ]
        ends_of_shares = list(accumulate(shares))
        kind = kinds[bisect_right(ends_of_shares, below(ends_of_shares[-1]))]
        hand.append(kind)
        left = _without(left, kind)
    return sorted(hand), left


def _completions(hand: Cards, left: Cards, places: int, conditions: Conditions) -> int:
    """Count the ways to add so many of the cards left that the hand may be dumped.

    Each physical card counts; their order does not. Hands that meet several conditions would be
    counted once for each, which inclusion and exclusion puts right.
    """
    still_met = [symbols for symbols in conditions if _shows_none(hand, symbols)]
    ways = 0
    for number in range(1, len(still_met) + 1):
        sign = 1 if number % 2 == 1 else -1
        for chosen in combinations(still_met, number):
            missing = frozenset[Symbol]().union(*chosen)
            suitable = sum(1 for kind in left if _shows_none([kind], missing))
            ways += sign * comb(suitable, places)
    return ways


def _shows_none(cards: Cards, symbols: Collection[Symbol]) -> bool:
    """Say whether no card shows any of the symbols."""
    return not any(symbol in symbols for kind in cards for symbol in CARDS[kind])


def _without(cards: Cards, kind: int) -> Cards:
    """Take away one card."""
    rest = list(cards)
    rest.remove(kind)
    return rest


# --- Cards in dicts, bytes and texts ---


def count_cards(cards: Sequence[int]) -> list[int]:
    """Count cards by kind."""
    listed = list(cards)
    return [listed.count(kind) for kind in range(len(CARDS))]


def pairs(cards: Sequence[int]) -> list[list[int]]:
    """Write each card as its two symbols."""
    return [[int(symbol) for symbol in CARDS[kind]] for kind in cards]


def take_cards(value: object, where: str) -> list[int]:
    """Read cards written as pairs of symbols."""
    cards = []
    for pair in take_list(value, where):
        card = f"a card of {where}"
        first, second = (take_symbol(symbol, card) for symbol in take_list(pair, card, 2))
        require(
            first < second,
            f"{card} must have its lower symbol first, not {int(first)} and {int(second)}",
        )
        cards.append(CARDS.index(Card(first, second)))
    return cards


def decode_cards(reader: ByteReader, where: str) -> Cards:
    """Read a number of copies for each kind."""
    counts = [reader.u8(f"a number of {where}", COPIES + 1) for _ in CARDS]
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


def cards_text(cards: Sequence[int]) -> str:
    """List cards."""
    return " ".join(CARDS[kind].text for kind in cards) or "-"
