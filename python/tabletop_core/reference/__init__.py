"""The reference engine: the interface of `tabletop_core` in pure Python, written for reading.

It is written from the rules alone, independently of the native engine, and is what that one is
compared with, node by node. Each game is one module, to be read next to the rules of the game.

>>> from tabletop_core import reference
>>> state = reference.load_game("indigo", players=2).new_initial_state()
>>> state.resolve_chance(reference.Rng(7))
>>> state.current_player()
0
"""

from __future__ import annotations

from ._playouts import perft, playouts
from ._registry import game_options, load_game, registered_games
from ._rng import Rng
from ._state import Game, State

__all__ = [
    "Game",
    "Rng",
    "State",
    "game_options",
    "load_game",
    "perft",
    "playouts",
    "registered_games",
]
