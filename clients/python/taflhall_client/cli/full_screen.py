"""Matches on the whole screen of a terminal: when there is one, and how they begin."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from taflhall_client.cli.common import connect_async
from taflhall_client.cli.output import say
from taflhall_client.terminal.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taflhall_client.bot import Bot
    from taflhall_client.local import LocalMatch
    from taflhall_client.match import Match
    from taflhall_client.terminal.play.pace import Pace
    from taflhall_client.terminal.play.session import Session
    from taflhall_engine.kernel.game import Game


def has_terminal() -> bool:
    """Return whether this process has a terminal that can show a whole screen."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


async def show(session: Session, language: str, pace: Pace | None = None) -> None:
    """Show *session* until the player leaves; then print how it ended, or that they have left."""
    from taflhall_client.terminal.play.app import PlayApp
    from taflhall_client.terminal.play.screen import Screen

    screen = Screen(session.game, language, tuple(session.seats), shared=session.shared)
    await PlayApp(session, screen, pace).run_async()
    session.leave()
    for line in screen.result:
        say(line)
    if not screen.info.over and session.seats:
        say(words("left", language))


async def play_hosted(
    address: str,
    match_id: str,
    secret: str | None,
    join: str | None,
    seats: list[int] | None,
    language: str,
    data: Path | None,
) -> None:
    """Play at a hosted table, or watch it without a secret and a name."""
    from taflhall_client.terminal.play.hosted import HostedSession
    from taflhall_engine.kernel.agenda import SPECTATOR

    async with connect_async(address, data, deadline=15.0) as client:
        match = client.match(match_id, secret)
        come_back = ""
        if join is not None:
            match = await match.join(join, seats or ())
            known = {"address": address, "match": match_id, "secret": match.secret}
            come_back = words("come_back", language, **known)
            say(come_back)
        game = client.game((await match.get()).match.game)
        mine = list(seats or match.seats)
        if not mine and match.secret is not None:
            mine = await _seats(match)
        mine = [seat for seat in mine if seat != SPECTATOR]
        shared = len(mine) > 1 and not game.cooperative
        await show(HostedSession(match, game, mine, language, shared=shared), language)
        if come_back:
            say(come_back)


async def _seats(match: Match) -> list[int]:
    """Return the seats of the match's secret, as far as the server says."""
    view = (await match.get(view=True)).view
    return [] if view is None else [view.seat]


async def play_local(
    match: LocalMatch,
    names: Sequence[str],
    seats: Sequence[int],
    bots: Sequence[Bot | None],
    language: str,
    out: Path | None,
) -> None:
    """Play a match in process; write the record of a finished one to *out*."""
    from taflhall_client.terminal.play.local import LocalSession

    session = LocalSession(match, names, seats, bots, language)
    await show(session, language)
    if out is not None and session.finished is not None:
        say(words("saved", language, file=await session.save(str(out))))


async def watch_at_pace(match: Match, game: Game, language: str, pace: Pace) -> None:
    """Watch a hosted match at a human pace."""
    from taflhall_client.terminal.play.hosted import HostedSession

    await show(HostedSession(match, game, (), language, pace=pace), language, pace)
