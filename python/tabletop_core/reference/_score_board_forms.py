"""What the three Ingenious Challenges write and read alike: options, dicts, bytes, texts, checks.

Everything here is about the part of a position that they share, the `Race`. In each game's forms
it comes in three pieces: the turn (seat, turns, idle, pending_bonus), the pegs and, at the very
end, whether a cap has ended the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._base import (
    ByteReader,
    Field,
    OptionSpec,
    count_option,
    integer_option,
    one_hot,
    require,
    take_bool,
    take_int,
    take_list,
    word_option,
)
from ._score_board import GATES, GateTest, Pegs, Race, ScoreBoard, Symbol

# --- Options ---

_LARGEST_CAP = 2**16 - 1

PLAYERS = OptionSpec("players", 2, "2|3|4", (2, 3, 4), "Number of seats.")
GATE_TEST = OptionSpec(
    "gate_test",
    "stepwise",
    "stepwise|strict",
    ("stepwise", "strict"),
    "Whether a gate looks at other pegs only, or also at where the moving peg began.",
)
MAX_TURNS = OptionSpec(
    "max_turns", 1000, f"1..{_LARGEST_CAP}", (1, 30, 1000), "Turns after which a challenge ends."
)
NO_PROGRESS_LIMIT = OptionSpec(
    "no_progress_limit",
    100,
    f"1..{_LARGEST_CAP}",
    (1, 3, 100),
    "Turns in a row in which no peg moves, after which a challenge ends.",
)


def players_option(options: Mapping[str, Any]) -> int:
    """Read the number of seats."""
    return count_option(options, PLAYERS.name, PLAYERS.samples)


def gate_test_option(options: Mapping[str, Any]) -> GateTest:
    """Read how gates are tested."""
    return GateTest(word_option(options, GATE_TEST.name, GATE_TEST.samples))


def caps_options(options: Mapping[str, Any]) -> dict[str, int]:
    """Read the two caps, by name."""
    return {
        spec.name: integer_option(options, spec.name, 1, _LARGEST_CAP)
        for spec in (MAX_TURNS, NO_PROGRESS_LIMIT)
    }


# --- Dicts ---


def turn_to_dict(race: Race) -> dict[str, int]:
    """Write whose turn it is and what has been counted."""
    return {
        "seat": race.seat,
        "turns": race.turns,
        "idle": race.idle,
        "pending_bonus": race.pending_bonus,
    }


def pegs_to_dict(race: Race) -> list[Pegs]:
    """Write the pegs of each seat."""
    return [list(pegs) for pegs in race.pegs]


def take_race(board: ScoreBoard, entries: Mapping[str, Any]) -> Race:
    """Read all that these two write, and `truncated`, from the dict of a position."""
    boards = take_list(entries["pegs"], "pegs", board.players)
    return Race(
        pegs=[_take_pegs(board, pegs, f"pegs[{seat}]") for seat, pegs in enumerate(boards)],
        seat=take_int(entries["seat"], 0, board.players - 1, "seat"),
        turns=take_int(entries["turns"], 0, board.max_turns, "turns"),
        idle=take_int(entries["idle"], 0, board.no_progress_limit, "idle"),
        pending_bonus=take_int(entries["pending_bonus"], 0, len(Symbol), "pending_bonus"),
        truncated=take_bool(entries["truncated"], "truncated"),
    )


def _take_pegs(board: ScoreBoard, value: object, where: str) -> Pegs:
    pegs = take_list(value, where, len(Symbol))
    return [
        take_int(peg, 0, board.last_hole, f"{where}[{symbol}]") for symbol, peg in enumerate(pegs)
    ]


def take_symbols(value: object, where: str) -> list[Symbol]:
    """Read a list of symbols, in any order; give them ascending."""
    return sorted(take_symbol(symbol, f"a symbol of {where}") for symbol in take_list(value, where))


def take_symbol(value: object, where: str) -> Symbol:
    """Read one symbol, given by its id."""
    return Symbol(take_int(value, 0, len(Symbol) - 1, where))


# --- Bytes ---


def encode_turn(race: Race) -> bytes:
    """Write whose turn it is and what has been counted."""
    return (
        bytes([race.seat])
        + race.turns.to_bytes(2, "little")
        + race.idle.to_bytes(2, "little")
        + bytes([race.pending_bonus])
    )


def encode_pegs(race: Race) -> bytes:
    """Write the pegs of each seat, a byte each."""
    return b"".join(bytes(pegs) for pegs in race.pegs)


def decode_turn(board: ScoreBoard, reader: ByteReader) -> Race:
    """Read what `encode_turn` writes; pegs and `truncated` come later."""
    return Race(
        pegs=[],
        seat=reader.u8("seat", board.players),
        turns=reader.u16("turns", board.max_turns + 1),
        idle=reader.u16("idle", board.no_progress_limit + 1),
        pending_bonus=reader.u8("pending_bonus", len(Symbol) + 1),
    )


def decode_pegs(board: ScoreBoard, reader: ByteReader) -> list[Pegs]:
    """Read what `encode_pegs` writes."""
    return [
        [reader.u8(f"pegs[{seat}]", board.last_hole + 1) for _ in Symbol]
        for seat in range(board.players)
    ]


def decode_flag(reader: ByteReader, what: str) -> bool:
    """Read a byte that is 0 or 1."""
    return bool(reader.u8(what, 2))


# --- What a seat knows: all of it ---


def turn_fields(players: int) -> list[Field]:
    """List the parts of the observation tensor about the turn."""
    return [
        Field("seat", (players,), "one-hot: the seat that acts, or for which chance does"),
        Field("turns", (1,), "turns finished so far"),
        Field("idle", (1,), "turns in a row up to now without a move of a peg"),
        Field("pending_bonus", (1,), "extra turns still to come"),
    ]


def pegs_field(players: int) -> Field:
    """Give the part of the observation tensor about the pegs."""
    return Field("pegs", (players, len(Symbol)), "the hole of each peg, by seat and symbol")


def truncated_field() -> Field:
    """Give the part of the observation tensor about the cap."""
    return Field("truncated", (1,), "1 if the game was truncated")


def turn_tensor(race: Race) -> dict[str, Sequence[int]]:
    """Give the turn as numbers, by field."""
    return {
        "seat": one_hot(len(race.pegs), race.seat),
        "turns": [race.turns],
        "idle": [race.idle],
        "pending_bonus": [race.pending_bonus],
    }


def pegs_tensor(race: Race) -> list[int]:
    """Give the pegs as numbers."""
    return [peg for pegs in race.pegs for peg in pegs]


def symbol_counts(symbols: Iterable[Symbol]) -> list[int]:
    """Count how often each symbol occurs."""
    listed: list[int] = list(symbols)
    return [listed.count(symbol) for symbol in range(len(Symbol))]


# --- Texts ---


def headline(name: str, phase: str, race: Race) -> str:
    """Say what happens next, as the first line about a position."""
    whose = "" if phase == "over" else f" seat {race.seat},"
    cap = " (truncated)" if race.truncated else ""
    return f"{name}: {phase},{whose} turn {race.turns}{cap}"


def pegs_text(race: Race, seat: int) -> str:
    """List the pegs of a seat."""
    return f"seat {seat}: pegs {numbers_text(race.pegs[seat])}"


def bonus_text(race: Race) -> str:
    """Say how many bonus turns are to come."""
    return f"bonus turns: {race.pending_bonus}"


def numbers_text(numbers: Iterable[int]) -> str:
    """List numbers."""
    return " ".join(map(str, numbers))


def symbols_text(symbols: Iterable[Symbol]) -> str:
    """List symbols by colour."""
    return " ".join(symbol.word for symbol in symbols) or "-"


# --- Which positions can be ---


def check_race(
    board: ScoreBoard, race: Race, *, over: bool, mover_may_be_at_goal: bool = False
) -> None:
    """Refuse score boards and counts that cannot be.

    `mover_may_be_at_goal` is for a turn that is still being scored: it wins when that is done.
    """
    for seat, pegs in enumerate(race.pegs):
        _check_gates(board, pegs, seat)
    require(race.idle <= race.turns, f"idle must be at most turns ({race.turns}), not {race.idle}")
    at_goal = [seat for seat, pegs in enumerate(race.pegs) if board.is_at_goal(pegs)]
    if over:
        _check_end(board, race, at_goal)
        return
    allowed = [race.seat] if mover_may_be_at_goal else []
    require(
        all(seat in allowed for seat in at_goal),
        f"the game is over once a seat has all pegs at {board.goal} or beyond, "
        f"as have the seats {at_goal}",
    )
    require(
        not board.is_capped(race),
        f"the game is over after {board.max_turns} turns or {board.no_progress_limit} idle ones, "
        f"and turns is {race.turns} and idle {race.idle}",
    )
    require(not race.truncated, "truncated must be False before the end")
    earned = race.own_pegs.count(board.last_hole)
    require(
        race.pending_bonus <= earned,
        f"pending_bonus must be at most {earned}, the number of pegs of seat {race.seat} "
        f"in hole {board.last_hole}, not {race.pending_bonus}",
    )


def _check_gates(board: ScoreBoard, pegs: Pegs, seat: int) -> None:
    """No peg is behind a gate while another is so far back that it would have been shut."""
    if board.gate_test is None:
        return
    for hole, needed in GATES.items():
        require(
            max(pegs) < hole or min(pegs) >= needed,
            f"pegs[{seat}] must not have a peg at {hole} or beyond while another is "
            f"below {needed}, as in {pegs}",
        )


def _check_end(board: ScoreBoard, race: Race, at_goal: list[int]) -> None:
    require(
        race.pending_bonus == 0, f"pending_bonus must be 0 at the end, not {race.pending_bonus}"
    )
    require(
        at_goal == [race.seat] or (not at_goal and board.is_capped(race)),
        f"phase over needs all pegs of seat {race.seat}, and of no other, at {board.goal} or "
        f"beyond, or {board.max_turns} turns or {board.no_progress_limit} idle ones; seats with "
        f"all pegs there are {at_goal}, turns is {race.turns} and idle {race.idle}",
    )
    capped = not at_goal
    require(
        race.truncated is capped,
        f"truncated must be {capped} when the seats with all pegs at {board.goal} or beyond "
        f"are {at_goal}, not {race.truncated}",
    )


def check_untouched(race: Race, phase: str) -> None:
    """Refuse a set-up in which something has been counted or scored already."""
    counts = {"turns": race.turns, "idle": race.idle, "pending_bonus": race.pending_bonus}
    for name, count in counts.items():
        require(count == 0, f"{name} must be 0 in phase {phase}, not {count}")
    pegs = pegs_tensor(race)
    require(not any(pegs), f"all pegs must be at 0 in phase {phase}, not at {race.pegs}")
