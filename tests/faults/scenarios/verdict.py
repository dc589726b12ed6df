"""What a scenario found: figures, and the promises that were broken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

MEASURED: Final = ("ms ", "KB ", "MB ")
"""How the names of figures begin of which the worst counts, not the sum."""


class Void(AssertionError):
    """Too little happened for the run to say anything."""


@dataclass
class Verdict:
    """Figures by name, and for each broken promise what was seen."""

    figures: Counter[str] = field(default_factory=Counter)
    broken: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: Verdict) -> None:
        """Take in what another run found."""
        for name, count in other.figures.items():
            worst = name.startswith(MEASURED)
            self.figures[name] = (
                max(self.figures[name], count) if worst else (self.figures[name] + count)
            )
        for promise, seen in other.broken.items():
            self.broken.setdefault(promise, []).extend(seen)

    def blame(self, promise: str, what: str) -> None:
        """Say that *promise* was broken."""
        self.broken.setdefault(promise, []).append(what)

    def at_least(self, **figures: int) -> None:
        """Raise :exc:`Void` if a figure is smaller than that, unless something is broken."""
        for name, least in figures.items():
            if self.figures[name] < least and not self.broken:
                raise Void(f"{name}: {self.figures[name]}, needed {least}: {self.summary()}")

    def clean(self) -> None:
        """Raise ``AssertionError`` if a promise was broken."""
        assert not self.broken, self.summary()

    def summary(self) -> str:
        """Return figures and broken promises in words."""
        lines = [", ".join(f"{count:,} {name}" for name, count in sorted(self.figures.items()))]
        for promise, seen in self.broken.items():
            lines.append(f"BROKEN {promise}: {len(seen)} times, such as")
            lines += [f"    {what}" for what in seen[:3]]
        return "\n".join(lines)
