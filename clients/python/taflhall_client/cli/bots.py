"""``taflhall bot``: seats bots at hosted matches, and checks them."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import (
    FAILED,
    LARGEST,
    LINK,
    Address,
    BotSeed,
    DataFolder,
    JoinName,
    MatchId,
    ProposalReply,
    Secret,
    UsageError,
    connect,
    make_game,
    require_one_of,
)
from taflhall_client.cli.output import say
from taflhall_client.printable import names_of

if TYPE_CHECKING:
    from taflhall_client.bot import Bot
    from taflhall_client.play_all_loop import PlayedMatch
    from taflhall_client.results import MatchInfo
    from taflhall_engine.kernel.game import Game


class _FailureFiles(logging.Handler):
    """Saves the decision that a bot failed at to a file, and prints the file's name."""

    def __init__(self, folder: Path, game: Game, match_id: str) -> None:
        super().__init__()
        self._folder = folder
        self._game = game
        self._match_id = match_id

    def emit(self, record: logging.LogRecord) -> None:
        """Write the failure that *record* is about, if it is about one."""
        from taflhall_client.bot_calls import failure_text

        failure = getattr(record, "failure", None)
        if failure is None:
            return
        decision = failure.decision.decision_id if failure.decision else "start"
        name = re.sub(r"[^\w-]", "_", f"bot-failure-{self._match_id}-{decision}")
        file = self._folder / f"{name}.txt"
        try:
            file.write_text(failure_text(failure, self._game), "utf-8")
        except OSError as error:
            say(f"the bot's decision cannot be saved to {file}: {error.strerror}")
        else:
            say(f"the bot's decision is saved in {file}")


class _PlayUnlessNamed(TyperGroup):
    """A group whose command ``play`` may be left out: ``taflhall bot ADDRESS MATCH``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Parse *args*, behind the name of a command."""
        named = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["play", *args])


app = Commands(
    cls=_PlayUnlessNamed, help="Let bots play: one seat, or wherever they are invited. Check a bot."
)


@app.command(name="play")
def bot(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    join: JoinName = None,
    seat: Annotated[
        list[int] | None, typer.Option(max=LARGEST, help="With --join: the seat.")
    ] = None,
    bot: Annotated[
        str, typer.Option("--bot", help="random, heuristic, search or module:Class.")
    ] = "heuristic",
    seed: Annotated[int, typer.Option(help="Seed of the bot's random numbers.")] = 0,
    on_failure: Annotated[
        str, typer.Option(help="If the bot fails: raise, resign or neutral.")
    ] = "raise",
    proposals: ProposalReply = "agree",
    failures: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Where to save the decisions that a bot fails at."),
    ] = Path(),
    data: DataFolder = None,
) -> None:
    """Let a bot play a seat until the match is over.

    If the bot fails, its traceback is printed, and the decision with view and options is kept in
    a file.
    """
    from taflhall_client import bots, terminal
    from taflhall_client.bot_calls import log as bot_log
    from taflhall_client.bot_calls import report
    from taflhall_client.errors import BotFailed
    from taflhall_client.results import SeatKind

    if (secret is None) == (join is None):
        raise UsageError("either --secret of a seat or --join NAME is needed")
    require_one_of("--on-failure", on_failure, "raise", "resign", "neutral")
    require_one_of("--proposals", proposals, "agree", "refuse", "leave")
    logging.basicConfig(format="%(name)s: %(message)s")
    with connect(address, data, deadline=30.0) as client:
        hosted = client.match(match, secret)
        info = hosted.get().match
        player = bots.load(bot, client.game(info.game), seed)
        if join is not None:
            hosted = hosted.join(join, seat or (), SeatKind.BOT)
            say(f"secret {hosted.secret}")
        keep = _FailureFiles(failures, client.game(info.game), match)
        bot_log.addHandler(keep)
        try:
            info = hosted.play(player, on_failure=on_failure, proposals=proposals)  # type: ignore[arg-type]
        except BotFailed as failure:
            report(failure, "the match waits")
            raise
        finally:
            bot_log.removeHandler(keep)
        assert info.result is not None
        names = names_of(info)
        for line in terminal.result_lines(client.game(info.game), names, info.result, "en"):
            say(line)


@app.command()
def serve(
    address: Address,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", help="As for play, or GAME=BOT for one game; may be repeated."),
    ] = None,
    max_matches: Annotated[
        int, typer.Option(min=0, help="How many matches at once; 0: any number.")
    ] = 0,
    think: Annotated[
        float, typer.Option(min=0.1, help="Seconds that a bot may think about a decision.")
    ] = 60.0,
    on_failure: Annotated[
        str, typer.Option(help="If a bot fails twice at a decision: neutral or resign.")
    ] = "neutral",
    proposals: ProposalReply = "agree",
    matches: Annotated[
        int, typer.Option(min=0, help="Stop after that many matches; 0: never.")
    ] = 0,
    seed: BotSeed = 0,
    data: DataFolder = None,
) -> None:
    """Take part wherever our account is invited or holds a seat, in many matches at once.

    Needs the API key of an account of kind bot. A bot that fails, or thinks too long, is replaced
    by a new one; if that fails too, the decision gets a neutral answer and the match continues.
    """
    from taflhall_client import bots
    from taflhall_client.play_all_loop import BotOffer

    require_one_of("--on-failure", on_failure, "neutral", "resign")
    require_one_of("--proposals", proposals, "agree", "refuse", "leave")
    by_game, usual = _bots_of(bot or ["heuristic"])
    logging.basicConfig(format="%(name)s: %(message)s")
    if LINK.api_key is None:
        raise UsageError("an API key is needed: --api-key, or TAFLHALL_API_KEY")
    over = 0
    with connect(address, data, deadline=30.0) as client:

        def new_bot(match: MatchInfo) -> Bot | None:
            name = by_game.get(match.game, usual)
            return bots.load(name, client.game(match.game), seed) if name else None

        offer = BotOffer(max_matches, () if usual else tuple(by_game))
        for played in client.play_all(
            new_bot,
            offer=offer,
            on_failure=on_failure,  # type: ignore[arg-type]
            think_seconds=think,
            patience=float("inf"),
            proposals=proposals,  # type: ignore[arg-type]
        ):
            over += not played.entered
            say(f"{played.match_id} {_news_of(played)}")
            if over == matches > 0:
                return


@app.command()
def check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A class (module:Class), a command that speaks JSON lines, or one with "
            "{address}, {match} and {secret} that speaks gRPC.",
        ),
    ],
    game: Annotated[
        list[str] | None, typer.Option("--game", help="Only this game; may be repeated.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Time that the bot has for a decision.")
    ] = 10.0,
    start_seconds: Annotated[
        float, typer.Option(min=0.1, help="Time that the bot has to start.")
    ] = 20.0,
    only: Annotated[
        str, typer.Option("--only", metavar="TEXT", help="Only situations with TEXT in the name.")
    ] = "",
) -> None:
    """Play a bot against scripted situations, and say what it did wrong.

    The last line is `N passed, N failed`, and the exit status is 0 if nothing failed.
    """
    from taflhall_client.bot_check.check import check as findings_of
    from taflhall_client.bot_check.hosted import NoServer
    from taflhall_client.tournament.description import Limits
    from taflhall_engine import registry

    games = [make_game(name) for name in game or registry.GAMES]
    limits = Limits(decision_seconds=seconds, start_seconds=start_seconds)
    passed = failed = 0
    try:
        for finding in findings_of(bot, games, limits, only):
            passed += finding.passed
            failed += not finding.passed
            if finding.passed:
                note = f" ({finding.note})" if finding.note else ""
                say(f"passed  {finding.game}: {finding.situation}{note}")
            else:
                say(f"FAILED  {finding.game}: {finding.situation}: {finding.wrong}")
    except NoServer as error:
        raise UsageError(str(error)) from None
    say(f"{passed} passed, {failed} failed")
    if failed:
        raise typer.Exit(FAILED)


def _bots_of(words: list[str]) -> tuple[dict[str, str], str]:
    """Return the bot of each game named, and the bot of all others (empty: none)."""
    by_game, usual = {}, ""
    for word in words:
        game, equals, name = word.partition("=")
        if equals:
            by_game[game] = name
        else:
            usual = word
    return by_game, usual


def _news_of(played: PlayedMatch) -> str:
    """Return what there is to report of a match."""
    if played.failure is not None or played.match is None:
        return f"left: {played.failure}"
    if played.entered:
        return f"entered: {played.match.game}, {', '.join(names_of(played.match))}"
    result = played.match.result
    places = "" if result is None else " ".join(map(str, result.places))
    return f"over: {played.match.status.name.lower()}, places {places or '-'}"
