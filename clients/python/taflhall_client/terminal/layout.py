"""Layout of the parts of a drawn table, the same for every game."""

from __future__ import annotations

from rich import box as borders
from rich.console import RenderableType
from rich.table import Table


def side_by_side(left: RenderableType, right: RenderableType) -> Table:
    """Return two parts side by side."""
    grid = Table.grid(padding=(0, 2))
    grid.add_row(left, right)
    return grid


def frame(title: str, *columns: str) -> Table:
    """Return a table with a title; a column that begins with ``>`` is set to the right."""
    table = Table(title=title, title_justify="left", title_style="bold", box=borders.ROUNDED)
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column[:1] == ">" else "left")
    return table
