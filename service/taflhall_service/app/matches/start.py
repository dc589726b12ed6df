"""Start a match: set up its table."""

from __future__ import annotations

from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.meta_commands import pending, result
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import (
    authorize,
)
from taflhall_service.app.matches.repository import Matches, Prepared
from taflhall_service.app.matches.table_update import clock_fields, table_fields
from taflhall_service.app.model.clocks import Moment, begin
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.tokens import decision_id


class StartMatch:
    """The table is laid out."""

    fingerprint = bytes(16)

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def key(self, match: Match) -> str:
        authorize("MatchService.StartMatch", self._identity, match)
        return "start:"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        if match.status != OPEN:
            if match.table is None:
                raise errors.MatchOver(match_id=match.id)
            return None
        free = [str(seat) for seat, place in enumerate(match.seats) if place.free]
        if free:
            raise errors.NotAllSeated(free=",".join(free))
        after = match.seated(match.seats)
        set_up_table(after, now)
        fields = table_fields(after) | clock_fields(after, now)
        return Prepared(after, fields, [], [], b"")


async def start(matches: Matches, match_id: str, identity: Identity) -> Match | None:
    """Lay the table out; a match that has started is returned as it is."""
    done = await matches.act(match_id, StartMatch(identity))
    return done.match or await matches.spectators.visible_or_none_by_id(match_id, identity)


def set_up_table(match: Match, now: Moment) -> None:
    """Lay out the table of a match that is about to start."""
    table = match.game.new(match.setup, KeyedChance(match.origin.secret))
    match.table = table
    seats = pending(match.game, table)
    key, head = match.origin.chain, match.version.head
    match.pending = {seat: decision_id(key, head, 0, seat) for seat in seats}
    match.result = result(match.game, table)
    match.status = PLAYING if seats else FINISHED
    if match.origin.clock is not None:
        match.clocks = begin(match.origin.clock, len(match.seats), seats, now)
