"""A crowd: many matches at the same time, each with its players and its watchers."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_wire.translate import translator
from tests.faults.history import History, digest
from tests.faults.traffic.calls import PATIENCE, PAUSE, Caller, Outcome, Stubs, Stuck
from tests.faults.traffic.players import Player, Seat
from tests.faults.traffic.watchers import SPECTATOR, Watcher

CATCH_UP: Final = 60.0
"""Seconds that watchers have to arrive at the end when all is quiet."""

WATCHED: Final = 0.3
"""Share of the matches for one player that are watched."""


class Crowd:
    """Plays match after match over *stubs* until it is stopped.

    *tables* is how many matches go on at the same time; *watchers* how many watch each. So much
    as *solo* of the matches are for one player who gives long lists of answers, and only some of
    these are watched: they are for the number of commands, the others for all that may go wrong
    between players.
    """

    def __init__(
        self,
        history: History,
        stubs: Stubs,
        tables: int = 6,
        watchers: int = 2,
        longest: int = 64,
        game: str = "yggdrasil",
        most: int = 0,
        catch_up: float = CATCH_UP,
        patience: float = PATIENCE,
        solo: float = 0.0,
    ) -> None:
        self.history: Final = history
        self.stubs: Final = stubs
        self.rng: Final = stubs.rng
        self.watchers: list[Watcher] = []
        self.players: list[Player] = []
        self.stuck: list[str] = []
        self._tables = tables
        self._watch = watchers
        self._longest = longest
        self._game = registry.game(game)
        self._most = most
        self._catch_up = catch_up
        self._patience = patience
        self._solo = solo
        self._stop = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._looking: list[asyncio.Task[None]] = []
        self._people = 0
        self._matches = 0

    def start(self) -> None:
        """Begin to play."""
        self._tasks = [asyncio.create_task(self._table()) for _ in range(self._tables)]

    @property
    def commands(self) -> int:
        """How many commands are known to have been carried out."""
        return sum(self.revisions().values())

    def revisions(self) -> dict[str, int]:
        """Return the newest revision known of each match."""
        found: dict[str, int] = {}
        for player in self.players:
            seat = player.seat
            found[seat.match_id] = max(found.get(seat.match_id, 0), seat.revision)
        return found

    async def stop(self) -> None:
        """Wait for the definite answer to every open request, and stop playing."""
        self._stop.set()
        await self._gather(self._tasks)

    async def quiet(self) -> None:
        """Wait until every watcher is at the newest revision; note those that do not get there."""
        end = time.monotonic() + self._catch_up
        newest = self.revisions()
        for watcher in self.watchers:
            watcher.stays = True
        while self._behind(newest) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        for watcher in self._behind(newest):
            self.history.note(
                behind=watcher.match_id,
                viewer=watcher.viewer,
                at=watcher.revision,
                newest=newest[watcher.match_id],
            )
        for task in self._looking:
            task.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)

    def _behind(self, newest: dict[str, int]) -> list[Watcher]:
        return [w for w in self.watchers if not w.over and w.revision < newest.get(w.match_id, 0)]

    async def _gather(self, tasks: list[asyncio.Task[None]]) -> None:
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Stuck):
                self.history.note(stuck=str(found))
            elif isinstance(found, Exception):
                raise found

    async def _table(self) -> None:
        while not self._stop.is_set() and not (self._most and self._matches >= self._most):
            self._matches += 1
            solo = self.rng.random() < self._solo
            seats = 1 if solo else self.rng.choice((1, 1, 1, 2, 3))
            people = self.rng.randint(1, seats)
            players = await self._open(seats, people, solo)
            for player in players:
                player.seat.over = False
            await asyncio.gather(*[player.play(self._stop) for player in players])

    async def _open(self, seats: int, people: int, solo: bool = False) -> list[Player]:
        """Create a match, seat its players and start it; each call until it is definite."""
        setup = translator(self._game).setup_to(self._game.setup_kind(seats=seats))
        host = self._caller("host")
        created = await self._settle(
            host, "CreateMatch", pb.CreateMatchRequest(setup=setup, request_id=self._long_id())
        )
        match_id = created.answer.match.id
        players = []
        for person in range(people):
            caller = self._caller("player")
            wanted = list(range(seats))[person::people]
            request = pb.JoinMatchRequest(
                match_id=match_id,
                seats=wanted,
                name=f"P{person}",
                kind=match_pb2.SEAT_KIND_BOT,
                request_id=self._long_id(),
            )
            joined = await self._settle(caller, "JoinMatch", request)
            seat = Seat(match_id, joined.answer.seat_secret, wanted, people)
            players.append(Player(caller, seat, self._longest, self._patience, solo))
        start = pb.StartMatchRequest(match_id=match_id)
        await self._settle(host, "StartMatch", start, created.answer.creator_secret)
        self.players += players
        watched = not solo or self.rng.random() < WATCHED
        for number in range(self._watch if watched else 0):
            self._look(players, number)
        return players

    def _look(self, players: list[Player], number: int) -> None:
        viewer, secret = SPECTATOR, ""
        seat = players[number % len(players)].seat
        if number % 2:
            viewer, secret = seat.seats[-1], seat.secret
        watcher = Watcher(
            self._caller("watcher"), seat.match_id, viewer, secret, self.rng.random() < 0.3
        )
        self.watchers.append(watcher)
        self._looking.append(asyncio.create_task(watcher.watch()))

    async def _settle(self, caller: Caller, method: str, request: Any, secret: str = "") -> Outcome:
        end = time.monotonic() + self._patience
        what = {"match": request.match_id if method != "CreateMatch" else ""}
        if method != "StartMatch":
            what |= {"scope": method, "request": request.request_id, "body": digest(request)}
        while time.monotonic() < end:
            drop = self.rng.uniform(0.0005, 0.01) if self.rng.random() < 0.2 else 0.0
            outcome = await caller.call(method, request, secret, hang_up=drop, **what)
            if outcome.kind == "ok":
                return outcome
            if outcome.kind == "fail":
                raise Stuck(f"{method}, which was refused: {outcome.reason}")
            await asyncio.sleep(self.rng.uniform(*PAUSE))
        raise Stuck(method)

    def _caller(self, kind: str) -> Caller:
        self._people += 1
        return Caller(self.history, self.stubs, f"{kind}{self._people}")

    def _long_id(self) -> str:
        return f"{self.rng.getrandbits(128):032x}"
