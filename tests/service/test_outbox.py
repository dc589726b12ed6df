"""The outbox of a stream: what is put in while a message is written travels with the next one."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall_service.rpc.outbox import MESSAGE_BYTES, ROOM_BYTES, Outbox
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle, take

BEAT = b"beat"


class Written:
    """A call that notes what is written, and when; each write takes *seconds*."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.messages: list[tuple[int, bytes]] = []
        self._seconds = seconds
        call: Any = self
        self.outbox = Outbox(call, 10.0, BEAT)
        self.run = asyncio.create_task(self.outbox.run())

    async def write(self, message: bytes) -> None:
        self.messages.append((now_ms(), message))
        if self._seconds:
            await take(self._seconds)


@in_virtual_time
async def test_what_is_put_in_at_once_travels_together_and_the_rest_with_the_next():
    written = Written(1.0)
    for part in (b"a", b"b"):
        await written.outbox.put(part)
    await take(0.5)
    for part in (b"c", b"d"):
        await written.outbox.put(part)
    await take(5.0)
    written.outbox.finish()
    await written.run
    assert written.messages == [(0, b"ab"), (1000, b"cd")]


@in_virtual_time
async def test_what_others_put_in_until_the_message_is_made_travels_too():
    written = Written()
    await settle(3)
    written.outbox.greet()
    await settle(3)

    async def put_later() -> None:
        await asyncio.sleep(0)
        await written.outbox.put(b"b")

    await asyncio.gather(written.outbox.put(b"a"), put_later())
    await settle(3)
    assert written.messages == [(0, BEAT), (0, b"ab")]
    written.outbox.stop()
    await written.run


@in_virtual_time
async def test_a_silence_is_broken_by_heartbeats():
    written = Written()
    await take(4.0)
    await written.outbox.put(b"a")
    await take(25.0)
    written.outbox.finish()
    await written.run
    assert written.messages == [(4000, b"a"), (14000, BEAT), (24000, BEAT)]


@in_virtual_time
async def test_a_greeting_is_a_heartbeat_if_there_is_nothing_else_to_begin_with():
    greeted, begun, late = Written(), Written(), Written()
    greeted.outbox.greet()
    begun.outbox.greet()
    await begun.outbox.put(b"a")
    await late.outbox.put(b"a")
    await settle(5)
    late.outbox.greet()
    await settle(5)
    assert greeted.messages == [(0, BEAT)]
    assert begun.messages == late.messages == [(0, b"a")]
    await take(9.0)
    assert len(greeted.messages) == len(begun.messages) == len(late.messages) == 1
    for written in (greeted, begun, late):
        written.outbox.finish()
        await written.run
        assert len(written.messages) == 1


@in_virtual_time
async def test_all_is_written_before_the_end():
    written = Written(1.0)
    for _ in range(3):
        await written.outbox.put(bytes(MESSAGE_BYTES))
    written.outbox.finish()
    await written.run
    assert [at for at, _ in written.messages] == [0, 1000, 2000]


@in_virtual_time
async def test_a_message_ends_with_the_part_that_makes_it_too_large():
    written = Written(1.0)
    sizes = [MESSAGE_BYTES - 1, 1, 1, MESSAGE_BYTES - 2, 5, 7]
    for size in sizes:
        await written.outbox.put(bytes(size))
    written.outbox.finish()
    await written.run
    assert [len(message) for _, message in written.messages] == [
        MESSAGE_BYTES,
        MESSAGE_BYTES + 4,
        7,
    ]


@in_virtual_time
async def test_who_puts_in_too_much_waits_until_there_is_room():
    written = Written(1.0)
    done: list[int] = []

    async def put(size: int) -> None:
        await written.outbox.put(bytes(size))
        done.append(now_ms())

    await put(1)
    await settle(3)  # that is being written
    tasks = [asyncio.create_task(put(size)) for size in (ROOM_BYTES - 1, 1, 1)]
    await asyncio.gather(*tasks)
    written.outbox.finish()
    await written.run
    assert done == [0, 0, 0, 1000]
    assert sum(len(message) for _, message in written.messages) == ROOM_BYTES + 2


@in_virtual_time
async def test_a_stream_that_is_stopped_writes_nothing_more_and_holds_up_nobody():
    written = Written(1.0)
    await written.outbox.put(b"first")
    await settle(3)
    await written.outbox.put(bytes(ROOM_BYTES))
    waiting = asyncio.create_task(written.outbox.put(b"more"))
    await take(0.5)
    assert not waiting.done()
    written.outbox.stop()
    await waiting
    await written.run
    await written.outbox.put(b"late")
    assert (now_ms(), written.messages) == (1000, [(0, b"first")])


@in_virtual_time
async def test_a_stream_that_is_stopped_before_it_begins_is_empty():
    written = Written()
    written.outbox.stop()
    await written.run
    assert written.messages == []
