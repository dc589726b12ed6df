"""Messages that are built once for all who look at the same match or entry."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class MessageCache(Generic[Owner, K, V]):
    """Remembers what was built of an owner, by a key, for as long as the owner lives."""

    __slots__ = ("_built",)

    def __init__(self) -> None:
        self._built: WeakKeyDictionary[Owner, dict[K, V]] = WeakKeyDictionary()

    def get(self, owner: Owner, key: K, build: Callable[[], V]) -> V:
        """Return the cached value of *owner* under *key*, built by *build* if it is missing."""
        built = self._built.get(owner)
        if built is None:
            built = self._built[owner] = {}
        found = built.get(key)
        if found is None:
            found = built[key] = build()
        return found
