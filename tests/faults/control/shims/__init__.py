"""Libraries that are preloaded into processes of the rig; built when they are first needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final, Protocol

SOURCES: Final = Path(__file__).parent
BUILT: Final = SOURCES.parents[3] / "build" / "shims"


class Shim(Protocol):
    """A library and the variables that configure it."""

    library: str
    """The name of its source, without the suffix."""

    @property
    def environment(self) -> dict[str, str]: ...


def available() -> bool:
    """Return whether shims can be built here; with ``CI=true`` they have to be."""
    return shutil.which("cc") is not None or os.environ.get("CI") == "true"


def preloading(*shims: Shim | None) -> dict[str, str]:
    """Return the environment that puts *shims* into a program."""
    wanted = [shim for shim in shims if shim is not None]
    environment = {name: value for shim in wanted for name, value in shim.environment.items()}
    if wanted:
        environment["LD_PRELOAD"] = ":".join(str(_built(shim.library)) for shim in wanted)
    return environment


@cache
def _built(name: str) -> Path:
    BUILT.mkdir(parents=True, exist_ok=True)
    library = BUILT / f"{name}.so"
    built = library.with_suffix(f".{os.getpid()}")
    options = ["-shared", "-fPIC", "-O2", "-Wall", "-Werror"]
    command = ["cc", *options, "-o", str(built), str(SOURCES / f"{name}.c"), "-ldl"]
    subprocess.run(command, check=True)
    built.replace(library)
    return library
