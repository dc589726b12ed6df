"""Proposals: who has to agree, what ends them, and how often they may be made."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    Table,
    bearer,
    limits,
    open_server,
    refused,
)
from tests.service.proposing import (
    ABANDONED,
    champions,
    consent,
    propose,
    quiet,
)


async def test_one_refusal_ends_a_proposal(server):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    await quiet(table)
    number = (await propose(table, person)).proposal_id
    for who in (1 - person, person):  # refused, or withdrawn
        match = (await consent(table, number, who, False)).match
        assert not match.HasField("proposal")
        got = await refused(consent(table, number, 1 - person))
        assert got.reason == "NO_SUCH_PROPOSAL"
        number = (await propose(table, person)).proposal_id


async def test_the_next_command_ends_a_proposal(server):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    await quiet(table)
    number = (await propose(table, person)).proposal_id
    await quiet(table)
    assert not (await table.get(None)).match.HasField("proposal")
    got = await refused(consent(table, number, 1 - person))
    assert (got.reason, got.metadata) == ("NO_SUCH_PROPOSAL", {"proposal_id": number})


async def test_exactly_one_of_two_concurrent_proposals_is_made(server):
    table = await champions(server)
    await quiet(table)
    calls = [propose(table, 0), propose(table, 1, give_up=True)]
    found: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
    won = [answer for answer in found if not isinstance(answer, BaseException)]
    assert len(won) == 1
    lost: list[Any] = [answer for answer in found if isinstance(answer, BaseException)]
    assert "PROPOSAL_PENDING" in str(lost[0].trailing_metadata())
    match = (await table.get(None)).match
    assert match.proposal.id == won[0].proposal_id


async def test_repeating_changes_nothing(server):
    table = await champions(server, 3, 3, 3)
    first = await propose(table, 0, give_up=True, request_id="a")
    again = await propose(table, 0, give_up=True, request_id="a")
    assert again == first
    got = await refused(propose(table, 0, request_id="a"))
    assert got.reason == "REQUEST_ID_REUSED"
    number = first.proposal_id
    one = await consent(table, number, 1, request_id="b")
    assert list(one.match.proposal.agreed) == [0, 1]
    assert list(one.match.proposal.wanted) == [2]
    assert await consent(table, number, 1, request_id="b") == one
    assert await consent(table, number, 1, request_id="c") == one  # once is enough
    last = await consent(table, number, 2, request_id="d")
    assert last.match.status == ABANDONED
    assert await consent(table, number, 2, request_id="d") == last
    assert (await propose(table, 0, give_up=True, request_id="a")).proposal_id == number


async def test_the_holder_of_several_seats_agrees_for_all(server):
    table = await champions(server, 4, 2, 4)
    response = await propose(table, 0, give_up=True)
    assert list(response.match.proposal.agreed) == [0, 2]
    assert list(response.match.proposal.wanted) == [1, 3]
    assert (await consent(table, response.proposal_id, 1, seat=3)).match.status == ABANDONED


async def test_a_resigned_seat_is_not_asked_to_agree(server):
    table = await champions(server, 3, 3, 4)
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    await server.match.ResignSeat(request, metadata=bearer(table.secrets[1]))
    response = await propose(table, 0, give_up=True)
    assert list(response.match.proposal.wanted) == [2]
    got = await refused(consent(table, response.proposal_id, 1, False))
    assert got.reason == "FORBIDDEN"
    assert (await consent(table, response.proposal_id, 2)).match.status == ABANDONED


async def test_the_number_of_proposals_is_limited():
    async with open_server(limits=limits(match_changes=5)) as server:
        table = await champions(server)
        await _again_and_again(table)
        got = await refused(_again_and_again(table))
        assert got.reason == "MATCH_TOO_LONG"
        assert len(server.store.memory.records[table.id]) < 12
        await table.step()  # the match continues


async def _again_and_again(table: Table) -> None:
    number = (await propose(table, 0, give_up=True)).proposal_id
    await consent(table, number, 1, False)


async def test_a_proposal_survives_another_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await champions(one)
        await quiet(table)
        number = (await propose(table, 0, 3)).proposal_id
        table.server = two
        assert (await table.get(None)).match.proposal.id == number
        match = (await consent(table, number)).match
        table.server = one
        assert (await table.get(None)).match == match


async def test_malformed_requests_are_described(server):
    table = await champions(server)
    secret = bearer(table.secrets[0])
    for request in (pb.ProposeToPlayersRequest(match_id=table.id, request_id="a"),):
        got = await refused(server.match.ProposeToPlayers(request, metadata=secret))
        assert (got.reason, got.metadata["field"]) == ("MALFORMED", "what")
    got = await refused(propose(table, 0, request_id=""))
    assert got.reason == "INVALID_NAME"
    got = await refused(propose(table, 0, -5))
    assert got.reason == "UNKNOWN_REVISION"


async def test_a_new_holder_has_agreed_to_nothing(server: LocalServer):
    table = await champions(server)
    request = pb.ProposeToPlayersRequest(match_id=table.id, request_id="let us stop")
    request.abandon.SetInParent()
    await server.match.ProposeToPlayers(request, metadata=bearer(table.secrets[0]))
    deputy = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
    await server.match.DelegateSeat(deputy, metadata=bearer(table.secrets[0]))
    look = pb.GetMatchRequest(match_id=table.id)
    assert (await server.match.GetMatch(look)).match.HasField("proposal")
    heir = pb.DelegateSeatRequest(match_id=table.id, name="Heir", permanent=True)
    await server.match.DelegateSeat(heir, metadata=bearer(table.secrets[0]))
    assert not (await server.match.GetMatch(look)).match.HasField("proposal")
    assert not (await server.matches.fresh(table.id)).proposed
