"""Players and watchers who remember what they were told."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any, Final

from taflhall_client.async_client import Client, Match
from taflhall_client.results import Restart, Update
from taflhall_engine.kernel import notation
from tests.waiting import take, until

PAUSE_SECONDS: Final = 0.05
"""Between two answers of a player, who is one caller with limited rates."""


@dataclass
class Played:
    """A match, as its player and its watcher know it."""

    match_id: str
    acknowledged: list[list[Any]] = field(default_factory=list)
    """Seat and answer of each command that a server said was stored, as a record has them."""
    seen: list[Update] = field(default_factory=list)
    record: list[list[Any]] = field(default_factory=list)
    """The commands that were stored, once the match is over."""

    def judge(self) -> None:
        """Fail unless all that was acknowledged is stored once, and was seen once and in order."""
        assert self.record == self.acknowledged
        *revisions, last = (update.revision for update in self.seen)
        assert last == len(self.record)
        assert revisions == list(range(revisions[0], last + 1))
        assert [u.restart for u in self.seen if u.restart is not None] == [Restart.BEGIN]


class Traffic:
    """People who play one match after another until they are asked to stop."""

    def __init__(self, client: Client, people: int) -> None:
        self.played: list[Played] = []
        self._client = client
        self._stop = asyncio.Event()
        self._tasks = [asyncio.create_task(self._person(number)) for number in range(people)]

    async def wait_for_commands(self, commands: int = 30) -> None:
        """Return when that many more commands were acknowledged; raise what a player raises."""
        wanted = self._acknowledged() + commands

        def enough() -> bool:
            for task in self._tasks:
                if task.done():
                    task.result()
            return self._acknowledged() >= wanted

        await until(enough)

    async def end(self) -> None:
        """End all matches."""
        self._stop.set()
        async with asyncio.timeout(60):
            await asyncio.gather(*self._tasks)

    def _acknowledged(self) -> int:
        return sum(len(one.acknowledged) for one in self.played)

    async def _person(self, number: int) -> None:
        rng = random.Random(number)
        while not self._stop.is_set():
            opened = await self._client.create("yggdrasil", {"seats": 2}, start_when_full=True)
            seat = await opened.join("Ann", seats=[0, 1])
            played = Played(opened.match_id)
            self.played.append(played)
            watching = asyncio.create_task(self._watch(played))
            await self._play(seat, played, rng)
            played.record = (await seat.record())["commands"]
            await watching

    async def _watch(self, played: Played) -> None:
        watch = self._client.match(played.match_id).watch(view=False, options=False)
        async for update in watch:
            played.seen.append(update)

    async def _play(self, seat: Match, played: Played, rng: random.Random) -> None:
        labels = (await seat.decoder()).game.labels
        steps: list[str] = []
        while decision := await seat.decision():
            if self._stop.is_set():
                await seat.resign(0)
                played.acknowledged.append([0, "resign"])
                return
            choice = rng.choice(decision.options)
            submitted = await seat.submit(choice, decision)
            assert submitted.refusal is None
            steps.append(notation.write(choice, labels))
            if submitted.revision > len(played.acknowledged):
                played.acknowledged.append([decision.seat, "; ".join(steps)])
                steps = []
            await take(PAUSE_SECONDS)
