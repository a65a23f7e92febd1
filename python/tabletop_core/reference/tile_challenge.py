"""Tile Challenge: draw tiles that match the centre, and stop before one does not.

A turn is: turn up tiles until there are three in the centre; then draw tiles one by one, as long
as each matches the centre and none of those drawn before, and score them together with the tiles
of the centre that they match; or take the tiles of your lowest row from the centre without
drawing. Score board, bonus turns and the end of the game are those of all Ingenious Challenges
(`_score_board`), without gates and with a nearer goal.

Decisions are: draw (0), score (1), free scoring with symbol s (2 + s). A tile that is turned up or
drawn is a chance outcome, its symbol.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    OptionSpec,
    Rules,
    Word,
    one_hot,
    require,
    take_dict,
    take_int,
    take_list,
    take_name,
    word_option,
)
from ._score_board import Race, ScoreBoard, Symbol
from ._score_board_forms import (
    MAX_TURNS,
    NO_PROGRESS_LIMIT,
    PLAYERS,
    bonus_text,
    caps_options,
    check_race,
    decode_flag,
    decode_pegs,
    decode_turn,
    encode_pegs,
    encode_turn,
    headline,
    numbers_text,
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

TILES_OF_A_SYMBOL = 21
TARGET_COLUMN = {2: 7, 3: 7, 4: 5}
"""By number of players: where pegs stop, and where all six have to get."""
CENTRE_MINIMUM = 3

# Ids of decisions.
DRAW = 0
SCORE = 1
FREE = 2  # + symbol


class Phase(Word):
    """What has to happen next."""

    REFILL = 0  # a tile is turned up into the centre
    CHOOSE = 1  # draw or free scoring
    DRAW = 2  # a tile is drawn
    DECIDE = 3  # score or draw again
    OVER = 4


_PHASE_WORDS = [phase.word for phase in Phase]

_KEYS = [
    "phase",
    "seat",
    "turns",
    "idle",
    "pending_bonus",
    "pegs",
    "pool",
    "centre",
    "front",
    "box",
    "truncated",
]


@dataclass
class Position:
    """All that lies on the table; tiles are counted by symbol, save those in front."""

    phase: Phase
    race: Race
    pool: list[int]
    """Face down; its order is not known to anybody."""
    centre: list[int]
    front: list[Symbol]
    """Drawn in this turn, ascending, no two alike."""
    box: list[int]
    """Out of the game: one for each hole that a peg has gone."""


class TileChallenge(Rules[Position]):
    """The rules of the Tile Challenge.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("tile_challenge", players=4)
    >>> game.action_to_string(0), game.action_to_string(7), game.chance_to_string(2)
    ('draw', 'free purple', 'tile blue')
    """

    name = "tile_challenge"
    option_specs = (
        PLAYERS,
        OptionSpec(
            "free_scoring_tie",
            "any",
            "any|unique",
            ("any", "unique"),
            "Which row free scoring is open to: any of several lowest ones, or only a single one.",
        ),
        OptionSpec(
            "free_scoring_take",
            "all",
            "all|one",
            ("all", "one"),
            "How many tiles of the symbol free scoring takes from the centre.",
        ),
        MAX_TURNS,
        NO_PROGRESS_LIMIT,
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Seat the players and give out the score boards."""
        self.num_players = players_option(options)
        self.free_scoring_tie = word_option(options, "free_scoring_tie", ("any", "unique"))
        self.free_scoring_take = word_option(options, "free_scoring_take", ("all", "one"))
        caps = caps_options(options)
        self.options = {
            "players": self.num_players,
            "free_scoring_tie": self.free_scoring_tie,
            "free_scoring_take": self.free_scoring_take,
            **caps,
        }
        target = TARGET_COLUMN[self.num_players]
        self.board = ScoreBoard(
            self.num_players, last_hole=target, goal=target, gate_test=None, **caps
        )
        self.num_distinct_actions = FREE + len(Symbol)
        self.max_chance_outcomes = len(Symbol)
        # Draw, draw again until all six symbols lie in front, then once more.
        self.max_game_length = (1 + len(Symbol)) * self.board.max_turns

    # The course of the game.

    def initial_position(self) -> Position:
        """All tiles are in the pool; the first turn's refill turns up the first three."""
        return Position(
            phase=Phase.REFILL,
            race=self.board.start(),
            pool=[TILES_OF_A_SYMBOL for _ in Symbol],
            centre=[0 for _ in Symbol],
            front=[],
            box=[0 for _ in Symbol],
        )

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return Position(
            phase=position.phase,
            race=position.race.copy(),
            pool=list(position.pool),
            centre=list(position.centre),
            front=list(position.front),
            box=list(position.box),
        )

    def current_player(self, position: Position) -> int:
        """Tiles are turned up and drawn by chance; all else is up to the seat."""
        if position.phase is Phase.OVER:
            return TERMINAL
        decides = position.phase in {Phase.CHOOSE, Phase.DECIDE}
        return position.race.seat if decides else CHANCE

    def legal_actions(self, position: Position) -> list[int]:
        """Draw while there are tiles; score after a good draw, or for free instead of drawing."""
        actions = [DRAW] if any(position.pool) else []
        if position.phase is Phase.DECIDE:
            return [*actions, SCORE]
        return actions + [FREE + symbol for symbol in self._free_symbols(position)]

    def _free_symbols(self, position: Position) -> list[Symbol]:
        """List the symbols with which the seat may score for free.

        With an empty pool a tie never shuts out the seat, which could do nothing else. There is
        always a tile then: a row that is not at its target has left one out of the box.
        """
        lowest = self.board.lowest_rows(position.race)
        if self.free_scoring_tie == "unique" and len(lowest) > 1 and any(position.pool):
            return []
        return [symbol for symbol in lowest if position.centre[symbol] > 0]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """Every tile of the pool is equally likely."""
        return [(symbol, copies) for symbol, copies in enumerate(position.pool) if copies]

    def apply(self, position: Position, action: int) -> None:
        """Turn up a tile, draw one, or decide what to do."""
        match position.phase:
            case Phase.REFILL:
                position.pool[action] -= 1
                position.centre[action] += 1
                self._start_turn(position)
            case Phase.DRAW:
                self._draw(position, Symbol(action))
            case _:
                self._decide(position, action)

    def _decide(self, position: Position, action: int) -> None:
        if action == DRAW:
            position.phase = Phase.DRAW
        elif action == SCORE:
            self._score(position)
        else:
            self._score_for_free(position, Symbol(action - FREE))

    def _start_turn(self, position: Position) -> None:
        """Refill the centre if need be and possible; the pool is looked at again after that."""
        short = sum(position.centre) < CENTRE_MINIMUM
        position.phase = Phase.REFILL if short and any(position.pool) else Phase.CHOOSE

    def _draw(self, position: Position, symbol: Symbol) -> None:
        position.pool[symbol] -= 1
        if symbol not in position.front and position.centre[symbol] > 0:
            insort(position.front, symbol)
            position.phase = Phase.DECIDE
            return
        # Bust: drawn before in this turn, or not in the centre.
        for lost in (symbol, *position.front):
            position.centre[lost] += 1
        position.front = []
        self._end_turn(position, moved=False)

    def _score(self, position: Position) -> None:
        """Score each tile in front with all tiles of the centre that it matches."""
        moved = False
        for symbol in position.front:
            tiles = 1 + position.centre[symbol]
            position.centre[symbol] = 0
            moved |= self._advance(position, symbol, tiles)
        position.front = []
        self._end_turn(position, moved=moved)

    def _score_for_free(self, position: Position, symbol: Symbol) -> None:
        """Score tiles of the centre, without one of one's own."""
        tiles = position.centre[symbol] if self.free_scoring_take == "all" else 1
        position.centre[symbol] -= tiles
        moved = self._advance(position, symbol, tiles)
        self._end_turn(position, moved=moved)

    def _advance(self, position: Position, symbol: Symbol, tiles: int) -> bool:
        """Score tiles: those that count go to the box, the others back to the pool."""
        holes = self.board.advance(position.race, symbol, tiles)
        position.box[symbol] += holes
        position.pool[symbol] += tiles - holes
        return holes > 0

    def _end_turn(self, position: Position, *, moved: bool) -> None:
        if self.board.count_turn(position.race, moved=moved):
            position.phase = Phase.OVER
        else:
            self.board.next_turn(position.race)
            self._start_turn(position)

    def scores(self, position: Position) -> list[int]:
        """Give the value of each seat's lowest row."""
        return self.board.scores(position.race)

    def winners(self, position: Position) -> list[int]:
        """List the seats that win; none before the end."""
        return self.board.winners(position.race) if position.phase is Phase.OVER else []

    def is_truncated(self, position: Position) -> bool:
        """Say whether a cap has ended the game."""
        return position.race.truncated

    # What a seat knows: everything, as only the order of the pool is hidden.

    def fields(self) -> list[Field]:
        """List the parts of the observation."""
        players, symbols = self.num_players, len(Symbol)
        return [
            Field("observer", (players,), "one-hot: the seat that observes"),
            Field("phase", (len(Phase),), "one-hot: refill, choose, draw, decide, over"),
            *turn_fields(players),
            pegs_field(players),
            Field("pool", (symbols,), "tiles in the pool, by symbol"),
            Field("centre", (symbols,), "tiles in the centre, by symbol"),
            Field("front", (symbols,), "tiles drawn in this turn, by symbol"),
            Field("box", (symbols,), "tiles out of the game, by symbol"),
            truncated_field(),
        ]

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        return {
            "observer": one_hot(self.num_players, seat),
            "phase": one_hot(len(Phase), position.phase),
            **turn_tensor(position.race),
            "pegs": pegs_tensor(position.race),
            "pool": position.pool,
            "centre": position.centre,
            "front": symbol_counts(position.front),
            "box": position.box,
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
            "pegs": pegs_to_dict(position.race),
            "pool": list(position.pool),
            "centre": list(position.centre),
            "front": [int(symbol) for symbol in position.front],
            "box": list(position.box),
            "truncated": position.race.truncated,
        }

    def from_dict(self, position: object) -> Position:
        """Read a position; the tiles in front may be in any order."""
        entries = take_dict(position, _KEYS, "the position")
        return Position(
            phase=Phase(take_name(entries["phase"], _PHASE_WORDS, "phase")),
            race=take_race(self.board, entries),
            pool=_take_tiles(entries["pool"], "pool"),
            centre=_take_tiles(entries["centre"], "centre"),
            front=take_symbols(entries["front"], "front"),
            box=_take_tiles(entries["box"], "box"),
        )

    def encode(self, position: Position) -> bytes:
        """Write the whole position, tiles as their number for each symbol."""
        tiles = [position.pool, position.centre, symbol_counts(position.front), position.box]
        numbers = [count for counts in tiles for count in counts]
        return (
            bytes([position.phase])
            + encode_turn(position.race)
            + encode_pegs(position.race)
            + bytes([*numbers, position.race.truncated])
        )

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        phase = Phase(reader.u8("phase", len(Phase)))
        race = decode_turn(self.board, reader)
        race.pegs = decode_pegs(self.board, reader)
        pool = _decode_tiles(reader, "pool")
        centre = _decode_tiles(reader, "centre")
        front = [symbol for symbol in Symbol if decode_flag(reader, f"{symbol.word} in front")]
        box = _decode_tiles(reader, "box")
        race.truncated = decode_flag(reader, "truncated")
        return Position(phase, race, pool, centre, front, box)

    # Which positions can be.

    def check(self, position: Position) -> None:
        """Refuse a position that breaks an invariant of the game."""
        check_race(self.board, position.race, over=position.phase is Phase.OVER)
        self._check_tiles(position)
        self._check_front(position)
        self._check_phase(position)

    def _check_tiles(self, position: Position) -> None:
        """No tile is lost or doubled, and those that have scored are in the box."""
        for symbol in Symbol:
            found = (
                position.pool[symbol]
                + position.centre[symbol]
                + position.front.count(symbol)
                + position.box[symbol]
            )
            require(
                found == TILES_OF_A_SYMBOL,
                f"there must be {TILES_OF_A_SYMBOL} tiles {symbol.word} ({int(symbol)}) in the "
                f"pool, in the centre, in front and in the box together, not {found}",
            )
            holes = sum(pegs[symbol] for pegs in position.race.pegs)
            require(
                position.box[symbol] == holes,
                f"box[{int(symbol)}] must be {holes}, the holes that the {symbol.word} pegs have "
                f"gone, not {position.box[symbol]}",
            )

    def _check_front(self, position: Position) -> None:
        """What lies in front has been drawn in this turn, and was good."""
        phase, front = position.phase, position.front
        for symbol in front:
            require(
                front.count(symbol) == 1 and position.centre[symbol] > 0,
                "each tile of front must be the only one there of its symbol and match one of "
                f"the centre, as {symbol.word} does not",
            )
        if phase is Phase.DECIDE:
            require(bool(front), "front must have a tile in phase decide")
        elif phase is not Phase.DRAW:
            require(
                not front, f"front must be empty in phase {phase.word}, not {symbols_text(front)}"
            )

    def _check_phase(self, position: Position) -> None:
        """A turn begins with a refill if need be and possible, and drawing needs a pool."""
        phase, pool = position.phase, sum(position.pool)
        centre = sum(position.centre)
        if phase in {Phase.REFILL, Phase.CHOOSE}:
            refill = centre < CENTRE_MINIMUM and pool > 0
            right = Phase.REFILL if refill else Phase.CHOOSE
            require(
                phase is right,
                f"phase must be {right.word}, not {phase.word}, with {centre} tiles in the "
                f"centre and {pool} in the pool",
            )
        require(phase is not Phase.DRAW or pool > 0, "pool must have a tile in phase draw")

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision, as in "free red"."""
        if action == DRAW:
            return "draw"
        return "score" if action == SCORE else f"free {Symbol(action - FREE).word}"

    def chance_to_string(self, outcome: int) -> str:
        """Name the tile turned up or drawn."""
        return f"tile {Symbol(outcome).word}"

    def describe(self, position: Position) -> str:
        """List the board of each seat, then all tiles."""
        centre = [symbol for symbol in Symbol for _ in range(position.centre[symbol])]
        return "\n".join(
            [
                headline(self.name, position.phase.word, position.race),
                *(pegs_text(position.race, seat) for seat in range(self.num_players)),
                f"pool: {numbers_text(position.pool)}",
                f"centre: {symbols_text(centre)}",
                f"front: {symbols_text(position.front)}",
                f"box: {numbers_text(position.box)}",
                bonus_text(position.race),
            ]
        )


def _take_tiles(value: object, where: str) -> list[int]:
    """Read a number of tiles for each symbol."""
    counts = take_list(value, where, len(Symbol))
    return [
        take_int(count, 0, TILES_OF_A_SYMBOL, f"{where}[{symbol}]")
        for symbol, count in enumerate(counts)
    ]


def _decode_tiles(reader: ByteReader, where: str) -> list[int]:
    """Read a number of tiles for each symbol."""
    return [reader.u8(f"{where} of {symbol.word}", TILES_OF_A_SYMBOL + 1) for symbol in Symbol]


RULES = TileChallenge
