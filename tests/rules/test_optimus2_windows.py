"""Optimus 2: rerolls, returns and extra dice, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import effort
from tests.rules.optimus2_sheet import DICE
from tests.rules.optimus2_table import (
    GO_ON,
    NAME,
    NO_DIE,
    REROLL,
    RETURN,
    act,
    choices,
    faces,
    lying,
    table,
    throw,
)
from tests.rules.shared import load
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

FULL: dict[str, Any] = {
    "blue": [12] * 12,
    "green_faces": [6] * 12,
    "pink": [1] * 12,
    "yellow": dict.fromkeys(range(10), 2),
}


def bar(state: State, name: str, seat: int = 0) -> tuple[int, int]:
    """Give how many actions of a bar are earned and used."""
    found = state.to_dict()["sheets"][seat][name]
    return found["earned"], found["used"]


def phase(state: State) -> str:
    """Give the phase."""
    return str(state.to_dict()["phase"])


def at(state: State, place: str) -> dict[str, int | None]:
    """Give the dice in a place with their faces."""
    shown = state.to_dict()
    return {DICE[die]: faces(shown)[die] for die in lying(shown, place)}


# Rerolls


@pytest.mark.rule("O2-48", "O2-80")
def test_a_reroll_throws_all_dice_of_the_pool_again(engine: ModuleType) -> None:
    state = table(engine, roll=2, pool="b1 g2 p2", field="w4", platter="y3 s1")
    assert choices(state)[:2] == ["pick no die", "reroll"]
    assert state.current_player() == 0
    state = act(state, REROLL)
    assert bar(state, "reroll") == (1, 1)
    assert (phase(state), state.to_dict()["roll"]) == ("roll", 2)
    assert at(state, "pool") == {"blue": None, "green": None, "pink": None}
    assert at(state, "field") == {"white": 4}
    assert at(state, "platter") == {"yellow": 3, "silver": 1}
    state = throw(state, "b6 g6 p6")
    assert phase(state) == "pick"
    assert state.to_dict()["roll"] == 2
    assert not state.is_legal(REROLL)


@pytest.mark.rule("O2-48", "O2-80")
def test_rerolls_may_follow_one_another(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"green_faces": [1, 1], "yellow": {2: 1, 6: 1}}
    state = table(engine, sheets={0: sheet}, pool="w1 y1 b1 g1 p1 s1")
    for used in (1, 2, 3):
        state = throw(act(state, REROLL), "w1 y1 b1 g1 p1 s2")
        assert bar(state, "reroll") == (3, used)
        assert (phase(state), state.to_dict()["roll"]) == ("pick", 1)
        assert state.is_legal(REROLL) == (used < 3)


@pytest.mark.rule("O2-48", "O2-80")
def test_a_reroll_stands_beside_the_choice_and_the_pass(engine: ModuleType) -> None:
    dice = "w1 y2 b3 g4 p5 s6"
    ready = table(engine, pool=dice)
    spent = table(engine, sheets={0: {"used": {"reroll": 1}}}, pool=dice)
    assert ready.legal_actions() == [NO_DIE, REROLL, *spent.legal_actions()[1:]]
    assert not spent.is_legal(REROLL)
    for action in (NO_DIE, "pick pink 5, write 5 in pink"):
        assert bar(act(ready, action), "reroll") == (1, 0)


@pytest.mark.rule("O2-48", "O2-34")
def test_rows_and_bonuses_of_a_choice_cannot_be_rolled_again(engine: ModuleType) -> None:
    state = act(
        table(engine, pool="w1 y6 b6 g6 p6 s5"), "pick silver 5, cross the 5 of the blue row"
    )
    assert (phase(state), state.to_dict()["cascade"]) == ("pick", "white")
    assert bar(state, "reroll") == (1, 0)
    assert not state.is_legal(REROLL)
    state = table(engine, sheets={0: {"yellow": {6: 1}}}, pool="w6 y5 b6 g6 p6 s6")
    state = act(state, "pick yellow 5, circle the 5 of row 4")
    assert (phase(state), state.to_dict()["due"]) == ("pick", ["q_green"])
    assert bar(state, "reroll") == (1, 0)
    assert not state.is_legal(REROLL)


@pytest.mark.rule("O2-58")
@pytest.mark.fault("A010")
def test_a_reroll_earned_in_a_turn_is_offered_in_it(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"green_faces": [6], "used": {"reroll": 1}}
    state = table(engine, sheets={0: sheet}, pool="w6 y6 b6 g1 p6 s6")
    state = act(state, "pick green 1, write 1 in green")
    assert bar(state, "reroll") == (2, 1)
    state = throw(state, "w1 y1 b1 p1 s1")
    assert (phase(state), state.to_dict()["roll"]) == ("pick", 2)
    assert state.is_legal(REROLL)


# Returns


@pytest.mark.rule("O2-49", "O2-50", "O2-52")
@pytest.mark.fault("A010")
def test_a_die_of_the_platter_returns_before_the_next_roll(engine: ModuleType) -> None:
    state = table(engine, round=3, pool="w4 y3 b4 g5 p1 s6")
    assert not any(state.is_legal(RETURN + die) for die in range(6))
    state = act(state, "pick white 4 as pink, write 4 in pink")
    assert (phase(state), state.to_dict()["roll"], state.current_player()) == ("return", 2, 0)
    assert choices(state) == ["go on", "return yellow", "return pink"]
    assert at(state, "pool") == {"blue": None, "green": None, "silver": None}
    back = act(state, "return yellow")
    assert bar(back, "return") == (1, 1)
    assert phase(back) == "roll"
    assert at(back, "pool") == {"yellow": None, "blue": None, "green": None, "silver": None}
    assert at(back, "platter") == {"pink": 1}
    back = throw(back, "y6 b6 g6 s6")
    assert phase(back) == "pick"
    assert not any(back.is_legal(RETURN + die) for die in range(6))
    kept = act(state, GO_ON)
    assert phase(kept) == "roll"
    assert bar(kept, "return") == (1, 0)


@pytest.mark.rule("O2-49")
def test_several_dice_may_return_before_one_roll(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"yellow": {2: 1, 3: 1}}
    state = table(engine, round=3, sheets={0: sheet}, pool="w5 y3 b4 g5 p1 s6")
    state = act(state, "pick white 5 as pink, write 5 in pink", "return pink")
    assert phase(state) == "return"
    assert choices(state) == ["go on", "return yellow", "return blue"]
    state = act(state, "return blue")
    assert phase(state) == "roll"
    assert bar(state, "return") == (2, 2)


@pytest.mark.rule("O2-49", "O2-80")
def test_without_a_die_on_the_platter_nothing_can_return(engine: ModuleType) -> None:
    state = table(engine, round=3, pool="w1 y3 b4 g5 p1 s6")
    state = act(state, "pick white 1 as pink, write 1 in pink")
    assert phase(state) == "roll"
    state = load(engine, NAME).new_initial_state()
    assert phase(state) == "roll"


@pytest.mark.rule("O2-50")
def test_the_return_window_comes_after_a_pass_too(engine: ModuleType) -> None:
    state = table(engine, round=3, roll=2, pool="b4 g5 s6", field="w4", platter="y3 p1")
    state = act(state, NO_DIE)
    assert (phase(state), state.to_dict()["roll"]) == ("return", 3)
    assert choices(state) == ["go on", "return yellow", "return pink"]


@pytest.mark.rule("O2-50", "O2-58")
@pytest.mark.fault("A010")
def test_a_return_of_the_same_choice_is_there_after_its_bonuses(engine: ModuleType) -> None:
    # Circling the 5 of row 4 brings a green ?, writing in space 5 of green a return.
    sheet: dict[str, Any] = {"yellow": {6: 1}, "green_faces": [1, 1, 1, 1], "used": {"return": 0}}
    state = table(engine, sheets={0: sheet}, pool="w4 y5 b4 g5 p1 s6")
    assert bar(state, "return") == (0, 0)
    state = act(state, "pick yellow 5, circle the 5 of row 4")
    assert state.to_dict()["due"] == ["q_green"]
    state = act(state, "write 3 in green")
    assert bar(state, "return") == (1, 0)
    assert (phase(state), state.to_dict()["roll"]) == ("return", 2)


@pytest.mark.rule("O2-51", "O2-39", "O2-81")
def test_with_an_empty_pool_the_turn_goes_on_with_what_returns(engine: ModuleType) -> None:
    state = table(engine, round=3, pool="w6 y1 b2 g3 p4 s5")
    state = act(state, "pick white 6 as pink, write 6 in pink")
    assert (phase(state), state.to_dict()["roll"]) == ("return", 2)
    assert at(state, "pool") == {}
    back = act(state, "return silver")
    assert phase(back) == "roll"
    assert at(back, "pool") == {"silver": None}
    assert back.chance_outcomes() == [(30 + face, 1 / 6) for face in range(6)]
    left = act(state, GO_ON)
    assert (phase(left), left.to_dict()["roll"]) == ("extra", 2)


@pytest.mark.rule("O2-49", "O2-51")
def test_there_is_no_return_after_the_third_roll(engine: ModuleType) -> None:
    state = table(engine, round=3, roll=3, pool="b4 g5", field="w4 s6", platter="y3 p1")
    assert phase(act(state, "pick blue, write 8 in blue")) == "extra"


@pytest.mark.rule("O2-52", "O2-53")
@pytest.mark.parametrize("early", [False, True])
def test_return_before_reroll(engine: ModuleType, early: bool) -> None:
    state = table(
        engine,
        {"return_before_reroll": early},
        round=3,
        roll=2,
        pool="b4 g5 s6",
        field="w4",
        platter="y3 p1",
    )
    state = act(state, REROLL)
    assert bar(state, "reroll") == (1, 1)
    assert at(state, "pool") == {"blue": None, "green": None, "silver": None}
    assert state.to_dict()["roll"] == 2
    if not early:
        assert phase(state) == "roll"
        return
    assert phase(state) == "return"
    assert choices(state) == ["go on", "return yellow", "return pink"]
    assert phase(act(state, GO_ON)) == "roll"
    state = act(state, "return pink")
    assert phase(state) == "roll"
    assert state.to_dict()["roll"] == 2
    state = throw(state, "b4 g5 p6 s6")
    assert phase(state) == "pick"


@pytest.mark.rule("O2-53")
def test_return_before_reroll_needs_a_return_and_a_die_on_the_platter(engine: ModuleType) -> None:
    options: dict[str, Any] = {"return_before_reroll": True}
    state = table(engine, options, round=3, pool="w1 y1 b1 g1 p1 s1")
    assert phase(act(state, REROLL)) == "roll"
    state = table(engine, options, roll=2, pool="b4 g5 s6", field="w4", platter="y3 p1")
    assert phase(act(state, REROLL)) == "roll"


# Extra dice


@pytest.mark.rule("O2-54", "O2-55")
@pytest.mark.fault("A089")
def test_an_extra_die_marks_and_nothing_is_rolled(engine: ModuleType) -> None:
    places: dict[str, Any] = {"field": "w6 g2", "platter": "y3 b1 p4 s2"}
    state = table(engine, phase="extra", players=2, round=2, roll=3, **places)
    texts = choices(state)
    assert texts[0] == "go on"
    for start in ("silver 2", "yellow 3", "blue", "green 2", "pink 4", "white 6 as silver"):
        assert [text for text in texts if text.startswith(f"pick {start}")]
    before = state.to_dict()["dice"]
    # White, chosen in this turn already, as an extra die.
    state = act(state, "pick white 6 as pink, write 6 in pink")
    shown = state.to_dict()
    assert shown["dice"] == before
    assert shown["sheets"][0]["pink"] == [6]
    assert shown["sheets"][0]["extra_dice_used"] == ["white"]
    assert bar(state, "extra_die") == (1, 1)
    # None is left, so the window closes and the next seat is asked.
    assert (shown["phase"], shown["seat"], shown["roll"]) == ("passive", 1, 0)


@pytest.mark.rule("O2-54", "O2-56")
@pytest.mark.parametrize("scope", ["round", "turn"])
def test_each_die_is_an_extra_die_once_in_a_window(engine: ModuleType, scope: str) -> None:
    sheet: dict[str, Any] = {"yellow": {0: 1, 4: 1, 8: 1}}
    state = table(
        engine,
        {"extra_die_scope": scope},
        phase="extra",
        round=2,
        roll=3,
        sheets={0: sheet},
        field="w6 g2",
        platter="y3 b1 p4 s2",
    )
    assert bar(state, "extra_die") == (2, 0)
    state = act(state, "pick pink 4, write 4 in pink")
    assert phase(state) == "extra"
    assert not [text for text in choices(state) if text.startswith("pick pink")]
    assert [text for text in choices(state) if text.startswith("pick white 6 as pink")]
    state = act(state, GO_ON)
    assert bar(state, "extra_die") == (2, 1)
    assert phase(state) == "passive_roll"


@pytest.mark.rule("O2-56", "O2-57")
@pytest.mark.parametrize("scope", ["round", "turn"])
def test_extra_dice_are_remembered_for_the_round_or_the_window(
    engine: ModuleType, scope: str
) -> None:
    options: dict[str, Any] = {"extra_die_scope": scope}
    sheet: dict[str, Any] = {"yellow": {0: 1, 4: 1, 8: 1}, "used": {"extra_die": 1}}
    sheet["extra_dice_used"] = ["pink"]
    # The active turn is over; in the solo player's passive turn the die is free again, or not.
    state = table(
        engine,
        options,
        phase="passive",
        sheets={0: sheet},
        round=2,
        platter="w1 y1 p3",
        aside="b4 g4 s4",
    )
    assert state.to_dict()["sheets"][0]["extra_dice_used"] == ["pink"]
    state = act(state, NO_DIE)
    assert phase(state) == "extra"
    free = [text for text in choices(state) if text.startswith("pick pink")]
    assert free == (["pick pink 3, write 3 in pink"] if scope == "turn" else [])
    assert state.to_dict()["sheets"][0]["extra_dice_used"] == ([] if scope == "turn" else ["pink"])
    state = act(state, GO_ON)
    assert state.to_dict()["round"] == 3
    assert state.to_dict()["sheets"][0]["extra_dice_used"] == []


@pytest.mark.rule("O2-57", "O2-80")
@pytest.mark.parametrize("scope", ["round", "turn"])
def test_used_dice_are_forgotten_when_the_window_comes_even_if_it_is_skipped(
    engine: ModuleType, scope: str
) -> None:
    used = {"used": {"extra_die": 1}, "extra_dice_used": ["blue"]}
    state = table(
        engine,
        {"extra_die_scope": scope},
        players=2,
        phase="passive",
        round=2,
        seat=1,
        sheets={1: used},
        field="w6 g2",
        platter="y3 b1 p4 s2",
    )
    state = act(state, NO_DIE)
    shown = state.to_dict()
    assert (shown["phase"], shown["active"], shown["round"]) == ("roll", 1, 2)
    assert shown["sheets"][1]["extra_dice_used"] == ([] if scope == "turn" else ["blue"])


@pytest.mark.rule("O2-56")
def test_both_players_use_the_same_die(engine: ModuleType) -> None:
    state = table(
        engine,
        players=2,
        phase="passive",
        round=2,
        seat=1,
        sheets={0: {"used": {"extra_die": 1}, "extra_dice_used": ["blue"]}},
        field="w6 g2",
        platter="y3 b1 p4 s2",
    )
    state = act(state, NO_DIE)
    assert phase(state) == "extra"
    assert "pick blue, write 7 in blue" in choices(state)


@pytest.mark.rule("O2-54", "O2-80")
def test_without_a_mark_the_window_is_not_offered(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {
        **FULL,
        "silver": {row: [1, 2, 3] for row in ("yellow", "blue", "green", "pink")},
    }
    sheet["used"] = {"return": 1}
    state = table(
        engine, round=2, roll=3, sheets={0: sheet}, pool="w3 y3 b1", field="g2 p2", platter="s1"
    )
    assert bar(state, "extra_die")[0] > 0
    assert choices(state) == ["pick no die", "reroll"]
    assert phase(act(state, NO_DIE)) == "passive_roll"
    sheet["silver"] = {row: [1, 2] for row in ("yellow", "blue", "green", "pink")}
    state = table(
        engine, round=2, roll=3, sheets={0: sheet}, pool="w3 y3 b1", field="g2 p2", platter="s1"
    )
    assert phase(act(state, NO_DIE)) == "extra"


@pytest.mark.rule("O2-54", "O2-58", "O2-34")
@pytest.mark.fault("A010")
def test_an_extra_die_earned_in_the_window_is_used_in_it(engine: ModuleType) -> None:
    # Blue space 5 brings an extra die.
    sheet: dict[str, Any] = {"blue": [12] * 4}
    state = table(
        engine,
        phase="extra",
        round=2,
        roll=3,
        sheets={0: sheet},
        field="w6 g2",
        platter="y3 b1 p4 s2",
    )
    state = act(state, "pick blue, write 7 in blue")
    assert phase(state) == "extra"
    assert bar(state, "extra_die") == (2, 1)
    assert "pick pink 4, write 4 in pink" in choices(state)


@pytest.mark.rule("O2-34", "O2-54")
def test_the_bonuses_of_an_extra_die_come_before_the_next_one(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"green_faces": [1, 1, 1], "yellow": {0: 1, 4: 1, 8: 1}}
    state = table(
        engine,
        phase="extra",
        round=2,
        roll=3,
        sheets={0: sheet},
        field="w6 g2",
        platter="y3 b1 p4 s2",
    )
    state = act(state, "pick green 2, write 2 in green")
    assert (phase(state), state.to_dict()["due"]) == ("extra", ["q_blue"])
    assert not state.is_legal(GO_ON)
    state = act(state, "write 12 in blue")
    assert (phase(state), state.to_dict()["due"]) == ("extra", [])
    assert state.is_legal(GO_ON)


@pytest.mark.rule("O2-59", "O2-66")
@pytest.mark.parametrize("players", [1, 3])
def test_rerolls_and_returns_belong_to_the_active_player(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    for seed in range(effort(engine, native=20, reference=2)):
        for state in walk(game, seed):
            shown = state.to_dict()
            if state.is_legal(REROLL) and not state.is_chance_node() and not state.is_terminal():
                assert (shown["phase"], shown["seat"]) == ("pick", shown["active"])
            if shown["phase"] == "return":
                assert state.current_player() == shown["active"]
                assert shown["roll"] >= 2


@pytest.mark.rule("O2-80")
def test_windows_are_skipped_and_other_decisions_are_not(engine: ModuleType) -> None:
    game = load(engine, NAME, players=2)
    single: set[tuple[str, bool]] = set()
    for seed in range(effort(engine, native=60, reference=6)):
        for state in walk(game, seed):
            shown = state.to_dict()
            if state.is_chance_node() or state.is_terminal():
                continue
            legal = state.legal_actions()
            assert legal
            if shown["phase"] in {"return", "extra"} and not shown["due"]:
                assert len(legal) > 1
                assert legal[0] == GO_ON
            elif len(legal) == 1:
                single.add((shown["phase"], shown["cascade"] is not None))
    assert ("pick", True) in single or ("pick", False) in single
