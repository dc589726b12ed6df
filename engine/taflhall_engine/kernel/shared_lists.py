"""Changes to a list that copies of a table share: each returns a new list, the old one stays."""

from __future__ import annotations


def replaced(items: list[int], index: int, item: int) -> list[int]:
    """Return *items* with another *item* at *index*."""
    new = items[:]
    new[index] = item
    return new


def without(items: list[int], item: int) -> list[int]:
    """Return *items* without the first *item*."""
    new = items[:]
    new.remove(item)
    return new
