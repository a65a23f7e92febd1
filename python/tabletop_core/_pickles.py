"""What pickles of native objects name: plain functions, so that an unpickler can tell what it is to call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._core import Batch, Game, State


def make_game(name: str, options: Mapping[str, Any]) -> Game:
    """Load a game again."""
    return _core.load_game(name, **options)


def make_state(game: Game, data: bytes) -> State:
    """Read a position again."""
    return game.state_from_bytes(data)


def make_batch(*saved: Any) -> Batch:
    """Make a batch of what its `__reduce__` gave."""
    return _core._restore_batch(*saved)
