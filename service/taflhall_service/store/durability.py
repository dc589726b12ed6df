"""How safely a Redis keeps what it has acknowledged, as its settings say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from redis.exceptions import ResponseError

from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.redis.batcher import CONNECTION_ERRORS, unavailable
from taflhall_service.store.redis.client import ClusterNode, RedisClient

_log = structlog.get_logger("store")


async def durability_of(
    client: RedisClient, replicas: int = 0, nodes: Sequence[ClusterNode | None] = (None,)
) -> Durability:
    """Return the level that every one of a cluster's *nodes* reaches, or the one server.

    With *replicas* it is one level higher, for then WAIT confirms each commit. A setting that
    may not be read counts as the weaker one. Raise ``StoreUnavailable`` if nobody answers.
    """
    try:
        level = min([await _level(client, node) for node in nodes])
    except CONNECTION_ERRORS as error:
        raise unavailable(error) from None
    return Durability.REPLICATED if replicas and level is Durability.DISK else level


async def _level(client: RedisClient, node: ClusterNode | None) -> Durability:
    there = {} if node is None else {"target_nodes": node}
    try:
        settings = _text(await client.config_get("append*", "maxmemory-policy", **there))
    except ResponseError:
        _log.warning("settings_unreadable", setting="append*")
        info = await client.info("persistence", **there)
        return Durability.PERIODIC if info.get("aof_enabled") else Durability.MEMORY
    policy = settings.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        _log.warning("unsafe_setting", setting="maxmemory-policy", found=policy)
    if settings.get("appendonly") != "yes":
        return Durability.MEMORY
    return Durability.DISK if settings.get("appendfsync") == "always" else Durability.PERIODIC


def _text(settings: Any) -> dict[str, str]:
    return {_str(name): _str(value) for name, value in settings.items()}


def _str(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
