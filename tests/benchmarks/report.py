"""Writes what was measured into docs/measurements.md, each part between markers of its own."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "measurements.md"
HEAD = """\
# Measurements

Each section was written by the command it names, on the machine and day it names; `make bench`
rewrites its own sections and leaves the others. These machines change their speed by a factor
of two and more, so the ratios say more than the figures.
"""


def write_section(name: str, title: str, command: str, text: str, file: Path = FILE) -> None:
    """Put the section *name* with *text* into the file, in place of an older one."""
    section = "\n".join(
        [
            f"<!-- {name} -->",
            f"## {title}",
            "",
            f"`{command}` on {machine()}, {dt.date.today():%Y-%m-%d}.",  # noqa: DTZ011
            "",
            text.strip(),
            f"<!-- /{name} -->",
        ]
    )
    old = file.read_text("utf-8") if file.exists() else HEAD
    pattern = re.compile(f"<!-- {re.escape(name)} -->.*<!-- /{re.escape(name)} -->", re.DOTALL)
    if pattern.search(old):
        new = pattern.sub(lambda _: section, old)
    else:
        new = f"{old.rstrip()}\n\n{section}\n"
    file.parent.mkdir(exist_ok=True)
    file.write_text(new, "utf-8")


def machine() -> str:
    """Return what the figures were measured on, in words."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cores} cores ({processor()}), {platform.system()}, {python}"


def processor() -> str:
    try:
        info = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", info, re.MULTILINE)
    return found[1] if found else platform.machine()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are numbers."""
    lines = [
        "| " + " | ".join(head) + " |",
        "|---" + "|---:" * (len(head) - 1) + "|",
        *["| " + " | ".join(row) + " |" for row in rows],
    ]
    return "\n".join(lines)


def figure(value: float) -> str:
    """Return a number with three significant digits, and commas between thousands."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
