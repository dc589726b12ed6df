"""Opens the store or archive of an address: :data:`STORES`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import redis.asyncio
import redis.exceptions as ex
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialBackoff, NoBackoff

from taflhall_service.app.ports.match_store import Durability, MatchStore
from taflhall_service.app.ports.record_archive import RecordArchive
from taflhall_service.observability.metrics import StoreMetrics
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.embedded import Embedded
from taflhall_service.store.memory import MemoryStore
from taflhall_service.store.redis.client import RedisClient
from taflhall_service.store.redis.durability import DurabilityTooLow, StoreGuard
from taflhall_service.store.redis.store import RedisStore
from taflhall_service.store.redis.transports import ClusterTransport, SingleNodeTransport

STORES: Final = {
    "memory:": "in this process, for tests and for trying out",
    "embedded:DIR": "an embedded Valkey that keeps its data in DIR",
    "redis://HOST:PORT[/DB]": "one Redis, or over TLS rediss://; also unix://PATH",
    "redis+sentinel://H:P,H:P/MASTER": "the primary that the Sentinels name, or rediss+sentinel://",
    "redis+cluster://H:P[,H:P]": "a cluster, or rediss+cluster://",
}
"""The addresses of stores, and their meaning."""

TLS_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
"""Options of an address with TLS: files of the authority, and of a client's certificate and key."""

MAX_PORT: Final = 65535

BUCKETS: Final = ("s3", "gs", "az", "abfs", "abfss")
"""Kinds of buckets that can keep an archive."""


class BadAddress(Exception):
    """An address without a store; the message says how one looks."""


async def open_store(
    address: str, declared: Durability, metrics: StoreMetrics | None = None
) -> MatchStore:
    """Open the store at *address*; *metrics* count its operations.

    Raise :exc:`BadAddress`, :exc:`DurabilityTooLow` if it does not reach the *declared*
    durability, ``EmbeddedStoreError`` if none can run here, or ``StoreUnavailable``.
    """
    kind, _, rest = address.partition(":")
    if kind == "memory" and not rest:
        if declared > Durability.MEMORY:
            raise DurabilityTooLow(
                f"a store in memory does not reach the level '{declared.name.lower()}'. Choose "
                "another store, or accept the lower level with --durability memory."
            )
        return MemoryStore(metrics=metrics)
    replicas = 1 if declared is Durability.REPLICATED else 0
    guard = StoreGuard(declared, replicas, metrics)
    if kind == "embedded" and rest:
        embedded = Embedded(Path(rest))
        await embedded.start()
        client = _client(embedded.address, guard)
        return await _single(client, guard, metrics, embedded.stop)
    if kind in ("redis", "rediss", "unix"):
        return await _single(_client(address, guard), guard, metrics)
    if kind in ("redis+sentinel", "rediss+sentinel"):
        return await _single(_behind_sentinels(urlsplit(address), guard), guard, metrics)
    if kind in ("redis+cluster", "rediss+cluster"):
        return await _cluster(urlsplit(address), guard, metrics)
    raise BadAddress(
        f"{without_credentials(address)!r} is not a store: use one of {', '.join(STORES)}"
    )


def without_credentials(address: str) -> str:
    """Return the address of a store for people to read: without name, password and options."""
    scheme, slashes, place = address.partition("//")
    if "?" in place:
        return f"{scheme}//***"
    user, at, host = place.rpartition("@")
    return f"{scheme}{slashes}{'***' if at else user}{at}{host}"


def open_archive(address: str) -> RecordArchive:
    """Open the archive at *address*, a folder or a bucket, or raise :exc:`BadAddress`."""
    kind, colon, rest = address.partition(":")
    is_url = rest.startswith("//")
    if is_url != (bool(colon) and kind in BUCKETS):
        known = ", ".join(f"{bucket}://" for bucket in BUCKETS)
        raise BadAddress(f"{address!r} is not an archive: expected a folder or {known}")
    try:
        if is_url:
            return _bucket(address)
        return FolderArchive(Path(address))
    except OSError as error:
        raise BadAddress(f"no archive can be kept in {address}: {error.strerror}") from None


def _bucket(url: str) -> RecordArchive:
    try:
        from taflhall_service.store.archive.bucket import ObjectArchive
    except ModuleNotFoundError:
        raise BadAddress(f"for {url} install taflhall[objects]: obstore is not here") from None
    try:
        return ObjectArchive(url)
    except ValueError as error:
        raise BadAddress(f"no archive can be kept in {url}: {error}") from None


def _client(address: str, guard: StoreGuard) -> RedisClient:
    try:
        if urlsplit(address).port == 0:  # which the library takes for none
            raise ValueError
        client: Any = redis.asyncio.Redis.from_url(
            address, redis_connect_func=guard.on_connect, **_options()
        )
        pool = client.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # raises for an option that is unknown
    except (ValueError, TypeError):
        shown = without_credentials(address)
        raise BadAddress(f"{shown!r} is not the address of a Redis: redis://HOST:PORT") from None
    return cast("RedisClient", client)


async def _single(
    client: RedisClient,
    guard: StoreGuard,
    metrics: StoreMetrics | None,
    on_close: Callable[[], Awaitable[None]] | None = None,
) -> RedisStore:
    return await _checked(RedisStore(client, SingleNodeTransport(client), guard, on_close, metrics))


async def _checked(store: RedisStore) -> RedisStore:
    """Return *store* if it reaches the declared level; else close it and raise."""
    try:
        await store.ping()
        store.guard.refuse_if_too_low()
    except BaseException:
        await store.close()
        raise
    return store


def _behind_sentinels(url: SplitResult, guard: StoreGuard) -> RedisClient:
    name = url.path.strip("/")
    if not name:
        raise BadAddress("a Sentinel address ends with the name of the primary: .../MASTER")
    options = _options(url)
    asked = {
        "socket_timeout": 1.0,
        "socket_connect_timeout": 1.0,
        "retry": Retry(NoBackoff(), 0),  # the next Sentinel is asked instead
        **_tls(url),
    }
    sentinels: Any = Sentinel(_hosts(url), sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
    primary: RedisClient = sentinels.master_for(
        name, redis_connect_func=guard.on_connect, **options
    )
    return primary


async def _cluster(url: SplitResult, guard: StoreGuard, metrics: StoreMetrics | None) -> RedisStore:
    options = _options(url)
    options.pop("retry_on_error")
    nodes = [ClusterNode(host, port) for host, port in _hosts(url)]
    cluster: Any = RedisCluster(startup_nodes=nodes, **options)
    try:
        await cluster.initialize()
    except (ex.RedisError, ex.RedisClusterException, OSError) as error:
        hosts = url.netloc.rpartition("@")[2]
        kind = type(error).__name__
        raise BadAddress(f"there is no cluster at {hosts}: {kind}") from None
    return await _checked(RedisStore(cluster, ClusterTransport(cluster), guard, metrics=metrics))


def _hosts(url: SplitResult) -> list[tuple[str, int]]:
    hosts = []
    for place in url.netloc.rpartition("@")[2].split(","):
        host, _, port = place.rpartition(":")
        digits = port.isascii() and port.isdigit()
        if not host or not digits or not 0 < int(port) <= MAX_PORT:
            raise BadAddress(f"{url.scheme}:// is followed by HOST:PORT[,HOST:PORT]")
        hosts.append((host.strip("[]"), int(port)))
    return hosts


def _options(url: SplitResult | None = None) -> dict[str, Any]:
    """Connection settings: redis-py retries soon and few times; all calls are idempotent."""
    options: dict[str, Any] = {
        "protocol": 2,
        "socket_timeout": 5.0,
        "socket_connect_timeout": 2.0,
        "retry": Retry(ExponentialBackoff(cap=0.2, base=0.05), 2),
        "retry_on_error": _RETRIED,
    }
    if url is not None:
        user, _, password = url.netloc.rpartition("@")[0].partition(":")
        if password:
            options |= {"username": unquote(user) or None, "password": unquote(password)}
        options |= _tls(url)
    return options


def _tls(url: SplitResult) -> dict[str, Any]:
    """Return how the hosts of *url* are reached: with TLS if its scheme says so."""
    given = dict(parse_qsl(url.query, keep_blank_values=True))
    secure = url.scheme.startswith("rediss+")
    if not given.keys() <= (set(TLS_FILES) if secure else set()):
        known = f"no options but {', '.join(TLS_FILES)}" if secure else "no options"
        raise BadAddress(f"{url.scheme}:// takes {known}")
    return {"ssl": True, **given} if secure else {}


_RETRIED: Final[list[type[Exception]]] = [ex.ConnectionError, ex.TimeoutError, ex.ReadOnlyError]
