"""The baseline of the service: a bare grpc.aio echo that runs the commit script once per call.

No rules, no messages, no cache: bytes in, one call of redis-py, bytes of a given size out.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from pathlib import Path
from typing import Any

import grpc
import redis.asyncio
import uvloop

from taflhall_service.store.embedded import Embedded

SCRIPT = Path(__file__).parents[2] / "service/taflhall_service/store/redis/scripts/commit.lua"


async def main(folder: str, reply: int, snapshot: int, entry: int) -> None:
    embedded = Embedded(Path(folder))
    await embedded.start()
    client = redis.asyncio.Redis.from_url(embedded.address, protocol=2)
    commit = client.register_script(SCRIPT.read_text("utf-8"))
    revisions: dict[bytes, int] = {}
    numbers = itertools.count()

    async def echo(data: bytes, context: Any) -> bytes:
        match = data[:8]
        stem = f"taflhall:{{{match.decode()}}}:"
        keys = [stem + "m", stem + "e", stem + "i", stem + "n"]
        before = revisions.get(match)
        now = revisions[match] = (before or 0) + 1
        fields = ["revision", now, "head", b"head", "change_id", 0, "snapshot", bytes(snapshot)]
        fields += ["status", "playing", "changed", "1800000000000"]
        expected = ["", "", ""] if before is None else [before, b"head", 0]
        arguments = [*expected, f"0:{next(numbers)}", bytes(16), bytes(reply), 0, ""]
        arguments += [len(fields), *fields, now, b"head", bytes(entry)]
        answer = await commit(keys=keys, args=arguments)
        assert answer[0] == b"OK", answer
        return bytes(reply)

    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(echo)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)
    await client.aclose()
    await embedded.stop()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], *map(int, sys.argv[2:5])))
