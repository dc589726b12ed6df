"""``taflhall watch`` follows a hosted match in the terminal, ``taflhall history`` looks back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.common import (
    Address,
    DataFolder,
    Language,
    MatchId,
    Secret,
    connect,
    language_of,
)
from taflhall_client.cli.output import console, say
from taflhall_client.printable import names_of

if TYPE_CHECKING:
    from taflhall_client.results import MatchInfo, Update


def watch(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    table: Annotated[
        bool, typer.Option("--table/--no-table", help="Draw the table when it changes.")
    ] = False,
    language: Language = "en",
    data: DataFolder = None,
) -> None:
    """Print what happens in a match until it is over, with rule numbers."""
    from taflhall_client import terminal
    from taflhall_client.clocks import TimeControl
    from taflhall_client.results import Restart
    from taflhall_client.terminal.clocks import clocks_text, time_control_text
    from taflhall_client.terminal.words import words

    language = language_of(language)
    screen = console()
    with connect(address, data) as client:
        hosted = client.match(match, secret)
        info = hosted.get().match
        game = client.game(info.game)
        names = names_of(info)
        there: set[int] = set()
        watched = hosted.watch(view=table, options=False, presence=True, reactions=True)
        for update in watched:
            if update.restart is not None and update.match is not None:
                info = update.match
                names = names_of(info)
                if update.restart is not Restart.SEATS_CHANGED:
                    say(_headline(info))
                    if info.time_control is not None:
                        say(time_control_text(info.time_control, language))
                    if secret is None and info.spectators.delay:
                        late = words("late", language, delay=TimeControl(info.spectators.delay))
                        say(late)
            for event in update.events:
                line = terminal.event_text(game, event, names, language)
                if line is not None:
                    say(line)
            _say_live(update, names, there, language)
            if update.clocks:
                say(f"  {clocks_text(update.clocks, names, language)}")
            if update.view is not None and table:
                screen.print(terminal.draw(game, update.view, names, language))
            info = update.match or info
        if info.result is not None:
            for line in terminal.result_lines(game, names, info.result, language):
                say(line)


def history(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    first: Annotated[int, typer.Option("--from", min=1, help="The first revision.")] = 1,
    last: Annotated[
        int | None, typer.Option("--to", min=1, help="The last revision; the newest if left out.")
    ] = None,
    language: Language = "en",
    data: DataFolder = None,
) -> None:
    """Print what has happened in a match, each line with its revision."""
    from taflhall_client import terminal

    language = language_of(language)
    with connect(address, data) as client:
        hosted = client.match(match, secret)
        info = hosted.get().match
        game, names = client.game(info.game), names_of(info)
        for past in hosted.history(first, last):
            for event in past.events:
                line = terminal.event_text(game, event, names, language)
                if line is not None:
                    say(f"{past.revision:4d}  {line}")


def _say_live(update: Update, names: list[str], there: set[int], language: str) -> None:
    """Print who comes and goes, and reactions; *there* are the seats whose players are there."""
    from taflhall_client.terminal.words import words

    for seat in update.presence:
        if seat.connected != (seat.seat in there) and names[seat.seat]:
            key = "there" if seat.connected else "away"
            say(words(key, language, name=names[seat.seat]))
        (there.add if seat.connected else there.discard)(seat.seat)
    if update.reaction is not None:
        said = words(f"reaction.{update.reaction.reaction.name.lower()}", language)
        say(f"{names[update.reaction.seat]}: {said}")


def _headline(info: MatchInfo) -> str:
    seats = ", ".join(seat.name or "-" for seat in info.seats)
    return f"{info.game} {info.match_id}: {info.status.name.lower()}, {seats}"
