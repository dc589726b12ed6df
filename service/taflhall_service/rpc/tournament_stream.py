"""WatchTournament: a tournament as it proceeds."""

from __future__ import annotations

import asyncio
from typing import Final

from taflhall.tournament.v1 import tournament_service_pb2 as pb
from taflhall_service.app.errors import Draining
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.tournaments.model import ENDED, Tournament
from taflhall_service.app.tournaments.schedule import schedule
from taflhall_service.app.tournaments.tournaments import Tournaments
from taflhall_service.rpc.call import Call
from taflhall_service.rpc.tournament_messages import match_messages, tournament_message

LOOK_SECONDS: Final = 1.0
"""From one look at a watched tournament to the next."""


async def watch_tournament(matches: Matches, tournaments: Tournaments, call: Call) -> None:
    """Serve WatchTournament."""
    watched = call.request(pb.WatchTournamentRequest).tournament_id
    clock = asyncio.get_running_loop().time
    shown: Tournament | None = None
    seen: bytes | None = None
    known: dict[int, pb.TournamentMatch] = {}
    heartbeat = 0.0
    while not matches.hub.draining:
        tournament, mark = await tournaments.observe(watched)
        changed = tournament != shown or mark != seen
        news = await _news(matches, tournaments, tournament, known) if changed else []
        seen = mark
        message = pb.WatchTournamentResponse(matches=news)
        if tournament != shown:
            message.tournament.CopyFrom(tournament_message(tournament))
            shown = tournament
        if news or message.HasField("tournament") or clock() >= heartbeat:
            await call.write(message.SerializeToString())
            heartbeat = clock() + matches.limits.heartbeat_seconds
        if tournament.status in ENDED:
            return
        try:
            await asyncio.wait_for(matches.hub.drained.wait(), LOOK_SECONDS)
        except TimeoutError:
            continue
    raise Draining


async def _news(
    matches: Matches,
    tournaments: Tournaments,
    tournament: Tournament,
    known: dict[int, pb.TournamentMatch],
) -> list[pb.TournamentMatch]:
    """Return the matches that are new or have changed, and note them in *known*."""
    if not tournament.started_ms:
        return []
    progress = await tournaments.progress(tournament.id)
    pairings = schedule(tournament, progress).pairings
    now = await match_messages(matches, tournament, pairings, progress.results)
    news = [match for match in now if known.get(match.index) != match]
    known.update((match.index, match) for match in news)
    return news
