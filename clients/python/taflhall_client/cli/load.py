"""``taflhall load``: people, bots, watchers and visitors of the lobby, and what they measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taflhall_client.cli.common import LINK, Address, Processes, UsageError, connect
from taflhall_client.cli.output import add_row, console, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from taflhall_client.load.measures import Figures
    from taflhall_client.load.server_costs import CostReader, Costs


def load(
    address: Address,
    game: Annotated[str, typer.Option(help="The game.")] = "ice_garden",
    seats: Annotated[int, typer.Option(min=1, max=6, help="Seats of each match.")] = 2,
    matches: Annotated[int, typer.Option(min=0, help="Matches that people play at any time.")] = 20,
    think: Annotated[
        float, typer.Option(min=0.001, max=86_400, help="Mean think time of people (s).")
    ] = 5.0,
    bot_matches: Annotated[int, typer.Option(min=0, help="Matches that bots play.")] = 0,
    bot_think: Annotated[float, typer.Option(min=0.0, help="Think time of bots (s).")] = 0.1,
    watchers: Annotated[int, typer.Option(min=0, help="Spectators of people's matches.")] = 0,
    lobby: Annotated[int, typer.Option(min=0, help="How many have the lobby open.")] = 0,
    storm: Annotated[
        float, typer.Option(min=0.0, help="Seconds between cuts of all streams; 0: never.")
    ] = 0.0,
    warm_up: Annotated[float, typer.Option(min=0.1, help="Seconds before measuring.")] = 5.0,
    seconds: Annotated[
        float, typer.Option(min=1.0, max=2_592_000, help="How long to measure.")
    ] = 30.0,
    minutes: Annotated[
        float, typer.Option(min=0.0, max=43_200, help="Length of a soak, in place of --seconds.")
    ] = 0.0,
    processes: Processes = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of think times and answers.")] = 0,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A server's metrics page; may be repeated."),
    ] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="The Redis behind the servers.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")
    ] = None,
) -> None:
    """Put a load on a server and measure it; needs the extra ``load``.

    Latencies count from the moment when a command was due, not from when it could be sent. The
    callers of one machine share its rate limits: a server that is --public needs --rate-commands=0,
    --rate-joins=0, --rate-reads=0 and --rate-streams=0.
    """
    from taflhall_client.load import report, server_costs
    from taflhall_client.load.plan import Plan
    from taflhall_client.load.run import generate_all

    if watchers and matches < processes:
        raise UsageError("--watchers needs a match of people in each process: raise --matches")
    if not matches + bot_matches + lobby:
        raise UsageError("nothing to do: --matches, --bot-matches or --lobby")
    _check_places(metrics or (), store, save)
    plan = Plan(
        address=address,
        tls=LINK.tls(),
        api_key=LINK.api_key,
        game=game,
        seats=seats,
        matches=matches,
        think=think,
        bot_matches=bot_matches,
        bot_think=bot_think,
        watchers=watchers,
        lobby_watchers=lobby,
        storm_every=storm,
        warm_up=warm_up,
        duration=minutes * 60 or seconds,
        interval=60.0 if minutes else 10.0,
        seed=seed,
    )
    with connect(address) as client:
        games = {known.id: known for known in client.games()}
    if game not in games:
        raise UsageError(f"the server has no game {game!r}, only {', '.join(games)}")
    least, most = games[game].min_seats, games[game].max_seats
    if matches + bot_matches and not least <= seats <= most:
        raise UsageError(f"--seats: {game} is played with {least} to {most} seats, not {seats}")
    costs = server_costs.CostReader(metrics or (), store)
    idle = costs.first()
    say(f"due: {plan.commands_per_second:.1f} commands/s of people")
    intervals = generate_all(plan, processes)
    total = next(intervals)
    before = costs.look()
    after, stopped = follow_intervals(intervals, total, costs)
    _show_latencies(total, report.PERCENTILES, report.latency_rows(total))
    for line in report.cost_lines(plan, total, idle, before, after):
        say(line)
    for name, number in sorted(costs.unread.items()):
        say(f"not read: {name} ({number} times)")
    for name, number in sorted(total.counts.items()):
        say(f"{name}: {number}")
    for name, number in sorted(total.failures.items()):
        say(f"failed {name}: {number}")
    if save is not None:
        save.write_text(
            json.dumps(report.as_data(plan, total, idle, before, after), indent=2) + "\n"
        )
    failed = sum(total.failures.values())
    say(f"loaded: {report.commands(total)} commands, {failed} failures")
    if stopped is not None:
        raise stopped


def follow_intervals(
    intervals: Iterator[Figures], total: Figures, costs: CostReader
) -> tuple[Costs, BaseException | None]:
    """Show each interval and add it to *total*; return the last costs, and what has ended it early.

    Ctrl-C or the end of a generator process loses nothing of the intervals that are over; raise
    it if there is none.
    """
    from taflhall_client.load import report
    from taflhall_client.load.run import GeneratorFailed

    after = None
    try:
        for figures in intervals:
            after = costs.look()
            say(report.interval_line(figures, after))
            total.follow(figures)
    except (KeyboardInterrupt, GeneratorFailed) as error:
        if after is None:
            raise
        return after, error
    return after or costs.look(), None


def _check_places(metrics: Sequence[str], store: str | None, save: Path | None) -> None:
    for url in metrics:
        if not url.startswith(("http://", "https://")):
            raise UsageError(f"--metrics is the URL of a page, http://HOST:PORT/metrics, not {url}")
    if store is not None and not store.startswith(("redis://", "rediss://", "unix://")):
        raise UsageError("--store is the URL of one Redis: redis://, rediss:// or unix://")
    if save is not None and not save.parent.is_dir():
        raise UsageError(f"--json: there is no folder {save.parent}")
    if save is not None and save.is_dir():
        raise UsageError(f"--json: {save} is a folder")


def _show_latencies(total: Figures, percentiles: tuple[float, ...], rows: Any) -> None:
    from rich.table import Table

    table = Table(title=f"Milliseconds, in {total.seconds:.0f} s")
    table.add_column("")
    for name in ("number", *(f"p{percentile:g}" for percentile in percentiles[:-1]), "most"):
        table.add_column(name, justify="right")
    for name, number, times in rows:
        add_row(table, name, number, *(f"{time:.1f}" for time in times))
    console().print(table)
