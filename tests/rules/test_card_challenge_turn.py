"""Card Challenge: playing, laying and drawing cards, dumping the hand, reshuffles and bonus turns, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tabletop_core as tc
from tests.rules.card_challenge_table import (
    DUMP,
    KEEP,
    NAME,
    cards_of,
    counts,
    kind,
    play,
    table,
)
from tests.rules.shared import load
from tests.walks import first_decision, walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

FRONT = {0: [(0, 1), (0, 2)], 1: [(0, 3), (4, 5)]}
"""Three cards show red, the others show one, one, one, one and one."""
EVEN = {0: [5] * 6, 1: [5] * 6}


def draw_all(state: State) -> State:
    """Resolve the draws of a copy, each with its first outcome."""
    state = state.clone()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


# Playing a card


@pytest.mark.rule("CC-30", "CC-31")
def test_every_card_can_be_played_in_both_orders(engine: ModuleType) -> None:
    """Nothing on the table fits orange and purple; two equal cards are one action."""
    state = table(
        engine,
        front={0: [(0, 1), (0, 2)], 1: [(0, 1), (1, 2)]},
        hands={0: [(3, 5), (3, 5), (0, 1), (0, 4), (0, 4), (2, 3)]},
    )
    expected = [
        2 * kind(card) + order for card in ([0, 1], [0, 4], [2, 3], [3, 5]) for order in (0, 1)
    ]
    assert state.legal_actions() == expected
    for action in set(range(32)) - set(expected):
        assert not state.is_legal(action)
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(action)
    same = [state.child(play([3, 5], first)) for first in (3, 5)]
    assert same[0] == same[1]


@pytest.mark.rule("CC-30", "CC-31")
def test_the_largest_number_of_actions_is_twelve(engine: ModuleType) -> None:
    for seed in range(6):
        for state in walk(load(engine, NAME), seed):
            if state.current_player() >= 0 and state.to_dict()["phase"] == "play":
                held = {tuple(card) for card in state.to_dict()["hands"][state.current_player()]}
                assert len(state.legal_actions()) == 2 * len(held) <= 12


@pytest.mark.rule("CC-32", "CC-33", "CC-34")
def test_cards_of_all_seats_count_and_neither_the_played_one_nor_the_pile(
    engine: ModuleType,
) -> None:
    """Red: two own cards, one of the other seat; purple: one. The played card and the pile show both."""
    state = table(
        engine,
        pegs=EVEN,
        front=FRONT,
        hands={0: [(0, 5)]},
        pile=[(0, 5), (0, 5), (0, 3)],
    )
    for first in (0, 5):
        shown = state.child(play([0, 5], first)).to_dict()
        assert shown["pegs"] == [[8, 5, 5, 5, 5, 6], [5] * 6]


@pytest.mark.rule("CC-32", "CC-35")
@pytest.mark.parametrize(("players", "most"), [(2, 4), (3, 3), (4, 4)])
def test_a_symbol_scores_at_most_what_lies_on_the_table(
    engine: ModuleType, players: int, most: int
) -> None:
    others = (
        ([(0, 1), (0, 2)], [(0, 3), (0, 4)]) if players == 2 else [[(0, s)] for s in range(1, 5)]
    )
    front = dict(enumerate(others[:players]))
    state = table(
        engine, players=players, pegs={0: [1] * 6}, front=front, hands={0: [(0, 5), (0, 5)]}
    )
    shown = state.child(play([0, 5], 0)).to_dict()
    assert shown["pegs"][0] == [1 + most, 1, 1, 1, 1, 1]


@pytest.mark.rule("CC-34")
def test_both_symbols_must_be_scored_although_it_may_hurt(engine: ModuleType) -> None:
    """Whoever scores green first brings red no further; no action leaves a symbol out."""
    state = table(engine, pegs={0: [0, 0, 1, 1, 1, 1]}, front=FRONT, hands={0: [(0, 1)]})
    for first in (0, 1):
        pegs = state.child(play([0, 1], first)).to_dict()["pegs"][0]
        assert pegs == [3, 1, 1, 1, 1, 1]


# Laying the card


@pytest.mark.rule("CC-36", "CC-39")
@pytest.mark.parametrize("row", ["fifo", "static_centre"])
@pytest.mark.parametrize("players", [3, 4])
def test_with_three_or_four_players_the_played_card_replaces_the_old_one(
    engine: ModuleType, players: int, row: str
) -> None:
    state = table(
        engine,
        {"two_player_row": row},
        players=players,
        seat=1,
        front={0: [(2, 3)], 1: [(0, 1)], 2: [(2, 4)]},
        hands={1: [(3, 5)]},
        pile=[(4, 5)],
    )
    shown = state.child(play([3, 5], 3)).to_dict()
    assert shown["front"][:3] == [[[2, 3]], [[3, 5]], [[2, 4]]]
    assert shown["pile"] == [[0, 1], [4, 5]]


@pytest.mark.rule("CC-37", "CC-38", "CC-27")
def test_with_two_players_the_row_moves_or_its_centre_side_stays(engine: ModuleType) -> None:
    for row, stays, goes in (("fifo", [0, 2], [0, 1]), ("static_centre", [0, 1], [0, 2])):
        state = table(engine, {"two_player_row": row}, front=FRONT, hands={0: [(3, 5)]})
        shown = state.child(play([3, 5], 3)).to_dict()
        assert shown["front"] == [[stays, [3, 5]], [[0, 3], [4, 5]]]
        assert shown["pile"] == [goes]


@pytest.mark.rule("CC-38")
def test_a_static_centre_stays_for_the_whole_game(engine: ModuleType) -> None:
    centres = set()
    for state in walk(load(engine, NAME, two_player_row="static_centre"), seed=5):
        shown = state.to_dict()
        if shown["phase"] != "deal":
            centres.add(str([row[0] for row in shown["front"]]))
    assert len(centres) == 1


@pytest.mark.rule("CC-40", "CC-44")
def test_playing_a_card_is_one_action_and_then_one_card_is_drawn(engine: ModuleType) -> None:
    state = table(engine, pegs=EVEN, front=FRONT, hands={0: [(0, 5), (1, 2), (3, 4)]}, turns=9)
    begin = state.to_dict()
    state.apply_action(play([0, 5], 0))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turns"], shown["idle"]) == ("draw", 0, 10, 0)
    assert len(shown["hands"][0]) == 5
    assert counts(shown["deck"]) == counts(begin["deck"])
    state.apply_action(kind([2, 3]))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turns"]) == ("play", 1, 10)
    assert [2, 3] in shown["hands"][0]
    assert [len(hand) for hand in shown["hands"]] == [6, 6]


# Keep or dump

WITHOUT_RED = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5)]
WITH_RED = [(1, 2), (1, 3), (2, 3), (2, 4), (0, 5)]
WITHOUT_RED_AND_GREEN = [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5)]


@pytest.mark.rule("CC-41", "CC-42", "CC-43")
@pytest.mark.parametrize(
    ("pegs", "rest", "of_all", "of_any"),
    [
        ([1, 2, 2, 2, 2, 2], WITHOUT_RED, True, True),
        ([1, 2, 2, 2, 2, 2], WITH_RED, False, False),
        ([1, 1, 2, 2, 2, 2], WITHOUT_RED, False, True),
        ([1, 1, 2, 2, 2, 2], WITH_RED, False, False),
        ([1, 1, 2, 2, 2, 2], WITHOUT_RED_AND_GREEN, True, True),
        ([1, 1, 2, 2, 2, 2], [(0, 1), (2, 3), (2, 4), (2, 5), (3, 5)], False, False),
        ([1, 1, 2, 2, 2, 2], [(0, 2), (2, 3), (2, 4), (2, 5), (3, 5)], False, True),
        ([0, 0, 0, 0, 0, 0], [(1, 2), (3, 4), (1, 3), (2, 4), (1, 5)], False, True),
        ([0, 0, 0, 0, 0, 0], [(0, 1), (2, 3), (4, 5), (0, 2), (3, 5)], False, False),
    ],
    ids=str,
)
def test_who_may_dump(
    engine: ModuleType,
    pegs: list[int],
    rest: Sequence[Sequence[int]],
    of_all: bool,
    of_any: bool,
) -> None:
    """The played card scores nothing: nothing on the table shows orange or purple."""
    front = {0: [(0, 1), (0, 2)], 1: [(1, 2), (1, 2)]}
    for rule, dumps in (("all", of_all), ("any", of_any)):
        state = table(
            engine, {"dump_tie_rule": rule}, pegs={0: pegs}, front=front, hands={0: [*rest, (3, 5)]}
        )
        state.apply_action(play([3, 5], 3))
        assert state.to_dict()["pegs"][0] == pegs
        assert state.to_dict()["phase"] == ("dump" if dumps else "draw")
        assert state.current_player() == (0 if dumps else tc.PlayerId.CHANCE)
        if dumps:
            assert state.legal_actions() == [KEEP, DUMP]


@pytest.mark.rule("CC-43")
def test_pegs_count_after_the_scoring_and_the_played_card_does_not(engine: ModuleType) -> None:
    """The played card was the only red one, and it brings red from the bottom to 4 holes above green."""
    front = {0: [(0, 4), (0, 5)], 1: [(0, 4), (0, 5)]}
    hand = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (0, 3)]
    state = table(engine, pegs={0: [0, 1, 2, 2, 2, 2]}, front=front, hands={0: hand})
    kept = state.child(play([0, 3], 0)).to_dict()
    assert (kept["pegs"][0], kept["phase"]) == ([4, 1, 2, 2, 2, 2], "draw")
    state = table(
        engine, pegs={0: [0, 2, 2, 2, 2, 3]}, front=FRONT, hands={0: [*WITHOUT_RED, (3, 5)]}
    )
    assert state.child(play([3, 5], 3)).to_dict()["phase"] == "dump"


@pytest.mark.rule("CC-44", "CC-45", "CC-48")
def test_keep_draws_one_card_and_dump_six(engine: ModuleType) -> None:
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    state = table(engine, phase="dump", pegs=pegs, hands={0: WITHOUT_RED}, pile=[(0, 4)])
    kept, dumped = state.child(KEEP), state.child(DUMP)
    assert kept.to_dict()["hands"] == state.to_dict()["hands"]
    assert kept.to_dict()["phase"] == dumped.to_dict()["phase"] == "draw"
    shown = dumped.to_dict()
    assert shown["hands"][0] == []
    assert shown["pile"] == sorted([[0, 4], *map(list, WITHOUT_RED)])
    assert dumped.observation_string(1) != state.observation_string(1)
    for after, draws in ((kept, 1), (dumped, 6)):
        for number in range(draws):
            shown = after.to_dict()
            assert (shown["phase"], shown["seat"]) == ("draw", 0)
            assert len(shown["hands"][0]) == 6 - draws + number
            after.apply_action(after.legal_actions()[-1])
        shown = after.to_dict()
        assert (shown["phase"], shown["seat"], shown["turns"]) == ("play", 1, 20)


# Reshuffles


@pytest.mark.rule("CC-46", "CC-47")
@pytest.mark.fault("A085")
def test_the_pile_becomes_the_deck_when_a_card_is_to_be_drawn(engine: ModuleType) -> None:
    """The deck is empty at play; the card that was just replaced can be drawn at once."""
    state = table(engine, pegs=EVEN, front=FRONT, hands={0: [(0, 5)]}, deck=[])
    shown = state.to_dict()
    assert (shown["phase"], shown["deck"], len(shown["pile"])) == ("play", [], 44)
    state.apply_action(play([0, 5], 0))
    after = state.to_dict()
    assert (after["phase"], after["pile"]) == ("draw", [])
    assert after["deck"] == sorted([*shown["pile"], [0, 1]])
    state.apply_action(kind([0, 1]))
    assert len(state.to_dict()["deck"]) == 44
    assert state.to_dict()["hands"][0].count([0, 1]) == shown["hands"][0].count([0, 1]) + 1


@pytest.mark.rule("CC-47")
def test_an_empty_deck_waits_for_a_draw(engine: ModuleType) -> None:
    """The last card of the deck is drawn, keep or dump comes with an empty deck, and so may the end."""
    state = table(engine, phase="draw", deck=[(2, 3)])
    state.apply_action(kind([2, 3]))
    assert (state.to_dict()["phase"], state.to_dict()["deck"]) == ("play", [])
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    state = table(engine, pegs=pegs, front=FRONT, hands={0: [*WITHOUT_RED, (3, 5)]}, deck=[])
    state.apply_action(play([3, 5], 3))
    assert (state.to_dict()["phase"], state.to_dict()["deck"]) == ("dump", [])
    last = table(engine, {"max_turns": 21}, pegs=EVEN, front=FRONT, hands={0: [(0, 5)]}, deck=[])
    last.apply_action(play([0, 5], 0))
    assert (last.to_dict()["phase"], last.to_dict()["deck"]) == ("over", [])


@pytest.mark.rule("CC-46")
@pytest.mark.fault("A085")
def test_a_dumped_hand_is_shuffled_with_the_pile(engine: ModuleType) -> None:
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    state = table(engine, phase="dump", pegs=pegs, hands={0: WITHOUT_RED}, deck=[])
    pile = state.to_dict()["pile"]
    shown = state.child(DUMP).to_dict()
    assert shown["deck"] == sorted([*pile, *map(list, WITHOUT_RED)])
    assert shown["pile"] == shown["hands"][0] == []
    shown = state.child(KEEP).to_dict()
    assert (shown["deck"], shown["pile"]) == (pile, [])


@pytest.mark.rule("CC-46")
@pytest.mark.fault("A085", "A086")
def test_a_reshuffle_may_come_in_the_middle_of_a_refill(engine: ModuleType) -> None:
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    deck = [(0, 4), (0, 4), (2, 5)]
    state = table(engine, phase="dump", pegs=pegs, hands={0: WITHOUT_RED}, deck=deck)
    state.apply_action(DUMP)
    pile = state.to_dict()["pile"]
    for card in deck:
        assert state.to_dict()["pile"] == pile
        assert len(state.to_dict()["deck"]) <= 3
        state.apply_action(kind(card))
    shown = state.to_dict()
    assert (shown["phase"], shown["deck"], shown["pile"]) == ("draw", pile, [])
    assert shown["hands"][0] == [[0, 4], [0, 4], [2, 5]]
    assert set(map(tuple, WITHOUT_RED)) <= set(map(tuple, shown["deck"]))
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    assert len(state.to_dict()["deck"]) == len(pile) - 3


@pytest.mark.rule("CC-46")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_deck_and_pile_always_have_enough_cards(engine: ModuleType, players: int) -> None:
    hands = {
        seat: cards_of([4 if number // 2 == seat else 0 for number in range(15)])[:6]
        for seat in range(players)
    }
    state = table(engine, players=players, pegs={0: [5] * 6}, hands=hands, deck=[])
    after = draw_all(state.child(state.legal_actions()[0]))
    shown = after.to_dict()
    assert len(shown["deck"]) + len(shown["pile"]) == {2: 44, 3: 39, 4: 32}[players]


# Bonus turns


@pytest.mark.rule("CC-12", "CC-13", "CC-14", "CC-15")
@pytest.mark.fault("A089")
def test_the_same_seat_moves_again_once_and_then_the_next_seat(engine: ModuleType) -> None:
    state = table(
        engine,
        pegs={0: [9, 6, 6, 7, 7, 7], 1: [5] * 6},
        front=FRONT,
        hands={0: [(0, 5), (1, 2), (1, 2), (1, 3), (2, 3), (3, 4)]},
    )
    state.apply_action(play([0, 5], 0))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("draw", 0, 1)
    state.apply_action(kind([4, 5]))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("play", 0, 0)
    assert len(shown["hands"][0]) == 6
    state.apply_action(play([3, 4], 3))
    assert state.to_dict()["turns"] == 22
    state = draw_all(state)
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("play", 1, 0)


@pytest.mark.rule("CC-12", "CC-13")
@pytest.mark.fault("A089")
def test_two_pegs_at_ten_give_two_bonus_turns(engine: ModuleType) -> None:
    front = {0: [(0, 2), (0, 2)], 1: [(0, 2), (2, 3)]}
    state = table(
        engine,
        pegs={0: [7, 6, 6, 6, 6, 6], 1: [5] * 6},
        front=front,
        hands={0: [(0, 2), (1, 3), (1, 4), (1, 5), (3, 4), (3, 5)], 1: [(3, 4)]},
    )
    state.apply_action(play([0, 2], 0))
    shown = state.to_dict()
    assert (shown["pegs"][0], shown["pending_bonus"]) == ([10, 6, 10, 6, 6, 6], 2)
    seats = []
    for left in (1, 0, 0):
        state = draw_all(state)
        if state.to_dict()["phase"] == "dump":
            state = draw_all(state.child(KEEP))
        shown = state.to_dict()
        seats.append(shown["seat"])
        assert (shown["phase"], shown["pending_bonus"]) == ("play", left)
        state = state.child(state.legal_actions()[0])
    assert seats == [0, 0, 1]


@pytest.mark.rule("CC-12")
def test_a_peg_at_ten_earns_nothing_more(engine: ModuleType) -> None:
    state = table(engine, pegs={0: [10, 6, 7, 7, 7, 7]}, front=FRONT, hands={0: [(0, 5)]})
    assert state.child(play([0, 5], 0)).to_dict()["pending_bonus"] == 0


@pytest.mark.rule("CC-13", "CC-14")
def test_a_bonus_turn_comes_after_the_decision_to_dump_and_has_one_of_its_own(
    engine: ModuleType,
) -> None:
    hand = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)]
    pegs = {0: [6, 7, 7, 7, 7, 9]}
    state = table(engine, pegs=pegs, front=FRONT, hands={0: hand})
    state.apply_action(play([4, 5], 5))
    shown = state.to_dict()
    assert (shown["pegs"][0], shown["phase"]) == ([6, 7, 7, 7, 8, 10], "dump")
    assert shown["pending_bonus"] == 1
    state.apply_action(KEEP)
    state.apply_action(kind([1, 2]))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("play", 0, 0)
    state.apply_action(play([3, 5], 3))
    assert (state.to_dict()["phase"], state.to_dict()["seat"]) == ("dump", 0)


@pytest.mark.rule("CC-14", "CC-15")
def test_a_bonus_turn_can_earn_another_one(engine: ModuleType) -> None:
    state = table(
        engine,
        pegs={0: [10, 9, 6, 7, 7, 7]},
        pending_bonus=1,
        front=FRONT,
        hands={0: [(1, 4)]},
    )
    state = state.child(play([1, 4], 1))
    assert state.to_dict()["pending_bonus"] == 2
    state = draw_all(state)
    if state.to_dict()["phase"] == "dump":
        state = draw_all(state.child(KEEP))
    assert (state.to_dict()["seat"], state.to_dict()["pending_bonus"]) == (0, 1)


@pytest.mark.rule("CC-4", "CC-13")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_pass_from_seat_to_seat(engine: ModuleType, players: int) -> None:
    state = first_decision(load(engine, NAME, players=players))
    seats: list[int] = []
    while len(seats) < 2 * players + 1:
        assert state.to_dict()["pending_bonus"] == 0
        if state.to_dict()["phase"] == "play":
            seats.append(state.current_player())
        state = draw_all(state.child(state.legal_actions()[0]))
    assert seats == [number % players for number in range(2 * players + 1)]
