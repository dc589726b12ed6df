"""What must not be lost is sent as a write: it is confirmed, or not sent where none may be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus, Durability
from taflhall_service.store.redis.durability import StoreGuard
from taflhall_service.store.redis.store import RedisStore
from tests.store.test_batcher import Scripted
from tests.store.test_commits import START, creation

Call = Callable[[RedisStore], Awaitable[object]]


class Client:
    """A client without a server."""

    def pubsub(self) -> Any:
        return self


def store_over(transport: Scripted) -> RedisStore:
    client: Any = Client()
    return RedisStore(client, transport, StoreGuard(Durability.REPLICATED, replicas=1))


WRITES: list[tuple[str, Call, list[Any]]] = [
    (
        "commit",
        lambda store: store.commit(creation("match")),
        [[CommitStatus.COMMITTED.value.encode(), 0]],
    ),
    ("set_field", lambda store: store.set_field("match", START, "archived", b""), [[b"OK"]]),
    ("freeze_damaged", lambda store: store.freeze_damaged("match", b"why"), [[b"OK"], 1]),
    ("forget_damage", lambda store: store.forget_damage("match"), [1]),
    ("claim", lambda store: store.claim("name", b"value", b"", 1000), [b"value"]),
    ("accounts", lambda store: store.accounts.compare_and_set("a", "b", b"c", b""), [[b"OK"]]),
    ("audit", lambda store: store.accounts.append_audit("key", b"entry"), [1]),
    # a remembered reply may have been written over another connection: it is confirmed, too
    ("peek", lambda store: store.peek("match", "0:one"), [None, [None] * 3]),
]
READS: list[tuple[str, Call, list[Any]]] = [
    ("load", lambda store: store.load("match"), [[None] * 20]),
    ("entries", lambda store: store.entries("match", 1, None), [[]]),
    ("index_page", lambda store: store.index_page("", 10), [[]]),
    ("accounts", lambda store: store.accounts.read("a", ["b"]), [[None]]),
]


@pytest.mark.parametrize(
    ("call", "replies"), [given for _, *given in WRITES], ids=[name for name, *_ in WRITES]
)
async def test_every_write_is_confirmed(call: Call, replies: list[Any]):
    transport = Scripted(*replies)
    await call(store_over(transport))
    assert len(transport.replicated) == len(transport.pipelines) > 0


@pytest.mark.parametrize(
    ("call", "replies"), [given for _, *given in READS], ids=[name for name, *_ in READS]
)
async def test_no_read_waits_for_replicas(call: Call, replies: list[Any]):
    transport = Scripted(*replies)
    await call(store_over(transport))
    assert transport.replicated == []
    assert len(transport.pipelines) == 1


@pytest.mark.parametrize("call", [call for _, call, _ in WRITES], ids=[name for name, *_ in WRITES])
async def test_nothing_is_written_while_the_store_keeps_less_than_it_promised(call: Call):
    transport = Scripted(*[[None] * 3] * 3)
    store = store_over(transport)
    store.guard.problem = "the key is lost"
    with pytest.raises(StoreUnavailable):
        await call(store)
    sent = [command[0] for commands in transport.pipelines for command in commands]
    assert set(sent) <= {"HMGET"}
