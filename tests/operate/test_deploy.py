"""What is in deploy/ speaks of settings, services and metrics that exist.

Its form is checked by ``make deploy-check``, with tools that these tests do without.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
import yaml

from taflhall.v1 import match_service_pb2
from taflhall_client.ports import free_port
from taflhall_service.observability.metrics import FAILURES, Meter
from taflhall_service.operate.health import serving
from taflhall_service.rpc.server import LIVE, READY
from taflhall_service.settings import read_settings
from tests.operate.test_metrics import LABELS, LAG, samples
from tests.service.local_server import LocalServer
from tests.service.processes import Process
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
DOCS = ROOT / "docs"
FILES = sorted(p for p in DEPLOY.rglob("*") if p.is_file() and p.suffix in (".yaml", ""))


def test_every_metric_that_is_asked_for_is_exported_and_every_one_is_explained(
    processes: list[Process],
):
    known = exported(processes)
    made = set(re.findall(r"name: \{as: (\w+)\}", text_of("observe/adapter.yaml")))
    recorded = set(re.findall(r"record: (\S+)", text_of("observe/alerts.yaml")))
    for file in sorted((DEPLOY / "observe").iterdir()):
        text = file.read_text("utf-8")
        asked = set(re.findall(r"\b((?:taflhall|process)_[a-z0-9_]+)\{?", text)) - made
        assert asked, file
        assert asked <= known, f"{file.name}: {sorted(asked - known)}"
        assert set(re.findall(r"\bjob:\w+:\w+", text)) <= recorded, file.name
    guide = (ROOT / "docs" / "operating.md").read_text("utf-8")
    explained = set(re.findall(r"`(taflhall_[a-z_]+)[`{]", guide))
    suffix = re.compile("_(bucket|count|sum)$")
    names = {suffix.sub("", name) for name in known if name.startswith("taflhall_")}
    assert explained == names


def exported(processes: list[Process]) -> set[str]:
    """Return the names of all samples that a server can have."""
    port = free_port()
    processes.append(Process("--store", "memory:", "--web", "127.0.0.1:0", "--metrics", str(port)))

    text = ""

    def is_complete() -> bool:
        """Return whether the jobs run, which begin last."""
        nonlocal text
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
            text = answer.read().decode()
        return re.search(rf"\n{LAG} [1-9]", text) is not None

    wait_until(is_complete)
    families = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE)
    histogram = ["_bucket", "_count", "_sum"]
    return {
        name + suffix
        for name, kind in families
        for suffix in (histogram if kind == "histogram" else [""])
    }


def test_rules_and_dashboard_ask_for_labels_that_there_are():
    """A label with a wrong value selects nothing, and nobody notices."""
    services = (match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],)
    methods = {method.name for service in services for method in service.methods}
    closed = {**LABELS, "method": methods.__contains__}
    for name in ("observe/alerts.yaml", "observe/dashboard.json"):
        text = text_of(name).replace('\\"', '"')
        found = re.findall(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"', text)
        matchers = [pair for pair in found if pair[0] != "job"]
        assert matchers
        for label, value in matchers:
            assert all(map(closed[label], value.split("|"))), f"{name}: {label}={value}"


def test_the_failures_of_the_objective_are_exported_before_they_occur():
    asked = re.findall(r'outcome=~"([A-Z_|]+)"', text_of("observe/alerts.yaml"))
    assert asked
    assert {tuple(value.split("|")) for value in asked} == {FAILURES}
    meter = Meter()
    meter.method("SubmitAnswers", lambda outcome: None)
    found = samples(meter)
    for outcome in FAILURES:
        name = f'taflhall_rpc_requests_total{{method="SubmitAnswers",outcome="{outcome}"}}'
        assert found[name] == 0


def test_the_autoscaler_asks_for_a_metric_that_the_adapter_makes():
    (made,) = re.findall(r"name: \{as: (\w+)\}", text_of("observe/adapter.yaml"))
    assert f"metric: {{name: {made}}}" in text_of("k8s/components/scaled/hpa.yaml")


def test_every_setting_that_is_given_exists(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        read_settings(["--help"])
    output = capsys.readouterr().out
    known = set(re.findall(r"TAFLHALL_[A-Z_]+", output)) | {"TAFLHALL_PUBLIC", "TAFLHALL_MYPYC"}
    given = {name for file in FILES for name in re.findall(r"TAFLHALL_[A-Z_]+", file.read_text())}
    assert "TAFLHALL_STORE" in given
    assert given <= known, sorted(given - known)


def test_probes_ask_for_services_that_health_knows():
    asked = re.findall(r"service: (\w+)\}", text_of("k8s/base/deployment.yaml"))
    asked += re.findall(r"grpc_health_check: \{service_name: (\w+)\}", text_of("envoy/envoy.yaml"))
    assert sorted(asked) == [LIVE, LIVE, READY, READY]


def test_the_disruption_budget_protects_the_pods():
    """Kustomize gives a budget no selector, and one without protects none."""
    (labels,) = yaml.safe_load(text_of("k8s/base/kustomization.yaml"))["labels"]
    assert labels["includeSelectors"]
    budget = yaml.safe_load(text_of("k8s/base/pdb.yaml"))["spec"]
    assert budget["selector"] == {"matchLabels": labels["pairs"]}


def test_stopping_a_server_waits_until_it_has_drained():
    """The server ends itself after pause + 3 x grace + 1 seconds at the latest."""
    pod = text_of("k8s/base/deployment.yaml")
    before = number(r'command: \[sleep, "(\d+)"\]', pod)
    grace = number(r"TAFLHALL_GRACE=(\d+)", text_of("k8s/base/kustomization.yaml"))
    assert number(r"terminationGracePeriodSeconds: (\d+)", pod) >= before + 3 * grace + 1 + 5
    compose = text_of("compose.yaml")
    delay = number(r'TAFLHALL_DRAIN_DELAY: "(\d+)"', compose)
    grace = number(r'TAFLHALL_GRACE: "(\d+)"', compose)
    waits = re.findall(r"stop_grace_period: (\d+)s", compose)
    assert all(int(wait) >= delay + 3 * grace + 1 + 5 for wait in waits)


def test_every_alert_names_a_runbook_that_is_there():
    alerts = text_of("observe/alerts.yaml")
    runbooks = re.findall(r"runbook: (\S+)#(\S+)", alerts)
    assert len(runbooks) == alerts.count("- alert:")
    for page, anchor in runbooks:
        titles = re.findall(r"^#+ (.+)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
        assert anchor in {
            re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles
        }, f"{page}#{anchor}"


def test_the_dashboard_has_a_place_for_each_panel():
    board = json.loads(text_of("observe/dashboard.json"))
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in board["panels"]]
    assert len(set(places)) == len(places) == len({p["id"] for p in board["panels"]})


def test_what_compose_mounts_is_there_and_grafana_reads_what_is_mounted():
    mounts = re.findall(r"[\"-] ?(\./[\w./-]+):(/[\w./-]+):ro", text_of("compose.yaml"))
    assert mounts
    for source, _ in mounts:
        assert (DEPLOY / source).exists(), source
    (boards,) = re.findall(r"path: ([\w/]+)\}", text_of("grafana/dashboards.yaml"))
    assert ("./observe/dashboard.json", f"{boards}/taflhall.json") in mounts
    rules = re.findall(r"rule_files: \[(.+)\]", text_of("prometheus.yaml"))[0].split(", ")
    assert set(rules) <= {target for _, target in mounts}


def test_every_command_that_the_guides_name_exists():
    from taflhall_service.operate.command import TOOLS

    for guide in (DEPLOY / "README.md", DOCS / "operating.md", DOCS / "runbooks.md"):
        text = guide.read_text("utf-8")
        tools = re.findall(r"taflhall-server ([a-z][a-z-]+)", text)
        assert tools
        assert set(tools) <= set(TOOLS), guide
        for target in re.findall(r"`?make ([a-z-]+)", text):
            assert f"\n{target}:" in (ROOT / "Makefile").read_text(), target
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (guide.parent / link).exists(), f"{guide.name}: {link}"


def test_the_image_is_built_with_everything_that_the_wheel_takes():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], wheel["hooks"]["custom"]["path"]}
    needed |= {project["project"]["readme"], *project["project"]["license-files"]}
    lines = re.findall(r"^COPY (?!--)(.+) \S+$", text_of("Dockerfile"), re.MULTILINE)
    copied = {source for line in lines for source in line.split()}
    sent = set(re.findall(r"^!(\S+)$", text_of("Dockerfile.dockerignore"), re.MULTILINE))
    for path in needed:
        for taken in (copied, sent):
            parents = [path, *map(str, Path(path).parents)]
            assert taken.intersection(parents), path


def test_a_target_that_lacks_programs_says_what_to_install(tmp_path: Path):
    asked = re.findall(r"\$\(NEEDS\) \$@ (.+)", (ROOT / "Makefile").read_text("utf-8"))
    programs = {program for line in asked for program in line.split()}
    assert programs >= {"redis-server", "prometheus", "buildah", "crun", "debootstrap", "etcd"}
    names = {"etcd": "etcd-server", "node": "nodejs", "unshare": "util-linux", "go": "Go"}
    status, said = lacking(tmp_path, programs)
    assert status == 1
    assert set(re.findall(r"[\w-]+", said)) >= {names.get(each, each) for each in programs}
    (tmp_path / "etcd").write_text("", "ascii")
    (tmp_path / "etcd").chmod(0o755)
    assert "etcd" not in lacking(tmp_path, programs)[1]
    assert lacking(tmp_path, {"etcd"}) == (0, "")


def lacking(path: Path, programs: set[str]) -> tuple[int, str]:
    """Return what ``needs.sh`` ends with and says where only *path* is searched."""
    command = [str(shutil.which("sh")), str(DEPLOY / "needs.sh"), "image-try", *sorted(programs)]
    ended = subprocess.run(
        command, env={"PATH": str(path)}, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stderr


def test_the_lock_of_the_checks_has_hashes_and_no_addresses():
    text = text_of("requirements-check.lock")
    assert "://" not in text
    pins = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert pins
    assert all("==" in pin and pin.endswith("\\") for pin in pins)


async def test_a_container_can_ask_for_its_health(server: LocalServer):
    address = f"127.0.0.1:{server.port}"
    answers = [await asyncio.to_thread(serving, address, name) for name in ("ready", "live", "no")]
    assert answers == [True, True, False]
    ask = [sys.executable, "-m", "taflhall_service.operate.health", address]
    assert await (await asyncio.create_subprocess_exec(*ask)).wait() == 0
    await server.rpc.drain(0, 0)
    assert not await asyncio.to_thread(serving, address, "ready")


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def number(pattern: str, text: str) -> int:
    (found,) = re.findall(pattern, text)
    return int(found)
