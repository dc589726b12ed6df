"""Nothing that proves anybody goes where others read: logs, audit, metrics, errors, the store.

And nothing that comes in makes a line of the log look like another one (T9).
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from prometheus_client import generate_latest

from taflhall.admin.v1 import admin_service_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.async_client import Client
from taflhall_client.errors import MatchNotFound, TaflhallError
from taflhall_service.app.access.accounts import Role
from taflhall_service.observability.logging import configure_logs
from taflhall_service.observability.metrics import Meter
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import bearer, open_server
from tests.service.test_matches import setup
from tests.waiting import until

HOSTILE = (
    "\r\n",
    '\n{"level":"info"}',
    "\x1b[31m",
    "\x00",
    "\u202e",
    "\u2028",
    "\u0085",
    "\x7f",
    '"}\n{"event":"fault"',
    "%s%n",
    "\ud800",
    "\U000e0001",
)
NAMES = 600


@pytest.fixture
def logged() -> Iterator[Callable[[], list[str]]]:
    """Return a function that gives the lines logged until now, as they would be written."""
    written = io.StringIO()
    configure_logs("debug")
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(written), cache_logger_on_first_use=False
    )
    yield lambda: written.getvalue().split("\n")[:-1]
    structlog.reset_defaults()


async def test_no_secret_and_no_key_leaves_the_server(logged: Any):
    meter, memory = Meter(), Memory()
    answers: list[bytes] = []
    async with open_server(MemoryStore(memory), meter=meter, admin=True) as server:
        _, admin = await server.key(Role.ADMIN)
        account, key = await server.key()
        revoked, gone = await server.key()
        table = await server.table()
        made = await server.match.CreateMatch(
            pb.CreateMatchRequest(setup=setup()), metadata=bearer(key)
        )
        match_id = made.match.id
        joined = await server.match.JoinMatch(
            pb.JoinMatchRequest(match_id=match_id, name="Ann"), metadata=bearer(key)
        )
        wrong = "tfk_aaaaaaaaaaaaaaaa_" + "wrong" * 8
        secrets = [key, admin, gone, wrong, made.creator_secret, joined.seat_secret]
        secrets += [table.creator, *table.secrets, "a-secret-of-nobody-0123456789"]
        await server.accounts.update(revoked, None, None, True)

        async def response(call: Any) -> None:
            try:
                answers.append((await call).SerializeToString())
            except grpc.aio.AioRpcError as error:
                answers.append(repr((error, error.trailing_metadata())).encode())

        for secret in secrets:
            for request in (
                server.match.GetMatch(
                    pb.GetMatchRequest(match_id=match_id), metadata=bearer(secret)
                ),
                server.match.ListMatches(pb.ListMatchesRequest(), metadata=bearer(secret)),
                server.match.GetMatch(pb.GetMatchRequest(match_id=secret), metadata=bearer(secret)),
                server.match.JoinMatch(
                    pb.JoinMatchRequest(match_id=match_id, name=secret[:60]), metadata=bearer(wrong)
                ),
                server.admin.ListAuditEntries(
                    admin_service_pb2.ListAuditEntriesRequest(), metadata=bearer(secret)
                ),
                server.admin.CreateAccount(
                    admin_service_pb2.CreateAccountRequest(name="x"), metadata=bearer(secret)
                ),
            ):
                await response(request)
        await response(
            server.admin.ListApiKeys(
                admin_service_pb2.ListApiKeysRequest(account_id=account), metadata=bearer(admin)
            )
        )
        audit = admin_service_pb2.ListAuditEntriesRequest(page_size=1000)
        await response(server.admin.ListAuditEntries(audit, metadata=bearer(admin)))
        server.matches.current = boom  # type: ignore[method-assign]
        for secret in secrets:
            call = server.match.GetMatch(
                pb.GetMatchRequest(match_id=match_id), metadata=bearer(secret)
            )
            await response(call)
        accounts = await memory.accounts.all("accounts") | await memory.accounts.all("keys")
        entries = await memory.accounts.read_audit("", 1000)
    kept = repr((accounts, entries, memory.matches, memory.records, memory.entries)).encode()
    seen = {
        "logs": "\n".join(logged()).encode(),
        "metrics": generate_latest(meter.registry),
        "store": kept,
        "answers": b"\n".join(answer for answer in answers if b"match_id" not in answer),
    }
    assert len(seen["logs"]) > 100
    for place, text in seen.items():
        for secret in secrets:
            proof = secret.split("_", 2)[2] if secret.startswith("tfk_") else secret
            if place == "store" and proof == wrong.split("_", 2)[2]:
                continue
            assert proof.encode() not in text, f"{place} has {secret[:8]}..."


async def boom(match_id: str) -> Any:
    raise RuntimeError("a fault whose text nobody may see")


async def test_hostile_names_make_no_line_of_the_log(logged: Any):
    rng = random.Random(7)
    async with open_server() as server:
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        match_id = made.match.id
        taken = 0
        for number in range(NAMES):
            parts = [rng.choice([*HOSTILE[:10], HOSTILE[11], "Ann", " ", "ü", "x" * 70])]
            name = "".join([*parts, rng.choice(HOSTILE[:10]), str(number)])
            for call in (
                server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name=name)),
                server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(), title=name)),
                server.match.GetMatch(pb.GetMatchRequest(match_id=name)),
            )[number % 3 :: 3]:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await call
                    taken += 1
        for name in HOSTILE:
            with contextlib.suppress(Exception):
                await server.accounts.create(name, Role.PLAYER)
        names = [account.name for account in await server.accounts.all()]
    assert all(name.isprintable() for name in names)
    assert taken < NAMES / 5
    for line in logged():
        assert isinstance(json.loads(line), dict)


def test_whatever_is_logged_is_one_line_of_json_each(logged: Any):
    """The last defence: even what should never be logged cannot break a line."""
    log = structlog.get_logger("test")
    rng = random.Random(3)
    number = 10_000
    for count in range(number):
        text = "".join(rng.choice([*HOSTILE, "a", "{", "}"]) for _ in range(rng.randrange(1, 9)))
        log.info("told", count=count, text=text)
    lines = logged()
    assert len(lines) == number
    assert [json.loads(line)["count"] for line in lines] == list(range(number))
    assert all(line.isprintable() for line in lines)


async def test_a_key_on_the_command_line_of_the_tool_is_shown_once_and_kept_nowhere(tmp_path: Path):
    """The first key: made at the store, valid at the administrators' port."""
    store = ["--store", f"embedded:{tmp_path / 'data'}"]
    tool = [sys.executable, "-m", "taflhall_service.main", "admin"]
    made = await asyncio.to_thread(
        subprocess.run,
        [*tool, "create-account", *store, "--role", "admin", "Root"],
        capture_output=True,
        text=True,
        check=True,
    )
    account, key = (line.split()[-1] for line in made.stdout.splitlines())
    assert key.startswith("tfk_")
    server = subprocess.Popen(  # noqa: ASYNC220
        [
            *[sys.executable, "-m", "taflhall_service.main", "--listen", "127.0.0.1:0"],
            *[*store, "--admin", "127.0.0.1:0"],
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        lines = [await asyncio.to_thread(server.stdout.readline) for _ in range(2)]
        game, office = (line.rpartition(" ")[2].strip() for line in lines)
        from taflhall_client.admin import Admin

        async with Admin(office, key) as admin:
            assert [a.account_id for a in await admin.accounts()] == [account]
            done = await admin.audit()
            assert [entry.action for entry in done][-1] == "tool create-account"
        async with Client(game, key=key) as client:
            with pytest.raises(MatchNotFound):
                await client.match("a" * 26).get()
        revoked = await asyncio.to_thread(
            subprocess.run, [*tool, "revoke-key", *store, key], capture_output=True, text=True
        )
        assert (revoked.returncode, revoked.stdout.split()) == (0, [key.split("_")[1], "revoked"])

        async def is_refused() -> bool:
            async with Admin(office, key) as admin:
                try:
                    await admin.accounts()
                except TaflhallError:
                    return True
            return False

        await until(is_refused)
    finally:
        server.terminate()
        _, errors = await asyncio.to_thread(server.communicate)
    proof = key.split("_", 2)[2]
    assert proof not in errors
    for file in (tmp_path / "data").rglob("*"):
        if file.is_file():
            assert proof.encode() not in file.read_bytes(), file
