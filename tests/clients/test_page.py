"""The page builds, and all of its tests pass, in Chromium and against a real server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "clients" / "web"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
MISSING = [tool for tool in ("node", "npm", CHROMIUM) if shutil.which(tool) is None]


def run(*command: str) -> str:
    """Run a command in the folder of the page; return its output, or fail with it."""
    environment = os.environ | {"TAFLHALL_PYTHON": sys.executable, "CHROMIUM": CHROMIUM}
    done = subprocess.run(
        command, cwd=FOLDER, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(
    bool(MISSING) and os.environ.get("CI") != "true", reason=f"missing: {', '.join(MISSING)}"
)
def test_the_page_builds_and_its_tests_pass_in_chromium():
    run("sh", "ready.sh")
    last = run("npm", "test", "--silent").splitlines()[-1]
    passed, failed = (int(part.split()[0]) for part in last.split(", "))
    assert (passed > 0, failed) == (True, 0)


def test_the_lock_file_names_no_registry():
    assert '"resolved"' not in (FOLDER / "package-lock.json").read_text("utf-8")
