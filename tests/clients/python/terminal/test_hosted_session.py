"""The screen at a hosted table: answers, clocks, undo, and looking back."""

import asyncio
from contextlib import asynccontextmanager

from taflhall_client.bots.random import Random
from taflhall_client.clocks import TimeControl
from taflhall_client.terminal.play.controller import Controller
from taflhall_client.terminal.play.hosted import HostedSession
from taflhall_client.terminal.play.screen import Screen
from tests.waiting import until


@asynccontextmanager
async def seated(client, name, setup, **fields):
    """A screen with its controller at a new match, whose other seats random bots play."""
    match = await client.create(name, setup, start_when_full=True, **fields)
    ann = await match.join("Ann", [0])
    game = client.game(name)
    others = [
        asyncio.create_task((await match.join(f"Bot {seat}", [seat])).play(Random(game, seat)))
        for seat in range(1, setup["seats"])
    ]
    session = HostedSession(ann, game, [0], "en")
    screen = Screen(game, "en", (0,))

    async def follow():
        async for report in session.reports():
            screen.apply(report)

    following = asyncio.create_task(follow())
    try:
        yield screen, Controller(session, screen)
    finally:
        for task in (following, *others):
            task.cancel()
        await asyncio.gather(following, *others, return_exceptions=True)


async def test_decisions_are_answered_beside_a_bot_and_looked_back_at(client):
    async with seated(client, "champions", {"seats": 2, "start_seat": 0}) as (screen, controller):
        for _ in range(6):
            await until(lambda: screen.decision is not None and not screen.answering)
            asked = screen.decision
            await controller.enter("1")
            await until(lambda asked=asked: screen.decision is not asked)  # type: ignore[misc]
        assert any("Ann" in line.text for line in screen.log)
        await controller.look_at(1)
        assert screen.past is not None
        assert screen.past.revision == 1
        assert screen.notice == ""


async def test_a_decision_that_the_clock_ends_is_taken_off_the_screen(client):
    """The rules' neutral answer is given when the time is over; nothing typed answers the next."""
    clock = TimeControl(base=1.0)
    async with seated(client, "yggdrasil", {"seats": 1}, time_control=clock) as (screen, _):
        await until(lambda: screen.decision is not None)
        first = screen.decision
        await until(lambda: screen.decision is not first)
        assert "decided in the meantime" in screen.notice
        assert [one.seat for one in screen.clocks] == [0]


async def test_leaving_an_answer_of_several_steps_begins_it_again(client):
    async with seated(client, "champions", {"seats": 2, "start_seat": 0}) as (screen, controller):
        while True:
            await until(lambda: screen.decision is not None and not screen.answering)
            market = [one for one in screen.offers if type(one.choice).__name__ == "VisitMarket"]
            if market:
                break
            asked = screen.decision
            await controller.enter("1")
            await until(lambda asked=asked: screen.decision is not asked)  # type: ignore[misc]
        first = screen.decision
        await controller.choose(market[0].number)
        await until(lambda: screen.decision.decision_id.startswith(f"{first.decision_id}."))
        assert len(screen.steps) == 1
        await controller.enter("again")
        await until(lambda: screen.decision.decision_id == first.decision_id)
        assert screen.steps == []
