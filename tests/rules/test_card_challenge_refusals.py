"""Card Challenge: what `state_from_dict` refuses, one case for each thing that can be wrong, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules.card_challenge_table import NAME, beginning, in_order, set_up
from tests.rules.shared import GONE, NO_COUNTS, NO_FLAGS, Case, Shown, load, spoilt, wrong_values

if TYPE_CHECKING:
    from types import ModuleType

WITHOUT_RED = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5)]
CAPPED = {"max_turns": 20}
STILL = {"no_progress_limit": 3}


def in_play() -> Shown:
    return set_up(
        pegs={0: [10, 9, 6, 5, 5, 4], 1: [3, 3, 3, 0, 2, 1]},
        hands={0: [(0, 1), (2, 3)]},
        pile=[(0, 1), (4, 5)],
        idle=2,
        pending_bonus=1,
    )


def three() -> Shown:
    return set_up(3, seat=2)


def dumping() -> Shown:
    return set_up(phase="dump", pegs={0: [1, 2, 2, 2, 2, 2]}, hands={0: WITHOUT_RED})


def tied() -> Shown:
    return set_up(
        phase="dump",
        pegs={0: [1, 1, 2, 2, 2, 2]},
        hands={0: [(0, 2), (2, 3), (2, 4), (2, 5), (3, 5)]},
    )


def drawing() -> Shown:
    return set_up(phase="draw", seat=1)


def dealing() -> Shown:
    """Seat 0 has its hand, seat 1 two cards."""
    shown = beginning(2)
    for hand, number in ((0, 6), (1, 2)):
        shown["hands"][hand] = [shown["deck"].pop(0) for _ in range(number)]
    return {**shown, "seat": 1}


def laying() -> Shown:
    """All hands are dealt; seat 0 has one of its two cards in front."""
    shown = set_up(turns=0)
    row = shown["front"]
    back = [row[0].pop(), *row[1]]
    row[1] = []
    return {**shown, "phase": "deal", "deck": in_order([*shown["deck"], *back])}


def won() -> Shown:
    return set_up(phase="over", pegs={0: [7, 8, 9, 10, 7, 7], 1: [6, 7, 7, 7, 7, 7]})


def capped() -> Shown:
    return set_up(phase="over", truncated=True, pegs={1: [7, 8, 9, 10, 7, 6]})


def still() -> Shown:
    return set_up(phase="over", truncated=True, idle=3)


SHAPES: dict[str, list[Any]] = {
    "phase": ["PLAY", "end", 1, None, True],
    "seat": [2, -1, True, 1.0, "0", None],
    "turns": [*NO_COUNTS, 1000, 2**16],
    "idle": [*NO_COUNTS, 100],
    "pending_bonus": [*NO_COUNTS, 256],
    "pegs": [None, {}, [[0] * 6], [[0] * 6] * 3, [[0] * 6, [0] * 5], [[0] * 7, [0] * 6], [0] * 12],
    "front": [None, [], [[], []], [[[0, 1]], [[0, 1]]], [[[0, 1]] * 3, [[0, 2]] * 2], {}],
    "hands": [None, [], [[], []], {}, "cards"],
    "deck": [None, {}, [[0, 1, 2]], [0], 5, [[0]], [[0, 1], None]],
    "pile": [None, {}, [[1, 0]], [[0, 0]], [[0, 6]], [[-1, 0]], [[0, True]], [[0.0, 1]], ["red"]],
    "truncated": [*NO_FLAGS, True],
}
KINDS = wrong_values(SHAPES)

CASES = [
    *[Case("CC-64", name, in_play, edits) for name, edits in KINDS],
    Case("CC-64", "seat False", in_play, [(("seat",), False)]),
    Case("CC-64", "a peg as bool", in_play, [(("pegs", 1, 5), True)]),
    Case("CC-64", "a peg as text", in_play, [(("pegs", 1, 5), "1")]),
    Case("CC-64", "a card as text", in_play, [(("hands", 0, 0), "red+green")]),
    Case("CC-64", "a card of three", in_play, [(("hands", 0, 0), [0, 1, 2])]),
    Case("CC-64", "a card as number", in_play, [(("hands", 0, 0), 0)]),
    Case("CC-64", "a card backwards", in_play, [(("hands", 0, 0), in_play()["hands"][0][0][::-1])]),
    Case("CC-64", "a card in front backwards", in_play, [(("front", 0, 0), in_play()["front"][0][0][::-1])]),
    Case("CC-64", "a card of the deck backwards", in_play, [(("deck", 0), in_play()["deck"][0][::-1])]),
    Case("CC-64", "a symbol as bool", in_play, [(("hands", 0, 0), [False, 1])]),
    Case("CC-64", "a third hand", three, [(("hands", 2), GONE)], {"players": 3}),
    Case("CC-65", "a card too few", in_play, [(("deck", 0), GONE)]),
    Case("CC-65", "another card", in_play, [(("pile", 0), [4, 5])]),
    Case("CC-65", "another card in a hand", in_play, [(("hands", 0, 0), [2, 3])]),
    Case("CC-65", "another card in front", in_play, [(("front", 0, 0), [0, 1])]),
    Case("CC-65", "a card too many", in_play, [(("pile",), [[0, 1], [4, 5], [4, 5]])]),
    Case("CC-66", "seven cards", in_play, [(("hands", 1), in_play()["hands"][1] + [[0, 1]]), (("pile",), [[4, 5]])]),
    Case("CC-66", "five cards in play", in_play, [(("phase",), "play"), (("hands", 0, 0), GONE), (("pile",), [[0, 1], [0, 1], [4, 5]])]),
    Case("CC-66", "six cards in draw", drawing, [(("seat",), 0)]),
    Case("CC-66", "five cards in play, of the other", drawing, [(("phase",), "play"), (("seat",), 0)]),
    Case("CC-66", "draw in play", in_play, [(("phase",), "draw")]),
    Case("CC-66", "six cards at the end", in_play, [(("phase",), "over"), (("turns",), 1000), (("truncated",), True), (("pending_bonus",), 0)]),
    Case("CC-66", "another seat at the end", capped, [(("seat",), 1)], CAPPED),
    Case("CC-66", "another seat dumps", dumping, [(("seat",), 1)]),
    Case("CC-66", "a card missing in front", in_play, [(("front", 0), [in_play()["front"][0][1]]), (("pile",), [in_play()["front"][0][0], [0, 1], [4, 5]])]),
    Case("CC-66", "laid cards in play", laying, [(("phase",), "play")]),
    Case("CC-67", "another seat is dealt to", dealing, [(("seat",), 0)]),
    Case("CC-67", "the second hand first", dealing, [(("hands",), dealing()["hands"][::-1])]),
    Case("CC-67", "the first hand not full", dealing, [(("hands", 0, 0), GONE), (("deck",), [[0, 1], *dealing()["deck"]])]),
    Case("CC-67", "all dealt", set_up, [(("phase",), "deal"), (("turns",), 0)]),
    Case("CC-67", "front before the hands", laying, [(("hands", 1, 0), GONE), (("deck",), in_order([laying()["hands"][1][0], *laying()["deck"]]))]),
    Case("CC-67", "the other front first", laying, [(("front",), laying()["front"][::-1])]),
    Case("CC-67", "the other seat gets a card in front", laying, [(("seat",), 1)]),
    Case("CC-67", "turns in the deal", dealing, [(("turns",), 1)]),
    Case("CC-67", "turns and idle in the deal", dealing, [(("turns",), 1), (("idle",), 1)]),
    Case("CC-67", "a peg has moved in the deal", dealing, [(("pegs", 0, 0), 1)]),
    Case("CC-67", "a bonus turn in the deal", dealing, [(("pending_bonus",), 1)]),
    Case("CC-67", "a pile in the deal", dealing, [(("pile",), [dealing()["deck"][0]]), (("deck",), dealing()["deck"][1:])]),
    Case("CC-67", "truncated in the deal", dealing, [(("truncated",), True)]),
    Case("CC-68", "a peg at 11", in_play, [(("pegs", 0, 0), 11)]),
    Case("CC-68", "a peg at -1", in_play, [(("pegs", 1, 3), -1)]),
    Case("CC-68", "a peg at 4 beside one at 0", in_play, [(("pegs", 1, 0), 4)]),
    Case("CC-68", "a peg at 7 beside one at 3", in_play, [(("pegs", 0, 5), 3)]),
    Case("CC-68", "a peg at 10 beside one at 1", in_play, [(("pegs", 0, 5), 1)]),
    Case("CC-68", "what one score cannot start from", in_play, [(("pegs", 1), [0, 4, 4, 4, 4, 4])]),
    Case("CC-69", "at the goal in play", in_play, [(("pegs", 0), [10, 9, 7, 7, 7, 7])]),
    Case("CC-69", "the other at the goal", in_play, [(("pegs", 1), [7] * 6)]),
    Case("CC-69", "at the goal in dump", dumping, [(("pegs", 1), [8] * 6)]),
    Case("CC-69", "at the goal in draw", drawing, [(("pegs", 1), [8] * 6)]),
    Case("CC-69", "turns 1000", in_play, [(("turns",), 1000)]),
    Case("CC-69", "turns 1001", in_play, [(("turns",), 1001)]),
    Case("CC-69", "turns at a lower cap", set_up, [(("turns",), 30)], {"max_turns": 30}),
    Case("CC-69", "idle at the limit", set_up, [(("idle",), 3)], STILL),
    Case("CC-69", "idle above the limit", set_up, [(("idle",), 4)], STILL),
    Case("CC-69", "more idle than turns", in_play, [(("turns",), 1)]),
    Case("CC-69", "draw after the last turn", drawing, [(("turns",), 40)], {"max_turns": 40}),
    Case("CC-70", "over for no reason", won, [(("pegs", 0, 0), 6)]),
    Case("CC-70", "over one turn early", capped, [(("turns",), 19)], CAPPED),
    Case("CC-70", "over after the last turn", capped, [(("turns",), 21)], CAPPED),
    Case("CC-70", "one idle turn early", still, [(("idle",), 2)], STILL),
    Case("CC-70", "one idle turn late", still, [(("idle",), 4)], STILL),
    Case("CC-70", "the other at the goal", capped, [(("pegs", 1, 5), 7)], CAPPED),
    Case("CC-70", "both at the goal", won, [(("pegs", 1, 0), 7)]),
    Case("CC-70", "the other won", won, [(("pegs",), won()["pegs"][::-1]), (("pegs", 1, 0), 7)]),
    Case("CC-70", "a win truncated", won, [(("truncated",), True)]),
    Case("CC-70", "a cap not truncated", capped, [(("truncated",), False)], CAPPED),
    Case("CC-70", "a win at the cap truncated", won, [(("truncated",), True)], CAPPED),
    Case("CC-70", "truncated in play", in_play, [(("truncated",), True)]),
    Case("CC-71", "two bonus turns of one peg", in_play, [(("pending_bonus",), 2)]),
    Case("CC-71", "a bonus turn of the other", in_play, [(("seat",), 1)]),
    Case("CC-71", "a bonus turn at the end", won, [(("pending_bonus",), 1)]),
    Case("CC-71", "a bonus turn after a cap", capped, [(("pegs", 0), [10, 9, 6, 5, 5, 4]), (("pending_bonus",), 1)], CAPPED),
    Case("CC-72", "a hand with the lowest symbol", dumping, [(("pegs", 0), [2, 1, 2, 2, 2, 2])]),
    Case("CC-72", "a hand with the last symbol", dumping, [(("pegs", 0), [2, 2, 2, 2, 2, 1])]),
    Case("CC-72", "all rows tied", dumping, [(("pegs", 0), [2] * 6)]),
    Case("CC-72", "one tied symbol in hand", tied, [], {"dump_tie_rule": "all"}),
    Case("CC-72", "both tied symbols in hand", tied, [(("pegs", 0), [1, 2, 1, 2, 2, 2])], {"dump_tie_rule": "any"}),
    Case("CC-73", "no deck at draw", drawing, [(("pile",), drawing()["deck"]), (("deck",), [])]),
]  # fmt: skip


@pytest.mark.rule("CC-64", "CC-65", "CC-66", "CC-67", "CC-68", "CC-69", "CC-70", "CC-71")
@pytest.mark.rule("CC-72", "CC-73", "CC-41", "CC-42", "CC-47")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    with pytest.raises(tc.PositionError) as refusal:
        load(engine, NAME, **case.options).state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("CC-64")
@pytest.mark.parametrize("value", [None, [], "play", 3, {}], ids=repr)
def test_what_is_no_position_at_all_is_refused(engine: ModuleType, value: Any) -> None:
    with pytest.raises(tc.PositionError):
        load(engine, NAME).state_from_dict(value)


@pytest.mark.rule("CC-64", "CC-66")
def test_a_position_of_other_players_is_refused(engine: ModuleType) -> None:
    for players in (2, 3, 4):
        shown = set_up(players)
        for others in {2, 3, 4} - {players}:
            with pytest.raises(tc.PositionError):
                load(engine, NAME, players=others).state_from_dict(shown)


@pytest.mark.rule("CC-66", "CC-67", "CC-70", "CC-71", "CC-72", "CC-74")
@pytest.mark.parametrize(
    ("base", "options"),
    [
        (in_play, {}),
        (three, {"players": 3}),
        (dumping, {}),
        (tied, {"dump_tie_rule": "any"}),
        (drawing, {}),
        (dealing, {}),
        (laying, {}),
        (won, {}),
        (won, CAPPED),
        (capped, CAPPED),
        (still, STILL),
        (still, {**CAPPED, **STILL}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_the_positions_that_are_spoilt_are_good(
    engine: ModuleType, base: Any, options: dict[str, Any]
) -> None:
    state = load(engine, NAME, **options).state_from_dict(base())
    assert state.to_dict() == base()
    assert state.is_terminal() == (base()["phase"] == "over")


@pytest.mark.rule("CC-74")
@pytest.mark.parametrize(
    "what",
    [
        {"turns": 0, "pegs": {0: [6] * 6}},
        {"pegs": {0: [10] * 5 + [6], 1: [10] * 5 + [6]}, "pending_bonus": 5},
        {"phase": "draw", "size": 0},
        {"phase": "draw", "size": 3, "deck": [(0, 1)]},
        {"phase": "draw", "size": 5},
        {"deck": []},
        {"phase": "dump", "pegs": {0: [1, 2, 2, 2, 2, 2]}, "hands": {0: WITHOUT_RED}, "deck": []},
        {"turns": 999, "idle": 99},
        {"turns": 1, "idle": 1},
    ],
    ids=str,
)
def test_more_is_not_asked(engine: ModuleType, what: dict[str, Any]) -> None:
    shown = set_up(**what)
    assert load(engine, NAME).state_from_dict(shown).to_dict() == shown
