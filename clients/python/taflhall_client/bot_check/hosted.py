"""Situations for programs that speak gRPC: at a real server, through a proxy.

The program is started for each match, with ``{address}``, ``{match}`` and ``{secret}`` in its
command replaced by where it plays and what proves its seat. It has to play until the match is over,
and to end then.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from taflhall_client.async_client import Client, Match
from taflhall_client.bot_check.bench import SHOWN, Wrong
from taflhall_client.bot_check.positions import usual_setups
from taflhall_client.bot_check.proxy import (
    LateProxy,
    NewerProxy,
    Proxy,
    RefusingProxy,
    RestartingProxy,
)
from taflhall_client.bots.random import Random
from taflhall_client.clocks import TimeControl
from taflhall_client.errors import TaflhallError
from taflhall_client.ports import free_port
from taflhall_client.processes import Children
from taflhall_client.results import SeatKind, Status
from taflhall_client.tournament.description import Limits
from taflhall_engine.kernel.game import Game

ENOUGH: Final = 15
"""Answers after which a situation is over that need not last to the end of the match."""
SOME: Final = 3
"""Answers after which a match is broken off."""
TO_END: Final = 10.0
"""Seconds that a program gets to end after its match."""
LOOK: Final = 0.2
"""Seconds between two looks at a match."""
SERVER_SECONDS: Final = 30.0
"""How long the server may take until it listens."""
OVER: Final = frozenset({Status.FINISHED, Status.ABANDONED})


class NoServer(Exception):
    """The server that the check needs does not start; the message says why."""


@dataclass(frozen=True, slots=True)
class HostedBench:
    """Where a program is checked: one game, one server."""

    game: Game
    command: Sequence[str]
    limits: Limits
    server: str
    client: Client
    folder: Path


HostedSituation = Callable[[HostedBench], Awaitable[str]]


class Player:
    """The program at a seat of a match."""

    def __init__(
        self, bench: HostedBench, proxy: Proxy, match: Match, process: Any, log: Path
    ) -> None:
        self.match: Final = match
        self._proxy: Final = proxy
        self._bench: Final = bench
        self._process: Final = process
        self._log: Final = log
        self._asked = ""
        self._since = 0.0

    async def look(self) -> bool:
        """Return whether the match is over; raise :exc:`Wrong` if the program does not play."""
        ended = self._process.returncode
        state = await self.match.get()
        self._check_refusals()
        if state.match.status in OVER:
            return True
        if ended is not None:
            raise Wrong(f"it ended {_how(ended)} before the match was over{self.tail()}")
        pending = next((d.decision_id for d in state.decisions if d.seat == 0), "")
        if pending != self._asked:
            self._asked, self._since = pending, time.monotonic()
        seconds = self._bench.limits.decision_seconds
        if pending and time.monotonic() - self._since > seconds:
            raise Wrong(f"it did not answer a decision within {seconds:g} s{self.tail()}")
        return False

    async def plays(self, enough: Callable[[], bool] = lambda: False) -> bool:
        """Wait until the match is over or *enough* says so; return whether it is over."""
        while not await self.look():
            if enough():
                return False
            await asyncio.sleep(LOOK)
        return True

    async def ends(self) -> None:
        """Wait until the program has ended after its match, or raise :exc:`Wrong`."""
        try:
            async with asyncio.timeout(TO_END):
                status = await self._process.wait()
        except TimeoutError:
            raise Wrong(f"it was still running {TO_END:g} s after the end of the match") from None
        self._check_refusals()
        if status != 0:
            raise Wrong(f"it ended {_how(status)} after the end of the match{self.tail()}")

    def _check_refusals(self) -> None:
        refusals = self._proxy.refusals
        if refusals:
            more = f" and {len(refusals) - 1} more" if len(refusals) > 1 else ""
            raise Wrong(f"the server refused {refusals[0]}{more}")

    def tail(self) -> str:
        """Return the last line that the program wrote, as the end of a sentence."""
        lines = self._log.read_text("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; its last line: {last[:SHOWN]}" if last else ""


async def plays_a_whole_match(bench: HostedBench) -> str:
    """Play a match to its end, and end with it."""
    async with Proxy(bench.server) as proxy, seated(bench, proxy) as player:
        await player.plays()
        await player.ends()
    return f"{proxy.answers} answers"


def plays_on(kind: type[Proxy]) -> HostedSituation:
    """Return the situation in which the bot plays on, whatever the proxy does."""

    async def play(bench: HostedBench) -> str:
        async with kind(bench.server) as proxy, seated(bench, proxy) as player:
            await player.plays(lambda: proxy.answers >= ENOUGH)
            return ""

    return play


async def plays_two_matches_at_once(bench: HostedBench) -> str:
    """Play two matches at the same time, in two processes."""
    async with (
        Proxy(bench.server) as proxy,
        seated(bench, proxy) as first,
        seated(bench, proxy) as second,
    ):
        enough = 2 * ENOUGH
        await asyncio.gather(
            *(player.plays(lambda: proxy.answers >= enough) for player in (first, second))
        )
    return ""


async def ends_with_a_match_that_is_broken_off(bench: HostedBench) -> str:
    """End when everybody has resigned in the middle of the match."""
    async with Proxy(bench.server) as proxy, seated(bench, proxy) as player:
        await player.plays(lambda: proxy.answers >= SOME)
        with contextlib.suppress(TaflhallError):
            await player.match.resign()
        await player.plays()
        await player.ends()
    return ""


@asynccontextmanager
async def seated(bench: HostedBench, proxy: Proxy) -> AsyncIterator[Player]:
    """Open a match, start the program for seat 0, and let others play at random."""
    setup = usual_setups(bench.game)[-1]
    clock = TimeControl(3600.0, per_decision=bench.limits.decision_seconds)
    match = await bench.client.create(
        bench.game.id, setup, title="bot check", start_when_full=True, time_control=clock
    )
    seats = len((await match.get()).match.seats)
    own = await match.join("checked bot", [0], SeatKind.BOT)
    others = [await match.join(f"random {n}", [n], SeatKind.BOT) for n in range(1, seats)]
    plays = [
        asyncio.create_task(other.play(Random(bench.game, number), proposals="agree"))
        for number, other in enumerate(others)
    ]
    values = {"{address}": proxy.address, "{match}": match.match_id, "{secret}": own.secret or ""}
    with tempfile.NamedTemporaryFile(dir=bench.folder, delete=False) as log:
        process = await _start(_filled(bench.command, values), log)
    try:
        yield Player(bench, proxy, own, process, Path(log.name))
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        for play in plays:
            play.cancel()
        await asyncio.gather(*plays, return_exceptions=True)


@asynccontextmanager
async def server(children: Children, folder: Path) -> AsyncIterator[tuple[str, Client]]:
    """Start a server whose matches are in memory; yield its address and a client."""
    address = f"127.0.0.1:{free_port()}"
    with (folder / "server.log").open("wb") as log:
        process = children.start(
            "taflhall_service.main", "--listen", address, "--store", "memory:", log=log
        )
    host, _, port = address.rpartition(":")
    end = time.monotonic() + SERVER_SECONDS
    while True:
        try:
            socket.create_connection((host, int(port)), 1.0).close()
            break
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                text = (folder / "server.log").read_text("utf-8", "replace").strip()
                raise NoServer(text.rpartition("\n")[2] or "the server does not start") from None
            await asyncio.sleep(0.03)
    async with Client(address) as client:
        yield address, client


async def _start(command: Sequence[str], log: IO[bytes]) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    except OSError as error:
        raise Wrong(f"it does not start: {error.strerror}") from None


def _filled(command: Sequence[str], values: dict[str, str]) -> list[str]:
    """Return *command* with its placeholders replaced."""
    filled = []
    for word in command:
        for name, value in values.items():
            word = word.replace(name, value)  # noqa: PLW2901
        filled.append(word)
    return filled


def _how(status: int) -> str:
    return f"by signal {-status}" if status < 0 else f"with status {status}"


SITUATIONS: Final[dict[str, HostedSituation]] = {
    "plays a whole match": plays_a_whole_match,
    "waits for late prompts": plays_on(LateProxy),
    "copes with unknown fields and options": plays_on(NewerProxy),
    "copes with a refusal of an answer": plays_on(RefusingProxy),
    "comes back after a restart of the server": plays_on(RestartingProxy),
    "plays two matches at once": plays_two_matches_at_once,
    "ends with a match that is broken off": ends_with_a_match_that_is_broken_off,
}
"""By what a program has to do."""
