"""What is really in the store: the end of every match, checked against itself and replayed.

:func:`read_truths` reads every key with a client of its own. Each match is folded by the engine
from its setup, its secret and its commands; what the fold gives must be what is stored: the
chain of heads, the events of every command, the pending decisions, the snapshot at the end. The
answers that were remembered must tile the history: every command belongs to exactly one request.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel.mainline import replay_states
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, result
from taflhall_engine.kernel.snapshot import digest as table_digest
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app.access.credentials import scope_of
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.submit import decode_outcome
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import OPEN, Match, decode_match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.match_store import (
    FINGERPRINT_BYTES,
    StoredEntry,
    StoredMatch,
)
from taflhall_service.store.redis.layout import FIELDS, VERSION_FIELDS, read_match
from taflhall_wire.translate import translator
from tests.faults.history import digest

SPECTATOR: Final = -1


@dataclass
class Truth:
    """One match as it is kept, in the words of a history."""

    match_id: str
    revision: int = 0
    finished: bool = False
    events: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    """(viewer, revision) -> digest and number of the events that the viewer may know."""
    views: dict[tuple[int, int], str] = field(default_factory=dict)
    """(viewer, revision) -> digest of its view."""
    answered: dict[tuple[int, int, int], str] = field(default_factory=dict)
    """(seat, first, last revision) -> digest of the events that SubmitAnswers returns."""
    answers: dict[str, tuple[int, int]] = field(default_factory=dict)
    """``seat:request_id`` (the lowest seat of who asked) -> revision and number of commands of
    the answer remembered."""
    faults: list[str] = field(default_factory=list)
    """What contradicts itself."""

    def say(self, fault: str) -> None:
        self.faults.append(f"{self.match_id}: {fault}")


class Wanted:
    """What of the matches a history speaks of, so that only that is computed."""

    def __init__(self) -> None:
        self.viewers: dict[str, set[int]] = {}
        self.views: set[tuple[str, int, int]] = set()
        self.answered: dict[str, set[tuple[int, int, int]]] = {}

    @classmethod
    def by(cls, history: Any) -> Wanted:
        """Return what *history* speaks of."""
        wanted = cls()
        for line in history.lines:
            if line.kind == "message":
                what = line.what
                wanted.viewers.setdefault(what["match"], set()).add(what["viewer"])
                if "view" in what:
                    wanted.views.add((what["match"], what["viewer"], what["revision"]))
        for call in history.calls("SubmitAnswers"):
            if call.kind == "ok":
                last, count = call.response["revision"], call.response["applied"]
                place = (call.asked["scope"], last - count + 1, last)
                wanted.answered.setdefault(call.asked["match"], set()).add(place)
        return wanted


async def read_truths(client: Any, wanted: Wanted) -> dict[str, Truth]:
    """Return the truth of every match that *client* (a Redis or a Cluster) keeps."""
    truths = {}
    keys = [key async for key in client.scan_iter(match="taflhall:{*}:m", count=1000)]
    for key in keys:
        match_id = key.decode().partition("{")[2].partition("}")[0]
        stem = f"taflhall:{{{match_id}}}:"
        found = await client.hgetall(stem + "m")
        entries = await client.xrange(stem + "e")
        records = await client.hgetall(stem + "i")
        truths[match_id] = _truth(match_id, found, entries, records, wanted)
    return truths


def _truth(match_id: str, found: Any, listed: Any, records: Any, wanted: Wanted) -> Truth:
    truth = Truth(match_id)
    entries = [
        StoredEntry(int(name.partition(b"-")[0]), fields[b"head"], fields[b"body"])
        for name, fields in listed
    ]
    try:
        match = decode_match(_stored(found))
        truth.revision, truth.finished = match.revision, match.over
        _check_entries(truth, match, entries)
        _read_answers(truth, records, match)
        if match.status != OPEN and not truth.faults:
            _replay(
                truth,
                match,
                [stored.decode_entry(match.game, match.origin, e) for e in entries],
                wanted,
            )
    except (Refused, KeyError, ValueError, AssertionError) as error:
        truth.say(f"cannot be read: {type(error).__name__} {error}")
    return truth


def _stored(found: dict[bytes, bytes]) -> StoredMatch:
    match = read_match("", [found.get(name.encode()) for name in (*VERSION_FIELDS, *FIELDS)])
    assert match is not None
    return match


def _check_entries(truth: Truth, match: Match, entries: list[StoredEntry]) -> None:
    """The entries are 1, 2, 3, ... up to the revision, and the chain of heads holds."""
    revisions = [entry.revision for entry in entries]
    if revisions != list(range(1, match.revision + 1)):
        truth.say(f"stands at {match.revision} but its entries are {_ranges(revisions)}")
        return
    head = chain.first_head(match.origin.chain, match.id)
    for entry in entries:
        move = stored.decode_plain(stored.unseal_entry(match.origin, entry))[0]
        head = chain.next_head(match.origin.chain, head, entry.revision, move)
        if head != entry.head:
            truth.say(f"the chain breaks at {entry.revision}")
            return
    if head != match.version.head:
        truth.say("the head is not that of the last entry")


def _scopes(match: Match) -> dict[str, int]:
    """Where the requests of each person count, and the lowest seat of the person."""
    found: dict[str, int] = {}
    for seat, place in enumerate(match.seats):
        found.setdefault(scope_of(place.secret), seat)
    return found


def _read_answers(truth: Truth, records: dict[bytes, bytes], match: Match) -> None:
    """The remembered answers tile 1..revision: no command without a request, none with two.

    In a match with clocks there are commands of the server between them.
    """
    scopes, timed, spans = _scopes(match), match.origin.clock is not None, []
    for key, record in records.items():
        scope, _, request = key.decode().partition(":")
        if scope not in scopes:
            continue
        name = f"{scopes[scope]}:{request}"
        if len(record) == FINGERPRINT_BYTES:
            continue  # a resignation, or another request that answers no decision
        outcome = decode_outcome(record[FINGERPRINT_BYTES:])
        truth.answers[name] = (outcome.last, outcome.last - outcome.first + 1)
        spans.append((outcome.first, outcome.last, name))
    at = 0
    for first, last, name in sorted(spans):
        if first <= at or (first > at + 1 and not timed):
            truth.say(f"{name} covers {first}-{last}, but the answers before it end at {at}")
        at = last
    if at != truth.revision and not timed:
        truth.say(f"the remembered answers end at {at}, the match at {truth.revision}")


def _replay(truth: Truth, match: Match, entries: list[Entry], wanted: Wanted) -> None:
    """Fold the commands; everything stored must be what comes of it."""
    game, words = match.game, translator(match.game)
    moves = [(entry.seat, entry.command) for entry in entries]
    viewers = wanted.viewers.get(match.id, set())
    answered = wanted.answered.get(match.id, set())
    seats = viewers | {seat for seat, _, _ in answered}
    seen: dict[tuple[int, int], list[Any]] = {}
    table, withdrawn = None, NO_WITHDRAWALS
    for position in replay_states(game, match.setup, match.origin.secret, moves):
        table, revision = position.table, position.revision
        withdrawn = position.withdrawn
        for viewer in viewers:
            if (match.id, viewer, revision) in wanted.views:
                truth.views[viewer, revision] = digest(words.view_to(game.view(table, viewer)))
        if not revision:
            continue
        if dump(position.events) != dump(list(entries[revision - 1].events)):
            truth.say(f"the events stored of {revision} are not those of its command")
        for seat in seats:
            known = [event.seen_by(seat) for event in position.events]
            seen[seat, revision] = [words.event_to(event) for event in known if event is not None]
        for viewer in viewers:
            events = seen[viewer, revision]
            truth.events[viewer, revision] = (digest(pb.MatchChange(events=events)), len(events))
    for seat, first, last in answered:
        parts = [e for revision in range(first, last + 1) for e in seen.get((seat, revision), [])]
        truth.answered[seat, first, last] = digest(pb.MatchChange(events=parts))
    assert table is not None
    assert match.table is not None
    if table_digest(game, table) != table_digest(game, match.table):
        truth.say("the snapshot is not what its commands lead to")
    end = result(game, table, withdrawn)
    if (end is not None) != truth.finished or end != match.result:
        truth.say(f"the result stored is {match.result}, replayed {end}")
    if entries and entries[-1].pending != match.pending:
        truth.say("the decisions pending are not those of the last entry")


def _ranges(revisions: list[int]) -> str:
    shown = ",".join(map(str, revisions[:20]))
    return f"{len(revisions)}: {shown}{'...' if len(revisions) > 20 else ''}"
