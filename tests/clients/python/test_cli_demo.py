"""``taflhall demo``: the main job, end to end, with every process cleaned up."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import wait_until

DEMO = [sys.executable, "-m", "taflhall_client", "demo", "--bot", "random"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def processes(marker):
    """The command lines of all processes that mention *marker*."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if marker in line:
                found.append(line)
    return found


def demo(*args):
    return subprocess.run([*DEMO, *args], capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.timeout(120)
def test_a_match_is_played_recorded_and_verified(tmp_path):
    record = tmp_path / "record.json"
    ran = demo("--out", record)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[-1].startswith("verified: Yggdrasil, ")
    assert re.search(r"^ +1  .*\(YG-\d", ran.stdout, re.MULTILINE)
    assert re.search(r"the match took [\d.]+ s", ran.stdout)
    assert record.exists()
    address = re.search(r"server on (\S+),", ran.stdout)
    assert address is not None
    if sys.platform == "linux":
        assert not processes(address[1])


@linux
@pytest.mark.timeout(240)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_it_is_interrupted(number):
    running = subprocess.Popen(
        DEMO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert running.stdout is not None
    address = re.search(r"server on (\S+),", running.stdout.readline())
    assert address is not None
    assert processes(address[1])
    running.send_signal(number)
    running.communicate(timeout=90)
    assert running.returncode in (128 + number, -number)
    wait_until(lambda: not processes(address[1]))


@linux
def test_a_child_whose_parent_was_gone_before_it_began_does_nothing():
    ran = subprocess.run(
        [sys.executable, "-m", "taflhall_client.exec_with_parent", "0", "this"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 128 + signal.SIGTERM
    assert ran.stdout == ran.stderr == ""


@pytest.mark.timeout(120)
def test_a_bot_that_cannot_play_ends_the_demonstration():
    ran = demo("--bot", "no.such:Bot")
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "failed: a bot ended before the match"
    assert "no.such" in ran.stdout
