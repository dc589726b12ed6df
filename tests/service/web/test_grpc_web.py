"""gRPC-Web as connect-web and the proxies speak it."""

from __future__ import annotations

from base64 import b64decode

from google.rpc import error_details_pb2, status_pb2

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.limits import Rates
from tests.service.local_server import limits
from tests.service.web.client import CATALOG, MATCHES, Response, envelope
from tests.service.web.conftest import Web, open_web

BINARY = "application/grpc-web+proto"


def trailers(frame: tuple[int, bytes]) -> dict[str, str]:
    flags, text = frame
    assert flags == 0x80
    return dict(line.split(": ", 1) for line in text.decode().splitlines())


async def post(web: Web, path: str, body: bytes, kind: str = BINARY, **headers: str) -> Response:
    return await web.http.request("POST", path, body, content_type=kind, **headers)


async def test_a_unary_response_is_a_message_and_trailers(web: Web):
    table = await web.server.table()
    request = envelope(pb.GetMatchRequest(match_id=table.id).SerializeToString())
    for kind in ("application/grpc-web", BINARY):
        response = await post(web, f"{MATCHES}GetMatch", request, kind)
        assert response.status == 200
        (flags, message), end = response.frames
        assert flags == 0
        assert pb.GetMatchResponse.FromString(message).match.id == table.id
        assert trailers(end)["grpc-status"] == "0"


async def test_an_error_comes_with_its_details(web: Web):
    request = envelope(pb.GetMatchRequest(match_id="nowhere").SerializeToString())
    (end,) = (await post(web, f"{MATCHES}GetMatch", request)).frames
    found = trailers(end)
    assert found["grpc-status"] == "5"
    assert found["grpc-message"] == "there is no such match"
    status = status_pb2.Status.FromString(b64decode(found["grpc-status-details-bin"] + "=="))
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "MATCH_NOT_FOUND"


async def test_a_message_for_people_is_percent_encoded(web: Web):
    request = envelope(b'{"matchId": "\xc3\xa4\\n%"}')
    (end,) = (await post(web, f"{MATCHES}GetMatch", request, "application/grpc-web+json")).frames
    assert trailers(end)["grpc-status"] != "0"


async def test_json_is_an_encoding_too(web: Web):
    response = await post(
        web, f"{CATALOG}ListGames", envelope(b"{}"), "application/grpc-web+json; charset=utf-8"
    )
    (_, message), end = response.frames
    assert b'"yggdrasil"' in message
    assert trailers(end)["grpc-status"] == "0"


async def test_a_refused_call_says_when_to_come_back():
    async with open_web(limits=limits(rates=Rates(reads=0.01))) as web:
        responses = [await post(web, f"{CATALOG}ListGames", envelope(b"")) for _ in range(21)]
        last = trailers(responses[-1].frames[-1])
        assert last["grpc-status"] == "8"
        assert int(last["grpc-retry-pushback-ms"]) > 0


async def test_a_stream_comes_message_by_message_and_ends_at_its_deadline(web: Web):
    table = await web.server.table()
    request = pb.WatchMatchRequest(match_id=table.id).SerializeToString()
    messages: list[tuple[int, bytes]] = []
    for timeout in ("300m", "3S", "30S"):  # a busy machine may need longer for a message
        stream = web.http.stream(f"{MATCHES}WatchMatch", BINARY, request, grpc_timeout=timeout)
        *messages, last = [frame async for frame in stream]
        assert trailers(last)["grpc-status"] == "4"
        if messages:
            break
    flags, first = messages[0]
    assert flags == 0
    assert pb.WatchMatchResponse.FromString(first).HasField("snapshot")


async def test_bytes_that_are_not_an_envelope_are_refused(web: Web):
    for body in (b"", b"\0\0", envelope(b"") + b"x", envelope(b"", flags=1)):
        (end,) = (await post(web, f"{CATALOG}ListGames", body)).frames
        assert trailers(end)["grpc-status"] in {"3", "12"}


async def test_a_timeout_without_a_unit_is_refused(web: Web):
    (end,) = (await post(web, f"{CATALOG}ListGames", envelope(b""), grpc_timeout="12")).frames
    assert trailers(end)["grpc-status"] == "3"
