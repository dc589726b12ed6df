"""CM-16 The views of seats and spectators.

Views are built field by field. Decks are shown as their remaining cards, sorted: these follow
from the revealed cards.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.destinies import seen_by, visits_of
from taflhall_engine.champions.ids import (
    CLASSES,
    COINS,
    DRAUGR,
    FACE_KINDS,
    FOOD,
    MONSTER,
    NONE,
    POSTS,
    SHORES,
    TROLL,
    TYPES,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import COLUMNS, AssignFurther, own_posts
from taflhall_engine.champions.rules.market import MarketExchange
from taflhall_engine.champions.rules.rolling import PickFurther
from taflhall_engine.champions.table import ChampionsTable, Clan
from taflhall_engine.champions.view import (
    ColorCounts,
    Die,
    JourneyPool,
    JourneySpace,
    PostView,
    PrivateView,
    PublicView,
    SeatView,
    Sending,
    WarriorCounts,
)
from taflhall_engine.kernel.agenda import Decision


def public(s: ChampionsTable) -> PublicView:
    """Return what everybody may know."""
    components = s.components
    return PublicView(
        s.near_shores,
        s.leftmost_shore,
        s.hunting_workers,
        s.destiny_ties,
        s.round,
        s.marker,
        [_seat(clan) for clan in s.clans],
        _warriors(s.supply, 0),
        _warriors(s.stock, 0),
        s.stock[TYPES],
        s.stalls,
        s.ships,
        s.huts_sold,
        s.merchant,
        _sorted(s.merchant_deck[:]),
        s.rune_row,
        _sorted(s.rune_deck[:]),
        _cards(components, TROLL, [s.troll])[0],
        _sorted(_cards(components, TROLL, s.troll_deck)),
        _cards(components, DRAUGR, s.draugr),
        _sorted(_cards(components, DRAUGR, s.draugr_deck)),
        _cards(components, MONSTER, s.monsters),
        s.bounties[:],
        _sorted(_cards(components, MONSTER, s.monster_deck)),
        _discarded(s, TROLL),
        _discarded(s, DRAUGR),
        [_journey_space(s, shore) for shore in range(SHORES)],
        _journey_pools(s),
        s.shuffles,
        len(s.journey_deck),
        s.journey_discard,
        len(s.destiny_deck),
        visits_of(s.destiny_log),
        len(s.drawn),
        s.workers[:],
        [_post(s, post) for post in range(POSTS)],
        s.post,
        NONE if s.enemy == NONE else components.kind[s.enemy],
        s.damage,
        _dice(s.roll),
        s.reaction,
        _warriors(s.offer, 0),
        s.scores,
        s.agenda[:],
    )


def private(s: ChampionsTable, seat: int) -> PrivateView:
    """Return what only *seat* may know."""
    if not 0 <= seat < len(s.clans):
        return PrivateView([], [], [], [], [], [], [])
    clan = s.clans[seat]
    decides = deciding(s) == seat
    top = s.agenda[-1] if s.agenda else None
    return PrivateView(
        clan.destinies,
        seen_by(s.destiny_log, seat),
        s.drawn if decides else [],
        [s.journeys[k] if clan.knows >> k & 1 else NONE for k in range(SHORES)],
        s.draft[:] if decides and isinstance(top, MarketExchange) else [],
        sent_by(s, seat) if decides and isinstance(top, AssignFurther) else [],
        [die_of(k) for k in s.draft] if decides and isinstance(top, PickFurther) else [],
    )


def deciding(s: ChampionsTable) -> int:
    """CM-4.5 Return the seat that decides, none (-1) if the match is over."""
    if not s.agenda:
        return NONE
    top = s.agenda[-1]
    return top.seat if isinstance(top, Decision) else NONE


NO_WARRIORS: Final = WarriorCounts(0, 0, 0)
EMPTY_POST: Final = PostView(NONE, NONE, NO_WARRIORS, 0)


def _sorted(cards: list[int]) -> list[int]:
    cards.sort()
    return cards


def _warriors(counts: list[int], first: int) -> WarriorCounts:
    a = counts[first]
    b = counts[first + 1]
    c = counts[first + 2]
    return WarriorCounts(a, b, c) if a or b or c else NO_WARRIORS


def _colors(counts: list[int]) -> ColorCounts:
    return ColorCounts(counts[0], counts[1], counts[2])


def _seat(clan: Clan) -> SeatView:
    return SeatView(
        clan.leader,
        clan.workers,
        clan.hut,
        clan.hunters,
        clan.beggars,
        clan.goods[FOOD],
        clan.goods[WOOD],
        clan.goods[COINS],
        clan.favour,
        clan.favour_spent,
        clan.blame,
        clan.glory,
        _warriors(clan.warriors, 0),
        _set(clan.runes),
        _set(clan.runes_used),
        len(clan.destinies),
        _set(clan.shown),
        clan.ship,
        clan.trolls,
        _colors(clan.draugr),
        _colors(clan.monsters),
        _set(clan.knows << 1),
    )


def _set(mask: int) -> list[int]:
    """Return the numbers of the bits of *mask*."""
    found: list[int] = []
    number = 0
    while mask:
        if mask & 1:
            found.append(number)
        mask >>= 1
        number += 1
    return found


def _cards(components: Components, kind: int, enemies: list[int]) -> list[int]:
    first = components.first[kind]
    return [NONE if enemy == NONE else enemy - first for enemy in enemies]


def _discarded(s: ChampionsTable, kind: int) -> list[int]:
    first = s.components.first[kind]
    end = s.components.first[kind + 1]
    return [enemy - first for enemy in s.enemy_discard if first <= enemy < end]


def _journey_space(s: ChampionsTable, shore: int) -> JourneySpace:
    journey = s.journeys[shore]
    if journey == NONE:
        return JourneySpace(False, NONE, 0)
    if s.revealed >> shore & 1:
        return JourneySpace(False, journey, 0)
    return JourneySpace(True, NONE, s.dealt_in[shore])


def _journey_pools(s: ChampionsTable) -> list[JourneyPool]:
    pools: list[list[int]] = [[] for _ in range(s.shuffles + 1)]
    pools[s.shuffles].extend(s.journey_deck)
    for shore in range(SHORES):
        if s.journeys[shore] != NONE and not s.revealed >> shore & 1:
            pools[s.dealt_in[shore]].append(s.journeys[shore])
    return [JourneyPool(k, _sorted(pools[k])) for k in range(len(pools)) if pools[k]]


def _post(s: ChampionsTable, post: int) -> PostView:
    if s.post_seat[post] == NONE and s.post_ship[post] == NONE:
        return EMPTY_POST
    return PostView(
        s.post_seat[post], s.post_ship[post], _warriors(s.crew, post * TYPES), s.rations[post]
    )


def die_of(k: int) -> Die:
    """Return a die of class *k*."""
    return Die(k // FACE_KINDS, k % FACE_KINDS)


def sent_by(s: ChampionsTable, seat: int) -> list[Sending]:
    """CM-6.3 Return the half-given assignment of *seat*, place by place."""
    posts = own_posts(s, seat)
    found: list[Sending] = []
    for place in range(len(s.draft)):
        column = place % COLUMNS
        warrior = column if column < TYPES else NONE
        found.append(Sending(posts[place // COLUMNS], warrior, s.draft[place]))
    return found


def _dice(roll: list[int]) -> list[Die]:
    found: list[Die] = []
    for k in range(CLASSES):
        for _ in range(roll[k]):
            found.append(die_of(k))
    return found
