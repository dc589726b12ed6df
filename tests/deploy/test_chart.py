"""The Helm chart gives the objects that the overlays give."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.composed import DEPLOY
from tests.deploy.tools import needs_tools, tool

DEV = "taflhall:dev"
DIGEST = "taflhall.org/settings"
"""The annotation that changes with the settings."""

pytestmark = needs_tools


@pytest.mark.parametrize(
    ("overlay", "values"),
    [
        ("single", {**yaml.safe_load((DEPLOY / "helm/single.yaml").read_text()), "image": DEV}),
        ("sentinel", {}),
        ("cluster", {}),
    ],
)
def test_the_chart_gives_the_objects_of_an_overlay(
    tmp_path: Path, overlay: str, values: dict[str, Any]
):
    expected = run("kubectl", "kustomize", str(DEPLOY / "k8s" / "overlays" / overlay))
    # The name of a generated object ends with a digest of its content, by which pods are replaced.
    expected = re.sub(
        r"\b(taflhall|taflhall-store)-[a-z0-9]{10}$", r"\1", expected, flags=re.MULTILINE
    )
    objects = by_name(rendered(tmp_path, values))
    pods = objects["Deployment", "taflhall"]["spec"]["template"]
    assert pods["metadata"]["annotations"].pop(DIGEST)
    assert objects == by_name(expected)


def test_other_settings_replace_the_pods(tmp_path: Path):
    digests = set()
    for values in ({}, {"settings": {"TAFLHALL_GRACE": "4"}}, {"store": "redis://elsewhere"}):
        pods = by_name(rendered(tmp_path, values))["Deployment", "taflhall"]["spec"]["template"]
        digests.add(pods["metadata"]["annotations"][DIGEST])
    assert len(digests) == 3


def test_a_store_that_is_named_becomes_a_secret(tmp_path: Path):
    assert ("Secret", "taflhall-store") not in by_name(rendered(tmp_path, {}))
    objects = by_name(rendered(tmp_path, {"store": "redis+cluster://one:6379"}))
    assert objects["Secret", "taflhall-store"]["data"]
    assert ("HorizontalPodAutoscaler", "taflhall") in objects


@pytest.mark.parametrize("archive", ["s3://bucket/prefix", None])
def test_an_archive_that_is_no_folder_gets_no_volume(tmp_path: Path, archive: str | None):
    objects = by_name(rendered(tmp_path, {"settings": {"TAFLHALL_ARCHIVE": archive}}))
    assert ("PersistentVolumeClaim", "taflhall-archive") not in objects
    pod = objects["Deployment", "taflhall"]["spec"]["template"]["spec"]
    mounted = [mount["name"] for mount in pod["containers"][0]["volumeMounts"]]
    assert mounted == [volume["name"] for volume in pod["volumes"]] == ["tmp"]
    settings = objects["ConfigMap", "taflhall"]["data"]
    assert settings.get("TAFLHALL_ARCHIVE") == archive


def test_settings_are_text_however_they_are_given(tmp_path: Path):
    given = {"TAFLHALL_PRUNE_ABOVE": 1_000_000, "TAFLHALL_PUBLIC": True, "TAFLHALL_OTEL": None}
    settings = by_name(rendered(tmp_path, {"settings": given}))["ConfigMap", "taflhall"]["data"]
    assert settings["TAFLHALL_PRUNE_ABOVE"] == "1000000"
    assert settings["TAFLHALL_PUBLIC"] == "true"
    assert "TAFLHALL_OTEL" not in settings


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({}, 35),
        ({"TAFLHALL_GRACE": "30"}, 110),
        ({"TAFLHALL_GRACE": 20.5, "TAFLHALL_DRAIN_DELAY": "2"}, 84),
        ({"TAFLHALL_GRACE": None}, 35),
    ],
)
def test_a_pod_has_the_time_that_a_drain_may_take(
    tmp_path: Path, settings: dict[str, Any], seconds: int
):
    objects = by_name(rendered(tmp_path, {"settings": settings}))
    pod = objects["Deployment", "taflhall"]["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] == seconds


@pytest.mark.parametrize(
    "values",
    [
        {"setings": {}},
        {"image": {"repository": "taflhall"}},
        {"store": "memory:"},
        {"store": "embedded:data"},
        {"settings": None},
        {"settings": {"TAFLHALL_GRACE": ["5"]}},
        {"replicas": {"min": 0}},
        {"replicas": {"minimum": 3}},
        {"replicas": {"min": None}},
        {"volumes": {"size": None}},
    ],
    ids=str,
)
def test_values_that_make_no_deployment_are_refused(tmp_path: Path, values: dict[str, Any]):
    assert "Traceback" not in refusal(tmp_path, values)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"store": "embedded:/data"}, "TAFLHALL_DURABILITY is disk"),
        ({"settings": {"TAFLHALL_ARCHIVE": "archive"}}, "a folder from / on"),
        ({"settings": {"TAFLHALL_ARCHIVE": "./archive"}}, "a folder from / on"),
        ({"settings": {"TAFLHALL_ARCHIVE": "ftp://archive"}}, "a folder from / on"),
        ({"replicas": {"min": 5, "max": 4}}, "replicas.min is 5"),
        ({"replicas": {"min": 41}}, "replicas.min is 41"),
    ],
    ids=str,
)
def test_values_that_contradict_each_other_are_refused_with_the_reason(
    tmp_path: Path, values: dict[str, Any], why: str
):
    assert why in refusal(tmp_path, values)


@pytest.mark.parametrize(
    "values",
    [
        {"store": "embedded:/data", "settings": {"TAFLHALL_DURABILITY": None}},
        {"store": "embedded:/data", "settings": {"TAFLHALL_DURABILITY": "periodic"}},
        {"replicas": {"min": 4, "max": 4}},
        {"settings": {"TAFLHALL_ARCHIVE": ""}},
        {"settings": {"TAFLHALL_ARCHIVE": "abfss://container/path"}},
    ],
    ids=str,
)
def test_values_at_the_edge_of_these_rules_are_taken(tmp_path: Path, values: dict[str, Any]):
    assert by_name(rendered(tmp_path, values))


def refusal(folder: Path, values: dict[str, Any]) -> str:
    """Return why *values* are refused."""
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(values), "utf-8")
    command = [tool("python"), str(DEPLOY / "render-chart.py"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def rendered(folder: Path, values: dict[str, Any]) -> str:
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(values), "utf-8")
    return run("python", str(DEPLOY / "render-chart.py"), str(file))


def run(program: str, *arguments: str) -> str:
    done = subprocess.run([tool(program), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_name(text: str) -> dict[tuple[str, str], Any]:
    objects = [one for one in yaml.safe_load_all(text) if one]
    return {(one["kind"], one["metadata"]["name"]): one for one in objects}
