"""Undo: what may be taken back, by whom, and what others see of it."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.mainline import Mainline, draws_of
from taflhall_engine.kernel.meta_commands import undo
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.matches import past
from tests.service.local_server import (
    Table,
    bearer,
    refused,
)
from tests.service.proposing import (
    champions,
    consent,
    moves_of,
    propose,
    quiet,
    sound,
)
from tests.waiting import settle


async def views(table: Table) -> list[Any]:
    return [(await table.get(person, with_view=True)).view for person in range(2)]


async def test_an_answer_is_undone_when_the_other_player_agrees(server):
    table = await champions(server)
    before, at = await views(table), (await table.get(None)).match.revision
    asked = (await table.get(None)).decisions[0]
    person = asked.seat
    await quiet(table)
    response = await propose(table, person)
    assert response.match.revision == at + 1
    proposal = response.match.proposal
    assert (proposal.id, proposal.seat) == (response.proposal_id, person)
    assert proposal.undo.to_revision == at
    assert (list(proposal.agreed), list(proposal.wanted)) == ([person], [1 - person])
    seen = (await table.get(None)).match  # everybody sees it
    assert seen.proposal == proposal

    match = (await consent(table, response.proposal_id, 1 - person)).match
    assert (match.revision, match.HasField("proposal")) == (at + 2, False)
    assert await views(table) == before
    again = (await table.get(None)).decisions[0]
    assert again.seat == asked.seat
    assert again.id != asked.id
    got = await refused(table.submit(asked.id, 0, person))
    assert got.reason == "STALE_DECISION"
    assert await sound(table) == at + 2
    await quiet(table)
    assert await sound(table) == at + 3


async def test_after_an_undo_the_same_answers_draw_the_same_numbers(server):
    table = await champions(server, answers=2)
    free = (await table.get(None)).match.revision
    answers = []
    for _ in range(3):
        await quiet(table)
    number = (await propose(table, 0, free)).proposal_id
    stood = await views(table)
    assert (await consent(table, number)).match.revision == free + 4
    for _ in range(3):
        answers.append(await quiet(table))
    assert await views(table) == stood
    match = await server.matches.current(table.id)
    assert match.table is not None
    before = draws_of(match.table)
    for _ in range(6):  # up to random events: cards and dice
        await quiet(table)
    match = await server.matches.current(table.id)
    assert match.table is not None
    assert draws_of(match.table) > before or len(match.end.undoable) < 9
    moves = await moves_of(server, match)
    straight = [*moves[:free], *moves[free + 4 :]]
    again = Mainline(match.game, match.setup, match.origin.secret)
    for seat, command in straight:
        again.push(seat, command)
    assert digest(match.game, again.table) == digest(match.game, match.table)
    assert draws_of(again.table) == draws_of(match.table)


async def test_a_table_of_one_person_needs_nobodys_consent(server):
    table = await champions(server, people=1, answers=2)
    at = (await table.get(None)).match.revision
    before = await table.get(0, with_view=True)
    await quiet(table)
    key = "once"
    for _ in range(2):  # the answer may have been lost
        response = await propose(table, request_id=key, seat=before.decisions[0].seat)
        assert (response.proposal_id, response.match.revision) == ("", at + 2)
    assert (await table.get(0, with_view=True)).view == before.view


async def test_answers_that_revealed_something_cannot_be_undone(server):
    table = await champions(server, answers=2)  # the second leader shows cards
    last = (await table.get(None)).match.revision
    for person in range(2):
        got = await refused(propose(table, person))
        assert (got.code.name, got.reason) == ("FAILED_PRECONDITION", "CANNOT_UNDO")
        assert got.metadata == {"earliest": str(last)}
        assert str(last) in got.text
    await quiet(table)
    await quiet(table)
    for to in (last - 1, 0):
        got = await refused(propose(table, 0, to))
        assert (got.reason, got.metadata["earliest"]) == ("CANNOT_UNDO", str(last))
    assert (await refused(propose(table, 0, last + 2))).reason == "NOTHING_TO_UNDO"
    for to in (-1, last + 3, 10**9):
        got = await refused(propose(table, 0, to))
        assert (got.code.name, got.reason) == ("OUT_OF_RANGE", "UNKNOWN_REVISION")
        assert got.metadata == {"revision": str(last + 2)}
    response = await propose(table, 0, last)
    assert response.match.proposal.undo.to_revision == last


async def test_a_seat_that_has_not_answered_has_nothing_to_take_back(server):
    table = await champions(server, answers=0)
    for person in range(2):
        got = await refused(propose(table, person))
        assert (got.code.name, got.reason) == ("FAILED_PRECONDITION", "NOTHING_TO_UNDO")
        assert got.metadata == {"match_id": table.id}
    first = (await table.get(None)).decisions[0].seat
    await quiet(table)
    assert (await refused(propose(table, 1 - first))).reason == "NOTHING_TO_UNDO"
    await quiet(table)  # it shows cards
    assert (await refused(propose(table, 1 - first))).reason == "CANNOT_UNDO"


async def test_only_answers_can_be_undone(server):
    table = await champions(server, 3, 3, 4)
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    match = (await server.match.ResignSeat(request, metadata=bearer(table.secrets[2]))).match
    got = await refused(propose(table, 0))
    assert got.metadata == {"earliest": str(match.revision)}
    await quiet(table)
    asked = (await table.get(None)).decisions[0]
    got = await refused(propose(table, asked.seat, match.revision - 1))
    assert got.metadata == {"earliest": str(match.revision)}
    got = await refused(propose(table, 2))
    assert got.reason == "FORBIDDEN"


async def test_answers_after_an_undo_can_be_undone_again(server):
    table = await champions(server)
    at = (await table.get(None)).match.revision
    for round_ in range(3):
        await quiet(table)
        number = (await propose(table, 0, at)).proposal_id
        match = (await consent(table, number)).match
        assert match.revision == at + 2 * (round_ + 1)
    got = await server.match.GetMatchView(
        pb.GetMatchViewRequest(match_id=table.id, revision=at + 6),
        metadata=bearer(table.secrets[0]),
    )
    past = await server.match.GetMatchView(
        pb.GetMatchViewRequest(match_id=table.id, revision=at), metadata=bearer(table.secrets[0])
    )
    assert got.view == past.view
    [event] = got.events
    assert (event.undone.seat, event.undone.answers_undone) == (0, 1)
    assert await sound(table) == at + 6


async def test_watchers_get_each_change_once_and_in_order(server):
    table = await champions(server)
    stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
    first = await stream.read()
    at = first.revision
    await quiet(table)
    assert (await stream.read()).revision == at + 1
    token = (await table.get(None)).resume_token
    number = (await propose(table, 0, at)).proposal_id
    offered = await stream.read()
    assert offered.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
    assert offered.snapshot.match.proposal.id == number
    await consent(table, number)
    undone = await stream.read()
    assert undone.revision == at + 2
    assert [e.WhichOneof("kind") for e in undone.change.events] == ["undone"]
    await quiet(table)
    assert (await stream.read()).revision == at + 3
    resumed = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id, resume_token=token))
    assert (await resumed.read()).change == undone.change
    assert (await resumed.read()).revision == at + 3
    stream.cancel()
    resumed.cancel()


async def test_a_bot_is_prompted_again_after_an_undo(server):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    play = server.match.Play(metadata=bearer(table.secrets[person]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id, with_events=True)))
    asked = (await play.read()).prompt.decision
    await quiet(table)
    number = (await propose(table, person)).proposal_id
    await consent(table, number, 1 - person)
    again = (await play.read()).prompt
    assert again.decision.seat == person
    assert again.decision.id != asked.id
    assert [e.WhichOneof("kind") for e in again.events][-1] == "undone"
    play.cancel()


@pytest.mark.parametrize(("policy", "undone"), [("AGREE", True), ("REFUSE", False)])
async def test_a_bot_answers_proposals_by_its_policy(server, policy, undone):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    await quiet(table)
    proposals = pb.ProposalPolicy.Value(f"PROPOSAL_POLICY_{policy}")
    play = server.match.Play(metadata=bearer(table.secrets[1 - person]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id, proposals=proposals)))
    await play.read()
    before = (await propose(table, person)).match
    assert before.HasField("proposal")
    watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
    async for update in watch:
        after = update.snapshot.match if update.HasField("snapshot") else before
        if update.HasField("change") or not after.HasField("proposal"):
            break
    after = (await table.get(None)).match
    assert not after.HasField("proposal")
    assert after.revision == before.revision + undone
    assert await sound(table) == after.revision
    watch.cancel()
    play.cancel()


async def test_a_bot_without_a_policy_leaves_proposals_to_the_holder(server):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    await quiet(table)
    play = server.match.Play(metadata=bearer(table.secrets[1 - person]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
    await play.read()
    number = (await propose(table, person)).proposal_id
    await settle()
    assert (await table.get(None)).match.proposal.id == number
    assert not (await consent(table, number, 1 - person)).match.HasField("proposal")
    play.cancel()


async def test_a_record_shows_undone_answers(server):
    table = await champions(server)
    await quiet(table)
    number = (await propose(table, 0, 3)).proposal_id
    await consent(table, number)
    number = (await propose(table, 1, give_up=True)).proposal_id
    await consent(table, number, 0)
    response = (
        await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))
    ).record
    assert [(c.meta_command, c.answers_undone) for c in response.commands[-2:]] == [
        (match_pb2.META_COMMAND_UNDO, 1),
        (match_pb2.META_COMMAND_ABANDON, 0),
    ]
    found = await server.matches.current(table.id)
    entries = await past.entries_between(server.store, found, 1, found.revision)
    assert entries[-2].command == undo(1)
    assert response.commands[-2].digest == response.commands[-4].digest
