"""Several games played one after another, and what each seat gets in them added up.

A match is a list of games that the same seats play in turn. How a game goes, what a seat knows of
it and how it is written down is left to the rules of that game; here is only what lies between
games. When one is over, what every seat got in it is added to the totals and the next one begins at
once, with its first chance event or decision. Behind the last one nothing begins: it stays as it
ended, and whoever has the greatest totals wins.

Every kind of game keeps the ids and texts that it has when it is played alone. If a match may
contain several kinds, their ids follow one another, kind by kind, and the name of the kind is put
in front of their texts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from ._base import (
    TERMINAL,
    Below,
    ByteReader,
    Field,
    PositionError,
    Rules,
    one_hot,
    require,
    take_bool,
    take_dict,
    take_int,
    take_list,
    take_name,
)

LARGEST_TOTAL = 2**16 - 1
"""Totals take two bytes."""

_OBSERVER = "observer"
"""What the rules of every game say first about what a seat knows; a match says it only once."""


@dataclass(frozen=True)
class Tally:
    """Something that seats get in a game and that is added up over the match."""

    name: str
    meaning: str
    count: Callable[[Rules[Any], Any], list[int]]
    """Gives what each seat has got in a game, from its rules and its position."""


POINTS = Tally(
    "totals", "points of each seat in finished games", lambda rules, game: rules.scores(game)
)


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of game, and where its ids begin among those of the match."""

    name: str
    rules: Rules[Any]
    first_action: int
    first_outcome: int


@dataclass
class Position:
    """How far the match has come, and the position of the current game."""

    played: int
    """Number of finished games."""
    totals: list[list[int]]
    """For each tally, what each seat has got in finished games."""
    truncated: bool
    """Whether a cap has ended one of the finished games."""
    game: Any
    """The game being played; at the end the last one, as it ended."""


class Match(Rules[Position]):
    """The rules of all matches; a subclass says which games are played and what is added up.

    It has to call `_arrange` and to set `options` when it is made, and to define the class
    attributes below and the two methods after `_arrange`.

    >>> from tabletop_core.reference import load_game
    >>> load_game("indigo_series", games=5).max_game_length()
    270
    """

    noun: ClassVar[str]
    """What a game of the match is called."""
    tallies: ClassVar[tuple[Tally, ...]]
    """What is added up. Whoever has most of the first wins, among equals most of the next."""
    may_be_truncated: ClassVar[bool]
    """Whether games can be ended by a cap, so that positions have to say if one has been."""

    def _arrange(self, kinds: Mapping[str, Rules[Any]], games: Sequence[str]) -> None:
        """Set up a match of these games, each given by the name of its kind."""
        self.kinds: list[Kind] = []
        self.num_distinct_actions = self.max_chance_outcomes = 0
        for name, rules in kinds.items():
            kind = Kind(name, rules, self.num_distinct_actions, self.max_chance_outcomes)
            self.kinds.append(kind)
            self.num_distinct_actions += rules.num_distinct_actions
            self.max_chance_outcomes += rules.max_chance_outcomes
        kind_of_name = {kind.name: kind for kind in self.kinds}
        self.games = [kind_of_name[name] for name in games]
        self.num_players = self.kinds[0].rules.num_players
        self.max_game_length = sum(kind.rules.max_game_length for kind in self.games)

    @abstractmethod
    def check_totals(self, totals: Sequence[Sequence[int]], finished: Sequence[Kind]) -> None:
        """Raise a `PositionError` unless seats can have got this, by tally, in these games."""

    @abstractmethod
    def totals_text(self, totals: Sequence[Sequence[int]]) -> str:
        """Say what each seat has got so far."""

    # The course of the match.

    def initial_position(self) -> Position:
        """Begin the first game."""
        return Position(
            played=0,
            totals=[[0] * self.num_players for _ in self.tallies],
            truncated=False,
            game=self.games[0].rules.initial_position(),
        )

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return Position(
            played=position.played,
            totals=[list(totals) for totals in position.totals],
            truncated=position.truncated,
            game=self._rules(position).clone(position.game),
        )

    def current_player(self, position: Position) -> int:
        """The current game says who acts; it is over only when the match is."""
        return self._rules(position).current_player(position.game)

    def legal_actions(self, position: Position) -> list[int]:
        """All that the current game allows."""
        kind = self._kind(position)
        actions = kind.rules.legal_actions(position.game)
        return [kind.first_action + action for action in actions]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """All that may happen in the current game."""
        kind = self._kind(position)
        outcomes = kind.rules.chance_weights(position.game)
        return [(kind.first_outcome + outcome, weight) for outcome, weight in outcomes]

    def apply(self, position: Position, action: int) -> None:
        """Go on with the current game, and with the next one if that was its end."""
        kind = self._kind(position)
        decides = kind.rules.current_player(position.game) >= 0
        first = kind.first_action if decides else kind.first_outcome
        kind.rules.apply(position.game, action - first)
        if kind.rules.current_player(position.game) == TERMINAL:
            self._finish_game(position)

    def _finish_game(self, position: Position) -> None:
        """Add up what the seats got, and begin the next game if there is one."""
        rules = self._rules(position)
        for totals, gains in zip(position.totals, self._gains(position), strict=True):
            for seat, gain in enumerate(gains):
                totals[seat] += gain
        position.truncated = position.truncated or rules.is_truncated(position.game)
        position.played += 1
        if not self._is_over(position):
            position.game = self._rules(position).initial_position()

    def scores(self, position: Position) -> list[int]:
        """Add what the current game is worth now to the points of the finished ones."""
        points = position.totals[0]
        if self._is_over(position):
            return list(points)
        now = self._rules(position).scores(position.game)
        return [before + more for before, more in zip(points, now, strict=True)]

    def winners(self, position: Position) -> list[int]:
        """List the seats with the greatest totals; none before the end."""
        if not self._is_over(position):
            return []
        results = list(zip(*position.totals, strict=True))
        return [seat for seat, result in enumerate(results) if result == max(results)]

    def is_truncated(self, position: Position) -> bool:
        """Say whether a cap has ended any of the games; not before the match is over."""
        return position.truncated and self._is_over(position)

    def _is_over(self, position: Position) -> bool:
        return position.played == len(self.games)

    def _place(self, played: int) -> int:
        """Give the place of the current game in the list: at the end it is still the last one."""
        return min(played, len(self.games) - 1)

    def _kind(self, position: Position) -> Kind:
        return self.games[self._place(position.played)]

    def _rules(self, position: Position) -> Rules[Any]:
        return self._kind(position).rules

    def _gains(self, position: Position) -> list[list[int]]:
        """Count what each seat has got in the current game, by tally."""
        rules = self._rules(position)
        return [tally.count(rules, position.game) for tally in self.tallies]

    # What a seat knows: how the match stands, and what it may know of the current game.

    def fields(self) -> list[Field]:
        """List the parts of the observation: those of the match, then those of its kinds of games.

        The parts of kinds that are not being played are zero.
        """
        players = (self.num_players,)
        fields = [
            Field(_OBSERVER, players, "one-hot: the seat that observes"),
            Field("played", (1,), f"number of finished {self.noun}s"),
            *(Field(tally.name, players, tally.meaning) for tally in self.tallies),
        ]
        if self.may_be_truncated:
            fields.append(Field("truncated", (1,), f"1 if a finished {self.noun} was truncated"))
        if self._is_mixed():
            fields.append(
                Field(self.noun, (len(self.games),), f"one-hot: the {self.noun} being played")
            )
        for kind in self._kinds_played():
            fields += [
                Field(_name_of_part(kind, field), field.shape, field.meaning)
                for field in _fields_of_part(kind)
            ]
        return fields

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        tensor: dict[str, Sequence[int]] = {
            _OBSERVER: one_hot(self.num_players, seat),
            "played": [position.played],
        }
        for tally, totals in zip(self.tallies, position.totals, strict=True):
            tensor[tally.name] = totals
        if self.may_be_truncated:
            tensor["truncated"] = [int(position.truncated)]
        if self._is_mixed():
            tensor[self.noun] = one_hot(len(self.games), self._place(position.played))
        current = self._kind(position)
        known = current.rules.tensor(position.game, seat)
        for kind in self._kinds_played():
            for field in _fields_of_part(kind):
                numbers = known[field.name] if kind is current else [0] * prod(field.shape)
                tensor[_name_of_part(kind, field)] = numbers
        return tensor

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict."""
        known = self._rules(position).view(position.game, seat)
        return {
            _OBSERVER: seat,
            **self._standing(position),
            "position": {key: value for key, value in known.items() if key != _OBSERVER},
        }

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Nothing but the current game hides anything."""
        self._rules(position).resample(position.game, seat, below)

    def sees_outcome(self, position: Position, seat: int) -> bool:
        """What is drawn is drawn in the current game."""
        return self._rules(position).sees_outcome(position.game, seat)

    def _is_mixed(self) -> bool:
        """Say whether there are several kinds of games to be told apart."""
        return len(self.kinds) > 1

    def _kinds_played(self) -> list[Kind]:
        """List the kinds of games that occur in this match."""
        return [kind for kind in self.kinds if kind in self.games]

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write how the match stands and the whole position of the current game."""
        game = self._rules(position).to_dict(position.game)
        return {**self._standing(position), "position": game}

    def _standing(self, position: Position) -> dict[str, Any]:
        """Write how the match stands."""
        standing: dict[str, Any] = {"played": position.played}
        for tally, totals in zip(self.tallies, position.totals, strict=True):
            standing[tally.name] = list(totals)
        if self.may_be_truncated:
            standing["truncated"] = position.truncated
        if self._is_mixed():
            standing["game"] = self._kind(position).name
        return standing

    def from_dict(self, position: object) -> Position:
        """Read a position."""
        keys = [*self._standing(self.initial_position()), "position"]
        entries = take_dict(position, keys, "the position")
        played = take_int(entries["played"], 0, len(self.games), "played")
        kind = self.games[self._place(played)]
        if self._is_mixed():
            self._check_name(entries["game"], kind, played)
        with _naming(kind):
            game = kind.rules.from_dict(entries["position"])
        return Position(
            played=played,
            totals=[self._take_totals(entries[tally.name], tally) for tally in self.tallies],
            truncated=self.may_be_truncated and take_bool(entries["truncated"], "truncated"),
            game=game,
        )

    def _check_name(self, value: object, current: Kind, played: int) -> None:
        """The name of the current game follows from the number of finished ones."""
        names = [kind.name for kind in self.kinds]
        name = names[take_name(value, names, "game")]
        require(
            name == current.name,
            f"game must be {current.name!r} when {played} of {len(self.games)} are finished, "
            f"not {name!r}",
        )

    def _take_totals(self, value: object, tally: Tally) -> list[int]:
        totals = take_list(value, tally.name, self.num_players)
        return [
            take_int(total, 0, LARGEST_TOTAL, f"{tally.name}[{seat}]")
            for seat, total in enumerate(totals)
        ]

    def encode(self, position: Position) -> bytes:
        """Write the number of finished games and the totals (two bytes each), the current game."""
        parts = [position.played.to_bytes(2, "little")]
        parts += [total.to_bytes(2, "little") for totals in position.totals for total in totals]
        if self.may_be_truncated:
            parts.append(bytes([position.truncated]))
        parts.append(self._rules(position).encode(position.game))
        return b"".join(parts)

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        played = reader.u16("played", len(self.games) + 1)
        totals = [
            [reader.u16(f"{tally.name}[{seat}]") for seat in range(self.num_players)]
            for tally in self.tallies
        ]
        truncated = self.may_be_truncated and bool(reader.u8("truncated", 2))
        kind = self.games[self._place(played)]
        with _naming(kind):
            game = kind.rules.decode(reader)
        return Position(played, totals, truncated, game)

    # Which positions can be.

    def check(self, position: Position) -> None:
        """Refuse a current game that cannot be, and totals that do not go with it."""
        kind = self._kind(position)
        with _naming(kind):
            kind.rules.check(position.game)
        self._check_end(position)
        totals, finished = position.totals, self.games[: position.played]
        if self._is_over(position):
            # The last game shows what it has added; the rest must be possible without it.
            totals = [
                [total - gain for total, gain in zip(both, gains, strict=True)]
                for both, gains in zip(totals, self._gains(position), strict=True)
            ]
            finished = finished[:-1]
        self.check_totals(totals, finished)
        self._check_truncated(position, finished)

    def _check_end(self, position: Position) -> None:
        """A game that is over gives way to the next one, if there is one."""
        game_is_over = self.current_player(position) == TERMINAL
        what = "over" if game_is_over else "still being played"
        require(
            game_is_over == self._is_over(position),
            f"the current game must be over exactly when played is {len(self.games)}; "
            f"it is {what}, and played is {position.played}",
        )

    def _check_truncated(self, position: Position, finished: Sequence[Kind]) -> None:
        """`finished` are the games of which the position does not show how they ended."""
        last_was = self._rules(position).is_truncated(position.game)
        require(
            position.truncated or not last_was,
            "truncated must be True when a cap has ended the last game, not False",
        )
        require(
            not position.truncated or last_was or bool(finished),
            "truncated must be False as long as no cap can have ended a game, not True",
        )

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision as its game does, which is named in front if there are several kinds."""
        kind = [kind for kind in self.kinds if kind.first_action <= action][-1]
        return self._named(kind, kind.rules.action_to_string(action - kind.first_action))

    def chance_to_string(self, outcome: int) -> str:
        """Name a chance outcome likewise."""
        kind = [kind for kind in self.kinds if kind.first_outcome <= outcome][-1]
        return self._named(kind, kind.rules.chance_to_string(outcome - kind.first_outcome))

    def _named(self, kind: Kind, text: str) -> str:
        return f"{kind.name}: {text}" if self._is_mixed() else text

    def describe(self, position: Position) -> str:
        """Say how the match stands, then draw the current game."""
        number = f"{self.noun} {position.played + 1} of {len(self.games)}"
        progress = "over" if self._is_over(position) else number
        headline = f"{self.name}: {progress}, totals {self.totals_text(position.totals)}"
        return f"{headline}\n{self._rules(position).describe(position.game)}"


def part_options(rules: type[Rules[Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """Pick the options of a game from those of a match."""
    return {spec.name: options[spec.name] for spec in rules.option_specs}


def _fields_of_part(kind: Kind) -> list[Field]:
    """List the fields of a game that its match keeps."""
    return [field for field in kind.rules.fields() if field.name != _OBSERVER]


def _name_of_part(kind: Kind, field: Field) -> str:
    """Name a field of a game among those of its match."""
    return f"{kind.name}.{field.name}"


@contextmanager
def _naming(kind: Kind) -> Iterator[None]:
    """Say of a position's fault that it lies in the current game."""
    try:
        yield
    except PositionError as error:
        message = f"in the current game ({kind.name}): {error}"
        raise PositionError(message) from None
