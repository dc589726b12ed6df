"""How a request becomes a change of the stored match, whatever the store answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from taflhall_service.app import errors
from taflhall_service.app.access.permissions import Action, Caller, authorize
from taflhall_service.app.matches.abandon import AbandonIdle
from taflhall_service.app.matches.clock_updates import PauseClocks
from taflhall_service.app.matches.indexes import COMMIT_MS
from taflhall_service.app.matches.seats import PERSON
from taflhall_service.app.matches.start import StartMatch
from taflhall_service.app.matches.timeouts import ExpireSeat
from taflhall_service.app.matches.transaction import (
    AHEAD_MS,
    MAX_ATTEMPTS,
    NO_FINGERPRINT,
    Change,
    act,
)
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment, TimeControl, TimeoutPolicy
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    CommitResult,
    CommitStatus,
    DueQueue,
)
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    caller,
    open_match,
    playing,
    seat,
)
from tests.service.requests.process import Process, T
from tests.virtual_time import in_virtual_time, now_ms

FULL = (seat("ann"), seat("bob"))


@dataclass(frozen=True)
class Renames:
    """A request of ann to call the first seat *name*."""

    name: str = "Ann"
    request_id: str = ""
    fingerprint: bytes = FINGERPRINT
    nothing: bool = False
    unchanged: bool = False
    refused: type[errors.Refused] | None = None
    not_before: int = 0
    frozen: bytes = b""
    secret: str = "ann"
    seen: Callable[[Match], object] = lambda match: None

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.RECLAIM_SEAT, caller(self.secret), match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"test:{self.request_id or secrets.token_hex(8)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        self.seen(match)
        if self.refused is not None:
            raise self.refused
        if self.nothing:
            return None
        if self.unchanged:
            return Change(match, {}, outcome=b"outcome")
        seats = (Seat(self.name, PERSON, match.seats[0].secret), *match.seats[1:])
        fields = {"seats": codec.encode(seats)}
        return Change(
            match.changed(seats=seats),
            fields,
            outcome=b"outcome",
            not_before=self.not_before,
            frozen=self.frozen,
        )


async def failing(server: Process, request: Any, error: type[Exception]) -> Any:
    with pytest.raises(error) as caught:
        await act(server.matches, "match", request)
    assert type(caught.value) is error
    return getattr(caught.value, "metadata", None)


# ---------------------------------------------------------------- what is committed


async def test_a_change_is_committed_remembered_and_stamped():
    server = Process()
    before = await server.hold(open_match(*FULL))
    done = await act(server.matches, "match", Renames("Anna", "id"))
    [commit] = server.store.commits
    assert (commit.expected, commit.key, commit.reply) == (before.version, "test:id", b"outcome")
    assert (commit.not_before, commit.frozen, commit.fingerprint) == (0, b"", FINGERPRINT)
    assert commit.fields.keys() == {"seats", "changed"}
    assert done.match is server.matches.cached("match")
    assert done.match is not None
    assert (done.match.seats[0].name, done.match.updated_ms) == ("Anna", T)
    assert (done.match.started_ms, done.match.ended_ms) == (0, 0)
    assert (done.replayed, done.outcome, done.at_ms) == (False, b"outcome", T)
    assert done.durability is server.store.durability
    assert server.stored.version == done.match.version
    assert not len(server.matches.locks)


async def test_the_start_and_the_end_of_a_match_have_their_times():
    server = Process()
    await server.hold(open_match(*FULL))
    started = (await act(server.matches, "match", StartMatch(caller(CREATOR)))).match
    assert started is not None
    assert (started.started_ms, started.ended_ms) == (T, 0)
    assert server.store.commits[-1].fields.keys() == {"status", "snapshot", "changed", "started"}
    server.clock[0] = T + 7
    over = (await act(server.matches, "match", AbandonIdle(started.version))).match
    assert over is not None
    assert (over.started_ms, over.ended_ms, over.updated_ms) == (T, T + 7, T + 7)
    assert (server.stored.started_ms, server.stored.ended_ms) == (T, T + 7)
    later = (await act(server.matches, "match", Renames())).match
    assert later is not None
    assert later.ended_ms == T + 7
    assert "ended" not in server.store.commits[-1].fields


async def test_a_match_that_is_over_waits_for_the_archive_before_and_after_its_end():
    server = Process()
    before = await server.hold(playing(*FULL))
    assert server.memory.queues[DueQueue.IDLE] == {"match": 1000}
    await act(server.matches, "match", AbandonIdle(before.version))
    assert server.store.queued[0][DueQueue.ARCHIVE] == {"match": T + COMMIT_MS}
    assert server.memory.queues[DueQueue.ARCHIVE] == {"match": T}
    assert server.memory.queues[DueQueue.IDLE] == {}
    await act(server.matches, "match", Renames())
    assert server.store.queued[1][DueQueue.ARCHIVE] == {"match": T}


async def test_an_unfinished_match_does_not_wait_for_the_archive():
    server = Process()
    await server.hold(playing(*FULL))
    await act(server.matches, "match", Renames("Anna"))
    assert server.store.queued[0][DueQueue.ARCHIVE] == {}
    assert server.store.queued[0][DueQueue.DEADLINES] == {}


async def test_the_deadline_of_a_clock_is_noted_before_the_clock_runs():
    server = Process()
    await server.hold(open_match(*FULL, clock=TimeControl(9000)))
    await act(server.matches, "match", StartMatch(caller(CREATOR)))
    assert server.store.queued[0][DueQueue.DEADLINES] == {"match": T + 9000}
    await act(server.matches, "match", Renames("Anna"))
    assert server.memory.queues[DueQueue.DEADLINES] == {"match": T + 9000}


async def test_a_match_with_clocks_is_not_changed_far_ahead_of_the_stores_time():
    server = Process()
    before = await server.hold(open_match(*FULL, clock=TimeControl(9000)))
    assert before.clocks is None
    await act(server.matches, "match", Renames("Anna"))
    await act(server.matches, "match", StartMatch(caller(CREATOR)))
    await act(server.matches, "match", Renames("Anne"))
    await act(server.matches, "match", Renames("Ann", not_before=7))
    found = [commit.not_before for commit in server.store.commits]
    assert found == [0, T - AHEAD_MS, T - AHEAD_MS, 7]


async def test_lists_and_announcements_follow_what_they_show():
    server = Process()
    await server.hold(open_match(*FULL))
    announced = len(server.memory.announced)
    await act(server.matches, "match", Renames("Anna"))
    assert len(server.memory.announced) == announced + 1
    await act(server.matches, "match", Renames("Anna"))
    assert len(server.memory.announced) == announced + 1


async def test_a_change_leaves_the_state_that_delayed_spectators_will_see():
    server = Process()
    late = SpectatorSettings(SpectatorPolicy.DELAYED, 1000)
    await server.hold(open_match(*FULL, spectators=late))
    done = await act(server.matches, "match", Renames("Anna"))
    assert done.match is not None
    assert [state.at_ms for state in done.match.visible_states] == [T]
    assert server.stored.visible_states == done.match.visible_states


# ---------------------------------------------------------------- repeated requests


async def test_a_repeated_request_gets_the_first_outcome():
    server = Process()
    await server.hold(open_match(*FULL))
    await act(server.matches, "match", Renames("Anna", "id"))
    for request in (
        Renames("Other", "id"),
        Renames(request_id="id", nothing=True),
        Renames(request_id="id", refused=errors.Busy),
    ):
        done = await act(server.matches, "match", request)
        assert (done.match, done.replayed, done.outcome) == (None, True, b"outcome")
        assert (list(done.entries), done.at_ms) == ([], T)
        assert server.stored.seats[0].name == "Anna"


async def test_another_request_with_the_same_id_is_refused():
    server = Process()
    await server.hold(open_match(*FULL))
    await act(server.matches, "match", Renames("Anna", "id"))
    other = NO_FINGERPRINT
    for request in (
        Renames("Other", "id", other),
        Renames(request_id="id", fingerprint=other, nothing=True),
        Renames(request_id="id", fingerprint=other, refused=errors.Busy),
    ):
        assert await failing(server, request, errors.RequestIdReused) == {"request_id": "id"}
    assert server.stored.seats[0].name == "Anna"


async def test_that_there_was_nothing_to_do_is_remembered_for_a_request_with_an_id():
    server = Process()
    before = await server.hold(open_match(*FULL))
    done = await act(server.matches, "match", Renames(nothing=True))
    assert (done.match, done.replayed, done.outcome) == (before, False, b"")
    assert server.store.commits == []
    done = await act(server.matches, "match", Renames(request_id="id", nothing=True))
    assert (done.match is not None, done.replayed) == (True, False)
    [commit] = server.store.commits
    assert (commit.version, commit.fields) == (before.version, {})
    later = await act(server.matches, "match", Renames("Anna", "id"))
    assert (later.replayed, later.outcome) == (True, b"")
    assert server.stored.seats[0].name == "Ann"


async def test_a_stranger_gets_no_answer_of_another_caller():
    server = Process()
    await server.hold(open_match(*FULL))
    await act(server.matches, "match", Renames("Anna", "id"))
    await failing(server, Renames(request_id="id", secret="eve"), errors.SecretInvalid)


# ---------------------------------------------------------------- an old table


async def test_a_change_is_prepared_again_on_what_another_server_has_made():
    one, seen = Process(), list[str]()
    await one.hold(open_match(*FULL))
    two = Process(one)
    await act(two.matches, "match", Renames("Anna"))
    request = Renames("Anne", seen=lambda match: seen.append(match.seats[0].name))
    await act(one.matches, "match", request)
    assert seen == ["Ann", "Anna"]
    assert one.matches.conflicts == 1
    assert one.stored.seats[0].name == "Anne"


@pytest.mark.parametrize("request_", [{"nothing": True}, {"refused": errors.Busy}])
async def test_neither_a_refusal_nor_nothing_comes_from_an_old_table(request_: dict[str, Any]):
    one, seen = Process(), list[str]()
    await one.hold(open_match(*FULL))
    two = Process(one)
    await act(two.matches, "match", Renames("Anna"))
    request = Renames(seen=lambda match: seen.append(match.seats[0].name), **request_)
    if request.refused:
        await failing(one, request, errors.Busy)
    else:
        assert (await act(one.matches, "match", request)).match is one.matches.cached("match")
    assert seen == ["Ann", "Anna"]


async def test_a_server_gives_up_when_others_keep_changing_the_match():
    server = Process()
    await server.hold(open_match(*FULL))
    server.store.answers = [CommitResult(CommitStatus.CONFLICT)] * (MAX_ATTEMPTS - 1)
    await act(server.matches, "match", Renames("Anna"))
    assert len(server.store.commits) == MAX_ATTEMPTS
    server.store.answers = [CommitResult(CommitStatus.DIVERGED)] * MAX_ATTEMPTS
    await failing(server, Renames("Anne"), errors.Busy)
    assert len(server.store.commits) == 2 * MAX_ATTEMPTS
    assert not len(server.matches.locks)


async def test_an_answer_that_changes_nothing_is_given_and_not_remembered():
    server = Process()
    before = await server.hold(open_match(*FULL))
    done = await act(server.matches, "match", Renames(request_id="id", unchanged=True))
    assert (done.match, done.outcome, server.store.commits) == (before, b"outcome", [])
    later = await act(server.matches, "match", Renames("Anna", "id"))
    assert not later.replayed


async def test_an_earlier_deadline_is_noted_before_the_commit_and_a_later_one_after_it():
    match = playing(*FULL, clock=TimeControl(1000, policy=TimeoutPolicy.STAND_IN))
    [number] = match.pending
    for request, noted in ((ExpireSeat(number), 0), (PauseClocks(True), 3000)):
        server = Process()
        await server.hold(match)
        server.memory.queues[DueQueue.DEADLINES]["match"] = 3000
        server.clock[0] = 3500
        await act(server.matches, "match", request)
        assert server.store.queued[0][DueQueue.DEADLINES] == {"match": noted}


@in_virtual_time
async def test_a_commit_waits_no_time_for_the_note_of_its_deadline():
    match = playing(*FULL, clock=TimeControl(1000, policy=TimeoutPolicy.STAND_IN))
    server = Process()
    await server.hold(match)
    server.clock[0] = 3500
    await act(server.matches, "match", ExpireSeat(min(match.pending)))
    assert len(server.store.commits) == 1
    assert now_ms() == 0


async def test_time_is_judged_by_what_is_trusted_where_clocks_run():
    server = Process()
    await server.hold(playing(*FULL, clock=TimeControl(9000)))
    await act(server.matches, "match", Renames("Anna"))
    assert server.memory.sign == T
    untimed = Process()
    await untimed.hold(playing(*FULL))
    await act(untimed.matches, "match", Renames("Anna"))
    assert untimed.memory.sign == 0


# ---------------------------------------------------------------- refused by the store


@pytest.mark.parametrize(
    ("result", "error", "said", "kept"),
    [
        (
            CommitResult(CommitStatus.KEY_REUSED),
            errors.RequestIdReused,
            {"request_id": "id"},
            True,
        ),
        (CommitResult(CommitStatus.NOT_FOUND), errors.MatchNotFound, {"match_id": "match"}, False),
        (CommitResult(CommitStatus.FROZEN), errors.MatchFrozen, {"match_id": "match"}, False),
        (
            CommitResult(CommitStatus.FROZEN, ADMIN_PREFIX + b"why"),
            errors.MatchFrozen,
            {"match_id": "match"},
            False,
        ),
        (
            CommitResult(CommitStatus.FROZEN, b"its seats are damaged"),
            errors.StoredDataDamaged,
            {"match_id": "match"},
            False,
        ),
    ],
)
async def test_a_commit_that_the_store_refuses_changes_nothing(
    result: CommitResult, error: type[Exception], said: dict[str, str], kept: bool
):
    server = Process()
    before = await server.hold(open_match(*FULL))
    server.store.answers = [result]
    assert await failing(server, Renames("Anna", "id"), error) == said
    assert server.matches.cached("match") is (before if kept else None)
    assert server.stored.seats[0].name == "Ann"


async def test_a_change_that_is_too_early_is_made_when_the_stores_time_is_known():
    server = Process()
    await server.hold(open_match(*FULL))
    server.store.answers = [CommitResult(CommitStatus.TOO_EARLY)]
    server.memory.sign = 0
    await act(server.matches, "match", Renames("Anna"))
    assert len(server.store.commits) == 2
    assert server.memory.sign == T
    server.store.answers = [CommitResult(CommitStatus.TOO_EARLY)]
    await failing(server, Renames("Anne", not_before=T + 5), errors.CommitTooEarly)
    assert len(server.store.commits) == 3


async def test_our_own_commit_that_was_sent_twice_has_its_deadline_noted():
    server = Process()
    await server.hold(playing(*FULL, clock=TimeControl(9000)))
    server.memory.queues[DueQueue.DEADLINES].clear()
    server.store.answers = [CommitResult(CommitStatus.DUPLICATE, b"first")]
    done = await act(server.matches, "match", Renames("Anna"))
    assert (done.match, done.replayed, done.outcome) == (None, True, b"first")
    await server.matches.idle(60)
    assert server.memory.queues[DueQueue.DEADLINES] == {"match": 11_000}


async def test_what_is_to_be_frozen_is_committed_as_such():
    server = Process()
    await server.hold(open_match(*FULL))
    await act(server.matches, "match", Renames("Anna"))
    server.store.answers = [CommitResult(CommitStatus.COMMITTED)]
    await act(server.matches, "match", Renames("Anne", frozen=b"admin: why"))
    assert [commit.frozen for commit in server.store.commits] == [b"", b"admin: why"]
