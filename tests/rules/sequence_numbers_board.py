"""What the tests of Sequence Numbers share: the board, its windows and ids as the rules page numbers them, and set-up positions.

Nothing here is taken from an engine: lines, ids and locks are worked out again from the rules page.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.distribution import physical_deals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game, State

Cell = tuple[int, int]
Card = int | str
Ends = tuple[Cell, Cell]  # first and last cell of a window
Rows = tuple[tuple[int | str, ...], ...]

NAME = "sequence_numbers"
PLUS, MINUS = "plus", "minus"
COLOURS = "rbg"
PHASES = (
    "deal",
    "talk",
    "talk_discard",
    "play",
    "swap_draw",
    "choose_lock",
    "miss",
    "turn_draw",
    "over",
)
STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (1, 1), (1, -1))

SEATINGS: tuple[dict[str, int], ...] = (
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 6},
    {"players": 6, "teams": 3},
)
SIZES: tuple[Cell, ...] = tuple(
    (rows, cols) for rows in range(6, 11) for cols in range(6, 11) if rows * cols % 2 == 0
)


def mirror_board(rows: int, cols: int) -> Rows:
    """Number the first half in reading order and give each cell of the other half the number opposite."""
    last = rows * cols - 1
    corners = {0, cols - 1, last - cols + 1, last}
    flat: list[int | str] = ["F"] * (last + 1)
    number = 0
    for cell in range((last + 1) // 2):
        if cell not in corners:
            number += 1
            flat[cell] = flat[last - cell] = number
    return tuple(tuple(flat[row * cols : (row + 1) * cols]) for row in range(rows))


ROUGH_GAMES: dict[str, dict[str, Any]] = {
    "two players": {},
    "three players, minus as a swap": {
        "players": 3,
        "sequences_to_win": 2,
        "minus_dead_swap": True,
        "max_turns": 90,
        "max_turns_result": "most_sequences",
    },
    "four players, all slips": {
        "players": 4,
        "sequences_to_win": 9,
        "board": mirror_board(6, 8),
        "lock_policy": "choose",
        "no_play_policy": "discard_and_draw",
        "missed_draw_per_mille": 20,
        "table_talk_per_mille": 30,
        "max_turns": 200,
    },
    "three teams": {
        "players": 6,
        "teams": 3,
        "sequences_to_win": 4,
        "board": mirror_board(9, 6),
        "lock_policy": "choose",
        "table_talk_per_mille": 30,
        "max_turns": 250,
        "stalemate_result": "most_sequences",
    },
}


class Board:
    """The board of a game: its cells, numbers and windows, and the ids of its actions and chance outcomes."""

    def __init__(self, rows: Rows) -> None:
        """Work out everything that follows from the rows."""
        self.layout = rows
        self.rows, self.cols = len(rows), len(rows[0])
        self.size = self.rows * self.cols
        self.all_cells = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        self.cells = [cell for cell in self.all_cells if not self.is_corner(cell)]
        self.corners = [cell for cell in self.all_cells if self.is_corner(cell)]
        self.numbers = sorted({int(self.at(cell)) for cell in self.cells})
        self.kinds: list[Card] = [*self.numbers, PLUS, MINUS]
        self.windows: list[tuple[Cell, ...]] = []
        self.directions: list[int] = []
        for direction, (down, right) in enumerate(STEPS):
            for row, col in self.all_cells:
                window = tuple((row + down * i, col + right * i) for i in range(5))
                if self.contains(window[-1]):
                    self.windows.append(window)
                    self.directions.append(direction)

    def at(self, cell: Cell) -> int | str:
        """Give what is printed on a cell."""
        return self.layout[cell[0]][cell[1]]

    def is_corner(self, cell: Cell) -> bool:
        """Say whether the cell is a free space."""
        return cell[0] in {0, self.rows - 1} and cell[1] in {0, self.cols - 1}

    def contains(self, cell: Cell) -> bool:
        """Say whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def cells_of(self, number: int) -> list[Cell]:
        """Give the two cells with a number."""
        return [cell for cell in self.cells if self.at(cell) == number]

    def chips_of(self, window: int) -> list[Cell]:
        """Give the cells of a window that hold chips, which a corner does not."""
        return [cell for cell in self.windows[window] if not self.is_corner(cell)]

    def window(self, first: Cell, last: Cell) -> int:
        """Give the id of the window with these end cells."""
        return [(window[0], window[-1]) for window in self.windows].index((first, last))

    def index(self, cell: Cell) -> int:
        """Give the number of a cell in reading order."""
        return cell[0] * self.cols + cell[1]

    def kind(self, card: Card) -> int:
        """Give the kind of a card, which is also the chance id of its draw."""
        return self.kinds.index(card)

    def place(self, cell: Cell) -> int:
        """Give the action that puts a chip on a cell with its number card."""
        return self.index(cell)

    def plus(self, cell: Cell) -> int:
        """Give the action that puts a chip on a cell with a plus."""
        return self.size + self.index(cell)

    def minus(self, cell: Cell) -> int:
        """Give the action that takes the chip from a cell."""
        return 2 * self.size + self.index(cell)

    def swap(self, card: Card) -> int:
        """Give the action that swaps a card."""
        if card == MINUS:
            return 3 * self.size + len(self.numbers) + 1
        return 3 * self.size + self.kind(card)

    @property
    def passing(self) -> int:
        """Give the action that passes."""
        return 3 * self.size + len(self.numbers)

    def discard(self, card: Card) -> int:
        """Give the action that throws a card away."""
        return 3 * self.size + len(self.numbers) + 2 + self.kind(card)

    def lock(self, window: int) -> int:
        """Give the action that chooses a window."""
        return 3 * self.size + 2 * len(self.numbers) + 4 + window

    @property
    def drawn(self) -> int:
        """Give the chance id of a draw that takes place; the next one is the missed draw."""
        return len(self.kinds)

    @property
    def missed(self) -> int:
        """Give the chance id of a missed draw."""
        return len(self.kinds) + 1

    @property
    def silence(self) -> int:
        """Give the chance id of a turn without table talk."""
        return len(self.kinds) + 2

    def talk(self, team: int) -> int:
        """Give the chance id of table talk by a team."""
        return len(self.kinds) + 3 + team

    def sorted_cards(self, cards: Iterable[Card]) -> list[Card]:
        """Put cards in the order of their kinds."""
        return sorted(cards, key=self.kind)

    def full_deck(self) -> list[Card]:
        """Give all cards that belong to the board."""
        return [card for card in self.kinds for _ in range(2)]

    def locked(self, sequences: Iterable[Iterable[int]]) -> set[Cell]:
        """Give the cells of all sequences, corners excepted."""
        return {
            cell for of_team in sequences for window in of_team for cell in self.chips_of(window)
        }

    def full_windows(self, owned: set[Cell]) -> list[int]:
        """Give the windows whose cells are all owned or corners."""
        return [
            window
            for window in range(len(self.windows))
            if all(cell in owned for cell in self.chips_of(window))
        ]

    def shared(self, one: int, other: int) -> int:
        """Count the cells that two windows have in common."""
        return len(set(self.windows[one]) & set(self.windows[other]))


CANONICAL = Board(mirror_board(10, 10))


def load(engine: ModuleType, **options: Any) -> Game:
    """Load the game in one engine."""
    game: Game = engine.load_game(NAME, **options)
    return game


def board_of(game: Game) -> Board:
    """Give the board that a game is played on."""
    rows: Rows = game.options["board"]
    return CANONICAL if rows == CANONICAL.layout else Board(rows)


def hand_size(game: Game) -> int:
    """Give the number of cards dealt to each seat."""
    return 5 if game.num_players() <= 3 else 4


def set_up(
    game: Game,
    *,
    chips: Mapping[int, Iterable[Cell]] | None = None,
    sequences: Mapping[int, Sequence[Ends]] | None = None,
    hands: Mapping[int, Sequence[Card]] | None = None,
    deck: Sequence[Card] | None = None,
    discards: Sequence[Card] = (),
    turn: int = 0,
    **fields: Any,
) -> dict[str, Any]:
    """Describe a position by what matters in it.

    Chips and sequences are given by team, hands by seat; seats that are not mentioned have lost all their cards. All other
    cards are in the deck; with `deck` given, they are on the discards. The seat follows from the turn.
    """
    board = board_of(game)
    owner: list[list[int | None]] = [[None] * board.cols for _ in range(board.rows)]
    windows: list[list[int]] = [[] for _ in range(game.options["teams"])]
    for team, cells in (chips or {}).items():
        for row, col in cells:
            owner[row][col] = team
    for team, ends in (sequences or {}).items():
        windows[team] = sorted(board.window(first, last) for first, last in ends)
        for row, col in board.locked([windows[team]]):
            owner[row][col] = team
    held = [list((hands or {}).get(seat, ())) for seat in range(game.num_players())]
    rest = Counter(board.full_deck())
    rest.subtract(card for hand in held for card in hand)
    rest.subtract(discards if deck is None else deck)
    others = list(rest.elements())
    return {
        "phase": "play",
        "seat": turn % game.num_players(),
        "turn": turn,
        "idle": 0,
        "swapped": False,
        "hands": [board.sorted_cards(hand) for hand in held],
        "deck": board.sorted_cards(others if deck is None else deck),
        "discards": board.sorted_cards(discards if deck is None else others),
        "owner": owner,
        "sequences": windows,
        "pending_locks": [[], [], [], []],
        "talkers": [],
        "winners": [],
        "truncated": False,
        **deepcopy(fields),
    }


def position(game: Game, **what: Any) -> State:
    """Build the position that `set_up` describes."""
    return game.state_from_dict(set_up(game, **what))


def unseen_by(shown: Mapping[str, Any], seat: int, board: Board) -> list[Card]:
    """Give the cards of the other hands and the deck, by kind."""
    hidden = [card for other, hand in enumerate(shown["hands"]) if other != seat for card in hand]
    return board.sorted_cards([*hidden, *shown["deck"]])


def with_deal(
    shown: Mapping[str, Any], seat: int, board: Board, order: Iterable[Card]
) -> dict[str, Any]:
    """Give the unseen cards in this order to the other hands and the deck."""
    cards = iter(order)
    hands = [
        hand if other == seat else board.sorted_cards(next(cards) for _ in hand)
        for other, hand in enumerate(shown["hands"])
    ]
    return {**shown, "hands": hands, "deck": board.sorted_cards(cards)}


def hidden_deals(state: State, seat: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Give every position that the seat cannot tell from this one, and the number of physical deals that lead to it."""
    shown, board = state.to_dict(), board_of(state.get_game())
    sizes = tuple(len(hand) for other, hand in enumerate(shown["hands"]) if other != seat)
    for order, ways in physical_deals(tuple(unseen_by(shown, seat, board)), sizes).items():
        yield with_deal(shown, seat, board, order), ways


def after(state: State, *actions: int) -> State:
    """Give the position after these decisions and chance outcomes, the state itself untouched."""
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def random_step(state: State, rng: Any) -> int:
    """Play one random decision or chance outcome and give its id."""
    if state.is_chance_node():
        action = state.sample_chance(rng)
    else:
        legal = state.legal_actions()
        action = legal[rng.below(len(legal))]
    state.apply_action(action)
    return action


def sample(engine: ModuleType, game: Game, count: int) -> list[State]:
    """Give positions from random games, about as many of each phase that comes up."""
    found: dict[str, list[State]] = {}
    most = max(count // 6, 2)
    for seed in range(4):
        rng = engine.Rng(seed)
        state = game.new_initial_state()
        node = seed
        while True:
            of_phase = found.setdefault(state.to_dict()["phase"], [])
            if len(of_phase) < most and (node % 5 == 0 or len(of_phase) < seed + 2):
                of_phase.append(state.clone())
            if state.is_terminal():
                break
            random_step(state, rng)
            node += 1
    return [state for of_phase in found.values() for state in of_phase]


def lowest_chances(state: State) -> State:
    """Let every chance node take its first outcome until somebody decides or the game is over."""
    state = state.clone()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def place_with_plus(game: Game, cell: Cell, **what: Any) -> State:
    """Give the position after the seat to move, holding one plus, has put a chip on the cell."""
    seat = what.get("turn", 0) % game.num_players()
    state = position(game, hands={seat: [PLUS]}, **what)
    return after(state, board_of(game).plus(cell))


def row_cells(row: int, cols: Iterable[int]) -> list[Cell]:
    """Give cells of one row."""
    return [(row, col) for col in cols]


def dead_hand(board: Board, numbers: Iterable[int]) -> list[Cell]:
    """Give the cells that must be covered to make these numbers dead."""
    return [cell for number in numbers for cell in board.cells_of(number)]


def locked(state: State) -> set[Cell]:
    """Give the locked cells as the observation shows them."""
    game = state.get_game()
    (field,) = [field for field in game.observation_fields if field.name == "locked"]
    values = state.observation_tensor(0)[field.start : field.stop].reshape(field.shape)
    found = {(row, col) for row, col in board_of(game).all_cells if values[row, col]}
    assert found == board_of(game).locked(state.to_dict()["sequences"])
    return found


def windows(*ends: Ends) -> list[int]:
    """Give the ids of windows of the canonical board."""
    return [CANONICAL.window(first, last) for first, last in ends]


def best_windows(board: Board, owned: set[Cell], cell: Cell, earlier: Sequence[int]) -> set[int]:
    """Search all sets of candidates for the one with most sequences, then most chips, then lowest ids (SN-39)."""
    candidates = [
        window
        for window in board.full_windows(owned)
        if cell in board.windows[window]
        and all(board.shared(window, sequence) <= 1 for sequence in earlier)
    ]
    best: tuple[int, int, list[int]] = (0, 0, [])
    for count in range(1, len(candidates) + 1):
        found = False
        for chosen in combinations(candidates, count):
            if all(board.shared(one, other) <= 1 for one, other in combinations(chosen, 2)):
                found = True
                chips = len(board.locked([chosen]))
                negated = [-window for window in chosen]
                best = max(best, (count, chips, negated))
        if not found:
            break
    return {-window for window in best[2]}
