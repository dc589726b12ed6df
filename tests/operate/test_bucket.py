"""Records in a bucket of objects: what holds of a folder holds of it."""

from __future__ import annotations

import json
import sys
from http import HTTPStatus

import pytest
import structlog

from taflhall_engine import registry
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.jobs.archiver import ArchiveResult, name_of
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.operate.verify import verify
from taflhall_service.store.address import BadAddress, open_archive
from taflhall_service.store.archive.bucket import (
    RETRIES,
    BucketDenied,
    BucketFails,
    BucketMissing,
    ObjectArchive,
)
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.bucket import BUCKET, open_bucket
from tests.operate.matches import play, server_over
from tests.operate.test_archive import archiver


@pytest.fixture
def bucket(monkeypatch):
    with open_bucket() as bucket:
        for name, value in bucket.environment.items():
            monkeypatch.setenv(name, value)
        yield bucket


async def test_a_finished_match_becomes_an_object_below_the_path(bucket):
    store = MemoryStore(Memory())
    archive = open_archive(f"s3://{BUCKET}/taflhall/records")
    async with server_over(store) as server:
        over = await play(server)
        job, results = archiver(store, archive)
        await job.scan()
        assert results == {ArchiveResult.KEPT: 1}
        assert list(bucket.objects) == [f"taflhall/records/{name_of(over)}"]
        (record,) = bucket.objects.values()
        replay(registry.game("yggdrasil"), json.loads(record))
        assert (await verify(store, archive)).sound
        bucket.objects.clear()
        (fault,) = (await verify(store, archive)).faults
        assert fault.startswith(over)


async def test_an_archive_takes_what_it_has_already_without_another_put(bucket):
    archive = open_archive(f"s3://{BUCKET}")
    memory = Memory()
    async with server_over(MemoryStore(memory)) as server:
        over = await play(server)
        store = MemoryStore(memory)
        job, _ = archiver(store, archive)
        await job.scan()
        found = memory.matches[over]  # as if the server had died before it updated the store
        memory.matches[over] = found._replace(archived=b"")
        await QueueRepair(store).repair()
        await job.scan()
        assert memory.matches[over].archived
        assert bucket.puts == [name_of(over)]


async def test_a_call_that_is_not_answered_is_repeated(bucket):
    archive = open_archive(f"s3://{BUCKET}")
    bucket.failures = [HTTPStatus.SERVICE_UNAVAILABLE] * 2
    await archive.put("ab/cd.json", b"{}")
    bucket.failures = [HTTPStatus.SERVICE_UNAVAILABLE] * 2
    assert await archive.get("ab/cd.json") == b"{}"
    assert await archive.get("ab/ce.json") is None


@pytest.mark.parametrize(
    ("failures", "kind"),
    [
        ([HTTPStatus.FORBIDDEN], BucketDenied),
        ([HTTPStatus.SERVICE_UNAVAILABLE] * (1 + RETRIES), BucketFails),
    ],
)
async def test_what_the_bucket_does_not_take_is_not_forgotten(bucket, failures, kind):
    store = MemoryStore(Memory())
    archive = open_archive(f"s3://{BUCKET}")
    for call in (archive.put("ab/cd.json", b"{}"), archive.get("ab/cd.json")):
        bucket.failures = list(failures)
        with pytest.raises(kind) as caught:
            await call
        assert "127.0.0.1" not in str(caught.value)  # an address may hold a key
    async with server_over(store) as server:
        over = await play(server)
        job, results = archiver(store, archive)
        bucket.failures = list(failures)
        await job.scan()
        assert results == {ArchiveResult.FAILED: 1}
        found = await store.load(over)
        assert found is not None
        assert not found.archived
        await job.scan()
        assert results[ArchiveResult.KEPT] == 1


async def test_a_missing_bucket_is_reported(bucket):
    archive = open_archive("s3://another")
    with pytest.raises(BucketMissing):
        await archive.put("ab/cd.json", b"{}")
    with pytest.raises(BucketMissing):
        await archive.get("ab/cd.json")


@pytest.mark.parametrize("wrong", ["bucket", "key", "address"])
async def test_an_unreachable_archive_is_logged_at_the_start(bucket, monkeypatch, wrong):
    if wrong == "key":
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "another")
    if wrong == "address":
        monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:1")
    url = "s3://another" if wrong == "bucket" else f"s3://{BUCKET}"
    archive = ObjectArchive(url, retries=0)
    job, _ = archiver(MemoryStore(Memory()), archive)
    with structlog.testing.capture_logs() as logs:
        await job.reach()
    (entry,) = logs
    kinds = {"bucket": "BucketMissing", "key": "BucketDenied", "address": "BucketFails"}
    assert (entry["event"], entry["why"]) == ("archive_fails", kinds[wrong])
    assert entry["error"]


BAD_ADDRESSES = ("s3://", "s3:///path", "s3:/path", "az://container", "ftp://host/path")


@pytest.mark.parametrize("url", BAD_ADDRESSES)
def test_an_address_of_no_bucket_says_what_would_be_one(monkeypatch, url):
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(BadAddress, match="archive") as caught:
        open_archive(url)
    assert "\n" not in str(caught.value)


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.delitem(sys.modules, "taflhall_service.store.archive.bucket")
    with pytest.raises(BadAddress, match=r"taflhall\[objects\]"):
        open_archive(f"s3://{BUCKET}")
