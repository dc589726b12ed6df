"""The match of a pairing: it is opened once, its entrants sit there, and may resign."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.champions.setup import Setup
from taflhall_engine.yggdrasil.setup import Setup as YggdrasilSetup
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.matches.seats import PROGRAM
from taflhall_service.app.matches.transaction import SERVER, act
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Listing, Seat
from taflhall_service.app.tournaments.model import Tournament
from taflhall_service.app.tournaments.schedule import Pairing
from taflhall_service.app.tournaments.seating import ResignEntrant, SeatEntrants, match_id, seat
from tests.service.requests.matches import account, does_nothing, open_match, playing, prepared
from tests.service.requests.matches import seat as sitting
from tests.service.requests.process import T
from tests.service.tournaments.values import CLOCK, Office

FIRST = Pairing(0, 1, ("ann", "bob"))


async def seated(office: Office, cup: Tournament, pairing: Pairing) -> Match:
    await seat(office.matches, cup, pairing)
    return await office.matches.fresh(match_id(office.matches.server_key, cup, pairing))


async def test_the_entrants_of_a_pairing_sit_in_its_match_which_has_started():
    office = Office()
    cup = await office.started("ann", "bob")
    match = await seated(office, cup, FIRST)
    assert [(each.name, each.kind, each.account) for each in match.seats] == [
        ("Ann", PROGRAM, "ann"),
        ("Bob", PROGRAM, "bob"),
    ]
    assert (match.status, match.started_ms, match.setup) == (PLAYING, T, Setup(2))
    assert match.clocks is not None
    origin = match.origin
    assert (origin.title, origin.clock, origin.start_when_full) == ("Cup", CLOCK, False)
    assert origin.listing == Listing((("tournament", cup.id),), invitation_required=True)
    assert (origin.creator, origin.creator_account) == (b"", "")
    secrets = {each.secret for each in match.seats}
    assert len(secrets) == 2
    assert b"" not in secrets


async def test_a_pairing_that_is_seated_again_has_the_same_match():
    office = Office()
    cup = await office.started("ann", "bob")
    match = await seated(office, cup, FIRST)
    assert await seated(office, cup, FIRST) is match


async def test_a_match_that_was_opened_and_not_started_is_started():
    office = Office()
    cup = await office.started("ann", "bob")
    match = await seated(office, cup, FIRST)
    memory = office.process.memory
    stored = memory.matches[match.id]
    empty: dict[str, Any] = {
        "status": OPEN.encode(),
        "seats": b"\x92\x90\x90",
        "snapshot": b"",
        "clocks": b"",
    }
    memory.matches[match.id] = stored._replace(**empty)
    del memory.records[match.id]["seat-entrants:"]
    office.matches.forget(match.id)
    assert (await office.matches.fresh(match.id)).status == OPEN
    again = await seated(office, cup, FIRST)
    assert (again.status, again.seats) == (PLAYING, match.seats)
    assert again.table is not None


def test_every_try_of_every_pairing_of_every_tournament_has_a_match_of_its_own():
    cups = [Tournament(name, b"", *([None] * 11)) for name in ("one", "two")]  # type: ignore[arg-type]
    pairings = [Pairing(index, 1, (), tries) for index in (0, 1, 2) for tries in (0, 1, 2)]
    keys = (bytes(32), b"k" * 32)
    ids = {match_id(key, cup, each) for key in keys for cup in cups for each in pairings}
    assert len(ids) == 36


async def test_an_entrant_has_all_seats_of_a_cooperative_match_and_ends_it_by_resigning():
    office = Office()
    yggdrasil = {"game": registry.game("yggdrasil"), "setup": YggdrasilSetup([0, 1])}
    cup = await office.started("ann", **yggdrasil)
    match = await seated(office, cup, Pairing(0, 1, ("ann", "ann")))
    assert [each.account for each in match.seats] == ["ann", "ann"]
    after = (await act(office.matches, match.id, ResignEntrant("ann"))).match
    assert after is not None
    assert after.status == FINISHED


def test_an_entrant_resigns_a_seat_once_while_others_play_on():
    names = ("ann", "bob", "cy")
    match = playing(*(sitting(name, account=name) for name in names))
    gone = prepared(ResignEntrant("bob"), match).match
    assert (gone.status, gone.withdrawn.seats) == (PLAYING, (1,))
    assert does_nothing(ResignEntrant("bob"), gone)
    assert prepared(ResignEntrant("ann"), gone).match.withdrawn.seats == (1, 0)
    keys = {ResignEntrant(name).key(each, SERVER) for name in names for each in (match, gone)}
    assert len(keys) == 6


@pytest.mark.parametrize(("name", "winner"), [("ann", 1), ("bob", 0), ("cy", None)])
async def test_an_entrant_resigns_a_match_while_it_is_played(name: str, winner: int | None):
    office = Office()
    cup = await office.started("ann", "bob")
    match = await seated(office, cup, FIRST)
    for _ in range(2):
        await act(office.matches, match.id, ResignEntrant(name))
    after = await office.matches.fresh(match.id)
    assert after.status == (PLAYING if winner is None else FINISHED)
    assert after.revision == (0 if winner is None else 1)
    if winner is not None:
        assert after.result is not None
        assert after.result.won[winner]


def test_entrants_sit_down_in_an_open_match_only():
    entrants = SeatEntrants((sitting("ann"), sitting("bob")))
    assert does_nothing(entrants, playing(sitting("cy"), sitting("dee")))
    assert prepared(entrants, open_match(Seat(), Seat())).match.seats == entrants.seats


async def test_an_entrant_who_is_a_person_is_one_in_the_match():
    office = Office()
    cup = await office.cup("ann")
    cup = await office.tournaments.enter(account("bob", Role.PLAYER), cup.id, "Bobby")
    match = await seated(office, cup, FIRST)
    assert [each.name for each in match.seats] == ["Ann", "Bobby"]
    assert match.seats[1].kind != match.seats[0].kind
