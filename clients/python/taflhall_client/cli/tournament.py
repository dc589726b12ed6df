"""``taflhall tournament``: bots against bots, by a description in a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.output import say

if TYPE_CHECKING:
    from taflhall_client.tournament.run import Progress

app = typer.Typer(
    name="tournament",
    help="Tournaments between bots.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Out = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the tournament.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The description, as TOML.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the results go.")],
    jobs: Annotated[int, typer.Option(min=1, max=256, help="How many processes.")] = os.cpu_count()
    or 1,
) -> None:
    """Play a tournament; the same command in the same folder continues it."""
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import read_results
    from taflhall_client.tournament.report import write
    from taflhall_client.tournament.run import run as play
    from taflhall_client.tournament.standings import counted

    tournament = read(file)
    with _progress() as progress:
        play(tournament, file, out, jobs, progress)
    results = read_results(out)
    _show(out)
    written = write(tournament, results, out)
    say(f"report: {written[0]}")
    played = counted(results)
    aside = sum(1 for result in results if result.set_aside)
    penalties = sum(len(result.faults) for result in played)
    say(f"finished: {len(played)} matches, {aside} set aside, {penalties} penalties")


@app.command()
def standings(out: Out) -> None:
    """Show the standings so far."""
    _show(out)


@app.command()
def report(out: Out) -> None:
    """Write the report of what has been played so far."""
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.report import write

    for file in write(read(out / DESCRIPTION), read_results(out), out):
        say(str(file))


def _show(out: Path) -> None:
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.standings import standings as standings_of

    lines = standings_of(read(out / DESCRIPTION), read_results(out))
    width = max([len(line.name) for line in lines])
    for line in lines:
        strength = ""
        if line.strength is not None:
            strength = f"  {line.strength:+6.0f} ({line.low:+.0f} to {line.high:+.0f})"
        faults = f"  {line.faults} faults" if line.faults else ""
        say(
            f"{line.place:3}  {line.name:{width}}  {line.points:8.2f} points"
            f" in {line.matches} matches{strength}{faults}"
        )


@contextmanager
def _progress() -> Iterator[Progress]:
    """Yield how to report finished matches: a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda played, known: None  # noqa: ARG005
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda played, known: progress.update(task, completed=played, total=known)
