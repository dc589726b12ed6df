"""CM-20.2 What each unit of a case runs, and what of the position is its own."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.champions.components_loader import add_enemy
from taflhall_engine.champions.ids import (
    BEG,
    DRAUGR,
    ENEMIES,
    GREY,
    HUNTING_GROUNDS,
    JOURNEYS,
    LOCATIONS,
    MONSTER,
    NONE,
    POST_LEFT,
    POST_NAMES,
    POST_RIGHT,
    POST_TROLL,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHORE_0,
    SHORES,
    TROLL,
    TROLL_SPACE,
    TYPES,
    WARRIORS,
)
from taflhall_engine.champions.rules.assignment import Assignment
from taflhall_engine.champions.rules.cleanup import Cleanup
from taflhall_engine.champions.rules.combat import Fight
from taflhall_engine.champions.rules.ending import FinalScoring, FinalWindow
from taflhall_engine.champions.rules.hunts import Hunt, hunting
from taflhall_engine.champions.rules.placement import Placement
from taflhall_engine.champions.rules.rounds import COMBAT_PHASES, PHASES, Preparation
from taflhall_engine.champions.rules.setup import ChooseLeader, StartingKit
from taflhall_engine.champions.rules.shores import RemoveBanned, Voyage
from taflhall_engine.champions.table import in_play, near
from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.conformance.champions.next_placement import NextPlacement
from taflhall_engine.conformance.champions.position import Position, counts
from taflhall_engine.conformance.champions.possible import faults_of
from taflhall_engine.kernel.agenda import Step, schedule


def lay_out(p: Position, unit: str) -> None:
    """Put the steps of *unit* on the agenda, and the pieces that it needs on the table."""
    build = UNITS.get(unit)
    if build is None:
        raise CaseError(f"unknown unit {unit!r}; known are {', '.join(UNITS)}")
    p.common()
    schedule(p.s, build(p))
    p.given.finish()
    if impossible := faults_of(p.s):
        raise CaseError("; ".join(impossible))


def _setup(p: Position) -> list[Step[Any]]:
    s = p.s
    for clan in s.clans:
        clan.leader = NONE
    n = len(s.clans)
    return [*(ChooseLeader((s.marker - i) % n) for i in range(1, n + 1)), StartingKit()]


def _preparation(p: Position) -> list[Step[Any]]:
    p.decks()
    for shore, name in enumerate(p.given.take("monsters", [])):
        p.s.monsters[shore] = p.enemy(MONSTER, name)
    bounties = p.given.take("bounties", [])
    p.s.bounties = bounties + [0] * (SHORES - len(bounties))
    return [Preparation()]


def _placement(p: Position) -> list[Step[Any]]:
    p.board()
    return [Placement(p.given.take("active", p.s.marker))]


def _rune(p: Position) -> list[Step[Any]]:
    """CM-20.2 The active seat has a pending ``place_worker``, so it has a worker in hand."""
    p.board()
    active = p.given.take("active", 0)
    p.s.clans[active].workers = max(1, p.s.clans[active].workers)
    return [Placement(active)]


def _assignment(p: Position) -> list[Step[Any]]:
    for index, data in enumerate(p.given.take("workers_at", [])):
        keys = Keys(f"given.workers_at[{index}]", data)
        _worker_at(p, keys)
        keys.finish()
    return [Assignment()]


def _worker_at(p: Position, keys: Keys) -> None:
    s = p.s
    seat = keys.need("seat")
    location = _word(keys.need("location"), LOCATIONS)
    if location == HUNTING_GROUNDS:
        s.clans[seat].hunters += 1
    elif location == BEG:
        s.clans[seat].beggars += 1
    elif TROLL_SPACE <= location < SHIP_SMALL:
        post = location - TROLL_SPACE
        s.workers[location] = s.post_seat[post] = seat
        kind = TROLL if post == POST_TROLL else DRAUGR
        _place_enemy(p, post, p.valued(kind, keys))
    elif SHIP_SMALL <= location <= SHIP_PRIVATE:
        _ship_at(p, keys, seat, location)
    else:
        s.workers[location] = seat


def _ship_at(p: Position, keys: Keys, seat: int, location: int) -> None:
    s = p.s
    free = [post for post in range(SHORE_0 + SHORES, SHORE_0, -1) if s.post_ship[post] == NONE]
    if not free:
        raise CaseError("there are more ships than harbours")
    shore = keys.take("shore")
    post = free[0] if shore is None else SHORE_0 + shore
    s.post_seat[post] = seat
    s.post_ship[post] = location
    capacity = keys.take("capacity")
    if location != SHIP_PRIVATE:
        s.workers[location] = seat
        if capacity is not None:
            p.components.public_capacity[location - SHIP_SMALL] = capacity
        return
    clan = s.clans[seat]
    if clan.ship == NONE:
        clan.ship = _add_ship(p)
    if capacity is not None:
        p.components.ship_capacity[clan.ship] = capacity


def _add_ship(p: Position) -> int:
    components = p.components
    components.ship_ids.append("")
    components.ship_cost.append([0, 0, 0])
    for values in (components.ship_capacity, components.ship_glory, components.ship_fee):
        values.append(0)
    components.ship_players.append(9)
    return len(components.ship_ids) - 1


def _hunt(p: Position) -> list[Step[Any]]:
    seats = _hunters(p)
    _elsewhere(p, seats, list(range(SHORE_0 + 1, SHORE_0 + SHORES + 1)))
    return [Hunt(seat) for seat in seats]


def _hunters(p: Position) -> dict[int, list[int]]:
    """Return the hunting seats in list order with the warriors that hunt."""
    seats = {}
    for index, data in enumerate(p.given.take("hunt", [])):
        keys = Keys(f"given.hunt[{index}]", data)
        seat = keys.need("seat")
        seats[seat] = counts(keys.take("warriors", {}), WARRIORS, "warriors")
        p.s.clans[seat].hunters = 1
        keys.finish()
    return seats


def _elsewhere(p: Position, seats: dict[int, list[int]], posts: list[int]) -> None:
    """Commit what does not hunt of the hunting seats to posts that play no part in the case."""
    s = p.s
    for seat, warriors in seats.items():
        left = hunting(s, seat)
        rest = [left[w] - warriors[w] for w in range(TYPES)]
        if min(rest) < 0:
            raise CaseError(f"seat {seat} hunts with more warriors than it has")
        if any(rest):
            free = [post for post in posts if s.post_seat[post] == NONE]
            if not free:
                raise CaseError(f"seat {seat} has warriors that are neither hunting nor fighting")
            s.post_seat[free[0]] = seat
            s.crew[free[0] * TYPES : free[0] * TYPES + TYPES] = rest


def _fight(p: Position) -> list[Step[Any]]:
    post = _fight_at(p, Keys("given.fight", p.given.need("fight")))
    p.s.post = post
    return [Fight(post)] if post <= POST_RIGHT else [RemoveBanned(), Fight(post)]


def _fight_at(p: Position, keys: Keys) -> int:
    """Lay out a reserved fight and return its post."""
    s = p.s
    kind = _word(keys.need("enemy"), ENEMIES[:3])
    space = keys.take("space")
    post = {TROLL: POST_TROLL, DRAUGR: POST_LEFT, MONSTER: SHORE_0 + SHORES}[kind]
    if space is not None:
        post = _word(space, POST_NAMES)
    seat = keys.need("seat")
    warriors = counts(keys.take("warriors", {}), WARRIORS, "warriors")
    bounty = keys.take("bounty", 0)
    number = p.valued(kind, keys)
    _place_enemy(p, post, number)
    if post > POST_RIGHT:
        s.bounties[post - SHORE_0 - 1] = bounty
        s.post_ship[post] = SHIP_SMALL
    else:
        s.workers[TROLL_SPACE + post] = seat
    s.post_seat[post] = seat
    s.crew[post * TYPES : post * TYPES + TYPES] = warriors
    keys.finish()
    return post


def _place_enemy(p: Position, post: int, number: int) -> None:
    s = p.s
    if post == POST_TROLL:
        s.troll = number
    elif post <= POST_RIGHT:
        s.draugr[post - POST_LEFT] = number
    else:
        s.monsters[post - SHORE_0 - 1] = number


def _voyage(p: Position) -> list[Step[Any]]:
    return [Voyage(_voyage_at(p, Keys("given.voyage", p.given.need("voyage"))))]


def _voyage_at(p: Position, keys: Keys) -> int:
    """Lay out a ship with its crew, food, journey and monster; return its shore."""
    s = p.s
    seat = keys.need("seat")
    shore = keys.take("shore")
    distance = keys.take("distance")
    if distance not in ("near", "far", None):
        raise CaseError(f"unknown distance {distance!r}")
    if shore is None:
        fitting = [k for k in range(1, SHORES + 1) if in_play(s, k)]
        shore = [k for k in fitting if near(s, k) == (distance != "far")][-1]
    elif distance is not None and near(s, shore) != (distance == "near"):
        raise CaseError(f"shore {shore} is not {distance}")
    post = SHORE_0 + shore
    s.post_seat[post] = seat
    ship = keys.take("ship")
    s.post_ship[post] = SHIP_SMALL if ship is None else _word(ship, LOCATIONS)
    crew = counts(keys.take("warriors", {}), WARRIORS, "warriors")
    s.crew[post * TYPES : post * TYPES + TYPES] = crew
    s.rations[post] = keys.take("food", 0)
    s.journeys[shore - 1] = _word(keys.need("journey"), JOURNEYS)
    monster = Keys("monster", keys.take("monster", {}))
    s.bounties[shore - 1] = keys.take("bounty", monster.take("bounty", 0))
    if monster.unread():
        s.monsters[shore - 1] = p.valued(MONSTER, monster)
    monster.finish()
    kraken = Keys("kraken", keys.take("kraken", {}))
    p.set_values(p.components.kraken, kraken)
    kraken.finish()
    keys.finish()
    return int(shore)


def _combat(p: Position) -> list[Step[Any]]:
    seats = _hunters(p)
    for index, data in enumerate(p.given.take("fights", [])):
        _fight_at(p, Keys(f"given.fights[{index}]", data))
    for index, data in enumerate(p.given.take("voyages", [])):
        _voyage_at(p, Keys(f"given.voyages[{index}]", data))
    _elsewhere(p, seats, [POST_TROLL, POST_LEFT, POST_RIGHT])
    return COMBAT_PHASES[:]


def _round(p: Position) -> list[Step[Any]]:
    s, given = p.s, p.given
    p.board()
    p.decks()
    s.troll = p.valued(TROLL, Keys("given.troll", given.take("troll", {})))
    for i, data in enumerate(given.take("draugr", [])):
        s.draugr[i] = p.valued(DRAUGR, Keys(f"given.draugr[{i}]", data))
    for i, data in enumerate(given.take("monsters", [])):
        s.monsters[i] = p.valued(MONSTER, Keys(f"given.monsters[{i}]", data))
    bounties = given.take("bounties", [])
    s.bounties = bounties + [0] * (SHORES - len(bounties))
    return [Placement(given.take("active", s.marker)), *PHASES[2:-1], NextPlacement()]


def _cleanup(p: Position) -> list[Step[Any]]:
    s = p.s
    keys = Keys("given.cleanup", p.given.need("cleanup"))
    troll = keys.take("troll", "")
    if not keys.take("troll_killed", False):
        s.troll = p.enemy(TROLL, troll) if troll else add_enemy(p.components, "", TROLL, GREY)
    for i, name in enumerate(keys.take("draugr", [])):
        s.draugr[i] = p.enemy(DRAUGR, name)
    for i, name in enumerate(keys.take("monsters", [])):
        s.monsters[i] = p.enemy(MONSTER, name)
    bounties = keys.take("bounties", [])
    s.bounties = bounties + [0] * (SHORES - len(bounties))
    free = [shore for shore in range(SHORES) if s.journeys[shore] == NONE]
    for name in keys.take("revealed", []):
        journey = _word(name, JOURNEYS)
        shore = free.pop(0) if free else s.journeys.index(journey)
        s.journeys[shore] = journey
        s.revealed |= 1 << shore
    for index, data in enumerate(keys.take("placed", [])):
        placed = Keys(f"given.cleanup.placed[{index}]", data)
        s.clans[placed.need("seat")].beggars = placed.take("workers", 0)
        placed.finish()
    keys.finish()
    return [Cleanup()]


def _scoring(p: Position) -> list[Step[Any]]:
    del p
    return [FinalWindow(), FinalScoring()]


def _word(name: Any, names: list[str]) -> int:
    if name not in names:
        raise CaseError(f"unknown id {name!r}; known are {', '.join(names)}")
    return names.index(name)


UNITS: Final = {
    "setup": _setup,
    "preparation": _preparation,
    "placement": _placement,
    "assignment": _assignment,
    "hunt": _hunt,
    "fight": _fight,
    "voyage": _voyage,
    "combat": _combat,
    "round": _round,
    "cleanup": _cleanup,
    "scoring": _scoring,
    "rune": _rune,
}
