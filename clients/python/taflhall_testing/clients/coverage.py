"""What was touched: methods as the servers saw them, reasons as the client reported them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from taflhall_testing.clients.scenarios import METHODS
from taflhall_wire.error_reasons import REASONS


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of calls by method and of errors by reason, by the kind of server."""

    methods: dict[str, Counter[str]] = field(
        default_factory=lambda: {"real": Counter(), "fake": Counter()}
    )
    reasons: dict[str, Counter[str]] = field(
        default_factory=lambda: {"real": Counter(), "fake": Counter()}
    )

    @property
    def untouched(self) -> list[str]:
        """The methods that were never called, and the reasons that were never reported."""
        methods = [m for m in METHODS if not any(by[m] for by in self.methods.values())]
        return methods + [r for r in REASONS if not any(by[r] for by in self.reasons.values())]

    def table(self) -> list[str]:
        """Return the lines of a table of all methods and reasons."""
        lines = [f"{'':52}{'real':>8}{'fake':>8}"]
        lines += [_line(name, self.methods) for name in METHODS]
        lines += [_line(name, self.reasons) for name in REASONS]
        return lines


def _line(name: str, counts: dict[str, Counter[str]]) -> str:
    short = name.removeprefix("taflhall.")
    figures = "".join(f"{counts[kind][name] or '-':>8}" for kind in ("real", "fake"))
    return f"{short:52}{figures}"
