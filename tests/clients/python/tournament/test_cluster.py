"""A tournament on a Dask cluster, which loses a worker."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from distributed import LocalCluster

from taflhall_client.tournament.cluster import Cluster
from taflhall_client.tournament.description import read
from taflhall_client.tournament.journal import read_results
from taflhall_client.tournament.run import run
from taflhall_client.tournament.standings import standings
from taflhall_client.tournament.verify import differences
from tests.clients.python.tournament.conftest import LINE_BOT

HOSTILE = "tests.clients.python.tournament.hostile"


@pytest.fixture
def cluster() -> Any:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as started:
        yield started


def pids(cluster: LocalCluster) -> list[int]:
    return [worker.pid for worker in cluster.workers.values() if worker.pid]


@pytest.mark.slow
def test_no_match_is_lost_with_a_worker(describe, cluster):
    file = describe("random", "heuristic", "random", f"{HOSTILE}:Exits", LINE_BOT, rounds=2)
    tournament = read(file)
    run(tournament, file, file.parent / "here", 2)
    out = file.parent / "there"
    killed: list[int] = []

    def kill_one(played: int, known: int) -> None:
        if played >= 5 and not killed:
            killed.append(pids(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    run(tournament, file, out, Cluster(tournament, out, cluster.scheduler_address), kill_one)
    assert killed
    here, there = read_results(file.parent / "here"), read_results(out)
    assert len({r.match_id for r in there}) == len(there) == len(here) == 40
    assert standings(tournament, there) == standings(tournament, here)
    assert not any(wrong for _, wrong in differences(tournament, there, out))


@pytest.mark.slow
def test_an_adaptive_cluster_grows_with_the_work(describe):
    file = describe("random", "random", rounds=10)
    tournament, out = read(file), file.parent / "out"
    sizes = set()
    with LocalCluster(
        n_workers=0, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        cluster.adapt(minimum=0, maximum=2, interval="100ms")
        players = Cluster(tournament, out, cluster.scheduler_address)
        run(tournament, file, out, players, lambda *_: sizes.add(len(cluster.workers)))
    assert len(read_results(out)) == 20
    assert max(sizes) >= 1


@pytest.mark.slow
def test_the_command_takes_the_address_of_a_scheduler(describe, cluster):
    file = describe("random", "random")
    command = [sys.executable, "-c", "from taflhall_client.cli import main; main()"]
    command += ["tournament", "run", str(file), "--out", str(file.parent / "out")]
    command += ["--scheduler", cluster.scheduler_address]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == "finished: 2 matches, 0 set aside, 0 penalties"
