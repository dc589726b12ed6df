"""The parts of a match as values: origin, seats, proposal, entries of its history."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel.agenda import Event, Table, Waiting
from taflhall_engine.kernel.mainline import MainlineEnd
from taflhall_engine.kernel.meta_commands import Action, Withdrawals
from taflhall_service.app.model.clocks import Clocks, TimeControl
from taflhall_service.app.model.spectator_policy import PUBLIC_SPECTATORS, SpectatorSettings

KEYFRAME_INTERVAL: Final = 64
"""Number of moves of a mainline from one entry that holds the table after it to the next."""


class Listing(msgspec.Struct, frozen=True, array_like=True):
    """How lists find a match; fixed when it is created."""

    labels: tuple[tuple[str, str], ...] = ()
    """What its creator has noted about it, sorted by key."""
    unlisted: bool = False
    """Only those who take part, or are invited, find it in lists."""
    invitation_required: bool = False
    """Nobody joins without an invitation or the join code."""


class Origin(msgspec.Struct, frozen=True, array_like=True):
    """The data fixed when a match is created."""

    match_id: str
    game: str
    rules_version: str
    data_digest: str
    setup: Any
    secret: bytes
    """All randomness of the match comes from it."""
    chain: bytes
    """The key of the chain over its history."""
    creator: bytes
    """SHA-256 of the creator's secret; empty if ``FindMatch`` opened it."""
    created_ms: int
    title: str
    start_when_full: bool
    clock: TimeControl | None = None
    """How much time the seats have; ``None``: as much as they like."""
    creator_account: str = ""
    """The account that created it; empty without one, or if ``FindMatch`` opened it."""
    spectators: SpectatorSettings = PUBLIC_SPECTATORS
    listing: Listing = Listing()
    previous_match: str = ""
    """The match of which this is the rematch; empty if it is none."""


class Deputy(msgspec.Struct, frozen=True, array_like=True):
    """Who acts for a seat instead of its holder."""

    name: str
    kind: int
    secret: bytes
    """SHA-256 of the deputy's secret."""


class Seat(msgspec.Struct, frozen=True, array_like=True):
    """A seat of a match and its holder."""

    name: str = ""
    kind: int = 0
    secret: bytes = b""
    """SHA-256 of the secret that opens the seat; empty if it is free."""
    stand_in: bool = False
    """A stand-in of the server plays for the seat until its holder is back."""
    account: str = ""
    """The account that holds the seat; empty without one."""
    deputy: Deputy | None = None
    invited: str = ""
    """The account for which a free seat is reserved; empty: it is for all."""
    bot: str = ""
    """The bot of the server that holds the seat; empty if none does."""

    @property
    def free(self) -> bool:
        return not self.secret

    def free_for(self, account: str) -> bool:
        """Return whether a player with that account (empty: without one) may take the seat."""
        return not self.secret and self.invited in ("", account)

    @property
    def automatic(self) -> bool:
        """Whether the server answers for the seat: as its stand-in, or since its bot holds it."""
        return self.stand_in or bool(self.bot)

    @property
    def acting(self) -> Seat | Deputy:
        """The deputy of the seat if it has one, otherwise its holder."""
        return self.deputy or self


class Proposal(msgspec.Struct, frozen=True, array_like=True):
    """A seat's proposal."""

    id: str
    seat: int
    back: int
    """How many answers are to be taken back; 0: the match is to be abandoned."""
    to_revision: int
    """The revision whose table is restored."""
    agreed: tuple[int, ...]
    """The seats that agree, lowest first."""
    revision: int
    """The match's revision: the next command makes the proposal void."""


class Entry(msgspec.Struct, frozen=True, eq=False):
    """One entry of a match's history, with its events and the decisions pending after it."""

    revision: int
    head: bytes
    seat: int
    command: Action
    """The answer, or the meta command in its place."""
    events: Sequence[Event]
    step: Waiting[Any] | None
    """The decision that is pending after it."""
    pending: Mapping[int, str]
    """The ids of the decisions that are pending after it, by seat."""
    status: str
    at_ms: int
    """When it was given, by the store's clock."""
    clocks: Clocks | None = None
    """The clocks after it; ``None`` in a match without."""
    used_ms: int = 0
    """How long the seat took for it, in a match with clocks."""
    restores: int | None = None
    """The revision whose table an undo restores; ``None`` for any other entry."""
    keyframe: bytes = b""
    """The table after it as it is stored; only in the entries of keyframes."""
    memo: dict[Hashable, Any] = msgspec.field(default_factory=dict)
    """What viewers have been shown of it, to show it to others."""


class StoredTable(NamedTuple):
    """A table with what is stored beside it: withdrawals, pending decisions, what can be undone."""

    table: Table
    withdrawn: Withdrawals
    pending: Mapping[int, str]
    end: MainlineEnd
