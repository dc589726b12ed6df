"""What players decide together, over real gRPC: to take answers back, to give a match up."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.mainline import Mainline, draws_of
from taflhall_engine.kernel.meta_commands import ABANDON, Move, undo
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.app.jobs.integrity import audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches import past
from taflhall_service.app.model.match import Match
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import clocked
from tests.service.local_server import (
    LocalServer,
    Table,
    bearer,
    limits,
    open_server,
    reason_of,
    refused,
)
from tests.waiting import settle, until

ABANDONED = match_pb2.MATCH_STATUS_ABANDONED


@pytest.fixture
async def server():
    async with open_server() as server:
        yield server


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


async def abandon(table: Table, secret: str, key: str = "enough") -> Any:
    request = pb.AbandonMatchRequest(match_id=table.id, request_id=key)
    return await table.server.match.AbandonMatch(request, metadata=bearer(secret))


async def sound(table: Table) -> int:
    """Audit the match as it is stored."""
    found = await table.server.store.load(table.id)
    return await audit(table.server.store, found, Throttle(1.0))


async def moves_of(server: LocalServer, match: Match) -> list[Move]:
    entries = await past.entries_between(server.store, match, 1, match.revision)
    return [(entry.seat, entry.command) for entry in entries]


async def views(table: Table) -> list[Any]:
    return [(await table.get(person, with_view=True)).view for person in range(2)]


# ---------------------------------------------------------------- undo


async def test_an_answer_is_taken_back_when_the_other_agrees(server):
    table = await champions(server)
    before, at = await views(table), (await table.get(None)).match.revision
    asked = (await table.get(None)).decisions[0]
    person = asked.seat
    await quiet(table)
    told = await propose(table, person)
    assert told.match.revision == at + 1
    proposal = told.match.proposal
    assert (proposal.id, proposal.seat) == (told.proposal_id, person)
    assert proposal.undo.to_revision == at
    assert (list(proposal.agreed), list(proposal.wanted)) == ([person], [1 - person])
    seen = (await table.get(None)).match  # everybody sees it
    assert seen.proposal == proposal

    match = (await consent(table, told.proposal_id, 1 - person)).match
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


async def test_after_an_undo_the_same_answers_meet_the_same_luck(server):
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
    for _ in range(6):  # on into luck: cards and dice
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
    assert again.random_words == draws_of(match.table)


async def test_a_table_of_one_person_needs_nobodys_consent(server):
    table = await champions(server, people=1, answers=2)
    at = (await table.get(None)).match.revision
    before = await table.get(0, with_view=True)
    await quiet(table)
    key = "once"
    for _ in range(2):  # the answer may have been lost
        told = await propose(table, request_id=key, seat=before.decisions[0].seat)
        assert (told.proposal_id, told.match.revision) == ("", at + 2)
    assert (await table.get(0, with_view=True)).view == before.view


async def test_nothing_is_taken_back_that_has_come_to_light(server):
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
    told = await propose(table, 0, last)
    assert told.match.proposal.undo.to_revision == last


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


async def test_a_deed_that_is_no_answer_is_not_taken_back(server):
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


async def test_an_undo_can_be_taken_back_by_playing_on_and_again(server):
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


async def test_watchers_are_told_once_and_in_order(server):
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


async def test_a_bot_is_asked_anew_after_an_undo(server):
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
async def test_a_bot_says_to_every_proposal_what_it_was_told_to_say(server, policy, undone):
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


async def test_a_bot_that_is_not_told_leaves_proposals_to_its_holder(server):
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


# ---------------------------------------------------------------- proposals


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


async def test_the_next_deed_ends_a_proposal(server):
    table = await champions(server)
    person = (await table.get(None)).decisions[0].seat
    await quiet(table)
    number = (await propose(table, person)).proposal_id
    await quiet(table)
    assert not (await table.get(None)).match.HasField("proposal")
    got = await refused(consent(table, number, 1 - person))
    assert (got.reason, got.metadata) == ("NO_SUCH_PROPOSAL", {"proposal_id": number})


async def test_of_two_proposals_at_once_one_stands(server):
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


async def test_who_holds_several_seats_agrees_for_all(server):
    table = await champions(server, 4, 2, 4)
    told = await propose(table, 0, give_up=True)
    assert list(told.match.proposal.agreed) == [0, 2]
    assert list(told.match.proposal.wanted) == [1, 3]
    assert (await consent(table, told.proposal_id, 1, seat=3)).match.status == ABANDONED


async def test_who_has_resigned_is_not_asked(server):
    table = await champions(server, 3, 3, 4)
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    await server.match.ResignSeat(request, metadata=bearer(table.secrets[1]))
    told = await propose(table, 0, give_up=True)
    assert list(told.match.proposal.wanted) == [2]
    got = await refused(consent(table, told.proposal_id, 1, False))
    assert got.reason == "FORBIDDEN"
    assert (await consent(table, told.proposal_id, 2)).match.status == ABANDONED


async def test_proposals_cannot_go_on_for_ever():
    async with open_server(limits=limits(match_changes=5)) as server:
        table = await champions(server)
        await _again_and_again(table)
        got = await refused(_again_and_again(table))
        assert got.reason == "MATCH_TOO_LONG"
        assert len(server.store.memory.records[table.id]) < 12
        await table.step()  # the match goes on


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


async def test_what_is_malformed_is_said(server):
    table = await champions(server)
    secret = bearer(table.secrets[0])
    for request in (pb.ProposeToPlayersRequest(match_id=table.id, request_id="a"),):
        got = await refused(server.match.ProposeToPlayers(request, metadata=secret))
        assert (got.reason, got.metadata["field"]) == ("MALFORMED", "what")
    got = await refused(propose(table, 0, request_id=""))
    assert got.reason == "INVALID_NAME"
    got = await refused(propose(table, 0, -5))
    assert got.reason == "UNKNOWN_REVISION"


# ---------------------------------------------------------------- giving a match up


async def test_a_match_that_was_given_up_keeps_its_record(server):
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
    told = (await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))).record
    last = told.commands[-1]
    assert (last.seat, last.meta_command) == (1, match_pb2.META_COMMAND_ABANDON)
    game = registry.game("champions")
    found = await server.matches.current(table.id)
    moves = await moves_of(server, found)
    assert moves[-1] == (1, ABANDON)
    plain = records.write(game, found.setup, ["A", "B"], found.origin.secret, moves)
    assert plain["digests"] == [command.digest.hex() for command in told.commands]
    assert plain["commands"][-1] == [1, "abandon"]
    assert await sound(table) == match.revision
    for call in (propose(table, 0), consent(table, number)):
        assert (await refused(call)).reason == "MATCH_OVER"


async def test_a_record_tells_of_what_was_taken_back(server):
    table = await champions(server)
    await quiet(table)
    number = (await propose(table, 0, 3)).proposal_id
    await consent(table, number)
    number = (await propose(table, 1, give_up=True)).proposal_id
    await consent(table, number, 0)
    told = (await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))).record
    assert [(c.meta_command, c.answers_undone) for c in told.commands[-2:]] == [
        (match_pb2.META_COMMAND_UNDO, 1),
        (match_pb2.META_COMMAND_ABANDON, 0),
    ]
    found = await server.matches.current(table.id)
    entries = await past.entries_between(server.store, found, 1, found.revision)
    assert entries[-2].command == undo(1)
    assert told.commands[-2].digest == told.commands[-4].digest


async def test_one_person_gives_up_at_once_and_others_are_asked(server):
    alone = await champions(server, people=1)
    first = await abandon(alone, alone.secrets[0])
    assert first.match.status == ABANDONED
    assert (await abandon(alone, alone.secrets[0])) == first
    table = await champions(server)
    for secret in (table.secrets[0], table.creator):
        got = await refused(abandon(table, secret))
        assert (got.reason, got.metadata) == ("CONSENT_REQUIRED", {"match_id": table.id})
    three = await champions(server, seats=3, people=3)
    request = pb.ResignSeatRequest(match_id=three.id, request_id="enough")
    await server.match.ResignSeat(request, metadata=bearer(three.secrets[1]))
    assert (await refused(abandon(three, three.secrets[0]))).reason == "CONSENT_REQUIRED"


async def test_a_match_that_was_given_up_before_it_began_vanishes(server):
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


async def test_the_house_gives_up_what_nobody_goes_on_with():
    now = [1_000_000_000_000]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        idle = IdleMatchCloser(server.matches, 10)
        quiet_one = await champions(server)
        setup = table_pb2.Setup()
        setup.game, setup.seats = "champions", 2
        waiting = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))).match.id
        busy = await champions(server)
        now[0] += 6 * 3_600_000
        await quiet(busy)
        assert await idle.sweep() == 0
        now[0] += 5 * 3_600_000
        assert await idle.sweep() == 2
        match = (await quiet_one.get(None)).match
        assert match.status == ABANDONED
        told = (
            await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=quiet_one.id))
        ).record
        assert told.commands[-1].seat == -1
        got = (await server.match.GetMatch(pb.GetMatchRequest(match_id=waiting))).match
        assert got.status == ABANDONED
        assert (await busy.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING
        assert await idle.sweep() == 0
        assert await sound(quiet_one) == match.revision


HOUR_MS = 3_600_000


async def test_a_match_counts_as_idle_from_its_last_change_of_any_kind():
    now = [1_000_000_000_000]
    async with open_server(MemoryStore(Memory(lambda: now[0]))) as server:
        idle = IdleMatchCloser(server.matches, 10)
        setup = table_pb2.Setup()
        setup.game, setup.seats = "champions", 2
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
        table = Table(server, made.match.id, [], made.creator_secret)

        async def later_and_kept() -> None:
            now[0] += 9 * HOUR_MS
            assert await idle.sweep() == 0

        for name in ("Ann", "Bob"):
            await later_and_kept()
            join = pb.JoinMatchRequest(match_id=table.id, name=name)
            table.secrets.append((await server.match.JoinMatch(join)).seat_secret)
        await later_and_kept()
        await server.match.StartMatch(
            pb.StartMatchRequest(match_id=table.id), metadata=bearer(table.creator)
        )
        await later_and_kept()
        deputy = pb.DelegateSeatRequest(match_id=table.id, name="Deputy")
        await server.match.DelegateSeat(deputy, metadata=bearer(table.secrets[0]))
        await later_and_kept()
        request = pb.ProposeToPlayersRequest(match_id=table.id, request_id="let us stop")
        request.abandon.SetInParent()
        await server.match.ProposeToPlayers(request, metadata=bearer(table.secrets[0]))
        await later_and_kept()
        now[0] += 2 * HOUR_MS
        assert await idle.sweep() == 1


async def test_a_match_whose_clock_runs_is_left_to_it():
    async with clocked() as made:
        table = await made.table(base=20 * 3600)
        idle = IdleMatchCloser(made.servers[0].matches, 10)
        made.ms += 15 * HOUR_MS
        assert await idle.sweep() == 0
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING


async def test_a_clock_that_ran_out_is_for_the_timers():
    async with clocked() as made:
        table = await made.table(policy=3, base=20 * 3600)
        idle = IdleMatchCloser(made.servers[0].matches, 10)
        await made.away(12 * 3600)  # nobody was there: that is charged to nobody
        await made.servers[0].matches.store_clock.beat()
        made.ms += 9 * HOUR_MS
        made.memory.sign = made.ms
        await made.servers[0].matches.store_clock.beat()
        assert await idle.sweep() == 0
        made.ms += 11 * HOUR_MS + 5000
        made.memory.sign = made.ms
        assert await idle.sweep() == 0
        await made.passes(4)
        assert [policy for policy, _ in made.ups] == [3]
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_FINISHED


async def test_what_was_stored_before_changes_were_noted_counts_from_its_last_deed():
    now = [1_000_000_000_000]
    memory = Memory(lambda: now[0])
    async with open_server(MemoryStore(memory)) as server:
        idle = IdleMatchCloser(server.matches, 10)
        table = await champions(server)
        now[0] += 9 * HOUR_MS
        await quiet(table)
        long_ago = str(now[0] - 90 * HOUR_MS).encode()  # an older build noted nothing since
        for hours, changed, abandonment in ((5, b"", 0), (1, long_ago, 0), (5, b"soon", 1)):
            now[0] += hours * HOUR_MS
            memory.matches[table.id] = memory.matches[table.id]._replace(changed=changed)
            assert await idle.sweep() == abandonment


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
