"""Component data: what is printed on the pieces, read from TOML with its provenance."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple


class Component(NamedTuple):
    """One printed thing, as clients may list it."""

    kind: str
    """The table of the data file it comes from, such as ``giant``."""
    number: int
    """Its number among its kind, from 0."""
    id: str
    name: str
    name_de: str
    provenance: str
    properties: dict[str, str]
    """Everything else that is printed on it, as text."""


class DataFault(NamedTuple):
    """One thing that is wrong with a data file, where, and what would be right."""

    place: str
    reason: str


class InvalidData(Exception):
    """Component data that makes no game; *faults* names every fault at once."""

    def __init__(self, faults: list[DataFault]) -> None:
        super().__init__("; ".join(f"{f.place}: {f.reason}" for f in faults))
        self.faults: Final = faults


class Data(NamedTuple):
    """A game's component data and its digest."""

    tables: dict[str, Any]
    digest: str


def read_data(package: str, folder: Path | None = None) -> Data:
    """Read ``components.toml`` of *package*, or the file of that name in *folder*.

    Raise :exc:`InvalidData` if it cannot be read or is no TOML.
    """
    source: Any = files(package) / "data" if folder is None else folder
    place = source / "components.toml"
    try:
        raw = place.read_bytes()
        tables = tomllib.loads(raw.decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidData([DataFault(str(place), str(error))]) from None
    return Data(tables, hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest())


def catalog(tables: dict[str, Any]) -> list[Component]:
    """Return every entry of the arrays of tables in *tables* that has an ``id``."""
    found = []
    for kind, entries in tables.items():
        if not isinstance(entries, list):
            continue
        named = [e for e in entries if isinstance(e, dict) and "id" in e]
        for index, entry in enumerate(named):
            rest = {k: _text(v) for k, v in entry.items() if k not in _OWN}
            name = str(entry.get("name", entry["id"]))
            found.append(
                Component(
                    kind,
                    index,
                    str(entry["id"]),
                    name,
                    str(entry.get("name_de", name)),
                    str(entry.get("provenance", "")),
                    rest,
                )
            )
    return found


def by_kind(found: list[Component]) -> dict[str, list[Component]]:
    """Return components by kind, each by its number."""
    kinds: dict[str, list[Component]] = {}
    for component in found:
        kinds.setdefault(component.kind, []).append(component)
    return kinds


_OWN: Final = frozenset({"id", "name", "name_de", "provenance"})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_text(v) for v in value)
    if isinstance(value, dict):
        return ", ".join(f"{k}={_text(v)}" for k, v in value.items())
    return str(value)
