"""Values of scenarios: references that are filled in, and expectations that are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taflhall_testing.clients.scenarios import InvalidScenario


def filled(value: Any, known: Mapping[str, Any]) -> Any:
    """Return *value* with each text ``$name.key.0`` replaced by what *known* has there."""
    if isinstance(value, dict):
        return {key: filled(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, known) for item in value]
    if isinstance(value, str) and value.startswith("$"):
        found: Any = known
        for key in value[1:].split("."):
            try:
                found = found[int(key)] if isinstance(found, list) else found[key]
            except (LookupError, TypeError, ValueError):
                raise InvalidScenario(f"{value} is not known: {key!r} is missing") from None
        return found
    return value


def differences(wanted: Any, found: Any, where: str = "") -> list[str]:
    """Return how *found* lacks what is *wanted*: nothing if it has all of it.

    ``"@any"`` matches any value but null, ``"@null"`` null or nothing; an object may hold
    ``@one_of`` or ``@at_least``.
    """
    if wanted == "@any":
        return [] if found is not None else [f"{where}: missing"]
    if wanted == "@null":
        return [] if found is None else [f"{where}: {found!r} instead of none"]
    if isinstance(wanted, dict):
        if "@one_of" in wanted:
            fits = any(not differences(one, found) for one in wanted["@one_of"])
            return [] if fits else [f"{where}: {found!r} is not one of {wanted['@one_of']!r}"]
        if "@at_least" in wanted:
            fits = isinstance(found, int | float) and found >= wanted["@at_least"]
            return [] if fits else [f"{where}: {found!r} is not at least {wanted['@at_least']}"]
        if not isinstance(found, dict):
            return [f"{where}: {found!r} is not an object"]
        pairs = [(f"{where}.{key}", item, found.get(key)) for key, item in wanted.items()]
        return [line for key, item, other in pairs for line in differences(item, other, key)]
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) < len(wanted):
            return [f"{where}: {found!r} is shorter than {wanted!r}"]
        both = enumerate(zip(wanted, found, strict=False))
        return [line for n, (a, b) in both for line in differences(a, b, f"{where}.{n}")]
    return [] if wanted == found else [f"{where}: {found!r} instead of {wanted!r}"]
