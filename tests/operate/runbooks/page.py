"""The runbooks of docs/runbooks.md: their signs, their commands, and when they are over."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).resolve().parents[3] / "docs/runbooks.md"

BEFORE: Final = "What has to be there"
DO: Final = "What to do"
OVER: Final = "It is over when"
PHASES: Final = (BEFORE, DO, OVER)

_PHASE: Final = re.compile(r"^\*\*(.+?)\*\*", re.MULTILINE)
_BLOCK: Final = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_STEP: Final = re.compile(r"^(\d+)\. ", re.MULTILINE)


class Block(NamedTuple):
    """Commands that are run together."""

    phase: str
    number: int
    """The number of its step; without steps, its place in its phase, from 1."""


@dataclass(frozen=True)
class Runbook:
    """One section of the page."""

    title: str
    signs: dict[str, list[str]]
    """What is in code in each row of the table: alerts, events of the log, reasons of refusals."""
    commands: dict[Block, str]
    checks: list[str]
    """The commands that all succeed when it is over, and not before."""
    done: set[Block] = field(default_factory=set)
    """The commands that have been run."""


def read_runbooks(text: str) -> dict[str, Runbook]:
    """Return the runbooks of a page, which are the sections with commands, by title."""
    sections = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    found = [_read(title, body) for title, body in zip(sections[::2], sections[1::2], strict=True)]
    return {runbook.title: runbook for runbook in found if runbook.commands}


def variables(text: str) -> set[str]:
    """Return the variables that the table of the page explains."""
    table = text.partition("\n## ")[0]
    rows = re.findall(r"^\| (`[A-Z].*?) \|", table, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}


def _read(title: str, body: str) -> Runbook:
    intro, *parts = _PHASE.split(body)
    rows = re.findall(r"^\| (\w[\w ]*?) \| (.+) \|$", intro, re.MULTILINE)
    signs = {name: re.findall(r"`([^`]+)`", cell) for name, cell in rows}
    commands: dict[Block, str] = {}
    checks: list[str] = []
    for phase, part in zip(parts[::2], parts[1::2], strict=True):
        for place, block in enumerate(_BLOCK.finditer(part), 1):
            steps = _STEP.findall(part, 0, block.start())
            code = dedent(block[2])
            if phase == OVER:
                checks += code.splitlines()
            elif phase in PHASES:
                commands[Block(phase, int(steps[-1]) if steps else place)] = code
    return Runbook(title, signs, commands, checks)
