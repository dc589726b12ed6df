"""Pairs of worlds, side by side: every difference is a leak."""

from __future__ import annotations

import io
import itertools
import random
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import grpc
from prometheus_client import generate_latest

from taflhall_engine.kernel.agenda import Command, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.meta_commands import answer
from taflhall_service.store.memory import Memory
from tests.engine.every_game import setups
from tests.engine.every_game.strange import met
from tests.faults.inside import Inside, quiet_logs
from tests.faults.leaks.canaries import found
from tests.faults.leaks.looking import LUCK, OPAQUE, Seen, Viewer, without
from tests.faults.leaks.worlds import (
    World,
    begun_elsewhere,
    hidden_differences,
    laid,
    other,
    pick,
    put,
    spots,
    world_at,
)
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.watchers import SPECTATOR

STEPS = 3
"""Number of commands that a pair continues for, after everything has been read."""

STRAIGHT = 0.95
"""Share of pairs whose calls spare the socket."""

OTHER_LUCK = 0.25
"""Share of pairs whose future random numbers differ too; these are only read."""

NOW = 1_700_000_100_000


def CLOCK() -> int:
    return NOW


class Side:
    """One world: its server, its current table, its viewer."""

    def __init__(
        self, inside: Inside, channel: grpc.aio.Channel, world: World, seat: int, straight: bool
    ) -> None:
        self.inside = inside
        self.world = world
        self.viewer = Viewer(inside, channel, world, seat, straight)
        self.table = world.table.copy()

    async def pending(self, seat: int) -> str:
        match = await self.inside.matches.current(self.world.match.id)
        return match.pending.get(seat, "")


async def pairs(name: str, count: int, seed: int = 0, seconds: float = 1e9) -> Verdict:
    """Compare *count* pairs of worlds of the game *name*, or as many as fit into *seconds*."""
    verdict, log = Verdict(), io.StringIO()
    quiet_logs(log)
    differ: Counter[str] = Counter()
    rng = random.Random(seed)
    ids: list[str] = []
    end = time.monotonic() + seconds
    async with AsyncExitStack() as stack:
        memories = [Memory(CLOCK), Memory(CLOCK)]
        memories[1].key = memories[0].key
        sides = [await stack.enter_async_context(Inside(memory)) for memory in memories]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(side.address))
            for side in sides
        ]
        stack.enter_context(begun_elsewhere(setups.game(name)))
        for spot in itertools.chain.from_iterable(spots(name, n) for n in itertools.count(seed)):
            if verdict.figures["world pairs"] >= count or time.monotonic() > end:
                break
            for viewer in [*range(spot.game.seats(spot.table)), SPECTATOR]:
                world = world_at(spot, rng)
                ids.append(world.match.id)
                straight = rng.random() < STRAIGHT
                secret = rng.randbytes(32) if rng.random() < OTHER_LUCK else None
                twin = other(world, viewer, FastChance(rng.getrandbits(30)), secret)
                differences = hidden_differences(world, twin)
                differ.update(differences)
                verdict.figures["world pairs"] += 1
                verdict.figures[f"world pairs of {name}"] += 1
                verdict.figures["pairs that differ"] += bool(differences)
                both = []
                for inside, channel, part in zip(sides, channels, (world, twin), strict=True):
                    await put(inside.memory, part)
                    both.append(Side(inside, channel, part, viewer, straight))
                steps = 0 if secret else STEPS
                await compare(verdict, both[0], both[1], viewer, rng, log, steps)
                log.seek(0)
                log.truncate()
        output = b"".join(generate_latest(side.meter.registry) for side in sides)
        for match_id in ids:
            if match_id.encode() in output:
                verdict.blame("G7 canaries", "a match id is in the metrics")
    for field, times in differ.items():
        verdict.figures[f"differ in {field}"] = times
    return verdict


async def compare(
    verdict: Verdict,
    a: Side,
    b: Side,
    viewer: int,
    rng: random.Random,
    log: io.StringIO,
    steps: int,
) -> None:
    """Let the viewer do the same in both worlds and compare all it sees."""
    prying = strange(a.world, rng)
    for side in (a, b):
        laid.set(side.world.table)
        await side.viewer.watch()
        await side.viewer.look()
        await side.viewer.pry(prying)
    masked: tuple[str, ...] = () if steps else LUCK
    alike = same(verdict, a, b, masked)
    taken = 0
    while alike and taken < steps:
        differs = await one_step(verdict, a, b, viewer, rng)
        if differs is None:
            break
        taken += 1
        masked = OPAQUE if differs else masked
        alike = same(verdict, a, b, masked)
    past = sorted({rng.randint(0, taken), taken})
    for side in (a, b):
        laid.set(side.world.table)
        await side.viewer.remember(past)
        await side.viewer.leave()
    same(verdict, a, b, masked)
    for side in (a, b):
        listen(verdict, side, viewer, log)


async def one_step(
    verdict: Verdict, a: Side, b: Side, viewer: int, rng: random.Random
) -> bool | None:
    """Carry out what looks like the same command in both worlds.

    Return whether it was a secret one that differs; ``None`` if the worlds part here, because
    the rules make known what was hidden.
    """
    game, trial = a.world.game, setups.trial(a.world.game.id)
    reveals = trial.reveals | trial.split
    events: tuple[list[Any], list[Any]] = ([], [])
    names: list[str] = []
    differs = False
    while True:
        picked = pick(a.table, FastChance(rng.getrandbits(30)))
        if picked is None:
            return None
        seat, command = picked
        listed = options(b.table, seat)
        chosen, secret = command, seat != viewer and setups.hidden(trial, a.table, command)
        if secret:
            chosen = rng.choice([c for c in listed if setups.hidden(trial, b.table, c)])
        elif command not in listed:
            if seat == viewer or type(command).__name__ not in reveals:
                blamed = f"{game.id}: {command} is possible in one world only"
                verdict.blame("G7 two worlds", blamed)
            return None
        names = names or [await side.pending(seat) for side in (a, b)]
        for number, (side, step) in enumerate(((a, command), (b, chosen))):
            laid.set(side.world.table)
            side.table.journal = []
            answer(game, side.table, seat, step)
            events[number].extend(e.seen_by(viewer) for e in side.table.journal)
            side.table.journal = None
            name = side.world.secrets[seat]
            try:
                names[number] = await side.viewer.answer(seat, step, name, names[number])
            except AssertionError as refused:
                verdict.blame("G7 two worlds", f"{game.id}: {refused}")
                return None
        differs |= secret and chosen != command
        if not all(names):
            break
    if any(names):
        verdict.blame("G7 two worlds", f"{game.id}: an answer is complete in one world only")
        return None
    for side in (a, b):
        laid.set(side.world.table)
        await side.viewer.hear()
    verdict.figures["steps in two worlds"] += 1
    looks = [game.view(side.table, viewer) for side in (a, b)]
    if _parted(events[0], events[1], looks[0] != looks[1], reveals):
        a.viewer.seen.clear()
        b.viewer.seen.clear()
        return None
    return differs


def _parted(one: list[Any], two: list[Any], look_different: bool, reveals: frozenset[str]) -> bool:
    """Return whether an event by which the rules reveal something differs.

    It may be the same event in both, and reveal something that only the views show.
    """
    if look_different and any(type(event).__name__ in reveals for event in one + two):
        return True
    for first, second in zip([e for e in one if e], [e for e in two if e], strict=False):
        if first != second:
            return bool({type(first).__name__, type(second).__name__} & reveals)
    return len(one) != len(two)


def same(verdict: Verdict, a: Side, b: Side, masked: tuple[str, ...]) -> bool:
    """Compare what the viewer has seen so far in both worlds."""
    alike = True
    for one, two in zip(a.viewer.seen, b.viewer.seen, strict=True):
        verdict.figures["answers compared"] += 1
        if masked:
            one, two = without(masked, one), without(masked, two)  # noqa: PLW2901
        if one != two:
            alike = False
            verdict.blame("G7 two worlds", difference(a, one, two))
    a.viewer.seen.clear()
    b.viewer.seen.clear()
    return alike


def difference(side: Side, one: Seen, two: Seen) -> str:
    match = side.world.match
    at = next((i for i, (x, y) in enumerate(zip(one.body, two.body, strict=False)) if x != y), -1)
    return f"{match.game.id} at {match.revision}: {one.what} {one.code}/{two.code}, byte {at}"


def listen(verdict: Verdict, side: Side, viewer: int, log: io.StringIO) -> None:
    """Look for secrets in what this world's viewer got and in what the server logged."""
    world = side.world
    others = [s.encode() for seat, s in enumerate(world.secrets) if seat != viewer]
    secrets = [*others, world.creator.encode(), world.match.origin.chain]
    if side.table.agenda:
        secrets.append(world.match.origin.secret)
    heard = b"".join(seen.trailing + seen.body for seen in side.viewer.heard)
    for secret in found(secrets, heard):
        verdict.blame("G7 canaries", f"{world.game.id}: {secret[:6]!r} reached seat {viewer}")
    logged = log.getvalue().encode()
    for secret in found([s.encode() for s in world.secrets] + secrets, logged):
        verdict.blame("G7 canaries", f"{world.game.id}: {secret[:6]!r} is in the log")


def strange(world: World, rng: random.Random) -> list[Command[Any]]:
    """Return commands that are mostly no options."""
    return rng.sample(met(world.game.id), 2)
