"""Honest players while the server's stand-ins play forty other tables (found.md S2).

The 99th percentile of the honest players is taken in turns, in one run: alone, and while stand-ins
play. Such a table pauses when its last player goes, so each is visited once by a player.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Any, Final

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.benchmarks.report import figure, table, write_section
from tests.benchmarks.starvation import Player, p99, play, serving, stub_of

TABLES: Final = 40
GOAL: Final = 1.25


@dataclass
class Found:
    """Latencies of honest answers, and what the stand-ins did meanwhile."""

    p99_alone: float
    p99_beside: float
    answers: int
    stand_in_answers: int

    @property
    def ratio(self) -> float:
        return self.p99_beside / self.p99_alone


async def measure(honest: int, seconds: float, rounds: int) -> Found:
    """Let *honest* players play alone and with deserted tables, *rounds* times *seconds* each."""
    alone: list[float] = []
    beside: list[float] = []
    stand_ins = 0
    async with serving(1000.0) as port, stub_of(port) as stub:
        players = [Player(stub) for _ in range(honest)]
        await asyncio.gather(*[player.sit_down() for player in players])
        await play(players, 1.0)
        for _ in range(rounds):
            alone += await play(players, seconds)
            deserted = await asyncio.gather(*[_desert(stub) for _ in range(TABLES)])
            await asyncio.sleep(2.0)
            await asyncio.gather(*[_visit(stub, *one) for one in deserted])
            before = await _revisions(stub, deserted)
            beside += await play(players, seconds)
            stand_ins += await _revisions(stub, deserted) - before
            await asyncio.gather(*[_end(stub, *one) for one in deserted])
    return Found(p99(alone), p99(beside), len(beside), stand_ins)


async def _desert(stub: Any) -> tuple[str, str]:
    """Open a match whose player goes at once; return its id and the seat's secret."""
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 1
    clock = match_pb2.TimeControl(on_timeout=match_pb2.TIMEOUT_POLICY_STAND_IN)
    clock.base.FromSeconds(1)
    request = pb.CreateMatchRequest(setup=setup, start_when_full=True, time_control=clock)
    made = await stub.CreateMatch(request)
    seated = await stub.JoinMatch(pb.JoinMatchRequest(match_id=made.match.id, name="Away"))
    return made.match.id, seated.seat_secret


async def _visit(stub: Any, match_id: str, secret: str) -> None:
    watch = stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id), metadata=_bearer(secret))
    await watch.read()
    watch.cancel()


async def _end(stub: Any, match_id: str, secret: str) -> None:
    request = pb.ResignSeatRequest(match_id=match_id, request_id=os.urandom(8).hex())
    await stub.ResignSeat(request, metadata=_bearer(secret))


async def _revisions(stub: Any, tables: list[tuple[str, str]]) -> int:
    requests = [pb.GetMatchRequest(match_id=match_id) for match_id, _ in tables]
    found = await asyncio.gather(*[stub.GetMatch(request) for request in requests])
    return sum(one.match.revision for one in found)


def _bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def main() -> bool:
    """Measure, print and write down the ratio; return whether it is what it should be."""
    found = asyncio.run(measure(honest=200, seconds=5.0, rounds=4))
    rows = [
        ["honest, 99th percentile, alone (ms)", figure(found.p99_alone * 1000)],
        ["honest, 99th percentile, with stand-ins (ms)", figure(found.p99_beside * 1000)],
        ["with stand-ins to alone", figure(found.ratio)],
        ["answers of stand-ins meanwhile", str(found.stand_in_answers)],
    ]
    text = table([f"200 honest players, {TABLES} tables played by stand-ins", ""], rows)
    print(text)
    write_section("deserted", "Stand-ins", "python -m tests.benchmarks --only stand-ins", text)
    return found.ratio <= GOAL and found.stand_in_answers > 0
