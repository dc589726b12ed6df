"""The vocabulary of a game: which classes its snapshots and messages may name."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from taflhall_engine.kernel.agenda import (
    Abandoned,
    Answered,
    Command,
    Event,
    Resigned,
    TimedOut,
    Undone,
    Waiting,
)
from taflhall_engine.kernel.drafts import Answer
from taflhall_engine.kernel.meta_commands import MetaCommand

OWN: Final[tuple[type[Event], ...]] = (Answered, Resigned, TimedOut, Undone, Abandoned)
"""The kernel's own events, which every game has."""


def types_of(*modules: ModuleType) -> dict[str, type]:
    """Return every class defined in *modules*, by name, and the kernel's own.

    Bases of steps and commands are left out: they have no rule.
    Raise ``ValueError`` if two classes share a name: snapshots could not distinguish them.
    """
    found: dict[str, type] = {kind.__name__: kind for kind in (*OWN, Answer, MetaCommand)}
    for module in modules:
        for name, kind in vars(module).items():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                if getattr(kind, "RULE", None) == "":
                    continue
                if found.setdefault(name, kind) is not kind:
                    raise ValueError(f"two classes are called {name}")
    return found


def commands_of(types: dict[str, type]) -> dict[str, type[Command[object]]]:  # type: ignore[type-var]
    """Return the commands among *types*."""
    return {name: kind for name, kind in types.items() if issubclass(kind, Command)}


def decisions_of(types: dict[str, type]) -> dict[str, type[Waiting[object]]]:  # type: ignore[type-var]
    """Return the decisions among *types*."""
    return {name: kind for name, kind in types.items() if issubclass(kind, Waiting)}


def events_of(types: dict[str, type]) -> dict[str, type[Event]]:
    """Return the events among *types*, without the kernel's own."""
    return {
        name: kind for name, kind in types.items() if issubclass(kind, Event) and kind not in OWN
    }
