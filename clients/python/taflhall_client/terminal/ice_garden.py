"""The Lord of the Ice Garden in a terminal: map, tracks and sheets; options and events in words.

The words come from :mod:`ice_garden_words`, options and events from :mod:`ice_garden_texts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from taflhall_client.terminal.ice_garden_map import map_text
from taflhall_client.terminal.ice_garden_texts import event_text, option_text
from taflhall_client.terminal.ice_garden_words import Words
from taflhall_client.terminal.layout import frame, side_by_side
from taflhall_engine.ice_garden import ids
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.view import PlayerView, PublicView, RegionView, UnitView
from taflhall_engine.kernel.game import Game, View

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["draw", "event_text", "option_text"]

STYLES: Final = ("red", "bright_black", "green", "bright_blue")
"""The colours of the factions."""


def draw(game: Game, view: View, language: str) -> RenderableType:
    """Return the table as everybody sees it."""
    v = view.public
    assert isinstance(v, PublicView)
    components: Components = game.components  # type: ignore[attr-defined]
    words = Words(game, language)
    tracks = Group(initiative(words, v, components), reputation(words, v), fields(words, v))
    parts: list[RenderableType] = [
        heading(words, v),
        side_by_side(Group(Text(words("map"), style="bold"), map_text(game, v)), tracks),
        regions(words, v, components),
        sheets(words, v, view.seat),
        bottom(words, v),
    ]
    return Group(*parts)


def coloured(words: Words, factions: list[int], counts: list[str] | None = None) -> Text:
    """Return factions in their colours, each with what belongs to it."""
    text = Text()
    for index, faction in enumerate(factions):
        if index:
            text.append(" ")
        own = "" if counts is None else f" {counts[index]}"
        text.append(f"{words.faction(faction)}{own}", style=STYLES[faction])
    return text


def heading(words: Words, v: PublicView) -> Text:
    """Return where the match stands, and what presses."""
    text = Text(words("round", round=v.round, state=words.state(v.state)), style="bold")
    text.append("\n")
    if v.reason:
        winners = ", ".join(words.faction(faction) for faction in v.winners)
        text.append(words("ended", reason=words.reason(v.reason), winners=winners), style="bold")
        text.append("\n")
    order = ", ".join(words.faction(faction) for faction in v.turn_order)
    parts = [words("order", order=order), words("snow", snow=v.snow, limit=v.snow_limit)]
    parts.append(words("vuko", region=words.region(v.vuko_region)))
    if v.thorn_region >= 0:
        parts.append(words("thorn", region=words.region(v.thorn_region)))
    if v.scoring_factor:
        parts.append(words("scoring", factor=v.scoring_factor))
    text.append("; ".join(parts), style="none")
    return text


# ---------------------------------------------------------------- tracks


def initiative(words: Words, v: PublicView, components: Components) -> Table:
    """Return the helms with their ships, cubes and markers, top first."""
    helm_of = {player.faction: player.helm for player in v.players}
    table = frame(words("tracks"), words("helms"), "")
    for helm in range(1, components.helms + 1):
        stack = [faction for faction in v.initiative if helm_of[faction] == helm]
        red = components.red_ships[helm] > components.red_ships[helm - 1]
        label = Text(f"{helm:2} {components.ship[helm]}/{components.cubes[helm]}")
        if red:
            label.append(f" {words('red')}", style="red")
        table.add_row(label, coloured(words, stack))
    return table


def reputation(words: Words, v: PublicView) -> Text:
    """Return the occupied fields of the reputation track, best first, stacks top first."""
    place_of = {player.faction: player.reputation for player in v.players}
    text = Text(f"{words('reputation')}: ", style="bold")
    if v.npc >= 0:
        return text.append("-", style="none")
    for place in range(ids.REPUTATION_FLOOR + 1):
        stack = [faction for faction in v.reputation if place_of[faction] == place]
        if stack:
            text.append(f"{words.place(place)}: ", style="none")
            text.append_text(coloured(words, stack))
            text.append("  ")
    return text


def fields(words: Words, v: PublicView) -> Table:
    """Return the action fields with their order tokens and markers."""
    table = frame(words("fields"), words("token"), words("field"), "", words("markers"))
    for field in v.action_fields:
        used = str(len(field.markers))
        if field.field != ids.VIPER_GORGE:
            used = words("slots", used=len(field.markers), slots=field.slots)
        token = str(field.token) if field.field else "0"
        table.add_row(token, words.field(field.field), used, coloured(words, field.markers))
    return table


# ---------------------------------------------------------------- regions


def regions(words: Words, v: PublicView, components: Components) -> Table:
    """Return what lies in each region."""
    columns = ("region", "tile", "goods", "points", "neutral", "influence", "units", "tokens")
    table = frame(words("regions"), *[words(c) for c in columns], words("near"))
    for region, seen in enumerate(v.regions):
        if seen.tile == 0:
            continue
        near = [
            ids.REGIONS[other] for other in components.adjacent[region] if v.regions[other].tile
        ]
        name = Text(words.region(region))
        if seen.locked:
            name.stylize("dim")
        if region in (v.vuko_region, v.resolving):
            name.stylize("bold")
        table.add_row(
            name,
            words("face_down") if seen.tile < 0 else str(seen.tile),
            f"{seen.population}   {seen.gold}    {seen.m_factor}" if seen.tile > 0 else "",
            "/".join(map(str, seen.points)),
            str(seen.neutral),
            markers(words, seen),
            units_in(words, v, region),
            lying(words, v, region, seen),
            " ".join(near),
        )
    return table


def markers(words: Words, seen: RegionView) -> Text:
    """Return the influence markers of each player, those behind Vuko in brackets."""
    own = [faction for faction, count in enumerate(seen.influence) if count]
    counts = []
    for faction in own:
        behind = seen.controlled[faction]
        counts.append(f"{seen.influence[faction]}{f' ({behind})' if behind else ''}")
    return coloured(words, own, counts)


def units_in(words: Words, v: PublicView, region: int) -> Text:
    text = Text()
    for player in v.players:
        for figure in player.figures:
            if figure.region == region:
                notes = []
                if figure.defeated:
                    notes.append(words("fallen"))
                elif figure.damage:
                    notes.append(words("damage", count=figure.damage))
                if figure.steps:
                    notes.append(words("steps", count=figure.steps))
                note = f" ({', '.join(notes)})" if notes else ""
                separator = ", " if text.plain else ""
                text.append(
                    f"{separator}{words.figure(figure.figure)}{note}", STYLES[player.faction]
                )
    return text


def lying(words: Words, v: PublicView, region: int, seen: RegionView) -> Text:
    """Return reserves, tokens, tower, lock, Thorn and Vuko."""
    things = [words("reserve_up")] * seen.reserves_up
    things += [words("reserve_down")] * seen.reserves_down
    things += [words("nightmare")] * seen.nightmare_tokens
    things += [words("tower")] if seen.tower else []
    things += [words("locked")] if seen.locked else []
    things += [words("thorn", region="").rstrip(": ")] if region == v.thorn_region else []
    things += ["Vuko"] if region == v.vuko_region else []
    things += [words("attack", count=seen.attack)] if seen.attack else []
    return Text(", ".join(things))


# ---------------------------------------------------------------- sheets


def sheets(words: Words, v: PublicView, viewer: int) -> Table:
    """Return the players' goods, levels of M-factor, goals and units."""
    kinds = [words.kind(0), words.kind(1)]
    columns = ["vp", "factor", "vuko_tokens", "in_supply", "to_plan", "gorge", "goal", "symbols"]
    own = [words(column) for column in columns]
    table = frame(words("sheets"), words("player"), *kinds, *own)
    for player in v.players:
        name = Text(words.faction(player.faction), style=STYLES[player.faction])
        seat = words("npc") if player.seat < 0 else words("seat", seat=player.seat)
        if player.seat == viewer and viewer >= 0:
            seat = words("you")
        name.append(f"\n{seat}", style="none")
        table.add_row(
            name,
            str(player.population),
            str(player.gold),
            str(player.vp),
            "  ".join(map(str, player.m_factor)),
            str(player.vuko_tokens),
            str(player.influence_supply),
            str(player.action_markers),
            str(player.viper),
            f"{player.goal}/{player.goal_target}{' !' if player.goal_fulfilled else ''}",
            Text("\n").join([unit_line(words, player, unit) for unit in player.units]),
        )
    return table


def unit_line(words: Words, player: PlayerView, unit: UnitView) -> Text:
    """Return a unit type: its level, printed and bought symbols, and figures at home."""
    symbols = [words.ability(a) for a in range(ids.ABILITY_COUNT) for _ in range(unit.printed[a])]
    symbols += [
        f"+{words.ability(a)}" for a in range(ids.ABILITY_COUNT) for _ in range(unit.bought[a])
    ]
    if unit.unit == ids.HARRASIM and player.spy:
        symbols.append(words("spy", symbols="/".join(words.ability(a) for a in player.spy)))
    home = sum(
        1
        for figure in player.figures
        if figure.region < 0 and ids.FIGURE_UNIT[figure.figure] == unit.unit
    )
    text = Text(f"{unit.level} {words.unit(unit.unit)}: {', '.join(symbols) or '-'}")
    text.append(f"; {words('free', count=unit.free_slots)}; {home} {words('home')}", style="dim")
    return text


def bottom(words: Words, v: PublicView) -> Text:
    """Return the Vuko tiles and the common supply."""
    text = Text()
    if v.tiles:
        text.append(f"{words('tiles')}: ", style="bold")
        for stage, tile in enumerate(v.tiles, 1):
            active = f", {words('active')}" if tile.active else ""
            text.append(f"{stage} {words.tile(tile.tile)} ({words.side(tile.side)}{active})  ")
        text.append("\n")
    supply = v.supply
    text.append(f"{words('supply')}: ", style="bold")
    text.append(
        words(
            "supply_line",
            population=supply.population,
            gold=supply.gold,
            m_factor=supply.m_factor,
            vuko_tokens=supply.vuko_tokens,
            red_towers=supply.red_towers,
            upgrades="/".join(map(str, supply.upgrades)),
        )
    )
    return text
