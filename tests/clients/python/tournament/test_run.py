"""Tournaments played for real: faults, containment, kills in the middle."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from taflhall_client.tournament import results
from taflhall_client.tournament.contained import FILES, NETWORK, PROCESSES, containment
from taflhall_client.tournament.description import read
from taflhall_client.tournament.journal import Journal, JournalError, read_results
from taflhall_client.tournament.post_mortem import NoRecord, post_mortem
from taflhall_client.tournament.referee import play
from taflhall_client.tournament.replays import HostFailed
from taflhall_client.tournament.report import write
from taflhall_client.tournament.run import run
from taflhall_client.tournament.schedule import Pairing
from taflhall_client.tournament.standings import standings
from taflhall_client.tournament.verify import differences
from taflhall_client.tournament.workers import Workers
from taflhall_engine import registry
from taflhall_engine.kernel.replay import replay
from tests.clients.python.tournament.conftest import LINE_BOT
from tests.waiting import wait_until

HOSTILE = "tests.clients.python.tournament.hostile"
QUICK = "[limits]\ndecision_seconds = 3.0\n"
"""For bots that are silent on purpose: enough for the others on a busy machine."""
PATIENT = "[limits]\nstart_seconds = 3600\ndecision_seconds = 3600\n"
"""For bots that stop the clock."""


def played(file: Path, jobs: int = 1) -> tuple[Path, list[results.MatchResult]]:
    out = file.parent / "out"
    run(read(file), file, out, jobs)
    return out, read_results(out)


FAULTS = [
    (f"{HOSTILE}:Illegal", results.ILLEGAL, "'nonsense', which is not one of its"),
    (f"{HOSTILE}:Raises", results.CRASH, "lost the thread"),
    (f"{HOSTILE}:Sleeps", results.SILENT, "no answer within 3 s"),
    (f"{HOSTILE}:Unborn", results.CRASH, "no mood to play"),
    (f"{HOSTILE}:Exits", results.CRASH, "exit code 7"),
    (f"{HOSTILE}:Leaves", results.CRASH, "SystemExit: 3"),
    (f"{HOSTILE}:TakesBack", results.ILLEGAL, "may not raise TakeBack"),
    (f"{HOSTILE}:Abandons", results.ILLEGAL, "may not raise Abandon"),
    (f"{HOSTILE}:Invents", results.ILLEGAL, "'nonsense', which is not one of its"),
    (f"{HOSTILE}:Closes", results.CRASH, "closed the connection"),
    (f"{HOSTILE}:Hides", results.CRASH, "RuntimeError: hidden"),
    (f"{HOSTILE}:Mumbles", results.CRASH, "str() failed"),
    (f"{HOSTILE}:Rambles", results.CRASH, "on and on"),
    (f"{HOSTILE}:Dawdles", results.SILENT, "no answer within 3 s"),
    (f"{HOSTILE}:Forges", results.ILLEGAL, "which is not one of its"),
    ("nowhere:Bot", results.CRASH, "nowhere"),
    (f"{LINE_BOT} babbles", results.ILLEGAL, "not a line of JSON"),
    (f"{LINE_BOT} nests", results.ILLEGAL, "not a line of JSON"),
    (f"{LINE_BOT} lies", results.ILLEGAL, "an answer has id 3, not '777"),
    (f"{LINE_BOT} ahead", results.SILENT, "has not read within 3 s"),
    (f"{LINE_BOT} wrong", results.ILLEGAL, "not 4096"),
    (f"{LINE_BOT} silent", results.SILENT, "no answer within 3 s"),
    (f"{LINE_BOT} dies", results.CRASH, "has ended with status 9"),
    (f"{LINE_BOT} eats", results.CRASH, "has ended with status 1"),
    ("/nowhere/at all", results.CRASH, "has ended"),
]


@pytest.mark.parametrize(("bot", "kind", "text"), FAULTS, ids=lambda value: str(value)[-20:])
def test_only_the_offender_loses_by_a_fault(describe, bot, kind, text):
    out, found = played(describe("random", bot, head=QUICK if kind == results.SILENT else ""))
    assert len(found) == 2
    for result in found:
        (fault,) = result.faults
        assert (fault.entrant, fault.kind) == ("b", kind)
        assert text in fault.text
        assert len(fault.text) < 1000
        assert result.outcome().place("a") == 1
        if fault.evidence:
            evidence = json.loads((out / fault.evidence).read_text("utf-8"))
            assert evidence["view"]["public"]
            assert evidence["options"]
            if "dies" in bot:
                assert evidence["stderr_tail"] == "that was too much\n"
            if "nowhere/" in bot:
                assert "No such file" in evidence["stderr_tail"]
            if "babbles" in bot:
                assert "< what?" in evidence["lines"]


@pytest.mark.parametrize("bot", ["Copies", "CopiesInNoTime", "Wanders"])
def test_what_a_bot_does_to_its_process_costs_nobody_a_match(describe, monkeypatch, bot):
    file = describe("random", f"{HOSTILE}:{bot}", head=PATIENT)
    monkeypatch.chdir(file.parent)
    run(read(file), file, Path("out"), 1)
    found = read_results(file.parent / "out")
    assert sorted(result.match_id for result in found) == ["0.0", "0.1"]
    assert not any(result.faults or result.set_aside for result in found)


@pytest.mark.slow
def test_a_bot_that_cannot_be_interrupted_is_killed(describe):
    _, found = played(
        describe(
            "random",
            f"{HOSTILE}:Stubborn",
            head=QUICK + "grace_seconds = 0.5\n",
        )
    )
    assert [fault.kind for result in found for fault in result.faults] == [results.SILENT] * 2
    assert "could not be interrupted" in found[0].faults[0].text


def test_a_bot_that_closes_its_connection_and_goes_on_is_killed(describe):
    file = describe("random", f"{HOSTILE}:ClosesAndStays")
    out = file.parent / "out"
    run(read(file), file, out, Workers(read(file), out, 1, end_seconds=0.2))
    found = read_results(out)
    assert [fault.entrant for result in found for fault in result.faults] == ["b", "b"]
    assert "closed the connection" in found[0].faults[0].text


def test_a_script_may_play_a_tournament_without_a_guard(describe, tmp_path):
    file = describe("random", "random", game='"yggdrasil"')
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from taflhall_client.tournament.description import read\n"
        "from taflhall_client.tournament.run import run\n"
        f"file = Path({str(file)!r})\n"
        "print(len(run(read(file), file, file.parent / 'out', 1).results))\n",
        "utf-8",
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("2\n", 0), ran.stderr


def test_the_bot_of_the_guide_plays_a_match(describe, tmp_path):
    guide = (Path(__file__).resolve().parents[4] / "docs" / "tournaments.md").read_text("utf-8")
    code, *_ = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    bot = tmp_path / "mybot.py"
    bot.write_text(code, "utf-8")
    _, found = played(describe("random", f"{sys.executable} {bot}"))
    assert found
    assert not any(result.faults for result in found)


@pytest.mark.parametrize("manner", ["plays", "blind", "words"])
def test_a_program_plays_by_lines(describe, manner):
    out, found = played(describe("random", f"{LINE_BOT} {manner}"))
    assert not any(result.faults for result in found)
    game = registry.game("champions")
    for result in found:
        record = json.loads((out / result.record).read_text("utf-8"))
        assert replay(game, record).result.places == list(result.places)


def test_a_program_has_no_network(describe):
    if NETWORK not in containment():
        pytest.skip("this kernel allows no network namespace here")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        _, found = played(describe("random", f"{LINE_BOT} phones {port}"))
    assert all(result.faults[0].kind == results.CRASH for result in found)


@pytest.mark.parametrize("manner", ["writes", "remounts"])
def test_a_program_cannot_write_files(describe, tmp_path, manner):
    if FILES not in containment():
        pytest.skip("this kernel allows no mounts here")
    target = tmp_path / "written"
    _, found = played(describe("random", f"{LINE_BOT} {manner} {target}"))
    assert all(result.faults[0].kind == results.CRASH for result in found)
    assert not target.exists()


def test_the_processes_of_a_program_end_with_its_match(describe, tmp_path):
    if PROCESSES not in containment():
        pytest.skip("this kernel allows no namespace of processes here")
    with socket.create_server(("127.0.0.1", 0)) as server:
        name = f"taflhall-orphan-{server.getsockname()[1]}"
        played(describe("random", f"{LINE_BOT} forks {name}"))
    wait_until(lambda: name not in running())


def running() -> str:
    """Return the command lines of all processes."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(file.read_text(errors="replace"))
    return "".join(found)


def test_the_time_for_a_match_runs_out_and_increments_fill_it_up(describe):
    slow = f"{HOSTILE}:Slow"
    head = "[limits]\nmatch_seconds = 1.5\n"  # and 0.05 for each of 33 decisions
    _, found = played(describe("random", slow, head=head))
    assert {r.faults[0].kind for r in found} <= {results.LATE, results.SILENT}
    head += "increment_seconds = 5.0\n"
    file = describe("random", slow, head=head)
    run(read(file), file, file.parent / "again", 1)
    assert not any(r.faults for r in read_results(file.parent / "again"))


def test_a_match_that_takes_too_long_can_be_adjudicated(describe):
    file = describe("random", "random", head="[limits]\ncommands = 5\nadjudicate = true\n")
    out, found = played(file)
    assert all(result.adjudicated and result.places for result in found)
    assert not any(wrong for _, wrong in differences(read(file), found, out))


def test_a_cooperative_team_has_several_bots(describe):
    file = describe("random", "heuristic", game='"yggdrasil"', seats=3)
    text = file.read_text("utf-8") + '\n[[entrants]]\nname = "duo"\nmembers = ["a", "b"]\n'
    file.write_text(text, "utf-8")
    tournament = read(file)
    assert [tournament.player("duo", seat).name for seat in range(3)] == ["a", "b", "a"]
    _, found = played(file)
    assert [r.entrants for r in found].count(("duo", "duo", "duo")) == 1


def test_the_records_of_a_tournament_are_verified_and_a_changed_one_is_found(describe):
    file = describe("random", "random")
    out, found = played(file)
    assert [wrong for _, wrong in differences(read(file), found, out)] == ["", ""]
    record = out / found[0].record
    text = record.read_text("utf-8")
    record.write_text(text.replace('"seats":["a","b"]', '"seats":["b","a"]'), "utf-8")
    wrong = dict(differences(read(file), found, out))
    assert wrong["0.0"] == "its record is not the one that was written"
    assert wrong["0.1"] == ""


def test_a_program_that_does_not_start_is_reported_with_its_last_line(describe, tmp_path, caplog):
    tournament = read(describe("random", f"{sys.executable} no-such-file.py"))
    for folder in ("records", "evidence"):
        (tmp_path / folder).mkdir()
    result = play(tournament, tournament.make_game(), Pairing("0.0", 0, ("a", "b")), tmp_path)
    (line,) = caplog.text.splitlines()
    assert "match 0.0, b: crash: the program has ended with status 2; its standard error" in line
    assert "no-such-file.py" in line
    again = post_mortem(tournament, result, 1, tmp_path)
    assert again.same
    assert "no-such-file.py" in again.stderr_tail


@pytest.mark.parametrize("bot", [f"{HOSTILE}:{n}" for n in ("Raises", "Illegal")])
def test_a_post_mortem_finds_the_same_fault_in_the_same_position(describe, bot):
    file = describe("random", bot)
    out, found = played(file)
    for result in found:
        (fault,) = result.faults
        again = post_mortem(read(file), result, fault.seat, out)
        assert again.same
        assert (again.asked, again.other_answers) == (2, 0)
        evidence = json.loads((out / fault.evidence).read_text("utf-8"))
        assert again.options == evidence["options"]
        assert again.decision == evidence["decision"]


def test_a_match_killed_with_its_process_has_no_post_mortem(describe):
    file = describe("random", f"{HOSTILE}:Exits")
    out, found = played(file)
    with pytest.raises(NoRecord, match="exit code 7"):
        post_mortem(read(file), found[0], found[0].faults[0].seat, out)
    with pytest.raises(ValueError, match="has no fault"):
        post_mortem(read(file), found[0], 1 - found[0].faults[0].seat, out)


def test_the_same_tournament_gives_the_same_results(describe):
    file = describe("random", "random", "heuristic", rounds=1)
    first = {r.match_id: (r.places, r.scores) for r in played(file)[1]}
    tournament = read(file)
    run(tournament, file, file.parent / "again", 1)
    second = {r.match_id: (r.places, r.scores) for r in read_results(file.parent / "again")}
    assert first == second
    assert len(first) == 6


@pytest.mark.slow
def test_a_tournament_killed_again_and_again_ends_with_the_same_standings(describe):
    entrants = ["random"] * 6
    file = describe(*entrants, game='"yggdrasil"', rounds=6)
    tournament = read(file)
    run(tournament, file, file.parent / "whole", 2)
    whole = standings(tournament, read_results(file.parent / "whole"))
    out = file.parent / "killed"
    command = [sys.executable, "-c", "from taflhall_client.cli import main; main()"]
    command += ["tournament", "run", str(file), "--out", str(out), "--jobs", "2"]
    kills = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        before = lines_of(out)
        wait_until(partial(ended_or_longer, process, out, before + 2))
        if process.poll() is None and kills < 8:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
            with (out / "results.jsonl").open("ab") as torn:
                torn.write(b'{"match_id": "9.')
            continue
        assert process.wait(120) == 0
        break
    assert kills >= 3
    found = read_results(out)
    assert len({r.match_id for r in found}) == len(found) == 36
    assert standings(tournament, found) == whole


def ended_or_longer(process: subprocess.Popen[bytes], out: Path, lines: int) -> bool:
    return process.poll() is not None or lines_of(out) >= lines


def lines_of(out: Path) -> int:
    file = out / "results.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_a_folder_belongs_to_one_tournament_and_one_process(describe):
    file = describe("random", "random")
    out, _ = played(file)
    with (
        Journal(out, read(file), file),
        pytest.raises(JournalError, match="another process"),
        Journal(out, read(file), file),
    ):
        pass
    file.write_text(file.read_text("utf-8") + "\n# changed\n", "utf-8")
    with pytest.raises(JournalError, match="another tournament"):
        run(read(file), file, out, 1)


def test_a_damaged_line_is_named(describe):
    file = describe("random", "random")
    out, _ = played(file)
    lines = (out / "results.jsonl").read_text("utf-8").splitlines()
    (out / "results.jsonl").write_text(f"{lines[0][:40]}\n{lines[1]}\n", "utf-8")
    with pytest.raises(JournalError, match="line 1: damaged"):
        read_results(out)


def test_a_match_that_never_ends_is_set_aside_until_the_host_gives_up(describe):
    file = describe("random", "random", head="[limits]\ncommands = 5\n")
    with pytest.raises(HostFailed, match="not over after 5 commands"):
        played(file)
    found = read_results(file.parent / "out")
    assert {result.set_aside for result in found} == {"the match is not over after 5 commands"}


def test_a_description_that_is_wrong_is_named_with_what_is_wrong(taflhall, describe, tmp_path):
    file = describe("nosuch", "random", head=QUICK)
    ran = taflhall("tournament", "run", str(file), "--out", str(tmp_path / "played"))
    assert ran.status == 2
    assert f"{file}: entrants[0].bot: random, heuristic, search or module:Class, not" in ran.err


def test_a_tournament_with_misspelt_bots_does_not_begin(taflhall, describe, tmp_path):
    file = describe("random", "nosuch:Bot", f"{HOSTILE}:Nobody", f"{HOSTILE}:Unborn", head=QUICK)
    ran = taflhall("tournament", "run", str(file), "--out", str(tmp_path / "played"))
    assert ran.status == 2
    assert "nosuch:Bot: No module named 'nosuch'" in ran.err
    assert "has no attribute 'Nobody'" in ran.err
    assert "Unborn" not in ran.err  # it is there, and loses its matches
    assert not (tmp_path / "played").exists()


def test_a_tournament_with_a_missing_program_does_not_begin(taflhall, describe, tmp_path):
    file = describe("random", "no-such-program --fast", "no-such-bot:Bot", head=QUICK)
    ran = taflhall("tournament", "run", str(file), "--out", str(tmp_path / "played"))
    assert ran.status == 2
    assert f"{file}: command of 'b': there is no program 'no-such-program'" in ran.err
    assert "bot of 'c': " in ran.err  # named at once
    assert not (tmp_path / "played").exists()


def test_a_tournament_is_not_played_into_a_file(taflhall, describe, tmp_path):
    out = tmp_path / "notes.txt"
    out.write_text("mine", "utf-8")
    ran = taflhall("tournament", "run", str(describe("random", "random")), "--out", str(out))
    assert ran.status == 2
    assert f"{out}: is a file, not the folder of a tournament" in ran.err


@pytest.mark.parametrize("address", ["localhost", "http://localhost:8786"])
def test_what_is_no_address_of_a_scheduler_is_refused(taflhall, describe, tmp_path, address):
    pytest.importorskip("distributed")
    out = tmp_path / "played"
    file = str(describe("random", "random"))
    ran = taflhall("tournament", "run", file, "--out", str(out), "--scheduler", address)
    assert ran.status == 2
    assert "taflhall: --scheduler is tcp://HOST:PORT: " in ran.err
    assert not out.exists()


def test_a_tournament_with_a_misspelt_argument_does_not_begin(taflhall, describe, tmp_path):
    file = describe("search", f"{HOSTILE}:Plays", "random", head=QUICK)
    text = file.read_text("utf-8")
    text = text.replace('bot = "search"', 'bot = "search"\noptions = {iteration = 60}')
    file.write_text(text.replace(':Plays"', ':Plays"\noptions = {sped = 1}'), "utf-8")
    ran = taflhall("tournament", "run", str(file), "--out", str(tmp_path / "played"))
    assert ran.status == 2
    assert "bot of 'a': taflhall_client.bots.search:Search cannot be made" in ran.err
    assert "argument 'iteration'" in ran.err
    assert "bot of 'b'" in ran.err
    assert "argument 'sped'" in ran.err
    assert not (tmp_path / "played").exists()


def test_the_report_names_everybody_and_needs_nothing_from_outside(describe):
    file = describe("random", f"{HOSTILE}:Raises", "random")
    out, found = played(file)
    files = write(read(file), found, out)
    page = files[0].read_text("utf-8")
    for words in ("Standings", "Cross table", "Seats", "lost the thread", "evidence/", "records/"):
        assert words in page
    for outside in ("http://", "https://", "src=", "@import"):
        assert outside not in page
    data: Any = json.loads(files[1].read_text("utf-8"))
    assert len(data["matches"]) == len(found) == 6
    assert [line["name"] for line in data["standings"]][-1] == "b"
    assert files[2].read_text("utf-8").count("\n") == 4
