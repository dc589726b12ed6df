"""How an archiver goes through the matches that wait: in which order, at which pace."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from structlog.testing import capture_logs

from taflhall_engine.kernel.game import Result
from taflhall_service.app.jobs.archiver import (
    FAILURES,
    MANY,
    PAGE,
    RETRY_MS,
    SHARE,
    SHARE_BEHIND,
    Archiver,
    ArchiveResult,
)
from taflhall_service.app.jobs.pacing import SLICE, Throttle
from taflhall_service.app.matches.indexes import CODES, code_index_key
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.codec import encode_result, index_key_of
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.app.tournaments.seating import ResignEntrant
from tests.service.requests.matches import bot, playing, seat
from tests.service.requests.process import Process, T
from tests.service.requests.test_background_jobs import Archive

KEEP = 60.0
TWO = (seat("ann"), seat("bob"))


class Forgetful(Archive):
    """An archive that gives back less than it was given."""

    async def get(self, name: str) -> bytes | None:
        found = await super().get(name)
        return None if found is None else found[:-1]


class Archiving(Process):
    """A process with an archiver, whose time of work is that of the test."""

    def __init__(
        self, archive: Archive | None = None, share: float = SHARE, slice_seconds: float = SLICE
    ) -> None:
        super().__init__()
        self.archive = archive or Archive()
        self.results: Counter[ArchiveResult] = Counter()
        self.shares: list[float] = []
        """The share of the event loop's time at first, and in each scan."""
        self.worked = 0.0
        self.rests: list[float] = []

        def throttle(share: float) -> Throttle:
            self.shares.append(share)
            return Throttle(share, slice_seconds, lambda: self.worked, self.rest)

        self.job = Archiver(self.store, self.archive, KEEP, self.note, share, throttle=throttle)

    def note(self, result: ArchiveResult) -> None:
        self.results[result] += 1

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)

    async def over(self, match: Match, moves: int = 0) -> Archiving:
        """Hold *match*, let its bots give that many answers, and end it."""
        await self.hold(match)
        await self.play_on(moves)
        await act(self.matches, "match", ResignEntrant(""))
        await self.matches.idle(60)
        return self

    def queue(self, which: DueQueue = DueQueue.ARCHIVE) -> dict[str, int]:
        return self.memory.queues[which]

    def alter(self, **fields: Any) -> None:
        """Store the match with other *fields*."""
        found = self.memory.matches["match"]
        self.memory.matches["match"] = found._replace(**fields)


@pytest.mark.parametrize(
    ("waiting", "share", "taken"),
    [(MANY, SHARE, SHARE), (MANY + 1, SHARE, SHARE_BEHIND), (MANY + 1, 0.75, 0.75)],
)
async def test_an_archiver_that_is_behind_takes_a_larger_share(
    waiting: int, share: float, taken: float
):
    archiving = Archiving(share=share)
    assert archiving.job.backlog == 0
    archiving.queue().update({f"gone{number}": T for number in range(waiting)})
    await archiving.job.scan()
    assert archiving.shares == [share, taken]
    assert archiving.results == {ArchiveResult.MOVED: waiting}


async def test_what_waits_is_read_page_by_page_and_taken_in_any_order():
    archiving = Archiving()
    names = [f"gone{number:03}" for number in range(PAGE + 1)]
    archiving.queue().update(dict.fromkeys(names, T))
    archiving.queue(DueQueue.EXPIRY).update({f"{2000:012x}deleted{name}": T for name in names})
    due, load = archiving.store.due, archiving.store.load
    pages: dict[DueQueue, list[int]] = {DueQueue.ARCHIVE: [], DueQueue.EXPIRY: []}
    loaded: list[str] = []

    async def counting(now_ms: int, count: int, queue: DueQueue) -> list[str]:
        found: list[str] = await due(now_ms, count, queue)
        pages[queue].append(len(found))
        return found

    async def noting(match_id: str) -> Any:
        loaded.append(match_id)
        return await load(match_id)

    archiving.store.due, archiving.store.load = counting, noting
    await archiving.job.scan()
    assert list(pages.values()) == [[PAGE, 1, 0], [PAGE, 1, 0]]
    assert sorted(loaded) == names
    assert loaded != names  # several servers then seldom work at the same match


@pytest.mark.parametrize(
    ("archive", "why", "error"),
    [(Archive(full=True), "OSError", "no space"), (Forgetful(), "ArchiveMismatch", "")],
)
async def test_what_an_archive_did_not_take_is_in_the_log_and_in_the_next_scan(
    archive: Archive, why: str, error: str
):
    archiving = await Archiving(archive).over(playing(*TWO))
    with capture_logs() as logged:
        assert await archiving.job.keep("match") is ArchiveResult.FAILED
    (line,) = logged
    assert (line["why"], line["error"]) == (why, error)
    assert archiving.queue() == {"match": T + 1}


async def test_a_scan_ends_when_the_archive_takes_nothing_and_the_next_one_tries_others():
    archiving = Archiving()
    archiving.queue().update({f"over{number:03}": T for number in range(4 * FAILURES)})
    tried: list[str] = []
    takes = False

    async def keep(match_id: str) -> ArchiveResult:
        tried.append(match_id)
        due = None if takes else archiving.queue()[match_id] + 1
        await archiving.store.schedule(match_id, due, DueQueue.ARCHIVE)
        return ArchiveResult.KEPT if takes else ArchiveResult.FAILED

    job: Any = archiving.job
    job.keep = keep
    await archiving.job.scan()
    assert len(set(tried)) == len(tried) == FAILURES
    assert archiving.job.backlog == 4 * FAILURES
    takes = True
    archiving.memory.clock = lambda: T + 1
    await archiving.job.scan()
    assert archiving.job.backlog == 0


async def test_a_match_that_ended_otherwise_than_its_record_is_not_marked_as_archived():
    archiving = await Archiving().over(playing(*TWO))
    archiving.alter(result=encode_result(Result([True, False], [1, 2], [], [])))
    with capture_logs() as logged:
        assert await archiving.job.keep("match") is ArchiveResult.DAMAGED
    assert [line["why"] for line in logged] == ["the stored data is damaged"]
    assert not archiving.memory.matches["match"].archived


async def test_a_match_that_changed_meanwhile_is_tried_again_after_a_while():
    archiving = await Archiving().over(playing(*TWO))

    async def changed(*_: object) -> bool:
        return False

    archiving.store.set_field = changed
    assert await archiving.job.keep("match") is ArchiveResult.MOVED
    assert archiving.queue() == {"match": T + RETRY_MS}


async def test_a_match_that_is_not_over_after_all_waits_to_become_idle():
    archiving = Archiving()
    await archiving.hold(playing(*TWO))
    archiving.alter(changed=b"1500")
    archiving.queue(DueQueue.IDLE).clear()
    archiving.queue()["match"] = T
    assert await archiving.job.keep("match") is ArchiveResult.MOVED
    assert archiving.queue(DueQueue.IDLE) == {"match": 1500}
    assert archiving.queue() == {}


@pytest.mark.parametrize("delay", [0, 60_000])
@pytest.mark.parametrize("archived", [b"", b"digest"])
async def test_an_archived_match_leaves_the_lists_when_everybody_has_seen_its_end(
    archived: bytes, delay: int
):
    """Even if the server that has archived it died before it noted that."""
    policy = SpectatorPolicy.DELAYED if delay else SpectatorPolicy.PUBLIC
    spectators = SpectatorSettings(policy, delay)
    archiving = await Archiving().over(playing(*TWO, spectators=spectators))
    match = archiving.stored
    archiving.alter(archived=archived)
    await archiving.store.index_add(code_index_key(match), CODES)
    kept = await archiving.job.keep("match")
    assert kept is (ArchiveResult.MOVED if archived else ArchiveResult.KEPT)
    expiry = T + int(KEEP) * 1000 + 2 * delay
    assert archiving.queue(DueQueue.EXPIRY) == {index_key_of(match.origin): expiry}
    assert archiving.memory.indexes[CODES] == []


async def test_the_time_in_which_a_match_is_read_is_no_work():
    archiving = await Archiving().over(playing(*TWO))
    load = archiving.store.load

    async def slowly(match_id: str) -> Any:
        archiving.worked += 50.0
        return await load(match_id)

    archiving.store.load = slowly
    assert await archiving.job.keep("match") is ArchiveResult.KEPT
    assert archiving.rests == []


async def test_others_get_their_turn_while_entries_are_read_and_replayed():
    moves = 4
    archiving = await Archiving(slice_seconds=0.0).over(playing(bot("A"), bot("B")), moves)
    assert await archiving.job.keep("match") is ArchiveResult.KEPT
    revisions = moves + 1
    assert len(archiving.rests) == 2 * revisions
