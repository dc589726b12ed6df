"""``taflhall bot``: seats a bot at a hosted match."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.common import Address, DataFolder, MatchId, Secret, UsageError, connect
from taflhall_client.cli.output import names_of, say

if TYPE_CHECKING:
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


def bot(
    address: Address,
    match: MatchId,
    secret: Secret = None,
    join: Annotated[str | None, typer.Option(help="Take a seat under this name.")] = None,
    seat: Annotated[list[int] | None, typer.Option(help="With --join: the seat.")] = None,
    bot: Annotated[
        str, typer.Option("--bot", help="random, heuristic, search or module:Class.")
    ] = "heuristic",
    seed: Annotated[int, typer.Option(help="Seed of the bot's random numbers.")] = 0,
    on_failure: Annotated[
        str, typer.Option(help="If the bot fails: raise, resign or neutral.")
    ] = "raise",
    proposals: Annotated[
        str, typer.Option(help="What to say to proposals: agree, refuse or leave.")
    ] = "agree",
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
    if on_failure not in ("raise", "resign", "neutral"):
        raise UsageError("--on-failure is raise, resign or neutral")
    if proposals not in ("agree", "refuse", "leave"):
        raise UsageError("--proposals is agree, refuse or leave")
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
