"""Prometheus asks the servers of the deployment, and understands every rule and every panel."""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from typing import Any

from tests.deploy.composed import DEPLOY, Composed
from tests.deploy.tools import needs_prometheus, needs_redis, needs_tools
from tests.deploy.traffic import Traffic
from tests.waiting import until

pytestmark = [needs_tools, needs_redis, needs_prometheus]


async def test_prometheus_asks_both_servers_and_answers_every_panel(deployment: Composed):
    address = deployment.start_prometheus()
    async with deployment.client() as client:
        traffic = Traffic(client, people=1)
        await traffic.wait_for_commands()
        await until(lambda: all_up(address))
        await traffic.end()

    rules = [rule for group in ask(address, "rules")["groups"] for rule in group["rules"]]
    assert rules
    assert not [rule for rule in rules if rule.get("lastError")]

    for expression in panels():
        assert "result" in ask(address, "query", query=expression)
    commands = ask(address, "query", query="sum(taflhall_commands_total)")["result"]
    assert float(commands[0]["value"][1]) > 0


def all_up(address: str) -> bool:
    """Return whether both servers were asked, by a Prometheus that may still be starting."""
    try:
        targets = ask(address, "targets")["activeTargets"]
    except OSError:
        return False
    return [target["health"] for target in targets] == ["up", "up"]


def ask(address: str, what: str, **query: str) -> dict[str, Any]:
    url = f"http://{address}/api/v1/{what}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(url, timeout=10) as answer:
        found = json.load(answer)
    assert found["status"] == "success", found
    data: dict[str, Any] = found["data"]
    return data


def panels() -> list[str]:
    """Return the queries of the dashboard, with what Grafana would put in."""
    board = json.loads((DEPLOY / "observe" / "dashboard.json").read_text("utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    assert queries
    given = {"$job": ".*", "$__rate_interval": "1m", "$__range": "3h"}
    for name, value in given.items():
        queries = [query.replace(name, value) for query in queries]
    return queries
