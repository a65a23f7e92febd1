"""The contract: what every game, position and random stream can do, in either engine.

The native classes (`tabletop_core.Game`, `State`, `Rng`), those of `tabletop_core.reference` and a
game of your own all fit these protocols, so code that is annotated with them runs on any of them.
`tabletop_core.testing.check_game` tests the meanings that types cannot say.

Meanings shared by all calls:

* A *node* is a decision (a seat must act), a chance event (dice, draws: `PlayerId.CHANCE`) or the
  end (`PlayerId.TERMINAL`).
* *Seats* are 0..P-1, seat 0 starts. *Actions* and *chance outcomes* have id spaces of their own,
  each id with one meaning in every phase. Ids, seats, counts and seeds may be any object with
  `__index__`, numpy integers included.
* Lists and arrays are fresh copies, except an array passed as `out`, which is filled and returned.
* Errors are `tabletop_core.TabletopError`s: `IllegalActionError` for an id or text that is no legal
  action here and for questions about chance elsewhere, `ArgumentError` for seats, seeds, counts and
  arrays out of range, `ArgumentTypeError` for arguments of the wrong type, `PositionError` for a
  bad dict or byte string. An error leaves the position as it was.
"""

from __future__ import annotations

from ._game import Game
from ._rng import RandomSource, Rng, SupportsBelow
from ._state import State

__all__ = ["Game", "RandomSource", "Rng", "State", "SupportsBelow"]
