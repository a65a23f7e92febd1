"""Random numbers: stored vectors, so that no engine, build or platform may draw others."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabletop_core as tc

if TYPE_CHECKING:
    from types import ModuleType

LARGEST = 2**64 - 1
THREE_QUARTERS = 3 * 2**62

# The first three rows agree with the published output of splitmix64.
FIRST_NUMBERS = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC),
    1: (0x910A2DEC89025CC1, 0xBEEB8DA1658EEC67, 0xF893A2EEFB32555E, 0x71C18690EE42C90B),
    1_234_567: (0x599ED017FB08FC85, 0x2C73F08458540FA5, 0x883EBCE5A3F27C77, 0x3FBEF740E9177B3F),
    7: (0x63CBE1E459320DD7, 0x044C3CD7F43C661C, 0xE6984080BAB12A02, 0x953AEB70673E29CB),
    LARGEST: (0xE4D971771B652C20, 0xE99FF867DBF682C9, 0x382FF84CB27281E9, 0x6D1DB36CCBA982D2),
}

FIRST_BELOW = {
    (0, 6): (5, 2, 0, 5, 0, 1, 1, 4),
    (7, 6): (2, 0, 5, 3, 2, 1, 2, 1),
    (5, 1000): (386, 752, 232, 99, 187, 380, 985, 511),
    (1, 1): (0, 0, 0, 0, 0, 0, 0, 0),
    (1, LARGEST): (10451216379200822464, 13757245211066428518, 17911839290282890589),
    (3, THREE_QUARTERS): (
        1569592068752354289,
        9688601416295333670,
        8480540319450703296,
        1008115533536614235,
    ),
}

SPLITS = {
    (0, 0): (0x7AB40E090F363A7D, 0x4181B152FB77616F),
    (0, 1): (0x52EAD7E36EA7FEA8, 0x657E0BE0E89A4916),
    (7, 0): (0xDF2BBB9538AAE818, 0xBD4D088D92683CB0),
    (7, 2**63): (0x6C33E8EFAAF58554, 0x03382551E608540C),
    (LARGEST, LARGEST): (0xB4D055FCF2CBBD7B, 0xA577782BC52A9F5A),
}


@pytest.mark.parametrize(("seed", "numbers"), FIRST_NUMBERS.items())
def test_next_u64_draws_the_stored_numbers(
    engine: ModuleType, seed: int, numbers: tuple[int, ...]
) -> None:
    rng = engine.Rng(seed)
    assert tuple(rng.next_u64() for _ in numbers) == numbers


@pytest.mark.parametrize(("arguments", "numbers"), FIRST_BELOW.items())
def test_below_draws_the_stored_numbers(
    engine: ModuleType, arguments: tuple[int, int], numbers: tuple[int, ...]
) -> None:
    seed, bound = arguments
    rng = engine.Rng(seed)
    assert tuple(rng.below(bound) for _ in numbers) == numbers


@pytest.mark.parametrize(("arguments", "stored"), SPLITS.items())
def test_split_gives_the_stored_streams(
    engine: ModuleType, arguments: tuple[int, int], stored: tuple[int, int]
) -> None:
    seed, number = arguments
    rng = engine.Rng(seed)
    child = rng.split(number)
    assert (child.state, child.next_u64()) == stored
    assert rng.state == seed, "the parent must not move"


def test_state_counts_in_golden_steps(engine: ModuleType) -> None:
    rng = engine.Rng(0)
    rng.next_u64()
    assert rng.state == 0x9E3779B97F4A7C15
    assert repr(rng) == "Rng(0x9e3779b97f4a7c15)"
    assert repr(engine.Rng(7)) == "Rng(0x0000000000000007)"
    with pytest.raises(AttributeError):
        rng.state = 1


def test_below_is_unbiased_where_products_alone_are_not(engine: ModuleType) -> None:
    # Without redrawing, two of every four numbers below 3/4 of the range would be multiples of three.
    rng = engine.Rng(11)
    draws = 30_000
    counts = Counter(rng.below(THREE_QUARTERS) % 3 for _ in range(draws))
    deviation = (draws * (1 / 3) * (2 / 3)) ** 0.5
    assert all(abs(counts[residue] - draws / 3) < 5 * deviation for residue in range(3))


@pytest.mark.parametrize("bound", [2, 5, 14, 96])
def test_below_is_uniform(engine: ModuleType, bound: int) -> None:
    rng = engine.Rng(bound)
    draws = 20_000
    counts = Counter(rng.below(bound) for _ in range(draws))
    assert set(counts) == set(range(bound))
    expected = draws / bound
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    degrees = bound - 1
    assert chi_square < degrees + 5 * (2 * degrees) ** 0.5 + 5


def test_streams_of_a_split_are_distinct(engine: ModuleType) -> None:
    parents = [engine.Rng(seed) for seed in range(20)]
    states = {parent.split(number).state for parent in parents for number in range(200)}
    assert len(states) == 20 * 200


def test_both_engines_draw_alike() -> None:
    native, reference = tc.Rng(42), tc.reference.Rng(42)
    for bound in (1, 2, 3, 810, 2**32 + 1, THREE_QUARTERS, LARGEST):
        for _ in range(50):
            assert native.below(bound) == reference.below(bound)
    assert native.state == reference.state
    assert native.split(9).state == reference.split(9).state


def test_copies_and_pickles_are_equal_and_independent(engine: ModuleType) -> None:
    rng = engine.Rng(3)
    rng.next_u64()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        for twin in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng, protocol))):
            assert twin == rng
            assert _numbers(twin, 100) == _numbers(engine.Rng(rng.state), 100)
            assert twin != rng


def _numbers(rng: tc.Rng, count: int) -> list[int]:
    """Draw the next numbers."""
    return [rng.next_u64() for _ in range(count)]


def test_equality_is_by_state(engine: ModuleType) -> None:
    assert engine.Rng(1) == engine.Rng(1)
    assert engine.Rng(1) != engine.Rng(2)
    assert engine.Rng(1) != 1
    with pytest.raises(TypeError):
        hash(engine.Rng(1))


def test_seeds_may_be_numpy_integers(engine: ModuleType) -> None:
    assert engine.Rng(np.uint64(LARGEST)) == engine.Rng(LARGEST)
    assert engine.Rng(5).below(np.int32(10)) == engine.Rng(5).below(10)
    assert engine.Rng(5).split(np.int16(3)) == engine.Rng(5).split(3)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**100])
def test_seeds_out_of_range_are_refused(engine: ModuleType, seed: int) -> None:
    with pytest.raises(tc.ArgumentError, match=str(seed)):
        engine.Rng(seed)
    with pytest.raises(tc.ArgumentError, match=str(seed)):
        engine.Rng(0).split(seed)


@pytest.mark.parametrize("bound", [0, -1, 2**64, 2**100])
def test_bounds_out_of_range_are_refused(engine: ModuleType, bound: int) -> None:
    rng = engine.Rng(0)
    with pytest.raises(tc.ArgumentError, match=str(bound)):
        rng.below(bound)
    assert rng.state == 0


@pytest.mark.parametrize("wrong", ["1", 1.0, None, [1], b"1"])
def test_wrong_types_are_refused(engine: ModuleType, wrong: object) -> None:
    rng = engine.Rng(0)
    for call in (engine.Rng, rng.below, rng.split):
        with pytest.raises(tc.ArgumentTypeError):
            call(wrong)
    assert rng.state == 0


def test_a_seed_is_required(engine: ModuleType) -> None:
    with pytest.raises(TypeError):
        engine.Rng()
