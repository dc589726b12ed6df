"""Messages by the million, straight into the handlers: bytes in, a status and bytes out.

Every message passes the whole gate of a server: limits, metadata, parsing, the use case, the
store. Three kinds take turns:

* *bytes*: true requests whose bytes were cut, twisted, doubled, and bytes that never were any;
* *mutants*: messages with fields that are missing, strange, or of another message;
* *steps*: requests that are true, or false in one way, against a model (:mod:`.steps`).
"""

from __future__ import annotations

import gc
import io
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from taflhall_engine import registry
from taflhall_service.app.model import match
from tests.faults.fuzz.messages import Maker
from tests.faults.fuzz.pool import SERVICES, Pool
from tests.faults.fuzz.steps import Steps, Surprise
from tests.faults.inside import LIMITS, Answer, Inside, quiet_logs
from tests.faults.scenarios.verdict import Verdict

FORBIDDEN: Final = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
MALFORMED: Final = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED)
DEAR: Final = {
    "ApplyAnswers": 0.2,
    "CreateMatch": 0.5,
    "GetMatchRecord": 0.05,
    "GetMatchView": 0.1,
    "ImagineTables": 0.1,
    "ListMatches": 0.3,
    "ListOptions": 0.2,
    "Rollout": 0.1,
}
"""Methods that are sent less often than the others, because they work longer."""
KEEP: Final = 150
"""Matches that fuzzed Creates may leave behind before they are deleted."""

BYTES, MUTANTS, STEPS = 768, 80, 16
"""Messages of each kind in one round (of the last: steps)."""

WARM: Final = 300_000
"""Messages after which memory should grow no more."""


def unary_methods() -> dict[str, type[Message]]:
    """Return the unary methods of the contract with their requests, by path."""
    found: dict[str, type[Message]] = {}
    for service in SERVICES:
        for method in Default().FindServiceByName(service).methods:
            if not method.server_streaming:
                found[f"/{service}/{method.name}"] = GetMessageClass(method.input_type)
    return found


async def volume(
    messages: int, seed: int, games: tuple[str, ...] = tuple(registry.GAMES), seconds: float = 1e9
) -> Verdict:
    """Send *messages* messages or more, or as many as fit into *seconds*."""
    log = io.StringIO()
    quiet_logs(log)
    async with Inside() as inside:
        fuzz = await Fuzz.ready(inside, seed, games)
        end = time.monotonic() + seconds
        while fuzz.sent < messages and time.monotonic() < end:
            await fuzz.round()
            fuzz.overhear(log)
        return fuzz.ended()


class Fuzz:
    """One server, what is sent to it and what is thought of its answers."""

    def __init__(self, inside: Inside, seed: int, maker: Maker, pool: Pool) -> None:
        self.verdict: Final = Verdict()
        self._inside = inside
        self._maker = maker
        self._rng: Final[random.Random] = maker.rng
        self._pool = pool
        self._ours = set(inside.memory.matches)
        self._whole = self._copy()
        self._methods = unary_methods()
        self._paths = list(self._methods)
        self._weights = [DEAR.get(path.rpartition("/")[2], 1.0) for path in self._paths]
        self._steps = Steps(inside, seed)
        self._outcomes: Counter[str] = Counter()
        self._sent: Counter[str] = Counter()
        self._warm = (0, 0)

    @classmethod
    async def ready(cls, inside: Inside, seed: int, games: tuple[str, ...]) -> Fuzz:
        maker = Maker(seed)
        return cls(inside, seed, maker, await Pool.filled(inside, maker, games))

    @property
    def sent(self) -> int:
        return sum(self._sent.values())

    async def round(self) -> None:
        """Send some of each kind."""
        await self._bytes(BYTES)
        await self._mutants(MUTANTS)
        await self._take(STEPS)
        self._reset()
        await self._pool.refresh()
        if not self._warm[0] and self.sent > WARM:
            self._warm = (self.sent, memory())

    async def _bytes(self, count: int) -> None:
        """Send bytes that were messages, and bytes that were none."""
        rng, maker = self._rng, self._maker
        for path in rng.choices(self._paths, self._weights, k=count // 16):
            kind, call = self._methods[path], self._inside.call
            known = self._pool.requests.get(path)
            valid = rng.choice(known).SerializeToString() if known else b""
            metadata = metadata_for(maker, self._pool, valid)
            for _ in range(16):
                data = maker.bytes_of(valid)
                answer = await call(path, data, metadata)
                self._note(path, kind, data, answer)
        self._sent["bytes"] += count // 16 * 16

    async def _mutants(self, count: int) -> None:
        """Send messages in which fields were changed, some of them with bytes changed too."""
        for path in self._rng.choices(self._paths, self._weights, k=count):
            kind = self._methods[path]
            data = spoilt(self._maker, self._pool, path, kind)
            metadata = metadata_for(self._maker, self._pool, data)
            self._note(path, kind, data, await self._inside.call(path, data, metadata))
        self._sent["mutants"] += count

    async def _take(self, count: int) -> None:
        """Take some steps against the model."""
        for _ in range(count):
            try:
                await self._steps.take()
            except Surprise as surprise:
                self.verdict.blame("G14 steps", str(surprise))
        self._sent["steps"] = self._steps.sent

    def _note(self, path: str, kind: type[Message], data: bytes, answer: Answer) -> None:
        self._outcomes[answer.reason or answer.code.name] += 1
        judge(self.verdict, path, kind, data, answer)

    def overhear(self, log: io.StringIO) -> None:
        """Look for faults in what was logged, and forget it."""
        if log.tell():
            for line in log.getvalue().splitlines():
                if '"fault"' in line:
                    self.verdict.blame("G14 fuzz", line)
            log.seek(0)
            log.truncate()

    def ended(self) -> Verdict:
        """Return what was found."""
        figures = self.verdict.figures
        figures["fuzzed messages"] = self.sent
        for kind, count in self._sent.items():
            figures[f"fuzzed messages: {kind}"] = count
        figures["kinds of answers"] = len(self._outcomes)
        warm, before = self._warm
        if warm and self.sent > 2 * warm:
            gc.collect()
            figures["fuzzed messages after warming up"] = self.sent - warm
            figures["bytes grown after warming up"] = memory() - before
        for name, found in self._inside.memory.matches.items():
            if name in self._ours and found.schema != 1:
                self.verdict.blame("G14 fuzz", f"{name} is damaged")
        return self.verdict

    def _copy(self) -> list[tuple[str, Any, list[Any], dict[str, bytes]]]:
        """Return our matches as they are stored now."""
        kept = self._inside.memory
        return [
            (name, kept.matches[name], list(kept.entries[name]), dict(kept.records[name]))
            for name in self._ours
        ]

    def _reset(self) -> None:
        """Forget matches that fuzzed requests created, and set ours back to where they were.

        So there is always something to do to them, and what is stored does not grow.
        """
        kept = self._inside.memory
        if len(kept.matches) < KEEP:
            return
        ours = self._ours | self._steps.known
        for name in set(kept.matches) - ours:
            kept.drop(name)
            self._inside.matches.forget(name)
        for name, found, entries, records in self._whole:
            kept.matches[name] = found
            kept.entries[name], kept.records[name] = list(entries), dict(records)
            self._inside.matches.forget(name)
        kept.indexes[""][:] = [
            index_key for index_key in kept.indexes[""] if index_key[12:] in ours
        ]
        match.read_origin.cache_clear()  # it has a bound, but a far one
        gc.collect()


def spoilt(maker: Maker, pool: Pool, path: str, kind: type[Message]) -> bytes:
    """Return bytes for *path*: a mutated valid request, a generated one, or random bytes."""
    rng, known = maker.rng.random(), pool.requests.get(path)
    if known is None or rng < 0.2:
        message = maker.message(kind.DESCRIPTOR)
    else:
        message = kind()
        message.CopyFrom(maker.rng.choice(known))
        for _ in range(maker.rng.choice((0, 1, 1, 2, 4))):
            maker.spoil(message)
    data: bytes = message.SerializeToString()
    return maker.bytes_of(data) if rng > 0.7 else data


def metadata_for(maker: Maker, pool: Pool, data: bytes) -> tuple[tuple[str, Any], ...]:
    """Return metadata: mostly the secret for the match of the request."""
    rng = maker.rng.random()
    own = pool.seats.get(data[2:28].decode("latin-1"))  # field 1, 26 characters
    if own is not None and rng < 0.7:
        return (("authorization", f"Bearer {own}"),)
    if rng < 0.6:
        return (("authorization", f"Bearer {maker.rng.choice(pool.secrets)}"),)
    if rng < 0.8:
        return ()
    name = maker.rng.choice(("authorization", "x-taflhall", "grpc-timeout", "authorization-bin"))
    return ((name, maker.rng.choice((maker.text(), b"\xff\x00", "Bearer", "Bearer  ", ""))),)


def judge(verdict: Verdict, path: str, kind: type[Message], data: bytes, answer: Answer) -> None:
    """Blame an answer that no message may get."""
    if answer.code in FORBIDDEN:
        verdict.blame("G14 fuzz", f"{path} {data[:200].hex()} gave {answer.code.name}")
    if not answer.reason and answer.code is not grpc.StatusCode.OK:
        verdict.blame("G14 fuzz", f"{path} {data[:200].hex()} gave no reason")
    if answer.code not in MALFORMED and answer.reason != "API_KEY_INVALID":  # judged before it
        try:
            kind.FromString(data)
        except DecodeError:
            verdict.blame("G14 malformed", f"{path} {data[:200].hex()} gave {answer.code.name}")
    if len(data) > LIMITS.request_bytes and answer.reason != "TOO_LARGE":
        verdict.blame("G14 malformed", f"{path}: {len(data)} bytes gave {answer.reason}")


def memory() -> int:
    """Return how much memory this process has now, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
