"""Yggdrasil in a terminal: the table drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from taflhall_client.terminal.layout import Fitting, frame, side_by_side
from taflhall_engine.kernel.game import View
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.describe import giant_details
from taflhall_engine.yggdrasil.view import PublicView
from taflhall_wire.texts import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType


DANGER: Final = ("", "green", "yellow", "red")
"""The colour of a level."""
ISLAND_STYLES: Final = ("magenta", "bright_white", "bright_blue", "green", "bright_black")

QUIET: Final = frozenset(
    {
        *("CardDiscarded", "TurnEnded"),
        *("Amount", "ChooseCard", "ChooseDie", "ChooseTiwaz", "Distribute", "PutNext"),
    }
)
"""Events without news, and steps of answers that a later event covers."""


def draw(texts: Texts, view: View) -> RenderableType:
    """Return the table as everybody sees it."""
    v = view.public
    assert isinstance(v, PublicView)
    components: Components = getattr(texts.game, "components")  # noqa: B009
    parts: list[RenderableType] = [
        heading(texts, v),
        track(texts, v, components),
        side_by_side(gods(texts, v, view.seat), islands(texts, v, components)),
        side_by_side(vanir(texts, v, components), giants(texts, v, components)),
        decks(texts, v),
    ]
    return Group(*parts)


def summary(texts: Texts, view: View) -> RenderableType:
    """Return the threats, what each god has, and what is in the bags, in a few lines."""
    v = view.public
    assert isinstance(v, PublicView)
    components: Components = getattr(texts.game, "components")  # noqa: B009
    return Group(
        heading(texts, v),
        enemies_line(texts, v, components),
        danger(texts, v, components),
        Columns([god_line(texts, v, place, view.seat) for place in range(len(v.holdings))]),
        bags_line(texts, v, components),
        works_line(texts, v, components),
        decks(texts, v),
    )


def enemies_line(texts: Texts, v: PublicView, components: Components) -> Text:
    """Return where each enemy stands, the nearest to Odin's residence first."""
    text = Text(f"{texts.words('track')}: ", "bold")
    order = sorted(range(len(v.enemies)), key=lambda enemy: -v.enemies[enemy])
    for index, enemy in enumerate(order):
        space = v.enemies[enemy]
        level = components.space_level[space] if space else 0
        text.append("  " if index else "", "none")
        text.append(texts.label("enemy", enemy), DANGER[level])
        text.append(f" {space}/{v.strengths[enemy]}", "none")
    return text


def danger(texts: Texts, v: PublicView, components: Components) -> Text:
    """Return how near the gods are to losing, and to winning."""
    wall = sum(space >= components.wall_from for space in v.enemies)
    gate = sum(space >= components.gate_from for space in v.enemies)
    return Text(
        texts.words(
            "danger",
            wall_from=components.wall_from, wall=wall, wall_limit=components.wall_limit,
            gate_from=components.gate_from, gate=gate, gate_limit=components.gate_limit,
            residence=components.residence, to_come=len(v.deck),
        )
    )  # fmt: skip


def god_line(texts: Texts, v: PublicView, place: int, seat: int) -> Text:
    """Return what a god has."""
    holding = v.holdings[place]
    text = Text(f"{'▶' if place == v.active else ' '}{texts.label('god', holding.god)}", "bold")
    if place == seat:
        text.append(f" ({texts.words('you')})", "none")
    text.append(f": {texts.part('vikings', vikings=holding.vikings)}", "none")
    text.append(f", {texts.part('elves', elves=holding.elves)}", "none")
    weapons = [
        f"{texts.label('enemy', enemy)} {level}"
        for enemy, level in enumerate(holding.weapons)
        if level
    ]
    if weapons:
        text.append(f", {texts.words('weapons')} {', '.join(weapons)}", "none")
    return text


def bags_line(texts: Texts, v: PublicView, components: Components) -> Text:
    """Return what is known of the islands' bags: Vikings/fire giants."""
    text = Text(f"{texts.words('bags')}: ", "bold")
    bags = {bag.island: bag for bag in v.bags}
    for island in range(ids.ISLAND_COUNT):
        text.append(" " if island else "", "none")
        text.append(texts.label("island", island), ISLAND_STYLES[island])
        if island in bags:
            text.append(f" {bags[island].vikings}/{bags[island].fire_giants}", "none")
        elif island in v.empty_bags:
            text.append(" 0/0", "none")
        elif island in components.coloured:
            text.append(" ?", "none")
        marks = [texts.words("valkyries")] if island == v.valkyries else []
        marks += (
            [texts.words("whirlpool" if v.whirlpool else "sunken")] if island == v.sunken else []
        )
        text.append(f" ({', '.join(marks)})" if marks else "", "none")
    return text


def works_line(texts: Texts, v: PublicView, components: Components) -> Text:
    """Return how far the Vanir are, and which giants work against the gods."""
    reached = [
        texts.words(f"vanir_{ids.VANIR_EFFECTS[effect]}")
        for effect, space in enumerate(components.effect_space)
        if space <= v.vanir
    ]
    text = Text(f"{texts.label('world', ids.VANAHEIM)} ", "bold")
    text.append(f"{v.vanir}: {', '.join(reached) or '–'}", "none")
    text.append(f"\n{texts.label('world', ids.JOTUNHEIM)}: ", "bold")
    giants = []
    for giant in v.giants_active:
        effect = texts.part("giant-effect", **giant_details(components, giant))
        giants.append(f"{texts.label('giant', giant)} ({effect})")
    return text.append(", ".join(giants) or texts.words("nobody"), "none")


def heading(texts: Texts, v: PublicView) -> Text:
    """Return the seat to move, the actions left, and the urgent threats."""
    text = Text()
    god = texts.label("god", v.holdings[v.active].god)
    text.append(texts.words("turn", turn=v.turn, god=god, seat=v.active), style="bold")
    text.append(texts.words("actions", left=v.actions_left))
    if v.worlds_used:
        text.append(
            texts.words("used", worlds=", ".join(texts.label("world", w) for w in v.worlds_used))
        )
    if v.fenrir_card >= 0:
        text.append("\n" + texts.words("angry", level=v.fenrir_level), style="bold red")
    if v.daeg:
        text.append("\n" + texts.words("daeg", turns=v.daeg), style="cyan")
    if not v.powers_active:
        text.append("\n" + texts.words("no_powers"), style="red")
    if v.die_blocked:
        text.append("\n" + texts.words("no_die"), style="red")
    if v.blocked_worlds:
        worlds = ", ".join(texts.label("world", w) for w in v.blocked_worlds)
        text.append("\n" + texts.words("blocked", worlds=worlds), style="red")
    if v.outcome:
        reasons = ", ".join(texts.label("reasons", r) for r in v.reasons)
        won = v.outcome == ids.VICTORY
        text.append("\n" + texts.words("won" if won else "lost", reasons=reasons), style="bold")
    return text


def track(texts: Texts, v: PublicView, components: Components) -> RenderableType:
    """Return the track of Asgard: the enemies' spaces, and their strength there."""
    title = texts.label("world", ids.ASGARD)
    wide, narrow = frame(title), frame(title, "", "", "")
    narrow.show_header = False
    cells: list[Text] = []
    for space in range(1, components.residence + 1):
        head = str(space)
        if space == components.wall_from:
            head += " " + texts.words("wall")
        if space == components.gate_from:
            head += " " + texts.words("gate")
        if space == components.residence:
            head += " " + texts.words("residence")
        level = components.space_level[space]
        strength = components.space_strength[space]
        under = texts.words("strength", strength=strength) if strength else texts.words("start")
        enemies = [
            enemy_there(texts, v, components, enemy)
            for enemy, place in enumerate(v.enemies)
            if place == space
        ]
        wide.add_column(f"{head}\n{under}", header_style=DANGER[level], min_width=9)
        cells.append(Text("\n").join(enemies))
        heads = [Text(words, f"bold {DANGER[level]}") for words in (head, under)]
        narrow.add_row(*heads, Text(", ").join(enemies))
    wide.add_row(*cells)
    return Fitting(wide, narrow)


def enemy_there(texts: Texts, v: PublicView, components: Components, enemy: int) -> Text:
    """Return an enemy on its space: whether it is stronger than that, and angry."""
    space = v.enemies[enemy]
    angry = enemy == ids.FENRIR and v.fenrir_card >= 0
    plus = "+1" if v.strengths[enemy] > components.space_strength[space] else ""
    name = f"{texts.label('enemy', enemy)}{plus}{'!' if angry else ''}"
    return Text(name, "bold red" if angry or space == components.residence else "bold")


def gods(texts: Texts, v: PublicView, seat: int) -> Table:
    """Return what each god holds; the active one is marked."""
    table = frame(
        texts.words("gods"),
        "",
        texts.words("god"),
        f">{texts.words('vikings')}",
        f">{texts.words('elves')}",
        texts.words("weapons"),
    )
    for place, holding in enumerate(v.holdings):
        weapons = ", ".join(
            f"{texts.label('enemy', enemy)} {level}"
            for enemy, level in enumerate(holding.weapons)
            if level
        )
        name = texts.label("god", holding.god)
        if place == seat:
            name += f" ({texts.words('you')})"
        table.add_row(
            "▶" if place == v.active else str(place),
            name,
            str(holding.vikings),
            str(holding.elves),
            weapons or "–",
            style="bold" if place == v.active else "",
        )
    return table


def islands(texts: Texts, v: PublicView, components: Components) -> Table:
    """Return the islands with their bags, and the stocks that belong to them."""
    table = frame(
        texts.label("world", ids.MIDGARD),
        texts.words("island"),
        f">{texts.words('vikings')}",
        f">{texts.words('fire_giants')}",
        "",
    )
    bags = {bag.island: bag for bag in v.bags}
    for island in range(ids.ISLAND_COUNT):
        notes = []
        if island == v.valkyries:
            notes.append(texts.words("valkyries"))
        if island == v.sunken:
            notes.append(texts.words("whirlpool" if v.whirlpool else "sunken"))
        if island in bags:
            tokens = [str(bags[island].vikings), str(bags[island].fire_giants)]
        elif island in components.coloured:
            tokens = ["0", "0"] if island in v.empty_bags else ["?", "?"]
        else:
            tokens = ["", ""]
        name = Text(texts.label("island", island), style=ISLAND_STYLES[island])
        table.add_row(name, *tokens, ", ".join(notes))
    table.caption = "\n".join(
        [
            texts.words("helheim", count=v.helheim),
            texts.words("muspellheim", count=v.muspellheim),
            texts.words("alfheim", count=v.alfheim),
        ]
    )
    table.caption_justify = "left"
    return table


def vanir(texts: Texts, v: PublicView, components: Components) -> Table:
    """Return the Vanir's track; the spaces it has reached can be used."""
    table = frame(texts.label("world", ids.VANAHEIM), "", texts.words("effect"))
    for effect, space in sorted(enumerate(components.effect_space), key=lambda pair: pair[1]):
        reached = space <= v.vanir
        table.add_row(
            f"{'▶' if space == v.vanir else ' '}{space}",
            texts.words(f"vanir_{ids.VANIR_EFFECTS[effect]}"),
            style="" if reached else "dim",
        )
    return table


def giants(texts: Texts, v: PublicView, components: Components) -> Table:
    """Return the active giants and how far the runes are."""
    table = frame(
        texts.label("world", ids.JOTUNHEIM),
        texts.words("giant"),
        texts.words("rune"),
        texts.words("effect"),
    )
    for giant in v.giants_active:
        table.add_row(
            texts.label("giant", giant),
            texts.label("rune", components.giant_rune[giant]),
            texts.part("giant-effect", **giant_details(components, giant)),
        )
    if not v.giants_active:
        table.add_row(texts.words("nobody"), "", "")
    runes = ", ".join(
        f"{texts.label('rune', rune)} {count}/{components.rune_needs[rune]}"
        for rune, count in enumerate(v.runes)
    )
    table.caption = texts.words("giant_deck", count=v.giants_deck, runes=runes)
    table.caption_justify = "left"
    return table


def decks(texts: Texts, v: PublicView) -> Text:
    """Return the known part of the enemy deck."""
    text = Text(texts.words("deck", count=len(v.deck)))
    known = [f"{i}. {texts.label('card', card)}" for i, card in enumerate(v.deck, 1) if card >= 0]
    if known:
        text.append(texts.words("known", cards=", ".join(known)))
    left: dict[str, int] = {}
    for card, count in enumerate(v.composition):
        rest = count - v.discard.count(card) - (v.fenrir_card == card)
        if rest:
            left[texts.label("card", card)] = rest
    text.append(
        "\n" + texts.words("to_come", cards=", ".join(f"{n} × {c}" for c, n in left.items()))
    )
    return text
