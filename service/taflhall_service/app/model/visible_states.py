"""How a match stood at each moment that those who see it late have yet to see.

What is told of a match changes through its commands, each of which is kept with its time, and
in other ways: somebody sits down, the table is laid out, something is proposed, clocks stop.
In a match whose spectators see it late, each such change leaves a :class:`Face` behind for as
long as somebody has yet to see it. Faces and commands together tell how the match stood at any
time (:mod:`~taflhall_service.app.spectating.delayed_match`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Clocks
from taflhall_service.app.model.codec import Origin, Place, Proposal
from taflhall_service.app.model.spectator_policy import Policy
from taflhall_service.app.ports.match_store import roster_of

if TYPE_CHECKING:
    from taflhall_service.app.model.match import Match

SLACK_MS: Final = 60_000
"""Faces are kept so much longer than anybody needs them."""

MOST: Final = 256
"""Of so many faces one in two is left out: that change is then seen with the next one."""


class Face(msgspec.Struct, frozen=True, array_like=True):
    """What is told of a match from a moment on and does not follow from its commands."""

    at_ms: int
    """The moment, by the store's clock."""
    revision: int
    """How many commands had been given."""
    seatings: int
    """The ``changes`` of the match's version."""
    status: str
    laid_out: bool
    """There was a table."""
    roster: tuple[Place, ...]
    clocks: Clocks | None
    proposed: Proposal | None
    drawn: int = 0
    """That of the match's version."""

    @property
    def seated(self) -> int:
        """The ``roster`` of the match's version."""
        return roster_of(self.seatings, self.drawn)


_faces: Final = msgspec.msgpack.Decoder(tuple[Face, ...]).decode


def face_of(match: Match, at_ms: int) -> Face:
    """Return how *match* is told from that moment on."""
    return Face(
        at_ms,
        match.revision,
        match.version.changes,
        match.status,
        match.table is not None,
        match.roster,
        match.clocks,
        match.proposed,
        match.version.drawn,
    )


def faces_after(before: Match, after: Match, now_ms: int) -> tuple[Face, ...]:
    """Return the faces of *after*, which *before* becomes at that time."""
    audience, faces = after.origin.audience, before.faces
    if audience.policy != Policy.DELAYED or before.version.roster == after.version.roster:
        return faces
    if faces:
        now_ms = max(now_ms, faces[-1].at_ms)
    seen = now_ms - audience.delay - SLACK_MS
    first = 0
    while first + 1 < len(faces) and faces[first + 1].at_ms <= seen:
        first += 1
    kept = faces[first:]
    if len(kept) >= MOST:
        kept = (*kept[:-1:2], kept[-1])
    return (*kept, face_of(after, now_ms))


def pack_faces(origin: Origin, faces: tuple[Face, ...]) -> bytes:
    """Return faces as they are stored."""
    return chain.seal(origin.chain, f"{origin.match_id}/faces", stored.pack(faces))


def read_faces(origin: Origin, sealed: bytes) -> tuple[Face, ...]:
    """Return stored faces, or raise ``StoredDataDamaged``."""
    if not sealed:
        return ()
    try:
        return _faces(chain.unseal(origin.chain, f"{origin.match_id}/faces", sealed))
    except msgspec.MsgspecError:
        raise StoredDataDamaged(match_id=origin.match_id) from None
