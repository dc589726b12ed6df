"""The SDKs: how each is built, tested and driven. `python -m tests.clients` and pytest use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class SDK:
    """A client in one language."""

    folder: Path
    tools: dict[str, str]
    """The programs that have to be there, and where they come from."""
    build: list[list[str]]
    """Commands that build client, examples and driver, in the folder."""
    tests: list[list[str]]
    """Commands that run its own tests, in the folder."""
    documentation: list[list[str]]
    """Commands that write its documentation, in the folder; they fail at what is not documented."""
    driver: str
    """The command of its driver for the scenarios."""
    lacks: frozenset[str] = frozenset()
    """Operations of the scenarios that it does not have."""
    optimized: tuple[list[list[str]], str] | None = None
    """What builds an optimized driver, and its command, if those above are not."""
    example: str = ""
    """The command of an example, with a place for its name, ``{}``, or ``{Name}`` with a capital
    (docs/writing-a-client.md)."""

    @property
    def missing(self) -> list[str]:
        """The programs that are not on this machine, with where to get them."""
        return [f"{tool} ({link})" for tool, link in self.tools.items() if not shutil.which(tool)]

    def example_command(self, name: str) -> list[str]:
        """Return the command of an example."""
        return self.example.format(name, Name=name.capitalize()).split()


JAVA = ROOT / "build" / "java"
ON_CLASS_PATH = (
    "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1"  # as its README advises for bots
    f" -cp {JAVA}/classes:{JAVA}/test-classes:{JAVA}/lib/*"
)

SDKS = {
    "python": SDK(
        ROOT / "clients" / "python",
        {},
        [],
        [],
        [],
        f"{sys.executable} -m taflhall_testing.clients.python_driver",
        example=f"{sys.executable} {ROOT / 'clients' / 'python' / 'examples'}/{{}}.py",
    ),
    "go": SDK(
        ROOT / "clients" / "go",
        {"go": "https://go.dev/dl"},
        [["go", "build", "-o", str(ROOT / "build" / "go") + "/", "./..."], ["go", "vet", "./..."]],
        [["go", "test", "./..."]],
        [["go", "doc", "-all", "."]],
        str(ROOT / "build" / "go" / "driver"),
        example=str(ROOT / "build" / "go" / "{}"),
    ),
    "rust": SDK(
        ROOT / "clients" / "rust",
        {"cargo": "https://rustup.rs", "rustfmt": "https://rustup.rs"},
        [["cargo", "build", "--quiet", "--workspace", "--examples", "--bins"]],
        [["cargo", "fmt", "--all", "--check"], ["cargo", "test", "--quiet"]],
        [["cargo", "doc", "--quiet", "--no-deps"]],
        str(ROOT / "build" / "rust" / "debug" / "driver"),
        optimized=(
            [["cargo", "build", "--quiet", "--release", "--package", "driver"]],
            str(ROOT / "build" / "rust" / "release" / "driver"),
        ),
        example=str(ROOT / "build" / "rust" / "debug" / "examples" / "{}"),
    ),
    "typescript": SDK(
        ROOT / "clients" / "typescript",
        {"node": "https://nodejs.org", "npm": "https://nodejs.org"},
        [["sh", "ready.sh"]],
        [["npm", "test"]],
        [],
        f"node {ROOT / 'clients' / 'typescript' / 'build' / 'tests' / 'driver.js'}",
        example=f"node {ROOT / 'clients' / 'typescript' / 'build' / 'examples'}/{{}}.js",
    ),
    "java": SDK(
        ROOT / "clients" / "java",
        {"javac": "https://adoptium.net", "mvn": "https://maven.apache.org"},
        [["sh", "ready.sh"]],
        [["mvn", "--quiet", "--batch-mode", "surefire:test"]],
        [["mvn", "--quiet", "--batch-mode", "javadoc:javadoc"]],
        f"{ON_CLASS_PATH} org.taflhall.driver.Driver",
        example=f"{ON_CLASS_PATH} {{Name}}",
    ),
}


def run(sdk: SDK, commands: list[list[str]]) -> str:
    """Run commands in the SDK's folder; return the output of the first that fails, or nothing."""
    for command in commands:
        done = subprocess.run(
            command, cwd=sdk.folder, env=os.environ, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return ""
