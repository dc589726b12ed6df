"""Tournaments as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from taflhall.tournament.v1 import tournament_service_pb2 as pb
from taflhall.v1 import match_pb2
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.ports.match_store import MatchSummary
from taflhall_service.app.tournaments.model import ENDED, MatchResult, Tournament
from taflhall_service.app.tournaments.schedule import Pairing, Results
from taflhall_service.app.tournaments.seating import match_id
from taflhall_service.app.tournaments.standings import Standing
from taflhall_service.rpc.messages import STATUSES, clock_settings, timestamp
from taflhall_wire.translate import translator

OVER: Final = (match_pb2.MATCH_STATUS_FINISHED, match_pb2.MATCH_STATUS_ABANDONED)


def tournament_message(tournament: Tournament) -> pb.Tournament:
    """Return a tournament as everybody may see it."""
    return pb.Tournament(
        id=tournament.id,
        name=tournament.name,
        setup=translator(tournament.rules).setup_to(tournament.laid_out()),
        format=pb.TournamentFormat.ValueType(tournament.format),
        rounds=tournament.rounds,
        time_control=clock_settings(tournament.time_control),
        max_entrants=tournament.max_entrants,
        status=pb.TournamentStatus.ValueType(tournament.status),
        creator_account_id=tournament.creator,
        entrants=[
            pb.TournamentEntrant(
                account_id=entrant.account, name=entrant.name, withdrawn=entrant.withdrawn
            )
            for entrant in tournament.entrants
        ],
        matches_at_once=tournament.at_once,
        create_time=timestamp(tournament.created_ms),
        start_time=timestamp(tournament.started_ms),
        end_time=timestamp(tournament.ended_ms),
    )


async def match_messages(
    matches: Matches, tournament: Tournament, pairings: Sequence[Pairing], results: Results
) -> list[pb.TournamentMatch]:
    """Return matches of a tournament as they are now."""
    key = matches.server_key
    left = [pairing for pairing in pairings if pairing.index not in results]
    ids = [match_id(key, tournament, pairing) for pairing in left]
    summaries = await matches.store.summaries(ids) if ids else []
    begun = {
        pairing.index: (known_id, summary)
        for pairing, known_id, summary in zip(left, ids, summaries, strict=True)
        if summary is not None
    }
    awaited = tournament.status not in ENDED
    return [
        _ended(pairing, result)
        if (result := results.get(pairing.index)) is not None
        else _under_way(pairing, *begun.get(pairing.index, ("", None)), result_follows=awaited)
        for pairing in pairings
    ]


def _under_way(
    pairing: Pairing, known_id: str, summary: MatchSummary | None, *, result_follows: bool
) -> pb.TournamentMatch:
    """Return a match without a result: if one follows, the match is not shown as over before."""
    status = match_pb2.MATCH_STATUS_OPEN
    if summary is not None:
        status = STATUSES.get(summary.status.decode(), match_pb2.MATCH_STATUS_PLAYING)
    if result_follows and status in OVER:
        status = match_pb2.MATCH_STATUS_PLAYING
    return pb.TournamentMatch(
        index=pairing.index,
        round=pairing.round,
        match_id=known_id,
        status=status,
        seats=[pb.TournamentSeat(account_id=account) for account in pairing.accounts],
    )


def _ended(pairing: Pairing, result: MatchResult) -> pb.TournamentMatch:
    counts = bool(result.places)
    message = pb.TournamentMatch(
        index=pairing.index,
        round=pairing.round,
        match_id=result.match_id,
        status=match_pb2.MATCH_STATUS_FINISHED if counts else match_pb2.MATCH_STATUS_ABANDONED,
    )
    for number, account in enumerate(pairing.accounts):
        seat = message.seats.add(account_id=account)
        if counts:
            seat.place, seat.won = result.places[number], result.won[number]
        if result.scores:
            seat.score = result.scores[number]
    return message


def standing_message(standing: Standing) -> pb.TournamentStanding:
    """Return a line of the standings."""
    return pb.TournamentStanding(
        place=standing.place,
        account_id=standing.account,
        name=standing.name,
        points=standing.points,
        matches=standing.matches,
        wins=standing.wins,
    )
