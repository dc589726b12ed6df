"""The examples of every SDK run, against a server in this process.

Each language has the same five: a random bot, a watcher, a watch that resumes after a cut, a
refused command explained, a bot that serves.
"""

import asyncio
import contextlib
import os

import pytest

from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_client.games.champions import TakeLeader
from taflhall_client.results import Status
from taflhall_engine import registry
from taflhall_service.app.access.accounts import Role
from taflhall_service.observability.metrics import Meter
from taflhall_testing.server import running_server
from taflhall_wire.texts import texts_for
from tests.clients.sdks import SDKS, run
from tests.waiting import until

GAME = registry.game("yggdrasil")
CHAMPIONS = texts_for(registry.game("champions"), "en")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(params=SDKS, scope="module")
def sdk(request):
    found = SDKS[request.param]
    if found.missing and os.environ.get("CI") != "true":
        pytest.skip(f"missing: {', '.join(found.missing)}")
    assert not found.missing
    assert not run(found, found.build)
    return found


async def started(sdk, name, *arguments):
    command = [*sdk.example_command(name), *arguments]
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)


async def output(program):
    out, err = await program.communicate()
    assert program.returncode == 0, err.decode()
    return out.decode()


USAGE = {
    "bot": "usage: bot HOST:PORT MATCH [NAME]\n",
    "watcher": "usage: watcher HOST:PORT MATCH\n",
    "resume": "usage: resume HOST:PORT MATCH\n",
    "refused": "usage: refused HOST:PORT\n",
    "serve": "usage: serve HOST:PORT API_KEY\n",
}


async def test_without_arguments_an_example_says_how_it_is_used(sdk):
    for name, usage in USAGE.items():
        program = await started(sdk, name)
        out, err = await program.communicate()
        assert (program.returncode, out.decode(), err.decode()) == (2, "", usage)


async def test_a_bot_plays_while_two_watch(sdk):
    meter = Meter()

    def watching():
        labels = {"method": "WatchMatch"}
        return meter.registry.get_sample_value("taflhall_streams", labels)

    async with running_server(meter=meter) as server, Client(server.address) as client:
        match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        watchers = [
            await started(sdk, name, server.address, match.match_id)
            for name in ("watcher", "resume")
        ]
        await until(lambda: watching() == len(watchers))
        ann = await match.join("Ann")
        bot = await started(sdk, "bot", server.address, match.match_id)
        end = await ann.play(Random(GAME, 1))
        assert end.result is not None
        places = [f"seat {seat}: place {place}" for seat, place in enumerate(end.result.places)]
        assert (await output(bot)).splitlines() == places
        shown, resumed = [(await output(watcher)).splitlines() for watcher in watchers]
        assert shown[0] == "0 snapshot"
        assert shown[-len(places) - 1].startswith(f"{end.revision} ")
        assert shown[-len(places) :] == places
        assert resumed == ["cut after revision 1", f"ends at revision {end.revision}"]


async def test_what_is_refused_is_explained_with_what_is_legal(sdk):
    async with running_server() as server:
        shown = await output(await started(sdk, "refused", server.address))
    assert shown.splitlines() == [
        "reason: INVALID_SETUP",
        "field: setup.seats",
        "text: 2 to 4 can play, found 99",
        "reason: ILLEGAL_COMMAND",
        "rule: CM-3.8",
        "text: that leader is taken",
        f"rule text: {CHAMPIONS.rule('CM-3.8')}",
        *(f"legal: {CHAMPIONS.option(TakeLeader(leader))}" for leader in range(1, 5)),
    ]


async def test_a_bot_serves_every_match_of_its_account(sdk):
    async with running_server() as server, Client(server.address) as client:
        account = await server.accounts.create("Server", Role.BOT)
        _, key = await server.accounts.create_key(account.id)
        program = await started(sdk, "serve", server.address, key)
        async with Client(server.address, key=key) as own:
            for number in range(2):
                match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
                await own.match(match.match_id).join("Bot")
                ann = await match.join("Ann")
                end = await ann.play(Random(GAME, number))
                assert end.status is Status.FINISHED
        with contextlib.suppress(ProcessLookupError):
            program.terminate()
        await program.wait()
