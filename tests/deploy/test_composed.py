"""The services of ``deploy/compose.yaml`` lose no command, and serve only whom they should."""

from __future__ import annotations

import signal
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from taflhall.v1 import catalog_service_pb2 as pb
from taflhall.v1.catalog_service_pb2_grpc import CatalogServiceStub
from taflhall_client import errors
from taflhall_client.async_client import TLS, Client
from taflhall_client.ports import HOST
from taflhall_service.rpc.tls import Tls
from tests.deploy.composed import Composed
from tests.deploy.tools import needs_redis, needs_tools
from tests.deploy.traffic import Traffic
from tests.waiting import until

pytestmark = [needs_tools, needs_redis]


async def test_no_acknowledged_command_is_lost_and_every_watcher_resumes(deployment: Composed):
    """Certificates are renewed, one server is killed, the other one drains."""
    first, second = deployment.servers
    async with deployment.client() as client:
        traffic = Traffic(client, people=3)
        await traffic.wait_for_commands()

        deployment.renew_files()
        with operator_of(deployment) as operator:
            file = deployment.secrets / "redis" / "redis.pem"
            operator.config_set("tls-cert-file", str(file))
        await traffic.wait_for_commands()

        first.end(signal.SIGKILL)
        await until(lambda: deployment.envoy.healthy() == {second.port})
        await traffic.wait_for_commands()
        first.start()
        await until(deployment.ready)
        await traffic.wait_for_commands()

        assert second.end(signal.SIGTERM) == 0
        await until(lambda: deployment.envoy.healthy() == {first.port})
        await traffic.wait_for_commands()
        second.start()
        await until(deployment.ready)
        await traffic.wait_for_commands()
        await traffic.end()
    assert traffic.played
    for played in traffic.played:
        played.judge()


async def test_renewed_certificates_are_used_without_a_restart(deployment: Composed):
    secrets, server = deployment.secrets, deployment.servers[0]
    old = {serial(secrets / "envoy" / f"{name}.pem") for name in ("public", "envoy")}
    assert deployment.envoy.serials() >= old
    deployment.renew_files()
    new = {serial(secrets / "envoy" / f"{name}.pem") for name in ("public", "envoy")}
    await until(lambda: deployment.envoy.serials() >= new)
    assert not deployment.envoy.serials() & old
    for port, file in ((deployment.envoy.port, "envoy/public"), (server.port, "server/server")):
        shown = ssl.get_server_certificate((HOST, port))
        assert shown in (secrets / f"{file}.pem").read_text("ascii")
    async with deployment.client() as client:
        assert len(await client.games()) == 3


async def test_a_server_serves_envoy_alone(deployment: Composed):
    secrets, address = deployment.secrets, deployment.servers[0].address
    assert await games(address, identity(secrets, "envoy/envoy")) == 3
    strangers = (None, TLS(secrets / "ca.pem"), identity(secrets, "redis/redis"))
    for tls in strangers:
        with pytest.raises(errors.TaflhallError):
            await games(address, tls)


async def test_the_store_serves_its_users_over_tls_alone(deployment: Composed):
    url = deployment.store_of("server.env")
    servers = redis.Redis.from_url(url)
    assert servers.get("taflhall:key")
    for forbidden in (("FLUSHALL",), ("CONFIG", "SET", "appendfsync", "no"), ("GET", "other")):
        with pytest.raises(redis.exceptions.NoPermissionError):
            servers.execute_command(*forbidden)
    name_and_password, _, place = url.removeprefix("rediss://").rpartition("@")
    nobody = redis.Redis.from_url(f"rediss://{place}")
    assert nobody.ping()
    with pytest.raises(redis.exceptions.NoPermissionError):
        nobody.get("taflhall:key")
    place = place.partition("?")[0]
    in_the_clear = f"redis://{name_and_password}@{place}"
    without_the_authority = f"rediss://{name_and_password}@{place}"
    for refused in (in_the_clear, without_the_authority):
        with pytest.raises(redis.exceptions.ConnectionError):
            redis.Redis.from_url(refused).ping()


async def test_a_server_that_only_fails_gets_no_more_calls(deployment: Composed):
    """It says that it is well, so only its answers give it away."""
    first, second = deployment.servers
    first.end(signal.SIGKILL)
    await until(lambda: deployment.envoy.healthy() == {second.port})
    credentials = grpc.ssl_channel_credentials((deployment.secrets / "ca.pem").read_bytes())
    async with (
        failing(first.port, deployment.secrets / "server"),
        grpc.aio.secure_channel(f"{HOST}:{deployment.envoy.port}", credentials) as channel,
    ):
        stub: Any = CatalogServiceStub(channel)
        await until(lambda: deployment.envoy.healthy() == {first.port, second.port})

        async def ejected() -> bool:
            await status(stub)
            return deployment.envoy.ejected() == {first.port}

        await until(ejected)
        assert {await status(stub) for _ in range(10)} <= {OK, grpc.StatusCode.RESOURCE_EXHAUSTED}


OK = grpc.StatusCode.OK


async def status(stub: Any) -> grpc.StatusCode:
    """Return the status of a call that nobody repeats."""
    try:
        await stub.ListGames(pb.ListGamesRequest(), timeout=20)
    except grpc.aio.AioRpcError as error:
        return error.code()
    return OK


@asynccontextmanager
async def failing(port: int, secrets: Path) -> AsyncIterator[None]:
    """Serve at *port* with a good health and nothing but failures."""

    class Health(health_pb2_grpc.HealthServicer):
        async def Check(self, request, context):
            return health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING)

    class Failures(grpc.GenericRpcHandler):
        def service(self, details):
            return grpc.unary_unary_rpc_method_handler(self._fail)

        async def _fail(self, request, context):
            await context.abort(grpc.StatusCode.UNAVAILABLE)

    server = grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(Health(), server)
    server.add_generic_rpc_handlers((Failures(),))
    own = secrets / "server.pem"
    server.add_secure_port(f"{HOST}:{port}", Tls(own, own, secrets / "ca.pem").credentials())
    await server.start()
    try:
        yield
    finally:
        await server.stop(None)


async def games(address: str, tls: TLS | None) -> int:
    async with Client(address, deadline=10.0, tls=tls) as client:
        return len(await client.games())


def identity(secrets: Path, name: str) -> TLS:
    file = secrets / f"{name}.pem"
    return TLS(secrets / "ca.pem", file, file)


def operator_of(deployment: Composed) -> Any:
    return redis.Redis.from_url(deployment.store_of("operator.url"))


def serial(file: Path) -> int:
    """Return the serial number of a certificate."""
    ask = ["openssl", "x509", "-noout", "-serial", "-in", str(file)]
    said = subprocess.run(ask, check=True, capture_output=True, text=True).stdout
    return int(said.strip().partition("=")[2], 16)
