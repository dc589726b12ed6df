"""Runs scenarios: starts the servers and the driver, and compares what happens."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from taflhall_testing.clients.coverage import Coverage
from taflhall_testing.clients.driver import Driver, DriverFailed, Operation
from taflhall_testing.clients.fake import CERTIFICATES, FakeServer, as_data
from taflhall_testing.clients.real import RealServer, real_server
from taflhall_testing.clients.scenarios import METHODS, Data, InvalidScenario, Scenario
from taflhall_testing.clients.values import differences, filled

AT_ONCE: Final = 8
"""How many scenarios with a fake server run side by side."""

STEP_SECONDS: Final = 60.0
"""The longest that a step may take."""

CONNECT_SECONDS: Final = 30.0
"""The longest wait for the first answer of a server, unless a scenario says otherwise: a slow
machine runs several scenarios at once."""

HEARD_SECONDS: Final = 30.0
"""How long a request, or its cancellation, may take to the fake server."""

NOBODY: Final = "127.0.0.1:9"
"""An address at which nobody listens."""

_OWN: Final = {"do", "save", "expect", "error", "start", "await", "events", "restart", "heard"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a scenario went."""

    name: str
    faults: list[str]
    """What was wrong; empty if it passed."""
    skipped: str = ""
    """The operations that the driver lacks."""


class _Unlike(Exception):
    """A step went otherwise than the scenario says."""


async def run_scenarios(
    command: str,
    scenarios: Iterable[Scenario],
    report: Callable[[Outcome], None],
    *,
    verbose: bool = False,
) -> Coverage:
    """Run *scenarios* with the driver *command*; *report* each outcome.

    Raise :exc:`~taflhall_testing.clients.driver.DriverFailed` if the driver cannot be started.
    """
    chosen = list(scenarios)
    coverage = Coverage()
    async with AsyncExitStack() as stack:
        real: RealServer | None = None
        if any(scenario.server == "real" for scenario in chosen):
            real = stack.enter_context(real_server())
            await real.ready()
        driver = await stack.enter_async_context(Driver(command, verbose=verbose))

        async def run(number: int, scenario: Scenario) -> None:
            lacking = scenario.operations - driver.operations
            if lacking:
                report(Outcome(scenario.name, [], ", ".join(sorted(lacking))))
            else:
                going = _Run(number, scenario, driver, real, coverage)
                report(Outcome(scenario.name, await going.run()))

        places = asyncio.Semaphore(AT_ONCE)

        async def run_beside(number: int, scenario: Scenario) -> None:
            async with places:
                await run(number, scenario)

        numbered = list(enumerate(chosen, 1))
        await asyncio.gather(*(run_beside(n, s) for n, s in numbered if s.server == "fake"))
        for number, scenario in numbered:
            if scenario.server == "real":
                await run(number, scenario)
        if real is not None:
            await real.count()
            coverage.methods["real"].update(_full_names(real))
    return coverage


def _full_names(real: RealServer) -> dict[str, int]:
    return {m: n for m in METHODS if (n := real.called[m] or real.called[m.partition("/")[2]])}


class _Run:
    """One scenario under way."""

    def __init__(
        self,
        number: int,
        scenario: Scenario,
        driver: Driver,
        real: RealServer | None,
        coverage: Coverage,
    ) -> None:
        self._number = number
        self._scenario = scenario
        self._driver = driver
        self._real = real if scenario.server == "real" else None
        self._reasons = coverage.reasons[scenario.server]
        self._methods = coverage.methods["fake"]
        self._known: Data = {} if scenario.each is None else {"each": scenario.each}
        self._fake = FakeServer(scenario.replies, scenario.messages, self._known)
        self._started: dict[str, tuple[Operation, int]] = {}
        """Operations that run on, and how many of their events have been looked at."""
        self._clients: set[str] = set()
        self._mute: socket.socket | None = None
        """Takes connections and says nothing."""

    async def run(self) -> list[str]:
        """Run all steps; return what was wrong."""
        faults: list[str] = []
        await self._begin()
        number = 0
        try:
            for step in self._scenario.steps:
                number += 1
                async with asyncio.timeout(STEP_SECONDS):
                    await self._step(step)
        except TimeoutError:
            faults = [f"step {number}: nothing came within {STEP_SECONDS:g} s"]
        except (_Unlike, InvalidScenario, DriverFailed) as fault:
            faults = [f"step {number}: {line[:500]}" for line in str(fault).splitlines()]
        faults += await self._finish()
        for method, calls in self._fake.heard.items():
            self._methods[method] += len(calls)
        return faults + self._fake.faults + (self._driver.take_complaints() if faults else [])

    async def _begin(self) -> None:
        files = {name: str(CERTIFICATES / f"{name}.pem") for name in ("ca", "cert", "key")}
        if self._real is None:
            address = await self._fake.start(self._scenario.tls)
            self._mute = socket.create_server(("127.0.0.1", 0))
            mute = f"127.0.0.1:{self._mute.getsockname()[1]}"
            self._known["server"] = {
                "address": address,
                "replicas": f"{NOBODY},{address}",
                "mute": mute,
                "behind_mute": f"{mute},{address}",
                **files,
            }
        else:
            self._known["server"] = {
                "address": self._real.address,
                "admin": self._real.admin,
                "admin_key": self._real.admin_key,
            }

    async def _finish(self) -> list[str]:
        """Close what the scenario opened."""
        faults = []
        try:
            async with asyncio.timeout(STEP_SECONDS):
                for operation, _ in self._started.values():
                    if not operation.done:
                        await self._driver.carry_out("cancel", {"of": operation.id})
                        await self._until(operation, lambda op: op.done)
                for client in self._clients:
                    await self._driver.carry_out("close", {"client": client})
        except (TimeoutError, DriverFailed) as fault:
            faults = [f"in the end: {str(fault) or 'an operation does not end'}"]
        if self._real is None:
            await self._fake.stop()
        if self._mute is not None:
            self._mute.close()
        return faults

    async def _step(self, step: Data) -> None:
        if "heard" in step:
            await self._check_heard(filled(step, self._known))
        elif "restart" in step:
            await (self._fake if self._real is None else self._real).restart()
        elif "await" in step:
            await self._await(step)
        elif "do" in step:
            await self._operate(step)
        else:
            raise InvalidScenario(f"a step does nothing: {step}")

    async def _operate(self, step: Data) -> None:
        arguments = filled({k: v for k, v in step.items() if k not in _OWN}, self._known)
        if step["do"] == "cancel" and arguments.get("of") in self._started:
            arguments["of"] = self._started[arguments["of"]][0].id
        if step["do"] != "cancel":
            arguments["client"] = f"{self._number} {arguments.get('client', 'default')}"
        if step["do"] == "connect":
            arguments.setdefault("address", self._known["server"]["address"])
            arguments.setdefault("connect_deadline", CONNECT_SECONDS)
        if "start" in step:
            operation = await self._driver.start(step["do"], arguments)
            self._started[step["start"]] = (operation, 0)
            return
        operation = await self._driver.carry_out(step["do"], arguments)
        if step["do"] == "connect" and operation.error is None:
            self._clients.add(arguments["client"])
        self._compare(step, operation, 0)

    async def _await(self, step: Data) -> None:
        name = step["await"]
        if name not in self._started:
            raise InvalidScenario(f"{name!r} was not started")
        operation, seen = self._started[name]
        wanted = len(step.get("events", ()))
        if "expect" in step or "error" in step:
            await self._until(operation, lambda op: op.done)
        else:
            await self._until(operation, lambda op: op.done or len(op.events) >= seen + wanted)
        self._compare(step, operation, seen)
        self._started[name] = (operation, seen + wanted)

    def _compare(self, step: Data, operation: Operation, seen: int) -> None:
        """Raise :exc:`_Unlike` unless the operation went as the step says."""
        if "events" in step:
            wanted = filled(step["events"], self._known)
            lines = differences(wanted, operation.events[seen:], "events")
            if lines:
                raise _Unlike("\n".join([*lines, *_ending(operation)]))
        if operation.error is not None:
            reason = operation.error.get("reason", "")
            if "error" not in step:
                raise _Unlike(f"failed with {reason}: {operation.error.get('message', '')}")
            found, key = operation.error, "error"
            self._reasons[reason] += 1
        else:
            if "error" in step:
                raise _Unlike(f"did not fail: {operation.result}")
            found, key = operation.result, "expect"
        if key in step and (lines := differences(filled(step[key], self._known), found, key)):
            raise _Unlike("\n".join([*lines, *_ending(operation)]))
        if operation.op == "watch" and (missed := _missed(operation.events)):
            raise _Unlike(missed)
        if "save" in step:
            self._known[step["save"]] = found

    async def _until(self, operation: Operation, ready: Callable[[Operation], bool]) -> None:
        while not ready(operation):
            self._driver.check()
            operation.news.clear()
            await operation.news.wait()

    async def _check_heard(self, step: Data) -> None:
        end = asyncio.get_running_loop().time() + HEARD_SECONDS
        while faults := self._unheard(step):
            if asyncio.get_running_loop().time() > end:
                raise _Unlike("\n".join(f"{step['heard']}: {fault}" for fault in faults))
            await asyncio.sleep(0.02)

    def _unheard(self, step: Data) -> list[str]:
        """Return how the calls that the fake server got differ from what *step* says."""
        calls = self._fake.calls_of(step["heard"])
        faults = []
        if "calls" in step and len(calls) != step["calls"]:
            faults.append(f"{len(calls)} calls instead of {step['calls']}")
        if len(calls) < step.get("at_least", 0):
            faults.append(f"{len(calls)} calls instead of at least {step['at_least']}")
        if step.get("repeated") is False and len(calls) > 1:
            faults.append(f"{len(calls)} calls: it was repeated")
        dropped = sum(call.cancelled for call in calls)
        if "dropped" in step and dropped != step["dropped"]:
            faults.append(f"{dropped} calls were cancelled instead of {step['dropped']}")
        whole = [call.requests for call in calls if call.requests]  # the last may be cut off
        if step.get("alike") and any(a != b for a, b in pairwise(whole)):
            faults.append("the requests differ")
        if any(b.started - a.started < step.get("apart", 0.0) for a, b in pairwise(calls)):
            faults.append(f"two calls are less than {step['apart']} s apart")
        if step.get("cancelled") and not (calls and calls[-1].cancelled):
            faults.append("the last call was not cancelled")
        method = next(m for name, m in METHODS.items() if name.endswith("/" + step["heard"]))
        for key, index in (("first", 0), ("request", -1)):
            if key in step and whole:
                faults += differences(step[key], as_data(method, whole[-1][index]), key)
        return faults


def _missed(events: list[Any]) -> str:
    """Return what is wrong with the order of the events of a watch."""
    for before, after in pairwise(events):
        if after.get("snapshot") is None and after["revision"] != before["revision"] + 1:
            return f"revision {after['revision']} came after {before['revision']}"
    return ""


def _ending(operation: Operation) -> list[Any]:
    if operation.error is not None:
        return [f"it ended with {operation.error.get('reason')}: {operation.error.get('message')}"]
    return [f"it ended with {operation.result}"] if operation.done else []
