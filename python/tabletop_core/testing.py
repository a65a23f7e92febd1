"""The laws that every game keeps, as functions that test any game of the protocol.

`check_game(game)` plays random games and tries the laws on their positions, whether the game is
native, of the reference engine or your own. Each law is a function of its own, `check_<law>(state)`
or `check_<law>(game)`, listed in `STATE_LAWS` and `GAME_LAWS`. A broken law raises an
AssertionError that names the law, what was seen and how to come back to the position.

>>> import tabletop_core as tc
>>> from tabletop_core.testing import check_game
>>> check_game(tc.load_game("indigo"), games=1).games
1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from . import Game as NativeGame
from . import Rng, playouts, reference
from ._laws._law import GAME_LAWS, STATE_LAWS, random_action, require
from ._laws.acting import (
    check_chance,
    check_illegal_actions,
    check_legal_actions,
    check_names,
    check_node,
    check_results,
)
from ._laws.game import check_identity, check_start, check_texts
from ._laws.keeping import (
    check_copies,
    check_equality,
    check_foreign_positions,
    check_round_trips,
)
from ._laws.knowing import (
    check_arguments,
    check_hidden_information,
    check_observations,
    check_observed_actions,
)
from ._laws.run import Views, check_playouts, check_replay, replay
from .protocol import Game, State
from .reference._arguments import bounded_index
from .reference._playouts import MOST_PLAYOUTS
from .reference._rng import MASK

__all__ = [
    "GAME_LAWS",
    "STATE_LAWS",
    "Checked",
    "check_arguments",
    "check_chance",
    "check_copies",
    "check_equality",
    "check_foreign_positions",
    "check_game",
    "check_hidden_information",
    "check_identity",
    "check_illegal_actions",
    "check_legal_actions",
    "check_names",
    "check_node",
    "check_observations",
    "check_observed_actions",
    "check_playouts",
    "check_replay",
    "check_results",
    "check_round_trips",
    "check_start",
    "check_texts",
    "replay",
]


class Checked(NamedTuple):
    """What `check_game` has tried: games, their decision and chance nodes, laws on positions.

    >>> Checked(games=1, decisions=54, chance_nodes=54, laws_tried=400).games
    1
    """

    games: int
    decisions: int
    chance_nodes: int
    laws_tried: int


def check_game(
    game: Game, *, games: int = 10, seed: int = 0, laws_per_node: int | None = 3
) -> Checked:
    """Play random games and hold every law that can be tested without knowing the rules.

    All laws are tried at the first and the last position of each game, `laws_per_node` of them
    (None: all), chosen at random, at the others. Game i is the one that `playouts(game, games,
    seed)` plays. Raises AssertionError at the first broken law, ArgumentError or ArgumentTypeError
    for a number that is out of its range or none.

    >>> import tabletop_core as tc
    >>> check_game(tc.load_game("sequence_numbers"), games=1, seed=3).games
    1
    """
    games = bounded_index(games, "games", 0, MOST_PLAYOUTS)
    root = Rng(seed)
    if laws_per_node is not None:
        laws_per_node = bounded_index(laws_per_node, "laws_per_node", 0, MASK)
    for game_law in GAME_LAWS:
        game_law(game)
    views = Views(game)
    decisions = chance_nodes = laws_tried = 0
    for i in range(games):
        actions: list[int] = []
        try:
            counts = _check_one_game(game, views, actions, root.split(i), laws_per_node)
        except AssertionError as error:
            message = f"{error}\nReplay (seed {seed}, game {i}): replay({game!r}, {actions})"
            raise AssertionError(message) from error
        decisions += counts[0]
        chance_nodes += len(actions) - counts[0]
        laws_tried += counts[1]
    if isinstance(game, NativeGame):
        check_playouts(game, playouts, n=games, seed=seed)
    elif isinstance(game, reference.Game):
        check_playouts(game, reference.playouts, n=games, seed=seed)
    return Checked(games, decisions, chance_nodes, laws_tried)


def _check_one_game(
    game: Game, views: Views, actions: list[int], rng: Rng, laws_per_node: int | None
) -> tuple[int, int]:
    """Play a random game, trying laws on the way; `actions` tells the caller how far it came."""
    choice = rng.split(0)  # which laws are tried must not disturb which game is played
    state = game.new_initial_state()
    kept: list[tuple[State, int, bytes]] = []
    decisions = laws_tried = 0
    while True:
        at_an_end = not actions or state.is_terminal()
        for law in _some(STATE_LAWS, None if at_an_end else laws_per_node, choice):
            law(state)
            laws_tried += 1
        views.enter(state)
        kept.append((state.clone(), state.stable_hash(), state.to_bytes()))
        if state.is_terminal():
            break
        decisions += state.is_player_node()
        most = game.max_game_length()
        require(
            decisions <= most, f"{game!r} breaks the law of lengths: more than {most} decisions"
        )
        actions.append(random_action(state, rng))
        state.apply_action(actions[-1])
    for clone, stable_hash, in_bytes in kept:
        same = clone.stable_hash() == stable_hash and clone.to_bytes() == in_bytes
        require(same, f"{game!r} breaks the law of copies: an early clone has changed")
    check_replay(game, actions, state)
    return decisions, laws_tried


def _some(
    laws: Sequence[Callable[[State], None]], count: int | None, rng: Rng
) -> Sequence[Callable[[State], None]]:
    """Choose `count` different laws at random, or all."""
    if count is None or count >= len(laws):
        return laws
    left = list(laws)
    return [left.pop(rng.below(len(left))) for _ in range(count)]
