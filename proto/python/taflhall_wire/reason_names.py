"""The names of errors in the contract; needs no messages."""

from __future__ import annotations

import re


def reason_name(class_name: str) -> str:
    """Return the reason that an error class is named after: ``MatchOver`` is ``MATCH_OVER``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).upper()
