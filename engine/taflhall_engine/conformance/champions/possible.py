"""CM-2.1 Whether the components of one box can lie as a case says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from taflhall_engine.champions.ids import (
    DESTINIES,
    JOURNEYS,
    LEADERS,
    NONE,
    RUNES,
    TYPES,
    WARRIORS,
)
from taflhall_engine.champions.table import ChampionsTable


def faults_of(s: ChampionsTable) -> list[str]:
    """Return what no box could provide, in words."""
    components = s.components
    found: list[str] = []
    runes = [r for clan in s.clans for r in _bits(clan.runes) + _bits(clan.runes_used)]
    found += _too_many("rune", [*s.rune_row, *s.rune_deck, *runes], RUNES)
    destinies = [d for clan in s.clans for d in clan.destinies]
    found += _too_many("destiny", [*s.destiny_deck, *destinies], DESTINIES)
    ships = [clan.ship for clan in s.clans]
    found += _too_many("private longship", [*s.ships, *ships], components.ship_ids)
    found += _too_many("stall", s.stalls, components.tile_ids)
    found += _too_many("leader", [clan.leader for clan in s.clans], LEADERS)
    journeys = [*s.journeys, *s.journey_deck, *s.journey_discard]
    found += _too_many("journey", journeys, JOURNEYS, components.journey_count)
    for warrior in range(TYPES):
        owned = sum(clan.warriors[warrior] for clan in s.clans)
        total = owned + s.stock[warrior] + max(0, s.supply[warrior])
        if total > components.dice[warrior]:
            found.append(f"{total} of {components.dice[warrior]} {WARRIORS[warrior]} dice")
    amounts = [
        [*c.goods, *c.warriors, *c.draugr, *c.monsters, c.favour, c.blame, c.workers, c.trolls]
        for c in s.clans
    ]
    if min([*s.stock, *s.supply, *(min(own) for own in amounts)]) < 0:
        found.append("an amount is negative")
    return found


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _too_many(
    kind: str, numbers: Iterable[int], names: Sequence[str], copies: Sequence[int] = ()
) -> list[str]:
    counted = Counter(number for number in numbers if number != NONE)
    return [
        f"{kind} {names[number]} lies {count} times on the table"
        for number, count in counted.items()
        if count > (copies[number] if copies else 1)
    ]
