"""The durability of a Redis's acknowledged writes, measured and monitored.

A server may lose its append-only file or get a dangerous setting while this service runs, and
it may come back empty. So a :class:`StoreGuard` looks at each new connection and every few
seconds; while something is wrong, nothing is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

import structlog
from redis.exceptions import BusyLoadingError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.redis.batcher import CONNECTION_ERRORS, unavailable
from taflhall_service.store.redis.client import ClusterNode, RedisClient, Reply, target_of

KEY: Final = "taflhall:key"
"""The secret that all servers over a store share."""

SETTINGS: Final = ("append*", "maxmemory*")

LOOK_SECONDS: Final = 5.0
"""How long a look at the store may take."""

WHOLE_SCRIPTS: Final = (9, 1, 2)
"""The first Valkey that is known to drop all of a script that a power cut has torn."""

_log = structlog.get_logger("store")


class DurabilityTooLow(Exception):
    """A store that keeps commands less safely than declared; the message says why."""


class StoreGuard:
    """Looks whether a store keeps commands at the *declared* level and knows the servers' key.

    With *replicas* the level of a store on disk is one higher, for WAIT then confirms each commit.
    """

    def __init__(
        self, declared: Durability, replicas: int = 0, metrics: StoreMetrics | None = None
    ) -> None:
        self.durability = Durability.MEMORY
        """The level that was last found."""
        self.problem = ""
        """Why nothing may be written; empty if it may."""
        self._declared = declared
        self.replicas: Final = replicas
        self._metrics = metrics or StoreMetrics()
        self._key: bytes | None = None
        self._runs: frozenset[str] = frozenset()

    def expect(self, key: bytes) -> None:
        """From now on the store must have *key*, and reach the declared level."""
        self._key = key

    def refuse_if_too_low(self) -> None:
        """Raise :exc:`DurabilityTooLow` if the last look found less than the declared level."""
        if self.durability < self._declared:
            raise DurabilityTooLow(self.problem)

    async def on_connect(self, connection: Any) -> None:
        """Prepare a new connection; raise if the server behind it must not be written to."""
        await connection.on_connect()
        if self._key is None:
            return  # the store is being opened
        try:
            settings = await _ask(connection, "CONFIG", "GET", *SETTINGS)
            level, why = level_of(_pairs(settings))
        except ResponseError:
            settings = await _ask(connection, "INFO", "persistence")
            level, why = level_without_settings(b"aof_enabled:1" in settings)
        key = await _ask(connection, "GET", KEY)  # fails while the server reads its file
        self._judge(level, why, key)
        if self.problem:
            raise RedisConnectionError("the store no longer has the declared durability")

    async def look(
        self, client: RedisClient, nodes: Sequence[ClusterNode | None] = (None,)
    ) -> None:
        """Look at every one of a cluster's *nodes*, or at the one server.

        Raise ``StoreUnavailable`` if one does not answer, or lacks the declared durability.
        """
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                found = [await _level(client, node) for node in nodes]
                level, why = min(found, key=lambda pair: pair[0])
                key = None if self._key is None else await client.get(KEY)
                await self._note_runs(client, nodes)
        except TimeoutError as error:
            raise unavailable(error) from None
        except CONNECTION_ERRORS as error:
            if self.problem:
                raise StoreUnavailable from None  # a connection was refused, and that was logged
            raise unavailable(error) from None
        self._judge(level, why, key)
        if self.problem and self._key is not None:
            raise StoreUnavailable

    def _judge(self, level: Durability, why: str, key: bytes | None) -> None:
        raised = bool(self.replicas) and level is Durability.DISK
        self.durability = Durability.REPLICATED if raised else level
        kind, problem = "", ""
        if self.durability < self._declared:
            kind = "durability_too_low"
            problem = _too_low(self.durability, self._declared, why)
        elif self._key is not None and key != self._key:
            kind = "key_lost"
            problem = (
                "the store has lost the servers' key, and with it what was stored: restore a "
                "backup, or restart all servers to begin with what is there"
            )
        if problem and problem != self.problem and self._key is not None:
            _log.error(kind, why=problem, durability=self.durability.name.lower())
            self._metrics.incident(kind)
        if self.problem and not problem:
            _log.info("store_sound_again", durability=self.durability.name.lower())
        self.problem = problem

    async def _note_runs(self, client: RedisClient, nodes: Sequence[ClusterNode | None]) -> None:
        """Rewrite the append-only file of a server that has started, if it may hold torn scripts.

        A script that a power cut tears leaves the beginning of a transaction in the file of some
        servers. It does no harm until the next restart: then it swallows the first script that
        was written behind it. A rewritten file holds no such remains.
        """
        runs = set()
        for node in nodes:
            target = target_of(node)
            info = await client.info("server", **target)
            run = str(info.get("run_id", ""))
            runs.add(run)
            if run in self._runs or not may_keep_torn_scripts(info):
                continue
            persistence = await client.info("persistence", **target)
            if persistence.get("aof_enabled") and not persistence.get("aof_rewrites"):
                version = str(info.get("valkey_version") or info.get("redis_version"))
                _log.warning("torn_scripts_possible", version=version)
                try:
                    await client.bgrewriteaof(**target)
                except ResponseError as error:
                    _log.warning("rewrite_refused", why=type(error).__name__)
        self._runs = frozenset(runs)


def level_of(settings: Mapping[str, str]) -> tuple[Durability, str]:
    """Return the level of a server with these settings, and which of them limits it."""
    policy = settings.get("maxmemory-policy", "noeviction")
    if policy.startswith("allkeys") and settings.get("maxmemory", "0") != "0":
        return Durability.MEMORY, f"maxmemory-policy {policy} evicts matches: set noeviction"
    if settings.get("appendonly") != "yes":
        return Durability.MEMORY, "appendonly is off: set appendonly yes"
    if settings.get("appendfsync") != "always":
        return Durability.PERIODIC, "the file is not synced at once: set appendfsync always"
    return Durability.DISK, "no replica confirms commits"


def level_without_settings(append_only: bool) -> tuple[Durability, str]:
    """Return the level of a server that does not show its settings."""
    level = Durability.PERIODIC if append_only else Durability.MEMORY
    return level, "its settings cannot be read: allow CONFIG GET"


def may_keep_torn_scripts(server: Mapping[str, Any]) -> bool:
    """Return whether a server with this INFO may keep a part of a script after a power cut."""
    version = str(server.get("valkey_version", "0"))
    numbers = tuple(int(part) for part in version.split(".") if part.isascii() and part.isdigit())
    return numbers < WHOLE_SCRIPTS


def _too_low(found: Durability, declared: Durability, why: str) -> str:
    level = found.name.lower()
    return (
        f"the store keeps commands at the level '{level}', but '{declared.name.lower()}' is "
        f"declared. {why[:1].upper()}{why[1:]}, or accept the lower level: --durability {level}."
    )


async def _level(client: RedisClient, node: ClusterNode | None) -> tuple[Durability, str]:
    target = target_of(node)
    info = await client.info("persistence", **target)
    if info.get("loading"):  # it reports its file as off, and may lack the key
        raise BusyLoadingError
    try:
        found = await client.config_get(*SETTINGS, **target)
    except ResponseError:
        return level_without_settings(bool(info.get("aof_enabled")))
    return level_of({_str(name): _str(value) for name, value in found.items()})


async def _ask(connection: Any, *command: str) -> Reply:
    await connection.send_command(*command)
    return await connection.read_response()


def _pairs(reply: Sequence[bytes]) -> dict[str, str]:
    return {_str(name): _str(value) for name, value in zip(reply[::2], reply[1::2], strict=True)}


def _str(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
