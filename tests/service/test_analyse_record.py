"""EngineService.AnalyseRecord: judgements of a record, its limits, and records that are none."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from taflhall.v1 import engine_service_pb2 as pb
from taflhall.v1 import match_pb2, match_service_pb2
from taflhall_client.analysis.worker import reply
from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.analyst import (
    AnalysisOrder,
    AnalystBusy,
    AnalystUnavailable,
    InvalidRecord,
)
from taflhall_service.bots.analyst import AnalystPool
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.waiting import until

GAME = registry.game("yggdrasil")


def record() -> dict[str, Any]:
    bots = [Random(GAME, seed) for seed in range(2)]
    return play(GAME, bots, GAME.setup_kind(seats=2), secret=bytes(32)).record(["Ann", "Ben"])


def order(**fields: Any) -> AnalysisOrder:
    usual = {"record": record(), "first_revision": 0, "decisions": 2, "iterations": 8}
    return AnalysisOrder(**{**usual, "trials": 4, "seed": 1, **fields})


@pytest.fixture
async def pool() -> AsyncIterator[AnalystPool]:
    made = AnalystPool(share=1.0)
    yield made
    await made.close()


async def test_it_judges_as_the_analysis_does_in_this_process(pool):
    judged = await pool.judge("ann", order())
    judged_here = reply(
        {
            "record": record(),
            "first_revision": 0,
            "decisions": 2,
            "iterations": 8,
            "trials": 4,
            "seed": 1,
        }
    )
    assert [d.before for d in judged.decisions] == [d["before"] for d in judged_here["decisions"]]
    assert [d.best for d in judged.decisions] == [d["best"] for d in judged_here["decisions"]]
    assert judged.next_revision == judged_here["next_revision"] > 0
    assert pool.cpu_seconds > 0


async def test_a_record_can_be_gone_through_part_by_part(pool):
    first = await pool.judge("ann", order(decisions=1))
    second = await pool.judge("ann", order(decisions=1, first_revision=first.next_revision))
    both = await pool.judge("ann", order(decisions=2))
    assert both.decisions == first.decisions + second.decisions


async def test_only_the_last_digest_is_compared(pool):
    made = record()
    made["digests"] = ["" for _ in made["digests"][:-1]] + made["digests"][-1:]
    assert (await pool.judge("ann", order(record=made))).decisions
    made["digests"][-1] = "00"
    with pytest.raises(InvalidRecord, match="digest"):
        await pool.judge("ann", order(record=made))


async def test_records_of_nonsense_do_no_harm(pool):
    for wrong in ({}, {"game": "yggdrasil"}, record() | {"commands": [[0, "asgard"]]}):
        with pytest.raises(InvalidRecord):
            await pool.judge("ann", order(record=wrong))
    assert pool.deaths == 0


async def test_an_analysis_whose_process_dies_is_begun_again(pool):
    judged = asyncio.create_task(pool.judge("ann", order(decisions=2, iterations=50)))
    await until(lambda: bool(pool.processes))
    os.kill(pool.processes[0], signal.SIGKILL)
    assert len((await judged).decisions) == 2
    assert pool.deaths == 1


async def test_an_analysis_whose_process_dies_twice_fails_alone(pool):
    long = asyncio.create_task(pool.judge("ann", order(decisions=20, iterations=100_000)))
    killed: set[int] = set()
    for _ in range(2):
        await until(lambda: bool({*pool.processes} - killed))
        (process,) = {*pool.processes} - killed
        os.kill(process, signal.SIGKILL)
        killed.add(process)
    with pytest.raises(AnalystUnavailable):
        await long
    assert (await pool.judge("ann", order())).decisions


async def test_no_more_analyses_wait_than_the_limit():
    pool = AnalystPool(share=1.0, most_waiting=1)
    try:
        running = asyncio.create_task(pool.judge("ann", order(decisions=20, iterations=100_000)))
        await until(lambda: bool(pool.processes))
        waiting = asyncio.create_task(pool.judge("ann", order()))
        await until(lambda: pool.waiting == 1)
        with pytest.raises(AnalystBusy):
            await pool.judge("ben", order())
    finally:
        await pool.close()
    for task in (running, waiting):
        with pytest.raises(AnalystUnavailable):
            await task


# ---------------------------------------------------------------- over the wire


async def recorded(server: LocalServer) -> match_pb2.MatchRecord:
    """Return the record of a match that ended after a few commands."""
    table = await server.table()
    for _ in range(4):
        await table.step()
    resigned = match_service_pb2.ResignSeatRequest(match_id=table.id, request_id="resign")
    await server.match.ResignSeat(resigned, metadata=bearer(table.secrets[0]))
    request = match_service_pb2.GetMatchRecordRequest(match_id=table.id)
    found: match_pb2.MatchRecord = (await server.match.GetMatchRecord(request)).record
    return found


async def test_a_call_returns_judgements_with_texts():
    async with open_server() as server:
        found = await recorded(server)
        request = pb.AnalyseRecordRequest(
            record=found, page_size=2, iterations=8, trials=4, language="en"
        )
        response = await server.engine.AnalyseRecord(request)
        assert await server.engine.AnalyseRecord(request) == response
    first = response.decisions[0]
    assert first.revision == 1
    assert [o.command for o in first.chosen] == list(found.commands[0].commands)
    assert first.best[0].text
    assert first.loss == pytest.approx(first.expected_before - first.expected_after)
    assert first.grade != pb.ANSWER_GRADE_UNSPECIFIED


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"page_size": 21}, "MALFORMED"),
        ({"page_size": -1}, "MALFORMED"),
        ({"iterations": 1001}, "MALFORMED"),
        ({"trials": 1}, "MALFORMED"),
        ({"page_size": 20, "iterations": 400}, "WORK_LIMIT"),
    ],
)
async def test_a_call_asks_for_no_more_than_its_limits(fields, reason):
    async with open_server(limits=Limits()) as server:
        found = await recorded(server)
        call = server.engine.AnalyseRecord(pb.AnalyseRecordRequest(record=found, **fields))
        assert (await refused(call)).reason == reason


async def test_a_record_that_does_not_replay_is_refused():
    async with open_server() as server:
        found = await recorded(server)
        found.commands[0].ClearField("commands")
        call = server.engine.AnalyseRecord(pb.AnalyseRecordRequest(record=found))
        assert (await refused(call)).reason == "MALFORMED"
        found.match.ClearField("secret")
        call = server.engine.AnalyseRecord(pb.AnalyseRecordRequest(record=found))
        assert (await refused(call)).reason == "MALFORMED"
