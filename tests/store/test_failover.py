"""A primary that dies behind its Sentinels: what was confirmed by a copy is still there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from taflhall_service.app.errors import DurabilityUnconfirmed, StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus, Durability
from taflhall_service.store.address import open_store
from tests.store import servers
from tests.store.test_commits import START, command, creation, name
from tests.waiting import until

PATIENCE = 90.0


async def test_what_a_copy_confirmed_survives_a_failover(tmp_path):
    address, children = await asyncio.to_thread(servers.sentinels, tmp_path)
    store = await open_store(address, Durability.REPLICATED)
    assert store.durability is Durability.REPLICATED
    match_id, at = name(), START
    await store.commit(creation(match_id))
    for n in range(20):
        commit = command(match_id, at, f"0:{n}", b"%d" % n)
        assert (await store.commit(commit)).status is CommitStatus.COMMITTED
        at = commit.version
    await store.ping()
    children[0].kill()
    await asyncio.to_thread(servers.watch_closely, children[2:])
    found = await until_it_answers(lambda: store.load(match_id))
    assert found.version == at
    assert len(await store.entries(match_id, 1, None)) == 20
    await store.ping()
    assert store.failovers == 1
    last = command(match_id, at, "0:last", b"last")
    with pytest.raises(DurabilityUnconfirmed) as error:
        await store.commit(last)  # there is no further copy any more
    assert error.value.metadata == {"durability": "disk"}
    with pytest.raises(DurabilityUnconfirmed):
        await store.commit(last)  # nor does the record of it say that there is one
    await store.close()
    lesser = await open_store(address, Durability.DISK)
    assert (await lesser.commit(last)).status is CommitStatus.DUPLICATE
    await lesser.close()
    for child in children[1:]:
        await asyncio.to_thread(child.stop)


async def test_a_dead_sentinel_and_a_silent_one_are_passed_over(tmp_path):
    address, children = await asyncio.to_thread(servers.sentinels, tmp_path)
    dead, silent = children[2:4]
    dead.kill()
    silent.freeze()
    store = await until_it_answers(lambda: open_store(address, Durability.DISK))
    await store.close()
    for child in children:
        await asyncio.to_thread(child.stop)


async def until_it_answers(call: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    answers: list[Any] = []

    async def answered() -> bool:
        with suppress(StoreUnavailable):
            answers.append(await call())
        return bool(answers)

    await until(answered, PATIENCE)
    return answers[0]


async def test_in_a_cluster_the_copy_of_each_node_confirms_what_that_node_has(tmp_path):
    address, nodes = await asyncio.to_thread(servers.cluster, tmp_path, copies=True)
    store = await open_store(address, Durability.REPLICATED)
    assert store.durability is Durability.REPLICATED
    matches = [name() for _ in range(24)]
    made = await asyncio.gather(*[store.commit(creation(match_id)) for match_id in matches])
    assert {outcome.status for outcome in made} == {CommitStatus.COMMITTED}
    frozen = nodes[servers.NODES]  # the copy of one primary
    frozen.freeze()
    commits = [command(match_id, START, "0:1", b"one") for match_id in matches]
    tries = await asyncio.gather(
        *[store.commit(commit) for commit in commits], return_exceptions=True
    )
    unsure = [n for n, came in enumerate(tries) if isinstance(came, DurabilityUnconfirmed)]
    done = [
        n for n, came in enumerate(tries) if getattr(came, "status", None) is CommitStatus.COMMITTED
    ]
    assert sorted([*unsure, *done]) == list(range(24))
    assert unsure, "one node has no copy that answers"
    assert done, "the others have"
    with pytest.raises(DurabilityUnconfirmed):
        await store.commit(commits[unsure[0]])
    frozen.thaw()
    again = await asyncio.gather(*[store.commit(commits[n]) for n in unsure])
    assert {outcome.status for outcome in again} == {CommitStatus.DUPLICATE}
    await store.close()
    for node in nodes:
        await asyncio.to_thread(node.stop)


async def test_a_cluster_without_copies_confirms_nothing(addresses):
    store = await open_store(addresses("cluster"), Durability.REPLICATED)
    with pytest.raises(DurabilityUnconfirmed):
        await store.commit(creation(name()))
    await store.close()
