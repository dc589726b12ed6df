"""``taflhall-server``: settings, wiring, and the life of the process.

One process serves; with ``--workers`` several do, sharing the port, and the first only keeps
the embedded store and hands on signals. SIGTERM drains: health says no, new calls are sent
elsewhere, streams end with a hint, commits finish; after a hard limit the process ends anyway.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import start_http_server

from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.ports.match_store import Store
from taflhall_service.app.watching.channels import Hub
from taflhall_service.chores import HOUR, Chores
from taflhall_service.observability.logging import configure_logs
from taflhall_service.observability.metrics import Meter
from taflhall_service.operate.command import TOOLS, run_tool
from taflhall_service.rpc.admin_server import AdminServer
from taflhall_service.rpc.server import Server
from taflhall_service.rpc.tls import BadCertificate, Tls
from taflhall_service.settings import Settings, read_settings
from taflhall_service.store.address import BadAddress, DurabilityTooLow, open_archive, open_store
from taflhall_service.store.embedded import Embedded, EmbeddedStoreError
from taflhall_service.store.exec_with_parent import die_with_parent

CHECK_SECONDS: Final = 2.0
"""How often the store is asked whether it answers."""

UNREADY_SECONDS: Final = 30.0
"""How long it may stay silent before health says so: a failover is shorter."""

_log = structlog.get_logger("server")


def main() -> None:
    """Run the server until it is told to stop, or one of the operator's tools."""
    if sys.argv[1:2] and sys.argv[1] in TOOLS:
        sys.exit(run_tool(sys.argv[1:]))
    settings = read_settings()
    configure_logs(settings.log_level)
    if _is_worker():
        die_with_parent()
    try:
        if settings.workers > 1:
            status = asyncio.run(_supervise(settings))
        else:
            status = _run(settings)
    except (BadAddress, BadCertificate, EmbeddedStoreError, DurabilityTooLow) as error:
        status = _complain(str(error))
    except Refused:
        status = _complain(f"the store {settings.store} does not answer")
    except OSError as error:
        status = _complain(f"{error.filename or settings.store}: {error.strerror}")
    except KeyboardInterrupt:
        status = 130
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # nothing that hangs in a library may keep the process


def _complain(what: str) -> int:
    print(f"taflhall-server: {what}", file=sys.stderr)  # noqa: T201
    return 1


def _run(settings: Settings) -> int:
    if sys.platform == "win32":
        return asyncio.run(_serve(settings))
    import uvloop

    return uvloop.run(_serve(settings))


async def _serve(settings: Settings) -> int:
    meter = Meter()
    store = await open_store(settings.store, settings.durability, meter.store)
    stop = _stop_signal()
    try:
        await serve(settings, store, meter, stop)
    finally:
        await store.close()
    return 0


async def serve(settings: Settings, store: Store, meter: Meter, stop: asyncio.Event) -> None:
    """Serve over *store* until *stop* is set, then drain."""
    archive = open_archive(settings.archive) if settings.archive else None
    hub = Hub(store)
    limits = settings.limits
    matches = Matches(store, hub, limits, await store.key(), settings.tables)
    accounts = Accounts(store.books, limits)
    server = Server(
        matches,
        limits,
        meter,
        reflect=not settings.public,
        share_port=_is_worker(),
        accounts=accounts,
        proxied=settings.behind_proxy,
    )
    admin = AdminServer(matches, accounts, limits, meter) if settings.admin else None
    _measure(meter, matches)
    if settings.metrics:
        start_http_server(settings.metrics, settings.metrics_host, meter.registry)
    host, _, _ = settings.listen.rpartition(":")
    await matches.signs.give()
    port = await _listen(server, settings.listen, settings.tls)
    admin_host, admin_port = settings.admin.rpartition(":")[0], 0
    if admin is not None:
        admin_port = await _listen(admin, settings.admin, settings.admin_tls)
        _log.info("administering", port=admin_port, host=admin_host)
    _spare_the_collector()
    level = store.durability.name.lower()
    _log.info("listening", port=port, store=settings.store.partition(":")[0], durability=level)
    if not _is_worker():
        print(f"listening on {host}:{port}", flush=True)  # noqa: T201
        if admin_port:
            print(f"administrators at {admin_host}:{admin_port}", flush=True)  # noqa: T201
    checker = asyncio.create_task(_check(store, server))
    chores = Chores(matches, meter)
    matches.keep_seconds = settings.keep_finished * HOUR
    chores.start(settings.self_check, archive, settings.keep_finished, settings.abandon_after)
    await stop.wait()
    _log.info("draining")
    hard_limit = settings.drain_delay + 3 * settings.grace + 1
    asyncio.get_running_loop().call_later(hard_limit, os._exit, 1)
    checker.cancel()
    await chores.stop()
    if admin is not None:
        await admin.stop(settings.grace)
    await server.drain(settings.drain_delay, settings.grace)
    await hub.stop()
    _log.info("stopped")


async def _listen(server: Server | AdminServer, address: str, tls: Tls | None) -> int:
    try:
        return await server.start(address, tls.credentials() if tls is not None else None)
    except RuntimeError as error:
        raise BadAddress(f"cannot listen at {address}: {error}") from None


def _spare_the_collector() -> None:
    """Let the garbage collector look at what comes from now on, and seldom at all of it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5, 2_000)


def _measure(meter: Meter, matches: Matches) -> None:
    hub, store = matches.hub, matches.store
    meter.gauge_from("durability_level", "1 memory to 4 replicated", lambda: store.durability)
    meter.gauge_from("watched_matches", "Matches that somebody watches here", lambda: len(hub))
    meter.gauge_from("cached_matches", "Matches in memory", lambda: len(matches))
    meter.counter_from("commit_conflicts", "Commits prepared anew", lambda: matches.conflicts)
    meter.counter_from(
        "notifications_missed", "Changes the poll found first", lambda: hub.hints_missed
    )
    meter.counter_from(
        "store_failovers", "Other primaries that were found", lambda: store.failovers
    )
    meter.counter_from("history_rewound", "Histories that were set back", lambda: hub.rewound)


async def _check(store: Store, server: Server) -> None:
    loop = asyncio.get_running_loop()
    answered = loop.time()
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        with suppress(Refused):
            await store.ping()
            answered = loop.time()
        await server.ready(loop.time() - answered < UNREADY_SECONDS)


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


# ---------------------------------------------------------------- several workers

_WORKER: Final = "TAFLHALL_WORKER"


def _is_worker() -> bool:
    return _WORKER in os.environ


async def _supervise(settings: Settings) -> int:
    """Run the workers; end all of them when one dies or a signal says so."""
    kind, _, place = settings.store.partition(":")
    embedded = Embedded(Path(place)) if kind == "embedded" else None
    if embedded is not None:
        await embedded.start()
    store = settings.store if embedded is None else embedded.address
    host, _, port = settings.listen.rpartition(":")
    with _reserve(host, int(port)) as reserved:
        address = f"{host}:{reserved.getsockname()[1]}"
        stop = _stop_signal()
        workers = [_start_worker(settings, address, store, n) for n in range(settings.workers)]
        print(f"listening on {address}", flush=True)  # noqa: T201
        while not stop.is_set() and all(worker.poll() is None for worker in workers):
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 0.5)
        told = stop.is_set()
        died = {} if told else {n: worker.poll() for n, worker in enumerate(workers)}
        for number, code in died.items():
            if code is not None:
                _log.error("worker_died", worker=number, status=_status(code))
        for worker in workers:
            worker.terminate()
        codes = await asyncio.gather(*[asyncio.to_thread(worker.wait) for worker in workers])
    if embedded is not None:
        await embedded.stop()
    # a worker that has not begun to serve is ended by the signal itself
    ended = [0 if c == -signal.SIGTERM and died.get(n) is None else c for n, c in enumerate(codes)]
    return max(_status(code) for code in ended)


def _status(code: int) -> int:
    """Return how a worker ended, as shells tell it: 128 and the signal that killed it."""
    return code if code >= 0 else 128 - code


def _start_worker(
    settings: Settings, address: str, store: str, number: int
) -> subprocess.Popen[bytes]:
    metrics = settings.metrics + number if settings.metrics else 0
    flags: dict[str, object] = {
        "--listen": address,
        "--store": store,
        "--durability": settings.durability.name.lower(),
        "--metrics": metrics,
        "--metrics-host": settings.metrics_host,
        "--archive": "" if number else settings.archive,  # one archiver is enough
        "--accounts": settings.accounts,
        "--admin": "" if number else settings.admin,
        "--tls-cert": settings.tls_cert,
        "--tls-key": settings.tls_key,
        "--tls-client-ca": settings.tls_client_ca,
        "--admin-tls-cert": settings.admin_tls_cert,
        "--admin-tls-key": settings.admin_tls_key,
        "--admin-tls-client-ca": settings.admin_tls_client_ca,
        "--rate-commands": settings.rate_commands,
        "--rate-joins": settings.rate_joins,
        "--rate-reads": settings.rate_reads,
        "--rate-streams": settings.rate_streams,
        "--caller-streams": settings.caller_streams,
        "--host-streams": settings.host_streams,
        "--host-connections": settings.host_connections,
        "--keep-finished": settings.keep_finished,
        "--abandon-after": 0 if number else settings.abandon_after,  # one of them is enough
        "--heartbeat": settings.heartbeat,
        "--tables": settings.tables,
        "--drain-delay": settings.drain_delay,
        "--grace": settings.grace,
        "--log-level": settings.log_level,
    }
    arguments = [str(part) for pair in flags.items() for part in pair]
    if settings.public:
        arguments.append("--public")
    if settings.behind_proxy:
        arguments.append("--behind-proxy")
    if not settings.self_check:
        arguments.append("--no-self-check")
    return subprocess.Popen(
        [sys.executable, "-m", "taflhall_service.main", *arguments],
        env=os.environ | {_WORKER: str(number), "TAFLHALL_WORKERS": "1"},
        stdout=subprocess.DEVNULL,
    )


def _reserve(host: str, port: int) -> socket.socket:
    """Bind the port that the workers will share, without listening on it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = socket.socket(family)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host.strip("[]"), port))
    return held


if __name__ == "__main__":
    main()
