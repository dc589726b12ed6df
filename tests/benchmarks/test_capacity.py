"""The plan and the simulation agree with what can be computed by hand."""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.capacity import plan, scenarios
from tests.benchmarks.capacity.__main__ import PAGE, main, replaced
from tests.benchmarks.capacity.costs import Costs, read
from tests.benchmarks.capacity.plan import Size
from tests.benchmarks.capacity.simulation import Simulation

FIGURES = read()


def simulation(costs: Costs, size: Size, commands_per_second: float, seed: int = 1) -> Simulation:
    usage = replace(FIGURES.usage, seats=1, spectators=0.0, seconds_between_commands=1.0)
    return Simulation(costs, usage, size, round(commands_per_second), seed)


def test_ten_times_the_people_give_ten_times_the_load():
    one, ten = plan.load_of(FIGURES, 1_000), plan.load_of(FIGURES, 10_000)
    assert ten.commands == pytest.approx(10 * one.commands)
    assert ten.server_cores == pytest.approx(10 * one.server_cores)
    assert ten.store_bytes == pytest.approx(10 * one.store_bytes)


def test_commands_come_from_the_matches_that_are_played_and_bytes_from_all_that_live():
    usage = replace(FIGURES.usage, seats=4, seconds_between_commands=10.0, matches_per_person=3.0)
    load = plan.load_of(replace(FIGURES, usage=usage), 4_000)
    assert load.commands == pytest.approx(100.0)
    assert load.live_matches == 12_000


def test_a_deployment_carries_its_load_with_one_server_less():
    for people in plan.ORDERS:
        load = plan.load_of(FIGURES, people)
        size = plan.size_for(FIGURES, load)
        used = plan.fullness(FIGURES, load, size)
        assert all(share <= 1.0 for share in used.values()), used
        if size.servers > 2:
            smaller = plan.fullness(FIGURES, load, replace_servers(size, -1))
            assert smaller["CPU of the servers"] > 1.0


def replace_servers(size: Size, by: int) -> Size:
    return Size(size.servers + by, size.shards)


def test_traffic_is_paid_by_steps():
    prices = replace(FIGURES.prices, out_per_gb=((100.0, 0.1), (1_000.0, 0.05)))
    assert prices.traffic(50.0) == pytest.approx(5.0)
    assert prices.traffic(300.0) == pytest.approx(10.0 + 10.0)


def test_the_first_limit_is_reached_at_the_number_of_people_that_is_stated():
    for people in plan.ORDERS:
        name, limit = plan.first_limit(FIGURES, people)
        size = plan.size_for(FIGURES, plan.load_of(FIGURES, people))
        used = plan.fullness(FIGURES, plan.load_of(FIGURES, limit), size)
        assert used[name] == pytest.approx(1.0, rel=0.01)
        assert limit >= people


def test_a_lone_server_waits_as_the_formula_of_pollaczek_and_khinchine_says():
    service, busy = 0.01, 0.6
    costs = replace(
        FIGURES.costs, command=service, before_commit=1.0, variation=1.0, watcher=0.0, script=0.0,
        sync=0.0, network=0.0,
    )  # fmt: skip
    run = simulation(costs, Size(1, 1), busy / service)
    run.run(1_000.0)
    mean = statistics.fmean(command.latency for command in run.commands)
    # after the commit it stands once more behind those who came meanwhile: busy / (1 - busy)
    assert mean == pytest.approx((1 + busy) * service / (1 - busy), rel=0.05)


def test_commits_that_wait_together_are_synced_together():
    costs = replace(FIGURES.costs, command=0.0, watcher=0.0, script=0.0, sync=0.05, network=0.0)
    run = simulation(costs, Size(2, 1), 400.0)
    run.run(20.0)
    latencies = [command.latency for command in run.commands]
    assert len(latencies) == pytest.approx(8_000, rel=0.1)  # one by one only 400 would be synced
    assert max(latencies) <= 2 * 0.05 + 1e-9


def test_the_same_seed_gives_the_same_run():
    runs = []
    for _ in range(2):
        run = simulation(FIGURES.costs, Size(3, 2), 200.0, seed=7)
        run.run(5.0)
        runs.append(run.commands)
    assert runs[0] == runs[1]
    assert len(runs[0]) > 500


@pytest.mark.parametrize("name", scenarios.SCENARIOS)
def test_every_command_is_carried_out_whatever_happens(name: str):
    outcome = scenarios.simulate(FIGURES, 600, name, 2)
    assert outcome.unanswered == 0


def test_a_failover_shows_as_long_as_it_takes():
    outcome = scenarios.simulate(FIGURES, 1_200, "a shard fails over", 3)
    low, high = scenarios.FAILOVER
    assert all(low * 1e3 * 0.8 < worst < (high + 6.0) * 1e3 for worst in outcome.worst)
    assert all(worst > 100 * outcome.before for worst in outcome.worst)


def test_the_page_has_the_plan_that_the_program_computes():
    text = PAGE.read_text("utf-8")
    assert replaced(text, "plan", plan.table(FIGURES)) == text


def test_a_plot_is_the_same_for_the_same_runs(tmp_path: Path):
    from tests.benchmarks.capacity.plots import draw

    outcome = scenarios.simulate(FIGURES, 600, "a server is lost", 1)
    first = draw(outcome, tmp_path).read_bytes()
    assert draw(outcome, tmp_path).read_bytes() == first


def test_the_plan_for_another_number_is_printed_and_the_page_stays(capsys):
    before = PAGE.read_text("utf-8")
    assert main(["--people", "5000"]) == 0
    assert capsys.readouterr().out.startswith("| people on line | 5,000 |\n")
    assert PAGE.read_text("utf-8") == before
