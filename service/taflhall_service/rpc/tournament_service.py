"""TournamentService: every method reads its request, calls a use case and writes the answer."""

from __future__ import annotations

from taflhall.tournament.v1 import tournament_service_pb2 as pb
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import InvalidPageToken, Malformed
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.tokens import page_token, read_page_token
from taflhall_service.app.spectating.queries import page_size
from taflhall_service.app.tournaments.listing import index_key
from taflhall_service.app.tournaments.schedule import schedule
from taflhall_service.app.tournaments.standings import standings
from taflhall_service.app.tournaments.tournaments import CreateTournament, Tournaments
from taflhall_service.rpc.requests import fingerprint, setup_of, time_control_of
from taflhall_service.rpc.tournament_messages import (
    match_messages,
    standing_message,
    tournament_message,
)


class TournamentService:
    """The methods about tournaments."""

    def __init__(self, matches: Matches, tournaments: Tournaments) -> None:
        self._matches = matches
        self._tournaments = tournaments

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, identity: Identity
    ) -> pb.CreateTournamentResponse:
        if request.format not in pb.TournamentFormat.values():
            raise Malformed(field="format", expected="a TournamentFormat")
        if not request.HasField("time_control"):
            raise Malformed(field="time_control", expected="a time control")
        game, setup = setup_of(request.setup)
        created = await self._tournaments.create(
            CreateTournament(
                identity,
                request.name,
                game,
                setup,
                request.format or pb.TOURNAMENT_FORMAT_ROUND_ROBIN,
                request.rounds,
                request.matches_at_once,
                time_control_of(request.time_control),
                request.max_entrants,
                request.request_id,
                fingerprint("CreateTournament", request),
            )
        )
        return pb.CreateTournamentResponse(tournament=tournament_message(created))

    async def GetTournament(
        self, request: pb.GetTournamentRequest, identity: Identity
    ) -> pb.GetTournamentResponse:
        found = await self._tournaments.get(request.tournament_id)
        return pb.GetTournamentResponse(tournament=tournament_message(found))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, identity: Identity
    ) -> pb.ListTournamentsResponse:
        if request.status not in pb.TournamentStatus.values():
            raise Malformed(field="status", expected="a TournamentStatus")
        key, listing = self._matches.server_key, f"tournaments/{request.status}"
        last = read_page_token(key, request.page_token, listing) if request.page_token else ""
        size = page_size(request.page_size)
        found = await self._tournaments.page(request.status, last, size + 1)
        more = page_token(key, index_key(found[size - 1]), listing) if len(found) > size else ""
        return pb.ListTournamentsResponse(
            tournaments=[tournament_message(each) for each in found[:size]], next_page_token=more
        )

    async def EnterTournament(
        self, request: pb.EnterTournamentRequest, identity: Identity
    ) -> pb.EnterTournamentResponse:
        entered = await self._tournaments.enter(identity, request.tournament_id, request.name)
        return pb.EnterTournamentResponse(tournament=tournament_message(entered))

    async def WithdrawFromTournament(
        self, request: pb.WithdrawFromTournamentRequest, identity: Identity
    ) -> pb.WithdrawFromTournamentResponse:
        changed = await self._tournaments.withdraw(
            identity, request.tournament_id, request.account_id
        )
        return pb.WithdrawFromTournamentResponse(tournament=tournament_message(changed))

    async def StartTournament(
        self, request: pb.StartTournamentRequest, identity: Identity
    ) -> pb.StartTournamentResponse:
        started = await self._tournaments.start(identity, request.tournament_id)
        return pb.StartTournamentResponse(tournament=tournament_message(started))

    async def CancelTournament(
        self, request: pb.CancelTournamentRequest, identity: Identity
    ) -> pb.CancelTournamentResponse:
        cancelled = await self._tournaments.cancel(identity, request.tournament_id)
        return pb.CancelTournamentResponse(tournament=tournament_message(cancelled))

    async def GetTournamentStandings(
        self, request: pb.GetTournamentStandingsRequest, identity: Identity
    ) -> pb.GetTournamentStandingsResponse:
        tournament = await self._tournaments.get(request.tournament_id)
        progress = await self._tournaments.progress(tournament.id)
        lines = [standing_message(line) for line in standings(tournament, progress)]
        return pb.GetTournamentStandingsResponse(standings=lines)

    async def ListTournamentMatches(
        self, request: pb.ListTournamentMatchesRequest, identity: Identity
    ) -> pb.ListTournamentMatchesResponse:
        key, listing = self._matches.server_key, f"tournament/{request.tournament_id[:64]}"
        last = -1
        if request.page_token:
            mark = read_page_token(key, request.page_token, listing)
            if not mark.isdigit():
                raise InvalidPageToken
            last = int(mark)
        size = page_size(request.page_size)
        tournament = await self._tournaments.get(request.tournament_id)
        progress = await self._tournaments.progress(tournament.id)
        pairings = schedule(tournament, progress).pairings if tournament.started_ms else []
        left = [pairing for pairing in pairings if pairing.index > last]
        page = left[:size]
        more = page_token(key, str(page[-1].index), listing) if len(left) > size else ""
        return pb.ListTournamentMatchesResponse(
            matches=await match_messages(self._matches, tournament, page, progress.results),
            next_page_token=more,
        )
