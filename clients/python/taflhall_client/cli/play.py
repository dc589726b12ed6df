"""``taflhall play``: a person at the terminal, at a hosted table or against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taflhall_client.cli.common import (
    DataFolder,
    Language,
    Secret,
    SetupWords,
    UsageError,
    connect,
    language_of,
    make_game,
    setup_of,
)
from taflhall_client.cli.output import console, say

if TYPE_CHECKING:
    from taflhall_client.bot import Decision
    from taflhall_client.terminal.person import Person
    from taflhall_engine.kernel.agenda import Command, Event
    from taflhall_engine.kernel.game import Game, View


def play(
    address: Annotated[
        str | None, typer.Argument(envvar="TAFLHALL_ADDRESS", help="The server, as HOST:PORT.")
    ] = None,
    match: Annotated[str | None, typer.Argument(help="The match's id.")] = None,
    secret: Secret = None,
    join: Annotated[str | None, typer.Option(help="Take a seat under this name.")] = None,
    seat: Annotated[
        list[int] | None,
        typer.Option(help="A seat of yours; repeat it to play several from one screen."),
    ] = None,
    local: Annotated[
        str | None, typer.Option(metavar="GAME", help="Play here against bots, without a server.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="With --local: how many play.")] = None,
    setup: SetupWords = None,
    bot: Annotated[str, typer.Option("--bot", help="With --local: the others.")] = "",
    seed: Annotated[int, typer.Option(help="With --local: seed of the bots' random numbers.")] = 0,
    language: Language = "en",
    data: DataFolder = None,
) -> None:
    """Sit down at a table: options are numbered, `?` helps, refusals are explained."""
    language_of(language)
    if local is not None:
        _play_here(local, seats, setup, seat or [0], bot, seed, language, data)
        return
    if address is None or match is None:
        raise UsageError("name a server and a match, or --local GAME")
    if (secret is None) == (join is None):
        raise UsageError("either --secret of a seat or --join NAME is needed")
    _play_there(address, match, secret, join, seat, language, data)


# ---------------------------------------------------------------- against bots, in process


def _play_here(
    name: str,
    seats: int | None,
    setup: list[str] | None,
    mine: list[int],
    bot: str,
    seed: int,
    language: str,
    data: Path | None,
) -> None:
    from taflhall_client import bots, local, terminal
    from taflhall_client.bot import Bot
    from taflhall_client.cli.interactive import tell
    from taflhall_client.terminal.person import Left, Person
    from taflhall_client.terminal.words import words
    from taflhall_engine.kernel.agenda import SPECTATOR
    from taflhall_engine.kernel.chance import FastChance

    game = make_game(name, data)
    laid_out = setup_of(game, setup, seats)
    number = game.seats(game.new(laid_out, FastChance(0)))
    if not all(0 <= seat < number for seat in mine):
        raise UsageError(f"there are seats 0 to {number - 1}")
    names = [f"{words('you', language)} ({i})" if i in mine else f"bot {i}" for i in range(number)]
    screen = console()
    shared = _hands_over(game, mine)
    person = _Here(
        Person(game, screen, names, language, shared_screen=shared, side_commands=("undo",))
    )
    players: list[Bot] = [
        person
        if i in mine
        else bots.load(bot, game, seed + i)
        if bot
        else bots.best(game, seed + i)
        for i in range(number)
    ]
    viewer = mine[0] if len(mine) == 1 else SPECTATOR

    def listen(events: list[Event]) -> None:
        seen = [event.seen_by(viewer) for event in events]
        tell(game, [event for event in seen if event is not None], names, language)

    try:
        played = local.play(game, players, laid_out, listen=listen)
    except Left:
        say(words("left", language))
        return
    for line in terminal.result_lines(game, names, played.result, language):
        say(line)


class _Here:
    """A person who plays in process, and may take answers back without asking anybody."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        from taflhall_client.bot import TakeBack
        from taflhall_client.terminal.person import SideCommand

        try:
            return self._person.choose(view, decision)
        except SideCommand:
            raise TakeBack(self._person.nothing_to_undo) from None


def _hands_over(game: Game, mine: list[int]) -> bool:
    return len(mine) > 1 and not game.cooperative


# ---------------------------------------------------------------- at a hosted table


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
