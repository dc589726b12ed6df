"""The matches of one process over a store in memory that notes what it is asked for."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.agenda import options
from taflhall_engine.kernel.drafts import Draft
from taflhall_service.app.matches.create import store_new_match
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import clock_fields, table_fields
from taflhall_service.app.matches.timeouts import PlayStandIn
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import Match, decode_match
from taflhall_service.app.ports.match_store import Commit, CommitResult, DueQueue, StoredMatch
from taflhall_service.app.watching.channels import Hub
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.requests.matches import FINGERPRINT, LIMITS

T = 1_000_000
"""The time at first."""


class NotingStore(MemoryStore):
    """Answers the first commits as the test says; notes commits and reads."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.answers: list[CommitResult] = []
        self.commits: list[Commit] = []
        self.queued: list[dict[DueQueue, dict[str, int]]] = []
        """The queues as they were at each commit."""
        self.loads = 0

    async def commit(self, commit: Commit) -> CommitResult:
        self.commits.append(commit)
        self.queued.append({queue: dict(names) for queue, names in self.memory.queues.items()})
        return self.answers.pop(0) if self.answers else await super().commit(commit)

    async def load(self, match_id: str) -> StoredMatch | None:
        self.loads += 1
        return await super().load(match_id)


class Process:
    """The matches of one process, and its store. The time stands still unless it is set."""

    def __init__(self, other: Process | None = None, tables: int = 10) -> None:
        self.clock: list[int] = [T] if other is None else other.clock
        self.memory: Memory = Memory(lambda: self.clock[0]) if other is None else other.memory
        self.store: Any = NotingStore(self.memory)
        self.matches = Matches(self.store, Hub(self.store), LIMITS, bytes(32), tables)

    async def hold(self, match: Match) -> Match:
        """Store *match*, as this process knows it."""
        stored = await store_new_match(self.matches, match, FINGERPRINT, "")
        if match.table is not None:
            fields: dict[str, Any] = table_fields(match) | clock_fields(match, Moment(0))
            self.memory.matches[match.id] = self.memory.matches[match.id]._replace(**fields)
        self.store.commits.clear()
        self.store.queued.clear()
        return stored

    @property
    def stored(self) -> Match:
        return decode_match(self.memory.matches["match"])

    async def play_on(self, moves: int) -> Match:
        """Let the bots of the match give that many answers."""
        for _ in range(moves):
            match = await self.matches.current("match")
            seat = min(match.pending)
            await act(self.matches, "match", PlayStandIn(match.revision, seat, whole(match, seat)))
        return await self.matches.current("match")


def whole(match: Match, seat: int) -> tuple[int, ...]:
    """Return the first whole answer of *seat*, step by step."""
    assert match.table is not None
    draft, steps = Draft(match.table, seat), [0]
    while not draft.give(options(draft.table, seat)[0]):
        steps.append(0)
    return tuple(steps)
