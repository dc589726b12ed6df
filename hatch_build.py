"""Build hook: with TAFLHALL_MYPYC=1 the wheel's engine is compiled, otherwise it is plain Python.

All modules of the engine but those that `[tool.taflhall] interpreted` in pyproject.toml names are
compiled as one unit. The result stays under build/mypyc until a source changes. With
TAFLHALL_ALONG=1 the packages named under `along` join it: games of the tests, which subclass the
kernel.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "taflhall_engine"


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
    kept = cache / digest(packages, modules)
    if not kept.exists():
        work = cache / f"{kept.name}-{os.getpid()}"
        for package in packages:
            shutil.copytree(package, work / package.name, ignore=sources_only)
        command = [sys.executable, str(Path(__file__).resolve()), *modules]
        failed = subprocess.run(command, cwd=work, check=False).returncode
        if not failed:
            shutil.rmtree(kept, ignore_errors=True)
            (work / "lib").rename(kept)
        shutil.rmtree(work)
        if failed:
            raise SystemExit("mypyc could not compile the engine")
        forget_old(cache)
    return kept


def digest(packages: list[Path], modules: list[str]) -> str:
    """Return a name for what these sources and this Python will give."""
    state = hashlib.sha256(f"{sys.version}\n{opt_level()}\n{modules}".encode())
    state.update(Path(__file__).read_bytes())
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            state.update(f"\n{path.relative_to(package.parent).as_posix()}\n".encode())
            state.update(path.read_bytes())
    return state.hexdigest()[:16]


def opt_level() -> str:
    return os.environ.get("MYPYC_OPT_LEVEL", "3")


def forget_old(cache: Path) -> None:
    """Keep the results of the last few builds only; a name with a dash is still at work."""
    done = [result for result in cache.iterdir() if "-" not in result.name]
    for result in sorted(done, key=lambda result: result.stat().st_mtime)[:-4]:
        shutil.rmtree(result, ignore_errors=True)


def sources_only(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if not n.endswith(".py") and not Path(folder, n).is_dir()]


def run_mypyc(modules: list[str]) -> None:
    """Compile *modules* of the current folder into ./lib, a C file each, as many at once as can be.

    (On two cores that takes half the time of one large C file, and the result is as fast.)
    """
    from mypyc.build import mypycify
    from setuptools import setup
    from setuptools.command.build_ext import build_ext

    class Parallel(build_ext):
        def build_extensions(self) -> None:
            compile_all = self.compiler.compile

            def compile_each(sources: list[str], **options: Any) -> list[str]:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    done = list(pool.map(lambda source: compile_all([source], **options), sources))
                return [made for objects in done for made in objects]

            self.compiler.compile = compile_each
            super().build_extensions()

    extensions = mypycify(
        ["--config-file=", "--follow-imports=silent", *modules],
        opt_level=opt_level(),
        debug_level="0",
        multi_file=True,
        group_name="taflhall",  # of the library that all of them share
    )
    forbid_weak_references(Path())
    setup(
        name=PACKAGE,
        ext_modules=extensions,
        cmdclass={"build_ext": Parallel},
        script_args=["--quiet", "build_ext", "--build-lib=lib", "--build-temp=temp"],
    )


def forbid_weak_references(folder: Path) -> None:
    """Take the place for weak references out of every class of the C files in *folder*.

    Under CPython 3.11 mypyc gives one to each class with an interpreted base (`Generic`,
    `Exception`), but its code never clears the references to an object that is freed, and releases
    one that it does not own: the process crashes later (mypyc/mypyc#1102). Without the place
    `weakref.ref` raises TypeError, as it does for every other compiled class.
    """
    for path in folder.rglob("*.c"):
        text = path.read_text()
        safe = re.sub(r"^ *\.tp_weaklistoffset = .*,\n", "", text, flags=re.MULTILINE)
        if safe != text:
            path.write_text(safe)


if __name__ == "__main__":
    run_mypyc(sys.argv[1:])
