"""Samples held to exact probabilities: deals counted card by card, and Pearson's chi-square test by hand.

A comparison refuses a right sampler for at most one seed in ten thousand; the seeds are fixed, so no run differs from the last.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeVar

import tabletop_core as tc

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabletop_core.protocol import State

ERROR_RATE = 1e-4
FEWEST = 5
"""How often a class of outcomes has to be expected at least."""

Outcome = TypeVar("Outcome", bound=Any)


@cache
def physical_deals(cards: tuple[Any, ...], sizes: tuple[int, ...]) -> Mapping[tuple[Any, ...], int]:
    """Count all ways to deal cards to hands of these sizes, each card an object of its own, equal to others or not.

    A deal is a row of cards: one hand behind the other, then what is left; each of them in the given order of the cards.
    """
    if not sizes:
        return {cards: 1}
    ways: Counter[tuple[tuple[Any, ...], tuple[Any, ...]]] = Counter()
    for dealt in combinations(range(len(cards)), sizes[0]):
        hand = tuple(cards[place] for place in dealt)
        left = tuple(card for place, card in enumerate(cards) if place not in dealt)
        ways[hand, left] += 1
    found: Counter[tuple[Any, ...]] = Counter()
    for (hand, left), here in ways.items():
        for others, further in physical_deals(left, sizes[1:]).items():
            found[(*hand, *others)] += here * further
    return found


def critical_value(freedom: int) -> float:
    """Give what chi-square exceeds with the error rate, as Wilson and Hilferty approximate it."""
    spread = 2 / (9 * freedom)
    normal = NormalDist().inv_cdf(1 - ERROR_RATE)
    return float(freedom * (1 - spread + normal * spread**0.5) ** 3)


def chi_square(found: Counter[Outcome], weights: Mapping[Outcome, int]) -> tuple[Fraction, int]:
    """Give Pearson's statistic and its degrees of freedom; outcomes too rare to be judged alone join the next ones."""
    unit = Fraction(found.total(), sum(weights.values()))
    classes = [(Fraction(0), 0)]
    for outcome in sorted(weights):
        expected, seen = classes.pop() if classes[-1][0] < FEWEST else (Fraction(0), 0)
        classes.append((expected + weights[outcome] * unit, seen + found[outcome]))
    if classes[-1][0] < FEWEST and len(classes) > 1:
        (expected, seen), (more, others) = classes.pop(), classes.pop()
        classes.append((expected + more, seen + others))
    statistic = sum(((seen - expected) ** 2 / expected for expected, seen in classes), Fraction(0))
    return statistic, len(classes) - 1


def check_frequencies(found: Counter[Outcome], weights: Mapping[Outcome, int]) -> None:
    """Hold what was drawn to the weights: nothing else may come, and chi-square must not be too large."""
    assert found.keys() <= weights.keys()
    statistic, freedom = chi_square(found, weights)
    assert freedom > 0
    assert statistic <= critical_value(freedom), (float(statistic), freedom)


def check_resampling(
    state: State, seat: int, deals: Iterable[tuple[Mapping[str, Any], int]], *, draws: int
) -> None:
    """Hold the samples of a seat to all positions that it cannot tell from this one, given with their physical deals.

    Each of these positions has to look the same to the seat and to give the same sample for the same generator.
    """
    game = state.get_game()
    view = state.observation_string(seat)
    sample = state.resample_from_infostate(seat, tc.Rng(1))
    weights: dict[bytes, int] = {}
    for shown, ways in deals:
        twin = game.state_from_dict(shown)
        assert twin.observation_string(seat) == view
        assert twin.resample_from_infostate(seat, tc.Rng(1)) == sample
        assert twin.to_bytes() not in weights
        weights[twin.to_bytes()] = ways
    assert state.to_bytes() in weights
    rng = tc.Rng(seat)
    check_frequencies(
        Counter(state.resample_from_infostate(seat, rng).to_bytes() for _ in range(draws)), weights
    )
