"""ListMatches: each filter lets the right matches through, from an index, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.address import open_store
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.service.test_indexes import Counting
from tests.service.test_matches import setup


@pytest.fixture(params=["memory", "embedded"])
async def server(request: Any, tmp_path: Path) -> AsyncIterator[LocalServer]:
    """A server over a store in memory, and over the embedded Valkey."""
    if request.param == "memory":
        store: Any = MemoryStore()
    else:
        store = await open_store(f"embedded:{tmp_path}", Durability.DISK)
    async with open_server(store) as opened:
        yield opened


async def create(server: LocalServer, key: str = "", seats: int = 2, **fields: Any) -> str:
    request = pb.CreateMatchRequest(setup=setup(seats), **fields)
    created = await server.match.CreateMatch(request, metadata=bearer(key))
    return str(created.match.id)


async def join(server: LocalServer, match_id: str, key: str = "", name: str = "Ann") -> str:
    request = pb.JoinMatchRequest(match_id=match_id, name=name)
    return str((await server.match.JoinMatch(request, metadata=bearer(key))).seat_secret)


async def ids(server: LocalServer, key: str = "", **asked: Any) -> list[str]:
    request = pb.ListMatchesRequest(**asked)
    answer = await server.match.ListMatches(request, metadata=bearer(key))
    return [match.id for match in answer.matches]


async def test_an_account_finds_the_matches_it_sits_in_and_those_it_created(server: LocalServer):
    ann, ann_key = await server.key(Role.PLAYER, "Ann")
    _, bob_key = await server.key(Role.PLAYER, "Bob")
    own = await create(server, ann_key)
    other = await create(server)
    await join(server, other, ann_key)
    assert await ids(server, ann_key, account_id="me") == [other]
    assert await ids(server, ann_key, creator_account_id="me") == [own]
    assert await ids(server, bob_key, account_id=ann) == [other]
    assert await ids(server, bob_key, account_id="me") == []
    assert (await ids(server, account_id="me", key=ann_key, game="champions")) == []
    leave = pb.LeaveMatchRequest(match_id=other, request_id="leave")
    await server.match.LeaveMatch(leave, metadata=bearer(ann_key))
    assert await ids(server, ann_key, account_id="me") == []
    listed = await server.match.ListMatches(pb.ListMatchesRequest(creator_account_id=ann))
    assert [match.creator_account_id for match in listed.matches] == [ann]


async def test_a_list_follows_the_matches_of_an_account_from_status_to_status(server: LocalServer):
    _, key = await server.key(Role.PLAYER)
    match_id = await create(server, seats=1, start_when_full=True)
    await join(server, match_id, key)
    playing, finished = match_pb2.MATCH_STATUS_PLAYING, match_pb2.MATCH_STATUS_FINISHED
    assert await ids(server, key, account_id="me", status=playing) == [match_id]
    resign = pb.ResignSeatRequest(match_id=match_id, request_id="enough")
    await server.match.ResignSeat(resign, metadata=bearer(key))
    assert await ids(server, key, account_id="me", status=playing) == []
    assert await ids(server, key, account_id="me", status=finished) == [match_id]


async def test_callers_without_an_account_are_anonymous(server: LocalServer):
    for field in ("account_id", "creator_account_id"):
        wanted: dict[str, Any] = {field: "me"}
        asked = pb.ListMatchesRequest(**wanted)
        assert (await refused(server.match.ListMatches(asked))).reason == "ACCOUNT_REQUIRED"
    seat = pb.ListMatchesRequest(seat=pb.SEAT_FILTER_TO_DECIDE)
    assert (await refused(server.match.ListMatches(seat))).metadata["field"] == "account_id"


async def test_a_seat_may_have_to_be_free_or_to_decide(server: LocalServer):
    _, key = await server.key(Role.PLAYER)
    full = await create(server, start_when_full=True)
    await join(server, full, key, "Ann")
    assert await ids(server, seat=pb.SEAT_FILTER_FREE) == [full]
    second = await join(server, full, name="Bob")
    assert await ids(server, seat=pb.SEAT_FILTER_FREE) == []
    to_decide: dict[str, Any] = {"key": key, "account_id": "me", "seat": pb.SEAT_FILTER_TO_DECIDE}
    get = pb.GetMatchRequest(match_id=full, with_options=True)
    asked = set()
    for _ in range(40):
        answers = [await server.match.GetMatch(get, metadata=bearer(s)) for s in (key, second)]
        own, others = ([d for d in a.decisions if d.options] for a in answers)
        assert await ids(server, **to_decide) == ([full] if own else [])
        asked |= {bool(own)}
        decision = (own or others)[0]
        submit = pb.SubmitAnswersRequest(
            match_id=full,
            decision_id=decision.id,
            request_id=decision.id,
            answers=[pb.DecisionAnswer(option=0)],
        )
        await server.match.SubmitAnswers(submit, metadata=bearer(key if own else second))
    assert asked == {True, False}


async def test_labels_and_words_of_the_title_find_a_match(server: LocalServer):
    spring = await create(server, title="Spring Cup, round 1", labels={"cup": "spring", "r": "1"})
    later = await create(server, title="Spring cup, round 2", labels={"cup": "spring", "r": "2"})
    await create(server, title="A quiet evening")
    assert await ids(server, labels={"cup": "spring"}) == [later, spring]
    assert await ids(server, labels={"cup": "spring", "r": "1"}) == [spring]
    assert await ids(server, labels={"cup": "autumn"}) == []
    assert await ids(server, text="CUP spring") == [later, spring]
    assert await ids(server, text="cup 2") == [later]
    assert await ids(server, text="cu") == []
    listed = await server.match.ListMatches(pb.ListMatchesRequest(text="round 1"))
    assert dict(listed.matches[0].labels) == {"cup": "spring", "r": "1"}


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ({f"k{n}": "" for n in range(9)}, "MALFORMED"),
        ({"Upper": "x"}, "MALFORMED"),
        ({"k": "x" * 65}, "INVALID_NAME"),
        ({"k": "a\nb"}, "INVALID_NAME"),
    ],
)
async def test_labels_are_few_and_short(labels: dict[str, str], reason: str):
    async with open_server() as server:
        request = pb.CreateMatchRequest(setup=setup(), labels=labels)
        refusal = await refused(server.match.CreateMatch(request))
        assert (refusal.reason, refusal.metadata["field"]) == (reason, "labels")


async def test_both_orders_page_through_the_same_matches(server: LocalServer):
    made = [await create(server, labels={"all": "yes"}) for _ in range(7)]
    for order in (pb.MATCH_ORDER_NEWEST_FIRST, pb.MATCH_ORDER_OLDEST_FIRST):
        found: list[str] = []
        token = ""
        while True:
            asked = pb.ListMatchesRequest(
                labels={"all": "yes"}, order=order, page_size=3, page_token=token
            )
            page = await server.match.ListMatches(asked)
            found += [match.id for match in page.matches]
            token = page.next_page_token
            if not token:
                break
        oldest = order == pb.MATCH_ORDER_OLDEST_FIRST
        times = {m: (await server.matches.current(m)).origin.created_ms for m in made}
        assert sorted(found) == sorted(made)
        assert [times[m] for m in found] == sorted(times.values(), reverse=not oldest)


async def test_a_page_token_fits_its_filter_only(server: LocalServer):
    for _ in range(3):
        await create(server, labels={"cup": "spring"})
    page = await server.match.ListMatches(
        pb.ListMatchesRequest(labels={"cup": "spring"}, page_size=1)
    )
    others: list[dict[str, Any]] = [
        {},
        {"labels": {"cup": "autumn"}},
        {"labels": {"cup": "spring"}, "text": "x"},
        {"labels": {"cup": "spring"}, "seat": pb.SEAT_FILTER_FREE},
        {"labels": {"cup": "spring"}, "order": pb.MATCH_ORDER_OLDEST_FIRST},
    ]
    for other in others:
        request = pb.ListMatchesRequest(page_token=page.next_page_token, **other)
        assert (await refused(server.match.ListMatches(request))).reason == "INVALID_PAGE_TOKEN"


async def test_what_is_looked_for_is_read_from_an_index():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as busy:
        _, key = await busy.key(Role.PLAYER)
        for _ in range(30):
            await create(busy)
        own = await create(busy, labels={"cup": "spring"}, title="Lonely")
        await join(busy, own, key)
        store = Counting(memory)
        async with open_server(store) as server:
            filters: list[dict[str, Any]] = [
                {"account_id": "me"},
                {"labels": {"cup": "spring"}},
                {"text": "lonely"},
            ]
            for asked in filters:
                store.read = 0
                assert await ids(server, key, **asked) == [own]
                assert store.read <= 2
