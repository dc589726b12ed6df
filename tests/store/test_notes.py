"""What is noted about a match, and how it is forgotten: the same in every store."""

from __future__ import annotations

import pytest

from taflhall_service.app.ports.match_store import CommitStatus, MatchSummary
from tests.store.test_commits import START, command, creation, name
from tests.waiting import take, until


@pytest.fixture
async def match_id(store) -> str:
    made = name()
    assert (await store.commit(creation(made))).status is CommitStatus.COMMITTED
    return made


async def test_a_note_holds_only_at_the_version_that_was_looked_at(store, match_id):
    done = command(match_id, START, "0:one")
    await store.commit(done)
    assert not await store.set_field(match_id, START, "archived", b"digest")
    other = done.version._replace(head=b"of another history")
    assert not await store.set_field(match_id, other, "archived", b"digest", 0.0)
    assert (await store.load(match_id)).archived == b""
    assert await store.set_field(match_id, done.version, "archived", b"digest")
    assert await store.summaries([match_id, "none"]) == [MatchSummary(b"playing", b"digest"), None]


async def test_everything_of_a_match_is_forgotten_together(store, match_id):
    done = command(match_id, START, "0:one", many=2)
    await store.commit(done)
    assert await store.set_field(match_id, done.version, "archived", b"digest", 60.0)
    assert (await store.load(match_id)).archived == b"digest"
    assert (await store.commit(done)).status is CommitStatus.DUPLICATE
    assert await store.set_field(match_id, done.version, "archived", b"digest", 0.2)

    async def is_forgotten() -> bool:
        return await store.load(match_id) is None

    await until(is_forgotten)
    assert await store.entries(match_id, 1, None) == []
    assert await store.peek(match_id, "0:one") == (None, None)
    assert (await store.commit(done)).status is CommitStatus.NOT_FOUND


async def test_a_frozen_match_is_not_changed_but_gives_the_answers_it_gave(store, match_id):
    done = command(match_id, START, "0:one")
    await store.commit(done)
    assert await store.set_field(match_id, done.version, "frozen", b"why")
    before = await store.load(match_id)
    assert before.frozen == b"why"
    assert (await store.commit(done)).status is CommitStatus.DUPLICATE
    later = command(match_id, done.version, "0:two")
    assert (await store.commit(later)).status is CommitStatus.FROZEN
    assert (await store.commit(command(match_id, START, "0:old"))).status is CommitStatus.FROZEN
    assert await store.load(match_id) == before
    assert await store.set_field(match_id, done.version, "frozen", b"")
    assert (await store.commit(later)).status is CommitStatus.COMMITTED


async def test_freezing_works_across_changes_of_the_match(store, match_id):
    freeze = command(match_id, START, "freeze:one", many=0)
    freeze = freeze._replace(
        fields={"frozen": b"admin: why"}, version=START.changed(), frozen=b"another reason"
    )
    assert await store.commit(freeze) == (CommitStatus.FROZEN, b"")
    freeze = freeze._replace(frozen=b"")
    assert (await store.commit(freeze)).status is CommitStatus.COMMITTED
    assert (await store.commit(freeze)).status is CommitStatus.DUPLICATE
    at = freeze.version
    assert await store.commit(command(match_id, at, "0:two")) == (
        CommitStatus.FROZEN,
        b"admin: why",
    )
    free = freeze._replace(
        key="freeze:two", expected=at, version=at.changed(), fields={"frozen": b""}
    )
    assert await store.commit(free) == (CommitStatus.FROZEN, b"admin: why")
    assert (
        await store.commit(free._replace(frozen=b"admin: why"))
    ).status is CommitStatus.COMMITTED
    assert (
        await store.commit(command(match_id, free.version, "0:two"))
    ).status is CommitStatus.COMMITTED


async def test_what_is_kept_longer_is_not_forgotten_at_the_first_time(store):
    match_id, seconds = "", 0.0
    for seconds in (0.2, 2.0, 20.0):  # a busy machine may forget the match before the second call
        match_id = name()
        await store.commit(creation(match_id))
        await store.set_field(match_id, START, "archived", b"", seconds)
        if await store.set_field(match_id, START, "archived", b"", 600.0):
            break
    await take(seconds + 0.1)
    assert await store.load(match_id) is not None


async def test_all_matches_are_found_listed_or_not(store):
    made = {name() for _ in range(5)}
    for match_id in made:
        await store.commit(creation(match_id))
    found = [match_id async for match_id in store.scan_ids()]
    assert made <= set(found)


async def test_a_mark_is_taken_off_the_list(store):
    index_keys = [f"{n}{name()}" for n in range(3)]
    for index_key in index_keys:
        await store.index_add(index_key)
    await store.index_remove(index_keys[1])
    await store.index_remove(index_keys[1])
    listed = await store.index_page("", 1000)
    assert [index_key for index_key in listed if index_key in index_keys] == [
        index_keys[2],
        index_keys[0],
    ]


async def test_the_names_of_the_indexes_that_name_something_are_found(store):
    index, empty = f"@word:{name()}", f"@label:{name()}"
    for key, each in (("a1", index), ("a2", index), ("a1", empty), (f"0{name()}", "")):
        await store.index_add(key, each)
    await store.index_remove("a1", empty)
    found = [each async for each in store.index_names()]
    assert {index, ""} <= set(found)
    assert empty not in found


async def test_a_damaged_match_is_frozen_and_named_until_that_is_forgotten(store, match_id):
    other, gone = name(), name()
    await store.commit(creation(other))
    assert await store.frozen([match_id, gone]) == [b"", b""]
    for why in (b"its table", b"its log"):
        await store.freeze_damaged(match_id, why)
        assert await store.frozen([match_id, gone, other]) == [b"its table", b"", b""]
        assert (await store.damaged())[match_id] == why
    await store.freeze_damaged(gone, b"all of it")
    assert await store.load(gone) is None
    assert {match_id, gone} <= set(await store.damaged())
    await store.forget_damage(match_id)
    await store.forget_damage(match_id)
    assert match_id not in await store.damaged()
    assert (await store.load(match_id)).frozen == b"its table"
    await store.forget_damage(gone)


async def test_a_match_that_administrators_froze_keeps_their_reason(store, match_id):
    assert await store.set_field(match_id, START, "frozen", b"admin: why")
    await store.freeze_damaged(match_id, b"its table")
    assert await store.frozen([match_id]) == [b"admin: why"]
    await store.forget_damage(match_id)


async def test_nothing_is_noted_of_a_match_that_is_not_there(store):
    assert await store.set_field(name(), START, "archived", b"digest") is False


async def test_a_note_without_a_time_leaves_the_time_of_an_earlier_one(store, match_id):
    assert await store.set_field(match_id, START, "archived", b"digest", 0.2)
    if await store.set_field(match_id, START, "archived", b"another"):

        async def is_forgotten() -> bool:
            return await store.load(match_id) is None

        await until(is_forgotten)
    assert await store.load(match_id) is None


async def test_an_index_is_read_in_both_directions(store):
    index = f"@word:{name()}"
    keys = [f"{n}key" for n in range(7)]
    for key in reversed(keys):
        await store.index_add(key, index)
    assert await store.index_page("", 3, index) == keys[:3:-1]
    assert await store.index_page(keys[4], 9, index) == keys[3::-1]
    assert await store.index_page(keys[0], 9, index) == []
    assert await store.index_page("", 3, index, ascending=True) == keys[:3]
    assert await store.index_page(keys[2], 3, index, ascending=True) == keys[3:6]
    assert await store.index_page(keys[6], 3, index, ascending=True) == []
    assert await store.index_page("", 3, f"{index}x") == []
