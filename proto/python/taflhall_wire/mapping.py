"""The mapping between the values of a game and its messages, by the names of both.

A class and its message have the same name and the same fields. A field is translated by its
declaration in the message:

* an enum is the engine's number plus one; UNSPECIFIED means none (-1);
* a message is an object of the class of that name, unset for ``None``;
* a string that denotes a step is the step's notation;
* an optional number is unset for none (-1);
* everything else is copied, lists element by element.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names

Convert = Callable[[Any], Any]

_NONE: Final = -1
_STEPS: Final = frozenset({"agenda"})


class NotUnderstood(ValueError):
    """A message that is empty, or not of the game's vocabulary."""


class WrongGame(NotUnderstood):
    """A message of another game than the one it is for."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected something of {expected}, found something of {found}")
        self.expected: Final = expected
        self.found: Final = found


class ValueMapping:
    """Builds the messages of one game's values, and reads them."""

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        module = import_module(f"taflhall.{game.id}.v1.{game.id}_pb2")
        self.messages: Final = module.DESCRIPTOR.message_types_by_name
        self._builders: Final[dict[str, Convert]] = {}
        self._readers: Final[dict[str, Convert]] = {}

    def inner(self, message: Any, group: str) -> Any:
        """Return the game's message in the oneof *group*, or raise :exc:`NotUnderstood`."""
        found = message.WhichOneof(group)
        if found is None:
            raise NotUnderstood(f"the oneof {group!r} of {type(message).__name__} is empty")
        if found != self.game.id:
            raise WrongGame(self.game.id, found)
        return getattr(message, found)

    def one_of(self, group: str, value: Value) -> Any:
        """Return the message *group* of the game that holds *value* in its oneof."""
        make: Any = GetMessageClass(self.messages[group])
        return make(**{snake(type(value).__name__): self.build(value)})

    def from_one_of(self, message: Any) -> Any:
        """Return the value in the oneof ``kind`` of *message*, or raise :exc:`NotUnderstood`."""
        found = message.WhichOneof("kind")
        if found is None:
            raise NotUnderstood(f"{type(message).__name__} is empty")
        return self.read(getattr(message, found))

    def build(self, value: Any) -> Any:
        """Return the message of *value*."""
        name = type(value).__name__
        build = self._builders.get(name)
        if build is None:
            build = self._builders[name] = self._builder(self.messages[name])
        return build(value)

    def read(self, message: Any) -> Any:
        """Return the value of *message*, or raise :exc:`NotUnderstood`."""
        name = message.DESCRIPTOR.name
        read = self._readers.get(name)
        if read is None:
            read = self._readers[name] = self._reader(message.DESCRIPTOR)
        return read(message)

    def _builder(self, descriptor: Descriptor) -> Convert:
        make: Any = GetMessageClass(descriptor)
        plan = [(field.name, self._to_field(field)) for field in descriptor.fields]

        def build(value: Any) -> Any:
            return make(**{name: convert(getattr(value, name)) for name, convert in plan})

        return build

    def _reader(self, descriptor: Descriptor) -> Convert:
        kind = self.game.types.get(descriptor.name)
        if kind is None:
            raise NotUnderstood(f"{descriptor.name} is not in the vocabulary of {self.game.id}")
        fields, optional = self.fields_of(descriptor, kind)
        numbers = {f.name for f in descriptor.fields if f.type == FieldDescriptor.TYPE_INT32}
        absent = {name: _NONE if name in numbers else None for name in optional}

        def read(message: Any) -> Any:
            return kind(**(absent | fields(message)))

        return read

    def fields_of(self, descriptor: Descriptor, kind: type) -> tuple[Convert, frozenset[str]]:
        """Return what reads the fields of *kind* that a message has, and which may be unset."""
        by_name = {field.name: field for field in descriptor.fields}
        plan = [(n, self._from_field(by_name[n])) for n in field_names(kind) if n in by_name]
        optional = frozenset(n for n, _ in plan if by_name[n].has_presence)

        def fields(message: Any) -> dict[str, Any]:
            return {
                name: convert(getattr(message, name))
                for name, convert in plan
                if name not in optional or message.HasField(name)
            }

        return fields, optional

    def _to_field(self, field: FieldDescriptor) -> Convert:
        one: Convert
        if field.enum_type is not None:
            one = _plus_one
        elif field.message_type is not None:
            one = self._build_or_none
        elif field.type == FieldDescriptor.TYPE_STRING:
            one = self._text_of
        elif field.has_presence and field.type == FieldDescriptor.TYPE_INT32:
            return or_unset
        else:
            return _same
        return _each(one) if field.is_repeated else one

    def _from_field(self, field: FieldDescriptor) -> Convert:
        one: Convert
        if field.enum_type is not None:
            one = _minus_one
        elif field.message_type is not None:
            one = self.read
        elif field.type == FieldDescriptor.TYPE_STRING and field.name in _STEPS:
            one = self._step_of
        else:
            return list if field.is_repeated else _same
        return _each(one) if field.is_repeated else one

    def _build_or_none(self, value: Any) -> Any:
        return None if value is None else self.build(value)

    def _text_of(self, value: Any) -> Any:
        return notation.write(value, self.game.labels) if isinstance(value, Value) else value

    def _step_of(self, text: str) -> Any:
        try:
            return notation.read(text, self.game.types, self.game.labels)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None


def _same(value: Any) -> Any:
    return value


def or_unset(value: int | None) -> int | None:
    """Return *value*, ``None`` for none (-1): the field is then unset."""
    return None if value == _NONE else value


def _plus_one(value: int) -> int:
    return value + 1


def _minus_one(value: int) -> int:
    return value - 1


def _each(one: Convert) -> Convert:
    return lambda values: [one(v) for v in values]
