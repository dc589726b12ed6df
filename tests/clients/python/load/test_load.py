"""``taflhall load`` against real servers."""

import asyncio
import json
import signal
import threading

import pytest

from taflhall_client.load.measures import BOT_COMMAND, COMMAND, RESUMED, WATCH_LAG, Figures
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
        (["--json", "/nowhere/load.json"], "there is no folder /nowhere"),
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
