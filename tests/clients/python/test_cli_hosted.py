"""``taflhall tournament hosted``: from the announcement to the standings."""

import asyncio

import pytest

from taflhall_service.app.access.accounts import Role
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_testing.server import running_server
from tests.service.tournaments.test_tournaments import account, serving


async def test_a_tournament_from_its_announcement_to_the_standings(taflhall):
    async with running_server() as server:
        bots = [await account(server, Role.BOT, f"Robo {number}") for number in range(2)]
        host = await account(server, Role.HOST, "Host")

        async def hosted(key, command, *words):
            run = ("--api-key", key, "tournament", "hosted", command, server.address, *words)
            ran = await asyncio.to_thread(lambda: taflhall(*run))
            assert ran.status == 0, ran.err
            return ran.lines

        key = host.client.key
        words = ("champions", "--seats", "2", "--clock", "10m", "--name", "Cup")
        (line,) = await hosted(key, "create", *words)
        tournament = line.split()[1]
        for number, bot in enumerate(bots):
            (line,) = await hosted(bot.client.key, "enter", tournament, "--name", f"R{number}")
            assert line == f"{number + 1} have entered"
        assert tournament in "\n".join(await hosted(key, "list"))
        assert await hosted(key, "start", tournament) == ["2 play"]
        runner = asyncio.create_task(TournamentRunner(server.matches).run(0.02))
        async with serving(*bots):
            lines = await hosted(key, "watch", tournament)
        runner.cancel()
        assert "finished" in lines
        assert sum(line.endswith("won") for line in lines) == 2
        shown = await hosted(key, "show", tournament)
        assert sum("round 1" in line for line in shown) == 2
        assert shown[1:3] == ["R0", "R1"]
        for each in (host, *bots):
            await each.client.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--clock", "soon"), "is not a time control"),
        (
            ("--clock", "1m", "--format", "ladder"),
            "--format is round-robin, swiss, knockout",
        ),
        (("--clock", "1m", "--on-timeout", "shout"), "--on-timeout is"),
    ],
)
def test_wrong_usage_is_said(taflhall, words, why):
    ran = taflhall("tournament", "hosted", "create", "localhost:1", "champions", *words)
    assert ran.status == 2
    assert why in ran.err
