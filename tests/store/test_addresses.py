"""Which addresses name a store or an archive, and what is shown of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.address import (
    STORES,
    BadAddress,
    open_archive,
    open_store,
    without_credentials,
)
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import MemoryStore
from taflhall_service.store.redis.durability import DurabilityTooLow


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://host:1/2", "redis://host:1/2"),
        ("redis://name:pass@host:1", "redis://***@host:1"),
        ("redis://name:p@ss@host:1", "redis://***@host:1"),
        ("rediss://host:1?password=secret", "rediss://***"),
        ("unix:///run/a.sock", "unix:///run/a.sock"),
        ("memory:", "memory:"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(address: str, shown: str):
    assert without_credentials(address) == shown


@pytest.mark.parametrize(
    "address",
    [
        "",
        "memory:x",
        "embedded:",
        "http://host:1",
        "redis://host:0",
        "redis://host:65536",
        "redis://host:x",
        "redis://host:1?colour=red",
        "redis+sentinel://host:1",
        "redis+sentinel://host/master",
        "redis+sentinel://:1/master",
        "redis+sentinel://host:0/master",
        "redis+sentinel://host:65536/master",
        "redis+sentinel://host:\u00b2/master",
        "redis+sentinel://host:1,/master",
        "redis+sentinel://host:1/master?ssl_ca_certs=x",
        "rediss+sentinel://host:1/master?colour=red",
        "redis+cluster://host",
        "redis+cluster://host:1?ssl_keyfile=x",
    ],
)
async def test_what_names_no_store_is_refused_without_its_secrets(address: str):
    with pytest.raises(BadAddress) as refused:
        await open_store(address.replace("//host", "//name:secret@host"), Durability.MEMORY)
    assert str(refused.value)
    assert "secret" not in str(refused.value)


async def test_what_is_no_store_at_all_is_told_of_every_kind():
    with pytest.raises(BadAddress, match="'http://a' is not a store") as refused:
        await open_store("http://a", Durability.MEMORY)
    assert all(store in str(refused.value) for store in STORES)


async def test_a_store_in_memory_keeps_nothing():
    store = await open_store("memory:", Durability.MEMORY)
    assert isinstance(store, MemoryStore)
    with pytest.raises(DurabilityTooLow, match="'periodic'"):
        await open_store("memory:", Durability.PERIODIC)


def test_an_archive_is_a_folder_or_a_bucket(tmp_path: Path):
    assert isinstance(open_archive(str(tmp_path / "records")), FolderArchive)
    for address in ("http://host/records", "file:///records", "s3:records"):
        with pytest.raises(BadAddress, match="expected a folder or s3://"):
            open_archive(address)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(BadAddress, match="no archive can be kept in"):
        open_archive(str(file))
