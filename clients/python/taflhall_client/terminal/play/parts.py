"""What each pane of the screen shows, as parts from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from taflhall_client.terminal import drawing
from taflhall_client.terminal.clocks import time_text
from taflhall_client.terminal.play.cards import Card
from taflhall_client.terminal.play.offers import SEPARATOR
from taflhall_client.terminal.play.pane import Part
from taflhall_client.terminal.play.screen import Detail, LogLine, Screen

WIDE: Final = 108
"""From this width of the pane on, the whole drawing of a table fits side by side."""


FEW: Final = 12
"""Up to this number of offers there is room to explain each."""


def table(screen: Screen, width: int) -> Iterator[Part]:
    """The table: in short where there is little room, then drawn."""
    view = screen.shown
    if view is None:
        return
    draw = drawing(screen.game)
    if width < WIDE:
        yield Part(draw.summary(screen.texts, view))
        yield Part(Text(""))
    yield Part(draw.draw(screen.texts, view))


def options(screen: Screen, width: int) -> Iterator[Part]:
    """What is offered, by what it acts on; what is not possible now comes last, by reason."""
    if screen.info.over:
        for text in screen.result:
            yield Part(Text(text, "bold"))
        return
    for step in screen.steps:
        yield Part(Text(f"✓ {step}", "green"))
    heading, reason = "", ""
    explained = _explained(screen)
    for offer in screen.offers:
        impossible = offer.refusal is not None
        if offer.refusal is not None:
            why = f"{screen.texts.refusal(offer.refusal)} ({offer.refusal.rule})"
            if why != reason:
                heading, reason = "", why
                yield Part(Text(screen.words("impossible_now", reason=why), "red"))
        if offer.heading and offer.heading != heading:
            yield Part(Text(offer.heading, "bold dim" if impossible else "bold"))
        heading = offer.heading
        style = "dim" if impossible or screen.answering else ""
        chosen = screen.selected == offer.number
        line = Text(f"{offer.number:3} ", "bold cyan" if not style else "dim cyan")
        line.append(offer.short, f"{style} reverse" if chosen else style)
        yield Part(_hanging(line, width), offer.number)
        if offer.number in explained:
            yield Part(Padding(Text(explained[offer.number], "dim"), (0, 0, 0, 4)), offer.number)


def _explained(screen: Screen) -> dict[int, str]:
    """Return what cards say about offers whose own text names no cost and no gain.

    It is the values that are printed on the card, or the most telling rule; nothing where there
    are many offers or where it would be the same for all.
    """
    if len(screen.offers) > FEW:
        return {}
    found: dict[int, str] = {}
    for offer in screen.offers:
        cards = [] if SEPARATOR in offer.text else screen.detail_of(offer).cards
        if cards:
            card = cards[0]
            found[offer.number] = card.text or ": ".join(card.rules[0])
    return found if len(set(found.values())) > 1 else {}


def _hanging(line: Text, width: int) -> Text:
    """Return *line* with its further lines indented below the first."""
    from rich.console import Console

    if len(line) <= width:
        return line
    wrapped = line.wrap(Console(width=width), max(width - 4, 10))
    for further in wrapped[1:]:
        further.pad_left(4)
    return Text("\n").join(wrapped)


def detail(screen: Screen) -> Iterator[Part]:
    """The closer look at an offer, a rule or a card."""
    if screen.detail is not None:
        yield from _look(screen.detail)


def _look(seen: Detail) -> Iterator[Part]:
    yield Part(Text(seen.title, "bold"))
    for paragraph in seen.paragraphs:
        yield Part(_rule_text(paragraph))
    for card in seen.cards:
        yield Part(card_text(card))


def card_text(card: Card) -> Group:
    """Return a component card."""
    head = Text(f"◆ {card.name}", "bold magenta")
    if card.text:
        head.append(f"  {card.text}", "not bold default")
    rules = [Padding(_rule_text(f"{number}: {text}"), (0, 0, 0, 2)) for number, text in card.rules]
    return Group(head, *rules)


def _rule_text(text: str) -> Text:
    number, colon, _ = text.partition(":")
    shown = Text(text)
    if colon and "-" in number and " " not in number:
        shown.stylize("cyan", 0, len(number) + 1)
    return shown


def log(screen: Screen) -> Iterator[Part]:
    """What has happened, the newest last."""
    for entry in screen.log:
        at = screen.past is not None and entry.revision == screen.past.revision
        text = Text(f"{entry.revision:4} ", "dim")
        text.append(entry.text, "reverse" if at else "")
        if entry.rule:
            text.append(f"  {entry.rule}", "cyan")
        yield Part(text, entry)


def log_key(screen: Screen) -> LogLine | None:
    """Return the line of the log that is looked at."""
    if screen.past is None:
        return screen.log[-1] if screen.log else None
    found = [line for line in screen.log if line.revision <= screen.past.revision]
    return found[-1] if found else None


def players(screen: Screen, now: float | None = None) -> Text:
    """Who sits at the table: who decides, who is there, and how much time each has."""
    text = Text(no_wrap=True, overflow="ellipsis")
    clocks = {clock.seat: clock for clock in screen.clocks}
    for seat in range(len(screen.info.names)):
        if seat:
            text.append("  ")
        deciding = seat in screen.deciding and not screen.info.over
        text.append("▶" if deciding else " ", "bold yellow")
        if screen.present is not None:
            text.append("● " if seat in screen.present else "○ ", "green")
        style = "bold" if deciding else ""
        text.append(screen.name(seat), f"{style} underline" if seat in screen.seats else style)
        clock = clocks.get(seat)
        if clock is not None:
            left = clock.left(now)
            shown = screen.words("stand_in_plays") if clock.stand_in else time_text(left)
            hurry = clock.deadline is not None and left < 10
            text.append(f" {shown}", "bold red" if hurry else "cyan")
    if any(clock.paused for clock in screen.clocks):
        text.append(f"  {screen.words('clocks_paused')}", "yellow")
    return text
