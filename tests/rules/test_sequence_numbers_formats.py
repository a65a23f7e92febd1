"""Sequence Numbers: ids, texts, bytes, and the position as a dict."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    COLOURS,
    MINUS,
    PHASES,
    PLUS,
    ROUGH_GAMES,
    SEATINGS,
    Board,
    after,
    board_of,
    load,
    mirror_board,
    position,
    sample,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

    from tabletop_core.protocol import Game

BOARD = CANONICAL

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


@pytest.fixture(params=list(ROUGH_GAMES.values()), ids=list(ROUGH_GAMES))
def rough_game(engine: ModuleType, request: pytest.FixtureRequest) -> Game:
    """Load a game with rules under which much happens."""
    return load(engine, **request.param)


# Ids and texts


def action_texts(board: Board) -> list[str]:
    """Give the texts of all actions in the order of their ids."""
    at = [f"({row},{col})" for row, col in board.all_cells]
    printed = [board.at(cell) for cell in board.all_cells]
    ends = [(window[0], window[-1]) for window in board.windows]
    return [
        *[f"place {number} at {cell}" for number, cell in zip(printed, at, strict=True)],
        *[f"plus at {cell}" for cell in at],
        *[f"minus at {cell}" for cell in at],
        *[f"swap {number}" for number in board.numbers],
        "pass",
        "swap minus",
        *[f"discard {card}" for card in board.kinds],
        *[f"lock ({a},{b})-({c},{d})" for (a, b), (c, d) in ends],
    ]


def chance_texts(board: Board, teams: int) -> list[str]:
    """Give the texts of all chance outcomes in the order of their ids."""
    return [
        *[f"draw {card}" for card in board.kinds],
        "card drawn",
        "draw missed",
        "silence",
        *[f"table talk by team {team}" for team in range(teams)],
    ]


ID_COUNTS: list[tuple[dict[str, Any], int, int]] = [
    ({}, 349, 50),
    ({"players": 3}, 349, 50),
    ({"swap_optional": False, "chips_per_colour": 50, "dead_position_check": True}, 349, 50),
    ({"minus_dead_swap": True}, 350, 50),
    ({"no_play_policy": "discard_and_draw"}, 400, 50),
    ({"no_play_policy": "discard_and_draw", "minus_dead_swap": True}, 400, 50),
    ({"players": 4, "table_talk_per_mille": 1}, 400, 55),
    ({"players": 6, "teams": 3, "table_talk_per_mille": 1000}, 400, 56),
    ({"missed_draw_per_mille": 1}, 349, 52),
    ({"players": 4, "missed_draw_per_mille": 9, "table_talk_per_mille": 1}, 400, 55),
    ({"players": 4, "lock_policy": "choose"}, 592, 50),
    ({"lock_policy": "choose"}, 592, 50),
    ({"players": 4, "lock_policy": "choose", "shared_cells_allowed": 4}, 592, 50),
    ({"shared_cells_allowed": 4}, 349, 50),
    ({"board": mirror_board(6, 6)}, 3 * 36 + 16 + 1, 18),
    ({"board": mirror_board(7, 10), "minus_dead_swap": True}, 3 * 70 + 33 + 2, 35),
    (
        {"players": 4, "board": mirror_board(6, 6), "lock_policy": "choose"},
        3 * 36 + 2 * 16 + 4 + 32,
        18,
    ),
]


@pytest.mark.rule("SN-88", "SN-89", "SN-90", "SN-91")
@pytest.mark.parametrize(("options", "actions", "outcomes"), ID_COUNTS)
def test_ids_and_texts(
    engine: ModuleType, options: dict[str, Any], actions: int, outcomes: int
) -> None:
    game = load(engine, **options)
    board = board_of(game)
    assert game.num_distinct_actions() == actions
    assert game.max_chance_outcomes() == outcomes
    texts = action_texts(board)[:actions]
    assert [game.action_to_string(action) for action in range(actions)] == texts
    assert [game.action_from_string(text) for text in texts] == list(range(actions))
    assert len(set(texts)) == actions
    texts = chance_texts(board, game.options["teams"])[:outcomes]
    assert [game.chance_to_string(outcome) for outcome in range(outcomes)] == texts
    assert [game.chance_from_string(text) for text in texts] == list(range(outcomes))


def test_ids_of_the_canonical_board() -> None:
    assert BOARD.place((1, 3)) == 13
    assert BOARD.plus((1, 3)) == 113
    assert BOARD.minus((1, 3)) == 213
    assert (BOARD.swap(1), BOARD.swap(48)) == (300, 347)
    assert BOARD.passing == 348
    assert BOARD.swap(MINUS) == 349
    assert (BOARD.discard(1), BOARD.discard(PLUS), BOARD.discard(MINUS)) == (350, 398, 399)
    assert (BOARD.lock(0), BOARD.lock(191)) == (400, 591)
    assert (BOARD.drawn, BOARD.missed, BOARD.silence, BOARD.talk(0)) == (50, 51, 52, 53)


@pytest.mark.rule("SN-91")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "Pass",
        "pass ",
        " pass",
        "place 12 at (1, 3)",
        "place 13 at (1,3)",
        "place 12 at (01,3)",
        "plus at (10,0)",
        "swap plus",
        "swap 0",
        "swap 49",
        "discard 1",
        "lock (2,1)-(2,5)",
        "draw 12",
        "13",
    ],
)
def test_other_texts_are_no_actions(engine: ModuleType, text: str) -> None:
    with pytest.raises(tc.IllegalActionError):
        load(engine).action_from_string(text)


@pytest.mark.rule("SN-91")
@pytest.mark.parametrize("text", ["", "draw", "draw 49", "draw F", "silence", "card drawn", "pass"])
def test_other_texts_are_no_chance_outcomes(engine: ModuleType, text: str) -> None:
    with pytest.raises(tc.IllegalActionError):
        load(engine).chance_from_string(text)


@pytest.mark.rule("SN-91", "SN-88")
def test_texts_at_every_node(engine: ModuleType, rough_game: Game) -> None:
    board = board_of(rough_game)
    texts = action_texts(board), chance_texts(board, rough_game.options["teams"])
    for state in sample(engine, rough_game, effort(engine, native=120, reference=30)):
        of_node = texts[1] if state.is_chance_node() else texts[0]
        for action in state.legal_actions():
            assert state.action_to_string(action) == of_node[action]


# Hashes


@pytest.mark.rule("SN-113")
@pytest.mark.fault("A040")
def test_the_seat_to_move_is_in_the_hash(engine: ModuleType) -> None:
    game = load(engine)
    what: dict[str, Any] = {"hands": {0: [1], 1: [1]}, "chips": {0: [(3, 3)]}}
    one, two = position(game, turn=0, **what), position(game, turn=1, **what)
    assert one != two
    assert one.stable_hash() != two.stable_hash()


@pytest.mark.rule("SN-113")
@pytest.mark.fault("A041")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_every_chip_is_in_the_hash(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    states = [
        position(game, chips={team: [cell]})
        for cell in BOARD.cells
        for team in range(game.options["teams"])
    ]
    assert len({state.stable_hash() for state in states}) == len(states)
    assert len({state.to_bytes() for state in states}) == len(states)


# Bytes and text


def bit_set(members: Iterable[int], size: int) -> bytes:
    """Write numbers as bits of so many bytes, number 0 as the lowest bit of the first."""
    return sum(1 << member for member in members).to_bytes(size, "little")


def payload(game: Game, shown: Mapping[str, Any]) -> bytes:
    """Write a position as bytes, without the header."""
    board = board_of(game)
    found = [PHASES.index(shown["phase"]), shown["seat"], *shown["turn"].to_bytes(4, "little")]
    found += [shown["idle"], shown["swapped"]]
    for hand in shown["hands"]:
        found += [len(hand), *[board.kind(card) for card in hand]]
    counts = [shown["deck"].count(card) for card in board.kinds]
    for copies in (1, 2):
        found += bit_set((kind for kind, count in enumerate(counts) if count >= copies), 8)
    owners = [owner for row in shown["owner"] for owner in row]
    for team in range(game.options["teams"]):
        found += bit_set((cell for cell, owner in enumerate(owners) if owner == team), 16)
    for windows in (*shown["sequences"], *shown["pending_locks"]):
        found += [len(windows), *windows]
    for seats in (shown["talkers"], shown["winners"]):
        found.append(sum(1 << seat for seat in seats))
    return bytes([*found, shown["truncated"]])


@pytest.mark.rule("SN-113")
def test_bytes(engine: ModuleType, rough_game: Game) -> None:
    initial = rough_game.new_initial_state()
    start = payload(rough_game, initial.to_dict())
    assert initial.to_bytes().endswith(start)
    header = initial.to_bytes()[: -len(start)]
    for state in sample(engine, rough_game, effort(engine, native=200, reference=40)):
        assert state.to_bytes() == header + payload(rough_game, state.to_dict())
        assert rough_game.state_from_bytes(state.to_bytes()) == state


@pytest.mark.rule("SN-113")
def test_bytes_of_what_is_no_position_are_refused(engine: ModuleType) -> None:
    game = load(engine)
    good = position(game, hands={0: [1, 2]}, chips={0: [(2, 2)]}).to_bytes()
    body = len(payload(game, position(game, hands={0: [1, 2]}).to_dict()))
    start = len(good) - body
    for place in range(start, len(good)):
        for value in (good[place] ^ 1, 255):
            bad = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                state = game.state_from_bytes(bad)
            except tc.PositionError:
                continue
            assert state.to_bytes() == bad
            assert game.state_from_dict(state.to_dict()) == state


def picture(game: Game, shown: Mapping[str, Any]) -> str:
    """Write a position as people read it."""
    board = board_of(game)
    locked = board.locked(shown["sequences"])
    width = 1 + len(str(board.numbers[-1]))
    over = shown["phase"] == "over"
    acting = shown["talkers"][0] if shown["talkers"] else shown["seat"]
    where = (
        f"over, turn {shown['turn']}"
        if over
        else f"{shown['phase']}, seat {acting}, turn {shown['turn']}"
    )
    lines = [f"sequence_numbers: {where}"]
    for row in range(board.rows):
        cells = []
        for col in range(board.cols):
            owner = shown["owner"][row][col]
            text = str(board.at((row, col))) if owner is None else COLOURS[owner]
            cells.append((text.upper() if (row, col) in locked else text).rjust(width))
        lines.append(" ".join(cells))

    def cards(pile: list[Any]) -> str:
        return " ".join(map(str, pile)) or "-"

    lines.append("sequences: " + " ".join(str(len(ids)) for ids in shown["sequences"]))
    lines.append(f"deck: {len(shown['deck'])} cards")
    lines.append("discards: " + cards(shown["discards"]))
    lines += [f"hand {seat}: {cards(hand)}" for seat, hand in enumerate(shown["hands"])]
    if over:
        winners = " ".join(map(str, shown["winners"])) or "none"
        lines.append(f"winners: {winners}" + " (truncated)" * shown["truncated"])
    return "\n".join(lines)


@pytest.mark.rule("SN-114")
def test_text_of_a_position(engine: ModuleType, rough_game: Game) -> None:
    for state in sample(engine, rough_game, effort(engine, native=120, reference=40)):
        assert str(state) == picture(rough_game, state.to_dict())


@pytest.mark.rule("SN-114")
def test_text_of_one_position_in_full(engine: ModuleType) -> None:
    game = load(engine, players=3, board=mirror_board(6, 6), sequences_to_win=2)
    state = position(
        game,
        hands={0: [1, 2, PLUS], 2: [MINUS]},
        chips={1: [(2, 3)], 2: [(3, 2), (0, 3)]},
        sequences={0: [((1, 1), (5, 5))]},
        discards=[3, 16, 16],
        turn=7,
    )
    lines = [
        "sequence_numbers: play, seat 1, turn 7",
        "  F   1   2   g   4   F",
        "  5   R   7   8   9  10",
        " 11  12   R   b  15  16",
        " 16  15   g   R  12  11",
        " 10   9   8   7   R   5",
        "  F   4   3   2   1   F",
        "sequences: 1 0 0",
        "deck: 29 cards",
        "discards: 3 16 16",
        "hand 0: 1 2 plus",
        "hand 1: -",
        "hand 2: minus",
    ]
    assert str(state).split("\n") == lines


# The dict


@pytest.mark.rule("SN-92")
def test_dicts_round_trip(engine: ModuleType, rough_game: Game) -> None:
    for state in sample(engine, rough_game, effort(engine, native=250, reference=60)):
        shown = state.to_dict()
        assert list(shown) == KEYS
        again = rough_game.state_from_dict(shown)
        assert again == state
        assert again.to_dict() == shown
        assert rough_game.state_from_dict(json.loads(json.dumps(shown))) == state
        assert again.legal_actions() == state.legal_actions()
        shown["hands"][0].append("changed")
        shown["owner"][1][1] = "changed"
        assert state.to_dict() == again.to_dict()


def tuples(value: Any) -> Any:
    """Turn all lists into tuples."""
    if isinstance(value, dict):
        return {key: tuples(item) for key, item in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@pytest.mark.rule("SN-92")
def test_tuples_are_taken_for_lists(engine: ModuleType, rough_game: Game) -> None:
    for state in sample(engine, rough_game, 12):
        assert rough_game.state_from_dict(tuples(state.to_dict())) == state


@pytest.mark.rule("SN-92")
def test_cards_may_come_in_any_order(engine: ModuleType, rough_game: Game) -> None:
    for state in sample(engine, rough_game, 12):
        shown = state.to_dict()
        for pile in (*shown["hands"], shown["deck"], shown["discards"]):
            pile.reverse()
        assert rough_game.state_from_dict(shown) == state


@pytest.mark.rule("SN-92", "SN-14")
def test_values_are_plain(engine: ModuleType, rough_game: Game) -> None:
    def check(value: Any) -> None:
        assert type(value) in {dict, list, str, int, bool, type(None)}
        for item in (
            value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        ):
            check(item)

    board = board_of(rough_game)
    for state in sample(engine, rough_game, 30):
        shown = state.to_dict()
        check(shown)
        for pile in (*shown["hands"], shown["deck"], shown["discards"]):
            kinds = [board.kind(card) for card in pile]
            assert all(one <= other for one, other in pairwise(kinds))


@pytest.mark.rule("SN-105")
@pytest.mark.parametrize(
    "what",
    [
        {"chips": {0: BOARD.cells}},
        {"chips": {1: BOARD.cells[:50]}, "turn": 2},
        {"chips": {0: [(2, col) for col in range(10)]}, "hands": {0: [1, 2, 3, 4, 5]}},
        {"hands": {0: [1, 1, 2, 2, 3], 1: [PLUS, PLUS, MINUS, MINUS, 3]}},
        {"deck": []},
        {"deck": BOARD.full_deck()},
        {"turn": 2999, "idle": 1},
        {"swapped": True},
        {"phase": "turn_draw", "deck": [1]},
        {"phase": "swap_draw", "swapped": True, "hands": {0: [1, 2], 1: [3, 4, 5, 6, 7]}},
    ],
    ids=str,
)
def test_set_up_positions_are_welcome(engine: ModuleType, what: dict[str, Any]) -> None:
    game = load(engine)
    state = position(game, **what)
    assert state.legal_actions()
    assert game.state_from_bytes(state.to_bytes()) == state
    for _ in range(4):
        if not state.is_terminal():
            state = after(state, state.legal_actions()[0])
            assert game.state_from_dict(state.to_dict()) == state
