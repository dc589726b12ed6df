"""Matches that have been played a little, over any store."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import uuid4

from taflhall.v1 import match_service_pb2 as pb
from tests.service.local_server import LocalServer, Table, bearer, open_server


def server_over(store: Any, **options: Any) -> AbstractAsyncContextManager[LocalServer]:
    """Serve over *store*, which is not closed with the server."""
    return open_server(_Kept(store), **options)


async def play(server: LocalServer, commands: int = 6, finish: bool = True) -> str:
    """Play a match of Yggdrasil for that many commands, then resign; return its id."""
    table = await server.table()
    for _ in range(commands):
        await table.step()
    if finish:
        await give_up(table)
    return table.id


async def give_up(table: Table) -> None:
    """End a match: in a cooperative game one resignation does."""
    resign = pb.ResignSeatRequest(match_id=table.id, request_id=uuid4().hex)
    await table.server.match.ResignSeat(resign, metadata=bearer(table.secrets[0]))


class _Kept:
    """A store that somebody else closes."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def close(self) -> None:
        """Leave it open."""
