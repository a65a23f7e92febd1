"""The Game and State of the reference engine: all about them that does not depend on the game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ..errors import ArgumentError, ArgumentTypeError, IllegalActionError, PositionError
from ..protocol import RandomSource
from ..types import GameType, ObservationField, game_type
from ._arguments import bounded_index, index_of, show
from ._base import CHANCE, TERMINAL, Field, Rules
from ._codec import ByteReader, hash64, header, payload_of
from ._names import Names
from ._options import complete_options
from ._rng import Below, below_of

HIDDEN_OUTCOME = "draw (hidden)"
"""What a seat hears of an outcome that it does not see, whichever it is."""

ScalarT = TypeVar("ScalarT", bound=np.generic)


def make_game(rules: type[Rules[Any]], options: Mapping[str, Any]) -> Game:
    """Set up a game from its rules and the options that a user gave."""
    return Game(rules(complete_options(rules.name, rules.option_specs, options)))


class Game:
    """A game with its options: immutable, hashable, picklable. Made by `load_game`.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("indigo", players=3)
    >>> game.num_players(), game.num_distinct_actions()
    (3, 810)
    """

    __slots__ = (
        "__weakref__",
        "_actions",
        "_chances",
        "_fields",
        "_hash_seed",
        "_header",
        "_rules",
    )

    def __init__(self, rules: Rules[Any]) -> None:
        """Wrap rules; users call `load_game`."""
        self._rules = rules
        self._fields = tuple(_placed(rules.fields()))
        self._header = header(rules.name, rules.version, rules.options)
        self._hash_seed = hash64(self._header, 0)
        self._actions = Names(
            rules.name, "action", rules.action_to_string, rules.num_distinct_actions
        )
        self._chances = Names(
            rules.name, "chance outcome", rules.chance_to_string, rules.max_chance_outcomes
        )

    @property
    def name(self) -> str:
        """The name under which `load_game` knows the game."""
        return self._rules.name

    @property
    def version(self) -> str:
        """The version of the rules; it changes when their behaviour does."""
        return self._rules.version

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with its value, read-only."""
        return MappingProxyType(dict(self._rules.options))

    @property
    def observation_fields(self) -> tuple[ObservationField, ...]:
        """The named parts of the observation tensor, in order."""
        return self._fields

    def num_players(self) -> int:
        """Give the number of seats."""
        return self._rules.num_players

    def num_distinct_actions(self) -> int:
        """Decision ids are 0..this-1."""
        return self._rules.num_distinct_actions

    def max_chance_outcomes(self) -> int:
        """Chance ids are 0..this-1."""
        return self._rules.max_chance_outcomes

    def max_game_length(self) -> int:
        """No game has more decision nodes than this."""
        return self._rules.max_game_length

    def min_utility(self) -> float:
        """Give the lowest possible return of a seat."""
        return self._rules.min_utility

    def max_utility(self) -> float:
        """Give the highest possible return of a seat."""
        return self._rules.max_utility

    def observation_tensor_shape(self) -> list[int]:
        """Give the shape of `State.observation_tensor`, one dimension."""
        return [self.observation_fields[-1].stop]

    def get_type(self) -> GameType:
        """Say what kind of game it is, in the words of OpenSpiel."""
        hides = type(self._rules).sees_outcome is not Rules.sees_outcome
        return game_type(self.name, self.num_players(), hides)

    def new_initial_state(self) -> State:
        """Start a game."""
        return State(self, self._rules.initial_position())

    def action_to_string(self, action: SupportsIndex) -> str:
        """Name a decision id, legal or not; IllegalActionError if it is out of range."""
        return self._actions.text_of(action)

    def action_from_string(self, text: str) -> int:
        """Give the decision id of a text made by `action_to_string`."""
        return self._actions.id_of(text)

    def chance_to_string(self, outcome: SupportsIndex) -> str:
        """Name a chance id, possible or not; IllegalActionError if it is out of range."""
        return self._chances.text_of(outcome)

    def chance_from_string(self, text: str) -> int:
        """Give the chance id of a text made by `chance_to_string`."""
        return self._chances.id_of(text)

    def state_from_dict(self, d: Mapping[str, Any]) -> State:
        """Set up a position from what `State.to_dict` gives; PositionError if it cannot be."""
        position = self._rules.from_dict(d)
        self._rules.check(position)
        return State(self, position)

    def state_from_bytes(self, b: bytes) -> State:
        """Set up a position from what `State.to_bytes` gives; PositionError if it cannot be."""
        payload = payload_of(b, self.name, self.version, self._rules.options)
        reader = ByteReader(payload)
        position = self._rules.decode(reader)
        reader.finish()
        self._rules.check(position)
        if self._rules.encode(position) != payload:
            message = "the bytes are not in order; a position has one form, that of to_bytes()"
            raise PositionError(message)
        return State(self, position)

    def __eq__(self, other: object) -> bool:
        """Games are equal if name, version and options are."""
        return self._header == other._header if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        """Hash by name, version and options."""
        return hash(self._header)

    def __repr__(self) -> str:
        """Give the call that makes this game."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"load_game({self.name!r}{options})"

    def __copy__(self) -> Game:
        """Give the game itself; it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Game:
        """Give the game itself; it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by rules and options."""
        return make_game, (type(self._rules), dict(self._rules.options))


def _placed(fields: Sequence[Field]) -> Iterator[ObservationField]:
    """Put the parts of a tensor one behind another."""
    start = 0
    for field in fields:
        placed = ObservationField(field.name, start, field.shape, field.meaning)
        yield placed
        start = placed.stop


class State:
    """A position of a game; the calls and their meanings are those of OpenSpiel.

    Equal and hashed by position: it changes when actions are applied, so clone it before using it
    as a key.

    >>> from tabletop_core.reference import Rng, load_game
    >>> state = load_game("indigo").new_initial_state()
    >>> state.resolve_chance(Rng(1))
    >>> state.current_player(), len(state.legal_actions()) > 50
    (0, True)
    """

    __slots__ = ("__weakref__", "_game", "_position", "_rules")

    def __init__(self, game: Game, position: Any) -> None:
        """Wrap a position of the game's rules; users call `Game.new_initial_state`."""
        self._game = game
        self._rules: Rules[Any] = game._rules
        self._position = position

    # Whose node it is.

    def get_game(self) -> Game:
        """Give the game that is played."""
        return self._game

    def num_players(self) -> int:
        """Give the number of seats."""
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        """Decision ids are 0..this-1."""
        return self._game.num_distinct_actions()

    def current_player(self) -> int:
        """Give the seat to act, PlayerId.CHANCE (-1) or PlayerId.TERMINAL (-4)."""
        return self._rules.current_player(self._position)

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self.current_player() == TERMINAL

    def is_chance_node(self) -> bool:
        """Say whether chance acts next."""
        return self.current_player() == CHANCE

    def is_player_node(self) -> bool:
        """Say whether a seat acts next."""
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        """Say whether several seats act at once: never."""
        return False

    def is_truncated(self) -> bool:
        """Say whether a cap on the length of the game has ended it."""
        return self._rules.is_truncated(self._position)

    # What may happen.

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """List the ids that may be applied, ascending; none for a player who does not act.

        At a chance node they are chance ids, for the player None or PlayerId.CHANCE.
        """
        mover = self.current_player()
        if player is not None and self._player(player) != mover:
            return []
        if mover == TERMINAL:
            return []
        if mover == CHANCE:
            return [outcome for outcome, _ in self._rules.chance_weights(self._position)]
        return self._rules.legal_actions(self._position)

    def legal_actions_mask(
        self, player: SupportsIndex | None = None, out: npt.NDArray[np.bool_] | None = None
    ) -> npt.NDArray[np.bool_]:
        """Give the legal decisions as a bool array of `num_distinct_actions()`.

        All false for a player who does not act. With PlayerId.CHANCE the array has
        `max_chance_outcomes()` entries and shows the possible outcomes. `out`, a bool array of the
        right shape, is filled and returned instead of a new one.
        """
        asked = None if player is None else self._player(player)
        size = (
            self._game.max_chance_outcomes()
            if asked == CHANCE
            else self._game.num_distinct_actions()
        )
        mask = _output(out, size, np.bool_)
        mask[:] = False
        if asked is not None or self.is_player_node():
            mask[self.legal_actions(asked)] = True
        return mask

    def is_legal(self, action: SupportsIndex) -> bool:
        """Say whether `apply_action` takes this id here."""
        return index_of(action, "action") in self.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the possible outcomes, ids ascending, with their probabilities.

        IllegalActionError at a node that is no chance node.
        """
        weights = self._weights("chance_outcomes()")
        total = sum(weight for _, weight in weights)
        return [(outcome, weight / total) for outcome, weight in weights]

    def sample_chance(self, rng: RandomSource) -> int:
        """Draw one outcome, without applying it.

        IllegalActionError at a node that is no chance node.
        """
        weights = self._weights("sample_chance()")
        return draw(weights, below_of(rng))

    # What happens.

    def apply_action(self, action: SupportsIndex) -> None:
        """Apply a decision or chance outcome.

        IllegalActionError, and nothing changes, if it is not legal here.
        """
        self._rules.apply(self._position, self._legal(action))

    def child(self, action: SupportsIndex) -> State:
        """Give the state after an action; this one stays."""
        state = self.clone()
        state.apply_action(action)
        return state

    def resolve_chance(self, rng: RandomSource) -> None:
        """Draw and apply outcomes until a seat has to decide or the game is over."""
        below = below_of(rng)
        position = self._rules.clone(
            self._position
        )  # a generator that raises must leave the state as it was
        while self._rules.current_player(position) == CHANCE:
            self._rules.apply(position, draw(self._rules.chance_weights(position), below))
        self._position = position

    def resample_from_infostate(self, player: SupportsIndex, rng: RandomSource) -> State:
        """Draw a state from those that the seat cannot tell from this one.

        Each is drawn in proportion to its number of physical deals.
        """
        seat = self._seat(player)
        below = below_of(rng)
        position = self._rules.clone(self._position)
        self._rules.resample(position, seat, below)
        return State(self._game, position)

    # What it is worth.

    def scores(self) -> npt.NDArray[np.int64]:
        """Give the points of each seat as the rulebook counts them, int64 (P,)."""
        return np.array(self._rules.scores(self._position), np.int64)

    def winners(self) -> list[int]:
        """List the seats that win or share the win; none before the end."""
        return self._rules.winners(self._position)

    def returns(self) -> npt.NDArray[np.float64]:
        """Give the utility of each seat, float64 (P,); zeros before the end."""
        return np.array(utilities(self._rules, self._position), np.float64)

    def rewards(self) -> npt.NDArray[np.float64]:
        """Give what the last action earned: all is paid at the end, so the same as `returns()`."""
        return self.returns()

    def player_return(self, player: SupportsIndex) -> float:
        """Give one seat's entry of `returns()`."""
        return utilities(self._rules, self._position)[self._seat(player)]

    def player_reward(self, player: SupportsIndex) -> float:
        """Give one seat's entry of `rewards()`."""
        return self.player_return(player)

    # What a seat knows.

    def observation_tensor(
        self, player: SupportsIndex | None = None, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Give all that the seat, or the one to act, may know, float32 (n,), in the order of `Game.observation_fields`.

        `out`, a float32 array of the right shape, is filled and returned instead of a new one.
        """
        seat = self._observer(player)
        tensor = _output(out, self._game.observation_tensor_shape()[0], np.float32)
        values = self._rules.tensor(self._position, seat)
        assert list(values) == [field.name for field in self._game.observation_fields]
        for field in self._game.observation_fields:
            assert len(values[field.name]) == field.size, field.name
            tensor[field.start : field.stop] = values[field.name]
        return tensor

    def observation_string(self, player: SupportsIndex | None = None) -> str:
        """Give the same knowledge as text."""
        view = self._rules.view(self._position, self._observer(player))
        return "\n".join(f"{key}: {json.dumps(value)}" for key, value in view.items())

    def _observer(self, player: SupportsIndex | None) -> int:
        """Give a seat, for None the one that is to act."""
        if player is not None:
            return self._seat(player)
        mover = self.current_player()
        if mover < 0:
            message = (
                "player is None; no seat is to act here, so it must be "
                f"0..{self._game.num_players() - 1}"
            )
            raise ArgumentError(message)
        return mover

    # Copies, texts, equality.

    def clone(self) -> State:
        """Give an equal, independent state."""
        return State(self._game, self._rules.clone(self._position))

    def __copy__(self) -> State:
        """Give an equal, independent state."""
        return self.clone()

    def __deepcopy__(self, memo: object) -> State:
        """Give an equal, independent state."""
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by game and bytes."""
        return Game.state_from_bytes, (self._game, self.to_bytes())

    def to_dict(self) -> dict[str, Any]:
        """Write the whole position as a dict of lists, strs, ints, bools and None."""
        return self._rules.to_dict(self._position)

    def to_bytes(self) -> bytes:
        """Write the whole position, and in front of it which game it is of, as bytes."""
        return self._game._header + self._rules.encode(self._position)

    @overload
    def action_to_string(self, action: SupportsIndex) -> str: ...
    @overload
    def action_to_string(self, player: SupportsIndex, action: SupportsIndex) -> str: ...
    def action_to_string(self, *ids: SupportsIndex, **named: SupportsIndex) -> str:
        """Name an id: a chance outcome at a chance node or for PlayerId.CHANCE, else a decision."""
        if len(ids) + len(named) > 1:
            return self._action_to_string_for(*ids, **named)
        return self._action_to_string(*ids, **named)

    def _action_to_string(self, action: SupportsIndex) -> str:
        return self._action_to_string_for(self.current_player(), action)

    def _action_to_string_for(self, player: SupportsIndex, action: SupportsIndex) -> str:
        by_chance = self._player(player) == CHANCE
        number = index_of(action, "action")
        return (
            self._game.chance_to_string(number)
            if by_chance
            else self._game.action_to_string(number)
        )

    def observed_action_to_string(self, player: SupportsIndex, action: SupportsIndex) -> str:
        """Name an id of this node as a seat may see it: not an outcome that is for others only."""
        seat = self._seat(player)
        text = self.action_to_string(action)
        hidden = self.is_chance_node() and not self._rules.sees_outcome(self._position, seat)
        return HIDDEN_OUTCOME if hidden else text

    def __str__(self) -> str:
        """Draw the position for people."""
        return self._rules.describe(self._position)

    def __repr__(self) -> str:
        """Name game and node."""
        return f"<{str(self).splitlines()[0]}>"

    def __eq__(self, other: object) -> bool:
        """States are equal if their games and positions are."""
        if not isinstance(other, State):
            return NotImplemented
        return self._game == other._game and self._payload() == other._payload()

    def __hash__(self) -> int:
        """Hash by position, as it is now."""
        return self.stable_hash()

    def stable_hash(self) -> int:
        """Hash by position, 64 bits, the same in every process, engine and platform."""
        return stable_hash(self._game, self._position)

    def _payload(self) -> bytes:
        return self._rules.encode(self._position)

    def _seat(self, player: SupportsIndex) -> int:
        return bounded_index(player, "player", 0, self.num_players() - 1)

    def _player(self, player: SupportsIndex) -> int:
        number = index_of(player, "player")
        if number in {CHANCE, TERMINAL}:
            return number
        if not 0 <= number < self.num_players():
            message = (
                f"player must be a seat in 0..{self.num_players() - 1}, "
                f"PlayerId.CHANCE ({CHANCE}) or PlayerId.TERMINAL ({TERMINAL}), not {show(number)}"
            )
            raise ArgumentError(message)
        return number

    def _legal(self, action: SupportsIndex) -> int:
        number = index_of(action, "action")
        if number in self.legal_actions():
            return number
        if self.is_terminal():
            message = f"action {show(number)} cannot be applied: the game is over"
        elif self.is_chance_node():
            message = (
                f"chance outcome {show(number)} is not possible here; "
                f"possible are {show(self.legal_actions())}"
            )
        else:
            count = self.num_distinct_actions()
            name = f" ({self._game.action_to_string(number)})" if 0 <= number < count else ""
            message = (
                f"action {show(number)}{name} is not legal for seat {self.current_player()} here; "
                "legal_actions() lists what is"
            )
        raise IllegalActionError(message)

    def _weights(self, call: str) -> list[tuple[int, int]]:
        if not self.is_chance_node():
            message = f"{call} needs a chance node, and current_player() is {self.current_player()}"
            raise IllegalActionError(message)
        return self._rules.chance_weights(self._position)


def utilities(rules: Rules[Any], position: Any) -> list[float]:
    """Share out the win.

    W winners among P seats get (P - W) / (W (P - 1)) each, all others -1 / (P - 1); nobody gets
    anything when all win or nobody does, and before the end. Who plays alone gets the score.
    """
    players = rules.num_players
    winners = rules.winners(position)
    count = len(winners)
    if players == 1 and winners:
        return [float(rules.scores(position)[0])]
    if count in {0, players}:
        return [0.0] * players
    win = (players - count) / (count * (players - 1))
    return [win if seat in winners else -1 / (players - 1) for seat in range(players)]


def stable_hash(game: Game, position: Any) -> int:
    """Hash a position of a game, 64 bits."""
    return hash64(game._rules.encode(position), game._hash_seed)


def draw(weights: list[tuple[int, int]], below: Below) -> int:
    """Draw the outcome into whose share of the total weight one random number falls."""
    ticket = below(sum(weight for _, weight in weights))
    for outcome, weight in weights:
        if ticket < weight:
            return outcome
        ticket -= weight
    message = "below(n) went beyond its bound"
    raise AssertionError(message)


def _output(out: object, size: int, dtype: type[ScalarT]) -> npt.NDArray[ScalarT]:
    """Take the array that a caller wants filled, or make one."""
    if out is None:
        return np.zeros(size, dtype)
    wanted = f"a numpy array of {np.dtype(dtype)} with shape ({size},)"
    if not isinstance(out, np.ndarray):
        message = f"out must be {wanted}, not {show(out)}"
        raise ArgumentTypeError(message)
    if out.dtype != dtype:
        message = f"out must be {wanted}, not one of {out.dtype}"
        raise ArgumentTypeError(message)
    if out.shape != (size,):
        message = f"out must be {wanted}, not one with shape {out.shape}"
        raise ArgumentError(message)
    if not (out.flags.c_contiguous and out.flags.writeable):
        message = f"out must be {wanted} that is contiguous and writable"
        raise ArgumentError(message)
    return out
