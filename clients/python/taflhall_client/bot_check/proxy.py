"""A gRPC proxy: it passes calls on, and does one thing to them that a bot has to bear."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Any, Final, Self

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1 import table_pb2
from taflhall_client.error_decoding import is_overtaken

SERVICE: Final = "/taflhall.v1.MatchService/"
METHODS: Final = rpc.DESCRIPTOR.services_by_name["MatchService"].methods_by_name
UNKNOWN_FIELD: Final = b"\x80\xb5\x18\x01"
"""Field 50000 with the number 1, as bytes of a message."""
FAULTS: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)
"""How a call ends that a bot should not have made."""


class Proxy:
    """Passes calls on. Subclasses do something to them."""

    def __init__(self, server: str) -> None:
        self._server: Final = server
        self.answers = 0
        """How many answers to decisions have been sent."""
        self.refusals: list[str] = []
        """What the server refused, in words."""
        self.address = ""

    async def __aenter__(self) -> Self:
        self._channel = grpc.aio.insecure_channel(self._server)
        self._grpc = grpc.aio.server()
        self._grpc.add_generic_rpc_handlers((_Every(self),))
        port = self._grpc.add_insecure_port("127.0.0.1:0")
        await self._grpc.start()
        self.address = f"127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._grpc.stop(None)
        await self._channel.close()

    async def admit(self, context: Any) -> None:
        """Let a call begin, or abort it."""

    async def responses(self, method: str, message: bytes) -> Iterable[bytes]:
        """Return what the bot receives in place of *message*."""
        return (message,)

    async def carry(
        self, method: str, requests: AsyncIterator[bytes], context: Any
    ) -> AsyncIterator[bytes]:
        """Carry one call, whatever its kind: on the wire they are all streams."""
        await self.admit(context)
        onward: Any = self._channel.stream_stream(method)
        call = onward(self._counted(method, requests), metadata=_metadata(context))
        try:
            async for message in call:
                self._note(method, message)
                for changed in await self.responses(method, message):
                    yield changed
        except grpc.aio.AioRpcError as error:
            if error.code() in FAULTS:
                name = method.rpartition("/")[2]
                self.refusals.append(f"{name}: {error.code().name}, {error.details()}")
            trailing = tuple(error.trailing_metadata() or ())
            code = grpc.StatusCode.UNAVAILABLE if is_overtaken(error) else error.code()
            await context.abort(code, error.details() or "", trailing)
        finally:
            call.cancel()

    async def _counted(self, method: str, requests: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for message in requests:
            request = _request(method, message)
            if isinstance(request, rpc.SubmitAnswersRequest) or (
                isinstance(request, rpc.PlayRequest) and request.HasField("answer")
            ):
                self.answers += 1
            elif isinstance(request, rpc.PlayAllRequest):
                self.answers += len(request.answers)
            yield message

    def _note(self, method: str, message: bytes) -> None:
        response = _response(method, message)
        for said in _play_responses(response):
            if said.HasField("rejection") and said.rejection.reason != "STALE_DECISION":
                self.refusals.append(f"an answer: {said.rejection.reason}")


class LateProxy(Proxy):
    """Holds the first messages to the bot back for a while."""

    HELD: Final = 3
    SECONDS: Final = 1.5

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self._held = 0

    async def responses(self, method: str, message: bytes) -> Iterable[bytes]:
        """Return *message*, later."""
        if self._held < self.HELD:
            self._held += 1
            await asyncio.sleep(self.SECONDS)
        return (message,)


class NewerProxy(Proxy):
    """Speaks as a newer server: with unknown fields, and an unknown option in each decision."""

    async def responses(self, method: str, message: bytes) -> Iterable[bytes]:
        """Return *message* with things that the bot does not know."""
        response = _response(method, message)
        if response is None:
            return (message,)
        for decision in _decisions(response):
            if len(decision.options) > 1:
                decision.options[1].command.Clear()
                decision.options[1].command.MergeFromString(UNKNOWN_FIELD)
        return (response.SerializeToString() + UNKNOWN_FIELD,)


class RefusingProxy(Proxy):
    """Says of the first answers of a stream that they came too late, as if they were sent twice."""

    REFUSED: Final = 3

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self._refused = 0
        self._decisions: dict[str, str] = {}

    async def responses(self, method: str, message: bytes) -> Iterable[bytes]:
        """Return *message*, and a refusal of the answer to the prompt before."""
        response = _response(method, message)
        found = [message]
        for match_id, said in _by_match(response):
            if not said.HasField("prompt"):
                continue
            before = self._decisions.get(match_id)
            self._decisions[match_id] = said.prompt.decision.id
            if before in (None, said.prompt.decision.id) or self._refused >= self.REFUSED:
                continue
            self._refused += 1
            refusal = rpc.PlayResponse(
                rejection=rpc.PlayRejection(decision_id=before, reason="STALE_DECISION")
            )
            if isinstance(response, rpc.PlayAllResponse):
                update = rpc.PlayAllUpdate(match_id=match_id, play=refusal)
                found.insert(0, rpc.PlayAllResponse(updates=[update]).SerializeToString())
            else:
                found.insert(0, refusal.SerializeToString())
        return found


class RestartingProxy(Proxy):
    """Cuts all calls after some answers, and refuses calls for a while, as in a restart."""

    AFTER: Final = 3
    SECONDS: Final = 1.0

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self._up = asyncio.Event()
        self._up.set()
        self._cut = False

    async def admit(self, context: Any) -> None:
        """Refuse the call while the server is away."""
        if not self._up.is_set():
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the server restarts")

    async def carry(
        self, method: str, requests: AsyncIterator[bytes], context: Any
    ) -> AsyncIterator[bytes]:
        """Carry a call until it is cut."""
        async for message in super().carry(method, requests, context):
            if self.answers >= self.AFTER and not self._cut:
                self._cut = True
                self._up.clear()
                asyncio.get_running_loop().call_later(self.SECONDS, self._up.set)
            await self.admit(context)
            yield message


class _Every(grpc.GenericRpcHandler):
    """Handles every method, as a stream of bytes."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy: Final = proxy

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Return what carries a call."""
        method = details.method

        async def carry(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
            with contextlib.suppress(asyncio.CancelledError):
                async for message in self._proxy.carry(method, requests, context):
                    yield message

        return grpc.stream_stream_rpc_method_handler(carry)


def _metadata(context: Any) -> tuple[tuple[str, str | bytes], ...]:
    """Return the metadata of a call without what belongs to its connection."""
    return tuple(
        (key, value)
        for key, value in context.invocation_metadata()
        if not key.startswith((":", "grpc-")) and key not in ("user-agent", "te", "content-type")
    )


def _request(method: str, message: bytes) -> Message | None:
    found = METHODS.get(method.removeprefix(SERVICE))
    return None if found is None else GetMessageClass(found.input_type).FromString(message)


def _response(method: str, message: bytes) -> Message | None:
    found = METHODS.get(method.removeprefix(SERVICE))
    return None if found is None else GetMessageClass(found.output_type).FromString(message)


def _by_match(response: Message | None) -> Iterable[tuple[str, rpc.PlayResponse]]:
    """Return what a message of a stream says as if to one match, with the match's id."""
    if isinstance(response, rpc.PlayResponse):
        return (("", response),)
    if isinstance(response, rpc.PlayAllResponse):
        return tuple((u.match_id, u.play) for u in response.updates if u.HasField("play"))
    return ()


def _play_responses(response: Message | None) -> Iterable[rpc.PlayResponse]:
    return (said for _, said in _by_match(response))


def _decisions(message: Any) -> Iterable[table_pb2.Decision]:
    """Yield every decision in *message*."""
    if isinstance(message, table_pb2.Decision):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for inner in value if field.is_repeated else (value,):
            yield from _decisions(inner)
