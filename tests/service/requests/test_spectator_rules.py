"""What spectators see of a match, and from which moment on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.access.permissions import caller_or_spectator
from taflhall_service.app.errors import (
    InvalidPageToken,
    Malformed,
    MatchOver,
    NoFreeSeat,
    NotFinished,
    NotStarted,
    SeatTaken,
    SpectatorsNotAllowed,
    UnknownSeat,
)
from taflhall_service.app.matches.abandon import AbandonIdle
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.match import ABANDONED, Match
from taflhall_service.app.model.spectator_policy import SpectatorSettings
from taflhall_service.app.model.tokens import ResumePoint, resume_token
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.spectating import queries
from taflhall_service.app.spectating.delayed_match import MARGIN_MS
from taflhall_service.app.spectating.spectators import (
    DELAYED_VIEWER,
    MAX_IDLE,
    PATIENCE,
    DelayedSource,
    Spectators,
)
from taflhall_service.app.tournaments.seating import SeatEntrants
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    bot,
    caller,
    open_match,
    playing,
    seat,
)
from tests.service.requests.process import Process, T
from tests.service.requests.spectators import DELAY, FREE, LATE, NONE, shown_in
from tests.waiting import settle

BOTS = (bot("A"), bot("B"))


async def sees(spectators: Spectators, match: Match, secret: str = "") -> Match:
    identity = caller(secret) if secret else ANONYMOUS
    return await spectators.see(match, caller_or_spectator(identity, match))


# ---------------------------------------------------------------- who sees what


@pytest.mark.parametrize("policy", [SpectatorSettings(), LATE, NONE])
@pytest.mark.parametrize("secret", ["ann", CREATOR])
async def test_players_and_the_creator_see_the_match_as_it_is(policy, secret):
    match = open_match(seat("ann"), FREE, spectators=policy)
    _, spectators = await shown_in(match)
    assert await sees(spectators, match, secret) is match
    assert spectators.delayed_matches == []


async def test_a_match_without_spectators_is_shown_to_nobody_else():
    match = open_match(seat("ann"), FREE, spectators=NONE)
    _, spectators = await shown_in(match)
    with pytest.raises(SpectatorsNotAllowed) as refused:
        await sees(spectators, match)
    assert refused.value.metadata == {"match_id": "match"}
    assert await spectators.visible_or_none(match, ANONYMOUS) is None
    assert await spectators.visible_or_none(match, caller("ann")) is match
    with pytest.raises(SpectatorsNotAllowed):
        spectators.source(match, caller_or_spectator(ANONYMOUS, match), "")


async def test_a_public_match_is_shown_as_it_is():
    match = open_match(seat("ann"), FREE)
    _, spectators = await shown_in(match)
    assert await sees(spectators, match) is match
    stranger = caller_or_spectator(ANONYMOUS, match)
    assert spectators.source(match, stranger, "") is spectators.matches
    assert spectators.token_owner(match, stranger, 1) == 1


async def test_what_a_first_answer_showed_is_shown_again_as_the_caller_may_see_it():
    match = open_match(seat("ann"), FREE, spectators=NONE)
    _, spectators = await shown_in(match)
    assert await spectators.shown(match, "match", ANONYMOUS) is match
    assert await spectators.shown(None, "match", ANONYMOUS) is None
    again = await spectators.shown(None, "match", caller("ann"))
    assert again is spectators.matches.cached("match")


# ---------------------------------------------------------------- when it is old enough


async def changes_visibly_at(process: Process, spectators: Spectators, at_ms: int) -> None:
    """Check that spectators see the match as it is from that time on, and not before."""
    match = await process.matches.current("match")
    process.clock[0] = at_ms - 1
    assert (await sees(spectators, match)).as_of
    process.clock[0] = at_ms
    assert await sees(spectators, match) is match
    for delayed in spectators.delayed_matches:
        delayed.stop()


async def test_a_new_match_is_shown_as_it_is_when_its_creation_is_old_enough():
    process, spectators = await shown_in(open_match(seat("ann"), FREE, spectators=LATE))
    await changes_visibly_at(process, spectators, 1000 + DELAY + MARGIN_MS)


async def test_a_match_is_shown_as_it_is_when_its_last_change_is_old_enough():
    match = playing(*BOTS, spectators=LATE)
    process, spectators = await shown_in(match)
    await act(process.matches, "match", AbandonIdle(match.version))
    await changes_visibly_at(process, spectators, T + DELAY + MARGIN_MS)
    process, spectators = await shown_in(match)
    await process.play_on(1)
    await changes_visibly_at(process, spectators, T + DELAY + MARGIN_MS)


async def test_a_running_clock_is_never_shown_as_it_is():
    match = playing(*BOTS, spectators=LATE, clock=TimeControl(60_000))
    process, spectators = await shown_in(match)
    process.clock[0] = T + 1000 * DELAY
    assert (await sees(spectators, match)).as_of
    over = (await act(process.matches, "match", AbandonIdle(match.version))).match
    assert over is not None
    assert over.status == ABANDONED
    process.clock[0] += DELAY + MARGIN_MS
    assert await sees(spectators, over) is over
    for delayed in spectators.delayed_matches:
        delayed.stop()


async def test_a_match_that_is_followed_late_is_read_there_by_those_without_credentials():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    process, spectators = await shown_in(match)
    process.clock[0] = 1000
    assert await spectators.peek("match", ANONYMOUS) is None
    seen = await sees(spectators, match)
    assert seen.as_of == 1000
    [delayed] = spectators.delayed_matches
    assert await spectators.peek("match", ANONYMOUS) is delayed.match
    assert await spectators.seen_by(ANONYMOUS, "match") is delayed.match
    assert await spectators.peek("match", caller("ann")) is None
    assert (await spectators.seen_by(caller("ann"), "match")).as_of == 0
    assert await spectators.peek("other", ANONYMOUS) is None
    delayed.stop()
    assert await spectators.peek("match", ANONYMOUS) is None


async def test_what_is_seen_late_is_not_delayed_once_more():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    process, spectators = await shown_in(match)
    process.clock[0] = 1000
    seen = await sees(spectators, match)
    [delayed] = spectators.delayed_matches
    delayed.stop()
    assert await sees(spectators, seen) is seen
    assert not delayed.following


async def test_a_match_that_has_left_the_store_is_not_read_where_it_was_followed():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    process, spectators = await shown_in(match)
    process.clock[0] = 1000
    await sees(spectators, match)
    [delayed] = spectators.delayed_matches
    delayed.channel.deleted = True
    assert delayed.following
    assert await spectators.peek("match", ANONYMOUS) is None
    delayed.stop()


async def test_the_newest_change_of_the_seats_has_to_be_old_enough():
    process, spectators = await shown_in(open_match(FREE, FREE, spectators=LATE))
    for number in (0, 1):
        request = JoinMatch.of(
            LIMITS, ANONYMOUS, (number,), f"P{number}", 0, f"{number:016}", FINGERPRINT
        )
        await act(process.matches, "match", request)
        process.clock[0] += 1000
    await changes_visibly_at(process, spectators, T + 1000 + DELAY + MARGIN_MS)


# ---------------------------------------------------------------- delayed matches


async def test_one_delayed_match_serves_all_until_another_has_its_id():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    _, spectators = await shown_in(match)
    first = spectators.delayed(match)
    assert spectators.delayed(match.changed()) is first
    other = match.replaced(origin=replace(match.origin, chain=b"o" * 32))
    second = spectators.delayed(other)
    assert second is not first
    assert first.channel.deleted
    assert spectators.delayed_matches == [second]


async def test_delayed_matches_that_nobody_watches_make_room_the_longest_unused_first():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    _, spectators = await shown_in(match)

    def called(number: int) -> Match:
        return match.replaced(origin=replace(match.origin, match_id=f"m{number}"))

    watched = spectators.delayed(called(0))
    watched.users = 1
    for number in range(1, MAX_IDLE + 1):
        spectators.delayed(called(number))
    spectators.delayed(called(1))
    assert len(spectators.delayed_matches) == MAX_IDLE + 1
    spectators.delayed(called(MAX_IDLE + 1))
    left = {delayed.match.id for delayed in spectators.delayed_matches}
    assert len(left) == MAX_IDLE + 1
    assert {"m0", "m1"} <= left
    assert "m2" not in left


async def test_a_delayed_source_gives_only_what_has_been_seen():
    process, spectators = await shown_in(playing(*BOTS, spectators=LATE))
    await process.play_on(3)
    match = await process.matches.current("match")
    delayed = spectators.delayed(match)
    source = DelayedSource(process.matches, delayed, 0)
    assert await source.entries("match", 1, None) == []
    process.clock[0] = T + DELAY + MARGIN_MS
    assert (await source.current("match")).revision == 3
    await process.play_on(1)
    for first, last, found in (
        (1, None, [1, 2, 3]),
        (2, 4, [2, 3]),
        (2, 2, [2]),
        (3, None, [3]),
        (4, None, []),
    ):
        entries = await source.entries("match", first, last)
        assert [entry.revision for entry in entries] == found
    assert await source.fresh("match") is delayed.match
    assert not source.draining
    process.matches.hub.drain()
    assert source.draining
    delayed.stop()
    await process.matches.hub.stop()


async def test_a_delayed_spectator_is_counted_and_reads_what_has_been_seen():
    process, spectators = await shown_in(playing(*BOTS, spectators=LATE))
    await process.play_on(2)
    delayed = spectators.delayed(await process.matches.current("match"))
    source = DelayedSource(process.matches, delayed, 0)
    channel = source.open(delayed.match)
    assert (channel, delayed.users) == (delayed.channel, 1)
    process.clock[0] = T + DELAY + MARGIN_MS
    await source.listen(channel)
    assert delayed.match.revision == 2
    assert await source.watched(channel) is delayed.match
    wakeups = channel.wakeups
    source.observed(channel, process.stored.version)
    assert channel.wakeups == wakeups
    source.close(channel)
    assert delayed.users == 0
    delayed.stop()


class Behind:
    """A delayed match at revision 3, whose match has come to revision *known* here."""

    def __init__(self, known: int, following: bool = True) -> None:
        self.known = Version(known, b"", 0)
        self.following = following
        self.match = SimpleNamespace(revision=3)
        self.looks = 0
        self.advances = 0

    async def look(self) -> Any:
        self.looks += 1
        return self.match

    async def advance(self, _live: Match) -> Any:
        self.advances += 1
        return self.match

    async def catch_up(self) -> None:
        """Come to revision 4 after a while."""
        await settle(PATIENCE // 2)
        self.match = SimpleNamespace(revision=4)


@pytest.mark.parametrize(
    ("least", "known", "looks"),
    [(0, 9, 1), (3, 9, 1), (4, 3, 1), (4, 4, PATIENCE), (4, 9, PATIENCE), (5, 5, PATIENCE)],
)
async def test_a_viewer_who_has_seen_more_waits_a_little_if_it_is_known_here(least, known, looks):
    process, _ = await shown_in(playing(*BOTS, spectators=LATE))
    for following in (True, False):
        behind: Any = Behind(known, following)
        source = DelayedSource(process.matches, behind, least, pause_seconds=0)
        assert await source.current("match") is behind.match
        assert (behind.looks, behind.advances) == ((looks, 0) if following else (0, looks))


async def test_a_viewer_who_waits_sees_what_they_have_seen_before():
    process, _ = await shown_in(playing(*BOTS, spectators=LATE))
    behind: Any = Behind(4)
    source = DelayedSource(process.matches, behind, 4, pause_seconds=0)
    _, seen = await asyncio.gather(behind.catch_up(), source.current("match"))
    assert seen.revision == 4
    assert behind.looks < PATIENCE


async def test_a_viewer_without_a_token_does_not_wait():
    process, spectators = await shown_in(playing(*BOTS, spectators=LATE))
    await process.play_on(2)
    match = await process.matches.current("match")
    source = spectators.source(match, caller_or_spectator(ANONYMOUS, match), "")
    now, asked = process.store.now, list[None]()

    async def counted() -> int:
        asked.append(None)
        time: int = await now()
        return time

    process.store.now = counted
    assert (await source.current("match")).revision == 0
    assert len(asked) == 1
    for delayed in spectators.delayed_matches:
        delayed.stop()


async def test_a_delayed_viewer_resumes_with_their_own_token():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    _, spectators = await shown_in(match)
    stranger = caller_or_spectator(ANONYMOUS, match)
    assert spectators.token_owner(match, stranger, 1) == DELAYED_VIEWER
    for viewer, fits in ((DELAYED_VIEWER, True), (-1, False)):
        token = resume_token(bytes(32), "match", viewer, ResumePoint(0, 0), b"head")
        if fits:
            assert isinstance(spectators.source(match, stranger, token), DelayedSource)
        else:
            with pytest.raises(Malformed):
                spectators.source(match, stranger, token)


# ---------------------------------------------------------------- late joins


def late_join(secret: str = "", *seats: int) -> JoinMatch:
    identity = caller(secret) if secret else ANONYMOUS
    return JoinMatch.of(LIMITS, identity, seats, "Dee", 0, "r" * 16, FINGERPRINT)


@pytest.mark.parametrize(
    ("policy", "secret"),
    [(SpectatorSettings(), ""), (LATE, "ann"), (NONE, "ann")],
)
async def test_a_caller_who_sees_the_match_is_refused_for_its_present_status(policy, secret):
    match = playing(seat("ann"), seat("bob"), spectators=policy)
    _, spectators = await shown_in(match)
    await spectators.refuse_late_join(match, late_join(secret))


@pytest.mark.parametrize("policy", [LATE, NONE])
async def test_a_caller_who_may_not_see_the_start_of_a_match_finds_its_seats_taken(policy):
    match = playing(seat("ann"), seat("bob"), spectators=policy)
    process, spectators = await shown_in(match)
    process.clock[0] = 1000
    for request, error in (
        (late_join(), NoFreeSeat),
        (late_join("", 1), SeatTaken),
        (late_join("", 2), UnknownSeat),
    ):
        with pytest.raises(error):
            await spectators.refuse_late_join(match, request)
    free = match.replaced(seats=(seat("ann"), FREE))
    with pytest.raises(NoFreeSeat) as refused:
        await spectators.refuse_late_join(free, late_join())
    assert refused.value.metadata == {"match_id": "match"}
    for delayed in spectators.delayed_matches:
        delayed.stop()


async def test_a_delayed_spectator_who_has_seen_the_end_gets_the_end():
    match = open_match(seat("ann"), FREE, spectators=LATE)
    process, spectators = await shown_in(match)
    over = (await act(process.matches, "match", AbandonIdle(match.version))).match
    assert over is not None
    process.clock[0] = T + DELAY + MARGIN_MS
    with pytest.raises(MatchOver):
        await spectators.refuse_late_join(over, late_join())


# ---------------------------------------------------------------- reads


async def test_the_history_comes_page_by_page_within_its_range():
    process, spectators = await shown_in(playing(*BOTS))
    await process.play_on(5)

    async def page(
        first: int, last: int | None, size: int, token: str = ""
    ) -> tuple[list[int], str]:
        found = await queries.list_events(
            spectators, "match", ANONYMOUS, None, first, last, size, token
        )
        return [entry.revision for entry in found.entries], found.token

    assert await page(0, None, 0) == ([1, 2, 3, 4, 5], "")
    assert await page(2, 3, 0) == ([2, 3], "")
    assert await page(4, 9, 0) == ([4, 5], "")
    assert await page(0, 0, 0) == ([], "")
    assert await page(6, None, 0) == ([], "")
    assert await page(1, None, 5) == ([1, 2, 3, 4, 5], "")
    first, token = await page(1, None, 2)
    second, following = await page(1, None, 2, token)
    assert (first, second) == ([1, 2], [3, 4])
    assert await page(1, None, 2, following) == ([5], "")
    with pytest.raises(InvalidPageToken):
        await page(2, None, 2, token)
    for refused, field in (((-1, None, 0), "first_revision"), ((0, -1, 0), "last_revision")):
        with pytest.raises(Malformed) as malformed:
            await page(*refused)
        assert malformed.value.metadata == {"field": field, "expected": "0 or more"}


async def test_reads_need_a_match_in_the_right_status():
    _, spectators = await shown_in(open_match(seat("ann"), FREE))
    with pytest.raises(NotStarted):
        await queries.list_events(spectators, "match", ANONYMOUS, None, 0, None, 0, "")
    with pytest.raises(NotStarted):
        await queries.view_at(spectators, "match", ANONYMOUS, None, 0)
    with pytest.raises(NotFinished):
        await queries.record(spectators, "match", ANONYMOUS)


async def test_what_is_over_or_has_started_late_is_read_when_it_has_been_seen():
    process, spectators = await shown_in(open_match(FREE, FREE, spectators=LATE))
    await act(process.matches, "match", SeatEntrants(BOTS))
    await act(process.matches, "match", AbandonIdle(process.stored.version))
    for ms, seen in ((-1, False), (0, True)):
        process.clock[0] = T + DELAY + MARGIN_MS + ms
        record = queries.record(spectators, "match", ANONYMOUS)
        view = queries.view_at(spectators, "match", ANONYMOUS, None, 0)
        if seen:
            assert (await record).match.status == ABANDONED
            assert (await view)[0].match.status == ABANDONED
        else:
            for read, error in ((record, NotFinished), (view, NotStarted)):
                with pytest.raises(error):
                    await read
    for delayed in spectators.delayed_matches:
        delayed.stop()


@pytest.mark.parametrize("read", ["list_events", "view_at", "record", "get"])
async def test_no_read_shows_a_match_without_spectators(read: str):
    match = playing(seat("ann"), seat("bob"), spectators=NONE)
    _, spectators = await shown_in(match)
    calls: dict[str, Callable[[Identity], Awaitable[object]]] = {
        "list_events": lambda who: queries.list_events(
            spectators, "match", who, None, 0, None, 0, ""
        ),
        "view_at": lambda who: queries.view_at(spectators, "match", who, None, 0),
        "record": lambda who: queries.record(spectators, "match", who),
        "get": lambda who: queries.get(spectators, "match", who, None),
    }
    with pytest.raises(SpectatorsNotAllowed):
        await calls[read](ANONYMOUS)
    if read == "record":
        with pytest.raises(NotFinished):
            await calls[read](caller("ann"))
    else:
        assert await calls[read](caller("ann"))
