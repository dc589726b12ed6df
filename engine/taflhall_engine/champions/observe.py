"""CM-16 The views of seats and spectators.

Views are built field by field. Decks are shown as their remaining cards, sorted: these follow
from the revealed cards.
"""

from __future__ import annotations

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.destinies import seen_by, visits_of
from taflhall_engine.champions.ids import (
    CLASSES,
    COINS,
    DESTINIES,
    DRAUGR,
    FACE_KINDS,
    FOOD,
    MONSTER,
    NONE,
    POSTS,
    RUNES,
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
        s.stalls[:],
        s.ships[:],
        s.huts_sold,
        s.merchant,
        sorted(s.merchant_deck),
        s.rune_row[:],
        sorted(s.rune_deck),
        _cards(components, TROLL, [s.troll])[0],
        sorted(_cards(components, TROLL, s.troll_deck)),
        _cards(components, DRAUGR, s.draugr),
        sorted(_cards(components, DRAUGR, s.draugr_deck)),
        _cards(components, MONSTER, s.monsters),
        s.bounties[:],
        sorted(_cards(components, MONSTER, s.monster_deck)),
        _discarded(s, TROLL),
        _discarded(s, DRAUGR),
        [_journey_space(s, shore) for shore in range(SHORES)],
        _journey_pools(s),
        s.shuffles,
        len(s.journey_deck),
        s.journey_discard[:],
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
        s.scores[:],
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
        clan.destinies[:],
        seen_by(s.destiny_log, seat),
        s.drawn[:] if decides else [],
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


def _warriors(counts: list[int], first: int) -> WarriorCounts:
    return WarriorCounts(counts[first], counts[first + 1], counts[first + 2])


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
        _set(clan.runes, len(RUNES)),
        _set(clan.runes_used, len(RUNES)),
        len(clan.destinies),
        _set(clan.shown, len(DESTINIES)),
        clan.ship,
        clan.trolls,
        ColorCounts(clan.draugr[0], clan.draugr[1], clan.draugr[2]),
        ColorCounts(clan.monsters[0], clan.monsters[1], clan.monsters[2]),
        [shore + 1 for shore in _set(clan.knows, SHORES)],
    )


def _set(mask: int, size: int) -> list[int]:
    return [i for i in range(size) if mask >> i & 1]


def _cards(components: Components, kind: int, enemies: list[int]) -> list[int]:
    first = components.first[kind]
    return [NONE if enemy == NONE else enemy - first for enemy in enemies]


def _discarded(s: ChampionsTable, kind: int) -> list[int]:
    return _cards(s.components, kind, [e for e in s.enemy_discard if s.components.kind[e] == kind])


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
    return [JourneyPool(k, sorted(pools[k])) for k in range(len(pools)) if pools[k]]


def _post(s: ChampionsTable, post: int) -> PostView:
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
