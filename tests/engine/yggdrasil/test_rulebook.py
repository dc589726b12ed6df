"""Every number of the specification is in the rulebook and is carried out or cited."""

import re
from pathlib import Path

import taflhall_engine.yggdrasil
from tests.engine.yggdrasil.position import GAME

COUNTS = {0: 6, 1: 10, 2: 10, 3: 6, 4: 9, 5: 10, 6: 8, 7: 9, 8: 8, 9: 9, 10: 8, 11: 6}
COUNTS |= {12: 3, 13: 7, 14: 9, 15: 5, 16: 36, 17: 6}
LETTERS = ["7.2a", "7.2b", "7.9a", "7.9b", "7.9c", "7.9d", "7.9e", "7.9f", "7.9g"]

ENGINE = Path(taflhall_engine.yggdrasil.__file__).parent
RUNNER = ENGINE.parent / "conformance" / "yggdrasil"
TESTS = Path(__file__).parent


def numbers():
    found = [f"YG-{chapter}.{n}" for chapter, most in COUNTS.items() for n in range(1, most + 1)]
    return found + [f"YG-{number}" for number in LETTERS]


def cited():
    """Return the numbers that engine, cases or tests name (in a test's name as ``7_2a``)."""
    found = set()
    sources = [path for folder in (ENGINE, RUNNER, TESTS) for path in folder.rglob("*.py")]
    sources = [path for path in sources if path.name != "__init__.py"]
    for file in [*sources, *TESTS.rglob("*.toml")]:
        text = file.read_text("utf-8")
        found |= set(re.findall(r"YG-\d+\.\d+[a-g]?", text))
        found |= {f"YG-{a}.{b}" for a, b in re.findall(r"def test_(\d+)_(\d+[a-g]?)_", text)}
    return found


def test_the_rulebook_has_every_number_of_the_specification_and_no_other():
    assert sorted(GAME.rulebook.rules) == sorted(numbers())


def test_every_number_is_cited_or_has_nothing_to_do():
    silent = {
        number
        for number, rule in GAME.rulebook.rules.items()
        if not rule.nothing_to_do and number not in cited()
    }
    assert silent == set()


def test_no_number_is_cited_that_does_not_exist():
    assert cited() - set(GAME.rulebook.rules) == set()
