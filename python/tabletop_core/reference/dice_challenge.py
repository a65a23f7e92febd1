"""Dice Challenge: match the dice of the others, or join equal dice of your own to wild points.

A turn is: roll all your dice, again if you like, three times at most; then use them one after
another, to match or in a wild group, in any order; leave them for the others to match. Score
board, bonus turns and the end of the game are those of all Ingenious Challenges (`_score_board`).

Decisions are: stop (0) or reroll (1); match with a die that shows symbol s (2 + s); wild points
(8 + the place in `WILDS`). A roll is a chance outcome, the place of the faces rolled among all
multisets of that many faces in lexicographic order: which die shows which face does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple

from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    Rules,
    Word,
    one_hot,
    require,
    take_bool,
    take_dict,
    take_int,
    take_list,
    take_name,
)
from ._score_board import Race, ScoreBoard, Symbol
from ._score_board_forms import (
    GATE_TEST,
    MAX_TURNS,
    NO_PROGRESS_LIMIT,
    PLAYERS,
    bonus_text,
    caps_options,
    check_race,
    check_untouched,
    decode_flag,
    decode_pegs,
    decode_turn,
    encode_pegs,
    encode_turn,
    gate_test_option,
    headline,
    pegs_field,
    pegs_tensor,
    pegs_text,
    pegs_to_dict,
    players_option,
    symbol_counts,
    symbols_text,
    take_race,
    take_symbols,
    truncated_field,
    turn_fields,
    turn_tensor,
    turn_to_dict,
)

DICE_OF_A_SEAT = {2: 4, 3: 3, 4: 2}
"""By number of players; of the nine dice one may stay in the box."""

ROLLS_IN_A_TURN = 3


class Wild(NamedTuple):
    """Equal dice used for points in any one symbol."""

    source: Symbol
    points: int
    target: Symbol

    @property
    def dice(self) -> int:
        """Two dice make one point, and every other die one more."""
        return self.points + 1


WILDS = [
    Wild(source, points, target) for source in Symbol for points in (1, 2, 3) for target in Symbol
]

# Ids of decisions.
STOP = 0
REROLL = 1
MATCH = 2  # + symbol
FIRST_WILD = MATCH + len(Symbol)  # + place in WILDS

WILDS_WITH = {
    (symbol, dice): [
        FIRST_WILD + i
        for i, wild in enumerate(WILDS)
        if wild.source is symbol and wild.dice <= dice
    ]
    for symbol in Symbol
    for dice in range(1, max(DICE_OF_A_SEAT.values()) + 1)
}
"""The wild groups that so many dice with a symbol can make."""


class Phase(Word):
    """What has to happen next."""

    OPENING = 0  # the rolls before the first turn
    ROLL = 1
    REROLL = 2  # stop or reroll
    RESOLVE = 3  # use a die or a wild group
    OVER = 4


_PHASE_WORDS = [phase.word for phase in Phase]

_KEYS = [
    "phase",
    "seat",
    "turns",
    "idle",
    "pending_bonus",
    "rolls_used",
    "moved",
    "pegs",
    "dice",
    "unused",
    "truncated",
]


@dataclass
class Position:
    """All that lies on the table."""

    phase: Phase
    race: Race
    rolls_used: int
    """Rolls made in this turn; 0 once they are over."""
    moved: bool
    """Whether a peg has moved since this turn's dice are being used."""
    dice: list[list[Symbol]]
    """The faces in front of each seat, ascending; none before its opening roll."""
    unused: list[Symbol]
    """What the seat still has to use in this turn, ascending."""


class DiceChallenge(Rules[Position]):
    """The rules of the Dice Challenge.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("dice_challenge")
    >>> game.action_to_string(3), game.action_to_string(8 + 8), game.chance_to_string(0)
    ('match green', 'wild 2 with red for blue', 'roll red red red red')
    """

    name = "dice_challenge"
    option_specs = (PLAYERS, GATE_TEST, MAX_TURNS, NO_PROGRESS_LIMIT)

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Seat the players and give out dice and score boards."""
        self.num_players = players_option(options)
        gate_test = gate_test_option(options)
        caps = caps_options(options)
        self.options = {"players": self.num_players, "gate_test": gate_test.value, **caps}
        self.board = ScoreBoard(self.num_players, last_hole=10, goal=7, gate_test=gate_test, **caps)
        self.dice_of_a_seat = DICE_OF_A_SEAT[self.num_players]
        self.rolls = [
            list(faces) for faces in combinations_with_replacement(Symbol, self.dice_of_a_seat)
        ]
        self.weights = [(outcome, _ways(faces)) for outcome, faces in enumerate(self.rolls)]
        self.num_distinct_actions = FIRST_WILD + len(WILDS)
        self.max_chance_outcomes = len(self.rolls)
        # Two decisions about rolling, and one for each die if all of them match.
        self.max_game_length = self.board.max_turns * (ROLLS_IN_A_TURN - 1 + self.dice_of_a_seat)

    # The course of the game.

    def initial_position(self) -> Position:
        """All seats roll before the first turn, seat 0 first."""
        return Position(
            phase=Phase.OPENING,
            race=self.board.start(),
            rolls_used=0,
            moved=False,
            dice=[[] for _ in range(self.num_players)],
            unused=[],
        )

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return Position(
            phase=position.phase,
            race=position.race.copy(),
            rolls_used=position.rolls_used,
            moved=position.moved,
            dice=[list(faces) for faces in position.dice],
            unused=list(position.unused),
        )

    def current_player(self, position: Position) -> int:
        """Dice are rolled by chance; all else is up to the seat."""
        if position.phase is Phase.OVER:
            return TERMINAL
        decides = position.phase in {Phase.REROLL, Phase.RESOLVE}
        return position.race.seat if decides else CHANCE

    def legal_actions(self, position: Position) -> list[int]:
        """Stop or reroll; or use any die, or any group of equal ones, for any symbol."""
        if position.phase is Phase.REROLL:
            return [STOP, REROLL]
        unused = sorted(Counter(position.unused).items())
        matches = [MATCH + symbol for symbol, _ in unused]
        return matches + [wild for equal_dice in unused for wild in WILDS_WITH[equal_dice]]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:  # noqa: ARG002
        """All rolls are alike: some faces weigh as much as the ways in which dice can show them."""
        return list(self.weights)

    def apply(self, position: Position, action: int) -> None:
        """Roll, decide about rolling again, or use dice."""
        match position.phase:
            case Phase.OPENING:
                self._open(position, self.rolls[action])
            case Phase.ROLL:
                self._roll(position, self.rolls[action])
            case Phase.REROLL:
                if action == REROLL:
                    position.phase = Phase.ROLL
                else:
                    self._start_scoring(position)
            case _:
                self._use(position, action)

    def _open(self, position: Position, faces: list[Symbol]) -> None:
        seat = position.race.seat
        position.dice[seat] = list(faces)
        if seat == self.num_players - 1:
            position.phase = Phase.ROLL
        position.race.seat = (seat + 1) % self.num_players

    def _roll(self, position: Position, faces: list[Symbol]) -> None:
        position.dice[position.race.seat] = list(faces)
        position.rolls_used += 1
        if position.rolls_used < ROLLS_IN_A_TURN:
            position.phase = Phase.REROLL
        else:
            self._start_scoring(position)

    def _start_scoring(self, position: Position) -> None:
        position.phase = Phase.RESOLVE
        position.rolls_used = 0
        position.unused = list(position.dice[position.race.seat])

    def _use(self, position: Position, action: int) -> None:
        """Score with a die or a wild group; the turn ends when no die is left."""
        race = position.race
        if action < FIRST_WILD:
            symbol, used = Symbol(action - MATCH), 1
            holes = self.board.advance(race, symbol, _dice_of_opponents(position, symbol))
        else:
            wild = WILDS[action - FIRST_WILD]
            symbol, used = wild.source, wild.dice
            holes = self.board.advance(race, wild.target, wild.points)
        for _ in range(used):
            position.unused.remove(symbol)
        position.moved = position.moved or holes > 0
        if not position.unused:
            self._end_turn(position)

    def _end_turn(self, position: Position) -> None:
        """The dice stay as they lie; the next turn begins with a roll."""
        over = self.board.count_turn(position.race, moved=position.moved)
        position.moved = False
        if over:
            position.phase = Phase.OVER
        else:
            self.board.next_turn(position.race)
            position.phase = Phase.ROLL

    def scores(self, position: Position) -> list[int]:
        """Give the value of each seat's lowest row."""
        return self.board.scores(position.race)

    def winners(self, position: Position) -> list[int]:
        """List the seats that win; none before the end."""
        return self.board.winners(position.race) if position.phase is Phase.OVER else []

    def is_truncated(self, position: Position) -> bool:
        """Say whether a cap has ended the game."""
        return position.race.truncated

    # What a seat knows: everything.

    def fields(self) -> list[Field]:
        """List the parts of the observation."""
        players = self.num_players
        return [
            Field("observer", (players,), "one-hot: the seat that observes"),
            Field("phase", (len(Phase),), "one-hot: opening, roll, reroll, resolve, over"),
            *turn_fields(players),
            Field("rolls_used", (1,), "rolls made in this turn, 0 outside roll and reroll"),
            Field("moved", (1,), "1 if a peg has moved in this turn, 0 outside resolve"),
            pegs_field(players),
            Field("dice", (players, len(Symbol)), "dice of each seat, by symbol"),
            Field("unused", (len(Symbol),), "dice still to be used in this turn, by symbol"),
            truncated_field(),
        ]

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        return {
            "observer": one_hot(self.num_players, seat),
            "phase": one_hot(len(Phase), position.phase),
            **turn_tensor(position.race),
            "rolls_used": [position.rolls_used],
            "moved": [int(position.moved)],
            "pegs": pegs_tensor(position.race),
            "dice": [count for faces in position.dice for count in symbol_counts(faces)],
            "unused": symbol_counts(position.unused),
            "truncated": [int(position.race.truncated)],
        }

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict."""
        return {"observer": seat, **self.to_dict(position)}

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Nothing is hidden, so nothing changes."""

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write the whole position."""
        return {
            "phase": position.phase.word,
            **turn_to_dict(position.race),
            "rolls_used": position.rolls_used,
            "moved": position.moved,
            "pegs": pegs_to_dict(position.race),
            "dice": [[int(face) for face in faces] for faces in position.dice],
            "unused": [int(face) for face in position.unused],
            "truncated": position.race.truncated,
        }

    def from_dict(self, position: object) -> Position:
        """Read a position; dice may be in any order."""
        entries = take_dict(position, _KEYS, "the position")
        dice = take_list(entries["dice"], "dice", self.num_players)
        return Position(
            phase=Phase(take_name(entries["phase"], _PHASE_WORDS, "phase")),
            race=take_race(self.board, entries),
            rolls_used=take_int(entries["rolls_used"], 0, ROLLS_IN_A_TURN - 1, "rolls_used"),
            moved=take_bool(entries["moved"], "moved"),
            dice=[take_symbols(faces, f"dice[{seat}]") for seat, faces in enumerate(dice)],
            unused=take_symbols(entries["unused"], "unused"),
        )

    def encode(self, position: Position) -> bytes:
        """Write the whole position, dice as their number for each symbol."""
        numbers = [
            count for faces in (*position.dice, position.unused) for count in symbol_counts(faces)
        ]
        return (
            bytes([position.phase])
            + encode_turn(position.race)
            + bytes([position.rolls_used, position.moved])
            + encode_pegs(position.race)
            + bytes([*numbers, position.race.truncated])
        )

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        phase = Phase(reader.u8("phase", len(Phase)))
        race = decode_turn(self.board, reader)
        rolls_used = reader.u8("rolls_used", ROLLS_IN_A_TURN)
        moved = decode_flag(reader, "moved")
        race.pegs = decode_pegs(self.board, reader)
        dice = [self._decode_dice(reader, f"dice[{seat}]") for seat in range(self.num_players)]
        unused = self._decode_dice(reader, "unused")
        race.truncated = decode_flag(reader, "truncated")
        return Position(phase, race, rolls_used, moved, dice, unused)

    def _decode_dice(self, reader: ByteReader, where: str) -> list[Symbol]:
        counts = [reader.u8(f"a number of {where}", self.dice_of_a_seat + 1) for _ in Symbol]
        return [symbol for symbol, count in zip(Symbol, counts, strict=True) for _ in range(count)]

    # Which positions can be.

    def check(self, position: Position) -> None:
        """Refuse a position that breaks an invariant of the game."""
        race, phase = position.race, position.phase
        check_race(
            self.board,
            race,
            over=phase is Phase.OVER,
            # The last peg may get there before the last die is used.
            mover_may_be_at_goal=phase is Phase.RESOLVE and position.moved,
        )
        if phase is Phase.OPENING:
            check_untouched(race, "opening")
        self._check_dice(position)
        self._check_rolls(position)
        self._check_scoring(position)

    def _check_dice(self, position: Position) -> None:
        """Every seat has rolled, during the opening every seat before the one that rolls."""
        for seat, faces in enumerate(position.dice):
            rolled = position.phase is not Phase.OPENING or seat < position.race.seat
            right = self.dice_of_a_seat if rolled else 0
            require(
                len(faces) == right,
                f"dice[{seat}] must be {right} dice in phase {position.phase.word} "
                f"of seat {position.race.seat}, not {len(faces)}",
            )

    def _check_rolls(self, position: Position) -> None:
        """Before the roll number i + 1 there have been i of them."""
        match position.phase:
            case Phase.ROLL:
                right = range(ROLLS_IN_A_TURN)
            case Phase.REROLL:
                right = range(1, ROLLS_IN_A_TURN)
            case _:
                right = range(1)
        require(
            position.rolls_used in right,
            f"rolls_used must be {' or '.join(map(str, right))} in phase {position.phase.word}, "
            f"not {position.rolls_used}",
        )

    def _check_scoring(self, position: Position) -> None:
        """Dice are left to use while scoring and at no other time."""
        own = position.dice[position.race.seat]
        resolving = position.phase is Phase.RESOLVE
        require(
            bool(position.unused) == resolving,
            "unused must have dice in phase resolve, and none in any other phase, "
            f"not {symbols_text(position.unused)} in phase {position.phase.word}",
        )
        for symbol in Symbol:
            require(
                position.unused.count(symbol) <= own.count(symbol),
                f"unused must be among the dice of seat {position.race.seat}, "
                f"{symbols_text(own)}, not {symbols_text(position.unused)}",
            )
        require(
            not position.moved or (resolving and len(position.unused) < len(own)),
            "moved must be False until a die has been used in phase resolve",
        )

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision, as in "wild 1 with red for blue"."""
        if action == STOP:
            return "stop"
        if action == REROLL:
            return "reroll"
        if action < FIRST_WILD:
            return f"match {Symbol(action - MATCH).word}"
        wild = WILDS[action - FIRST_WILD]
        return f"wild {wild.points} with {wild.source.word} for {wild.target.word}"

    def chance_to_string(self, outcome: int) -> str:
        """Name the faces rolled."""
        return f"roll {symbols_text(self.rolls[outcome])}"

    def describe(self, position: Position) -> str:
        """List the board and the dice of each seat, then how far the turn has come."""
        return "\n".join(
            [
                headline(self.name, position.phase.word, position.race),
                *(
                    f"{pegs_text(position.race, seat)}, dice {symbols_text(position.dice[seat])}"
                    for seat in range(self.num_players)
                ),
                f"unused: {symbols_text(position.unused)}",
                f"rolls used: {position.rolls_used}",
                bonus_text(position.race),
            ]
        )


def _ways(faces: Sequence[Symbol]) -> int:
    """Count the rolls of distinct dice that show these faces."""
    return factorial(len(faces)) // prod(factorial(count) for count in symbol_counts(faces))


def _dice_of_opponents(position: Position, symbol: Symbol) -> int:
    """Count the dice in front of the other seats that show a symbol; own ones never match."""
    return sum(
        faces.count(symbol)
        for seat, faces in enumerate(position.dice)
        if seat != position.race.seat
    )


RULES = DiceChallenge
