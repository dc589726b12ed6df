"""docs/logs.md names every event that the code logs, with its level and fields, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service" / "taflhall_service"
PAGE = (ROOT / "docs" / "logs.md").read_text("utf-8")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
EVERYWHERE = {"timestamp", "level", "event"}


class Logged(NamedTuple):
    level: str
    fields: frozenset[str]
    complete: bool
    """No further fields come from a mapping."""


def calls() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, ast.Call]]:
    """Yield every call of a logger, with where it is and its function."""
    for path in sorted(SERVICE.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    logger = ast.unparse(node.func.value)
                    is_logger = re.fullmatch(r"_?log|structlog\.get_logger\(.*\)", logger)
                    if is_logger and node.func.attr in LEVELS:
                        yield f"{path.relative_to(SERVICE)}:{node.lineno}", function, node


def names_of(argument: ast.expr, function: ast.AST) -> set[str]:
    """Return the events that *argument* can be: a literal, or a variable of *function*."""
    if isinstance(argument, ast.Constant):
        return {str(argument.value)}
    assert isinstance(argument, ast.Name), ast.unparse(argument)
    pairs = [
        pair
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        for pair in (
            zip(target.elts, node.value.elts, strict=True)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            else [(target, node.value)]
        )
    ]
    return {
        str(value.value)
        for target, value in pairs
        if isinstance(target, ast.Name)
        and target.id == argument.id
        and isinstance(value, ast.Constant)
        and value.value
    }


def logged() -> dict[str, list[Logged]]:
    """Return what the code logs, by event."""
    found: dict[str, list[Logged]] = {}
    for where, function, call in calls():
        level = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        event = call.args[1 if level == "log" else 0]
        names = names_of(event, function)
        assert names, f"{where}: the event is not a literal"
        fields = frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
        complete = all(keyword.arg for keyword in call.keywords)
        for name in names:
            found.setdefault(name, []).append(Logged(level, fields, complete))
    return found


def rows(columns: int) -> list[list[str]]:
    """Return the rows of the page's tables that have *columns*."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| `")]
    split = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in split if len(row) == columns]


def documented() -> dict[str, tuple[str, frozenset[str]]]:
    """Return level and fields of each event that the page names."""
    events = rows(4)
    assert len({row[0] for row in events}) == len(events), "an event is named twice"
    return {
        name.strip("`"): (level, frozenset(re.findall(r"`(\w+)`", fields)))
        for name, level, fields, _ in events
    }


def test_the_page_names_the_events_that_the_code_logs_and_no_other():
    assert sorted(documented()) == sorted(logged())


@pytest.mark.parametrize("event", sorted(documented()))
def test_an_event_has_the_level_and_the_fields_that_the_page_states(event):
    level, fields = documented()[event]
    found = logged()[event]
    for each in found:
        assert each.level == ("log" if level == "that of the library" else level)
    assert fields >= frozenset().union(*[each.fields for each in found])
    if all(each.complete for each in found):
        assert fields == frozenset().union(*[each.fields for each in found])


def test_the_page_explains_every_field_and_no_other():
    explained = [row[0].strip("`") for row in rows(2)]
    used = EVERYWHERE.union(*[fields for _, fields in documented().values()])
    assert len(set(explained)) == len(explained)
    assert set(explained) == used
