"""Indigo: which positions there are, and which of them are equal, on both engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import effort
from tests.rules.indigo_board import (
    AMBER_ROAD,
    FULL_BOARD,
    KEYS,
    NOTHING,
    RING_1,
    SETTINGS,
    action_id,
    any_gem_left,
    build,
    drawing,
    holding,
    in_play,
    load,
    over,
    position,
    scored,
    start,
    tiles_of,
    tiles_on,
)

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.rule("IN-59", "IN-61")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_boards_built_by_hand_are_accepted_in_every_phase_they_allow(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Any board without a forbidden curve, filled in any order, with the gems that its tracks
    give.
    """
    cells = list(FULL_BOARD)
    last_draw = 54 - options["players"] * options["hand_size"]
    for number in range(0, 55, effort(engine, native=1, reference=3)):
        tiles = {cell: FULL_BOARD[cell] for cell in (cells[7:] + cells[:7])[:number]}
        left = any_gem_left(tiles)
        allowed = {
            "place": left,
            "draw": left and 1 <= number <= last_draw,
            "over": not left,
        }
        for phase, possible in allowed.items():
            if possible:
                state = build(engine, tiles, phase=phase, **options)
                assert tiles_on(state) == tiles
                assert state.is_terminal() == (phase == "over")


@pytest.mark.rule("IN-27", "IN-61")
def test_each_of_six_centre_edges_may_have_given_the_sapphire(engine: ModuleType) -> None:
    tiles = tiles_of(("03/14/25", cell) for cell in RING_1)
    states = [build(engine, tiles, sapphire_edge=edge) for edge in range(6)]
    assert len({state.stable_hash() for state in states}) == 6
    for edge, state in enumerate(states):
        sapphires = [gem for gem in state.to_dict()["gems"] if gem["gem"] == "sapphire"]
        assert sapphires == [{"cell": list(RING_1[edge]), "edge": edge, "gem": "sapphire"}]


@pytest.mark.rule("IN-35", "IN-61")
def test_the_sapphire_may_have_been_won_on_any_track_that_led_an_emerald_out(
    engine: ModuleType,
) -> None:
    """On a full board the won gems depend on the edge of the sapphire, and every such edge is
    accepted.
    """
    kinds = set()
    for edge in range(6):
        state = build(engine, FULL_BOARD, players=4, sapphire_edge=edge)
        kinds.add(json.dumps(state.to_dict()["won"]))
    assert len(kinds) > 1


# --- equality ------------------------------------------------------------------------------------


@pytest.mark.rule("IN-55")
def test_the_order_of_placements_is_no_part_of_a_position(engine: ModuleType) -> None:
    """Both seats hold a type 3 and draw one: who filled which of two cells cannot be seen."""
    begin = build(engine, {}, hands={0: [3], 1: [3]})
    moves = [action_id("01/24/35", (2, 0)), action_id("02/13/45", (-2, 0))]
    ends = []
    for first, second in (moves, moves[::-1]):
        state = begin.clone()
        for action in (first, 3, second, 3):
            state.apply_action(action)
        ends.append(state)
    assert ends[0] == ends[1]
    assert ends[0].stable_hash() == ends[1].stable_hash()
    assert hash(ends[0]) == hash(ends[1])
    assert ends[0].to_bytes() == ends[1].to_bytes()


@pytest.mark.rule("IN-32", "IN-55")
def test_lost_gems_leave_nothing_in_the_position(engine: ModuleType) -> None:
    shown = load(engine).state_from_dict(over()).to_dict()
    assert tuple(shown) == KEYS
    assert shown["gems"] == []
    assert shown["won"] == [NOTHING, NOTHING]


@pytest.mark.rule("IN-47", "IN-55")
@pytest.mark.fault("A041")
def test_positions_with_different_tiles_have_different_hashes(engine: ModuleType) -> None:
    """One tile in each of its 756 places, and the start."""
    state = start(engine)
    hashes = {state.stable_hash()}
    for kind in range(5):
        held = holding(state, kind)
        for action in held.legal_actions():
            hashes.add(held.child(action).stable_hash())
    assert len(hashes) == 757


@pytest.mark.rule("IN-55")
@pytest.mark.fault("A040", "A041")
def test_positions_with_different_hands_seats_or_gems_are_unequal(
    engine: ModuleType,
) -> None:
    states = [
        load(engine).state_from_dict(shown)
        for shown in (
            in_play(),
            drawing(),
            scored(),
            position(tiles_of(AMBER_ROAD[:3]), hands={0: [2], 1: [3]}),
            position(tiles_of(AMBER_ROAD[:3]), hands={0: [3], 1: [4]}),
        )
    ]
    ring = tiles_of(("03/14/25", cell) for cell in RING_1)
    states += [build(engine, ring, sapphire_edge=edge) for edge in range(6)]
    for number, state in enumerate(states):
        assert [other == state for other in states].count(True) == 1
        assert state != states[number - 1]
    assert len({state.stable_hash() for state in states}) == len(states)
