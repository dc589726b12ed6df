"""Players abandon a match together, or its creator before it starts."""

from __future__ import annotations

from functools import partial
from typing import Any

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.meta_commands import ABANDON
from tests.service.local_server import (
    Table,
    bearer,
    reason_of,
    refused,
)
from tests.service.proposing import (
    ABANDONED,
    champions,
    consent,
    moves_of,
    propose,
    sound,
)
from tests.waiting import until


async def abandon(table: Table, secret: str, key: str = "enough") -> Any:
    request = pb.AbandonMatchRequest(match_id=table.id, request_id=key)
    return await table.server.match.AbandonMatch(request, metadata=bearer(secret))


async def test_an_abandoned_match_keeps_its_record(server):
    table = await champions(server)
    stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
    await stream.read()
    number = (await propose(table, 1, give_up=True)).proposal_id
    await stream.read()
    match = (await consent(table, number, 0)).match
    assert match.status == ABANDONED
    assert not any(seat.won for seat in match.result.seats)
    assert [reason.id for reason in match.result.reasons] == ["abandoned"]
    assert not any(seat.place for seat in match.result.seats)
    assert match.secret
    change, end = await stream.read(), await stream.read()
    assert change.change.status == ABANDONED
    assert change.change.events[0].abandoned.seat == 1
    assert end.end.cause == pb.STREAM_END_CAUSE_ABANDONED
    assert end.end.match == match
    play = server.match.Play(metadata=bearer(table.secrets[0]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
    assert (await play.read()).end.cause == pb.STREAM_END_CAUSE_ABANDONED
    record = (await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))).record
    last = record.commands[-1]
    assert (last.seat, last.meta_command) == (1, match_pb2.META_COMMAND_ABANDON)
    game = registry.game("champions")
    found = await server.matches.current(table.id)
    moves = await moves_of(server, found)
    assert moves[-1] == (1, ABANDON)
    plain = records.write(game, found.setup, ["A", "B"], found.origin.secret, moves)
    assert plain["digests"] == [command.digest.hex() for command in record.commands]
    assert plain["commands"][-1] == [1, "abandon"]
    assert await sound(table) == match.revision
    for call in (propose(table, 0), consent(table, number)):
        assert (await refused(call)).reason == "MATCH_OVER"


async def test_a_single_player_abandons_at_once_and_others_are_asked(server):
    alone = await champions(server, people=1)
    first = await abandon(alone, alone.secrets[0])
    assert first.match.status == ABANDONED
    assert (await abandon(alone, alone.secrets[0])) == first
    assert (await moves_of(server, await server.matches.current(alone.id)))[-1] == (0, ABANDON)
    table = await champions(server)
    for secret in (table.secrets[0], table.creator):
        got = await refused(abandon(table, secret))
        assert (got.reason, got.metadata) == ("CONSENT_REQUIRED", {"match_id": table.id})
    three = await champions(server, seats=3, people=3)
    request = pb.ResignSeatRequest(match_id=three.id, request_id="enough")
    await server.match.ResignSeat(request, metadata=bearer(three.secrets[1]))
    assert (await refused(abandon(three, three.secrets[0]))).reason == "CONSENT_REQUIRED"


async def test_a_match_abandoned_before_its_start_expires(server):
    server.matches.keep_seconds = 0.2
    setup = table_pb2.Setup()
    setup.game, setup.seats = "champions", 2
    for guest in (True, False):
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
        table = Table(server, made.match.id, [], made.creator_secret)
        if guest:
            await server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Ann"))
        stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await stream.read()
        match = (await abandon(table, table.creator)).match
        assert (match.status, match.HasField("result")) == (ABANDONED, False)
        assert (await stream.read()).snapshot.match == match
        assert (await stream.read()).end.cause == pb.STREAM_END_CAUSE_ABANDONED
        listed = await server.match.ListMatches(pb.ListMatchesRequest())
        assert table.id not in [match.id for match in listed.matches]
        for call, reason in (
            (
                server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id)),
                "NOT_FINISHED",
            ),
            (server.match.GetMatchView(pb.GetMatchViewRequest(match_id=table.id)), "NOT_STARTED"),
            (
                server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="B")),
                "MATCH_OVER",
            ),
        ):
            assert (await refused(call)).reason == reason

        await until(partial(is_forgotten, table))


async def is_forgotten(table: Table) -> bool:
    call = table.server.match.GetMatch(pb.GetMatchRequest(match_id=table.id))
    return await reason_of(call) == "MATCH_NOT_FOUND"


async def test_before_the_start_nobody_but_its_creator_gives_a_match_up(server):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "champions", 3
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
    table = Table(server, made.match.id, [], made.creator_secret)
    join = pb.JoinMatchRequest(match_id=table.id, name="A stranger")
    stranger = (await server.match.JoinMatch(join)).seat_secret
    got = await refused(abandon(table, stranger))
    assert (got.code.name, got.reason) == ("PERMISSION_DENIED", "FORBIDDEN")
    assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_OPEN
    assert (await abandon(table, table.creator)).match.status == ABANDONED
