"""Sequence Numbers: cards, dead cards, passing, drawing and reshuffling."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import tabletop_core as tc
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PLUS,
    SEATINGS,
    after,
    board_of,
    dead_hand,
    load,
    lowest_chances,
    mirror_board,
    position,
    random_step,
    row_cells,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

BOARD = CANONICAL
FULL = {0: BOARD.cells[::2], 1: BOARD.cells[1::2]}


def cards_in_play(state: State) -> Counter[int | str]:
    shown = state.to_dict()
    return Counter(
        card for cards in (*shown["hands"], shown["deck"], shown["discards"]) for card in cards
    )


# One turn


@pytest.mark.rule("SN-17", "SN-59")
def test_the_nodes_of_a_turn(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 2, 2, 3, 4]}, chips={1: dead_hand(BOARD, [1])}, turn=6)
    assert state.to_dict()["phase"] == "play"
    state.apply_action(BOARD.swap(1))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"]) == ("swap_draw", 0, 6)
    assert state.current_player() == tc.PlayerId.CHANCE
    state.apply_action(BOARD.kind(9))
    assert state.to_dict()["phase"] == "play"
    assert state.current_player() == 0
    state.apply_action(BOARD.place((0, 2)))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"], shown["swapped"]) == (
        "turn_draw",
        0,
        6,
        True,
    )
    state.apply_action(BOARD.kind(10))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"], shown["swapped"]) == ("play", 1, 7, False)
    assert shown["hands"][0] == [2, 3, 4, 9, 10]
    assert shown["discards"] == [1, 2]


@pytest.mark.rule("SN-18")
def test_a_number_card_goes_on_either_of_its_cells(engine: ModuleType) -> None:
    game = load(engine)
    for number in BOARD.numbers:
        first, second = BOARD.cells_of(number)
        state = position(game, hands={0: [number]})
        assert state.legal_actions() == [BOARD.place(first), BOARD.place(second)]
        for cell in (first, second):
            owner = after(state, BOARD.place(cell)).to_dict()["owner"]
            assert [c for c in BOARD.all_cells if owner[c[0]][c[1]] is not None] == [cell]
            assert owner[cell[0]][cell[1]] == 0


@pytest.mark.rule("SN-18")
@pytest.mark.parametrize("team", [0, 1])
def test_a_covered_cell_is_not_open(engine: ModuleType, team: int) -> None:
    first, second = BOARD.cells_of(20)
    game = load(engine)
    state = position(game, hands={0: [20]}, chips={team: [first]})
    assert state.legal_actions() == [BOARD.place(second)]
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(BOARD.place(first))


@pytest.mark.rule("SN-18")
@pytest.mark.fault("A022")
def test_the_two_cells_of_a_number_have_different_texts(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 12, 32, PLUS]})
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert len(set(texts)) == len(texts)
    assert {"place 12 at (1,3)", "place 12 at (8,6)"} <= set(texts)


@pytest.mark.rule("SN-19")
def test_plus_goes_on_any_open_cell(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [PLUS]}, chips={0: [(2, 2)], 1: [(3, 3), (8, 8)]})
    taken = {(2, 2), (3, 3), (8, 8)}
    assert state.legal_actions() == [BOARD.plus(cell) for cell in BOARD.cells if cell not in taken]
    assert after(state, BOARD.plus((6, 1))).to_dict()["owner"][6][1] == 0


@pytest.mark.rule("SN-20", "SN-21")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_minus_takes_from_every_other_team(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    chips = {team: [(2, 2 + team), (6, 3 + team)] for team in range(game.options["teams"])}
    for seat in range(game.num_players()):
        own = seat % game.options["teams"]
        state = position(game, hands={seat: [MINUS]}, chips=chips, turn=seat)
        targets = sorted(cell for team, cells in chips.items() if team != own for cell in cells)
        assert state.legal_actions() == [BOARD.minus(cell) for cell in targets]


@pytest.mark.rule("SN-20")
def test_minus_takes_one_chip_and_places_none(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, MINUS]}, chips={0: [(4, 4)], 1: [(2, 2), (0, 1)]})
    state.apply_action(BOARD.minus((2, 2)))
    shown = state.to_dict()
    assert shown["phase"] == "turn_draw"
    assert {c: shown["owner"][c[0]][c[1]] for c in [(2, 2), (0, 1), (4, 4)]} == {
        (2, 2): None,
        (0, 1): 1,
        (4, 4): 0,
    }
    assert lowest_chances(state).to_dict()["seat"] == 1


@pytest.mark.rule("SN-21", "SN-41")
def test_vector_t10_minus_cannot_take_from_a_sequence(engine: ModuleType) -> None:
    game = load(engine, players=4)
    state = position(
        game, hands={0: [MINUS]}, chips={1: [(7, 7)]}, sequences={1: [((2, 1), (2, 5))]}
    )
    assert state.legal_actions() == [BOARD.minus((7, 7))]
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(BOARD.minus((2, 3)))


@pytest.mark.rule("SN-22")
def test_a_freed_cell_is_open_again(engine: ModuleType) -> None:
    game = load(engine)
    cells = BOARD.cells_of(20)
    state = position(game, hands={0: [MINUS], 1: [20]}, chips={1: cells})
    assert after(position(game, hands={1: [20]}, chips={1: cells}, turn=1)).legal_actions() == [
        BOARD.swap(20)
    ]
    state = lowest_chances(after(state, BOARD.minus(cells[1])))
    assert state.to_dict()["seat"] == 1
    assert state.legal_actions() == [BOARD.place(cells[1])]


@pytest.mark.rule("SN-23")
def test_used_cards_lie_on_the_discards(engine: ModuleType) -> None:
    game = load(engine)
    hands: dict[int, list[int | str]] = {0: [1, 2, 3, PLUS, MINUS], 1: [8]}
    chips = {1: [*dead_hand(BOARD, [1]), (7, 7)]}
    state = position(game, hands=hands, chips=chips, discards=[5, 40])
    for action, card in (
        (BOARD.swap(1), 1),
        (BOARD.place((0, 2)), 2),
        (BOARD.plus((5, 5)), PLUS),
        (BOARD.minus((7, 7)), MINUS),
    ):
        shown = after(state, action).to_dict()
        assert shown["discards"] == BOARD.sorted_cards([5, 40, card])
        assert Counter(shown["hands"][0]) == Counter(hands[0]) - Counter([card])
        assert shown["hands"][1] == [8]


@pytest.mark.rule("SN-24")
def test_plus_and_number_card_are_two_actions(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [20, PLUS]})
    cell = BOARD.cells_of(20)[0]
    assert state.is_legal(BOARD.place(cell))
    assert state.is_legal(BOARD.plus(cell))
    assert after(state, BOARD.place(cell)).to_dict()["hands"][0] == [PLUS]
    assert after(state, BOARD.plus(cell)).to_dict()["hands"][0] == [20]


# Dead cards


@pytest.mark.rule("SN-25", "SN-30")
@pytest.mark.parametrize("teams", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_vector_t11_a_dead_card_can_be_swapped(engine: ModuleType, teams: tuple[int, int]) -> None:
    game = load(engine)
    first, second = BOARD.cells_of(1)
    chips: dict[int, list[tuple[int, int]]] = {0: [], 1: []}
    chips[teams[0]].append(first)
    chips[teams[1]].append(second)
    state = position(game, hands={0: [1]}, chips=chips)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["swap 1"]
    state.apply_action(BOARD.swap(1))
    shown = state.to_dict()
    assert (shown["phase"], shown["discards"], shown["hands"][0]) == ("swap_draw", [1], [])
    state.apply_action(BOARD.kind(2))
    assert state.current_player() == 0
    assert state.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(2)]


@pytest.mark.rule("SN-25")
def test_a_card_under_locked_chips_is_dead(engine: ModuleType) -> None:
    game = load(engine, players=4)
    state = position(
        game,
        hands={0: [BOARD.at((2, 1)), 7]},
        sequences={0: [((2, 1), (2, 5))], 1: [((7, 4), (7, 8))]},
    )
    assert BOARD.cells_of(int(BOARD.at((2, 1)))) == [(2, 1), (7, 8)]
    assert state.is_legal(BOARD.swap(BOARD.at((2, 1))))


@pytest.mark.rule("SN-25")
def test_swapping_is_a_choice(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 2]}, chips={1: dead_hand(BOARD, [1])})
    assert state.legal_actions() == [BOARD.place((0, 2)), BOARD.place((9, 7)), BOARD.swap(1)]


@pytest.mark.rule("SN-26", "SN-29")
def test_vector_t12_after_a_swap_only_a_pass_is_left(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1]}, chips={1: dead_hand(BOARD, [1])}, swapped=True)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["pass"]


@pytest.mark.rule("SN-26")
@pytest.mark.fault("A010")
def test_one_swap_a_turn_and_before_the_play(engine: ModuleType) -> None:
    game = load(engine)
    chips = {1: dead_hand(BOARD, [1, 2, 3])}
    state = position(game, hands={0: [1, 2, 10], 1: [3]}, chips=chips)
    assert state.is_legal(BOARD.swap(1))
    assert state.is_legal(BOARD.swap(2))
    state.apply_action(BOARD.swap(1))
    assert state.to_dict()["swapped"] is True
    state.apply_action(BOARD.kind(3))
    assert state.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(10)]
    for card in (2, 3):
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(BOARD.swap(card))
    state.apply_action(BOARD.place(BOARD.cells_of(10)[0]))
    assert state.to_dict()["phase"] == "turn_draw"
    assert state.to_dict()["swapped"] is True
    state = lowest_chances(state)
    assert state.to_dict()["swapped"] is False
    assert state.legal_actions() == [BOARD.swap(3)]


@pytest.mark.rule("SN-27")
def test_a_playable_number_card_cannot_be_swapped(engine: ModuleType) -> None:
    game = load(engine)
    first, second = BOARD.cells_of(20)
    for chips in ({}, {0: [first]}, {1: [second]}):
        state = position(game, hands={0: [20]}, chips=chips)
        assert not state.is_legal(BOARD.swap(20))


@pytest.mark.rule("SN-28", "SN-29", "SN-62")
@pytest.mark.parametrize("hand", [[PLUS], [PLUS, PLUS]])
def test_plus_on_a_full_board_is_no_dead_card(engine: ModuleType, hand: list[str]) -> None:
    state = position(load(engine), hands={0: hand}, chips=FULL)
    assert state.legal_actions() == [BOARD.passing]


@pytest.mark.rule("SN-28", "SN-29")
def test_minus_without_a_target_is_no_dead_card(engine: ModuleType) -> None:
    game = load(engine, players=4)
    no_chips = position(game, hands={0: [MINUS]})
    own_only = position(game, hands={0: [MINUS, MINUS]}, chips={0: [(3, 3)]})
    locked_only = position(game, hands={0: [MINUS]}, sequences={1: [((2, 1), (2, 5))]})
    for state in (no_chips, own_only, locked_only):
        assert state.legal_actions() == [BOARD.passing]


@pytest.mark.rule("SN-29", "SN-54")
def test_a_pass_moves_no_card(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [PLUS], 1: [4]}, chips=FULL, discards=[1, 2])
    before = state.to_dict()
    state.apply_action(BOARD.passing)
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"]) == ("play", 1, 1)
    for key in ("hands", "deck", "discards", "owner"):
        assert shown[key] == before[key]


@pytest.mark.rule("SN-29")
@pytest.mark.parametrize("hand", [[1], [PLUS], [MINUS], [1, 2, PLUS, MINUS]])
def test_no_pass_while_something_is_legal(engine: ModuleType, hand: list[int | str]) -> None:
    state = position(load(engine), hands={0: hand}, chips={1: [(4, 4)]})
    assert not state.is_legal(BOARD.passing)
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(BOARD.passing)


@pytest.mark.rule("SN-29")
def test_an_empty_hand_passes(engine: ModuleType) -> None:
    assert position(load(engine)).legal_actions() == [BOARD.passing]


@pytest.mark.rule("SN-30")
def test_who_can_only_swap_must_swap(engine: ModuleType) -> None:
    hands = {0: [1, 2, PLUS]}
    state = position(load(engine), hands=hands, chips=FULL, deck=[MINUS, 3, 4])
    assert state.legal_actions() == [BOARD.swap(1), BOARD.swap(2)]
    state.apply_action(BOARD.swap(2))
    playing = after(state, BOARD.kind(MINUS))
    assert playing.legal_actions() == [BOARD.minus(cell) for cell in FULL[1]]
    passing = after(state, BOARD.kind(3))
    assert passing.current_player() == 0
    assert passing.legal_actions() == [BOARD.passing]


# Draws and reshuffles


@pytest.mark.rule("SN-54", "SN-55")
def test_one_card_is_drawn_for_one_played(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 2, 3, PLUS, MINUS]}, chips={1: [(7, 7)]})
    for action in (BOARD.place((0, 1)), BOARD.plus((4, 4)), BOARD.minus((7, 7))):
        child = after(state, action)
        assert child.to_dict()["phase"] == "turn_draw"
        assert len(child.to_dict()["hands"][0]) == 4
        child.apply_action(BOARD.kind(30))
        assert len(child.to_dict()["hands"][0]) == 5
        assert child.to_dict()["phase"] == "play"


@pytest.mark.rule("SN-55")
@pytest.mark.parametrize("held", [1, 2, 3, 4, 5])
def test_a_short_hand_stays_short(engine: ModuleType, held: int) -> None:
    state = position(load(engine), hands={0: list(range(1, held + 1))})
    state = lowest_chances(after(state, BOARD.place((0, 1))))
    assert state.to_dict()["seat"] == 1
    assert len(state.to_dict()["hands"][0]) == held


@pytest.mark.rule("SN-56", "SN-57")
@pytest.mark.fault("A085")
def test_the_discards_become_the_deck_when_a_card_is_needed(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 2]}, deck=[])
    assert state.to_dict()["deck"] == []
    assert len(state.to_dict()["discards"]) == 98
    state.apply_action(BOARD.place((0, 1)))
    shown = state.to_dict()
    assert shown["discards"] == []
    assert len(shown["deck"]) == 99
    assert shown["deck"].count(1) == 2
    assert dict(state.chance_outcomes())[BOARD.kind(1)] == 2 / 99
    assert dict(state.chance_outcomes())[BOARD.kind(2)] == 1 / 99
    state.apply_action(BOARD.kind(1))
    shown = state.to_dict()
    assert shown["hands"][0] == [1, 2]
    assert len(shown["deck"]) == 98
    assert shown["discards"] == []


@pytest.mark.rule("SN-57")
def test_the_last_card_leaves_the_deck_empty(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1], 1: [2]}, deck=[9])
    state.apply_action(BOARD.place((0, 1)))
    assert state.chance_outcomes() == [(BOARD.kind(9), 1.0)]
    state.apply_action(BOARD.kind(9))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["deck"]) == ("play", 1, [])
    assert len(shown["discards"]) == 98


@pytest.mark.rule("SN-57", "SN-50")
def test_an_empty_deck_stays_empty_at_the_end(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [PLUS]}, chips={0: row_cells(2, (1, 2, 3, 4))}, deck=[])
    state.apply_action(BOARD.plus((2, 5)))
    shown = state.to_dict()
    assert (shown["phase"], shown["deck"]) == ("over", [])
    assert len(shown["discards"]) == 100


@pytest.mark.rule("SN-56", "SN-57")
def test_a_pass_does_not_reshuffle(engine: ModuleType) -> None:
    state = position(load(engine), hands={0: [PLUS], 1: [3]}, chips=FULL, deck=[])
    state.apply_action(BOARD.passing)
    assert state.to_dict()["deck"] == []


@pytest.mark.rule("SN-58", "SN-56")
@pytest.mark.parametrize("drawn_first", [False, True])
def test_reshuffle_at_a_swap(engine: ModuleType, drawn_first: bool) -> None:
    game = load(engine, swap_draw_before_discard=drawn_first)
    chips = {1: dead_hand(BOARD, [1])}
    state = position(game, hands={0: [1, 2]}, chips=chips, deck=[])
    state.apply_action(BOARD.swap(1))
    shown = state.to_dict()
    assert shown["phase"] == "swap_draw"
    assert shown["discards"] == ([1] if drawn_first else [])
    assert shown["deck"].count(1) == (1 if drawn_first else 2)
    assert len(shown["deck"]) == (98 if drawn_first else 99)


@pytest.mark.rule("SN-58")
@pytest.mark.parametrize("drawn_first", [False, True])
def test_swap_with_cards_in_the_deck(engine: ModuleType, drawn_first: bool) -> None:
    game = load(engine, swap_draw_before_discard=drawn_first)
    state = position(game, hands={0: [1, 2]}, chips={1: dead_hand(BOARD, [1])}, deck=[7])
    state.apply_action(BOARD.swap(1))
    shown = state.to_dict()
    assert shown["deck"] == [7]
    assert shown["discards"].count(1) == 2
    state.apply_action(BOARD.kind(7))
    assert state.to_dict()["deck"] == []
    state.apply_action(BOARD.place((0, 2)))
    shown = state.to_dict()
    assert shown["discards"] == []
    assert shown["deck"].count(1) == 2


@pytest.mark.rule("SN-59")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_the_turn_goes_on_to_the_next_seat(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    for turn in (0, 1, 5, 41, 2998):
        state = position(game, hands={turn % game.num_players(): [PLUS]}, turn=turn)
        state = lowest_chances(after(state, BOARD.plus((4, 4))))
        shown = state.to_dict()
        assert (shown["turn"], shown["seat"]) == (turn + 1, (turn + 1) % game.num_players())


@pytest.mark.rule("SN-13", "SN-56")
@pytest.mark.fault("A086")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_cards_are_conserved_on_a_small_board(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating, board=mirror_board(6, 6), sequences_to_win=5, max_turns=150)
    whole = Counter(board_of(game).full_deck())
    state = game.new_initial_state()
    rng = engine.Rng(5)
    reshuffles = 0
    while not state.is_terminal():
        before = state.to_dict()
        random_step(state, rng)
        assert cards_in_play(state) == whole
        shown = state.to_dict()
        if len(shown["deck"]) > len(before["deck"]):
            reshuffles += 1
            assert before["deck"] == []
            assert shown["discards"] == []
            assert shown["phase"] in {"turn_draw", "swap_draw"}
    assert reshuffles > 0
