"""``taflhall conformance``: checks a client in any language, or the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperGroup

from taflhall_client.cli.cases import cases
from taflhall_client.cli.common import FAILED
from taflhall_client.cli.output import say


class _CasesUnlessNamed(TyperGroup):
    """``conformance FILE`` means ``conformance cases FILE``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Parse *args*, after the name of the command if it was left out."""
        named = not args or args[0] in self.commands or args[0] in ctx.help_option_names
        return super().parse_args(ctx, args if named else ["cases", *args])


app = typer.Typer(
    name="conformance",
    cls=_CasesUnlessNamed,
    help="Check a client of any language, or the rules.",
    no_args_is_help=True,
)
app.command()(cases)


@app.command()
def client(
    command: Annotated[str, typer.Argument(help="Starts the driver of the client.")],
    only: Annotated[
        str, typer.Option(metavar="TEXT", help="Run the scenarios whose name contains TEXT.")
    ] = "",
    scenarios: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run the scenarios of this folder.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option(help="Print which methods and reasons were touched.")
    ] = True,
    verbose: Annotated[bool, typer.Option(help="Show the lines exchanged.")] = False,
) -> None:
    """Run scenarios against a client; the last line is `N passed, N failed`.

    COMMAND starts a driver: a program that calls the client as standard input asks
    (docs/writing-a-client.md).
    """
    from taflhall_testing.clients.driver import DriverFailed
    from taflhall_testing.clients.run import Outcome, run_scenarios
    from taflhall_testing.clients.scenarios import InvalidScenario, bundled, read_folder

    outcomes: list[Outcome] = []

    def report(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if outcome.skipped:
            say(f"skipped {outcome.name} (the driver lacks {outcome.skipped})")
        elif outcome.faults:
            say(f"FAILED {outcome.name}")
            for fault in outcome.faults:
                say(f"    {fault}")

    import asyncio

    try:
        found = [s for s in read_folder(scenarios or bundled()) if only in s.name]
        touched = asyncio.run(run_scenarios(command, found, report, verbose=verbose))
    except (InvalidScenario, DriverFailed) as error:
        say(str(error))
        raise typer.Exit(FAILED) from None
    if coverage:
        for line in touched.table():
            say(line)
    failed = sum(bool(outcome.faults) for outcome in outcomes)
    passed = sum(not (outcome.faults or outcome.skipped) for outcome in outcomes)
    say(f"{passed} passed, {failed} failed")
    if failed or not passed:
        raise typer.Exit(FAILED)
