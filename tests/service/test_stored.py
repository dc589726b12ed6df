"""G12: this release reads, continues and checks what every earlier release has stored."""

from __future__ import annotations

import io

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.jobs.self_check import CheckResult, SelfCheck
from tests.faults.inside import Inside, quiet_logs
from tests.service import stored

SERVICE = "/taflhall.v1.MatchService/"
SHELVES = stored.shelves()


@pytest.fixture(params=SHELVES, ids=[f"{p.parent.name}-{p.stem}" for p in SHELVES])
async def kept(request):
    quiet_logs(io.StringIO())
    shelf = stored.read(request.param)
    async with Inside(shelf.memory()) as inside:
        yield inside, shelf.known


async def ask(inside, method, request, secret=""):
    metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
    data = request if isinstance(request, bytes) else request.SerializeToString()
    answer = await inside.call(SERVICE + method, data, metadata)
    assert answer.code.name == "OK", (method, answer.reason)
    return getattr(pb, f"{method}Response").FromString(answer.body)


def test_every_game_is_stored():
    assert {path.stem for path in SHELVES} >= set(registry.GAMES)


async def test_it_stands_where_it_was_left(kept):
    inside, known = kept
    for match in known:
        request = pb.GetMatchRequest(match_id=match.match_id, with_view=True, with_options=True)
        got = await ask(inside, "GetMatch", request, match.secret)
        assert (got.match.revision, got.match.status) == (match.revision, match.status)
        found = await inside.matches.current(match.match_id)
        assert digest(found.game, found.table) == match.digest
    listed = await ask(inside, "ListMatches", pb.ListMatchesRequest())
    assert len(listed.matches) == len(known) + 1


async def test_its_whole_past_can_be_seen_and_is_sound(kept):
    inside, known = kept
    for match in known:
        for revision in range(match.revision + 1):
            request = pb.GetMatchViewRequest(match_id=match.match_id, revision=revision)
            await ask(inside, "GetMatchView", request, match.secret)
        assert await SelfCheck(inside.matches, print).check(match.match_id) is CheckResult.PASSED


async def test_an_answer_is_remembered(kept):
    inside, known = kept
    for match in known:
        again = await ask(inside, "SubmitAnswers", match.request, match.secret)
        assert again.replayed
        again.ClearField("replayed")
        first = pb.SubmitAnswersResponse.FromString(match.answer)
        assert again == first


async def test_a_token_is_followed(kept):
    inside, known = kept
    for match in known:
        request = pb.WatchMatchRequest(match_id=match.match_id, resume_token=match.token)
        metadata = (("authorization", f"Bearer {match.secret}"),)
        stream = inside.stream(SERVICE + "WatchMatch", request.SerializeToString(), metadata)
        first = pb.WatchMatchResponse.FromString(await stream.read())
        assert first.WhichOneof("update") == "change"
        await stream.leave()


async def test_the_matches_of_the_store_continue(kept):
    inside, known = kept
    for match in known:
        get = pb.GetMatchRequest(match_id=match.match_id, with_options=True)
        for decision in (await ask(inside, "GetMatch", get, match.secret)).decisions[:1]:
            request = pb.SubmitAnswersRequest(
                match_id=match.match_id,
                decision_id=decision.id,
                request_id="later",
                answers=[pb.DecisionAnswer(option=0)],
            )
            response = await ask(inside, "SubmitAnswers", request, match.secret)
            while not response.first_revision:
                request.decision_id = response.decision.id
                response = await ask(inside, "SubmitAnswers", request, match.secret)
            assert response.revision == match.revision + 1
