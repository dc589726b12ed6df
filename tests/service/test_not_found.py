"""Unknown games, matches and seats, and setups that no game has."""

from __future__ import annotations

import pytest

from taflhall.v1 import engine_service_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from tests.service.bad_input import Code, check
from tests.service.local_server import Table, answer_of, bearer, refused


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
    enter = pb.PlayRequest(enter=pb.PlayEnter(match_id="nowhere"))
    play = answer_of(lambda: table.server.match.Play(metadata=bearer("x")), enter)
    await check(table, play, Code.NOT_FOUND, "MATCH_NOT_FOUND", match_id="nowhere")


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
