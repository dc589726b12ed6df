"""Deliberate faults: each must be found by the rig, or the rig proves nothing.

A :class:`Seed` is a fault that could be made, as a patch of the service (``storing``, ``telling``,
``watching``, ``keeping``, ``allowing``), and the hunt that has to find it (``hunts``).
:data:`SEEDS` lists all.
:func:`plant` puts one into this process; it is called only in the processes of a hunt.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple


class Seed(NamedTuple):
    """One deliberate fault."""

    name: str
    plant: Callable[[], None]
    hunt: str
    """The name of the hunt, see :mod:`tests.faults.seeded.hunts`."""
    breaks: str
    """How the promise begins that must be found broken; several with ``|``."""

    @property
    def says(self) -> str:
        return (self.plant.__doc__ or "").strip()


class NothingToHold(Exception):
    """The service has changed, so that a patch no longer does anything."""


def _seeds() -> dict[str, Seed]:
    from tests.faults.seeded import allowing, keeping, storing, telling, watching

    found: dict[str, Seed] = {}
    for module in (storing, telling, watching, keeping, allowing):
        for function, hunt, breaks in module.SEEDS:
            name = function.__name__
            found[name] = Seed(name, function, hunt, breaks)
    return found


SEEDS: Final = _seeds


def plant(name: str) -> None:
    """Plant the fault called *name* in this process."""
    SEEDS()[name].plant()


def fits() -> None:
    """Plant the fault named on the command line, to see whether that can still be done."""
    plant(sys.argv[1])


def exchange(place: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Replace ``place.name`` by what *make* makes of it, which takes the same arguments."""
    if not hasattr(place, name):
        raise NothingToHold(f"{place}.{name}")
    before = getattr(place, name)
    after = make(before)
    if callable(before) and not _takes_the_same(before, after):
        raise NothingToHold(f"the arguments of {place}.{name}")
    setattr(place, name, after)


def _takes_the_same(before: Any, after: Any) -> bool:
    old = inspect.signature(before).parameters.values()
    new = inspect.signature(after).parameters.values()
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in new):
        return True
    return [parameter.kind for parameter in old] == [parameter.kind for parameter in new]


def edit(place: Any, name: str, before: str, after: str) -> None:
    """Replace a piece of a text that the service runs."""
    text = getattr(place, name)
    if before not in text:
        raise NothingToHold(f"{before!r} in {name}")
    setattr(place, name, text.replace(before, after))
