"""Calls a bot, in process or over the wire, and handles its failures.

A bot that raises an exception, or answers with something other than one of its options, has
failed. Only its own seat pays for it; the caller chooses how (*on_failure*):

* ``"raise"``: :exc:`~taflhall_client.errors.BotFailed` ends the run, the match waits;
* ``"resign"``: the seat resigns;
* ``"neutral"``: this decision gets the rules' harmless answer, the bot is asked the next one.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from typing import Any, Final, Literal

from taflhall_client.bot import Abandon, Bot, Decision, Resign, TakeBack
from taflhall_client.errors import BotFailed
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View

OnFailure = Literal["raise", "resign", "neutral"]

Proposals = Literal["leave", "agree", "refuse"]
"""How a bot responds to what others propose: not at all, or always the same."""

log: Final = logging.getLogger("taflhall.bot")


def ask(bot: Bot, view: View, decision: Decision) -> Command[Any] | None:
    """Return the bot's answer (``None``: it resigns), or raise :exc:`BotFailed`."""
    if not decision.options and decision.unknown_options:
        raise BotFailed(
            f"this client is too old to know any of the {len(decision.unknown_options)} options "
            f"(seat {decision.seat}, rule {decision.rule}): update taflhall",
            view=view,
            decision=decision,
        )
    options = tuple(decision.options)  # whatever the bot does to its list
    try:
        choice = bot.choose(view, decision)
    except Resign:
        return None
    except (Abandon, TakeBack):
        raise
    except Exception as error:
        raise BotFailed(
            f"{bot_name(bot)} raised {type(error).__name__}: {error} "
            f"(seat {decision.seat}, rule {decision.rule})",
            view=view,
            decision=decision,
        ) from error
    if not offered(choice, options):
        raise BotFailed(
            f"{bot_name(bot)} answered {choice!r}, which is not one of its "
            f"{len(options)} options (seat {decision.seat}, rule {decision.rule})",
            view=view,
            decision=decision,
        )
    return choice


def offered(choice: object, options: Sequence[Command[Any]]) -> bool:
    """Return whether *choice* is one of the options, first by identity, which is cheap."""
    for option in options:
        if choice is option:
            return True
    return choice in options


def neutral(game: Game, view: View, decision: Decision) -> int:
    """Return the index of the answer that the rules give for an absent seat."""
    if decision.options:
        choice = game.neutral(game.imagine(view, FastChance(0)), decision.seat)
        return decision.index(choice if choice in decision.options else decision.options[0])
    return decision.unknown_options[0].index


def report(failure: BotFailed, then: str) -> None:
    """Log a bot's failure with its traceback and its consequence.

    The record has the failure as its attribute ``failure``, for handlers that keep it.
    """
    cause = failure.__cause__ or failure
    log.error("%s; %s", failure, then, exc_info=cause, extra={"failure": failure})


def failure_text(failure: BotFailed, game: Game) -> str:
    """Return all that is known of a failure: traceback, decision, options and view."""
    lines = [str(failure), ""]
    if failure.__cause__ is not None:
        lines += ["".join(traceback.format_exception(failure.__cause__)).rstrip(), ""]
    decision = failure.decision
    if decision is not None:
        lines += [f"decision {decision.decision_id}: {decision.step!r}", "options:"]
        for option in decision.options:
            text = notation.write(option, game.labels)
            lines.append(f"{decision.index(option):4}  {text}")
    lines += ["view:", repr(failure.view), ""]
    return "\n".join(lines)


def bot_name(bot: Bot) -> str:
    """Return the name of the bot's class, with its module."""
    kind = type(bot)
    return f"{kind.__module__}.{kind.__qualname__}"
