"""A person at the terminal: sees the table drawn, chooses among numbered options."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final

from taflhall_client.bot import Decision, Resign
from taflhall_client.terminal import draw, seat_name, texts_of
from taflhall_client.terminal.line_input import read_line
from taflhall_client.terminal.play.typed import YES
from taflhall_client.terminal.words import words
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command, Refusal, refusal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.vocabulary import commands_of

if TYPE_CHECKING:
    from rich.console import Console

Explain = Callable[[View, Decision, Command[Any]], Refusal | None]


class Left(BaseException):
    """The person has left the table; the match waits."""


class SideCommand(Exception):
    """The person wants something else than to answer: *word*, and what follows it."""

    def __init__(self, word: str, rest: str) -> None:
        super().__init__(word)
        self.word: Final = word
        self.rest: Final = rest


class Person:
    """A person at the terminal; a :class:`~taflhall_client.bot.Bot` like any other."""

    def __init__(
        self,
        game: Game,
        console: Console,
        names: list[str],
        language: str = "en",
        *,
        shared_screen: bool = False,
        explain: Explain | None = None,
        side_commands: Collection[str] = (),
        overtaken: Callable[[], bool] = lambda: False,
    ) -> None:
        self._game = game
        self._console = console
        self._names = names
        self._language = language
        self._shared_screen = shared_screen
        self._explain = explain or self._explain_by_imagining
        self._side_commands = side_commands
        self._overtaken = overtaken
        self._seat = -1

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Draw the table, list the options, and ask until one is chosen.

        Raise :exc:`Resign` if the person gives up, :exc:`Left` if they go away, :exc:`SideCommand`
        if they want something else that is offered here, :exc:`Overtaken` as soon as *overtaken*
        says that the decision is no longer pending.
        """
        if self._shared_screen and decision.seat != self._seat:
            self._console.clear()
            self._read(
                self._words(
                    "next_player", name=seat_name(self._names, decision.seat, self._language)
                )
            )
        self._seat = decision.seat
        self._draw(view)
        self._list(view, decision)
        while True:
            line = self._read("> ").strip()
            command = self._understand(line, view, decision)
            if command is not None:
                return command

    def _understand(self, line: str, view: View, decision: Decision) -> Command[Any] | None:
        word, _, rest = line.partition(" ")
        if not line:
            return None
        if line.isascii() and line.isdecimal():
            if 1 <= int(line) <= len(decision.options):
                return decision.options[int(line) - 1]
            self._say(self._words("no_number", number=line))
        elif line == "q":
            raise Left
        elif line == "resign":
            if self._read(f"{self._words('resign_really')} ").strip() in YES:
                raise Resign
        elif line in ("?", "h", "help"):
            self._say(self._words("help"))
            for word in self._side_commands:
                self._say(self._words(f"help_{word}"))
        elif word in self._side_commands:
            raise SideCommand(word, rest.strip())
        elif line == "t":
            self._draw(view)
        elif line == "o":
            self._list(view, decision)
        elif word == "rule":
            text = self._game.rulebook.text(rest.strip(), self._language)
            self._say(text or self._words("no_rule", rule=rest.strip()))
        else:
            return self._command(rest if word == "why" else line, view, decision, word == "why")
        return None

    def _command(self, text: str, view: View, decision: Decision, dry: bool) -> Command[Any] | None:
        game = self._game
        try:
            command: Command[Any] = notation.read(text, commands_of(game.types), game.labels)
        except notation.NotationError as error:
            self._say(str(error))
            return None
        if command in decision.options:
            if not dry:
                return command
            self._say(self._words("legal"))
            return None
        self.refuse(self._explain(view, decision, command))
        return None

    def nothing_to_undo(self) -> None:
        """Print that no answer can be taken back."""
        self._say(self._words("nothing_to_undo"))

    def refuse(self, reason: Refusal | None) -> None:
        """Print why a command is illegal, with the text of the rule."""
        if reason is None:
            self._say(self._words("legal"))
            return
        text = texts_of(self._game, self._names, self._language).refusal(reason)
        self._say(self._words("illegal", rule=reason.rule or "-", reason=text))
        text = self._game.rulebook.text(reason.rule, self._language)
        if text:
            self._say(self._words("says", text=text))

    def _explain_by_imagining(
        self, view: View, decision: Decision, command: Command[Any]
    ) -> Refusal | None:
        return refusal(self._game.imagine(view, FastChance(0)), decision.seat, command)

    def _draw(self, view: View) -> None:
        self._console.print(draw(self._game, view, self._names, self._language))

    def _list(self, view: View, decision: Decision) -> None:
        from rich.columns import Columns
        from rich.text import Text

        texts = texts_of(self._game, self._names, self._language)
        listed = [
            Text(f"{number:3} {texts.option(command, view)}")
            for number, command in enumerate(decision.options, 1)
        ]
        self._console.print(Columns(listed, column_first=True, padding=(0, 3)))
        name = texts.seat(decision.seat)
        text = "" if decision.step is None else texts.decision(decision.step, view)
        self._say(self._words("decides", name=name, rule=decision.rule, text=text))

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)

    def _words(self, key: str, **values: object) -> str:
        return words(key, self._language, **values)

    def _read(self, prompt: str) -> str:
        try:
            return read_line(prompt, self._overtaken)
        except EOFError:
            raise Left from None
