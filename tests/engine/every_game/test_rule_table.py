"""The table in the docstring of each game's ``rules``: one module for every rule."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from taflhall_client.rule_index import RuleIndex
from taflhall_engine import registry

ROOT = Path(__file__).resolve().parents[3]
ROW = re.compile(r"^- (?:``([\w.]+)``|\*(tests)\*): (.*(?:\n  .*)*)", re.MULTILINE)


def rows(name: str) -> list[tuple[str, set[str]]]:
    """Return the modules of the table, and the rules that it gives them."""
    index = RuleIndex(registry.game(name))
    source = (ROOT / "engine/taflhall_engine" / name / "rules/__init__.py").read_text("utf-8")
    table = ast.get_docstring(ast.parse(source)) or ""  # compiled modules have none
    return [
        (module or tests, index.cited(" ".join(numbers.split())))
        for module, tests, numbers in ROW.findall(table)
    ]


@pytest.mark.parametrize("rulebook", registry.GAMES)
def test_every_rule_that_needs_code_is_in_one_row(rulebook: str) -> None:
    rules = registry.game(rulebook).rulebook.rules
    wanted = {number for number, rule in rules.items() if not rule.nothing_to_do}
    found = Counter(number for _, numbers in rows(rulebook) for number in numbers & wanted)
    assert found == Counter(wanted)


@pytest.mark.parametrize("rulebook", registry.GAMES)
def test_the_module_of_a_rule_exists_and_names_it(rulebook: str) -> None:
    index = RuleIndex(registry.game(rulebook), ROOT)
    for module, numbers in rows(rulebook):
        absolute = module.startswith("taflhall_engine.")
        name = module if absolute else f"taflhall_engine.{rulebook}.{module}"
        path = f"{name.replace('.', '/')}.py"
        for number in numbers:
            places = index.find(number)
            assert places is not None
            if places.rule.nothing_to_do:
                continue
            if module == "tests":
                assert places.tests or places.cases or places.code, number
            else:
                files = [place.file.as_posix() for place in places.code]
                assert any(file.endswith(path) for file in files), number
