"""JoinRematch: the players of a match that is over meet again, each at the next seat, once."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.service.test_invitations import Opened, create, decline, ids
from tests.service.test_lobby import PLAYING, Watcher
from tests.service.test_play_all import Bots
from tests.service.test_server_bots import add
from tests.waiting import until

OPEN = match_pb2.MATCH_STATUS_OPEN


async def over(
    server: LocalServer, keys: tuple[str, ...], **fields: Any
) -> tuple[Opened, list[str]]:
    """Play a match that its first player resigns; return it and the secrets of its seats."""
    match = await create(server, len(keys), start_when_full=True, **fields)
    secrets = [
        (await match.join(key, f"Player {n}", seats=[n])).seat_secret for n, key in enumerate(keys)
    ]
    await resign(server, match.id, secrets[0])
    return match, secrets


async def resign(server: LocalServer, match_id: str, secret: str) -> None:
    request = pb.ResignSeatRequest(match_id=match_id, request_id="enough")
    await server.match.ResignSeat(request, metadata=bearer(secret))


async def rematch(
    server: LocalServer, match_id: str, secret: str, request_id: str = "again"
) -> lobby.JoinRematchResponse:
    request = lobby.JoinRematchRequest(match_id=match_id, request_id=request_id)
    found: lobby.JoinRematchResponse = await server.lobby.JoinRematch(
        request, metadata=bearer(secret)
    )
    return found


async def get(server: LocalServer, match_id: str) -> match_pb2.Match:
    found: match_pb2.Match = (
        await server.match.GetMatch(pb.GetMatchRequest(match_id=match_id))
    ).match
    return found


async def test_all_meet_again_at_the_next_seats(server: LocalServer):
    match, secrets = await over(server, ("", "", ""), title="Cup", labels={"cup": "x"})
    one = await rematch(server, match.id, secrets[1])
    assert (one.match.status, list(one.seats)) == (OPEN, [2])
    zero = await rematch(server, match.id, secrets[0])
    two = await rematch(server, match.id, secrets[2])
    assert (list(zero.seats), list(two.seats)) == ([1], [0])
    assert two.match.status == PLAYING
    old, new = await get(server, match.id), two.match
    assert (old.next_match_id, new.previous_match_id) == (new.id, old.id)
    assert [seat.name for seat in new.seats] == ["Player 2", "Player 0", "Player 1"]
    assert (new.setup, new.title, dict(new.labels)) == (old.setup, "Cup", {"cup": "x"})
    assert new.secret_digest != old.secret_digest
    view = pb.GetMatchRequest(match_id=new.id, with_view=True)
    seen = await server.match.GetMatch(view, metadata=bearer(one.seat_secret))
    assert seen.view.seat == 2


async def test_all_who_ask_at_once_on_any_server_meet_in_one_match():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        match, secrets = await over(one, ("", "", "", ""))
        asked = [
            rematch(server, match.id, secret) for secret in secrets for server in (one, two, one)
        ]
        answers = await asyncio.gather(*asked)
        assert len({answer.match.id for answer in answers}) == 1
        assert len({answer.seat_secret for answer in answers}) == 4
        assert sorted(answers[n].seats[0] for n in range(0, 12, 3)) == [0, 1, 2, 3]
        assert (await get(two, answers[0].match.id)).status == PLAYING


async def test_a_repeated_request_that_is_late_does_not_sit_down_again(server: LocalServer):
    match, secrets = await over(server, ("", ""))
    first = await rematch(server, match.id, secrets[0], "one")
    leave = pb.LeaveMatchRequest(match_id=first.match.id, request_id="leave")
    await server.match.LeaveMatch(leave, metadata=bearer(first.seat_secret))
    late = await rematch(server, match.id, secrets[0], "one")
    assert late.seat_secret == first.seat_secret
    assert not any(seat.name for seat in (await get(server, first.match.id)).seats)
    back = await rematch(server, match.id, secrets[0], "two")
    assert back.seats == first.seats
    assert (await rematch(server, match.id, secrets[0], "three")).seats == first.seats


async def test_strangers_take_no_seat_of_a_rematch(server: LocalServer):
    match, secrets = await over(server, ("", ""))
    opened = await rematch(server, match.id, secrets[0])
    joining = server.match.JoinMatch(pb.JoinMatchRequest(match_id=opened.match.id, name="Eve"))
    assert (await refused(joining)).reason == "INVITATION_REQUIRED"
    assert (await refused(rematch(server, match.id, ""))).reason == "SECRET_MISSING"
    assert (await refused(rematch(server, match.id, "x" * 43))).reason == "SECRET_INVALID"


async def test_accounts_are_invited_and_may_decline(server: LocalServer):
    (_, ann), (_, ben) = await server.key(name="Ann"), await server.key(name="Ben")
    match, _ = await over(server, (ann, ben))
    opened = await rematch(server, match.id, ann)
    invited = pb.SEAT_FILTER_INVITED
    assert await ids(server, ben, seat=invited, account_id="me") == [opened.match.id]
    await decline(server, opened.match.id, ben)
    assert await ids(server, ben, seat=invited, account_id="me") == []
    again = await rematch(server, match.id, ben)
    assert again.match.status == PLAYING


async def test_a_bot_account_accepts_by_what_it_offers_and_opens_none(server: LocalServer):
    (_, ann), (_, bot) = await server.key(name="Ann"), await server.key(Role.BOT, "Robo")
    match, _ = await over(server, (ann, bot))
    assert (await refused(rematch(server, match.id, bot))).reason == "FORBIDDEN"
    bots = Bots(server, bot, offer=pb.PlayAllOffer())
    await bots.enter()
    opened = await rematch(server, match.id, ann)
    assert (await bots.hear()).match_id == opened.match.id

    async def plays() -> bool:
        return (await get(server, opened.match.id)).status == PLAYING

    await until(plays)


async def test_a_bot_account_sits_down_at_a_rematch_that_another_player_has_opened(
    server: LocalServer,
):
    (_, ann), (_, bot) = await server.key(name="Ann"), await server.key(Role.BOT, "Robo")
    match, _ = await over(server, (ann, bot))
    opened = await rematch(server, match.id, ann)
    followed = await rematch(server, match.id, bot)
    assert followed.match.id == opened.match.id
    assert followed.match.status == PLAYING


async def test_a_bot_of_the_server_plays_again(server: LocalServer):
    match = await create(server, start_when_full=True)
    ann = await match.join(name="Ann")
    await add(server, match)
    await resign(server, match.id, ann.seat_secret)
    again = await rematch(server, match.id, ann.seat_secret)
    assert again.match.status == PLAYING
    assert [seat.bot_id for seat in again.match.seats] == ["random", ""]


async def test_the_creator_keeps_their_rights(server: LocalServer):
    match, secrets = await over(server, ("", ""))
    opened = await rematch(server, match.id, secrets[0])
    removal = lobby.RemovePlayerRequest(match_id=opened.match.id, seat=1, request_id="out")
    await server.lobby.RemovePlayer(removal, metadata=match.creator)
    give_up = pb.AbandonMatchRequest(match_id=opened.match.id, request_id="no")
    await server.match.AbandonMatch(give_up, metadata=match.creator)
    assert (await refused(rematch(server, match.id, secrets[1]))).reason == "MATCH_OVER"


async def test_there_is_no_rematch_before_the_end(server: LocalServer):
    table = await server.table(2, 2)
    refusal = await refused(rematch(server, table.id, table.secrets[0]))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_FINISHED")
    match = await create(server)
    ann = await match.join(name="Ann")
    assert (await refused(rematch(server, match.id, ann.seat_secret))).reason == "NOT_FINISHED"


async def test_the_lobby_shows_that_a_match_has_a_rematch(server: LocalServer):
    match, secrets = await over(server, ("", ""))
    watcher = await Watcher(server).begin()
    opened = await rematch(server, match.id, secrets[0])
    while not (heard := await watcher.hear()).match.next_match_id:
        pass
    assert (heard.match.id, heard.match.next_match_id) == (match.id, opened.match.id)


async def test_delayed_spectators_do_not_learn_by_a_list_that_a_match_is_over(server: LocalServer):
    delayed = match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_DELAYED)
    delayed.delay.seconds = 60
    match, secrets = await over(server, ("", ""), spectators=delayed)
    opened = await rematch(server, match.id, secrets[0])
    assert opened.match.id not in await ids(server)
    seen = await get(server, match.id)
    assert (seen.status, seen.next_match_id) == (OPEN, "")
