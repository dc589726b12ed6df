"""MatchService: every method reads its request, calls a use case and writes the answer."""

from __future__ import annotations

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.meta_commands import MetaCommand
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import CachedCaller, authorize
from taflhall_service.app.errors import Malformed
from taflhall_service.app.matches import create, history, join, proposals, queries, seats, start
from taflhall_service.app.matches import submit as acts
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.field_bytes import nested
from taflhall_service.rpc.messages import STATUSES, Writer, events_seen, pending_decisions
from taflhall_service.rpc.requests import (
    answers_of,
    command_of,
    fingerprint,
    game_named,
    seat_of,
    setup_of,
    spectators_of,
    time_control_of,
)
from taflhall_wire.translate import deed_to, refusal_to, translator

_DECISION = pb.SubmitAnswersResponse.DECISION_FIELD_NUMBER
_STATUS_NAMES = {number: name for name, number in STATUSES.items()}


class MatchService:
    """The unary methods; ``watch`` and ``play`` have the streams."""

    def __init__(self, matches: Matches, writer: Writer, meter: Meter) -> None:
        self._matches = matches
        self._writer = writer
        self._meter = meter

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, identity: Identity
    ) -> pb.CreateMatchResponse:
        game, setup = setup_of(request.setup)
        mark = fingerprint("CreateMatch", request)
        created = await create.create(
            self._matches,
            identity,
            game,
            setup,
            request.title,
            request.start_when_full,
            request.request_id,
            mark,
            time_control_of(request.time_control) if request.HasField("time_control") else None,
            spectators_of(request.spectators),
        )
        match = self._writer.match(created.match)
        return pb.CreateMatchResponse(match=match, creator_secret=created.secret)

    async def JoinMatch(
        self, request: pb.JoinMatchRequest, identity: Identity
    ) -> pb.JoinMatchResponse:
        joining = join.JoinMatch(
            self._matches,
            identity,
            request.seats,
            request.name,
            kind_of(request.kind),
            request.request_id,
            fingerprint("JoinMatch", request),
        )
        joined = await join.join(self._matches, request.match_id, joining)
        match = self._writer.shown(joined.match)
        return pb.JoinMatchResponse(seats=joined.seats, seat_secret=joined.secret, match=match)

    async def StartMatch(
        self, request: pb.StartMatchRequest, identity: Identity
    ) -> pb.StartMatchResponse:
        match = await start.start(self._matches, request.match_id, identity)
        return pb.StartMatchResponse(match=self._writer.shown(match))

    async def GetMatch(
        self, request: pb.GetMatchRequest, identity: Identity
    ) -> pb.GetMatchResponse:
        match, caller, seat, holder = await queries.get(
            self._matches, request.match_id, identity, seat_of(request)
        )
        writer = self._writer
        return pb.GetMatchResponse(
            match=writer.match(match),
            decisions=writer.decisions(match, caller.acting, request.with_options),
            view=writer.view(match, seat) if request.with_view else None,
            resume_token=writer.token_now(match, holder),
        )

    async def ListMatches(
        self, request: pb.ListMatchesRequest, identity: Identity
    ) -> pb.ListMatchesResponse:
        status = _STATUS_NAMES.get(request.status, "")
        if request.status and not status:
            raise Malformed(field="status", expected=", ".join(match_pb2.MatchStatus.keys()))
        if request.game:
            game_named(request.game)
        page = await queries.listed(
            self._matches, identity, request.game, status, request.page_size, request.page_token
        )
        found = [self._writer.match(match) for match in page.matches]
        return pb.ListMatchesResponse(matches=found, next_page_token=page.token)

    async def SubmitAnswers(self, request: pb.SubmitAnswersRequest, identity: Identity) -> bytes:
        limits = self._matches.limits
        submission = acts.SubmitAnswers(
            limits,
            CachedCaller("MatchService.SubmitAnswers", identity),
            request.decision_id,
            limits.name("request_id", request.request_id),
            answers_of(request.answers, limits),
            fingerprint("SubmitAnswers", request),
            lambda step: self.submitted(step, request.with_options),
        )
        done = await acts.submit(self._matches, request.match_id, submission)
        if done.match is not None:
            self._meter.commands.labels(done.match.game.id).inc(len(done.entries))
        return done.reply + afterwards(done.replayed, done.durability)

    def submitted(self, step: acts.Step, with_options: bool) -> bytes:
        """Return the answer to a Submit, as it is remembered for its request id."""
        writer, match = self._writer, step.match
        events = [e for entry in step.entries for e in writer.events(match.game, entry, step.seat)]
        answer = pb.SubmitAnswersResponse(
            revision=match.revision,
            applied=len(step.entries),
            refusal=None if step.refusal is None else refusal_to(match.game, step.refusal),
            events=events,
            status=STATUSES[match.status],
            resume_token=writer.token_now(match, step.seat),
        ).SerializeToString()
        seat = match.decides(step.seats)
        if seat is None:
            return answer
        return answer + nested(_DECISION, writer.decision_bytes(match, seat, with_options))

    async def ExplainCommand(
        self, request: pb.ExplainCommandRequest, identity: Identity
    ) -> pb.ExplainCommandResponse:
        given = command_of(request.command, "command")
        match, decision_id, refusal = await acts.explain(
            self._matches, request.match_id, identity, seat_of(request), given
        )
        rule = given.command.RULE if refusal is None else refusal.rule
        return pb.ExplainCommandResponse(
            legal=refusal is None,
            refusal=None if refusal is None else refusal_to(match.game, refusal),
            rule_text=match.game.rulebook.text(rule, "en"),
            rule_text_de=match.game.rulebook.text(rule, "de"),
            decision_id=decision_id,
        )

    async def ResignSeat(
        self, request: pb.ResignSeatRequest, identity: Identity
    ) -> pb.ResignSeatResponse:
        resignation = acts.Resign(
            identity,
            seat_of(request),
            self._matches.limits.name("request_id", request.request_id),
            fingerprint("ResignSeat", request),
        )
        match = await acts.resign(self._matches, request.match_id, resignation)
        return pb.ResignSeatResponse(match=self._writer.shown(match))

    async def LeaveMatch(
        self, request: pb.LeaveMatchRequest, identity: Identity
    ) -> pb.LeaveMatchResponse:
        mark = fingerprint("LeaveMatch", request)
        leaving = seats.LeaveSeats(
            self._matches, identity, seat_of(request), request.request_id, mark
        )
        match = await seats.leave(self._matches, request.match_id, leaving)
        return pb.LeaveMatchResponse(match=self._writer.shown(match))

    async def DelegateSeat(
        self, request: pb.DelegateSeatRequest, identity: Identity
    ) -> pb.DelegateSeatResponse:
        handing = seats.HandOverSeat(
            self._matches,
            identity,
            seat_of(request),
            request.name,
            kind_of(request.kind),
            request.permanent,
            request.request_id,
            fingerprint("DelegateSeat", request),
        )
        match, secret = await seats.hand_over(self._matches, request.match_id, handing)
        return pb.DelegateSeatResponse(deputy_secret=secret, match=self._writer.shown(match))

    async def ReclaimSeat(
        self, request: pb.ReclaimSeatRequest, identity: Identity
    ) -> pb.ReclaimSeatResponse:
        seat = seat_of(request)
        match = await seats.take_back(self._matches, request.match_id, identity, seat)
        return pb.ReclaimSeatResponse(match=self._writer.shown(match))

    async def ProposeToPlayers(
        self, request: pb.ProposeToPlayersRequest, identity: Identity
    ) -> pb.ProposeToPlayersResponse:
        what = request.WhichOneof("what")
        if what is None:
            raise Malformed(field="what", expected="undo or abandon")
        undo = request.undo
        to = undo.to_revision if undo.HasField("to_revision") else None
        proposing = proposals.Propose(
            self._matches,
            identity,
            seat_of(request),
            proposals.Back(to) if what == "undo" else proposals.GIVE_UP,
            request.request_id,
            fingerprint("ProposeToPlayers", request),
        )
        match, number = await proposals.propose(self._matches, request.match_id, proposing)
        return pb.ProposeToPlayersResponse(match=self._writer.shown(match), proposal_id=number)

    async def RespondToProposal(
        self, request: pb.RespondToProposalRequest, identity: Identity
    ) -> pb.RespondToProposalResponse:
        consenting = proposals.Consent(
            self._matches,
            identity,
            seat_of(request),
            request.proposal_id,
            request.agree,
            request.request_id,
            fingerprint("RespondToProposal", request),
        )
        match = await proposals.consent(self._matches, request.match_id, consenting)
        return pb.RespondToProposalResponse(match=self._writer.shown(match))

    async def AbandonMatch(
        self, request: pb.AbandonMatchRequest, identity: Identity
    ) -> pb.AbandonMatchResponse:
        mark = fingerprint("AbandonMatch", request)
        abandoning = proposals.AbandonMatch(self._matches, identity, request.request_id, mark)
        match = await proposals.abandon(self._matches, request.match_id, abandoning)
        told = await self._matches.spectators.visible_or_none(match, identity)
        return pb.AbandonMatchResponse(match=self._writer.shown(told))

    async def GetMatchRecord(
        self, request: pb.GetMatchRecordRequest, identity: Identity
    ) -> pb.GetMatchRecordResponse:
        record = await history.record(self._matches, request.match_id, identity)
        words = translator(record.match.game)
        message = match_pb2.MatchRecord(
            match=self._writer.match(record.match), start_digest=bytes.fromhex(record.start_digest)
        )
        for seat, deed, digest, at_ms, used_ms in record.commands:
            added = message.commands.add(seat=seat, digest=bytes.fromhex(digest))
            if isinstance(deed, MetaCommand):
                added.meta_command, added.answers_undone = deed_to(deed), deed.back
            else:
                added.command.CopyFrom(words.command_to(deed))
            added.time.FromMilliseconds(at_ms)
            if used_ms is not None:
                added.used.FromMilliseconds(used_ms)
        return pb.GetMatchRecordResponse(record=message)

    async def GetMatchView(
        self, request: pb.GetMatchViewRequest, identity: Identity
    ) -> pb.GetMatchViewResponse:
        match = await self._matches.seen_by(identity, request.match_id)
        caller = authorize("MatchService.GetMatchView", identity, match)
        seat = caller.seat(match, seat_of(request))
        match = await self._matches.spectators.see(match, caller)
        past = await history.past(self._matches, match, request.revision)
        words = translator(match.game)
        return pb.GetMatchViewResponse(
            view=words.view_to(match.game.view(past.table, seat)),
            decisions=pending_decisions(words, past.step, past.pending),
            events=events_seen(words, past.events, seat),
        )


def kind_of(kind: int) -> int:
    """Return *kind* if it is a SeatKind."""
    if kind not in match_pb2.SeatKind.values():
        raise Malformed(field="kind", expected=", ".join(match_pb2.SeatKind.keys()))
    return kind


def afterwards(replayed: bool, durability: Durability) -> bytes:
    """Return the part of a SubmitAnswersResponse that is known only after the commit.

    Messages one behind the other are one message, so the remembered bytes need no reading.
    """
    level = match_pb2.Durability.ValueType(durability)
    return pb.SubmitAnswersResponse(replayed=replayed, durability=level).SerializeToString()
