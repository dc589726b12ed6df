"""A store that is reached over TLS, and that asks its clients for certificates too."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import Durability, MatchStore
from taflhall_service.store.address import BadAddress, open_store
from tests.papers import Papers
from tests.store import servers
from tests.store.test_commits import START, command, creation, name
from tests.store.test_failover import until_it_answers
from tests.waiting import until

needs_redis = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="the packaged Valkey speaks no TLS"
)


@pytest.fixture
def tls(tmp_path: Path) -> dict[str, str]:
    """Return the options of a client that the servers trust; they show the same certificate."""
    papers = Papers(tmp_path / "papers")
    cert, key = papers.issue("localhost", "127.0.0.1")
    return {
        "ssl_ca_certs": str(papers.ca),
        "ssl_certfile": str(cert),
        "ssl_keyfile": str(key),
    }


@needs_redis
async def test_a_cluster_is_reached_over_tls(tmp_path: Path, tls: dict[str, str]):
    address, nodes = await asyncio.to_thread(servers.cluster, tmp_path, tls=tls)
    store = await opened(address, Durability.DISK)
    for match_id in [name() for _ in range(12)]:  # on every node
        await until_it_answers(partial(store.commit, creation(match_id)))
        found = await until_it_answers(partial(store.load, match_id))
        assert found.version == START
    await store.close()
    for wrong in (in_the_clear(address), *without_files(address)):
        with pytest.raises(BadAddress, match="there is no cluster at"):
            await open_store(wrong, Durability.DISK)
    for node in nodes:
        await asyncio.to_thread(node.stop)


@needs_redis
async def test_a_failover_of_sentinels_is_followed_over_tls(tmp_path: Path, tls: dict[str, str]):
    address, children = await asyncio.to_thread(servers.sentinels, tmp_path, tls=tls)
    for wrong in (in_the_clear(address), *without_files(address)):
        with pytest.raises(StoreUnavailable):
            await open_store(wrong, Durability.DISK)
    store = await opened(address, Durability.REPLICATED)
    match_id = name()
    commit = command(match_id, START, "0:1", b"one")
    for each in (creation(match_id), commit):
        await until_it_answers(partial(store.commit, each))
    children[0].kill()
    await asyncio.to_thread(servers.watch_closely, children[2:])
    found = await until_it_answers(partial(store.load, match_id))
    assert found.version == commit.version
    await store.close()
    for child in children[1:]:
        await asyncio.to_thread(child.stop)


async def opened(address: str, declared: Durability) -> MatchStore:
    """Return the store at *address*, however long handshakes take on a busy machine."""
    stores: list[MatchStore] = []

    async def opens() -> bool:
        with suppress(StoreUnavailable, BadAddress):
            stores.append(await open_store(address, declared))
        return bool(stores)

    await until(opens)
    return stores[0]


def in_the_clear(address: str) -> str:
    return address.partition("?")[0].replace("rediss", "redis")


def without_files(address: str) -> list[str]:
    """Return the address without any file, and without the client's certificate."""
    place, _, options = address.partition("?")
    authority = options.partition("&")[0]
    return [place, f"{place}?{authority}"]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("redis+cluster://127.0.0.1:1?ssl_ca_certs=ca.pem", "takes no options"),
        ("redis+sentinel://127.0.0.1:1/taflhall?db=1", "takes no options"),
        ("rediss+cluster://127.0.0.1:1?password=secret", "takes no options but ssl_ca_certs, "),
    ],
)
async def test_an_option_that_would_be_ignored_is_refused(address: str, message: str):
    with pytest.raises(BadAddress, match=message) as error:
        await open_store(address, Durability.DISK)
    assert "secret" not in str(error.value)
