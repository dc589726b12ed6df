"""Bots that are wrong in one way each."""

import sys
from typing import Any, ClassVar

from tests.waiting import block


class Plays:
    """Takes the first option."""

    def __init__(self, game: Any, seed: int = 0) -> None:
        self.game = game

    def choose(self, view: Any, decision: Any) -> Any:
        return decision.options[0]


class Unborn(Plays):
    def __init__(self, game: Any, seed: int = 0) -> None:
        raise ValueError("no mood to play")


class Invents(Plays):
    def choose(self, view: Any, decision: Any) -> Any:
        return "nonsense"


class CountsToTen(Plays):
    """Knows no more than ten options."""

    def choose(self, view: Any, decision: Any) -> Any:
        return list(range(10)).index(len(decision.options) - 1) and decision.options[0]


class Impatient(Plays):
    """Does not like the second step of an answer."""

    def choose(self, view: Any, decision: Any) -> Any:
        if decision.step is not None and decision.step.continues_answer:
            raise NotImplementedError("one step is enough")
        return decision.options[0]


class Remembers(Plays):
    """Takes it for a mistake to be asked the same again."""

    def __init__(self, game: Any, seed: int = 0) -> None:
        self.seen: set[str] = set()

    def choose(self, view: Any, decision: Any) -> Any:
        if (text := repr(view)) in self.seen:
            raise LookupError("asked twice")
        self.seen.add(text)
        return decision.options[0]


class OneMatch(Plays):
    """Keeps its match in the class."""

    playing: ClassVar[Any] = None

    def __init__(self, game: Any, seed: int = 0) -> None:
        type(self).playing = self

    def choose(self, view: Any, decision: Any) -> Any:
        if type(self).playing is not self:
            raise RuntimeError("this is another match")
        return decision.options[0]


class Tidies(Plays):
    """Sorts the options in place."""

    def choose(self, view: Any, decision: Any) -> Any:
        decision.options.reverse()
        return decision.options[0]


class KnowsAll(Plays):
    """Believes that it knows every kind of decision."""

    def choose(self, view: Any, decision: Any) -> Any:
        assert decision.step.RULE
        return decision.options[0]


class Sleeps(Plays):
    def choose(self, view: Any, decision: Any) -> Any:
        block(3600)


class Unhurried(Plays):
    """Ignores how much time is left."""

    def choose(self, view: Any, decision: Any) -> Any:
        if decision.time_left is not None:
            block(decision.time_left + 0.3)
        return decision.options[0]


class Exits(Plays):
    def choose(self, view: Any, decision: Any) -> Any:
        sys.exit(3)
