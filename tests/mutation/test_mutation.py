"""The mutation runner itself, on a module of a few lines, and the lists of survivors."""

import subprocess
import sys

import pytest

from tests.mutation.__main__ import ROOT, TARGETS, chosen, modules_of
from tests.mutation.mutants import mutants_of
from tests.mutation.survivors import FOLDER, explained

MODULE = '''"""A module."""

LIMIT = 3
DOUBLED = LIMIT * 2


def least(a: int, b: int) -> int:
    """Return the lower one."""
    assert a >= 0
    if a < b and not a > LIMIT:
        return a
    return b


async def most(a: float) -> float:
    """Return *a*, at most 1.5."""
    if a < 0:
        raise ValueError
    return min(a, 1.5)
'''

TESTS = """
import asyncio
import toy_rules

def test_least():
    assert toy_rules.least(1, 2) == 1
    assert toy_rules.least(2, 1) == 1

def test_doubled():
    assert toy_rules.DOUBLED == 6

def test_most():
    assert asyncio.run(toy_rules.most(1)) == 1
    assert asyncio.run(toy_rules.most(2)) == 1.5
"""

PROGRAM = """
import pathlib, sys
from tests.mutation import runner
from tests.mutation.mutants import mutants_of
path, tests = pathlib.Path(sys.argv[1]), [sys.argv[2]]
modules = {path: "toy_rules"}
mutants = mutants_of(path, runner.numbers_in(["toy_rules"])["toy_rules"])
def report(fate):
    print(f"{fate.mutant.was} -> {fate.mutant.now}: {fate.killer.rpartition('::')[2]}")
for fate in runner.run_static([m for m in mutants if m.static], modules, tests):
    report(fate)
noticing = runner.Tests(tests, lambda *_: True, traced=1, apart=len(sys.argv) > 3)
runner.run_dynamic([m for m in mutants if not m.static], modules, noticing, 2, report)
"""


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "toy_rules.py"
    path.write_text(MODULE, "utf-8")
    return path


def test_every_token_but_texts_types_and_assertions_is_changed(module):
    changes = [(m.function, m.was, m.now) for m in mutants_of(module, {"LIMIT"})]
    assert changes == [
        ("", "3", "4"),
        ("", "3", "2"),
        ("", "LIMIT * 2", "LIMIT // 2"),
        ("", "LIMIT", "LIMIT + 1"),
        ("", "2", "3"),
        ("", "2", "1"),
        ("least", "a < b and (not a > LIMIT)", "a < b or not a > LIMIT"),
        ("least", "a < b and (not a > LIMIT)", "not a > LIMIT"),
        ("least", "a < b and (not a > LIMIT)", "a < b"),
        ("least", "a < b", "a <= b"),
        ("least", "a < b", "a >= b"),
        ("least", "not a > LIMIT", "a > LIMIT"),
        ("least", "a > LIMIT", "a >= LIMIT"),
        ("least", "a > LIMIT", "a <= LIMIT"),
        ("least", "LIMIT", "LIMIT + 1"),
        ("least", "return a", "return None"),
        ("least", "return b", "return None"),
        ("most", "a < 0", "a <= 0"),
        ("most", "a < 0", "a >= 0"),
        ("most", "0", "1"),
        ("most", "0", "-1"),
        ("most", "raise ValueError", "pass"),
        ("most", "return min(a, 1.5)", "return None"),
        ("most", "min", "max"),
        ("most", "1.5", "2.5"),
        ("most", "1.5", "0.5"),
    ]


@pytest.mark.parametrize("apart", [[], ["apart"]], ids=["together", "apart"])
def test_what_a_test_notices_is_killed_and_the_rest_survives(module, apart):
    tests = module.parent / "test_toy_rules.py"
    tests.write_text(TESTS, "utf-8")
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM, module, tests, *apart],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{module.parent}:{ROOT}"},
        cwd=module.parent,
    ).stdout
    fates = [line for line in output.splitlines() if " -> " in line]
    assert "LIMIT * 2 -> LIMIT // 2: test_doubled" in fates
    assert "a < b -> a >= b: test_least" in fates
    assert "return b -> return None: test_least" in fates
    survivors = [fate for fate in fates if fate.endswith(": ")]
    assert sorted(survivors) == [
        "0 -> -1: ",
        "0 -> 1: ",
        "LIMIT -> LIMIT + 1: ",
        "a < 0 -> a <= 0: ",
        "a < b -> a <= b: ",
        "a < b and (not a > LIMIT) -> a < b: ",
        "a > LIMIT -> a >= LIMIT: ",
        "raise ValueError -> pass: ",
    ]


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_the_survivors_that_are_explained_exist(name):
    reasons = explained(name)
    existing = {mutant.key for mutant in chosen(modules_of(TARGETS[name]), 1, 1)}
    assert [key for key in reasons if key not in existing] == []
    assert [key for key, reason in reasons.items() if len(reason) < 10] == []


def test_a_share_is_chosen_by_the_seed():
    modules = modules_of(TARGETS["ice_garden"], ["gorge"])
    whole = [mutant.key for mutant in chosen(modules, 1, 1)]
    one, again, other = ([m.key for m in chosen(modules, 0.2, seed)] for seed in (1, 1, 2))
    assert one == again != other
    assert len(one) == round(len(whole) * 0.2)
    assert set(one) < set(whole)
