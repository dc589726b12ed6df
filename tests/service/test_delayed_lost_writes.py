"""What a delayed match shows after the store has lost writes that it had acknowledged."""

from __future__ import annotations

import pytest

from taflhall_service.app.matches.transaction import act
from taflhall_service.app.ports.match_store import StoredMatch
from taflhall_service.app.tournaments.seating import ResignEntrant
from tests.service.following import Late, followed, names, unoccupied
from tests.waiting import settle, until


def set_back(late: Late, stored: StoredMatch, revision: int) -> None:
    """Let the store be as it was, and the server know nothing of what came later."""
    memory = late.process.memory
    memory.matches["match"] = stored
    del memory.entries["match"][revision:]
    memory.records["match"].clear()
    late.process.matches.forget("match")


@pytest.mark.parametrize(("lost", "since"), [(False, 1), (True, 1), (True, 2)])
async def test_when_it_begins_to_follow_it_looks_whether_the_store_has_lost_writes(
    lost: bool, since: int
):
    late = await followed(2)
    stored = late.process.memory.matches["match"]
    await late.process.play_on(2)
    await late.advance()
    late.passes()
    assert (await late.delayed.look()).revision == 4
    late.delayed.stop()
    if lost:
        set_back(late, stored, 2)
    await late.process.play_on(since - 1)
    await act(late.process.matches, "match", ResignEntrant(""))
    late.passes()
    seen = await late.delayed.advance(await late.process.matches.fresh("match"))
    assert seen.version == late.process.stored.version
    assert late.delayed.channel.rewinds == (1 if lost else 0)
    assert late.delayed.moves == 4 + since + (2 if lost else 0)
    await late.stop()


async def test_a_change_that_the_store_has_lost_is_looked_for_too():
    """Nothing but seats has changed: the revision is 0 before and after."""
    late = await unoccupied()
    await late.sit_down(0, "Ann")
    early = late.process.memory.matches["match"]
    await late.sit_down(1, "Cy")
    late.passes()
    assert names(await late.advance()) == ["Ann", "Cy"]
    late.delayed.stop()
    set_back(late, early, 0)
    await late.sit_down(1, "Bob")
    late.passes()
    assert names(await late.advance()) == ["Ann", "Bob"]
    assert late.delayed.channel.rewinds == 1
    await late.stop()


async def test_while_it_follows_it_finds_such_changes_lost_as_well():
    late = await unoccupied(3)
    channel = late.delayed.join()
    await late.sit_down(0, "Ann")
    early = late.process.memory.matches["match"]
    await late.sit_down(1, "Cy")
    await late.sit_down(2, "Dee")
    late.passes()
    assert names(await late.advance()) == ["Ann", "Cy", "Dee"]
    await settle()
    set_back(late, early, 0)
    await late.sit_down(1, "Bob")
    late.passes()
    await until(lambda: names(late.delayed.match) == ["Ann", "Bob", ""])
    assert channel.rewinds == 1
    await late.stop()


async def test_watchers_see_the_match_as_it_was_created_if_all_they_saw_is_lost():
    late = await unoccupied()
    channel, early = late.delayed.join(), late.process.memory.matches["match"]
    await late.sit_down(0, "Ann")
    await late.sit_down(1, "Cy")
    late.passes()
    assert names(await late.advance()) == ["Ann", "Cy"]
    await settle()
    set_back(late, early, 0)
    await late.sit_down(0, "Bob")  # too new to be seen
    await until(lambda: channel.rewinds == 1)
    await settle()
    assert names(channel.match) == names(late.delayed.match) == ["", ""]
    await late.stop()


@pytest.mark.parametrize("following", [False, True])
async def test_what_was_read_ahead_and_then_lost_is_never_seen(following: bool):
    late = await followed(2)
    stored = late.process.memory.matches["match"]
    late.passes()
    late.delayed.join()
    await late.advance()
    await late.process.play_on(2)
    assert (await late.advance()).revision == 2  # the two others are known, but too new
    if not following:
        late.delayed.stop()
    set_back(late, stored, 2)
    late.passes(1)
    await act(late.process.matches, "match", ResignEntrant(""))
    newest = late.process.stored.version
    if following:
        await until(lambda: late.delayed.known == newest)
    late.passes()
    assert (await late.advance()).version == newest
    assert (late.delayed.moves, late.delayed.channel.rewinds) == (2 + 1, 0)
    await late.stop()


async def test_a_rewind_while_it_follows_is_taken_in():
    late = await followed(2)
    stored = late.process.memory.matches["match"]
    await late.process.play_on(2)
    late.passes()
    channel = late.delayed.join()
    await late.advance()
    await settle()
    set_back(late, stored, 2)
    await late.process.play_on(1)
    newest = late.process.stored.version
    late.passes()
    await until(lambda: channel.rewinds == 1)
    await until(lambda: late.delayed.match.version == newest)
    assert channel.version == newest
    assert [entry.revision for entry in channel.entries] == [1, 2, 3]
    await late.stop()
