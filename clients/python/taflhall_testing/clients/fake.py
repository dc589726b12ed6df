"""A server that replies as its script says, and remembers what it heard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf import any_pb2, json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from taflhall_testing.clients.messages import message_from
from taflhall_testing.clients.scenarios import METHODS, Data, InvalidScenario
from taflhall_testing.clients.values import differences, filled
from taflhall_wire.error_reasons import DOMAIN, REASONS

CERTIFICATES: Final = Path(__file__).parent / "certificates"


@dataclass(slots=True)
class HeardCall:
    """A call that the fake server got."""

    started: float
    """When, by the monotonic clock."""
    requests: list[bytes] = field(default_factory=list)
    cancelled: bool = False


@dataclass(slots=True)
class _Reply:
    data: Data
    left: int
    """For how many more calls it serves."""


class FakeServer:
    """Replies to each method with the next of its *replies*; the last one serves for all others."""

    def __init__(self, replies: list[Data], messages: Data, known: Mapping[str, Any]) -> None:
        self.heard: Final[dict[str, list[HeardCall]]] = {}
        """The calls of each method, by its full name."""
        self.faults: Final[list[str]] = []
        """How requests differed from the script."""
        self._messages = messages
        self._known = known
        self._replies: dict[str, list[_Reply]] = {}
        for data in replies:
            reply = _Reply(data, data.get("times", 1))
            self._replies.setdefault(filled(data["method"], known), []).append(reply)
        self._server = grpc.aio.server()
        self._port = 0
        self._tls = ""

    async def start(self, tls: str = "") -> str:
        """Listen on a free port of this machine; return the address."""
        self._tls = tls
        self._port = await self._listen()
        return f"{'localhost' if tls else '127.0.0.1'}:{self._port}"

    async def restart(self) -> None:
        """Stop, and listen at the same port again."""
        await self.stop()
        self._server = grpc.aio.server()
        await self._listen()

    async def _listen(self) -> int:
        self._server.add_generic_rpc_handlers((_Handler(self),))
        if self._tls:
            ca, cert, key = (
                (CERTIFICATES / f"{n}.pem").read_bytes() for n in ("ca", "cert", "key")
            )
            mutual = self._tls == "mutual"
            credentials = grpc.ssl_server_credentials([(key, cert)], ca if mutual else None, mutual)
            port = self._server.add_secure_port(f"127.0.0.1:{self._port}", credentials)
        else:
            port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        await self._server.start()
        return port

    async def stop(self) -> None:
        """Stop listening; open calls end."""
        await self._server.stop(0)

    def calls_of(self, method: str) -> list[HeardCall]:
        """Return the calls of the method of that short name."""
        return [
            c for name, calls in self.heard.items() if name.endswith("/" + method) for c in calls
        ]

    async def serve(
        self, name: str, requests: AsyncIterator[bytes], context: Any
    ) -> AsyncIterator[bytes]:
        """Reply to one call."""
        call = HeardCall(time.monotonic())
        self.heard.setdefault(name, []).append(call)
        method = METHODS[name]
        try:
            call.requests.append(await anext(requests))
            reply = self._next(method)
            if reply is None:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, "the script has no reply")
                return
            for item in reply.get("send", []):
                if "@pause" in item:
                    await asyncio.sleep(item["@pause"])
                elif "@hang" in item:
                    await asyncio.Event().wait()
                elif "@read" in item:
                    call.requests.append(await anext(requests))
                    self._check(method, call.requests[-1], item["@read"])
                else:
                    kind = GetMessageClass(method.output_type)
                    yield message_from(filled(item, self._known), kind, self._messages)
            if "fail" in reply:
                await _fail(context, filled(reply["fail"], self._known))
        except (asyncio.CancelledError, GeneratorExit):  # while it waits, while it is read
            call.cancelled = True
            raise
        except StopAsyncIteration:
            self.faults.append(f"{method.name}: the client sent no further request")
        except InvalidScenario as error:
            self.faults.append(str(error))

    def _next(self, method: MethodDescriptor) -> Data | None:
        replies = self._replies.get(method.name)
        if replies is None:
            streaming = method.client_streaming or method.server_streaming
            replies = None if streaming else self._replies.get("*")
        if not replies:
            return None
        reply = replies[0]
        reply.left -= 1
        if reply.left == 0 and len(replies) > 1:
            replies.pop(0)
        return reply.data

    def _check(self, method: MethodDescriptor, request: bytes, wanted: Data) -> None:
        found = as_data(method, request)
        self.faults.extend(differences(filled(wanted, self._known), found, method.name))


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, server: FakeServer) -> None:
        self._server = server

    def service(self, call: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        name = call.method.removeprefix("/")
        if name not in METHODS:
            return None

        async def serve(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
            async for message in self._server.serve(name, requests, context):
                yield message

        # on the wire a unary call is a stream of one message
        return grpc.stream_stream_rpc_method_handler(serve)


def as_data(method: MethodDescriptor, request: bytes) -> Data:
    """Return a request as ProtoJSON."""
    kind = GetMessageClass(method.input_type)
    return json_format.MessageToDict(kind.FromString(request))


async def _fail(context: Any, fail: Data) -> None:
    reason, metadata = fail.get("reason", ""), fail.get("metadata", {})
    known = REASONS.get(reason)
    code = grpc.StatusCode[fail.get("code") or (known.code if known else "UNKNOWN")]
    trailing: list[tuple[str, str | bytes]] = []
    text = "as the script says"
    if reason:
        texts = known.render(metadata) if known else {"en": text}
        text = texts["en"]
        details = status_pb2.Status(code=code.value[0], message=text)
        info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
        _pack(details, info)
        for locale, message in texts.items():
            _pack(details, error_details_pb2.LocalizedMessage(locale=locale, message=message))
        if "violations" in fail:
            bad = error_details_pb2.BadRequest()
            json_format.ParseDict({"fieldViolations": fail["violations"]}, bad)
            _pack(details, bad)
        if "retry_after" in fail:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromMilliseconds(round(fail["retry_after"] * 1000))
            _pack(details, retry)
        trailing.append(("grpc-status-details-bin", details.SerializeToString()))
    if "pushback" in fail:
        trailing.append(("grpc-retry-pushback-ms", str(round(fail["pushback"] * 1000))))
    await context.abort(code, text, tuple(trailing))


def _pack(details: status_pb2.Status, detail: Any) -> None:
    packed = any_pb2.Any()
    packed.Pack(detail)
    details.details.append(packed)
