"""Clocks that are set while everybody plays (G13, S34): those of the servers, and the store's.

The store's clock is the one by which seats are timed. When it jumps, the time that it skips or
repeats is charged to nobody, but for the last seconds before it (:data:`UNSURE`). A crowd plays
without clocks, and all of its promises are checked. Meanwhile players open matches for one seat
with a clock, answer at once a few times, and leave. However the clocks were set, such a seat loses
only when its whole time has really passed, by the monotonic clock, and every answer that was
acknowledged is in the match.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import HEARTBEAT_TIMEOUT_MS
from taflhall_service.store.redis.store import OUTAGE_LIST
from tests.faults.checkers.timing import Answered, answers_count, once
from tests.faults.control.rig import Rig
from tests.faults.control.wall_clock import WallClock
from tests.faults.history import History
from tests.faults.scenarios.clocks import judge_times
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import Caller

PROMISE: Final = "G13 jumps are charged to nobody"
BASE_MS: Final = (4500, 6000)
INCREMENT_MS: Final = 300
ANSWERS: Final = 6
UNSURE: Final = HEARTBEAT_TIMEOUT_MS / 1000
"""Seconds after the last heartbeat in which servers may act that do not know of the jump."""

SETTLED_SECONDS: Final = 20.0
"""How long after the last jump a seat may take to lose."""

KEPT: Final = {"G13 once": once, "G13 answers count": answers_count}
"""What holds by any clock."""

STORE_JUMPS: Final = (5.0, 60.0, 3600.0, -60.0, -3600.0)
SERVER_JUMPS: Final = (60.0, 86_400.0, -60.0, -86_400.0)
"""Seconds. The store's clock continues from where it was set to, or jumps back and recovers:
while it is behind, no time is up."""


@dataclass
class Deserted:
    """A match whose player has left, and what its seat had to lose."""

    match_id: str
    began: float
    """The monotonic time before the start was asked for."""
    owed: float
    """Seconds that the seat had, with those for its answers."""
    answers: list[Answered] = field(default_factory=list)
    """Those that were acknowledged."""
    secret: str = ""
    ended: float = 0.0
    """The monotonic time when the match was first seen over."""


class StoreTime:
    """The store's clock: set forward, or set back and then corrected."""

    def __init__(self, clock: WallClock | None) -> None:
        assert clock is not None
        self._clock = clock
        self._right = 0.0

    def jump(self, rng: random.Random) -> None:
        """Set it by chance, or right if it is behind."""
        if self._clock.ahead < self._right:
            self.put_right()
            return
        ahead = rng.choice(STORE_JUMPS)
        self._right += max(0.0, ahead)
        self._clock.set(self._clock.ahead + ahead)

    def put_right(self) -> None:
        self._clock.set(self._right)


async def jumps(
    seconds: float = 10.0, *, seed: int = 0, rig: dict[str, Any] | None = None, players: int = 4
) -> Verdict:
    """Set one clock after another for that long; in the end correct all."""
    matches: list[Deserted] = []
    jumped = Counter[str]()

    async def trouble(run: Storm) -> None:
        stop = asyncio.Event()
        callers = [Caller(History(), run.stubs, f"deserter {n}") for n in range(players)]
        playing = [asyncio.create_task(_desert(caller, matches, stop)) for caller in callers]
        store = StoreTime(run.rig.store.clock)
        servers = [server.clock for server in run.rig.servers]
        await asyncio.sleep(0.5)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if run.rng.random() < 0.6:
                store.jump(run.rng)
                jumped["the store"] += 1
            elif (clock := run.rng.choice(servers)) is not None:
                clock.set(clock.ahead + run.rng.choice(SERVER_JUMPS))
                jumped["a server"] += 1
            await asyncio.sleep(run.rng.uniform(0.2, 1.5))
        store.put_right()
        stop.set()
        async with asyncio.timeout(3 * SETTLED_SECONDS):
            await asyncio.gather(*playing)

    async with Rig(2, rig=rig, clocks=True) as on:
        verdict = await storm(on, trouble, seed=seed, tables=1, watchers=2)
        answers = {match.match_id: match.answers for match in matches}
        await judge_times(on, answers, verdict, KEPT)
        outages = [line.split() for line in await on.store.ask("LRANGE", OUTAGE_LIST, 0, -1)]
        for (_, stop), (start, _) in itertools.pairwise(outages):
            if int(start) < int(stop):
                verdict.blame(PROMISE, f"outages overlap: {outages}")
    for what, times in jumped.items():
        verdict.figures[f"jumps of the clock of {what}"] = times
    _judge(matches, verdict)
    return verdict


async def _desert(caller: Caller, matches: list[Deserted], stop: asyncio.Event) -> None:
    """Open one match after another, answer a little, leave it, and wait for its end."""
    while not stop.is_set():
        match = await _played(caller)
        matches.append(match)
        end = 0.0
        while not match.ended and (not end or time.monotonic() < end):
            await asyncio.sleep(0.03)
            get = pb.GetMatchRequest(match_id=match.match_id)
            found = await caller.settle("GetMatch", get)
            if found.answer.match.status == match_pb2.MATCH_STATUS_FINISHED:
                match.ended = time.monotonic()
            if stop.is_set() and not end:
                end = time.monotonic() + SETTLED_SECONDS


async def _played(caller: Caller) -> Deserted:
    base = caller.rng.randint(*BASE_MS)
    request = pb.CreateMatchRequest(start_when_full=True)
    request.setup.game, request.setup.seats = "yggdrasil", 1
    request.time_control.on_timeout = match_pb2.TIMEOUT_POLICY_FORFEIT
    request.time_control.base.FromMilliseconds(base)
    request.time_control.increment.FromMilliseconds(INCREMENT_MS)
    made = await caller.settle("CreateMatch", request)
    match = Deserted(made.answer.match.id, time.monotonic(), base / 1000)
    join = pb.JoinMatchRequest(match_id=match.match_id, name="A")
    match.secret = (await caller.settle("JoinMatch", join)).answer.seat_secret
    for number in range(caller.rng.randrange(ANSWERS)):
        get = pb.GetMatchRequest(match_id=match.match_id, with_options=True)
        found = await caller.settle("GetMatch", get, match.secret)
        if not found.answer.decisions:
            break
        decision = found.answer.decisions[0]
        answer = pb.SubmitAnswersRequest(
            match_id=match.match_id,
            decision_id=decision.id,
            request_id=f"r{number}",
            answers=[pb.DecisionAnswer(option=caller.rng.randrange(len(decision.options)))],
        )
        outcome = await caller.settle("SubmitAnswers", answer, match.secret)
        if outcome.kind == "ok" and outcome.answer.first_revision:
            match.answers.append(Answered(outcome.answer.revision, 0, 0))
            match.owed += INCREMENT_MS / 1000
    return match


def _judge(matches: list[Deserted], verdict: Verdict) -> None:
    for match in matches:
        verdict.figures["matches deserted while clocks jump"] += 1
        if not match.ended:
            verdict.figures["deserted matches that go on"] += 1
            continue
        verdict.figures["times up while clocks jump"] += 1
        early = match.owed - (match.ended - match.began)
        if early > UNSURE:
            verdict.blame(PROMISE, f"{match.match_id} was lost {early:.2f} s early")
