"""Sequence Numbers: cards with sums, a board with their answers, and lines of five chips.

This module is the front of the game: its options, its ids and texts, what a seat sees. The rules
themselves are next door, to be read in this order:

* `_sequence_numbers_board`: the board as data, its lines of five, the cards it implies;
* `_sequence_numbers_position`: the options and what lies on the table;
* `_sequence_numbers_turn`: the course of a game;
* `_sequence_numbers_lines`: which lines become sequences;
* `_sequence_numbers_codec`, `_sequence_numbers_check`: positions in and out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._arguments import plain_int, plain_text
from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    OptionError,
    OptionSpec,
    Rules,
    count_option,
    deal_unseen,
    flag_option,
    integer_option,
    one_hot,
    show,
    word_option,
)
from ._sequence_numbers_board import (
    Board,
    Layout,
    build_board,
    canonical_layout,
    layout_fault,
    mirrored_layout,
)
from ._sequence_numbers_check import check
from ._sequence_numbers_codec import (
    PHASE_NAMES,
    cards,
    decode,
    encode,
    from_dict,
    kind_counts,
    to_dict,
)
from ._sequence_numbers_position import (
    HouseRules,
    Phase,
    Position,
    current_seat,
    locked_cells,
    start,
)
from ._sequence_numbers_turn import (
    Action,
    Event,
    Outcome,
    Verb,
    apply_action,
    apply_outcome,
    chance_weights,
    legal_actions,
    seat_that_draws,
)

TEAMS_BY_PLAYERS = {2: (2,), 3: (3,), 4: (2,), 6: (2, 3)}
"""The numbers of equal teams of 2 or 3 colours, the usual one first; five cannot be seated."""

CHIP_LETTERS = "rbg"  # red, blue, green

OPTION_SPECS = (
    OptionSpec("players", 2, "2|3|4|6", (2, 3, 4, 6), "Number of seats."),
    OptionSpec(
        "teams",
        None,
        "None|2..3",
        (2, 3),
        "Number of teams, which sit in turn; None is 2, or 3 with three players.",
    ),
    OptionSpec(
        "sequences_to_win",
        None,
        "None|1..9",
        (1, 2, 3),
        "Sequences that win the game; None is 1 with two or three players, else 2.",
    ),
    OptionSpec(
        "lock_policy",
        "auto",
        "auto|choose",
        ("auto", "choose"),
        "Who picks the five chips of a sequence when more than five are in line.",
    ),
    OptionSpec(
        "shared_cells_allowed",
        1,
        "1|4",
        (1, 4),
        "Cells that two sequences of a team may share; 4 is no restriction.",
    ),
    OptionSpec(
        "no_play_policy",
        "pass",
        "pass|discard_and_draw",
        ("pass", "discard_and_draw"),
        "What a seat does that can neither play nor swap a card.",
    ),
    OptionSpec(
        "swap_optional",
        True,
        "True|False",
        (True, False),
        "Whether a seat may keep a dead card; if not, it must swap one before it plays.",
    ),
    OptionSpec(
        "minus_dead_swap",
        False,
        "True|False",
        (False, True),
        "Whether a Minus card may be swapped while there is no chip to remove.",
    ),
    OptionSpec(
        "swap_draw_before_discard",
        False,
        "True|False",
        (False, True),
        "Whether a swapped card stays out of the reshuffle that its own draw may need.",
    ),
    OptionSpec(
        "chips_per_colour",
        None,
        "None|1..100",
        (5, 12, 50),
        "Chips that a team has; None is no limit.",
    ),
    OptionSpec(
        "missed_draw_per_mille",
        0,
        "0..1000",
        (0, 100, 1000),
        "How often in 1000 turns a player forgets to draw, and loses the card.",
    ),
    OptionSpec(
        "table_talk_per_mille",
        0,
        "0..1000",
        (0,),
        "How often in 1000 turns a team talks, and each member loses a card; 0 without team mates.",
    ),
    OptionSpec("max_turns", 3000, "1..1000000", (1, 40, 3000), "Turns after which the game ends."),
    OptionSpec(
        "max_turns_result",
        "draw",
        "draw|most_sequences",
        ("draw", "most_sequences"),
        "Who wins a game that max_turns ends.",
    ),
    OptionSpec(
        "stalemate_result",
        "draw",
        "draw|most_sequences",
        ("draw", "most_sequences"),
        "Who wins a game in which nobody can play, or can win, any more.",
    ),
    OptionSpec(
        "dead_position_check",
        False,
        "True|False",
        (False, True),
        "Whether the game ends when no team can complete a line any more.",
    ),
    OptionSpec(
        "board",
        None,
        "None|6 to 10 rows of 6 to 10 cells",
        (None, mirrored_layout(6, 6), mirrored_layout(7, 8)),
        'The numbers on the board, each twice, with "F" at the corners; None is the canonical one of 10 x 10.',
    ),
)


class SequenceNumbers(Rules[Position]):
    """The rules with one set of options."""

    name = "sequence_numbers"
    version = "1"
    option_specs = OPTION_SPECS

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Check the options and list all ids."""
        house = self._house = house_rules(options)
        board = self._board = house.board
        self._actions = list_actions(board)
        self._outcomes = list_outcomes(board, house.teams)
        self._action_ids = {action: i for i, action in enumerate(self._actions)}
        self._outcome_ids = {outcome: i for i, outcome in enumerate(self._outcomes)}

        # Later blocks of ids are declared only if an option can bring them into play.
        self.num_distinct_actions = self._action_ids[Action(Verb.SWAP_MINUS)]
        self.max_chance_outcomes = self._outcome_ids[Outcome(Event.CARD_DRAWN)]
        self.max_game_length = 2 * house.max_turns  # a swap and a play
        if house.minus_dead_swap:
            self.num_distinct_actions = self._action_ids[Action(Verb.DISCARD, 0)]
        if house.missed_draw_per_mille > 0:
            self.max_chance_outcomes = self._outcome_ids[Outcome(Event.SILENCE)]
        if house.table_talk_per_mille > 0:
            self.max_chance_outcomes = len(self._outcomes)
            self.max_game_length += house.players * house.hand_size  # never drawn again
        if house.table_talk_per_mille > 0 or house.no_play_policy == "discard_and_draw":
            self.num_distinct_actions = self._action_ids[Action(Verb.CHOOSE_LOCK, 0)]
        if house.lock_policy == "choose":
            self.num_distinct_actions = len(self._actions)
            self.max_game_length += house.teams * (house.sequences_to_win - 1)

        self.num_players = house.players
        self.options = {spec.name: getattr(house, spec.name) for spec in OPTION_SPECS} | {
            "board": board.layout
        }

    @property
    def max_utility(self) -> float:
        """Return of each member of the team that wins."""
        players, winners = self._house.players, self._house.players // self._house.teams
        return (players - winners) / (winners * (players - 1))

    # The game itself.

    def initial_position(self) -> Position:
        """Give the position before the first card is dealt."""
        return start(self._house)

    def clone(self, position: Position) -> Position:
        """Copy a position."""
        return position.copy()

    def current_player(self, position: Position) -> int:
        """Give the seat that decides, or CHANCE, or TERMINAL."""
        if position.phase is Phase.OVER:
            return TERMINAL
        seat = current_seat(position)
        return CHANCE if seat is None else seat

    def legal_actions(self, position: Position) -> list[int]:
        """List the ids that the seat to move may play, ascending."""
        return sorted(self._action_ids[a] for a in legal_actions(self._house, position))

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """List the possible outcomes, ids ascending, each with its weight."""
        weights = chance_weights(self._house, position)
        return sorted((self._outcome_ids[outcome], weight) for outcome, weight in weights)

    def apply(self, position: Position, action: int) -> None:
        """Carry out a legal decision or a possible outcome, in place."""
        if current_seat(position) is None:
            apply_outcome(self._house, position, self._outcomes[action])
        else:
            apply_action(self._house, position, self._actions[action])

    def is_truncated(self, position: Position) -> bool:
        """Say whether max_turns has ended the game."""
        return position.truncated

    def scores(self, position: Position) -> list[int]:
        """Count the sequences of each seat's team."""
        house = self._house
        return [len(position.sequences[house.team_of(seat)]) for seat in range(house.players)]

    def winners(self, position: Position) -> list[int]:
        """List the seats that win."""
        return list(position.winners)

    # What a seat knows.

    def fields(self) -> list[Field]:
        """List the parts of the observation tensor in order."""
        players, teams = self._house.players, self._house.teams
        kinds, windows = len(self._board.kinds), len(self._board.windows)
        grid = (self._board.rows, self._board.cols)
        return [
            Field("observer", (players,), "one-hot: the seat that observes"),
            Field("phase", (len(Phase),), f"one-hot: {', '.join(PHASE_NAMES)}"),
            Field("seat", (players,), "one-hot: the seat whose turn it is"),
            Field("turn", (1,), "turns finished so far"),
            Field("idle", (1,), "turns in a row up to now without any deed"),
            Field("swapped", (1,), "1 after the swap of this turn"),
            Field("hand", (kinds,), "the observer's cards, by kind"),
            Field("hand_sizes", (players,), "number of cards in each hand"),
            Field("deck_size", (1,), "number of cards in the deck"),
            Field("discards", (kinds,), "discarded cards, by kind"),
            Field("owner", (teams, *grid), "1 where the team has a chip"),
            Field("locked", grid, "1 where a chip is locked, as part of a sequence"),
            Field(
                "sequences", (teams, windows), "1 for each window that is a sequence of the team"
            ),
            Field("pending_locks", (windows,), "1 for each window that can still be chosen"),
            Field(
                "talkers",
                (players,),
                "1 for each seat that still has to throw away a card for table talk",
            ),
            Field("winners", (players,), "1 for each seat that won"),
            Field("truncated", (1,), "1 if the game was truncated"),
        ]

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        house, board = self._house, self._board
        seats, windows = range(house.players), range(len(board.windows))
        locked = locked_cells(house, position)
        pending = {window for choice in position.pending_locks for window in choice}
        return {
            "observer": one_hot(house.players, seat),
            "phase": one_hot(len(Phase), position.phase),
            "seat": one_hot(house.players, position.seat),
            "turn": [position.turn],
            "idle": [position.idle],
            "swapped": [int(position.swapped)],
            "hand": kind_counts(board, position.hands[seat]),
            "hand_sizes": [len(hand) for hand in position.hands],
            "deck_size": [len(position.deck)],
            "discards": kind_counts(board, position.discards),
            "owner": [
                int(owner == team) for team in range(house.teams) for owner in position.owner
            ],
            "locked": [int(cell in locked) for cell in range(board.size)],
            "sequences": [int(w in own) for own in position.sequences for w in windows],
            "pending_locks": [int(window in pending) for window in windows],
            "talkers": [int(s in position.talkers) for s in seats],
            "winners": [int(s in position.winners) for s in seats],
            "truncated": [int(position.truncated)],
        }

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict: all but the deck and the other hands."""
        known = to_dict(self._house, position)
        return {
            "observer": seat,
            **{key: known[key] for key in ("phase", "seat", "turn", "idle", "swapped")},
            "hand": known["hands"][seat],
            "hand_sizes": [len(hand) for hand in position.hands],
            "deck_size": len(position.deck),
            **{key: known[key] for key in ("discards", "owner", "sequences", "pending_locks")},
            **{key: known[key] for key in ("talkers", "winners", "truncated")},
        }

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Deal the other hands and the deck again from the cards that the seat does not see."""
        others = [other for other in range(self._house.players) if other != seat]
        unseen = [*position.deck, *(kind for other in others for kind in position.hands[other])]
        sizes = [len(position.hands[other]) for other in others]
        hands, position.deck = deal_unseen(unseen, sizes, below)
        for other, hand in zip(others, hands, strict=True):
            position.hands[other] = hand

    def sees_outcome(self, position: Position, seat: int) -> bool:
        """Cards are seen by the seat that gets them; all else happens before everybody's eyes."""
        no_card = position.phase in {Phase.TALK, Phase.MISS}
        return no_card or seat == seat_that_draws(self._house, position)

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write the position as a dict."""
        return to_dict(self._house, position)

    def from_dict(self, position: object) -> Position:
        """Read what `to_dict` writes."""
        return from_dict(self._house, position)

    def encode(self, position: Position) -> bytes:
        """Write the position as bytes."""
        return encode(self._house, position)

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        return decode(self._house, reader)

    def check(self, position: Position) -> None:
        """Raise a `PositionError` if the position cannot be."""
        check(self._house, position)

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision."""
        return action_text(self._board, self._actions[action])

    def chance_to_string(self, outcome: int) -> str:
        """Name a chance outcome."""
        return outcome_text(self._board, self._outcomes[outcome])

    def describe(self, position: Position) -> str:
        """Draw the position for people."""
        board = self._board
        acting = current_seat(position)
        seat = position.seat if acting is None else acting
        whose = "" if position.phase is Phase.OVER else f" seat {seat},"
        lines = [
            f"{self.name}: {position.phase.word},{whose} turn {position.turn}",
            *self._drawn_board(position),
            "sequences: " + " ".join(str(len(windows)) for windows in position.sequences),
            f"deck: {len(position.deck)} cards",
            "discards: " + _listed(cards(board, position.discards)),
        ]
        lines += [f"hand {s}: {_listed(cards(board, h))}" for s, h in enumerate(position.hands)]
        if position.phase is Phase.OVER:
            winners = " ".join(map(str, position.winners)) or "none"
            lines.append(f"winners: {winners}{' (truncated)' if position.truncated else ''}")
        return "\n".join(lines)

    def _drawn_board(self, position: Position) -> list[str]:
        """Draw numbers on open cells, a letter for a chip, a capital for one of a sequence."""
        board = self._board
        locked = locked_cells(self._house, position)
        width = 1 + len(str(board.numbers[-1]))

        def drawn(cell: int) -> str:
            owner = position.owner[cell]
            if owner is None:
                return str(board.at(cell))
            letter = CHIP_LETTERS[owner]
            return letter.upper() if cell in locked else letter

        return [
            " ".join(drawn(row * board.cols + col).rjust(width) for col in range(board.cols))
            for row in range(board.rows)
        ]


def _listed(names: Sequence[int | str]) -> str:
    return " ".join(map(str, names)) or "-"


# --- Options ---


def house_rules(options: Mapping[str, Any]) -> HouseRules:
    """Check every option and resolve those that are None; an OptionError says what is wrong."""
    players = count_option(options, "players", list(TEAMS_BY_PLAYERS))
    teams = _teams(options, players)
    table_talk = integer_option(options, "table_talk_per_mille", 0, 1000)
    if table_talk > 0 and teams == players:
        message = (
            "option table_talk_per_mille must be 0 when each team has one seat "
            f"({players} players in {teams} teams), not {table_talk}"
        )
        raise OptionError(message)
    sequences = 1 if players <= 3 else 2
    if options["sequences_to_win"] is not None:
        sequences = integer_option(options, "sequences_to_win", 1, 9)
    chips = None
    if options["chips_per_colour"] is not None:
        chips = integer_option(options, "chips_per_colour", 1, 100)
    results = ("draw", "most_sequences")
    return HouseRules(
        players=players,
        teams=teams,
        sequences_to_win=sequences,
        lock_policy=word_option(options, "lock_policy", ("auto", "choose")),
        shared_cells_allowed=count_option(options, "shared_cells_allowed", (1, 4)),
        no_play_policy=word_option(options, "no_play_policy", ("pass", "discard_and_draw")),
        swap_optional=flag_option(options, "swap_optional"),
        minus_dead_swap=flag_option(options, "minus_dead_swap"),
        swap_draw_before_discard=flag_option(options, "swap_draw_before_discard"),
        chips_per_colour=chips,
        missed_draw_per_mille=integer_option(options, "missed_draw_per_mille", 0, 1000),
        table_talk_per_mille=table_talk,
        max_turns=integer_option(options, "max_turns", 1, 1_000_000),
        max_turns_result=word_option(options, "max_turns_result", results),
        stalemate_result=word_option(options, "stalemate_result", results),
        dead_position_check=flag_option(options, "dead_position_check"),
        board=build_board(_layout(options["board"])),
    )


def _teams(options: Mapping[str, Any], players: int) -> int:
    allowed = TEAMS_BY_PLAYERS[players]
    if options["teams"] is None:
        return allowed[0]
    teams = count_option(options, "teams", (2, 3))
    if teams not in allowed:
        choice = " or ".join(map(str, allowed))
        message = f"option teams must be {choice} with {players} players, not {teams}"
        raise OptionError(message)
    return teams


def _layout(given: object) -> Layout:
    """Read a board, given as rows; numbers may be integers of any kind."""
    if given is None:
        return canonical_layout()
    if not isinstance(given, list | tuple) or not all(isinstance(r, list | tuple) for r in given):
        message = f"option board must be None or a list of rows, each a list, not {show(given)}"
        raise OptionError(message)
    layout = tuple(tuple(_entry(entry) for entry in row) for row in given)
    fault = layout_fault(layout)
    if fault is not None:
        message = f"option board cannot be used: {fault}"
        raise OptionError(message)
    return layout


def _entry(entry: Any) -> Any:
    """Return a plain int or str for any kind of one, and everything else as it is."""
    number = plain_int(entry)
    return number if number is not None else plain_text(entry) or entry


# --- Ids and their texts ---


def list_actions(board: Board) -> list[Action]:
    """List every action that any options bring into play; its place in the list is its id."""
    cells = range(board.size)
    return [
        *(Action(Verb.PLACE, cell) for cell in cells),
        *(Action(Verb.PLACE_WITH_PLUS, cell) for cell in cells),
        *(Action(Verb.REMOVE, cell) for cell in cells),
        *(Action(Verb.SWAP, kind) for kind in range(len(board.numbers))),
        Action(Verb.PASS),
        Action(Verb.SWAP_MINUS),
        *(Action(Verb.DISCARD, kind) for kind in board.kinds),
        *(Action(Verb.CHOOSE_LOCK, window) for window in range(len(board.windows))),
    ]


def list_outcomes(board: Board, teams: int) -> list[Outcome]:
    """List every chance outcome that any options bring into play; its place is its id."""
    return [
        *(Outcome(Event.DRAW, kind) for kind in board.kinds),
        Outcome(Event.CARD_DRAWN),
        Outcome(Event.DRAW_MISSED),
        Outcome(Event.SILENCE),
        *(Outcome(Event.TABLE_TALK, team) for team in range(teams)),
    ]


def action_text(board: Board, action: Action) -> str:
    """Name a decision, with cells as (row,col)."""
    what = action.what
    match action.verb:
        case Verb.PLACE:
            return f"place {board.at(what)} at {_cell_text(board, what)}"
        case Verb.PLACE_WITH_PLUS:
            return f"plus at {_cell_text(board, what)}"
        case Verb.REMOVE:
            return f"minus at {_cell_text(board, what)}"
        case Verb.SWAP:
            return f"swap {board.card(what)}"
        case Verb.PASS:
            return "pass"
        case Verb.SWAP_MINUS:
            return "swap minus"
        case Verb.DISCARD:
            return f"discard {board.card(what)}"
        case Verb.CHOOSE_LOCK:
            cells = board.windows[what].cells
            return f"lock {_cell_text(board, cells[0])}-{_cell_text(board, cells[-1])}"


def outcome_text(board: Board, outcome: Outcome) -> str:
    """Name a chance outcome."""
    match outcome.event:
        case Event.DRAW:
            return f"draw {board.card(outcome.what)}"
        case Event.CARD_DRAWN:
            return "card drawn"
        case Event.DRAW_MISSED:
            return "draw missed"
        case Event.SILENCE:
            return "silence"
        case Event.TABLE_TALK:
            return f"table talk by team {outcome.what}"


def _cell_text(board: Board, cell: int) -> str:
    """Name a cell by row and column."""
    row, col = board.row_col(cell)
    return f"({row},{col})"


RULES = SequenceNumbers
