"""What both engines' objects are to Python: nobody can put anything into them, and weak references to them are allowed."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def objects(engine: ModuleType) -> Iterator[Any]:
    """Give one object of every class that both engines have."""
    for name in engine.registered_games():
        game = engine.load_game(name)
        yield game
        yield game.new_initial_state()
    yield engine.Rng(1)


def test_no_attribute_can_be_set_or_deleted(engine: ModuleType) -> None:
    for thing in objects(engine):
        for name in (*(name for name in dir(thing) if name[0] != "_"), "no_such_attribute"):
            before = getattr(thing, name, None)
            with pytest.raises(AttributeError):
                setattr(thing, name, lambda: 99)
            with pytest.raises(AttributeError):
                delattr(thing, name)
            assert getattr(thing, name, None) == before


def test_weak_references_do_not_keep_an_object(engine: ModuleType) -> None:
    for thing in objects(engine):
        assert weakref.ref(thing)() is thing
    gone = weakref.ref(engine.Rng(2))
    assert gone() is None


def test_a_lookup_of_texts_does_not_change_a_game(engine: ModuleType) -> None:
    # The reference makes its table of texts at the first lookup; a game is a key all the same.
    game, twin = engine.load_game("indigo"), engine.load_game("indigo")
    known = {game: "indigo"}
    assert game.action_from_string(game.action_to_string(7)) == 7
    assert game.chance_from_string(game.chance_to_string(1)) == 1
    assert known[twin] == known[game] == "indigo"
    with pytest.raises(tc.IllegalActionError):
        game.action_from_string("no such action")
