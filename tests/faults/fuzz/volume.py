"""Messages by the hundred thousand, straight into the handlers."""

from __future__ import annotations

import gc
import io
import resource
import time
from collections import Counter
from typing import Any, Final

import grpc
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from taflhall_engine import registry
from tests.faults.fuzz.messages import Maker
from tests.faults.fuzz.pool import SERVICES, Pool
from tests.faults.inside import LIMITS, Answer, Inside, quiet_logs
from tests.faults.scenarios.verdict import Verdict

FORBIDDEN: Final = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
MALFORMED: Final = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED)
DEAR: Final = {"GetRecord": 0.2, "GetView": 0.3, "Imagine": 0.3, "RollOut": 0.2, "GetGame": 0.2}
"""Methods that are sent less often than the others, because they work longer."""
KEEP: Final = 500
"""Matches that fuzzed Creates may leave behind before they are swept out."""


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
    """Send *messages* messages, or as many as fit into *seconds*."""
    verdict, log = Verdict(), io.StringIO()
    quiet_logs(log)
    maker = Maker(seed)
    end = time.monotonic() + seconds
    async with Inside() as inside:
        pool = await Pool.filled(inside, maker, games)
        ours = set(inside.memory.matches)
        methods = unary_methods()
        paths = list(methods)
        weights = [DEAR.get(path.rpartition("/")[2], 1.0) for path in methods]
        outcomes: Counter[str] = Counter()
        before = _memory()
        for number in range(messages):
            (path,) = maker.luck.choices(paths, weights)
            data = spoilt(maker, pool, path, methods[path])
            answer = await inside.call(path, data, metadata_for(maker, pool, data))
            outcomes[answer.reason or answer.code.name] += 1
            judge(verdict, path, methods[path], data, answer)
            if number % 64 == 0:
                if time.monotonic() > end:
                    break
                _sweep(inside, ours)
                await pool.refresh()
        verdict.figures["fuzzed messages"] += sum(outcomes.values())
        verdict.figures["kinds of answers"] = len(outcomes)
        verdict.figures["MB grown"] = max(0, _memory() - before)
        for name, found in inside.memory.matches.items():
            if name in ours and found.schema != 1:
                verdict.blame("G14 fuzz", f"{name} is damaged")
    if '"fault"' in log.getvalue():
        lines = [line for line in log.getvalue().splitlines() if '"fault"' in line]
        verdict.blame("G14 fuzz", lines[0])
    return verdict


def spoilt(maker: Maker, pool: Pool, path: str, kind: type[Message]) -> bytes:
    """Return bytes for *path*: a true request that was spoilt, an invented one, or rubbish."""
    luck, known = maker.luck.random(), pool.requests.get(path)
    if known is None or luck < 0.2:
        message = maker.message(kind.DESCRIPTOR)
    else:
        message = kind()
        message.CopyFrom(maker.luck.choice(known))
        for _ in range(maker.luck.choice((0, 1, 1, 2, 4))):
            maker.spoil(message)
    data: bytes = message.SerializeToString()
    return maker.bytes_of(data) if luck > 0.7 else data


def metadata_for(maker: Maker, pool: Pool, data: bytes) -> tuple[tuple[str, Any], ...]:
    """Return metadata: mostly the secret that fits the match of the request."""
    luck = maker.luck.random()
    own = pool.seats.get(data[2:28].decode("latin-1"))  # field 1, 26 characters
    if own is not None and luck < 0.7:
        return (("authorization", f"Bearer {own}"),)
    if luck < 0.6:
        return (("authorization", f"Bearer {maker.luck.choice(pool.secrets)}"),)
    if luck < 0.8:
        return ()
    name = maker.luck.choice(("authorization", "x-taflhall", "grpc-timeout", "authorization-bin"))
    return ((name, maker.luck.choice((maker.text(), b"\xff\x00", "Bearer", "Bearer  ", ""))),)


def judge(verdict: Verdict, path: str, kind: type[Message], data: bytes, answer: Answer) -> None:
    if answer.code in FORBIDDEN:
        verdict.blame("G14 fuzz", f"{path} {data[:200].hex()} gave {answer.code.name}")
    if answer.code is not grpc.StatusCode.OK and not answer.reason:
        verdict.blame("G14 fuzz", f"{path} {data[:200].hex()} gave no reason")
    try:
        kind.FromString(data)
    except DecodeError:
        if answer.code not in MALFORMED:
            verdict.blame("G14 malformed", f"{path} {data[:200].hex()} gave {answer.code.name}")
    if len(data) > LIMITS.request_bytes and answer.reason != "TOO_LARGE":
        verdict.blame("G14 malformed", f"{path}: {len(data)} bytes gave {answer.reason}")


def _sweep(inside: Inside, ours: set[str]) -> None:
    """Forget matches that fuzzed requests created."""
    memory = inside.memory
    if len(memory.matches) < KEEP:
        return
    for name in set(memory.matches) - ours:
        del memory.matches[name]
        memory.records.pop(name, None)
        memory.entries.pop(name, None)
        inside.matches.forget(name)
    memory.marks[:] = [mark for mark in memory.marks if mark[12:] in ours]
    gc.collect()


def _memory() -> int:
    """Return the most memory this process has ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
