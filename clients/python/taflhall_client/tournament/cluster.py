"""Matches on the workers of a Dask cluster, however many it has at the moment.

Every thread of a Dask worker has a child process of its own (:mod:`.cluster_child`), since a bot
may hang or end its process. What a match writes comes back with its result, so the machines need
no common folder; they need taflhall and the bots. Dask gives a match whose worker is lost to
another one. It knows at any time of more matches than it has threads, so an adaptive cluster grows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from distributed import Client, Future
from distributed.comm.addressing import get_address_host_port

from taflhall_client.tournament import cluster_child
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.journal import write_whole
from taflhall_client.tournament.referee import set_aside
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing

LOOK_SECONDS: Final = 0.25
"""Time after which :meth:`Cluster.collect` returns without a result."""
AHEAD: Final = 500
"""Matches that the scheduler knows of at once."""


class Cluster:
    """The workers of the Dask scheduler at *address*, who play matches of *tournament*.

    Raise ``ValueError`` if *address* cannot be one.
    """

    def __init__(self, tournament: Tournament, out: Path, address: str) -> None:
        get_address_host_port(address)
        self._tournament: Final = tournament
        self._out: Final = out
        self._address: Final = address
        self._waiting: Final[deque[Pairing]] = deque()
        self._given: Final[dict[str, tuple[Pairing, Future[Any]]]] = {}
        self._done: Final[SimpleQueue[str]] = SimpleQueue()
        self._client: Client | None = None

    def __enter__(self) -> Self:
        self._client = Client(self._address)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._client is not None
        self._client.cancel([future for _, future in self._given.values()])
        self._client.close()

    @property
    def busy(self) -> bool:
        """Whether a match that was submitted has no result yet."""
        return bool(self._waiting or self._given)

    def submit(self, pairings: Iterable[Pairing]) -> None:
        """Let *pairings* be played after those before."""
        self._waiting.extend(pairings)
        self._hand_out()

    def collect(self) -> list[MatchResult]:
        """Return the results that have come, at the latest after :data:`LOOK_SECONDS`."""
        found: list[MatchResult] = []
        try:
            match_id = self._done.get(timeout=LOOK_SECONDS)
            while True:
                found.append(self._result(match_id))
                match_id = self._done.get_nowait()
        except Empty:
            self._hand_out()
            return found

    def _hand_out(self) -> None:
        assert self._client is not None
        while self._waiting and len(self._given) < AHEAD:
            pairing = self._waiting.popleft()
            future = self._client.submit(cluster_child.play, self._tournament, pairing, pure=False)
            self._given[pairing.match_id] = pairing, future
            future.add_done_callback(lambda _, match_id=pairing.match_id: self._done.put(match_id))

    def _result(self, match_id: str) -> MatchResult:
        """Return the result of a match that is over, and write its files."""
        pairing, future = self._given.pop(match_id)
        try:
            result, files = future.result()
        except Exception as error:  # its worker was lost again and again, or cannot play it
            return set_aside(pairing, f"{type(error).__name__}: {error}")
        for name, content in files.items():
            write_whole(self._out / name, content)
        assert isinstance(result, MatchResult)
        return result
