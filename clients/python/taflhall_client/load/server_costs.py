"""What a load costs the servers and the store, by their own figures."""

from __future__ import annotations

import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Costs:
    """Figures of all servers and the store at a moment."""

    cpu_seconds: float = 0.0
    memory_bytes: float = 0.0
    descriptors: float = 0.0
    store_bytes: float = 0.0
    unread: int = 0
    """How many of those asked could not be read: their figures are older."""

    def minus(self, earlier: Costs) -> Costs:
        """Return what has come since *earlier*."""
        return Costs(
            self.cpu_seconds - earlier.cpu_seconds,
            self.memory_bytes - earlier.memory_bytes,
            self.descriptors - earlier.descriptors,
            self.store_bytes - earlier.store_bytes,
        )


class CostReader:
    """Reads the *metrics* pages of servers (URLs), and the memory of the Redis at *store*.

    *read* returns the samples of a page, or raises :exc:`OSError`.
    """

    def __init__(
        self,
        metrics: Sequence[str],
        store: str | None,
        read: Callable[[str], dict[str, float]] | None = None,
    ) -> None:
        self._read: Final = read or _samples
        self._pages: Final = {url: _Page() for url in metrics}
        self._store: Final = store
        self._store_bytes = 0.0
        self.unread: Final[Counter[str]] = Counter()
        """What could not be read, and how often."""

    def first(self) -> Costs:
        """Return the figures now; raise :exc:`OSError` if they cannot be read."""
        costs = self.look()
        for problem in self.unread:
            raise OSError(problem)
        return costs

    def look(self) -> Costs:
        """Return the figures now; what cannot be read is as it was, and noted as unread."""
        before = self.unread.total()
        for url, page in self._pages.items():
            with self._noting_failure():
                page.update(self._read(url))
        if self._store is not None:
            with self._noting_failure():
                self._store_bytes = _memory_of(self._store)
        pages = self._pages.values()
        return Costs(
            cpu_seconds=sum(page.cpu_before + page.cpu for page in pages),
            memory_bytes=sum(page.memory for page in pages),
            descriptors=sum(page.descriptors for page in pages),
            store_bytes=self._store_bytes,
            unread=self.unread.total() - before,
        )

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.unread[str(error)] += 1


@dataclass(slots=True)
class _Page:
    """What the metrics of one server said last."""

    cpu_before: float = 0.0
    """CPU seconds of those that have served the page before, and were restarted."""
    cpu: float = 0.0
    memory: float = 0.0
    descriptors: float = 0.0
    started: float = 0.0

    def update(self, samples: dict[str, float]) -> None:
        started = samples.get("process_start_time_seconds", 0.0)
        if started != self.started:
            self.cpu_before += self.cpu
        self.started = started
        self.cpu = samples.get("process_cpu_seconds_total", 0.0)
        self.memory = samples.get("process_resident_memory_bytes", 0.0)
        self.descriptors = samples.get("process_open_fds", 0.0)


def _samples(url: str) -> dict[str, float]:
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as page:  # noqa: S310  (the caller's own)
            families = [*text_string_to_metric_families(page.read().decode())]
    except OSError as error:
        raise OSError(f"{url} cannot be read: {getattr(error, 'reason', error)}") from None
    except (HTTPException, ValueError):
        raise OSError(f"{url} cannot be read: no metrics page came") from None
    return {s.name: s.value for family in families for s in family.samples if not s.labels}


def _memory_of(store: str) -> float:
    import redis

    try:
        client = redis.Redis.from_url(store, socket_timeout=_SECONDS)
    except ValueError:
        raise OSError("the address of the store is not one of Redis") from None
    try:
        return float(client.info("memory")["used_memory"])
    except redis.RedisError as error:
        raise OSError(f"the store does not answer: {error}") from None
    finally:
        client.close()
