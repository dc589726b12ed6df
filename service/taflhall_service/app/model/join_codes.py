"""Join codes: short enough for people to pass on, and each for one match."""

from __future__ import annotations

import hmac
from base64 import b32encode
from typing import Final

from taflhall_service.app.errors import JoinCodeInvalid
from taflhall_service.app.model.records import Origin

CODE_CHARACTERS: Final = 10
"""50 bits: enough, because every wrong guess counts as several calls."""

_IGNORED: Final = str.maketrans("", "", " -")


def join_code(origin: Origin) -> str:
    """Return the join code of a match."""
    return b32encode(hmac.digest(origin.chain, b"join code", "sha256")).decode()[:CODE_CHARACTERS]


def read_code(text: str) -> str:
    """Return the join code that somebody has typed, or raise ``JoinCodeInvalid``."""
    code = text.translate(_IGNORED).upper()
    if len(code) != CODE_CHARACTERS or not (code.isascii() and code.isalnum()):
        raise JoinCodeInvalid
    return code
