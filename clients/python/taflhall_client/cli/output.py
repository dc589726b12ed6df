"""Output of the command line: other people's text is shown unchanged and never fails a command.

Names, titles and messages come from other people. They are not treated as markup, their control
characters have no effect, and characters that the terminal's encoding lacks are replaced.
"""

from __future__ import annotations

import io
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from taflhall_client.printable import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.table import Table


def console(*, stderr: bool = False) -> Console:
    """Return where to print tables and drawings: plain text unless it is a terminal."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "120"))
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def say(*values: object) -> None:
    """Print a line with the control characters in it made visible."""
    print(*(literal(str(value)) for value in values), flush=True)


def add_row(table: Table, *cells: object) -> None:
    """Add a row to *table*; the cells are shown as they are."""
    table.add_row(*(literal(str(cell)) for cell in cells))


def tolerate_encodings(*streams: Any) -> None:
    """Replace characters that a stream cannot encode, instead of raising ``UnicodeEncodeError``."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Yield how to show what is done, and of how many: a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done, total: None  # noqa: ARG005
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def progress_line(
    seconds: float = 10.0, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[str], None]]:
    """Yield how to show on standard error what is known so far.

    On a terminal each line takes the place of the one before; elsewhere lines that come less than
    *seconds* after the last one are left out.
    """
    if not sys.stderr.isatty():
        shown = clock()

        def show(line: str) -> None:
            nonlocal shown
            if clock() >= shown + seconds:
                shown = clock()
                print(line, file=sys.stderr, flush=True)

        yield show
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    column = TextColumn("{task.description}", markup=False)
    with Progress(column, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("")
        yield lambda line: progress.update(task, description=line)
