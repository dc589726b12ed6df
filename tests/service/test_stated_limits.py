"""The numbers that the documentation states, and what the buckets of rates do with them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.access.permissions import Action
from taflhall_service.app.access.rate_limits import (
    INVALID_REQUEST_COST,
    MAX_CALLERS,
    RateClass,
    RateLimiter,
    TokenBuckets,
    burst,
    class_of,
    cost_of,
)
from taflhall_service.app.errors import RateLimited
from taflhall_service.app.model.clocks import ABSENT_AFTER, MAX_PAUSE_MS, MIN_BASE_MS, MIN_GRACE_MS
from taflhall_service.app.model.limits import DEFAULT_RATES, PUBLIC_RATES, Limits, Rates
from taflhall_service.app.model.spectator_policy import MAX_DELAY_MS, MIN_DELAY_MS
from taflhall_service.app.ports.match_store import HEARTBEAT_TIMEOUT_MS
from taflhall_service.app.spectating.queries import DEFAULT_PAGE, MAX_PAGE
from taflhall_service.process import limits_of
from taflhall_service.settings import Settings

READS, COMMANDS = RateClass.READS, RateClass.COMMANDS


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_limits_of_operating_md_are_those_of_the_server():
    limits = Limits()
    assert limits.rates == DEFAULT_RATES == Rates(20_000, 2_000, 20_000, 2_000)
    assert Rates(100, 2, 100, 10) == PUBLIC_RATES
    assert (limits.streams, limits.delayed_refusals) == (20_000, 500)
    assert limits.delayed_refusals * limits.refusal_delay_seconds == 10.0
    assert (MAX_CALLERS, 1 + INVALID_REQUEST_COST) == (20_000, 6)
    public, usual = limits_of(Settings(public=True)), limits_of(Settings())
    assert (public.caller_streams, public.host_streams, public.host_connections) == (64, 500, 100)
    assert (public.connection_calls, public.connection_streams) == (100, 80)
    assert (usual.connection_calls, usual.connection_streams) == (2_000, 20_000)
    proxied = limits_of(Settings(public=True, behind_proxy=True))
    assert (proxied.connection_calls, proxied.connection_streams) == (2_000, 20_000)
    assert usual.caller_streams == usual.host_streams == usual.host_connections == 20_000
    assert (public.rates, usual.rates) == (PUBLIC_RATES, DEFAULT_RATES)
    assert HEARTBEAT_TIMEOUT_MS == 3000


def test_the_limits_of_the_contract_are_those_of_the_server():
    limits = Limits()
    assert (limits.request_bytes, limits.response_bytes) == (1 << 16, 1 << 22)
    assert (limits.name_characters, limits.answers) == (64, 64)
    assert (limits.match_commands, limits.match_changes) == (20_000, 2_000)
    assert (limits.heartbeat_seconds, limits.enter_seconds) == (15, 30)
    assert (limits.engine_plies, limits.stream_matches) == (20_000, 1_000)
    assert limits.analysis_iterations == 5_000
    assert (limits.write_seconds, limits.visible_states) == (30, 256)
    assert not limits.accounts_required
    assert (DEFAULT_PAGE, MAX_PAGE) == (50, 100)
    assert (MIN_DELAY_MS, MAX_DELAY_MS) == (1000, 3_600_000)
    assert (MIN_BASE_MS, MIN_GRACE_MS, MAX_PAUSE_MS, ABSENT_AFTER) == (1000, 1000, 60_000, 2)


def test_every_action_counts_in_the_class_and_for_the_calls_that_operating_md_states():
    commands = {Action.SUBMIT_ANSWERS}
    dear = {
        Action.ANALYSE_RECORD: 20,
        Action.ROLLOUT: 10,
        Action.IMAGINE_TABLES: 5,
        Action.GET_MATCH_RECORD: 5,
        Action.GET_MATCH_VIEW: 5,
        Action.LIST_MATCH_EVENTS: 5,
    }
    engine = ("set_up", "apply_", "imagine", "rollout", "analyse_")
    reading = ("list_", "get_", "explain", "admin_", *engine)
    for action in Action:
        if action in commands:
            wanted = RateClass.COMMANDS
        elif action.value.startswith(("watch_", "play")):
            wanted = RateClass.STREAMS
        elif action.value.startswith(reading):
            wanted = RateClass.READS
        else:
            wanted = RateClass.WRITES
        assert class_of(action) is wanted, action
        assert cost_of(action) == dear.get(action, 1), action


@pytest.mark.parametrize(("rate", "held"), [(1.0, 20), (5.0, 20), (5.5, 22), (100.0, 400)])
def test_four_seconds_worth_may_come_at_once_and_20_calls_at_least(rate, held):
    assert burst(rate) == held
    buckets = TokenBuckets([rate] * 4, 0.0)
    for _ in range(held):
        assert buckets.take(READS, 1.0, 0.0) == 0.0
    assert buckets.take(READS, 1.0, 0.0) == pytest.approx(1 / rate)
    assert buckets.take(READS, 1.0, 0.5 / rate) == pytest.approx(0.5 / rate)
    assert buckets.take(READS, 1.0, 1.0 / rate) == 0.0
    assert buckets.take(COMMANDS, 1.0, 0.0) == 0.0


def test_a_bucket_never_holds_more_than_its_burst():
    buckets = TokenBuckets([5.0] * 4, 0.0)
    assert buckets.take(READS, 5.0, 1000.0) == 0.0
    assert buckets.tokens[READS.place] == 15.0
    assert buckets.take(READS, 1.0, 1001.0) == 0.0
    assert buckets.tokens[READS.place] == 19.0
    assert buckets.take(READS, 1.0, 2000.0) == 0.0
    assert buckets.tokens[READS.place] == 19.0


def test_a_debt_is_a_burst_at_most():
    buckets = TokenBuckets([5.0] * 4, 0.0)
    buckets.penalize(READS, 5.0)
    assert buckets.tokens[READS.place] == 15.0
    buckets.penalize(READS, 30.0)
    assert buckets.tokens[READS.place] == -15.0
    buckets.penalize(READS, 30.0)
    assert buckets.tokens[READS.place] == -20.0
    assert buckets.take(READS, 1.0, 0.0) == pytest.approx(21 / 5)
    assert buckets.tokens[COMMANDS.place] == 20.0


def test_a_reservation_waits_until_its_token_is_available():
    buckets = TokenBuckets([5.0] * 4, 0.0)
    waits = [buckets.reserve(READS, 0.0) for _ in range(23)]
    assert waits[:20] == [0.0] * 20
    assert waits[20:] == pytest.approx([0.2, 0.4, 0.6])
    assert buckets.reserve(READS, 0.6) == pytest.approx(0.2)
    assert buckets.reserve(READS, 0.6, 3) == pytest.approx(0.8)


def test_reported_waits_are_rounded_up_to_20_ms():
    clock = Clock()
    limiter = RateLimiter(Rates(*[30.0] * 4), clock)
    mine = limiter.of("ann")
    limiter.spend(mine, READS, 120.0)
    for now, stated in [(0.0, "40"), (0.01, "40"), (0.02, "20"), (0.033, "20")]:
        clock.now = now
        with pytest.raises(RateLimited) as refused:
            limiter.spend(mine, READS)
        assert refused.value.metadata["retry_after_ms"] == stated
    clock.now = 0.034
    limiter.spend(mine, READS)


@pytest.mark.parametrize(
    ("seconds", "stated"), [(0.0001, "20"), (0.0199, "20"), (0.02001, "40"), (0.0401, "60")]
)
def test_the_stated_wait_is_never_too_short(seconds, stated):
    waiting: Any = SimpleNamespace(take=lambda *_: seconds)
    with pytest.raises(RateLimited) as refused:
        RateLimiter(Rates(), Clock()).spend(waiting, READS)
    assert refused.value.metadata["retry_after_ms"] == stated


def test_the_secrets_of_a_host_have_ten_callers_rates_together():
    limiter = RateLimiter(Rates(*[30.0] * 4), Clock())
    assert limiter.of_secrets("host").rates == [300.0] * 4
    assert limiter.of_secrets("host") is limiter.of_secrets("host")
    assert limiter.of_secrets("host") is not limiter.of_secrets("other")
    assert limiter.of_secrets("host") is not limiter.of("host")


def test_the_caller_longest_unseen_is_forgotten_first():
    limiter = RateLimiter(Rates(*[30.0] * 4), Clock(), max_callers=3)
    for who in ("ann", "bob", "cy", "ann", "dee"):
        limiter.of(who)
    assert [limiter.knows(who) for who in ("ann", "bob", "cy", "dee")] == [True, False, True, True]


def test_one_class_may_be_unlimited_beside_others():
    limiter = RateLimiter(Rates(0.0, 30.0, 30.0, 30.0), Clock())
    mine = limiter.of("ann")
    assert len(limiter) == 1
    for _ in range(500):
        limiter.spend(mine, COMMANDS)
        mine.penalize(COMMANDS, 5.0)
    assert limiter.delay(mine, COMMANDS) == mine.take(COMMANDS, 1.0, 0.0) == 0.0
    assert mine.delayed == 0
    limiter.spend(mine, READS, 120.0)
    with pytest.raises(RateLimited):
        limiter.spend(mine, READS)
    assert limiter.of("host of tournaments", many=True).rates == [0.0, 600.0, 30.0, 30.0]
