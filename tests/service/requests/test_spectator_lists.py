"""What lists of matches show to spectators, and how far they look for it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.errors import InvalidPageToken
from taflhall_service.app.model.match import OPEN, PLAYING
from taflhall_service.app.model.records import Listing, Seat
from taflhall_service.app.spectating.match_list import (
    MAX_SCANNED,
    MatchFilter,
    list_matches,
    seen_in_list,
)
from taflhall_service.app.spectating.spectators import Spectators
from tests.service.requests.matches import account, caller, open_match, playing, seat
from tests.service.requests.process import Process
from tests.service.requests.spectators import FREE, LATE, NONE, shown_in


async def listed(count: int, **origin: object) -> tuple[Process, Spectators]:
    """Return a process that holds *count* matches with one free seat, m0 the oldest."""
    process = Process()
    match = open_match(seat("ann"), FREE)
    for number in range(count):
        made = replace(match.origin, match_id=f"m{number}", created_ms=1000 + number, **origin)
        await process.hold(match.replaced(origin=made))
    return process, Spectators(process.matches)


async def test_matches_are_listed_page_by_page_the_newest_or_the_oldest_first():
    _, spectators = await listed(5)

    async def page(
        size: int, token: str = "", oldest_first: bool = False
    ) -> tuple[list[str], str, int]:
        wanted = MatchFilter(oldest_first=oldest_first)
        found = await list_matches(spectators, ANONYMOUS, wanted, size, token)
        return [match.id for match in found.matches], found.token, found.examined

    first, token, examined = await page(2)
    assert (first, examined) == (["m4", "m3"], 2)
    second, following, _ = await page(2, token)
    assert second == ["m2", "m1"]
    assert await page(2, following) == (["m0"], "", 1)
    assert (await page(2, oldest_first=True))[0] == ["m0", "m1"]
    assert await page(0) == (["m4", "m3", "m2", "m1", "m0"], "", 5)
    whole, left, _ = await page(5)
    assert len(whole) == 5
    assert left
    assert await page(5, left) == ([], "", 0)
    with pytest.raises(InvalidPageToken):
        await page(2, token, oldest_first=True)


async def test_a_page_is_short_where_many_matches_are_passed_over():
    _, spectators = await listed(MAX_SCANNED + 1, title="winter")
    wanted = MatchFilter(words=("winter", "long"))
    for size, examined in ((50, MAX_SCANNED), (100, MAX_SCANNED), (67, 2 * 67)):
        page = await list_matches(spectators, ANONYMOUS, wanted, size, "")
        assert (page.matches, page.examined) == ([], examined)
        rest = await list_matches(spectators, ANONYMOUS, wanted, size, page.token)
        assert (rest.matches, rest.token) == ([], "")
        assert rest.examined == MAX_SCANNED + 1 - examined


async def test_a_list_passes_over_what_the_caller_may_not_see():
    process, spectators = await listed(2)
    hidden = open_match(seat("ann"), FREE, spectators=NONE)
    await process.hold(
        hidden.replaced(origin=replace(hidden.origin, match_id="h", created_ms=2000))
    )
    page = await list_matches(spectators, ANONYMOUS, MatchFilter(), 50, "")
    assert ([match.id for match in page.matches], page.examined) == (["m1", "m0"], 3)


async def test_a_list_forgets_a_match_that_is_gone():
    process, spectators = await listed(2, title="winter")
    process.memory.drop("m1")
    process.matches.forget("m1")
    for name in ("m0", "m1"):
        key, index = f"{1000 + int(name[1]):012x}{name}", MatchFilter(words=("winter",))
        for identity in (ANONYMOUS, None):
            found = await seen_in_list(spectators, identity, key, index.narrowest_index)
            assert (found is not None) == (name == "m0")
        kept = process.memory.indexes[index.narrowest_index]
        assert (key in kept) == (name == "m0")


async def test_an_unlisted_match_is_in_the_lists_of_those_who_take_part():
    for listing, shown in ((Listing(), True), (Listing(unlisted=True), False)):
        seats = (seat("ann", account="ann"), Seat(invited="bob"))
        match = open_match(*seats, creator_account="cy", listing=listing)
        _, spectators = await shown_in(match)
        key = f"{1000:012x}match"
        for identity, takes_part in (
            (ANONYMOUS, False),
            (account("dee"), False),
            (account("ann"), True),
            (account("bob"), True),
            (account("cy"), True),
            (None, True),
        ):
            found = await seen_in_list(spectators, identity, key)
            assert (found is not None) == (shown or takes_part)


@pytest.mark.parametrize(("policy", "shown"), [(LATE, True), (NONE, False)])
async def test_a_list_shows_a_match_as_its_spectators_may_see_it(policy, shown: bool):
    match = playing(seat("ann"), seat("bob"), spectators=policy)
    process, spectators = await shown_in(match)
    process.clock[0] = 1000
    key = f"{1000:012x}match"
    found = await seen_in_list(spectators, ANONYMOUS, key)
    assert (found is not None) == shown
    assert found is None or found.status == OPEN
    current = await seen_in_list(spectators, caller("ann"), key)
    assert current is not None
    assert current.status == PLAYING
    for delayed in spectators.delayed_matches:
        delayed.stop()
