"""What ``promtool`` says of the rules, the dashboard, the pages and the metrics of a server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from taflhall_client.ports import free_port
from tests.service.processes import Process

ROOT = Path(__file__).resolve().parents[2]
OBSERVE = ROOT / "deploy" / "observe"
DASHBOARD = json.loads((OBSERVE / "dashboard.json").read_text("utf-8"))
PLACES = {"$job": ".*", "$__rate_interval": "5m", "$__range": "3h", "${source}": ""}
"""What Grafana fills in."""

pytestmark = pytest.mark.skipif(
    shutil.which("promtool") is None and os.environ.get("CI") != "true",
    reason="there is no promtool (Debian's package prometheus has it)",
)


def promtool(*arguments: str | Path, given: bytes = b"") -> str:
    """Return what promtool prints; it must be content."""
    command = ["promtool", *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=300)
    output = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, output
    return output


def filled(expression: str) -> str:
    for place, value in PLACES.items():
        expression = expression.replace(place, value)
    return expression


def expressions() -> list[str]:
    """Return every expression of the dashboard, the adapter and the pages."""
    found = [filled(t["expr"]) for panel in DASHBOARD["panels"] for t in panel["targets"]]
    adapter = (OBSERVE / "adapter.yaml").read_text("utf-8")
    for series, query in re.findall(
        r"seriesQuery: (\w+)\{.*?metricsQuery: >-\n\s+(.*?)\n", adapter, re.DOTALL
    ):
        selected = query.replace("<<.Series>>", series).replace("<<.LabelMatchers>>", 'pod=~".+"')
        found.append(selected.replace("<<.GroupBy>>", "pod"))
    for page in sorted((ROOT / "docs").glob("*.md")):
        found += re.findall(r"```promql\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    return found


def test_the_rules_are_valid():
    output = promtool("check", "rules", "--lint-fatal", OBSERVE / "alerts.yaml")
    assert re.search(r"SUCCESS: \d+ rules found", output)


def test_the_alerts_fire_when_the_objectives_are_missed_and_not_before(tmp_path):
    for file in (OBSERVE / "alerts.yaml", ROOT / "tests" / "operate" / "alerts_test.yaml"):
        shutil.copy(file, tmp_path)
    promtool("test", "rules", tmp_path / "alerts_test.yaml")


def test_every_expression_is_promql(tmp_path):
    found = expressions()
    assert len(found) > len(DASHBOARD["panels"]) + 4
    rules = [{"record": f"expression:{n}", "expr": text} for n, text in enumerate(found)]
    file = tmp_path / "expressions.yaml"
    file.write_text(json.dumps({"groups": [{"name": "expressions", "rules": rules}]}), "utf-8")
    assert f"SUCCESS: {len(found)} rules found" in promtool("check", "rules", file)


def test_an_expression_that_is_none_is_noticed(tmp_path):
    file = tmp_path / "wrong.yaml"
    rules = [{"record": "expression:0", "expr": "sum(rate(taflhall_commands_total[5m])"}]
    file.write_text(json.dumps({"groups": [{"name": "wrong", "rules": rules}]}), "utf-8")
    with pytest.raises(AssertionError, match="could not parse expression"):
        promtool("check", "rules", file)


def test_the_metrics_of_a_server_keep_the_conventions(processes: list[Process]):
    port = free_port()
    processes.append(Process("--store", "memory:", "--metrics", str(port)))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        promtool("check", "metrics", given=answer.read())
