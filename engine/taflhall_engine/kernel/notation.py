"""Commands and steps as text and back: ``asgard enemy=hel vikings=3``.

The name is the class's in snake case; each field follows as ``name=value``. Small numbers
with a name are written by their name, none (-1) as ``-``, yes and no as words, lists with
commas (``3,`` is a list of one), an empty list as ``none``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from taflhall_engine.kernel.value import Value, field_names, getter_of

NOTHING: Final = "-"
EMPTY: Final = "none"


class NotationError(ValueError):
    """Text that is not a command of the game."""


@cache
def snake(name: str) -> str:
    """Return a class name in snake case: ``PlanMarker`` becomes ``plan_marker``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def write(value: Value, words: Mapping[str, Sequence[str]]) -> str:
    """Return *value* as text; *words* names the small numbers of each field."""
    kind: type = type(value)
    text, fields, read_fields = _form(kind)
    for (name, before), found in zip(fields, read_fields(value), strict=True):
        text += before + _write(found, words.get(name))
    return text


@cache
def _form(kind: type) -> tuple[str, list[tuple[str, str]], Callable[[Any], tuple[Any, ...]]]:
    """Return the text of a class's name, its fields with the text before each, and their reader."""
    fields = [(name, f" {name}=") for name in field_names(kind)]
    return snake(kind.__name__), fields, getter_of(kind)


def read(text: str, kinds: Mapping[str, type], words: Mapping[str, Sequence[str]]) -> Any:
    """Return the value written as *text*, or raise :exc:`NotationError`."""
    name, *parts = text.split() or [""]
    usual = "".join([part.capitalize() for part in name.split("_")])
    if usual in kinds and snake(usual) == name:
        kind: type | None = kinds[usual]
    else:
        kind = {snake(k): v for k, v in kinds.items()}.get(name)
    if kind is None:
        raise NotationError(f"{name!r} is not a command or step here")
    given = dict(part.partition("=")[::2] for part in parts)
    names = field_names(kind)
    if set(given) != set(names) or len(given) != len(parts):
        wanted = " ".join([name, *(f"{n}=..." for n in names)])
        raise NotationError(f"{text!r} should read {wanted!r}")
    try:
        return kind(*[_read(n, given[n], words.get(n)) for n in names])
    except TypeError as error:  # a list for a number, which compiled classes refuse
        raise NotationError(f"{text!r}: {error}") from None


def _write(value: Any, names: Sequence[str] | None) -> str:
    if type(value) is not int:  # most are
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            parts = [_write(v, names) for v in value]
            return f"{parts[0]}," if len(parts) == 1 else ",".join(parts) or EMPTY
    if names is None:
        return str(value)
    return NOTHING if value == -1 else names[value]


def _read(field: str, text: str, names: Sequence[str] | None) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    if text == EMPTY:
        return []
    if "," in text:
        return [_read(field, part, names) for part in text.removesuffix(",").split(",")]
    if names is not None:
        if text == NOTHING:
            return -1
        if text not in names:
            raise NotationError(f"{field}={text!r} is not one of {', '.join(names)}")
        return names.index(text)
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise NotationError(f"{field}={text!r} is not a number")
    return int(text)
