"""Watchers who never stay: they leave at any message and come back elsewhere with their token."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as pb
from tests.faults.history import digest
from tests.faults.traffic.calls import UNKNOWN, Caller, bearer, reason_of

SPECTATOR: Final = -1


class Watcher:
    """Watches one match as one viewer; *secret* opens the viewer's seat."""

    def __init__(
        self, caller: Caller, match_id: str, viewer: int, secret: str, with_view: bool
    ) -> None:
        self.match_id: Final = match_id
        self.viewer: Final = viewer
        self.secret: Final = secret
        self.with_view: Final = with_view
        self.token = ""
        self.revision = -1
        """The revision it is at; -1 before the first message."""
        self.over = False
        self.stays = False
        """It does not leave any more."""
        self.tokens: dict[int, str] = {}
        """A token of each revision it was at."""
        self._caller = caller
        self._rng = caller.rng

    async def watch(self) -> None:
        """Watch until the match is over, reconnecting with the last token."""
        while not self.over:
            await self.look(self.token, 0 if self.stays else self._rng.choice((1, 1, 2, 5, 30, 0)))
            await asyncio.sleep(self._rng.uniform(0, 0.03))

    async def look(self, token: str, messages: int = 0, upto: int = -1) -> None:
        """Open one stream from *token* and read it.

        Leave after that many *messages* (0: stay), or when the revision *upto* is reached.
        """
        caller = self._caller
        server, stub = caller.stubs.any()
        op = caller.history.invoke(
            caller.who,
            method="WatchMatch",
            server=server,
            match=self.match_id,
            viewer=self.viewer,
            start=self.revision if token else None,
        )
        request = pb.WatchMatchRequest(
            match_id=self.match_id,
            resume_token=token,
            with_view=self.with_view,
            seat=self.viewer,
        )
        call = stub.WatchMatch(request, metadata=bearer(self.secret))
        kind, how = "unknown", {"code": "", "reason": "left"}
        try:
            while (message := await call.read()) is not grpc.aio.EOF:
                self._hear(op, message)
                messages -= 1
                if messages == 0 or (upto >= 0 and self.revision >= upto):
                    break
                if self.over:
                    break
            else:
                kind, how = "ok", {"code": "OK", "reason": "ended"}
        except grpc.aio.AioRpcError as error:
            kind = "unknown" if error.code() in UNKNOWN else "fail"
            how = {"code": error.code().name, "reason": reason_of(error)[0]}
            self.over = self.over or how["reason"] == "MATCH_NOT_FOUND"
        finally:
            call.cancel()
            caller.history.end(op, kind, caller.who, **how)

    def _hear(self, op: int, message: Any) -> None:
        update = message.WhichOneof("update")
        what: dict[str, Any] = {
            "match": self.match_id,
            "viewer": self.viewer,
            "revision": message.revision,
            "update": update,
        }
        if update == "snapshot":
            what["cause"] = message.snapshot.cause
            if message.snapshot.HasField("view"):
                what["view"] = digest(message.snapshot.view)
        elif update == "change":
            what["events"] = digest(pb.MatchChange(events=message.change.events))
            what["count"] = len(message.change.events)
            if message.change.HasField("view"):
                what["view"] = digest(message.change.view)
        elif update == "end":
            what["cause"] = message.end.cause
            self.over = message.end.cause == pb.STREAM_END_CAUSE_FINISHED
        self._caller.history.message(op, self._caller.who, **what)
        self.revision = message.revision
        if message.resume_token:
            self.token = self.tokens[message.revision] = message.resume_token


async def resume_everywhere(watcher: Watcher, caller: Caller, most: int) -> int:
    """Resume at every boundary that *watcher* came by, up to *most*; return at how many."""
    end = watcher.revision
    boundaries = sorted(watcher.tokens)[-most:]
    for revision in boundaries:
        again = Watcher(caller, watcher.match_id, watcher.viewer, watcher.secret, watcher.with_view)
        again.revision = revision
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                await again.look(watcher.tokens[revision], 1 if revision == end else 0, end)
    return len(boundaries)
