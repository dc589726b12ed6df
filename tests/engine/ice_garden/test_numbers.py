"""Every number of the specification exists in the index, and somebody answers for it."""

import inspect
import re
from pathlib import Path

import pytest

from taflhall_engine.conformance.cases import read_cases
from taflhall_engine.ice_garden import game
from taflhall_engine.kernel import COMPILED
from tests.engine.ice_garden.tables import GAME

HERE = Path(__file__).parent
CHAPTERS = [14, 10, 12, 12, 7, 30, 20, 14, 17, 21, 8, 6, 7, 7, 13, 20]
NUMBERS = [
    *[f"IG-{c}.{n}" for c, count in enumerate(CHAPTERS, 1) for n in range(1, count + 1)],
    "IG-17",
    *[f"E-{n:02}" for n in range(1, 37)],
    "IG-18",
    *[f"A-{n:02}" for n in range(1, 60)],
    *[f"IG-19.{n}" for n in range(1, 6)],
    "IG-20",
    *[f"D-{n:02}" for n in range(1, 32)],
    *[f"IG-20.{n}" for n in range(1, 6)],
    "IG-21",
]
CASES = {
    case["id"]: case
    for path in sorted((HERE / "cases").glob("*.toml"))
    for case in read_cases(path)[1]
}
PROVED_BY = {
    "A-03": "IG-C012",
    "A-05": "IG-C005",
    "A-06": "IG-C095",
    "A-28": "IG-C053",
    "A-38": "IG-C093",
    "E-18": "IG-C003",
    "E-29": "IG-C060",
    "IG-19.5": "IG-C053",
}
"""Rulings that a case of the specification proves without naming them."""


def test_the_index_has_every_number_of_the_specification():
    assert [n for n in NUMBERS if n not in GAME.rulebook.rules] == []
    assert [n for n in GAME.rulebook.rules if n not in NUMBERS] == []


@pytest.mark.skipif(COMPILED, reason="the sources are read")
def test_every_number_is_answered_for():
    engine = Path(inspect.getfile(game)).parent
    runner = engine.parent / "conformance" / "ice_garden"
    paths = [*engine.rglob("*.py"), *runner.rglob("*.py")]
    sources = [p.read_text("utf-8") for p in sorted(paths) if p.name != "__init__.py"]
    tests = [p for p in sorted(HERE.glob("test_*.py")) if "numbers" not in p.name]
    sources += [p.read_text("utf-8") for p in tests]
    cited = set(re.findall(r"\b(?:IG-\d+(?:\.\d+)?|[EAD]-\d\d)\b", "\n".join(sources)))
    cited |= {number for case in CASES.values() for number in case["rules"]}
    cited |= set(PROVED_BY)
    silent = [
        rule.number
        for rule in GAME.rulebook.rules.values()
        if rule.number not in cited and not rule.nothing_to_do
    ]
    assert silent == []


def test_the_cases_cite_rules_that_exist():
    assert set(PROVED_BY.values()) <= set(CASES)
    for case in CASES.values():
        assert [n for n in case["rules"] if n not in NUMBERS] == [], case["id"]
