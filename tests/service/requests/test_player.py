"""A bot's place in a match, without a stream: what it is sent, and how it lets go."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import ApiKeyInvalid, Malformed, MatchNotFound, StoreUnavailable
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import Match
from taflhall_service.app.ports.match_store import Commit, CommitResult
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.player import Player, PlayWants, ends_the_stream
from tests.service.requests.matches import caller, playing, seat
from tests.service.requests.process import Process
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle, take

NAMES = ("ann", "bob")


class Place:
    """The place of one of two players, and what it is sent."""

    def __init__(self, process: Process, match: Match, number: int, **wants: Any) -> None:
        matches = process.matches
        heartbeat = wants.pop("heartbeat", 0.0)
        person, seats = wants.pop("person", NAMES[number]), wants.pop("seats", (number,))
        self.process = process
        self.written: list[tuple[int, pb.PlayResponse]] = []
        self.meter = Meter()
        sink: Any = self
        self.player = Player(
            matches,
            Writer(matches.server_key, matches.store_clock),
            self.meter,
            sink,
            caller(person),
            match,
            seats,
            PlayWants.of(pb.PlayEnter(**wants)),
            heartbeat,
        )
        self.prompter = asyncio.create_task(self.player.prompter())

    async def write(self, message: bytes) -> None:
        self.written.append((now_ms(), pb.PlayResponse.FromString(message)))

    @property
    def heard(self) -> list[tuple[int, str | None]]:
        """When the bot was sent something, and what."""
        return [(at, message.WhichOneof("response")) for at, message in self.written]

    @property
    def last(self) -> pb.PlayResponse:
        return self.written[-1][1]

    async def give(self, decision_id: str, option: int = 0) -> None:
        answers = [pb.DecisionAnswer(option=option)]
        await self.player.answer(pb.PlayAnswer(decision_id=decision_id, answers=answers))

    async def present(self) -> set[str]:
        """Return the seats that are reported to be there."""
        await settle(20)
        reports = await self.process.store.presence("match")
        return {name[-1] for name, report in reports.items() if report.endswith(b" 1")}

    async def close(self) -> None:
        self.prompter.cancel()
        self.player.close(None)
        await asyncio.gather(self.prompter, return_exceptions=True)
        await self.process.matches.hub.stop()


async def taken(decides: bool = True, **wants: Any) -> Place:
    """Take the place of a seat that decides first, or of one that waits."""
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    first = min(match.pending)
    place = Place(process, match, first if decides else 1 - first, **wants)
    await settle(20)
    return place


@in_virtual_time
async def test_a_bot_is_asked_at_once_and_not_again():
    place = await taken()
    for _ in range(3):
        place.player.wake()
        await settle(20)
    assert place.heard == [(0, "prompt")]
    await place.close()


@in_virtual_time
async def test_a_bot_that_waits_is_asked_once_it_has_to_decide():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    first = min(match.pending)
    one, other = Place(process, match, first), Place(process, match, 1 - first)
    await settle(20)
    for answers in range(1, 50):
        assert other.heard == []
        await one.give(one.last.prompt.decision.id)
        await settle(20)
        if other.heard:
            break
        assert len(one.heard) == answers + 1
    assert other.heard == [(0, "prompt")]
    assert other.last.revision == process.stored.revision == answers
    for place in (one, other):
        await place.close()


@in_virtual_time
async def test_only_a_bot_that_waits_has_its_match_listened_to():
    for decides in (True, False):
        place = await taken(decides)
        (channel,) = place.process.matches.hub.channels
        assert channel.listening is not decides
        await place.close()
    place = await taken(True, with_reactions=True)
    (channel,) = place.process.matches.hub.channels
    assert channel.listening
    await place.close()


async def answered(process: Process, match: Match, **wants: Any) -> tuple[Place, Match, Match]:
    """Answer once for the seat that decides; return its place, and the match before and after."""
    place = Place(process, match, min(match.pending), **wants)
    await settle(20)
    await place.give(place.last.prompt.decision.id)
    await settle(20)
    return place, match, process.stored


@in_virtual_time
async def test_a_bot_that_resumes_is_sent_what_it_has_missed():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    first, before, after = await answered(process, match)
    await first.close()
    number = min(after.pending)
    writer = Writer(process.matches.server_key, process.matches.store_clock)
    tokens = [writer.token_now(each, number) for each in (before, after)]
    found = []
    for token in tokens:
        place = Place(process, after, number, with_events=True)
        await place.player.resume(token)
        await settle(20)
        prompt = place.last.prompt
        found.append((len(prompt.events) > 0, prompt.cause))
        assert prompt.resume_token == tokens[1]
        await place.close()
    assert found == [(True, 0), (False, 0)]
    place = Place(process, before, number, with_events=True)
    await place.player.resume(tokens[1])  # of a history that was lost
    with pytest.raises(Malformed):
        await place.player.resume("no token")
    await settle(20)
    assert place.last.prompt.cause == pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
    await place.close()


@in_virtual_time
async def test_a_bot_is_sent_the_events_of_others_with_its_next_prompt():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    other = Place(process, match, 1 - min(match.pending), with_events=True)
    plain = Place(process, match, 1 - min(match.pending))
    one, _, after = await answered(process, match)
    for _ in range(50):
        if other.heard:
            break
        await one.give(one.last.prompt.decision.id)
        await settle(20)
    assert other.last.prompt.events
    assert not plain.last.prompt.events
    assert not plain.last.prompt.resume_token
    revision = process.stored.revision
    assert after.revision <= revision == other.last.revision
    for place in (one, other, plain):
        await place.close()


@in_virtual_time
async def test_a_bot_is_sent_events_that_this_server_no_longer_remembers():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    one, _, after = await answered(process, match)
    await one.close()
    number = min(after.pending)
    first = Place(process, after, number)  # the channel begins here
    await settle(20)
    late = Place(process, match, number, with_events=True)
    await settle(20)
    (entry,) = await process.store.entries("match", 1, None)
    events = decode_entry(match.game, match.origin, entry).events
    seen = [event for event in events if event.seen_by(number) is not None]
    assert len(late.last.prompt.events) == len(seen) > 0
    for place in (first, late):
        await place.close()


@in_virtual_time
async def test_who_wants_to_see_who_is_there_is_told_at_once_and_later():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    watching = Place(process, match, 0, with_presence=True)
    plain = Place(process, match, 0)
    await take(3.0)
    other = Place(process, match, 1)
    await take(3.0)
    told = [what for _, what in watching.heard if what == "presence"]
    assert told
    assert "presence" not in [what for _, what in plain.heard]
    assert watching.last.WhichOneof("response") in ("presence", "prompt")
    for place in (watching, plain, other):
        await place.close()


@in_virtual_time
async def test_a_quiet_stream_sends_heartbeats_and_begins_with_one_if_there_is_nothing_to_say():
    waits, decides = await taken(False, heartbeat=10.0), await taken(True, heartbeat=10.0)
    await take(35.0)
    assert waits.heard == [(at, "heartbeat") for at in (0, 10_000, 20_000, 30_000)]
    assert decides.heard[0] == (0, "prompt")
    assert decides.heard[1:] == waits.heard[1:]
    for place in (waits, decides):
        await place.close()
    await take(35.0)
    assert len(waits.heard) == len(decides.heard) == 4


@in_virtual_time
async def test_a_shared_stream_sends_no_heartbeats_and_says_nothing_of_draining():
    place = await taken(False)
    await take(35.0)
    place.process.matches.hub.drain()
    await settle(20)
    assert place.heard == []
    assert not place.prompter.done()
    await place.close()


@in_virtual_time
@pytest.mark.parametrize("decides", [True, False])
async def test_a_stream_of_its_own_ends_when_the_server_drains(decides: bool):
    place = await taken(decides, heartbeat=10.0)
    place.process.matches.hub.drain()
    await settle(20)
    assert place.last.end.cause == pb.STREAM_END_CAUSE_DRAINING == place.player.end_cause
    assert place.prompter.done()
    await place.close()


@in_virtual_time
async def test_a_player_that_another_stream_replaces_is_told_and_ends():
    place = await taken()
    place.player.replace()
    await settle(20)
    assert place.heard[1:] == [(0, "end")]
    assert place.last.end.cause == pb.STREAM_END_CAUSE_REPLACED
    assert place.prompter.done()
    assert place.prompter.exception() is None
    await place.close()


@in_virtual_time
async def test_a_match_that_is_deleted_ends_the_stream_as_not_found():
    place = await taken(False)
    place.process.memory.drop("match")
    place.process.matches.forget("match")
    await take(2.0)
    error = place.prompter.exception()
    assert isinstance(error, MatchNotFound)
    assert error.metadata == {"match_id": "match"}
    await place.close()


@in_virtual_time
async def test_a_seat_is_there_while_its_player_is():
    place = await taken()
    number = str(min(place.process.stored.pending))
    assert await place.present() == {number}
    await place.close()
    assert await place.present() == set()


@in_virtual_time
async def test_a_player_that_is_closed_lets_go_of_the_match():
    place = await taken()
    hub = place.process.matches.hub
    assert len(hub) == 1
    assert not place.player.closed
    (channel,) = hub.channels
    await place.close()
    assert place.player.closed
    assert (len(hub), channel.callbacks, channel.users) == (0, [], 0)
    place.player.wake()  # a late one does nothing
    assert len(place.heard) == 1


@in_virtual_time
async def test_an_answer_that_is_being_read_is_given_up_and_one_that_is_committed_is_not():
    place = await taken()
    reading = asyncio.create_task(asyncio.Event().wait())
    await settle(3)
    place.player.close(reading)  # type: ignore[arg-type]
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.cancelled()
    place.prompter.cancel()

    place = await taken()
    free = asyncio.Event()
    commit = place.process.store.commit

    async def slow(given: Commit) -> CommitResult:
        await free.wait()
        done: CommitResult = await commit(given)
        return done

    place.process.store.commit = slow
    before = place.process.stored.revision
    answering = asyncio.create_task(place.give(place.last.prompt.decision.id))
    await settle(20)
    place.player.close(answering)
    free.set()
    await answering
    assert place.process.stored.revision == before + 1
    assert len(place.heard) == 1  # a player who has left is asked nothing
    place.prompter.cancel()
    await asyncio.gather(place.prompter, return_exceptions=True)
    await place.process.matches.hub.stop()


@in_virtual_time
async def test_a_refused_answer_leaves_the_prompt_valid():
    place = await taken()
    decision = place.last.prompt.decision.id
    await place.give(decision, 255)
    assert place.heard == [(0, "prompt"), (0, "rejection")]
    assert place.last.rejection.decision_id == decision
    assert place.last.rejection.reason == "NO_SUCH_OPTION"
    await place.give(decision)
    assert place.process.stored.revision == 1
    await place.close()


@pytest.mark.parametrize("proposals", [-1, 99])
def test_what_a_bot_wants_is_one_of_the_contract(proposals: Any):
    with pytest.raises(Malformed) as refused:
        PlayWants.of(pb.PlayEnter(proposals=proposals))
    assert refused.value.metadata["field"] == "enter.proposals"


@in_virtual_time
async def test_nothing_keeps_a_player_that_is_closed():
    place = await taken(heartbeat=10.0, with_presence=True, with_reactions=True)
    player = weakref.ref(place.player)
    await place.close()
    del place
    gc.collect()
    assert player() is None


@in_virtual_time
async def test_a_bot_in_a_match_with_clocks_is_told_them_with_each_prompt():
    for control in (None, TimeControl(60_000)):
        process = Process()
        await process.matches.store_clock.send_heartbeat()
        match = await process.hold(playing(seat("ann"), seat("bob"), clock=control))
        place = Place(process, match, min(match.pending))
        await settle(20)
        assert place.last.prompt.HasField("clocks") is (control is not None)
        await place.close()


@in_virtual_time
async def test_commands_of_a_bot_are_counted():
    place = await taken()
    await place.give(place.last.prompt.decision.id)
    counted = place.meter.registry.get_sample_value(
        "taflhall_commands_total", {"game": "champions"}
    )
    assert counted == 1
    await place.close()


def test_only_what_no_further_answer_can_mend_ends_a_stream():
    assert ends_the_stream(ApiKeyInvalid()) is True
    assert ends_the_stream(StoreUnavailable()) is True
    assert ends_the_stream(Malformed(field="answers", expected="one")) is False


@in_virtual_time
async def test_a_bot_with_several_seats_resumes_with_a_token_of_any_of_them():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("ann")))
    writer = Writer(process.matches.server_key, process.matches.store_clock)
    place = Place(process, match, 0, seats=(0, 1), with_events=True)
    for number in (0, 1):
        await place.player.resume(writer.token_now(match, number))
    with pytest.raises(Malformed):
        await place.player.resume(writer.token_now(match, -1))
    await settle(20)
    assert place.last.prompt.resume_token == writer.token_now(match, 0)
    assert await place.present() == {"0", "1"}
    await place.close()


@in_virtual_time
async def test_who_holds_no_seat_any_longer_is_told_and_gives_no_answer():
    process = Process()
    match = await process.hold(playing(seat("ann"), seat("bob")))
    place = Place(process, match, 0, person="nobody")
    await place.give(match.pending[min(match.pending)])
    assert process.stored.revision == 0
    await settle(20)
    assert place.last.end.cause == pb.STREAM_END_CAUSE_REPLACED
    await place.close()


@in_virtual_time
async def test_an_answer_whose_outcome_is_unknown_ends_the_stream():
    place = await taken()

    async def gone(_: Commit) -> CommitResult:
        raise StoreUnavailable

    place.process.store.commit = gone
    with pytest.raises(StoreUnavailable):
        await place.give(place.last.prompt.decision.id)
    assert place.heard == [(0, "prompt")]
    await place.close()
