"""``taflhall tournament``: bots against bots, by a description in a file."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from taflhall_client.cli import hosted
from taflhall_client.cli.common import (
    FAILED,
    GameName,
    Processes,
    SeatCount,
    SetupWords,
    UsageError,
    make_game,
    setup_of,
)
from taflhall_client.cli.output import progress_bar, progress_line, say

if TYPE_CHECKING:
    from taflhall_client.tournament.match_up import MatchUp

CORES: Final = os.cpu_count() or 1

app = typer.Typer(
    name="tournament",
    help="Tournaments between bots.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(hosted.app)

Out = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the tournament.")]
Parquet = Annotated[bool, typer.Option("--parquet", help="Write the tables as Parquet, too.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The description, as TOML.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the results go.")],
    jobs: Processes = CORES,
    scheduler: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler that has the work done instead."),
    ] = "",
    parquet: Parquet = False,
) -> None:
    """Play a tournament; the same command in the same folder continues it."""
    from taflhall_client.tournament.contained import ALL, containment
    from taflhall_client.tournament.description import DescriptionError, read
    from taflhall_client.tournament.journal import read_results
    from taflhall_client.tournament.report import write
    from taflhall_client.tournament.run import run as play
    from taflhall_client.tournament.standings import counted
    from taflhall_client.tournament.tables import demand_parquet
    from taflhall_client.tournament.unusable_bots import unusable_bots

    tournament = read(file)
    unusable = [] if scheduler else unusable_bots(tournament)
    if unusable:
        raise DescriptionError(str(file), unusable)
    if parquet:
        demand_parquet()
    if any(entrant.command for entrant in tournament.entrants) and not scheduler:
        achieved = containment()
        refused = [words for words in ALL if words not in achieved]
        if refused:
            say(f"this system does not allow for programs: {', '.join(refused)}")
    if scheduler:
        from taflhall_client.tournament.cluster import Cluster

        try:
            players: Any = Cluster(tournament, out, scheduler)
        except ValueError as error:
            raise UsageError(f"--scheduler is tcp://HOST:PORT: {error}") from None
    else:
        players = jobs
    end = "finished"
    with progress_bar() as progress:
        try:
            play(tournament, file, out, players, progress)
        except KeyboardInterrupt:
            end = "stopped"
    results = read_results(out)
    _show(out)
    written = write(tournament, results, out, parquet=parquet)
    say(f"report: {written[0]}")
    played = counted(results)
    aside = sum(1 for result in results if result.set_aside)
    penalties = sum(len(result.faults) for result in played)
    say(f"{end}: {len(played)} matches, {aside} set aside, {penalties} penalties")


@app.command()
def standings(out: Out) -> None:
    """Show the standings so far."""
    _show(out)


@app.command()
def report(out: Out, parquet: Parquet = False) -> None:
    """Write the report of what has been played so far."""
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.report import write

    for file in write(read(out / DESCRIPTION), read_results(out), out, parquet=parquet):
        say(str(file))


@app.command()
def verify(out: Out) -> None:
    """Replay every record and compare it with the results."""
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.standings import counted
    from taflhall_client.tournament.verify import differences

    wrong = checked = 0
    results = counted(read_results(out))
    for match, difference in differences(read(out / DESCRIPTION), results, out):
        checked += 1
        if difference:
            wrong += 1
            say(f"match {match}: {difference}")
    without = len(results) - checked
    say(f"{checked - wrong} records verified, {wrong} wrong, {without} matches without a record")
    if wrong:
        raise typer.Exit(FAILED)


@app.command(name="post-mortem")
def post_mortem(
    out: Out,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match, as 12.0.")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The seat whose bot failed.")],
) -> None:
    """Ask a bot again what it failed at, in the same position with the same seed."""
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.post_mortem import NoRecord
    from taflhall_client.tournament.post_mortem import post_mortem as ask_again
    from taflhall_client.tournament.standings import counted

    results = {result.match_id: result for result in counted(read_results(out))}
    if match not in results:
        raise UsageError(f"{out} has no match {match!r}")
    try:
        found = ask_again(read(out / DESCRIPTION), results[match], seat, out)
    except (ValueError, NoRecord) as error:
        raise UsageError(str(error)) from None
    say(f"in the tournament: {found.fault.kind}: {found.fault.text}")
    say(f"asked {found.asked} times before, answered otherwise {found.other_answers} times")
    say(f"decision: {found.decision}")
    for number, option in enumerate(found.options):
        say(f"{number:4}  {option}")
    say(f"now: {found.kind or 'no fault'}: {found.text}")
    if found.stderr_tail:
        say(found.stderr_tail)
    say("the same fault" if found.same else "another end")


def match_up(
    game: GameName,
    first: Annotated[str, typer.Argument(help="random, heuristic, search or module:Class.")],
    second: Annotated[str, typer.Argument(help="The other bot.")],
    until: Annotated[
        float, typer.Option(min=50.0, max=99.99, help="Stop at this confidence, in percent.")
    ] = 95.0,
    seats: SeatCount = None,
    setup: SetupWords = None,
    first_option: Annotated[
        list[str] | None,
        typer.Option("--first", metavar="KEY=VALUE", help="An argument of the first bot's class."),
    ] = None,
    second_option: Annotated[
        list[str] | None,
        typer.Option("--second", metavar="KEY=VALUE", help="And of the second's."),
    ] = None,
    blocks: Annotated[int, typer.Option(min=1, help="Greatest number of deals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of deals and bots.")] = 0,
    jobs: Processes = CORES,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each decision.")] = 60.0,
) -> None:
    """Play two bots against each other, both at every seat of each deal, until one is better."""
    import tempfile

    from taflhall_client.rating.sequential import Verdict
    from taflhall_client.tournament.description import Entrant, Limits, Tournament
    from taflhall_client.tournament.match_up import FIRST, SECOND
    from taflhall_client.tournament.match_up import match_up as play
    from taflhall_client.tournament.unusable_bots import unusable_bots
    from taflhall_engine.kernel import setups
    from taflhall_engine.kernel.chance import FastChance

    known = make_game(game)
    words = setups.to_data(known, setup_of(known, setup, seats))
    table = known.new(setups.from_data(known, words), FastChance(0))
    entrants = (
        Entrant(FIRST, first, options=_options(first_option)),
        Entrant(SECOND, second, options=_options(second_option)),
    )
    tournament = Tournament(
        "match-up",
        game,
        "match_up",
        known.seats(table),
        blocks,
        seed,
        entrants,
        words,
        limits=Limits(decision_seconds=seconds),
    )
    unusable = unusable_bots(tournament)
    if unusable:
        raise UsageError("; ".join(unusable))
    with tempfile.TemporaryDirectory() as out, progress_line() as progress:
        found = play(
            tournament,
            Path(out),
            jobs,
            cooperative=known.cooperative or tournament.seats == 1,
            confidence=until / 100,
            progress=lambda so_far: progress(
                f"{so_far.matches} matches, {so_far.faults} faults: {_estimate(so_far, until)}"
            ),
        )
    say(f"{found.blocks} deals, {found.matches} matches, {found.faults} faults")
    verdicts = {
        Verdict.BETTER: f"{first} (first) is better",
        Verdict.WORSE: f"{second} (second) is better",
        Verdict.OPEN: "undecided",
    }
    say(f"{verdicts[found.verdict]}: {_estimate(found, until)}")


def _estimate(found: MatchUp, until: float) -> str:
    """Return the difference between two bots with its interval, as text."""
    return (
        f"{found.difference:+.3f} of the wins, {found.low:+.3f} to {found.high:+.3f} at {until:g} %"
    )


def _options(words: list[str] | None) -> tuple[tuple[str, Any], ...]:
    """Return the arguments of ``key=value`` words; values are TOML, or else texts."""
    found = []
    for word in words or []:
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise UsageError(f"an argument of a bot is KEY=VALUE, not {word!r}")
        try:
            found.append((key, tomllib.loads(f"value = {value}")["value"]))
        except tomllib.TOMLDecodeError:
            found.append((key, value))
    return tuple(found)


def _show(out: Path) -> None:
    from taflhall_client.tournament.description import read
    from taflhall_client.tournament.journal import DESCRIPTION, read_results
    from taflhall_client.tournament.standings import standings as standings_of
    from taflhall_client.tournament.standings import team_standings

    tournament, results = read(out / DESCRIPTION), read_results(out)
    lines = standings_of(tournament, results)
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
    for team in team_standings(tournament, lines):
        say(f"team {team.place}  {team.name}: {team.points:.2f} points in {team.matches} matches")
