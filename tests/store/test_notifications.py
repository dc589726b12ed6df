"""Notifications of changes: what is heard, and what becomes of a connection that breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from taflhall_service.app.ports.match_store import change_id_of
from taflhall_service.store.redis.notifications import (
    ChangeNotifications,
    channel_of,
    match_of,
)
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle, take


class PubSub:
    """A subscription that hands out the messages that it is given, one at a time."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        self.polled: list[tuple[str, float]] = []
        self.broken = False
        self.waits = True
        self.closed = False
        self._busy = False

    def pubsub(self) -> PubSub:
        return self

    async def ssubscribe(self, *channels: str) -> None:
        await self._use("subscribe", *channels)

    async def sunsubscribe(self, *channels: str) -> None:
        await self._use("unsubscribe", *channels)

    async def _use(self, *call: str) -> None:
        assert not self._busy  # two would read each other's replies
        self._busy = True
        await asyncio.sleep(0)
        self._busy = False
        if self.broken:
            raise ConnectionResetError
        self.calls.append(call)
        for _ in call[1:]:  # the server confirms it
            self.messages.put_nowait({"type": "ssubscribe", "channel": b"", "data": 1})

    async def get_message(self, *, timeout: float) -> Mapping[str, Any] | None:
        return await self._poll("one", timeout)

    async def get_sharded_message(self, *, timeout: float) -> Mapping[str, Any] | None:
        return await self._poll("cluster", timeout)

    async def _poll(self, kind: str, timeout: float) -> Mapping[str, Any] | None:
        assert not self._busy
        self.polled.append((kind, timeout))
        if not self.waits:
            return None
        self._busy = True
        try:
            async with asyncio.timeout(timeout):
                message = await self.messages.get()
        except TimeoutError:
            return None
        finally:
            self._busy = False
        if isinstance(message, Exception):
            raise message
        return {"type": "smessage", **message}

    async def aclose(self) -> None:
        self.closed = True


class Heard:
    """Notifications over a subscription, and what was heard of them."""

    def __init__(self, cluster: bool = False) -> None:
        self.pubsub = PubSub()
        client: Any = self.pubsub
        self.notifications = ChangeNotifications(client, cluster)
        self.changes: list[tuple[str, int, int]] = []
        self.signals: list[tuple[str, bytes]] = []
        self.notifications.on_change(lambda *change: self.changes.append(change))
        self.notifications.on_signal(lambda *signal: self.signals.append(signal))

    def arrives(self, match_id: str, data: bytes, **more: Any) -> None:
        channel = channel_of(match_id).encode()
        self.pubsub.messages.put_nowait({"channel": channel, "data": data, **more})


def test_a_channel_is_named_by_its_match():
    assert channel_of("abc") == "taflhall:{abc}:n"
    assert match_of(channel_of("abc").encode()) == "abc"


@in_virtual_time
async def test_changes_and_signals_reach_their_listeners():
    heard = Heard()
    await heard.notifications.listen("abc")
    heard.arrives("abc", b"7 %d" % change_id_of(3, 99))
    heard.arrives("abc", b"reaction 1 2")
    heard.arrives("abc", b"r 1")
    heard.arrives("abc", b"")
    heard.arrives("abc", b"7 x")
    heard.arrives("abc", b"1 2 3")
    heard.arrives("abc", b"5 0", type="ssubscribe")
    heard.arrives("xyz", b"8 0")
    await settle(20)
    assert heard.changes == [("abc", 7, 3), ("xyz", 8, 0)]
    assert heard.signals == [("abc", b"reaction 1 2"), ("abc", b"r 1")]
    await heard.notifications.close()
    assert heard.pubsub.closed
    assert asyncio.all_tasks() == {asyncio.current_task()}


@in_virtual_time
async def test_nobody_need_listen_to_what_arrives():
    pubsub = PubSub()
    client: Any = pubsub
    notifications = ChangeNotifications(client, cluster=False)
    await notifications.listen("abc")
    channel = channel_of("abc").encode()
    for data in (b"7 0", b"reaction"):
        pubsub.messages.put_nowait({"channel": channel, "data": data})
    await settle(20)
    assert pubsub.messages.empty()
    await notifications.close()


@in_virtual_time
async def test_who_subscribes_does_not_wait_for_a_message():
    heard = Heard()
    await heard.notifications.listen("abc")
    await take(0.1)
    await heard.notifications.listen("xyz")
    await heard.notifications.ignore("abc")
    assert now_ms() == 100
    assert heard.pubsub.calls == [
        ("subscribe", "taflhall:{abc}:n"),
        ("subscribe", "taflhall:{xyz}:n"),
        ("unsubscribe", "taflhall:{abc}:n"),
    ]
    heard.arrives("xyz", b"7 0")
    await settle(20)
    assert heard.changes == [("xyz", 7, 0)]
    await heard.notifications.close()


@in_virtual_time
@pytest.mark.parametrize(
    ("cluster", "kind", "seconds"), [(False, "one", 0.5), (True, "cluster", 0.05)]
)
async def test_a_cluster_is_listened_to_node_by_node(cluster: bool, kind: str, seconds: float):
    heard = Heard(cluster)
    await heard.notifications.listen("abc")
    await take(2.25)
    assert set(heard.pubsub.polled) == {(kind, seconds)}
    assert int(2.25 / seconds) <= len(heard.pubsub.polled) <= int(2.25 / seconds) + 2
    await heard.notifications.close()


@in_virtual_time
async def test_subscriptions_may_come_one_turn_after_the_other():
    heard = Heard()
    await heard.notifications.listen("first")
    await take(0.1)

    async def listen(turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        await heard.notifications.listen(f"m{turns}")

    with capture_logs() as logged:
        await asyncio.gather(*[listen(turns) for turns in range(12)])
    assert (logged, now_ms(), len(heard.pubsub.calls)) == ([], 100, 13)
    await heard.notifications.close()


@in_virtual_time
async def test_a_library_that_does_not_wait_holds_up_nobody():
    heard = Heard()
    heard.pubsub.waits = False
    await heard.notifications.listen("abc")
    await settle(20)
    heard.pubsub.waits = True
    await heard.notifications.close()


@in_virtual_time
async def test_a_connection_without_a_channel_is_not_read():
    heard = Heard()
    await heard.notifications.listen("abc")
    await settle(3)
    await heard.notifications.ignore("abc")
    await take(0.01)
    before = len(heard.pubsub.polled)
    await take(5.0)
    assert len(heard.pubsub.polled) == before
    await heard.notifications.listen("abc")
    heard.arrives("abc", b"7 0")
    await take(0.1)
    assert heard.changes == [("abc", 7, 0)]
    await heard.notifications.close()


@in_virtual_time
async def test_after_a_broken_connection_all_channels_are_subscribed_again():
    heard = Heard()
    for match_id in ("abc", "xyz"):
        await heard.notifications.listen(match_id)
    heard.arrives("abc", b"6 0")
    await settle(9)
    heard.pubsub.calls.clear()
    with capture_logs() as logged:
        heard.pubsub.messages.put_nowait(ConnectionResetError())
        await take(0.25)
        await heard.notifications.listen("new")  # the reader will see to it
        assert heard.pubsub.calls == []
        await take(0.5)
    ((call, *channels),) = heard.pubsub.calls
    assert call == "subscribe"
    assert set(channels) == {channel_of(match_id) for match_id in ("abc", "xyz", "new")}
    assert [(line["event"], line["kind"]) for line in logged] == [
        ("notifications_lost", "ConnectionResetError")
    ]
    heard.arrives("new", b"7 0")
    await settle(20)
    assert heard.changes == [("abc", 6, 0), ("new", 7, 0)]
    await heard.notifications.close()


@in_virtual_time
async def test_a_subscription_that_fails_is_made_up_for():
    heard = Heard()
    await heard.notifications.listen("abc")
    heard.pubsub.broken = True
    with capture_logs() as logged:
        await heard.notifications.listen("xyz")
        await heard.notifications.ignore("abc")
    assert [line["event"] for line in logged] == ["notifications_lost"]
    heard.pubsub.broken = False
    heard.pubsub.calls.clear()
    await take(1.0)
    assert heard.pubsub.calls == [("subscribe", "taflhall:{xyz}:n")]
    heard.pubsub.broken = True
    await heard.notifications.ignore("xyz")
    heard.pubsub.broken = False
    await take(1.0)
    assert len(heard.pubsub.calls) == 1  # there is nothing to subscribe
    await heard.notifications.close()
