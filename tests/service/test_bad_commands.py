"""Commands that cannot be carried out, and arguments out of range."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.service.bad_input import Code, check, pending, unchanged
from tests.service.local_server import Table, bearer, limits, open_server, refused

UNHEARD_OF: Any = 99


@pytest.mark.parametrize("decision_id", ["", "nothing", "0-AAAAAAAAAAAA"])
async def test_an_unknown_decision(table, decision_id):
    decision = await pending(table)
    person = decision.seat
    call = table.submit(decision_id, person=person)
    await check(
        table,
        call,
        Code.ABORTED,
        "STALE_DECISION",
        decision_id=decision.id,
        revision="0",
    )
    call = table.submit(decision_id, person=1 - person)
    await check(table, call, Code.ABORTED, "STALE_DECISION", decision_id="", revision="0")


async def test_a_decision_that_has_been_answered(table):
    decision = await pending(table)
    await table.submit(decision.id, person=decision.seat)
    refusal = await refused(table.submit(decision.id, person=decision.seat))
    assert (refusal.code, refusal.reason) == (Code.ABORTED, "STALE_DECISION")
    assert refusal.metadata["revision"] == "1"


@pytest.mark.parametrize("option", [256, -1, 2**31 - 1])
async def test_an_option_out_of_range(table, option):
    decision = await pending(table)
    known = await table.decision(decision.seat)
    call = table.submit(decision.id, option, decision.seat)
    await check(
        table,
        call,
        Code.INVALID_ARGUMENT,
        "NO_SUCH_OPTION",
        option=str(option),
        options=str(len(known.options)),
    )


async def test_an_empty_command(table):
    decision = await pending(table)
    command = table_pb2.Command()
    command.yggdrasil.SetInParent()
    answers = [pb.DecisionAnswer(command=command)]
    call = table.submit(decision.id, person=decision.seat, answers=answers)
    expected = "a command of yggdrasil"
    field = "answers[0].command"
    await check(table, call, Code.INVALID_ARGUMENT, "MALFORMED", field=field, expected=expected)


async def test_an_answer_that_says_nothing(table):
    decision = await pending(table)
    call = table.submit(decision.id, person=decision.seat, answers=[pb.DecisionAnswer()])
    expected = "an option or a command"
    await check(
        table, call, Code.INVALID_ARGUMENT, "MALFORMED", field="answers[0]", expected=expected
    )


@pytest.mark.parametrize("number", [0, 65])
async def test_no_answer_or_too_many(table, number):
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id="x",
        request_id="1",
        answers=[pb.DecisionAnswer(option=0)] * number,
    )
    call = table.server.match.SubmitAnswers(request, metadata=bearer(table.secrets[0]))
    await check(
        table,
        call,
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        field="answers",
        expected="1 to 64 answers",
    )


async def test_a_command_that_the_rules_forbid_names_rule_and_reason(table):
    decision = await pending(table)
    command = table_pb2.Command()
    command.yggdrasil.asgard.enemy = UNHEARD_OF
    answers = [pb.DecisionAnswer(command=command)]
    before = await unchanged(table)
    call = table.submit(decision.id, person=decision.seat, answers=answers)
    refusal = await refused(call)
    assert (refusal.code, refusal.reason) == (Code.FAILED_PRECONDITION, "ILLEGAL_COMMAND")
    assert refusal.metadata["index"] == "0"
    assert refusal.metadata["refusal"]
    assert "rule" in refusal.metadata
    assert await unchanged(table) == before


async def test_a_match_that_has_not_begun(server):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    created = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
    match_id = created.match.id
    joined = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Ann"))
    table = Table(server, match_id, [joined.seat_secret], created.creator_secret)
    call = table.submit("x")
    await check(table, call, Code.FAILED_PRECONDITION, "NOT_STARTED", match_id=match_id)
    start = server.match.StartMatch(
        pb.StartMatchRequest(match_id=match_id), metadata=bearer(table.creator)
    )
    free = ",".join(str(s.index) for s in created.match.seats[1:])
    await check(table, start, Code.FAILED_PRECONDITION, "NOT_ALL_SEATED", free=free)
    view = server.match.GetMatchView(pb.GetMatchViewRequest(match_id=match_id))
    await check(table, view, Code.FAILED_PRECONDITION, "NOT_STARTED", match_id=match_id)


async def test_a_finished_match(table):
    await table.server.match.ResignSeat(
        pb.ResignSeatRequest(match_id=table.id, request_id="over"),
        metadata=bearer(table.secrets[0]),
    )
    over = {"code": Code.FAILED_PRECONDITION, "reason": "MATCH_OVER", "match_id": table.id}
    await check(table, table.submit("x"), **over)
    await check(
        table,
        table.server.match.ResignSeat(
            pb.ResignSeatRequest(match_id=table.id, request_id="again"),
            metadata=bearer(table.secrets[1]),
        ),
        **over,
    )


async def test_a_record_before_the_end(table):
    call = table.server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))
    await check(table, call, Code.FAILED_PRECONDITION, "NOT_FINISHED", match_id=table.id)


@pytest.mark.parametrize("revision", [1, -1, 2**31 - 1])
async def test_an_unknown_revision(table, revision):
    call = table.server.match.GetMatchView(
        pb.GetMatchViewRequest(match_id=table.id, revision=revision)
    )
    await check(table, call, Code.OUT_OF_RANGE, "UNKNOWN_REVISION", revision="0")


@pytest.mark.parametrize("token", ["x", "zz" * 19, "\u00e9" * 38])
async def test_a_page_token_of_somebody_else(table, token):
    call = table.server.match.ListMatches(pb.ListMatchesRequest(page_token=token))
    await check(table, call, Code.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")


@pytest.mark.parametrize("size", [-1, -100])
async def test_a_page_size_below_zero_is_refused(table, size):
    call = table.server.match.ListMatches(pb.ListMatchesRequest(page_size=size))
    await check(
        table, call, Code.INVALID_ARGUMENT, "MALFORMED", field="page_size", expected="0 or more"
    )


async def test_a_kind_and_a_status_that_do_not_exist(table):
    call = table.server.match.ListMatches(pb.ListMatchesRequest(status=UNHEARD_OF))
    refusal = await refused(call)
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "status")
    assert "MATCH_STATUS_OPEN" in refusal.metadata["expected"]
    call = table.server.match.JoinMatch(
        pb.JoinMatchRequest(match_id=table.id, name="Bo", kind=UNHEARD_OF)
    )
    refusal = await refused(call)
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "kind")
    assert "SEAT_KIND_BOT" in refusal.metadata["expected"]


@pytest.mark.parametrize("token", ["x", "AAAA", "A" * 44, "A" * 43 + "\u00e9"])
async def test_a_resume_token_of_somebody_else(table, token):
    watch = table.server.match.WatchMatch(
        pb.WatchMatchRequest(match_id=table.id, resume_token=token)
    )
    await check(
        table,
        watch.read(),
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        field="resume_token",
        expected="a token of this match and viewer",
    )


async def test_a_token_of_another_viewer_is_refused(table):
    token = (await table.get(0)).resume_token
    request = pb.WatchMatchRequest(match_id=table.id, resume_token=token)
    watch = table.server.match.WatchMatch(request, metadata=bearer(table.secrets[1]))
    assert (await refused(watch.read())).reason == "MALFORMED"


async def test_as_many_commands_as_a_match_may_have():
    async with open_server(limits=limits(match_commands=3)) as server:
        table = await server.table(2, 2)
        for _ in range(3):
            await table.step()
        call = table.step()
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (Code.RESOURCE_EXHAUSTED, "MATCH_TOO_LONG")
        assert refusal.metadata == {"limit": "3"}


async def test_as_many_streams_as_a_server_may_hold():
    async with open_server(limits=limits(streams=2)) as server:
        table = await server.table(2, 2)
        streams = [
            server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id)) for _ in range(2)
        ]
        for stream in streams:
            await stream.read()
        third = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        refusal = await refused(third.read())
        assert (refusal.code, refusal.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        assert refusal.metadata == {"limit": "2"}
        for stream in streams:
            stream.cancel()


def test_match_status_numbers_are_those_of_the_contract():
    assert match_pb2.MatchStatus.keys() == [
        "MATCH_STATUS_UNSPECIFIED",
        "MATCH_STATUS_OPEN",
        "MATCH_STATUS_PLAYING",
        "MATCH_STATUS_FINISHED",
        "MATCH_STATUS_ABANDONED",
    ]
