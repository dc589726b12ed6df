"""Logs: lines of JSON on standard error. No secrets, no contents."""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, Final

import structlog

MAX_FRAMES: Final = 40
MAX_MESSAGE: Final = 200


def frames(error: BaseException) -> list[str]:
    """Return where *error* came from: files, lines and functions, without values or message.

    Only the innermost are kept: a line of the log has to fit into one write to a pipe.
    """
    found = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in found]


def _line(event: Any, **options: Any) -> str:
    """Return one line of printable ASCII for any event."""
    return json.dumps(event, **options).replace("\x7f", "\\u007f")


class _LibraryHandler(logging.Handler):
    """Writes what libraries log, and tracebacks, in the same form and as sparingly."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the unfilled first line of the message, and where an exception came from."""
        about: dict[str, Any] = {"message": str(record.msg).partition("\n")[0][:MAX_MESSAGE]}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            about |= {"kind": type(error).__name__, "frames": frames(error)}
        level = max(record.levelno, logging.DEBUG)
        structlog.get_logger(record.name).log(level, "library", logger=record.name, **about)


def _log_uncaught(kind: type[BaseException], error: BaseException | None, *_: object) -> None:
    """Log an exception that nothing has caught, instead of printing a traceback."""
    found = [] if error is None else frames(error)
    structlog.get_logger("server").error("uncaught", kind=kind.__name__, frames=found)


def configure_logs(level: str) -> None:
    """Write logs as lines of JSON to standard error: our own, of libraries, and tracebacks.

    Each line is one write together with its end, also where Python does not buffer
    (``PYTHONUNBUFFERED``): several workers write to one pipe.
    """
    logging.basicConfig(level=logging.WARNING, handlers=[_LibraryHandler()], force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    sys.unraisablehook = lambda raised: _log_uncaught(raised.exc_type, raised.exc_value)
    threading.excepthook = lambda raised: _log_uncaught(raised.exc_type, raised.exc_value)
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
