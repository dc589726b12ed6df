"""Clocks in the client: as text, with a server, and at the terminal."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from taflhall_client import async_client, errors, sync
from taflhall_client.bots.random import Random
from taflhall_client.clocks import (
    SeatClock,
    TimeControl,
    TimeoutPolicy,
    parse_time_control,
)
from taflhall_client.results import Status
from taflhall_client.setting_messages import time_control_from, time_control_to
from taflhall_client.terminal.clocks import clocks_text, time_control_text, time_text


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("10m", TimeControl(600)),
        ("10m+5s", TimeControl(600, 5)),
        ("10m+5s/30s", TimeControl(600, 5, 30)),
        ("1d12h/1h", TimeControl(129_600, 0, 3600)),
        ("1.5s+0.5s", TimeControl(1.5, 0.5)),
        ("1h30m+10s/1m30s", TimeControl(5400, 10, 90)),
    ],
)
def test_a_clock_is_read_and_written(text, clock):
    assert parse_time_control(text) == clock
    assert str(clock) == text
    assert time_control_from(time_control_to(clock)) == clock


@pytest.mark.parametrize(
    "text", ["", "10", "m", "10m+", "+5s", "10m/5", "10x", "-10m", "10m+5s/", "\u0661\u0660m"]
)
def test_an_invalid_time_control_is_refused(text):
    with pytest.raises(ValueError, match="is not a time control"):
        parse_time_control(text)


def test_a_time_control_has_a_longest_time():
    with pytest.raises(ValueError, match="is more than 3650000d"):
        parse_time_control("10m+99999999999999999999s")


@pytest.mark.parametrize("off", [-90.0, 0.0, 90.0])
def test_what_is_left_counts_down_however_wrong_this_computers_time_is(off):
    deadline = datetime.now(UTC) + timedelta(seconds=70 + off)
    running = SeatClock(0, 60.0, deadline, False, False, 70.0, received=1000.0)
    assert running.left(1030.0) == 40
    assert running.left(9999.0) == 0
    assert SeatClock(0, 60.0, None, False, False, 60.0, received=1000.0).left(1030.0) == 60


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00.0"), (9.97, "0:09.9"), (10, "0:10"), (598.9, "9:58"), (3909, "1:05:09")],
)
def test_time_is_shown_as_a_clock_does(seconds, text):
    assert time_text(seconds) == text


def test_clocks_are_shown_in_two_languages():
    now = datetime(2026, 1, 1, tzinfo=UTC)
    clocks = [
        SeatClock(0, 60.0, now, False, False, 70.0, received=0.0),
        SeatClock(1, 30.0, None, False, True, 30.0),
    ]
    names = ["Ann", "Bob"]
    assert clocks_text(clocks, names, "en", 5.0) == "Ann 1:05* | Bob a stand-in plays"
    assert clocks_text(clocks, names, "de", 5.0) == "Ann 1:05* | Bob ein Ersatzspieler spielt"
    still = [SeatClock(0, 60.0, None, True, False, 60.0)]
    assert clocks_text(still, names, "en") == "Ann 1:00 | the clocks are paused"
    assert clocks_text(still, names, "de") == "Ann 1:00 | die Uhren stehen"
    assert clocks_text([], names, "en") == ""
    clock = TimeControl(600, 5, 0, TimeoutPolicy.FORFEIT)
    assert time_control_text(clock, "en") == "time 10m+5s, then: the match is lost"
    assert time_control_text(clock, "de") == "Bedenkzeit 10m+5s, danach: die Partie ist verloren"


class Clocked(Random):
    """Keeps the clocks that it receives."""

    def __init__(self, game):
        super().__init__(game)
        self.deadlines = []

    def choose(self, view, decision):
        self.deadlines.append(decision.deadline)
        return super().choose(view, decision)


def test_a_match_with_clocks_from_start_to_end(address):
    with sync.Client(address) as client:
        clock = TimeControl(600, 5, 1, TimeoutPolicy.STAND_IN)
        match = client.create("yggdrasil", {"seats": 2}, time_control=clock, start_when_full=True)
        info = match.get().match
        assert (info.time_control, info.clocks) == (clock, [])
        seat = match.join("Ann", [0, 1])
        info = seat.get().match
        assert [c.bank for c in info.clocks] == [600, 600]
        (mine,) = [c for c in info.clocks if c.deadline is not None]
        assert 500 < mine.left() < 606
        updates = seat.watch(view=False)
        assert next(updates).clocks == info.clocks
        seat.submit(0)
        (banked,) = [c.bank for c in next(updates).clocks if c.seat == mine.seat]
        assert 500 < banked <= 605
        bot = Clocked(client.game("yggdrasil"))
        assert seat.play(bot).status is Status.FINISHED
        assert all(deadline is not None for deadline in bot.deadlines)
        plain = client.create("yggdrasil", {"seats": 2})
        assert plain.get().match.time_control is None


async def test_clock_settings_that_cannot_be_are_refused_with_their_faults(address):
    async with async_client.Client(address) as client:
        with pytest.raises(errors.InvalidTimeControl) as caught:
            await client.create("yggdrasil", {"seats": 2}, time_control=TimeControl(0.1, 10**6))
        assert [fault.field for fault in caught.value.violations] == [
            "time_control.base",
            "time_control.increment",
        ]


def test_a_match_is_opened_with_clocks_and_shown(taflhall, address):
    args = ("match", "create", address, "yggdrasil", "--seats", "1", "--start-when-full")
    ran = taflhall(*args, "--clock", "10m+5s", "--on-timeout", "stand-in")
    assert ran.status == 0
    match, secret = re.findall(r"^(?:match|secret)\s+(\S+)$", ran.out, re.MULTILINE)
    shown = taflhall("match", "show", address, match).out
    assert "time 10m+5s, then: a stand-in plays on" in shown
    assert "left     -" in shown
    typed = ("1", "q")
    played = taflhall("play", address, match, "--join", "Ann", "--language", "de", typed=typed)
    assert len(re.findall(r"^Ann \d+:\d\d\*$", played.out, re.MULTILINE)) == 2
    assert secret


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--clock", "10"), "is not a time control"),
        (("--clock", "10m", "--on-timeout", "wait"), "neutral, stand-in, forfeit"),
    ],
)
def test_an_invalid_clock_option_is_a_usage_error(taflhall, address, args, says):
    ran = taflhall("match", "create", address, "yggdrasil", *args)
    assert ran.status == 2
    assert says in ran.err


def test_a_watch_prints_that_time_has_run_out(taflhall, address):
    with sync.Client(address) as client:

        def watched(seconds):
            terms = TimeControl(seconds, 0, 0, TimeoutPolicy.FORFEIT)
            match = client.create("yggdrasil", {"seats": 1}, time_control=terms)
            match.join("Ann")
            match.start()
            return match, taflhall("watch", address, match.match_id)

        match, ran = watched(1)
        for seconds in (10, 100):  # on a busy machine it may be over before it is watched
            if ": finished" in ran.lines[0]:
                match, ran = watched(seconds)
        assert re.search(r"time \d+\w+, then: the match is lost", ran.out)
        assert "Ann has run out of time" in ran.out
        assert "reason: a seat ran out of time" in ran.out
        assert match.get().match.status is Status.FINISHED
