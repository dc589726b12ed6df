"""MatchService: every method reads its request, calls a use case and writes the answer."""

from __future__ import annotations

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.meta_commands import RESIGN, MetaCommand
from taflhall_service.app.access.permissions import Claim, Identity, authorise
from taflhall_service.app.errors import Malformed
from taflhall_service.app.matches import history, lobby, proposals, seats
from taflhall_service.app.matches import submit as acts
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.field_bytes import nested
from taflhall_service.rpc.messages import STATUSES, Writer, events_seen, pending_decisions
from taflhall_service.rpc.requests import (
    answers_of,
    audience_of,
    clock_of,
    command_of,
    fingerprint,
    game_named,
    seat_of,
    setup_of,
)
from taflhall_wire.translate import deed_to, refusal_to, translator

_DECISION = pb.SubmitResponse.DECISION_FIELD_NUMBER
_STATUS_NAMES = {number: name for name, number in STATUSES.items()}


class MatchService:
    """The unary methods; ``watch`` and ``play`` have the streams."""

    def __init__(self, matches: Matches, writer: Writer, meter: Meter) -> None:
        self._matches = matches
        self._writer = writer
        self._meter = meter

    async def Create(self, request: pb.CreateRequest, identity: Identity) -> pb.CreateResponse:
        game, setup = setup_of(request.setup)
        mark = fingerprint("Create", request)
        created = await lobby.create(
            self._matches,
            identity,
            game,
            setup,
            request.title,
            request.start_when_full,
            request.request_id,
            mark,
            clock_of(request.clock) if request.HasField("clock") else None,
            audience_of(request.spectators),
        )
        match = self._writer.match(created.match)
        return pb.CreateResponse(match=match, creator_secret=created.secret)

    async def Join(self, request: pb.JoinRequest, identity: Identity) -> pb.JoinResponse:
        joining = lobby.Joining(
            self._matches,
            identity,
            request.seats,
            request.name,
            kind_of(request.kind),
            request.request_id,
            fingerprint("Join", request),
        )
        joined = await lobby.join(self._matches, request.match_id, joining)
        match = self._writer.shown(joined.match)
        return pb.JoinResponse(seats=joined.seats, seat_secret=joined.secret, match=match)

    async def Start(self, request: pb.StartRequest, identity: Identity) -> pb.StartResponse:
        match = await lobby.start(self._matches, request.match_id, identity)
        return pb.StartResponse(match=self._writer.shown(match))

    async def Get(self, request: pb.GetRequest, identity: Identity) -> pb.GetResponse:
        match, caller, seat, holder = await lobby.get(
            self._matches, request.match_id, identity, seat_of(request)
        )
        writer = self._writer
        return pb.GetResponse(
            match=writer.match(match),
            decisions=writer.decisions(match, caller.acting, request.with_options),
            view=writer.view(match, seat) if request.with_view else None,
            resume_token=writer.token_now(match, holder),
        )

    async def List(self, request: pb.ListRequest, identity: Identity) -> pb.ListResponse:
        status = _STATUS_NAMES.get(request.status, "")
        if request.status and not status:
            raise Malformed(field="status", expected=", ".join(match_pb2.MatchStatus.keys()))
        if request.game:
            game_named(request.game)
        page = await lobby.listed(
            self._matches, identity, request.game, status, request.page_size, request.page_token
        )
        found = [self._writer.match(match) for match in page.matches]
        return pb.ListResponse(matches=found, next_page_token=page.token)

    async def Submit(self, request: pb.SubmitRequest, identity: Identity) -> bytes:
        limits = self._matches.limits
        submission = acts.Submission(
            limits,
            Claim("MatchService.Submit", identity),
            request.decision_id,
            limits.name("request_id", request.request_id),
            answers_of(request.answers, limits),
            fingerprint("Submit", request),
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
        answer = pb.SubmitResponse(
            revision=match.revision,
            applied=len(step.entries),
            refusal=None if step.refusal is None else refusal_to(step.refusal),
            events=events,
            status=STATUSES[match.status],
            resume_token=writer.token_now(match, step.seat),
        ).SerializeToString()
        seat = match.decides(step.seats)
        if seat is None:
            return answer
        return answer + nested(_DECISION, writer.decision_bytes(match, seat, with_options))

    async def Explain(self, request: pb.ExplainRequest, identity: Identity) -> pb.ExplainResponse:
        given = command_of(request.command, "command")
        match, decision_id, refusal = await acts.explain(
            self._matches, request.match_id, identity, seat_of(request), given
        )
        rule = given.command.RULE if refusal is None else refusal.rule
        return pb.ExplainResponse(
            legal=refusal is None,
            refusal=None if refusal is None else refusal_to(refusal),
            rule_text=match.game.rulebook.text(rule, "en"),
            rule_text_de=match.game.rulebook.text(rule, "de"),
            decision_id=decision_id,
        )

    async def Resign(self, request: pb.ResignRequest, identity: Identity) -> pb.ResignResponse:
        resignation = acts.Resignation(
            identity,
            seat_of(request),
            self._matches.limits.name("request_id", request.request_id),
            fingerprint("Resign", request),
        )
        match = await acts.resign(self._matches, request.match_id, resignation)
        return pb.ResignResponse(match=self._writer.shown(match))

    async def Leave(self, request: pb.LeaveRequest, identity: Identity) -> pb.LeaveResponse:
        mark = fingerprint("Leave", request)
        leaving = seats.Leaving(self._matches, identity, seat_of(request), request.request_id, mark)
        match = await seats.leave(self._matches, request.match_id, leaving)
        return pb.LeaveResponse(match=self._writer.shown(match))

    async def HandOver(
        self, request: pb.HandOverRequest, identity: Identity
    ) -> pb.HandOverResponse:
        handing = seats.HandingOver(
            self._matches,
            identity,
            seat_of(request),
            request.name,
            kind_of(request.kind),
            request.permanent,
            request.request_id,
            fingerprint("HandOver", request),
        )
        match, secret = await seats.hand_over(self._matches, request.match_id, handing)
        return pb.HandOverResponse(deputy_secret=secret, match=self._writer.shown(match))

    async def TakeBack(
        self, request: pb.TakeBackRequest, identity: Identity
    ) -> pb.TakeBackResponse:
        seat = seat_of(request)
        match = await seats.take_back(self._matches, request.match_id, identity, seat)
        return pb.TakeBackResponse(match=self._writer.shown(match))

    async def Propose(self, request: pb.ProposeRequest, identity: Identity) -> pb.ProposeResponse:
        what = request.WhichOneof("what")
        if what is None:
            raise Malformed(field="what", expected="undo or abandon")
        undo = request.undo
        to = undo.to_revision if undo.HasField("to_revision") else None
        proposing = proposals.Proposing(
            self._matches,
            identity,
            seat_of(request),
            proposals.Back(to) if what == "undo" else proposals.GIVE_UP,
            request.request_id,
            fingerprint("Propose", request),
        )
        match, number = await proposals.propose(self._matches, request.match_id, proposing)
        return pb.ProposeResponse(match=self._writer.shown(match), proposal_id=number)

    async def Consent(self, request: pb.ConsentRequest, identity: Identity) -> pb.ConsentResponse:
        consenting = proposals.Consenting(
            self._matches,
            identity,
            seat_of(request),
            request.proposal_id,
            request.agree,
            request.request_id,
            fingerprint("Consent", request),
        )
        match = await proposals.consent(self._matches, request.match_id, consenting)
        return pb.ConsentResponse(match=self._writer.shown(match))

    async def Abandon(self, request: pb.AbandonRequest, identity: Identity) -> pb.AbandonResponse:
        mark = fingerprint("Abandon", request)
        abandoning = proposals.Abandoning(self._matches, identity, request.request_id, mark)
        match = await proposals.abandon(self._matches, request.match_id, abandoning)
        told = await self._matches.spectators.told(match, identity)
        return pb.AbandonResponse(match=self._writer.shown(told))

    async def GetRecord(
        self, request: pb.GetRecordRequest, identity: Identity
    ) -> pb.GetRecordResponse:
        record = await history.record(self._matches, request.match_id, identity)
        words = translator(record.match.game)
        message = match_pb2.Record(
            match=self._writer.match(record.match), start_digest=record.start_digest
        )
        for seat, deed, digest, at_ms, used_ms in record.commands:
            added = message.commands.add(seat=seat, digest=digest)
            if isinstance(deed, MetaCommand):
                added.resigned = deed == RESIGN
                added.deed, added.back = deed_to(deed), deed.back
            else:
                added.command.CopyFrom(words.command_to(deed))
            added.time.FromMilliseconds(at_ms)
            if used_ms is not None:
                added.used.FromMilliseconds(used_ms)
        return pb.GetRecordResponse(record=message)

    async def GetView(self, request: pb.GetViewRequest, identity: Identity) -> pb.GetViewResponse:
        match = await self._matches.seen_by(identity, request.match_id)
        caller = authorise("MatchService.GetView", identity, match)
        seat = caller.seat(match, seat_of(request))
        match = await self._matches.spectators.seen(match, caller)
        past = await history.past(self._matches, match, request.revision)
        words = translator(match.game)
        return pb.GetViewResponse(
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
    """Return the part of a SubmitResponse that is known only after the commit.

    Messages one behind the other are one message, so the remembered bytes need no reading.
    """
    level = match_pb2.Durability.ValueType(durability)
    return pb.SubmitResponse(replayed=replayed, durability=level).SerializeToString()
