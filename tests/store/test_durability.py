"""A store that stops keeping what it promised is noticed, and nothing more is written to it."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus, Durability, MatchStore
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.address import open_store
from taflhall_service.store.redis.durability import (
    DurabilityTooLow,
    level_of,
    may_keep_torn_scripts,
)
from tests.store.servers import SAFE, Valkey
from tests.store.test_commits import START, command, creation, name
from tests.waiting import until, wait_until

LOADS_SLOWLY = ("--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024")


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    valkey = Valkey(tmp_path / "store", *SAFE)
    yield valkey
    valkey.kill()  # it would not end while it rewrites its file


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
async def store(valkey: Valkey, registry: CollectorRegistry) -> AsyncIterator[MatchStore]:
    store = await open_store(valkey.address, Durability.DISK, StoreMetrics(registry))
    await store.key()
    yield store
    await store.close()


def incidents(registry: CollectorRegistry, kind: str) -> float | None:
    return registry.get_sample_value("taflhall_store_incidents_total", {"kind": kind})


async def answers(store: MatchStore) -> None:
    """Wait until a store that was away answers, however it does."""

    async def loads() -> bool:
        try:
            await store.load(name())
        except StoreUnavailable:
            return False
        return True

    await until(loads)


def without_config(valkey: Valkey) -> str:
    """Return the address for a user who may not read the settings."""
    valkey.client().execute_command(
        "ACL", "SETUSER", "plain", "on", "nopass", "~*", "&*", "+@all", "-config"
    )
    return valkey.address.replace("//", "//plain:any@")


def kill_and_load_slowly(valkey: Valkey) -> None:
    """Restart a server that takes seconds to read its file, and return while it does."""
    client = valkey.client()
    client.mset({f"ballast:{number}": secrets.token_bytes(200) for number in range(2000)})
    client.bgrewriteaof()
    wait_until(lambda: client.info("persistence")["aof_base_size"] > 2000)
    valkey.kill()
    valkey.settings = (*valkey.settings, *LOADS_SLOWLY)
    valkey.restart(loading=True)


async def test_a_setting_that_weakens_a_running_store_stops_writes(valkey, store, registry):
    match_id = name()
    await store.commit(creation(match_id))
    valkey.client().config_set("appendonly", "no")
    with capture_logs() as logs, pytest.raises(StoreUnavailable):
        await store.ping()
    with pytest.raises(StoreUnavailable):
        await store.ping()
    assert [line["event"] for line in logs].count("durability_too_low") == 1
    assert incidents(registry, "durability_too_low") == 1
    assert store.durability is Durability.MEMORY
    with pytest.raises(StoreUnavailable):
        await store.commit(command(match_id, START, "0:one"))
    assert (await store.load(match_id)).version == START
    valkey.client().config_set("appendonly", "yes")
    await store.ping()
    done = await store.commit(command(match_id, START, "0:one"))
    assert done.status is CommitStatus.COMMITTED


async def test_a_store_that_restarts_without_its_file_is_refused_at_the_first_connection(
    valkey, store, registry
):
    match_id = name()
    await store.commit(creation(match_id))
    valkey.kill()
    valkey.settings = ()
    valkey.restart()
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.commit(command(match_id, START, "0:one"))
    assert valkey.client().hgetall(f"taflhall:{{{match_id}}}:m") == {}
    assert store.durability is Durability.MEMORY
    assert incidents(registry, "durability_too_low") == 1


async def test_a_store_that_comes_back_empty_is_an_incident(valkey, store, registry):
    match_id = name()
    await store.commit(creation(match_id))
    valkey.kill()
    shutil.rmtree(valkey.folder / "appendonlydir")
    valkey.restart()
    with pytest.raises(StoreUnavailable):
        await store.commit(creation(name()))
    with pytest.raises(StoreUnavailable):
        await store.ping()
    assert incidents(registry, "key_lost") == 1
    assert valkey.client().dbsize() == 0


async def test_a_restart_that_loses_nothing_is_no_incident(valkey, store, registry):
    match_id = name()
    await store.commit(creation(match_id))
    valkey.kill()
    valkey.restart()
    await answers(store)
    await store.ping()
    done = await store.commit(command(match_id, START, "0:one"))
    assert done.status is CommitStatus.COMMITTED
    assert incidents(registry, "key_lost") == incidents(registry, "durability_too_low") == 0


async def test_nothing_is_judged_from_a_store_that_loads(valkey, store, registry):
    await store.commit(creation(name()))
    kill_and_load_slowly(valkey)
    with pytest.raises(StoreUnavailable):
        await store.ping()
    assert store.durability is Durability.DISK
    with pytest.raises(StoreUnavailable):
        await open_store(valkey.address, Durability.DISK)
    with pytest.raises(StoreUnavailable):
        await open_store(without_config(valkey), Durability.PERIODIC)
    assert incidents(registry, "key_lost") == incidents(registry, "durability_too_low") == 0


async def test_subscribing_while_a_connection_opens_is_not_taken_for_a_loss(
    valkey, store, registry
):
    """The replies to subscriptions once mixed with those that the level is judged from."""
    stop = asyncio.Event()

    async def subscribe() -> None:
        while not stop.is_set():
            match_id = name()
            await store.listen(match_id)
            await store.ignore(match_id)

    with capture_logs() as logs:
        subscribers = [asyncio.create_task(subscribe()) for _ in range(8)]
        for _ in range(100):
            await asyncio.to_thread(valkey.client().client_kill_filter, _type="pubsub")
            await store.load(name())
        stop.set()
        await asyncio.gather(*subscribers)
    assert store.durability is Durability.DISK
    assert not {line.get("kind") for line in logs} & {"ValueError", "AttributeError"}
    assert incidents(registry, "key_lost") == incidents(registry, "durability_too_low") == 0


async def test_a_store_that_may_evict_matches_is_refused(valkey):
    client = valkey.client()
    client.config_set("maxmemory", "100mb")
    client.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(DurabilityTooLow, match="allkeys-lru evicts matches: set noeviction"):
        await open_store(valkey.address, Durability.DISK)
    client.config_set("maxmemory-policy", "noeviction")
    store = await open_store(valkey.address, Durability.DISK)
    await store.key()
    client.config_set("maxmemory-policy", "allkeys-lfu")
    with pytest.raises(StoreUnavailable):
        await store.ping()
    await store.close()


async def test_a_store_that_does_not_show_its_settings_counts_as_periodic(valkey):
    address = without_config(valkey)
    with pytest.raises(DurabilityTooLow, match="allow CONFIG GET"):
        await open_store(address, Durability.DISK)
    store = await open_store(address, Durability.PERIODIC)
    await store.key()
    await store.ping()
    assert store.durability is Durability.PERIODIC
    await store.close()


async def test_a_commit_that_cannot_be_announced_is_not_said_to_have_failed(valkey):
    valkey.client().execute_command(
        "ACL", "SETUSER", "mute", "on", "nopass", "~*", "resetchannels", "+@all"
    )
    store = await open_store(valkey.address.replace("//", "//mute:any@"), Durability.DISK)
    match_id = name()
    assert (await store.commit(creation(match_id))).status is CommitStatus.COMMITTED
    assert await store.load(match_id) is not None
    await store.close()


async def test_a_silent_store_is_given_up_after_five_seconds_for_all_who_wait(valkey, store):
    await store.load(name())
    valkey.freeze()
    started = time.monotonic()
    calls: list[Any] = [store.load(name()) for _ in range(3)]
    first = await asyncio.gather(*calls, return_exceptions=True)
    second = await asyncio.gather(store.load(name()), store.ping(), return_exceptions=True)
    taken = time.monotonic() - started
    valkey.thaw()
    assert all(isinstance(answer, StoreUnavailable) for answer in (*first, *second))
    assert 9 < taken < 30
    await answers(store)


@pytest.mark.parametrize(
    ("settings", "level"),
    [
        ({}, Durability.MEMORY),
        ({"appendonly": "yes"}, Durability.PERIODIC),
        ({"appendonly": "yes", "appendfsync": "everysec"}, Durability.PERIODIC),
        ({"appendonly": "yes", "appendfsync": "always"}, Durability.DISK),
    ],
)
@pytest.mark.parametrize(
    ("memory", "evicts"),
    [
        ({"maxmemory": "0", "maxmemory-policy": "allkeys-lru"}, False),
        ({"maxmemory": "1", "maxmemory-policy": "allkeys-random"}, True),
        ({"maxmemory": "1", "maxmemory-policy": "volatile-lru"}, False),
        ({"maxmemory": "1", "maxmemory-policy": "noeviction"}, False),
    ],
)
def test_the_level_follows_from_the_settings(settings, level, memory, evicts):
    found, _ = level_of({**settings, **memory})
    assert found is (Durability.MEMORY if evicts else level)


@pytest.mark.parametrize(
    ("server", "torn"),
    [
        ({"redis_version": "7.0.15"}, True),
        ({"redis_version": "8.2.0"}, True),
        ({"redis_version": "7.2.4", "valkey_version": "8.1.3"}, True),
        ({"redis_version": "7.2.4", "valkey_version": "9.1.2"}, False),
        ({"redis_version": "7.2.4", "valkey_version": "10.0.0"}, False),
        ({"redis_version": "7.2.4", "valkey_version": "9.1.2.\u00b2"}, False),
    ],
)
def test_servers_that_may_keep_torn_scripts_are_known_by_their_version(server, torn):
    assert may_keep_torn_scripts(server) is torn
