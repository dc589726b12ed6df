"""Every test of this folder that asks for a *name* runs on the toy and on each registered game."""

from __future__ import annotations

import pytest

from tests.engine.every_game import setups


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", setups.NAMES)
    elif "registered" in metafunc.fixturenames:
        metafunc.parametrize("registered", [name for name in setups.NAMES if name != "quay"])
