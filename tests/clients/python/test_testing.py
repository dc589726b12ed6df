"""The public package for the tests of others: its laws, its server, and their page."""

from pathlib import Path

import pytest

from taflhall_client.async_client import Client
from taflhall_testing import Position, Trial
from taflhall_testing.laws import LAWS
from taflhall_testing.server import Limits, running_server
from taflhall_testing.trials import hold
from tests.engine.toy import QUAY

PAGE = (Path(__file__).parents[3] / "docs" / "testing.md").read_text("utf-8")
TRIAL = Trial(QUAY, usual=[{"seats": 2}, {"seats": 3}], matches=2)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_law_holds_for_the_toy(law):
    assert law.hold(TRIAL) > 0


def test_the_page_lists_every_law_with_what_it_says():
    for law in LAWS:
        assert f"| `{law}` | {law.check.__doc__} |" in PAGE


def test_a_broken_law_names_setup_seed_and_ply():
    def never(position: Position) -> None:
        assert position.ply < 3

    with pytest.raises(AssertionError) as broken:
        hold(TRIAL, never)
    assert broken.value.__notes__ == ["quay, setup {'seats': 2}, seed 0, ply 3"]


def test_a_match_without_end_is_a_failure():
    endless = Trial(QUAY, usual=[{"seats": 2}], matches=1, plies=4)
    with pytest.raises(AssertionError, match="not over after 4 plies"):
        hold(endless, lambda position: None)


async def test_a_client_plays_at_the_server_of_a_test():
    async with running_server() as server, Client(server.address) as client:
        match = await client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        ann = await match.join("Ann")
        decision = await ann.decision()
        assert decision is not None
        assert decision.options


async def test_two_servers_of_tests_know_nothing_of_each_other():
    async with running_server() as one, running_server(limits=Limits()) as other:
        assert one.address != other.address
        async with Client(one.address) as here, Client(other.address) as there:
            await here.create("yggdrasil", {"seats": 1})
            assert await there.matches() == []
