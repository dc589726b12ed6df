"""Regenerate proto/gen/python from proto/**/*.proto. `--check` fails when the tree is stale."""

from __future__ import annotations

import filecmp
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
OUT = PROTO / "gen" / "python"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder)
        generate(new)
        if "--check" in sys.argv[1:]:
            stale = differing(new, OUT)
            sys.exit(f"stale, run `make proto`: {', '.join(stale)}" if stale else 0)
        for name in differing(new, OUT):
            (OUT / name).parent.mkdir(parents=True, exist_ok=True)
            if (new / name).exists():
                shutil.copyfile(new / name, OUT / name)
            else:
                (OUT / name).unlink()


def generate(out: Path) -> None:
    programs = Path(sys.executable).parent
    protos = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    if not protos:
        sys.exit("there is no .proto file")
    arguments = [
        "protoc",
        f"-I{PROTO}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        f"--plugin=protoc-gen-mypy={programs / 'protoc-gen-mypy'}",
        f"--mypy_out=quiet:{out}",
        f"--plugin=protoc-gen-mypy_grpc={programs / 'protoc-gen-mypy_grpc'}",
        f"--mypy_grpc_out=quiet:{out}",
        *protos,
    ]
    if protoc.main(arguments):
        sys.exit("protoc failed")
    (out / "taflhall" / "py.typed").touch()


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
