"""Snapshots: a table as plain data and back.

A snapshot is ``{"schema", "game", "version", "table": {field: data}}``. Lists stay lists;
an object is written as ``{class name: [field, ...]}``. Nothing is read from annotations
(they are erased in compiled code), so a snapshot is self-describing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final

from taflhall_engine.kernel.agenda import Step, Table
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import field_names, fields_of

SCHEMA: Final = 1
"""The number of the form in which snapshots are written."""

MIGRATIONS: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""For each older schema: the function that turns its snapshots into the next schema's."""

NOT_STORED: Final = frozenset({"components", "chance"})
"""Parameters of a table that belong to the process, not to the match."""


_PLAIN: Final = frozenset({int, str, bool, type(None)})
"""Most of what a table holds; asking for the type costs less than a call."""


class SnapshotError(Exception):
    """Data that is not a snapshot of the game: truncated, tampered with, or of another game."""


class SnapshotTooNew(SnapshotError):
    """A snapshot of a newer schema or of rules this engine does not know."""


def dump(value: Any) -> Any:
    """Return *value* as numbers, strings, ``None``, lists and one-key mappings."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return [v if type(v) in _PLAIN else dump(v) for v in value]
    return {kind.__name__: [dump(v) for v in fields_of(value)]}


def load(data: Any, kinds: Mapping[str, type]) -> Any:
    """Return the value that :func:`dump` wrote, building only classes named in *kinds*."""
    if type(data) in _PLAIN:
        return data
    if isinstance(data, list):
        return [v if type(v) in _PLAIN else load(v, kinds) for v in data]
    if isinstance(data, dict) and len(data) == 1:
        [(name, args)] = data.items()
        kind = kinds.get(name)
        if kind is None:
            raise SnapshotError(f"there is no class {name!r} in this game")
        if isinstance(args, list) and len(args) == len(field_names(kind)):
            return kind(*[a if type(a) in _PLAIN else load(a, kinds) for a in args])
    raise SnapshotError(f"not understood: {str(data)[:80]}")


def dump_table(game: Game, s: Table) -> dict[str, Any]:
    """Return a snapshot of *s*."""
    names, values = stored_fields(type(s))
    table = {name: dump(value) for name, value in zip(names, values(s), strict=True)}
    return {"schema": SCHEMA, "game": game.id, "version": game.version, "table": table}


def stored_fields(kind: type[Table]) -> tuple[list[str], Callable[[Table], tuple[Any, ...]]]:
    """Return the names of the fields of a table that a snapshot has, and what reads them."""
    known = _STORED.get(kind)
    if known is None:
        names = [name for name in field_names(kind) if name not in NOT_STORED]
        known = _STORED[kind] = names, attrgetter(*names)
    return known


def _sorted_fields(kind: type[Table]) -> tuple[list[str], Callable[[Table], tuple[Any, ...]]]:
    known = _SORTED.get(kind)
    if known is None:
        names = sorted(stored_fields(kind)[0])
        known = _SORTED[kind] = names, attrgetter(*names)
    return known


_Fields = tuple[list[str], Callable[[Table], tuple[Any, ...]]]
_STORED: Final[dict[type[Table], _Fields]] = {}
_SORTED: Final[dict[type[Table], _Fields]] = {}


def load_table(game: Game, data: Any, chance: Chance) -> Table:
    """Return the table of a snapshot; it draws from *chance*.

    Raise :exc:`SnapshotTooNew` if the schema or the rules are newer than this engine,
    :exc:`SnapshotError` if the data is not a snapshot of *game*.
    """
    if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
        raise SnapshotError("the schema number is missing")
    if data["schema"] > SCHEMA:
        raise SnapshotTooNew(f"schema {data['schema']} is newer than {SCHEMA}")
    while data["schema"] < SCHEMA:
        migrate = MIGRATIONS.get(data["schema"])
        if migrate is None:
            raise SnapshotError(f"schema {data['schema']} is no longer read")
        data = migrate(data)
    if data.get("game") != game.id:
        raise SnapshotError(f"this is a table of {data.get('game')!r}, not of {game.id!r}")
    if data.get("version") != game.version:
        raise SnapshotTooNew(f"rules {data.get('version')!r} are not {game.version!r}")
    try:
        fields = {str(name): load(value, game.types) for name, value in data["table"].items()}
        table = game.table(chance, fields)
        steps = all(isinstance(step, Step) for step in table.agenda)
    except SnapshotError:
        raise
    except Exception as error:
        raise SnapshotError(f"not a table of {game.id}: {error}") from None
    if not steps:
        raise SnapshotError("the agenda holds something that is not a step")
    return table


def canonical(data: Any) -> bytes:
    """Return plain data as bytes, the same on every machine: JSON, ASCII, sorted keys."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest(game: Game, s: Table) -> str:
    """Return the SHA-256 of a table's canonical snapshot, in hex."""
    names, values = _sorted_fields(type(s))
    table = dict(zip(names, values(s), strict=True))
    snapshot = {"game": game.id, "schema": SCHEMA, "table": table, "version": game.version}
    return hashlib.sha256(_canonical(snapshot).encode("ascii")).hexdigest()


def _object(value: Any) -> dict[str, list[Any]]:
    return {type(value).__name__: list(fields_of(value))}


_canonical: Final = json.JSONEncoder(
    separators=(",", ":"), check_circular=False, default=_object
).encode
"""Writes what :func:`canonical` makes of what :func:`dump` returns, without building it.

The caller sorts the keys, once for all tables of a kind.
"""
