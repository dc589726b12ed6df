"""Wherever a server dies, lists and bots find every match, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.app.matches.create import create, match_id_of
from taflhall_service.app.matches.find import find, is_seated
from taflhall_service.app.matches.indexes import (
    CODES,
    CREATION_MS,
    entries_of,
    index_of,
    label_scope,
    match_with_code,
    seated_scope,
)
from taflhall_service.app.matches.invitations import RemovePlayer
from taflhall_service.app.matches.join import JoinMatch, join
from taflhall_service.app.matches.rematch import join_rematch
from taflhall_service.app.matches.timeouts import PlayStandIn
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.codec import index_key_of, match_of
from taflhall_service.app.model.join_codes import join_code
from taflhall_service.app.model.match import OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.ports.match_store import Commit, CommitResult, CommitStatus
from taflhall_service.app.spectating.match_list import MatchFilter, list_matches
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.tournaments.schedule import Pairing
from taflhall_service.app.tournaments.seating import seat as seat_entrants
from taflhall_service.operate.verify import verify
from taflhall_service.store.memory import Memory
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    account,
    bot,
    caller,
    open_match,
    playing,
    seat,
)
from tests.service.requests.process import NotingStore, Process, T, whole
from tests.service.requests.test_opening import creating, finding, previous
from tests.service.tournaments.values import Office

ANN, BOB = (account(name) for name in ("ann", "bob"))


class Died(Exception):
    """The server ends here."""


class MortalStore(NotingStore):
    """A store whose server dies at a commit: before it, or once it is carried out."""

    def __init__(self, memory: Memory, commits: int, carried_out: bool) -> None:
        super().__init__(memory)
        self._commits = commits
        self._carried_out = carried_out
        self.dead = False

    async def commit(self, commit: Commit) -> CommitResult:
        self._commits -= 1
        if self._commits:
            return await super().commit(commit)
        self.dead = True
        if self._carried_out:
            await super().commit(commit)
        raise Died

    async def index_add(self, key: str, index: str = "") -> None:
        assert not self.dead
        await super().index_add(key, index)


class World:
    """The matches of two servers over one store; the first of them dies."""

    def __init__(self, commits: int, carried_out: bool) -> None:
        self.office = Office()
        self.other = self.office.process
        self.mortal = Process(self.other)
        self.mortal.store = MortalStore(self.other.memory, commits, carried_out)
        self.mortal.store.accounts = self.office.accounts
        self.mortal.matches = type(self.other.matches)(
            self.mortal.store, self.mortal.matches.hub, LIMITS, bytes(32), 10
        )

    async def found(self, **wanted: Any) -> list[str]:
        """Return the ids of the matches in a list that the other server makes."""
        page = await list_matches(
            Spectators(self.other.matches), ANN, MatchFilter(**wanted), 100, ""
        )
        return [match.id for match in page.matches]

    async def stored(self) -> list[Match]:
        names = list(self.other.memory.matches)
        return [await self.other.matches.fresh(name) for name in names]

    def entries(self) -> set[tuple[str, str]]:
        indexes = self.other.memory.indexes
        return {(key, name) for name, keys in indexes.items() for key in keys if "tour" not in name}


def joining(who: Identity, name: str, **given: Any) -> JoinMatch:
    return JoinMatch.of(LIMITS, who, (), name, 0, "", FINGERPRINT, **given)


async def at_once(seconds: float) -> None:
    """Wait for nothing."""


async def creates(world: World) -> object:
    return await create(world.mortal.matches, creating(ANN, labels={"club": "north"}))


async def joins_last(world: World) -> object:
    match = open_match(seat("bob", account="bob"), Seat(invited="ann"), start_when_full=True)
    await world.other.hold(match)
    return await join(world.mortal.matches, "match", joining(ANN, "Ann"))


async def finds(world: World) -> object:
    return await find(world.mortal.matches, finding(ANN))


async def asks_again(world: World) -> object:
    await world.other.hold(previous(seat("ann", account="ann"), seat("bob", account="bob")))
    return await join_rematch(world.mortal.matches, "match", ANN, "id", FINGERPRINT)


async def seats_entrants(world: World) -> None:
    cup = await world.office.started("ann", "bob")
    await seat_entrants(world.mortal.matches, cup, Pairing(0, 1, ("ann", "bob")))


CASES: list[tuple[Callable[[World], Awaitable[object]], int]] = [
    (creates, 1),
    (joins_last, 1),
    (finds, 1),
    (finds, 2),
    (asks_again, 1),
    (asks_again, 2),
    (asks_again, 3),
    (seats_entrants, 1),
    (seats_entrants, 2),
]


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize(("does", "commits"), CASES)
async def test_every_match_is_found_as_it_is_although_its_server_dies(
    does: Callable[[World], Awaitable[object]], commits: int, carried_out: bool
):
    world = World(commits, carried_out)
    with pytest.raises(Died):
        await does(world)
    matches = await world.stored()
    for match in matches:
        assert entries_of(match) <= world.entries()
        assert await match_with_code(world.other.store, join_code(match.origin)) == match.id
    listed = [match for match in matches if not match.origin.listing.unlisted]
    for status in (OPEN, PLAYING):
        expected = sorted(match.id for match in listed if match.status == status)
        assert sorted(await world.found(status=status)) == expected
        seated = [m.id for m in listed if m.status == status and is_seated(m, "ann")]
        assert sorted(await world.found(status=status, account="ann")) == sorted(seated)
    assert (await verify(world.other.store)).unlisted == 0
    world.other.clock[0] += CREATION_MS
    await QueueRepair(world.other.store).drop_gone(at_once)
    await QueueRepair(world.other.store).repair()
    ids = {match.id for match in matches}
    left = {key[10:] if name == CODES else match_of(key) for key, name in world.entries()}
    assert left == ids
    assert all(entries_of(match) <= world.entries() for match in matches)


async def test_a_reader_leaves_the_entry_of_a_match_that_is_about_to_be_created():
    process = Process()
    commit, looked = process.store.commit, []
    spectators = Spectators(Process(process).matches)
    index = label_scope("club", "north")

    async def read_first(given: Commit) -> CommitResult:
        page = await list_matches(
            spectators, ANN, MatchFilter(labels=(("club", "north"),)), 100, ""
        )
        looked.append((len(process.memory.indexes[index]), page.matches))
        await find(spectators.matches, finding(labels={"club": "north"}))
        repair, committed = QueueRepair(spectators.matches.store), list[CommitResult]()

        async def go_on(seconds: float) -> None:
            committed.append(await commit(given))

        await repair.repair()
        assert await repair.drop_gone(go_on) == 0
        return committed[0]

    process.store.commit = read_first
    made = await create(
        process.matches, creating(labels={"club": "north"}, start_when_full=True, title="A")
    )
    assert looked == [(1, [])]
    named = {(key, name) for name, keys in process.memory.indexes.items() for key in keys}
    assert entries_of(made.match) <= named


async def test_a_creation_that_took_too_long_is_listed_once_more():
    process = Process()
    commit = process.store.commit

    async def slow(given: Commit) -> CommitResult:
        process.clock[0] += CREATION_MS
        await process.matches.store_clock.send_heartbeat()
        process.memory.indexes.clear()  # as readers may do
        done: CommitResult = await commit(given)
        return done

    process.store.commit = slow
    made = await create(process.matches, creating())
    assert index_key_of(made.match.origin) in process.memory.indexes[""]


@pytest.mark.parametrize("later", [0, 5])
async def test_a_request_that_has_created_a_match_leaves_no_other_entries(later: int):
    process = Process()
    first = (await create(process.matches, creating(ANN))).match
    process.clock[0] += later
    process.memory.indexes.clear()  # as readers may do if the first server was slow
    assert (await create(process.matches, creating(ANN))).match is first
    other = replace(creating(ANN), title="Summer", fingerprint=b"o" * len(FINGERPRINT))
    with pytest.raises(errors.RequestIdReused):
        await create(process.matches, other)
    named = {(key, name) for name, keys in process.memory.indexes.items() for key in keys}
    assert named == entries_of(first)


async def test_an_entry_with_another_time_than_its_match_is_passed_over():
    process = Process()
    made = (await create(process.matches, creating())).match
    await process.store.index_add(f"{T - 1:012x}{made.id}")
    page = await list_matches(Spectators(process.matches), ANN, MatchFilter(), 100, "")
    assert [match.id for match in page.matches] == [made.id]


async def test_a_change_that_does_not_come_about_leaves_the_lists_as_they_are():
    process = Process()
    await process.hold(open_match(seat("bob", account="bob"), Seat(), start_when_full=True))
    frozen = CommitResult(CommitStatus.FROZEN, b"admin: why")
    process.store.answers = [frozen]
    with pytest.raises(errors.MatchFrozen):
        await join(process.matches, "match", joining(ANN, "Ann"))
    spectators = Spectators(process.matches)
    for wanted in (MatchFilter(status=PLAYING), MatchFilter(account="ann")):
        assert (await list_matches(spectators, ANN, wanted, 100, "")).matches == []
    for wanted in (MatchFilter(status=OPEN), MatchFilter(account="bob")):
        assert len((await list_matches(spectators, ANN, wanted, 100, "")).matches) == 1


SEATED = index_of("", OPEN, seated_scope("ann"))


@pytest.mark.parametrize("late", ["before the commit", "after the commit"])
async def test_a_seat_that_is_taken_again_at_once_is_found(late: str):
    """One server frees Ann's seat and is late to say so; on another she sits down again."""
    first = Process()
    second = Process(first)
    await first.hold(open_match(seat("ann", account="ann"), Seat()))
    remove, commit = first.store.index_remove, second.store.commit
    key = index_key_of(first.stored.origin)

    async def sits_down() -> None:
        await join(second.matches, "match", joining(ANN, "Ann"))

    async def removes_late(removed: str, index: str = "") -> None:
        if index == SEATED:
            first.store.index_remove = remove
            await sits_down()
        await remove(removed, index)

    async def commits_late(given: Commit) -> CommitResult:
        await first.store.index_remove(key, SEATED)
        done: CommitResult = await commit(given)
        return done

    if late == "after the commit":
        first.store.index_remove = removes_late
    else:
        second.store.commit = commits_late
    await act(first.matches, "match", RemovePlayer(caller(CREATOR), 0, "", FINGERPRINT))
    if late == "before the commit":
        await sits_down()
    assert first.stored.seats[0].account == "ann"
    assert first.memory.indexes[SEATED] == [key]


async def test_a_seat_that_another_server_gives_to_somebody_else_is_not_listed_as_free():
    """One server frees Ann's seat and is late to say so; on another Bob has sat down by then."""
    first = Process()
    second = Process(first)
    await first.hold(open_match(seat("ann", account="ann"), Seat()))
    remove = first.store.index_remove

    async def removes_late(removed: str, index: str = "") -> None:
        if index == SEATED:
            first.store.index_remove = remove
            await join(second.matches, "match", joining(BOB, "Bob"))
        await remove(removed, index)

    first.store.index_remove = removes_late
    await act(first.matches, "match", RemovePlayer(caller(CREATOR), 0, "", FINGERPRINT))
    assert first.stored.seats[0].account == "bob"
    named = {(key, name) for name, keys in first.memory.indexes.items() for key in keys}
    assert named == entries_of(first.stored)


async def test_a_seat_that_nobody_takes_again_costs_no_look_at_the_match():
    process = Process()
    await process.hold(open_match(seat("ann", account="ann"), Seat()))
    await act(process.matches, "match", RemovePlayer(caller(CREATOR), 0, "", FINGERPRINT))
    assert process.memory.indexes[SEATED] == []
    assert process.store.loads == 0


async def test_a_match_that_starts_is_put_into_its_lists_once_and_looked_at_no_more():
    """It never returns to a status, so that nobody else puts it into a list that it has left."""
    process = Process()
    await process.hold(open_match(seat("bob"), Seat(), start_when_full=True))
    before = entries_of(process.stored)
    added: list[str] = []
    add = process.store.index_add

    async def noting(key: str, index: str = "") -> None:
        added.append(index)
        await add(key, index)

    async def never(match_ids: Sequence[str]) -> list[object]:
        raise AssertionError

    process.store.index_add, process.store.versions = noting, never
    await join(process.matches, "match", joining(ANONYMOUS, "Ann"))
    assert process.stored.status == PLAYING
    assert sorted(added) == sorted(index for _, index in entries_of(process.stored) - before)


async def test_no_code_leads_to_a_match_that_was_never_created():
    process = Process()
    for code in "AB":
        gone = match_id_of(bytes(32), code)
        await process.store.index_add(f"{code * 10}{gone}", CODES)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    assert await QueueRepair(process.store).drop_gone(sleep) == 2
    assert process.memory.indexes[CODES] == []
    assert slept == [CREATION_MS / 1000]


async def test_no_index_names_matches_that_were_never_created():
    process = Process()
    gone = match_id_of(bytes(32), "proof")
    entries = [f"{T:012x}{gone}", f"{T + 1:012x}{gone}", f"{'no time at all':.12}{gone}"]
    for entry in entries:
        for index in ("", "@label:club=north", "tournaments"):
            await process.store.index_add(entry, index)
    process.clock[0] += CREATION_MS + 1
    assert await QueueRepair(process.store).drop_gone(at_once) == 2 * len(entries)
    left = {name: keys for name, keys in process.memory.indexes.items() if keys}
    assert left == {"tournaments": sorted(entries)}


async def test_an_answer_that_lists_do_not_show_asks_for_nothing_but_its_commit():
    process = Process()
    match = await process.hold(playing(bot(), bot("Robot 2")))
    process.matches.remember(match)

    async def never(*given: Any, **more: Any) -> None:
        raise AssertionError

    for method in ("index_add", "index_remove", "announce", "schedule", "versions", "peek"):
        setattr(process.store, method, never)
    number = min(match.pending)
    answer = PlayStandIn(match.revision, number, whole(match, number))
    done = await act(process.matches, "match", answer)
    assert done.match is not None
    assert len(process.store.commits) == 1
