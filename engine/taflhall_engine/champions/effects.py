"""The verbs of Champions of Midgard: each changes the table and emits an event."""

from __future__ import annotations

from taflhall_engine.champions.events import (
    CargoLost,
    DestinyShown,
    DiceTakenBack,
    Gained,
    JourneyDealt,
    JourneyRevealed,
    JourneySeen,
    JourneysShuffled,
    MarkerMoved,
    Rolled,
    RuneUsed,
    WarriorsGained,
    WorkerPlaced,
)
from taflhall_engine.champions.ids import (
    AXEMAN,
    COINS,
    FACE_KINDS,
    FOOD,
    NONE,
    SPEARMAN,
    SWORDSMAN,
    TYPES,
    WOOD,
)
from taflhall_engine.champions.table import ChampionsTable, shore_of

# ---------------------------------------------------------------- goods and tokens


def gain(
    s: ChampionsTable,
    seat: int,
    rule: str,
    food: int = 0,
    wood: int = 0,
    coins: int = 0,
    favour: int = 0,
    blame: int = 0,
    glory: int = 0,
) -> None:
    """Give goods and tokens to *seat*; a negative amount is paid or put back."""
    clan = s.clans[seat]
    goods = clan.goods
    if food:
        goods[FOOD] += food
    if wood:
        goods[WOOD] += wood
    if coins:
        goods[COINS] += coins
    clan.favour += favour
    clan.blame += blame
    clan.glory += glory
    if s.journal is not None:
        s.journal.append(Gained(rule, seat, food, wood, coins, favour, blame, glory))


def place_worker(s: ChampionsTable, seat: int, location: int, rule: str, shore: int = NONE) -> None:
    """Take a worker of *seat* from its hand to *location*, if that is a space for one."""
    s.clans[seat].workers -= 1
    s.workers[location] = seat
    if s.journal is not None:
        s.journal.append(WorkerPlaced(rule, seat, location, shore))


def place_beside(s: ChampionsTable, seat: int, location: int, rule: str, shore: int = NONE) -> None:
    """Take a worker of *seat* from its hand to *location*, where several may stand."""
    s.clans[seat].workers -= 1
    if s.journal is not None:
        s.journal.append(WorkerPlaced(rule, seat, location, shore))


def move_marker(s: ChampionsTable, seat: int, rule: str) -> None:
    s.marker = seat
    if s.journal is not None:
        s.journal.append(MarkerMoved(rule, seat))


# ---------------------------------------------------------------- warriors


def enlist(
    s: ChampionsTable, seat: int, rule: str, swordsmen: int, spearmen: int, axemen: int
) -> None:
    """Give warriors that lie apart to *seat*."""
    warriors = s.clans[seat].warriors
    warriors[SWORDSMAN] += swordsmen
    warriors[SPEARMAN] += spearmen
    warriors[AXEMAN] += axemen
    if s.journal is not None:
        s.journal.append(WarriorsGained(rule, seat, swordsmen, spearmen, axemen))


def lose_crew(s: ChampionsTable, rule: str, swordsmen: int, spearmen: int, axemen: int) -> None:
    """Put warriors committed at the present post into the supply."""
    seat = s.post_seat[s.post]
    i = s.post * TYPES
    crew = s.crew
    warriors = s.clans[seat].warriors
    supply = s.supply
    crew[i] -= swordsmen
    crew[i + 1] -= spearmen
    crew[i + 2] -= axemen
    warriors[SWORDSMAN] -= swordsmen
    warriors[SPEARMAN] -= spearmen
    warriors[AXEMAN] -= axemen
    supply[SWORDSMAN] += swordsmen
    supply[SPEARMAN] += spearmen
    supply[AXEMAN] += axemen
    if s.journal is not None:
        s.journal.append(WarriorsGained(rule, seat, -swordsmen, -spearmen, -axemen))


def lose_rations(s: ChampionsTable, rule: str, food: int) -> None:
    """Put food that is on board of the present ship into the supply."""
    s.rations[s.post] -= food
    if s.journal is not None:
        s.journal.append(CargoLost(rule, s.post_seat[s.post], shore_of(s.post), food))


# ---------------------------------------------------------------- dice


def roll_dice(
    s: ChampionsTable, seat: int, rule: str, swordsmen: int, spearmen: int, axemen: int
) -> None:
    """CM-8.2 Roll these dice: a new roll."""
    s.roll = [0] * (TYPES * FACE_KINDS)
    s.reaction = False
    faces: list[int] = []
    _throw(s, SWORDSMAN, swordsmen, faces)
    _throw(s, SPEARMAN, spearmen, faces)
    _throw(s, AXEMAN, axemen, faces)
    if s.journal is not None:
        types = [SWORDSMAN] * swordsmen + [SPEARMAN] * spearmen + [AXEMAN] * axemen
        s.journal.append(Rolled(rule, seat, types, faces, []))


def reroll_dice(s: ChampionsTable, seat: int, rule: str, chosen: list[int]) -> None:
    """Reroll of the present roll as many dice of each type times face as *chosen* says."""
    s.roll = s.roll[:]
    types: list[int] = []
    faces: list[int] = []
    rerolled: list[int] = []
    for warrior in range(TYPES):
        count = 0
        for face in range(FACE_KINDS):
            k = warrior * FACE_KINDS + face
            s.roll[k] -= chosen[k]
            count += chosen[k]
            if s.journal is not None:
                rerolled.extend([face] * chosen[k])
        _throw(s, warrior, count, faces)
        if s.journal is not None:
            types.extend([warrior] * count)
    if s.journal is not None:
        s.journal.append(Rolled(rule, seat, types, faces, rerolled))


def clear_roll(s: ChampionsTable, seat: int, rule: str) -> None:
    """Take the dice of the present roll back."""
    s.roll = [0] * (TYPES * FACE_KINDS)
    s.reaction = False
    if s.journal is not None:
        s.journal.append(DiceTakenBack(rule, seat))


def _throw(s: ChampionsTable, warrior: int, count: int, faces: list[int]) -> None:
    sides = s.components.sides[warrior]
    roll = s.roll
    base = warrior * FACE_KINDS
    for _ in range(count):
        face = sides[s.chance.below(len(sides))]
        roll[base + face] += 1
        faces.append(face)


# ---------------------------------------------------------------- cards


def use_rune(s: ChampionsTable, seat: int, rune: int, rule: str) -> None:
    """CM-14.1 Turn a rune card; it stays with its owner."""
    clan = s.clans[seat]
    clan.runes &= ~(1 << rune)
    clan.runes_used |= 1 << rune
    if s.journal is not None:
        s.journal.append(RuneUsed(rule, seat, rune))


def show_destiny(s: ChampionsTable, seat: int, destiny: int, rule: str) -> None:
    s.clans[seat].shown |= 1 << destiny
    s.destiny_log = [*s.destiny_log, seat, 0, destiny]
    if s.journal is not None:
        s.journal.append(DestinyShown(rule, seat, destiny))


def look_at_journey(s: ChampionsTable, seat: int, shore: int, rule: str) -> None:
    """CM-16.1 Let *seat* alone see the face-down journey card of *shore*."""
    s.clans[seat].knows |= 1 << (shore - 1)
    if s.journal is not None:
        s.journal.append(JourneySeen(rule, seat, shore, s.journeys[shore - 1]))


def draw_journey(s: ChampionsTable) -> int:
    """CM-15.5 Take the top journey card; an empty deck is made from the discard pile."""
    if not s.journey_deck:
        s.journey_deck = s.journey_discard[:]
        s.journey_discard = []
        s.chance.shuffle(s.journey_deck)
        s.shuffles += 1
        if s.journal is not None:
            s.journal.append(JourneysShuffled("CM-15.5", len(s.journey_deck)))
    journey = s.journey_deck[0]
    s.journey_deck = s.journey_deck[1:]
    return journey


def deal_journey(s: ChampionsTable, shore: int, rule: str) -> None:
    """CM-4.2.3 Deal the top journey card face down to *shore*."""
    s.journeys[shore - 1] = draw_journey(s)
    s.dealt_in[shore - 1] = s.shuffles
    if s.journal is not None:
        s.journal.append(JourneyDealt(rule, shore))


def reveal_journey(s: ChampionsTable, seat: int, shore: int, rule: str) -> None:
    """CM-9.2 Turn up the journey card of *shore*: from now on everybody knows it."""
    bit = 1 << (shore - 1)
    s.revealed |= bit
    for clan in s.clans:
        clan.knows &= ~bit
    if s.journal is not None:
        s.journal.append(JourneyRevealed(rule, seat, shore, s.journeys[shore - 1]))
