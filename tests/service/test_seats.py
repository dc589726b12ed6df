"""Seats over real gRPC: to leave, to let a deputy act, to take the seat back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.model.limits import looks_like
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, Table, bearer, limits, open_server, refused
from tests.service.test_matches import setup
from tests.service.test_watch import next_news
from tests.stopwatch import Stopwatch

BOT = match_pb2.SEAT_KIND_BOT
SOON = 5.0
"""Seconds within which a stream ends that its secret opens no more."""


@pytest.fixture
async def server():
    async with open_server() as server:
        yield server


async def opened(server: LocalServer, seats: int = 2) -> tuple[str, str, list[str]]:
    """A match with all seats taken that has not begun: its id and secrets."""
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(seats)))
    match_id = made.match.id
    secrets = []
    for n in range(seats):
        join = pb.JoinMatchRequest(match_id=match_id, name=f"Ann {n}")
        secrets.append((await server.match.JoinMatch(join)).seat_secret)
    return match_id, made.creator_secret, secrets


async def leave(
    server: LocalServer, match_id: str, secret: str, key: str = "go", **fields: Any
) -> Any:
    request = pb.LeaveMatchRequest(match_id=match_id, request_id=key, **fields)
    return await server.match.LeaveMatch(request, metadata=bearer(secret))


async def hand_over(
    table: Table, person: int = 0, server: LocalServer | None = None, **fields: Any
) -> Any:
    fields.setdefault("name", "Robo")
    fields.setdefault("kind", BOT)
    request = pb.DelegateSeatRequest(match_id=table.id, **fields)
    metadata = bearer(table.secrets[person])
    return await (server or table.server).match.DelegateSeat(request, metadata=metadata)


async def take_back(table: Table, person: int = 0, server: LocalServer | None = None) -> Any:
    request = pb.ReclaimSeatRequest(match_id=table.id)
    metadata = bearer(table.secrets[person])
    return await (server or table.server).match.ReclaimSeat(request, metadata=metadata)


async def entered(server: LocalServer, match_id: str, secret: str) -> Any:
    call = server.match.Play(metadata=bearer(secret))
    await call.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=match_id)))
    return call


async def end_of(call: Any) -> int:
    """Read a stream to its end and return the cause."""
    while True:
        message = await asyncio.wait_for(call.read(), 60)
        if message.HasField("end"):
            return int(message.end.cause)


# ---------------------------------------------------------------- leave


async def test_leaving_before_the_start_frees_the_seat_and_voids_the_secret(server):
    match_id, _, secrets = await opened(server)
    match = (await leave(server, match_id, secrets[0])).match
    assert [seat.name for seat in match.seats] == ["", "Ann 1"]
    again = await leave(server, match_id, secrets[0])  # the answer may have been lost
    assert again.match == match
    got = await refused(leave(server, match_id, secrets[0], "other"))
    assert got.reason == "SECRET_INVALID"
    join = pb.JoinMatchRequest(match_id=match_id, name="Cid")
    assert list((await server.match.JoinMatch(join)).seats) == [0]
    assert (await leave(server, match_id, secrets[0])).match.seats[0].name == "Cid"


async def test_two_people_may_call_their_requests_the_same(server):
    match_id, _, secrets = await opened(server)
    await leave(server, match_id, secrets[0])
    match = (await leave(server, match_id, secrets[1])).match
    assert [seat.name for seat in match.seats] == ["", ""]


async def test_the_holder_of_several_seats_can_leave_one(server):
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(3)))
    match_id = made.match.id
    join = pb.JoinMatchRequest(match_id=match_id, name="Ann", seats=[0, 2])
    secret = (await server.match.JoinMatch(join)).seat_secret
    match = (await leave(server, match_id, secret, seat=2)).match
    assert [seat.name for seat in match.seats] == ["Ann", "", ""]
    got = await refused(leave(server, match_id, secret, "b", seat=1))
    assert got.reason == "NOT_YOUR_SEAT"
    match = (await leave(server, match_id, secret, "c")).match
    assert not any(seat.name for seat in match.seats)


async def test_nobody_leaves_after_the_start(server):
    table = await server.table(2, 2)
    got = await refused(leave(server, table.id, table.secrets[0]))
    assert got.reason == "ALREADY_STARTED"


async def test_seats_cannot_change_for_ever():
    async with open_server(limits=limits(match_changes=6)) as server:
        match_id, _, secrets = await opened(server)
        await leave(server, match_id, secrets[0])
        join = pb.JoinMatchRequest(match_id=match_id, name="Cid")
        got = await refused(server.match.JoinMatch(join))
        assert (got.reason, got.metadata["limit"]) == ("MATCH_TOO_LONG", "3")
        deputy = pb.DelegateSeatRequest(match_id=match_id, name="Robo")
        got = await refused(server.match.DelegateSeat(deputy, metadata=bearer(secrets[1])))
        assert got.reason == "MATCH_TOO_LONG"
        left = (await leave(server, match_id, secrets[1])).match
        assert not any(seat.name for seat in left.seats)


async def test_strangers_who_come_and_go_leave_the_creator_a_match_to_start():
    async with open_server(limits=limits(match_changes=10)) as server:
        match_id, creator, _ = await opened(server, 4)
        for seat in range(4):
            remove = lobby.RemovePlayerRequest(match_id=match_id, seat=seat, request_id=f"{seat}")
            await server.lobby.RemovePlayer(remove, metadata=bearer(creator))
        join = pb.JoinMatchRequest(match_id=match_id, name="Stranger")
        assert (await refused(server.match.JoinMatch(join))).reason == "MATCH_TOO_LONG"
        account, key = await server.key(Role.PLAYER)
        invite = lobby.InviteToMatchRequest(match_id=match_id, account_id=account, request_id="in")
        await server.lobby.InviteToMatch(invite, metadata=bearer(creator))
        await server.match.JoinMatch(join, metadata=bearer(key))


async def test_find_match_passes_over_a_match_that_strangers_have_worn_out():
    async with open_server(limits=limits(match_changes=4)) as server:
        find = lobby.FindMatchRequest(setup=setup(2), name="Ann", request_id="one" * 6)
        first = await server.lobby.FindMatch(find)
        await leave(server, first.match.id, first.seat_secret)
        find.request_id = "two" * 6
        again = await server.lobby.FindMatch(find)
        assert again.match.id != first.match.id


# ---------------------------------------------------------------- a deputy


async def test_a_deputy_answers_until_the_holder_reclaims_the_seat(server):
    table = await server.table(2, 2)
    decision = (await table.get(None)).decisions[0]
    person = decision.seat
    given = await hand_over(table, person)
    seat = given.match.seats[person]
    assert (seat.name, seat.kind, seat.deputy) == ("Robo", BOT, True)
    got = await refused(table.submit(decision.id, 0, person))
    assert (got.reason, got.metadata) == ("SEAT_DELEGATED", {"seat": str(person)})
    call = await entered(server, table.id, table.secrets[person])
    got = await refused(call.read())
    assert got.reason == "SEAT_DELEGATED"
    seen = await table.get(person, with_view=True)
    assert seen.view.seat == person
    owner, table.secrets[person] = table.secrets[person], given.deputy_secret
    assert (await table.get(person, with_view=True)).view == seen.view
    assert (await table.submit(decision.id, 0, person)).applied == 1
    deputy, table.secrets[person] = given.deputy_secret, owner
    back = (await take_back(table, person)).match.seats[person]
    assert (back.name, back.kind, back.deputy) == (f"Ann {person}", 1, False)
    got = await refused(
        server.match.GetMatch(pb.GetMatchRequest(match_id=table.id), metadata=bearer(deputy))
    )
    assert got.reason == "SECRET_INVALID"
    assert (await take_back(table, person)).match.seats[person] == back  # nothing to do


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("ResignSeat", pb.ResignSeatRequest(request_id="a")),
        ("DelegateSeat", pb.DelegateSeatRequest(name="Other")),
        ("ReclaimSeat", pb.ReclaimSeatRequest()),
        (
            "ProposeToPlayers",
            pb.ProposeToPlayersRequest(request_id="a", abandon=match_pb2.AbandonProposal()),
        ),
        ("RespondToProposal", pb.RespondToProposalRequest(request_id="a", proposal_id="x")),
        ("AbandonMatch", pb.AbandonMatchRequest(request_id="a")),
        ("LeaveMatch", pb.LeaveMatchRequest(request_id="a")),
    ],
)
async def test_a_deputy_only_answers(server, method, request_):
    table = await server.table(2, 2)
    deputy = (await hand_over(table)).deputy_secret
    request_.match_id = table.id
    got = await refused(getattr(server.match, method)(request_, metadata=bearer(deputy)))
    assert (got.code.name, got.reason) == ("PERMISSION_DENIED", "FORBIDDEN")


async def test_a_holder_can_resign_while_a_deputy_acts(server):
    table = await server.table(2, 2)
    await hand_over(table)
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    match = (await server.match.ResignSeat(request, metadata=bearer(table.secrets[0]))).match
    assert match.seats[0].resigned


async def test_a_new_deputy_takes_the_place_of_the_old_one(server):
    table = await server.table(2, 2)
    first = (await hand_over(table)).deputy_secret
    second = await hand_over(table, name="Other", kind=0)
    assert second.match.seats[0].name == "Other"
    got = await refused(
        server.match.GetMatch(pb.GetMatchRequest(match_id=table.id), metadata=bearer(first))
    )
    assert got.reason == "SECRET_INVALID"


async def test_a_repeated_delegation_returns_the_same_secret(server):
    table = await server.table(2, 2)
    key = "hard-to-guess-0123456789"
    for fields in ({"permanent": False}, {"permanent": True, "name": "Zoe"}):
        first = await hand_over(table, request_id=key + str(fields), **fields)
        again = await hand_over(table, request_id=key + str(fields), **fields)
        assert again.deputy_secret == first.deputy_secret
    await hand_over(table, 1, request_id=key, name="Ida")
    got = await refused(hand_over(table, 1, request_id=key, name="Eva"))
    assert (got.reason, got.metadata) == ("REQUEST_ID_REUSED", {"request_id": key})
    got = await refused(hand_over(table, request_id="short"))
    assert got.reason == "INVALID_NAME"


async def test_a_deputy_needs_a_name_that_nobody_else_has(server):
    table = await server.table(2, 2)
    got = await refused(hand_over(table, name="ann 1"))
    assert got.reason == "NAME_TAKEN"
    await hand_over(table, name="Ann 0")  # one's own may be used
    await hand_over(table, 1, name="Robo")
    got = await refused(hand_over(table, name="ROBO"))
    assert got.reason == "NAME_TAKEN"
    assert (await refused(hand_over(table, name=""))).reason == "INVALID_NAME"
    assert (await refused(hand_over(table, kind=9))).reason == "MALFORMED"


@pytest.mark.parametrize(
    "hidden",
    ["\ufe0f", "\ufe00", "\u180b", "\u034f", "\U000e0101"],
    ids=["VS16", "VS1", "FVS1", "grapheme joiner", "VS18"],
)
async def test_names_that_differ_by_an_invisible_character_are_the_same(server, hidden):
    table = await server.table(2, 2)
    got = await refused(hand_over(table, name=f"Ann{hidden} 1"))
    assert got.reason in ("NAME_TAKEN", "INVALID_NAME")
    assert looks_like(f"Ann{hidden} 1") == looks_like("ANN 1")


async def test_a_seat_given_away_for_good_has_another_holder(server):
    table = await server.table(2, 2)
    given = await hand_over(table, permanent=True, name="Zoe", kind=0)
    seat = given.match.seats[0]
    assert (seat.name, seat.deputy) == ("Zoe", False)
    got = await refused(table.get(0))
    assert got.reason == "SECRET_INVALID"
    table.secrets[0] = given.deputy_secret
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    match = (await server.match.ResignSeat(request, metadata=bearer(table.secrets[0]))).match
    assert match.seats[0].resigned
    got = await refused(hand_over(table))
    assert got.reason == "MATCH_OVER"


async def test_a_seat_can_be_delegated_before_the_start(server):
    match_id, creator, secrets = await opened(server)
    table = Table(server, match_id, secrets, creator)
    deputy = (await hand_over(table)).deputy_secret
    start = pb.StartMatchRequest(match_id=match_id)
    await server.match.StartMatch(start, metadata=bearer(creator))
    decision = (await table.get(None)).decisions[0]
    call = await entered(server, match_id, deputy if decision.seat == 0 else secrets[1])
    assert (await call.read()).prompt.decision.id == decision.id


async def test_the_holder_of_several_seats_can_delegate_one(server):
    table = await server.table(2, 1)
    given = await hand_over(table, seat=1)
    assert [seat.deputy for seat in given.match.seats] == [False, True]
    got = await table.get(0)
    for decision in got.decisions:
        answer = table.submit(decision.id, 0, 0)
        if decision.seat == 1:
            assert (await refused(answer)).reason == "SEAT_DELEGATED"
        else:
            await answer


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_the_streams_of_a_replaced_player_end_soon(elsewhere):
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        server = two if elsewhere else one
        table = await one.table(2, 2)
        person = (await table.get(None)).decisions[0].seat
        plays = await entered(one, table.id, table.secrets[person])
        assert (await plays.read()).HasField("prompt")
        request = pb.WatchMatchRequest(match_id=table.id, with_view=True)
        watches = one.match.WatchMatch(request, metadata=bearer(table.secrets[person]))
        assert (await watches.read()).HasField("snapshot")
        caller_or_spectator = one.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await caller_or_spectator.read()).HasField("snapshot")

        deputy = (await hand_over(table, person, server)).deputy_secret
        watch = Stopwatch()
        assert await end_of(plays) == pb.STREAM_END_CAUSE_REPLACED  # the holder only watches
        assert watch.seconds < SOON
        assert (await watches.read()).snapshot.match.seats[person].deputy
        assert (await caller_or_spectator.read()).snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED

        plays = await entered(one, table.id, deputy)
        assert (await plays.read()).HasField("prompt")
        looks = one.match.WatchMatch(request, metadata=bearer(deputy))
        assert (await looks.read()).snapshot.view.seat == person
        await take_back(table, person, server)
        watch = Stopwatch()
        assert await end_of(plays) == pb.STREAM_END_CAUSE_REPLACED
        assert await end_of(looks) == pb.STREAM_END_CAUSE_REPLACED
        assert watch.seconds < SOON
        assert not (await watches.read()).snapshot.match.seats[person].deputy

        await hand_over(table, person, server, permanent=True, name="Zoe")
        watch = Stopwatch()
        assert await end_of(watches) == pb.STREAM_END_CAUSE_REPLACED
        assert watch.seconds < SOON
        caller_or_spectator.cancel()


async def test_the_stream_that_a_key_opened_ends_when_the_seat_is_given_away(server):
    _, key = await server.key()
    create = pb.CreateMatchRequest(setup=setup(1), start_when_full=True)
    match_id = (await server.match.CreateMatch(create, metadata=bearer(key))).match.id
    await server.match.JoinMatch(
        pb.JoinMatchRequest(match_id=match_id, name="Ann"), metadata=bearer(key)
    )
    plays = await entered(server, match_id, key)
    assert (await plays.read()).HasField("prompt")
    give = pb.DelegateSeatRequest(
        match_id=match_id, name="Zoe", permanent=True, request_id="give the seat away"
    )
    await server.match.DelegateSeat(give, metadata=bearer(key))
    assert await end_of(plays) == pb.STREAM_END_CAUSE_REPLACED


async def test_the_stream_of_a_player_who_left_ends(server):
    match_id, _, secrets = await opened(server)
    watches = server.match.WatchMatch(
        pb.WatchMatchRequest(match_id=match_id), metadata=bearer(secrets[0])
    )
    await watches.read()
    await leave(server, match_id, secrets[0])
    message = await watches.read()
    assert message.end.cause == pb.STREAM_END_CAUSE_REPLACED
    assert not message.HasField("snapshot")


async def test_a_stream_of_several_seats_continues_with_the_remaining_ones(server):
    table = await server.table(2, 1)
    plays = await entered(server, table.id, table.secrets[0])
    asked = (await plays.read()).prompt.decision.seat
    await hand_over(table, seat=1 - asked)
    decision = (await table.get(0)).decisions[0]
    answer = pb.PlayAnswer(decision_id=decision.id, answers=[pb.DecisionAnswer(option=0)])
    await plays.write(pb.PlayRequest(answer=answer))
    match = (await hand_over(table, seat=asked, name="Two")).match
    assert all(seat.deputy for seat in match.seats)
    assert await end_of(plays) == pb.STREAM_END_CAUSE_REPLACED


async def test_a_resumed_stream_shows_that_the_seats_have_changed(server):
    match_id, creator, secrets = await opened(server)
    before = (await server.match.GetMatch(pb.GetMatchRequest(match_id=match_id))).resume_token
    await server.match.StartMatch(pb.StartMatchRequest(match_id=match_id), metadata=bearer(creator))
    request = pb.WatchMatchRequest(match_id=match_id, resume_token=before)
    stream = server.match.WatchMatch(request)
    first = await next_news(stream)
    assert first.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
    assert first.snapshot.match.status == match_pb2.MATCH_STATUS_PLAYING
    stream.cancel()
    table = Table(server, match_id, secrets, creator)
    person = (await table.get(None)).decisions[0].seat
    await table.step()
    await hand_over(table, person)
    request.resume_token = first.resume_token
    stream = server.match.WatchMatch(request)
    assert (await next_news(stream)).HasField("change")  # what happened comes first, once
    last = await next_news(stream)
    assert last.snapshot.match.seats[person].deputy
    stream.cancel()
    request.resume_token = last.resume_token
    stream = server.match.WatchMatch(request)
    await table.get(None)
    silence = asyncio.ensure_future(next_news(stream))
    assert not (await asyncio.wait({silence}, timeout=0.3))[0]
    stream.cancel()
