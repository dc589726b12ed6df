"""A caller at fifty times its rate limit must not slow down honest players (G15).

A server and the attacker are processes of their own; the honest play from this one. Their
99th percentile is taken in turns, in one run: alone; while the attacker asks another server on
the same cores, which costs them time but not their server; and while he asks theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

import grpc
from google.rpc import error_details_pb2, status_pb2

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc, table_pb2
from tests.benchmarks.report import figure, table, write_section

TIMES: Final = 50
"""How many times its quota the attacker asks for."""

PACE: Final = 1.0
"""Answers that an honest player gives in a second."""

QUOTA: Final = 25.0
"""Commands a second of each caller. All secrets of a host have those of ten callers together, and
the 200 honest players here have one host."""

SHARING: Final = 20
"""Honest players that share a connection."""

GOAL: Final = 1.25
"""The most that an attack on their server may cost the honest, beside the same attack on another
server of the machine: what its cores lose to the attacker is not the server's doing."""

ABOUT: Final = f"""\
Goal: at most {GOAL} between the attack on another server of the machine and that on the server of
the honest (the last ratio). Where the honest, the attacker and the server share two cores, an
attack on any server doubles the percentile."""

REFUSALS: Final = frozenset({"RATE_LIMITED", "UNAVAILABLE"})
"""How calls of the attacker may end: above its rate, or above the calls of its connection."""


@dataclass
class Found:
    """What came of an attack."""

    p99_alone: float = 0.0
    p99_beside: float = 0.0
    """While another server on the same machine is attacked."""
    p99_under_attack: float = 0.0
    answered: int = 0
    """Answers of the honest under attack."""
    attacked: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def ratio(self) -> float:
        return self.p99_under_attack / self.p99_alone

    @property
    def own(self) -> float:
        """What of it is the server's doing, not that of cores that are shared with an attacker."""
        return self.p99_under_attack / self.p99_beside


async def measure(honest: int, seconds: float, quota: float, rounds: int = 1) -> Found:
    """Let *honest* players play in each of the three ways, *rounds* times *seconds* each."""
    found = Found()
    alone: list[float] = []
    beside: list[float] = []
    attacked: list[float] = []
    async with (
        serving(quota) as port,
        serving(quota) as other,
        stub_of(port) as stub,
        stub_of(other) as elsewhere,
        AsyncExitStack() as stack,
    ):
        opened = [stack.enter_async_context(stub_of(port)) for _ in range(0, honest, SHARING)]
        stubs = [await one for one in opened]
        players = [Player(stubs[number // SHARING]) for number in range(honest)]
        await asyncio.gather(*[player.sit_down() for player in players])
        await play(players, 1.0)
        victim, bystander = Player(stub), Player(elsewhere)
        await victim.sit_down()
        await bystander.sit_down()
        for _ in range(rounds):
            alone += await play(players, seconds)
            attacker = await _attack(other, bystander, seconds + 1.0, quota)
            beside += await play(players, seconds)
            await asyncio.to_thread(attacker.communicate)
            attacker = await _attack(port, victim, seconds + 1.0, quota)
            attacked += await play(players, seconds)
            _count(found, await asyncio.to_thread(attacker.communicate))
    found.p99_alone, found.p99_beside = p99(alone), p99(beside)
    found.p99_under_attack = p99(attacked)
    found.answered = len(attacked)
    return found


@asynccontextmanager
async def serving(quota: float) -> AsyncIterator[int]:
    """Serve in a process of its own; give the port."""
    server = [sys.executable, "-m", "taflhall_service.main", "--store", "memory:"]
    server += ["--listen", "127.0.0.1:0", "--public", "--log-level", "error"]
    server += ["--rate-commands", str(quota), "--rate-joins", "0", "--rate-reads", "0"]
    child = _spawn(server)
    try:
        assert child.stdout is not None
        line = await asyncio.to_thread(child.stdout.readline)
        yield int(line.decode().rpartition(":")[2])
    finally:
        child.terminate()
        await asyncio.to_thread(child.wait)


@asynccontextmanager
async def stub_of(port: int) -> AsyncIterator[Any]:
    options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options) as channel:
        yield match_service_pb2_grpc.MatchServiceStub(channel)


class Player:
    """Somebody who answers now and then."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub
        self.match_id = ""
        self.metadata: tuple[tuple[str, str], ...] = ()

    async def sit_down(self) -> None:
        """Begin another match."""
        setup = table_pb2.Setup()
        setup.game, setup.seats = "yggdrasil", 1
        created = await self._stub.CreateMatch(
            pb.CreateMatchRequest(setup=setup, start_when_full=True)
        )
        self.match_id = created.match.id
        joined = await self._stub.JoinMatch(pb.JoinMatchRequest(match_id=self.match_id, name="Ann"))
        self.metadata = (("authorization", f"Bearer {joined.seat_secret}"),)

    async def answer(self) -> float:
        """Give one answer; return the seconds that it took."""
        get = pb.GetMatchRequest(match_id=self.match_id)
        got = await self._stub.GetMatch(get, metadata=self.metadata)
        if not got.decisions:
            await self.sit_down()
            got = await self._stub.GetMatch(
                pb.GetMatchRequest(match_id=self.match_id), metadata=self.metadata
            )
        submit = pb.SubmitAnswersRequest(
            match_id=self.match_id,
            decision_id=got.decisions[0].id,
            request_id=uuid4().hex,
            answers=[pb.DecisionAnswer(option=0)],
        )
        before = time.perf_counter()
        await self._stub.SubmitAnswers(submit, metadata=self.metadata)
        return time.perf_counter() - before


async def play(players: list[Player], seconds: float) -> list[float]:
    """Let all play at their pace; return how long each answer took."""
    end = time.monotonic() + seconds
    took: list[float] = []

    async def one(player: Player, begin: float) -> None:
        await asyncio.sleep(begin)
        while time.monotonic() < end:
            due = time.monotonic() + 1 / PACE
            took.append(await player.answer())
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    begins = [number / len(players) / PACE for number in range(len(players))]
    await asyncio.gather(*[one(p, begin) for p, begin in zip(players, begins, strict=True)])
    return took


async def _attack(
    port: int, victim: Player, seconds: float, quota: float
) -> subprocess.Popen[bytes]:
    secret = victim.metadata[0][1]
    arguments = json.dumps([port, victim.match_id, secret, seconds, quota * TIMES])
    command = [sys.executable, "-m", __name__, "--attack", arguments]
    attacker = _spawn(command)
    assert attacker.stdout is not None
    await asyncio.to_thread(attacker.stdout.readline)  # it has begun
    return attacker


def _spawn(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _count(found: Found, output: tuple[bytes, bytes | None]) -> None:
    sent, reasons = json.loads(output[0])
    found.attacked += sent
    found.reasons.update(reasons)
    found.refused += sum(reasons.values())


async def attack(port: int, match_id: str, secret: str, seconds: float, rate: float) -> None:
    """Ask *rate* times a second, and print how many there were and how they were refused."""
    reasons: Counter[str] = Counter()
    sent = 0
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub: Any = match_service_pb2_grpc.MatchServiceStub(channel)
        metadata = (("authorization", secret),)
        await stub.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=metadata)
        submit = pb.SubmitAnswersRequest(
            match_id=match_id, decision_id="0-none", answers=[pb.DecisionAnswer(option=0)]
        )

        async def one() -> None:
            submit.request_id = uuid4().hex
            try:
                await stub.SubmitAnswers(submit, metadata=metadata)
            except grpc.aio.AioRpcError as error:
                reason = _reason(error)
                if reason != "STALE_DECISION":  # it was let in
                    reasons[reason] += 1

        print("begun", flush=True)
        begin = time.monotonic()
        running: set[asyncio.Task[None]] = set()
        while (now := time.monotonic()) < begin + seconds:
            while sent < (now - begin) * rate and len(running) < 500:
                sent += 1
                task = asyncio.create_task(one())
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.sleep(0.002)
        await asyncio.gather(*running)
    print(json.dumps([sent, reasons]))


def _reason(error: grpc.aio.AioRpcError) -> str:
    for name, value in error.trailing_metadata() or ():
        if name == "grpc-status-details-bin":
            info = error_details_pb2.ErrorInfo()
            for detail in status_pb2.Status.FromString(value).details:
                if detail.Unpack(info):
                    return str(info.reason)
    return str(error.code().name)


def p99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100)[98] if len(took) > 1 else 0.0


def main() -> bool:
    """Measure, print and write down the ratio; return whether it is what it should be."""
    found = asyncio.run(measure(honest=200, seconds=5.0, quota=QUOTA, rounds=6))
    rows = [
        ["honest, 99th percentile, alone (ms)", figure(found.p99_alone * 1000)],
        ["honest, 99th percentile, another server attacked (ms)", figure(found.p99_beside * 1000)],
        ["honest, 99th percentile, under attack (ms)", figure(found.p99_under_attack * 1000)],
        ["under attack to alone", figure(found.ratio)],
        ["under attack to another server attacked", figure(found.own)],
        ["calls of the attacker", str(found.attacked)],
        ["of which refused (RATE_LIMITED)", str(found.reasons["RATE_LIMITED"])],
        [
            "of which above the calls of a connection (UNAVAILABLE)",
            str(found.reasons["UNAVAILABLE"]),
        ],
        ["refused otherwise", str(found.refused - sum(found.reasons[name] for name in REFUSALS))],
    ]
    title = "200 honest players, one attacker at 50 times its quota"
    text = f"{table([title, ''], rows)}\n\n{ABOUT}"
    print(text)
    write_section("starvation", "No starvation", "python -m tests.benchmarks --only rates", text)
    return found.own <= GOAL and set(found.reasons) <= REFUSALS


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--attack", required=True)
    asyncio.run(attack(*json.loads(parser.parse_args().attack)))
