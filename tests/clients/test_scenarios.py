"""The kit itself: what it reads, compares and reports."""

import sys

import pytest

from taflhall_testing.clients.run import Outcome, run_scenarios
from taflhall_testing.clients.scenarios import InvalidScenario, bundled, read_file, read_folder
from taflhall_testing.clients.values import differences, filled

DRIVER = """
import json
print(json.dumps({"protocol": 1, "client": "deaf", "operations": ["connect", "close", "call"]}))
while True:
    line = json.loads(input())
    result = {"response": {}} if line["op"] == "call" else {}
    print(json.dumps({"id": line["id"], "result": result}), flush=True)
"""


async def test_a_client_that_swallows_errors_fails(tmp_path):
    (tmp_path / "driver.py").write_text(DRIVER)
    chosen = [s for s in read_folder(bundled()) if "without a reason" in s.name]
    outcomes: list[Outcome] = []
    await run_scenarios(f"{sys.executable} -u {tmp_path}/driver.py", chosen, outcomes.append)
    assert "did not fail" in outcomes[0].faults[0]


async def test_a_scenario_is_skipped_if_the_driver_lacks_an_operation(tmp_path):
    (tmp_path / "driver.py").write_text(DRIVER)
    chosen = [s for s in read_folder(bundled()) if "A cancelled watch" in s.name]
    outcomes: list[Outcome] = []
    await run_scenarios(f"{sys.executable} -u {tmp_path}/driver.py", chosen, outcomes.append)
    assert outcomes[0].skipped == "cancel, watch"


def test_a_file_with_an_unknown_key_is_refused(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text('format_version = 1\n[[scenario]]\nname = "x"\nserver = "fake"\nstepp = []\n')
    with pytest.raises(InvalidScenario, match="stepp"):
        read_file(file)


def test_references_are_filled_in():
    known = {"ann": {"seats": [4, 5]}}
    assert filled({"a": ["$ann.seats.1", "b"]}, known) == {"a": [5, "b"]}
    with pytest.raises(InvalidScenario, match="secret"):
        filled("$ann.secret", known)


@pytest.mark.parametrize(
    ("wanted", "found", "alike"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {}, False),
        ([1], [1, 2], True),
        ([1, 2], [1], False),
        ("@any", 0, True),
        ("@any", None, False),
        ("@null", None, True),
        ("@null", 0, False),
        ({"@one_of": [1, 2]}, 2, True),
        ({"@one_of": [1, 2]}, 3, False),
        ({"@at_least": 2}, 2, True),
        ({"@at_least": 2}, 1, False),
    ],
)
def test_an_expectation_is_compared(wanted, found, alike):
    assert (differences(wanted, found) == []) is alike
