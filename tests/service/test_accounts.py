"""Accounts: a key opens what its account sits at, and holds until it is revoked, not longer."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import grpc
import pytest

from taflhall.v1 import catalog_service_pb2 as catalog
from taflhall.v1 import match_pb2, match_service_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import PERMISSIONS, Action, authorize, enter
from taflhall_service.app.errors import Refused
from taflhall_service.app.model.match import decode_match
from taflhall_service.rpc.actions import action_of
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    bearer,
    open_server,
    reason_of,
    refused,
    to_the_end,
)
from tests.service.test_matches import setup
from tests.stopwatch import Stopwatch
from tests.waiting import LIMIT_SECONDS, until


async def seated(server: LocalServer, key: str, **fields: Any) -> pb.JoinMatchResponse:
    """Open a match for one and sit down with *key*; it begins at once."""
    create = pb.CreateMatchRequest(setup=setup(2), start_when_full=True)
    made = await server.match.CreateMatch(create, metadata=bearer(key))
    join = pb.JoinMatchRequest(match_id=made.match.id, seats=[0, 1], name="Ann", **fields)
    joined: pb.JoinMatchResponse = await server.match.JoinMatch(join, metadata=bearer(key))
    return joined


async def test_a_key_opens_every_seat_that_its_account_sits_at(server: LocalServer):
    account, key = await server.key()
    joined, got = pb.JoinMatchResponse(), pb.GetMatchResponse()
    for _ in range(2):
        joined = await seated(server, key)
        assert [seat.account_id for seat in joined.match.seats] == [account, account]
        for proof in (key, joined.seat_secret):
            get = pb.GetMatchRequest(match_id=joined.match.id, with_view=True, with_options=True)
            got = await server.match.GetMatch(get, metadata=bearer(proof))
            assert got.view.seat == 0
            assert got.decisions[0].options
    submit = pb.SubmitAnswersRequest(
        match_id=joined.match.id,
        decision_id=got.decisions[0].id,
        request_id="by key",
        answers=[pb.DecisionAnswer(option=0)],
    )
    first = await server.match.SubmitAnswers(submit, metadata=bearer(key))
    again = await server.match.SubmitAnswers(submit, metadata=bearer(key))
    assert (first.applied, first.replayed) == (1, False)
    assert (again.revision, again.replayed) == (first.revision, True)
    by_secret = server.match.SubmitAnswers(submit, metadata=bearer(joined.seat_secret))
    assert (await refused(by_secret)).reason == "STALE_DECISION"  # whose ids count for themselves


async def test_a_request_id_opens_nothing_to_another_account(server: LocalServer):
    account, key = await server.key()
    _, other = await server.key()
    create = pb.CreateMatchRequest(setup=setup(2), request_id="a request id of somebody")
    made = await server.match.CreateMatch(create, metadata=bearer(key))
    assert (await server.match.CreateMatch(create, metadata=bearer(key))).match == made.match
    theirs = [await server.match.CreateMatch(create, metadata=bearer(other))]
    theirs.append(await server.match.CreateMatch(create))
    ids = {each.match.id for each in (made, *theirs)}
    assert len(ids) == 3
    join = pb.JoinMatchRequest(
        match_id=made.match.id, seats=[0], name="Ann", request_id="another of somebody"
    )
    joined = await server.match.JoinMatch(join, metadata=bearer(key))
    again = await server.match.JoinMatch(join, metadata=bearer(key))
    assert again.seat_secret == joined.seat_secret
    for proof in (bearer(other), ()):
        assert (await refused(server.match.JoinMatch(join, metadata=proof))).reason == "SEAT_TAKEN"
    for spelled in (f"{account}:another of somebody", f"{account}another of somebody"):
        join.request_id = spelled
        assert (await refused(server.match.JoinMatch(join))).reason == "SEAT_TAKEN"
    join.request_id = f"{account}\0another of somebody"
    assert (await refused(server.match.JoinMatch(join))).reason == "INVALID_NAME"


@pytest.mark.parametrize(
    "policy", [match_pb2.SPECTATOR_POLICY_NONE, match_pb2.SPECTATOR_POLICY_DELAYED]
)
async def test_a_player_who_left_can_no_longer_watch_a_private_match(server: LocalServer, policy):
    _, key = await server.key()
    create = pb.CreateMatchRequest(setup=setup(2))
    create.spectators.policy = policy
    if policy == match_pb2.SPECTATOR_POLICY_DELAYED:
        create.spectators.delay.FromSeconds(60)
    match_id = (await server.match.CreateMatch(create)).match.id
    for seat, proof in ((0, bearer(key)), (1, ())):
        join = pb.JoinMatchRequest(match_id=match_id, seats=[seat], name=f"Ann {seat}")
        await server.match.JoinMatch(join, metadata=proof)
    watch = pb.WatchMatchRequest(match_id=match_id, seat=-1)
    stream = server.match.WatchMatch(watch, metadata=bearer(key))
    await stream.read()
    leave = pb.LeaveMatchRequest(match_id=match_id, request_id="I have to go")
    await server.match.LeaveMatch(leave, metadata=bearer(key))
    async with asyncio.timeout(LIMIT_SECONDS):
        await to_the_end(stream)


async def test_a_key_that_cannot_be_read_ends_no_other(server: LocalServer):
    spoilt, key = await server.key()
    _, other = await server.key()
    streams = []
    for each in (key, other):
        joined = await seated(server, each)
        watch = pb.WatchMatchRequest(match_id=joined.match.id)
        streams.append(server.match.WatchMatch(watch, metadata=bearer(each)))
        await streams[-1].read()
    accounts, stored = server.rpc.accounts, server.store.accounts
    (found,) = await stored.read("accounts", [spoilt])
    await stored.compare_and_set("accounts", spoilt, b"\xc1", found)
    async with asyncio.timeout(LIMIT_SECONDS):
        with pytest.raises(grpc.aio.AioRpcError):
            await to_the_end(streams[0])
    await accounts.revoke(other.split("_")[1])
    async with asyncio.timeout(LIMIT_SECONDS):
        with pytest.raises(grpc.aio.AioRpcError):
            await to_the_end(streams[1])


async def test_another_account_opens_nothing_of_it(server: LocalServer):
    _, key = await server.key()
    _, other = await server.key()
    match_id = (await seated(server, key)).match.id
    got = await server.match.GetMatch(
        pb.GetMatchRequest(match_id=match_id, with_view=True), metadata=bearer(other)
    )
    assert not got.view.HasField("seat")
    look = pb.GetMatchRequest(match_id=match_id, with_view=True, seat=0)
    assert (
        await refused(server.match.GetMatch(look, metadata=bearer(other)))
    ).reason == "NOT_YOUR_SEAT"


async def test_a_creator_may_start_the_match_by_api_key(server: LocalServer):
    _, key = await server.key(Role.HOST)
    made = await server.match.CreateMatch(
        pb.CreateMatchRequest(setup=setup(2)), metadata=bearer(key)
    )
    match_id = made.match.id
    await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, seats=[0, 1], name="Ann"))
    start = pb.StartMatchRequest(match_id=match_id)
    assert (await server.match.StartMatch(start, metadata=bearer(key))).match.status == 2


async def test_the_seat_of_a_bot_says_so(server: LocalServer):
    _, key = await server.key(Role.BOT)
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(2)))
    join = pb.JoinMatchRequest(match_id=made.match.id, name="Ann", kind=match_pb2.SEAT_KIND_PERSON)
    joined = await server.match.JoinMatch(join, metadata=bearer(key))
    assert joined.match.seats[0].kind == match_pb2.SEAT_KIND_BOT


@pytest.mark.parametrize("how", ["revoked", "disabled"])
async def test_what_no_longer_holds_is_refused_soon_on_every_server(how: str):
    memory = Memory()
    async with open_server(MemoryStore(memory)) as here, open_server(MemoryStore(memory)) as there:
        account, key = await here.key()
        match_id = (await seated(here, key)).match.id
        watch = there.match.WatchMatch(
            pb.WatchMatchRequest(match_id=match_id), metadata=bearer(key)
        )
        await watch.read()
        play: Any = there.match.Play(metadata=bearer(key))
        await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=match_id)))
        assert (await play.read()).HasField("prompt")
        if how == "revoked":
            await here.accounts.revoke(key.split("_")[1])
        else:
            await here.accounts.update(account, None, None, True)
        stopwatch = Stopwatch()
        for stream in (watch, play):
            assert (await refused(to_the_end(stream))).reason == "API_KEY_INVALID"
        get = pb.GetMatchRequest(match_id=match_id)

        async def refused_by(server: LocalServer) -> bool:
            reason = await reason_of(server.match.GetMatch(get, metadata=bearer(key)))
            return reason == "API_KEY_INVALID"

        for server in (here, there):
            await until(partial(refused_by, server))
        assert stopwatch.seconds < 5.0
        assert not there.rpc.calls.streams


async def test_a_key_that_was_revoked_answers_nothing_more_in_an_open_stream(server: LocalServer):
    """Even before the stream ends: the answer itself is judged."""
    _, key = await server.key()
    match_id = (await seated(server, key)).match.id
    identity = Identity(None, await server.accounts.admit(key))
    assert identity.key is not None
    stored = await server.store.load(match_id)
    match = decode_match(stored)
    assert authorize(Action.SUBMIT_ANSWERS, identity, match).seats == (0, 1)
    identity.key.alive = False
    for action in Action:
        with pytest.raises(Refused):
            enter(action, identity)
    with pytest.raises(Refused):
        authorize(Action.SUBMIT_ANSWERS, identity, match)


async def test_keys_that_are_nearly_right_are_refused(server: LocalServer):
    _, key = await server.key()
    prefix, key_id, secret = key.split("_", 2)
    near = [
        f"tfk_{key_id}_{secret[:-1]}",
        f"tfk_{key_id}_{secret}x",
        f"tfk_{key_id}_{secret[:-1]}{'A' if secret[-1] != 'A' else 'B'}",
        f"tfk_{key_id}_",
        f"tfk_{key_id}",
        f"tfk_{key_id[:-1]}_{secret}",
        "tfk_",
        "tfk__",
        f"tfk_{'a' * 5000}_{secret}",
    ]
    for wrong in near:
        call = server.match.ListMatches(pb.ListMatchesRequest(), metadata=bearer(wrong))
        assert (await refused(call)).reason == "API_KEY_INVALID", wrong
    await server.match.ListMatches(pb.ListMatchesRequest(), metadata=bearer(key))
    swapped = f"{prefix}-{key_id}_{secret}"  # no API key at all: a wrong secret, for a match
    assert await server.match.ListMatches(pb.ListMatchesRequest(), metadata=bearer(swapped))
    get = catalog.GetGameRequest(game="champions")
    call = server.catalog.GetGame(get, metadata=bearer(swapped))
    assert (await refused(call)).reason == "API_KEY_INVALID"
    assert await server.catalog.GetGame(get, metadata=bearer("x" * 43))  # a seat's, for all it says


async def test_only_the_digest_of_a_key_is_stored(server: LocalServer):
    _, key = await server.key()
    secret = key.split("_", 2)[2]
    for namespace in ("accounts", "keys"):
        for value in (await server.store.accounts.all(namespace)).values():
            assert secret.encode() not in value


def test_every_method_of_the_match_service_has_a_row():
    service = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
    assert {action_of(f"MatchService.{method.name}") for method in service.methods} <= set(
        PERMISSIONS
    )
