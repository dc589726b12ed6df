"""Clocks (G13): players who answer at once, late, in the last moment or never, amid all troubles.

Servers are frozen, killed and drained, the store is frozen and killed. All processes run on one
machine, so the players read the store's time off their own clock.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.integrity import IntegrityError, audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import decode_match
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.address import open_store
from tests.faults.checkers.timing import PROMISES, Answered, Timed
from tests.faults.control.rig import Rig
from tests.faults.history import History
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import Caller, Stubs

BASE: Final = (1.0, 2.5)
INCREMENT: Final = (0.0, 0.6)
AHEAD: Final = 0.9
"""Seconds; with more than a second a server can commit nothing that is timed."""

POLICIES: Final = (1, 1, 2, 3)


class Sitter:
    """Plays one match with clocks after another, alone."""

    def __init__(self, caller: Caller, timed: dict[str, list[Answered]]) -> None:
        self._caller = caller
        self._rng = caller.rng
        self._timed = timed
        self._number = 0

    async def play(self, stop: asyncio.Event) -> None:
        """Play until *stop* is set."""
        while not stop.is_set():
            opened = await self._open()
            if opened is not None:
                await self._match(*opened, stop)

    async def _open(self) -> tuple[str, str] | None:
        setup = table_pb2.Setup()
        setup.game, setup.seats = "yggdrasil", 1
        clock = match_pb2.TimeControl(
            on_timeout=match_pb2.TimeoutPolicy.ValueType(self._rng.choice(POLICIES))
        )
        clock.base.FromMilliseconds(int(self._rng.uniform(*BASE) * 1000))
        clock.increment.FromMilliseconds(int(self._rng.uniform(*INCREMENT) * 1000))
        request = pb.CreateMatchRequest(setup=setup, time_control=clock, start_when_full=True)
        made = await self._caller.call("CreateMatch", request)
        if made.kind != "ok":
            await asyncio.sleep(0.05)
            return None
        match_id = made.answer.match.id
        taken = await self._caller.call(
            "JoinMatch", pb.JoinMatchRequest(match_id=match_id, name="A")
        )
        return (match_id, taken.answer.seat_secret) if taken.kind == "ok" else None

    async def _match(self, match_id: str, secret: str, stop: asyncio.Event) -> None:
        answers = self._timed.setdefault(match_id, [])
        get = pb.GetMatchRequest(match_id=match_id, with_options=True)
        while not stop.is_set():
            found = await self._caller.call("GetMatch", get, secret)
            if found.kind != "ok" or not found.answer.decisions:
                if found.kind == "ok":
                    return
                await asyncio.sleep(0.05)
                continue
            (clock,) = found.answer.match.clocks.seats
            decision = found.answer.decisions[0]
            end = clock.deadline.ToMilliseconds() if clock.HasField("deadline") else 0
            if await self._think(end, stop):
                answers += await self._answer(match_id, secret, decision, end)

    async def _think(self, end: int, stop: asyncio.Event) -> bool:
        """Wait as long as it pleases; return whether to answer at all."""
        kind = self._rng.random()
        if kind < 0.55 or not end:
            return True
        if kind < 0.7:
            until = end - self._rng.uniform(600, 900)
        elif kind < 0.85:
            until = end + self._rng.uniform(-120, 120)
        else:
            until = end + 300
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, until / 1000 - time.time())):
                await stop.wait()
        return kind < 0.85

    async def _answer(self, match_id: str, secret: str, decision: Any, end: int) -> list[Answered]:
        """Give an answer, or one step of it; only a whole one counts."""
        self._number += 1
        request = pb.SubmitAnswersRequest(
            match_id=match_id,
            decision_id=decision.id,
            request_id=f"r{self._number}",
            answers=[pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))],
        )
        outcome = await self._caller.settle("SubmitAnswers", request, secret)
        now = int(time.time() * 1000)
        if outcome.kind != "ok":
            return [Answered(-1, now, end)]
        whole = bool(outcome.answer.first_revision)
        return [Answered(outcome.answer.revision, now, end)] if whole else []


async def clocks(
    seconds: float,
    *,
    seed: int = 0,
    servers: int = 3,
    tables: int = 8,
    rig: dict[str, Any] | None = None,
) -> Verdict:
    """Let *tables* players play for that long while faults are injected.

    The clock of one of the servers is ahead; *rig* holds for all.
    """
    verdict, rng, stop = Verdict(), random.Random(seed), asyncio.Event()
    timed: dict[str, list[Answered]] = {}
    async with Rig(servers, rig=rig, flags={"grace": 1}) as on:
        wrong = on.add()
        wrong.rig = wrong.rig | {"clock_is_ahead": AHEAD}
        await wrong.start()
        history = History(on.folder / "history.jsonl")
        stubs = Stubs(on.servers, rng)
        sitters = [Sitter(Caller(history, stubs, f"sitter {n}"), timed) for n in range(tables)]
        playing = [asyncio.create_task(sitter.play(stop)) for sitter in sitters]
        try:
            await _trouble(on, rng, seconds, verdict)
            await asyncio.sleep(1.0)
            stop.set()
            async with asyncio.timeout(60):
                await asyncio.gather(*playing)
            await judge_times(on, timed, verdict)
        finally:
            for task in playing:
                task.cancel()
            history.close()
            await stubs.close()
    return verdict


async def _trouble(on: Rig, rng: random.Random, seconds: float, verdict: Verdict) -> None:
    await asyncio.sleep(1.0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        server, kind = rng.choice(on.servers), rng.random()
        assert server.child is not None
        assert on.store.child is not None
        if kind < 0.55:
            server.child.freeze()
            await asyncio.sleep(rng.choice((0.3, 1.0, 2.0, 4.0)))
            server.child.thaw()
            verdict.figures["servers frozen"] += 1
        elif kind < 0.7:
            await server.kill()
            await server.start()
            verdict.figures["kills of a server"] += 1
        elif kind < 0.82:
            if await server.drain(10) is None:
                await server.kill()
            await server.start()
            verdict.figures["drains"] += 1
        elif kind < 0.94:
            on.store.child.freeze()
            await asyncio.sleep(rng.choice((0.3, 4.5)))
            on.store.child.thaw()
            verdict.figures["stores frozen"] += 1
        else:
            await on.store.kill()
            await on.store.start()
            verdict.figures["kills of the store"] += 1
        await asyncio.sleep(rng.uniform(0.1, 0.6))
        for other in on.servers:
            if other.child is not None and await other.child.ended(0):
                await other.start()


async def judge_times(
    on: Rig,
    timed: dict[str, list[Answered]],
    verdict: Verdict,
    promises: Mapping[str, Callable[[Timed], list[str]]] = PROMISES,
) -> None:
    """Check what is stored of each match against what its player received."""
    store = await open_store(on.store.address, Durability.DISK)
    try:
        outages = (await store.heartbeat()).outages
        verdict.figures["outages"] = len(outages)
        for match_id, answers in timed.items():
            found = await store.load(match_id)
            if found is None or not found.snapshot:
                continue
            match = decode_match(found)
            assert match.origin.clock is not None
            kept = await store.entries(match_id, 1, None)
            entries = [decode_entry(match.game, match.origin, entry) for entry in kept]
            names = await on.store.ask("HKEYS", f"taflhall:{{{match_id}}}:i")
            timers = {
                name.decode()
                for name in names
                if name.startswith(b"timer:") and int(name.split(b":")[1]) < len(entries)
            }  # the match continues while we read
            if match.origin.clock.policy is TimeoutPolicy.STAND_IN:
                verdict.figures["stand-ins sent"] += len(timers)
                timers = set()
            seen = Timed(match_id, match.origin.clock, entries, timers, outages, answers)
            for promise, check in promises.items():
                for what in check(seen):
                    verdict.blame(promise, what)
            verdict.figures["matches"] += 1
            verdict.figures["times up"] += len(seen.ups)
            verdict.figures["answers in time"] += sum(a.revision >= 0 for a in answers)
            verdict.figures["answers too late"] += sum(a.revision < 0 for a in answers)
            try:
                await audit(store, found, Throttle(1.0))
            except IntegrityError as difference:
                verdict.blame("G9 records replay", f"{match_id}: {difference}")
    finally:
        await store.close()
