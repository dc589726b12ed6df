"""What an operator sees: names, labels that are no ids, and numbers that are true."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.ports import free_port
from taflhall_engine import registry
from taflhall_service.app.errors import DurabilityUnconfirmed, StoreUnavailable
from taflhall_service.app.jobs.runner import BackgroundJobs
from taflhall_service.app.ports.match_store import CommitStatus
from taflhall_service.bots.analyst import AnalystPool
from taflhall_service.bots.pool import BotPool
from taflhall_service.bots.process_pool import ProcessPool, WorkerLost
from taflhall_service.observability.metrics import Meter
from taflhall_service.process import measure_pools
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from taflhall_service.store.redis.batcher import CommandBatcher
from taflhall_wire.error_reasons import REASONS
from tests.service.inline_bots import InlineBots
from tests.service.local_server import bearer, limits, open_server
from tests.service.processes import Process
from tests.waiting import until, wait_until

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "operating.md").read_text("utf-8")

METHODS = {
    *(
        "CreateMatch",
        "GetMatch",
        "ListMatches",
        "JoinMatch",
        "StartMatch",
        "SubmitAnswers",
        "ExplainCommand",
        "WatchMatch",
        "Play",
        "ResignSeat",
    ),
    *(
        "GetMatchRecord",
        "GetMatchView",
        "ListMatchEvents",
        "SetUpTable",
        "ListOptions",
        "ApplyAnswers",
        "Rollout",
        "ImagineTables",
        "AnalyseRecord",
    ),
    *("ListGames", "GetGame", "GetComponents", "GetRulebook"),
}
OUTCOMES = {*REASONS, "OK", "CANCELLED"}
LABELS: dict[str, Any] = {
    "method": re.compile("[A-Z][A-Za-z]+").fullmatch,
    "outcome": (OUTCOMES | {status.name.lower() for status in CommitStatus}).__contains__,
    "reason": (OUTCOMES | {"FINISHED", "DRAINING", "REPLACED"}).__contains__,
    "game": registry.GAMES.__contains__,
    "kind": {"unavailable", "unconfirmed", "durability_too_low", "key_lost"}.__contains__,
    "result": re.compile("[a-z_]+").fullmatch,
    "engine": {"plain", "compiled"}.__contains__,
    "policy": {"neutral", "stand_in", "forfeit"}.__contains__,
    "pool": {"bots", "analyses"}.__contains__,
    "version": re.compile(r"[0-9a-z.+]+").fullmatch,
    "le": re.compile(r"\+Inf|[0-9.]+").fullmatch,
}
"""Every label there may be, and its values: names from closed lists, never an id."""


COME = {
    'taflhall_streams{method="WatchMatch"}': 0,
    'taflhall_streams_closed_total{method="WatchMatch",reason="FINISHED"}': 1,
    'taflhall_streams_closed_total{method="WatchMatch",reason="CANCELLED"}': 1,
    "taflhall_archive_backlog": 0,
}
"""What comes to be true in time."""

LAG = "taflhall_event_loop_lag_seconds_count"


def samples(meter: Meter) -> dict[str, float]:
    """Return every sample with its labels, as Prometheus reads it."""
    lines = generate_latest(meter.registry).decode().splitlines()
    pairs = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {name: float(value) for name, _, value in pairs}


def settled(found: dict[str, float]) -> bool:
    """Return whether everything arrived, and the lag of the event loop was measured."""
    return not COME.items() - found.items() and found[LAG] >= 1


async def a_busy_hall(tmp_path: Path) -> tuple[dict[str, float], Meter, list[str]]:
    """Play, watch, ask for what is refused; return the metrics and every id and secret."""
    meter, memory = Meter(), Memory()
    store = MemoryStore(memory, meter.store)
    async with open_server(store, meter=meter) as server:
        jobs = BackgroundJobs(server.matches, InlineBots(), meter)
        jobs.start(check=True, archive=FolderArchive(tmp_path), keep_hours=1.0)
        table = await server.table()
        watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        for _ in range(3):
            await table.step()
        decision = await table.decision()
        await table.submit(decision.id, request_id="twice")
        await table.submit(decision.id, request_id="twice")
        with pytest.raises(grpc.aio.AioRpcError):
            await server.match.GetMatch(pb.GetMatchRequest(match_id="CANARY" * 4))
        other = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await other.read()
        other.cancel()
        resign = pb.ResignSeatRequest(match_id=table.id, request_id="away")
        await server.match.ResignSeat(resign, metadata=bearer(table.secrets[0]))
        while await watch.read() is not grpc.aio.EOF:
            pass
        await until(lambda: settled(samples(meter)))
        await jobs.stop()
        return samples(meter), meter, [table.id, *table.secrets, table.creator, "CANARY"]


async def test_labels_come_from_closed_lists_and_hold_no_id(tmp_path):
    found, meter, secret = await a_busy_hall(tmp_path)
    for family in meter.registry.collect():
        assert family.name.startswith(("taflhall_", "process_")), family.name
        for sample in family.samples:
            for label, value in sample.labels.items():
                assert label in LABELS, f"{sample.name} has a new label {label!r}"
                assert LABELS[label](value), f"{sample.name}: {label}={value!r}"
    text = "\n".join(found)
    assert not [word for word in secret if word in text]


async def test_the_lag_of_streams_can_be_read_by_a_thread_while_they_come_and_go():
    ended, failures = threading.Event(), []
    interval = sys.getswitchinterval()
    async with open_server(limits=limits(connection_calls=1000)) as server:

        def read() -> None:
            while not ended.is_set():
                try:
                    assert server.rpc.calls.lag >= 0
                except RuntimeError as failure:
                    failures.append(failure)
                    return

        reader = threading.Thread(target=read)
        table = await server.table()
        request = pb.WatchMatchRequest(match_id=table.id)
        sys.setswitchinterval(1e-6)  # threads take turns at every chance
        reader.start()
        try:
            for _ in range(8):
                watches = [server.match.WatchMatch(request) for _ in range(40)]
                for watch in watches:
                    await watch.read()
                for watch in watches:
                    watch.cancel()
        finally:
            sys.setswitchinterval(interval)
            ended.set()
            await asyncio.to_thread(reader.join)
    assert not failures


async def test_they_count_what_has_happened(tmp_path):
    found, _, _ = await a_busy_hall(tmp_path)
    expected = {
        'taflhall_commands_total{game="yggdrasil"}': 4,
        'taflhall_rpc_requests_total{method="GetMatch",outcome="MATCH_NOT_FOUND"}': 1,
        'taflhall_commits_total{outcome="committed"}': 3 + 4 + 1,
        **COME,
        'taflhall_matches_archived_total{result="failed"}': 0,
        'taflhall_self_checks_total{result="differs"}': 0,
    }
    assert {name: found.get(name) for name in expected} == expected
    assert found[LAG] >= 1
    assert found["taflhall_fanout_seconds_count"] >= 4
    assert found["taflhall_fanout_seconds_sum"] < 60
    assert found["taflhall_stream_lag_events"] == 0
    assert found["taflhall_commit_seconds_count"] == found[
        'taflhall_commits_total{outcome="committed"}'
    ] + (found.get('taflhall_commits_total{outcome="duplicate"}', 0))


class Failing:
    """A transport that neither answers reads nor confirms writes."""

    async def exchange(self, commands: Any) -> Any:
        raise ConnectionResetError

    async def exchange_replicated(self, commands: Any, replicas: int, timeout_ms: int) -> Any:
        return [(b"OK", False) for _ in commands]


async def test_commands_that_the_store_does_not_answer_are_counted():
    meter = Meter()
    with pytest.raises(StoreUnavailable):
        await CommandBatcher(Failing(), metrics=meter.store).send("GET", "x")
    with pytest.raises(DurabilityUnconfirmed):
        await CommandBatcher(Failing(), 1, metrics=meter.store).send("SET", "x", "", write=True)
    found = samples(meter)
    assert found['taflhall_store_errors_total{kind="unavailable"}'] == 1
    assert found['taflhall_store_errors_total{kind="unconfirmed"}'] == 1


async def test_streams_that_a_drain_ends_are_counted_as_such():
    meter = Meter()
    async with open_server(meter=meter) as server:
        table = await server.table()
        watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        assert samples(meter)['taflhall_streams{method="WatchMatch"}'] == 1
        await server.rpc.drain(0, 30)
        found = samples(meter)
        assert found["taflhall_draining"] == 1
        assert found['taflhall_streams_closed_total{method="WatchMatch",reason="DRAINING"}'] == 1


WORKER = """
import sys
from taflhall_service.bots.frames import encode, frame, read_frame
while body := read_frame(sys.stdin.buffer):
    if body == b"hang":
        sys.stdin.buffer.read()
    sys.stdout.buffer.write(frame(encode({"cpu_seconds": 0.25})))
    sys.stdout.buffer.flush()
"""
"""Answers every job at once, but for one that it never answers."""


class Done(msgspec.Struct):
    cpu_seconds: float


def test_a_bucket_holds_the_durations_up_to_its_bound():
    meter = Meter()
    seconds = meter.histogram("pool_job_seconds", "", "pool").labels("bots")
    for duration in (0.25, 0.26, 31.0):
        seconds.observe(duration)
    name, found = "taflhall_pool_job_seconds", samples(meter)
    reached = {
        le: found[f'{name}_bucket{{le="{le}",pool="bots"}}'] for le in ("0.1", "0.25", "0.5")
    }
    assert reached == {"0.1": 0, "0.25": 1, "0.5": 2}
    assert found[f'{name}_bucket{{le="30.0",pool="bots"}}'] == 2
    assert found[f'{name}_bucket{{le="+Inf",pool="bots"}}'] == 3
    assert found[f'{name}_sum{{pool="bots"}}'] == 31.51


async def test_jobs_of_processes_are_counted_and_timed():
    meter = Meter()
    decode = msgspec.msgpack.Decoder(Done).decode
    pool = ProcessPool("bots", ["-c", WORKER], decode, 1.0)
    measure_pools(meter, pool, AnalystPool())
    try:
        await pool.run("ann", b"quick")
        found = samples(meter)
        assert found['taflhall_pool_job_seconds_count{pool="bots"}'] == 1
        assert found['taflhall_pool_cpu_seconds_total{pool="bots"}'] == 0.25
        assert found['taflhall_pool_jobs_running{pool="bots"}'] == 0
        hanging = asyncio.create_task(pool.run("ann", b"hang"))
        await until(lambda: samples(meter)['taflhall_pool_jobs_running{pool="bots"}'] == 1)
        waiting = asyncio.create_task(pool.run("ben", b"quick"))
        await until(lambda: samples(meter)['taflhall_pool_jobs_waiting{pool="bots"}'] == 1)
        os.kill(pool.processes[0], signal.SIGKILL)
        with pytest.raises(WorkerLost):
            await hanging
        await waiting
        found = samples(meter)
        assert found['taflhall_pool_process_deaths_total{pool="bots"}'] == 1
        assert found['taflhall_pool_job_seconds_count{pool="bots"}'] == 2
        assert found['taflhall_pool_jobs_waiting{pool="bots"}'] == 0
        assert found['taflhall_pool_process_deaths_total{pool="analyses"}'] == 0
    finally:
        await pool.close()


def test_the_pools_of_a_server_have_the_names_that_the_labels_may_have():
    assert all(LABELS["pool"](pool.name) for pool in (BotPool(), AnalystPool()))


def test_the_page_names_every_metric_with_its_labels_and_no_other(
    tmp_path: Path, processes: list[Process]
):
    port = free_port()
    flags = ("--store", "memory:", "--archive", str(tmp_path), "--web", "127.0.0.1:0")
    processes.append(Process(*flags, "--metrics", str(port)))
    families: dict[str, set[str]] = {}

    def jobs_have_begun() -> bool:
        families.update(exported_at(f"http://127.0.0.1:{port}/metrics"))
        return "taflhall_build_info" in families

    wait_until(jobs_have_begun)
    documented: dict[str, set[str]] = {}
    for names, labels in re.findall(r"^\| (`taflhall_.*?) \| (.*?) \|", PAGE, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            documented[name] = set(re.findall(r"`(\w+)`", labels))
    assert sorted(documented) == sorted(families)
    for name, labels in families.items():
        assert labels - {"le"} <= documented[name], name


def exported_at(url: str) -> dict[str, set[str]]:
    """Return the metrics of the service on a page, each with the labels of its samples."""
    with urllib.request.urlopen(url, timeout=60) as page:
        families = text_string_to_metric_families(page.read().decode())
    return {
        family.name + "_total" * (family.type == "counter"): {
            label for sample in family.samples for label in sample.labels
        }
        for family in families
        if family.name.startswith("taflhall_")
    }
