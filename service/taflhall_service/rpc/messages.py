"""Matches and what happens in them, as messages.

What all viewers of a revision share is written once and kept with the match or the entry. Views,
decisions and events are bytes, which are put into a response as they are
(:mod:`taflhall_wire.field_bytes`); matches are messages.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from taflhall.v1 import match_pb2, table_pb2
from taflhall_engine.kernel.agenda import Event, Waiting, waiting
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.record import secret_digest
from taflhall_service.app.matches.consent import missing_consents
from taflhall_service.app.matches.store_clock import StoreClock
from taflhall_service.app.matches.submit import HalfGiven
from taflhall_service.app.model.clocks import Clocks, TimeControl, deadline, remaining
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Entry, Origin
from taflhall_service.app.model.tokens import ResumePoint, resume_token
from taflhall_service.app.ports.match_store import Version
from taflhall_service.app.spectating.delayed_match import MARGIN_MS
from taflhall_wire.outcomes import result_to
from taflhall_wire.texts import Texts, texts_for
from taflhall_wire.translate import join_view, translator

V = TypeVar("V")

STATUSES = {
    OPEN: match_pb2.MATCH_STATUS_OPEN,
    PLAYING: match_pb2.MATCH_STATUS_PLAYING,
    FINISHED: match_pb2.MATCH_STATUS_FINISHED,
    ABANDONED: match_pb2.MATCH_STATUS_ABANDONED,
}


class Writer:
    """Builds messages; *key* is the servers' shared secret, for resume tokens."""

    def __init__(self, key: bytes, store_clock: StoreClock) -> None:
        self._key = key
        self._store_clock = store_clock

    def shown(self, match: Match | None, language: str = "") -> match_pb2.Match | None:
        """Return the caller's view of a match, ``None`` if they have none."""
        return None if match is None else self.match(match, language)

    def match(self, match: Match, language: str = "") -> match_pb2.Match:
        """Return what everybody may know of a match. It may be shared: do not change it."""
        message, clocks = self.timeless(match, language), self.clocks_of(match)
        if clocks is None:
            return message
        timed = match_pb2.Match(clocks=clocks)
        timed.MergeFrom(message)
        return timed

    def timeless(self, match: Match, language: str = "") -> match_pb2.Match:
        """Return the message of a match without its clocks. It is shared: do not change it."""
        spoken = language if match.result is not None else ""  # only a result has texts
        return memoized(match.memo, ("match", spoken), lambda: self._match(match, spoken))

    def clocks_of(self, match: Match) -> match_pb2.MatchClocks | None:
        """Return the clocks of a match as they run now; ``None`` if it has none."""
        return self.clocks(match.origin, match.clocks, delay_of(match.origin) if match.as_of else 0)

    def _match(self, match: Match, language: str) -> match_pb2.Match:
        origin = match.origin
        message = match_pb2.Match(
            id=match.id,
            game=match.game.id,
            setup=translator(match.game).setup_to(match.setup),
            rules_version=origin.rules_version,
            data_digest=bytes.fromhex(origin.data_digest),
            status=STATUSES[match.status],
            revision=match.revision,
            secret_digest=bytes.fromhex(secret_digest(origin.secret)),
            create_time=timestamp(origin.created_ms),
            update_time=timestamp(match.updated_ms or origin.created_ms),
            start_time=timestamp(match.started_ms),
            end_time=timestamp(match.ended_ms),
            title=origin.title,
            creator_account_id=origin.creator_account,
            labels=dict(origin.listing.labels),
            unlisted=origin.listing.unlisted,
            invitation_required=origin.listing.invitation_required,
            next_match_id=match.next_match,
            previous_match_id=origin.previous_match,
        )
        for number, seat in enumerate(match.seats):
            message.seats.add(
                index=number,
                name=seat.acting.name,
                kind=match_pb2.SeatKind.ValueType(seat.acting.kind),
                resigned=number in match.withdrawn.seats,
                deputy=seat.deputy is not None,
                stand_in=seat.stand_in,
                account_id=seat.account,
                invited_account_id=seat.invited,
                bot_id=seat.bot,
            )
        spectators = origin.spectators
        message.spectators.policy = match_pb2.SpectatorPolicy.ValueType(spectators.policy)
        if spectators.delay_ms:
            message.spectators.delay.FromMilliseconds(spectators.delay_ms)
        if origin.clock is not None:
            message.time_control.CopyFrom(clock_settings(origin.clock))
        proposal = match.proposal
        if proposal is not None:
            proposed = message.proposal
            proposed.id, proposed.seat = proposal.id, proposal.seat
            if proposal.back:
                proposed.undo.to_revision = proposal.to_revision
            else:
                proposed.abandon.SetInParent()
            proposed.agreed.extend(proposal.agreed)
            proposed.wanted.extend(missing_consents(match, proposal.agreed))
        if match.over:
            message.secret = origin.secret
            if match.result is not None:
                message.result.CopyFrom(result_of(match, language))
        return message

    def clocks(
        self, origin: Origin, clocks: Clocks | None, delay_ms: int = 0
    ) -> match_pb2.MatchClocks | None:
        """Return the clocks of all seats as they run now, or *delay_ms* ago; ``None`` without."""
        terms = origin.clock
        if terms is None or clocks is None:
            return None
        now = self._store_clock.now(delay_ms)
        message = match_pb2.MatchClocks(read_time=timestamp(now.ms))
        for seat, clock in enumerate(clocks.seats):
            end = 0 if clocks.paused else deadline(terms, clocks, seat, now.outages)
            message.seats.add(
                seat=seat,
                bank=duration(clock.bank),
                deadline=timestamp(end),
                paused=bool(clocks.paused),
                stand_in=clock.stand_in,
                remaining=duration(remaining(terms, clocks, seat, now)),
            )
        return message

    def view(self, match: Match, seat: int) -> bytes | None:
        """Return what *seat* may know of the table; ``None`` before the start."""
        table = match.table
        if table is None:
            return None
        game, words = match.game, translator(match.game)

        def public() -> bytes:
            return words.public_bytes(game.public(table))

        def view() -> bytes:
            own = words.private_bytes(game.private(table, seat))
            return join_view(seat, memoized(match.memo, "public", public), own)

        return memoized(match.memo, ("view", seat), view)

    def decisions(
        self, match: Match, seats: Iterable[int], with_options: bool, language: str = ""
    ) -> list[bytes]:
        """Return the pending decisions; those of *seats* with their options if asked for."""
        shown = frozenset(seats) if with_options else frozenset()
        return [self.decision(match, seat, seat in shown, language) for seat in match.pending]

    def decision(self, match: Match, seat: int, with_options: bool, language: str = "") -> bytes:
        """Return the pending decision of *seat*; texts go by its view if it has options."""

        def build() -> bytes:
            step = match.step
            assert step is not None
            texts = texts_in(match.game, language)
            options = match.options(seat) if with_options else None
            view = match.game.view(match.table, seat) if texts and with_options else None
            words, name = translator(match.game), match.pending[seat]
            return words.decision_bytes(step, seat, name, options, texts, view)

        return memoized(match.memo, ("decision", seat, with_options, language), build)

    def draft(self, game: Game, draft: HalfGiven, with_options: bool, language: str = "") -> bytes:
        """Return the next decision of a half-given answer."""
        step = waiting(draft.table)
        assert step is not None
        words, texts = translator(game), texts_in(game, language)
        seat, name = draft.seat, draft.decision_id
        view = game.view(draft.table, seat) if texts else None
        options = draft.options if with_options else None
        return words.decision_bytes(step, seat, name, options, texts, view)

    def draft_view(self, game: Game, draft: HalfGiven) -> bytes:
        """Return what its seat sees of the table after the steps of a half-given answer."""
        return translator(game).view_bytes(game.view(draft.table, draft.seat))

    def decisions_then(self, game: Game, entry: Entry, language: str = "") -> list[bytes]:
        """Return the decisions that were pending after *entry*, without options."""
        return memoized(
            entry.memo,
            ("decisions", language),
            lambda: pending_decisions(game, entry.step, entry.pending, language),
        )

    def events(self, game: Game, entry: Entry, viewer: int, language: str = "") -> list[bytes]:
        """Return what *viewer* may know of the events of *entry*."""
        return memoized(
            entry.memo,
            ("events", viewer, language),
            lambda: events_seen(game, entry.events, viewer, language),
        )

    def token(self, match_id: str, viewer: int, at: Version) -> str:
        """Return the resume token of *viewer*, who has been sent everything up to there."""
        place = ResumePoint(at.revision, at.nonce)
        return resume_token(self._key, match_id, viewer, place, at.head)

    def token_now(self, match: Match, viewer: int) -> str:
        """Return the resume token of *viewer* at the current match."""
        return self.token(match.id, viewer, match.version)


def memoized(memo: dict[Hashable, Any], key: Hashable, build: Callable[[], V]) -> V:
    """Return what *memo* holds under *key*, built by *build* if it is missing."""
    found: V | None = memo.get(key)
    if found is None:
        found = memo[key] = build()
    return found


def timestamp(ms: int) -> Timestamp | None:
    """Return a time in milliseconds since 1970; ``None`` for 0."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000) if ms else None


def duration(ms: int) -> Duration:
    """Return a length of time in milliseconds."""
    return Duration(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def delay_of(origin: Origin) -> int:
    """Return by how many milliseconds delayed spectators see a match late."""
    return origin.spectators.delay_ms + MARGIN_MS


def clock_settings(terms: TimeControl) -> match_pb2.TimeControl:
    """Return how much time the seats of a match have."""
    message = match_pb2.TimeControl(on_timeout=match_pb2.TimeoutPolicy.ValueType(terms.policy))
    message.base.FromMilliseconds(terms.base)
    message.increment.FromMilliseconds(terms.increment)
    message.per_decision.FromMilliseconds(terms.per_decision)
    return message


def events_seen(
    game: Game, events: Iterable[Event], viewer: int, language: str = ""
) -> list[bytes]:
    """Return what *viewer* (a seat, or the spectator) may know of *events*."""
    words, texts = translator(game), texts_in(game, language)
    seen = [event.seen_by(viewer) for event in events]
    return [words.event_bytes(event, texts) for event in seen if event is not None]


def pending_decisions(
    game: Game, step: Waiting[Any] | None, pending: Mapping[int, str], language: str = ""
) -> list[bytes]:
    """Return the decisions that are pending at *step*, without options."""
    if step is None:
        return []
    words, texts = translator(game), texts_in(game, language)
    return [words.decision_bytes(step, seat, name, None, texts) for seat, name in pending.items()]


def result_of(match: Match, language: str) -> table_pb2.GameResult:
    """Return the result of a match that is over."""
    assert match.result is not None
    lines = match.game.score_lines(match.table) if match.table is not None else []
    return result_to(match.game, match.result, lines, texts_in(match.game, language))


def texts_in(game: Game, language: str) -> Texts | None:
    """Return the texts of *game* in *language*; ``None`` if no language is asked for."""
    return texts_for(game, language) if language else None
