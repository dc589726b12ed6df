"""The toy game at the table, and the command line in process."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from taflhall_client.cli import run
from taflhall_engine import registry
from tests.engine.toy import QUAY


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
    registry.game.cache_clear()
    yield QUAY
    registry.game.cache_clear()


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
        told = capsys.readouterr()
        return Ran(status, told.out, told.err)

    return ran


@pytest.fixture
def cases_file(tmp_path):
    """Write a file of cases."""

    def write(text: str, name: str = "cases.toml") -> Path:
        path: Path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write
