"""A wrong secret opens nothing, a right one only its own seat."""

from __future__ import annotations

import pytest

from taflhall.v1 import match_service_pb2 as pb
from tests.service.bad_input import Code, check, pending
from tests.service.local_server import answer_of, bearer


async def test_without_a_secret_nobody_plays(table):
    decision = await pending(table)
    table.secrets.append("")
    await check(table, table.submit(decision.id, person=2), Code.UNAUTHENTICATED, "SECRET_MISSING")
    enter = pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id))
    play = answer_of(table.server.match.Play, enter)
    await check(table, play, Code.UNAUTHENTICATED, "SECRET_MISSING")


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
