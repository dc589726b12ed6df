"""Streams over a WebSocket: Play in both directions, and watches."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.limits import Limits
from tests.service.local_server import Table
from tests.service.web.client import MATCHES
from tests.service.web.conftest import Web, open_web
from tests.waiting import until


def opened(web: Web, method: str, *subprotocols: Any, **options: Any) -> connect:
    url = f"ws://127.0.0.1:{web.port}{MATCHES}{method}"
    return connect(url, subprotocols=subprotocols or None, compression=None, **options)


def bearer(table: Table) -> str:
    return f"taflhall.bearer.{table.secrets[0]}"


async def end_of(socket: ClientConnection) -> tuple[dict[str, Any], int]:
    """Return the last text of a stream, and the code with which the socket was closed."""
    received: list[str | bytes] = []
    with suppress(ConnectionClosed):
        async for message in socket:
            received.append(message)
    assert socket.close_code is not None
    return json.loads(received[-1])["endStream"], socket.close_code


async def test_a_bot_plays_in_json(web: Web):
    table = await web.server.table()
    async with opened(web, "Play", "taflhall.json", bearer(table)) as socket:
        assert socket.subprotocol == "taflhall.json"
        await socket.send(json.dumps({"enter": {"matchId": table.id}}))
        revision = 0
        while revision < 5:
            message = json.loads(await socket.recv())
            revision = message.get("revision", revision)
            decision = message["prompt"]["decision"]
            assert decision["options"]
            answer = {"decisionId": decision["id"], "answers": [{"option": 0}]}
            await socket.send(json.dumps({"answer": answer}))


async def test_a_bot_plays_in_binary(web: Web):
    table = await web.server.table()
    async with opened(web, "Play", "taflhall.proto", bearer(table)) as socket:
        enter = pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id))
        await socket.send(enter.SerializeToString())
        data = await socket.recv()
        assert isinstance(data, bytes)
        decision = pb.PlayResponse.FromString(data).prompt.decision
        answer = pb.PlayAnswer(decision_id=decision.id, answers=[pb.DecisionAnswer(option=0)])
        await socket.send(pb.PlayRequest(answer=answer).SerializeToString())
        data = await socket.recv()
        assert isinstance(data, bytes)
        assert pb.PlayResponse.FromString(data).prompt.decision.id != decision.id


async def test_a_program_sends_its_secret_as_a_header(web: Web):
    table = await web.server.table()
    headers = {"authorization": f"Bearer {table.secrets[0]}"}
    async with opened(web, "Play", additional_headers=headers) as socket:
        await socket.send(json.dumps({"enter": {"matchId": table.id}}))
        assert "prompt" in json.loads(await socket.recv())


async def test_a_watch_takes_one_request(web: Web):
    table = await web.server.table()
    async with opened(web, "WatchMatch", "taflhall.json") as socket:
        await socket.send(json.dumps({"matchId": table.id}))
        assert "snapshot" in json.loads(await socket.recv())
        await table.step()
        assert "change" in json.loads(await socket.recv())


async def test_a_refused_stream_ends_with_the_error_and_its_code(web: Web):
    table = await web.server.table()
    for encoding in ("taflhall.json", "taflhall.proto"):
        async with opened(web, "Play", encoding) as socket:
            await socket.send(json.dumps({"enter": {"matchId": table.id}}))
            end, code = await end_of(socket)
            assert end["error"]["code"] == "unauthenticated"
            assert end["error"]["details"][0]["debug"]["reason"] == "SECRET_MISSING"
            assert code == 4016


async def test_malformed_messages_end_the_stream(web: Web):
    for message in ("{", b"\xff\xff"):
        async with opened(web, "WatchMatch", "taflhall.json") as socket:
            await socket.send(message)
            end, code = await end_of(socket)
            assert end["error"]["code"] == "invalid_argument"
            assert code == 4003


async def test_a_client_that_goes_away_frees_its_stream(web: Web):
    table = await web.server.table()
    async with opened(web, "Play", "taflhall.json", bearer(table)) as socket:
        await socket.send(json.dumps({"enter": {"matchId": table.id}}))
        await socket.recv()
        assert web.server.rpc.calls.streams == 1
    await until(lambda: web.server.rpc.calls.streams == 0)


async def test_a_socket_without_a_request_is_closed():
    soon = replace(Limits(), enter_seconds=0.05)
    async with open_web(limits=soon) as web, opened(web, "WatchMatch") as socket:
        _, code = await end_of(socket)
        assert code == 4004


async def test_a_message_above_the_limit_closes_the_socket(web: Web):
    most = web.server.rpc.calls.limits.request_bytes
    async with opened(web, "WatchMatch", "taflhall.json") as socket:
        await socket.send("x" * (2 * most + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize("method", ["GetMatch", "Nothing"])
async def test_only_streams_are_there(web: Web, method: str, caplog: pytest.LogCaptureFixture):
    with pytest.raises(InvalidStatus) as refused:
        await opened(web, method)
    assert refused.value.response.status_code == 404
    await web.listener.stop(5.0)
    assert caplog.records == []  # a nonsensical request is not a fault of the server


async def test_a_page_of_another_origin_needs_leave():
    async with open_web(origins="https://example.org") as web:
        for origin, status in (("https://evil.example", 403), ("https://example.org", 101)):
            try:
                async with opened(web, "WatchMatch", origin=origin) as socket:
                    found = 101
                    await socket.close()
            except InvalidStatus as refused:
                found = refused.response.status_code
            assert found == status


async def test_a_draining_server_says_why_its_streams_end(web: Web):
    table = await web.server.table()
    async with opened(web, "WatchMatch", "taflhall.json") as socket:
        await socket.send(json.dumps({"matchId": table.id}))
        await socket.recv()
        drained = asyncio.create_task(web.server.rpc.drain(0.0, 5.0))
        message = json.loads(await socket.recv())
        assert message["end"]["cause"] == "STREAM_END_CAUSE_DRAINING"
        end, code = await end_of(socket)
        assert (end, code) == ({}, 1000)
        await drained
