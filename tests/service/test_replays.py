"""Repeated requests over real gRPC: one effect, and no response reveals hidden information."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from tests.service.clocked import seconds
from tests.service.local_server import LocalServer, Table, bearer, refused
from tests.service.test_matches import setup
from tests.service.timed_server import DELAYED, NONE, PUBLIC

POLICIES = {"public": PUBLIC, "delayed": DELAYED, "none": NONE}
KEY = "a request id that is hard to guess"


async def opened(server: LocalServer, policy: int = PUBLIC, seats: int = 2) -> Table:
    """A match that nobody sits at."""
    request = pb.CreateMatchRequest(setup=setup(seats))
    if seats > 2:  # who resigns leaves the others to play
        request.setup.game, request.setup.seats = "champions", seats
        request.setup.champions.start_seat = 0
    request.spectators.policy = policy  # type: ignore[assignment]
    if policy == DELAYED:
        request.spectators.delay.CopyFrom(seconds(60))
    made = await server.match.CreateMatch(request)
    return Table(server, made.match.id, [], made.creator_secret)


async def ask(table: Table, method: str, secret: str | None, **fields: Any) -> Any:
    request = getattr(pb, f"{method}Request")(match_id=table.id, **fields)
    return await getattr(table.server.match, method)(request, metadata=bearer(secret))


async def join(table: Table, name: str, secret: str | None = None, **fields: Any) -> str:
    joined = await ask(table, "JoinMatch", secret, name=name, **fields)
    return str(joined.seat_secret)


def knows_nothing(answer: Any, policy: int) -> None:
    """Check that *answer* shows nothing of the match that a spectator may not see yet."""
    assert answer.HasField("match") == (policy != NONE)
    response = str(answer.match)
    assert "Zoe" not in response or policy == PUBLIC
    assert answer.match.revision == (1 if policy == PUBLIC else 0)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
async def test_a_repetition_shows_a_caller_who_left_what_spectators_may_see(server, policy):
    table = await opened(server, policy)
    secret = await join(table, "Evil", request_id=KEY)
    await ask(table, "LeaveMatch", secret, request_id="x")
    table.secrets = [await join(table, name) for name in ("Zoe", "Zoe 2")]
    await ask(table, "StartMatch", table.creator)
    decisions = [d for n in (0, 1) for d in (await table.get(n)).decisions if d.options]
    await table.submit(decisions[0].id, 0, decisions[0].seat)
    left = await ask(table, "LeaveMatch", secret, request_id="x")
    knows_nothing(left, policy)
    joined = await ask(table, "JoinMatch", None, name="Evil", request_id=KEY)
    assert joined.seat_secret == secret
    assert list(joined.seats) == [0]
    knows_nothing(joined, policy)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
async def test_a_repetition_shows_the_former_holder_of_a_seat_what_spectators_may_see(
    server, policy
):
    table = await opened(server, policy)
    table.secrets = [await join(table, name) for name in ("Ann", "Ann 2")]
    await ask(table, "StartMatch", table.creator)
    give = {"name": "Zoe", "permanent": True, "request_id": KEY}
    first = await ask(table, "DelegateSeat", table.secrets[0], **give)
    secrets = [first.deputy_secret, table.secrets[1]]
    old, table.secrets = table.secrets[0], secrets
    decisions = [d for n in (0, 1) for d in (await table.get(n)).decisions if d.options]
    await table.submit(decisions[0].id, 0, decisions[0].seat)
    again = await ask(table, "DelegateSeat", old, **give)
    assert again.deputy_secret == first.deputy_secret
    knows_nothing(again, policy)


async def test_a_join_whose_answer_was_lost_is_visible_to_its_player(server):
    table = await opened(server, NONE)
    first = await ask(table, "JoinMatch", None, name="Ann", request_id=KEY)
    again = await ask(table, "JoinMatch", None, name="Ann", request_id=KEY)
    assert again == first


async def test_accounts_have_request_ids_of_their_own(server):
    table = await opened(server)
    keys = [(await server.key(name=name))[1] for name in ("Ann", "Bob", "Cid")]
    for number in (0, 1):
        await join(table, f"Player {number}", keys[number])
    give = {"name": "Robo", "request_id": KEY}
    first = await ask(table, "DelegateSeat", keys[0], **give)
    assert (await ask(table, "DelegateSeat", keys[0], **give)).deputy_secret == first.deputy_secret
    assert (await refused(ask(table, "DelegateSeat", keys[2], **give))).reason == "FORBIDDEN"
    assert (await refused(ask(table, "DelegateSeat", None, **give))).reason == "SECRET_MISSING"
    await ask(table, "LeaveMatch", keys[0], request_id="x")
    assert (await refused(ask(table, "LeaveMatch", keys[2], request_id="x"))).reason == "FORBIDDEN"
    assert (
        await refused(ask(table, "LeaveMatch", None, request_id="x"))
    ).reason == "SECRET_MISSING"
    match = (await ask(table, "LeaveMatch", keys[1], request_id="x")).match
    assert not any(seat.name for seat in match.seats)


async def test_a_resignation_that_comes_again_after_a_seat_was_given_away_has_one_effect(server):
    table = await opened(server, seats=3)
    ann = await join(table, "Ann", seats=[0, 1])
    await join(table, "Bob")
    await ask(table, "StartMatch", table.creator)
    first = await ask(table, "ResignSeat", ann, request_id="res1")
    assert first.match.revision == 1
    await ask(table, "DelegateSeat", ann, seat=0, name="Zoe", permanent=True, request_id=KEY)
    again = await ask(table, "ResignSeat", ann, request_id="res1")
    assert again.match.revision == 1


async def test_request_ids_belong_to_the_former_holder(server):
    table = await server.table(2, 1)
    decision = await table.decision()
    first = await table.submit(decision.id, request_id="1")
    give = {"seat": 0, "name": "Zoe", "permanent": True, "request_id": KEY}
    zoe = (await ask(table, "DelegateSeat", table.secrets[0], **give)).deputy_secret
    again = await table.submit(decision.id, request_id="1")
    assert again.replayed
    again.replayed = False
    assert again == first
    submit = {"decision_id": "other", "request_id": "1", "answers": [pb.DecisionAnswer(option=0)]}
    assert (await refused(ask(table, "SubmitAnswers", zoe, **submit))).reason == "STALE_DECISION"


async def test_a_deputy_has_separate_request_ids(server):
    table = await server.table(2, 1)
    await table.submit((await table.decision()).id, request_id="1")
    seat = (await table.decision()).seat
    give = {"seat": seat, "name": "Robo", "request_id": KEY}
    deputy = (await ask(table, "DelegateSeat", table.secrets[0], **give)).deputy_secret
    table.secrets = [deputy]
    got = await table.submit((await table.decision()).id, request_id="1")
    assert not got.replayed
    assert got.revision > 1


@pytest.mark.parametrize(
    "method", ["SubmitAnswers", "ResignSeat", "ProposeToPlayers", "RespondToProposal"]
)
async def test_a_secret_that_is_no_longer_valid_is_refused_whatever_it_repeats(server, method):
    table = await opened(server, seats=3)
    table.secrets = [await join(table, f"Player {n}") for n in range(3)]
    await ask(table, "StartMatch", table.creator)
    pending = (await table.get(None)).decisions[0]
    person = pending.seat
    old, other = table.secrets[person], table.secrets[(person + 1) % 3]
    fields: dict[str, Any] = {"request_id": "1"}
    if method == "SubmitAnswers":
        fields |= {"decision_id": pending.id, "answers": [pb.DecisionAnswer(option=0)]}
    elif method == "ProposeToPlayers":
        fields |= {"abandon": {}}
    elif method == "RespondToProposal":
        asked = await ask(table, "ProposeToPlayers", other, abandon={}, request_id="2")
        fields |= {"proposal_id": asked.proposal_id, "agree": False}
    first = await ask(table, method, old, **fields)
    again = await ask(table, method, old, **fields)
    if method == "SubmitAnswers":
        assert again.replayed
        again.replayed = False
    assert again == first
    await ask(table, "DelegateSeat", old, name="Zoe", permanent=True, request_id=KEY)
    before = (await table.get(None)).match
    assert (await refused(ask(table, method, old, **fields))).reason == "SECRET_INVALID"
    assert (await refused(ask(table, method, None, **fields))).reason == "SECRET_MISSING"
    stranger = (await server.key())[1]
    assert (await refused(ask(table, method, stranger, **fields))).reason == "FORBIDDEN"
    assert (await table.get(None)).match == before


async def test_an_abandoned_match_cannot_be_started(server):
    table = await opened(server)
    await ask(table, "AbandonMatch", table.creator, request_id="1")
    assert (await refused(ask(table, "StartMatch", table.creator))).reason == "MATCH_OVER"


async def test_a_deputy_does_not_start_a_match(server):
    table = await opened(server)
    table.secrets = [await join(table, name) for name in ("Ann", "Bob")]
    give = {"name": "Robo", "request_id": KEY}
    deputy = (await ask(table, "DelegateSeat", table.secrets[0], **give)).deputy_secret
    assert (await refused(ask(table, "StartMatch", deputy))).reason == "FORBIDDEN"
    assert (await ask(table, "StartMatch", table.secrets[0])).HasField("match")


async def test_a_request_is_the_same_whatever_its_bytes_if_it_means_the_same(server):
    table = await server.table(2, 1)
    decision = await table.decision()
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id=decision.id,
        request_id="one",
        answers=[pb.DecisionAnswer(option=0)],
    )
    path, secret = "/taflhall.v1.MatchService/SubmitAnswers", table.secrets[0]
    first = pb.SubmitAnswersResponse.FromString(
        await server.raw(path, request.SerializeToString(), secret)
    )
    parts = [
        type(request)(**{field.name: value}).SerializeToString()
        for field, value in request.ListFields()
    ]
    explicit_default = bytes([request.WITH_OPTIONS_FIELD_NUMBER << 3, 0])
    unknown = b"\xfa\x3f\x03new"  # field 1023
    for data in (
        b"".join(reversed(parts)),
        *[b"".join([*parts, x]) for x in (explicit_default, unknown)],
    ):
        again = pb.SubmitAnswersResponse.FromString(await server.raw(path, data, secret))
        assert again.replayed
        again.replayed = False
        assert again == first
    other = pb.SubmitAnswersRequest.FromString(request.SerializeToString())
    other.answers[0].option = 1
    assert (await refused(server.raw(path, other.SerializeToString(), secret))).reason == (
        "REQUEST_ID_REUSED"
    )
