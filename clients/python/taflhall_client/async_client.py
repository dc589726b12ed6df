"""The client for programs that use asyncio.

::

    async with Client("localhost:50051") as client:
        match = await client.create("yggdrasil", setup={"gods": ["odin", "thor"]})
        seat = await match.join("Ann", seats=[0, 1])
        await match.start()
        async for update in seat.watch():
            for event in update.events:
                print(event)

Everything is in the engine's own values (:class:`~taflhall_engine.kernel.game.View`,
commands, events), so what works with a hosted match works in process too. Calls whose
outcome is unknown are repeated with the same request id until the deadline; what remains is
raised as one of :mod:`taflhall_client.errors`. :mod:`taflhall_client.sync` is the same for
programs that do not use asyncio.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from typing import Any, Final, Self

import grpc

from taflhall.v1 import catalog_service_pb2 as catalog
from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1.catalog_service_pb2_grpc import CatalogServiceStub
from taflhall.v1.lobby_service_pb2_grpc import LobbyServiceStub
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from taflhall_client import errors, lobby_loop, play_all_loop, record_analysis
from taflhall_client.addresses import check_key
from taflhall_client.backoff import Backoff, Timing
from taflhall_client.bot_calls import OnFailure, Proposals
from taflhall_client.channel import check_process, connect, metadata, new_request_id
from taflhall_client.clocks import TimeControl
from taflhall_client.error_decoding import from_call
from taflhall_client.hosted_tournaments import Tournaments
from taflhall_client.lobby_loop import LobbyUpdate
from taflhall_client.match import Match
from taflhall_client.messages import (
    MessageDecoder,
    game_info,
    match_info,
)
from taflhall_client.play_all_loop import BotOffer, NewBot, PlayedMatch
from taflhall_client.play_loop import Behaviour, Seats
from taflhall_client.results import (
    GameInfo,
    JudgedAnswer,
    MatchInfo,
    SeatFilter,
    SeatKind,
    Status,
)
from taflhall_client.setting_messages import spectators_to, time_control_to
from taflhall_client.spectators import PUBLIC, SpectatorSettings
from taflhall_client.tls import TLS
from taflhall_client.unreachable import explain
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import Value
from taflhall_wire.translate import translator

__all__ = ["TLS", "Client", "Match"]

FAULTS: Final = 3
"""How often a call is repeated that ends in a fault of the server."""


class Client:
    """A connection to a server.

    *address* is ``host:port`` or a gRPC target; several ``IP:port`` with commas between are
    replicas, of which the client uses those that answer. *deadline* is how many seconds a call
    may take with all its repetitions, *connect_deadline* the same, and the patience of a stream,
    until a server has answered for the first time, *timing* how long single steps may take; *key*
    is the API key of an account, for every match in which no secret says more; *tls* is how to
    speak TLS (``TLS()`` as a browser does; left out, the connection is in the clear); *game*
    returns the engine's game of an id (with other component data, for instance). Raise
    :exc:`~taflhall_client.errors.InvalidAddress` or :exc:`~taflhall_client.errors.ApiKeyInvalid`
    for what cannot be an address or a key.
    """

    def __init__(
        self,
        address: str,
        *,
        deadline: float = 30.0,
        connect_deadline: float = 5.0,
        timing: Timing = Timing(),  # noqa: B008  (it is immutable)
        key: str | None = None,
        tls: TLS | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        game: Callable[[str], Game] = registry.game,
    ) -> None:
        self.deadline = deadline
        self._connect_deadline = connect_deadline
        self._reached = False
        self.timing: Final = timing
        self.game = game
        check_key(key)
        self.key: Final = key
        self.address: Final = address
        if tls is not None and credentials is None:
            credentials = tls.credentials()
        self.secure: Final = credentials is not None
        self.channel: Final = connect(address, credentials)
        """The connection, for stubs of other services."""
        self.match_stub: Final = MatchServiceStub(self.channel)
        self.lobby_stub: Final = LobbyServiceStub(self.channel)
        self.catalog_stub: Final = CatalogServiceStub(self.channel)
        self.tournaments: Final = Tournaments(self, self.channel)
        """The tournaments that the server runs."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; open streams end."""
        await self.channel.close()

    async def games(self) -> list[GameInfo]:
        """Return the games of the server."""
        reply = await self.call(
            self.catalog_stub.ListGames, catalog.ListGamesRequest(language="en")
        )
        return [game_info(game, self.game_or_none(game.id)) for game in reply.games]

    async def create(
        self,
        game: str,
        setup: Value | Mapping[str, Any] | None = None,
        *,
        title: str = "",
        start_when_full: bool = False,
        time_control: TimeControl | None = None,
        spectators: SpectatorSettings = PUBLIC,
        labels: Mapping[str, str] | None = None,
        unlisted: bool = False,
        invitation_required: bool = False,
    ) -> Match:
        """Open a match; the :class:`Match` returned may start it.

        *setup* is the engine's setup or its fields in words; missing fields take their
        defaults. Raise :exc:`~taflhall_client.errors.InvalidSetup` with all faults of the
        setup. A *time_control* limits the time of the seats;
        *spectators* says who may watch the match; *labels* are notes by which lists find it. An
        *unlisted* match is listed only for those who take part; *invitation_required* keeps out
        those without an invitation or the match's ``join_code``.
        """
        known = self.game(game)
        chosen = setup if isinstance(setup, Value) else setups.from_data(known, setup or {})
        request = rpc.CreateMatchRequest(
            setup=translator(known).setup_to(chosen),
            title=title,
            start_when_full=start_when_full,
            request_id=new_request_id(),
            time_control=None if time_control is None else time_control_to(time_control),
            spectators=spectators_to(spectators),
            labels=labels,
            unlisted=unlisted,
            invitation_required=invitation_required,
        )
        reply = await self.call(self.match_stub.CreateMatch, request)
        decoder = MessageDecoder(known, reply.match.data_digest.hex())
        secret, code = reply.creator_secret, reply.join_code
        return Match(self, reply.match.id, secret, decoder=decoder, join_code=code)

    def match(self, match_id: str, secret: str | None = None) -> Match:
        """Return the match of that id, to act with *secret* or to watch without."""
        return Match(self, match_id, secret)

    async def matches(
        self,
        game: str = "",
        status: Status = Status.UNKNOWN,
        limit: int = 50,
        *,
        account: str = "",
        creator: str = "",
        seat: SeatFilter = SeatFilter.ANY,
        labels: Mapping[str, str] | None = None,
        text: str = "",
        oldest_first: bool = False,
    ) -> list[MatchInfo]:
        """Return the newest matches, at most *limit*, that pass every filter given.

        *account* holds a seat, *creator* opened the match (``"me"``: the account of our key); the
        match has all of *labels*, and its title every word of *text*.
        """
        found: list[MatchInfo] = []
        token = ""
        order = rpc.MATCH_ORDER_OLDEST_FIRST if oldest_first else rpc.MATCH_ORDER_NEWEST_FIRST
        while len(found) < limit:
            request = rpc.ListMatchesRequest(
                game=game,
                status=status.value,  # type: ignore[arg-type]
                account_id=account,
                creator_account_id=creator,
                seat=seat.value,  # type: ignore[arg-type]
                labels=labels,
                text=text,
                order=order,
                page_size=min(100, limit - len(found)),
                page_token=token,
            )
            reply = await self.call(self.match_stub.ListMatches, request)
            found += [match_info(m, self.game_or_none(m.game)) for m in reply.matches]
            token = reply.next_page_token
            if not token:
                break
        return found

    async def find_match(
        self,
        game: str,
        name: str,
        setup: Value | Mapping[str, Any] | None = None,
        *,
        time_control: TimeControl | None = None,
        spectators: SpectatorSettings = PUBLIC,
        labels: Mapping[str, str] | None = None,
        kind: SeatKind = SeatKind.PERSON,
    ) -> Match:
        """Sit down at an open match that fits, or at a new one; it starts when it is full."""
        known = self.game(game)
        chosen = setup if isinstance(setup, Value) else setups.from_data(known, setup or {})
        request = lobby.FindMatchRequest(
            setup=translator(known).setup_to(chosen),
            time_control=None if time_control is None else time_control_to(time_control),
            spectators=spectators_to(spectators),
            labels=labels,
            name=name,
            kind=kind.value,  # type: ignore[arg-type]
            request_id=new_request_id(),
        )
        reply = await self.call(self.lobby_stub.FindMatch, request)
        decoder = MessageDecoder(known, reply.match.data_digest.hex())
        return Match(self, reply.match.id, reply.seat_secret, decoder=decoder, seats=[reply.seat])

    async def join_by_code(self, code: str, name: str, kind: SeatKind = SeatKind.PERSON) -> Match:
        """Take the lowest free seat of the match with a join code."""
        request = rpc.JoinMatchRequest(
            join_code=code,
            name=name,
            kind=kind.value,  # type: ignore[arg-type]
            request_id=new_request_id(),
        )
        reply = await self.call(self.match_stub.JoinMatch, request)
        return Match(self, reply.match.id, reply.seat_secret, seats=reply.seats)

    def watch_lobby(
        self,
        game: str = "",
        status: Status = Status.UNKNOWN,
        *,
        labels: Mapping[str, str] | None = None,
        text: str = "",
        patience: float = 300.0,
    ) -> AsyncGenerator[LobbyUpdate, None]:
        """Yield what changes among the matches that pass the filter; reconnect after a failure.

        List the matches once the watch has begun, and then take each update.
        """
        wanted = rpc.ListMatchesRequest(
            game=game,
            status=status.value,  # type: ignore[arg-type]
            labels=labels,
            text=text,
        )
        return lobby_loop.watch_lobby(self, wanted, patience)

    def play_all(
        self,
        new_bot: NewBot,
        *,
        seats: Iterable[Match] = (),
        offer: BotOffer | None = None,
        on_failure: OnFailure = "neutral",
        in_thread: bool = True,
        think_seconds: float | None = None,
        patience: float = 300.0,
        proposals: Proposals = "agree",
        events: bool = False,
    ) -> AsyncGenerator[PlayedMatch, None]:
        """Let bots play in many matches over one stream; yield each that enters or leaves.

        *new_bot* makes the bot of a match. These *seats* are played until all their matches have
        left; without any, all those of the account of our key, now and later, until the caller
        stops. An account of kind bot may state with *offer* which invitations it accepts. The rest
        is as in :meth:`Match.play`, except that a bot that fails, or thinks for more than
        *think_seconds* (with *in_thread*), is replaced by a new one, which is asked once more.
        """
        how = Behaviour(on_failure, in_thread, patience, proposals, think_seconds, events=events)
        secrets = {match.match_id: match.secret or "" for match in seats}

        def seats_of(match_id: str, secret: str | None) -> Seats:
            return Seats(match_id, secret, self.match(match_id, secret).resign)

        host = play_all_loop.Host(self, seats_of)
        return play_all_loop.play_all(host, new_bot, secrets, offer, how)

    def analyse(
        self,
        record: Mapping[str, Any],
        *,
        first_revision: int = 1,
        iterations: int = 100,
        trials: int = 30,
        seed: int = 0,
    ) -> AsyncGenerator[JudgedAnswer, None]:
        """Let the server judge the decisions of a finished match, and yield each as it is judged.

        *record* is that of :meth:`Match.record`, or of a match in process. The server searches each
        decision from its seat's own view, for *iterations*, and tries the best answer and the one
        that was given *trials* times (2 to 200); decisions without a choice are left out. The same
        *seed* gives the same judgements. Raise
        :exc:`~taflhall_engine.kernel.replay.RecordError` if it is no record, and
        :exc:`~taflhall_client.errors.Malformed` if it does not replay.
        """
        return record_analysis.analyse(
            self, self.channel, record, first_revision, iterations, trials, seed
        )

    async def call(self, method: Any, request: Any, secret: str | None = None) -> Any:
        """Make one call of the contract; repeat it while its outcome is unknown.

        Raise one of :mod:`taflhall_client.errors`.
        """
        check_process()
        begin = time.monotonic()
        backoff = Backoff(self.timing)
        faults = 0
        before: errors.TaflhallError | None = None
        while True:
            left = begin + self.patience_for(self.deadline) - time.monotonic()
            try:
                reply = await method(
                    request,
                    timeout=max(0.001, min(left, self.timing.attempt)),
                    metadata=metadata(secret or self.key),
                )
            except grpc.aio.AioRpcError as error:
                failure = await self.failure(error)
                faults += error.code() in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
            else:
                self._reached = True
                return reply
            if isinstance(failure, errors.TimedOut) and before is not None:
                failure = before
            before = failure
            if not isinstance(failure, errors.Uncertain | errors.RateLimited) or faults > FAULTS:
                raise failure
            pause = backoff.pause_for(failure)
            if time.monotonic() + pause >= begin + self.patience_for(self.deadline):
                raise failure
            await asyncio.sleep(pause)

    def notice(self) -> None:
        """Remember that a server has answered."""
        self._reached = True

    @property
    def silence(self) -> float:
        """For how many seconds a stream may be silent: fewer before a server has answered."""
        return self.patience_for(self.timing.silence)

    def patience_for(self, seconds: float) -> float:
        """Return how long to wait for a server: *seconds*, but less before one has answered."""
        return seconds if self._reached else min(seconds, self._connect_deadline)

    def open(self, method: Any, *request: Any, secret: str | None = None) -> Any:
        """Open a stream of the contract; the caller cancels it."""
        return method(*request, metadata=metadata(secret or self.key))

    async def failure(self, error: grpc.aio.AioRpcError) -> errors.TaflhallError:
        """Return the client's error for a call that failed with *error*."""
        failure = from_call(error)
        self._reached |= not isinstance(failure, errors.Unreachable | errors.TimedOut)
        return await self.explained(failure)

    async def explained(self, failure: errors.TaflhallError) -> errors.TaflhallError:
        """Return *failure* with a sentence that says why no server can be reached."""
        return await explain(self.address, self.secure, failure, reached=self._reached)

    def game_or_none(self, name: str) -> Game | None:
        """Return the engine's game of an id, ``None`` if this client does not know it."""
        try:
            return self.game(name)
        except registry.UnknownGame:
            return None
