"""A viewer who tries everything, and keeps every byte that comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import grpc
from google.protobuf.message import Message

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.agenda import Command
from taflhall_wire.translate import translator
from tests.faults.inside import Inside
from tests.faults.leaks.worlds import World
from tests.faults.traffic.calls import bearer

OPAQUE: Final = ("taflhall.v1.Decision.id", "decision_id", "resume_token")
"""Random ids that hang on the history of commands, of which some may be secret."""

LUCK: Final = ("secret_digest",)
"""Fields that depend on future random numbers, but reveal nothing of them."""

SERVICE: Final = "/taflhall.v1.MatchService/"


class Seen(NamedTuple):
    """One answer: how it ended, its trailing metadata, its bytes."""

    what: str
    code: str
    trailing: bytes
    body: bytes


class Viewer:
    """Reads one world; a spectator does so without a secret.

    Its calls go through a real socket, or *straight* into the handlers.
    """

    def __init__(
        self, inside: Inside, channel: grpc.aio.Channel, world: World, seat: int, straight: bool
    ) -> None:
        self._straight = straight
        self.seen: list[Seen] = []
        """What is to be compared."""
        self.heard: list[Seen] = []
        """All that ever came back."""
        self._inside = inside
        self._channel = channel
        self._match = world.match
        self._seat = seat
        self._secret = world.secrets[seat] if seat >= 0 else ""
        self._words = translator(world.game)
        self._stream: Any = None

    async def look(self) -> None:
        """Read everything there is to read."""
        id = self._match.id  # noqa: A001
        await self.ask(
            "GetMatch", pb.GetMatchRequest(match_id=id, with_view=True, with_options=True)
        )
        await self.ask("GetMatchRecord", pb.GetMatchRecordRequest(match_id=id))
        await self.ask("ListMatches", pb.ListMatchesRequest())
        await self.ask("GetMatchView", pb.GetMatchViewRequest(match_id=id, revision=10**6))

    async def remember(self, revisions: Iterable[int]) -> None:
        """Ask how things were after these revisions.

        Only straight: the calls of a socket do not know which world they are in, and so not
        where its history began.
        """
        for revision in revisions if self._straight else ():
            request = pb.GetMatchViewRequest(match_id=self._match.id, revision=revision)
            await self.ask("GetMatchView", request)
            listing = pb.ListMatchEventsRequest(
                match_id=self._match.id, first_revision=revision, last_revision=revision
            )
            await self.ask("ListMatchEvents", listing)

    async def pry(self, commands: list[Command[Any]]) -> None:
        """Try what is not allowed, to see how it is refused."""
        id = self._match.id  # noqa: A001
        for number, command in enumerate(commands):
            message = self._words.command_to(command)
            await self.ask("ExplainCommand", pb.ExplainCommandRequest(match_id=id, command=message))
            pending = self._match.pending.get(self._seat, "")
            if pending and command not in self._match.options(self._seat):
                await self._submit(pending, pb.DecisionAnswer(command=message), f"pry{number}")
        for name in [*self._match.pending.values(), "0-AAAAAAAAAAAA"]:
            await self._submit(name, pb.DecisionAnswer(option=300), "far")

    async def answer(self, seat: int, command: Command[Any], secret: str, decision: str) -> str:
        """Let *seat* answer; return the id of the next step, empty if the answer is complete.

        Raise ``AssertionError`` if it is refused. The viewer sees its own answers.
        """
        request = pb.SubmitAnswersRequest(
            match_id=self._match.id,
            decision_id=decision,
            request_id=f"go-{decision}",
            answers=[pb.DecisionAnswer(command=self._words.command_to(command))],
            with_options=True,
        )
        own = seat == self._seat
        answer = await self._call("SubmitAnswers", request, secret)
        if own:
            self._see(answer)
        assert answer.code == "OK", f"{command} of seat {seat} was refused: {answer}"
        response = pb.SubmitAnswersResponse.FromString(answer.body)
        return "" if response.first_revision else response.decision.id

    async def watch(self) -> None:
        """Open a watch and see its first message."""
        request = pb.WatchMatchRequest(match_id=self._match.id, with_view=True, with_options=True)
        data, metadata = request.SerializeToString(), tuple(bearer(self._secret))
        if self._straight:
            self._stream = self._inside.stream(SERVICE + "WatchMatch", data, metadata)
        else:
            method: Any = self._channel.unary_stream(SERVICE + "WatchMatch")
            self._stream = method(data, metadata=metadata)
        await self.hear()

    async def hear(self) -> None:
        """Return the next message of the watch other than a heartbeat."""
        while True:
            message = await self._stream.read()
            if not message:  # the end of either kind of stream
                self._see(Seen("WatchMatch", "EOF", b"", b""))
                return
            if pb.WatchMatchResponse.FromString(message).WhichOneof("update") != "heartbeat":
                self._see(Seen("WatchMatch", "OK", b"", message))
                return

    async def leave(self) -> None:
        if self._straight:
            await self._stream.leave()
        else:
            self._stream.cancel()

    async def ask(self, method: str, request: Message) -> None:
        self._see(await self._call(method, request, self._secret))

    def _see(self, seen: Seen) -> None:
        self.seen.append(seen)
        self.heard.append(seen)

    async def _submit(self, decision: str, answer: pb.DecisionAnswer, name: str) -> None:
        request = pb.SubmitAnswersRequest(
            match_id=self._match.id, decision_id=decision, request_id=name, answers=[answer]
        )
        await self.ask("SubmitAnswers", request)

    async def _call(self, method: str, request: Message, secret: str) -> Seen:
        if self._straight:
            metadata = tuple(bearer(secret))
            answer = await self._inside.call(
                SERVICE + method, request.SerializeToString(), metadata
            )
            return Seen(method, answer.code.name, answer.details, answer.body)
        send: Any = self._channel.unary_unary(SERVICE + method)
        call = send(request.SerializeToString(), metadata=bearer(secret))
        try:
            body, code = await call, "OK"
        except grpc.aio.AioRpcError as error:
            body, code = (error.details() or "").encode(), error.code().name
        trailing = repr(await call.trailing_metadata()).encode()
        return Seen(method, code, trailing, body)


_KINDS: Final[dict[str, type[Message]]] = {
    "GetMatch": pb.GetMatchResponse,
    "GetMatchView": pb.GetMatchViewResponse,
    "ListMatchEvents": pb.ListMatchEventsResponse,
    "ListMatches": pb.ListMatchesResponse,
    "SubmitAnswers": pb.SubmitAnswersResponse,
    "WatchMatch": pb.WatchMatchResponse,
}


def without(names: Sequence[str], seen: Seen) -> Seen:
    """Return *seen* with the values of the fields of these names left out."""
    kind = _KINDS.get(seen.what)
    if kind is None or seen.code != "OK":
        return seen._replace(trailing=b"") if seen.what == "SubmitAnswers" else seen
    message = kind.FromString(seen.body)
    _blank(message, names)
    return seen._replace(body=message.SerializeToString(deterministic=True))


def _blank(message: Any, names: Sequence[str]) -> None:
    for field, value in message.ListFields():
        if field.name in names or field.full_name in names:
            blank = b"x" if isinstance(value, bytes) else "x"
            setattr(message, field.name, blank * len(value))
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else [value]:
                _blank(part, names)
