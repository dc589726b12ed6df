"""What a decision offers: its options by what they act on, and what is not possible now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.terminal.play.session import Choice
from taflhall_engine.kernel.agenda import Command, Refusal, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View
from taflhall_wire.texts import Texts

SEPARATOR: Final = ": "
MOST_REFUSED: Final = 60
"""How many impossible commands are listed at most."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that the rules mention here: an option, or one that is not possible now."""

    number: int
    """What the player types; counts from 1, the impossible ones last."""
    choice: Choice
    text: str
    """What it means, with its costs and gains."""
    heading: str = ""
    """What it acts on, if several offers act on the same; :attr:`text` begins with it."""
    refusal: Refusal | None = None
    """Why it is not possible now; ``None`` for an option."""

    @property
    def short(self) -> str:
        """The text below its heading."""
        return self.text.removeprefix(self.heading + SEPARATOR) if self.heading else self.text


def offers_of(texts: Texts, view: View, decision: Decision) -> list[Offer]:
    """Return the options of *decision*, then what its rule mentions and forbids now, by reason."""
    options: list[tuple[Choice, str, Refusal | None]] = []
    for option in decision.options:
        options.append((option, texts.option(option, view), None))
    for unknown in decision.unknown_options:
        options.insert(unknown.index, (unknown, unknown.text or unknown.rule, None))
    reasons = refused(texts.game, view, decision)
    alike = list(dict.fromkeys((reason.rule, reason.code) for _, reason in reasons))
    for command, reason in sorted(reasons, key=lambda r: alike.index((r[1].rule, r[1].code))):
        options.append((command, texts.option(command, view), reason))
    heads = [_head(text) for _, text, _ in options]
    shared = Counter(heads)
    return [
        Offer(number, choice, text, head if shared[head] > 1 else "", reason)
        for number, ((choice, text, reason), head) in enumerate(zip(options, heads, strict=True), 1)
    ]


def refused(game: Game, view: View, decision: Decision) -> list[tuple[Command[Any], Refusal]]:
    """Return the commands that the rule of *decision* mentions but does not allow now, and why.

    They are judged on an imagined table that agrees with *view*: what is hidden from the seat
    can forbid it nothing.
    """
    table = game.imagine(view, FastChance(0))
    step = waiting(table)
    if step is None or decision.step is None or decision.seat not in step.seats(table):
        return []
    found: list[tuple[Command[Any], Refusal]] = []
    for command in step.offers(table, decision.seat):
        reason = command.refuse(table, decision.seat)
        if reason is not None and command not in decision.options:
            found.append((command, reason))
            if len(found) == MOST_REFUSED:
                break
    return found


def _head(text: str) -> str:
    head, separator, _ = text.partition(SEPARATOR)
    return head if separator else ""
