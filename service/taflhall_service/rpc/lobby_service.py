"""LobbyService: every method reads its request, calls a use case and writes the answer."""

from __future__ import annotations

from taflhall.v1 import lobby_service_pb2 as pb
from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.matches.add_bot import AddBot
from taflhall_service.app.matches.find import FindMatch, find
from taflhall_service.app.matches.invitations import (
    DeclineInvitation,
    InviteToMatch,
    RemovePlayer,
)
from taflhall_service.app.matches.rematch import join_rematch
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.requests import (
    fingerprint,
    kind_of,
    language_of,
    seat_of,
    setup_of,
    spectators_of,
    time_control_of,
)


class LobbyService:
    """The methods by which players come together."""

    def __init__(self, spectators: Spectators, writer: Writer, accounts: Accounts) -> None:
        self._matches = spectators.matches
        self._spectators = spectators
        self._writer = writer
        self._accounts = accounts

    async def FindMatch(
        self, request: pb.FindMatchRequest, identity: Identity
    ) -> pb.FindMatchResponse:
        language = language_of(request)
        game, setup = setup_of(request.setup)
        found = await find(
            self._matches,
            FindMatch(
                identity,
                game,
                setup,
                request.name,
                kind_of(request.kind),
                request.request_id,
                fingerprint("FindMatch", request),
                time_control_of(request.time_control) if request.HasField("time_control") else None,
                spectators_of(request.spectators),
                dict(request.labels),
            ),
        )
        holder = Identity(found.secret)
        match = await self._spectators.shown(found.match, found.match_id, holder)
        return pb.FindMatchResponse(
            match=self._writer.shown(match, language), seat=found.seat, seat_secret=found.secret
        )

    async def InviteToMatch(
        self, request: pb.InviteToMatchRequest, identity: Identity
    ) -> pb.InviteToMatchResponse:
        language = language_of(request)
        limits = self._matches.limits
        invitation = InviteToMatch(
            identity,
            request.account_id,
            seat_of(request),
            limits.name("request_id", request.request_id),
            fingerprint("InviteToMatch", request),
            limits.match_changes,
        )
        invitation.authorize(await self._matches.current(request.match_id))
        await self._accounts.get(request.account_id)
        done = await act(self._matches, request.match_id, invitation)
        match = await self._spectators.shown(done.match, request.match_id, identity)
        return pb.InviteToMatchResponse(match=self._writer.shown(match, language))

    async def DeclineInvitation(
        self, request: pb.DeclineInvitationRequest, identity: Identity
    ) -> pb.DeclineInvitationResponse:
        request_id = self._matches.limits.name("request_id", request.request_id)
        decline = DeclineInvitation(identity, request_id, fingerprint("DeclineInvitation", request))
        await act(self._matches, request.match_id, decline)
        return pb.DeclineInvitationResponse()

    async def RemovePlayer(
        self, request: pb.RemovePlayerRequest, identity: Identity
    ) -> pb.RemovePlayerResponse:
        language = language_of(request)
        limits = self._matches.limits
        removal = RemovePlayer(
            identity,
            request.seat,
            limits.name("request_id", request.request_id),
            fingerprint("RemovePlayer", request),
        )
        done = await act(self._matches, request.match_id, removal)
        match = await self._spectators.shown(done.match, request.match_id, identity)
        return pb.RemovePlayerResponse(match=self._writer.shown(match, language))

    async def AddBot(self, request: pb.AddBotRequest, identity: Identity) -> pb.AddBotResponse:
        language = language_of(request)
        limits = self._matches.limits
        addition = AddBot(
            identity,
            request.bot_id,
            seat_of(request),
            limits.name("name", request.name) if request.name else "",
            limits.name("request_id", request.request_id),
            fingerprint("AddBot", request),
            limits,
        )
        done = await act(self._matches, request.match_id, addition)
        match = await self._spectators.shown(done.match, request.match_id, identity)
        return pb.AddBotResponse(match=self._writer.shown(match, language))

    async def JoinRematch(
        self, request: pb.JoinRematchRequest, identity: Identity
    ) -> pb.JoinRematchResponse:
        language = language_of(request)
        request_id = self._matches.limits.name("request_id", request.request_id)
        joined = await join_rematch(
            self._matches,
            request.match_id,
            identity,
            request_id,
            fingerprint("JoinRematch", request),
        )
        holder = Identity(joined.secret)
        match = await self._spectators.shown(joined.match, joined.match_id, holder)
        return pb.JoinRematchResponse(
            match=self._writer.shown(match, language),
            seats=joined.seats,
            seat_secret=joined.secret,
        )
