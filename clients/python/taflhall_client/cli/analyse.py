"""``taflhall analyse``: what the decisions of a finished match were worth."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Final

import typer

from taflhall_client.cli.common import DataFolder, Processes
from taflhall_client.cli.output import add_row, console, progress_bar, say
from taflhall_client.cli.records import RecordFile, check, read, verified

CORES: Final = os.cpu_count() or 1


def analyse(
    file: RecordFile,
    iterations: Annotated[
        int, typer.Option(min=1, help="Iterations of the search at each decision.")
    ] = 200,
    trials: Annotated[
        int, typer.Option(min=2, help="Trials of the best answer and of the one given.")
    ] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random numbers.")] = 0,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page with a graph.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write it as JSON.")
    ] = None,
    jobs: Processes = CORES,
    data: DataFolder = None,
) -> None:
    """Search every decision of a finished match from its seat's own view; mark the mistakes.

    The same iterations, trials and seed give the same analysis. Expected results are percent: 0 is
    lost, 100 is won alone.
    """
    from rich.table import Table

    from taflhall_client.analysis import report
    from taflhall_client.analysis.match import Effort
    from taflhall_client.analysis.run import run

    record = read(file)
    found = check(record, data)
    effort = Effort(iterations, trials)
    with progress_bar() as progress:
        folder = None if data is None else data.resolve()
        decisions = run(found, record, folder, effort, seed, jobs, progress)
    answers = len(found.moves)
    analysis = report.Analysis(
        found.game.id,
        found.game.title,
        found.seats,
        verified(found).removeprefix("verified: "),
        effort,
        seed,
        answers,
        decisions,
    )
    shown = Table("revision", "seat", "before", "after", "loss", "±", "chosen", "best", "")
    for d in decisions:
        numbers = [report.percent(share) for share in (d.before, d.after, d.loss, d.error)]
        best = "" if d.best == d.chosen else d.best
        add_row(shown, d.revision, found.seats[d.seat], *numbers, d.chosen, best, d.grade)
    console().print(shown)
    for name, count, loss, *grades in report.seat_rows(analysis):
        marked = ", ".join(
            [f"{grade} {n}" for n, grade in zip(grades, report.PLURALS, strict=True)]
        )
        say(f"{name}: decisions {count}, mean loss {loss} %, {marked}")
    if html is not None:
        html.write_text(report.html(analysis), "utf-8")
        say(f"written to {html}")
    if json_file is not None:
        json_file.write_text(json.dumps(report.data(analysis), indent=1) + "\n", "utf-8")
        say(f"written to {json_file}")
    say(f"analysed: {len(decisions)} of {answers} answers")
