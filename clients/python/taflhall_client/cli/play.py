"""``taflhall play``: a person at the terminal, at a hosted table or against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.common import (
    LARGEST,
    DataFolder,
    JoinName,
    Language,
    Secret,
    SetupWords,
    UsageError,
    connect,
    language_of,
)
from taflhall_client.cli.output import say

if TYPE_CHECKING:
    from taflhall_engine.kernel.game import Game


def play(
    address: Annotated[
        str | None, typer.Argument(envvar="TAFLHALL_ADDRESS", help="The server, as HOST:PORT.")
    ] = None,
    match: Annotated[str | None, typer.Argument(help="The match's id.")] = None,
    secret: Secret = None,
    join: JoinName = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(
            max=LARGEST, help="A seat of yours; repeat it to play several from one screen."
        ),
    ] = None,
    local: Annotated[
        str | None, typer.Option(metavar="GAME", help="Play here against bots, without a server.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(max=LARGEST, help="With --local: how many play.")
    ] = None,
    setup: SetupWords = None,
    bot: Annotated[str, typer.Option("--bot", help="With --local: the others.")] = "",
    seed: Annotated[
        int | None, typer.Option(help="With --local: the same seed gives the same match.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue a saved match.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="With --local: write the record here.")
    ] = None,
    language: Language = "en",
    data: DataFolder = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Line by line, as without a terminal.")
    ] = False,
) -> None:
    """Sit down at a table: options are numbered, `?` helps, refusals are explained."""
    from taflhall_client.cli.full_screen import has_terminal, play_hosted

    language_of(language)
    full_screen = has_terminal() and not lines
    if local is not None or resume is not None:
        from taflhall_client.cli.local_play import LocalPlay

        mine = seat or [0]
        playing = LocalPlay(local or "", seats, setup, mine, bot, seed, language, data, out, resume)
        playing.run(full_screen=full_screen)
        return
    if address is None or match is None:
        raise UsageError("name a server and a match, or --local GAME")
    if (secret is None) == (join is None):
        raise UsageError("either --secret of a seat or --join NAME is needed")
    if full_screen:
        import asyncio

        asyncio.run(play_hosted(address, match, secret, join, seat, language, data))
        return
    _play_there(address, match, secret, join, seat, language, data)


def _hands_over(game: Game, mine: list[int]) -> bool:
    return len(mine) > 1 and not game.cooperative


def _play_there(
    address: str,
    match_id: str,
    secret: str | None,
    join: str | None,
    seats: list[int] | None,
    language: str,
    data: Path | None,
) -> None:
    from taflhall_client.cli.interactive import InteractiveSession
    from taflhall_client.terminal.person import Left
    from taflhall_client.terminal.words import words

    with connect(address, data, deadline=15.0) as client:
        hosted = client.match(match_id, secret)
        if join is not None:
            hosted = hosted.join(join, seats or ())
            come_back = {"address": address, "match": match_id, "secret": hosted.secret}
            say(words("come_back", language, **come_back))
        game = client.game(hosted.get().match.game)
        try:
            mine = seats or hosted.seats
            InteractiveSession(hosted, game, language, mine, _hands_over(game, mine)).run()
        except Left:
            say(words("left", language))
