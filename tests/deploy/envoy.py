"""Envoy with the configuration of ``deploy/envoy``, at addresses of this machine."""

from __future__ import annotations

import contextlib
import json
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from taflhall_client.ports import HOST, free_port
from taflhall_service.store.exec_with_parent import spawn
from tests.deploy.tools import tool
from tests.waiting import wait_until

CONFIG: Final = Path(__file__).parents[2] / "deploy" / "envoy" / "envoy.yaml"


class Envoy:
    """A running Envoy in front of the servers at *ports*; *config* is its configuration."""

    def __init__(self, folder: Path, config: dict[str, Any], ports: Sequence[int]) -> None:
        self.port: Final = free_port()
        self._admin: Final = free_port()
        listener, cluster = listener_of(config), cluster_of(config)
        config["admin"]["address"]["socket_address"]["port_value"] = self._admin
        listener["address"]["socket_address"] = _place(self.port)
        (group,) = cluster["load_assignment"]["endpoints"]
        group["lb_endpoints"] = [
            {"endpoint": {"address": {"socket_address": _place(port)}}} for port in ports
        ]
        file = folder / "envoy.json"
        file.write_text(json.dumps(config), "utf-8")
        flags = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
        with (folder / "envoy.log").open("wb") as log:
            self.child: subprocess.Popen[bytes] = spawn(
                [tool("envoy"), "-c", str(file), *flags], stdout=log, stderr=log
            )

    def stop(self) -> None:
        self.child.terminate()
        self.child.wait()

    def healthy(self) -> set[int]:
        """Return the ports of the servers to which calls are sent."""
        return {port for port, health in self._health() if not health}

    def ejected(self) -> set[int]:
        """Return the ports of the servers that were ejected for their answers."""
        return {port for port, health in self._health() if "failed_outlier_check" in health}

    def serials(self) -> set[int]:
        """Return the serial numbers of the certificates that it shows."""
        shown = self._ask("certs")["certificates"]
        return {int(chain["serial_number"], 16) for one in shown for chain in one["cert_chain"]}

    def _health(self) -> list[tuple[int, set[str]]]:
        (cluster,) = (
            c for c in self._ask("clusters?format=json")["cluster_statuses"] if c["name"] == NAME
        )
        return [
            (
                host["address"]["socket_address"]["port_value"],
                set(host["health_status"]) - {"eds_health_status"},
            )
            for host in cluster["host_statuses"]
        ]

    def _ask(self, what: str) -> Any:
        """Return an answer of its administration, once it gives one."""
        answers: list[Any] = []

        def asked() -> bool:
            assert self.child.poll() is None, "it has ended, see its log"
            with contextlib.suppress(OSError):
                address = f"http://{HOST}:{self._admin}/{what}"
                with urllib.request.urlopen(address, timeout=10) as answer:
                    answers.append(json.load(answer))
            return bool(answers)

        wait_until(asked)
        return answers[0]


NAME: Final = "taflhall"
"""The cluster of the servers."""


def read(text: str) -> dict[str, Any]:
    """Return a configuration."""
    config: dict[str, Any] = yaml.safe_load(text)
    return config


def listener_of(config: dict[str, Any]) -> dict[str, Any]:
    listener: dict[str, Any]
    (listener,) = config["static_resources"]["listeners"]
    return listener


def cluster_of(config: dict[str, Any]) -> dict[str, Any]:
    cluster: dict[str, Any]
    (cluster,) = config["static_resources"]["clusters"]
    return cluster


def without_tls(config: dict[str, Any]) -> dict[str, Any]:
    """Return *config* for callers and servers in the clear."""
    (chain,) = listener_of(config)["filter_chains"]
    del chain["transport_socket"]
    del cluster_of(config)["transport_socket"]
    return config


def _place(port: int) -> dict[str, Any]:
    return {"address": HOST, "port_value": port}
