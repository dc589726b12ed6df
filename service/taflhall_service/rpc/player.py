"""A bot's place in a match: it is prompted, answers, and is sent what concerns it.

A bot that decides again has a short path: its answer is read, committed and followed by the
next prompt within one task. The prompter prompts only when another caller has changed the
match. Both write under one lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

import grpc

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, CachedCaller
from taflhall_service.app.errors import (
    ApiKeyInvalid,
    Forbidden,
    IllegalCommand,
    Malformed,
    MatchNotFound,
    Refused,
    SecretInvalid,
)
from taflhall_service.app.matches.consent import needs_consent
from taflhall_service.app.matches.proposals import RespondToProposal, respond
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.submit import (
    HalfGiven,
    SubmitAnswers,
    decode_outcome,
    half_given,
    refusal_in,
)
from taflhall_service.app.matches.transaction import Completion, carry_out
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import ABANDONED, Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import ResumePoint, matches_history, read_token
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.entry_log import EntryLog, LogGap
from taflhall_service.app.watching.presence import Attendance
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.live_feed import LiveFeed
from taflhall_service.rpc.messages import Writer, texts_in
from taflhall_service.rpc.requests import answers_of, fingerprint, language_of
from taflhall_service.rpc.status import code_of, info_of
from taflhall_wire.field_bytes import each, nested, number, optional
from taflhall_wire.outcomes import refusal_to

Players = WeakValueDictionary[tuple[str, tuple[int, ...]], "Player"]
"""The player of each match's seats on this server: one at a time."""

_CAUSES = {
    LogGap.REWOUND: pb.SNAPSHOT_CAUSE_HISTORY_REWOUND,
    LogGap.COMPACTED: pb.SNAPSHOT_CAUSE_COMPACTED,
}
_PROMPT = pb.PlayResponse.PROMPT_FIELD_NUMBER
_REVISION = pb.PlayResponse.REVISION_FIELD_NUMBER
_DECISION = pb.PlayPrompt.DECISION_FIELD_NUMBER
_HOLDS_NO_SEAT = (Forbidden, SecretInvalid)
"""Raised for a caller who held a seat when the stream began and no longer holds one."""


class PlaySink(Protocol):
    """Where the messages of a player go."""

    async def write(self, message: bytes) -> None:
        """Write a serialized ``PlayResponse`` as soon as there is room for it."""
        ...


class PlayWants(NamedTuple):
    """What a bot wants to be sent, and how its proposals are answered."""

    with_view: bool
    with_events: bool
    language: str
    proposals: pb.ProposalPolicy.ValueType
    with_presence: bool
    with_reactions: bool

    @classmethod
    def of(cls, enter: pb.PlayEnter | pb.PlayAllEnter) -> PlayWants:
        """Return what *enter* asks for, or raise ``Malformed``."""
        if enter.proposals not in pb.ProposalPolicy.values():
            raise Malformed(field="enter.proposals", expected="a ProposalPolicy")
        return cls(
            enter.with_view,
            enter.with_events,
            language_of(enter),
            enter.proposals,
            enter.with_presence,
            enter.with_reactions,
        )


class Player:
    """One bot's place in a match.

    A silence of *heartbeat_seconds* is broken by a heartbeat. 0: the stream is shared with other
    players, and its owner sends heartbeats and says when the server is draining.
    """

    def __init__(
        self,
        matches: Matches,
        writer: Writer,
        meter: Meter,
        sink: PlaySink,
        identity: Identity,
        match: Match,
        seats: tuple[int, ...],
        wants: PlayWants,
        heartbeat_seconds: float = 0.0,
    ) -> None:
        self._matches = matches
        self._writer = writer
        self._meter = meter
        self._sink = sink
        self._identity = identity
        self._claim = CachedCaller(Action.PLAY, identity)
        self._match = match
        self._seats = seats
        self._wants = wants
        self._with_view = wants.with_view
        self._with_events = wants.with_events
        self._language = wants.language
        self._proposals = wants.proposals
        self._attendance = Attendance(matches.presence, match.id)
        self._feed: LiveFeed | None = None
        self._heartbeat_seconds = heartbeat_seconds
        self.end_cause = pb.STREAM_END_CAUSE_UNSPECIFIED
        """Why the bot was sent the end of its stream; unspecified if it was not."""
        self._proposed = ""
        """The id of the proposal that was answered for the bot last."""
        self._prompted = ""
        """The id of the decision that the bot has been asked last."""
        self._sent_revision = match.revision
        """The revision up to which the bot has been sent, or will be sent, the changes."""
        self._news: list[Entry] = []
        """The changes that the next prompt brings."""
        self._cause = pb.SNAPSHOT_CAUSE_UNSPECIFIED
        """Why the next prompt does not bring all that was asked for."""
        self._writing = asyncio.Lock()
        self._woken = asyncio.Event()
        self._committing = False
        self._closed = False
        self._quiet = True  # a stream with nothing to say begins with a heartbeat
        self._heartbeat_due = False
        self.replaced = False
        """Another stream has taken the seats over."""
        self._channel: Channel | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def resume(self, token: str) -> None:
        """Send the events after *token* too, or say in the first prompt why they cannot be sent.

        Raise ``Malformed`` if it is not a token of one of the bot's seats in this match.
        """
        match, matches = self._match, self._matches
        owner, at = self._resume_point(token)

        def proves(head: bytes) -> bool:
            return matches_history(matches.server_key, match.id, owner, at, head)

        if at.revision > match.revision:
            self._cause = pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
            return
        found = await EntryLog(matches.store, match).after_revision(at.revision, proves, None)
        if isinstance(found, LogGap):
            self._cause = _CAUSES[found]
            return
        self._news += [entry for entry in found.entries if entry.revision <= match.revision]

    def _resume_point(self, token: str) -> tuple[int, ResumePoint]:
        """Return whose *token* is, and its resume point."""
        *others, last = self._seats
        for seat in others:
            with suppress(Malformed):
                return seat, read_token(self._matches.server_key, self._match.id, seat, token)
        return last, read_token(self._matches.server_key, self._match.id, last, token)

    async def prompter(self) -> None:
        """Prompt whenever another caller's command leads to a decision of the bot."""
        self._channel = self._matches.hub.open(self._match)
        self._channel.callbacks.append(self.wake)
        self._attendance.set(self._seats)
        if self._wants.with_presence or self._wants.with_reactions:
            self._feed = LiveFeed(
                self._matches,
                self._channel,
                with_presence=self._wants.with_presence,
                with_reactions=self._wants.with_reactions,
            )
        if self._heartbeat_seconds:
            self._tick()
        self._woken.set()
        while True:
            await self._woken.wait()
            self._woken.clear()
            async with self._writing:
                if await self._update(self._channel):
                    return

    def wake(self) -> None:
        """Look at the match again, unless what has changed it is an answer of this bot."""
        channel = self._channel
        hub = self._matches.hub
        if channel is None:
            return
        if self._feed is not None and self._feed.is_behind:
            self._woken.set()
        if self._committing:
            return
        if channel.version != self._match.version or channel.deleted or hub.draining:
            self._woken.set()

    def replace(self) -> None:
        """End this player, since another stream plays its seats."""
        self.replaced = True
        self._woken.set()

    def close(self, answering: asyncio.Task[None] | None) -> None:
        """Let go of the match; an answer that is being committed is committed.

        *answering* is the task that calls :meth:`answer`.
        """
        self._closed = True
        if answering is not None and self._committing:
            self._matches.track(answering)
        elif answering is not None:
            answering.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self._attendance.set(())
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        if self._channel is not None:
            self._channel.callbacks.remove(self.wake)
            self._matches.hub.close(self._channel)
            self._channel = None

    def _tick(self) -> None:
        if self._quiet:
            self._heartbeat_due = True
            self._woken.set()
        self._quiet = True
        loop = asyncio.get_running_loop()  # the second tick after a message breaks the silence
        self._timer = loop.call_later(self._heartbeat_seconds / 2, self._tick)

    async def _update(self, channel: Channel) -> bool:
        """Write what is new; return whether that was the last message."""
        if channel.deleted:
            raise MatchNotFound(match_id=self._match.id)
        if self.replaced:
            await self._send(end=pb.StreamEnd(cause=pb.STREAM_END_CAUSE_REPLACED))
            return True
        match = await self._matches.watched(channel)
        self._seats = self._acting(match)
        self._attendance.set(self._seats)
        if not self._seats:
            await self._send(end=pb.StreamEnd(cause=pb.STREAM_END_CAUSE_REPLACED))
            return True
        await self._catch_up(channel, match)
        self._match = match
        self._take_proposal(match)
        await self._prompt()
        if self._feed is not None and self._feed.is_behind:
            for message in await self._feed.news(match):
                if isinstance(message, match_pb2.MatchPresence):
                    await self._send(presence=message)
                else:
                    await self._send(reaction=message)
        if match.over:
            abandonment = match.status == ABANDONED
            cause = pb.STREAM_END_CAUSE_ABANDONED if abandonment else pb.STREAM_END_CAUSE_FINISHED
            over = self._writer.match(match, self._language)
            end = pb.StreamEnd(cause=cause, match=over)
            news = self._take_news(self._seats[0])
            end.MergeFromString(each(pb.StreamEnd.EVENTS_FIELD_NUMBER, news))
            await self._send(end=end)
            return True
        if self._heartbeat_seconds and self._matches.hub.draining:
            await self._send(end=pb.StreamEnd(cause=pb.STREAM_END_CAUSE_DRAINING))
            return True
        if self._heartbeat_due:
            self._heartbeat_due = False
            if self._quiet:
                clocks = self._writer.clocks_of(match)
                await self._send(heartbeat=pb.StreamHeartbeat(clocks=clocks))
        waits = self._feed is not None or match.decides(self._seats) is None
        if waits and not channel.listening:
            await self._matches.hub.listen(channel)
            self._woken.set()  # earlier changes sent no notification
        return False

    def _acting(self, match: Match) -> tuple[int, ...]:
        """Return the seats that the bot answers for; none if all were delegated or reclaimed."""
        try:
            return self._claim.admit(match).acting
        except _HOLDS_NO_SEAT:
            return ()

    def _take_proposal(self, match: Match) -> None:
        """Begin to answer what others propose, as the bot said that it would."""
        proposal = match.proposal
        if not self._proposals or proposal is None or proposal.id == self._proposed:
            return
        self._proposed = proposal.id
        own = self._claim.admit(match).owned
        if needs_consent(match, proposal, own):
            self._matches.track(asyncio.create_task(self._consent(match.id, own[0], proposal.id)))

    async def _consent(self, match_id: str, seat: int, proposal_id: str) -> None:
        agree = self._proposals == pb.PROPOSAL_POLICY_AGREE
        request = pb.RespondToProposalRequest(
            match_id=match_id, proposal_id=proposal_id, agree=agree
        )
        response = RespondToProposal(
            self._identity,
            seat,
            proposal_id,
            agree,
            f"play-{proposal_id}",
            fingerprint("RespondToProposal", request),
            self._matches.limits,
        )
        with suppress(Refused):  # it may have been settled, or ended, meanwhile
            await respond(self._matches, match_id, response)

    async def _catch_up(self, channel: Channel, match: Match) -> None:
        if not self._with_events or match.revision <= self._sent_revision:
            return
        entries = channel.after(self._sent_revision)
        if entries is None:
            store = self._matches.store
            found = await store.entries(match.id, self._sent_revision + 1, match.revision)
            entries = [decode_entry(match.game, match.origin, entry) for entry in found]
        self._note([entry for entry in entries if entry.revision <= match.revision])

    @property
    def closed(self) -> bool:
        """Whether the player has let go of the match."""
        return self._closed

    async def answer(self, answer: pb.PlayAnswer) -> None:
        """Take an answer of the bot; raise only what ends its stream."""
        self._committing = True
        try:
            request = self._request(answer)
            with self._matches.tracer.answer():
                done = await carry_out(self._matches, self._match.id, request)
        except _HOLDS_NO_SEAT:
            self._woken.set()
            return
        except Refused as refused:
            if ends_the_stream(refused):
                raise
            async with self._writing:
                await self._refuse(answer, refused)
            self._woken.set()
            return
        finally:
            self._committing = False
        if self._closed:
            return
        async with self._writing:
            self._took(done)
            if done.replayed:
                self._prompted = ""  # the bot may not have got the prompt that followed
            outcome = None if done.replayed else decode_outcome(done.outcome)
            refusal = None if outcome is None else refusal_in(outcome)
            if outcome is not None and refusal is not None:
                illegal = IllegalCommand(self._match.game, refusal, outcome.applied)
                await self._refuse(answer, illegal)
            if outcome is not None and outcome.taken and done.match is not None:
                await self._prompt_step(half_given(done.match, outcome.seat, outcome.taken))
            elif done.match is self._match:
                await self._prompt()
        if done.match is None or self._match.decides(self._seats) is None:
            self._woken.set()  # another seat decides, or the match is over
        else:
            self.wake()

    def _request(self, answer: pb.PlayAnswer) -> SubmitAnswers:
        limits, request_id = self._matches.limits, answer.request_id
        return SubmitAnswers(
            self._claim,
            answer.decision_id,
            limits.name("request_id", request_id) if request_id else answer.decision_id,
            answers_of(answer.answers, limits),
            fingerprint("Play", answer),
            limits.match_commands,
        )

    def _took(self, done: Completion) -> None:
        match = done.match
        if match is None:
            return
        self._meter.applied(match.game.id, len(done.entries))
        if done.entries and done.entries[0].revision == self._sent_revision + 1:
            self._note(done.entries)
        if match.revision > self._match.revision:
            self._match = match

    def _note(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.revision > self._sent_revision:
                self._sent_revision = entry.revision
                if self._with_events:
                    self._news.append(entry)

    async def _refuse(self, answer: pb.PlayAnswer, refused: Refused) -> None:
        info = info_of(refused)
        rejection = pb.PlayRejection(
            decision_id=answer.decision_id, reason=info.reason, metadata=info.metadata
        )
        if isinstance(refused, IllegalCommand):
            rejection.refusal.CopyFrom(
                refusal_to(refused.refusal, texts_in(refused.game, self._language))
            )
        await self._send(rejection=rejection)

    async def _prompt(self) -> None:
        """Ask the bot, if a decision of its seats is pending that it has not been asked."""
        match, writer, language = self._match, self._writer, self._language
        seat = match.decides(self._seats)
        if seat is None or match.pending[seat] == self._prompted:
            return
        self._prompted = match.pending[seat]
        view = writer.view(match, seat) if self._with_view else None
        await self._ask(seat, writer.decision(match, seat, True, language), view)

    async def _prompt_step(self, draft: HalfGiven) -> None:
        """Ask the bot for the next step of an answer that it has begun."""
        game, writer = self._match.game, self._writer
        view = writer.draft_view(game, draft) if self._with_view else None
        await self._ask(draft.seat, writer.draft(game, draft, True, self._language), view)

    async def _ask(self, seat: int, decision: bytes, view: bytes | None) -> None:
        match, writer = self._match, self._writer
        prompt = nested(_DECISION, decision)
        if self._with_view or self._with_events or match.clocks is not None:
            cause, self._cause = self._cause, pb.SNAPSHOT_CAUSE_UNSPECIFIED
            token = writer.token_now(match, self._seats[0]) if self._with_events else ""
            prompt += (
                pb.PlayPrompt(
                    clocks=writer.clocks_of(match), resume_token=token, cause=cause
                ).SerializeToString()
                + each(pb.PlayPrompt.EVENTS_FIELD_NUMBER, self._take_news(seat))
                + optional(pb.PlayPrompt.VIEW_FIELD_NUMBER, view)
            )
        self._quiet = False
        await self._sink.write(number(_REVISION, match.revision) + nested(_PROMPT, prompt))

    def _take_news(self, seat: int) -> list[bytes]:
        """Return the events that the bot has not been sent, as *seat* may know them."""
        news, self._news = self._news, []
        game, language = self._match.game, self._language
        return [e for entry in news for e in self._writer.events(game, entry, seat, language)]

    async def _send(
        self,
        rejection: pb.PlayRejection | None = None,
        heartbeat: pb.StreamHeartbeat | None = None,
        end: pb.StreamEnd | None = None,
        presence: match_pb2.MatchPresence | None = None,
        reaction: match_pb2.SeatReaction | None = None,
    ) -> None:
        response = pb.PlayResponse(
            revision=self._match.revision,
            rejection=rejection,
            heartbeat=heartbeat,
            end=end,
            presence=presence,
            reaction=reaction,
        )
        self._quiet = False
        if end is not None:
            self.end_cause = end.cause
        await self._sink.write(response.SerializeToString())


def ends_the_stream(refused: Refused) -> bool:
    """Return whether a refusal ends the stream; all others are sent, and the prompt stays valid."""
    return isinstance(refused, ApiKeyInvalid) or code_of(refused) is grpc.StatusCode.UNAVAILABLE
