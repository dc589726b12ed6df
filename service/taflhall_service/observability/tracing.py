"""Traces: the spans of a call, from its admission to the delivery of what it has committed.

The :class:`Tracer` here records nothing and costs next to nothing. With ``--otel`` a server has
the one of :mod:`~taflhall_service.observability.otel`, which alone imports OpenTelemetry.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final, Protocol, Self

Metadata = Iterable[tuple[str, str | bytes]]


class Committed(Protocol):
    """An entry of a match's history."""

    @property
    def revision(self) -> int:
        """The match's revision after it."""
        ...

    @property
    def memo(self) -> dict[Hashable, Any]:
        """What this process remembers of it; it is not stored."""
        ...


class Span:
    """A part of a trace, around what its ``with`` block does; this one is not recorded.

    An exception that leaves the block is recorded: a refusal with its reason.
    """

    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def concern(self, match_id: str) -> None:
        """Record the match that it is about."""

    def end_with(self, outcome: str) -> None:
        """Record how it ended."""

    def lead_to(self, entries: Iterable[Committed]) -> None:
        """Let the deliveries of *entries* by this process follow from it."""


UNRECORDED: Final = Span()


class Tracer:
    """Makes the spans of a server; here all of them are the one that is not recorded."""

    is_on = False
    """Whether any span is recorded."""

    def call(self, method: str, metadata: Callable[[], Metadata | None]) -> Span:
        """Return the span of a call of ``package.Service/Method``.

        It continues its caller's trace.
        """
        return UNRECORDED

    def end_call(self, outcome: str) -> None:
        """Record that the call around this ends with ``OK``, a reason, or ``CANCELLED``."""

    def admission(self) -> Span:
        """Return the span of admitting a call."""
        return UNRECORDED

    def use_case(self, request: object) -> Span:
        """Return the span of a change of a match, named after *request*: lock, load, commits."""
        return UNRECORDED

    def commit(self, match_id: str, revision: int) -> Span:
        """Return the span of one commit, after which the match has *revision*."""
        return UNRECORDED

    def answer(self) -> Span:
        """Return the span of an answer in a stream: a trace of its own, linked to the stream."""
        return UNRECORDED

    def delivery(self, entry: Committed, match_id: str) -> Span:
        """Return the span of sending *entry* to a watcher, which its commit led to.

        Without such a commit in this process it is not recorded.
        """
        return UNRECORDED
