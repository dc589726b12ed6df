"""The mapping between the values of a game and its messages, by the names of both; and its reader.

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

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import field_names

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


class ValueReader:
    """Reads the messages of one game as values."""

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        module = import_module(f"taflhall.{game.id}.v1.{game.id}_pb2")
        self.messages: Final = module.DESCRIPTOR.message_types_by_name
        self._readers: Final[dict[str, Convert]] = {}

    def inner(self, message: Any, group: str) -> Any:
        """Return the game's message in the oneof *group*, or raise :exc:`NotUnderstood`."""
        found = message.WhichOneof(group)
        if found is None:
            raise NotUnderstood(f"the oneof {group!r} of {type(message).__name__} is empty")
        if found != self.game.id:
            raise WrongGame(self.game.id, found)
        return getattr(message, found)

    def from_one_of(self, message: Any) -> Any:
        """Return the value in the oneof ``kind`` of *message*, or raise :exc:`NotUnderstood`."""
        found = message.WhichOneof("kind")
        if found is None:
            raise NotUnderstood(f"{type(message).__name__} is empty")
        return self.read(getattr(message, found))

    def read(self, message: Any) -> Any:
        """Return the value of *message*, or raise :exc:`NotUnderstood`."""
        name = message.DESCRIPTOR.name
        read = self._readers.get(name)
        if read is None:
            read = self._readers[name] = self._reader(message.DESCRIPTOR)
        return read(message)

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

    def _step_of(self, text: str) -> Any:
        try:
            return notation.read(text, self.game.types, self.game.labels)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None


def _same(value: Any) -> Any:
    return value


def _minus_one(value: int) -> int:
    return value - 1


def _each(one: Convert) -> Convert:
    return lambda values: [one(v) for v in values]
