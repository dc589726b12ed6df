"""Bad input: each kind has its typed answer, and changes nothing."""

from __future__ import annotations

import random
from typing import Any

import grpc
import pytest

from taflhall.v1 import engine_service_pb2, match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from tests.service.local_server import LocalServer, Table, bearer, limits, open_server, refused

Code = grpc.StatusCode
UNHEARD_OF: Any = 99
MATCH = "/taflhall.v1.MatchService/"


@pytest.fixture
async def table(server: LocalServer) -> Table:
    """Two people with one god each; somebody has to decide."""
    return await server.table(2, 2)


async def unchanged(table: Table) -> Any:
    """Return everything that is stored of a match."""
    memory = table.server.store.memory
    return (
        memory.matches[table.id],
        list(memory.entries.get(table.id, [])),
        dict(memory.records[table.id]),
        len(memory.matches),
    )


async def check(
    table: Table, call: Any, code: grpc.StatusCode, reason: str, **metadata: str
) -> None:
    """*call* is refused so, in English and German, and nothing has changed."""
    before = await unchanged(table)
    refusal = await refused(call)
    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.metadata == metadata
    assert set(refusal.words) == {"en", "de"}
    assert refusal.text == refusal.words["en"]
    assert await unchanged(table) == before


async def pending(table: Table) -> table_pb2.Decision:
    return (await table.get(None)).decisions[0]


# ---------------------------------------------------------------- bytes


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x05ab", b"\x08"])
@pytest.mark.parametrize(
    "method",
    ["CreateMatch", "JoinMatch", "SubmitAnswers", "GetMatch", "ListMatches", "GetMatchRecord"],
)
async def test_malformed_bytes(table, method, data):
    call = table.server.raw(MATCH + method, data, table.secrets[0])
    expected = f"taflhall.v1.{method}Request"
    await check(table, call, Code.INVALID_ARGUMENT, "MALFORMED", field="", expected=expected)


async def test_malformed_bytes_in_streams(table):
    watch = table.server.channel.unary_stream(MATCH + "WatchMatch", None, None)(b"\xff")
    await check(
        table,
        watch.read(),
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        field="",
        expected="taflhall.v1.WatchMatchRequest",
    )
    play = table.server.channel.stream_stream(MATCH + "Play", None, None)()
    await play.write(b"\xff")
    refusal = await refused(play.read())
    assert refusal.reason == "MALFORMED"


async def test_random_bytes_never_give_anything_but_a_typed_answer(table):
    rng = random.Random(4)
    seen = set()
    before = await unchanged(table)
    for method in (
        "CreateMatch",
        "JoinMatch",
        "StartMatch",
        "GetMatch",
        "SubmitAnswers",
        "ExplainCommand",
        "ResignSeat",
        "GetMatchView",
        "ListMatchEvents",
    ):
        for _ in range(60):
            data = rng.randbytes(rng.randrange(40))
            try:
                await table.server.raw(MATCH + method, data, table.secrets[0])
            except grpc.aio.AioRpcError as error:
                seen.add(error.code())
    assert Code.INVALID_ARGUMENT in seen
    assert not seen & {Code.UNKNOWN, Code.INTERNAL}
    assert (await unchanged(table))[:3] == before[:3]


async def test_an_oversized_message(table):
    big = pb.JoinMatchRequest(match_id=table.id, name="x" * (64 * 1024)).SerializeToString()
    call = table.server.raw(MATCH + "JoinMatch", big)
    await check(table, call, Code.RESOURCE_EXHAUSTED, "TOO_LARGE", limit="65536")


async def test_a_huge_message_is_refused_before_it_is_read(table):
    call = table.server.raw(MATCH + "JoinMatch", bytes(1024 * 1024))
    assert (await refused(call)).code is Code.RESOURCE_EXHAUSTED


# ---------------------------------------------------------------- what is not there


async def test_a_setup_of_no_game(table):
    call = table.server.match.CreateMatch(pb.CreateMatchRequest())
    await check(
        table,
        call,
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        field="setup.game",
        expected=f"one of {', '.join(registry.GAMES)}",
    )


async def test_an_unknown_game(table):
    request = engine_service_pb2.ListOptionsRequest()
    request.table.game = "chess"
    refusal = await refused(table.server.engine.ListOptions(request))
    assert (refusal.code, refusal.reason) == (Code.INVALID_ARGUMENT, "UNKNOWN_GAME")
    assert refusal.metadata["game"] == "chess"
    assert "yggdrasil" in refusal.metadata["games"].split(",")


async def test_a_setup_that_makes_no_match_names_every_fault(table):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 9
    refusal = await refused(table.server.match.CreateMatch(pb.CreateMatchRequest(setup=setup)))
    assert (refusal.code, refusal.reason) == (Code.INVALID_ARGUMENT, "INVALID_SETUP")
    fields = refusal.metadata["fields"].split(",")
    assert "setup.seats" in fields
    assert len(refusal.violations) == len(fields) == len(refusal.metadata["codes"].split(","))
    assert all(v.description and v.localized_message.message for v in refusal.violations)


async def test_a_setup_with_a_thousand_faults_is_refused_within_8_kib_of_trailers(table):
    setup = table_pb2.Setup()
    for name in ("gods", "furious_enemies"):
        getattr(setup.yggdrasil, name).extend([99] * 1000)
    refusal = await refused(table.server.match.CreateMatch(pb.CreateMatchRequest(setup=setup)))
    assert (refusal.code, refusal.reason) == (Code.INVALID_ARGUMENT, "INVALID_SETUP")
    assert refusal.violations
    assert refusal.status.ByteSize() * 4 / 3 < 8192


@pytest.mark.parametrize(
    "method",
    [
        "GetMatch",
        "StartMatch",
        "ResignSeat",
        "GetMatchRecord",
        "GetMatchView",
        "ListMatchEvents",
        "JoinMatch",
    ],
)
async def test_an_unknown_match(table, method):
    fields = {"ResignSeat": {"request_id": "1"}, "JoinMatch": {"name": "Bo"}}.get(method, {})
    request = getattr(pb, f"{method}Request")(match_id="nowhere", **fields)
    call = getattr(table.server.match, method)(request, metadata=bearer("x"))
    await check(table, call, Code.NOT_FOUND, "MATCH_NOT_FOUND", match_id="nowhere")


async def test_an_unknown_match_gets_a_short_answer(table):
    call = table.server.match.GetMatch(pb.GetMatchRequest(match_id="m" * 60_000))
    await check(table, call, Code.NOT_FOUND, "MATCH_NOT_FOUND", match_id="m" * 64)


async def test_an_unknown_match_in_streams(table):
    watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id="nowhere"))
    await check(table, watch.read(), Code.NOT_FOUND, "MATCH_NOT_FOUND", match_id="nowhere")
    play = table.server.match.Play(metadata=bearer("x"))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id="nowhere")))
    await check(table, play.read(), Code.NOT_FOUND, "MATCH_NOT_FOUND", match_id="nowhere")


@pytest.mark.parametrize("seat", [2, 255, -2])
async def test_an_unknown_seat(table, seat):
    call = table.get(0, seat=seat)
    await check(table, call, Code.INVALID_ARGUMENT, "UNKNOWN_SEAT", seat=str(seat), seats="2")


async def test_a_seat_that_is_not_there_cannot_be_taken(server):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    match = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match
    table = Table(server, match.id, [], "")
    request = pb.JoinMatchRequest(match_id=table.id, seats=[0, 2], name="Ann")
    call = server.match.JoinMatch(request)
    await check(table, call, Code.INVALID_ARGUMENT, "UNKNOWN_SEAT", seat="2", seats="2")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [
        *["", " ", "x" * 65, "a\nb", "a\x00b", "\x1b[31mred", "\u202eeman", "a\u200bb"],
        *["\ud7ff\ue000", "\u3164", "Ann\u3164", "\u2800", "\ufe0f", "\u0301\u0301"],
    ],
)
async def test_an_invalid_name_is_refused(server, name):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    match = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match
    table = Table(server, match.id, [], "")
    call = server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name=name))
    metadata = {"limit": "64", "expected": "1 to 64 printable characters"}
    await check(table, call, Code.INVALID_ARGUMENT, "INVALID_NAME", field="name", **metadata)
    if name.strip(" \ufe0f\u0301"):  # a title may be blank
        call = server.match.CreateMatch(pb.CreateMatchRequest(setup=setup, title=name))
        metadata["expected"] = "0 to 64 printable characters"
        await check(table, call, Code.INVALID_ARGUMENT, "INVALID_NAME", field="title", **metadata)


@pytest.mark.parametrize("name", ["Ann ", " Ann", "Ann  Lee"])
async def test_a_name_with_spaces_that_can_hardly_be_seen(server, name):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    created = await server.match.CreateMatch(
        pb.CreateMatchRequest(setup=setup, title=name)
    )  # titles may
    table = Table(server, created.match.id, [], "")
    call = server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name=name))
    metadata = {"limit": "64", "expected": "no space at the ends, and no two together"}
    await check(table, call, Code.INVALID_ARGUMENT, "INVALID_NAME", field="name", **metadata)
    request = pb.JoinMatchRequest(match_id=table.id, name="Ann Lee", request_id=f"x{name} " * 4)
    assert (await server.match.JoinMatch(request)).seat_secret


@pytest.mark.parametrize("name", ["Ann", "ANN", "Ａｎｎ"])
async def test_a_name_that_sits_at_the_table_already(server, name):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    match = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match
    table = Table(server, match.id, [], "")
    await server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Ann"))
    call = server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name=name))
    await check(table, call, Code.ALREADY_EXISTS, "NAME_TAKEN", name=name)


async def test_a_seat_that_is_taken(server):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    match = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match
    table = Table(server, match.id, [], "")
    await server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, seats=[1], name="Ann"))
    call = server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, seats=[0, 1], name="Bo"))
    await check(table, call, Code.ALREADY_EXISTS, "SEAT_TAKEN", seat="1")
    await server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Bo"))
    call = server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Cy"))
    await check(table, call, Code.FAILED_PRECONDITION, "NO_FREE_SEAT", match_id=table.id)


async def test_a_match_that_has_begun_takes_nobody_in(table):
    call = table.server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Late"))
    await check(table, call, Code.FAILED_PRECONDITION, "ALREADY_STARTED", match_id=table.id)


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a\nb"])
async def test_an_invalid_request_id_is_refused(table, request_id):
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id="1",
        request_id=request_id,
        answers=[pb.DecisionAnswer(option=0)],
    )
    call = table.server.match.SubmitAnswers(request, metadata=bearer(table.secrets[0]))
    metadata = {"field": "request_id", "limit": "64", "expected": "1 to 64 printable characters"}
    await check(table, call, Code.INVALID_ARGUMENT, "INVALID_NAME", **metadata)


async def test_a_request_id_that_gives_a_secret_back_is_hard_to_guess(table):
    request = pb.JoinMatchRequest(match_id=table.id, name="Bo", request_id="short")
    call = table.server.match.JoinMatch(request)
    metadata = {"field": "request_id", "limit": "64", "expected": "16 to 64 printable characters"}
    await check(table, call, Code.INVALID_ARGUMENT, "INVALID_NAME", **metadata)


# ---------------------------------------------------------------- secrets


async def test_without_a_secret_nobody_plays(table):
    decision = await pending(table)
    table.secrets.append("")
    await check(table, table.submit(decision.id, person=2), Code.UNAUTHENTICATED, "SECRET_MISSING")
    play = table.server.match.Play()
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
    await check(table, play.read(), Code.UNAUTHENTICATED, "SECRET_MISSING")


@pytest.mark.parametrize("wrong", ["x", "x" * 43, "\u00e9" * 20])
async def test_a_wrong_secret_opens_nothing(table, wrong):
    secret = "Bearer " + wrong.encode("utf-8").hex() if not wrong.isascii() else wrong
    table.secrets.append(secret)
    decision = await pending(table)
    call = table.submit(decision.id, person=2)
    await check(table, call, Code.UNAUTHENTICATED, "SECRET_INVALID")
    await check(table, table.get(2), Code.UNAUTHENTICATED, "SECRET_INVALID")
    watch = table.server.match.WatchMatch(
        pb.WatchMatchRequest(match_id=table.id), metadata=bearer(secret)
    )
    await check(table, watch.read(), Code.UNAUTHENTICATED, "SECRET_INVALID")


async def test_the_creator_holds_no_seat(table):
    table.secrets.append(table.creator)
    decision = await pending(table)
    call = table.submit(decision.id, person=2)
    await check(table, call, Code.UNAUTHENTICATED, "SECRET_INVALID")


async def test_the_secret_of_another_match_opens_nothing(table):
    other = await table.server.table(2, 2)
    table.secrets.append(other.secrets[0])
    call = table.submit((await pending(table)).id, person=2)
    await check(table, call, Code.UNAUTHENTICATED, "SECRET_INVALID")


async def test_a_command_for_another_seats_decision(table):
    decision = await pending(table)
    other = 1 - decision.seat
    call = table.submit(decision.id, person=other)
    await check(table, call, Code.PERMISSION_DENIED, "NOT_YOUR_SEAT", seat=str(decision.seat))


async def test_another_seats_view(table):
    await check(table, table.get(0, seat=1), Code.PERMISSION_DENIED, "NOT_YOUR_SEAT", seat="1")
    await check(table, table.get(None, seat=1), Code.UNAUTHENTICATED, "SECRET_MISSING")


# ---------------------------------------------------------------- commands


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
