"""The errors that both engines raise.

Every error is a `TabletopError` and, besides, the built-in error that a Python programmer would
expect. Each message is one sentence that names the value, the place and what would be right.
"""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "IllegalActionError",
    "LaneError",
    "OptionError",
    "PositionError",
    "TabletopError",
    "UnknownGameError",
]


class TabletopError(Exception):
    """Anything that went wrong in tabletop-core.

    >>> issubclass(PositionError, TabletopError)
    True
    """


class UnknownGameError(TabletopError, KeyError):
    """There is no game of that name.

    >>> print(UnknownGameError("there is no game 'chess'"))
    there is no game 'chess'
    """

    def __str__(self) -> str:
        """Give the plain sentence; a bare KeyError would quote it."""
        return str(self.args[0]) if self.args else ""


class OptionError(TabletopError, ValueError):
    """A game does not have that option, or the option cannot have that value.

    >>> issubclass(OptionError, ValueError)
    True
    """


class IllegalActionError(TabletopError, ValueError):
    """An id or text that is no legal action here, or a question about chance at another node.

    >>> issubclass(IllegalActionError, ValueError)
    True
    """


class PositionError(TabletopError, ValueError):
    """A dict or byte string that is no position of the game.

    >>> issubclass(PositionError, ValueError)
    True
    """


class ArgumentError(TabletopError, ValueError):
    """A seat, seed, count, depth, array or source of random numbers that is out of its range.

    >>> issubclass(ArgumentError, ValueError)
    True
    """


class LaneError(TabletopError, IndexError):
    """A batch does not have that lane.

    >>> issubclass(LaneError, IndexError)
    True
    """


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of the wrong Python type.

    >>> issubclass(ArgumentTypeError, TypeError) and issubclass(ArgumentTypeError, ValueError)
    True
    """
