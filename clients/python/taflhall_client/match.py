"""A hosted match for programs that use asyncio: what :meth:`Client.match` returns."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Final

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors, play_loop, watch_loop
from taflhall_client.bot import Bot, Decision
from taflhall_client.bot_calls import OnFailure, Proposals
from taflhall_client.channel import Transport, new_request_id
from taflhall_client.messages import Choice, MessageDecoder, answers, explained, game_named_by
from taflhall_client.results import (
    Explained,
    MatchInfo,
    PastView,
    Proposal,
    Reaction,
    RevisionEvents,
    SeatKind,
    State,
    Submitted,
    Update,
)
from taflhall_engine.kernel.agenda import Command
from taflhall_wire.translate import translator


class Match:
    """A hosted match, as the owner of *secret* (or a spectator without one) may use it."""

    def __init__(
        self,
        transport: Transport,
        match_id: str,
        secret: str | None = None,
        *,
        decoder: MessageDecoder | None = None,
        seats: Sequence[int] = (),
        join_code: str = "",
    ) -> None:
        self.transport: Final = transport
        self.match_id: Final = match_id
        self.secret: Final = secret
        """The credential of the seats, or of the right to start; keep it to come back."""
        self.seats: Final = list(seats)
        """The seats taken by :meth:`join`; empty for other matches."""
        self.join_code: Final = join_code
        """The code with which anybody may join the match; only its creator gets it."""
        self._decoder = decoder
        self._decision: Decision | None = None

    async def decoder(self) -> MessageDecoder:
        """Return what reads this match's messages; asks the server for the game once.

        Raise :exc:`~taflhall_client.errors.DataDiffers` if the match is played with other
        component data than this client has, since its output would be wrong.
        """
        if self._decoder is None:
            request = rpc.GetMatchRequest(match_id=self.match_id)
            reply = await self._call(self._stub.GetMatch, request)
            self._decoder = self._decoder_of(reply.match)
        self._decoder.check_data()
        return self._decoder

    def _decoder_of(self, message: match_pb2.Match) -> MessageDecoder:
        game = self.transport.game(game_named_by(message))
        return MessageDecoder(game, message.data_digest.hex())

    async def join(
        self, name: str, seats: Iterable[int] = (), kind: SeatKind = SeatKind.PERSON
    ) -> Match:
        """Take *seats*, or the lowest free one; return the match as seen from there."""
        request = rpc.JoinMatchRequest(
            match_id=self.match_id,
            seats=seats,
            name=name,
            kind=kind.value,  # type: ignore[arg-type]
            request_id=new_request_id(),
        )
        with contextlib.suppress(errors.SpectatorsNotAllowed):
            await self.decoder()  # refuse to join a match that this client would show wrongly
        who = self.transport.key or self.secret  # the account joins
        reply = await self.transport.call(self._stub.JoinMatch, request, who)
        decoder, secret = self._decoder_of(reply.match), reply.seat_secret
        return Match(self.transport, self.match_id, secret, decoder=decoder, seats=reply.seats)

    async def invite(self, account: str, seat: int | None = None) -> MatchInfo:
        """Reserve *seat*, or the lowest free one, for an account; for the match's creator."""
        request = lobby.InviteToMatchRequest(
            match_id=self.match_id, account_id=account, seat=seat, request_id=new_request_id()
        )
        return await self._changed(self.transport.lobby_stub.InviteToMatch, request)

    async def decline(self) -> None:
        """Give back the seats that are reserved for our account."""
        request = lobby.DeclineInvitationRequest(
            match_id=self.match_id, request_id=new_request_id()
        )
        await self._call(self.transport.lobby_stub.DeclineInvitation, request)

    async def remove(self, seat: int) -> MatchInfo:
        """Free a seat before the start, whoever holds it; for the match's creator."""
        request = lobby.RemovePlayerRequest(
            match_id=self.match_id, seat=seat, request_id=new_request_id()
        )
        return await self._changed(self.transport.lobby_stub.RemovePlayer, request)

    async def add_bot(self, bot: str, seat: int | None = None, name: str = "") -> MatchInfo:
        """Let a bot of the server take *seat*, or the lowest free one; for the match's creator.

        :meth:`Client.games` says which bots there are; *name* is its name at the table.
        """
        request = lobby.AddBotRequest(
            match_id=self.match_id, bot_id=bot, seat=seat, name=name, request_id=new_request_id()
        )
        return await self._changed(self.transport.lobby_stub.AddBot, request)

    async def rematch(self) -> Match:
        """Sit down at the rematch of this match, which is over; return it as seen from there.

        It has the same setup, each player has the next seat, and it starts when all have come.
        """
        request = lobby.JoinRematchRequest(match_id=self.match_id, request_id=new_request_id())
        reply = await self._call(self.transport.lobby_stub.JoinRematch, request)
        decoder, secret = self._decoder_of(reply.match), reply.seat_secret
        return Match(self.transport, reply.match.id, secret, decoder=decoder, seats=reply.seats)

    async def react(self, reaction: Reaction, seat: int | None = None) -> None:
        """Show a reaction of *seat*, or the lowest of ours, to those who follow the match now."""
        request = rpc.SendReactionRequest(
            match_id=self.match_id,
            seat=seat,
            reaction=reaction.value,  # type: ignore[arg-type]
        )
        await self._call(self._stub.SendReaction, request)

    async def start(self) -> MatchInfo:
        """Start the match; every seat must be taken."""
        reply = await self._call(
            self._stub.StartMatch, rpc.StartMatchRequest(match_id=self.match_id)
        )
        return (await self.decoder()).match(reply.match)

    async def get(
        self,
        *,
        view: bool = False,
        options: bool = False,
        seat: int | None = None,
        presence: bool = False,
        decision_id: str = "",
    ) -> State:
        """Return the match as it is, with the view of *seat*, options and presence if wanted.

        With the *decision_id* of a further step of an answer, which :meth:`submit` returned, view
        and options are those after its steps.
        """
        request = rpc.GetMatchRequest(
            match_id=self.match_id,
            with_view=view,
            with_options=options,
            seat=seat,
            with_presence=presence,
            decision_id=decision_id,
        )
        reply = await self._call(self._stub.GetMatch, request)
        self._decoder = self._decoder or self._decoder_of(reply.match)
        if view or options:
            self._decoder.check_data()
        return self._decoder.state(reply)

    async def decision(self, seat: int | None = None, *, again: bool = False) -> Decision | None:
        """Return the pending decision of *seat* (or the lowest of ours) with its options.

        If :meth:`submit` has begun an answer in several steps, it is the next step of that answer;
        with *again* the answer is begun again.
        """
        state = await self.get(options=True, seat=seat)
        mine = [d for d in state.decisions if d.options and seat in (None, d.seat)]
        begun = self._decision
        self._decision = mine[0] if mine else None
        if begun is not None and not again:
            steps = [d for d in mine if begun.decision_id.startswith(f"{d.decision_id}.")]
            self._decision = begun if steps else self._decision
        return self._decision

    async def submit(
        self,
        choice: Choice | Iterable[Choice],
        decision: Decision | str | None = None,
        *,
        request_id: str | None = None,
    ) -> Submitted:
        """Answer a decision: by an option's index, a command, or a list of either.

        Without *decision* it is the one that :meth:`decision` or the last answer returned.
        The first refused answer of a list ends it; the answers before it stay applied.
        """
        decoder = await self.decoder()
        pending = decision or self._decision or await self.decision()
        if pending is None:
            raise errors.StaleDecision("no decision of yours is pending")
        request = rpc.SubmitAnswersRequest(
            match_id=self.match_id,
            decision_id=pending if isinstance(pending, str) else pending.decision_id,
            request_id=request_id or new_request_id(),
            answers=answers(decoder.game, choice),
            with_options=True,
        )
        self._decision = None
        submitted = decoder.submitted(await self._call(self._stub.SubmitAnswers, request))
        self._decision = submitted.decision
        return submitted

    async def explain(self, command: Command[Any], seat: int | None = None) -> Explained:
        """Return whether *command* would be legal now, and why not; nothing changes."""
        to = translator((await self.decoder()).game)
        request = rpc.ExplainCommandRequest(
            match_id=self.match_id, command=to.command_to(command), seat=seat, language="en"
        )
        return explained(await self._call(self._stub.ExplainCommand, request))

    def watch(
        self,
        *,
        view: bool = True,
        options: bool = True,
        seat: int | None = None,
        resume_token: str = "",
        patience: float = 300.0,
        presence: bool = False,
        reactions: bool = False,
    ) -> AsyncGenerator[Update, None]:
        """Yield what happens until the match is over; reconnect after a failure.

        It begins with the match as it is, or right after *resume_token*. With *presence* and
        *reactions* updates also say which players are there, and show reactions. Raise the last
        error if no server answers for *patience* seconds.
        """
        request = rpc.WatchMatchRequest(
            match_id=self.match_id,
            resume_token=resume_token,
            with_view=view,
            with_options=options,
            seat=seat,
            with_presence=presence,
            with_reactions=reactions,
        )
        return watch_loop.watch(self.transport, self.decoder, request, self.secret, patience)

    async def play(
        self,
        bot: Bot,
        *,
        on_failure: OnFailure = "raise",
        in_thread: bool = False,
        patience: float = 300.0,
        proposals: Proposals = "leave",
        events: bool = False,
    ) -> MatchInfo:
        """Let *bot* answer every decision of our seats until the match is over.

        *on_failure* says what follows if the bot fails (see
        :mod:`taflhall_client.bot_calls`); *in_thread* runs a bot that thinks for long
        outside the event loop; *proposals* is the response to what others propose meanwhile; with
        *events* each decision comes with what has happened since the one before, and nothing of it
        is lost with a stream.
        """
        seats = play_loop.Seats(self.match_id, self.secret, self.resign)
        how = play_loop.Behaviour(on_failure, in_thread, patience, proposals, events=events)
        return await play_loop.play(self.transport, await self.decoder(), seats, bot, how)

    async def resign(self, seat: int | None = None) -> MatchInfo:
        """Resign *seat*, or the lowest of ours."""
        request = rpc.ResignSeatRequest(
            match_id=self.match_id, seat=seat, request_id=new_request_id()
        )
        return await self._changed(self._stub.ResignSeat, request)

    async def leave(self, seat: int | None = None) -> MatchInfo:
        """Leave *seat*, or all of ours, before the match starts."""
        request = rpc.LeaveMatchRequest(
            match_id=self.match_id, seat=seat, request_id=new_request_id()
        )
        return await self._changed(self._stub.LeaveMatch, request)

    async def delegate(
        self,
        name: str,
        seat: int | None = None,
        kind: SeatKind = SeatKind.PERSON,
        *,
        permanent: bool = False,
    ) -> Match:
        """Let a deputy act for *seat*; return the match as the deputy sees it.

        We still see everything and may :meth:`reclaim` the seat, unless it is *permanent*.
        """
        request = rpc.DelegateSeatRequest(
            match_id=self.match_id,
            seat=seat,
            name=name,
            kind=kind.value,  # type: ignore[arg-type]
            permanent=permanent,
            request_id=new_request_id(),
        )
        reply = await self._call(self._stub.DelegateSeat, request)
        decoder, secret = self._decoder_of(reply.match), reply.deputy_secret
        seats = [] if seat is None else [seat]
        return Match(self.transport, self.match_id, secret, decoder=decoder, seats=seats)

    async def reclaim(self, seat: int | None = None) -> MatchInfo:
        """Reclaim *seat*: its deputy or stand-in stops."""
        request = rpc.ReclaimSeatRequest(match_id=self.match_id, seat=seat)
        return await self._changed(self._stub.ReclaimSeat, request)

    async def undo(self, seat: int | None = None, to_revision: int | None = None) -> MatchInfo:
        """Propose to take answers back, to the table at *to_revision*.

        The default is before the latest answer of *seat*. If no other consent is needed, it
        happens at once and the match returned has no proposal. Raise
        :exc:`~taflhall_client.errors.NothingToUndo` if *seat* has not answered yet,
        :exc:`~taflhall_client.errors.CannotUndo` if something hidden was shown since.
        """
        request = rpc.ProposeToPlayersRequest(
            match_id=self.match_id, seat=seat, request_id=new_request_id()
        )
        request.undo.SetInParent()
        if to_revision is not None:
            request.undo.to_revision = to_revision
        return await self._changed(self._stub.ProposeToPlayers, request)

    async def abandon(self, seat: int | None = None) -> MatchInfo:
        """End the match without a winner, or propose it to the others who play.

        Before it starts only its creator can, with the creator's secret.
        """
        with contextlib.suppress(errors.ConsentRequired):
            alone = rpc.AbandonMatchRequest(match_id=self.match_id, request_id=new_request_id())
            return await self._changed(self._stub.AbandonMatch, alone)
        request = rpc.ProposeToPlayersRequest(
            match_id=self.match_id, seat=seat, request_id=new_request_id()
        )
        request.abandon.SetInParent()
        return await self._changed(self._stub.ProposeToPlayers, request)

    async def respond(self, agree: bool = True, proposal: Proposal | str = "") -> MatchInfo:
        """Agree to *proposal* (default: the current one) for all our seats, or refuse it."""
        if not proposal:
            found = (await self.get()).match.proposal
            if found is None:
                raise errors.NoSuchProposal("nothing is proposed")
            proposal = found
        request = rpc.RespondToProposalRequest(
            match_id=self.match_id,
            proposal_id=proposal if isinstance(proposal, str) else proposal.proposal_id,
            agree=agree,
            request_id=new_request_id(),
        )
        return await self._changed(self._stub.RespondToProposal, request)

    async def record(self) -> dict[str, Any]:
        """Return the record of a match that is over as plain data (see ``kernel/record.py``)."""
        request = rpc.GetMatchRecordRequest(match_id=self.match_id)
        reply = await self._call(self._stub.GetMatchRecord, request)
        return (await self.decoder()).record(reply.record)

    async def view_at(self, revision: int, seat: int | None = None) -> PastView:
        """Return what *seat* could know after *revision* commands."""
        request = rpc.GetMatchViewRequest(match_id=self.match_id, revision=revision, seat=seat)
        reply = await self._call(self._stub.GetMatchView, request)
        return (await self.decoder()).past(revision, reply)

    async def history(
        self, first: int = 1, last: int | None = None, seat: int | None = None
    ) -> AsyncGenerator[RevisionEvents]:
        """Yield what *seat* may know of the revisions *first* to *last* (the newest), in order."""
        request = rpc.ListMatchEventsRequest(
            match_id=self.match_id, first_revision=first, last_revision=last, seat=seat
        )
        while True:
            reply = await self._call(self._stub.ListMatchEvents, request)
            decoder = await self.decoder()
            for revision in reply.revisions:
                yield decoder.revision(revision)
            if not reply.next_page_token:
                return
            request.page_token = reply.next_page_token

    async def _changed(self, method: Any, request: Any) -> MatchInfo:
        reply = await self._call(method, request)
        if self._decoder is None:  # the secret may no longer be valid
            self._decoder = self._decoder_of(reply.match)
        return self._decoder.match(reply.match)

    @property
    def _stub(self) -> Any:
        return self.transport.match_stub

    async def _call(self, method: Any, request: Any) -> Any:
        return await self.transport.call(method, request, self.secret)
