"""The texts of ids, and the ids of texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import SupportsIndex

from ..errors import IllegalActionError
from ._arguments import index_of, show, text_of


class Names:
    """The texts of one id space of a game, and the ids of these texts."""

    def __init__(self, game: str, what: str, write: Callable[[int], str], count: int) -> None:
        """`what` names an id in errors; the ids are 0..count-1."""
        self._game = game
        self._what = what
        self._write = write
        self._count = count

    def text_of(self, value: SupportsIndex) -> str:
        """Name an id."""
        number = index_of(value, self._what)
        if not 0 <= number < self._count:
            message = (
                f"{self._game} has no {self._what} {show(number)}; ids are 0..{self._count - 1}"
            )
            raise IllegalActionError(message)
        return self._write(number)

    def id_of(self, value: object) -> int:
        """Give the id of a text."""
        text = text_of(value, "text")
        if text not in self._ids:
            example = next(iter(self._ids))
            message = f"{show(text)} is no {self._what} of {self._game}; one would be {example!r}"
            raise IllegalActionError(message)
        return self._ids[text]

    @cached_property
    def _ids(self) -> dict[str, int]:
        """Write every text once, when the first one is looked up."""
        return {self._write(number): number for number in range(self._count)}
