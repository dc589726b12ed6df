"""Regenerate the code of every language from proto/**/*.proto.

`python proto/generate.py [LANGUAGE ...]`; `--check` fails when the tree is stale. A language whose
toolchain this machine lacks is left out with a line that says so; with CI=true that is a failure.
Plugins are installed once, at their pinned versions, into the user's cache.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
ROOT = PROTO.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "taflhall" / "plugins"


class MissingTool(Exception):
    """A program is missing without which the code of a language cannot be generated."""


@dataclass(frozen=True, slots=True)
class Language:
    """How the code of one language is generated."""

    out: Path
    """A folder that holds nothing else."""
    options: Callable[[Path], list[str]]
    """Return protoc's options for output to a folder; raise :exc:`MissingTool`."""
    keep: tuple[str, ...] = ()
    """Further files that belong there, all empty."""
    also: tuple[str, ...] = ()
    """Files of others to generate code from, which the language has no package of."""


def python(out: Path) -> list[str]:
    programs = Path(sys.executable).parent
    return [
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        f"--plugin=protoc-gen-mypy={programs / 'protoc-gen-mypy'}",
        f"--mypy_out=quiet:{out}",
        f"--plugin=protoc-gen-mypy_grpc={programs / 'protoc-gen-mypy_grpc'}",
        f"--mypy_grpc_out=quiet:{out}",
    ]


def go(out: Path) -> list[str]:
    module = "module=taflhall.org/go/gen"
    messages = go_program("google.golang.org/protobuf/cmd/protoc-gen-go", "v1.36.12")
    calls = go_program("google.golang.org/grpc/cmd/protoc-gen-go-grpc", "v1.6.2")
    return [
        f"--plugin=protoc-gen-go={messages}",
        f"--go_out={out}",
        f"--go_opt={module}",
        f"--plugin=protoc-gen-go-grpc={calls}",
        f"--go-grpc_out={out}",
        f"--go-grpc_opt={module}",
    ]


def typescript(out: Path) -> list[str]:
    return [
        f"--plugin=protoc-gen-es={npm_program('@bufbuild/protoc-gen-es', '2.13.0')}",
        f"--es_out={out}",
        "--es_opt=target=ts,import_extension=js",
    ]


def rust(out: Path) -> list[str]:
    return [
        f"--plugin=protoc-gen-prost={cargo_program('protoc-gen-prost', '0.5.0')}",
        f"--prost_out={out}",
        "--prost_opt=disable_comments=.google",
        f"--plugin=protoc-gen-tonic={cargo_program('protoc-gen-tonic', '0.5.0')}",
        f"--tonic_out={out}",
        "--tonic_opt=no_server",
        f"--descriptor_set_out={out / 'descriptors.binpb'}",
        "--include_imports",
    ]


# Java is missing: its code is ten times as long as that of the others. The Maven build in
# clients/java generates it from these files, with pinned programs, so it cannot become stale.
LANGUAGES = {
    "python": Language(PROTO / "gen" / "python", python, ("taflhall/py.typed",)),
    "go": Language(ROOT / "clients" / "go" / "gen", go),
    "rust": Language(
        ROOT / "clients" / "rust" / "src" / "gen",
        rust,
        also=("google/rpc/error_details.proto", "google/rpc/status.proto"),
    ),
    "typescript": Language(
        ROOT / "clients" / "typescript" / "src" / "gen",
        typescript,
        also=("google/rpc/error_details.proto",),
    ),
}


def main() -> None:
    given = sys.argv[1:]
    wanted = [name for name in given if name != "--check"] or list(LANGUAGES)
    faults = [fault for name in wanted if (fault := update(name, check="--check" in given))]
    sys.exit("\n".join(faults) if faults else 0)


def update(name: str, *, check: bool) -> str:
    """Generate the code of a language, or check it; return what is wrong."""
    language = LANGUAGES[name]
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder)
        try:
            generate(language, new)
        except MissingTool as missing:
            line = f"{name}: not {'checked' if check else 'generated'}: {missing}"
            if os.environ.get("CI") == "true":
                return line
            sys.stderr.write(line + "\n")
            return ""
        changed = differing(new, language.out)
        if check:
            return f"{name} is stale, run `make proto`: {', '.join(changed)}" if changed else ""
        for file in changed:
            (language.out / file).parent.mkdir(parents=True, exist_ok=True)
            if (new / file).exists():
                shutil.copyfile(new / file, language.out / file)
            else:
                (language.out / file).unlink()
    return ""


def generate(language: Language, out: Path) -> None:
    protos = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    if not protos:
        sys.exit("there is no .proto file")
    google = files("google.rpc") / ".." / ".."
    paths = [f"-I{path}" for path in (PROTO, files("grpc_tools") / "_proto", google)]
    if protoc.main(["protoc", *paths, *language.options(out), *protos, *language.also]):
        sys.exit("protoc failed")
    for name in language.keep:
        (out / name).touch()


def go_program(package: str, version: str) -> Path:
    """Return a program of a Go module at that version; install it if it is not in the cache."""
    folder = CACHE / f"{package.rpartition('/')[2]}-{version}"
    program = folder / package.rpartition("/")[2]
    if not program.exists():
        if not shutil.which("go"):
            raise MissingTool("there is no Go toolchain (https://go.dev/dl)")
        install = ["go", "install", f"{package}@{version}"]
        made = subprocess.run(install, env={**os.environ, "GOBIN": str(folder)}, check=False)
        if made.returncode:
            raise MissingTool(f"{' '.join(install)} failed")
    return program


def npm_program(package: str, version: str) -> Path:
    """Return a program of an npm package at that version; install it if it is not in the cache."""
    name = package.rpartition("/")[2]
    folder = CACHE / f"{name}-{version}"
    program = folder / "node_modules" / ".bin" / name
    if not program.exists():
        if not shutil.which("npm"):
            raise MissingTool("there is no Node with npm (https://nodejs.org)")
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--no-save", f"{package}@{version}"]
        if subprocess.run([*install, "--prefix", str(folder)], check=False).returncode:
            raise MissingTool(f"{' '.join(install)} failed")
    return program


def cargo_program(package: str, version: str) -> Path:
    """Return the program of a crate at that version; install it if it is not in the cache."""
    folder = CACHE / f"{package}-{version}"
    program = folder / "bin" / package
    if not program.exists():
        if not shutil.which("cargo"):
            raise MissingTool("there is no Rust toolchain (https://rustup.rs)")
        install = ["cargo", "install", "--quiet", "--locked", f"{package}@{version}"]
        if subprocess.run([*install, "--root", str(folder)], check=False).returncode:
            raise MissingTool(f"{' '.join(install)} failed")
    return program


def differing(new: Path, old: Path) -> list[str]:
    """Return the names of the files that one folder lacks or that are not alike in both."""
    names, old_names = files_of(new), files_of(old)
    changed = {n for n in names & old_names if not filecmp.cmp(new / n, old / n, shallow=False)}
    return sorted((names ^ old_names) | changed)


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


if __name__ == "__main__":
    main()
