"""A container of the image that ``deploy/build-image.sh`` has built, as ``crun`` runs it.

As in a pod of ``deploy/k8s`` its root is read-only and it has no capabilities. It has namespaces of
its own, but the network of this machine.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from taflhall_service.store.exec_with_parent import spawn

UNIFIED: Final = "umount -R -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec crun"
"""Runs ``crun`` where it sees one hierarchy of control groups, for it takes no mixture of both."""


class Image:
    """The layers, the configuration and the files of an image."""

    def __init__(self, folder: Path) -> None:
        self.root: Final = folder / "root"
        layers = folder / "image"
        manifest = json.loads((layers / "manifest.json").read_text("utf-8"))
        self.config: Final[Mapping[str, Any]] = json.loads(
            (layers / _file(manifest["config"])).read_text("utf-8")
        )["config"]
        self.layers: Final = [layers / _file(layer) for layer in manifest["layers"]]
        """Compressed archives, the last of which is what the Dockerfile's last stage adds."""


def _file(described: Mapping[str, Any]) -> str:
    return str(described["digest"]).partition(":")[2]


class Container:
    """A container that runs the image's command with further settings."""

    def __init__(self, image: Image, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder = folder
        self.settings: Final = settings
        self.user: Final = int(image.config["User"])
        self.log: Final = folder / "log"
        subprocess.run(["crun", "spec"], cwd=folder, check=True)
        (folder / "config.json").write_text(json.dumps(self._spec(image)), "utf-8")
        with self.log.open("ab") as log:
            self._child = spawn(self._crun("run", NAME), cwd=folder, stdout=log, stderr=log)

    def _spec(self, image: Image) -> dict[str, Any]:
        """Return the runtime's own default with what the image says and a pod would."""
        spec: dict[str, Any] = json.loads((self._folder / "config.json").read_text("utf-8"))
        spec["process"] |= {
            "terminal": False,
            "user": {"uid": self.user, "gid": self.user},
            "args": image.config["Entrypoint"],
            "env": [*image.config["Env"], *(f"{n}={v}" for n, v in self.settings.items())],
            "capabilities": {},
        }
        spec["root"] = {"path": str(image.root.absolute()), "readonly": True}
        for place in ("/tmp", *image.config["Volumes"]):
            source = self._folder / place.lstrip("/")
            source.mkdir()
            shutil.chown(source, self.user, self.user)
            spec["mounts"].append(
                {"destination": place, "source": str(source), "options": ["bind", "rw"]}
            )
        spec["linux"]["namespaces"] = [
            space for space in spec["linux"]["namespaces"] if space["type"] != "network"
        ]
        return spec

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the container."""
        return subprocess.run(
            self._crun("exec", f"--user={self.user}:{self.user}", NAME, *command),
            capture_output=True,
            text=True,
            check=False,
        )

    def end(self) -> int:
        """Send SIGTERM and return the exit status."""
        subprocess.run(self._crun("kill", NAME, "TERM"), check=True)
        return self._child.wait(60)

    def close(self) -> None:
        """Remove it, running or not."""
        subprocess.run(self._crun("delete", "--force", NAME), check=True)
        self._child.wait(60)

    def _crun(self, *arguments: str) -> Sequence[str]:
        state = ["--root", str(self._folder / "state"), "--cgroup-manager=disabled"]
        unshare = str(shutil.which("unshare"))
        return [unshare, "--mount", "sh", "-c", f'{UNIFIED} "$@"', "sh", *state, *arguments]


NAME: Final = "taflhall"
