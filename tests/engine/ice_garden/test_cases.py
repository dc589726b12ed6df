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
    assert [case["id"] for case in cases] == [f"IG-C{n:03}" for n in range(1, 109)]


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


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"stocks": {"callo": {"gold": 23}}}, "there are only 22 gold"),
        ({"stocks": {"callo": {"gold": 20}}, "supply": {"gold": 3}}, "there are only 22 gold"),
        ({"stocks": {"callo": {"vuko_tokens": 11}}}, "there are only 10 vuko_tokens"),
        ({"stocks": {"freihoff": {"towers": 7}}}, "there are only 6 red_towers"),
        ({"stocks": {"callo": {"m": [0, 9, 9, 0]}}}, "there are only 16 m_factor"),
        ({"stocks": {"callo": {"gold": -1}}}, "is less than none"),
        ({"stocks": {"callo": {"upgrades": {"faun": ["attack"] * 6}}}}, "there are only 5 attack"),
        ({"regions": {"r1": {"tile": 1, "reserves_up": 5}}}, "there are only 4 reserves"),
        ({"regions": {"r1": {"tile": 1}, "r2": {"tile": 1}}}, "a tile lies in two regions"),
        ({"regions": {"r1": {"tile": 7}}}, "a tile does not belong to this number"),
        ({"regions": {"r1": {"tile": 1, "nightmare_tokens": 3}}}, "too many nightmare tokens"),
        (
            {"regions": {r: {"tile": n, "units": ["faun-1"]} for n, r in ((1, "r1"), (2, "r2"))}},
            "faun-1 stands in two places",
        ),
        (
            {"regions": {r: {"tile": n, "vuko": True} for n, r in ((1, "r1"), (2, "r2"))}},
            "there is one Vuko",
        ),
        (
            {"regions": {r: {"tile": n, "thorn": True} for n, r in ((1, "r1"), (2, "r2"))}},
            "there is one Thorn",
        ),
        ({"regions": {"r1": {"tile": 1, "influence": {"fjollsfinn": 1}}}}, "takes no part"),
        ({"regions": {"r1": {"tile": 1, "controlled": {"callo": 1}}}}, "Vuko controls markers"),
        ({"damage": {"faun-1": 1}}, "faun-1 is hurt, but not on the map"),
        ({"fields": {"making": ["callo"] * 4}}, "making has too many markers"),
        ({"fields": {"making": ["van_dyken"]}}, "a marker of no player lies on making"),
        ({"helms": {"11": ["callo"]}}, "there is no helm 11"),
        ({"helms": {"\u0662": ["callo"]}}, "there is no helm \u0662"),
        ({"helms": {"2": ["callo"], "3": ["callo"]}}, "on a track twice"),
        ({"active_tiles": [{"number": 5, "side": "arrow"}]}, ""),
    ],
)
def test_a_position_that_no_components_make_is_an_error(given, reason):
    case = minimal()
    case["given"] |= given
    [outcome] = run_cases(GAME, [case])
    if reason:
        assert reason in outcome.differences[0]
    else:
        assert outcome.differences == []


def test_dice_that_are_left_over_are_a_difference():
    case = minimal()
    case["given"]["dice"] = [3]
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences == ["dice left: expected 0, found 1"]
