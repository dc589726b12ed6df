"""1.13 Play resumes where a lost stream ended, and answers a repeated answer."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import table_pb2
from taflhall_service.app.model.tokens import ResumePoint, resume_token
from tests.service.local_server import LocalServer, Table, bearer, refused
from tests.service.test_play import Bot


async def watched_after(table: Table, token: str, count: int, person: int) -> list[Any]:
    """Return the events that a watch of *person* has after *token*, from *count* changes."""
    request = pb.WatchMatchRequest(match_id=table.id, resume_token=token)
    watch = table.server.match.WatchMatch(request, metadata=bearer(table.secrets[person]))
    events: list[table_pb2.Event] = []
    for _ in range(count):
        events += (await watch.read()).change.events
    watch.cancel()
    return events


async def prompted(table: Table, person: int, **wants: Any) -> tuple[Bot, pb.PlayResponse]:
    """Return a bot of *person*, who has to decide, and its first prompt."""
    while (await table.get(None)).decisions[0].seat != person:
        await table.step()
    bot = Bot(table, person, with_events=True, **wants)
    heard = await bot.begin()
    assert heard.HasField("prompt")
    return bot, heard


async def test_the_first_prompt_brings_the_events_since_the_token(server: LocalServer) -> None:
    table = await server.table(2, 2)
    bot, first = await prompted(table, 0)
    bot.stream.cancel()
    before = first.revision
    await table.step()
    _, again = await prompted(table, 0, resume_token=first.prompt.resume_token)
    missed = again.revision - before
    assert missed >= 1
    expected = await watched_after(table, first.prompt.resume_token, missed, 0)
    assert list(again.prompt.events) == expected
    assert again.prompt.cause == pb.SNAPSHOT_CAUSE_UNSPECIFIED
    assert again.prompt.resume_token != first.prompt.resume_token


async def test_without_a_token_only_later_events_come(server: LocalServer) -> None:
    table = await server.table(2, 2)
    await table.step()
    _, heard = await prompted(table, 0)
    assert not heard.prompt.events
    assert heard.prompt.resume_token


async def test_a_lost_history_is_named(server: LocalServer) -> None:
    table = await server.table(2, 2)
    key = await server.store.key()
    for revision in (0, 99):
        token = resume_token(key, table.id, 0, ResumePoint(revision, 0), b"another history")
        bot, heard = await prompted(table, 0, resume_token=token)
        assert heard.prompt.cause == pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
        assert not heard.prompt.events
        bot.stream.cancel()


async def test_a_token_of_another_match_is_refused(server: LocalServer) -> None:
    table, other = await server.table(2, 2), await server.table(2, 2)
    _, heard = await prompted(other, 0)
    bot = Bot(table, 0, with_events=True, resume_token=heard.prompt.resume_token)
    refusal = await refused(bot.begin())
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "resume_token")


@pytest.mark.parametrize("new_stream", [False, True])
async def test_a_repeated_answer_is_answered_with_the_present_prompt(
    server: LocalServer, new_stream: bool
) -> None:
    table = await server.table(1, 1)
    bot, first = await prompted(table, 0)
    await bot.say(first.prompt.decision.id, request_id="once")
    second = await bot.hear()
    if new_stream:
        bot.stream.cancel()
        bot, second = await prompted(table, 0)
    await bot.say(first.prompt.decision.id, request_id="once")
    third = await bot.hear()
    assert third.revision == second.revision
    assert third.prompt.decision == second.prompt.decision


async def test_the_end_brings_the_last_events(server: LocalServer) -> None:
    table = await server.table(2, 2)
    bot, _ = await prompted(table, 0)
    resign = pb.ResignSeatRequest(match_id=table.id, request_id="gone")
    await server.match.ResignSeat(resign, metadata=bearer(table.secrets[1]))
    heard = await bot.hear()
    assert heard.HasField("end")
    assert [event.resigned.seat for event in heard.end.events if event.HasField("resigned")] == [1]
