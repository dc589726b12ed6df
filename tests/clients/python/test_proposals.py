"""What players of a hosted match can do apart from answering, through both clients."""

import asyncio

import pytest

from taflhall_client import errors, sync
from taflhall_client.bots.random import Random
from taflhall_client.results import SeatKind, Status
from taflhall_engine.kernel.agenda import Undone
from taflhall_engine.kernel.replay import replay
from tests.waiting import LIMIT_SECONDS, settle


async def champions(client, people=2):
    """A match of two seats, with the leaders chosen and one quiet answer of seat 0."""
    match = await client.create("champions", {"seats": 2, "start_seat": 0})
    seats = [[seat for seat in range(2) if seat % people == n] for n in range(people)]
    players = [await match.join(f"Ann {n}", own) for n, own in enumerate(seats)]
    await match.start()
    for _ in range(2):
        await quiet(match, players)
    return match, players


async def quiet(match, players):
    """Give an answer that reveals nothing, if there is one; return the seat."""
    seat = (await match.get()).decisions[0].seat
    player = players[seat % len(players)]
    decision = await player.decision(seat)
    names = [type(option).__name__ for option in decision.options]
    await player.submit(names.index("TakeStock") if "TakeStock" in names else 0)
    return seat


async def test_an_answer_is_undone_by_consent(client):
    match, players = await champions(client)
    before = (await match.get()).match.revision
    seat = await quiet(match, players)
    mine, other = players[seat], players[1 - seat]
    proposal = (await mine.undo()).proposal
    assert (proposal.seat, proposal.to_revision) == (seat, before)
    assert (proposal.agreed, proposal.wanted) == ([seat], [1 - seat])
    assert not (await other.respond(False)).proposal
    with pytest.raises(errors.NoSuchProposal):
        await other.respond(True, proposal)
    with pytest.raises(errors.NoSuchProposal):
        await other.respond()
    await mine.undo(to_revision=before)
    info = await other.respond()
    assert (info.revision, info.proposal) == (before + 3 - 1, None)
    past = await match.view_at(info.revision)
    assert past.events == [Undone("", seat, 1)]
    assert (await mine.decision()).seat == seat
    with pytest.raises(errors.CannotUndo) as failed:
        await mine.undo()
    assert failed.value.earliest == info.revision


async def test_one_person_takes_back_at_once_and_gives_up_at_once(client):
    match, [player] = await champions(client, people=1)
    seat = await quiet(match, [player])
    info = await player.undo(seat)
    assert info.proposal is None
    info = await player.abandon()
    assert (info.status, info.finished) == (Status.ABANDONED, True)
    assert info.result.reasons == ["abandoned"]
    found = replay(client.game("champions"), await match.record())
    assert found.withdrawn.abandoned
    updates = [update async for update in match.watch()]
    assert updates[-1].status is Status.ABANDONED
    bot = Random(client.game("champions"))
    assert (await player.play(bot)).status is Status.ABANDONED


async def test_the_others_are_asked_before_a_match_is_abandoned(client):
    _, players = await champions(client)
    info = await players[0].abandon()
    assert info.status is Status.PLAYING
    assert info.proposal.to_revision is None
    assert (await players[1].respond(True, info.proposal)).status is Status.ABANDONED


async def test_a_bot_plays_for_a_person_until_the_seat_is_reclaimed(client):
    match, players = await champions(client)
    robo = await players[0].delegate("Robo", kind=SeatKind.BOT)
    seat = (await match.get()).match.seats[0]
    assert (seat.name, seat.kind, seat.deputy) == ("Robo", SeatKind.BOT, True)
    bot = asyncio.create_task(robo.play(Random(client.game("champions"))))
    revision = (await match.get()).match.revision
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await match.get()).match.revision < revision + 3:
            decisions = (await match.get()).decisions
            if decisions and decisions[0].seat == 1:
                await quiet(match, players)
            await settle()
    with pytest.raises(errors.Replaced):
        async with asyncio.timeout(LIMIT_SECONDS):
            await asyncio.gather(bot, _back(players[0]))
    assert not (await match.get()).match.seats[0].deputy
    with pytest.raises(errors.SecretInvalid):
        await robo.get()


async def _back(player):
    await settle()
    await player.reclaim()


async def test_a_watch_ends_when_the_seat_has_gone_to_another(client):
    match = await client.create("champions", {"seats": 2})
    ann = await match.join("Ann")
    watch = ann.watch()
    await anext(watch)
    await ann.leave()
    with pytest.raises(errors.Replaced):
        await anext(watch)
    assert (await match.get()).match.seats[0].kind is SeatKind.FREE
    info = await match.abandon()
    assert (info.status, info.result) == (Status.ABANDONED, None)


def test_all_of_it_without_asyncio(address):
    with sync.Client(address) as client:
        match = client.create("champions", {"seats": 2})
        ann, bob = match.join("Ann"), match.join("Bob")
        bob.leave()
        bob = match.join("Bob")
        match.start()
        with pytest.raises(errors.NothingToUndo):
            ann.undo()
        cid = ann.delegate("Cid")
        assert cid.get().match.seats[0].name == "Cid"
        assert not ann.reclaim().seats[0].deputy
        zoe = ann.delegate("Zoe", permanent=True)
        proposal = zoe.abandon().proposal
        assert proposal is not None
        assert proposal.wanted == [1]
        assert bob.respond(False).proposal is None
        zoe.abandon()
        assert bob.respond().status is Status.ABANDONED
