"""G1, G2, G5, G6, G9 while halls and their store are killed at random points under load."""

from __future__ import annotations

import asyncio

from tests.faults.scenarios.kills import kills

SECONDS = 30
KILLS = 100
COMMANDS = 20_000
"""What the run aims at on an idle machine; a slow one gets less done in its time."""


def test_nothing_is_lost_or_doubled_when_halls_and_store_are_killed():
    verdict = asyncio.run(kills(SECONDS, seed=1, pause=0.2, tables=12, watchers=1))
    print(verdict.summary(), f"(aimed at {KILLS} kills, {COMMANDS} commands)")
    verdict.clean()
    verdict.at_least(
        **{
            "kills of the store": KILLS // 10,
            "kills of a hall": KILLS // 10,
            "commands": COMMANDS // 20,
            "replays": 20,
            "resumes": 50,
        }
    )
