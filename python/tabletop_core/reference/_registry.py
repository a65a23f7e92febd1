"""Finding the game modules by name."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from ..errors import UnknownGameError
from ..types import OptionSpec
from ._arguments import show, text_of
from ._base import Rules
from ._state import Game, make_game

_PACKAGE = __name__.rpartition(".")[0]


def registered_games() -> list[str]:
    """List the names of all games: the modules of this package that do not start with "_".

    >>> "indigo" in registered_games()
    True
    """
    path = importlib.import_module(_PACKAGE).__path__
    return sorted(
        module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")
    )


def load_game(name: str, **options: Any) -> Game:
    """Set up a game; UnknownGameError or OptionError if there is no such game or option.

    >>> load_game("indigo", players=3)
    load_game('indigo', players=3, ownership='shared', hand_size=1)
    """
    return make_game(_rules(name), options)


def game_options(name: str) -> list[OptionSpec]:
    """List the options of a game, in order.

    >>> [spec.name for spec in game_options("indigo")]
    ['players', 'ownership', 'hand_size']
    """
    return list(_rules(name).option_specs)


def _rules(name: object) -> type[Rules[Any]]:
    text = text_of(name, "the name of a game")
    games = registered_games()
    if text not in games:
        message = f"there is no game {show(text)}; there are {', '.join(games)}"
        raise UnknownGameError(message)
    rules: type[Rules[Any]] = importlib.import_module(f"{_PACKAGE}.{text}").RULES
    return rules
