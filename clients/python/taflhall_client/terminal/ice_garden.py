"""The Lord of the Ice Garden in a terminal: map, tracks and sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from taflhall_client.terminal.ice_garden_map import map_text
from taflhall_client.terminal.layout import frame, side_by_side
from taflhall_engine.ice_garden import ids
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.view import PlayerView, PublicView, RegionView, UnitView
from taflhall_engine.kernel.game import View
from taflhall_wire.texts import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType


STYLES: Final = ("red", "bright_black", "green", "bright_blue")
"""The colours of the factions."""

QUIET: Final = frozenset({"NeutralPlaced"})
"""Events that say nothing new."""


def draw(texts: Texts, view: View) -> RenderableType:
    """Return the table as everybody sees it."""
    v = view.public
    assert isinstance(v, PublicView)
    components: Components = getattr(texts.game, "components")  # noqa: B009
    tracks = Group(
        initiative(texts, v, components), reputation(texts, v, components), fields(texts, v)
    )
    parts: list[RenderableType] = [
        heading(texts, v),
        side_by_side(
            Group(Text(texts.words("map"), style="bold"), map_text(texts.game, v)), tracks
        ),
        regions(texts, v, components),
        sheets(texts, v, view.seat),
        bottom(texts, v),
    ]
    return Group(*parts)


def summary(texts: Texts, view: View) -> RenderableType:
    """Return what each player has, the action fields and the regions, in a few lines."""
    v = view.public
    assert isinstance(v, PublicView)
    return Group(
        heading(texts, v),
        sheets_in_short(texts, v, view.seat),
        fields_in_short(texts, v),
        *regions_in_short(texts, v),
    )


def sheets_in_short(texts: Texts, v: PublicView, viewer: int) -> Table:
    """Return a line for each player."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    kinds = [texts.label("kind", 0), texts.label("kind", 1)]
    columns = ("factor", "vp", "goal", "to_plan", "in_supply", "vuko_tokens")
    table.add_column("", no_wrap=True)
    for column in (*kinds, *[texts.words(column) for column in columns]):
        table.add_column(column)
    for player in v.players:
        name = Text(texts.label("faction", player.faction), STYLES[player.faction])
        if player.seat == viewer and viewer >= 0:
            name.append(f" ({texts.words('you')})", "bold")
        goal = f"{player.goal}/{player.goal_target}"
        factor = " ".join(map(str, player.m_factor))
        values = [
            player.population, player.gold, factor, player.vp, goal, player.action_markers,
            player.influence_supply, player.vuko_tokens,
        ]  # fmt: skip
        table.add_row(name, *map(str, values))
    return table


def fields_in_short(texts: Texts, v: PublicView) -> Text:
    """Return the action fields in their order, with the markers on them."""
    text = Text(f"{texts.words('fields')}: ", "bold")
    for index, field in enumerate(v.action_fields):
        token = field.token if field.field else 0
        text.append(f"{'; ' if index else ''}{token} {texts.label('field', field.field)}", "none")
        if field.markers:
            text.append(" ")
            text.append_text(coloured(texts, field.markers))
    return text


def regions_in_short(texts: Texts, v: PublicView) -> list[Text]:
    """Return a line for each region in play."""
    found = []
    for region, seen in enumerate(v.regions):
        if seen.tile == 0:
            continue
        line = Text(f"{texts.label('region', region)}: ", "bold")
        if seen.tile < 0:
            line.append("?", "none")
        else:
            goods = {"population": seen.population, "gold": seen.gold, "m_factor": seen.m_factor}
            line.append(texts.amounts(goods), "none")
        line.append(f"; {texts.words('points')} {'/'.join(map(str, seen.points))}", "none")
        for part in (
            markers(texts, seen),
            units_in(texts, v, region),
            lying(texts, v, region, seen),
        ):
            if part.plain:
                line.append("; ", "none")
                line.append_text(part)
        found.append(line)
    return found


def coloured(texts: Texts, factions: list[int], counts: list[str] | None = None) -> Text:
    """Return factions in their colours, each with what belongs to it."""
    text = Text()
    for index, faction in enumerate(factions):
        if index:
            text.append(" ")
        own = "" if counts is None else f" {counts[index]}"
        text.append(f"{texts.label('faction', faction)}{own}", style=STYLES[faction])
    return text


def heading(texts: Texts, v: PublicView) -> Text:
    """Return the match's progress and its urgent threats."""
    text = Text(
        texts.words("round", round=v.round, state=texts.label("state", v.state)), style="bold"
    )
    text.append("\n")
    if v.reason:
        winners = ", ".join(texts.label("faction", faction) for faction in v.winners)
        text.append(
            texts.words("ended", reason=texts.label("reason", v.reason), winners=winners),
            style="bold",
        )
        text.append("\n")
    order = ", ".join(texts.label("faction", faction) for faction in v.turn_order)
    parts = [
        texts.words("order", order=order),
        texts.words("snow", snow=v.snow, limit=v.snow_limit),
    ]
    parts.append(texts.words("vuko", region=texts.label("region", v.vuko_region)))
    if v.thorn_region >= 0:
        parts.append(texts.words("thorn", region=texts.label("region", v.thorn_region)))
    if v.scoring_factor:
        parts.append(texts.words("scoring", factor=v.scoring_factor))
    text.append("; ".join(parts), style="none")
    return text


# ---------------------------------------------------------------- tracks


def initiative(texts: Texts, v: PublicView, components: Components) -> Table:
    """Return the helms with their ships, cubes and markers, top first."""
    helm_of = {player.faction: player.helm for player in v.players}
    table = frame(texts.words("tracks"), texts.words("helms"), "")
    for helm in range(1, components.helms + 1):
        stack = [faction for faction in v.initiative if helm_of[faction] == helm]
        red = components.red_ships[helm] > components.red_ships[helm - 1]
        label = Text(f"{helm:2} {components.ship[helm]}/{components.cubes[helm]}")
        if red:
            label.append(f" {texts.words('red')}", style="red")
        table.add_row(label, coloured(texts, stack))
    return table


def reputation(texts: Texts, v: PublicView, components: Components) -> Text:
    """Return the occupied fields of the reputation track, best first, stacks top first."""
    safe = texts.words("safe")
    place_of = {player.faction: player.reputation for player in v.players}
    text = Text(f"{texts.words('reputation')}: ", style="bold")
    if v.npc >= 0:
        return text.append("-", style="none")
    for place in range(ids.REPUTATION_FLOOR + 1):
        stack = [faction for faction in v.reputation if place_of[faction] == place]
        if stack:
            text.append(f"{safe if place == 0 else components.reputation[place]}: ", style="none")
            text.append_text(coloured(texts, stack))
            text.append("  ")
    return text


def fields(texts: Texts, v: PublicView) -> Table:
    """Return the action fields with their order tokens and markers."""
    table = frame(
        texts.words("fields"),
        texts.words("token"),
        texts.words("field"),
        "",
        texts.words("markers"),
    )
    for field in v.action_fields:
        used = str(len(field.markers))
        if field.field != ids.VIPER_GORGE:
            used = texts.words("slots", used=len(field.markers), slots=field.slots)
        token = str(field.token) if field.field else "0"
        table.add_row(
            token, texts.label("field", field.field), used, coloured(texts, field.markers)
        )
    return table


# ---------------------------------------------------------------- regions


def regions(texts: Texts, v: PublicView, components: Components) -> Table:
    """Return the contents of each region."""
    columns = ("region", "tile", "goods", "points", "neutral", "influence", "units", "tokens")
    table = frame(texts.words("regions"), *[texts.words(c) for c in columns], texts.words("near"))
    for region, seen in enumerate(v.regions):
        if seen.tile == 0:
            continue
        near = [
            ids.REGIONS[other] for other in components.adjacent[region] if v.regions[other].tile
        ]
        name = Text(texts.label("region", region))
        if seen.locked:
            name.stylize("dim")
        if region in (v.vuko_region, v.resolving):
            name.stylize("bold")
        table.add_row(
            name,
            "?" if seen.tile < 0 else str(seen.tile),
            f"{seen.population}   {seen.gold}    {seen.m_factor}" if seen.tile > 0 else "",
            "/".join(map(str, seen.points)),
            str(seen.neutral),
            markers(texts, seen),
            units_in(texts, v, region),
            lying(texts, v, region, seen),
            " ".join(near),
        )
    return table


def markers(texts: Texts, seen: RegionView) -> Text:
    """Return the influence markers of each player, those behind Vuko in brackets."""
    own = [faction for faction, count in enumerate(seen.influence) if count]
    counts = []
    for faction in own:
        behind = seen.controlled[faction]
        counts.append(f"{seen.influence[faction]}{f' ({behind})' if behind else ''}")
    return coloured(texts, own, counts)


def units_in(texts: Texts, v: PublicView, region: int) -> Text:
    text = Text()
    for player in v.players:
        for figure in player.figures:
            if figure.region == region:
                notes = []
                if figure.defeated:
                    notes.append(texts.words("fallen"))
                elif figure.damage:
                    notes.append(texts.words("damage", count=figure.damage))
                if figure.steps:
                    notes.append(texts.words("steps", count=figure.steps))
                note = f" ({', '.join(notes)})" if notes else ""
                separator = ", " if text.plain else ""
                text.append(
                    f"{separator}{texts.label('figure', figure.figure)}{note}",
                    STYLES[player.faction],
                )
    return text


def lying(texts: Texts, v: PublicView, region: int, seen: RegionView) -> Text:
    """Return reserves, tokens, tower, lock, Thorn and Vuko."""
    things = [texts.words("reserve_up")] * seen.reserves_up
    things += [texts.words("reserve_down")] * seen.reserves_down
    things += [texts.words("nightmare")] * seen.nightmare_tokens
    things += [texts.words("tower")] if seen.tower else []
    things += [texts.words("locked")] if seen.locked else []
    things += [texts.words("thorn_here")] if region == v.thorn_region else []
    things += ["Vuko"] if region == v.vuko_region else []
    things += [texts.words("attack", count=seen.attack)] if seen.attack else []
    return Text(", ".join(things))


# ---------------------------------------------------------------- sheets


def sheets(texts: Texts, v: PublicView, viewer: int) -> Table:
    """Return the players' goods, levels of M-factor, goals and units."""
    kinds = [texts.label("kind", 0), texts.label("kind", 1)]
    columns = ["vp", "factor", "vuko_tokens", "in_supply", "to_plan", "gorge", "goal", "symbols"]
    own = [texts.words(column) for column in columns]
    table = frame(texts.words("sheets"), texts.words("player"), *kinds, *own)
    for player in v.players:
        name = Text(texts.label("faction", player.faction), style=STYLES[player.faction])
        seat = texts.words("npc") if player.seat < 0 else texts.seat(player.seat)
        if player.seat == viewer and viewer >= 0:
            seat = texts.words("you")
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
            Text("\n").join([unit_line(texts, player, unit) for unit in player.units]),
        )
    return table


def unit_line(texts: Texts, player: PlayerView, unit: UnitView) -> Text:
    """Return a unit type: its level, printed and bought symbols, and figures at home."""
    symbols = [
        texts.label("ability", a) for a in range(ids.ABILITY_COUNT) for _ in range(unit.printed[a])
    ]
    symbols += [
        f"+{texts.label('ability', a)}"
        for a in range(ids.ABILITY_COUNT)
        for _ in range(unit.bought[a])
    ]
    if unit.unit == ids.HARRASIM and player.spy:
        symbols.append(
            texts.words("spy", symbols="/".join(texts.label("ability", a) for a in player.spy))
        )
    home = sum(
        1
        for figure in player.figures
        if figure.region < 0 and ids.FIGURE_UNIT[figure.figure] == unit.unit
    )
    text = Text(f"{unit.level} {texts.label('unit', unit.unit)}: {', '.join(symbols) or '-'}")
    text.append(
        f"; {texts.words('free', count=unit.free_slots)}; {home} {texts.words('home')}", style="dim"
    )
    return text


def bottom(texts: Texts, v: PublicView) -> Text:
    """Return the Vuko tiles and the common supply."""
    text = Text()
    if v.tiles:
        text.append(f"{texts.words('tiles')}: ", style="bold")
        for stage, tile in enumerate(v.tiles, 1):
            active = f", {texts.words('active')}" if tile.active else ""
            name, side = (
                texts.label("vuko_tile", tile.tile - 1),
                texts.label("vuko_sides", tile.side),
            )
            text.append(f"{stage} {name} ({side}{active})  ")
        text.append("\n")
    supply = v.supply
    text.append(f"{texts.words('supply')}: ", style="bold")
    text.append(
        texts.words(
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
