"""Watch: the updates of a cursor as messages.

All viewers of a kind get the same bytes of a revision, so these are cached with the entry or the
match: sending a command to a thousand spectators costs one message and a thousand writes. Only
the clocks, which say what is left now, are added to each message as it is sent.
"""

from __future__ import annotations

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, authorize, caller_or_spectator
from taflhall_service.app.errors import SecretInvalid
from taflhall_service.app.matches.clock_updates import resume_clocks
from taflhall_service.app.model.clocks import Clocks
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.spectating.spectators import DELAYED_VIEWER, Spectators
from taflhall_service.app.watching import cursor as watch
from taflhall_service.app.watching.presence import Attendance
from taflhall_service.observability.tracing import UNRECORDED, Span, Tracer
from taflhall_service.rpc.call import Call
from taflhall_service.rpc.live_feed import LiveFeed, LiveMessage
from taflhall_service.rpc.messages import STATUSES, Writer, delay_of, memoized
from taflhall_service.rpc.requests import language_of, seat_of
from taflhall_wire.field_bytes import each, nested, optional

_CAUSES = {
    watch.SnapshotCause.BEGIN: pb.SNAPSHOT_CAUSE_UNSPECIFIED,
    watch.SnapshotCause.COMPACTED: pb.SNAPSHOT_CAUSE_COMPACTED,
    watch.SnapshotCause.HISTORY_REWOUND: pb.SNAPSHOT_CAUSE_HISTORY_REWOUND,
    watch.SnapshotCause.SEATS_CHANGED: pb.SNAPSHOT_CAUSE_SEATS_CHANGED,
}
_ENDS = {
    watch.EndCause.FINISHED: pb.STREAM_END_CAUSE_FINISHED,
    watch.EndCause.DRAINING: pb.STREAM_END_CAUSE_DRAINING,
    watch.EndCause.ABANDONED: pb.STREAM_END_CAUSE_ABANDONED,
    watch.EndCause.REPLACED: pb.STREAM_END_CAUSE_REPLACED,
}


class Watching:
    """The options of a watch."""

    __slots__ = (
        "_game",
        "_origin",
        "_token_owner",
        "_writer",
        "id",
        "language",
        "seats",
        "viewer",
        "with_options",
        "with_view",
    )

    def __init__(
        self,
        writer: Writer,
        match: Match,
        viewer: int,
        seats: tuple[int, ...],
        with_view: bool,
        with_options: bool,
        token_owner: int,
        language: str,
    ) -> None:
        self._writer = writer
        self._game = match.game
        self._origin = match.origin
        self.id = match.id
        self.viewer = viewer
        self._token_owner = token_owner
        self.seats = seats if with_options else ()
        self.with_view = with_view
        self.with_options = with_options
        self.language = language

    def may(self, identity: Identity, match: Match) -> bool:
        """Return whether the watcher may still look from its seat, now that others sit there."""
        try:
            caller = authorize(Action.WATCH_MATCH, identity, match)
        except SecretInvalid:
            return False
        policy = match.origin.spectators.policy
        if (
            caller.is_spectator
            and policy != SpectatorPolicy.PUBLIC
            and self._token_owner != DELAYED_VIEWER
        ):
            return False  # they have left; a spectator sees it late, or not at all
        self.seats = caller.acting if self.with_options else ()
        return self.viewer == SPECTATOR or self.viewer in caller.seats

    def write(self, update: watch.Update, newest: bool = True) -> bytes:
        """Return *update* as this watcher may see it; the clocks only with the *newest* change."""
        if isinstance(update, watch.EntryAdded):
            timed = self._clocks(update.entry.clocks) if newest else b""
            return self._change(update) + timed
        if isinstance(update, watch.Snapshot):
            return self._snapshot(update)
        if isinstance(update, watch.Heartbeat):
            token = self._writer.token(self.id, self._token_owner, update.at)
            clocks = None if update.match is None else self._writer.clocks_of(update.match)
            return pb.WatchMatchResponse(
                revision=update.at.revision,
                resume_token=token,
                heartbeat=pb.StreamHeartbeat(clocks=clocks),
            ).SerializeToString()
        match = self._writer.match(update.match, self.language)
        return pb.WatchMatchResponse(
            revision=update.match.revision,
            resume_token=self._writer.token_now(update.match, self._token_owner),
            end=pb.StreamEnd(
                cause=_ENDS[update.cause],
                match=match if update.match.over else None,
            ),
        ).SerializeToString()

    def write_live(self, at: Version, message: LiveMessage) -> bytes:
        """Return presence or a reaction for a watcher who has been sent the match at *at*."""
        return pb.WatchMatchResponse(
            revision=at.revision,
            resume_token=self._writer.token(self.id, self._token_owner, at),
            presence=message if isinstance(message, match_pb2.MatchPresence) else None,
            reaction=message if isinstance(message, match_pb2.SeatReaction) else None,
        ).SerializeToString()

    def _clocks(self, clocks: Clocks | None) -> bytes:
        """Return *clocks* as part of a serialized change."""
        delay = delay_of(self._origin) if self._token_owner == DELAYED_VIEWER else 0
        message = self._writer.clocks(self._origin, clocks, delay)
        if message is None:
            return b""
        return pb.WatchMatchResponse(change=pb.MatchChange(clocks=message)).SerializeToString()

    def _snapshot(self, update: watch.Snapshot) -> bytes:
        match, writer, cause = update.match, self._writer, update.cause

        def build() -> bytes:
            response = pb.WatchMatchResponse(
                revision=match.revision,
                resume_token=writer.token_now(match, self._token_owner),
            )
            snapshot = pb.MatchSnapshot(
                match=writer.timeless(match, self.language), cause=_CAUSES[cause]
            )
            decisions = writer.decisions(match, self.seats, self.with_options, self.language)
            view = writer.view(match, self.viewer) if self.with_view else None
            return response.SerializeToString() + nested(
                pb.WatchMatchResponse.SNAPSHOT_FIELD_NUMBER,
                snapshot.SerializeToString()
                + each(pb.MatchSnapshot.DECISIONS_FIELD_NUMBER, decisions)
                + optional(pb.MatchSnapshot.VIEW_FIELD_NUMBER, view),
            )

        shown = (self._token_owner, self.seats, self.with_view, self.language)
        snapshot = memoized(match.memo, ("snapshot", *shown, cause), build)
        clocks = writer.clocks_of(match)
        if clocks is None:
            return snapshot
        timed = pb.MatchSnapshot(match=match_pb2.Match(clocks=clocks))
        return snapshot + pb.WatchMatchResponse(snapshot=timed).SerializeToString()

    def _change(self, update: watch.EntryAdded) -> bytes:
        entry, writer = update.entry, self._writer
        match = update.match if self.with_view or self.with_options else None

        def build() -> bytes:
            if match is None:
                decisions = writer.decisions_then(self._game, entry, self.language)
            else:
                decisions = writer.decisions(match, self.seats, self.with_options, self.language)
            at = Version(entry.revision, entry.head, update.seen_change_id)
            response = pb.WatchMatchResponse(
                revision=entry.revision, resume_token=writer.token(self.id, self._token_owner, at)
            )
            events = writer.events(self._game, entry, self.viewer, self.language)
            view = writer.view(match, self.viewer) if match and self.with_view else None
            return response.SerializeToString() + nested(
                pb.WatchMatchResponse.CHANGE_FIELD_NUMBER,
                pb.MatchChange(status=STATUSES[entry.status]).SerializeToString()
                + each(pb.MatchChange.EVENTS_FIELD_NUMBER, events)
                + each(pb.MatchChange.DECISIONS_FIELD_NUMBER, decisions)
                + optional(pb.MatchChange.VIEW_FIELD_NUMBER, view),
            )

        shown = (self._token_owner, self.seats, self.with_view, self.language)
        key = ("change", *shown, match is not None, update.seen_change_id)
        return memoized(entry.memo, key, build)


def _delivery(tracer: Tracer, update: watch.Update, match_id: str) -> Span:
    """Return the span of sending *update*, which is recorded for a change."""
    if isinstance(update, watch.EntryAdded):
        return tracer.delivery(update.entry, match_id)
    return UNRECORDED


async def follow(spectators: Spectators, writer: Writer, call: Call) -> None:
    """Serve WatchMatch."""
    request = call.request(pb.WatchMatchRequest)
    matches = spectators.matches
    match = await spectators.seen_by(call.identity, request.match_id)
    caller = authorize(Action.WATCH_MATCH, call.identity, match)
    viewer, token = caller.seat(match, seat_of(request)), request.resume_token
    owner = spectators.token_owner(match, caller, viewer)
    source = spectators.source(match, caller, token)
    wants = Watching(
        writer,
        match,
        viewer,
        caller.acting,
        request.with_view,
        request.with_options,
        owner,
        language_of(request),
    )
    if caller.seats:
        await resume_clocks(matches, match)
    is_live = source is matches
    with_feed = is_live and (request.with_presence or request.with_reactions)
    cursor = watch.Cursor(source, match, owner, with_feed)
    with_match = request.with_view or request.with_options
    seated = bool(caller.seats)
    change_id = match.version.change_id
    call.cursor, live = cursor, False
    attendance = Attendance(matches.presence, match.id)
    attendance.set(caller.acting)
    feed: LiveFeed | None = None
    with_presence, with_reactions = request.with_presence, request.with_reactions
    del request, match, caller
    try:
        updates = await cursor.open(token)
        if with_feed:
            feed = LiveFeed(
                matches,
                cursor.channel,
                with_presence=with_presence,
                with_reactions=with_reactions,
            )
        while True:
            if seated and cursor.change_id != change_id:
                change_id = cursor.change_id
                match = await cursor.match()
                if not wants.may(call.identity, match):
                    updates = [watch.End(watch.EndCause.REPLACED, match)]
                attendance.set(caller_or_spectator(call.identity, match).acting)
                del match
            for update in updates:
                with _delivery(matches.tracer, update, wants.id):
                    await call.write(wants.write(update, update is updates[-1]))
                if isinstance(update, watch.End):
                    call.ending = update.cause.name
                    return
            if live and updates and isinstance(updates[-1], watch.EntryAdded):
                call.observe_lag(await matches.store.now() - updates[-1].entry.at_ms)
            if feed is not None and feed.is_behind:
                for message in await feed.news(await cursor.match()):
                    await call.write(wants.write_live(cursor.at, message))
            updates = await cursor.next(matches.limits.heartbeat_seconds, with_match)
            live = is_live  # what comes now has just happened
    finally:
        attendance.set(())
        if feed is not None:
            feed.close()
        cursor.close()
