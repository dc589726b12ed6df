"""Which matches a filter lets through, which index it reads, and what announcements tell."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall_service.app.access.accounts import Account, ActiveKey, ApiKey
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.errors import AccountRequired, Malformed, StoreUnavailable
from taflhall_service.app.matches.indexes import INDEXED_WORDS
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING
from taflhall_service.app.model.records import Deputy, Listing, Seat
from taflhall_service.app.spectating.match_list import ME, MatchFilter, resolve_account
from taflhall_service.app.spectating.queries import page_size
from taflhall_service.app.watching.announcements import (
    PAGE,
    Announcement,
    Announcements,
    announcement_text,
    read_announcement,
)
from taflhall_service.store.memory import MemoryStore
from tests.service.test_index_values import SEATED, match
from tests.waiting import settle, until

LABELS = (("club", "north"), ("season", "winter"))
MADE = match(title="Long Winter", creator_account="cy", listing=Listing(LABELS))


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (MatchFilter(), ""),
        (MatchFilter("champions", OPEN), "champions/open"),
        (MatchFilter(words=("a", "longer")), f"{MatchFilter(words=('longer',)).narrowest_index}"),
        (MatchFilter(labels=LABELS, words=("a",)), MatchFilter(labels=LABELS[:1]).narrowest_index),
        (MatchFilter(creator="cy", labels=LABELS), "@created:cy"),
        (MatchFilter(account="ann", creator="cy"), "@seated:ann"),
        (MatchFilter(account="ann", invited=True), "@invited:ann"),
        (MatchFilter("champions", OPEN, "ann"), "@seated:ann/champions/open"),
    ],
)
def test_the_narrowest_index_is_read(wanted: MatchFilter, index: str):
    assert wanted.narrowest_index == index


@pytest.mark.parametrize(
    ("wanted", "through"),
    [
        (MatchFilter(), True),
        (MatchFilter("champions"), True),
        (MatchFilter("yggdrasil"), False),
        (MatchFilter(status=OPEN), True),
        (MatchFilter(status=PLAYING), False),
        (MatchFilter(creator="cy"), True),
        (MatchFilter(creator="ann"), False),
        (MatchFilter(labels=LABELS[1:]), True),
        (MatchFilter(labels=(("club", "south"),)), False),
        (MatchFilter(words=("winter",)), True),
        (MatchFilter(words=("winter", "short")), False),
        (MatchFilter(account="ann"), True),
        (MatchFilter(account="bob"), False),
        (MatchFilter(free_seat=True), True),
        (MatchFilter(account="ann", free_seat=True), True),
        (MatchFilter(account="ann", to_decide=True), False),
        (MatchFilter(account="ann", invited=True), False),
    ],
)
def test_every_part_of_a_filter_counts(wanted: MatchFilter, through: bool):
    assert wanted.lets_through(MADE) == through


def test_only_indexed_words_of_a_title_are_found():
    title = " ".join(f"word{number}" for number in range(INDEXED_WORDS + 1))
    made = match(title=title)
    assert MatchFilter(words=(f"word{INDEXED_WORDS - 1}",)).lets_through(made)
    assert not MatchFilter(words=(f"word{INDEXED_WORDS}",)).lets_through(made)


def test_a_match_that_was_abandoned_before_its_start_is_not_listed():
    assert not MatchFilter().lets_through(match("abandoned"))
    assert MatchFilter().lets_through(match(FINISHED))


def test_a_seat_that_is_reserved_is_free_for_nobody_else():
    reserved = match(seats=(SEATED, Seat(invited="bob")))
    assert not MatchFilter(free_seat=True).lets_through(reserved)
    assert MatchFilter(account="bob", invited=True).lets_through(reserved)
    assert not MatchFilter(account="bob").lets_through(reserved)


def test_only_who_acts_for_a_seat_has_to_decide():
    delegated = Seat("Ann", 1, b"digest", account="ann", deputy=Deputy("Bo", 1, b"x"))
    wanted = MatchFilter(account="ann", to_decide=True)
    for seats, pending, through in (
        ((SEATED, SEATED), {0: "id"}, True),
        ((SEATED, SEATED), {1: "id"}, True),
        ((SEATED, Seat()), {1: "id"}, False),
        ((delegated, Seat()), {0: "id"}, False),
        ((delegated, SEATED), {0: "id"}, False),
        ((delegated, SEATED), {1: "id"}, True),
    ):
        made = match(PLAYING, seats).replaced(pending=pending)
        assert wanted.lets_through(made) == through


def test_me_is_the_account_of_the_caller():
    key = ActiveKey(ApiKey("k", "ann", b"", 0), Account("ann", "Ann", 1, False, 0), 0.0)
    assert resolve_account(Identity(None, key), ME) == "ann"
    assert resolve_account(Identity(None, key), "bob") == "bob"
    assert resolve_account(ANONYMOUS, "bob") == "bob"
    for identity in (ANONYMOUS, Identity("a secret")):
        with pytest.raises(AccountRequired):
            resolve_account(identity, ME)


def test_a_page_has_its_size_within_limits():
    assert [page_size(n) for n in (0, 1, 50, 100, 101, 10_000)] == [50, 1, 50, 100, 100, 100]
    with pytest.raises(Malformed) as refusal:
        page_size(-1)
    assert refusal.value.metadata["field"] == "page_size"


# ---------------------------------------------------------------- announcements


def test_an_announcement_is_read_as_it_was_written():
    text = announcement_text("mark", ["ann", "bob"])
    assert text == b"mark ann bob"
    assert read_announcement("7", text) == Announcement("7", "mark", frozenset({"ann", "bob"}))
    assert read_announcement("7", b"mark") == Announcement("7", "mark", frozenset())
    for damaged in (b"", b" "):
        assert read_announcement("7", damaged) == Announcement("7", "", frozenset())


class Heard:
    """Announcements over a store in memory, and what each of two listeners has heard."""

    def __init__(self, look_seconds: float = 3600.0) -> None:
        self.store: Any = MemoryStore()
        self.tasks: list[asyncio.Task[None]] = []
        self.announcements = Announcements(self.store, self._spawn, look_seconds)
        self.one: list[Any] = []
        self.two: list[Any] = []

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    def hear_one(self, news: Any) -> None:
        self.one.append(news and [each.index_key for each in news])

    def hear_two(self, news: Any) -> None:
        self.two.append(news and [each.index_key for each in news])

    async def announce(self, *marks: str) -> None:
        for mark in marks:
            await self.store.announce(mark.encode())
        self.announcements.look()
        await settle()


async def test_listeners_hear_what_is_announced_from_then_on():
    heard = Heard()
    await heard.store.announce(b"before")
    assert await heard.announcements.listen(heard.hear_one) == "1"
    await heard.announce("a", "b")
    assert await heard.announcements.listen(heard.hear_two) == "3"
    await heard.announce("c")
    assert heard.one == [["a", "b"], ["c"]]
    assert heard.two == [["c"]]
    assert len(heard.tasks) == 1
    heard.announcements.ignore(heard.hear_one)
    heard.announcements.ignore(heard.hear_one)
    await heard.announce("d")
    assert (heard.one[2:], heard.two) == ([], [["c"], ["d"]])
    for _ in range(2):
        heard.announcements.ignore(heard.hear_two)
    await heard.announce("e")
    assert heard.tasks[0].cancelled()
    assert await heard.announcements.listen(heard.hear_one) == "6"
    await heard.announce("f")
    assert heard.one[2:] == [["f"]]
    assert len(heard.tasks) == 2
    heard.announcements.ignore(heard.hear_one)


async def test_lost_announcements_are_reported_and_reading_continues():
    heard = Heard()
    await heard.announcements.listen(heard.hear_one)
    await heard.store.announce(b"lost")
    await heard.store.announce(b"kept")
    heard.store.memory.announced.popleft()
    await heard.announce()
    assert heard.one == [None]
    await heard.announce("next")
    assert heard.one == [None, ["next"]]
    heard.announcements.ignore(heard.hear_one)


async def test_announcements_of_other_servers_are_looked_for():
    heard = Heard(look_seconds=0.001)
    await heard.announcements.listen(heard.hear_one)
    await heard.store.announce(b"elsewhere")
    await until(lambda: heard.one == [["elsewhere"]])
    announcements, failures = heard.store.announcements, [True, True]

    async def shaky(after: str, count: int) -> Any:
        if failures:
            failures.pop()
            raise StoreUnavailable
        return await announcements(after, count)

    heard.store.announcements = shaky
    await heard.store.announce(b"later")
    await until(lambda: heard.one[1:] == [["later"]])
    heard.announcements.ignore(heard.hear_one)


async def test_all_of_many_announcements_are_heard_in_order():
    heard = Heard()
    await heard.announcements.listen(heard.hear_one)
    marks = [f"m{number}" for number in range(PAGE + 1)]
    await heard.announce(*marks)
    assert heard.one == [marks[:PAGE], marks[PAGE:]]
    heard.announcements.ignore(heard.hear_one)
