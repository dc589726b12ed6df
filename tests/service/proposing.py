"""Matches with answers to take back, and the calls of proposals."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.meta_commands import Move
from taflhall_service.app.jobs.integrity import audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches import past
from taflhall_service.app.model.match import Match
from tests.service.local_server import (
    LocalServer,
    Table,
    bearer,
)

ABANDONED = match_pb2.MATCH_STATUS_ABANDONED


async def champions(
    server: LocalServer, seats: int = 2, people: int = 2, answers: int = 3
) -> Table:
    """A match of Champions of Midgard in which the last answers can be taken back.

    After the leaders are chosen the seats place workers in turn; the first of three answers
    are the leaders, and the last of them shows cards.
    """
    setup = table_pb2.Setup()
    setup.game, setup.seats = "champions", seats
    setup.champions.start_seat = 0
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
    match_id, secrets = made.match.id, []
    for person in range(people):
        own = list(range(person, seats, people))
        join = pb.JoinMatchRequest(match_id=match_id, seats=own, name=f"Ann {person}")
        secrets.append((await server.match.JoinMatch(join)).seat_secret)
    start = pb.StartMatchRequest(match_id=match_id)
    await server.match.StartMatch(start, metadata=bearer(made.creator_secret))
    table = Table(server, match_id, secrets, made.creator_secret)
    for _ in range(answers):
        await quiet(table)
    return table


async def quiet(table: Table) -> pb.SubmitAnswersResponse:
    """Answer so that nothing comes to light if that is possible: take from the stock, or beg."""
    decision = (await table.get(None)).decisions[0]
    person = decision.seat % len(table.secrets)
    [listed] = [d.options for d in (await table.get(person)).decisions if d.options]
    names = [option.command.champions.WhichOneof("kind") for option in listed]
    wanted = [names.index(name) for name in ("take_stock", "beg") if name in names]
    return await table.submit(decision.id, wanted[0] if wanted else 0, person)


async def propose(table: Table, person: int = 0, to: int | None = None, **fields: Any) -> Any:
    request = pb.ProposeToPlayersRequest(match_id=table.id, request_id=uuid4().hex)
    if fields.pop("give_up", False):
        request.abandon.SetInParent()
    else:
        request.undo.SetInParent()
        if to is not None:
            request.undo.to_revision = to
    for name, value in fields.items():
        setattr(request, name, value)
    return await table.server.match.ProposeToPlayers(
        request, metadata=bearer(table.secrets[person])
    )


async def consent(
    table: Table, number: str, person: int = 1, agree: bool = True, **fields: Any
) -> Any:
    fields.setdefault("request_id", uuid4().hex)
    request = pb.RespondToProposalRequest(
        match_id=table.id, proposal_id=number, agree=agree, **fields
    )
    return await table.server.match.RespondToProposal(
        request, metadata=bearer(table.secrets[person])
    )


async def sound(table: Table) -> int:
    """Audit the match as it is stored."""
    found = await table.server.store.load(table.id)
    return await audit(table.server.store, found, Throttle(1.0))


async def moves_of(server: LocalServer, match: Match) -> list[Move]:
    entries = await past.entries_between(server.store, match, 1, match.revision)
    return [(entry.seat, entry.command) for entry in entries]
