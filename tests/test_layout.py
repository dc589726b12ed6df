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

TOP_LEVEL = {
    *(".ci", ".gitattributes", ".github", ".gitignore", "Makefile", "buf.yaml", "mkdocs.yml"),
    *("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("SECURITY.md", "hatch_build.py", "pyproject.toml"),
    *("requirements-uv.lock", "requirements.lock"),
    *("clients", "deploy", "docs", "engine", "proto", "service", "tests"),
}


def imported(module: Path) -> Iterator[str]:
    """Yield the top-level names of all that *module* imports when it runs."""
    nodes: list[ast.AST] = [ast.parse(module.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes += node.orelse
            continue
        nodes += ast.iter_child_nodes(node)
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


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout of the repository")
def test_the_repository_has_nothing_else_at_its_top():
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert {path.partition("/")[0] for path in listed.stdout.splitlines()} == TOP_LEVEL


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


def described(node: ast.AST, module: Path) -> str:
    return f"{module.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)}"


def nodes_of_tests() -> Iterator[tuple[Path, ast.AST]]:
    """Yield what the tests are made of, but for those that have to break in or to measure."""
    tests = ROOT / "tests"
    for module in sorted(tests.rglob("*.py")):
        if module.relative_to(tests).parts[0] not in ("faults", "benchmarks"):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                yield module, node


def test_tests_patch_no_constants():
    """What a test has to change is a parameter with a default."""
    patched = [
        described(node, module)
        for module, node in nodes_of_tests()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "setattr"
        and any(
            isinstance(arg, ast.Constant)
            and isinstance(arg.value, str)
            and (arg.value.startswith("taflhall_") or re.fullmatch(r"[A-Z_]+|_\w+", arg.value))
            for arg in node.args[:2]
        )
    ]
    assert not patched


def test_tests_do_not_reach_into_private_state():
    """An object's private attributes are its own; a test asks a named accessor."""
    reached = [
        described(node, module)
        for module, node in nodes_of_tests()
        if isinstance(node, ast.Attribute)
        and re.match(r"_[a-z]", node.attr)
        and node.attr not in ("_asdict", "_exit", "_fields", "_replace")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("cls", "self"))
        and ast.unparse(node.value) != "super()"
    ]
    imported_ones = [
        described(node, module)
        for module, node in nodes_of_tests()
        if isinstance(node, ast.ImportFrom)
        and any(alias.name.startswith("_") for alias in node.names)
        and node.module != "__future__"
    ]
    assert not reached + imported_ones


def test_tests_wait_until_something_holds_and_for_no_fixed_time():
    """``tests/waiting.py`` has the ways to wait; ``sleep(0)`` gives others their turn."""
    slept = [
        described(node, module)
        for module, node in nodes_of_tests()
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "sleep"
        and [ast.unparse(arg) for arg in node.args] != ["0"]
        and module.name != "waiting.py"
    ]
    assert not slept


def test_tests_wait_for_at_least_half_a_minute():
    """A wait ends early, and a busy machine may need its limit: it says only that nothing hangs."""
    limited = ("timeout", "wait_for", "until", "wait_until")
    short = [
        described(node, module)
        for module, node in nodes_of_tests()
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in limited
        and node.args
        and isinstance(limit := node.args[-1], ast.Constant)
        and isinstance(limit.value, int | float)
        and limit.value < 30
    ]
    assert not short
