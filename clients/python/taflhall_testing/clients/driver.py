"""Talks to a driver: the program that calls a client on request."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import shlex
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final, Self

from taflhall_testing.clients.scenarios import Data

PROTOCOL: Final = 1
_LINE_BYTES: Final = 64 * 1024 * 1024
_START_SECONDS: Final = 60.0


class DriverFailed(Exception):
    """The driver ended, or does not speak the protocol."""


@dataclass(slots=True)
class Operation:
    """An operation of the driver, and what it has reported of it so far."""

    id: int
    op: str
    events: list[Any] = field(default_factory=list)
    result: Any = None
    error: Data | None = None
    done: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when something was reported."""


class Driver:
    """A running driver."""

    def __init__(self, command: str, *, verbose: bool = False) -> None:
        self.name = command
        self.operations: frozenset[str] = frozenset()
        """The operations that it knows."""
        self._command = shlex.split(command)
        self._verbose = verbose
        self._ids = itertools.count(1)
        self._open: dict[int, Operation] = {}
        self._stderr: deque[str] = deque(maxlen=40)
        self._failure = ""
        self._process: asyncio.subprocess.Process | None = None
        self._reading: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LINE_BYTES,
            )
        except OSError as error:
            raise DriverFailed(f"cannot start {self._command[0]}: {error.strerror}") from None
        assert process.stdout is not None
        assert process.stderr is not None
        self._reading = [asyncio.create_task(self._read_errors(process.stderr))]
        try:
            async with asyncio.timeout(_START_SECONDS):
                hello = self._parsed(await process.stdout.readline())
        except TimeoutError:
            raise DriverFailed("the driver does not introduce itself") from None
        if hello.get("protocol") != PROTOCOL:
            raise DriverFailed(
                f"the driver speaks protocol {hello.get('protocol')}, not {PROTOCOL}"
            )
        self.name = str(hello.get("client", self.name))
        self.operations = frozenset(hello.get("operations", ()))
        self._reading.append(asyncio.create_task(self._read(process.stdout)))
        return self

    async def __aexit__(self, *_: object) -> None:
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            async with asyncio.timeout(10):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)

    @property
    def pid(self) -> int:
        """The id of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def failed(self) -> bool:
        """Whether it has ended or left the protocol."""
        return bool(self._failure)

    def take_complaints(self) -> list[str]:
        """Return the last lines of its standard error that were not returned before."""
        lines = list(self._stderr)
        self._stderr.clear()
        return lines

    async def start(self, op: str, arguments: Data) -> Operation:
        """Begin an operation; raise :exc:`DriverFailed`."""
        self.check()
        operation = Operation(next(self._ids), op)
        self._open[operation.id] = operation
        line = json.dumps({"id": operation.id, "op": op, **arguments}, ensure_ascii=False)
        self._show(">", line)
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        return operation

    async def carry_out(self, op: str, arguments: Data) -> Operation:
        """Begin an operation and wait for its end; raise :exc:`DriverFailed`."""
        operation = await self.start(op, arguments)
        while not operation.done:
            self.check()
            operation.news.clear()
            await operation.news.wait()
        return operation

    def check(self) -> None:
        """Raise :exc:`DriverFailed` if the driver has failed."""
        if self._failure:
            raise DriverFailed(self._failure)

    async def _read(self, stdout: asyncio.StreamReader) -> None:
        try:
            while line := await stdout.readline():
                self._show("<", line.decode("utf-8", "replace").rstrip())
                self._take(self._parsed(line))
            self._failure = "the driver ended"
        except DriverFailed as failure:
            self._failure = str(failure)
        for operation in self._open.values():
            operation.news.set()

    def _take(self, line: Data) -> None:
        operation = self._open.get(line.get("id", 0))
        if operation is None or operation.done:
            raise DriverFailed(f"the driver reports of no open operation: {line}")
        if "event" in line:
            operation.events.append(line["event"])
        elif "result" in line or "error" in line:
            operation.result, operation.error = line.get("result"), line.get("error")
            operation.done = True
        else:
            raise DriverFailed(f"neither event nor result nor error: {line}")
        operation.news.set()

    async def _read_errors(self, stderr: asyncio.StreamReader) -> None:
        while line := await stderr.readline():
            self._stderr.append(line.decode("utf-8", "replace").rstrip())

    def _parsed(self, line: bytes) -> Data:
        try:
            data = json.loads(line)
        except ValueError:
            response = "\n".join([line.decode("utf-8", "replace").rstrip(), *self._stderr])
            raise DriverFailed(f"the driver writes what is not JSON: {response}") from None
        if not isinstance(data, dict):
            raise DriverFailed(f"the driver writes no JSON object: {data}")
        return data

    def _show(self, sign: str, line: str) -> None:
        if self._verbose:
            sys.stderr.write(f"{sign} {line[:2000]}\n")
