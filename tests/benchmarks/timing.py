"""Does the time of an answer reveal what its bytes hide? Welch's t-test over interleaved calls.

Only the time inside the handlers is measured, in one process; nothing is promised of the network.
Two calls whose answers are alike take turns at random; the slowest hundredth of each is left out.
|t| above 4.5 over 100,000 calls speaks for a leak. Where the answers themselves differ (whether a
match exists, whether a command is legal) their time reveals nothing more.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import statistics
from time import perf_counter_ns
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.chance import FastChance
from taflhall_service.store.memory import Memory
from tests.benchmarks.report import table, write_section
from tests.faults.fuzz.messages import Maker
from tests.faults.fuzz.pool import Pool
from tests.faults.inside import Inside, quiet_logs
from tests.faults.leaks.worlds import hidden_differences, other, put, spots, world_at
from tests.faults.traffic.watchers import SPECTATOR

LIMIT: Final = 4.5
SERVICE: Final = "/taflhall.v1.MatchService/"

Call = tuple[str, bytes, tuple[tuple[str, Any], ...]]


def calls(pool: Pool, match_id: str, secret: str, pending: Any) -> dict[str, tuple[Call, Call]]:
    """Return pairs of calls that must take the same time, by what they are."""
    own = (("authorization", f"Bearer {secret}"),)
    explain = SERVICE + "ExplainCommand"
    legal = pb.ExplainCommandRequest(match_id=match_id, command=pending.options[0].command)
    stale = SERVICE + "SubmitAnswers", pb.SubmitAnswersRequest(match_id=match_id, request_id="t")
    stale[1].answers.add(option=0)
    wrong = [_changed(secret, at) for at in (1, len(secret) - 2)]
    other = next(seat for name, seat in pool.seats.items() if name != match_id)
    return {
        "a secret wrong at its 2nd or at its last character but one": (
            (explain, legal.SerializeToString(), _bearer(wrong[0])),
            (explain, legal.SerializeToString(), _bearer(wrong[1])),
        ),
        "a secret of another match or one of no match": (
            (explain, legal.SerializeToString(), _bearer(other)),
            (explain, legal.SerializeToString(), _bearer(wrong[0])),
        ),
        "a match that is not there, by two ids": (
            (stale[0], _about(stale[1], "a" * 26), own),
            (stale[0], _about(stale[1], match_id[:25] + "_"), own),
        ),
        "a stale decision, of two names": (
            (stale[0], _about(stale[1], match_id, "0-AAAAAAAAAAAA"), own),
            (stale[0], _about(stale[1], match_id, pending.id[:-1] + "A"), own),
        ),
    }


def _about(request: pb.SubmitAnswersRequest, match_id: str, decision: str = "x") -> bytes:
    request.match_id, request.decision_id = match_id, decision
    return request.SerializeToString()


def _bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def _changed(secret: str, at: int) -> str:
    return secret[:at] + ("A" if secret[at] != "A" else "B") + secret[at + 1 :]


async def times(sides: tuple[Inside, Inside], pair: tuple[Call, Call], count: int) -> float:
    """Return Welch's t of two calls, made *count* times in random order."""
    rng = random.Random(count)
    taken: tuple[list[int], list[int]] = [], []
    for _ in range(count):
        which = rng.getrandbits(1)
        path, data, metadata = pair[which]
        began = perf_counter_ns()
        await sides[which].call(path, data, metadata)
        taken[which].append(perf_counter_ns() - began)
    return welch(*[sorted(part)[: len(part) * 99 // 100] for part in taken])


def welch(one: list[int], two: list[int]) -> float:
    """Return by how many standard errors the means differ."""
    spread = statistics.variance(one) / len(one) + statistics.variance(two) / len(two)
    return float((statistics.fmean(one) - statistics.fmean(two)) / spread**0.5)


async def measure(count: int) -> dict[str, float]:
    """Return t for each pair of calls."""
    quiet_logs(io.StringIO())
    async with Inside() as inside:
        pool = await Pool.filled(inside, Maker(1), ("yggdrasil",))
        match_id, secret = list(pool.seats.items())[2]
        get = pb.GetMatchRequest(match_id=match_id, with_options=True)
        response = await inside.call(SERVICE + "GetMatch", get.SerializeToString(), _bearer(secret))
        pending = pb.GetMatchResponse.FromString(response.body).decisions[0]
        found = {}
        for name, pair in calls(pool, match_id, secret, pending).items():
            await times((inside, inside), pair, count // 20)
            found[name] = await times((inside, inside), pair, count)
    found["the same view of two worlds"] = await two_worlds(count // 10)
    return found


async def two_worlds(count: int) -> float:
    """Return t for reads of worlds that differ only in what the viewer may not know."""
    rng, memories = random.Random(1), (Memory(), Memory())
    memories[1].key = memories[0].key
    *_, spot = spots("champions", 1)
    world = world_at(spot, rng)
    twin = other(world, SPECTATOR, FastChance(1))
    assert hidden_differences(world, twin)
    get = pb.GetMatchRequest(match_id=world.match.id, with_view=True).SerializeToString()
    async with Inside(memories[0]) as one, Inside(memories[1]) as two:
        for memory, part in zip(memories, (world, twin), strict=True):
            await put(memory, part)
        call = SERVICE + "GetMatch", get, ()
        await times((one, two), (call, call), count // 20)
        return await times((one, two), (call, call), count)


def main(count: int = 100_000) -> bool:
    """Measure and report; return whether no pair can be distinguished."""
    found = asyncio.run(measure(count))
    rows = [[name, f"{t:+.2f}"] for name, t in found.items()]
    words = (
        f"Time inside the handlers, {count:,} calls of each pair in random order; the limit is "
        f"{LIMIT} standard errors.\n\n"
        + table(["two calls that must take the same time", "t"], rows)
    )
    print(words)
    write_section(
        "bench:timing", "What response times reveal", "make bench ARGS='--only timing'", words
    )
    return all(abs(t) < LIMIT for t in found.values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.timing", description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    main(parser.parse_args().calls)
