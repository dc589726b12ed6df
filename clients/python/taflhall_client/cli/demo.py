"""``taflhall demo``: a server, bots at its table, and a match to watch."""

from __future__ import annotations

import queue
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Final

import typer

from taflhall_client.cli.common import FAILED, Language, SetupWords, language_of

if TYPE_CHECKING:
    import subprocess

    from taflhall_client.children import Children
    from taflhall_client.results import MatchInfo, Update
    from taflhall_client.sync import Client, Match
    from taflhall_engine.kernel.game import Game

NAMES: Final = ("Ask", "Embla", "Vidar", "Idun", "Bragi", "Sif")
START_SECONDS: Final = 30.0
"""How long a server may take until it answers."""


class DemoFailed(Exception):
    """The demonstration came to a halt; the message says why."""


def demo(
    game: Annotated[str, typer.Option(help="Which game is played.")] = "yggdrasil",
    seats: Annotated[int | None, typer.Option(help="How many play.")] = None,
    setup: SetupWords = None,
    bot: Annotated[str, typer.Option("--bot", help="Who plays; the best there is if none.")] = "",
    seed: Annotated[int, typer.Option(help="The bots' own luck.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Keep the record in this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not tell what happens.")] = False,
    language: Language = "en",
) -> None:
    """Start a server, seat bots in processes of their own, watch, and verify the record.

    The last line begins with `verified:` and the exit status is 0 if all went well.
    """
    from taflhall_client.children import Children
    from taflhall_client.cli.common import make_game, setup_of

    known = make_game(game)
    laid_out = setup_of(known, setup, seats)
    with tempfile.TemporaryDirectory(prefix="taflhall-demo-") as folder:
        log_file = Path(folder) / "log"
        with log_file.open("wb") as log, Children() as children:
            show = _Demo(children, Path(folder), log, known, language_of(language))
            try:
                show.play(laid_out, bot, seed, quiet)
                show.verify(out)
            except DemoFailed as error:
                tail = log_file.read_text("utf-8", "replace").splitlines()[-15:]
                print("\n".join([*tail, f"failed: {error}"]), flush=True)
                raise typer.Exit(FAILED) from None


class _Demo:
    def __init__(
        self, children: Children, folder: Path, log: IO[bytes], game: Game, language: str
    ) -> None:
        self._children = children
        self._folder = folder
        self._log = log
        self._game = game
        self._language = language
        self._record: dict[str, Any] = {}

    def play(self, setup: Any, bot: str, seed: int, quiet: bool) -> None:
        """Host a match, seat bots, tell what happens and how it ends; keep the record."""
        from taflhall_client.children import free_port

        address = f"127.0.0.1:{free_port()}"
        server = self._start_server(address)
        with _reach(address, server) as hall:
            match = hall.create(self._game.id, setup, title="demo", start_when_full=True)
            print(f"server on {address}, match {match.match_id}, its luck is sealed as")
            info = match.get().match
            print(info.secret_digest, flush=True)
            bots = self._seat_bots(address, match.match_id, len(info.seats), bot, seed)
            info = self._tell(match, bots, quiet)
            self._record = match.record()
            assert info.result is not None

    def verify(self, out: Path | None) -> None:
        """Write the record to a file, read it back and replay it."""
        from taflhall_client.cli import records

        file = out or self._folder / "record.json"
        file.write_text(records.to_text(self._record), "utf-8")
        if out is not None:
            print(f"record written to {out}")
        found = records.check(records.read(file))
        for line in found.checked:
            print(f"checked: {line}")
        print(records.verified(found), flush=True)

    def _start_server(self, address: str) -> subprocess.Popen[bytes]:
        store = f"embedded:{self._folder / 'store'}"
        args = ("--listen", address, "--store", store)
        return self._children.start("taflhall_service.main", *args, log=self._log)

    def _seat_bots(
        self, address: str, match_id: str, seats: int, bot: str, seed: int
    ) -> list[subprocess.Popen[bytes]]:
        from taflhall_client import bots

        if not bot:
            best = bots.best(self._game)
            bot = "random" if isinstance(best, bots.load("random", self._game).__class__) else ""
        kind = bot or "heuristic"
        print(f"{seats} {kind} bots sit down, each in a process of its own", flush=True)
        return [
            self._children.start(
                "taflhall_client", "bot", address, match_id,
                "--join", NAMES[seat % len(NAMES)], "--seat", str(seat),
                "--bot", kind, "--seed", str(seed + seat),
                log=self._log,
            )
            for seat in range(seats)
        ]  # fmt: skip

    def _tell(self, match: Match, bots: list[subprocess.Popen[bytes]], quiet: bool) -> MatchInfo:
        from taflhall_client import terminal
        from taflhall_client.results import Restart

        names: list[str] = []
        begin = time.monotonic()
        last: MatchInfo | None = None
        for update in _while_alive(match.watch(view=False, options=False), bots):
            if update.match is not None:
                last = update.match
                names = [seat.name for seat in last.seats]
            if update.restart is Restart.SEATS_CHANGED:
                begin = time.monotonic()
            for event in update.events:
                line = None if quiet else terminal.told(self._game, event, names, self._language)
                if line is not None:
                    print(f"{update.revision:5}  {line}", flush=True)
        if last is None or last.result is None:
            raise DemoFailed("the match ended without a result")
        print(f"the match took {time.monotonic() - begin:.1f} s, {last.revision} commands")
        for line in terminal.result_lines(names, last.result, self._language):
            print(line, flush=True)
        return last


def _reach(address: str, server: subprocess.Popen[bytes]) -> Client:
    """Return a connection to the server that is just starting."""
    from taflhall_client.cli.common import connect

    host, _, port = address.rpartition(":")
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection((host, int(port)), 1.0).close()
        except OSError:
            if server.poll() is not None:
                raise DemoFailed("the server ended") from None
            if time.monotonic() > end:
                raise DemoFailed("the server does not answer") from None
            time.sleep(0.03)
        else:
            return connect(address, deadline=START_SECONDS)


def _while_alive(
    updates: Iterator[Update], bots: list[subprocess.Popen[bytes]]
) -> Iterator[Update]:
    """Yield *updates*; raise :exc:`DemoFailed` if a bot ends badly while nothing comes."""
    arrived: queue.SimpleQueue[Update | Exception | None] = queue.SimpleQueue()

    def collect() -> None:
        try:
            for update in updates:
                arrived.put(update)
        except Exception as error:
            arrived.put(error)
        arrived.put(None)

    threading.Thread(target=collect, daemon=True).start()
    while True:
        try:
            update = arrived.get(timeout=1.0)
        except queue.Empty:
            if any(bot.poll() not in (None, 0) for bot in bots):
                raise DemoFailed("a bot ended before the match") from None
            continue
        if update is None:
            return
        if isinstance(update, Exception):
            raise update
        yield update
