"""``python -m taflhall_service.operate.health HOST:PORT [ready|live]``: status 0 if it serves.

For container runtimes that cannot ask over gRPC; it imports as little as possible. If the
environment's settings say that the server speaks TLS, it must show the certificate that they name,
which has to be for HOST; if it wants certificates of clients, it is shown the same one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS: Final = 3.0


def serving(address: str, service: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the server at *address* reports *service* as serving."""
    with _channel(address, environment) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest(service=service)
        try:
            answer = stub.Check(request, timeout=SECONDS, wait_for_ready=True)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _channel(address: str, environment: Mapping[str, str]) -> grpc.Channel:
    if not (cert := environment.get("TAFLHALL_TLS_CERT")):
        return grpc.insecure_channel(address)
    chain, key = Path(cert).read_bytes(), None
    if environment.get("TAFLHALL_TLS_CLIENT_CA"):
        key = Path(environment["TAFLHALL_TLS_KEY"]).read_bytes()
    credentials = grpc.ssl_channel_credentials(chain, key, chain if key else None)
    return grpc.secure_channel(address, credentials)


if __name__ == "__main__":
    sys.exit(not serving(sys.argv[1], "".join(sys.argv[2:3]) or "ready"))
