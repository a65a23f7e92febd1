"""Optimus 2: the passive players, and the passive turn of a solo game, on both engines."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import effort
from tests.rules.optimus2_sheet import DICE, SILVER_ROWS
from tests.rules.optimus2_table import (
    GO_ON,
    NAME,
    NO_DIE,
    TRIOS,
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

LINES: dict[str, Any] = {"green_faces": [6] * 12, "pink": [1] * 12}
# Nothing for yellow 2, blue with white 6, or silver 2
CLOSED: dict[str, Any] = {
    "yellow": {3: 2, 6: 2},
    "blue": [2],
    "silver": {row: [2] for row in SILVER_ROWS},
}


def dice_named(state: State) -> set[str]:
    """Give the dice that can be chosen."""
    texts = [text for text in choices(state) if text.startswith("pick ") and text != "pick no die"]
    return {text.split()[1].strip(",") for text in texts}


def node(state: State) -> tuple[str, int, int]:
    """Give phase, active seat and seat."""
    shown = state.to_dict()
    return shown["phase"], shown["active"], shown["seat"]


# Two and more players


@pytest.mark.rule("O2-60", "O2-61")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("active", [0, 1])
def test_the_others_choose_in_seat_order_and_may_take_the_same_die(
    engine: ModuleType, players: int, active: int
) -> None:
    state = table(
        engine,
        phase="passive",
        players=players,
        active=active,
        seat=(active + 1) % players,
        field="w6 g5 p5",
        platter="y3 b1 s2",
    )
    before = state.to_dict()["dice"]
    for place in range(1, players):
        seat = (active + place) % players
        assert node(state) == ("passive", active, seat)
        assert state.current_player() == seat
        assert dice_named(state) == {"yellow", "blue", "silver"}
        state = act(state, "pick yellow 3, circle the 3 of row 1")
        assert state.to_dict()["sheets"][seat]["yellow"][0] == 1
        if place < players - 1:
            assert state.to_dict()["dice"] == before
    following = active + 1 if active + 1 < players else 0
    assert node(state) == ("roll", following, following)
    assert state.to_dict()["round"] == (1 if following else 2)


@pytest.mark.rule("O2-61")
@pytest.mark.parametrize("field", ["", "w6", "w6 g5"])
def test_all_dice_of_the_platter_can_be_chosen(engine: ModuleType, field: str) -> None:
    dice = {"w": "w6", "y": "y3", "b": "b1", "g": "g5", "p": "p5", "s": "s2"}
    platter = [die for die in dice.values() if die not in field.split()]
    state = table(
        engine, phase="passive", players=2, seat=1, field=field, platter=" ".join(platter)
    )
    names = {die[0] for die in platter}
    assert {name[0] for name in dice_named(state)} == names


@pytest.mark.rule("O2-62", "O2-28")
@pytest.mark.fault("A008")
def test_a_field_die_is_offered_only_without_a_platter_die(engine: ModuleType) -> None:
    places: dict[str, Any] = {"field": "w6 g5 p5", "platter": "y2 b3 s2"}
    state = table(engine, phase="passive", players=2, seat=1, **places)
    assert dice_named(state) == {"yellow", "blue", "silver"}
    for name, value in CLOSED.items():
        others = {key: CLOSED[key] for key in CLOSED if key != name}
        state = table(engine, phase="passive", players=2, seat=1, sheets={1: others}, **places)
        assert dice_named(state) == {name}
        state = table(
            engine,
            phase="passive",
            players=2,
            seat=1,
            sheets={1: {**others, name: value}},
            **places,
        )
        assert dice_named(state) == {"white", "green", "pink"}
    state = act(state, "pick green 5, write 5 in green")
    assert state.to_dict()["sheets"][1]["green"] == [10]
    assert node(state)[:2] == ("roll", 1)


@pytest.mark.rule("O2-62", "O2-63")
def test_a_field_die_needs_a_mark_too(engine: ModuleType) -> None:
    full = {row: [2, 6] for row in SILVER_ROWS}
    sheet: dict[str, Any] = {
        **CLOSED,
        "silver": full,
        "yellow": {3: 2, 6: 2, 1: 2},
        "pink": [1] * 12,
    }
    places: dict[str, Any] = {"field": "w6 g5 p5", "platter": "y2 b3 s2"}
    state = table(engine, phase="passive", players=3, seat=1, sheets={1: sheet}, **places)
    # White 6 and green 5 can still write in green, pink cannot.
    assert dice_named(state) == {"white", "green"}
    sheet |= LINES
    state = table(engine, phase="extra", players=3, round=2, roll=3, sheets={1: sheet}, **places)
    assert state.to_dict()["sheets"][1]["extra_die"]["earned"] > 0
    # With nothing to mark seat 1 is not asked, neither for a die nor for an extra die.
    assert node(act(state, GO_ON)) == ("passive", 0, 2)


@pytest.mark.rule("O2-60", "O2-63")
@pytest.mark.parametrize("policy", ["free", "only_when_stuck"])
def test_declining_gives_no_field_die(engine: ModuleType, policy: str) -> None:
    state = table(
        engine,
        {"pass_policy": policy},
        phase="passive",
        players=2,
        round=2,
        seat=1,
        field="w6 g5 p5",
        platter="y2 b3 s2",
    )
    assert choices(state)[0] == "pick no die"
    before = state.to_dict()["sheets"]
    state = act(state, NO_DIE)
    assert state.to_dict()["sheets"] == before
    # But the window for extra dice comes.
    assert node(state) == ("extra", 0, 1)
    assert dice_named(state) == set(DICE)


@pytest.mark.rule("O2-55", "O2-60")
def test_each_passive_player_has_a_window_behind_the_own_choice(engine: ModuleType) -> None:
    state = table(
        engine, phase="extra", players=3, round=2, roll=3, field="w6 g5 p5", platter="y2 b3 s2"
    )
    expected = [("passive", 0, 1), ("extra", 0, 1), ("passive", 0, 2), ("extra", 0, 2)]
    state = act(state, GO_ON)
    for one in expected:
        assert node(state) == one
        assert state.to_dict()["roll"] == 0
        state = act(state, "pick blue, write 9 in blue" if one[0] == "passive" else GO_ON)
    assert node(state) == ("roll", 1, 1)


@pytest.mark.rule("O2-34", "O2-60")
def test_bonuses_of_a_passive_player_come_before_the_next_player(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"green_faces": [6, 1, 6]}
    state = table(
        engine,
        phase="passive",
        players=3,
        seat=1,
        sheets={1: sheet},
        field="w6 y5 p5",
        platter="g2 b3 s2",
    )
    state = act(state, "pick green 2, write 2 in green")
    assert node(state) == ("passive", 0, 1)
    assert state.to_dict()["due"] == ["q_blue"]
    state = act(state, "write 3 in blue")
    assert node(state) == ("passive", 0, 2)


# Solo


def rolled(engine: ModuleType, values: str, **what: Any) -> State:
    """Give a solo game in which the passive roll of the first round has come out like this."""
    return throw(table(engine, phase="passive_roll", **what), values)


@pytest.mark.rule("O2-64", "O2-80")
def test_the_passive_turn_of_a_solo_game_begins_with_a_roll(engine: ModuleType) -> None:
    state = table(engine, roll=3, pool="w5 y2 g4", field="p6 b5", platter="s4")
    state = act(state, NO_DIE)
    shown = state.to_dict()
    assert (shown["phase"], shown["round"], shown["roll"]) == ("passive_roll", 1, 0)
    assert faces(shown) == [None] * 6
    assert lying(shown, "pool") == list(range(6))
    for die in range(6):
        assert state.chance_outcomes() == [(6 * die + face, 1 / 6) for face in range(6)]
        state.apply_action(6 * die + die)
    assert node(state) == ("passive", 0, 0)


@pytest.mark.rule("O2-65", "O2-66")
def test_the_three_lowest_dice_can_be_chosen(engine: ModuleType) -> None:
    state = rolled(engine, "w3 y6 b1 g4 p2 s5")
    shown = state.to_dict()
    assert node(state) == ("passive", 0, 0)
    assert lying(shown, "platter") == [0, 2, 4]
    assert lying(shown, "aside") == [1, 3, 5]
    assert dice_named(state) == {"white", "blue", "pink"}
    assert choices(state)[0] == "pick no die"
    state = act(state, "pick blue, write 4 in blue")
    assert state.to_dict()["round"] == 2
    assert node(state) == ("roll", 0, 0)


@pytest.mark.rule("O2-65", "O2-85")
@pytest.mark.parametrize(
    ("values", "trios"),
    [
        ("w1 y2 b2 g2 p5 s6", [("white", "yellow", "blue"), ("white", "yellow", "green"), ("white", "blue", "green")]),
        ("w2 y1 b6 g1 p2 s6", [("white", "yellow", "green"), ("yellow", "green", "pink")]),
        ("w3 y3 b3 g3 p4 s6", [("white", "yellow", "blue"), ("white", "yellow", "green"), ("white", "blue", "green"), ("yellow", "blue", "green")]),
        ("w4 y4 b4 g4 p4 s4", [tuple(DICE[die] for die in trio) for trio in TRIOS]),
        ("w4 y4 b4 g4 p4 s1", [(*(DICE[die] for die in (one, two)), "silver") for one in range(5) for two in range(one + 1, 5)]),
    ],
    ids=["one of three for two places", "one of two", "three of four", "three of six", "two of five"],
)  # fmt: skip
def test_ties_for_the_third_place_are_drawn(
    engine: ModuleType, values: str, trios: list[tuple[str, ...]]
) -> None:
    state = rolled(engine, values)
    assert node(state) == ("tray", 0, 0)
    assert state.is_chance_node()
    found = state.chance_outcomes()
    game = state.get_game()
    assert [game.chance_to_string(one) for one, _ in found] == [
        f"tray {', '.join(trio)}" for trio in trios
    ]
    assert all(p == 1 / len(trios) for _, p in found)
    for (outcome, _), trio in zip(found, trios, strict=True):
        shown = act(state, outcome).to_dict()
        assert [DICE[die] for die in lying(shown, "platter")] == list(trio)
        assert len(lying(shown, "aside")) == 3
        assert faces(shown) == faces(state.to_dict())


@pytest.mark.rule("O2-65")
@pytest.mark.parametrize("values", ["w1 y1 b1 g2 p2 s2", "w1 y2 b2 g3 p4 s4", "w1 y1 b2 g3 p3 s3"])
def test_without_a_tie_for_the_third_place_nothing_is_drawn(
    engine: ModuleType, values: str
) -> None:
    state = rolled(engine, values)
    assert node(state) == ("passive", 0, 0)
    assert lying(state.to_dict(), "platter") == [0, 1, 2]


@pytest.mark.rule("O2-65")
def test_every_tie_has_so_many_trios(engine: ModuleType) -> None:
    game = load(engine, NAME)
    for seed in range(effort(engine, native=200, reference=4)):
        for state in walk(game, seed):
            if state.to_dict()["phase"] != "tray":
                continue
            values = [face or 0 for face in faces(state.to_dict())]
            third = sorted(values)[2]
            lower, same = sum(v < third for v in values), values.count(third)
            assert len(state.chance_outcomes()) == comb(same, 3 - lower) > 1


@pytest.mark.rule("O2-66")
def test_a_solo_player_without_a_mark_is_not_asked(engine: ModuleType) -> None:
    # The three lowest are yellow 2, silver 2 and blue 3; green and pink lie aside.
    sheet: dict[str, Any] = {**CLOSED, "used": {"reroll": 1}}
    state = rolled(engine, "w6 y2 b3 g5 p5 s2", sheets={0: sheet}, round=1)
    assert node(state) == ("roll", 0, 0)
    assert state.to_dict()["round"] == 2


@pytest.mark.rule("O2-67")
def test_dice_aside_can_be_extra_dice(engine: ModuleType) -> None:
    state = rolled(engine, "w6 y2 b3 g5 p5 s2", round=2)
    assert dice_named(state) == {"yellow", "blue", "silver"}
    state = act(state, NO_DIE)
    assert node(state) == ("extra", 0, 0)
    assert state.to_dict()["roll"] == 0
    assert dice_named(state) == set(DICE)
    state = act(state, "pick green 5, write 5 in green")
    assert state.to_dict()["sheets"][0]["green"] == [10]
    assert state.to_dict()["round"] == 3
    # And with nothing to choose on the platter, the window comes all the same.
    state = rolled(engine, "w6 y2 b3 g5 p5 s2", round=2, sheets={0: CLOSED})
    assert node(state) == ("extra", 0, 0)


@pytest.mark.rule("O2-64", "O2-66")
def test_a_solo_round_has_an_active_and_a_passive_turn(engine: ModuleType) -> None:
    game = load(engine, NAME)
    for seed in range(effort(engine, native=20, reference=3)):
        rolls: Counter[tuple[int, str]] = Counter()
        for state in walk(game, seed):
            shown = state.to_dict()
            if state.is_chance_node():
                rolls[shown["round"], shown["phase"]] += 1
            if shown["phase"] in {"passive", "tray", "passive_roll"}:
                assert lying(shown, "field") == []
        for number in range(1, 7):
            assert rolls[number, "passive_roll"] == 6
            assert rolls[number, "roll"] >= 6
            assert rolls[number, "tray"] <= 1
