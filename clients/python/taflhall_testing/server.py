"""A server in the process of a test: real gRPC over a real socket, matches in memory.

::

    async with running_server() as server:
        async with Client(server.address) as client: ...

Needs the extra ``testing``.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.app.spectating.delayed_match import LINGER_SECONDS
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.bots.analyst import AnalystPool
from taflhall_service.observability.metrics import Meter
from taflhall_service.observability.tracing import Tracer
from taflhall_service.rpc.server import Server
from taflhall_service.store.memory import Memory, MemoryStore

__all__ = ["Limits", "RunningServer", "running_server"]


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that listens on this machine."""

    address: str
    """Where it listens, as ``host:port``."""
    store: MatchStore
    spectators: Spectators
    server: Server

    @property
    def matches(self) -> Matches:
        """The matches that the server keeps in memory."""
        return self.spectators.matches

    @property
    def accounts(self) -> Accounts:
        """The accounts; create keys for a test here."""
        return self.server.accounts


@asynccontextmanager
async def running_server(
    store: MatchStore | None = None,
    *,
    limits: Limits | None = None,
    tables: int = 100,
    poll: float = 1.0,
    linger: float = LINGER_SECONDS,
    meter: Meter | None = None,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    proxied: bool = False,
    tracer: Tracer | None = None,
) -> AsyncIterator[RunningServer]:
    """Run a server on a free port until the ``with`` block ends.

    Matches are kept in *store*, by default in memory; *tables* of them stay unpacked. *poll* is
    how often the store is asked for changes and *linger* how long a delayed match stays in
    memory, both in seconds. *random_bytes* draws the secrets of new matches: a function that
    counts makes every run the same. With *proxied* the server stands behind a proxy. *tracer*
    records its spans.
    """
    store = store or MemoryStore(Memory())
    limits, hub = limits or Limits(), Hub(store, poll)
    matches = Matches(store, hub, limits, await store.key(), tables, random_bytes, tracer)
    spectators = Spectators(matches, linger)
    analyst = AnalystPool(share=1.0)
    server = Server(
        spectators,
        limits,
        meter or Meter(),
        reflect=True,
        share_port=False,
        proxied=proxied,
        analyst=analyst,
    )
    port = await server.start("127.0.0.1:0")
    try:
        yield RunningServer(f"127.0.0.1:{port}", store, spectators, server)
    finally:
        await server.accounts.stop()
        await server.server.stop(None)
        await analyst.close()
        await hub.stop()
        await store.close()
