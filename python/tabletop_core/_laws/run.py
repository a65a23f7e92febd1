"""The laws of whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .. import Rng
from ..protocol import Game, State
from ..types import Playouts
from ._law import random_steps, require


def replay(game: Game, actions: Iterable[int]) -> State:
    """Apply actions and chance outcomes, in order, from the beginning of a game.

    >>> import tabletop_core as tc
    >>> replay(tc.load_game("indigo"), [3, 0]).to_dict()["hands"]
    [[3], [0]]
    """
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def check_replay(game: Game, actions: Sequence[int], expected: State) -> None:
    """Equal actions lead to equal positions: apply them again and compare with `expected`.

    >>> import tabletop_core as tc
    >>> game = tc.load_game("indigo")
    >>> check_replay(game, [3, 0], replay(game, [3, 0]))
    """
    again = replay(game, actions)
    same = again == expected and again.to_bytes() == expected.to_bytes()
    require(same, f"{game!r} breaks the law of replay: equal actions, another position")


def check_playouts(
    game: Game, playouts: Callable[..., Playouts], *, n: int = 5, seed: int = 0
) -> None:
    """Hold `playouts` to its definition: the games that single calls play with the same numbers.

    Game i spends `Rng(seed).split(i)`: `below(number of legal actions)` for a decision, one
    `sample_chance` for a chance node. The number of threads must not matter.

    >>> import tabletop_core as tc
    >>> check_playouts(tc.load_game("indigo"), tc.playouts, n=2)
    """
    whose = f"{game!r} breaks the law of playouts (seed {seed}): "
    result = playouts(game, n, seed=seed)
    threaded = playouts(game, n, seed=seed, threads=2)
    for name in ("returns", "scores", "lengths", "final_hashes"):
        same = np.array_equal(getattr(result, name), getattr(threaded, name))
        require(same, f"{whose}{name} depend on the number of threads")
    for i in range(n):
        state = game.new_initial_state()
        length = random_steps(state, Rng(seed).split(i), None)
        require(length == result.lengths[i], f"{whose}game {i} has another length")
        require(
            np.array_equal(state.scores(), result.scores[i])
            and np.array_equal(state.returns(), result.returns[i]),
            f"{whose}game {i} has another result",
        )
        same = state.stable_hash() == int(result.final_hashes[i])
        require(same, f"{whose}game {i} ends in another position")


class Views:
    """What has been seen in all games so far: two views of one thing must stay in step."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._partner: dict[tuple[str, object], object] = {}

    def enter(self, state: State) -> None:
        """Compare a position with all earlier ones."""
        self._pair("hash", state.stable_hash(), "bytes", hash(state.to_bytes()))
        for seat in range(self._game.num_players()):
            text = hash(state.observation_string(seat))
            self._pair("text", text, "tensor", hash(state.observation_tensor(seat).tobytes()))
            if state.current_player() == seat:
                self._follow(("actions", text), hash(tuple(state.legal_actions())))

    def _pair(self, one: str, value: object, other: str, partner: object) -> None:
        self._follow((one, value), partner)
        self._follow((other, partner), value)

    def _follow(self, key: tuple[str, object], value: object) -> None:
        same = self._partner.setdefault(key, value) == value
        require(same, f"{self._game!r} breaks the law of views: {_VIEWS[key[0]]}")


_VIEWS = {
    "hash": "two positions have the same stable_hash()",
    "bytes": "equal bytes have different stable_hash()es",
    "text": "equal observation_string()s have different observation_tensor()s",
    "tensor": "equal observation_tensor()s have different observation_string()s",
    "actions": "equal observations have different legal actions",
}
