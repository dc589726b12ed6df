"""MatchService: every method reads its request, calls a use case and writes the answer."""

from __future__ import annotations

from itertools import chain
from typing import Final

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.meta_commands import MetaCommand
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, CachedCaller, caller_or_spectator
from taflhall_service.app.errors import (
    AlreadyStarted,
    JoinCodeInvalid,
    Malformed,
    MatchNotFound,
    MatchOver,
)
from taflhall_service.app.matches import seats
from taflhall_service.app.matches.abandon import AbandonMatch, abandon
from taflhall_service.app.matches.create import CreateMatch, create
from taflhall_service.app.matches.history import record_file
from taflhall_service.app.matches.indexes import match_with_code
from taflhall_service.app.matches.join import JoinedMatch, JoinMatch, join
from taflhall_service.app.matches.proposals import (
    ProposeToPlayers,
    RespondToProposal,
    Undo,
    propose,
    respond,
)
from taflhall_service.app.matches.reactions import ReactionLimiter, send_reaction
from taflhall_service.app.matches.start import StartMatch
from taflhall_service.app.matches.submit import (
    ResignSeat,
    SubmitAnswers,
    SubmittedAnswers,
    draft_of,
    explain,
    submit,
)
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.join_codes import join_code, read_code
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.spectating import queries
from taflhall_service.app.spectating.match_list import list_matches
from taflhall_service.app.spectating.spectators import DELAYED_VIEWER, Spectators
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.call import Priced
from taflhall_service.rpc.command_groups import CommandGroups
from taflhall_service.rpc.live_feed import presence_message
from taflhall_service.rpc.messages import STATUSES, Writer, events_seen, pending_decisions, texts_in
from taflhall_service.rpc.requests import (
    answers_of,
    command_of,
    fingerprint,
    kind_of,
    language_of,
    match_filter_of,
    seat_of,
    setup_of,
    spectators_of,
    time_control_of,
)
from taflhall_wire.field_bytes import each, nested, number, optional, text
from taflhall_wire.outcomes import meta_command_to, projection_to, refusal_to
from taflhall_wire.translate import translator

MATCHES_PER_CALL: Final = 20
"""Number of matches read for a list that count as one more call."""

_SUBMITTED = pb.SubmitAnswersResponse


class MatchService:
    """The unary methods; ``watch`` and ``play`` have the streams."""

    def __init__(
        self, spectators: Spectators, writer: Writer, meter: Meter, groups: CommandGroups
    ) -> None:
        self._matches = spectators.matches
        self._spectators = spectators
        self._writer = writer
        self._meter = meter
        self._reactions = ReactionLimiter()
        self._groups = groups

    async def _shown(
        self, match: Match | None, match_id: str, identity: Identity, language: str
    ) -> match_pb2.Match | None:
        shown = await self._spectators.shown(match, match_id, identity)
        return None if shown is None else self._writer.match(shown, language)

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, identity: Identity
    ) -> pb.CreateMatchResponse:
        language = language_of(request)
        game, setup = setup_of(request.setup)
        created = await create(
            self._matches,
            CreateMatch(
                identity,
                game,
                setup,
                request.title,
                request.start_when_full,
                request.request_id,
                fingerprint("CreateMatch", request),
                time_control_of(request.time_control) if request.HasField("time_control") else None,
                spectators_of(request.spectators),
                dict(request.labels),
                request.unlisted,
                request.invitation_required,
            ),
        )
        match, code = self._writer.match(created.match, language), join_code(created.match.origin)
        return pb.CreateMatchResponse(match=match, creator_secret=created.secret, join_code=code)

    async def JoinMatch(
        self, request: pb.JoinMatchRequest, identity: Identity
    ) -> pb.JoinMatchResponse:
        language = language_of(request)
        joining = JoinMatch.of(
            self._matches.limits,
            identity,
            request.seats,
            request.name,
            kind_of(request.kind),
            request.request_id,
            fingerprint("JoinMatch", request),
            read_code(request.join_code) if request.join_code else "",
        )
        match_id = request.match_id
        if joining.code and not match_id:
            match_id = await match_with_code(self._matches.store, joining.code)
            if not match_id:
                raise JoinCodeInvalid
        try:
            joined = await join(self._matches, match_id, joining)
        except (AlreadyStarted, MatchOver):
            await self._spectators.refuse_late_join(await self._matches.current(match_id), joining)
            raise
        except MatchNotFound:
            if request.match_id:
                raise
            raise JoinCodeInvalid from None  # of a match that was never created, or is gone
        match = await self._joined(joined, match_id, identity, language)
        return pb.JoinMatchResponse(seats=joined.seats, seat_secret=joined.secret, match=match)

    async def _joined(
        self, joined: JoinedMatch, match_id: str, identity: Identity, language: str
    ) -> match_pb2.Match | None:
        """Return the match to a caller who has joined it, as the new holder may see it."""
        if joined.match is not None:
            return self._writer.match(joined.match, language)
        match, holder = await self._matches.current(match_id), Identity(joined.secret)
        lost = caller_or_spectator(holder, match).is_spectator
        return await self._shown(None, match_id, identity if lost else holder, language)

    async def StartMatch(
        self, request: pb.StartMatchRequest, identity: Identity
    ) -> pb.StartMatchResponse:
        language = language_of(request)
        done = await act(self._matches, request.match_id, StartMatch(identity))
        match = await self._shown(done.match, request.match_id, identity, language)
        return pb.StartMatchResponse(match=match)

    async def GetMatch(self, request: pb.GetMatchRequest, identity: Identity) -> bytes:
        language = language_of(request)
        match, caller, seat, owner = await queries.get(
            self._spectators, request.match_id, identity, seat_of(request)
        )
        writer = self._writer
        answer = pb.GetMatchResponse(
            match=writer.match(match, language), resume_token=writer.token_now(match, owner)
        )
        if caller.creator and match.status == OPEN:
            answer.join_code = join_code(match.origin)
        if request.with_presence and owner != DELAYED_VIEWER:
            presence = await self._matches.presence.of(match)
            answer.presence.CopyFrom(presence_message(presence))
        if request.decision_id:
            draft = draft_of(match, caller, request.decision_id)
            decisions = [writer.draft(match.game, draft, request.with_options, language)]
            view = writer.draft_view(match.game, draft) if request.with_view else None
        else:
            decisions = writer.decisions(match, caller.acting, request.with_options, language)
            view = writer.view(match, seat) if request.with_view else None
        return (
            answer.SerializeToString()
            + each(pb.GetMatchResponse.DECISIONS_FIELD_NUMBER, decisions)
            + optional(pb.GetMatchResponse.VIEW_FIELD_NUMBER, view)
        )

    async def ListMatches(self, request: pb.ListMatchesRequest, identity: Identity) -> Priced:
        wanted, language = match_filter_of(request, identity), language_of(request)
        page = await list_matches(
            self._spectators, identity, wanted, request.page_size, request.page_token
        )
        found = [self._writer.match(match, language) for match in page.matches]
        answer = pb.ListMatchesResponse(matches=found, next_page_token=page.token)
        return Priced(answer, page.examined / MATCHES_PER_CALL)

    async def SubmitAnswers(self, request: pb.SubmitAnswersRequest, identity: Identity) -> bytes:
        limits, language = self._matches.limits, language_of(request)
        submission = SubmitAnswers(
            CachedCaller(Action.SUBMIT_ANSWERS, identity),
            request.decision_id,
            limits.name("request_id", request.request_id),
            answers_of(request.answers, limits),
            fingerprint("SubmitAnswers", request),
            limits.match_commands,
        )
        async with self._groups:
            answered = await submit(self._matches, request.match_id, submission)
        if not answered.replayed:
            self._meter.applied(answered.match.game.id, len(answered.entries))
        return self._submitted(answered, request.with_options, language)

    def _submitted(self, answered: SubmittedAnswers, with_options: bool, language: str) -> bytes:
        """Return the response to a SubmitAnswers, serialized."""
        writer, match, refusal = self._writer, answered.match, answered.refusal
        game, seat = match.game, answered.seat
        entries = answered.entries
        events = [writer.events(game, entry, seat, language) for entry in entries]
        message = None if refusal is None else refusal_to(refusal, texts_in(game, language))
        decision, decides = None, match.decides(answered.seats)
        if answered.draft is not None:
            decision = writer.draft(game, answered.draft, with_options, language)
        elif decides is not None:
            decision = writer.decision(match, decides, with_options, language)
        parts = (
            number(_SUBMITTED.REVISION_FIELD_NUMBER, match.revision),
            number(_SUBMITTED.APPLIED_FIELD_NUMBER, answered.applied),
            optional(_SUBMITTED.REFUSAL_FIELD_NUMBER, message and message.SerializeToString()),
            number(_SUBMITTED.REPLAYED_FIELD_NUMBER, answered.replayed),
            number(_SUBMITTED.DURABILITY_FIELD_NUMBER, int(answered.durability)),
            each(_SUBMITTED.EVENTS_FIELD_NUMBER, chain.from_iterable(events)),
            optional(_SUBMITTED.DECISION_FIELD_NUMBER, decision),
            number(_SUBMITTED.STATUS_FIELD_NUMBER, STATUSES[match.status]),
            text(_SUBMITTED.RESUME_TOKEN_FIELD_NUMBER, writer.token_now(match, seat)),
            number(_SUBMITTED.FIRST_REVISION_FIELD_NUMBER, entries[0].revision if entries else 0),
        )
        return b"".join(parts)

    async def ExplainCommand(
        self, request: pb.ExplainCommandRequest, identity: Identity
    ) -> pb.ExplainCommandResponse:
        given = command_of(request.command, "command")
        match, decision_id, refusal = await explain(
            self._matches, request.match_id, identity, seat_of(request), given, request.decision_id
        )
        rule = given.command.RULE if refusal is None else refusal.rule
        texts = texts_in(match.game, language_of(request))
        return pb.ExplainCommandResponse(
            legal=refusal is None,
            refusal=None if refusal is None else refusal_to(refusal, texts),
            rule_text="" if texts is None else texts.rule(rule),
            decision_id=decision_id,
        )

    async def SendReaction(
        self, request: pb.SendReactionRequest, identity: Identity
    ) -> pb.SendReactionResponse:
        if not request.reaction or request.reaction not in match_pb2.Reaction.values():
            raise Malformed(field="reaction", expected="a Reaction")
        await send_reaction(
            self._matches,
            self._reactions,
            request.match_id,
            identity,
            seat_of(request),
            request.reaction,
        )
        return pb.SendReactionResponse()

    async def ResignSeat(
        self, request: pb.ResignSeatRequest, identity: Identity
    ) -> pb.ResignSeatResponse:
        language = language_of(request)
        resignation = ResignSeat(
            identity,
            seat_of(request),
            self._matches.limits.name("request_id", request.request_id),
            fingerprint("ResignSeat", request),
        )
        done = await act(self._matches, request.match_id, resignation)
        match = await self._shown(done.match, request.match_id, identity, language)
        return pb.ResignSeatResponse(match=match)

    async def LeaveMatch(
        self, request: pb.LeaveMatchRequest, identity: Identity
    ) -> pb.LeaveMatchResponse:
        limits, language = self._matches.limits, language_of(request)
        leaving = seats.LeaveMatch(
            identity,
            seat_of(request),
            limits.name("request_id", request.request_id),
            fingerprint("LeaveMatch", request),
        )
        done = await act(self._matches, request.match_id, leaving)
        match = await self._shown(done.match, request.match_id, identity, language)
        return pb.LeaveMatchResponse(match=match)

    async def DelegateSeat(
        self, request: pb.DelegateSeatRequest, identity: Identity
    ) -> pb.DelegateSeatResponse:
        language = language_of(request)
        delegation = seats.DelegateSeat.of(
            self._matches.limits,
            identity,
            seat_of(request),
            request.name,
            kind_of(request.kind),
            request.permanent,
            request.request_id,
            fingerprint("DelegateSeat", request),
        )
        delegated = await seats.delegate(self._matches, request.match_id, delegation)
        match = await self._shown(delegated.match, request.match_id, identity, language)
        return pb.DelegateSeatResponse(deputy_secret=delegated.secret, match=match)

    async def ReclaimSeat(
        self, request: pb.ReclaimSeatRequest, identity: Identity
    ) -> pb.ReclaimSeatResponse:
        language = language_of(request)
        reclaim = seats.ReclaimSeat(identity, seat_of(request))
        done = await act(self._matches, request.match_id, reclaim)
        match = await self._shown(done.match, request.match_id, identity, language)
        return pb.ReclaimSeatResponse(match=match)

    async def ProposeToPlayers(
        self, request: pb.ProposeToPlayersRequest, identity: Identity
    ) -> pb.ProposeToPlayersResponse:
        what = request.WhichOneof("what")
        if what is None:
            raise Malformed(field="what", expected="undo or abandon")
        undo = request.undo
        to = undo.to_revision if undo.HasField("to_revision") else None
        limits, language = self._matches.limits, language_of(request)
        proposal = ProposeToPlayers(
            identity,
            seat_of(request),
            Undo(to) if what == "undo" else None,
            limits.name("request_id", request.request_id),
            fingerprint("ProposeToPlayers", request),
            limits,
        )
        proposed, number = await propose(self._matches, request.match_id, proposal)
        match = await self._shown(proposed, request.match_id, identity, language)
        return pb.ProposeToPlayersResponse(match=match, proposal_id=number)

    async def RespondToProposal(
        self, request: pb.RespondToProposalRequest, identity: Identity
    ) -> pb.RespondToProposalResponse:
        limits, language = self._matches.limits, language_of(request)
        response = RespondToProposal(
            identity,
            seat_of(request),
            request.proposal_id,
            request.agree,
            limits.name("request_id", request.request_id),
            fingerprint("RespondToProposal", request),
            limits,
        )
        done = await respond(self._matches, request.match_id, response)
        match = await self._shown(done.match, request.match_id, identity, language)
        return pb.RespondToProposalResponse(match=match)

    async def AbandonMatch(
        self, request: pb.AbandonMatchRequest, identity: Identity
    ) -> pb.AbandonMatchResponse:
        language = language_of(request)
        abandonment = AbandonMatch(
            identity,
            self._matches.limits.name("request_id", request.request_id),
            fingerprint("AbandonMatch", request),
        )
        match = await abandon(self._matches, request.match_id, abandonment)
        seen = await self._spectators.visible_or_none(match, identity)
        shown = None if seen is None else self._writer.match(seen, language)
        return pb.AbandonMatchResponse(match=shown)

    async def GetMatchRecord(
        self, request: pb.GetMatchRecordRequest, identity: Identity
    ) -> pb.GetMatchRecordResponse:
        record = await queries.record(self._spectators, request.match_id, identity)
        words = translator(record.match.game)
        message = match_pb2.MatchRecord(
            match=self._writer.match(record.match, language_of(request)),
            start_digest=bytes.fromhex(record.start_digest),
        )
        for seat, action, digest, at_ms, used_ms in record.commands:
            added = message.commands.add(
                seat=seat if seat >= 0 else None, digest=bytes.fromhex(digest)
            )
            if isinstance(action, MetaCommand):
                added.meta_command, added.answers_undone = meta_command_to(action), action.back
            else:
                added.commands.extend(words.command_to(step) for step in steps_of(action))
            added.time.FromMilliseconds(at_ms)
            if used_ms is not None:
                added.used.FromMilliseconds(used_ms)
        file = record_file(record) if request.with_file else ""
        return pb.GetMatchRecordResponse(record=message, file=file)

    async def GetMatchView(self, request: pb.GetMatchViewRequest, identity: Identity) -> bytes:
        past, seat = await queries.view_at(
            self._spectators, request.match_id, identity, seat_of(request), request.revision
        )
        game = past.match.game
        words, language, shown = translator(game), language_of(request), pb.GetMatchViewResponse
        decisions = pending_decisions(game, past.step, past.pending, language)
        events = events_seen(game, past.events, seat, language)
        view = game.view(past.table, seat)
        answer = (
            nested(shown.VIEW_FIELD_NUMBER, words.view_bytes(view))
            + each(shown.DECISIONS_FIELD_NUMBER, decisions)
            + each(shown.EVENTS_FIELD_NUMBER, events)
        )
        if request.with_projection:
            projection = projection_to(game, view, texts_in(game, language))
            answer += nested(shown.PROJECTION_FIELD_NUMBER, projection.SerializeToString())
        return answer

    async def ListMatchEvents(
        self, request: pb.ListMatchEventsRequest, identity: Identity
    ) -> pb.ListMatchEventsResponse:
        language = language_of(request)
        page = await queries.list_events(
            self._spectators,
            request.match_id,
            identity,
            seat_of(request),
            request.first_revision,
            request.last_revision if request.HasField("last_revision") else None,
            request.page_size,
            request.page_token,
        )
        game = page.match.game
        answer = pb.ListMatchEventsResponse(
            next_page_token=page.token, match_revision=page.match.revision
        )
        for entry in page.entries:
            added = answer.revisions.add(revision=entry.revision, status=STATUSES[entry.status])
            events = events_seen(game, entry.events, page.seat, language)
            added.MergeFromString(each(pb.RevisionEvents.EVENTS_FIELD_NUMBER, events))
            added.time.FromMilliseconds(entry.at_ms)
        return answer
