"""The store comes back with an older history, as after a failover (G6, design 3.3).

A crowd plays; the store's data is copied; the crowd plays on; the store is killed and comes back
with the copy. So revisions are used again, with other commands. Then, for some matches:

* every server sends HISTORY_REWOUND with a snapshot to a watch that was open;
* a token of the lost history is answered with HISTORY_REWOUND, before and after the new history
  has passed its revision; a token of the common history is simply followed;
* an answer to a decision of the lost history is refused as stale, even by a server that remembers
  the lost table at the very revision at which the new one stands (the store says DIVERGED);
* a seat that was handed over in the lost history, and again in the new one, is not the first
  heir's, not even for a server that remembers that heir where no command was lost;
* what was never lost is whole: the truths at the end have no fault.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from contextlib import suppress
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from tests.faults.control.rig import Rig
from tests.faults.history import History
from tests.faults.scenarios.storm import Storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import OUTAGE, PAUSE, Caller, Stuck, bearer
from tests.faults.traffic.players import Player, Seat
from tests.faults.truth import Wanted, read_truths

PROMISE = "G6 rewinds are reported"
REWOUND = pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
SECONDS = 30.0
"""How long an open watch waits at most to be informed, on a busy machine."""


class Table:
    """One match with one player, and what it knew at which revision."""

    def __init__(self, player: Player, caller: Caller) -> None:
        self.player = player
        self.caller = caller
        self.tokens: dict[int, str] = {}
        self.decision: Any = None

    @property
    def seat(self) -> Seat:
        return self.player.seat

    async def get(self, server: str) -> None:
        """Read the match through *server*, and remember its token and decision."""
        request = pb.GetMatchRequest(match_id=self.seat.match_id, with_options=True)
        outcome = await self.caller.settle(
            "GetMatch", request, self.seat.secret, server=server, match=self.seat.match_id
        )
        assert outcome.kind == "ok", f"GetMatch: {outcome.reason}"
        revision = outcome.answer.match.revision
        self.tokens.setdefault(revision, outcome.answer.resume_token)
        self.decision = outcome.answer.decisions[0] if outcome.answer.decisions else None

    async def step(self, server: str, decision: Any, option: int, name: str) -> Any:
        """Answer one decision through *server*, with all steps that the answer has."""
        name_of_decision, part = decision.id, 0
        while True:
            request = pb.SubmitAnswersRequest(
                match_id=self.seat.match_id,
                decision_id=name_of_decision,
                request_id=f"{name}.{part}",
                answers=[pb.DecisionAnswer(option=0 if part else option)],
            )
            outcome = await self.caller.settle(
                "SubmitAnswers",
                request,
                self.seat.secret,
                server=server,
                match=self.seat.match_id,
                scope=self.seat.scope,
                request=request.request_id,
                body=request.request_id,
            )
            if outcome.kind != "ok" or outcome.answer.first_revision:
                return outcome
            name_of_decision, part = outcome.answer.decision.id, part + 1


async def rewind(tables: int = 4, *, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Rewind the store once under *tables* matches and follow what happens to them."""
    verdict = Verdict()
    async with Rig(2, rig=rig) as on:
        run = Storm(on, seed, tables=tables, watchers=0)
        try:
            await _rewind(run, verdict, tables)
            client = on.store.client()
            truths = await read_truths(client, Wanted.by(History()))
            await client.aclose()
            for truth in truths.values():
                for fault in truth.faults:
                    verdict.blame("G5 whole commits", fault)
        except (Stuck, TimeoutError, AssertionError) as error:
            verdict.blame(PROMISE, f"{type(error).__name__}: {error}")
        finally:
            await run.stubs.close()
    return verdict


async def _rewind(run: Storm, verdict: Verdict, count: int) -> None:
    first, second = [server.name for server in run.rig.servers]
    tables = []
    for number in range(count):
        (player,) = await run.crowd._open(2, 1)
        tables.append(Table(player, Caller(run.history, run.stubs, f"rewound{number}")))
    (player,) = await run.crowd._open(2, 1)
    inherited = Table(player, Caller(run.history, run.stubs, "inherited"))
    for table in (*tables, inherited):
        await _play(table, first, 3, "common")
    await run.rig.store.stop()
    copy = run.rig.folder / "copy"
    await run.rig.store.copy_to(copy)
    await run.rig.store.start()
    for table in tables:
        await _play(table, first, 4, "lost")
        await table.get(second)
    heir = await _hand_over(inherited, second, "Lost heir")
    lost = [(max(table.tokens), table.decision) for table in tables]
    # every second table is left alone by the second server, which so remembers the lost history
    streams = [
        asyncio.create_task(_check_cause(run, table, server))
        for number, table in enumerate(tables)
        for server in ((first, second) if number % 2 else (first,))
    ]
    await asyncio.sleep(0.5)
    await run.rig.store.set_back_to(copy)
    await _hand_over(inherited, first, "Heir")
    await _disinherited(inherited, second, heir, verdict)
    for fault in await asyncio.gather(*streams):
        verdict.figures["open watches rewound"] += 1
        if fault is not None:
            verdict.blame(PROMISE, fault)
    for number, (table, (revision, decision)) in enumerate(zip(tables, lost, strict=True)):
        if number % 2:
            await _resume(run, verdict, table, revision, REWOUND)
            await _resume(run, verdict, table, 3, None)
        if decision is None:
            continue
        same = await _catch_up(table, first, second, revision, decision, verdict)
        await _resume(run, verdict, table, revision, None if same else REWOUND)


async def _hand_over(table: Table, server: str, name: str) -> str:
    """Hand the first seat over through *server* for good; return the heir's secret."""
    request = pb.DelegateSeatRequest(
        match_id=table.seat.match_id,
        seat=table.seat.seats[0],
        name=name,
        permanent=True,
        request_id=uuid.uuid4().hex,
    )
    outcome = await table.caller.settle("DelegateSeat", request, table.seat.secret, server=server)
    assert outcome.kind == "ok", f"{name}: {outcome.reason}"
    secret: str = outcome.answer.deputy_secret
    return secret


async def _disinherited(table: Table, server: str, secret: str, verdict: Verdict) -> None:
    """Try a secret that was lost with its hand-over through *server*, which remembers it."""
    resign = pb.ResignSeatRequest(match_id=table.seat.match_id, request_id="lost heir")
    outcome = await table.caller.settle("ResignSeat", resign, secret, server=server)
    verdict.figures["secrets of a lost hand-over"] += 1
    if outcome.reason != "SECRET_INVALID":
        verdict.blame(PROMISE, f"the heir of a lost history acts: {outcome.kind} {outcome.reason}")


async def _play(table: Table, server: str, commands: int, name: str) -> None:
    for number in range(commands):
        await table.get(server)
        if table.decision is not None:
            option = len(table.decision.options) - 1 if name == "lost" else 0
            outcome = await table.step(server, table.decision, option, f"{name}{number}")
            assert outcome.kind == "ok", f"{name}: {outcome.reason}"
    await table.get(server)


async def _catch_up(
    table: Table, first: str, second: str, revision: int, decision: Any, verdict: Verdict
) -> bool:
    """Play the new history through *first* up to *revision*, then answer the lost decision.

    *second* has not looked since, so it may still remember the lost table at that revision.
    Return whether the new history is the lost one again: where there was no choice, the same
    answers have been given.
    """
    number = 0
    while True:
        await table.get(first)
        if table.decision is None or max(table.seat.revision, 0) >= revision:
            break
        outcome = await table.step(first, table.decision, 0, f"again{number}")
        assert outcome.kind == "ok", f"again: {outcome.reason}"
        table.seat.revision = outcome.answer.revision
        number += 1
    same = table.decision is not None and table.decision.id == decision.id
    for server in (second, first):
        outcome = await table.step(server, decision, 0, f"ghost-{server}")
        verdict.figures["answers to lost decisions"] += 1
        if not same and outcome.reason not in ("STALE_DECISION", "MATCH_OVER"):
            verdict.blame(PROMISE, f"an answer to a lost decision: {outcome.kind} {outcome.reason}")
    return same


async def _check_cause(run: Storm, table: Table, server: str) -> str | None:
    """Watch through *server* until HISTORY_REWOUND comes; return what is wrong if it does not."""
    end = time.monotonic() + SECONDS
    token = ""
    while time.monotonic() < end:
        request = pb.WatchMatchRequest(match_id=table.seat.match_id, resume_token=token)
        call = run.stubs.of(server).WatchMatch(request, metadata=bearer(table.seat.secret))
        with suppress(grpc.aio.AioRpcError, TimeoutError):
            async with asyncio.timeout(end - time.monotonic()):
                while (message := await call.read()) is not grpc.aio.EOF:
                    if message.snapshot.cause == REWOUND:
                        call.cancel()
                        return None
                    token = message.resume_token
        call.cancel()
        await asyncio.sleep(0.05)
    return f"{table.seat.match_id}: {server} did not report the rewind to an open watch"


async def _resume(
    run: Storm, verdict: Verdict, table: Table, revision: int, cause: int | None
) -> None:
    """Resume at *revision* in every server; the first message must be a snapshot with *cause*."""
    for server in run.rig.servers:
        try:
            message = await _first_message(run, server.name, table, revision)
        except (grpc.aio.AioRpcError, TimeoutError) as error:
            verdict.blame(PROMISE, f"no answer to a token of {revision}: {type(error).__name__}")
            continue
        verdict.figures["tokens resumed over a rewind"] += 1
        seen_cause = message.snapshot.cause if message.HasField("snapshot") else None
        if seen_cause != cause:
            verdict.blame(
                PROMISE,
                f"{server.name}: a token of {revision} got {message.WhichOneof('update')}, "
                f"cause {seen_cause}, instead of {cause}",
            )


async def _first_message(run: Storm, server: str, table: Table, revision: int) -> Any:
    """Resume at *revision*, again while the server has not found the store; return the first."""
    request = pb.WatchMatchRequest(
        match_id=table.seat.match_id, resume_token=table.tokens[revision]
    )
    async with asyncio.timeout(SECONDS):
        while True:
            call = run.stubs.of(server).WatchMatch(request, metadata=bearer(table.seat.secret))
            try:
                return await call.read()
            except grpc.aio.AioRpcError as error:
                if error.code() not in OUTAGE:
                    raise
            finally:
                call.cancel()
            await asyncio.sleep(run.rng.uniform(*PAUSE))
