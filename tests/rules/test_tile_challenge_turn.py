"""Tile Challenge: free scoring, the empty pool, bonus turns and ends, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.challenges_board import TARGETS
from tests.rules.shared import load, returns_of
from tests.rules.tile_challenge_table import DRAW, NAME, SCORE, drawn, free, table, total

if TYPE_CHECKING:
    from types import ModuleType


# Free scoring


@pytest.mark.rule("TC-17", "TC-19", "TC-20")
@pytest.mark.parametrize(
    ("pegs", "centre", "of_any", "of_unique"),
    [
        ([0, 1, 1, 1, 1, 1], [0, 0, 1, 2], [0], [0]),
        ([0, 1, 1, 1, 1, 1], [1, 2, 3], [], []),
        ([0, 0, 1, 1, 1, 1], [0, 1, 2], [0, 1], []),
        ([0, 0, 1, 1, 1, 1], [0, 2, 3], [0], []),
        ([0, 0, 1, 1, 1, 1], [2, 3, 4], [], []),
        ([3, 3, 3, 3, 3, 3], [0, 1, 5], [0, 1, 5], []),
        ([7, 7, 7, 7, 7, 2], [0, 1, 5], [5], [5]),
    ],
    ids=str,
)
def test_free_scoring_is_for_lowest_rows(
    engine: ModuleType,
    pegs: list[int],
    centre: list[int],
    of_any: list[int],
    of_unique: list[int],
) -> None:
    for rule, symbols in (("any", of_any), ("unique", of_unique)):
        state = table(engine, {"free_scoring_tie": rule}, pegs={0: pegs, 1: [2] * 6}, centre=centre)
        assert state.legal_actions() == [DRAW, *map(free, symbols)]


@pytest.mark.rule("TC-17")
def test_free_scoring_is_no_choice_after_a_draw(engine: ModuleType) -> None:
    assert drawn(table(engine, centre=[0, 1, 2]), 1).legal_actions() == [DRAW, SCORE]


@pytest.mark.rule("TC-18", "TC-21", "TC-22")
@pytest.mark.parametrize(
    ("take", "row", "result", "left"),
    [("all", 1, 5, 0), ("one", 1, 2, 3), ("all", 5, 7, 0), ("one", 6, 7, 3)],
)
def test_free_scoring_takes_all_tiles_or_one(
    engine: ModuleType, take: str, row: int, result: int, left: int
) -> None:
    """One point for each tile that is taken; those beyond the target go back to the pool."""
    pegs = {0: [row, 7, 7, 7, 7, 7], 1: [2] * 6}
    state = table(engine, {"free_scoring_take": take}, pegs=pegs, centre=[0, 0, 0, 0, 1])
    before = state.to_dict()
    state.apply_action(free(0))
    shown = state.to_dict()
    moved = result - row
    assert shown["pegs"][0][0] == result
    assert shown["box"][0] == before["box"][0] + moved
    assert shown["centre"][:2] == [left, 1]
    assert shown["pool"][0] == before["pool"][0] + 4 - left - moved
    assert (shown["turns"], shown["idle"], shown["front"]) == (21, 0, [])
    assert shown["phase"] == ("over" if result == 7 else "refill" if left < 2 else "choose")


# Empty pool


@pytest.mark.rule("TC-23", "TC-24", "TC-25")
@pytest.mark.fault("A085")
@pytest.mark.parametrize("tie", ["any", "unique"])
def test_with_an_empty_pool_a_free_scoring_is_always_open(engine: ModuleType, tie: str) -> None:
    """Tied rows do not matter then; the centre holds what is needed."""
    pegs = {0: [7, 7, 6, 6, 7, 7], 1: [7, 7, 7, 7, 7, 6], 2: [6, 6, 7, 7, 6, 7]}
    state = table(engine, {"free_scoring_tie": tie}, players=3, pegs=pegs, pool=[])
    assert state.to_dict()["centre"] == [1] * 6
    assert state.legal_actions() == [free(2), free(3)]
    assert not state.is_legal(DRAW)
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(DRAW)
    state.apply_action(free(2))
    shown = state.to_dict()
    assert (shown["pool"], shown["centre"]) == ([0] * 6, [1, 1, 0, 1, 1, 1])
    # The peg has arrived: the same seat has an extra turn, and its row is the only lowest one.
    assert (shown["phase"], shown["seat"], state.legal_actions()) == ("choose", 0, [free(3)])


@pytest.mark.rule("TC-23")
@pytest.mark.fault("A085")
def test_with_an_empty_pool_and_a_small_centre_play_goes_on(engine: ModuleType) -> None:
    pegs = {0: [7, 7, 7, 7, 7, 6], 1: [7, 7, 7, 7, 7, 6], 2: [7, 7, 7, 7, 7, 6]}
    state = table(engine, players=3, seat=2, pegs=pegs, pool=[])
    assert state.to_dict()["centre"] == [0, 0, 0, 0, 0, 3]
    assert state.legal_actions() == [free(5)]
    one = table(engine, {"free_scoring_take": "one"}, players=3, seat=2, pegs=pegs, pool=[])
    for played, left in ((state, 0), (one, 2)):
        played.apply_action(free(5))
        shown = played.to_dict()
        assert (shown["phase"], shown["centre"][5]) == ("over", left)
        assert shown["pool"][5] == 2 - left
        assert played.winners() == [2]


@pytest.mark.rule("TC-24")
@pytest.mark.fault("A085")
def test_after_the_last_tile_of_the_pool_the_player_must_score(engine: ModuleType) -> None:
    pegs = {0: [7, 7, 6, 6, 7, 6], 1: [7, 7, 7, 7, 7, 6], 2: [6, 6, 7, 7, 6, 7]}
    state = table(engine, players=3, pegs=pegs, pool=[5])
    state = drawn(state, 5)
    shown = state.to_dict()
    assert (shown["phase"], shown["front"], shown["pool"]) == ("decide", [5], [0] * 6)
    assert state.legal_actions() == [SCORE]
    state.apply_action(SCORE)
    assert state.to_dict()["pool"] == [0, 0, 0, 0, 0, 1]


@pytest.mark.rule("TC-23")
@pytest.mark.fault("A085")
@pytest.mark.parametrize(
    "options", [{"players": 3}, {"players": 3, "free_scoring_tie": "unique"}], ids=str
)
def test_the_pool_runs_empty_in_games_of_three(engine: ModuleType, options: dict[str, Any]) -> None:
    """Few free scorings are refused by chance, so this takes a player who always draws while it is possible."""
    empty = 0
    for seed in range(effort(engine, native=60, reference=6)):
        rng = engine.Rng(seed)
        state = load(engine, NAME, **options).new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(state.sample_chance(rng))
                continue
            assert legal
            empty += not any(state.to_dict()["pool"])
            state.apply_action(SCORE if SCORE in legal else legal[0])
    assert empty


# Bonus turns and ends


@pytest.mark.rule("TC-3", "TC-26")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_pass_from_seat_to_seat(engine: ModuleType, players: int) -> None:
    state = table(engine, players=players, seat=players - 1, centre=[0, 1, 2])
    seats = []
    for turn in range(players + 2):
        shown = state.to_dict()
        assert (shown["phase"], shown["turns"], shown["idle"]) == ("choose", 20 + turn, turn)
        seats.append(shown["seat"])
        state = (
            drawn(state, 3 if turn == 0 else 4 if turn == 1 else 5)
            if turn < 3
            else drawn(state, 5, 5)
        )
    assert seats == [(players - 1 + turn) % players for turn in range(players + 2)]


@pytest.mark.rule("TC-27")
@pytest.mark.fault("A089")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_seat_moves_again_once_and_then_the_next_seat(
    engine: ModuleType, players: int
) -> None:
    target = TARGETS[players]
    state = table(engine, players=players, pegs={0: [target - 1, 1, 1, 1, 1, 1]}, centre=[0, 2, 3])
    state = drawn(state, 0).child(SCORE)
    shown = state.to_dict()
    assert shown["pegs"][0][0] == target
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("refill", 0, 0)
    assert shown["turns"] == 21
    state.apply_action(2)
    assert (state.to_dict()["phase"], state.to_dict()["seat"]) == ("choose", 0)
    state = drawn(state, 5)
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turns"]) == ("choose", 1, 22)


@pytest.mark.rule("TC-27")
@pytest.mark.fault("A089")
def test_two_pegs_at_the_target_give_two_bonus_turns(engine: ModuleType) -> None:
    state = table(engine, pegs={0: [6, 5, 1, 1, 1, 1]}, centre=[0, 1, 2, 3, 4])
    state = drawn(state, 0, 1).child(SCORE)
    seats = []
    for symbol in (5, 5, 5):
        shown = state.to_dict()
        assert shown["phase"] == "choose"
        seats.append((shown["seat"], shown["pending_bonus"]))
        state = drawn(state, 5, 5) if shown["centre"][5] else drawn(state, symbol)
    assert seats == [(0, 1), (0, 0), (1, 0)]


@pytest.mark.rule("TC-27")
def test_a_peg_at_the_target_earns_nothing_more_and_free_scoring_earns_too(
    engine: ModuleType,
) -> None:
    state = drawn(table(engine, pegs={0: [7, 1, 1, 1, 1, 1]}, centre=[0, 2, 3, 4, 5]), 0)
    assert state.child(SCORE).to_dict()["seat"] == 1
    state = table(engine, pegs={0: [5, 7, 7, 6, 6, 6]}, centre=[0, 0, 3, 4, 5])
    shown = state.child(free(0)).to_dict()
    assert (shown["seat"], shown["phase"], shown["pegs"][0][0]) == (0, "choose", 7)


@pytest.mark.rule("TC-28", "TC-29", "TC-31")
@pytest.mark.fault("A095")
@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (3, 2), (4, 3)])
@pytest.mark.parametrize("way", ["score", "free"])
def test_a_seat_wins_when_all_pegs_are_at_the_target(
    engine: ModuleType, players: int, seat: int, way: str
) -> None:
    """All symbols in front are scored, also behind the one that wins, and nothing is refilled."""
    target = TARGETS[players]
    pegs = {other: [1, 2, 1, 1, 1, 1] for other in range(players)}
    pegs[seat] = [target - 1, *[target] * 5]
    state = table(engine, players=players, seat=seat, pegs=pegs, centre=[0, 1, 2], idle=4)
    before = state.to_dict()
    state = drawn(state, 0, 1).child(SCORE) if way == "score" else state.child(free(0))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("over", seat, 0)
    assert (shown["turns"], shown["idle"], shown["front"]) == (21, 0, [])
    assert shown["centre"] == ([0, 0, 1, 0, 0, 0] if way == "score" else [0, 1, 1, 0, 0, 0])
    assert total(shown) == total(before) == [21] * 6
    assert state.winners() == [seat]
    assert not state.is_truncated()
    assert state.returns().tolist() == returns_of([seat], players)
    assert state.scores().tolist() == [target if other == seat else 1 for other in range(players)]


@pytest.mark.rule("TC-26", "TC-28")
def test_five_pegs_at_the_target_do_not_win(engine: ModuleType) -> None:
    state = table(engine, pegs={0: [5, 6, 7, 7, 7, 7]}, centre=[1, 2, 3])
    state = drawn(state, 1).child(SCORE)
    assert state.to_dict()["pegs"][0] == [5, 7, 7, 7, 7, 7]
    assert not state.is_terminal()


@pytest.mark.rule("TC-26", "TC-30")
def test_caps_count_busts_too(engine: ModuleType) -> None:
    for options, over in (
        ({"max_turns": 21}, True),
        ({"max_turns": 22}, False),
        ({"no_progress_limit": 3}, True),
        ({"no_progress_limit": 4}, False),
    ):
        state = drawn(table(engine, options, centre=[0, 1, 2], idle=2), 0, 5)
        shown = state.to_dict()
        assert state.is_terminal() == state.is_truncated() == over
        assert (shown["idle"], shown["turns"], shown["front"]) == (3, 21, [])
        assert shown["centre"] == [2, 1, 1, 0, 0, 1]
    state = drawn(table(engine, {"no_progress_limit": 3}, centre=[0, 1, 2], idle=2), 0).child(SCORE)
    assert (state.to_dict()["idle"], state.is_terminal()) == (0, False)
    pegs = {0: [6, 7, 7, 7, 7, 7]}
    state = table(engine, {"max_turns": 21}, pegs=pegs, centre=[0, 1, 2]).child(free(0))
    assert (state.winners(), state.is_truncated()) == ([0], False)
    state = table(engine, {"max_turns": 21}, pegs={0: [6, 1, 1, 1, 1, 1]}, centre=[0, 1, 2])
    shown = drawn(state, 0).child(SCORE).to_dict()
    assert (shown["phase"], shown["pending_bonus"]) == ("over", 0)
    assert shown["centre"] == [0, 1, 1, 0, 0, 0]


@pytest.mark.rule("TC-30", "TC-31")
@pytest.mark.fault("A100")
@pytest.mark.parametrize(
    ("pegs", "winners"),
    [
        ([[3, 3, 3, 3, 3, 3], [2, 6, 6, 6, 6, 6], [3, 3, 3, 3, 3, 2]], [0]),
        ([[1, 2, 7, 3, 3, 3], [3, 3, 2, 3, 1, 7], [0, 3, 3, 3, 3, 3]], [0, 1]),
        ([[4, 4, 4, 4, 4, 6], [4, 4, 4, 4, 4, 7], [4, 4, 4, 4, 4, 5]], [1]),
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


@pytest.mark.rule("TC-31")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_utilities(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    assert (game.max_utility(), game.min_utility()) == (1, -1 / (players - 1))


@pytest.mark.rule("TC-20", "TC-33")
@pytest.mark.fault("A080")
def test_a_locked_game_ends_by_the_cap_on_idle_turns(engine: ModuleType) -> None:
    """The pool has two green tiles and the centre none; all rows are tied, and only seat 2 needs green.

    So seats 0 and 2 bust, and seats 1 and 3 put both tiles back into the pool.
    """
    pegs = {seat: [4, 5, 4, 4, 4, 4] for seat in (0, 1, 3)} | {2: [5, 4, 4, 4, 4, 4]}
    state = table(engine, {"free_scoring_tie": "unique"}, players=4, pegs=pegs, pool=[1, 1])
    assert state.to_dict()["centre"] == [4, 0, 5, 5, 5, 5]
    for turn in range(100):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"], shown["idle"]) == ("choose", turn % 4, turn)
        assert state.legal_actions() == [DRAW]
        state.apply_action(DRAW)
        assert state.chance_outcomes() == [(1, 1.0)]
        state.apply_action(1)
        if turn % 2:
            assert state.legal_actions() == [SCORE]
            state.apply_action(SCORE)
    assert state.is_truncated()
    assert state.winners() == [0, 1, 2, 3]
    assert state.to_dict()["pegs"] == [pegs[seat] for seat in range(4)]
