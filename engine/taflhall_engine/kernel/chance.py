"""Chance: the only randomness of the engine, passed in from outside.

A rule asks for a number (:meth:`Chance.below`), an order (:meth:`Chance.shuffle`) or a
handful of tokens (:meth:`Chance.draw`). Who answers decides what kind of match it is:

* :class:`KeyedChance` for hosted matches: a secret and a counter, provable afterwards;
* :class:`FastChance` for rollouts and searches: fast, reproducible, not secret;
* :class:`ScriptedChance` for conformance cases: results that are written down.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, final

if TYPE_CHECKING:  # for mypyc: a machine word instead of an int of any size
    from mypy_extensions import i64

SECRET_BYTES: Final = 32
"""Length of a hosted match's secret: 256 bits."""

_WORD: Final = 1 << 64


class Chance:
    """A source of random numbers. Subclasses say where :meth:`below` comes from."""

    def below(self, n: int) -> int:
        """Return one of ``range(n)``, each equally likely; *n* is from 1 to 2**32."""
        raise NotImplementedError

    def shuffle(self, items: list[int]) -> None:
        """Put *items* into a random order, in place (Fisher-Yates from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            held = items[i]
            items[i] = items[j]
            items[j] = held

    def draw(self, counts: list[int], m: int) -> list[int]:
        """Draw *m* tokens without replacement from a bag that holds ``counts[k]`` of kind *k*.

        Return how many of each kind came out; *counts* itself is left as it is. *m* must
        not exceed the number of tokens.
        """
        left = counts[:]
        total = 0
        for count in left:
            total += count
        drawn = [0] * len(left)
        for _ in range(m):
            token = self.below(total)
            kind = 0
            while token >= left[kind]:
                token -= left[kind]
                kind += 1
            left[kind] -= 1
            drawn[kind] += 1
            total -= 1
        return drawn

    def copy(self) -> Chance:
        """Return an independent source that will give the same numbers."""
        raise NotImplementedError


@final
class KeyedChance(Chance):
    """Random numbers of a hosted match: BLAKE2b over a counter, keyed with the match's secret.

    Word *k* is the 8-byte BLAKE2b digest of the 8-byte big-endian number *k* under the key
    *secret*, read big-endian. ``below(n)`` takes the next word smaller than the greatest
    multiple of *n* up to 2**64, modulo *n*. So every die and shuffle can be recomputed with
    the secret, and none can be predicted without it.
    """

    def __init__(self, secret: bytes, draws: int = 0) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, this one has {len(secret)}")
        self.secret: Final = secret
        self.draws = draws
        """How many 64-bit words have been drawn: the counter."""

    def below(self, n: int) -> int:
        limit = _WORD - _WORD % n
        while True:
            digest = blake2b(self.draws.to_bytes(8, "big"), digest_size=8, key=self.secret)
            self.draws += 1
            word = int.from_bytes(digest.digest(), "big")
            if word < limit:
                return word % n

    def copy(self) -> Chance:
        return KeyedChance(self.secret, self.draws)


_M1: Final = 2147483563
_M2: Final = 2147483399


@final
class FastChance(Chance):
    """Fast random numbers for rollouts and searches: L'Ecuyer's combined generator (1988).

    Two multiplicative generators of 31 bits, combined; period about 2**61. Every number
    stays below 2**63: compiled, all of it is arithmetic of machine words, and the same seed
    gives the same numbers compiled and plain, everywhere.
    """

    def __init__(self, seed: int, other: int = 0) -> None:
        x: i64 = seed % (_M1 - 1) + 1
        self.seed: i64 = x * x % _M1 * x % _M1 * x % _M1 * x % _M1  # x**5 parts neighbouring seeds
        self.other: i64 = (other if other > 0 else seed // (_M1 - 1) * 7919 + 12345) % (_M2 - 1) + 1

    def below(self, n: int) -> int:
        self.seed = self.seed * 40014 % _M1
        self.other = self.other * 40692 % _M2
        return (self.seed - self.other) % (_M1 - 1) * n // (_M1 - 1)

    def shuffle(self, items: list[Any]) -> None:
        """Do what :meth:`Chance.shuffle` does, without a call for each item."""
        seed, other = self.seed, self.other
        i: i64 = len(items) - 1
        while i > 0:
            seed = seed * 40014 % _M1
            other = other * 40692 % _M2
            j = (seed - other) % (_M1 - 1) * (i + 1) // (_M1 - 1)
            held = items[i]
            items[i] = items[j]
            items[j] = held
            i -= 1
        self.seed, self.other = seed, other

    def copy(self) -> Chance:
        twin = FastChance(0)
        twin.seed = self.seed
        twin.other = self.other
        return twin


class ChanceExhausted(Exception):
    """A scripted chance was asked for more results than was written down."""


@final
class ScriptedChance(Chance):
    """Scripted random numbers: three queues, one for each kind of question.

    *numbers* answer :meth:`below`, *draws* answer :meth:`draw`, *orders* answer
    :meth:`shuffle` (the wanted result). Without an order left a shuffle changes nothing.
    """

    def __init__(self, numbers: list[int], draws: list[list[int]], orders: list[list[int]]) -> None:
        self.numbers = numbers
        self.draws = draws
        self.orders = orders

    def below(self, n: int) -> int:
        if not self.numbers:
            raise ChanceExhausted(f"no number is left for below({n})")
        number = self.numbers.pop(0)
        if not 0 <= number < n:
            raise ChanceExhausted(f"{number} is written down, but below({n}) was asked")
        return number

    def draw(self, counts: list[int], m: int) -> list[int]:
        if not self.draws:
            raise ChanceExhausted(f"no draw is left for {m} tokens of {counts}")
        drawn = self.draws.pop(0)
        total = 0
        for kind in range(len(counts)):
            if not 0 <= drawn[kind] <= counts[kind]:
                raise ChanceExhausted(f"{drawn} is written down, but the bag holds {counts}")
            total += drawn[kind]
        if total != m:
            raise ChanceExhausted(f"{drawn} is written down, but {m} tokens are drawn")
        return drawn

    def shuffle(self, items: list[int]) -> None:
        if not self.orders:
            return
        order = self.orders.pop(0)
        if sorted(order) != sorted(items):
            raise ChanceExhausted(f"{order} is written down, but {items} are shuffled")
        items[:] = order

    def left(self) -> int:
        """Return how many results have not been used."""
        return len(self.numbers) + len(self.draws) + len(self.orders)

    def copy(self) -> Chance:
        return ScriptedChance(self.numbers[:], self.draws[:], self.orders[:])
