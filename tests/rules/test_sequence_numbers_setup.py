"""Sequence Numbers: seats and teams, the board as data, the deck and the deal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    NAME,
    PLUS,
    SEATINGS,
    SIZES,
    board_of,
    hand_size,
    load,
    mirror_board,
    place_with_plus,
    position,
    row_cells,
)

if TYPE_CHECKING:
    from types import ModuleType

SMALL = mirror_board(6, 6)


@pytest.mark.rule("SN-1")
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_these_numbers_of_players_can_play(engine: ModuleType, players: int) -> None:
    game = load(engine, players=players)
    assert game.num_players() == players == game.options["players"]


@pytest.mark.rule("SN-1")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 7, 8, 12])
def test_vector_t13_other_numbers_of_players_are_refused(engine: ModuleType, players: int) -> None:
    with pytest.raises(tc.OptionError, match=str(players)):
        load(engine, players=players)


@pytest.mark.rule("SN-2")
@pytest.mark.parametrize(("players", "teams"), [(2, 2), (3, 3), (4, 2), (6, 2)])
def test_default_teams_are_resolved(engine: ModuleType, players: int, teams: int) -> None:
    game = load(engine, players=players)
    assert game.options["teams"] == teams
    assert load(engine, players=players, teams=None) == game
    assert load(engine, players=players, teams=teams) == game


@pytest.mark.rule("SN-2")
def test_accepted_teams(engine: ModuleType) -> None:
    accepted = set()
    for players in (2, 3, 4, 6):
        for teams in range(-1, 8):
            try:
                game = load(engine, players=players, teams=teams)
            except tc.OptionError:
                continue
            assert game.options["teams"] == teams
            accepted.add((players, teams))
    assert accepted == {(2, 2), (3, 3), (4, 2), (6, 2), (6, 3)}


@pytest.mark.rule("SN-3")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_seats_of_a_team_sit_apart(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    teams = game.options["teams"]
    for seat in range(game.num_players()):
        state = place_with_plus(game, (2, 3), turn=seat)
        assert state.to_dict()["owner"][2][3] == seat % teams


@pytest.mark.rule("SN-4")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_turns_go_round_from_seat_0(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    state = game.new_initial_state()
    rng = engine.Rng(1)
    state.resolve_chance(rng)
    for turn in range(2 * game.num_players() + 1):
        shown = state.to_dict()
        assert shown["turn"] == turn
        assert shown["seat"] == turn % game.num_players() == state.current_player()
        state.apply_action(state.legal_actions()[0])
        state.resolve_chance(rng)


@pytest.mark.rule("SN-5")
@pytest.mark.parametrize(
    ("seating", "cards", "deck"),
    list(zip(SEATINGS, (5, 5, 4, 4, 4), (90, 85, 84, 76, 76), strict=True)),
)
def test_hand_size(engine: ModuleType, seating: dict[str, int], cards: int, deck: int) -> None:
    game = load(engine, **seating)
    state = game.new_initial_state()
    state.resolve_chance(engine.Rng(3))
    shown = state.to_dict()
    assert [len(hand) for hand in shown["hands"]] == [cards] * game.num_players()
    assert len(shown["deck"]) == deck
    assert shown["discards"] == []


@pytest.mark.rule("SN-6")
@pytest.mark.parametrize(("seating", "target"), list(zip(SEATINGS, (1, 1, 2, 2, 2), strict=True)))
def test_default_target(engine: ModuleType, seating: dict[str, int], target: int) -> None:
    game = load(engine, **seating)
    assert game.options["sequences_to_win"] == target
    assert load(engine, **seating, sequences_to_win=target) == game
    assert load(engine, **seating, sequences_to_win=None) == game


@pytest.mark.rule("SN-6")
@pytest.mark.parametrize("target", range(1, 10))
def test_target_by_option(engine: ModuleType, target: int) -> None:
    game = load(engine, sequences_to_win=target)
    assert game.options["sequences_to_win"] == target
    halves = [((row, col), (row, col + 4)) for row in (1, 2, 3, 4) for col in (0, 5)]
    for count in range(target):
        ends = halves[:count]
        state = place_with_plus(
            game, (9, 5), chips={0: row_cells(9, range(1, 5))}, sequences={0: ends}
        )
        assert state.is_terminal() == (count + 1 == target)
        assert list(state.scores()) == [count + 1, 0]


BAD_OPTIONS: list[dict[str, Any]] = [
    {"players": True},
    {"players": 2.0},
    {"players": "2"},
    {"players": None},
    {"teams": "2"},
    {"sequences_to_win": 0},
    {"sequences_to_win": 10},
    {"sequences_to_win": True},
    {"lock_policy": "manual"},
    {"lock_policy": None},
    {"shared_cells_allowed": 0},
    {"shared_cells_allowed": 2},
    {"shared_cells_allowed": 5},
    {"shared_cells_allowed": True},
    {"no_play_policy": "draw"},
    {"swap_optional": 1},
    {"swap_optional": None},
    {"minus_dead_swap": "yes"},
    {"swap_draw_before_discard": 0},
    {"chips_per_colour": 0},
    {"chips_per_colour": 101},
    {"chips_per_colour": True},
    {"missed_draw_per_mille": -1},
    {"missed_draw_per_mille": 1001},
    {"missed_draw_per_mille": 0.5},
    {"missed_draw_per_mille": False},
    {"players": 4, "table_talk_per_mille": -1},
    {"players": 4, "table_talk_per_mille": 1001},
    {"max_turns": 0},
    {"max_turns": 1_000_001},
    {"max_turns": None},
    {"max_turns": 2**70},
    {"max_turns_result": "win"},
    {"stalemate_result": "most"},
    {"dead_position_check": 1},
    {"hand": 5},
]


@pytest.mark.rule("SN-69")
@pytest.mark.parametrize("options", BAD_OPTIONS, ids=str)
def test_bad_options_are_refused(engine: ModuleType, options: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, **options)


@pytest.mark.rule("SN-69")
def test_options_are_all_shown_in_order(engine: ModuleType) -> None:
    assert list(load(engine).options.items()) == [
        ("players", 2),
        ("teams", 2),
        ("sequences_to_win", 1),
        ("lock_policy", "auto"),
        ("shared_cells_allowed", 1),
        ("no_play_policy", "pass"),
        ("swap_optional", True),
        ("minus_dead_swap", False),
        ("swap_draw_before_discard", False),
        ("chips_per_colour", None),
        ("missed_draw_per_mille", 0),
        ("table_talk_per_mille", 0),
        ("max_turns", 3000),
        ("max_turns_result", "draw"),
        ("stalemate_result", "draw"),
        ("dead_position_check", False),
        ("board", CANONICAL.layout),
    ]


def edited(
    rows: tuple[tuple[int | str, ...], ...], *edits: tuple[int, int, Any]
) -> list[list[Any]]:
    board = [list(row) for row in rows]
    for row, col, value in edits:
        board[row][col] = value
    return board


BAD_BOARDS: dict[str, Any] = {
    "five rows": SMALL[:5],
    "five columns": [[*row[:4], row[5]] for row in SMALL],
    "eleven rows": [*mirror_board(10, 6)[:9], *mirror_board(10, 6)[8:]],
    "eleven columns": [[*row[:9], 99, row[9]] for row in mirror_board(10, 10)],
    "ragged": [*SMALL[:2], SMALL[2][:5], *SMALL[3:]],
    "a corner with a number": edited(SMALL, (0, 0, 17), (5, 5, 17)),
    "F inside": edited(SMALL, (2, 2, "F"), (3, 3, "F")),
    "lower case f": edited(SMALL, (0, 0, "f")),
    "a number once": edited(SMALL, (0, 1, 99)),
    "a number three times": edited(SMALL, (0, 1, 2)),
    "a number four times": edited(SMALL, (0, 1, 2), (5, 4, 2)),
    "zero": edited(SMALL, (0, 1, 0), (5, 4, 0)),
    "negative": edited(SMALL, (0, 1, -1), (5, 4, -1)),
    "ten thousand": edited(SMALL, (0, 1, 10_000), (5, 4, 10_000)),
    "a bool": edited(SMALL, (0, 1, True), (5, 4, True)),
    "a float": edited(SMALL, (0, 1, 1.0), (5, 4, 1.0)),
    "a digit as text": edited(SMALL, (0, 1, "1"), (5, 4, "1")),
    "a hole": edited(SMALL, (0, 1, None), (5, 4, None)),
    "an odd number of cells": [
        ["F", 1, 2, 3, 4, 5, "F"],
        *[range(7 * row + 6, 7 * row + 13) for row in range(3)],
        *[range(7 * row + 6, 7 * row + 13) for row in range(2)],
        ["F", 1, 2, 3, 4, 5, "F"],
    ],
    "empty": [],
    "a string": "F12345",
    "a number": 10,
    "rows that are no lists": [1, 2, 3, 4, 5, 6],
}


@pytest.mark.rule("SN-7")
@pytest.mark.parametrize("board", list(BAD_BOARDS.values()), ids=list(BAD_BOARDS.keys()))
def test_bad_boards_are_refused(engine: ModuleType, board: Any) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, board=board)


@pytest.mark.rule("SN-7", "SN-9", "SN-13")
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_boards_of_all_sizes(engine: ModuleType, rows: int, cols: int) -> None:
    layout = mirror_board(rows, cols)
    game = load(engine, board=[list(row) for row in layout])
    assert game.options["board"] == layout
    assert isinstance(game.options["board"], tuple)
    assert all(isinstance(row, tuple) for row in game.options["board"])
    numbers = (rows * cols - 4) // 2
    state = game.new_initial_state()
    assert state.to_dict()["deck"] == [
        card for card in [*range(1, numbers + 1), PLUS, MINUS] for _ in range(2)
    ]
    assert len(state.chance_outcomes()) == numbers + 2 == game.max_chance_outcomes()


@pytest.mark.rule("SN-7", "SN-14")
def test_numbers_need_not_be_neighbours(engine: ModuleType) -> None:
    layout = tuple(
        tuple(cell if isinstance(cell, str) else 10_000 - 600 * cell for cell in row)
        for row in SMALL
    )
    game = load(engine, board=layout)
    board = board_of(game)
    assert board.numbers[0] == 400
    assert board.numbers[-1] == 9400
    assert game.chance_to_string(0) == "draw 400"
    assert game.chance_to_string(15) == "draw 9400"
    state = position(game, hands={0: [9400]})
    assert state.legal_actions() == [board.place(cell) for cell in board.cells_of(9400)]
    assert board.cells_of(9400) == [(0, 1), (5, 4)]


@pytest.mark.rule("SN-8")
def test_canonical_board(engine: ModuleType) -> None:
    layout = load(engine).options["board"]
    assert layout[0] == ("F", 1, 2, 3, 4, 5, 6, 7, 8, "F")
    assert layout[1] == tuple(range(9, 19))
    assert layout[4] == tuple(range(39, 49))
    flat = [cell for row in layout for cell in row]
    assert [cell for cell in flat[:50] if cell != "F"] == list(range(1, 49))
    assert flat[50:] == flat[:50][::-1]
    assert Counter(flat) == Counter({"F": 4}) + Counter(2 * list(range(1, 49)))


@pytest.mark.rule("SN-9")
@pytest.mark.parametrize("make", [tuple, list])
def test_canonical_board_given_in_full(engine: ModuleType, make: Any) -> None:
    game = load(engine, board=make(make(row) for row in CANONICAL.layout))
    assert game == load(engine, board=None) == load(engine)
    assert hash(game) == hash(load(engine))
    assert load(engine, board=SMALL) != game


@pytest.mark.rule("SN-10")
def test_corners_are_never_played_on(engine: ModuleType) -> None:
    game = load(engine, players=3)
    full = [cell for cell in CANONICAL.cells if cell != (5, 5)]
    board = CANONICAL
    open_board = position(game, hands={0: [1, 8, PLUS, MINUS]}).legal_actions()
    covered = position(game, hands={0: [PLUS, MINUS]}, chips={1: full}).legal_actions()
    assert covered == [board.plus((5, 5)), *[board.minus(cell) for cell in full]]
    for corner in board.corners:
        ids = {board.place(corner), board.plus(corner), board.minus(corner)}
        assert not ids & {*open_board, *covered}


@pytest.mark.rule("SN-10", "SN-40")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_a_corner_counts_for_every_team(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating, sequences_to_win=2)
    down, across = ((0, 0), (4, 0)), ((0, 0), (0, 4))
    for team in range(game.options["teams"]):
        neighbour = (team + 1) % game.options["teams"]
        state = place_with_plus(
            game,
            (0, 3),
            turn=team,
            chips={team: row_cells(0, (1, 2, 4))},
            sequences={neighbour: [down]},
        )
        shown = state.to_dict()
        assert shown["sequences"][team] == [CANONICAL.window(*across)]
        assert shown["sequences"][neighbour] == [CANONICAL.window(*down)]
        assert all(shown["owner"][row][col] is None for row, col in CANONICAL.corners)


@pytest.mark.rule("SN-11", "SN-12")
@pytest.mark.parametrize(("rows", "cols"), [(6, 6), (6, 9), (9, 6), (7, 10), (10, 10)])
def test_windows_are_numbered(engine: ModuleType, rows: int, cols: int) -> None:
    game = load(engine, board=mirror_board(rows, cols), lock_policy="choose", sequences_to_win=9)
    board = board_of(game)
    ends = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for col in range(cols):
                last = (row + 4 * down, col + 4 * right)
                if last[0] < rows and 0 <= last[1] < cols:
                    ends.append(((row, col), last))
    texts = [f"lock ({first[0]},{first[1]})-({last[0]},{last[1]})" for first, last in ends]
    start = board.lock(0)
    assert [game.action_to_string(start + window) for window in range(len(ends))] == texts
    assert game.num_distinct_actions() == start + len(ends)
    assert len(ends) == rows * (cols - 4) + cols * (rows - 4) + 2 * (rows - 4) * (cols - 4)


@pytest.mark.rule("SN-12")
def test_geometry_of_the_canonical_board(engine: ModuleType) -> None:
    game = load(engine, lock_policy="choose", sequences_to_win=9)
    texts = [game.action_to_string(action) for action in range(400, game.num_distinct_actions())]
    windows = []
    for text in texts:
        first, last = (
            tuple(int(part) for part in end.strip("lock ()").split(",")) for end in text.split("-(")
        )
        down, right = (last[0] - first[0]) // 4, (last[1] - first[1]) // 4
        windows.append(
            ((down, right), [(first[0] + down * i, first[1] + right * i) for i in range(5)])
        )
    assert Counter(step for step, _ in windows) == {(0, 1): 60, (1, 0): 60, (1, 1): 36, (1, -1): 36}
    assert len(windows) == 192
    corners = {(0, 0), (0, 9), (9, 0), (9, 9)}
    assert Counter(len(corners & set(cells)) for _, cells in windows) == {0: 180, 1: 12}
    through = Counter(cell for _, cells in windows for cell in cells if cell not in corners)
    assert len(through) == 96
    assert min(through.values()) == 4
    assert max(through.values()) == 20


@pytest.mark.rule("SN-13", "SN-14")
def test_deck(engine: ModuleType) -> None:
    deck = load(engine).new_initial_state().to_dict()["deck"]
    assert len(deck) == 100
    assert Counter(deck) == dict.fromkeys([*range(1, 49), PLUS, MINUS], 2)
    assert deck == CANONICAL.full_deck()


@pytest.mark.rule("SN-14")
def test_equal_cards_are_one_action_and_one_outcome(engine: ModuleType) -> None:
    game = load(engine)
    one = position(game, hands={0: [12]})
    two = position(game, hands={0: [12, 12]})
    assert (
        one.legal_actions()
        == two.legal_actions()
        == [CANONICAL.place(c) for c in CANONICAL.cells_of(12)]
    )
    assert position(game, hands={0: [PLUS, PLUS]}).legal_actions() == [
        CANONICAL.plus(cell) for cell in CANONICAL.cells
    ]
    initial = game.new_initial_state()
    assert initial.chance_outcomes() == [(kind, 2 / 100) for kind in range(50)]


@pytest.mark.rule("SN-15", "SN-16")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_deal(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    state = game.new_initial_state()
    rng = engine.Rng(11)
    left = Counter(range(50)) + Counter(range(50))
    for seat in range(game.num_players()):
        for held in range(hand_size(game)):
            shown = state.to_dict()
            assert state.is_chance_node()
            assert [shown[key] for key in ("phase", "seat", "turn", "idle")] == ["deal", 0, 0, 0]
            sizes = [hand_size(game)] * seat + [held] + [0] * (game.num_players() - seat - 1)
            assert [len(hand) for hand in shown["hands"]] == sizes
            total = left.total()
            assert state.chance_outcomes() == [(kind, left[kind] / total) for kind in sorted(+left)]
            kind = state.sample_chance(rng)
            left[kind] -= 1
            state.apply_action(kind)
            assert CANONICAL.kinds[kind] in state.to_dict()["hands"][seat]
    shown = state.to_dict()
    assert [shown[key] for key in ("phase", "seat", "turn", "idle")] == ["play", 0, 0, 0]
    assert shown["deck"] == [CANONICAL.kinds[kind] for kind in sorted(left.elements())]
    assert state.current_player() == 0


@pytest.mark.rule("SN-16")
def test_draw_probabilities_follow_the_deck(engine: ModuleType) -> None:
    game = load(engine)
    cell = CANONICAL.cells_of(30)[0]
    state = position(game, hands={0: [30]}, deck=[5, 5, 9, PLUS, MINUS, MINUS, 48])
    state.apply_action(CANONICAL.place(cell))
    kinds = [CANONICAL.kind(card) for card in (5, 9, 48, PLUS, MINUS)]
    weights = (2, 1, 1, 1, 2)
    assert state.chance_outcomes() == [
        (kind, weight / 7) for kind, weight in zip(kinds, weights, strict=True)
    ]
    assert state.legal_actions() == kinds
    gone = CANONICAL.kind(17)
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(gone)


@pytest.mark.rule("SN-1")
def test_the_game_has_its_name(engine: ModuleType) -> None:
    assert load(engine).name == NAME
    assert NAME in engine.registered_games()
