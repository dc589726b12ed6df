"""Layout of the parts of a drawn table, the same for every game."""

from __future__ import annotations

from typing import Final

from rich import box as borders
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table

UNLIMITED: Final = 1000
"""More columns than any drawing takes."""


class Fitting:
    """A drawing where there is room for the whole width of it, and a narrower one where not."""

    def __init__(self, wide: RenderableType, narrow: RenderableType) -> None:
        self.wide: Final = wide
        self.narrow: Final = narrow

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        unlimited = options.update(max_width=UNLIMITED)
        wanted = Measurement.get(console, unlimited, self.wide).maximum
        yield self.wide if wanted <= options.max_width else self.narrow


def side_by_side(left: RenderableType, right: RenderableType) -> RenderableType:
    """Return two parts side by side, or one below the other where that is too wide."""
    grid = Table.grid(padding=(0, 2))
    grid.add_row(left, right)
    return Fitting(grid, Group(left, right))


def frame(title: str, *columns: str) -> Table:
    """Return a table with a title; a column that begins with ``>`` is set to the right."""
    table = Table(title=title, title_justify="left", title_style="bold", box=borders.ROUNDED)
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column[:1] == ">" else "left")
    return table
