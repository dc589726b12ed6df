"""Bots at many hosted tables over one stream: the loop behind ``Client.play_all``.

A bot that fails is replaced by a new one, which is asked once more; if it fails again its
decision gets the answer that the caller chose (by default the rules' neutral one), so that no
match waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.bot import Bot
from taflhall_client.channel import Transport
from taflhall_client.error_decoding import from_rejection
from taflhall_client.messages import MessageDecoder
from taflhall_client.play_loop import POLICIES, Behaviour, Player, Seats
from taflhall_client.results import MatchInfo
from taflhall_client.resuming import Patience
from taflhall_client.watch_loop import OVER

NewBot = Callable[[MatchInfo], Bot | None]
"""Makes the bot for a match; ``None``: we do not play it, and our seats wait."""


@dataclass(frozen=True, slots=True)
class BotOffer:
    """Which invitations the account of a bot accepts."""

    max_matches: int = 0
    """How many matches it plays at once; 0: any number."""
    games: Sequence[str] = ()
    """The games that it plays; empty: all. Invitations to others are declined."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that has entered the stream, or has left it."""

    match_id: str
    match: MatchInfo | None
    """The match when it entered the stream, and again when it is over."""
    entered: bool = False
    seats: Sequence[int] = ()
    """The seats that the bot plays, of a match that has entered."""
    failure: errors.TaflhallError | None = None
    """Why we play it no longer, if it is not over."""


@dataclass(frozen=True, slots=True)
class Host:
    """What the loop needs of its client."""

    client: Any
    seats: Callable[[str, str | None], Seats]
    """Returns the seats of a match that a secret (``None``: the account) opens."""


async def play_all(
    host: Host,
    new_bot: NewBot,
    secrets: dict[str, str],
    offer: BotOffer | None,
    how: Behaviour,
) -> AsyncGenerator[PlayedMatch, None]:
    """Play all that the caller plays; yield each match that enters or leaves.

    With *secrets* (by match) it ends when all these matches have; without, it never does.
    """
    news: asyncio.Queue[PlayedMatch | None] = asyncio.Queue()
    tables = _Tables(host, new_bot, dict(secrets), how, news.put_nowait)
    streaming = asyncio.create_task(_stream(host.client, tables, offer, how.patience))
    streaming.add_done_callback(lambda _: news.put_nowait(None))
    try:
        while tables.left or not secrets or not news.empty():
            found = await news.get()
            if found is None:
                await streaming  # it has failed
            else:
                yield found
    finally:
        streaming.cancel()
        tables.stop()
        await asyncio.gather(streaming, return_exceptions=True)


async def _stream(client: Any, tables: _Tables, offer: BotOffer | None, patience: float) -> None:
    """Pass on what the server sends, over one stream after the other."""
    waiting = Patience(patience, client)
    while True:
        stream = _Stream(client.open(client.match_stub.PlayAll), client)
        tables.stream = stream
        failure: errors.TaflhallError = errors.Unreachable("the stream ended")
        try:
            await stream.send(tables.enter(offer))
            while True:
                updates = await stream.receive()
                waiting.heard()
                for update in updates:
                    tables.take(update)
        except grpc.aio.AioRpcError as error:
            failure = await client.failure(error)
        except (TimeoutError, EOFError):
            failure = await client.explained(errors.Unreachable("the stream fell silent"))
        finally:
            await stream.leave()
        await waiting.wait(failure)


class _Stream:
    """One PlayAll stream; what is said while a message is written travels with the next one."""

    def __init__(self, call: Any, transport: Transport) -> None:
        self._call = call
        self._transport = transport
        self._answers: list[rpc.PlayAllAnswer] = []
        self._filled = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None

    async def send(self, request: rpc.PlayAllRequest) -> None:
        """Send the first request; if the stream has ended, reading says why."""
        with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await self._call.write(request)
        self._sending = asyncio.create_task(self._send())

    def answer(self, match_id: str, answer: rpc.PlayAnswer) -> None:
        """Send an answer soon."""
        self._answers.append(rpc.PlayAllAnswer(match_id=match_id, answer=answer))
        self._filled.set()

    async def receive(self) -> Sequence[rpc.PlayAllUpdate]:
        """Return the next updates; raise ``TimeoutError`` or ``EOFError`` if none come."""
        async with asyncio.timeout(self._transport.silence):
            message = await self._call.read()
        if message is grpc.aio.EOF:
            raise EOFError
        updates: Sequence[rpc.PlayAllUpdate] = message.updates
        return updates

    async def leave(self) -> None:
        """Cancel the stream."""
        self._call.cancel()
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)

    async def _send(self) -> None:
        with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            while True:  # if the stream has ended, reading says why
                await self._filled.wait()
                self._filled.clear()
                answers, self._answers = self._answers, []
                await self._call.write(rpc.PlayAllRequest(answers=answers))


class _Table:
    """A match of the stream, and the bot that plays it."""

    def __init__(self, decoder: MessageDecoder, player: Player) -> None:
        self.decoder: Final = decoder
        self.player: Final = player
        self.heard: Final[asyncio.Queue[rpc.PlayResponse]] = asyncio.Queue()
        self.playing: asyncio.Task[None] | None = None

    async def play(self, answer: Callable[[rpc.PlayAnswer], None]) -> None:
        """Reply to what is heard, and pass on what the bot answers, until it has failed."""
        hearing = asyncio.create_task(self.heard.get())
        try:
            while True:
                thinking = self.player.thinking
                either = {hearing} if thinking is None else {hearing, thinking}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if hearing.done():
                    said = await self.player.reply(hearing.result())
                    hearing = asyncio.create_task(self.heard.get())
                else:
                    said = await self.player.answer()
                if said is not None:
                    answer(said)
        finally:
            hearing.cancel()

    def stop(self) -> None:
        """Stop waiting for the bot."""
        self.player.stop()
        if self.playing is not None:
            self.playing.cancel()


class _Tables:
    """The matches of one stream after the other; they outlive them."""

    def __init__(
        self,
        host: Host,
        new_bot: NewBot,
        left: dict[str, str],
        how: Behaviour,
        report: Callable[[PlayedMatch], None],
    ) -> None:
        self.stream: _Stream | None = None
        self.left: Final = left
        """The secrets of the seats that are still to be played, by match."""
        self._host = host
        self._new_bot = new_bot
        self._how = how
        self._report = report
        self._tables: dict[str, _Table] = {}

    def stop(self) -> None:
        """Stop waiting for the bots."""
        for table in self._tables.values():
            table.stop()

    def enter(self, offer: BotOffer | None) -> rpc.PlayAllRequest:
        """Return the first request."""
        policy = POLICIES[self._how.proposals]
        enter = rpc.PlayAllEnter(with_view=True, with_events=self._how.events, proposals=policy)
        if offer is not None:
            enter.offer.max_matches = offer.max_matches
            enter.offer.games.extend(offer.games)
        seats = [
            rpc.SeatCredential(match_id=match_id, seat_secret=secret)
            for match_id, secret in self.left.items()
        ]
        return rpc.PlayAllRequest(enter=enter, seats=seats)

    def take(self, update: rpc.PlayAllUpdate) -> None:
        """Take an update."""
        match_id, kind = update.match_id, update.WhichOneof("update")
        if kind == "entered":
            self._enter(update.entered)
        elif kind == "failure":
            why = update.failure
            refused = rpc.PlayRejection(reason=why.reason, metadata=why.metadata)
            self._leave(match_id, failure=from_rejection(refused))
        elif kind == "play" and match_id in self._tables:
            table, said = self._tables[match_id], update.play
            if said.WhichOneof("response") != "end":
                table.heard.put_nowait(said)
            elif said.end.cause in OVER:
                self._leave(match_id, table.decoder.match(said.end.match))
            else:
                failure = errors.Replaced("another caller plays this seat now")
                self._leave(match_id, failure=failure)

    def _enter(self, entered: rpc.PlayAllEntered) -> None:
        message = entered.match
        if message.id in self._tables:
            return  # the stream was opened again
        try:
            game = self._host.client.game(message.game)
            decoder = MessageDecoder(game, message.data_digest.hex())
            decoder.check_data()
            match = decoder.match(message)
            bot = self._new_bot(match)
        except errors.TaflhallError as failure:
            self._leave(message.id, failure=failure)
            return
        if bot is None:
            self._leave(message.id, match, errors.BotFailed("no bot plays this"))
            return
        seats = self._host.seats(message.id, self.left.get(message.id))

        def remake() -> Bot:
            return self._new_bot(match) or bot

        how = replace(self._how, remake=remake)
        table = self._tables[message.id] = _Table(decoder, Player(decoder, seats, bot, how))
        self._report(PlayedMatch(message.id, match, entered=True, seats=list(entered.seats)))
        table.playing = asyncio.create_task(self._play(message.id, table))

    async def _play(self, match_id: str, table: _Table) -> None:
        """Play a match until its bot has failed, or its answer is refused for good."""
        try:
            await table.play(lambda answer: self._answer(match_id, answer))
        except errors.TaflhallError as failure:
            self._leave(match_id, failure=failure)

    def _answer(self, match_id: str, answer: rpc.PlayAnswer) -> None:
        """Send an answer on the present stream; if that is lost, the bot is asked again."""
        if self.stream is not None:
            self.stream.answer(match_id, answer)

    def _leave(
        self,
        match_id: str,
        match: MatchInfo | None = None,
        failure: errors.TaflhallError | None = None,
    ) -> None:
        self.left.pop(match_id, None)
        table = self._tables.pop(match_id, None)
        if table is not None:
            table.stop()
        self._report(PlayedMatch(match_id, match, failure=failure))
