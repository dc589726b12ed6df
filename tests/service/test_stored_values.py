"""What is stored of a match is read back as it was, and nothing else is taken for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from taflhall_engine.kernel.agenda import Answered, Resigned
from taflhall_engine.kernel.drafts import Answer
from taflhall_engine.kernel.game import NpcResult, Result
from taflhall_engine.kernel.meta_commands import Withdrawals
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.matches.visibility import state_of
from taflhall_service.app.model import codec
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Clocks, SeatClock, TimeControl
from taflhall_service.app.model.match import Match, NextDeadline, decode_match, read_origin
from taflhall_service.app.model.records import Entry, Proposal, Seat, StoredTable
from taflhall_service.app.model.visible_states import decode_states, encode_states
from taflhall_service.app.ports.match_store import StoredEntry, StoredMatch, change_id_of
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import play, server_over

CLOCKS = Clocks((SeatClock(7, 5, 1), SeatClock(9)), paused=3, frozen=True)
JUNK = (b"\xc1", b"\x93\x01\xc0\xa1x", b"\x01", b"\xa1\xff", b"\x90")


class Stored(NamedTuple):
    """A match that has been played for three commands, and how it is stored."""

    match: Match
    found: StoredMatch
    entries: list[StoredEntry]

    def entry(self, revision: int = 2) -> Entry:
        match = self.match
        return codec.decode_entry(match.game, match.origin, self.entries[revision - 1])

    def written(self, entry: Entry) -> StoredEntry:
        move = codec.encode_move(entry.seat, entry.command)
        return codec.encode_entry(self.match.origin, entry, move)


@pytest.fixture
async def stored() -> AsyncIterator[Stored]:
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        match_id = await play(server, 3, finish=False)
        found = memory.matches[match_id]
        yield Stored(decode_match(found), found, memory.entries[match_id])


def sealed(stored: Stored, place: str, payload: bytes) -> bytes:
    origin = stored.match.origin
    return chain.seal(origin.chain, f"{origin.match_id}/{place}", payload)


def rewritten(entry: StoredEntry, stored: Stored, payload: bytes) -> StoredEntry:
    place = f"{entry.revision}/{entry.head.hex()}"
    return entry._replace(body=sealed(stored, place, payload))


# ---------------------------------------------------------------- the parts of a match


def test_what_has_a_reader_of_its_own_is_refused_if_it_is_damaged():
    for read in (
        codec.decode_origin,
        codec.decode_seats,
        codec.decode_proposal,
        codec.decode_result,
    ):
        for data in (b"\xc1", b"\x01", b"\xa1\xff"):
            with pytest.raises(StoredDataDamaged):
                read(data)
    for data in (b"\xc1", b"\xa1\xff"):
        with pytest.raises(StoredDataDamaged):
            codec.decode_plain(data)


def test_seats_proposals_and_results_are_read_as_they_were_written():
    seats = (Seat("Ann", 1, b"digest", True, "account"), Seat(invited="another"))
    assert codec.decode_seats(codec.encode(seats)) == seats
    proposal = Proposal("id", 1, 2, 3, (0, 1), 5)
    assert codec.decode_proposal(codec.encode(proposal)) == proposal
    assert codec.decode_proposal(b"") is None
    alone = Result([False], [2], [7], ["a reason"], NpcResult("Odin", True, 9))
    for result in (Result([True, False], [1, 2], [3, 1], ["a reason"]), alone):
        assert codec.decode_result(codec.encode_result(result)) == result
    assert codec.decode_result(b"") is None


def test_a_list_names_a_match_by_its_time_and_id():
    origin: Any = SimpleNamespace(created_ms=0x123, match_id="abc")
    assert codec.index_key_of(origin) == "000000000123abc"
    assert codec.match_of("000000000123abc") == "abc"


@pytest.mark.parametrize("restores", [None, 0, 1])
@pytest.mark.parametrize("clocks", [None, CLOCKS])
async def test_an_entry_is_read_as_it_was_written(stored: Stored, restores, clocks):
    kept = stored.entry()
    entry = replace(
        kept,
        pending={1: "an id"},
        at_ms=7,
        clocks=clocks,
        used_ms=9,
        restores=restores,
        keyframe=b"a table",
    )
    written = stored.written(entry)
    read = codec.decode_entry(stored.match.game, stored.match.origin, written)
    assert (read.revision, read.head, read.seat) == (2, kept.head, kept.seat)
    for name in Entry.__struct_fields__:
        assert getattr(read, name) == getattr(entry, name), name


async def test_an_entry_repeats_neither_its_command_nor_what_follows_from_its_head(stored: Stored):
    entry = stored.entry()
    answered = entry.events[0]
    assert isinstance(answered, Answered)
    assert (answered.seat, answered.command) == (entry.seat, entry.command)
    events = [answered, Answered("", 0, answered.command, False, True), *entry.events[1:]]
    written = stored.written(replace(entry, events=events, pending={7: "1-old", **entry.pending}))
    payload = codec.unseal_entry(stored.match.origin, written)
    _, (first, second, *_), _, pending, *more = codec.decode_plain(payload)
    assert first is False
    assert list(second) == ["Answered"]  # that step is done
    assert pending == [[7, "1-old"], *entry.pending]
    assert len(more) == 1
    read = codec.decode_entry(stored.match.game, stored.match.origin, written)
    assert (read.events, read.pending) == (events, {7: "1-old", **entry.pending})


async def test_an_event_that_only_resembles_the_command_is_written_whole(stored: Stored):
    entry = stored.entry()
    (first, *_), (other, *_) = entry.events, stored.entry(1).events
    assert isinstance(first, Answered)
    assert isinstance(other, Answered)
    rule, seat, command = first.rule, entry.seat, first.command
    for event in (
        Resigned(rule, seat),
        Answered("YG-0", seat, command, False, False),
        Answered(rule, seat + 1, command, False, False),
        Answered(rule, seat, command, True, False),
        Answered(rule, seat, None, False, False),
        Answered(other.rule, other.seat, other.command, False, False),
    ):
        for events in ([event], [event, first], [first, first, event]):
            written = stored.written(replace(entry, events=events))
            read = codec.decode_entry(stored.match.game, stored.match.origin, written)
            assert read.events == events


async def test_each_step_of_an_answer_is_written_once(stored: Stored):
    entry, earlier = stored.entry(), stored.entry(1)
    steps: list[Any] = [earlier.command, entry.command]
    events = [
        Answered(step.RULE, entry.seat, step, False, secret)
        for step, secret in zip(steps, (False, True), strict=True)
    ]
    command = Answer(steps)
    written = stored.written(replace(entry, command=command, events=[*events, events[1]]))
    payload = codec.unseal_entry(stored.match.origin, written)
    first, second, again = codec.decode_plain(payload)[1]
    assert (first, second, list(again)) == (False, True, ["Answered"])
    read = codec.decode_entry(stored.match.game, stored.match.origin, written)
    assert (read.command, read.events) == (command, [*events, events[1]])


async def test_more_answers_than_the_command_has_steps_are_damage(stored: Stored):
    match, kept = stored.match, stored.entries[1]
    data = codec.decode_plain(codec.unseal_entry(match.origin, kept))
    data[1] = [False, False]
    entry = rewritten(kept, stored, codec.encode(data))
    with pytest.raises(StoredDataDamaged):
        codec.decode_entry(match.game, match.origin, entry)


async def test_an_entry_is_good_in_its_place_alone(stored: Stored):
    match, entry = stored.match, stored.entries[1]
    moved = entry._replace(revision=3)
    follows_another = entry._replace(head=stored.entries[0].head)
    other = replace_origin(match, match_id="another")
    places = (match.origin, moved), (match.origin, follows_another), (other, entry)
    for origin, kept in places:
        with pytest.raises(StoredDataDamaged):
            codec.decode_entry(match.game, origin, kept)


def replace_origin(match: Match, **changes: Any) -> Any:
    fields = {name: getattr(match.origin, name) for name in match.origin.__struct_fields__}
    return type(match.origin)(**{**fields, **changes})


@pytest.mark.parametrize("restores", [None, 1])
@pytest.mark.parametrize("keyframe", [b"", b"a table"])
async def test_a_move_is_read_from_an_entry_with_what_chains_it(stored: Stored, restores, keyframe):
    match, before = stored.match, stored.entries[0].head
    entry = replace(stored.entry(), restores=restores, keyframe=keyframe)
    move = codec.decode_move(match.game, match.origin, stored.written(entry), before)
    assert move == (entry.seat, entry.command, entry.head, keyframe)


async def test_a_move_that_follows_another_head_is_damaged(stored: Stored):
    match, kept = stored.match, stored.entries[1]
    with pytest.raises(StoredDataDamaged):
        codec.decode_move(match.game, match.origin, kept, stored.entries[2].head)


@pytest.mark.parametrize("payload", JUNK)
async def test_whole_bytes_that_are_no_entry_or_table_are_damaged(stored: Stored, payload: bytes):
    match = stored.match
    entry = rewritten(stored.entries[1], stored, payload)
    with pytest.raises(StoredDataDamaged):
        codec.decode_entry(match.game, match.origin, entry)
    with pytest.raises(StoredDataDamaged):
        codec.decode_move(match.game, match.origin, entry, stored.entries[0].head)
    with pytest.raises(StoredDataDamaged):
        codec.decode_table(match.game, match.origin, 3, sealed(stored, "table/3", payload))


async def test_a_table_is_read_with_what_is_stored_beside_it(stored: Stored):
    match = stored.match
    assert match.table is not None
    kept = StoredTable(match.table, Withdrawals((1, 0), (0,), True), {1: "an id"}, match.end)
    written = codec.encode_table(match.game, match.origin, 3, kept)
    read = codec.decode_table(match.game, match.origin, 3, written)
    assert read[1:] == kept[1:]
    assert digest(match.game, read.table) == digest(match.game, match.table)
    assert read.table.chance.below(1 << 30) == match.table.copy().chance.below(1 << 30)
    with pytest.raises(StoredDataDamaged):
        codec.decode_table(match.game, match.origin, 2, written)


async def test_a_table_of_newer_rules_is_left_to_newer_servers(stored: Stored):
    match = stored.match
    snapshot, more = codec.decode_plain(
        codec.unseal_table(match.origin, match.revision, stored.found.snapshot)
    )
    assert not {"components", "chance"} & set(snapshot["table"])
    snapshot["schema"] += 1
    newer = sealed(stored, "table/3", codec.encode([snapshot, more]))
    with pytest.raises(RulesTooNew) as raised:
        codec.decode_table(match.game, match.origin, 3, newer)
    assert raised.value.metadata == {"match_id": match.id}


async def test_clocks_and_visible_states_are_sealed_to_their_match(stored: Stored):
    origin = stored.match.origin
    other = replace_origin(stored.match, match_id="another")
    written = codec.encode_clocks(origin, CLOCKS)
    assert codec.decode_clocks(origin, written) == CLOCKS
    assert codec.decode_clocks(origin, b"") is None
    state = state_of(stored.match, 77)
    states = (state, state_of(stored.match.changed(), 78))
    seen = encode_states(origin, states)
    assert decode_states(origin, seen) == states
    assert decode_states(origin, b"") == ()
    version = stored.match.version
    assert state.change_id == version.change_id == change_id_of(state.change_count, state.nonce)
    with pytest.raises(StoredDataDamaged):
        codec.decode_clocks(other, written)
    with pytest.raises(StoredDataDamaged):
        decode_states(other, seen)
    for junk in (b"\xc1", b"\x01"):
        for read, place in ((codec.decode_clocks, "clocks"), (decode_states, "faces")):
            with pytest.raises(StoredDataDamaged) as raised:
                read(origin, sealed(stored, place, junk))
            assert raised.value.metadata == {"match_id": origin.match_id}


def test_heads_depend_on_all_that_they_cover():
    first = chain.first_head(b"key", "match")
    heads = {
        first,
        chain.first_head(b"other", "match"),
        chain.first_head(b"key", "other"),
        chain.next_head(b"key", first, 1, b"move"),
        chain.next_head(b"other", first, 1, b"move"),
        chain.next_head(b"key", b"other", 1, b"move"),
        chain.next_head(b"key", first, 2, b"move"),
        chain.next_head(b"key", first, 1, b"other"),
    }
    assert len(heads) == 8
    assert {len(head) for head in heads} == {chain.HEAD_BYTES}
    pinned = "3874012b966a3f08898f65ffc39219ec"
    assert chain.next_head(b"key", b"head", 1, b"move").hex() == pinned  # in every release
    data = chain.seal(b"key", "place", b"payload")
    assert len(data) == 16 + len(b"payload")
    assert chain.unseal(b"key", "place", data) == b"payload"
    for key, place, changed in (
        (b"other", "place", data),
        (b"key", "other", data),
        (b"key", "place", data + b"x"),
        (b"key", "place", b""),
    ):
        with pytest.raises(StoredDataDamaged):
            chain.unseal(key, place, changed)


# ---------------------------------------------------------------- the match as a whole


async def test_times_of_a_match_are_read_and_may_be_missing(stored: Stored):
    found = stored.found._replace(changed=b"5", started=b"6", ended=b"7")
    match = decode_match(found)
    assert (match.updated_ms, match.started_ms, match.ended_ms) == (5, 6, 7)
    found = stored.found._replace(changed=b"", started=b"x", ended=b"9" * 15)
    match = decode_match(found)
    assert (match.updated_ms, match.started_ms, match.ended_ms) == (0, 0, 0)


@pytest.mark.parametrize(
    ("status", "table", "fine"),
    [
        (b"open", False, True),
        (b"open", True, False),
        (b"playing", True, True),
        (b"playing", False, False),
        (b"finished", True, True),
        (b"finished", False, False),
        (b"abandoned", True, True),
        (b"abandoned", False, True),
        (b"waiting", True, False),
        (b"\xff", True, False),
    ],
)
async def test_only_a_match_that_has_begun_has_a_table(stored: Stored, status, table, fine):
    snapshot = stored.found.snapshot if table else b""
    found = stored.found._replace(status=status, snapshot=snapshot)
    if fine:
        match = decode_match(found)
        assert (match.status.encode(), match.table is not None) == (status, table)
    else:
        with pytest.raises(StoredDataDamaged) as raised:
            decode_match(found)
        assert raised.value.metadata == {"match_id": stored.match.id}


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"rules_version": "0"},
        {"data_digest": "of other data"},
        {"setup": {"Explode": []}},
        {},
    ],
    ids=str,
)
async def test_a_match_of_other_rules_is_left_to_other_servers(stored: Stored, changes):
    origin = replace_origin(stored.match, **changes)
    found = stored.found._replace(origin=codec.encode(origin))
    if not changes:
        assert decode_match(found).origin == origin
        with pytest.raises(RulesTooNew):
            decode_match(found._replace(schema=codec.SCHEMA + 1))
        return
    kind = StoredDataDamaged if "setup" in changes else RulesTooNew
    with pytest.raises(kind) as raised:
        decode_match(found)
    assert raised.value.metadata == {"match_id": stored.match.id}


async def test_only_pending_decisions_have_options(stored: Stored):
    match = stored.match
    (seat,) = match.pending
    assert match.options(seat)
    assert match.options(seat) is match.options(seat)
    assert match.options(1 - seat) == []
    assert match.step is not None
    idle = match.replaced(pending={})
    assert idle.options(seat) == []
    assert idle.step is None
    assert match.replaced(table=None).options(seat) == []


async def test_a_change_is_a_new_version_at_the_same_revision(stored: Stored):
    match = stored.match
    after = match.changed(status="abandoned", proposed=None)
    assert after.status == "abandoned"
    assert (after.id, after.revision) == (match.id, 3)
    assert after.version[:2] == match.version[:2]
    assert after.version.change_count == match.version.change_count + 1
    assert match.version.behind(after.version)
    assert not after.version.behind(match.version)
    assert not match.version.behind(match.version)
    later = match.version._replace(revision=4, change_id=0)
    assert match.version.behind(later)
    assert later.behind(match.version)


TERMS = TimeControl(1000)
RUNNING = Clocks((SeatClock(600, since=5), SeatClock(700, since=5)))
STOPPED = Clocks((SeatClock(600), SeatClock(700)))


@pytest.mark.parametrize(
    ("clocks", "terms", "pending", "stand_ins", "deadline"),
    [
        (None, TERMS, (0, 1), (), None),
        (RUNNING, None, (0, 1), (), None),
        (RUNNING, TERMS, (), (), None),
        (Clocks(RUNNING.seats, paused=9, frozen=True), TERMS, (0, 1), (), None),
        (STOPPED, TERMS, (0, 1), (), None),
        (RUNNING, TERMS, (0, 1), (), NextDeadline(0, 605)),
        (RUNNING, TERMS, (0, 1), (1,), NextDeadline(1, 0)),
        (RUNNING, TERMS, (0,), (1,), NextDeadline(0, 605)),
        (Clocks(RUNNING.seats, paused=9), TERMS, (0, 1), (1,), NextDeadline(-1, 60_009)),
    ],
)
async def test_the_server_acts_when_time_runs_out_or_a_stand_in_plays(
    stored: Stored, clocks, terms, pending, stand_ins, deadline
):
    match = stored.match.replaced(
        origin=replace_origin(stored.match, clock=terms),
        clocks=clocks,
        pending=dict.fromkeys(pending, "an id"),
        seats=tuple(Seat("Ann", stand_in=seat in stand_ins) for seat in (0, 1)),
    )
    assert match.next_deadline(()) == deadline


async def test_time_counts_in_a_match_with_clocks_or_bots(stored: Stored):
    match = stored.match
    assert match.is_timed is False
    assert match.replaced(clocks=CLOCKS).is_timed is True
    assert match.replaced(seats=(Seat("Ann"), Seat("Bo", bot="scout"))).is_timed is True


def test_a_seat_is_free_until_it_is_taken_for_all_or_for_whom_it_is_reserved():
    taken = Seat("Ann", 1, b"digest")
    assert [taken.free_for(account) for account in ("", "ann")] == [False, False]
    assert [Seat().free_for(account) for account in ("", "ann")] == [True, True]
    reserved = Seat(invited="ann")
    assert [reserved.free_for(account) for account in ("", "ann", "bob")] == [False, True, False]


def test_the_server_answers_for_a_seat_as_its_stand_in_or_bot():
    seats = (Seat("Ann"), Seat("Ann", stand_in=True), Seat("Bo", bot="scout"))
    assert [seat.automatic for seat in seats] == [False, True, True]


def test_an_origin_of_a_newer_schema_is_not_read_at_all():
    with pytest.raises(RulesTooNew):
        read_origin(codec.SCHEMA + 1, b"")
