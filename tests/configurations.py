"""Which configurations of which games the generic tests run on.

Nothing here knows a game: everything follows from the option specs that the engines declare, so a new game or option is
tested as soon as it is registered.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

import tabletop_core as tc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

    from tabletop_core.protocol import Game
    from tabletop_core.types import OptionSpec

PLAYERS = "players"
LENGTHS = ("max_turns", "games")
"""Options of these names do nothing but say how long a game may last, wherever they exist."""

LONGEST_LABEL = 24

FEW = 3

MOST_SHUFFLES = 1000

Value = tuple[str, Any]
"""An option and a value of it."""

NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")


@dataclass(frozen=True)
class Configuration:
    """A game and the options it is loaded with, as a user would write them."""

    game: str
    options: tuple[tuple[str, Any], ...]

    def load(self, engine: ModuleType) -> Game:
        """Load the game in one of the engines."""
        game: Game = engine.load_game(self.game, **dict(self.options))
        return game

    def with_option(self, name: str, value: object) -> Configuration:
        """Give the same configuration with one option set."""
        return Configuration(self.game, tuple({**dict(self.options), name: value}.items()))

    @cache  # noqa: B019 (there are a few thousand, and they are needed to the end)
    def accepted(self) -> bool:
        """Say whether this combination of valid values exists."""
        try:
            self.load(tc)
        except tc.OptionError:
            return False
        return True

    def __str__(self) -> str:
        """Give the id of the configuration in test names."""
        return "-".join([self.game, *(f"{name}={_label(value)}" for name, value in self.options)])


def _label(value: object) -> str:
    """Write an option value short, so that it stays the same as long as the value does."""
    text = str(value)
    return text if len(text) <= LONGEST_LABEL else f"crc{crc32(text.encode()):08x}"


@cache
def specs(game: str) -> Mapping[str, OptionSpec]:
    """Give the declared options of a game by name."""
    return {spec.name: spec for spec in tc.game_options(game)}


@cache
def samples(game: str, option: str) -> tuple[Any, ...]:
    """Give the values of an option that are tried: its declared samples and, if these are few, the bounds of its range.

    Some of them go with few values of other options, or with none; `Configuration.accepted` knows.
    """
    spec = specs(game)[option]
    found = list(spec.samples)
    if len(found) < FEW and not isinstance(spec.default, bool):
        found += [int(bound) for bound in NUMBER.findall(spec.values) if int(bound) not in found]
    return tuple(found)


@cache
def seatings() -> tuple[Configuration, ...]:
    """Give every game with every number of players, all else at its default."""
    return tuple(
        Configuration(game, ((PLAYERS, players),))
        for game in tc.registered_games()
        for players in samples(game, PLAYERS)
        if Configuration(game, ((PLAYERS, players),)).accepted()
    )


@cache
def variants() -> tuple[Configuration, ...]:
    """Give every seating with one other option at one of its samples, as far as that differs from the seating itself."""
    known = {(seating.game, seating.load(tc)) for seating in seatings()}
    found = []
    for seating in seatings():
        for name in specs(seating.game):
            for sample in samples(seating.game, name):
                variant = seating.with_option(name, sample)
                if name == PLAYERS or not variant.accepted():
                    continue
                resolved = (variant.game, variant.load(tc))
                if resolved not in known:
                    known.add(resolved)
                    found.append(variant)
    return tuple(found)


@cache
def configurations() -> tuple[Configuration, ...]:
    """Give all seatings and all variants."""
    return (*seatings(), *variants())


@cache
def mixtures(shows: int) -> tuple[Configuration, ...]:
    """Give, for each seating, the fewest configurations that show the value of each variant in at least so many of them.

    Every mixture sets all options at once, so few of them cover much, and options meet that the variants keep apart.
    """
    found: list[Configuration] = []
    for seating in seatings():
        values = values_to_show(seating)
        if not values:
            continue
        order = random.Random(str(seating))
        mixed = [_mixture(seating, row, order) for row in _rows(seating, values, shows, order)]
        # What is missing now is a value that some of the others forbid.
        for value in values:
            missing = shows - sum(value in mixture.options for mixture in mixed)
            mixed += [_mixture(seating, [value], order) for _ in range(missing)]
        found += mixed
    return tuple(found)


def values_to_show(seating: Configuration) -> list[Value]:
    """Give the values that distinguish the variants of a seating, lengths apart."""
    return [
        value
        for variant in variants()
        if variant.game == seating.game and variant.options[0] == seating.options[0]
        for value in variant.options[1:]
        if value[0] not in LENGTHS
    ]


def masked(one: Value, other: Value, rows: Iterable[Iterable[Value]]) -> bool:
    """Say whether all that show the one value show the other as well."""
    return all(other in row for row in rows if one in row)


def _rows(
    seating: Configuration, values: list[Value], shows: int, order: random.Random
) -> Iterator[tuple[Value, ...]]:
    """Lay out as few rows as show each value so many times, such that no value masks one of another option, if that can be."""
    most_values = max(Counter(name for name, _ in values).values())
    # With a row more than it needs, a value is missing in one: in another one than the values of other options.
    count = max(most_values * shows, shows + (len(values) > 1))
    columns: list[list[Value]] = []
    for name in _mixed_options(seating.game):
        samples_of_it = [(name, sample) for sample in samples(seating.game, name)]
        samples_of_it.sort(key=lambda value: value in values)
        column = [value for value in values if value[0] == name] * shows
        column += islice(cycle(samples_of_it), count - len(column))
        fewest = len(values) ** 2
        chosen = column
        for _ in range(MOST_SHUFFLES):
            shuffled = order.sample(column, count)
            masks = sum(_masks(shuffled, earlier, values) for earlier in columns)
            if masks < fewest:
                fewest, chosen = masks, shuffled
            if not masks:
                break
        columns.append(chosen)
    return zip(*columns, strict=True)


def _masks(column: list[Value], other: list[Value], values: list[Value]) -> int:
    """Count the values of one column that mask a value of another one, in both directions."""
    rows = [*zip(column, other, strict=True)]
    return sum(
        masked(one, two, rows) + masked(two, one, rows)
        for one, two in set(rows)
        if one in values and two in values
    )


def _mixture(start: Configuration, row: Iterable[Value], order: random.Random) -> Configuration:
    """Set all options to the values of a row, or at random, as far as they go with the earlier ones."""
    mixture = start
    names = _mixed_options(start.game)
    others = [(name, value) for name in names for value in samples(start.game, name)]
    for name, value in (*row, *order.sample(others, len(others))):
        candidate = mixture.with_option(name, value)
        if name not in dict(mixture.options) and candidate.accepted():
            mixture = candidate
    return mixture


def _mixed_options(game: str) -> list[str]:
    return [name for name in specs(game) if name not in {PLAYERS, *LENGTHS}]


@cache
def short_lengths(game: str) -> Mapping[str, int]:
    """Give values that make a game short, for those options that can: the largest declared sample below the default."""
    found = {}
    for spec in specs(game).values():
        shorter = [
            sample for sample in spec.samples if spec.name in LENGTHS and sample < spec.default
        ]
        if shorter:
            found[spec.name] = max(shorter)
    return found


def shortened(configuration: Configuration) -> Configuration:
    """Give the same configuration with short games, as far as their length is not what is tested."""
    options = dict(configuration.options)
    for name, value in short_lengths(configuration.game).items():
        options.setdefault(name, value)
    return Configuration(configuration.game, tuple(options.items()))


def capped(configuration: Configuration, turns: int) -> Configuration:
    """Give the same configuration with a cap on the turns of a game, where there is such an option and it is not what is tested."""
    cap = LENGTHS[0]
    if cap not in specs(configuration.game) or cap in dict(configuration.options):
        return configuration
    return configuration.with_option(cap, turns)
