"""Sequence Numbers: a choice of what to lock, and sequences that share as many cells as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    PLUS,
    Ends,
    after,
    board_of,
    load,
    locked,
    lowest_chances,
    mirror_board,
    place_with_plus,
    position,
    row_cells,
    windows,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game

BOARD = CANONICAL


def choosing(engine: ModuleType, **options: Any) -> Game:
    return load(engine, **{"players": 4, "sequences_to_win": 5, "lock_policy": "choose", **options})


@pytest.mark.rule("SN-42", "SN-44", "SN-47")
def test_a_run_of_six_is_a_choice(engine: ModuleType) -> None:
    game = choosing(engine)
    chips = {0: row_cells(2, (1, 2, 3, 5, 6))}
    state = position(game, hands={0: [PLUS, 9]}, chips=chips, turn=4)
    state.apply_action(BOARD.plus((2, 4)))
    low, high = windows(((2, 1), (2, 5)), ((2, 2), (2, 6)))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"]) == ("choose_lock", 0, 4)
    assert state.current_player() == 0
    assert shown["pending_locks"] == [[low, high], [], [], []]
    assert shown["sequences"] == [[], []]
    assert shown["discards"] == [PLUS]
    assert state.legal_actions() == [BOARD.lock(low), BOARD.lock(high)]
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        "lock (2,1)-(2,5)",
        "lock (2,2)-(2,6)",
    ]
    for window in (low, high):
        child = after(state, BOARD.lock(window))
        assert child.to_dict()["phase"] == "turn_draw"
        assert child.to_dict()["sequences"] == [[window], []]
        assert child.to_dict()["pending_locks"] == [[], [], [], []]
        assert locked(child) == BOARD.locked([[window]])
        done = lowest_chances(child).to_dict()
        assert (done["seat"], done["turn"], done["phase"]) == (1, 5, "play")


@pytest.mark.rule("SN-44")
@pytest.mark.parametrize("seat", range(4))
def test_the_placing_seat_chooses(engine: ModuleType, seat: int) -> None:
    game = choosing(engine)
    state = place_with_plus(
        game, (2, 4), chips={seat % 2: row_cells(2, (1, 2, 3, 5, 6))}, turn=seat
    )
    assert state.current_player() == seat
    low = BOARD.window((2, 1), (2, 5))
    assert after(state, BOARD.lock(low)).to_dict()["sequences"][seat % 2] == [low]


@pytest.mark.rule("SN-42", "SN-36")
@pytest.mark.parametrize(
    ("cols", "place", "choices"),
    [
        ((1, 2, 3, 4), 5, 0),
        ((1, 2, 3, 5, 6, 7), 4, 3),
        ((1, 2, 3, 4, 5, 6), 7, 0),
        ((0, 1, 2, 3, 5, 6, 7), 4, 4),
        ((0, 1, 2, 4, 5, 6, 7), 3, 4),
    ],
)
def test_choices_in_longer_runs(
    engine: ModuleType, cols: tuple[int, ...], place: int, choices: int
) -> None:
    state = place_with_plus(choosing(engine), (2, place), chips={0: row_cells(2, cols)})
    pending = state.to_dict()["pending_locks"]
    assert [len(direction) for direction in pending] == [choices, 0, 0, 0]
    assert len(state.to_dict()["sequences"][0]) == (0 if choices else 1)


@pytest.mark.rule("SN-46", "SN-34")
@pytest.mark.parametrize("run", [9, 10])
def test_nothing_is_asked_where_two_score(engine: ModuleType, run: int) -> None:
    chips = {0: [cell for cell in row_cells(2, range(run)) if cell != (2, 4)]}
    state = place_with_plus(choosing(engine), (2, 4), chips=chips)
    shown = state.to_dict()
    assert shown["phase"] == "turn_draw"
    assert shown["sequences"][0] == windows(((2, 0), (2, 4)), ((2, 4), (2, 8)))


CROSS = [
    *row_cells(4, (1, 2, 3, 5, 6)),
    *[(row, 4) for row in (2, 3, 5, 6, 7)],
    *[(4 + i, 4 + i) for i in (-2, -1, 1, 2, 3)],
    *[(4 + i, 4 - i) for i in (-3, -2, -1, 1, 2)],
]


@pytest.mark.rule("SN-44", "SN-42")
def test_directions_are_asked_in_order(engine: ModuleType) -> None:
    game = choosing(engine)
    state = place_with_plus(game, (4, 4), chips={0: CROSS})
    candidates = [
        windows(((4, 1), (4, 5)), ((4, 2), (4, 6))),
        windows(((2, 4), (6, 4)), ((3, 4), (7, 4))),
        windows(((2, 2), (6, 6)), ((3, 3), (7, 7))),
        windows(((1, 7), (5, 3)), ((2, 6), (6, 2))),
    ]
    assert state.to_dict()["pending_locks"] == candidates
    chosen = []
    for direction in range(4):
        assert state.to_dict()["phase"] == "choose_lock"
        assert state.legal_actions() == [BOARD.lock(window) for window in candidates[direction]]
        pick = candidates[direction][(direction + 1) % 2]
        state.apply_action(BOARD.lock(pick))
        chosen.append(pick)
        assert state.to_dict()["sequences"][0] == sorted(chosen)
        left = [[], [], [], []] if direction == 3 else state.to_dict()["pending_locks"]
        assert left[direction + 1 :] == candidates[direction + 1 :]
        assert left[: direction + 1] == [[]] * (direction + 1)
    assert state.to_dict()["phase"] == "turn_draw"


@pytest.mark.rule("SN-42")
def test_directions_without_a_choice_score_at_once(engine: ModuleType) -> None:
    chips = {0: [*row_cells(4, (1, 2, 3, 5, 6)), (2, 2), (3, 3), (5, 5), (6, 6)]}
    state = place_with_plus(choosing(engine), (4, 4), chips=chips)
    shown = state.to_dict()
    assert shown["phase"] == "choose_lock"
    assert shown["sequences"][0] == windows(((2, 2), (6, 6)))
    assert shown["pending_locks"] == [
        windows(((4, 1), (4, 5)), ((4, 2), (4, 6))),
        [],
        [],
        [],
    ]


@pytest.mark.rule("SN-43")
@pytest.mark.parametrize(
    ("target", "asked"), [(1, False), (2, False), (3, False), (4, False), (5, True)]
)
def test_nothing_is_asked_when_the_target_is_reached(
    engine: ModuleType, target: int, asked: bool
) -> None:
    state = place_with_plus(choosing(engine, sequences_to_win=target), (4, 4), chips={0: CROSS})
    assert (state.to_dict()["phase"] == "choose_lock") == asked
    assert state.is_terminal() != asked
    if not asked:
        automatic = windows(((4, 1), (4, 5)), ((2, 4), (6, 4)), ((2, 2), (6, 6)), ((1, 7), (5, 3)))
        assert state.to_dict()["sequences"][0] == sorted(automatic)
        assert list(state.scores()) == [4, 0, 4, 0]
        assert state.winners() == [0, 2]


@pytest.mark.rule("SN-43")
def test_earlier_sequences_count_for_the_target(engine: ModuleType) -> None:
    chips = {0: row_cells(2, (1, 2, 3, 5, 6))}
    line: dict[int, list[Ends]] = {0: [((8, 1), (8, 5))]}
    two = place_with_plus(choosing(engine, sequences_to_win=2), (2, 4), chips=chips, sequences=line)
    assert two.winners() == [0, 2]
    assert two.to_dict()["sequences"][0] == windows(((2, 1), (2, 5)), ((8, 1), (8, 5)))
    three = place_with_plus(
        choosing(engine, sequences_to_win=3), (2, 4), chips=chips, sequences=line
    )
    assert three.to_dict()["phase"] == "choose_lock"


@pytest.mark.rule("SN-45")
def test_windows_with_the_same_chips_are_both_offered(engine: ModuleType) -> None:
    game = choosing(engine, board=mirror_board(6, 6))
    board = board_of(game)
    state = place_with_plus(game, (0, 2), chips={0: row_cells(0, (1, 3, 4))})
    left, right = board.window((0, 0), (0, 4)), board.window((0, 1), (0, 5))
    assert board.chips_of(left) == board.chips_of(right)
    assert state.legal_actions() == [board.lock(left), board.lock(right)]
    children = [after(state, action) for action in state.legal_actions()]
    assert children[0] != children[1]


@pytest.mark.rule("SN-35", "SN-45")
def test_candidates_with_fewer_chips_can_be_chosen(engine: ModuleType) -> None:
    state = place_with_plus(choosing(engine), (0, 3), chips={0: row_cells(0, (1, 2, 4, 5))})
    corner, chips = windows(((0, 0), (0, 4)), ((0, 1), (0, 5)))
    assert state.legal_actions() == [BOARD.lock(corner), BOARD.lock(chips)]


@pytest.mark.rule("SN-35", "SN-45")
def test_an_edge_row_can_be_split_without_a_shared_chip(engine: ModuleType) -> None:
    right: dict[int, list[Ends]] = {0: [((0, 5), (0, 9))]}
    state = place_with_plus(
        choosing(engine), (0, 4), chips={0: row_cells(0, (1, 2, 3))}, sequences=right
    )
    apart, sharing = windows(((0, 0), (0, 4)), ((0, 1), (0, 5)))
    assert state.legal_actions() == [BOARD.lock(apart), BOARD.lock(sharing)]


@pytest.mark.rule("SN-47")
def test_where_the_chip_was_placed_is_forgotten(engine: ModuleType) -> None:
    game = choosing(engine)
    line = row_cells(2, (1, 2, 3, 4, 5, 6))
    states = [
        place_with_plus(game, cell, chips={0: [other for other in line if other != cell]})
        for cell in line[1:5]
    ]
    assert all(state == states[0] for state in states)
    assert len({state.stable_hash() for state in states}) == 1


@pytest.mark.rule("SN-44")
def test_other_windows_cannot_be_chosen(engine: ModuleType) -> None:
    state = place_with_plus(choosing(engine), (2, 4), chips={0: row_cells(2, (1, 2, 3, 5, 6))})
    for action in (BOARD.lock(0), BOARD.passing, BOARD.place((0, 1)), BOARD.plus((0, 1))):
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(action)


# Sharing as many cells as one likes


@pytest.mark.rule("SN-48")
@pytest.mark.parametrize("policy", ["auto", "choose"])
@pytest.mark.parametrize(
    ("cols", "place", "count"),
    [
        ((1, 2, 3, 4), 5, 1),
        ((1, 2, 3, 5, 6), 4, 2),
        ((1, 2, 3, 4, 5), 6, 1),
        ((0, 1, 2, 3, 5, 6, 7, 8), 4, 5),
        ((0, 1, 2, 3, 5, 6, 7, 8, 9), 4, 5),
    ],
)
def test_sharing_four_cells_scores_every_window(
    engine: ModuleType, policy: str, cols: tuple[int, ...], place: int, count: int
) -> None:
    game = load(engine, sequences_to_win=9, shared_cells_allowed=4, lock_policy=policy)
    state = place_with_plus(game, (2, place), chips={0: row_cells(2, cols)})
    shown = state.to_dict()
    assert len(shown["sequences"][0]) == count
    assert shown["phase"] == "turn_draw"


@pytest.mark.rule("SN-48")
def test_six_in_a_row_win_a_game_for_two_sequences(engine: ModuleType) -> None:
    game = load(engine, players=4, shared_cells_allowed=4)
    state = place_with_plus(game, (2, 4), chips={0: row_cells(2, (1, 2, 3, 5, 6))})
    assert state.winners() == [0, 2]
    grown = place_with_plus(game, (2, 6), sequences={0: [((2, 1), (2, 5))]})
    assert grown.winners() == [0, 2]
    assert grown.to_dict()["sequences"][0] == windows(((2, 1), (2, 5)), ((2, 2), (2, 6)))
