"""Messages that are nearly right: made by their descriptors, from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

INTEGERS: Final = (0, 1, -1, 2, 3, 5, 7, 8, 63, 64, 65, 100, 255, 256, -2, 2**31 - 1, -(2**31))
LONG: Final = (*INTEGERS, 2**63 - 1, -(2**63), 2**32, 20_001)
TEXTS: Final = (
    "",
    "a",
    "Ann",
    " ",
    "\0",
    "\n",
    "\x1b[31m",
    "\u202e",
    "\ufeff",
    "ä" * 64,
    "x" * 65,
    "x" * 3000,
    "yggdrasil",
    "nothing",
    "../../etc/passwd",
    "{}",
    "%s%n",
    "' OR 1=1 --",
    "🂡",
    "1-AAAAAAAAAAAA",
    "0" * 26,
    "a" * 26,
    "A" * 44,
    "taflhall:{x}:m",
    "*",
    "\\u0000",
    "NaN",
)
DEEP: Final = 5


class Maker:
    """Makes messages; *known* are texts that mean something (ids, names, tokens)."""

    def __init__(self, seed: int, known: Sequence[str] = ()) -> None:
        self.rng: Final = random.Random(seed)
        self.known: list[str] = list(known)
        self.tables: list[bytes] = []

    def message(self, descriptor: Any, depth: int = 0) -> Any:
        """Return a message of that kind with random fields."""
        message = GetMessageClass(descriptor)()
        chance = 0.6 if depth < 2 else 0.35
        for field in descriptor.fields:
            if self.rng.random() < chance:
                self.set(message, field, depth)
        return message

    def spoil(self, message: Message) -> None:
        """Change something in *message*, in place."""
        place: Any = message
        for _ in range(self.rng.randrange(5)):
            inner = [
                value
                for field, value in place.ListFields()
                if field.type == FieldDescriptor.TYPE_MESSAGE
            ]
            if not inner:
                break
            place = self.rng.choice(inner)
            if not isinstance(place, Message):
                if not len(place) or not isinstance(place, Sequence):
                    return
                place = self.rng.choice(place)
                if not isinstance(place, Message):
                    return
        if not place.DESCRIPTOR.fields:
            return
        field = self.rng.choice(place.DESCRIPTOR.fields)
        if self.rng.random() < 0.25:
            place.ClearField(field.name)
        else:
            self.set(place, field, 2)

    def set(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        """Give a field a random value."""
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            return
        if not field.is_repeated:
            self._one(message, field, depth)
            return
        values = getattr(message, field.name)
        for _ in range(self.rng.choice((0, 1, 1, 2, 3, 65))):
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                if depth < DEEP:
                    values.add().CopyFrom(self.message(field.message_type, depth + 1))
            else:
                values.append(self._scalar(field))

    def _one(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            if depth < DEEP:
                made = self.message(field.message_type, depth + 1)
                getattr(message, field.name).CopyFrom(made)
        else:
            setattr(message, field.name, self._scalar(field))

    def _scalar(self, field: FieldDescriptor) -> Any:
        kind = field.cpp_type
        if kind == FieldDescriptor.CPPTYPE_STRING:
            if field.type == FieldDescriptor.TYPE_BYTES:
                return self._bytes()
            return self.text()
        if kind == FieldDescriptor.CPPTYPE_BOOL:
            return self.rng.random() < 0.5
        if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
            return self.rng.choice((0.0, -1.0, 1e308, float("inf"), float("nan")))
        if kind == FieldDescriptor.CPPTYPE_ENUM:
            return self.rng.choice((0, 1, 2, 3, 7, 31, -1, 2**31 - 1))
        if kind in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64):
            bits = 32 if kind == FieldDescriptor.CPPTYPE_UINT32 else 64
            return self.rng.choice((0, 1, 2, 7, 100, 2**bits - 1))
        if kind == FieldDescriptor.CPPTYPE_INT64:
            return self.rng.choice(LONG)
        return self.rng.choice(INTEGERS)

    def text(self) -> str:
        """Return a text: one that means something here, or one that should not."""
        if self.known and self.rng.random() < 0.7:
            return self.rng.choice(self.known)
        return self.rng.choice(TEXTS)

    def bytes_of(self, valid: bytes) -> bytes:
        """Return bytes that are no longer quite *valid*."""
        kind = self.rng.randrange(6)
        if kind == 0 or not valid:
            return self.rng.randbytes(self.rng.choice((1, 2, 5, 17, 100, 1000)))
        at = self.rng.randrange(len(valid))
        if kind == 1:
            return valid[:at]
        if kind == 2:
            return valid[:at] + self.rng.randbytes(3) + valid[at:]
        if kind == 3:
            return valid[:at] + bytes([valid[at] ^ (1 << self.rng.randrange(8))]) + valid[at + 1 :]
        if kind == 4:
            return valid + valid[at:]
        return b"\x0a" * self.rng.choice((10, 1000)) + valid

    def _bytes(self) -> bytes:
        if self.tables and self.rng.random() < 0.8:
            table = self.rng.choice(self.tables)
            return table if self.rng.random() < 0.5 else self.bytes_of(table)
        return self.rng.randbytes(self.rng.choice((0, 1, 8, 16, 50)))
