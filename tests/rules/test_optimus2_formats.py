"""Optimus 2: ids, texts, dicts, observations and bytes, on both engines."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.optimus2_forms import (
    action_text,
    all_bytes,
    mark_text,
    tensor_fields,
    text,
    view,
)
from tests.rules.optimus2_game import outcomes
from tests.rules.optimus2_sheet import AREAS, BARS, DICE, MARKS, make_sheet
from tests.rules.optimus2_table import (
    FREE,
    KEYS,
    NAME,
    OWN,
    RULE_SETS,
    TRIOS,
    WITH_WHITE,
    act,
    set_up,
    table,
)
from tests.rules.shared import comes_back, flat, load, sampled, view_text

if TYPE_CHECKING:
    from types import ModuleType


# Ids and texts


@pytest.mark.rule("O2-84")
@pytest.mark.fault("A022")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_action_ids_and_texts(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    assert game.num_distinct_actions() == 215
    texts = [action_text(action) for action in range(215)]
    # The two cells of 2, 3, 4 and 5 lie in different rows, so every text names one action.
    assert len(set(texts)) == 215
    assert [game.action_to_string(action) for action in range(215)] == texts
    assert [game.action_from_string(one) for one in texts] == list(range(215))


@pytest.mark.rule("O2-84")
def test_these_actions_have_these_ids(engine: ModuleType) -> None:
    game = load(engine, NAME)
    expected = {
        0: "pick no die",
        1: "go on",
        2: "reroll",
        3: "return white",
        8: "return silver",
        9: "choose the silver ?",
        13: "choose the pink ?",
        14: "cross the 1 of the yellow row",
        14 + 6 * 1 + 3: "cross the 4 of the blue row",
        14 + 24 + 4: "circle the 4 of row 3",
        14 + 34 + 9: "cross the 4 of row 5",
        14 + 44: "write 2 in blue",
        14 + 54: "write 12 in blue",
        14 + 58: "write 4 in green",
        80: "write 6 in pink",
        81: "pick silver 1, cross the 1 of the yellow row",
        81 + 9: "pick silver 4, cross the 4 of the blue row",
        81 + 28: "pick yellow 4, circle the 4 of row 3",
        81 + 38: "pick yellow 4, cross the 4 of row 3",
        81 + 49: "pick blue, write 7 in blue",
        81 + 58: "pick green 4, write 4 in green",
        147: "pick pink 6, write 6 in pink",
        148 + 9: "pick white 4 as silver, cross the 4 of the blue row",
        148 + 38: "pick white 4 as yellow, cross the 4 of row 3",
        148 + 49: "pick white as blue, write 7 in blue",
        148 + 58: "pick white 4 as green, write 4 in green",
        214: "pick white 6 as pink, write 6 in pink",
    }
    for action, words in expected.items():
        assert game.action_to_string(action) == words == action_text(action)
        assert game.action_from_string(words) == action
    for mark in range(MARKS):
        assert game.action_to_string(FREE + mark) == mark_text(mark)
        assert game.action_to_string(OWN + mark).endswith(f", {mark_text(mark)}")
        assert game.action_to_string(WITH_WHITE + mark).endswith(f", {mark_text(mark)}")


@pytest.mark.rule("O2-85")
@pytest.mark.fault("A064")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_chance_ids_and_texts(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    texts = [f"roll {die} {face}" for die in DICE for face in range(1, 7)]
    if players == 1:
        texts += [f"tray {', '.join(DICE[die] for die in trio)}" for trio in TRIOS]
        assert texts[36] == "tray white, yellow, blue"
        assert texts[55] == "tray green, pink, silver"
    assert game.max_chance_outcomes() == len(texts) == (56 if players == 1 else 36)
    assert [game.chance_to_string(outcome) for outcome in range(len(texts))] == texts
    assert [game.chance_from_string(one) for one in texts] == list(range(len(texts)))


@pytest.mark.rule("O2-84", "O2-85")
@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "pick",
        "Go on",
        "go on ",
        "return",
        "return gold",
        "choose the black ?",
        "cross the 7 of the blue row",
        "circle the 4 of row 1",
        "cross the 0 of row 3",
        "write 13 in blue",
        "write 1 in blue",
        "write 7 in pink",
        "pick yellow 3, circle the 4 of row 3",
        "pick blue 4, write 7 in blue",
        "pick white 4 as blue, write 7 in blue",
        "roll white 0",
        "roll gold 1",
        "tray white, blue, yellow",
        "tray white, yellow",
    ],
)
def test_only_exact_texts_are_read(engine: ModuleType, wrong: str) -> None:
    game = load(engine, NAME)
    for read in (game.action_from_string, game.chance_from_string):
        with pytest.raises(tc.IllegalActionError):
            read(wrong)
    with pytest.raises(tc.IllegalActionError):
        load(engine, NAME, players=2).chance_from_string("tray white, yellow, blue")


# The position as text


@pytest.mark.rule("O2-86")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_a_position_is_written_line_by_line(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in sampled(engine, NAME, options, 3, few=5):
        assert str(state) == text(state.to_dict(), state.get_game().options)


@pytest.mark.rule("O2-86")
def test_a_position_is_written_like_this(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {
        "silver": {"yellow": [1, 3], "blue": [3], "pink": [3], "green": [3, 6]},
        "yellow": {2: 1, 4: 2, 6: 2},
        "blue": [12, 9],
        "green_faces": [6, 1, 2],
        "pink": [5],
        "used": {"reroll": 2, "extra_die": 1},
        "extra_dice_used": ["blue"],
    }
    state = table(
        engine,
        players=2,
        round=2,
        active=1,
        roll=2,
        sheets={1: sheet},
        pool="w5 b2 g3",
        field="s4",
        platter="y1 p2",
    )
    lines = str(state).splitlines()
    assert lines[:9] == [
        "optimus2: pick, round 2 of 6, seat 1",
        "active: seat 1, roll 2",
        "pool: white 5, blue 2, green 3",
        "fields: silver 4",
        "platter: yellow 1, pink 2",
        "cascade: -",
        "due: -",
        "seat 0: 0 points = silver 0 + yellow 0 + blue 0 + green 0 + pink 0 + foxes 0 x 0",
        "  reroll    o    .    .    .    .    .    fox",
    ]
    assert lines[-25:] == [
        "seat 1: 43 points = silver 12 + yellow 10 + blue 3 + green 10 + pink 5 + foxes 1 x 3",
        "  reroll    x    x    o    .    .    .    fox",
        "  return    o    .    .    .    .    .    P?",
        "  extra die x    .    .    .    .    .    S?",
        "  used      blue",
        "  silver    1    2    3    4    5    6",
        "    yellow  x    .    x    .    .    .",
        "    blue    .    .    x    .    .    .",
        "    green   .    .    x    .    .    x",
        "    pink    .    .    x    .    .    .",
        "            +1   Y?   fox  B?   G?   P?",
        "  yellow         3         6    B?",
        "            (1)       2         ret",
        "                 (X)       3    Y?",
        "            (X)       5         G?",
        "                 5         4    P?",
        "            re   +1   S?   fox",
        "  blue      12   9    .    .    .    .    .    .    .    .    .    .",
        "            -    ret  Y?   -    +1   re   P?   -    fox  ret  -    G?",
        "  green     12   2    4    .    .    .    .    .    .    .    .    .",
        "            x2   x2   x2   x1   x3   x3   x3   x2   x3   x1   x4   x1",
        "            -    re   -    B?   ret  -    fox  S?   +1   -    P?   Y?",
        "  pink      5    .    .    .    .    .    .    .    .    .    .    .",
        "            -    -    >=2  >=3  >=4  >=5  >=6  >=2  >=3  >=4  >=5  >=6",
        "            -    -    re   ret  +1   G?   Y?   fox  S?   re   B?   Y?",
    ]


@pytest.mark.rule("O2-86")
def test_places_cascade_and_bonuses_are_written_like_this(engine: ModuleType) -> None:
    lines = str(load(engine, NAME).new_initial_state()).splitlines()
    assert lines[:8] == [
        "optimus2: roll, round 1 of 6, seat 0",
        "active: seat 0, roll 1",
        "pool: white -, yellow -, blue -, green -, pink -, silver -",
        "fields: -",
        "platter: -",
        "aside: -",
        "cascade: -",
        "due: -",
    ]
    assert "  used      -" in lines
    crossed: dict[str, Any] = {"yellow": [3, 4], "blue": [3], "green": [3]}
    state = table(
        engine,
        sheets={0: {"silver": crossed, "used": {"reroll": 1}}},
        pool="w1 y6 b6 g6 p3 s5",
    )
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    lines = str(state).splitlines()
    assert "cascade: white" in lines
    assert "due: fox" in lines
    over = table(engine, phase="over", players=3)
    assert str(over).splitlines()[0] == "optimus2: over"
    assert not [line for line in str(over).splitlines() if line.startswith("aside")]


# What a seat knows


@pytest.mark.rule("O2-87", "O2-101")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_seat_sees_everything(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in sampled(engine, NAME, options, 19, few=5):
        shown = state.to_dict()
        for seat in range(state.num_players()):
            assert state.observation_string(seat) == view_text(view(shown, seat))
            assert state.resample_from_infostate(seat, engine.Rng(seat)) == state


@pytest.mark.rule("O2-100")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_observation_tensors_have_these_fields(engine: ModuleType, options: dict[str, Any]) -> None:
    game = load(engine, NAME, **options)
    players = game.num_players()
    for state in sampled(engine, NAME, options, 23, few=5):
        for seat in range(players):
            fields = tensor_fields(state.to_dict(), seat)
            np.testing.assert_array_equal(state.observation_tensor(seat), flat(fields))
    shapes = {name: np.shape(value) for name, value in fields.items()}
    assert {field.name: tuple(field.shape) for field in game.observation_fields} == shapes
    assert [field.name for field in game.observation_fields] == list(shapes)
    assert all(field.meaning for field in game.observation_fields)
    assert shapes["due"] == (24, 10)
    assert shapes["points"] == (players, len(AREAS))
    assert shapes["actions"] == (players, len(BARS), 2)


# Dict and bytes


@pytest.mark.rule("O2-88", "O2-90", "O2-91", "O2-92", "O2-93", "O2-94", "O2-95", "O2-96", "O2-97")
@pytest.mark.rule("O2-98")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for seed in range(effort(engine, native=2, reference=1)):
        for state in sampled(engine, NAME, options, seed, few=5):
            assert tuple(state.to_dict()) == KEYS
            assert comes_back(state)


@pytest.mark.rule("O2-88")
def test_a_sheet_has_these_keys_in_this_order(engine: ModuleType) -> None:
    shown = load(engine, NAME, players=3).new_initial_state().to_dict()
    assert [list(sheet) for sheet in shown["sheets"]] == [list(make_sheet())] * 3
    assert list(shown["dice"]) == list(DICE)
    assert list(shown["sheets"][0]["silver"]) == ["yellow", "blue", "green", "pink"]
    assert outcomes(shown) == list(range(6))


@pytest.mark.rule("O2-88")
def test_crossed_numbers_and_extra_dice_are_read_in_any_order(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {"silver": {"blue": [1, 4, 6]}, "yellow": {0: 1, 4: 1, 8: 1}}
    sheet |= {"used": {"extra_die": 2}, "extra_dice_used": ["white", "blue"]}
    shown = set_up(round=2, sheets={0: sheet}, pool="w1 y1 b1 g1 p1 s1")
    mixed = deepcopy(shown)
    mixed["sheets"][0]["silver"]["blue"] = [6, 1, 4]
    mixed["sheets"][0]["extra_dice_used"] = ["blue", "white"]
    assert load(engine, NAME).state_from_dict(mixed).to_dict() == shown


@pytest.mark.rule("O2-102")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_bytes_are_a_header_and_the_numbers_of_the_position(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in sampled(engine, NAME, options, 31, few=5):
        assert state.to_bytes() == all_bytes(game, state.to_dict())


@pytest.mark.rule("O2-90", "O2-102")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number changed to each of some values: refused, or another position; and bytes that are too short or long."""
    game = load(engine, NAME)
    sheet: dict[str, Any] = {"silver": {"yellow": [1, 3]}, "yellow": {0: 1, 4: 2}, "blue": [9, 7]}
    sheet |= {"green_faces": [6, 1], "pink": [3]}
    shown = set_up(round=3, roll=2, sheets={0: sheet}, pool="b4 g5 s6", field="w4", platter="y3 p1")
    state = game.state_from_dict(shown)
    good = state.to_bytes()
    start = good.index(b"}") + 1
    for place in range(start, len(good)):
        for value in (0, 1, 2, 5, 13, 255):
            changed = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                other = game.state_from_bytes(changed)
            except tc.PositionError:
                continue
            assert other.to_bytes() == changed
            assert comes_back(other)
            assert (other == state) == (changed == good)
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0"):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)
