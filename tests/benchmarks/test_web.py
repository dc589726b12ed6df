"""The benchmark of the web port runs against the current port."""

from __future__ import annotations

import uvloop

from tests.benchmarks import web


def test_every_protocol_is_measured():
    found = uvloop.run(web.costs(1, 16))
    assert set(found) == {"gRPC", "Connect, binary", "gRPC-Web", "Connect, JSON"}
