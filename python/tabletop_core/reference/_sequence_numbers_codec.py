"""Positions of Sequence Numbers as dicts, for people, and as bytes, for machines.

Reading takes whatever has the right form; whether the position can be is another question, which
`_sequence_numbers_check` answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ._arguments import plain_text
from ._base import (
    ByteReader,
    PositionError,
    show,
    take_bool,
    take_dict,
    take_int,
    take_list,
    take_name,
)
from ._sequence_numbers_board import COPIES, LARGEST_NUMBER, Board, Direction
from ._sequence_numbers_position import HouseRules, Phase, Pile, Position

_KIND_BYTES, _CELL_BYTES = 8, 16  # of a bit set

PHASE_NAMES = [phase.word for phase in Phase]

KEYS = [
    "phase",
    "seat",
    "turn",
    "idle",
    "swapped",
    "hands",
    "deck",
    "discards",
    "owner",
    "sequences",
    "pending_locks",
    "talkers",
    "winners",
    "truncated",
]


# --- Dicts ---


def to_dict(rules: HouseRules, position: Position) -> dict[str, Any]:
    """Write a position as a dict of fresh lists, strs, ints, bools and None."""
    board = rules.board
    return {
        "phase": position.phase.word,
        "seat": position.seat,
        "turn": position.turn,
        "idle": position.idle,
        "swapped": position.swapped,
        "hands": [cards(board, hand) for hand in position.hands],
        "deck": cards(board, position.deck),
        "discards": cards(board, position.discards),
        "owner": owner_rows(board, position),
        "sequences": [list(windows) for windows in position.sequences],
        "pending_locks": [list(windows) for windows in position.pending_locks],
        "talkers": list(position.talkers),
        "winners": list(position.winners),
        "truncated": position.truncated,
    }


def cards(board: Board, pile: Pile) -> list[int | str]:
    """Return the names of the cards of a pile, in the order of their kinds."""
    return [board.card(kind) for kind in pile]


def owner_rows(board: Board, position: Position) -> list[list[int | None]]:
    """Return the owners of the cells, row by row."""
    starts = range(0, board.size, board.cols)
    return [position.owner[start : start + board.cols] for start in starts]


def from_dict(rules: HouseRules, written: object) -> Position:
    """Read what `to_dict` writes; a PositionError if its form is wrong."""
    board = rules.board
    entries = take_dict(written, KEYS, "the position")

    def windows(value: object, where: str) -> list[int]:
        last = len(board.windows) - 1
        return [
            take_int(window, 0, last, f"each window of {where}")
            for window in take_list(value, where)
        ]

    def seats(key: str) -> list[int]:
        return [
            take_int(seat, 0, rules.players - 1, f"each seat of {key}")
            for seat in take_list(entries[key], key)
        ]

    hands = take_list(entries["hands"], "hands", rules.players)
    sequences = take_list(entries["sequences"], "sequences", rules.teams)
    pending = take_list(entries["pending_locks"], "pending_locks", len(Direction))
    return Position(
        phase=Phase(take_name(entries["phase"], PHASE_NAMES, "phase")),
        seat=take_int(entries["seat"], 0, rules.players - 1, "seat"),
        turn=take_int(entries["turn"], 0, rules.max_turns, "turn"),
        idle=take_int(entries["idle"], 0, rules.players, "idle"),
        swapped=take_bool(entries["swapped"], "swapped"),
        hands=[_read_pile(board, hand, f"hands[{i}]") for i, hand in enumerate(hands)],
        deck=_read_pile(board, entries["deck"], "deck"),
        discards=_read_pile(board, entries["discards"], "discards"),
        owner=_read_owner(rules, entries["owner"]),
        sequences=[windows(w, f"sequences[{i}]") for i, w in enumerate(sequences)],
        pending_locks=[windows(w, f"pending_locks[{i}]") for i, w in enumerate(pending)],
        talkers=seats("talkers"),
        winners=seats("winners"),
        truncated=take_bool(entries["truncated"], "truncated"),
    )


def _read_pile(board: Board, written: object, where: str) -> Pile:
    """Read a list of cards, in any order."""
    return sorted(_read_card(board, card, where) for card in take_list(written, where))


def _read_card(board: Board, card: object, where: str) -> int:
    what = f"each card of {where} that is no word"
    word = plain_text(card)
    name = take_int(card, 1, LARGEST_NUMBER, what) if word is None else word
    try:
        return board.kind_of(name)
    except ValueError:
        message = (
            f'each card of {where} must be a number of the board, "plus" or "minus", '
            f"not {show(card)}"
        )
        raise PositionError(message) from None


def _read_owner(rules: HouseRules, written: object) -> list[int | None]:
    owner: list[int | None] = []
    for row, entries in enumerate(take_list(written, "owner", rules.board.rows)):
        for col, entry in enumerate(take_list(entries, f"owner[{row}]", rules.board.cols)):
            where = f"owner[{row}][{col}], unless None,"
            owner.append(None if entry is None else take_int(entry, 0, rules.teams - 1, where))
    return owner


# --- Bytes ---


def encode(rules: HouseRules, position: Position) -> bytes:
    """Write a position as bytes; the order is that of the fields of the dict."""
    written = bytearray([position.phase, position.seat])
    written += position.turn.to_bytes(4, "little")
    written += bytes([position.idle, position.swapped])
    for hand in position.hands:
        written += bytes([len(hand), *hand])
    counts = kind_counts(rules.board, position.deck)
    for least in range(1, COPIES + 1):
        written += _bits((k for k, count in enumerate(counts) if count >= least), _KIND_BYTES)
    for team in range(rules.teams):
        cells = (cell for cell, owner in enumerate(position.owner) if owner == team)
        written += _bits(cells, _CELL_BYTES)
    for windows in [*position.sequences, *position.pending_locks]:
        written += bytes([len(windows), *windows])
    written += bytes([_mask(position.talkers), _mask(position.winners), position.truncated])
    return bytes(written)


def kind_counts(board: Board, pile: Pile) -> list[int]:
    """Return how many cards of each kind a pile has."""
    counts = Counter(pile)
    return [counts[kind] for kind in board.kinds]


def decode(rules: HouseRules, reader: ByteReader) -> Position:
    """Read what `encode` writes; a PositionError if its form is wrong."""
    board = rules.board

    def numbers(where: str, limit: int) -> list[int]:
        return [reader.u8(where, limit) for _ in range(reader.u8(f"the length of {where}"))]

    def members(where: str, size: int, limit: int) -> list[int]:
        bits = int.from_bytes(reader.take(size, where), "little")
        if bits >> limit:
            message = f"{where} must have no bit from {limit} on"
            raise PositionError(message)
        return [i for i in range(limit) if bits >> i & 1]

    def deck() -> Pile:
        once, twice = (members("the deck", _KIND_BYTES, len(board.kinds)) for _ in range(COPIES))
        if not set(twice) <= set(once):
            message = "the deck must have each card once that it has twice"
            raise PositionError(message)
        return sorted(once + twice)

    def owners() -> list[int | None]:
        owner: list[int | None] = [None] * board.size
        for team in range(rules.teams):
            for cell in members(f"the chips of team {team}", _CELL_BYTES, board.size):
                if owner[cell] is not None:
                    message = f"cell {cell} has chips of the teams {owner[cell]} and {team}"
                    raise PositionError(message)
                owner[cell] = team
        return owner

    phase = Phase(reader.u8("phase", len(Phase)))
    seat = reader.u8("seat", rules.players)
    position = Position(
        phase=phase,
        seat=seat,
        turn=reader.u32("turn", rules.max_turns + 1),
        idle=reader.u8("idle", rules.players + 1),
        swapped=bool(reader.u8("swapped", 2)),
        hands=[sorted(numbers(f"hand {i}", len(board.kinds))) for i in range(rules.players)],
        deck=deck(),
        discards=[],
        owner=owners(),
        sequences=[
            numbers(f"sequences of team {t}", len(board.windows)) for t in range(rules.teams)
        ],
        pending_locks=[numbers(f"pending locks {d}", len(board.windows)) for d in Direction],
    )
    talkers, winners = (reader.u8(what, 2**rules.players) for what in ("talkers", "winners"))
    position.talkers = [s for s in rules.seats_from(seat) if talkers >> s & 1]
    position.winners = [s for s in range(rules.players) if winners >> s & 1]
    position.truncated = bool(reader.u8("truncated", 2))
    position.discards = _rest(board, [position.deck, *position.hands])
    return position


def _rest(board: Board, piles: list[Pile]) -> Pile:
    """Return the cards that are in none of these piles."""
    held = Counter(kind for pile in piles for kind in pile)
    return [kind for kind in board.kinds for _ in range(COPIES - held[kind])]


def _bits(members: Iterable[int], size: int) -> bytes:
    """Return numbers as a bit set of so many bytes."""
    return sum(1 << member for member in members).to_bytes(size, "little")


def _mask(seats: Iterable[int]) -> int:
    """Return seats as a number with one bit for each."""
    return sum(1 << seat for seat in seats)
