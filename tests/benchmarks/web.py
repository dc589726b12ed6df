"""The cost of a unary call over the web port, compared with the same call over gRPC.

One server process; the load comes from this one. Samples of each protocol take turns.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from typing import Final

import uvloop

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc
from tests.benchmarks.report import table, write_section
from tests.benchmarks.service import Server, open_match

GOAL_MS: Final = 0.35
PATH: Final = "/taflhall.v1.MatchService/GetMatch"
CONNECTIONS: Final = 8

Caller = Callable[[], Awaitable[None]]


class WebServer(Server):
    """A server with a web port."""

    def __init__(self, folder: str) -> None:
        ports = ["--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--log-level", "error"]
        store = ["--store", f"embedded:{folder}"]
        super().__init__([sys.executable, "-m", "taflhall_service.main", *store, *ports])
        assert self._child.stdout is not None
        self.web_port = int(self._child.stdout.readline().decode().rpartition(":")[2])


async def http_caller(port: int, content_type: str, body: bytes, secret: str) -> Caller:
    """Return what makes one call over a connection that stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST {PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {content_type}\r\n"
        f"authorization: {secret}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    request = head.encode() + body

    async def call() -> None:
        writer.write(request)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert answer.startswith(b"http/1.1 200"), answer
        length = answer.partition(b"content-length: ")[2].partition(b"\r")[0]
        await reader.readexactly(int(length))

    return call


async def cost(server: Server, callers: list[Caller], calls: int) -> float:
    """Return the server's CPU milliseconds of one call."""

    async def run(call: Caller) -> None:
        for _ in range(calls // len(callers)):
            await call()

    before = server.cpu_seconds()
    await asyncio.gather(*map(run, callers))
    return (server.cpu_seconds() - before) / calls * 1e3


async def costs(rounds: int, calls: int) -> dict[str, float]:
    """Return the median cost of a call by protocol, and of the same call over gRPC."""
    with tempfile.TemporaryDirectory() as folder:
        server = WebServer(folder)
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        seat = await open_match(stub)
        request = pb.GetMatchRequest(match_id=seat.id)
        data = request.SerializeToString()
        secret = seat.metadata[0][1]

        async def native() -> None:
            await stub.GetMatch(request, metadata=seat.metadata)

        bodies = {
            "Connect, binary": ("application/proto", data),
            "gRPC-Web": ("application/grpc-web+proto", b"\0" + len(data).to_bytes(4, "big") + data),
            "Connect, JSON": ("application/json", json.dumps({"matchId": seat.id}).encode()),
        }
        kinds: dict[str, list[Caller]] = {"gRPC": [native] * CONNECTIONS}
        for name, (content_type, body) in bodies.items():
            kinds[name] = [
                await http_caller(server.web_port, content_type, body, secret)
                for _ in range(CONNECTIONS)
            ]
        found: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(rounds):
            for name, callers in kinds.items():
                found[name].append(await cost(server, callers, calls))
        await channel.close()
        server.stop()
    return {name: statistics.median(samples) for name, samples in found.items()}


TEXT: Final = """\
CPU milliseconds of the server for one `GetMatch` of a match that is played, by protocol; {calls}
calls a sample over {connections} connections, medians of {rounds} samples that took turns.

{table}

Goal: at most {goal} ms beyond gRPC for a binary call. {verdict}"""


def main(rounds: int = 5, calls: int = 2000) -> bool:
    """Measure, write the section, print it; return whether the goal was reached."""
    found = uvloop.run(costs(rounds, calls))
    native = found["gRPC"]
    rows = [[name, f"{ms:.3f}", f"{ms - native:+.3f}"] for name, ms in found.items()]
    reached = all(found[name] - native <= GOAL_MS for name in ("Connect, binary", "gRPC-Web"))
    text = TEXT.format(
        calls=calls,
        connections=CONNECTIONS,
        rounds=rounds,
        table=table(["protocol", "ms", "beyond gRPC, ms"], rows),
        goal=GOAL_MS,
        verdict="It was reached." if reached else "It was not reached.",
    )
    print(f"\n{text}\n", flush=True)
    write_section("bench:web", "Web port", "make bench ARGS='--only web'", text)
    return reached


if __name__ == "__main__":
    sys.exit(not main())
