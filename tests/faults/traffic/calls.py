"""One call to one server, written down from its sending to its end."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import grpc
from google.rpc import error_details_pb2, status_pb2

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults.control.server_process import CHANNEL, ServerProcess
from tests.faults.history import History, digest

OUTAGE: Final = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
}
"""Codes of a server or a store that is away, or was a moment ago."""

UNKNOWN: Final = OUTAGE | {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
"""Codes after which nobody knows whether a call took effect."""

PATIENCE: Final = 90.0
"""Seconds after which a request without a definite answer counts as stuck."""

PAUSE: Final = (0.01, 0.1)
"""Least and most seconds between two attempts of a call."""

SECONDS: Final = 3.0
"""How long one attempt waits for its answer."""


class Stuck(Exception):
    """A request that did not get a definite answer in time."""


class Outcome(NamedTuple):
    """How a call ended."""

    kind: str
    """``ok``, ``fail`` or ``unknown``."""
    reason: str = ""
    answer: Any = None
    code: grpc.StatusCode = grpc.StatusCode.OK


class Stubs:
    """Channels to servers; each call goes through one of them, by chance."""

    def __init__(self, servers: Sequence[ServerProcess], rng: random.Random) -> None:
        self.rng: Final = rng
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._stubs: dict[str, Any] = {}
        for server in servers:
            self.open(server)

    def open(self, server: ServerProcess) -> None:
        """Connect to a server."""
        channel = grpc.aio.insecure_channel(server.address, CHANNEL)
        self._channels[server.name] = channel
        self._stubs[server.name] = MatchServiceStub(channel)

    def any(self) -> tuple[str, Any]:
        """Return the name and the stub of a server."""
        return self.rng.choice(list(self._stubs.items()))

    def of(self, name: str) -> Any:
        """Return the stub of the server called *name*."""
        return self._stubs[name]

    async def close(self) -> None:
        await asyncio.gather(*[channel.close() for channel in self._channels.values()])


class Caller:
    """Makes calls for *who* and writes them down."""

    def __init__(self, history: History, stubs: Stubs, who: str) -> None:
        self.history: Final = history
        self.stubs: Final = stubs
        self.rng: Final = stubs.rng
        self.who: Final = who

    async def call(
        self,
        method: str,
        request: Any,
        secret: str = "",
        /,
        hang_up: float = 0.0,
        server: str = "",
        **what: Any,
    ) -> Outcome:
        """Make one call; after *hang_up* seconds give up waiting for its answer."""
        name = server or self.stubs.any()[0]
        stub = getattr(self.stubs.of(name), method)
        op = self.history.invoke(self.who, method=method, server=name, **what)
        try:
            answer = await stub(
                request,
                timeout=min(SECONDS, hang_up or SECONDS),
                metadata=bearer(secret),
            )
        except grpc.aio.AioRpcError as error:
            kind = "unknown" if error.code() in UNKNOWN else "fail"
            reason, pending = reason_of(error)
            dropped = bool(hang_up) and error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            self.history.end(
                op, kind, self.who, code=error.code().name, reason=reason, dropped=dropped
            )
            return Outcome(kind, reason, pending, error.code())
        except asyncio.CancelledError:
            self.history.end(op, "unknown", self.who, code="CANCELLED", reason="", dropped=True)
            raise
        step = isinstance(answer, pb.SubmitAnswersResponse) and not revisions(answer)
        self.history.end(op, "step" if step else "ok", self.who, **summary(answer))
        return Outcome("ok", "", answer)

    async def settle(self, method: str, request: Any, secret: str = "", /, **what: Any) -> Outcome:
        """Repeat a call until it meets no outage, and raise :exc:`Stuck` if every attempt does.

        Use it where a scenario demands an answer after a kill, a restart or a rewind.
        """
        end = time.monotonic() + PATIENCE
        while (outcome := await self.call(method, request, secret, **what)).code in OUTAGE:
            if time.monotonic() > end:
                raise Stuck(f"{method} of {self.who}: {outcome.code.name} {outcome.reason}")
            await asyncio.sleep(self.rng.uniform(*PAUSE))
        return outcome


def bearer(secret: str) -> list[tuple[str, str]]:
    """Return the metadata that proves *secret*."""
    return [("authorization", f"Bearer {secret}")] if secret else []


def reason_of(error: grpc.aio.AioRpcError) -> tuple[str, str]:
    """Return the reason of an error, and the decision that is pending if it names one."""
    for key, value in error.trailing_metadata() or ():
        if key != "grpc-status-details-bin":
            continue
        info = error_details_pb2.ErrorInfo()
        raw = value if isinstance(value, bytes) else value.encode()
        for detail in status_pb2.Status.FromString(raw).details:
            if detail.Unpack(info):
                return info.reason, info.metadata.get("decision_id", "")
    return "", ""


def revisions(answer: pb.SubmitAnswersResponse) -> int:
    """Return how many revisions the answers made; 0 if they only began a longer answer."""
    return answer.revision - answer.first_revision + 1 if answer.first_revision else 0


def summary(answer: Any) -> dict[str, Any]:
    """Return what a history says of an answer."""
    if isinstance(answer, pb.SubmitAnswersResponse):
        first = pb.SubmitAnswersResponse()
        first.CopyFrom(answer)
        first.ClearField("replayed")
        first.ClearField("durability")
        return {
            "revision": answer.revision,
            "applied": revisions(answer),
            "replayed": answer.replayed,
            "durability": answer.durability,
            "answer": digest(first),
            "events": digest(pb.MatchChange(events=answer.events)),
        }
    if isinstance(answer, pb.GetMatchResponse):
        return {"revision": answer.match.revision}
    if isinstance(answer, pb.CreateMatchResponse):
        return {"answer": digest(answer.match.id + answer.creator_secret)}
    if isinstance(answer, pb.JoinMatchResponse):
        return {"answer": digest(f"{list(answer.seats)}{answer.seat_secret}")}
    return {}
