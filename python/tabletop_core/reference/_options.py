"""Checks of a game's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import OptionError
from ..types import OptionSpec
from ._arguments import plain_int, plain_text, show


def complete_options(
    game: str, specs: Sequence[OptionSpec], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Fill in the defaults, in the order of the specs, and refuse unknown names."""
    names = [spec.name for spec in specs]
    for name in given:
        if name not in names:
            message = f"{game} has no option {show(name)}; its options are {', '.join(names)}"
            raise OptionError(message)
    return {spec.name: given.get(spec.name, spec.default) for spec in specs}


def integer_option(options: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Read an option that is an integer in low..high; a bool is none."""
    return _integer(options[name], name, range(low, high + 1), f"an integer in {low}..{high}")


def count_option(options: Mapping[str, Any], name: str, allowed: Sequence[int]) -> int:
    """Read an option that is one of a few integers; a bool is none."""
    return _integer(options[name], name, allowed, f"one of {', '.join(map(str, allowed))}")


def word_option(options: Mapping[str, Any], name: str, allowed: Sequence[str]) -> str:
    """Read an option that is one of a few words."""
    value = options[name]
    word = plain_text(value)
    if word is None or word not in allowed:
        message = f"option {name} must be one of {', '.join(map(repr, allowed))}, not {show(value)}"
        raise OptionError(message)
    return word


def flag_option(options: Mapping[str, Any], name: str) -> bool:
    """Read an option that is True or False."""
    value = options[name]
    if not isinstance(value, bool):
        message = f"option {name} must be True or False, not {show(value)}"
        raise OptionError(message)
    return value


def _integer(value: object, name: str, allowed: Sequence[int], wording: str) -> int:
    number = plain_int(value)
    if number is None or number not in allowed:
        message = f"option {name} must be {wording}, not {show(value)}"
        raise OptionError(message)
    return number
