"""Corrections of component data: an overlay names single values and leaves the rest as shipped.

An overlay has the structure of ``components.toml``. Tables are merged key by key, entries of an
array of tables by their ``id``, and any other value replaces the shipped one, also a table inside
an entry (such as the goods of a stall)::

    [[troll]]
    id = "troll_01"
    glory = 6
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

Tables = dict[str, Any]


def merged(shipped: Tables, overlay: Tables) -> Tables:
    """Return *shipped* with the values of *overlay*; neither is changed."""
    result = dict(shipped)
    for key, value in overlay.items():
        before = result.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = merged(before, value)
        elif _entries(before) and _entries(value):
            changes = {entry.get("id"): entry for entry in value}
            result[key] = [entry | changes.get(entry.get("id"), {}) for entry in before]
        else:
            result[key] = value
    return result


def unknown_keys(shipped: Tables, found: Tables, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each place of *found* that *shipped* does not have, with what would be right."""
    for key, value in found.items():
        at = f"{place}.{key}" if place else key
        before = shipped.get(key)
        if key not in shipped:
            yield at, f"unknown key; known are {', '.join(sorted(shipped))}"
        elif isinstance(before, dict) and isinstance(value, dict):
            yield from unknown_keys(before, value, at)
        elif _entries(before) and _entries(value):
            known = sorted({name for entry in before for name in entry})
            for entry in value:
                where = f"{at}.{entry['id']}" if "id" in entry else at
                for name in entry:
                    if name not in known:
                        yield f"{where}.{name}", f"unknown key; known are {', '.join(known)}"


def unknown_ids(shipped: Tables, overlay: Tables, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each entry of *overlay* that corrects nothing: its ``id`` is missing or not shipped."""
    for key, value in overlay.items():
        at = f"{place}.{key}" if place else key
        before = shipped.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            yield from unknown_ids(before, value, at)
        elif _entries(before) and _entries(value):
            ids = [entry["id"] for entry in before if "id" in entry]
            for entry in value:
                if "id" not in entry:
                    yield at, "an entry needs its id"
                elif entry["id"] not in ids:
                    yield f"{at}.{entry['id']}", f"unknown id; known are {', '.join(map(str, ids))}"


def _entries(value: Any) -> TypeGuard[list[Tables]]:
    """Return whether *value* is an array of tables."""
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) for e in value)
