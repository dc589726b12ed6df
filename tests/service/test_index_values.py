"""Which indexes a match belongs to, and how they follow its changes."""

from __future__ import annotations

from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.matches.indexes import (
    CANDIDATES,
    CODES,
    INDEXED_WORDS,
    accounts_of,
    add_to_indexes,
    announce_new_match,
    candidates_index,
    code_index_key,
    created_scope,
    follow_listing,
    index_of,
    indexes_of,
    invited_scope,
    label_scope,
    listing_change,
    match_with_code,
    name_early,
    remove_from_indexes,
    scopes_of,
    seated_scope,
    word_scope,
    words_of,
)
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.join_codes import join_code
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Deputy, Listing, Origin, Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import DueQueue, Version
from taflhall_service.store.memory import MemoryStore

GAME: Any = SimpleNamespace(id="champions")
SEATED = Seat("Ann", 1, b"digest", account="ann")


def match(
    status: str = OPEN, seats: tuple[Seat, ...] = (SEATED, Seat()), setup: int = 1, **origin: Any
) -> Match:
    given: dict[str, Any] = {"title": "", "start_when_full": True, "listing": Listing(), **origin}
    made = Origin(
        "abc", "champions", "1", "", setup, b"s" * 32, b"k" * 32, b"", created_ms=9, **given
    )
    return Match(GAME, made, setup, seats, Version(0, b"", 0), status)


def test_an_index_is_named_by_scope_game_and_status():
    assert index_of() == ""
    assert index_of("champions", OPEN, "@seated:ann") == "@seated:ann/champions/open"
    assert index_of("", OPEN) == "open"
    scopes = [scope("ann") for scope in (seated_scope, invited_scope, created_scope)]
    assert scopes == ["@seated:ann", "@invited:ann", "@created:ann"]
    assert label_scope("a", "b") == "@label:" + blake2b(b"a=b", digest_size=12).hexdigest()
    assert word_scope("a") == "@word:" + blake2b(b"a", digest_size=12).hexdigest()


def test_a_match_is_in_the_scope_of_everybody_and_everything_it_concerns():
    made = match(
        seats=(SEATED, Seat(invited="bob"), Seat()),
        title="The Long long Winter",
        creator_account="cy",
        listing=Listing((("club", "north"),)),
    )
    assert scopes_of(made) == {
        "",
        seated_scope("ann"),
        invited_scope("bob"),
        created_scope("cy"),
        label_scope("club", "north"),
        *[word_scope(word) for word in ("the", "long", "winter")],
    }
    assert accounts_of(made) == {"ann", "bob", "cy"}
    assert scopes_of(match(seats=(Seat(),))) == {""}
    assert accounts_of(match(seats=(Seat(),))) == set()


def test_the_first_words_of_a_title_are_indexed():
    words = [f"word{number}" for number in range(INDEXED_WORDS + 1)]
    found = scopes_of(match(title=" ".join(words)))
    assert {word_scope(word) for word in words[:-1]} <= found
    assert word_scope(words[-1]) not in found
    assert words_of("Two two, TWO!") == ["two"]


def test_a_match_is_in_the_indexes_of_its_game_and_status():
    plain = {"", "champions", PLAYING, f"champions/{PLAYING}"}
    assert indexes_of(match(PLAYING, (Seat(),))) == plain
    over = indexes_of(match(FINISHED, (Seat(),)))
    assert over == {"", "champions", FINISHED, f"champions/{FINISHED}"}


TAKEN = (SEATED, SEATED)


@pytest.mark.parametrize(
    ("made", "candidate"),
    [
        (match(), True),
        (match(PLAYING), False),
        (match(start_when_full=False), False),
        (match(listing=Listing(unlisted=True)), False),
        (match(listing=Listing(invitation_required=True)), False),
        (match(seats=TAKEN), False),
        (match(seats=(SEATED, Seat(invited="bob"))), False),
    ],
)
def test_a_match_that_anybody_may_join_is_a_candidate(made: Match, candidate: bool):
    assert any(index.startswith(CANDIDATES) for index in indexes_of(made)) == candidate


def test_candidates_of_different_kinds_have_different_indexes():
    clock, late = TimeControl(1000), SpectatorSettings(SpectatorPolicy.DELAYED, 1000)
    public = SpectatorSettings()
    kinds: list[Any] = [
        ("champions", 1, None, public, ()),
        ("yggdrasil", 1, None, public, ()),
        ("champions", 2, None, public, ()),
        ("champions", 1, clock, public, ()),
        ("champions", 1, None, late, ()),
        ("champions", 1, None, public, (("club", "north"),)),
    ]
    assert len({candidates_index(*kind) for kind in kinds}) == len(kinds)
    assert candidates_index(*kinds[0]) in indexes_of(match())


async def test_a_match_is_found_by_its_whole_join_code():
    store, made = MemoryStore(), match()
    code = join_code(made.origin)
    assert await match_with_code(store, code) == ""
    await store.index_add(code_index_key(made), CODES)
    assert await match_with_code(store, code) == "abc"
    last = "3" if code.endswith("2") else "2"
    assert await match_with_code(store, code[:-1] + last) == ""
    assert await match_with_code(store, "2" * 10) == ""


async def follows(before: Match, after: Match) -> tuple[bool, set[str], int]:
    """Return what follows a change: whether lists show it, the indexes, the announcements."""
    store = MemoryStore()
    await add_to_indexes(store, before)
    change = listing_change(before, after)
    if change is not None:
        await name_early(store, change)
        assert indexes_of(before) | indexes_of(after) == named(store)
        await follow_listing(store, change, after)
    return change is not None, named(store), len(store.memory.announced)


def named(store: MemoryStore) -> set[str]:
    """Return the indexes that name a match."""
    return {name for name, marks in store.memory.indexes.items() if marks} - {CODES}


@pytest.mark.parametrize(
    "seats",
    [
        (SEATED, SEATED),
        (SEATED, Seat(invited="bob")),
        (Seat("Ann 2", 1, b"digest", account="ann"), Seat()),
        (Seat("Ann", 2, b"digest", account="ann"), Seat()),
        (Seat("Ann", 1, b"digest"), Seat()),
        (Seat("Ann", 1, b"digest", account="ann", deputy=Deputy("Ann", 1, b"x")), Seat()),
        (Seat(), Seat()),
    ],
)
async def test_lists_follow_what_they_show_of_the_seats(seats: tuple[Seat, ...]):
    before = match()
    after = before.replaced(seats=seats)
    assert await follows(before, after) == (True, indexes_of(after), 1)


async def test_lists_do_not_follow_what_they_do_not_show():
    before = match()
    seats = (Seat("Ann", 1, b"another digest", True, "ann"), Seat())
    for after in (before.replaced(seats=seats), before.replaced(version=Version(1, b"", 1))):
        assert await follows(before, after) == (False, indexes_of(before), 0)


async def test_lists_follow_the_status():
    before, after = match(), match(PLAYING)
    assert await follows(before, after) == (True, indexes_of(after), 1)
    again = before.replaced(next_match="next")
    assert await follows(before, again) == (True, indexes_of(before), 1)


async def test_a_delayed_caller_finds_a_match_as_it_was_but_nobody_joins_it():
    late = SpectatorSettings(SpectatorPolicy.DELAYED, 1000)
    before, after = match(spectators=late), match(PLAYING, spectators=late)
    kept = {name for name in indexes_of(before) if not name.startswith(CANDIDATES)}
    assert await follows(before, after) == (True, kept | indexes_of(after), 1)


async def test_an_announcement_names_all_whom_a_change_concerns():
    store = MemoryStore()
    before = match(seats=(SEATED, Seat(invited="bob")), creator_account="cy")
    await announce_new_match(store, before)
    after = match(seats=(Seat(), Seat(invited="dee")))
    change = listing_change(before, after)
    assert change is not None
    await follow_listing(store, change, after)
    mark = "000000000009abc"
    assert [each.text.decode() for each in store.memory.announced] == [
        f"{mark} ann bob cy",
        f"{mark} ann bob cy dee",
    ]


async def test_a_match_that_is_gone_is_in_no_list_and_waits_for_nothing():
    store = MemoryStore()
    for made in (match(), match(PLAYING), match(FINISHED)):
        await add_to_indexes(store, made)
    for queue in (DueQueue.IDLE, DueQueue.ARCHIVE):
        await store.schedule("abc", 1, queue)
    await store.schedule("000000000009abc", 1, DueQueue.EXPIRY)
    await remove_from_indexes(store, "000000000009abc")
    left = {name for name, marks in store.memory.indexes.items() if marks}
    assert {name.partition("/")[0].partition(":")[0] for name in left} == {
        "@seated",
        "@candidates",
        "@codes",
    }
    assert [queue for queue, names in store.memory.queues.items() if names] == []
