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
            faults.append(_fault(text, "not_understood", "field=value", text))
        elif name in given:
            faults.append(_fault(name, "given_twice", "one value", value))
        else:
            given[name] = value
    if faults:
        raise InvalidSetup(faults)
    return _setup(game, given, _from_text)


def _setup(game: Game, given: Mapping[str, Any], read: Any) -> Any:
    usual = defaults(game)
    fields: dict[str, Any] = {}
    faults = []
    for name, value in given.items():
        if name not in usual:
            faults.append(_fault(name, "unknown_field", f"one of {', '.join(usual)}", name))
            continue
        names = game.labels.get(name)
        try:
            fields[name] = read(value, usual[name], names)
        except ValueError:
            faults.append(_fault(name, "not_understood", _expected(game, name, usual[name]), value))
    if faults:
        raise InvalidSetup(faults)
    try:
        return game.setup_kind(**fields)
    except TypeError as error:  # only the compiled engine looks at types
        raise InvalidSetup([_fault("setup", "not_understood", str(error), given)]) from None


def _fault(field: str, code: str, expected: str, found: Any) -> Fault:
    return Fault(field, code, f"expected {expected}", f"erwartet {expected}", repr(found))


def refuse(game: Game, setup: Any, faults: list[Fault]) -> None:
    """Raise :exc:`InvalidSetup` if there are *faults*; each says what *setup* has there."""
    if faults:
        raise InvalidSetup(
            [
                Fault(f.field, f.code, f.reason, f.reason_de, _found(game, setup, f.field))
                for f in faults
            ]
        )


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


def _expected(game: Game, field: str, usual: Any) -> str:
    if isinstance(usual, bool):
        return "yes or no"
    names = game.labels.get(field)
    one = "a number" if names is None else ", ".join(names)
    if isinstance(usual, list):
        return f"a list of {'numbers' if names is None else one}"
    return "text" if isinstance(usual, str) else one


def _to_data(value: Any, names: Sequence[str] | None) -> Any:
    if isinstance(value, list):
        return [_to_data(v, names) for v in value]
    if names is None or isinstance(value, bool) or not isinstance(value, int):
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
