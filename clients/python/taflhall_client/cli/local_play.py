"""``taflhall play --local``: a person at the terminal against bots, in process."""

from __future__ import annotations

import asyncio
import hashlib
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taflhall_client import bots, terminal
from taflhall_client.bot import Abandon, Bot, Decision, TakeBack
from taflhall_client.cli.common import UsageError, make_game, setup_of
from taflhall_client.cli.full_screen import play_local
from taflhall_client.cli.interactive import print_events
from taflhall_client.cli.output import console, say
from taflhall_client.local import LocalMatch
from taflhall_client.printable import literal
from taflhall_client.terminal.person import Left, Person, SideCommand
from taflhall_client.terminal.words import words
from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import SPECTATOR, Command, Event
from taflhall_engine.kernel.game import Game, View

if TYPE_CHECKING:
    from types import FrameType

SIDE_COMMANDS = ("undo", "abandon", "bot", "save")


@dataclass(frozen=True, slots=True)
class LocalPlay:
    """The options of the command line."""

    game: str
    seats: int | None
    setup: list[str] | None
    mine: list[int]
    bot: str
    seed: int | None
    """Makes the whole match repeatable; ``None``: another match each time."""
    language: str
    data: Path | None
    out: Path | None
    """Where to write the record of the finished match."""
    resume: Path | None
    """A match that was saved."""

    def run(self, *, full_screen: bool = False) -> None:
        """Play to the end, or until the person leaves."""
        match, names = self._begin()
        game = match.game
        if not all(0 <= seat < match.seats for seat in self.mine):
            raise UsageError(f"there are seats 0 to {match.seats - 1}")
        if full_screen:
            bots = [
                None if seat in self.mine else self._bot(game, seat) for seat in range(match.seats)
            ]
            asyncio.run(play_local(match, names, self.mine, bots, self.language, self.out))
            return
        viewer = self.mine[0] if len(self.mine) == 1 else SPECTATOR

        def listen(events: list[Event]) -> None:
            seen = [event.seen_by(viewer) for event in events]
            print_events(game, [event for event in seen if event is not None], names, self.language)

        try:
            finished = match.play(self._players(match, names), listen=listen)
        except Left:
            say(words("left", self.language))
            return
        for line in terminal.result_lines(game, names, finished.result, self.language):
            say(line)
        if self.out is not None:
            self.out.write_text(record.text(finished.record(names)), "utf-8")
            say(words("saved", self.language, file=self.out))

    def _begin(self) -> tuple[LocalMatch, list[str]]:
        if self.resume is not None:
            return _read(self.resume, self.data)
        game = make_game(self.game, self.data)
        secret = None if self.seed is None else hashlib.sha256(b"local %d" % self.seed).digest()
        match = LocalMatch(game, setup_of(game, self.setup, self.seats), secret)
        you = words("you", self.language)
        mine = self.mine
        return match, [f"{you} ({i})" if i in mine else f"bot {i}" for i in range(match.seats)]

    def _players(self, match: LocalMatch, names: list[str]) -> list[Bot]:
        game = match.game
        shared = len(self.mine) > 1 and not game.cooperative
        person = Person(
            game,
            console(),
            names,
            self.language,
            shared_screen=shared,
            side_commands=SIDE_COMMANDS,
        )
        player = _LocalPerson(person, match, names, self.language)
        return [
            player if seat in self.mine else self._bot(game, seat) for seat in range(match.seats)
        ]

    def _bot(self, game: Game, seat: int) -> Bot:
        return load_bot(self.bot, game, (self.seed or 0) + seat)


def load_bot(name: str, game: Game, seed: int = 0) -> Bot:
    """Return the bot called *name*, or the game's best one without a name."""
    return bots.load(name, game, seed) if name else bots.best(game, seed)


def _read(file: Path, data: Path | None) -> tuple[LocalMatch, list[str]]:
    from taflhall_client.cli import records
    from taflhall_engine.kernel.replay import game_of

    saved = records.read(file)
    game = make_game(game_of(saved), data)
    return LocalMatch.resume(game, saved), [literal(name) for name in saved["seats"]]


class _LocalPerson:
    """A person in process: takes answers back, saves, abandons, and lets a bot play meanwhile."""

    def __init__(
        self, person: Person, match: LocalMatch, names: Sequence[str], language: str
    ) -> None:
        self._person = person
        self._match = match
        self._names = names
        self._language = language
        self._bot: Bot | None = None
        """The bot that answers until Ctrl-C."""

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the person's answer, or that of the bot that plays for them."""
        while True:
            if self._bot is not None:
                return self._bot.choose(view, decision)
            try:
                return self._person.choose(view, decision)
            except SideCommand as side:
                self._do(side, decision.seat)

    def _do(self, side: SideCommand, seat: int) -> None:
        if side.word == "undo":
            raise TakeBack(self._person.nothing_to_undo)
        if side.word == "abandon":
            raise Abandon
        if side.word == "save":
            self._save(side.rest)
        elif side.word == "bot":
            self._delegate(side.rest, seat)

    def _save(self, name: str) -> None:
        file = Path(name or f"{self._match.game.id}.json")
        try:
            file.write_text(record.text(self._match.save(self._names)), "utf-8")
        except OSError as error:
            say(f"{file}: {error.strerror}")
            return
        say(words("saved", self._language, file=file))
        say(words("resume", self._language, file=file))

    def _delegate(self, name: str, seat: int) -> None:
        try:
            self._bot = load_bot(name, self._match.game)
        except bots.UnknownBot as error:
            say(error)
            return
        say(words("bot_plays", self._language, name=f"{self._names[seat]}'s bot"))
        before = signal.getsignal(signal.SIGINT)

        def reclaim(_: int, __: FrameType | None) -> None:
            self._bot = None
            signal.signal(signal.SIGINT, before)
            say(words("taken_back", self._language))

        signal.signal(signal.SIGINT, reclaim)
