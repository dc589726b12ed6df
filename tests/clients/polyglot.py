"""`make polyglot`: a bot of every SDK at one table, over two replicas, one of which is killed.

`python -m tests.clients.polyglot` builds the SDKs and plays a match of each game of `TABLES`, with
the bot of each SDK's examples. Both replicas serve from one Redis; the first is killed with SIGKILL
in the middle, and a page in Chromium, which watched there, and the bots go on at the other one. The
record is verified as `taflhall verify` does it, and the last line is `verified: ...`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from taflhall_client.async_client import Client
from taflhall_client.cli import records
from taflhall_client.match import Match
from taflhall_client.ports import free_port
from taflhall_client.processes import Children
from taflhall_client.results import MatchInfo, Status
from tests.clients.sdks import SDK, SDKS, run
from tests.store.servers import SAFE, Valkey
from tests.waiting import take

TABLES: Final = {"ice_garden": 4, "yggdrasil": 5}
"""The games that are played, and with how many seats."""

KILLED_AT: Final = 10
"""The revision at which the first replica is killed."""

LIMIT_SECONDS: Final = 600.0
"""The longest that a match may take."""

CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PAGE: Final = "build/tests/page.js"


class Replica:
    """A server process over the common store."""

    def __init__(self, children: Children, store: str, log: Path) -> None:
        self.address: Final = f"127.0.0.1:{free_port()}"
        self.web: Final = f"127.0.0.1:{free_port()}"
        arguments = ["--listen", self.address, "--web", self.web, "--web-origins", "*"]
        with log.open("ab") as out:
            self._process = children.start(
                "taflhall_service.main", *arguments, "--store", store, log=out
            )
        self._log = log

    async def ready(self) -> None:
        """Wait until it listens at both ports; raise ``RuntimeError`` if it does not start."""
        for address in (self.address, self.web):
            host, _, port = address.rpartition(":")
            while True:
                if self._process.poll() is not None:
                    raise RuntimeError(f"a replica did not start:\n{self._log.read_text('utf-8')}")
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection(host, int(port))
                    writer.close()
                    break
                await take(0.05)

    def kill(self) -> None:
        """End it with SIGKILL."""
        self._process.kill()
        self._process.wait()


@dataclass(frozen=True, slots=True)
class Played:
    """A match that the bots have played."""

    match: MatchInfo
    killed_at: int
    """The newest revision when the first replica was killed."""
    shown: list[dict[str, Any]]
    """What the page was sent: `kind` and `revision` of each update."""
    record: Path
    seconds: float


@asynccontextmanager
async def replicas(folder: Path) -> AsyncIterator[list[Replica]]:
    """Run two replicas over one Redis until the ``with`` block ends."""
    store = Valkey(folder / "redis", *SAFE)
    try:
        with Children() as children:
            both = [Replica(children, store.address, folder / f"log{n}") for n in range(2)]
            async with asyncio.timeout(LIMIT_SECONDS):
                for replica in both:
                    await replica.ready()
            yield both
    finally:
        store.stop()


async def play(game: str, bots: dict[str, SDK], both: Sequence[Replica], folder: Path) -> Played:
    """Let *bots*, by the names of their players, play a match; kill the first replica meanwhile."""
    began = time.monotonic()
    addresses = ",".join(replica.address for replica in both)
    pages = ",".join(f"http://{replica.web}" for replica in both)
    async with asyncio.timeout(LIMIT_SECONDS), Client(both[1].address) as client:
        match = await client.create(game, {"seats": len(bots)}, start_when_full=True)
        async with contextlib.AsyncExitStack() as stack:
            command = ["node", PAGE, pages, match.match_id]
            page = await stack.enter_async_context(_program(command, SDKS["typescript"].folder))
            assert page.stdout is not None
            shown = [json.loads(await page.stdout.readline() or "{}")]
            programs = {
                name: await stack.enter_async_context(
                    _program([*sdk.example_command("bot"), addresses, match.match_id, name])
                )
                for name, sdk in bots.items()
            }
            async with asyncio.TaskGroup() as group:  # a bot that fails ends the others
                watching = group.create_task(_kill_in_the_middle(match, both[0]))
                printed = group.create_task(_output("page", page))
                for name, program in programs.items():
                    group.create_task(_output(name, program))
            killed_at = watching.result()
            shown += [json.loads(line) for line in printed.result().splitlines()]
        end = (await match.get()).match
        record = folder / f"{game}.json"
        record.write_text(records.to_text(await match.record()), "utf-8")
    return Played(end, killed_at, shown, record, time.monotonic() - began)


async def _kill_in_the_middle(match: Match, replica: Replica) -> int:
    """Watch a match to its end and kill a replica meanwhile; return at which revision."""
    killed_at = 0
    async for update in match.watch(view=False, options=False):
        if update.revision >= KILLED_AT and not killed_at:
            replica.kill()
            killed_at = update.revision
    return killed_at


@asynccontextmanager
async def _program(
    command: list[str], folder: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program; it is killed if it has not ended when the ``with`` block does."""
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=pipe, stderr=pipe)
    try:
        yield program
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


async def _output(name: str, program: asyncio.subprocess.Process) -> str:
    """Return what a program prints until it ends; raise ``RuntimeError`` if it fails."""
    out, err = await program.communicate()
    if program.returncode:
        raise RuntimeError(f"{name}: {err.decode()}{out.decode()}")
    return out.decode()


def missing() -> list[str]:
    """Return the programs that are not on this machine, with where to get them."""
    found = [tool for sdk in SDKS.values() for tool in sdk.missing]
    return found if _has_browser() else [*found, "chromium (https://www.chromium.org)"]


def _has_browser() -> bool:
    return Path(CHROMIUM).exists()


def seated(seats: int) -> dict[str, SDK]:
    """Return the bots of a table by name: one of each SDK, then more of the Python SDK."""
    bots = {name: sdk for name, sdk in SDKS.items() if not sdk.missing}
    names = [*bots, *(f"python {n}" for n in range(2, seats + 1))][:seats]
    return {name: bots.get(name, SDKS["python"]) for name in names}


def faults(played: Played, bots: Sequence[str]) -> list[str]:
    """Return what went otherwise than it should have."""
    end = played.match
    found = []
    if end.status is not Status.FINISHED:
        found.append(f"the match is {end.status.name}")
    if not 0 < played.killed_at < end.revision:
        found.append(f"a replica was killed at revision {played.killed_at} of {end.revision}")
    if sorted(seat.name for seat in end.seats) != sorted(bots):
        found.append(f"{[seat.name for seat in end.seats]} sat there")
    changes = [update["revision"] for update in played.shown if update["kind"] == "change"]
    if changes != list(range(1, end.revision + 1)):
        found.append(f"the page was sent the changes {changes} of {end.revision}")
    return found


async def main() -> int:
    """Build, play and verify; return the exit status."""
    if lacking := missing():
        print(f"missing: {', '.join(lacking)}")
        if os.environ.get("CI") == "true" or not _has_browser():
            return 1
    for name, sdk in SDKS.items():
        if not sdk.missing and (fault := run(sdk, sdk.build)):
            print(f"FAILED {name}: {fault}")
            return 1
    for game, seats in TABLES.items():
        bots = seated(seats)
        with tempfile.TemporaryDirectory(prefix="taflhall-") as name:
            folder = Path(name)
            async with replicas(folder) as both:
                print(f"{game}: {', '.join(bots)}")
                played = await play(game, bots, both, folder)
            if wrong := faults(played, [*bots]):
                print(f"FAILED {game}: {'; '.join(wrong)}")
                return 1
            at, revision = played.killed_at, played.match.revision
            print(f"    a replica was killed at revision {at} of {revision}")
            print(f"    the page saw every change; {played.seconds:.1f} s")
            print(records.verified(records.check(records.read(played.record))))
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
