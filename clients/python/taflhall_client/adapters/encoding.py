"""Views and options as vectors of a fixed length, by feature hashing.

A value is a tree: fields by name, lists by index, numbers at the leaves. Each leaf adds to two
places of the vector, which a hash of its path chooses together with a sign (Weinberger et al.
2009): its size to one, and to another a one for exactly this number, since many numbers are names.
So every game, and every version of it, has vectors of the same length without a table of its own,
at the price of collisions; a longer vector has fewer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import MAX_OPTIONS
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import Value, field_names

Floats = NDArray[np.float32]
Mask = NDArray[np.int8]

VIEW_SIZE: Final = 1024
OPTION_SIZE: Final = 64
LARGEST: Final = 8.0
"""Entries lie between minus this and this."""


class Encoder:
    """Turns views into vectors of *view_size* and options into rows of *option_size*."""

    def __init__(self, view_size: int = VIEW_SIZE, option_size: int = OPTION_SIZE) -> None:
        self.view_size: Final = view_size
        self.option_size: Final = option_size
        self._hashes: Final[dict[str, int]] = {}

    def view(self, view: View) -> Floats:
        """Return what the seat of *view* may know: shape ``(view_size,)``."""
        found = np.zeros(self.view_size, np.float32)
        self._add(found, "seat", view.seat)
        self._add(found, "public", view.public)
        self._add(found, "private", view.private)
        return np.clip(found, -LARGEST, LARGEST)

    def options(self, decision: Decision) -> Floats:
        """Return the options of *decision*: shape ``(number of options, option_size)``."""
        found = np.zeros((len(decision.options), self.option_size), np.float32)
        asked = type(decision.step).__name__
        for row, option in zip(found, decision.options, strict=True):
            name = type(option).__name__
            self._add(row, f"{asked}/{name}", 1)
            self._add(row, f"{asked}/{name}", option)
        return np.clip(found, -LARGEST, LARGEST)

    def _add(self, found: Floats, path: str, value: Any) -> None:
        if isinstance(value, Value):
            for name in field_names(type(value)):
                self._add(found, f"{path}.{name}", getattr(value, name))
        elif isinstance(value, list | tuple):
            self._leaf(found, f"{path}#", len(value))
            for at, item in enumerate(value):
                self._add(found, f"{path}.{at}", item)
        elif isinstance(value, int):
            self._leaf(found, path, value)
            self._leaf(found, f"{path}={value}", 1)
        elif value is not None:
            self._leaf(found, f"{path}={value}", 1)

    def _leaf(self, found: Floats, path: str, number: int) -> None:
        code = self._hashes.get(path)
        if code is None:
            code = self._hashes[path] = crc32(path.encode())
        size = math.copysign(math.log1p(abs(number)), number)
        found[(code >> 1) % len(found)] += size if code & 1 else -size


def mask_of(options: Sequence[object]) -> Mask:
    """Return which actions are legal: ones for as many as there are *options*."""
    mask = np.zeros(MAX_OPTIONS, np.int8)
    mask[: len(options)] = 1
    return mask


def returns_of(places: Sequence[int], won: Sequence[bool], *, cooperative: bool) -> list[float]:
    """Return what each seat gained, -1 to 1: the share of opponents that came behind, or the win.

    Without *places* nobody gained anything.
    """
    if not places:
        return [0.0] * len(won)
    if cooperative or len(places) == 1:
        return [1.0 if one else -1.0 for one in won]
    others = len(places) - 1
    return [sum((own < other) - (own > other) for other in places) / others for own in places]
