"""What several commands need: the two engines, options as text, the consoles."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, cast

from rich.console import Console

import tabletop_core

from ..errors import OptionError
from ..protocol import Game
from ..types import Playouts

CONSOLE = Console()
ERRORS = Console(stderr=True)

_CONSTANTS = {"None": None, "True": True, "False": False}


class Engine(str, Enum):
    """Which implementation plays."""

    NATIVE = "native"
    REFERENCE = "reference"


def load(engine: Engine, name: str, players: int | None, options: Sequence[str] | None) -> Game:
    """Set up a game from what stands on the command line."""
    given: dict[str, object] = {} if players is None else {"players": players}
    known = [spec.name for spec in tabletop_core.game_options(name)]
    for text in options or ():
        key, equals, value = text.partition("=")
        if not equals:
            message = f"--option {text} must have the form KEY=VALUE, as in --option players=3"
            raise OptionError(message)
        key = key.strip()
        if key not in known:
            message = f"{name} has no option {key}; its options are {', '.join(known)}"
            raise OptionError(message)
        if key in given:
            message = f"the option {key} is given twice"
            raise OptionError(message)
        given[key] = _value(value.strip())
    game: Game = _module(engine).load_game(name, **given)
    return game


def playouts_of(engine: Engine) -> Callable[..., Playouts]:
    """Give the `playouts` of an engine."""
    return cast("Callable[..., Playouts]", _module(engine).playouts)


def described(game: Game) -> str:
    """Name a game with its seats and with the options that are not as usual."""
    players = game.num_players()
    usual = tabletop_core.load_game(game.name, players=players).options
    options = {key: value for key, value in game.options.items() if value != usual[key]}
    texts = [f"{key}={value}" for key, value in options.items()]
    return ", ".join([game.name, f"version {game.version}", f"{players} players", *texts])


def bar(length: float) -> str:
    """Draw a horizontal bar, `length` characters long."""
    can_draw_blocks = CONSOLE.encoding.lower().startswith("utf")
    return ("█" if can_draw_blocks else "#") * round(length)


def _module(engine: Engine) -> Any:
    return tabletop_core if engine is Engine.NATIVE else tabletop_core.reference


def _value(text: str) -> object:
    """Read 3, true, [..] as JSON does, None, True, False as Python does, else a plain text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _CONSTANTS.get(text, text)
