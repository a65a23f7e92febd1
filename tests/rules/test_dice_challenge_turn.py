"""Dice Challenge: the use of dice, bonus turns and ends, on both engines."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.rules.challenges_board import SYMBOLS, VECTORS
from tests.rules.dice_challenge_table import (
    DICE,
    NAME,
    STOP,
    match,
    rolled,
    table,
    use,
    wild,
)
from tests.rules.shared import load, returns_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

EVEN = {0: [4] * 6, 1: [4] * 6}

TABLE = {
    1: [["match"]],
    2: [["match", "match"], ["wild 1"]],
    3: [["match", "match", "match"], ["wild 1", "match"], ["wild 2"]],
    4: [
        ["match"] * 4,
        ["wild 1", "match", "match"],
        ["wild 2", "match"],
        ["wild 1", "wild 1"],
        ["wild 3"],
    ],
}
"""Uses of so many equal dice."""


def plans(state: State) -> set[tuple[str, ...]]:
    """Give the sets of uses by which all dice can be used, whatever the order and targets."""
    if state.to_dict()["phase"] != "resolve":
        return {()}
    found = set()
    for action in state.legal_actions():
        words = state.action_to_string(action).split()
        name = f"{words[0]} {words[1]}" if words[0] == "match" else " ".join(words[:4])
        if words[-1] in {"red", words[1]}:  # one target is enough
            for plan in plans(state.child(action)):
                found.add(tuple(sorted((name, *plan))))
    return found


def plans_of(dice: Iterable[int]) -> set[tuple[str, ...]]:
    """Give the same from the table, each symbol apart from the others."""
    groups = [
        [
            [f"{use} {SYMBOLS[symbol]}" if use == "match" else f"{use} with {SYMBOLS[symbol]}" for use in uses]
            for uses in TABLE[number]
        ]
        for symbol, number in Counter(dice).items()
    ]  # fmt: skip
    return {tuple(sorted(use for uses in chosen for use in uses)) for chosen in product(*groups)}


@pytest.mark.rule("DC-14", "DC-18", "DC-21")
@pytest.mark.fault("A098")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("pattern", ["0000", "0001", "0011", "0012", "0123"])
def test_equal_dice_can_be_used_as_the_table_says(
    engine: ModuleType, players: int, pattern: str
) -> None:
    """Four of a kind may be two pairs; two different pairs are no double wild; three leave one to match."""
    dice = [int(face) + 1 for face in pattern[: DICE[players]]]
    state = table(engine, players=players, dice={0: dice})
    assert plans(state) == plans_of(dice)


@pytest.mark.rule("DC-15", "DC-18", "DC-19", "DC-20", "DC-21")
@pytest.mark.fault("A098")
def test_four_of_a_kind_score_in_these_ways(engine: ModuleType) -> None:
    """One die of the other seat shows the same symbol."""
    state = table(engine, pegs=EVEN, dice={0: [1, 1, 1, 1], 1: [1, 0, 0, 3]})
    expected = set()

    def plus(*points: int) -> None:
        expected.add(tuple(4 + points.count(symbol) for symbol in range(6)))

    plus(1, 1, 1, 1)
    for target in range(6):
        plus(*[target] * 3)
        plus(*[target] * 2, 1)
        plus(target, 1, 1)
        for other in range(6):
            plus(target, other)
    assert finals(state) == expected


def finals(state: State) -> set[tuple[int, ...]]:
    """Give all pegs of the seat with which its turn can end."""
    seat = state.to_dict()["seat"]
    found = set()
    seen = {state}
    todo = [state]
    while todo:
        one = todo.pop()
        for action in one.legal_actions():
            child = one.child(action)
            if child.to_dict()["phase"] != "resolve":
                found.add(tuple(child.to_dict()["pegs"][seat]))
            elif child not in seen:
                seen.add(child)
                todo.append(child)
    return found


@pytest.mark.rule("DC-18", "DC-21")
@pytest.mark.parametrize(("players", "most"), [(2, 3), (3, 2), (4, 1)])
def test_the_largest_wild_takes_all_dice(engine: ModuleType, players: int, most: int) -> None:
    state = table(engine, players=players, dice={0: [2] * DICE[players]})
    wilds = [wild(points, 2, target) for points in range(1, most + 1) for target in range(6)]
    assert state.legal_actions() == [match(2), *wilds]
    shown = state.child(wild(most, 2, 5)).to_dict()
    assert (shown["pegs"][0], shown["phase"]) == ([0, 0, 0, 0, 0, most], "roll")


@pytest.mark.rule("DC-4", "DC-16")
@pytest.mark.parametrize("vector", VECTORS)
def test_known_scores(engine: ModuleType, vector: str) -> None:
    """One own die for each symbol against six of the others, or two against four where six are too few."""
    pegs, scores, result = VECTORS[vector]
    players, size = (3, 1) if sum(points for _, points in scores) <= 6 else (2, 2)
    idle = next(symbol for symbol in range(6) if symbol not in dict(scores))
    own = [symbol for symbol, _ in scores for _ in range(size)]
    others = [symbol for symbol, points in scores for _ in range(points // size)]
    own += [idle] * (DICE[players] - len(own))
    others += [idle] * (DICE[players] * (players - 1) - len(others))
    dice = {0: own, 1: others[: DICE[players]], 2: others[DICE[players] :]}
    state = table(engine, players=players, pegs={0: pegs}, dice=dice)
    shown = use(state, *(match(symbol) for symbol, _ in scores for _ in range(size))).to_dict()
    assert shown["pegs"][0] == result
    arrived = result.count(10) - pegs.count(10)
    # The turn that used all its dice has begun the first of its bonus turns.
    assert shown["pending_bonus"] == arrived - (shown["phase"] == "roll" and arrived > 0)


@pytest.mark.rule("DC-4", "DC-16")
def test_two_dice_against_four_are_eight_points(engine: ModuleType) -> None:
    state = table(
        engine, pegs={0: [1, 4, 4, 4, 4, 4], 1: [4] * 6}, dice={0: [0, 0, 2, 3], 1: [0] * 4}
    )
    state = use(state, match(0))
    assert state.to_dict()["pegs"][0] == [5, 4, 4, 4, 4, 4]
    state = use(state, match(0))
    assert state.to_dict()["pegs"][0] == [9, 4, 4, 4, 4, 4]


@pytest.mark.rule("DC-15", "DC-16", "DC-17", "DC-22")
def test_a_match_counts_the_dice_of_all_other_seats_and_no_own_ones(engine: ModuleType) -> None:
    state = table(
        engine,
        players=3,
        seat=1,
        pegs={seat: [4] * 6 for seat in range(3)},
        dice={0: [2, 2, 5], 1: [2, 2, 4], 2: [2, 3, 5]},
    )
    assert state.child(match(2)).to_dict()["pegs"][1] == [4, 4, 7, 4, 4, 4]
    assert state.child(match(4)).to_dict()["pegs"][1] == [4] * 6
    ended = use(state, match(2), match(2), match(4))
    assert ended.to_dict()["pegs"] == [[4] * 6, [4, 4, 10, 4, 4, 4], [4] * 6]
    assert ended.to_dict()["dice"] == [[2, 2, 5], [2, 2, 4], [2, 3, 5]]


@pytest.mark.rule("DC-4", "DC-14")
def test_the_order_of_the_uses_opens_gates(engine: ModuleType) -> None:
    state = table(
        engine,
        players=4,
        pegs={0: [3, 0, 1, 1, 1, 1]},
        dice={0: [0, 1], 1: [0, 1], 2: [0, 1], 3: [4, 5]},
    )
    first = use(state, match(0), match(1)).to_dict()["pegs"][0]
    second = use(state, match(1), match(0)).to_dict()["pegs"][0]
    assert (first, second) == ([3, 2, 1, 1, 1, 1], [5, 2, 1, 1, 1, 1])


@pytest.mark.rule("DC-4", "DC-19")
def test_wild_points_stop_at_gates_and_at_the_last_hole(engine: ModuleType) -> None:
    for pegs, points, target, result in (
        ([3, 0, 1, 1, 1, 1], 3, 0, [3, 0, 1, 1, 1, 1]),
        ([0, 1, 1, 1, 1, 1], 3, 0, [3, 1, 1, 1, 1, 1]),
        ([2, 1, 1, 1, 1, 1], 3, 0, [5, 1, 1, 1, 1, 1]),
        ([6, 4, 4, 4, 3, 4], 2, 0, [6, 4, 4, 4, 3, 4]),
        ([6, 4, 4, 4, 3, 4], 2, 4, [6, 4, 4, 4, 5, 4]),
        ([9, 6, 7, 7, 7, 7], 3, 0, [10, 6, 7, 7, 7, 7]),
        ([10, 6, 7, 7, 7, 7], 3, 0, [10, 6, 7, 7, 7, 7]),
    ):
        state = table(engine, pegs={0: pegs}, dice={0: [3] * 4, 1: [0, 1, 2, 4]})
        assert state.child(wild(points, 3, target)).to_dict()["pegs"][0] == result


@pytest.mark.rule("DC-5")
def test_a_strict_score_is_one_die_or_one_wild(engine: ModuleType) -> None:
    """From 0 four points in one score end at 3; two scores of two points go through the gate."""
    start = {0: [0, 2, 2, 2, 2, 2]}
    dice = {0: [0, 0, 3, 3], 1: [0, 0, 1, 1]}
    for gate_test, holes in (("stepwise", (2, 4)), ("strict", (2, 4))):
        state = table(engine, {"gate_test": gate_test}, pegs=start, dice=dice)
        for hole in holes:
            state.apply_action(match(0))
            assert state.to_dict()["pegs"][0][0] == hole
    for gate_test, hole in (("stepwise", 4), ("strict", 3)):
        state = table(engine, {"gate_test": gate_test}, pegs=start, dice={**dice, 1: [0] * 4})
        assert state.child(match(0)).to_dict()["pegs"][0][0] == hole
    for gate_test, hole in (("stepwise", 7), ("strict", 6)):
        options = {"gate_test": gate_test}
        state = table(engine, options, pegs={0: [3, 4, 4, 4, 4, 4]}, dice={0: [1] * 4, 1: [0] * 4})
        assert state.child(match(1)).to_dict()["pegs"][0] == [3, 4, 4, 4, 4, 4]
        shown = use(state, wild(3, 1, 0)).to_dict()
        assert shown["pegs"][0][0] == 6
        state = table(
            engine, options, pegs={0: [3, 4, 4, 4, 4, 4]}, dice={0: [0, 1, 2, 3], 1: [0] * 4}
        )
        assert state.child(match(0)).to_dict()["pegs"][0][0] == hole


@pytest.mark.rule("DC-14", "DC-23")
def test_unused_and_moved_follow_the_uses(engine: ModuleType) -> None:
    state = table(engine, dice={0: [0, 1, 1, 2], 1: [1, 3, 3, 3]}, idle=5)
    steps = [(match(0), [1, 1, 2], False), (match(1), [1, 2], True), (match(2), [1], True)]
    for action, unused, moved in steps:
        state.apply_action(action)
        shown = state.to_dict()
        assert (shown["phase"], shown["unused"], shown["moved"]) == ("resolve", unused, moved)
        assert (shown["turns"], shown["idle"], shown["dice"][0]) == (20, 5, [0, 1, 1, 2])
    state.apply_action(match(1))
    shown = state.to_dict()
    assert (shown["phase"], shown["unused"], shown["moved"]) == ("roll", [], False)
    assert (shown["turns"], shown["idle"], shown["seat"]) == (21, 0, 1)


@pytest.mark.rule("DC-19")
def test_every_target_is_legal_where_nothing_can_move(engine: ModuleType) -> None:
    state = table(engine, players=4, pegs={0: [3, 3, 3, 3, 3, 0]}, dice={0: [0, 0]})
    assert state.legal_actions() == [match(0), *(wild(1, 0, target) for target in range(6))]
    for target in range(5):
        assert state.child(wild(1, 0, target)).to_dict()["pegs"] == state.to_dict()["pegs"]


# Turns and bonus turns


@pytest.mark.rule("DC-24", "DC-27")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_pass_from_seat_to_seat(engine: ModuleType, players: int) -> None:
    state = table(engine, players=players, phase="roll", seat=players - 1)
    seats = []
    for turn in range(players + 2):
        shown = state.to_dict()
        assert (shown["phase"], shown["turns"], shown["rolls_used"]) == ("roll", 20 + turn, 0)
        seats.append(shown["seat"])
        state = rolled(state, range(DICE[players]))
        state = use(state, STOP, *map(match, range(DICE[players])))
    assert seats == [(players - 1 + turn) % players for turn in range(players + 2)]


@pytest.mark.rule("DC-26")
@pytest.mark.fault("A089")
def test_the_same_seat_rolls_again_once_and_then_the_next_seat(engine: ModuleType) -> None:
    state = table(
        engine, pegs={0: [9, 6, 6, 7, 7, 7], 1: [4] * 6}, dice={0: [0, 1, 2, 3], 1: [0, 4, 4, 4]}
    )
    state.apply_action(match(0))
    shown = state.to_dict()
    assert (shown["pegs"][0][0], shown["pending_bonus"], shown["phase"]) == (10, 1, "resolve")
    state = use(state, match(1), match(2), match(3))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("roll", 0, 0)
    assert (shown["rolls_used"], shown["turns"]) == (0, 21)
    state = use(rolled(state, [0, 1, 2, 3]), STOP, *map(match, (0, 1, 2, 3)))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("roll", 1, 0)
    assert shown["turns"] == 22


@pytest.mark.rule("DC-26")
@pytest.mark.fault("A089")
def test_two_pegs_at_ten_give_two_bonus_turns(engine: ModuleType) -> None:
    pegs = {0: [6] * 6, 1: [4] * 6}
    state = table(engine, pegs=pegs, dice={0: [0, 0, 1, 1], 1: [0, 0, 1, 1]})
    state = use(state, match(0), match(1), match(0))
    assert state.to_dict()["pending_bonus"] == 1
    state.apply_action(match(1))
    seats = [(state.to_dict()["seat"], state.to_dict()["pending_bonus"])]
    assert state.to_dict()["pegs"][0] == [10, 10, 6, 6, 6, 6]
    for _ in range(2):
        state = use(rolled(state, [2, 3, 4, 5]), STOP, *map(match, (2, 3, 4, 5)))
        seats.append((state.to_dict()["seat"], state.to_dict()["pending_bonus"]))
    assert seats == [(0, 1), (0, 0), (1, 0)]


# Ends


@pytest.mark.rule("DC-25", "DC-28", "DC-30")
@pytest.mark.fault("A095")
@pytest.mark.parametrize(("players", "seat"), [(2, 1), (3, 0), (3, 2), (4, 3)])
def test_a_seat_wins_when_its_last_die_is_used(engine: ModuleType, players: int, seat: int) -> None:
    """The goal is reached with the first die; the others still have to be used and one brings a peg to 10."""
    pegs: dict[int, Sequence[int]] = {other: [4] * 6 for other in range(players)}
    pegs[seat] = [6, 9, 8, 8, 8, 8]
    dice: dict[int, Sequence[int]] = {
        other: [0, 1, 1, 1][: DICE[players]] for other in range(players)
    }
    state = table(engine, players=players, seat=seat, pegs=pegs, dice=dice, idle=3)
    state.apply_action(match(0))
    shown = state.to_dict()
    assert (min(shown["pegs"][seat]), shown["phase"]) == (min(5 + players, 8), "resolve")
    assert not state.is_terminal()
    assert state.winners() == []
    again = state.get_game().state_from_dict(shown)
    assert again == state == state.get_game().state_from_bytes(state.to_bytes())
    while state.to_dict()["phase"] == "resolve":
        state.apply_action(match(1))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("over", seat, 0)
    assert (shown["turns"], shown["idle"], shown["unused"]) == (21, 0, [])
    assert (shown["moved"], shown["rolls_used"], shown["truncated"]) == (False, 0, False)
    assert state.is_terminal()
    assert state.winners() == [seat]
    assert state.returns().tolist() == returns_of([seat], players)


@pytest.mark.rule("DC-30")
@pytest.mark.fault("A112")
def test_the_winner_scores_the_lowest_row(engine: ModuleType) -> None:
    state = table(
        engine, pegs={0: [6, 9, 8, 8, 8, 8], 1: [5] * 6}, dice={0: [0, 1, 2, 3], 1: [0, 0, 4, 4]}
    )
    state = use(state, *map(match, (0, 1, 2, 3)))
    assert state.winners() == [0]
    assert state.scores().tolist() == [8, 5]


@pytest.mark.rule("DC-29")
def test_caps_count_whole_turns(engine: ModuleType) -> None:
    """A turn moves no peg only if none of its dice does."""
    dice = {0: [0, 1, 2, 3], 1: [4, 4, 5, 5]}
    for options, over in (
        ({"max_turns": 21}, True),
        ({"max_turns": 22}, False),
        ({"no_progress_limit": 3}, True),
        ({"no_progress_limit": 4}, False),
    ):
        state = table(engine, options, idle=2, dice=dice)
        state = use(state, match(0), match(1), match(2))
        assert not state.is_terminal()
        state.apply_action(match(3))
        assert state.is_terminal() == state.is_truncated() == over
        assert state.to_dict()["idle"] == 3
    state = table(engine, {"no_progress_limit": 3}, idle=2, dice={**dice, 1: [0, 4, 4, 4]})
    state = use(state, *map(match, (0, 1, 2, 3)))
    assert (state.to_dict()["phase"], state.to_dict()["idle"]) == ("roll", 0)
    win = {0: [6, 7, 7, 7, 7, 7]}
    state = table(engine, {"max_turns": 21}, pegs=win, dice={**dice, 1: [0, 4, 4, 4]})
    state = use(state, *map(match, (0, 1, 2, 3)))
    assert (state.winners(), state.is_truncated()) == ([0], False)


@pytest.mark.rule("DC-29", "DC-30")
@pytest.mark.fault("A100")
@pytest.mark.parametrize(
    ("pegs", "winners"),
    [
        ([[3, 3, 3, 3, 3, 3], [2, 6, 6, 6, 6, 6], [3, 3, 3, 3, 3, 2]], [0]),
        ([[1, 2, 3, 3, 3, 3], [3, 3, 2, 3, 1, 3], [0, 3, 3, 3, 3, 3]], [0, 1]),
        ([[4, 4, 4, 4, 4, 9], [4, 4, 4, 4, 4, 10], [4, 4, 4, 4, 4, 8]], [1]),
        ([[0] * 6] * 3, [0, 1, 2]),
    ],
)
def test_after_a_cap_the_lowest_rows_decide(
    engine: ModuleType, pegs: list[list[int]], winners: list[int]
) -> None:
    state = table(
        engine,
        {"max_turns": 20},
        players=3,
        phase="over",
        pegs=dict(enumerate(pegs)),
        truncated=True,
    )
    assert state.winners() == winners
    assert state.returns().tolist() == returns_of(winners, 3)
    assert state.scores().tolist() == [min(row) for row in pegs]


@pytest.mark.rule("DC-30")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_utilities(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    assert (game.max_utility(), game.min_utility()) == (1, -1 / (players - 1))
