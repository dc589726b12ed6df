"""Clocks of matches over the wire: shown, charged, run out, by each policy."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel import record
from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.matches import past
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.ports.match_store import Commit, CommitResult, DueQueue
from taflhall_service.app.spectating import queries
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import START, Clocked, clock_settings, clocked, seconds
from tests.service.local_server import Refusal, Table, bearer, refused
from tests.waiting import until

NEUTRAL, STAND_IN, FORFEITED = 1, 2, 3


async def test_clock_settings_are_shown_as_they_were_asked_for():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, base=600, increment=5, free=2.5)
        match = (await table.get()).match
        assert match.time_control == clock_settings(600, 5, 2.5, STAND_IN)
        unsaid = (await (await made.table()).get()).match
        assert unsaid.time_control.on_timeout == match_pb2.TIMEOUT_POLICY_NEUTRAL
        plain = (await (await made.servers[0].table()).get()).match
        assert not plain.HasField("time_control")
        assert not plain.HasField("clocks")


@pytest.mark.parametrize(
    ("settings", "fields"),
    [
        (match_pb2.TimeControl(), "time_control.base"),
        (clock_settings(0.5), "time_control.base"),
        (clock_settings(31 * 86400), "time_control.base"),
        (clock_settings(60, -1), "time_control.increment"),
        (clock_settings(60, 86401), "time_control.increment"),
        (clock_settings(60, 0, -0.001), "time_control.per_decision"),
        (
            clock_settings(-(10**9), -1, 10**9),
            "time_control.base,time_control.increment,time_control.per_decision",
        ),
    ],
)
async def test_clock_settings_that_cannot_be_are_refused_with_all_faults(settings, fields):
    async with clocked() as made:
        setup = table_pb2.Setup()
        setup.game, setup.seats = "yggdrasil", 2
        request = pb.CreateMatchRequest(setup=setup, time_control=settings)
        refusal = await refused(made.servers[0].match.CreateMatch(request))
        assert (refusal.reason, refusal.code) == (
            "INVALID_TIME_CONTROL",
            grpc.StatusCode.INVALID_ARGUMENT,
        )
        assert refusal.metadata["fields"] == fields
        assert [violation.field for violation in refusal.violations] == fields.split(",")


async def test_an_unknown_policy_is_malformed():
    async with clocked() as made:
        setup = table_pb2.Setup()
        setup.game, setup.seats = "yggdrasil", 2
        request = pb.CreateMatchRequest(setup=setup, time_control=clock_settings(policy=9))
        assert (await refused(made.servers[0].match.CreateMatch(request))).reason == "MALFORMED"


@pytest.mark.parametrize("nanos", [10**9, 2**31 - 1, -5])
async def test_an_invalid_duration_is_malformed(nanos):
    async with clocked() as made:
        setup = table_pb2.Setup()
        setup.game, setup.seats = "yggdrasil", 2
        odd = Duration(seconds=60, nanos=nanos)
        request = pb.CreateMatchRequest(setup=setup, time_control=match_pb2.TimeControl(base=odd))
        refusal = await refused(made.servers[0].match.CreateMatch(request))
        assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "time_control.base")
        request = pb.CreateMatchRequest(setup=setup)
        request.spectators.policy = match_pb2.SPECTATOR_POLICY_DELAYED
        request.spectators.delay.CopyFrom(odd)
        refusal = await refused(made.servers[0].match.CreateMatch(request))
        assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "spectators.delay")


async def test_clocks_run_from_the_start_only_where_a_decision_is_pending():
    async with clocked() as made:
        table = await made.table(base=60, free=10)
        match = (await table.get()).match
        (seat,) = [clock.seat for clock in match.clocks.seats if clock.HasField("deadline")]
        assert seat == (await table.get()).decisions[0].seat
        assert [clock.bank for clock in match.clocks.seats] == [seconds(60)] * 2
        assert match.clocks.seats[seat].deadline.ToMilliseconds() == START + 70_000


async def test_an_answer_is_charged_and_the_record_says_when_it_was_and_how_long_it_took():
    async with clocked() as made:
        table = await made.table(base=3600, increment=5, free=10)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(25)
        await table.step()
        match = (await table.get()).match
        assert match.clocks.seats[seat].bank.ToMilliseconds() == 3_590_000
        while (await table.get(None)).decisions:
            await made.passes(1)
            await table.step()
        request = pb.GetMatchRecordRequest(match_id=table.id)
        response = (await table.server.match.GetMatchRecord(request)).record.commands
        assert (response[0].used, response[0].time.ToMilliseconds()) == (seconds(25), START + 25_000)
        assert all(command.used == seconds(1) for command in response[1:])
        times = [command.time.ToMilliseconds() for command in response]
        assert times == [START + 25_000 + 1000 * number for number in range(len(response))]


async def test_a_record_without_clocks_says_when_but_not_how_long():
    async with clocked() as made:
        table = await made.servers[0].table()
        while (await table.get(None)).decisions:
            await table.step()
        request = pb.GetMatchRecordRequest(match_id=table.id)
        response = (await table.server.match.GetMatchRecord(request)).record.commands
        assert not any(command.HasField("used") for command in response)
        assert {command.time.ToMilliseconds() for command in response} == {START}


async def test_streams_and_prompts_show_the_clocks():
    async with clocked() as made:
        table = await made.table(base=60)
        seat = (await table.get(None)).decisions[0].seat
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        first = await watch.read()
        assert first.snapshot.match.clocks.seats[seat].bank == seconds(60)
        play = table.server.match.Play(metadata=bearer(table.secrets[seat]))
        await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
        prompt = (await play.read()).prompt
        assert prompt.clocks.seats[seat].deadline.ToMilliseconds() == START + 60_000
        await made.passes(7)
        await table.step()
        change = (await watch.read()).change
        assert change.clocks.seats[seat].bank == seconds(53)
        watch.cancel()
        play.cancel()


async def test_a_match_without_clocks_has_them_nowhere():
    async with clocked() as made:
        table = await made.servers[0].table()
        play = table.server.match.Play(metadata=bearer(table.secrets[0]))
        await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
        assert not (await play.read()).prompt.HasField("clocks")
        play.cancel()
        await made.passes(10_000_000 / 1000)
        assert (await table.get()).match.revision == 0
        assert made.memory.queues[DueQueue.DEADLINES] == {}


# ---------------------------------------------------------------- time runs out


async def test_a_late_seat_gets_the_neutral_answer_and_an_event():
    async with clocked() as made:
        table = await made.table(base=60, increment=3)
        seat = (await table.get(None)).decisions[0].seat
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.passes(59)
        assert (await table.get()).match.revision == 0
        await made.passes(1)
        update = await watch.read()
        assert update.change.events[0].timed_out == table_pb2.TimedOutEvent(seat=seat)
        assert update.change.clocks.seats[seat].bank == seconds(3)
        assert (await table.get()).match.revision == 1
        assert made.ups == [(TimeoutPolicy.NEUTRAL, 0.0)]
        watch.cancel()


async def test_an_absent_seat_holds_the_others_up_for_no_more_than_the_refill():
    async with clocked() as made:
        table = await made.table(people=1, base=60, free=30)
        await made.passes(90)  # what he had
        await made.passes(60)  # free time and refill
        assert (await table.get(None)).match.revision == 2
        for expected in range(3, 8):  # the refill alone
            await table.visit()  # without anybody there the match would be paused
            await made.passes(29)
            assert (await table.get(None)).match.revision == expected - 1
            await made.passes(1)
            assert (await table.get(None)).match.revision == expected
        assert all(entry.command == TIMEOUT for entry in await deeds(made, table))


async def deeds(made: Clocked, table: Table):
    matches = made.servers[0].matches
    match = await matches.current(table.id)
    return await past.entries_between(matches.store, match, 1, match.revision)


async def test_an_answer_before_the_timeout_counts():
    async with clocked() as made:
        table = await made.table(base=60, increment=1)
        await made.passes(65, at_work=False)  # nobody has looked yet
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id, person=decision.seat)
        await made.work(3)
        response = await deeds(made, table)
        assert [entry.command in (TIMEOUT, FORFEIT) for entry in response] == [False]


async def test_an_answer_after_the_timeout_is_stale():
    async with clocked() as made:
        table = await made.table(base=60)
        decision = (await table.get(None)).decisions[0]
        await made.passes(60)
        late = table.submit(decision.id, person=decision.seat)
        assert (await refused(late)).reason == "STALE_DECISION"


async def test_exactly_one_server_times_a_seat_out():
    async with clocked(servers=4) as made:
        table = await made.table(base=60)
        for server in made.servers[1:]:  # every one of them remembers the table
            await server.match.GetMatch(pb.GetMatchRequest(match_id=table.id))
        for expected in range(1, 5):
            await made.passes(60, at_work=False)
            await made.work()
            assert (await table.get(None)).match.revision == expected
            assert len(made.ups) == expected
        assert [entry.command for entry in await deeds(made, table)] == [TIMEOUT] * 4


class Gated(MemoryStore):
    """A store whose commits wait while its gate is shut."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()

    async def commit(self, commit: Commit) -> CommitResult:
        self.waiting.set()
        await self.gate.wait()
        return await super().commit(commit)


@pytest.mark.parametrize("timer_first", [False, True])
async def test_of_an_answer_and_a_timer_at_the_same_time_the_first_counts(timer_first: bool):
    stores = [lambda store: Gated(store.memory)] * 2
    async with clocked(servers=2, stores=stores) as made:
        table = await made.table(base=60, increment=1)
        first, second = made.servers if not timer_first else made.servers[::-1]
        for _ in range(4):
            decision = (await table.get(None)).decisions[0]
            await made.passes(60, at_work=False)
            before = (await table.get(None)).match.revision

            async def answer(decision=decision) -> bool:
                try:
                    await table.submit(decision.id, person=decision.seat)
                except grpc.aio.AioRpcError as error:
                    return Refusal(error).reason != "STALE_DECISION"
                return True

            async def timer() -> None:
                await made.timers[1].look()
                await made.servers[1].matches.idle(10)

            for server in made.servers:
                server.store.gate.clear()
                server.store.waiting.clear()
            both = asyncio.gather(answer(), timer())
            for server in (first, second):
                await server.store.waiting.wait()  # both are prepared
            first.store.gate.set()
            await until(lambda: len(made.memory.entries[table.id]) > before)  # noqa: B023
            second.store.gate.set()
            given, _ = await both
            moves = await deeds(made, table)
            assert len(moves) == before + 1
            assert given == (moves[-1].command != TIMEOUT) == (not timer_first)


async def test_a_forfeit_loses_a_cooperative_match_for_all():
    async with clocked() as made:
        table = await made.table(policy=FORFEITED, base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.status == match_pb2.MATCH_STATUS_FINISHED
        assert [r.id for r in match.result.reasons] == ["forfeited"]
        assert match.seats[seat].resigned
        assert made.ups == [(TimeoutPolicy.FORFEIT, 0.0)]
        assert not any(clock.HasField("deadline") for clock in match.clocks.seats)
        assert made.memory.queues[DueQueue.DEADLINES] == {}


async def test_a_forfeit_among_rivals_is_last_and_the_others_continue():
    async with clocked() as made:
        table = await made.table(policy=FORFEITED, game="champions", base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.status == match_pb2.MATCH_STATUS_PLAYING
        assert match.seats[seat].resigned
        assert [d.seat for d in (await table.get(None)).decisions] != [seat]


@pytest.mark.parametrize(("policy", "game"), [(NEUTRAL, "yggdrasil"), (FORFEITED, "champions")])
async def test_records_with_time_that_ran_out_replay(policy, game):
    async with clocked() as made:
        table = await made.table(policy=policy, game=game, base=2)
        step = 0
        while (await table.get(None)).decisions:
            step += 1
            if step % 3:
                await table.step()
            else:
                await made.passes(4)
            assert step < 1500
        found = await queries.record(made.servers[0].spectators, table.id, Identity())
        kinds = {entry.command for entry in found.commands if entry.command in (TIMEOUT, FORFEIT)}
        assert kinds == {TIMEOUT if policy == NEUTRAL else FORFEIT}
        match = found.match
        assert match.result is not None
        written = record.written(
            match.game,
            match.setup,
            [place.name for place in match.seats],
            match.origin.secret,
            [(deed.seat, deed.command) for deed in found.commands],
            [found.start_digest, *[deed.digest for deed in found.commands]],
            match.result,
        )
        assert replay(registry.game(game), written).result == match.result


# ---------------------------------------------------------------- the stand-in


async def test_a_stand_in_plays_until_the_player_answers():
    async with clocked(servers=2) as made:
        table = await made.table(policy=STAND_IN, base=60)
        seat = (await table.get(None)).decisions[0].seat
        await made.passes(60)
        match = (await table.get(None)).match
        assert match.clocks.seats[seat].stand_in
        assert not match.clocks.seats[seat].HasField("deadline")
        assert match.revision == 0
        await made.work(8)
        played = [entry for entry in await deeds(made, table) if entry.seat == seat]
        assert played
        assert all(entry.command not in (TIMEOUT, FORFEIT) for entry in played)
        for _ in range(200):
            decision = (await table.get(None)).decisions[0]
            if decision.seat == seat:
                break
            await table.step()
        else:
            pytest.fail("the seat has nothing to decide any more")
        await table.submit(decision.id, person=seat)
        back = (await table.get(None)).match
        assert not back.clocks.seats[seat].stand_in
        before = back.revision
        await made.work(3)
        assert (await table.get(None)).match.revision == before
        assert [policy for policy, _ in made.ups] == [TimeoutPolicy.STAND_IN]


async def test_a_stand_in_is_sent_for_again_when_its_seat_is_late_again():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60, increment=2)
        await made.passes(60)
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id)
        assert (await table.get()).match.clocks.seats[0].bank == seconds(4)
        await made.passes(4)
        assert (await table.get()).match.clocks.seats[0].stand_in
        await table.visit()
        await made.work(400)
        assert (await table.get()).match.status == match_pb2.MATCH_STATUS_FINISHED
        assert len(made.ups) == 2


async def test_those_who_watch_see_the_answers_of_a_stand_in_and_that_it_came_and_went():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60)
        watch = table.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        await made.passes(60)
        come = await watch.read()
        assert come.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
        assert come.snapshot.match.clocks.seats[0].stand_in
        await table.visit()
        assert not (await watch.read()).snapshot.match.clocks.seats[0].paused
        await made.work()
        assert (await watch.read()).change.clocks.seats[0].stand_in
        decision = (await table.get(None)).decisions[0]
        await table.submit(decision.id)
        back = await watch.read()
        assert back.WhichOneof("update") == "change"
        assert not back.change.clocks.seats[0].stand_in
        gone = await watch.read()
        assert gone.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
        watch.cancel()


@pytest.mark.parametrize("policy", [NEUTRAL, STAND_IN])
async def test_a_match_pauses_when_its_last_player_goes_and_runs_on_when_one_is_back(policy):
    async with clocked() as made:
        table = await made.table(policy=policy, base=60)
        for _ in range(4):
            await made.passes(200)
            await made.work(50)
        stopped = (await table.get(None)).match
        assert all(clock.paused for clock in stopped.clocks.seats)
        await made.passes(100_000)
        await made.work(50)
        assert (await table.get(None)).match.revision == stopped.revision
        assert made.memory.queues[DueQueue.DEADLINES] == {}

        await table.visit(1)
        running = (await table.get(None)).match
        assert not any(clock.paused for clock in running.clocks.seats)
        await made.passes(3600)
        await made.work(3)
        assert (await table.get(None)).match.revision > stopped.revision


async def test_a_player_who_comes_back_to_a_paused_match_has_lost_no_time_in_it():
    async with clocked() as made:
        table = await made.table(policy=NEUTRAL, people=1, base=60, free=30)
        await made.passes(90)
        await made.passes(60)
        await made.passes(86_400)
        decision = (await table.get()).decisions[0]
        await table.submit(decision.id)
        (clock,) = (await table.get()).match.clocks.seats
        assert not clock.paused
        assert clock.bank == seconds(30)


async def test_a_match_with_a_player_left_does_not_pause():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, base=60, free=600)
        while (await table.get(None)).decisions[0].seat == 0:
            await table.submit((await table.get(None)).decisions[0].id)
        await made.passes(700)
        match = (await table.get(None)).match
        assert match.clocks.seats[1].stand_in
        assert not any(clock.paused for clock in match.clocks.seats)


async def test_a_reclaimed_seat_that_is_late_again_gets_a_stand_in_again():
    async with clocked() as made:
        table = await made.table(policy=STAND_IN, people=1, base=60, increment=3)
        await made.passes(60)
        assert (await table.get()).match.clocks.seats[0].stand_in
        mine = bearer(table.secrets[0])
        back = await table.server.match.ReclaimSeat(
            pb.ReclaimSeatRequest(match_id=table.id), metadata=mine
        )
        clock = back.match.clocks.seats[0]
        assert (clock.stand_in, back.match.seats[0].stand_in) == (False, False)
        assert clock.deadline.ToMilliseconds() == START + 60_000 + 3000
        await made.passes(3)
        match = (await table.get()).match
        assert match.revision == 0
        assert match.clocks.seats[0].stand_in
        assert match.seats[0].stand_in
        assert len(made.ups) == 2


async def test_after_an_undo_the_clock_runs_for_who_decides_again():
    async with clocked() as made:
        table = await made.table(people=1, base=60)
        undo = pb.ProposeToPlayersRequest(
            match_id=table.id, undo=match_pb2.UndoProposal(), request_id="back"
        )
        mine = bearer(table.secrets[0])
        for _ in range(20):
            await made.passes(1)
            await table.step()
            try:
                await table.server.match.ProposeToPlayers(undo, metadata=mine)
            except grpc.aio.AioRpcError as error:
                if Refusal(error).reason != "CANNOT_UNDO":
                    raise
                continue
            break
        else:
            pytest.fail("nothing could be taken back")
        match = (await table.get()).match
        spent = made.ms - START
        assert match.clocks.seats[0].bank.ToMilliseconds() == 60_000 - spent
        assert match.clocks.seats[0].deadline.ToMilliseconds() == made.ms + 60_000 - spent
