"""What the targets of ``deploy/`` install, build or look for."""

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
APISERVER: Final = os.environ.get("TAFLHALL_APISERVER", "")
"""The ``kube-apiserver`` that ``deploy/build-apiserver.sh`` has built."""

IMAGE: Final = os.environ.get("TAFLHALL_IMAGE", "")
"""The folder with the image that ``deploy/build-image.sh`` has built."""

needs_apiserver: Final = pytest.mark.skipif(
    not APISERVER or shutil.which("etcd") is None,
    reason="TAFLHALL_APISERVER names no kube-apiserver, or there is no etcd",
)
needs_image: Final = pytest.mark.skipif(
    not IMAGE, reason="TAFLHALL_IMAGE names no folder with an image"
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
