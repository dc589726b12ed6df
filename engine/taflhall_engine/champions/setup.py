"""CM-1.6 and CM-3 Laying out a match."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import (
    DESTINIES,
    DESTINY_TIES,
    DRAUGR,
    HUNTING_WORKERS,
    LEFTMOST_SHORE,
    LOCATION_COUNT,
    MAX_SEATS,
    MIN_SEATS,
    MONSTER,
    NEAR_SHORES,
    NONE,
    POSTS,
    RUNES,
    SHORES,
    TROLL,
    TYPES,
)
from taflhall_engine.champions.rules.rounds import Round
from taflhall_engine.champions.rules.setup import ChooseLeader, DealDestinies, StartingKit
from taflhall_engine.champions.table import ChampionsTable, Clan
from taflhall_engine.kernel.agenda import Step, schedule
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Fault
from taflhall_engine.kernel.value import Value


@final
class Setup(Value):
    """CM-1.6 How many play, who starts (none: drawn), and which reading of the text applies."""

    def __init__(
        self,
        seats: int = 4,
        start_seat: int | None = None,
        near_shores: int = 0,
        leftmost_shore: int = 0,
        hunting_workers: int = 0,
        destiny_ties: int = 0,
    ) -> None:
        self.seats: Final = seats
        self.start_seat: Final = start_seat
        self.near_shores: Final = near_shores
        self.leftmost_shore: Final = leftmost_shore
        self.hunting_workers: Final = hunting_workers
        self.destiny_ties: Final = destiny_ties


WRONG_SEATS: Final = Fault("seats", "out_of_range")
WRONG_START: Final = Fault("start_seat", "not_at_the_table")


def faults_of(setup: Setup) -> list[Fault]:
    """CM-3.1 Return everything that is wrong with *setup*."""
    faults: list[Fault] = []
    if not MIN_SEATS <= setup.seats <= MAX_SEATS:
        faults.append(WRONG_SEATS)
    if setup.start_seat is not None and not 0 <= setup.start_seat < setup.seats:
        faults.append(WRONG_START)
    _check_option(faults, "near_shores", setup.near_shores, NEAR_SHORES)
    _check_option(faults, "leftmost_shore", setup.leftmost_shore, LEFTMOST_SHORE)
    _check_option(faults, "hunting_workers", setup.hunting_workers, HUNTING_WORKERS)
    _check_option(faults, "destiny_ties", setup.destiny_ties, DESTINY_TIES)
    return faults


def _check_option(faults: list[Fault], name: str, value: int, words: list[str]) -> None:
    if not 0 <= value < len(words):
        faults.append(Fault(name, "unknown", "", ", ".join(words)))


def new_clan() -> Clan:
    """Return a clan that owns nothing yet and has no leader."""
    return Clan(
        NONE, 0, False, 0, 0, [0, 0, 0], 0, 0, 0, 0, [0, 0, 0], 0, 0, [], 0, NONE, 0, [0, 0, 0],
        [0, 0, 0], 0,
    )  # fmt: skip


def bare_table(components: Components, chance: Chance, clans: list[Clan]) -> ChampionsTable:
    """CM-3.2 Return a table in round 1 of *clans* and no card on it."""
    agenda: list[Step[Any]] = []
    return ChampionsTable(
        components,
        chance,
        0,
        0,
        0,
        0,
        1,
        0,
        clans,
        components.dice[:],
        [0] * 4,
        [],
        [],
        0,
        NONE,
        [],
        [],
        [],
        [],
        [],
        NONE,
        [],
        [NONE, NONE],
        [],
        [NONE] * SHORES,
        [0] * SHORES,
        [],
        [],
        [NONE] * SHORES,
        0,
        0,
        [0] * SHORES,
        [],
        [],
        [NONE] * LOCATION_COUNT,
        [NONE] * POSTS,
        [NONE] * POSTS,
        [0] * (POSTS * TYPES),
        [0] * POSTS,
        NONE,
        NONE,
        0,
        [0] * 12,
        False,
        [0] * TYPES,
        [],
        [],
        [],
        agenda,
    )


def lay_out(components: Components, chance: Chance, setup: Setup) -> ChampionsTable:
    """CM-3.2 to CM-3.7 Set up the table; the leaders are still to be chosen."""
    seats = setup.seats
    s = bare_table(components, chance, [new_clan() for _ in range(seats)])
    s.near_shores = setup.near_shores
    s.leftmost_shore = setup.leftmost_shore
    s.hunting_workers = setup.hunting_workers
    s.destiny_ties = setup.destiny_ties
    s.stalls = draw_tiles(components, chance, 0, components.military[seats])
    s.stalls += draw_tiles(components, chance, 1, components.economy[seats])
    s.ships = ships_for(components, seats)
    s.rune_deck = shuffled(chance, list(range(len(RUNES))))
    s.destiny_deck = shuffled(chance, list(range(len(DESTINIES))))
    s.merchant_deck = shuffled(chance, list(range(len(components.merchant_gain))))
    s.troll_deck = shuffled(chance, cards_of(components, TROLL))
    s.draugr_deck = shuffled(chance, cards_of(components, DRAUGR))
    s.journey_deck = shuffled(chance, journey_cards(components))
    s.monster_deck = shuffled(chance, cards_of(components, MONSTER))
    s.rune_row = s.rune_deck[: components.rune_row]
    del s.rune_deck[: components.rune_row]
    s.marker = chance.below(seats) if setup.start_seat is None else setup.start_seat
    steps: list[Step[Any]] = []
    for i in range(1, seats + 1):
        steps.append(ChooseLeader((s.marker - i) % seats))
    schedule(s, [*steps, StartingKit(), DealDestinies(), Round()])
    return s


def ships_for(components: Components, seats: int) -> list[int]:
    """CM-3.4 Return the private longships in play for that number of seats."""
    return [k for k in range(len(components.ship_players)) if components.ship_players[k] <= seats]


def draw_tiles(components: Components, chance: Chance, kind: int, count: int) -> list[int]:
    """CM-3.3 Draw a number of stall tiles of one kind."""
    tiles = [k for k in range(len(components.tile_kinds)) if components.tile_kinds[k] == kind]
    return shuffled(chance, tiles)[:count]


def cards_of(components: Components, kind: int) -> list[int]:
    """Return all enemies of a kind."""
    return list(range(components.first[kind], components.first[kind + 1]))


def journey_cards(components: Components) -> list[int]:
    """CM-2.5 Return the journey cards, as often as there are of each."""
    cards: list[int] = []
    for journey in range(len(components.journey_count)):
        cards.extend([journey] * components.journey_count[journey])
    return cards


def shuffled(chance: Chance, cards: list[int]) -> list[int]:
    chance.shuffle(cards)
    return cards
