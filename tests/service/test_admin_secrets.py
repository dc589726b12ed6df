"""No secret that an administrator puts into a call, wherever, is written down anywhere."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from structlog.testing import capture_logs

from taflhall.admin.v1 import admin_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.operate import admin as tool
from taflhall_service.store.address import open_store
from tests.service.local_server import LocalServer, Table, bearer, open_server
from tests.store.servers import SAFE, Valkey

METHODS = {m.name: m for m in pb.DESCRIPTOR.services_by_name["AdminService"].methods}
STRINGS = [
    (method.name, field.name)
    for method in METHODS.values()
    for field in method.input_type.fields
    if field.type == field.TYPE_STRING
]


class Office(NamedTuple):
    """An administrator before a store whose file can be read, and what must not be in it."""

    server: LocalServer
    folder: Path
    key: str
    table: Table
    account: str
    other_key: str

    def secrets(self) -> list[str]:
        return [self.other_key, self.table.secrets[0], self.table.creator]

    def written(self) -> bytes:
        files = (self.folder / "appendonlydir").iterdir()
        return b"".join(file.read_bytes() for file in files)


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    valkey = Valkey(tmp_path_factory.mktemp("store"), *SAFE, "--auto-aof-rewrite-percentage", "0")
    yield valkey
    valkey.kill()


@pytest.fixture
async def office(valkey: Valkey) -> AsyncIterator[Office]:
    store = await open_store(valkey.address, Durability.DISK)
    async with open_server(store, admin=True) as server:
        _, key = await server.key(Role.ADMIN)
        account, other_key = await server.key(Role.PLAYER)
        yield Office(server, valkey.folder, key, await server.table(), account, other_key)


def request_of(office: Office, method: str) -> Any:
    """Return a request that is right but for what a test puts in."""
    request: Any = GetMessageClass(METHODS[method].input_type)()
    known = {
        "match_id": office.table.id,
        "account_id": office.account,
        "justification": "because",
        "name": "Bo",
    }
    for field in METHODS[method].input_type.fields:
        if field.name in known and field.type == field.TYPE_STRING:
            setattr(request, field.name, known[field.name])
    return request


@pytest.mark.parametrize(("method", "field"), STRINGS)
async def test_no_secret_in_an_argument_is_written_down(method, field, office):
    with capture_logs() as logs:
        for secret in office.secrets():
            for text in (secret, f"key {secret}", f"{secret}, of Bo"):
                request = request_of(office, method)
                setattr(request, field, text)
                call = getattr(office.server.admin, method)(request, metadata=bearer(office.key))
                assert await call.code() is not grpc.StatusCode.INTERNAL
    written = office.written()
    for secret in office.secrets():
        tail = secret.split("_", 2)[2] if secret.startswith("tfk_") else secret
        assert tail.encode() not in written
        assert tail not in str(logs)


async def test_a_key_is_revoked_by_its_text_too(office):
    revoke = pb.RevokeApiKeyRequest(key_id=office.other_key, justification="leaked")
    done = await office.server.admin.RevokeApiKey(revoke, metadata=bearer(office.key))
    assert done.key.HasField("revoke_time")
    assert done.key.id == office.other_key.split("_")[1]
    entries = await office.server.admin.ListAuditEntries(
        pb.ListAuditEntriesRequest(), metadata=bearer(office.key)
    )
    assert done.key.id in [entry.target for entry in entries.entries]


async def outcome(work: Any) -> str:
    """Return what the tool says of its failure."""
    try:
        await work
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "words", [["list-keys"], ["create-key"], ["revoke-key"], ["disable"], ["create-account"]]
)
async def test_the_tool_writes_no_secret_down(words, office):
    parser = argparse.ArgumentParser()
    tool.arguments(parser, argparse.ArgumentParser(add_help=False))
    for secret in office.secrets():
        reason = await outcome(
            tool.run(office.server.store, parser.parse_args([*words, "--", secret]))
        )
        assert secret not in reason
    written = office.written()
    for secret in office.secrets():
        assert secret.encode() not in written
