"""Verifies a store: every match is replayed, and the store may be compared with another.

Nothing is changed, unless the caller asks to unfreeze matches that pass, or to index them again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from taflhall_service.app.errors import MatchFrozen, RulesTooNew, StoredDataDamaged
from taflhall_service.app.jobs.archiver import name_of
from taflhall_service.app.jobs.integrity import IntegrityError, audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches.freeze import SetFrozen
from taflhall_service.app.matches.history import changed_at
from taflhall_service.app.matches.indexes import CODES, entries_of, queue_for_jobs, queue_of
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import PLAYING, Match, decode_match
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    DueQueue,
    MatchStore,
    MatchSummary,
    StoredMatch,
    Version,
    ms_of,
)
from taflhall_service.app.ports.record_archive import RecordArchive
from taflhall_service.app.watching.channels import Hub

SECONDS: Final = 10.0
"""How long to wait until a deadline is noted."""


@dataclass
class VerifyReport:
    """Result of a verification."""

    matches: int = 0
    commands: int = 0
    frozen: int = 0
    frozen_by_admin: int = 0
    """Those of them that an administrator has frozen."""
    unfrozen: int = 0
    unlisted: int = 0
    """Matches that lists or background jobs do not find."""
    unknown: int = 0
    """Matches that another release has written: not checked."""
    faults: list[str] = field(default_factory=list)
    """One line for each match that differs from its log."""
    differences: list[str] = field(default_factory=list)
    """One line for each match that differs between the stores."""

    @property
    def sound(self) -> bool:
        return not self.faults


async def verify(
    store: MatchStore,
    archive: RecordArchive | None = None,
    unfreeze: bool = False,
    reindex: bool = False,
) -> VerifyReport:
    """Replay every match of *store* and compare it with everything that is stored of it.

    With *archive*, look for the record of each match that is marked as archived. With *unfreeze*,
    lift the freeze of matches that pass; with *reindex*, index those that lists or background jobs
    do not find.
    """
    found = VerifyReport()
    pace = Throttle(1.0)
    async for match_id in _each(store):
        found.matches += 1
        try:
            match = await store.load(match_id)
        except StoredDataDamaged:
            found.faults.append(f"{match_id}: its fields cannot be read")
            continue
        if match is None:
            found.matches -= 1
            continue
        found.frozen += bool(match.frozen)
        found.frozen_by_admin += match.frozen.startswith(ADMIN_PREFIX)
        try:
            found.commands += await _folded(store, match_id, match, pace)
        except RulesTooNew:
            found.unknown += 1
            continue
        except IntegrityError as difference:
            found.faults.append(f"{match_id}: {difference}")
            continue
        if match.frozen and unfreeze and not match.frozen.startswith(ADMIN_PREFIX):
            if await _unfrozen(store, match):
                found.unfrozen += 1
                await store.forget_damage(match_id)
        if not await _is_indexed(store, match, reindex):
            found.unlisted += 1
        if archive is not None and match.archived and not await _in(archive, match_id, match):
            found.faults.append(
                f"{match_id}: marked as archived, but the archive does not have its record"
            )
    return found


async def _is_indexed(store: MatchStore, stored: StoredMatch, reindex: bool) -> bool:
    """Return whether lists and background jobs find a match; with *reindex* let them.

    A match that changes meanwhile is looked at again.
    """
    match = decode_match(stored._replace(frozen=b""))
    if match.over and match.table is None:
        return True  # it never began, and the store forgets it
    index_key = index_key_of(match.origin)
    summary = MatchSummary(stored.status, stored.archived, stored.deadline, stored.changed)
    deadline = ms_of(stored.deadline) if match.status == PLAYING else 0
    queues = [queue_of(index_key, summary)]
    queues += [(DueQueue.DEADLINES, match.id)] if deadline else []
    due = [time for queue, name in queues for time in await store.due_times([name], queue)]
    missing = await _missing_entries(store, match, bool(stored.archived))
    if not missing and None not in due:
        return True
    again = await store.load(match.id)
    if again is None:
        return True
    if (again.version, again.archived) != (stored.version, stored.archived):
        return await _is_indexed(store, again, reindex)
    if reindex:
        await asyncio.gather(*[store.index_add(*entry) for entry in missing])
        await queue_for_jobs(store, index_key, summary, await store.now())
        if deadline:
            await store.schedule(match.id, deadline)
    return False


async def _missing_entries(
    store: MatchStore, match: Match, archived: bool
) -> list[tuple[str, str]]:
    """Return the entries of a match that indexes lack; one in the archive has no join code."""
    entries = [each for each in entries_of(match) if not (archived and each[1] == CODES)]
    # the last key before the key and a zero is the key itself, if the index has it
    pages = await asyncio.gather(
        *[store.index_page(f"{key}\0", 1, index) for key, index in entries]
    )
    return [entry for entry, page in zip(entries, pages, strict=True) if page != [entry[0]]]


async def _unfrozen(store: MatchStore, found: StoredMatch) -> bool:
    """Lift the freeze of a match, unless it has changed since it was *found*.

    When a server froze it is not known: its clocks count as stopped since the last change.
    """
    match = decode_match(found._replace(frozen=b""))
    matches = Matches(store, Hub(store), Limits(), await store.key(), 1)
    matches.remember(match)
    try:
        since = await changed_at(store, found, match)
        await act(matches, match.id, SetFrozen(found.frozen, b"", since))
    except (MatchFrozen, StoredDataDamaged):
        return False
    await matches.idle(SECONDS)
    return True


async def _folded(store: MatchStore, match_id: str, match: StoredMatch, pace: Throttle) -> int:
    """Check a match, again if it has changed while it was read; return the number of commands."""
    while True:
        try:
            return await audit(store, match, pace)
        except IntegrityError:
            again = await store.load(match_id)
            if again is None:
                return 0
            if again.version == match.version:
                raise
            match = again


async def compare(store: MatchStore, other: MatchStore, found: VerifyReport) -> None:
    """Add to *found* what *store* lacks of *other*, and where their histories diverge."""
    async for match_id in _each(other):
        try:
            there = await other.load(match_id)
            here = await store.load(match_id)
        except StoredDataDamaged:
            found.differences.append(f"{match_id}: cannot be read")
            continue
        if there is None:
            continue
        if here is None:
            found.differences.append(f"{match_id}: missing, there at revision {_at(there)}")
        elif here.version[:2] != there.version[:2]:
            found.differences.append(f"{match_id}: {await _diverged(store, other, here, there)}")


async def _diverged(
    store: MatchStore, other: MatchStore, here: StoredMatch, there: StoredMatch
) -> str:
    shared = min(_at(here), _at(there))
    try:
        match_id = decode_match(here._replace(frozen=b"")).id
    except (RulesTooNew, StoredDataDamaged):
        return "cannot be read"
    try:
        heads = [
            await _head(kept, match_id, match.version, shared)
            for kept, match in ((store, here), (other, there))
        ]
    except StoredDataDamaged:
        return "its entries cannot be read"
    if heads[0] != heads[1]:
        return f"another history at revision {shared}"
    behind = _at(there) - _at(here)
    return f"{abs(behind)} commands {'behind' if behind > 0 else 'ahead'}"


async def _head(store: MatchStore, match_id: str, version: Version, revision: int) -> bytes | None:
    if not revision:
        return None  # no command has been given yet
    if version.revision == revision:
        return version.head
    entries = await store.entries(match_id, revision, revision)
    return entries[0].head if entries else None


def _at(match: StoredMatch) -> int:
    return match.version.revision


async def _in(archive: RecordArchive, match_id: str, match: StoredMatch) -> bool:
    kept = await archive.get(name_of(match_id))
    return kept is not None and hashlib.sha256(kept).hexdigest().encode() == match.archived


async def _each(store: MatchStore) -> AsyncIterator[str]:
    seen: set[str] = set()
    async for match_id in store.scan_ids():
        if match_id not in seen:
            seen.add(match_id)
            yield match_id
