"""Invitations: reserved seats, join codes, unlisted matches, and whom the creator removes."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.service.test_matches import setup
from tests.service.test_play_all import Bots
from tests.waiting import LIMIT_SECONDS


class Opened:
    """A match that waits for players, and its creator's side of it."""

    def __init__(self, server: LocalServer, created: pb.CreateMatchResponse) -> None:
        self._server = server
        self.id = created.match.id
        self.code = created.join_code
        self.creator = bearer(created.creator_secret)

    async def invite(self, account: str, seat: int | None = None, **more: Any) -> match_pb2.Match:
        more.setdefault("request_id", f"invite {account} {seat}")
        request = lobby.InviteToMatchRequest(
            match_id=self.id, account_id=account, seat=seat, **more
        )
        answer = await self._server.lobby.InviteToMatch(request, metadata=self.creator)
        found: match_pb2.Match = answer.match
        return found

    async def remove(self, seat: int, request_id: str = "remove") -> match_pb2.Match:
        request = lobby.RemovePlayerRequest(match_id=self.id, seat=seat, request_id=request_id)
        answer = await self._server.lobby.RemovePlayer(request, metadata=self.creator)
        found: match_pb2.Match = answer.match
        return found

    async def join(self, key: str = "", name: str = "Ann", **more: Any) -> pb.JoinMatchResponse:
        request = pb.JoinMatchRequest(match_id=more.pop("match_id", self.id), name=name, **more)
        answer: pb.JoinMatchResponse = await self._server.match.JoinMatch(
            request, metadata=bearer(key)
        )
        return answer


async def create(server: LocalServer, seats: int = 2, **fields: Any) -> Opened:
    request = pb.CreateMatchRequest(setup=setup(seats), **fields)
    return Opened(server, await server.match.CreateMatch(request))


async def ids(server: LocalServer, key: str = "", **asked: Any) -> list[str]:
    answer = await server.match.ListMatches(pb.ListMatchesRequest(**asked), metadata=bearer(key))
    return [match.id for match in answer.matches]


async def decline(server: LocalServer, match_id: str, key: str, request_id: str = "no") -> None:
    request = lobby.DeclineInvitationRequest(match_id=match_id, request_id=request_id)
    await server.lobby.DeclineInvitation(request, metadata=bearer(key))


async def test_a_reserved_seat_is_for_its_account(server: LocalServer):
    account, key = await server.key(Role.PLAYER, "Cyd")
    match = await create(server)
    seats = (await match.invite(account, 1)).seats
    assert [seat.invited_account_id for seat in seats] == ["", account]
    refusal = await refused(match.join(seats=[1]))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_RESERVED")
    assert list((await match.join()).seats) == [0]
    assert (await refused(match.join(name="Bob"))).reason == "NO_FREE_SEAT"
    joined = await match.join(key, "Cyd")
    assert list(joined.seats) == [1]
    assert (joined.match.seats[1].account_id, joined.match.seats[1].invited_account_id) == (
        account,
        "",
    )


async def test_an_invited_account_gets_its_seat_before_others_that_are_free(server: LocalServer):
    account, key = await server.key(Role.PLAYER, "Cyd")
    match = await create(server, 4)
    await match.invite(account, 2)
    assert list((await match.join(key, "Cyd")).seats) == [2]


async def test_an_account_finds_its_invitations_and_may_decline_them(server: LocalServer):
    account, key = await server.key(Role.PLAYER, "Cyd")
    match = await create(server, unlisted=True)
    await match.invite(account)
    invited: dict[str, Any] = {"account_id": "me", "seat": pb.SEAT_FILTER_INVITED}
    assert await ids(server, key, **invited) == [match.id]
    assert await ids(server, key, account_id="me") == []
    await decline(server, match.id, key)
    await decline(server, match.id, key)  # a repeated request gets its first answer
    assert await ids(server, key, **invited) == []
    refusal = await refused(decline(server, match.id, key, "again"))
    assert refusal.reason == "INVITATION_NOT_FOUND"
    assert list((await match.join(name="Bob", seats=[0])).seats) == [0]


async def test_an_invitation_is_given_once(server: LocalServer):
    account, _ = await server.key(Role.PLAYER)
    match = await create(server)
    await match.invite(account, 0)
    again = await match.invite(account, 1)
    assert [seat.invited_account_id for seat in again.seats] == [account, ""]
    assert (await refused(match.invite("nobody"))).reason == "ACCOUNT_NOT_FOUND"
    other, _ = await server.key(Role.PLAYER)
    assert (await refused(match.invite(other, 0))).reason == "SEAT_TAKEN"
    assert (await refused(match.invite(other, 2))).reason == "UNKNOWN_SEAT"


async def test_the_invited_see_a_match_without_spectators(server: LocalServer):
    account, key = await server.key(Role.PLAYER)
    none = match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_NONE)
    match = await create(server, spectators=none)
    get = pb.GetMatchRequest(match_id=match.id)
    before = await refused(server.match.GetMatch(get, metadata=bearer(key)))
    assert before.reason == "SPECTATORS_NOT_ALLOWED"
    await match.invite(account)
    assert (await server.match.GetMatch(get, metadata=bearer(key))).match.id == match.id


async def test_an_unlisted_match_is_listed_for_those_who_take_part(server: LocalServer):
    _, key = await server.key(Role.PLAYER)
    _, other = await server.key(Role.PLAYER)
    match = await create(server, unlisted=True, labels={"cup": "x"})
    assert await ids(server) == []
    await match.join(key)
    assert await ids(server, key) == [match.id]
    assert await ids(server, other) == []
    assert await ids(server, labels={"cup": "x"}) == []


async def test_a_match_may_ask_for_an_invitation(server: LocalServer):
    account, key = await server.key(Role.PLAYER, "Cyd")
    match = await create(server, 4, invitation_required=True)
    refusal = await refused(match.join())
    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.PERMISSION_DENIED,
        "INVITATION_REQUIRED",
    )
    await match.invite(account)
    assert list((await match.join(key, "Cyd")).seats) == [0]
    coded = await match.join(name="Dan", join_code=match.code)
    assert list(coded.seats) == [1]


async def test_a_join_code_is_enough_and_is_read_as_people_type(server: LocalServer):
    match = await create(server, invitation_required=True, unlisted=True)
    typed = f" {match.code[:5].lower()}-{match.code[5:]} "
    joined = await match.join(match_id="", join_code=typed)
    assert joined.match.id == match.id
    get = pb.GetMatchRequest(match_id=match.id)
    assert (await server.match.GetMatch(get, metadata=match.creator)).join_code == match.code
    assert (await server.match.GetMatch(get)).join_code == ""


@pytest.mark.parametrize("code", ["AAAAAAAAAA", "short", "ÄÄÄÄÄÄÄÄÄÄ", "AAAAA/AAAA"])
@pytest.mark.parametrize("named", [True, False])
async def test_a_wrong_join_code_opens_nothing(server: LocalServer, code: str, named: bool):
    match = await create(server)
    match_id = match.id if named else ""
    refusal = await refused(match.join(match_id=match_id, join_code=code))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "JOIN_CODE_INVALID")


async def test_the_creator_removes_a_player_before_the_start(server: LocalServer):
    match = await create(server)
    joined = await match.join()
    assert (await match.remove(0)).seats[0].name == ""
    get = pb.GetMatchRequest(match_id=match.id)
    gone = await refused(server.match.GetMatch(get, metadata=bearer(joined.seat_secret)))
    assert gone.reason == "SECRET_INVALID"
    await match.join(name="Bob")
    assert (await match.remove(0)).seats[0].name == "Bob"  # the first answer again
    assert (await match.remove(0, "once more")).seats[0].name == ""
    account, _ = await server.key(Role.PLAYER)
    await match.invite(account, 1)
    assert (await match.remove(1, "withdraw")).seats[1].invited_account_id == ""
    assert (await refused(match.remove(2, "no seat"))).reason == "UNKNOWN_SEAT"


async def test_the_stream_of_a_removed_player_ends(server: LocalServer):
    match = await create(server)
    joined = await match.join()
    bots = Bots(server)
    seat = pb.SeatCredential(match_id=match.id, seat_secret=joined.seat_secret)
    await bots.stream.write(pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat]))
    assert (await bots.hear()).HasField("entered")
    await match.remove(0)
    assert (await bots.hear()).play.end.cause == pb.STREAM_END_CAUSE_REPLACED


async def test_an_invitation_that_loses_the_race_for_a_seat_takes_nothing_away():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        account, _ = await one.key(Role.PLAYER)
        for number in range(20):
            match = await create(one, 1)
            elsewhere = Opened(two, pb.CreateMatchResponse())
            elsewhere.id = match.id
            calls = [match.invite(account, 0), elsewhere.join(request_id=f"{number:016}")]
            ended = await asyncio.gather(*calls, return_exceptions=True)
            failed = [isinstance(end, BaseException) for end in ended]
            assert sorted(failed) == [False, True]
            seat = (await one.matches.fresh(match.id)).seats[0]
            assert (bool(seat.invited), bool(seat.secret)) == (failed[1], failed[0])


# ---------------------------------------------------------------- a bot that takes invitations


async def invite_bot(server: LocalServer, account: str, game: str = "yggdrasil") -> str:
    request = pb.CreateMatchRequest(start_when_full=True)
    request.setup.game, request.setup.seats = game, 2
    match = Opened(server, await server.match.CreateMatch(request))
    await match.invite(account)
    return match.id


async def next_entered(bots: Bots) -> str:
    while True:
        update = await bots.hear()
        if update.HasField("entered"):
            return str(update.match_id)


async def test_a_bot_accepts_invitations_before_and_after_it_enters(server: LocalServer):
    account, key = await server.key(Role.BOT, "Robo")
    first = await invite_bot(server, account)
    bots = Bots(server, key, offer=pb.PlayAllOffer())
    await bots.enter()
    assert await next_entered(bots) == first
    second = await invite_bot(server, account)
    assert await next_entered(bots) == second
    seat = (await server.matches.current(second)).seats[0]
    assert (seat.name, seat.account, seat.kind) == ("Robo", account, match_pb2.SEAT_KIND_BOT)


async def test_a_bot_takes_no_more_matches_than_it_says(server: LocalServer):
    account, key = await server.key(Role.BOT, "Robo")
    matches = [await invite_bot(server, account) for _ in range(2)]
    bots = Bots(server, key, offer=pb.PlayAllOffer(max_matches=1))
    await bots.enter()
    first = await next_entered(bots)
    [second] = set(matches) - {first}
    assert (await server.matches.current(second)).seats[0].invited == account
    leave = pb.LeaveMatchRequest(match_id=first, request_id="leave")
    await server.match.LeaveMatch(leave, metadata=bearer(key))
    assert await next_entered(bots) == second


async def test_a_bot_declines_games_that_it_does_not_play(server: LocalServer):
    account, key = await server.key(Role.BOT, "Robo")
    other = await invite_bot(server, account, "champions")
    bots = Bots(server, key, offer=pb.PlayAllOffer(games=["yggdrasil"]))
    await bots.enter()
    own = await invite_bot(server, account)
    assert await next_entered(bots) == own
    watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=other))
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await watch.read()).snapshot.match.seats[0].invited_account_id:
            pass


async def test_a_bot_may_be_called_like_another_player(server: LocalServer):
    account, key = await server.key(Role.BOT, "Robo")
    match = await create(server)
    await match.join(name="Robo")
    await match.invite(account)
    bots = Bots(server, key, offer=pb.PlayAllOffer())
    await bots.enter()
    assert await next_entered(bots) == match.id
    assert (await server.matches.current(match.id)).seats[1].name == "Robo 2"


@pytest.mark.parametrize(
    ("role", "offer", "reason"),
    [
        (Role.PLAYER, pb.PlayAllOffer(), "FORBIDDEN"),
        (Role.BOT, pb.PlayAllOffer(max_matches=-1), "MALFORMED"),
        (Role.BOT, pb.PlayAllOffer(games=["chess"]), "UNKNOWN_GAME"),
    ],
)
async def test_an_offer_is_for_bots_and_makes_sense(
    server: LocalServer, role: Role, offer: pb.PlayAllOffer, reason: str
):
    _, key = await server.key(role)
    bots = Bots(server, key, offer=offer)
    await bots.enter()
    assert (await refused(bots.stream.read())).reason == reason
