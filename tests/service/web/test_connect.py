"""The Connect protocol as curl and connect-web speak it."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from urllib.parse import urlencode

import pytest
from google.rpc import error_details_pb2

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.limits import Rates
from tests.service.local_server import limits
from tests.service.web.client import CATALOG, MATCHES, bearer, envelope
from tests.service.web.conftest import Web, open_web
from tests.waiting import until

YGGDRASIL = {"setup": {"game": "yggdrasil", "seats": 2}}


async def test_a_match_is_created_and_joined_in_json(web: Web):
    created = (await web.http.call(f"{MATCHES}CreateMatch", YGGDRASIL)).json
    match_id = created["match"]["id"]
    joined = await web.http.call(
        f"{MATCHES}JoinMatch", {"matchId": match_id, "seats": [0, 1], "name": "Ann"}
    )
    assert joined.status == 200
    assert joined.headers["content-type"] == "application/json"
    assert joined.json["seats"] == [0, 1]
    started = await web.http.call(
        f"{MATCHES}StartMatch", {"matchId": match_id}, **bearer(created["creatorSecret"])
    )
    assert started.json["match"]["status"] == "MATCH_STATUS_PLAYING"


async def test_a_binary_response_is_that_of_grpc(web: Web):
    table = await web.server.table()
    request = pb.GetMatchRequest(match_id=table.id, with_options=True)
    response = await web.http.request(
        "POST",
        f"{MATCHES}GetMatch",
        request.SerializeToString(),
        content_type="application/proto",
        **bearer(table.secrets[0]),
    )
    assert pb.GetMatchResponse.FromString(response.body) == await table.get()


async def test_an_error_carries_its_code_and_its_details(web: Web):
    response = await web.http.call(f"{MATCHES}GetMatch", {"matchId": "nowhere"})
    assert response.status == 404
    assert response.json["code"] == "not_found"
    info = response.detail(error_details_pb2.ErrorInfo)
    assert (info.domain, info.reason) == ("taflhall", "MATCH_NOT_FOUND")
    assert response.json["details"][0]["debug"]["metadata"] == {"match_id": "nowhere"}


async def test_malformed_json_is_named(web: Web):
    for body, fault in (
        (b'{"matchId":', "the text is not JSON at line 1, column 12"),
        (b'{"withView": "x"}', "the value of withView does not fit"),
        (b'{"setup": {"seats": "x"}}', "the value of setup.seats does not fit"),
        (b'{"setup": 3}', "the value of setup does not fit"),
        (b"\xff", "the text is not UTF-8"),
        (b"[" * 50_000, "the text is nested too deeply"),
        (b"1" * 5_000, "the text is not the JSON of this message"),
        (b'{"title": "", "title": ""}', "the text is not the JSON of this message"),
        (b"null", "the text is not the JSON of this message"),
    ):
        method = "GetMatch" if b"View" in body else "CreateMatch"
        response = await web.http.request(
            "POST", f"{MATCHES}{method}", body, content_type="application/json"
        )
        assert response.status == 400
        info = response.detail(error_details_pb2.ErrorInfo)
        assert info.reason == "MALFORMED"
        assert info.metadata["expected"] == f"taflhall.v1.{method}Request ({fault})"


async def test_an_unknown_field_is_ignored_in_json_as_in_binary(web: Web):
    response = await web.http.call(f"{CATALOG}ListGames", {"fromTheFuture": 1})
    assert response.status == 200


async def test_a_call_above_the_rate_says_when_to_come_back():
    few = limits(rates=Rates(reads=0.01))
    async with open_web(limits=few) as web:
        responses = [await web.http.call(f"{CATALOG}ListGames", {}) for _ in range(21)]
        refused = next(response for response in responses if response.status == 429)
        assert refused.json["code"] == "resource_exhausted"
        pause = int(refused.headers["trailer-grpc-retry-pushback-ms"])
        assert int(refused.headers["retry-after"]) * 1000 >= pause > 0


async def test_a_caller_has_the_same_budget_over_grpc_and_http():
    async with open_web(limits=limits(rates=Rates(joins=0.01))) as web:
        statuses = [
            (await web.http.call(f"{MATCHES}CreateMatch", YGGDRASIL)).status for _ in range(21)
        ]
        assert 429 in statuses
        create = web.server.match.CreateMatch(pb.CreateMatchRequest())
        assert (await create.code()).name == "RESOURCE_EXHAUSTED"


async def test_a_request_above_the_limit_is_refused(web: Web):
    most = web.server.rpc.calls.limits.request_bytes
    response = await web.http.request(
        "POST", f"{MATCHES}GetMatch", b" " * (most + 1), content_type="application/json"
    )
    assert response.status == 429
    assert response.detail(error_details_pb2.ErrorInfo).reason == "TOO_LARGE"
    response = await web.http.request(
        "POST", f"{MATCHES}GetMatch", b" " * 2 * (most + 1), content_type="application/json"
    )
    assert (response.status, "details" in response.json) == (429, False)


@pytest.mark.parametrize("base64", [False, True])
@pytest.mark.parametrize("encoding", ["json", "proto"])
async def test_a_method_without_side_effects_answers_get(web: Web, encoding: str, base64: bool):
    table = await web.server.table()
    message = pb.GetMatchRequest(match_id=table.id, with_view=True).SerializeToString()
    if encoding == "json":
        message = json.dumps({"matchId": table.id, "withView": True}).encode()
    query = {"connect": "v1", "encoding": encoding, "message": message}
    if base64:
        query |= {"base64": "1", "message": urlsafe_b64encode(message).rstrip(b"=")}
    response = await web.http.request("GET", f"{MATCHES}GetMatch?{urlencode(query)}")
    if encoding == "proto":
        assert pb.GetMatchResponse.FromString(response.body).match.id == table.id
    else:
        assert response.json["match"]["id"] == table.id
    assert response.headers["cache-control"] == "no-store"


async def test_a_method_with_side_effects_refuses_get(web: Web):
    response = await web.http.request("GET", f"{MATCHES}CreateMatch?encoding=json&message=%7B%7D")
    assert response.status == 405
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "query", ["", "encoding=xml", "encoding=json&base64=1&message=%25", "encoding=json&connect=v2"]
)
async def test_a_malformed_query_is_refused(web: Web, query: str):
    response = await web.http.request("GET", f"{MATCHES}GetMatch?{query}")
    assert response.json["code"] == "invalid_argument"


async def test_content_types_that_do_not_fit_are_named(web: Web):
    for path, kind, fits in (
        ("GetMatch", "application/grpc-web-text", "application/json"),
        ("GetMatch", "application/connect+json", "application/proto"),
        ("WatchMatch", "application/json", "application/connect+json"),
    ):
        response = await web.http.request("POST", f"{MATCHES}{path}", b"{}", content_type=kind)
        assert response.status == 415
        assert fits in response.headers["accept-post"]


async def test_a_compressed_request_is_refused(web: Web):
    response = await web.http.call(f"{MATCHES}GetMatch", {}, content_encoding="gzip")
    assert (response.status, response.json["code"]) == (501, "unimplemented")


async def test_an_unknown_method_is_not_found(web: Web):
    response = await web.http.call(f"{MATCHES}Nothing", {})
    assert (response.status, response.json["code"]) == (404, "unimplemented")


async def test_a_stream_shows_each_change_when_it_happens(web: Web):
    table = await web.server.table()
    request = json.dumps({"matchId": table.id}).encode()
    stream = web.http.stream(f"{MATCHES}WatchMatch", "application/connect+json", request)
    flags, first = await anext(stream)
    assert flags == 0
    assert json.loads(first)["snapshot"]["match"]["id"] == table.id
    await table.step()
    flags, second = await anext(stream)
    assert json.loads(second)["change"]["events"]
    await stream.aclose()


async def test_a_stream_that_is_refused_ends_with_the_error(web: Web):
    request = pb.WatchMatchRequest(match_id="nowhere").SerializeToString()
    stream = web.http.stream(f"{MATCHES}WatchMatch", "application/connect+proto", request)
    ((flags, end),) = [frame async for frame in stream]
    assert flags == 2
    assert json.loads(end)["error"]["code"] == "not_found"


async def test_a_stream_ends_at_its_deadline(web: Web):
    table = await web.server.table()
    stream = web.http.stream(
        f"{MATCHES}WatchMatch",
        "application/connect+json",
        json.dumps({"matchId": table.id}).encode(),
        connect_timeout_ms="100",
    )
    found = [frame async for frame in stream]
    assert json.loads(found[-1][1])["error"]["code"] == "deadline_exceeded"
    assert web.server.rpc.calls.streams == 0


async def test_a_client_that_goes_away_frees_its_stream(web: Web):
    table = await web.server.table()
    request = json.dumps({"matchId": table.id}).encode()
    stream = web.http.stream(f"{MATCHES}WatchMatch", "application/connect+json", request)
    await anext(stream)
    assert web.server.rpc.calls.streams == 1
    await stream.aclose()
    await until(lambda: web.server.rpc.calls.streams == 0)


async def test_a_stream_needs_one_message(web: Web):
    for body in (b"", envelope(b"{}") * 2, envelope(b"{}")[:-1]):
        response = await web.http.request(
            "POST", f"{MATCHES}WatchMatch", body, content_type="application/connect+json"
        )
        ((_, end),) = response.frames
        assert json.loads(end)["error"]["code"] == "invalid_argument"


async def test_a_stream_in_both_directions_names_what_it_needs(web: Web):
    response = await web.http.request(
        "POST", f"{MATCHES}Play", b"", content_type="application/connect+proto"
    )
    assert response.status == 505
    assert "WebSocket" in response.json["message"]


async def test_a_timeout_must_be_a_number(web: Web):
    response = await web.http.call(f"{MATCHES}GetMatch", {}, connect_timeout_ms="soon")
    assert response.json["code"] == "invalid_argument"


async def test_calls_are_counted_by_protocol_and_end(web: Web):
    await web.http.call(f"{CATALOG}ListGames", {})
    await web.http.call(f"{MATCHES}GetMatch", {"matchId": "nowhere"})
    assert web.metric("web_calls_total", protocol="connect", code="ok") == 1
    assert web.metric("web_calls_total", protocol="connect", code="not_found") == 1
    assert web.metric("rpc_requests_total", method="ListGames", outcome="OK") == 1
