"""Dice Challenge: ids, texts, dicts, observations and bytes, and what is refused, on both engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.rules.challenges_board import SYMBOLS
from tests.rules.dice_challenge_table import (
    KEYS,
    NAME,
    RULE_SETS,
    all_bytes,
    beginning,
    roll_text,
    rolls,
    set_up,
    table,
    tensor_fields,
    text,
    view,
    wild,
)
from tests.rules.shared import (
    GONE,
    NO_COUNTS,
    NO_FLAGS,
    Case,
    Shown,
    comes_back,
    flat,
    load,
    sampled,
    spoilt,
    view_text,
    wrong_values,
)
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType


# Ids and texts


@pytest.mark.rule("DC-32", "DC-33")
@pytest.mark.fault("A022")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_action_ids_and_texts(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    texts = ["stop", "reroll", *(f"match {symbol}" for symbol in SYMBOLS)]
    for source in SYMBOLS:
        for points in (1, 2, 3):
            texts += [f"wild {points} with {source} for {target}" for target in SYMBOLS]
    assert game.num_distinct_actions() == len(texts) == 116
    assert [game.action_to_string(action) for action in range(116)] == texts
    assert [game.action_from_string(one) for one in texts] == list(range(116))
    assert game.action_from_string("wild 2 with orange for red") == wild(2, 3, 0) == 8 + 10 * 6


@pytest.mark.rule("DC-33")
@pytest.mark.parametrize(
    "wrong",
    [
        *("", "Stop", "match", "match Red", "match pink", "roll red red", "0", "wild 1 with red"),
        *("wild 4 with red for blue", "wild 0 with red for red", "wild 1 with red for blue "),
    ],
)
def test_only_exact_action_texts_are_read(engine: ModuleType, wrong: str) -> None:
    with pytest.raises(tc.IllegalActionError):
        load(engine, NAME).action_from_string(wrong)


@pytest.mark.rule("DC-34")
@pytest.mark.parametrize(("players", "number"), [(2, 126), (3, 56), (4, 21)])
def test_chance_ids_and_texts(engine: ModuleType, players: int, number: int) -> None:
    game = load(engine, NAME, players=players)
    assert game.max_chance_outcomes() == number
    texts = [roll_text(roll) for roll in rolls(players)]
    assert [game.chance_to_string(outcome) for outcome in range(number)] == texts
    assert [game.chance_from_string(one) for one in texts] == list(range(number))
    for wrong in ("", "roll", "roll red", "roll purple red red red", "roll purple red", "red red"):
        with pytest.raises(tc.IllegalActionError):
            game.chance_from_string(wrong)
    assert texts[1] == "roll " + "red " * (len(rolls(players)[0]) - 1) + "green"


@pytest.mark.rule("DC-35")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_a_position_is_written_line_by_line(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in walk(load(engine, NAME, **options), seed=3):
        assert str(state) == text(state.to_dict())


@pytest.mark.rule("DC-35")
def test_positions_are_written_like_this(engine: ModuleType) -> None:
    assert str(load(engine, NAME).new_initial_state()).splitlines() == [
        "dice_challenge: opening, seat 0, turn 0",
        "seat 0: pegs 0 0 0 0 0 0, dice -",
        "seat 1: pegs 0 0 0 0 0 0, dice -",
        "unused: -",
        "rolls used: 0",
        "bonus turns: 0",
    ]
    capped = table(engine, {"max_turns": 20}, players=4, phase="over", truncated=True)
    assert str(capped).splitlines() == [
        "dice_challenge: over, turn 20 (truncated)",
        *(f"seat {seat}: pegs 0 0 0 0 0 0, dice red green" for seat in range(4)),
        "unused: -",
        "rolls used: 0",
        "bonus turns: 0",
    ]


# What a seat knows


@pytest.mark.rule("DC-36", "DC-49")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_seat_sees_everything(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in sampled(engine, NAME, options, 19, few=4):
        shown = state.to_dict()
        for seat in range(options["players"]):
            assert state.observation_string(seat) == view_text(view(shown, seat))
            assert state.resample_from_infostate(seat, engine.Rng(seat)) == state


@pytest.mark.rule("DC-48")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_observation_tensors_have_these_fields(engine: ModuleType, options: dict[str, Any]) -> None:
    game = load(engine, NAME, **options)
    players = options["players"]
    for state in sampled(engine, NAME, options, 23, few=4):
        for seat in range(players):
            fields = tensor_fields(state.to_dict(), seat)
            np.testing.assert_array_equal(state.observation_tensor(seat), flat(fields))
    shapes = {name: np.shape(value) for name, value in fields.items()}
    assert {field.name: tuple(field.shape) for field in game.observation_fields} == shapes
    assert [field.name for field in game.observation_fields] == list(shapes)
    assert all(field.meaning for field in game.observation_fields)
    assert shapes["dice"] == shapes["pegs"] == (players, 6)


# Dict and bytes


@pytest.mark.rule("DC-37", "DC-39", "DC-40", "DC-41", "DC-42", "DC-43", "DC-44", "DC-45", "DC-46")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in sampled(engine, NAME, options, 29, few=4):
        assert tuple(state.to_dict()) == KEYS
        assert comes_back(state)


@pytest.mark.rule("DC-37")
def test_dice_are_read_in_any_order(engine: ModuleType) -> None:
    shown = set_up(dice={0: [0, 3, 3, 5], 1: [1, 2, 2, 4]}, unused=[0, 3, 5])
    changed = json.loads(json.dumps(shown))
    for dice in (*changed["dice"], changed["unused"]):
        dice.reverse()
    state = load(engine, NAME).state_from_dict(changed)
    assert state == load(engine, NAME).state_from_dict(shown)
    assert state.to_dict() == shown


@pytest.mark.rule("DC-50")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_bytes_are_a_header_and_the_numbers_of_the_position(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in walk(game, seed=31):
        assert state.to_bytes() == all_bytes(game, state.to_dict())


@pytest.mark.rule("DC-42", "DC-44", "DC-50")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number changed to each of some values: refused, or another position; and bytes that are too short or long."""
    game = load(engine, NAME)
    state = table(
        engine, pegs={0: [4, 3, 3, 2, 2, 1], 1: [10, 9, 8, 5, 5, 4]}, moved=True, unused=[1]
    )
    good = state.to_bytes()
    header = good.index(b"}") + 1
    for place in range(header, len(good)):
        for value in (0, 1, 4, 11, 255):
            changed = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                other = game.state_from_bytes(changed)
            except tc.PositionError:
                continue
            assert other.to_bytes() == changed
            assert comes_back(other)
            assert (other == state) == (changed == good)
            assert value not in {11, 255} or place < header + 6
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0"):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)


# Refusals

CAPPED = {"max_turns": 20}
STILL = {"no_progress_limit": 3}


def resolving() -> Shown:
    return set_up(
        pegs={0: [10, 9, 6, 5, 5, 4], 1: [3, 3, 3, 0, 2, 1]},
        dice={0: [0, 0, 1, 5], 1: [2, 3, 3, 4]},
        unused=[0, 1, 5],
        idle=2,
        pending_bonus=1,
    )


def fresh() -> Shown:
    return set_up(dice={0: [0, 0, 1, 5]})


def rolling() -> Shown:
    return set_up(phase="roll", seat=1, rolls_used=2)


def asking() -> Shown:
    return set_up(3, phase="reroll", seat=1, rolls_used=2)


def opening() -> Shown:
    shown = beginning(3)
    shown["dice"][0] = [1, 1, 4]
    return {**shown, "seat": 1}


def at_goal() -> Shown:
    """The mover has all pegs at 7 or more, and a die left."""
    return set_up(pegs={0: [7, 8, 9, 10, 7, 7]}, unused=[2], moved=True)


def won() -> Shown:
    return set_up(phase="over", pegs={0: [7, 8, 9, 10, 7, 7], 1: [6, 7, 7, 7, 7, 7]})


def capped() -> Shown:
    return set_up(phase="over", truncated=True, pegs={1: [7, 8, 9, 10, 7, 6]})


def still() -> Shown:
    return set_up(phase="over", truncated=True, idle=3)


SHAPES: dict[str, list[Any]] = {
    "phase": ["RESOLVE", "dump", 3, None, False],
    "seat": [2, -1, True, 1.0, "0", None],
    "turns": [*NO_COUNTS, 1000, 2**16],
    "idle": [*NO_COUNTS, 100],
    "pending_bonus": [*NO_COUNTS, 256],
    "rolls_used": [*NO_COUNTS, 3],
    "moved": NO_FLAGS,
    "pegs": [None, {}, [[0] * 6], [[0] * 6] * 3, [[0] * 6, [0] * 5], [[0] * 7, [0] * 6]],
    "dice": [None, {}, [[0, 0, 1, 5]], [[0, 0, 1, 5]] * 3, [[0, 0, 1, 5], 4], [0] * 8],
    "unused": [None, {}, 1, "red", [6], [-1], [True], [0.0], ["0"], [None], [[0]]],
    "truncated": [*NO_FLAGS, True],
}

CASES = [
    *[Case("DC-38", name, resolving, edits) for name, edits in wrong_values(SHAPES)],
    Case("DC-38", "a face as bool", resolving, [(("dice", 0, 2), True)]),
    Case("DC-38", "a face as text", resolving, [(("dice", 0, 2), "green")]),
    Case("DC-38", "a seventh face", resolving, [(("dice", 1, 3), 6)]),
    Case("DC-38", "a peg as bool", resolving, [(("pegs", 1, 5), True)]),
    Case("DC-39", "three dice", resolving, [(("dice", 1, 0), GONE)]),
    Case("DC-39", "five dice", resolving, [(("dice", 1), [2, 3, 3, 4, 4])]),
    Case("DC-39", "no dice", resolving, [(("dice", 1), [])]),
    Case("DC-39", "four dice of three players", asking, [(("dice", 1), [0, 1, 2, 3])], {"players": 3}),
    Case("DC-39", "no dice before a roll", rolling, [(("dice", 1), [])]),
    Case("DC-39", "rolled in the opening", opening, [(("dice", 1), [0, 0, 0])], {"players": 3}),
    Case("DC-39", "a later seat has rolled", opening, [(("dice", 2), [0, 0, 0])], {"players": 3}),
    Case("DC-39", "an earlier seat has not", opening, [(("dice", 0), [])], {"players": 3}),
    Case("DC-39", "another seat rolls", opening, [(("seat",), 2)], {"players": 3}),
    Case("DC-39", "one die in the opening", opening, [(("dice", 0), [1])], {"players": 3}),
    Case("DC-40", "turns", opening, [(("turns",), 1)], {"players": 3}),
    Case("DC-40", "idle turns", opening, [(("turns",), 1), (("idle",), 1)], {"players": 3}),
    Case("DC-40", "a peg has moved", opening, [(("pegs", 2, 2), 1)], {"players": 3}),
    Case("DC-40", "a bonus turn", opening, [(("pending_bonus",), 1)], {"players": 3}),
    Case("DC-41", "opening", opening, [(("rolls_used",), 1)], {"players": 3}),
    Case("DC-41", "three rolls, another roll", rolling, [(("rolls_used",), 3)]),
    Case("DC-41", "three rolls, a decision", asking, [(("rolls_used",), 3)], {"players": 3}),
    Case("DC-41", "no roll, a decision", asking, [(("rolls_used",), 0)], {"players": 3}),
    Case("DC-41", "resolve", resolving, [(("rolls_used",), 1)]),
    Case("DC-41", "over", won, [(("rolls_used",), 1)]),
    Case("DC-42", "no dice left", resolving, [(("unused",), [])]),
    Case("DC-42", "more than there are", resolving, [(("unused",), [1, 1])]),
    Case("DC-42", "dice of another seat", resolving, [(("unused",), [2])]),
    Case("DC-42", "five dice", resolving, [(("unused",), [0, 0, 0, 1, 5])]),
    Case("DC-42", "roll", rolling, [(("unused",), [0])]),
    Case("DC-42", "reroll", asking, [(("unused",), [0, 1, 2])], {"players": 3}),
    Case("DC-42", "over", won, [(("unused",), [0])]),
    Case("DC-42", "opening", opening, [(("unused",), [1])], {"players": 3}),
    Case("DC-43", "roll", rolling, [(("moved",), True)]),
    Case("DC-43", "reroll", asking, [(("moved",), True)], {"players": 3}),
    Case("DC-43", "over", won, [(("moved",), True)]),
    Case("DC-43", "opening", opening, [(("moved",), True)], {"players": 3}),
    Case("DC-43", "no die used", fresh, [(("moved",), True)]),
    Case("DC-44", "a peg at 11", resolving, [(("pegs", 0, 0), 11)]),
    Case("DC-44", "a peg at -1", resolving, [(("pegs", 1, 3), -1)]),
    Case("DC-44", "a peg at 4 beside one at 0", resolving, [(("pegs", 1, 0), 4)]),
    Case("DC-44", "a peg at 7 beside one at 3", resolving, [(("pegs", 0, 5), 3)]),
    Case("DC-45", "another seat at the goal", at_goal, [(("pegs",), at_goal()["pegs"][::-1])]),
    Case("DC-45", "at the goal with all dice", at_goal, [(("unused",), [0, 1, 2, 3]), (("moved",), False)]),
    Case("DC-45", "at the goal before a roll", rolling, [(("pegs", 1), [7] * 6)]),
    Case("DC-45", "at the goal at a decision", asking, [(("pegs", 1), [7] * 6)], {"players": 3}),
    Case("DC-45", "turns at the cap", rolling, [(("turns",), 20)], CAPPED),
    Case("DC-45", "idle at the cap", rolling, [(("idle",), 3)], STILL),
    Case("DC-45", "more idle than turns", resolving, [(("turns",), 1)]),
    Case("DC-45", "over for no reason", won, [(("pegs", 0, 0), 6)]),
    Case("DC-45", "over too early", capped, [(("turns",), 19)], CAPPED),
    Case("DC-45", "over too late", capped, [(("turns",), 21)], CAPPED),
    Case("DC-45", "idle too late", still, [(("idle",), 4)], STILL),
    Case("DC-45", "the other won", won, [(("seat",), 1)]),
    Case("DC-45", "both at the goal", won, [(("pegs", 1, 0), 7)]),
    Case("DC-45", "a win truncated", won, [(("truncated",), True)]),
    Case("DC-45", "a cap not truncated", capped, [(("truncated",), False)], CAPPED),
    Case("DC-45", "truncated while it lasts", rolling, [(("truncated",), True)]),
    Case("DC-46", "two bonus turns of one peg", resolving, [(("pending_bonus",), 2)]),
    Case("DC-46", "a bonus turn of another seat", rolling, [(("pending_bonus",), 1), (("pegs", 0), [10, 9, 6, 5, 5, 4])]),
    Case("DC-46", "a bonus turn at the end", won, [(("pending_bonus",), 1)]),
]  # fmt: skip


@pytest.mark.rule("DC-38", "DC-39", "DC-40", "DC-41", "DC-42", "DC-43", "DC-44", "DC-45", "DC-46")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    with pytest.raises(tc.PositionError) as refusal:
        load(engine, NAME, **case.options).state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("DC-39", "DC-41", "DC-43", "DC-45", "DC-47")
@pytest.mark.parametrize(
    ("base", "options"),
    [
        (resolving, {}),
        (fresh, {}),
        (rolling, {}),
        (asking, {"players": 3}),
        (opening, {"players": 3}),
        (at_goal, {}),
        (won, {}),
        (won, CAPPED),
        (capped, CAPPED),
        (still, STILL),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_the_positions_that_are_spoilt_are_good(
    engine: ModuleType, base: Any, options: dict[str, Any]
) -> None:
    state = load(engine, NAME, **options).state_from_dict(base())
    assert state.to_dict() == base()
    assert state.is_terminal() == (base()["phase"] == "over")


@pytest.mark.rule("DC-47")
@pytest.mark.parametrize(
    "what",
    [
        {"turns": 0, "pegs": {0: [6] * 6}},
        {"turns": 999, "idle": 99},
        {"pegs": {0: [10] * 5 + [6], 1: [10] * 5 + [6]}, "pending_bonus": 5, "phase": "roll"},
        {"unused": [3], "moved": False},
        {"unused": [3], "moved": True, "pegs": {0: [1] * 6}},
    ],
    ids=str,
)
def test_more_is_not_asked(engine: ModuleType, what: dict[str, Any]) -> None:
    shown = set_up(**what)
    assert load(engine, NAME).state_from_dict(shown).to_dict() == shown


@pytest.mark.rule("DC-38", "DC-39")
def test_what_is_no_position_or_one_of_other_players_is_refused(engine: ModuleType) -> None:
    values: list[Any] = [None, [], "roll", 3, {}, set_up(3), set_up(4)]
    for value in values:
        with pytest.raises(tc.PositionError):
            load(engine, NAME).state_from_dict(value)
