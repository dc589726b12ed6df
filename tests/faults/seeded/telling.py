"""Faults in how bad requests are met (G14)."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.kernel import agenda
from taflhall_service.app import analysis as engine
from taflhall_service.app.matches import table_update as turn
from taflhall_service.rpc import call as calls
from taflhall_service.rpc import requests
from tests.faults.seeded import exchange


def malformed_bytes_escape() -> None:
    """Bytes that are no message end in a fault of the server."""
    exchange(calls.CallHandlers, "parse", lambda _: lambda self, kind, data: kind.FromString(data))


def tampered_tables_believed() -> None:
    """A table that a caller supplies is taken without looking whether it can be."""
    from contextlib import contextmanager

    @contextmanager
    def believed(game: Any) -> Any:
        yield

    exchange(engine, "tampered", lambda _: believed)


def options_unbounded() -> None:
    """An option's index is looked up before it is compared."""

    def make(command: Any) -> Any:
        def straight(self: Any, seat: int, answer: Any, index: int) -> Any:
            if isinstance(answer, int) and seat in self._pending:
                return agenda.options(self._table, seat)[answer]
            return command(self, seat, answer, index)

        return straight

    exchange(turn.TableUpdate, "command", make)


def games_unknown_to_nobody() -> None:
    """A message that names no game is asked for it all the same."""

    def named(message: Any, field: str) -> Any:
        return requests.game_named(message.WhichOneof("game") + "")

    exchange(requests, "game_of", lambda _: named)


SEEDS: Final = [
    (malformed_bytes_escape, "fuzz", "G14"),
    (tampered_tables_believed, "fuzz", "G14"),
    (options_unbounded, "fuzz", "G14"),
    (games_unknown_to_nobody, "fuzz", "G14"),
]
