"""The command line against a real server: open, join, play, watch, record."""

import json
import re
import subprocess
import sys

import pytest

from taflhall_client import errors, sync
from taflhall_client.bots.random import Random


@pytest.fixture
def opened(taflhall, address):
    """Open a match of *seats* seats; return its id and the creator's secret."""

    def open_match(*args):
        ran = taflhall("match", "create", address, "yggdrasil", *args)
        assert ran.status == 0
        return re.findall(r"^(?:match|secret)\s+(\S+)$", ran.out, re.MULTILINE)

    return open_match


def finished(address, seats=2):
    """Play a match to its end; return its id."""
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": seats}, start_when_full=True)
        match.join("Ann", range(seats)).play(Random(client.game("yggdrasil")))
        return match.match_id


def test_a_match_is_opened_joined_started_and_shown(taflhall, address, opened):
    match, secret = opened("--seats", "2", "--setup", "furious=1", "--title", "evening")
    joined = taflhall("match", "join", address, match, "--name", "Ann", "--seat", "1")
    assert joined.lines[0] == "seats  1"
    assert taflhall("match", "join", address, match, "--name", "Bob", "--bot").status == 0
    shown = taflhall("match", "show", address, match)
    assert "status   open" in shown.out
    assert "Ann (person)" in shown.out
    assert "Bob (bot)" in shown.out
    started = taflhall("match", "start", address, match, "--secret", secret)
    assert "status   playing, revision 0" in started.out
    assert "waits for seat" in taflhall("match", "show", address, match).out
    listed = taflhall("match", "list", address, "--status", "playing")
    assert match in listed.out
    assert "evening" in listed.out


def test_the_games_of_a_server_are_listed(taflhall, address):
    ran = taflhall("games", address)
    assert "Yggdrasil" in ran.out
    assert "seats=4" in ran.out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["match", "show", "ADDRESS", "nowhere"], "MATCH_NOT_FOUND"),
        (["match", "join", "ADDRESS", "nowhere", "--name", "Ann"], "MATCH_NOT_FOUND"),
        (["match", "create", "ADDRESS", "yggdrasil", "--seats", "9"], "INVALID_SETUP|setup: seats"),
        (["record", "export", "ADDRESS", "nowhere"], "MATCH_NOT_FOUND"),
        (["play", "ADDRESS", "nowhere", "--join", "Ann"], "MATCH_NOT_FOUND"),
        (["bot", "ADDRESS", "nowhere", "--join", "Ann"], "MATCH_NOT_FOUND"),
        (["watch", "ADDRESS", "nowhere"], "there is no such match .MATCH_NOT_FOUND"),
        (["play", "ADDRESS", "nowhere", "--secret", "ä"], "SECRET_INVALID"),
        (["play", "ADDRESS", "nowhere", "--secret", "a\r\nb"], "SECRET_INVALID"),
        (["watch", "ADDRESS", "nowhere", "--language", "de"], "diese Partie gibt es nicht"),
    ],
)
def test_a_refusal_is_a_line_and_an_exit_status(taflhall, address, args, says):
    ran = taflhall(*[address if arg == "ADDRESS" else arg for arg in args])
    assert ran.status == 3
    assert re.search(says, ran.err)
    assert not ran.out


def test_a_person_plays_a_hosted_match_and_comes_back(taflhall, address, opened):
    match, _ = opened("--seats", "1", "--start-when-full")
    ran = taflhall(
        "play",
        address,
        match,
        "--join",
        "Ann",
        typed=("?", "send_vikings vikings=9", "1", "1", "1", "1"),
    )
    assert ran.status == 0
    assert "take that option" in ran.out
    assert "not allowed, rule" in ran.out
    assert "  Ann: " in ran.out
    [secret] = re.findall(r"--secret (\S+)", ran.out)
    again = taflhall("play", address, match, "--secret", secret, typed=("resign", "yes"))
    assert again.status == 0
    assert "Ann resigns" in again.out
    assert again.lines[-1] == "reason: a seat resigned"


def test_a_german_at_the_table_reads_german_refusals(taflhall, address, opened, monkeypatch):
    match, _ = opened("--seats", "1", "--start-when-full")
    monkeypatch.setattr(sync.Match, "submit", _illegal)
    everything = sync.Match.watch
    monkeypatch.setattr(sync.Match, "watch", lambda *a, **kw: [next(everything(*a, **kw))])
    args = ("play", address, match, "--join", "Ann", "--language", "de")
    ran = taflhall(*args, typed=("1",))
    assert "diese Welt wurde in diesem Zug schon genutzt" in ran.out
    assert "the rules" not in ran.out


def _illegal(*_):
    raise errors.IllegalCommand(
        "the rules forbid this", metadata={"rule": "YG-6.2", "refusal": "world_used"}
    )


def test_a_bot_plays_a_hosted_match_to_its_end(taflhall, address, opened):
    match, _ = opened("--seats", "1", "--start-when-full")
    ran = taflhall("bot", address, match, "--join", "Robot", "--bot", "random")
    assert ran.status == 0
    assert "Robot" in ran.out
    assert ran.lines[-1].startswith("reason: ")


def test_a_bot_that_fails_leaves_traceback_and_decision_in_a_file(
    taflhall, address, opened, tmp_path, caplog
):
    match, _ = opened("--seats", "1", "--start-when-full")
    bot = ("--bot", "tests.clients.python.test_cli_matches:Crashes", "--failures", tmp_path)
    ran = taflhall("bot", address, match, "--join", "Robot", *bot)
    assert ran.status == 3
    assert "raised ZeroDivisionError: oh" in ran.err
    assert 'raise ZeroDivisionError("oh")' in caplog.text
    [kept] = tmp_path.iterdir()
    assert str(kept) in ran.out
    text = kept.read_text("utf-8")
    assert 'raise ZeroDivisionError("oh")' in text
    assert "options:" in text
    assert "view:" in text


HANGS = """
import threading

class Hangs:
    def __init__(self, game, seed=0):
        pass

    def choose(self, view, decision):
        print("thinking", flush=True)
        threading.Event().wait()
"""


def test_the_process_of_a_bot_that_hangs_ends_with_its_match(address, opened, tmp_path):
    match, _ = opened("--seats", "1", "--start-when-full")
    (tmp_path / "hangs.py").write_text(HANGS, "utf-8")
    command = ["bot", address, match, "--join", "Robot", "--bot", "hangs:Hangs"]
    process = subprocess.Popen(
        [sys.executable, "-m", "taflhall_client", *command],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    with process:
        assert process.stdout is not None
        secret = process.stdout.readline().split()[-1]
        assert process.stdout.readline() == "thinking\n"
        with sync.Client(address) as client:
            client.match(match, secret).abandon()
        assert process.wait(60) == 0


class Crashes:
    def __init__(self, game, seed=0):
        pass

    def choose(self, view, decision):
        raise ZeroDivisionError("oh")


def test_a_match_is_watched_with_the_numbers_of_the_rules(taflhall, address, opened):
    match, _ = opened("--seats", "1", "--start-when-full")
    args = ("bot", address, match, "--join", "Robot", "--bot", "random")
    watching = subprocess.Popen(
        [sys.executable, "-m", "taflhall_client", "watch", address, match],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    assert "open" in watching.stdout.readline()
    assert taflhall(*args).status == 0
    output = watching.stdout.read()
    watching.wait(60)
    assert watching.returncode == 0
    assert re.search(r"Robot: .*\(YG-7\.\d\)", output)
    assert "reason: " in output.splitlines()[-1]


def test_the_history_of_a_match_is_printed_with_its_revisions(taflhall, address):
    match = finished(address)
    everything = taflhall("history", address, match)
    assert everything.status == 0
    revisions = [int(line[:4]) for line in everything.lines]
    assert sorted({*revisions}) == [*range(1, revisions[-1] + 1)]
    assert "(YG-" in everything.lines[0]
    part = taflhall("history", address, match, "--from", "3", "--to", "4")
    assert part.lines == [line for line in everything.lines if int(line[:4]) in (3, 4)]


def test_a_finished_match_is_shown_when_it_is_watched(taflhall, address):
    ran = taflhall("watch", address, finished(address), "--table")
    assert ran.status == 0
    assert ran.lines[-1].startswith("reason: ")


def test_a_record_is_exported_verified_and_imported(taflhall, address, tmp_path):
    match = finished(address)
    path = tmp_path / "record.json"
    assert taflhall("record", "export", address, match, "--out", path).status == 0
    assert taflhall("verify", path).lines[-1].startswith("verified: Yggdrasil, ")
    assert taflhall("record", "import", path).status == 0
    printed = taflhall("record", "export", address, match)
    assert json.loads(printed.out) == json.loads(path.read_text("utf-8"))
    shown = taflhall("match", "show", address, match)
    assert json.loads(printed.out)["secret"] in shown.out


def test_no_record_before_the_end(taflhall, address, opened):
    match, _ = opened("--seats", "2")
    ran = taflhall("record", "export", address, match)
    assert ran.status == 3
    assert "NOT_FINISHED" in ran.err
    assert not ran.out
