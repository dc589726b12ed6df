"""``taflhall analyse``."""

import json

import pytest

from taflhall_client.bots.random import Random
from taflhall_client.cli.records import to_text
from taflhall_client.local import play
from tests.engine.toy import QUAY, Setup

LITTLE = ("--iterations", "30", "--trials", "12", "--jobs", "1")


@pytest.fixture
def record(tmp_path):
    bots = [Random(QUAY, seed) for seed in range(2)]
    played = play(QUAY, bots, Setup(seats=2), secret=bytes(32))
    path = tmp_path / "record.json"
    path.write_text(to_text(played.record(["Ann", "B<b>ob"])), "utf-8")
    return path


def test_a_table_shows_each_decision_and_a_line_sums_it_up(taflhall, quay, record):
    ran = taflhall("analyse", record, *LITTLE)
    assert ran.status == 0
    assert "sealed" in ran.out or "coins=" in ran.out
    answers = len(json.loads(record.read_text("utf-8"))["commands"])
    assert ran.lines[-1].endswith(f"of {answers} answers")
    assert any(line.startswith("Ann: ") and "blunders" in line for line in ran.lines)


def test_page_and_json_are_the_same_each_time(taflhall, quay, record, tmp_path):
    written = []
    for number in range(2):
        page, data = tmp_path / f"{number}.html", tmp_path / f"{number}.json"
        ran = taflhall("analyse", record, *LITTLE, "--html", page, "--json", data)
        assert ran.status == 0
        written.append((page.read_text("utf-8"), data.read_text("utf-8")))
    assert written[0] == written[1]
    page, data = written[0]
    found = json.loads(data)
    assert page.startswith("<!doctype html>")
    assert "B<b>ob" not in page
    assert page.count("<tr id=r") == len(found["decisions"])
    assert "http" not in page
    first = found["decisions"][0]
    assert first["loss"] == pytest.approx(first["before"] - first["after"])
    assert {"revision", "seat", "chosen", "best", "grade"} <= set(first)


def test_invalid_records_are_refused(taflhall, tmp_path):
    path = tmp_path / "record.json"
    path.write_text("{}", "utf-8")
    assert taflhall("analyse", path, *LITTLE).status == 1
