"""The benchmark of the service runs against the current service."""

from __future__ import annotations

import uvloop

from tests.benchmarks import service


def test_every_kind_of_call_is_measured(monkeypatch):
    for name, few in (("PARALLEL", 2), ("WATCHERS", 2), ("IDLE", 2), ("TURNS", 1)):
        monkeypatch.setattr(service, name, few)
    found = uvloop.run(service.rates(1, 0.2))
    kinds = ("echo + script", "SubmitAnswers", "Play")
    assert set(found["rates"]) == {f"{kind}, {n}" for kind in kinds for n in (2, 1)}
    assert all(rate["per_second"] > 0 for rate in found["rates"].values())
    assert uvloop.run(service.watchers())["command_us"] > 0
