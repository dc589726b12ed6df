"""``taflhall load`` against real servers."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from taflhall_client.load.measures import (
    BOT_COMMAND,
    COMMAND,
    RESUMED,
    UNANSWERED,
    WATCH_LAG,
    Figures,
)
from taflhall_client.load.plan import Plan
from taflhall_client.load.worker import generate
from taflhall_client.ports import free_port
from taflhall_client.results import Status
from taflhall_client.sync import Client
from tests.service.processes import Process
from tests.waiting import block, wait_until


@pytest.fixture
def server(tmp_path):
    """A server in a process of its own."""
    process = Process("--store", f"embedded:{tmp_path}/store")
    yield process
    process.child.send_signal(signal.SIGCONT)
    process.end()


def measured(plan: Plan) -> Figures:
    """Return what the load of *plan* measures."""
    total = Figures()
    asyncio.run(generate(plan, total.follow))
    return total


def test_people_bots_watchers_and_visitors_are_measured(server):
    total = measured(
        Plan(
            f"127.0.0.1:{server.port}",
            game="yggdrasil",
            matches=3,
            think=0.05,
            bot_matches=2,
            bot_think=0.01,
            watchers=4,
            lobby_watchers=2,
            storm_every=1.0,
            warm_up=0.5,
            duration=4.0,
        )
    )
    assert not total.failures
    for name in (COMMAND, BOT_COMMAND, WATCH_LAG, RESUMED, "SubmitAnswers"):
        assert total.number(name) > 0, name
    # Each command of a person is seen by both people and at least one spectator.
    assert total.number(WATCH_LAG) > total.number(COMMAND)
    assert total.seconds > 3.0


def test_a_server_that_stalls_is_charged_with_every_command_that_was_due(server):
    matches, stall, think, warm_up = 4, 2.0, 0.1, 0.5
    address = f"127.0.0.1:{server.port}"

    def stop_and_continue() -> None:
        with Client(address) as client:
            wait_until(lambda: len(client.matches(status=Status.PLAYING)) == matches)
        block(warm_up)
        server.child.send_signal(signal.SIGSTOP)
        block(stall)
        server.child.send_signal(signal.SIGCONT)

    stopping = threading.Thread(target=stop_and_continue)
    stopping.start()
    plan = Plan(
        address,
        game="yggdrasil",
        matches=matches,
        think=think,
        warm_up=warm_up,
        duration=7.0,
    )
    total = measured(plan)
    stopping.join()
    late = sum(
        found.count_added_in_this_iter_step
        for found in total.times[COMMAND].get_recorded_iterator()
        if found.value_iterated_to > stall / 4 * 1e6
    )
    # A match waits for one answer at a time: a closed loop would have charged one a match.
    assert late > 3 * matches


def test_a_server_that_stalls_until_the_end_is_charged_too(server):
    intervals = []

    def stop(figures: Figures) -> None:
        intervals.append(figures)
        if len(intervals) == 2:  # the warm-up, and one interval
            server.child.send_signal(signal.SIGSTOP)

    address = f"127.0.0.1:{server.port}"
    plan = Plan(
        address, game="yggdrasil", matches=4, think=0.1, warm_up=0.5, duration=4.0, interval=2.0
    )
    asyncio.run(generate(plan, stop, leave_seconds=0.5))  # though nobody can leave
    _, before, stalled = intervals
    # In two seconds 80 commands are due; those of one more instant may have been answered.
    assert stalled.counts[UNANSWERED] > 40
    assert stalled.milliseconds(COMMAND, 50) > 500
    assert before.counts[UNANSWERED] == 0


async def measured_until(plan: Plan, holds: Callable[[Figures], bool]) -> Figures:
    """Return what the load of *plan* has measured as soon as *holds* says that it is enough."""
    total, enough = Figures(), asyncio.Event()

    def take(figures: Figures) -> None:
        total.follow(figures)
        if holds(total):
            enough.set()

    loading = asyncio.create_task(generate(replace(plan, duration=120.0, interval=0.2), take))
    await asyncio.wait(
        [loading, asyncio.create_task(enough.wait())], return_when=asyncio.FIRST_COMPLETED
    )
    loading.cancel()
    with suppress(asyncio.CancelledError):
        await loading
    return total


async def test_a_load_outlives_a_server_that_forgets_its_matches():
    address = f"127.0.0.1:{free_port()}"  # nobody is given it while no server has it
    first = Process("--store", "memory:", "--listen", address)

    def plays(total: Figures) -> bool:
        return total.number(COMMAND) > 10 and total.number(BOT_COMMAND) > 10

    def lost_and_plays_on(total: Figures) -> bool:
        if total.counts["matches lost"] < 5:
            played.update(people=total.number(COMMAND), bots=total.number(BOT_COMMAND))
            return False
        people, bots = total.number(COMMAND), total.number(BOT_COMMAND)
        return people > played["people"] + 10 and bots > played["bots"] + 10

    plan = Plan(address, game="yggdrasil", matches=3, bot_matches=2, think=0.1, warm_up=0.5)
    played = {"people": 0, "bots": 0}
    replaced: list[Process] = []

    def replace_server(total: Figures) -> bool:
        if plays(total) and not replaced:
            first.end(signal.SIGKILL)
            replaced.append(Process("--store", "memory:", "--listen", address))
        return bool(replaced) and lost_and_plays_on(total)

    total = await measured_until(plan, replace_server)
    replaced[0].end()
    assert lost_and_plays_on(total)


async def test_people_whom_the_server_allows_no_stream_wait_for_one():
    process = Process("--store", "memory:", "--host-streams", "1")
    plan = Plan(f"127.0.0.1:{process.port}", game="yggdrasil", matches=6, think=0.1, warm_up=0.2)
    refused = "WatchMatch: TOO_MANY_STREAMS"
    total = await measured_until(plan, lambda total: total.failures[refused] >= 40)
    process.end()
    assert total.failures[refused] >= 40
    assert total.counts["matches finished"] == 0
    assert total.number("CreateMatch") <= 6  # nobody gives up a match


def test_a_server_that_wants_accounts_gets_the_key(tmp_path, taflhall):
    store = f"embedded:{tmp_path}/store"
    created = subprocess.run(
        [sys.executable, "-m", "taflhall_service.main", "admin", "create-account", "--store", store,
         "Load", "--role", "host"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    key = re.search(r"tfk_\S+", created.stdout)
    assert key is not None
    process = Process("--store", store, "--accounts", "required")
    options = (
        "load", f"127.0.0.1:{process.port}", "--game", "yggdrasil", "--matches", 2,
        "--bot-matches", 1, "--watchers", 2, "--think", 0.1, "--warm-up", 0.3, "--seconds", 1,
    )  # fmt: skip
    without = taflhall(*options)
    ran = taflhall("--api-key", key.group(), *options)
    process.end()
    assert without.status == 1
    assert "AccountRequired" in without.err
    assert ran.status == 0, ran.err
    assert ran.lines[-1].endswith(" commands, 0 failures")


def test_matches_do_not_outlive_the_load(server, taflhall):
    address = f"127.0.0.1:{server.port}"
    measured(Plan(address, matches=2, bot_matches=1, think=0.1, warm_up=0.2, duration=1.0))
    ran = taflhall("match", "list", address, "--status", "playing")
    assert ran.status == 0
    assert "load" not in ran.out


def test_the_command_prints_and_saves_its_figures(server, taflhall, tmp_path):
    file = tmp_path / "load.json"
    ran = taflhall(
        "load", f"127.0.0.1:{server.port}", "--matches", 4, "--think", 0.1, "--watchers", 4,
        "--warm-up", 0.3, "--seconds", 2, "--processes", 2, "--json", file,
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert ran.lines[-1].startswith("loaded: ")
    assert ran.lines[-1].endswith(" commands, 0 failures")
    saved = json.loads(file.read_text())
    assert saved["commands"] == int(ran.lines[-1].split()[1]) > 0
    assert saved["milliseconds"]["command"]["99.0"] > 0
    assert saved["due_per_second"] == 40


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--game", "chess"], "no game 'chess', only champions, ice_garden, yggdrasil"),
        (["--game", "champions", "--seats", 1], "champions is played with 2 to 4 seats, not 1"),
        (["--metrics", "9464"], "--metrics is the URL of a page"),
        (["--metrics", "http://127.0.0.1:1/metrics"], "http://127.0.0.1:1/metrics cannot be read"),
        (["--store", "user:secret@host"], "--store is the URL of one Redis"),
        (["--store", "redis://127.0.0.1:1"], "the store does not answer"),
        (["--store", "redis://host:port"], "the address of the store is not one of Redis"),
        (["--json", "/nowhere/load.json"], "there is no folder /nowhere"),
        (["--json", "/"], "/ is a folder"),
        (["--think", "inf"], "--think"),
        (["--matches", 0], "nothing to do"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_played(server, taflhall, arguments, why):
    ran = taflhall("load", f"127.0.0.1:{server.port}", *arguments)
    assert ran.status == 2
    assert why in ran.err
    assert "Traceback" not in ran.err
    assert "secret" not in ran.err


def test_the_servers_say_what_the_load_costs_them(tmp_path, taflhall):
    port = free_port()
    process = Process("--store", f"embedded:{tmp_path}/store", "--metrics", str(port))
    ran = taflhall(
        "load", f"127.0.0.1:{process.port}", "--matches", 2, "--think", 0.1, "--seconds", 2,
        "--warm-up", 1, "--metrics", f"http://127.0.0.1:{port}/metrics",
        "--json", tmp_path / "json",
    )  # fmt: skip
    process.end()
    assert ran.status == 0, ran.err
    saved = json.loads((tmp_path / "json").read_text())
    for name in ("server_memory_bytes", "server_memory_bytes_idle"):
        assert saved[name] > 10_000_000
    assert saved["server_cpu_seconds"] > 0
    assert sum(line.startswith("servers' ") for line in ran.lines) == 2


def test_watchers_need_people_to_watch(taflhall):
    ran = taflhall("load", "127.0.0.1:1", "--matches", 1, "--watchers", 4, "--processes", 2)
    assert ran.status == 2
    assert "--watchers needs a match of people in each process" in ran.err


def test_a_server_that_is_not_there_is_named_as_the_reason(taflhall):
    ran = taflhall("load", "127.0.0.1:1", "--matches", 1, "--warm-up", 0.1, "--seconds", 1)
    assert ran.status == 4
    assert "127.0.0.1:1" in ran.err
