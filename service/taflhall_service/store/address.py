"""Which store an address means.

========================================  =====================================================
``memory:``                               in this process, for tests and for trying out
``embedded:DIR``                          an embedded Valkey that keeps its data in DIR
``redis://HOST:PORT[/DB]``                one Redis; also ``rediss://`` (TLS) and ``unix://PATH``
``redis+sentinel://H:P,H:P/MASTER``       the primary that the Sentinels name
``redis+cluster://H:P[,H:P]``             a Cluster
========================================  =====================================================
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

import redis.asyncio
import redis.exceptions as ex
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialBackoff

from taflhall_service.app.jobs.archiver import Archive
from taflhall_service.app.ports.match_store import Durability, Store
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.durability import durability_of
from taflhall_service.store.embedded import Embedded
from taflhall_service.store.memory import MemoryStore
from taflhall_service.store.redis.store import RedisStore

BUCKETS: Final = ("s3", "gs", "az", "abfs", "abfss")
"""Kinds of buckets that can keep an archive."""


class BadAddress(Exception):
    """An address of no store; the message says what would be one."""


class TooWeak(Exception):
    """A store that keeps commands less safely than declared."""


async def open_store(address: str, declared: Durability) -> Store:
    """Open the store at *address*.

    Raise :exc:`BadAddress`, :exc:`TooWeak` if it does not reach the *declared* durability,
    ``CannotEmbed`` if there is no embedded server for this platform, or ``StoreUnavailable``.
    """
    store = await _open(address, 1 if declared is Durability.COPIES else 0)
    if store.durability < declared:
        await store.close()
        raise TooWeak(
            f"the store keeps commands at the level '{store.durability.name.lower()}', but "
            f"'{declared.name.lower()}' is declared. Switch on appendonly and appendfsync always "
            f"there, or accept it with --durability {store.durability.name.lower()}."
        )
    return store


def open_archive(address: str) -> Archive:
    """Open the archive at *address*, a folder or a bucket, or raise :exc:`BadAddress`."""
    kind, is_url, _ = address.partition("://")
    if is_url and kind not in BUCKETS:
        known = ", ".join(f"{bucket}://" for bucket in BUCKETS)
        raise BadAddress(f"{address!r} is no archive: records are kept in a folder, or in {known}")
    try:
        if is_url:
            return _bucket(address)
        return FolderArchive(Path(address))
    except OSError as error:
        raise BadAddress(f"no archive can be kept in {address}: {error.strerror}") from None


def _bucket(url: str) -> Archive:
    try:
        from taflhall_service.store.archive.bucket import ObjectArchive
    except ModuleNotFoundError:
        raise BadAddress(f"for {url} install taflhall[objects]: obstore is not here") from None
    try:
        return ObjectArchive(url)
    except ValueError as error:
        raise BadAddress(f"no archive can be kept in {url}: {error}") from None


async def _open(address: str, copies: int) -> Store:
    kind, _, rest = address.partition(":")
    if kind == "memory" and not rest:
        return MemoryStore()
    if kind == "embedded" and rest:
        embedded = Embedded(Path(rest))
        await embedded.start()
        client = redis.asyncio.Redis.from_url(embedded.address, **_options())
        level = await durability_of(client)
        return RedisStore(client, level, owned=embedded.stop)
    if kind in ("redis", "rediss", "unix"):
        single = redis.asyncio.Redis.from_url(address, **_options())
        return RedisStore(single, await durability_of(single, copies), copies)
    if kind == "redis+sentinel":
        primary = _behind_sentinels(urlsplit(address))
        return RedisStore(primary, await durability_of(primary, copies), copies)
    if kind == "redis+cluster":
        return await _cluster(urlsplit(address), copies)
    raise BadAddress(
        f"{address!r} is no store. Say embedded:DIR, redis://HOST:PORT, rediss://, unix://PATH, "
        "redis+sentinel://HOST:PORT,HOST:PORT/MASTER, redis+cluster://HOST:PORT, or memory:"
    )


def _behind_sentinels(url: SplitResult) -> Any:
    name = url.path.strip("/")
    if not name:
        raise BadAddress("a Sentinel address ends with the name of the primary: .../MASTER")
    options = _options(url)
    sentinels: Any = Sentinel(  # type: ignore[no-untyped-call]
        _hosts(url), socket_timeout=1.0, socket_connect_timeout=1.0
    )
    return sentinels.master_for(name, **options)


async def _cluster(url: SplitResult, copies: int) -> RedisStore:
    options = _options(url)
    options.pop("retry_on_error")
    nodes = [ClusterNode(host, port) for host, port in _hosts(url)]
    cluster = RedisCluster(startup_nodes=nodes, **options)
    try:
        await cluster.initialize()
    except (ex.RedisError, OSError) as error:
        raise BadAddress(f"there is no cluster at {url.netloc}: {error}") from None
    level = await durability_of(cluster, copies, cluster.get_primaries())
    return RedisStore(cluster, level, copies, cluster=True)


def _hosts(url: SplitResult) -> list[tuple[str, int]]:
    hosts = []
    for place in url.netloc.rpartition("@")[2].split(","):
        host, _, port = place.rpartition(":")
        if not host or not port.isdigit():
            raise BadAddress(f"{place!r} should be HOST:PORT")
        hosts.append((host.strip("[]"), int(port)))
    return hosts


def _options(url: SplitResult | None = None) -> dict[str, Any]:
    """Connection settings: redis-py repeats little and soon; what it repeats has one effect."""
    options: dict[str, Any] = {
        "protocol": 2,
        "socket_timeout": 5.0,
        "socket_connect_timeout": 2.0,
        "retry": Retry(ExponentialBackoff(cap=0.2, base=0.05), 2),
        "retry_on_error": _AGAIN,
    }
    if url is not None:
        user, _, password = url.netloc.rpartition("@")[0].partition(":")
        if password:
            options |= {"username": unquote(user) or None, "password": unquote(password)}
    return options


_AGAIN: Final[list[type[Exception]]] = [ex.ConnectionError, ex.TimeoutError, ex.ReadOnlyError]
