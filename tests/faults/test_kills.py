"""G1, G2, G5, G6, G9 while servers and their store are killed at random points under load."""

from __future__ import annotations

import asyncio

import pytest

from tests.faults.control.shims import available
from tests.faults.scenarios.kills import kills

KILLS = 110
COMMANDS = 21_000
"""What the run has to reach before it ends, or seconds if the machine is slow."""
SECONDS = 90


def test_nothing_is_lost_or_doubled_when_servers_and_store_are_killed(settle):
    run = kills(
        SECONDS,
        seed=1,
        pause=0.2,
        enough=(KILLS, COMMANDS),
        tables=16,
        watchers=1,
        solo=0.7,
    )
    verdict = asyncio.run(run)
    verdict.figures["kills"] = sum(
        verdict.figures[f"kills of {what}"] for what in ("the store", "a server")
    )
    least = {"kills": 100, "commands": 20_000, "replays": 100, "resumes": 200}
    settle(verdict, **least, **{"kills of the store": 30, "kills of a server": 30})


needs_compiler = pytest.mark.skipif(not available(), reason="no C compiler for the shim")


@needs_compiler
def test_nothing_is_lost_when_a_power_cut_takes_what_is_not_synced(settle):
    run = kills(30, seed=2, share=1.0, pause=0.2, enough=(25, 2_000), tables=8, power_cuts=True)
    settle(asyncio.run(run), **{"power cuts": 20, "commands": 1_500})


@needs_compiler
def test_a_store_that_does_not_sync_loses_acknowledged_answers():
    run = kills(
        30,
        seed=3,
        share=1.0,
        pause=0.5,
        enough=(4, 200),
        tables=8,
        power_cuts=True,
        unsynced=True,
        flags={"durability": "memory"},
        patience=10.0,  # what is lost does not come back
        catch_up=3.0,
    )
    assert "G5 acknowledged is stored" in asyncio.run(run).broken
