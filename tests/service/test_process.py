"""The server as a process: it starts, drains, is killed, shares its port, and logs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from taflhall.v1 import match_pb2, match_service_pb2_grpc
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.ports import free_port
from tests.service.local_server import Table, answer_of, bearer
from tests.service.processes import Process
from tests.store.servers import SAFE, Valkey
from tests.waiting import until, wait_until

SLACK = 30.0
"""Additional seconds that a busy machine may take. A hanging process takes longer."""


async def open_match(stub: Any, seats: int = 1) -> Table:
    class Here:
        match = stub

    request = pb.CreateMatchRequest(start_when_full=True)
    request.setup.game, request.setup.seats = "yggdrasil", seats
    created = await stub.CreateMatch(request)
    secrets = []
    for seat in range(seats):
        join = pb.JoinMatchRequest(match_id=created.match.id, name=f"Ann {seat}")
        secrets.append((await stub.JoinMatch(join)).seat_secret)
    server: Any = Here()
    return Table(server, created.match.id, secrets, created.creator_secret)


def stub_of(channel: grpc.aio.Channel) -> Any:
    return match_service_pb2_grpc.MatchServiceStub(channel)


class Writer:
    """Plays without a pause, and knows what was acknowledged and what is under way."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.acked = 0
        self.under_way: dict[str, Any] | None = None

    async def begin(self, stub: Any) -> None:
        """Go on at another server: what was under way has one effect, before or now."""
        if self.table is None:
            self.table = await open_match(stub)
        self.table.server.match = stub
        if self.under_way is not None:
            again = await self.finish(await self.table.submit(**self.under_way))
            assert again.revision == self.acked + 1
            await self.take(stub, again)
        assert (await self.table.get()).match.revision == self.acked

    async def write(self, stub: Any) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError):
            while self.table is not None:
                decision = await self.table.decision()
                self.under_way = {
                    "decision_id": decision.id,
                    "request_id": f"{self.acked + 1}",
                }
                done = await self.finish(await self.table.submit(**self.under_way))
                await self.take(stub, done)

    def moved_from(self, acked: int) -> bool:
        """Return whether more than *acked* commands are acknowledged, or another match is on."""
        return self.acked != acked

    async def finish(self, done: pb.SubmitAnswersResponse) -> pb.SubmitAnswersResponse:
        """Give the further steps of an answer that has several."""
        assert self.table is not None
        assert self.under_way is not None
        while not done.first_revision:
            self.under_way = {**self.under_way, "decision_id": done.decision.id}
            done = await self.table.submit(**self.under_way)
        return done

    async def take(self, stub: Any, done: pb.SubmitAnswersResponse) -> None:
        self.acked, self.under_way = done.revision, None
        if done.status == match_pb2.MATCH_STATUS_FINISHED:
            self.table, self.acked = None, 0  # so it stays if the server is killed now
            self.table = await open_match(stub)


async def test_a_killed_server_has_lost_nothing_that_it_acknowledged(tmp_path, processes):
    writer = Writer()
    for _ in range(3):
        process = Process("--store", f"embedded:{tmp_path}")
        processes.append(process)
        async with process.channel() as channel:
            stub = stub_of(channel)
            await writer.begin(stub)
            writing = asyncio.create_task(writer.write(stub))
            await until(partial(writer.moved_from, writer.acked))
            process.child.kill()
            process.child.communicate()
            await writing


async def test_sigterm_drains(tmp_path, processes):
    process = Process("--store", f"embedded:{tmp_path}", "--grace", "3", "--drain-delay", "10")
    processes.append(process)
    async with process.channel() as channel:
        stub = stub_of(channel)
        health: Any = health_pb2_grpc.HealthStub(channel)
        table = await open_match(stub)
        watch = stub.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        play = stub.Play(metadata=bearer(table.secrets[0]))
        await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
        await asyncio.gather(watch.read(), play.read())
        for service in ("", "live", "ready"):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        started = time.monotonic()
        process.child.terminate()
        ready = health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)
        while ready.status == health_pb2.HealthCheckResponse.SERVING:
            ready = await health.Check(health_pb2.HealthCheckRequest(service="ready"))
        assert ready.status == health_pb2.HealthCheckResponse.NOT_SERVING
        live = await health.Check(health_pb2.HealthCheckRequest(service="live"))
        assert live.status == health_pb2.HealthCheckResponse.SERVING
        await table.step()  # until the pause is over it still serves
        assert (await watch.read()).HasField("change")
        assert (await watch.read()).end.cause == pb.STREAM_END_CAUSE_DRAINING
        while not (message := await play.read()).HasField("end"):
            pass
        assert message.end.cause == pb.STREAM_END_CAUSE_DRAINING
    status, logged = await asyncio.to_thread(process.end)
    assert status == 0
    assert time.monotonic() - started < 10 + 3 * 3 + 1 + SLACK
    assert [line["event"] for line in logged] == ["listening", "draining", "stopped"]


async def test_a_frozen_client_does_not_hold_up_the_end(tmp_path, processes):
    process = Process("--store", f"embedded:{tmp_path}", "--grace", "1")
    processes.append(process)
    code = (
        "import grpc, sys, time\n"
        "from taflhall.v1 import match_service_pb2 as pb, match_service_pb2_grpc as g\n"
        f"s = g.MatchServiceStub(grpc.insecure_channel('127.0.0.1:{process.port}'))\n"
        "w = s.WatchMatch(pb.WatchMatchRequest(match_id=sys.argv[1]))\n"
        "next(w); print('in', flush=True)\n"
        "time.sleep(60)\n"
    )
    async with process.channel() as channel:
        table = await open_match(stub_of(channel))
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, table.id, stdout=subprocess.PIPE
    )
    assert client.stdout is not None
    await client.stdout.readline()
    client.send_signal(signal.SIGSTOP)
    started = time.monotonic()
    status, _ = await asyncio.to_thread(process.end)
    assert time.monotonic() - started < 3 * 1 + 1 + SLACK
    assert status in (0, 1)
    client.kill()
    await client.wait()


async def test_workers_share_one_port_and_one_store(tmp_path, processes):
    process = Process("--store", f"embedded:{tmp_path}", "--workers", "2", "--grace", "1")
    processes.append(process)
    channels = [process.channel() for _ in range(6)]
    stubs = [stub_of(channel) for channel in channels]
    tables: list[Table] = []

    async def opened() -> bool:
        with contextlib.suppress(grpc.aio.AioRpcError):
            tables.append(await open_match(stubs[0], 2))
        return bool(tables)

    await until(opened, 100)
    (table,) = tables
    watch = stubs[1].WatchMatch(pb.WatchMatchRequest(match_id=table.id))
    await watch.read()
    for n in range(24):
        table.server.match = stubs[n % 6]
        done = await table.step()
        assert done.revision == n + 1
        assert done.durability == match_pb2.DURABILITY_DISK
        assert (await watch.read()).revision == n + 1
    for channel in channels:
        await channel.close()
    status, _ = await asyncio.to_thread(process.end)
    assert status == 0


def is_running(pid: int) -> bool:
    """Return whether a process is there and not dead already."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def workers_of(process: Process) -> list[int]:
    """Return the process ids of a server's workers."""
    pid = process.child.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    programs = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    return [child for child, program in programs.items() if b"taflhall_service.main" in program]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
def test_a_dead_worker_is_logged_before_the_server_ends(tmp_path, processes):
    process = Process("--store", f"embedded:{tmp_path / 'data'}", "--workers", "2", "--grace", "1")
    processes.append(process)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    wait_until(lambda: len(workers_of(process)) == 2)  # until exec they have another name
    os.kill(workers_of(process)[1], signal.SIGKILL)
    status, lines = process.end(0)
    assert status == 128 + signal.SIGKILL
    (died,) = [line for line in lines if line["event"] == "worker_died"]
    assert (died["level"], died["status"]) == ("error", 128 + signal.SIGKILL)


def test_what_is_in_the_way_of_a_store_is_said_without_a_traceback(tmp_path):
    (tmp_path / "valkey.lock").mkdir()
    command = [sys.executable, "-m", "taflhall_service.main", "--store", f"embedded:{tmp_path}"]
    ended = subprocess.run(
        [*command, "--listen", "127.0.0.1:0"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1
    assert ended.stderr.strip() == f"taflhall-server: {tmp_path / 'valkey.lock'}: Is a directory"


@pytest.mark.parametrize("flag", ["--listen", "--metrics", "--web"])
def test_a_port_that_is_in_use_is_named_and_not_the_store(flag):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        value = address.partition(":")[2] if flag == "--metrics" else address
        command = [sys.executable, "-m", "taflhall_service.main", "--store", "memory:"]
        command += ["--log-level", "error"]
        listen = [] if flag == "--listen" else ["--listen", "127.0.0.1:0"]
        ended = subprocess.run(
            [*command, *listen, flag, value],
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"taflhall-server: cannot listen at {address}")
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_each_line_of_the_log_is_one_write(unbuffered):
    """Else the lines of several workers, who write to one pipe, run into each other."""
    code = (
        "import structlog\n"
        "from taflhall_service.observability.logging import configure_logs\n"
        "configure_logs('info')\n"
        "for n in range(3): structlog.get_logger('test').info('line', number=n)\n"
    )
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)  # one message a write
    with ours, theirs:
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        command = [sys.executable, "-c", code]
        subprocess.run(command, stderr=theirs.fileno(), env=environment, check=True)
        ours.setblocking(False)
        written = []
        with contextlib.suppress(BlockingIOError):
            while True:
                written.append(ours.recv(65536))
    assert [json.loads(line)["number"] for line in written] == [0, 1, 2]
    assert all(line.endswith(b"\n") for line in written)


async def test_metrics_and_reflection(processes, tmp_path):
    port = free_port()
    processes.append(Process("--store", "memory:", "--metrics", str(port)))
    async with processes[-1].channel() as channel:
        table = await open_match(stub_of(channel))
        await table.step()
        with contextlib.suppress(grpc.aio.AioRpcError):
            await stub_of(channel).GetMatch(pb.GetMatchRequest(match_id="nowhere"))
        names = await services(channel)
        text = await asyncio.to_thread(fetch, f"http://127.0.0.1:{port}/metrics")
    assert "taflhall.v1.MatchService" in names
    assert 'taflhall_commands_total{game="yggdrasil"} 1.0' in text
    assert 'taflhall_rpc_requests_total{method="SubmitAnswers",outcome="OK"} 1.0' in text
    assert 'taflhall_rpc_requests_total{method="GetMatch",outcome="MATCH_NOT_FOUND"} 1.0' in text
    assert table.id not in text
    assert table.secrets[0] not in text
    processes.append(Process("--store", "memory:", "--public"))
    async with processes[-1].channel() as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await services(channel)
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def services(channel: grpc.aio.Channel) -> list[str]:
    connect: Any = reflection_pb2_grpc.ServerReflectionStub
    stub = connect(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = await answer_of(stub.ServerReflectionInfo, request)
    return [service.name for service in answer.list_services_response.service]


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        text: str = answer.read().decode()
        return text


async def test_a_lost_store_is_reported_and_reconnected(tmp_path, processes):
    valkey = Valkey(tmp_path, *SAFE)
    processes.append(Process("--store", valkey.address))
    async with processes[-1].channel() as channel:
        table = await open_match(stub_of(channel))
        await table.step()
        decision = await table.decision()
        valkey.kill()
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await table.submit(decision.id, request_id="one")
        assert error.value.code() is grpc.StatusCode.UNAVAILABLE
        valkey.restart()
        done = await table.submit(decision.id, request_id="one")
        assert (done.revision, done.durability) == (2, match_pb2.DURABILITY_DISK)
    valkey.stop()


SECRET, QUOTED = "pass/w@rd", "pass%2Fw%40rd"


@pytest.mark.parametrize(
    ("store", "message"),
    [
        ("nothing:", "'nothing:' is not a store"),
        ("redis://127.0.0.1:1", "the store redis://127.0.0.1:1 does not answer"),
        (f"redis://user:{QUOTED}@127.0.0.1:1", "the store redis://***@127.0.0.1:1 does not"),
        (f"redis://user:{SECRET}@127.0.0.1:1", "is not the address of a Redis"),
        (f"redis://127.0.0.1:1?password={SECRET}", "the store redis://*** does not answer"),
        (f"redis://user:{SECRET}@127.0.0.1:first", "is not the address of a Redis"),
        (f"redis://127.0.0.1:1?pasword={SECRET}", "'redis://***' is not the address of a Redis"),
        ("redis://127.0.0.1:99999", "is not the address of a Redis"),
        (f"rediss://:{SECRET}@[::1/0", "is not the address of a Redis"),
        (f"redis+cluster://:{QUOTED}@127.0.0.1:1", "there is no cluster at 127.0.0.1:1"),
        (f"redis+cluster://:{SECRET}@127.0.0.1:1", "is followed by HOST:PORT"),
        (f"redis+cluster://:{QUOTED}@127.0.0.1:first", "is followed by HOST:PORT"),
        (f"redis+cluster://:{QUOTED}@127.0.0.1:99999", "is followed by HOST:PORT"),
        (f"redis+cluster://:{QUOTED}@127.0.0.1:²", "is followed by HOST:PORT"),
        (f"redis+sentinel://:{QUOTED}@127.0.0.1:1", "ends with the name of the primary"),
        (f"redis+sentinel://:{QUOTED}@127.0.0.1:1/taflhall", "does not answer"),
        (f"redis+sentinel://:{SECRET}@127.0.0.1:1/taflhall", "is followed by HOST:PORT"),
        (f"http://server:{SECRET}@127.0.0.1", "is not a store"),
    ],
)
def test_an_unusable_store_is_reported_in_one_sentence_without_secrets(store, message):
    done = subprocess.run(
        [sys.executable, "-m", "taflhall_service.main", "--store", store],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    *logged, sentence = done.stderr.splitlines()
    assert message in sentence
    assert all(json.loads(line)["event"] for line in logged)
    assert not [part for part in ("pass/", "pass%", "w@rd", "40rd") if part in done.stderr]


async def until_status(health: Any, status: int) -> None:
    """Wait until health says *status* of ``ready``."""
    asked = health_pb2.HealthCheckRequest(service="ready")

    async def says_so() -> bool:
        return bool((await health.Check(asked)).status == status)

    await until(says_so)


async def test_a_silent_store_fails_calls_in_seconds_and_turns_health_to_no(tmp_path, processes):
    valkey = Valkey(tmp_path, *SAFE)
    processes.append(Process("--store", valkey.address))
    async with processes[-1].channel() as channel:
        table = await open_match(stub_of(channel))
        health: Any = health_pb2_grpc.HealthStub(channel)
        valkey.freeze()
        started = time.monotonic()
        for _ in range(2):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await table.get()
            assert error.value.code() is grpc.StatusCode.UNAVAILABLE
        assert time.monotonic() - started < 2 * 5 + SLACK
        async with asyncio.timeout(10 + 7 + SLACK):
            await until_status(health, health_pb2.HealthCheckResponse.NOT_SERVING)
        valkey.thaw()
        await until_status(health, health_pb2.HealthCheckResponse.SERVING)
        await table.step()
    _, logged = await asyncio.to_thread(processes[-1].end)
    assert all("event" in line for line in logged)
    valkey.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
def test_workers_show_no_setting_on_their_command_lines(tmp_path, processes):
    valkey = Valkey(tmp_path, *SAFE)
    store = f"redis://127.0.0.1:{valkey.port}?client_name=sesame"
    processes.append(Process("--store", store, "--workers", "2"))
    wait_until(lambda: len(workers_of(processes[0])) == 2)
    for pid in workers_of(processes[0]):
        assert b"sesame" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    valkey.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="needs the system to tell of a parent's end")
def test_a_killed_server_leaves_no_worker_behind_that_keeps_its_port(tmp_path, processes):
    valkey = Valkey(tmp_path, *SAFE)
    flags = ("--store", f"redis://127.0.0.1:{valkey.port}", "--workers", "2")
    process = Process(*flags)
    wait_until(lambda: len(workers_of(process)) == 2)
    workers = workers_of(process)  # they still start, and can do nothing themselves
    process.end(signal.SIGKILL)
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    processes.append(Process(*flags, "--listen", f"127.0.0.1:{process.port}"))
    valkey.stop()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_takes_the_port_of_one_that_has_just_closed_connections(
    workers, tmp_path, processes
):
    process = Process("--store", f"embedded:{tmp_path}")
    with socket.create_connection(("127.0.0.1", process.port)) as client:
        client.recv(1)  # it is accepted
        process.end()  # and closed by the server, whose side of it the system remembers
        while client.recv(4096):
            pass
    listen = f"127.0.0.1:{process.port}"
    flags = ("--store", f"embedded:{tmp_path}", "--workers", workers, "--listen", listen)
    processes.append(Process(*flags))


def test_a_second_server_on_a_port_shared_by_workers_is_refused(tmp_path, processes):
    processes.append(Process("--store", f"embedded:{tmp_path / 'one'}", "--workers", "2"))
    listen = ["--listen", f"127.0.0.1:{processes[0].port}"]
    for workers in ("1", "2"):
        other = ["--store", f"embedded:{tmp_path / 'two'}", "--workers", workers]
        command = [sys.executable, "-m", "taflhall_service.main", *listen, *other]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 1
        assert f"cannot listen at 127.0.0.1:{processes[0].port}" in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_hangup_drains_and_leaves_no_store_behind(workers, tmp_path, processes):
    process = Process("--store", f"embedded:{tmp_path}", "--workers", workers)
    processes.append(process)
    if workers == "2":
        wait_until(lambda: len(workers_of(process)) == 2)
    store = int((tmp_path / "valkey.pid").read_text())
    status, logged = process.end(signal.SIGHUP)
    assert status == 0
    assert [line["event"] for line in logged].count("stopped") <= int(workers)
    assert workers == "2" or "draining" in [line["event"] for line in logged]
    wait_until(lambda: not Path(f"/proc/{store}").exists())
