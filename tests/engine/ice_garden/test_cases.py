"""IG-21 The conformance cases: the specification's, our own, and any in TAFLHALL_CASES."""

import os
from pathlib import Path

import pytest

from taflhall_engine.conformance.cases import read_cases, run_cases
from tests.engine.ice_garden.tables import GAME

OWN = Path(__file__).parent / "cases"
FOLDER = Path(os.environ.get("TAFLHALL_CASES") or OWN)
CASES = [
    case
    for path in sorted(FOLDER.glob("*.toml"))
    for game, cases in [read_cases(path)]
    if game == "ice_garden"
    for case in cases
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_holds(case):
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences == []


def test_the_specifications_cases_are_all_there():
    _, cases = read_cases(OWN / "specification.toml")
    assert [case["id"] for case in cases] == [f"IG-C{n:03}" for n in range(1, 108)]


def minimal(**then):
    return {
        "given": {"players": ["callo", "freihoff"], "state": "planning"},
        "when": [{"advance": "next_decision"}],
        "then": then,
    }


@pytest.mark.parametrize(
    "case",
    [
        minimal(weather="fine"),
        minimal(supply={"wood": 1}),
        minimal(stocks={"callo": {"mood": 1}}),
        minimal(regions={"r9": {"neutral": 1}}),
        {"given": {"players": ["callo", "freihoff"], "state": "planning", "colour": "red"}},
        {"given": {"players": ["callo", "odin"], "state": "planning"}},
        {"given": {"players": ["callo"], "state": "planning"}},
        {"given": {"players": ["callo", "freihoff"], "state": "tea"}},
        minimal() | {"when": [{"advance": "tomorrow"}]},
        minimal()
        | {"when": [{"player": "callo", "decision": "plan_marker", "choice": {"slot": 1}}]},
    ],
)
def test_what_nobody_knows_is_an_error_and_never_skipped(case):
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences[0].startswith("cannot be run: CaseError")


@pytest.mark.parametrize(
    "then",
    [
        {"pending": "none"},
        {"pending": {"player": "freihoff", "decision": "plan_marker"}},
        {"legal": [{"field": "vuko"}]},
        {"illegal": [{"field": "move"}]},
        {"dead_snow": 1},
        {"stocks": {"callo": {"gold": 1}}},
        {"turn_order": ["freihoff", "callo"]},
        {"result": {"reason": "goal"}},
    ],
)
def test_what_does_not_hold_is_a_difference(then):
    [outcome] = run_cases(GAME, [minimal(**then)])
    assert len(outcome.differences) == 1
    assert not outcome.differences[0].startswith("cannot be run")


def test_dice_that_are_left_over_are_a_difference():
    case = minimal()
    case["given"]["dice"] = [3]
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences == ["dice left: expected 0, found 1"]
