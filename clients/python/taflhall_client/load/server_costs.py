"""What a load costs the servers and the store, by their own figures."""

from __future__ import annotations

import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Costs:
    """Figures of all servers and the store at a moment."""

    cpu_seconds: float = 0.0
    memory_bytes: float = 0.0
    descriptors: float = 0.0
    store_bytes: float = 0.0

    def minus(self, earlier: Costs) -> Costs:
        """Return what has come since *earlier*."""
        return Costs(
            self.cpu_seconds - earlier.cpu_seconds,
            self.memory_bytes - earlier.memory_bytes,
            self.descriptors - earlier.descriptors,
            self.store_bytes - earlier.store_bytes,
        )


def look(metrics: Sequence[str], store: str | None) -> Costs:
    """Return the sums over the *metrics* pages (URLs), and the memory of the Redis at *store*.

    Raise :exc:`OSError` if a page cannot be read.
    """
    found = [_samples(url) for url in metrics]
    return Costs(
        cpu_seconds=sum(page.get("process_cpu_seconds_total", 0.0) for page in found),
        memory_bytes=sum(page.get("process_resident_memory_bytes", 0.0) for page in found),
        descriptors=sum(page.get("process_open_fds", 0.0) for page in found),
        store_bytes=0.0 if store is None else _memory_of(store),
    )


def _samples(url: str) -> dict[str, float]:
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as page:  # noqa: S310  (the caller's own)
            text = page.read().decode()
    except OSError as error:
        raise OSError(f"{url} cannot be read: {getattr(error, 'reason', error)}") from None
    families = text_string_to_metric_families(text)
    return {s.name: s.value for family in families for s in family.samples if not s.labels}


def _memory_of(store: str) -> float:
    import redis

    client = redis.Redis.from_url(store, socket_timeout=_SECONDS)
    try:
        return float(client.info("memory")["used_memory"])
    except redis.RedisError as error:
        raise OSError(f"the store does not answer: {error}") from None
    finally:
        client.close()
