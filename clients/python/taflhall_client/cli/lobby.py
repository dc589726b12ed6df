"""``taflhall lobby watch`` follows the matches of a server as they open, fill, start and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import Address, connect, labels_of, status_of
from taflhall_client.cli.output import say

if TYPE_CHECKING:
    from taflhall_client.results import MatchInfo

app = Commands(help="Follow the matches of a server.", no_args_is_help=True)


@app.command()
def watch(
    address: Address,
    game: Annotated[str, typer.Option(help="Only matches of this game.")] = "",
    status: Annotated[
        str, typer.Option(help="Only open, playing, finished or abandoned ones.")
    ] = "",
    label: Annotated[
        list[str] | None, typer.Option(help="A label as key=value; may be repeated.")
    ] = None,
    text: Annotated[str, typer.Option(help="Only titles with all these words.")] = "",
) -> None:
    """Print a line for each match that opens, fills, starts or ends, until interrupted."""
    wanted = status_of(status)
    with connect(address) as client:
        for update in client.watch_lobby(game, wanted, labels=labels_of(label), text=text):
            if update.match is not None:
                say(_line(update.match))
            elif update.gone_match_id:
                say(f"{update.gone_match_id} gone")
            else:
                say("news were lost: see `taflhall match list`")


def _line(info: MatchInfo) -> str:
    seats = ", ".join(seat.name or "-" for seat in info.seats)
    title = f"  {info.title}" if info.title else ""
    return f"{info.match_id} {info.game} {info.status.name.lower()}: {seats}{title}"
