"""Retries and resumption, against a server that does what the test says.

The server speaks the contract over a socket; each call takes the next line of its script.
"""

import asyncio

import grpc
import pytest

from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1 import table_pb2
from taflhall_client import async_client, errors
from taflhall_client.backoff import Backoff
from taflhall_client.results import Restart, Status
from taflhall_engine.kernel.agenda import Resigned
from tests.clients.python.scripted import FINISHED, HEARTBEAT, UNAVAILABLE, change, ended, snapshot
from tests.waiting import until


async def collect(match, **how):
    return [update async for update in match.watch(view=False, **how)]


# ---------------------------------------------------------------- single calls


async def test_an_unknown_outcome_is_repeated_with_the_same_request(serve):
    reply = rpc.SubmitAnswersResponse(revision=3, applied=1, replayed=True)
    codes = [
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNKNOWN,
    ]
    scripted, match = await serve(*codes, reply)
    submitted = await match.submit(0, "d1")
    assert (submitted.revision, submitted.replayed) == (3, True)
    assert len(scripted.heard) == 5
    assert all(request == scripted.heard[0] for request in scripted.heard)
    assert scripted.heard[0].request_id
    assert scripted.heard[0].decision_id == "d1"


async def test_grpc_itself_repeats_what_was_unavailable(serve):
    scripted, match = await serve(
        UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, rpc.SubmitAnswersResponse()
    )
    await match.submit(0, "d1")
    assert len({request.request_id for request in scripted.heard}) == 1
    assert len(scripted.heard) == 4


async def test_every_request_has_an_id_of_its_own(serve):
    scripted, match = await serve(rpc.SubmitAnswersResponse(), rpc.SubmitAnswersResponse())
    await match.submit(0, "d1")
    await match.submit(0, "d2")
    assert len({request.request_id for request in scripted.heard}) == 2


async def test_a_definite_refusal_is_not_repeated(serve):
    scripted, match = await serve(grpc.StatusCode.FAILED_PRECONDITION)
    with pytest.raises(errors.Rejected):
        await match.submit(0, "d1")
    assert len(scripted.heard) == 1


async def test_a_server_that_keeps_failing_is_abandoned_after_the_patience(serve):
    scripted, match = await serve(*[grpc.StatusCode.INTERNAL] * 20)
    with pytest.raises(errors.Unreachable, match="as the script says"):
        await match.submit(0, "d1")
    assert len(scripted.heard) == async_client.FAULTS + 1


async def test_the_deadline_holds_for_all_repetitions_together(serve):
    _, match = await serve(*[0.1] * 999, deadline=1.0)
    await match.decoder()
    begin = asyncio.get_running_loop().time()
    with pytest.raises(errors.Uncertain):
        await match.submit(0, "d1")
    assert asyncio.get_running_loop().time() - begin < 20.0, "the script lasts 100 seconds"


async def test_nobody_listening_is_unreachable():
    async with async_client.Client("127.0.0.1:1", deadline=0.5) as client:
        with pytest.raises(errors.Uncertain):
            await client.games()


# ---------------------------------------------------------------- watching


async def test_a_watch_resumes_from_its_last_token(serve):
    scripted, match = await serve(
        [snapshot(0), change(1, 0), UNAVAILABLE],
        [grpc.StatusCode.CANCELLED],
        [change(2, 1), HEARTBEAT, ended(rpc.STREAM_END_CAUSE_DRAINING, 2)],
        [change(3, 0), ended(rpc.STREAM_END_CAUSE_SLOW_CONSUMER, 3)],
        [change(4, 1)],
        [change(5, 1), FINISHED],
    )
    updates = await collect(match)
    assert [u.revision for u in updates] == [0, 1, 2, 3, 4, 5, 9]
    assert scripted.heard == ["", "t1", "t1", "t9", "t9", "t4"]
    assert updates[0].restart is Restart.BEGIN
    assert updates[1].events == [Resigned("", 0)]
    assert updates[-1].status is Status.FINISHED
    assert updates[-1].match is not None


async def test_a_rewound_history_starts_over(serve):
    _, match = await serve(
        [snapshot(5), UNAVAILABLE],
        [snapshot(3, rpc.SNAPSHOT_CAUSE_HISTORY_REWOUND), FINISHED],
    )
    updates = await collect(match)
    assert updates[1].restart is Restart.HISTORY_REWOUND
    assert updates[1].revision == 3


async def test_a_watch_may_begin_at_a_token(serve):
    scripted, match = await serve([FINISHED])
    await collect(match, resume_token="t7")
    assert scripted.heard == ["t7"]


async def test_a_watch_that_is_refused_ends(serve):
    _, match = await serve([grpc.StatusCode.NOT_FOUND])
    with pytest.raises(errors.Rejected):
        await collect(match)


async def test_a_watch_gives_up_after_its_patience(serve):
    scripted, match = await serve(*[[UNAVAILABLE]] * 1000)
    with pytest.raises(errors.Unreachable, match="as the script says"):
        await collect(match, patience=1.5)
    assert len(scripted.heard) > 2


async def test_a_stream_that_falls_silent_is_opened_again(serve):
    scripted, match = await serve([snapshot(0), 300.0], [change(1, 0), FINISHED], silence=3.0)
    updates = await collect(match)
    assert [u.revision for u in updates] == [0, 1, 9]
    assert scripted.heard == ["", "t0"]


async def test_an_abandoned_watch_is_cancelled(serve):
    scripted, match = await serve([snapshot(0), 30.0])
    updates = match.watch(view=False)
    await anext(updates)
    assert scripted.open == 1
    await updates.aclose()
    await until(lambda: scripted.open == 0)


async def test_events_of_a_newer_server_are_passed_over(serve):
    newer = change(1, 0)
    newer.change.events.insert(0, table_pb2.Event())
    _, match = await serve([newer, FINISHED])
    updates = await collect(match)
    assert updates[0].events == [Resigned("", 0)]


def test_pauses_grow_with_full_jitter_up_to_five_seconds():
    pauses = Backoff()
    found = [pauses.pause() for _ in range(200)]
    assert all(0.2 <= pause <= 5.0 for pause in found)
    assert max(found) > 3.0
    assert max(found[:1]) <= 0.4
    pauses.reset()
    assert pauses.pause() <= 0.4
