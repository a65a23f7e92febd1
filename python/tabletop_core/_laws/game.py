"""The laws of a game: what it is and how it names things."""

from __future__ import annotations

import contextlib
import copy
import pickle
from typing import Any

from .. import Rng
from ..errors import ArgumentTypeError, IllegalActionError
from ..protocol import Game
from ._law import NOT_AN_INDEX, STRANGERS, UNKNOWN_IDS, game_law, random_steps, refuses, require


@game_law
def check_identity(game: Game) -> None:
    """A game is immutable and compared by what it is; its sizes and the fields of its tensor agree.

    >>> import tabletop_core as tc
    >>> check_identity(tc.load_game("indigo"))
    """
    copies = [copy.copy(game), copy.deepcopy(game)]
    copies += [pickle.loads(pickle.dumps(game, protocol)) for protocol in range(2, 6)]
    for other in copies:
        require(other == game and hash(other) == hash(game), "a copy or pickle is not equal")
        require(other.options == game.options, "a copy or pickle has other options")
    for other_thing in STRANGERS:
        unequal = game != other_thing and not game == other_thing  # noqa: SIM201
        require(unequal, f"a game is equal to {other_thing!r}")
    require(game.new_initial_state().get_game() == game, "its state belongs to another game")

    options: Any = game.options
    require("players" in options, "there is no option 'players'")
    require(options["players"] == game.num_players() >= 1, "option 'players' is not num_players()")
    with contextlib.suppress(TypeError):
        options["players"] = 99
    require(game.options["players"] == game.num_players(), "the options can be changed")

    require(game.num_distinct_actions() >= 1, "there is no action")
    require(game.max_chance_outcomes() >= 0, "max_chance_outcomes() is negative")
    require(game.max_game_length() >= 1, "max_game_length() is below 1")
    require(game.min_utility() <= game.max_utility(), "min_utility() is above max_utility()")

    start = 0
    for field in game.observation_fields:
        require(field.start == start, f"the field {field.name!r} starts at {field.start}")
        require(bool(field.meaning), f"the field {field.name!r} has no meaning")
        start = field.stop
    shape = tuple(game.observation_tensor_shape())
    require(shape == (start,), f"the fields end at {start}, the tensor has shape {shape}")


@game_law
def check_texts(game: Game) -> None:
    """Every id has a text of its own that leads back to it, in each of the two id spaces.

    >>> import tabletop_core as tc
    >>> check_texts(tc.load_game("indigo"))
    """
    spaces = (
        (game.num_distinct_actions(), game.action_to_string, game.action_from_string),
        (game.max_chance_outcomes(), game.chance_to_string, game.chance_from_string),
    )
    for size, to_text, from_text in spaces:
        name = to_text.__name__
        texts = [to_text(i) for i in range(size)]
        require(len(set(texts)) == size, f"{name}: two ids have the same text")
        for i, text in enumerate(texts):
            require(from_text(text) == i, f"{name}: {text!r} does not lead back to {i}")
        for unknown in (*UNKNOWN_IDS, size):
            refuses(IllegalActionError, f"{name}({unknown})", to_text, unknown)
        for wrong in NOT_AN_INDEX:
            refuses(ArgumentTypeError, f"{name}({wrong!r})", to_text, wrong)
        for text in ("", "no such text", f"{texts[0]} " if texts else " "):
            refuses(IllegalActionError, f"the inverse of {name} for {text!r}", from_text, text)
        for wrong in (0, None, b"text"):
            refuses(ArgumentTypeError, f"the inverse of {name} for {wrong!r}", from_text, wrong)


@game_law
def check_start(game: Game) -> None:
    """Every game begins in the same position, which is not the end, and none disturbs another.

    >>> import tabletop_core as tc
    >>> check_start(tc.load_game("indigo"))
    """
    first = game.new_initial_state()
    before = first.to_bytes()
    require(not first.is_terminal(), "a game begins at its end")
    played = game.new_initial_state()
    random_steps(played, Rng(1), game.max_game_length())
    require(game.new_initial_state() == first, "a later game begins in another position")
    require(first.to_bytes() == before, "one game changed the position of another")
