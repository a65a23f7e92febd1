"""Optimus 2: the rolls of the active player, passing, and the silver cascade, on both engines."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.optimus2_sheet import DICE, SILVER_ROWS, SUM, silver
from tests.rules.optimus2_table import (
    FREE,
    NAME,
    NO_DIE,
    OWN,
    act,
    choices,
    faces,
    lying,
    pick,
    table,
    throw,
)
from tests.rules.shared import load
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

NO_REROLL = {"used": {"reroll": 1}}
FULL_LINES: dict[str, Any] = {"blue": [12] * 12, "green_faces": [6] * 12, "pink": [6] * 12}


def at(state: State, place: str) -> dict[str, int | None]:
    """Give the dice in a place with their faces."""
    shown = state.to_dict()
    return {DICE[die]: faces(shown)[die] for die in lying(shown, place)}


def silver_of(state: State, seat: int = 0) -> dict[str, list[int]]:
    """Give the silver area of a seat."""
    area: dict[str, list[int]] = state.to_dict()["sheets"][seat]["silver"]
    return area


def area(**rows: list[int]) -> dict[str, list[int]]:
    """Give a silver area with these crosses."""
    return {row: rows.get(row, []) for row in SILVER_ROWS}


# Rolls and choices


@pytest.mark.rule("O2-35", "O2-36")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_first_turn_begins_with_a_roll_of_all_dice(engine: ModuleType, players: int) -> None:
    state = load(engine, NAME, players=players).new_initial_state()
    shown = state.to_dict()
    assert (shown["phase"], shown["round"], shown["active"], shown["roll"]) == ("roll", 1, 0, 1)
    assert [sheet["reroll"]["earned"] for sheet in shown["sheets"]] == [1] * players
    for die in range(6):
        assert state.current_player() == tc.PlayerId.CHANCE
        assert state.chance_outcomes() == [(6 * die + face, 1 / 6) for face in range(6)]
        state.apply_action(6 * die + die)
    assert at(state, "pool") == dict(zip(DICE, range(1, 7), strict=True))
    assert state.to_dict()["phase"] == "pick"


@pytest.mark.rule("O2-36")
def test_lower_dice_go_to_the_platter_and_equal_ones_stay(engine: ModuleType) -> None:
    state = table(engine, sheets={0: NO_REROLL}, pool="w4 y3 b4 g5 p1 s6")
    state = act(state, "pick white 4 as pink, write 4 in pink")
    assert at(state, "field") == {"white": 4}
    assert at(state, "platter") == {"yellow": 3, "pink": 1}
    assert at(state, "pool") == {"blue": None, "green": None, "silver": None}
    assert state.to_dict()["roll"] == 2
    assert state.chance_outcomes() == [(12 + face, 1 / 6) for face in range(6)]
    state = throw(state, "b1 g3 s3")
    assert state.to_dict()["phase"] == "pick"
    state = act(state, "pick green 3, write 3 in green")
    assert at(state, "field") == {"white": 4, "green": 3}
    assert at(state, "platter") == {"yellow": 3, "blue": 1, "pink": 1}
    state = throw(state, "s2")
    assert state.to_dict()["roll"] == 3


@pytest.mark.rule("O2-26", "O2-36")
def test_a_worked_check_of_blue(engine: ModuleType) -> None:
    """Example: blue 2 and white 5 behind an 8: white as blue writes 7 and takes the dice below 5 off the pool."""
    dice = "w5 b2 y4 g5 p6 s1"
    state = table(engine, sheets={0: {"blue": [8], **NO_REROLL}}, pool=dice)
    white = act(state, "pick white as blue, write 7 in blue")
    assert white.to_dict()["sheets"][0]["blue"] == [8, 7]
    assert at(white, "platter") == {"yellow": 4, "blue": 2, "silver": 1}
    blue = act(state, "pick blue, write 7 in blue")
    assert at(blue, "platter") == {"silver": 1}
    for last in (6, 2):
        state = table(engine, sheets={0: {"blue": [last], **NO_REROLL}}, pool=dice)
        assert not [text for text in choices(state) if "in blue" in text]


@pytest.mark.rule("O2-26")
def test_blue_and_white_can_both_be_written_in_one_turn(engine: ModuleType) -> None:
    state = table(engine, sheets={0: NO_REROLL}, pool="w6 b1 y1 g6 p6 s6")
    state = act(state, "pick white as blue, write 7 in blue")
    assert state.to_dict()["sheets"][0]["blue"] == [7]
    # Blue lies on the platter now; had it stayed in the pool, the second number would need its new face.
    state = table(engine, sheets={0: NO_REROLL}, pool="w2 b5 y1 g6 p6 s6")
    state = throw(act(state, "pick white as blue, write 7 in blue"), "b1 g6 p6 s6")
    state = act(state, "pick blue, write 3 in blue")
    assert state.to_dict()["sheets"][0]["blue"] == [7, 3]
    assert at(state, "field") == {"white": 2, "blue": 1}


@pytest.mark.rule("O2-39", "O2-40", "O2-81")
def test_a_high_choice_ends_the_rolls_early(engine: ModuleType) -> None:
    state = table(engine, round=2, pool="w6 y1 b2 g3 p4 s5")
    state = act(state, "pick white 6 as pink, write 6 in pink")
    shown = state.to_dict()
    assert (shown["phase"], shown["roll"]) == ("extra", 2)
    assert at(state, "field") == {"white": 6}
    assert at(state, "platter") == {"yellow": 1, "blue": 2, "green": 3, "pink": 4, "silver": 5}


@pytest.mark.rule("O2-35", "O2-40")
def test_after_three_rolls_the_pool_goes_to_the_platter(engine: ModuleType) -> None:
    state = table(engine, round=2, roll=3, pool="w2 y5 b3 g3", field="s4 p5")
    state = act(state, "pick white 2 as pink, write 2 in pink")
    shown = state.to_dict()
    assert (shown["phase"], shown["roll"], shown["seat"]) == ("extra", 3, 0)
    assert at(state, "field") == {"white": 2, "pink": 5, "silver": 4}
    assert at(state, "platter") == {"yellow": 5, "blue": 3, "green": 3}
    assert at(state, "pool") == {}


@pytest.mark.rule("O2-40", "O2-34")
def test_leftovers_lie_in_the_pool_while_the_third_choice_brings_bonuses(
    engine: ModuleType,
) -> None:
    # Green 4 brings a blue ?
    sheet: dict[str, Any] = {"green_faces": [1, 1, 1]}
    state = table(engine, round=2, roll=3, sheets={0: sheet}, pool="g2 y5 b3 p1", field="w4 s5")
    state = act(state, "pick green 2, write 2 in green")
    assert state.to_dict()["due"] == ["q_blue"]
    assert at(state, "pool") == {"yellow": 5, "blue": 3}
    assert at(state, "platter") == {"pink": 1}
    state = act(state, "write 12 in blue")
    assert at(state, "platter") == {"yellow": 5, "blue": 3, "pink": 1}
    assert state.to_dict()["phase"] == "extra"


# Passing


@pytest.mark.rule("O2-37")
def test_a_pass_uses_up_the_roll_and_moves_nothing(engine: ModuleType) -> None:
    state = table(engine, players=2, sheets={0: NO_REROLL}, pool="w1 y2 b3 g4 p5 s6")
    before = state.to_dict()["sheets"]
    for roll in (1, 2, 3):
        assert state.to_dict()["roll"] == roll
        assert state.is_legal(NO_DIE)
        assert state.action_to_string(NO_DIE) == "pick no die"
        state = act(state, NO_DIE)
        assert state.to_dict()["sheets"] == before
        if roll < 3:
            assert at(state, "pool") == dict.fromkeys(DICE)
            state = throw(state, "w1 y2 b3 g4 p5 s6")
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"]) == ("passive", 1)
    assert len(at(state, "platter")) == 6


@pytest.mark.rule("O2-38")
def test_only_when_stuck_a_pass_needs_a_pool_without_a_mark(engine: ModuleType) -> None:
    stuck = {"only": {"pass_policy": "only_when_stuck"}, "free": {}}
    # Only blue is left to roll, and its sum of 11 is too high.
    sheet: dict[str, Any] = {"blue": [2]}
    for options in stuck.values():
        state = table(
            engine, options, roll=2, sheets={0: sheet}, pool="b5", field="w6", platter="y1 g1 p1 s1"
        )
        assert state.to_dict()["sheets"][0]["reroll"] == {"earned": 1, "used": 0}
        assert choices(state) == ["pick no die", "reroll"]
        assert act(state, NO_DIE).to_dict()["roll"] == 3
    state = table(engine, stuck["only"], roll=2, pool="b5", field="w6", platter="y1 g1 p1 s1")
    assert choices(state) == ["reroll", "pick blue, write 11 in blue"]
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(NO_DIE)
    state = table(engine, {}, roll=2, pool="b5", field="w6", platter="y1 g1 p1 s1")
    assert choices(state) == ["pick no die", "reroll", "pick blue, write 11 in blue"]


@pytest.mark.rule("O2-38")
def test_only_when_stuck_is_about_the_pool_at_its_present_faces(engine: ModuleType) -> None:
    game = load(engine, NAME, players=2, pass_policy="only_when_stuck")
    for seed in range(effort(engine, native=30, reference=2)):
        for state in walk(game, seed):
            shown = state.to_dict()
            if shown["phase"] == "pick" and not shown["due"] and not shown["cascade"]:
                dice = [action for action in state.legal_actions() if action >= OWN]
                assert state.is_legal(NO_DIE) == (not dice)
            if shown["phase"] == "passive" and not shown["due"]:
                assert state.is_legal(NO_DIE)


# The silver cascade


@pytest.mark.rule("O2-41", "O2-42", "O2-43", "O2-82")
def test_a_worked_check_of_a_silver_choice(engine: ModuleType) -> None:
    """Example: silver 5 takes white 2, yellow 3 and blue 4 along; green and pink 6 stay in the pool."""
    state = table(engine, sheets={0: NO_REROLL}, pool="w2 y3 b4 g6 p6 s5")
    assert [text for text in choices(state) if text.startswith("pick silver")] == [
        f"pick silver 5, cross the 5 of the {row} row" for row in SILVER_ROWS
    ]
    state = act(state, "pick silver 5, cross the 5 of the green row")
    assert silver_of(state) == area(yellow=[3], blue=[4], green=[5])
    shown = state.to_dict()
    assert (shown["phase"], shown["cascade"], shown["due"]) == ("pick", "white", [])
    assert at(state, "platter") == {"white": 2, "yellow": 3, "blue": 4}
    assert choices(state) == [f"cross the 2 of the {row} row" for row in SILVER_ROWS]
    assert state.legal_actions() == [FREE + silver(row, 2) for row in SILVER_ROWS]
    state = act(state, "cross the 2 of the pink row")
    assert silver_of(state) == area(yellow=[3], blue=[4], green=[5], pink=[2])
    assert state.to_dict()["cascade"] is None
    assert state.to_dict()["roll"] == 2
    assert at(state, "pool") == {"green": None, "pink": None}


@pytest.mark.rule("O2-44", "O2-46", "O2-40")
@pytest.mark.parametrize("leftovers", [False, True])
def test_a_worked_check_of_silver_on_the_third_roll(engine: ModuleType, leftovers: bool) -> None:
    """Example: silver 4 with yellow 2, green 4 and pink 6 in the pool crosses yellow 2, and all three with leftovers."""
    options: dict[str, Any] = {"silver_cascade_leftovers": leftovers}
    for row in ("yellow", "blue"):
        state = table(engine, options, round=2, roll=3, pool="s4 y2 g4 p6", field="w6 b5")
        state = act(state, f"pick silver 4, cross the 4 of the {row} row")
        expected = area(yellow=[2], **({"green": [4], "pink": [6]} if leftovers else {}))
        expected[row] = sorted([*expected[row], 4])
        assert silver_of(state) == expected
        assert state.to_dict()["phase"] == "extra"
        assert at(state, "platter") == {"yellow": 2, "green": 4, "pink": 6}


@pytest.mark.rule("O2-46")
@pytest.mark.parametrize("roll", [1, 2])
def test_leftovers_are_those_of_the_third_roll(engine: ModuleType, roll: int) -> None:
    options: dict[str, Any] = {"silver_cascade_leftovers": True}
    places: dict[str, Any] = {"pool": "s4 y2 g4 p6 w6 b5"}
    if roll == 2:
        places = {"pool": "s4 y2 g4 p6", "field": "w6", "platter": "b5"}
    state = table(engine, options, roll=roll, sheets={0: NO_REROLL}, **places)
    state = act(state, "pick silver 4, cross the 4 of the blue row")
    assert silver_of(state) == area(yellow=[2], blue=[4])
    assert state.to_dict()["cascade"] is None


@pytest.mark.rule("O2-43", "O2-46", "O2-82")
def test_a_die_left_over_chooses_its_row_as_the_last_one(engine: ModuleType) -> None:
    options: dict[str, Any] = {"silver_cascade_leftovers": True}
    state = table(engine, options, round=2, roll=3, pool="w3 y2 g4 s5", field="p6 b5")
    state = act(state, "pick white 3 as silver, cross the 3 of the blue row")
    assert silver_of(state) == area(yellow=[2], blue=[3], green=[4])
    assert state.to_dict()["cascade"] == "silver"
    assert at(state, "pool") == {"green": 4, "silver": 5}
    assert choices(state) == [f"cross the 5 of the {row} row" for row in SILVER_ROWS]
    state = act(state, "cross the 5 of the pink row")
    assert silver_of(state) == area(yellow=[2], blue=[3], green=[4], pink=[5])
    assert at(state, "platter") == {"yellow": 2, "green": 4, "silver": 5}


@pytest.mark.rule("O2-41", "O2-43")
def test_white_as_silver_takes_the_silver_die_along(engine: ModuleType) -> None:
    state = table(engine, sheets={0: NO_REROLL}, pool="w5 y6 b2 g6 p6 s4")
    state = act(state, "pick white 5 as silver, cross the 5 of the pink row")
    assert silver_of(state) == area(blue=[2], pink=[5])
    assert state.to_dict()["cascade"] == "silver"
    state = act(state, "cross the 4 of the pink row")
    assert silver_of(state) == area(blue=[2], pink=[4, 5])
    # A silver die that is not lower stays in the pool and is not crossed.
    state = table(engine, sheets={0: NO_REROLL}, pool="w5 y6 b2 g6 p6 s5")
    state = act(state, "pick white 5 as silver, cross the 5 of the pink row")
    assert silver_of(state) == area(blue=[2], pink=[5])
    assert at(state, "pool") == dict.fromkeys(("yellow", "green", "pink", "silver"))


@pytest.mark.rule("O2-42", "O2-43")
@pytest.mark.fault("A107")
def test_a_row_must_be_chosen_when_one_is_open(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {row: [2] for row in SILVER_ROWS[:3]}
    dice = "w2 y3 b6 g6 p6 s5"
    state = table(engine, sheets={0: {"silver": crossed, **NO_REROLL}}, pool=dice)
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    # One row is left: still a decision, and the only one.
    assert state.current_player() == 0
    assert choices(state) == ["cross the 2 of the pink row"]
    crossed = {row: [2] for row in SILVER_ROWS}
    state = table(engine, sheets={0: {"silver": crossed, **NO_REROLL}}, pool=dice)
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    assert state.to_dict()["cascade"] is None
    assert state.is_chance_node()
    assert silver_of(state) == area(yellow=[2, 3, 5], blue=[2], green=[2], pink=[2])


@pytest.mark.rule("O2-42")
def test_a_number_crossed_before_is_a_lost_mark(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {"yellow": [3], "blue": [4]}
    state = table(engine, sheets={0: {"silver": crossed, **NO_REROLL}}, pool="w6 y3 b4 g1 p2 s5")
    state = act(state, "pick silver 5, cross the 5 of the pink row")
    assert silver_of(state) == area(yellow=[3], blue=[4], green=[1], pink=[2, 5])


@pytest.mark.rule("O2-41", "O2-42")
def test_the_first_cross_can_take_the_place_of_a_later_one(engine: ModuleType) -> None:
    # White 4 as silver in the yellow row; yellow 3 comes to its own row all the same.
    state = table(engine, sheets={0: NO_REROLL}, pool="w4 y3 b6 g6 p6 s6")
    state = act(state, "pick white 4 as silver, cross the 4 of the yellow row")
    assert silver_of(state) == area(yellow=[3, 4])


@pytest.mark.rule("O2-42", "O2-26")
def test_blue_is_crossed_with_its_plain_face(engine: ModuleType) -> None:
    state = table(engine, sheets={0: NO_REROLL}, pool="w6 y6 b3 g6 p6 s5")
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    assert silver_of(state) == area(yellow=[5], blue=[3])


@pytest.mark.rule("O2-44")
def test_dice_on_the_platter_are_not_crossed_again(engine: ModuleType) -> None:
    state = table(
        engine, roll=2, sheets={0: NO_REROLL}, pool="s5 g3 p6", field="b4", platter="w2 y1"
    )
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    assert silver_of(state) == area(yellow=[5], green=[3])
    assert state.to_dict()["cascade"] is None
    # And what the next choice brings there is not crossed either.
    state = throw(state, "p2")
    assert silver_of(act(state, "pick pink 2, write 2 in pink")) == area(yellow=[5], green=[3])


@pytest.mark.rule("O2-45")
def test_there_is_no_cascade_without_an_active_choice_for_silver(engine: ModuleType) -> None:
    dice = "w5 y2 b2 g2 p2 s4"
    state = table(engine, sheets={0: NO_REROLL}, pool=dice)
    for text in choices(state):
        after = act(state, text)
        if "silver" not in text and text != "pick no die":
            assert silver_of(after) == area()
            assert after.to_dict()["cascade"] is None
    passive = table(engine, players=2, phase="passive", seat=1, platter=dice)
    after = act(passive, "pick silver 4, cross the 4 of the pink row")
    assert silver_of(after, 1) == area(pink=[4])
    for text in (
        "pick silver 4, cross the 4 of the pink row",
        "pick white 5 as silver, cross the 5 of the pink row",
    ):
        extra = table(engine, players=2, phase="extra", round=2, roll=3, platter=dice)
        after = act(extra, text)
        assert sum(map(len, silver_of(after).values())) == 1
        assert after.to_dict()["cascade"] is None


@pytest.mark.rule("O2-47", "O2-83", "O2-31")
def test_one_choice_can_complete_several_columns(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {
        "yellow": [2, 4, 5],
        "blue": [1, 3, 4, 5],
        "green": [1, 2, 3, 4, 5],
        "pink": [1, 2, 3, 5],
    }
    sheet: dict[str, Any] = {"silver": crossed, **NO_REROLL}
    state = table(engine, sheets={0: sheet}, pool="w1 y3 b2 g6 p4 s6")
    # 3 is complete with yellow, 2 with blue, 4 with pink, and 1 with the row that white chooses.
    state = act(state, "pick silver 6, cross the 6 of the green row")
    shown = state.to_dict()
    assert shown["cascade"] == "white"
    assert shown["due"] == ["fox", "q_yellow", "q_blue"]
    assert shown["sheets"][0]["foxes"] == 0
    assert choices(state) == ["cross the 1 of the yellow row"]
    state = act(state, "cross the 1 of the yellow row")
    shown = state.to_dict()
    assert shown["due"] == ["q_yellow", "q_blue"]
    assert shown["sheets"][0]["foxes"] == 1
    assert shown["sheets"][0]["extra_die"]["earned"] == 1


@pytest.mark.rule("O2-31", "O2-47")
def test_the_first_cross_comes_before_those_of_the_cascade(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {"yellow": [5], "blue": [2, 5], "green": [2, 5], "pink": [2]}
    state = table(engine, sheets={0: {"silver": crossed, **NO_REROLL}}, pool="w6 y2 b6 g6 p6 s5")
    state = act(state, "pick silver 5, cross the 5 of the pink row")
    assert state.to_dict()["due"] == ["q_green", "q_yellow"]


@pytest.mark.rule("O2-28")
def test_a_die_without_a_mark_is_not_offered(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {
        **FULL_LINES,
        "yellow": {3: 2, 6: 2},
        "silver": {row: [2] for row in SILVER_ROWS},
    }
    state = table(engine, sheets={0: sheet}, pool="w2 y2 b2 g2 p2 s2")
    assert choices(state) == ["pick no die", "reroll"]
    for action in (pick(2, SUM + 4), pick(5, silver("blue", 2)), pick(0, silver("blue", 2))):
        with pytest.raises(tc.IllegalActionError):
            state.apply_action(action)


@pytest.mark.rule("O2-36", "O2-5")
def test_dice_on_fields_and_platter_keep_their_faces(engine: ModuleType) -> None:
    game = load(engine, NAME, players=2)
    for seed in range(effort(engine, native=20, reference=2)):
        shown = [state.to_dict() for state in walk(game, seed)]
        for before, after in pairwise(shown):
            if after["active"] != before["active"] or after["round"] != before["round"]:
                continue
            for die in DICE:
                old, new = before["dice"][die], after["dice"][die]
                if old["place"] != "pool" and new["place"] != "pool":
                    assert old == new
