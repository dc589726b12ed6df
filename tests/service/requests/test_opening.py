"""How matches are opened: created, found or opened for another match, each once for a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from taflhall_engine.champions.setup import Setup
from taflhall_engine.kernel.meta_commands import Withdrawals
from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import ANONYMOUS, Identity, digest_of, digest_text
from taflhall_service.app.matches.create import MAX_LABELS, CreateMatch, create, labels_of
from taflhall_service.app.matches.find import KEEP_MS, MAX_SCANNED, MAX_TRIED, FindMatch, find
from taflhall_service.app.matches.indexes import candidates_index
from taflhall_service.app.matches.rematch import join_rematch
from taflhall_service.app.matches.seats import PERSON, PROGRAM
from taflhall_service.app.matches.transaction import NO_FINGERPRINT
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.history_chain import first_head
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import ABANDONED, PLAYING, Match
from taflhall_service.app.model.records import Listing, Seat
from taflhall_service.app.model.spectator_policy import (
    PUBLIC_SPECTATORS,
    SpectatorPolicy,
    SpectatorSettings,
)
from taflhall_service.app.ports.match_store import (
    ADMIN_PREFIX,
    CommitResult,
    CommitStatus,
    DueQueue,
    Version,
)
from tests.service.requests.matches import (
    FINGERPRINT,
    GAME,
    account,
    bot,
    caller,
    changed_often,
    open_match,
    playing,
    seat,
)
from tests.service.requests.process import Process, T

FREE = Seat()
SETUP = Setup(2)
ID = "r" * 16


def creating(
    who: Identity = ANONYMOUS, request_id: str = ID, fingerprint: bytes = FINGERPRINT, **more: Any
) -> CreateMatch:
    given = {"title": "Winter", "start_when_full": False, **more}
    return CreateMatch(
        who,
        GAME,
        given.pop("setup", SETUP),
        given.pop("title"),
        given.pop("start_when_full"),
        request_id,
        fingerprint,
        **given,
    )


# ---------------------------------------------------------------- create


async def test_a_match_is_created_as_it_was_asked_for():
    process = Process()
    terms, late = TimeControl(1000), SpectatorSettings(SpectatorPolicy.DELAYED, 1000)
    more: dict[str, Any] = {
        "time_control": terms,
        "spectators": late,
        "labels": {"b": "2", "a": "1"},
    }
    made = await create(
        process.matches,
        creating(account("ann"), unlisted=True, invitation_required=True, **more),
    )
    origin = made.match.origin
    assert origin.listing == Listing((("a", "1"), ("b", "2")), True, True)
    assert (origin.clock, origin.spectators, origin.title) == (terms, late, "Winter")
    assert (origin.creator_account, origin.created_ms) == ("ann", T)
    assert origin.creator == digest_of(made.secret)
    assert (origin.start_when_full, origin.game, len(origin.secret)) == (False, "champions", 32)
    assert made.match.seats == (FREE, FREE)
    assert made.match.version == Version(0, first_head(origin.chain, origin.match_id), 0)
    assert len(origin.chain) == 32
    assert process.matches.cached(made.match.id) is made.match
    assert process.memory.queues[DueQueue.IDLE] == {made.match.id: T}
    assert index_key_of(origin) in process.memory.indexes[""]
    assert len(process.memory.announced) == 1


async def test_a_match_without_a_request_id_is_created_although_the_commit_was_sent_twice():
    process = Process()
    process.store.answers = [CommitResult(CommitStatus.DUPLICATE, b"")]
    made = await create(process.matches, creating(request_id=""))
    assert process.matches.cached(made.match.id) is made.match


async def test_a_repeated_request_finds_its_match_on_any_server():
    one = Process()
    two = Process(one)
    first = await create(one.matches, creating())
    for process in (one, two):
        again = await create(process.matches, creating())
        assert again.match.version == first.match.version
        assert again.secret == first.secret
    assert len(one.memory.matches) == 1
    with pytest.raises(errors.RequestIdReused) as reused:
        await create(one.matches, creating(fingerprint=NO_FINGERPRINT))
    assert reused.value.metadata == {"request_id": ID}
    other = await create(one.matches, creating(account("ann")))
    assert other.match.id != first.match.id
    unnamed = {(await create(one.matches, creating(request_id=""))).match.id for _ in range(2)}
    assert len(unnamed) == 2
    assert {len(name) for name in unnamed} == {len(first.match.id)}


async def test_the_first_attempt_that_died_is_completed_by_the_second():
    process = Process()
    made = (await create(process.matches, creating())).match
    process.memory.indexes.clear()
    process.matches.forget(made.id)
    await create(process.matches, creating())
    assert index_key_of(made.origin) in process.memory.indexes[""]
    assert process.matches.cached(made.id) is not None


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"title": "x" * 65}, errors.InvalidName),
        ({"request_id": "short"}, errors.InvalidName),
        ({"time_control": TimeControl(0)}, errors.InvalidTimeControl),
        ({"setup": Setup(9)}, errors.InvalidSetup),
        ({"labels": {"Bad": "x"}}, errors.Malformed),
    ],
)
async def test_what_makes_no_match_is_refused(more: dict[str, Any], error: type[Exception]):
    process = Process()
    with pytest.raises(error):
        await create(process.matches, creating(**more))
    assert process.memory.matches == {}
    assert process.memory.queues[DueQueue.IDLE] == {}
    await create(process.matches, creating(title=""))


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        ({f"k{number}": "" for number in range(MAX_LABELS)}, None),
        ({f"k{number}": "" for number in range(MAX_LABELS + 1)}, errors.Malformed),
        ({"a" * 32: "x"}, None),
        ({"a" * 33: "x"}, errors.Malformed),
        ({"": "x"}, errors.Malformed),
        ({"1a": "x"}, errors.Malformed),
        ({"a b": "x"}, errors.Malformed),
        ({"a": "x " * 32}, None),
        ({"a": "x " * 33}, errors.InvalidName),
    ],
)
def test_labels_are_few_and_short(labels: Mapping[str, str], error: Any):
    if error is None:
        assert dict(labels_of(Limits(), labels)) == labels
    else:
        with pytest.raises(error) as refused:
            labels_of(Limits(), labels)
        assert refused.value.metadata["field"] == "labels"
        if len(labels) > 1:
            assert refused.value.metadata["expected"] == "at most 8"


# ---------------------------------------------------------------- find


def finding(who: Identity = ANONYMOUS, name: str = "Dee", **more: Any) -> FindMatch:
    request_id = more.pop("request_id", "")
    fingerprint = more.pop("fingerprint", FINGERPRINT)
    return FindMatch(who, GAME, SETUP, name, 0, request_id, fingerprint, **more)


async def test_a_search_that_finds_nothing_opens_a_match_without_a_creator():
    process = Process()
    found = await find(process.matches, finding(account("dee")))
    match = found.match
    assert match is not None
    assert (found.seat, match.seats[0].name, match.seats[0].account) == (0, "Dee", "dee")
    assert match.seats[0].secret == digest_of(found.secret)
    assert (match.origin.creator, match.origin.creator_account) == (b"", "")
    assert (match.origin.start_when_full, match.origin.title) == (True, "")
    second = await find(process.matches, finding(name="Bob"))
    assert (second.match_id, second.seat) == (found.match_id, 1)
    assert second.match is not None
    assert second.match.status == PLAYING
    third = await find(process.matches, finding(name="Cy"))
    assert third.match_id != found.match_id


async def test_a_repeated_search_finds_its_seat_for_a_day():
    process = Process()
    other = Process(process)
    first = await find(process.matches, finding(request_id=ID))
    again = await find(other.matches, finding(request_id=ID))
    assert (again.match_id, again.seat, again.secret) == (first.match_id, 0, first.secret)
    assert again.match is None
    with pytest.raises(errors.RequestIdReused) as reused:
        await find(process.matches, finding(request_id=ID, fingerprint=NO_FINGERPRINT))
    assert reused.value.metadata == {"request_id": ID}
    [(_, until)] = process.memory.claims.values()
    assert until == T + KEEP_MS


def waiting(name: str, created: int, match: Match | None = None, **origin: Any) -> Match:
    """Return a match that waits for a second player."""
    made = match or open_match(seat("ann"), FREE)
    given = {"start_when_full": True, "match_id": name, "created_ms": created, **origin}
    fields = {field: getattr(made.origin, field) for field in made.origin.__struct_fields__}
    return made.replaced(origin=type(made.origin)(**{**fields, **given}))


async def test_the_match_that_has_waited_longest_is_found():
    process = Process()
    for name, created in (("late", 300), ("early", 100), ("middle", 200)):
        await process.hold(waiting(name, created))
    assert (await find(process.matches, finding())).match_id == "early"
    assert (await find(process.matches, finding())).match_id == "middle"


async def test_a_reserved_seat_is_found_like_any_other():
    process = Process()
    await process.hold(waiting("free", 100))
    reserved = open_match(seat("ann"), Seat(invited="dee"))
    await process.hold(waiting("reserved", 50, reserved))
    assert (await find(process.matches, finding())).match_id == "free"
    assert (await find(process.matches, finding(account("dee")))).match_id == "reserved"


async def test_a_seat_that_is_reserved_in_another_kind_of_match_is_not_found():
    process = Process()
    larger = open_match(seat("ann"), FREE, Seat(invited="dee"))
    await process.hold(waiting("larger", 50, larger))
    await process.hold(waiting("fit", 100))
    assert (await find(process.matches, finding(account("dee")))).match_id == "fit"


async def test_matches_that_take_nobody_are_passed_over_and_those_that_are_gone_forgotten():
    process = Process()
    worn = changed_often(open_match(seat("ann"), FREE), 5)
    frozen, gone, over, broken = (
        waiting(name, 100 + number) for number, name in enumerate(("frozen", "gone", "over", "odd"))
    )
    for match in (waiting("worn", 50, worn), frozen, gone, over, broken, waiting("fit", 200)):
        await process.hold(match)
    stored = process.memory.matches
    stored["frozen"] = stored["frozen"]._replace(frozen=ADMIN_PREFIX + b"why")
    stored["over"] = stored["over"]._replace(status=b"abandoned")
    stored["odd"] = stored["odd"]._replace(schema=99)
    process.memory.drop("gone")
    for name in ("gone", "over", "odd"):
        process.matches.forget(name)
    claims = 0
    claim = process.store.claim

    async def counting(*given: Any) -> bytes:
        nonlocal claims
        claims += 1
        claimed: bytes = await claim(*given)
        return claimed

    process.store.claim = counting
    assert (await find(process.matches, finding())).match_id == "fit"
    assert claims == 1
    index = candidates_index("champions", SETUP, None, PUBLIC_SPECTATORS, ())
    left = {key[12:] for key in process.memory.indexes[index]}
    assert left == {"worn", "frozen", "odd"}


async def test_a_search_whose_match_is_gone_finds_another():
    process = Process()
    await process.hold(waiting("first", 100))
    found = await find(process.matches, finding(request_id=ID))
    assert found.match_id == "first"
    process.memory.drop("first")
    process.matches.forget("first")
    again = await find(process.matches, finding(request_id=ID))
    assert again.match_id != "first"
    assert again.match is not None


async def test_the_name_of_who_searches_is_a_proper_one():
    process = Process()
    for request in (finding(name=""), finding(request_id="short"), finding(labels={"A": ""})):
        with pytest.raises(errors.Refused):
            await find(process.matches, request)
    assert process.memory.claims == {}


async def test_a_searching_caller_is_a_person_unless_they_say_otherwise():
    process = Process()
    for kind, expected in ((0, PERSON), (PROGRAM, PROGRAM)):
        found = await find(process.matches, replace(finding(name=f"Dee {kind}"), kind=kind))
        assert found.match is not None
        assert found.match.seats[found.seat].kind == expected


async def test_a_search_tries_a_limited_number_of_matches():
    gone = CommitResult(CommitStatus.NOT_FOUND)
    for failures, error in ((MAX_TRIED - 1, None), (MAX_TRIED, errors.Busy)):
        process = Process(tables=100)
        for number in range(MAX_TRIED + 1):
            await process.hold(waiting(f"m{number:02}", 100 + number))
        process.store.answers = [gone] * failures
        if error is None:
            assert (await find(process.matches, finding())).match_id == f"m{failures:02}"
        else:
            with pytest.raises(error):
                await find(process.matches, finding())
        assert len(process.store.commits) == MAX_TRIED


async def test_a_claim_belongs_to_the_request_that_made_it():
    process = Process()
    await process.hold(waiting("match", 100))
    name = digest_text(f"find/{ID}")
    await process.store.claim(name, NO_FINGERPRINT + b"match", b"", KEEP_MS)
    with pytest.raises(errors.RequestIdReused):
        await find(process.matches, finding(request_id=ID))
    assert (await find(process.matches, finding(request_id="q" * 16))).match_id == "match"


async def test_two_callers_who_open_a_match_at_once_share_one():
    process = Process()
    await process.hold(waiting("older", 100))
    index = candidates_index("champions", SETUP, None, PUBLIC_SPECTATORS, ())
    [key] = process.memory.indexes[index]
    process.memory.indexes[index].clear()
    index_add = process.store.index_add

    async def as_another_does(*given: Any) -> None:
        await index_add(key, index)  # it is listed when our own is
        await index_add(*given)

    process.store.index_add = as_another_does
    assert (await find(process.matches, finding())).match_id == "older"
    [opened] = [stored for name, stored in process.memory.matches.items() if name != "older"]
    assert opened.status == b"abandoned"


async def test_a_search_does_not_need_the_index():
    process = Process()

    async def lost(*given: Any) -> None:
        return

    process.store.index_add = lost
    found = await find(process.matches, finding())
    assert found.match is not None
    assert found.match.seats[0].name == "Dee"


@pytest.mark.parametrize("who", [ANONYMOUS, account("dee")])
async def test_a_search_looks_at_the_oldest_matches_only(who: Identity):
    """With an account, the seats that are reserved for it are looked at in the same way."""
    free = FREE if who is ANONYMOUS else Seat(invited="dee")
    process = Process(tables=1000)
    worn = changed_often(open_match(seat("ann"), free), 5)
    for number in range(MAX_SCANNED):
        await process.hold(waiting(f"m{number:03}", 100 + number, worn))
    await process.hold(waiting("last", 900, open_match(seat("ann"), free)))
    assert (await find(process.matches, finding(who))).match_id != "last"
    await process.hold(waiting("first", 50, open_match(seat("bob"), free)))
    assert (await find(process.matches, finding(who, "Eve"))).match_id == "first"


async def test_a_store_that_does_not_answer_ends_a_search():
    process = Process()
    await process.hold(waiting("match", 100))

    async def silent(names: Any) -> Any:
        raise errors.StoreUnavailable

    process.store.versions = silent
    with pytest.raises(errors.StoreUnavailable):
        await find(process.matches, finding())
    assert process.memory.claims == {}


# ---------------------------------------------------------------- rematch


def previous(*seats: Seat, **origin: Any) -> Match:
    match = playing(*(seats or (seat("ann"), seat("bob"))), **origin)
    return match.replaced(status=ABANDONED, withdrawn=Withdrawals(abandoned=True), pending={})


async def again(process: Process, who: Identity, request_id: str = "id") -> Any:
    return await join_rematch(process.matches, "match", who, request_id, FINGERPRINT)


async def test_the_first_player_who_asks_opens_the_rematch():
    process = Process()
    labels = (("club", "north"),)
    terms = TimeControl(60_000)
    await process.hold(previous(clock=terms, listing=Listing(labels), title="Winter"))
    joined = await again(process, caller("ann"))
    match = joined.match
    assert match is not None
    assert (joined.seats, match.seats[1].name) == ([1], "Ann")
    assert match.seats[1].secret == digest_of(joined.secret)
    origin, old = match.origin, process.stored.origin
    assert origin.listing == Listing(labels, unlisted=False, invitation_required=True)
    assert (origin.previous_match, origin.clock, origin.title) == ("match", terms, "Winter")
    assert (origin.start_when_full, origin.created_ms, origin.creator) == (True, T, old.creator)
    assert origin.secret != old.secret
    assert origin.chain != old.chain
    assert (len(origin.secret), len(origin.chain)) == (32, 32)
    assert process.stored.next_match == match.id
    second = await again(process, caller("bob"))
    assert (second.match_id, second.seats) == (match.id, [0])
    assert second.match is not None
    assert second.match.status == PLAYING
    repeated = await again(process, caller("bob"))
    assert (repeated.match, repeated.seats, repeated.secret) == (None, [0], second.secret)


async def test_accounts_are_invited_to_their_next_seats_and_bots_sit_there():
    process = Process()
    seats = (seat("ann", account="ann"), seat("bob", account="bob"), bot())
    await process.hold(previous(*seats))
    joined = await again(process, account("ann"))
    assert joined.match is not None
    assert [each.invited for each in joined.match.seats] == ["", "", "bob"]
    assert [each.account for each in joined.match.seats] == ["", "ann", ""]
    assert [each.bot for each in joined.match.seats] == ["random", "", ""]
    assert joined.match.seats[0].name == "Robot"


@pytest.mark.parametrize(
    ("policy", "listing", "unlisted"),
    [
        (SpectatorPolicy.PUBLIC, Listing(), False),
        (SpectatorPolicy.PUBLIC, Listing(unlisted=True), True),
        (SpectatorPolicy.DELAYED, Listing(), True),
    ],
)
async def test_no_list_says_by_a_rematch_that_a_delayed_match_is_over(policy, listing, unlisted):
    process = Process()
    delay = 1000 if policy == SpectatorPolicy.DELAYED else 0
    spectators = SpectatorSettings(policy, delay)
    await process.hold(previous(spectators=spectators, listing=listing))
    joined = await again(process, caller("ann"))
    assert joined.match is not None
    assert joined.match.origin.listing.unlisted == unlisted


@pytest.mark.parametrize(
    ("who", "error"),
    [
        (ANONYMOUS, errors.SecretMissing),
        (caller("eve"), errors.SecretInvalid),
        (account("eve"), errors.Forbidden),
    ],
)
async def test_only_players_meet_again(who: Identity, error: type[Exception]):
    process = Process()
    await process.hold(previous())
    with pytest.raises(error):
        await again(process, who)
    assert process.stored.next_match == ""


async def test_there_is_a_rematch_only_after_the_end():
    process = Process()
    await process.hold(playing(seat("ann"), seat("bob")))
    with pytest.raises(errors.NotFinished):
        await again(process, caller("ann"))


async def test_a_bot_account_opens_no_rematch_and_sits_down_at_one():
    process = Process()
    await process.hold(previous(seat("ann", account="ann"), seat("rob", account="rob")))
    robot = account("rob", Role.BOT)
    with pytest.raises(errors.Forbidden):
        await again(process, robot)
    assert process.stored.next_match == ""
    await again(process, account("ann"))
    assert (await again(process, robot)).seats == [0]


async def test_a_rematch_whose_server_died_before_the_match_named_it_is_completed():
    one = Process()
    await one.hold(previous())
    first = await again(one, caller("ann"))
    two = Process(one)
    stored = one.memory.matches["match"]
    one.memory.matches["match"] = stored._replace(next_match=b"")
    one.memory.records["match"].clear()
    second = await again(two, caller("bob"))
    assert second.match_id == first.match_id
    assert one.stored.next_match == first.match_id
