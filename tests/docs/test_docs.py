"""What the documents say of the code is so: excerpts, paths, targets, links."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from taflhall_client.cli import app
from taflhall_service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "clients").glob("*/README.md"))
EXCERPT = re.compile(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
PATH = re.compile(
    r"`((?:engine|proto|service|clients|tests|docs|deploy)/[\w./-]*\w/?)`|\]\(((?!\w+:|#)[^)#\s]+)[)#]"
)
TARGET = re.compile(r"(?:`|^ {4}|\n)make ([a-z-]+)")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)


def excerpts():
    for page in PAGES:
        for number, (source, code) in enumerate(EXCERPT.findall(page.read_text("utf-8")), 1):
            yield pytest.param(source, code, id=f"{page.stem}-{number}")


@pytest.mark.parametrize(("source", "code"), list(excerpts()))
def test_an_excerpt_is_the_code_itself(source, code):
    """A line of three dots stands for an omission."""
    text = (ROOT / source).read_text("utf-8")
    place = 0
    for piece in re.split(r"^\.\.\.\n", code, flags=re.MULTILINE):
        found = text.find(piece, place)
        assert found >= 0, f"{source} does not say:\n{piece}"
        place = found + len(piece)


@pages
def test_the_paths_named_exist(page):
    for named, link in PATH.findall(page.read_text("utf-8")):
        place = page.parent / link if link else ROOT / named
        assert place.exists(), f"{page.name} names {named or link}"


@pages
def test_the_targets_named_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(TARGET.findall(page.read_text("utf-8")))
    assert named <= targets


def test_the_walk_through_shows_every_file_of_the_toy():
    shown = {source for source, _ in EXCERPT.findall((ROOT / "docs/adding-a-game.md").read_text())}
    assert {Path(source).name for source in shown} >= {
        "rulebook.toml",
        "components.toml",
        "table.py",
        "effects.py",
        "rules.py",
        "view.py",
        "game.py",
        "quay.proto",
    }


COMMAND = re.compile(r"(?:`| {4}|\n)taflhall ([a-z][a-z-]+)(?: ([a-z][a-z-]+)(?![\w.:/]))?")
OTHERS = [ROOT / "SECURITY.md", ROOT / "deploy" / "README.md", ROOT / "CHANGELOG.md"]
OTHERS += sorted((ROOT / ".github").rglob("*.*"))


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda path: path.name)
def test_the_commands_named_exist(page):
    root: Any = typer.main.get_command(app)
    for name, further in COMMAND.findall(page.read_text("utf-8")):
        assert name in root.commands, f"taflhall {name}"
        below = getattr(root.commands[name], "commands", {})
        assert not (below and further) or further in below, f"taflhall {name} {further}"


OF_OTHER_PROGRAMS = {
    *("--cflags", "--cpp_out", "--grpc_out", "--libs", "--plugin", "--ruby_out"),
    *("--appendonly", "--bind", "--dir", "--port", "--save", "--latency"),
    *("--cluster", "--cluster-from", "--cluster-to", "--cluster-slots", "--cluster-yes"),
}
"""Flags of pkg-config and protoc, redis-server and redis-cli."""


@pages
def test_the_flags_named_exist(page):
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", page.read_text("utf-8")))
    assert named <= flags() | OF_OTHER_PROGRAMS


def flags():
    """Every flag that our programs read."""
    found = {"--help", *(f"--{f.name.replace('_', '-')}" for f in fields(Settings))}
    found |= {"--no-self-check"}
    found |= {"--data-urlencode", "--fail-with-body", "--get", "--json"}  # curl's
    commands: list[Any] = [typer.main.get_command(app)]
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        for parameter in command.params:
            found |= {*parameter.opts, *parameter.secondary_opts}
    for folder in ("service", "tests/benchmarks", "tests/faults", "tests/mutation", "proto"):
        for path in (ROOT / folder).rglob("*.py"):
            found |= set(re.findall(r'"(--[a-z][a-z-]+)"', path.read_text("utf-8")))
    return found


def test_the_reason_of_the_first_changes_has_the_next_free_number() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    proto = (ROOT / "proto/taflhall/v1/error_reason.proto").read_text("utf-8")
    number = re.compile(r"ERROR_REASON_\w+ = (\d+)")
    (shown,) = (int(found) for found in number.findall(text))
    assert shown == max(int(found) for found in number.findall(proto)) + 1
    assert f"next free number, here {shown}" in " ".join(text.split())


def test_the_first_changes_of_a_contributor_touch_two_files_each_and_still_fit() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    diffs = re.findall(r"^```diff\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(diffs) == 3
    for diff in diffs:
        _, *files = re.split(r"^--- a/", diff, flags=re.MULTILINE)
        assert len(files) == 2
        for part in files:
            name, _, *lines = part.splitlines()
            source = (ROOT / name).read_text("utf-8").splitlines()
            kept = [line[1:] for line in lines if line.startswith((" ", "-"))]
            assert [line for line in kept if line not in source] == [], name
