"""One run of a runbook: its signs, looked for, and its commands, run as they stand on the page."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from taflhall_client.ports import HOST
from tests.faults.control.rig import Rig
from tests.faults.control.server_process import ServerProcess
from tests.operate.runbooks.page import BEFORE, DO, Block, Runbook
from tests.operate.runbooks.supervisor import Supervisor, Unit
from tests.waiting import until

ALERTS: Final = Path(__file__).resolve().parents[3] / "deploy/observe/alerts.yaml"

REQUESTS: Final = "taflhall_rpc_requests_total"


class Trial:
    """A runbook on a rig; *names* are the values of the variables that its commands read."""

    def __init__(self, runbook: Runbook, rig: Rig, **names: str) -> None:
        self.runbook: Final = runbook
        self.rig: Final = rig
        self.names: Final = names
        self.supervisor: Final = Supervisor(rig.folder, rig.children)
        self._before: dict[str, dict[str, float]] = {}
        self._logged_before: dict[str, int] = {}

    @property
    def units(self) -> dict[str, Unit]:
        """What ``systemctl`` of the page starts and stops."""
        return self.supervisor.units

    async def begin(self) -> None:
        """From now on signs count; those of before do not."""
        self._before = {server.name: await samples(server) for server in self.rig.servers}
        self._logged_before = {server.name: len(log_of(server)) for server in self.rig.servers}

    async def prepare(self, number: int = 1) -> str:
        """Run commands of what has to be there before."""
        return await self._run(Block(BEFORE, number), 0)

    async def do(self, step: int, status: int = 0) -> str:
        """Run the commands of a step, which must end with *status*; return what they print."""
        return await self._run(Block(DO, step), status)

    async def shows(self) -> None:
        """Return when each alert, line of the log and reason that the table names has shown."""
        signs = self.runbook.signs
        for alert in signs.get("alert", []):
            name, labels = asked_by(alert)
            await self._appears(alert, partial(self._risen, name, labels))
        for event in signs.get("log", []):
            await self._appears(event, partial(self._logged, event))
        for reason in signs.get("callers get", [])[:1]:
            await self._appears(reason, partial(self._risen, REQUESTS, [f'outcome="{reason}"']))

    async def persists(self) -> bool:
        """Return whether the checks of the page say that it is not over."""
        for check in self.runbook.checks:
            if not await self._passes(check):
                return True
        return False

    async def over(self) -> None:
        """Return when the checks of the page say that it is over."""
        for check in self.runbook.checks:
            await self._appears(check, partial(self._passes, check))

    async def shell(self, commands: str) -> tuple[int, str]:
        """Run *commands* with the names of the page in the environment."""
        places = [self.supervisor.path, Path(sys.executable).parent, os.environ["PATH"]]
        process = await asyncio.create_subprocess_exec(
            *("sh", "-euc", commands),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=self.rig.folder,
            env=os.environ | self.names | {"PATH": ":".join(map(str, places))},
        )
        output = (await process.communicate())[0].decode()
        assert process.returncode is not None
        return process.returncode, output

    async def _run(self, block: Block, status: int) -> str:
        ended, output = await self.shell(self.runbook.commands[block])
        assert ended == status, f"{self.runbook.title}, {block}: status {ended}\n{output}"
        self.runbook.done.add(block)
        return output

    async def _passes(self, check: str) -> bool:
        return not (await self.shell(check))[0]

    async def _appears(self, what: str, condition: Callable[[], bool | Awaitable[bool]]) -> None:
        try:
            await until(condition)
        except TimeoutError:
            raise AssertionError(f"{self.runbook.title}: it never came to {what}") from None

    async def _risen(self, name: str, labels: list[str]) -> bool:
        for server in self.rig.servers:
            if server.child is not None and server.child.alive:
                now, before = await samples(server), self._before.get(server.name, {})
                if chosen(now, name, labels) > chosen(before, name, labels):
                    return True
        return False

    def _logged(self, event: str) -> bool:
        return any(
            line.get("event") == event
            for server in self.rig.servers
            for line in lines_of(log_of(server)[self._logged_before.get(server.name, 0) :])
        )


@asynccontextmanager
async def trial(runbook: Runbook, rig: Rig, **names: str) -> AsyncIterator[Trial]:
    """Yield a trial on *rig*, which ends with it."""
    async with rig:
        begun = Trial(runbook, rig, **names)
        await begun.supervisor.open()
        try:
            yield begun
        finally:
            begun.supervisor.close()


def asked_by(alert: str) -> tuple[str, list[str]]:
    """Return the metric that an alert asks for first, and its labels with their values."""
    text = ALERTS.read_text("utf-8")
    rule = re.search(rf"- alert: {alert}\n(.*?)labels:", text, re.DOTALL)
    assert rule is not None, f"there is no alert {alert}"
    metric = re.search(r"(taflhall_\w+)(\{[^}]*\})?", rule[1])
    assert metric is not None, f"{alert} asks for no metric"
    return metric[1], re.findall(r'\w+="[^"]*"', metric[2] or "")


async def samples(server: ServerProcess) -> dict[str, float]:
    """Return the metrics of a server, as Prometheus reads them; none if it does not answer."""
    return await asyncio.to_thread(_samples, server.metrics)


def _samples(port: int) -> dict[str, float]:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/metrics", timeout=10) as answer:
            text = answer.read().decode()
    except OSError:
        return {}
    pairs = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in pairs}


def chosen(found: dict[str, float], name: str, labels: list[str]) -> float:
    """Return the sum of the samples called *name* that have all *labels*."""
    return sum(
        value
        for sample, value in found.items()
        if sample.partition("{")[0] == name and all(label in sample for label in labels)
    )


def log_of(server: ServerProcess) -> str:
    """Return what a server has logged so far."""
    return server.log.read_text("utf-8", "replace") if server.log.exists() else ""


def lines_of(log: str) -> list[dict[str, object]]:
    """Return the lines of a log; the last one may not be whole yet."""
    lines = []
    for line in log.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            lines.append(found)
    return lines
