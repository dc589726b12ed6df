"""Watches that are cut and resumed at random, held to a model of what a viewer must receive.

A *viewer* follows one match through many streams, each opened with the token of the last message.
:class:`Received` is the model: it takes one message after another and says what is wrong with it.
The streams are those of a server, without a wire: ``follow`` writes into a list and is cancelled
at random. Meanwhile the match continues on another server over the same store, whose reads
wait: answers, undo, pauses for an administrator, a resignation at the end.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import table_pb2
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import SPECTATOR
from taflhall_engine.kernel.mainline import replay_states
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.access.permissions import Action, CachedCaller
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.admin import freeze, unfreeze
from taflhall_service.app.matches.create import CreateMatch, create
from taflhall_service.app.matches.join import JoinMatch, join
from taflhall_service.app.matches.past import entries_between
from taflhall_service.app.matches.proposals import ProposeToPlayers, Undo, propose
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.start import StartMatch
from taflhall_service.app.matches.submit import ResignSeat, SubmitAnswers, submit
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, act
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import StoredEntry, StoredMatch, Version
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.rpc.messages import STATUSES, Writer, events_seen
from taflhall_service.rpc.watch_stream import follow
from taflhall_service.store.memory import Memory, MemoryStore
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.faults.scenarios.verdict import Verdict

PROMISE: Final = "G6 cut streams"
LIMITS: Final = Limits(heartbeat_seconds=0.15)
PATIENCE_SECONDS: Final = 60.0
"""How long a viewer waits at most for the end of a match that is over, on a busy machine."""
UNCUT_SECONDS: Final = 5.0
"""How long a stream of a match that is over may last before it is cut all the same."""
VIEWERS: Final = 6
COMMANDS: Final = 24
"""Commands of a match, before its players resign."""
LATE_MS: Final = 1000
AT_ONCE: Final = 20
"""Matches that are played at the same time."""
_ENDS: Final = {pb.STREAM_END_CAUSE_FINISHED, pb.STREAM_END_CAUSE_ABANDONED}


class Truth:
    """What happened in a match, known when it is over."""

    def __init__(self, match: Match, entries: Sequence[Any], viewers: set[int]) -> None:
        self.last = match.revision
        words = translator(match.game)
        self.changes = {
            (entry.revision, viewer): (
                [
                    table_pb2.Event.FromString(event)
                    for event in events_seen(match.game, entry.events, viewer)
                ],
                STATUSES[entry.status],
                sorted(entry.pending.values()),
            )
            for entry in entries
            for viewer in viewers
        }
        moves = [(entry.seat, entry.command) for entry in entries]
        self.views = {
            (state.revision, viewer): words.view_to(match.game.view(state.table, viewer))
            for state in replay_states(match.game, match.setup, match.origin.secret, moves)
            for viewer in viewers
        }


class Received:
    """What one viewer has received, and what is wrong with it."""

    def __init__(self, viewer: int, wants: bool) -> None:
        self.viewer = viewer
        self.wants = wants
        """It asks for views and options."""
        self.at: int | None = None
        self.token = ""
        self.ended = False
        self.messages: list[pb.WatchMatchResponse] = []
        self.wrong: list[str] = []
        self._first = True
        self._whole = False
        """The last change or snapshot had view and options, if they were requested."""

    def begin(self) -> None:
        """A stream begins."""
        self._first = True

    def take(self, message: pb.WatchMatchResponse) -> None:
        """Take in one message."""
        kind, at, revision = message.WhichOneof("update"), self.at, message.revision
        if kind == "change":
            if at is None or revision != at + 1:
                self._blame(f"change {revision} after {at}")
            self._whole = message.change.HasField("view")
        elif kind == "snapshot":
            cause = message.snapshot.cause
            if cause in (pb.SNAPSHOT_CAUSE_HISTORY_REWOUND, pb.SNAPSHOT_CAUSE_COMPACTED):
                self._blame(f"snapshot with cause {cause}, though nothing was lost")
            elif cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED and revision != at:
                self._blame(f"seats changed at {revision}, delivered up to {at}")
            elif cause == pb.SNAPSHOT_CAUSE_UNSPECIFIED and at is not None:
                self._blame(f"a resumed stream began with a snapshot at {revision}")
            self._whole = message.snapshot.HasField("view") or not revision
        elif kind == "heartbeat":
            if revision != at:
                self._blame(f"heartbeat at {revision}, delivered up to {at}")
            if self.wants and not self._first and not self._whole and revision:
                self._blame(f"silence at {revision} without the view of it")
        elif message.end.cause in _ENDS:
            if revision != at:
                self._blame(f"the end at {revision}, delivered up to {at}")
            self.ended = True
        self._first = False
        self.at, self.token = revision, message.resume_token
        self.messages.append(message)

    def judge(self, truth: Truth) -> list[str]:
        """Compare every message with what happened; return everything that is wrong."""
        if not self.ended:
            self._blame(f"never heard the end: at {self.at} of {truth.last}")
        elif self.at != truth.last:
            self._blame(f"heard the end at {self.at} of {truth.last}")
        for message in self.messages:
            at = (message.revision, self.viewer)
            part = message.change if message.HasField("change") else message.snapshot
            if message.HasField("change"):
                events, status, pending = truth.changes[at]
                if list(message.change.events) != events:
                    self._blame(f"other events at {message.revision}")
                if message.change.status != status:
                    self._blame(f"another status at {message.revision}")
                if sorted(decision.id for decision in message.change.decisions) != pending:
                    self._blame(f"other decisions at {message.revision}")
            if part.HasField("view") and part.view != truth.views[at]:
                self._blame(f"another view at {message.revision}")
            if self.wants and part.HasField("view"):
                bare = [d for d in part.decisions if d.seat == self.viewer and not d.options]
                if bare:
                    self._blame(f"no options at {message.revision}")
        return self.wrong

    def _blame(self, what: str) -> None:
        self.wrong.append(f"viewer {self.viewer}: {what}")


class Call:
    """A streaming call without a wire."""

    cursor: Any = None
    ending = ""

    def __init__(self, request: pb.WatchMatchRequest, identity: Identity, into: Received) -> None:
        self._request = request
        self._into = into
        self.identity = identity

    def request(self, kind: type[Any]) -> Any:
        return self._request

    async def write(self, answer: bytes) -> None:
        self._into.take(pb.WatchMatchResponse.FromString(answer))
        await asyncio.sleep(0)

    def observe_lag(self, ms: int) -> None:
        return


class WaitingStore(MemoryStore):
    """A store whose reads take a while, as a network makes them."""

    def __init__(self, memory: Memory, rng: random.Random) -> None:
        super().__init__(memory)
        self._rng = rng

    async def _wait(self) -> None:
        for _ in range(self._rng.choice((0, 0, 1, 2, 5))):
            await asyncio.sleep(0)
        if self._rng.random() < 0.02:
            await asyncio.sleep(0.002)

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        await self._wait()
        found = await super().entries(match_id, first, last)
        await self._wait()
        return found

    async def load(self, match_id: str) -> StoredMatch | None:
        await self._wait()
        found = await super().load(match_id)
        await self._wait()
        return found

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        await self._wait()
        found = await super().versions(match_ids)
        await self._wait()
        return found


class Trial:
    """One match, its viewers, and the two servers that serve them."""

    def __init__(self, rng: random.Random, late: bool) -> None:
        self._rng = rng
        self._late = late
        memory = Memory()
        self.servers = []
        for _ in range(2):
            store = WaitingStore(memory, rng)
            matches = Matches(store, Hub(store, 0.05), LIMITS, memory.key, 10)
            self.servers.append(Spectators(matches, linger=1.0))
        self._writers = [Writer(memory.key, each.matches.store_clock) for each in self.servers]
        self.match_id = ""
        self.secret = ""
        self.seats = 0
        self.streams = 0
        self.over = False

    async def open(self, name: str) -> None:
        """Create, join and start the match; one person has all seats."""
        game, matches = registry.game(name), self.servers[0].matches
        settings = SpectatorSettings()
        if self._late:
            settings = SpectatorSettings(SpectatorPolicy.DELAYED, LATE_MS)
        setup = game.setup_kind(**self._rng.choice(setups.trial(name).usual))
        request = CreateMatch(
            ANONYMOUS, game, setup, "", False, "", NO_FINGERPRINT, spectators=settings
        )
        made = await create(matches, request)
        self.match_id = made.match.id
        self.seats = len(made.match.seats)
        joining = JoinMatch.of(LIMITS, ANONYMOUS, range(self.seats), "Ann", 1, "", NO_FINGERPRINT)
        self.secret = (await join(matches, self.match_id, joining)).secret
        await act(matches, self.match_id, StartMatch(Identity(made.secret)))

    async def play(self) -> None:
        """Let the match go on, and end."""
        rng, identity, most = self._rng, Identity(self.secret), LIMITS.match_commands
        for number in range(COMMANDS):
            await asyncio.sleep(rng.choice((0, 0, 0, 0.001, 0.003)))
            matches = rng.choice(self.servers).matches
            match = await matches.current(self.match_id)
            if match.over:
                break
            with suppress(Refused):
                if rng.random() < 0.1:
                    back = ProposeToPlayers(
                        identity, None, Undo(), f"u{number}", NO_FINGERPRINT, LIMITS
                    )
                    await propose(matches, self.match_id, back)
                elif rng.random() < 0.1:
                    await freeze(matches, self.match_id, "a look")
                    await asyncio.sleep(0)
                    await unfreeze(matches, self.match_id)
                else:
                    seat = rng.choice(list(match.pending))
                    option = rng.randrange(len(match.options(seat)))
                    claim = CachedCaller(Action.SUBMIT_ANSWERS, identity)
                    answers = SubmitAnswers(
                        claim, match.pending[seat], f"a{number}", [option], NO_FINGERPRINT, most
                    )
                    await submit(matches, self.match_id, answers)
        matches = self.servers[0].matches
        for seat in range(len((await matches.current(self.match_id)).seats)):
            with suppress(Refused):
                resign = ResignSeat(identity, seat, f"r{seat}", NO_FINGERPRINT)
                await act(matches, self.match_id, resign)
        self.over = True

    async def watch(self, received: Received, identity: Identity) -> None:
        """Open one stream after another, and cut each, until the end is heard."""
        rng = self._rng
        while not received.ended:
            self.streams += 1
            received.begin()
            request = pb.WatchMatchRequest(
                match_id=self.match_id,
                resume_token=received.token,
                with_view=received.wants,
                with_options=received.wants,
            )
            if received.viewer != SPECTATOR:
                request.seat = received.viewer
            number = rng.randrange(len(self.servers))
            call: Any = Call(request, identity, received)
            stream = asyncio.create_task(follow(self.servers[number], self._writers[number], call))
            heard, most = len(received.messages), rng.randrange(1, 5)
            rounds = rng.randrange(200)
            while not stream.done() and rounds and len(received.messages) < heard + most:
                rounds -= 1
                await asyncio.sleep(0 if rng.random() < 0.9 else 0.001)
            if self.over and rng.random() < 0.2:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(stream), UNCUT_SECONDS)
            stream.cancel()
            with suppress(asyncio.CancelledError):
                await stream

    async def judge(self, all_received: Sequence[Received], verdict: Verdict) -> None:
        """Compare everything with what happened."""
        match = await self.servers[0].matches.fresh(self.match_id)
        entries = await entries_between(self.servers[0].matches.store, match, 1, match.revision)
        truth = Truth(match, entries, {received.viewer for received in all_received})
        for received in all_received:
            for what in received.judge(truth):
                verdict.blame(PROMISE, what)
            verdict.figures["messages of cut streams"] += len(received.messages)
        verdict.figures["cut streams"] += self.streams


async def trial(name: str, rng: random.Random, late: bool, verdict: Verdict) -> None:
    """Play one match of the game *name* and watch it, by those who see it late too if *late*."""
    at = Trial(rng, late)
    await at.open(name)
    seat = rng.randrange(at.seats)
    viewers = [(Received(seat, True), Identity(at.secret)) for _ in range(VIEWERS // 2)]
    viewers += [(Received(SPECTATOR, n % 2 == 0), ANONYMOUS) for n in range(VIEWERS // 2)]
    watching = [asyncio.create_task(at.watch(*viewer)) for viewer in viewers]
    await at.play()
    _, left = await asyncio.wait(watching, timeout=PATIENCE_SECONDS)
    for task in left:
        task.cancel()
    for failed in await asyncio.gather(*watching, return_exceptions=True):
        if isinstance(failed, Exception):
            verdict.blame(PROMISE, f"a stream failed: {failed!r}")
    await at.judge([received for received, _ in viewers], verdict)
    for server in at.servers:
        await server.matches.hub.stop()


async def cut_streams(number: int, seed: int) -> Verdict:
    """Cut at least *number* streams; every twentieth match has viewers who see it late."""
    verdict, names, trials = Verdict(), list(registry.GAMES), 0
    while verdict.figures["cut streams"] < number and not verdict.broken:
        together = []
        for _ in range(AT_ONCE):
            rng = random.Random(f"cut {seed} {trials}")
            together.append(trial(rng.choice(names), rng, trials % 20 == 19, verdict))
            trials += 1
        await asyncio.gather(*together)
    verdict.figures["matches of cut streams"] += trials
    return verdict
