"""Runs the tests on one mutant after the other, each in a process of its own.

The tests are collected once. They run once to find which lines of the modules each of them
executes. Then a process is forked for every mutant: it takes over the mutant's function and runs
the tests that execute the changed line until one fails. A mutant that changes what happens at
import gets a process that has imported nothing yet.

Tests of an engine are run in the order of their time. Tests of a service (:attr:`Tests.apart`)
start threads, which a fork does not copy: they are only ever run in a forked process. Those that
execute most of the changed module in the least time come first, and :attr:`Tests.patience` limits
their time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import math
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant

QUIET: Final = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "timeout=0"]
GRACE: Final = 2.0
"""Seconds of processor time that a test may take in addition to ten times its usual."""
STATIC_LIMIT: Final = 120
"""Seconds of processor time that all tests may take for a mutant of what is done at import."""
WALL_GRACE: Final = 15.0
"""Seconds that a test of a service may take in addition to ten times its usual."""
SURVIVED: Final = ""


class Fate(NamedTuple):
    """The fate of a mutant: the test that noticed it, or :data:`SURVIVED`."""

    mutant: Mutant
    killer: str


class Tests(NamedTuple):
    """The tests that should notice a mutant, and how they are run."""

    paths: list[str]
    """Arguments of pytest."""
    wanted: Callable[[str, float], bool]
    """Whether a test takes part, by its name and its seconds of processor time."""
    traced: float
    """Seconds of processor time: the lines that a longer test executes are not recorded."""
    apart: bool = False
    """Run every test in a forked process only."""
    patience: float = math.inf
    """Seconds that the tests of one mutant may take together."""
    kept: Path | None = None
    """Keeps what the tests execute from one run to the next, if they are run apart."""
    files: frozenset[str] = frozenset()
    """What else they may execute that is to be kept."""


Report = Callable[[Fate], None]


def numbers_in(modules: list[str]) -> dict[str, set[str]]:
    """Return the names of each module's globals that hold an integer, without importing it here."""
    program = (
        "import importlib, json, sys\n"
        "found = {}\n"
        "for name in sys.argv[1:]:\n"
        "    held = vars(importlib.import_module(name)).items()\n"
        "    found[name] = [n for n, v in held if type(v) is int and n.isupper()]\n"
        "print(json.dumps(found))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", program, *modules], check=True, capture_output=True, text=True
    ).stdout
    return {name: set(held) for name, held in json.loads(output).items()}


def run_static(mutants: list[Mutant], modules: dict[Path, str], paths: list[str]) -> Iterator[Fate]:
    """Yield the fate of mutants of what is done at import; call it before anything is imported."""
    for mutant in mutants:
        yield Fate(mutant, _heard(*_fork(partial(_import_mutant, mutant, modules, paths))))


def run_dynamic(
    mutants: list[Mutant],
    modules: dict[Path, str],
    tests: Tests,
    jobs: int,
    report: Report,
) -> None:
    """Report the fate of mutants of functions. Raise if a test fails without any."""
    plugin = _Mutating(mutants, modules, tests, jobs, report)
    pytest.main([*QUIET, *tests.paths], plugins=[plugin])
    if plugin.failed:
        raise RuntimeError(f"without a mutant fails {plugin.failed}")


class _Mutating:
    """A plugin of pytest that runs the collected tests in its own way."""

    def __init__(
        self,
        mutants: list[Mutant],
        modules: dict[Path, str],
        tests: Tests,
        jobs: int,
        report: Report,
    ) -> None:
        self._mutants = mutants
        self._modules = modules
        self._tests = tests
        self._jobs = jobs
        self._report = report
        self.failed = "the collection of the tests"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        files = {str(path) for path in self._modules} | self._tests.files
        checks = self._checks_apart(session, files) if self._tests.apart else []
        self.failed = ""
        for item in [] if self._tests.apart else session.items:
            check = _measured(item, files, self._tests.traced)
            if check is None:
                self.failed = item.nodeid
                return True
            checks.append(check)
        checks = [c for c in checks if self._tests.wanted(c.item.nodeid, c.seconds)]
        checks.sort(key=lambda check: check.seconds)
        running: dict[int, tuple[int, Mutant]] = {}
        for mutant in self._mutants:
            wanted = [check for check in checks if check.executes(mutant)]
            if not wanted:
                self._report(Fate(mutant, SURVIVED))
                continue
            if self._tests.apart:
                path = str(mutant.path)
                wanted.sort(key=lambda c: c.seconds / max(1, len(c.lines.get(path, ()))))
            while len(running) >= self._jobs:
                self._collect(running)
            pid, end = _fork(partial(self._try, mutant, wanted))
            running[end] = (pid, mutant)
        while running:
            self._collect(running)
        return True

    def _checks_apart(self, session: pytest.Session, files: set[str]) -> list[_Check]:
        """Return what the tests execute, as far as it is known without running them."""
        kept = self._tests.kept
        known: dict[str, tuple[float, dict[str, set[int]]] | None]
        known = pickle.loads(kept.read_bytes()) if kept and kept.exists() else {}
        for number, item in enumerate(session.items):
            if number % 100 == 0:
                print(f"test {number} of {len(session.items)}", file=sys.stderr, flush=True)
            if item.nodeid not in known:
                known[item.nodeid] = _measured_apart(item, files)
            if known[item.nodeid] is None:
                print(f"left out, as it fails without a mutant: {item.nodeid}", file=sys.stderr)
        if kept:
            kept.write_bytes(pickle.dumps(known))
        return [_Check(item, *held) for item in session.items if (held := known[item.nodeid])]

    def _try(self, mutant: Mutant, checks: list[_Check], send: Callable[[str], None]) -> None:
        _take_over(mutant, sys.modules[self._modules[mutant.path]])
        until = time.monotonic() + self._tests.patience
        for check in checks:
            if time.monotonic() > until:
                break
            send(check.item.nodeid)
            if self._tests.apart:
                signal.setitimer(signal.ITIMER_REAL, WALL_GRACE + 10 * check.seconds)
            signal.setitimer(signal.ITIMER_VIRTUAL, GRACE + 10 * check.seconds)
            if any(outcome.failed for outcome in runtestprotocol(check.item, log=False)):
                return
        send(SURVIVED)

    def _collect(self, running: dict[int, tuple[int, Mutant]]) -> None:
        for end in select.select(list(running), [], [])[0]:
            pid, mutant = running.pop(end)
            self._report(Fate(mutant, _heard(pid, end)))


class _Check(NamedTuple):
    item: pytest.Item
    seconds: float
    lines: dict[str, set[int]]
    """By file; empty if the test was too long to look."""

    def executes(self, mutant: Mutant) -> bool:
        if not self.lines:
            return True
        lines = self.lines.get(str(mutant.path), set())
        return any(line in lines for line in range(mutant.first, mutant.last + 1))


def _measured_apart(item: pytest.Item, files: set[str]) -> tuple[float, dict[str, set[int]]] | None:
    """Do as :func:`_measured` in a process of its own, in one run, with the time that it waits."""
    with tempfile.NamedTemporaryFile() as file:

        def work(_send: Callable[[str], None]) -> None:
            began = time.monotonic()
            lines = _traced(item, files)
            if lines is not None:
                Path(file.name).write_bytes(pickle.dumps((time.monotonic() - began, lines)))

        _heard(*_fork(work))
        held = Path(file.name).read_bytes()
    return pickle.loads(held) if held else None


def _measured(item: pytest.Item, files: set[str], traced: float) -> _Check | None:
    """Run a test as it is; return what it costs and executes, or ``None`` if it fails."""
    began = time.process_time()
    if any(report.failed for report in runtestprotocol(item, log=False)):
        return None
    seconds = time.process_time() - began
    return _Check(item, seconds, {} if seconds > traced else _traced(item, files) or {})


def _traced(item: pytest.Item, files: set[str]) -> dict[str, set[int]] | None:
    """Run a test; return which lines of *files* it executes, or ``None`` if it fails."""
    lines: dict[str, set[int]] = {name: set() for name in files}

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        executed = lines.get(frame.f_code.co_filename)
        if executed is None:
            return None

        def follow(frame: FrameType, event: str, _arg: object) -> Any:
            if event == "line":
                executed.add(frame.f_lineno)
            return follow

        return follow

    sys.settrace(enter)
    try:
        reports = runtestprotocol(item, log=False)
    finally:
        sys.settrace(None)
    return None if any(report.failed for report in reports) else lines


def _take_over(mutant: Mutant, module: ModuleType) -> None:
    """Give the functions of a module that has been imported the mutant's code."""
    for code in _codes(mutant.compile()):
        target: Any = module
        for name in code.co_qualname.split("."):
            target = vars(target).get(name) if target is not None else None
        target = getattr(target, "fget", None) or getattr(target, "__func__", None) or target
        target = getattr(target, "func", None) or inspect.unwrap(target)
        if getattr(target, "__code__", None) is not None:
            target.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _import_mutant(
    mutant: Mutant, modules: dict[Path, str], paths: list[str], send: Callable[[str], None]
) -> None:
    """Run all tests with the mutant in the place of its module."""
    name = modules[mutant.path]
    code = mutant.compile()

    class Loader(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            assert fullname == name
            return code

    class Finder:
        @staticmethod
        def find_spec(fullname: str, *_: object) -> Any:
            if fullname != name:
                return None
            loader = Loader(name, str(mutant.path))
            return importlib.util.spec_from_file_location(name, mutant.path, loader=loader)

    class Listener:
        @staticmethod
        def pytest_runtest_logreport(report: pytest.TestReport) -> None:
            if report.failed:
                send(report.nodeid)

    sys.meta_path.insert(0, Finder)
    signal.setitimer(signal.ITIMER_VIRTUAL, STATIC_LIMIT)
    send("the import")
    if pytest.main(["-x", *QUIET, *paths], plugins=[Listener]) == pytest.ExitCode.OK:
        send(SURVIVED)


# ---------------------------------------------------------------- processes


def _fork(work: Callable[[Callable[[str], None]], None]) -> tuple[int, int]:
    """Do *work* in a child process; return its number and where to read what it sends."""
    end, begin = os.pipe()
    pid = os.fork()
    if pid:
        os.close(begin)
        return pid, end

    def send(text: str) -> None:
        os.write(begin, f"{text}\n".encode())

    with contextlib.suppress(BaseException):
        os.close(end)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        work(send)
    os._exit(0)


def _heard(pid: int, end: int) -> str:
    """Wait for a child and return the last line it sent: the test it died in, or nothing."""
    with open(end, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    os.waitpid(pid, 0)
    return lines[-2] if len(lines) > 1 else "the start"
