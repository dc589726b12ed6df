"""``taflhall bot serve``: one process that takes part wherever its account is invited."""

import asyncio

import pytest

from taflhall_client.async_client import Client
from taflhall_client.results import Status
from taflhall_service.app.access.accounts import Role
from taflhall_testing.server import running_server


async def test_it_plays_where_it_is_invited_and_reports(taflhall):
    async with running_server() as server, Client(server.address) as host:
        account = await server.accounts.create("Robo", Role.BOT)
        _, key = await server.accounts.create_key(account.id)
        matches = {}
        solo = {"seats": 1, "solo_level": 1}
        for game, setup in (("yggdrasil", {"seats": 1}), ("ice_garden", solo)):
            match = await host.create(game, setup, start_when_full=True)
            await match.invite(account.id)
            matches[match.match_id] = match
        words = ["--api-key", key, "bot", "serve", server.address, "--matches", "2"]
        words += ["--bot", "yggdrasil=random", "--bot", "ice_garden=random"]
        done = await asyncio.to_thread(lambda: taflhall(*words))
        assert done.status == 0, done.err
        for match_id, match in matches.items():
            assert (await match.get()).match.status is Status.FINISHED
            own = [line for line in done.lines if line.startswith(match_id)]
            assert [line.split()[1] for line in own] == ["entered:", "over:"]


async def test_a_game_without_a_bot_is_declined(taflhall):
    async with running_server() as server, Client(server.address) as host:
        account = await server.accounts.create("Robo", Role.BOT)
        _, key = await server.accounts.create_key(account.id)
        other = await host.create("champions", {"seats": 2})
        await other.invite(account.id)
        own = await host.create("yggdrasil", {"seats": 1}, start_when_full=True)
        words = ["--api-key", key, "bot", "serve", server.address, "--matches", "1"]
        words += ["--bot", "yggdrasil=random"]
        serving = asyncio.create_task(asyncio.to_thread(lambda: taflhall(*words)))
        await own.invite(account.id)
        done = await serving
        assert [line.split()[0] for line in done.lines] == [own.match_id] * 2
        assert (await other.join("Ann")).seats == [0]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "an API key is needed"),
        (["--on-failure", "raise"], "--on-failure is neutral or resign"),
        (["--proposals", "maybe"], "--proposals is agree"),
    ],
)
def test_wrong_usage_is_said(taflhall, words, why):
    done = taflhall("bot", "serve", "localhost:1", *words)
    assert done.status == 2
    assert why in done.err


def test_the_word_play_may_be_left_out(taflhall):
    for words in (("bot",), ("bot", "play")):
        done = taflhall(*words, "localhost:1", "x")
        assert "either --secret of a seat or --join NAME is needed" in done.err
