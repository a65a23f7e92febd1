"""Wrong names of games, wrong options: an error of the documented class that names what is wrong."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.configurations import Configuration, specs
from tests.errors.strange import HUGE, HalfMapping, Unspeakable, Whole, Word

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game


def test_errors_are_what_python_programmers_expect() -> None:
    for error, base in (
        (tc.UnknownGameError, KeyError),
        (tc.OptionError, ValueError),
        (tc.IllegalActionError, ValueError),
        (tc.PositionError, ValueError),
        (tc.ArgumentError, ValueError),
        (tc.ArgumentTypeError, TypeError),
    ):
        assert issubclass(error, tc.TabletopError)
        assert issubclass(error, base)
    assert issubclass(tc.ArgumentTypeError, tc.ArgumentError)
    assert str(tc.UnknownGameError("a plain sentence")) == "a plain sentence"


@pytest.mark.parametrize(
    "name", ["chess", "", "INDIGO", "indigo ", "_base", "__init__", "indigo\0", "../indigo", "ü"]
)
def test_unknown_games_are_named(engine: ModuleType, name: str) -> None:
    for call in (engine.load_game, engine.game_options):
        with pytest.raises(tc.UnknownGameError) as caught:
            call(name)
        assert repr(name)[1:-1] in str(caught.value)
        assert tc.registered_games()[0] in str(caught.value), (
            "the message must say which games there are"
        )


@pytest.mark.parametrize("name", [None, 1, b"indigo", ["indigo"], Unspeakable()])
def test_names_of_games_are_strings(engine: ModuleType, name: object) -> None:
    for call in (engine.load_game, engine.game_options):
        with pytest.raises(tc.ArgumentTypeError):
            call(name)


@pytest.mark.parametrize("option", ["player", "Players", "players ", "", "_", "seats"])
def test_unknown_options_are_named(engine: ModuleType, option: str) -> None:
    for name in tc.registered_games():
        with pytest.raises(tc.OptionError) as caught:
            engine.load_game(name, **{option: 2})
        assert option in str(caught.value)
        assert "players" in str(caught.value), "the message must say which options there are"


NEVER_VALID: tuple[Any, ...] = (
    -1,
    -HUGE,
    HUGE,
    2**63,
    2**64,
    -(2**63) - 1,
    1.5,
    2.0,
    math.nan,
    math.inf,
    "no such value",
    "",
    "2",
    "\ud800",
    b"2",
    (),
    [],
    [[]],
    {},
    {2},
    object(),
    dict,
    HalfMapping(),
    Word("no such value"),
    Unspeakable(),
    np.array([2, 3]),
    [["F"] * 7] * 7,
)


def test_values_that_no_option_has_are_refused(engine: ModuleType) -> None:
    for game in tc.registered_games():
        for spec in specs(game).values():
            for value in NEVER_VALID:
                with pytest.raises(tc.OptionError) as caught:
                    engine.load_game(game, **{spec.name: value})
                assert spec.name in str(caught.value)


def test_bools_and_integers_are_not_confused(engine: ModuleType) -> None:
    for game in tc.registered_games():
        for spec in specs(game).values():
            wrong = (0, 1) if isinstance(spec.default, bool) else (True, False)
            for value in wrong:
                with pytest.raises(tc.OptionError):
                    engine.load_game(game, **{spec.name: value})


def test_options_take_any_integer_and_give_a_plain_one(
    engine: ModuleType, seating: Configuration
) -> None:
    players = dict(seating.options)["players"]
    for integer in (np.int8(players), np.uint64(players), Whole(players)):
        game = engine.load_game(seating.game, players=integer)
        assert game == seating.load(engine)
        assert type(game.options["players"]) is int


def test_options_take_any_str_and_give_a_plain_one(engine: ModuleType) -> None:
    for game in tc.registered_games():
        for spec in specs(game).values():
            for word in spec.samples:
                if isinstance(word, str):
                    loaded = engine.load_game(game, players=3, **{spec.name: Word(word)})
                    assert loaded == engine.load_game(game, players=3, **{spec.name: word})
                    assert type(loaded.options[spec.name]) is str
    challenges = ("card", "tile")
    match = engine.load_game("ingenious_challenges", challenges=[*map(Word, challenges)])
    assert match == engine.load_game("ingenious_challenges", challenges=challenges)


def test_options_are_keywords_only(engine: ModuleType) -> None:
    for game in tc.registered_games():
        with pytest.raises(TypeError):
            engine.load_game(game, 2)


def test_the_options_of_a_game_cannot_be_changed(engine: ModuleType, seated_game: Game) -> None:
    options: Any = seated_game.options
    with pytest.raises(TypeError):
        options["players"] = 3
    with pytest.raises((TypeError, AttributeError)):
        options.clear()
    loose: Any = seated_game
    for name in ("name", "version", "options", "observation_fields"):
        with pytest.raises(AttributeError):
            setattr(loose, name, "x")
    assert engine.load_game(seated_game.name, **dict(seated_game.options)) == seated_game
