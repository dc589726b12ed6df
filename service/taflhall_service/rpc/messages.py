"""Matches and what happens in them, as messages.

What everybody who looks at the same revision gets is built once: it is kept with the match or
the entry it tells of. The public part of a view is the dearest of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from taflhall.v1 import match_pb2, table_pb2
from taflhall_engine.kernel.agenda import Event, Waiting
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.record import secret_digest
from taflhall_service.app.matches.proposals import wanted
from taflhall_service.app.matches.store_clock import StoreClock
from taflhall_service.app.model.clocks import Clocks, TimeControl, deadline
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import ResumePoint, resume_token
from taflhall_service.app.ports.match_store import Version
from taflhall_wire.translate import Translator, result_to, translator

STATUSES = {
    OPEN: match_pb2.MATCH_STATUS_OPEN,
    PLAYING: match_pb2.MATCH_STATUS_PLAYING,
    FINISHED: match_pb2.MATCH_STATUS_FINISHED,
    ABANDONED: match_pb2.MATCH_STATUS_ABANDONED,
}


class Writer:
    """Builds messages; *key* is the servers' shared secret, for resume tokens."""

    def __init__(self, key: bytes, store_clock: StoreClock | None = None) -> None:
        self._key = key
        self._store_clock = store_clock

    def shown(self, match: Match | None) -> match_pb2.Match | None:
        """Return what the caller may know of a match, ``None`` if nothing."""
        return None if match is None else self.match(match)

    def match(self, match: Match) -> match_pb2.Match:
        """Return what everybody may know of a match. It is shared: do not change it."""
        message: match_pb2.Match | None = match.kept.get("match")
        if message is None:
            message = match.kept["match"] = self._match(match)
        return message

    def _match(self, match: Match) -> match_pb2.Match:
        origin = match.origin
        created = Timestamp()
        created.FromMilliseconds(origin.created_ms)
        message = match_pb2.Match(
            id=match.id,
            game=match.game.id,
            setup=translator(match.game).setup_to(match.setup),
            rules_version=origin.rules_version,
            data_digest=bytes.fromhex(origin.data_digest),
            status=STATUSES[match.status],
            revision=match.revision,
            secret_digest=bytes.fromhex(secret_digest(origin.secret)),
            create_time=created,
            title=origin.title,
        )
        for number, place in enumerate(match.seats):
            message.seats.add(
                index=number,
                name=place.actor.name,
                kind=match_pb2.SeatKind.ValueType(place.actor.kind),
                resigned=number in match.withdrawn.seats,
                deputy=place.deputy is not None,
                stand_in=place.stand_in,
                account_id=place.account,
            )
        spectators = origin.spectators
        message.spectators.policy = match_pb2.SpectatorPolicy.ValueType(spectators.policy)
        if spectators.delay_ms:
            message.spectators.delay.FromMilliseconds(spectators.delay_ms)
        if origin.clock is not None:
            message.time_control.CopyFrom(clock_settings(origin.clock))
            message.clocks.extend(self.clocks(origin.clock, match.clocks, match.as_of))
        proposal = match.proposal
        if proposal is not None:
            told = message.proposal
            told.id, told.seat = proposal.id, proposal.seat
            if proposal.back:
                told.undo.to_revision = proposal.to_revision
            else:
                told.abandon.SetInParent()
            told.agreed.extend(proposal.agreed)
            told.wanted.extend(wanted(match, proposal.agreed))
        if match.over:
            message.secret = origin.secret
            if match.result is not None:
                message.result.CopyFrom(result_to(match.result))
        return message

    def clocks(
        self, terms: TimeControl | None, clocks: Clocks | None, as_of: int = 0
    ) -> list[match_pb2.SeatClock]:
        """Return the clocks of all seats; nothing if the match has none.

        With *as_of* they are told as if nothing were known of what has been since.
        """
        if terms is None or clocks is None:
            return []
        outages = self._store_clock.outages if self._store_clock is not None else ()
        if as_of:
            outages = tuple(outage for outage in outages if outage[1] <= as_of)
        told = []
        for seat, clock in enumerate(clocks.seats):
            message = match_pb2.SeatClock(
                seat=seat, paused=bool(clocks.paused), stand_in=clock.stand_in
            )
            message.bank.FromMilliseconds(clock.bank)
            end = 0 if clocks.paused else deadline(terms, clocks, seat, outages)
            if end:
                message.deadline.FromMilliseconds(end)
            told.append(message)
        return told

    def view(self, match: Match, seat: int) -> table_pb2.View | None:
        """Return what *seat* may know of the table; ``None`` before the start."""
        if match.table is None:
            return None
        kept: table_pb2.View | None = match.kept.get(("view", seat))
        if kept is None:
            words = translator(match.game)
            public = match.kept.get("public")
            if public is None:
                public = match.kept["public"] = words.public_to(match.game.public(match.table))
            private = words.private_to(match.game.private(match.table, seat))
            kept = table_pb2.View(seat=seat, shared=public, own=private)
            match.kept["view", seat] = kept
        return kept

    def decisions(
        self, match: Match, seats: Iterable[int], with_options: bool
    ) -> list[table_pb2.Decision]:
        """Return the pending decisions; those of *seats* with their options if asked for."""
        step = match.step
        if step is None:
            return []
        shown = frozenset(seats) if with_options else frozenset()
        return [self.decision(match, step, seat, seat in shown) for seat in match.pending]

    def decision(
        self, match: Match, step: Waiting[Any], seat: int, with_options: bool
    ) -> table_pb2.Decision:
        """Return the pending decision of *seat*."""
        key = ("decision", seat, with_options)
        kept: table_pb2.Decision | None = match.kept.get(key)
        if kept is None:
            options = match.options(seat) if with_options else None
            words = translator(match.game)
            kept = words.decision_to(step, seat, match.pending[seat], options)
            match.kept[key] = kept
        return kept

    def decision_bytes(self, match: Match, seat: int, with_options: bool) -> bytes:
        """Return the pending decision of *seat*, serialized."""
        key = ("bytes", seat, with_options)
        kept: bytes | None = match.kept.get(key)
        if kept is None:
            step = match.step
            assert step is not None
            words, name = translator(match.game), match.pending[seat]
            if with_options:
                kept = words.decision_bytes(step, seat, name, match.options(seat))
            else:
                kept = words.decision_to(step, seat, name, None).SerializeToString()
            match.kept[key] = kept
        return kept

    def decisions_then(self, game: Game, entry: Entry) -> list[table_pb2.Decision]:
        """Return the decisions that were pending after *entry*, without options."""
        kept: list[table_pb2.Decision] | None = entry.kept.get("decisions")
        if kept is None:
            kept = pending_decisions(translator(game), entry.step, entry.pending)
            entry.kept["decisions"] = kept
        return kept

    def events(self, game: Game, entry: Entry, viewer: int) -> list[table_pb2.Event]:
        """Return what *viewer* may know of what *entry* told."""
        kept: list[table_pb2.Event] | None = entry.kept.get(("events", viewer))
        if kept is None:
            kept = events_seen(translator(game), entry.events, viewer)
            entry.kept["events", viewer] = kept
        return kept

    def token(self, match_id: str, viewer: int, at: Version) -> str:
        """Return where *viewer* may go on who has been told of everything up to there."""
        place = ResumePoint(at.revision, at.nonce)
        return resume_token(self._key, match_id, viewer, place, at.head)

    def token_now(self, match: Match, viewer: int) -> str:
        """Return where *viewer* may go on from the match as it is."""
        return self.token(match.id, viewer, match.version)


def clock_settings(terms: TimeControl) -> match_pb2.TimeControl:
    """Return how much time the seats of a match have."""
    message = match_pb2.TimeControl(on_timeout=match_pb2.TimeoutPolicy.ValueType(terms.policy))
    message.base.FromMilliseconds(terms.base)
    message.increment.FromMilliseconds(terms.increment)
    message.per_decision.FromMilliseconds(terms.per_decision)
    return message


def events_seen(words: Translator, events: Iterable[Event], viewer: int) -> list[table_pb2.Event]:
    """Return what *viewer* (a seat, or the spectator) may know of *events*."""
    seen = [event.seen_by(viewer) for event in events]
    return [words.event_to(event) for event in seen if event is not None]


def pending_decisions(
    words: Translator, step: Waiting[Any] | None, pending: dict[int, str]
) -> list[table_pb2.Decision]:
    """Return the decisions that are pending at *step*, without options."""
    if step is None:
        return []
    return [words.decision_to(step, seat, name, None) for seat, name in pending.items()]
