"""CM-16 What a seat or a spectator may know, and a random table that agrees with it.

Views are built field by field: what is not named here stays hidden. Decks are told as what
is still in them, sorted: that is known from what has been turned up.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.components import Box
from taflhall_engine.champions.destinies import Dealer, DestinyVisit, seen_by, visits_of
from taflhall_engine.champions.names import (
    CLASSES,
    COINS,
    DRAUGR,
    FACE_KINDS,
    FOOD,
    KRAKEN,
    MONSTER,
    NONE,
    POSTS,
    RUNES,
    SHORES,
    TROLL,
    TYPES,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import enemy_at
from taflhall_engine.champions.rules.ending import PARTS
from taflhall_engine.champions.setup import bare_table
from taflhall_engine.champions.table import Clan, Midgard
from taflhall_engine.kernel.agenda import Decision, Step
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import Value


@final
class WarriorCounts(Value):
    """Warriors by type."""

    def __init__(self, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen


@final
class ColorCounts(Value):
    """CM-8.12 Defeated enemies by colour."""

    def __init__(self, yellow: int, red: int, blue: int) -> None:
        self.yellow: Final = yellow
        self.red: Final = red
        self.blue: Final = blue


@final
class SeatView(Value):
    """CM-16.3 What everybody may know of a seat."""

    def __init__(
        self,
        leader: int,
        workers: int,
        hut_bought: bool,
        hunters: int,
        beggars: int,
        food: int,
        wood: int,
        coins: int,
        favour: int,
        favour_spent: int,
        blame: int,
        glory: int,
        owned: WarriorCounts,
        runes: list[int],
        runes_used: list[int],
        destiny_count: int,
        destinies_shown: list[int],
        ship: int,
        trolls: int,
        draugr: ColorCounts,
        monsters: ColorCounts,
        shores_seen: list[int],
    ) -> None:
        self.leader: Final = leader
        self.workers: Final = workers
        self.hut_bought: Final = hut_bought
        self.hunters: Final = hunters
        self.beggars: Final = beggars
        self.food: Final = food
        self.wood: Final = wood
        self.coins: Final = coins
        self.favour: Final = favour
        self.favour_spent: Final = favour_spent
        self.blame: Final = blame
        self.glory: Final = glory
        self.owned: Final = owned
        self.runes: Final = runes
        self.runes_used: Final = runes_used
        self.destiny_count: Final = destiny_count
        self.destinies_shown: Final = destinies_shown
        self.ship: Final = ship
        self.trolls: Final = trolls
        self.draugr: Final = draugr
        self.monsters: Final = monsters
        self.shores_seen: Final = shores_seen


@final
class PostView(Value):
    """CM-6.2 A place to fight: whose it is, which longship lies there, who is committed."""

    def __init__(self, seat: int, location: int, crew: WarriorCounts, food: int) -> None:
        self.seat: Final = seat
        self.location: Final = location
        self.crew: Final = crew
        self.food: Final = food


@final
class JourneySpace(Value):
    """CM-9.1 The journey space of a shore: a card face down, a card face up, or nothing.

    *shuffle* tells since which shuffle of the discard pile a face-down card comes.
    """

    def __init__(self, face_down: bool, journey: int, shuffle: int) -> None:
        self.face_down: Final = face_down
        self.journey: Final = journey
        self.shuffle: Final = shuffle


@final
class JourneyPool(Value):
    """CM-15.5 The cards of one shuffle that nobody has revealed yet, face down or in the deck."""

    def __init__(self, shuffle: int, journeys: list[int]) -> None:
        self.shuffle: Final = shuffle
        self.journeys: Final = journeys


@final
class Die(Value):
    """CM-16.5 A die of the present roll."""

    def __init__(self, warrior: int, face: int) -> None:
        self.warrior: Final = warrior
        self.face: Final = face


@final
class Score(Value):
    """CM-12 The final score of a seat, part by part."""

    def __init__(
        self,
        glory: int,
        destinies_score: int,
        sets: int,
        runes_score: int,
        longship: int,
        favour: int,
        coins: int,
        blame: int,
        total: int,
        enemies: int,
    ) -> None:
        self.glory: Final = glory
        self.destinies_score: Final = destinies_score
        self.sets: Final = sets
        self.runes_score: Final = runes_score
        self.longship: Final = longship
        self.favour: Final = favour
        self.coins: Final = coins
        self.blame: Final = blame
        self.total: Final = total
        self.enemies: Final = enemies

    def parts(self) -> list[int]:
        return [
            self.glory,
            self.destinies_score,
            self.sets,
            self.runes_score,
            self.longship,
            self.favour,
            self.coins,
            self.blame,
            self.total,
            self.enemies,
        ]


@final
class PublicView(Value):
    """CM-16.3 What everybody may know. Cards are their numbers among their kind."""

    def __init__(
        self,
        near_shores: int,
        leftmost_shore: int,
        hunting_workers: int,
        destiny_ties: int,
        round: int,
        marker: int,
        seats: list[SeatView],
        supply: WarriorCounts,
        stock: WarriorCounts,
        smoked_food: int,
        stalls: list[int],
        ships: list[int],
        huts_sold: int,
        merchant: int,
        merchant_pool: list[int],
        rune_row: list[int],
        rune_pool: list[int],
        troll: int,
        troll_pool: list[int],
        draugr: list[int],
        draugr_pool: list[int],
        monsters: list[int],
        bounties: list[int],
        monster_pool: list[int],
        discarded_trolls: list[int],
        discarded_draugr: list[int],
        journey_spaces: list[JourneySpace],
        journey_pools: list[JourneyPool],
        journey_shuffles: int,
        journey_deck_size: int,
        journey_discard: list[int],
        destiny_deck_size: int,
        destiny_visits: list[DestinyVisit],
        destinies_drawn: int,
        workers_at: list[int],
        posts: list[PostView],
        post: int,
        kind: int,
        damage: int,
        dice: list[Die],
        reaction: bool,
        offer: WarriorCounts,
        scores: list[Score],
        agenda: list[Step[Any]],
    ) -> None:
        self.near_shores: Final = near_shores
        self.leftmost_shore: Final = leftmost_shore
        self.hunting_workers: Final = hunting_workers
        self.destiny_ties: Final = destiny_ties
        self.round: Final = round
        self.marker: Final = marker
        self.seats: Final = seats
        self.supply: Final = supply
        self.stock: Final = stock
        self.smoked_food: Final = smoked_food
        self.stalls: Final = stalls
        self.ships: Final = ships
        self.huts_sold: Final = huts_sold
        self.merchant: Final = merchant
        self.merchant_pool: Final = merchant_pool
        self.rune_row: Final = rune_row
        self.rune_pool: Final = rune_pool
        self.troll: Final = troll
        self.troll_pool: Final = troll_pool
        self.draugr: Final = draugr
        self.draugr_pool: Final = draugr_pool
        self.monsters: Final = monsters
        self.bounties: Final = bounties
        self.monster_pool: Final = monster_pool
        self.discarded_trolls: Final = discarded_trolls
        self.discarded_draugr: Final = discarded_draugr
        self.journey_spaces: Final = journey_spaces
        self.journey_pools: Final = journey_pools
        self.journey_shuffles: Final = journey_shuffles
        self.journey_deck_size: Final = journey_deck_size
        self.journey_discard: Final = journey_discard
        self.destiny_deck_size: Final = destiny_deck_size
        self.destiny_visits: Final = destiny_visits
        self.destinies_drawn: Final = destinies_drawn
        self.workers_at: Final = workers_at
        self.posts: Final = posts
        self.post: Final = post
        self.kind: Final = kind
        self.damage: Final = damage
        self.dice: Final = dice
        self.reaction: Final = reaction
        self.offer: Final = offer
        self.scores: Final = scores
        self.agenda: Final = agenda


@final
class PrivateView(Value):
    """CM-16.1 What only one seat may know; all lists are empty for a spectator.

    *destinies* is its hand in the order in which the cards came, *seen_destinies* what it drew
    at the Sage's Hut, those put back included, *drawn_destinies* what it is to choose from now,
    *known* the face-down journey of each shore (none, -1, if it has not seen it). *draft* is a
    half-given answer (CM-17.6): of an exchange, 1 and the change of food; of an assignment, the
    numbers group by group; of a reroll, each die as type times 4 plus face.
    """

    def __init__(
        self,
        destinies: list[int],
        seen_destinies: list[int],
        drawn_destinies: list[int],
        known: list[int],
        draft: list[int],
    ) -> None:
        self.destinies: Final = destinies
        self.seen_destinies: Final = seen_destinies
        self.drawn_destinies: Final = drawn_destinies
        self.known: Final = known
        self.draft: Final = draft


# ---------------------------------------------------------------- seeing


def public(s: Midgard) -> PublicView:
    """Return what everybody may know."""
    box = s.box
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
        _cards(box, TROLL, [s.troll])[0],
        sorted(_cards(box, TROLL, s.troll_deck)),
        _cards(box, DRAUGR, s.draugr),
        sorted(_cards(box, DRAUGR, s.draugr_deck)),
        _cards(box, MONSTER, s.monsters),
        s.bounties[:],
        sorted(_cards(box, MONSTER, s.monster_deck)),
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
        NONE if s.enemy == NONE else box.kind[s.enemy],
        s.damage,
        _dice(s.roll),
        s.reaction,
        _warriors(s.offer, 0),
        [Score(*s.scores[i : i + PARTS]) for i in range(0, len(s.scores), PARTS)],
        s.agenda[:],
    )


def private(s: Midgard, seat: int) -> PrivateView:
    """Return what only *seat* may know."""
    if not 0 <= seat < len(s.clans):
        return PrivateView([], [], [], [], [])
    clan = s.clans[seat]
    decides = deciding(s) == seat
    return PrivateView(
        clan.destinies[:],
        seen_by(s.destiny_log, seat),
        s.drawn[:] if decides else [],
        [s.journeys[k] if clan.knows >> k & 1 else NONE for k in range(SHORES)],
        s.draft[:] if decides else [],
    )


def deciding(s: Midgard) -> int:
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
        _set(clan.shown, 12),
        clan.ship,
        clan.trolls,
        ColorCounts(clan.draugr[0], clan.draugr[1], clan.draugr[2]),
        ColorCounts(clan.monsters[0], clan.monsters[1], clan.monsters[2]),
        [shore + 1 for shore in _set(clan.knows, SHORES)],
    )


def _set(mask: int, size: int) -> list[int]:
    return [i for i in range(size) if mask >> i & 1]


def _mask(numbers: list[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _cards(box: Box, kind: int, enemies: list[int]) -> list[int]:
    first = box.first[kind]
    return [NONE if enemy == NONE else enemy - first for enemy in enemies]


def _enemies(box: Box, kind: int, cards: list[int]) -> list[int]:
    first = box.first[kind]
    return [NONE if card == NONE else card + first for card in cards]


def _discarded(s: Midgard, kind: int) -> list[int]:
    return _cards(s.box, kind, [e for e in s.enemy_discard if s.box.kind[e] == kind])


def _journey_space(s: Midgard, shore: int) -> JourneySpace:
    journey = s.journeys[shore]
    if journey == NONE:
        return JourneySpace(False, NONE, 0)
    if s.revealed >> shore & 1:
        return JourneySpace(False, journey, 0)
    return JourneySpace(True, NONE, s.dealt_in[shore])


def _journey_pools(s: Midgard) -> list[JourneyPool]:
    pools: list[list[int]] = [[] for _ in range(s.shuffles + 1)]
    pools[s.shuffles].extend(s.journey_deck)
    for shore in range(SHORES):
        if s.journeys[shore] != NONE and not s.revealed >> shore & 1:
            pools[s.dealt_in[shore]].append(s.journeys[shore])
    return [JourneyPool(k, sorted(pools[k])) for k in range(len(pools)) if pools[k]]


def _post(s: Midgard, post: int) -> PostView:
    return PostView(
        s.post_seat[post], s.post_ship[post], _warriors(s.crew, post * TYPES), s.rations[post]
    )


def _dice(roll: list[int]) -> list[Die]:
    found: list[Die] = []
    for k in range(CLASSES):
        for _ in range(roll[k]):
            found.append(Die(k // FACE_KINDS, k % FACE_KINDS))
    return found


# ---------------------------------------------------------------- imagining


def imagine(box: Box, view: View, chance: Chance) -> Midgard:
    """Return a random table that *view* could be of."""
    p = view.public
    own = view.private
    assert isinstance(p, PublicView)
    assert isinstance(own, PrivateView)
    s = bare_table(box, chance, len(p.seats))
    s.near_shores = p.near_shores
    s.leftmost_shore = p.leftmost_shore
    s.hunting_workers = p.hunting_workers
    s.destiny_ties = p.destiny_ties
    s.round = p.round
    s.marker = p.marker
    s.clans = [_clan(seat) for seat in p.seats]
    s.supply = _counts(p.supply)
    s.stock = [*_counts(p.stock), p.smoked_food]
    s.stalls = p.stalls[:]
    s.ships = p.ships[:]
    s.huts_sold = p.huts_sold
    s.merchant = p.merchant
    s.rune_row = p.rune_row[:]
    s.bounties = p.bounties[:]
    s.journey_discard = p.journey_discard[:]
    s.workers = p.workers_at[:]
    _imagine_decks(s, p, chance)
    _imagine_journeys(s, p, own, chance)
    _imagine_destinies(s, p, view.seat, own, chance)
    _imagine_fight(s, p)
    s.draft = own.draft[:]
    s.scores = []
    for score in p.scores:
        s.scores.extend(score.parts())
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


def _imagine_decks(s: Midgard, p: PublicView, chance: Chance) -> None:
    box = s.box
    s.merchant_deck = _shuffled(p.merchant_pool[:], chance)
    s.rune_deck = _shuffled(p.rune_pool[:], chance)
    s.troll = _enemies(box, TROLL, [p.troll])[0]
    s.troll_deck = _shuffled(_enemies(box, TROLL, p.troll_pool), chance)
    s.draugr = _enemies(box, DRAUGR, p.draugr)
    s.draugr_deck = _shuffled(_enemies(box, DRAUGR, p.draugr_pool), chance)
    s.monsters = _enemies(box, MONSTER, p.monsters)
    s.monster_deck = _shuffled(_enemies(box, MONSTER, p.monster_pool), chance)
    s.enemy_discard = _enemies(box, TROLL, p.discarded_trolls)
    s.enemy_discard += _enemies(box, DRAUGR, p.discarded_draugr)


def _imagine_journeys(s: Midgard, p: PublicView, own: PrivateView, chance: Chance) -> None:
    """Deal the cards of each shuffle to the face-down spaces it was dealt to, and the deck."""
    pools: list[list[int]] = []
    for pool in p.journey_pools:
        while len(pools) <= pool.shuffle:
            pools.append([])
        pools[pool.shuffle] = _shuffled(pool.journeys[:], chance)
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
    for shore in unknown:
        s.journeys[shore] = pools[s.dealt_in[shore]].pop()
    s.shuffles = p.journey_shuffles
    s.journey_deck = pools[s.shuffles] if s.shuffles < len(pools) else []


def _imagine_destinies(
    s: Midgard, p: PublicView, seat: int, own: PrivateView, chance: Chance
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


def _imagine_fight(s: Midgard, p: PublicView) -> None:
    for post in range(POSTS):
        there = p.posts[post]
        s.post_seat[post] = there.seat
        s.post_ship[post] = there.location
        s.crew[post * TYPES : post * TYPES + TYPES] = _counts(there.crew)
        s.rations[post] = there.food
    s.post = p.post
    if p.kind == KRAKEN:
        s.enemy = s.box.kraken
    elif p.kind != NONE:
        s.enemy = enemy_at(s, p.post)
    s.damage = p.damage
    for die in p.dice:
        s.roll[die.warrior * FACE_KINDS + die.face] += 1
    s.reaction = p.reaction
    s.offer = _counts(p.offer)
