"""The guard of a store judges what it finds, and reports each loss once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import BusyLoadingError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.redis.durability import (
    KEY,
    SETTINGS,
    DurabilityTooLow,
    StoreGuard,
    level_of,
    level_without_settings,
    may_keep_torn_scripts,
)
from tests.virtual_time import in_virtual_time, now_ms

SAFE = {"appendonly": "yes", "appendfsync": "always"}
WHOLE = {"valkey_version": "9.1.2"}
THE_KEY = b"k" * 32


class Node(NamedTuple):
    """A primary of a cluster."""

    name: str


class Server:
    """What a server says of itself, and what it was asked to do."""

    def __init__(self, **settings: str) -> None:
        self.settings: Mapping[Any, Any] = {**SAFE, **settings}
        self.server: dict[str, Any] = {"run_id": "1", **WHOLE}
        self.persistence: dict[str, Any] = {"aof_enabled": 1}
        self.key: bytes | None = THE_KEY
        self.shows_settings = True
        self.fails: Exception | None = None
        self.rewrites = 0
        self.refuses_rewrites = False

    async def info(self, section: str, target_nodes: Any = None) -> Mapping[str, Any]:
        if self.fails is not None:
            raise self.fails
        return self.server if section == "server" else self.persistence

    async def config_get(self, *patterns: str, target_nodes: Any = None) -> Mapping[Any, Any]:
        assert patterns == SETTINGS
        if not self.shows_settings:
            raise ResponseError("NOPERM")
        return self.settings

    async def get(self, key: str) -> bytes | None:
        assert key == KEY
        return self.key

    async def bgrewriteaof(self, target_nodes: Any = None) -> bool:
        if self.refuses_rewrites:
            raise ResponseError("in progress")
        self.rewrites += 1
        return True


class Guarded:
    """A guard that looks at a server."""

    def __init__(self, declared: Durability = Durability.DISK, replicas: int = 0) -> None:
        self.server = Server()
        self.registry = CollectorRegistry()
        self.guard = StoreGuard(declared, replicas, StoreMetrics(self.registry))

    async def look(self) -> bool:
        """Look, and return whether the store is sound."""
        client: Any = self.server
        try:
            await self.guard.look(client)
        except StoreUnavailable:
            return False
        return True

    def incidents(self) -> dict[str, float | None]:
        name = "taflhall_store_incidents_total"
        return {
            kind: self.registry.get_sample_value(name, {"kind": kind})
            for kind in ("durability_too_low", "key_lost")
        }


async def test_a_store_below_the_declared_level_is_refused_with_the_reason():
    guarded = Guarded()
    guarded.server.settings = {**SAFE, "appendfsync": "everysec"}
    assert await guarded.look()  # it is being opened: whoever does so asks for the reason
    with pytest.raises(DurabilityTooLow) as refused:
        guarded.guard.refuse_if_too_low()
    assert str(refused.value) == (
        "the store keeps commands at the level 'periodic', but 'disk' is declared. The file is "
        "not synced at once: set appendfsync always, or accept the lower level: "
        "--durability periodic."
    )
    assert guarded.incidents() == {"durability_too_low": 0, "key_lost": 0}
    guarded.server.settings = {name.encode(): value.encode() for name, value in SAFE.items()}
    assert await guarded.look()
    guarded.guard.refuse_if_too_low()
    assert guarded.guard.durability is Durability.DISK


async def test_before_the_first_look_nothing_is_promised():
    guard = StoreGuard(Durability.MEMORY)
    assert (guard.durability, guard.problem) == (Durability.MEMORY, "")
    guard.refuse_if_too_low()


async def test_a_guard_without_metrics_judges_all_the_same():
    guard, server = StoreGuard(Durability.DISK), Server()
    client: Any = server
    guard.expect(THE_KEY)
    server.key = None
    with pytest.raises(StoreUnavailable):
        await guard.look(client)


async def test_a_level_that_sinks_is_an_incident_until_it_rises_again():
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    assert await guarded.look()
    assert guarded.guard.problem == ""
    guarded.server.settings = {**SAFE, "appendonly": "no"}
    with capture_logs() as logged:
        for _ in range(3):
            assert not await guarded.look()
        assert guarded.guard.durability is Durability.MEMORY
        guarded.server.settings = SAFE
        for _ in range(2):
            assert await guarded.look()
    assert [(line["event"], line["durability"]) for line in logged] == [
        ("durability_too_low", "memory"),
        ("store_sound_again", "disk"),
    ]
    assert logged[0]["why"].endswith("--durability memory.")
    assert guarded.incidents() == {"durability_too_low": 1, "key_lost": 0}
    assert guarded.guard.problem == ""


async def test_another_key_is_an_incident_and_a_level_that_is_too_low_another():
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    guarded.server.key = None
    assert not await guarded.look()
    assert "lost the servers' key" in guarded.guard.problem
    guarded.server.settings = {}
    assert not await guarded.look()
    assert guarded.incidents() == {"durability_too_low": 1, "key_lost": 1}
    guarded.server.settings = SAFE
    guarded.server.key = THE_KEY
    assert await guarded.look()


@pytest.mark.parametrize("replicas", [0, 1])
async def test_replicas_raise_the_level_of_a_store_on_disk_alone(replicas: int):
    guarded = Guarded(Durability.PERIODIC, replicas)
    assert await guarded.look()
    raised = Durability.REPLICATED if replicas else Durability.DISK
    assert guarded.guard.durability is raised
    guarded.server.settings = {**SAFE, "appendfsync": "everysec"}
    assert await guarded.look()
    assert guarded.guard.durability is Durability.PERIODIC


@pytest.mark.parametrize(
    ("file", "level"), [(1, Durability.PERIODIC), (0, Durability.MEMORY)], ids=["file", "none"]
)
async def test_a_server_that_hides_its_settings_is_judged_by_its_file(file: int, level: Durability):
    guarded = Guarded()
    guarded.server.shows_settings = False
    guarded.server.persistence = {"aof_enabled": file}
    await guarded.look()
    assert guarded.guard.durability is level
    assert level_without_settings(bool(file)) == (level, level_without_settings(True)[1])


@pytest.mark.parametrize(
    "error", [RedisConnectionError("gone"), OSError("gone"), BusyLoadingError("loading")]
)
async def test_a_server_that_does_not_answer_is_not_judged(error: Exception):
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    assert await guarded.look()
    guarded.server.fails = error
    with capture_logs() as logged:
        assert not await guarded.look()
    assert (guarded.guard.durability, guarded.guard.problem) == (Durability.DISK, "")
    assert [line["event"] for line in logged] == ["store_error"]


async def test_a_connection_that_is_refused_for_a_known_reason_is_not_logged_again():
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    guarded.server.key = None
    assert not await guarded.look()
    guarded.server.fails = RedisConnectionError("refused")
    with capture_logs() as logged:
        assert not await guarded.look()
    assert logged == []


async def test_a_server_that_loads_is_not_judged():
    guarded = Guarded()
    assert await guarded.look()
    guarded.server.persistence = {"loading": 1, "aof_enabled": 0}
    assert not await guarded.look()
    assert guarded.guard.durability is Durability.DISK


@in_virtual_time
async def test_a_look_takes_five_seconds_at_most():
    class Slow(Server):
        async def info(self, section: str, target_nodes: Any = None) -> Mapping[str, Any]:
            await asyncio.Event().wait()
            raise AssertionError

    guarded = Guarded()
    guarded.server = Slow()
    assert not await guarded.look()
    assert now_ms() == 5000


async def test_a_cluster_keeps_commands_as_well_as_the_worst_of_its_servers():
    class Cluster(Server):
        async def config_get(self, *patterns: str, target_nodes: Any = None) -> Mapping[Any, Any]:
            return SAFE if target_nodes.name == "one" else {**SAFE, "appendfsync": "no"}

    client: Any = Cluster()
    for names in (["one", "two"], ["two", "one"]):
        guard = StoreGuard(Durability.MEMORY)
        nodes: Any = [Node(name) for name in names]
        await guard.look(client, nodes)
        assert guard.durability is Durability.PERIODIC


# ---------------------------------------------------------------- torn scripts


async def test_the_file_of_a_server_that_may_keep_torn_scripts_is_rewritten_once_a_run():
    guarded = Guarded()
    server = guarded.server
    server.server = {"run_id": "1", "valkey_version": "8.1.3"}
    with capture_logs() as logged:
        for run, rewrites in (("1", 1), ("1", 1), ("2", 2), ("2", 2), ("1", 3)):
            server.server["run_id"] = run
            assert await guarded.look()
            assert server.rewrites == rewrites
    assert [(line["event"], line["version"]) for line in logged] == [
        ("torn_scripts_possible", "8.1.3")
    ] * 3


async def test_the_file_of_a_server_that_keeps_no_torn_scripts_is_left_alone():
    guarded = Guarded()
    assert await guarded.look()
    assert guarded.server.rewrites == 0


@pytest.mark.parametrize(
    "persistence", [{"aof_enabled": 0}, {"aof_enabled": 1, "aof_rewrites": 1}, {}]
)
async def test_nothing_is_rewritten_that_is_not_there_or_was_rewritten(persistence: dict[str, Any]):
    guarded = Guarded(Durability.MEMORY)
    guarded.server.server = {"run_id": "1", "redis_version": "7.0.15"}
    guarded.server.persistence = persistence
    assert await guarded.look()
    assert guarded.server.rewrites == 0


async def test_a_server_that_refuses_to_rewrite_its_file_is_sound_all_the_same():
    guarded = Guarded()
    guarded.server.server = {"run_id": "1", "redis_version": "7.0.15"}
    guarded.server.refuses_rewrites = True
    with capture_logs() as logged:
        assert await guarded.look()
    assert [line["event"] for line in logged] == ["torn_scripts_possible", "rewrite_refused"]
    assert logged[0]["version"] == "7.0.15"
    assert logged[1]["why"] == "ResponseError"


def test_a_version_is_compared_number_by_number():
    for version in ("9.1.2", "9.1.10", "9.1.2.\u00b2", "10.0"):
        assert not may_keep_torn_scripts({"valkey_version": version})
    for version in ("9.1.1", "9.0.9", "8.9.9", "9.1", "", "0"):
        assert may_keep_torn_scripts({"valkey_version": version})
    assert may_keep_torn_scripts({})


# ---------------------------------------------------------------- new connections


class Connection:
    """A new connection to a server."""

    def __init__(self, server: Server) -> None:
        self.begun = 0
        self.asked: list[tuple[str, ...]] = []
        self._server = server
        self._replies: list[Any] = []

    async def on_connect(self) -> None:
        self.begun += 1

    async def send_command(self, *command: str) -> None:
        self.asked.append(command)
        if command[0] == "CONFIG":
            settings = [part.encode() for pair in self._server.settings.items() for part in pair]
            hidden = ResponseError("NOPERM")
            self._replies.append(settings if self._server.shows_settings else hidden)
        elif command[0] == "INFO":
            enabled = self._server.persistence["aof_enabled"]
            self._replies.append(b"# Persistence\r\naof_enabled:%d\r\n" % enabled)
        else:
            self._replies.append(self._server.key)

    async def read_response(self) -> Any:
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


async def test_a_connection_is_asked_nothing_while_the_store_is_opened():
    guarded = Guarded()
    connection = Connection(guarded.server)
    await guarded.guard.on_connect(connection)
    assert (connection.begun, connection.asked) == (1, [])


async def test_a_connection_to_a_sound_server_is_used():
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    connection = Connection(guarded.server)
    await guarded.guard.on_connect(connection)
    assert connection.asked == [("CONFIG", "GET", *SETTINGS), ("GET", KEY)]
    assert (connection.begun, guarded.guard.problem) == (1, "")
    assert guarded.guard.durability is Durability.DISK


@pytest.mark.parametrize("file", [1, 0])
async def test_a_connection_to_a_server_that_hides_its_settings_is_judged_by_its_file(file: int):
    guarded = Guarded(Durability.PERIODIC)
    guarded.guard.expect(THE_KEY)
    guarded.server.shows_settings = False
    guarded.server.persistence = {"aof_enabled": file}
    connection = Connection(guarded.server)
    if file:
        await guarded.guard.on_connect(connection)
    else:
        with pytest.raises(RedisConnectionError):
            await guarded.guard.on_connect(connection)
    assert connection.asked[1] == ("INFO", "persistence")


@pytest.mark.parametrize("loss", ["level", "key"])
async def test_no_connection_is_opened_to_a_server_that_has_lost_something(loss: str):
    guarded = Guarded()
    guarded.guard.expect(THE_KEY)
    if loss == "level":
        guarded.server.settings = {"appendonly": "no"}
    else:
        guarded.server.key = b"another"
    with pytest.raises(RedisConnectionError):
        await guarded.guard.on_connect(Connection(guarded.server))
    assert sum(filter(None, guarded.incidents().values())) == 1


def test_what_limits_the_level_is_named():
    evicting = {**SAFE, "maxmemory": "1", "maxmemory-policy": "allkeys-lru"}
    assert level_of(evicting)[1].startswith("maxmemory-policy allkeys-lru")
    assert level_of({**evicting, "maxmemory-policy": "noeviction"})[0] is Durability.DISK
    assert level_of({"maxmemory-policy": "allkeys-lru", **SAFE})[0] is Durability.DISK
    assert level_of({})[1].startswith("appendonly")
    assert level_of(SAFE) == (Durability.DISK, "no replica confirms commits")
