"""Malformed and oversized messages get a typed answer and change nothing."""

from __future__ import annotations

import random

import grpc
import pytest

from taflhall.v1 import match_service_pb2 as pb
from tests.service.bad_input import Code, check, unchanged
from tests.service.local_server import answer_of, refused

MATCH = "/taflhall.v1.MatchService/"


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x05ab", b"\x08"])
@pytest.mark.parametrize(
    "method",
    ["CreateMatch", "JoinMatch", "SubmitAnswers", "GetMatch", "ListMatches", "GetMatchRecord"],
)
async def test_malformed_bytes(table, method, data):
    secret = "" if method == "CreateMatch" else table.secrets[0]
    call = table.server.raw(MATCH + method, data, secret)
    expected = f"taflhall.v1.{method}Request"
    await check(table, call, Code.INVALID_ARGUMENT, "MALFORMED", expected=expected)


async def test_malformed_bytes_in_streams(table):
    watch = table.server.channel.unary_stream(MATCH + "WatchMatch", None, None)(b"\xff")
    await check(
        table,
        watch.read(),
        Code.INVALID_ARGUMENT,
        "MALFORMED",
        expected="taflhall.v1.WatchMatchRequest",
    )
    play = table.server.channel.stream_stream(MATCH + "Play", None, None)
    refusal = await refused(answer_of(play, b"\xff"))
    assert refusal.reason == "MALFORMED"


async def test_random_bytes_never_give_anything_but_a_typed_answer(table):
    rng = random.Random(4)
    seen = set()
    before = await unchanged(table)
    for method in (
        "CreateMatch",
        "JoinMatch",
        "StartMatch",
        "GetMatch",
        "SubmitAnswers",
        "ExplainCommand",
        "ResignSeat",
        "GetMatchView",
        "ListMatchEvents",
    ):
        for _ in range(60):
            data = rng.randbytes(rng.randrange(40))
            try:
                await table.server.raw(MATCH + method, data, table.secrets[0])
            except grpc.aio.AioRpcError as error:
                seen.add(error.code())
    assert Code.INVALID_ARGUMENT in seen
    assert not seen & {Code.UNKNOWN, Code.INTERNAL}
    assert (await unchanged(table))[:3] == before[:3]


async def test_an_oversized_message(table):
    big = pb.JoinMatchRequest(match_id=table.id, name="x" * (64 * 1024)).SerializeToString()
    call = table.server.raw(MATCH + "JoinMatch", big)
    await check(table, call, Code.RESOURCE_EXHAUSTED, "TOO_LARGE", limit="65536")


async def test_a_huge_message_is_refused_before_it_is_read(table):
    call = table.server.raw(MATCH + "JoinMatch", bytes(1024 * 1024))
    assert (await refused(call)).code is Code.RESOURCE_EXHAUSTED
