"""What is asked of a store before anything is acknowledged (G5), and what is never written (G12).

* a store that keeps less safely than declared is refused at the start;
* a commit that the copies have not confirmed is not a success, and its repetition waits again;
* a store that is full writes nothing of a commit, or all of it;
* a match that a newer release stored is neither read nor written;
* a store that is frozen makes answers late or unknown, never wrong.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.faults.control.rig import Rig
from tests.faults.control.topology import Copies
from tests.faults.history import History
from tests.faults.scenarios.storm import Storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import PATIENCE, Outcome
from tests.faults.traffic.players import Player
from tests.faults.truth import Wanted, read_truths

WEAK = (
    ({"appendonly": "no"}, "no append-only file"),
    ({"appendfsync": "everysec"}, "fsync every second"),
)


async def said(attempt: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """Return what a server says; a busy machine may not let it within the time of a call."""
    end = time.monotonic() + PATIENCE
    while True:
        outcome = await attempt()
        if outcome.kind == "ok" or outcome.reason or time.monotonic() > end:
            return outcome


async def stores(*, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Try all of the above."""
    verdict = Verdict()
    for settings, words in WEAK:
        await _refused(verdict, settings, words, rig)
    await _unconfirmed(verdict, seed, rig)
    await _full(verdict, seed, rig)
    await _newer(verdict, seed, rig)
    await _frozen(verdict, seed, rig)
    return verdict


async def _refused(
    verdict: Verdict, settings: dict[str, str], words: str, rig: dict[str, Any] | None
) -> None:
    async with Rig(0, rig=rig, settings=settings) as on:
        server = on.add()
        server.launch()
        assert server.child is not None
        verdict.figures["weak stores tried"] += 1
        with suppress(RuntimeError):  # it ends instead
            await server.serving()
        if not await server.child.ended(0) or not server.child.status:
            verdict.blame("G5 declared level", f"a store with {words} is taken for a safe one")


async def _unconfirmed(verdict: Verdict, seed: int, rig: dict[str, Any] | None) -> None:
    """Freeze the only copy: no answer may say OK until it is back."""
    promise = "G5 confirmed by copies"
    async with Rig(0, rig=rig, store=False, flags={"durability": "replicated"}) as on:
        copies = Copies(on.children, on.folder / "stores")
        await copies.start()
        for _ in range(2):
            await on.add(copies.primary.address).start()
        run = Storm(on, seed, watchers=0)
        player = await _seated(run)
        assert copies.copy.child is not None
        copies.copy.child.freeze()
        await asyncio.sleep(0.1)
        request = await _request(player)
        for server in ("server0", "server1", "server0", "server1"):  # repetitions must wait as well
            outcome = await said(partial(player._attempt, request, False, server))
            verdict.figures["commits without a copy"] += 1
            if outcome.kind == "ok":
                verdict.blame(promise, "acknowledged while the only copy was frozen")
            elif outcome.reason != "DURABILITY_UNCONFIRMED":
                verdict.blame(promise, f"unconfirmed, but seen {outcome.reason or outcome.kind}")
        copies.copy.child.thaw()
        outcome = await player.settle(request, calm=True)
        if outcome.kind != "ok" or outcome.answer.durability != match_pb2.DURABILITY_REPLICATED:
            verdict.blame(promise, f"after the copy is back: {outcome.kind} {outcome.reason}")
        await _whole(verdict, copies.primary.client())
        await run.stubs.close()


async def _full(verdict: Verdict, seed: int, rig: dict[str, Any] | None) -> None:
    """Let the store run out of memory between commits."""
    async with Rig(1, rig=rig) as on:
        run = Storm(on, seed, watchers=0)
        player = await _seated(run)
        used = int((await on.store.ask("INFO", "memory"))["used_memory"])
        await on.store.ask("CONFIG", "SET", "maxmemory", used - 1)
        request = await _request(player)
        outcome = await player._attempt(request, False)
        if outcome.kind == "ok":
            verdict.blame("G5 whole commits", "acknowledged by a store that is full")
        await _whole(verdict, on.store.client())
        await on.store.ask("CONFIG", "SET", "maxmemory", 0)
        outcome = await player.settle(request, calm=True)
        verdict.figures["commits into a full store"] += 1
        if outcome.kind != "ok":
            verdict.blame("G5 whole commits", f"room again, but {outcome.reason}")
        await run.stubs.close()


async def _newer(verdict: Verdict, seed: int, rig: dict[str, Any] | None) -> None:
    """Let a match look as if a newer release had stored it."""
    async with Rig(2, rig=rig) as on:
        run = Storm(on, seed, watchers=0)
        player = await _seated(run)
        match_id = player.seat.match_id
        request = await _request(player)
        stem = f"taflhall:{{{match_id}}}:"
        await on.store.ask("HSET", stem + "m", "schema", "999", "change_id", "77")
        before = await _print(run, stem)
        for name in [server.name for server in on.servers]:
            for method, message in (
                ("GetMatch", pb.GetMatchRequest(match_id=match_id)),
                ("SubmitAnswers", request),
                ("ResignSeat", pb.ResignSeatRequest(match_id=match_id, request_id="r")),
            ):
                call = partial(
                    player._caller.call,
                    method,
                    message,
                    player.seat.secret,
                    server=name,
                    match=match_id,
                    scope=0,
                    request="newer",
                    body="newer",
                )
                outcome = await said(call)
                verdict.figures["calls about a newer match"] += 1
                if outcome.reason != "RULES_TOO_NEW":
                    seen = outcome.reason or outcome.kind
                    verdict.blame("G12 newer is left alone", f"{method} was seen {seen}")
        if await _print(run, stem) != before:
            verdict.blame("G12 newer is left alone", "a match of a newer release was written")
        await run.stubs.close()


async def _frozen(verdict: Verdict, seed: int, rig: dict[str, Any] | None) -> None:
    """Freeze the store for longer than a call waits."""
    async with Rig(2, rig=rig) as on:
        run = Storm(on, seed, watchers=0)
        player = await _seated(run)
        request = await _request(player)
        assert on.store.child is not None
        on.store.child.freeze()
        outcome = await player._attempt(request, False)
        if outcome.kind != "unknown":
            verdict.blame("G5 frozen store", f"answered {outcome.kind} {outcome.reason}")
        on.store.child.thaw()
        outcome = await player.settle(request, calm=True)
        verdict.figures["freezes of the store"] += 1
        if outcome.kind != "ok":
            verdict.blame("G5 frozen store", f"thawed, but {outcome.reason}")
        await _whole(verdict, on.store.client())
        await run.stubs.close()


async def _seated(run: Storm) -> Player:
    (player,) = await run.crowd._open(1, 1)
    return player


async def _request(player: Player) -> pb.SubmitAnswersRequest:
    while (decision := await player._pending()) is None:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    return player._request(decision)


async def _whole(verdict: Verdict, client: Any) -> None:
    try:
        truths = await read_truths(client, Wanted.by(History()))
    finally:
        await client.aclose()
    for truth in truths.values():
        for fault in truth.faults:
            verdict.blame("G5 whole commits", fault)


async def _print(run: Storm, stem: str) -> str:
    """Return a digest of everything that is stored of a match."""
    seen = [
        await run.rig.store.ask("HGETALL", stem + "m"),
        await run.rig.store.ask("XRANGE", stem + "e", "-", "+"),
        await run.rig.store.ask("HGETALL", stem + "i"),
    ]
    return hashlib.sha256(repr(seen).encode()).hexdigest()
