"""Indigo: ids of actions and outcomes, their texts, and positions as text, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tabletop_core.errors import IllegalActionError
from tests.rules.indigo_board import (
    CELLS,
    CENTRE,
    CORNERS,
    EDGE_NAMES,
    FREE_CELLS,
    LETTERS,
    MATCHINGS,
    SETTINGS,
    TYPE_NAMES,
    build,
    holding,
    load,
    points,
    start,
    tiles_of,
    tiles_on,
)
from tests.walks import walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State


@pytest.mark.rule("IN-10", "IN-47", "IN-48")
@pytest.mark.fault("A022")
def test_an_action_id_is_15_times_the_cell_plus_the_matching(engine: ModuleType) -> None:
    game = load(engine)
    assert game.num_distinct_actions() == 810
    texts = [game.action_to_string(action) for action in range(810)]
    assert texts == [
        f"place {matching} on ({q},{r})" for q, r in FREE_CELLS for matching in MATCHINGS
    ]
    assert [game.action_from_string(text) for text in texts] == list(range(810))


@pytest.mark.rule("IN-21", "IN-47")
def test_756_of_the_810_ids_can_be_legal(engine: ModuleType) -> None:
    state = start(engine)
    legal = {action for kind in range(5) for action in holding(state, kind).legal_actions()}
    assert len(legal) == 756


@pytest.mark.rule("IN-48")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "place",
        "place 03/14/25 on (0, -3)",
        "place 03/14/25 on (0,-3) ",
        " place 03/14/25 on (0,-3)",
        "Place 03/14/25 on (0,-3)",
        "place 30/14/25 on (0,-3)",
        "place 14/03/25 on (0,-3)",
        "place 03/14 on (0,-3)",
        "place 00/14/25 on (0,-3)",
        "place 03/14/25 on (0,0)",
        "place 03/14/25 on (0,-4)",
        "place 03/14/25 on (5,-3)",
        "place 03/14/25 on (+0,-3)",
        "draw three straights",
        "45",
    ],
)
def test_only_exact_action_texts_are_read(engine: ModuleType, text: str) -> None:
    with pytest.raises(IllegalActionError):
        load(engine).action_from_string(text)


@pytest.mark.rule("IN-49")
def test_a_chance_id_is_the_type_of_the_tile(engine: ModuleType) -> None:
    game = load(engine)
    assert game.max_chance_outcomes() == 5
    texts = [game.chance_to_string(outcome) for outcome in range(5)]
    assert texts == [
        "draw straight + two wide curves",
        "draw three straights",
        "draw straight + two tight curves",
        "draw one tight curve + two crossing wide curves",
        "draw three tight curves",
    ]
    assert texts == [f"draw {name}" for name in TYPE_NAMES]
    assert [game.chance_from_string(text) for text in texts] == list(range(5))


@pytest.mark.rule("IN-49")
@pytest.mark.parametrize(
    "text",
    ["", "draw", "draw three straights ", "three straights", "draw 1", "draw Three straights"],
)
def test_only_exact_chance_texts_are_read(engine: ModuleType, text: str) -> None:
    with pytest.raises(IllegalActionError):
        load(engine).chance_from_string(text)


@pytest.mark.rule("IN-48", "IN-49")
@pytest.mark.fault("A023")
def test_every_move_of_a_game_can_be_named_afterwards(engine: ModuleType) -> None:
    game = load(engine, players=3)
    state = game.new_initial_state()
    history = []
    rng = engine.Rng(4)
    while not state.is_terminal():
        chance = state.is_chance_node()
        legal = state.legal_actions()
        action = legal[rng.below(len(legal))]
        history.append((chance, action, state.action_to_string(action)))
        state.apply_action(action)
    for chance, action, text in history:
        assert text == (game.chance_to_string if chance else game.action_to_string)(action)


@pytest.mark.rule("IN-48", "IN-49")
def test_one_number_is_an_outcome_at_chance_nodes_and_an_action_elsewhere(
    engine: ModuleType,
) -> None:
    game = load(engine)
    deal = game.new_initial_state()
    assert deal.action_to_string(1) == "draw three straights"
    assert start(engine).action_to_string(1) == "place 03/15/24 on (1,-4)"


# --- positions as text ---------------------------------------------------------------------------


def text_of(state: State) -> str:
    """What `str(state)` must be, from the dict of the position."""
    shown = state.to_dict()
    tiles = tiles_on(state)
    over = shown["phase"] == "over"
    lines = ["indigo: over" if over else f"indigo: {shown['phase']}, seat {shown['seat']}"]
    for r in range(-4, 5):
        marks = []
        for cell in (cell for cell in CELLS if cell[1] == r):
            mark = "@" if cell == CENTRE else "*" if cell in CORNERS else "."
            marks.append(LETTERS[tiles[cell]] if cell in tiles else mark)
        lines.append(" " * abs(r) + " ".join(marks))
    centre = shown["centre"]
    lines.append(f"centre: {centre['emerald']} emerald, {centre['sapphire']} sapphire")
    gems = [
        f"{gem['gem']} ({gem['cell'][0]},{gem['cell'][1]}) {EDGE_NAMES[gem['edge']]}"
        for gem in shown["gems"]
    ]
    lines.append("gems: " + (", ".join(gems) or "none"))
    lines.append("pile: " + " ".join(map(str, shown["pile"])))
    for seat, hand in enumerate(shown["hands"]):
        lines.append(f"hand {seat}: " + (" ".join(map(str, hand)) or "-"))
    for seat, won in enumerate(shown["won"]):
        counts = ", ".join(f"{count} {gem}" for gem, count in won.items())
        lines.append(f"won {seat}: {counts} = {points(won)} points")
    return "\n".join(lines)


@pytest.mark.rule("IN-50")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_position_is_written_line_by_line(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in walk(load(engine, **options), seed=17):
        assert str(state) == text_of(state)


@pytest.mark.rule("IN-50")
def test_the_start_is_written_with_nothing_on_the_board(engine: ModuleType) -> None:
    ambers = [
        *("amber (0,-4) SE", "amber (4,-4) SW", "amber (-4,0) E"),
        *("amber (4,0) W", "amber (-4,4) NE", "amber (0,4) NW"),
    ]
    assert str(load(engine).new_initial_state()).splitlines() == [
        "indigo: deal, seat 0",
        "    * . . . *",
        "   . . . . . .",
        "  . . . . . . .",
        " . . . . . . . .",
        "* . . . @ . . . *",
        " . . . . . . . .",
        "  . . . . . . .",
        "   . . . . . .",
        "    * . . . *",
        "centre: 5 emerald, 1 sapphire",
        f"gems: {', '.join(ambers)}",
        "pile: 14 6 14 14 6",
        "hand 0: -",
        "hand 1: -",
        "won 0: 0 amber, 0 emerald, 0 sapphire = 0 points",
        "won 1: 0 amber, 0 emerald, 0 sapphire = 0 points",
    ]


@pytest.mark.rule("IN-50")
@pytest.mark.parametrize("matching", MATCHINGS)
def test_letters_name_the_matchings(engine: ModuleType, matching: str) -> None:
    state = build(engine, tiles_of([(matching, (-3, 1)), ("01/23/45", (0, 2))]))
    rows = str(state).splitlines()
    assert rows[6] == f" . {'abcdefghijklmno'[MATCHINGS.index(matching)]} . . . . . ."
    assert rows[7] == "  . . . . n . ."
