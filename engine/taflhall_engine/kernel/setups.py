"""Setups as data and as text: ``{"furious": 3, "gods": ["odin", "thor"]}``, ``furious=3``.

What is left out takes the setup's default; where that is ``None``, a number may be given.
Small numbers with a name (``game.labels``) are written by their name. Whether the values make
a match is for :meth:`Game.new` to say; here every field that does not exist or cannot be read
becomes a :class:`Fault`, all at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from taflhall_engine.kernel.game import Fault, Game, InvalidSetup
from taflhall_engine.kernel.notation import EMPTY, NOTHING
from taflhall_engine.kernel.value import field_names

YES: Final = frozenset({"yes", "true", "on"})
NO: Final = frozenset({"no", "false", "off"})


def defaults(game: Game) -> dict[str, Any]:
    """Return the setup's fields with the values they take when they are left out."""
    setup = game.setup_kind()
    return {name: getattr(setup, name) for name in field_names(game.setup_kind)}


def to_data(game: Game, setup: Any) -> dict[str, Any]:
    """Return every field of *setup* by name: numbers, names, yes and no, lists."""
    return {
        name: _to_data(getattr(setup, name), game.labels.get(name))
        for name in field_names(game.setup_kind)
    }


def from_data(game: Game, data: Mapping[str, Any]) -> Any:
    """Return the setup that :func:`to_data` wrote, or raise :exc:`InvalidSetup`."""
    return _setup(game, data, _from_data)


def from_text(game: Game, texts: Sequence[str]) -> Any:
    """Return the setup described by ``field=value`` texts, or raise :exc:`InvalidSetup`.

    A list is written with commas, an empty one as ``none``.
    """
    given: dict[str, Any] = {}
    faults = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            faults.append(Fault(text, "not_a_field", repr(text)))
        elif name in given:
            faults.append(Fault(name, "given_twice", repr(value)))
        else:
            given[name] = value
    if faults:
        raise InvalidSetup(game, faults)
    return _setup(game, given, _from_text)


def _setup(game: Game, given: Mapping[str, Any], read: Any) -> Any:
    usual = defaults(game)
    fields: dict[str, Any] = {}
    faults = []
    for name, value in given.items():
        if name not in usual:
            faults.append(Fault(name, "unknown_field", repr(name), ", ".join(usual)))
            continue
        names = game.labels.get(name)
        try:
            fields[name] = read(value, usual[name], names)
        except ValueError:
            allowed = _allowed(game, name, usual[name])
            faults.append(Fault(name, "not_understood", repr(value), allowed))
    if faults:
        raise InvalidSetup(game, faults)
    try:
        return game.setup_kind(**fields)
    except TypeError as error:  # only the compiled engine looks at types
        raise InvalidSetup(game, [Fault("setup", "wrong_type", str(error))]) from None


def refuse(game: Game, setup: Any, faults: list[Fault]) -> None:
    """Raise :exc:`InvalidSetup` if there are *faults*; each says what *setup* has there."""
    if faults:
        found = [Fault(f.field, f.code, _found(game, setup, f.field), f.allowed) for f in faults]
        raise InvalidSetup(game, found)


def _found(game: Game, setup: Any, field: str) -> str:
    return _written(getattr(setup, field), game.labels.get(field))


def _written(value: Any, names: Sequence[str] | None) -> str:
    """Return *value*, which may be anything, as :func:`from_text` would read it."""
    if isinstance(value, list):
        return ",".join([_written(v, names) for v in value]) or EMPTY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return EMPTY
    if value == -1 and names is not None:
        return NOTHING
    if isinstance(value, int) and names is not None and 0 <= value < len(names):
        return names[value]
    return str(value)


def _allowed(game: Game, field: str, usual: Any) -> str:
    """Return the words that *field* may hold; empty if it holds numbers."""
    return "yes, no" if isinstance(usual, bool) else ", ".join(game.labels.get(field, []))


def _to_data(value: Any, names: Sequence[str] | None) -> Any:
    if isinstance(value, list):
        return [_to_data(v, names) for v in value]
    if names is None or not isinstance(value, int):
        return value
    return NOTHING if value == -1 else names[value]


def _from_data(value: Any, usual: Any, names: Sequence[str] | None) -> Any:
    if isinstance(value, list) and isinstance(usual, list):
        return [_from_data(v, usual[0] if usual else 0, names) for v in value]
    if isinstance(value, str) and names is not None and not isinstance(usual, list):
        return _number(value, names)
    if type(value) is (int if usual is None else type(usual)) or (value is None and usual is None):
        return value
    raise ValueError(value)


def _from_text(text: str, usual: Any, names: Sequence[str] | None) -> Any:
    if isinstance(usual, bool):
        if text not in YES | NO:
            raise ValueError(text)
        return text in YES
    if isinstance(usual, str):
        return text
    if isinstance(usual, list):
        parts = [] if text in ("", EMPTY) else text.rstrip(",").split(",")
        return [_from_text(part, usual[0] if usual else 0, names) for part in parts]
    return _number(text, names)


def _number(text: str, names: Sequence[str] | None) -> int:
    if names is not None:
        if text == NOTHING:
            return -1
        if text in names:
            return names.index(text)
    return int(text)
