"""What the use cases ask of a store, and the words for it.

A match is kept as one hash (where it stands), one list of entries (one for each command) and
one table of request ids (what has been answered). :meth:`MatchStore.commit` changes all three at
once or not at all. Bytes are the business of :mod:`~taflhall_service.app.model.codec`.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from enum import Enum, IntEnum
from typing import Final, NamedTuple, Protocol

from taflhall_service.app.ports.account_store import AccountStore

FINGERPRINT_BYTES = 16
"""Length of the digest that tells two requests with the same id apart."""


HEARTBEAT_TIMEOUT_MS = 3000
"""A longer time without a sign of life of any server is an outage."""

MAX_OUTAGES = 100
"""Outages that are remembered."""


class Durability(IntEnum):
    """How safely an acknowledged command is kept; each level survives what the one before does."""

    MEMORY = 1
    """Lost when the store restarts."""
    PERIODIC = 2
    """Written to a file soon: up to two seconds may be lost when the store is killed."""
    DISK = 3
    """On disk before the answer."""
    REPLICATED = 4
    """On disk, and on a further store, before the answer."""


NONCE_BITS: Final = 32
"""So many low bits of :attr:`Version.change_id` are drawn."""


class Version(NamedTuple):
    """Where a match stands; two of the same match are equal only if their histories are."""

    revision: int
    """How many commands have been given."""
    head: bytes
    """The end of the chain over the history."""
    change_id: int
    """Grows whenever something else than a command changes the match: who sits there, its start,
    what is proposed, whether its clocks run. Its low bits are drawn anew each time, so that a
    store that was set back never gives a number again that meant something else."""

    @property
    def change_count(self) -> int:
        """How often something else than a command has changed the match."""
        return self.change_id >> NONCE_BITS

    @property
    def nonce(self) -> int:
        """What was drawn at the last such change: 32 bits, 0 if there was none."""
        return self.change_id & ((1 << NONCE_BITS) - 1)

    def behind(self, other: Version) -> bool:
        """Return whether *other* is later, or of another history."""
        return self.revision < other.revision or self.change_id < other.change_id

    def changed(self) -> Version:
        """Return the version after one more such change."""
        return self._replace(
            change_id=change_id_of(self.change_count + 1, secrets.randbits(NONCE_BITS))
        )


UNREADABLE_VERSION: Final = Version(-1, b"", -1)
"""The version, among those of many matches, of one whose stored version is damaged."""


def change_id_of(changes: int, nonce: int) -> int:
    """Return the :attr:`Version.change_id` of so many changes."""
    return (changes << NONCE_BITS) + nonce


ADMIN_PREFIX = b"admin: "
"""So begins the reason of a freeze that says nothing against what is stored."""


class StoredMatch(NamedTuple):
    """A match as it is kept."""

    version: Version
    schema: int
    """The form in which the rest is written."""
    origin: bytes
    seats: bytes
    status: bytes
    snapshot: bytes
    """The table; empty before the start."""
    result: bytes
    """How it ended; empty before the end."""
    archived: bytes = b""
    """SHA-256 of its record in the archive, in hex; empty if it is not there."""
    frozen: bytes = b""
    """What a check found wrong with it, or :data:`ADMIN_PREFIX` and why an administrator froze
    it; empty if neither. A frozen match is not changed."""
    clocks: bytes = b""
    """How much time the seats have; empty if it has no clocks, and before the start."""
    deadline: bytes = b""
    """When the first of them runs out, as in :class:`MatchSummary`."""
    proposal: bytes = b""
    """What was last proposed to do with it; empty if nothing."""
    visible_states: bytes = b""
    """How it stood at times that spectators have yet to see; empty unless they see it late."""
    changed: bytes = b""
    """When it was last changed by the store's clock: milliseconds as text; empty if never."""


def ms_of(text: bytes) -> int:
    """Return the time in a field of a match, in milliseconds; 0 if there is none that can be read.

    Such fields are looked after like hints: nothing that is damaged there stops a match.
    """
    return int(text) if text.isdigit() and len(text) <= 15 else 0


class MatchSummary(NamedTuple):
    """What the chores have to know of a match."""

    status: bytes
    archived: bytes
    deadline: bytes = b""
    """When the first clock of it runs out: milliseconds as text; empty if none runs."""
    changed: bytes = b""
    """When it was last changed, as in :class:`StoredMatch`."""


UNREADABLE_SUMMARY: Final = MatchSummary(b"damaged", b"")
"""The summary, among those of many matches, of one that cannot be read."""


class HeartbeatReply(NamedTuple):
    """What a sign of life brings back."""

    now: int
    """The time by the store's clock, in milliseconds since 1970."""
    outages: tuple[tuple[int, int], ...]
    """The last times in which no server was alive, oldest first: each from
    :data:`HEARTBEAT_TIMEOUT_MS` after the last heartbeat to as long after the next one."""


class StoredEntry(NamedTuple):
    """One command as it is kept."""

    revision: int
    head: bytes
    body: bytes


class Commit(NamedTuple):
    """One change of a match, and the answer to remember for it."""

    match_id: str
    expected: Version | None
    """Where the match must stand; ``None`` if there must be none."""
    key: str
    """The request id in its scope; never empty, so that the store may repeat itself."""
    fingerprint: bytes
    reply: bytes
    version: Version
    """Where the match stands afterwards."""
    fields: dict[str, bytes]
    """The fields of :class:`StoredMatch` that change, by name (without the version)."""
    entries: Sequence[StoredEntry]
    not_before: int = 0
    """The earliest time, by the store's own clock, at which this may be done; 0: any."""
    frozen: bytes = b""
    """Why the match must be frozen; empty if it must not be."""


class CommitStatus(Enum):
    """What became of a commit."""

    COMMITTED = "OK"
    DUPLICATE = "DUPLICATE"
    """The same request was answered before: nothing changed, the reply is that answer."""
    KEY_REUSED = "KEY_REUSED"
    """Another request had this key: nothing changed."""
    CONFLICT = "CONFLICT"
    """The match stands elsewhere: nothing changed."""
    DIVERGED = "DIVERGED"
    """The revision is right but the history is another one: the store was set back."""
    NOT_FOUND = "NOT_FOUND"
    """There is no such match."""
    FROZEN = "FROZEN"
    """The match is frozen, or not as expected: nothing changed. The reply says why it is."""
    TOO_EARLY = "EARLY"
    """The store's clock is not there yet: nothing changed."""


class CommitResult(NamedTuple):
    """What became of a commit, and the remembered answer if it was a duplicate."""

    status: CommitStatus
    reply: bytes = b""


class PeekResult(NamedTuple):
    """Where a match stands (``None`` if nowhere), and what is remembered under a key."""

    version: Version | None
    remembered: bytes | None
    """Fingerprint and reply; ``None`` if the key has not been used."""


ChangeListener = Callable[[str, int, int], None]
"""Called with the id of a match that has changed, its revision and ``Version.change_count``.

Notifications may be lost, come twice or come late.
"""


class MatchStore(Protocol):
    """Keeps matches. Every method raises ``StoreUnavailable`` if the store does not answer."""

    @property
    def accounts(self) -> AccountStore:
        """What is kept beside matches."""
        ...

    @property
    def failovers(self) -> int:
        """How often another primary was found, as far as :meth:`ping` has seen."""
        ...

    @property
    def durability(self) -> Durability:
        """How safely a commit is kept when :meth:`commit` returns."""
        ...

    async def commit(self, commit: Commit) -> CommitResult:
        """Look up the key, compare the version, and change everything or nothing."""
        ...

    async def heartbeat(self) -> HeartbeatReply:
        """Give a sign of life and look at the store's clock.

        If no server has given one for more than :data:`HEARTBEAT_TIMEOUT_MS`, there was an outage.
        """
        ...

    async def schedule(self, match_id: str, due_ms: int | None) -> None:
        """Note when a match is due, ``None``: no more. It is a hint, not part of any commit."""
        ...

    async def due(self, now_ms: int, count: int) -> list[str]:
        """Return at most *count* matches that are due by then, those that wait longest first."""
        ...

    async def now(self) -> int:
        """Return the time by the store's clock: milliseconds since 1970, reckoned from a look
        at it a few seconds ago. It may differ from the true one by some tens of milliseconds.
        """
        ...

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or ``None`` if there is none."""
        ...

    async def peek(self, match_id: str, key: str) -> PeekResult:
        """Return where a match stands and what is remembered under *key*, in one round trip."""
        ...

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        """Return the entries from revision *first* to *last* (``None``: to the end), in order."""
        ...

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        """Return where each match stands, in one round trip."""
        ...

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        """Return how each match stands, in one round trip."""
        ...

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        """Return why each match is frozen, empty if it is not, in one round trip."""
        ...

    async def set_field(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        """Write the field *name* (``archived`` or ``frozen``) of a match that stands at *version*.

        With *keep* everything of the match is forgotten that many seconds later. Return
        whether the match stood there; if not, nothing has changed.
        """
        ...

    def scan_ids(self) -> AsyncIterator[str]:
        """Go through the ids of all matches, listed or not, each at least once."""
        ...

    async def index_remove(self, mark: str, index: str = "") -> None:
        """Take *mark* off an index; the one without a name is of all matches."""
        ...

    async def index_add(self, mark: str, index: str = "") -> None:
        """Add *mark* to an index. An index is a hint, not part of any commit."""
        ...

    async def index_page(self, before: str, count: int, index: str = "") -> list[str]:
        """Return at most *count* marks of an index smaller than *before* (empty: all).

        The greatest comes first.
        """
        ...

    async def key(self) -> bytes:
        """Return the secret that all servers over this store share: 32 random bytes."""
        ...

    async def listen(self, match_id: str) -> None:
        """Begin to give hints about a match."""
        ...

    async def ignore(self, match_id: str) -> None:
        """Stop giving hints about a match."""
        ...

    def on_change(self, hint: ChangeListener) -> None:
        """Say whom to give hints."""
        ...

    async def ping(self) -> None:
        """Return if the store answers."""
        ...

    async def close(self) -> None:
        """Let go of the store."""
        ...
