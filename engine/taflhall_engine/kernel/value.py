"""Values: immutable objects that are equal when their kind and their fields are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

_FIELDS: Final[dict[type, tuple[str, ...]]] = {}
_GETTERS: Final[dict[type, Callable[[Any], tuple[Any, ...]]]] = {}


def field_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a value class: the parameters of its constructor."""
    names = _FIELDS.get(kind)
    if names is None:
        plain = kind.__init__ is object.__init__  # type: ignore[misc]
        names = () if plain else tuple(inspect.signature(kind).parameters)
        _FIELDS[kind] = names
    return names


def fields_of(value: Any) -> tuple[Any, ...]:
    """Return the fields of a value in the order of its constructor's parameters."""
    kind = type(value)
    read = _GETTERS.get(kind)
    if read is None:
        read = _GETTERS[kind] = getter_of(kind)
    return read(value)


def getter_of(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that reads the fields of a value class."""
    names = field_names(kind)
    if not names:
        return lambda _: ()
    if len(names) > 1:
        return attrgetter(*names)
    (name,) = names
    return lambda value: (getattr(value, name),)


class Value:
    """Base of steps, commands, events and views.

    Declare each field in ``__init__`` under the name of its parameter, as ``Final``.
    """

    def fields(self) -> tuple[Any, ...]:
        """Return the fields in the order of the constructor's parameters."""
        return fields_of(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return False
        return fields_of(self) == fields_of(other)

    def __hash__(self) -> int:
        fields = fields_of(self)
        try:
            return hash((type(self).__name__, fields))
        except TypeError:  # a list is hashed as a tuple of its elements
            plain = [tuple(f) if isinstance(f, list) else f for f in fields]
            return hash((type(self).__name__, tuple(plain)))

    def __repr__(self) -> str:
        names = field_names(type(self))
        return f"{type(self).__name__}({', '.join([f'{n}={getattr(self, n)!r}' for n in names])})"
