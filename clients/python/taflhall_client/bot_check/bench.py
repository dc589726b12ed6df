"""Asks a bot under a time limit, and says in plain words what it did wrong."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol

from taflhall_client.bot import Bot, Decision, Resign
from taflhall_client.bot_check.positions import Position, Positions
from taflhall_client.bots import UnknownBot, load
from taflhall_client.tournament.description import Limits
from taflhall_client.tournament.line_program import BotEnded, BotSilent, ProtocolError
from taflhall_client.tournament.line_protocol import LineBot
from taflhall_client.tournament.time_limit import TimeIsUp, time_limit
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

SHOWN: Final = 200
"""Characters of a bot's own text that a finding quotes."""


class Wrong(Exception):
    """The bot did something wrong: what, in plain words."""


class Subject(Protocol):
    """A bot that is checked: it can be seated as often as a situation wants."""

    def seated(
        self, game: Game, setup: Mapping[str, Any], seat: int
    ) -> AbstractContextManager[Bot]:
        """Return a bot that sits at *seat*, at the start of a match or in the middle of one."""
        ...


@dataclass(frozen=True, slots=True)
class ClassSubject:
    """A bot that is a Python class, by its name."""

    name: str

    def seated(
        self,
        game: Game,
        setup: Mapping[str, Any],
        seat: int,
    ) -> AbstractContextManager[Bot]:
        """Return a new object of the class."""
        return nullcontext(load(self.name, game, seat))


@dataclass(frozen=True, slots=True)
class ProgramSubject:
    """A bot that is a program with lines of JSON, by its command."""

    command: Sequence[str]
    limits: Limits

    def seated(
        self, game: Game, setup: Mapping[str, Any], seat: int
    ) -> AbstractContextManager[Bot]:
        """Return the program, to be started."""
        return LineBot(self.command, game, seat, setup, self.limits)


class Bench:
    """Where a bot is checked: one game and its positions, one time limit."""

    def __init__(
        self,
        positions: Positions,
        subject: Subject,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.positions: Final = positions
        self.game: Final = positions.game
        self.subject: Final = subject
        self.limits: Final = limits
        self.clock: Final = clock
        self.slowest: float = 0.0
        """Seconds of the slowest answer so far."""

    def seat(self, setup: Any, seat: int) -> AbstractContextManager[Bot]:
        """Return the bot at *seat*; entering it raises :exc:`Wrong` if it does not start."""
        return _Seated(self, self.subject, setups.to_data(self.game, setup), seat)

    def ask(self, bot: Bot, position: Position) -> Command[Any] | None:
        """Return the bot's answer (``None``: it resigns), or raise :exc:`Wrong`."""
        decision = position.decision()
        try:
            return self.choose(bot, position.view(self.game), decision)
        except Resign:
            return None

    def choose(self, bot: Bot, view: View, decision: Decision) -> Command[Any]:
        """Return the bot's answer; raise :exc:`Wrong`, or :exc:`Resign`."""
        where = f"at {type(decision.step).__name__} (rule {decision.rule})"
        offered = list(decision.options)
        began = self.clock()
        try:
            with time_limit(self.limits.decision_seconds * 1.05 + 0.01):
                answer = bot.choose(view, decision)
        except TimeIsUp:
            seconds = self.limits.decision_seconds
            raise Wrong(f"{where} it did not answer within {seconds:g} s") from None
        except (Resign, Wrong):
            raise
        except BotEnded as error:
            raise Wrong(f"{where}: {_with_last_line(error)}") from None
        except (ProtocolError, BotSilent) as error:
            raise Wrong(f"{where}: {error}") from None
        except (Exception, SystemExit) as error:
            raise Wrong(f"{where} {raised(error)}") from None
        self.slowest = max(self.slowest, self.clock() - began)
        if answer not in offered:
            text = f"{answer!r}"[:SHOWN]
            raise Wrong(f"{where} it answered {text}, which is none of the {len(offered)} options")
        return answer


class _Seated(AbstractContextManager[Bot]):
    """Starts a bot under the time limit for starting, and ends it."""

    def __init__(self, bench: Bench, subject: Subject, setup: Mapping[str, Any], seat: int) -> None:
        self._bench: Final = bench
        self._subject: Final = subject
        self._setup: Final = setup
        self._seat: Final = seat
        self._context: AbstractContextManager[Bot] | None = None

    def __enter__(self) -> Bot:
        seconds = self._bench.limits.start_seconds
        try:
            with time_limit(seconds):
                self._context = self._subject.seated(self._bench.game, self._setup, self._seat)
                return self._context.__enter__()
        except (TimeIsUp, BotSilent):
            raise Wrong(f"it was not ready within {seconds:g} s of its start") from None
        except BotEnded as error:
            raise Wrong(f"it does not start: {_with_last_line(error)}") from None
        except (UnknownBot, ProtocolError, OSError) as error:
            raise Wrong(f"it does not start: {error}") from None
        except (Exception, SystemExit) as error:
            raise Wrong(f"when it started it {raised(error).removeprefix('it ')}") from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._context is not None:
            self._context.__exit__(kind, error, trace)


def _with_last_line(error: BotEnded) -> str:
    return f"{error}: {error.last_line}" if error.last_line else str(error)


def raised(error: BaseException) -> str:
    """Return that the bot raised *error*, and where."""
    place = ""
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
    text = f": {error}"[:SHOWN] if str(error) else ""
    return f"it raised {type(error).__name__}{text}{place}"
