"""Programs that ``make deploy-try`` installs or looks for."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

TOOLS: Final = os.environ.get("TAFLHALL_DEPLOY_TOOLS", "")
"""The folder with ``docker-compose`` and ``envoy``."""

needs_tools: Final = pytest.mark.skipif(
    not TOOLS, reason="TAFLHALL_DEPLOY_TOOLS names no folder with docker-compose and envoy"
)
needs_redis: Final = pytest.mark.skipif(
    shutil.which("redis-server") is None, reason="there is no redis-server"
)
needs_prometheus: Final = pytest.mark.skipif(
    shutil.which("prometheus") is None, reason="there is no prometheus"
)


def tool(name: str) -> str:
    """Return the path of a tool."""
    return str(Path(TOOLS).absolute() / name)
