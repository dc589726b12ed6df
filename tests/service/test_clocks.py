"""Clocks of matches over the wire: settings, what is shown, what is charged."""

from __future__ import annotations

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import DueQueue
from tests.service.clocked import START, clock_settings, clocked, seconds
from tests.service.local_server import bearer, refused

STAND_IN = match_pb2.TIMEOUT_POLICY_STAND_IN


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
        assert (response[0].used, response[0].time.ToMilliseconds()) == (
            seconds(25),
            START + 25_000,
        )
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
