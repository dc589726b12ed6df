"""CM-19 What must hold in every state of a match that was laid out from the box."""

from __future__ import annotations

from taflhall_engine.champions.ids import (
    BEG,
    DESTINIES,
    HUNTING_GROUNDS,
    NONE,
    POSTS,
    RUNES,
    SHIP_PRIVATE,
    SHORE_0,
    SHORES,
    TYPES,
    WARRIORS,
)
from taflhall_engine.champions.scoring import bits
from taflhall_engine.champions.setup import journey_cards
from taflhall_engine.champions.table import ChampionsTable, crew_size, in_play, warriors_owned
from taflhall_engine.kernel.agenda import Decision


def faults_of(s: ChampionsTable) -> list[str]:
    """Return every broken invariant, in words."""
    found: list[str] = []
    _dice(s, found)
    _seats(s, found)
    _cards(s, found)
    _workers(s, found)
    _flow(s, found)
    return found


def _dice(s: ChampionsTable, found: list[str]) -> None:
    """CM-19.1 Supply, stock, seats and a pending offer hold every die."""
    for warrior in range(TYPES):
        total = s.supply[warrior] + s.stock[warrior] + s.offer[warrior]
        for clan in s.clans:
            total += clan.warriors[warrior]
        if total != s.components.dice[warrior]:
            found.append(f"CM-19.1 there are {total} dice of {WARRIORS[warrior]}")
        if s.supply[warrior] < 0 or s.stock[warrior] < 0:
            found.append(f"CM-19.1 less than nothing of {WARRIORS[warrior]}")


def _seats(s: ChampionsTable, found: list[str]) -> None:
    """CM-19.2 Nobody owns more than fits or less than nothing; crews are owned warriors."""
    for seat in range(len(s.clans)):
        clan = s.clans[seat]
        if clan.leader != NONE and warriors_owned(clan) > s.components.room[clan.leader]:
            found.append(f"CM-19.2 seat {seat} owns {warriors_owned(clan)} warriors")
        amounts = [
            clan.workers,
            clan.hunters,
            clan.beggars,
            clan.favour,
            clan.favour_spent,
            clan.blame,
            clan.glory,
            min(clan.goods),
            min(clan.warriors),
        ]
        if min(amounts) < 0:
            found.append(f"CM-19.2 seat {seat} owns less than nothing")
        if clan.runes & clan.runes_used:
            found.append(f"CM-19.5 seat {seat} has a rune both used and unused")
        for warrior in range(TYPES):
            sent = 0
            for post in range(POSTS):
                if s.post_seat[post] == seat:
                    sent += s.crew[post * TYPES + warrior]
            if sent > clan.warriors[warrior]:
                found.append(f"CM-6.3 seat {seat} has sent more {WARRIORS[warrior]} than it owns")
    for post in range(POSTS):
        if min(s.crew[post * TYPES : post * TYPES + TYPES]) < 0 or s.rations[post] < 0:
            found.append(f"CM-19.2 less than nothing at post {post}")
        if s.post_seat[post] == NONE and crew_size(s, post):
            found.append(f"CM-6.3 a crew of nobody at post {post}")


def _cards(s: ChampionsTable, found: list[str]) -> None:
    """CM-19.3 Every deck is complete."""
    runes = s.rune_row + s.rune_deck
    destinies = s.destiny_deck + s.drawn
    ships = s.ships[:]
    trolls = len(s.troll_deck) + (s.troll != NONE)
    draugr = len(s.draugr_deck) + sum([1 for enemy in s.draugr if enemy != NONE])
    monsters = len(s.monster_deck) + sum([1 for enemy in s.monsters if enemy != NONE])
    for clan in s.clans:
        runes = runes + [r for r in range(len(RUNES)) if (clan.runes | clan.runes_used) >> r & 1]
        destinies = destinies + clan.destinies
        if clan.ship != NONE:
            ships.append(clan.ship)
        trolls += clan.trolls
        draugr += sum(clan.draugr)
        monsters += sum(clan.monsters)
    discarded = [s.components.kind[enemy] for enemy in s.enemy_discard]
    counts = [trolls + discarded.count(0), draugr + discarded.count(1), monsters]
    for kind in range(len(counts)):
        if counts[kind] != s.components.first[kind + 1] - s.components.first[kind]:
            found.append(f"CM-19.3 there are {counts[kind]} enemies of kind {kind}")
    journeys = s.journey_deck + s.journey_discard + [j for j in s.journeys if j != NONE]
    if sorted(journeys) != journey_cards(s.components):
        found.append("CM-19.3 the journey cards are not complete")
    if sorted(runes) != list(range(len(RUNES))):
        found.append("CM-19.3 the rune cards are not complete")
    if sorted(destinies) != list(range(len(DESTINIES))):
        found.append("CM-19.3 the destiny cards are not complete")
    if sorted(ships) != [k for k, n in enumerate(s.components.ship_players) if n <= len(s.clans)]:
        found.append("CM-19.5 the private longships are not complete")
    if s.huts_sold != sum([1 for clan in s.clans if clan.hut]):
        found.append("CM-19.5 workers bought and sold differ")
    if bits(s.revealed) > SHORES:
        found.append("CM-19.3 more journeys revealed than there are shores")


def _workers(s: ChampionsTable, found: list[str]) -> None:
    """CM-19.9 In hand or on the board, every seat has its workers."""
    for seat in range(len(s.clans)):
        clan = s.clans[seat]
        if clan.leader == NONE or not clan.destinies:
            continue
        placed = clan.workers + clan.hunters + clan.beggars + s.workers.count(seat)
        for post in range(SHORE_0 + 1, POSTS):
            if s.post_seat[post] == seat and s.post_ship[post] == SHIP_PRIVATE:
                placed += 1
        if placed != s.components.workers[len(s.clans)] + clan.hut:
            found.append(f"CM-19.9 seat {seat} has {placed} workers")
    if s.workers[HUNTING_GROUNDS] != NONE or s.workers[BEG] != NONE:
        found.append("CM-5.3 hunters and beggars are counted at their seats")


def _flow(s: ChampionsTable, found: list[str]) -> None:
    """CM-19.6 One decision is pending or the match is finished; CM-19.7 the shores are full."""
    if not s.agenda:
        if not s.scores:
            found.append("CM-19.6 nothing is pending, but there is no score")
        return
    top = s.agenda[-1]
    if not isinstance(top, Decision):
        found.append(f"CM-19.6 the match rests on {top!r}")
        return
    placing = type(top).__name__ == "PlaceWorker"
    for shore in range(1, SHORES + 1):
        full = s.journeys[shore - 1] != NONE and s.monsters[shore - 1] != NONE
        if placing and full != in_play(s, shore):
            found.append(f"CM-19.7 shore {shore} is not as it should be")
    if s.draft and not top.continues_answer:
        found.append("CM-17.6 a half-given answer without its decision")
