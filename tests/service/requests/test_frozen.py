"""What administrators do to a match, and reactions, which change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.matches import admin
from taflhall_service.app.matches.clock_updates import PauseClocks, resume_clocks
from taflhall_service.app.matches.reactions import AT_ONCE, ReactionLimiter, send_reaction
from taflhall_service.app.matches.transaction import MAX_ATTEMPTS, act
from taflhall_service.app.model.clocks import TimeControl, remaining
from taflhall_service.app.model.match import ABANDONED, FINISHED
from taflhall_service.app.model.signals import SeatReaction, read_reaction
from taflhall_service.app.ports.match_store import ADMIN_PREFIX, CommitResult, CommitStatus
from tests.service.requests.matches import caller, deputy, open_match, playing, seat
from tests.service.requests.process import Process

TERMS = TimeControl(1000)
TWO = (seat("ann"), seat("bob"))


async def running() -> Process:
    """Return a process with a match whose clocks began to run at 2000, and the time is 2100."""
    process = Process()
    await process.hold(playing(*TWO, clock=TERMS))
    process.clock[0] = 2100
    return process


def frozen(process: Process) -> bytes:
    return process.memory.matches["match"].frozen


async def test_a_frozen_match_is_as_it_was_when_it_is_freed():
    process = await running()
    view = await admin.freeze(process.matches, "match", "a complaint")
    assert (view.frozen, frozen(process)) == ("a complaint", ADMIN_PREFIX + b"a complaint")
    assert (await admin.view(process.matches, "match")).frozen == "a complaint"
    process.clock[0] = 9000
    freed = await admin.unfreeze(process.matches, "match")
    assert (freed.frozen, frozen(process)) == ("", b"")
    match = process.stored
    assert match.clocks is not None
    [number] = match.pending
    now = await process.matches.now()
    assert remaining(TERMS, match.clocks, number, now) == 900


async def test_a_request_for_what_is_already_so_changes_nothing():
    process = await running()
    view = await admin.unfreeze(process.matches, "match")
    assert (view.match.id, view.frozen, process.store.commits) == ("match", "", [])
    await admin.freeze(process.matches, "match", "a complaint")
    await admin.freeze(process.matches, "match", "a complaint")
    assert len(process.store.commits) == 1
    again = await admin.freeze(process.matches, "match", "another")
    assert (again.frozen, len(process.store.commits)) == ("another", 2)


async def test_a_freeze_that_was_sent_twice_shows_the_match():
    process = await running()
    process.store.answers = [CommitResult(CommitStatus.DUPLICATE)]
    view = await admin.freeze(process.matches, "match", "why")
    assert (view.match.id, view.frozen) == ("match", "why")


async def test_clocks_that_an_older_build_left_frozen_are_freed():
    process = await running()
    await admin.freeze(process.matches, "match", "a complaint")
    stored = process.memory.matches["match"]
    process.memory.matches["match"] = stored._replace(frozen=b"")
    await admin.unfreeze(process.matches, "match")
    clocks = process.stored.clocks
    assert clocks is not None
    assert not clocks.frozen


async def test_a_match_without_clocks_is_frozen_as_well():
    process = Process()
    await process.hold(open_match(*TWO))
    await admin.freeze(process.matches, "match", "why")
    await admin.unfreeze(process.matches, "match")
    assert frozen(process) == b""


async def test_time_since_an_older_build_froze_a_match_is_charged_to_nobody():
    process = await running()
    stored = process.memory.matches["match"]
    process.memory.matches["match"] = stored._replace(frozen=b"admin: why", changed=b"2100")
    process.clock[0] = 9000
    await admin.unfreeze(process.matches, "match")
    match = process.stored
    assert match.clocks is not None
    [number] = match.pending
    assert remaining(TERMS, match.clocks, number, await process.matches.now()) == 900


class Changing:
    """Changes the match after every other read of it, as others do."""

    def __init__(self, process: Process, times: int, **fields: Any) -> None:
        self.process = process
        self.times = times
        self.fields = fields
        self.reads = 0
        self.load = process.store.load
        process.store.load = self.read

    async def read(self, match_id: str) -> Any:
        self.reads += 1
        found = await self.load(match_id)
        if self.reads % 2 and self.times:
            self.times -= 1
            fields = self.fields or {"version": found.version.changed()}
            self.process.memory.matches[match_id] = found._replace(**fields)
        return found


async def test_a_match_that_changes_as_it_is_frozen_is_looked_at_again():
    process = await running()
    changing = Changing(process, MAX_ATTEMPTS - 1)
    await admin.freeze(process.matches, "match", "why")
    assert (frozen(process), len(process.store.commits)) == (ADMIN_PREFIX + b"why", 1)
    assert changing.reads == 2 * MAX_ATTEMPTS
    process = await running()
    changing = Changing(process, MAX_ATTEMPTS)
    with pytest.raises(errors.Busy):
        await admin.freeze(process.matches, "match", "why")
    assert (changing.reads, process.store.commits) == (2 * MAX_ATTEMPTS, [])


async def test_a_match_that_is_damaged_as_it_is_freed_stays_so():
    process = await running()
    await admin.freeze(process.matches, "match", "why")
    Changing(process, 1, frozen=b"its seats are damaged")
    with pytest.raises(errors.StoredDataDamaged):
        await admin.unfreeze(process.matches, "match")
    assert frozen(process) == b"its seats are damaged"


async def test_a_match_that_is_deleted_as_it_is_frozen_is_not_found():
    process = await running()
    load = process.store.load

    async def load_once(match_id: str) -> Any:
        found = await load(match_id)
        process.memory.drop(match_id)
        return found

    process.store.load = load_once
    with pytest.raises(errors.MatchNotFound):
        await admin.freeze(process.matches, "match", "why")


async def test_an_administrator_gives_up_when_others_keep_changing_the_match():
    process = Process()
    await process.hold(open_match(*TWO))
    versions, peek, attempts = process.store.versions, process.store.peek, 0

    def change() -> None:
        stored, changed = process.memory.matches["match"], process.stored.changed()
        process.memory.matches["match"] = stored._replace(version=changed.version)
        process.matches.remember(changed)

    async def versions_then_change(names: Any) -> Any:
        found = await versions(names)
        change()
        return found

    async def peek_then_change(*given: Any) -> Any:
        nonlocal attempts
        attempts += 1
        found = await peek(*given)
        change()
        return found

    process.store.versions, process.store.peek = versions_then_change, peek_then_change
    with pytest.raises(errors.Busy):
        await admin.abandon(process.matches, "match")
    assert (attempts, process.store.commits) == (MAX_ATTEMPTS, [])


# ---------------------------------------------------------------- paused clocks


async def test_the_clocks_resume_when_a_player_is_back():
    process = await running()
    await resume_clocks(process.matches, process.stored)
    assert process.store.commits == []
    await act(process.matches, "match", PauseClocks(True))
    await resume_clocks(process.matches, process.stored)
    assert process.stored.clocks is not None
    assert not process.stored.clocks.paused
    untimed = Process()
    await untimed.hold(playing(*TWO))
    await resume_clocks(untimed.matches, untimed.stored)
    assert untimed.store.commits == []


async def test_no_administrator_frees_what_is_damaged():
    process = await running()
    for call in (
        admin.unfreeze(process.matches, "match"),
        admin.freeze(process.matches, "match", "why"),
    ):
        stored = process.memory.matches["match"]
        process.memory.matches["match"] = stored._replace(frozen=b"its seats are damaged")
        with pytest.raises(errors.StoredDataDamaged) as refused:
            await call
        assert refused.value.metadata == {"match_id": "match"}
        assert frozen(process) == b"its seats are damaged"


async def test_an_unknown_match_is_not_frozen():
    process = Process()
    for call in (
        admin.freeze(process.matches, "match", "why"),
        admin.unfreeze(process.matches, "match"),
        admin.abandon(process.matches, "match"),
        admin.view(process.matches, "match"),
    ):
        with pytest.raises(errors.MatchNotFound):
            await call


async def test_an_administrator_abandons_a_match_that_is_not_over():
    for match in (playing(*TWO), open_match(*TWO)):
        process = Process()
        await process.hold(match)
        view = await admin.abandon(process.matches, "match")
        assert (view.match.status, view.frozen) == (ABANDONED, "")
        with pytest.raises(errors.MatchOver):
            await admin.abandon(process.matches, "match")


async def test_a_match_that_changes_meanwhile_is_abandoned_all_the_same():
    process = Process()
    match = await process.hold(playing(*TWO))
    process.matches.remember(match.replaced(version=match.version.changed()))
    assert (await admin.abandon(process.matches, "match")).match.status == ABANDONED


# ---------------------------------------------------------------- reactions


async def reacted(process: Process, who: Identity, number: int | None = None) -> SeatReaction:
    """Return the reaction that others are shown when *who* reacts."""
    sent: list[bytes] = []

    async def signal(match_id: str, text: bytes) -> None:
        assert match_id == "match"
        sent.append(text)

    process.store.signal = signal
    limiter = ReactionLimiter(lambda: 0.0)
    await send_reaction(process.matches, limiter, "match", who, number, 3)
    shown = read_reaction(sent[0])
    assert shown is not None
    return shown


async def test_a_reaction_shows_the_seat_that_its_sender_answers_for():
    process = Process()
    await process.hold(
        playing(seat("ann", deputy=deputy("dee")), seat("ann"), seat("bob"), seat("cy"))
    )
    assert await reacted(process, caller("ann")) == SeatReaction(1, 3)
    assert await reacted(process, caller("ann"), 1) == SeatReaction(1, 3)
    assert await reacted(process, caller("dee")) == SeatReaction(0, 3)
    assert await reacted(process, caller("cy")) == SeatReaction(3, 3)
    with pytest.raises(errors.SeatDelegated) as delegated:
        await reacted(process, caller("ann"), 0)
    assert delegated.value.metadata == {"seat": "0"}
    with pytest.raises(errors.NotYourSeat):
        await reacted(process, caller("bob"), 0)
    with pytest.raises(errors.SecretMissing):
        await reacted(process, ANONYMOUS)


async def test_the_holder_of_several_seats_reacts_as_the_first_of_them():
    process = Process()
    await process.hold(playing(seat("bob"), seat("ann"), seat("ann")))
    assert await reacted(process, caller("ann")) == SeatReaction(1, 3)


async def test_a_holder_whose_deputy_acts_for_the_only_seat_does_not_react():
    process = Process()
    await process.hold(playing(seat("ann", deputy=deputy("dee")), seat("bob")))
    with pytest.raises(errors.SeatDelegated):
        await reacted(process, caller("ann"))


async def test_nobody_reacts_in_a_match_that_is_over():
    process = Process()
    await process.hold(playing(*TWO).replaced(status=FINISHED))
    with pytest.raises(errors.MatchOver):
        await reacted(process, caller("ann"))


async def test_reactions_are_counted_for_each_seat():
    process = Process()
    await process.hold(playing(*TWO))
    limiter = ReactionLimiter(lambda: 0.0)
    for _ in range(AT_ONCE):
        await send_reaction(process.matches, limiter, "match", caller("ann"), None, 3)
    with pytest.raises(errors.RateLimited) as limited:
        await send_reaction(process.matches, limiter, "match", caller("ann"), None, 3)
    assert limited.value.metadata == {"retry_after_ms": "2000", "limit": "reactions"}
    await send_reaction(process.matches, limiter, "match", caller("bob"), None, 3)
