"""The comparison of samples with exact probabilities judges right: deals, critical values, and samplers that are slightly wrong."""

from __future__ import annotations

from collections import Counter
from math import erfc, exp, factorial, lgamma, log, prod

import pytest

import tabletop_core as tc
from tests.distribution import ERROR_RATE, check_frequencies, critical_value, physical_deals

CARDS = tuple("aaabbccd")
SIZES = (3, 2)
DEALS = physical_deals(CARDS, SIZES)


def drawn(order: list[str]) -> tuple[str, ...]:
    """Give a deal with each of its hands in order."""
    return (*sorted(order[:3]), *sorted(order[3:5]), *sorted(order[5:]))


def shuffled(rng: tc.Rng, *, step: int) -> tuple[str, ...]:
    """Deal all cards in random order; each is taken from those left, or with step 0 changes places with any other one."""
    order = list(CARDS)
    for place in range(len(order)):
        first = place * step
        other = first + rng.below(len(order) - first)
        order[place], order[other] = order[other], order[place]
    return drawn(order)


def test_deals_are_weighted_by_the_copies_of_each_kind() -> None:
    assert sum(DEALS.values()) == factorial(8) // prod(map(factorial, (3, 2, 3)))
    for deal, ways in DEALS.items():
        hands = [Counter(hand) for hand in (deal[:3], deal[3:5], deal[5:])]
        assert ways == prod(
            factorial(copies) // prod(factorial(hand[kind]) for hand in hands)
            for kind, copies in Counter(CARDS).items()
        )


@pytest.mark.parametrize("freedom", [1, 2, 4, 10, 50, 200])
def test_a_critical_value_is_exceeded_with_the_error_rate(freedom: int) -> None:
    """Or a little less often: the exact tail, which for even degrees of freedom is the beginning of a Poisson distribution."""
    half = critical_value(freedom) / 2
    if freedom == 1:
        tail = erfc(half**0.5)
    else:
        tail = sum(exp(-half + n * log(half) - lgamma(n + 1)) for n in range(freedom // 2))
    assert 0.5 * ERROR_RATE < tail < ERROR_RATE


def test_a_right_sampler_passes() -> None:
    rng = tc.Rng(1)
    check_frequencies(Counter(shuffled(rng, step=1) for _ in range(10_000)), DEALS)


@pytest.mark.parametrize("fault", ["equal shares", "a naive shuffle", "one deal too often"])
def test_a_sampler_that_is_slightly_wrong_does_not(fault: str) -> None:
    rng = tc.Rng(2)
    kinds = sorted(DEALS)
    found: Counter[tuple[str, ...]] = Counter()
    for number in range(10_000):
        if fault == "equal shares":
            found[kinds[rng.below(len(kinds))]] += 1
        elif fault == "one deal too often" and number % 50 == 0:
            found[kinds[0]] += 1
        else:
            found[shuffled(rng, step=int(fault != "a naive shuffle"))] += 1
    with pytest.raises(AssertionError):
        check_frequencies(found, DEALS)


def test_what_cannot_be_is_noticed() -> None:
    with pytest.raises(AssertionError):
        check_frequencies(Counter([*DEALS, tuple("d" * 8)]), DEALS)
