"""Fields of a message in the protobuf wire format.

A message is its fields one behind the other, and a field that comes twice counts for its last
value, or is merged if it is a message. So the serialized parts of a message, joined, are the
message, and finished bytes are put into another message without being parsed.

The classes are tables from the value of one field to its bytes: a value that has been written
before costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
_MORE: Final = 0x80
MAX_KEPT: Final = 1024
"""Number of values of a field, or rows of fields, whose bytes are kept."""


def varint(number: int) -> bytes:
    """Return a number of at most 64 bits; a negative one as its two's complement."""
    number &= (1 << 64) - 1
    written = bytearray()
    while number >= _MORE:
        written.append(number & (_MORE - 1) | _MORE)
        number >>= 7
    written.append(number)
    return bytes(written)


class Prefix(dict[int, bytes]):
    """What stands before the bytes of a field, by their number."""

    def __init__(self, field: int) -> None:
        super().__init__()
        self._tag = varint(field << 3 | _LENGTH_DELIMITED)

    def __missing__(self, size: int) -> bytes:
        prefix = self._tag + varint(size)
        if len(self) < MAX_KEPT:
            self[size] = prefix
        return prefix


class NumberField(dict[int | None, bytes]):
    """A number, truth value or enum as a field, by its value.

    *absent* and ``None`` give nothing. The number in the message is the value plus *offset*.
    """

    def __init__(self, field: int, absent: int | None = 0, offset: int = 0) -> None:
        super().__init__({None: b"", absent: b""})
        self._tag = varint(field << 3 | _VARINT)
        self._offset = offset

    def __missing__(self, value: int) -> bytes:
        number = int32(value + self._offset)
        written = self._tag + varint(number)
        if len(self) < MAX_KEPT:
            self[value] = written
        return written


class Varints(dict[int, bytes]):
    """Numbers without tags, as packed fields hold them; each is the value plus *offset*."""

    def __init__(self, offset: int = 0) -> None:
        super().__init__()
        self._offset = offset

    def __missing__(self, value: int) -> bytes:
        written = varint(int32(value + self._offset))
        if len(self) < MAX_KEPT:
            self[value] = written
        return written


class TextField(dict[str, bytes]):
    """One of few texts as a field; the empty one gives nothing."""

    def __init__(self, field: int) -> None:
        super().__init__({"": b""})
        self._field = field

    def __missing__(self, text: str) -> bytes:
        written = nested(self._field, text.encode())
        if len(self) < MAX_KEPT:
            self[text] = written
        return written


def int32(number: int) -> int:
    """Return *number*, or raise ``ValueError`` if it does not fit a field of 32 bits."""
    if not -(1 << 31) <= number < 1 << 31:
        raise ValueError(f"{number} does not fit 32 bits")
    return number


prefix: Final = cache(Prefix)
"""The prefixes of a field of that number; they are shared."""


def nested(field: int, message: bytes) -> bytes:
    """Return bytes, such as a serialized *message*, as field *field* of another one."""
    return prefix(field)[len(message)] + message


def optional(field: int, message: bytes | None) -> bytes:
    """Return a serialized *message* as field *field* of another one; nothing for ``None``."""
    return b"" if message is None else nested(field, message)


def each(field: int, messages: Iterable[bytes]) -> bytes:
    """Return serialized *messages* as the repeated field *field* of another one."""
    prefixes = prefix(field)
    return b"".join([prefixes[len(message)] + message for message in messages])


def number(field: int, value: int) -> bytes:
    """Return a number, truth value or enum as field *field*; nothing for 0."""
    return _numbers(field)[value]


_numbers: Final = cache(NumberField)


def text(field: int, value: str) -> bytes:
    """Return a text as field *field*; nothing if it is empty."""
    return nested(field, value.encode()) if value else b""
