"""The asynchronous client against a real server."""

import asyncio
import threading

import pytest

from taflhall_client import errors
from taflhall_client.bots.random import Random
from taflhall_client.results import Durability, Restart, SeatKind, Status
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import SPECTATOR, Answered, Resigned
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_engine.kernel.replay import replay
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.setup import Setup

GAME = registry.game("yggdrasil")


async def playing(client, seats=2, **setup):
    """Open, fill and start a match; return the creator's and each seat's place in it."""
    match = await client.create("yggdrasil", {"seats": seats, **setup})
    players = [await match.join(f"player {seat}") for seat in range(seats)]
    await match.start()
    return match, players


async def active(match, players):
    """Return the seat that decides, with its decision."""
    decisions = (await match.get()).decisions
    player = players[decisions[0].seat]
    return player, await player.decision()


async def test_the_catalogue_is_that_of_the_engine(client):
    games = {info.id: info for info in await client.games()}
    info = games["yggdrasil"]
    assert info.rules_version == GAME.version
    assert info.data_digest == GAME.data_digest
    assert info.cooperative
    assert info.setup["spread_evenly"] is True


async def test_a_match_is_opened_filled_and_started(client):
    match = await client.create("yggdrasil", Setup(seats=2, furious=3), title="evening")
    before = (await match.get()).match
    assert (before.status, before.title, before.setup) == (
        Status.OPEN,
        "evening",
        Setup(seats=2, furious=3),
    )
    assert [seat.kind for seat in before.seats] == [SeatKind.FREE] * 2
    ann = await match.join("Ann")
    bob = await match.join("Bob", [1], SeatKind.BOT)
    assert (ann.seats, bob.seats) == ([0], [1])
    assert len({ann.secret, bob.secret, match.secret}) == 3
    after = await match.start()
    assert after.status is Status.PLAYING
    assert [(seat.name, seat.kind) for seat in after.seats] == [
        ("Ann", SeatKind.PERSON),
        ("Bob", SeatKind.BOT),
    ]
    assert after.secret_digest == before.secret_digest
    assert not after.secret


async def test_a_match_may_start_when_it_is_full(client):
    match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
    both = await match.join("Ann", [0, 1])
    assert both.seats == [0, 1]
    assert (await match.get()).match.status is Status.PLAYING


async def test_options_and_views_are_the_engines_own_values(client):
    match, players = await playing(client)
    player, decision = await active(match, players)
    assert decision is not None
    state = await player.get(view=True, options=True)
    assert state.view is not None
    assert state.view.seat == decision.seat
    table = GAME.imagine(state.view, FastChance(1))
    assert GAME.view(table, decision.seat) == state.view
    assert (await match.get(view=True)).view.seat == SPECTATOR
    other = players[1 - decision.seat]
    assert await other.decision() is None


async def test_a_decision_is_answered_by_index_command_or_list(client):
    match, players = await playing(client)
    player, decision = await active(match, players)
    assert decision is not None
    first = await player.submit(0)
    assert first.revision == 1
    assert first.durability is Durability.MEMORY
    assert isinstance(first.events[0], Answered)
    assert first.events[0].command == decision.options[0]
    player, decision = await active(match, players)
    assert decision is not None
    second = await player.submit(decision.options[-1], decision)
    assert second.revision == 2
    player, decision = await active(match, players)
    assert decision is not None
    third = await player.submit([decision.options[0], END_TURN, END_TURN], decision)
    assert third.applied >= 1
    assert third.revision == 2 + third.applied


async def test_the_same_request_has_one_effect(client):
    match, players = await playing(client)
    player, decision = await active(match, players)
    first = await player.submit(0, decision, request_id="once")
    again = await player.submit(0, decision, request_id="once")
    assert (first.replayed, again.replayed) == (False, True)
    assert first.revision == again.revision == 1
    with pytest.raises(errors.RequestIdReused):
        await player.submit(1, decision, request_id="once")


async def test_every_refusal_is_an_error_of_its_name(client):
    match, players = await playing(client)
    player, decision = await active(match, players)
    other = players[1 - decision.seat]
    wrong = registry.game("yggdrasil").types["SendVikings"](9)
    with pytest.raises(errors.IllegalCommand) as e:
        await player.submit(wrong, decision)
    assert e.value.refusal
    with pytest.raises(errors.NoSuchOption):
        await player.submit(999, decision)
    with pytest.raises(errors.NotYourSeat):
        await other.submit(0, decision)
    await player.submit(0, decision)
    with pytest.raises(errors.StaleDecision) as stale:
        await player.submit(0, decision)
    assert stale.value.metadata
    with pytest.raises(errors.SecretInvalid):
        await client.match(match.match_id, "wrong").submit(0, decision)
    with pytest.raises(errors.SecretMissing):
        await client.match(match.match_id).submit(0, decision)
    with pytest.raises(errors.MatchNotFound):
        await client.match("nowhere").get()
    with pytest.raises(errors.AlreadyStarted):
        await match.join("Cid")
    with pytest.raises(errors.NotFinished):
        await match.record()
    with pytest.raises(errors.UnknownRevision):
        await player.view_at(99)
    with pytest.raises(errors.InvalidName):
        await client.create("yggdrasil", {"seats": 2}, title="x" * 1000)


async def test_every_fault_of_a_setup_comes_back(client):
    with pytest.raises(errors.InvalidSetup) as e:
        await client.create("yggdrasil", Setup(seats=9, furious=70))
    assert [(fault.field, fault.code) for fault in e.value.violations] == [
        ("setup.seats", "OUT_OF_RANGE"),
        ("setup.yggdrasil.furious", "OUT_OF_RANGE"),
    ]
    assert "setup.seats: there are 1 to 6 seats, found 9; setup.yggdrasil.fur" in str(e.value)
    assert e.value.violations[0].text("de") == "es gibt 1 bis 6 Plätze, gefunden 9"


async def test_lobby_refusals_are_errors_of_their_names(client):
    match = await client.create("yggdrasil", {"seats": 2})
    await match.join("Ann", [0])
    with pytest.raises(errors.SeatTaken):
        await match.join("Bob", [0])
    with pytest.raises(errors.NameTaken):
        await match.join("Ann")
    with pytest.raises(errors.UnknownSeat):
        await match.join("Bob", [7])
    with pytest.raises(errors.NotAllSeated):
        await match.start()
    await match.join("Bob")
    with pytest.raises(errors.NoFreeSeat):
        await match.join("Cid")


async def test_explaining_changes_nothing(client):
    match, players = await playing(client)
    player, decision = await active(match, players)
    legal = await player.explain(decision.options[0])
    assert legal.legal
    assert legal.refusal is None
    wrong = await player.explain(GAME.types["SendVikings"](9))
    assert not wrong.legal
    assert wrong.refusal is not None
    assert (await match.get()).match.revision == 0


async def test_a_watcher_sees_everything_once_and_in_order(client):
    match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
    updates = []
    begun = asyncio.Event()

    async def watch():
        async for update in client.match(match.match_id).watch():
            updates.append(update)
            begun.set()

    watching = asyncio.create_task(watch())
    await begun.wait()
    players = [await match.join(f"bot {seat}", kind=SeatKind.BOT) for seat in range(2)]
    ends = await asyncio.gather(*(c.play(Random(GAME, i)) for i, c in enumerate(players)))
    await watching
    assert updates[0].restart is Restart.BEGIN
    assert updates[-1].match == ends[0] == ends[1]
    changes = [u for u in updates if u.restart is None][:-1]
    assert [u.revision for u in changes] == list(range(1, ends[0].revision + 1))
    assert all(isinstance(u.events[0], Answered) for u in changes)
    shown = [update.view for update in changes[:-1] if update.view is not None]
    assert shown  # of changes that come together only the newest has a view
    assert all(view.seat == SPECTATOR for view in shown)


async def test_a_finished_match_has_a_record_that_replays(client):
    match = await client.create("yggdrasil", {"gods": ["odin", "thor"]}, start_when_full=True)
    both = await match.join("Ann", [0, 1], SeatKind.BOT)
    info = await both.play(Random(GAME, 3))
    assert info.finished
    assert info.secret
    record = await match.record()
    found = replay(GAME, record)
    assert found.result == info.result
    assert found.seats == ["Ann", "Ann"]
    assert len(found.moves) == info.revision
    past = await match.view_at(info.revision)
    assert past.view.public == GAME.public(found.table)
    with pytest.raises(errors.MatchOver):
        await both.resign()


async def test_a_team_that_resigns_loses_at_once(client):
    match, players = await playing(client)
    info = await players[1].resign()
    assert info.finished
    assert info.result is not None
    assert info.result.reasons == ["resigned"]
    assert info.seats[1].resigned
    assert replay(GAME, await match.record()).moves == [(1, RESIGN)]
    past = await match.view_at(1)
    assert past.events == [Resigned("", 1)]


async def test_matches_are_listed(client):
    match = await client.create("yggdrasil", {"seats": 2}, title="listed")
    [listed] = [m for m in await client.matches() if m.match_id == match.match_id]
    assert listed.setup == Setup(seats=2)
    found = await client.matches("yggdrasil", Status.OPEN, limit=5)
    assert match.match_id in [info.match_id for info in found]
    assert len(await client.matches(limit=1)) == 1


async def test_a_bot_in_the_place_of_another_takes_over(client):
    match, players = await playing(client)
    player, _ = await active(match, players)
    other = players[0] if player is players[1] else players[1]
    asked, free = threading.Event(), threading.Event()

    class Waits(Random):
        def choose(self, view, decision):
            asked.set()
            free.wait(60)
            return super().choose(view, decision)

    first = asyncio.create_task(player.play(Waits(GAME), in_thread=True))
    await asyncio.to_thread(asked.wait, 60)
    ends = await asyncio.gather(player.play(Random(GAME)), other.play(Random(GAME, 1)))
    assert ends[0].finished
    free.set()
    with pytest.raises(errors.Replaced):
        await first
