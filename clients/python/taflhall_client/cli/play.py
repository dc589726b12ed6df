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
    console,
    language_of,
    make_game,
    setup_of,
)

if TYPE_CHECKING:
    from taflhall_client.bot import Decision
    from taflhall_client.results import Update
    from taflhall_client.sync import Match
    from taflhall_client.terminal.person import Person
    from taflhall_engine.kernel.agenda import Command, Event, Refusal
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
    seed: Annotated[int, typer.Option(help="With --local: the bots' luck.")] = 0,
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
    from taflhall_client.terminal.person import Left, Person
    from taflhall_client.terminal.words import words
    from taflhall_engine.kernel.agenda import SPECTATOR
    from taflhall_engine.kernel.chance import CheapChance

    game = make_game(name, data)
    laid_out = setup_of(game, setup, seats)
    number = game.seats(game.new(laid_out, CheapChance(0)))
    if not all(0 <= seat < number for seat in mine):
        raise UsageError(f"there are seats 0 to {number - 1}")
    names = [f"{words('you', language)} ({i})" if i in mine else f"bot {i}" for i in range(number)]
    screen = console()
    person = Person(game, screen, names, language, hand_over=_hands_over(game, mine))
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
        _tell(game, [event for event in seen if event is not None], names, language)

    try:
        played = local.play(game, players, laid_out, listen=listen)
    except Left:
        print(words("left", language))
        return
    for line in terminal.result_lines(names, played.result, language):
        print(line)


def _hands_over(game: Game, mine: list[int]) -> bool:
    return len(mine) > 1 and not game.cooperative


def _tell(game: Game, events: list[Any], names: list[str], language: str) -> None:
    from taflhall_client import terminal

    for event in events:
        line = terminal.told(game, event, names, language)
        if line is not None:
            print(f"  {line}")


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
    from taflhall_client.terminal.person import Left
    from taflhall_client.terminal.words import words

    with connect(address, data, deadline=15.0) as hall:
        chair = hall.match(match_id, secret)
        if join is not None:
            chair = chair.join(join, seats or ())
            come_back = {"address": address, "match": match_id, "secret": chair.secret}
            print(words("come_back", language, **come_back))
        game = hall.game(chair.get().match.game)
        try:
            _Sitting(chair, game, language, seats or chair.seats).run()
        except Left:
            print(words("left", language))


class _Sitting:
    """A person at a hosted table, until the match is over."""

    def __init__(self, chair: Match, game: Game, language: str, seats: list[int]) -> None:
        self._chair = chair
        self._game = game
        self._language = language
        self._shared = _hands_over(game, seats)
        self._names: list[str] = []
        self._person: Person | None = None

    def run(self) -> None:
        from taflhall_client import terminal
        from taflhall_client.results import Status
        from taflhall_client.terminal.words import words

        for update in self._chair.watch(view=False, options=True):
            _tell(self._game, self._fit(update.events), self._names, self._language)
            if update.match is not None:
                self._names = [seat.name for seat in update.match.seats]
                if update.status is Status.OPEN:
                    names = ", ".join(name or "-" for name in self._names)
                    print(words("open", self._language, names=names))
                if update.match.result is not None:
                    end = update.match.result
                    for line in terminal.result_lines(self._names, end, self._language):
                        print(line)
            self._answer(update)

    def _answer(self, update: Update) -> None:
        from taflhall_client import errors
        from taflhall_client.bot import Resign
        from taflhall_client.terminal.clocks import clocks_text
        from taflhall_client.terminal.words import words
        from taflhall_engine.kernel.agenda import Refusal

        mine = [decision for decision in update.decisions if decision.options]
        if not mine:
            return
        decision = mine[0]
        state = self._chair.get(view=True, seat=decision.seat)
        still = [d for d in state.decisions if d.decision_id == decision.decision_id]
        if not still or state.view is None:
            return
        if state.match.clocks:
            print(clocks_text(state.match.clocks, self._names, self._language))
        person = self._sit()
        try:
            self._chair.decide(person.choose(state.view, decision), decision)
        except Resign:
            self._chair.resign(decision.seat)
        except errors.StaleDecision:
            print(words("stale", self._language))
        except errors.IllegalCommand as error:
            person.refuse(Refusal(error.rule, error.refusal, error.message, error.message_de))

    def _fit(self, events: list[Event]) -> list[Event]:
        """Return what may be shown on a screen that several people look at."""
        from taflhall_engine.kernel.agenda import SPECTATOR

        if not self._shared:
            return events
        seen = [event.seen_by(SPECTATOR) for event in events]
        return [event for event in seen if event is not None]

    def _sit(self) -> Person:
        from taflhall_client.terminal.person import Person

        if self._person is None:
            self._person = Person(
                self._game,
                console(),
                self._names,
                self._language,
                hand_over=self._shared,
                explain=self._explain,
            )
        return self._person

    def _explain(self, view: View, decision: Decision, command: Command[Any]) -> Refusal | None:
        return self._chair.explain(command, decision.seat).refusal
