"""Stuck match: its deadline is in no queue, it is frozen, or its player is away."""

from __future__ import annotations

import re

from taflhall_client import errors
from taflhall_client.async_client import Client, Match
from taflhall_client.clocks import TimeControl
from taflhall_client.ports import HOST, free_port
from taflhall_client.results import MatchInfo, Status
from tests.faults.control.rig import Rig
from tests.operate.runbooks.crowd import refusal
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.trial import Trial, trial
from tests.waiting import until


async def stuck_match(runbook: Runbook) -> str:
    """Let three matches stand still, and end that by the page."""
    admin = f"{HOST}:{free_port()}"
    rig = Rig(1, rig={"forgets_deadlines": True}, flags={"admin": admin})
    async with trial(runbook, rig, STORE=rig.store.address) as on:
        on.names.update(SERVER=rig.servers[0].address, TAFLHALL_ADMIN_ADDRESS=admin)
        create = 'taflhall-server admin create-account --store "$STORE" --role admin Root'
        status, made = await on.shell(create)
        assert status == 0, made
        on.names["TAFLHALL_API_KEY"] = re.findall(r"^key +(\S+)$", made, re.MULTILINE)[0]
        await on.begin()
        async with Client(rig.servers[0].address) as client:
            await _without_deadline(on, client)
            await _frozen(on, client)
            await _deserted(on, client)
    return "a lost deadline, a freeze and an absent player are dealt with"


async def _without_deadline(on: Trial, client: Client) -> None:
    seat = await _table(client, TimeControl(base=1.0))
    on.names["MATCH"] = seat.match_id
    await until(lambda: _out_of_time(seat))
    assert "waits for seat" in await on.do(1)
    assert "1 missing in an index" in await on.do(2)
    await until(lambda: _moved(seat))
    await on.over()
    _, verified = await on.shell('taflhall-server verify-store --store "$STORE"')
    assert "missing" not in verified


async def _frozen(on: Trial, client: Client) -> None:
    seat = await _table(client)
    on.names["MATCH"] = seat.match_id
    freeze = 'taflhall admin freeze "$MATCH" --justification "a complaint"'
    status, output = await on.shell(freeze)
    assert status == 0, output
    assert (await refusal(seat.submit(0), errors.TaflhallError)).reason == "MATCH_FROZEN"
    await on.shows()
    await on.do(3)
    await _answer(seat)
    await on.over()


async def _deserted(on: Trial, client: Client) -> None:
    seat = await _table(client)
    on.names["MATCH"] = seat.match_id
    await on.do(4)
    assert (await _info(seat)).status is Status.ABANDONED
    await on.over()


async def _table(client: Client, time_control: TimeControl | None = None) -> Match:
    match = await client.create("yggdrasil", {"seats": 2}, time_control=time_control)
    seat = await match.join("Ann", seats=[0, 1])
    await match.start()
    return seat


async def _answer(seat: Match) -> None:
    """Give one whole answer, which may have several steps."""
    while not (await seat.submit(0)).revision:
        pass


async def _info(seat: Match) -> MatchInfo:
    return (await seat.get()).match


async def _out_of_time(seat: Match) -> bool:
    clocks = (await _info(seat)).clocks
    return any(clock.deadline is not None and clock.left() <= 0 for clock in clocks)


async def _moved(seat: Match) -> bool:
    return (await _info(seat)).revision > 0
