"""Sequence Numbers: what `state_from_dict` refuses, one case for each thing that can be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import tabletop_core as tc
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PLUS,
    Ends,
    after,
    load,
    position,
    row_cells,
    set_up,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

BOARD = CANONICAL
GONE = "(gone)"


class Case(NamedTuple):
    """A good position, and one or more places of its dict with a value that spoils it."""

    clause: str
    name: str
    edits: Sequence[tuple[tuple[Any, ...], Any]]
    options: dict[str, Any] = {}  # noqa: RUF012
    what: dict[str, Any] = {}  # noqa: RUF012


PLAY: dict[str, Any] = {
    "hands": {0: [1, 2, PLUS], 1: [3]},
    "chips": {0: [(2, 2), (3, 5)], 1: [(5, 5)]},
    "turn": 4,
}
DEAL: dict[str, Any] = {"phase": "deal", "hands": {0: [1, 2]}}
LINE: Ends = ((2, 1), (2, 5))
FOUR: dict[str, Any] = {"players": 4}
MANY: dict[str, Any] = {"players": 4, "sequences_to_win": 5}
CHOOSE: dict[str, Any] = {**MANY, "lock_policy": "choose"}
CHOOSING: dict[str, Any] = {
    "phase": "choose_lock",
    "chips": {0: row_cells(2, range(1, 7)), 1: row_cells(7, range(1, 7))},
    "pending_locks": [[BOARD.window((2, 1), (2, 5)), BOARD.window((2, 2), (2, 6))], [], [], []],
}
TALK: dict[str, Any] = {"players": 4, "table_talk_per_mille": 50}
TALKING: dict[str, Any] = {
    "phase": "talk_discard",
    "hands": {0: [1], 1: [2], 2: [3]},
    "talkers": [2, 0],
    "turn": 5,
}
OVER: dict[str, Any] = {"phase": "over", "turn": 4, "idle": 2}
WON: dict[str, Any] = {"phase": "over", "turn": 4, "sequences": {0: [LINE]}, "winners": [0]}
CAPPED: dict[str, Any] = {"phase": "over", "turn": 3000, "truncated": True}


def cards(count: int, *extra: Any) -> list[Any]:
    return [*range(10, 10 + count), *extra]


KEYS = list(set_up(tc.reference.load_game("sequence_numbers")))
WRONG: dict[str, list[tuple[tuple[Any, ...], Any]]] = {
    "phase": [((), "start"), ((), 3), ((), None), ((), "PLAY")],
    "seat": [((), "0"), ((), 0.0), ((), None), ((), False), ((), 2), ((), -1)],
    "turn": [((), 4.0), ((), "4"), ((), None)],
    "idle": [((), False), ((), 0.0), ((), None)],
    "swapped": [((), 0), ((), None), ((), "false")],
    "hands": [
        ((), {}),
        ((), None),
        ((), [[1, 2, PLUS]]),
        ((), [[1, 2, PLUS], [3], []]),
        ((0,), PLUS),
        ((0,), None),
        ((0, 0), 0),
        ((0, 0), 49),
        ((0, 0), "star"),
        ((0, 0), "1"),
        ((0, 0), True),
        ((0, 0), 1.0),
        ((0, 0), None),
        ((0, 0), [1]),
        ((0, 2), "PLUS"),
    ],
    "deck": [((), None), ((), {}), ((0,), True), ((0,), -1), ((0,), None)],
    "discards": [((), None), ((), "minus"), ((), [49]), ((), [None])],
    "owner": [
        ((), None),
        ((), []),
        ((9,), GONE),
        ((4, 9), GONE),
        ((4,), [None] * 11),
        ((4,), None),
        ((4, 4), 2),
        ((4, 4), -1),
        ((4, 4), True),
        ((4, 4), 1.0),
        ((4, 4), "r"),
    ],
    "sequences": [
        ((), None),
        ((), [[]]),
        ((), [[], [], []]),
        ((0,), None),
        ((0,), [-1]),
        ((0,), [192]),
        ((0,), [True]),
        ((0,), ["0"]),
    ],
    "pending_locks": [((), None), ((), [[], [], []]), ((), [[]] * 5), ((0,), None)],
    "talkers": [((), None), ((), [2]), ((), ["0"]), ((), [False])],
    "winners": [((), None), ((), [2]), ((), [-1])],
    "truncated": [((), 0), ((), None)],
}

CASES = [
    *[Case("SN-93", f"without {key}", [((key,), GONE)], what=PLAY) for key in KEYS],
    Case("SN-93", "another key", [(("colour",), "red")], what=PLAY),
    Case("SN-93", "a key that is no text", [((3,), 3)], what=PLAY),
    *[
        Case("SN-93", f"{key}{list(path)} is {value!r}", [((key, *path), value)], what=PLAY)
        for key, values in WRONG.items()
        for path, value in values
    ],
    Case("SN-93", "seat True", [(("seat",), True)], what={"turn": 1}),
    Case("SN-93", "turn True", [(("turn",), True)], what={"turn": 1}),
    Case("SN-93", "winner False", [(("winners", 0), False)], what=WON),
    # Cards
    Case(
        "SN-94", "a card too many in the deck", [(("deck", 0), 9), (("discards",), [10])], what=PLAY
    ),
    Case("SN-94", "a card too few", [(("deck", 5), GONE)], what=PLAY),
    Case("SN-94", "a third copy", [(("discards",), [1])], what=PLAY),
    Case("SN-94", "another card in a hand", [(("hands", 0, 0), 2)], what=PLAY),
    Case("SN-94", "three plus cards", [(("hands", 0), [PLUS] * 3)], what=PLAY),
    Case("SN-94", "no minus", [(("deck", -1), GONE)], what=PLAY),
    Case("SN-95", "six cards in a hand", [], what={"hands": {0: cards(6)}}),
    Case("SN-95", "six cards in another hand", [], what={"hands": {1: cards(6)}}),
    Case("SN-95", "five cards of four", [], FOUR, {"hands": {2: cards(5)}}),
    Case("SN-95", "turn_draw", [], what={"phase": "turn_draw", "hands": {0: cards(5)}}),
    Case(
        "SN-95",
        "swap_draw",
        [],
        what={"phase": "swap_draw", "swapped": True, "hands": {0: cards(5)}},
    ),
    Case(
        "SN-95",
        "miss",
        [],
        {"missed_draw_per_mille": 9},
        {"phase": "miss", "hands": {0: cards(5)}},
    ),
    Case("SN-95", "choose_lock", [], CHOOSE, {**CHOOSING, "hands": {0: cards(4)}}),
    # The deal, and the deck at a draw
    Case("SN-96", "second seat first", [], what={"phase": "deal", "hands": {1: [1]}}),
    Case("SN-96", "first seat not full", [], what={"phase": "deal", "hands": {0: [1], 1: [2]}}),
    Case(
        "SN-96", "all dealt", [], what={"phase": "deal", "hands": {0: cards(5), 1: cards(4, PLUS)}}
    ),
    Case("SN-96", "chips", [], what={**DEAL, "chips": {0: [(4, 4)]}}),
    Case("SN-96", "discards", [], what={**DEAL, "discards": [9]}),
    Case("SN-96", "sequences", [], FOUR, {**DEAL, "sequences": {0: [LINE]}}),
    Case("SN-96", "first turn", [], what={**DEAL, "turn": 1}),
    Case("SN-96", "turn", [], what={**DEAL, "turn": 2}),
    Case("SN-96", "idle", [], what={**DEAL, "idle": 1}),
    Case("SN-96", "no deck at turn_draw", [], what={"phase": "turn_draw", "deck": []}),
    Case(
        "SN-96",
        "no deck at swap_draw",
        [],
        what={"phase": "swap_draw", "swapped": True, "deck": []},
    ),
    # Turns
    Case("SN-97", "another seat", [(("seat",), 1)], what=PLAY),
    Case("SN-97", "another seat at the end", [(("seat",), 1)], what=OVER),
    Case("SN-97", "idle 2", [(("idle",), 2)], what=PLAY),
    Case("SN-97", "idle 2**40", [(("idle",), 2**40)], what=PLAY),
    Case("SN-97", "idle -1", [(("idle",), -1)], what=PLAY),
    Case("SN-97", "turn 3000", [(("turn",), 3000)], what=PLAY),
    Case("SN-97", "turn 2**70", [(("turn",), 2**70)], what=PLAY),
    Case("SN-97", "turn 2**32 + 4", [(("turn",), 2**32 + 4)], what=PLAY),
    Case("SN-97", "turn -2", [(("turn",), -2)], what=PLAY),
    Case("SN-98", "swapped in deal", [(("swapped",), True)], what=DEAL),
    Case("SN-98", "swapped in talk", [(("swapped",), True)], TALK, {"phase": "talk"}),
    Case("SN-98", "swapped in talk_discard", [(("swapped",), True)], TALK, TALKING),
    Case("SN-98", "not swapped in swap_draw", [], what={"phase": "swap_draw"}),
    Case("SN-98", "swapped after the last turn", [(("swapped",), True)], what=CAPPED),
    Case("SN-98", "swapped after a stalemate", [(("swapped",), True)], what=OVER),
    # Chips
    *[
        Case("SN-99", f"a chip on {corner}", [(("owner", *corner), 0)], what=PLAY)
        for corner in BOARD.corners
    ],
    Case("SN-99", "too many chips", [(("owner", 4, 4), 0)], {"chips_per_colour": 2}, PLAY),
    # Sequences
    Case("SN-100", "descending", [(("sequences", 0), [24, 13])], MANY, {"chips": {0: BOARD.cells}}),
    Case("SN-100", "twice", [(("sequences", 0), [13, 13])], MANY, {"chips": {0: BOARD.cells}}),
    Case(
        "SN-100", "a cell not covered", [(("owner", 2, 3), None)], FOUR, {"sequences": {0: [LINE]}}
    ),
    Case("SN-100", "a cell of others", [(("owner", 2, 3), 1)], FOUR, {"sequences": {0: [LINE]}}),
    Case(
        "SN-100", "another team's", [(("sequences",), [[], [13]])], FOUR, {"sequences": {0: [LINE]}}
    ),
    Case("SN-100", "two cells shared", [], MANY, {"sequences": {0: [LINE, ((2, 4), (2, 8))]}}),
    Case("SN-100", "four cells shared", [], MANY, {"sequences": {1: [LINE, ((2, 2), (2, 6))]}}),
    Case("SN-100", "target reached", [], what={"sequences": {0: [LINE]}}),
    Case("SN-100", "target reached of two", [], FOUR, {"sequences": {1: [LINE, ((4, 1), (4, 5))]}}),
    # Pending choices
    Case("SN-101", "in play", [(("phase",), "play")], CHOOSE, CHOOSING),
    Case("SN-101", "at the draw", [(("phase",), "turn_draw")], CHOOSE, CHOOSING),
    Case("SN-101", "none", [(("pending_locks",), [[]] * 4)], CHOOSE, CHOOSING),
    Case("SN-101", "not full", [(("owner", 2, 3), None)], CHOOSE, CHOOSING),
    Case(
        "SN-101",
        "another team's",
        [(("pending_locks", 0), [BOARD.window((7, 1), (7, 5))])],
        CHOOSE,
        CHOOSING,
    ),
    Case(
        "SN-101",
        "another direction",
        [(("pending_locks",), [[], CHOOSING["pending_locks"][0], [], []])],
        CHOOSE,
        CHOOSING,
    ),
    Case(
        "SN-101",
        "shares too much",
        [(("sequences", 0), [BOARD.window((2, 1), (2, 5))])],
        CHOOSE,
        CHOOSING,
    ),
    # Table talk
    Case("SN-102", "in play", [(("phase",), "play")], TALK, TALKING),
    Case("SN-102", "none", [(("talkers",), [])], TALK, TALKING),
    Case("SN-102", "two teams", [(("talkers",), [1, 2])], TALK, TALKING),
    Case("SN-102", "without a card", [(("talkers",), [1, 3])], TALK, TALKING),
    Case("SN-102", "another order", [(("talkers",), [0, 2])], TALK, TALKING),
    Case("SN-102", "twice", [(("talkers",), [2, 2])], TALK, TALKING),
    Case("SN-102", "talkers in talk", [(("phase",), "talk")], TALK, TALKING),
    # Ends
    Case("SN-103", "winners in play", [(("winners",), [0])], what=PLAY),
    Case("SN-103", "truncated in play", [(("truncated",), True)], what=PLAY),
    Case("SN-103", "no reason", [], what={**PLAY, "phase": "over"}),
    Case("SN-103", "no reason, one idle", [], what={**PLAY, "phase": "over", "idle": 1}),
    Case("SN-103", "nobody won", [(("winners",), [])], what=WON),
    Case("SN-103", "others won", [(("winners",), [1])], what=WON),
    Case("SN-103", "all won", [(("winners",), [0, 1])], what=WON),
    Case("SN-103", "a win truncated", [(("truncated",), True)], what=WON),
    Case("SN-103", "a stalemate won", [(("winners",), [0])], what=OVER),
    Case("SN-103", "a stalemate truncated", [(("truncated",), True)], what=OVER),
    Case("SN-103", "the cap not truncated", [(("truncated",), False)], what=CAPPED),
    Case("SN-103", "a capped draw won", [(("winners",), [1])], what=CAPPED),
    Case(
        "SN-103",
        "only half of the team won",
        [(("winners",), [0])],
        FOUR,
        {
            "phase": "over",
            "turn": 4,
            "sequences": {0: [LINE, ((4, 1), (4, 5))]},
            "winners": [0, 2],
        },
    ),
    Case(
        "SN-103",
        "the wrong team has most",
        [(("winners",), [1])],
        {"sequences_to_win": 2, "max_turns_result": "most_sequences"},
        {**CAPPED, "sequences": {0: [LINE]}, "winners": [0]},
    ),
    # Phases
    Case("SN-104", "talk", [], what={"phase": "talk"}),
    Case("SN-104", "talk with misses only", [], {"missed_draw_per_mille": 9}, {"phase": "talk"}),
    Case("SN-104", "talk_discard", [], FOUR, TALKING),
    Case("SN-104", "miss", [], what={"phase": "miss"}),
    Case("SN-104", "choose_lock", [], MANY, CHOOSING),
    Case("SN-104", "draw never taken", [], {"missed_draw_per_mille": 1000}, {"phase": "turn_draw"}),
    Case("SN-104", "choice with free sharing", [], {**CHOOSE, "shared_cells_allowed": 4}, CHOOSING),
    Case("SN-104", "choice for one sequence", [], {**CHOOSE, "sequences_to_win": 1}, CHOOSING),
]


def spoil(shown: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    place: Any = shown
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value


@pytest.mark.rule("SN-93", "SN-94", "SN-95", "SN-96", "SN-97", "SN-98", "SN-99")
@pytest.mark.rule("SN-100", "SN-101", "SN-102", "SN-103", "SN-104")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    game = load(engine, **case.options)
    shown = set_up(game, **case.what)
    if case.edits:
        game.state_from_dict(shown)
    for path, value in case.edits:
        spoil(shown, path, value)
    with pytest.raises(tc.PositionError) as refusal:
        game.state_from_dict(shown)
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("SN-93")
@pytest.mark.parametrize("value", [None, [], "play", 3, [("phase", "play")]], ids=repr)
def test_what_is_no_dict_is_refused(engine: ModuleType, value: Any) -> None:
    with pytest.raises(tc.TabletopError):
        load(engine).state_from_dict(value)


@pytest.mark.rule("SN-105", "SN-103")
@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, PLAY),
        ({}, DEAL),
        ({}, OVER),
        ({}, WON),
        ({}, CAPPED),
        (CHOOSE, CHOOSING),
        (TALK, TALKING),
        ({"chips_per_colour": 2}, PLAY),
        (CHOOSE, {**CHOOSING, "hands": {0: cards(3), 1: cards(4)}}),
        ({"missed_draw_per_mille": 9}, {"phase": "miss", "hands": {0: cards(4)}, "deck": []}),
        ({**MANY, "shared_cells_allowed": 4}, {"sequences": {1: [LINE, ((2, 2), (2, 6))]}}),
        ({"stalemate_result": "most_sequences"}, OVER),
        (
            {"sequences_to_win": 2, "max_turns_result": "most_sequences"},
            {**CAPPED, "sequences": {0: [LINE]}, "winners": [0]},
        ),
    ],
    ids=str,
)
def test_the_positions_that_are_spoilt_are_good(
    engine: ModuleType, options: dict[str, Any], what: dict[str, Any]
) -> None:
    game = load(engine, **options)
    state = position(game, **what)
    assert state.to_dict() == set_up(game, **what)
    assert state.is_terminal() == (what.get("phase") == "over")
    if not state.is_terminal():
        assert after(state, state.legal_actions()[0]) != state


@pytest.mark.rule("SN-104", "SN-105")
def test_every_phase_is_accepted_where_options_allow_it(engine: ModuleType) -> None:
    game = load(
        engine,
        players=4,
        sequences_to_win=3,
        lock_policy="choose",
        missed_draw_per_mille=9,
        table_talk_per_mille=9,
    )
    cases: dict[str, dict[str, Any]] = {
        "deal": {"hands": {0: [1]}},
        "talk": {},
        "talk_discard": {"hands": {0: [1]}, "talkers": [0]},
        "play": {},
        "swap_draw": {"swapped": True},
        "choose_lock": CHOOSING,
        "miss": {},
        "turn_draw": {"hands": {0: [1, MINUS]}},
        "over": {"idle": 4},
    }
    for phase, what in cases.items():
        assert position(game, **{**what, "phase": phase}).to_dict()["phase"] == phase
