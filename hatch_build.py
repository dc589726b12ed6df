"""Build hook: with TAFLHALL_MYPYC=1 the wheel's engine is compiled, otherwise it is plain Python.

All modules of the engine but those that `[tool.taflhall] interpreted` in pyproject.toml names are
compiled as one unit. The result stays under build/mypyc until a source changes. With
TAFLHALL_ALONG=1 the packages named under `along` join it: games of the tests, which subclass the
kernel.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "taflhall_engine"

SETUP = """\
from mypyc.build import mypycify
from setuptools import setup

setup(
    name={package!r},
    ext_modules=mypycify(
        ["--config-file=", "--follow-imports=silent", *{modules!r}],
        opt_level={opt_level!r},
        debug_level="0",
        group_name={package!r},
    ),
    script_args=["--quiet", "build_ext", "--build-lib=lib", "--build-temp=temp"],
)
"""


class CompiledEngine(BuildHookInterface[Any]):
    """Puts the compiled modules beside their sources, where Python finds them first."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return ["mypy==2.4.1", "setuptools>=84"] if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not wanted() or version == "editable":
            return
        root = Path(self.root)
        settings = self.metadata.config["tool"]["taflhall"]
        along = [root / name for name in settings["along"]] if along_wanted() else []
        packages = [root / "engine" / PACKAGE, *along]
        lib = compiled(packages, settings["interpreted"], root / "build" / "mypyc")
        for package in along:
            build_data["force_include"][str(package)] = package.name
        for library in lib.rglob("*.*"):
            build_data["force_include"][str(library)] = library.relative_to(lib).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def wanted() -> bool:
    return os.environ.get("TAFLHALL_MYPYC") == "1"


def along_wanted() -> bool:
    return os.environ.get("TAFLHALL_ALONG") == "1"


def modules_to_compile(package: Path, interpreted: list[str]) -> list[str]:
    """Return the modules of *package* that no pattern of *interpreted* names, as paths."""
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    paths = {name: f"{package.name}/{name}" for name in names}
    return [
        path
        for name, path in paths.items()
        if not any(fnmatch(name, p) or fnmatch(path, p) for p in interpreted)
    ]


def compiled(packages: list[Path], interpreted: list[str], cache: Path) -> Path:
    """Compile *packages*, unless that has been done, and return the folder with the libraries."""
    modules = [name for package in packages for name in modules_to_compile(package, interpreted)]
    opt_level = os.environ.get("MYPYC_OPT_LEVEL", "3")
    setup = SETUP.format(package=PACKAGE, modules=modules, opt_level=opt_level)
    work = cache / digest(packages, setup)
    lib = work / "lib"
    if not (work / "done").exists():
        shutil.rmtree(cache, ignore_errors=True)
        for package in packages:
            shutil.copytree(package, work / package.name, ignore=sources_only)
        (work / "setup.py").write_text(setup, encoding="utf-8")
        if subprocess.run([sys.executable, "setup.py"], cwd=work, check=False).returncode:
            raise SystemExit("mypyc could not compile the engine")
        (work / "done").touch()
    return lib


def digest(packages: list[Path], setup: str) -> str:
    """Return a name for the result of *setup* with the sources of today and this Python."""
    state = hashlib.sha256(f"{sys.version}\n{setup}".encode())
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            state.update(f"\n{path.relative_to(package.parent).as_posix()}\n".encode())
            state.update(path.read_bytes())
    return state.hexdigest()[:16]


def sources_only(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if not n.endswith(".py") and not Path(folder, n).is_dir()]
