"""Traces: one leads from the caller's span to the watchers, and none holds what is nobody's."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import grpc
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.async_client import Client
from taflhall_client.sync import Client as SyncClient
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import Commit, CommitResult
from taflhall_service.observability.otel import OtelTracer
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import Table, bearer, open_server, reason_of
from tests.waiting import until

CALL = "taflhall.v1.MatchService/SubmitAnswers"
CREATE = "taflhall.v1.MatchService/CreateMatch"
WATCH = "taflhall.v1.MatchService/WatchMatch"
PLAY = "taflhall.v1.MatchService/Play"

CALLER = ("ab" * 16, "cd" * 8)
"""The ids of a caller's trace and span."""


class Recorder:
    """Keeps the spans that have ended."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer = OtelTracer(self.provider)

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def last(self, name: str) -> ReadableSpan:
        return self.named(name)[-1]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def id_of(span: ReadableSpan) -> int:
    return int(span.context.span_id)


def parent_of(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id


def about(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def submit(table: Table, **more: Any) -> pb.SubmitAnswersResponse:
    """Give a whole answer, as a caller within a trace."""
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id=more.pop("decision_id", "") or (await table.decision()).id,
        request_id="one",
        answers=await table.whole(),
    )
    proof = bearer(table.secrets[0])
    parent = ("traceparent", f"00-{CALLER[0]}-{CALLER[1]}-01")
    answer: pb.SubmitAnswersResponse = await table.server.match.SubmitAnswers(
        request, metadata=(*proof, parent)
    )
    return answer


async def test_one_trace_leads_from_the_caller_to_the_commit_and_to_the_watchers(recorder):
    async with open_server(tracer=recorder.tracer) as server:
        table = await server.table()
        watches = [
            server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id)) for _ in range(2)
        ]
        for watch in watches:
            await watch.read()
        answer = await submit(table)
        for watch in watches:
            while (await watch.read()).revision < answer.revision:
                pass
            watch.cancel()
        await until(lambda: len(recorder.named(WATCH)) == 2 and recorder.named("delivery"))
    call, use_case, commit = (recorder.last(name) for name in (CALL, "SubmitAnswers", "commit"))
    admission = next(s for s in recorder.named("admission") if parent_of(s) == id_of(call))
    deliveries = recorder.named("delivery")
    trace = [call, admission, use_case, commit, *deliveries]
    assert {f"{span.context.trace_id:032x}" for span in trace} == {CALLER[0]}
    assert f"{parent_of(call):016x}" == CALLER[1]
    assert parent_of(use_case) == id_of(call)
    assert parent_of(commit) == id_of(use_case)
    assert {parent_of(span) for span in deliveries} == {id_of(commit)}
    streams = {span.links[0].context.span_id for span in deliveries}
    assert streams == {id_of(span) for span in recorder.named(WATCH)}

    match = {"taflhall.match.id": table.id}
    at = match | {"taflhall.match.revision": answer.revision}
    assert about(call) == {
        "rpc.system.name": "grpc",
        "rpc.method": CALL,
        "rpc.response.status_code": "OK",
    }
    assert about(admission) == {}
    assert about(use_case) == match
    assert about(commit) == at | {"taflhall.commit.outcome": "committed"}
    assert about(deliveries[-1]) == at
    kinds = [span.kind for span in (call, admission, use_case, commit, deliveries[0])]
    internal = SpanKind.INTERNAL
    expected = [SpanKind.SERVER, internal, internal, SpanKind.CLIENT, SpanKind.PRODUCER]
    assert kinds == expected
    assert all(span.status.status_code is StatusCode.UNSET for span in trace)


async def test_what_another_server_has_committed_is_delivered_without_a_span(recorder):
    memory = Memory()
    async with (
        open_server(MemoryStore(memory)) as there,
        open_server(MemoryStore(memory), tracer=recorder.tracer, poll=0.05) as here,
    ):
        table = await there.table()
        watch = here.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await watch.read()
        answer = await submit(table)
        while (await watch.read()).revision < answer.revision:
            pass
    assert not recorder.named("delivery")


async def test_a_refusal_has_its_reason_and_is_no_failure_of_the_server(recorder):
    async with open_server(tracer=recorder.tracer) as server:
        table = await server.table()
        reason = await reason_of(submit(table, decision_id="m0-1"))
        await until(lambda: recorder.named(CALL))  # it ends after its client has the status
    assert reason == "STALE_DECISION"
    for span in (recorder.last(CALL), recorder.last("SubmitAnswers")):
        assert about(span)["error.type"] == reason
        assert span.status.status_code is StatusCode.UNSET
    assert about(recorder.last(CALL))["rpc.response.status_code"] == "ABORTED"


async def test_a_call_that_is_not_admitted_has_its_reason(recorder):
    async with open_server(tracer=recorder.tracer, required=True) as server:
        request = pb.CreateMatchRequest()
        reason = await reason_of(server.match.CreateMatch(request))
        await until(lambda: recorder.named(CREATE))
    admission, call = recorder.last("admission"), recorder.last(CREATE)
    assert about(admission)["error.type"] == about(call)["error.type"] == reason
    assert parent_of(admission) == id_of(call)


class Failing(MemoryStore):
    """A store whose commits fail."""

    error: Exception | None = None

    async def commit(self, commit: Commit) -> CommitResult:
        if self.error is not None:
            raise self.error
        return await super().commit(commit)


@pytest.mark.parametrize(
    ("error", "inner", "outer"),
    [
        (StoreUnavailable(), "STORE_UNAVAILABLE", "STORE_UNAVAILABLE"),
        (RuntimeError("CANARY"), "RuntimeError", "INTERNAL"),
    ],
)
async def test_spans_of_a_failure_have_its_reason_and_not_its_text(recorder, error, inner, outer):
    store = Failing(Memory())
    async with open_server(store, tracer=recorder.tracer) as server:
        table = await server.table()
        store.error = error
        assert await reason_of(submit(table)) == outer
        await until(lambda: recorder.named(CALL))
    reasons = {
        name: (about(span)["error.type"], span.status.description, span.status.status_code)
        for name in ("commit", "SubmitAnswers", CALL)
        for span in [recorder.last(name)]
    }
    assert reasons == {
        "commit": (inner, inner, StatusCode.ERROR),
        "SubmitAnswers": (inner, inner, StatusCode.ERROR),
        CALL: (outer, outer, StatusCode.ERROR),
    }
    assert "CANARY" not in written(recorder)


def written(recorder: Recorder) -> str:
    return "\n".join(span.to_json() for span in recorder.spans)


async def test_no_span_holds_a_secret_a_name_or_an_address(recorder):
    async with open_server(tracer=recorder.tracer) as server:
        table = await server.table(2, 2)
        await table.step()
        wrong = pb.GetMatchRequest(match_id=table.id)
        for match_id in (table.id, "CANARY" * 9):
            wrong.match_id = match_id
            with pytest.raises(grpc.aio.AioRpcError):
                await server.match.GetMatch(wrong, metadata=bearer("CANARY" * 8))
        with pytest.raises(grpc.aio.AioRpcError):
            await server.match.ResignSeat(
                pb.ResignSeatRequest(match_id="CANARY" * 9), metadata=bearer(table.secrets[0])
            )
    text = written(recorder)
    assert table.id in text
    hidden = [*table.secrets, table.creator, "CANARY", "Ann", "127.0.0.1", str(server.port)]
    assert not [word for word in hidden if word in text]


async def test_an_answer_in_a_stream_is_a_trace_of_its_own_linked_to_the_stream(recorder):
    async with open_server(tracer=recorder.tracer) as server:
        table = await server.table(2, 1)
        stream = server.match.Play(metadata=bearer(table.secrets[0]))
        await stream.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
        prompt = await read_prompt(stream)
        answer = pb.PlayAnswer(decision_id=prompt.decision.id, answers=await table.whole())
        await stream.write(pb.PlayRequest(answer=answer))
        await read_prompt(stream)
        stream.cancel()
        await until(lambda: recorder.named(PLAY))
    play, given = recorder.last(PLAY), recorder.last("answer")
    assert parent_of(given) is None
    assert given.context.trace_id != play.context.trace_id
    assert given.links[0].context.span_id == id_of(play)
    use_case = recorder.last("SubmitAnswers")
    assert parent_of(use_case) == id_of(given)
    assert parent_of(recorder.last("commit")) == id_of(use_case)


async def read_prompt(stream: Any) -> pb.PlayPrompt:
    while True:
        message = await stream.read()
        assert message is not grpc.aio.EOF
        if message.HasField("prompt"):
            prompt: pb.PlayPrompt = message.prompt
            return prompt


async def test_the_span_of_a_call_has_the_full_name_of_its_method(recorder):
    name = "taflhall.tournament.v1.TournamentService/ListTournaments"
    async with open_server(tracer=recorder.tracer) as server:
        await server.raw(f"/{name}", b"")
    assert about(recorder.last(name))["rpc.method"] == name


async def test_the_clients_of_python_send_the_current_span(recorder):
    spans = recorder.provider.get_tracer("evening")
    async with open_server(tracer=recorder.tracer) as server:
        address = f"127.0.0.1:{server.port}"
        async with Client(address) as client:
            with spans.start_as_current_span("evening") as evening:
                await client.games()

        def synchronous() -> int:
            with SyncClient(address) as client, spans.start_as_current_span("late") as late:
                client.games()
                return int(late.get_span_context().span_id)

        late = await asyncio.to_thread(synchronous)
    calls = recorder.named("taflhall.v1.CatalogService/ListGames")
    assert [parent_of(call) for call in calls] == [evening.get_span_context().span_id, late]


def test_nobody_loads_opentelemetry_who_does_not_use_it():
    """The client of Redis imports it by itself where it is installed, so only ours counts."""
    program = (
        "import sys\n"
        "from taflhall_client import async_client, channel\n"
        "assert channel.metadata('a') == [('authorization', 'Bearer a')]\n"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry')]\n"
        "import taflhall_service.process\n"
        "assert 'taflhall_service.observability.otel' not in sys.modules\n"
        "assert 'opentelemetry.sdk.trace' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
