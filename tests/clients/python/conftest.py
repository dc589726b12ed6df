"""The toy game at the table, and the command line in process."""

import contextlib
import socket
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from taflhall_client import async_client
from taflhall_client.cli import run
from taflhall_client.ports import free_port
from taflhall_client.processes import Children
from taflhall_engine import registry
from taflhall_engine.conformance import RUNNERS
from tests.clients.python.scripted import serve
from tests.engine.toy import QUAY
from tests.waiting import wait_until

__all__ = ["serve"]


class Ran(NamedTuple):
    """What a command line did."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def quay(monkeypatch):
    """The toy game, registered as any game is."""
    monkeypatch.setitem(registry.GAMES, "quay", "quay.game:QuayGame")
    monkeypatch.setitem(RUNNERS, "quay", "quay.cases")
    return QUAY


@pytest.fixture
def taflhall(capsys, monkeypatch):
    """Run the command line in this process, with lines to be typed."""

    def ran(*args: Any, typed: tuple[str, ...] = ()) -> Ran:
        lines = iter(typed)

        def read(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)
        status = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return ran


@pytest.fixture
def cases_file(tmp_path):
    """Write a file of cases."""

    def write(text: str, name: str = "cases.toml") -> Path:
        path: Path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address of a real server, which keeps its matches in memory."""
    log = tmp_path_factory.mktemp("server") / "log"
    where = f"127.0.0.1:{free_port()}"
    with log.open("wb") as out, Children() as children:
        args = ("--listen", where, "--store", "memory:", "--grace", "0.2")
        server = children.start("taflhall_service.main", *args, log=out)
        host, _, port = where.rpartition(":")

        def listens() -> bool:
            assert server.poll() is None, log.read_text("utf-8")
            with contextlib.suppress(OSError):
                socket.create_connection((host, int(port)), 1.0).close()
                return True
            return False

        wait_until(listens)
        yield where


@pytest.fixture
async def client(address):
    """An asynchronous client of the server."""
    async with async_client.Client(address) as client:
        yield client
