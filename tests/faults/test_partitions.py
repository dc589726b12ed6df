"""G1, G2, G5, G6 while servers are cut off from their store."""

from __future__ import annotations

import asyncio

from tests.faults.scenarios.partitions import partitions


def test_nothing_is_lost_or_doubled_in_partitions_between_servers_and_store(settle):
    verdict = asyncio.run(partitions(15, seed=4, tables=8, watchers=1, solo=0.7))
    settle(verdict, partitions=6, commands=500)
