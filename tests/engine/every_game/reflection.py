"""Messages of values, built field by field by reflection: what the encoder has to write."""

from __future__ import annotations

import random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names

EDGES = (0, 1, 2, 5, 126, 127, 128, 255, 300, 2**31 - 2)


class Reflection:
    """The messages of one game's values."""

    def __init__(self, game: Game, messages: dict[str, Descriptor]) -> None:
        self._game = game
        self._messages = messages

    def one_of(self, group: str, value: Value) -> Any:
        """Return the message *group* of the game that holds *value* in its oneof."""
        make = GetMessageClass(self._messages[group])
        return make(**{snake(type(value).__name__): self.message(value)})

    def message(self, value: Any) -> Any:
        """Return the message of *value*."""
        descriptor = self._messages[type(value).__name__]
        fields = {f.name: self._field(f, getattr(value, f.name)) for f in descriptor.fields}
        return GetMessageClass(descriptor)(**fields)

    def _field(self, field: FieldDescriptor, value: Any) -> Any:
        if field.is_repeated:
            return [self._one(field, each) for each in value]
        if field.has_presence and field.type == FieldDescriptor.TYPE_INT32 and value == -1:
            return None
        return self._one(field, value)

    def _one(self, field: FieldDescriptor, value: Any) -> Any:
        if field.enum_type is not None:
            return value + 1
        if field.message_type is not None:
            return None if value is None else self.message(value)
        if field.type == FieldDescriptor.TYPE_STRING and isinstance(value, Value):
            return notation.write(value, self._game.labels)
        return value

    def any_value(self, name: str, rng: random.Random) -> Any:
        """Return some value of the class *name*."""
        by_name = self._messages[name].fields_by_name
        kind = self._game.types[name]
        fields = {n: self._any_field(by_name[n], rng) for n in field_names(kind) if n in by_name}
        return kind(**fields)

    def _any_field(self, field: FieldDescriptor, rng: random.Random) -> Any:
        if field.is_repeated:
            return [self._any(field, rng) for _ in range(rng.choice((0, 1, 3, 40)))]
        may_be_absent = field.has_presence or field.enum_type is not None
        if not may_be_absent or rng.random() < 0.7:
            return self._any(field, rng)
        numeric = field.message_type is None and field.type != FieldDescriptor.TYPE_BOOL
        return -1 if numeric else None

    def _any(self, field: FieldDescriptor, rng: random.Random) -> Any:
        if field.message_type is not None:
            return self.any_value(field.message_type.name, rng)
        if field.type == FieldDescriptor.TYPE_BOOL:
            return rng.random() < 0.5
        if field.type == FieldDescriptor.TYPE_STRING:
            return rng.choice(("", "4.2", "näher"))
        if field.enum_type is not None:
            return rng.randrange(-1, len(field.enum_type.values) - 1)
        return rng.choice(EDGES) * rng.choice((1, 1, 1, -1))
