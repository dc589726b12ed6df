"""What a server does in a tournament that it plays, look by look, over a store in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.jobs.running_tournament import MAX_UNDER_WAY, WINDOW, RunningTournament
from taflhall_service.app.matches.abandon import AbandonIdle
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import OPEN
from taflhall_service.app.model.match import PLAYING as MATCH_PLAYING
from taflhall_service.app.ports.match_store import (
    UNREADABLE_SUMMARY,
    Commit,
    CommitResult,
    MatchSummary,
)
from taflhall_service.app.tournaments.model import (
    FINISHED,
    MAX_TRIES,
    PLAYING,
    SWISS,
    MatchResult,
    Tournament,
    results_namespace,
)
from taflhall_service.app.tournaments.schedule import Pairing, schedule
from taflhall_service.app.tournaments.seating import ResignEntrant, match_id
from tests.service.tournaments.values import HOST, Office


class Played:
    """A tournament, and the server that plays it."""

    def __init__(self, office: Office, cup: Tournament, running: RunningTournament) -> None:
        self.office = office
        self.cup = cup
        self.running = running

    @classmethod
    async def of(cls, *bots: str, **fields: Any) -> Played:
        office = Office()
        cup = await office.started(*bots, **fields)
        played = cls(office, cup, await RunningTournament.load(office.matches, cup))
        await played.look(None)
        return played

    async def look(self, announced: Iterable[str] | None) -> None:
        self.cup = await self.office.tournaments.get(self.cup.id)
        await self.running.advance(self.cup, announced)

    async def reload(self) -> None:
        """Let another server take over."""
        self.running = await RunningTournament.load(self.office.matches, self.cup)
        await self.look(None)

    async def withdraw(self, *accounts: str) -> None:
        for account in accounts:
            await self.office.tournaments.withdraw(HOST, self.cup.id, account)

    async def results(self) -> dict[int, MatchResult]:
        return (await self.office.tournaments.progress(self.cup.id)).results

    async def pairings(self) -> dict[int, tuple[str, Pairing]]:
        """Return the id of the match of each pairing, as it is played now."""
        progress = await self.office.tournaments.progress(self.cup.id)
        key = self.office.matches.server_key
        found = schedule(self.cup, progress).pairings
        return {each.index: (match_id(key, self.cup, each), each) for each in found}

    async def id_of(self, index: int) -> str:
        return (await self.pairings())[index][0]

    async def begun(self) -> list[int]:
        """Return the indexes of the matches that are played."""
        held, names = self.office.process.memory.matches, await self.pairings()
        stored = {index: held[name] for index, (name, _) in names.items() if name in held}
        status = MATCH_PLAYING.encode()
        return [n for n, each in stored.items() if each.status == status and not each.frozen]

    async def resigns(self, account: str, index: int) -> str:
        """Let an entrant resign a match; return its id."""
        name = await self.id_of(index)
        await act(self.office.matches, name, ResignEntrant(account))
        return name

    async def concede(self, index: int) -> str:
        """Let the entrant of the last seat resign."""
        _, pairing = (await self.pairings())[index]
        return await self.resigns(pairing.accounts[-1], index)

    async def freeze(self, index: int) -> str:
        name = await self.id_of(index)
        await self.office.process.store.freeze_damaged(name, b"a test")
        self.office.matches.forget(name)
        return name


@pytest.mark.parametrize(
    ("at_once", "begun"), [(1, [0]), (2, [0, 1]), (3, [0, 1, 2, 4]), (4, [0, 1, 2, 3, 4, 5])]
)
async def test_the_simultaneous_matches_of_an_entrant_are_limited(at_once: int, begun: list[int]):
    played = await Played.of("ann", "bob", "cy", at_once=at_once)
    assert await played.begun() == begun
    await played.look(())
    assert await played.begun() == begun


async def test_a_match_that_is_over_is_noted_and_the_next_ones_begin():
    played = await Played.of("ann", "bob", "cy", "dee")
    assert await played.begun() == [0, 10]
    name = await played.resigns("bob", 0)
    await played.look({name})
    found = (await played.results())[0]
    assert found == MatchResult(name, (1, 2), (True, False), ())
    assert await played.begun() == [1, 10]
    assert await played.results() == {0: found}


async def test_only_announced_matches_are_looked_at_unless_any_may_have_changed():
    played = await Played.of("ann", "bob", at_once=2)
    name = await played.resigns("bob", 0)
    other = await played.id_of(1)
    await played.look(())
    await played.look({other, "unknown"})
    assert await played.results() == {}
    await played.look(None)
    assert set(await played.results()) == {0}
    assert name != other


async def test_a_match_of_which_another_server_knows_the_end_is_read():
    played = await Played.of("ann", "bob")
    early = await played.office.matches.fresh(await played.id_of(0))
    name = await played.resigns("ann", 0)
    played.office.matches.remember(early)
    await played.look({name})
    assert (await played.results())[0].places == (2, 1)


async def test_a_match_of_which_nothing_is_remembered_is_read():
    played = await Played.of("ann", "bob")
    name = await played.resigns("ann", 0)
    played.office.matches.forget(name)
    await played.look({name})
    assert (await played.results())[0].places == (2, 1)


async def test_an_abandoned_match_is_over_without_a_result():
    played = await Played.of("ann", "bob")
    name = await played.id_of(0)
    match = await played.office.matches.fresh(name)
    await act(played.office.matches, name, AbandonIdle(match.version))
    await played.look({name})
    assert await played.results() == {0: MatchResult(name, (), (), ())}
    assert await played.begun() == [1]


async def test_what_fails_is_raised_when_everything_else_is_done():
    played = await Played.of("ann", "bob", "cy", "dee")
    assert await played.begun() == [0, 10]
    names = {await played.concede(0), await played.concede(10)}
    store, failures = played.office.process.store, [StoreUnavailable()]
    commit = store.commit

    async def shaky(change: Commit) -> CommitResult:
        if failures:
            raise failures.pop()
        result: CommitResult = await commit(change)
        return result

    store.commit = shaky
    with pytest.raises(StoreUnavailable):
        await played.look(names)
    assert set(await played.results()) == {0, 10}
    assert len(await played.begun()) == 1
    await played.look(None)
    assert await played.begun() == [1, 11]


async def test_a_tournament_ends_when_all_of_its_matches_are_over():
    played = await Played.of("ann", "bob", at_once=2)
    await played.look({await played.resigns("bob", 0)})
    assert played.cup.status == PLAYING
    await played.look({await played.resigns("bob", 1)})
    over = await played.office.tournaments.get(played.cup.id)
    assert (over.status, over.ended_ms) == (FINISHED, played.office.process.clock[0])


async def test_the_next_round_begins_in_the_same_look():
    played = await Played.of("ann", "bob", "cy", "dee", format=SWISS, rounds=2, at_once=2)
    first = await played.begun()
    assert first == [0, 1, 2, 3]
    names = {await played.concede(index) for index in first}
    await played.look(names)
    assert set(await played.results()) == set(first)
    assert await played.begun() == [4, 5, 6, 7]


async def test_a_frozen_match_is_played_again_until_it_has_been_tried_often_enough():
    played = await Played.of("ann", "bob")
    tried = []
    for number in range(MAX_TRIES):
        assert await played.begun() == [0]
        tried.append(await played.freeze(0))
        await played.look({tried[-1]})
        if number < MAX_TRIES - 1:
            progress = await played.office.tournaments.progress(played.cup.id)
            assert progress.set_aside == {0: number + 1}
            assert await played.results() == {}
    assert len(set(tried)) == MAX_TRIES
    assert await played.results() == {0: MatchResult("", (), (), ())}
    assert await played.begun() == [1]


async def test_a_match_that_cannot_be_read_is_played_again():
    played = await Played.of("ann", "bob")
    store, name = played.office.process.store, await played.id_of(0)
    summaries = store.summaries

    async def damaged(names: Sequence[str]) -> list[MatchSummary | None]:
        return [UNREADABLE_SUMMARY if each == name else None for each in names]

    store.summaries = damaged
    await played.look({name})
    store.summaries = summaries
    assert await played.id_of(0) != name
    assert await played.begun() == [0]


@pytest.mark.parametrize("opened", [False, True])
async def test_a_match_that_has_left_the_store_or_was_never_started_is_begun_again(opened: bool):
    played = await Played.of("ann", "bob")
    name, memory = await played.id_of(0), played.office.process.memory
    if opened:
        stored = memory.matches[name]
        memory.matches[name] = stored._replace(
            status=OPEN.encode(), seats=b"\x92\x90\x90", snapshot=b"", clocks=b""
        )
        del memory.records[name]["seat-entrants:"]
    else:
        memory.drop(name)
    assert await played.begun() == []
    played.office.matches.forget(name)
    await played.look({name})
    assert await played.begun() == [0]
    assert await played.id_of(0) == name


async def test_those_who_have_withdrawn_resign_and_lose_what_is_not_begun():
    played = await Played.of("ann", "bob", "cy")
    await played.withdraw("ann")
    await played.look(None)
    results = await played.results()
    assert {index: found.match_id == "" for index, found in results.items()} == {
        1: True,
        2: True,
        3: True,
    }
    assert [results[index].places for index in (1, 2, 3)] == [(1, 2), (2, 1), (1, 2)]
    assert [results[index].won for index in (1, 2, 3)] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert await played.begun() == []  # bob's match has been resigned, and is looked at next
    await played.look({await played.id_of(0)})
    assert (await played.results())[0].places == (2, 1)
    assert await played.begun() == [4]


async def test_what_follows_from_a_withdrawal_is_done_in_the_same_look():
    played = await Played.of("ann", "bob")
    name = await played.resigns("bob", 0)
    await played.withdraw("ann")
    await played.look({name})
    assert set(await played.results()) == {0, 1}
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_a_match_of_nobody_but_those_who_have_withdrawn_is_lost_by_all():
    played = await Played.of("ann", "bob")
    await played.withdraw("ann", "bob")
    await played.look(None)
    found = (await played.results())[1]
    assert (found.places, found.won, found.scores) == ((1, 1), (False, False), ())
    await played.look({await played.id_of(0)})
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_another_server_continues_where_one_has_stopped():
    played = await Played.of("ann", "bob", at_once=2)
    await played.resigns("bob", 0)
    await played.reload()
    assert set(await played.results()) == {0}
    await played.resigns("bob", 1)
    await played.reload()
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_a_result_that_another_server_has_noted_stands():
    played = await Played.of("ann", "bob", at_once=2)
    theirs = MatchResult("theirs", (2, 1), (False, True), ())
    assert await played.office.tournaments.record(played.cup.id, 0, theirs)
    await played.look({await played.resigns("bob", 0), await played.resigns("bob", 1)})
    results = await played.results()
    assert results[0] == theirs
    assert results[1].places == (2, 1)
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_results_that_another_server_has_noted_are_read_now_and_then():
    played = await Played.of("ann", "bob", at_once=2)
    for index in (0, 1):
        theirs = MatchResult("theirs", (2, 1), (False, True), ())
        assert await played.office.tournaments.record(played.cup.id, index, theirs)
    await played.look(())
    assert (await played.office.tournaments.get(played.cup.id)).status == PLAYING
    await played.look(None)
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_a_tournament_does_not_end_before_the_store_has_all_of_its_results():
    played = await Played.of("ann", "bob", at_once=2)
    first = await played.resigns("bob", 0)
    await played.look({first})
    accounts, namespace = played.office.accounts, results_namespace(played.cup.id)
    noted = await accounts.all(namespace)
    accounts.lost.add(namespace)
    await played.look({await played.resigns("bob", 1)})
    assert (await played.office.tournaments.get(played.cup.id)).status == PLAYING
    accounts.lost.clear()
    assert (await accounts.all(namespace)).items() >= noted.items()
    await played.look(None)
    assert (await played.office.tournaments.get(played.cup.id)).status == FINISHED


async def test_results_are_read_again_only_when_another_server_may_have_noted_some():
    played = await Played.of("ann", "bob", "cy", "dee")
    store, reads = played.office.accounts, list[str]()
    read_all = store.all

    async def counted(namespace: str) -> dict[str, bytes]:
        reads.append(namespace)
        return await read_all(namespace)

    store.all = counted  # type: ignore[method-assign]
    over = await played.resigns("bob", 0)
    reads.clear()
    await played.running.advance(played.cup, {over})
    assert reads == []
    frozen = await played.freeze(1)
    reads.clear()
    await played.running.advance(played.cup, {frozen})
    assert len(reads) == 1  # the match is set aside
    for _ in range(2):
        await played.running.advance(played.cup, ())
    assert len(reads) == 1


async def test_the_mark_of_a_tournament_changes_with_its_matches():
    played = await Played.of("ann", "bob", "cy", "dee")

    async def mark() -> bytes:
        return (await played.office.tournaments.observe(played.cup.id))[1]

    marks = [await mark()]
    await played.look(())
    assert await mark() == marks[0]
    await played.look({await played.resigns("bob", 0)})
    marks.append(await mark())
    await played.look({await played.freeze(1)})
    marks.append(await mark())
    assert marks == [b"0/0/2", b"1/0/2", b"1/1/2"]


async def test_the_simultaneous_matches_of_a_tournament_are_limited():
    names = [f"a{number:02}" for number in range(12)]
    played = await Played.of(*names, max_entrants=12, at_once=16)
    begun = await played.begun()
    assert len(begun) == MAX_UNDER_WAY
    await played.look({await played.concede(0)})
    after = await played.begun()
    assert len(after) == MAX_UNDER_WAY
    assert set(after) > set(begun) - {0}


@pytest.mark.parametrize(("left", "begun"), [(WINDOW, [0, 250]), (WINDOW - 1, [0, 250, 492])])
async def test_no_match_begins_long_before_those_whose_entrants_are_not_free(
    left: int, begun: list[int]
):
    """Of 64 the first two meet, and the next two; *left* matches of theirs are to come."""
    office = Office()
    names = [f"a{number:02}" for number in range(64)]
    cup = await office.started(*names, max_entrants=64)
    for index in range(2, 2 + 492 - left):
        result = MatchResult("", (1, 2), (True, False), ())
        assert await office.tournaments.record(cup.id, index, result)
    played = Played(office, cup, await RunningTournament.load(office.matches, cup))
    await played.look(None)
    assert await played.begun() == begun
