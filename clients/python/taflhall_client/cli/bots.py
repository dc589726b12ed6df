"""``taflhall bot``: seats a bot at a hosted match."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from taflhall_client.cli.common import Address, DataFolder, MatchId, Secret, UsageError, connect
from taflhall_client.cli.output import names_of, say


def bot(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    join: Annotated[str | None, typer.Option(help="Take a seat under this name.")] = None,
    seat: Annotated[list[int] | None, typer.Option(help="With --join: the seat.")] = None,
    bot: Annotated[
        str, typer.Option("--bot", help="random, heuristic, search or module:Class.")
    ] = "heuristic",
    seed: Annotated[int, typer.Option(help="Seed of the bot's random numbers.")] = 0,
    on_failure: Annotated[
        str, typer.Option(help="If the bot fails: raise, resign or neutral.")
    ] = "raise",
    proposals: Annotated[
        str, typer.Option(help="What to say to proposals: agree, refuse or leave.")
    ] = "agree",
    data: DataFolder = None,
) -> None:
    """Let a bot play a seat until the match is over."""
    from taflhall_client import bots, terminal
    from taflhall_client.results import SeatKind

    if (secret is None) == (join is None):
        raise UsageError("either --secret of a seat or --join NAME is needed")
    if on_failure not in ("raise", "resign", "neutral"):
        raise UsageError("--on-failure is raise, resign or neutral")
    if proposals not in ("agree", "refuse", "leave"):
        raise UsageError("--proposals is agree, refuse or leave")
    logging.basicConfig(format="%(name)s: %(message)s")
    with connect(address, data, deadline=30.0) as client:
        hosted = client.match(match, secret)
        info = hosted.get().match
        player = bots.load(bot, client.game(info.game), seed)
        if join is not None:
            hosted = hosted.join(join, seat or (), SeatKind.BOT)
            say(f"secret {hosted.secret}")
        info = hosted.play(player, on_failure=on_failure, proposals=proposals)  # type: ignore[arg-type]
        assert info.result is not None
        names = names_of(info)
        for line in terminal.result_lines(client.game(info.game), names, info.result, "en"):
            say(line)
