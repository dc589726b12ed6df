"""Company at the table, from Python and on the command line: bots of the server, rematches,
presence, reactions, and the lobby."""

import asyncio
import re
import subprocess
import sys
import threading

import pytest

from taflhall_client import async_client, errors, sync
from taflhall_client.bots.random import Random
from taflhall_client.results import Reaction, SeatReaction, Status
from tests.waiting import LIMIT_SECONDS, wait_until


async def test_a_bot_of_the_server_is_played_again_in_a_rematch(address):
    async with async_client.Client(address) as client:
        bots = {bot for game in await client.games() for bot in game.bots}
        assert bots == {"random", "monte-carlo"}
        match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        info = await match.add_bot("random", name="Robo")
        assert [seat.bot for seat in info.seats] == ["random", ""]
        ann = await match.join("Ann")
        bot = Random(client.game("yggdrasil"))
        assert (await ann.play(bot)).status is Status.FINISHED
        again = await ann.rematch()
        assert again.seats == [0]
        new, old = (await again.get()).match, (await match.get()).match
        assert (old.next_match, new.previous_match) == (new.match_id, old.match_id)
        assert (await again.play(bot)).status is Status.FINISHED
        with pytest.raises(errors.MatchOver):
            await match.add_bot("random")


async def test_a_watch_brings_presence_and_reactions(address):
    async with async_client.Client(address) as client:
        match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        seats = [await match.join(name) for name in ("Ann", "Ben")]
        seen = False
        watching = match.watch(presence=True, reactions=True)
        ben = seats[1].watch()
        await anext(ben)
        async with asyncio.timeout(LIMIT_SECONDS):
            async for update in watching:
                assert update.status is Status.PLAYING
                if [seat.connected for seat in update.presence] == [False, True]:
                    seen = True
                    await seats[0].react(Reaction.GOOD_LUCK)
                if update.reaction is not None:
                    break
        assert update.reaction == SeatReaction(0, Reaction.GOOD_LUCK)
        assert seen
        present = (await match.get(presence=True)).presence
        assert [seat.connected for seat in present] == [False, True]
        assert present[1].last_seen is not None
        for stream in (watching, ben):
            await stream.aclose()


def test_the_same_without_asyncio(address):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        match.add_bot("random", 1)
        ann = match.join("Ann")
        ann.react(Reaction.HELLO)
        assert ann.get(presence=True).presence[1].connected
        ann.resign()
        assert ann.rematch().seats == [1]


@pytest.fixture
def opened(taflhall, address):
    ran = taflhall("match", "create", address, "yggdrasil", "--seats", "2", "--start-when-full")
    return re.findall(r"^(?:match|secret)\s+(\S+)$", ran.out, re.MULTILINE)


def test_the_command_line_adds_a_bot_reacts_and_asks_for_a_rematch(taflhall, address, opened):
    match, secret = opened
    added = taflhall("match", "add-bot", address, match, "--bot", "random", "--secret", secret)
    assert "random (bot, of the server)" in added.out
    seat = taflhall("match", "join", address, match, "--name", "Ann").lines[1].split()[1]
    assert taflhall("match", "react", address, match, "hello", "--secret", seat).status == 0
    wrong = taflhall("match", "react", address, match, "boo", "--secret", seat)
    assert (wrong.status, "good-game" in wrong.err) == (2, True)
    early = taflhall("match", "rematch", address, match, "--secret", seat)
    assert (early.status, "NOT_FINISHED" in early.err) == (3, True)
    assert taflhall("match", "abandon", address, match, "--secret", seat).status == 0
    again = taflhall("match", "rematch", address, match, "--secret", seat)
    new = again.lines[0].split()[1]
    assert again.lines[1] == "seats  0"
    assert f"rematch  {new}" in taflhall("match", "show", address, match).out
    assert f"after    {match}" in taflhall("match", "show", address, new).out
    assert "bot monte-carlo: " in taflhall("games", address).out


def command(*args):
    return subprocess.Popen(
        [sys.executable, "-m", "taflhall_client", *args],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_lobby_is_watched(taflhall, address):
    watching = command("lobby", "watch", address, "--text", "watched")
    assert watching.stdout is not None
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.append(watching.stdout.readline()))
    reading.start()

    def is_heard() -> bool:
        taflhall("match", "create", address, "yggdrasil", "--title", "watched")
        return bool(lines)

    wait_until(is_heard)
    watching.terminate()
    watching.wait(60)
    reading.join()
    watching.stdout.close()
    assert re.fullmatch(r"\w+ yggdrasil open: -(, -)*  watched\n", lines[0])
    assert taflhall("lobby", "watch", address, "--status", "shut").status == 2


def test_a_watch_shows_who_comes_and_what_is_said(taflhall, address, opened):
    match, _ = opened
    with sync.Client(address) as client:
        ann = client.match(match).join("Ann")
        client.match(match).join("Ben")
        watching = command("watch", address, match)
        assert watching.stdout is not None
        assert "playing" in watching.stdout.readline()
        playing = ann.watch()
        next(playing)
        assert watching.stdout.readline() == "Ann is here\n"
        ann.react(Reaction.WELL_PLAYED)
        assert watching.stdout.readline() == "Ann: Well played!\n"
        playing.close()
        ann.resign()
        watching.stdout.read()
        assert watching.wait(60) == 0
        watching.stdout.close()
