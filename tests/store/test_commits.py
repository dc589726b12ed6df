"""What every store promises, the same for memory, one Redis, Sentinel and Cluster."""

from __future__ import annotations

import asyncio
import secrets

import pytest

from taflhall_service.app.ports.match_store import (
    FINGERPRINT_BYTES,
    Commit,
    CommitStatus,
    Durability,
    StoredEntry,
    Version,
)
from tests.waiting import settle, take

DIGEST, OTHER = b"a" * FINGERPRINT_BYTES, b"b" * FINGERPRINT_BYTES


def name() -> str:
    return secrets.token_hex(8)


def creation(match_id: str, key: str = "create:", digest: bytes = DIGEST) -> Commit:
    fields = {"schema": b"1", "origin": b"origin", "seats": b"[]", "status": b"open"}
    return Commit(match_id, None, key, digest, b"made", Version(0, b"start", 0), fields, ())


def command(
    match_id: str, at: Version, key: str, text: bytes = b"command", many: int = 1
) -> Commit:
    entries, head = [], at.head
    for revision in range(at.revision + 1, at.revision + many + 1):
        head = head[-24:] + text
        entries.append(StoredEntry(revision, head, b"body of " + text))
    after = Version(at.revision + many, head, at.change_id)
    fields = {"snapshot": b"table after " + text, "status": b"playing"}
    return Commit(match_id, at, key, DIGEST, b"answer to " + text, after, fields, entries)


@pytest.fixture
async def match_id(store) -> str:
    made = name()
    assert (await store.commit(creation(made))).status is CommitStatus.COMMITTED
    return made


START = Version(0, b"start", 0)


async def test_what_is_committed_is_there(store, match_id):
    done = command(match_id, START, "0:one", many=3)
    assert (await store.commit(done)).status is CommitStatus.COMMITTED
    found = await store.load(match_id)
    assert found.version == done.version
    assert (found.schema, found.origin, found.status) == (1, b"origin", b"playing")
    assert found.snapshot == b"table after command"
    assert await store.entries(match_id, 1, None) == list(done.entries)
    assert [e.revision for e in await store.entries(match_id, 2, 2)] == [2]
    assert await store.entries(match_id, 4, None) == []


async def test_bytes_of_any_value_come_back_as_they_were(store, match_id):
    every = bytes(range(256)) * 4
    done = command(match_id, START, "0:one", every)
    assert (await store.commit(done)).status is CommitStatus.COMMITTED
    assert (await store.load(match_id)).snapshot == b"table after " + every
    assert (await store.entries(match_id, 1, None))[0].body == b"body of " + every
    assert (await store.commit(done)).reply == b"answer to " + every


async def test_a_request_that_comes_again_gets_the_first_answer(store, match_id):
    first = command(match_id, START, "0:one")
    await store.commit(first)
    await store.commit(command(match_id, first.version, "0:two", b"later"))
    again = await store.commit(first)
    assert again == (CommitStatus.DUPLICATE, b"answer to command")
    assert (await store.load(match_id)).version.revision == 2


async def test_another_request_under_the_same_key_changes_nothing(store, match_id):
    await store.commit(command(match_id, START, "0:one"))
    before = await store.load(match_id)
    other = command(match_id, before.version, "0:one", b"other")._replace(fingerprint=OTHER)
    assert (await store.commit(other)).status is CommitStatus.KEY_REUSED
    assert await store.load(match_id) == before


async def test_the_same_request_id_of_another_seat_is_another_key(store, match_id):
    first = command(match_id, START, "0:one")
    await store.commit(first)
    second = command(match_id, first.version, "1:one", b"other")
    assert (await store.commit(second)).status is CommitStatus.COMMITTED


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        (Version(0, b"start", 0), CommitStatus.CONFLICT),
        (Version(2, b"start", 0), CommitStatus.CONFLICT),
        (Version(1, b"another history", 0), CommitStatus.DIVERGED),
        (Version(1, b"", 1), CommitStatus.CONFLICT),
    ],
)
async def test_a_commit_elsewhere_changes_nothing(store, match_id, at, verdict):
    first = command(match_id, START, "0:one")
    await store.commit(first)
    before = await store.load(match_id)
    at = at._replace(head=at.head or first.version.head)
    assert (await store.commit(command(match_id, at, "0:two"))).status is verdict
    assert await store.load(match_id) == before
    assert len(await store.entries(match_id, 1, None)) == 1
    assert (await store.peek(match_id, "0:two")).remembered is None


async def test_there_is_no_commit_to_a_match_that_is_not_there(store):
    nowhere = name()
    assert (await store.commit(command(nowhere, START, "0:one"))).status is CommitStatus.NOT_FOUND
    assert await store.load(nowhere) is None
    assert await store.entries(nowhere, 1, None) == []
    assert await store.versions([nowhere]) == [None]


async def test_a_match_is_created_once(store, match_id):
    assert (await store.commit(creation(match_id))).reply == b"made"
    assert (await store.commit(creation(match_id, digest=OTHER))).status is CommitStatus.KEY_REUSED
    assert (await store.commit(creation(match_id, "create:2"))).status is CommitStatus.CONFLICT


async def test_peeking_at_a_key_returns_version_and_reply(store, match_id):
    done = command(match_id, START, "0:one")
    await store.commit(done)
    assert await store.peek(match_id, "0:one") == (done.version, DIGEST + b"answer to command")
    assert await store.peek(match_id, "0:two") == (done.version, None)


async def test_one_of_many_simultaneous_commits_wins(connect, match_id):
    stores = [await connect() for _ in range(3)]
    commits = [command(match_id, START, f"0:{n}", b"%d" % n) for n in range(12)]
    outcomes = await asyncio.gather(
        *[stores[n % 3].commit(commit) for n, commit in enumerate(commits)]
    )
    verdicts = [outcome.status for outcome in outcomes]
    assert verdicts.count(CommitStatus.COMMITTED) == 1
    winner = commits[verdicts.index(CommitStatus.COMMITTED)]
    assert (await stores[0].load(match_id)).version == winner.version
    assert await stores[1].entries(match_id, 1, None) == list(winner.entries)


async def test_racing_writers_lose_and_double_nothing(connect, match_id):
    """Four writers on one match, every commit sent twice; revisions have no hole and no double."""
    wanted, acked = 15, []

    async def write(number: int) -> None:
        store = await connect()
        for n in range(wanted):
            key = f"0:{number}-{n}"
            while True:
                at = (await store.load(match_id)).version
                commit = command(match_id, at, key, key.encode())
                first, again = await asyncio.gather(store.commit(commit), store.commit(commit))
                if {first.status, again.status} & {
                    CommitStatus.COMMITTED,
                    CommitStatus.DUPLICATE,
                }:
                    assert {first.status, again.status} == {
                        CommitStatus.COMMITTED,
                        CommitStatus.DUPLICATE,
                    }
                    acked.append((commit.version.revision, commit.entries[0]))
                    break

    await asyncio.gather(*[write(number) for number in range(4)])
    entries = await (await connect()).entries(match_id, 1, None)
    assert [entry.revision for entry in entries] == list(range(1, 4 * wanted + 1))
    assert sorted(acked) == [(entry.revision, entry) for entry in entries]


async def test_a_cancelled_caller_never_gets_the_answer_of_another(store):
    """A call that is given up leaves its answer behind; the next must not find it."""
    matches = [name() for _ in range(8)]
    for match in matches:
        await store.commit(creation(match)._replace(fields={"origin": match.encode()}))
    for n in range(60):
        tasks = [asyncio.ensure_future(store.load(match)) for match in matches]
        await settle(n % 5)
        for task in tasks[n % 3 :: 3]:
            task.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        for match, answer in zip(matches, found, strict=True):
            if not isinstance(answer, BaseException):
                assert answer.origin == match.encode()


async def test_a_notification_reaches_its_subscribers(connect):
    mine, other = await connect(), await connect()
    match_id = name()
    heard: asyncio.Queue[tuple[str, int, int]] = asyncio.Queue()
    await mine.commit(creation(match_id))
    mine.on_change(lambda *hint: heard.put_nowait(hint))
    await mine.listen(match_id)
    revision = 0
    for revision in range(5000):  # a subscription may take a moment
        at = (await other.load(match_id)).version
        await other.commit(command(match_id, at, f"0:{revision}"))
        await take(0.01)
        if not heard.empty():
            break
    hint = heard.get_nowait()
    assert hint[0] == match_id
    assert 1 <= hint[1] <= revision + 1
    await mine.ignore(match_id)


async def test_the_list_goes_page_by_page_from_the_greatest(store):
    stem = name()
    index_keys = [f"zz{stem}{n:02}" for n in range(7)]
    for index_key in [*index_keys, index_keys[3]]:
        await store.index_add(index_key)
    assert await store.index_page(index_keys[6] + "x", 3) == index_keys[6:3:-1]
    assert await store.index_page(index_keys[4], 2) == [index_keys[3], index_keys[2]]


async def test_all_servers_share_one_key(connect):
    first, second = await connect(), await connect()
    key = await first.key()
    assert len(key) == 32
    assert await second.key() == key


async def test_the_level_of_durability_is_known(connect):
    store = await connect()
    assert store.durability in (Durability.MEMORY, Durability.DISK)
    await store.ping()
