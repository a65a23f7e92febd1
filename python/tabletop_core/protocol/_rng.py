"""Random numbers: what an `Rng` can do, and what may be passed in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, SupportsIndex, TypeAlias, runtime_checkable


@runtime_checkable
class SupportsBelow(Protocol):
    """Anything that draws bounded integers without bias, above all the `Rng` of either engine.

    >>> import tabletop_core as tc
    >>> isinstance(tc.Rng(7), SupportsBelow)
    True
    """

    def below(self, n: SupportsIndex, /) -> int:
        """Draw an integer in 0..n-1.

        >>> import tabletop_core as tc
        >>> tc.Rng(7).below(1)
        0
        """
        ...


RandomSource: TypeAlias = SupportsBelow | Callable[[], float]
"""What may be passed as `rng`: an `Rng`, or, as in OpenSpiel, a callable giving floats in [0, 1).

Two floats of a callable, or two numbers of a generator that has `below` but is no `Rng`, seed an
`Rng` for the one call. A call that fails draws nothing, unless it is the source that failed.
"""


@runtime_checkable
class Rng(Protocol):
    """A stream of random 64-bit numbers in 8 bytes: splitmix64, the same in C++ and in Python.

    It can be copied, compared and pickled. It moves when it is used, so it is not hashable.

    >>> import tabletop_core as tc
    >>> tc.Rng(7)
    Rng(0x0000000000000007)
    >>> tc.Rng(7).next_u64() == tc.reference.Rng(7).next_u64()
    True
    """

    @property
    def state(self) -> int:
        """The 64 bits that say where in its stream it stands; `Rng(rng.state)` goes on alike.

        >>> import tabletop_core as tc
        >>> tc.Rng(7).state
        7
        """
        ...

    def next_u64(self) -> int:
        """Draw an integer in 0..2**64-1.

        >>> import tabletop_core as tc
        >>> hex(tc.Rng(7).next_u64())
        '0x63cbe1e459320dd7'
        """
        ...

    def below(self, n: SupportsIndex, /) -> int:
        """Draw an integer in 0..n-1, all equally likely; `ArgumentError` unless 1 <= n < 2**64.

        >>> import tabletop_core as tc
        >>> rng = tc.Rng(7)
        >>> [rng.below(6) for _ in range(8)]
        [2, 0, 5, 3, 2, 1, 2, 1]
        """
        ...

    def split(self, i: SupportsIndex, /) -> Rng:
        """Give the independent stream number `i` (0 <= i < 2**64); this generator does not move.

        >>> import tabletop_core as tc
        >>> rng = tc.Rng(7)
        >>> rng.split(0) == rng.split(0), rng.split(0) == rng.split(1), rng.state
        (True, False, 7)
        """
        ...
