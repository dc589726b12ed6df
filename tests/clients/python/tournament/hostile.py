"""Bots that break the rules of a tournament, each in one way."""

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any

from taflhall_client.bot import Abandon, TakeBack
from tests.waiting import block, wait_until


class Plays:
    """Takes the first option; subclasses spoil the third decision."""

    def __init__(self, game: Any, seed: int = 0) -> None:
        self.asked = 0

    def choose(self, view: Any, decision: Any) -> Any:
        self.asked += 1
        if self.asked == 3:
            return self.spoil(decision)
        return decision.options[0]

    def spoil(self, decision: Any) -> Any:
        return decision.options[0]


class Slow(Plays):
    """Takes a moment for each decision."""

    def choose(self, view: Any, decision: Any) -> Any:
        block(0.05)
        return super().choose(view, decision)


class Illegal(Plays):
    def spoil(self, decision: Any) -> Any:
        return "nonsense"


class Raises(Plays):
    def spoil(self, decision: Any) -> Any:
        raise RuntimeError("lost the thread")


class Sleeps(Plays):
    def spoil(self, decision: Any) -> Any:
        block(3600)


class Stubborn(Plays):
    """Catches every interruption."""

    def spoil(self, decision: Any) -> Any:
        while True:
            with contextlib.suppress(BaseException):
                block(3600)


class Exits(Plays):
    def spoil(self, decision: Any) -> Any:
        os._exit(7)


class Kills(Plays):
    """Kills its process as somebody else would."""

    def spoil(self, decision: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        block(3600)


class Killed(Plays):
    """Kills its process once: never again when the file *mark* exists."""

    def __init__(self, game: Any, seed: int = 0, mark: str = "") -> None:
        super().__init__(game, seed)
        self.mark = Path(mark)

    def spoil(self, decision: Any) -> Any:
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
            block(3600)
        return super().spoil(decision)


class Leaves(Plays):
    def spoil(self, decision: Any) -> Any:
        raise SystemExit(3)


class TakesBack(Plays):
    def spoil(self, decision: Any) -> Any:
        raise TakeBack(lambda: None)


class Abandons(Plays):
    def spoil(self, decision: Any) -> Any:
        raise Abandon


class Invents(Plays):
    """Puts an answer of its own among the options, and takes it."""

    def spoil(self, decision: Any) -> Any:
        decision.options.append("nonsense")
        return decision.options[-1]


class Copies(Plays):
    """Lets a copy of its process play on, too."""

    def spoil(self, decision: Any) -> Any:
        os.fork()
        return decision.options[0]


class CopiesInNoTime(Copies):
    """Stops the clock of its process before it plays."""

    def __init__(self, game: Any, seed: int = 0) -> None:
        super().__init__(game, seed)
        now = time.monotonic()
        time.monotonic = lambda: now


class Closes(Plays):
    """Closes whatever its process has open."""

    def spoil(self, decision: Any) -> Any:
        os.closerange(3, 256)
        return decision.options[0]


class ClosesAndStays(Closes):
    def spoil(self, decision: Any) -> Any:
        super().spoil(decision)
        while True:
            with contextlib.suppress(BaseException):
                block(3600)


class Hides(Plays):
    """Answers with something that cannot be shown."""

    def spoil(self, decision: Any) -> Any:
        return Hidden()


class Hidden(Exception):
    def __repr__(self) -> str:
        raise RuntimeError("hidden")

    __str__ = __repr__


class Mumbles(Plays):
    def spoil(self, decision: Any) -> Any:
        raise Hidden


class Rambles(Plays):
    def spoil(self, decision: Any) -> Any:
        raise RuntimeError("on and on " * 10_000)


class Dawdles(Plays):
    """Answers with something that takes for ever to show."""

    def spoil(self, decision: Any) -> Any:
        return type("Endless", (), {"__repr__": lambda _: block(3600)})()


class Forges(Plays):
    """Answers with an object that calls itself equal to every option."""

    def spoil(self, decision: Any) -> Any:
        kind = type(decision.options[0])
        names = {"__eq__": lambda *_: True, "__hash__": lambda _: 0, "__repr__": lambda _: "same"}
        forged: Any = type("Forged", (kind,), names)
        return forged.__new__(forged)


class LeavesACopy(Plays):
    """Ends its process, of which a copy lives until the file *mark* exists."""

    def __init__(self, game: Any, seed: int = 0, mark: str = "") -> None:
        super().__init__(game, seed)
        self.mark = Path(mark)

    def spoil(self, decision: Any) -> Any:
        if os.fork() == 0:
            wait_until(self.mark.exists)
            os._exit(0)
        os._exit(7)


class Wanders(Plays):
    def spoil(self, decision: Any) -> Any:
        os.chdir("/")
        return decision.options[0]


class Unborn:
    def __init__(self, game: Any, seed: int = 0) -> None:
        raise ValueError("no mood to play")
