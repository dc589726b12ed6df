"""Checks that a call with bad input gets its typed answer and changes nothing."""

from __future__ import annotations

from typing import Any

import grpc

from taflhall.v1 import table_pb2
from tests.service.local_server import Table, refused

Code = grpc.StatusCode


async def unchanged(table: Table) -> Any:
    """Return everything that is stored of a match."""
    memory = table.server.store.memory
    return (
        memory.matches[table.id],
        list(memory.entries.get(table.id, [])),
        dict(memory.records[table.id]),
        len(memory.matches),
    )


async def check(
    table: Table, call: Any, code: grpc.StatusCode, reason: str, **metadata: str
) -> None:
    """*call* is refused so, in English and German, and nothing has changed."""
    before = await unchanged(table)
    refusal = await refused(call)
    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.metadata == metadata
    assert set(refusal.words) == {"en", "de"}
    assert refusal.text == refusal.words["en"]
    assert await unchanged(table) == before


async def pending(table: Table) -> table_pb2.Decision:
    return (await table.get(None)).decisions[0]
