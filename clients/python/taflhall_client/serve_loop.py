"""Bots at many hosted tables over one stream: the loop behind ``Client.serve``.

A bot that fails is made anew and asked once more; if it fails again its decision gets the answer
that the caller chose (by default the rules' neutral one), so that no match waits for it.
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
from taflhall_client.bot_calls import log
from taflhall_client.messages import MessageDecoder
from taflhall_client.play_loop import POLICIES, Behaviour, Player, Seats
from taflhall_client.results import MatchInfo
from taflhall_client.watch_loop import OVER, Patience

MakeBot = Callable[[MatchInfo], Bot | None]
"""Makes the bot for a match; ``None``: we do not play it, and our seats wait."""


@dataclass(frozen=True, slots=True)
class BotOffer:
    """Which invitations the account of a bot accepts."""

    max_matches: int = 0
    """How many matches it plays at once; 0: any number."""
    games: Sequence[str] = ()
    """The games that it plays; empty: all. Invitations to others are declined."""


@dataclass(frozen=True, slots=True)
class ServedMatch:
    """Something that a caller may want to report of a match."""

    match_id: str
    match: MatchInfo | None
    """The match when it entered the stream, and again when it is over."""
    entered: bool = False
    failure: errors.TaflhallError | None = None
    """Why we play it no longer, if it is not over."""


@dataclass(frozen=True, slots=True)
class Server:
    """What the loop needs of its client."""

    client: Any
    seats: Callable[[str, str | None], Seats]
    """Returns the seats of a match that a secret (``None``: the account) opens."""


class _Table:
    """A match of the stream, and the bot that plays it."""

    def __init__(self, decoder: MessageDecoder, player: Player) -> None:
        self.decoder: Final = decoder
        self.player: Final = player
        self.answering: asyncio.Task[None] | None = None


async def serve(
    server: Server,
    make: MakeBot,
    secrets: dict[str, str],
    offer: BotOffer | None,
    how: Behaviour,
) -> AsyncGenerator[ServedMatch, None]:
    """Play all that the caller plays; yield what becomes of each match.

    With *secrets* (by match) it ends when all these matches have; without, it never does.
    """
    client = server.client
    waiting = Patience(how.patience, client.timing)
    left = dict(secrets)
    juggler = _Juggler(server, make, left, how)
    try:
        while left or not secrets:
            stream = _Stream(client.open(client.match_stub.PlayAll), client.timing.silence)
            juggler.stream = stream
            failure: errors.TaflhallError | None = None
            try:
                await stream.say(juggler.enter(offer))
                while left or not secrets:
                    for update in await stream.hear():
                        waiting.heard()
                        told = await juggler.take(update)
                        if told is not None:
                            yield told
            except grpc.aio.AioRpcError as error:
                failure = await client.failure(error)
            except (TimeoutError, EOFError):
                failure = errors.Unreachable("the stream fell silent")
            finally:
                await stream.leave()
            if failure is not None:
                await waiting.wait(failure)
    finally:
        juggler.stop()


class _Stream:
    """One PlayAll stream; what is said while a message is written travels with the next one."""

    def __init__(self, call: Any, silence: float) -> None:
        self._call = call
        self._silence = silence
        self._answers: list[rpc.PlayAllAnswer] = []
        self._filled = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None

    async def say(self, request: rpc.PlayAllRequest) -> None:
        """Send the first request."""
        await self._call.write(request)
        self._sending = asyncio.create_task(self._send())

    def answer(self, match_id: str, answer: rpc.PlayAnswer) -> None:
        """Send an answer soon."""
        self._answers.append(rpc.PlayAllAnswer(match_id=match_id, answer=answer))
        self._filled.set()

    async def hear(self) -> Sequence[rpc.PlayAllUpdate]:
        """Return the next updates; raise ``TimeoutError`` or ``EOFError`` if none come."""
        async with asyncio.timeout(self._silence):
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


class _Juggler:
    """Takes the updates of one stream after the other; its tables outlive them."""

    def __init__(
        self,
        server: Server,
        make: MakeBot,
        left: dict[str, str],
        how: Behaviour,
    ) -> None:
        self.stream: _Stream | None = None
        self._server = server
        self._make = make
        self._left = left
        self._how = how
        self._tables: dict[str, _Table] = {}

    def stop(self) -> None:
        """Stop waiting for the bots."""
        for table in self._tables.values():
            table.player.stop()
            if table.answering is not None:
                table.answering.cancel()

    def enter(self, offer: BotOffer | None) -> rpc.PlayAllRequest:
        """Return the first request."""
        enter = rpc.PlayAllEnter(with_view=True, proposals=POLICIES[self._how.proposals])
        if offer is not None:
            enter.offer.max_matches = offer.max_matches
            enter.offer.games.extend(offer.games)
        seats = [
            rpc.SeatCredential(match_id=match_id, seat_secret=secret)
            for match_id, secret in self._left.items()
        ]
        return rpc.PlayAllRequest(enter=enter, seats=seats)

    async def take(self, update: rpc.PlayAllUpdate) -> ServedMatch | None:
        """Take an update; return what there is to report."""
        match_id, kind = update.match_id, update.WhichOneof("update")
        if kind == "entered":
            return self._entered(update.entered)
        if kind == "failure":
            why = update.failure
            refused = rpc.PlayRejection(reason=why.reason, metadata=why.metadata)
            return self._leave(match_id, None, errors.from_rejection(refused))
        table = self._tables.get(match_id)
        if table is None:
            return None
        said = update.play
        if said.WhichOneof("response") != "end":
            if table.answering is None or table.answering.done():
                table.answering = asyncio.create_task(self._answer(match_id, table, said))
            else:
                await table.player.reply(said)
            return None
        if said.end.cause in OVER:
            return self._leave(match_id, table.decoder.match(said.end.match), None)
        return self._leave(match_id, None, errors.Replaced("another caller plays this seat now"))

    def _entered(self, entered: rpc.PlayAllEntered) -> ServedMatch | None:
        message = entered.match
        if message.id in self._tables:
            return None  # the stream was opened again
        try:
            game = self._server.client.game(message.game)
            decoder = MessageDecoder(game, message.data_digest.hex())
            decoder.check_data()
            match = decoder.match(message)
            bot = self._make(match)
        except errors.TaflhallError as failure:
            return ServedMatch(message.id, None, failure=failure)
        if bot is None:
            return ServedMatch(message.id, match, failure=errors.BotFailed("no bot plays this"))
        seats = self._server.seats(message.id, self._left.get(message.id))

        def remake() -> Bot:
            return self._make(match) or bot

        how = replace(self._how, remake=remake)
        self._tables[message.id] = _Table(decoder, Player(decoder, seats, bot, how))
        return ServedMatch(message.id, match, entered=True)

    async def _answer(self, match_id: str, table: _Table, said: rpc.PlayResponse) -> None:
        """Reply to a message, and answer until the bot is not asked any more."""
        player = table.player
        try:
            self._send(match_id, await player.reply(said))
            while player.thinking is not None:
                await asyncio.wait((player.thinking,))
                self._send(match_id, await player.answer())
        except errors.TaflhallError as failure:
            log.error("match %s waits: %s", match_id, failure)

    def _send(self, match_id: str, answer: rpc.PlayAnswer | None) -> None:
        """Send an answer on the present stream; if that is lost, the bot is asked again."""
        if answer is not None and self.stream is not None:
            self.stream.answer(match_id, answer)

    def _leave(
        self, match_id: str, match: MatchInfo | None, failure: errors.TaflhallError | None
    ) -> ServedMatch:
        self._left.pop(match_id, None)
        table = self._tables.pop(match_id, None)
        if table is not None:
            table.player.stop()
        return ServedMatch(match_id, match, failure=failure)
