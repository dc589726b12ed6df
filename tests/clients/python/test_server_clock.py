"""Remaining time by the server's clock, whatever the time is on this computer."""

from datetime import UTC, datetime, timedelta

import pytest

from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_client.clocks import SeatClock, TimeControl
from taflhall_client.server_clock import TIME, ServerClock


class Computer:
    """A computer whose wall clock is wrong, with a monotonic clock that the test moves."""

    def __init__(self, wall):
        self.seconds = 1000.0
        self.wall = wall

    def server_clock(self):
        return ServerClock(lambda: self.seconds, lambda: self.wall)


def at(seconds):
    return ((TIME, str(int(seconds * 1000))),)


@pytest.mark.parametrize("off", [-90.0, 0.0, 90.0])
def test_a_clock_counts_down_by_the_server_however_wrong_this_computer_is(off):
    truth = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
    computer = Computer(truth.timestamp() + off)
    clock = computer.server_clock()
    clock.observe(at(truth.timestamp()), sent=computer.seconds)
    seat = SeatClock(0, 60.0, truth + timedelta(seconds=60), False, False, clock)
    assert seat.left() == pytest.approx(60)
    computer.seconds += 45
    assert seat.left() == pytest.approx(15)
    computer.seconds += 45
    assert seat.left() == 0


def test_a_slow_answer_does_not_replace_a_quick_one_for_a_minute():
    computer = Computer(0.0)
    clock = computer.server_clock()
    clock.observe(at(5000), sent=computer.seconds)
    computer.seconds += 20
    clock.observe(at(5000), sent=computer.seconds - 20)
    assert clock.now() == pytest.approx(5020)
    computer.seconds += 61
    clock.observe(at(9000), sent=computer.seconds - 2)
    assert clock.now() == pytest.approx(9001)


@pytest.mark.parametrize("trailing", [(), None, ((TIME, "soon"),), (("other", "1"),)])
def test_without_the_servers_time_this_computers_counts(trailing):
    computer = Computer(77.0)
    clock = computer.server_clock()
    clock.observe(trailing, sent=computer.seconds)
    assert clock.now() == 77.0


async def test_a_server_sends_its_time_and_a_bot_learns_what_is_left(client, address):
    before = datetime.now(UTC).timestamp()
    async with Client(address) as other:
        match = await other.create(
            "yggdrasil", {"seats": 1}, time_control=TimeControl(60), start_when_full=True
        )
        assert abs(other.server_clock.now() - before) < 30

        class Looks(Random):
            left = []

            def choose(self, view, decision):
                self.left.append(decision.time_left)
                return super().choose(view, decision)

        seat = await match.join("Ann")
        await seat.play(Looks(other.game("yggdrasil")))
    assert Looks.left
    assert all(0 < left <= 61 for left in Looks.left)
