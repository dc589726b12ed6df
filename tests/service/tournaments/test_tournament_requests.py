"""What callers make of a tournament, and what they are refused, as values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_engine import registry
from taflhall_engine.champions.setup import Setup
from taflhall_engine.kernel.snapshot import dump
from taflhall_engine.yggdrasil.setup import Setup as YggdrasilSetup
from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.matches.seats import PERSON, PROGRAM
from taflhall_service.app.matches.transaction import MAX_ATTEMPTS
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.tournaments.listing import PAGE, index_key, index_of, repair_listing
from taflhall_service.app.tournaments.model import (
    CANCELLED,
    FINISHED,
    FREE_FOR_ALL,
    GAUNTLET,
    KNOCKOUT,
    MAX_AT_ONCE,
    MAX_ENTRANTS,
    MAX_ROUNDS,
    NAMESPACE,
    OPEN,
    PLAYING,
    ROUND_ROBIN,
    SWISS,
    Entrant,
    MatchResult,
    Tournament,
    pack,
)
from tests.service.requests.matches import FINGERPRINT, account
from tests.service.requests.process import T
from tests.service.tournaments.values import CLOCK, HOST, Office, request

ANN, BOB, CY = (account(name, Role.BOT) for name in ("ann", "bob", "cy"))


async def refusal(call: Awaitable[Any]) -> tuple[str, dict[str, str]]:
    """Return why a call is refused, and what it says about that."""
    with pytest.raises(errors.Refused) as caught:
        await call
    return type(caught.value).__name__, caught.value.metadata


# ---------------------------------------------------------------- create


async def test_a_tournament_is_as_it_was_asked_for():
    office = Office()
    made = await office.tournaments.create(request(rounds=3, at_once=2))
    assert made == Tournament(
        made.id,
        FINGERPRINT,
        "Cup",
        "champions",
        dump(Setup(2)),
        2,
        ROUND_ROBIN,
        3,
        2,
        CLOCK,
        4,
        "host",
        T,
    )
    assert await office.tournaments.get(made.id) == made
    assert made.laid_out() == Setup(2)


async def test_fields_left_out_have_their_defaults():
    office = Office()
    made = await office.tournaments.create(request(rounds=0, at_once=0, max_entrants=0))
    assert (made.rounds, made.at_once, made.max_entrants) == (1, 1, MAX_ENTRANTS)


@pytest.mark.parametrize(
    ("field", "stated", "least", "most"),
    [
        ("rounds", "rounds", 1, MAX_ROUNDS),
        ("at_once", "matches_at_once", 1, MAX_AT_ONCE),
        ("max_entrants", "max_entrants", 2, MAX_ENTRANTS),
    ],
)
async def test_a_number_has_its_range(field: str, stated: str, least: int, most: int):
    for value in (least, most):
        made = await Office().tournaments.create(request(**{field: value}))
        assert getattr(made, field) == value
    for value in (least - 1 or -1, most + 1):
        call = Office().tournaments.create(request(**{field: value}))
        expected = {"field": stated, "expected": f"{least} to {most}"}
        assert await refusal(call) == ("Malformed", expected)


@pytest.mark.parametrize("kind", [ROUND_ROBIN, SWISS, KNOCKOUT, GAUNTLET, FREE_FOR_ALL])
async def test_in_a_cooperative_game_nobody_meets_anybody(kind: int):
    asked = request(game=registry.game("yggdrasil"), setup=YggdrasilSetup([0, 1]), format=kind)
    if kind in (ROUND_ROBIN, SWISS):
        made = await Office().tournaments.create(asked)
        assert (made.seats, made.group) == (2, 1)
    else:
        expected = {"field": "format", "expected": "round robin in a cooperative game"}
        assert await refusal(Office().tournaments.create(asked)) == ("Malformed", expected)
        made = await Office().tournaments.create(request(format=kind))
        assert (made.seats, made.group) == (2, 2)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"identity": ANONYMOUS}, "AccountRequired"),
        ({"name": ""}, "InvalidName"),
        ({"request_id": ""}, "InvalidName"),
        ({"setup": Setup(9)}, "InvalidSetup"),
        ({"time_control": TimeControl(-1)}, "InvalidTimeControl"),
    ],
)
async def test_a_request_for_a_tournament_is_checked(fields: dict[str, Any], error: str):
    office = Office()
    assert (await refusal(office.tournaments.create(request(**fields))))[0] == error
    assert await office.listed(index_of(0)) == []


async def test_a_request_that_is_sent_again_finds_its_tournament():
    office = Office()
    made = await office.cup("ann")
    again = await office.tournaments.create(request())
    assert again == made
    assert await refusal(office.tournaments.create(request(fingerprint=b"o" * 16))) == (
        "RequestIdReused",
        {"request_id": "r" * 16},
    )
    other = await office.tournaments.create(request(request_id="s" * 16))
    theirs = await office.tournaments.create(request(identity=account("other", Role.HOST)))
    assert len({made.id, other.id, theirs.id}) == 3


async def test_two_servers_that_create_a_tournament_at_once_find_the_first():
    office = Office()
    made = await office.tournaments.create(request())
    office.process.clock[0] += 1
    office.accounts.too_early = 1
    assert await office.tournaments.create(request()) == made


# ---------------------------------------------------------------- enter and withdraw


async def test_an_account_enters_once_under_its_name_and_with_its_kind():
    office = Office()
    made = await office.cup()
    await office.tournaments.enter(ANN, made.id, "Anna")
    again = await office.tournaments.enter(ANN, made.id, "Other")
    entered = await office.tournaments.enter(account("bob", Role.PLAYER), made.id, "")
    assert again.entrants == (Entrant("ann", "Anna", PROGRAM),)
    assert entered.entrants == (*again.entrants, Entrant("bob", "Bob", PERSON))
    assert await office.tournaments.get(made.id) == entered
    assert entered.entrant("bob") == entered.entrants[1]
    assert entered.entrant("cy") is None


async def test_an_entry_that_is_not_allowed_is_refused_with_the_reason():
    office = Office()
    made = await office.cup("ann", max_entrants=2)
    enter = office.tournaments.enter
    assert (await refusal(enter(ANONYMOUS, made.id, "")))[0] == "AccountRequired"
    assert (await refusal(enter(BOB, made.id, "n" * 65)))[0] == "InvalidName"
    assert await refusal(enter(BOB, made.id, "ANN")) == ("NameTaken", {"name": "ANN"})
    await enter(BOB, made.id, "")
    assert await refusal(enter(CY, made.id, "")) == ("TournamentFull", {"limit": "2"})
    await office.tournaments.start(HOST, made.id)
    started = {"tournament_id": made.id}
    assert await refusal(enter(CY, made.id, "")) == ("TournamentStarted", started)
    assert len((await enter(ANN, made.id, "")).entrants) == 2


async def test_an_entrant_withdraws_without_a_trace_before_the_start_only():
    office = Office()
    made = await office.cup("ann", "bob", "cy")
    withdraw = office.tournaments.withdraw
    left = await withdraw(ANN, made.id, "")
    assert [each.account for each in left.entrants] == ["bob", "cy"]
    assert left.withdrawn == frozenset()
    await office.tournaments.start(HOST, made.id)
    gone = await withdraw(HOST, made.id, "cy")
    assert [(each.account, each.withdrawn) for each in gone.entrants] == [
        ("bob", False),
        ("cy", True),
    ]
    assert gone.withdrawn == {"cy"}
    assert await office.tournaments.get(made.id) == gone


async def test_a_withdrawal_that_is_not_allowed_is_refused_with_the_reason():
    office = Office()
    made = await office.started("ann", "bob")
    withdraw, named = office.tournaments.withdraw, {"tournament_id": made.id}
    assert (await refusal(withdraw(ANONYMOUS, made.id, "ann")))[0] == "AccountRequired"
    assert (await refusal(withdraw(BOB, made.id, "ann")))[0] == "Forbidden"
    assert await refusal(withdraw(CY, made.id, "")) == ("NotEntered", named)
    assert await refusal(withdraw(HOST, made.id, "")) == ("NotEntered", named)
    assert (await withdraw(BOB, made.id, "bob")).withdrawn == {"bob"}
    for ended in (CANCELLED, FINISHED):
        await put(office, replace(made, status=ended))
        assert await refusal(withdraw(ANN, made.id, "")) == ("TournamentOver", named)


async def put(office: Office, tournament: Tournament) -> None:
    """Store a tournament over what is there."""
    (before,) = await office.accounts.read(NAMESPACE, [tournament.id])
    assert await office.accounts.compare_and_set(NAMESPACE, tournament.id, pack(tournament), before)


# ---------------------------------------------------------------- start, cancel, end


async def test_a_tournament_starts_once_and_ends_once():
    office = Office()
    made = await office.cup("ann", "bob")
    start, cancel, finish = (
        office.tournaments.start,
        office.tournaments.cancel,
        office.tournaments.finish,
    )
    assert await finish(made.id, FINISHED) == made  # it is not played yet
    started = await start(HOST, made.id)
    assert started == replace(made, status=PLAYING, started_ms=T)
    office.process.clock[0] += 5
    assert await start(HOST, made.id) == started
    over = await finish(made.id, FINISHED)
    assert over == replace(started, status=FINISHED, ended_ms=T + 5)
    named = {"tournament_id": made.id}
    assert await refusal(start(HOST, made.id)) == ("TournamentOver", named)
    assert await refusal(cancel(HOST, made.id)) == ("TournamentOver", named)
    assert await finish(made.id, CANCELLED) == over


async def test_a_tournament_is_cancelled_before_or_after_its_start():
    for begun in (False, True):
        office = Office()
        made = await (office.started if begun else office.cup)("ann", "bob")
        over = await office.tournaments.cancel(HOST, made.id)
        assert over == replace(made, status=CANCELLED, ended_ms=T)
        office.process.clock[0] += 5
        assert await office.tournaments.cancel(HOST, made.id) == over
        refused = await refusal(office.tournaments.start(HOST, made.id))
        assert refused == ("TournamentOver", {"tournament_id": made.id})


async def test_only_the_creator_starts_or_cancels():
    office = Office()
    made = await office.cup("ann", "bob")
    for call in (office.tournaments.start, office.tournaments.cancel):
        for identity, error in ((ANN, "Forbidden"), (ANONYMOUS, "AccountRequired")):
            assert (await refusal(call(identity, made.id)))[0] == error
    assert (await office.tournaments.get(made.id)).status == OPEN


async def test_a_match_of_a_started_tournament_finds_enough_entrants():
    office = Office()
    made = await office.cup("ann")
    refused = await refusal(office.tournaments.start(HOST, made.id))
    assert refused == ("TooFewEntrants", {"least": "2"})
    await office.tournaments.enter(BOB, made.id, "")
    assert (await office.tournaments.start(HOST, made.id)).status == PLAYING


async def test_a_tournament_has_at_most_5000_matches():
    """In a round of this gauntlet the first of 51 meets each of the 50 others twice."""
    office = Office()
    names = [f"a{number}" for number in range(51)]
    made = await office.cup(*names, max_entrants=51, format=GAUNTLET, rounds=51)
    refused = await refusal(office.tournaments.start(HOST, made.id))
    assert refused == ("Malformed", {"field": "rounds", "expected": "at most 5000 matches"})
    await put(office, replace(made, rounds=50))
    assert (await office.tournaments.start(HOST, made.id)).status == PLAYING


# ---------------------------------------------------------------- the store


async def test_an_unknown_tournament_is_not_found():
    office = Office()
    get = office.tournaments.get
    assert await refusal(get("x" * 70)) == ("TournamentNotFound", {"tournament_id": "x" * 64})
    expected = {"field": "tournament_id", "expected": "the id of a tournament"}
    assert await refusal(get("")) == ("Malformed", expected)


async def test_a_change_is_tried_again_when_another_came_before_it():
    office = Office()
    made = await office.cup()
    office.accounts.too_late = MAX_ATTEMPTS - 1
    assert len((await office.tournaments.enter(ANN, made.id, "")).entrants) == 1
    office.accounts.too_late = MAX_ATTEMPTS
    assert await refusal(office.tournaments.enter(BOB, made.id, "")) == ("Busy", {})


async def test_a_tournament_is_in_the_index_of_its_status_alone():
    office = Office()
    made = await office.cup("ann", "bob")
    key = index_key(made)
    assert key == f"{T:014}{made.id}"

    async def indexes() -> list[int]:
        statuses = (0, OPEN, PLAYING, FINISHED, CANCELLED)
        return [each for each in statuses if await office.listed(index_of(each)) == [key]]

    assert await indexes() == [0, OPEN]
    await office.tournaments.enter(CY, made.id, "")
    assert await indexes() == [0, OPEN]
    await office.tournaments.start(HOST, made.id)
    assert await indexes() == [0, PLAYING]
    await office.tournaments.cancel(HOST, made.id)
    assert await indexes() == [0, CANCELLED]


async def many(office: Office, count: int) -> list[Tournament]:
    """Create tournaments one after the other; return them, the newest first."""
    made = []
    for number in range(count):
        made.append(await office.tournaments.create(request(request_id=f"{number:016}")))
        office.process.clock[0] += 1
    return made[::-1]


async def test_pages_show_the_newest_first_and_only_those_with_the_status():
    office = Office()
    made = await many(office, 7)
    for number in (1, 2):
        made[number] = await office.tournaments.cancel(HOST, made[number].id)
    page = office.tournaments.page
    assert await page(0, "", 3) == made[:3]
    assert await page(0, index_key(made[2]), 3) == made[3:6]
    assert await page(0, index_key(made[5]), 3) == made[6:]
    assert await page(0, index_key(made[6]), 3) == []
    assert await page(CANCELLED, "", 3) == made[1:3]
    for stale in made[1:3]:
        await office.process.store.index_add(index_key(stale), index_of(OPEN))
    await office.process.store.index_add(f"{T + 99:014}lost", index_of(OPEN))
    assert await page(OPEN, "", 2) == [made[0], made[3]]
    assert await page(OPEN, "", 4) == [made[0], *made[3:6]]


async def test_a_page_is_read_at_once_where_the_index_names_no_others():
    office = Office()
    made = await many(office, 4)
    store = office.process.store
    index_page, reads = store.index_page, []

    async def counted(last: str, count: int, index: str) -> Any:
        reads.append(last)
        return await index_page(last, count, index)

    store.index_page = counted
    for last in ("", index_key(made[2])):
        assert await office.tournaments.page(0, last, 3)
    assert len(reads) == 2


async def test_a_listing_that_was_lost_is_repaired():
    office = Office()
    open_one, started = await office.cup(), await office.started("a", "b", request_id="s" * 16)
    wanted = {index: await office.listed(index_of(index)) for index in (0, OPEN, PLAYING)}
    for index, keys in wanted.items():
        for key in keys:
            await office.process.store.index_remove(key, index_of(index))
    await repair_listing(office.process.store)
    assert {index: await office.listed(index_of(index)) for index in wanted} == wanted
    assert index_key(open_one) in wanted[OPEN]
    assert wanted[PLAYING] == [index_key(started)]


async def test_what_is_played_is_found_and_what_has_ended_forgotten():
    office = Office()
    made = await many(office, PAGE + 2)
    for each in made:
        await office.process.store.index_add(index_key(each), index_of(PLAYING))
    await office.process.store.index_add(f"{T:014}lost", index_of(PLAYING))
    await put(office, replace(made[0], status=PLAYING))
    await put(office, replace(made[-1], status=PLAYING))
    for number, ended in ((1, FINISHED), (2, CANCELLED)):
        await put(office, replace(made[number], status=ended))
    found = await office.tournaments.playing()
    assert [each.id for each in found] == [made[0].id, made[-1].id]
    left = set(office.process.memory.indexes[index_of(PLAYING)])
    assert left == {index_key(each) for each in (made[0], *made[3:])}


async def test_the_first_result_of_a_match_stands():
    office = Office()
    made = await office.started("ann", "bob")
    first, second = (MatchResult(name, (1, 2), (True, False), ()) for name in ("m", "n"))
    assert await office.tournaments.record(made.id, 1, first)
    assert not await office.tournaments.record(made.id, 1, second)
    assert (await office.tournaments.progress(made.id)).results == {1: first}


async def test_a_match_is_set_aside_as_often_as_it_had_been_once_more():
    office = Office()
    made = await office.started("ann", "bob")
    for tries, counted in ((0, 1), (0, 1), (1, 2), (2, 3), (1, 3)):
        await office.tournaments.set_aside(made.id, 1, tries)
        progress = await office.tournaments.progress(made.id)
        assert (progress.set_aside, progress.results) == ({1: counted}, {})


async def test_an_observer_sees_the_mark_of_the_last_progress():
    office = Office()
    made = await office.started("ann", "bob")
    observe = office.tournaments.observe
    assert await observe(made.id) == (made, b"")
    for mark in (b"one", b"one", b"two"):
        await office.tournaments.note_progress(made.id, mark)
        assert await observe(made.id) == (made, mark)
    office.accounts.too_late = 1
    await office.tournaments.note_progress(made.id, b"two")
    assert office.accounts.too_late == 1  # it stands there already
    assert (await refusal(observe("nowhere")))[0] == "TournamentNotFound"


# ---------------------------------------------------------------- other rules


async def test_a_tournament_of_unknown_rules_says_so():
    made = await Office().cup()
    calls: list[Callable[[], object]] = [
        lambda: replace(made, game="tafl").rules,
        lambda: replace(made, game="yggdrasil").laid_out(),
    ]
    for call in calls:
        with pytest.raises(errors.RulesTooNew) as refused:
            call()
        assert refused.value.metadata == {"match_id": made.id}
