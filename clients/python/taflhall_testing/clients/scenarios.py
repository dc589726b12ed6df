"""Scenarios, as read from the TOML files."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor

from taflhall.v1 import error_reason_pb2, match_service_pb2
from taflhall_wire.error_reasons import REASONS

Data = dict[str, Any]

PACKAGES: Final = ("taflhall.v1.", "taflhall.admin.v1.", "taflhall.tournament.v1.")
"""The parts of the contract that every client has to master."""


def _methods() -> Iterator[tuple[str, MethodDescriptor]]:
    root = Path(match_service_pb2.__file__).parents[2]
    for file in sorted(root.glob("taflhall/**/*_service_pb2.py")):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        if not name.startswith(PACKAGES):
            continue
        for service in importlib.import_module(name).DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield f"{service.full_name}/{method.name}", method


METHODS: Final = dict(_methods())
"""Every method of these packages by its full name."""

_KEYS: Final = {"name", "server", "tls", "for_each", "step", "reply"}


class InvalidScenario(Exception):
    """A file that holds no scenarios, or a scenario that says what nothing understands."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A list of steps, and what the fake server replies meanwhile."""

    name: str
    server: str
    """``real`` or ``fake``."""
    steps: list[Data]
    replies: list[Data] = field(default_factory=list)
    messages: Data = field(default_factory=dict)
    """Messages of the fake server by name."""
    tls: str = ""
    """``server`` or ``mutual``; empty for a fake server in the clear."""
    each: Data | None = None
    """The value of ``$each``."""

    @property
    def operations(self) -> set[str]:
        """The operations that a driver needs for it."""
        return {step["do"] for step in self.steps if "do" in step}


def bundled() -> Path:
    """Return the folder of the scenarios that come with the kit."""
    here = Path(__file__).resolve().parent
    packed = here / "data"
    return packed if packed.is_dir() else here.parents[3] / "tests" / "clients" / "scenarios"


def read_folder(folder: Path) -> list[Scenario]:
    """Return the scenarios of all files of *folder*; raise :exc:`InvalidScenario`."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise InvalidScenario(f"{folder} holds no scenarios")
    return [scenario for file in files for scenario in read_file(file)]


def read_file(file: Path) -> list[Scenario]:
    """Return the scenarios of a file; raise :exc:`InvalidScenario`."""
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidScenario(f"{file}: {error}") from None
    if tables.get("format_version") != 1:
        raise InvalidScenario(f"{file}: format_version is not 1")
    if strange := set(tables) - {"format_version", "message", "reply", "scenario"}:
        raise InvalidScenario(f"{file}: unknown key {min(strange)}")
    common, messages = tables.get("reply", []), tables.get("message", {})
    return [s for table in tables.get("scenario", []) for s in _made(file, table, common, messages)]


def _made(file: Path, table: Data, common: list[Data], messages: Data) -> Iterator[Scenario]:
    name = table.get("name", "")
    if strange := set(table) - _KEYS:
        raise InvalidScenario(f"{file}: scenario {name!r}: unknown key {min(strange)}")
    if table.get("server") not in ("real", "fake"):
        raise InvalidScenario(f"{file}: scenario {name!r}: the server is 'real' or 'fake'")
    replies = [*table.get("reply", []), *common]
    for each in _values(table.get("for_each", "")):
        title = name if each is None else f"{name}: {each['name']}"
        tls = table.get("tls", "")
        yield Scenario(title, table["server"], table["step"], replies, messages, tls, each)


def _values(kind: str) -> Iterable[Data | None]:
    if kind == "reason":
        return [_reason(name) for name in REASONS]
    if kind == "method":
        unary = (n for n, m in METHODS.items() if not (m.client_streaming or m.server_streaming))
        return [{"name": name, "short": name.partition("/")[2]} for name in unary]
    if kind == "server stream":
        streams = (n for n, m in METHODS.items() if m.server_streaming and not m.client_streaming)
        return [{"name": name, "short": name.partition("/")[2]} for name in streams]
    if kind:
        raise InvalidScenario(f"for_each = {kind!r}: no 'reason', 'method' or 'server stream'")
    return [None]


def _reason(name: str) -> Data:
    reason = REASONS[name]
    uncertain = reason.retry == error_reason_pb2.ErrorReasonOptions.RETRY_SAME_REQUEST
    again = uncertain or name == "RATE_LIMITED"
    return {"name": name, "uncertain": uncertain, "least": 2 if again else 1, "again": again}
