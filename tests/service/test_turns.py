"""Decisions of several seats at once, and resigning from a match that others go on with.

Played on the toy game Quay, whose sealed bids are given together, through the use cases alone.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.access.permissions import Action, CachedCaller
from taflhall_service.app.errors import IllegalCommand, StaleDecision
from taflhall_service.app.jobs.integrity import audit
from taflhall_service.app.jobs.pacing import Throttle
from taflhall_service.app.matches import table_update as turn
from taflhall_service.app.matches.create import CreateMatch, create
from taflhall_service.app.matches.join import JoinMatch, join
from taflhall_service.app.matches.proposals import (
    ProposeToPlayers,
    RespondToProposal,
    Undo,
    propose,
    respond,
)
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.start import StartMatch
from taflhall_service.app.matches.submit import ResignSeat, SubmitAnswers, submit
from taflhall_service.app.matches.transaction import NO_FINGERPRINT, act
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import FINISHED, Match
from taflhall_service.app.spectating import queries
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.store.memory import Memory, MemoryStore
from tests.engine.toy import QUAY, Setup
from tests.service.local_server import random_bytes

SEATS, ROUNDS = 3, 2


@pytest.fixture(autouse=True)
def quay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "quay", "quay.game:QuayGame")


class Tables:
    """Servers over one store, without any wire."""

    def __init__(self, servers: int = 1) -> None:
        memory = Memory()
        self.servers = []
        for _ in range(servers):
            store = MemoryStore(memory)
            self.servers.append(
                Matches(store, Hub(store), Limits(), memory.key, 10, random_bytes())
            )
        self.secrets: list[str] = []
        self.id = ""
        self.number = 0

    async def begin(self) -> Match:
        first = self.servers[0]
        setup = Setup(SEATS, ROUNDS)
        request = CreateMatch(ANONYMOUS, QUAY, setup, "", False, "", NO_FINGERPRINT)
        made = await create(first, request)
        self.id = made.match.id
        for seat in range(SEATS):
            joining = JoinMatch.of(
                first.limits, ANONYMOUS, [seat], f"Ann {seat}", 1, "", NO_FINGERPRINT
            )
            self.secrets.append((await join(first, self.id, joining)).secret)
        started = await act(first, self.id, StartMatch(Identity(made.secret)))
        assert started.match is not None
        return started.match

    async def answer(
        self, seat: int, decision_id: str, answer: turn.Answer = 0, server: int = 0
    ) -> Match:
        self.number += 1
        submission = SubmitAnswers(
            CachedCaller(Action.SUBMIT_ANSWERS, Identity(self.secrets[seat])),
            decision_id,
            str(self.number),
            [answer],
            NO_FINGERPRINT,
            Limits().match_commands,
        )
        return (await submit(self.servers[server], self.id, submission)).match

    async def resign(self, seat: int) -> Match:
        self.number += 1
        resignation = ResignSeat(
            Identity(self.secrets[seat]), None, str(self.number), NO_FINGERPRINT
        )
        resigned = await act(self.servers[0], self.id, resignation)
        assert resigned.match is not None
        return resigned.match


async def together(tables: Tables) -> Match:
    """Go on until every seat has to decide at the same time."""
    match = await tables.begin()
    while len(match.pending) < SEATS:
        seat, decision_id = next(iter(match.pending.items()))
        match = await tables.answer(seat, decision_id)
    return match


async def test_the_answer_of_one_seat_leaves_the_others_decisions_as_they_are():
    tables = Tables()
    match = await together(tables)
    before = dict(match.pending)
    assert len(set(before.values())) == SEATS
    match = await tables.answer(1, before[1])
    assert match.pending == {0: before[0], 2: before[2]}
    match = await tables.answer(0, before[0])
    assert match.pending == {2: before[2]}
    match = await tables.answer(2, before[2])
    assert not set(match.pending.values()) & set(before.values())
    with pytest.raises(StaleDecision):
        await tables.answer(1, before[1])


async def test_no_decision_id_comes_twice():
    tables, rng = Tables(), random.Random(8)
    match = await tables.begin()
    seen: dict[str, Any] = {}
    while match.status != FINISHED:
        for seat, decision_id in match.pending.items():
            kind = seen.setdefault(decision_id, (seat, type(match.step)))
            assert kind == (seat, type(match.step))
        seat = rng.choice(list(match.pending))
        answered = match.pending[seat]
        option = rng.randrange(len(match.options(seat)))
        match = await tables.answer(seat, answered, option)
        assert answered not in match.pending.values()
    assert len(seen) >= ROUNDS * SEATS  # everybody bids in every round


async def test_seats_that_answer_at_the_same_time_on_different_servers_do_not_collide():
    tables = Tables(SEATS)
    match = await together(tables)
    pending = dict(match.pending)
    for server in tables.servers:
        await server.current(tables.id)
    await asyncio.gather(
        *[tables.answer(seat, pending[seat], server=seat) for seat in range(SEATS)]
    )
    after = await tables.servers[0].current(tables.id)
    assert after.revision == match.revision + SEATS
    assert sum(server.conflicts for server in tables.servers) > 0
    for server in tables.servers[1:]:
        assert (await server.current(tables.id)).version == after.version


async def test_a_resigned_seat_gets_neutral_answers_and_is_last():
    tables, rng = Tables(), random.Random(1)
    match = await tables.begin()
    match = await tables.resign(1)
    assert match.withdrawn.resigned == (1,)
    assert match.status != FINISHED
    assert (await tables.resign(1)).version == match.version
    while match.status != FINISHED:
        assert 1 not in match.pending
        seat = rng.choice(list(match.pending))
        option = rng.randrange(len(match.options(seat)))
        match = await tables.answer(seat, match.pending[seat], option)
    assert match.result is not None
    assert not match.result.won[1]
    assert match.result.places[1] == SEATS
    assert "resigned" in match.result.reasons
    record = await queries.record(Spectators(tables.servers[0]), tables.id, ANONYMOUS)
    assert [c.command == RESIGN for c in record.commands].count(True) == 1
    tables.servers[0].forget(tables.id)
    again = await tables.servers[0].fresh(tables.id)
    assert (again.result, again.withdrawn) == (match.result, match.withdrawn)


async def test_when_one_seat_is_left_the_match_is_over_and_it_has_won():
    tables = Tables()
    match = await tables.begin()
    for seat in range(SEATS - 1):
        assert match.status != FINISHED
        match = await tables.resign(seat)
    assert match.status == FINISHED
    assert match.result is not None
    assert match.result.places == list(range(SEATS, 0, -1))
    assert match.result.won == [seat == SEATS - 1 for seat in range(SEATS)]


async def test_a_command_that_cannot_be_judged_is_refused_not_fatal():
    """The numbers of a command come from outside: any invalid number is refused."""
    tables = Tables()
    match = await tables.begin()
    seat, decision_id = next(iter(match.pending.items()))
    commands = {type(command): len(command.fields()) for command in match.options(seat)}
    for number in (-(2**31), -1, 99, 2**31 - 1):
        for kind, fields in commands.items():
            given = turn.CommandAnswer("quay", kind(*[number] * fields))
            if given.command not in match.options(seat):
                with pytest.raises(IllegalCommand):
                    await tables.answer(seat, decision_id, given)
    assert (await tables.servers[0].current(tables.id)).revision == match.revision


async def test_an_undo_among_simultaneous_decisions_asks_all_again():
    tables = Tables()
    match = await together(tables)
    at, before = match.revision, dict(match.pending)
    await tables.answer(1, before[1])
    match = await tables.answer(0, before[0])
    assert list(match.pending) == [2]
    server, tables.number = tables.servers[0], tables.number + 1

    def identity(seat: int) -> Identity:
        return Identity(tables.secrets[seat])

    proposing = ProposeToPlayers(
        identity(1), None, Undo(), "take back", NO_FINGERPRINT, server.limits
    )
    proposed, number = await propose(server, tables.id, proposing)
    assert proposed is not None
    assert proposed.proposal is not None
    assert proposed.proposal.to_revision == at
    for seat in (0, 2):
        agreeing = RespondToProposal(
            identity(seat), None, number, True, f"yes {seat}", NO_FINGERPRINT, server.limits
        )
        agreed = (await respond(server, tables.id, agreeing)).match
        assert agreed is not None
        match = agreed
    assert match.revision == at + 3
    assert list(match.pending) == [0, 1, 2]
    assert not set(match.pending.values()) & set(before.values())
    with pytest.raises(StaleDecision):
        await tables.answer(2, before[2])
    for seat, decision_id in list(match.pending.items()):
        match = await tables.answer(seat, decision_id)
    found = await server.store.load(tables.id)
    assert found is not None
    assert await audit(server.store, found, Throttle(1.0)) == match.revision
