"""The command line as a whole: help, exit codes, short errors, quick to start."""

import subprocess
import sys
from importlib.metadata import version

import pytest

COMMANDS = [
    "games",
    "match",
    "play",
    "watch",
    "bot",
    "cases",
    "playout",
    "record",
    "verify",
    "demo",
]


def test_help_names_every_command(taflhall):
    ran = taflhall("--help")
    assert ran.status == 0
    for command in COMMANDS:
        assert f" {command} " in ran.out


def test_the_version_is_that_of_the_distribution(taflhall):
    ran = taflhall("--version")
    assert (ran.status, ran.out) == (0, f"taflhall {version('taflhall')}\n")


def test_the_help_explains_the_exit_status(taflhall):
    assert "Exit status: 0 done, 1 a check failed" in taflhall("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(taflhall, command):
    ran = taflhall(command, "--help")
    assert ran.status == 0
    assert "Usage" in ran.out


@pytest.mark.parametrize(
    ("args", "status", "says"),
    [
        (["nonsense"], 2, "No such command"),
        (["playout"], 2, "Missing argument"),
        (["playout", "chess"], 2, "unknown game 'chess'"),
        (["playout", "quay", "--matches", "0"], 2, "--matches"),
        (["playout", "quay", "--seats", "9"], 3, "setup: seats: 2 to 4 can play"),
        (["playout", "quay", "--setup", "rounds=x"], 3, "setup: rounds: 1 to 12 rounds, found 'x'"),
        (["playout", "quay", "--setup", "x"], 3, "setup: x: FIELD=VALUE is expected, found 'x'"),
        (["playout", "quay", "--data", "/nowhere"], 3, "data: /nowhere: expected components.toml"),
        (["play"], 2, "name a server and a match"),
        (["play", "--local", "quay", "--seat", "5"], 2, "there are seats 0 to 2"),
        (["play", "--local", "quay", "--language", "fr"], 2, "en or de"),
        (["play", "--local", "quay", "--bot", "nobody"], 2, "module:Class"),
        (["play", "--local", "quay", "--bot", "heuristic"], 2, "no heuristic bot"),
        (["play", "--local", "quay", "--bot", "no.module:Bot"], 2, "No module named"),
        (["play", "--local", "quay", "--bot", "json:loads"], 2, "cannot be made"),
        (["bot", "localhost:1", "m"], 2, "--secret"),
        (
            ["match", "create", "a:1", "quay", "--on-timeout", "forfeit"],
            2,
            "--on-timeout needs --clock",
        ),
        (["match", "create", "a:1", "quay", "--on-timeout", "x"], 2, "--on-timeout is neutral"),
        (["verify", "/nowhere.json"], 2, "/nowhere.json: No such file"),
    ],
)
def test_a_mistake_is_reported_in_a_line_with_its_exit_status(taflhall, quay, args, status, says):
    ran = taflhall(*args)
    assert ran.status == status
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert not ran.out


def test_an_unreachable_server_has_its_own_exit_status(taflhall):
    ran = taflhall("match", "list", "127.0.0.1:1")
    assert ran.status == 4
    assert "UNAVAILABLE" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_games_lists_those_of_the_engine_with_their_setups(taflhall, quay):
    ran = taflhall("games")
    assert ran.status == 0
    assert "quay" in ran.out
    assert "seats=3 rounds=5" in ran.out
    assert "yggdrasil" in ran.out


def test_importing_the_command_line_imports_nothing_slow():
    slow = "('asyncio', 'grpc', 'google.protobuf', 'rich', 'taflhall_engine', 'multiprocessing')"
    program = f"import sys, taflhall_client.cli; print([m for m in {slow} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ran.stdout.strip() == b"[]"


def test_it_can_be_run_as_a_module():
    ran = subprocess.run(
        [sys.executable, "-m", "taflhall_client", "games"], capture_output=True, check=True
    )
    assert b"yggdrasil" in ran.stdout


def test_a_bot_is_found_in_the_working_folder(taflhall, quay, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    lines = [
        "class Hugin:",
        "    def __init__(self, game, seed=0): ...",
        "    def choose(self, view, decision):",
        "        return decision.options[0]",
    ]
    (tmp_path / "hugin_of_mine.py").write_text("\n".join(lines), "utf-8")
    ran = taflhall("play", "--local", "quay", "--bot", "hugin_of_mine:Hugin")
    assert (ran.err, ran.status) == ("", 0)
