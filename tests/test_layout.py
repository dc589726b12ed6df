"""What the folders promise: see also the contracts of import-linter in pyproject.toml."""

import ast
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    "taflhall_engine": ROOT / "engine",
    "taflhall_service": ROOT / "service",
    "taflhall_client": ROOT / "clients/python",
    "taflhall_wire": ROOT / "proto/python",
    "taflhall": ROOT / "proto/gen/python",
}


def imported(module: Path) -> Iterator[str]:
    """Yield the top-level names of all that *module* imports."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_the_engine_needs_the_standard_library_only():
    allowed = sys.stdlib_module_names | {"taflhall_engine"}
    modules = sorted((ROOT / "engine").rglob("*.py"))
    foreign = {
        f"{module.relative_to(ROOT)}: {name}"
        for module in modules
        for name in imported(module)
        if name not in allowed
    }
    assert modules
    assert not foreign


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-uv.lock"])
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    pins = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert pins
    assert all("==" in pin and pin.endswith("\\") for pin in pins)


def test_the_wheel_holds_every_file_of_the_packages(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        path.relative_to(base).as_posix()
        for package, base in PACKAGES.items()
        for path in (base / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {f"{package}/py.typed" for package in PACKAGES if package != "taflhall"} <= held
    assert wanted <= held


def test_class_names_of_the_application_are_unique_and_in_the_glossary():
    app = ROOT / "service/taflhall_service/app"
    glossary = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    seen: dict[str, Path] = {}
    for module in sorted(app.rglob("*.py")):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert node.name not in seen, f"{node.name}: {module} and {seen[node.name]}"
                seen[node.name] = module
    named = set(re.findall(r"^- `(\w+)`:", glossary, re.MULTILINE))
    wanted = {name for name, module in seen.items() if module.name != "errors.py"}
    assert wanted <= named, f"not in docs/architecture.md: {sorted(wanted - named)}"
    assert named <= wanted, f"no longer there: {sorted(named - wanted)}"
