"""What the tests of the Card Challenge share: cards, positions built by hand, and the game played again on its dict.

Nothing here is taken from an engine: `after` follows the rules page on the dict of a position, a third reading of the rules.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.distribution import physical_deals
from tests.rules.challenges_board import (
    GOAL,
    SYMBOLS,
    advance,
    arrivals,
    count_turn,
    first_line,
    lowest_symbols,
    pass_on,
)
from tests.rules.shared import Shown, header, load, one_hot, u16

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game, State

Card = list[int]
Hand = list[Card]

NAME = "card_challenge"
CARDS: tuple[Card, ...] = tuple([low, high] for low, high in combinations(range(6), 2))
"""The fifteen kinds of cards; the place in this list is the id of the kind."""
COPIES = 4
PHASES = ("deal", "play", "dump", "draw", "over")
KEEP, DUMP = 30, 31
KEYS = (
    *("phase", "seat", "turns", "idle", "pending_bonus", "pegs", "front", "hands"),
    *("deck", "pile", "truncated"),
)

RULE_SETS: tuple[dict[str, Any], ...] = (
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "two_player_row": "static_centre", "dump_tie_rule": "any"},
    {"players": 3, "gate_test": "strict", "dump_tie_rule": "any"},
    {"players": 4, "gate_test": "strict", "two_player_row": "static_centre"},
    {"players": 2, "gate_test": "strict", "max_turns": 30},
    {"players": 3, "no_progress_limit": 3},
    {"players": 4, "dump_tie_rule": "any", "no_progress_limit": 2},
)
"""Every option at every value, and caps that end games early."""


def kind(card: Sequence[int]) -> int:
    """Give the id of a kind of card."""
    return CARDS.index(list(card))


def in_order(cards: Iterable[Sequence[int]]) -> Hand:
    """Sort cards by the ids of their kinds."""
    return sorted(list(card) for card in cards)


def counts(cards: Iterable[Sequence[int]]) -> list[int]:
    """Count cards by kind."""
    found = Counter(kind(card) for card in cards)
    return [found[number] for number in range(15)]


def cards_of(numbers: Sequence[int]) -> Hand:
    """Give the cards of fifteen counts."""
    return [list(card) for card, number in zip(CARDS, numbers, strict=True) for _ in range(number)]


def all_cards(shown: Shown) -> Hand:
    """Give every card of a position, wherever it lies."""
    places = [*shown["front"], *shown["hands"], shown["deck"], shown["pile"]]
    return [card for place in places for card in place]


def play(card: Sequence[int], first: int) -> int:
    """Give the action that plays a card and scores this symbol first."""
    return 2 * kind(card) + list(card).index(first)


def card_name(card: Sequence[int]) -> str:
    """Write a card as its two symbols."""
    return "+".join(SYMBOLS[symbol] for symbol in card)


def card_names(cards: Sequence[Sequence[int]]) -> str:
    """Write cards side by side."""
    return " ".join(map(card_name, cards)) or "-"


def row_length(players: int) -> int:
    """Give the number of cards that lie in front of each player."""
    return 2 if players == 2 else 1


def may_dump(pegs: Sequence[int], hand: Iterable[Sequence[int]], dump_tie_rule: str) -> bool:
    """Say whether a player may throw away this hand."""
    held = {symbol for card in hand for symbol in card}
    missing = [symbol not in held for symbol in lowest_symbols(pegs)]
    return all(missing) if dump_tie_rule == "all" else any(missing)


# Positions built by hand


def set_up(
    players: int = 2,
    phase: str = "play",
    seat: int = 0,
    turns: int = 20,
    idle: int = 0,
    pending_bonus: int = 0,
    pegs: Mapping[int, Sequence[int]] | None = None,
    front: Mapping[int, Sequence[Sequence[int]]] | None = None,
    hands: Mapping[int, Sequence[Sequence[int]]] | None = None,
    deck: Sequence[Sequence[int]] | None = None,
    pile: Sequence[Sequence[int]] | None = None,
    size: int | None = None,
    truncated: bool = False,
) -> Shown:
    """Give a position with what is named; other cards come to their places from those of which most copies are left.

    `size` is the size of the hand of `seat`, if it is not the one that the phase asks for. The cards that are left make up the
    deck, or the pile if only the deck is given.
    """
    left = Counter(dict.fromkeys(range(15), COPIES))
    given = [*(front or {}).values(), *(hands or {}).values(), deck or (), pile or ()]
    left.subtract(kind(card) for place in given for card in place)

    def filled(place: Sequence[Sequence[int]], length: int) -> Hand:
        full = [list(card) for card in place]
        while len(full) < length:
            number = max(left, key=lambda number: (left[number], -number))
            left[number] -= 1
            full.append(list(CARDS[number]))
        return full

    short = {"play": 6, "dump": 5, "draw": 5, "over": 5}[phase] if size is None else size
    rows = [filled((front or {}).get(other, ()), row_length(players)) for other in range(players)]
    dealt = [
        in_order(filled((hands or {}).get(other, ()), short if other == seat else 6))
        for other in range(players)
    ]
    rest = in_order(CARDS[number] for number in left.elements())
    return {
        "phase": phase,
        "seat": seat,
        "turns": turns,
        "idle": idle,
        "pending_bonus": pending_bonus,
        "pegs": [list((pegs or {}).get(other, [0] * 6)) for other in range(players)],
        "front": rows,
        "hands": dealt,
        "deck": rest if deck is None else in_order(deck),
        "pile": in_order(pile or ()) if deck is None or pile is not None else rest,
        "truncated": truncated,
    }


def table(engine: ModuleType, options: Mapping[str, Any] | None = None, **what: Any) -> State:
    """Give a position built by `set_up` in a game with these options."""
    options = options or {}
    game = load(engine, NAME, players=what.get("players", 2), **options)
    return game.state_from_dict(set_up(**what))


# What is hidden


def unseen_by(shown: Shown, seat: int) -> Hand:
    """Give the cards that the seat does not see, by kind."""
    hidden = [card for other, hand in enumerate(shown["hands"]) if other != seat for card in hand]
    return in_order([*hidden, *shown["deck"]])


def with_deal(shown: Shown, seat: int, order: Iterable[Sequence[int]]) -> Shown:
    """Give the unseen cards in this order to the other hands and the deck."""
    cards = iter(order)
    hands = [
        hand if other == seat else in_order(next(cards) for _ in hand)
        for other, hand in enumerate(shown["hands"])
    ]
    return {**shown, "hands": hands, "deck": in_order(cards)}


def fits(shown: Shown, dump_tie_rule: str) -> bool:
    """Say whether the hand of the seat to move goes with the phase."""
    pegs, hand = shown["pegs"][shown["seat"]], shown["hands"][shown["seat"]]
    return shown["phase"] != "dump" or may_dump(pegs, hand, dump_tie_rule)


def hidden_deals(shown: Shown, seat: int, dump_tie_rule: str) -> Iterator[tuple[Shown, int]]:
    """Give every position that the seat cannot tell from this one, and the number of physical deals that lead to it."""
    unseen = tuple(tuple(card) for card in unseen_by(shown, seat))
    sizes = tuple(len(hand) for other, hand in enumerate(shown["hands"]) if other != seat)
    for order, ways in physical_deals(unseen, sizes).items():
        dealt = with_deal(shown, seat, order)
        if fits(dealt, dump_tie_rule):
            yield dealt, ways


# The game played again


def beginning(players: int) -> Shown:
    """Give the position before anything is dealt."""
    return {
        **set_up(players, phase="over", turns=0),
        "phase": "deal",
        "front": [[] for _ in range(players)],
        "hands": [[] for _ in range(players)],
        "deck": [list(card) for card in CARDS for _ in range(COPIES)],
    }


def symbol_points(shown: Shown, symbol: int) -> int:
    """Count the cards on the table that show a symbol."""
    return sum(symbol in card for row in shown["front"] for card in row)


def legal_actions(shown: Shown) -> list[int]:
    """List what the seat to move may do."""
    if shown["phase"] == "dump":
        return [KEEP, DUMP]
    held = sorted({kind(card) for card in shown["hands"][shown["seat"]]})
    return [2 * number + order for number in held for order in (0, 1)]


def chance_weights(shown: Shown) -> dict[int, int]:
    """Give the kinds that can be drawn, with the copies in the deck."""
    return {number: copies for number, copies in enumerate(counts(shown["deck"])) if copies}


def after(shown: Shown, action: int, options: Mapping[str, Any]) -> Shown:
    """Give the position after an action or an outcome."""
    new = deepcopy(shown)
    {"deal": _deal, "play": _play, "dump": _dump, "draw": _draw}[shown["phase"]](
        new, action, options
    )
    return new


def _deal(new: Shown, action: int, options: Mapping[str, Any]) -> None:
    seat, players = new["seat"], options["players"]
    card = list(CARDS[action])
    new["deck"].remove(card)
    if len(new["hands"][-1]) < 6:
        new["hands"][seat] = in_order([*new["hands"][seat], card])
        done = len(new["hands"][seat]) == 6
    else:
        new["front"][seat].append(card)
        done = len(new["front"][seat]) == row_length(players)
    if done:
        new["seat"] = (seat + 1) % players
    if len(new["front"][-1]) == row_length(players):
        new["phase"] = "play"


def _play(new: Shown, action: int, options: Mapping[str, Any]) -> None:
    seat, card = new["seat"], list(CARDS[action // 2])
    before = new["pegs"][seat]
    pegs = before
    for symbol in card if action % 2 == 0 else card[::-1]:
        points = symbol_points(new, symbol)
        pegs = advance(pegs, symbol, points, gate_test=options["gate_test"])
    new["pegs"][seat] = pegs
    new["pending_bonus"] += arrivals(before, pegs)
    new["hands"][seat].remove(card)
    row = new["front"][seat]
    static = options["players"] == 2 and options["two_player_row"] == "static_centre"
    new["pile"] = in_order([*new["pile"], row.pop(-1 if static else 0)])
    row.append(card)
    if not count_turn(new, options, moved=pegs != before, goal=GOAL):
        if may_dump(pegs, new["hands"][seat], options["dump_tie_rule"]):
            new["phase"] = "dump"
        else:
            _go_and_draw(new)


def _dump(new: Shown, action: int, options: Mapping[str, Any]) -> None:  # noqa: ARG001
    if action == DUMP:
        new["pile"] = in_order([*new["pile"], *new["hands"][new["seat"]]])
        new["hands"][new["seat"]] = []
    _go_and_draw(new)


def _draw(new: Shown, action: int, options: Mapping[str, Any]) -> None:  # noqa: ARG001
    seat, card = new["seat"], list(CARDS[action])
    new["deck"].remove(card)
    new["hands"][seat] = in_order([*new["hands"][seat], card])
    if len(new["hands"][seat]) < 6:
        _go_and_draw(new)
    else:
        new["phase"] = "play"
        pass_on(new)


def _go_and_draw(new: Shown) -> None:
    new["phase"] = "draw"
    if not new["deck"]:
        new["deck"], new["pile"] = new["pile"], []


# What is shown


def view(shown: Shown, seat: int) -> dict[str, Any]:
    """Give what a seat knows."""
    return {
        "observer": seat,
        **{key: shown[key] for key in ("phase", "seat", "turns", "idle", "pending_bonus")},
        "pegs": shown["pegs"],
        "front": shown["front"],
        "hand": shown["hands"][seat],
        "hand_sizes": [len(hand) for hand in shown["hands"]],
        "deck_size": len(shown["deck"]),
        "pile": shown["pile"],
        "truncated": shown["truncated"],
    }


def tensor_fields(shown: Shown, seat: int) -> dict[str, Any]:
    """Give the fields of the observation tensor."""
    players = len(shown["pegs"])
    front = np.zeros((players, row_length(players), 15), dtype=np.float32)
    for other, row in enumerate(shown["front"]):
        for place, card in enumerate(row):
            front[other, place, kind(card)] = 1
    return {
        "observer": one_hot(players, seat),
        "phase": one_hot(5, PHASES.index(shown["phase"])),
        "seat": one_hot(players, shown["seat"]),
        "turns": [shown["turns"]],
        "idle": [shown["idle"]],
        "pending_bonus": [shown["pending_bonus"]],
        "pegs": shown["pegs"],
        "front": front,
        "hand": counts(shown["hands"][seat]),
        "hand_sizes": [len(hand) for hand in shown["hands"]],
        "deck_size": [len(shown["deck"])],
        "pile": counts(shown["pile"]),
        "truncated": [int(shown["truncated"])],
    }


def payload(shown: Shown) -> bytes:
    """Give the position as bytes, without the header."""
    numbers = [PHASES.index(shown["phase"]), shown["seat"]]
    numbers += [*u16(shown["turns"]), *u16(shown["idle"]), shown["pending_bonus"]]
    numbers += [hole for pegs in shown["pegs"] for hole in pegs]
    for row in shown["front"]:
        numbers += [len(row), *map(kind, row)]
    for cards in (*shown["hands"], shown["deck"], shown["pile"]):
        numbers += counts(cards)
    return bytes([*numbers, shown["truncated"]])


def all_bytes(game: Game, shown: Shown) -> bytes:
    """Give what `to_bytes()` must be."""
    return header(NAME, game.options) + payload(shown)


def text(shown: Shown) -> str:
    """Give what `str(state)` must be."""
    lines = [first_line(NAME, shown)]
    for seat, pegs in enumerate(shown["pegs"]):
        front, hand = card_names(shown["front"][seat]), card_names(shown["hands"][seat])
        lines.append(f"seat {seat}: pegs {' '.join(map(str, pegs))}, front {front}, hand {hand}")
    lines.append(f"deck: {len(shown['deck'])} cards")
    lines.append(f"pile: {card_names(shown['pile'])}")
    lines.append(f"bonus turns: {shown['pending_bonus']}")
    return "\n".join(lines)
