"""People who play through the Python SDK, and note what they were told and how long it took.

Each person is alone at a table, so the revisions that are acknowledged to them follow each other
without a gap, and none comes twice. :attr:`Person.lost` is what a store that was set back lacks.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from typing import Final, NamedTuple

from taflhall_client import errors
from taflhall_client.async_client import Client, Match
from taflhall_client.backoff import Timing
from taflhall_client.bot import Decision
from taflhall_client.results import Restart, Status

DEADLINE: Final = 180.0
"""Seconds that a call may take with all its repetitions: longer than any outage of the rig."""

TIMING: Final = Timing(attempt=5.0, first_pause=0.05, longest_pause=0.5)


class Sent(NamedTuple):
    """One command: when it was sent, and the seconds until it was acknowledged."""

    at: float
    seconds: float


class Person:
    """Plays match after match; *think* is the mean number of seconds between two commands."""

    def __init__(self, client: Client, rng: random.Random, think: float, game: str) -> None:
        self.acknowledged: Final[dict[str, int]] = {}
        """The newest revision that was acknowledged of each match."""
        self.lost: Final[dict[str, int]] = {}
        """How many acknowledged commands the servers no longer had, by match."""
        self.sent: Final[list[Sent]] = []
        self.faults: Final[list[str]] = []
        """What breaks the promise that each command takes effect once."""
        self.stale = 0
        self.seat: Match | None = None
        self._client = client
        self._rng = rng
        self._think = think
        self._game = game
        self._decision: Decision | None = None

    async def sit_down(self) -> Match:
        """Open a match for two seats, take both, and start it."""
        match = await self._client.create(self._game, {"seats": 2})
        self.seat = await match.join("Ann", seats=[0, 1])
        await match.start()
        self.acknowledged[self.seat.match_id] = 0
        self._decision = None
        return self.seat

    async def play(self, stop: asyncio.Event) -> None:
        """Play until *stop* is set."""
        while not stop.is_set():
            try:
                await self.command(self.seat or await self.sit_down())
            except errors.MatchNotFound:
                self._leave_lost_match()
            await asyncio.sleep(self._rng.uniform(0, 2 * self._think))

    async def command(self, seat: Match) -> None:
        """Give one command, or leave a match that is over."""
        decision = self._decision or await self.look(seat)
        if decision is None:
            self.seat = None
            return
        began = time.monotonic()
        option = self._rng.randrange(len(decision.options))
        try:
            done = await seat.submit(option, decision)
        except (errors.StaleDecision, errors.MatchOver):
            self.stale += 1
            self._decision = None
            await self.look(seat)
            return
        self._decision = done.decision
        known = self.acknowledged[seat.match_id]
        if done.revision == known:
            return  # a step of an answer that has several
        self.sent.append(Sent(began, time.monotonic() - began))
        if done.revision != known + 1:
            self.faults.append(f"{seat.match_id}: after {known} came {done.revision}")
        self.acknowledged[seat.match_id] = done.revision

    async def look(self, seat: Match) -> Decision | None:
        """Read the match; note what it lacks. Return a decision that is pending, if any."""
        state = await seat.get(options=True)
        lacks = self.acknowledged[seat.match_id] - state.match.revision
        if lacks > 0:
            self.lost[seat.match_id] = lacks
        self.acknowledged[seat.match_id] = state.match.revision
        if state.match.status is not Status.PLAYING:
            return None
        return next((each for each in state.decisions if each.options), None)

    def _leave_lost_match(self) -> None:
        """The store was set back to before the match was created."""
        if self.seat is not None:
            self.lost[self.seat.match_id] = self.acknowledged.pop(self.seat.match_id)
        self.seat = self._decision = None


class Watcher:
    """Watches one match and counts the times that it was told that the history was rewound."""

    def __init__(self, match: Match) -> None:
        self.rewound = 0
        self._match = match

    async def watch(self) -> None:
        """Watch until cancelled."""
        async for update in self._match.watch(view=False, options=False):
            self.rewound += update.restart is Restart.HISTORY_REWOUND


class People:
    """Several persons over one client, which knows all servers."""

    def __init__(
        self,
        addresses: list[str],
        count: int,
        seed: int = 0,
        think: float = 0.05,
        game: str = "yggdrasil",
    ) -> None:
        self.client: Final = Client(
            ",".join(addresses), deadline=DEADLINE, connect_deadline=DEADLINE, timing=TIMING
        )
        rng = random.Random(seed)
        self.persons: Final = [
            Person(self.client, random.Random(rng.random()), think, game) for _ in range(count)
        ]
        self._stop = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let all of them play."""
        self._stop.clear()
        self._tasks = [asyncio.create_task(person.play(self._stop)) for person in self.persons]

    async def pause(self) -> None:
        """Let all of them finish what they are at."""
        self._stop.set()
        await asyncio.gather(*self._tasks)
        self._tasks.clear()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        await self.client.close()

    @property
    def commands(self) -> int:
        """How many commands were acknowledged."""
        return sum(len(person.sent) for person in self.persons)

    @property
    def acknowledged(self) -> dict[str, int]:
        """The newest revision that was acknowledged of each match."""
        return {name: at for person in self.persons for name, at in person.acknowledged.items()}

    @property
    def lost(self) -> dict[str, int]:
        """How many acknowledged commands the servers no longer had, by match."""
        return {name: lacks for person in self.persons for name, lacks in person.lost.items()}

    @property
    def faults(self) -> list[str]:
        return [fault for person in self.persons for fault in person.faults]

    async def lacking(self) -> dict[str, int]:
        """Ask the servers for all matches; return how many acknowledged commands each lacks."""
        found = dict(self.lost)
        for match_id, known in self.acknowledged.items():
            try:
                state = await self.client.match(match_id).get()
            except errors.MatchNotFound:
                found[match_id] = known
            else:
                if state.match.revision < known:
                    found[match_id] = known - state.match.revision
        return found

    def longest(self, since: float, until: float) -> float:
        """Return the longest time that a command took which was sent between the two moments."""
        commands = [sent for person in self.persons for sent in person.sent]
        return max((sent.seconds for sent in commands if since <= sent.at < until), default=0.0)
