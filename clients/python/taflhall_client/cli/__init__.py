"""The command line ``taflhall``.

Start here: :data:`app` holds the commands, one module each below this package; ``common``
has what they share (exit codes, options, error reports). Modules import slow dependencies inside
their commands, so that ``taflhall --help`` is quick.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from taflhall_client.cli import (
    admin,
    analyse,
    bots,
    cases,
    conformance,
    demo,
    load,
    lobby,
    matches,
    play,
    playout,
    proposals,
    records,
    rule,
    tournament,
    vocabulary,
    watch,
)
from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import FAILED, LINK, language_of, report_error
from taflhall_client.cli.output import say, tolerate_encodings

app = Commands(
    name="taflhall",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(matches.games)
app.add_typer(matches.app, name="match")
matches.app.add_typer(proposals.app)
app.add_typer(lobby.app, name="lobby")
app.command()(play.play)
app.command()(watch.watch)
app.command()(watch.history)
app.add_typer(bots.app, name="bot")
app.command()(cases.cases)
app.add_typer(conformance.app)
app.command()(playout.playout)
app.command("rollout", hidden=True)(playout.playout)
app.add_typer(records.app, name="record")
app.command()(records.verify)
app.command()(analyse.analyse)
app.add_typer(tournament.app)
app.command()(tournament.match_up)
app.command()(rule.rule)
app.command()(vocabulary.vocabulary)
app.command()(demo.demo)
app.command()(load.load)
app.add_typer(admin.app, name="admin")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"taflhall {version('taflhall')}")
        raise typer.Exit


@app.callback()
def _root(
    tls: Annotated[
        bool, typer.Option("--tls", envvar="TAFLHALL_TLS", help="Speak TLS to the server.")
    ] = False,
    ca: Annotated[
        Path | None,
        typer.Option(envvar="TAFLHALL_CA", help="Trust this authority (PEM); implies --tls."),
    ] = None,
    cert: Annotated[
        Path | None,
        typer.Option(envvar="TAFLHALL_CERT", help="Our certificate (PEM); implies --tls."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(envvar="TAFLHALL_KEY", help="Its private key (PEM).")
    ] = None,
    api_key: Annotated[
        str | None,
        typer.Option(envvar="TAFLHALL_API_KEY", help="The key of an account: tfk_..."),
    ] = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Taflhall: board games for people and programs.

    Exit status: 0 done, 1 a check failed, 2 wrong usage, 3 refused by the server or the
    rules, 4 no server or no definite answer, 130 interrupted.
    """
    LINK.secure, LINK.ca, LINK.cert, LINK.key, LINK.api_key = tls, ca, cert, key, api_key


def run(args: list[str] | None = None) -> int:
    """Run one command line; return its exit status, and report errors on standard error."""
    language_of("en")
    try:
        app(args=args, prog_name="taflhall")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        status = report_error(error)
        if status is None:
            raise
        return status
    return 0


def main() -> None:
    """Run the command line of this process."""
    tolerate_encodings(sys.stdout, sys.stderr)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # errors are reported once, in our own words
    sys.exit(run())
