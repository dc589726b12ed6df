"""What callers do with tournaments: create, enter, withdraw, start, cancel, look."""

from __future__ import annotations

import asyncio
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
from taflhall_service.app.tournaments.listing import (
    PAGE,
    id_in,
    index_key,
    index_of,
    list_tournament,
)
from taflhall_service.app.tournaments.model import (
    CANCELLED,
    COOPERATIVE_FORMATS,
    ENDED,
    MAX_AT_ONCE,
    MAX_ENTRANTS,
    MAX_MATCHES,
    MAX_ROUNDS,
    NAMESPACE,
    OPEN,
    PLAYING,
    PROGRESS,
    Entrant,
    MatchResult,
    Progress,
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

    async def observe(self, tournament_id: str) -> tuple[Tournament, bytes]:
        """Return a tournament, and what changes whenever its matches do."""
        raw, (mark,) = await asyncio.gather(
            self._raw(tournament_id), self._store.read(PROGRESS, [tournament_id[:64]])
        )
        return unpack(raw), mark

    async def page(self, status: int, last: str, count: int) -> list[Tournament]:
        """Return at most *count* tournaments with *status* (0: any), the newest first.

        They are those before the one whose index key is *last*; empty: from the newest.
        """
        index, found = index_of(status), list[Tournament]()
        while keys := await self._matches.store.index_page(last, count, index):
            for raw in await self._store.read(NAMESPACE, [id_in(key) for key in keys]):
                if raw and status in (0, (tournament := unpack(raw)).status):
                    found.append(tournament)
            if len(found) >= count or len(keys) < count:
                break
            last = keys[-1]
        return found[:count]

    async def playing(self) -> list[Tournament]:
        """Return the tournaments that are being played; forget those that have ended."""
        store, found, last = self._matches.store, list[Tournament](), ""
        while keys := await store.index_page(last, PAGE, index_of(PLAYING)):
            last = keys[-1]
            raws = await self._store.read(NAMESPACE, [id_in(key) for key in keys])
            for key, raw in zip(keys, raws, strict=True):
                tournament = unpack(raw) if raw else None
                if tournament is None or tournament.status in ENDED:
                    await store.index_remove(key, index_of(PLAYING))
                elif tournament.status == PLAYING:
                    found.append(tournament)
        return found

    async def progress(self, tournament_id: str) -> Progress:
        """Return how far the matches of a tournament are."""
        found = await self._store.all(results_namespace(tournament_id))
        results, set_aside = dict[int, MatchResult](), dict[int, int]()
        for name, raw in found.items():
            index, _, kind = name.partition("/")
            if kind:
                set_aside[int(index)] = int(raw)
            else:
                results[int(index)] = unpack_result(raw)
        return Progress(results, set_aside)

    async def create(self, request: CreateTournament) -> Tournament:
        """Announce a tournament. With a request id a second call finds the first's."""
        creator = account_of(request.identity)
        if request.game.cooperative and request.format not in COOPERATIVE_FORMATS:
            raise errors.Malformed(field="format", expected="round robin in a cooperative game")
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
            await list_tournament(self._matches.store, tournament)
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

    async def set_aside(self, tournament_id: str, index: int, tries: int) -> None:
        """Note that a match was set aside, which had been so *tries* times before."""
        namespace, before = results_namespace(tournament_id), str(tries).encode() if tries else b""
        after = str(tries + 1).encode()
        await self._store.compare_and_set(namespace, f"{index}/set-aside", after, before)

    async def note_progress(self, tournament_id: str, mark: bytes) -> None:
        """Let those who observe a tournament know that its matches have changed."""
        (before,) = await self._store.read(PROGRESS, [tournament_id])
        if before != mark:
            await self._store.compare_and_set(PROGRESS, tournament_id, mark, before)

    async def record(self, tournament_id: str, index: int, result: MatchResult) -> bool:
        """Note the result of a match; return whether it stands, as the first one noted does."""
        namespace = results_namespace(tournament_id)
        return await self._store.compare_and_set(namespace, str(index), pack(result), b"")

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
            moved = new.status != old.status
            if moved:
                await list_tournament(self._matches.store, new)
            if await self._store.compare_and_set(NAMESPACE, old.id, pack(new), raw):
                if moved:
                    await self._matches.store.index_remove(index_key(old), index_of(old.status))
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
