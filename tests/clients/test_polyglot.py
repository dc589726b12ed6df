"""Bots of all languages at one table, over two replicas, one of which is killed."""

import os

import pytest

from taflhall_client.cli import records
from tests.clients import polyglot
from tests.clients.sdks import SDKS, run


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", polyglot.TABLES)
async def test_bots_of_all_languages_survive_the_kill_of_a_replica(game, tmp_path):
    missing = polyglot.missing()
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"missing: {', '.join(missing)}")
    assert not missing
    for sdk in SDKS.values():
        assert not run(sdk, sdk.build)
    bots = polyglot.seated(polyglot.TABLES[game])
    async with polyglot.replicas(tmp_path) as both:
        played = await polyglot.play(game, bots, both, tmp_path)
    assert polyglot.faults(played, [*bots]) == []
    assert records.check(records.read(played.record)).moves
