"""Indigo: positions as dicts and bytes, on both engines."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tabletop_core.errors import PositionError
from tests.rules.indigo_board import (
    AMBER_ROAD,
    CELLS,
    FREE_CELLS,
    GEMS,
    KEYS,
    SETTINGS,
    in_play,
    load,
    position,
    tiles_of,
    tiles_on,
)
from tests.rules.shared import tupled
from tests.walks import end, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

RULES_PAGE = Path(__file__).parents[2] / "docs" / "rules" / "indigo.md"


@pytest.mark.rule("IN-50", "IN-56")
def test_the_example_of_the_rules_page_is_a_position(engine: ModuleType) -> None:
    page = RULES_PAGE.read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (picture,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    state = load(engine).state_from_dict(json.loads(example))
    assert json.dumps(state.to_dict()) == json.dumps(json.loads(example))
    assert str(state) == picture.rstrip("\n")
    assert len(state.legal_actions()) == 159


@pytest.mark.rule("IN-56", "IN-59", "IN-60", "IN-61")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, **options)
    for state in walk(game, seed=61):
        shown = state.to_dict()
        assert tuple(shown) == KEYS
        for back in (
            game.state_from_dict(shown),
            game.state_from_dict(json.loads(json.dumps(shown))),
            game.state_from_dict(tupled(shown)),
            game.state_from_bytes(state.to_bytes()),
        ):
            assert back == state
            assert back.stable_hash() == state.stable_hash()
            assert json.dumps(back.to_dict()) == json.dumps(shown)


@pytest.mark.rule("IN-56")
def test_tiles_and_gems_are_listed_by_cell_and_edge(engine: ModuleType) -> None:
    for state in walk(load(engine, hand_size=2), seed=67):
        shown = state.to_dict()
        tiles = [CELLS.index(tuple(tile["cell"])) for tile in shown["tiles"]]
        gems = [(CELLS.index(tuple(gem["cell"])), gem["edge"]) for gem in shown["gems"]]
        assert tiles == sorted(tiles)
        assert gems == sorted(gems)
        assert all(tile["routes"] == sorted(map(sorted, tile["routes"])) for tile in shown["tiles"])
        assert shown["hands"] == [sorted(hand) for hand in shown["hands"]]


@pytest.mark.rule("IN-56")
def test_lists_are_read_in_any_order(engine: ModuleType) -> None:
    game = load(engine, hand_size=2)
    shown = position(tiles_of(AMBER_ROAD[:3]), hand_size=2, hands={0: [3, 4], 1: [0, 2]})
    state = game.state_from_dict(shown)
    shown["tiles"].reverse()
    shown["gems"].reverse()
    for tile_shown in shown["tiles"]:
        tile_shown["routes"] = [route[::-1] for route in tile_shown["routes"][::-1]]
    for hand in shown["hands"]:
        hand.reverse()
    assert game.state_from_dict(shown) == state
    assert game.state_from_dict(shown).to_dict() == state.to_dict()


# --- bytes ---------------------------------------------------------------------------------------


def bytes_of(state: State, options: dict[str, Any]) -> bytes:
    """What `to_bytes()` must be, from the dict of the position."""
    shown, tiles = state.to_dict(), tiles_on(state)
    numbers = [("deal", "place", "draw", "over").index(shown["phase"]), shown["seat"]]
    numbers += [tiles.get(cell, 15) for cell in FREE_CELLS]
    numbers.append(len(shown["gems"]))
    for one in shown["gems"]:
        numbers += [CELLS.index(tuple(one["cell"])), one["edge"], GEMS.index(one["gem"])]
    numbers += [shown["centre"]["emerald"], shown["centre"]["sapphire"], *shown["pile"]]
    for hand in shown["hands"]:
        numbers += [len(hand), *hand]
    for won in shown["won"]:
        numbers += [won[colour] for colour in GEMS]
    header = b"TTC\x01"
    for text in ("indigo", "1", json.dumps(options)):
        header += len(text).to_bytes(2, "little") + text.encode()
    return header + bytes(numbers)


@pytest.mark.rule("IN-65")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_bytes_are_a_header_and_one_byte_for_each_number(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in walk(load(engine, **options), seed=71):
        assert state.to_bytes() == bytes_of(state, options)


@pytest.mark.rule("IN-57", "IN-58", "IN-61", "IN-65")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number of the position changed to each of some values: refused, or another position."""
    game = load(engine)
    state = game.state_from_dict(in_play())
    good = state.to_bytes()
    header = good.index(b"}") + 1
    refused = 0
    for place in range(header, len(good)):
        for value in (0, 1, 15, 16, 255):
            changed = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                other = game.state_from_bytes(changed)
            except PositionError:
                refused += 1
            else:
                assert other.to_bytes() == changed
                assert (other == state) == (changed == good)
    assert refused > 4 * (len(good) - header) - 54


@pytest.mark.rule("IN-65")
def test_cut_or_longer_bytes_are_refused(engine: ModuleType) -> None:
    game = load(engine)
    good = end(game, seed=2).to_bytes()
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0", b"", b"TTC"):
        with pytest.raises(PositionError):
            game.state_from_bytes(bad)
