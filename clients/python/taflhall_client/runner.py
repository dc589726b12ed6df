"""Bots over the wire, many matches at once.

::

    async with Client("localhost:50051") as client:
        plans = [MatchPlan("yggdrasil", setup, [make_bot(seat) for seat in range(3)])] * 100
        async for outcome in run(client, plans, concurrency=16):
            print(outcome.match_id, outcome.result)

A bot that fails costs its own seat only (see :mod:`taflhall_client.bot_calls`), and a match that
fails costs itself only: its :class:`MatchOutcome` says so, and the others continue.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from taflhall_client.async_client import Client, Match
from taflhall_client.bot import Bot
from taflhall_client.bot_calls import OnFailure
from taflhall_client.errors import TaflhallError
from taflhall_client.results import MatchInfo, SeatKind
from taflhall_engine.kernel.game import Result

log: Final = logging.getLogger("taflhall.runner")


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to be hosted: its setup and a bot for each seat in order."""

    game: str
    setup: Any
    bots: Sequence[Bot]
    names: Sequence[str] = ()
    """The names of the bots; by default ``bot 0`` and so on."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a :class:`MatchPlan`."""

    plan: MatchPlan
    match_id: str = ""
    info: MatchInfo | None = None
    failures: list[TaflhallError] = field(default_factory=list)
    """The error that ended the match, or a seat's play, early."""

    @property
    def result(self) -> Result | None:
        """How the match ended; ``None`` if it did not."""
        return None if self.info is None else self.info.result


async def host(client: Client, plan: MatchPlan, on_failure: OnFailure = "resign") -> MatchOutcome:
    """Open a match, seat the bots, and play it to its end; never raise for its own sake."""
    match: Match | None = None
    try:
        match = await client.create(plan.game, plan.setup, title=plan.title, start_when_full=True)
        players = [
            await match.join(name, [seat], SeatKind.BOT) for seat, name in enumerate(_names(plan))
        ]
    except TaflhallError as failure:
        log.warning("a match of %s could not be opened: %s", plan.game, failure)
        return MatchOutcome(plan, "" if match is None else match.match_id, None, [failure])
    plays = [
        asyncio.create_task(player.play(bot, on_failure=on_failure))
        for player, bot in zip(players, plan.bots, strict=True)
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
    return MatchOutcome(plan, match.match_id, infos[0] if infos else None, failures)


async def run(
    client: Client,
    plans: Iterable[MatchPlan],
    *,
    concurrency: int = 16,
    on_failure: OnFailure = "resign",
) -> AsyncGenerator[MatchOutcome, None]:
    """Play *plans*, *concurrency* of them at a time; yield each outcome as it comes."""
    waiting = iter(plans)
    playing: set[asyncio.Task[MatchOutcome]] = set()
    try:
        while True:
            while len(playing) < concurrency and (plan := next(waiting, None)) is not None:
                playing.add(asyncio.create_task(host(client, plan, on_failure)))
            if not playing:
                return
            done, playing = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _names(plan: MatchPlan) -> list[str]:
    return list(plan.names) or [f"bot {seat}" for seat in range(len(plan.bots))]
