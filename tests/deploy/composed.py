"""The services of ``deploy/compose.yaml`` as processes of this machine.

Compose's own parser says with what each is started. Hosts and folders of the containers are
replaced by those of this machine, in arguments, environments and mounted files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from taflhall_client.async_client import Client
from taflhall_client.ports import HOST, free_port
from taflhall_client.tls import TLS
from taflhall_service.operate.health import serving
from taflhall_service.store.exec_with_parent import spawn
from tests.deploy import envoy
from tests.deploy.tools import tool
from tests.waiting import wait_until

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
SERVERS: Final = 2
"""One to end, and one to go on."""


class Service:
    """A process that can be ended and started again."""

    def __init__(
        self, log: Path, command: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> None:
        self._log = log
        self._command = command
        self._environment = environment
        self._folder = folder
        self.start()

    def start(self) -> None:
        environment = {**os.environ, **self._environment}
        with self._log.open("ab") as log:
            self.child: subprocess.Popen[bytes] = spawn(
                self._command, env=environment, cwd=self._folder, stdout=log, stderr=log
            )

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        self.child.send_signal(number)
        return self.child.wait(60)


class Server(Service):
    """A ``taflhall-server`` with the settings of its container."""

    def __init__(self, folder: Path, number: int, settings: Mapping[str, str]) -> None:
        self.port: Final = free_port()
        self.metrics: Final = free_port()
        self.settings: Final = {
            **settings,
            "TAFLHALL_LISTEN": f"{HOST}:{self.port}",
            "TAFLHALL_METRICS": str(self.metrics),
        }
        program = [sys.executable, "-m", "taflhall_service.main"]
        super().__init__(folder / f"server{number}.log", program, self.settings, folder)

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def ready(self) -> bool:
        """Return what the health check of the container says."""
        return serving(self.address, "ready", self.settings)


class Composed:
    """A Redis, two servers and Envoy, with certificates and passwords of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.secrets: Final = folder / "secrets"
        self.renew_files()
        self._services: Final = _read_compose(self.secrets)
        redis_port = free_port()
        self._places: Final = {"redis:6379": f"{HOST}:{redis_port}"}
        self._mount()
        self._running: Final = [self._start_redis(redis_port)]
        settings = self._services["server"]["environment"]
        settings = {name: self.moved(value) for name, value in settings.items()}
        self.servers: Final = [Server(folder, number, settings) for number in range(SERVERS)]
        self._running.extend(self.servers)
        config = envoy.read(self._text_of("/etc/envoy/envoy.yaml"))
        self.envoy: Final = envoy.Envoy(folder, config, [s.port for s in self.servers])

    def close(self) -> None:
        """End all of it."""
        self.envoy.stop()
        for service in reversed(self._running):
            service.child.kill()
            service.child.wait()

    def client(self) -> Client:
        """Return a client that comes through Envoy."""
        return Client(f"{HOST}:{self.envoy.port}", tls=TLS(self.secrets / "ca.pem"))

    def renew_files(self) -> None:
        """Make the secrets, or renew the certificates."""
        subprocess.run(["sh", str(DEPLOY / "secrets.sh"), str(self.secrets)], check=True)

    def store_of(self, file: str) -> str:
        """Return the address of the store for the user that a file of secrets names."""
        line = (self.secrets / file).read_text("utf-8").strip()
        url = self.moved(line.removeprefix("TAFLHALL_STORE="))
        return url if "?" in url else f"{url}?ssl_ca_certs={self.secrets / 'ca.pem'}"

    def start_prometheus(self) -> str:
        """Start Prometheus, which asks both servers; return its address."""
        config = yaml.safe_load(self._text_of("/etc/prometheus/prometheus.yaml"))
        (job,) = config["scrape_configs"]
        del job["dns_sd_configs"]
        job["static_configs"] = [{"targets": [f"{HOST}:{s.metrics}" for s in self.servers]}]
        file = Path(self.moved("/etc/prometheus/prometheus.yaml"))
        file.write_text(json.dumps(config), "utf-8")
        address = f"{HOST}:{free_port()}"
        flags = map(self.moved, self._services["prometheus"]["command"])
        command = [_program("prometheus"), *flags, f"--web.listen-address={address}"]
        self._running.append(Service(self.folder / "prometheus.log", command, {}, self.folder))
        return address

    def moved(self, text: str) -> str:
        """Return *text* with the hosts and folders of this machine."""
        places = "|".join(map(re.escape, sorted(self._places, key=len, reverse=True)))
        pattern = rf"(?<![\w/.-])(?:{places})(?![\w-])"
        return re.sub(pattern, lambda found: self._places[found[0]], text)

    def ready(self) -> bool:
        """Return whether both servers are, and get calls."""
        ports = {server.port for server in self.servers}
        return all(server.ready() for server in self.servers) and self.envoy.healthy() == ports

    def _mount(self) -> None:
        """Give each mounted folder and file its place: secrets stay where they are."""
        copies = []
        for name, service in self._services.items():
            for volume in service["volumes"]:
                target, source = volume["target"], Path(volume["source"])
                place = self.folder / name / target.lstrip("/")
                if volume["type"] == "volume":
                    place.mkdir(parents=True)
                elif source.is_relative_to(self.secrets):
                    place = source
                elif source.is_dir():
                    copies += [(file, place / file.name) for file in source.iterdir()]
                else:
                    copies.append((source, place))
                self._places[target] = str(place)
        for source, place in copies:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.moved(source.read_text("utf-8")), "utf-8")

    def _text_of(self, target: str) -> str:
        return Path(self.moved(target)).read_text("utf-8")

    def _start_redis(self, port: int) -> Service:
        program, *flags = map(self.moved, self._services["redis"]["command"])
        assert program == "valkey-server"
        flags[flags.index("--tls-port") + 1] = str(port)
        command = [_program("redis-server"), *flags, "--bind", HOST]
        return Service(self.folder / "redis.log", command, {}, Path(self.moved("/data")))


def start(folder: Path) -> Composed:
    """Start a deployment in *folder*; return it when calls are sent to both servers."""
    composed = Composed(folder)
    try:
        wait_until(composed.ready)
    except BaseException:
        composed.close()
        raise
    return composed


def _read_compose(secrets: Path) -> dict[str, Any]:
    command = [tool("docker-compose"), "-f", str(DEPLOY / "compose.yaml"), "config"]
    environment = {**os.environ, "SECRETS": str(secrets)}
    found = subprocess.run(
        [*command, "--format", "json"], env=environment, check=True, capture_output=True
    )
    services: dict[str, Any] = json.loads(found.stdout)["services"]
    return services


def _program(name: str) -> str:
    """Return the path of a program of this machine."""
    found = shutil.which(name)
    assert found, f"there is no {name}"
    return found
