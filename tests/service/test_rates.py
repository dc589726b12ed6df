"""How often one may ask, and how much of the server one may hold: G15, T5, T8."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, Final

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2
from prometheus_client import generate_latest

from taflhall.v1 import catalog_service_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Accounts, Role
from taflhall_service.app.access.rate_limits import (
    BURST_SECONDS,
    MIN_BURST,
    SECRETS_SHARE,
    RateClass,
    RateLimiter,
    TokenBuckets,
    burst,
)
from taflhall_service.app.errors import RateLimited, TooManyStreams
from taflhall_service.app.model.limits import Rates
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.admission import AdmissionControl, CallerContext
from taflhall_service.rpc.hosts import host_of_peer
from taflhall_service.store.memory import MemoryStore
from tests.service.local_server import (
    Refusal,
    Table,
    bearer,
    limits,
    open_server,
    reason_of,
    refused,
)
from tests.service.test_matches import setup
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import settle, take, until

FEW: Final = Rates(commands=5.0, joins=5.0, reads=5.0, streams=5.0)
BURST_ONLY: Final = Rates(commands=0.01, joins=0.01, reads=0.01, streams=0.01)
"""Nothing but the burst: on a machine of any speed no more is earned meanwhile."""
NOTHING: Final = pb.SubmitAnswersRequest(
    decision_id="0-none", request_id="x", answers=[pb.DecisionAnswer()]
)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_holds_a_burst_and_then_flows():
    clock = Clock()
    limiter = RateLimiter(FEW, clock)
    mine = limiter.of("ann")
    for _ in range(int(MIN_BURST)):
        limiter.spend(mine, RateClass.READS)
    with pytest.raises(RateLimited) as caught:
        limiter.spend(mine, RateClass.READS)
    assert caught.value.metadata == {"retry_after_ms": "200", "limit": "reads"}
    limiter.spend(mine, RateClass.COMMANDS)
    limiter.spend(limiter.of("bob"), RateClass.READS)
    clock.now += 0.2
    limiter.spend(mine, RateClass.READS)
    clock.now += 3600
    for _ in range(int(MIN_BURST)):
        limiter.spend(mine, RateClass.READS)
    with pytest.raises(RateLimited):
        limiter.spend(mine, RateClass.READS)


def test_the_price_of_malformed_requests_is_charged_later_but_not_for_ever():
    clock = Clock()
    limiter = RateLimiter(FEW, clock)
    mine = limiter.of("ann")
    for _ in range(10_000):
        mine.penalize(RateClass.READS, 5.0)
    clock.now += 2 * burst(5.0) / 5.0
    limiter.spend(mine, RateClass.READS)


def test_what_costs_more_than_a_burst_can_be_had_all_the_same():
    buckets = TokenBuckets([1.0, 1.0, 1.0, 1.0], 0.0)
    assert buckets.take(RateClass.READS, 1000.0, 0.0) == 0.0
    assert buckets.take(RateClass.READS, 1.0, 0.0) > 900.0


def test_a_changed_role_has_its_rates_at_once():
    clock = Clock()
    limiter = RateLimiter(FEW, clock)
    for many in (True, False, True):
        clock.now += 3600
        buckets, opened = limiter.of("an account", many), 0
        while not buckets.take(RateClass.WRITES, 1.0, clock.now):
            opened += 1
        assert opened == int(burst(FEW.joins * (20 if many else 1)))


def test_no_rate_means_any_number():
    limiter = RateLimiter(Rates(0.0, 0.0, 0.0, 0.0), Clock())
    mine = limiter.of("ann")
    for kind in RateClass:
        for _ in range(1000):
            limiter.spend(mine, kind)
            mine.penalize(kind, 5.0)
            assert limiter.delay(mine, kind) == 0.0


def test_no_caller_is_remembered_where_nothing_is_limited():
    limiter = RateLimiter(Rates(0.0, 0.0, 0.0, 0.0), Clock())
    for number in range(1000):
        limiter.spend(limiter.of(number), RateClass.READS)
    assert len(limiter) == 0


def test_the_number_of_remembered_callers_is_limited():
    limiter = RateLimiter(FEW, Clock(), max_callers=10)
    for number in range(1000):
        limiter.of(number)
    assert len(limiter) == 10


async def spent(call: Any, tries: int = 200) -> Refusal:
    """Call until it is too often."""
    for _ in range(tries):
        try:
            await call()
        except grpc.aio.AioRpcError as error:
            if Refusal(error).reason == "RATE_LIMITED":
                return Refusal(error)
    raise AssertionError("nobody minds")


async def test_a_rate_limited_caller_learns_how_long_to_wait():
    async with open_server(limits=limits(rates=FEW)) as server:
        for call, kind in (
            (lambda: server.match.ListMatches(pb.ListMatchesRequest()), "reads"),
            (lambda: server.match.CreateMatch(pb.CreateMatchRequest(setup=setup())), "joins"),
            (lambda: server.match.SubmitAnswers(NOTHING), "commands"),
        ):
            refusal = await spent(call)
            assert refusal.code == grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refusal.metadata["limit"] == kind
            wait = int(refusal.metadata["retry_after_ms"])
            assert 0 < wait <= 2000
            assert refusal.trailers["grpc-retry-pushback-ms"] == str(wait)
            assert retry_of(refusal.status) == wait
            await take(wait / 1000 + 0.05)  # as long as the error asks
            assert await reason_of(call()) != "RATE_LIMITED"


def retry_of(status: status_pb2.Status) -> int:
    retry = error_details_pb2.RetryInfo()
    detail: AnyMessage
    for detail in status.details:
        if detail.Unpack(retry):
            return int(retry.retry_delay.ToMilliseconds())
    return 0


DELAY: Final = 0.1


def admission(most: int) -> AdmissionControl:
    few, store = limits(delayed_refusals=most, refusal_delay_seconds=DELAY), MemoryStore()
    return AdmissionControl(few, Accounts(store.accounts, few, store.now))


@in_virtual_time
async def test_a_refusal_waits_the_longer_the_more_of_them_wait():
    control = admission(30)
    caller = CallerContext("10.0.0.1", RateClass.READS, control.limiter.of("10.0.0.1"))
    took: list[int] = []

    async def refusal() -> None:
        await control.delay_refusal(caller)
        took.append(now_ms())

    await asyncio.gather(*[refusal() for _ in range(40)])
    assert took == [0] * 10 + [100 * number for number in range(1, 31)]
    other = CallerContext("10.0.0.2", RateClass.READS, control.limiter.of("10.0.0.2"))
    before = now_ms()
    await control.delay_refusal(other)
    assert now_ms() - before == 100


@in_virtual_time
async def test_a_drain_holds_no_refusal_back():
    control = admission(30)
    caller = CallerContext("10.0.0.1", RateClass.READS, control.limiter.of("10.0.0.1"))
    waiting = [asyncio.create_task(control.delay_refusal(caller)) for _ in range(30)]
    await settle()
    control.release()
    await asyncio.gather(*waiting, control.delay_refusal(caller))
    assert now_ms() == 0


async def test_a_refusal_above_the_rate_is_delayed():
    few = limits(rates=BURST_ONLY, refusal_delay_seconds=DELAY)
    async with open_server(limits=few) as server:
        await spent(lambda: server.match.ListMatches(pb.ListMatchesRequest()))
        began = time.monotonic()
        refusal = await refused(server.match.ListMatches(pb.ListMatchesRequest()))
        assert refusal.reason == "RATE_LIMITED"
        assert time.monotonic() - began >= DELAY


async def test_a_caller_above_its_rate_is_refused_before_its_request_is_read():
    async with open_server(limits=limits(rates=BURST_ONLY)) as server:
        await spent(lambda: server.match.ListMatches(pb.ListMatchesRequest()))
        call: Any = server.channel.stream_unary("/taflhall.v1.MatchService/ListMatches")(timeout=60)
        refusal = await refused(call)  # although nothing was sent
        assert refusal.reason == "RATE_LIMITED"


async def test_a_call_whose_client_sends_no_request_is_cancelled():
    meter = Meter()
    async with open_server(meter=meter) as server:
        call: Any = server.channel.stream_unary("/taflhall.v1.MatchService/ListMatches")()
        await call.done_writing()
        await until(lambda: b'outcome="CANCELLED"' in generate_latest(meter.registry))
        call.cancel()


async def test_the_simultaneous_calls_of_a_connection_are_limited():
    async with open_server(limits=limits(connection_calls=3)) as server:
        table = await server.table()
        request = pb.WatchMatchRequest(match_id=table.id)
        streams = [server.match.WatchMatch(request) for _ in range(3)]
        for stream in streams:
            await stream.read()
        with pytest.raises(grpc.aio.AioRpcError) as held:
            await server.match.ListMatches(pb.ListMatchesRequest(), timeout=0.2)
        assert held.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
        streams.pop().cancel()
        assert (await server.match.ListMatches(pb.ListMatchesRequest())).matches
        for stream in streams:
            stream.cancel()


async def test_hosts_whose_streams_are_refused_are_not_remembered():
    async with open_server(limits=limits(host_connections=0)) as server:
        admission = server.rpc.calls.admission
        for number in range(5):
            host = f"10.0.0.{number}"
            caller = CallerContext(host, RateClass.STREAMS, admission.limiter.of(host))
            with pytest.raises(TooManyStreams), admission.stream(caller, "a peer"):
                pass
        assert not admission.hosts


async def test_a_caller_with_a_seat_is_not_limited_by_its_host():
    async with open_server(limits=limits(rates=BURST_ONLY)) as server:
        table = await server.table()
        await table.get()
        await spent(lambda: server.match.ListMatches(pb.ListMatchesRequest()))
        await table.get()
        await spent(table.get)
        _, key = await server.key()
        await server.match.ListMatches(pb.ListMatchesRequest(), metadata=bearer(key))


async def test_new_secrets_do_not_evade_the_rate_limit():
    async with open_server(limits=limits(rates=BURST_ONLY)) as server:
        table = await server.table()
        number = iter(range(1000))

        def guess() -> Any:
            secret = f"guess {next(number)}"
            return server.match.GetMatch(
                pb.GetMatchRequest(match_id=table.id), metadata=bearer(secret)
            )

        await spent(guess, tries=12)  # a wrong one counts for several
        assert len(server.rpc.calls.admission.limiter) < 4


async def test_secrets_that_cost_nothing_do_not_multiply_the_share_of_a_host():
    async with open_server(limits=limits(rates=Rates(0.0, 0.0, FEW.reads, 0.0))) as server:
        tables = [await server.table() for _ in range(10)]

        async def read(table: Table, secret: str) -> str:
            request = pb.GetMatchRequest(match_id=table.id)
            call = server.match.GetMatch(request, metadata=bearer(secret))
            return "OK" if await call.code() is grpc.StatusCode.OK else "refused"

        turns = [(table, secret) for table in tables for secret in (table.creator, *table.secrets)]
        started = time.monotonic()
        found = [await read(*turn) for turn in turns * 16]
        share = FEW.reads * (1 + SECRETS_SHARE)  # of the host, and of all secrets that it uses
        most = share * BURST_SECONDS
        assert len(found) > 1.3 * most
        seconds = time.monotonic() - started
        assert found.count("OK") <= most + share * seconds


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:10.0.0.1:50412", "10.0.0.1"),
        ("ipv6:%5B::1%5D:50412", "::/64"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:ffff::9%5D:1", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:3::9%5D:1", "2001:db8:1:3::/64"),
        ("ipv6:%5B::ffff:10.0.0.1%5D:1", "10.0.0.1"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80::/64"),
        ("unix:/tmp/socket", "unix:/tmp/socket"),
        ("unix:", "unix:"),
    ],
)
def test_an_ipv6_network_of_one_subscriber_is_one_host(peer, host):
    assert host_of_peer(peer) == host


async def test_malformed_requests_count_for_more():
    async with open_server(limits=limits(rates=BURST_ONLY)) as server:
        path = "/taflhall.v1.MatchService/GetMatch"
        await spent(lambda: server.raw(path, b"\xff\xff\xff"), tries=8)


async def test_a_list_costs_by_the_matches_that_are_read_for_it():
    async with open_server(limits=limits(rates=Rates(0.0, 0.0, 0.01, 0.0))) as server:
        for _ in range(60):
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        counts = []
        for game in ("champions", "yggdrasil"):  # there are none, and sixty
            _, key = await server.key()
            request = pb.ListMatchesRequest(game=game, page_size=100)
            counts.append(0)
            with suppress(grpc.aio.AioRpcError):
                while True:
                    await server.match.ListMatches(request, metadata=bearer(key))
                    counts[-1] += 1
        assert counts[1] * 2 <= counts[0], counts


async def test_a_host_of_tournaments_opens_more_matches_than_others():
    async with open_server(limits=limits(rates=Rates(0.0, 1.0, 0.0, 0.0))) as server:
        _, player = await server.key(Role.PLAYER)
        _, host = await server.key(Role.HOST)
        create = pb.CreateMatchRequest(setup=setup())
        for _ in range(60):
            await server.match.CreateMatch(create, metadata=bearer(host))
        await spent(lambda: server.match.CreateMatch(create, metadata=bearer(player)), tries=60)


async def test_answers_in_a_stream_that_come_too_fast_are_taken_more_slowly():
    rates = Rates(commands=40.0, joins=0.0, reads=0.0, streams=0.0)
    async with open_server(limits=limits(rates=rates)) as server:
        table = await server.table()
        play: Any = server.match.Play(metadata=bearer(table.secrets[0]))
        await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
        assert (await play.read()).HasField("prompt")
        before = time.monotonic()
        number = int(burst(40.0)) + 40
        for count in range(number):
            answer = pb.PlayAnswer(decision_id="0-none", request_id=f"{count}")
            answer.answers.add(option=0)
            await play.write(pb.PlayRequest(answer=answer))
        for _ in range(number):
            assert (await play.read()).rejection.reason == "STALE_DECISION"
        play.cancel()
        assert time.monotonic() - before > 0.9, "those above the burst need a second"


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("caller_streams", 2),
        ("host_streams", 3),
        ("host_connections", 1),
        ("connection_streams", 2),
    ],
)
async def test_the_streams_of_a_caller_are_limited(field: str, most: int):
    async with open_server(limits=limits(**{field: most})) as server:
        table = await server.table()
        secret = table.secrets[0]
        channels = [grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", _apart(n)) for n in "ab"]
        streams: list[Any] = []

        def watch(number: int) -> Any:
            channel: Any = channels[number if field == "host_connections" else 0]
            call = channel.unary_stream(
                "/taflhall.v1.MatchService/WatchMatch",
                pb.WatchMatchRequest.SerializeToString,
                pb.WatchMatchResponse.FromString,
            )
            return call(pb.WatchMatchRequest(match_id=table.id), metadata=bearer(secret))

        for number in range(most):
            streams.append(watch(number))
            await streams[-1].read()
        refusal = await refused(watch(most).read())
        assert (refusal.reason, refusal.metadata) == ("TOO_MANY_STREAMS", {"limit": str(most)})
        streams.pop().cancel()
        await until(lambda: server.rpc.calls.streams == most - 1)
        again = watch(most)
        assert await again.read()
        for stream in (*streams, again):
            stream.cancel()
        for channel in channels:
            await channel.close()


def _apart(name: str) -> list[tuple[str, Any]]:
    """Keep a channel from sharing the connection of another one."""
    return [("grpc.use_local_subchannel_pool", 1), ("test.name", name)]


async def test_the_catalogue_states_the_limits():
    async with open_server(limits=limits(rates=FEW, caller_streams=7), required=True) as server:
        stated = (await server.catalog.ListGames(catalog_service_pb2.ListGamesRequest())).limits
        assert (stated.commands_per_second, stated.joins_per_second) == (5.0, 5.0)
        assert (stated.reads_per_second, stated.streams_per_second) == (5.0, 5.0)
        assert (stated.caller_streams, stated.burst.seconds) == (7, 4)
        assert stated.accounts_required


async def test_behind_a_proxy_a_host_is_what_the_proxy_says():
    async with open_server(limits=limits(rates=BURST_ONLY), proxied=True) as server:

        def ask(host: str) -> Any:
            metadata = (("x-forwarded-for", f"1.2.3.4, {host}"),)
            return server.match.ListMatches(pb.ListMatchesRequest(), metadata=metadata)

        await spent(lambda: ask("10.0.0.1"))
        await ask("10.0.0.2")
        number = iter(range(1, 1000))
        await spent(lambda: ask(f"2001:db8::{next(number):x}"))
        await ask("2001:db8:0:1::1")


USUAL_DEADLINE = 10.0
"""In seconds: what callers give a call at least."""


async def test_a_caller_at_fifty_times_its_rate_does_not_starve_others():
    """G15; the benchmark ``starvation`` prints how much longer the honest wait."""
    from tests.benchmarks.starvation import REFUSALS, measure

    quota, began = 5.0, time.monotonic()
    found = await measure(honest=8, seconds=2.0, quota=quota)
    lasted = time.monotonic() - began
    assert found.attacked > 5 * quota * 2.0, "the attack was none"
    assert set(found.reasons) <= REFUSALS
    assert found.attacked - found.refused <= burst(quota) + quota * lasted
    assert found.answered, "the honest were heard"
    assert found.p99_under_attack < USUAL_DEADLINE
