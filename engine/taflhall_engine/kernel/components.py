"""Component data: the texts and numbers of the pieces, read from TOML with their provenance."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from taflhall_engine.kernel.overlay import merged, unknown_ids, unknown_keys

FILE: Final = "components.toml"
OVERLAY: Final = "overlay.toml"


class Component(NamedTuple):
    """One printed thing, as clients may list it."""

    kind: str
    """The table of the data file it comes from, such as ``giant``."""
    number: int
    """Its number among its kind, from 0."""
    id: str
    names: dict[str, str]
    """Its name by language; in English at least."""
    provenance: str
    properties: dict[str, str]
    """Everything else that is printed on it, as text."""

    @property
    def name(self) -> str:
        """Its English name."""
        return self.names["en"]


class DataFault(NamedTuple):
    """One thing that is wrong with a data file, where, and what would be right."""

    place: str
    reason: str


class InvalidData(Exception):
    """Component data that makes no game; *faults* names every fault at once."""

    def __init__(self, faults: list[DataFault]) -> None:
        super().__init__("; ".join(f"{f.place}: {f.reason}" for f in faults))
        self.faults: Final = faults


C = TypeVar("C")


class Data(NamedTuple):
    """A game's component data, their digest, and what was found wrong on the way."""

    tables: dict[str, Any]
    digest: str
    faults: tuple[DataFault, ...] = ()

    def components(self, read: Callable[[dict[str, Any]], C]) -> C:
        """Return what *read* makes of the tables; raise :exc:`InvalidData` with every fault."""
        faults = list(self.faults)
        try:
            made = read(self.tables)
        except InvalidData as error:
            raise InvalidData(faults + error.faults) from None
        if faults:
            raise InvalidData(faults)
        return made


def read_data(package: str, folder: Path | None = None) -> Data:
    """Return the component data of *package*, as shipped or as *folder* corrects them.

    *folder*, or its sub-folder with the last name of *package*, holds ``components.toml``, which
    replaces the shipped file, or ``overlay.toml``, which corrects single values (see
    :mod:`~taflhall_engine.kernel.overlay`). A folder with sub-folders for other games only leaves
    this one as shipped. Every key that the shipped file does not have is a fault of the result.
    Raise :exc:`InvalidData` if there is neither file, or if it is not TOML.
    """
    source: Any = files(package) / "data" / FILE
    shipped, digest = _read(source)
    place = None if folder is None else _place(folder, package.rpartition(".")[2])
    if place is None:
        return Data(shipped, digest)
    found, found_digest = _read(place)
    wrong = list(unknown_keys(shipped, found))
    tables = found
    if place.name == OVERLAY:
        wrong += unknown_ids(shipped, found)
        tables = merged(shipped, found)
        text = json.dumps(tables, sort_keys=True, default=str, ensure_ascii=False)
        found_digest = hashlib.sha256(text.encode()).hexdigest()
    faults = tuple(DataFault(at, reason) for at, reason in wrong)
    return Data(tables, digest if tables == shipped else found_digest, faults)


def _place(folder: Path, game: str) -> Path | None:
    """Return the file in *folder* that is about *game*; ``None`` if all are about other games."""
    for place in (folder / game, folder):
        for name in (FILE, OVERLAY):
            if (place / name).is_file():
                return place / name
    if any(folder.glob(f"*/{FILE}")) or any(folder.glob(f"*/{OVERLAY}")):
        return None
    wanted = f"expected {FILE} or {OVERLAY}, here or in a folder {game}"
    raise InvalidData([DataFault(str(folder), wanted)])


def _read(place: Any) -> tuple[dict[str, Any], str]:
    """Return the tables of a TOML file and its digest, which ignores the kind of line ends."""
    try:
        raw: bytes = place.read_bytes()
        tables = tomllib.loads(raw.decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidData([DataFault(str(place), str(error))]) from None
    return tables, hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()


def catalog(tables: dict[str, Any]) -> list[Component]:
    """Return everything in *tables* that is a component.

    Entries of an array of tables are components if they have an ``id`` or a ``position``. The parts
    of one thing have an ``index`` there; their kind is named after both, such as ``die_face``.
    """
    found = []
    for kind, entries in _listed(tables):
        for number, entry in enumerate(entries):
            known = str(next(entry[key] for key in _KEYS if key in entry))
            names = {"en": str(entry.get("name", known))}
            rest = {}
            for key, value in entry.items():
                if key.startswith("name_"):
                    names[key.removeprefix("name_").replace("_", "-")] = str(value)
                elif key not in _OWN:
                    rest[key] = _text(value)
            provenance = str(entry.get("provenance", ""))
            found.append(Component(kind, number, known, names, provenance, rest))
    return found


def _listed(tables: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each kind of component with its entries."""
    for kind, content in tables.items():
        if isinstance(content, list):
            rows = [row for row in content if isinstance(row, dict)]
            yield kind, [row for row in rows if "id" in row or "position" in row]
        elif isinstance(content, dict):
            for part, parts in content.items():
                if isinstance(parts, list):
                    rows = [row for row in parts if isinstance(row, dict)]
                    yield f"{kind}_{part}", [row for row in rows if "index" in row]


def by_kind(found: list[Component]) -> dict[str, list[Component]]:
    """Return components by kind, each by its number."""
    kinds: dict[str, list[Component]] = {}
    for component in found:
        kinds.setdefault(component.kind, []).append(component)
    return kinds


_KEYS: Final = ("id", "position", "index")
_OWN: Final = frozenset({"id", "index", "name", "provenance"})


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_text(v) for v in value)
    if isinstance(value, dict):
        return ", ".join(f"{k}={_text(v)}" for k, v in value.items())
    return str(value)
