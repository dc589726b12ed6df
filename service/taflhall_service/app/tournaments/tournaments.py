"""What callers do with tournaments: create, enter, withdraw, start, cancel, look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, InvalidSetup
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import account_of
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import PERSON, PROGRAM
from taflhall_service.app.matches.transaction import MAX_ATTEMPTS
from taflhall_service.app.model.clocks import TimeControl, time_control_faults
from taflhall_service.app.model.ids import derived_id
from taflhall_service.app.model.limits import looks_like
from taflhall_service.app.tournaments.model import (
    CANCELLED,
    ENDED,
    MAX_AT_ONCE,
    MAX_ENTRANTS,
    MAX_MATCHES,
    MAX_ROUNDS,
    NAMESPACE,
    OPEN,
    PLAYING,
    Entrant,
    MatchResult,
    Tournament,
    pack,
    results_namespace,
    unpack,
    unpack_result,
)
from taflhall_service.app.tournaments.schedule import match_count


@dataclass(frozen=True, slots=True)
class CreateTournament:
    """A request for a tournament; fields that are 0 take their defaults."""

    identity: Identity
    name: str
    game: Game
    setup: Any
    format: int
    rounds: int
    at_once: int
    time_control: TimeControl
    max_entrants: int
    request_id: str
    fingerprint: bytes


class Tournaments:
    """The tournaments of a store."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._store = matches.store.accounts
        self._limits = matches.limits

    async def get(self, tournament_id: str) -> Tournament:
        """Return a tournament, or raise ``TournamentNotFound``."""
        return unpack(await self._raw(tournament_id))

    async def all(self) -> list[Tournament]:
        """Return all tournaments, the newest first."""
        found = [unpack(raw) for raw in (await self._store.all(NAMESPACE)).values()]
        return sorted(found, key=lambda each: (each.created_ms, each.id), reverse=True)

    async def results(self, tournament_id: str) -> dict[int, MatchResult]:
        """Return the results so far, by the index of the match."""
        found = await self._store.all(results_namespace(tournament_id))
        return {int(index): unpack_result(raw) for index, raw in found.items()}

    async def create(self, request: CreateTournament) -> Tournament:
        """Announce a tournament. With a request id a second call finds the first's."""
        creator = account_of(request.identity)
        self._limits.name("name", request.name)
        self._limits.name("request_id", request.request_id)
        proof = request.identity.proof(request.request_id)
        now = (await self._matches.now()).ms
        tournament = Tournament(
            derived_id(self._matches.server_key, "tournament", proof),
            request.fingerprint,
            request.name,
            request.game.id,
            dump(request.setup),
            _seats(request),
            request.format,
            _within("rounds", request.rounds or 1, 1, MAX_ROUNDS),
            _within("matches_at_once", request.at_once or 1, 1, MAX_AT_ONCE),
            request.time_control,
            _within("max_entrants", request.max_entrants or MAX_ENTRANTS, 2, MAX_ENTRANTS),
            creator.id,
            now,
        )
        (before,) = await self._store.read(NAMESPACE, [tournament.id])
        if not before:
            stored = await self._store.compare_and_set(
                NAMESPACE, tournament.id, pack(tournament), b""
            )
            if stored:
                return tournament
        found = await self.get(tournament.id)
        if found.fingerprint != request.fingerprint:
            raise errors.RequestIdReused(request_id=request.request_id)
        return found

    async def enter(self, identity: Identity, tournament_id: str, name: str) -> Tournament:
        """Enter the caller's account."""
        account = account_of(identity)
        name = self._limits.name("name", name or account.name)
        kind = PROGRAM if account.role == Role.BOT else PERSON

        def entered(old: Tournament) -> Tournament:
            if old.entrant(account.id) is not None:
                return old
            if old.status != OPEN:
                raise errors.TournamentStarted(tournament_id=old.id)
            if len(old.entrants) >= old.max_entrants:
                raise errors.TournamentFull(limit=old.max_entrants)
            if any(looks_like(each.name) == looks_like(name) for each in old.entrants):
                raise errors.NameTaken(name=name)
            return replace(old, entrants=(*old.entrants, Entrant(account.id, name, kind)))

        return await self._change(tournament_id, entered)

    async def withdraw(self, identity: Identity, tournament_id: str, account_id: str) -> Tournament:
        """Withdraw an account: the caller's own (empty), or for the creator any."""
        caller = account_of(identity)
        account_id = account_id or caller.id

        def withdrawn(old: Tournament) -> Tournament:
            if caller.id not in (account_id, old.creator):
                raise errors.Forbidden
            entrant = old.entrant(account_id)
            if entrant is None:
                raise errors.NotEntered(tournament_id=old.id)
            if old.status in ENDED:
                raise errors.TournamentOver(tournament_id=old.id)
            others = tuple(each for each in old.entrants if each is not entrant)
            if old.status == OPEN:
                return replace(old, entrants=others)
            gone = replace(entrant, withdrawn=True)
            entrants = tuple(gone if each is entrant else each for each in old.entrants)
            return replace(old, entrants=entrants)

        return await self._change(tournament_id, withdrawn)

    async def start(self, identity: Identity, tournament_id: str) -> Tournament:
        """Start a tournament; only its creator may."""
        caller = account_of(identity)
        now = (await self._matches.now()).ms

        def started(old: Tournament) -> Tournament:
            if caller.id != old.creator:
                raise errors.Forbidden
            if old.status == PLAYING:
                return old
            if old.status in ENDED:
                raise errors.TournamentOver(tournament_id=old.id)
            if len(old.entrants) < old.group:
                raise errors.TooFewEntrants(least=old.group)
            if match_count(old) > MAX_MATCHES:
                raise errors.Malformed(field="rounds", expected=f"at most {MAX_MATCHES} matches")
            return replace(old, status=PLAYING, started_ms=now)

        return await self._change(tournament_id, started)

    async def cancel(self, identity: Identity, tournament_id: str) -> Tournament:
        """End a tournament early; only its creator may."""
        caller = account_of(identity)
        now = (await self._matches.now()).ms

        def cancelled(old: Tournament) -> Tournament:
            if caller.id != old.creator:
                raise errors.Forbidden
            if old.status == CANCELLED:
                return old
            if old.status in ENDED:
                raise errors.TournamentOver(tournament_id=old.id)
            return replace(old, status=CANCELLED, ended_ms=now)

        return await self._change(tournament_id, cancelled)

    async def finish(self, tournament_id: str, status: int) -> Tournament:
        """Let a tournament that is played end with *status*."""
        now = (await self._matches.now()).ms

        def finished(old: Tournament) -> Tournament:
            return replace(old, status=status, ended_ms=now) if old.status == PLAYING else old

        return await self._change(tournament_id, finished)

    async def record(self, tournament_id: str, index: int, result: MatchResult) -> None:
        """Note the result of a match; the first one that is noted stands."""
        namespace = results_namespace(tournament_id)
        await self._store.compare_and_set(namespace, str(index), pack(result), b"")

    async def _change(
        self, tournament_id: str, change: Callable[[Tournament], Tournament]
    ) -> Tournament:
        """Change a tournament by *change*, which may raise why it does not."""
        for _ in range(MAX_ATTEMPTS):
            raw = await self._raw(tournament_id)
            old = unpack(raw)
            new = change(old)
            if new is old:
                return old
            if await self._store.compare_and_set(NAMESPACE, old.id, pack(new), raw):
                return new
        raise errors.Busy

    async def _raw(self, tournament_id: str) -> bytes:
        if not tournament_id:
            raise errors.Malformed(field="tournament_id", expected="the id of a tournament")
        (raw,) = await self._store.read(NAMESPACE, [tournament_id[:64]])
        if not raw:
            raise errors.TournamentNotFound(tournament_id=tournament_id[:64])
        return raw


def _seats(request: CreateTournament) -> int:
    """Return how many seats a match has; raise ``InvalidSetup`` or ``InvalidTimeControl``."""
    game = request.game
    if faults := time_control_faults(request.time_control):
        raise errors.InvalidTimeControl(game, faults)
    try:
        return game.seats(game.new(request.setup, FastChance(0)))
    except InvalidSetup as error:
        raise errors.InvalidSetup(error.game, error.faults) from None


def _within(field: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise errors.Malformed(field=field, expected=f"{least} to {most}")
    return value
