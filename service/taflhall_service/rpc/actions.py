"""Maps each method of the contract to an action of the service."""

from __future__ import annotations

import re
from typing import Final

from taflhall_service.app.access.permissions import Action

_WORDS: Final = re.compile(r"(?<!^)(?=[A-Z])")


def action_of(method: str) -> Action:
    """Return the action that ``Service.Method`` asks for; raise ``KeyError`` if none is meant.

    It has the method's name, and those of the administrators a word before it.
    """
    service, _, name = method.rpartition(".")
    name = _WORDS.sub("_", name).upper()
    return Action[f"ADMIN_{name}" if service == "AdminService" else name]
