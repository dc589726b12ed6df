"""A tournament on a server that is killed again and again."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from taflhall_client.async_client import Client
from taflhall_client.results import Status
from tests.service.processes import Process
from tests.service.tournaments.test_tournaments import (
    CLOCK,
    SETUP,
    Account,
    finished,
    serving,
)
from tests.waiting import until

KILLS = 2


def key_of(store: str, name: str, role: str) -> str:
    """Open an account in the store, and return a key of it."""
    command = [sys.executable, "-m", "taflhall_service.main", "admin", "create-account", name]
    made = subprocess.run(
        [*command, "--role", role, "--store", store], capture_output=True, text=True, check=True
    )
    (key,) = re.findall(r"tfk_\S+", made.stdout)
    return str(key)


async def over(client: Client, tournament: str, least: int) -> bool:
    """Return whether so many matches are over."""
    matches = await client.tournaments.matches(tournament)
    return sum(match.status is Status.FINISHED for match in matches) >= least


@asynccontextmanager
async def life(store: str, *keys: str) -> AsyncIterator[list[Account]]:
    """Run a server and clients with keys; kill it at the end."""
    process = Process("--store", store, "--grace", "0.2")
    try:
        async with AsyncExitStack() as stack:
            yield [
                Account(
                    "",
                    await stack.enter_async_context(Client(f"127.0.0.1:{process.port}", key=key)),
                )
                for key in keys
            ]
    finally:
        process.end(signal.SIGKILL)


async def announced(host: Account, *bots: Account) -> str:
    """Start a tournament of *bots*."""
    tournaments = host.client.tournaments
    made = await tournaments.create("champions", "Cup", SETUP, time_control=CLOCK, rounds=KILLS + 1)
    for bot in bots:
        await bot.client.tournaments.enter(made.id)
    await tournaments.start(made.id)
    return made.id


@pytest.mark.slow
async def test_it_continues_after_every_kill_and_every_match_counts_once(tmp_path: Path):
    store = f"embedded:{tmp_path / 'store'}"
    keys = [key_of(store, "Host", "host")]
    keys += [key_of(store, f"Robo {number}", "bot") for number in range(2)]
    tournament = ""
    for kills in range(KILLS):
        async with life(store, *keys) as (host, *bots):
            tournament = tournament or await announced(host, *bots)
            async with serving(*bots):
                await until(partial(over, host.client, tournament, kills + 1))
    async with life(store, *keys) as (host, *bots):
        async with serving(*bots):
            await until(partial(finished, host.client, tournament))
        matches = await host.client.tournaments.matches(tournament)
        standings = await host.client.tournaments.standings(tournament)
    assert [match.status for match in matches] == [Status.FINISHED] * 2 * (KILLS + 1)
    assert len({match.match_id for match in matches}) == len(matches)
    assert sum(line.points for line in standings) == len(matches)
    assert {line.matches for line in standings} == {len(matches)}
