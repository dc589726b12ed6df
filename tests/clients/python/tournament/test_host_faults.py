"""What the host did to a match costs nobody; what a bot did to its host costs that bot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from taflhall_client.tournament import results
from taflhall_client.tournament.description import Entrant, Tournament, read
from taflhall_client.tournament.journal import read_results
from taflhall_client.tournament.match_up import FIRST, SECOND, match_up
from taflhall_client.tournament.out_of_memory import killed_for_memory
from taflhall_client.tournament.referee import set_aside
from taflhall_client.tournament.replays import TRIES, HostFailed, Replays
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.run import run
from taflhall_client.tournament.schedule import Pairing
from taflhall_client.tournament.standings import counted

HOSTILE = "tests.clients.python.tournament.hostile"
PAIRING = Pairing("0.0", 0, ("a", "b"))


def aside(suspect: int) -> MatchResult:
    return set_aside(PAIRING, "killed", suspect)


def test_a_bot_that_kills_its_process_again_has_crashed(describe):
    file = describe("random", f"{HOSTILE}:Kills")
    run(read(file), file, file.parent / "out", 1)
    found = read_results(file.parent / "out")
    assert sum(bool(result.set_aside) for result in found) == 2
    played = counted(found)
    assert [result.match_id for result in played] == ["0.0", "0.1"]
    for result in played:
        (fault,) = result.faults
        assert (fault.entrant, fault.kind) == ("b", results.CRASH)
        assert "killed its process, twice" in fault.text
        assert result.outcome().place("a") == 1


def test_a_process_that_is_killed_once_costs_nobody(describe, tmp_path):
    mark = tmp_path / "mark"
    options = f"options = {{ mark = {json.dumps(str(mark))} }}"
    file = describe("random", f"{HOSTILE}:Killed")
    file.write_text(file.read_text("utf-8") + f"\n{options}\n", "utf-8")
    run(read(file), file, file.parent / "out", 1)
    found = read_results(file.parent / "out")
    assert mark.exists()
    assert [result.set_aside for result in found if result.set_aside] == [
        "the worker has ended (exit code -9)"
    ]
    assert len(counted(found)) == 2
    assert not any(result.faults for result in found)


def test_a_match_up_continues_after_a_process_was_killed(tmp_path):
    killed = Entrant(FIRST, f"{HOSTILE}:Killed", options=(("mark", str(tmp_path / "mark")),))
    entrants = (killed, Entrant(SECOND, "random"))
    tournament = Tournament("duel", "champions", "match_up", 2, 1, 7, entrants, {"seats": 2})
    found = match_up(tournament, tmp_path / "out", 1, cooperative=False)
    assert (found.matches, found.faults) == (2, 0)


def test_a_bot_that_leaves_a_copy_of_its_process_holds_nobody_up(describe, tmp_path):
    mark = tmp_path / "mark"
    options = f"options = {{ mark = {json.dumps(str(mark))} }}"
    file = describe("random", f"{HOSTILE}:LeavesACopy")
    file.write_text(file.read_text("utf-8") + f"\n{options}\n", "utf-8")
    try:
        run(read(file), file, file.parent / "out", 1)
    finally:
        mark.touch()
    found = read_results(file.parent / "out")
    assert [result.faults[0].text for result in found] == [
        "the bot ended its process (exit code 7)"
    ] * 2


def test_a_suspect_is_blamed_only_if_the_same_seat_decided_again():
    replays = Replays()
    assert replays.judge(aside(0), PAIRING).set_aside
    assert replays.judge(aside(1), PAIRING).set_aside
    blamed = replays.judge(aside(1), PAIRING)
    assert not blamed.set_aside
    assert [fault.entrant for fault in blamed.faults] == ["b"]


def test_a_match_between_two_kills_that_was_set_aside_otherwise_clears_the_suspect():
    replays = Replays()
    for suspect in (0, -1, 0):
        assert replays.judge(aside(suspect), PAIRING).set_aside


def test_a_match_that_is_set_aside_too_often_is_the_end():
    replays, pairings = Replays(), {"0.0": PAIRING}
    for _ in range(TRIES - 1):
        assert replays.again([aside(-1)], pairings) == [PAIRING]
    with pytest.raises(HostFailed, match=f"set aside {TRIES} times, at last because: killed"):
        replays.again([aside(-1)], pairings)


@pytest.mark.parametrize(
    ("text", "count"), [("oom_kill 3\nnr_free 5\noom_kill_disable 9\n", 3), ("nr_free 5\n", 0)]
)
def test_the_machine_says_how_many_processes_it_killed_for_memory(tmp_path, text, count):
    counters = tmp_path / "vmstat"
    counters.write_text(text, "ascii")
    assert killed_for_memory(counters) == count


def test_a_machine_without_counters_says_nothing(tmp_path):
    assert killed_for_memory(tmp_path / "none") == 0


def test_a_result_keeps_its_suspect_in_the_journal():
    data: Any = json.loads(json.dumps(aside(1).to_data()))
    assert MatchResult.from_data(data) == aside(1)
