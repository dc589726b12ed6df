"""The same seed gives the same bytes, in every process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.every_game import setups
from tests.engine.every_game.digests import digest_of

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4242", "PYTHONOPTIMIZE": "1"},
]


@pytest.fixture(scope="module")
def digests():
    return {name: digest_of(name, 2) for name in setups.NAMES}


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda e: f"hash{e['PYTHONHASHSEED']}")
def test_the_same_seed_gives_the_same_bytes_in_another_process(environment, digests):
    found = subprocess.run(
        [sys.executable, "-m", "tests.engine.every_game.digests"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == digests


def test_another_seed_gives_other_bytes(name):
    assert digest_of(name, 1) != digest_of(name, 2)
