"""What happens in a match with delayed spectators, and what their streams show of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Any
from uuid import uuid4

import grpc

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.service.local_server import Refusal, Table, bearer, refused
from tests.service.timed_server import (
    join,
    resign,
    start,
    step,
)
from tests.waiting import LIMIT_SECONDS

TICK = 10
"""Seconds from one change to the next."""

DELAY = 60

MARGIN = 1
"""Seconds that spectators may see it later than they should."""

Happening = Callable[[], Awaitable[Any]]


def plain_match(table: Table) -> list[Happening]:
    """Return the changes of a match, in order."""
    steps = [partial(step, table, number % 2) for number in range(8)]
    return [*begun(table), *steps, partial(resign, table)]


def begun(table: Table) -> list[Happening]:
    return [partial(join, table, 0), partial(join, table, 1), partial(start, table)]


def much_else(table: Table) -> list[Happening]:
    """Return all else that can happen: people come and go, propose, agree and refuse."""
    deputy: list[str] = []
    call = table.server.match

    async def goes() -> None:
        request = pb.LeaveMatchRequest(match_id=table.id, request_id="gone")
        await call.LeaveMatch(request, metadata=bearer(table.secrets.pop()))

    async def hands_over() -> None:
        request = pb.DelegateSeatRequest(match_id=table.id, name="Robot", request_id="over" * 4)
        request.kind = match_pb2.SEAT_KIND_BOT
        done = await call.DelegateSeat(request, metadata=bearer(table.secrets[0]))
        deputy.append(done.deputy_secret)

    async def takes_back() -> None:
        request = pb.ReclaimSeatRequest(match_id=table.id)
        await call.ReclaimSeat(request, metadata=bearer(table.secrets[0]))

    async def proposes(person: int, undo: bool) -> None:
        request = pb.ProposeToPlayersRequest(match_id=table.id, request_id=uuid4().hex)
        (request.undo if undo else request.abandon).SetInParent()
        await call.ProposeToPlayers(request, metadata=bearer(table.secrets[person]))

    async def answers(person: int, agree: bool) -> None:
        got = await table.get(person)
        request = pb.RespondToProposalRequest(
            match_id=table.id,
            proposal_id=got.match.proposal.id,
            agree=agree,
            request_id=uuid4().hex,
        )
        await call.RespondToProposal(request, metadata=bearer(table.secrets[person]))

    async def undoes() -> None:
        """Go on until an answer can be taken back, and propose it."""
        for _ in range(60):
            got = await call.GetMatch(
                pb.GetMatchRequest(match_id=table.id), metadata=bearer(table.creator)
            )
            person = got.decisions[0].seat
            await step(table, 99)
            try:
                await proposes(person, True)
            except grpc.aio.AioRpcError as error:
                refusal = Refusal(error)
            else:
                return
            assert refusal.reason == "CANNOT_UNDO"
        raise AssertionError("nothing can ever be taken back")

    async def agrees() -> None:
        proposer = (await table.get(0)).match.proposal.seat
        await answers(1 - proposer, True)

    return [
        partial(join, table, 0),
        goes,
        *begun(table),
        partial(step, table),
        hands_over,
        takes_back,
        partial(proposes, 0, False),
        partial(answers, 1, False),
        undoes,
        agrees,
        partial(step, table),
        partial(proposes, 1, False),
        partial(answers, 0, True),
    ]


def never_begun(table: Table) -> list[Happening]:
    """Return what happens in a match that is given up before it begins."""
    request = pb.AbandonMatchRequest(match_id=table.id, request_id="no")
    proof = bearer(table.creator)
    return [
        partial(join, table, 0),
        lambda: table.server.match.AbandonMatch(request, metadata=proof),
    ]


async def refused_joins(table: Table) -> list[Any]:
    refusals = []
    for seats in ([], [0], [1], [7]):
        request = pb.JoinMatchRequest(match_id=table.id, name="Late", seats=seats)
        refusal = await refused(table.server.match.JoinMatch(request))
        refusals.append((refusal.code, refusal.reason, refusal.text, refusal.metadata))
    return refusals


async def heard(
    stream: Any, until: Any, found: list[tuple[float, Any]] | None = None
) -> list[tuple[float, Any]]:
    """Return what a stream says, and when, up to its end; *found* is filled with it."""
    found = [] if found is None else found
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            message = await stream.read()
            if message is grpc.aio.EOF:
                return found
            found.append((monotonic(), message))
            if until(message):
                return found


def over(message: Any) -> bool:
    return bool(message.HasField("end"))
