"""A deployment for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.composed import Composed, start


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Composed]:
    composed = start(tmp_path)
    yield composed
    composed.close()
