"""What the use cases need from a store of matches.

A match is stored as one hash (its present state), one list of entries (one per command) and one
table of request ids (the remembered replies). :meth:`MatchStore.commit` changes all three or
none. :mod:`~taflhall_service.app.model.codec` defines the bytes.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from enum import Enum, IntEnum
from typing import Final, NamedTuple, Protocol

from taflhall_service.app.ports.account_store import AccountStore

FINGERPRINT_BYTES = 8
"""Length of the digest that distinguishes two requests with the same id."""


HEARTBEAT_TIMEOUT_MS = 3000
"""A longer time without a heartbeat of any server is an outage."""

MAX_OUTAGES = 100
"""Number of outages that are remembered."""


class Durability(IntEnum):
    """How safely an acknowledged command is stored; each level includes the one before."""

    MEMORY = 1
    """Lost when the store restarts."""
    PERIODIC = 2
    """Synced every second: up to two seconds may be lost when the store is killed."""
    DISK = 3
    """On disk before the answer."""
    REPLICATED = 4
    """On disk, and on a further store, before the answer."""


NONCE_BITS: Final = 32
"""Number of random low bits in a :attr:`Version.change_id`."""


class Version(NamedTuple):
    """A version of a match; two of the same match are equal only if their histories are."""

    revision: int
    """Number of commands."""
    head: bytes
    """The last hash of the chain over the history."""
    change_id: int
    """Grows whenever something other than a command changes the match: its seats, its start, a
    proposal, or whether its clocks run. Its low bits are random, so that a store that has lost
    acknowledged writes never gives the same id to another change."""

    @property
    def change_count(self) -> int:
        """Number of changes of the match other than commands."""
        return self.change_id >> NONCE_BITS

    @property
    def nonce(self) -> int:
        """The random bits of the last such change; 0 if there was none."""
        return self.change_id & ((1 << NONCE_BITS) - 1)

    def behind(self, other: Version) -> bool:
        """Return whether *other* is later in some respect."""
        return self.revision < other.revision or self.change_id < other.change_id

    def changed(self) -> Version:
        """Return the version after one more change other than a command."""
        return self._replace(
            change_id=change_id_of(self.change_count + 1, secrets.randbits(NONCE_BITS))
        )


UNREADABLE_VERSION: Final = Version(-1, b"", -1)
"""The version, among those of many matches, of one whose stored version is damaged."""


def change_id_of(changes: int, nonce: int) -> int:
    """Return the :attr:`Version.change_id` after that number of changes."""
    return (changes << NONCE_BITS) + nonce


ADMIN_PREFIX = b"admin: "
"""Prefix of the reason of a freeze by an administrator: what is stored is sound."""


class StoredMatch(NamedTuple):
    """A match as it is stored."""

    version: Version
    schema: int
    """The version of the encoding of the other fields."""
    origin: bytes
    seats: bytes
    status: bytes
    snapshot: bytes
    """The table; empty before the start."""
    result: bytes
    """How it ended; empty before the end."""
    archived: bytes = b""
    """SHA-256 of its record in the archive, in hex; empty if it is not archived."""
    frozen: bytes = b""
    """What a check found wrong, or :data:`ADMIN_PREFIX` and an administrator's reason; empty: not
    frozen. A frozen match accepts no change."""
    clocks: bytes = b""
    """The clocks of the seats; empty without clocks, and before the start."""
    deadline: bytes = b""
    """When the first clock runs out, as in :class:`MatchSummary`."""
    proposal: bytes = b""
    """The last proposal; empty if there was none."""
    visible_states: bytes = b""
    """States that delayed spectators have yet to see; empty for other spectator policies."""
    changed: bytes = b""
    """Time of the last change by the store's clock: milliseconds as text; empty if never."""
    started: bytes = b""
    """Time of the start, in the same form; empty before the start."""
    ended: bytes = b""
    """Time of the end, in the same form; empty before the end."""
    next_match: bytes = b""
    """The id of the rematch; empty if there is none."""


def ms_of(text: bytes) -> int:
    """Return the time in a field of a match, in milliseconds; 0 if none can be read.

    Such fields are hints: damage there does not stop a match.
    """
    return int(text) if text.isdigit() and len(text) <= 14 else 0


class MatchSummary(NamedTuple):
    """What background jobs need to know of a match."""

    status: bytes
    archived: bytes
    deadline: bytes = b""
    """When its first clock runs out: milliseconds as text; empty if none runs."""
    changed: bytes = b""
    """Time of the last change, as in :class:`StoredMatch`."""


UNREADABLE_SUMMARY: Final = MatchSummary(b"damaged", b"")
"""The summary, among those of many matches, of one that cannot be read."""


class HeartbeatReply(NamedTuple):
    """Reply to a heartbeat."""

    now: int
    """The time by the store's clock, in milliseconds since 1970."""
    outages: tuple[tuple[int, int], ...]
    """The last periods in which no server was alive, oldest first: each from
    :data:`HEARTBEAT_TIMEOUT_MS` after the last heartbeat to as long after the next one."""


class StoredEntry(NamedTuple):
    """One command, resignation, timeout or undo as it is stored."""

    revision: int
    head: bytes
    body: bytes


class Commit(NamedTuple):
    """One change of a match, and the reply to remember for it."""

    match_id: str
    expected: Version | None
    """The version that the match must have; ``None``: it must not exist."""
    key: str
    """The request id in its scope; never empty, so that the commit may be sent twice."""
    fingerprint: bytes
    reply: bytes
    version: Version
    """The version of the match afterwards."""
    fields: dict[str, bytes]
    """The fields of :class:`StoredMatch` that change, by name (without the version)."""
    entries: Sequence[StoredEntry]
    not_before: int = 0
    """The earliest time for the commit by the store's own clock; 0: any."""
    frozen: bytes = b""
    """The reason for which the match must be frozen; empty: it must not be frozen."""


class CommitStatus(Enum):
    """How a commit ended; only :attr:`COMMITTED` has changed anything."""

    COMMITTED = "OK"
    DUPLICATE = "DUPLICATE"
    """The same request was answered before: the reply is that answer."""
    KEY_REUSED = "KEY_REUSED"
    """Another request had this key."""
    CONFLICT = "CONFLICT"
    """The match has another version."""
    DIVERGED = "DIVERGED"
    """The revision is right but its history is another: the store has lost writes."""
    NOT_FOUND = "NOT_FOUND"
    """The match does not exist."""
    FROZEN = "FROZEN"
    """The match is frozen, or not as expected. The reply is the reason of its freeze."""
    TOO_EARLY = "EARLY"
    """The store's clock has not reached the earliest time."""


class CommitResult(NamedTuple):
    """Result of a commit, and the remembered reply if it was a duplicate."""

    status: CommitStatus
    reply: bytes = b""


class PeekResult(NamedTuple):
    """The version of a match (``None``: it does not exist), and the reply under a key."""

    version: Version | None
    remembered: bytes | None
    """Fingerprint and reply; ``None`` if the key has not been used."""


class DueQueue(Enum):
    """The work that waits for its time, in a queue for each kind.

    A background job reads what is due, so its cost does not grow with the number of matches. A
    match is put into :attr:`IDLE` before it is created, and into :attr:`ARCHIVE` before it ends:
    a server that dies in between leaves a name behind that the job finds to be of no use.
    """

    DEADLINES = "timers"
    """Ids of matches whose clock runs: when the first one runs out."""
    IDLE = "idle"
    """Ids of matches that are not over: since when they may be idle."""
    ARCHIVE = "archive"
    """Ids of matches that are over and not in the archive: when to archive them."""
    EXPIRY = "expiry"
    """Marks of matches that the store deletes: when lists have to forget them."""


class StoredAnnouncement(NamedTuple):
    """A few words that one server leaves for all."""

    id: str
    """Orders it among the others."""
    text: bytes


MAX_ANNOUNCEMENTS: Final = 10_000
"""About as many announcements are kept."""


SignalListener = Callable[[str, bytes], None]
"""Called with the id of a match and a signal about it, which may be lost or come twice."""

PRESENCE_KEEP_MS: Final = 7 * 24 * 3600 * 1000
"""How long a match's presence is kept without a new report."""


ChangeListener = Callable[[str, int, int], None]
"""Called with the id of a match that has changed, its revision and ``Version.change_count``.

Notifications may be lost, repeated or late.
"""


class MatchStore(Protocol):
    """Stores matches. Every method raises ``StoreUnavailable`` if the store does not answer, and
    ``StoredDataDamaged`` if what it reads of one match is damaged.
    """

    @property
    def accounts(self) -> AccountStore:
        """The accounts, API keys and audit log of the same store."""
        ...

    @property
    def failovers(self) -> int:
        """Number of changes of the primary that :meth:`ping` has seen."""
        ...

    @property
    def durability(self) -> Durability:
        """How safely a commit is stored when :meth:`commit` returns, as last found."""
        ...

    async def commit(self, commit: Commit) -> CommitResult:
        """Look up the key, compare the version, and change everything or nothing."""
        ...

    async def heartbeat(self) -> HeartbeatReply:
        """Send a heartbeat and read the store's clock.

        If no server has sent one for more than :data:`HEARTBEAT_TIMEOUT_MS`, there was an outage.
        """
        ...

    async def schedule(
        self, name: str, due_ms: int | None, queue: DueQueue = DueQueue.DEADLINES
    ) -> None:
        """Note in a queue when a match is due (``None``: never). It is not part of any commit."""
        ...

    async def due(self, now_ms: int, count: int, queue: DueQueue = DueQueue.DEADLINES) -> list[str]:
        """Return at most *count* names that are due by then in a queue, the first due first."""
        ...

    async def due_times(self, names: Sequence[str], queue: DueQueue) -> list[int | None]:
        """Return when each of *names* is due; ``None`` for those that a queue does not have."""
        ...

    async def queue_length(self, queue: DueQueue) -> int:
        """Return the number of names in a queue."""
        ...

    async def memory_used(self) -> int:
        """Return the bytes of memory that the store uses; of a cluster, its fullest primary."""
        ...

    async def now(self) -> int:
        """Return the time by the store's clock: milliseconds since 1970, estimated from a reading
        a few seconds ago. The error may be some tens of milliseconds.
        """
        ...

    def estimated_now(self) -> int:
        """Return the same time without waiting, or raise ``StoreUnavailable`` if the store's clock
        has not been read yet.
        """
        ...

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or ``None`` if it does not exist."""
        ...

    async def peek(self, match_id: str, key: str) -> PeekResult:
        """Return the version of a match and the reply under *key*, in one round trip."""
        ...

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        """Return the entries from revision *first* to *last* (``None``: to the end), in order."""
        ...

    async def versions(self, match_ids: Sequence[str]) -> list[Version | None]:
        """Return the version of each match, in one round trip; damage of one is not an error."""
        ...

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        """Return the summary of each match, in one round trip; damage of one is not an error."""
        ...

    async def frozen(self, match_ids: Sequence[str]) -> list[bytes]:
        """Return why each match is frozen (empty: it is not), in one round trip."""
        ...

    async def freeze_damaged(self, match_id: str, why: bytes) -> None:
        """Freeze a match, whatever is stored of it; from then on :meth:`damaged` names it."""
        ...

    async def damaged(self) -> dict[str, bytes]:
        """Return the matches that were frozen as damaged, and why."""
        ...

    async def forget_damage(self, match_id: str) -> None:
        """Let :meth:`damaged` name a match no longer: it has been repaired."""
        ...

    async def set_field(
        self, match_id: str, version: Version, name: str, value: bytes, keep: float | None = None
    ) -> bool:
        """Write the field *name* (``archived`` or ``frozen``) of a match that has *version*.

        With *keep* everything of the match is deleted that many seconds later. Return whether
        the match had that version; if not, nothing has changed.
        """
        ...

    def scan_ids(self) -> AsyncIterator[str]:
        """Iterate over the ids of all matches, indexed or not, each at least once."""
        ...

    async def index_remove(self, key: str, index: str = "") -> None:
        """Remove *key* from an index; the index without a name is that of all matches."""
        ...

    async def index_add(self, key: str, index: str = "") -> None:
        """Add *key* to an index. An index is a hint, not part of any commit."""
        ...

    async def index_page(
        self, last: str, count: int, index: str = "", *, ascending: bool = False
    ) -> list[str]:
        """Return at most *count* keys of an index smaller than *last*, the greatest first.

        *ascending*: those greater than *last*, the smallest first. Empty: from the end of all.
        """
        ...

    def index_names(self) -> AsyncIterator[str]:
        """Iterate over the names of all indexes that name something, each at least once."""
        ...

    async def announce(self, text: bytes) -> None:
        """Append an announcement. It is a hint, not part of any commit."""
        ...

    async def last_announcement(self) -> str:
        """Return the id of the newest announcement, or one before all if there is none."""
        ...

    async def announcements(self, after: str, count: int) -> list[StoredAnnouncement] | None:
        """Return at most *count* announcements after the one with id *after*, in order.

        ``None``: that one is no longer kept, or the store has lost it.
        """
        ...

    async def claimed(self, name: str) -> bytes:
        """Return the value of a claim; empty if there is none, or no longer."""
        ...

    async def claim(self, name: str, value: bytes, expected: bytes, keep_ms: int) -> bytes:
        """Set a claim that has the *expected* value; return the value that it has now.

        It is kept for *keep_ms* milliseconds; an empty value means no claim.
        """
        ...

    async def key(self) -> bytes:
        """Return the secret that all servers over this store share: 32 random bytes."""
        ...

    async def listen(self, match_id: str) -> None:
        """Start notifications about a match."""
        ...

    async def ignore(self, match_id: str) -> None:
        """Stop notifications about a match."""
        ...

    def on_change(self, hint: ChangeListener) -> None:
        """Set the listener that is notified."""
        ...

    async def signal(self, match_id: str, text: bytes) -> None:
        """Send a signal, which begins with a letter, to every server that listens to the match.

        It is kept nowhere.
        """
        ...

    def on_signal(self, listener: SignalListener) -> None:
        """Set the listener that signals are given to, those of this server too."""
        ...

    async def report_presence(self, match_id: str, reports: Mapping[str, bytes]) -> None:
        """Store reports of a match's presence, by name; all are kept for :data:`PRESENCE_KEEP_MS`.

        They are a hint, not part of any commit.
        """
        ...

    async def presence(self, match_id: str) -> dict[str, bytes]:
        """Return the reports of a match's presence."""
        ...

    async def ping(self) -> None:
        """Return if the store answers and keeps its promises."""
        ...

    async def close(self) -> None:
        """Close the connections to the store."""
        ...
