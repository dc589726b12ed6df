"""Matches whose stored form is damaged: what of it, and the freeze that outlives every server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from taflhall_service.app.errors import StoredDataDamaged, StoreUnavailable
from taflhall_service.app.model import codec
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import STATUSES
from taflhall_service.app.model.records import Origin
from taflhall_service.app.ports.match_store import MatchStore, StoredMatch

FIELDS_UNREADABLE: Final = "its fields cannot be read"

MAX_NOTED: Final = 1000
"""Number of damaged matches that a process remembers to have frozen."""

_log = structlog.get_logger("matches")


def damaged_part(found: StoredMatch) -> str:
    """Return what of a match is damaged; empty if all is intact.

    Intact data that this server cannot read was written by another release.
    """
    try:
        origin = codec.decode_origin(found.origin)
    except StoredDataDamaged:
        return damage_of("origin")
    if found.status.decode("ascii", "replace") not in STATUSES:
        return damage_of("status")
    for name, check in _checks(found, origin).items():
        try:
            if getattr(found, name):
                check()
        except StoredDataDamaged:
            return damage_of(name)
    return ""


def damage_of(field: str) -> str:
    """Return what to say of a match one *field* of which is damaged."""
    verb = "are" if field in ("seats", "clocks", "visible_states") else "is"
    return f"its {field.replace('_', ' ')} {verb} damaged"


def _checks(found: StoredMatch, origin: Origin) -> dict[str, Callable[[], object]]:
    def sealed(place: str, data: bytes) -> object:
        return chain.unseal(origin.chain, f"{origin.match_id}/{place}", data)

    return {
        "seats": lambda: codec.decode_plain(found.seats),
        "snapshot": lambda: codec.unseal_table(origin, found.version.revision, found.snapshot),
        "result": lambda: codec.decode_plain(found.result),
        "clocks": lambda: sealed("clocks", found.clocks),
        "proposal": lambda: codec.decode_plain(found.proposal),
        "visible_states": lambda: sealed("faces", found.visible_states),
    }


class DamageLog:
    """Freezes damaged matches in the store, each once in a process."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store
        self._noted: set[str] = set()

    async def note(self, match_id: str, why: str) -> None:
        """Freeze a match because of *why*, unless that is done; the store names it from then on."""
        if match_id in self._noted:
            return
        with suppress(StoreUnavailable):  # the next read notes it
            await self._store.freeze_damaged(match_id, why.encode())
            _log.error("match_damaged", match=match_id, what=why)
            if len(self._noted) >= MAX_NOTED:
                self._noted.clear()
            self._noted.add(match_id)
