"""Invalid names, seats that cannot be taken, and request ids."""

from __future__ import annotations

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import table_pb2
from tests.service.bad_input import Code, check
from tests.service.local_server import Table, bearer


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
