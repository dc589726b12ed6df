"""Values: immutable objects that are equal when their kind and their fields are."""

from __future__ import annotations

import inspect
from typing import Any, Final

_FIELDS: Final[dict[type, tuple[str, ...]]] = {}


def field_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a value class: the parameters of its constructor."""
    names = _FIELDS.get(kind)
    if names is None:
        plain = kind.__init__ is object.__init__  # type: ignore[misc]
        names = () if plain else tuple(inspect.signature(kind).parameters)
        _FIELDS[kind] = names
    return names


class Value:
    """Base of steps, commands, events and views.

    Declare each field in ``__init__`` under the name of its parameter, as ``Final``.
    """

    def fields(self) -> tuple[Any, ...]:
        """Return the fields in the order of the constructor's parameters."""
        return tuple([getattr(self, name) for name in field_names(type(self))])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(self) is type(other)
            and isinstance(other, Value)
            and self.fields() == other.fields()
        )

    def __hash__(self) -> int:
        fields = [tuple(f) if isinstance(f, list) else f for f in self.fields()]
        return hash((type(self).__name__, tuple(fields)))

    def __repr__(self) -> str:
        names = field_names(type(self))
        return f"{type(self).__name__}({', '.join([f'{n}={getattr(self, n)!r}' for n in names])})"
