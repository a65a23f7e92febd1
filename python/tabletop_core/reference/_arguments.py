"""Checks of the arguments that users pass, and the wording of what is wrong with them."""

from __future__ import annotations

import operator

from ..errors import ArgumentError, ArgumentTypeError

_LONGEST_SHOWN = 80


def show(value: object) -> str:
    """`repr` for error messages: short, and never failing, as a huge int can make `repr` do."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 (whatever a user's __repr__ raises)
        return f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def index_of(value: object, what: str) -> int:
    """Take an integer of any kind (numpy's too); `what` names the argument in the error."""
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        message = f"{what} must be an integer, not {show(value)} of type {type(value).__name__}"
        raise ArgumentTypeError(message) from None


def plain_int(value: object) -> int | None:
    """Take an integer of any kind, though no bool; None if it is none."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def bounded_index(value: object, what: str, low: int, high: int) -> int:
    """Take an integer in low..high."""
    number = index_of(value, what)
    if not low <= number <= high:
        top = "2**64-1" if high == 2**64 - 1 else high
        message = f"{what} is {show(value)}; it must be {low}..{top}"
        raise ArgumentError(message)
    return number


def plain_text(value: object) -> str | None:
    """Take a str, of a subclass its characters, whatever it says of itself; None if it is none."""
    return str.__str__(value) if isinstance(value, str) else None


def text_of(value: object, what: str) -> str:
    """Take a str."""
    text = plain_text(value)
    if text is None:
        message = f"{what} must be a str, not {show(value)} of type {type(value).__name__}"
        raise ArgumentTypeError(message)
    return text
