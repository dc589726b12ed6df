"""IG-21 The conformance runner (being written)."""

from __future__ import annotations

from typing import Any


def run_case(game: Any, case: dict[str, Any]) -> list[str]:
    raise NotImplementedError
