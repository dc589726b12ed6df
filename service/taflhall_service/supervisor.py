"""Several workers on one port: the first process keeps the embedded store and ends the others.

A worker gets its settings as JSON in its environment, since command lines are public and an
address may contain a password.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import structlog

from taflhall_service.process import stop_signal
from taflhall_service.settings import Settings
from taflhall_service.store.address import BadAddress
from taflhall_service.store.embedded import Embedded
from taflhall_service.store.exec_with_parent import spawn
from taflhall_service.web.page import page_at

VARIABLE: Final = "TAFLHALL_WORKER_SETTINGS"
"""The environment variable that makes a process a worker: its settings as JSON."""

LOOK_SECONDS: Final = 0.5
"""How often to look whether all workers live."""

_log = structlog.get_logger("server")


def worker_settings() -> Settings | None:
    """Return the settings of this worker; ``None`` if this process is not one."""
    given = os.environ.get(VARIABLE)
    return None if given is None else Settings(**json.loads(given))


async def supervise(settings: Settings) -> int:
    """Run the workers and return the exit status; when one dies or a signal comes, end all."""
    kind, _, place = settings.store.partition(":")
    embedded = Embedded(Path(place)) if kind == "embedded" else None
    if embedded is not None:
        await embedded.start()
    store = settings.store if embedded is None else embedded.address
    try:
        with ExitStack() as reserved:
            listen, web = (
                _reserve(address, reserved) if address else ""
                for address in (settings.listen, settings.web)
            )
            shared = dataclasses.replace(settings, listen=listen, web=web, store=store, workers=1)
            return await _run_workers(shared, settings.workers)
    finally:
        if embedded is not None:
            await embedded.stop()


async def _run_workers(shared: Settings, count: int) -> int:
    stop = stop_signal()
    workers = [_start(_settings_of(shared, number)) for number in range(count)]
    print(f"listening on {shared.listen}", flush=True)  # noqa: T201
    if shared.web:
        print(f"web at {shared.web}", flush=True)  # noqa: T201
        host, _, port = shared.web.rpartition(":")
        if line := page_at(shared.web_page, host, int(port), secure=bool(shared.tls_cert)):
            print(line, flush=True)  # noqa: T201
    while not stop.is_set() and all(worker.poll() is None for worker in workers):
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_SECONDS)
    died = {} if stop.is_set() else {n: worker.poll() for n, worker in enumerate(workers)}
    for number, code in died.items():
        if code is not None:
            _log.error("worker_died", worker=number, status=_status(code))
    for worker in workers:
        worker.terminate()
    codes = await asyncio.gather(*[asyncio.to_thread(worker.wait) for worker in workers])
    # a worker that does not serve yet is ended by the signal itself
    ended = [0 if c == -signal.SIGTERM and died.get(n) is None else c for n, c in enumerate(codes)]
    return max(_status(code) for code in ended)


def _settings_of(shared: Settings, number: int) -> Settings:
    """Return the settings of one worker; tasks that run once are the first worker's."""
    first = number == 0
    return dataclasses.replace(
        shared,
        metrics=shared.metrics + number if shared.metrics else 0,
        archive=shared.archive if first else "",
        admin=shared.admin if first else "",
        abandon_after=shared.abandon_after if first else 0.0,
    )


def _start(settings: Settings) -> subprocess.Popen[bytes]:
    return spawn(
        [sys.executable, "-m", "taflhall_service.main"],
        env=os.environ | {VARIABLE: json.dumps(dataclasses.asdict(settings))},
        stdout=subprocess.DEVNULL,
    )


def _status(code: int) -> int:
    """Return how a worker ended as shells do: 128 and the signal that killed it."""
    return code if code >= 0 else 128 - code


def _reserve(address: str, reserved: ExitStack) -> str:
    """Bind the port that the workers will share, without listening on it; return its address.

    Raise ``BadAddress`` if it is in use: the system would let workers of two servers share it.
    """
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    place = (host.strip("[]"), int(port))
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)  # refused if another server's workers have it
        bound = reserved.enter_context(socket.socket(family))
        # A server of one process may have left connections that the system still remembers.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(place)
    except OSError as error:
        raise BadAddress(f"cannot listen at {address}: {error.strerror}") from None
    return f"{host}:{bound.getsockname()[1]}"
