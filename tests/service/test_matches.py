"""Matches from the first call to the last: create, join, start, look, resign, record."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

import grpc
import pytest

from taflhall.v1 import catalog_service_pb2, match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_engine.kernel.drafts import whole
from taflhall_engine.kernel.mainline import replay_states
from taflhall_engine.kernel.meta_commands import Move
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app.model.tokens import page_token, read_page_token
from taflhall_service.app.spectating.match_list import MatchFilter
from taflhall_wire.translate import translator
from tests.service.local_server import LocalServer, Table, bearer, refused

NOBODY: Any = 99


def setup(seats: int = 2) -> table_pb2.Setup:
    message = table_pb2.Setup()
    message.game, message.seats = "yggdrasil", seats
    return message


async def test_the_catalogue_lists_games_and_limits(server: LocalServer):
    listed = await server.catalog.ListGames(catalog_service_pb2.ListGamesRequest())
    assert [game.id for game in listed.games] == list(registry.GAMES)
    assert listed.limits.request_bytes == 64 * 1024
    whole = await server.catalog.GetGame(
        catalog_service_pb2.GetGameRequest(game="yggdrasil", language="de")
    )
    assert whole.rules
    assert all(rule.text for rule in whole.rules)
    assert {c.provenance for c in whole.components} <= {"seed", "public", "reconstructed"}
    refusal = await refused(server.catalog.GetGame(catalog_service_pb2.GetGameRequest(game="go")))
    assert refusal.reason == "UNKNOWN_GAME"


async def test_a_match_opens_with_free_seats_and_the_digest_of_its_secret(server: LocalServer):
    created = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(), title="Friday"))
    match = created.match
    assert match.status == match_pb2.MATCH_STATUS_OPEN
    assert [seat.name for seat in match.seats] == ["", ""]
    assert (match.title, match.revision, match.secret) == ("Friday", 0, b"")
    assert len(match.id) == 26
    assert len(match.secret_digest) == 32
    assert len(created.creator_secret) >= 43


async def test_a_player_holds_the_joined_seats_and_sees_from_them(server: LocalServer):
    match_id = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))).match.id
    both = await server.match.JoinMatch(
        pb.JoinMatchRequest(match_id=match_id, seats=[1, 0], name="Ann")
    )
    assert list(both.seats) == [0, 1]
    assert [(s.name, s.kind) for s in both.match.seats] == [("Ann", 1), ("Ann", 1)]
    await server.match.StartMatch(
        pb.StartMatchRequest(match_id=match_id), metadata=bearer(both.seat_secret)
    )
    got = await server.match.GetMatch(
        pb.GetMatchRequest(match_id=match_id, with_view=True, seat=1),
        metadata=bearer(both.seat_secret),
    )
    assert got.view.seat == 1
    assert got.match.status == match_pb2.MATCH_STATUS_PLAYING


async def test_a_retried_call_finds_what_the_first_one_made(server: LocalServer):
    request = pb.CreateMatchRequest(setup=setup(), request_id=uuid4().hex)
    first = await server.match.CreateMatch(request)
    assert await server.match.CreateMatch(request) == first
    match_id = first.match.id
    join = pb.JoinMatchRequest(match_id=match_id, name="Ann", request_id=uuid4().hex)
    joined = await server.match.JoinMatch(join)
    again = await server.match.JoinMatch(join)
    assert (again.seats, again.seat_secret) == (joined.seats, joined.seat_secret)
    assert [seat.name for seat in again.match.seats] == ["Ann", ""]
    join.name = "Bo"
    got = await refused(server.match.JoinMatch(join))
    assert (got.reason, got.metadata) == ("REQUEST_ID_REUSED", {"request_id": join.request_id})
    request.title = "other"
    assert (await refused(server.match.CreateMatch(request))).reason == "REQUEST_ID_REUSED"


async def test_no_secret_is_kept_in_the_store(server: LocalServer):
    request = pb.CreateMatchRequest(setup=setup(), request_id=uuid4().hex)
    created = await server.match.CreateMatch(request)
    match_id = created.match.id
    join = pb.JoinMatchRequest(match_id=match_id, name="Ann", request_id=uuid4().hex)
    joined = await server.match.JoinMatch(join)
    memory = server.store.memory
    kept = repr((memory.matches, memory.entries, memory.records))
    for secret in (created.creator_secret, joined.seat_secret):
        assert secret not in kept


async def test_the_last_seat_starts_the_match_if_so_wanted(server: LocalServer):
    created = await server.match.CreateMatch(
        pb.CreateMatchRequest(setup=setup(), start_when_full=True)
    )
    match_id = created.match.id
    first = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Ann"))
    assert first.match.status == match_pb2.MATCH_STATUS_OPEN
    second = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Bo"))
    assert second.match.status == match_pb2.MATCH_STATUS_PLAYING
    start = pb.StartMatchRequest(match_id=match_id)
    again = await server.match.StartMatch(start, metadata=bearer(first.seat_secret))
    assert again.match == second.match


async def test_the_list_shows_the_newest_first_page_by_page(server: LocalServer):
    made = [
        (
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(), title=f"{n}"))
        ).match.id
        for n in range(5)
    ]
    found, token = [], ""
    while True:
        page = await server.match.ListMatches(pb.ListMatchesRequest(page_size=2, page_token=token))
        found += [match.id for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(made)
    open_ones = pb.ListMatchesRequest(status=match_pb2.MATCH_STATUS_OPEN, game="yggdrasil")
    assert len((await server.match.ListMatches(open_ones)).matches) == 5
    others = pb.ListMatchesRequest(status=match_pb2.MATCH_STATUS_PLAYING)
    assert not (await server.match.ListMatches(others)).matches


async def test_a_page_token_is_bound_to_its_filter(server: LocalServer):
    for _ in range(3):
        await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
    first = await server.match.ListMatches(pb.ListMatchesRequest(page_size=1))
    other = pb.ListMatchesRequest(game="yggdrasil", page_token=first.next_page_token)
    assert (await refused(server.match.ListMatches(other))).reason == "INVALID_PAGE_TOKEN"


async def test_a_page_size_that_is_too_great_is_cut(server: LocalServer):
    await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
    listed = await server.match.ListMatches(pb.ListMatchesRequest(page_size=2**31 - 1))
    assert len(listed.matches) == 1


async def test_a_page_token_reveals_no_match(server: LocalServer):
    private = match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_NONE)
    request = pb.CreateMatchRequest(setup=setup(), spectators=private)
    hidden = (await server.match.CreateMatch(request)).match
    index_key = f"{hidden.create_time.ToMilliseconds():012x}{hidden.id}"
    key = await server.store.key()
    listing = f"matches/{tuple(MatchFilter())!r}"
    token = page_token(key, index_key, listing)
    assert read_page_token(key, token, listing) == index_key
    raw = urlsafe_b64decode(token)
    for part in (hidden.id.encode(), index_key[:12].encode()):
        assert part not in raw
    await server.match.ListMatches(pb.ListMatchesRequest(page_token=token))
    for made_up in (index_key, urlsafe_b64encode(raw[:-1]).decode(), token[:-4] + "AAAA", "A" * 72):
        refusal = await refused(server.match.ListMatches(pb.ListMatchesRequest(page_token=made_up)))
        assert refusal.reason == "INVALID_PAGE_TOKEN"


async def test_explain_says_why_and_changes_nothing(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    before = server.store.memory.matches[table.id]
    request = pb.ExplainCommandRequest(
        match_id=table.id, command=decision.options[0].command, language="de"
    )
    legal = await server.match.ExplainCommand(request, metadata=bearer(table.secrets[0]))
    assert legal.legal
    assert legal.decision_id == decision.id
    rule = decision.options[0].rule
    assert legal.rule_text == registry.game("yggdrasil").rulebook.text(rule, "de")
    command = table_pb2.Command()
    command.yggdrasil.choose_pulled.enemy = NOBODY
    request = pb.ExplainCommandRequest(match_id=table.id, command=command, language="en-GB")
    illegal = await server.match.ExplainCommand(request, metadata=bearer(table.secrets[0]))
    assert not illegal.legal
    assert illegal.refusal.code
    assert illegal.refusal.text.startswith("this ")
    assert server.store.memory.matches[table.id] == before


async def test_a_finished_match_reveals_its_secret_and_its_record_replays(server: LocalServer):
    table = await server.table(2, 2)
    while (await table.step()).status != match_pb2.MATCH_STATUS_FINISHED:
        pass
    match = (await table.get(None)).match
    assert hashlib.sha256(match.secret).hexdigest() == match.secret_digest.hex()
    assert [seat.place for seat in match.result.seats] in ([1, 1], [2, 2])
    record = (await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))).record
    game = registry.game("yggdrasil")
    words = translator(game)
    moves: list[Move] = [
        (c.seat, whole([words.command_from(step) for step in c.commands])) for c in record.commands
    ]
    secret = match.secret
    places = replay_states(game, words.setup_from(match.setup), secret, moves)
    replayed = [bytes.fromhex(digest(game, position.table)) for position in places]
    assert replayed == [record.start_digest, *(c.digest for c in record.commands)]


async def test_a_look_back_shows_what_was_seen_then(server: LocalServer):
    table = await server.table(2, 2)
    seen, events = [], []
    for _ in range(12):
        got = await table.get(0, with_view=True)
        seen.append((got.match.revision, got.view, [d.id for d in got.decisions]))
        events = list((await table.step()).events)
    for revision, view, ids in seen:
        request = pb.GetMatchViewRequest(match_id=table.id, revision=revision)
        past = await server.match.GetMatchView(request, metadata=bearer(table.secrets[0]))
        assert past.view == view
        assert [d.id for d in past.decisions] == ids
        assert not any(d.options for d in past.decisions)
    request = pb.GetMatchViewRequest(match_id=table.id, revision=12)
    last = await server.match.GetMatchView(request, metadata=bearer(table.secrets[0]))
    assert list(last.events) == events


async def history(
    table: Table, person: int | None, **fields: Any
) -> AsyncGenerator[pb.ListMatchEventsResponse]:
    """Yield the pages of a match's history."""
    proof = bearer("" if person is None else table.secrets[person])
    request = pb.ListMatchEventsRequest(match_id=table.id, **fields)
    while True:
        page = await table.server.match.ListMatchEvents(request, metadata=proof)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


@pytest.mark.parametrize("person", [0, 1, None])
async def test_the_history_shows_each_viewer_what_it_was_sent(server: LocalServer, person):
    table = await server.table(2, 2)
    proof = bearer("" if person is None else table.secrets[person])
    watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id), metadata=proof)
    await watch.read()
    sent = []
    for revision in range(1, 13):
        await table.step()
        update = await watch.read()
        assert update.revision == revision
        sent.append((revision, list(update.change.events), update.change.status))
    pages = [page async for page in history(table, person, page_size=5)]
    assert [len(page.revisions) for page in pages] == [5, 5, 2]
    assert {page.match_revision for page in pages} == {12}
    found = [revision for page in pages for revision in page.revisions]
    assert [(each.revision, list(each.events), each.status) for each in found] == sent
    times = [each.time.ToMilliseconds() for each in found]
    assert times == sorted(times)
    [part] = [page async for page in history(table, person, first_revision=3, last_revision=4)]
    assert list(part.revisions) == found[2:4]
    for beyond in ({"first_revision": 13}, {"first_revision": 5, "last_revision": 4}):
        [nothing] = [page async for page in history(table, person, **beyond)]
        assert (list(nothing.revisions), nothing.match_revision) == ([], 12)


async def test_a_page_of_a_history_is_bound_to_its_range_and_seat(server: LocalServer):
    table = await server.table(2, 2)
    for _ in range(4):
        await table.step()
    page = await anext(history(table, 0, page_size=2))
    others: list[dict[str, Any]] = [{"first_revision": 2}, {"last_revision": 3}, {"seat": -1}]
    for fields in others:
        request = pb.ListMatchEventsRequest(
            match_id=table.id, page_token=page.next_page_token, **fields
        )
        got = await refused(
            server.match.ListMatchEvents(request, metadata=bearer(table.secrets[0]))
        )
        assert got.reason == "INVALID_PAGE_TOKEN"
    for fields in ({"first_revision": -1}, {"last_revision": -1}, {"page_size": -1}):
        got = await refused(anext(history(table, 0, **fields)))
        assert (got.reason, got.metadata["field"]) == ("MALFORMED", next(iter(fields)))
    assert (await refused(anext(history(table, None, seat=0)))).reason == "SECRET_MISSING"


async def test_a_resignation_ends_a_cooperative_match(server: LocalServer):
    table = await server.table(2, 2)
    await table.step()
    request = pb.ResignSeatRequest(match_id=table.id, request_id="enough")
    resigned = await server.match.ResignSeat(request, metadata=bearer(table.secrets[1]))
    assert resigned.match.status == match_pb2.MATCH_STATUS_FINISHED
    assert [r.id for r in resigned.match.result.reasons] == ["resigned"]
    assert [seat.resigned for seat in resigned.match.seats] == [False, True]
    again = await server.match.ResignSeat(request, metadata=bearer(table.secrets[1]))
    assert again == resigned
    record = (await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))).record
    assert [c.meta_command for c in record.commands] == [0, match_pb2.META_COMMAND_RESIGN]
    assert record.commands[1].digest == record.commands[0].digest


async def test_damaged_data_is_said_and_never_written_over(server: LocalServer):
    table = await server.table(2, 2)
    decision = (await table.get(None)).decisions[0]
    memory = server.store.memory
    match = memory.matches[table.id]
    server.matches.forget(table.id)
    broken = match.snapshot[:-1] + bytes([match.snapshot[-1] ^ 1])
    for change in (
        {"snapshot": broken},
        {"snapshot": match.snapshot[:20]},
        {"seats": b"\xc1"},
        {"origin": b"\x90"},
    ):
        memory.matches[table.id] = damaged = match._replace(**change)
        refusal = await refused(table.get(None))
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.DATA_LOSS,
            "STORED_DATA_DAMAGED",
        )
        call = table.submit(decision.id, person=decision.seat)
        assert (await refused(call)).reason == "STORED_DATA_DAMAGED"
        assert memory.matches[table.id]._replace(frozen=b"") == damaged


@pytest.mark.parametrize("change", ["schema", "rules", "data"])
async def test_what_a_newer_release_has_stored_is_left_alone(server: LocalServer, change: str):
    from msgspec.structs import replace

    from taflhall_service.app.model import codec as stored

    table = await server.table(2, 2)
    memory = server.store.memory
    match = memory.matches[table.id]
    origin = stored.decode_origin(match.origin)
    if change == "schema":
        newer = match._replace(schema=stored.SCHEMA + 1)
    elif change == "rules":
        newer = match._replace(origin=stored.encode(replace(origin, rules_version="99")))
    else:
        newer = match._replace(origin=stored.encode(replace(origin, data_digest="0" * 64)))
    memory.matches[table.id] = newer
    server.matches.forget(table.id)
    for submits in (True, False):
        refusal = await refused(table.submit("x") if submits else table.get(0))
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refusal.reason == "RULES_TOO_NEW"
        assert refusal.metadata == {"match_id": table.id}
    assert memory.matches[table.id] == newer
    page = await server.match.ListMatches(pb.ListMatchesRequest())
    assert table.id not in [match.id for match in page.matches]
