"""Wrong dicts and bytes are refused, or are a sound position to both engines; nothing in between."""

from __future__ import annotations

import copy
import math
from array import array
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import Configuration, mixtures, seatings, shortened
from tests.engines import ENGINES
from tests.errors.strange import HUGE, HalfMapping, Unspeakable, every_kind
from tests.walks import after, end, first_decision, positions, step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from tabletop_core.protocol import Game, State


JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    255,
    256,
    HUGE,
    -HUGE,
    1.0,
    math.nan,
    "",
    "x",
    "0",
    [],
    [[]],
    {},
    {"x": 0},
    b"",
    (0,),
)


MUTATIONS = 8
"""Damaged copies that are made of each position."""

MID_GAME = 30
"""A node that most games reach."""


def states_of(configuration: Configuration) -> int:
    """Choose how many positions to damage: many of a seating, few of each of the many variants."""
    return 15 if configuration in seatings() else 3


def leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path to every value in a nested dict, containers included."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))


def replaced(value: Any, path: tuple[Any, ...], leaf: object) -> Any:
    """Give a copy of a nested dict with one value replaced."""
    written = copy.deepcopy(value)
    place = written
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = leaf
    return written


def assert_refused_or_sound(configuration: Configuration, written: Any, rng: tc.Rng) -> bool:
    """Read a dict that may be wrong: both engines refuse it, or both take it for the same sound position."""
    taken = []
    for engine in ENGINES.values():
        game = configuration.load(engine)
        try:
            state = game.state_from_dict(written)
        except tc.PositionError:
            continue
        assert regardless_of_order(state.to_dict()) == regardless_of_order(written)
        taken.append(state.to_bytes())
        assert_playable(game, state, rng)
    assert len(taken) in {0, len(ENGINES)}, f"one engine alone accepts {written}"
    assert len(set(taken)) <= 1
    return bool(taken)


def regardless_of_order(value: object) -> str:
    """Write a dict so that types show (True is not 1, nor is 1.0) but the order in its lists does not."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{key!r}: {regardless_of_order(value[key])}" for key in sorted(value))
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(sorted(map(regardless_of_order, value))) + "]"
    return repr(value)


def assert_playable(game: Game, state: State, rng: tc.Rng) -> None:
    """Use a position in every way, and play on a little."""
    assert game.state_from_bytes(state.to_bytes()) == state
    assert game.state_from_dict(state.to_dict()) == state
    for seat in range(game.num_players()):
        state.observation_tensor(seat)
        state.observation_string(seat)
        state.resample_from_infostate(seat, rng)
    assert str(state)
    state.returns()
    for _ in range(5):
        if not state.is_terminal():
            assert state.legal_actions()
            step(state, rng)
    assert game.state_from_bytes(state.to_bytes()) == state


def test_dicts_with_wrong_keys_are_refused(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        written = state.to_dict()
        for key in written:
            with pytest.raises(tc.PositionError) as caught:
                seated_game.state_from_dict(
                    {name: value for name, value in written.items() if name != key}
                )
            assert key in str(caught.value)
        for extra in ("nonsense", "", 0, None):
            with pytest.raises(tc.PositionError):
                seated_game.state_from_dict({**written, extra: 0})  # type: ignore[dict-item]
        no_dicts: list[Any] = [None, 0, "dict", [], [written], {}, list(written.items()), b""]
        for wrong in (*no_dicts, Unspeakable(), dict, HalfMapping(), SimpleNamespace(keys=1)):
            with pytest.raises(tc.PositionError):
                seated_game.state_from_dict(wrong)


def test_tuples_are_as_good_as_lists_in_a_dict(seated_game: Game) -> None:
    def with_tuples(value: object) -> object:
        if isinstance(value, list):
            return tuple(with_tuples(part) for part in value)
        if isinstance(value, dict):
            return {key: with_tuples(part) for key, part in value.items()}
        return value

    for state in every_kind(seated_game):
        written: Any = with_tuples(state.to_dict())
        assert seated_game.state_from_dict(written) == state


def test_order_of_keys_does_not_matter(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        assert seated_game.state_from_dict(dict(reversed(state.to_dict().items()))) == state


def test_dicts_with_one_wrong_value_are_refused_or_sound(configuration: Configuration) -> None:
    chosen = shortened(configuration)
    rng = tc.Rng(66)
    refused = 0
    for state in positions(chosen.load(tc), states_of(configuration)):
        written = state.to_dict()
        before = repr(written)
        paths = list(leaves(written))
        for _ in range(MUTATIONS):
            path = paths[rng.below(len(paths))]
            junk = JUNK[rng.below(len(JUNK))]
            refused += not assert_refused_or_sound(chosen, replaced(written, path, junk), rng)
        assert repr(written) == before
    assert refused > 0


def test_dicts_with_two_values_exchanged_are_refused_or_sound(seating: Configuration) -> None:
    chosen = shortened(seating)
    rng = tc.Rng(67)
    for state in positions(chosen.load(tc), states_of(seating)):
        written = state.to_dict()
        paths = list(leaves(written))
        for _ in range(MUTATIONS):
            one, other = (paths[rng.below(len(paths))] for _ in range(2))
            if one[: len(other)] == other or other[: len(one)] == one:
                continue
            exchanged = replaced(
                replaced(written, one, value_at(written, other)), other, value_at(written, one)
            )
            assert_refused_or_sound(chosen, exchanged, rng)


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    """Follow a path into a nested dict."""
    for key in path:
        value = value[key]
    return copy.deepcopy(value)


def test_deeply_nested_dicts_do_no_harm(seated_game: Game) -> None:
    state = first_decision(seated_game)
    deep: Any = []
    for _ in range(20_000):
        deep = [deep]
    circular: Any = []
    circular.append(circular)
    for key in state.to_dict():
        for junk in (deep, circular):
            with pytest.raises(tc.PositionError):
                seated_game.state_from_dict({**state.to_dict(), key: junk})


def test_truncated_and_trailing_bytes_are_refused(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        data = state.to_bytes()
        for stop in range(len(data)):
            with pytest.raises(tc.PositionError):
                seated_game.state_from_bytes(data[:stop])
        for extra in (b"\0", b"\xff", data):
            with pytest.raises(tc.PositionError):
                seated_game.state_from_bytes(data + extra)


def test_bytes_may_be_any_kind_of_bytes(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        data = state.to_bytes()
        for kind in (
            bytes,
            bytearray,
            memoryview,
            partial(array, "B"),
            partial(np.frombuffer, dtype=np.uint8),
        ):
            loose: Any = kind(data)
            assert seated_game.state_from_bytes(loose) == state
    gone = memoryview(data)
    gone.release()
    for wrong in (None, 7, "TTC", [84, 84, 67], {}, object(), gone):
        with pytest.raises(tc.PositionError):
            seated_game.state_from_bytes(wrong)  # type: ignore[arg-type]


def both_take_or_refuse(games: list[Game], data: bytes, rng: tc.Rng) -> None:
    """Let both engines read bytes: what they take is a position, written as it was read."""
    taken = []
    for game in games:
        try:
            restored = game.state_from_bytes(data)
        except tc.PositionError:
            continue
        taken.append(game)
        assert restored.to_bytes() == data
        assert_playable(game, restored, rng)
    assert len(taken) in {0, len(games)}, f"one engine alone accepts {data.hex()}"


def test_bytes_with_one_wrong_byte_are_refused_or_sound(configuration: Configuration) -> None:
    chosen = shortened(configuration)
    games = [chosen.load(engine) for engine in ENGINES.values()]
    rng = tc.Rng(68)
    for state in positions(games[0], states_of(configuration)):
        data = state.to_bytes()
        for _ in range(MUTATIONS):
            place, value = rng.below(len(data)), rng.below(256)
            both_take_or_refuse(games, data[:place] + bytes([value]) + data[place + 1 :], rng)


def midst(game: Game) -> State:
    """Give a position in the midst of a game."""
    return after(game, MID_GAME)


def test_bytes_with_one_byte_next_to_the_right_one_are_refused_or_sound(
    seating: Configuration,
) -> None:
    # Every flag, number and bound is off by one in its turn, in mid-game and at an end by a cap, where there is one.
    rng = tc.Rng(70)
    for configuration, reach in ((seating, midst), (shortened(seating), end)):
        games = [configuration.load(engine) for engine in ENGINES.values()]
        data = reach(games[0]).to_bytes()
        for place, value in enumerate(data):
            for near in (value - 1, value + 1):
                changed = data[:place] + bytes([near % 256]) + data[place + 1 :]
                both_take_or_refuse(games, changed, rng)


@pytest.mark.parametrize("mixture", mixtures(1), ids=str)
def test_bytes_with_two_neighbours_exchanged_are_refused_or_sound(mixture: Configuration) -> None:
    # What has no order, such as the tiles of a hand, is written in one order only.
    games = [mixture.load(engine) for engine in ENGINES.values()]
    rng = tc.Rng(71)
    data = midst(games[0]).to_bytes()
    for place in range(1, len(data)):
        neighbours = data[place - 1 : place + 1]
        exchanged = data[: place - 1] + neighbours[::-1] + data[place + 1 :]
        if exchanged != data:
            both_take_or_refuse(games, exchanged, rng)


def test_a_hand_in_another_order_is_refused(engine: ModuleType) -> None:
    game = engine.load_game("indigo", hand_size=2)
    state = game.new_initial_state()
    for tile_type in (0, 1, 2, 3):
        state.apply_action(tile_type)
    data = state.to_bytes()
    ascending, descending = bytes([2, 0, 1, 2, 2, 3]), bytes([2, 1, 0, 2, 2, 3])
    assert data.count(ascending) == 1
    with pytest.raises(tc.PositionError, match="not in order; a position has one form"):
        game.state_from_bytes(data.replace(ascending, descending))


def test_random_bytes_are_refused(seated_game: Game) -> None:
    rng = tc.Rng(69)
    data = first_decision(seated_game).to_bytes()
    header = data[: len(data) - 40]
    for size in (0, 1, 3, 4, 5, 20, 1000):
        for start in (b"", data[:4], header):
            junk = bytes(rng.below(256) for _ in range(size))
            if start + junk != data:
                with pytest.raises(tc.PositionError):
                    seated_game.state_from_bytes(start + junk)


def test_bytes_of_another_format_game_version_or_options_say_so(engine: ModuleType) -> None:
    loaded = [seating.load(engine) for seating in seatings()]
    for one in loaded:
        data = one.new_initial_state().to_bytes()
        for other in loaded:
            if one is other:
                continue
            word = "options" if one.name == other.name else "game"
            with pytest.raises(tc.PositionError, match=word):
                other.state_from_bytes(data)
        with pytest.raises(tc.PositionError, match="format"):
            one.state_from_bytes(data[:3] + b"\2" + data[4:])
        with pytest.raises(tc.PositionError):
            one.state_from_bytes(b"ttc" + data[3:])
        name = one.name.encode()
        version = one.version.encode()
        place = 4 + 2 + len(name) + 2
        assert data[place : place + len(version)] == version
        with pytest.raises(tc.PositionError, match="version"):
            one.state_from_bytes(data[: place - 2] + b"\5\0other" + data[place + len(version) :])
