"""The tournaments of a server for programs that do not use asyncio."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final

from taflhall_client import hosted_tournaments
from taflhall_client.clocks import TimeControl
from taflhall_client.hosted_tournaments import (
    Format,
    Standing,
    TournamentInfo,
    TournamentMatch,
    TournamentStatus,
    TournamentUpdate,
)
from taflhall_client.loop_thread import LoopThread
from taflhall_engine.kernel.value import Value


class Tournaments:
    """The tournaments of a server; see :class:`taflhall_client.hosted_tournaments.Tournaments`."""

    def __init__(self, loop: LoopThread, tournaments: hosted_tournaments.Tournaments) -> None:
        self._loop: Final = loop
        self._tournaments: Final = tournaments

    def create(
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
        """Announce a tournament; for accounts that host."""
        work = self._tournaments.create(
            game,
            name,
            setup,
            time_control=time_control,
            format=format,
            rounds=rounds,
            max_entrants=max_entrants,
            matches_at_once=matches_at_once,
        )
        return self._loop.run(work)

    def get(self, tournament_id: str) -> TournamentInfo:
        """Return a tournament."""
        return self._loop.run(self._tournaments.get(tournament_id))

    def all(self, status: TournamentStatus = TournamentStatus.UNKNOWN) -> list[TournamentInfo]:
        """Return all tournaments, or those with a status, the newest first."""
        return self._loop.run(self._tournaments.all(status))

    def enter(self, tournament_id: str, name: str = "") -> TournamentInfo:
        """Enter our account, under *name* or else its own."""
        return self._loop.run(self._tournaments.enter(tournament_id, name))

    def withdraw(self, tournament_id: str, account: str = "") -> TournamentInfo:
        """Withdraw our account, or for the creator any *account*."""
        return self._loop.run(self._tournaments.withdraw(tournament_id, account))

    def start(self, tournament_id: str) -> TournamentInfo:
        """Start a tournament; for its creator."""
        return self._loop.run(self._tournaments.start(tournament_id))

    def cancel(self, tournament_id: str) -> TournamentInfo:
        """End a tournament early; for its creator."""
        return self._loop.run(self._tournaments.cancel(tournament_id))

    def standings(self, tournament_id: str) -> list[Standing]:
        """Return the standings so far, best first."""
        return self._loop.run(self._tournaments.standings(tournament_id))

    def matches(self, tournament_id: str) -> list[TournamentMatch]:
        """Return the matches so far with their results, in the order of the schedule."""
        return self._loop.run(self._tournaments.matches(tournament_id))

    def watch(
        self, tournament_id: str, patience: float = 300.0
    ) -> Generator[TournamentUpdate, None, None]:
        """Yield what changes until the tournament has ended; reconnect after a failure."""
        yield from self._loop.iterate(self._tournaments.watch(tournament_id, patience))
