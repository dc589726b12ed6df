"""The generator processes of a load begin together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from taflhall_client.load import run
from taflhall_client.load.measures import Figures
from taflhall_client.load.plan import Plan
from tests.waiting import wait_until


class _Pipe:
    """Keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, what: Any) -> None:
        self.sent.append(what)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The loads that have begun; each is over at once."""
    plans: list[Plan] = []

    async def generate(plan: Plan, report: Callable[[Figures], None]) -> None:
        plans.append(plan)

    monkeypatch.setattr(run, "generate", generate)
    return plans


def test_a_process_begins_when_all_are_up(begun: list[Plan]):
    pipe: Any = _Pipe()
    all_up = threading.Barrier(2)
    process = threading.Thread(
        target=run.generate_when_all_are_up, args=(Plan("here:1"), pipe, all_up)
    )
    process.start()
    wait_until(lambda: all_up.n_waiting == 1)
    assert not begun
    all_up.wait()
    process.join()
    assert len(begun) == 1
    assert pipe.sent == [None]


def test_processes_of_which_one_never_comes_up_say_so(begun: list[Plan]):
    pipe: Any = _Pipe()
    all_up = threading.Barrier(2)
    all_up.abort()
    run.generate_when_all_are_up(Plan("here:1"), pipe, all_up)
    assert pipe.sent == ["the generator processes do not start"]
    assert not begun
