"""OpenTelemetry: spans, and the server's metrics over OTLP; needs the extra ``otel``.

The standard variables ``OTEL_...`` configure the resource, the sampler, the batches and the
exporters. Attributes hold ids of matches, revisions and reasons: no secret, no name, no address.
"""

from __future__ import annotations

import os
from asyncio import CancelledError
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, Final, Self
from uuid import uuid4

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.metrics.export import MetricExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Link, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue
from prometheus_client import CollectorRegistry

from taflhall_service.observability.otlp_metrics import MetricPusher
from taflhall_service.observability.tracing import UNRECORDED, Committed, Metadata, Span, Tracer
from taflhall_wire.error_reasons import REASONS
from taflhall_wire.reason_names import reason_name

SCOPE: Final = "taflhall"
MATCH: Final = "taflhall.match.id"
REVISION: Final = "taflhall.match.revision"
OUTCOME: Final = "taflhall.commit.outcome"

FAULTS: Final = frozenset(
    ("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS")
)
"""Status codes that are failures of the server, by the conventions for spans of gRPC."""

_MEMO: Final = "trace"
"""Where the memo of an entry has the context of its commit's span."""
_W3C: Final = TraceContextTextMapPropagator()


class _Recorded(Span):
    __slots__ = ("_span", "_token")

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._token: Any = None

    def __enter__(self) -> Self:
        self._token = contexts.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(self, *raised: object) -> None:
        contexts.detach(self._token)
        if isinstance(raised[1], BaseException):
            self._fail(raised[1])
        self._span.end()

    def concern(self, match_id: str) -> None:
        self._span.set_attribute(MATCH, match_id)

    def end_with(self, outcome: str) -> None:
        self._span.set_attribute(OUTCOME, outcome)

    def lead_to(self, entries: Iterable[Committed]) -> None:
        for entry in entries:
            entry.memo[_MEMO] = self._span.get_span_context()

    def _fail(self, error: BaseException) -> None:
        """Record the reason of a refusal, or the class of another exception; never its text."""
        kind = type(error).__name__
        reason = "CANCELLED" if isinstance(error, CancelledError) else reason_name(kind)
        _record_error(self._span, reason if reason in (*REASONS, "CANCELLED") else kind)


class _Call(_Recorded):
    """The span of a call, whose error :meth:`OtelTracer.end_call` records."""

    __slots__ = ()

    def _fail(self, error: BaseException) -> None:
        pass


def _code_of(outcome: str) -> str:
    """Return the status code of an outcome: ``INTERNAL`` without a reason of the contract."""
    if outcome in ("OK", "CANCELLED"):
        return outcome
    return REASONS[outcome].code if outcome in REASONS else "INTERNAL"


def _record_error(span: trace.Span, outcome: str) -> None:
    """Record *outcome* as the type of an error; the span has failed if it is the server's."""
    span.set_attribute("error.type", outcome)
    if _code_of(outcome) in FAULTS:
        span.set_status(Status(StatusCode.ERROR, outcome))


class OtelTracer(Tracer):
    """Makes spans of OpenTelemetry."""

    is_on = True

    def __init__(self, provider: trace.TracerProvider) -> None:
        self._tracer: Final = provider.get_tracer(SCOPE)

    def call(self, method: str, metadata: Callable[[], Metadata | None]) -> Span:
        carrier = {key: value for key, value in metadata() or () if key in _W3C.fields}
        parent = _W3C.extract(carrier, Context())
        about = {"rpc.system.name": "grpc", "rpc.method": method}
        return _Call(self._tracer.start_span(method, parent, SpanKind.SERVER, about))

    def end_call(self, outcome: str) -> None:
        span = trace.get_current_span()
        span.set_attribute("rpc.response.status_code", _code_of(outcome))
        if outcome != "OK":
            _record_error(span, outcome)

    def admission(self) -> Span:
        return _Recorded(self._tracer.start_span("admission"))

    def use_case(self, request: object) -> Span:
        return _Recorded(self._tracer.start_span(type(request).__name__))

    def commit(self, match_id: str, revision: int) -> Span:
        about: dict[str, AttributeValue] = {MATCH: match_id, REVISION: revision}
        return _Recorded(self._tracer.start_span("commit", kind=SpanKind.CLIENT, attributes=about))

    def answer(self) -> Span:
        return _Recorded(self._tracer.start_span("answer", Context(), links=_current()))

    def delivery(self, entry: Committed, match_id: str) -> Span:
        commit = entry.memo.get(_MEMO)
        if commit is None:
            return UNRECORDED
        parent = trace.set_span_in_context(trace.NonRecordingSpan(commit), Context())
        about: dict[str, AttributeValue] = {MATCH: match_id, REVISION: entry.revision}
        return _Recorded(
            self._tracer.start_span("delivery", parent, SpanKind.PRODUCER, about, _current())
        )


def _current() -> list[Link]:
    """Return a link to the span around this, which is that of a stream."""
    return [Link(trace.get_current_span().get_span_context())]


class Telemetry:
    """What a process sends over OTLP: its spans, and the metrics of *registry*.

    Raise ``ValueError`` if the environment names an exporter or protocol that is not supported.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        about: dict[str, AttributeValue] = {"service.name": "taflhall"}
        about["service.version"] = version("taflhall")
        about["service.instance.id"] = uuid4().hex
        resource = Resource.create({**about, **OTELResourceDetector().detect().attributes})
        self._provider: Final = TracerProvider(resource=resource)
        self._metrics: MetricPusher | None = None
        self.tracer = Tracer()
        """Makes the spans that are sent."""
        if _is_sent("TRACES"):
            self._provider.add_span_processor(BatchSpanProcessor(_span_exporter()))
            self.tracer = OtelTracer(self._provider)
        if _is_sent("METRICS"):
            seconds = int(_variable("METRIC_EXPORT_INTERVAL") or 60_000) / 1000
            self._metrics = MetricPusher(registry, resource, _metric_exporter(), seconds)

    def close(self) -> None:
        """Send what is left; it may take as long as the exporters' timeouts."""
        self._provider.shutdown()
        if self._metrics is not None:
            self._metrics.close()


def _variable(name: str) -> str:
    return os.environ.get(f"OTEL_{name}", "").strip()


def _is_sent(signal: str) -> bool:
    """Return whether ``TRACES`` or ``METRICS`` are sent, which they are unless they are off."""
    exporter = _variable(f"{signal}_EXPORTER") or "otlp"
    if exporter not in ("otlp", "none"):
        raise ValueError(f"OTEL_{signal}_EXPORTER is otlp or none, not {exporter!r}")
    return exporter == "otlp" and _variable("SDK_DISABLED").lower() != "true"


def _is_grpc(signal: str) -> bool:
    """Return whether ``TRACES`` or ``METRICS`` go over gRPC and not over HTTP."""
    names = (f"EXPORTER_OTLP_{signal}_PROTOCOL", "EXPORTER_OTLP_PROTOCOL")
    protocol = next(filter(None, map(_variable, names)), "http/protobuf")
    if protocol not in ("grpc", "http/protobuf"):
        raise ValueError(f"OTEL_{names[1]} is grpc or http/protobuf, not {protocol!r}")
    return protocol == "grpc"


def _span_exporter() -> SpanExporter:
    if _is_grpc("TRACES"):
        from opentelemetry.exporter.otlp.proto.grpc import trace_exporter

        return trace_exporter.OTLPSpanExporter()
    from opentelemetry.exporter.otlp.proto.http import trace_exporter as over_http

    return over_http.OTLPSpanExporter()


def _metric_exporter() -> MetricExporter:
    if _is_grpc("METRICS"):
        from opentelemetry.exporter.otlp.proto.grpc import metric_exporter

        return metric_exporter.OTLPMetricExporter()
    from opentelemetry.exporter.otlp.proto.http import metric_exporter as over_http

    return over_http.OTLPMetricExporter()
