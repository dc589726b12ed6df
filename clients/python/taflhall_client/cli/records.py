"""``taflhall record ...`` and ``taflhall verify``: what happened, and that it is true."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import (
    FAILED,
    Address,
    DataFolder,
    Language,
    MatchId,
    Secret,
    connect,
    language_of,
    make_game,
)
from taflhall_client.cli.output import console, say

if TYPE_CHECKING:
    from taflhall_engine.kernel.replay import Replay

app = Commands(help="Export and import records of matches.", no_args_is_help=True)

RecordFile = Annotated[Path, typer.Argument(metavar="FILE", help="A record, as JSON.")]


@app.command(name="export")
def export_record(
    address: Address,
    match: MatchId,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write; standard output if none.")
    ] = None,
    secret: Secret = None,
    data: DataFolder = None,
) -> None:
    """Write the record of a finished match as JSON, with its commands in notation."""
    with connect(address, data) as client:
        text = to_text(client.match(match, secret).record())
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, "utf-8")
        say(f"written to {out}")


@app.command(name="import")
def import_record(
    file: RecordFile,
    language: Language = "en",
    data: DataFolder = None,
) -> None:
    """Read a record, check it, and show the table at its end and how the match ended."""
    from taflhall_client.terminal import draw, result_lines
    from taflhall_engine.kernel.agenda import SPECTATOR

    found = check(read(file), data)
    game = found.game
    language = language_of(language)
    view = game.view(found.table, SPECTATOR)
    console().print(draw(game, view, found.seats, language))
    for seat, name in enumerate(found.seats):
        say(f"seat {seat}: {name}")
    for line in result_lines(game, found.seats, found.result, language):
        say(line)
    say(f"{len(found.moves)} commands, all as recorded")


def verify(file: RecordFile, data: DataFolder = None) -> None:
    """Replay a record with nothing but the engine; say what was checked, or what differs."""
    from taflhall_engine.kernel.replay import OtherData, RecordDiffers, RecordError

    try:
        found = check(read(file), data)
    except RecordDiffers as error:
        say(f"differs: {error}")
        raise typer.Exit(FAILED) from None
    except OtherData as error:
        say(f"cannot be checked: {error}; name the folder of its data with --data")
        raise typer.Exit(FAILED) from None
    except RecordError as error:
        say(f"cannot be checked: {error}")
        raise typer.Exit(FAILED) from None
    for line in found.checked:
        say(f"checked: {line}")
    say(verified(found))


def verified(found: Replay) -> str:
    """Return the line that says that a record is true."""
    winners = [name for name, won in zip(found.seats, found.result.won, strict=True) if won]
    reasons = f" ({', '.join(found.result.reasons)})" if found.result.reasons else ""
    return (
        f"verified: {found.game.title}, {len(found.moves)} commands, "
        f"won by {', '.join(winners) or 'nobody'}{reasons}"
    )


def read(file: Path) -> Any:
    """Return the contents of a record file, or raise :exc:`RecordError`."""
    from taflhall_engine.kernel.replay import RecordError

    text = file.read_bytes()
    try:
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file} is not JSON, or is truncated: {error}") from None


def check(record: Any, data: Path | None = None) -> Replay:
    """Replay *record*, or raise :exc:`RecordError`."""
    from taflhall_engine.kernel.replay import RecordError, game_of, replay
    from taflhall_engine.registry import UnknownGame

    name = game_of(record)
    try:
        game = make_game(name, data)
    except UnknownGame as error:
        raise RecordError(str(error)) from None
    return replay(game, record)


def to_text(record: dict[str, Any]) -> str:
    """Return a record as JSON, one command and one digest a line."""
    from taflhall_engine.kernel import record as records

    return records.text(record)
