"""Positions as bytes, and the 64-bit hash of bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import PositionError
from ._arguments import show
from ._rng import GOLDEN, MASK, mix

_MAGIC = b"TTC"
_FORMAT_VERSION = 1


def hash64(data: bytes, seed: int) -> int:
    """Hash bytes, sixteen at a time: two little-endian words, the last ones padded with zeros."""
    h = mix((seed + GOLDEN) & MASK)
    for start in range(0, len(data), 16):
        first = int.from_bytes(data[start : start + 8], "little")
        second = int.from_bytes(data[start + 8 : start + 16], "little")
        product = (first ^ GOLDEN) * (second ^ h)
        h = product >> 64 ^ product & MASK
    return mix(h ^ len(data))


def options_text(options: Mapping[str, Any]) -> str:
    """Write options as JSON, in the order in which the game lists them."""
    return json.dumps(dict(options))


def header(name: str, version: str, options: Mapping[str, Any]) -> bytes:
    """Say which game the bytes that follow belong to."""
    texts = (name, version, options_text(options))
    return _MAGIC + bytes([_FORMAT_VERSION]) + b"".join(_str16(text) for text in texts)


def _str16(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2, "little") + encoded


class ByteReader:
    """Reads a position's bytes front to back; running out of them is a `PositionError`."""

    def __init__(self, data: bytes) -> None:
        """Start at the first byte."""
        self._data = data
        self._at = 0

    def take(self, count: int, what: str) -> bytes:
        """Read some bytes."""
        if self._at + count > len(self._data):
            message = (
                f"the bytes end at {len(self._data)}, inside {what}, "
                f"which needs bytes {self._at}..{self._at + count - 1}"
            )
            raise PositionError(message)
        self._at += count
        return self._data[self._at - count : self._at]

    def u8(self, what: str, limit: int = 256) -> int:
        """Read one byte, which must be below `limit`."""
        return self._number(1, what, limit)

    def u16(self, what: str, limit: int = 2**16) -> int:
        """Read two bytes, little-endian; the number must be below `limit`."""
        return self._number(2, what, limit)

    def u32(self, what: str, limit: int = 2**32) -> int:
        """Read four bytes, little-endian; the number must be below `limit`."""
        return self._number(4, what, limit)

    def str16(self, what: str) -> str:
        """Read a text with its length in two bytes in front."""
        length = self.u16(f"the length of {what}")
        encoded = self.take(length, what)
        try:
            return encoded.decode()
        except UnicodeDecodeError:
            message = f"{what} must be UTF-8, not {show(encoded)}"
            raise PositionError(message) from None

    def rest(self) -> bytes:
        """Give everything that has not been read; the place does not move."""
        return self._data[self._at :]

    def finish(self) -> None:
        """Insist that nothing is left."""
        if self._at != len(self._data):
            more = len(self._data) - self._at
            message = f"the position ends at byte {self._at}, but {more} more bytes follow"
            raise PositionError(message)

    def _number(self, size: int, what: str, limit: int) -> int:
        number = int.from_bytes(self.take(size, what), "little")
        if number >= limit:
            message = f"{what} (byte {self._at - size}) must be in 0..{limit - 1}, not {number}"
            raise PositionError(message)
        return number


def payload_of(data: object, name: str, version: str, options: Mapping[str, Any]) -> bytes:
    """Check the header and give what follows it."""
    try:
        copy = bytes(memoryview(data))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        message = (
            f"a position is read from bytes, not from {show(data)} of type {type(data).__name__}"
        )
        raise PositionError(message) from None
    reader = ByteReader(copy)
    magic = reader.take(len(_MAGIC), "the mark of the format")
    if magic != _MAGIC:
        message = f"bytes of a position start with {_MAGIC!r}, not with {magic!r}"
        raise PositionError(message)
    _expect_same("format version", reader.u8("the format version"), _FORMAT_VERSION)
    _expect_same("game", reader.str16("the name of the game"), name)
    _expect_same("game version", reader.str16("the version of the game"), version)
    _expect_same("options", reader.str16("the options"), options_text(options))
    return reader.rest()


def _expect_same(what: str, found: object, expected: object) -> None:
    if found != expected:
        message = (
            f"the bytes are of {what} {show(found)}, but this game reads {what} {show(expected)}"
        )
        raise PositionError(message)
