"""CM-6 Assigning warriors: who goes to which fight, who sails, who hunts.

A seat has up to tens of thousands of ways to distribute its warriors, so the answer is
given group by group and type by type (CM-17.6). Nothing of it counts, or shows to anybody
else, before the last step.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.events import WarriorsSent
from taflhall_engine.champions.ids import (
    DRAUGR_LEFT,
    DRAUGR_RIGHT,
    FOOD,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    POSTS,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHORE_0,
    TROLL_SPACE,
    TYPES,
)
from taflhall_engine.champions.refusals import (
    BAD_ARGUMENT,
    BANNED_WEAPON,
    NO_WORKER_THERE,
    NOT_OWNED,
    OVER_CAPACITY,
)
from taflhall_engine.champions.rules.asking import Asking
from taflhall_engine.champions.rules.ships import capacity_of
from taflhall_engine.champions.table import ChampionsTable, turn_order
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

COLUMNS: Final = 4
"""A group: how many warriors of each of the three types, then food."""

MAX_COUNT: Final = 60


@final
class Assignment(Step[ChampionsTable]):
    """CM-6.1 In turn order, every seat with a reserved fight or a longship assigns warriors."""

    RULE = "CM-6.1"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        steps: list[Step[Any]] = []
        for seat in turn_order(s):
            if seat in s.post_seat:
                steps.append(AssignWarriors(seat))
        schedule(s, steps)


def own_posts(s: ChampionsTable, seat: int) -> list[int]:
    """CM-6.2 Return the posts that *seat* may send somebody to."""
    return [post for post in range(POSTS) if s.post_seat[post] == seat]


def enemy_at(s: ChampionsTable, post: int) -> int:
    """Return the enemy at *post*, or none (-1)."""
    if post == POST_TROLL:
        return s.troll
    if post <= POST_RIGHT:
        return s.draugr[post - POST_LEFT]
    return s.monsters[post - SHORE_0 - 1]


def admits(s: ChampionsTable, post: int, warrior: int) -> bool:
    """CM-6.3 Return whether *warrior* may be sent to *post*; ships carry everybody (CM-6.4)."""
    if post > POST_RIGHT:
        return True
    enemy = enemy_at(s, post)
    return enemy == NONE or not s.components.bans[enemy] >> warrior & 1


@final
class AssignWarriors(Asking):
    """CM-6.2 Distribute warriors over your reserved fights and ships, and food over ships."""

    RULE = "CM-6.2"

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        posts = own_posts(s, seat)
        place = next_place(s, seat, posts, len(s.draft))
        if place == NONE:
            return []
        post = posts[place // COLUMNS]
        column = place % COLUMNS
        counts = LOAD[post] if column == TYPES else SEND[post][column]
        return counts[: most(s, seat, posts, place) + 1]

    def takes(self, s: ChampionsTable, command: Command[Any]) -> bool:
        return isinstance(command, SendWarriors | LoadFood)

    def resolve(self, s: ChampionsTable, seat: int, command: Command[Any]) -> None:
        super().resolve(s, seat, command)
        if not s.draft:
            return
        posts = own_posts(s, seat)
        if next_place(s, seat, posts, len(s.draft)) != NONE:
            s.agenda.append(self)
        else:
            commit(s, seat, posts)


def next_place(s: ChampionsTable, seat: int, posts: list[int], start: int) -> int:
    """Return the first place from *start* on where *seat* has a choice, none (-1) if nowhere.

    The places are the columns of one group after the other.
    """
    for place in range(start, len(posts) * COLUMNS):
        if most(s, seat, posts, place) > 0:
            return place
    return NONE


def most(s: ChampionsTable, seat: int, posts: list[int], place: int) -> int:
    """CM-6.3 Return how many may go to *place* at most, after what the draft says."""
    post = posts[place // COLUMNS]
    column = place % COLUMNS
    clan = s.clans[seat]
    draft = s.draft
    sails = post > POST_RIGHT
    if column == TYPES:
        if not sails:
            return 0
        left = clan.goods[FOOD]
    else:
        if not admits(s, post, column):
            return 0
        left = clan.warriors[column]
    for i in range(column, len(draft), COLUMNS):
        left -= draft[i]
    if sails and left > 0:
        free = capacity_of(s, post)
        for i in range(place - column, min(place, len(draft))):
            free -= draft[i]
        left = min(left, free)
    return left


@final
class SendWarriors(Command[ChampionsTable]):
    """CM-6.2 Send so many warriors of one type to one of your fights or ships."""

    RULE = "CM-6.2"
    SECRET = True

    def __init__(self, post: int, warrior: int, count: int) -> None:
        self.post: Final = post
        self.warrior: Final = warrior
        self.count: Final = count

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        return refuse_step(s, seat, self.post, self.warrior, self.count)

    def perform(self, s: ChampionsTable, seat: int) -> None:
        write(s, seat, self.post, self.warrior, self.count)


@final
class LoadFood(Command[ChampionsTable]):
    """CM-6.2 Load so much food on one of your ships."""

    RULE = "CM-6.2"
    SECRET = True

    def __init__(self, post: int, count: int) -> None:
        self.post: Final = post
        self.count: Final = count

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        return refuse_step(s, seat, self.post, TYPES, self.count)

    def perform(self, s: ChampionsTable, seat: int) -> None:
        write(s, seat, self.post, TYPES, self.count)


SEND: Final[list[list[list[Any]]]] = [
    [[SendWarriors(post, warrior, count) for count in range(13)] for warrior in range(TYPES)]
    for post in range(POSTS)
]
LOAD: Final[list[list[Any]]] = [
    [LoadFood(post, count) for count in range(MAX_COUNT + 1)] for post in range(POSTS)
]


def refuse_step(s: ChampionsTable, seat: int, post: int, column: int, count: int) -> Refusal | None:
    """CM-17.4 Return why one step of an assignment is refused."""
    if not (0 <= post < POSTS and 0 <= column < COLUMNS) or count < 0:
        return BAD_ARGUMENT
    if s.post_seat[post] != seat:
        return NO_WORKER_THERE
    posts = own_posts(s, seat)
    place = next_place(s, seat, posts, len(s.draft))
    if place == NONE or posts[place // COLUMNS] != post or place % COLUMNS != column:
        return BAD_ARGUMENT
    if count <= most(s, seat, posts, place):
        return None
    clan = s.clans[seat]
    left = clan.goods[FOOD] if column == TYPES else clan.warriors[column]
    for i in range(column, len(s.draft), COLUMNS):
        left -= s.draft[i]
    return NOT_OWNED if count > left else OVER_CAPACITY


def write(s: ChampionsTable, seat: int, post: int, column: int, count: int) -> None:
    """Note one step of an assignment; the places passed over have no choice and get 0."""
    place = own_posts(s, seat).index(post) * COLUMNS + column
    while len(s.draft) < place:
        s.draft.append(0)
    s.draft.append(count)


def commit(s: ChampionsTable, seat: int, posts: list[int]) -> None:
    """CM-6.5 The assignment is complete: it is binding, and loaded food leaves the seat."""
    draft = s.draft
    while len(draft) < len(posts) * COLUMNS:
        draft.append(0)
    for i in range(len(posts)):
        post = posts[i]
        base = i * COLUMNS
        for warrior in range(TYPES):
            s.crew[post * TYPES + warrior] = draft[base + warrior]
        food = draft[base + TYPES]
        s.rations[post] = food
        s.clans[seat].goods[FOOD] -= food
        if s.journal is not None:
            s.journal.append(
                WarriorsSent(
                    "CM-6.5", seat, post, draft[base], draft[base + 1], draft[base + 2], food
                )
            )
    draft.clear()


def assignment_refusal(
    s: ChampionsTable, seat: int, groups: dict[int, list[int]]
) -> Refusal | None:
    """CM-17.4 Return why a whole assignment is refused.

    *groups* maps a location to its group.
    """
    for location, group in groups.items():
        if location not in SENDABLE or min(group) < 0:
            return BAD_ARGUMENT
        if location <= DRAUGR_RIGHT and group[TYPES]:
            return BAD_ARGUMENT
    posts: dict[int, int] = {}
    for location in groups:
        post = post_of(s, seat, location)
        if post == NONE:
            return NO_WORKER_THERE
        posts[location] = post
    owned = [*s.clans[seat].warriors, s.clans[seat].goods[FOOD]]
    for column in range(COLUMNS):
        if sum([group[column] for group in groups.values()]) > owned[column]:
            return NOT_OWNED
    for location, group in groups.items():
        for warrior in range(TYPES):
            if group[warrior] and not admits(s, posts[location], warrior):
                return BANNED_WEAPON
    for location, group in groups.items():
        if location >= SHIP_SMALL and sum(group) > capacity_of(s, posts[location]):
            return OVER_CAPACITY
    return None


def post_of(s: ChampionsTable, seat: int, location: int) -> int:
    """Return the post of *seat*'s worker at a fight or on a ship, none (-1) if it has none."""
    if TROLL_SPACE <= location <= DRAUGR_RIGHT:
        return location - TROLL_SPACE if s.post_seat[location - TROLL_SPACE] == seat else NONE
    for post in range(SHORE_0 + 1, POSTS):
        if s.post_seat[post] == seat and s.post_ship[post] == location:
            return post
    return NONE


SENDABLE: Final = [TROLL_SPACE, DRAUGR_LEFT, DRAUGR_RIGHT, SHIP_SMALL, SHIP_SMALL + 1, SHIP_PRIVATE]
