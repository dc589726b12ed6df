"""``taflhall match ...`` for those who sit at a table: leave it, decide about it together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import (
    LARGEST,
    Address,
    Language,
    MatchId,
    Secret,
    UsageError,
    connect,
    language_of,
)
from taflhall_client.cli.output import say
from taflhall_client.printable import names_of

if TYPE_CHECKING:
    from taflhall_client.results import MatchInfo

app = Commands()

Seat = Annotated[int | None, typer.Option(max=LARGEST, help="Your seat, if you hold several.")]


@app.command()
def leave(address: Address, match: MatchId, secret: Secret = None, seat: Seat = None) -> None:
    """Leave one seat, or all of yours, before the match starts."""
    with connect(address) as client:
        _seats(client.match(match, secret).leave(seat))


@app.command(name="delegate")
def delegate(
    address: Address,
    match: MatchId,
    name: Annotated[str, typer.Option(help="Who acts for the seat from now on.")],
    secret: Secret = None,
    seat: Seat = None,
    bot: Annotated[bool, typer.Option("--bot", help="It is a program.")] = False,
    permanent: Annotated[
        bool, typer.Option("--permanent", help="For good; to yourself: a new secret.")
    ] = False,
) -> None:
    """Let a deputy play for you; print the deputy's secret. You can reclaim the seat any time."""
    from taflhall_client.results import SeatKind

    kind = SeatKind.BOT if bot else SeatKind.PERSON
    with connect(address) as client:
        deputy = client.match(match, secret).delegate(name, seat, kind, permanent=permanent)
        say(f"secret {deputy.secret}")


@app.command(name="reclaim")
def reclaim(address: Address, match: MatchId, secret: Secret = None, seat: Seat = None) -> None:
    """Play yourself again: the deputy or stand-in stops."""
    with connect(address) as client:
        _seats(client.match(match, secret).reclaim(seat))


@app.command()
def undo(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    seat: Seat = None,
    to: Annotated[
        int | None,
        typer.Option(help="The revision to go back to; your latest answer if left out."),
    ] = None,
    language: Language = "en",
) -> None:
    """Propose to take answers back; the others have to agree."""
    language_of(language)
    with connect(address) as client:
        _decided(client.match(match, secret).undo(seat, to), language)


@app.command()
def abandon(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    seat: Seat = None,
    language: Language = "en",
) -> None:
    """End the match without a winner; if others play, propose it to them.

    Before it starts only its creator can; others may leave.
    """
    language_of(language)
    with connect(address) as client:
        _decided(client.match(match, secret).abandon(seat), language)


@app.command()
def respond(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    refuse: Annotated[bool, typer.Option("--refuse", help="No: end the proposal.")] = False,
    proposal: Annotated[
        str, typer.Option(help="Id of the proposal; the current one by default.")
    ] = "",
    language: Language = "en",
) -> None:
    """Agree to a proposal or refuse it."""
    language_of(language)
    with connect(address) as client:
        _decided(client.match(match, secret).respond(not refuse, proposal), language)


@app.command()
def react(
    address: Address,
    match: MatchId,
    reaction: Annotated[str, typer.Argument(help="Such as hello, thanks or good-game.")],
    secret: Secret = None,
    seat: Seat = None,
) -> None:
    """Show a reaction to those who follow the match now."""
    from taflhall_client.results import Reaction

    known = {r.name.lower().replace("_", "-"): r for r in Reaction if r is not Reaction.UNKNOWN}
    if reaction not in known:
        raise UsageError(f"the reactions are {', '.join(known)}")
    with connect(address) as client:
        client.match(match, secret).react(known[reaction], seat)


def _seats(info: MatchInfo) -> None:
    for seat in info.seats:
        deputy = ", deputy" if seat.deputy else ""
        say(f"seat {seat.seat}   {f'{seat.name}{deputy}' if seat.name else 'free'}")


def _decided(info: MatchInfo, language: str) -> None:
    from taflhall_client.terminal.proposals_text import proposal_text

    if info.proposal is not None:
        names = names_of(info)
        say(proposal_text(info.proposal, names, language))
        say(f"proposal {info.proposal.proposal_id}")
    say(f"status   {info.status.name.lower()}, revision {info.revision}")
