"""All situations of all games, one after the other."""

from __future__ import annotations

import asyncio
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Final

from taflhall_client.bot_check import class_situations, hosted, line_situations, situations
from taflhall_client.bot_check.bench import Bench, ClassSubject, ProgramSubject, Subject, Wrong
from taflhall_client.bot_check.positions import positions
from taflhall_client.bots import NAMES, UnknownBot
from taflhall_client.processes import Children
from taflhall_client.tournament.description import Limits
from taflhall_client.tournament.time_limit import interrupting
from taflhall_engine.kernel.game import Game

_CLASS: Final = re.compile(r"[\w.]+:\w+")


@dataclass(frozen=True, slots=True)
class Finding:
    """How a bot did in one situation."""

    game: str
    situation: str
    """What it had to do."""
    wrong: str = ""
    """What it did wrong; empty: nothing."""
    note: str = ""
    """What else there is to say."""

    @property
    def passed(self) -> bool:
        """Return whether it did nothing wrong."""
        return not self.wrong


def check(bot: str, games: Sequence[Game], limits: Limits, only: str = "") -> Iterator[Finding]:
    """Check *bot*; yield what is found, situation by situation.

    *bot* is a Python class (``random``, ``module:Class``), the command of a program that speaks
    the line protocol, or with ``{address}`` in it one that speaks gRPC. Only the main thread of a
    process may call this: bots are interrupted by ``SIGALRM``. Only situations with *only* in
    their names are tried. Raise :exc:`~taflhall_client.bots.UnknownBot` if *bot* is no command, or
    :exc:`~taflhall_client.bot_check.hosted.NoServer`.
    """
    if bot in NAMES or _CLASS.fullmatch(bot):
        known = {**situations.SITUATIONS, **class_situations.SITUATIONS}
        yield from _check(ClassSubject(bot), known, games, limits, only)
        return
    try:
        command = shlex.split(bot)
    except ValueError as error:
        raise UnknownBot(f"{bot}: {error}") from None
    if not command:
        raise UnknownBot("a bot is module:Class or a command")
    if which(command[0]) is None:
        raise UnknownBot(
            f"{command[0]}: neither a bot ({', '.join(NAMES)}, module:Class) nor a program"
        )
    if "{address}" in bot:
        yield from _check_hosted(command, games, limits, only)
        return
    known = {**situations.SITUATIONS, **line_situations.SITUATIONS}
    yield from _check(ProgramSubject(command, limits), known, games, limits, only)


def _check(
    subject: Subject,
    known: Mapping[str, situations.Situation],
    games: Sequence[Game],
    limits: Limits,
    only: str,
) -> Iterator[Finding]:
    for game in games:
        found = positions(game)
        bench = Bench(found, subject, limits)
        with interrupting():
            yield (first := _tried(bench, "starts", _starts))
            if not first.passed:
                continue
            for name, situation in known.items():
                if only in name:
                    yield _tried(bench, name, situation)


def _tried(bench: Bench, name: str, situation: situations.Situation) -> Finding:
    try:
        return Finding(bench.game.id, name, note=situation(bench))
    except Wrong as wrong:
        return Finding(bench.game.id, name, str(wrong))


def _starts(bench: Bench) -> str:
    with bench.seat(bench.positions.setups[0], 0):
        return ""


def _check_hosted(
    command: Sequence[str], games: Sequence[Game], limits: Limits, only: str
) -> Iterator[Finding]:
    with (
        tempfile.TemporaryDirectory(prefix="taflhall-check-") as folder,
        Children() as children,
        asyncio.Runner() as runner,
    ):
        started = hosted.server(children, Path(folder))
        address, client = runner.run(started.__aenter__())
        try:
            for game in games:
                bench = hosted.HostedBench(game, command, limits, address, client, Path(folder))
                for name, situation in hosted.SITUATIONS.items():
                    if only not in name:
                        continue
                    yield runner.run(_tried_hosted(bench, name, situation))
        finally:
            runner.run(started.__aexit__(None, None, None))


async def _tried_hosted(
    bench: hosted.HostedBench, name: str, situation: hosted.HostedSituation
) -> Finding:
    try:
        return Finding(bench.game.id, name, note=await situation(bench))
    except Wrong as wrong:
        return Finding(bench.game.id, name, str(wrong))
