"""CM-16 The values of views: the public part, and the private part of a seat.

What is not named here stays hidden. :mod:`observe` fills them in, :mod:`imagine` reads them.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.destinies import DestinyVisit
from taflhall_engine.kernel.agenda import Step
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
    """CM-16.3 The public information about a seat."""

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

    *shuffle* says since which shuffle of the discard pile a face-down card comes.
    """

    def __init__(self, face_down: bool, journey: int, shuffle: int) -> None:
        self.face_down: Final = face_down
        self.journey: Final = journey
        self.shuffle: Final = shuffle


@final
class JourneyPool(Value):
    """CM-15.5 The unrevealed cards of one shuffle, face down or in the deck."""

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


@final
class PublicView(Value):
    """CM-16.3 The public information. Cards are their numbers among their kind."""

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
class Sending(Value):
    """CM-6.3 The part of a half-given assignment for one place: warriors, or food (none, -1)."""

    def __init__(self, post: int, warrior: int, count: int) -> None:
        self.post: Final = post
        self.warrior: Final = warrior
        self.count: Final = count


@final
class PrivateView(Value):
    """CM-16.1 What only one seat may know; all lists are empty for a spectator.

    *destinies* is its hand in the order in which the cards came, *seen_destinies* what it drew
    at the Sage's Hut, those put back included, *drawn_destinies* what it is to choose from now,
    *known* the face-down journey of each shore (none, -1, if it has not seen it). The others are
    a half-given answer (CM-17.6): of an exchange, the change of food (*exchanged*); of an
    assignment, what was *sent*, place by place; of a reroll, the dice *picked*.
    """

    def __init__(
        self,
        destinies: list[int],
        seen_destinies: list[int],
        drawn_destinies: list[int],
        known: list[int],
        exchanged: list[int],
        sent: list[Sending],
        picked: list[Die],
    ) -> None:
        self.destinies: Final = destinies
        self.seen_destinies: Final = seen_destinies
        self.drawn_destinies: Final = drawn_destinies
        self.known: Final = known
        self.exchanged: Final = exchanged
        self.sent: Final = sent
        self.picked: Final = picked
