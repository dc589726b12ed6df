"""What a server sends over OTLP, and what it says where it cannot."""

from __future__ import annotations

import asyncio
import http.server
import math
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.metrics.export import Histogram, Sum
from opentelemetry.sdk.resources import Resource
from prometheus_client import CollectorRegistry

from taflhall.v1 import catalog_service_pb2, catalog_service_pb2_grpc
from taflhall_client.ports import free_port
from taflhall_service.observability.metrics import Meter
from taflhall_service.observability.otel import Telemetry
from taflhall_service.observability.otlp_metrics import metrics_data
from taflhall_service.observability.tallies import BUCKETS
from taflhall_service.process import serve_process
from taflhall_service.settings import read_settings
from taflhall_service.store.address import BadAddress
from tests.service.processes import Process


class Collector:
    """Takes what is sent to it over HTTP."""

    def __init__(self) -> None:
        self.received: list[tuple[str, bytes]] = []
        received = self.received

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                received.append((self.path, self.rfile.read(length)))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def bodies(self, path: str) -> list[bytes]:
        return [body for where, body in self.received if where == path]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    opened = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", opened.address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    yield opened
    opened.close()


async def test_a_server_sends_its_spans_and_metrics_when_it_ends_at_the_latest(
    processes, collector, monkeypatch
):
    monkeypatch.setenv("OTEL_SERVICE_NAME", "evening")
    processes.append(Process("--store", "memory:", "--otel"))
    async with processes[0].channel() as channel:
        catalog: Any = catalog_service_pb2_grpc.CatalogServiceStub(channel)
        await catalog.ListGames(catalog_service_pb2.ListGamesRequest())
    assert processes[0].end()[0] == 0
    spans = [
        (service(part.resource), span.name)
        for body in collector.bodies("/v1/traces")
        for part in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in part.scope_spans
        for span in scope.spans
    ]
    assert ("evening", "taflhall.v1.CatalogService/ListGames") in spans
    metrics = {
        (service(part.resource), metric.name)
        for body in collector.bodies("/v1/metrics")
        for part in ExportMetricsServiceRequest.FromString(body).resource_metrics
        for scope in part.scope_metrics
        for metric in scope.metrics
    }
    assert {("evening", "taflhall_rpc_requests"), ("evening", "taflhall_draining")} <= metrics


def service(resource: Any) -> str:
    (name,) = [a.value.string_value for a in resource.attributes if a.key == "service.name"]
    return str(name)


def test_a_collector_that_is_away_does_not_keep_a_server(processes, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    processes.append(Process("--store", "memory:", "--otel"))
    assert processes[0].end()[0] == 0


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("OTEL_TRACES_EXPORTER", "zipkin", "OTEL_TRACES_EXPORTER is otlp or none"),
        ("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_METRICS_EXPORTER is otlp or none"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "is grpc or http/protobuf"),
    ],
)
def test_an_exporter_that_there_is_not_is_refused(variable, value, message, monkeypatch):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=message):
        Telemetry(CollectorRegistry())


@pytest.mark.parametrize("variables", [("OTEL_SDK_DISABLED",), ("TRACES", "METRICS")])
def test_signals_that_are_switched_off_are_not_sent(variables, collector, monkeypatch):
    for name in variables:
        if name == "OTEL_SDK_DISABLED":
            monkeypatch.setenv(name, "true")
        else:
            monkeypatch.setenv(f"OTEL_{name}_EXPORTER", "none")
    telemetry = Telemetry(Meter().registry)
    assert not telemetry.tracer.is_on
    telemetry.close()
    assert not collector.received


class GrpcCollector(grpc.GenericRpcHandler):
    """Takes what is sent to it over gRPC."""

    def __init__(self) -> None:
        self.called: set[str] = set()

    def service(self, handler_call_details: Any) -> Any:
        self.called.add(handler_call_details.method)
        return grpc.unary_unary_rpc_method_handler(lambda request, context: b"")


def test_it_goes_over_grpc_where_that_is_asked_for(monkeypatch):
    collector = GrpcCollector()
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((collector,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    telemetry = Telemetry(Meter().registry)
    with telemetry.tracer.admission():
        pass
    telemetry.close()
    server.stop(None)
    assert collector.called == {
        f"/opentelemetry.proto.collector.{name}/Export"
        for name in ("trace.v1.TraceService", "metrics.v1.MetricsService")
    }


def test_metrics_are_those_that_prometheus_reads():
    meter = Meter()
    seconds = meter.histogram("pool_job_seconds", "", "pool")
    for value in (0.0005, 0.02, 99.0):
        seconds.labels("bots").observe(value)
    seconds.labels("analyses")
    meter.applied("yggdrasil", 3)
    (resource,) = metrics_data(meter.registry, Resource.get_empty(), 1, 2).resource_metrics
    found = {metric.name: metric.data for metric in resource.scope_metrics[0].metrics}
    commands = found["taflhall_commands"]
    assert isinstance(commands, Sum)
    assert commands.is_monotonic
    (point,) = commands.data_points
    assert (point.attributes, point.value) == ({"game": "yggdrasil"}, 3)
    jobs = found["taflhall_pool_job_seconds"]
    assert isinstance(jobs, Histogram)
    first, second = jobs.data_points
    assert first.attributes == {"pool": "bots"}
    assert first.explicit_bounds == list(BUCKETS)
    assert len(first.bucket_counts) == len(BUCKETS) + 1
    assert (first.bucket_counts[0], first.bucket_counts[-1]) == (1, 1)
    assert sum(first.bucket_counts) == first.count == 3
    assert math.isclose(first.sum, 99.0205)
    assert (second.attributes, second.count) == ({"pool": "analyses"}, 0)


def test_a_server_without_the_extra_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.delitem(sys.modules, "taflhall_service.observability.otel", raising=False)
    with pytest.raises(BadAddress, match=r"--otel needs the extra taflhall\[otel\]"):
        asyncio.run(serve_process(read_settings(["--store", "memory:", "--otel"], {}), False))
