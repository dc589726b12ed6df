"""G12: what a newer release has stored is left alone, byte for byte; damage is reported.

The same calls, by everybody, and the same chores are tried on a match that looks as if a newer
release had written it, and on matches of which some bytes were changed.
"""

from __future__ import annotations

import io
from bisect import insort
from typing import Any

import msgspec
import pytest
from google.protobuf.message_factory import GetMessageClass
from msgspec.structs import replace

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.jobs.self_check import CheckResult, SelfCheck
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.ports.match_store import DueQueue, StoredMatch
from tests import exploring
from tests.faults.fuzz.messages import Maker
from tests.faults.fuzz.pool import Pool
from tests.faults.inside import Inside, quiet_logs
from tests.service.inline_bots import InlineBots

SERVICE = "/taflhall.v1.MatchService/"
METHODS = {
    method.name: GetMessageClass(method.input_type)
    for method in pb.DESCRIPTOR.services_by_name["MatchService"].methods
    if not method.server_streaming and "match_id" in method.input_type.fields_by_name
}
"""The methods that are about one match, with their requests."""

MUTANTS = 60
"""Changed matches for each field of what is stored."""


class Hosted:
    """A match in the middle, and who may do what with it."""

    def __init__(self, inside: Inside, match_id: str, secret: str, creator: str) -> None:
        self.inside = inside
        self.match_id = match_id
        self.secret = secret
        self.creator = creator
        self.archive = Shelf()
        self.command: Any = None

    @property
    def kept(self):
        return self.inside.memory.matches[self.match_id]

    @kept.setter
    def kept(self, found):
        self.inside.memory.matches[self.match_id] = found
        self.inside.matches.forget(self.match_id)

    @property
    def origin(self):
        return stored.decode_origin(self.kept.origin)

    def everything(self) -> Any:
        """Return a copy of all that is stored of the match, but that damage has frozen it."""
        memory, name = self.inside.memory, self.match_id
        return (
            memory.matches[name]._replace(frozen=b""),
            list(memory.entries[name]),
            dict(memory.records[name]),
            [index_key for index_key in memory.indexes[""] if name in index_key],
        )

    def put_back(self, everything: Any) -> None:
        memory, name = self.inside.memory, self.match_id
        kept, entries, records, index_keys = everything
        memory.entries[name], memory.records[name] = list(entries), dict(records)
        for index_key in index_keys:
            if index_key not in memory.indexes[""]:
                insort(memory.indexes[""], index_key)
        self.kept = kept

    async def calls(self):
        """Let everybody call every method; yield the method and its answer."""
        for name, kind in METHODS.items():
            request: Any = kind(match_id=self.match_id)
            fields = kind.DESCRIPTOR.fields_by_name
            if "request_id" in fields:
                request.request_id = "q" * 20
            if "name" in fields:
                request.name = "Bo"
            if "kind" in fields:
                request.kind = match_pb2.SEAT_KIND_BOT
            if "reaction" in fields:
                request.reaction = match_pb2.REACTION_HELLO
            if "undo" in fields:
                request.undo.SetInParent()
            if "proposal_id" in fields:
                request.proposal_id = "1"
            if "reaction" in fields:
                request.reaction = match_pb2.REACTION_HELLO
            if "answers" in fields:
                request.answers.add(option=0)
            if "command" in fields:
                request.command.CopyFrom(self.command)
            for secret in (self.secret, self.creator, ""):
                metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
                data = request.SerializeToString()
                yield name, await self.inside.call(SERVICE + name, data, metadata)
        yield "WatchMatch", await self.watch()

    async def watch(self):
        request = pb.WatchMatchRequest(match_id=self.match_id, with_view=True)
        stream = self.inside.stream(SERVICE + "WatchMatch", request.SerializeToString())
        await stream.read()
        await stream.leave()
        return stream.answer

    async def chores(self) -> None:
        """Do what a server does by itself."""
        store = self.inside.matches.store
        await Archiver(store, self.archive, 1e6, lambda kept: None).scan()
        timers = Timers(self.inside.matches, InlineBots(), lambda policy, seconds: None)
        self.inside.memory.queues[DueQueue.DEADLINES][self.match_id] = 0
        await timers.look()
        await timers.scan()


class Shelf:
    """An archive in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def put(self, name: str, data: bytes) -> None:
        self.kept[name] = data

    async def get(self, name: str) -> bytes | None:
        return self.kept.get(name)


@pytest.fixture
async def hosted():
    quiet_logs(io.StringIO())
    async with Inside() as inside:
        pool = await Pool.filled(inside, Maker(1), ("yggdrasil",))
        match_id, secret = list(pool.seats.items())[2]
        found = Hosted(inside, match_id, secret, pool.secrets[pool.secrets.index(secret) - 1])
        request = pb.GetMatchRequest(match_id=match_id, with_options=True)
        metadata = (("authorization", f"Bearer {secret}"),)
        answer = await inside.call(SERVICE + "GetMatch", request.SerializeToString(), metadata)
        response = pb.GetMatchResponse.FromString(answer.body)
        assert response.match.status == match_pb2.MATCH_STATUS_PLAYING
        assert response.match.revision > 0
        found.command = response.decisions[0].options[0].command
        yield found


def newer_schema(hosted):
    return hosted.kept._replace(schema=stored.SCHEMA + 1)


def newer_rules(hosted):
    version = f"{hosted.origin.rules_version}.1"
    return hosted.kept._replace(origin=stored.encode(replace(hosted.origin, rules_version=version)))


def other_data(hosted):
    return hosted.kept._replace(origin=stored.encode(replace(hosted.origin, data_digest="0" * 64)))


def unknown_game(hosted):
    return hosted.kept._replace(origin=stored.encode(replace(hosted.origin, game="hnefatafl")))


def newer_snapshot(hosted):
    origin, kept = hosted.origin, hosted.kept
    place = f"{origin.match_id}/table/{kept.version.revision}"
    snapshot, more = msgspec.msgpack.decode(chain.unseal(origin.chain, place, kept.snapshot))
    snapshot["schema"] += 1
    payload = msgspec.msgpack.encode([snapshot, more])
    return kept._replace(snapshot=chain.seal(origin.chain, place, payload))


NEWER = [newer_schema, newer_rules, other_data, unknown_game, newer_snapshot]


@pytest.mark.parametrize("make", NEWER)
async def test_a_match_of_a_newer_release_is_left_alone(hosted, make):
    hosted.kept = make(hosted)
    before, asked = hosted.everything(), 0
    async for name, answer in hosted.calls():
        assert answer.reason == "RULES_TOO_NEW", name
        assert hosted.everything() == before, name
        asked += 1
    assert asked > 3 * len(METHODS)
    await hosted.chores()
    assert not any(hosted.match_id in name for name in hosted.archive.kept)
    assert (
        await SelfCheck(hosted.inside.matches, print).check(hosted.match_id) is CheckResult.SKIPPED
    )
    assert hosted.everything() == before


@pytest.mark.parametrize("make", NEWER)
async def test_other_matches_are_listed_beside_one_of_a_newer_release(hosted, make):
    answer = await hosted.inside.call(
        SERVICE + "ListMatches", pb.ListMatchesRequest().SerializeToString()
    )
    before = {match.id for match in pb.ListMatchesResponse.FromString(answer.body).matches}
    hosted.kept = make(hosted)
    answer = await hosted.inside.call(
        SERVICE + "ListMatches", pb.ListMatchesRequest().SerializeToString()
    )
    after = {match.id for match in pb.ListMatchesResponse.FromString(answer.body).matches}
    assert before - after <= {hosted.match_id}
    assert len(after) > 2


FIELDS = sorted(set(StoredMatch._fields) - {"version", "schema", "archived", "frozen"})
HINTS = {"changed", "deadline", "ended", "next_match", "started"}
"""Newer data in the store stops no match and no job."""


@pytest.mark.parametrize("field", FIELDS)
async def test_a_match_with_changed_bytes_is_refused_or_read_but_never_a_fault(hosted, field):
    maker, whole = Maker(exploring.FIRST + 1), hosted.kept
    before = hosted.everything()
    refused = 0
    for _ in range(MUTANTS if field not in HINTS else MUTANTS // 4):
        hosted.kept = whole._replace(**{field: maker.bytes_of(getattr(whole, field))})
        refused += await call_everything(hosted)
        await hosted.chores()
        hosted.put_back(before)
    assert refused > 0 or field in HINTS


@pytest.mark.parametrize("field", ["head", "body"])
async def test_a_history_with_changed_bytes_is_refused_but_never_a_fault(hosted, field):
    maker, before = Maker(exploring.FIRST + 2), hosted.everything()
    entries = hosted.inside.memory.entries[hosted.match_id]
    for number in range(MUTANTS // 4):
        at = number % len(entries)
        entry = entries[at]
        entries[at] = entry._replace(**{field: maker.bytes_of(getattr(entry, field))})
        hosted.inside.matches.forget(hosted.match_id)
        await call_everything(hosted)
        hosted.put_back(before)


async def call_everything(hosted) -> int:
    """Call everything once; return the number of refusals, none of which has written anything."""
    damaged = 0
    now = hosted.everything()
    async for name, answer in hosted.calls():
        assert answer.reason != "INTERNAL", name
        if answer.code.name == "OK" or name == "WatchMatch":
            now = hosted.everything()
            continue
        assert answer.code.name != "UNKNOWN", name
        assert answer.reason, name
        assert hosted.everything() == now, name
        damaged += answer.reason in ("STORED_DATA_DAMAGED", "RULES_TOO_NEW")
    return damaged
