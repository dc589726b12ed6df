"""The result of one match of a tournament, and the faults of those who played it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from taflhall_client.rating.outcome import Outcome

ILLEGAL: Final = "illegal_answer"
LATE: Final = "late"
CRASH: Final = "crash"
SILENT: Final = "silent"
FAULTS: Final = (ILLEGAL, LATE, CRASH, SILENT)
"""Faults of a bot: an illegal answer, a late answer, an exception or exit, no answer at all."""


SHOWN: Final = 200
"""The most characters that are shown of what a bot wrote."""


def shortened(text: str) -> str:
    """Return *text*, which a bot may have written, cut to :data:`SHOWN` characters."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's fault. Its seat resigned; nobody else lost by it."""

    seat: int
    entrant: str
    kind: str
    text: str
    evidence: str = ""
    """The file of its evidence, relative to the folder of the tournament."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    match_id: str
    entrants: tuple[str, ...]
    """By seat."""
    places: tuple[int, ...]
    won: tuple[bool, ...]
    scores: tuple[int, ...]
    reasons: tuple[str, ...]
    commands: int
    seconds: tuple[float, ...]
    """The time that each seat's bot took."""
    decisions: tuple[int, ...]
    """How many decisions with a choice each seat had."""
    faults: tuple[Fault, ...] = ()
    scenario: str = ""
    record: str = ""
    """The file of the record, relative to the folder of the tournament."""
    record_sha256: str = ""
    """The digest of that file, in hex."""
    cpu_seconds: tuple[float, ...] = ()
    """The processor time of each seat's program, 0 for a Python bot; empty without programs."""
    adjudicated: bool = False
    """Whether the game's own bot played its end, because it took too many commands."""
    set_aside: str = ""
    """Why the match does not count; empty if it does."""
    suspect: int = -1
    """The seat that decided when the process of a match that was set aside was killed, and may have
    killed it itself; -1: none."""

    def outcome(self, block: int = 0) -> Outcome:
        """Return who came before whom. Who made a fault comes after everybody else."""
        return Outcome.of_places(self.entrants, self._places(), block)

    def outcome_by_seat(self) -> list[list[int]]:
        """Return the seats of each place, best first; faults count as in :meth:`outcome`."""
        places = self._places()
        return [
            [seat for seat, place in enumerate(places) if place == one]
            for one in sorted(set(places))
        ]

    def _places(self) -> list[int]:
        guilty = {fault.seat for fault in self.faults}
        last = max(self.places, default=0)
        return [p + last if seat in guilty else p for seat, p in enumerate(self.places)]

    def to_data(self) -> dict[str, Any]:
        """Return the result as plain data, for JSON."""
        data: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["faults"] = [
            {name: getattr(fault, name) for name in Fault.__dataclass_fields__}
            for fault in self.faults
        ]
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> MatchResult:
        """Return the result that :meth:`to_data` wrote."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        fields["faults"] = tuple(Fault(**fault) for fault in data["faults"])
        return cls(**fields)
