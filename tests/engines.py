"""The two engines under test, by the names that appear in test ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tabletop_core
import tabletop_core.reference

if TYPE_CHECKING:
    from types import ModuleType

# As plain modules, because what runs on both engines is typed by their common protocols.
NATIVE: ModuleType = tabletop_core
REFERENCE: ModuleType = tabletop_core.reference

ENGINES = {"native": NATIVE, "reference": REFERENCE}


def effort(engine: ModuleType, *, native: int, reference: int) -> int:
    """Choose how much of a test to run: the reference is a thousand times slower and gets less."""
    return native if engine is NATIVE else reference


def share(engine: ModuleType, states: int) -> int:
    """Choose how many states of one seating to test; the reference gets an eighth of them."""
    return effort(engine, native=states, reference=max(states // 8, 10))
