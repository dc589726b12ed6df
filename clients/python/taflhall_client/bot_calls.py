"""Asking a bot, in process or over the wire: what a bot must not do, and what then.

A bot that raises an exception, or answers with what is none of its options, has failed. It
alone pays for it; whoever runs it chooses how (*on_failure*):

* ``"raise"``: :exc:`~taflhall_client.errors.BotFailed` ends the run, the match waits;
* ``"resign"``: the seat resigns;
* ``"neutral"``: this decision gets the rules' harmless answer, the next one is asked again.
"""

from __future__ import annotations

import logging
from typing import Any, Final, Literal

from taflhall_client.bot import Bot, Decision, Resign, TakeBack
from taflhall_client.errors import BotFailed
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View

OnFailure = Literal["raise", "resign", "neutral"]

Proposals = Literal["leave", "agree", "refuse"]
"""What is said to what others propose while a bot plays: nothing, or always the same."""

log: Final = logging.getLogger("taflhall.bot")


def ask(bot: Bot, view: View, decision: Decision) -> Command[Any] | None:
    """Return the bot's answer (``None``: it resigns), or raise :exc:`BotFailed`."""
    try:
        choice = bot.choose(view, decision)
    except Resign:
        return None
    except TakeBack:
        raise
    except Exception as error:
        raise BotFailed(
            f"{_name(bot)} raised {type(error).__name__}: {error} "
            f"(seat {decision.seat}, rule {decision.rule})"
        ) from error
    if choice not in decision.options:
        raise BotFailed(
            f"{_name(bot)} answered {choice!r}, which is none of its {len(decision.options)} "
            f"options (seat {decision.seat}, rule {decision.rule})"
        )
    return choice


def neutral(game: Game, view: View, decision: Decision) -> Command[Any]:
    """Return the answer that the rules give for an absent seat, found from its view."""
    choice = game.neutral(game.imagine(view, FastChance(0)), decision.seat)
    return choice if choice in decision.options else decision.options[0]


def report(failure: BotFailed, then: str) -> None:
    """Log that a bot failed, with its traceback, and what is done about it."""
    log.error("%s; %s", failure, then, exc_info=failure.__cause__)


def _name(bot: Bot) -> str:
    kind = type(bot)
    return f"{kind.__module__}.{kind.__qualname__}"
