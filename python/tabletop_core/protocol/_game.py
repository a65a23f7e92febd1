"""What a game can do: its options, sizes, ids and texts, and the positions that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, runtime_checkable

if TYPE_CHECKING:
    from ..types import GameType, ObservationField
    from ._state import State


@runtime_checkable
class Game(Protocol):
    """The rules of one game with its options fixed: immutable, hashable, picklable.

    >>> import tabletop_core as tc
    >>> game = tc.load_game("indigo", players=3)
    >>> game
    load_game('indigo', players=3, ownership='shared', hand_size=1)
    >>> isinstance(game, Game)
    True
    """

    @property
    def name(self) -> str:
        """The name that `load_game` takes.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").name
        'indigo'
        """
        ...

    @property
    def version(self) -> str:
        """Changes whenever the behaviour of the game changes.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").version
        '1'
        """
        ...

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with its value, defaults resolved; read-only.

        >>> import tabletop_core as tc
        >>> dict(tc.load_game("indigo").options)
        {'players': 2, 'ownership': 'shared', 'hand_size': 1}
        """
        ...

    @property
    def observation_fields(self) -> Sequence[ObservationField]:
        """The named parts of the observation tensor, in order and without gaps.

        >>> import tabletop_core as tc
        >>> [field.name for field in tc.load_game("indigo").observation_fields][:4]
        ['observer', 'phase', 'seat', 'tiles']
        """
        ...

    def num_players(self) -> int:
        """Number of seats, P.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo", players=4).num_players()
        4
        """
        ...

    def num_distinct_actions(self) -> int:
        """Number of action ids: every decision is in `range(num_distinct_actions())`.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").num_distinct_actions()
        810
        """
        ...

    def max_chance_outcomes(self) -> int:
        """Number of chance ids: every outcome is in `range(max_chance_outcomes())`.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").max_chance_outcomes()
        5
        """
        ...

    def max_game_length(self) -> int:
        """No game has more decisions than this; chance nodes are not counted.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").max_game_length()
        54
        """
        ...

    def min_utility(self) -> float:
        """The least value that `returns()` can hold.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo", players=3).min_utility()
        -0.5
        """
        ...

    def max_utility(self) -> float:
        """The greatest value that `returns()` can hold.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo", players=3).max_utility()
        1.0
        """
        ...

    def observation_tensor_shape(self) -> Sequence[int]:
        """Shape of `observation_tensor()`: one number, the tensor is flat.

        >>> import tabletop_core as tc
        >>> game = tc.load_game("indigo")
        >>> observation = game.new_initial_state().observation_tensor(0)
        >>> observation.shape == tuple(game.observation_tensor_shape())
        True
        """
        ...

    def get_type(self) -> GameType:
        """Say what kind of game it is; algorithms of OpenSpiel ask before they begin.

        >>> import tabletop_core as tc
        >>> game_type = tc.load_game("indigo").get_type()
        >>> game_type.dynamics.name, game_type.provides_observation_tensor
        ('SEQUENTIAL', True)
        """
        ...

    def new_initial_state(self) -> State:
        """Give the position in which a game begins; often a chance node.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_chance_node()
        True
        """
        ...

    def action_to_string(self, action: SupportsIndex, /) -> str:
        """Name a decision; every id has a text of its own.

        `IllegalActionError` for an id that does not exist; it need not be legal anywhere now.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").action_to_string(7)
        'place 01/24/35 on (1,-4)'
        """
        ...

    def action_from_string(self, text: str, /) -> int:
        """Give the id of a decision.

        Accepts exactly what `action_to_string` gives, else `IllegalActionError`.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").action_from_string("place 01/24/35 on (1,-4)")
        7
        """
        ...

    def chance_to_string(self, outcome: SupportsIndex, /) -> str:
        """Name a chance outcome; every id has a text of its own.

        `IllegalActionError` for an id that does not exist; it need not be possible now.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").chance_to_string(1)
        'draw three straights'
        """
        ...

    def chance_from_string(self, text: str, /) -> int:
        """Give the id of a chance outcome.

        Accepts exactly what `chance_to_string` gives, else `IllegalActionError`.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").chance_from_string("draw three straights")
        1
        """
        ...

    def state_from_dict(self, d: Mapping[str, Any], /) -> State:
        """Build the position that `to_dict()` describes.

        `PositionError` for a dict that breaks an invariant of the game.

        >>> import tabletop_core as tc
        >>> game = tc.load_game("indigo")
        >>> state = game.new_initial_state()
        >>> game.state_from_dict(state.to_dict()) == state
        True
        """
        ...

    def state_from_bytes(self, b: bytes, /) -> State:
        """Build the position that `to_bytes()` holds.

        `PositionError` for other bytes, and for bytes of other options or another version.

        >>> import tabletop_core as tc
        >>> game = tc.load_game("indigo")
        >>> state = game.new_initial_state()
        >>> game.state_from_bytes(state.to_bytes()) == state
        True
        """
        ...
