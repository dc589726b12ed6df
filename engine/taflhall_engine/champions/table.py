"""The table of a match of Champions of Midgard."""

from __future__ import annotations

from typing import Any, final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import SHORE_0, TYPES
from taflhall_engine.champions.view import Score
from taflhall_engine.kernel.agenda import Command, Event, Step, Table
from taflhall_engine.kernel.chance import Chance


@final
class Clan:
    """A seat's possessions: its leader, goods, warriors, cards and workers.

    As on the table, what :meth:`copy` does not copy is shared.
    """

    def __init__(
        self,
        leader: int,
        workers: int,
        hut: bool,
        hunters: int,
        beggars: int,
        goods: list[int],
        favour: int,
        favour_spent: int,
        blame: int,
        glory: int,
        warriors: list[int],
        runes: int,
        runes_used: int,
        destinies: list[int],
        shown: int,
        ship: int,
        trolls: int,
        draugr: list[int],
        monsters: list[int],
        knows: int,
    ) -> None:
        self.leader = leader
        self.workers = workers
        """Workers in hand; *hut*: the further one has been bought (CM-5.16)."""
        self.hut = hut
        self.hunters = hunters
        """Workers on the Hunting Grounds; *beggars*: on the own leader board."""
        self.beggars = beggars
        self.goods = goods
        """Food, wood, coins."""
        self.favour = favour
        self.favour_spent = favour_spent
        self.blame = blame
        self.glory = glory
        self.warriors = warriors
        """By type, committed ones included (CM-6.5)."""
        self.runes = runes
        """Unused runes as bits; *runes_used*: the used ones."""
        self.runes_used = runes_used
        self.destinies = destinies
        """In the order in which they came; secret but for the bits of *shown*."""
        self.shown = shown
        self.ship = ship
        """CM-5.11 The private longship, or none (-1)."""
        self.trolls = trolls
        self.draugr = draugr
        """Defeated draugr by colour; *monsters* likewise."""
        self.monsters = monsters
        self.knows = knows
        """CM-16.1 The shores whose face-down journey it has seen, as bits."""

    def holds(self, rune: int) -> bool:
        """CM-14.1 Return whether the clan holds this rune unused."""
        return self.runes >> rune & 1 == 1

    def copy(self) -> Clan:
        return Clan(
            self.leader,
            self.workers,
            self.hut,
            self.hunters,
            self.beggars,
            self.goods[:],
            self.favour,
            self.favour_spent,
            self.blame,
            self.glory,
            self.warriors[:],
            self.runes,
            self.runes_used,
            self.destinies,
            self.shown,
            self.ship,
            self.trolls,
            self.draugr,
            self.monsters,
            self.knows,
        )


@final
class ChampionsTable(Table):
    """A match of Champions of Midgard. Decks are listed with the top card first.

    The lists that :meth:`copy` does not copy are shared: no rule changes one in place.
    """

    def __init__(
        self,
        components: Components,
        chance: Chance,
        near_shores: int,
        leftmost_shore: int,
        hunting_workers: int,
        destiny_ties: int,
        round: int,
        marker: int,
        clans: list[Clan],
        supply: list[int],
        stock: list[int],
        stalls: list[int],
        ships: list[int],
        huts_sold: int,
        merchant: int,
        merchant_deck: list[int],
        rune_row: list[int],
        rune_deck: list[int],
        destiny_deck: list[int],
        destiny_log: list[int],
        troll: int,
        troll_deck: list[int],
        draugr: list[int],
        draugr_deck: list[int],
        monsters: list[int],
        bounties: list[int],
        monster_deck: list[int],
        enemy_discard: list[int],
        journeys: list[int],
        revealed: int,
        shuffles: int,
        dealt_in: list[int],
        journey_deck: list[int],
        journey_discard: list[int],
        workers: list[int],
        post_seat: list[int],
        post_ship: list[int],
        crew: list[int],
        rations: list[int],
        post: int,
        enemy: int,
        damage: int,
        roll: list[int],
        reaction: bool,
        offer: list[int],
        drawn: list[int],
        draft: list[int],
        scores: list[Score],
        agenda: list[Step[Any]],
    ) -> None:
        self.components = components
        self.chance = chance
        self.near_shores = near_shores
        self.leftmost_shore = leftmost_shore
        self.hunting_workers = hunting_workers
        self.destiny_ties = destiny_ties
        self.round = round
        self.marker = marker
        """CM-4.4 The seat that holds the start-player marker."""
        self.clans = clans
        """By seat."""
        self.supply = supply
        """Warrior dice by type."""
        self.stock = stock
        """Dice on the three smiths by type, then food on the Smokehouse."""
        self.stalls = stalls
        """The stall tiles that lie on stall spaces 1 .. (CM-3.3)."""
        self.ships = ships
        """CM-3.4 The private longships on offer."""
        self.huts_sold = huts_sold
        self.merchant = merchant
        self.merchant_deck = merchant_deck
        self.rune_row = rune_row
        self.rune_deck = rune_deck
        self.destiny_deck = destiny_deck
        self.destiny_log = destiny_log
        """The log of the destiny cards since the deal; see :mod:`destinies`."""
        self.troll = troll
        self.troll_deck = troll_deck
        self.draugr = draugr
        self.draugr_deck = draugr_deck
        self.monsters = monsters
        """By shore, 0 being shore 1; none (-1) if there is no monster."""
        self.bounties = bounties
        """CM-11.5 Coins on the monsters."""
        self.monster_deck = monster_deck
        self.enemy_discard = enemy_discard
        self.journeys = journeys
        """The journey card of each shore; *revealed*: which lie face up, as bits."""
        self.revealed = revealed
        self.shuffles = shuffles
        """CM-15.5 How often the discard pile became the deck; *dealt_in*: when each shore's
        card was dealt, by that count."""
        self.dealt_in = dealt_in
        self.journey_deck = journey_deck
        self.journey_discard = journey_discard
        self.workers = workers
        """By location: the seat whose worker stands there. Hunters, beggars and crews of
        private longships are counted elsewhere."""
        self.post_seat = post_seat
        """By post (troll, two draugr, four harbours): who fights there."""
        self.post_ship = post_ship
        """By post: the location of the longship in that harbour."""
        self.crew = crew
        """CM-6 Committed warriors: post times type."""
        self.rations = rations
        """CM-6.5 Loaded food by post."""
        self.post = post
        """The place of the current fight or voyage; none (-1) in a hunt."""
        self.enemy = enemy
        self.damage = damage
        self.roll = roll
        """Dice of the present roll: how many of each type times face."""
        self.reaction = reaction
        """CM-14.9 Reaction works in this roll."""
        self.offer = offer
        """CM-5.20 Dice that lie apart until ``keep_warriors`` is answered."""
        self.drawn = drawn
        """CM-5.10 Destinies drawn and not yet kept: secret to their seat."""
        self.draft = draft
        """CM-17.6 The half-given answer of the seat that decides: secret to it."""
        self.scores = scores
        """CM-12 The parts of the final score, seat by seat; empty before the end."""
        self.agenda = agenda
        self.journal: list[Event] | None = None
        self.legal: list[Command[Any]] | None = None

    def copy(self) -> ChampionsTable:
        return ChampionsTable(
            self.components,
            self.chance.copy(),
            self.near_shores,
            self.leftmost_shore,
            self.hunting_workers,
            self.destiny_ties,
            self.round,
            self.marker,
            [clan.copy() for clan in self.clans],
            self.supply[:],
            self.stock[:],
            self.stalls,
            self.ships,
            self.huts_sold,
            self.merchant,
            self.merchant_deck,
            self.rune_row,
            self.rune_deck,
            self.destiny_deck,
            self.destiny_log,
            self.troll,
            self.troll_deck,
            self.draugr[:],
            self.draugr_deck,
            self.monsters,
            self.bounties[:],
            self.monster_deck,
            self.enemy_discard,
            self.journeys[:],
            self.revealed,
            self.shuffles,
            self.dealt_in[:],
            self.journey_deck,
            self.journey_discard,
            self.workers[:],
            self.post_seat[:],
            self.post_ship[:],
            self.crew[:],
            self.rations[:],
            self.post,
            self.enemy,
            self.damage,
            self.roll,
            self.reaction,
            self.offer,
            self.drawn,
            self.draft[:],
            self.scores,
            self.agenda[:],
        ).with_options(self.legal)

    def with_options(self, legal: list[Command[Any]] | None) -> ChampionsTable:
        self.legal = legal
        return self


def in_play(s: ChampionsTable, shore: int) -> bool:
    """CM-9.1 Return whether *shore* (1 to 4) is in play."""
    if shore > 1:
        return True
    seats = len(s.clans)
    return any(count == seats for count in s.components.leftmost[s.leftmost_shore])


def near(s: ChampionsTable, shore: int) -> bool:
    """CM-9.1 Return whether *shore* (1 to 4) is near."""
    return shore in s.components.near[s.near_shores]


def crew_size(s: ChampionsTable, post: int) -> int:
    """Return how many warriors are committed at *post*."""
    i = post * TYPES
    crew = s.crew
    return crew[i] + crew[i + 1] + crew[i + 2]


def warriors_owned(clan: Clan) -> int:
    warriors = clan.warriors
    return warriors[0] + warriors[1] + warriors[2]


def turn_order(s: ChampionsTable) -> list[int]:
    """CM-4.4 Return the seats, the holder of the marker first, then clockwise."""
    n = len(s.clans)
    return [(s.marker + i) % n for i in range(n)]


def shore_of(post: int) -> int:
    """Return the number (1 to 4) of the shore that *post* is."""
    return post - SHORE_0
