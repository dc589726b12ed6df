"""PlayAll: one stream for all matches that a caller plays.

Each match has a :class:`~taflhall_service.rpc.player.Player` of its own, as a Play stream has.
What the players write is collected in an :class:`Outbox` and travels together, and so may the
answers: a message costs more than what it carries.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from uuid import uuid4

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Account, Role
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, authorize
from taflhall_service.app.errors import (
    Draining,
    Forbidden,
    Malformed,
    MatchNotFound,
    Refused,
    SeatDelegated,
    SecretMissing,
    TooManyMatches,
)
from taflhall_service.app.matches.clock_updates import resume_clocks
from taflhall_service.app.matches.indexes import index_of, invited_scope, seated_scope
from taflhall_service.app.matches.invitations import DeclineInvitation
from taflhall_service.app.matches.join import JoinMatch, join
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import PROGRAM, name_for
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, act
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.model.match import OPEN, PLAYING, Match
from taflhall_service.app.watching.announcements import Announcement
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.call import Call, mark_retrieved
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.outbox import Outbox
from taflhall_service.rpc.player import Player, Players, PlayWants, ends_the_stream
from taflhall_service.rpc.requests import game_named
from taflhall_service.rpc.status import info_of
from taflhall_wire.field_bytes import nested

PAGE: Final = 200
"""Matches of an account that are looked up at once."""

SCAN_SECONDS: Final = 10.0
"""How often the matches of an account are looked for, should an announcement be lost."""

QUEUED: Final = 16
"""Answers to one match that wait while an earlier one is carried out."""

MAX_SEATS: Final = 1000
"""Seats that one message may name."""

_UPDATES: Final = pb.PlayAllResponse.UPDATES_FIELD_NUMBER
_PLAY: Final = pb.PlayAllUpdate.PLAY_FIELD_NUMBER


async def play_all(
    matches: Matches, writer: Writer, meter: Meter, players: Players, call: Call
) -> None:
    """Serve PlayAll."""
    seconds = matches.limits.enter_seconds
    first: pb.PlayAllRequest | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            first = await call.read(pb.PlayAllRequest)
    if first is None or not first.HasField("enter"):
        raise Malformed(field="enter", expected=f"enter first, within {seconds:g} s")
    offer = Offer.of(first.enter, call.identity)
    wants = PlayWants.of(first.enter)
    await _Stream(matches, writer, meter, players, call, wants, offer).run(first)


class Offer(NamedTuple):
    """Which invitations a bot accepts."""

    account: Account
    max_matches: int
    """0: any number."""
    games: frozenset[str]
    """Empty: all."""

    @classmethod
    def of(cls, enter: pb.PlayAllEnter, identity: Identity) -> Offer | None:
        """Return what *enter* offers, or raise ``Malformed``, ``Forbidden`` or ``UnknownGame``."""
        if not enter.HasField("offer"):
            return None
        account = identity.account
        if account is None or account.role != Role.BOT:
            raise Forbidden
        if enter.offer.max_matches < 0:
            raise Malformed(field="enter.offer.max_matches", expected="0 or more")
        games = [game_named(name, "enter.offer.games").id for name in enter.offer.games]
        return cls(account, enter.offer.max_matches, frozenset(games))


class _MatchSink:
    """Where a player of one match writes."""

    def __init__(self, outbox: Outbox, match_id: str) -> None:
        self._outbox = outbox
        self._match_id = pb.PlayAllUpdate(match_id=match_id).SerializeToString()

    async def write(self, message: bytes) -> None:
        await self._outbox.put(nested(_UPDATES, self._match_id + nested(_PLAY, message)))


class _Place:
    """A match of the stream."""

    def __init__(self, player: Player) -> None:
        self.player: Final = player
        self.prompting: Final = asyncio.create_task(player.prompter())
        self.answers: deque[pb.PlayAnswer] = deque()
        self.answering: asyncio.Task[None] | None = None

    async def answer_all(self) -> None:
        """Carry out the answers that have arrived."""
        while self.answers and not self.player.closed:
            await self.player.answer(self.answers.popleft())


class _Stream:
    """The matches of one caller, and the stream that they share."""

    def __init__(
        self,
        matches: Matches,
        writer: Writer,
        meter: Meter,
        players: Players,
        call: Call,
        wants: PlayWants,
        offer: Offer | None,
    ) -> None:
        self._offer = offer
        self._matches = matches
        self._writer = writer
        self._meter = meter
        self._players = players
        self._call = call
        self._wants = wants
        self._outbox = Outbox(call, matches.limits.heartbeat_seconds)
        self._places: dict[str, _Place] = {}
        self._given_up: set[str] = set()
        """Matches whose seats another stream has taken over."""
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        account = call.identity.account
        self._account = "" if account is None else account.id
        self._candidates: set[str] = set()
        """Matches that the account may have entered or left."""
        self._rescan = True
        self._turned_away = False
        """Whether a match has found no room in the stream."""
        self._news = asyncio.Event()

    async def run(self, first: pb.PlayAllRequest) -> None:
        """Serve the stream until the caller has sent all, or it fails."""
        if not self._account and not first.seats:
            raise SecretMissing
        reading = asyncio.create_task(self._read(first))
        writing = asyncio.create_task(self._outbox.run())
        draining = asyncio.create_task(self._matches.hub.drained.wait())
        tasks: list[asyncio.Future[Any]] = [reading, writing, draining, self._failed]
        try:
            if self._account:
                await self._matches.announcements.listen(self._on_announcements)
                tasks.append(asyncio.create_task(self._follow_account()))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if reading.done() and reading.exception() is None:
                await self._finish(writing)
        finally:
            self._matches.announcements.ignore(self._on_announcements)
            for place in self._places.values():
                place.prompting.cancel()
                place.player.close(place.answering)
            self._outbox.stop()  # a stream can end only after a message
            for task in tasks:
                if task is not writing:
                    task.cancel()
            prompting = [place.prompting for place in self._places.values()]
            for task in (*tasks, *prompting):
                task.add_done_callback(mark_retrieved)
            await asyncio.wait((*tasks, *prompting))
        for task in tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                await task
        if self._matches.hub.draining:
            raise Draining

    async def _finish(self, writing: asyncio.Task[None]) -> None:
        """Carry out what the caller has answered last, and write what follows from it."""
        answering = [p.answering for p in self._places.values() if p.answering is not None]
        if answering:
            await asyncio.wait(answering)
        self._outbox.finish()
        await asyncio.wait((writing,))

    async def _read(self, request: pb.PlayAllRequest | None) -> None:
        """Take seats and answers until the caller has sent all."""
        while request is not None:
            if len(request.seats) > MAX_SEATS:
                raise Malformed(field="seats", expected=f"at most {MAX_SEATS} in one message")
            for seat in request.seats:
                await self._take_seat(seat)
            if len(request.answers) > 1:
                await self._call.charge(len(request.answers) - 1)
            for answer in request.answers:
                await self._take_answer(answer)
            self._outbox.greet()
            request = await self._call.read(pb.PlayAllRequest)
            if request is not None and request.HasField("enter"):
                raise Malformed(field="enter", expected="to be set in the first message only")

    async def _take_seat(self, seat: pb.SeatCredential) -> None:
        if self._account:
            raise Malformed(field="seats", expected="none with an API key")
        if seat.match_id in self._places:
            raise Malformed(field="seats", expected="one secret for each match")
        self._call.spend_lookup()
        try:
            match = await self._matches.current(seat.match_id)
            identity = Identity(seat.seat_secret)
            await self._enter(match, identity)
        except Refused as refused:
            self._call.charge_lookup(refused)
            await self._leave_with(seat.match_id, refused)

    async def _enter(self, match: Match, identity: Identity) -> None:
        """Let a match enter the stream, or raise why it cannot."""
        caller = authorize(Action.PLAY, identity, match)
        seats = caller.acting
        if not seats:
            raise SeatDelegated(seat=caller.seats[0])
        limit = self._matches.limits.stream_matches
        if len(self._places) >= limit:
            raise TooManyMatches(limit=limit)
        await resume_clocks(self._matches, match)
        entered = pb.PlayAllEntered(match=self._writer.match(match), seats=seats)
        await self._put(pb.PlayAllUpdate(match_id=match.id, entered=entered))
        sink = _MatchSink(self._outbox, match.id)
        player = Player(
            self._matches, self._writer, self._meter, sink, identity, match, seats, self._wants
        )
        other = self._players.get((match.id, seats))
        if other is not None:
            other.replace()
        self._players[match.id, seats] = player
        place = self._places[match.id] = _Place(player)
        place.prompting.add_done_callback(lambda _: self._left(match.id, place))

    def _left(self, match_id: str, place: _Place) -> None:
        """Let go of a match whose player has ended, or has failed."""
        if place.player.closed:
            return
        place.player.close(place.answering)
        del self._places[match_id]
        if place.player.replaced:
            self._given_up.add(match_id)
        if self._turned_away:
            self._turned_away, self._rescan = False, True
            self._news.set()
        error = None if place.prompting.cancelled() else place.prompting.exception()
        if isinstance(error, Refused) and not ends_the_stream(error):
            self._matches.track(asyncio.create_task(self._leave_with(match_id, error)))
        elif error is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)

    async def _leave_with(self, match_id: str, refused: Refused) -> None:
        """Send why a match has left the stream, or did not enter it."""
        if ends_the_stream(refused):
            raise refused
        info = info_of(refused)
        failure = pb.PlayAllFailure(reason=info.reason, metadata=info.metadata)
        await self._put(pb.PlayAllUpdate(match_id=match_id, failure=failure))

    async def _put(self, update: pb.PlayAllUpdate) -> None:
        await self._outbox.put(nested(_UPDATES, update.SerializeToString()))

    async def _take_answer(self, answer: pb.PlayAllAnswer) -> None:
        place = self._places.get(answer.match_id)
        if place is None:
            info = info_of(MatchNotFound(match_id=answer.match_id[:64]))
            rejection = pb.PlayRejection(
                decision_id=answer.answer.decision_id, reason=info.reason, metadata=info.metadata
            )
            play = pb.PlayResponse(rejection=rejection)
            await self._put(pb.PlayAllUpdate(match_id=answer.match_id[:64], play=play))
            return
        if len(place.answers) >= QUEUED and place.answering is not None:
            await asyncio.wait((place.answering,))
        place.answers.append(answer.answer)
        if place.answering is None or place.answering.done():
            place.answering = asyncio.create_task(place.answer_all())
            place.answering.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._fail(error)

    def _on_announcements(self, news: Sequence[Announcement] | None) -> None:
        if news is None:
            self._rescan = True
        else:
            self._candidates.update(
                match_of(n.index_key) for n in news if self._account in n.accounts
            )
        if self._rescan or self._candidates:
            self._news.set()

    async def _follow_account(self) -> None:
        """Let the matches of the account enter as it takes seats."""
        while True:
            if self._rescan:
                self._rescan = False
                await self._find_matches()
            while self._candidates:
                await self._consider(self._candidates.pop())
            self._news.clear()
            try:
                async with asyncio.timeout(SCAN_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                self._rescan = True

    async def _find_matches(self) -> None:
        """Find the matches of the account that are not over, the newest first."""
        store, seated = self._matches.store, seated_scope(self._account)
        indexes = [index_of("", status, seated) for status in (PLAYING, OPEN)]
        if self._offer is not None:
            indexes.append(index_of("", OPEN, invited_scope(self._account)))
        for index in indexes:
            before = ""
            while index_keys := await store.index_page(before, PAGE, index):
                before = index_keys[-1]
                for index_key in index_keys:
                    if match_of(index_key) not in self._places:
                        await self._consider(match_of(index_key))

    async def _consider(self, match_id: str) -> None:
        """Let a match enter if the account plays in it and there is room."""
        if match_id in self._places or match_id in self._given_up:
            return
        if len(self._places) >= self._matches.limits.stream_matches:
            self._turned_away = True
            return
        try:
            match: Match | None = await self._matches.current(match_id)
            if match is not None and match.status == OPEN and self._offer is not None:
                match = await self._invited(match, self._offer)
            if match is not None and not match.over:
                await self._enter(match, self._call.identity)
        except Refused as refused:
            if ends_the_stream(refused):
                raise

    async def _invited(self, match: Match, offer: Offer) -> Match | None:
        """Accept or decline an invitation; return the match unless it is not ours to play."""
        identity, account = self._call.identity, offer.account
        invited = [n for n, seat in enumerate(match.seats) if seat.invited == account.id]
        if not invited:
            return match
        if offer.games and match.game.id not in offer.games:
            await act(
                self._matches, match.id, DeclineInvitation(identity, uuid4().hex, NO_FINGERPRINT)
            )
            return None
        if offer.max_matches and len(self._places) >= offer.max_matches:
            self._turned_away = True  # it is looked at again when there is room
            return None
        name = name_for(match, account.name)
        request = JoinMatch.of(
            self._matches.limits, identity, invited, name, PROGRAM, "", NO_FINGERPRINT
        )
        return (await join(self._matches, match.id, request)).match
