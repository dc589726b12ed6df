"""One serving process: it wires the parts together, serves, and drains when a signal comes.

SIGTERM drains: health says no, new calls are sent elsewhere, streams end with a hint, commits
finish; after a hard limit the process ends anyway.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Final

import structlog
from prometheus_client import start_http_server

from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.jobs.runner import HOUR, BackgroundJobs
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.limits import DEFAULT_RATES, PUBLIC_RATES, Limits, Rates
from taflhall_service.app.periodic import end_tasks, run_periodically
from taflhall_service.app.ports.match_store import Durability, MatchStore
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.bots.analyst import AnalystPool
from taflhall_service.bots.pool import BotPool
from taflhall_service.bots.process_pool import ProcessPool
from taflhall_service.observability.metrics import Meter
from taflhall_service.observability.tracing import Tracer
from taflhall_service.rpc.admin_server import AdminServer
from taflhall_service.rpc.server import Server
from taflhall_service.rpc.tls import Tls, tls_of
from taflhall_service.settings import Settings, bots_of
from taflhall_service.store.address import BadAddress, open_archive, open_store
from taflhall_service.web.page import page_at

CHECK_SECONDS: Final = 2.0
"""How often the store is asked whether it answers."""

UNREADY_SECONDS: Final = 10.0
"""How long it may be silent before health says so."""

TELEMETRY_SECONDS: Final = 2.0
"""How long a process that ends waits until its last spans and metrics are sent."""

MB: Final = 1_000_000

_log = structlog.get_logger("server")


async def serve_process(settings: Settings, is_worker: bool) -> int:
    """Serve until a signal ends the process, and return its exit status."""
    meter = Meter()
    tracer, end_telemetry = _open_telemetry(meter) if settings.otel else (Tracer(), None)
    declared = Durability[settings.durability.upper()]
    store = await open_store(settings.store, declared, meter.store)
    try:
        await _serve(settings, store, meter, tracer, is_worker)
    finally:
        await store.close()
        if end_telemetry is not None:
            ending = Thread(target=end_telemetry, daemon=True)
            ending.start()
            await asyncio.to_thread(ending.join, TELEMETRY_SECONDS)
    return 0


async def _serve(
    settings: Settings, store: MatchStore, meter: Meter, tracer: Tracer, is_worker: bool
) -> None:
    stop = stop_signal()
    archive = open_archive(settings.archive) if settings.archive else None
    hub, limits = Hub(store), limits_of(settings)
    matches = Matches(store, hub, limits, await store.key(), settings.tables, tracer=tracer)
    matches.keep_seconds = settings.keep_finished * HOUR
    accounts = Accounts(store.accounts, limits, store.now)
    spectators = Spectators(matches)
    data = Path(settings.data) if settings.data else None
    bots, analyst = BotPool(settings.bot_share, data), AnalystPool(settings.analysis_share, data)
    server = Server(
        spectators,
        limits,
        meter,
        reflect=not settings.public,
        share_port=is_worker,
        accounts=accounts,
        proxied=settings.behind_proxy,
        analyst=analyst,
    )
    admin = AdminServer(spectators, accounts, limits, meter) if settings.admin else None
    measure(meter, matches)
    measure_pools(meter, bots, analyst)
    if settings.metrics:
        _open_metrics(settings, meter)
    await matches.store_clock.send_heartbeat()
    await _listen(settings, store, server, admin, is_worker)
    stop_web = await _open_web(settings, server, meter, is_worker) if settings.web else None
    checker = asyncio.create_task(StoreCheck(store, server).run())
    jobs = BackgroundJobs(matches, bots, meter)
    jobs.start(
        settings.self_check,
        archive,
        settings.keep_finished,
        settings.abandon_after,
        settings.prune_above * MB,
    )
    await stop.wait()
    _log.info("draining")
    hard_limit = settings.drain_delay + 3 * settings.grace + 1
    asyncio.get_running_loop().call_later(hard_limit, os._exit, 1)
    await end_tasks(checker)
    await jobs.stop()
    await bots.close()
    await analyst.close()
    if admin is not None:
        await admin.stop(settings.grace)
    await server.drain(settings.drain_delay, settings.grace)
    if stop_web is not None:
        await stop_web(settings.grace)
    await hub.stop()
    _log.info("stopped")


async def _listen(
    settings: Settings,
    store: MatchStore,
    server: Server,
    admin: AdminServer | None,
    is_worker: bool,
) -> None:
    """Open the ports; a worker leaves it to the supervisor to print where."""
    tls = tls_of(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    port = await _open_port(server, settings.listen, tls)
    _spare_the_collector()
    kind, level = settings.store.partition(":")[0], store.durability.name.lower()
    _log.info("listening", port=port, store=kind, durability=level)
    if not is_worker:
        print(f"listening on {_host(settings.listen)}:{port}", flush=True)  # noqa: T201
    if admin is not None:
        tls = tls_of(settings.admin_tls_cert, settings.admin_tls_key, settings.admin_tls_client_ca)
        port = await _open_port(admin, settings.admin, tls)
        host = _host(settings.admin)
        _log.info("administering", port=port, host=host)
        if not is_worker:
            print(f"administrators at {host}:{port}", flush=True)  # noqa: T201


def _open_telemetry(meter: Meter) -> tuple[Tracer, Callable[[], None]]:
    """Send traces and metrics over OTLP; return the tracer, and what sends the rest at the end."""
    try:
        from taflhall_service.observability.otel import Telemetry

        telemetry = Telemetry(meter.registry)
    except ImportError as error:
        raise BadAddress(f"--otel needs the extra taflhall[otel]: no {error.name}") from None
    except ValueError as error:
        raise BadAddress(f"a variable of OpenTelemetry is wrong: {error}") from None
    return telemetry.tracer, telemetry.close


def _open_metrics(settings: Settings, meter: Meter) -> None:
    """Let Prometheus read the metrics."""
    host, port = settings.metrics_host, settings.metrics
    try:
        start_http_server(port, host, meter.registry)
    except OSError as error:
        raise BadAddress(f"cannot listen at {host}:{port} (--metrics): {error.strerror}") from None


async def _open_port(server: Server | AdminServer, address: str, tls: Tls | None) -> int:
    try:
        return await server.start(address, tls.credentials() if tls is not None else None)
    except RuntimeError:  # gRPC says no more than that
        in_use = "another program listens there, or the address is not one of this machine"
        raise BadAddress(f"cannot listen at {address}: {in_use}") from None


async def _open_web(
    settings: Settings, server: Server, meter: Meter, is_worker: bool
) -> Callable[[float], Awaitable[None]]:
    """Open the web port, and return what closes it."""
    try:
        from taflhall_service.web.listener import WebServer
    except ImportError as error:
        raise BadAddress(f"--web needs the extra taflhall[web]: no {error.name}") from None
    web = WebServer(server, meter, settings.web_origins, settings.web_page)
    tls = tls_of(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    try:
        port = await web.start(settings.web, tls, share_port=is_worker)
    except OSError as error:
        raise BadAddress(f"cannot listen at {settings.web}: {error.strerror}") from None
    host = _host(settings.web)
    _log.info("serving_web", port=port, host=host)
    if not is_worker:
        print(f"web at {host}:{port}", flush=True)  # noqa: T201
        if line := page_at(settings.web_page, host, port, secure=tls is not None):
            print(line, flush=True)  # noqa: T201
    return web.stop


def _host(address: str) -> str:
    return address.rpartition(":")[0]


def _spare_the_collector() -> None:
    """Exempt what exists now from garbage collection, and make full collections rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5, 2_000)


def limits_of(settings: Settings) -> Limits:
    """Return the limits of a server; unset ones depend on ``--public``."""
    usual, public = PUBLIC_RATES if settings.public else DEFAULT_RATES, settings.public
    shared = not public or settings.behind_proxy  # a proxy's connections carry many callers
    return Limits(
        heartbeat_seconds=settings.heartbeat,
        group_delay_seconds=settings.group_delay / 1000,
        caller_streams=settings.caller_streams or (64 if public else 20_000),
        host_streams=settings.host_streams or (500 if public else 20_000),
        host_connections=settings.host_connections or (100 if public else 20_000),
        connection_calls=2_000 if shared else 100,
        connection_streams=20_000 if shared else 80,
        rates=Rates(
            commands=_rate(settings.rate_commands, usual.commands),
            joins=_rate(settings.rate_joins, usual.joins),
            reads=_rate(settings.rate_reads, usual.reads),
            streams=_rate(settings.rate_streams, usual.streams),
        ),
        accounts_required=settings.accounts == "required",
        bots=bots_of(settings),
    )


def _rate(given: float, usual: float) -> float:
    return usual if given < 0 else given


def measure(meter: Meter, matches: Matches) -> None:
    """Add the metrics that are read from the parts of a server."""
    hub, store = matches.hub, matches.store
    meter.gauge_from("durability_level", "1 memory to 4 replicated", lambda: store.durability)
    meter.gauge_from("watched_matches", "Matches that are watched here", lambda: len(hub))
    meter.gauge_from("cached_matches", "Matches in memory", lambda: len(matches))
    meter.counter_from("commit_conflicts", "Commits prepared again", lambda: matches.conflicts)
    meter.counter_from(
        "notifications_missed",
        "Changes that the poll found first",
        lambda: hub.notifications_missed,
    )
    meter.counter_from("store_failovers", "Changes of the primary", lambda: store.failovers)
    meter.counter_from(
        "history_rewound", "Histories that lost acknowledged commands", lambda: hub.rewound
    )


def measure_pools(meter: Meter, *pools: ProcessPool[Any]) -> None:
    """Add the metrics of the pools of processes: those of the bots and of the analyst."""
    waiting = meter.gauge("pool_jobs_waiting", "Jobs that wait for a process", "pool")
    running = meter.gauge("pool_jobs_running", "Jobs that a process works on", "pool")
    seconds = meter.histogram("pool_job_seconds", "Duration of jobs, their wait included", "pool")
    for pool in pools:
        waiting.labels(pool.name).set_function(partial(getattr, pool, "waiting"))
        running.labels(pool.name).set_function(partial(getattr, pool, "running"))
        pool.on_reply = seconds.labels(pool.name).observe
    for name, attribute, meaning in (
        ("pool_cpu_seconds", "cpu_seconds", "CPU seconds that jobs took"),
        ("pool_process_deaths", "deaths", "Processes that died or hung"),
    ):
        values = {pool.name: partial(getattr, pool, attribute) for pool in pools}
        meter.counters_from(name, meaning, "pool", values)


class StoreCheck:
    """Asks the store whether it answers, and lets health say so."""

    def __init__(self, store: MatchStore, server: Server) -> None:
        self._store = store
        self._server = server
        self._answered = monotonic()

    async def run(self) -> None:
        """Ask again and again until cancelled."""
        await run_periodically(self.check, CHECK_SECONDS, _log)

    async def check(self) -> None:
        """Ask once; one refusal after a good while turns health to no."""
        try:
            await self._store.ping()
            self._answered = monotonic()
        finally:
            await self._server.ready(monotonic() - self._answered < UNREADY_SECONDS)


def stop_signal() -> asyncio.Event:
    """Return an event that a signal to end the process sets: also that its terminal is closed."""
    stop = asyncio.Event()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), stop.set)
    return stop
