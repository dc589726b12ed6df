"""``taflhall demo``: a server, bots at its table, and a match to watch."""

from __future__ import annotations

import socket
import tempfile
import time
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Final

import typer

from taflhall_client.cli.common import FAILED, BotSeed, Language, SeatCount, SetupWords, language_of
from taflhall_client.cli.output import say
from taflhall_client.printable import names_of

if TYPE_CHECKING:
    import subprocess

    from taflhall_client.async_client import Match
    from taflhall_client.processes import Children
    from taflhall_client.results import MatchInfo
    from taflhall_engine.kernel.game import Game

NAMES: Final = ("Ask", "Embla", "Vidar", "Idun", "Bragi", "Sif")
START_SECONDS: Final = 30.0
"""How long a server may take until it answers."""


class DemoFailed(Exception):
    """The demonstration failed; the message says why."""


def demo(
    game: Annotated[str, typer.Option(help="Which game is played.")] = "yggdrasil",
    seats: SeatCount = None,
    setup: SetupWords = None,
    bot: Annotated[str, typer.Option("--bot", help="The bot; by default the strongest.")] = "",
    seed: BotSeed = 0,
    out: Annotated[Path | None, typer.Option(help="Keep the record in this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print what happens.")] = False,
    fast: Annotated[
        bool, typer.Option("--fast", help="Lines as fast as they come, as without a terminal.")
    ] = False,
    language: Language = "en",
) -> None:
    """Start a server, seat bots in processes of their own, watch, and verify the record.

    In a terminal the match is shown at a human pace. The last line begins with `verified:` and the
    exit status is 0 if all went well.
    """
    import asyncio

    from taflhall_client.cli.common import make_game, setup_of
    from taflhall_client.cli.full_screen import has_terminal
    from taflhall_client.processes import Children

    known = make_game(game)
    laid_out = setup_of(known, setup, seats)
    with tempfile.TemporaryDirectory(prefix="taflhall-demo-") as folder:
        log_file = Path(folder) / "log"
        with log_file.open("wb") as log, Children() as children:
            slowly = has_terminal() and not (fast or quiet)
            show = _Demo(children, Path(folder), log, known, language_of(language), slowly)
            try:
                record = asyncio.run(show.play(laid_out, bot, seed, quiet))
            except DemoFailed as error:
                tail = log_file.read_text("utf-8", "replace").splitlines()[-15:]
                say("\n".join([*tail, f"failed: {error}"]))
                raise typer.Exit(FAILED) from None
        _verify(record, out or Path(folder) / "record.json", kept=out is not None)


class _Demo:
    def __init__(
        self,
        children: Children,
        folder: Path,
        log: IO[bytes],
        game: Game,
        language: str,
        slowly: bool,
    ) -> None:
        self._children = children
        self._folder = folder
        self._log = log
        self._game = game
        self._language = language
        self._slowly = slowly

    async def play(self, setup: Any, bot: str, seed: int, quiet: bool) -> dict[str, Any]:
        """Host a match, seat bots, print the events and the result; return the record."""
        from taflhall_client.async_client import Client
        from taflhall_client.cli.full_screen import watch_at_pace
        from taflhall_client.ports import free_port
        from taflhall_client.terminal.play.pace import Pace

        address = f"127.0.0.1:{free_port()}"
        page = self._start_server(address)
        async with Client(address) as client:
            match = await client.create(self._game.id, setup, title="demo", start_when_full=True)
            info = (await match.get()).match
            say(f"server on {address}, match {match.match_id}")
            if page:
                say(f"page: {page}/")
            say(f"every random draw comes from a secret with the digest {info.secret_digest}")
            bots = self._seat_bots(address, match.match_id, len(info.seats), bot, seed)
            if self._slowly:
                await watch_at_pace(match, self._game, self._language, Pace())
                quiet = True
            await self._until_a_bot_fails(match, bots, quiet)
            return await match.record()

    def _start_server(self, address: str) -> str:
        """Start a server, and wait until it listens; return the address of its page, if any."""
        from taflhall_client.ports import free_port

        args = ["--listen", address, "--store", f"embedded:{self._folder / 'store'}"]
        web = f"127.0.0.1:{free_port()}" if find_spec("uvicorn") else ""
        args += ["--web", web] if web else []
        server = self._children.start("taflhall_service.main", *args, log=self._log)
        end = time.monotonic() + START_SECONDS
        while not all(_listens(one) for one in (address, web) if one):
            if server.poll() is not None:
                raise DemoFailed("the server ended")
            if time.monotonic() > end:
                raise DemoFailed("the server does not answer")
            time.sleep(0.03)
        return f"http://{web}" if web and _has_page(web) else ""

    def _seat_bots(
        self, address: str, match_id: str, seats: int, bot: str, seed: int
    ) -> list[subprocess.Popen[bytes]]:
        from taflhall_client import bots

        kind = bot or bots.best_name(self._game)
        say(f"{seats} {kind} bots sit down, each in a process of its own")
        return [
            self._children.start(
                "taflhall_client", "bot", address, match_id,
                "--join", NAMES[seat % len(NAMES)], "--seat", str(seat),
                "--bot", kind, "--seed", str(seed + seat),
                log=self._log,
            )
            for seat in range(seats)
        ]  # fmt: skip

    async def _until_a_bot_fails(
        self, match: Match, bots: list[subprocess.Popen[bytes]], quiet: bool
    ) -> None:
        import asyncio

        printing = asyncio.create_task(self._print_events(match, quiet))
        try:
            while not printing.done():
                await asyncio.wait([printing], timeout=0.5)
                failed = any(bot.poll() not in (None, 0) for bot in bots)
                if failed and not printing.done():
                    raise DemoFailed("a bot ended before the match")
            printing.result()
        finally:
            printing.cancel()
            await asyncio.gather(printing, return_exceptions=True)

    async def _print_events(self, match: Match, quiet: bool) -> None:
        from taflhall_client import terminal

        names: list[str] = []
        last: MatchInfo | None = None
        async for update in match.watch(view=False, options=False):
            if update.match is not None:
                last = update.match
                names = names_of(last)
            for event in update.events:
                line = terminal.event_text(self._game, event, names, self._language)
                if line is not None and not quiet:
                    say(f"{update.revision:5}  {line}")
        if last is None or last.result is None:
            raise DemoFailed("the match ended without a result")
        if last.started is not None and last.ended is not None:
            took = (last.ended - last.started).total_seconds()
            say(f"the match took {took:.1f} s, {last.revision} commands")
        for line in terminal.result_lines(self._game, names, last.result, self._language):
            say(line)


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 1.0).close()
    except OSError:
        return False
    return True


def _has_page(address: str) -> bool:
    """Return whether the server at *address* serves a page for people."""
    connection = HTTPConnection(address, timeout=2.0)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _verify(record: dict[str, Any], file: Path, *, kept: bool) -> None:
    """Write the record to a file, read it back and replay it."""
    from taflhall_client.cli import records

    file.write_text(records.to_text(record), "utf-8")
    if kept:
        say(f"record written to {file}")
    found = records.check(records.read(file))
    for line in found.checked:
        say(f"checked: {line}")
    say(records.verified(found))
