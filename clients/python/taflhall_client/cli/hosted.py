"""``taflhall tournament hosted``: tournaments that a server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import (
    LARGEST,
    Address,
    SetupWords,
    UsageError,
    connect,
    make_game,
    setup_of,
)
from taflhall_client.cli.output import add_row, console, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from taflhall_client.hosted_tournaments import TournamentInfo, TournamentMatch

app = Commands(
    name="hosted",
    help="Tournaments that a server runs: most commands need the API key of an account.",
    no_args_is_help=True,
)

TournamentId = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="The tournament's id; see create and list.")
]


@app.command()
def create(
    address: Address,
    game: Annotated[str, typer.Argument(help="The game's id; see `taflhall games`.")],
    clock: Annotated[
        str, typer.Option(help="Time of each seat: 10m, 10m+5s, 10m+5s/30s, as for a match.")
    ],
    name: Annotated[str, typer.Option(help="A name for people.")] = "tournament",
    format: Annotated[
        str, typer.Option(help="round-robin, swiss, knockout, gauntlet or free-for-all.")
    ] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, max=100, help="How many rounds.")] = 1,
    setup: SetupWords = None,
    seats: Annotated[int | None, typer.Option(max=LARGEST, help="How many play a match.")] = None,
    max_entrants: Annotated[
        int, typer.Option(min=2, max=64, help="How many accounts may enter.")
    ] = 64,
    at_once: Annotated[
        int, typer.Option(min=1, max=16, help="Matches of one entrant under way at once.")
    ] = 1,
    on_timeout: Annotated[
        str, typer.Option(help="On a timeout: forfeit, neutral or stand-in.")
    ] = "forfeit",
) -> None:
    """Announce a tournament; for accounts that host. The last word is its id."""
    from taflhall_client.clocks import TimeoutPolicy, parse_time_control
    from taflhall_client.hosted_tournaments import Format

    formats = {f.name.lower().replace("_", "-"): f for f in Format if f is not Format.UNKNOWN}
    policies = {"-".join(p.name.lower().split("_")): p for p in TimeoutPolicy}
    if format not in formats:
        raise UsageError(f"--format is {', '.join(formats)}")
    if on_timeout not in policies:
        raise UsageError(f"--on-timeout is {', '.join(policies)}")
    try:
        time_control = parse_time_control(clock, policies[on_timeout])
    except ValueError as error:
        raise UsageError(str(error)) from None
    known = make_game(game)
    with connect(address) as client:
        made = client.tournaments.create(
            game,
            name,
            setup_of(known, setup, seats),
            time_control=time_control,
            format=formats[format],
            rounds=rounds,
            max_entrants=max_entrants,
            matches_at_once=at_once,
        )
        say(f"tournament {made.id}")


@app.command(name="list")
def list_tournaments(address: Address) -> None:
    """List the tournaments, the newest first."""
    from rich.table import Column, Table

    table = Table(Column("id", no_wrap=True), "name", "game", "format", "status", "entrants")
    with connect(address) as client:
        for each in client.tournaments.all():
            add_row(table, *_line(each))
    console().print(table)


@app.command()
def show(address: Address, tournament: TournamentId) -> None:
    """Show a tournament and its matches."""
    with connect(address) as client:
        found = client.tournaments.get(tournament)
        say("  ".join(_line(found)))
        names = {entrant.account: entrant.name for entrant in found.entrants}
        for entrant in found.entrants:
            say(f"{entrant.name}{' (withdrawn)' if entrant.withdrawn else ''}")
        for match in client.tournaments.matches(tournament):
            say(_match_line(match, names))


@app.command()
def enter(
    address: Address,
    tournament: TournamentId,
    name: Annotated[str, typer.Option(help="A name for it, instead of the account's.")] = "",
) -> None:
    """Enter our account; a bot then plays by `taflhall bot serve`."""
    with connect(address) as client:
        say(f"{len(client.tournaments.enter(tournament, name).entrants)} have entered")


@app.command()
def withdraw(
    address: Address,
    tournament: TournamentId,
    account: Annotated[
        str, typer.Option(help="Another account, for the creator of the tournament.")
    ] = "",
) -> None:
    """Withdraw our account: it resigns its matches, and loses those that would follow."""
    with connect(address) as client:
        client.tournaments.withdraw(tournament, account)
        say("withdrawn")


@app.command()
def start(address: Address, tournament: TournamentId) -> None:
    """Start a tournament; for its creator."""
    with connect(address) as client:
        say(f"{len(client.tournaments.start(tournament).entrants)} play")


@app.command()
def cancel(address: Address, tournament: TournamentId) -> None:
    """End a tournament early; for its creator."""
    with connect(address) as client:
        client.tournaments.cancel(tournament)
        say("cancelled")


@app.command()
def watch(address: Address, tournament: TournamentId) -> None:
    """Print matches as they begin and end, until the tournament has ended; then the standings."""
    names: dict[str, str] = {}
    with connect(address) as client:
        for update in client.tournaments.watch(tournament):
            found = update.tournament
            if found is not None:
                names = {entrant.account: entrant.name for entrant in found.entrants}
            for match in update.matches:
                if match.match_id or any(seat.place for seat in match.seats):
                    say(_match_line(match, names))
            if found is not None:
                say(found.status.name.lower())
    standings(address, tournament)


@app.command()
def standings(address: Address, tournament: TournamentId) -> None:
    """Show the standings so far."""
    with connect(address) as client:
        lines = client.tournaments.standings(tournament)
    width = max([len(line.name) for line in lines], default=0)
    for line in lines:
        say(
            f"{line.place:3}  {line.name:{width}}  {line.points:8.2f} points"
            f" in {line.matches} matches, {line.wins} won"
        )


def _line(found: TournamentInfo) -> list[str]:
    kind = found.format.name.lower().replace("_", "-")
    return [
        found.id,
        found.name,
        found.game,
        f"{kind}, {found.rounds} rounds",
        found.status.name.lower(),
        f"{len(found.entrants)} of {found.max_entrants}",
    ]


def _match_line(match: TournamentMatch, names: Mapping[str, str]) -> str:
    seats = []
    for seat in match.seats:
        result = f" {seat.place}." if seat.place else ""
        score = f" {seat.score}" if seat.score is not None and seat.place else ""
        seats.append(f"{names.get(seat.account, seat.account)}{result}{score}")
    status = match.status.name.lower()
    return f"{match.index:4}  round {match.round}  {status:9}  {', '.join(seats)}  {match.match_id}"
