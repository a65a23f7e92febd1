"""Tile Challenge: ids, texts, dicts, observations and bytes, and what is refused, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.rules.challenges_board import SYMBOLS
from tests.rules.shared import (
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
from tests.rules.tile_challenge_table import (
    KEYS,
    NAME,
    RULE_SETS,
    all_bytes,
    beginning,
    set_up,
    table,
    tensor_fields,
    text,
    view,
)
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType


# Ids and texts


@pytest.mark.rule("TC-34", "TC-35")
@pytest.mark.fault("A022")
def test_ids_and_texts(engine: ModuleType) -> None:
    game = load(engine, NAME)
    texts = ["draw", "score", *(f"free {symbol}" for symbol in SYMBOLS)]
    assert game.num_distinct_actions() == 8
    assert [game.action_to_string(action) for action in range(8)] == texts
    assert [game.action_from_string(one) for one in texts] == list(range(8))
    texts = [f"tile {symbol}" for symbol in SYMBOLS]
    assert game.max_chance_outcomes() == 6
    assert [game.chance_to_string(outcome) for outcome in range(6)] == texts
    assert [game.chance_from_string(one) for one in texts] == list(range(6))


@pytest.mark.rule("TC-34", "TC-35")
@pytest.mark.parametrize(
    "wrong", ["", "Draw", "free", "free Red", "free red ", "score red", "0", "red"]
)
def test_only_exact_texts_are_read(engine: ModuleType, wrong: str) -> None:
    game = load(engine, NAME)
    for read, other in ((game.action_from_string, "tile red"), (game.chance_from_string, "draw")):
        for one in (wrong, other):
            with pytest.raises(tc.IllegalActionError):
                read(one)


@pytest.mark.rule("TC-36")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_a_position_is_written_line_by_line(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in walk(load(engine, NAME, **options), seed=3):
        assert str(state) == text(state.to_dict())


@pytest.mark.rule("TC-36")
def test_positions_are_written_like_this(engine: ModuleType) -> None:
    assert str(load(engine, NAME).new_initial_state()).splitlines() == [
        "tile_challenge: refill, seat 0, turn 0",
        "seat 0: pegs 0 0 0 0 0 0",
        "seat 1: pegs 0 0 0 0 0 0",
        "pool: 21 21 21 21 21 21",
        "centre: -",
        "front: -",
        "box: 0 0 0 0 0 0",
        "bonus turns: 0",
    ]
    capped = table(
        engine, {"max_turns": 20}, phase="over", truncated=True, pegs={1: [1, 0, 0, 0, 0, 2]}
    )
    assert str(capped).splitlines() == [
        "tile_challenge: over, turn 20 (truncated)",
        "seat 0: pegs 0 0 0 0 0 0",
        "seat 1: pegs 1 0 0 0 0 2",
        "pool: 19 20 20 21 21 19",
        "centre: red green blue",
        "front: -",
        "box: 1 0 0 0 0 2",
        "bonus turns: 0",
    ]


# What a seat knows


@pytest.mark.rule("TC-37", "TC-47")
@pytest.mark.fault("A052")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_seat_sees_everything_and_no_order_of_the_pool(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in sampled(engine, NAME, options, 19, few=3):
        shown = state.to_dict()
        for seat in range(options["players"]):
            assert state.observation_string(seat) == view_text(view(shown, seat))
            assert state.resample_from_infostate(seat, engine.Rng(seat)) == state


@pytest.mark.rule("TC-46")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_observation_tensors_have_these_fields(engine: ModuleType, options: dict[str, Any]) -> None:
    game = load(engine, NAME, **options)
    players = options["players"]
    for state in sampled(engine, NAME, options, 23, few=3):
        for seat in range(players):
            fields = tensor_fields(state.to_dict(), seat)
            np.testing.assert_array_equal(state.observation_tensor(seat), flat(fields))
    shapes = {name: np.shape(value) for name, value in fields.items()}
    assert {field.name: tuple(field.shape) for field in game.observation_fields} == shapes
    assert [field.name for field in game.observation_fields] == list(shapes)
    assert all(field.meaning for field in game.observation_fields)
    assert shapes["pegs"] == (players, 6)


# Dict and bytes


@pytest.mark.rule("TC-38", "TC-40", "TC-41", "TC-42", "TC-43", "TC-44")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in sampled(engine, NAME, options, 29, few=3):
        assert tuple(state.to_dict()) == KEYS
        assert comes_back(state)


@pytest.mark.rule("TC-38")
def test_the_front_is_read_in_any_order(engine: ModuleType) -> None:
    shown = set_up(phase="decide", front=[0, 1, 2])
    state = load(engine, NAME).state_from_dict({**shown, "front": [2, 0, 1]})
    assert state.to_dict() == shown


@pytest.mark.rule("TC-48")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_bytes_are_a_header_and_the_numbers_of_the_position(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in walk(game, seed=31):
        assert state.to_bytes() == all_bytes(game, state.to_dict())


@pytest.mark.rule("TC-40", "TC-42", "TC-48")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number changed to each of some values: refused, or another position; and bytes that are too short or long."""
    game = load(engine, NAME)
    pegs = {0: [4, 7, 0, 2, 2, 1], 1: [0, 7, 7, 5, 5, 4]}
    state = table(engine, phase="decide", pegs=pegs, front=[1, 2])
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
            # Any other peg or tile breaks the count of some symbol.
            assert place < header + 7 or changed == good
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0"):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)


# Refusals

CAPPED = {"max_turns": 20}
STILL = {"no_progress_limit": 3}


def choosing() -> Shown:
    return set_up(
        pegs={0: [7, 6, 0, 5, 5, 4], 1: [0, 7, 3, 0, 2, 1]},
        centre=[0, 0, 4],
        idle=2,
        pending_bonus=1,
    )


def four() -> Shown:
    return set_up(4, seat=3, pegs={0: [5, 4, 0, 0, 0, 0]})


def refilling() -> Shown:
    return set_up(phase="refill", centre=[3, 3])


def emptied() -> Shown:
    pegs = {0: [7, 7, 6, 6, 7, 7], 1: [7, 7, 7, 7, 7, 6], 2: [6, 6, 7, 7, 7, 7]}
    return set_up(3, pegs=pegs, pool=[])


def drawing() -> Shown:
    return set_up(phase="draw", front=[0, 1])


def deciding() -> Shown:
    return set_up(phase="decide", front=[0, 2])


def won() -> Shown:
    return set_up(phase="over", pegs={0: [7] * 6, 1: [7, 7, 7, 7, 7, 6]}, centre=[5])


def capped() -> Shown:
    return set_up(phase="over", truncated=True, pegs={1: [7, 3, 4, 5, 7, 6]})


def still() -> Shown:
    return set_up(phase="over", truncated=True, idle=3, centre=[])


SIX: list[Any] = [[0] * 5, [0] * 7, [21] * 6, None, {}, 126, [True] * 6, [-1] * 6, ["21"] * 6]
SHAPES: dict[str, list[Any]] = {
    "phase": ["CHOOSE", "play", 1, None, False],
    "seat": [2, -1, True, 1.0, "0", None],
    "turns": [*NO_COUNTS, 1000, 2**16],
    "idle": [*NO_COUNTS, 100],
    "pending_bonus": [*NO_COUNTS, 256],
    "pegs": [None, {}, [[0] * 6], [[0] * 6] * 3, [[0] * 6, [0] * 5], [[0] * 7, [0] * 6]],
    "pool": SIX,
    "centre": SIX,
    "front": [None, {}, 1, [6], [-1], [True], ["red"], [0.0], [[0]]],
    "box": SIX,
    "truncated": [*NO_FLAGS, True],
}

CASES = [
    *[Case("TC-39", name, choosing, edits) for name, edits in wrong_values(SHAPES)],
    Case("TC-39", "a peg as bool", choosing, [(("pegs", 1, 5), True)]),
    Case("TC-39", "a symbol in front as bool", drawing, [(("front", 1), True)]),
    Case("TC-40", "a tile too many", choosing, [(("pool", 0), choosing()["pool"][0] + 1)]),
    Case("TC-40", "a tile too few", choosing, [(("centre", 0), 1)]),
    Case("TC-40", "a tile of another symbol", choosing, [(("centre",), [1, 1, 0, 0, 1, 0])]),
    Case("TC-40", "a tile in front too few", deciding, [(("front",), [0])]),
    Case("TC-40", "a tile in front too many", deciding, [(("front",), [0, 1, 2])]),
    Case("TC-40", "a tile in the box for no peg", choosing, [(("box", 0), 8), (("pool", 0), choosing()["pool"][0] - 1)]),
    Case("TC-40", "a peg for no tile in the box", choosing, [(("pegs", 1, 0), 1)]),
    Case("TC-40", "two pegs in each other's place", choosing, [(("pegs", 1), [1, 7, 3, 0, 2, 0])]),
    Case("TC-40", "a peg past the target", choosing, [(("pegs", 0, 0), 8), (("box", 0), 8), (("pool", 0), choosing()["pool"][0] - 1)]),
    Case("TC-40", "a peg past the target of four", four, [(("pegs", 0, 0), 6), (("box", 0), 6), (("pool", 0), four()["pool"][0] - 1)], {"players": 4}),
    Case("TC-40", "a peg below 0", choosing, [(("pegs", 1, 0), -1), (("box", 0), 6), (("pool", 0), choosing()["pool"][0] + 1)]),
    Case("TC-41", "refill of a full centre", choosing, [(("phase",), "refill"), (("pending_bonus",), 0)]),
    Case("TC-41", "refill from an empty pool", emptied, [(("phase",), "refill"), (("centre", 0), 0), (("pegs", 2, 0), 7), (("box", 0), 21)], {"players": 3}),
    Case("TC-41", "choose with two tiles", refilling, [(("phase",), "choose")]),
    Case("TC-41", "choose with no tile", lambda: beginning(2), [(("phase",), "choose")]),
    Case("TC-41", "draw from an empty pool", emptied, [(("phase",), "draw")], {"players": 3}),
    Case("TC-42", "a symbol twice", deciding, [(("front",), [0, 0]), (("pool", 0), 18), (("pool", 2), 20)]),
    Case("TC-42", "a symbol not in the centre", deciding, [(("front",), [0, 5]), (("pool", 5), 20), (("pool", 2), 20)]),
    Case("TC-42", "no front to decide", deciding, [(("front",), []), (("pool",), [20, 20, 20, 21, 21, 21])]),
    Case("TC-42", "a front to choose", deciding, [(("phase",), "choose")]),
    Case("TC-42", "a front at the end", deciding, [(("phase",), "over"), (("truncated",), True)], CAPPED),
    Case("TC-42", "a front at the refill", refilling, [(("front",), [3]), (("pool", 3), 18)]),
    Case("TC-43", "at the goal", choosing, [(("pegs",), [[7] * 6, [0] * 6]), (("box",), [7] * 6), (("pool",), [12, 14, 14, 14, 13, 14])]),
    Case("TC-43", "turns at the cap", deciding, [], CAPPED),
    Case("TC-43", "idle at the cap", choosing, [(("idle",), 3)], STILL),
    Case("TC-43", "more idle than turns", choosing, [(("turns",), 1)]),
    Case("TC-43", "over for no reason", capped, [(("truncated",), False)]),
    Case("TC-43", "over too early", capped, [(("turns",), 19)], CAPPED),
    Case("TC-43", "over too late", capped, [(("turns",), 21)], CAPPED),
    Case("TC-43", "idle too late", still, [(("idle",), 4)], STILL),
    Case("TC-43", "the other won", won, [(("seat",), 1)]),
    Case("TC-43", "both at the goal", won, [(("pegs", 1, 5), 7), (("box", 5), 14), (("centre", 5), 0)]),
    Case("TC-43", "a win truncated", won, [(("truncated",), True)]),
    Case("TC-43", "a cap not truncated", capped, [(("truncated",), False)], CAPPED),
    Case("TC-43", "truncated while it lasts", deciding, [(("truncated",), True)]),
    Case("TC-44", "two bonus turns of one peg", choosing, [(("pending_bonus",), 2)]),
    Case("TC-44", "a bonus turn of nobody", refilling, [(("pending_bonus",), 1)]),
    Case("TC-44", "a bonus turn at the end", won, [(("pending_bonus",), 1)]),
]  # fmt: skip


@pytest.mark.rule("TC-39", "TC-40", "TC-41", "TC-42", "TC-43", "TC-44")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    with pytest.raises(tc.PositionError) as refusal:
        load(engine, NAME, **case.options).state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("TC-40", "TC-41", "TC-42", "TC-43", "TC-44", "TC-45")
@pytest.mark.parametrize(
    ("base", "options"),
    [
        (choosing, {}),
        (four, {"players": 4}),
        (refilling, {}),
        (emptied, {"players": 3}),
        (drawing, {}),
        (deciding, {}),
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


@pytest.mark.rule("TC-45")
@pytest.mark.parametrize(
    "what",
    [
        {"turns": 0, "pegs": {0: [6] * 6}},
        {"turns": 999, "idle": 99},
        {"pegs": {0: [7] * 5 + [6]}, "pending_bonus": 5},
        {"phase": "draw", "front": []},
        {"phase": "draw", "front": [0, 1, 2]},
        {"centre": [0] * 21},
    ],
    ids=str,
)
def test_more_is_not_asked(engine: ModuleType, what: dict[str, Any]) -> None:
    shown = set_up(**what)
    assert load(engine, NAME).state_from_dict(shown).to_dict() == shown


@pytest.mark.rule("TC-39", "TC-40")
def test_what_is_no_position_or_one_of_other_players_is_refused(engine: ModuleType) -> None:
    values: list[Any] = [None, [], "draw", 3, {}, set_up(3), set_up(4)]
    for value in values:
        with pytest.raises(tc.PositionError):
            load(engine, NAME).state_from_dict(value)
