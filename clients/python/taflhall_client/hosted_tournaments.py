"""Tournaments that a server runs: ``Client.tournaments``.

::

    async with Client("localhost:50051", key=host_key) as client:
        cup = await client.tournaments.create("champions", "Cup", {"seats": 2}, rounds=2,
                                              time_control=TimeControl(60))
        ...                                              # accounts enter
        await client.tournaments.start(cup.id)
        async for update in client.tournaments.watch(cup.id):
            print(update.matches)
        print(await client.tournaments.standings(cup.id))

A bot takes part by ``client.play_all``, with the key of the account that has entered.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from taflhall.tournament.v1 import tournament_service_pb2 as pb
from taflhall.tournament.v1.tournament_service_pb2_grpc import TournamentServiceStub
from taflhall_client.channel import Transport, new_request_id
from taflhall_client.clocks import TimeControl
from taflhall_client.results import Status
from taflhall_client.resuming import updates
from taflhall_client.setting_messages import time_control_from, time_control_to
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.value import Value
from taflhall_wire.translate import translator

E = TypeVar("E", bound=Enum)


class Format(Enum):
    """Who plays whom."""

    UNKNOWN = 0
    ROUND_ROBIN = 1
    """Everybody with everybody."""
    SWISS = 2
    """In each round those with about the same points."""
    KNOCKOUT = 3
    """The winner of each group advances."""
    GAUNTLET = 4
    """The first entrant against all others."""
    FREE_FOR_ALL = 5
    """In each round groups drawn by lot."""


class TournamentStatus(Enum):
    """How far a tournament is."""

    UNKNOWN = 0
    OPEN = 1
    """Accounts may enter."""
    PLAYING = 2
    FINISHED = 3
    CANCELLED = 4


@dataclass(frozen=True, slots=True)
class Entrant:
    """An account that takes part."""

    account: str
    name: str
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """A tournament as everybody may see it."""

    id: str
    name: str
    game: str
    format: Format
    rounds: int
    time_control: TimeControl
    max_entrants: int
    matches_at_once: int
    """How many matches of one entrant are under way at once."""
    status: TournamentStatus
    creator: str
    """The account that created it."""
    entrants: list[Entrant]
    """In the order of entry."""


@dataclass(frozen=True, slots=True)
class TournamentSeat:
    """A seat of a match, with its result once the match is over."""

    account: str
    place: int
    """From 1; 0 before the end, and if there is no result."""
    won: bool
    score: int | None
    """``None`` in a game without points."""


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament."""

    index: int
    """Its place in the schedule, from 0."""
    round: int
    """From 1."""
    match_id: str
    """Empty if it has not begun, or was decided without a match."""
    status: Status
    seats: list[TournamentSeat]


@dataclass(frozen=True, slots=True)
class Standing:
    """The line of an entrant in the standings."""

    place: int
    account: str
    name: str
    points: float
    matches: int
    wins: int


@dataclass(frozen=True, slots=True)
class TournamentUpdate:
    """What has changed in a tournament."""

    tournament: TournamentInfo | None
    matches: list[TournamentMatch] = field(default_factory=list)


class Tournaments:
    """The tournaments of a server. All methods raise :mod:`taflhall_client.errors`."""

    def __init__(self, transport: Transport, channel: Any) -> None:
        self._transport: Final = transport
        self._stub: Final[Any] = TournamentServiceStub(channel)

    async def create(
        self,
        game: str,
        name: str,
        setup: Value | Mapping[str, Any] | None = None,
        *,
        time_control: TimeControl,
        format: Format = Format.ROUND_ROBIN,
        rounds: int = 1,
        max_entrants: int = 0,
        matches_at_once: int = 1,
    ) -> TournamentInfo:
        """Announce a tournament; for accounts that host. 0 *max_entrants*: as many as possible."""
        known = self._transport.game(game)
        chosen = setup if isinstance(setup, Value) else setups.from_data(known, setup or {})
        request = pb.CreateTournamentRequest(
            name=name,
            setup=translator(known).setup_to(chosen),
            format=format.value,  # type: ignore[arg-type]
            rounds=rounds,
            time_control=time_control_to(time_control),
            max_entrants=max_entrants,
            matches_at_once=matches_at_once,
            request_id=new_request_id(),
        )
        return _info((await self._call("CreateTournament", request)).tournament)

    async def get(self, tournament_id: str) -> TournamentInfo:
        """Return a tournament."""
        request = pb.GetTournamentRequest(tournament_id=tournament_id)
        return _info((await self._call("GetTournament", request)).tournament)

    async def all(
        self, status: TournamentStatus = TournamentStatus.UNKNOWN
    ) -> list[TournamentInfo]:
        """Return all tournaments, or those with a status, the newest first."""
        found: list[TournamentInfo] = []
        token = ""
        while True:
            request = pb.ListTournamentsRequest(
                status=status.value,  # type: ignore[arg-type]
                page_token=token,
            )
            reply = await self._call("ListTournaments", request)
            found += [_info(tournament) for tournament in reply.tournaments]
            token = reply.next_page_token
            if not token:
                return found

    async def enter(self, tournament_id: str, name: str = "") -> TournamentInfo:
        """Enter our account, under *name* or else its own."""
        request = pb.EnterTournamentRequest(tournament_id=tournament_id, name=name)
        return _info((await self._call("EnterTournament", request)).tournament)

    async def withdraw(self, tournament_id: str, account: str = "") -> TournamentInfo:
        """Withdraw our account, or for the creator any *account*."""
        request = pb.WithdrawFromTournamentRequest(tournament_id=tournament_id, account_id=account)
        return _info((await self._call("WithdrawFromTournament", request)).tournament)

    async def start(self, tournament_id: str) -> TournamentInfo:
        """Start a tournament; for its creator."""
        request = pb.StartTournamentRequest(tournament_id=tournament_id)
        return _info((await self._call("StartTournament", request)).tournament)

    async def cancel(self, tournament_id: str) -> TournamentInfo:
        """End a tournament early; for its creator."""
        request = pb.CancelTournamentRequest(tournament_id=tournament_id)
        return _info((await self._call("CancelTournament", request)).tournament)

    async def standings(self, tournament_id: str) -> list[Standing]:
        """Return the standings so far, best first."""
        request = pb.GetTournamentStandingsRequest(tournament_id=tournament_id)
        reply = await self._call("GetTournamentStandings", request)
        return [
            Standing(s.place, s.account_id, s.name, s.points, s.matches, s.wins)
            for s in reply.standings
        ]

    async def matches(self, tournament_id: str) -> list[TournamentMatch]:
        """Return the matches so far with their results, in the order of the schedule."""
        found: list[TournamentMatch] = []
        token = ""
        while True:
            request = pb.ListTournamentMatchesRequest(
                tournament_id=tournament_id, page_size=100, page_token=token
            )
            reply = await self._call("ListTournamentMatches", request)
            found += [_match(match) for match in reply.matches]
            token = reply.next_page_token
            if not token:
                return found

    def watch(
        self, tournament_id: str, patience: float = 300.0
    ) -> AsyncGenerator[TournamentUpdate, None]:
        """Yield what changes until the tournament has ended; reconnect after a failure.

        The first update, also after a failure, has the tournament and all its matches so far.
        """
        source = _TournamentSource(self._transport, self._stub.WatchTournament, tournament_id)
        return updates(self._transport, source, patience)

    async def _call(self, method: str, request: Any) -> Any:
        return await self._transport.call(getattr(self._stub, method), request)


class _TournamentSource:
    def __init__(self, transport: Transport, method: Any, tournament_id: str) -> None:
        self.over = False
        self._transport = transport
        self._method = method
        self._request = pb.WatchTournamentRequest(tournament_id=tournament_id)

    async def open(self) -> Any:
        return self._transport.open(self._method, self._request)

    def take(self, message: pb.WatchTournamentResponse) -> list[TournamentUpdate]:
        update = _update(message)
        if update.tournament is not None:
            status = update.tournament.status
            self.over = status in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
        return [update] if update.tournament is not None or update.matches else []


def _info(message: pb.Tournament) -> TournamentInfo:
    return TournamentInfo(
        message.id,
        message.name,
        message.setup.game or message.setup.WhichOneof("options") or "",
        _known(Format, message.format),
        message.rounds,
        time_control_from(message.time_control),
        message.max_entrants,
        message.matches_at_once,
        _known(TournamentStatus, message.status),
        message.creator_account_id,
        [Entrant(e.account_id, e.name, e.withdrawn) for e in message.entrants],
    )


def _match(message: pb.TournamentMatch) -> TournamentMatch:
    seats = [
        TournamentSeat(
            seat.account_id, seat.place, seat.won, seat.score if seat.HasField("score") else None
        )
        for seat in message.seats
    ]
    status = _known(Status, message.status)
    return TournamentMatch(message.index, message.round, message.match_id, status, seats)


def _update(message: pb.WatchTournamentResponse) -> TournamentUpdate:
    tournament = _info(message.tournament) if message.HasField("tournament") else None
    return TournamentUpdate(tournament, [_match(match) for match in message.matches])


def _known(kind: type[E], number: int) -> E:
    """Return a member of *kind*; one that a newer server knows alone is ``UNKNOWN``."""
    try:
        return kind(number)
    except ValueError:
        return kind(0)
