"""Yggdrasil in a terminal: the table drawn, options and events in words.

The words come from :mod:`yggdrasil_words`, options and events from :mod:`yggdrasil_texts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich import box as borders
from rich.console import Group
from rich.table import Table
from rich.text import Text

from taflhall_client.terminal.layout import frame, side_by_side
from taflhall_client.terminal.yggdrasil_texts import event_text, option_text
from taflhall_client.terminal.yggdrasil_words import Words
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.view import PublicView

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["draw", "event_text", "option_text"]

DANGER: Final = ("", "green", "yellow", "red")
"""The colour of a level."""
ISLAND_STYLES: Final = ("magenta", "bright_white", "bright_blue", "green", "bright_black")


def draw(game: Game, view: View, language: str) -> RenderableType:
    """Return the table as everybody sees it."""
    v = view.public
    assert isinstance(v, PublicView)
    components: Components = game.components  # type: ignore[attr-defined]
    words = Words(game, language)
    parts: list[RenderableType] = [
        heading(words, v),
        track(words, v, components),
        side_by_side(gods(words, v, view.seat), islands(words, v, components)),
        side_by_side(vanir(words, v, components), giants(words, v, components)),
        decks(words, v),
    ]
    return Group(*parts)


def heading(words: Words, v: PublicView) -> Text:
    """Return whose turn it is, what is left to do, and what presses."""
    text = Text()
    god = words.god(v.holdings[v.active].god)
    text.append(words("turn", turn=v.turn, god=god, seat=v.active), style="bold")
    text.append(words("actions", left=v.actions_left))
    if v.worlds_used:
        text.append(words("used", worlds=", ".join(words.world(w) for w in v.worlds_used)))
    if v.fenrir_card >= 0:
        text.append("\n" + words("angry", level=v.fenrir_level), style="bold red")
    if v.daeg:
        text.append("\n" + words("daeg", turns=v.daeg), style="cyan")
    if not v.powers_active:
        text.append("\n" + words("no_powers"), style="red")
    if v.die_blocked:
        text.append("\n" + words("no_die"), style="red")
    if v.blocked_worlds:
        worlds = ", ".join(words.world(w) for w in v.blocked_worlds)
        text.append("\n" + words("blocked", worlds=worlds), style="red")
    if v.outcome:
        reasons = ", ".join(words.reason(r) for r in v.reasons)
        won = v.outcome == ids.VICTORY
        text.append("\n" + words("won" if won else "lost", reasons=reasons), style="bold")
    return text


def track(words: Words, v: PublicView, components: Components) -> Table:
    """Return the track of Asgard: where the enemies stand, and how strong they are there."""
    table = Table(
        title=words.world(ids.ASGARD),
        title_justify="left",
        title_style="bold",
        box=borders.ROUNDED,
        show_lines=False,
    )
    cells: list[Text] = []
    for space in range(1, components.residence + 1):
        head = str(space)
        if space == components.wall_from:
            head += " " + words("wall")
        if space == components.gate_from:
            head += " " + words("gate")
        if space == components.residence:
            head += " " + words("residence")
        level = components.space_level[space]
        strength = components.space_strength[space]
        under = words("strength", strength=strength) if strength else words("start")
        table.add_column(f"{head}\n{under}", header_style=DANGER[level], min_width=9)
        cell = Text()
        for enemy, place in enumerate(v.enemies):
            if place == space:
                angry = enemy == ids.FENRIR and v.fenrir_card >= 0
                plus = "+1" if v.strengths[enemy] > strength else ""
                cell.append(
                    f"{words.enemy(enemy)}{plus}{'!' if angry else ''}\n",
                    style="bold red" if angry or space == components.residence else "bold",
                )
        cell.rstrip()
        cells.append(cell)
    table.add_row(*cells)
    return table


def gods(words: Words, v: PublicView, seat: int) -> Table:
    """Return what each god holds; the active one is marked."""
    table = frame(
        words("gods"),
        "",
        words("god"),
        f">{words('vikings')}",
        f">{words('elves')}",
        words("weapons"),
    )
    for place, holding in enumerate(v.holdings):
        weapons = ", ".join(
            f"{words.enemy(enemy)} {level}" for enemy, level in enumerate(holding.weapons) if level
        )
        name = words.god(holding.god)
        if place == seat:
            name += f" ({words('you')})"
        table.add_row(
            "▶" if place == v.active else str(place),
            name,
            str(holding.vikings),
            str(holding.elves),
            weapons or "–",
            style="bold" if place == v.active else "",
        )
    return table


def islands(words: Words, v: PublicView, components: Components) -> Table:
    """Return the islands with their bags, and the stocks that belong to them."""
    table = frame(
        words.world(ids.MIDGARD),
        words("island"),
        f">{words('vikings')}",
        f">{words('fire_giants')}",
        "",
    )
    bags = {bag.island: bag for bag in v.bags}
    for island in range(ids.ISLAND_COUNT):
        notes = []
        if island == v.valkyries:
            notes.append(words("valkyries"))
        if island == v.sunken:
            notes.append(words("whirlpool" if v.whirlpool else "sunken"))
        if island in bags:
            tokens = [str(bags[island].vikings), str(bags[island].fire_giants)]
        elif island in components.coloured:
            tokens = ["0", "0"] if island in v.empty_bags else ["?", "?"]
        else:
            tokens = ["", ""]
        name = Text(words.island(island), style=ISLAND_STYLES[island])
        table.add_row(name, *tokens, ", ".join(notes))
    table.caption = "\n".join(
        [
            words("helheim", count=v.helheim),
            words("muspellheim", count=v.muspellheim),
            words("alfheim", count=v.alfheim),
        ]
    )
    table.caption_justify = "left"
    return table


def vanir(words: Words, v: PublicView, components: Components) -> Table:
    """Return the Vanir's track; what it has reached can be used."""
    table = frame(words.world(ids.VANAHEIM), "", words("effect"))
    for effect, space in sorted(enumerate(components.effect_space), key=lambda pair: pair[1]):
        reached = space <= v.vanir
        table.add_row(
            f"{'▶' if space == v.vanir else ' '}{space}",
            words(f"vanir_{ids.VANIR_EFFECTS[effect]}"),
            style="" if reached else "dim",
        )
    return table


def giants(words: Words, v: PublicView, components: Components) -> Table:
    """Return the active giants and how far the runes are."""
    table = frame(words.world(ids.JOTUNHEIM), words("giant"), words("rune"), words("effect"))
    for giant in v.giants_active:
        table.add_row(
            words.giant(giant),
            words.rune(components.giant_rune[giant]),
            words.effect(components.giant_bits[giant]),
        )
    if not v.giants_active:
        table.add_row(words("nobody"), "", "")
    runes = ", ".join(
        f"{words.rune(rune)} {count}/{components.rune_needs[rune]}"
        for rune, count in enumerate(v.runes)
    )
    table.caption = words("giant_deck", count=v.giants_deck, runes=runes)
    table.caption_justify = "left"
    return table


def decks(words: Words, v: PublicView) -> Text:
    """Return what is known of the enemy deck."""
    text = Text(words("deck", count=len(v.deck)))
    known = [f"{i}. {words.card(card)}" for i, card in enumerate(v.deck, 1) if card >= 0]
    if known:
        text.append(words("known", cards=", ".join(known)))
    left: dict[str, int] = {}
    for card, count in enumerate(v.composition):
        rest = count - v.discard.count(card) - (v.fenrir_card == card)
        if rest:
            left[words.card(card)] = rest
    text.append("\n" + words("to_come", cards=", ".join(f"{n} × {c}" for c, n in left.items())))
    return text
