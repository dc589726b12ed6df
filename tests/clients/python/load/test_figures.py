"""Due times, lags and figures of a load."""

import random
import time
from collections.abc import Iterator

import pytest

from taflhall_client.cli.load import follow_intervals
from taflhall_client.load.lag import Lag
from taflhall_client.load.measures import COMMAND, UNANSWERED, WATCH_LAG, Figures, Measures
from taflhall_client.load.pace import Pace
from taflhall_client.load.plan import SHARED_OUT, Plan
from taflhall_client.load.report import commands, cost_lines, interval_line
from taflhall_client.load.run import GeneratorFailed
from taflhall_client.load.server_costs import CostReader, Costs


def test_due_times_are_think_times_in_a_row():
    pace = Pace(random.Random(1), think=2.0, begins=100.0)
    due = [pace.next() for _ in range(4000)]
    between = [later - earlier for earlier, later in zip([100.0, *due], due, strict=False)]
    assert min(between) > 0
    assert sum(between) / len(between) == pytest.approx(2.0, rel=0.1)


def test_commands_that_are_due_and_not_answered_are_known_even_if_none_was_asked_for():
    pace = Pace(random.Random(1), think=1.0, begins=100.0)
    answered, refused, sent = pace.next(), pace.next(), pace.next()
    pace.done(answered)
    pace.done(refused)
    now = sent + 50
    unanswered = pace.unanswered(now)
    assert unanswered[0] == sent
    assert 30 < len(unanswered) < 70
    assert all(due <= now for due in unanswered)
    assert Pace(random.Random(1), think=9.0, begins=now).unanswered(now) == []


def test_commands_without_an_answer_count_in_the_latencies_and_not_as_commands():
    measures = Measures(begins=0.0)
    measures.record(COMMAND, 0.001)
    measures.unanswered(5.0)
    taken = measures.take()
    assert taken.milliseconds(COMMAND, 100) == pytest.approx(5000, rel=0.002)
    assert taken.counts == {UNANSWERED: 1}
    assert commands(taken) == 1


@pytest.mark.parametrize("processes", [1, 2, 3, 7])
def test_the_processes_together_make_the_whole_load(processes):
    plan = Plan("localhost:1", matches=20, bot_matches=5, watchers=9, lobby_watchers=2)
    shares = plan.shares(processes)
    assert len(shares) == processes
    for name in SHARED_OUT:
        assert sum(getattr(share, name) for share in shares) == getattr(plan, name)
    assert len({share.seed for share in shares}) == processes


def test_figures_of_processes_add_up_and_keep_their_percentiles():
    parts = []
    for first in (1, 501):
        part = Figures(seconds=10.0)
        for ms in range(first, first + 500):
            part.record(COMMAND, ms / 1000)
        part.counts["matches finished"] = 2
        part.failures["SubmitAnswers: UNAVAILABLE"] = 1
        parts.append(Figures.decoded(*part.encoded()))
    total = Figures()
    for part in parts:
        total.add(part)
    assert total.seconds == 10.0
    assert total.number(COMMAND) == 1000
    assert total.milliseconds(COMMAND, 50) == pytest.approx(500, rel=0.002)
    assert total.milliseconds(COMMAND, 99) == pytest.approx(990, rel=0.002)
    assert total.counts["matches finished"] == 4
    assert total.failures["SubmitAnswers: UNAVAILABLE"] == 2


def test_figures_of_intervals_follow_one_another():
    total = Figures()
    for _ in range(3):
        part = Figures(seconds=10.0)
        part.record(COMMAND, 0.001)
        total.follow(part)
    assert (total.seconds, total.number(COMMAND)) == (30.0, 3)


def test_nothing_of_the_warm_up_is_measured_except_failures():
    measures = Measures(begins=time.perf_counter() + 3600)
    measures.record(COMMAND, 1.0)
    measures.count("matches finished")
    measures.failed("JoinMatch", "NAME_TAKEN")
    taken = measures.take()
    assert taken.number(COMMAND) == 0
    assert not taken.counts
    assert taken.failures == {"JoinMatch: NAME_TAKEN": 1}


def test_a_lag_counts_from_the_sending_whichever_comes_first():
    measures = Measures(begins=0.0)
    lag = Lag(measures)
    lag.received(1, now=10.5)  # the watcher is quicker than the answer
    lag.committed(range(1, 3), sent=10.0)
    lag.received(2, now=11.0)
    lag.received(2, now=12.0)
    taken = measures.take()
    assert taken.number(WATCH_LAG) == 3
    assert taken.milliseconds(WATCH_LAG, 0) == pytest.approx(500, rel=0.002)
    assert taken.milliseconds(WATCH_LAG, 100) == pytest.approx(2000, rel=0.002)


def test_costs_are_those_since_the_warm_up_and_memory_that_since_before_it():
    plan = Plan("localhost:1", matches=4, seats=2, watchers=2)
    figures = Figures(seconds=10.0)
    for _ in range(1000):
        figures.record(COMMAND, 0.001)
    idle = Costs(5.0, 80e6, 20.0, 1e6)
    before, after = Costs(6.0, 81e6, 30.0, 2e6), Costs(8.0, 84e6, 30.0, 3e6)
    cpu, memory, store = cost_lines(plan, figures, idle, before, after)
    assert cpu == (
        "servers' CPU: 0.20 cores; 2000 us a command; "
        "in a second 50000 us a match, 20000 us a watch"
    )
    assert (
        memory == "servers' memory: 84 MB, 4.0 MB more than before: 1000 KB a match, 400 KB a watch"
    )
    assert store == (
        "store's memory: 3.0 MB, 2.0 MB more than before: 500 KB a match; since the warm-up "
        "1000 bytes a command"
    )


def test_what_a_server_was_not_asked_for_is_not_stated():
    assert not [*cost_lines(Plan("localhost:1"), Figures(1.0), Costs(), Costs(), Costs())]


class _Pages:
    """Metrics pages that a test sets; ``None`` cannot be read."""

    def __init__(self) -> None:
        self.shown: dict[str, dict[str, float] | None] = {}

    def set(self, url: str, started: float, cpu: float) -> None:
        self.shown[url] = {
            "process_start_time_seconds": started,
            "process_cpu_seconds_total": cpu,
            "process_resident_memory_bytes": 80e6,
        }

    def read(self, url: str) -> dict[str, float]:
        shown = self.shown[url]
        if shown is None:
            raise OSError(f"{url} cannot be read: gone")
        return shown


def test_a_server_that_is_down_for_a_while_does_not_lose_its_figures():
    pages = _Pages()
    pages.set("a", started=1.0, cpu=10.0)
    pages.set("b", started=1.0, cpu=20.0)
    reader = CostReader(["a", "b"], None, pages.read)
    assert reader.first().cpu_seconds == 30.0
    pages.shown["a"] = None
    down = reader.look()
    assert (down.cpu_seconds, down.memory_bytes, down.unread) == (30.0, 160e6, 1)
    assert "1 not read" in interval_line(Figures(1.0), down)
    pages.set("a", started=2.0, cpu=11.0)  # a new process, which has used more already
    again = reader.look()
    assert (again.cpu_seconds, again.unread) == (41.0, 0)
    assert reader.unread == {"a cannot be read: gone": 1}


def test_a_server_that_is_down_from_the_beginning_is_an_error():
    pages = _Pages()
    pages.shown["a"] = None
    with pytest.raises(OSError, match="a cannot be read: gone"):
        CostReader(["a"], None, pages.read).first()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GeneratorFailed("killed")])
def test_what_ends_a_load_early_loses_nothing_of_the_intervals_before(error):
    def intervals(number: int) -> Iterator[Figures]:
        for _ in range(number):
            figures = Figures(10.0)
            figures.record(COMMAND, 0.001)
            yield figures
        raise error

    total, kind = Figures(), type(error)
    _, stopped = follow_intervals(intervals(2), total, CostReader([], None))
    assert stopped is error
    assert (total.seconds, commands(total)) == (20.0, 2)
    with pytest.raises(kind):
        follow_intervals(intervals(0), Figures(), CostReader([], None))
