"""A primary that dies behind its Sentinels: what was confirmed by a copy is still there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from taflhall_service.app.errors import DurabilityUnconfirmed, StoreUnavailable
from taflhall_service.app.storage import Durability, Verdict
from taflhall_service.store.address import open_store
from tests.store import servers
from tests.store.test_commits import START, command, creation, name

PATIENCE = 90.0


async def test_what_a_copy_confirmed_survives_a_failover(tmp_path):
    address, children = await asyncio.to_thread(servers.sentinels, tmp_path)
    store = await open_store(address, Durability.COPIES)
    assert store.durability is Durability.COPIES
    match_id, at = name(), START
    await store.commit(creation(match_id))
    for n in range(20):
        commit = command(match_id, at, f"0:{n}", b"%d" % n)
        assert (await store.commit(commit)).verdict is Verdict.DONE
        at = commit.version
    children[0].kill()
    found = await until_it_answers(lambda: store.load(match_id))
    assert found.version == at
    assert len(await store.entries(match_id, 1, None)) == 20
    last = command(match_id, at, "0:last", b"last")
    with pytest.raises(DurabilityUnconfirmed) as error:
        await store.commit(last)  # there is no further copy any more
    assert error.value.metadata == {"durability": "disk"}
    with pytest.raises(DurabilityUnconfirmed):
        await store.commit(last)  # nor does the record of it say that there is one
    await store.close()
    lesser = await open_store(address, Durability.DISK)
    assert (await lesser.commit(last)).verdict is Verdict.DUPLICATE
    await lesser.close()
    for child in children[1:]:
        await asyncio.to_thread(child.stop)


async def until_it_answers(call: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return await call()
        except StoreUnavailable:
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
