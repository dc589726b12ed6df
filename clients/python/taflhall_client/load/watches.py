"""Streams that begin again where they broke: watches of matches and of the lobby."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final

import grpc

from taflhall_client.backoff import Backoff
from taflhall_client.channel import metadata
from taflhall_client.error_decoding import from_call
from taflhall_client.load.calls import REOPENED_AFTER
from taflhall_client.load.measures import RESUMED, Measures


class Stream:
    """A stream of responses with resume tokens.

    *open_from* makes the request that resumes at a token. The stream is opened again whenever it
    breaks; how long it took until messages came again is measured.
    """

    def __init__(
        self,
        method: Any,
        name: str,
        open_from: Callable[[str], Any],
        measures: Measures,
        secret: str | None = None,
    ) -> None:
        self._method: Final = method
        self._name: Final = name
        self._open_from: Final = open_from
        self._measures: Final = measures
        self._metadata: Final = metadata(secret)
        self._token = ""
        self._call: Any = None
        self._was_cut = False
        self._broke_at = 0.0

    async def messages(self) -> AsyncGenerator[Any, None]:
        """Yield each message; end when the reader stops asking or the server refuses the call."""
        backoff = Backoff()
        while True:
            self._was_cut = False
            self._call = self._method(self._open_from(self._token), metadata=self._metadata)
            try:
                while (message := await self._call.read()) is not grpc.aio.EOF:
                    self._arrived(message)
                    backoff.reset()
                    yield message
                pause = backoff.pause()
            except grpc.aio.AioRpcError as error:
                failure = from_call(error)
                self._measures.failed(self._name, failure.reason)
                if not isinstance(failure, REOPENED_AFTER):
                    return
                pause = backoff.pause_for(failure)
            except asyncio.CancelledError:
                if not self._was_cut or _being_cancelled():
                    raise
                pause = 0.0
            finally:
                self._call.cancel()
            self._broke_at = self._broke_at or time.perf_counter()
            await asyncio.sleep(pause)

    def cut(self) -> None:
        """Break the stream, as a lost connection does."""
        if self._call is not None:
            self._was_cut = True
            self._broke_at = self._broke_at or time.perf_counter()
            self._call.cancel()

    def _arrived(self, message: Any) -> None:
        self._token = message.resume_token or self._token
        if self._broke_at:
            self._measures.record(RESUMED, time.perf_counter() - self._broke_at)
            self._broke_at = 0.0


def _being_cancelled() -> bool:
    """Return whether the task that runs now is to end; a call that was cut looks the same."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
