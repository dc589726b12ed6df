"""``python -m taflhall_service.operate.health HOST:PORT [ready|live]``: status 0 if it is.

For container runtimes that cannot ask over gRPC; it imports as little as possible.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS: Final = 3.0


def serving(address: str, service: str) -> bool:
    """Return whether the server at *address* reports *service* as serving."""
    with grpc.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        request = health_pb2.HealthCheckRequest(service=service)
        try:
            answer = stub.Check(request, timeout=SECONDS, wait_for_ready=True)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    sys.exit(not serving(sys.argv[1], "".join(sys.argv[2:3]) or "ready"))
