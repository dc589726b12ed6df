"""G13: time is never up early, never twice for one decision, and never over an answer that counted.

What happened is read from the store; what was promised, from what the players received.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT
from taflhall_service.app.model.clocks import Outage, TimeControl, deadline
from taflhall_service.app.model.records import Entry

ENDS: Final = (TIMEOUT, FORFEIT)
"""What is done for a seat whose time is up."""

IN_TIME_MS: Final = 500
"""An answer acknowledged that long before the deadline is in time by any clock."""


@dataclass
class Answered:
    """An answer that a player gave, by the clock of the machine that all run on."""

    revision: int
    """At which revision it was acknowledged; -1 if it came too late."""
    ended_ms: int
    """When the player learned of it."""
    deadline_ms: int
    """The deadline that the player knew."""


@dataclass
class Timed:
    """A match with clocks: as it is kept, and what its player saw."""

    match_id: str
    terms: TimeControl
    entries: list[Entry]
    timers: set[str]
    """The names under which somebody acted because time was up."""
    outages: tuple[Outage, ...] = ()
    answers: list[Answered] = field(default_factory=list)

    @property
    def ups(self) -> list[Entry]:
        """The timeouts in the stored history."""
        return [entry for entry in self.entries if entry.command in ENDS]


def never_early(timed: Timed) -> list[str]:
    """No seat timed out before its deadline, according to any source."""
    broken = []
    for before, entry in zip(timed.entries, timed.entries[1:], strict=False):
        if entry.command in ENDS and before.clocks is not None:
            end = deadline(timed.terms, before.clocks, entry.seat, timed.outages)
            if not end or entry.at_ms < end:
                broken.append(
                    f"{timed.match_id}: {entry.revision} was up {end - entry.at_ms} ms early"
                )
    for answer in timed.answers:
        if answer.revision < 0 and answer.ended_ms < answer.deadline_ms:
            early = answer.deadline_ms - answer.ended_ms
            broken.append(f"{timed.match_id}: reported {early} ms before the deadline")
    return broken


def once(timed: Timed) -> list[str]:
    """Of all who see that time is up one acts, and once for each decision."""
    broken = []
    if len(timed.timers) != len(timed.ups):
        broken.append(
            f"{timed.match_id}: {len(timed.ups)} times up under {len(timed.timers)} names"
        )
    for before, entry in zip(timed.entries, timed.entries[1:], strict=False):
        if entry.command in ENDS:
            decision = before.pending.get(entry.seat)
            if decision is None or decision == entry.pending.get(entry.seat):
                broken.append(f"{timed.match_id}: {entry.revision} decided nothing that waited")
    return broken


def answers_count(timed: Timed) -> list[str]:
    """An answer that was acknowledged is in the history, and no time was up in its place."""
    broken = []
    entries = {entry.revision: entry for entry in timed.entries}
    for answer in timed.answers:
        if answer.revision < 0:
            continue
        entry = entries.get(answer.revision)
        if entry is None or entry.command in ENDS:
            margin = answer.deadline_ms - answer.ended_ms
            sure = "although it was in time" if margin >= IN_TIME_MS else "in the last moment"
            broken.append(f"{timed.match_id}: the answer of {answer.revision} is gone, {sure}")
    return broken


PROMISES: Final = {
    "G13 never early": never_early,
    "G13 once": once,
    "G13 answers count": answers_count,
}
