"""A power cut in the middle of a script's last write: nothing acknowledged is lost by it.

Where a ``redis-server`` is on the path, it is tried too: Redis keeps the beginning of such a
script in its file, and only the rewrite that a server orders removes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.address import open_store
from tests.store.servers import SAFE, Valkey
from tests.store.test_commits import START, command, creation, name
from tests.waiting import until


@pytest.fixture(params=["valkey", "redis-server"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Valkey]:
    program = None
    if request.param == "redis-server":
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("no redis-server is installed")
    server = Valkey(tmp_path, *SAFE, program=program)
    yield server
    server.kill()


def tear(server: Valkey, cut: int) -> None:
    """Cut the last bytes off the append-only file of a server that is not running."""
    file = max((server.folder / "appendonlydir").glob("*.incr.aof"))
    file.write_bytes(file.read_bytes()[:-cut])


@pytest.mark.parametrize("cut", [1, 5, 20, 60])
async def test_two_restarts_after_a_torn_script_keep_what_was_acknowledged(cut, server):
    match_id = name()
    store = await open_store(server.address, Durability.DISK)
    await rewritten(server)
    await store.key()
    await store.commit(creation(match_id))
    first = command(match_id, START, "0:first")
    await store.commit(first)
    await store.commit(command(match_id, first.version, "0:torn", b"torn"))
    await store.close()
    server.kill()
    tear(server, cut)
    server.restart()
    store = await open_store(server.address, Durability.DISK)
    await rewritten(server)
    second = command(match_id, first.version, "0:second", b"acknowledged")
    await store.commit(second)
    await store.close()
    server.kill()
    server.restart()
    store = await open_store(server.address, Durability.DISK)
    found = await store.load(match_id)
    assert found is not None
    assert found.version == second.version
    assert list(await store.entries(match_id, 1, None)) == [*first.entries, *second.entries]
    await store.close()


async def rewritten(server: Valkey) -> None:
    """Wait until a rewrite of the file that was ordered has ended."""

    def ended() -> bool:
        info = server.client().info("persistence")
        return not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]

    await until(ended)
