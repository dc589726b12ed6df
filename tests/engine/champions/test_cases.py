"""The conformance cases of Champions of Midgard, and that the runner can fail."""

import os
import tomllib
from pathlib import Path

import pytest

from taflhall_engine.conformance import run_case
from taflhall_engine.conformance.cases import CaseError, run_cases
from tests.engine.champions.tables import GAME

FOLDER = Path(os.environ.get("TAFLHALL_CASES", Path(__file__).parent / "cases"))


def cases():
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        tables = tomllib.loads(path.read_text("utf-8"))
        if tables.get("game", "champions") == "champions":
            found += [c for c in tables["case"] if str(c["id"]).startswith("CM-")]
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    [outcome] = run_cases(GAME, [case])
    assert outcome.differences == [], outcome.title


def rich():
    """A case that expects something of everything."""
    return {
        "unit": "placement",
        "given": {"players": 2, "seats": [{"workers": 1, "coins": 3}], "stock": {"hafter": 1}},
        "when": [{"seat": 0, "command": "place_worker", "location": "hafter"}],
        "then": {"seats": [{"seat": 0, "warriors": {"spearman": 1}}], "stock": {"hafter": 0}},
    }


def test_20_1_a_case_that_holds_passes():
    assert run_case(GAME, rich()) == []


@pytest.mark.parametrize(
    "then",
    [
        {"seats": [{"seat": 0, "warriors": {"spearman": 2}}]},
        {"seats": [{"seat": 0, "coins": 2}]},
        {"supply": {"spearman": 10}},
        {"marker": 1},
        {"outcome": "finished"},
        {"next_seat": 1},
        {"error": "STOCK_EMPTY"},
        {"legal": [{"seat": 0, "command": "place_worker", "location": "beg"}]},
        {"illegal": [{"seat": 0, "command": "place_worker", "error": "BAD_ARGUMENT"}]},
        {"bounties": [0, 0, 0, 0]},
        {"winners": [0]},
        {"hunting": {"seat": 0, "warriors": {"spearman": 1}}},
        {"journeys": ["storm", "", "", ""]},
    ],
)
def test_20_5_a_wrong_expectation_is_a_difference(then):
    case = rich()
    case["then"] = then
    assert run_case(GAME, case) != []


@pytest.mark.parametrize("place", ["case", "given", "seat", "when", "then", "then seat"])
def test_20_1_an_unknown_key_is_an_error(place):
    case = rich()
    of = {
        "case": case,
        "given": case["given"],
        "seat": case["given"]["seats"][0],
        "when": case["when"][0],
        "then": case["then"],
        "then seat": case["then"]["seats"][0],
    }
    of[place]["nonsense"] = 1
    with pytest.raises(CaseError, match="nonsense"):
        run_case(GAME, case)


def test_20_5_after_a_refusal_the_rest_is_compared_too():
    case = rich()
    case["when"].append({"seat": 0, "command": "place_worker", "location": "beg"})
    case["then"] = {"error": "NOT_PENDING", "outcome": "phase_over", "stock": {"hafter": 0}}
    assert run_case(GAME, case) == []
    case["then"]["stock"] = {"hafter": 1}
    assert run_case(GAME, case) != []


@pytest.mark.parametrize(("error", "fine"), [(None, True), ("NOT_PENDING", True), ("X", False)])
def test_20_5_an_illegal_answer_is_refused_with_its_error_or_with_any(error, fine):
    case = rich()
    answer = {"seat": 0, "command": "place_worker", "location": "beg"}
    case["then"] = {"illegal": [answer if error is None else {**answer, "error": error}]}
    assert (run_case(GAME, case) == []) == fine
    case["when"] = []
    case["then"] = {"illegal": [answer]}
    assert run_case(GAME, case) != []


def test_20_2_an_unknown_unit_is_an_error():
    with pytest.raises(CaseError, match="tea"):
        run_case(GAME, {"unit": "tea", "given": {"players": 2}, "then": {}})


def test_20_4_luck_that_is_left_over_is_a_difference():
    case = rich()
    case["when"].append({"chance": "roll", "faces": ["hit"]})
    assert any("left over" in difference for difference in run_case(GAME, case))


RULINGS = {
    "A-01": ["CM-C121", "CM-D009"],
    "A-02": ["CM-C008", "CM-C122"],
    "A-05": ["CM-C033"],
    "A-06": ["CM-C030"],
    "A-07": ["CM-C043", "CM-C120"],
    "A-08": ["CM-C016"],
    "A-09": ["CM-C079", "CM-C081", "CM-C134"],
    "A-10": ["CM-C063"],
    "A-11": ["CM-C098", "CM-D017"],
    "A-12": ["CM-C071", "CM-C072", "CM-D020"],
    "A-13": ["CM-C085", "CM-D014", "CM-D015"],
    "A-14": ["CM-C135", "CM-D010"],
    "A-15": ["CM-C086"],
    "A-16": ["CM-C091", "CM-C123"],
    "A-17": ["CM-C105", "CM-D024"],
    "A-18": ["CM-D011"],
    "A-19": ["CM-C108"],
    "A-20": ["CM-C112"],
    "A-21": ["CM-D012"],
    "A-22": ["CM-D017"],
    "A-23": ["CM-C098", "CM-C099", "CM-D013"],
    "A-24": ["CM-C100", "CM-D016"],
    "A-25": ["CM-C049", "CM-C129"],
    "A-26": ["CM-C044", "CM-C132"],
    "A-27": ["CM-D005"],
    "A-28": ["CM-C011", "CM-D005"],
    "A-29": ["CM-C037"],
    "A-30": ["CM-C038", "CM-C039", "CM-C040"],
    "A-31": ["CM-C038"],
    "A-32": ["CM-C018", "CM-D004"],
    "A-33": ["CM-D004"],
    "A-35": ["CM-C070", "CM-D023"],
    "A-36": ["CM-D023"],
    "A-37": ["CM-D006"],
    "A-38": ["CM-C028"],
    "A-39": ["CM-C055", "CM-C124"],
    "A-40": ["CM-C078"],
    "A-41": ["CM-D025"],
    "A-42": ["CM-C125", "CM-D025"],
    "A-43": ["CM-C125"],
    "A-45": ["CM-C117"],
    "A-46": ["CM-C095", "CM-D027"],
    "A-47": ["CM-C027", "CM-C131"],
    "A-48": ["CM-D022"],
    "A-49": ["CM-C065", "CM-D012"],
    "A-50": ["CM-C079"],
    "A-51": ["CM-C087", "CM-D010"],
}
"""Which cases pin the rulings of CM-18."""


@pytest.mark.skipif("TAFLHALL_CASES" in os.environ, reason="other cases are run")
def test_18_every_case_that_pins_a_ruling_is_there():
    ids = {case["id"] for case in CASES}
    assert [case for cases in RULINGS.values() for case in cases if case not in ids] == []


@pytest.mark.skipif("TAFLHALL_CASES" in os.environ, reason="other cases are run")
def test_20_1_cases_cite_rules_that_exist():
    unknown = {rule for case in CASES for rule in case["rules"] if rule not in GAME.rulebook.rules}
    assert unknown == set()
    assert len({case["id"] for case in CASES}) == len(CASES)


# ---------------------------------------------------------------- what the runner refuses


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"rune_row": ["gifts", "gifts"]}, "rune gifts lies 2 times"),
        ({"seats": [{"leader": "dagrun"}, {"leader": "dagrun"}]}, "leader dagrun"),
        ({"seats": [{"destinies": ["craftsman"]}, {"destinies": ["craftsman"]}]}, "craftsman"),
        ({"seats": [{"private_ship": "karvi"}, {"private_ship": "karvi"}]}, "karvi"),
        ({"seats": [{"warriors": {"axeman": 11}}, {}]}, "10 axeman dice"),
        ({"journey_deck": ["kraken"] * 9}, "journey kraken"),
        ({"seats": [{"coins": -2}, {}]}, "negative"),
    ],
)
def test_2_1_a_position_that_the_box_cannot_make_is_refused(given, wrong):
    case = rich()
    case["given"] |= given
    with pytest.raises(CaseError, match=wrong):
        run_case(GAME, case)


def test_20_5_a_case_may_state_every_option():
    case = rich()
    case["when"] = []
    case["given"]["stalls"] = []
    case["then"] = {"options": ["beg"]}
    [difference] = run_case(GAME, case)
    listed = difference.split("found ")[1]
    for text in ("take_stock location=hafter", "visit_stave_church coins=3", "beg"):
        assert f"'{text}'" in listed
    case["then"] = {"options": eval(listed)}
    assert run_case(GAME, case) == []
    case["then"]["options"].remove("beg")
    assert run_case(GAME, case) != []
