"""Processes that help a search: each answers questions that come over a pipe."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any, Final
from weakref import finalize

from taflhall_engine.kernel.snapshot import dump
from taflhall_engine.kernel.value import Value


class Helpers:
    """Processes that run *target(connection, *arguments)*, one for each of *arguments*.

    They are killed when this object is deleted, and end with this process.
    """

    def __init__(self, target: Callable[..., None], arguments: list[tuple[Any, ...]]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connections: Final = []
        for own in arguments:
            ours, theirs = context.Pipe()
            process = context.Process(target=target, args=(theirs, *own), daemon=True)
            process.start()
            theirs.close()
            self._connections.append(ours)
            finalize(self, process.kill)

    def ask(self, question: Value) -> None:
        """Send *question* to every process, as :func:`dump` writes it."""
        if self._connections:
            written = dump(question)
            for connection in self._connections:
                connection.send(written)

    def answers(self) -> list[Any]:
        """Return the answer of every process to the last question."""
        return [connection.recv() for connection in self._connections]
