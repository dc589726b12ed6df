"""Bots over the wire, many matches at once.

::

    async with Client("localhost:50051") as hall:
        tables = [Table("yggdrasil", setup, [make_bot(seat) for seat in range(3)])] * 100
        async for outcome in run(hall, tables, concurrency=16):
            print(outcome.match_id, outcome.result)

A bot that fails costs its own seat only (see :mod:`taflhall_client.asking`), and a match that
fails costs itself only: it is told as an :class:`Outcome`, and the others go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from taflhall_client.aio import Client, Match
from taflhall_client.asking import OnFailure
from taflhall_client.bot import Bot
from taflhall_client.errors import TaflhallError
from taflhall_client.results import MatchInfo, SeatKind
from taflhall_engine.kernel.game import Result

log: Final = logging.getLogger("taflhall.runner")


@dataclass(frozen=True, slots=True)
class Table:
    """A match to be hosted: its setup and a bot for each seat in order."""

    game: str
    setup: Any
    bots: Sequence[Bot]
    names: Sequence[str] = ()
    """What the bots are called; ``bot 0`` and so on if it is left out."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a :class:`Table`."""

    table: Table
    match_id: str = ""
    info: MatchInfo | None = None
    failures: list[TaflhallError] = field(default_factory=list)
    """What ended the match, or a seat's play, before its end."""

    @property
    def result(self) -> Result | None:
        """How the match ended; ``None`` if it did not."""
        return None if self.info is None else self.info.result


async def host(hall: Client, table: Table, on_failure: OnFailure = "resign") -> Outcome:
    """Open a match, seat the bots, and play it to its end; never raise for its own sake."""
    match: Match | None = None
    try:
        match = await hall.create(table.game, table.setup, title=table.title, start_when_full=True)
        chairs = [
            await match.join(name, [seat], SeatKind.BOT) for seat, name in enumerate(_names(table))
        ]
    except TaflhallError as failure:
        log.warning("a match of %s could not be opened: %s", table.game, failure)
        return Outcome(table, "" if match is None else match.match_id, None, [failure])
    plays = [
        asyncio.create_task(chair.play(bot, on_failure=on_failure))
        for chair, bot in zip(chairs, table.bots, strict=True)
    ]
    try:
        await asyncio.wait(plays, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for play in plays:
            play.cancel()
        ends = await asyncio.gather(*plays, return_exceptions=True)
    infos = [end for end in ends if isinstance(end, MatchInfo)]
    failures = []
    for end in ends:
        if isinstance(end, TaflhallError):
            log.warning("match %s: %s", match.match_id, end)
            failures.append(end)
        elif isinstance(end, Exception):
            raise end
    return Outcome(table, match.match_id, infos[0] if infos else None, failures)


async def run(
    hall: Client,
    tables: Iterable[Table],
    *,
    concurrency: int = 16,
    on_failure: OnFailure = "resign",
) -> AsyncGenerator[Outcome, None]:
    """Play *tables*, *concurrency* of them at a time; yield each outcome as it comes."""
    waiting = iter(tables)
    playing: set[asyncio.Task[Outcome]] = set()
    try:
        while True:
            while len(playing) < concurrency and (table := next(waiting, None)) is not None:
                playing.add(asyncio.create_task(host(hall, table, on_failure)))
            if not playing:
                return
            done, playing = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _names(table: Table) -> list[str]:
    return list(table.names) or [f"bot {seat}" for seat in range(len(table.bots))]
