"""Exact, fast rules of tabletop games for search and learning engines.

`load_game` gives the rules of a game, `Game.new_initial_state` a position; `protocol` says what
both can do. The classes here are native; `reference` has the same interface in plain Python, and
`testing` holds any game to the laws of the interface.

>>> import tabletop_core as tc
>>> state = tc.load_game("indigo", players=3).new_initial_state()
>>> rng = tc.Rng(7)
>>> while not state.is_terminal():
...     if state.is_chance_node():
...         state.apply_action(state.sample_chance(rng))
...     else:
...         legal = state.legal_actions()
...         state.apply_action(legal[rng.below(len(legal))])
>>> len(state.scores())
3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from . import _core
from ._core import (
    Batch,
    Game,
    Rng,
    State,
    __version__,
    game_options,
    load_game,
    perft,
    playouts,
    registered_games,
)
from .errors import (
    ArgumentError,
    ArgumentTypeError,
    IllegalActionError,
    LaneError,
    OptionError,
    PositionError,
    TabletopError,
    UnknownGameError,
)
from .types import GameType, ObservationField, OptionSpec, Perft, PlayerId, Playouts

if TYPE_CHECKING:
    from pathlib import Path

    from . import protocol, reference, testing

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "Batch",
    "Game",
    "GameType",
    "IllegalActionError",
    "LaneError",
    "ObservationField",
    "OptionError",
    "OptionSpec",
    "Perft",
    "PlayerId",
    "Playouts",
    "PositionError",
    "Rng",
    "State",
    "TabletopError",
    "UnknownGameError",
    "__version__",
    "game_options",
    "get_cmake_dir",
    "get_include",
    "load_game",
    "perft",
    "playouts",
    "protocol",
    "reference",
    "registered_games",
    "testing",
]

_LAZY_MODULES = frozenset({"protocol", "reference", "testing"})


def get_include() -> str:
    """Give the folder to put on a C++ compiler's include path: `#include <tabletop/games.hpp>`.

    >>> import tabletop_core as tc
    >>> from pathlib import Path
    >>> (Path(tc.get_include()) / "tabletop" / "game.hpp").is_file()
    True
    """
    return str(_native_folder() / "include")


def get_cmake_dir() -> str:
    """Give the folder to pass to CMake as `tabletop_core_DIR` for `find_package(tabletop_core)`.

    >>> import tabletop_core as tc
    >>> from pathlib import Path
    >>> (Path(tc.get_cmake_dir()) / "tabletop_coreConfig.cmake").is_file()
    True
    """
    return str(_native_folder() / "cmake")


def _native_folder() -> Path:
    """Where the build put its files; in an editable install that is not where this file is."""
    from pathlib import Path  # noqa: PLC0415 - costs as much as the rest of the package

    return Path(_core.__file__).resolve().parent


if not TYPE_CHECKING:  # a type checker would take it to allow any name

    def __getattr__(name: str) -> object:
        """Import the submodules that not everybody needs when they are first used."""
        if name in _LAZY_MODULES:
            return import_module(f".{name}", __name__)
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)

    def __dir__() -> list[str]:
        """List the lazy submodules as well."""
        return sorted({*globals(), *_LAZY_MODULES})
