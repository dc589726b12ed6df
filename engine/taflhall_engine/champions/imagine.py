"""CM-16 A random table that a view could be of.

It agrees with everything that the viewer has seen; the rest (decks, face-down journeys, the
destinies of others) is dealt at random from the remaining cards.
"""

from __future__ import annotations

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.destinies import Dealer
from taflhall_engine.champions.ids import (
    DRAUGR,
    FACE_KINDS,
    KRAKEN,
    MONSTER,
    NONE,
    POSTS,
    SHORES,
    TROLL,
    TYPES,
)
from taflhall_engine.champions.rules.assignment import enemy_at
from taflhall_engine.champions.setup import bare_table
from taflhall_engine.champions.table import ChampionsTable, Clan
from taflhall_engine.champions.view import PrivateView, PublicView, SeatView, WarriorCounts
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import View


def imagine(components: Components, view: View, chance: Chance) -> ChampionsTable:
    """Return a random table that *view* could be of."""
    p = view.public
    own = view.private
    assert isinstance(p, PublicView)
    assert isinstance(own, PrivateView)
    s = bare_table(components, chance, [_clan(seat) for seat in p.seats])
    s.near_shores = p.near_shores
    s.leftmost_shore = p.leftmost_shore
    s.hunting_workers = p.hunting_workers
    s.destiny_ties = p.destiny_ties
    s.round = p.round
    s.marker = p.marker
    s.supply = _counts(p.supply)
    s.stock = [*_counts(p.stock), p.smoked_food]
    s.stalls = p.stalls
    s.ships = p.ships
    s.huts_sold = p.huts_sold
    s.merchant = p.merchant
    s.rune_row = p.rune_row
    s.bounties = p.bounties[:]
    s.journey_discard = p.journey_discard
    s.workers = p.workers_at[:]
    _imagine_decks(s, p, chance)
    _imagine_journeys(s, p, own, chance)
    _imagine_destinies(s, p, view.seat, own, chance)
    _imagine_fight(s, p)
    s.draft = [
        *own.exchanged,
        *[sending.count for sending in own.sent],
        *[die.warrior * FACE_KINDS + die.face for die in own.picked],
    ]
    s.scores = p.scores
    s.agenda = p.agenda[:]
    return s


def _clan(seat: SeatView) -> Clan:
    return Clan(
        seat.leader,
        seat.workers,
        seat.hut_bought,
        seat.hunters,
        seat.beggars,
        [seat.food, seat.wood, seat.coins],
        seat.favour,
        seat.favour_spent,
        seat.blame,
        seat.glory,
        _counts(seat.owned),
        _mask(seat.runes),
        _mask(seat.runes_used),
        [],
        _mask(seat.destinies_shown),
        seat.ship,
        seat.trolls,
        [seat.draugr.yellow, seat.draugr.red, seat.draugr.blue],
        [seat.monsters.yellow, seat.monsters.red, seat.monsters.blue],
        _mask([shore - 1 for shore in seat.shores_seen]),
    )


def _counts(warriors: WarriorCounts) -> list[int]:
    return [warriors.swordsmen, warriors.spearmen, warriors.axemen]


def _shuffled(cards: list[int], chance: Chance) -> list[int]:
    chance.shuffle(cards)
    return cards


def _imagine_decks(s: ChampionsTable, p: PublicView, chance: Chance) -> None:
    components = s.components
    s.merchant_deck = _shuffled(p.merchant_pool[:], chance)
    s.rune_deck = _shuffled(p.rune_pool[:], chance)
    s.troll = NONE if p.troll == NONE else p.troll + components.first[TROLL]
    s.troll_deck = _shuffled(_enemies(components, TROLL, p.troll_pool), chance)
    s.draugr = _enemies(components, DRAUGR, p.draugr)
    s.draugr_deck = _shuffled(_enemies(components, DRAUGR, p.draugr_pool), chance)
    s.monsters = _enemies(components, MONSTER, p.monsters)
    s.monster_deck = _shuffled(_enemies(components, MONSTER, p.monster_pool), chance)
    s.enemy_discard = _enemies(components, TROLL, p.discarded_trolls)
    s.enemy_discard += _enemies(components, DRAUGR, p.discarded_draugr)


def _imagine_journeys(s: ChampionsTable, p: PublicView, own: PrivateView, chance: Chance) -> None:
    """Deal the cards of each shuffle to the face-down spaces it was dealt to, and the deck."""
    pools: list[list[int]] = []
    for pool in p.journey_pools:
        while len(pools) <= pool.shuffle:
            pools.append([])
        pools[pool.shuffle] = pool.journeys[:]
    unknown: list[int] = []
    for shore in range(SHORES):
        space = p.journey_spaces[shore]
        s.journeys[shore] = space.journey
        if space.face_down:
            s.dealt_in[shore] = space.shuffle
            if own.known and own.known[shore] != NONE:
                s.journeys[shore] = own.known[shore]
                pools[space.shuffle].remove(own.known[shore])
            else:
                unknown.append(shore)
        elif space.journey != NONE:
            s.revealed |= 1 << shore
    for left in pools:
        chance.shuffle(left)
    for shore in unknown:
        s.journeys[shore] = pools[s.dealt_in[shore]].pop()
    s.shuffles = p.journey_shuffles
    s.journey_deck = pools[s.shuffles] if s.shuffles < len(pools) else []


def _imagine_destinies(
    s: ChampionsTable, p: PublicView, seat: int, own: PrivateView, chance: Chance
) -> None:
    dealer = Dealer(
        p.destiny_visits,
        p.destinies_drawn > 0,
        [clan.destinies_shown for clan in p.seats],
        seat,
        own.destinies,
        own.seen_destinies,
        chance,
    )
    deal = dealer.deal([clan.destiny_count for clan in p.seats], p.destiny_deck_size)
    for other in range(len(s.clans)):
        s.clans[other].destinies = deal.hands[other]
    s.destiny_deck = deal.deck
    s.destiny_log = deal.log
    s.drawn = deal.drawn


def _imagine_fight(s: ChampionsTable, p: PublicView) -> None:
    for post in range(POSTS):
        there = p.posts[post]
        s.post_seat[post] = there.seat
        s.post_ship[post] = there.location
        s.crew[post * TYPES] = there.crew.swordsmen
        s.crew[post * TYPES + 1] = there.crew.spearmen
        s.crew[post * TYPES + 2] = there.crew.axemen
        s.rations[post] = there.food
    s.post = p.post
    if p.kind == KRAKEN:
        s.enemy = s.components.kraken
    elif p.kind != NONE:
        s.enemy = enemy_at(s, p.post)
    s.damage = p.damage
    for die in p.dice:
        s.roll[die.warrior * FACE_KINDS + die.face] += 1
    s.reaction = p.reaction
    s.offer = _counts(p.offer)


def _mask(numbers: list[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _enemies(components: Components, kind: int, cards: list[int]) -> list[int]:
    first = components.first[kind]
    if not first:
        return cards[:]
    return [NONE if card == NONE else card + first for card in cards]
