"""Both engines play the same games.

Per game, number of players and value of every option, 1,000 random games from the same seeds end with equal scores, lengths,
returns and positions, and 100 of them are compared at every node:

* seatings, with all options at their defaults, by themselves and at full length;
* the values of the options in mixtures, which set all options at once: each value is in at least four mixtures of its seating, and
  each mixture is a quarter of the games; any two values of different options are also seen one without the other, so a value is not
  always masked by the same other one;
* variants, with one option alone away from its default, on fewer games.

In mixtures and variants, games with many turns are cut short by the option that caps their length. At every node the engines are
asked who acts, what may happen with which probability and for the whole position as bytes; scores, dict, texts, hash, masks,
observations of each seat and resampled positions, which follow from these bytes, are compared at all nodes of one more game of a
seating, elsewhere each at one node in so many (`lockstep.PERIOD`) and at the end. `python -m tests.deep_parity` plays as many games
as one likes.
"""

from __future__ import annotations

import pytest

import tabletop_core as tc
from tests.configurations import (
    LENGTHS,
    Configuration,
    capped,
    configurations,
    masked,
    mixtures,
    seatings,
    short_lengths,
    shortened,
    specs,
    values_to_show,
    variants,
)
from tests.engines import ENGINES
from tests.lockstep import compare_playouts, play_in_lockstep

SEED = 20_240

PORTIONS = 4
"""The 1,000 games of a seating are played in so many tests; each value of an option is in at least so many mixtures."""

GAMES = 250
PLAYOUTS = 225
"""So many of the games of a portion or mixture are played by `playouts`, the others in lockstep."""

GAMES_OF_A_VARIANT = 12
PLAYOUTS_OF_A_VARIANT = 10
TURNS_OF_A_VARIANT = 120

# All mixtures are short themselves; other lengths are compared like seatings.
lengths = [
    variant
    for variant in variants()
    for name, value in variant.options[1:]
    if name in LENGTHS and value != short_lengths(variant.game)[name]
]
whole = [*seatings(), *lengths]
single = [capped(v, TURNS_OF_A_VARIANT) for v in variants() if v not in lengths]


def numbered_mixtures() -> list[object]:
    """Give each mixture with a number that also chooses its games, and a short id."""
    return [
        pytest.param(shortened(mixture), number, id=f"{mixture.game}-mixture{number}")
        for number, mixture in enumerate(mixtures(PORTIONS))
    ]


def check_games(configuration: Configuration, games: int, playouts: int, seed: int) -> None:
    """Play random games in both engines: so many of them with `playouts`, the others in lockstep."""
    difference = compare_playouts(configuration, playouts, seed)
    assert difference is None, str(difference)
    for number in range(playouts, games):
        difference = play_in_lockstep(configuration, number, seed, everything=False)
        assert difference is None, str(difference)


@pytest.mark.fault("A017")
@pytest.mark.parametrize("portion", range(PORTIONS))
@pytest.mark.parametrize("configuration", whole, ids=str)
def test_games_agree(configuration: Configuration, portion: int) -> None:
    check_games(configuration, GAMES, PLAYOUTS, SEED + portion)


@pytest.mark.fault("A017")
@pytest.mark.parametrize("configuration", whole, ids=str)
def test_everything_agrees_in_one_game(configuration: Configuration) -> None:
    difference = play_in_lockstep(configuration, GAMES, SEED)
    assert difference is None, str(difference)


@pytest.mark.fault("A017")
@pytest.mark.parametrize(("mixture", "number"), numbered_mixtures())
def test_mixed_options_agree(mixture: Configuration, number: int) -> None:
    check_games(mixture, GAMES, PLAYOUTS, SEED + number)


@pytest.mark.parametrize("variant", single, ids=str)
def test_single_options_agree(variant: Configuration) -> None:
    check_games(variant, GAMES_OF_A_VARIANT, PLAYOUTS_OF_A_VARIANT, SEED)


@pytest.mark.parametrize("seating", seatings(), ids=str)
def test_mixtures_show_each_value_often_and_none_masks_another(seating: Configuration) -> None:
    mixed = [
        mixture.options
        for mixture in mixtures(PORTIONS)
        if (mixture.game, mixture.options[0]) == (seating.game, seating.options[0])
    ]
    values = values_to_show(seating)
    for one in values:
        assert sum(one in options for options in mixed) >= PORTIONS, one
        for other in values:
            assert one[0] == other[0] or not masked(one, other, mixed), (one, other)


def test_engines_offer_the_same_games() -> None:
    assert tc.registered_games() == tc.reference.registered_games()
    for name in tc.registered_games():
        # Names, defaults, values, samples in their order and meanings; the texts tell True from 1.
        ours, theirs = (list(map(repr, engine.game_options(name))) for engine in ENGINES.values())
        assert ours == theirs
        assert list(specs(name)) == list(tc.load_game(name).options)


@pytest.mark.parametrize("configuration", configurations(), ids=str)
def test_games_declare_the_same(configuration: Configuration) -> None:
    native, reference = (configuration.load(engine) for engine in ENGINES.values())
    for name in ("name", "version"):
        assert getattr(native, name) == getattr(reference, name)
    assert repr(native) == repr(reference)
    assert repr(dict(native.options)) == repr(dict(reference.options))
    assert list(native.observation_fields) == list(reference.observation_fields)
    for call in (
        "num_players",
        "num_distinct_actions",
        "max_chance_outcomes",
        "max_game_length",
        "min_utility",
        "max_utility",
        "get_type",
        "observation_tensor_shape",
    ):
        assert getattr(native, call)() == getattr(reference, call)(), call
    actions = range(native.num_distinct_actions())
    assert [native.action_to_string(a) for a in actions] == [
        reference.action_to_string(a) for a in actions
    ]
    outcomes = range(native.max_chance_outcomes())
    assert [native.chance_to_string(o) for o in outcomes] == [
        reference.chance_to_string(o) for o in outcomes
    ]
