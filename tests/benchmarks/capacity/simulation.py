"""A deployment as a queueing model in SimPy: servers of one core over the shards of a store.

A server is a queue of one core, first in, first out, as an event loop is. A shard takes all
commits that wait, runs their scripts one after another, and syncs its file once for all of them
(``appendfsync always``). A command passes a server, its match's shard and the server again; then
the servers on which the watches of its match are open send the change. A command whose server or
shard dies is repeated as the SDKs repeat it: after a pause with full jitter, elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Final

import simpy

from tests.benchmarks.capacity.costs import Costs, Usage
from tests.benchmarks.capacity.plan import Size

Process = Generator[simpy.Event, Any, Any]

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 5.0


class Server:
    """A process: it is busy until :attr:`free_at`."""

    def __init__(self) -> None:
        self.free_at = 0.0
        self.busy = 0.0
        """Seconds of work so far."""
        self.streams = 0
        self.alive = True


class Shard:
    """A primary of the store, and the commits that wait for it."""

    def __init__(self, env: simpy.Environment) -> None:
        self.waiting: list[simpy.Event] = []
        self.called = env.event()
        self.up = True


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was carried out, in seconds of the simulation."""

    due: float
    latency: float


class Simulation:
    """A run over a deployment of *size* with *people* on line."""

    def __init__(self, costs: Costs, usage: Usage, size: Size, people: int, seed: int) -> None:
        self.costs: Final = costs
        self.usage: Final = usage
        self.env: Final = simpy.Environment()
        self.rng: Final = random.Random(seed)
        self.commands: list[Command] = []
        self.due: list[float] = []
        """When the commands were due, whether they are carried out or not yet."""
        self.people = 0
        self.servers: Final[list[Server]] = []
        self.shards: Final = [Shard(self.env) for _ in range(size.shards)]
        for _ in range(size.servers):
            self.add_server()
        self.people = people
        self._watchers = (usage.seats + usage.spectators) / usage.seats
        streams = round(people * self._watchers)
        for server in self.servers:
            server.streams = streams // len(self.servers)
        self.env.process(self._arrivals())
        for shard in self.shards:
            self.env.process(self._commits(shard))

    def run(self, seconds: float) -> None:
        """Let that much time pass."""
        self.env.run(until=self.env.now + seconds)

    def add_server(self) -> None:
        """Add a server, which has no streams yet."""
        server = Server()
        server.free_at = self.env.now
        self.servers.append(server)

    def lose(self, server: Server) -> None:
        """Kill *server*: what it had in hand is lost, and its streams open elsewhere."""
        server.alive = False
        self.servers.remove(server)
        for _ in range(server.streams):
            self.env.process(self._reopen())

    def come(self, people: int) -> None:
        """Let more people come, who open their streams within a second."""
        self.people += people
        for _ in range(round(people * self._watchers)):
            self.env.process(self._reopen())

    def set_up(self, shard: Shard, up: bool) -> None:
        """Let *shard* fail or come back; commits that it has not answered fail."""
        shard.up = up
        if not up:
            waiting, shard.waiting = shard.waiting, []
            for commit in waiting:
                commit.succeed(False)

    @property
    def commands_per_second(self) -> float:
        """How many commands are due at the present number of people."""
        return self.people / self.usage.seats / self.usage.seconds_between_commands

    # ------------------------------------------------------------------ processes

    def _arrivals(self) -> Process:
        while True:
            yield self.env.timeout(self.rng.expovariate(self.commands_per_second))
            self.due.append(self.env.now)
            self.env.process(self._command(self.rng.choice(self.shards)))

    def _command(self, shard: Shard) -> Process:
        due, pause = self.env.now, _FIRST_PAUSE
        while not (yield from self._attempt(shard)):
            pause = min(2 * pause, _LONGEST_PAUSE)
            yield self.env.timeout(self.rng.uniform(_FIRST_PAUSE, pause))
        self.commands.append(Command(due, self.env.now - due))
        seats, spectators = self.usage.seats, self.usage.spectators
        watchers = seats + int(spectators) + (self.rng.random() < spectators % 1)
        weights = [server.streams + 1 for server in self.servers]
        for server in self.rng.choices(self.servers, weights, k=watchers):
            self._occupy(server, self.costs.watcher)

    def _attempt(self, shard: Shard) -> Process:
        """Try a command; return whether it was carried out and the answer arrived."""
        server = self._less_busy()
        yield self.env.timeout(self.costs.network)
        yield self._work(server, self.costs.command * self.costs.before_commit)
        if not (server.alive and shard.up):
            return False
        commit = self.env.event()
        shard.waiting.append(commit)
        if not shard.called.triggered:
            shard.called.succeed()
        if not (yield commit) or not server.alive:
            return False
        yield self._work(server, self.costs.command * (1 - self.costs.before_commit))
        yield self.env.timeout(self.costs.network)
        return server.alive

    def _commits(self, shard: Shard) -> Process:
        while True:
            yield shard.called
            shard.called = self.env.event()
            while shard.waiting:
                batch, shard.waiting = shard.waiting, []
                yield self.env.timeout(len(batch) * self.costs.script + self.costs.sync)
                for commit in batch:
                    commit.succeed(shard.up)

    def _reopen(self) -> Process:
        yield self.env.timeout(self.rng.uniform(0.0, 1.0))
        server = self._less_busy()
        server.streams += 1
        yield self._work(server, self.costs.open_stream)

    def _work(self, server: Server, mean: float) -> simpy.Event:
        """Give *server* work; return the event of its end."""
        return self.env.timeout(self._occupy(server, mean) - self.env.now)

    def _occupy(self, server: Server, mean: float) -> float:
        """Give *server* work of a random length; return when it will be done."""
        shape = 1 / self.costs.variation**2
        seconds = self.rng.gammavariate(shape, mean / shape) if mean else 0.0
        server.free_at = max(self.env.now, server.free_at) + seconds
        server.busy += seconds
        return server.free_at

    def _less_busy(self) -> Server:
        """Return the less busy of two servers, as a balancer by least requests does."""
        one, other = self.rng.choices(self.servers, k=2)
        return one if one.free_at <= other.free_at else other
