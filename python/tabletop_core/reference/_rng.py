"""Random numbers: splitmix64, as in the native engine, and what may stand in for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, SupportsIndex

from ..errors import ArgumentError, ArgumentTypeError
from ._arguments import bounded_index, index_of, show

GOLDEN = 0x9E3779B97F4A7C15
WORD = 2**64
MASK = WORD - 1

Below = Callable[[int], int]
"""Draws an integer in 0..n-1 when called with n."""


def mix(z: int) -> int:
    """Scramble 64 bits: the output function of splitmix64."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & MASK
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Rng:
    """A stream of random 64-bit numbers that is the same in every engine and on every platform.

    >>> rng = Rng(7)
    >>> rng
    Rng(0x0000000000000007)
    >>> [rng.below(6) for _ in range(5)]
    [2, 0, 5, 3, 2]
    """

    __slots__ = ("__weakref__", "_state")

    def __init__(self, seed: SupportsIndex) -> None:
        """Start the stream of a seed in 0..2**64-1."""
        self._state = bounded_index(seed, "seed", 0, MASK)

    @property
    def state(self) -> int:
        """The 64 bits that say where in its stream this generator stands."""
        return self._state

    def next_u64(self) -> int:
        """Draw a number in 0..2**64-1."""
        self._state = (self._state + GOLDEN) & MASK
        return mix(self._state)

    def below(self, n: SupportsIndex) -> int:
        """Draw a number in 0..n-1, every one with exactly the same probability; 1 <= n < 2**64."""
        bound = bounded_index(n, "n", 1, MASK)
        # The high half of a 128-bit product is almost uniform; drawing again where the low half is
        # too small makes it exactly so.
        product = self.next_u64() * bound
        while product & MASK < (WORD - bound) % bound:
            product = self.next_u64() * bound
        return product >> 64

    def split(self, i: SupportsIndex) -> Rng:
        """Give the independent stream number i (0 <= i < 2**64); this generator does not move."""
        number = bounded_index(i, "i", 0, MASK)
        return Rng(mix(self._state ^ mix((number + 1) & MASK)))

    def __eq__(self, other: object) -> bool:
        """Equal generators draw equal numbers."""
        return self._state == other._state if isinstance(other, Rng) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a generator moves, so it must not be a key

    def __repr__(self) -> str:
        """Show the state."""
        return f"Rng({self._state:#018x})"

    def __copy__(self) -> Rng:
        """Give an independent generator at the same place of the same stream."""
        return Rng(self._state)

    def __deepcopy__(self, memo: object) -> Rng:
        """Give an independent generator at the same place of the same stream."""
        return Rng(self._state)

    def __reduce__(self) -> tuple[type[Rng], tuple[int]]:
        """Pickle by the state alone."""
        return Rng, (self._state,)


def below_of(rng: object) -> Below:
    """Take what a caller passed as `rng`: an Rng, another generator, or a function of floats.

    An Rng of either engine is drawn from. Two numbers of another generator with `below`, or of a
    function that returns floats in [0, 1), seed an Rng for this one call.
    """
    if isinstance(rng, Rng):
        return rng.below
    if not isinstance(rng, type):
        below = getattr(rng, "below", None)
        if callable(below):
            below = _checked(below)
            return below if _draws_as_ours(rng) else Rng(below(2**32) << 32 | below(2**32)).below
        if callable(rng):
            high = int(_unit_float(rng) * 2**32)
            low = int(_unit_float(rng) * 2**32)
            return Rng(high << 32 | low).below
    message = (
        f"rng must be an Rng or a callable that returns floats in [0, 1), not {show(rng)} "
        f"of type {type(rng).__name__}"
    )
    raise ArgumentTypeError(message)


def _draws_as_ours(rng: Any) -> bool:
    """Tell an Rng of the other engine from generators that merely have a state, without moving it."""
    try:
        return bool(rng.split(0).state == Rng(rng.state).split(0).state)
    except Exception:  # noqa: BLE001 (whatever a stranger's attributes raise)
        return False


def _checked(below: Callable[[int], object]) -> Below:
    """Guard the rules against a foreign generator that leaves its bounds."""

    def checked(n: int) -> int:
        number = index_of(below(n), f"what rng.below({n}) returns")
        if not 0 <= number < n:
            message = f"rng.below({n}) must return an integer in 0..{n - 1}, not {show(number)}"
            raise ArgumentError(message)
        return number

    return checked


def _unit_float(random: Callable[[], object]) -> float:
    """Call a random function once and insist on a float in [0, 1)."""
    value = random()
    number = math.nan
    if hasattr(value, "__float__") or hasattr(value, "__index__"):
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            number = math.nan
    if not 0.0 <= number < 1.0:  # not true of NaN either
        message = f"the random callable must return a float in [0, 1), not {show(value)}"
        raise ArgumentError(message)
    return number
