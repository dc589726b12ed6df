"""A session without a match: the test says what is reported, and sees what is wished."""

import asyncio
from typing import Any

from taflhall_client.bot import Decision
from taflhall_client.results import PastView
from taflhall_client.terminal.play.session import Report, TableInfo
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options, refusal, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.setups import from_text

NAMES = ["Ann", "Bob"]


def first_decision(name="yggdrasil", decision_id="1", seed=1):
    """The first table of a match of two, as a report with its decision."""
    game = registry.game(name)
    return decision_of(game, game.new(from_text(game, ["seats=2"]), FastChance(seed)), decision_id)


def decision_of(game, table, decision_id="1", revision=0):
    """A report of the decision that *table* rests on, for the seat that decides."""
    step = waiting(table)
    assert step is not None
    seat = step.seats(table)[0]
    found = Decision(seat, step, list(options(table, seat)), step.RULE, decision_id)
    return Report(revision, [], [found], game.view(table, seat), TableInfo(NAMES))


class FakeSession:
    """Remembers what is asked of it; :attr:`failures` are raised first, one at a time."""

    def __init__(self, game: Any, seats=(0, 1), shared=False) -> None:
        self.game = game
        self.seats = seats
        self.shared = shared
        self.wishes = frozenset({"undo", "abandon", "resign", "bot", "save", "say"})
        self.asked: list[tuple[Any, ...]] = []
        self.failures: list[Exception] = []
        self.queue: asyncio.Queue[Report | None] = asyncio.Queue()

    async def reports(self):
        while (report := await self.queue.get()) is not None:
            yield report

    async def answer(self, decision, choice, request_id):
        self.asked.append(("answer", decision.decision_id, choice, request_id))
        if self.failures:
            raise self.failures.pop(0)

    async def explain(self, view, decision, command):
        return refusal(self.game.imagine(view, FastChance(0)), decision.seat, command)

    async def past(self, revision):
        self.asked.append(("past", revision))
        return PastView(revision, self.view, [], [])

    view: Any = None

    def __getattr__(self, wish):
        async def note(*arguments):
            self.asked.append((wish, *arguments))
            return False

        return note

    def leave(self):
        self.asked.append(("leave",))
