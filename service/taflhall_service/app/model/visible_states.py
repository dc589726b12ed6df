"""The past states of a match that its delayed spectators have yet to see.

The public state of a match changes through its commands, each of which is stored with its
time, and in other ways: a player joins, the match starts, a proposal is made, clocks pause.
In a match with delayed spectators each such change leaves a :class:`VisibleState` behind until
its delay has passed. Visible states and commands together determine the match at any time
(:mod:`~taflhall_service.app.spectating.delayed_match`).
"""

from __future__ import annotations

from typing import Final

import msgspec

from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Clocks
from taflhall_service.app.model.records import Origin, Proposal, Seat
from taflhall_service.app.ports.match_store import change_id_of


class VisibleState(msgspec.Struct, frozen=True, array_like=True):
    """What everybody may see of a match from a moment on and its commands do not determine."""

    at_ms: int
    """The moment, by the store's clock."""
    revision: int
    """How many commands had been given."""
    change_count: int
    """The ``change_count`` of the match's version."""
    status: str
    laid_out: bool
    """There was a table."""
    seats: tuple[Seat, ...]
    clocks: Clocks | None
    proposed: Proposal | None
    nonce: int = 0
    """That of the match's version."""

    @property
    def change_id(self) -> int:
        """The ``change_id`` of the match's version."""
        return change_id_of(self.change_count, self.nonce)


_states: Final = msgspec.msgpack.Decoder(tuple[VisibleState, ...]).decode


def encode_states(origin: Origin, visible_states: tuple[VisibleState, ...]) -> bytes:
    """Return visible states as they are stored."""
    return chain.seal(origin.chain, f"{origin.match_id}/faces", stored.encode(visible_states))


def decode_states(origin: Origin, sealed: bytes) -> tuple[VisibleState, ...]:
    """Return stored visible states, or raise ``StoredDataDamaged``."""
    if not sealed:
        return ()
    try:
        return _states(chain.unseal(origin.chain, f"{origin.match_id}/faces", sealed))
    except msgspec.MsgspecError:
        raise StoredDataDamaged(match_id=origin.match_id) from None
