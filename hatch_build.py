"""Build hook: with TAFLHALL_MYPYC=1 the wheel's engine is compiled, otherwise it is plain Python.

All modules of the engine but those that `[tool.taflhall] interpreted` in pyproject.toml names are
compiled as one unit. The result stays under build/mypyc until a source changes.
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
        interpreted = self.metadata.config["tool"]["taflhall"]["interpreted"]
        lib = compiled(root / "engine", interpreted, root / "build" / "mypyc")
        for library in lib.rglob("*.*"):
            build_data["force_include"][str(library)] = library.relative_to(lib).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def wanted() -> bool:
    return os.environ.get("TAFLHALL_MYPYC") == "1"


def modules_to_compile(engine: Path, interpreted: list[str]) -> list[str]:
    """Return the engine's modules that no pattern of *interpreted* names, as paths."""
    package = engine / PACKAGE
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    return [
        f"{PACKAGE}/{name}"
        for name in names
        if not any(fnmatch(name, pattern) for pattern in interpreted)
    ]


def compiled(engine: Path, interpreted: list[str], cache: Path) -> Path:
    """Compile the engine, unless that has been done, and return the folder with the libraries."""
    modules = modules_to_compile(engine, interpreted)
    opt_level = os.environ.get("MYPYC_OPT_LEVEL", "3")
    setup = SETUP.format(package=PACKAGE, modules=modules, opt_level=opt_level)
    work = cache / digest(engine, setup)
    lib = work / "lib"
    if not (work / "done").exists():
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(engine / PACKAGE, work / PACKAGE, ignore=sources_only)
        (work / "setup.py").write_text(setup, encoding="utf-8")
        if subprocess.run([sys.executable, "setup.py"], cwd=work, check=False).returncode:
            raise SystemExit("mypyc could not compile the engine")
        (work / "done").touch()
    return lib


def digest(engine: Path, setup: str) -> str:
    """Return a name for the result of *setup* with the sources of today and this Python."""
    state = hashlib.sha256(f"{sys.version}\n{setup}".encode())
    for path in sorted((engine / PACKAGE).rglob("*.py")):
        state.update(f"\n{path.relative_to(engine).as_posix()}\n".encode())
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def sources_only(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if not n.endswith(".py") and not Path(folder, n).is_dir()]
