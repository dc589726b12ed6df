"""``taflhall games`` and ``taflhall match ...``: what there is, and how a match comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import (
    LARGEST,
    Address,
    DataFolder,
    FreeSeat,
    GameFilter,
    GameName,
    MatchId,
    PlayerName,
    SeatCount,
    Secret,
    SetupWords,
    UsageError,
    connect,
    labels_of,
    make_game,
    setup_of,
    status_of,
)
from taflhall_client.cli.output import add_row, console, say
from taflhall_client.printable import names_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from taflhall_client.clocks import TimeControl
    from taflhall_client.results import MatchInfo
    from taflhall_client.spectators import SpectatorSettings

LabelWords = Annotated[
    list[str] | None, typer.Option(help="A label as key=value; may be repeated.")
]

app = Commands(help="Open, find, join and start matches.", no_args_is_help=True)


def games(
    address: Annotated[
        str | None,
        typer.Argument(envvar="TAFLHALL_ADDRESS", help="A server; without one: this engine."),
    ] = None,
) -> None:
    """List the games with their setups."""
    from rich.table import Column, Table

    from taflhall_engine import registry
    from taflhall_engine.kernel import setups

    table = Table(Column("game", no_wrap=True), "title", "seats", "rules", "setup")
    bots: dict[str, str] = {}
    if address is None:
        for name in registry.GAMES:
            game = registry.game(name)
            usual = setups.to_data(game, game.setup_kind())
            seats = f"{game.min_seats}-{game.max_seats}"
            add_row(table, name, game.title, seats, game.version, _setup_text(usual))
    else:
        with connect(address) as client:
            for info in client.games():
                seats = f"{info.min_seats}-{info.max_seats}"
                add_row(
                    table, info.id, info.title, seats, info.rules_version, _setup_text(info.setup)
                )
                bots |= info.bots
    console().print(table)
    for bot, how in bots.items():
        say(f"bot {bot}: {how}")


@app.command()
def create(
    address: Address,
    game: GameName,
    setup: SetupWords = None,
    seats: SeatCount = None,
    title: Annotated[str, typer.Option(help="A name for people.")] = "",
    start_when_full: Annotated[
        bool, typer.Option("--start-when-full", help="Start when the last seat is taken.")
    ] = False,
    clock: Annotated[
        str | None,
        typer.Option(help="Time: 10m, 10m+5s for each answer, 10m+5s/30s free for each decision."),
    ] = None,
    on_timeout: Annotated[
        str | None,
        typer.Option(help="With --clock, on a timeout: neutral (default), stand-in or forfeit."),
    ] = None,
    spectators: Annotated[
        str, typer.Option(help="Who may watch: public, none or delayed:60s.")
    ] = "public",
    label: LabelWords = None,
    unlisted: Annotated[
        bool, typer.Option("--unlisted", help="Do not list it for others.")
    ] = False,
    invitation: Annotated[
        bool, typer.Option("--invitation", help="Only for those invited or with the join code.")
    ] = False,
    data: DataFolder = None,
) -> None:
    """Open a match; print its id and the creator's secret."""
    time = _clock(clock, on_timeout)
    policy, labels = _spectators(spectators), labels_of(label)
    known = make_game(game, data)
    laid_out = setup_of(known, setup, seats)
    with connect(address, data) as client:
        match = client.create(
            game,
            laid_out,
            title=title,
            start_when_full=start_when_full,
            time_control=time,
            spectators=policy,
            labels=labels,
            unlisted=unlisted,
            invitation_required=invitation,
        )
        say(f"match  {match.match_id}")
        say(f"secret {match.secret}")
        say(f"code   {match.join_code}")


@app.command(name="list")
def list_matches(
    address: Address,
    game: GameFilter = "",
    status: Annotated[
        str, typer.Option(help="Only open, playing, finished or abandoned ones.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The largest number.")] = 50,
    mine: Annotated[
        bool, typer.Option("--mine", help="Only matches in which our account holds a seat.")
    ] = False,
    created: Annotated[
        bool, typer.Option("--created", help="Only matches that our account has opened.")
    ] = False,
    to_decide: Annotated[
        bool, typer.Option("--to-decide", help="With --mine: only those that wait for us.")
    ] = False,
    invited: Annotated[
        bool, typer.Option("--invited", help="Only matches that our account is invited to.")
    ] = False,
    free: Annotated[bool, typer.Option("--free", help="Only matches with a free seat.")] = False,
    label: LabelWords = None,
    text: Annotated[str, typer.Option(help="Only titles with all these words.")] = "",
    oldest_first: Annotated[
        bool, typer.Option("--oldest-first", help="The oldest matches instead.")
    ] = False,
) -> None:
    """List the newest matches."""
    from rich.table import Column, Table

    from taflhall_client.results import SeatFilter

    wanted = status_of(status)
    table = Table(Column("match", no_wrap=True), "game", "status", "revision", "seats", "title")
    with connect(address) as client:
        seat = SeatFilter.FREE if free else SeatFilter.ANY
        seat = SeatFilter.TO_DECIDE if to_decide else SeatFilter.INVITED if invited else seat
        found = client.matches(
            game,
            wanted,
            limit,
            account="me" if mine or invited else "",
            creator="me" if created else "",
            seat=seat,
            labels=labels_of(label),
            text=text,
            oldest_first=oldest_first,
        )
        for info in found:
            names = ", ".join(seat.name or "-" for seat in info.seats)
            how_far = info.status.name.lower()
            add_row(table, info.match_id, info.game, how_far, str(info.revision), names, info.title)
    console().print(table)


@app.command()
def show(address: Address, match: MatchId, secret: Secret = None) -> None:
    """Show a match: its seats, who is there, its status and pending decisions."""
    with connect(address) as client:
        state = client.match(match, secret).get(presence=True)
        _show(state.match, [seat.seat for seat in state.presence if seat.connected])
        for decision in state.decisions:
            say(f"waits for seat {decision.seat}: rule {decision.rule}")


@app.command()
def join(
    address: Address,
    match: MatchId,
    name: PlayerName,
    seat: Annotated[
        list[int] | None,
        typer.Option(max=LARGEST, help="A seat; repeatable; the lowest free one if left out."),
    ] = None,
    bot: Annotated[bool, typer.Option("--bot", help="A program will play.")] = False,
) -> None:
    """Take a seat, or several; print the secret that proves it."""
    from taflhall_client.results import SeatKind

    with connect(address) as client:
        kind = SeatKind.BOT if bot else SeatKind.PERSON
        joined = client.match(match).join(name, seat or (), kind)
        say(f"seats  {', '.join(map(str, joined.seats))}")
        say(f"secret {joined.secret}")


@app.command()
def find(
    address: Address,
    game: GameName,
    name: PlayerName,
    setup: SetupWords = None,
    seats: SeatCount = None,
    data: DataFolder = None,
) -> None:
    """Sit down at an open match that fits, or at a new one."""
    laid_out = setup_of(make_game(game, data), setup, seats)
    with connect(address, data) as client:
        found = client.find_match(game, name, laid_out)
        say(f"match  {found.match_id}")
        say(f"seats  {', '.join(map(str, found.seats))}")
        say(f"secret {found.secret}")


@app.command(name="join-code")
def join_code(
    address: Address,
    code: Annotated[str, typer.Argument(help="The join code.")],
    name: PlayerName,
) -> None:
    """Take a seat of the match with a join code; print the secret that proves it."""
    with connect(address) as client:
        joined = client.join_by_code(code, name)
        say(f"match  {joined.match_id}")
        say(f"seats  {', '.join(map(str, joined.seats))}")
        say(f"secret {joined.secret}")


@app.command()
def invite(
    address: Address,
    match: MatchId,
    account: Annotated[str, typer.Option(help="The account's id.")],
    secret: Secret = None,
    seat: FreeSeat = None,
) -> None:
    """Reserve a seat for an account; print how it accepts. Needs the creator's secret."""
    with connect(address) as client:
        _show(client.match(match, secret).invite(account, seat))
    say(f"{account} sees its invitations, accepts or declines, with TAFLHALL_API_KEY set:")
    say(f"taflhall match list {address} --invited")
    say(f"taflhall match join {address} {match} --name NAME")
    say(f"taflhall match decline {address} {match}")


@app.command()
def decline(address: Address, match: MatchId) -> None:
    """Give back the seats that are reserved for our account."""
    with connect(address) as client:
        client.match(match).decline()


@app.command()
def remove(
    address: Address,
    match: MatchId,
    seat: Annotated[int, typer.Option(help="The seat to free.")],
    secret: Secret = None,
) -> None:
    """Free a seat before the start; needs the creator's secret."""
    with connect(address) as client:
        _show(client.match(match, secret).remove(seat))


@app.command(name="add-bot")
def add_bot(
    address: Address,
    match: MatchId,
    bot: Annotated[str, typer.Option(help="The bot's id; see `taflhall games ADDRESS`.")],
    secret: Secret = None,
    seat: FreeSeat = None,
    name: Annotated[str, typer.Option(help="Its name at the table.")] = "",
) -> None:
    """Let a bot of the server take a seat; needs the creator's secret."""
    with connect(address) as client:
        _show(client.match(match, secret).add_bot(bot, seat, name))


@app.command()
def rematch(address: Address, match: MatchId, secret: Secret = None) -> None:
    """Meet again, each at the next seat; print the new match and the secret of your seats."""
    with connect(address) as client:
        again = client.match(match, secret).rematch()
        say(f"match  {again.match_id}")
        say(f"seats  {', '.join(map(str, again.seats))}")
        say(f"secret {again.secret}")


@app.command()
def start(address: Address, match: MatchId, secret: Secret = None) -> None:
    """Start a match; needs the creator's or a seat's secret."""
    with connect(address) as client:
        _show(client.match(match, secret).start())


def _clock(text: str | None, on_timeout: str | None) -> TimeControl | None:
    from taflhall_client.clocks import TimeoutPolicy, parse_time_control

    known = {policy.name.lower().replace("_", "-"): policy for policy in TimeoutPolicy}
    policy = known.get("neutral" if on_timeout is None else on_timeout)
    if policy is None:
        raise UsageError(f"--on-timeout is {', '.join(known)}")
    if text is None:
        if on_timeout is not None:
            raise UsageError("--on-timeout needs --clock")
        return None
    try:
        return parse_time_control(text, policy)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _spectators(text: str) -> SpectatorSettings:
    from taflhall_client.spectators import parse_spectators

    try:
        return parse_spectators(text)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _show(info: MatchInfo, connected: Collection[int] = ()) -> None:
    say(f"match    {info.match_id}")
    say(f"game     {info.game} (rules {info.rules_version})")
    say(f"status   {info.status.name.lower()}, revision {info.revision}")
    for seat in info.seats:
        gone = ", resigned" if seat.resigned else ", deputy" if seat.deputy else ""
        gone += ", played by a stand-in" if seat.stand_in else ""
        gone += ", of the server" if seat.bot else ", there" if seat.seat in connected else ""
        free = f"reserved for {seat.invited}" if seat.invited else "free"
        who = f"{seat.name} ({seat.kind.name.lower()}{gone})" if seat.name else free
        say(f"seat {seat.seat}   {who}")
    for name, moment in (("started", info.started), ("ended", info.ended)):
        if moment is not None:
            say(f"{name:8} {moment:%F %T}")
    if info.time_control is not None:
        from taflhall_client.terminal.clocks import clocks_text, time_control_text

        names = names_of(info)
        say(time_control_text(info.time_control, "en"))
        say(f"left     {clocks_text(info.clocks, names, 'en') or '-'}")
    for name, other in (("rematch", info.next_match), ("after", info.previous_match)):
        if other:
            say(f"{name:8} {other}")
    if str(info.spectators) != "public":
        say(f"seen     {info.spectators}")
    if info.proposal is not None:
        from taflhall_client.terminal.proposals_text import proposal_text

        say(proposal_text(info.proposal, names_of(info), "en"))
        say(f"proposal {info.proposal.proposal_id}")
    say(f"digest   {info.secret_digest}")
    if info.secret:
        say(f"secret   {info.secret}")
    if info.result is not None:
        from taflhall_client.terminal import result_lines
        from taflhall_engine import registry

        for line in result_lines(registry.game(info.game), names_of(info), info.result, "en"):
            say(f"result   {line}")


def _setup_text(setup: dict[str, object]) -> str:
    return " ".join(f"{name}={_value_text(value)}" for name, value in setup.items())


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(_value_text, value)) or "none"
    return str(value)
