"""How long a change takes from the one who makes it to those who watch."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from taflhall_client.load.measures import WATCH_LAG, Measures


class Lag:
    """Compares when the commands of a match were sent with when watchers received the changes.

    A change may reach a watcher before its sender has the answer that names its revision.
    """

    def __init__(self, measures: Measures) -> None:
        self._measures: Final = measures
        self._sent: Final[dict[int, float]] = {}
        self._received: Final[defaultdict[int, list[float]]] = defaultdict(list)

    def committed(self, revisions: range, sent: float) -> None:
        """Note that the command sent at *sent* made *revisions*."""
        for revision in revisions:
            self._sent[revision] = sent
            for received in self._received.pop(revision, ()):
                self._measures.record(WATCH_LAG, received - sent)

    def received(self, revision: int, now: float) -> None:
        """Note that a watcher has the change of *revision* at *now*."""
        if revision in self._sent:
            self._measures.record(WATCH_LAG, now - self._sent[revision])
        else:
            self._received[revision].append(now)
