"""The baselines of the service: a bare grpc.aio server, with and without the commit script.

No rules, no messages, no cache: bytes in, bytes of a given size out. ``Echo`` runs the commit
script once per call by a call of redis-py; the benchmark of the service is compared with it. The
other methods measure the parts that no code of ours can save (:mod:`tests.benchmarks.floor`).
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import redis.asyncio
import uvloop

from taflhall_service.store.embedded import Embedded
from taflhall_service.store.redis.batcher import CommandBatcher, Script
from taflhall_service.store.redis.transports import SingleNodeTransport

SCRIPT = Path(__file__).parents[2] / "service/taflhall_service/store/redis/scripts/commit.lua"
SOURCE = SCRIPT.read_text("utf-8")

Work = Callable[[bytes], Awaitable[None]]
"""What a method does with a request before it answers."""


class Commits:
    """The arguments of the commit script for one command after another of each match."""

    def __init__(self, reply: int, snapshot: int, entry: int) -> None:
        self._reply, self._snapshot, self._entry = bytes(reply), bytes(snapshot), bytes(entry)
        self._revisions: dict[bytes, int] = {}
        self._numbers = itertools.count()

    def next(self, match: bytes) -> tuple[list[str], list[Any]]:
        """Return the keys and the other arguments of the next commit of *match*."""
        stem = f"taflhall:{{{match.decode()}}}:"
        keys = [stem + "m", stem + "e", stem + "i", stem + "n"]
        before = self._revisions.get(match)
        now = self._revisions[match] = (before or 0) + 1
        fields = ["revision", now, "head", b"head", "change_id", 0, "snapshot", self._snapshot]
        fields += ["status", "playing", "changed", "1800000000000"]
        expected = ["", "", ""] if before is None else [before, b"head", 0]
        arguments = [*expected, f"0:{next(self._numbers)}", bytes(16), self._reply, 0, ""]
        arguments += [len(fields), *fields, now, b"head", self._entry]
        return keys, arguments


class Fanout:
    """Streams that all write a message whenever somebody calls :meth:`wake`."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._waiting: list[asyncio.Future[None]] = []

    async def wake(self, data: bytes) -> None:
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():  # its stream has not ended
                waiter.set_result(None)

    async def follow(self, data: bytes, context: Any) -> None:
        while True:
            await context.write(self._message)
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter


async def nothing(data: bytes) -> None:
    """Do no work."""


def handlers(client: Any, reply: int, snapshot: int, entry: int) -> dict[str, Any]:
    """Return the methods by their names."""
    answer, commits = bytes(reply), Commits(reply, snapshot, entry)
    commit, script = client.register_script(SOURCE), Script(SOURCE)
    batcher, fanout = CommandBatcher(SingleNodeTransport(client)), Fanout(answer)

    async def by_library(data: bytes) -> None:
        keys, arguments = commits.next(data[:8])
        done = await commit(keys=keys, args=arguments)
        assert done[0] == b"OK", done

    async def by_batcher(data: bytes) -> None:
        keys, arguments = commits.next(data[:8])
        done = await batcher.run_script(script, len(keys), *keys, *arguments)
        assert done[0] == b"OK", done

    def unary(work: Work) -> Any:
        async def call(data: bytes, context: Any) -> bytes:
            await work(data)
            return answer

        return grpc.unary_unary_rpc_method_handler(call)

    def stream(work: Work) -> Any:
        async def call(_: Any, context: Any) -> None:
            while (data := await context.read()) is not grpc.aio.EOF:
                await work(data)
                await context.write(answer)

        return grpc.stream_stream_rpc_method_handler(call)

    return {
        "Echo": unary(by_library),
        "Bare": unary(nothing),
        "Batched": unary(by_batcher),
        "BareStream": stream(nothing),
        "BatchedStream": stream(by_batcher),
        "Wake": unary(fanout.wake),
        "Follow": grpc.unary_stream_rpc_method_handler(fanout.follow),
    }


async def main(folder: str, reply: int, snapshot: int, entry: int) -> None:
    embedded = Embedded(Path(folder))
    await embedded.start()
    client = redis.asyncio.Redis.from_url(embedded.address, protocol=2)
    server = grpc.aio.server()
    methods = handlers(client, reply, snapshot, entry)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)
    await client.aclose()
    await embedded.stop()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], *map(int, sys.argv[2:5])))
