"""Presence as a server reports it: when a report is written, renewed and believed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.model.signals import PRESENCE
from taflhall_service.app.watching.channels import SIGNALS, Channel, Hub
from taflhall_service.app.watching.presence import (
    AT_ONCE,
    EXPIRY_MS,
    Attendance,
    Presence,
    SeatPresence,
    presence_in,
)
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.requests.matches import bot, open_match, seat
from tests.waiting import settle, until

T = 1_000_000
MATCH = open_match(seat("ann"), bot())


class Reports(MemoryStore):
    """Notes the reports and the signals that are sent, without the name of the server."""

    def __init__(self) -> None:
        super().__init__(Memory(lambda: T))
        self.sent: list[tuple[str, dict[str, bytes]]] = []
        self.signals: list[str] = []
        self.silent = False
        self.proceed = asyncio.Event()
        self.proceed.set()

    async def report_presence(self, match_id: str, reports: Mapping[str, bytes]) -> None:
        await self.proceed.wait()
        if self.silent:
            raise StoreUnavailable
        self.sent.append((match_id, {name.partition(":")[2]: at for name, at in reports.items()}))

    async def signal(self, match_id: str, text: bytes) -> None:
        assert text == PRESENCE
        self.signals.append(match_id)


class CountingHub(Hub):
    """Counts what is begun in the background."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(store, 3600.0)
        self.begun = 0

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self.begun += 1
        return super().spawn(work)


class Streams:
    """The presence on a server whose reports are renewed every *renew_seconds*."""

    def __init__(self, renew_seconds: float = 3600.0) -> None:
        self.store = Reports()
        self.hub = CountingHub(self.store)
        self.tasks: list[asyncio.Task[Any]] = []
        self.presence = Presence(self.store, self.hub, self.tasks.append, renew_seconds)

    def stream(self, *seats: int, match_id: str = "match") -> Attendance:
        attendance = Attendance(self.presence, match_id)
        attendance.set(seats)
        return attendance

    async def reports(self) -> list[dict[str, bytes]]:
        """Return what has been reported since the last time."""
        await asyncio.gather(*self.tasks)
        sent, self.store.sent = self.store.sent, []
        assert len(self.store.signals) == len(sent)
        self.store.signals = []
        return [reports for _, reports in sent]


@pytest.fixture
async def streams() -> AsyncIterator[Streams]:
    made = Streams()
    yield made
    await made.hub.stop()


OPEN, CLOSED = b"%d 1" % T, b"%d 0" % T


async def test_the_first_stream_of_a_seat_and_the_end_of_the_last_are_reported(streams: Streams):
    first = streams.stream(0)
    assert await streams.reports() == [{"0": OPEN}]
    second = streams.stream(0, 1)
    assert await streams.reports() == [{"1": OPEN}]
    first.set(())
    assert await streams.reports() == []
    second.set((1,))
    assert await streams.reports() == [{"0": CLOSED}]
    second.set(())
    assert await streams.reports() == [{"1": CLOSED}]
    assert len(streams.tasks) == 4


async def test_a_stream_whose_seats_stay_reports_nothing(streams: Streams):
    stream = streams.stream(0, 1)
    await streams.reports()
    stream.set((1, 0))
    assert await streams.reports() == []
    streams.stream()
    assert await streams.reports() == []


async def test_changes_during_a_report_are_reported_together_after_it(streams: Streams):
    streams.store.proceed.clear()
    one = streams.stream(0)
    await settle(3)
    two = streams.stream(1)
    one.set(())
    two.set((1, 2))
    await settle(3)
    streams.store.proceed.set()
    first, then = await streams.reports()
    assert first == {"0": OPEN}
    assert then == {"0": CLOSED, "1": OPEN, "2": OPEN}
    assert len(streams.tasks) == 1


async def test_a_report_that_failed_does_not_stop_the_next(streams: Streams):
    streams.store.silent = True
    stream = streams.stream(0)
    assert await streams.reports() == []
    streams.store.silent = False
    stream.set(())
    assert await streams.reports() == [{"0": CLOSED}]


async def test_reports_are_renewed_while_streams_are_open():
    streams = Streams(renew_seconds=0.001)
    stream = streams.stream(0, 1)
    await until(lambda: len(streams.store.sent) >= 3)
    assert streams.store.sent[-1] == ("match", {"0": OPEN, "1": OPEN})
    assert streams.store.signals == ["match"]  # a renewal changes nothing for anybody
    stream.set(())
    await until(lambda: streams.store.sent[-1] == ("match", {"0": CLOSED, "1": CLOSED}))
    sent = len(streams.store.sent)
    again = streams.stream(0, match_id="other")
    await until(lambda: len(streams.store.sent) >= sent + 4)
    assert streams.store.sent[-3:] == [("other", {"0": OPEN})] * 3
    again.set(())
    await streams.hub.stop()


async def test_whatever_is_open_or_followed_is_renewed_by_one_task():
    streams = Streams(renew_seconds=0.001)
    stream = streams.stream(0)
    others = [streams.stream(0, match_id="other"), streams.stream(1)]
    channel = Channel(MATCH)
    streams.presence.follow(channel)
    assert streams.hub.begun == 1
    for each in (stream, *others):
        each.set(())
    streams.presence.unfollow(channel)
    assert streams.hub.begun == 1
    await settle()
    await streams.hub.stop()


async def test_the_reports_of_many_matches_are_all_renewed():
    streams = Streams(renew_seconds=0.001)
    names = {f"m{number}" for number in range(AT_ONCE + 1)}
    for name in names:
        streams.stream(0, match_id=name)
    await asyncio.gather(*streams.tasks)
    streams.store.sent.clear()
    await until(lambda: {name for name, _ in streams.store.sent} == names)
    await streams.hub.stop()


async def test_a_renewal_that_failed_is_tried_again():
    streams = Streams(renew_seconds=0.001)
    stream = streams.stream(0)
    await streams.reports()
    streams.store.silent = True
    await settle(50)
    streams.store.silent = False
    await until(lambda: streams.store.sent)
    stream.set(())
    await streams.hub.stop()


async def test_presence_is_read_again_until_its_last_follower_leaves():
    streams = Streams(renew_seconds=0.001)
    channel = Channel(MATCH)
    for _ in range(2):
        streams.presence.follow(channel)
    streams.presence.unfollow(channel)
    await until(lambda: channel.signal_count >= 2)
    assert set(channel.signals) == {PRESENCE}
    streams.presence.unfollow(channel)
    await settle()
    count = channel.signal_count
    other = Channel(MATCH)
    streams.presence.follow(other)
    await until(lambda: other.signal_count >= 2)
    assert channel.signal_count <= count + 1
    streams.presence.unfollow(other)
    await streams.hub.stop()


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ({}, SeatPresence(False, 0)),
        ({"a:0": b"100 1"}, SeatPresence(True, 100)),
        ({"a:0": b"100 0"}, SeatPresence(False, 100)),
        ({"a:0": b"100 0", "b:0": b"90 1"}, SeatPresence(True, 100)),
        ({"a:0": b"90 1", "b:0": b"100 0"}, SeatPresence(True, 100)),
        ({"a:0": b"90 1", "b:0": b"100 1"}, SeatPresence(True, 100)),
        ({"a:1": b"100 1"}, SeatPresence(False, 0)),
    ],
)
def test_a_player_is_there_if_any_server_says_so(reports: dict[str, bytes], expected: Any):
    assert presence_in(MATCH, reports, 200)[0] == expected


def test_a_report_is_believed_until_it_expires_and_a_bot_is_always_there():
    reports = {"old:0": b"50 1", "new:0": b"100 1"}
    found = [presence_in(MATCH, reports, EXPIRY_MS + now) for now in (99, 100)]
    assert [seats[0].connected for seats in found] == [True, False]
    assert found[0][1] == SeatPresence(True, 0)


async def test_the_presence_of_a_match_is_that_of_all_reports(streams: Streams):
    store = MemoryStore(Memory(lambda: T))
    presence = Presence(store, streams.hub, streams.tasks.append)
    await store.report_presence("match", {"a:0": OPEN})
    assert await presence.of(MATCH) == (SeatPresence(True, T), SeatPresence(True, 0))


# ---------------------------------------------------------------- signals


def test_a_channel_brings_every_signal_once_and_keeps_the_newest():
    channel = Channel(MATCH)
    assert channel.signals_after(0) == []
    channel.signal(b"a")
    channel.signal(b"b")
    assert channel.wakeups == 2
    assert channel.signals_after(0) == [b"a", b"b"]
    assert channel.signals_after(1) == [b"b"]
    assert channel.signals_after(2) == []
    for number in range(SIGNALS):
        channel.signal(b"%d" % number)
    kept = channel.signals_after(0)
    assert (len(kept), kept[0]) == (SIGNALS, b"0")
    assert channel.signals_after(SIGNALS + 1) == [b"%d" % (SIGNALS - 1)]


async def test_a_signal_goes_to_those_who_follow_the_match(streams: Streams):
    channel = streams.hub.open(MATCH)
    streams.hub.signalled("match", b"text")
    streams.hub.signalled("other", b"text")
    assert list(channel.signals) == [b"text"]
    streams.hub.close(channel)
