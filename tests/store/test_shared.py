"""What servers share apart from matches, the same for memory, one Redis, Sentinel and Cluster:
announcements, claims, signals and presence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from taflhall_service.app.ports.match_store import MAX_ANNOUNCEMENTS
from tests.store.test_commits import name
from tests.waiting import until

DAY = 86_400_000


async def since(store: Any, position: str) -> list[bytes]:
    found = await store.announcements(position, 100)
    assert found is not None
    return [each.text for each in found]


async def test_announcements_arrive_in_order_on_every_connection(connect: Callable[[], Any]):
    one, two = await connect(), await connect()
    before = await one.last_announcement()
    for text in (b"first", b"second", b"third"):
        await one.announce(text)
    assert await since(two, before) == [b"first", b"second", b"third"]
    found = await two.announcements(before, 2)
    assert [each.text for each in found] == [b"first", b"second"]
    assert await since(two, found[-1].id) == [b"third"]
    assert await since(two, await two.last_announcement()) == []


async def test_announcements_at_once_are_all_kept(connect: Callable[[], Any]):
    one, two = await connect(), await connect()
    before = await one.last_announcement()
    texts = [b"%d" % number for number in range(50)]
    await asyncio.gather(*[(one, two)[n % 2].announce(text) for n, text in enumerate(texts)])
    assert sorted(await since(one, before)) == sorted(texts)


async def test_a_position_that_is_no_longer_kept_is_said_to_be_lost(store: Any):
    assert await store.announcements("99999999999999-7", 10) is None


async def test_old_announcements_are_dropped(store: Any):
    first = await store.last_announcement()
    await store.announce(b"old")
    old = (await store.announcements(first, 1))[0].id
    for _ in range(2 * MAX_ANNOUNCEMENTS // 500 + 1):
        await asyncio.gather(*[store.announce(b"new") for _ in range(500)])
    assert await store.announcements(old, 1) is None


async def test_one_of_many_claims_wins_on_every_connection(connect: Callable[[], Any]):
    one, two = await connect(), await connect()
    claim = name()
    assert await one.claimed(claim) == b""
    values = [b"%d" % number for number in range(10)]
    claims = [(one, two)[n % 2].claim(claim, value, b"", DAY) for n, value in enumerate(values)]
    won = await asyncio.gather(*claims)
    assert len(set(won)) == 1
    assert await two.claimed(claim) == won[0]


async def test_a_claim_is_replaced_by_whoever_knows_its_value(store: Any):
    claim = name()
    assert await store.claim(claim, b"a", b"", DAY) == b"a"
    assert await store.claim(claim, b"b", b"wrong", DAY) == b"a"
    assert await store.claim(claim, b"b", b"a", DAY) == b"b"
    assert await store.claimed(claim) == b"b"


async def test_a_claim_is_kept_for_a_while(store: Any):
    claim = name()
    await store.claim(claim, b"a", b"", 150)

    async def is_gone() -> bool:
        return not await store.claimed(claim)

    await until(is_gone)
    assert await store.claim(claim, b"b", b"", DAY) == b"b"


async def test_a_signal_reaches_every_server_that_listens(connect: Callable[[], Any]):
    one, two = await connect(), await connect()
    match_id, other, heard = name(), name(), []
    changes: list[Any] = []
    two.on_signal(lambda *signal: heard.append(signal))
    two.on_change(lambda *change: changes.append(change))
    await two.listen(match_id)

    async def is_heard() -> bool:
        await one.signal(other, b"elsewhere")
        await one.signal(match_id, b"reaction 1 2")
        return bool(heard)

    await until(is_heard)  # a subscription may take a moment
    assert set(heard) == {(match_id, b"reaction 1 2")}
    assert changes == []


@pytest.mark.parametrize("number", [1, 3])
async def test_marks_of_presence_are_shared(connect: Callable[[], Any], number: int):
    one, two = await connect(), await connect()
    match_id = name()
    assert await one.presence(match_id) == {}
    for seat in range(number):
        await one.report_presence(match_id, {f"one:{seat}": b"1 1"})
    await two.report_presence(match_id, {"two:0": b"2 1", "one:0": b"3 0"})
    expected = {f"one:{seat}": b"1 1" for seat in range(number)}
    assert await one.presence(match_id) == expected | {"two:0": b"2 1", "one:0": b"3 0"}


async def test_a_match_that_is_ignored_is_heard_of_no_more(connect: Callable[[], Any]):
    one, two = await connect(), await connect()
    ignored, heard_of = name(), name()
    heard: list[str] = []
    two.on_signal(lambda match_id, _: heard.append(match_id))
    for match_id in (ignored, heard_of):
        await two.listen(match_id)

    async def is_heard(match_id: str) -> bool:
        await one.signal(match_id, b"reaction")
        return match_id in heard

    await until(lambda: is_heard(ignored))
    await two.ignore(ignored)
    await until(lambda: is_heard(heard_of))  # what was under way has arrived
    heard.clear()
    await one.signal(ignored, b"reaction")
    await until(lambda: is_heard(heard_of))
    assert set(heard) == {heard_of}
