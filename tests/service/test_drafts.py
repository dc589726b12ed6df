"""A half-given answer belongs to its seat alone (found.md S11; CM-17.6, YG-14.9).

A split decision is looked for in matches that are played through the service; the engine only says
which options begin an answer of several steps.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any, NamedTuple

import grpc
import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options
from taflhall_engine.kernel.drafts import Draft
from taflhall_engine.kernel.notation import write
from tests.service.clocked import clocked
from tests.service.local_server import LocalServer, Table, bearer, known, refused
from tests.waiting import until

GAMES = [
    name
    for name in registry.GAMES
    if any(getattr(kind, "continues_answer", False) for kind in registry.game(name).types.values())
]
"""The games with answers of several steps."""


class Split(NamedTuple):
    """A pending decision with an option that begins an answer of several steps."""

    table: Table
    seat: int
    decision_id: str
    option: int
    """The option that begins the answer."""
    steps: list[int]
    """A whole answer, that option first."""

    @property
    def other(self) -> int:
        """Another person at the table."""
        return (self.seat + 1) % len(self.table.secrets)

    async def step(self, option: int, decision_id: str = "", **fields: Any) -> Any:
        return await self.table.submit(
            decision_id or self.decision_id, option, self.seat, with_options=True, **fields
        )


async def opened(
    server: LocalServer, name: str, clock: match_pb2.TimeControl | None = None
) -> Table:
    setup = table_pb2.Setup(game=name, seats=2)
    request = pb.CreateMatchRequest(setup=setup, time_control=clock)
    made = await server.match.CreateMatch(request)
    secrets = []
    for seat in range(len(made.match.seats)):
        join = pb.JoinMatchRequest(match_id=made.match.id, seats=[seat], name=f"Ann {seat}")
        secrets.append((await server.match.JoinMatch(join)).seat_secret)
    start = pb.StartMatchRequest(match_id=made.match.id)
    await server.match.StartMatch(start, metadata=bearer(made.creator_secret))
    return Table(server, made.match.id, secrets, made.creator_secret)


async def find_split(
    server: LocalServer, name: str, clock: match_pb2.TimeControl | None = None
) -> Split:
    """Play matches at random until some option begins an answer of several steps."""
    rng = random.Random(name)
    for _ in range(20):
        table = await opened(server, name, clock)
        split = await find_in(table, rng)
        if split is not None:
            return split
    raise AssertionError("no answer of several steps in 20 matches")


async def find_in(table: Table, rng: random.Random) -> Split | None:
    while not (match := known(table.server, table.id)).over:
        seat, decision_id = rng.choice(sorted(match.pending.items()))
        legal = match.options(seat)
        assert match.table is not None
        for option in rng.sample(range(len(legal)), len(legal)):
            steps = whole_answer(match.table, seat, option, rng)
            if len(steps) > 1:
                return Split(table, seat, decision_id, option, steps)
        await table.submit(decision_id, rng.randrange(len(legal)), seat)
    return None


def whole_answer(table: Any, seat: int, option: int, rng: random.Random) -> list[int]:
    draft, steps = Draft(table, seat), []
    while True:
        legal = options(draft.table, seat)
        steps.append(option)
        if draft.give(legal[option]):
            return steps
        option = rng.randrange(len(options(draft.table, seat)))


@pytest.fixture(params=GAMES)
async def split(server: LocalServer, request: pytest.FixtureRequest) -> Split:
    return await find_split(server, request.param)


async def everything(table: Table, person: int | None) -> list[bytes]:
    """Return all that a person, or a spectator, can read of the match."""
    secret = "" if person is None else table.secrets[person]
    get = pb.GetMatchRequest(match_id=table.id, with_view=True, with_options=True)
    got = await table.server.match.GetMatch(get, metadata=bearer(secret))
    view = pb.GetMatchViewRequest(match_id=table.id, revision=got.match.revision)
    seen = await table.server.match.GetMatchView(view, metadata=bearer(secret))
    return [message.SerializeToString(deterministic=True) for message in (got, seen)]


async def test_steps_change_nothing_until_the_last_and_then_make_one_revision(split):
    table = split.table
    viewers = [None, split.seat, split.other]
    before = [await everything(table, person) for person in viewers]
    revision = (await table.get(None)).match.revision
    decision = split.decision_id
    for option in split.steps[:-1]:
        step = await split.step(option, decision)
        assert (step.revision, step.first_revision, step.applied) == (revision, 0, 1)
        assert not step.events
        assert step.decision.seat == split.seat
        assert step.decision.options
        decision = step.decision.id
        assert [await everything(table, person) for person in viewers] == before
    done = await split.step(split.steps[-1], decision)
    assert (done.revision, done.first_revision) == (revision + 1, revision + 1)
    assert (await table.get(None)).match.revision == revision + 1


async def test_steps_and_a_list_make_the_same_match(server, split):
    table, digest = split.table, known(server, split.table.id)
    game, start = digest.game, digest.table
    assert start is not None
    draft = Draft(start, split.seat)
    for option in split.steps:
        draft.give(options(draft.table, split.seat)[option])
    answers = [pb.DecisionAnswer(option=option) for option in split.steps]
    done = await table.submit(split.decision_id, person=split.seat, answers=answers)
    assert (done.applied, done.first_revision) == (len(split.steps), done.revision)
    after = known(server, table.id).table
    assert after is not None
    assert game.view(after, split.seat) == game.view(draft.table, split.seat)


async def test_those_who_watch_see_the_whole_answer_at_once(split):
    table = split.table
    for person in (None, split.other, split.seat):
        secret = "" if person is None else table.secrets[person]
        watch = table.server.match.WatchMatch(
            pb.WatchMatchRequest(match_id=table.id), metadata=bearer(secret)
        )
        before = (await watch.read()).revision
        first = await split.step(split.option)
        reading = asyncio.create_task(watch.read())
        await table.visit(split.other)
        assert not reading.done()
        if person is split.seat:
            rest = [pb.DecisionAnswer(option=option) for option in split.steps[1:]]
            await table.submit(first.decision.id, person=split.seat, answers=rest)
            change = await reading
            assert change.revision == before + 1
            answered = [e for e in change.change.events if e.WhichOneof("kind") == "answered"]
            assert len([e for e in answered if e.answered.seat == split.seat]) >= 2
        else:
            reading.cancel()
        watch.cancel()


async def test_a_half_given_answer_is_withdrawn_by_answering_again(split):
    await split.step(split.option)
    again = await split.step(split.option)
    assert again.decision.id == f"{split.decision_id}.{split.option}"
    legal = (await split.table.decision(split.seat)).options
    for option in range(len(legal)):
        answer = await split.step(option)
        if answer.first_revision:
            return
    whole = [pb.DecisionAnswer(option=option) for option in split.steps]
    done = await split.table.submit(split.decision_id, person=split.seat, answers=whole)
    assert done.first_revision


async def test_the_seat_alone_sees_its_half_given_answer(split):
    step = await split.step(split.option)
    seen = await split.table.get(split.seat, with_view=True, decision_id=step.decision.id)
    (decision,) = seen.decisions
    assert decision == step.decision
    assert seen.view.seat == split.seat
    for person, reason in ((split.other, "NOT_YOUR_SEAT"), (None, "NOT_YOUR_SEAT")):
        got = await refused(split.table.get(person, decision_id=step.decision.id))
        assert got.reason == reason


@pytest.mark.parametrize("suffix", [".", ".x", ".-1", ".99999", ".1" * 65, ".9999"])
async def test_an_id_with_impossible_steps_is_refused(split, suffix):
    got = await refused(split.table.submit(split.decision_id + suffix, person=split.seat))
    assert got.reason in ("MALFORMED", "NO_SUCH_OPTION")


async def test_a_step_for_a_decision_that_was_answered_is_stale(split):
    step = await split.step(split.option)
    whole = [pb.DecisionAnswer(option=option) for option in split.steps]
    await split.table.submit(split.decision_id, person=split.seat, answers=whole)
    got = await refused(split.step(0, step.decision.id))
    assert got.reason == "STALE_DECISION"


async def test_the_last_step_has_one_effect_however_often_it_is_sent(split):
    step = await split.step(split.option)
    rest = [pb.DecisionAnswer(option=option) for option in split.steps[1:]]
    request = {"answers": rest, "request_id": "last", "person": split.seat}
    first = await split.table.submit(step.decision.id, **request)
    again = await split.table.submit(step.decision.id, **request)
    assert again.replayed
    again.replayed = False
    assert again == first


async def test_a_list_may_end_in_the_middle_of_an_answer(split):
    whole = [pb.DecisionAnswer(option=option) for option in split.steps]
    half = await split.table.submit(split.decision_id, person=split.seat, answers=whole[:1])
    assert half.decision.id == f"{split.decision_id}.{split.option}"
    done = await split.table.submit(half.decision.id, person=split.seat, answers=whole[1:])
    assert done.first_revision == done.revision


async def test_explain_judges_the_next_step(split):
    step = await split.step(split.option)
    request = pb.ExplainCommandRequest(
        match_id=split.table.id,
        decision_id=step.decision.id,
        command=step.decision.options[0].command,
    )
    metadata = bearer(split.table.secrets[split.seat])
    explained = await split.table.server.match.ExplainCommand(request, metadata=metadata)
    assert explained.legal
    assert explained.decision_id == step.decision.id


async def test_a_bot_is_prompted_for_each_step(split):
    table = split.table
    play = table.server.match.Play(metadata=bearer(table.secrets[split.seat]))
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id, with_view=True)))
    response = pb.PlayResponse()
    for number, option in enumerate(split.steps):
        response = await play.read()
        expected = ".".join([split.decision_id, *map(str, split.steps[:number])])
        assert response.prompt.decision.id == expected
        assert response.prompt.view.seat == split.seat
        answer = pb.PlayAnswer(decision_id=expected, answers=[pb.DecisionAnswer(option=option)])
        await play.write(pb.PlayRequest(answer=answer))

    async def moved() -> bool:
        return bool((await table.get(None)).match.revision != response.revision)

    await until(moved)
    play.cancel()


async def test_a_record_holds_the_steps_of_an_answer(server):
    split = await find_split(server, "champions")
    table = split.table
    answers = [pb.DecisionAnswer(option=option) for option in split.steps]
    done = await table.submit(split.decision_id, person=split.seat, answers=answers)
    for person in range(len(table.secrets)):
        request = pb.ResignSeatRequest(match_id=table.id, request_id=f"end {person}")
        try:
            await server.match.ResignSeat(request, metadata=bearer(table.secrets[person]))
        except grpc.aio.AioRpcError:
            break  # the last one left has won
    record = await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))
    recorded = record.record.commands[done.revision - 1]
    assert len(recorded.commands) == len(split.steps)


@pytest.mark.parametrize("policy", ["NEUTRAL", "STAND_IN"])
async def test_when_time_runs_out_the_whole_decision_is_answered(policy):
    control = match_pb2.TimeControl(
        on_timeout=match_pb2.TimeoutPolicy.Value(f"TIMEOUT_POLICY_{policy}")
    )
    control.base.FromSeconds(600)
    async with clocked() as made:
        split = await find_split(made.servers[0], "champions", control)
        before = known(made.servers[0], split.table.id)
        await split.step(split.option)
        await made.passes(900)
        await made.work(2)
        assert before.table is not None
        after = known(made.servers[0], split.table.id)
        if policy == "NEUTRAL":
            game = registry.game("champions")
            neutral = game.neutral(before.table, split.seat)
            entries = await made.entries(split.table)
            assert write(neutral, game.labels)
            assert len(entries) == before.revision + 1
        assert after.version != before.version
        got = await refused(split.step(split.steps[1], f"{split.decision_id}.{split.option}"))
        assert got.reason == "STALE_DECISION"
