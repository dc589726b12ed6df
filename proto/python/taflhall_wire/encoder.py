"""Values of a game as serialized messages, written without building the messages.

:mod:`.mapping` says how a field is translated. The encoder of a class is made once from the
descriptor of its message: a row of functions, one for each field. Most are look-ups in a table
(:mod:`.field_bytes`), so that a value is written without a step of Python for each field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter, call
from typing import Any, Final, Generic, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value
from taflhall_wire.field_bytes import MAX_KEPT, NumberField, TextField, Varints, each, prefix

K = TypeVar("K")

Encode = Callable[[Any], bytes]
"""Writes the value of a field with its tag, or an object as a message without one."""

_NONE: Final = -1
_SHORT: Final = 8
"""The longest list of numbers of which the bytes are kept."""

_PLUS_ONE: Final = bytes([*range(1, 256), 255])


class IdentityMemo(Generic[K]):
    """Remembers what *encode* gave for an immutable object, by its identity.

    The hash of a value costs more than to encode it; the engine uses many objects again.
    """

    def __init__(self, encode: Callable[[K], bytes], size: int = 4096) -> None:
        self._encode = encode
        self._size = size
        self._known: dict[int, tuple[K, bytes]] = {}
        """Each with its object, so that no other one gets its identity."""

    def __call__(self, key: K) -> bytes:
        known = self._known.get(id(key))
        if known is not None:
            return known[1]
        encoded = self._encode(key)
        if len(self._known) >= self._size:
            self._known.clear()
        self._known[id(key)] = (key, encoded)
        return encoded

    def each(self, keys: Iterable[K]) -> list[bytes]:
        """Return what *encode* gives for each of *keys*."""
        get = self._known.get
        return [self(key) if (known := get(id(key))) is None else known[1] for key in keys]


class ValueEncoder:
    """Writes the values of *game*, whose *messages* are given by name."""

    def __init__(self, game: Game, messages: Mapping[str, Descriptor]) -> None:
        self._labels = game.labels
        self._messages = messages
        self._encoders: Final[dict[str, Encode]] = {}

    def encode(self, value: Value) -> bytes:
        """Return the serialized message of *value*."""
        return self._encoder_of(type(value).__name__)(value)

    def one_of(self, group: str, field: int) -> dict[type, Encode]:
        """Return, by its class, what writes a value in the oneof of the game's message *group*.

        The result is that message as the field *field* of another one.
        """

        def encoder_for(kind: type) -> Encode:
            chosen = self._messages[group].fields_by_name[snake(kind.__name__)]
            return self._encoder(self._messages[kind.__name__], (chosen.number, field))

        return _Encoders(encoder_for)

    def _encoder_of(self, name: str) -> Encode:
        encode = self._encoders.get(name)
        if encode is None:
            encode = self._encoders[name] = self._encoder(self._messages[name])
        return encode

    def _encoder(self, descriptor: Descriptor, outer: Sequence[int] = ()) -> Encode:
        """Return what writes a message, within fields of the numbers *outer*, the inmost first."""
        names = [field.name for field in descriptor.fields]
        fields = [self._field(field) for field in descriptor.fields]
        if not fields:
            return _within(outer, lambda _: b"")
        get = attrgetter(*names)
        if len(fields) == 1:
            (field,) = fields
            return _within(outer, lambda value: field(get(value)))
        if any(field.is_repeated or field.message_type is not None for field in descriptor.fields):
            return _within(outer, lambda value: b"".join(map(call, fields, get(value))))
        rows = _Rows(_within(outer, lambda row: b"".join(map(call, fields, row))))
        return lambda value: rows[get(value)]

    def _field(self, field: FieldDescriptor) -> Encode:
        number = field.number
        if field.message_type is not None:
            encode = self._encoder_of(field.message_type.name)
            return _each(number, encode) if field.is_repeated else _embedded(number, encode)
        if field.type == FieldDescriptor.TYPE_STRING:
            if field.is_repeated:
                return _each(number, IdentityMemo(self._text))
            return TextField(number).__getitem__
        if field.is_repeated:
            return _packed(number, 0 if field.enum_type is None else 1)
        if field.enum_type is not None:
            return NumberField(number, _NONE, 1).__getitem__
        if not field.has_presence:
            return NumberField(number).__getitem__
        absent = _NONE if field.type == FieldDescriptor.TYPE_INT32 else None
        return NumberField(number, absent).__getitem__

    def _text(self, value: Value | str) -> bytes:
        return (value if isinstance(value, str) else notation.write(value, self._labels)).encode()


class _Encoders(dict[type, Encode]):
    """Encoders by class, made when they are first needed."""

    def __init__(self, make: Callable[[type], Encode]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, kind: type) -> Encode:
        encode = self[kind] = self._make(kind)
        return encode


class _Rows(dict[tuple[Any, ...], bytes]):
    """The messages of a class by the values of its fields, which are plain numbers and texts."""

    def __init__(self, encode: Callable[[tuple[Any, ...]], bytes]) -> None:
        super().__init__()
        self._encode = encode

    def __missing__(self, row: tuple[Any, ...]) -> bytes:
        message = self._encode(row)
        if len(self) < MAX_KEPT:
            self[row] = message
        return message


def _within(numbers: Sequence[int], encode: Encode) -> Encode:
    """Return what writes a message within fields of these numbers, the inmost first."""
    for number in numbers:
        encode = _embedded(number, encode)
    return encode


def _embedded(number: int, encode: Encode) -> Encode:
    prefixes = prefix(number)

    def embedded(value: Any) -> bytes:
        if value is None:
            return b""
        message = encode(value)
        return prefixes[len(message)] + message

    return embedded


def _each(number: int, encode: Encode) -> Encode:
    return lambda values: each(number, map(encode, values))


def _packed(number: int, offset: int) -> Encode:
    short = _ShortLists(number, offset)
    return lambda values: short[tuple(values)]


class _ShortLists(dict[tuple[int, ...], bytes]):
    """A packed field by its values; those of long lists are not kept."""

    def __init__(self, number: int, offset: int) -> None:
        super().__init__({(): b""})
        self._prefixes = prefix(number)
        self._offset = offset
        self._varints = Varints(offset)

    def __missing__(self, values: tuple[int, ...]) -> bytes:
        try:
            written = bytes(values)
        except ValueError:  # one does not fit a byte
            written = b"\xff"
        if self._offset:
            written = written.translate(_PLUS_ONE)
        if not written.isascii():  # one takes more than a byte as a varint
            written = b"".join([self._varints[value] for value in values])
        field = self._prefixes[len(written)] + written
        if len(values) <= _SHORT and len(self) < MAX_KEPT:
            self[values] = field
        return field
