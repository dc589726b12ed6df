"""Every refusal that a game has a name for is one that its rules can give."""

import ast
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Refusal


def modules(name):
    package = import_module(registry.GAMES[name].rpartition(".")[0])
    prefix = f"{package.__name__}."
    return [import_module(m.name) for m in pkgutil.walk_packages(package.__path__, prefix)]


def returned(tree):
    """Return the names that a module loads where refusals are given."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            found |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None:
                    found |= {n.id for n in ast.walk(line.value) if isinstance(n, ast.Name)}
    return found


@pytest.mark.skipif(COMPILED, reason="the sources are read")
@pytest.mark.parametrize("game", list(registry.GAMES))
def test_a_refusal_with_a_name_is_returned_by_a_rule(game):
    named, given = set(), set()
    for module in modules(game):
        named |= {name for name, value in vars(module).items() if isinstance(value, Refusal)}
        given |= returned(ast.parse(Path(inspect.getfile(module)).read_text("utf-8")))
    kernel = {
        name for name in named if vars(import_module("taflhall_engine.kernel.agenda")).get(name)
    }
    assert named - given - kernel == set()
