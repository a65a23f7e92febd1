"""Checks of positions, above all as dicts; `where` names the place in the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import PositionError
from ._arguments import plain_int, plain_text, show


def require(condition: bool, message: str) -> None:
    """Raise a `PositionError` unless the condition holds."""
    if not condition:
        raise PositionError(message)


def take_dict(value: object, keys: Sequence[str], where: str) -> dict[str, Any]:
    """Take a dict that has exactly these keys."""
    if not isinstance(value, Mapping):
        message = f"{where} must be a dict with the keys {', '.join(keys)}, not {show(value)}"
        raise PositionError(message)
    missing = [key for key in keys if key not in value]
    if missing:
        message = f"{where} lacks the key {missing[0]!r}; it needs {', '.join(keys)}"
        raise PositionError(message)
    unknown = [key for key in value if key not in keys]
    if unknown:
        message = f"{where} has the unknown key {show(unknown[0])}; it may have {', '.join(keys)}"
        raise PositionError(message)
    return {key: value[key] for key in keys}


def take_list(value: object, where: str, length: int | None = None) -> list[Any]:
    """Take a list (or tuple), of that length if one is given."""
    if not isinstance(value, list | tuple):
        message = f"{where} must be a list, not {show(value)}"
        raise PositionError(message)
    entries = list(value)
    if length is not None and len(entries) != length:
        message = f"{where} must have {length} entries, not {len(entries)}"
        raise PositionError(message)
    return entries


def take_int(value: object, low: int, high: int, where: str) -> int:
    """Take an integer in low..high; a bool is none."""
    number = plain_int(value)
    if number is None or not low <= number <= high:
        message = f"{where} must be an integer in {low}..{high}, not {show(value)}"
        raise PositionError(message)
    return number


def take_bool(value: object, where: str) -> bool:
    """Take True or False."""
    if not isinstance(value, bool):
        message = f"{where} must be True or False, not {show(value)}"
        raise PositionError(message)
    return value


def take_name(value: object, names: Sequence[str], where: str) -> int:
    """Take one of some names; give its index among them."""
    name = plain_text(value)
    if name is None or name not in names:
        message = f"{where} must be one of {', '.join(names)}, not {show(value)}"
        raise PositionError(message)
    return list(names).index(name)
