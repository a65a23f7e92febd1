"""What a position can do: who acts and how, chance, results, what a seat knows, copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, overload, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._game import Game
    from ._rng import RandomSource


@runtime_checkable
class State(Protocol):
    """A position. It changes only by `apply_action` and `resolve_chance`.

    Equality, `hash` and `stable_hash` go by position, not by history. `copy.copy`, `copy.deepcopy`,
    `clone` and `pickle` give equal and independent positions. A position in a set or dict must not
    be moved: keep a clone there.

    >>> import tabletop_core as tc
    >>> state = tc.load_game("indigo").new_initial_state()
    >>> isinstance(state, State)
    True
    >>> print(str(state).splitlines()[0])
    indigo: deal, seat 0
    """

    def get_game(self) -> Game:
        """Give the game of this position.

        >>> import tabletop_core as tc
        >>> game = tc.load_game("indigo")
        >>> game.new_initial_state().get_game() == game
        True
        """
        ...

    def num_players(self) -> int:
        """Number of seats, P.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().num_players()
        2
        """
        ...

    def num_distinct_actions(self) -> int:
        """Number of action ids of the game.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().num_distinct_actions()
        810
        """
        ...

    def current_player(self) -> int:
        """Say who acts: a seat, `PlayerId.CHANCE` (-1) or `PlayerId.TERMINAL` (-4).

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().current_player() == tc.PlayerId.CHANCE
        True
        """
        ...

    def is_terminal(self) -> bool:
        """Say whether the game is over.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_terminal()
        False
        """
        ...

    def is_chance_node(self) -> bool:
        """Say whether chance acts.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_chance_node()
        True
        """
        ...

    def is_player_node(self) -> bool:
        """Say whether a seat acts.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_player_node()
        False
        """
        ...

    def is_simultaneous_node(self) -> bool:
        """Say False: here seats always act one after another.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_simultaneous_node()
        False
        """
        ...

    def is_truncated(self) -> bool:
        """Say whether a cap on its length ended the game; its rules page gives the result.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().is_truncated()
        False
        """
        ...

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """List what `player` (None: whoever acts) may do: ids, ascending.

        At a chance node the outcomes of chance for None and `PlayerId.CHANCE`; `[]` for everybody
        who does not act and after the end. `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.legal_actions(), state.legal_actions(0)
        ([0, 1, 2, 3, 4], [])
        """
        ...

    def legal_actions_mask(
        self, player: SupportsIndex | None = None, out: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Mark what `player` (None: who acts) may decide: bool, `(num_distinct_actions(),)`.

        All false for who does not act, at chance nodes and after the end; for `PlayerId.CHANCE` it
        has the shape `(max_chance_outcomes(),)` and marks the outcomes. `out` must be a writable
        C-contiguous bool array of that shape: else `ArgumentError`, or `ArgumentTypeError` for
        another dtype.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.legal_actions_mask().shape, int(state.legal_actions_mask().sum())
        ((810,), 0)
        >>> state.legal_actions_mask(tc.PlayerId.CHANCE)
        array([ True,  True,  True,  True,  True])
        """
        ...

    def is_legal(self, action: SupportsIndex, /) -> bool:
        """Say whether `apply_action(action)` would be accepted; False for unknown ids.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.is_legal(4), state.is_legal(5), state.is_legal(2**100)
        (True, False, False)
        """
        ...

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the outcomes of a chance node with their probabilities, ids ascending.

        `IllegalActionError` elsewhere.

        The probabilities are quotients of integer weights, all positive, and add up to 1.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> [(outcome, round(p * 54)) for outcome, p in state.chance_outcomes()]
        [(0, 14), (1, 6), (2, 14), (3, 14), (4, 6)]
        """
        ...

    def sample_chance(self, rng: RandomSource, /) -> int:
        """Draw one outcome of a chance node by its probability; nothing is applied.

        `IllegalActionError` elsewhere.

        It takes `below(total weight)` once from an `Rng`, or two floats from a callable.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().sample_chance(tc.Rng(7))
        2
        """
        ...

    def resolve_chance(self, rng: RandomSource, /) -> None:
        """Draw and apply outcomes until a seat must decide or the game is over.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.resolve_chance(tc.Rng(7))
        >>> state.current_player()
        0
        """
        ...

    def apply_action(self, action: SupportsIndex, /) -> None:
        """Make one decision, or let one chance outcome happen.

        `IllegalActionError` if it is not legal here.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.apply_action(3)
        >>> state.to_dict()["hands"]
        [[3], []]
        """
        ...

    def child(self, action: SupportsIndex, /) -> State:
        """Give the position after `action`; this one stays as it is. Errors as `apply_action`.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.child(3).to_dict()["hands"], state.to_dict()["hands"]
        ([[3], []], [[], []])
        """
        ...

    def clone(self) -> State:
        """Give an equal, independent position.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.clone() == state, state.clone() is state
        (True, False)
        """
        ...

    def returns(self) -> NDArray[np.float64]:
        """Give the utilities: float64, shape (P,); zeros before the end.

        With W winners among P >= 2 seats a winner gets (P - W) / (W (P - 1)) and everybody else -1
        / (P - 1); if all or nobody win, 0 for all. With one seat, its score.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().returns()
        array([0., 0.])
        """
        ...

    def rewards(self) -> NDArray[np.float64]:
        """Give the same array as `returns()`: everything is paid at the end.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().rewards()
        array([0., 0.])
        """
        ...

    def player_return(self, player: SupportsIndex, /) -> float:
        """Give `returns()[player]`; `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().player_return(1)
        0.0
        """
        ...

    def player_reward(self, player: SupportsIndex, /) -> float:
        """Give `rewards()[player]`; `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().player_reward(1)
        0.0
        """
        ...

    def scores(self) -> NDArray[np.int64]:
        """Give the points as the rulebook counts them: int64, shape (P,), at any time.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().scores()
        array([0, 0])
        """
        ...

    def winners(self) -> list[int]:
        """List the seats that win or share the win; `[]` before the end and if nobody does.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().winners()
        []
        """
        ...

    def observation_tensor(
        self, player: SupportsIndex | None = None, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Give what a seat may know, and nothing else: float32, flat, raw counts, at every node.

        Without a player it is the seat to act; `ArgumentError` where there is none.
        `Game.observation_fields` says what stands where. `out` must be a writable C-contiguous
        float32 array of the same shape: else `ArgumentError`, or `ArgumentTypeError` for another
        dtype. `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> game = tc.load_game("indigo")
        >>> observation = game.new_initial_state().observation_tensor(1)
        >>> field = game.observation_fields[0]
        >>> field.name, observation[field.start : field.stop]
        ('observer', array([0., 1.], dtype=float32))
        """
        ...

    def observation_string(self, player: SupportsIndex | None = None, /) -> str:
        """Give the same knowledge as lines of `key: JSON`; equal exactly when the tensors are.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.observation_string(0).splitlines()[:3]
        ['observer: 0', 'phase: "deal"', 'seat: 0']
        """
        ...

    def resample_from_infostate(self, player: SupportsIndex, rng: RandomSource, /) -> State:
        """Draw a position from all that the seat `player` cannot tell from this one.

        Each hidden deal that agrees with the seat's observation comes up in proportion to its
        number of physical deals; the true one is not favoured. So a search that plays on resampled
        positions cannot cheat. `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.resolve_chance(tc.Rng(7))
        >>> other = state.resample_from_infostate(0, tc.Rng(8))
        >>> other.observation_string(0) == state.observation_string(0)
        True
        """
        ...

    def to_dict(self) -> dict[str, Any]:
        """Give the whole position for people, as plain dicts, lists, ints and texts.

        `Game.state_from_dict` reads it; the rules page of the game explains it.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().to_dict()["pile"]
        [14, 6, 14, 14, 6]
        """
        ...

    def to_bytes(self) -> bytes:
        """Give the whole position for machines, with game, options and version.

        `Game.state_from_bytes` reads it.

        >>> import tabletop_core as tc
        >>> tc.load_game("indigo").new_initial_state().to_bytes()[:4]
        b'TTC\\x01'
        """
        ...

    @overload
    def action_to_string(self, action: SupportsIndex, /) -> str: ...
    @overload
    def action_to_string(self, player: SupportsIndex, action: SupportsIndex, /) -> str: ...
    def action_to_string(self, *ids: SupportsIndex) -> str:
        """Name an action of this node, at a chance node an outcome.

        As in OpenSpiel, `player` may come first: with `PlayerId.CHANCE` it is an outcome.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()
        >>> state.action_to_string(1), state.action_to_string(tc.PlayerId.CHANCE, 1)
        ('draw three straights', 'draw three straights')
        >>> state.action_to_string(0, 7)
        'place 01/24/35 on (1,-4)'
        """
        ...

    def observed_action_to_string(self, player: SupportsIndex, action: SupportsIndex, /) -> str:
        """Name an action of this node, or an outcome, as the seat `player` may see it.

        Decisions are made in public: their text is that of `action_to_string`, and so is the text
        of an outcome that the seat sees. Of any other outcome, a card drawn by somebody else, say,
        it is told `draw (hidden)`, whichever it is. To keep a log for a seat, ask before each
        `apply_action`. `ArgumentError` for a seat that does not exist.

        >>> import tabletop_core as tc
        >>> state = tc.load_game("indigo").new_initial_state()  # a tile for seat 0
        >>> [state.observed_action_to_string(seat, 1) for seat in (0, 1)]
        ['draw three straights', 'draw (hidden)']
        """
        ...

    def stable_hash(self) -> int:
        """Give a hash of the position in 0..2**64-1.

        It is the same in every process, build, engine and on every platform.

        >>> import tabletop_core as tc
        >>> a, b = (engine.load_game("indigo").new_initial_state() for engine in (tc, tc.reference))
        >>> a.stable_hash() == b.stable_hash()
        True
        """
        ...
