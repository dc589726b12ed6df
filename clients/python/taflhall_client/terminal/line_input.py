"""Lines from a person: what was typed before the question was shown does not answer it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

POLL_SECONDS: Final = 0.1
"""How long it takes at most to see that a question is void."""


class Overtaken(Exception):
    """The question is void: the others, or the clock, have answered it."""


def read_line(prompt: str, overtaken: Callable[[], bool] = lambda: False) -> str:
    """Ask for a line; raise ``EOFError`` at the end of input, :exc:`Overtaken` if that is so.

    From a terminal, what was typed earlier is dropped. Other input is a script: its lines are
    taken in order.
    """
    if not _is_terminal():
        return input(prompt)
    import select

    drop_unread_keys()
    print(prompt, end="", flush=True)
    while True:
        if overtaken():
            print()
            raise Overtaken
        ready, _, _ = select.select([sys.stdin], [], [], POLL_SECONDS)
        if ready:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line.rstrip("\n")


def drop_unread_keys() -> bool:
    """Drop what was typed in the terminal and has not been read yet; return whether any was seen.

    A terminal that edits lines itself shows none before their Enter.
    """
    if not _is_terminal():
        return False
    import select
    import termios

    unread, _, _ = select.select([sys.stdin], [], [], 0)
    termios.tcflush(sys.stdin, termios.TCIFLUSH)
    return bool(unread)


def _is_terminal() -> bool:
    return sys.platform != "win32" and sys.stdin is not None and sys.stdin.isatty()
