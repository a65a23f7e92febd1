"""Sequence Numbers: which windows score, which chips are locked, and who decides it."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.engines import effort
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PLUS,
    STEPS,
    Board,
    Cell,
    Ends,
    after,
    best_windows,
    board_of,
    load,
    locked,
    lowest_chances,
    mirror_board,
    place_with_plus,
    position,
    random_step,
    row_cells,
    windows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tabletop_core.protocol import Game

BOARD = CANONICAL


class Vector(NamedTuple):
    """A placement by team 0 and the windows that it scores."""

    own: Sequence[Cell]
    place: Cell
    new: Sequence[Ends]
    earlier: Sequence[Ends] = ()


VECTORS = {
    "t1 five in a row": Vector(row_cells(2, (1, 2, 3, 4)), (2, 5), [((2, 1), (2, 5))]),
    "t2 four and a corner": Vector(row_cells(0, (1, 2, 3)), (0, 4), [((0, 0), (0, 4))]),
    "t3 six in a row": Vector(row_cells(2, (1, 2, 3, 5, 6)), (2, 4), [((2, 1), (2, 5))]),
    "t4 nine by the middle chip": Vector(
        row_cells(2, (0, 1, 2, 3, 5, 6, 7, 8)), (2, 4), [((2, 0), (2, 4)), ((2, 4), (2, 8))]
    ),
    "t5 row and column": Vector(
        [*row_cells(4, (1, 2, 3, 5)), (0, 4), (1, 4), (2, 4), (3, 4)],
        (4, 4),
        [((4, 1), (4, 5)), ((0, 4), (4, 4))],
    ),
    "t6 eight with five locked": Vector(row_cells(2, (6, 7)), (2, 8), [], [((2, 1), (2, 5))]),
    "t7 nine with five locked": Vector(
        row_cells(2, (6, 7, 8)), (2, 9), [((2, 5), (2, 9))], [((2, 1), (2, 5))]
    ),
    "t8 five chips before four and a corner": Vector(
        row_cells(0, (1, 2, 4, 5)), (0, 3), [((0, 1), (0, 5))]
    ),
    "t9 nine in row 1": Vector(
        row_cells(1, (0, 1, 2, 3, 5, 6, 7, 8)), (1, 4), [((1, 0), (1, 4)), ((1, 4), (1, 8))]
    ),
    "t9 edge row in two parts, a locked chip before a corner": Vector(
        row_cells(0, (1, 2, 3)), (0, 4), [((0, 1), (0, 5))], [((0, 5), (0, 9))]
    ),
    "ten by a middle chip": Vector(
        row_cells(3, (0, 1, 2, 3, 4, 6, 7, 8, 9)), (3, 5), [((3, 1), (3, 5)), ((3, 5), (3, 9))]
    ),
    "a corner at the lower end of a diagonal": Vector(
        [(5, 5), (6, 6), (7, 7)], (8, 8), [((5, 5), (9, 9))]
    ),
    "upper right corner": Vector([(1, 8), (2, 7), (4, 5)], (3, 6), [((0, 9), (4, 5))]),
    "lower left corner": Vector(row_cells(9, (1, 2, 4)), (9, 3), [((9, 0), (9, 4))]),
    "column edge, tie goes to the upper window": Vector(
        [(1, 0), (2, 0), (3, 0), (5, 0), (6, 0)], (4, 0), [((1, 0), (5, 0))]
    ),
    "locked chips count for the choice of window": Vector(
        [(2, 2), (3, 2), (5, 2), (6, 2)], (4, 2), [((2, 2), (6, 2))], [((5, 0), (5, 4))]
    ),
}


@pytest.mark.rule("SN-32", "SN-33", "SN-34", "SN-35", "SN-38")
@pytest.mark.parametrize("vector", list(VECTORS.values()), ids=list(VECTORS))
def test_vectors(engine: ModuleType, vector: Vector) -> None:
    game = load(engine, players=4, sequences_to_win=9)
    state = place_with_plus(
        game, vector.place, chips={0: vector.own}, sequences={0: vector.earlier}
    )
    expected = sorted(windows(*vector.earlier, *vector.new))
    assert state.to_dict()["sequences"] == [expected, []]
    assert locked(state) == BOARD.locked([expected])


def test_every_vector_is_what_a_search_finds() -> None:
    for vector in VECTORS.values():
        earlier = windows(*vector.earlier)
        owned = {*vector.own, vector.place, *BOARD.locked([earlier])}
        assert best_windows(BOARD, owned, vector.place, earlier) == set(windows(*vector.new))


@pytest.mark.rule("SN-38", "SN-21")
def test_vector_t3_the_sixth_chip_can_be_taken(engine: ModuleType) -> None:
    game = load(engine, players=4)
    state = position(game, hands={0: [PLUS], 1: [MINUS]}, chips={0: row_cells(2, (1, 2, 3, 5, 6))})
    state = lowest_chances(after(state, BOARD.plus((2, 4))))
    assert state.current_player() == 1
    assert state.legal_actions() == [BOARD.minus((2, 6))]


@pytest.mark.rule("SN-33")
@pytest.mark.fault("A106")
@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("gap", range(5))
def test_all_four_directions(engine: ModuleType, step: Cell, gap: int) -> None:
    start = (2, 2) if step[1] >= 0 else (2, 7)
    line = [(start[0] + step[0] * i, start[1] + step[1] * i) for i in range(5)]
    state = place_with_plus(
        load(engine), line[gap], chips={0: [cell for cell in line if cell != line[gap]]}
    )
    assert state.is_terminal()
    assert state.to_dict()["sequences"] == [windows((line[0], line[4])), []]


@pytest.mark.rule("SN-32")
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_four_in_line_are_no_sequence(engine: ModuleType, step: Cell) -> None:
    start = (3, 3) if step[1] >= 0 else (3, 6)
    line = [(start[0] + step[0] * i, start[1] + step[1] * i) for i in range(4)]
    state = place_with_plus(load(engine), line[3], chips={0: line[:3]})
    assert state.to_dict()["sequences"] == [[], []]


@pytest.mark.rule("SN-32")
def test_five_of_a_line_with_a_gap_or_another_colour_are_no_sequence(engine: ModuleType) -> None:
    game = load(engine)
    gap = place_with_plus(game, (4, 2), chips={0: row_cells(4, (3, 4, 6, 7))})
    colour = place_with_plus(game, (4, 2), chips={0: row_cells(4, (3, 4, 6, 7)), 1: [(4, 5)]})
    around_the_edge = place_with_plus(game, (4, 9), chips={0: [(4, 7), (4, 8), (5, 0), (5, 1)]})
    for state in (gap, colour, around_the_edge):
        assert state.to_dict()["sequences"] == [[], []]


@pytest.mark.rule("SN-32", "SN-36")
@pytest.mark.fault("A091")
@pytest.mark.parametrize("place", range(2, 7))
def test_a_run_hemmed_in_counts_in_full(engine: ModuleType, place: int) -> None:
    cols = [col for col in range(2, 7) if col != place]
    state = place_with_plus(
        load(engine), (5, place), chips={0: row_cells(5, cols), 1: [(5, 1), (5, 7)]}
    )
    assert state.winners() == [0]


@pytest.mark.rule("SN-36")
@pytest.mark.fault("A092")
@pytest.mark.parametrize(
    ("run", "middle", "count"),
    [
        (4, 2, 0),
        (5, 2, 1),
        (6, 2, 1),
        (6, 3, 1),
        (7, 3, 1),
        (8, 3, 1),
        (8, 4, 1),
        (9, 4, 2),
        (10, 4, 2),
    ],
)
def test_sequences_by_the_length_of_a_run(
    engine: ModuleType, run: int, middle: int, count: int
) -> None:
    game = load(engine, players=4, sequences_to_win=9)
    for row, step in ((4, (0, 1)), (4, (1, 0))):
        line = [(row + step[0] * (i - 4), step[1] * i + (1 - step[1]) * 4) for i in range(run)]
        state = place_with_plus(
            game, line[middle], chips={0: [cell for cell in line if cell != line[middle]]}
        )
        assert len(state.to_dict()["sequences"][0]) == count
        assert len(locked(state)) == {0: 0, 1: 5, 2: 9}[count]


def grow(game: Game, cells: Sequence[Cell], lines: Sequence[Ends] = ()) -> list[int]:
    """Give the number of sequences of team 0 after each of several placements."""
    counts = []
    shown = position(game, sequences={0: lines}).to_dict()
    for cell in cells:
        owner, scored = shown["owner"], shown["sequences"]
        state = position(game, hands={0: [PLUS]})
        start = state.to_dict()
        start["owner"], start["sequences"] = owner, scored
        shown = after(game.state_from_dict(start), BOARD.plus(cell)).to_dict()
        counts.append(len(shown["sequences"][0]))
    return counts


@pytest.mark.rule("SN-37")
def test_a_run_grows_a_second_sequence(engine: ModuleType) -> None:
    game = load(engine, players=4, sequences_to_win=9)
    row = row_cells(6, range(10))
    assert grow(game, row) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]
    assert grow(game, row[::-1]) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]
    inner_first = row_cells(6, (2, 3, 4, 5, 6, 1, 0, 7, 8, 9))
    assert grow(game, inner_first) == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    apart = row_cells(6, (0, 1, 2, 3, 4, 9, 8, 7, 6, 5))
    assert grow(game, apart) == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2]


@pytest.mark.rule("SN-37", "SN-32")
def test_an_edge_row_holds_two_sequences(engine: ModuleType) -> None:
    game = load(engine, players=4, sequences_to_win=9)
    row = row_cells(0, (1, 2, 3, 4, 8, 7, 6, 5))
    assert grow(game, row) == [0, 0, 0, 1, 1, 1, 1, 2]
    assert grow(game, row_cells(0, range(1, 9))) == [0, 0, 0, 1, 1, 1, 1, 2]


@pytest.mark.rule("SN-34")
def test_a_corner_at_each_end_and_the_chip_in_the_middle(engine: ModuleType) -> None:
    game = load(engine, board=mirror_board(10, 9), players=4)
    board = board_of(game)
    state = place_with_plus(game, (0, 4), chips={0: row_cells(0, (1, 2, 3, 5, 6, 7))})
    assert state.to_dict()["sequences"][0] == [
        board.window((0, 0), (0, 4)),
        board.window((0, 4), (0, 8)),
    ]
    assert state.is_terminal()


@pytest.mark.rule("SN-37", "SN-49")
@pytest.mark.fault("A104")
def test_five_closed_then_four_more_win(engine: ModuleType) -> None:
    game = load(engine, players=4)
    line: list[Ends] = [((2, 1), (2, 5))]
    assert grow(game, row_cells(2, (6, 7, 8)), line) == [1, 1, 1]
    state = place_with_plus(game, (2, 9), chips={0: row_cells(2, (6, 7, 8))}, sequences={0: line})
    assert state.to_dict()["sequences"][0] == windows(((2, 1), (2, 5)), ((2, 5), (2, 9)))
    assert state.winners() == [0, 2]


@pytest.mark.rule("SN-34", "SN-49")
@pytest.mark.fault("A104")
def test_four_and_four_joined_win(engine: ModuleType) -> None:
    game = load(engine, players=4)
    state = place_with_plus(game, (2, 5), chips={0: row_cells(2, (1, 2, 3, 4, 6, 7, 8, 9))})
    assert state.to_dict()["sequences"][0] == windows(((2, 1), (2, 5)), ((2, 5), (2, 9)))
    assert state.winners() == [0, 2]


@pytest.mark.rule("SN-33")
def test_eight_sequences_by_one_chip(engine: ModuleType) -> None:
    game = load(engine, sequences_to_win=9)
    star = [
        (4 + down * step, 4 + right * step)
        for down, right in STEPS
        for step in range(-4, 5)
        if step != 0 and (down * step, right * step) != (-4, -4)
    ]
    state = place_with_plus(game, (4, 4), chips={0: star})
    assert len(state.to_dict()["sequences"][0]) == 8
    assert len(locked(state)) == 32  # all 33 cells of the star but the corner (0, 0)


@pytest.mark.rule("SN-31")
def test_windows_away_from_the_new_chip_do_not_score(engine: ModuleType) -> None:
    game = load(engine)
    chips = {0: row_cells(2, (1, 2, 3, 4, 5)), 1: row_cells(7, (1, 2, 3, 4, 5))}
    state = place_with_plus(game, (4, 4), chips=chips)
    assert state.to_dict()["sequences"] == [[], []]
    assert state.to_dict()["phase"] == "turn_draw"


@pytest.mark.rule("SN-31")
def test_a_minus_and_a_swap_score_nothing(engine: ModuleType) -> None:
    game = load(engine)
    chips = {0: row_cells(2, (1, 2, 3, 4, 5)), 1: row_cells(7, (1, 2, 3, 4, 5))}
    state = position(game, hands={0: [11, MINUS]}, chips=chips)
    for action in (BOARD.minus((7, 3)), BOARD.swap(11)):
        if state.is_legal(action):
            assert after(state, action).to_dict()["sequences"] == [[], []]


@pytest.mark.rule("SN-41")
def test_a_sequence_stays(engine: ModuleType) -> None:
    game = load(engine, players=4, sequences_to_win=9, max_turns=120)
    rng = engine.Rng(8)
    for _ in range(effort(engine, native=20, reference=3)):
        state = game.new_initial_state()
        earlier: list[list[int]] = [[], []]
        while not state.is_terminal():
            random_step(state, rng)
            shown = state.to_dict()
            for team in range(2):
                assert set(earlier[team]) <= set(shown["sequences"][team])
                for row, col in BOARD.locked([earlier[team]]):
                    assert shown["owner"][row][col] == team
            earlier = shown["sequences"]


def crowded(game: Game, rng: random.Random) -> tuple[dict[str, Any], list[Cell]]:
    """Make up a crowded position in which some full windows of team 0 are sequences, and give its open cells."""
    board = board_of(game)
    density = rng.choice((0.55, 0.7, 0.85, 0.95))
    chips: dict[int, list[Cell]] = {0: [], 1: []}
    empty = []
    for cell in board.cells:
        draw = rng.random()
        if draw < density:
            chips[0].append(cell)
        elif draw < density + 0.03:
            chips[1].append(cell)
        else:
            empty.append(cell)
    full = board.full_windows(set(chips[0]))
    rng.shuffle(full)
    sequences: list[int] = []
    for window in full[: rng.randrange(12)]:
        if len(sequences) < 8 and all(board.shared(window, other) <= 1 for other in sequences):
            sequences.append(window)
    state = position(game, hands={0: [PLUS]}, chips=chips).to_dict()
    state["sequences"][0] = sorted(sequences)
    return state, empty


@pytest.mark.rule("SN-39", "SN-32", "SN-34", "SN-35")
@pytest.mark.parametrize("size", [(10, 10), (6, 6), (9, 8)], ids=str)
def test_locking_is_the_best_of_all_sets(engine: ModuleType, size: Cell) -> None:
    game = load(engine, board=mirror_board(*size), sequences_to_win=9)
    board = board_of(game)
    rng = random.Random(f"{size}")
    seen: set[int] = set()
    for _ in range(effort(engine, native=150, reference=25)):
        start, empty = crowded(game, rng)
        earlier = start["sequences"][0]
        state = game.state_from_dict(start)
        for cell in empty[:8]:
            owned = {(row, col) for row, col in board.cells if start["owner"][row][col] == 0} | {
                cell
            }
            expected = best_windows(board, owned, cell, earlier)
            after_it = after(state, board.plus(cell)).to_dict()
            assert after_it["sequences"][0] == sorted({*earlier, *expected})
            assert after_it["sequences"][1] == []
            seen.add(len(expected))
    assert {0, 1, 2} <= seen


@pytest.mark.rule("SN-48", "SN-31")
def test_sharing_four_cells_against_a_search(engine: ModuleType) -> None:
    game = load(engine, shared_cells_allowed=4, sequences_to_win=9, board=mirror_board(8, 8))
    board = board_of(game)
    rng = random.Random(4)
    for _ in range(effort(engine, native=100, reference=20)):
        start, empty = crowded(game, rng)
        state = game.state_from_dict(start)
        for cell in empty[:8]:
            owned = {(r, c) for r, c in board.cells if start["owner"][r][c] == 0} | {cell}
            new = [w for w in board.full_windows(owned) if cell in board.windows[w]]
            expected = sorted({*start["sequences"][0], *new})
            assert after(state, board.plus(cell)).to_dict()["sequences"][0] == expected


def test_best_windows_prefers_more_sequences_then_chips_then_low_ids() -> None:
    board = Board(mirror_board(10, 10))
    nine = set(row_cells(2, range(9)))
    assert best_windows(board, nine, (2, 4), []) == set(windows(((2, 0), (2, 4)), ((2, 4), (2, 8))))
    edge = set(row_cells(0, range(1, 6)))
    assert best_windows(board, edge, (0, 3), []) == set(windows(((0, 1), (0, 5))))
    assert all(board.shared(one, other) <= 1 for one, other in combinations(windows(), 2))
