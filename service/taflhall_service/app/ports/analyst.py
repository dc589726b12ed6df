"""The port to the analyst, which judges the decisions of finished matches by search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class AnalystUnavailable(Exception):
    """The analyst did not end its work; too much was asked, or it was killed."""


class AnalystBusy(Exception):
    """Too many analyses wait; try again after *seconds*."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class InvalidRecord(Exception):
    """The record does not replay; the message says why."""


@dataclass(frozen=True, slots=True)
class AnalysisOrder:
    """The decisions to be judged, and the work to be spent on each."""

    record: dict[str, Any]
    """As :mod:`taflhall_engine.kernel.record` writes it; of the digests only the last counts."""
    first_revision: int
    decisions: int
    """How many at most."""
    iterations: int
    trials: int
    seed: int


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """What a decision was worth; expected results run from 0 (lost) to 1 (won alone)."""

    revision: int
    seat: int
    chosen: str
    """The answer that was given, in notation."""
    best: str
    """The best answer that was found, in notation."""
    before: float
    after: float
    error: float
    """The standard error of the difference."""
    grade: str
    """``inaccuracy``, ``mistake``, ``blunder``, or empty."""


@dataclass(frozen=True, slots=True)
class JudgedDecisions:
    """Judgements, and the first revision that was not looked at; 0 after the last."""

    decisions: list[JudgedDecision]
    next_revision: int


class Analyst(Protocol):
    """Judges decisions without delaying other calls."""

    async def judge(self, caller: str, order: AnalysisOrder) -> JudgedDecisions:
        """Return the judgement of each decision that *order* names, at the cost of *caller*.

        Raise :exc:`InvalidRecord`, :exc:`AnalystBusy` or :exc:`AnalystUnavailable`.
        """
        ...


class NoAnalyst:
    """The analyst of a server without one."""

    async def judge(self, caller: str, order: AnalysisOrder) -> JudgedDecisions:
        """Raise :exc:`AnalystUnavailable`."""
        raise AnalystUnavailable
