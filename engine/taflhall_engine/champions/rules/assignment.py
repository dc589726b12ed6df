"""CM-6 Assigning warriors: who goes to which fight, who sails, who hunts.

A seat has up to tens of thousands of ways to distribute its warriors, so the answer is
given group by group and type by type (CM-17.6). Nothing of it counts, or shows to anybody
else, before the last step.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.events import WarriorsSent
from taflhall_engine.champions.ids import (
    FOOD,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    POSTS,
    SHORE_0,
    TYPES,
)
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision, FurtherStep
from taflhall_engine.champions.rules.ships import capacity_of
from taflhall_engine.champions.table import ChampionsTable, turn_order
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

ANOTHER_STEP: Final = Refusal("CM-17.6", "bad_argument")
NO_WORKER_THERE: Final = Refusal("CM-6.3", "not_eligible")
NOT_OWNED: Final = Refusal("CM-6.3", "not_owned")
BANNED_WEAPON: Final = Refusal("CM-6.3", "banned_weapon")
OVER_CAPACITY: Final = Refusal("CM-6.3", "over_capacity")


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
    """CM-6.2 Return the posts that *seat* may send warriors to."""
    post_seat = s.post_seat
    return [post for post in range(POSTS) if post_seat[post] == seat]


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


def next_place(s: ChampionsTable, seat: int, posts: list[int], start: int) -> int:
    """Return the first place from *start* on where *seat* has a choice, none (-1) if nowhere.

    The places are the columns of one group after the other.
    """
    for place in range(start, len(posts) * COLUMNS):
        if most(s, seat, posts, place) > 0:
            return place
    return NONE


def most(s: ChampionsTable, seat: int, posts: list[int], place: int) -> int:
    """CM-6.3 Return how many more may go to *place* after the draft."""
    post = posts[place // COLUMNS]
    column = place % COLUMNS
    sails = post > POST_RIGHT
    if not sails and (column == TYPES or not admits(s, post, column)):
        return 0
    left = left_of(s, seat, column)
    if sails and left > 0:
        free = capacity_of(s, post)
        for i in range(place - column, min(place, len(s.draft))):
            free -= s.draft[i]
        left = min(left, free)
    return left


def left_of(s: ChampionsTable, seat: int, column: int) -> int:
    """CM-6.3 Return how many of a type (or how much food) the draft has not sent anywhere."""
    clan = s.clans[seat]
    left = clan.goods[FOOD] if column == TYPES else clan.warriors[column]
    for i in range(column, len(s.draft), COLUMNS):
        left -= s.draft[i]
    return left


@final
class SendWarriors(Command[ChampionsTable]):
    """CM-6.2 Send a number of warriors of one type to one of your fights or ships."""

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


def next_counts(s: ChampionsTable, seat: int) -> list[Command[Any]]:
    """Return the counts that may go to the next place where *seat* has a choice."""
    posts = own_posts(s, seat)
    for place in range(len(s.draft), len(posts) * COLUMNS):
        count = most(s, seat, posts, place)
        if count > 0:
            post = posts[place // COLUMNS]
            column = place % COLUMNS
            counts = LOAD[post] if column == TYPES else SEND[post][column]
            return counts[: count + 1]
    return []


@final
class AssignWarriors(ChampionsDecision):
    """CM-6.2 Distribute warriors over your reserved fights and ships, and food over ships."""

    RULE = "CM-6.2"
    answers_with = (SendWarriors, LoadFood, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return next_counts(s, seat)


@final
class AssignFurther(FurtherStep):
    """CM-6.2 Continue distributing, group by group and type by type."""

    RULE = "CM-6.2"
    answers_with = (SendWarriors, LoadFood)

    def offers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return next_counts(s, seat)

    def options(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        """Return the offers: each count is at most what may go there."""
        return next_counts(s, seat)


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
    if column == TYPES and post <= POST_RIGHT:
        return BAD_ARGUMENT
    if s.post_seat[post] != seat:
        return NO_WORKER_THERE
    if count > left_of(s, seat, column):
        return NOT_OWNED
    if count and column < TYPES and not admits(s, post, column):
        return BANNED_WEAPON
    posts = own_posts(s, seat)
    place = posts.index(post) * COLUMNS + column
    if place != next_place(s, seat, posts, len(s.draft)):
        return ANOTHER_STEP
    return OVER_CAPACITY if count > most(s, seat, posts, place) else None


def write(s: ChampionsTable, seat: int, post: int, column: int, count: int) -> None:
    """Note one step of an assignment; the places passed over have no choice and get 0."""
    if not s.draft:
        s.agenda.append(CommitAssignment(seat))
    place = column
    for other in range(post):
        if s.post_seat[other] == seat:
            place += COLUMNS
    while len(s.draft) < place:
        s.draft.append(0)
    s.draft.append(count)
    s.agenda.append(AssignFurther(seat))


@final
class CommitAssignment(Step[ChampionsTable]):
    """CM-6.5 The assignment is complete: it is binding, and loaded food leaves the seat."""

    RULE = "CM-6.5"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: ChampionsTable) -> None:
        clan = s.clans[self.seat]
        draft = s.draft
        place = 0
        for post in range(POSTS):
            if s.post_seat[post] != self.seat:
                continue
            while len(draft) < place + COLUMNS:
                draft.append(0)
            sent = draft[place : place + TYPES]
            food = draft[place + TYPES]
            s.crew[post * TYPES : (post + 1) * TYPES] = sent
            s.rations[post] = food
            clan.goods[FOOD] -= food
            if s.journal is not None:
                event = WarriorsSent(self.RULE, self.seat, post, sent[0], sent[1], sent[2], food)
                s.journal.append(event)
            place += COLUMNS
        draft.clear()
