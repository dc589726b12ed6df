"""A hall in memory for every test that asks for one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.hall import Hall, open_hall


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    async with open_hall() as opened:
        yield opened
