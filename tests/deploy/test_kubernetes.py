"""A real API server of Kubernetes accepts every overlay, applied as deploy/README.md says.

It checks, completes and stores what is applied. No controller and no kubelet runs: nothing starts.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from taflhall_client.ports import HOST, free_port
from taflhall_service.store.exec_with_parent import spawn
from tests.deploy.composed import DEPLOY
from tests.deploy.tools import APISERVER, needs_apiserver, needs_tools, tool
from tests.waiting import wait_until

TOKEN = "of-a-test"
RESTRICTED = "pod-security.kubernetes.io/warn=restricted"
"""Has the API server warn of pods that may do more than the strictest of its standards allows."""

pytestmark = [needs_tools, needs_apiserver]


class Kubernetes:
    """An API server over an etcd, and kubectl."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: list[subprocess.Popen[bytes]] = []
        store, peers, port = (free_port() for _ in range(3))
        self._server = f"https://{HOST}:{port}"
        etcd = f"http://{HOST}:{store}"
        self._start(
            str(shutil.which("etcd")),
            f"--data-dir={folder / 'etcd'}",
            f"--listen-client-urls={etcd}",
            f"--advertise-client-urls={etcd}",
            f"--listen-peer-urls=http://{HOST}:{peers}",
        )
        key, tokens = folder / "accounts.pem", folder / "tokens.csv"
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        tokens.write_text(f"{TOKEN},admin,1,system:masters\n", "ascii")
        self._start(
            str(Path(APISERVER).absolute()),
            f"--etcd-servers={etcd}",
            f"--bind-address={HOST}",
            f"--secure-port={port}",
            f"--cert-dir={folder / 'certificates'}",
            f"--token-auth-file={tokens}",
            "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}",
        )

    def ready(self) -> bool:
        return self.run("get", "--raw=/readyz").returncode == 0

    def kubectl(self, *arguments: str) -> str:
        """Run kubectl, which must succeed without a warning, and return what it prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
        return done.stdout

    def close(self) -> None:
        for child in reversed(self._children):
            child.kill()
            child.wait()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run kubectl."""
        reach = [f"--server={self._server}", "--insecure-skip-tls-verify", f"--token={TOKEN}"]
        command = [tool("kubectl"), *reach, f"--cache-dir={self._folder / 'cache'}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _start(self, *command: str) -> None:
        with (self._folder / "log").open("ab") as log:
            self._children.append(spawn(command, stdout=log, stderr=log))


@pytest.fixture
def kubernetes(tmp_path: Path) -> Iterator[Kubernetes]:
    started = Kubernetes(tmp_path)
    try:
        wait_until(started.ready)
        started.kubectl("create", "namespace", "taflhall")
        started.kubectl("label", "namespace", "taflhall", RESTRICTED)
        yield started
    finally:
        started.close()


ALWAYS = {"ConfigMap", "Deployment", "Service", "PodDisruptionBudget", "PersistentVolumeClaim"}
SCALED = {"HorizontalPodAutoscaler", "NetworkPolicy"}


@pytest.mark.parametrize(
    ("overlay", "kinds"),
    [
        ("single", ALWAYS | {"Secret"}),
        ("sentinel", ALWAYS | SCALED),
        ("cluster", ALWAYS | SCALED),
    ],
)
def test_an_overlay_is_accepted_and_applying_it_again_changes_nothing(
    kubernetes: Kubernetes, overlay: str, kinds: set[str]
):
    apply = ["apply", "--validate=strict", "-k", str(DEPLOY / "k8s" / "overlays" / overlay)]
    created = kubernetes.kubectl(*apply).splitlines()
    assert [line for line in created if not line.endswith(" created")] == []
    names = [line.split()[0] for line in created]
    get = ["get", "-n", "taflhall", "-o", "json", *names]
    stored = json.loads(kubernetes.kubectl(*get))["items"]
    again = kubernetes.kubectl(*apply).splitlines()
    sent = [line for line in again if not line.endswith(" unchanged")]
    # kubectl sends the selector of a budget each time, since its merge is to replace it.
    assert sent == ["poddisruptionbudget.policy/taflhall configured"]
    assert versions(json.loads(kubernetes.kubectl(*get))["items"]) == versions(stored)
    specs = {item["kind"]: item.get("spec") for item in stored}
    assert set(specs) == kinds
    assert specs["PodDisruptionBudget"]["selector"] == specs["Deployment"]["selector"]
    (container,) = specs["Deployment"]["template"]["spec"]["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"]


def versions(items: list[Any]) -> dict[tuple[str, str], str]:
    """Return what changes when an object does, by kind and name."""
    described = [(item["kind"], item["metadata"]) for item in items]
    return {(kind, about["name"]): about["resourceVersion"] for kind, about in described}


def test_a_pod_that_may_do_more_is_warned_of(kubernetes: Kubernetes, tmp_path: Path):
    """So the silence about the overlays says something."""
    loose = tmp_path / "deployment.yaml"
    rendered = kubernetes.kubectl("kustomize", str(DEPLOY / "k8s" / "overlays" / "sentinel"))
    loose.write_text(rendered.replace("runAsNonRoot: true", "runAsNonRoot: false"), "utf-8")
    warned = kubernetes.run("apply", "--validate=strict", "-f", str(loose))
    assert warned.returncode == 0
    assert 'would violate PodSecurity "restricted' in warned.stderr


def test_a_field_that_does_not_exist_is_refused(kubernetes: Kubernetes, tmp_path: Path):
    wrong = tmp_path / "budget.yaml"
    text = (DEPLOY / "k8s" / "base" / "pdb.yaml").read_text("utf-8")
    wrong.write_text(text.replace("maxUnavailable", "mostUnavailable"), "utf-8")
    refused = kubernetes.run("apply", "--validate=strict", "-n", "taflhall", "-f", str(wrong))
    assert refused.returncode
    assert 'unknown field "spec.mostUnavailable"' in refused.stderr
