"""Logs: lines of JSON on standard error. No secrets, no contents."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from pathlib import Path
from typing import Any, Final

import structlog

MAX_FRAMES: Final = 40


def frames(error: BaseException) -> list[str]:
    """Return where *error* came from: files, lines and functions, without values or message.

    Only the innermost are kept: a line of the log has to fit into one write to a pipe.
    """
    found = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in found]


def _line(event: Any, **options: Any) -> str:
    """Return one line of printable ASCII, whatever the event contains."""
    return json.dumps(event, **options).replace("\x7f", "\\u007f")


def configure_logs(level: str) -> None:
    """Write logs as lines of JSON to standard error.

    Each line is one write together with its end, also where Python does not buffer
    (``PYTHONUNBUFFERED``): several workers write to one pipe.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
